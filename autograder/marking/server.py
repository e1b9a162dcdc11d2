"""The command `mark`: serves a page of answers, and writes the marks that the page sends into nbgrader's gradebook.

The page is served to this machine alone. As with Jupyter, its address has a secret, `/?token=…`; a browser that has
opened it gets a cookie.
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
from urllib.parse import urlsplit

import msgspec
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

from autograder.classroom.class_lock import user_name
from autograder.courses import Course
from autograder.exercises.errors import CourseError
from autograder.marking.groups import find_differences, split_paragraphs
from autograder.marking.marker_view import MarkedQuestion, MarkerView
from autograder.marking.rubric import MAX_ITEM
from autograder.pages import html_pages
from autograder.pages.formatting import Formatted, Text, format_texts, render_markdown
from autograder.pages.html_pages import Filters
from autograder.records.manual_grades import GivenMark, MarkedAnswer, RubricItem, Stale

TEMPLATES = "autograder.marking"

MAX_MARKER, MAX_COMMENT = 60, 10_000
"""Characters of a marker's name, and of a comment."""

ONLY_HERE = "img-src data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
"""The page's content security policy, beside that for its script."""

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
    marker = marker.strip() or user_name()
    if len(marker) > MAX_MARKER or not marker.isprintable():
        raise CourseError(f"--marker: a name of at most {MAX_MARKER} characters on one line")
    view = MarkerView(course, folder, lessons, marker)
    if not folder.is_dir() or not view.questions(patience=None):
        raise CourseError(f"no written answers are graded in {folder}: `{course.command} round` first")
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(view, port, browser))


async def _serve(view: MarkerView, port: int, browser: bool) -> None:
    (socket,) = bind_sockets(port, "127.0.0.1")
    port, token = socket.getsockname()[1], secrets.token_urlsafe(16)
    HTTPServer(application(view, token, port)).add_socket(socket)
    address = f"http://127.0.0.1:{port}/?token={token}"
    print(f"{address}\nEach mark is saved as you make it. Ctrl+C ends this.", flush=True)
    ended = asyncio.Event()
    for end in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(end, ended.set)
    with _redirect_file(address, view.folder) if browser else contextlib.nullcontext() as file:
        if file:
            await asyncio.to_thread(webbrowser.open, file.as_uri())
        await ended.wait()


def application(view: MarkerView, token: str, port: int) -> Application:
    """Return what answers at this port to whoever has shown the token: at `/` the page, at other paths what it sends.

    A browser keeps one set of cookies for all ports of a machine, so the cookie's name tells them apart.
    """
    about = {"view": view, "show": FormatCache()}
    handlers = [("/", _Page, about), ("/(mark|item|rubric|names)", _Sending, about)]
    return Application(handlers, token=token, cookie=f"mark-{port}")


@contextlib.contextmanager
def _redirect_file(address: str, folder: Path) -> Iterator[Path]:
    """Make a file in a class's folder, this user's alone, that leads a browser to an address.

    Whatever starts a browser shows its arguments to everybody on this machine; a browser that is confined, as Ubuntu's,
    does not see `/tmp`, nor hidden folders.
    """
    with tempfile.NamedTemporaryFile("w", dir=folder, prefix="mark-", suffix=".html") as file:
        file.write(redirect_page(address))
        file.flush()
        yield Path(file.name).resolve()


def redirect_page(address: str) -> str:
    """Return a page that leads a browser to an address."""
    return html_pages.render(TEMPLATES, "leading.html.j2", address=address)


def format_points(points: float) -> str:
    """Return points as somebody would type them."""
    return f"{points:.15g}"


FILTERS: Filters = {"prose": render_markdown, "points": format_points}
USED_IN_TEMPLATES = {"Text": Text, "split_paragraphs": split_paragraphs}


class FormatCache:
    """Formats texts for the page, each once."""

    def __init__(self) -> None:
        self._formatted: dict[Text, Formatted] = {}

    def format(self, texts: Iterable[Text]) -> Mapping[Text, Formatted]:
        """Return the formatted texts: these, and all that were formatted before."""
        new = [text for text in dict.fromkeys(texts) if text not in self._formatted]
        self._formatted |= zip(new, format_texts(new))
        return self._formatted


def answers_page(questions: Sequence[MarkedQuestion], show: FormatCache, view: MarkerView) -> tuple[str, str]:
    """Return the page of all answers to these questions, and its content security policy."""
    texts = [
        text
        for question in questions
        for answer in question.answers
        for text in _texts(answer, question.released)
    ]
    values = {"questions": questions, "shown": show.format(texts), "view": view, "fresh": False}
    values |= {"most": MAX_COMMENT, "find_differences": find_differences, **USED_IN_TEMPLATES}
    text, policy = html_pages.render_with_script(TEMPLATES, "mark.html.j2", "mark.js", FILTERS, **values)
    return text, f"{policy}; {ONLY_HERE}"


def _texts(answer: MarkedAnswer, released: str) -> Iterator[Text]:
    """Yield what stands of an answer on the page: its words, and those that it was marked for before, both in parts."""
    for text in (answer.text, answer.before.text if answer.before else None):
        if text is not None:
            yield from (Text(answer.kind, part) for part in split_paragraphs(text, released))


def _now(answer: MarkedAnswer, released: str, show: FormatCache, fresh: bool) -> dict[str, object]:
    """Return an answer as it is now, in pieces for the page. fresh: whether that page has just changed it."""
    shown = show.format(_texts(answer, released))
    values = {"answer": answer, "fresh": fresh, "released": released, "shown": shown, **USED_IN_TEMPLATES}
    return {
        "above": html_pages.render(TEMPLATES, "above.html.j2", FILTERS, **values),
        "below": html_pages.render(TEMPLATES, "below.html.j2", FILTERS, **values),
        "points": "" if answer.points is None else format_points(answer.points),
        "before": answer.before is not None,
        **{name: getattr(answer, name) for name in ("comment", "items", "waits", "words", "change")},
    }


class _Handler(RequestHandler):
    """A handler that refuses browsers without the secret, and requests from other sites."""

    def initialize(self, view: MarkerView, show: FormatCache) -> None:
        self._view, self._show = view, show

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
        """Answer a browser that has not shown the secret."""
        raise NotImplementedError


class _Page(_Handler):
    """The page; a browser that shows the token gets a cookie, and is led to the address without the token."""

    def turn_away(self) -> None:
        self._answer(html_pages.render(TEMPLATES, "closed.html.j2", why=CLOSED, remedy=OPEN_AGAIN))

    def get(self) -> None:
        """A redirect would not do: what another site, or a file, leads to by one is sent without strict cookies."""
        if self.get_query_argument("token", ""):
            self.set_cookie(self.settings["cookie"], self.settings["token"], httponly=True, samesite="Strict")
            self._answer(redirect_page("/"))
        else:
            self._answer(*answers_page(self._view.questions(), self._show, self._view))

    def _answer(self, page: str, policy: str = "default-src 'none'; style-src 'unsafe-inline'") -> None:
        self.set_header("Content-Security-Policy", policy)
        self.set_header("Cache-Control", "no-store")
        self.finish(page)


class _Message(msgspec.Struct):
    """A message from the page about a question; `name` is the id of the cell that carries its points.

    marks: of its answers, which all have to have been seen as they are; rubric: the rubric items that they have, as
    these were seen. shown, changed: a rubric item as it was seen, None for a new one, and as it shall be, if at all.
    """

    lesson: str
    name: str
    marks: list[GivenMark] = []
    rubric: list[RubricItem] = []
    shown: RubricItem | None = msgspec.field(default=None, name="seen")
    changed: RubricItem | None = msgspec.field(default=None, name="now")


class _Sending(_Handler):
    """Applies a message from the page about one question, and answers with the question's state.

    A malformed message gets status 400; a refusal has the reason as its `problem`. Where the page showed an old state,
    the answer has status 409, and nothing is changed.
    """

    def turn_away(self) -> None:
        self.finish({"problem": f"{CLOSED}: {OPEN_AGAIN}"})

    def post(self, action: str) -> None:
        """Apply the message, and answer with the question's state."""
        try:
            message = msgspec.json.decode(self.request.body, type=_Message)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise HTTPError(400, str(error)) from None
        about = (message.lesson, message.name)
        try:
            try:
                names = dict[str, object]()
                if action == "mark":
                    self._mark(message)
                elif action == "item":
                    self._change_item(message)
                elif action == "rubric":
                    self._view.take_over_rubric(*about)
                else:
                    names = {"names": self._view.show_names(*about)}
                self.finish({**names, **self._now(message, fresh=True)})
            except Stale as error:
                self.set_status(409)
                self.finish({"problem": str(error), "stale": error.ids, **self._now(message, fresh=False)})
        except CourseError as error:
            self.set_status(400)
            self.finish({"problem": str(error)})

    def _mark(self, message: _Message) -> None:
        items = {item for mark in message.marks for item in mark.changes.get("items", ())}
        if items != {item.id for item in message.rubric}:
            raise CourseError("rubric items of which it is not said how they were seen")
        if any(len(mark.changes.get("comment", "")) > MAX_COMMENT for mark in message.marks):
            raise CourseError(f"a comment has at most {MAX_COMMENT} characters")
        self._view.give_marks(message.lesson, message.name, message.marks, message.rubric)

    def _change_item(self, message: _Message) -> None:
        changed = message.changed and message.changed._replace(says=" ".join(message.changed.says.split()))
        if changed and not 0 < len(changed.says) <= MAX_ITEM:
            raise CourseError(f"a rubric item has a text of at most {MAX_ITEM} characters")
        self._view.change_item(message.lesson, message.name, message.shown, changed)

    def _now(self, message: _Message, fresh: bool) -> dict[str, object]:
        """Return a question's aids, and the answers that the message was about. fresh: whether it has changed them."""
        about = (message.lesson, message.name)
        answers, released = self._view.of_question(*about), self._view.released_text(*about)
        aids, marked = self._view.aids(*about, answers), {mark.id for mark in message.marks}
        item = message.shown and message.shown.id
        concerned = [answer for answer in answers if answer.id in marked or item in answer.items]
        return {
            "items": aids.items,
            "offered": aids.offered,
            "comments": aids.comments,
            "record": html_pages.render(TEMPLATES, "record.html.j2", aids=aids),
            "answers": {
                answer.id: _now(answer, released, self._show, fresh and answer.id in marked)
                for answer in concerned
            },
        }
