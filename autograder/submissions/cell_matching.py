"""Tells which cell of a lesson a submitted cell is, also where another editor has dropped its metadata."""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from nbformat import NotebookNode

from autograder.execution.notebook_cells import grade_id_of
from autograder.execution.skippable_cells import parse_names
from autograder.exercises.limits import MAX_PARSED_CELL_CHARACTERS

Cells = dict[str, NotebookNode]
"""Cells of a lesson, in order: by their grade ids, and by their cell ids where nbgrader does not know them."""

TEST = "test_"
"""What the id of a test begins with, before that of the exercise which it is about."""

_MAGIC = re.compile(r"^[ \t]*(?:%{1,2}[A-Za-z]|!).*$|^[ \t]*[\w.?]*\?[ \t]*$", re.MULTILINE)
"""Lines that only IPython understands. Python reads the rest of the cell without them."""

_RUNS_PYTHON = ("%%time", "%%capture", "%%prun")
"""The cell magics below which Python runs in the notebook."""


class LessonCells:
    """A lesson's cells as they were handed out, and what a submitted cell is recognised by.

    Args:
        master: The cells that nbgrader knows, as the gradebook has them.
        releases: All that is known to have been handed out.
        layout: All cells of the current release in order, or nothing where it is not known.
    """

    def __init__(self, master: Cells, releases: Sequence[Cells] = (), layout: Cells | None = None) -> None:
        self.master, self.releases, self.layout = master, releases, layout or master
        self.answers = [name for name, cell in master.items() if cell.metadata.nbgrader.get("solution")]
        self.written = [name for name in self.answers if master[name].cell_type != "code"]
        """The cells that students fill in, and those of them that are answers in writing."""
        self.versions = (*releases, self.layout, master)
        self._by_text = {
            trimmed_lines(cell.source): name for cells in self.versions for name, cell in cells.items()
        }
        self._by_beginning = {_first_line(master[name].source): name for name in self.written}

    def is_released(self, text: str) -> bool:
        """Return whether some release holds a cell with this text, or the text is blank."""
        return not text.strip() or trimmed_lines(text) in self._by_text

    def is_stub(self, name: str, text: str) -> bool:
        """Return whether an answer's text is as it was handed out; of code, layout and comments do not count."""
        stubs = {trimmed_lines(cells[name].source) for cells in self.versions if name in cells}
        if trimmed_lines(text) in stubs:
            return True
        return self.master[name].cell_type == "code" and _tree(text) in {*map(_tree, stubs)} - {""}

    def is_graded(self, name: str) -> bool:
        """Return whether an answer earns points, by its own cell or by its test."""
        graded = (self.master[cell] for cell in (name, TEST + name) if cell in self.master)
        return any(cell.metadata.nbgrader.get("grade") for cell in graded)

    def asked_names(self, name: str) -> set[str]:
        """Return the names that an exercise's cell is to define: its function, or else all that its stub binds."""
        bound = defined_names(self.master[name].source)
        return {name} & bound or bound

    def recognise(self, cells: Sequence[NotebookNode]) -> list[str]:
        """Return for each submitted cell the name of the lesson's cell that it is; empty for the student's own.

        Grade ids go first, then cell ids, then texts, or the question with which an answer in writing begins; several
        cells may bear one grade id.
        """
        names = [name if (name := grade_id_of(cell)) in self.master else "" for cell in cells]
        ids = [str(cell.get("id", "")) for cell in cells]
        for guesses in (
            [name if name in self.master else "" for name in ids],
            [*map(self._by_content, cells)],
        ):
            used = {*names}
            for i, guess in enumerate(guesses):
                if guess and not names[i] and not grade_id_of(cells[i]) and guess not in used:
                    names[i] = guess
                    used.add(guess)
        return names

    def _by_content(self, cell: NotebookNode) -> str:
        text = trimmed_lines(cell.source)
        beginning = self._by_beginning.get(_first_line(text), "") if cell.cell_type != "code" else ""
        return self._by_text.get(text, beginning) if text else ""

    def share_of_lesson(self, cells: Sequence[NotebookNode]) -> float:
        """Return of how many answers and tests of the lesson a notebook holds the cell, under any id, or a definition.

        Returns:
            Their share, 0 to 1; 1 for a lesson without any.
        """
        telling = {name for name in self.master if name.startswith(TEST)} | {*self.answers}
        recognised = telling & {*self.recognise(cells)}
        defined = set[str]().union(*map(definitions, cells))
        recognised |= {name for name in self.answers if self.asked_names(name) & defined}
        return len(recognised) / len(telling) if telling else 1.0

    def holds_work(self, cells: Sequence[NotebookNode]) -> bool:
        """Return whether a notebook holds a cell that no release does."""
        return any(not self.is_released(cell.source) or cell.get("attachments") for cell in cells)


def _first_line(text: str) -> str:
    return text.strip().partition("\n")[0].strip()


def trimmed_lines(text: str) -> str:
    """Return the text without blanks at its ends and at the ends of its lines."""
    return "\n".join(map(str.rstrip, text.strip().splitlines()))


def definitions(cell: NotebookNode) -> set[str]:
    """Return the names that a code cell binds; none for a text cell."""
    return defined_names(cell.source) if cell.cell_type == "code" else set()


def defined_names(text: str) -> set[str]:
    """Return the names that code binds in the notebook; none where it cannot be parsed, or is long."""
    return {*parse_names(_python(text)).bound} if len(text) <= MAX_PARSED_CELL_CHARACTERS else set()


def defining_lines(text: str, names: set[str]) -> str:
    """Return the statements of a cell that bind one of these names; all of a cell that only IPython reads."""
    lines, parts = text.split("\n"), []
    try:
        nodes = ast.parse(_python(text)).body
    except SyntaxError:
        return text
    for node in nodes:
        begin = min(part.lineno for part in (node, *getattr(node, "decorator_list", ())))
        part = "\n".join(lines[begin - 1 : node.end_lineno])
        if names & defined_names(part):
            parts.append(part)
    return "\n\n".join(parts)


def _python(text: str) -> str:
    """Return the text with blank lines in place of those that only IPython understands."""
    if text.lstrip().startswith("%%") and not text.lstrip().startswith(_RUNS_PYTHON):
        return ""
    return _MAGIC.sub("", text)


def _tree(text: str) -> str:
    """Return what a text says as Python; empty where it is no Python, or is long."""
    try:
        return ast.dump(ast.parse(text)) if len(text) <= MAX_PARSED_CELL_CHARACTERS else ""
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
