"""Written answers marked on one page, as an instructor does it: with the keyboard."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Page, expect

from autograder.tests import needs
from autograder.tests.browser import accessibility
from autograder.tests.browser.conftest import LESSON, NOTEBOOK
from autograder.tests.this_course import ROOT

pytestmark = [pytest.mark.slow, needs.browser]

QUESTION = "explain_keys_and_values"


@pytest.fixture
def address(graded_course: Path) -> Iterator[str]:
    """Where `attention-course mark` serves its page; other tests find the gradebook as it was."""
    unmark(graded_course)
    command = [
        sys.executable,
        "-m",
        "autograder.cli",
        "mark",
        LESSON,
        "--no-browser",
        "--folder",
        graded_course,
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        yield server.stdout.readline().strip()
        server.terminate()
    unmark(graded_course)


def marks(course: Path) -> dict[str, tuple[float | None, bool, str | None]]:
    """Of each student the points by hand, whether the answer waits, and the comment, as the gradebook has them."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        found = {}
        for submission in gradebook.assignment_submissions(LESSON):
            where = (QUESTION, NOTEBOOK, LESSON, submission.student.id)
            grade, comment = gradebook.find_grade(*where), gradebook.find_comment(*where)
            found[submission.student.id] = (
                grade.manual_score,
                grade.needs_manual_grade,
                comment.manual_comment,
            )
        return found


def unmark(course: Path) -> None:
    """Have all answers wait that somebody marked."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        for student, (points, waits, _) in marks(course).items():
            if points is not None or waits:
                grade = gradebook.find_grade(QUESTION, NOTEBOOK, LESSON, student)
                grade.manual_score, grade.needs_manual_grade = None, True
                gradebook.find_comment(QUESTION, NOTEBOOK, LESSON, student).manual_comment = None
        gradebook.db.commit()


def test_answers_are_marked_with_the_keyboard(
    address: str, graded_course: Path, page: Page, picture: Callable
) -> None:
    before = marks(graded_course)
    waiting = [student for student, (_, waits, _) in before.items() if waits]
    assert waiting
    page.goto(address)
    expect(page.locator("#waiting")).to_contain_text(f"{len(waiting)} of {len(waiting)} answers wait")
    picture(page, "marking")
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    expect(page.locator("form.failed output").first).to_contain_text("Not saved")
    assert marks(graded_course) == before
    for _ in "99":
        page.keyboard.press("Backspace")
    page.keyboard.type("1.5")
    page.keyboard.press("Tab")
    page.keyboard.type("<b>Which</b> row?")
    with page.expect_response(lambda answer: b"Which" in (answer.request.post_data_buffer or b"")):
        page.keyboard.press("Control+Enter")
    expect(page.locator("form.saved output").first).to_have_text("saved")
    assert marks(graded_course)[waiting[0]] == (1.5, False, "<b>Which</b> row?")
    page.reload()
    expect(page.locator("input[name=points]").first).to_have_value("1.5")
    expect(page.locator("textarea").first).to_have_value("<b>Which</b> row?")
    assert not accessibility.complaints(page)
    assert not accessibility.lost_to_the_keyboard(page)
    page.set_viewport_size({"width": 360, "height": 700})
    assert not accessibility.scrolls_sideways(page)


def test_only_who_has_the_address_may_read_or_mark(address: str) -> None:
    outside = address.rsplit("/", 2)[0]
    named = Request(address, headers={"Host": "elsewhere.example"})
    for request in (f"{outside}/", f"{outside}/mark", named):
        with pytest.raises(HTTPError, match="40[34]"):
            urlopen(request)
    wrong = Request(f"{address}mark", b'{"name": 1}', method="POST")
    with pytest.raises(HTTPError, match="400"):
        urlopen(wrong)
