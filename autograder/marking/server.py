"""The marking page's server: one page, one address that takes marks, and who may have them.

As with Jupyter, whoever knows the secret is let in once, `/?token=…`, and is known by a cookie from then on.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

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

CLOSED = "this browser has not been let in since the program that serves the page was started"
OPEN_AGAIN = "open the address that it shows in its terminal"

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


def application(read: Read, mark: Mark, token: str, port: int) -> Application:
    """What answers at this port's `/` and `/mark`, to whoever has shown the token; every other address is not there.

    A browser keeps one set of cookies for all ports of a machine, so the cookie's name tells them apart.
    """
    handlers: list[Any] = [
        ("/", _Page, {"read": read, "show": Remembered()}),
        ("/mark", _Mark, {"mark": mark}),
    ]
    return Application(handlers, token=token, cookie=f"mark-{port}")


class _Local(RequestHandler):
    """Turns away who is not known, and what another site sends, be it under a name of its own for this machine."""

    def prepare(self) -> None:
        origin = self.request.headers.get("Origin")
        if self.request.host_name != "127.0.0.1" or origin and urlsplit(origin).netloc != self.request.host:
            raise HTTPError(403)
        token = self.settings["token"].encode()
        shown = self.get_query_argument("token", ""), self.get_cookie(self.settings["cookie"], "")
        if not any(secrets.compare_digest(one.encode(), token) for one in shown):
            self.set_status(403)
            self.turn_away()

    def turn_away(self) -> None:
        """Say to who is not known how to be."""
        raise NotImplementedError

    def answer(self, page: str, policy: str = "default-src 'none'; style-src 'unsafe-inline'") -> None:
        """Send a page under a content security policy, to be kept nowhere."""
        self.set_header("Content-Security-Policy", policy)
        self.set_header("Cache-Control", "no-store")
        self.finish(page)


class _Page(_Local):
    def initialize(self, read: Read, show: Show) -> None:
        self._read, self._show = read, show

    def turn_away(self) -> None:
        self.answer(pages.still("autograder.marking", "closed.html.j2", why=CLOSED, remedy=OPEN_AGAIN))

    def get(self) -> None:
        """The page, as the gradebook is now; to who shows the token, a cookie and the way to the address without it.

        A redirect would not do: what another site, or a file, leads to by one is sent without strict cookies.
        """
        if self.get_query_argument("token", ""):
            self.set_cookie(self.settings["cookie"], self.settings["token"], httponly=True, samesite="Strict")
            self.answer(leading_to("/"))
        else:
            self.answer(*page(self._read(), self._show))


class _Mark(_Local):
    def initialize(self, mark: Mark) -> None:
        self._mark = mark

    def turn_away(self) -> None:
        self.finish({"problem": f"{CLOSED}: {OPEN_AGAIN}"})

    def post(self) -> None:
        """Take a mark as JSON: the fields of `Place`, points (a number, or null) and comment."""
        try:
            self._mark(*_read(json.loads(self.request.body)))
        except (ValueError, KeyError, TypeError) as error:
            raise HTTPError(400, str(error)) from None
        except CourseError as error:
            self.set_status(400)
            self.finish({"problem": str(error)})
            return
        self.finish({})


def leading_to(address: str) -> str:
    """A page that leads a browser to an address."""
    return pages.still("autograder.marking", "leading.html.j2", address=address)


def _read(sent: Any) -> tuple[Place, float | None, str]:
    *place, comment = texts = [sent[name] for name in (*Place._fields, "comment")]
    points = sent["points"]
    if not all(isinstance(text, str) for text in texts) or len(comment) > MAX_COMMENT:
        raise ValueError("name, notebook, lesson, student and comment are texts")
    return Place(*place), None if points is None else float(points), comment
