"""Submissions that try to gain points, to read what they must not, or to stop the others; and clumsy ones.

Whatever could harm a machine first makes sure that it is inside the sandbox (`INSIDE`).
"""

from __future__ import annotations

import os
import sqlite3
import textwrap
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.demo import samples
from autograder.execution.notebook_cells import grade_id_of
from autograder.tests import grading
from autograder.tests.this_course import find_lesson

LESSON = "01_weighted_sums"
NOTEBOOK = find_lesson(LESSON).notebook
FULL = {exercise.id: exercise.points for exercise in find_lesson(LESSON).graded}
NOTHING = dict.fromkeys(FULL, 0)
INSIDE = "import os\nassert os.getuid() >= 61184 and os.getpid() < 1000, 'not inside the sandbox'\n"
PRINT_FILES = """
import pathlib
for path in pathlib.Path(".").rglob("*.*"):
    try:
        print(path, path.read_text(errors="replace").replace("### BEGIN", "BEGIN")[-4000:])
    except OSError:
        pass
"""
MARK = "CANARY"
SUBMITTED, EXCHANGE, ZIP, GRADESCOPE = "submitted/", "exchange", "LMS zip", "Gradescope"
"""The ways by which submissions come."""

WAYS = {"exchange": EXCHANGE, "zip": ZIP, "gradescope": GRADESCOPE}
"""By the first word of an attack's name."""


@dataclass(frozen=True)
class Scene:
    """Where things are that a submission must not reach.

    course: the course's folder; secret: the text, beginning with `MARK`, that lies in what must not be read;
    outside: a file with it outside the course; port: of a listener on this machine's loopback.
    """

    course: Path
    root: Path
    outside: Path
    secret: str
    port: int

    @property
    def classmate(self) -> Path:
        """Another student's notebook."""
        return self.course / "submitted" / "a_honest" / LESSON / f"{NOTEBOOK}.ipynb"

    def filled_in(self, text: str) -> str:
        """Return a text with what it says of this scene in angle brackets."""
        names = {
            "COURSE": self.course,
            "ROOT": self.root,
            "OUTSIDE": self.outside,
            "CLASSMATE": self.classmate,
        }
        names |= {"PORT": self.port, "INSIDE": INSIDE, "PRINT_FILES": PRINT_FILES}
        for name, value in names.items():
            text = text.replace(f"<{name}>", str(value))
        return text


class Hand:
    """One student's submission while it is written: the notebook and the folder it will lie in."""

    def __init__(self, attack: Attack, blank: str, folder: Path, scene: Scene) -> None:
        answers = grading.right(find_lesson(LESSON)) if attack.right else {}
        self.notebook = nbformat.reads(samples.filled(blank, answers), as_version=4)
        self.notebook.cells = [cell for cell in self.notebook.cells if grade_id_of(cell)]
        self.student, self.way, self.folder, self.scene = attack.name, attack.way, folder, scene
        self.entries: dict[str, bytes] = {}
        """What a zip file holds beside the folder."""
        self.raw: bytes | None = None
        self.name = f"{NOTEBOOK}.ipynb"

    def cell(self, name: str) -> NotebookNode:
        """The cell of a grade id."""
        return next(cell for cell in self.notebook.cells if grade_id_of(cell) == name)

    def answer(self, exercise: str, text: str) -> None:
        """Write an answer."""
        self.cell(exercise).source = textwrap.dedent(text).strip()

    def run(self, text: str) -> None:
        """Add a cell behind the imports."""
        self.notebook.cells.insert(1, new_code_cell(self.scene.filled_in(textwrap.dedent(text).strip())))

    def run_last(self, text: str) -> None:
        """Add a cell at the end."""
        self.notebook.cells.append(new_code_cell(self.scene.filled_in(textwrap.dedent(text).strip())))

    def write(self, text: str) -> None:
        """Add a text cell."""
        self.notebook.cells.insert(1, new_markdown_cell(text))

    def file(self, name: str, text: str) -> None:
        """Put a file beside the notebook."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))

    def hand_in(self) -> None:
        """Write the notebook, unless something lies in its place already."""
        path = self.folder / self.name
        if not (path.exists() or path.is_symlink()):
            path.write_bytes(self.raw if self.raw is not None else nbformat.writes(self.notebook).encode())


@dataclass(frozen=True)
class Attack:
    """A hostile or clumsy submission.

    name: also the student's; does: in one line; change: writes the submission; right: whether it starts from right
    answers or from the released notebook; earns: points that differ from all, or from none; told: part of a
    note for the instructor, nothing when there is to be none; shows: part of what it prints once it has done
    what it claims to do; meanwhile: acts on its folder again and again while it is collected; again: writes its next
    submission, from what the first one printed.
    """

    name: str
    does: str
    change: Callable[[Hand], object]
    right: bool = True
    earns: Mapping[str, int] = field(default_factory=dict)
    told: str = ""
    shows: str = ""
    meanwhile: Callable[[Path], object] | None = None
    again: Callable[[Hand, str], object] | None = None

    @property
    def way(self) -> str:
        """The way by which it comes."""
        return WAYS.get(self.name.partition("_")[0], SUBMITTED)

    @property
    def earned(self) -> dict[str, int]:
        """What each exercise honestly earns."""
        return {**(FULL if self.right else NOTHING), **self.earns}


def in_cell(text: str) -> Callable[[Hand], object]:
    """Run it in a cell."""
    return lambda hand: hand.run(text)


def written(entry: Mapping[str, Any]) -> Callable[[Hand], None]:
    """Return what writes an attack of `attacks.toml`.

    run, run_last, write: texts of cells, as the methods of `Hand` have them, as many times as `times` says; answer:
    by exercise, and answer_each: of every one; files, links, pipes: beside the notebook; metadata: of the notebook;
    nbgrader, tags: of every cell.
    """

    def texts(name: str) -> list[str]:
        found = entry.get(name, [])
        return [found] * entry.get("times", 1) if isinstance(found, str) else found

    def change(hand: Hand) -> None:
        for act in (hand.run, hand.run_last, hand.write):
            for text in texts(act.__name__):
                act(text)
        for name in FULL if "answer_each" in entry else ():
            hand.answer(name, entry["answer_each"].replace("<NAME>", name))
        for name, text in entry.get("answer", {}).items():
            hand.answer(name, text)
        for name, text in entry.get("files", {}).items():
            hand.file(name, text)
        for name, target in entry.get("links", {}).items():
            (hand.folder / name).symlink_to(hand.scene.filled_in(target))
        for name in entry.get("pipes", ()):
            os.mkfifo(hand.folder / name)
        hand.notebook.metadata.update(entry.get("metadata", {}))
        for cell in hand.notebook.cells if {"nbgrader", "tags"} & entry.keys() else ():
            cell.metadata.update({"tags": entry["tags"]} if "tags" in entry else {})
            cell.metadata["nbgrader"].update(entry.get("nbgrader", {}))

    return change


def in_gradebook(course: Path) -> dict[str, float]:
    """The points that a class has in its gradebook, which is whole, and in which nobody marked by hand."""
    with sqlite3.connect(course / "gradebook.db") as base:
        assert base.execute("pragma integrity_check").fetchone() == ("ok",)
        assert base.execute("select count(*) from grade where manual_score is not null").fetchone() == (0,)
        return dict(
            base.execute(
                "select s.student_id, sum(g.auto_score) from grade g"
                " join submitted_notebook n on n.id = g.notebook_id"
                " join submitted_assignment s on s.id = n.assignment_id group by s.student_id"
            ).fetchall()
        )


def all_attacks() -> tuple[Attack, ...]:
    """Every attack, in the order in which their submissions are graded."""
    from autograder.tests.attacks import entry_points, forged, special

    data = tomllib.loads(Path(__file__).with_name("attacks.toml").read_text())["attack"]
    known = ("right", "earns", "told", "shows")
    attacks = [
        Attack(
            entry["name"], entry["does"], written(entry), **{key: entry[key] for key in known if key in entry}
        )
        for entry in data
    ]
    for module in (entry_points, forged, special):
        attacks += module.ATTACKS
    return tuple(sorted(attacks, key=lambda attack: attack.name))
