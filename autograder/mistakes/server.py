"""The page on which mistakes are named, and the address that takes the names: served as the marking page is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from tornado.web import Application

from autograder.courses import Lesson
from autograder.marking.server import ONLY_HERE, LocalChange, WholePage
from autograder.nbgrader_plugin import met
from autograder.nbgrader_plugin.formatting import Text, formatted
from autograder.nbgrader_plugin.met import MetMistake, MistakeName
from autograder.publish import pages


@dataclass(frozen=True)
class NamedMistake:
    """A mistake as its page shows it.

    here, before: how many of this class make it, and of earlier ones; known: whether it can be known again.
    """

    lesson: Lesson
    met: MetMistake
    given: MistakeName
    here: int
    before: int
    known: bool

    @classmethod
    def of(cls, lesson: Lesson, one: MetMistake, given: MistakeName | None, folder: Path) -> NamedMistake:
        """A mistake that the class in this folder met."""
        here, before = one.counted(folder)
        return cls(lesson, one, given or MistakeName(), here, before, one.is_asked_still(lesson))


class NamingPage(NamedTuple):
    """What the page is made of: all mistakes, and what names one, see `met.give_name`; command: the course's."""

    read: Callable[[], Sequence[NamedMistake]]
    give: Callable[[str, MistakeName, MistakeName], None]
    command: str


def mistakes_page(mistakes: Sequence[NamedMistake], command: str) -> tuple[str, str]:
    """The page of these mistakes, and its content security policy."""
    codes = {one.met.id: Text("code", one.met.examples[0]) for one in mistakes if one.met.examples}
    shown = dict(zip(codes, formatted([*codes.values()])))
    values = {"mistakes": mistakes, "shown": shown, "command": command, "file": met.NAMES}
    limits = {"most_name": met.MOST_NAME, "most_question": met.MOST_QUESTION}
    text, policy = pages.page(
        "autograder.mistakes", "mistakes.html.j2", "mistakes.js", {}, **values, **limits
    )
    return text, f"{policy}; {ONLY_HERE}"


def naming_application(of: NamingPage, token: str, port: int) -> Application:
    """What answers at this port's `/` and `/name`, to whoever has shown the token."""
    handlers: list[Any] = [("/", _Page, {"of": of}), ("/name", _Name, {"of": of})]
    return Application(handlers, token=token, cookie=f"mistakes-{port}")


class _Page(WholePage):
    title = "Mistakes without a name"

    def initialize(self, of: NamingPage) -> None:
        self._of = of

    def made(self) -> tuple[str, str]:
        return mistakes_page(self._of.read(), self._of.command)


class _Sent(msgspec.Struct):
    mistake: str
    before: MistakeName
    given: MistakeName


class _Name(LocalChange):
    """Takes a name; what stands there then comes back, or why it was not saved."""

    form = _Sent

    def initialize(self, of: NamingPage) -> None:
        self._of = of

    def take(self, sent: _Sent) -> dict[str, Any]:
        self._of.give(sent.mistake, sent.before, sent.given)
        return msgspec.to_builtins(sent.given)
