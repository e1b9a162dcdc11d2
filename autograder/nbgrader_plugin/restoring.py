"""Puts the instructor's cells back into a submission: tests, locked cells, and all of nbgrader's metadata.

Only texts, with pictures pasted into them, are taken from the submission, and of locked cells not even those. Of
several cells with one id the last keeps it that is not as it was handed out. A missing cell returns behind the one that
it follows in the lesson. No untouched stub overrides an answer. Takes the place of nbgrader's `DeduplicateIds` and
`OverwriteCells`.
"""

from __future__ import annotations

import contextlib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from autograder.model.notes import Note, NoteKind
from autograder.nbgrader_plugin.cell_matching import (
    TEST,
    Cells,
    LessonCells,
    defining_lines,
    definitions,
    trimmed_lines,
)
from autograder.nbgrader_plugin.intake import taken_in
from autograder.sandbox.cells import grade_id_of, new_cell

Amiss = tuple[NoteKind, str]
"""What there is to note on a cell, with the note's detail."""

GRADING = ("grade", "locked", "solution", "task", "points", "checksum")
"""What nbgrader keeps in a cell's metadata and no one changes who fills a notebook in."""

CHANGE_RUNNING = {
    *("skip-execution", "raises-exception", "nbval-skip", "nbval-ignore-output"),
    *("remove-cell", "remove-input", "remove-output", "remove_cell", "remove_input", "remove_output"),
}
"""Tags by which Jupyter's tools (nbclient, nbconvert, nbval) skip a cell, let it fail, or leave it out."""


def restored(
    path: str, master: Cells, releases: Sequence[Cells], layout: Cells
) -> tuple[NotebookNode, list[Note]]:
    """Return the notebook handed in as `path` with the master's cells put back, and notes on what was amiss.

    Of several notebooks the one that holds work on this lesson is taken.
    """
    lesson = LessonCells(master, releases, layout)
    notebook, notes = taken_in(path, lesson)
    notebook.cells, more = restore(notebook.cells, master, releases, layout)
    return notebook, [*notes, *more]


def restore(
    cells: list[NotebookNode], master: Cells, releases: Sequence[Cells], layout: Cells | None = None
) -> tuple[list[NotebookNode], list[Note]]:
    """Return the submission's cells with the master's metadata, locked text and missing cells; and what was amiss.

    What some release holds is not amiss. Nor is what another one made: nbgrader puts a checksum of text, kind and
    points into each cell, and a locked one that still fits its own is as some release made it. Where there is neither,
    nobody can tell, and nothing is said of changed cells.

    Args:
        cells: As `taken_in` gives them.
        master: The cells that nbgrader knows.
        releases: All that are known to have been handed out.
        layout: All cells of the current release, in order.
    """
    lesson = LessonCells(master, releases, layout)
    another = any(_is_of_another(cell, releases) for cell in cells if _is_whole(cell))
    if another:
        releases = []
    amiss: dict[Amiss, list[str]] = defaultdict(list)
    names = lesson.recognise(cells)
    dropped = _settle_copies(cells, names, lesson, amiss)
    pieces = _with_own_answers(cells, names, dropped, lesson)
    there = {name for name, _ in pieces}
    for name, cell in reversed([*zip(names, cells)]):
        known = name in master
        for what in _amiss(cell, master[name], releases) if known else _unplaced(cell, releases):
            amiss[what].append(name or grade_id_of(cell))
    restored = [(name, _rebuilt(cell, master.get(name))) for name, cell in pieces]
    order = [*dict.fromkeys([*lesson.layout, *master])]
    for name in order:
        if name in master and name not in there:
            if cells and not another and all(name in release for release in releases):
                is_answer = name in lesson.answers()
                amiss[NoteKind.ANSWER_MISSING if is_answer else NoteKind.MISSING, ""].append(name)
            restored.insert(_place(restored, order, name), (name, NotebookNode(master[name])))
    if moved := [*_move_tests(restored)]:
        amiss[NoteKind.MISPLACED, ""] = moved
    _gather_texts(restored, lesson)
    if cells:
        amiss[NoteKind.UNANSWERED, ""] = [*_left_beside(restored, lesson)]
    made = [cell for _, cell in restored]
    for i, cell in enumerate(made):
        cell["id"] = grade_id_of(cell) or f"cell_{i:02d}"
    return made, _notes(amiss, list(master))


Piece = tuple[str, NotebookNode]
"""A cell with the name of the lesson's cell that it is; the name is empty for a student's own."""


def _settle_copies(
    cells: Sequence[NotebookNode], names: list[str], lesson: LessonCells, amiss: dict[Amiss, list[str]]
) -> set[int]:
    """Let one of several copies of a cell keep its name: the last one that is not as it was handed out.

    Returns:
        The places of copies that hold nothing of the student's.
    """
    places = defaultdict[str, list[int]](list)
    for i, name in enumerate(names):
        if name in lesson.master:
            places[name].append(i)
    dropped = set[int]()
    for name, copies in reversed([*places.items()]):
        if len(copies) == 1:
            continue
        stubs = [i for i in copies if name in lesson.answers() and lesson.is_stub(name, cells[i].source)]
        answers = [i for i in copies if i not in stubs]
        chosen = (answers or copies)[-1]
        dropped |= {*stubs} - {chosen}
        texts = {trimmed_lines(cells[i].source) for i in copies}
        differ = name in lesson.answers() and len(texts) > 1
        amiss[NoteKind.COPIES_DIFFER if differ else NoteKind.TWICE, ""].append(name)
        for i in copies:
            names[i] = name if i == chosen else ""
    return dropped


def _with_own_answers(
    cells: Sequence[NotebookNode], names: Sequence[str], dropped: set[int], lesson: LessonCells
) -> list[Piece]:
    """Return the cells that are kept, where a cell of the student's own takes the place of an untouched stub.

    That is the last one that defines what the exercise asks for, as in a notebook that is run from top to bottom.
    """
    own = [i for i, name in enumerate(names) if name not in lesson.master and _is_own(cells[i], lesson)]
    kept: list[list[Piece]] = [[] if i in dropped else [(names[i], cell)] for i, cell in enumerate(cells)]
    taken = set[int]()
    for name in lesson.answers():
        at = names.index(name) if name in names else None
        if (
            lesson.master[name].cell_type != "code"
            or at is not None
            and not lesson.is_stub(name, cells[at].source)
        ):
            continue
        wanted = lesson.asked_names(name)
        if not wanted:
            continue
        mention = re.compile(rf"\b(?:{'|'.join(map(re.escape, wanted))})\b")
        mentioning = [i for i in own if mention.search(cells[i].source)]
        defining = [i for i in mentioning if wanted & _defined(cells[i], names[i], lesson)]
        if not defining:
            continue
        if at is not None:
            kept[at] = []
        if not wanted <= {bound for i in defining for bound in definitions(cells[i])}:
            kept[defining[0]].insert(0, ("", new_cell("code", lesson.master[name].source)))
        if (last := defining[-1]) in taken:
            text = defining_lines(cells[last].source, wanted)
            kept[last].append((name, new_cell("code", text)))
        else:
            kept[last] = [(name, cell) if cell is cells[last] else (of, cell) for of, cell in kept[last]]
            taken.add(last)
    return [piece for pieces in kept for piece in pieces]


def _is_own(cell: NotebookNode, lesson: LessonCells) -> bool:
    return not lesson.is_released(cell.source)


def _defined(cell: NotebookNode, name: str, lesson: LessonCells) -> set[str]:
    """Return what a cell defines that the lesson's cell, which it was made from, does not."""
    return definitions(cell) - (definitions(lesson.layout[name]) if name in lesson.layout else set())


def _gather_texts(restored: list[Piece], lesson: LessonCells) -> None:
    """Add to each answer in writing the text of the student's own that stands between it and the lesson's next cell.

    An answer that is as it was handed out also gets the code there, or, where nothing stands below, the text above it.
    """
    written = [name for name in lesson.answers() if lesson.master[name].cell_type != "code"]
    for name in written:
        place = next(i for i, (of, _) in enumerate(restored) if of == name)
        cell = restored[place][1]
        is_stub = lesson.is_stub(name, cell.source) and not cell.get("attachments")
        parts = [*_own_cells(restored[place + 1 :], lesson)]
        if not is_stub:
            parts = [part for part in parts if part.cell_type != "code"]
        elif not parts:
            above = [*_own_cells(restored[:place][::-1], lesson)][::-1]
            parts = [part for part in above if part.cell_type != "code"]
        for part in parts:
            _append_text(cell, part)
        merged = {id(part) for part in parts if part.cell_type != "code"}
        restored[:] = [piece for piece in restored if id(piece[1]) not in merged]


def _own_cells(pieces: Sequence[Piece], lesson: LessonCells) -> Iterator[NotebookNode]:
    """Yield the student's own cells up to the next one of the lesson's."""
    for name, cell in pieces:
        if name in lesson.master or cell.source.strip() and not _is_own(cell, lesson):
            return
        if cell.source.strip():
            yield cell


def _append_text(cell: NotebookNode, part: NotebookNode) -> None:
    """Add a cell's text and pictures to an answer in writing; pictures of one name stay apart."""
    text, pictures = part.source, dict(part.get("attachments", {}))
    there = cell.get("attachments", NotebookNode())
    for name in [*pictures]:
        if name in there:
            other = f"{len(there)}-{name}"
            text = text.replace(f"attachment:{name}", f"attachment:{other}")
            pictures[other] = pictures.pop(name)
    if part.cell_type == "code":
        text = f"```python\n{text}\n```"
    cell.source = f"{cell.source.rstrip()}\n\n{text}"
    if pictures:
        cell.attachments = NotebookNode({**there, **pictures})


def _left_beside(restored: Sequence[Piece], lesson: LessonCells) -> Iterator[str]:
    """Yield the graded answers that are as handed out, while cells of the student's own may be meant for them.

    For code these are code cells between the exercise and the next one; for an answer in writing any text.
    """
    answers = [*lesson.answers()]
    own = [cell.cell_type if not name and _is_own(cell, lesson) else "" for name, cell in restored]
    for place, (name, cell) in enumerate(restored):
        if name in answers and lesson.is_graded(name) and lesson.is_stub(name, cell.source):
            nexts = (i for i in range(place + 1, len(restored)) if restored[i][0] in answers)
            beside = "code" in own[place + 1 : next(nexts, len(restored))]
            if beside if cell.cell_type == "code" else {*own} & {"markdown", "raw"}:
                yield name


def _is_whole(cell: NotebookNode) -> bool:
    """Whether a locked cell is as nbgrader made it, by its own checksum; blanks around its text do not count."""
    with contextlib.suppress(AttributeError, KeyError, TypeError, ValueError):
        settings, texts = cell.metadata.nbgrader, {cell.source, cell.source.strip()}
        sums = {compute_checksum(NotebookNode(cell, source=text)) for text in texts}
        return bool(settings.locked) and settings.checksum in sums
    return False


def _is_of_another(cell: NotebookNode, releases: Sequence[Cells]) -> bool:
    """Whether the checksum of a cell is that of no release."""
    name, own = grade_id_of(cell), cell.metadata.nbgrader.get("checksum")
    versions = [release[name] for release in releases if name in release]
    return all(own != version.metadata.get("nbgrader", {}).get("checksum") for version in versions)


def _amiss(cell: NotebookNode, original: NotebookNode, releases: Sequence[Cells]) -> Iterator[Amiss]:
    """What was done to a cell that belongs to the lesson."""
    name = str(original.metadata.nbgrader.grade_id)
    versions = [release[name] for release in releases if name in release]
    versions = [version for version in versions if "nbgrader" in version.metadata]
    if not versions and _is_broken(cell, original):
        versions = [original]
    settings = ((version.metadata.nbgrader, version.source.strip()) for version in versions)
    text = cell.source.strip()
    of_this_text = [known for known, source in settings if not known.get("locked") or source == text]
    theirs = {key: value for key, value in cell.metadata.get("nbgrader", {}).items() if key in GRADING}
    if versions and not of_this_text:
        yield NoteKind.EDITED, ""
    elif versions and not any(_agree(theirs, ours) for ours in of_this_text):
        yield NoteKind.REGRADED, ""
    tags = cell.metadata.get("tags")
    if isinstance(tags, list) and (found := CHANGE_RUNNING & set(map(str, tags))):
        yield NoteKind.TAGGED, ", ".join(sorted(found))


def _is_broken(cell: NotebookNode, original: NotebookNode) -> bool:
    """Whether a cell, which ought to be locked, is not as its own checksum says; one without any tells nothing."""
    tells = original.metadata.nbgrader.get("locked") and cell.metadata.get("nbgrader", {}).get("checksum")
    return bool(tells) and not _is_whole(cell)


def _agree(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> bool:
    return all(ours.get(setting) == value for setting, value in theirs.items())


def _unplaced(cell: NotebookNode, releases: Sequence[Cells]) -> Iterator[Amiss]:
    """What there is to say of a cell that takes no place in the lesson; nothing of a student's own."""
    name = grade_id_of(cell)
    if name and releases and not any(name in release for release in releases):
        yield NoteKind.INVENTED, ""


def _notes(amiss: Mapping[Amiss, list[str]], order: list[str]) -> list[Note]:
    """A note on each thing that was amiss, with the cells in the lesson's order."""
    place = {name: i for i, name in enumerate(order)}
    notes = []
    for (kind, detail), names in amiss.items():
        if not names:
            continue
        names = sorted(dict.fromkeys(reversed(names)), key=lambda name: place.get(name, len(place)))
        shown = [re.sub(r"[^\w.-]", "?", name)[:60] for name in names]
        notes.append(Note.on(kind, shown, detail))
    return notes


def _rebuilt(cell: NotebookNode, original: NotebookNode | None) -> NotebookNode:
    """A released cell with the student's text, or a cell of their own; with the pictures pasted into it."""
    if original is None:
        made = new_cell(cell.cell_type, cell.source)
    else:
        made = NotebookNode(original, metadata=NotebookNode(original.metadata))
        if original.metadata.nbgrader.locked:
            return made
        made.source = cell.source
    if made.cell_type != "code" and "attachments" in cell:  # a code cell cannot have any
        made.attachments = cell.attachments
    return made


def _move_tests(restored: list[Piece]) -> Iterator[str]:
    """Move each test that stands before its answer behind it, for it is asked where it stands; their names."""
    for name in [name for name, _ in restored if name.startswith(TEST)]:
        order = [of for of, _ in restored]
        answer = name.removeprefix(TEST)
        if answer in order and (here := order.index(name)) < (there := order.index(answer)):
            restored.insert(there, restored.pop(here))
            yield name


def _place(restored: Sequence[Piece], order: Sequence[str], name: str) -> int:
    """Behind the nearest cell that precedes `name` in the lesson and is there; else at the top."""
    places = {of: i for i, (of, _) in enumerate(restored) if of}
    before = reversed(order[: order.index(name)])
    return next((places[of] + 1 for of in before if of in places), 0)
