"""What is noted on a submission survives being written down, and is said in the same words everywhere."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbformat import NotebookNode
from nbgrader.coursedir import CourseDirectory

from autograder.model.notes import Note, NoteKind, Weight
from autograder.model.text import in_table
from autograder.model.verdict import Line, Sight, State, Verdict
from autograder.nbgrader_plugin import attempts, changes
from autograder.nbgrader_plugin.kept import NOTES, read_outcome

AGAIN = "Ask your instructor whether you may hand it in again."
GOES_ON = "the rest was graded all the same."
F, FOUR = ("f",), ("f", "g", "h", "i")

SAID = [
    (
        Note(NoteKind.LINK, ("a.ipynb",)),
        "a.ipynb is a link, not what was handed in: not graded; ask for the file",
        f"a.ipynb is a link, not what was handed in, so nothing of it could be graded. {AGAIN}",
    ),
    (
        Note(NoteKind.NO_NOTEBOOK, ("a.ipynb",), "only a.zip"),
        "no notebook was handed in, only a.zip: not graded; ask for a.ipynb",
        f"There was no a.ipynb in what you handed in, only a.zip. {AGAIN}",
    ),
    (
        Note(NoteKind.UNREADABLE, ("a.ipynb",), "is empty"),
        "a.ipynb is empty: not graded; ask for the file again",
        f"a.ipynb is empty, so nothing of it could be graded. {AGAIN}",
    ),
    (Note(NoteKind.FOLDER_LOCKED), "the folder may not be read: not graded; call chmod -R u+rX on it", ""),
    (Note(NoteKind.NO_STUDENT, F), "f cannot be a student's id: not graded; rename the folder", ""),
    (
        Note(NoteKind.FAILED, detail="OSError: no space"),
        "could not be graded: OSError: no space",
        "It could not be graded yet, which is no fault of yours.",
    ),
    (Note(NoteKind.NOT_YET), "not graded yet: the next round does it", ""),
    (
        Note(NoteKind.RENAMED, ("b.ipynb",), "a.ipynb"),
        "a.ipynb is missing: b.ipynb was graded in its place",
        "b.ipynb was graded. It should be called a.ipynb.",
    ),
    (Note(NoteKind.NO_FILE, ("a.csv",)), "a.csv is a link or is not a file: left out", ""),
    (
        Note.on(NoteKind.NO_FILE, ["a", "b", "c", "d"]),
        "a, b, c and 1 more are links or are not files: left out",
        "",
    ),
    (Note(NoteKind.SHADOW, ("re.py",)), "re.py has the name of a library's module: it was left out", ""),
    (
        Note(NoteKind.SHADOW, ("a.py", "b.py", "c.py", "d.py")),
        "a.py, b.py, c.py, d.py have the name of a library's module: they were left out",
        "",
    ),
    (Note.on(NoteKind.LOCKED_AWAY, ["a", "b"]), "a, b may not be read: left out", ""),
    (Note(NoteKind.TOO_DEEP, detail="32"), "what lies more than 32 folders deep was left out", ""),
    (Note(NoteKind.TOO_LARGE, ("a",)), "a is more than there is room for: left out", ""),
    (Note.on(NoteKind.TOO_LARGE, ["a", "b"]), "a, b are more than there is room for: left out", ""),
    (
        Note(NoteKind.TOO_MANY_CELLS, ("a.ipynb",), "7"),
        "a.ipynb holds more than there is room for: 7 of its cells were left out",
        "a.ipynb holds more than there is room for: 7 of its cells were left out.",
    ),
    (
        Note(NoteKind.STAMPED, ("timestamp.txt",), "it counts as in time"),
        "timestamp.txt came with the work and is not believed: it counts as in time",
        "",
    ),
    (Note(NoteKind.LATE, detail="2 hours late"), "handed in 2 hours late", "Handed in 2 hours late."),
    (Note(NoteKind.MISSING, F), "cell f is missing; it was put back", "Cell f was missing; it was put back."),
    (
        Note.on(NoteKind.MISSING, FOUR),
        "cells f, g, h and 1 more are missing; they were put back",
        "Cells f, g, h and 1 more were missing; they were put back.",
    ),
    (
        Note(NoteKind.TWICE, F),
        "cell f is there twice; the last one counts",
        "Cell f is there twice; the last one counted.",
    ),
    (
        Note.on(NoteKind.TWICE, FOUR[:2]),
        "cells f, g are there twice; the last ones count",
        "Cells f, g are there twice; the last ones counted.",
    ),
    (
        Note(NoteKind.MISPLACED, F),
        "cell f stood before its answer; it was moved behind it",
        "Cell f stood before its answer; it was moved behind it.",
    ),
    (
        Note.on(NoteKind.MISPLACED, FOUR),
        "cells f, g, h and 1 more stood before their answers; they were moved behind them",
        "Cells f, g, h and 1 more stood before their answers; they were moved behind them.",
    ),
    (Note(NoteKind.EDITED, F), "locked cell f was edited; the original counts", ""),
    (Note.on(NoteKind.EDITED, FOUR[:3]), "locked cells f, g, h were edited; the originals count", ""),
    (Note(NoteKind.REGRADED, F), "grading settings of cell f were changed; those of the release count", ""),
    (
        Note.on(NoteKind.REGRADED, FOUR),
        "grading settings of cells f, g, h and 1 more were changed; those of the release count",
        "",
    ),
    (
        Note(NoteKind.TAGGED, F, "skip-execution"),
        "cell f is tagged skip-execution; it was run all the same",
        "",
    ),
    (
        Note.on(NoteKind.TAGGED, FOUR, "remove-cell"),
        "cells f, g, h and 1 more are tagged remove-cell; they were run all the same",
        "",
    ),
    (
        Note(NoteKind.INVENTED, F),
        "cell f bears a grading id that the lesson does not have; it is not graded",
        "",
    ),
    (
        Note.on(NoteKind.INVENTED, FOUR[:2]),
        "cells f, g bear grading ids that the lesson does not have; they are not graded",
        "",
    ),
    (
        Note(NoteKind.GIVEN_UP),
        "grading it took more time or memory than there is for a submission; what was left was not judged",
        "Grading this took more time or memory than there is for a submission; what was left was not judged.",
    ),
    (
        Note(NoteKind.CELL_TIMED_OUT, F),
        "cell f: timed out",
        f"Cell f took too long and was stopped; {GOES_ON}",
    ),
    (
        Note(NoteKind.CELL_DIED, ("number 7",)),
        "cell number 7: kernel died",
        f"Cell number 7 ended the whole program; {GOES_ON}",
    ),
    (Note(NoteKind.CELL_GARBLED, F), "cell f: garbled", ""),
    (
        Note(NoteKind.CELL_TOO_MUCH, F),
        "cell f sent more than there is room for",
        "Cell f sent more than there is room for and was stopped; the rest was graded all the same.",
    ),
    (
        Note(NoteKind.ANSWER_TIMED_OUT, F),
        "the answer of test_f: timed out",
        f"f took too long to answer; {GOES_ON}",
    ),
    (
        Note(NoteKind.ANSWER_DIED, F),
        "the answer of test_f: kernel died",
        f"f ended the whole program when it was called; {GOES_ON}",
    ),
    (Note(NoteKind.ANSWER_GARBLED, F), "the answer of test_f: garbled", ""),
    (
        Note(NoteKind.ANSWER_TOO_MUCH, F),
        "the answer of test_f is more than there is room for",
        "The answer of f is more than there is room for; the rest was graded all the same.",
    ),
    (
        Note(NoteKind.OUT_OF_TIME, detail="300"),
        "the notebook took more than 300 seconds; the rest was not run",
        "The notebook took more than 300 seconds; what was left then was not run.",
    ),
    (
        Note(NoteKind.REACHED_OUT, ("a file (/etc/shadow)", "the network (example.org)")),
        "it reached for what is outside its room: a file (/etc/shadow), the network (example.org)",
        "",
    ),
    (
        Note(NoteKind.NOT_JUDGED, F, "ValueError"),
        "f could not be judged (ValueError): look at it by hand",
        "",
    ),
    (Note(NoteKind.UNSEALED), "graded UNSEALED: the notebook ran in no room of its own", ""),
]


@pytest.mark.parametrize(("note", "line", "told"), SAID, ids=[line for _, line, _ in SAID])
def test_the_words_for_instructors_and_students(note: Note, line: str, told: str) -> None:
    assert (note.line, note.told) == (line, told)


def test_the_file_is_asked_for_again_where_nothing_of_it_could_be_read() -> None:
    asked = {kind for kind in NoteKind if Note(kind).weight is Weight.ASK_AGAIN}
    assert asked == {NoteKind.LINK, NoteKind.NO_NOTEBOOK, NoteKind.OTHER_NOTEBOOK, NoteKind.UNREADABLE}


@pytest.mark.parametrize(
    ("kind", "weight"),
    [
        (NoteKind.MISSING, Weight.HARMLESS),
        (NoteKind.RENAMED, Weight.HARMLESS),
        (NoteKind.CELL_DIED, Weight.HARMLESS),
        (NoteKind.EDITED, Weight.LOOK),
        (NoteKind.REACHED_OUT, Weight.LOOK),
        (NoteKind.CELL_GARBLED, Weight.LOOK),
    ],
)
def test_a_mishap_is_harmless_and_tampering_is_looked_at(kind: NoteKind, weight: Weight) -> None:
    assert Note(kind, F).weight is weight


def test_a_name_is_never_taken_for_a_place_to_fill() -> None:
    assert "{detail}" in Note(NoteKind.TAGGED, ("{detail}",), "slow").line


def test_notes_survive_being_written_down() -> None:
    kept = [note for note, _, _ in SAID]
    assert known(json.loads(json.dumps(msgspec.to_builtins(kept)))) == tuple(kept)


def test_what_an_earlier_version_kept_is_read(tmp_path):
    line = {"title": "the shape", "sight": "not reached", "points": 2, "details": ["see /home/her/key.txt"]}
    texts = dict.fromkeys(("misconception", "looks_like", "question", "mend_first", "cell_failed"), "")
    lists = {"lines": [line], "problem": ["not callable"], "library": []}
    kept = {"exercise": "f", "state": "wrong", **lists, **texts, "hidden": True, "graded": True}
    outcome = read_outcome(
        NotebookNode(metadata={NOTES: {"sealed": True, "verdicts": {"f": kept}, "notes": []}})
    )
    lines = (Line("the shape", Sight.NOT_REACHED, 2, ("see …/key.txt",)),)
    assert outcome.verdicts == {"f": Verdict("f", State.WRONG, lines, ("not callable",), hidden=True)}

    course, path = CourseDirectory(), tmp_path / "attempts" / "01" / "amy.jsonl"
    course.root = str(tmp_path)
    path.parent.mkdir(parents=True)
    attempt = '{"work": "a", "handed_in": "", "points": 1.5, "max_points": 4.0, "waiting": false}'
    path.write_text(f'\n{attempt}\n{{"work": "b", "problem": []}}\n{{"work": "c", "han')
    assert attempts.earlier(course, "01", "amy", "c") == [attempts.Attempt("a", "", 1.5, 4.0, False)]

    points = '{"points": 1.0, "most": 2, "given": null, "by_hand": true}'
    grade = f'{{"items": {{"f": {points}}}, "work": "a", "made_of": {{"files": "b"}}}}'
    (tmp_path / changes.BEFORE).write_text(f'{{"01": {{"amy": {grade}}}}}')
    before = {"amy": changes.Grade({"f": changes.Points(1.0, 2, None, True)}, "a", {"files": "b"})}
    assert changes.begin(tmp_path, {"01": {}}) == {"01": before}


def known(data: Any) -> tuple[Note, ...]:
    """What is read of a notebook whose notes are this."""
    return read_outcome(NotebookNode(metadata={NOTES: {"notes": data}})).notes


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
    assert known(data) == ()
    assert known([data, dict.fromkeys(WHOLE, data)]) == ()


def test_students_texts_are_one_line_of_what_shows_as_itself():
    note = Note(NoteKind.RENAMED, ("a\x1b[31m\nb", "\u202e\ud800" + "x" * 1000), "c\r\n")
    assert note.line.isprintable()
    assert r"a\x1b[31m\nb" in note.line
    assert len(note.line) < 1000


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@x", "+\n1"])
def test_a_table_computes_nothing(text):
    assert in_table(text).startswith("'")
    assert in_table(text).isprintable()


def test_what_a_verdict_tells_is_bounded():
    line = Line("x", Sight.FAILED, 1, ("y" * 7_000_000, "a\x1bb") * 100)
    verdict = Verdict("x", State.WRONG, (line,), ("z" * 7_000_000,), cell_failed="e" * 7_000_000)
    assert len(str(verdict)) < 200_000
    assert "\x1b" not in "".join(line.details)
