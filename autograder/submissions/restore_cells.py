"""Puts the instructor's cells back into a submission: tests, locked cells, and all of nbgrader's metadata.

Only texts, with pictures pasted into them, are taken from the submission, and of locked cells not even those. Of
several cells with one id the last keeps it that is not as it was handed out. A missing cell returns behind the one that
it follows in the lesson. No untouched stub overrides an answer. Takes the place of nbgrader's `DeduplicateIds` and
`OverwriteCells`.
"""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence

from nbformat import NotebookNode
from nbgrader.utils import compute_checksum

from autograder.execution.notebook_cells import grade_id_of, new_cell
from autograder.execution.notes import Note, NoteKind
from autograder.submissions.cell_matching import (
    TEST,
    Cells,
    LessonCells,
    defining_lines,
    definitions,
    trimmed_lines,
)
from autograder.submissions.read_submission import read_submission

Problem = tuple[NoteKind, str]
"""What there is to note on a cell, with the note's detail."""

GRADING = ("grade", "locked", "solution", "task", "points", "checksum")
"""What nbgrader keeps in a cell's metadata and no one changes who fills a notebook in."""

CHANGE_RUNNING = {
    *("skip-execution", "raises-exception", "nbval-skip", "nbval-ignore-output"),
    *("remove-cell", "remove-input", "remove-output", "remove_cell", "remove_input", "remove_output"),
}
"""Tags by which Jupyter's tools (nbclient, nbconvert, nbval) skip a cell, let it fail, or leave it out."""


def read_and_restore(path: str, lesson: LessonCells) -> tuple[NotebookNode, list[Note]]:
    """Return the notebook handed in as `path` with the lesson's cells put back, and notes on changed cells.

    Of several notebooks the one that holds work on this lesson is taken.
    """
    notebook, notes = read_submission(path, lesson)
    notebook.cells, more = restore_cells(notebook.cells, lesson)
    return notebook, [*notes, *more]


def restore_cells(cells: list[NotebookNode], lesson: LessonCells) -> tuple[list[NotebookNode], list[Note]]:
    """Return a submission's cells with the lesson's metadata, locked text and missing cells, and notes.

    Cells of any release count as unchanged. So do cells of an unknown release: nbgrader puts a checksum of text, kind
    and points into each cell, and a locked cell that fits its own checksum is as released. Without a known release and
    without checksums there are no notes on changed cells.

    Args:
        cells: As `read_submission` gives them.
        lesson: The cells as they were handed out.
    """
    master, releases = lesson.master, lesson.releases
    another = any(_is_whole(cell) and _is_of_another(cell, releases) for cell in cells)
    if another:
        releases = []
    problems: dict[Problem, list[str]] = defaultdict(list)
    names = lesson.recognise(cells)
    dropped = _settle_copies(cells, names, lesson, problems)
    pieces = _with_own_answers(cells, names, dropped, lesson)
    for name, cell in zip(names, cells):
        grade_id = grade_id_of(cell)
        if name in master:
            for problem in _problems(cell, master[name], releases):
                problems[problem].append(name)
        elif grade_id and releases and not any(grade_id in release for release in releases):
            problems[NoteKind.INVENTED, ""].append(grade_id)
    restored = [(name, _rebuilt(cell, master.get(name))) for name, cell in pieces]
    place = 0
    for name in dict.fromkeys([*lesson.layout, *master]):
        present = [of for of, _ in restored]
        if name in present:
            place = present.index(name) + 1
        elif name in master:
            if cells and not another and all(name in release for release in releases):
                is_answer = name in lesson.answers
                problems[NoteKind.ANSWER_MISSING if is_answer else NoteKind.MISSING, ""].append(name)
            restored.insert(place, (name, NotebookNode(master[name])))
            place += 1
    problems[NoteKind.MISPLACED, ""] = _move_tests(restored)
    _gather_texts(restored, lesson)
    if cells:
        problems[NoteKind.UNANSWERED, ""] = [*_left_beside(restored, lesson)]
    for i, (_, cell) in enumerate(restored):
        cell["id"] = grade_id_of(cell) or f"cell_{i:02d}"
    notes, order = [], {name: number for number, name in enumerate(master)}
    for (kind, detail), concerned in problems.items():
        if concerned:
            in_order = sorted({*concerned}, key=lambda name: (order.get(name, len(order)), name))
            notes.append(Note.on(kind, [name[:60] for name in in_order], detail))
    return [cell for _, cell in restored], notes


Piece = tuple[str, NotebookNode]
"""A cell with the name of the lesson's cell that it is; the name is empty for a student's own."""


def _settle_copies(
    cells: Sequence[NotebookNode], names: list[str], lesson: LessonCells, problems: dict[Problem, list[str]]
) -> set[int]:
    """Let one of several copies of a cell keep its name: the last one that is not as it was handed out.

    Returns:
        The places of copies that hold nothing of the student's.
    """
    dropped = set[int]()
    for name in lesson.master:
        copies = [i for i, copied in enumerate(names) if copied == name]
        if len(copies) < 2:
            continue
        is_answer = name in lesson.answers
        stubs = {i for i in copies if is_answer and lesson.is_stub(name, cells[i].source)}
        chosen = max({*copies} - stubs, default=copies[-1])
        dropped |= stubs - {chosen}
        differ = is_answer and len({trimmed_lines(cells[i].source) for i in copies}) > 1
        problems[NoteKind.COPIES_DIFFER if differ else NoteKind.TWICE, ""].append(name)
        for i in {*copies} - {chosen}:
            names[i] = ""
    return dropped


def _with_own_answers(
    cells: Sequence[NotebookNode], names: Sequence[str], dropped: set[int], lesson: LessonCells
) -> list[Piece]:
    """Return the cells that are kept, where a cell of the student's own takes the place of an untouched stub.

    That is the last one that defines what the exercise asks for, as in a notebook that is run from top to bottom.
    """
    definitions_by_place = {
        i: _own_definitions(cell, name, lesson)
        for i, (name, cell) in enumerate(zip(names, cells))
        if name not in lesson.master and not lesson.is_released(cell.source)
    }
    pieces_by_place: list[list[Piece]] = [
        [] if i in dropped else [(names[i], cell)] for i, cell in enumerate(cells)
    ]
    moved = set[int]()
    for name in lesson.answers:
        place = names.index(name) if name in names else None
        if name in lesson.written or place is not None and not lesson.is_stub(name, cells[place].source):
            continue
        wanted = lesson.asked_names(name)
        defining = [i for i, defined in definitions_by_place.items() if wanted & defined]
        if not defining:
            continue
        if place is not None:
            pieces_by_place[place] = []
        if not wanted <= {bound for i in defining for bound in definitions(cells[i])}:
            pieces_by_place[defining[0]].insert(0, ("", new_cell("code", lesson.master[name].source)))
        if (last := defining[-1]) in moved:
            text = defining_lines(cells[last].source, wanted)
            pieces_by_place[last].append((name, new_cell("code", text)))
        else:
            pieces_by_place[last] = [
                (name if cell is cells[last] else of, cell) for of, cell in pieces_by_place[last]
            ]
            moved.add(last)
    return [piece for pieces in pieces_by_place for piece in pieces]


def _own_definitions(cell: NotebookNode, name: str, lesson: LessonCells) -> set[str]:
    """Return what a cell defines that the lesson's cell, which it was made from, does not."""
    return definitions(cell) - (definitions(lesson.layout[name]) if name in lesson.layout else set())


def _gather_texts(restored: list[Piece], lesson: LessonCells) -> None:
    """Add to each answer in writing the text of the student's own that stands between it and the lesson's next cell.

    An answer that is as it was handed out also gets the code there, or, where nothing stands below, the text above it.
    """
    for name in lesson.written:
        place = [of for of, _ in restored].index(name)
        cell = restored[place][1]
        is_stub = lesson.is_stub(name, cell.source) and not cell.get("attachments")
        parts = _own_cells(restored[place + 1 :], lesson)
        texts = [part for part in parts if part.cell_type != "code"]
        if is_stub and not parts:
            above = reversed(_own_cells(restored[:place][::-1], lesson))
            parts = texts = [part for part in above if part.cell_type != "code"]
        for part in parts if is_stub else texts:
            _append_text(cell, part)
        restored[:] = [piece for piece in restored if not any(piece[1] is text for text in texts)]


def _own_cells(pieces: Sequence[Piece], lesson: LessonCells) -> list[NotebookNode]:
    """Return the student's own cells up to the next one of the lesson's, without blank ones."""
    own_cells = []
    for name, cell in pieces:
        is_blank = not cell.source.strip()
        if name in lesson.master or not is_blank and lesson.is_released(cell.source):
            break
        if not is_blank:
            own_cells.append(cell)
    return own_cells


def _append_text(cell: NotebookNode, part: NotebookNode) -> None:
    """Add a cell's text and pictures to an answer in writing; pictures of one name stay apart."""
    text, pictures = part.source, cell.get("attachments", NotebookNode())
    for name, picture in part.get("attachments", {}).items():
        free = f"{len(pictures)}-{name}" if name in pictures else name
        text = text.replace(f"attachment:{name}", f"attachment:{free}")
        pictures = NotebookNode({**pictures, free: picture})
    if part.cell_type == "code":
        text = f"```python\n{text}\n```"
    cell.source = f"{cell.source.rstrip()}\n\n{text}"
    if pictures:
        cell.attachments = pictures


def _left_beside(restored: Sequence[Piece], lesson: LessonCells) -> Iterator[str]:
    """Yield the graded answers that are as handed out, while cells of the student's own may be meant for them.

    For code these are code cells between the exercise and the next one; for an answer in writing any text.
    """
    own_kinds = ["" if name or lesson.is_released(cell.source) else cell.cell_type for name, cell in restored]
    for place, (name, cell) in enumerate(restored):
        if name in lesson.answers and lesson.is_graded(name) and lesson.is_stub(name, cell.source):
            later = (i for i in range(place + 1, len(restored)) if restored[i][0] in lesson.answers)
            has_code = "code" in own_kinds[place + 1 : next(later, len(restored))]
            if has_code if cell.cell_type == "code" else {*own_kinds} & {"markdown", "raw"}:
                yield name


def _is_whole(cell: NotebookNode) -> bool:
    """Return whether a locked cell is as nbgrader made it, by its own checksum; blanks around its text do not count."""
    with contextlib.suppress(AttributeError, KeyError, TypeError, ValueError):
        settings, texts = cell.metadata.nbgrader, {cell.source, cell.source.strip()}
        sums = {compute_checksum(NotebookNode(cell, source=text)) for text in texts}
        return bool(settings.locked) and settings.checksum in sums
    return False


def _is_of_another(cell: NotebookNode, releases: Sequence[Cells]) -> bool:
    """Return whether the checksum of a cell is that of no release."""
    name, checksum = grade_id_of(cell), cell.metadata.nbgrader.get("checksum")
    versions = [release[name].metadata for release in releases if name in release]
    return all(checksum != version.get("nbgrader", {}).get("checksum") for version in versions)


def _problems(cell: NotebookNode, original: NotebookNode, releases: Sequence[Cells]) -> Iterator[Problem]:
    """Yield what was done to a cell that belongs to the lesson.

    Of a cell that ought to be locked, its own checksum tells as well; without any nothing is known.
    """
    name, settings = original.metadata.nbgrader.grade_id, cell.metadata.get("nbgrader", {})
    versions = [release[name] for release in releases if name in release]
    versions = [version for version in versions if "nbgrader" in version.metadata]
    tells = original.metadata.nbgrader.get("locked") and settings.get("checksum")
    if not versions and tells and not _is_whole(cell):
        versions = [original]
    of_this_text = [
        version.metadata.nbgrader
        for version in versions
        if not version.metadata.nbgrader.get("locked") or version.source.strip() == cell.source.strip()
    ]
    of_grading = {key: value for key, value in settings.items() if key in GRADING}
    if versions and not of_this_text:
        yield NoteKind.EDITED, ""
    elif versions and not any(
        all(released.get(key) == value for key, value in of_grading.items()) for released in of_this_text
    ):
        yield NoteKind.REGRADED, ""
    if tags := CHANGE_RUNNING & {*cell.metadata.get("tags", ())}:
        yield NoteKind.TAGGED, ", ".join(sorted(tags))


def _rebuilt(cell: NotebookNode, original: NotebookNode | None) -> NotebookNode:
    """Return a released cell with the student's text, or a cell of their own; with the pictures pasted into it."""
    if original is None:
        rebuilt = new_cell(cell.cell_type, cell.source)
    else:
        rebuilt = NotebookNode(original, metadata=NotebookNode(original.metadata))
        if original.metadata.nbgrader.locked:
            return rebuilt
        rebuilt.source = cell.source
    if rebuilt.cell_type != "code" and "attachments" in cell:  # a code cell cannot have any
        rebuilt.attachments = cell.attachments
    return rebuilt


def _move_tests(restored: list[Piece]) -> list[str]:
    """Move each test that stands before its answer behind it, for it is asked where it stands; return their names."""
    moved = []
    for test in [name for name, _ in restored if name.startswith(TEST)]:
        order = [name for name, _ in restored]
        answer = test.removeprefix(TEST)
        if answer in order and order.index(test) < order.index(answer):
            restored.insert(order.index(answer), restored.pop(order.index(test)))
            moved.append(test)
    return moved
