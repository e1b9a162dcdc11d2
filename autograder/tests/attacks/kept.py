"""Attacks that try to gain points with what stands in for an exercise while a later one is asked."""

from __future__ import annotations

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
)
