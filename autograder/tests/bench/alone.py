"""Measures of their own: a lesson's cells by themselves, and how long a student waits for `check`."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import statistics
import subprocess
import sys
import time
from dataclasses import replace
from typing import Any

import nbformat

from autograder.calls import runner
from autograder.checks import answer_keys, scoring
from autograder.courses import Lesson
from autograder.execution.notebook_cells import grade_id_of
from autograder.exercises import public_course
from autograder.exercises.verdict import State
from autograder.judging import reference
from autograder.notebook import checker, help_policy
from autograder.notebook.attempt_log import Attempts
from autograder.sandbox.inside import shell
from autograder.tests.bench import course
from autograder.views import figures, verdict_view

TIMES = 5
"""Medians are of so many times."""

IMPORT = """
import sys, time
start = time.perf_counter()
from autograder import check
print(time.perf_counter() - start, *(name for name in {heavy!r} if name in sys.modules))
"""


def bare() -> dict[str, float]:
    """Processor seconds of each lesson's reference notebook in a process forked from a warm one.

    Nothing is sealed, sent or judged; figures are drawn.
    """
    os.environ[figures.STATIC] = "1"
    for name in course().visible.libraries_of():
        importlib.import_module(name)
    return {lesson.id: statistics.median(_cost(lesson) for _ in range(TIMES)) for lesson in course().lessons}


def _cost(lesson: Lesson) -> float:
    notebook = nbformat.read(lesson.built, as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    sources = [cell.source for cell in cells if not grade_id_of(cell).startswith("test_")]
    child = os.fork()
    if not child:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            for source in sources:
                shell.get_shell().run_cell(source)
        os._exit(0)
    used = os.wait4(child, 0)[2]
    return used.ru_utime + used.ru_stime


def latency() -> dict[str, Any]:
    """Seconds to import `check`, with the heavy libraries it brings in; milliseconds to check by exercise, with the box
    that opens, and with what is added to a third wrong try.

    Every exercise is answered rightly, the notebook's imports done.
    """
    libraries = sorted({name.split(".")[0] for name in course().visible.libraries_of()} - {"numpy"})
    told = _printed(IMPORT.format(heavy=libraries), TIMES)
    for name in libraries:
        importlib.import_module(name)
    found, helped = {}, {}
    for lesson in course().lessons:
        names = dict(reference.load_namespace(lesson))
        for exercise in lesson.exercises:
            name = f"{lesson.id}/{exercise.id}"
            found[name] = _latency(lesson.id, exercise.id, names)
            helped[name] = _latency(lesson.id, exercise.id, names, tries=help_policy.TRACE_FROM)
    seconds = statistics.median(float(one[0]) for one in told)
    heavy = sorted({name for one in told for name in one[1:]})
    return {"import": seconds, "heavy": heavy, "check": found, "helped": helped}


def _latency(lesson: str, exercise: str, names: dict[str, object], tries: int = 0) -> float:
    """Milliseconds from asking to the verdict's HTML, as `check` does it, the key having been read.

    tries: with what is added to a wrong answer after so many, in place of the box.
    """

    def once() -> float:
        start = time.perf_counter()
        key = answer_keys.load_keys(public_course.current_course(), lesson).keys[exercise]
        question = runner.Question(key.exercise, key.values, key.cases, key.library)
        answers = runner.ask_all(question, dict(names))
        verdict = scoring.judge_best(key, answers)
        told = replace(verdict, state=State.WRONG) if tries else verdict
        checked = help_policy.CheckedAnswer(lesson, key, names, answers, told)
        verdict_view.as_html(verdict, checker.add_sections(Attempts(tries), checked))
        return 1000 * (time.perf_counter() - start)

    with contextlib.redirect_stderr(io.StringIO()):
        once()
        return statistics.median(once() for _ in range(TIMES))


def _printed(program: str, times: int) -> list[list[str]]:
    """The words that a program prints, each time in a new Python."""
    command = [sys.executable, "-c", program]
    return [subprocess.check_output(command, text=True).split() for _ in range(times)]
