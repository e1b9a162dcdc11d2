"""Who may see written answers and mark them: whoever has the address with its token, and their browser from then on."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from autograder.tests.marked_class import WRITTEN, MarkedClass, make_class
from autograder.tests.reports import OTHER
from autograder.tests.this_course import ROOT

ANSWER = "The query asks."
A_MINUTE = 60


class Answer(NamedTuple):
    status: int
    headers: HTTPMessage
    text: str


class Served(NamedTuple):
    """A page of written answers, while it is served.

    program: what serves it; token: the address that it printed, from the `/` on; opened: a browser's arguments.
    """

    program: subprocess.Popen[str]
    made: MarkedClass
    port: int
    token: str
    opened: str

    def ask(self, path: str, body: str | None = None, **headers: str) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=A_MINUTE)
        connection.request("GET" if body is None else "POST", path, body, headers)
        with connection.getresponse() as answer:
            return Answer(answer.status, answer.headers, answer.read().decode())

    def give(self, **headers: str) -> Answer:
        """Give Amy 4 points, as the page does."""
        given = (self.made.answer().id, 0, {"points": 4, "comment": ""})
        return self.ask("/mark", json.dumps({"lesson": OTHER, "name": WRITTEN, "marks": [given]}), **headers)

    @property
    def cookie(self) -> str:
        """What a browser that showed the token sends from then on."""
        return self.ask(self.token).headers["Set-Cookie"].split(";")[0]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The page of a class in which one answer waits, with a browser that only writes down how it was started."""
    made = MarkedClass(make_class(tmp_path_factory.mktemp("class"), {"amy": ANSWER}))
    browser = tmp_path_factory.mktemp("browser") / "browser"
    browser.write_text('#!/bin/sh\nprintf %s "$*" > "$0.part" && mv "$0.part" "$0.said"\n')
    browser.chmod(0o755)
    command = [sys.executable, "-m", "autograder.commands.cli", "mark", OTHER, "--class", str(made.folder)]
    environment = {**os.environ, "BROWSER": str(browser)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        address = urlsplit(program.stdout.readline().strip())
        said, ends = browser.with_suffix(".said"), time.monotonic() + A_MINUTE
        while not said.exists() and time.monotonic() < ends:
            time.sleep(0.05)
        assert address.port is not None
        yield Served(program, made, address.port, f"/?{address.query}", said.read_text())
        program.kill()


def test_a_browser_is_started_with_a_file_that_is_the_instructor_s_alone(served):
    secret = served.token.partition("=")[2]
    assert len(secret) > 20
    assert secret not in served.opened
    opened = urlsplit(served.opened)
    file = Path(unquote(opened.path))
    assert opened.scheme == "file"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert f"http://127.0.0.1:{served.port}{served.token}" in file.read_text()


def test_who_shows_the_token_is_known_by_a_cookie_and_led_to_an_address_without_it(served):
    door = served.ask(served.token)
    (cookie,) = door.headers.get_all("Set-Cookie")
    assert {"HttpOnly", "SameSite=Strict"} <= {part.strip() for part in cookie.split(";")}
    assert BeautifulSoup(door.text, "html.parser").a["href"] == "/"
    assert ANSWER not in door.text
    for _ in ("this browser", "another, or again"):
        assert ANSWER in served.ask("/", Cookie=served.cookie).text


@pytest.mark.parametrize("cookie", ["", "mark=guessed", "mark-{port}=guessed", "mark-{port}="])
def test_the_address_alone_opens_nothing_and_says_what_does(served, cookie):
    headers = {"Cookie": cookie.format(port=served.port)} if cookie else {}
    asked = [served.ask(path, **headers) for path in ("/", "/?token=", "/?token=guessed")]
    for answer in (*asked, served.give(**headers)):
        assert answer.status == 403
        assert "open the address that it shows in its terminal" in answer.text
        assert ANSWER not in answer.text
    assert served.made.answer().points is None


def test_a_page_of_another_site_may_do_nothing_although_the_browser_is_known(served):
    cookie, another_port = {"Cookie": served.cookie}, f"http://127.0.0.1:{served.port + 1}"
    assert served.ask("/", Host=f"elsewhere.example:{served.port}", **cookie).status == 403
    for origin in (another_port, "http://elsewhere.example", "null"):
        assert served.give(Origin=origin, **cookie).status == 403
    assert served.made.answer().points is None
    assert served.ask("/mark", '{"name": 1}', **cookie).status == 400


def test_the_page_itself_marks_and_its_file_goes_with_the_program(served):
    own = f"http://127.0.0.1:{served.port}"
    assert served.give(Cookie=served.cookie, Origin=own).status == 200
    assert served.made.answer().points == 4
    assert list(served.made.folder.glob("mark-*"))
    served.program.send_signal(signal.SIGTERM)
    assert served.program.wait(A_MINUTE) == 0
    assert list(served.made.folder.glob("mark-*")) == []
