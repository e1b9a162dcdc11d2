"""A page of the grader's that is served to this machine alone, to whoever once had the address with its secret.

As with Jupyter, whoever knows the secret is let in once, `/?token=…`, and is known by a cookie from then on.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import signal
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from tornado.httpserver import HTTPServer
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

from autograder.model.errors import CourseError
from autograder.publish import pages

ONLY_HERE = "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
"""What a page may do besides running its script, and may not."""

CLOSED = "this browser has not been let in since the program that serves the page was started"
OPEN_AGAIN = "open the address that it shows in its terminal"


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

    title: str

    def turn_away(self) -> None:
        words = ("autograder.marking", "closed.html.j2")
        self.answer(pages.still(*words, title=self.title, why=CLOSED, remedy=OPEN_AGAIN))

    def get(self) -> None:
        """A redirect would not do: what another site, or a file, leads to by one is sent without strict cookies."""
        if self.get_query_argument("token", ""):
            self.set_cookie(self.settings["cookie"], self.settings["token"], httponly=True, samesite="Strict")
            self.answer(leading_to("/"))
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


Doors = Sequence[tuple[str, type[LocalPage], dict[str, Any]]]
"""What answers at which paths, and what it is made with."""


def application(doors: Doors, name: str, token: str, port: int) -> Application:
    """What answers at this port to whoever has shown the token; at other paths nothing is there.

    A browser keeps one set of cookies for all ports of a machine, so the cookie's name tells them apart.
    """
    return Application([*doors], token=token, cookie=f"{name}-{port}")


def serve_page(doors: Doors, name: str, told: str, folder: Path, port: int, browser: bool) -> None:
    """Serve a page to this machine alone until Ctrl+C.

    name: of its cookie; told: what is said of it beside its address; folder: a class's; port: 0 for a free one.
    """
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_serve(doors, name, told, folder, port, browser))


async def _serve(doors: Doors, name: str, told: str, folder: Path, port: int, browser: bool) -> None:
    (socket,) = bind_sockets(port, "127.0.0.1")
    port, token = socket.getsockname()[1], secrets.token_urlsafe(16)
    HTTPServer(application(doors, name, token, port)).add_socket(socket)
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


def leading_to(address: str) -> str:
    """A page that leads a browser to an address."""
    return pages.still("autograder.marking", "leading.html.j2", address=address)
