"""The textbook searches with functions of Python's: node for node those of Rust; what goes wrong ends cleanly."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import oracle
import pytest

from outflank import Move, Position, batch, lab


def mobility(position: Position) -> int:
    """An evaluation that the laboratory has, too, by the oracle's rules."""
    cells = oracle.from_words(position.player, position.opponent)
    return len(oracle.placements(cells)) - len(oracle.placements(oracle.other_side(cells)))


def squares(player: int, opponent: int) -> int:
    """The weights of the squares, read off the laboratory's evaluation."""
    return sum(weight * ((player >> n & 1) - (opponent >> n & 1)) for n, weight in enumerate(WEIGHTS))


WEIGHTS = [lab.evaluate(Position.from_bitboards(1 << n, 0), "squares") for n in range(64)]


def test_the_functions_are_those_of_the_laboratory() -> None:
    for position in batch.to_positions(batch.random_positions(50, 30, seed=4)):
        assert squares(position.player, position.opponent) == lab.evaluate(position, "squares")


@pytest.mark.parametrize("method", [name + order for name in lab.methods() for order in ("", "+order")])
def test_every_method_searches_the_same_nodes(method: str) -> None:
    depth = 3
    for empties in (50, 20, 5):
        position = batch.to_positions(batch.random_positions(1, empties, seed=empties))[0]
        native = lab.search(position, "squares", method=method, depth=depth)
        mine = lab.search(position, squares, method=method, depth=depth, bitboards=True)
        assert mine == native and native.nodes > 0
        drawn = lab.search(position, squares, method=method, depth=depth, bitboards=True, ties_seed=5)
        assert drawn == lab.search(position, "squares", method=method, depth=depth, ties_seed=5)


def test_positions_and_floats_are_taken() -> None:
    position = Position("f5d6c3d3c4")
    whole = lab.search(position, lambda at: 1000 * mobility(at), method="negamax", depth=2)
    floats = lab.search(position, lambda at: float(mobility(at)), method="negamax", depth=2)
    assert whole == floats and whole.best in position.legal_moves
    assert lab.search(Position.from_bitboards(1, 0), squares, bitboards=True).best is None


def test_the_end_of_the_game_is_exact() -> None:
    for seed in range(5):
        position = batch.to_positions(batch.random_positions(1, 4, seed))[0]
        margin = oracle.minimax(oracle.from_words(position.player, position.opponent))
        found = lab.search(position, squares, method="minimax", depth=60, bitboards=True)
        assert (found.value > 0) - (found.value < 0) == (margin > 0) - (margin < 0)


def test_what_goes_wrong_comes_out() -> None:
    calls = 0

    def late(_player: int, _opponent: int) -> int:
        nonlocal calls
        calls += 1
        if calls == 100:
            raise ZeroDivisionError("mine")
        return 0

    with pytest.raises(ZeroDivisionError, match="mine"):
        lab.search("f5d6c3", late, depth=8, bitboards=True)
    assert calls == 100

    def always(value: Any) -> Callable[[Position], Any]:
        return lambda _position: value

    for wrong in (float("nan"), float("inf"), 1e9, 10**7, 10**30):
        with pytest.raises(ValueError, match="the evaluation gave"):
            lab.search("f5d6c3", always(wrong), depth=3)
    for nothing in (None, "3", [1]):
        with pytest.raises(TypeError, match="no number"):
            lab.search("f5d6c3", always(nothing), depth=3)
    with pytest.raises(ValueError, match="minimax"):
        lab.search("f5", squares, method="none", bitboards=True)
    with pytest.raises(ValueError, match="none"):
        lab.search("f5", "none")
    with pytest.raises(ValueError, match="depth"):
        lab.search("f5", depth=61)


def test_control_c_comes_through() -> None:
    program = (
        "import os, signal, threading, time\nfrom outflank import lab\n"
        # A shell that starts the tests in the background has it ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "def interrupt():\n    time.sleep(0.3)\n    os.kill(os.getpid(), signal.SIGINT)\n"
        "for call in (lambda: lab.search('f5', 'squares', depth=40), lambda: lab.search('f5', lambda a: 0, depth=40)):\n"
        "    threading.Thread(target=interrupt).start()\n"
        "    try:\n        call()\n"
        "    except KeyboardInterrupt:\n        print('stopped')\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["stopped", "stopped"]
    assert lab.search("f5", depth=2).best in tuple(Move)
