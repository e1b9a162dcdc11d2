"""The pictures of lesson 02, drawn with what the student wrote; the numbers in their texts are computed, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.student.figures import CMAP, explore, show

from .drawing import GREY, INK, KEY, PALE, QUERY, VALUE, subplots
from .flow import Box, flow
from .helpers import softmax

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CORNERS = np.deg2rad([90, 210, 330])
TRIANGLE = np.column_stack([np.cos(CORNERS), np.sin(CORNERS)])
"""Three keys, and three values at the same places."""

Attend = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


def share_out() -> None:
    """Scores 1, s and 2, shared out as they are and after a softmax; s can be moved."""

    def both(score: float) -> tuple[np.ndarray, np.ndarray]:
        scores = np.array([1, score, 2])
        return scores / scores.sum(), softmax(scores)

    def draw(score: float, axes: Axes) -> None:
        _pairs(axes, *both(score), ("as in the notes", "with all four steps"), legend="lower right")
        axes.set(ylim=(-2.7, 2.5))
        axes.set_xticks(range(3), [f"key {key}\nscore {one:g}" for key, one in enumerate((1, score, 2))])

    stills = -2, 0, 3
    told = (f"{one:g}, {_listed(both(one)[0])} beside {_listed(both(one)[1])}" for one in stills)
    explore(
        draw,
        stills,
        name="score of key 1",
        alt="Bars of the weights of three keys with scores 1, s and 2, as in the notes and with all four steps. "
        f"For s = {'; for s = '.join(told)}.",
        turn=np.linspace(-2, 4, 25).tolist(),
    )


def turn_query(attend: Attend) -> None:
    """A query of length 2 that can be turned: the keys beside it, their scores and weights, the output."""
    path = attend(2 * _directions(np.arange(0, 361, 6)), TRIANGLE, TRIANGLE)

    def look(angle: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        query = 2 * _directions([angle])
        return query[0], attend(query, TRIANGLE, np.eye(3))[0], attend(query, TRIANGLE, TRIANGLE)[0]

    def draw(angle: float, arrows: Axes, bars: Axes, values: Axes) -> None:
        query, weights, output = look(angle)
        for number, key in enumerate(TRIANGLE):
            beside = key + 0.55 * np.array([key[1], -key[0]])
            _text(arrows, beside, f"key {number}", KEY)
        tips = np.vstack([TRIANGLE, query]).T
        colours = [KEY, KEY, KEY, QUERY]
        arrows.quiver(*np.zeros_like(tips), *tips, color=colours, units="xy", scale=1, width=0.09)
        _text(arrows, 1.15 * query, "query", QUERY)
        scores = (TRIANGLE @ query / np.sqrt(2)).round(9) + 0.0  # and not -0.0
        _pairs(bars, scores, weights, ("score / √d_k", "weight"))
        bars.set(ylim=(-1.9, 2.6), title="scores and weights")
        bars.set_xticks(range(3), [f"key {number}" for number in range(3)])
        _corners(values)
        values.plot(*path.T, color=VALUE, alpha=0.25)
        values.scatter(output[0], output[1], s=90, color=VALUE, zorder=3)
        values.set(title="output among the values")
        for axes, reach in ((arrows, 2.6), (values, 1.5)):
            axes.set(aspect="equal", xlim=(-reach, reach), ylim=(-reach, reach), xticks=[], yticks=[])

    stills = 90, 120, 150
    told = (f"{angle}°: weights {_listed(look(angle)[1])}" for angle in stills)
    explore(
        draw,
        stills,
        name="angle of the query",
        alt="Three panels for each angle: three keys and the query as arrows, bars of scores and weights, and the "
        f"output as a dot in the triangle of the values. {'; '.join(told)}.",
        turn=range(0, 361, 15),
        panels=3,
    )


def lengthen_query(attend: Attend) -> None:
    """The outputs of sixty queries all round the circle; their length can be changed."""
    circle = _directions(np.arange(0, 360, 6))

    def outputs(length: float) -> np.ndarray:
        return attend(length * circle, TRIANGLE, TRIANGLE)

    def draw(length: float, axes: Axes) -> None:
        _corners(axes)
        across, up = outputs(length).T
        axes.scatter(across, up, s=14, color=VALUE, zorder=3, label="outputs")
        axes.set(aspect="equal", xlim=(-1.5, 1.5), ylim=(-1.1, 1.6), xticks=[], yticks=[])
        axes.legend(loc="upper right", fontsize=8)

    stills = 0.5, 2, 20
    told = (
        f"{length:g}: from {far.min():.2f} to {far.max():.2f}"
        for length in stills
        for far in [np.hypot(*outputs(length).T)]
    )
    explore(
        draw,
        stills,
        name="length of the query",
        alt="Sixty outputs in a triangle whose corners are the values, 1 away from its middle. How far the outputs are "
        f"from the middle, for queries of length {'; '.join(told)}.",
        turn=[float(f"{length:.2g}") for length in np.geomspace(0.1, 100, 25)],
    )


def compare_strengths(borrowed: Callable[..., Any], right: Callable[..., Any], K: Any, V: Any) -> None:
    """What two functions make of the query (strength, 0, 0), whose strength can be changed."""
    import torch

    def both(strength: float) -> tuple[np.ndarray, np.ndarray]:
        query = torch.tensor([[float(strength), 0, 0]])
        return np.asarray(borrowed(query, K, V)[1])[0], np.asarray(right(query, K, V)[1])[0]

    def draw(strength: float, axes: Axes) -> None:
        _pairs(axes, *both(strength), ("borrowed", "PyTorch"))
        axes.set(ylim=(0, 1.25), xticks=range(len(K)), xlabel="key")

    stills = 0.1, 0.3, 2
    told = (f"{one:g}: {_listed(both(one)[0])} beside {_listed(both(one)[1])}" for one in stills)
    explore(
        draw,
        stills,
        name="strength",
        alt="Bars of the weights on the toy keys for the query (strength, 0, 0), borrowed function beside PyTorch's. "
        f"Strength {'; '.join(told)}.",
        turn=np.linspace(0, 2.4, 25).round(1).tolist(),
    )


def attention_flow() -> None:
    """The way of four words through self-attention, with the shapes of all that is made on it."""
    one = np.arange(4)[:, None] == 1
    boxes = (
        Box("X", 0, 0, 4, 5, "n × d_model", shades=one),
        Box("Q", 13, 8, 4, 3, "n × d_k", shades=one),
        Box("K", 13, 0, 4, 3, "n × d_k"),
        Box("V", 13, -8, 4, 2, "n × d_v"),
        Box("scores", 24, 4, 4, 4, "Q Kᵀ / √d_k\nn × n", shades=one),
        Box("weights", 34, 4, 4, 4, "n × n", shades=one),
        Box("output", 44, -2, 4, 2, "n × d_v", shades=one),
    )
    arrows = (
        ("X", "Q", "× W_Q"),
        ("X", "K", "× W_K"),
        ("X", "V", "× W_V"),
        ("Q", "scores", ""),
        ("K", "scores", ""),
        ("scores", "weights", "softmax"),
        ("weights", "output", ""),
        ("V", "output", "× V"),
    )
    shapes = ", ".join(f"{box.name} {box.shape.splitlines()[-1]}" for box in boxes)
    ways = ", ".join(f"{start} to {end}" for start, end, _ in arrows)
    show(
        flow(boxes, arrows),
        alt=f"Matrices as boxes of cells, for four words: {shapes}. Arrows: {ways}. The row of one word is dark in "
        "X, Q, scores, weights and output.",
    )


def compare_sharings(borrowed: np.ndarray, own: Any) -> None:
    """Two tables of weights, with the sum of each row beside it."""
    tables = {"The notes' weights": np.asarray(borrowed), "Your weights": np.asarray(own)}
    figure, pair = subplots(1, 2, figsize=(9, 4.3))
    for axes, (title, table) in zip(pair, tables.items()):
        words = range(len(table))
        image = axes.imshow(table, cmap=CMAP, vmin=0, vmax=1)
        axes.set(title=title, xlabel="key (word)", ylabel="query (word)", xticks=words, yticks=words)
        for word, total in enumerate(table.sum(axis=1)):
            axes.text(len(table) - 0.3, word, f"{total:.2f}", va="center")
        axes.text(len(table) - 0.3, -0.9, "sum", va="center")
    figure.colorbar(image, ax=pair, label="weight", shrink=0.8, pad=0.08)
    told = (f"{title}: {_listed(table.sum(axis=1))}" for title, table in tables.items())
    show(figure, alt=f"Two heatmaps of queries by keys, each row with its sum. {'; '.join(told)}.")


def compare_widths(measure: Callable[..., Any]) -> None:
    """Against d_k: the variances that `measure` finds, and the weight of the best of ten random keys."""
    widths = [1, 4, 16, 64, 256]
    curves = {
        "Variance of a score": np.array(
            [measure(width, 5000, np.random.default_rng(1)) for width in widths], float
        ),
        "Weight of the best of ten keys": np.array([_top_weights(width) for width in widths]),
    }
    figure, pair = subplots(1, 2, figsize=(9.4, 3.7))
    for axes, (label, curve) in zip(pair, curves.items()):
        axes.plot(widths, curve[:, 0], "o-", color=GREY, label="raw: q·k")
        axes.plot(widths, curve[:, 1], "s--", color=INK, label="scaled: q·k / √d_k")
        axes.set_xscale("log", base=2)
        axes.set_xticks(widths, widths)
        axes.set(xlabel="d_k", ylabel=label)
        axes.legend(frameon=False)
    pair[0].set_yscale("log", base=2)
    pair[0].set_yticks(widths, widths)
    pair[1].set_ylim(0, 1)
    told = (
        f"{label}: raw {_listed(curve[:, 0])}, scaled {_listed(curve[:, 1])}"
        for label, curve in curves.items()
    )
    show(figure, alt=f"Two line plots against d_k = {_listed(widths, 'g')}. {'; '.join(told)}.")


def _top_weights(width: int) -> tuple[float, float]:
    """The mean weight of the best of ten random keys, for raw scores and for scaled ones."""
    rng = np.random.default_rng(2)
    queries, keys = rng.standard_normal((500, 1, width)), rng.standard_normal((500, 10, width))
    scores = (queries * keys).sum(axis=-1)
    raw, scaled = (softmax(one).max(axis=-1).mean() for one in (scores, scores / np.sqrt(width)))
    return raw, scaled


def _pairs(
    axes: Axes, left: np.ndarray, right: np.ndarray, labels: tuple[str, str], legend: Any = "upper right"
) -> None:
    """Two bars for each key, with their numbers."""
    places = np.arange(len(left))
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_yticks([])
    bars = (
        axes.bar(places - 0.2, left, 0.4, color=PALE, hatch="//", label=labels[0]),
        axes.bar(places + 0.2, right, 0.4, color=INK, label=labels[1]),
    )
    for one in bars:
        axes.bar_label(one, fmt="%.2f", padding=2, fontsize=8)
    axes.legend(loc=legend, fontsize=8)


def _corners(axes: Axes) -> None:
    """The triangle of the values."""
    axes.fill(*TRIANGLE.T, facecolor="none", edgecolor=VALUE)
    for number, corner in enumerate(TRIANGLE):
        _text(axes, 1.22 * corner, f"value {number}", "black")


def _text(axes: Axes, place: np.ndarray, text: str, colour: str) -> None:
    axes.text(place[0], place[1], text, ha="center", va="center", color=colour, fontsize=9)


def _directions(degrees: Any) -> np.ndarray:
    """Arrows of length 1 that point this way."""
    turned = np.deg2rad(np.asarray(degrees, dtype=float))
    return np.column_stack([np.cos(turned), np.sin(turned)])


def _listed(numbers: Iterable[float], form: str = ".2f") -> str:
    """Numbers as a sentence names them."""
    *first, last = (f"{number:{form}}" for number in numbers)
    return f"{', '.join(first)} and {last}"
