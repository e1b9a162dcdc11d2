"""Mistakes that a class met and the course has no name for: put together by what they do, and named by the instructor.

Two files in the class's folder. `mistakes.toml` is written by hand: names and questions, by the mistake's id.
`mistakes.json` is the grader's: what each mistake does, code of some who made it, and how many of which class did.
Copied into the next term's folder, both go on there.
A graded notebook says a name as long as it stands in the first file: `learn` gives and takes it, and nothing is run.
"""

from __future__ import annotations

import ast
import hashlib
import tomllib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import msgspec

from autograder.courses import Lesson, open_course
from autograder.courses.source import DOCUMENTED
from autograder.judge import behaviour
from autograder.judge.behaviour import Behaviour
from autograder.model.errors import CourseError
from autograder.model.verdict import Sight, Verdict
from autograder.nbgrader_plugin import limits, records, store, whole
from autograder.nbgrader_plugin.gradebook import directory_of
from autograder.nbgrader_plugin.store import GradingRecord
from autograder.sandbox import limited

NAMES, MEMORY = "mistakes.toml", "mistakes.json"


class MistakeName(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the instructor calls a mistake, and a question that leads to it; without a name it has none."""

    name: Annotated[str, msgspec.Meta(max_length=limits.MAX_MISTAKE_NAME)] = ""
    question: Annotated[str, msgspec.Meta(max_length=limits.MAX_QUESTION)] = ""


class MetMistake(msgspec.Struct, frozen=True):
    """A mistake that was met.

    does: what the first answer that made it does; known: the digests of all that do the same; examples: code of some,
    without comments; crosses: which lines of a verdict; said: what the first verdict said of the first line that did
    not hold; answers: how many make it, by the name of their class's folder.
    """

    lesson: str
    exercise: str
    does: Behaviour
    known: list[str]
    examples: list[str] = []
    crosses: list[str] = []
    said: list[str] = []
    answers: dict[str, int] = {}

    @property
    def id(self) -> str:
        """By which the instructor speaks of it."""
        text = "\0".join((self.lesson, self.exercise, self.does.digest))
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    def counted(self, folder: Path) -> tuple[int, int]:
        """How many make it in the class of this folder, and how many did in others."""
        here = self.answers.get(folder.resolve().name, 0)
        return here, sum(self.answers.values()) - here


Met = Mapping[str, MetMistake]
"""By id."""


def read_met(folder: Path) -> dict[str, MetMistake]:
    """The mistakes that a class met. Raises `CourseError` where the file is damaged."""
    path = folder / MEMORY
    try:
        found = msgspec.json.decode(path.read_bytes(), type=list[MetMistake]) if path.exists() else []
    except (msgspec.MsgspecError, UnicodeDecodeError, OSError) as error:
        raise CourseError(
            f"{path} cannot be read ({error}): put back a copy; or remove it, with {NAMES}, and begin anew"
        ) from None
    return {one.id: one for one in found}


def read_names(folder: Path, met: Met) -> dict[str, MistakeName]:
    """The names that stand in a class's file, by the mistakes' ids. Raises `CourseError` for what cannot be meant."""
    path = folder / NAMES
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        found = {one: msgspec.convert(entry, MistakeName) for one, entry in data.items()}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError, OSError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from None
    for one, given in found.items():
        _expect_name(given, f"{path}, [{one}]: ")
        if one not in met:
            raise CourseError(f"{path}: no mistake in {MEMORY} is called [{one}]; the reports show their ids")
    return {one: given for one, given in found.items() if given.name}


def _expect_name(given: MistakeName, where: str = "") -> None:
    """Raises `CourseError` for what no page can show, and for a name without a question."""
    texts = {"name": (given.name, limits.MAX_MISTAKE_NAME), "question": (given.question, limits.MAX_QUESTION)}
    for what, (text, most) in texts.items():
        if not text.isprintable() or text != text.strip() or len(text) > most:
            raise CourseError(f"{where}write the {what} in one line, with {most} characters at most")
    if given.name and not given.question:
        raise CourseError(f"{where}ask a question as well, which leads to the mistake")


def _mode(folder: Path) -> int:
    """Of files that all who share a class's folder write."""
    return 0o660 if folder.stat().st_mode & 0o020 else 0o600


@dataclass(frozen=True)
class _Unnamed:
    """A wrong answer whose mistake the course has no name for, and the record that has it."""

    record: GradingRecord
    exercise: str
    verdict: Verdict
    does: Behaviour
    code: str


def learn(lesson: Lesson, folder: Path) -> None:
    """Put together what a class's graded answers to a lesson do that are wrong without a name, and keep that; and
    have each say the name that the instructor has for its mistake, and no other one.

    Raises `CourseError` where a file of the class's cannot be read.
    """
    before = read_met(folder)
    met, names, answers = {**before}, read_names(folder, before), _unnamed(lesson, folder)
    made = _put_together(lesson, met, answers)
    found = _counted(lesson, folder, met, names, made)
    if found != before:
        whole.write_whole(folder / MEMORY, msgspec.json.encode([*found.values()]) + b"\n", _mode(folder))
    renamed = dict[str, tuple[GradingRecord, dict[str, Verdict]]]()
    for mistake, own in made.items():
        given = names.get(mistake, MistakeName())
        name, question = given.name, given.question
        for one in own:
            verdict = replace(one.verdict, misconception=name, looks_like=name, question=question)
            if verdict != one.verdict:
                renamed.setdefault(one.record.student, (one.record, {}))[1][one.exercise] = verdict
    for record, verdicts in renamed.values():
        store.replace_verdicts(directory_of(lesson.course, folder), record, verdicts)


def _unnamed(lesson: Lesson, folder: Path) -> list[_Unnamed]:
    """Of the answers to a lesson; of earlier terms' and forged exercises nothing is looked at."""
    found = []
    exercises = {one.id for one in lesson.graded}
    known = store.load_records(directory_of(lesson.course, folder), lesson.id)
    for student in records.graded_work(folder, lesson):
        record = known[student]
        for name in sorted(exercises & record.behaviours.keys() & record.verdicts.keys()):
            code = record.code.get(name, "")
            found.append(_Unnamed(record, name, record.verdicts[name], record.behaviours[name], code))
    return found


_Made = Mapping[str, Sequence[_Unnamed]]
"""The answers that make each mistake, by its id; by "" those of which it took too long to find out."""


def _put_together(lesson: Lesson, met: dict[str, MetMistake], answers: Sequence[_Unnamed]) -> _Made:
    """Which mistake each answer makes; new ones come into `met`."""
    by_exercise, made = (defaultdict[str, list[_Unnamed]](list) for _ in range(2))
    for one in answers:
        by_exercise[one.exercise].append(one)
    for exercise, own in by_exercise.items():
        asked = behaviour.asked_by(lesson, exercise)
        here = (lesson.id, exercise, asked)
        known = [one for one in met.values() if (one.lesson, one.exercise, one.does.asked) == here]
        ids = {digest: one.id for one in known for digest in one.known}
        new = {one.does.digest: one for one in own if one.does.asked == asked and one.does.digest not in ids}
        for digest, mistake in _first_alike(lesson, exercise, known, [*new.values()]).items():
            ids[digest] = mistake.id
            before = met.get(mistake.id, mistake)
            met[mistake.id] = msgspec.structs.replace(before, known=[*before.known, digest])
        for one in own:
            made[ids.get(one.does.digest, "")].append(one)
    return made


def _first_alike(
    lesson: Lesson, exercise: str, known: Sequence[MetMistake], new: Sequence[_Unnamed]
) -> dict[str, MetMistake]:
    """The mistake of each new behaviour, by its digest."""
    if not new:
        return {}
    of = (str(lesson.course.root), lesson.id, exercise)
    does = [*(one.does for one in known), *(one.does for one in new)]
    try:
        first = limited.call(
            behaviour.put_together,
            *(*of, does),
            seconds=limits.MAX_GROUPING_SECONDS,
            before=(asked_of, *of),
            access=limited.FileAccess([str(lesson.course.root)]),
        )
    except (limited.Overrun, limited.Lost, RuntimeError):  # students' code gave it: they stay without a name
        return {}
    all_of_them = [*known, *(_new(lesson, one) for one in new)]
    return {one.does.digest: all_of_them[first[len(known) + i]] for i, one in enumerate(new)}


def asked_of(course: str, lesson: str, exercise: str) -> None:
    """Read an exercise and what it asks, once, before answers to it are compared."""
    behaviour.asked_by(open_course(course).lesson(lesson), exercise)


def _new(lesson: Lesson, one: _Unnamed) -> MetMistake:
    crosses = [line.title for line in one.verdict.lines if line.sight is Sight.FAILED]
    said = next((line.details for line in one.verdict.lines if not line.passed), ())
    return MetMistake(lesson.id, one.exercise, one.does, [], crosses=crosses, said=[*said])


def _counted(
    lesson: Lesson, folder: Path, met: Met, names: Collection[str], made: _Made
) -> dict[str, MetMistake]:
    """The mistakes with how many of this class make them, and code of some; without those that nobody makes any more
    and nobody named.
    """
    here, found = folder.resolve().name, {}
    for id, mistake in met.items():
        if mistake.lesson == lesson.id:
            count, answers = len(made.get(id, ())), {**mistake.answers}
            before = answers.pop(here, 0)
            if count:
                answers[here] = count
            examples = mistake.examples if count in (0, before) else _examples(mistake, made[id])
            mistake = msgspec.structs.replace(mistake, answers=answers, examples=examples)
        if mistake.answers or id in names:
            found[id] = mistake
    return found


def _examples(mistake: MetMistake, made: Sequence[_Unnamed]) -> list[str]:
    """The codes that are known of those who made a mistake; where these are few, and others, the shortest first."""
    if len(mistake.examples) >= limits.MAX_EXAMPLES:
        return mistake.examples
    codes = sorted(
        {one.code for one in made if len(one.code) <= limits.MAX_EXAMPLE}, key=lambda code: (len(code), code)
    )
    tidied = limited.each(without_comments, codes, limits.MAX_TIDYING_SECONDS)
    return [*dict.fromkeys([*mistake.examples, *filter(None, tidied)])][: limits.MAX_EXAMPLES]


def without_comments(code: str) -> str:
    """Code as Python reads it: who wrote it is told by neither layout, comments nor docstrings."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    return ast.unparse(tree)


def unnamed(folder: Path, lesson: Lesson) -> list[tuple[MetMistake, int, int]]:
    """The mistakes in a lesson that this class makes and that have no name, the most frequent here first; each with
    how many make it here, and how many did in other classes.
    """
    met = read_met(folder)
    names = read_names(folder, met)
    found = [(one, *one.counted(folder)) for one in most_frequent(met, lesson.id) if one.id not in names]
    return sorted((each for each in found if each[1]), key=lambda each: -each[1])


def most_frequent(met: Met, lesson: str) -> list[MetMistake]:
    """The mistakes met in a lesson, the most frequent first."""
    found = [one for one in met.values() if one.lesson == lesson]
    return sorted(found, key=lambda one: (-sum(one.answers.values()), one.exercise, one.id))
