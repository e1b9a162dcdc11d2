"""Tells how far a grading is: a bar in a terminal, plain lines where there is none, one line in the end."""

from __future__ import annotations

import time
from collections import Counter
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

EVERY = 5.0
"""Seconds between two plain lines."""


class Telling:
    """Counts outcomes and tells them. quiet: only the last line."""

    def __init__(self, title: str, total: int, quiet: bool, console: Console) -> None:
        self._title, self._total, self._console = title, total, console
        self._quiet, self._lines = quiet, not quiet and not console.is_terminal
        self._counts: Counter[str] = Counter()
        self._begun = self._told = time.monotonic()
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[counts]}"),
        )
        self._bar = Progress(*columns, console=console, disable=quiet or not console.is_terminal)
        self._task = self._bar.add_task(title, total=total, rate="", counts="")

    def __enter__(self) -> Telling:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
        self._console.print(f"{self._title}: {self._sentence()}", soft_wrap=True)

    def count(self, outcome: str) -> None:
        """One more submission is done."""
        self._counts[outcome] += 1
        self._bar.update(self._task, advance=1, rate=self._rate(), counts=self._listed())
        if self._lines and time.monotonic() - self._told > EVERY:
            self._told = time.monotonic()
            self._console.print(f"{self._title}: {self._sentence()}, {self._left()}", soft_wrap=True)

    def _sentence(self) -> str:
        done = self._counts.total()
        listed = f" ({self._listed()})" if done else ""
        return f"{done} of {self._total} done{listed}, {self._rate()}, {time.monotonic() - self._begun:.1f} s"

    def _listed(self) -> str:
        return ", ".join(f"{number} {outcome}" for outcome, number in sorted(self._counts.items()))

    def _rate(self) -> str:
        return f"{self._counts.total() / max(1e-3, time.monotonic() - self._begun):.1f} a second"

    def _left(self) -> str:
        done = self._counts.total()
        left = (self._total - done) * (time.monotonic() - self._begun) / max(1, done)
        return f"about {left:.0f} s left"
