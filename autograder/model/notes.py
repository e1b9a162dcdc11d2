"""What is noted on a submission while it is read and graded, as data; and what instructor and student are told."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, auto, unique
from functools import partial
from typing import Any

from autograder.model.text import cleaned

MAX_NAMED = 3


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


_AGAIN = "Ask your instructor whether you may hand it in again."
_LOST = f"so nothing of it could be graded. {_AGAIN}"
_GOES_ON = "the rest was graded all the same."
_EITHER = re.compile(r"\[([^|]*)\|([^]]*)\]")


def _said(weight: Weight, line: str, told: str = "") -> Any:
    return auto(), Wording(weight, line, told)


_harmless = partial(_said, Weight.HARMLESS)
_ask_again = partial(_said, Weight.ASK_AGAIN)
_look = partial(_said, Weight.LOOK)


@unique
class NoteKind(StrEnum):
    """What may be noted, written down by its name, and how it is said."""

    wording: Wording

    def __new__(cls, name: str, wording: Wording) -> NoteKind:
        kind = str.__new__(cls, name)
        kind._value_, kind.wording = name, wording
        return kind

    @staticmethod
    def _generate_next_value_(name: str, *_: object) -> str:
        return name

    LINK = _ask_again(
        "{names} is a link, not what was handed in: not graded; ask for the file",
        told=f"{{names}} is a link, not what was handed in, {_LOST}",
    )
    NO_NOTEBOOK = _ask_again(
        "no notebook was handed in, {detail}: not graded; ask for {names}",
        told=f"There was no {{names}} in what you handed in, {{detail}}. {_AGAIN}",
    )
    UNREADABLE = _ask_again(
        "{names} {detail}: not graded; ask for the file again", told=f"{{names}} {{detail}}, {_LOST}"
    )
    FOLDER_LOCKED = _look("the folder may not be read: not graded; call chmod -R u+rX on it")
    NO_STUDENT = _look("{names} cannot be a student's id: not graded; rename the folder")
    FAILED = _look(
        "could not be graded: {detail}", told="It could not be graded yet, which is no fault of yours."
    )
    NOT_YET = _look("not graded yet: the next round does it")
    RENAMED = _harmless(
        "{detail} is missing: {names} was graded in its place",
        told="{names} was graded. It should be called {detail}.",
    )
    NO_FILE = _harmless("{names} [is a link or is not a file|are links or are not files]: left out")
    SHADOW = _look("{names} [has|have] the name of a library's module: [it was|they were] left out")
    LOCKED_AWAY = _harmless("{names} may not be read: left out")
    TOO_DEEP = _harmless("what lies more than {detail} folders deep was left out")
    TOO_LARGE = _look("{names} [is|are] more than there is room for: left out")
    TOO_MANY_CELLS = _look(
        "{names} holds more than there is room for: {detail} of its cells were left out",
        told="{names} holds more than there is room for: {detail} of its cells were left out.",
    )
    STAMPED = _look("{names} came with the work and is not believed: {detail}")
    LATE = _harmless("handed in {detail}", told="Handed in {detail}.")
    MISSING = _harmless(
        "cell[|s] {names} [is|are] missing; [it was|they were] put back",
        "Cell[|s] {names} [was|were] missing; [it was|they were] put back.",
    )
    TWICE = _harmless(
        "cell[|s] {names} [is|are] there twice; the last [one counts|ones count]",
        "Cell[|s] {names} [is|are] there twice; the last one[|s] counted.",
    )
    MISPLACED = _harmless(
        "cell[|s] {names} stood before [its answer|their answers]; [it was|they were] moved behind [it|them]",
        "Cell[|s] {names} stood before [its answer|their answers]; [it was|they were] moved behind [it|them].",
    )
    EDITED = _look("locked cell[|s] {names} [was|were] edited; the [original counts|originals count]")
    REGRADED = _look("grading settings of cell[|s] {names} were changed; those of the release count")
    TAGGED = _look("cell[|s] {names} [is|are] tagged {detail}; [it was|they were] run all the same")
    INVENTED = _look(
        "cell[|s] {names} [bears a grading id|bear grading ids] that the lesson does not have; "
        "[it is|they are] not graded"
    )
    CELL_TIMED_OUT = _harmless(
        "cell {names}: timed out", told=f"Cell {{names}} took too long and was stopped; {_GOES_ON}"
    )
    CELL_DIED = _harmless(
        "cell {names}: kernel died", told=f"Cell {{names}} ended the whole program; {_GOES_ON}"
    )
    CELL_GARBLED = _look("cell {names}: garbled")
    CELL_TOO_MUCH = _look(
        "cell {names} sent more than there is room for",
        told=f"Cell {{names}} sent more than there is room for and was stopped; {_GOES_ON}",
    )
    ANSWER_TIMED_OUT = _harmless(
        "the answer of test_{names}: timed out", told=f"{{names}} took too long to answer; {_GOES_ON}"
    )
    ANSWER_DIED = _harmless(
        "the answer of test_{names}: kernel died",
        told=f"{{names}} ended the whole program when it was called; {_GOES_ON}",
    )
    ANSWER_GARBLED = _look("the answer of test_{names}: garbled")
    ANSWER_TOO_MUCH = _look(
        "the answer of test_{names} is more than there is room for",
        told=f"The answer of {{names}} is more than there is room for; {_GOES_ON}",
    )
    OUT_OF_TIME = _look(
        "the notebook took more than {detail} seconds; the rest was not run",
        told="The notebook took more than {detail} seconds; what was left then was not run.",
    )
    GIVEN_UP = _look(
        "grading it took more time or memory than there is for a submission; what was left was not judged",
        told="Grading this took more time or memory than there is for a submission; what was left was not judged.",
    )
    REACHED_OUT = _look("it reached for what is outside its room: {names}")
    NOT_JUDGED = _look("{names} could not be judged ({detail}): look at it by hand")
    UNSEALED = _harmless("graded UNSEALED: the notebook ran in no room of its own")


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
        vars(self).update(names=tuple(map(cleaned, self.names)), detail=cleaned(self.detail))

    @classmethod
    def on(cls, kind: NoteKind, names: Sequence[str], detail: str = "") -> Note:
        """A note on any number of things, a few of them by name."""
        return cls(kind, tuple(names[:MAX_NAMED]), detail, max(0, len(names) - MAX_NAMED))

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
