"""Where the processor time of a start goes: what the processes import that grade a lesson's first submission."""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterable

from autograder.batch.grade import hash_seeds_of
from autograder.bench import course
from autograder.courses import Lesson
from autograder.nbgrader_plugin import limited
from autograder.sandbox.inside import worker

COMMAND, REFERENCE, WARM, READER = "the command", "the reference", "warm processes", "the reader"
TIMES = 3
REFERENCE_ALONE = """
from autograder.batch import grade
from autograder.bench import course
from autograder.judge import reference
lesson, before = course().lesson({lesson!r}), time.process_time()
reference.namespace(lesson)
"""


def measure() -> dict[str, dict[str, float]]:
    """By lesson and part, processor seconds: medians of three, each time in a new Python."""
    command = _cost(_imports(["autograder.batch.grade"]))
    reader = _cost(_imports(limited.MODULES))
    return {
        lesson.id: {
            COMMAND: command,
            REFERENCE: _cost(REFERENCE_ALONE.format(lesson=lesson.id)),
            WARM: len(hash_seeds_of([lesson])) * _cost(_imports(_warm(lesson))),
            READER: reader,
        }
        for lesson in course().lessons
    }


def _warm(lesson: Lesson) -> list[str]:
    return [*course().visible.libraries_of([lesson.id]), *worker.OWN]


def _imports(modules: Iterable[str]) -> str:
    return "\n".join(f"import {name}" for name in modules)


def _cost(code: str) -> float:
    """Processor seconds of a program in all, or since it last set `before`."""
    program = f"import time\nbefore = 0.0\n{code}\nprint(time.process_time() - before)"
    told = (subprocess.check_output([sys.executable, "-c", program], text=True) for _ in range(TIMES))
    return statistics.median(float(one.splitlines()[-1]) for one in told)
