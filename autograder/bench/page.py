"""Writes what was measured to docs/benchmark.md, with a picture."""

from __future__ import annotations

import platform
import statistics
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import matplotlib
from matplotlib.figure import Figure

from autograder.bench import course, scale
from autograder.bench.paired import Paired
from autograder.bench.scale import Run, Speedup
from autograder.bench.shares import ROOM, TALK

PAGE = course().root / "docs" / "benchmark.md"
PICTURE = course().root / "docs" / "pictures" / "benchmark.png"
LIBRARIES = ("nbgrader", "numpy", "torch", "matplotlib", "ipython", "nbclient", "distributed")


@dataclass(frozen=True)
class Results:
    """All that was measured.

    command: what measured it; bare: processor seconds of each lesson's cells alone; latency, shares: see there;
    growth: runs over the number of submissions; whole: the class in all lessons; lightest, everything: one worker
    against two in lesson 01 and in all lessons; counting: the same efficiency of processes that only count.
    """

    command: str
    bare: Mapping[str, float]
    latency: Mapping[str, Any]
    paired: Paired
    shares: Mapping[str, Mapping[str, float]]
    growth: tuple[Run, ...]
    whole: Run
    lightest: Speedup
    everything: Speedup
    counting: float


def write(results: Results) -> None:
    """Write the page and its picture."""
    _picture(results).savefig(PICTURE, dpi=110, metadata={"Software": None})
    PAGE.write_text(
        "\n\n".join(part(results) for part in (_head, _pairs, _shares, _growth, _speedup, _checks)) + "\n",
        encoding="utf-8",
    )


def _head(results: Results) -> str:
    versions = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    ratios = results.paired.ratios()
    return f"""# What grading costs

    {results.command}

wrote this page. Processor seconds count everything that a command starts, on one machine in one run:
{platform.system()}, Python {platform.python_version()}, {versions}; `OMP_NUM_THREADS=1`.

**{statistics.median(ratios):.1f} times less CPU than stock nbgrader** for one more submission, over all lessons:
the median of {len(ratios)} rounds, {min(ratios):.1f} to {max(ratios):.1f}.
A class of {results.whole.submissions} submissions in {len(results.bare)} lessons took {results.whole.jobs} workers
{results.whole.all_seconds / 60:.1f} minutes ({results.whole.cpu / results.whole.submissions:.2f} CPU-s each)."""


def _pairs(results: Results) -> str:
    paired = results.paired
    rows = []
    for lesson in paired.lessons():
        stock, ours = paired.median(lesson, "stock"), paired.median(lesson, "ours")
        bare = results.bare[lesson]
        first = [paired.median(lesson, what) for what in ("stock_first", "ours_first")]
        rows.append(
            [
                f"`{lesson}`",
                f"{stock:.2f}",
                f"{ours:.2f}",
                f"{stock / ours:.1f}",
                f"{bare:.2f}",
                f"{ours / bare:.2f}",
            ]
            + [f"{seconds:.1f}" for seconds in first]
        )
    head = [
        "lesson",
        "stock",
        "ours",
        "times less",
        "bare cells",
        "ours / bare",
        "stock, first",
        "ours, first",
    ]
    return f"""## Against stock nbgrader

Each round hands the same simulated submissions to `nbgrader autograde` twice, in turns: once with nbgrader's own
settings and tests that run in the student's kernel, once with this course's, sealed and warm. A number is
the processor seconds of one more submission, the median over the rounds. *First* is what the first submission of a
run costs with everything that is started for it: the cold start. *Bare cells* are all of the lesson's cells, pictures
drawn, in a process forked from a warm one, with nothing around it; `grade` does not draw the course's own pictures.

{_table(head, rows)}

Both sides gave the same points on {paired.compared - len(paired.disagreements)} of {paired.compared} exercises.
{_list(paired.disagreements)}"""


def _shares(results: Results) -> str:
    parts = list(next(iter(results.shares.values())))
    rows = [
        [f"`{lesson}`", *(f"{took[part]:.2f}" for part in parts), f"{sum(took.values()):.2f}"]
        for lesson, took in results.shares.items()
    ]
    return f"""## What is left

Processor seconds of one more submission by where they go, means over a simulated class. *In the room* are the
student's cells, their answers to all visible and hidden cases (each asked twice, and where an exercise builds on others
once or twice again), and the room itself; *nbgrader* is its converter, gradebook and files.

{_table(["lesson", *parts, "in all"], rows)}"""


def _growth(results: Results) -> str:
    fitted = scale.line(results.growth)
    rows = [_run(run) for run in (*results.growth, results.whole)]
    return f"""## Many submissions

![Processor time against the number of submissions](pictures/benchmark.png)

`attention-course grade` on simulated classes in lesson 01, and on the class in all lessons. *Seconds* count from the
first submission, *in all* with the start of Python, the libraries and the warm process.

{_table(["submissions", "workers", "CPU-s", "CPU-s each", "seconds", "in all", "peak MiB"], rows)}

A straight line fits the first {len(results.growth)}: {fitted.slope:.3f} CPU-s a submission and
{fitted.intercept:.0f} once, R² = {fitted.r_squared:.5f}."""


def _speedup(results: Results) -> str:
    named = {"lesson 01": results.lightest, "all lessons": results.everything}
    rows = [
        [name, f"{one.alone:.3f}", f"{one.together:.3f}", f"{one.efficiency:.2f}"]
        for name, one in named.items()
    ]
    jobs, lesson = results.everything.jobs, next(iter(results.shares))
    took = results.shares[lesson]
    whole = sum(took.values())
    serial = whole - took[ROOM] - took[TALK]
    return f"""## One worker and {jobs}

Seconds of one more submission, from the difference between a small and a larger class: the start does not count.

{_table(["class in", "one worker", f"{jobs} workers", "efficiency"], rows)}

Reading, judging and nbgrader's gradebook stay in one process, however many workers run notebooks. In lesson 01, the
lightest, that is {serial:.2f} of {whole:.2f} CPU-s a submission: this process is hardly ever idle. In the others the
workers have more to do. {jobs} processes that only count, and share nothing, reach {results.counting:.2f} on this
machine."""


def _checks(results: Results) -> str:
    slowest = sorted(results.latency["check"].items(), key=lambda item: -item[1])
    rows = [[f"`{name}`", f"{milliseconds:.0f}"] for name, milliseconds in slowest[:5]]
    heavy = ", ".join(results.latency["heavy"]) or "none"
    return f"""## What a student waits for

`from autograder import check` takes {1000 * results.latency["import"]:.0f} ms; heavy libraries it brings in: {heavy}.
The slowest of {len(slowest)} exercises to check, in milliseconds, with a right answer:

{_table(["exercise", "ms"], rows)}"""


def _run(run: Run) -> list[str]:
    each = run.cpu / run.submissions
    return [
        *(str(run.submissions), str(run.jobs), f"{run.cpu:.0f}", f"{each:.2f}"),
        *(f"{run.seconds:.0f}", f"{run.all_seconds:.0f}", f"{run.peak_mb:.0f}"),
    ]


def _table(head: list[str], rows: Iterable[list[str]]) -> str:
    rule = ["---", *["--:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def _list(lines: Iterable[str]) -> str:
    return "\n".join(f"- {line}" for line in lines)


def _picture(results: Results) -> Figure:
    fitted = scale.line(results.growth)
    with matplotlib.rc_context({"font.size": 11, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(8, 4), layout="constrained")
        axes = figure.subplots()
    numbers = [run.submissions for run in results.growth]
    axes.loglog(numbers, [run.cpu for run in results.growth], "o", color="#1f4e79", label="measured")
    span = [min(numbers), max(numbers)]
    label = f"{fitted.slope:.2f} s each, and {fitted.intercept:.0f} s once"
    axes.loglog(span, [fitted.intercept + fitted.slope * n for n in span], color="#1f4e79", label=label)
    stock = results.paired.median(results.paired.lessons()[0], "stock")
    axes.loglog(span, [stock * n for n in span], "--", color="#8a5a00", label=f"stock: {stock:.1f} s each")
    axes.set(xlabel="submissions", ylabel="processor seconds", title="Grading lesson 01")
    axes.legend(frameon=False)
    return figure
