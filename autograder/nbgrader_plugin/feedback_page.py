"""What a feedback page says, as plain data: read from a graded notebook, for its student's eyes.

A verdict comes from what grading wrote down, never from an output. Nothing is HTML here.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nbformat import NotebookNode

from autograder.author.course import Course, UnknownName
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import outcome
from autograder.nbgrader_plugin.outputs import Shown, cut, shown
from autograder.sandbox.notebook_runner import grade_id_of

MAX_SOURCE = 20_000
"""Characters of a cell that are shown."""


@dataclass(frozen=True)
class Item:
    """An exercise, or a written answer.

    state: a verdict's "right", "wrong", "not started"; "waiting" for the instructor, or "graded".
    prompt: what was asked, in Markdown; empty where it stands in the cell itself.
    cell: the student's own text, code or, with `written`, Markdown; None where there is no such cell.
    cut: says what was left out of it.
    points: what the gradebook holds, of max_points; both None where nothing is to be earned.
    by_hand: whether the instructor set the points of a verdict to something else.
    comment: the instructor's, in Markdown.
    """

    name: str
    state: str
    prompt: str
    cell: str | None
    cut: str
    written: bool
    outputs: tuple[Shown, ...]
    verdict: Verdict | None
    points: float | None
    max_points: float | None
    by_hand: bool
    comment: str

    @property
    def first_failing(self) -> str:
        """In a few words, what to get right first; empty where no verdict says so."""
        if self.verdict is None:
            return ""
        failing = (line.title for line in self.verdict.lines if not line.passed)
        return next(iter(self.verdict.problem), "") or next(failing, "")


@dataclass(frozen=True)
class Page:
    """A whole page. late_penalty: points taken off already; remarks: what happened to the file, a line each."""

    title: str
    notebook: str
    student: str
    points: float
    max_points: float
    late_penalty: float
    sealed: bool
    remarks: tuple[str, ...]
    items: tuple[Item, ...]

    @property
    def next_item(self) -> Item | None:
        """The first item that is not right yet."""
        return next((item for item in self.items if item.state in (State.WRONG, State.NOT_STARTED)), None)

    @property
    def judged(self) -> int:
        """How many items have a verdict."""
        return sum(item.verdict is not None for item in self.items)

    def count(self, state: str) -> int:
        """How many items are in this state."""
        return sum(item.state == state for item in self.items)


def read_page(course: Course, notebook: NotebookNode, grades: dict[str, Any]) -> Page:
    """The page for a graded notebook of a course whose cells carry scores and comments.

    grades: nbgrader's resources: assignment, notebook, student, score, max_score, late_penalty.
    """
    graded = outcome.read(notebook)
    told = (note.told for note in graded.notes)
    return Page(
        title=_title(course, grades["assignment"]) or grades["notebook"],
        notebook=grades["notebook"],
        student=grades["student"],
        points=max(0.0, grades["score"]),
        max_points=grades["max_score"],
        late_penalty=grades["late_penalty"],
        sealed=graded.sealed,
        remarks=tuple(dict.fromkeys(filter(None, told))),
        items=tuple(_items(notebook.cells, _prompts(course, grades["assignment"]), graded.verdicts)),
    )


@functools.cache
def _title(course: Course, lesson: str) -> str:
    """The lesson's title; empty for a lesson that is not the course's."""
    try:
        return course.lesson(lesson).title
    except UnknownName:
        return ""


@functools.cache
def _prompts(course: Course, lesson: str) -> dict[str, str]:
    """What each exercise asks, as the lesson's source has it."""
    if not _title(course, lesson):
        return {}
    return {cell.name: cell.text for cell in course.lesson(lesson).cells if cell.marker == "prompt"}


def _items(
    cells: Sequence[NotebookNode], prompts: dict[str, str], verdicts: Mapping[str, Verdict]
) -> list[Item]:
    """Everything that is graded, and what the instructor wrote a comment on, in the notebook's order."""
    named = {grade_id_of(cell): cell for cell in cells if grade_id_of(cell)}
    tested = {name.removeprefix("test_") for name, cell in named.items() if _is_test(cell)}
    items = []
    for name, cell in named.items():
        exercise = name.removeprefix("test_")
        if _is_test(cell):
            own, grading = named.get(exercise), cell.metadata.nbgrader
            items.append(_item(exercise, own, grading, prompts, verdicts.get(exercise)))
        elif cell.metadata.nbgrader.get("grade") or (_comment_on(cell) and name not in tested):
            items.append(_item(name, cell, cell.metadata.nbgrader, prompts, None))
    return items


def _is_test(cell: NotebookNode) -> bool:
    grading = cell.metadata.nbgrader
    return bool(grading.get("grade")) and not grading.get("solution")


def _comment_on(cell: NotebookNode | None) -> str:
    return "" if cell is None else cell.metadata.nbgrader.get("comment") or ""


def _item(
    name: str,
    cell: NotebookNode | None,
    grading: dict[str, Any],
    prompts: dict[str, str],
    verdict: Verdict | None,
) -> Item:
    written = cell is not None and cell.cell_type != "code"
    text, left_out = (None, "") if cell is None else cut(cell.source, MAX_SOURCE)
    points = grading.get("score")
    return Item(
        name=name,
        state=_state(verdict, grading),
        prompt=prompts.get(name, ""),
        cell=text,
        cut=left_out,
        written=written,
        outputs=() if cell is None or written else shown(cell.get("outputs", [])),
        verdict=verdict,
        points=points,
        max_points=None if points is None else grading.get("points"),
        by_hand=verdict is not None and points is not None and points != verdict.points,
        comment=_comment_on(cell),
    )


def _state(verdict: Verdict | None, grading: dict[str, Any]) -> str:
    if verdict is not None:
        return verdict.state
    if grading.get("untouched"):
        return State.NOT_STARTED
    return "waiting" if grading.get("waiting") else "graded"
