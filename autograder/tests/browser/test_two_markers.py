"""Two markers in two browsers at once, each with a program of their own on one class."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from playwright.sync_api import Page, expect

from autograder.tests import needs
from autograder.tests.browser.accessibility import SCHEMES, complaints, lost_to_the_keyboard
from autograder.tests.marked_class import LESSON, WRITTEN, make_class
from autograder.tests.reports import OTHER
from autograder.tests.this_course import ROOT

pytestmark = [pytest.mark.slow, needs.browser]
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
    verb = ["mark", OTHER, "--no-browser", "--marker", marker, "--folder", str(folder)]
    command = [sys.executable, "-m", "autograder.cli", *verb]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def marks(folder: Path) -> dict[str, float | None]:
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}") as gradebook:
        where = (WRITTEN, LESSON.notebook, OTHER)
        return {student: gradebook.find_grade(*where, student).manual_score for student in ANSWERED}


def test_two_markers_at_once(page: Page, tmp_path: Path, picture: Callable) -> None:
    folder = make_class(tmp_path, ANSWERED)
    browser = page.context.browser
    assert browser is not None
    with ExitStack() as both:
        addresses = [both.enter_context(marking(folder, name)) for name in ("ada", "ben")]
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
        assert [points for points in marks(folder).values() if points is not None] == [2, 2, 2]

        wait = ben.locator("form[data-waits]")
        for told in ("4 of 5 marked, 1 wait", "All 5 answers are marked"):
            wait.first.get_by_label("Points").focus()
            ben.keyboard.press("#")
            ben.keyboard.type("1 ")
            ben.keyboard.press("Escape")
            ben.keyboard.type("3")
            ben.keyboard.press("Enter")
            expect(ben.locator("#waiting")).to_have_text(told)
        assert sorted(points or 0 for points in marks(folder).values()) == [2, 2, 2, 3, 3]

        ben.keyboard.press("Shift+U")
        expect(ben.locator("#waiting")).to_have_text("4 of 5 marked, 1 wait")
        ada.get_by_label("Rubric item a: points").fill("4")
        ada.keyboard.press("Enter")
        expect(group.get_by_label("Points")).to_have_value("4")
        assert sorted(points or 0 for points in marks(folder).values()) == [0, 3, 4, 4, 4]
        wait.first.get_by_label("Points").focus()
        ben.keyboard.press("a")
        expect(wait.first.locator("output")).to_contain_text(
            "somebody has changed this rubric item meanwhile"
        )
        expect(wait.first.get_by_label("Points")).to_have_value("4")
        assert sorted(points or 0 for points in marks(folder).values()) == [0, 3, 4, 4, 4]
        ben.keyboard.press("Enter")
        expect(ben.locator("#waiting")).to_have_text("All 5 answers are marked")
        assert sorted(points or 0 for points in marks(folder).values()) == [3, 4, 4, 4, 4]
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
