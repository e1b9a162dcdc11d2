"""No submission gains a point it has not earned, reads what it must not, or stops the others."""

from __future__ import annotations

import sqlite3

import pytest

from autograder.tests import needs
from autograder.tests.attacks import LESSON, all_attacks
from autograder.tests.attacks.run import HONEST, LIMITS, run
from autograder.tests.commands import run_nbgrader

pytestmark = [pytest.mark.slow, needs.seal, pytest.mark.timeout(900)]


@pytest.fixture(scope="session")
def report(make_course):
    return run(*make_course(LESSON))


@pytest.mark.parametrize("name", [attack.name for attack in (*HONEST, *all_attacks())])
def test_every_submission_gets_what_it_earns_and_nothing_else(report, name):
    assert not report.outcomes[name].problems, report.outcomes[name].attack.does


def test_nothing_outside_was_touched(report):
    assert report.damaged == []
    assert "There was an error processing" not in report.log


def test_there_are_many(report):
    assert len(all_attacks()) >= 40


def test_the_gradebook_is_whole_and_says_the_same(report):
    with sqlite3.connect(report.course / "gradebook.db") as base:
        assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        rows = base.execute(
            "select s.student_id, sum(g.auto_score), sum(g.manual_score is not null) from grade g"
            " join submitted_notebook n on n.id = g.notebook_id"
            " join submitted_assignment s on s.id = n.assignment_id group by s.student_id"
        ).fetchall()
    for student, score, by_hand in rows:
        assert (score, by_hand) == (sum(report.outcomes[student].points.values()), 0), student


def test_handing_in_worse_answers_lowers_the_score(report, make_course):
    """Points of an earlier grading do not stay."""
    course = report.course
    folder = course / "submitted" / "zz_honest" / LESSON
    path = folder / f"{LESSON.split('_', 1)[1]}.ipynb"
    blank = course / "course" / LESSON / path.name
    path.write_bytes(blank.read_bytes())
    run_nbgrader("autograde", LESSON, "--force", "--student=zz_honest", *LIMITS, folder=course)
    with sqlite3.connect(course / "gradebook.db") as base:
        score = base.execute(
            "select sum(g.auto_score) from grade g join submitted_notebook n on n.id = g.notebook_id"
            " join submitted_assignment s on s.id = n.assignment_id where s.student_id = 'zz_honest'"
        ).fetchone()
    assert score == (0.0,)


def test_names_are_told_apart():
    names = [attack.name for attack in all_attacks()]
    assert len(set(names)) == len(names)
