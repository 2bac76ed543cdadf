#!/usr/bin/env python3
"""Let a Python Gomoku program from PyPI speak the Gomocup protocol, so that `outflank match` can play it.

Usage: python3 -m venv /tmp/venv && /tmp/venv/bin/pip install gomoku-terminal gomokubench
       outflank match --game gomoku --size 20 --games 20 "time 0.3" \
           "external: --time 60 /tmp/venv/bin/python docs/scripts/gomoku_rival.py terminal-hard"
       outflank match --game gomoku --size 15 --games 20 "time 0.3" \
           "external: --time 60 /tmp/venv/bin/python docs/scripts/gomoku_rival.py bench-standard"

Rivals: terminal-easy, -medium, -hard (board of 20x20 only), bench-easy, -standard, -hard (any size). Neither program
knows a clock, so it gets as long as it takes.
"""

import sys


class Terminal:
    """gomoku-terminal."""

    def __init__(self, level):
        from gomoku.ai import GomokuAI
        from gomoku.board import Board

        self.make, self.ai = Board, GomokuAI(level)

    def accepts(self, size):
        return size == self.make.SIZE

    def choose(self, size, stones):
        board = self.make()
        player = board.BLACK if len(stones) % 2 == 0 else board.WHITE
        other = board.WHITE if player == board.BLACK else board.BLACK
        for x, y, owner in stones:
            board.place_stone(y, x, player if owner == 1 else other)
        row, column = self.ai.get_move(board, player)
        return column, row


class Bench:
    """gomokubench."""

    def __init__(self, level):
        from libs.ai import get_best_move, resolve_ai_settings
        from libs.board import BoardState

        self.settings = resolve_ai_settings(level=level)
        self.make, self.best = BoardState, get_best_move

    def accepts(self, size):
        return 5 <= size <= 20

    def choose(self, size, stones):
        # Black is 1 and moves first; the color of a state is the one that has just moved.
        black_moves = len(stones) % 2 == 0
        state = self.make(size=size)
        for x, y, owner in stones:
            is_black = (owner == 1) == black_moves
            state.values[y, x] = 1 if is_black else -1
            if owner == 2:
                state.last_move = (y, x)
        state.color = -1 if black_moves else 1
        (row, column), _ = self.best(
            state,
            self.settings["depth"],
            black_moves,
            candidate_count=self.settings["candidate_count"],
            random_top_n=self.settings["random_top_n"],
        )
        return int(column), int(row)


def main():
    kind, _, level = sys.argv[1].partition("-")
    rival = {"terminal": Terminal, "bench": Bench}[kind](level)
    size, stones = 0, []
    for line in sys.stdin:
        words = line.split()
        command = words[0].upper() if words else ""
        if command == "START":
            size, stones = int(words[1]), []
            print("OK" if rival.accepts(size) else "ERROR this size is not supported", flush=True)
        elif command == "BEGIN":
            print(f"{size // 2},{size // 2}", flush=True)
        elif command == "BOARD":
            stones = []
        elif command == "DONE":
            x, y = rival.choose(size, stones)
            print(f"{x},{y}", flush=True)
        elif command == "END":
            return
        elif command.count(",") == 2:
            stones.append(tuple(int(number) for number in command.split(",")))


if __name__ == "__main__":
    main()
