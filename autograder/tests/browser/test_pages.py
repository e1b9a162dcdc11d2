"""The pages that people meet beside JupyterLab: formgrader, feedback and report.

They do what they are for, and can be read and used by everyone, light or dark, wide or narrow.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from autograder.tests import in_process, needs
from autograder.tests.browser.accessibility import lost_to_the_keyboard, unreadable
from autograder.tests.browser.conftest import LESSON, NOTEBOOK
from autograder.tests.browser.conftest import WRITTEN as QUESTION
from autograder.tests.browser.lab import Formgrader
from autograder.tests.commands import run_ours
from autograder.tests.this_course import find_lesson

pytestmark = needs.browser

WRITTEN = 4
"""Points for the answer in writing."""


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


@pytest.fixture(scope="module")
def pages(graded_course: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The course's pages by name, as addresses."""
    folder = tmp_path_factory.mktemp("pages")
    in_process.graded_class(folder, "01_weighted_sums", students=12, seed=1)
    run_ours("report", "--class", str(folder))
    return {
        "feedback": f"{graded_course.as_uri()}/feedback/ben/{LESSON}/{NOTEBOOK}.html",
        "class-report": f"{folder.as_uri()}/reports/01_weighted_sums.html",
    }


@pytest.mark.parametrize("name", ["feedback", "class-report"])
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
