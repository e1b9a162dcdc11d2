"""Who looks at whom: a sentence, with arrows from the word that asks to those that it weighs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from autograder.student import figures

from .drawing import INK, QUERY, subplots
from .helpers import softmax

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WORDS = ["Ming", "bought", "apples", "then", "he", "went", "home"]
ASKING = WORDS.index("he")
SCORES = [3.0, 0.5, 1.5, -1.0, 1.0, 0.5, 0.0]
"""How well each word fits what *he* asks. Made up: no model has read the sentence."""


def who_he_looks_at() -> None:
    """The picture that the course opens with: made-up scores, and what softmax makes of them."""
    arrows(WORDS, softmax(np.array(SCORES)), ASKING, "Who does he look at? (weights of made-up scores)")


def arrows(words: Sequence[str], weights: Sequence[float] | np.ndarray, asking: int, title: str) -> None:
    """Show a sentence with an arrow from the word at `asking` to each word, as thick as its weight."""
    figure, axes = subplots(figsize=(8, 3.4))
    lengths = np.array([len(word) + 2.5 for word in words])
    places = lengths.cumsum() - lengths / 2
    for i, word in enumerate(words):
        bold = "bold" if i == asking else "normal"
        axes.text(places[i], 0, word, ha="center", va="center", fontsize=15, weight=bold)
        _arrow(axes, places[asking], places[i], float(weights[i]))
    axes.set(xlim=(0, lengths.sum()), ylim=(-3, 3.8 + 0.22 * max(abs(places - places[asking]))), title=title)
    axes.axis("off")
    figures.show(figure, alt=f"{title}. {told(words, weights, asking)}")


def told(words: Sequence[str], weights: Sequence[float] | np.ndarray, asking: int) -> str:
    """What the arrows show, the thickest first."""
    order = np.argsort(-np.asarray(weights), kind="stable")
    shares = ", ".join(f"{words[i]} {weights[i]:.2f}" for i in order)
    return f"Arrows from {words[asking]} to the words it weighs, thick where the weight is large: {shares}."


def _arrow(axes: Axes, start: float, end: float, weight: float) -> None:
    """An arc over the words with its weight at the top; a word's arrow to itself turns below it."""
    itself = start == end
    left, right = (start - 0.8, start + 0.8) if itself else (start, end)
    base, height = (-0.9, -1.3) if itself else (1.2, 1.4 + 0.22 * abs(end - start))
    turn = np.linspace(0, np.pi, 60)
    x, y = (left + right) / 2 - (right - left) / 2 * np.cos(turn), base + height * np.sin(turn)
    axes.plot(x, y, color=QUERY, linewidth=0.6 + 11 * weight, solid_capstyle="butt")
    axes.plot(right, base, marker="^" if itself else "v", color=QUERY, markersize=5 + 22 * weight)
    paper = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    top = base + height
    axes.text((left + right) / 2, top, f"{weight:.2f}", color=INK, ha="center", va="center", bbox=paper)
