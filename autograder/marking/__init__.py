"""The verb `mark`: written answers on one page, and points and comments straight into nbgrader's gradebook.

The page is served to this machine alone, to whoever once had the address with its secret: see `server`.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import secrets
import signal
import tempfile
import webbrowser
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from autograder.courses import Course
from autograder.marking import answers
from autograder.marking.answers import MarkedQuestion
from autograder.marking.server import MarkingPage, application, leading_to
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin import marks
from autograder.nbgrader_plugin.class_lock import Busy, alone, settled
from autograder.nbgrader_plugin.gradebook import directory_of, expect_fit
from autograder.nbgrader_plugin.marks import Marked, Place

PATIENCE = 3.0
"""Seconds that a mark waits for another who is at work in the class's folder; the page answers nobody so long."""


def serve_answers(course: Course, wanted: list[str], folder: Path, port: int, browser: bool) -> None:
    """Serve the written answers of the wanted lessons, all graded ones when none is named, until Ctrl+C.

    port: 0 for a free one. Raises `CourseError` where there is nothing to mark.
    """
    lessons, directory = course.chosen(wanted), directory_of(course, folder)
    url, verb = directory.db_url, f"{course.command} mark"
    expect_fit(folder, url)

    def read() -> list[MarkedQuestion]:
        with contextlib.ExitStack() as until_read:
            with contextlib.suppress(Busy):  # who is at work there has settled it
                until_read.enter_context(settled(directory, verb))
            return [question for lesson in lessons for question in answers.marked_questions(folder, lesson)]

    def give(*change: Any) -> None:
        with alone(folder, verb, PATIENCE):
            marks.give_mark(url, *change)

    def find(place: Place) -> Marked | None:
        return answers.find_answer(url, course.lesson(place.lesson), place)

    with settled(directory, verb, patience=None) if folder.is_dir() else contextlib.nullcontext():
        found = read()
    if not found:
        raise CourseError(f"no written answers are graded in {folder}: `{course.command} round` first")
    with contextlib.suppress(KeyboardInterrupt):
        made = functools.partial(application, MarkingPage(read, find, give))
        asyncio.run(serve_page(made, "Each mark is saved as you make it.", folder, port, browser))


async def serve_page(
    made: Callable[[str, int], Application], told: str, folder: Path, port: int, browser: bool
) -> None:
    """Serve a page to this machine alone until Ctrl+C. made: what answers, from its secret and port."""
    (socket,) = bind_sockets(port, "127.0.0.1")
    port, token = socket.getsockname()[1], secrets.token_urlsafe(16)
    HTTPServer(made(token, port)).add_socket(socket)
    address = f"http://127.0.0.1:{port}/?token={token}"
    print(f"{address}\n{told} Ctrl+C ends this.", flush=True)
    ended = asyncio.Event()
    for end in (signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(end, ended.set)
    with _file_leading_to(address, folder) if browser else contextlib.nullcontext() as file:
        if file:
            await asyncio.to_thread(webbrowser.open, file.as_uri())
        await ended.wait()


@contextlib.contextmanager
def _file_leading_to(address: str, folder: Path) -> Iterator[Path]:
    """A file in a class's folder, this user's alone, that leads a browser to an address.

    Whatever starts a browser shows its arguments to everybody on this machine; a browser that is confined, as Ubuntu's,
    does not see `/tmp`, nor hidden folders.
    """
    with tempfile.NamedTemporaryFile("w", dir=folder, prefix="mark-", suffix=".html") as file:
        file.write(leading_to(address))
        file.flush()
        yield Path(file.name).resolve()
