#!/usr/bin/env python3
"""Nodes a second of two versions of the Gomoku engine, in turn on the same positions.

Usage: docs/scripts/gomoku_speed.py NEW OLD [ROUNDS]

NEW and OLD are builds of the example `think` (cargo build --release -p outflank-gomoku-engine --example think) of two
commits. NEW searches once with the network and once with the weights of the shapes, OLD as it does. One thread, 400,000
nodes a position, about a move of half a second; the seconds are those of the search, not of the start of the program.
"""

import re
import statistics
import subprocess
import sys

POSITIONS = [
    ("freestyle", "h8i9g6j5e10k11"),
    ("freestyle", "h8g7f6g8g9"),
    ("standard", "h8i8j6i7f7g6"),
    ("standard", "h8i9h10g9f9"),
    ("renju", "h8i9j10i8i7g9"),
    ("renju", "h8i9h6g7i7"),
    ("caro", "h8h9j9j8f8i7"),
    ("caro", "h8g9i9g7h6"),
]


def speed(program, *more):
    nodes, seconds = 0, 0.0
    for rule, moves in POSITIONS:
        command = [program, rule, "15", "400000n", moves, *more]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        time, count = re.search(r"in ([0-9.]+) s, ([0-9]+) nodes", text).groups()
        nodes += int(count)
        seconds += float(time)
    return nodes / seconds


def main():
    new, old = sys.argv[1:3]
    speeds = {"network": [], "shapes": [], "old": []}
    for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 7):
        speeds["network"].append(speed(new))
        speeds["shapes"].append(speed(new, "1", "1", "200000", "shapes"))
        speeds["old"].append(speed(old))
    for name, values in speeds.items():
        ratio = statistics.median(a / b for a, b in zip(values, speeds["old"], strict=True))
        print(f"{name:8} {statistics.median(values) / 1000:6.0f} thousand nodes a second, {ratio:.2f} of old")


if __name__ == "__main__":
    main()
