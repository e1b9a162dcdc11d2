"""What the judge makes of an exercise's right and wrong answers, judged as graded work is."""

from __future__ import annotations

import ast
import dataclasses
import functools
import linecache
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain, pairwise
from typing import Any

from autograder.authoring import corpus
from autograder.authoring.corpus import Answer
from autograder.calls import runner
from autograder.calls.runner import Question
from autograder.checks import diagnosis, scoring
from autograder.courses import Lesson
from autograder.exercises import common, public_course
from autograder.exercises.exercise import AnswerKey, Case, Criterion, Exercise, NotReached, Observation
from autograder.exercises.verdict import Outcome, State, Verdict
from autograder.judging import judge, reference
from autograder.views.trace_view import first_difference

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
    lesson: Lesson, answer: Answer, students: tuple[str, ...] = (), hasty: bool = False
) -> JudgedAnswer:
    """Return the verdicts on an answer.

    Args:
        lesson: The answer's lesson; right answers stand in for its other exercises.
        answer: The answer.
        students: The students whose hidden cases are used; those of `STUDENTS` where there are none.
        hasty: Put drawn cases once, and all cases without stubs.
    """
    keys = keys_of(lesson, answer.exercise, students or (STUDENTS if answer.right else STUDENTS[:1]))
    with public_course.use_course(lesson.course.visible):
        question = question_to(answer.code, lesson, keys[0])
        in_haste = hasty or answer.right  # a right answer has to be right as it stands, without stubs
        on_visible, *on_hidden = _ask_for_all(
            lesson,
            question,
            functools.partial(answered, lesson, answer),
            keys,
            in_haste,
            hasty or not answer.right,
        )
    attempts_by_key = (on_visible[:1], *on_hidden)  # students check without stubs
    verdicts = [judge.judge(key, attempts) for key, attempts in zip(keys, attempts_by_key, strict=True)]
    if answer.right:
        contradicted = _contradicted(keys[0], on_visible[0])
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
        if first_difference(observation.value, expected.value, case.tolerance)
    )


def _ask_for_all(
    lesson: Lesson,
    question: Question,
    make_names: Callable[[], dict[str, Any]],
    keys: Sequence[AnswerKey],
    alone: bool,
    once: bool,
) -> list[tuple[runner.Answers, ...]]:
    """Return what an answer gives for the cases of each of an exercise's keys.

    The visible cases, with which all keys begin, are put to it once, and behind them all that was drawn.

    Args:
        lesson: The answer's lesson.
        question: The question, of which the cases do not matter.
        make_names: Makes the namespace of a notebook with the answer.
        keys: The visible key, and hidden ones.
        alone: Ask without stubs, and look for no code slip.
        once: Do not ask drawn cases again, unless the answer gave something else the second time to a visible one.
    """
    shown = tuple(case for case in keys[0].cases if not case.hidden)
    drawn = [key.cases[len(shown) :] for key in keys]

    def ask(once: bool) -> tuple[runner.Answers, ...]:
        cases = (*shown, *(dataclasses.replace(case, once=once or case.once) for case in chain(*drawn)))
        asked = dataclasses.replace(question, cases=cases)
        return judge.ask_in_process(lesson, asked, make_names(), lambda answers: alone, keys[0])

    attempts = ask(once)
    if once and not alone:
        again = zip(shown, attempts[0].observations)
        if not all(diagnosis.is_steady(observation, case.tolerance) for case, observation in again):
            attempts = ask(once=False)
    ends = [*accumulate(map(len, drawn), initial=len(shown))]
    places = [(*range(len(shown)), *range(*pair)) for pair in pairwise(ends)]
    return [tuple(_of_cases(answers, some) for answers in attempts) for some in places]


def _of_cases(answers: runner.Answers, places: Iterable[int]) -> runner.Answers:
    """Return what was answered to the cases in these places, where anything was."""
    observations = answers.observations
    return dataclasses.replace(answers, observations=tuple(observations[i] for i in places if observations))


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
            asked = ((visible_key, (on_visible,)), (hidden_key, (on_all,)))
            verdicts = [judge.judge(key, attempts) for key, attempts in asked]
            crossed = [_crossed(*pair, verdict) for pair, verdict in zip(asked, verdicts)]
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
    if not answers.observations:
        return False
    return any(
        _was_looked_at(
            part, key.cases[i], answers.observations[i], key.expected[i], shaped and not key.values
        )
        for i in scoring.find_cases(key, part)
    )


def _was_looked_at(
    part: Criterion, case: Case, observation: Observation, expected: Observation, shaped: bool
) -> bool:
    if part.built:
        return observation.built is not None
    if expected.error is not None:
        return True
    if observation.error is not None:
        return False
    if part.rule is common.unchanged:
        return common.find_changed_argument(case, observation) is not None
    if shaped and _objects_to_the_rest(part, case, observation, expected):
        return True
    same_kind = not shaped or _of_a_kind(observation.value, expected.value)
    return same_kind or _objects_to_a_result(part, case, observation, expected)


def _of_a_kind(value: Any, other: Any) -> bool:
    try:
        common.require_same_kind(*map(common.strip_gradients, (value, other)))
    except NotReached:
        return False
    return True


def _objects_to_a_result(
    part: Criterion, case: Case, observation: Observation, expected: Observation
) -> bool:
    """Return whether a rule objects to a result that is of the right kind, where all other results are right."""
    if not all(isinstance(each.value, tuple) for each in (observation, expected)):
        return False
    if len(observation.value) != len(expected.value):
        return False
    for i, result in enumerate(observation.value):
        value = (*expected.value[:i], result, *expected.value[i + 1 :])
        changed = dataclasses.replace(observation, value=value, again=value)
        if _of_a_kind(result, expected.value[i]) and part.rule(case, changed, expected) is not None:
            return True
    return False


def _objects_to_the_rest(
    part: Criterion, case: Case, observation: Observation, expected: Observation
) -> bool:
    """Return whether a rule objects to something else than the value, as to an argument that changed."""
    try:
        value = dataclasses.replace(observation, value=expected.value, again=expected.value)
        return part.rule(case, value, expected) is not None
    except NotReached:
        return False


@functools.cache
def judge_corpus(lesson: Lesson, exercise: str) -> tuple[JudgedAnswer, ...]:
    """Return the verdicts on all answers to an exercise in its answers file."""
    return tuple(judge_answer(lesson, answer) for answer in corpus.answers_to(lesson, exercise))
