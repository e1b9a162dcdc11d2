"""Pictures of what several attentions weigh, and of what several trainings lose."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograder.views import figures

from .drawing import GREY, subplots, write

FEW = 40
"""So many weights, and no more, have their numbers written on them."""


def draw_weights(
    axes: Any, weights: Any, title: str = "", keys: Sequence[str] = (), queries: Sequence[str] = ()
) -> None:
    """A heatmap of weights (n_q, n_k): a row for each query, a column for each key; with numbers where there are few.

    keys, queries: what to call them, their positions where nothing is said.
    """
    table = np.asarray(weights.detach() if hasattr(weights, "detach") else weights)
    n_q, n_k = table.shape
    axes.imshow(table, cmap=figures.CMAP, vmin=0, vmax=1, aspect="auto")
    if table.size <= FEW:
        write(axes, table, dark=0.65)
    axes.set_xticks(range(n_k), keys or range(n_k), rotation=90 if keys else 0)
    axes.set_yticks(range(n_q), queries or range(n_q))
    axes.set(xlabel="keys", ylabel="queries", title=title)


def show_losses(
    losses: Mapping[str, Sequence[float]], baselines: Mapping[str, float], label: str, tones: Mapping[str, str]
) -> None:
    """The losses of several trainings, each the mean of ten steps, and as level lines what needs no training.

    tones: the colour of each.
    """
    figure, axes = subplots(figsize=(7, 3.6))
    courses = []
    for (name, all_steps), style in zip(losses.items(), (":", "-", "--", "-.")):
        smooth = np.convolve(all_steps, np.full(10, 0.1), mode="valid")
        axes.plot(range(10, len(all_steps) + 1), smooth, style, color=tones[name], label=name, linewidth=2)
        soon = smooth[min(60, len(smooth) - 1)]
        courses.append(f"{name}: {smooth[0]:.2f} at first, {soon:.2f} after 70, {smooth[-1]:.2f} at the end.")
    for name, loss in baselines.items():
        axes.axhline(loss, color=GREY, linewidth=1, label=name)
        courses.append(f"A level line, {name}: {loss:.2f}.")
    axes.set(xlabel="training step", ylabel=label, ylim=(0, None))
    axes.legend()
    figures.show(figure, f"{label.capitalize()} against training step. {' '.join(courses)}")
