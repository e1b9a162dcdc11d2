"""Writes what was measured to docs/benchmark.md.

`python -m autograder.tests.bench.page` writes them again from what was measured last.
"""

from __future__ import annotations

import platform
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from autograder.tests.bench import course, scale, whole
from autograder.tests.bench.meter import Reading
from autograder.tests.bench.paired import Paired
from autograder.tests.bench.scale import Run, Speedup

PAGE = course().root / "docs" / "benchmark.md"
MEASURED = course().root / "build" / "benchmark.json"
LIBRARIES = ("nbgrader", "otter-grader", "numpy", "torch", "matplotlib", "ipython", "nbclient", "distributed")


@dataclass(frozen=True)
class Results:
    """All that was measured.

    bare: processor seconds of each lesson's cells alone; latency: see `alone`;
    coordinator: what the process that hands submissions out spent on each; second_round: seconds, see `coordinator`;
    small, changed: see `whole`;
    growth: runs over the number of submissions; whole: the class in all lessons; lightest, everything: one worker
    against two in lesson 01 and in all lessons; counting: the same efficiency of processes that only count.
    """

    bare: Mapping[str, float]
    latency: Mapping[str, Any]
    paired: Paired
    coordinator: Sequence[float]
    second_round: float
    small: Mapping[str, tuple[Reading, Reading]]
    changed: Mapping[str, Reading]
    growth: Sequence[Run]
    whole: Run
    lightest: Speedup
    everything: Speedup
    counting: float


def keep(results: Results) -> None:
    """Keep what was measured."""
    MEASURED.parent.mkdir(exist_ok=True)
    MEASURED.write_bytes(msgspec.json.encode(results))


def write() -> None:
    """Write the page."""
    results = msgspec.json.decode(MEASURED.read_bytes(), type=Results)
    loader = PackageLoader("autograder.tests.bench")
    environment = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True)
    environment.filters["median"] = statistics.median
    page = environment.get_template("benchmark.md.j2").render(
        **vars(results),
        handed_in=whole.STUDENTS,
        graded=whole.GRADED,
        system=f"{platform.system()}, Python {platform.python_version()}",
        versions=", ".join(f"{name} {version(name)}" for name in LIBRARIES),
        fitted=scale.line(results.growth),
    )
    PAGE.write_text(f"{page}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
