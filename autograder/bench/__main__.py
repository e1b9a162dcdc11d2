"""`make bench`: measure, write docs/benchmark.md and its picture, and say in one line what came out."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.bench import meter, page, paired, scale
from autograder.lessons import lessons
from autograder.seal import doctor

SIZES = (10, 100, 400)
COMPARED = (100, 400)
"""Sizes of classes, beside the largest; and those graded by one worker as well: their start is not compared."""


def main() -> None:
    """Run all measurements one after the other; nothing else should run meanwhile."""
    parser = argparse.ArgumentParser(prog="python -m autograder.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="paired rounds (%(default)s)")
    parser.add_argument("--largest", type=int, default=1000, help="the largest class (%(default)s)")
    parser.add_argument("--students", type=int, default=200, help="of the class in all lessons (%(default)s)")
    options = parser.parse_args()
    if not doctor.sealable():
        raise SystemExit(doctor.report())
    names = [lesson.id for lesson in lessons()]
    with TemporaryDirectory(prefix="bench-") as folder:
        results = _measure(Path(folder), names, options)
    page.write(results)
    print(f"{statistics.median(results.paired.ratios()):.1f} times less CPU than stock nbgrader")


def _command() -> str:
    given = sys.argv[1:]
    return " ".join([".venv/bin/python -m autograder.bench", *given]) if given else "make bench"


def _measure(folder: Path, names: list[str], options: argparse.Namespace) -> page.Results:
    bare = json.loads(meter.output_of("bare"))
    latency = json.loads(meter.output_of("latency"))
    pairs = paired.run(folder / "paired", names, options.rounds)
    course = scale.course(folder / "scale", names)
    scale.hand_in(course, names, 20)
    shares = json.loads(meter.output_of("shares", str(course)))
    growth, alone = {}, {}
    for number in sorted({*SIZES, options.largest}):
        scale.hand_in(course, names[:1], number)
        growth[number] = scale.grade(course, number, 2)
        if number in COMPARED:
            alone[number] = scale.grade(course, number, 1)
    few, many = ((alone[number], growth[number]) for number in COMPARED)
    speedup = scale.speedup(few, many)
    scale.hand_in(course, names, options.students)
    whole = scale.grade(course, options.students * len(names), 2)
    together, by_one = tuple(growth.values()), tuple(alone.values())
    return page.Results(_command(), bare, latency, pairs, shares, together, by_one, speedup, whole)


if __name__ == "__main__":
    main()
