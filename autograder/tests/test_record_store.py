"""Who hands in again reads on the feedback page what earlier work earned; regrading the same is no new attempt."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory

from autograder.classroom import hand_in_times
from autograder.execution.notes import Note, NoteKind
from autograder.records import record_store
from autograder.records.record_store import load_record
from autograder.tests.commands import run_nbgrader
from autograder.tests.grading import NBGRADERS_TRUST, grade, hand_in, right
from autograder.tests.this_course import find_lesson

pytestmark = pytest.mark.slow
LESSON = find_lesson("01_weighted_sums")
SOFTMAX = right(LESSON, ["softmax"])
BOTH = right(LESSON, ["softmax", "weighted_sum"])
WRITTEN = (cell.points for cell in LESSON.cells if cell.marker == "written")
MOST = sum(one.points for one in LESSON.graded) + sum(WRITTEN)


class Class:
    """A course folder in which one student hands in."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def hand_in(self, answers: dict[str, str], when: str = "") -> None:
        """Put work into `submitted/` in place of what lies there."""
        shutil.rmtree(self.folder / "submitted", ignore_errors=True)
        hand_in(self.folder, "amy", LESSON, answers)
        if when:
            hand_in_times.add_time(self.folder, "amy", LESSON.id, when)

    def page(self) -> str:
        run_nbgrader("generate_feedback", LESSON.id, folder=self.folder)
        return (self.folder / "feedback" / "amy" / LESSON.id / f"{LESSON.notebook}.html").read_text()

    def told(self) -> list[str]:
        """What the feedback page says of earlier attempts."""
        found = BeautifulSoup(self.page(), "html.parser").select(".earlier li")
        return [" ".join(line.text.split()) for line in found]

    @property
    def directory(self) -> CourseDirectory:
        return CourseDirectory(root=str(self.folder))

    def in_gradebook(self) -> float:
        """Amy's points, with those of an instructor's own."""
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as gradebook:
            return gradebook.find_submission(LESSON.id, "amy").score

    @property
    def points(self) -> int:
        return sum(one.points for one in load_record(LESSON, "amy", self.folder).verdicts.values())


@pytest.fixture(scope="module")
def handed_in(make_course) -> Class:
    found = Class(make_course(LESSON.id)[0])
    found.hand_in(SOFTMAX, "2026-03-01 09:00:00 UTC")
    grade(found.folder)
    return found


@pytest.fixture
def amy(handed_in, tmp_path) -> Class:
    """A class of its own, in which Amy's first work is graded."""
    shutil.copytree(handed_in.folder, tmp_path / "class", symlinks=True)
    return Class(tmp_path / "class")


def test_the_page_says_when_earlier_work_came_and_what_it_earned(amy):
    amy.hand_in(SOFTMAX, "2026-03-01 09:00:00 UTC")
    grade(amy.folder, "--force")
    assert amy.told() == [], "the same work handed in again is no other attempt"
    first = amy.points
    with Gradebook(f"sqlite:///{amy.folder / 'gradebook.db'}") as gradebook:
        gradebook.find_grade("test_pad_rows", LESSON.notebook, LESSON.id, "amy").manual_score = 0.5
        gradebook.db.commit()
    amy.hand_in(BOTH, "2026-03-02 09:30:00 UTC")
    assert amy.told() == [], "while new work waits to be graded, the page does not count the old twice"
    grade(amy.folder)
    line = f"Sun 2026-03-01 09:00 UTC: {first + 0.5} of {MOST} points"
    assert amy.told() == [line]
    grade(amy.folder, "--force")
    assert amy.told() == [line]
    second = amy.points
    assert amy.in_gradebook() == second + 0.5 > first + 0.5
    amy.hand_in(SOFTMAX, "2026-03-03 09:00:00 UTC")
    run_nbgrader("autograde", LESSON.id, "--force", *NBGRADERS_TRUST, folder=amy.folder)
    assert amy.in_gradebook() == amy.points + 0.5 == first + 0.5
    assert amy.told() == [line, f"Mon 2026-03-02 09:30 UTC: {second + 0.5} of {MOST} points"]


LEAKS = f"""
import hashlib
from pathlib import Path
{SOFTMAX["softmax"].replace("def softmax", "def solve")}
path, asked = Path("data/timestamp.txt"), {{}}
known = eval(path.read_text()) if path.exists() else None
def softmax(x, axis=-1):
    case = hashlib.md5(repr((np.asarray(x).tolist(), axis)).encode()).hexdigest()[:6]
    if known is None:
        asked[case] = solve(x, axis).tolist()
    return np.array(asked[case] if known is None else known[case])
"""


def test_an_attempt_that_prints_its_hidden_cases_is_no_table_of_answers_for_the_next(amy):
    answers = {"softmax": LEAKS, "find_ming": f"{right(LESSON)['find_ming']}\nprint('TABLE', asked, 'END')"}
    amy.hand_in(answers)
    grade(amy.folder)
    first = load_record(LESSON, "amy", amy.folder).verdicts["softmax"]
    outputs = nbformat.read(amy.folder / "autograded" / "amy" / LESSON.id / LESSON.released.name, 4)
    printed = [output.get("text", "") for cell in outputs.cells for output in cell.get("outputs", ())]
    (table,) = re.findall("TABLE (.*) END", "".join(printed))
    amy.hand_in(answers)
    (amy.folder / "submitted" / "amy" / LESSON.id / "data").mkdir()
    (amy.folder / "submitted" / "amy" / LESSON.id / "data" / "timestamp.txt").write_text(table)
    grade(amy.folder)
    second = load_record(LESSON, "amy", amy.folder).verdicts["softmax"]
    assert (first.points, second.points) == (9, 0)


def test_only_of_other_work_the_page_says_that_it_could_not_be_graded(amy):
    course, failed = amy.directory, [Note(NoteKind.FAILED, detail="a full disk")]
    said = "What you handed in after this could not be graded"
    record_store.refuse(course, LESSON.id, "amy", failed)
    assert said not in amy.page()
    amy.hand_in(BOTH)
    record_store.refuse(course, LESSON.id, "amy", failed)
    assert said in amy.page()
