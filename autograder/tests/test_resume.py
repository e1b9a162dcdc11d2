"""Grading that is killed, at whatever moment, goes on when it is run again."""

from __future__ import annotations

import multiprocessing
import random
import time
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

import pytest

from autograder.courses import source
from autograder.demo import samples
from autograder.nbgrader_plugin.kept import graded
from autograder.sandbox import doctor, warm
from autograder.sandbox.notebook_runner import USUAL_SEED
from autograder.tests.attacks import FULL, LESSON, in_gradebook
from autograder.tests.commands import run_nbgrader
from autograder.tests.this_course import COURSE, find_lesson

pytestmark = pytest.mark.slow
TRUST = [] if doctor.sealable() else ["--GradeAnswers.allow_unsealed=True"]
RIGHT, WRONG = ("ann", "cid", "eve"), ("bob", "dot")
DELAYS = random.Random(20170612).sample(range(40), 4)
"""For each kill: how many hundredths of a second after something was written for one more student."""


def hand_in(course: Path, release: Path) -> None:
    for student in (*RIGHT, *WRONG):
        answers = {name: source.without_marks(find_lesson(LESSON).solution(name)) for name in FULL}
        if student in WRONG:
            answers["softmax"] = "def softmax(x, axis=-1):\n    return None"
        folder = course / "submitted" / student / LESSON
        folder.mkdir(parents=True)
        (folder / release.name).write_text(samples.filled(release.read_text(), answers))


Start = Callable[[Path], BaseProcess]


@pytest.fixture
def start() -> Start:
    """A function that begins to grade in another process: all is imported there, and this one's warm process used."""
    course = COURSE.visible
    places = warm.start(course, (USUAL_SEED,))
    if places:
        warm.connection(course, USUAL_SEED)  # it is ready from now on
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__])

    def start(folder: Path) -> BaseProcess:
        process = context.Process(target=begin, args=(folder, places))
        process.start()
        return process

    return start


def begin(folder: Path, places: dict[warm._Key, warm.WarmPlace]) -> None:
    warm.use(places)
    run_nbgrader("autograde", LESSON, *TRUST, folder=folder)


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


def test_grading_goes_on_where_it_was_killed(make_course, start):
    course, release = make_course(LESSON)
    hand_in(course, release)
    for students, hundredths in enumerate(DELAYS, start=1):
        grade_and_kill(course, start, students, hundredths / 100)
    run_nbgrader("autograde", LESSON, *TRUST, folder=course)
    for student in (*RIGHT, *WRONG):
        verdicts = graded(find_lesson(LESSON), student, course).verdicts
        points = {name: verdict.points for name, verdict in verdicts.items()}
        assert points == (FULL if student in RIGHT else {**FULL, "softmax": 0}), student
    right = sum(FULL.values())
    earned = {**dict.fromkeys(RIGHT, right), **dict.fromkeys(WRONG, right - FULL["softmax"])}
    assert in_gradebook(course) == earned
