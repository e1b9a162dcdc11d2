"""What is noted on a submission while it is read and graded, as data; `notes.toml` says what people are told."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto, unique
from pathlib import Path

from autograder.exercises.limits import MAX_NAMES_IN_NOTE
from autograder.exercises.text import clean_text


class Weight(StrEnum):
    """What a note asks of the instructor."""

    HARMLESS = "harmless"
    ASK_AGAIN = "ask again"
    LOOK = "look at it"


@dataclass(frozen=True)
class Wording:
    """How a kind of note is said.

    line: to the instructor; told: to the student, if at all. `[is|are]` is said of one thing, or of several.
    """

    weight: Weight
    line: str
    told: str = ""


_EITHER = re.compile(r"\[([^|]*)\|([^]]*)\]")


@unique
class NoteKind(StrEnum):
    """What may be noted, written down by its name; how it is said stands in `notes.toml`."""

    @staticmethod
    def _generate_next_value_(name: str, *_: object) -> str:
        return name

    LINK = auto()
    NO_NOTEBOOK = auto()
    OTHER_NOTEBOOK = auto()
    UNREADABLE = auto()
    FOLDER_LOCKED = auto()
    NO_STUDENT = auto()
    FAILED = auto()
    NOT_YET = auto()
    RENAMED = auto()
    UNTOUCHED_COPY = auto()
    OTHER_COPY = auto()
    NO_FILE = auto()
    SHADOW = auto()
    LOCKED_AWAY = auto()
    BAD_NAME = auto()
    TOO_DEEP = auto()
    TOO_LARGE = auto()
    TOO_MANY_CELLS = auto()
    STAMPED = auto()
    LATE = auto()
    MISSING = auto()
    ANSWER_MISSING = auto()
    TWICE = auto()
    COPIES_DIFFER = auto()
    UNANSWERED = auto()
    NO_POINTS = auto()
    MISPLACED = auto()
    EDITED = auto()
    REGRADED = auto()
    TAGGED = auto()
    INVENTED = auto()
    CELL_TIMED_OUT = auto()
    CELL_DIED = auto()
    CELL_GARBLED = auto()
    CELL_TOO_MUCH = auto()
    CELL_FULL = auto()
    ANSWER_TIMED_OUT = auto()
    ANSWER_DIED = auto()
    ANSWER_GARBLED = auto()
    ANSWER_TOO_MUCH = auto()
    ANSWER_FULL = auto()
    OUT_OF_TIME = auto()
    GIVEN_UP = auto()
    NOT_JUDGED = auto()
    UNSEALED = auto()

    @property
    def wording(self) -> Wording:
        return _WORDINGS[self]


_SAID = tomllib.loads(Path(__file__).with_name("notes.toml").read_text(encoding="utf-8"))
_WORDINGS = {
    NoteKind(name): Wording(**{**said, "weight": Weight(said["weight"])}) for name, said in _SAID.items()
}


@dataclass(frozen=True)
class Note:
    """One thing that was seen. Which student's submission it is stands beside it.

    names: of cells, files or exercises, fit to be shown in a line; more: how many others there are;
    detail: what else the wording has a place for.
    """

    kind: NoteKind
    names: tuple[str, ...] = ()
    detail: str = ""
    more: int = 0

    def __post_init__(self) -> None:
        vars(self).update(names=tuple(map(clean_text, self.names)), detail=clean_text(self.detail))

    @classmethod
    def on(cls, kind: NoteKind, names: Sequence[str], detail: str = "") -> Note:
        """A note on any number of things, a few of them by name."""
        return cls(kind, tuple(names[:MAX_NAMES_IN_NOTE]), detail, max(0, len(names) - MAX_NAMES_IN_NOTE))

    @property
    def weight(self) -> Weight:
        """What it asks of the instructor."""
        return self.kind.wording.weight

    @property
    def line(self) -> str:
        """The line for the instructor."""
        return self._filled(self.kind.wording.line)

    @property
    def told(self) -> str:
        """What the student is told; empty where it is for the instructor alone."""
        return self._filled(self.kind.wording.told)

    def _filled(self, wording: str) -> str:
        more = f" and {self.more} more" if self.more else ""
        said = _EITHER.sub(r"\2" if len(self.names) + self.more > 1 else r"\1", wording)
        return said.format(names=", ".join(self.names) + more, detail=self.detail)
