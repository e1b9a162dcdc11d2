"""No submission gains a point it has not earned, reads what it must not, or stops the others."""

from __future__ import annotations

import pytest

from autograder.tests import needs
from autograder.tests.attacks import LESSON, all_attacks, in_gradebook
from autograder.tests.attacks.run import HONEST, run

LEFT_TO_MAKE_ATTACK = (
    *("busy_", "damage_page_tables", "damage_sockets", "damage_swarm", "damage_together", "damage_memory"),
    *("damage_loop_in_answer", "damage_flood", "gain_forged_", "gain_slow", "gain_table", "mishap_"),
)
"""How the names of attacks begin whose kind the tests of sandbox, wire and values try as well, or that take long."""
SELECTED = [attack for attack in all_attacks() if not attack.name.startswith(LEFT_TO_MAKE_ATTACK)]

pytestmark = [needs.seal, pytest.mark.timeout(900)]


@pytest.fixture(scope="session")
def report(make_course):
    return run(*make_course(LESSON), SELECTED)


@pytest.mark.parametrize("name", [attack.name for attack in (*HONEST, *SELECTED)])
def test_every_submission_gets_what_it_earns_and_nothing_else(report, name):
    assert not report.outcomes[name].problems, report.outcomes[name].attack.does


def test_nothing_outside_was_touched(report):
    assert report.damaged == []
    assert "There was an error processing" not in report.log


def test_the_gradebook_is_whole_and_says_the_same(report):
    for student, score in in_gradebook(report.course).items():
        assert score == sum(report.outcomes[student].points.values()), student


def test_there_are_many_and_their_names_are_told_apart():
    names = [attack.name for attack in all_attacks()]
    assert len(set(names)) == len(names) >= 40
