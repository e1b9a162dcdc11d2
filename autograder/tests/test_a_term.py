"""A term of twelve students, through the commands: after each step everybody's grade, mark and page are what a careful
assistant would have written by hand.

Two lessons are handed out; work comes, comes again, late and damaged, or is taken back; answers are marked, points set
by hand, the course changes, two rounds run at once, the program is killed at ten places, the disk is full.
"""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Any
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup, Tag
from nbgrader.api import Gradebook

from autograder.courses import CLASS, Lesson, source
from autograder.demo import samples
from autograder.nbgrader_plugin import times
from autograder.tests import needs
from autograder.tests.clones import environment, make_clone
from autograder.tests.commands import Served
from autograder.tests.this_course import find_lesson

pytestmark = [pytest.mark.slow, needs.seal]

SUMS, HEATMAP = find_lesson("01_weighted_sums"), find_lesson("03_word2vec_heatmap")
WRITTEN = "explain_keys_and_values"
LETTERS, LENGTHS, PAD, SUM, SOFTMAX = (
    "letter_embedding",
    "length_weights",
    "pad_rows",
    "weighted_sum",
    "softmax",
)
ALL = (LETTERS, LENGTHS, PAD, SUM, SOFTMAX)
WORD, SENTENCE, SCALED = "word_embedding", "sentence_matrix", "scaled_dot_product_attention"
EARLY, DUE, LATE, LONGER = (f"2026-03-{day} 12:00:00 UTC" for day in ("01", "05", "07", "09"))

ANSWERED: Mapping[str, Collection[str]] = {
    "amy": ALL,
    "ben": (SOFTMAX,),
    "cem": (PAD,),
    "dan": (),
    "eve": (LETTERS, LENGTHS),
    "fay": ALL,
    "gil": (SOFTMAX,),
    "hal": ALL,
    "ivy": ALL,
    "jon": ALL,
    "kim": (PAD, SOFTMAX),
    "lea": (LETTERS,),
}
"""Which exercises of the first lesson each student answers, all of them rightly."""

WORDS = {
    "amy": "A key says what a word offers, a value what it gives.",
    "ben": "The query asks.",
    "cem": "Keys are for finding, values for taking.",
    "jon": "I do not know.",
}
OTHER_WORDS = "A key is compared with the query; the value is what is summed."

Row = tuple[str, float | None]


@dataclass
class Term:
    """A class's folder, a checkout of the course, and what the last command said."""

    course: Path
    folder: Path
    commands: Served

    def run(self, *words: str, fails: bool = False) -> str:
        """A command, as an instructor types it in the course's folder; no traceback is ever shown."""
        said, failed = self.commands.run(*words)
        assert failed == fails, said
        assert "Traceback" not in said, said
        return said

    def begin(self, *words: str, **streams: Any) -> subprocess.Popen[str]:
        """A command in a process of its own, which may be killed, or run beside another."""
        command = [sys.executable, "-m", "autograder.cli", *words, "--folder", str(self.folder)]
        return subprocess.Popen(
            command, cwd=self.course, env=environment(self.course), text=True, stdout=PIPE, **streams
        )

    def round(self, *options: str, fails: bool = False) -> str:
        return self.run("round", "--folder", str(self.folder), *options, fails=fails)

    def hand_in(self, student: str, lesson: Lesson, answered: Collection[str], **others: str) -> None:
        """Put a notebook with these exercises answered rightly, and other cells, in place of what lies there."""
        released = self.folder / "course" / lesson.id / lesson.released.name
        right = {name: source.without_marks(lesson.solution(name)) for name in answered}
        text = samples.filled(released.read_text(encoding="utf-8"), right | others)
        self.hand_in_file(student, lesson, released.name, text.encode())

    def hand_in_file(self, student: str, lesson: Lesson, name: str, content: bytes) -> None:
        shutil.rmtree(self.folder / "submitted" / student / lesson.id, ignore_errors=True)
        samples.put_file(self.folder / "submitted", student, lesson.id, name, content)

    def table(self, lesson: Lesson) -> dict[str, Row]:
        """Where everybody stands in a lesson, and the score, as `grades.csv` has it."""
        with (self.folder / "grades.csv").open(encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["assignment"] == lesson.id]
        return {
            row["student_id"]: (row["standing"], float(row["score"]) if row["score"] else None)
            for row in rows
        }

    def page(self, student: str, lesson: Lesson) -> str:
        path = self.folder / "feedback" / student / lesson.id / f"{lesson.notebook}.html"
        return " ".join(BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser").text.split())

    def edit(self, path: str, old: str, new: str) -> None:
        file = self.course / path
        text = file.read_text(encoding="utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), encoding="utf-8")

    @contextmanager
    def marking(self) -> Iterator[Page]:
        """The page of written answers, while it is served."""
        with self.begin("mark", "--no-browser") as program:
            assert program.stdout is not None
            address = urlsplit(program.stdout.readline().strip())
            yield Page(address.port or 0, f"/?{address.query}")
            program.kill()


class Page:
    """The marking page in somebody's browser."""

    def __init__(self, port: int, opened: str) -> None:
        self._port = port
        self._cookie = self._ask("GET", opened)[1].split(";")[0]
        self.reload()

    def reload(self) -> None:
        self.answers = {}
        for section in BeautifulSoup(self._ask("GET", "/")[2], "html.parser").select("section"):
            names = json.loads(self._ask("POST", "/names", json.dumps(question(section)))[2])["names"]
            self.answers |= {names[form["data-answer"]]: form for form in section.select("form")}

    @property
    def waiting(self) -> set[str]:
        return {str(student) for student, form in self.answers.items() if form.has_attr("data-waits")}

    def mark(self, student: str, **changes: Any) -> tuple[int, dict[str, Any]]:
        """Save what was typed, on what the page showed when it was loaded; the status, and what comes back."""
        shown = self.answers[student]
        id, seen = shown["data-answer"], {name: shown[f"data-{name}"] for name in ("words", "change")}
        sent = {**question(shown.find_parent("section")), "marks": [{"id": id, **seen, **changes}]}
        status, _, answer = self._ask("POST", "/mark", json.dumps(sent))
        return status, json.loads(answer)["answers"][id]

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str, str]:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        headers = {"Cookie": self._cookie} if hasattr(self, "_cookie") else {}
        connection.request(method, path, body, headers)
        with connection.getresponse() as found:
            return found.status, found.headers.get("Set-Cookie", ""), found.read().decode()


def question(section: Tag) -> dict[str, str]:
    """Which one a part of the marking page is about."""
    return {name: str(section[f"data-{name}"]) for name in ("lesson", "name")}


def points(lesson: Lesson, answered: Collection[str]) -> float:
    return float(sum(exercise.points for exercise in lesson.exercises if exercise.id in answered))


@pytest.fixture(scope="module")
def term(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Term]:
    clone = make_clone(tmp_path_factory.mktemp("term") / "clone")
    made = Term(clone, tmp_path_factory.mktemp("term") / "class", Served(clone, environment(clone)))
    made.run("new-class", str(made.folder))
    with (made.folder / "students.csv").open("a", encoding="utf-8") as file:
        file.writelines(f"{student},,,,\n" for student in ANSWERED)
    with (made.folder / CLASS).open("a", encoding="utf-8") as file:
        file.write("[late]\npercent_a_day = 100\n")
    yield made
    made.commands.close()


SUMS_TABLE: dict[str, Row] = {}
"""What the first lesson's table should be, from step to step."""

HEATMAP_TABLE: dict[str, Row] = {}


def stands(term: Term) -> None:
    """Each table and page says what it should."""
    for lesson, table in ((SUMS, SUMS_TABLE), (HEATMAP, HEATMAP_TABLE)):
        assert term.table(lesson) == table
        for student, (stage, score) in table.items():
            if stage == "graded":
                assert f"{score:g} of" in term.page(student, lesson), student


def test_the_first_round(term):
    term.run("hand-out", SUMS.id, "--folder", str(term.folder))
    for student, answered in ANSWERED.items():
        if student != "hal":
            term.hand_in(student, SUMS, answered)
            SUMS_TABLE[student] = ("graded", points(SUMS, answered))
    with Gradebook(f"sqlite:///{term.folder / 'gradebook.db'}") as gradebook:
        gradebook.update_or_create_assignment(SUMS.id, duedate=DUE)
    times.note_down(term.folder, "amy", SUMS.id, EARLY)
    times.note_down(term.folder, "ivy", SUMS.id, LATE)
    term.hand_in_file("fay", SUMS, SUMS.released.name, b"")
    term.hand_in_file("gil", SUMS, "work.zip", b"PK")
    SUMS_TABLE["ivy"] = ("graded", 0.0)
    SUMS_TABLE["hal"] = ("not handed in", None)
    SUMS_TABLE["fay"] = SUMS_TABLE["gil"] = ("handed in, not graded", None)

    said = term.round(fails=True)
    assert re.search(r"2 not graded\. fay .*is empty.*gil .*only work\.zip", said.splitlines()[-1])
    stands(term)
    assert not term.table(HEATMAP), "it was not handed out"

    term.hand_in("fay", SUMS, ANSWERED["fay"])
    term.hand_in("gil", SUMS, ANSWERED["gil"])
    SUMS_TABLE["fay"], SUMS_TABLE["gil"] = (("graded", points(SUMS, ANSWERED[one])) for one in ("fay", "gil"))
    said = term.round()
    assert "✗" not in said
    assert "WARNING" not in said
    stands(term)


def test_a_second_lesson_and_marks(term):
    term.run("hand-out", HEATMAP.id, "--folder", str(term.folder))
    for student in ANSWERED:
        term.hand_in(student, HEATMAP, (WORD,), **({WRITTEN: WORDS[student]} if student in WORDS else {}))
        stage: Row = ("waits for marks", None) if student in WORDS else ("graded", points(HEATMAP, (WORD,)))
        HEATMAP_TABLE[student] = stage
    assert "Answers that wait for your mark: 4." in term.round(HEATMAP.id)
    stands(term)
    with term.marking() as first, term.marking() as second:
        assert first.waiting == second.waiting == set(WORDS)
        for student, given in (("amy", 4), ("ben", 1), ("cem", 3)):
            assert first.mark(student, points=given)[0] == 200
        status, answer = second.mark("amy", comment="Well said.")
        assert (status, answer["points"]) == (409, "4"), "the older page learns of the mark"
        second.reload()
        assert second.mark("amy", comment="Well said.")[0] == 200
        assert second.waiting == {"jon"}
    for student, given in (("amy", 4), ("ben", 1), ("cem", 3)):
        HEATMAP_TABLE[student] = ("graded", points(HEATMAP, (WORD,)) + given)
    assert "Answers that wait for your mark: 1." in term.round(HEATMAP.id)
    stands(term)
    assert "Well said." in term.page("amy", HEATMAP)


def test_other_words_wait_again_and_the_same_do_not(term):
    term.hand_in("amy", HEATMAP, (WORD, SENTENCE), **{WRITTEN: WORDS["amy"]})
    term.hand_in("ben", HEATMAP, (WORD,), **{WRITTEN: OTHER_WORDS})
    HEATMAP_TABLE["amy"] = ("graded", points(HEATMAP, (WORD, SENTENCE)) + 4)
    HEATMAP_TABLE["ben"] = ("waits for marks", None)
    assert "Answers that wait for your mark: 2." in term.round(HEATMAP.id)
    stands(term)
    with term.marking() as page:
        assert page.waiting == {"ben", "jon"}
        shown = page.answers["ben"].text
        assert WORDS["ben"] in shown
        assert OTHER_WORDS in shown
        assert "1 of 4" in shown
        assert page.mark("ben", points=4)[0] == page.mark("jon", points=0)[0] == 200
    HEATMAP_TABLE["ben"] = ("graded", points(HEATMAP, (WORD,)) + 4)
    HEATMAP_TABLE["jon"] = ("graded", points(HEATMAP, (WORD,)))
    assert "wait for your mark" not in term.round(HEATMAP.id)
    stands(term)


def test_a_text_that_changes_changes_no_grade(term):
    term.edit(f"solutions/{SUMS.id}/{SUMS.notebook}.py", "# ## ", "# ## Now: ")
    term.run("build", SUMS.id)
    term.run("release", SUMS.id)
    assert "Grades that would change: 0" in term.round("--preview")
    said = term.round()
    assert "Grades that changed" not in said
    assert re.search(rf"{HEATMAP.id}: 12 of 12 done \(12 unchanged\)", said)
    stands(term)


def test_points_that_change_are_told(term):
    with Gradebook(f"sqlite:///{term.folder / 'gradebook.db'}") as gradebook:
        by_hand = gradebook.find_grade(f"test_{PAD}", SUMS.notebook, SUMS.id, "jon")
        by_hand.manual_score = by_hand.auto_score - 1
        gradebook.find_comment(PAD, SUMS.notebook, SUMS.id, "jon").manual_comment = "Too long by half."
        gradebook.db.commit()
    SUMS_TABLE["jon"] = ("graded", points(SUMS, ALL) - 1)
    term.round(SUMS.id)
    stands(term)
    page = term.page("jon", SUMS)
    assert "Too long by half." in page
    assert "Well done" not in page

    old = 'Part("leaves x as it was", common.unchanged, ("plain", "axis", "ints"))'
    term.edit(f"solutions/{SUMS.id}/softmax.py", old, f"{old[:-1]}, points=3)")
    term.edit(f"solutions/{HEATMAP.id}/{SENTENCE}.py", "parts=(", "parts=(  # as ever\n")
    term.run("build", SUMS.id, HEATMAP.id)
    term.run("release", SUMS.id, HEATMAP.id)
    who = ANSWERED.keys() - {"hal"}
    before = (term.folder / "grades.csv").read_bytes()
    said = term.round("--preview")
    assert f"Grades that would change: {len(who)}" in said, said
    assert (term.folder / "grades.csv").read_bytes() == before
    assert f"Grades that changed: {len(who)}" in term.round()
    for student in (one for one in who - {"ivy"} if SOFTMAX in ANSWERED[one]):
        SUMS_TABLE[student] = ("graded", (SUMS_TABLE[student][1] or 0) + 2)
    stands(term)
    with (term.folder / "changes.csv").open(encoding="utf-8") as file:
        assert who <= {row["student"] for row in csv.DictReader(file)}
    assert "Changed since it was graded first" in term.page("ben", SUMS)
    assert "Changed since" not in term.page("ben", HEATMAP)


def test_extension_withdrawal_and_damaged_work(term):
    with (term.folder / CLASS).open("a") as file:
        file.write(f"[lessons.{SUMS.id}.extensions]\nivy = '{LONGER}'\n")
    shutil.rmtree(term.folder / "submitted" / "kim" / SUMS.id)
    term.hand_in_file("eve", SUMS, SUMS.released.name, b"{")
    SUMS_TABLE["ivy"] = ("graded", points(SUMS, ALL) + 2)
    SUMS_TABLE["kim"] = ("withdrawn", SUMS_TABLE["kim"][1])
    said = term.round(SUMS.id, fails=True)
    assert "withdrawn, for the folder in submitted/ has gone: kim" in said
    assert "1 not graded. eve" in said.splitlines()[-1]
    assert "the earlier grade stays" in said.splitlines()[-1]
    stands(term)
    assert "handing in late" not in term.page("ivy", SUMS)
    assert "extension" in term.page("ivy", SUMS)

    term.hand_in("eve", SUMS, ANSWERED["eve"])
    SUMS_TABLE["kim"] = ("not handed in", None)
    term.round(SUMS.id, "--forget", "kim")
    stands(term)


def test_two_rounds_at_once(term):
    term.hand_in("dan", SUMS, (SUM,))
    term.hand_in("lea", SUMS, ALL)
    SUMS_TABLE["dan"] = ("graded", points(SUMS, (SUM,)))
    SUMS_TABLE["lea"] = ("graded", points(SUMS, ALL) + 2)
    both = [term.begin("round", SUMS.id, stderr=STDOUT) for _ in range(2)]
    said = [one.communicate()[0] for one in both]
    assert [one.returncode for one in both] == [0, 0], said
    assert sum("waiting for that to end" in one for one in said) == 1
    stands(term)


def test_a_round_that_is_killed_anywhere_loses_nothing(term):
    begun = time.monotonic()
    assert term.begin("round", SUMS.id).communicate()[0]
    idle = time.monotonic() - begun
    for tenth in range(1, 11):
        answered = (SUM, PAD) if tenth % 2 else (SUM,)
        term.hand_in("dan", SUMS, answered)
        term.hand_in("ben", SUMS, (SOFTMAX, *answered))
        with term.begin("round", SUMS.id, stderr=STDOUT) as killed:
            try:
                killed.wait(idle * tenth / 10)
            except subprocess.TimeoutExpired:
                killed.send_signal(signal.SIGKILL)
            killed.communicate()
    SUMS_TABLE["dan"] = ("graded", points(SUMS, (SUM,)))
    SUMS_TABLE["ben"] = ("graded", points(SUMS, (SOFTMAX, SUM)) + 2)
    term.round(SUMS.id)
    stands(term)


def test_a_full_disk_is_said_in_a_line_and_loses_nothing(term, tmp_path):
    term.hand_in("cem", SUMS, (PAD, LETTERS))
    used = sum(path.stat().st_size for path in term.folder.rglob("*") if path.is_file())
    small, kept = tmp_path / "small", tmp_path / "kept"
    small.mkdir()
    steps = (
        f"cp -a {term.folder}/. {small} && head -c 1G /dev/zero > {small}/filler 2>/dev/null; "
        f"{sys.executable} -m autograder.cli round --folder {small}; code=$?; "
        f"rm {small}/filler; cp -a {small}/. {kept}; exit $code"
    )
    disk = ["bwrap", "--dev-bind", "/", "/", "--size", str(used * 2 + 2**22), "--tmpfs", str(small)]
    done = subprocess.run(
        [*disk, "sh", "-c", steps],
        cwd=term.course,
        env=environment(term.course),
        capture_output=True,
        text=True,
    )
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "Traceback" not in said, said
    assert re.search("no room left on the disk", said), said
    assert len(said.splitlines()) < 40, said
    term.folder = kept
    SUMS_TABLE["cem"] = ("graded", points(SUMS, (PAD, LETTERS)))
    os.chmod(kept, 0o700)
    term.round(SUMS.id)
    stands(term)
