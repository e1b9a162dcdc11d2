"""Figures of lesson 08; what their alt texts say of results is made from these."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from autograder.views import figures

from .drawing import GREY, INK, KEY, PALE, QUERY, RED, subplots

if TYPE_CHECKING:
    import torch
    from matplotlib.axes import Axes


def losses_by_position(losses: Mapping[str, torch.Tensor], context: int) -> None:
    """The mean loss (n - 1,) of the word after each position, by writer, and its mean over nine of them, thick.

    Where nobody was trained the ground is red.
    """
    figure, axes = subplots(figsize=(7, 3.4))
    told: list[str] = []
    looks = ((INK, "-"), (GREY, ":"))
    heights = _apart({name: float(course[-len(course) // 4 :].mean()) for name, course in losses.items()}, 0.3)
    for (name, course), (color, style) in zip(losses.items(), looks):
        read = np.arange(1, len(course) + 1)
        axes.plot(read, course.tolist(), color=color, alpha=0.3, linewidth=0.8)
        for part in (slice(0, context), slice(context - 1, None)):  # what is trained apart from what is not
            axes.plot(read[part], _smooth(course[part].numpy()), style, color=color, linewidth=2.5)
        axes.text(len(course) + 3, heights[name], name, color=color, va="center")
        before, after = course[: context - 1].mean(), course[4 * context - 1 :].mean()
        told.append(f"{name} {before:.1f} before and {after:.1f} long after")
    axes.axvspan(context, len(course) + 1, color=RED, alpha=0.07, linewidth=0)
    axes.axvline(context, color=RED, linewidth=1)
    axes.text(context + 1.5, 0.15, f"never trained on more than {context} words", color=RED)
    label = "nats a word\n(thick: the mean of nine)"
    axes.set(xlabel="words read", ylabel=label, xlim=(0, len(course) + 1), ylim=(0, None))
    _open(axes)
    figures.show(figure, alt=f"The loss by the number of words read, with a line at {context}: {'; '.join(told)}.")


def _apart(heights: Mapping[str, float], least: float) -> dict[str, float]:
    """These heights, moved up as far as labels need in order not to touch."""
    found: dict[str, float] = {}
    for name, height in sorted(heights.items(), key=lambda one: one[1]):
        found[name] = max([height, *(below + least for below in found.values())])
    return found


def _smooth(course: np.ndarray, around: int = 4) -> np.ndarray:
    """The mean of each number and those around it, fewer at both ends."""
    return np.array([course[max(0, i - around) : i + around + 1].mean() for i in range(len(course))])


def _open(axes: Axes) -> None:
    """Without the frame's upper and right side."""
    axes.spines[["top", "right"]].set_visible(False)


def two_clocks(
    rotate: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], q: torch.Tensor, k: torch.Tensor,
    places: tuple[int, int],
) -> None:
    """One pair of columns of a query and a key, (2,) each, as hands; a slider moves the places of both on."""
    import torch
    from matplotlib.patches import Circle, Wedge

    def hands(moved: float) -> tuple[list[list[float]], float]:
        """Where both point, and by how many degrees the query is ahead."""
        ends = [rotate(one[None], torch.tensor([place + int(moved)]))[0].tolist() for one, place in zip((q, k), places)]
        query, key = (np.degrees(np.arctan2(y, x)) for x, y in ends)
        return ends, (query - key) % 360

    def draw(moved: float, axes: Axes) -> None:
        ends, degrees = hands(moved)
        for name, place, (x, y), color in zip(("query", "key"), places, ends, (QUERY, KEY)):
            axes.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "-|>", "color": color, "lw": 3})
            axes.text(1.3 * x, 1.3 * y, f"{name}\n{place + moved:g}", color=color, ha="center", va="center")
        key_x, key_y = ends[1]
        start = np.degrees(np.arctan2(key_y, key_x))
        axes.add_patch(Circle((0, 0), 1, fill=False, color=GREY))
        axes.add_patch(Wedge((0, 0), 0.5, start, start + degrees, color=PALE, zorder=0))
        axes.text(0, -1.75, f"{degrees:.0f}° apart", ha="center", color=INK)
        axes.set(xlim=(-1.7, 1.7), ylim=(-1.9, 1.6), aspect="equal")
        axes.axis("off")

    stills = [0, 10, 1000]
    told = (f"query at {places[0] + n}, key at {places[1] + n}: {hands(n)[1]:.0f} degrees between them" for n in stills)
    figures.explore(
        draw, stills, "words further", alt=f"Two clock hands, turned by their positions. {'; '.join(told)}.",
        turn=[*range(31), 100, 1000],
    )
