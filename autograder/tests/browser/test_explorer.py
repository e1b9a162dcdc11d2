"""The attention explorer in JupyterLab: what is read with the eyes, with the keyboard, and by a screen reader."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Page, expect

from autograder import look_inside, softmax
from autograder.tests import needs
from autograder.tests.browser.accessibility import complaints
from autograder.tests.browser.lab import Notebook, choose

pytestmark = [pytest.mark.slow, needs.browser]

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

    choose(page, "Settings", "Theme")
    page.locator(".lm-Menu-itemLabel").get_by_text("JupyterLab Dark", exact=True).click()
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", "false")
    expect(explorer).to_have_css("color-scheme", "dark")
    assert complaints(page, within=".look-inside") == []
    picture(explorer, "student-explorer-dark")
    choose(page, "Settings", "Theme")
    page.locator(".lm-Menu-itemLabel").get_by_text("JupyterLab Light", exact=True).click()


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
