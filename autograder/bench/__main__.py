"""`make bench`: measure, write docs/benchmark.md and its picture, and say in one line what came out."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.bench import course, meter, page, paired, scale
from autograder.sandbox import doctor

SIZES = (10, 100, 400)
COMPARED, COMPARED_IN_ALL = (100, 400), (20, 60)
"""Sizes of classes in lesson 01, beside the largest; and of those, there and in all lessons, that one worker grades as
well as two: what it takes to grade the difference is compared, their start is not."""


def main() -> None:
    """Run all measurements one after the other; nothing else should run meanwhile."""
    parser = argparse.ArgumentParser(prog="python -m autograder.bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="paired rounds (%(default)s)")
    parser.add_argument("--largest", type=int, default=1000, help="the largest class (%(default)s)")
    parser.add_argument("--students", type=int, default=200, help="of the class in all lessons (%(default)s)")
    options = parser.parse_args()
    if not doctor.sealable():
        raise SystemExit(doctor.report())
    names = [lesson.id for lesson in course().lessons]
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
    measured = scale.released(folder / "scale", names)
    scale.hand_in(measured, names, 20)
    shares = json.loads(meter.output_of("shares", str(measured)))
    growth, lightest = [], []
    for number in sorted({*SIZES, options.largest}):
        scale.hand_in(measured, names[:1], number)
        if number in COMPARED:
            lightest.append(scale.both_ways(measured, number))
            growth.append(lightest[-1][1])
        else:
            growth.append(scale.grade(measured, number, 2))
    everything = []
    for number in COMPARED_IN_ALL:
        scale.hand_in(measured, names, number)
        everything.append(scale.both_ways(measured, number * len(names)))
    scale.hand_in(measured, names, options.students)
    return page.Results(
        command=_command(),
        bare=bare,
        latency=latency,
        paired=pairs,
        shares=shares,
        growth=tuple(growth),
        whole=scale.grade(measured, options.students * len(names), 2),
        lightest=scale.speedup(*lightest),
        everything=scale.speedup(*everything),
        counting=scale.given_by_the_machine(2),
    )


if __name__ == "__main__":
    main()
