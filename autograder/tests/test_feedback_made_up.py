"""The feedback page of notebooks made up on the spot: what is cut, left out and said besides."""

from __future__ import annotations

from datetime import datetime

import msgspec
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograder.model.notes import Note, NoteKind
from autograder.nbgrader_plugin import folders, intake, restoring
from autograder.nbgrader_plugin.feedback import MAX_OUTPUT_TEXT
from autograder.nbgrader_plugin.store import NOTES
from autograder.tests import in_process
from autograder.tests.made_up import page_of
from autograder.tests.reports import OTHER, right
from autograder.tests.this_course import find_exercise


def answer(outputs=(), text="x = 1", name="x"):
    grading = {"grade_id": name, "grade": True, "solution": True, "score": 0.0, "points": 1.0}
    return new_code_cell(text, outputs=list(outputs), metadata={"nbgrader": grading})


def test_a_hundred_megabytes_are_cut_with_a_note():
    flood = new_output("stream", name="stdout", text="x" * 100_000_000)
    page = page_of(answer([flood], text="y" * 1_000_000))
    assert f"{100_000_000 - MAX_OUTPUT_TEXT:,} more characters were cut" in page
    assert len(page) < 100_000


def test_many_and_large_outputs_are_left_out():
    picture = new_output("display_data", data={"image/png": "A" * 10_000_000})
    page = page_of(answer([picture, *[new_output("stream", name="stdout", text="hi")] * 500]))
    assert "a picture was left out" in page
    assert "495 more outputs were left out" in page
    assert len(page) < 100_000


def right_but(name, **grading):
    """The page of right answers, whose points the gradebook has as `grading` says of one; and that one's section."""
    kept = in_process.verdicts(OTHER, right(OTHER))
    cells = []
    for one, found in kept.items():
        most = sum(line["points"] for line in found["lines"])
        test = {"grade_id": f"test_{one}", "grade": True, "solution": False, "score": most, "points": most}
        test |= grading if one == name else {}
        own = {"grade_id": one, "solution": True, "comment": "Why *three*?" if one == name else None}
        cells += [
            new_code_cell("x", metadata={"nbgrader": own}),
            new_code_cell("", metadata={"nbgrader": test}),
        ]
    page = BeautifulSoup(page_of(*cells, metadata={NOTES: {"verdicts": kept}}), "html.parser")
    return page, " ".join(page.find("section", {"aria-labelledby": name}).text.split())


def test_points_that_the_instructor_set_are_never_called_right():
    page, section = right_but("create_causal_mask", score=2.0, by_hand=True)
    most = find_exercise(OTHER, "create_causal_mask").points
    assert f"Your instructor set the points: 2 of {most} points." in section
    assert section.index("Why three?") < section.index(f"The grader's checks gave {most}:")
    summary = " ".join(page.find("section").text.split())
    assert "Well done" not in summary
    assert "The points of 1 were set by your instructor." in summary
    state = page.find("li", {"class": "set-by-hand"})
    assert " ".join(state.text.split()) == f"create_causal_mask ✎ set by your instructor 2 of {most} points"
    assert page.find(class_="next").a["href"] == "#create_causal_mask"


def test_who_set_points_of_an_earlier_answer_has_not_looked_at_this_one():
    page, section = right_but("create_causal_mask", by_hand=False, waiting=True)
    assert "has not looked at this yet" in section
    assert "Well done" in page.find(class_="next").text


def test_a_late_penalty_is_said():
    page = page_of(answer(), points=3.5, most=5.0, penalty=1.25)
    assert "1.25 points were taken off for handing in late" in page
    assert ">3.5</b> of 5 points" in page


def test_when_it_was_handed_in_is_said():
    page = page_of(answer(), handed_in=datetime(2026, 3, 2, 8, 0))
    assert "Handed in Mon 2026-03-02 08:00 UTC." in page


def test_an_exercise_may_have_any_name():
    page = BeautifulSoup(page_of(answer(name="summary")), "html.parser")
    (link,) = page.find(class_="items").find_all("a")
    (target,) = page.find_all(id=link["href"].removeprefix("#"))
    assert target.find_parent("section")["class"] == ["item"]


def test_a_notebook_without_any_graded_cell_has_a_page():
    assert "nothing to mend" in page_of(new_markdown_cell("hello"))


def test_remarks_are_what_reading_and_restoring_say(tmp_path):
    (tmp_path / "final.ipynb").write_text("{")
    notes = folders.copy_work(tmp_path / "heatmap.ipynb", []).notes
    notes += intake.taken_in(str(tmp_path / "final.ipynb"))[1]
    master = {"softmax": new_code_cell("", metadata={"nbgrader": {"grade_id": "softmax", "locked": False}})}
    notes += restoring.restore([new_markdown_cell("")], master, [master])[1]
    notes += restoring.restore([master["softmax"], master["softmax"].copy()], master, [master])[1]
    assert [note.told for note in notes] == [
        "final.ipynb is not JSON (line 1, column 2), so nothing of it could be graded. "
        "Ask your instructor whether you may hand it in again.",
        "Cell softmax was missing; it was put back.",
        "Cell softmax is there twice; the last one counted.",
    ]


def test_a_remark_is_made_once_and_not_of_what_is_the_instructors():
    died = Note(NoteKind.CELL_DIED, ("number 7",))
    notes = msgspec.to_builtins([died, Note(NoteKind.EDITED, ("test_softmax",)), died])
    page = page_of(answer(), metadata={NOTES: {"notes": notes}})
    assert page.count(died.told) == page.count('class="remark"') == 1
