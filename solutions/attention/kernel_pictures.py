"""The pictures of lesson 04, of the student's own functions: the notebook hands them in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.views.figures import explore, show

from .drawing import GREY, INK, KEY, PALE, QUERY, RED, VALUE, subplots
from .helpers import softmax
from .pronouns import HEAD, LAYER, PRETTY
from .writer import load_writer

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WEIGHTS = Callable[..., np.ndarray]
"""(queries, keys, bandwidth) -> (n_q, n_k)."""
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


PAPER = {"facecolor": "white", "edgecolor": "none", "pad": 2}
"""Behind a word that stands on a line."""


def vote(weights_of: WEIGHTS, keys: np.ndarray, values: np.ndarray) -> None:
    """Show how a query is answered at bandwidth 1: the keys' scores, their weights, the average of their values."""
    stills = (57, 53.5)
    along = np.linspace(47, 61, 281)

    def draw(query: float, scores: Axes, weights: Axes, answer: Axes) -> None:
        shares = weights_of(np.array([query]), keys)[0]
        scores.plot(along, -((along - query) ** 2) / 2, color=QUERY, linewidth=1)
        scores.plot(keys, np.maximum(-((keys - query) ** 2) / 2, LOWEST_SCORE), "o", color=KEY, clip_on=False)
        scores.set(ylim=(LOWEST_SCORE, 1), yticks=range(LOWEST_SCORE, 1, 5), ylabel="score, −½ (q − k)²")
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

    told = [f"{(weights_of(np.array([query]), keys) @ values).item():.1f} kg at {query:g}" for query in stills]
    explore(
        draw,
        stills,
        name="query",
        turn=list(np.linspace(48, 60, 25)),
        panels=3,
        alt="Side by side: the keys' scores on a parabola whose top is at the query, their weights as bars, and the "
        f"people, larger the more they weigh in. Predicted: {', '.join(told)}.",
    )


LOWEST_SCORE = -20
"""Of those that are drawn: a key that has less lies on the picture's lower edge."""


def by_eye(predict: PREDICTION, keys: np.ndarray, values: np.ndarray) -> None:
    """Show a crowd and what is predicted for it, with a slider for the bandwidth and the error at the crowd itself."""
    stills = (0.1, 1, 32)
    along = np.linspace(keys.min() - 2, keys.max() + 2, 400)

    def draw(bandwidth: float, axes: Axes) -> None:
        axes.plot(keys, values, "o", color=VALUE, markersize=4, alpha=0.6, markeredgewidth=0)
        axes.set(xlabel="waist in cm", ylabel="weight in kg", ylim=(28, 118))
        axes.spines[["top", "right"]].set_visible(False)
        axes.plot(along, predict(along, keys, values, bandwidth), color=INK, linewidth=2)
        off = f"mean squared error: {own_error(predict, keys, values, bandwidth):.1f} kg²"
        axes.text(0.04, 0.95, off, transform=axes.transAxes, va="top")

    told = [f"{own_error(predict, keys, values, h):.1f} at bandwidth {h:g}" for h in stills]
    explore(
        draw,
        stills,
        name="bandwidth",
        turn=[0.1, 0.25, 0.5, 1, 1.5, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32],
        alt=f"{len(keys)} people, waist against weight, and the predicted curve, which jumps from person to person "
        f"when narrow and is nearly level when wide. Its mean squared error at these people: {', '.join(told)} kg².",
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


def line_or_kernel(
    predict: PREDICTION,
    error_of: Callable[[np.ndarray, np.ndarray, float], float],
    samples: Mapping[str, tuple[np.ndarray, np.ndarray, float]],
) -> None:
    """Show samples with a straight line and the predicted curve, and the leave-one-out error of both.

    samples: by their titles, keys, values and the bandwidth.
    """
    figure, row = subplots(1, len(samples), figsize=(8.4, 3.6))
    told = []
    for axes, (title, (keys, values, bandwidth)) in zip(row, samples.items(), strict=True):
        line, kernel = polynomial_error(keys, values, degree=1), error_of(keys, values, bandwidth)
        along = np.linspace(keys.min(), keys.max(), 400)
        axes.plot(keys, values, "o", color=VALUE, markersize=4, alpha=0.6, markeredgewidth=0)
        straight = np.polyval(np.polyfit(keys, values, 1), along)
        axes.plot(along, straight, "--", color=GREY, linewidth=2, label=f"line: {line:.3g}")
        curve = predict(along, keys, values, bandwidth)
        axes.plot(along, curve, color=INK, linewidth=2, label=f"kernel: {kernel:.3g}")
        axes.set(title=title, xlabel="key", ylabel="value", ylim=(None, values.max() + 0.4 * np.ptp(values)))
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(loc="upper left")
        told.append(f"{title}: line {line:.3g}, kernel {kernel:.3g}.")
    show(figure, alt=f"Samples with a straight line and the predicted curve. Leave-one-out errors: {' '.join(told)}")


def opening() -> None:
    """Whom a head of the course's writer looks at, before anybody knows what size and distance mean."""
    words, writer = PRETTY.split(), load_writer()
    Q, K, _ = writer.head(words, LAYER, HEAD)
    loud = softmax((K**2).sum(axis=1) / (2 * np.sqrt(K.shape[1])))
    title = f"Whom does {words[-1]!r} look at? (weights of a trained transformer)"
    _show_fan(title, words, _apart(Q[-1], K), loud, writer.weights(words, LAYER, HEAD)[-1], told="The size of")


def factors(words: Sequence[str], query: np.ndarray, keys: np.ndarray, near: np.ndarray, loud: np.ndarray) -> None:
    """Show what one query weighs: each key as far away as it is, large where it is loud, with a line for its share.

    query: (d,), of the last of the words; keys: (n_k, d); near, loud: (n_k,), each a share of 1.
    """
    shares = near * loud / (near * loud).sum()
    notes = [f"{one:.2f} × {other:.2f}" for one, other in zip(near, loud)]
    told = f"How near: {_listed(words, near)}. How loud, the size of"
    title = "near × loud (a circle's size: how loud; a line's thickness: the weight)"
    _show_fan(title, words, _apart(query, keys), loud, shares, told, notes)


def _apart(query: np.ndarray, keys: np.ndarray) -> np.ndarray:
    return np.sqrt(((query - keys) ** 2).sum(axis=-1))


def _listed(words: Sequence[str], numbers: np.ndarray, digits: int = 2) -> str:
    return ", ".join(f"{word} {number:.{digits}f}" for word, number in zip(words, numbers))


def _show_fan(
    title: str,
    words: Sequence[str],
    apart: np.ndarray,
    loud: np.ndarray,
    shares: np.ndarray,
    told: str,
    notes: Sequence[str] = (),
) -> None:
    """The query as a star; round it, from left to right, a circle for each word; lines as thick as their shares."""
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
        label = f"{words[i]}  {share:.2f}" if share >= LEAST else words[i]
        x, y = place + (0.75 + 1.1 * loud[i] + 0.5 * abs(way[1])) * way
        side = "right" if way[0] < -0.3 else "left" if way[0] > 0.3 else "center"
        weight = "bold" if share > 0.5 else "normal"
        at: dict[str, Any] = {"x": x, "y": y, "ha": side, "bbox": PAPER, "zorder": 0.5}
        told_here = f"{label}\n{notes[i]}" if notes else label
        axes.text(s=told_here, va="center", color=INK, weight=weight, **at)
    axes.plot(0, 0, "*", color=QUERY, markersize=22, markeredgecolor="white", zorder=3)
    axes.text(0, -0.7, f"query: {words[-1]}", color=QUERY, ha="center", va="top", weight="bold")
    axes.set(aspect="equal", xlim=(-13, 13), ylim=(-1.6, 12.7))
    axes.set_title(title, color=INK)
    axes.axis("off")
    show(
        figure,
        alt=f"{title}. A star, the query of {words[-1]!r}; round it a circle for each word of {' '.join(words)!r}. "
        f"{told} its circle: {_listed(words, loud)}. Its distance: {_listed(words, apart, 1)}. Its weight, "
        f"the thickness of a line from the star: {_listed(words, shares)}.",
    )


LEAST = 0.005
"""What is smaller would be written as 0.00, and is left out of pictures."""


def polynomial_error(keys: np.ndarray, values: np.ndarray, degree: int) -> float:
    """The leave-one-out error of a polynomial: degree 0 is the mean of all others, 1 a straight line through them."""
    errors = []
    for i, (key, value) in enumerate(zip(keys, values)):
        fitted = np.polyfit(np.delete(keys, i), np.delete(values, i), degree)
        errors.append(np.polyval(fitted, key) - value)
    return float(np.mean(np.square(errors)))


def winners(
    circle: np.ndarray,
    weights_of: WEIGHTS,
    lookup: Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray],
) -> None:
    """Show which key wins where in the plane, by two ways to weigh; key 2, of any length, stands out.

    circle: six keys of length 1, (6, 2); lookup: (queries, keys, values) -> answers. A query stands beside key 1.
    """

    def by_distance(queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return weights_of(queries, keys, keys.shape[1] ** 0.25)

    def by_dot_product(queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
        return lookup(queries, keys, np.eye(len(keys)))

    def keys_of(length: float) -> np.ndarray:
        return circle * np.where(np.arange(len(circle)) == 2, length, 1)[:, None]

    steps = np.linspace(-REACH, REACH, 120)
    plane = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)

    def draw(length: float, left: Axes, right: Axes) -> None:
        from matplotlib.colors import ListedColormap

        keys = keys_of(length)
        for axes, weigh, name in ((left, by_distance, "distance"), (right, by_dot_product, "dot product")):
            winner = weigh(plane, keys).argmax(axis=1).reshape(len(steps), -1)
            extent = (-REACH, REACH, -REACH, REACH)
            axes.imshow(
                winner, cmap=ListedColormap(TINTS), vmin=0, vmax=5, extent=extent, origin="lower", alpha=0.8
            )
            axes.plot(*keys.T, "o", color="black", markersize=4)
            for i, key in enumerate(keys):
                axes.annotate(str(i), key, (4, 4), textcoords="offset points", fontweight="bold")
            axes.plot(*BESIDE_KEY_1, "*", color=QUERY, markersize=15, markeredgecolor="white")
            taker = weigh(np.array([BESIDE_KEY_1]), keys).argmax()
            axes.set(xticks=(), yticks=())
            axes.set_xlabel(f"by {name}: key {taker} wins ★")

    stills, told = (1, 2), []
    around = np.radians(np.arange(2.5, 360, 5))
    ring = 2 * np.column_stack([np.cos(around), np.sin(around)])
    for length in stills:
        won = [int((of(ring, keys_of(length)).argmax(axis=1) == 2).sum()) for of in (by_distance, by_dot_product)]
        told.append(f"{won[0]} and {won[1]} at length {length}")
    explore(
        draw,
        stills,
        name="length of key 2",
        turn=list(np.linspace(0.2, 2.6, 25).round(1)),
        panels=2,
        alt="Two maps of the plane, coloured by the key that wins, by distance and by dot product: slices as of a "
        f"cake, of which that of key 2 stands out. Of {len(ring)} queries on a ring it wins {', '.join(told)}. A star, "
        "the query, stands beside key 1.",
    )


BESIDE_KEY_1 = (0.25, 1.0)
"""The place of a query that is nearest to key 1, whatever becomes of key 2."""

REACH = 2.75
"""How far the plane is drawn, to each side."""

TINTS = ("#9ecae1", "#bcbddc", KEY, "#a1d99b", "#f7b6d2", "#d9d9d9")
"""A colour for each of six keys; key 2 stands out."""
