"""The default player of ``outflank.course`` against the Monte-Carlo player of the course's report, on the course's referee.

The report's player is the laboratory's, with the report's choices: roll-outs by the best square of its table, rewards by
margin, epsilon-greedy selection with decay, expansion at the second visit, the update as it is written there, and a new
tree for each move. It has a number of simulations in place of three seconds: 2,000, which is more than Python does in
three seconds, so that the strength is that of a player in Python. Colors change from game to game.

    python benchmarks/course_match.py --games 20

A game takes about a minute and a half; ``--first 5 --games 1`` plays the sixth one alone.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from outflank.course import AIPlayer

sys.path.append(str(Path(__file__).parents[1] / "tests"))
from test_course import referee  # noqa: E402

REPORT = "mcts:policy=best-square:reward=margin:epsilon=0.3:decay=0.999:expand=2:update=written:reuse=no"


def main() -> None:
    """Plays, and tells each game and the sum."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--first", type=int, default=0, help="number of the first game")
    parser.add_argument("--simulations", type=int, default=2000)
    args = parser.parse_args()
    points = [0, 0, 0]
    for number in range(args.first, args.first + args.games):
        ours = AIPlayer("X", seed=number)
        theirs = AIPlayer("O", f"lab: {REPORT}/{args.simulations}n", seed=1000 + number)
        is_black = number % 2 == 0
        winner, difference, longest = referee(*((ours, theirs) if is_black else (theirs, ours)))
        place = 1 if winner == 2 else 0 if (winner == 0) == is_black else 2
        points[place] += 1
        margin = (0, difference)[winner != 2] * (1 if place == 0 else -1)
        color = "Black" if is_black else "White"
        print(f"game {number}: default player as {color} {margin:+d}, longest move {longest:.2f} s", flush=True)
    wins, draws, losses = points
    print(f"default player: +{wins} ={draws} -{losses}", flush=True)


if __name__ == "__main__":
    main()
