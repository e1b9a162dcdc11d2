"""JupyterLab in a browser: the real server on a course folder, and a notebook with what a person does to it."""

from __future__ import annotations

import json
import os
import re
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import STDOUT, Popen
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import FrameLocator, Locator, Page, expect

from autograder.tests.this_course import ROOT
from autograder.views import display, figures

START_SECONDS = 120
A_WHOLE_NOTEBOOK = 180_000
"""Milliseconds in which nbgrader's Validate has run a lesson, also where other tests run beside."""

QUIET = (
    "--allow-root",
    "--no-browser",
    "--IdentityProvider.token=",
    "--ServerApp.ip=127.0.0.1",
    "--ServerApp.port_retries=0",
    "--LabApp.news_url=",
    "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    "--LabApp.extension_manager=readonly",
)
"""What keeps the server to this machine and to itself."""

SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
}
"""JupyterLab's settings by plug-in: no question about news, and every cell in the page, seen or not."""


def students_command() -> list[str]:
    """The command that `make lab` runs."""
    printed = subprocess.run(
        ["make", "--no-print-directory", "-n", "lab"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return shlex.split(printed.splitlines()[-1])[1:]


@contextmanager
def serving(arguments: list[str], course: Path, home: Path) -> Iterator[str]:
    """Run `jupyter` with these arguments in the folder `course`; its address comes back once it answers.

    home: a folder for JupyterLab's own settings and files. Raises `RuntimeError` with the log when it does not start.
    """
    port = _free_port()
    program = str(Path(sys.executable).with_name("jupyter"))
    command = [program, *arguments, *QUIET, f"--ServerApp.port={port}"]
    log = home / "server.log"
    _write_settings(home)
    with (
        log.open("w") as file,
        Popen(command, cwd=course, env=_environment(home), stdout=file, stderr=STDOUT) as server,
    ):
        address = f"http://127.0.0.1:{port}"
        try:
            _wait_until_it_answers(f"{address}/api/status", server, log)
            yield address
        finally:
            server.terminate()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _write_settings(home: Path) -> None:
    for plugin, settings in SETTINGS.items():
        path = home / "config" / "lab" / "user-settings" / "@jupyterlab" / f"{plugin}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings))


def _environment(home: Path) -> dict[str, str]:
    """This process's environment, with JupyterLab's files in `home` and someone there to move the sliders."""
    inherited = {
        name: value for name, value in os.environ.items() if name not in (figures.STATIC, display.TESTING)
    }
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    own = {
        "JUPYTER_CONFIG_DIR": home / "config",
        "JUPYTER_DATA_DIR": home / "data",
        "JUPYTER_RUNTIME_DIR": home / "runtime",
        "IPYTHONDIR": home / "ipython",
    }
    return {**inherited, "PATH": paths, **{name: str(path) for name, path in own.items()}}


def _wait_until_it_answers(address: str, server: Popen, log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while server.poll() is None and time.monotonic() < deadline:
        try:
            with urlopen(address, timeout=5):
                return
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.2)
    raise RuntimeError(f"JupyterLab did not start:\n{log.read_text()[-3000:]}")


def choose(page: Page, menu: str, item: str) -> None:
    """Choose an item of JupyterLab's menu bar."""
    page.locator(".lm-MenuBar-itemLabel").get_by_text(menu, exact=True).click()
    page.locator(".lm-Menu-itemLabel").get_by_text(item, exact=True).click()


def choose_theme(page: Page, name: str) -> None:
    """Choose JupyterLab's light or dark theme."""
    choose(page, "Settings", "Theme")
    page.locator(".lm-Menu-itemLabel").get_by_text(f"JupyterLab {name}", exact=True).click()
    light = str(name == "Light").lower()
    expect(page.locator("body")).to_have_attribute("data-jp-theme-light", light)


class Notebook:
    """A notebook open in JupyterLab, and no other; where JupyterLab is open already, it is not loaded anew."""

    def __init__(self, page: Page, address: str, path: str) -> None:
        self.page = page
        if page.url.startswith(f"{address}/lab") and page.locator(".lm-MenuBar").count():
            page.keyboard.press("Escape")  # Validate's answer stays open
            choose(page, "File", "Close All Tabs")
            while page.locator(".jp-Notebook").count():
                if (discard := page.get_by_role("button", name="Discard")).is_visible():
                    discard.click()
                page.wait_for_timeout(100)
            choose(page, "File", "Open from Path…")
            page.locator(".jp-Dialog input").fill(path)
            page.keyboard.press("Enter")
        else:
            page.goto(f"{address}/lab/tree/{path}?reset")
        expect(page.locator(".jp-Notebook .jp-CodeCell").first).to_be_visible()
        expect(page.locator(".jp-StatusBar-TextItem").filter(has_text="| Idle")).to_be_visible()

    def run_all(self) -> None:
        """Choose Run All Cells."""
        choose(self.page, "Run", "Run All Cells")

    def answer(self, exercise: str, text: str) -> None:
        """Write an answer in place of what a cell holds, run it and then its check; exercise: what it defines."""
        editor = self._cell(re.compile(rf"(def|class) {exercise}\(|{exercise} = ")).locator(".cm-content")
        editor.click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Shift+Enter")
        self.page.keyboard.press("Shift+Enter")

    def check(self, exercise: str) -> None:
        """Run an exercise's check."""
        self._cell(f"check({exercise})").locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")

    def verdict(self, exercise: str) -> Locator:
        """The verdict shown below an exercise's check."""
        return self.page.locator(f'.verdict[aria-label="Verdict on {exercise}"]')

    def validate(self) -> str:
        """Press nbgrader's Validate; the text of its answer comes back, which stays open."""
        self.page.get_by_role("button", name="Validate").click()
        answer = self.page.locator(".jp-Dialog")
        expect(answer).to_contain_text("Validation Results", timeout=A_WHOLE_NOTEBOOK)
        return answer.inner_text()

    def _cell(self, text: str | re.Pattern[str]) -> Locator:
        return self.page.locator(".jp-CodeCell").filter(has_text=text).first


class Formgrader:
    """nbgrader's formgrader, opened in JupyterLab from its menu; it lives in a frame of its own."""

    def __init__(self, page: Page, address: str) -> None:
        page.goto(f"{address}/lab?reset")
        choose(page, "Nbgrader", "Formgrader")
        self.frame: FrameLocator = page.frame_locator("iframe")

    def follow(self, *links: str) -> None:
        """Click links one after the other, each on the page that the one before led to."""
        for link in links:
            self.frame.get_by_role("link", name=link, exact=True).first.click()
            expect(self.frame.locator(".breadcrumb .active")).to_have_text(link)
