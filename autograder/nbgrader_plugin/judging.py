"""Runs and judges a restored notebook: each step in a process limited in time and memory, wherever it is graded."""

from __future__ import annotations

import base64
import contextlib
import dataclasses
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from nbformat import NotebookNode

from autograder import judge
from autograder.courses import Lesson, open_course
from autograder.judge import behaviour, stand_ins
from autograder.judge.behaviour import Behaviour
from autograder.model.exercise import Key
from autograder.model.notes import Note, NoteKind
from autograder.model.verdict import State, Verdict
from autograder.nbgrader_plugin import defusing, limits
from autograder.sandbox import doctor, files, helper_confinement, illustrations, limited, session, warm
from autograder.sandbox.cells import grade_id_of, picture, result
from autograder.sandbox.notebook_runner import GARBLED, TIMED_OUT, Attempts, Interview, Ran, Right
from autograder.sandbox.passive import is_picture
from autograder.sandbox.room import is_root
from autograder.sandbox.warm import WarmPlace
from autograder.student import ladder, report, visible
from autograder.student.probe import Answers, Question


@dataclass(frozen=True)
class Work:
    """Whose notebook is graded, and how: plain data.

    course: its folder; lesson, student: their ids; settings: of `Interview`; salt: with it the hidden cases are drawn.
    It holds the digest of what was handed in: other work is asked other cases, so that what was seen of these is of no
    use in it.
    """

    course: str
    lesson: str
    student: str
    salt: str
    settings: Mapping[str, Any]

    @property
    def of(self) -> Lesson:
        """The lesson."""
        return open_course(self.course).lesson(self.lesson)


@dataclass
class Graded:
    """A notebook with its outputs and scores; what there is to note; verdicts by exercise; whether it ran sealed.

    behaviours: by exercise, what answers do whose mistake has no name.
    """

    notebook: dict[str, Any]
    notes: list[Note] = field(default_factory=list)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    sealed: bool = True
    behaviours: dict[str, Behaviour] = field(default_factory=dict)


class Finished(msgspec.Struct, tag=True):
    """A notebook that ran to its end."""

    notebook: dict[str, Any]
    notes: list[Note]
    sealed: bool


class Judged(msgspec.Struct, tag=True):
    """A verdict, and the outputs of the test's cell; not_judged: why it is not on the answers themselves, if so.

    behaviour: what the answer does, where its mistake has no name.
    """

    verdict: Verdict
    outputs: list[dict[str, Any]]
    not_judged: str
    behaviour: Behaviour | None = None


def grade_notebook(work: Work, notebook: NotebookNode, folder: str) -> Graded:
    """Run a restored notebook in a room that shows `folder`, and judge it.

    What takes too long costs this notebook alone: what was judged until then counts.
    """
    lesson = work.of
    course = lesson.course.visible
    if is_root() and Path(folder).is_dir():
        files.let_all_read(Path(folder))
    other_user = is_root() and work.settings.get("allow_other_user", False)
    ready = (make_ready, work.course, work.lesson, sorted(_met[str(lesson.course.root), lesson.id]))
    defusing.defuse([cell for cell in notebook.cells if cell.cell_type != "code"])
    code = {i: cell.source for i, cell in enumerate(notebook.cells) if cell.cell_type == "code"}
    warm_place = warm.start(course, [lesson.id], other_user, "\n".join(code.values()))
    texts = [*code.items()], sorted(lesson.illustrations())
    try:
        left_out = limited.call(
            illustrations.unneeded, *texts, seconds=limits.MAX_LOOKING_SECONDS, before=ready
        )
    except (limited.Overrun, RuntimeError):  # a text may upset Python's own parsers in any way
        left_out = []
    found = limited.pieces(
        judged_in_pieces,
        work,
        notebook,
        folder,
        left_out,
        warm_place,
        doctor.sealable(),
        seconds=limits.MAX_RUNNING_SECONDS + limits.MAX_JUDGING_SECONDS,
        patience=warm.MAX_START_SECONDS + work.settings["notebook_timeout"] + limits.MAX_RUNNING_SECONDS,
        before=ready,
        access=None,  # it builds a sandbox; before it judges what came out of it, it gives these rights up
    )
    return _put_together(lesson, notebook, found)


_met: dict[tuple[str, str], set[str]] = defaultdict(set)
"""By course and lesson: where answers were wrong. What mistakes give there is worth keeping ready."""


def make_ready(course: str, lesson: str, met: Sequence[str]) -> None:
    """Read the lesson, with the mistakes of the exercises that were met, and see what rooms there can be: once."""
    session.get_ready()
    found = open_course(course).lesson(lesson)
    judge.prepare(found)
    for exercise in met:
        judge.prepare_mistakes(found, exercise)
    for text in found.illustrations():
        illustrations.names_of(text)


def judged_in_pieces(
    work: Work,
    notebook: NotebookNode,
    folder: str,
    left_out: Sequence[int],
    warm_place: WarmPlace | None,
    walls: bool,
) -> Iterator[Finished | Judged]:
    """What becomes of a notebook, piece by piece: each exercise as if time were up, the run, then each verdict.

    warm_place: where the warm process listens.
    """
    lesson = work.of
    course = lesson.course.visible
    with visible.using(course):
        keys = {one.id: judge.hidden_key(lesson, one.id, work.student, work.salt) for one in lesson.graded}
        for key in keys.values():
            yield _said(judge.judge(key, (Answers(TIMED_OUT),)))
        if warm_place:
            warm.use({course: warm_place})
        interview = Interview(notebook, course=course, walls=walls, **work.settings)
        limited.spend(limits.MAX_RUNNING_SECONDS)
        resources = {"metadata": {"path": folder}}
        program, questions = stand_ins.program(lesson), ask_for(lesson, keys)
        ran = interview.interview(resources, questions, left_out, program, right_by(keys))
        yield Finished(notebook, [*ran.notes], ran.sealed)
        helper_confinement.confine([work.course, *map(str, (course.root, course.data))], ())
        limited.spend(limits.MAX_JUDGING_SECONDS)
        yield from verdicts(lesson, keys, ran, notebook)


def verdicts(lesson: Lesson, keys: Mapping[str, Key], ran: Ran, notebook: NotebookNode) -> Iterator[Judged]:
    """The verdicts on what a notebook answered: points for all, what is soon judged first; then names of mistakes.

    To name them takes longest, and must not cost points. A verdict that comes again takes the place of the first.
    """
    failed = _failed_cells(notebook)
    answers = {name: ran.answers[f"test_{name}"] for name in keys}

    def said(name: str, found: Verdict, reason: str = "", does: Behaviour | None = None) -> Judged:
        pictures = _picture(keys[name], answers[name][0]) if found.state is State.WRONG else []
        return _said(replace(found, cell_failed=failed.get(name, "")), pictures, reason, does)

    unnamed = []
    for name in sorted(keys, key=lambda name: not is_light(answers[name])):
        reason = ""
        try:
            found = judge.judge(replace(keys[name], mistakes=()), answers[name])
        except Exception as error:  # forged answers may be of any form; one must not cost the others theirs
            found, reason = judge.judge(keys[name], (Answers(GARBLED),)), type(error).__name__
        if found.state is State.WRONG and not reason and is_light(answers[name]):
            unnamed.append(name)
        yield said(name, found, reason)
    for name in unnamed:
        with contextlib.suppress(Exception):  # as above
            found = judge.judge(keys[name], answers[name])
            does = behaviour.of_answer(lesson, keys[name], answers[name], found)
            yield said(name, found, does=does)


def _said(
    found: Verdict,
    pictures: Sequence[NotebookNode] = (),
    not_judged: str = "it took too long",
    does: Behaviour | None = None,
) -> Judged:
    score = {"text/plain": str(float(found.points)), "text/html": report.as_html(found)}
    return Judged(found, [result(score), *pictures], not_judged, does)


def _put_together(lesson: Lesson, notebook: NotebookNode, pieces: Sequence[Finished | Judged]) -> Graded:
    said = {piece.verdict.exercise: piece for piece in pieces if isinstance(piece, Judged)}
    if len(said) < len(lesson.graded):
        raise RuntimeError("the grader's own process has ended; is there enough memory?")
    done = Graded(notebook, notes=[Note(NoteKind.GIVEN_UP)])
    for one in pieces:
        if isinstance(one, Finished):
            done = Graded(one.notebook, one.notes, sealed=one.sealed)
    by_reason = defaultdict(list)
    for name, piece in said.items():
        by_reason[piece.not_judged].append(name)
        done.verdicts[name] = piece.verdict
        if piece.behaviour:
            done.behaviours[name] = piece.behaviour
        if piece.verdict.state is State.WRONG:
            _met[str(lesson.course.root), lesson.id].add(name)
    reasons = ((reason, names) for reason, names in by_reason.items() if reason)
    done.notes += [Note.on(NoteKind.NOT_JUDGED, names, reason) for reason, names in reasons]
    if not done.sealed:
        done.notes.append(Note(NoteKind.UNSEALED))
    for cell in done.notebook["cells"]:
        test, _, name = grade_id_of(cell).partition("test_")
        if name in said and not test:
            cell["outputs"] = said[name].outputs
    return done


def right_by(keys: Mapping[str, Key]) -> Right:
    """Whether answers are right by these keys, without a doubt and at once."""

    def right(grade_id: str, answers: Answers) -> bool:
        key = ladder.first_part(keys[grade_id.removeprefix("test_")], len(answers.observations))
        with contextlib.suppress(Exception):  # forged answers may be of any form
            return bool(key.cases) and is_light((answers,)) and ladder.all_right(key, answers)
        return False

    return right


def is_light(attempts: Attempts) -> bool:
    """Whether judging looks at few entries one by one; a hundred of an array's are one."""
    room, waiting = limits.MAX_LIGHT_ENTRIES, list[Any](attempts)
    while waiting:
        one = waiting.pop()
        if isinstance(one, np.ndarray):
            room -= one.size // 100
        inner = list(vars(one).values()) if dataclasses.is_dataclass(one) else one
        inner = list(inner.values()) if isinstance(inner, dict) else inner
        if isinstance(inner, (list, tuple)):
            room -= len(inner)
            if room >= 0:
                waiting += inner
        if room < 0:
            return False
    return True


def ask_for(lesson: Lesson, keys: Mapping[str, Key]) -> dict[str, Question]:
    """The questions that stand in the place of the test cells, by their grade ids."""
    return {f"test_{name}": judge.question(lesson, key) for name, key in keys.items()}


def _picture(key: Key, answers: Answers) -> list[NotebookNode]:
    """What an answer drew for its first case, where it came as a picture of a fair size."""
    data = "" if answers.picture is None else base64.b64encode(answers.picture.tobytes()).decode()
    if not data or not is_picture(data, limits.MAX_KEPT_PIXELS):
        return []
    return [picture(data, f"What {key.exercise} drew, for the example: {key.cases[0].label}")]


def _failed_cells(nb: NotebookNode) -> dict[str, str]:
    """The errors in which cells with a grade id ended."""
    return {
        grade_id_of(cell): f"{output.ename}: {output.evalue}"[:200]
        for cell in nb.cells
        if grade_id_of(cell) and cell.cell_type == "code"
        for output in cell.outputs
        if output.output_type == "error"
    }
