"""The feedback page of notebooks made up on the spot: what is cut, left out and said besides."""

from __future__ import annotations

import sys
from datetime import datetime

import msgspec
from bs4 import BeautifulSoup
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograder.execution.notes import Note, NoteKind
from autograder.pages.feedback import MAX_OUTPUT_CHARACTERS
from autograder.tests import in_process
from autograder.tests.hostile import DOT, HOSTILE, find_active
from autograder.tests.made_up import page_of
from autograder.tests.reports import OTHER, right
from autograder.tests.this_course import ROOT, find_exercise


def answer(outputs=(), text="x = 1", name="x"):
    grading = {"grade_id": name, "grade": True, "solution": True, "score": 0.0, "points": 1.0}
    return new_code_cell(text, outputs=list(outputs), metadata={"nbgrader": grading})


def test_much_is_cut_or_left_out_with_a_note():
    flood = new_output("stream", name="stdout", text="x" * 100_000_000)
    picture = new_output("display_data", data={"image/png": "A" * 10_000_000})
    hellos = [new_output("stream", name="stdout", text="hi")] * 500
    page = page_of(answer([flood, picture, *hellos], text="y" * 1_000_000))
    assert f"{100_000_000 - MAX_OUTPUT_CHARACTERS:,} more characters were cut" in page
    assert "a picture was left out" in page
    assert "496 more outputs were left out" in page
    assert len(page) < 100_000


def test_hostile_text_and_outputs_stay_text_and_no_path_is_told():
    message = f"see {ROOT}/secret/key.txt"
    frames = [
        "Cell In[7], line 3\n      1 x = 1\n----> 3 fail(x)",
        f"File {sys.prefix}/lib/python3.11/site-packages/numpy/core.py:12, in fail(x)",
    ]
    traceback = [*frames, f"ValueError: {message}"]
    error = new_output("error", ename="ValueError", evalue=message, traceback=traceback)
    outputs = [
        new_output("display_data", data={"text/html": "<script>alert(1)</script>", "text/plain": "<b>x</b>"}),
        new_output("display_data", data={"image/svg+xml": "<svg onload=alert(1)>"}),
        new_output("display_data", data={"image/png": DOT}, metadata={"image/png": {"alt": '"><script>'}}),
        new_output("stream", name="stdout", text="\x1b[31mred\x1b[0m </pre><script>alert(2)</script>"),
        error,
    ]
    text = "\n\n".join([*HOSTILE, "![remote](http://example.org/track.png)", "![a](attachment:gone.png)"])
    grading = {"grade_id": "words", "grade": True, "solution": True, "score": 0.0, "points": 1.0}
    words = new_markdown_cell(text, metadata={"nbgrader": grading})
    code = answer(outputs, text="# </code></pre><script>alert(3)")
    page = BeautifulSoup(page_of(code, words), "html.parser")
    assert find_active(page) == []
    assert page.select("[style]") == []
    (image,) = page.find_all("img")
    assert image.attrs == {"src": f"data:image/png;base64,{DOT}", "alt": '"><script>'}
    assert page.find(class_="code").text.strip() == "# </code></pre><script>alert(3)"
    shown = page.find(class_="answer").text
    assert "red </pre><script>alert(2)</script>" in shown
    assert "----> 3 fail(x)" in shown
    assert "ValueError: see …/key.txt" in shown
    assert "site-packages" not in shown


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
    page = BeautifulSoup(page_of(*cells, record={"kept_verdicts": kept, "sealed": False}), "html.parser")
    return page, " ".join(page.find("section", {"aria-labelledby": name}).text.split())


def test_points_that_the_instructor_set_are_never_called_right():
    page, section = right_but("create_causal_mask", score=2.0, by_hand=True)
    most = find_exercise(OTHER, "create_causal_mask").points
    assert f"Your instructor set the points: 2 of {most} points." in section
    assert section.index("Why three?") < section.index(f"The grader's checks gave {most}:")
    summary = " ".join(page.find("section").text.split())
    assert "Graded unsealed" in summary
    assert "Well done" not in summary
    assert "The points of 1 were set by your instructor." in summary
    state = page.find("li", {"class": "set-by-hand"})
    assert " ".join(state.text.split()) == f"create_causal_mask ✎ set by your instructor 2 of {most} points"
    assert page.find(class_="next").a["href"] == "#create_causal_mask"


def test_who_set_points_of_an_earlier_answer_has_not_looked_at_this_one():
    page, section = right_but("create_causal_mask", by_hand=False, waiting=True)
    assert "has not looked at this yet" in section
    assert "Well done" in page.find(class_="next").text


def test_when_it_was_handed_in_and_a_late_penalty_are_said():
    page = page_of(answer(), points=3.5, most=5.0, penalty=1.25, handed_in=datetime(2026, 3, 2, 8, 0))
    assert "1.25 points were taken off for handing in late" in page
    assert ">3.5</b> of 5 points" in page
    assert "Handed in Mon 2026-03-02 08:00 UTC." in page


def test_an_exercise_may_have_any_name():
    page = BeautifulSoup(page_of(answer(name="summary")), "html.parser")
    (link,) = page.find(class_="items").find_all("a")
    (target,) = page.find_all(id=link["href"].removeprefix("#"))
    assert target.find_parent("section")["class"] == ["item"]
    assert "nothing to mend" in page_of(new_markdown_cell("no graded cell"))


def test_a_remark_is_made_once_and_not_of_what_is_the_instructors():
    died = Note(NoteKind.CELL_DIED, ("number 7",))
    notes = msgspec.to_builtins([died, Note(NoteKind.EDITED, ("test_softmax",)), died])
    page = page_of(answer(), record={"kept_notes": notes})
    assert page.count(died.student_message) == page.count('class="remark"') == 1
