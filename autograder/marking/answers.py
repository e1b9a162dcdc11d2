"""Written answers as they lie in graded notebooks, and their marks in nbgrader's gradebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from nbgrader.api import Gradebook, MissingEntry

from autograder.courses import Lesson
from autograder.courses.source import BEGIN, END
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.intake import Unreadable, read_notebook
from autograder.publish.class_report import records
from autograder.sandbox.cells import grade_id_of


class Place(NamedTuple):
    """Which answer: as the gradebook finds it."""

    name: str
    notebook: str
    lesson: str
    student: str


@dataclass(frozen=True)
class Answer:
    """What a student wrote, None where it cannot be read, and what it was given: points None while it waits."""

    student: str
    text: str | None
    points: float | None
    comment: str


@dataclass(frozen=True)
class WrittenQuestion:
    """What was asked, in Markdown; the model answer with its rubric; the answers, and how many left it untouched."""

    lesson: Lesson
    name: str
    points: float
    prompt: str
    model: str
    answers: Sequence[Answer]
    untouched: int


def read(folder: Path, lesson: Lesson) -> list[WrittenQuestion]:
    """A graded lesson's questions that are answered in writing."""
    graded = {path.parent.name: path for path in records.graded_folders(folder, lesson)}
    asked = [cell for cell in lesson.cells if cell.marker == "written"]
    url = records.gradebook_of(lesson.course, folder)
    if not (graded and asked and records.is_there(url)):
        return []
    texts = {student: _texts(path / f"{lesson.notebook}.ipynb") for student, path in graded.items()}
    found = []
    with Gradebook(url) as gradebook:
        for cell in asked:
            prompt, _, model = cell.text.split(END)[0].partition(BEGIN)
            places = [Place(cell.name, lesson.notebook, lesson.id, student) for student in sorted(texts)]
            each = [_answer(gradebook, place, texts[place.student]) for place in places]
            answers = [answer for answer in each if answer is not None]
            about = (lesson, cell.name, cell.points, prompt.strip(), model.strip())
            found.append(WrittenQuestion(*about, answers, untouched=len(each) - len(answers)))
    return found


def _texts(path: Path) -> dict[str, str]:
    """The cells of a graded notebook by grade id; none where it cannot be read."""
    try:
        return {grade_id_of(cell): cell.source for cell in read_notebook(path).cells}
    except (OSError, Unreadable):
        return {}


def _answer(gradebook: Gradebook, place: Place, texts: Mapping[str, str]) -> Answer | None:
    """None where the student left it as it was, which nbgrader marks by itself. texts: theirs, by grade id."""
    try:
        grade, comment = gradebook.find_grade(*place), gradebook.find_comment(*place)
    except MissingEntry:
        return None
    if grade.manual_score is None and not grade.needs_manual_grade:
        return None
    return Answer(place.student, texts.get(place.name), grade.manual_score, comment.manual_comment or "")


def mark(url: str, place: Place, points: float | None, comment: str) -> None:
    """Give an answer points and a comment, in the gradebook of this database URL; without points it waits again.

    Raises `CourseError` where there is no such answer, or the points are none that it can have.
    """
    with Gradebook(url) as gradebook:
        try:
            grade, said = gradebook.find_grade(*place), gradebook.find_comment(*place)
        except MissingEntry:
            raise CourseError(f"{place.student} has no answer {place.name} in the gradebook") from None
        if points is not None and not 0 <= points <= grade.max_score:
            raise CourseError(f"points go from 0 to {grade.max_score:g}")
        grade.manual_score, grade.needs_manual_grade = points, points is None
        said.manual_comment = comment or None
        gradebook.db.commit()
