"""A training that can be watched: its loss as a curve that grows while the cell runs."""

import math
import os
import time
from collections.abc import Callable, Mapping
from typing import Any

from autograder.views import figures

from .drawing import GREY, INK, PALE, subplots

NAMED = 2
"""At which of its points the curve is named."""


class LossCurve:
    """The loss on held-out text so far, beside the training loss and baselines; below it what the model writes.

    In a live notebook the picture is drawn anew at each `add`; where no one looks on, once, by `finish`.
    """

    def __init__(
        self,
        steps: int,
        baselines: Mapping[str, float],
        highest: float,
        held_out_loss: Callable[[Any], float] = lambda model: math.nan,
        write: Callable[[Any], str] = lambda model: "",
    ) -> None:
        """held_out_loss, write: what `look` asks of the model, its loss on held-out text and a sample."""
        self._steps, self._baselines, self._highest = steps, baselines, highest
        self._held_out_loss, self._write = held_out_loss, write
        self._losses: dict[int, float] = {}
        self._learned: list[float] = []
        self._picture: Any = None
        self._began = time.process_time()

    def look(self, step: int, model: Any, loss: float | None = None) -> None:
        """After a step of this loss: at each twelfth of all steps the loss is measured, at each sixth it writes."""
        every = max(1, self._steps // 12)
        if loss is not None:
            self._learned.append(loss)
        if step % every == 0:
            self.add(step, self._held_out_loss(model), "" if step % (2 * every) else self._write(model))

    def add(self, step: int, loss: float, sample: str = "") -> None:
        """One more point of the curve, and what the model writes by now."""
        self._losses[step] = loss
        if not os.environ.get(figures.STATIC):
            self._draw(f"step {step}")  # first, so that no line stands above the picture
        if sample:
            print(f"step {step:3}   loss {loss:.1f}   {sample}")

    def finish(self) -> None:
        """The whole curve, as a figure that stays, with a text made from it; below it the perplexity at the end."""
        alt = self._told()
        if os.environ.get(figures.STATIC):
            figures.show(self._figure("loss"), alt)
        else:
            self._draw("loss", alt)
        seconds = time.process_time() - self._began
        print(f"perplexity {math.exp([*self._losses.values()][-1]):.0f}, after {seconds:.0f} seconds of computing")

    def _told(self) -> str:
        """What the curve shows, in words."""
        (first, start), *_, (last, end) = self._losses.items()
        text = [
            f"The loss on the held-out text is {start:.1f} nats a token at step {first} and {end:.1f} at step {last}"
        ]
        for name, loss in sorted(self._baselines.items(), key=lambda one: -one[1]):
            below = next((step for step, own in self._losses.items() if own < loss), None)
            passed = "it never falls below" if below is None else f"from step {below} on it is below"
            text.append(f"{passed} the {name} at {loss:.1f}")
        if self._learned:
            text.append(f"the mean training loss of the last {len(self._learned[-50:])} steps is {self._lately():.1f}")
        return "; ".join(text) + "."

    def _lately(self) -> float:
        """The mean training loss of the last 50 steps."""
        return sum(self._learned[-50:]) / len(self._learned[-50:])

    def _draw(self, title: str, alt: str = "the loss so far") -> None:
        from IPython.display import display

        picture = figures.live(self._figure(title), alt)
        if self._picture is None:
            self._picture = display(picture, raw=True, display_id=True)
        else:
            self._picture.update(picture, raw=True)

    def _figure(self, title: str) -> Any:
        figure, axes = subplots(figsize=(7, 3.4))
        if self._learned:
            axes.plot(range(len(self._learned)), self._learned, color=PALE, linewidth=1)
        axes.plot(list(self._losses), list(self._losses.values()), "o-", color=INK, markersize=3)
        if len(self._losses) > NAMED:  # there the curve is neither at an edge nor near a baseline
            place, offset = [*self._losses.items()][NAMED], {"textcoords": "offset points", "fontsize": 9}
            axes.annotate("held-out text", place, (8, 6), color=INK, **offset)
            if self._learned:
                axes.annotate("training text", place, (-8, -12), color=GREY, ha="right", **offset)
        free = self._highest
        for name, loss in sorted(self._baselines.items(), key=lambda one: -one[1]):
            axes.axhline(loss, color=GREY, linestyle="--", linewidth=1)
            free = min(loss, free - self._highest / 16)  # names do not cover each other
            axes.text(self._steps * 1.01, free, name, va="center", fontsize=9)
        axes.set(xlim=(0, self._steps), ylim=(0, self._highest), title=title)
        axes.set(xlabel="training step", ylabel="nats a token")
        return figure
