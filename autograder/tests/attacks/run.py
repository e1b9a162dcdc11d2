"""Grades all attacks in one run of `nbgrader autograde`, with honest students among them, and looks what came of it."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
import socket
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from subprocess import PIPE, STDOUT, Popen
from unittest import mock

import nbformat
import numpy as np
import psutil
from bs4 import BeautifulSoup

from autograder.authoring.release import run_nbgrader_app
from autograder.classroom.placement import UNPACKED
from autograder.execution.notes import Note, NoteKind
from autograder.exercises import public_course
from autograder.judging import judge, reference_stubs
from autograder.records.record_store import load_record
from autograder.submissions.submission_folder import is_plain_file
from autograder.tests.attacks import FULL, LESSON, MARK, NOTEBOOK, Attack, Hand, Scene, entry_points
from autograder.tests.hostile import find_active
from autograder.tests.this_course import COURSE, ROOT, find_lesson

HONEST = tuple(
    Attack(f"{letter}_honest", "an honest student", lambda hand: None)
    for letter in ("a", "d", "exchange", "gradescope", "h", "leak", "n", "zip")
)
LIMITS = (
    "--Execute.timeout=5",
    "--GradeAnswers.question_timeout=5",
    "--GradeAnswers.notebook_timeout=25",
)
STAND_INS = {
    line.strip()
    for text in reference_stubs.load_sources(find_lesson(LESSON)).values()
    for line in text.split('"""', 2)[2].splitlines()
    if len(line) > 25 and " import " not in line
}
"""The lines of what stands in for answers, behind their docstrings."""
TROUBLE = re.compile("timed out|kernel died|garbled|took more than|more than there is room for")
"""What may be said of a cell that does too much, depending on the machine's speed."""
READ = re.compile(r"read (?:BEGIN|Misc)\w*|Misconception\(|found a Key|root:x:0:|BEGIN SOLUTION")
"""What stands in the graded notebook of a submission that has read what it must not."""

PAGE_MB, GRADER_MB, SECONDS, SCRATCH_MB = 6, 1500, 45, 300


@dataclass
class Outcome:
    """What came of one attack: points by exercise (nothing where it was not graded), and what went wrong.

    printed: what its cells printed, the last lines of errors among it.
    """

    attack: Attack
    points: dict[str, int] | None
    notes: list[str]
    seconds: float
    printed: str = ""
    leaked: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)

    @property
    def gained(self) -> int:
        """Points beyond what the answers deserve."""
        return sum(max(0, got - self.attack.earned[name]) for name, got in (self.points or {}).items())

    @property
    def lost(self) -> int:
        """Points that the answers deserve and did not get."""
        got = self.points or dict.fromkeys(FULL, 0)
        return sum(max(0, due - got[name]) for name, due in self.attack.earned.items())

    @property
    def problems(self) -> list[str]:
        """All that is not as it should be, in words."""
        found = [*self.leaked, *self.damaged]
        found += ["was not graded"] if self.points is None else []
        found += [f"gained {self.gained} points"] if self.gained else []
        found += [f"lost {self.lost} points"] if self.lost and self.points is not None else []
        if self.attack.told and not any(self.attack.told in note for note in self.notes):
            found.append(f"the instructor was not told {self.attack.told!r}: {self.notes}")
        zero = Note(NoteKind.NO_POINTS).instructor_message.partition(": ")[2]
        notes = [note for note in self.notes if not note.endswith(zero)]
        needless = [note for note in notes if not TROUBLE.search(note) or self.attack in HONEST]
        if needless and not self.attack.told:
            found.append(f"the instructor was told without need: {needless}")
        if self.attack.shows not in self.printed:
            found.append(f"it did not come to {self.attack.shows!r}: {self.printed[-300:]}")
        return found


@dataclass
class Report:
    """All outcomes, what the whole run showed, and nbgrader's log."""

    outcomes: dict[str, Outcome]
    damaged: list[str]
    log: str
    grader_mb: int
    seconds: float
    course: Path


def run(course: Path, release: Path, chosen: Sequence[Attack]) -> Report:
    """Hand the chosen attacks in, and honest work, grade all, make the feedback, and look."""
    attacks = [*HONEST, *chosen]
    secret = f"{MARK}-{secrets.token_hex(8)}"
    known = mock.patch.dict(os.environ, ATTACK_SECRET=secret)
    with _listener() as (port, visits), _outside(secret) as outside, known:
        scene = Scene(course, ROOT, outside, secret, port)
        (course / "secret.txt").write_text(secret)
        blank = release.read_text()
        hands = [hand_in(attack, blank, scene) for attack in attacks]
        told = entry_points.collect(attacks, hands, course)
        before = {**_fingerprints(course, outside), **_master(course)}
        start, watch = time.monotonic(), _Watch()
        log = _autograde(course, watch, "--force")
        log += run_nbgrader_app("generate_feedback", LESSON, course=COURSE, folder=course)
        seconds = time.monotonic() - start
        after = {**_fingerprints(course, outside), **_master(course)}
        for attack in attacks:
            if attack.again:
                printed = _printed(course / "autograded" / attack.name / LESSON / f"{NOTEBOOK}.ipynb")
                shutil.rmtree(course / "submitted" / attack.name)
                hand_in(replace(attack, change=partial(attack.again, printed=printed)), blank, scene)
                log += _autograde(course, _Watch(), f"--student={attack.name}")
        damaged = [f"{path} was changed" for path in _changed(before, after)]
        damaged += [f"{visits[0]} connections reached this machine"] if visits[0] else []
        damaged += [f"left behind: {line}" for line in _left_behind()]
        damaged += ["what was logged acts in a terminal"] if "\x1b" in log else []
    if watch.peak > GRADER_MB:
        damaged.append(f"the grader took {watch.peak} MB")
    outcomes = {attack.name: _outcome(attack, course, secret, watch, told) for attack in attacks}
    return Report(outcomes, damaged, log, watch.peak, seconds, course)


def _autograde(course: Path, watch: _Watch, which: str) -> str:
    """What nbgrader logs in a process of its own; that a submission fails is what is to be looked at, not the end."""
    program = Path(sys.executable).with_name("nbgrader")
    command = [program, "autograde", LESSON, which, *LIMITS, f"--CourseDirectory.root={course}"]
    paths = f"{program.parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": paths, public_course.COURSE_VARIABLE: str(COURSE.root)}
    lines = []
    with Popen(command, cwd=COURSE.root, env=environment, text=True, stdout=PIPE, stderr=STDOUT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            watch.line(line)
    return "".join(lines)


def hand_in(attack: Attack, blank: str, scene: Scene) -> Hand:
    """Write an attack's submission to where it comes from."""
    folder = entry_points.place_of(attack, scene.course)
    folder.mkdir(parents=True)
    hand = Hand(attack, blank, folder, scene)
    attack.change(hand)
    if attack.name == "a_honest":
        hand.cell("softmax").source += f"\n# {scene.secret}"
    hand.hand_in()
    return hand


class _Watch:
    """Notes when each submission was begun, and how large the grader grew."""

    def __init__(self) -> None:
        self.begun: list[tuple[str, float]] = []
        self.peak = 0

    def line(self, line: str) -> None:
        found = re.search(r"Sanitizing .*submitted/([^/]+)/", line)
        if found:
            self.begun.append((found[1], time.monotonic()))
        self.peak = max(self.peak, _grader_mb())

    def seconds(self, student: str) -> float:
        for (name, begun), (_, ended) in zip(self.begun, [*self.begun[1:], ("", self.begun[-1][1])]):
            if name == student:
                return ended - begun
        return 0.0


def _grader_mb() -> int:
    for path in Path("/proc/self/task").glob("*/children"):
        for child in path.read_text().split():
            try:
                text = Path(f"/proc/{child}/status").read_text()
            except OSError:
                continue
            found = re.search(r"VmHWM:\s+(\d+)", text)
            if found and "nbgrader" in text.split("\n")[0]:
                return int(found[1]) // 1024
    return 0


def _outcome(attack: Attack, course: Path, secret: str, watch: _Watch, told: Sequence[str]) -> Outcome:
    page = course / "feedback" / attack.name / LESSON / f"{NOTEBOOK}.html"
    notebook = course / "autograded" / attack.name / LESSON / f"{NOTEBOOK}.ipynb"
    try:
        found = load_record(find_lesson(LESSON), attack.name, course)
        notes = [note.instructor_message for note in found.notes]
        points = {name: verdict.points for name, verdict in found.verdicts.items()} or None
        work = found.work
    except (OSError, ValueError):
        points, notes, work = None, [], ""
    notes += [line for line in told if re.search(rf"\b{attack.name}\b[:+\\]", line)]
    outcome = Outcome(attack, points, notes, watch.seconds(attack.name), _printed(notebook))
    texts = {path.suffix: path.read_text(errors="replace") for path in (page, notebook) if path.is_file()}
    if attack.name != "a_honest":
        outcome.leaked += [
            f"the secret is in the {kind} file" for kind, text in texts.items() if secret in text
        ]
    outputs = READ.findall(texts.get(".ipynb", ""))
    outcome.leaked += [f"it could read: {text}" for text in sorted(set(outputs))]
    outcome.leaked += [
        f"a line of a stand-in: {line}" for line in sorted(STAND_INS) if line in outcome.printed
    ]
    outcome.leaked += [
        f"a hidden result on its page: {n}" for n in _hidden_numbers(outcome, texts.get(".html", ""), work)
    ]
    written = re.findall(r"(\d+) MiB written", texts.get(".ipynb", ""))
    if any(int(number) > 2 * SCRATCH_MB for number in written):  # /tmp and /dev/shm
        outcome.damaged.append(f"it wrote {written[0]} MiB, more than its sandbox has")
    if ".html" not in texts:
        outcome.damaged.append("it has no feedback page")
    outcome.damaged += [
        f"its {kind} file has {len(text) // 2**20} MB"
        for kind, text in texts.items()
        if len(text) > PAGE_MB * 2**20
    ]
    active = find_active(BeautifulSoup(texts.get(".html", ""), "html.parser"))
    outcome.damaged += [f"active on its page: {tag}" for tag in active]
    if outcome.seconds > SECONDS:
        outcome.damaged.append(f"took {outcome.seconds:.0f} s")
    return outcome


def _printed(notebook: Path) -> str:
    if not notebook.is_file():
        return ""
    outputs = [out for cell in nbformat.read(notebook, as_version=4).cells for out in cell.get("outputs", [])]
    return "\n".join(str(out.get("text", "") or out.get("evalue", "")) for out in outputs)


def _hidden_numbers(outcome: Outcome, page: str, work: str) -> list[str]:
    """Numbers on the page that only a hidden expected result can have given."""
    if outcome.points is None or outcome.attack.earned == FULL:
        return []
    shown = [float(text) for text in set(re.findall(r"\b\d+\.\d{5,}\b", page))]
    hidden: list[float] = []
    for name in ("softmax", "weighted_sum", "length_weights"):
        if outcome.attack.earned[name] < FULL[name]:
            key = judge.hidden_key(find_lesson(LESSON), name, outcome.attack.name, work)
            hidden += [
                x for c, e in zip(key.cases, key.expected) if c.hidden for x in np.ravel(e.value).tolist()
            ]
    known = np.array([x for x in hidden if abs(x - round(x, 3)) > 1e-4])
    return [f"{x}" for x in shown if len(known) and np.abs(known - x).min() < 1e-6]


def _fingerprints(course: Path, outside: Path) -> dict[str, str]:
    """What every guarded file holds; of the repository's, which others may be editing, only whether it ends in x."""
    files = [path for folder in ("submitted", "course") for path in sorted((course / folder).rglob("*"))]
    found = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in files if is_plain_file(path)}
    found |= {path: path.read_text() for path in (course / "secret.txt", outside)}
    for path in (
        ROOT / "pyproject.toml",
        ROOT / "autograder" / "calls" / "runner.py",
        *(ROOT / "data").glob("*.*"),
    ):
        found[path] = str(path.read_bytes()[-1:] == b"x")
    return {str(path): text for path, text in found.items() if UNPACKED not in str(path)}


def _master(course: Path) -> dict[str, str]:
    """What the gradebook knows of the lesson itself, which grading does not change."""
    with sqlite3.connect(course / "gradebook.db") as base:
        cells = base.execute("select name, source, checksum from source_cell order by name").fetchall()
        points = base.execute("select max_score from grade_cells order by id").fetchall()
    return {f"the gradebook's {name}": str(cell) for name, *cell in [*cells, ("points", *points)]}


def _changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    return [path for path in sorted({*before, *after}) if before.get(path) != after.get(path)]


def _left_behind() -> Iterator[str]:
    for process in psutil.process_iter(["cmdline"]):
        text = " ".join(process.info["cmdline"] or ())
        if f"{MARK}-daemon" in text and "time.sleep(3000)" in text:
            yield text


@contextmanager
def _listener() -> Iterator[tuple[int, list[int]]]:
    """A port on loopback, and how many connections it got."""
    visits = [0]
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept() -> None:
            while True:
                try:
                    server.accept()[0].close()
                except OSError:
                    return
                visits[0] += 1

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], visits


@contextmanager
def _outside(secret: str) -> Iterator[Path]:
    path = Path("/tmp") / f"attack-canary-{secret[-8:]}.txt"
    path.write_text(secret)
    try:
        yield path
    finally:
        path.unlink()
