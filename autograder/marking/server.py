"""The verb `mark`: answers on one page, and what takes the marks that it sends into nbgrader's gradebook.

The page is served to this machine alone, to whoever once had the address with its secret. As with Jupyter, whoever
knows the secret is let in once, `/?token=…`, and is known by a cookie from then on.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import tempfile
import webbrowser
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

from autograder.classroom.class_lock import user_name
from autograder.classroom.gradebook import check_class_folder, directory_of
from autograder.classroom.manual_grades import GivenMark, MarkedAnswer, Stale
from autograder.courses import Course
from autograder.exercises.errors import CourseError
from autograder.marking.answers import Aids, MarkedQuestion, parted
from autograder.marking.groups import differing
from autograder.marking.marker_view import Desk
from autograder.marking.rubric import MAX_ITEM, RubricItem
from autograder.pages import html_pages
from autograder.pages.formatting import Formatted, Text, format_texts, render_markdown
from autograder.pages.html_pages import Filters

TEMPLATES = "autograder.marking"

MAX_MARKER, MAX_COMMENT = 60, 10_000
"""Characters of a marker's name, and of a comment."""

ONLY_HERE = "img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
"""What the page may do besides running its script, and may not."""

CLOSED = "this browser has not been let in since the program that serves the page was started"
OPEN_AGAIN = "open the address that it shows in its terminal"


def serve_answers(
    course: Course, wanted: list[str], folder: Path, port: int, browser: bool, marker: str = ""
) -> None:
    """Serve the written answers of the wanted lessons, all graded ones when none is named, until Ctrl+C.

    port: 0 for a free one; marker: who marks, this program's user when not given. Raises `CourseError` where there is
    nothing to mark.
    """
    lessons = course.chosen(wanted)
    check_class_folder(folder, directory_of(course, folder).db_url)
    marker = marker.strip() or user_name()
    if len(marker) > MAX_MARKER or not marker.isprintable():
        raise CourseError(f"--marker: a name of at most {MAX_MARKER} characters on one line")
    desk = Desk(course, folder, lessons, marker)
    if not folder.is_dir() or not desk.questions(patience=None):
        raise CourseError(f"no written answers are graded in {folder}: `{course.command} round` first")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(desk, port, browser))


async def _serve(desk: Desk, port: int, browser: bool) -> None:
    (socket,) = bind_sockets(port, "127.0.0.1")
    port, token = socket.getsockname()[1], secrets.token_urlsafe(16)
    HTTPServer(application(desk, token, port)).add_socket(socket)
    address = f"http://127.0.0.1:{port}/?token={token}"
    print(f"{address}\nEach mark is saved as you make it. Ctrl+C ends this.", flush=True)
    ended = asyncio.Event()
    for end in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(end, ended.set)
    with _file_leading_to(address, desk.folder) if browser else contextlib.nullcontext() as file:
        if file:
            await asyncio.to_thread(webbrowser.open, file.as_uri())
        await ended.wait()


def application(desk: Desk, token: str, port: int) -> Application:
    """Return what answers at this port to whoever has shown the token: at `/` the page, at other paths what it sends.

    A browser keeps one set of cookies for all ports of a machine, so the cookie's name tells them apart.
    """
    about: dict[str, Any] = {"desk": desk, "show": Remembered()}
    forms = {"/mark": _Marks, "/item": _Item, "/rubric": _Rubric, "/names": _Names}
    sending = [(path, _Sending, {**about, "form": form}) for path, form in forms.items()]
    return Application([("/", _Page, about), *sending], token=token, cookie=f"mark-{port}")


@contextlib.contextmanager
def _file_leading_to(address: str, folder: Path) -> Iterator[Path]:
    """Make a file in a class's folder, this user's alone, that leads a browser to an address.

    Whatever starts a browser shows its arguments to everybody on this machine; a browser that is confined, as Ubuntu's,
    does not see `/tmp`, nor hidden folders.
    """
    with tempfile.NamedTemporaryFile("w", dir=folder, prefix="mark-", suffix=".html") as file:
        file.write(leading_to(address))
        file.flush()
        yield Path(file.name).resolve()


def leading_to(address: str) -> str:
    """Return a page that leads a browser to an address."""
    return html_pages.render(TEMPLATES, "leading.html.j2", address=address)


def exact(points: float) -> str:
    """Return points as somebody would type them."""
    return f"{points:.15g}"


FILTERS: Filters = {"prose": render_markdown, "points": exact}


class Remembered:
    """Formats texts for the page, each once."""

    def __init__(self) -> None:
        self._known: dict[Text, Formatted] = {}

    def some(self, texts: Iterable[Text]) -> Mapping[Text, Formatted]:
        """Return what became of texts, of these among them."""
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known |= zip(new, format_texts(new))
        return self._known


def answers_page(questions: Sequence[MarkedQuestion], show: Remembered, desk: Desk) -> tuple[str, str]:
    """Return the page of all answers to these questions, and its content security policy."""
    texts = [
        text
        for question in questions
        for answer in question.answers
        for text in _texts(answer, question.released)
    ]
    values = {"questions": questions, "shown": show.some(texts), "desk": desk, "fresh": False}
    values |= {"most": MAX_COMMENT, "Text": Text, "differing": differing, "parted": parted}
    text, policy = html_pages.render_with_script(TEMPLATES, "mark.html.j2", "mark.js", FILTERS, **values)
    return text, f"{policy}; {ONLY_HERE}"


def _texts(answer: MarkedAnswer, released: str) -> Iterator[Text]:
    """Yield what stands of an answer on the page: its words, and those that it was marked for before, both in parts."""
    for text in (answer.text, answer.before.text if answer.before else None):
        if text is not None:
            yield from (Text(answer.kind, part) for part in parted(text, released))


def _now(answer: MarkedAnswer, aids: Aids, released: str, show: Remembered, fresh: bool) -> dict[str, object]:
    """Return an answer as it is now, in pieces for the page. fresh: whether that page has just changed it."""
    values = {"answer": answer, "fresh": fresh, "released": released, "aids": aids}
    values |= {"Text": Text, "parted": parted, "shown": show.some(_texts(answer, released))}
    return {
        "above": html_pages.render(TEMPLATES, "above.html.j2", FILTERS, **values),
        "below": html_pages.render(TEMPLATES, "below.html.j2", FILTERS, **values),
        "points": "" if answer.points is None else exact(answer.points),
        "before": answer.before is not None,
        **{name: getattr(answer, name) for name in ("comment", "items", "waits", "words", "change")},
    }


class _Handler(RequestHandler):
    """Turns away who is not known, and what another site sends, be it under a name of its own for this machine."""

    def initialize(self, desk: Desk, show: Remembered, form: type[_Sent] | None = None) -> None:
        self._desk, self._show, self._form = desk, show, form

    def prepare(self) -> None:
        origin = self.request.headers.get("Origin")
        if self.request.host_name != "127.0.0.1" or origin and urlsplit(origin).netloc != self.request.host:
            raise HTTPError(403)
        token = self.settings["token"].encode()
        shown = self.get_query_argument("token", ""), self.get_cookie(self.settings["cookie"], "")
        if not any(secrets.compare_digest(text.encode(), token) for text in shown):
            self.set_status(403)
            self.turn_away()

    def turn_away(self) -> None:
        """Say to who is not known how to be."""
        raise NotImplementedError


class _Page(_Handler):
    """The page, as the class is now; to who shows the token, a cookie and the way to the address without it."""

    def turn_away(self) -> None:
        self._answer(html_pages.render(TEMPLATES, "closed.html.j2", why=CLOSED, remedy=OPEN_AGAIN))

    def get(self) -> None:
        """A redirect would not do: what another site, or a file, leads to by one is sent without strict cookies."""
        if self.get_query_argument("token", ""):
            self.set_cookie(self.settings["cookie"], self.settings["token"], httponly=True, samesite="Strict")
            self._answer(leading_to("/"))
        else:
            self._answer(*answers_page(self._desk.questions(), self._show, self._desk))

    def _answer(self, page: str, policy: str = "default-src 'none'; style-src 'unsafe-inline'") -> None:
        self.set_header("Content-Security-Policy", policy)
        self.set_header("Cache-Control", "no-store")
        self.finish(page)


class _Sending(_Handler):
    """Takes what the page sends about one question, and answers with what is there then.

    What is not of the form has status 400; what is refused is told as its `problem`. Where something was another
    already than the page showed, that comes with status 409, and nothing is changed.
    """

    def turn_away(self) -> None:
        self.finish({"problem": f"{CLOSED}: {OPEN_AGAIN}"})

    def post(self) -> None:
        """Do what was sent, and answer with what comes of it."""
        try:
            sent: Any = msgspec.json.decode(self.request.body, type=self._form)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise HTTPError(400, str(error)) from None
        try:
            try:
                self.finish({**sent.apply_to(self._desk), **self._now(sent, isinstance(sent, _Marks))})
            except Stale as error:
                self.set_status(409)
                self.finish({"problem": str(error), "stale": error.ids, **self._now(sent)})
        except CourseError as error:
            self.set_status(400)
            self.finish({"problem": str(error)})

    def _now(self, sent: _Sent, fresh: bool = False) -> dict[str, object]:
        """Return a question's aids, and the answers that the page has to show anew."""
        answers = self._desk.of_question(sent.lesson, sent.name)
        aids = self._desk.aids(sent.lesson, sent.name, answers)
        released = self._desk.released_text(sent.lesson, sent.name)
        return {
            "items": aids.items,
            "offered": aids.offered,
            "comments": aids.comments,
            "record": html_pages.render(TEMPLATES, "record.html.j2", aids=aids),
            "answers": {
                answer.id: _now(answer, aids, released, self._show, fresh)
                for answer in answers
                if sent.concerns(answer)
            },
        }


class _Sent(msgspec.Struct):
    """What the page sends about a question; name: of the cell that carries its points."""

    lesson: str
    name: str

    def apply_to(self, desk: Desk) -> dict[str, object]:
        """Do it; what the page is told beside the question as it is then comes back."""
        raise NotImplementedError

    def concerns(self, answer: MarkedAnswer) -> bool:
        """Return whether an answer has to do with it."""
        return False


class _Marks(_Sent):
    """Marks of answers of one question, which all have to have been seen as they are.

    rubric: the rubric items that they have, as these were seen.
    """

    marks: list[GivenMark]
    rubric: list[RubricItem] = []

    def apply_to(self, desk: Desk) -> dict[str, object]:
        items = {item for mark in self.marks for item in mark.changes.get("items", ())}
        if items != {item.id for item in self.rubric}:
            raise CourseError("rubric items of which it is not said how they were seen")
        if any(len(mark.changes.get("comment", "")) > MAX_COMMENT for mark in self.marks):
            raise CourseError(f"a comment has at most {MAX_COMMENT} characters")
        desk.give(self.lesson, self.name, self.marks, self.rubric)
        return {}

    def concerns(self, answer: MarkedAnswer) -> bool:
        return any(mark.id == answer.id for mark in self.marks)


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

    def concerns(self, answer: MarkedAnswer) -> bool:
        return self.seen is not None and self.seen.id in answer.items


class _Rubric(_Sent):
    """Asks for the items of the lesson's own rubric as items that can be clicked."""

    def apply_to(self, desk: Desk) -> dict[str, object]:
        desk.take_over_rubric(self.lesson, self.name)
        return {}


class _Names(_Sent):
    """Asks who wrote the answers to a question; the class's record says that they were told."""

    def apply_to(self, desk: Desk) -> dict[str, object]:
        return {"names": desk.uncover(self.lesson, self.name)}
