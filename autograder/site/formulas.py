"""A Sphinx extension: formulas as MathML, made when the site is built, so that pages need no script for them."""

from __future__ import annotations

import itertools
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from docutils import nodes
from fontTools import subset
from fontTools.ttLib import TTFont
from latex2mathml.converter import convert
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

FONT = "math.woff"
"""The formulas' font: without one made for mathematics, a browser stretches no brackets."""

LETTERS = (
    range(0x20, 0x7F),  # ASCII
    range(0xB0, 0xB8),  # degree sign to middle dot
    range(0x391, 0x3CA),  # Greek
    range(0x2010, 0x2060),  # dashes, dots, double bars
    range(0x2190, 0x2300),  # arrows and operators
    range(0x27E6, 0x27EC),  # brackets
    range(0x1D434, 0x1D468),  # italic letters
)
"""What the font keeps, so that it weighs a tenth."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Tell Sphinx of the renderer `mathml`."""
    app.add_html_math_renderer("mathml", (_visit_math, None), (_visit_math_block, None))
    return {"parallel_read_safe": True}


def _visit_math(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _visit_math_block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(f'<div class="formula">{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def write_font(path: Path) -> None:
    """Write the letters and signs of STIX Two Math, which ziamath brings along, that formulas are made of.

    The font keeps its names, which hold its licence, the SIL Open Font License.
    """
    font = TTFont(str(distribution("ziamath").locate_file("ziamath/fonts/STIXTwoMath-Regular.ttf")))
    letters = subset.Subsetter(subset.Options(layout_features=["ssty"], name_IDs=["*"]))
    letters.populate(unicodes=itertools.chain.from_iterable(LETTERS))
    letters.subset(font)
    font.flavor = "woff"
    font.save(path)
