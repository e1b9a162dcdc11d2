"""Grades that change after they were given: what each is due to. In test_a_term.py are the rounds in which they do."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.nbgrader_plugin import changes
from autograder.nbgrader_plugin.changes import Grade, Points, between

PARTS = {name: "a" for name in changes.CAUSES}


def grade(points: float, most: float, *, given: float = 3, by_hand: bool = False, **parts: str) -> Grade:
    return Grade({"f": Points(points, most, given, by_hand)}, "w", PARTS | parts)


@pytest.mark.parametrize(
    ("old", "new", "because"),
    [
        (grade(3, 3), grade(3, 3, lesson="b"), []),
        (grade(3, 3), grade(2, 3, lesson="b"), ["the lesson is judged otherwise"]),
        (grade(3, 3), grade(2, 3, grader="b"), ["the grader judges otherwise"]),
        (grade(3, 3), grade(2, 3), ["graded again"]),
        (grade(3, 3), grade(2, 3, by_hand=True), []),
        (grade(3, 3), grade(4, 4, lesson="b"), ["worth 4 points now, 3 before"]),
        (
            grade(2, 3, by_hand=True),
            grade(2, 3, by_hand=True, given=1, lesson="b"),
            ["the lesson is judged otherwise; set by hand, and kept; the grader gives 1 now"],
        ),
        (
            grade(3, 3),
            grade(1, 3, files="b", libraries="b"),
            ["handed in again; the libraries changed"],
        ),
    ],
)
def test_a_change_says_what_it_is_due_to(old: Grade, new: Grade, because: list[str]) -> None:
    found = between({"01": {"amy": old}}, {"01": {"amy": new, "bea": new}}, "now")
    assert [change.because for change in found] == because


def test_a_round_that_was_killed_is_told_by_the_next_one(tmp_path: Path) -> None:
    changes.begin(tmp_path, {"01": {"amy": grade(3, 3)}, "02": {"amy": grade(1, 1)}})
    before = changes.begin(tmp_path, {"01": {"amy": grade(2, 3), "bea": grade(1, 3)}})  # it came in between
    assert before == {"01": {"amy": grade(3, 3), "bea": grade(1, 3)}}
    (tmp_path / changes.BEFORE).write_text("cut sho")
    before = changes.begin(tmp_path, {"01": {"amy": grade(3, 3)}})
    assert before == {"01": {"amy": grade(3, 3)}}
    changes.end(tmp_path, between(before, {"01": {"amy": grade(2, 3)}}, "2026-11-23 12:00 UTC"))
    assert [path.name for path in tmp_path.iterdir()] == [changes.CHANGES]
    assert changes.told(tmp_path, "01", "amy", "w") == [
        "2026-11-23: f: 3 of 3 → 2 of 3, because: graded again."
    ]
    assert changes.told(tmp_path, "01", "bea", "w") == changes.told(tmp_path, "01", "amy", "other") == []
