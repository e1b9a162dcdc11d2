"""The pages that the course makes can be read and used by everyone, light or dark, wide or narrow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from autograder.tests import in_process, needs
from autograder.tests.browser.accessibility import complaints, lost_to_the_keyboard, scrolls_sideways
from autograder.tests.browser.conftest import LESSON, NOTEBOOK
from autograder.tests.commands import run_ours

pytestmark = [pytest.mark.slow, needs.browser]

SIZES = {"wide": {"width": 1280, "height": 860}, "narrow": {"width": 390, "height": 844}}
NAMES = ("feedback", "feedback-all-right", "class-report", "site-start", "site-lesson", "site-search")
SHOWN = (
    "feedback-light-wide",
    "feedback-dark-narrow",
    "class-report-light-wide",
    "site-lesson-light-wide",
    "site-lesson-dark-narrow",
)
"""The pages in the looks whose pictures are kept."""


@pytest.fixture(scope="module")
def pages(graded_course: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The course's pages by name, as addresses."""
    folder = tmp_path_factory.mktemp("pages")
    in_process.graded_class(folder, "01_weighted_sums", students=200, seed=1)
    run_ours("report", "--folder", str(folder))
    run_ours("site", "--folder", str(folder / "site"))
    feedback = graded_course.as_uri() + "/feedback"
    site = folder.as_uri() + "/site"
    return {
        "feedback": f"{feedback}/ben/{LESSON}/{NOTEBOOK}.html",
        "feedback-all-right": f"{feedback}/ada/{LESSON}/{NOTEBOOK}.html",
        "class-report": f"{folder.as_uri()}/reports/01_weighted_sums.html",
        "site-start": f"{site}/index.html",
        "site-lesson": f"{site}/{LESSON}/{NOTEBOOK}.html",
        "site-search": f"{site}/search.html?q=softmax",
    }


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", NAMES)
def test_everyone_can_read_it(
    pages: dict[str, str], open_page: Callable, picture: Callable, name: str, scheme: str, size: str
) -> None:
    page: Page = open_page(color_scheme=scheme, viewport=SIZES[size])
    page.goto(pages[name])
    if f"{name}-{scheme}-{size}" in SHOWN:
        picture(page, f"{name}-{scheme}-{size}")
    assert complaints(page) == []
    assert not scrolls_sideways(page)


@pytest.mark.parametrize("name", NAMES)
def test_the_keyboard_is_enough(pages: dict[str, str], page: Page, name: str) -> None:
    page.goto(pages[name])
    assert lost_to_the_keyboard(page) == []


def test_folds_open_with_the_keyboard(pages: dict[str, str], page: Page) -> None:
    page.goto(pages["site-lesson"])
    fold = page.locator("details").filter(has_text="Hint 1").first
    expect(fold).not_to_have_attribute("open", "")
    fold.locator("summary").press("Enter")
    expect(fold).to_have_attribute("open", "")


def test_tables_are_sorted_with_the_keyboard(pages: dict[str, str], page: Page) -> None:
    page.goto(pages["class-report"])
    heading = page.locator("th").filter(has=page.locator("button")).first
    heading.locator("button").press("Enter")
    first = heading.get_attribute("aria-sort")
    heading.locator("button").press("Enter")
    assert {first, heading.get_attribute("aria-sort")} == {"ascending", "descending"}


def test_the_checker_finds_what_is_wrong(page: Page) -> None:
    page.set_content(
        "<html lang=en><title>Bad</title><h1>A</h1><h3>B</h3><img src='data:,'><p style='color:#ccc'>pale</p>"
        "<button style='outline:none'>unseen</button><a href='#' style='width:2000px;display:block'>wide</a>"
    )
    found = "\n".join(complaints(page))
    assert all(rule in found for rule in ("heading-order", "image-alt", "color-contrast"))
    assert scrolls_sideways(page)
    assert ["focus not seen" in line for line in lost_to_the_keyboard(page)] == [True]
