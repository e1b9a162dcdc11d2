"""The page on which answers are marked, with the keyboard, by one marker and by several at once."""

from __future__ import annotations

import base64
import io
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from autograder.marking.marker_view import released_text
from autograder.marking.server import redirect_page
from autograder.tests import needs
from autograder.tests.browser.accessibility import (
    SCHEMES,
    complaints,
    lost_to_the_keyboard,
    scrolls_sideways,
)
from autograder.tests.marked_class import LESSON, MOST, WRITTEN, MarkedClass, hand_in_words, make_class
from autograder.tests.reports import OTHER
from autograder.tests.this_course import ROOT

pytestmark = needs.browser
SELF = "In self-attention queries, keys and values come from one sequence; in cross-attention the queries do not."
ANSWERED = {
    "amelia": SELF,
    "benedict": SELF.replace("come", "came"),
    "cemre": SELF,
    "dorothy": "The mask hides what comes later, so that no word sees what it is to guess.",
    "eleanor": "Each head has its own projections, so it can look for something else.",
}


@contextmanager
def marking(folder: Path, marker: str) -> Iterator[str]:
    """Where a marker's page is served."""
    verb = ["mark", OTHER, "--no-browser", "--marker", marker, "--class", str(folder)]
    command = [sys.executable, "-m", "autograder.commands.cli", *verb]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def mark(folder: Path, student: str) -> tuple[float | None, bool, str]:
    """The points by hand of a student's answer, whether it waits, and the comment."""
    answer = MarkedClass(folder).answer(student)
    return answer.points, answer.waits, answer.comment


def points(folder: Path) -> list[float]:
    """All that were given, the fewest first."""
    answers = MarkedClass(folder).ada.of_question(OTHER, WRITTEN)
    return sorted(answer.points for answer in answers if answer.points is not None)


def form_of(student: str, folder: Path, page: Page) -> Locator:
    """Where a student's answer is marked, which the page does not tell."""
    return page.locator(f"#answer-{MarkedClass(folder).answer(student).id}")


def give(form: Locator, points: str, told: str = "saved") -> None:
    """Type points, and Enter."""
    form.get_by_label("Points").fill(points)
    form.get_by_label("Points").press("Enter")
    expect(form.locator("output")).to_have_text(told)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of a class in which two answers wait."""
    return make_class(tmp_path, {student: ANSWERED[student] for student in ("dorothy", "eleanor")})


@pytest.fixture
def address(folder: Path) -> Iterator[str]:
    """Where one marker's page is served."""
    with marking(folder, "ada") as address:
        yield address


def test_answers_are_marked_with_the_keyboard(address: str, folder: Path, page: Page) -> None:
    page.goto(address)
    expect(page.locator("#waiting")).to_have_text("0 of 2 marked, 2 wait")
    first = page.locator("form[data-answer]").first.get_attribute("data-answer")
    answers = MarkedClass(folder).ada.of_question(OTHER, WRITTEN)
    student = next(answer.student for answer in answers if answer.id == first)
    page.keyboard.type("99")
    page.keyboard.press("Enter")
    expect(page.locator("form.failed output").first).to_contain_text("Not saved")
    assert points(folder) == []
    for _ in "99":
        page.keyboard.press("Backspace")
    page.keyboard.type("1.5")
    page.keyboard.press("Tab")
    page.keyboard.type("<b>Which</b> row?")
    with page.expect_response(lambda answer: b"Which" in (answer.request.post_data_buffer or b"")):
        page.keyboard.press("Control+Enter")
    expect(page.locator("form.saved output").first).to_have_text("saved")
    assert mark(folder, student) == (1.5, False, "<b>Which</b> row?")
    page.reload()
    expect(page.locator("input[name=points]").first).to_have_value("1.5")
    expect(page.locator("textarea").first).to_have_value("<b>Which</b> row?")
    assert not complaints(page)
    assert not lost_to_the_keyboard(page)
    page.set_viewport_size({"width": 360, "height": 700})
    assert not scrolls_sideways(page)


def test_the_lesson_s_rubric_is_taken_over_by_one_click(address: str, folder: Path, page: Page) -> None:
    png = io.BytesIO()
    Image.new("RGB", (160, 90), (31, 119, 180)).save(png, "PNG")
    data = base64.b64encode(png.getvalue()).decode()
    words = f"Each head has its own projections.\n\n![image.png](data:image/png;base64,{data})"
    hand_in_words(folder, "eleanor", released_text(LESSON, WRITTEN).replace("*Your answer here.*", words))
    page.goto(address)
    form = form_of("eleanor", folder, page)
    expect(form.locator(".asked .answer")).to_be_hidden()
    shown = form.get_by_role("img", name="Picture 1 of this answer")
    expect(shown).to_be_visible()
    assert shown.evaluate("image => image.naturalWidth") == 160
    page.get_by_role("button", name="Take over the lesson's rubric").click()
    expect(form.locator(".picks button")).to_have_count(MOST)
    expect(page.locator(".offer")).to_be_hidden()
    form.get_by_label("Points").focus()
    page.keyboard.press("a")
    expect(form.locator("output")).to_have_text("saved")
    assert points(folder) == [1]
    form.locator(".asked summary").click()
    expect(form.locator(".asked .answer")).to_be_visible()
    assert not complaints(page)


def test_who_is_later_sees_what_is_there_and_loses_nothing(address: str, folder: Path, page: Page) -> None:
    """Of two assistants, and where other words were handed in meanwhile."""
    browser, other = page.context.browser, "A key says where to look."
    assert browser is not None
    with browser.new_context() as elsewhere:
        tabs = (page, elsewhere.new_page())
        for tab in tabs:
            tab.goto(address)
            expect(tab.locator("form").first).to_be_visible()
        first, second = (form_of("dorothy", folder, tab) for tab in tabs)
        give(first, "3.0")
        expect(first.get_by_label("Points")).to_have_value("3")
        second.get_by_label("Comment").fill("Which key?")
        second.get_by_label("Comment").press("Tab")
        expect(second.locator("output")).to_have_text("Not saved: somebody has marked it meanwhile.")
        assert mark(folder, "dorothy") == (3, False, "")
        expect(second.get_by_label("Points")).to_have_value("3")
        expect(second.get_by_label("Comment")).to_have_value("Which key?")
        expect(second.locator(".choice")).to_contain_text("There now: 3 points.")
        assert not complaints(tabs[1])
        assert not lost_to_the_keyboard(tabs[1])
        second.get_by_role("button", name="Save mine").press("Enter")
        expect(second.locator("output")).to_have_text("saved")
        assert mark(folder, "dorothy") == (3, False, "Which key?")
        give(second, "", told="saved: no points, so the answer waits again")
        assert mark(folder, "dorothy") == (None, True, "Which key?")
        second.get_by_role("button", name="Undo: back to 3 of 4 points").click()
        expect(second.locator("output")).to_have_text("saved")
        assert mark(folder, "dorothy") == (3, False, "Which key?")

    form = form_of("eleanor", folder, page)
    hand_in_words(folder, "eleanor", other)
    give(form, "2", told="Not saved: other words were handed in meanwhile.")
    expect(form.locator(".version").first).to_contain_text("What you had before you")
    expect(form.locator(".version").last).to_contain_text(other)
    assert mark(folder, "eleanor") == (None, True, "")
    give(form, "2")
    hand_in_words(folder, "eleanor", "A key says where to look, a value what is found there.")
    page.reload()
    for version, text in (
        (0, "Marked before: 2 of 4 points"),
        (0, other),
        (-1, "a value what is found there."),
    ):
        expect(form.locator(".version").nth(version)).to_contain_text(text)
    assert not complaints(page)
    form.get_by_role("button", name="Give the same again").click()
    expect(form.locator("output")).to_have_text("saved")
    assert mark(folder, "eleanor") == (2, False, "")


def test_who_came_by_a_file_stays_known_and_another_browser_is_not(
    address: str, page: Page, tmp_path: Path
) -> None:
    file = tmp_path / "mark.html"
    file.write_text(redirect_page(address))
    browser = page.context.browser
    assert browser is not None
    with browser.new_context() as known, browser.new_context() as unknown:
        first, other = known.new_page(), unknown.new_page()
        first.goto(file.as_uri())
        expect(first.locator("#waiting")).to_contain_text("marked")
        assert first.url == address.partition("?")[0]
        first.reload()
        expect(first.locator("form").first).to_be_visible()
        other.goto(first.url)
        expect(other.locator("main")).to_contain_text("open the address that it shows in its terminal")
        assert complaints(other) == []
        known.clear_cookies()
        first.locator("input[name=points]").first.fill("1")
        first.keyboard.press("Enter")
        expect(first.locator("form.failed output").first).to_contain_text("open the address that it shows")


def test_two_markers_at_once(page: Page, tmp_path: Path, picture: Callable) -> None:
    folder = make_class(tmp_path, ANSWERED)
    browser = page.context.browser
    assert browser is not None
    with ExitStack() as both:
        tabs = []
        for name in ("ada", "ben"):
            address = both.enter_context(marking(folder, name))
            context = both.enter_context(browser.new_context(viewport={"width": 1280, "height": 860}))
            tabs.append(context.new_page())
            tabs[-1].goto(address)
            expect(tabs[-1].locator("#waiting")).to_have_text("0 of 5 marked, 5 wait")
            assert not [student for student in ANSWERED if student in tabs[-1].content()]

        ada, ben = tabs
        ada.keyboard.press("Shift+R")
        ada.keyboard.type("one sequence, or two")
        ada.keyboard.press("Shift+Tab")
        ada.keyboard.type("2")
        ada.keyboard.press("Enter")
        expect(ada.locator(".picks button").first).to_have_text("a one sequence, or two +2")
        group, groups = (tab.locator("form", has=tab.locator(".alike:not([hidden])")) for tab in tabs)
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
        give(groups, "1", told="Not saved: somebody has marked it meanwhile.")
        expect(groups.locator(".choice")).to_contain_text("There now: 2 points, “one sequence, or two")
        groups.get_by_role("button", name="Take what is there").click()
        assert points(folder) == [2, 2, 2]

        wait = ben.locator("form[data-waits]")
        for told in ("4 of 5 marked, 1 wait", "All 5 answers are marked"):
            wait.first.get_by_label("Points").focus()
            ben.keyboard.press("#")
            ben.keyboard.type("1 ")
            ben.keyboard.press("Escape")
            ben.keyboard.type("3")
            ben.keyboard.press("Enter")
            expect(ben.locator("#waiting")).to_have_text(told)
        assert points(folder) == [2, 2, 2, 3, 3]

        ben.keyboard.press("Shift+U")
        expect(ben.locator("#waiting")).to_have_text("4 of 5 marked, 1 wait")
        ada.get_by_label("Rubric item a: points").fill("4")
        ada.keyboard.press("Enter")
        expect(group.get_by_label("Points")).to_have_value("4")
        wait.first.get_by_label("Points").focus()
        ben.keyboard.press("a")
        expect(wait.first.locator("output")).to_contain_text("somebody has changed this rubric item")
        expect(wait.first.get_by_label("Points")).to_have_value("4")
        assert points(folder) == [3, 4, 4, 4]
        ben.keyboard.press("Enter")
        expect(ben.locator("#waiting")).to_have_text("All 5 answers are marked")
        assert points(folder) == [3, 4, 4, 4, 4]
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
