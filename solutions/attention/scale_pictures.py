"""Figures of lesson 09; what their alt texts say of results is made from these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from autograder.views import figures

from .drawing import GREY, INK, KEY, PALE, PLUM, QUERY, RED, SIGNED, VALUE, subplots

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Attend = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]
"""From queries, keys and values, a row a word, to the outputs."""


def shared_heads(heads: int, groups: Sequence[int]) -> None:
    """Which head of keys and values each query head reads, a panel for each number of groups."""
    figure, row = subplots(1, len(groups), figsize=(2.9 * len(groups), 2.1), squeeze=False)
    told = []
    for axes, g in zip(row[0], groups):
        middles = [(group + 0.5) * heads / g - 0.5 for group in range(g)]
        for head in range(heads):
            axes.plot([head, middles[head // (heads // g)]], [1, 0], color=GREY, linewidth=1, zorder=0)
        axes.scatter(range(heads), [1] * heads, s=130, color=QUERY)
        axes.scatter(middles, [0] * g, s=130, marker="s", color=KEY)
        axes.set(xlim=(-0.7, heads - 0.3), ylim=(-0.35, 1.35), title=f"{g} kept head{'s' * (g > 1)}")
        axes.axis("off")
        told.append(f"{g}: {', '.join(str(head // (heads // g)) for head in range(heads))}")
    row[0][0].text(-0.7, 1.22, f"{heads} query heads", color=QUERY)
    row[0][0].text(-0.7, -0.32, "kept keys and values", color=KEY)
    figures.show(
        figure,
        alt=f"{heads} query heads, each joined to the head of keys and values that it reads. Which one, "
        f"by how many are kept: {'; '.join(told)}.",
    )


def two_ways_to_a_score(heads: int, words: int, d: int, r: int) -> None:
    """Keys made of latent vectors for all heads, or the query brought to the latent vectors: what must be held."""
    figure, (left, right) = subplots(1, 2, figsize=(8.6, 2.7))
    made, brought = heads * words * d, heads * r
    for axes in (left, right):
        axes.set(xlim=(0, 10), ylim=(0, 4.4))
        axes.axis("off")
        _box(axes, (0, 0.5), (1.6, 3), PLUM, "C\nkept")
    for i in range(4):
        _box(
            axes=left,
            at=(3.1 + 0.35 * i, 0.5 + 0.18 * i),
            size=(1.6, 3),
            color=KEY,
            name="keys of\nall heads" if i == 3 else "",
        )
    _arrow(left, (1.7, 2), (3, 2), "W_k")
    _box(left, (8, 1.5), (1.6, 0.6), QUERY, "q")
    _arrow(left, (7.9, 1.8), (6.0, 1.8), "compare")
    _box(right, (8, 1.5), (1.6, 0.6), QUERY, "q")
    _box(right, (4, 1.5), (1.6, 0.6), QUERY, "q W_kᵀ")
    _arrow(right, (7.9, 1.8), (5.7, 1.8), "W_kᵀ")
    _arrow(right, (3.9, 1.8), (1.7, 1.8), "compare")
    left.set_title(f"keys made first: {made:,} numbers", fontsize=10)
    right.set_title(f"query brought to C: {brought:,} numbers", fontsize=10)
    figures.show(
        figure,
        alt="Left: W_k makes keys of all heads from the kept latent vectors C, and the query is compared with them: "
        f"{made:,} numbers. Right: the query is multiplied by W_k transposed and compared with C itself: "
        f"{brought:,} numbers.",
    )


def _box(axes: Axes, at: tuple[float, float], size: tuple[float, float], color: str, name: str) -> None:
    from matplotlib.patches import Rectangle

    axes.add_patch(Rectangle(at, *size, facecolor=color, edgecolor="white", linewidth=1.5))
    middle = at[0] + size[0] / 2, at[1] + size[1] / 2
    axes.text(*middle, name, ha="center", va="center", color="white", fontsize=9)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], name: str) -> None:
    axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.5})
    axes.text((start[0] + end[0]) / 2, start[1] + 0.18, name, ha="center", color=INK, fontsize=9)


def lit_block(Q: np.ndarray, K: np.ndarray, V: np.ndarray, block: int) -> None:
    """The table of scores of which only one block is ever there, and what the first query remembers of those before.

    Q (n_q, d), K (n_k, d), V (n_k, 1): the three running numbers are the top score, the sum and the output.
    """
    from matplotlib.patches import Rectangle

    scores = Q @ K.T / np.sqrt(Q.shape[1])
    blocks = [slice(start, start + block) for start in range(0, len(K), block)]

    def running(last: int) -> tuple[float, float, float]:
        seen = scores[0, : blocks[last].stop]
        raised = np.exp(seen - seen.max())
        return float(seen.max()), float(raised.sum()), float(raised @ V[: len(seen), 0])

    def draw(number: float, axes: Axes, numbers: Axes) -> None:
        here = blocks[int(number) - 1]
        lit = np.full(scores.shape, np.nan)
        lit[:, here] = scores[:, here]
        axes.imshow(lit, cmap=SIGNED, vmin=-2.5, vmax=2.5, aspect="auto")
        if here.start:
            axes.axvspan(-0.5, here.start - 0.5, color=PALE)
            axes.text(here.start / 2 - 0.5, len(Q) / 2 - 0.5, "read and\nforgotten", ha="center", va="center")
        for edge in blocks[1:]:
            axes.axvline(edge.start - 0.5, color=GREY, linewidth=1)
        axes.set(xlabel="key (blue: a score above 0, red: below)", ylabel="query", xticks=[], yticks=[])
        top, total, output = running(int(number) - 1)
        numbers.axis("off")
        axes.add_patch(Rectangle((-0.5, -0.5), len(K), 1, fill=False, color=QUERY, linewidth=3, clip_on=False))
        lines = (
            (0.8, "query 0, so far", QUERY),
            (0.6, f"top    {top:6.2f}", INK),
            (0.45, f"sum    {total:6.2f}", INK),
            (0.3, f"output / sum {output / total:.2f}", VALUE),
        )
        for height, line, color in lines:
            numbers.text(0.05, height, line, color=color, va="center", family="monospace", fontsize=13)

    told = []
    for i in range(len(blocks)):
        top, total, output = running(i)
        told.append(f"block {i + 1}: top {top:.2f}, sum {total:.2f}, output so far {output / total:.2f}")
    figures.explore(
        draw,
        [1, len(blocks)],
        "blocks read",
        alt="A table of scores in which one block of keys is lit, and three running numbers of query 0. "
        f"{'; '.join(told)}.",
        turn=range(1, len(blocks) + 1),
        panels=2,
    )


def weighed_parts(parts: Sequence[tuple[float, float]], merged: float) -> None:
    """Of one query: the shares of some parts, by their sums of exponentials, and where their outputs lie.

    parts: for each its output, one number, and its lse; merged: the output of all together.
    """
    outputs, lse = (np.array(one) for one in zip(*parts))
    raised = np.exp(lse - lse.max())
    shares = raised / raised.sum()
    figure, (above, below) = subplots(2, 1, figsize=(7, 2.6))
    colors, start = (INK, PLUM, GREY), 0.0
    for i, (share, output, color) in enumerate(zip(shares, outputs, colors)):
        above.barh(0, share, 0.8, left=start, color=color)
        above.text(start + share / 2, 0, f"part {i + 1}: {share:.0%}", ha="center", va="center", color="white")
        below.scatter([output], [0], s=900 * share + 20, color=color)
        below.text(output, 0.55, f"output {i + 1}", ha="center", color=color)
        start += share
    below.scatter([merged], [0], marker="|", s=700, color=INK, zorder=3)
    below.text(merged, -0.95, f"merged {merged:.2f}", ha="center", color=INK)
    above.set(xlim=(0, 1), title="shares of the sum of exp(score)")
    below.set(ylim=(-1.2, 1.1))
    above.axis("off")
    below.set_yticks([])
    below.spines[["top", "left", "right"]].set_visible(False)
    told = (
        f"part {i + 1} has {share:.0%} and the output {output:.2f}"
        for i, (share, output) in enumerate(zip(shares, outputs))
    )
    figures.show(figure, alt=f"Of one query, {', '.join(told)}; merged they give {merged:.2f}.")


def two_orders(n: int, d: int) -> None:
    """Three matrices multiplied from the left or from the right, with what comes between, to scale."""
    figure, rows = subplots(2, 1, figsize=(7, 2.9))
    long, short = 3.0, 0.7
    for axes, title, inner in zip(rows, ("(Q Kᵀ) V", "Q (Kᵀ V)"), ((long, long), (short, short))):
        at = 0.0
        given = ((short, long, QUERY, "Q"), (long, short, KEY, "Kᵀ"), (short, long, VALUE, "V"))
        for width, height, color, name in given:
            _box(axes, (at, -height / 2), (width, height), color, name)
            at += width + 0.3
        axes.text(at + 0.1, 0, "between them", va="center", color=INK, fontsize=9)
        _box(axes, (at + 2.8, -inner[1] / 2), inner, RED if inner[0] == long else INK, "")
        size = f"{n:,} × {n:,}" if inner[0] == long else f"{d} × {d}"
        axes.text(at + 3 + inner[0], 0, size, va="center", color=INK)
        axes.set(xlim=(-0.1, 13.2), ylim=(-1.6, 1.6), aspect="equal")
        axes.set_title(title, loc="left", fontsize=11)
        axes.axis("off")
    figures.show(
        figure,
        alt=f"Q and V have {n:,} rows of {d} numbers. From the left, a table of {n:,} times {n:,} stands between; "
        f"from the right, one of {d} times {d}.",
    )


def recall(shares: Mapping[str, Mapping[int, float]]) -> None:
    """The share of pairs found again, by how many were written, for each way to keep them."""
    figure, axes = subplots(figsize=(7, 3))
    for (name, course), color in zip(shares.items(), (GREY, INK)):
        axes.semilogx(list(course), list(course.values()), marker="o", base=2, color=color, linewidth=2)
        axes.text(max(course) * 1.15, course[max(course)], name, color=color, va="center")
    pairs = list(course)
    axes.set_xticks(pairs, [str(n) for n in pairs])
    axes.set(xlabel="pairs written", ylabel="found again", ylim=(-0.08, 1.05))
    axes.yaxis.set_major_formatter("{x:.0%}")
    _open(axes)
    found = {name: ", ".join(f"{share:.0%} of {n}" for n, share in course.items()) for name, course in shares.items()}
    told = (f"{name}: {text}" for name, text in found.items())
    figures.show(figure, alt=f"The share of pairs found again. {'; '.join(told)}.")


def written_again(keys: str, words: Sequence[tuple[str, float]]) -> None:
    """What a plain sum and the delta rule answer to each key after each word, a table for each.

    words: the key and the value that each word writes. Keys are at right angles.
    """
    from matplotlib.patches import Rectangle

    states = {"a plain sum": _answers(keys, words, False), "the delta rule": _answers(keys, words, True)}
    figure, row = subplots(1, len(states), figsize=(3.5 * len(states), 2.6), squeeze=False)
    latest = np.full((len(words), len(keys)), np.nan)
    for t, (key, value) in enumerate(words):
        latest[t] = latest[t - 1] if t else np.nan
        latest[t, keys.index(key)] = value
    told = []
    for axes, (name, answers) in zip(row[0], states.items()):
        for (t, i), answer in np.ndenumerate(answers.round(2) + 0.0):
            right = np.isnan(latest[t, i]) or abs(answer - latest[t, i]) < 0.01
            axes.text(t, i, f"{answer:g}", ha="center", va="center", color=INK if right else RED, fontsize=13)
            if keys[i] == words[t][0]:
                axes.add_patch(Rectangle((t - 0.45, i - 0.45), 0.9, 0.9, fill=False, edgecolor=KEY, linewidth=2))
        axes.set(xlim=(-0.6, len(words) - 0.4), ylim=(len(keys) - 0.4, -0.6), title=name)
        axes.set_xticks(range(len(words)), [f"{key} = {value:g}" for key, value in words])
        axes.set_yticks(range(len(keys)), keys)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        answered = "; ".join(
            ", ".join(f"{key} {one:g}" for key, one in zip(keys, line.round(2) + 0.0)) for line in answers
        )
        told.append(f"{name}: {answered}")
    figures.show(
        figure,
        alt=f"What the state answers to each key after each of {len(words)} words. {'. '.join(told)}. "
        "Red: not the latest value.",
    )


def _answers(keys: str, words: Sequence[tuple[str, float]], erases: bool) -> np.ndarray:
    """What a state answers to each key after each word, (words, keys)."""
    state, answers = np.zeros(len(keys)), []
    for key, value in words:
        unit = np.eye(len(keys))[keys.index(key)]
        state = state + unit * (value - erases * unit @ state)
        answers.append(state)
    return np.array(answers)


def kept_and_redrawn(p: np.ndarray, q: np.ndarray) -> None:
    """Of each word, how often it is drawn from q and kept, and how often it is drawn instead; together that is p."""
    kept, again, refused = np.minimum(p, q), np.maximum(p - q, 0), np.maximum(q - p, 0)
    figure, (left, right) = subplots(1, 2, figsize=(8, 2.8), sharey=True)
    places = np.arange(len(p))
    left.bar(places, kept, color=INK, label="kept")
    left.bar(places, refused, bottom=kept, color=RED, label="refused")
    right.bar(places, kept, color=INK, label="kept")
    right.bar(places, again, bottom=kept, color=PLUM, label="drawn instead")
    for axes, title in ((left, "drawn from the draft's q"), (right, "what comes out: p")):
        axes.set_xticks(places, [f"word {i}" for i in places])
        axes.set(title=title)
        axes.legend(frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
    left.set(ylabel="probability")
    told = (
        f"word {i}: kept {k:.2f}, refused {r:.2f}, drawn instead {a:.2f}"
        for i, (k, r, a) in enumerate(zip(kept, refused, again))
    )
    figures.show(figure, alt=f"What becomes of guesses. {'; '.join(told)}. As many are refused as are drawn instead.")


def what_comes_out(shares: Mapping[str, tuple[float, float, float]]) -> None:
    """Of each next token: how often the draft guesses it, how probable the writer finds it, how often it comes out."""
    figure, axes = subplots(figsize=(7, 3))
    names, places = ("the draft guesses", "the writer alone", "what comes out"), np.arange(len(shares))
    for i, (name, color, heights) in enumerate(zip(names, (GREY, INK, PLUM), zip(*shares.values()))):
        axes.bar(places + 0.27 * (i - 1), heights, 0.25, color=color, label=name)
    axes.set_xticks(places, list(shares))
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set(title="the next word behind “How do you”", ylabel="share")
    axes.legend(frameon=False)
    _open(axes)
    told = (f"{word}: {q:.1%} guessed, {p:.1%} alone, {out:.1%} come out" for word, (q, p, out) in shares.items())
    figures.show(figure, alt=f"What comes next. {'; '.join(told)}.")


def _open(axes: Axes) -> None:
    """Without the frame's upper and right side."""
    axes.spines[["top", "right"]].set_visible(False)
