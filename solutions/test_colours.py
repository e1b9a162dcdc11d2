"""One visual language: what a colour means is said in one place, and weights look alike in every picture."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent
PICTURES = sorted(path for path in FOLDER.glob("attention/*.py") if path.stem not in ("drawing", "grammar"))
LESSONS = sorted(path for path in FOLDER.glob("0*/*.py") if path.parent.name.endswith(f"_{path.stem}"))
OWN = {"flow": 3}
"""How many colours and maps of its own a module has: shades of Q, K and V."""

COLOUR = re.compile(r"#[0-9a-f]{6}|C\d|tab:\w+|(dark|light)?(red|blue|orange|green|purple)", re.IGNORECASE)
MAPS = {"Blues", "Oranges", "Greens", "viridis", "coolwarm", "RdBu", "RdBu_r", "Purples", "magma"}


def texts(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


@pytest.mark.parametrize("path", PICTURES, ids=lambda path: path.stem)
def test_colours_are_named_in_one_place(path: Path) -> None:
    own = [text for text in texts(path) if COLOUR.fullmatch(text) or text in MAPS]
    assert len(own) == OWN.get(path.stem, 0), own


DRAWN = {"plot", "loglog", "semilogx", "semilogy", "bar", "barh", "scatter", "hist", "fill_between"}
"""What takes a colour of matplotlib's own where it is given none."""


@pytest.mark.parametrize("path", [*PICTURES, *LESSONS], ids=lambda path: path.stem)
def test_nothing_is_drawn_in_colours_that_nobody_chose(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in DRAWN:
            assert {"color", "c"} & {one.arg for one in node.keywords}, ast.unparse(node)


def maps(path: Path) -> Iterator[dict[str, Any]]:
    """Of each call that is given a colour map, what it is called with, as text."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            given = {one.arg: ast.unparse(one.value) for one in node.keywords if one.arg}
            if "cmap" in given:
                yield given


@pytest.mark.parametrize("path", [*PICTURES, *LESSONS], ids=lambda path: path.stem)
def test_weights_run_from_0_to_1_and_signed_numbers_lie_on_both_sides_of_0(path: Path) -> None:
    for given in maps(path):
        if given["cmap"].endswith("CMAP"):
            assert (given.get("vmin"), given.get("vmax")) == ("0", "1"), given
        if given["cmap"] == "SIGNED":
            assert given["vmin"] == f"-{given['vmax']}", given
