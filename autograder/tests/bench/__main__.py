"""`make bench`: measure, write docs/benchmark.md, and say in one line what came out."""

from __future__ import annotations

import os
import statistics
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.sandbox import layers
from autograder.tests.bench import alone, coordinator, course, meter, page, paired, scale, whole

ROUNDS = 3
SIZES, STUDENTS = (10, 50, 150), 60
COMPARED, COMPARED_IN_ALL = (50, 150), (4, 12)
"""Sizes of classes in lesson 01, and of the one in all lessons; and of those, there and in all lessons, that one worker
grades as well as two: what it takes to grade the difference is compared, their start is not."""


def main() -> None:
    """Run all measurements one after the other; nothing else should run meanwhile."""
    if not layers.sandbox_available():
        raise SystemExit(layers.layer_report())
    os.environ |= {"TRAITLETS_APPLICATION_RAISE_CONFIG_FILE_ERROR": "1", "OMP_NUM_THREADS": "1"}
    with TemporaryDirectory(prefix="bench-") as folder:
        results = _measure(Path(folder))
    page.keep(results)
    page.write()
    print(f"{statistics.median(results.paired.ratios('stock')):.1f} times less CPU than stock nbgrader")


def _measure(folder: Path) -> page.Results:
    lessons = course().lessons
    measured = scale.released(folder / "scale", lessons)
    changed = whole.one_changed(measured, lessons[0])
    scale.hand_in(measured, lessons[:1], coordinator.STUDENTS)
    spent = meter.alone(coordinator.spent, str(measured))
    second_round = meter.alone(coordinator.one_changed, str(measured))
    bare, latency = meter.alone(alone.bare), meter.alone(alone.latency)
    pairs = paired.run(folder / "paired", lessons, ROUNDS)
    small = whole.small_classes(folder / "paired", lessons[::4])
    growth, lightest, everything = [], [], []
    for number in SIZES:
        scale.hand_in(measured, lessons[:1], number)
        growth.append(scale.grade(measured, 2))
        if number in COMPARED:
            lightest.append((scale.grade(measured, 1), growth[-1]))
    for number in COMPARED_IN_ALL:
        scale.hand_in(measured, lessons, number)
        everything.append((scale.grade(measured, 1), scale.grade(measured, 2)))
    scale.hand_in(measured, lessons, STUDENTS)
    return page.Results(
        bare=bare,
        latency=latency,
        paired=pairs,
        coordinator=spent,
        second_round=second_round,
        small=small,
        changed=changed,
        growth=growth,
        whole=scale.grade(measured, 2),
        lightest=scale.speedup(*lightest),
        everything=scale.speedup(*everything),
        counting=scale.given_by_the_machine(2),
    )


if __name__ == "__main__":
    main()
