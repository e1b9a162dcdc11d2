"""The marking page's server: one page, what takes the marks that it sends, and who may have them.

As with Jupyter, whoever knows the secret is let in once, `/?token=…`, and is known by a cookie from then on.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar
from urllib.parse import urlsplit

import msgspec
from tornado.web import Application, HTTPError, RequestHandler

from autograder.marking.desk import Aids, Desk, ShownQuestion
from autograder.marking.groups import differing
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.formatting import Formatted, Text, formatted
from autograder.nbgrader_plugin.marks import GivenMark, Marked, Stale
from autograder.nbgrader_plugin.prose import prose
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
    """Formats texts for the page, each once."""

    def __init__(self) -> None:
        self._known: dict[Text, Formatted] = {}

    def some(self, texts: Iterable[Text]) -> Mapping[Text, Formatted]:
        """What became of texts, of these among them."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known |= zip(new, formatted(new))
        return self._known


def answers_page(questions: Sequence[ShownQuestion], show: Remembered, desk: Desk) -> tuple[str, str]:
    """The page of all answers to these questions, and its content security policy."""
    texts = [text for one in questions for answer in one.answers for text in _texts(one.about.kind, answer)]
    values = {"questions": questions, "shown": show.some(texts), "desk": desk, "fresh": False}
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
    forms = {"/mark": _Marks, "/item": _Item, "/apart": _Apart, "/names": _Names}
    doors = [(path, _OfQuestion, {**known, "form": form}) for path, form in forms.items()]
    handlers: list[Any] = [("/", _Page, known), *doors]
    return Application(handlers, token=token, cookie=f"mark-{port}")


class LocalPage(RequestHandler):
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


class WholePage(LocalPage):
    """A page, as the class is now; to who shows the token, a cookie and the way to the address without it."""

    title = "Written answers"

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
    """Takes what is typed on a page: JSON of one form, or status 400. What is refused is told as its `problem`."""

    form: type

    def turn_away(self) -> None:
        self.finish({"problem": f"{CLOSED}: {OPEN_AGAIN}"})

    def post(self) -> None:
        """Do what was sent, and answer with what comes of it."""
        try:
            sent: Any = msgspec.json.decode(self.request.body, type=self.form)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise HTTPError(400, str(error)) from None
        try:
            self.finish(self.take(sent))
        except CourseError as error:
            self.set_status(400)
            self.finish({"problem": str(error)})

    def take(self, sent: Any) -> dict[str, Any]:
        """Do what was sent; what the page is told comes back. Raises `CourseError` where it cannot be done."""
        raise NotImplementedError


class _Page(WholePage):
    def initialize(self, desk: Desk, show: Remembered) -> None:
        self._desk, self._show = desk, show

    def made(self) -> tuple[str, str]:
        return answers_page(self._desk.questions(), self._show, self._desk)


class _OfQuestion(LocalChange):
    """Takes what the page sends about one question, and answers with what is there then.

    Where something was another already than the page showed, that comes with status 409, and nothing is changed.
    """

    def initialize(self, desk: Desk, show: Remembered, form: type[_Sent]) -> None:
        self._desk, self._show, self.form = desk, show, form

    def take(self, sent: _Sent) -> dict[str, Any]:
        try:
            return {**sent.apply_to(self._desk), **self._now(sent, sent.fresh)}
        except Stale as error:
            self.set_status(409)
            return {"problem": str(error), "stale": error.ids, **self._now(sent)}

    def _now(self, sent: _Sent, fresh: bool = False) -> dict[str, object]:
        """A question's aids, and the answers that the page has to show anew."""
        answers = self._desk.of_question(sent.lesson, sent.name)
        aids = self._desk.aids(sent.lesson, sent.name, answers)
        return {
            "items": aids.items,
            "comments": aids.comments,
            "record": pages.still("autograder.marking", "record.html.j2", aids=aids),
            "answers": {one.id: _now(one, aids, self._show, fresh) for one in answers if sent.concerns(one)},
        }


class _Sent(msgspec.Struct):
    """What the page sends about a question; name: of the cell that carries its points."""

    fresh: ClassVar[bool] = False
    lesson: str
    name: str

    def apply_to(self, desk: Desk) -> dict[str, object]:
        """Do it; what the page is told beside the question as it is then comes back."""
        raise NotImplementedError

    def concerns(self, answer: Marked) -> bool:
        """Whether an answer has to do with it."""
        return False


class _Marks(_Sent):
    """Marks of answers of one question, which all have to have been seen as they are.

    rubric: the rubric items that they have, as these were seen.
    """

    fresh = True
    marks: list[GivenMark]
    rubric: list[RubricItem] = []

    def apply_to(self, desk: Desk) -> dict[str, object]:
        has = {item for one in self.marks for item in one.changes.get("items", ())}
        if has != {one.id for one in self.rubric}:
            raise CourseError("rubric items of which it is not said how they were seen")
        if any(len(one.changes.get("comment", "")) > MAX_COMMENT for one in self.marks):
            raise CourseError(f"a comment has at most {MAX_COMMENT} characters")
        desk.give(self.lesson, self.name, self.marks, self.rubric)
        return {}

    def concerns(self, answer: Marked) -> bool:
        return any(one.id == answer.id for one in self.marks)


class _Item(_Sent):
    """A rubric item as it was seen, None for a new one, and as it shall be now, None for none."""

    seen: RubricItem | None
    now: RubricItem | None

    def apply_to(self, desk: Desk) -> dict[str, object]:
        now = self.now and self.now._replace(says=" ".join(self.now.says.split()))
        if now and not 0 < len(now.says) <= MAX_ITEM:
            raise CourseError(f"a rubric item has a text of at most {MAX_ITEM} characters")
        desk.change_item(self.lesson, self.name, self.seen, now)
        return {}

    def concerns(self, answer: Marked) -> bool:
        return self.seen is not None and self.seen.id in answer.items


class _Apart(_Sent):
    """An answer with these words that is to stand by itself."""

    id: str
    words: str

    def apply_to(self, desk: Desk) -> dict[str, object]:
        desk.take_out(self.id, self.words)
        return {}


class _Names(_Sent):
    """Asks who wrote the answers to a question; the class's record says that they were told."""

    def apply_to(self, desk: Desk) -> dict[str, object]:
        return {"names": desk.uncover(self.lesson, self.name)}


def leading_to(address: str, title: str = WholePage.title) -> str:
    """A page that leads a browser to an address."""
    return pages.still("autograder.marking", "leading.html.j2", address=address, title=title)
