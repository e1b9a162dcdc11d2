"""The instructor's cells come back into a submission, whatever was done to them."""

from __future__ import annotations

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.api import Gradebook

from autograder.nbgrader_plugin.restoring import master_cells, restore
from autograder.runner import grade_id_of


def master_cell(name, source, **settings):
    cell = new_code_cell(source, id=name)
    plain = {
        "grade_id": name,
        "grade": False,
        "solution": False,
        "locked": True,
        "schema_version": 3,
        "task": False,
    }
    cell.metadata["nbgrader"] = {**plain, **settings}
    return cell


def make_master():
    cells = [
        master_cell("setup_imports", "import numpy as np"),
        master_cell("f", "def f(): ...", solution=True, locked=False),
        master_cell("test_f", "check(f)", grade=True, points=3),
        master_cell("g", "def g(): ...", solution=True, locked=False),
        master_cell("test_g", "check(g)", grade=True, points=2),
    ]
    return {grade_id_of(cell): cell for cell in cells}


@pytest.fixture
def master():
    return make_master()


def handed_in():
    return [NotebookNode(cell, metadata=NotebookNode(cell.metadata)) for cell in make_master().values()]


def names(cells):
    return [grade_id_of(cell) for cell in cells]


def test_an_untouched_submission_raises_no_note(master):
    cells, notes = restore(handed_in(), master)
    assert names(cells) == list(master)
    assert notes == []


def test_the_students_answer_stays(master):
    cells = handed_in()
    cells[1].source = "def f(): return 1"
    assert restore(cells, master)[0][1].source == "def f(): return 1"


def test_an_edited_test_returns_to_the_original(master):
    cells = handed_in()
    cells[2].source = "assert True"
    restored, notes = restore(cells, master)
    assert restored[2].source == "check(f)"
    assert notes == ["locked cell test_f was edited; the original counts"]


def test_points_and_tags_come_from_the_instructor(master):
    cells = handed_in()
    cells[2].metadata.nbgrader["points"] = 100
    cells[2].metadata["tags"] = ["skip-execution"]
    restored = restore(cells, master)[0][2]
    assert restored.metadata.nbgrader.points == 3
    assert "tags" not in restored.metadata


@pytest.mark.parametrize("missing", range(5))
def test_a_missing_cell_comes_back_in_its_place(master, missing):
    cells = handed_in()
    name = grade_id_of(cells.pop(missing))
    restored, notes = restore(cells, master)
    assert names(restored) == list(master)
    assert notes == [f"cell {name} is missing; it was put back"]


def test_of_two_cells_with_one_id_the_last_counts_and_both_run(master):
    cells = handed_in()
    copy = NotebookNode(cells[1], source="def f(): return 2")
    restored, notes = restore([*cells[:2], copy, *cells[2:]], master)
    assert names(restored) == ["setup_imports", "", "f", "test_f", "g", "test_g"]
    assert restored[2].source == "def f(): return 2"
    assert notes == ["cell f is there twice; the last one counts"]


def test_an_empty_notebook_becomes_the_release(master):
    assert names(restore([], master)[0]) == list(master)


def test_a_cell_turned_into_markdown_is_code_again(master):
    cells = handed_in()
    cells[1] = new_markdown_cell("def f(): return 1", metadata=cells[1].metadata)
    restored = restore(cells, master)[0][1]
    assert (restored.cell_type, restored.source) == ("code", "def f(): return 1")


def test_forged_ids_are_taken_off_other_cells(master):
    forged = new_code_cell("x = 1", metadata={"nbgrader": {"grade_id": "test_h", "grade": True, "points": 9}})
    restored = restore([forged, *handed_in()], master)[0]
    assert restored[0].source == "x = 1"
    assert "nbgrader" not in restored[0].metadata


# --- one clear line for each thing that was done ------------------------------------------------------------


def notes_of(change):
    cells = handed_in()
    change(cells)
    return restore(cells, make_master())[1]


def set_on(*positions, **settings):
    def change(cells):
        for position in positions:
            cells[position].metadata.nbgrader.update(settings)

    return change


def tag(*positions, tags):
    def change(cells):
        for position in positions:
            cells[position].metadata["tags"] = tags

    return change


def swap_sources(cells):
    for cell in cells:
        cell.source += "\n100.0"


@pytest.mark.parametrize(
    ("change", "notes"),
    [
        (tag(1, tags=["skip-execution"]), ["cell f is tagged skip-execution; it was run all the same"]),
        (
            tag(0, 1, 2, 3, 4, tags=["remove-cell", "raises-exception"]),
            [
                "cells setup_imports, f, test_f and 2 more are tagged raises-exception, remove-cell; "
                "they were run all the same"
            ],
        ),
        (set_on(2, points=100), ["grading settings of cell test_f were changed; those of the release count"]),
        (
            set_on(2, 4, grade=False, locked=False, checksum="0"),
            ["grading settings of cells test_f, test_g were changed; those of the release count"],
        ),
        (swap_sources, ["locked cells setup_imports, test_f, test_g were edited; the originals count"]),
        (
            lambda cells: (swap_sources(cells), set_on(0, 2, 4, points=9)(cells)),
            ["locked cells setup_imports, test_f, test_g were edited; the originals count"],
        ),
        (list.clear, []),
        (
            lambda cells: cells.__delitem__(slice(1, None)),
            ["cells f, test_f, g and 1 more are missing; they were put back"],
        ),
        (
            lambda cells: cells.extend(handed_in()),
            ["cells setup_imports, f, test_f and 2 more are there twice; the last ones count"],
        ),
        (
            lambda cells: cells.append(
                new_code_cell("1", metadata={"nbgrader": {"grade_id": "test_h\n<b>", "points": 9}})
            ),
            ["cell test_h??b? bears a grading id that the lesson does not have; it is not graded"],
        ),
    ],
)
def test_tampering_is_named_in_one_line(change, notes):
    assert notes_of(change) == notes


@pytest.mark.parametrize(
    "change",
    [
        tag(0, 1, 2, tags=["hide-input", "slide"]),
        tag(1, tags="skip-execution"),
        lambda cells: cells[1].metadata.update(collapsed=True, jupyter={"source_hidden": True}),
        lambda cells: cells.insert(2, new_code_cell("x = 1", metadata={"tags": ["raises-exception"]})),
        lambda cells: cells.append(new_markdown_cell("my notes")),
    ],
)
def test_what_an_editor_leaves_behind_is_not_tampering(change):
    assert notes_of(change) == []


@pytest.mark.slow
def test_a_release_as_it_is_raises_no_note(make_course):
    lesson = "03_word2vec_heatmap"
    course, released = make_course(lesson)
    with Gradebook(f"sqlite:///{course}/gradebook.db") as gradebook:
        stored = master_cells(gradebook, lesson, released.stem)
    cells = nbformat.read(released, as_version=4).cells
    assert restore(cells, stored)[1] == []
    assert [cell.source for cell in cells if grade_id_of(cell)] == [cell.source for cell in stored.values()]
