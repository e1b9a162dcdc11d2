"""Tells how far a grading is: a bar in a terminal, plain lines where there is none, one line in the end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

_EVERY = 5.0
"""Seconds between two plain lines."""


class Telling:
    """Counts outcomes, and tells these `counts`. known: outcomes that took no grading; quiet: only the last line."""

    def __init__(self, title: str, total: int, known: Iterable[str], quiet: bool, console: Console) -> None:
        self._title, self._total, self._console = title, total, console
        hidden = quiet or not console.is_terminal
        self._lines = hidden and not quiet
        self.counts = Counter(known)
        self._known = self.counts.total()
        self._begun = self._told = time.monotonic()
        self._first = 0.0
        columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, "{task.fields[rate]}", console=console, disable=hidden)
        self._task = self._bar.add_task(title, total=total, completed=self._known, rate=self._listed())

    def __enter__(self) -> Telling:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()
        self._console.print(f"{self._title}: {self._sentence()}", soft_wrap=True)

    def count(self, outcome: str) -> None:
        """One more submission is graded, or could not be."""
        self.counts[outcome] += 1
        self._first = self._first or time.monotonic()
        self._bar.update(self._task, advance=1, rate=", ".join([*self._rate(), self._listed()]))
        if self._lines and time.monotonic() - self._told > _EVERY:
            self._told = time.monotonic()
            self._console.print(f"{self._title}: {self._sentence()}{self._guess()}", soft_wrap=True)

    def _sentence(self) -> str:
        done = self.counts.total()
        listed = f" ({self._listed()})" if done else ""
        took = f"{time.monotonic() - self._begun:.1f} s"
        return ", ".join([f"{done} of {self._total} done{listed}", *self._rate(), took])

    def _guess(self) -> str:
        """How long the rest may take, at the pace since the first was done: what came before was the start."""
        graded, pace = self._graded(), time.monotonic() - self._first
        left = (self._total - self.counts.total()) * pace / max(1, graded - 1)
        return f", about {left:.0f} s left" if graded > 4 else ""

    def _listed(self) -> str:
        return ", ".join(f"{number} {outcome}" for outcome, number in sorted(self.counts.items()))

    def _graded(self) -> int:
        return self.counts.total() - self._known

    def _rate(self) -> Iterator[str]:
        """How many were graded in a second, where any was."""
        if graded := self._graded():
            yield f"{graded / max(1e-3, time.monotonic() - self._begun):.1f} a second"
