"""A simulated class gets the grades it has got before: line by line, as `samples/grades.json` keeps them.

A change that is meant to change grades renews the file: `python -m autograder.tests.test_grades`.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from autograder.tests import in_process, simulated
from autograder.tests.this_course import COURSE, find_lesson

KEPT = Path(__file__).parent / "samples" / "grades.json"
STUDENTS, SEED = 12, 1


def grades(lesson: str) -> dict[str, dict[str, str]]:
    """By student and exercise, a sign for each line of the verdict: x where it holds."""
    drawn = simulated.simulated_class(find_lesson(lesson), STUDENTS, SEED)
    verdicts = {student: in_process.verdicts(lesson, given, named=False) for student, given in drawn.items()}
    return {
        student: {name: _signs(verdict) for name, verdict in found.items()}
        for student, found in verdicts.items()
    }


def _signs(verdict: dict) -> str:
    return "".join("x" if line["sight"] == "held" else "-" for line in verdict["lines"])


@pytest.mark.parametrize("lesson", [lesson.id for lesson in COURSE.lessons])
def test_the_same_class_gets_the_same_grades(lesson: str) -> None:
    assert grades(lesson) == json.loads(KEPT.read_text())[lesson]


if __name__ == "__main__":
    KEPT.write_text(json.dumps({lesson.id: grades(lesson.id) for lesson in COURSE.lessons}, indent=1) + "\n")
