"""What the judge makes of answers: those of the corpus, and references with two mistakes at once."""

from __future__ import annotations

import dataclasses
import functools
import linecache
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any

from autograder.authoring.corpus import Answer, answers, crosses
from autograder.calls import runner
from autograder.checks import diagnosis, scoring
from autograder.exercises import common
from autograder.exercises import public_course as visible
from autograder.exercises.exercise import AnswerKey, Case, Criterion, Exercise, NotReached, Observation
from autograder.exercises.verdict import Outcome, Verdict
from autograder.judging import judge, reference
from autograder.tests import pairs
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, question_to, stored_key
from autograder.views.trace_view import first_difference

STUDENTS = ("amy", "bo")
"""Whose hidden cases are used; every student's are drawn anew. A wrong answer is put to the first one's alone."""


@dataclass(frozen=True)
class JudgedAnswer:
    """What the judge made of an answer: on the visible cases, and on the hidden ones of each student."""

    lesson: str
    answer: Answer
    visible: Verdict
    hidden: tuple[Verdict, ...]
    false_crosses: tuple[str, ...] = ()
    told_another: tuple[str, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return self.visible, *self.hidden

    @property
    def falsely_named(self) -> bool:
        """Whether a verdict gives a name that is not true of the answer."""
        return any(verdict.misconception not in ("", *self.answer.true) for verdict in self.verdicts)

    @property
    def falsely_green(self) -> bool:
        """Wrong, and told so by hidden cases alone."""
        return not self.answer.right and self.visible.state == "right"

    @property
    def accepted(self) -> bool:
        """Full marks everywhere."""
        return all(verdict.state == "right" for verdict in self.verdicts)

    @property
    def refused(self) -> bool:
        """Wrong for everybody: what may look right on the visible cases fails on the hidden ones."""
        return all(map(is_refused, self.hidden))

    @property
    def named_visible(self) -> bool:
        return self.visible.misconception == self.answer.misconception

    @property
    def named_hidden(self) -> bool:
        return all(verdict.misconception == self.answer.misconception for verdict in self.hidden)

    @property
    def complaint(self) -> str:
        """What the judge did wrong, in a line; empty when it did nothing wrong."""
        if self.answer.right and not self.accepted:
            broken = next(verdict for verdict in self.verdicts if verdict.state != "right")
            failing = next((line for line in broken.lines if not line.passed), None)
            texts = (*broken.problem, *((failing.title, *failing.details) if failing else ()))
            return f"right, but refused: {' / '.join(texts)}"
        if self.answer.right:
            return f"right, but told to give something else: {self.told_another}" if self.told_another else ""
        if not self.refused:
            return "wrong, but not refused"
        if self.false_crosses:
            return f"crossed, but not seen to fail: {'; '.join(self.false_crosses)}"
        if self.falsely_green:
            return "wrong, but right on all visible cases"
        unnamed = self.answer.misconception and not (self.named_visible and self.named_hidden)
        if not self.falsely_named and not unnamed:
            return ""
        names = ", ".join(verdict.misconception or "nothing" for verdict in self.verdicts)
        return f"{self.answer.misconception or 'no listed mistake'}, but named {names}"


def is_refused(verdict: Verdict) -> bool:
    """Whether an answer was told to be wrong, and why: by the points it lost, or by a line worth 0 that was crossed."""
    crossed = [line for line in verdict.lines if line.sight is Outcome.FAILED]
    by_a_line_worth_nothing = bool(crossed) and not any(line.points for line in crossed)
    return verdict.state == "wrong" and (verdict.points < verdict.max_points or by_a_line_worth_nothing)


@functools.lru_cache(maxsize=8)
def keys_of(lesson: str, exercise: str, students: tuple[str, ...]) -> tuple[AnswerKey, ...]:
    """The visible key, as it was built, and each student's hidden one."""
    hidden = (judge.hidden_key(find_lesson(lesson), exercise, student) for student in students)
    return stored_key(lesson, exercise), *hidden


def notebook(lesson: str, exercise: Exercise) -> dict[str, Any]:
    """A notebook's names with all exercises answered but this one."""
    own = {exercise.id, *exercise.values}
    names = {
        name: value
        for name, value in reference.load_namespace(find_lesson(lesson)).items()
        if name not in own
    }
    return {**names, "__name__": "__main__"}


def answered(lesson: str, answer: Answer) -> dict[str, Any]:
    """That notebook's names with this answer as well, whose text can be read again."""
    names = notebook(lesson, find_exercise(lesson, answer.exercise))
    file = f"<{lesson}, {answer.exercise}: {answer.style}>"
    linecache.cache[file] = len(answer.code), None, answer.code.splitlines(keepends=True), file
    exec(compile(answer.code, file, "exec"), names)
    return names


def judged(lesson: str, answer: Answer, students: tuple[str, ...] = (), hasty: bool = False) -> JudgedAnswer:
    """Run the cell, put the cases to it, and judge what comes back.

    hasty: what was drawn is asked once, and all without stand-ins, which are the right answers that the notebook has.
    """
    keys = keys_of(lesson, answer.exercise, students or (STUDENTS if answer.right else STUDENTS[:1]))
    with visible.use_course(COURSE.visible):
        on_visible, *on_hidden = _ask_for_all(lesson, answer, keys, hasty)
    asked = (on_visible[:1], *on_hidden)  # students check without stand-ins
    verdicts = [judge.judge(key, attempts) for key, attempts in zip(keys, asked, strict=True)]
    if answer.right:
        told = told_another(keys[0], on_visible[0])
        return JudgedAnswer(lesson, answer, verdicts[0], tuple(verdicts[1:]), told_another=told)
    crosses = {
        title
        for key, attempts, verdict in zip(keys, asked, verdicts, strict=True)
        for title in (
            *false_crosses(key, attempts, verdict),
            *undeclared(lesson, answer, key, attempts, verdict),
        )
    }
    return JudgedAnswer(lesson, answer, verdicts[0], tuple(verdicts[1:]), tuple(crosses))


def told_another(key: AnswerKey, answers: runner.Answers) -> tuple[str, ...]:
    """Of a right answer, the tags of visible cases beside which something else would be shown as what is expected."""
    asked = zip(key.cases, answers.observations, key.expected)
    return tuple(
        case.tag
        for case, seen, expected in asked
        if not key.values and case.tag not in key.free
        if first_difference(seen.value, expected.value, case.tolerance)
    )


def _ask_for_all(
    lesson: str, answer: Answer, keys: Sequence[AnswerKey], hasty: bool
) -> list[tuple[runner.Answers, ...]]:
    """What an answer gives for the cases of each of an exercise's keys.

    The visible cases, with which all keys begin, are put to it once, and behind them all that was drawn; what was drawn
    is not asked again of a wrong answer that gave the same twice on each visible case. A right one has to be right as
    it stands: with stand-ins it could only hide that it is not.
    """
    shown = tuple(case for case in keys[0].cases if not case.hidden)
    drawn = [key.cases[len(shown) :] for key in keys]
    question = question_to(answer.code, lesson, keys[0])

    def ask(once: bool) -> tuple[runner.Answers, ...]:
        cases = (*shown, *(dataclasses.replace(case, once=once or case.once) for case in chain(*drawn)))
        asked, names = dataclasses.replace(question, cases=cases), answered(lesson, answer)
        return judge.ask_in_process(
            find_lesson(lesson), asked, names, lambda own: hasty or answer.right, keys[0]
        )

    attempts = ask(once=hasty or not answer.right)
    if not (hasty or answer.right):
        again = zip(shown, attempts[0].observations)
        if not all(diagnosis.is_steady(seen, case.tolerance) for case, seen in again):
            attempts = ask(once=False)
    ends = [*accumulate(map(len, drawn), initial=len(shown))]
    places = [(*range(len(shown)), *range(*one)) for one in pairwise(ends)]
    return [tuple(_of_cases(answers, some) for answers in attempts) for some in places]


def _of_cases(answers: runner.Answers, places: Iterable[int]) -> runner.Answers:
    """What was answered to the cases in these places, where anything was."""
    seen = answers.observations
    return dataclasses.replace(answers, observations=tuple(seen[i] for i in places if seen))


def false_crosses(key: AnswerKey, attempts: Sequence[runner.Answers], verdict: Verdict) -> list[str]:
    """The lines that are crossed although nothing of what came back can have shown them to fail.

    A line needs an answer that came back on one of its cases; from the second such line on, one of the right kind and
    shape; one about the arguments, an argument that changed.
    """
    failed = [
        (part, line)
        for part, line in zip(key.criteria, verdict.lines, strict=True)
        if line.sight is Outcome.FAILED
    ]
    return [
        part.title
        for number, (part, _) in enumerate(failed)
        if not any(_can_fail(key, part, answers, shaped=number > 0) for answers in attempts)
    ]


def undeclared(
    lesson: str, answer: Answer, key: AnswerKey, attempts: Sequence[runner.Answers], verdict: Verdict
) -> list[str]:
    """Of listed mistakes, the lines that are crossed though the corpus does not say that they break them.

    Where there is more than one line to tell apart; that numbers were not finite was seen, and need not be said.
    """
    if not answer.misconception or len(key.criteria) == 1:
        return []
    said = crosses(find_lesson(lesson), answer.exercise)
    broken = tuple(title for name in answer.true for title in said.get(name, ()))
    return [
        part.title
        for part, line in zip(key.criteria, verdict.lines, strict=True)
        if line.sight is Outcome.FAILED and not part.title.startswith(broken)
        if not (part.plain and any(scoring.overflows(key, part, one.observations) for one in attempts))
    ]


def _can_fail(key: AnswerKey, part: Criterion, answers: runner.Answers, shaped: bool) -> bool:
    if not answers.observations:
        return False
    return any(
        _looked_at(part, key.cases[i], answers.observations[i], key.expected[i], shaped and not key.values)
        for i in scoring.find_cases(key, part)
    )


def _looked_at(part: Criterion, case: Case, seen: Observation, expected: Observation, shaped: bool) -> bool:
    if part.built:
        return seen.built is not None
    if expected.error is not None:
        return True
    if seen.error is not None:
        return False
    if part.rule is common.unchanged:
        return common.find_changed_argument(case, seen) is not None
    if shaped and _objects_to_the_rest(part, case, seen, expected):
        return True
    return not shaped or _of_a_kind(seen.value, expected.value) or _objects_to_one(part, case, seen, expected)


def _of_a_kind(one: Any, other: Any) -> bool:
    try:
        common.require_same_kind(*map(common.strip_gradients, (one, other)))
    except NotReached:
        return False
    return True


def _objects_to_one(part: Criterion, case: Case, seen: Observation, expected: Observation) -> bool:
    """Whether a rule objects to one of several results that is of the right kind, where all others are right."""
    if not all(isinstance(one.value, tuple) for one in (seen, expected)):
        return False
    if len(seen.value) != len(expected.value):
        return False
    for i, one in enumerate(seen.value):
        value = (*expected.value[:i], one, *expected.value[i + 1 :])
        told = dataclasses.replace(seen, value=value, again=value)
        if _of_a_kind(one, expected.value[i]) and part.rule(case, told, expected) is not None:
            return True
    return False


def _objects_to_the_rest(part: Criterion, case: Case, seen: Observation, expected: Observation) -> bool:
    """Whether a rule objects to something else than the value, as to an argument that changed."""
    try:
        value = dataclasses.replace(seen, value=expected.value, again=expected.value)
        return part.rule(case, value, expected) is not None
    except NotReached:
        return False


@functools.cache
def of_corpus(lesson: str, exercise: str) -> tuple[JudgedAnswer, ...]:
    """The judge's verdicts on all answers to an exercise."""
    asked = [answer for answer in answers(find_lesson(lesson)) if answer.exercise == exercise]
    return tuple(judged(lesson, answer) for answer in asked)


@functools.cache
def of_pairs(lesson: str, exercise: str) -> tuple[JudgedAnswer, ...]:
    """The judge's verdicts on answers with two mistakes at once."""
    return tuple(judged(lesson, answer) for answer in pairs.answers(lesson, exercise))
