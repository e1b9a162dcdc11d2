"""Figures of lesson 08 that show why its ideas work, and what a window and stretched frequencies reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from autograder.views import figures

from .drawing import GREY, INK, KEY, PALE, PLUM, QUERY, RED, VALUE, subplots

if TYPE_CHECKING:
    import torch
    from matplotlib.axes import Axes

SMOOTHED = 24
"""A loss is drawn as the mean over so many positions before and after."""
LOOKS = {"as trained": (GREY, ":"), "window": (PLUM, "--"), "scaled": (KEY, "-."), "both": (INK, "-")}
"""How the lines of a picture are told apart, by colour and by dashes."""


def new_row(words: Sequence[str], new: int = 1) -> None:
    """The table of who looks at whom while a text grows: its last rows are new, all other rows were there before."""
    n = len(words)
    figure, axes = subplots(figsize=(6.4, 3.6))
    for row in range(n):
        for column in range(row + 1):
            fresh = row >= n - new
            color = QUERY if fresh else PALE
            axes.add_patch(_square(column, row, color))
            if fresh and column >= n - new:
                axes.add_patch(_square(column, row, color, edge=KEY))
    axes.set(xlim=(-0.6, n + 3.6), ylim=(n - 0.4, -0.6), aspect="equal")
    axes.set_xticks(range(n), words, rotation=45, ha="right")
    axes.set_yticks(range(n), words)
    axes.text(n - 0.3, n - new - 1.4, "computed before:\nthese scores are not needed again", color=GREY, va="center")
    axes.text(n - 0.3, n - new / 2 - 0.5, "the new word: one more row,\none more key (orange)", color=INK, va="center")
    axes.set(xlabel="keys", ylabel="queries")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figures.show(
        figure,
        alt=f"Of {n} words each looks at itself and at all before it. The row of the last one, {words[-1]}, is new; "
        "the rows above it were computed before and have no square in its column.",
    )


def _square(column: float, row: float, color: str, edge: str = "white") -> object:
    from matplotlib.patches import Rectangle

    width = 1 if edge == "white" else 3
    inner = 0.5 if edge == "white" else 0.42
    return Rectangle((column - inner, row - inner), 2 * inner, 2 * inner, facecolor=color, edgecolor=edge, lw=width)


def reach(n: int, widths: Sequence[int | None]) -> None:
    """From the last of n words, what it can learn of if each block has a window of its own, or None for all words."""
    figure, axes = subplots(figsize=(7, 1 + 0.8 * len(widths)))
    reached = {n - 1}
    for block in range(len(widths), -1, -1):
        for word in range(n):
            color = INK if word in reached else PALE
            axes.plot(word, block, "o", color=color, markersize=11)
        if not block:
            break
        below = set()
        for word in reached:
            for seen in range(max(0, word - (widths[block - 1] or n) + 1), word + 1):
                axes.plot([word, seen], [block, block - 1], color=GREY, linewidth=0.9, zorder=0)
                below.add(seen)
        reached = below
    seen_by = [f"the last {width} words" if width else "all words" for width in widths]
    looks = [f"block {i}: {words}" for i, words in enumerate(seen_by, start=1)]
    for i, look in enumerate(looks):
        axes.text(n - 0.4, i + 0.5, look, color=INK, va="center", fontsize=9)
    axes.set_yticks(range(len(widths) + 1), ["the words", *(f"after block {i + 1}" for i in range(len(widths)))])
    axes.set_xticks(range(n), [f"{word - n + 1}" if word < n - 1 else "now" for word in range(n)])
    axes.set(xlim=(-0.6, n + 3.6), ylim=(-0.4, len(widths) + 0.4), xlabel="word, counted from the newest one")
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    figures.show(
        figure,
        alt=f"{'; '.join(looks)}. The last of {n} words learns of {len(reached)} words, itself one.",
    )


def turns(frequencies: Mapping[str, torch.Tensor], trained: int, read: int, unit: str = "sign") -> None:
    """For each pair of columns, as far as it turned in training and as it turns in a longer text, by name.

    The first of the frequencies are those of the training.
    """
    from matplotlib.patches import Circle, Wedge

    paces = {name: np.degrees(np.asarray(own, dtype=float)) for name, own in frequencies.items()}
    first = next(iter(paces.values())) * trained
    figure, rows = subplots(len(paces), len(first), figsize=(7.4, 0.6 + 1.25 * len(paces)), squeeze=False)
    told = []
    for number, (name, own) in enumerate(paces.items()):
        unseen = 0
        for pair, axes in enumerate(rows[number]):
            seen, reached = min(first[pair], 360), min(own[pair] * read, 360)
            axes.add_patch(Circle((0, 0), 1, fill=False, color=PALE))
            axes.add_patch(Wedge((0, 0), 1, 0, seen, color=VALUE, alpha=0.8, linewidth=0))
            if reached > seen + 1e-3:
                new = Wedge((0, 0), 1, seen, reached, facecolor=RED, edgecolor="white", alpha=0.8, linewidth=0)
                new.set_hatch("///")
                axes.add_patch(new)
                unseen += 1
            axes.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal")
            axes.axis("off")
            axes.set_title(f"{name}\n" * (pair == 0) + f"pair {pair}", fontsize=9, color=INK, loc="left")
        told.append(f"{name}: {unseen} of {len(first)} pairs come to new angles")
    line = f"green: turned through in {trained} {unit}s; red, hatched: new angles in {read} {unit}s"
    figure.suptitle(line, fontsize=10, color=INK)
    figures.show(
        figure, alt=f"How far each pair of columns turns within {read} {unit}s. {'; '.join(told)}."
    )


def near_or_far(
    losses: Mapping[str, torch.Tensor], shares: Mapping[str, Mapping[int, float]], context: int = 128,
    longest: int = 15, unit: str = "token",
) -> None:
    """Side by side: the loss of the novels by position, and the share of signs found by how many signs a round has.

    Both by way of reading. context: how many tokens the writer was trained on; longest: how many signs a round had.
    """
    figure, (left, right) = subplots(1, 2, figsize=(8.4, 3.5))
    half, told = context // 2, []
    for name, course in losses.items():
        color, style = LOOKS[name]
        smooth = _smooth(np.asarray(course, dtype=float))
        above = 2 if style == "-" else 3  # dashes over what is drawn through, where both nearly coincide
        at = np.arange(SMOOTHED, len(smooth)) + 1
        left.plot(at, smooth[SMOOTHED:], style, color=color, linewidth=2, label=name, zorder=above)
        near, far = course[half - 1 : context - 1].mean(), course[2 * context - 1 :].mean()
        told.append(f"{name} {near:.2f} at {half}–{context - 1} and {far:.2f} from {2 * context} on")
    left.axvline(context, color=RED, linewidth=1)
    left.set(xlabel=f"{unit}s read", ylabel=f"nats a {unit}", title="the novels")
    left.margins(y=0.15)
    left.text(context, left.get_ylim()[1], f" trained on {context}", color=RED, va="top", fontsize=9)
    _open(left)
    also = []
    for name, parts in shares.items():
        color, style = LOOKS[name]
        look = {"linestyle": style, "linewidth": 2, "marker": "o", "markersize": 4}
        right.plot(list(parts), list(parts.values()), color=color, label=name, **look)
        also.append(f"{name} {', '.join(f'{share:.0%} at {period}' for period, share in parts.items())}")
    right.axvline(longest, color=RED, linewidth=1)
    right.text(longest, 1.14, f" trained up to {longest}", color=RED, va="top", fontsize=9)
    right.set(xlabel="signs in a round", ylabel="found", title="repeated signs", ylim=(-0.02, 1.15))
    right.yaxis.set_major_formatter("{x:.0%}")
    _open(right)
    figure.legend(*left.get_legend_handles_labels(), loc="outside lower center", ncols=len(losses), frameon=False)
    figures.show(
        figure,
        alt=f"Left, the loss of the novels by position, with a line at {context}: {'; '.join(told)}. Right, the "
        f"share of repeated signs found, with a line at {longest}: {'; '.join(also)}.",
    )


def _smooth(course: np.ndarray) -> np.ndarray:
    """The mean of each number and those around it, fewer at both ends."""
    return np.array([course[max(0, i - SMOOTHED) : i + SMOOTHED + 1].mean() for i in range(len(course))])


def _open(axes: Axes) -> None:
    """Without the frame's upper and right side."""
    axes.spines[["top", "right"]].set_visible(False)
