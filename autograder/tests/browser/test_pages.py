"""The pages that people meet beside JupyterLab: formgrader, where answers are marked, feedback and report.

They do what they are for, and can be read and used by everyone, light or dark, wide or narrow.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import nbformat
import pytest
from nbgrader.api import Gradebook
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from autograder.marking.server import leading_to
from autograder.sandbox.cells import grade_id_of
from autograder.tests import in_process, marked_class, needs
from autograder.tests.browser.accessibility import (
    SCHEMES,
    complaints,
    lost_to_the_keyboard,
    scrolls_sideways,
    unreadable,
)
from autograder.tests.browser.conftest import LESSON, NOTEBOOK, keep_picture
from autograder.tests.browser.conftest import WRITTEN as QUESTION
from autograder.tests.browser.lab import Formgrader
from autograder.tests.commands import run_ours
from autograder.tests.marked_class import settle_marks
from autograder.tests.reports import OTHER
from autograder.tests.this_course import ROOT, find_lesson

pytestmark = [pytest.mark.slow, needs.browser]

NAMES = ("feedback", "feedback-all-right", "class-report")
WRITTEN = 4
"""Points for the answer in writing."""

SELF = "In self-attention queries, keys and values come from one sequence; in cross-attention the queries do not."
ANSWERED = {
    "amelia": SELF,
    "benedict": SELF.replace("come", "came"),
    "cemre": SELF,
    "dorothy": "The mask hides what comes later, so that no word sees what it is to guess.",
    "eleanor": "Each head has its own projections, so it can look for something else.",
}
"""What students of another class answer."""


def test_formgrader_shows_verdicts_and_takes_a_score_by_hand(
    instructors_lab: str, page: Page, picture: Callable
) -> None:
    formgrader = Formgrader(page, instructors_lab)
    frame = formgrader.frame
    expect(frame.get_by_role("row").filter(has_text=LESSON)).to_contain_text("2")

    formgrader.follow("Manual Grading", LESSON, NOTEBOOK)
    points = str(find_lesson(LESSON).exercise("gaussian_weights").points)
    by_code = sum(one.points for one in find_lesson(LESSON).graded)
    handed_in = frame.get_by_role("row").filter(has_text=f" / {by_code + WRITTEN}")
    full = handed_in.filter(has_text=f"{by_code} / ")
    partly = handed_in.filter(has_not_text=f"{by_code} / ").filter(has_not_text=f"{by_code + 3} / ")
    expect(partly).to_be_visible()
    picture(page, "formgrader-class")

    full.get_by_role("link").last.click()
    expect(frame.locator(".verdict.right").first).to_be_attached()
    expect(frame.locator(".verdict.wrong")).to_have_count(0)
    expect(frame.locator("input.score#test_gaussian_weights")).to_have_attribute("placeholder", points)
    score = frame.locator(f"input.score#{QUESTION}")
    score.fill("3")
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        score.press("Tab")

    formgrader.follow(NOTEBOOK)
    expect(handed_in.filter(has_text=f"{by_code + 3} / ")).to_be_visible()

    partly.get_by_role("link").last.click()
    wrong = frame.locator(".verdict.wrong").filter(has_text="gaussian_weights")
    expect(wrong).to_contain_text("Looks like:")
    wrong.scroll_into_view_if_needed()
    picture(page, "formgrader-submission")


@contextmanager
def marking(lesson: str, folder: Path, *options: str) -> Iterator[str]:
    """Where `attention-course mark` serves its page."""
    verb = ["mark", lesson, "--no-browser", "--folder", str(folder), *options]
    command = [sys.executable, "-m", "autograder.cli", *verb]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


@pytest.fixture(scope="module")
def address(graded_course: Path) -> Iterator[str]:
    """Where answers of the graded course are marked. Nothing is marked yet."""
    unmark(graded_course)
    with marking(LESSON, graded_course) as address:
        yield address


def marks(course: Path) -> dict[str, tuple[float | None, bool, str | None]]:
    """Of each student the points by hand, whether the answer waits, and the comment, as the gradebook has them."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        found = {}
        for submission in gradebook.assignment_submissions(LESSON):
            student = submission.student.id
            where = (QUESTION, NOTEBOOK, LESSON, student)
            grade, comment = gradebook.find_grade(*where), gradebook.find_comment(*where).manual_comment
            found[student] = (grade.manual_score, grade.needs_manual_grade, comment)
        return found


def form_of(student: str, course: Path, page: Page) -> Locator:
    """Where a student's answer is marked, which the page does not tell."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        return page.locator(f"#answer-{gradebook.find_grade(QUESTION, NOTEBOOK, LESSON, student).id}")


def unmark(course: Path) -> None:
    """Have all answers wait that somebody marked."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        for student, (points, waits, _) in marks(course).items():
            if points is not None or waits:
                grade = gradebook.find_grade(QUESTION, NOTEBOOK, LESSON, student)
                grade.manual_score, grade.needs_manual_grade = None, True
                gradebook.find_comment(QUESTION, NOTEBOOK, LESSON, student).manual_comment = None
        gradebook.db.commit()


def test_answers_are_marked_with_the_keyboard(address: str, graded_course: Path, page: Page) -> None:
    before = marks(graded_course)
    waiting = [student for student, (_, waits, _) in before.items() if waits]
    assert waiting
    page.goto(address)
    expect(page.locator("#waiting")).to_have_text(f"0 of {len(waiting)} marked, {len(waiting)} wait")
    first = page.locator("form[data-answer]").first.get_attribute("id")
    student = next(one for one in waiting if form_of(one, graded_course, page).get_attribute("id") == first)
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
    assert marks(graded_course)[student] == (1.5, False, "<b>Which</b> row?")
    page.reload()
    expect(page.locator("input[name=points]").first).to_have_value("1.5")
    expect(page.locator("textarea").first).to_have_value("<b>Which</b> row?")
    assert not complaints(page)
    assert not lost_to_the_keyboard(page)
    page.set_viewport_size({"width": 360, "height": 700})
    assert not scrolls_sideways(page)


def test_of_two_assistants_the_later_sees_what_is_there_and_loses_nothing(
    address: str, graded_course: Path, page: Page
) -> None:
    unmark(graded_course)
    student = next(name for name, (_, waits, _) in marks(graded_course).items() if waits)
    browser = page.context.browser
    assert browser is not None
    with browser.new_context() as elsewhere:
        tabs = (page, elsewhere.new_page())
        for tab in tabs:
            tab.goto(address)
            expect(tab.locator("form").first).to_be_visible()
        first, second = (form_of(student, graded_course, tab) for tab in tabs)
        first.get_by_label("Points").fill("3.0")
        first.get_by_label("Points").press("Enter")
        expect(first.locator("output")).to_have_text("saved")
        expect(first.get_by_label("Points")).to_have_value("3")
        second.get_by_label("Comment").fill("Which key?")
        second.get_by_label("Comment").press("Tab")
        expect(second.locator("output")).to_have_text("Not saved: somebody has marked it meanwhile.")
        assert marks(graded_course)[student] == (3, False, None)
        expect(second.get_by_label("Points")).to_have_value("3")
        expect(second.get_by_label("Comment")).to_have_value("Which key?")
        expect(second.locator(".choice")).to_contain_text("There now: 3 points.")
        assert not complaints(tabs[1])
        assert not lost_to_the_keyboard(tabs[1])
        second.get_by_role("button", name="Save mine").press("Enter")
        expect(second.locator("output")).to_have_text("saved")
        assert marks(graded_course)[student] == (3, False, "Which key?")
        second.get_by_label("Points").fill("")
        second.get_by_label("Points").press("Enter")
        expect(second.locator("output")).to_have_text("saved: no points, so the answer waits again")
        assert marks(graded_course)[student] == (None, True, "Which key?")
        second.get_by_role("button", name="Undo: back to 3 of 4 points").click()
        expect(second.locator("output")).to_have_text("saved")
        assert marks(graded_course)[student] == (3, False, "Which key?")


def test_words_that_changed_stand_beside_those_that_were_marked(
    address: str, graded_course: Path, page: Page
) -> None:
    unmark(graded_course)
    student = next(name for name, (_, waits, _) in marks(graded_course).items() if waits)
    other = "A key says where to look."
    page.goto(address)
    form = form_of(student, graded_course, page)
    expect(form).to_be_visible()
    hand_in_words(graded_course, student, other)
    form.get_by_label("Points").fill("2")
    form.get_by_label("Points").press("Enter")
    expect(form.locator("output")).to_have_text("Not saved: other words were handed in meanwhile.")
    expect(form.locator(".version").first).to_contain_text("What you had before you")
    expect(form.locator(".version").last).to_contain_text(other)
    assert marks(graded_course)[student] == (None, True, None)
    form.get_by_label("Points").press("Enter")
    expect(form.locator("output")).to_have_text("saved")
    hand_in_words(graded_course, student, "A key says where to look, a value what is found there.")
    page.reload()
    expect(form.locator(".version").first).to_contain_text("Marked before: 2 of 4 points")
    expect(form.locator(".version").first).to_contain_text(other)
    expect(form.locator(".version").last).to_contain_text(
        "A key says where to look, a value what is found there."
    )
    assert not complaints(page)
    form.get_by_role("button", name="Give the same again").click()
    expect(form.locator("output")).to_have_text("saved")
    assert marks(graded_course)[student] == (2, False, None)


def hand_in_words(course: Path, student: str, words: str) -> None:
    """What grading does with a written answer, without the rest."""
    path = course / "autograded" / student / LESSON / f"{NOTEBOOK}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if grade_id_of(cell) == QUESTION:
            cell.source = words
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        settle_marks(gradebook, find_lesson(LESSON), student, notebook)


def test_who_came_by_a_file_stays_known_and_another_browser_is_not(
    address: str, page: Page, tmp_path: Path
) -> None:
    alone = address.partition("?")[0]
    file = tmp_path / "mark.html"
    file.write_text(leading_to(address))
    browser = page.context.browser
    assert browser is not None
    with browser.new_context() as known, browser.new_context() as unknown:
        first, other = known.new_page(), unknown.new_page()
        first.goto(file.as_uri())
        expect(first.locator("#waiting")).to_contain_text("marked")
        assert first.url == alone
        first.reload()
        expect(first.locator("form").first).to_be_visible()
        (cookie,) = known.cookies()
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        other.goto(alone)
        expect(other.locator("main")).to_contain_text("open the address that it shows in its terminal")
        assert complaints(other) == []
        other.goto(address)
        expect(other.locator("form").first).to_be_visible()
        known.clear_cookies()
        first.locator("input[name=points]").first.fill("1")
        first.keyboard.press("Enter")
        expect(first.locator("form.failed output").first).to_contain_text("open the address that it shows")


def points(folder: Path) -> dict[str, float | None]:
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        where = (marked_class.WRITTEN, marked_class.LESSON.notebook, OTHER)
        return {student: gradebook.find_grade(*where, student).manual_score for student in ANSWERED}


def test_two_markers_at_once(page: Page, tmp_path: Path, picture: Callable) -> None:
    """Each in a browser and with a program of their own."""
    folder = marked_class.make_class(tmp_path, ANSWERED)
    browser = page.context.browser
    assert browser is not None
    with ExitStack() as both:
        addresses = [both.enter_context(marking(OTHER, folder, "--marker", name)) for name in ("ada", "ben")]
        tabs = [
            both.enter_context(browser.new_context(viewport={"width": 1280, "height": 860})) for _ in "ab"
        ]
        ada, ben = (tab.new_page() for tab in tabs)
        for tab, address in zip((ada, ben), addresses):
            tab.goto(address)
            expect(tab.locator("#waiting")).to_have_text("0 of 5 marked, 5 wait")
            assert not [student for student in ANSWERED if student in tab.content()]

        ada.keyboard.press("Shift+R")
        ada.keyboard.type("one sequence, or two")
        ada.keyboard.press("Shift+Tab")
        ada.keyboard.type("2")
        ada.keyboard.press("Enter")
        expect(ada.locator(".picks button").first).to_have_text("a one sequence, or two +2")
        group, groups = (tab.locator("form", has=tab.locator(".alike:not([hidden])")) for tab in (ada, ben))
        expect(group.locator("summary").first).to_have_text("Marked together with 2 that are alike")
        group.get_by_label("Points").focus()
        ada.keyboard.press("a")
        expect(group.locator("output")).to_have_text("saved, for 3 answers")
        ada.keyboard.press("Tab")
        ada.keyboard.press("ControlOrMeta+End")
        ada.keyboard.type("\nAnd the mask?")
        ada.keyboard.press("Control+Enter")
        expect(ada.locator(".bank button")).to_have_text("#1 And the mask?")
        expect(ada.locator("#waiting")).to_have_text("3 of 5 marked, 2 wait")

        groups = ben.locator(f"#{groups.get_attribute('id')}")  # it stands by itself once others are marked
        groups.get_by_label("Points").fill("1")
        ben.keyboard.press("Enter")
        expect(groups.locator("output")).to_have_text("Not saved: somebody has marked it meanwhile.")
        expect(groups.locator(".choice")).to_contain_text("There now: 2 points, “one sequence, or two")
        expect(groups.get_by_label("Points")).to_have_value("1")
        groups.get_by_role("button", name="Take what is there").click()
        assert [one for one in points(folder).values() if one is not None] == [2, 2, 2]

        wait = ben.locator("form[data-waits]")
        for told in ("4 of 5 marked, 1 wait", "All 5 answers are marked"):
            wait.first.get_by_label("Points").focus()
            ben.keyboard.press("#")
            ben.keyboard.type("1 ")
            ben.keyboard.press("Escape")
            ben.keyboard.type("3")
            ben.keyboard.press("Enter")
            expect(ben.locator("#waiting")).to_have_text(told)
        assert sorted(one or 0 for one in points(folder).values()) == [2, 2, 2, 3, 3]

        ben.keyboard.press("Shift+U")
        expect(ben.locator("#waiting")).to_have_text("4 of 5 marked, 1 wait")
        ada.get_by_label("Rubric item a: points").fill("4")
        ada.keyboard.press("Enter")
        expect(group.get_by_label("Points")).to_have_value("4")
        assert sorted(one or 0 for one in points(folder).values()) == [0, 3, 4, 4, 4]
        wait.first.get_by_label("Points").focus()
        ben.keyboard.press("a")
        expect(wait.first.locator("output")).to_contain_text(
            "somebody has changed this rubric item meanwhile"
        )
        expect(wait.first.get_by_label("Points")).to_have_value("4")
        assert sorted(one or 0 for one in points(folder).values()) == [0, 3, 4, 4, 4]
        ben.keyboard.press("Enter")
        expect(ben.locator("#waiting")).to_have_text("All 5 answers are marked")
        assert sorted(one or 0 for one in points(folder).values()) == [3, 4, 4, 4, 4]
        ben.keyboard.press("Shift+U")
        expect(ben.locator("#waiting")).to_have_text("4 of 5 marked, 1 wait")

        ada.reload()
        ada.get_by_role("radio", name="Waiting").check()
        expect(ada.locator("form[data-answer]:visible")).to_have_count(1)
        ada.keyboard.press("Shift+N")
        expect(ada.locator("form:visible h3")).to_contain_text("Answer")
        expect(ada.locator(".record")).to_contain_text("Record (3)")
        ada.get_by_role("radio", name="All").check()
        picture(ada, "marking")
        ada.keyboard.press("?")
        expect(ada.get_by_role("dialog")).to_contain_text("undo what you gave last")
        ada.keyboard.press("Escape")
        for scheme in SCHEMES:
            ada.emulate_media(color_scheme=scheme)
            assert not complaints(ada, all_else=scheme == "light")
        assert not lost_to_the_keyboard(ada)


@pytest.fixture(scope="module")
def pages(graded_course: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The course's pages by name, as addresses."""
    folder = tmp_path_factory.mktemp("pages")
    in_process.graded_class(folder, "01_weighted_sums", students=12, seed=1)
    run_ours("report", "--folder", str(folder))
    feedback = graded_course.as_uri() + "/feedback"
    return {
        "feedback": f"{feedback}/ben/{LESSON}/{NOTEBOOK}.html",
        "feedback-all-right": f"{feedback}/ada/{LESSON}/{NOTEBOOK}.html",
        "class-report": f"{folder.as_uri()}/reports/01_weighted_sums.html",
    }


@pytest.mark.parametrize("name", NAMES)
def test_everyone_can_read_it(pages: dict[str, str], page: Page, picture: Callable, name: str) -> None:
    page.goto(pages[name])
    assert unreadable(page, name, picture) == []
    assert lost_to_the_keyboard(page) == []


def test_tables_are_sorted_with_the_keyboard(pages: dict[str, str], page: Page) -> None:
    page.goto(pages["class-report"])
    heading = page.locator("th").filter(has=page.locator("button")).first
    heading.locator("button").press("Enter")
    first = heading.get_attribute("aria-sort")
    heading.locator("button").press("Enter")
    assert {first, heading.get_attribute("aria-sort")} == {"ascending", "descending"}


def test_the_checker_finds_what_is_wrong(page: Page, picture: Callable) -> None:
    page.set_content(
        "<html lang=en><title>Bad</title><h1>A</h1><h3>B</h3><img src='data:,'><p style='color:#ccc'>pale</p>"
        "<button style='outline:none'>unseen</button><a href='#' style='width:2000px;display:block'>wide</a>"
    )
    found = "\n".join(complaints(page))
    assert all(rule in found for rule in ("heading-order", "image-alt", "color-contrast"))
    assert scrolls_sideways(page)
    assert ["focus not seen" in line for line in lost_to_the_keyboard(page)] == [True]
    found = unreadable(page, "bad", picture)
    assert [one for one in found if "image-alt" in one and "light-narrow" in one]
    assert {one for one in found if "scrolls" in one} == {
        f"bad-{look}: scrolls sideways" for look in ("light-wide", "light-narrow", "dark-wide", "dark-narrow")
    }
    page.set_content(
        "<html lang=en><title>Pale</title><p>pale<style>@media (prefers-color-scheme: dark) { p { color: #ccc } }"
    )
    assert ["color-contrast" in one and "dark" in one for one in unreadable(page, "pale", picture)] == [True]


def test_a_picture_is_kept_in_256_colours(page: Page, tmp_path: Path) -> None:
    page.set_content("<h1>Seen</h1>")
    for seen in (page, page.locator("h1")):
        keep_picture(seen, tmp_path / "pictures" / "seen.png")
        assert Image.open(tmp_path / "pictures" / "seen.png").mode == "P"
