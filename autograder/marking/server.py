"""The marking page's server: one page, and one address that takes marks."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from tornado.web import Application, HTTPError, RequestHandler

from autograder.marking.answers import Place, WrittenQuestion
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.prose import prose
from autograder.publish import pages

MAX_COMMENT = 10_000
"""Characters."""

POLICY = "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
"""What the page may do besides running its script, and may not."""

Read = Callable[[], Sequence[WrittenQuestion]]
Mark = Callable[[Place, float | None, str], None]


def application(read: Read, mark: Mark, secret: str) -> Application:
    """What answers at `/<secret>/`; every other address is not there."""
    given = {"read": read, "mark": mark}
    return Application([(f"/{secret}/", _Page, given), (f"/{secret}/mark", _Mark, given)])


class _Local(RequestHandler):
    """Turns away what another site's page sends under a name of its own for this machine."""

    def initialize(self, read: Read, mark: Mark) -> None:
        self.read, self.mark = read, mark

    def prepare(self) -> None:
        if self.request.host_name != "127.0.0.1":
            raise HTTPError(403)


class _Page(_Local):
    def get(self) -> None:
        """The page, as the gradebook is now."""
        values = {"questions": self.read(), "most": MAX_COMMENT}
        text, policy = pages.page("autograder.marking", "mark.html.j2", "mark.js", {"prose": prose}, **values)
        self.set_header("Content-Security-Policy", f"{policy}; {POLICY}")
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
