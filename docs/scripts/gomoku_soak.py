#!/usr/bin/env python3
"""Play games of Outflank against itself over the Gomocup protocol as a rough manager would, with a referee of its own.

Usage: python3 -m venv /tmp/venv && /tmp/venv/bin/pip install renju
       /tmp/venv/bin/python docs/scripts/gomoku_soak.py target/release/outflank [--games 500] [--milliseconds 100]

All rule sets in turn, boards of 15 and 20 points, every fourth game by Swap2. At random moments a search is stopped, an
engine is killed or restarted and gets the position by BOARD, limits are told while it thinks, or it ponders.
Every move is checked: on an empty point, not forbidden while another is left, in time. A win that is claimed (MESSAGE with a
value of +M) must come, unless whoever claimed it is stopped, killed or restarted before it does. Exit code 1 after any failure; the seed of each game is its number.
"""

import argparse
import queue
import random
import re
import subprocess
import sys
import threading
import time

from renju.check_forbid import ForbidChecker

RULES = {"freestyle": 0, "standard": 1, "renju": 4, "caro": 8}
# What a busy machine may add to the time of a move, in seconds.
GRACE = 1.0


class Failure(Exception):
    """What an engine did wrong."""


class Referee:
    """The stones, and who has won, by looking at rows of five one by one."""

    def __init__(self, rule, size):
        self.rule, self.size, self.moves = rule, size, []
        self.stones = {}

    def side(self):
        return len(self.moves) % 2

    def place(self, point):
        """Places a stone; returns the winner, 0 or 1, 2 for a full board, or None."""
        x, y = point
        if not (0 <= x < self.size and 0 <= y < self.size) or point in self.stones:
            raise Failure(f"{point} is no empty point")
        side = self.side()
        if self.rule == "renju" and side == 0 and self.is_forbidden(point):
            others = [(i, j) for i in range(self.size) for j in range(self.size) if (i, j) not in self.stones]
            if any(not self.is_forbidden(other) for other in others):
                raise Failure(f"{point} is forbidden")
            return 1
        self.stones[point] = side
        self.moves.append(point)
        if any(self.wins(point, dx, dy, side) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))):
            return side
        return 2 if len(self.stones) == self.size**2 else None

    def wins(self, point, dx, dy, side):
        length, open_ends = 1, 0
        for sign in (1, -1):
            x, y = point[0] + sign * dx, point[1] + sign * dy
            while self.stones.get((x, y)) == side:
                length, x, y = length + 1, x + sign * dx, y + sign * dy
            open_ends += self.stones.get((x, y)) != 1 - side
        if self.rule == "freestyle" or (self.rule == "renju" and side == 1):
            return length >= 5
        return length == 5 and (self.rule != "caro" or open_ends > 0)

    def is_forbidden(self, point):
        grid = [[0] * self.size for _ in range(self.size)]
        for (x, y), side in self.stones.items():
            grid[x][y] = side + 1
        checker = ForbidChecker(grid, *point)
        strict = checker.foulr(*point, 0)
        checker.foulr = lambda x, y, five: ForbidChecker.foulr(checker, x, y, 0)
        # The one convention in which the package differs (docs/gomoku.md).
        return bool(strict) and bool(ForbidChecker.foulr(checker, *point, 0))


class Brain:
    """An engine behind pipes."""

    def __init__(self, program, rule, size, milliseconds):
        self.command = [program, "gomocup", "--verbose"]
        self.setup = [f"INFO rule {RULES[rule]}", f"INFO timeout_turn {milliseconds}", f"START {size}"]
        self.slowest, self.claimed = 0.0, False
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self.heard = queue.Queue()
        threading.Thread(target=self.listen, args=(self.process.stdout, self.heard), daemon=True).start()
        self.say(*self.setup)
        self.expect("OK")

    @staticmethod
    def listen(lines, heard):
        for line in lines:
            heard.put(line.strip())
        heard.put(None)

    def say(self, *lines):
        self.process.stdin.write("".join(line + "\n" for line in lines))
        self.process.stdin.flush()

    def hear(self, seconds=20.0):
        """Returns the next answer; notes claims on the way."""
        end = time.monotonic() + seconds
        while True:
            try:
                line = self.heard.get(timeout=max(0.0, end - time.monotonic()))
            except queue.Empty:
                raise Failure("no answer") from None
            if line is None:
                raise Failure(f"died with code {self.process.wait()}")
            if line.startswith("MESSAGE"):
                self.claimed |= " value +M" in line
            elif line.startswith(("ERROR", "UNKNOWN")):
                raise Failure(line)
            else:
                return line

    def expect(self, text):
        line = self.hear()
        if line != text:
            raise Failure(f"{line!r} instead of {text!r}")

    def answer(self, chance, milliseconds, lines):
        """Says `lines`, which ask for a move, interrupts at random, and returns the answer."""
        began, stopped = time.monotonic(), False
        self.say(*lines)
        if chance.random() < 0.1:
            self.say(f"INFO time_left {chance.randrange(100_000)}", "INFO time_left 2147483647")
        if chance.random() < 0.1:
            time.sleep(chance.random() * milliseconds / 1000)
            self.say("YXSTOP")
            stopped = True
        line = self.hear()
        # Who may not think does not find again what it has claimed.
        self.claimed &= not stopped
        self.slowest = max(self.slowest, time.monotonic() - began)
        if self.slowest > milliseconds / 1000 + GRACE:
            raise Failure(f"thought for {self.slowest:.2f} s")
        return line

    def quit(self):
        self.say("END")
        if self.process.wait(5) != 0:
            raise Failure("END was no success")


def points(text):
    """Returns the points of an answer."""
    found = [tuple(map(int, word)) for word in re.findall(r"(\d+),(\d+)", text)]
    if not found:
        raise Failure(f"{text!r} is no move")
    return found


def listed(moves, own):
    """Returns the lines of BOARD for the side `own`, 0 or 1."""
    return [f"{x},{y},{1 if i % 2 == own else 2}" for i, (x, y) in enumerate(moves)]


def swap2(brains, board, chance, milliseconds):
    """Has a game begun by Swap2; returns who of the two is black, and whether the game began with a plain move."""
    proposed = points(brains[0].answer(chance, milliseconds, ["SWAP2BOARD", "DONE"]))
    for point in proposed:
        board.place(point)
    for chooser in (1, 0):
        lines = ["SWAP2BOARD", *(f"{x},{y}" for x, y in board.moves), "DONE"]
        answer = brains[chooser].answer(chance, milliseconds, lines)
        if answer == "SWAP":
            # Who proposed, or added two, has White now and is to move.
            return chooser
        added = points(answer)
        for point in added:
            board.place(point)
        if len(added) == 1:
            return 1 - chooser
    raise Failure("Swap2 did not end")


def game(program, number, milliseconds):
    """Plays one game; returns who won, the slowest move in seconds, and how often something was interrupted."""
    chance = random.Random(number)
    rule, size = list(RULES)[number % 4], chance.choice((15, 15, 20))
    board = Referee(rule, size)
    brains = [Brain(program, rule, size, milliseconds) for _ in range(2)]
    broken, winner, black = 0, None, chance.randrange(2)
    # Engines that know the position so far, and need no BOARD.
    knows = {0, 1}
    try:
        if number // 4 % 4 == 3:
            black = swap2(brains, board, chance, milliseconds)
            knows = set()
        else:
            for _ in range(chance.randrange(5)):
                at = [(x, y) for x in range(size) for y in range(size) if (x, y) not in board.stones]
                middle = [p for p in at if max(abs(p[0] - size // 2), abs(p[1] - size // 2)) < 4]
                board.place(chance.choice(middle))
                knows = set()
        while winner is None:
            which = board.side() if black == 0 else 1 - board.side()
            brain, event = brains[which], chance.random()
            if event < 0.03:
                brain.process.kill()
                brain.process.wait()
                brain.start()
                brain.claimed = False
                knows.discard(which)
                broken += 1
            elif event < 0.06:
                brain.say("RESTART")
                brain.expect("OK")
                brain.claimed = False
                knows.discard(which)
                broken += 1
            elif event < 0.1:
                brain.say(f"INFO pondering {chance.randrange(2)}")
            if which in knows:
                asked = [f"TURN {board.moves[-1][0]},{board.moves[-1][1]}"] if board.moves else ["BEGIN"]
            else:
                asked = ["BOARD", *listed(board.moves, board.side()), "DONE"]
            knows.add(which)
            side = board.side()
            (point,) = points(brain.answer(chance, milliseconds, asked))
            winner = board.place(point)
            if brain.claimed and winner is not None and winner != side:
                raise Failure("a win was claimed and did not come")
        loser = brains[1 - which]
        if loser.claimed and winner == side:
            raise Failure("a win was claimed and did not come")
        for brain in brains:
            brain.quit()
        return winner, max(brain.slowest for brain in brains), broken
    except Failure as failure:
        raise Failure(f"game {number}, {rule} {size}, moves {board.moves}: {failure}") from None
    finally:
        for brain in brains:
            brain.process.kill()


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program")
    arguments.add_argument("--games", type=int, default=500)
    arguments.add_argument("--first", type=int, default=0, help="number of the first game")
    arguments.add_argument("--milliseconds", type=int, default=100, help="for each move")
    given = arguments.parse_args()
    results, slowest, broken, failures = [0, 0, 0], 0.0, 0, 0
    for number in range(given.first, given.first + given.games):
        try:
            winner, slow, interrupted = game(given.program, number, given.milliseconds)
        except Failure as failure:
            failures += 1
            print(f"FAILED {failure}", flush=True)
            continue
        results[winner] += 1
        slowest, broken = max(slowest, slow), broken + interrupted
        if sys.stderr.isatty():
            print(f"\r{number + 1 - given.first} of {given.games}", end="", file=sys.stderr)
    print(
        f"{given.games} games: black won {results[0]}, white {results[1]}, drawn {results[2]}, failures {failures}; "
        f"{broken} engines killed or restarted; slowest move {slowest:.3f} s of {given.milliseconds / 1000} s"
    )
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
