"""`make bench`: measure, write docs/benchmark.md and its picture, and say in one line what came out."""

from __future__ import annotations

import os
import statistics
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.author.release import STRICT
from autograder.bench import alone, course, meter, page, paired, scale, shares, start, whole
from autograder.sandbox import doctor

ROUNDS = 5
SIZES, STUDENTS = (10, 50, 150), 172
SMALL, IN_SMALL, GRADED = 12, 2, 25
"""Students of a small class; how many lessons it is measured in; students of the one in which one file changes."""
COMPARED, COMPARED_IN_ALL = (50, 150), (4, 12)
"""Sizes of classes in lesson 01, and of the one in all lessons; and of those, there and in all lessons, that one worker
grades as well as two: what it takes to grade the difference is compared, their start is not."""


def main() -> None:
    """Run all measurements one after the other; nothing else should run meanwhile."""
    if not doctor.sealable():
        raise SystemExit(doctor.report())
    os.environ |= {STRICT: "1", "OMP_NUM_THREADS": "1"}
    with TemporaryDirectory(prefix="bench-") as folder:
        results = _measure(Path(folder), [lesson.id for lesson in course().lessons])
    page.write(results)
    print(f"{statistics.median(results.paired.ratios('stock')):.1f} times less CPU than stock nbgrader")


def _measure(folder: Path, names: list[str]) -> page.Results:
    bare, latency = meter.alone(alone.bare), meter.alone(alone.latency)
    started = meter.alone(start.measure)
    pairs = paired.run(folder / "paired", names, ROUNDS)
    small = whole.small_classes(folder / "paired", names[::4][:IN_SMALL], SMALL)
    measured = scale.released(folder / "scale", names)
    first = whole.first_submissions(measured, names)
    changed = whole.one_changed(measured, names[0], GRADED)
    scale.hand_in(measured, names, 20)
    by_part = meter.alone(shares.measure, str(measured))
    growth, lightest, everything = [], [], []
    for number in SIZES:
        scale.hand_in(measured, names[:1], number)
        growth.append(scale.grade(measured, number, 2))
        if number in COMPARED:
            lightest.append((scale.grade(measured, number, 1), growth[-1]))
    for number in COMPARED_IN_ALL:
        scale.hand_in(measured, names, number)
        both = [scale.grade(measured, number * len(names), jobs) for jobs in (1, 2)]
        everything.append((both[0], both[1]))
    scale.hand_in(measured, names, STUDENTS)
    return page.Results(
        bare=bare,
        latency=latency,
        paired=pairs,
        shares=by_part,
        started=started,
        small=tuple(small),
        first=tuple(first),
        changed=tuple(changed),
        graded=GRADED,
        handed_in=SMALL,
        growth=tuple(growth),
        whole=scale.grade(measured, STUDENTS * len(names), 2),
        lightest=scale.speedup(*lightest),
        everything=scale.speedup(*everything),
        counting=scale.given_by_the_machine(2),
    )


if __name__ == "__main__":
    main()
