"""What a student who stays stuck is shown with each try, in JupyterLab, where all of it is on."""

from __future__ import annotations

import io
import os
import re
import shutil
from collections.abc import Iterator

import nbformat
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from autograder.courses import source
from autograder.tests import needs
from autograder.tests.browser import lab
from autograder.tests.browser.accessibility import complaints
from autograder.tests.browser.conftest import PICTURES
from autograder.tests.browser.lab import Notebook, choose
from autograder.tests.needed_cells import needed
from autograder.tests.this_course import COURSE, ROOT, find_lesson

pytestmark = [pytest.mark.slow, needs.browser]

FIRST_LESSON = "01_weighted_sums/weighted_sums.ipynb"
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
    (FIRST_LESSON, "softmax", "softmax", WHOLE, None),
    (
        FIRST_LESSON,
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
    "softmax": (0, 1, 2, 2, 3, 3, 3),
    "predict_lost_weight": (0, 1, 1, 1, 1, 1, 2),
    "AdditiveAttention": (0, 1, 2, 2, 3, 3, 3),
}
"""How many sections a verdict has after each try."""


@pytest.fixture(scope="module")
def all_on(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a JupyterLab on a course in which checks may add all they can.

    Beside its first lesson lies what two of its exercises need.
    """
    folder = tmp_path_factory.mktemp("all-on")
    for name in ("solutions", "course", "data"):
        shutil.copytree(COURSE.root / name, folder / name, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    settings = folder / "solutions" / "course.toml"
    settings.write_text(
        settings.read_text().replace("puzzle = false\nanswer = false", "puzzle = true\nanswer = true")
    )
    path = folder / "course" / FIRST_LESSON
    short = nbformat.read(path, as_version=4)
    run = ("check.lesson(", "check(length_weights)", "check(join_halves)")
    short.cells = needed(short.cells, lambda cell: any(text in cell.source for text in run))
    nbformat.write(short, path.with_name("short.ipynb"))
    with lab.serving(lab.students_command(), folder, tmp_path_factory.mktemp("home")) as address:
        yield address


def test_a_puzzle_is_put_in_order_with_the_keyboard(all_on: str, page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 1100})
    notebook = Notebook(page, all_on, "01_weighted_sums/short.ipynb")
    notebook.run_all()
    expect(notebook.verdict("join_halves")).to_be_visible()
    for number in range(1, 6):
        notebook.answer("length_weights", LETTERS.strip().format(number))
        added = notebook.verdict("length_weights").locator("details")
        expect(added).to_have_count((0, 1, 2, 2, 3)[number - 1])
    lines = page.locator(".puzzle-lines select").locator("option")
    expect(lines).to_have_count(5)
    assert complaints(page, within=".verdict") == []
    for begins in ("return lengths / lengths.sum()", "lengths = np.array([len(word) for"):
        raise_to_the_top(page, begins)
    lines.locator("..").select_option(
        label="─── below this bar: left out ───".replace(" ", "\N{NO-BREAK SPACE}")
    )
    for place in (3, 2):
        page.get_by_role("button", name="↑ up").press("Enter")
        expect(lines.nth(place)).to_contain_text("left")
    page.get_by_role("button", name="check the lines above the bar").press("Enter")
    expect(page.locator(".verdict.right").filter(has_text="length_weights from the lines")).to_be_visible()


def raise_to_the_top(page: Page, begins: str) -> None:
    """Choose a line of a puzzle, and press its button until it is the first."""
    lines = page.locator(".puzzle-lines select").locator("option")
    text = begins.replace(" ", "\N{NO-BREAK SPACE}")
    place = next(i for i, one in enumerate(lines.all_inner_texts()) if text in one)
    lines.locator("..").select_option(index=place)
    while place:
        place -= 1
        page.get_by_role("button", name="↑ up").press("Enter")
        expect(lines.nth(place)).to_contain_text(text)


@pytest.mark.skipif(PICTURES not in os.environ, reason="it only takes pictures")
def test_pictures_of_each_try(all_on: str, page: Page) -> None:
    page.set_viewport_size({"width": 1100, "height": 1400})
    for path, exercise, defines, code, before in KINDS:
        notebook = Notebook(page, all_on, path)
        notebook.run_all()
        expect(notebook.verdict(exercise)).to_be_visible(timeout=lab.A_WHOLE_NOTEBOOK)
        idle = page.locator(".jp-StatusBar-TextItem").filter(has_text="| Idle")
        expect(idle).to_be_visible(timeout=lab.A_WHOLE_NOTEBOOK)
        if before:
            notebook.answer(*before)
            expect(notebook.verdict(before[0])).to_have_class(re.compile("right"))
        seen: dict[str, list[Image.Image]] = {"light": [], "dark": []}
        for number in range(1, 8):
            notebook.answer(defines, code.strip().format(number, number, number))
            verdict = notebook.verdict(exercise)
            expect(verdict.locator("details")).to_have_count(ADDED[exercise][number - 1])
            if number in (4, 6):
                continue
            shown = page.locator(".jp-CodeCell").filter(has=verdict).locator(".jp-OutputArea").first
            for theme, pictures in seen.items():
                if theme == "dark":
                    choose_theme(page, "JupyterLab Dark", "false")
                shown.scroll_into_view_if_needed()
                page.wait_for_timeout(500)  # widgets come a moment later
                pictures.append(Image.open(io.BytesIO(shown.screenshot())).convert("RGB"))
            choose_theme(page, "JupyterLab Light", "true")
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
def test_pictures_of_a_box(all_on: str, page: Page, lesson: str, exercise: str) -> None:
    page.set_viewport_size({"width": 1100, "height": 3400})
    of = find_lesson(lesson)
    notebook = Notebook(page, all_on, f"{lesson}/{of.released.name}")
    notebook.run_all()
    expect(notebook.verdict(exercise)).to_be_visible(timeout=lab.A_WHOLE_NOTEBOOK)
    for name in (*of.exercise(exercise).builds_on, exercise):
        notebook.answer(name, source.without_marks(of.solution(name)).strip())
    sections = notebook.verdict(exercise).locator("details")
    expect(sections.filter(has_text="To check what you said")).to_have_count(1, timeout=lab.A_WHOLE_NOTEBOOK)
    for section in sections.all():
        section.locator("summary").click()
    for theme, dark in (("light", False), ("dark", True)):
        choose_theme(page, f"JupyterLab {theme.capitalize()}", str(not dark).lower())
        shot = Image.open(io.BytesIO(notebook.verdict(exercise).screenshot())).convert("RGB")
        sheet([shot]).save(ROOT / os.environ[PICTURES] / f"student-box-{exercise}-{theme}.png", optimize=True)
    choose_theme(page, "JupyterLab Light", "true")


def choose_theme(page: Page, name: str, light: str) -> None:
    choose(page, "Settings", "Theme")
    page.locator(".lm-Menu-itemLabel").get_by_text(name, exact=True).click()
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", light)


def sheet(pictures: list[Image.Image]) -> Image.Image:
    """Pictures side by side, at three quarters of their size, in 64 colours."""
    small = [
        one.resize((one.width * 3 // 4, one.height * 3 // 4), Image.Resampling.LANCZOS) for one in pictures
    ]
    made = Image.new("RGB", (sum(one.width for one in small), max(one.height for one in small)), "#808080")
    for i, one in enumerate(small):
        made.paste(one, (sum(other.width for other in small[:i]), 0))
    return made.quantize(64, dither=Image.Dither.NONE)
