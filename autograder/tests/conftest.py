"""What several test modules share."""

from __future__ import annotations

import functools
import linecache
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograder.authoring.release import link_solutions
from autograder.classroom.class_folder import SECRET_FILE
from autograder.exercises import public_course
from autograder.nbgrader_plugin import patches
from autograder.notebook import attempt_log
from autograder.notebook.checker import Checker
from autograder.tests.commands import run_nbgrader
from autograder.tests.this_course import COURSE, FIXED, find_lesson
from autograder.views import display, figures

patches.install()

LONG = (
    "test_validity",
    "test_student",
    "test_attacks",
    "test_a_term",
    "test_kit",
    "test_pages",
    "test_inspection",
    "test_batch",
    "test_lessons",
    "test_docs",
    "test_any_submission",
    "test_gradescope",
    "test_site",
    "test_own_course",
    "test_watch",
    "test_sandbox",
    "test_transaction",
    "test_chain",
    "test_tiny_transformer",
    "test_submission_status",
    "test_notebook_runner",
    "test_round",
    "test_init",
    "test_optional_packages",
    "test_same_points",
    "test_grades",
    "test_solutions_unlocked",
    "test_case_seed",
    "test_class_report",
    "test_special_values",
    "test_austen_data",
    "test_writer_data",
    "test_two_courses",
    "test_submission_folder",
    "test_fork_server",
    "test_defusing",
    "test_read_submission",
    "test_formatting",
    "test_who_may_mark",
    "test_help_policy",
    "test_marking",
    "test_marked_answers",
    "test_reference_stubs",
    "test_limited_process",
    "test_mistake_clusters",
    "test_doctor",
    "test_trace",
    "test_class_lock",
    "test_interrupts",
)
"""The files that take longest, by name, about the longest first. `make quick` leaves them out."""

OTHER_LESSONS = {lesson.id for lesson in COURSE.lessons[1:]}
"""`make quick` tests the first lesson alone."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the long files and the notebooks, so that in the end neither process waits for the other."""
    items.sort(key=_place)
    for item in items:
        if item.path.stem in LONG or OTHER_LESSONS.intersection(item.path.parts):
            item.add_marker(pytest.mark.slow)


def _place(item: pytest.Item) -> tuple[int, bool]:
    name = item.path.stem
    return LONG.index(name) if name in LONG else len(LONG), item.path.suffix != ".ipynb"


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl+C is heard, as it is not where a shell runs the tests in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def make_course(tmp_path_factory: pytest.TempPathFactory):
    """A function: a course folder in which a lesson was released, and the released notebook. Each is a copy."""

    @functools.cache
    def released(lesson: str) -> Path:
        course = tmp_path_factory.mktemp("released")
        link_solutions(COURSE, course)
        run_nbgrader("generate_assignment", lesson, "--force", folder=course)
        (course / SECRET_FILE).write_text(FIXED)
        return course

    def make(lesson: str) -> tuple[Path, Path]:
        course = tmp_path_factory.mktemp("course")
        shutil.copytree(released(lesson), course, symlinks=True, dirs_exist_ok=True)
        return course, course / "course" / lesson / f"{find_lesson(lesson).notebook}.ipynb"

    return make


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A student's folder, in which this process is."""
    (tmp_path / attempt_log.START_PAGE).touch()
    monkeypatch.setenv(public_course.COURSE_VARIABLE, str(COURSE.root))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(attempt_log, "_unwritten", {})
    for name in (figures.STATIC, display.TESTING):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def published() -> Iterator[list[dict[str, str]]]:
    """What a notebook displays, by MIME type: this process has a notebook's shell."""
    shell, published = InteractiveShell.instance(), list[dict[str, str]]()
    shell.display_pub.publish = lambda data, *args, **kwargs: published.append(data)
    yield published
    InteractiveShell.clear_instance()


@pytest.fixture
def card(home: Path, capsys: pytest.CaptureFixture) -> Callable[..., str]:
    """A function: the text of the check, in a student's folder, of an answer that a cell's code defines."""

    def card(code: str, exercise: str = "softmax", check: Callable | None = None, **names: Any) -> str:
        linecache.cache["<cell>"] = (len(code), None, code.splitlines(keepends=True), "<cell>")
        namespace = {"np": np, "__name__": "__main__", **names}
        exec(compile(code, "<cell>", "exec"), namespace)
        (check or Checker())(namespace[exercise])
        return capsys.readouterr().out

    return card
