"""What the cells themselves cost: each lesson's reference notebook, run in a process forked from a warm one.

`python -m autograder.bench.bare` prints one JSON object: processor seconds by lesson, medians of five. Nothing is
sealed, sent or judged; figures are drawn.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import statistics
import sys

import nbformat
from IPython.core.interactiveshell import InteractiveShell

from autograder.author import build
from autograder.author.course import Lesson
from autograder.bench import course
from autograder.sandbox.notebook_runner import grade_id_of
from autograder.student import figures

TIMES = 5


class _Shell(InteractiveShell):
    def enable_gui(self, gui: str | None = None) -> None:
        """No windows here."""


def main() -> None:
    """Import what the warm process imports, then run every lesson's cells in forked processes."""
    os.environ[figures.STATIC] = "1"
    for name in course().visible.libraries:
        importlib.import_module(name)
    costs = {lesson.id: statistics.median(_cost(lesson) for _ in range(TIMES)) for lesson in course().lessons}
    json.dump(costs, sys.stdout)


def _cost(lesson: Lesson) -> float:
    notebook = nbformat.read(build.notebook_path(lesson), as_version=4)
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    sources = [cell.source for cell in cells if not grade_id_of(cell).startswith("test_")]
    child = os.fork()
    if not child:
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            shell = _Shell.instance()
            shell.run_line_magic("matplotlib", "inline")
            for source in sources:
                shell.run_cell(source)
        os._exit(0)
    used = os.wait4(child, 0)[2]
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
