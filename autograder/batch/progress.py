"""Tells how far a grading is: a bar in a terminal, plain lines where there is none, one line in the end."""

from __future__ import annotations

import time
from collections import Counter

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

EVERY = 5.0
"""Seconds between two plain lines."""


class Telling:
    """Counts outcomes, and tells these `counts`. quiet: only the last line."""

    def __init__(self, title: str, total: int, quiet: bool, console: Console) -> None:
        self._title, self._total, self._console = title, total, console
        hidden = quiet or not console.is_terminal
        self._lines = hidden and not quiet
        self.counts: Counter[str] = Counter()
        self._begun = self._told = time.monotonic()
        self._first = 0.0
        columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, "{task.fields[rate]}", console=console, disable=hidden)
        self._task = self._bar.add_task(title, total=total, rate="")

    def __enter__(self) -> Telling:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()
        self._console.print(f"{self._title}: {self._sentence()}", soft_wrap=True)

    def count(self, outcome: str) -> None:
        """One more submission is done."""
        self.counts[outcome] += 1
        self._first = self._first or time.monotonic()
        self._bar.update(self._task, advance=1, rate=f"{self._rate()}, {self._listed()}")
        if self._lines and time.monotonic() - self._told > EVERY:
            self._told = time.monotonic()
            self._console.print(f"{self._title}: {self._sentence()}{self._guess()}", soft_wrap=True)

    def _sentence(self) -> str:
        done = self.counts.total()
        listed = f" ({self._listed()})" if done else ""
        return f"{done} of {self._total} done{listed}, {self._rate()}, {time.monotonic() - self._begun:.1f} s"

    def _guess(self) -> str:
        """How long the rest may take, at the pace since the first was done: what came before was the start."""
        done = self.counts.total()
        left = (self._total - done) * (time.monotonic() - self._first) / max(1, done - 1)
        return f", about {left:.0f} s left" if done > 4 else ""

    def _listed(self) -> str:
        return ", ".join(f"{number} {outcome}" for outcome, number in sorted(self.counts.items()))

    def _rate(self) -> str:
        return f"{self.counts.total() / max(1e-3, time.monotonic() - self._begun):.1f} a second"
