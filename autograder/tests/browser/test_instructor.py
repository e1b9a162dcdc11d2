"""What an instructor meets in formgrader, nbgrader's own, after an autograde."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from autograder.tests import needs
from autograder.tests.browser.conftest import LESSON, NOTEBOOK
from autograder.tests.browser.lab import Formgrader

pytestmark = [pytest.mark.slow, needs.browser]


def test_formgrader_shows_verdicts_and_takes_a_score_by_hand(
    instructors_lab: str, page: Page, picture: Callable
) -> None:
    formgrader = Formgrader(page, instructors_lab)
    frame = formgrader.frame
    expect(frame.get_by_role("row").filter(has_text=LESSON)).to_contain_text("2")

    formgrader.follow("Manual Grading", LESSON, NOTEBOOK)
    full = frame.get_by_role("row").filter(has_text="24 / 28")
    expect(frame.get_by_role("row").filter(has_text="11 / 28")).to_be_visible()
    picture(page, "formgrader-class")

    full.get_by_role("link").last.click()
    expect(frame.locator(".verdict.right").first).to_be_attached()
    expect(frame.locator(".verdict.wrong")).to_have_count(0)
    expect(frame.locator("input.score#test_word_embedding")).to_have_attribute("placeholder", "6")
    score = frame.locator("input.score#explain_keys_and_values")
    score.fill("3")
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        score.press("Tab")

    formgrader.follow(NOTEBOOK)
    expect(frame.get_by_role("row").filter(has_text="27 / 28")).to_be_visible()

    frame.get_by_role("row").filter(has_text="11 / 28").get_by_role("link").last.click()
    wrong = frame.locator(".verdict.wrong").filter(has_text="scaled_dot_product_attention")
    expect(wrong).to_contain_text("Looks like:")
    wrong.scroll_into_view_if_needed()
    picture(page, "formgrader-submission")
