"""The pictures of lesson 02, drawn with what the student wrote; the numbers in their texts are computed, too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.views.figures import CMAP, explore, show

from .drawing import INK, KEY, subplots, write
from .flow import Box, flow
from .helpers import softmax

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FRIENDS = ("Ming", "Anna", "Tom")
"""Round a table: each looks at the next, who sits on the left, and the last at the first."""

KEYS = np.array([[2.2, 0.6], [-0.3, 1.9], [-2.0, 0.2], [-0.6, -1.8], [1.0, -1.6], [0.5, 0.3]])
COLOURS = np.array(
    [
        [0.93, 0.42, 0.2],
        [0.98, 0.8, 0.28],
        [0.16, 0.55, 0.56],
        [0.13, 0.24, 0.45],
        [0.55, 0.18, 0.42],
        [1, 1, 1],
    ]
)
"""Of the painting that the lesson opens with: six keys, and as their values red, green and blue; the last is white."""

Attend = Callable[[np.ndarray, np.ndarray, np.ndarray], np.ndarray]


EDGE = 8
"""How long a query is in the middle of the square's edge, where nothing else is said."""


def _attend(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    return softmax(Q @ K.T / np.sqrt(K.shape[-1])) @ V


def painted() -> None:
    """The painting that the lesson opens with."""
    figure, axes = subplots(figsize=(5, 5))
    figure.patch.set_alpha(0)  # no frame on a dark page
    _paint(axes, _attend, KEYS, COLOURS, EDGE)
    show(
        figure, alt=f"A square of colours that blend in its middle, with an arrow for each key. {_won(KEYS)}"
    )


def paint(attend: Attend, keys: np.ndarray, colours: np.ndarray) -> None:
    """Each point of a square is a query, coloured with what it takes home; how long queries are can be changed.

    Printed is in how many of 360 directions the last key, white at first, has the largest weight.
    """
    keys, colours = np.asarray(keys, dtype=float), np.asarray(colours, dtype=float)
    weights = attend(_directions(np.arange(360)), keys, np.eye(len(keys)))
    last = "White" if np.all(colours[-1] == 1) else "The last key"
    print(f"{last} wins {(np.argmax(weights, axis=1) == len(keys) - 1).sum()} of 360 directions.")

    def draw(length: float, axes: Axes) -> None:
        axes.figure.patch.set_alpha(0)  # no frame on a dark page, where the title keeps its own
        axes.title.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 2})
        _paint(axes, attend, keys, colours, length)

    explore(
        draw,
        stills=(EDGE, 1, 32),
        name="length of a query at the edge",
        alt="A square of colours with an arrow for each key, an even blend where queries are short and sharp slices "
        f"where they are long. {_won(keys)}",
        turn=[float(f"{length:.2g}") for length in np.geomspace(0.5, 32, 25)],
    )


def _paint(
    axes: Axes, attend: Attend, keys: np.ndarray, colours: np.ndarray, length: float, points: int = 200
) -> None:
    """The square, whose edge is `length` away from its middle, and the keys, each with its colour at its tip."""
    keys, colours = np.asarray(keys, dtype=float), np.asarray(colours, dtype=float)
    across, up = np.meshgrid(*2 * [np.linspace(-length, length, points)])
    blends = attend(np.column_stack([across.ravel(), up.ravel()]), keys, colours)
    picture = np.asarray(blends).reshape(points, points, 3).clip(0, 1)
    axes.imshow(picture, extent=(-1, 1, -1, 1), origin="lower", interpolation="bilinear")
    tips = keys * 0.62 / np.linalg.norm(keys, axis=1).max()
    for tip, colour in zip(tips, colours.clip(0, 1)):
        axes.plot([0, tip[0]], [0, tip[1]], color=INK, linewidth=4, solid_capstyle="round")
        axes.plot([0, tip[0]], [0, tip[1]], color="white", linewidth=2, solid_capstyle="round")
        axes.plot(*tip, "o", color=colour, markersize=11, markeredgecolor=INK, markeredgewidth=3.5)
        axes.plot(*tip, "o", color=colour, markersize=10, markeredgecolor="white", markeredgewidth=2)
    axes.set(xlim=(-1, 1), ylim=(-1, 1))
    axes.set_axis_off()


def _won(keys: np.ndarray) -> str:
    """In how many of 360 directions each key has the highest score."""
    best = (_directions(np.arange(360)) @ np.asarray(keys, dtype=float).T).argmax(axis=1)
    told = ", ".join(f"key {number} in {(best == number).sum()}" for number in range(len(keys)))
    return f"In how many of 360 directions each weighs most: {told}."


def attention_flow() -> None:
    """The way of four words through self-attention, with the shapes of all that is made on it."""
    one = np.arange(4)[:, None] == 1
    boxes = (
        Box("X", 0, 0, 4, 5, "n × d_model", shades=one),
        Box("Q", 13, 8, 4, 3, "n × d_k", shades=one),
        Box("K", 13, 0, 4, 3, "n × d_k", shades=0.45),
        Box("V", 13, -8, 4, 2, "n × d_v", shades=0.45),
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
        alt=f"Matrices as boxes of cells, for four words: {shapes}. Arrows: {ways}. The row of one word stands out in "
        "X, Q, scores, weights and output.",
    )


def fit_round(attend: Callable[..., Any], matrices: int, seed: int = 0) -> np.ndarray:
    """The weights of three friends after training: each is to look at the next. (3, 3), queries by keys.

    matrices: 1 for one that makes queries and keys, 2 for one each. attend: `attend(Q, K, V)` -> output, weights, of
    tensors, differentiable. What grows in 300 steps of gradient descent is the product of the three wanted weights.
    """
    import torch

    dice = torch.Generator().manual_seed(seed)
    words, wanted = torch.eye(len(FRIENDS), dtype=torch.float64), [1, 2, 0]
    W = [torch.randn(3, 3, generator=dice, dtype=torch.float64, requires_grad=True) for _ in range(matrices)]
    for _ in range(300):
        weights = attend(words @ W[0], words @ W[-1], words)[1]
        loss = -torch.log(weights[range(len(FRIENDS)), wanted]).mean()
        with torch.no_grad():
            for one, gradient in zip(W, torch.autograd.grad(loss, W)):
                one -= gradient
    return attend(words @ W[0], words @ W[-1], words)[1].detach().numpy()


def round_table(attend: Callable[..., Any]) -> None:
    """What training makes of three friends who are to look at their left neighbours, with one matrix and with two."""
    from matplotlib.patches import Rectangle

    tables = {
        "One matrix for queries and keys": fit_round(attend, 1),
        "Two matrices": fit_round(attend, 2),
    }
    figure, pair = subplots(1, 2, figsize=(6.4, 3.1))
    for axes, (title, table) in zip(pair, tables.items()):
        axes.imshow(table, cmap=CMAP, vmin=0, vmax=1)
        write(axes, table)
        for row, column in enumerate([1, 2, 0]):
            axes.add_patch(
                Rectangle((column - 0.47, row - 0.47), 0.94, 0.94, fill=False, edgecolor=KEY, linewidth=3)
            )
        axes.set_xticks(range(3), FRIENDS)
        axes.set_yticks(range(3), FRIENDS)
        axes.set(title=title, xlabel="key: is looked at", ylabel="query: looks")
    figure.suptitle("Framed: the left neighbour")
    wanted = ", ".join(f"{one} at {FRIENDS[(i + 1) % 3]}" for i, one in enumerate(FRIENDS))
    told = (f"{title}: {_listed(table[range(3), [1, 2, 0]])}" for title, table in tables.items())
    show(
        figure,
        alt=f"Two heatmaps of weights, framed where they are wanted: {wanted}. Framed: {'; '.join(told)}.",
    )


def learn_to_paint(attend: Callable[..., Any], keys: np.ndarray, colours: np.ndarray) -> None:
    """What training makes of random keys and colours whose painting is to become that of `keys` and `colours`.

    attend: `attend(Q, K, V)` -> output, weights, of tensors, differentiable.
    """
    stages = fit_painting(attend, keys, colours)
    figure, row = subplots(1, 1 + len(stages), figsize=(9.6, 3))
    figure.patch.set_alpha(0)  # no frame on a dark page
    shown = {"Your painting": (keys, colours)} | {
        f"After {step} steps\nmean difference {error:.3f}": found for step, (found, error) in stages.items()
    }
    for axes, (title, (found_keys, found_colours)) in zip(row, shown.items()):
        _paint(axes, _attend, found_keys, found_colours, EDGE, points=100)
        axes.set_title(title, bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
    told = ", ".join(f"{error:.3f} after {step} steps" for step, (_, error) in stages.items())
    show(
        figure,
        alt=f"Your painting, and beside it what training paints. Mean difference of their colours: {told}.",
    )


def fit_painting(
    attend: Callable[..., Any],
    keys: np.ndarray,
    colours: np.ndarray,
    steps: tuple[int, ...] = (0, 20, 400),
    seed: int = 2,
) -> dict[int, tuple[tuple[np.ndarray, np.ndarray], float]]:
    """By the number of steps: the keys and colours then, and the mean difference of their painting from the goal."""
    import torch

    dice = torch.Generator().manual_seed(seed)
    side = torch.linspace(-EDGE, EDGE, 24, dtype=torch.float64)
    queries = torch.cartesian_prod(side, side)
    goal = torch.as_tensor(
        _attend(queries.numpy(), np.asarray(keys, dtype=float), np.asarray(colours, dtype=float))
    )
    K = torch.randn(np.shape(keys), generator=dice, dtype=torch.float64)
    V = 0.5 + 0.1 * torch.randn(np.shape(colours), generator=dice, dtype=torch.float64)
    learned = [K.requires_grad_(), V.requires_grad_()]
    training = torch.optim.Adam(learned, lr=0.05)
    stages = {}
    for step in range(max(steps) + 1):
        difference = attend(queries, K, V)[0] - goal
        if step in steps:
            found = K.detach().numpy().copy(), V.detach().numpy().copy()
            stages[step] = found, difference.abs().mean().item()
        training.zero_grad()
        difference.square().mean().backward()
        training.step()
    return stages


def _directions(degrees: Any) -> np.ndarray:
    """Arrows of length 1 that point this way."""
    turned = np.deg2rad(np.asarray(degrees, dtype=float))
    return np.column_stack([np.cos(turned), np.sin(turned)])


def _listed(numbers: Iterable[float], form: str = ".2f") -> str:
    """Numbers as a sentence names them."""
    *first, last = (f"{number:{form}}" for number in numbers)
    return f"{', '.join(first)} and {last}"
