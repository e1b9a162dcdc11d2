"""The pictures of lesson 04, of the student's own functions: the notebook hands them in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.views.figures import explore, show

from .drawing import GREY, INK, KEY, PALE, PLUM, QUERY, RED, VALUE, subplots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PREDICTION = Callable[..., np.ndarray]
"""(queries, keys, values, bandwidth) -> one prediction for each query."""


def people(waists: np.ndarray, kilos: np.ndarray, query: float) -> None:
    """Show the known people, each a value above its key, and the waist that is asked about."""
    figure, axes = subplots(figsize=(7, 3.4))
    floor = 38.5
    axes.vlines(waists, floor, kilos, color=PALE, linewidth=1)
    axes.plot(waists, np.full(len(waists), floor), "^", color=KEY, markersize=11, clip_on=False, label="keys")
    axes.plot(waists, kilos, "o", color=VALUE, markersize=9, label="values")
    axes.axvline(query, color=QUERY, linestyle="--", label="query")
    axes.text(query, 45.5, "? kg", color=QUERY, fontsize=14, ha="center", va="center", bbox=PAPER)
    axes.set(xlabel="waist in cm", ylabel="weight in kg", xlim=(49.5, 59.5), ylim=(floor, 49.5))
    axes.set_xticks([*waists, query])
    axes.legend(loc="upper left")
    known = ", ".join(f"({waist:g}, {kilo:g})" for waist, kilo in zip(waists, kilos))
    show(
        figure,
        alt=f"Points, waist against weight: {known}, each above its key. A dashed line at waist {query:g}, the query, "
        "with a question mark on it.",
    )


def bells(bandwidths: Sequence[float]) -> None:
    """Show the Gaussian kernel over query − key, a curve for each bandwidth."""
    figure, axes = subplots(figsize=(7, 2.6))
    apart = np.linspace(-7, 7, 401)
    for bandwidth, color in zip(bandwidths, (PLUM, INK, KEY)):
        axes.plot(apart, np.exp(-((apart / bandwidth) ** 2) / 2), color=color, label=f"h = {bandwidth:g} cm")
    axes.set(xlabel="q − k in cm", ylabel="exp(score)", xlim=(-7, 7), ylim=(0, 1.05))
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="upper right")
    at = ", ".join(f"{np.exp(-((2 / h) ** 2) / 2):.2f} for h = {h:g}" for h in bandwidths)
    show(
        figure,
        alt=f"Bell curves of exp(score) over q − k. Each is 1 at 0, and falls to both sides. At a distance of 2 cm it "
        f"is {at} cm.",
    )


PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 2}
"""Behind a word that stands on a line."""


def by_eye(predict: PREDICTION, keys: np.ndarray, values: np.ndarray) -> None:
    """Show a crowd and what is predicted for it, with a slider for the bandwidth and the error at the crowd itself."""
    stills = (0.1, 1, 32)
    along = np.linspace(keys.min() - 2, keys.max() + 2, 400)

    def draw(bandwidth: float, axes: Axes) -> None:
        axes.plot(keys, values, "o", color=VALUE, markersize=4, alpha=0.6, markeredgewidth=0)
        axes.set(xlabel="waist in cm", ylabel="weight in kg", ylim=(28, 128))
        axes.spines[["top", "right"]].set_visible(False)
        axes.plot(along, predict(along, keys, values, bandwidth), color=INK, linewidth=2)
        off = f"mean squared error: {own_error(predict, keys, values, bandwidth):.1f} kg²"
        axes.text(0.04, 0.98, off, transform=axes.transAxes, va="top")

    errors = [f"{own_error(predict, keys, values, h):.1f} at bandwidth {h:g}" for h in stills]
    explore(
        draw,
        stills,
        name="bandwidth",
        turn=[0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32],
        alt=f"{len(keys)} people, waist against weight, and the predicted curve, which jumps from person to person "
        f"when narrow and is nearly level when wide. Its mean squared error at these people: {', '.join(errors)} kg².",
    )


def own_error(predict: PREDICTION, keys: np.ndarray, values: np.ndarray, bandwidth: float) -> float:
    """The mean squared error of samples of which each helps to predict itself."""
    return float(np.mean((predict(keys, keys, values, bandwidth) - values) ** 2))


def choice(predict: PREDICTION, keys: np.ndarray, values: np.ndarray, errors: Mapping[float, float]) -> None:
    """Show the errors by bandwidth, each sample left out and nobody left out, and the error of the plain mean."""
    best = min(errors, key=lambda h: errors[h])
    own = {h: own_error(predict, keys, values, h) for h in errors}
    mean = polynomial_error(keys, values, degree=0)
    figure, axes = subplots(figsize=(7, 3.6))
    axes.plot(list(errors), list(errors.values()), marker="o", color=INK, label="each left out")
    axes.plot(list(own), list(own.values()), ":", marker="o", markersize=4, color=RED, label="nobody left out")
    axes.spines[["top", "right"]].set_visible(False)
    axes.axhline(mean, color=GREY, linestyle="--", linewidth=1)
    axes.text(min(errors), mean - 3, f"the plain mean, left out: {mean:.1f}", va="top", color=GREY)
    axes.plot(best, errors[best], "o", markersize=13, markerfacecolor="none", color=INK)
    label = f"least: {best:g} cm"
    axes.annotate(label, (best, errors[best]), (0, 16), textcoords="offset points", ha="center")
    axes.set(xscale="log", xlabel="bandwidth in cm", ylabel="mean squared error in kg²", ylim=(0, 190))
    axes.set_xticks(list(errors), [f"{h:g}" for h in errors])
    axes.minorticks_off()
    axes.legend(loc="upper left", bbox_to_anchor=(0, 0.85))
    ends = [f"{errors[h]:.0f} and {own[h]:.0f} at {h:g} cm" for h in (min(errors), best, max(errors))]
    show(
        figure,
        alt=f"The error over the bandwidth, each left out and nobody left out: {', '.join(ends)}. Left out it is least "
        f"at {best:g} cm, else at the narrowest. The plain mean, left out: {mean:.1f}.",
    )


def factors(words: Sequence[str], query: np.ndarray, keys: np.ndarray, near: np.ndarray, loud: np.ndarray) -> None:
    """Show what one query weighs: each key as far away as it is, large where it is loud, with a line for its share.

    query: (d,), of the last of the words; keys: (n_k, d); near, loud: (n_k,), each a share of 1. The query is a star;
    round it, from left to right, stands a circle for each word.
    """
    shares = near * loud / (near * loud).sum()
    apart = np.sqrt(((query - keys) ** 2).sum(axis=-1))
    figure, axes = subplots(figsize=(8.2, 4.8))
    angles = np.linspace(np.pi, 0, len(words))
    ways = np.column_stack([np.cos(angles), np.sin(angles)])
    arc = np.linspace(np.pi, 0, 100)
    for far in (5, 10):
        axes.plot(far * np.cos(arc), far * np.sin(arc), ":", color=PALE, zorder=0)
        between = far * (ways[-3] + ways[-4]) / 2
        named = axes.text(*between, f"distance {far}", color=GREY, ha="center", va="center", bbox=PAPER)
        named.set_zorder(0.5)
    for i, (way, far, share) in enumerate(zip(ways, apart, shares)):
        place = far * way
        thick = 0.3 + 24 * share
        axes.plot([0, place[0]], [0, place[1]], color=QUERY, linewidth=thick, solid_capstyle="butt", zorder=1)
        axes.scatter(*place, s=40 + 2600 * loud[i], color=KEY, edgecolor="white", zorder=2)
        name = words[i] if words[i].isalnum() else f'"{words[i]}"'
        label = f"{name}  {share:.2f}"
        x, y = place + (0.75 + 1.1 * loud[i] + 0.5 * abs(way[1])) * way
        side = "right" if way[0] < -0.3 else "left" if way[0] > 0.3 else "center"
        weight = "bold" if share > 0.5 else "normal"
        at: dict[str, Any] = {"x": x, "y": y, "ha": side, "bbox": PAPER, "zorder": 0.5}
        axes.text(s=f"{label}\n{near[i]:.2f} × {loud[i]:.2f}", va="center", color=INK, weight=weight, **at)
    axes.plot(0, 0, "*", color=QUERY, markersize=22, markeredgecolor="white", zorder=3)
    axes.text(0, -0.7, f"query: {words[-1]}", color=QUERY, ha="center", va="top", weight="bold")
    axes.set(aspect="equal", xlim=(-13, 13), ylim=(-1.6, 12.7))
    title = (
        "After each word: its weight. Under the word: near × loud, not yet divided by their sum.\n"
        "A circle's size: how loud. A line's thickness: the weight."
    )
    axes.set_title(title, color=INK)
    axes.axis("off")
    show(
        figure,
        alt=f"A star, the query of {words[-1]!r}; round it a circle for each word of {' '.join(words)!r}. "
        f"How near: {_listed(words, near)}. How loud, the size of its circle: {_listed(words, loud)}. Its distance: "
        f"{_listed(words, apart, 1)}. Its weight, the thickness of a line from the star: {_listed(words, shares)}.",
    )


def _listed(words: Sequence[str], numbers: np.ndarray, digits: int = 2) -> str:
    return ", ".join(f"{word} {number:.{digits}f}" for word, number in zip(words, numbers))


def polynomial_error(keys: np.ndarray, values: np.ndarray, degree: int) -> float:
    """The leave-one-out error of a polynomial: degree 0 is the mean of all others, 1 a straight line through them."""
    errors = []
    for i, (key, value) in enumerate(zip(keys, values)):
        fitted = np.polyfit(np.delete(keys, i), np.delete(values, i), degree)
        errors.append(np.polyval(fitted, key) - value)
    return float(np.mean(np.square(errors)))
