"""What a student meets in JupyterLab: first cells, checks, who stays stuck, Validate, and the attention explorer."""

from __future__ import annotations

import io
import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image
from playwright.sync_api import Page, expect

from autograder import look_inside, softmax
from autograder.courses import source
from autograder.demo import samples
from autograder.student import figures
from autograder.tests import needs
from autograder.tests.browser.accessibility import complaints
from autograder.tests.browser.conftest import PICTURES
from autograder.tests.browser.lab import A_WHOLE_NOTEBOOK, Notebook, choose_theme
from autograder.tests.grading import right
from autograder.tests.needed_cells import needed
from autograder.tests.this_course import COURSE, ROOT, find_lesson

pytestmark = [pytest.mark.slow, needs.browser]

WEIGHTED_SUMS = "01_weighted_sums/weighted_sums.ipynb"
GAUSSIAN_KERNEL = "04_gaussian_kernel/gaussian_kernel.ipynb"
TINY_TRANSFORMER = "07_tiny_transformer/tiny_transformer.ipynb"

FIRST = find_lesson("01_weighted_sums").names("test")[:6]
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


def test_a_clumsy_student_reads_what_is_the_matter(
    first_lesson: Notebook, page: Page, picture: Callable
) -> None:
    notebook, verdict = first_lesson, first_lesson.verdict("letter_embedding")

    notebook.answer("letter_embedding", RIGHT.strip())
    expect(verdict).to_have_class(re.compile("right"))
    notebook.answer("letter_embedding", RIGHT.strip().removesuffix("]"))
    notebook.check("letter_embedding")
    expect(verdict).to_contain_text("its cell did not run (SyntaxError: ")
    expect(verdict).to_contain_text("what was there before is not judged")

    notebook.answer("letter_embedding", RIGHT.strip().replace("word.lower()", "word.lowr()"))
    expect(verdict).to_contain_text("your code raised AttributeError")
    expect(verdict).to_contain_text("(not reached)")
    expect(verdict.locator("li").filter(has_text="✗")).to_have_count(0)
    expect(page.locator('[data-mime-type="application/vnd.jupyter.stderr"]')).to_have_count(0)
    verdict.scroll_into_view_if_needed()
    picture(page, "student-not-reached")


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
    expect(added.last).to_contain_text("first wrong at [0, 0]")
    expect(added.last.locator("td.differs")).to_have_text(["0", "9"])
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
    picture(verdict, "student-steps-dark")
    choose_theme(page, "Light")


def test_an_exercise_from_todo_to_green(
    first_lesson: Notebook, students_lab: str, page: Page, picture: Callable
) -> None:
    notebook, verdict = first_lesson, first_lesson.verdict("letter_embedding")

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
    verdict.scroll_into_view_if_needed()
    picture(page, "student-right")

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
    question.scroll_into_view_if_needed()
    picture(page, "student-practice")

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
    solve(course, GAUSSIAN_KERNEL, "check.lesson(", *checks, "kernel_pictures.curve(")
    notebook = Notebook(page, students_lab, GAUSSIAN_KERNEL)
    notebook.run_all()
    label = page.locator(".widget-label", has_text="bandwidth")
    dial = page.locator(".jp-CodeCell").filter(has=label).first
    slider, drawn = dial.get_by_role("slider"), dial.locator("img").last
    value = dial.locator(".widget-readout")
    expect(value).to_have_text("0.3")
    first = drawn.get_attribute("src")

    slider.press("ArrowRight")
    expect(value).to_have_text("0.4")
    expect(drawn).not_to_have_attribute("src", first)
    slider.scroll_into_view_if_needed()
    picture(page, "student-slider")
    slider.press("ArrowLeft")
    expect(drawn).to_have_attribute("src", first)

    assert "Success! Your notebook passes all the tests." in notebook.validate()


SHORTER = {
    "sentences(20_000": "sentences(2_000",
    "LossCurve(600,": "LossCurve(60,",
    "train(fresh(), 600, curve)": "train(fresh(), 60, curve)",
}
"""What lesson 07 trains by, and what is enough to watch it."""


def test_a_training_is_watched_and_its_temperature_turned(
    course: Path, students_lab: str, page: Page, picture: Callable
) -> None:
    pictures = ("LossCurve(600", "writing_pictures.temperatures(")
    text = solve(course, TINY_TRANSFORMER, "check.lesson(", "check(next_token_probabilities)", *pictures)
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
    slider = page.get_by_role("slider")
    value = page.locator(".widget-readout")
    drawn = page.locator(".jp-CodeCell").filter(has=slider).locator("img").last
    expect(value).to_have_text("0.1", timeout=A_WHOLE_NOTEBOOK)
    expect(curve).to_have_count(1)
    curve.scroll_into_view_if_needed()
    picture(page, "student-training")

    first = drawn.get_attribute("src")
    for stop in ("0.2", "0.3", "0.4"):
        slider.press("ArrowRight")
        expect(value).to_have_text(stop)
    expect(drawn).not_to_have_attribute("src", first)
    slider.scroll_into_view_if_needed()
    picture(page, "student-temperature")
    slider.press("Home")
    expect(value).to_have_text("0")
    expect(drawn).to_have_attribute("alt", re.compile("Here temperature = 0.$"))
    expect(page.locator(".verdict.right")).to_have_count(1)


NO_ROOT = """
import numpy as np
from autograder import look_inside, softmax

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
    picture(explorer, "student-explorer-dark")
    choose_theme(page, "Light")


def test_a_page_without_a_kernel_is_as_alive(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[dict[str, str]] = []
    monkeypatch.setattr("IPython.display.display", lambda data, raw: shown.append(data))
    rows = np.array([[1.0, 0, 2, 1], [0, 1, 0, 1]])
    look_inside(lambda Q, K, V: softmax(Q @ K.T / 2) @ V, rows, rows, rows)
    page.set_content(
        f"<title>Two on one page</title><main>{shown[0]['text/html']}<hr>{shown[0]['text/html']}</main>"
    )
    explorers = page.get_by_role("group", name=re.compile("Inside"))
    expect(explorers).to_have_count(2)
    explorers.last.get_by_role("gridcell", name="0.92").hover()
    expect(explorers.last.locator(".lead")).to_contain_text("query 0 looks at key 0: q · k 6.00 → / √4 3.00")
    expect(explorers.first.locator(".lead")).to_contain_text("query 1 looks at")


WHOLE = """
def softmax(x, axis=-1):
    x = np.asarray(x) + {} - {}
    powers = np.exp(x)
    weights = powers / powers.sum()
    return weights
"""
NO_TANH = """
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1) + {} - {}
        scores = self.w_v(features).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
"""
MASKED_SOFTMAX = """
def masked_softmax(X, valid_lens=None):
    if valid_lens is None:
        return X.softmax(-1)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return X.masked_fill(hidden, -math.inf).softmax(-1).masked_fill(hidden, 0.0)
"""
LETTERS = """
def length_weights(words):
    return np.array([len(word) for word in words]) / {}
"""

KINDS = (
    (WEIGHTED_SUMS, "softmax", "softmax", WHOLE, None),
    (
        WEIGHTED_SUMS,
        "predict_lost_weight",
        "weights_left",
        "weights_left = {} / 100 + 0 * {}",
        None,
    ),
    (
        "05_additive_vs_dot_product/additive_vs_dot_product.ipynb",
        "AdditiveAttention",
        "AdditiveAttention",
        NO_TANH,
        ("masked_softmax", MASKED_SOFTMAX.strip()),
    ),
)
"""Of each kind: its notebook, the exercise, what its cell defines, wrong answers, and what has to be right before."""

ADDED = {
    "softmax": (0, 1, 2, 2, 3),
    "predict_lost_weight": (0, 1, 1, 1, 2),
    "AdditiveAttention": (0, 1, 2, 2, 3),
}
"""How many sections a verdict has after each try."""


@pytest.fixture(scope="module")
def all_on(course: Path) -> str:
    """Where in JupyterLab a course lies in which checks may add all they can.

    Beside its first lesson lies what two of its exercises need.
    """
    folder = course / "course" / "all-on"
    for name in ("solutions", "course", "data"):
        shutil.copytree(COURSE.root / name, folder / name, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    settings = folder / "solutions" / "course.toml"
    settings.write_text(settings.read_text().replace("answer = false", "answer = true"))
    path = folder / "course" / WEIGHTED_SUMS
    short = nbformat.read(path, as_version=4)
    run = ("check.lesson(", "check(length_weights)", "check(join_halves)")
    short.cells = needed(short.cells, lambda cell: any(text in cell.source for text in run))
    nbformat.write(short, path.with_name("short.ipynb"))
    return "all-on/course"


def test_a_near_miss_is_answered_with_the_keyboard(all_on: str, students_lab: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 1100})
    notebook = Notebook(page, students_lab, f"{all_on}/01_weighted_sums/short.ipynb")
    notebook.run_all()
    expect(notebook.verdict("join_halves")).to_be_visible()
    for number in range(1, 6):
        notebook.answer("length_weights", LETTERS.strip().format(number))
        added = notebook.verdict("length_weights").locator("details")
        expect(added).to_have_count((0, 1, 2, 2, 3)[number - 1])
    code = source.without_marks(find_lesson("01_weighted_sums").solution("length_weights"))
    notebook.answer("length_weights", code.strip())
    asked = notebook.verdict("length_weights").locator("details")
    expect(asked.first).to_have_attribute("open", "")
    assert complaints(page, within=".verdict") == []
    first = page.locator("button.widget-button", has_text="1")
    first.press("Enter")
    expect(
        page.locator(".verdict").filter(has_text=re.compile("^(Right: |✗ It passes)|✓ Right: "))
    ).to_be_visible()
    expect(first).to_be_disabled()


@pytest.mark.skipif(PICTURES not in os.environ, reason="it only takes pictures")
def test_pictures_of_each_try(all_on: str, students_lab: str, page: Page) -> None:
    page.set_viewport_size({"width": 1100, "height": 1400})
    for path, exercise, defines, code, before in KINDS:
        notebook = Notebook(page, students_lab, f"{all_on}/{path}")
        notebook.run_all()
        expect(notebook.verdict(exercise)).to_be_visible(timeout=A_WHOLE_NOTEBOOK)
        idle = page.locator(".jp-StatusBar-TextItem").filter(has_text="| Idle")
        expect(idle).to_be_visible(timeout=A_WHOLE_NOTEBOOK)
        if before:
            notebook.answer(*before)
            expect(notebook.verdict(before[0])).to_have_class(re.compile("right"))
        seen: dict[str, list[Image.Image]] = {"light": [], "dark": []}
        for number in range(1, 6):
            notebook.answer(defines, code.strip().format(number, number, number))
            verdict = notebook.verdict(exercise)
            expect(verdict.locator("details")).to_have_count(ADDED[exercise][number - 1])
            if number == 4:
                continue
            shown = page.locator(".jp-CodeCell").filter(has=verdict).locator(".jp-OutputArea").first
            for theme, pictures in seen.items():
                if theme == "dark":
                    choose_theme(page, "Dark")
                shown.scroll_into_view_if_needed()
                page.wait_for_timeout(500)  # widgets come a moment later
                pictures.append(Image.open(io.BytesIO(shown.screenshot())).convert("RGB"))
            choose_theme(page, "Light")
        for theme, pictures in seen.items():
            sheet(pictures).save(
                ROOT / os.environ[PICTURES] / f"student-tries-{exercise}-{theme}.png", optimize=True
            )


@pytest.mark.skipif(PICTURES not in os.environ, reason="it only takes pictures")
@pytest.mark.parametrize(
    ("lesson", "exercise"),
    [
        ("01_weighted_sums", "softmax"),
        ("05_additive_vs_dot_product", "AdditiveAttention"),
        ("08_attention_today", "rotate"),
    ],
)
def test_pictures_of_a_box(all_on: str, students_lab: str, page: Page, lesson: str, exercise: str) -> None:
    page.set_viewport_size({"width": 1100, "height": 3400})
    of = find_lesson(lesson)
    notebook = Notebook(page, students_lab, f"{all_on}/{lesson}/{of.released.name}")
    notebook.run_all()
    expect(notebook.verdict(exercise)).to_be_visible(timeout=A_WHOLE_NOTEBOOK)
    for name in (*of.exercise(exercise).builds_on, exercise):
        notebook.answer(name, source.without_marks(of.solution(name)).strip())
    sections = notebook.verdict(exercise).locator("details")
    expect(sections.filter(has_text="A near miss")).to_have_count(1, timeout=A_WHOLE_NOTEBOOK)
    for section in sections.all():
        section.locator("summary").click()
    for theme in ("light", "dark"):
        choose_theme(page, theme.capitalize())
        shot = Image.open(io.BytesIO(notebook.verdict(exercise).screenshot())).convert("RGB")
        sheet([shot]).save(ROOT / os.environ[PICTURES] / f"student-box-{exercise}-{theme}.png", optimize=True)
    choose_theme(page, "Light")


def sheet(pictures: list[Image.Image]) -> Image.Image:
    """Pictures side by side, at three quarters of their size, in 64 colours."""
    small = [
        one.resize((one.width * 3 // 4, one.height * 3 // 4), Image.Resampling.LANCZOS) for one in pictures
    ]
    made = Image.new("RGB", (sum(one.width for one in small), max(one.height for one in small)), "#808080")
    for i, one in enumerate(small):
        made.paste(one, (sum(other.width for other in small[:i]), 0))
    return made.quantize(64, dither=Image.Dither.NONE)


@pytest.mark.parametrize("built", [False, True])
def test_the_explorer_calls_a_right_function_right_whatever_the_size_of_its_numbers(
    built: bool, page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    page.set_content(f"<main>{shown[0]['text/html']}<hr>{shown[1]['text/html']}</main>")
    agreement = page.locator(".agreement")
    expect(agreement.first).to_have_text("= The weights of right are what the formula gives.")
    expect(agreement.last).to_contain_text("≠ In 8 of 8 rows its output is not the sum")
