"""`attention-course mark`: written answers on one page, and points and comments straight into nbgrader's gradebook.

The page is served to this machine alone, to whoever has the address with its secret.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import secrets
import webbrowser
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application

from autograder.courses import Course
from autograder.marking import answers
from autograder.marking.answers import WrittenQuestion
from autograder.marking.server import application
from autograder.model.errors import CourseError
from autograder.nbgrader_plugin.gradebook import expect_fit
from autograder.publish.class_report import records


def main(course: Course, wanted: list[str], folder: Path, port: int, browser: bool) -> None:
    """Serve the written answers of the wanted lessons, all graded ones when none is named, until Ctrl+C.

    port: 0 for a free one. Raises `CourseError` where there is nothing to mark.
    """
    lessons, url = course.chosen(wanted), records.gradebook_of(course, folder)
    expect_fit(folder, url)

    def read() -> list[WrittenQuestion]:
        return [question for lesson in lessons for question in answers.read(folder, lesson)]

    if not read():
        raise CourseError(f"no written answers are graded in {folder}: `attention-course round` first")
    secret = secrets.token_urlsafe(16)
    page = application(read, functools.partial(answers.mark, url), secret)
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(page, secret, port, browser))


async def _serve(page: Application, secret: str, port: int, browser: bool) -> None:
    (socket,) = bind_sockets(port, "127.0.0.1")
    HTTPServer(page).add_socket(socket)
    address = f"http://127.0.0.1:{socket.getsockname()[1]}/{secret}/"
    print(f"{address}\nEach mark is saved as you make it. Ctrl+C ends this.", flush=True)
    if browser:
        webbrowser.open(address)
    await asyncio.Event().wait()
