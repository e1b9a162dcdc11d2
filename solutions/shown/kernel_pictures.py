"""The pictures of lesson 04, of the student's own functions: the notebook hands them in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.student.figures import CMAP, explore, show

from .drawing import GREY, INK, KEY, PALE, QUERY, RED, VALUE, subplots, write

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WEIGHTS = Callable[..., np.ndarray]
"""(queries, keys, bandwidth) -> (n_q, n_k)."""
PREDICTION = Callable[..., np.ndarray]
"""(queries, keys, values, bandwidth) -> one prediction for each query."""


def people(waists: np.ndarray, kilos: np.ndarray, query: float) -> Figure:
    """The known people, and the waist that is asked about."""
    figure, axes = subplots(figsize=(5, 3.2))
    axes.scatter(waists, kilos, s=60, color=KEY, label="known people (key, value)")
    axes.axvline(query, color=QUERY, linestyle="--", label=f"query: waist {query:g}")
    axes.set(xlabel="waist in cm (key)", ylabel="weight in kg (value)", xlim=(49.5, 60))
    axes.legend(loc="upper left")
    return figure


def heatmap(axes: Axes, weights: np.ndarray, queries: Sequence[Any], keys: Sequence[Any], title: str) -> None:
    """Weights (n_q, n_k): a row for each query, a column for each key."""
    axes.imshow(weights, cmap=CMAP, vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(keys)), keys)
    axes.set_yticks(range(len(queries)), queries)
    axes.set(xlabel="key", ylabel="query", title=title)
    write(axes, weights, dark=0.7)


def heatmaps(weights: Mapping[str, np.ndarray], queries: Sequence[Any], keys: Sequence[Any]) -> Figure:
    """Weights of the same queries over the same keys, side by side under their titles."""
    size = (8.6, 1.3 + 0.45 * len(queries))
    figure, row = subplots(1, len(weights), figsize=size)
    for axes, (title, one) in zip(row, weights.items(), strict=True):
        heatmap(axes, one, queries, keys, title)
    return figure


def vote(weights_of: WEIGHTS, keys: np.ndarray, values: np.ndarray) -> Callable[..., None]:
    """Draws how a query is answered at bandwidth 1: the keys' scores, their weights, the average of their values."""
    along = np.linspace(47, 61, 281)

    def draw(query: float, scores: Axes, weights: Axes, answer: Axes) -> None:
        shares = weights_of(np.array([query]), keys)[0]
        scores.plot(along, -((along - query) ** 2) / 2, color=QUERY, linewidth=1)
        scores.plot(keys, np.maximum(-((keys - query) ** 2) / 2, LOWEST_SCORE), "o", color=KEY, clip_on=False)
        scores.set(ylim=(LOWEST_SCORE, 1), yticks=range(LOWEST_SCORE, 1, 5), ylabel="score")
        weights.bar(keys, shares, width=0.8, color=INK)
        weights.set(ylim=(0, 1.12), ylabel="weight", title="softmax of the scores")
        for key, share in zip(keys, shares, strict=True):
            weights.text(key, share + 0.02, f"{share:.2f}", ha="center")
        predicted = float(shares @ values)
        answer.scatter(keys, values, s=30 + 250 * shares, color=VALUE)
        answer.plot(query, predicted, "D", color=INK)
        answer.axhline(predicted, color=INK, linewidth=1)
        answer.set(ylim=(38.5, 49.5), ylabel="weight in kg", title=f"predicted: {predicted:.1f} kg")
        for axes in (scores, weights, answer):
            axes.axvline(query, color=QUERY, linestyle="--", linewidth=1)
            axes.set(xlim=(47, 61), xticks=keys, xlabel="waist in cm")

    return draw


LOWEST_SCORE = -20
"""Of those that are drawn: a key that has less lies on the picture's lower edge."""


def curve(predict: PREDICTION, keys: np.ndarray, values: np.ndarray) -> Callable[..., None]:
    """Draws what is predicted for all waists, at a bandwidth."""
    along = np.linspace(48, 61, 400)

    def draw(bandwidth: float, axes: Axes) -> None:
        axes.plot(along, predict(along, keys, values, bandwidth), color=INK)
        axes.scatter(keys, values, s=50, color=VALUE, zorder=3)
        axes.set(xticks=(48, 52, 56, 60), ylim=(38.5, 49.5))
        axes.set_xlabel("waist in cm (query)", fontsize=13)
        axes.set_ylabel("predicted weight in kg", fontsize=13)
        axes.tick_params(labelsize=12)

    return draw


def choice(
    predict: PREDICTION,
    keys: np.ndarray,
    values: np.ndarray,
    errors: Mapping[float, float],
    baselines: Mapping[str, float],
) -> None:
    """Left the errors by bandwidth, beside baselines; right what the least, the best and the greatest one predict."""
    narrow, best, wide = min(errors), min(errors, key=lambda h: errors[h]), max(errors)
    figure, (left, right) = subplots(1, 2, figsize=(9.5, 3.8))
    left.plot(list(errors), list(errors.values()), marker="o", color=INK)
    for name, error in baselines.items():
        left.axhline(error, color=GREY, linestyle="--", linewidth=1)
        left.text(narrow, error - 3, f"{name}: {error:.1f}", va="top")
    left.axvline(best, color=RED, linestyle=":", label=f"best: {best:g} cm")
    left.set(xscale="log", xlabel="bandwidth in cm", ylabel="leave-one-out error in kg²", ylim=(0, 190))
    left.set_xticks(list(errors), [f"{h:g}" for h in errors])
    left.minorticks_off()
    left.legend(loc="center left")
    along = np.linspace(52, 114, 400)
    right.scatter(keys, values, s=10, color=PALE)
    for bandwidth, style, color in ((narrow, ":", INK), (best, "-", RED), (wide, "--", INK)):
        predicted = predict(along, keys, values, bandwidth)
        right.plot(along, predicted, style, color=color, label=f"bandwidth {bandwidth:g}")
    right.plot(along, np.polyval(np.polyfit(keys, values, 1), along), "-.", color=GREY, label="straight line")
    right.set(xlabel="waist in cm (query)", ylabel="weight in kg")
    right.legend()
    beside = ", ".join(f"{name} {error:.1f}" for name, error in baselines.items())
    show(
        figure,
        alt=f"Left: leave-one-out error over the bandwidth, {errors[narrow]:.0f} at {narrow:g}, least at {best:g} with "
        f"{errors[best]:.1f}, and {errors[wide]:.0f} at {wide:g}; beside it {beside}. Right: {len(keys)} people, waist "
        f"against weight: bandwidth {narrow:g} jumps from person to person, {best:g} follows the trend, {wide:g} is "
        "too flat; the straight line runs through the middle.",
    )


def polynomial_error(keys: np.ndarray, values: np.ndarray, degree: int) -> float:
    """The leave-one-out error of a polynomial: degree 0 is the mean of all others, 1 a straight line through them."""
    errors = []
    for i, (key, value) in enumerate(zip(keys, values)):
        fitted = np.polyfit(np.delete(keys, i), np.delete(values, i), degree)
        errors.append(np.polyval(fitted, key) - value)
    return float(np.mean(np.square(errors)))


def winners(
    circle: np.ndarray,
    gaussian: Callable[[np.ndarray, np.ndarray], np.ndarray],
    dotted: Callable[[np.ndarray, np.ndarray], np.ndarray],
) -> None:
    """Show which key wins where in the plane, by two ways to weigh; key 2, of any length, stands out.

    circle: six keys of length 1, (6, 2); gaussian, dotted: (queries, keys) -> weights.
    """

    def keys_of(length: float) -> np.ndarray:
        return circle * np.where(np.arange(len(circle)) == 2, length, 1)[:, None]

    steps = np.linspace(-REACH, REACH, 100)
    plane = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)

    def draw(length: float, left: Axes, right: Axes) -> None:
        from matplotlib.colors import ListedColormap

        keys = keys_of(length)
        for axes, weights_of in ((left, gaussian), (right, dotted)):
            winner = weights_of(plane, keys).argmax(axis=1).reshape(len(steps), -1)
            extent = (-REACH, REACH, -REACH, REACH)
            axes.imshow(
                winner, cmap=ListedColormap(TINTS), vmin=0, vmax=5, extent=extent, origin="lower", alpha=0.8
            )
            axes.plot(*keys.T, "o", color="black", markersize=4)
            for i, key in enumerate(keys):
                axes.annotate(str(i), key, (4, 4), textcoords="offset points", fontweight="bold")
            axes.set(xticks=(), yticks=())
        left.set_xlabel("by distance")
        right.set_xlabel("by dot product")

    stills, some = (1, 2), np.random.default_rng(9).normal(size=(100, 2))
    told = []
    for length in stills:
        won = [int((of(some, keys_of(length)).argmax(axis=1) == 2).sum()) for of in (gaussian, dotted)]
        told.append(f"{won[0]} and {won[1]} at length {length}")
    explore(
        draw,
        stills,
        name="length of key 2",
        turn=list(np.linspace(0.2, 2.6, 25).round(1)),
        panels=2,
        alt="Two maps of the plane, coloured by the key that wins, by distance and by dot product: slices as of a "
        f"cake, of which that of key 2 stands out. Of 100 queries it wins {', '.join(told)}.",
    )


REACH = 2.75
"""How far the plane is drawn, to each side."""

TINTS = ("#9ecae1", "#bcbddc", KEY, "#a1d99b", "#f7b6d2", "#d9d9d9")
"""A colour for each of six keys; key 2 stands out."""
