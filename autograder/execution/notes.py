"""Notes on a submission, made while it is read and graded, as data; `notes.toml` has their texts."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto, unique
from pathlib import Path

import msgspec

from autograder.exercises.limits import MAX_NAMES_IN_NOTE
from autograder.exercises.text import clean_text


class Weight(StrEnum):
    """The action that a note asks of the instructor."""

    HARMLESS = "harmless"
    ASK_AGAIN = "ask again"
    LOOK = "look at it"


@dataclass(frozen=True)
class Wording:
    """The texts of a kind of note, for the instructor and, unless empty, for the student.

    `[is|are]` stands for the singular and the plural form.
    """

    weight: Weight
    instructor: str
    student: str = ""


_EITHER = re.compile(r"\[([^|]*)\|([^]]*)\]")


@unique
class NoteKind(StrEnum):
    """The kinds of note, stored by name; their texts stand in `notes.toml`."""

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
        """Return the texts of this kind, as `notes.toml` has them."""
        return _WORDINGS[self]


_TEXTS = tomllib.loads(Path(__file__).with_name("notes.toml").read_text(encoding="utf-8"))
_WORDINGS = msgspec.convert(_TEXTS, dict[NoteKind, Wording])


@dataclass(frozen=True)
class Note:
    """A note on a student's submission.

    Attributes:
        kind: The kind of note.
        names: Names of cells, files or exercises, fit to be shown in a line.
        detail: The text for `{detail}` in the wording.
        more: The number of further names.
    """

    kind: NoteKind
    names: tuple[str, ...] = ()
    detail: str = ""
    more: int = 0

    def __post_init__(self) -> None:
        vars(self).update(names=tuple(map(clean_text, self.names)), detail=clean_text(self.detail))

    @classmethod
    def on(cls, kind: NoteKind, names: Sequence[str], detail: str = "") -> Note:
        """Return a note on any number of things, a few of them by name."""
        return cls(kind, tuple(names[:MAX_NAMES_IN_NOTE]), detail, max(0, len(names) - MAX_NAMES_IN_NOTE))

    @property
    def weight(self) -> Weight:
        """Return the action that it asks of the instructor."""
        return self.kind.wording.weight

    @property
    def instructor_message(self) -> str:
        """Return the text for the instructor."""
        return self._fill_in(self.kind.wording.instructor)

    @property
    def student_message(self) -> str:
        """Return the text for the student; empty for a note to the instructor alone."""
        return self._fill_in(self.kind.wording.student)

    def _fill_in(self, wording: str) -> str:
        more = f" and {self.more} more" if self.more else ""
        text = _EITHER.sub(r"\2" if len(self.names) + self.more > 1 else r"\1", wording)
        return text.format(names=", ".join(self.names) + more, detail=self.detail)
