"""nbgrader's late penalties, told in words."""

from __future__ import annotations

import re
from logging import Logger, LoggerAdapter, LogRecord
from typing import Any

from nbformat import NotebookNode
from nbgrader.preprocessors import AssignLatePenalties

from autograder.model.notes import Kind, Note
from autograder.nbgrader_plugin import kept

NBGRADERS = re.compile(r"SubmittedAssignment<.*seconds late|Late submission penalty: ")
"""Its own lines, which count seconds."""


def hush(log: Logger | LoggerAdapter[Any]) -> None:
    """Keep nbgrader's own lines about late work out of a log."""
    log = log.logger if isinstance(log, LoggerAdapter) else log
    log.addFilter(_is_not_nbgraders)


def _is_not_nbgraders(record: LogRecord) -> bool:
    return not NBGRADERS.match(record.getMessage())


class LatePenalties(AssignLatePenalties):
    """nbgrader's own; who handed in late is noted in a sentence, which their feedback shows too."""

    _notes: tuple[Note, ...] = ()

    def init_plugin(self) -> None:
        """Listen to what the plugin is asked, and to what it answers; it is asked of late work only."""
        super().init_plugin()
        decide = self.plugin_inst.late_submission_penalty

        def decided(student: str, score: float, seconds: float) -> float | None:
            penalty = decide(student, score, seconds)
            self._notes = (Note(Kind.LATE, detail=_sentence(seconds, min(score, max(0, penalty or 0)))),)
            return penalty

        self.plugin_inst.late_submission_penalty = decided

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Take the penalty off, and note it."""
        self._notes = ()
        nb, resources = super().preprocess(nb, resources)
        kept.note(nb, resources["nbgrader"]["student"], self._notes, self.log)
        return nb, resources


def _sentence(seconds: float, penalty: float) -> str:
    said = f"{duration(seconds)} late"
    return f"{said}; {penalty:g} point{'s' * (penalty != 1)} taken off" if penalty else said


def duration(seconds: float) -> str:
    """A time in its two largest units: 1 day 2 hours."""
    left, words = round(seconds), []
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        count, left = divmod(left, length)
        if count:
            words.append(f"{count} {unit}{'s' * (count != 1)}")
    return " ".join(words[:2]) or "0 seconds"
