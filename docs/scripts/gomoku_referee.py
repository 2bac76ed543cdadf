#!/usr/bin/env python3
"""Compare wins and forbidden points of Outflank with the PyPI package `renju` (an independent referee).

Usage: python3 -m venv /tmp/venv && /tmp/venv/bin/pip install renju
       /tmp/venv/bin/python docs/scripts/gomoku_referee.py target/quick/outflank [POSITIONS] [GAMES.jsonl]

Positions are random stones close together and, if a file of `outflank match --game gomoku --json` is given, positions
of its games. Every empty point of each is asked about. Exit code 1 if anything differs for another reason than the one
that docs/gomoku.md names: whether a three counts whose straight four makes five at the same time.
"""

import json
import random
import subprocess
import sys

from renju import BoardStatus, RenjuBoard, Rule
from renju.check_forbid import ForbidChecker

SIZE = 15


class Brain:
    """Outflank behind pipes."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "gomocup"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )

    def say(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def hear(self):
        while True:
            line = self.process.stdout.readline().strip()
            if not line.startswith("MESSAGE"):
                return line

    def forbidden(self, black, white, rule):
        """Returns the forbidden points, or the text of the error if the game is over."""
        stones = [f"{x},{y},1" for x, y in black] + [f"{x},{y},2" for x, y in white]
        self.say(f"INFO rule {rule}", f"START {SIZE}", "YXBOARD", *stones, "DONE")
        assert self.hear() == "OK"
        self.say("YXSHOWFORBID")
        line = self.hear()
        if not line.startswith("FORBID"):
            self.hear()
            return line
        digits = line.split(" ")[1].rstrip(".")
        return {(int(digits[i : i + 2]), int(digits[i + 2 : i + 4])) for i in range(0, len(digits), 4)}


def random_game(n):
    """Returns moves of both colors close together, whatever they make."""
    moves, at = [], (7, 7)
    while len(moves) < n:
        at = (at[0] + random.randint(-3, 3), at[1] + random.randint(-3, 3))
        if random.random() < 0.15:
            at = (random.randint(2, 12), random.randint(2, 12))
        at = tuple(min(max(v, 0), SIZE - 1) for v in at)
        if at not in moves:
            moves.append(at)
    return moves


def own_forbidden(black, white):
    """Returns the forbidden points by the package, once as it is and once with fives in threes allowed."""
    grid = [[0] * SIZE for _ in range(SIZE)]
    for x, y in black:
        grid[x][y] = 1
    for x, y in white:
        grid[x][y] = 2
    checker = ForbidChecker(grid, 0, 0)
    strict, loose = set(), set()
    original = checker.foulr
    for x in range(SIZE):
        for y in range(SIZE):
            if grid[x][y]:
                continue
            checker.X, checker.Y = x, y
            if original(x, y, 0):
                strict.add((x, y))
            checker.foulr = lambda x, y, five: original(x, y, 0)
            if original(x, y, 0):
                loose.add((x, y))
            del checker.foulr
    return strict, loose


def main():
    program = sys.argv[1]
    n_positions = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    games = []
    if len(sys.argv) > 3:
        for line in open(sys.argv[3], encoding="utf-8"):
            text = json.loads(line).get("moves", "")
            moves, word = [], ""
            for c in text + "a":
                if c.isalpha() and word:
                    moves.append((ord(word[0]) - ord("a"), int(word[1:]) - 1))
                    word = ""
                word += c
            if moves:
                games.append(moves)
    random.seed(1)
    brain = Brain(program)
    wins = forbidden = wrong = conventions = 0
    for i in range(n_positions):
        if games and i % 2:
            game = random.choice(games)
            moves = game if random.random() < 0.25 else game[: random.randint(6, len(game))]
        else:
            moves = random_game(random.randint(8, 60))
        # Wins, under each rule set, by the last stone.
        rule = (Rule.FREESTYLE, Rule.STANDARD, Rule.RENJU)[i % 3]
        board = RenjuBoard(board_size=SIZE, rule=rule)
        ended = False
        for n, (x, y) in enumerate(moves):
            status, reason = board.play_move(x, y)
            if status != BoardStatus.ONGOING:
                moves, ended = moves[: n + 1], "five" in str(reason.value).lower()
                break
        if len(moves) % 2 and not ended:
            moves = moves[:-1]
        black, white = moves[0::2], moves[1::2]
        found = brain.forbidden(black, white, int(rule))
        wins += ended
        if isinstance(found, str) != ended:
            wrong += 1
            print("win differs:", rule, moves, found)
        # Forbidden points.
        found = brain.forbidden(black, white, 4)
        if isinstance(found, str):
            continue
        strict, loose = own_forbidden(black, white)
        forbidden += len(found)
        if found == strict:
            continue
        if found == loose:
            conventions += 1
            continue
        wrong += 1
        print("forbidden points differ:", moves, "ours", found - strict, "theirs", strict - found)
    print(
        f"{n_positions} positions, {wins} wins, {forbidden} forbidden points, {wrong} differ, "
        f"{conventions} only by whether a five makes the three of a straight four"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
