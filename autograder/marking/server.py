"""The marking page's server: one page, what takes the marks that it sends, and who may have them.

As with Jupyter, whoever knows the secret is let in once, `/?token=…`, and is known by a cookie from then on.
"""

from __future__ import annotations

import json
import math
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

from tornado.web import Application, HTTPError, RequestHandler

from autograder.marking.desk import Aids, Desk, ShownQuestion
from autograder.marking.groups import differing
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.formatting import Formatted, Text, formatted, prose
from autograder.nbgrader_plugin.marks import Changes, GivenMark, Marked, Seen, Stale
from autograder.nbgrader_plugin.rubric_items import RubricItem
from autograder.publish import pages
from autograder.publish.pages import Filters

MAX_COMMENT = 10_000
"""Characters."""

MAX_ITEM = 300
"""Characters of a rubric item."""

ONLY_HERE = "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
"""What the page may do besides running its script, and may not."""

CLOSED = "this browser has not been let in since the program that serves the page was started"
OPEN_AGAIN = "open the address that it shows in its terminal"


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


def answers_page(questions: Sequence[ShownQuestion], show: Remembered, desk: Desk) -> tuple[str, str]:
    """The page of all answers to these questions, and its content security policy."""
    texts = [text for one in questions for answer in one.answers for text in _texts(one.about.kind, answer)]
    values = {"questions": questions, "shown": show.page(texts), "desk": desk, "fresh": False}
    values |= {"most": MAX_COMMENT, "most_of_item": MAX_ITEM}
    values |= {"Text": Text, "differing": differing, "differs": differs}
    filters: Filters = {"prose": prose, "points": exact}
    text, policy = pages.page("autograder.marking", "mark.html.j2", "mark.js", filters, **values)
    return text, f"{policy}; {ONLY_HERE}"


def _texts(kind: str, answer: Marked) -> list[Text]:
    """What stands of an answer on the page: its words, and those that it was marked for before."""
    words = [answer.text, answer.before.text if answer.before else None]
    return [Text(kind, text) for text in words if text is not None]


def _now(answer: Marked, aids: Aids, show: Remembered, fresh: bool) -> dict[str, object]:
    """An answer as it is now, in pieces for the page that shows it; fresh: whether that page has just changed it."""
    kind = "code" if answer.is_code else "markdown"
    values = {"answer": answer, "kind": kind, "shown": show.some(_texts(kind, answer)), "fresh": fresh}
    return {
        "above": pages.still("autograder.marking", "above.html.j2", {"points": exact}, Text=Text, **values),
        "below": pages.still("autograder.marking", "below.html.j2", {"points": exact}, aids=aids, **values),
        "points": "" if answer.points is None else exact(answer.points),
        "comment": answer.comment,
        "items": answer.items,
        "waits": answer.waits,
        "differs": differs(aids, answer),
        "before": answer.before is not None,
        **answer.seen._asdict(),
    }


def differs(aids: Aids, answer: Marked) -> bool:
    """Whether markers of the shared sample gave it other points, of which the mark that counts is one's."""
    return len({one.points for one in aids.sampled.get(answer.id, ()) if one.points is not None}) > 1


def application(desk: Desk, token: str, port: int) -> Application:
    """What answers at this port to whoever has shown the token: at `/` the page, and to what it sends. Else nothing is
    there.

    A browser keeps one set of cookies for all ports of a machine, so the cookie's name tells them apart.
    """
    known = {"desk": desk, "show": Remembered()}
    doors = {"/": _Page, "/mark": _Mark, "/item": _Item, "/apart": _Apart, "/names": _Names}
    handlers: list[Any] = [(path, door, known) for path, door in doors.items()]
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
    def initialize(self, desk: Desk, show: Remembered) -> None:
        self._desk, self._show = desk, show

    def made(self) -> tuple[str, str]:
        return answers_page(self._desk.questions(), self._show, self._desk)


class _Sent(LocalChange):
    """Takes what the page sends, as JSON about one question, and answers with what is there then.

    Where something was another already than the page showed, that comes with status 409, and nothing is changed.
    """

    def initialize(self, desk: Desk, show: Remembered) -> None:
        self._desk, self._show = desk, show

    def post(self) -> None:
        """Do what was sent."""
        try:
            sent = json.loads(self.request.body)
            lesson, name = _text(sent, "lesson"), _text(sent, "name")
            act = self.read(sent, lesson, name)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise HTTPError(400, str(error)) from None
        try:
            self.finish(act())
        except Stale as error:
            self.set_status(409)
            self.finish({"problem": str(error), "stale": error.ids, **self.shown(lesson, name, sent)})
        except CourseError as error:
            self.set_status(400)
            self.finish({"problem": str(error)})

    def read(self, sent: Any, lesson: str, name: str) -> Callable[[], dict[str, object]]:
        """What is to be done, which answers. Raises `ValueError` and the like where nothing of the kind was sent."""
        raise NotImplementedError

    def shown(self, lesson: str, name: str, sent: Any, fresh: bool = False) -> dict[str, object]:
        """A question's aids, and the answers that the page has to show anew."""
        answers = self._desk.of_question(lesson, name)
        aids = self._desk.aids(lesson, name, answers)
        wanted = self.concerned(sent, answers)
        return {
            "items": [one._asdict() for one in aids.items],
            "comments": aids.comments,
            "record": pages.still("autograder.marking", "record.html.j2", aids=aids),
            "answers": {one.id: _now(one, aids, self._show, fresh) for one in wanted},
        }

    def concerned(self, sent: Any, answers: Sequence[Marked]) -> list[Marked]:
        """Of a question's answers those that have to do with what was sent."""
        return []


class _Mark(_Sent):
    """Marks of answers of one question, which all have to have been seen as they are: the fields of `GivenMark`.

    With the `rubric` items that they have, as these were seen.
    """

    def read(self, sent: Any, lesson: str, name: str) -> Callable[[], dict[str, object]]:
        given, rubric = [_given(one) for one in sent["marks"]], [_item(one) for one in sent.get("rubric", ())]
        has = {item for one in given for item in one.changes.get("items", ())}
        if has != {one.id for one in rubric}:
            raise ValueError("rubric items of which it is not said how they were seen")

        def give() -> dict[str, object]:
            self._desk.give(lesson, name, given, rubric)
            return self.shown(lesson, name, sent, fresh=True)

        return give

    def concerned(self, sent: Any, answers: Sequence[Marked]) -> list[Marked]:
        ids = {one["id"] for one in sent["marks"]}
        return [one for one in answers if one.id in ids]


class _Item(_Sent):
    """A rubric item as it was `seen`, null for a new one, and as it shall be `now`, null for none."""

    def read(self, sent: Any, lesson: str, name: str) -> Callable[[], dict[str, object]]:
        seen, now = (None if sent[one] is None else _item(sent[one]) for one in ("seen", "now"))

        def change() -> dict[str, object]:
            self._desk.change_item(lesson, name, seen, now)
            return self.shown(lesson, name, sent)

        return change

    def concerned(self, sent: Any, answers: Sequence[Marked]) -> list[Marked]:
        changed = sent["seen"] and sent["seen"]["id"]
        return [one for one in answers if changed in one.items]


class _Apart(_Sent):
    """An answer, by its `id` and its `words`, that is to stand by itself."""

    def read(self, sent: Any, lesson: str, name: str) -> Callable[[], dict[str, object]]:
        id, words = _text(sent, "id"), _text(sent, "words")

        def take_out() -> dict[str, object]:
            self._desk.take_out(id, words)
            return {}

        return take_out


class _Names(_Sent):
    """Asks who wrote the answers to a question; the class's record says that they were told."""

    def read(self, sent: Any, lesson: str, name: str) -> Callable[[], dict[str, object]]:
        def tell() -> dict[str, object]:
            names = self._desk.uncover(lesson, name)
            return {"names": names, **self.shown(lesson, name, sent)}

        return tell


def leading_to(address: str, title: str = LocalPage.title) -> str:
    """A page that leads a browser to an address."""
    return pages.still("autograder.marking", "leading.html.j2", address=address, title=title)


def _text(sent: Any, name: str) -> str:
    if not isinstance(sent[name], str):
        raise ValueError(f"{name} is a text")
    return str(sent[name])


def _given(sent: Any) -> GivenMark:
    changes: Changes = {}
    if "points" in sent:
        changes["points"] = None if sent["points"] is None else float(sent["points"])
    if "comment" in sent:
        changes["comment"] = _text(sent, "comment")
    if "items" in sent:
        changes["items"] = tuple(map(int, sent["items"]))
    if len(changes.get("comment", "")) > MAX_COMMENT:
        raise ValueError(f"a comment has at most {MAX_COMMENT} characters")
    return GivenMark(_text(sent, "id"), Seen(_text(sent, "words"), int(sent["change"])), changes)


def _item(sent: Any) -> RubricItem:
    says, points = " ".join(_text(sent, "says").split()), float(sent["points"])
    if not says or len(says) > MAX_ITEM or not math.isfinite(points):
        raise ValueError(f"a rubric item has a text of at most {MAX_ITEM} characters, and points")
    return RubricItem(int(sent["id"]), says, points)
