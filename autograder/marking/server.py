"""The marking page's server: one page, one address that takes marks, and who may have them.

As with Jupyter, whoever knows the secret is let in once, `/?token=…`, and is known by a cookie from then on.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tornado.web import Application, HTTPError, RequestHandler

from autograder.marking.answers import MarkedQuestion
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.formatting import Formatted, Text, formatted
from autograder.nbgrader_plugin.marks import Changes, Marked, Place, Seen, Stale
from autograder.nbgrader_plugin.prose import prose
from autograder.publish import pages
from autograder.publish.pages import Filters

MAX_COMMENT = 10_000
"""Characters."""

ONLY_HERE = "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
"""What the page may do besides running its script, and may not."""

CLOSED = "this browser has not been let in since the program that serves the page was started"
OPEN_AGAIN = "open the address that it shows in its terminal"


class MarkingPage(NamedTuple):
    """What the page is made of: all questions, one answer as it is now, and what marks it, see `marks.give_mark`."""

    read: Callable[[], Sequence[MarkedQuestion]]
    find: Callable[[Place], Marked | None]
    give: Callable[[Place, Seen, Changes], None]


def exact(points: float) -> str:
    """Points as somebody would type them."""
    return f"{points:.15g}"


class Remembered:
    """Formats texts for the page, and remembers what the whole page was made of last."""

    def __init__(self) -> None:
        self._known: Mapping[Text, Formatted] = {}

    def page(self, texts: Iterable[Text]) -> Mapping[Text, Formatted]:
        """These texts by themselves, as all that the page holds."""
        self._known = self.some(texts)
        return self._known

    def some(self, texts: Iterable[Text]) -> Mapping[Text, Formatted]:
        """These texts by themselves."""
        wanted = set(texts)
        new = [text for text in wanted if text not in self._known]
        made = dict(zip(new, formatted(new)))
        return {text: made.get(text) or self._known[text] for text in wanted}


def answers_page(questions: Sequence[MarkedQuestion], show: Remembered) -> tuple[str, str]:
    """The page of all answers to these questions, and its content security policy."""
    texts = [text for one in questions for answer in one.answers for text in _texts(one.kind, answer)]
    values = {"questions": questions, "shown": show.page(texts), "most": MAX_COMMENT, "fresh": False}
    filters: Filters = {"prose": prose, "points": exact}
    text, policy = pages.page("autograder.marking", "mark.html.j2", "mark.js", filters, Text=Text, **values)
    return text, f"{policy}; {ONLY_HERE}"


def _texts(kind: str, answer: Marked) -> list[Text]:
    """What stands of an answer on the page: its words, and those that it was marked for before."""
    words = [answer.text, answer.before.text if answer.before else None]
    return [Text(kind, text) for text in words if text is not None]


def _now(answer: Marked, show: Remembered, fresh: bool) -> dict[str, object]:
    """An answer as it is now, in pieces for the page that shows it; fresh: whether that page has just changed it."""
    kind = "code" if answer.is_code else "markdown"
    values = {"answer": answer, "kind": kind, "shown": show.some(_texts(kind, answer)), "fresh": fresh}
    return {
        "above": pages.still("autograder.marking", "above.html.j2", {"points": exact}, Text=Text, **values),
        "below": pages.still("autograder.marking", "below.html.j2", {"points": exact}, **values),
        "points": "" if answer.points is None else exact(answer.points),
        "comment": answer.comment,
        "waits": answer.waits,
        **answer.seen._asdict(),
    }


def application(marks: MarkingPage, token: str, port: int) -> Application:
    """What answers at this port's `/` and `/mark`, to whoever has shown the token; every other address is not there.

    A browser keeps one set of cookies for all ports of a machine, so the cookie's name tells them apart.
    """
    known = {"marks": marks, "show": Remembered()}
    handlers: list[Any] = [("/", _Page, known), ("/mark", _Mark, known)]
    return Application(handlers, token=token, cookie=f"mark-{port}")


class LocalPage(RequestHandler):
    """Turns away who is not known, and what another site sends, be it under a name of its own for this machine."""

    title = "Written answers"

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


class WholePage(LocalPage):
    """A page, as the class is now; to who shows the token, a cookie and the way to the address without it."""

    def turn_away(self) -> None:
        words = ("autograder.marking", "closed.html.j2")
        self.answer(pages.still(*words, title=self.title, why=CLOSED, remedy=OPEN_AGAIN))

    def get(self) -> None:
        """A redirect would not do: what another site, or a file, leads to by one is sent without strict cookies."""
        if self.get_query_argument("token", ""):
            self.set_cookie(self.settings["cookie"], self.settings["token"], httponly=True, samesite="Strict")
            self.answer(leading_to("/", self.title))
        else:
            self.answer(*self.made())

    def made(self) -> tuple[str, str]:
        """The page, and its content security policy."""
        raise NotImplementedError


class LocalChange(LocalPage):
    """Takes what is typed on a page."""

    def turn_away(self) -> None:
        self.finish({"problem": f"{CLOSED}: {OPEN_AGAIN}"})


class _Page(WholePage):
    def initialize(self, marks: MarkingPage, show: Remembered) -> None:
        self._marks, self._show = marks, show

    def made(self) -> tuple[str, str]:
        return answers_page(self._marks.read(), self._show)


class _Mark(LocalChange):
    def initialize(self, marks: MarkingPage, show: Remembered) -> None:
        self._marks, self._show = marks, show

    def post(self) -> None:
        """Take a mark as JSON: the fields of `Place`, of `Seen`, and those of `Changes` that were changed.

        The answer comes back as it is then, also where it was another already: with status 409, and nothing changed.
        """
        try:
            place, seen, changes = _read(json.loads(self.request.body))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise HTTPError(400, str(error)) from None
        try:
            self._marks.give(place, seen, changes)
        except Stale as error:
            self.set_status(409)
            problem = {"problem": str(error)}
        except CourseError as error:
            self.set_status(400)
            self.finish({"problem": str(error)})
            return
        else:
            problem = {}
        now = self._marks.find(place)
        self.finish({**problem, **(_now(now, self._show, fresh=not problem) if now else {})})


def leading_to(address: str, title: str = LocalPage.title) -> str:
    """A page that leads a browser to an address."""
    return pages.still("autograder.marking", "leading.html.j2", address=address, title=title)


def _read(sent: Any) -> tuple[Place, Seen, Changes]:
    place, seen = Place(*(sent[name] for name in Place._fields)), Seen(sent["words"], int(sent["change"]))
    changes: Changes = {}
    if "points" in sent:
        changes["points"] = None if sent["points"] is None else float(sent["points"])
    if "comment" in sent:
        changes["comment"] = sent["comment"]
    texts = [*place, seen.words, changes.get("comment", "")]
    if not all(isinstance(text, str) for text in texts) or len(texts[-1]) > MAX_COMMENT:
        raise ValueError("name, notebook, lesson, student, words and comment are texts")
    return place, seen, changes
