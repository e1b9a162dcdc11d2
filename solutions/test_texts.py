"""What the lessons' texts say of themselves, and that no prediction is answered before its check."""

from __future__ import annotations

import re
import symtable
from collections.abc import Iterator

import nbformat
import pytest

from autograder.courses import Lesson
from autograder.execution.notebook_cells import grade_id_of
from autograder.judging import reference
from autograder.notebook.help_policy import load_hints
from autograder.tests import texts
from autograder.tests.this_course import find_exercise, lessons

PREDICTIONS = [
    (lesson, name)
    for lesson in lessons()
    for name in lesson.names("test")
    if find_exercise(lesson.id, name).values
]
BY_LESSON = pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.id)


@BY_LESSON
def test_every_exercise_says_how_hard_it_is_and_how_long_it_takes(lesson: Lesson) -> None:
    said = {name: texts.effort(lesson, name) for name in lesson.names("test")}
    assert [name for name, effort in said.items() if effort is None] == []
    puzzles = {one.id for one in lesson.exercises if one.puzzle}
    core, more = texts.whole(lesson)
    assert more == sum(effort.minutes for name, effort in said.items() if effort and name in puzzles)
    assert core == pytest.approx(texts.estimate(lesson), abs=6)
    assert 2 <= len(puzzles) <= 7


@BY_LESSON
def test_hints_can_be_read_in_a_terminal(lesson: Lesson) -> None:
    visible = lesson.course.visible
    told = [one.text for name in lesson.names("test") for one in load_hints(visible, lesson.id, name)]
    assert [text for text in told if re.search(r"\$.+\$|</?\w+>", text)] == []


def before_the_check(lesson: Lesson, name: str) -> str:
    """What one reads in the prediction's section up to its check: texts without what folds, prints, alt texts."""
    read: list[str] = []
    for cell in nbformat.read(lesson.built, as_version=4).cells:
        if grade_id_of(cell) == f"test_{name}":
            return "\n".join(read)
        if cell.cell_type == "markdown":
            if re.search(r"^##? ", cell.source, re.MULTILINE):
                read.clear()
            read.append(re.sub(r"<details.*?</details>", "", cell.source, flags=re.DOTALL))
        elif not grade_id_of(cell):
            for output in cell.outputs:
                alt = output.get("metadata", {}).get("image/png", {}).get("alt", "")
                read += [output.get("text", ""), alt]
    raise AssertionError(f"{name} has no check")


@pytest.mark.parametrize(("lesson", "name"), PREDICTIONS, ids=lambda one: getattr(one, "id", one))
def test_a_prediction_is_not_answered_before_its_check(lesson: Lesson, name: str) -> None:
    names = reference.load_namespace(lesson)
    right = {value: names[value] for value in find_exercise(lesson.id, name).values}
    read = before_the_check(lesson, name)
    told = {
        text
        for value in right.values()
        for text in texts.telling(value)
        if re.search(rf"(?<![\d.]){re.escape(text)}(?!\d)", read)
    }
    assert not told, f"the section of {name} says {told} before one is asked"


def read_live(lesson: Lesson) -> Iterator[tuple[int, set[str]]]:
    """Each cell with a slider, and the notebook's names that its picture reads whenever it is moved."""
    tables = [
        symtable.symtable(cell.text, "cell", "exec") if cell.kind == "code" else None for cell in lesson.cells
    ]
    known: dict[str, set[str]] = {}
    for number, table in enumerate(tables):
        for inner in table.get_children() if table else ():
            known[inner.get_name()] = read_globally(inner)
        if re.search(r"\bexplore\(", lesson.cells[number].text) and table:
            names = set().union(*map(read_globally, table.get_children()))
            while more := set().union(*(known.get(name, set()) for name in names)) - names:
                names |= more
            yield number, names


def read_globally(table: symtable.SymbolTable) -> set[str]:
    own = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_global()}
    return own.union(*map(read_globally, table.get_children()))


@BY_LESSON
def test_a_slider_s_picture_reads_no_name_that_a_later_cell_binds_anew(lesson: Lesson) -> None:
    """It would be drawn otherwise, or not at all, once the whole notebook has run."""
    for number, names in read_live(lesson):
        for later in (cell for cell in lesson.cells[number + 1 :] if cell.kind == "code"):
            table = symtable.symtable(later.text, "cell", "exec")
            bound = {
                symbol.get_name()
                for symbol in table.get_symbols()
                if symbol.is_assigned() or symbol.is_namespace()
            }
            assert not names & bound, f"cell {number}: rename {names & bound} in {later.text[:60]!r}"
