"""What the browser tests share: a browser, a course folder, JupyterLab on it, and a place for pictures."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect, sync_playwright

from autograder.authoring.release import link_solutions
from autograder.courses import CLASS
from autograder.tests import needs
from autograder.tests.browser import lab
from autograder.tests.commands import run_nbgrader
from autograder.tests.grading import NBGRADERS_TRUST, hand_in, right
from autograder.tests.this_course import COURSE, ROOT, find_lesson

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # the first two are for a window that nobody sees, and cost more than a small page; Playwright turns the others off
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup,HttpsUpgrades,PaintHolding,MediaRouter,OptimizationHints",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no page leaves this machine
)
PICTURES = "ATTENTION_COURSE_PICTURES"
"""The folder that pictures are written to, from the repository's root; none are where it is not set."""

PATIENCE = 40
"""Seconds that an expectation may take to come true on a busy machine, and an action to become possible."""

LESSON = "04_gaussian_kernel"
NOTEBOOK = "gaussian_kernel"
WRITTEN = "explain_kernel"


@pytest.fixture(scope="package")
def tab() -> Iterator[Page]:
    """A page of the system's Chromium. It ends with these tests: its event loop would be in the way of others."""
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        tab = playwright.chromium.launch(executable_path=needs.CHROMIUM, args=FLAGS).new_page()
        tab.set_default_timeout(PATIENCE * 1000)
        yield tab


@pytest.fixture
def page(tab: Page) -> Page:
    """A page of a wide, light browser. All tests have the same one: each more would take as long as a test."""
    tab.set_viewport_size({"width": 1280, "height": 860})
    tab.emulate_media(color_scheme="light")
    return tab


@pytest.fixture(scope="package")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the course as an instructor has it: settings, lessons, releases, data."""
    folder = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    shutil.copytree(ROOT / "course", folder / "course", ignore=shutil.ignore_patterns(".*"))
    link_solutions(COURSE, folder)
    (folder / "data").symlink_to(ROOT / "data", target_is_directory=True)
    return folder


@pytest.fixture(scope="package")
def graded_course(make_course: Callable[[str], tuple[Path, Path]]) -> Path:
    """A course with two submissions graded by nbgrader, and their feedback pages; of ben's answers one is wrong."""
    course, _ = make_course(LESSON)
    shutil.copy(ROOT / "nbgrader_config.py", course)
    lesson = find_lesson(LESSON)
    given = right(lesson, lesson.names("solution")) | {WRITTEN: "They agree for keys of one length."}
    wrong = {"gaussian_weights": given["gaussian_weights"].replace("bandwidth**2", "bandwidth")}
    hand_in(course, "ada", lesson, given)
    hand_in(course, "ben", lesson, given | wrong | {WRITTEN: "A kernel looks for what is near."})
    run_nbgrader("autograde", LESSON, *NBGRADERS_TRUST, folder=course)
    (course / CLASS).write_text('contact = "ada@example.org"\n')
    run_nbgrader("generate_feedback", LESSON, folder=course)
    return course


@pytest.fixture(scope="package")
def students_lab(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the JupyterLab that `make lab` opens."""
    with lab.serving(lab.students_command(), course, tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture(scope="package")
def instructors_lab(graded_course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab on the whole course."""
    with lab.serving(["lab"], graded_course, tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.fixture
def picture() -> Callable[[Page | Locator, str], None]:
    """A function that renews the picture of this name, where pictures are wanted; else it sees that all is visible.

    An empty file `<name>.png` asks for a new picture.
    """

    def keep(seen: Page | Locator, name: str) -> None:
        path = ROOT / os.environ.get(PICTURES, "") / f"{name}.png"
        if PICTURES in os.environ and path.is_file():
            keep_picture(seen, path)
        elif isinstance(seen, Locator):
            expect(seen).to_be_visible()

    return keep


def keep_picture(seen: Page | Locator, path: Path) -> None:
    """Keep what is seen as a small PNG of 256 colours."""
    shot = Image.open(io.BytesIO(seen.screenshot())).convert("RGB")
    shot.quantize(256, dither=Image.Dither.NONE).save(path, optimize=True)
