"""A player of Othello over GTP (the Go Text Protocol) in about 50 lines of plain Python, and 20 that play against it.

python3 gtp_player.py                    be a program that `outflank match` can start
python3 gtp_player.py outflank gtp       play a game against that program, and print it
"""

import subprocess
import sys

START = {"d4": "w", "e4": "b", "d5": "b", "e5": "w"}
SQUARES = [column + row for row in "12345678" for column in "abcdefgh"]
DIRECTIONS = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if (x, y) != (0, 0)]


def flips(board, color, square):
    """Returns the discs that a move to `square` turns over: none if it is not legal."""
    turned = []
    for dx, dy in DIRECTIONS if square not in board else []:
        line, x, y = [], ord(square[0]) + dx, ord(square[1]) + dy
        while board.get(chr(x) + chr(y), color) != color:
            line.append(chr(x) + chr(y))
            x, y = x + dx, y + dy
        turned += line if chr(x) + chr(y) in board else []
    return turned


def legal(board, color):
    return [square for square in SQUARES if flips(board, color, square)] or ["pass"]


def play(board, color, move):
    """Plays a move, `pass` included, and returns whether it was legal."""
    if move not in legal(board, color):
        return False
    if move != "pass":
        board.update(dict.fromkeys([move, *flips(board, color, move)], color))
    return True


def choose(board, color):
    """Returns the move to play: a corner, or what turns over fewest discs. Put your own idea here."""
    corners = ["a1", "a8", "h1", "h8"]
    return min(legal(board, color), key=lambda move: (move not in corners, len(flips(board, color, move))))


def answer(board, command, color="b", move=""):
    """Carries out a command that a match sends; returns the text of the answer, `None` for a failure."""
    color, move = color[0].lower(), move.lower()
    if command == "clear_board":
        board.clear()
        board.update(START)
    elif command == "genmove":
        move = choose(board, color)
        play(board, color, move)
        return move
    elif command == "play":
        return "" if play(board, color, move) else None
    known = {"name": "Fifty Lines", "version": "1", "list_commands": "play\ngenmove", "clear_board": "", "quit": ""}
    return known.get(command)


def game(command):
    """Plays as white against the program that `command` starts."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:

        def ask(line):
            print(line, file=program.stdin, flush=True)
            text = "".join(iter(program.stdout.readline, "\n")).strip()
            return text[1:].strip() if text.startswith("=") else sys.exit(f"{line}: {text or 'no answer'}")

        board, color = dict(START), "b"
        ask("clear_board")
        while legal(board, "b") + legal(board, "w") != ["pass", "pass"]:
            move = ask("genmove b").lower() if color == "b" else choose(board, "w")
            print(color, move, "" if play(board, color, move) else sys.exit("is not legal"))
            if color == "w":
                ask(f"play w {move}")
            color = "bw"[color == "b"]
        ask("quit")
    discs = list(board.values())
    print("black", discs.count("b"), "white", discs.count("w"))


if sys.argv[1:]:
    game(sys.argv[1:])
else:
    table = dict(START)
    for words in map(str.split, sys.stdin):
        text = answer(table, *words[:3]) if words else None
        if words:
            print("? cannot" if text is None else f"= {text}", end="\n\n", flush=True)
        if words[:1] == ["quit"]:
            break
