"""Grading that is killed, at whatever moment, goes on when it is run again."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder import samples, source
from autograder.demo import graded
from autograder.release import nbgrader
from autograder.seal import doctor
from autograder.source import ROOT
from autograder.tests.attacks import FULL, LESSON

pytestmark = pytest.mark.slow
TRUST = [] if doctor.sealable() else ["--GradeAnswers.allow_unsealed=True"]
RIGHT, WRONG = ("ann", "cid", "eve"), ("bob", "dot")
KILLED_AFTER = random.Random(20170612).sample(range(25, 95), 3)
"""Tenths of a second; the command needs two seconds to start and some two more for each submission."""


def hand_in(course: Path, release: Path) -> None:
    for student in (*RIGHT, *WRONG):
        answers = {name: source.without_marks(source.solution_of(LESSON, name)) for name in FULL}
        if student in WRONG:
            answers["softmax"] = "def softmax(x, axis=-1):\n    return None"
        folder = course / "submitted" / student / LESSON
        folder.mkdir(parents=True)
        (folder / release.name).write_text(samples.filled(release.read_text(), answers))


def autograde_and_kill(course: Path, seconds: float) -> None:
    """Start nbgrader's command and kill it, with no chance to clean up."""
    program = shutil.which("nbgrader", path=str(Path(sys.executable).parent)) or "nbgrader"
    command = [program, "autograde", LESSON, *TRUST, f"--CourseDirectory.root={course}"]
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env={**os.environ, "PATH": paths},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


def test_grading_goes_on_where_it_was_killed(make_course):
    course, release = make_course(LESSON)
    hand_in(course, release)
    for tenths in KILLED_AFTER:
        autograde_and_kill(course, tenths / 10)
        time.sleep(0.2)
    nbgrader("autograde", LESSON, *TRUST, course=course)
    for student in (*RIGHT, *WRONG):
        verdicts = graded(LESSON, student, course)["verdicts"]
        points = {n: sum(x["points"] for x in v["lines"] if x["passed"]) for n, v in verdicts.items()}
        assert points == (FULL if student in RIGHT else {**FULL, "softmax": 0}), student
    with sqlite3.connect(course / "gradebook.db") as base:
        assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        scores = dict(
            base.execute(
                "select s.student_id, sum(g.auto_score) from grade g"
                " join submitted_notebook n on n.id = g.notebook_id"
                " join submitted_assignment s on s.id = n.assignment_id group by s.student_id"
            ).fetchall()
        )
    right = sum(FULL.values())
    assert scores == {**dict.fromkeys(RIGHT, right), **dict.fromkeys(WRONG, right - FULL["softmax"])}
