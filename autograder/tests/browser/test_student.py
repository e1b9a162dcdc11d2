"""What a student meets in JupyterLab: first cells, checks, who stays stuck, Validate, and the attention explorer."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

from autograder.demo import samples
from autograder.tests import needs
from autograder.tests.browser.accessibility import complaints
from autograder.tests.browser.lab import A_WHOLE_NOTEBOOK, Notebook, choose_theme
from autograder.tests.grading import right
from autograder.tests.needed_cells import needed
from autograder.tests.this_course import find_lesson
from autograder.views import figures
from attention import look_inside

pytestmark = needs.browser

WEIGHTED_SUMS = "01_weighted_sums/weighted_sums.ipynb"
GAUSSIAN_KERNEL = "04_gaussian_kernel/gaussian_kernel.ipynb"
TINY_TRANSFORMER = "07_tiny_transformer/tiny_transformer.ipynb"

EXERCISES = find_lesson("01_weighted_sums").names("test")
FIRST = EXERCISES[: EXERCISES.index("weighted_sum") + 1]
"""The exercises that these tests need."""

OFF_BY_ONE = """
def letter_embedding(word: str) -> list[int]:
    return [ord(letter) - ord("a") for letter in word.lower()]
"""
RIGHT = """
def letter_embedding(word: str) -> list[int]:
    return [ord(letter) - ord("a") + 1 for letter in word.lower()]
"""


ON_THE_LEFT = """
def pad_rows(vectors: list[list[float]]) -> np.ndarray:
    longest = max(len(vector) for vector in vectors)
    padded = np.zeros((len(vectors), longest))
    for row, vector in zip(padded, vectors):
        row[longest - len(vector):] = vector
    return padded
"""


def solve(course: Path, path: str, *wanted: str) -> str:
    """Fill the reference solutions into a released notebook; its text comes back.

    It keeps the cells in which one of the `wanted` texts stands, and what these need.
    """
    notebook, lesson = course / "course" / path, find_lesson(path.split("/")[0])
    given = right(lesson, lesson.names("solution"))
    solved = nbformat.reads(samples.filled(notebook.read_text(), given), as_version=4)
    solved.cells = needed(solved.cells, lambda cell: any(text in cell.source for text in wanted))
    nbformat.write(solved, notebook)
    return notebook.read_text()


@pytest.fixture(scope="module")
def first_lesson(course: Path, students_lab: str, tab: Page) -> Notebook:
    """The first lesson as it came, as far as its exercises are needed, with all its cells run."""
    path = course / "course" / WEIGHTED_SUMS
    short = nbformat.read(path, as_version=4)
    end = [cell.id for cell in short.cells].index(f"test_{FIRST[-1]}") + 1
    short.cells = short.cells[:end]
    nbformat.write(short, path)
    notebook = Notebook(tab, students_lab, WEIGHTED_SUMS)
    notebook.run_all()
    return notebook


def test_all_cells_of_an_untouched_lesson_are_run(first_lesson: Notebook, page: Page) -> None:
    for exercise in FIRST:
        expect(first_lesson.verdict(exercise)).to_have_class(re.compile("not-started"))
        expect(first_lesson.verdict(exercise)).to_contain_text("not started")
    expect(page.get_by_text("This cell waits for").first).to_be_visible()


def test_who_stays_stuck_is_told_more_with_each_other_answer(
    first_lesson: Notebook, page: Page, picture: Callable
) -> None:
    page.set_viewport_size({"width": 1280, "height": 1100})
    notebook, verdict = first_lesson, first_lesson.verdict("pad_rows")
    added = verdict.locator("details")

    notebook.answer("pad_rows", ON_THE_LEFT.strip())
    expect(verdict).to_contain_text("Looks like: padded on the left")
    notebook.check("pad_rows")
    expect(added).to_contain_text("The same answer as before")
    notebook.answer("pad_rows", ON_THE_LEFT.strip().replace("longest", "most"))
    expect(added.locator("p")).to_contain_text("gives you all the padding at once")
    notebook.answer("pad_rows", ON_THE_LEFT.strip().replace("longest", "width"))
    expect(added).to_have_count(2)
    expect(added.last).to_contain_text("values differ")
    fold, hint = added.first.locator("summary"), added.first.locator("p")
    fold.press("Enter")
    expect(hint).to_be_hidden()
    fold.press("Enter")
    expect(hint).to_be_visible()
    fold.blur()
    assert complaints(page, within=".verdict") == []
    verdict.scroll_into_view_if_needed()
    picture(verdict, "student-steps")

    choose_theme(page, "Dark")
    assert complaints(page, within=".verdict") == []
    choose_theme(page, "Light")


def test_an_exercise_from_todo_to_green(
    first_lesson: Notebook, students_lab: str, page: Page, picture: Callable
) -> None:
    notebook, verdict = first_lesson, first_lesson.verdict("letter_embedding")

    notebook.answer("letter_embedding", RIGHT.strip().removesuffix("]"))
    expect(page.get_by_text("SyntaxError").first).to_be_visible()  # until then the kernel drops what waits
    notebook.check("letter_embedding")
    expect(verdict).to_contain_text("its cell did not run (SyntaxError: ")
    notebook.answer("letter_embedding", RIGHT.strip().replace("word.lower()", "word.lowr()"))
    expect(verdict).to_contain_text("your code raised AttributeError")
    expect(verdict.locator("li").filter(has_text="✗")).to_have_count(0)
    expect(page.locator('[data-mime-type="application/vnd.jupyter.stderr"]')).to_have_count(0)
    verdict.scroll_into_view_if_needed()
    picture(page, "student-not-reached")

    notebook.answer("letter_embedding", OFF_BY_ONE.strip())
    expect(verdict).to_have_class(re.compile("wrong"))
    expect(verdict).to_contain_text("Looks like: letters counted from the wrong number")
    expect(verdict).to_contain_text("Ask yourself:")
    assert complaints(page, within=".verdict") == []
    verdict.scroll_into_view_if_needed()
    picture(page, "student-wrong")

    notebook.answer("letter_embedding", RIGHT.strip())
    expect(verdict).to_have_class(re.compile("right"))
    expect(verdict).to_contain_text("Visible checks pass. Grading tries more inputs.")
    near_miss = verdict.locator("details").filter(has_text="A near miss")
    expect(near_miss).to_have_attribute("open", "")
    assert complaints(page, within=".verdict") == []
    button = page.locator("button.widget-button", has_text="1")
    button.press("Enter")
    reply = re.compile("^(Right: |✗ It passes)|✓ Right: ")
    expect(page.locator(".verdict").filter(has_text=reply)).to_be_visible()
    expect(button).to_be_disabled()

    answer = notebook.validate()
    assert "check(pad_rows)" in answer
    assert "not started yet" in answer
    assert "check(letter_embedding)" not in answer
    picture(page, "student-validate")

    start = Notebook(page, students_lab, "start_here.ipynb")
    expect(page.locator(".jp-RenderedImage img")).to_be_visible()
    start.run_all()
    progress = page.locator(".jp-OutputArea section").first
    expect(progress).to_contain_text("1 of 10")
    expect(progress).to_contain_text(re.compile(r"✓\s*letter_embedding"))
    expect(progress).to_contain_text(re.compile(r"○\s*weighted_sum"))
    due = int(re.search(r"(\d) to ask again", progress.inner_text())[1])
    progress.scroll_into_view_if_needed()
    picture(page, "student-progress")

    question = page.locator(".jp-OutputArea .widget-vbox")
    for number in range(1, due + 1):
        expect(question).to_contain_text(f"{number} of {due} · Words become numbers")
        question.get_by_role("button", name="1", exact=True).last.click()
        expect(question).to_contain_text(re.compile("✓ Right|Right is"))
    expect(question).to_contain_text("That was all.")
    assert complaints(page, within=".widget-vbox") == []

    link = progress.get_by_role("link", name="weighted_sum", exact=True)
    shown = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-CodeCell")
    link.click()
    expect(shown.filter(has_text="check(letter_embedding)")).to_be_attached()
    page.get_by_role("tab", name="start_here.ipynb").click()
    link.click()  # JupyterLab goes to a cell of a notebook that is open, and else to its top
    expect(shown.filter(has_text="def weighted_sum(")).to_be_in_viewport()


def test_a_solved_lesson_has_a_live_slider_and_passes_validate(
    course: Path, students_lab: str, page: Page, picture: Callable
) -> None:
    checks = ("check(gaussian_weights)", "check(kernel_regression)")
    solve(course, GAUSSIAN_KERNEL, "check.lesson(", *checks, "kernel_pictures.by_eye(")
    notebook = Notebook(page, students_lab, GAUSSIAN_KERNEL)
    notebook.run_all()
    label = page.locator(".widget-label", has_text="bandwidth")
    dial = page.locator(".jp-CodeCell").filter(has=label).first
    slider, drawn = dial.get_by_role("slider"), dial.locator("img").last
    value = dial.locator(".widget-readout")
    expect(value).to_have_text("0.1")
    first = drawn.get_attribute("src")

    slider.press("ArrowRight")
    expect(value).to_have_text("0.25")
    expect(drawn).not_to_have_attribute("src", first)
    slider.scroll_into_view_if_needed()
    picture(page, "student-slider")
    slider.press("ArrowLeft")
    expect(drawn).to_have_attribute("src", first)

    assert "Success! Your notebook passes all the tests." in notebook.validate()


SHORTER = {
    "LossCurve(600,": "LossCurve(60,",
    "train(fresh(), 600, curve)": "train(fresh(), 60, curve)",
}
"""What lesson 07 trains by, and what is enough to watch it."""


def test_a_training_is_watched(course: Path, students_lab: str, page: Page, picture: Callable) -> None:
    text = solve(
        course, TINY_TRANSFORMER, "check.lesson(", "check(next_token_probabilities)", "LossCurve(600"
    )
    for long, short in SHORTER.items():
        assert long in text
        text = text.replace(long, short)
    (course / "course" / TINY_TRANSFORMER).write_text(text)
    notebook = Notebook(page, students_lab, TINY_TRANSFORMER)
    notebook.run_all()

    training = page.locator(".jp-CodeCell").filter(has_text="LossCurve(60,").last
    curve = training.locator("img")
    expect(curve).to_have_count(1, timeout=A_WHOLE_NOTEBOOK)
    begun = curve.get_attribute("src")
    expect(curve).not_to_have_attribute("src", begun)
    steps = re.compile(r"step +0 .*step +20 .*step +40 .*step +60 ", re.DOTALL)
    expect(training).to_contain_text(steps, timeout=A_WHOLE_NOTEBOOK)
    expect(curve).to_have_count(1)
    training.scroll_into_view_if_needed()  # the notebook may replace the picture itself
    picture(page, "student-training")
    expect(page.locator(".verdict.right")).to_have_count(1)


NO_ROOT = """
import numpy as np
from attention import look_inside, softmax

def my_attention(Q, K, V, mask):
    weights = softmax(np.where(mask, Q @ K.T, -np.inf))
    return weights @ V, weights

rows, causal = np.array([[1.0, 0, 2, 1], [0, 1, 0, 1], [2, 1, -1, 0]]), np.tri(3, dtype=bool)
look_inside(my_attention, rows, rows, rows, causal, queries="I love you")
"""


def test_a_forgotten_root_is_found_with_the_keyboard(
    course: Path, students_lab: str, page: Page, picture: Callable
) -> None:
    notebook = new_notebook(cells=[new_code_cell(NO_ROOT.strip())])
    notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
    nbformat.write(notebook, course / "course" / "inside.ipynb")
    Notebook(page, students_lab, "inside.ipynb").run_all()
    explorer = page.get_by_role("group", name="Inside my_attention")
    agreement, lead = explorer.locator(".agreement"), explorer.locator(".lead")
    expect(agreement).to_contain_text("≠ 5 of 9 weights of my_attention are not what the formula gives")

    table = explorer.get_by_role("grid", name="my_attention")
    expect(table.get_by_role("rowheader")).to_have_text(["I", "love", "you"])
    cell = table.get_by_role("gridcell", selected=True)
    cell.focus()
    page.keyboard.press("Home")
    expect(lead).to_have_text("you looks at I: q · k 0.00 → / √4 0.00 → softmax 0.04≠ function 0.00")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(lead).to_have_text("love looks at love: q · k 2.00 → / √4 1.00 → softmax 0.62≠ function 0.73")
    expect(explorer.get_by_role("row", name="product")).to_contain_text("sum 2.00")
    page.keyboard.press("ArrowRight")
    expect(lead).to_contain_text("mask −∞ → softmax 0.00= function 0.00")

    scale = explorer.get_by_role("switch", name="dividing by √d_k")
    scale.press("Space")
    expect(scale).to_have_attribute("aria-checked", "false")
    expect(agreement).to_have_text("= Without dividing by √d_k, the formula gives the same as my_attention.")
    scale.press("Space")
    softmax = explorer.get_by_role("switch", name="the softmax")
    softmax.press("Enter")
    expect(lead).not_to_contain_text("softmax")
    expect(explorer.get_by_role("grid", name="The formula, with parts off")).to_contain_text("3.00")
    softmax.press("Enter")
    assert complaints(page, within=".look-inside") == []
    picture(explorer, "student-explorer-light")

    choose_theme(page, "Dark")
    expect(explorer).to_have_css("color-scheme", "dark")
    assert complaints(page, within=".look-inside") == []
    choose_theme(page, "Light")


@pytest.mark.parametrize("built", [False, True])
def test_a_page_without_a_kernel_is_as_alive_and_calls_a_right_function_right(
    built: bool, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the size of the numbers is."""
    torch = pytest.importorskip("torch")
    shown: list[dict[str, str]] = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    (monkeypatch.setenv if built else monkeypatch.delenv)(figures.STATIC, *["1"] * built)
    draw = torch.Generator().manual_seed(0)
    queries, keys = (0.1 * torch.randn(8, 3, generator=draw) for _ in range(2))
    values = 1000 * torch.randn(8, 2, generator=draw)
    values -= values.mean(0)

    def right(Q, K, V):
        weights = torch.softmax(Q @ K.T / 3**0.5, -1)
        return weights @ V, weights

    def wrong(Q, K, V):
        output, weights = right(Q, K, V)
        return output + 5, weights

    look_inside(right, queries, keys, values)
    look_inside(wrong, queries, keys, values)
    page.set_content(f"<title>Two</title><main>{shown[0]['text/html']}<hr>{shown[1]['text/html']}</main>")
    agreement = page.locator(".agreement")
    expect(agreement.first).to_have_text("= The weights of right are what the formula gives.")
    expect(agreement.last).to_contain_text("≠ In 8 of 8 rows its output is not the sum")
    first, last = page.get_by_role("group", name=re.compile("Inside")).all()
    last.locator('[data-at="0,0"]').first.dispatch_event("mouseenter")
    expect(last.locator(".lead")).to_contain_text("query 0 looks at key 0")
    expect(first.locator(".lead")).not_to_contain_text("query 0 looks at key 0")
