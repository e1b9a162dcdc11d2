"""Who looks at whom: a sentence, with arrows from the word that asks to those that it weighs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.views import figures

from .drawing import GREY, INK, PALE, QUERY, VALUE, subplots, write
from .helpers import softmax
from .people import describe as describe

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WORDS = ["Ming", "bought", "apples", "then", "he", "went", "home"]
ASKING = WORDS.index("he")
SCORES = [3.0, 0.5, 1.5, -1.0, 1.0, 0.5, 0.0]
"""How well each word fits what *he* asks. Made up: no model has read the sentence."""


def who_he_looks_at() -> None:
    """The picture that the course opens with: made-up scores, and what softmax makes of them."""
    arrows(WORDS, softmax(np.array(SCORES)), ASKING, "Whom does 'he' look at? (weights of made-up scores)")


def turn_score() -> None:
    """The same picture, while the score of *Ming* is turned."""

    def weights_at(score: float) -> np.ndarray:
        return softmax(np.array([score, *SCORES[1:]]))

    def draw(score: float, axes: Axes) -> None:
        draw_arrows(axes, WORDS, weights_at(score), ASKING, fontsize=8)

    stills = (-1, 3, 5)
    figures.explore(
        draw,
        stills=stills,
        name=f"score of {WORDS[0]}",
        alt=" ".join(f"Score {score}: {told(WORDS, weights_at(score), ASKING)}" for score in stills),
        turn=np.arange(-3, 7.5, 0.5).tolist(),
    )


def arrows(words: Sequence[str], weights: Sequence[float] | np.ndarray, asking: int, title: str) -> None:
    """Show a sentence with an arrow from the word at `asking` to each word, the thicker, the larger its weight."""
    figure, axes = subplots(figsize=(8, 3.4))
    draw_arrows(axes, words, weights, asking, fontsize=15)
    axes.set(title=title)
    figures.show(figure, alt=f"{title}. {told(words, weights, asking)}")


def unseen_sentence() -> list[str]:
    """Return the words of a sentence that lesson 01 shows only at its end."""
    return ["Lena", "waited", "because", "Kofi", "said", "he", "had", "the", "key"]


def show_taken_in(
    words: Sequence[str], weights: Sequence[float] | np.ndarray, asking: int, letters: Sequence[float] | np.ndarray
) -> None:
    """Show arrows from the word at `asking` and, below, the letters that it takes in: numbers and what they spell."""
    figure, (top, row) = subplots(2, 1, figsize=(8, 4.6), height_ratios=(4, 1))
    draw_arrows(top, words, weights, asking, fontsize=14)
    top.set_title("Whom does 'he' look at? (your queries and keys)")
    numbers = np.asarray(letters, dtype=float)
    nearest = [chr(96 + number) if 1 <= number <= 26 else "" for number in numbers.round().astype(int)]
    row.bar(range(len(numbers)), 1, width=0.94, color="none", edgecolor=PALE)
    for place, (number, letter) in enumerate(zip(numbers, nearest, strict=True)):
        row.text(place, 0.62, letter, ha="center", va="center", color=VALUE, fontsize=22, weight="bold")
        row.text(place, 0.18, f"{number:.1f}", ha="center", va="center", color=GREY)
    row.set(xlim=(-4, len(numbers) + 1), ylim=(-0.03, 1.03))
    row.text(-0.7, 0.5, f"{words[asking]} takes in", ha="right", va="center", color=INK)
    row.axis("off")
    figures.show(
        figure,
        alt=f"{told(words, weights, asking)} Below, the numbers that {words[asking]} takes in: "
        f"{', '.join(f'{number:.1f}' for number in numbers)}. They spell {''.join(nearest)!r}.",
    )


def draw_arrows(
    axes: Axes, words: Sequence[str], weights: Sequence[float] | np.ndarray, asking: int, fontsize: float
) -> None:
    """The words in a row, with an arrow from the one at `asking` to each."""
    lengths = np.array([len(word) + 2.5 for word in words])
    places = lengths.cumsum() - lengths / 2
    for i, word in enumerate(words):
        bold = "bold" if i == asking else "normal"
        axes.text(places[i], 0, word, ha="center", va="center", fontsize=fontsize, weight=bold)
        _arrow(axes, places[asking], places[i], float(weights[i]), fontsize)
    axes.set(xlim=(0, lengths.sum()), ylim=(-3, 3.8 + 0.22 * max(abs(places - places[asking]))))
    axes.axis("off")


def told(words: Sequence[str], weights: Sequence[float] | np.ndarray, asking: int) -> str:
    """What the arrows show, the thickest first."""
    order = np.argsort(-np.asarray(weights), kind="stable")
    shares = ", ".join(f"{words[i]} {weights[i]:.2f}" for i in order)
    return f"Arrows from {words[asking]} to the words it weighs, thick where the weight is large: {shares}."


def _arrow(axes: Axes, start: float, end: float, weight: float, fontsize: float) -> None:
    """An arc over the words with its weight at the top; a word's arrow to itself turns below it.

    A weight that would read 0.00 is not written, and its arc is faint.
    """
    itself, faint = start == end, weight < 0.005
    seen = 0.5 if faint else 1
    left, right = (start - 0.8, start + 0.8) if itself else (start, end)
    base, height = (-0.9, -1.3) if itself else (1.2, 1.4 + 0.22 * abs(end - start))
    rise = 0 if itself else 0.9 * weight  # a thick tip is long and must not cover the word
    turn = np.linspace(0, np.pi, 60)
    x, y = (left + right) / 2 - (right - left) / 2 * np.cos(turn), base + height * np.sin(turn) + rise * turn / np.pi
    axes.plot(x, y, color=QUERY, linewidth=(0.04 + 0.73 * weight) * fontsize, solid_capstyle="butt", alpha=seen)
    tip, size = "^" if itself else "v", (0.33 + 1.47 * weight) * fontsize
    axes.plot(right, base + rise, marker=tip, color=QUERY, markersize=size, alpha=seen)
    if not faint:
        paper = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        place, size = ((left + right) / 2, base + height + rise / 2), max(7, 2 * fontsize / 3)
        axes.text(*place, f"{weight:.2f}", color=INK, ha="center", va="center", bbox=paper, size=size)


def two_maps(words: Sequence[str], faulty: np.ndarray, mended: np.ndarray) -> None:
    """Show the first draft's weights and mended ones, queries in rows, keys in columns, with the rows' sums."""
    maps = {"one total for the whole matrix": faulty, "one total for each row": mended}
    note = "Who looks at whom? (scores from word vectors)"
    figure, grid = subplots(1, len(maps), figsize=(figures.WIDTH, 4), sharey=True)
    picture: Any = None
    row_sums = []
    for axes, (name, table) in zip(grid, maps.items(), strict=True):
        weights = np.array(table, dtype=float)
        picture = axes.imshow(weights, cmap=figures.CMAP, vmin=0, vmax=1)
        write(axes, weights)
        for text in axes.texts:
            text.set_visible(text.get_text() != "0.00")
        sums = weights.sum(axis=1)
        for row, row_sum in enumerate(sums):
            axes.text(len(words) - 0.3, row, f"= {row_sum:.2f}", va="center")
        axes.set_xticks(range(len(words)), words, rotation=45, ha="right")
        axes.set_yticks(range(len(words)), words)
        axes.set(xlabel="the word that is looked at", title=name)
        row_sums.append(f"{name}: its rows sum to {', '.join(f'{one:.2f}' for one in sums)}.")
    grid[0].set_ylabel("the word that asks")
    figure.suptitle(f"{note}\nweights rounded, sums from exact weights")
    figure.colorbar(picture, ax=grid, label="weight", shrink=0.8, pad=0.06)
    rows = "heatmaps, a row for each word that asks, a column for each word that is looked at"
    figures.show(figure, alt=f"{note}: {rows}. {' '.join(row_sums)}")
