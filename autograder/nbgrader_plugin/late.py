"""nbgrader's late penalties, told in words."""

from __future__ import annotations

from logging import Logger, LoggerAdapter, LogRecord
from typing import Any

from nbformat import NotebookNode
from nbgrader.api import Gradebook
from nbgrader.preprocessors import AssignLatePenalties

from autograder.model.notes import Kind, Note
from autograder.nbgrader_plugin import kept


def hush(log: Logger | LoggerAdapter[Any]) -> None:
    """Keep nbgrader's own line about late work, which counts seconds, out of a log."""
    log = log.logger if isinstance(log, LoggerAdapter) else log
    log.addFilter(_is_not_nbgraders)


def _is_not_nbgraders(record: LogRecord) -> bool:
    return record.msg != "%s is %s seconds late"


class LatePenalties(AssignLatePenalties):
    """nbgrader's own, by the same plugin; who handed in late is noted in a sentence, which their feedback shows too."""

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        """Take the penalty off, and note it."""
        names = resources["nbgrader"]
        student = names["student"]
        self.init_plugin()
        with Gradebook(names["db_url"]) as gradebook:
            own = gradebook.find_submission_notebook(names["notebook"], names["assignment"], student)
            own.late_submission_penalty = None
            if (seconds := own.assignment.total_seconds_late) > 0:
                penalty = self.plugin_inst.late_submission_penalty(student, own.score, seconds)
                if penalty is not None:
                    own.late_submission_penalty = self._check_late_penalty(own, penalty)
                said = _sentence(seconds, own.late_submission_penalty or 0)
                kept.note(nb, student, [Note(Kind.LATE, detail=said)], self.log)
            gradebook.db.commit()
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
