"""The marking page's server: one page, and one address that takes marks."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Sequence
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from tornado.web import Application, HTTPError, RequestHandler

from autograder.marking.answers import Marks, Place, WrittenQuestion
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.prose import prose

MAX_COMMENT = 10_000
"""Characters."""


Read = Callable[[], Sequence[WrittenQuestion]]


def application(marks: Marks, read: Read, secret: str) -> Application:
    """What answers at `/<secret>/`; every other address is not there."""
    given = {"marks": marks, "read": read}
    return Application(
        [(f"/{secret}/", _Page, given), (f"/{secret}/mark", _Mark, given)],
    )


class _Local(RequestHandler):
    """Turns away what another site's page sends under a name of its own for this machine."""

    def initialize(self, marks: Marks, read: Read) -> None:
        self.marks, self.read = marks, read

    def prepare(self) -> None:
        if self.request.host_name != "127.0.0.1":
            raise HTTPError(403)


class _Page(_Local):
    def get(self) -> None:
        """The page, as the gradebook is now."""
        text, policy = page(self.read())
        self.set_header("Content-Security-Policy", policy)
        self.set_header("Cache-Control", "no-store")
        self.finish(text)


class _Mark(_Local):
    def post(self) -> None:
        """Take a mark as JSON: lesson, name, student, points (a number, or null) and comment."""
        try:
            place, points, comment = _read(json.loads(self.request.body))
            self.marks.write(place, points, comment)
        except (ValueError, KeyError, TypeError) as error:
            raise HTTPError(400, str(error)) from None
        except CourseError as error:
            self.set_status(400)
            self.finish({"problem": str(error)})
            return
        self.finish({})


def _read(sent: Any) -> tuple[Place, float | None, str]:
    texts = [sent[name] for name in ("name", "notebook", "lesson", "student", "comment")]
    points = sent["points"]
    if not all(isinstance(text, str) for text in texts) or len(texts[-1]) > MAX_COMMENT:
        raise ValueError("name, notebook, lesson, student and comment are texts")
    return Place(*texts[:4]), None if points is None else float(points), texts[-1]


def page(questions: Sequence[WrittenQuestion]) -> tuple[str, str]:
    """The page, and the content security policy (W3C CSP 3) that it is shown under."""
    environment = Environment(
        loader=PackageLoader("autograder.marking"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["prose"] = prose
    script = environment.get_template("mark.js").render()
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    text = environment.get_template("mark.html.j2").render(questions=questions, script=script)
    return text, (
        "default-src 'none'; style-src 'unsafe-inline'; connect-src 'self'; form-action 'none'; base-uri 'none'; "
        f"frame-ancestors 'none'; script-src 'sha256-{digest}'"
    )
