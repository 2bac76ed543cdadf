#!/usr/bin/env python3
"""A match of the engine with an opening book against the same engine without.

    book-match.py OUTFLANK BOOK OUT [GAMES [NODES]]

From the start position two engines with a fixed number of nodes repeat one game, and random
openings leave the book at once. So the openings are lines of the book itself: walks of PLIES moves
of which none costs more than LOSS discs, no two of them to the same position. Each is played with
both colors, and as often as it takes; among moves within RANDOM discs of the best the book
chooses by chance. OUT-openings.txt holds them, OUT.jsonl and OUT.ggf the games; a second run goes
on.
"""

import json
import pathlib
import random
import subprocess
import sys

PLIES, LOSS, RANDOM = 8, 3.0, 0.5


def lines(outflank, book, count):
    """Walks through the book, breadth first: of the positions after each move a random few."""
    chance = random.Random(1)
    walks = ["f5"]
    for _ in range(PLIES - 1):
        shown = subprocess.run(
            [outflank, "book", "show", "--book", book, "--json", "-"],
            input="\n".join(walks), capture_output=True, text=True, check=True,
        ).stdout.splitlines()
        found = {}
        for walk, line in zip(walks, shown, strict=True):
            for move in json.loads(line)["moves"]:
                if move["from"] == "next" and move["loss"] <= LOSS:
                    found.setdefault(walk + move["move"], None)
        found = list(found)
        chance.shuffle(found)
        boards = subprocess.run(
            [outflank, "convert", "--to", "board", "-"],
            input="\n".join(found), capture_output=True, text=True, check=True,
        ).stdout.splitlines()
        walks = list({board: walk for board, walk in zip(boards, found, strict=True)}.values())[: 4 * count]
    return walks[:count]


def main():
    outflank, book, out = sys.argv[1:4]
    games = int(sys.argv[4]) if len(sys.argv) > 4 else 1000
    nodes = sys.argv[5] if len(sys.argv) > 5 else "20000"
    openings = pathlib.Path(f"{out}-openings.txt")
    if not openings.exists():
        openings.write_text("".join(line + "\n" for line in lines(outflank, book, games // 2)))
    resume = ["--resume"] if pathlib.Path(f"{out}.log").exists() else []
    command = [outflank, "match", f"nodes {nodes} --book {book} --book-random {RANDOM}", f"nodes {nodes}"]
    command += ["--openings", openings, "--games", str(games), "-j", "2", "--out", out]
    sys.exit(subprocess.run(command + resume).returncode)


if __name__ == "__main__":
    main()
