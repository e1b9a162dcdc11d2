"""Shows the progress of grading: a bar in a terminal, and one line at the end."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn


class ProgressBar:
    """Counts outcomes, and shows the `counts`."""

    def __init__(
        self, title: str, total: int, done_before: Iterable[str], console: Console, hidden: bool = False
    ) -> None:
        """Start counting.

        Args:
            title: The text before each line.
            total: The number of submissions.
            done_before: The outcomes of submissions that needed no grading.
            console: The console to print to.
            hidden: Whether to show the last line alone, as where the console is no terminal.
        """
        self._title, self._total, self._console = title, total, console
        self.counts = Counter(done_before)
        self._start = time.monotonic()
        columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        hidden = hidden or not console.is_terminal
        self._bar = Progress(*columns, "{task.fields[outcomes]}", console=console, disable=hidden)
        done = self.counts.total()
        self._task = self._bar.add_task(title, total=total, completed=done, outcomes=self._listed())

    def __enter__(self) -> ProgressBar:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()
        listed = f" ({self._listed()})" if self.counts else ""
        done = f"{self.counts.total()} of {self._total} done{listed}"
        seconds = time.monotonic() - self._start
        self._console.print(f"{self._title}: {done}, {seconds:.1f} s", soft_wrap=True)

    def count(self, outcome: str) -> None:
        """Count one more submission that was graded, or could not be."""
        self.counts[outcome] += 1
        self._bar.update(self._task, advance=1, outcomes=self._listed())

    def _listed(self) -> str:
        return ", ".join(f"{number} {outcome}" for outcome, number in sorted(self.counts.items()))
