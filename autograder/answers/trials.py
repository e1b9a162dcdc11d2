"""What the judge makes of an exercise's right and wrong answers, judged as graded work is."""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import functools
import linecache
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from autograder.answers import corpus
from autograder.answers.corpus import Answer
from autograder.calls import runner
from autograder.calls.runner import Question
from autograder.checks import scoring
from autograder.courses import Lesson
from autograder.exercises import common, public_course, values
from autograder.exercises.exercise import AnswerKey, Case, Criterion, Exercise, NotReached, Observation
from autograder.exercises.verdict import Outcome, State, Verdict
from autograder.judging import judge, reference

STUDENTS = ("amy", "bo")
"""The students whose hidden cases are used. A wrong answer is put to the first one's alone."""


@dataclass(frozen=True)
class JudgedAnswer:
    """The verdicts on an answer: on the visible cases, and on the hidden ones of each student.

    false_crosses: criteria that are crossed although nothing shows them to fail, or that the mistake does not break.
    crossed: of a listed mistake's wrong answer, the criteria that it breaks.
    contradicted: of a right answer, tags of visible cases beside which another value would be shown as expected.
    """

    lesson: str
    answer: Answer
    visible: Verdict
    hidden: tuple[Verdict, ...]
    false_crosses: tuple[str, ...] = ()
    contradicted: tuple[str, ...] = ()
    crossed: tuple[str, ...] = ()

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Return all verdicts, that on the visible cases first."""
        return self.visible, *self.hidden

    @property
    def falsely_named(self) -> bool:
        """Return whether a verdict gives a name that is not true of the answer."""
        return any(verdict.misconception not in ("", *self.answer.true) for verdict in self.verdicts)

    @property
    def falsely_green(self) -> bool:
        """Return whether a wrong answer fails on hidden cases alone."""
        return not self.answer.right and self.visible.state is State.RIGHT

    @property
    def accepted(self) -> bool:
        """Return whether the answer gets all points on all cases."""
        return all(verdict.state is State.RIGHT for verdict in self.verdicts)

    @property
    def refused(self) -> bool:
        """Return whether hidden cases refuse the answer, for every student."""
        return all(map(is_refused, self.hidden))

    @property
    def named_visible(self) -> bool:
        """Return whether the verdict on the visible cases names the answer's mistake."""
        return self.visible.misconception == self.answer.misconception

    @property
    def named_hidden(self) -> bool:
        """Return whether each verdict on hidden cases names the answer's mistake."""
        return all(verdict.misconception == self.answer.misconception for verdict in self.hidden)

    @property
    def complaint(self) -> str:
        """What the judge did wrong, in a line; empty when it did nothing wrong."""
        if self.answer.right and not self.accepted:
            broken = next(verdict for verdict in self.verdicts if verdict.state is not State.RIGHT)
            failing = next((line for line in broken.lines if not line.passed), None)
            texts = (*broken.problem, *((failing.title, *failing.details) if failing else ()))
            return f"right, but refused: {' / '.join(texts)}"
        if self.answer.right:
            contradicted = f"right, but told to give something else: {self.contradicted}"
            return contradicted if self.contradicted else ""
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
    """Return whether an answer lost points, or a criterion worth 0 was crossed."""
    crossed = [line for line in verdict.lines if line.sight is Outcome.FAILED]
    by_a_line_worth_nothing = bool(crossed) and not any(line.points for line in crossed)
    return verdict.state is State.WRONG and (verdict.points < verdict.max_points or by_a_line_worth_nothing)


@functools.lru_cache(maxsize=8)
def keys_of(lesson: Lesson, exercise: str, students: tuple[str, ...]) -> tuple[AnswerKey, ...]:
    """Return the visible key, and the hidden key of each student."""
    hidden = (judge.hidden_key(lesson, exercise, student) for student in students)
    return judge.visible_key(lesson, exercise), *hidden


def make_namespace(lesson: Lesson, exercise: Exercise) -> dict[str, Any]:
    """Return the names of a notebook with right answers to all other exercises."""
    names = {**reference.load_namespace(lesson), "__name__": "__main__"}
    for name in (exercise.id, *exercise.values):
        names.pop(name, None)
    return names


def answered(lesson: Lesson, answer: Answer) -> dict[str, Any]:
    """Return that namespace with this answer as well, whose text can be read again."""
    names = make_namespace(lesson, lesson.exercise(answer.exercise))
    file = f"<{lesson.id}, {answer.exercise}: {answer.style}>"
    linecache.cache[file] = len(answer.code), None, answer.code.splitlines(keepends=True), file
    exec(compile(answer.code, file, "exec"), names)
    return names


def question_to(code: str, lesson: Lesson, key: AnswerKey) -> Question:
    """Return the question to an answer, without stubs where the answer defines none of these names anew.

    A stub equals the course's own answer, so such an answer gives the same with it.
    """
    question = judge.make_question(lesson, key)
    nodes = [*ast.walk(ast.parse(code))]
    bound = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.alias))}
    bound |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return question if bound & {*question.reference_stubs, *question.helpers} else question.without_stubs()


def judge_answer(
    lesson: Lesson, answer: Answer, students: tuple[str, ...] = (), alone: bool = False
) -> JudgedAnswer:
    """Return the verdicts on an answer.

    Args:
        lesson: The answer's lesson; right answers stand in for its other exercises.
        answer: The answer.
        students: The students whose hidden cases are used; those of `STUDENTS` where there are none.
        alone: Ask without stubs, as a right answer is asked, which has to be right as it stands.
    """
    keys = keys_of(lesson, answer.exercise, students or (STUDENTS if answer.right else STUDENTS[:1]))
    question = question_to(answer.code, lesson, keys[0])
    alone = alone or answer.right
    on_hidden = []
    with public_course.use_course(lesson.course.visible):
        for key in keys[1:]:
            on_key, names = dataclasses.replace(question, cases=key.cases), answered(lesson, answer)
            on_hidden.append(judge.ask_in_process(lesson, on_key, names, lambda answers: alone, keys[0]))
    shown = on_hidden[0][0].observations[: len(keys[0].cases)]
    on_visible = dataclasses.replace(on_hidden[0][0], observations=shown)
    attempts_by_key = ((on_visible,), *on_hidden)  # students check without stubs
    verdicts = [judge.judge(key, attempts) for key, attempts in zip(keys, attempts_by_key, strict=True)]
    if answer.right:
        contradicted = _contradicted(keys[0], on_visible)
        return JudgedAnswer(lesson.id, answer, verdicts[0], tuple(verdicts[1:]), contradicted=contradicted)
    crosses = {
        title
        for key, attempts, verdict in zip(keys, attempts_by_key, verdicts, strict=True)
        for title in (
            *false_crosses(key, attempts, verdict),
            *undeclared(lesson, answer, key, attempts, verdict),
        )
    }
    return JudgedAnswer(lesson.id, answer, verdicts[0], tuple(verdicts[1:]), tuple(crosses))


def _contradicted(key: AnswerKey, answers: runner.Answers) -> tuple[str, ...]:
    triples = zip(key.cases, answers.observations, key.expected)
    return tuple(
        case.tag
        for case, observation, expected in triples
        if not key.values and case.tag not in key.free
        if not values.are_close(observation.value, expected.value, case.tolerance)
    )


def false_crosses(key: AnswerKey, attempts: Sequence[runner.Answers], verdict: Verdict) -> list[str]:
    """Return the lines that are crossed although nothing of what came back can have shown them to fail.

    A line needs an answer that came back on one of its cases; from the second such line on, one of the right kind and
    shape; one about the arguments, an argument that changed.
    """
    failed = [
        part for part, line in zip(key.criteria, verdict.lines, strict=True) if line.sight is Outcome.FAILED
    ]
    return [
        part.title
        for number, part in enumerate(failed)
        if not any(_can_fail(key, part, answers, shaped=number > 0) for answers in attempts)
    ]


def undeclared(
    lesson: Lesson, answer: Answer, key: AnswerKey, attempts: Sequence[runner.Answers], verdict: Verdict
) -> list[str]:
    """Return the lines that are crossed for a listed mistake although it does not break them.

    A mistake breaks what the answers file declares, or else what `proposed_crosses` finds. Only where there is more
    than one line to tell apart; that numbers were not finite was seen, and need not be declared.
    """
    if not answer.misconception or len(key.criteria) == 1:
        return []
    allowed = {**proposed_crosses(lesson, answer.exercise), **corpus.crosses(lesson, answer.exercise)}
    broken = tuple(title for name in answer.true for title in allowed.get(name, ()))
    return [title for title in _crossed(key, attempts, verdict) if not title.startswith(broken)]


def _crossed(key: AnswerKey, attempts: Sequence[runner.Answers], verdict: Verdict) -> list[str]:
    """Return the lines that are crossed, but for those that are because numbers were not finite."""
    return [
        part.title
        for part, line in zip(key.criteria, verdict.lines, strict=True)
        if line.sight is Outcome.FAILED
        and not (part.plain and any(scoring.overflows(key, part, each.observations) for each in attempts))
    ]


@functools.cache
def judge_listed(lesson: Lesson, exercise: str) -> tuple[JudgedAnswer, ...]:
    """Return the verdicts on the wrong answers of each listed mistake, as a judging module holds them.

    Raises:
        CourseError: A wrong answer does not apply to the solution.
    """
    judged, (visible_key, hidden_key) = list[JudgedAnswer](), keys_of(lesson, exercise, STUDENTS[:1])
    question = judge.make_question(lesson, visible_key).without_stubs()
    for number, mistake in enumerate(hidden_key.mistakes):
        for variant, observations in enumerate(mistake.observations):
            names = {**reference.load_mistaken(lesson, exercise, number, variant), "__name__": "__main__"}
            with public_course.use_course(lesson.course.visible):
                on_visible = runner.ask_all(question, names)
            drawn = (
                dataclasses.replace(each, again=each.value) for each in observations[len(visible_key.cases) :]
            )
            on_all = dataclasses.replace(on_visible, observations=(*on_visible.observations, *drawn))
            pairs = ((visible_key, (on_visible,)), (hidden_key, (on_all,)))
            verdicts = [judge.judge(key, attempts) for key, attempts in pairs]
            crossed = [_crossed(*pair, verdict) for pair, verdict in zip(pairs, verdicts)]
            listed = Answer(exercise, f"listed, {variant + 1}", "", mistake.name, true=(mistake.name,))
            judged.append(
                JudgedAnswer(lesson.id, listed, verdicts[0], (verdicts[1],), crossed=(*chain(*crossed),))
            )
    return tuple(judged)


def proposed_crosses(lesson: Lesson, exercise: str) -> Mapping[str, tuple[str, ...]]:
    """Return by each listed mistake's name the criteria that its wrong answers are crossed for."""
    definition = lesson.exercise(exercise)
    crossed: dict[str, set[str]] = {mistake.name: set() for mistake in definition.misconceptions}
    for outcome in judge_listed(lesson, exercise):
        crossed[outcome.answer.misconception].update(outcome.crossed)
    titles = [part.title for part in definition.criteria]
    return {name: tuple(title for title in titles if title in broken) for name, broken in crossed.items()}


def _can_fail(key: AnswerKey, part: Criterion, answers: runner.Answers, shaped: bool) -> bool:
    places = scoring.find_cases(key, part) if answers.observations else ()
    triples = ((key.cases[i], answers.observations[i], key.expected[i]) for i in places)
    return any(_was_looked_at(part, *triple, shaped and not key.values) for triple in triples)


def _was_looked_at(
    part: Criterion, case: Case, observation: Observation, expected: Observation, shaped: bool
) -> bool:
    """Return whether a rule can have seen something in an answer; shaped: whether that takes the right kind.

    A result of another kind counts where the rule objects to what is right in it, beside right results.
    """
    if part.built:
        return observation.built is not None
    if expected.error is not None or observation.error is not None:
        return expected.error is not None
    if part.rule is common.unchanged:
        return common.find_changed_argument(case, observation) is not None
    if not shaped or _of_a_kind(observation.value, expected.value):
        return True
    for value in _with_right_results(observation.value, expected.value):
        with contextlib.suppress(NotReached):
            if part.rule(case, dataclasses.replace(observation, value=value, again=value), expected):
                return True
    return False


def _with_right_results(value: Any, expected: Any) -> Iterator[Any]:
    """Yield what is expected, and that with one of several results in its place, where this is of the right kind."""
    yield expected
    if isinstance(value, tuple) and isinstance(expected, tuple) and len(value) == len(expected):
        for i, result in enumerate(value):
            if _of_a_kind(result, expected[i]):
                yield (*expected[:i], result, *expected[i + 1 :])


def _of_a_kind(value: Any, expected: Any) -> bool:
    try:
        common.require_same_kind(*map(common.strip_gradients, (value, expected)))
    except NotReached:
        return False
    return True


@functools.cache
def judge_corpus(lesson: Lesson, exercise: str) -> tuple[JudgedAnswer, ...]:
    """Return the verdicts on all answers to an exercise in its answers file."""
    return tuple(judge_answer(lesson, answer) for answer in corpus.answers_to(lesson, exercise))
