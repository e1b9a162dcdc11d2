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

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from autograder.courses import Course
from autograder.marking.desk import Desk
from autograder.marking.server import application, leading_to
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.class_lock import settled, user_name
from autograder.nbgrader_plugin.gradebook import directory_of, expect_fit

LONGEST_NAME = 60
"""Characters."""


def serve_answers(
    course: Course,
    wanted: list[str],
    folder: Path,
    port: int,
    browser: bool,
    marker: str = "",
    sample: int = 0,
) -> str | None:
    """Serve the written answers of the wanted lessons, all graded ones when none is named, until Ctrl+C.

    port: 0 for a free one; marker: who marks, this program's user when not given; sample: how many of each question
    markers share, 0 for all answers. How far markers agree comes back. Raises `CourseError` where there is nothing to
    mark.
    """
    lessons, directory = course.chosen(wanted), directory_of(course, folder)
    expect_fit(folder, directory.db_url)
    marker = marker.strip() or user_name()
    if len(marker) > LONGEST_NAME or not marker.isprintable():
        raise CourseError(f"--marker: a name of at most {LONGEST_NAME} characters on one line")
    desk = Desk(course, folder, lessons, marker, sample)
    verb = f"{course.command} mark"
    with settled(directory, verb, patience=None) if folder.is_dir() else contextlib.nullcontext():
        found = desk.questions()
    if not found:
        raise CourseError(f"no written answers are graded in {folder}: `{course.command} round` first")
    made = functools.partial(application, desk)
    serve_page(made, "Each mark is saved as you make it.", folder, port, browser)
    return "\n".join(map(str, desk.agreements())) or None


def serve_page(
    made: Callable[[str, int], Application], told: str, folder: Path, port: int, browser: bool
) -> None:
    """Serve a page to this machine alone until Ctrl+C. made: what answers, from its secret and port."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(made, told, folder, port, browser))


async def _serve(
    made: Callable[[str, int], Application], told: str, folder: Path, port: int, browser: bool
) -> None:
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
