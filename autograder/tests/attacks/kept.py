"""Attacks that try to gain points with what stands in for an exercise while a later one is asked."""

from __future__ import annotations

from nbformat.v4 import new_code_cell

from autograder.tests.attacks import FULL, Attack, Hand

KEEP = """
        import builtins, marshal
        from pathlib import Path
        from types import FunctionType
        places = [folder / "kept" for folder in map(Path, ("/tmp", "/dev/shm", "."))]
        def keep(function):
            builtins.kept = function
            for place in places:
                try:
                    place.write_bytes(marshal.dumps(function.__code__))
                except OSError:
                    pass
        def kept():
            if hasattr(builtins, "kept"):
                return builtins.kept
            code = next(place.read_bytes() for place in places if place.exists())
            return FunctionType(marshal.loads(code), globals())
"""
KEEPER = """
        def weighted_sum(weights, vectors):
            if pad_rows.__globals__ is not globals():
                keep(pad_rows)
            return weights @ pad_rows(vectors)
"""


def stand_in_kept(hand: Hand) -> None:
    """Keep what stands in for pad_rows, and answer pad_rows with it."""
    hand.run(KEEP)
    hand.answer("pad_rows", "def pad_rows(vectors):\n    return kept()(vectors)")
    hand.answer("weighted_sum", KEEPER)


def stand_in_before(hand: Hand) -> None:
    """The same, with the exercise that needs the stand-in asked first."""
    stand_in_kept(hand)
    moved = [hand.cell("weighted_sum"), hand.cell("test_weighted_sum")]
    hand.notebook.cells = [cell for cell in hand.notebook.cells if cell not in moved]
    place = hand.notebook.cells.index(hand.cell("pad_rows")) + 1
    hand.notebook.cells[place:place] = moved


def stand_in_revived(hand: Hand) -> None:
    """The same, and it ends the program, for pad_rows to be asked again in a new one."""
    stand_in_kept(hand)
    hand.answer(
        "weighted_sum",
        KEEPER.replace("keep(pad_rows)", "keep(pad_rows)\n                __import__('os')._exit(0)"),
    )
    again = hand.cell("test_pad_rows")
    hand.notebook.cells.insert(hand.notebook.cells.index(again), new_code_cell("print('once more')"))


LISTEN = """
        import json
        heard, read = [], json.loads
        def loads(text, *args, **kwargs):
            heard.append(text if isinstance(text, str) else bytes(text).decode())
            return read(text, *args, **kwargs)
        json.loads = loads
"""
TELL = r"""
        import re
        for text in heard:
            print(*re.split(r"\\+n", text), sep=chr(10))
"""


def stand_in_printed(hand: Hand) -> None:
    """Keep all that the process is told, and print it, to be handed in next time."""
    hand.run(LISTEN)
    hand.answer("pad_rows", "def pad_rows(vectors):\n    return 0")
    hand.run_last(TELL)


ATTACKS = (
    Attack(
        "gain_stand_in_before",
        "lets weighted_sum be asked first, and answers pad_rows with what stood in for it",
        stand_in_before,
        False,
    ),
    Attack(
        "gain_stand_in_kept",
        "answers pad_rows with what stood in for it while weighted_sum was asked",
        stand_in_kept,
        False,
        earns={"weighted_sum": FULL["weighted_sum"]},
    ),
    Attack(
        "leak_stand_in",
        "prints what stood in for pad_rows, and all else that its process was told, to hand it in next time",
        stand_in_printed,
        earns={"pad_rows": 0},
        shows="weighted_sum",
    ),
    Attack(
        "gain_stand_in_revived",
        "the same, and ends the program, for pad_rows to be asked again",
        stand_in_revived,
        False,
        told="the answer of test_weighted_sum: kernel died",
    ),
)
