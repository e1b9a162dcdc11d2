"""The instructor's cells come back into a submission, whatever was done to them."""

from __future__ import annotations

from copy import deepcopy

import nbformat
import pytest
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.converters import GenerateAssignment
from nbgrader.coursedir import CourseDirectory
from nbgrader.utils import compute_checksum
from traitlets.config import Config

from autograder.classroom.hand_out import ReleaseExporter, releases
from autograder.execution.notebook_cells import grade_id_of
from autograder.submissions.cell_matching import LessonCells
from autograder.submissions.restore_cells import restore_cells
from autograder.tests.made_up import make_master, master_cell


@pytest.fixture
def master():
    return make_master()


def handed_in():
    return [NotebookNode(cell, metadata=NotebookNode(cell.metadata)) for cell in make_master().values()]


def put_back(cells, master, releases=None):
    """What comes of a submission, and what is said of it; where nothing else is said, there was one release."""
    restored, notes = restore_cells(cells, LessonCells(master, [master] if releases is None else releases))
    return restored, [note.instructor_message for note in notes]


def names(cells):
    return [grade_id_of(cell) for cell in cells]


def test_an_untouched_submission_and_an_empty_one_become_the_release(master):
    for cells in (handed_in(), []):
        restored, notes = put_back(cells, master)
        assert names(restored) == list(master)
        assert notes == []


def test_the_students_text_stays_and_all_else_is_the_instructors(master):
    cells = handed_in()
    cells[1] = new_markdown_cell("def f(): return 1", metadata=cells[1].metadata)
    cells[2].source = "assert True"
    cells[2].metadata.nbgrader["points"] = 100
    cells[2].metadata["tags"] = ["skip-execution"]
    forged = new_code_cell("x = 1", metadata={"nbgrader": {"grade_id": "test_h", "grade": True, "points": 9}})
    own, _, answer, test, *_ = put_back([forged, *cells], master)[0]
    assert (own.source, "nbgrader" in own.metadata) == ("x = 1", False)
    assert (answer.cell_type, answer.source) == ("code", "def f(): return 1")
    assert (test.source, test.metadata) == ("check(f)", master["test_f"].metadata)


@pytest.mark.parametrize("missing", range(5))
def test_a_missing_cell_comes_back_in_its_place(master, missing):
    cells = handed_in()
    name = grade_id_of(cells.pop(missing))
    restored, notes = put_back(cells, master)
    assert names(restored) == list(master)
    told = f"the cell of {name} is missing, so it counts as not started"
    assert notes == [told if name in "fg" else f"cell {name} is missing; it was put back"]


STUB, ONE, TWO = "def f(): ...", "def f(): return 1", "def f(): return 2"
COPIES_DIFFER = (
    "cell f is there more than once, and the copies differ; the last one that is not as handed out counts"
)


@pytest.mark.parametrize(
    ("copies", "run", "told"),
    [
        ([ONE, TWO], [ONE, TWO], [COPIES_DIFFER]),
        ([ONE, STUB], [ONE], [COPIES_DIFFER]),
        ([STUB, ONE, "def f():\n    ..."], [ONE], [COPIES_DIFFER]),
        ([ONE, ONE], [ONE, ONE], ["cell f is there twice; the last one counts"]),
        ([STUB, STUB], [STUB], ["cell f is there twice; the last one counts"]),
    ],
)
def test_of_several_cells_with_one_id_the_last_that_is_no_stub_counts(master, copies, run, told):
    cells = handed_in()
    restored, notes = put_back(
        [cells[0], *(NotebookNode(cells[1], source=text) for text in copies), *cells[2:]], master
    )
    own = [""] * (len(run) - 1)
    assert names(restored) == ["setup_imports", *own, "f", "test_f", "g", "test_g"]
    assert [cell.source for cell in restored[1 : len(run) + 1]] == run
    assert notes == told


# --- work that stands elsewhere than in the lesson's own cells ------------------------------------------------

ANSWER = "The mask hides what comes later."
F, G = "def f(): return 7", "def g(): return 8"
UNSURE = "cells of the student's own may be meant for it"


def lesson():
    """All cells of a lesson with two exercises and a question, as they are handed out."""
    master = make_master()
    asked = new_markdown_cell("### Explain\n\nWhy?\n\n*Your answer here.*")
    settings = {"grade": True, "points": 4, "cell_type": "markdown"}
    asked.metadata = master_cell("why", "", solution=True, locked=False, **settings).metadata
    between = {name: new_markdown_cell(f"## {name}", id=name) for name in ("cell_01", "cell_05", "cell_07")}
    setup, f, test_f, g, test_g = master.items()
    rest = [("cell_05", between["cell_05"]), ("why", asked), ("cell_07", between["cell_07"])]
    return dict([setup, ("cell_01", between["cell_01"]), f, test_f, g, test_g, *rest])


def without_metadata(cells, ids=True):
    return [NotebookNode(cell, metadata=NotebookNode(), id=cell.id if ids else "") for cell in cells]


def sent_in(change, **dropped):
    """What becomes of a notebook in which all is answered and then moved about: answers by name, and lines."""
    whole = lesson()
    master = {name: cell for name, cell in whole.items() if not name.startswith("cell_")}
    cells = [NotebookNode(cell, id=name) for name, cell in whole.items()]
    cells = change(cells)
    cells = without_metadata(cells, **dropped) if dropped else cells
    restored, notes = restore_cells(cells, LessonCells(master, [whole], whole))
    by_name = {grade_id_of(cell): cell for cell in restored}
    assert by_name.keys() - {""} == master.keys()
    order = names(restored)
    assert all(order.index(f"test_{name}") > order.index(name) for name in "fg")
    assert "def f(): ..." not in [cell.source for cell in restored if cell is not by_name["f"]]
    return {name: by_name[name].source for name in ("f", "g", "why")}, [
        note.instructor_message for note in notes
    ]


def answered(cells):
    texts = {"f": F, "g": G, "why": f"### Explain\n\nWhy?\n\n{ANSWER}"}
    return [NotebookNode(cell, source=texts.get(cell.id, cell.source)) for cell in cells]


def in_own_cells(cells):
    """Each answer in a cell right below the untouched one."""
    own = {"f": new_code_cell(F), "g": new_code_cell(G), "why": new_markdown_cell(ANSWER)}
    return [one for cell in cells for one in [cell, *([own[cell.id]] if cell.id in own else [])]]


def elsewhere(cells):
    """Both functions in one cell at the end; the question's cell is gone, and a text stands in its place."""
    kept = [cell for cell in cells if cell.id not in ("f", "why", "test_g")]
    return [*kept[:-1], new_markdown_cell(ANSWER), kept[-1], new_code_cell(f"x = 5\n\n{F}\n\n\n{G}")]


def twice_defined(cells):
    """An attempt above the untouched cell, and a better one at the very end."""
    at = [cell.id for cell in cells].index("f")
    return [*cells[:at], new_code_cell("def f(): return 6"), *answered(cells)[at + 1 :], new_code_cell(F)]


@pytest.mark.parametrize("dropped", [{}, {"ids": True}, {"ids": False}], ids=["whole", "ids", "no ids"])
@pytest.mark.parametrize(
    ("change", "order", "f"),
    [
        (answered, 1, F),
        (answered, -1, F),
        (in_own_cells, 1, F),
        (in_own_cells, -1, F),
        (elsewhere, 1, f"x = 5\n\n{F}\n\n\n{G}"),
        (twice_defined, 1, F),
        (twice_defined, -1, "def f(): return 6"),
    ],
)
def test_an_answer_counts_wherever_it_stands(change, order, f, dropped):
    answers, notes = sent_in(lambda cells: change(cells)[::order], **dropped)
    assert (answers["f"], answers["g"]) == (f, G)
    assert answers["why"].endswith(ANSWER)
    assert not [line for line in notes if UNSURE in line]


def test_pictures_and_code_below_a_question_come_along():
    picture = {"image.png": {"image/png": "aaaa"}}
    own = [
        new_markdown_cell("![image.png](attachment:image.png)", attachments=picture),
        new_code_cell("print(1)"),
        new_markdown_cell(
            "Also ![image.png](attachment:image.png)", attachments={"image.png": {"image/png": "bb"}}
        ),
    ]
    whole = lesson()
    master = {name: cell for name, cell in whole.items() if not name.startswith("cell_")}
    *above, last = whole.values()
    restored, _ = restore_cells([*above, *own, last], LessonCells(master, [whole], whole))
    why = next(cell for cell in restored if grade_id_of(cell) == "why")
    assert why.source.endswith(
        "(attachment:image.png)\n\n```python\nprint(1)\n```\n\nAlso ![image.png](attachment:1-image.png)"
    )
    assert [*why.attachments.values()] == [{"image/png": "aaaa"}, {"image/png": "bb"}]
    assert "print(1)" in [cell.source for cell in restored]


@pytest.mark.parametrize(
    ("cell", "name"),
    [
        (new_code_cell("def ff(): return 7"), "f"),
        (new_code_cell("def f(: return 7"), "f"),
        (new_markdown_cell(ANSWER), "why"),
    ],
)
def test_what_may_be_meant_for_an_untouched_exercise_is_told(cell, name):
    answers, notes = sent_in(lambda cells: [*cells[:3], cell, *cells[3:]])
    assert answers["f"] == STUB
    assert notes == [f"{name} is as handed out, but {UNSURE}"]


def test_of_a_cell_that_only_ipython_reads_each_exercise_gets_what_defines_it():
    """Python cannot read the line with the shell command, so no lines of the cell can be told apart."""
    answers, _ = sent_in(lambda cells: [*cells, new_code_cell(f"files = !ls\n\n{F}\n\n\n{G}")])
    assert F in answers["f"]
    assert G in answers["g"]


def test_code_that_only_shows_something_is_no_answer():
    for text in ("f = 5  # in a file\n", "%%writefile f.py\ndef f(): return 7"):
        answers, _ = sent_in(lambda cells, text=text: [*cells, new_code_cell(text)])
        assert (answers["f"] == STUB) == text.startswith("%%")


MOVED = ["cells test_f, test_g stood before their answers; they were moved behind them"]


@pytest.mark.parametrize(
    ("order", "restored", "told"),
    [
        ([2, 4, 0, 1, 3], ["setup_imports", "f", "test_f", "g", "test_g"], MOVED),
        ([4, 3, 2, 1, 0], ["g", "test_g", "f", "test_f", "setup_imports"], MOVED),
        ([4, 2, 3, 0, 1], ["g", "test_g", "setup_imports", "f", "test_f"], MOVED),
        ([1, 3, 0, 4, 2], ["f", "g", "setup_imports", "test_g", "test_f"], []),
    ],
)
def test_a_test_before_its_answer_is_moved_behind_it(master, order, restored, told):
    cells, notes = put_back([handed_in()[place] for place in order], master)
    assert (names(cells), notes) == (restored, told)


# --- one clear line for each thing that was done ------------------------------------------------------------


def set_on(*positions, **settings):
    def change(cells):
        for position in positions:
            cells[position].metadata.nbgrader.update(settings)

    return change


def tag(*tags):
    def change(cells):
        for cell in cells:
            cell.metadata["tags"] = [*tags]

    return change


def edit_all(cells):
    for cell in cells:
        cell.source += "\n100.0"
        cell.metadata.nbgrader.update(points=9)


def forge(cells):
    settings = {"grade_id": "test_h\n<b>", "points": 9}
    cells.insert(0, new_code_cell("1", metadata={"nbgrader": settings}))


@pytest.mark.parametrize(
    ("change", "notes"),
    [
        (
            tag("remove-cell", "raises-exception"),
            [
                "cells setup_imports, f, test_f and 2 more are tagged raises-exception, remove-cell; "
                "they were run all the same"
            ],
        ),
        (
            set_on(2, 4, grade=False, locked=False, checksum="0"),
            ["grading settings of cells test_f, test_g were changed; those of the release count"],
        ),
        (
            edit_all,
            [
                "locked cells setup_imports, test_f, test_g were edited; the originals count",
                "grading settings of cells f, g were changed; those of the release count",
            ],
        ),
        (
            lambda cells: cells.__delitem__(slice(1, None)),
            [
                "the cells of f, g are missing, so they count as not started",
                "cells test_f, test_g are missing; they were put back",
            ],
        ),
        (
            lambda cells: cells.extend(handed_in()),
            ["cells setup_imports, f, test_f and 2 more are there twice; the last ones count"],
        ),
        (forge, [r"cell test_h\n<b> bears a grading id that the lesson does not have; it is not graded"]),
        (tag("hide-input", "slide"), []),
        (lambda cells: cells[1].metadata.update(collapsed=True, jupyter={"source_hidden": True}), []),
        (lambda cells: cells.insert(0, new_code_cell("x = 1", metadata={"tags": ["raises-exception"]})), []),
        (lambda cells: cells.append(new_markdown_cell("my notes")), []),
    ],
)
def test_tampering_is_named_in_one_line_and_what_an_editor_leaves_behind_is_not(change, notes):
    cells = handed_in()
    change(cells)
    assert put_back(cells, make_master())[1] == notes


# --- a new release is nobody's doing ------------------------------------------------------------------------


def newer():
    """A release after `make_master`'s: other points, another test, one exercise more and one less."""
    master = make_master()
    master["test_f"].metadata.nbgrader.update(points=5, checksum="new")
    master["test_g"].source = "check(g, strictly=True)"
    del master["g"]
    return {**master, "h": master_cell("h", "def h(): ...", solution=True, locked=False)}


def made_by_nbgrader(**points):
    """A release as nbgrader makes it, with its checksums; points: of tests, by their ids."""
    made = make_master()
    for name, cell in made.items():
        cell.metadata.nbgrader.update({"points": points[name]} if name in points else {})
        cell.metadata.nbgrader["checksum"] = compute_checksum(cell)
    return made


def of(release):
    return [NotebookNode(cell, metadata=deepcopy(cell.metadata)) for cell in release.values()]


OTHER = made_by_nbgrader(test_f=5)
"""A release of other points."""

REGRADED = "grading settings of cell test_g were changed; those of the release count"


def test_the_text_of_one_release_with_the_settings_of_another_is_a_change():
    assert put_back(handed_in(), newer(), [newer(), make_master()])[1] == []
    cells, older = handed_in(), make_master()
    for cell in (cells[4], older["test_g"]):
        cell.metadata.nbgrader["points"] = 7
    cells[4].source = "check(g, strictly=True)"
    assert put_back(cells, newer(), [newer(), older])[1] == [REGRADED]


def test_where_no_release_was_kept_nobody_is_accused():
    cells = [master_cell("test_h", "check(h)"), *handed_in()]
    cells[1].source = "import torch as np"
    cells[3].metadata.nbgrader["points"] = 100
    assert put_back(cells, make_master(), [])[1] == []


@pytest.mark.parametrize("kept", [[], [OTHER], [made_by_nbgrader(test_f=5, test_g=9)]])
def test_who_has_a_release_that_was_not_kept_is_not_accused(kept):
    """Neither where it was of other points, nor where a cell of it has gone since."""
    cells, master = of(made_by_nbgrader()), made_by_nbgrader(test_f=5)
    cells[1].source, cells[0].source = "def f(): return 1", f"{cells[0].source}\n"
    assert put_back(cells, master, kept)[1] == []
    del master["test_g"]
    assert "changed" not in str(put_back(cells, master, [master])[1])


@pytest.mark.parametrize("kept", [[], [OTHER], [made_by_nbgrader()]])
def test_what_no_release_can_have_made_is_named_whichever_were_kept(kept):
    cells = of(made_by_nbgrader())
    cells[0].source = "import torch as np"
    cells[4].metadata.nbgrader["points"] = 100
    edited = "locked cell setup_imports was edited; the original counts"
    assert put_back(cells, OTHER, kept)[1] == [edited, REGRADED]


def test_every_release_is_kept_once(tmp_path):
    settings = Config(
        CourseDirectory={"root": str(tmp_path), "assignment_id": "ps1"},
        GenerateAssignment={"exporter_class": ReleaseExporter, "force": True},
    )
    course, source = CourseDirectory(config=settings), tmp_path / "source" / "ps1" / "p1.ipynb"
    source.parent.mkdir(parents=True)
    for points, kept in ((1, [1]), (1, [1]), (3, [1, 3]), (2, [1, 2, 3])):
        cell = master_cell("test_f", "check(f)", grade=True, points=points)
        nbformat.write(new_notebook(cells=[cell]), source)
        GenerateAssignment(coursedir=course, config=settings).start()
        assert sorted(each["test_f"].metadata.nbgrader.points for each in releases(course, "ps1")) == kept
