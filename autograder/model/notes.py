"""What is noted on a submission while it is read and graded, as data; and what instructor and student are told."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from autograder.model.text import cleaned

MAX_NAMED = 3


class Weight(StrEnum):
    """What a note asks of the instructor."""

    HARMLESS = "harmless"
    ASK_AGAIN = "ask again"
    LOOK = "look at it"


class Kind(StrEnum):
    """What may be noted; `WORDINGS` say it."""

    LINK = "link"
    NO_NOTEBOOK = "no notebook"
    UNREADABLE = "unreadable"
    RENAMED = "renamed"

    NO_FILE = "no file"
    SHADOW = "shadow"
    LOCKED_AWAY = "locked away"
    TOO_DEEP = "too deep"
    TOO_LARGE = "too large"
    TOO_MANY_CELLS = "too many cells"
    NO_TIME = "no time"
    LATE = "late"

    MISSING = "missing"
    TWICE = "twice"
    EDITED = "edited"
    REGRADED = "regraded"
    TAGGED = "tagged"
    INVENTED = "invented"

    CELL_TIMED_OUT = "cell timed out"
    CELL_DIED = "cell died"
    CELL_GARBLED = "cell garbled"
    ANSWER_TIMED_OUT = "answer timed out"
    ANSWER_DIED = "answer died"
    ANSWER_GARBLED = "answer garbled"
    OUT_OF_TIME = "out of time"
    REACHED_OUT = "reached out"

    NOT_JUDGED = "not judged"
    UNSEALED = "unsealed"


@dataclass(frozen=True)
class Note:
    """One thing that was seen. Which student's submission it is stands beside it.

    names: of cells, files or exercises, fit to be shown in a line; more: how many others there are;
    detail: what else the wording has a place for.
    """

    kind: Kind
    names: tuple[str, ...] = ()
    detail: str = ""
    more: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple(map(cleaned, self.names)))
        object.__setattr__(self, "detail", cleaned(self.detail))

    @classmethod
    def on(cls, kind: Kind, names: Sequence[str], detail: str = "") -> Note:
        """A note on any number of things, a few of them by name."""
        return cls(kind, tuple(names[:MAX_NAMED]), detail, max(0, len(names) - MAX_NAMED))

    @property
    def weight(self) -> Weight:
        """What it asks of the instructor."""
        return WORDINGS[self.kind].weight

    @property
    def line(self) -> str:
        """The line for the instructor."""
        wording = WORDINGS[self.kind]
        return self._filled(wording.line, wording.lines)

    @property
    def told(self) -> str:
        """What the student is told; empty where it is for the instructor alone."""
        wording = WORDINGS[self.kind]
        return self._filled(wording.told, wording.told_of_many)

    def _filled(self, one: str, many: str) -> str:
        more = f" and {self.more} more" if self.more else ""
        several = many and len(self.names) + self.more > 1
        return (many if several else one).format(names=", ".join(self.names) + more, detail=self.detail)


@dataclass(frozen=True)
class Wording:
    """How a kind of note is said.

    line: to the instructor, and lines where it is about several things; told: likewise to the student, if at all.
    """

    weight: Weight
    line: str
    lines: str = ""
    told: str = ""
    told_of_many: str = ""


_AGAIN = "Ask your instructor whether you may hand it in again."
_LOST = f"so nothing of it could be graded. {_AGAIN}"
_GOES_ON = "the rest was graded all the same."

WORDINGS: Mapping[Kind, Wording] = {
    Kind.LINK: Wording(
        Weight.ASK_AGAIN,
        "{names} is a link, not what was handed in: graded as untouched; ask for the file",
        told=f"{{names}} is a link, not what was handed in, {_LOST}",
    ),
    Kind.NO_NOTEBOOK: Wording(
        Weight.ASK_AGAIN,
        "no notebook was handed in: {names} is missing",
        told=f"There was no notebook in what you handed in. {_AGAIN}",
    ),
    Kind.UNREADABLE: Wording(
        Weight.ASK_AGAIN,
        "{names} {detail}: graded as untouched; ask for the file again",
        told=f"{{names}} {{detail}}, {_LOST}",
    ),
    Kind.RENAMED: Wording(
        Weight.HARMLESS,
        "{detail} is missing: {names} was graded in its place",
        told="{names} was graded. It should be called {detail}.",
    ),
    Kind.NO_FILE: Wording(
        Weight.HARMLESS,
        "{names} is a link or is not a file: left out",
        "{names} are links or are not files: left out",
    ),
    Kind.SHADOW: Wording(
        Weight.LOOK,
        "{names} has the name of a library's module: it was left out",
        "{names} have the name of a library's module: they were left out",
    ),
    Kind.LOCKED_AWAY: Wording(Weight.HARMLESS, "{names} may not be read: left out"),
    Kind.TOO_DEEP: Wording(Weight.HARMLESS, "what lies more than {detail} folders deep was left out"),
    Kind.TOO_LARGE: Wording(
        Weight.LOOK,
        "{names} is more than there is room for: left out",
        "{names} are more than there is room for: left out",
    ),
    Kind.TOO_MANY_CELLS: Wording(
        Weight.LOOK,
        "{names} holds more than there is room for: {detail} of its cells were left out",
        told="{names} holds more than there is room for: {detail} of its cells were left out.",
    ),
    Kind.NO_TIME: Wording(Weight.LOOK, "{names} holds no time: the submission counts as in time"),
    Kind.LATE: Wording(Weight.HARMLESS, "handed in {detail}", told="Handed in {detail}."),
    Kind.MISSING: Wording(
        Weight.HARMLESS,
        "cell {names} is missing; it was put back",
        "cells {names} are missing; they were put back",
        "Cell {names} was missing; it was put back.",
        "Cells {names} were missing; they were put back.",
    ),
    Kind.TWICE: Wording(
        Weight.HARMLESS,
        "cell {names} is there twice; the last one counts",
        "cells {names} are there twice; the last ones count",
        "Cell {names} is there twice; the last one counted.",
        "Cells {names} are there twice; the last ones counted.",
    ),
    Kind.EDITED: Wording(
        Weight.LOOK,
        "locked cell {names} was edited; the original counts",
        "locked cells {names} were edited; the originals count",
    ),
    Kind.REGRADED: Wording(
        Weight.LOOK,
        "grading settings of cell {names} were changed; those of the release count",
        "grading settings of cells {names} were changed; those of the release count",
    ),
    Kind.TAGGED: Wording(
        Weight.LOOK,
        "cell {names} is tagged {detail}; it was run all the same",
        "cells {names} are tagged {detail}; they were run all the same",
    ),
    Kind.INVENTED: Wording(
        Weight.LOOK,
        "cell {names} bears a grading id that the lesson does not have; it is not graded",
        "cells {names} bear grading ids that the lesson does not have; they are not graded",
    ),
    Kind.CELL_TIMED_OUT: Wording(
        Weight.HARMLESS,
        "cell {names}: timed out",
        told=f"Cell {{names}} took too long and was stopped; {_GOES_ON}",
    ),
    Kind.CELL_DIED: Wording(
        Weight.HARMLESS,
        "cell {names}: kernel died",
        told=f"Cell {{names}} ended the whole program; {_GOES_ON}",
    ),
    Kind.CELL_GARBLED: Wording(Weight.LOOK, "cell {names}: garbled"),
    Kind.ANSWER_TIMED_OUT: Wording(
        Weight.HARMLESS,
        "the answer of test_{names}: timed out",
        told=f"{{names}} took too long to answer; {_GOES_ON}",
    ),
    Kind.ANSWER_DIED: Wording(
        Weight.HARMLESS,
        "the answer of test_{names}: kernel died",
        told=f"{{names}} ended the whole program when it was called; {_GOES_ON}",
    ),
    Kind.ANSWER_GARBLED: Wording(Weight.LOOK, "the answer of test_{names}: garbled"),
    Kind.OUT_OF_TIME: Wording(
        Weight.LOOK,
        "the notebook took more than {detail} seconds; the rest was not run",
        told="The notebook took more than {detail} seconds; what was left then was not run.",
    ),
    Kind.REACHED_OUT: Wording(Weight.LOOK, "it reached for what is outside its room: {names}"),
    Kind.NOT_JUDGED: Wording(Weight.LOOK, "{names} could not be judged ({detail}): look at it by hand"),
    Kind.UNSEALED: Wording(Weight.HARMLESS, "graded UNSEALED: the notebook ran in no room of its own"),
}


def write(notes: Iterable[Note]) -> list[dict[str, Any]]:
    """Notes as plain data, for `read`."""
    return [dataclasses.asdict(note) for note in notes]


def read(data: Any) -> tuple[Note, ...]:
    """The notes behind what `write` gave, or what JSON made of that; what is none is passed over."""
    found = map(_read, data) if isinstance(data, (list, tuple)) else ()
    return tuple(note for note in found if note is not None)


def _read(data: Any) -> Note | None:
    try:
        kind, names, detail, more = (data[field.name] for field in dataclasses.fields(Note))
        of_texts = isinstance(names, (list, tuple)) and all(
            isinstance(text, str) for text in (*names, detail)
        )
        return Note(Kind(kind), tuple(names), detail, more) if of_texts and type(more) is int else None
    except (KeyError, TypeError, ValueError):
        return None
