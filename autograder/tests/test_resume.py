"""Grading that is killed, at whatever moment, goes on when it is run again."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from autograder.courses import Lesson, open_course, source
from autograder.demo import samples
from autograder.nbgrader_plugin.kept import graded
from autograder.sandbox import doctor, warm
from autograder.sandbox.notebook_runner import USUAL_SEED
from autograder.tests import small_course
from autograder.tests.attacks import in_gradebook
from autograder.tests.commands import run_nbgrader
from autograder.tests.small_course import CELSIUS, LESSON

pytestmark = pytest.mark.slow
TRUST = [] if doctor.sealable() else ["--GradeAnswers.allow_unsealed=True"]
RIGHT, WRONG = ("ann", "cid", "eve"), ("bob", "dot")
DELAYS = random.Random(20170612).sample(range(40), 4)
"""For each kill: how many hundredths of a second after something was written for one more student."""


def hand_in(lesson: Lesson, folder: Path) -> None:
    for student in (*RIGHT, *WRONG):
        answers = {one.id: source.without_marks(lesson.solution(one.id)) for one in lesson.graded}
        if student in WRONG:
            answers[CELSIUS] = f"def {CELSIUS}(fahrenheit):\n    return None"
        text = samples.filled(lesson.released.read_text(), answers)
        samples.put_file(folder / "submitted", student, LESSON, lesson.released.name, text.encode())


Start = Callable[[Path], BaseProcess]


@pytest.fixture
def lesson(tmp_path: Path) -> Lesson:
    return small_course.make(tmp_path / "course").lesson(LESSON)


@pytest.fixture
def start(lesson: Lesson) -> Start:
    """A function that begins to grade in another process: all is imported there, and this one's warm process used."""
    course = lesson.course.visible
    places = warm.start(course, (USUAL_SEED,))
    if places:
        warm.connection(course, USUAL_SEED)  # it is ready from now on
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, "autograder.tests.readied"])

    def start(folder: Path) -> BaseProcess:
        process = context.Process(target=begin, args=(folder, *places.values()))
        process.start()
        return process

    return start


def begin(folder: Path, *places: warm.WarmPlace) -> None:
    warm.use({(open_course(folder).visible, USUAL_SEED): place for place in places})
    grade(folder)


def grade(folder: Path) -> None:
    run_nbgrader("autograde", LESSON, *TRUST, folder=folder, course=open_course(folder))


def grade_and_kill(folder: Path, start: Start, students: int, delay: float) -> None:
    """Grade until this many students have something written for them, and a little longer; then kill."""
    process = start(folder)
    while process.is_alive() and written(folder) < students:
        time.sleep(0.01)
    process.join(delay)
    process.kill()  # with no chance to clean up
    process.join()
    assert written(folder) >= students


def written(folder: Path) -> int:
    return len(list(folder.glob("autograded/*")))


def test_grading_goes_on_where_it_was_killed(lesson, start, tmp_path):
    folder = small_course.make_class(lesson.course, tmp_path / "class")
    hand_in(lesson, folder)
    for students, hundredths in enumerate(DELAYS, start=1):
        grade_and_kill(folder, start, students, hundredths / 100)
    grade(folder)
    full = {one.id: one.points for one in lesson.graded}
    for student in (*RIGHT, *WRONG):
        verdicts = graded(lesson, student, folder).verdicts
        points = {name: verdict.points for name, verdict in verdicts.items()}
        assert points == (full if student in RIGHT else {**full, CELSIUS: 0}), student
    right = sum(full.values())
    assert in_gradebook(folder) == {
        **dict.fromkeys(RIGHT, right),
        **dict.fromkeys(WRONG, right - full[CELSIUS]),
    }
