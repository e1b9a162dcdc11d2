"""What is noted on a submission survives being written down, and is said in the same words everywhere."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.execution.notes import Note, NoteKind, Weight
from autograder.exercises.verdict import CriterionResult, Outcome, State, Verdict
from autograder.records.record_store import GradingRecord

AGAIN = "Ask your instructor whether you may hand it in again."
F, FOUR = ("f",), ("f", "g", "h", "i")

RUN = "are tagged remove-cell; they were run all the same"
SAID = [
    (
        Note(NoteKind.NO_NOTEBOOK, ("a.ipynb",), "only a.zip"),
        "no notebook was handed in, only a.zip: not graded; ask for a.ipynb",
        f"There was no a.ipynb in what you handed in, only a.zip. {AGAIN}",
    ),
    (Note.on(NoteKind.NO_FILE, FOUR), "f, g, h and 1 more are links or are not files: left out", ""),
    (Note(NoteKind.MISSING, F), "cell f is missing; it was put back", "Cell f was missing; it was put back."),
    (Note.on(NoteKind.TAGGED, FOUR, "remove-cell"), f"cells f, g, h and 1 more {RUN}", ""),
]


@pytest.mark.parametrize(("note", "line", "told"), SAID, ids=[line for _, line, _ in SAID])
def test_the_words_for_instructors_and_students(note: Note, line: str, told: str) -> None:
    assert (note.instructor_message, note.student_message) == (line, told)


@pytest.mark.parametrize("kind", NoteKind)
@pytest.mark.parametrize("names", [F, FOUR])
def test_every_kind_has_its_words(kind: NoteKind, names: tuple[str, ...]) -> None:
    """Each is a whole sentence for the instructor, of one name and of several, and asks for no place to fill."""
    note = Note.on(kind, names, "4096")
    assert note.instructor_message
    assert not {"{", "}"} & {*note.instructor_message, *note.student_message}


def test_a_mishap_is_harmless_tampering_is_looked_at_and_what_cannot_be_read_is_asked_for_again() -> None:
    weights = {kind: Note(kind, F).weight for kind in NoteKind}
    again = {kind for kind, weight in weights.items() if weight is Weight.ASK_AGAIN}
    assert again == {NoteKind.LINK, NoteKind.NO_NOTEBOOK, NoteKind.OTHER_NOTEBOOK, NoteKind.UNREADABLE}
    assert {weights[kind] for kind in (NoteKind.MISSING, NoteKind.RENAMED, NoteKind.CELL_DIED)} == {
        "harmless"
    }
    assert {weights[kind] for kind in (NoteKind.EDITED, NoteKind.CELL_GARBLED)} == {Weight.LOOK}


def test_notes_survive_being_written_down() -> None:
    notes = [Note.on(kind, FOUR, "{detail}") for kind in NoteKind]
    assert known(json.loads(json.dumps(msgspec.to_builtins(notes)))) == tuple(notes)


def test_what_an_earlier_version_kept_is_read():
    line = {"title": "the shape", "sight": "not reached", "points": 2, "details": ["see /home/her/key.txt"]}
    texts = dict.fromkeys(("misconception", "looks_like", "question", "mend_first", "cell_failed"), "")
    lists = {"lines": [line], "problem": ["not callable"], "library": []}
    kept = {"exercise": "f", "state": "wrong", **lists, **texts, "hidden": True, "graded": True}
    lines = (CriterionResult("the shape", Outcome.NOT_REACHED, 2, ("see …/key.txt",)),)
    verdict = Verdict("f", State.WRONG, lines, ("not callable",), hidden=True)
    assert GradingRecord("01", "amy", kept_verdicts={"f": kept}).verdicts == {"f": verdict}


def known(data: Any) -> tuple[Note, ...]:
    """What is read of a record whose notes are these."""
    return GradingRecord("01", "amy", kept_notes=data).notes


WHOLE = {"kind": "TWICE", "names": ["f"], "detail": "", "more": 0}


@pytest.mark.parametrize(
    "damaged",
    [
        None,
        "cell f is there twice; the last one counts",
        {},
        {key: value for key, value in WHOLE.items() if key != "kind"},
        *({**WHOLE, key: odd} for key in WHOLE for odd in (None, 1.5, {"a": 1}, [["f"]])),
        {**WHOLE, "kind": "of another version"},
        {**WHOLE, "names": "f"},
    ],
    ids=repr,
)
def test_damaged_data_costs_itself(damaged: Any) -> None:
    whole = Note(NoteKind.TWICE, F)
    assert known([WHOLE, damaged, WHOLE]) == (whole, whole)


@given(
    st.recursive(st.none() | st.text() | st.integers(), lambda x: st.lists(x) | st.dictionaries(st.text(), x))
)
def test_reading_never_raises(data: Any) -> None:
    assert known([data, dict.fromkeys(WHOLE, data)]) == ()


def test_students_texts_are_one_line_of_what_shows_as_itself():
    note = Note(NoteKind.RENAMED, ("a\x1b[31m\nb", "\u202e\ud800" + "x" * 1000), "c\r\n")
    assert note.instructor_message.isprintable()
    assert r"a\x1b[31m\nb" in note.instructor_message
    assert len(note.instructor_message) < 1000


def test_what_a_verdict_tells_is_bounded():
    line = CriterionResult("x", Outcome.FAILED, 1, ("y" * 7_000_000, "a\x1bb") * 100)
    verdict = Verdict("x", State.WRONG, (line,), ("z" * 7_000_000,), cell_failed="e" * 7_000_000)
    assert len(str(verdict)) < 200_000
    assert "\x1b" not in "".join(line.details)
