"""Submissions that try to gain points, to read what they must not, or to stop the others; and clumsy ones.

Whatever could harm a machine first makes sure that it is inside the sealed room (`INSIDE`).
"""

from __future__ import annotations

import sqlite3
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell

from autograder.demo import samples
from autograder.sandbox.cells import grade_id_of
from autograder.tests import grading
from autograder.tests.this_course import find_lesson

LESSON = "01_weighted_sums"
NOTEBOOK = find_lesson(LESSON).notebook
FULL = {exercise.id: exercise.points for exercise in find_lesson(LESSON).graded}
NOTHING = dict.fromkeys(FULL, 0)
INSIDE = "import os\nassert os.getuid() >= 61184 and os.getpid() < 1000, 'not inside the room'\n"
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

    def answer_all(self, expression: str) -> None:
        """Give every exercise an answer that returns `expression`."""
        for name in FULL:
            self.answer(name, f"def {name}(*args, **kwargs):\n    return {expression}")

    def run(self, text: str) -> None:
        """Add a cell behind the imports."""
        self.notebook.cells.insert(1, new_code_cell(self._filled_in(text)))

    def run_last(self, text: str) -> None:
        """Add a cell at the end."""
        self.notebook.cells.append(new_code_cell(self._filled_in(text)))

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

    def _filled_in(self, text: str) -> str:
        scene = self.scene
        known = {"COURSE": scene.course, "ROOT": scene.root, "OUTSIDE": scene.outside}
        text = textwrap.dedent(text).strip()
        for name, path in known.items():
            text = text.replace(f"<{name}>", str(path))
        return text.replace("<PORT>", str(scene.port)).replace("<INSIDE>", INSIDE)


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
    from autograder.tests.attacks import busy, damage, entry_points, forged, gain, kept, leak, mishaps

    modules = busy, damage, entry_points, forged, gain, kept, leak, mishaps
    attacks = [attack for module in modules for attack in module.ATTACKS]
    return tuple(sorted(attacks, key=lambda attack: attack.name))
