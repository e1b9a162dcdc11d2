"""The marking page's server: one page, and one address that takes marks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tornado.web import Application, HTTPError, RequestHandler

from autograder.marking.answers import Place, WrittenQuestion
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.formatting import Formatted, Text, formatted
from autograder.nbgrader_plugin.prose import prose
from autograder.publish import pages

MAX_COMMENT = 10_000
"""Characters."""

POLICY = "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
"""What the page may do besides running its script, and may not."""

Read = Callable[[], Sequence[WrittenQuestion]]
Mark = Callable[[Place, float | None, str], None]
Show = Callable[[Iterable[str]], Mapping[str, Formatted]]


class Remembered:
    """Formats answers for the page, and remembers what it was asked for last."""

    def __init__(self) -> None:
        self._known: Mapping[str, Formatted] = {}

    def __call__(self, answers: Iterable[str]) -> Mapping[str, Formatted]:
        wanted = set(answers)
        new = [answer for answer in wanted if answer not in self._known]
        made = dict(zip(new, formatted([Text("markdown", answer) for answer in new])))
        self._known = {answer: made.get(answer) or self._known[answer] for answer in wanted}
        return self._known


def page(questions: Sequence[WrittenQuestion], show: Show) -> tuple[str, str]:
    """The page of all answers to these questions, and its content security policy."""
    shown = show(
        answer.text for question in questions for answer in question.answers if answer.text is not None
    )
    values = {"questions": questions, "shown": shown, "most": MAX_COMMENT}
    text, policy = pages.page("autograder.marking", "mark.html.j2", "mark.js", {"prose": prose}, **values)
    return text, f"{policy}; {POLICY}"


def application(read: Read, mark: Mark, secret: str) -> Application:
    """What answers at `/<secret>/`; every other address is not there."""
    given = {"read": read, "mark": mark, "show": Remembered()}
    return Application([(f"/{secret}/", _Page, given), (f"/{secret}/mark", _Mark, given)])


class _Local(RequestHandler):
    """Turns away what another site's page sends under a name of its own for this machine."""

    def initialize(self, read: Read, mark: Mark, show: Show) -> None:
        self.read, self.mark, self.show = read, mark, show

    def prepare(self) -> None:
        if self.request.host_name != "127.0.0.1":
            raise HTTPError(403)


class _Page(_Local):
    def get(self) -> None:
        """The page, as the gradebook is now."""
        text, policy = page(self.read(), self.show)
        self.set_header("Content-Security-Policy", policy)
        self.set_header("Cache-Control", "no-store")
        self.finish(text)


class _Mark(_Local):
    def post(self) -> None:
        """Take a mark as JSON: the fields of `Place`, points (a number, or null) and comment."""
        try:
            self.mark(*_read(json.loads(self.request.body)))
        except (ValueError, KeyError, TypeError) as error:
            raise HTTPError(400, str(error)) from None
        except CourseError as error:
            self.set_status(400)
            self.finish({"problem": str(error)})
            return
        self.finish({})


def _read(sent: Any) -> tuple[Place, float | None, str]:
    *place, comment = texts = [sent[name] for name in (*Place._fields, "comment")]
    points = sent["points"]
    if not all(isinstance(text, str) for text in texts) or len(comment) > MAX_COMMENT:
        raise ValueError("name, notebook, lesson, student and comment are texts")
    return Place(*place), None if points is None else float(points), comment
