"""Figures of lesson 08; what their alt texts say of results is made from these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from autograder.student import figures

from .drawing import GREY, INK, KEY, PALE, QUERY, RED, SIGNED, subplots

if TYPE_CHECKING:
    import torch
    from matplotlib.axes import Axes

STYLES = ("-", "--", ":", "-.")


def losses_by_position(losses: Mapping[str, torch.Tensor], context: int) -> None:
    """The mean loss (n - 1,) of the word behind each position, by writer; a line stands where training ended."""
    figure, axes = subplots(figsize=(7, 3.4))
    told = []
    looks = ((GREY, "-"), (INK, ":"), (INK, "-"))[-len(losses) :]
    for (name, course), (color, style) in zip(losses.items(), looks):
        axes.plot(range(1, len(course) + 1), course.tolist(), style, color=color)
        level = course[-len(course) // 4 :].mean()
        axes.text(1.01, level, name, color=INK, va="center", transform=axes.get_yaxis_transform())
        before, behind = course[: context - 1].mean(), course[4 * context - 1 :].mean()
        told.append(f"{name} {before:.1f} before and {behind:.1f} far behind")
    axes.axvline(context, color=RED, linewidth=1)
    axes.text(context + 1, 0.1, f"trained on {context} words", color=RED)
    axes.set(xlabel="words read", ylabel="nats a word", ylim=(0, None))
    figures.show(figure, alt=f"The loss by the number of words read, with a line at {context}: {'; '.join(told)}.")


def two_clocks(
    rotate: Callable[[torch.Tensor, torch.Tensor], torch.Tensor], q: torch.Tensor, k: torch.Tensor,
    places: Sequence[tuple[int, int]],
) -> None:
    """One pair of columns of a query and a key, (2,) each, as hands, turned at the places of both."""
    import torch
    from matplotlib.patches import Circle

    figure, row = subplots(1, len(places), figsize=(3 * len(places), 3.2))
    told = []
    for axes, (asks, asked) in zip(row, places):
        angles = []
        for name, vector, place, color in (("query", q, asks, QUERY), ("key", k, asked, KEY)):
            x, y = rotate(vector[None], torch.tensor([place]))[0].tolist()
            angles.append(np.arctan2(y, x))
            axes.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "-|>", "color": color, "lw": 3})
            axes.text(1.25 * x, 1.25 * y, f"{name}\n{place}", color=color, ha="center", va="center")
        degrees = np.degrees(angles[0] - angles[1]) % 360
        axes.add_patch(Circle((0, 0), 1, fill=False, color=GREY))
        axes.set(xlim=(-1.6, 1.6), ylim=(-1.6, 1.6), aspect="equal", title=f"between them {degrees:.0f}°")
        axes.axis("off")
        told.append(f"query at {asks}, key at {asked}: {degrees:.0f} degrees between them")
    figures.show(figure, alt=f"Two clock hands, turned by their positions. {'; '.join(told)}.")


def times(lengths: Sequence[int], milliseconds: Mapping[str, Sequence[float]]) -> None:
    """What one more word takes, by what stands before it, both on logarithmic axes."""
    from matplotlib.ticker import LogLocator

    figure, axes = subplots(figsize=(7, 3.2))
    for (name, course), style in zip(milliseconds.items(), STYLES):
        axes.loglog(lengths, course, style, marker="o", color=INK, label=name)
    axes.set(xlabel="words before", ylabel="ms a word")
    axes.set_xticks(lengths, [str(n) for n in lengths])
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.legend()
    told = (f"{name}: {', '.join(_few(ms) for ms in course)}" for name, course in milliseconds.items())
    figures.show(figure, alt=f"Milliseconds a word behind {', '.join(map(str, lengths))} words. {'; '.join(told)}.")


def cliff(losses: Mapping[int, Mapping[int, float]], chance: float) -> None:
    """By window, the loss of the second round for each period of the letters."""
    figure, axes = subplots(figsize=(7, 3.2))
    told = []
    for (window, course), style in zip(losses.items(), STYLES):
        axes.plot(list(course), list(course.values()), style, marker="o", color=INK, label=f"window {window}")
        told.append(f"window {window}: {', '.join(f'{loss:.2f} at {period}' for period, loss in course.items())}")
    axes.axhline(chance, color=GREY, linestyle="--", linewidth=1)
    axes.text(max(course), chance + 0.2, "chance", color=GREY, ha="right")
    axes.set(xlabel="the answer lies so many letters back", ylabel="nats a letter", ylim=(0, None))
    axes.legend()
    figures.show(figure, alt=f"The loss by how far back the answer lies; chance is {chance:.2f}. {'; '.join(told)}.")


def lit_block(Q: np.ndarray, K: np.ndarray, V: np.ndarray, block: int) -> None:
    """The table of scores of which only one block is ever there, and what the first query remembers of those before.

    Q (n_q, d), K (n_k, d), V (n_k, 1): the three running numbers are the top score, the sum and the output.
    """
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
        axes.set(xlabel="key", ylabel="query", xticks=[], yticks=[])
        top, total, output = running(int(number) - 1)
        numbers.axis("off")
        lines = [f"top    {top:6.2f}", f"sum    {total:6.2f}", f"output {output / total:6.2f}"]
        numbers.text(0, 0.5, "query 0, so far\n\n" + "\n".join(lines), va="center", family="monospace", fontsize=13)

    told = []
    for i in range(len(blocks)):
        top, total, output = running(i)
        told.append(f"block {i + 1}: top {top:.2f}, sum {total:.2f}, output so far {output / total:.2f}")
    figures.explore(
        draw, [1, len(blocks)], "block",
        alt="A table of scores in which one block of keys is lit, and three running numbers of query 0. "
        f"{'; '.join(told)}.",
        turn=range(1, len(blocks) + 1), panels=2,
    )


def recall(shares: Mapping[str, Mapping[int, float]]) -> None:
    """The share of pairs found again, by how many were written, for each way to keep them."""
    figure, axes = subplots(figsize=(7, 3))
    for (name, course), style in zip(shares.items(), STYLES):
        axes.semilogx(list(course), list(course.values()), style, marker="o", base=2, color=INK, label=name)
    pairs = list(course)
    axes.set_xticks(pairs, [str(n) for n in pairs])
    axes.set(xlabel="pairs written", ylabel="found again", ylim=(0, 1.05))
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.legend()
    found = {name: ", ".join(f"{share:.0%} of {n}" for n, share in course.items()) for name, course in shares.items()}
    told = (f"{name}: {text}" for name, text in found.items())
    figures.show(figure, alt=f"The share of pairs found again. {'; '.join(told)}.")


def frequencies(shares: Mapping[str, np.ndarray]) -> None:
    """How often each word comes, (vocabulary,), by who draws it: bars beside each other."""
    figure, axes = subplots(figsize=(7, 3))
    width = 0.8 / len(shares)
    colors = (PALE, INK, RED)
    for i, ((name, share), color) in enumerate(zip(shares.items(), colors)):
        bars = axes.bar(np.arange(len(share)) + i * width, share, width * 0.95, color=color, label=name)
        axes.bar_label(bars, fmt="%.2f", fontsize=8)
    axes.set_xticks(np.arange(len(share)) + width * (len(shares) - 1) / 2, [f"word {i}" for i in range(len(share))])
    axes.set(ylabel="share", ylim=(0, 0.62))
    axes.legend()
    told = (f"{name}: {', '.join(f'{part:.2f}' for part in share)}" for name, share in shares.items())
    figures.show(figure, alt=f"How often each word comes. {'; '.join(told)}.")


def _few(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}"
