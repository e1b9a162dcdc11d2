"""`check(answer)`, which shows a student's verdict in the notebook at once."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from autograder.calls import runner
from autograder.calls.call import find_error_line
from autograder.calls.timeout import interrupt_after, interrupted_import
from autograder.checks import answer_keys, scoring
from autograder.exercises import public_course
from autograder.exercises.errors import CourseError
from autograder.exercises.exercise import AnswerKey
from autograder.exercises.verdict import State, Verdict
from autograder.notebook import attempt_log, help_policy, solutions_unlocked
from autograder.notebook.cell_hooks import CellHooks
from autograder.notebook.help_policy import CheckedAnswer
from autograder.notebook.shadowed_names import describe_overwritten
from autograder.views import verdict_view
from autograder.views.display import VALIDATING, display_as, display_sections, is_unattended, running_shell

SECONDS = 10
"""Processor time after which a check ends, whatever the answer does; see `interrupt_after`."""

UNREAD = "its cell did not run ({}): mend that and run it again; what was there before is not judged"


class Checker:
    """Judges an answer on the lesson's visible examples and shows the verdict.

    Call it with the function or class you wrote, `check(answer)`, or with the name of an exercise that asks
    for values, `check("predict_by_hand")`. It raises nothing for a wrong answer: the verdict is displayed. While
    nbgrader validates a notebook, one line goes to stderr as well, which is what it counts.
    """

    def __init__(self) -> None:
        self.lesson_id: str | None = None
        """The lesson that the notebook's first cell names."""
        self._hooks = CellHooks({}, self)
        self._question: Any = None
        """The card of the quiz that was shown last."""

    def lesson(self, lesson: str) -> None:
        """Name the notebook's lesson, because exercises of two lessons may share a name.

        The lesson's examples are read here, so that the first check need not wait for that.

        Raises:
            CourseError: There is no such lesson.
        """
        self._hooks = CellHooks(_keys_of(lesson), self)
        self.lesson_id = lesson
        if (shell := running_shell()) is not None:
            self._hooks.install(shell)

    @property
    def notebook(self) -> str | None:
        """The id of this notebook's lesson; None outside a notebook, and before `lesson` was called."""
        return self.lesson_id if running_shell() is not None else None

    def __call__(self, answer: Any) -> None:
        """Judge an answer, and show the verdict with the help that is due."""
        lesson, key = self._find(answer)
        if unread := self._hooks.syntax_errors.get(key.exercise):
            _show(scoring.explain_unjudged(key, State.WRONG, UNREAD.format(unread)))
            return
        namespace = dict(_notebook()) if isinstance(answer, str) else _namespace_of(answer, key)
        checked = _judge_in_time(lesson, key, namespace)
        verdict = replace(checked.verdict, cell_failed=self._hooks.errors.get(key.exercise, ""))
        is_defined = any(name in namespace for name in key.values or (key.exercise,))
        counted = is_defined and verdict.state is not State.NOT_STARTED and not is_unattended()
        digest = attempt_log.digest_of(key, namespace) if counted else ""
        attempts = attempt_log.record_check(lesson, verdict, digest)
        added = add_sections(attempts, checked) if counted else []
        if added and added[0].question:
            self._question = added[0].question
            _show(verdict, added[:1])
            self._question.show_buttons()
            display_sections(added[1:])
        else:
            _show(verdict, added)

    def step_through(self, answer: Any, *args: Any, **kwargs: Any) -> None:
        """Show the values that each line of an answer makes, of a loop in its first and last turn.

        Args:
            answer: A function or module.
            args: The arguments of the call that is traced. Without any, it is the case that the verdict explains, or
                else the smallest one.
            kwargs: The keyword arguments of that call.
        """
        if args or kwargs:
            with interrupt_after(SECONDS):
                added = help_policy.trace_call(answer, args, kwargs)
        else:
            lesson, key = self._find(answer)
            checked = _judge_in_time(lesson, key, _namespace_of(answer, key))
            steps = help_policy.trace_explained_case(checked, help_policy.SECONDS_ON_REQUEST)
            added = steps or help_policy.explain_missing_trace(key.exercise)
        display_sections([added])

    def answer(self, number: int) -> None:
        """Answer the question that a right answer opened last, by the number of a choice."""
        if self._question:
            self._question.show_reply(number)
        elif not is_unattended():
            display_sections([verdict_view.paragraph("No question is open", "A right answer opens one.")])

    def twin(self, answer: Any) -> None:
        """Judge the answer to an exercise's twin, without points: `check.twin(double_twin)`."""
        if is_unattended():
            return
        keys_of = functools.partial(answer_keys.load_variants, public_course.current_course())
        lesson, key = self._find(answer, keys_of)
        _show(_judge_in_time(lesson, key, _namespace_of(answer, key)).verdict)

    def _find(
        self, answer: Any, keys_of: Callable[[str], Mapping[str, AnswerKey]] | None = None
    ) -> tuple[str, AnswerKey]:
        lessons = [self.lesson_id] if self.lesson_id else public_course.current_course().lessons
        by_lesson = {lesson: (keys_of or _keys_of)(lesson) for lesson in lessons}
        exercises = [*chain(*by_lesson.values())]
        exercise = answer if isinstance(answer, str) else _exercise_name(answer, exercises)
        matches = [(lesson, keys[exercise]) for lesson, keys in by_lesson.items() if exercise in keys]
        if len(matches) > 1:
            where = "more than one lesson: run the notebook's first cell"
            raise CourseError(f"{exercise} is asked for in {where}")
        if not matches:
            names = f"check() knows {', '.join(exercises)}"
            raise CourseError(f"there is no exercise called {exercise!r} here; {names}")
        return matches[0]


check = Checker()
"""The instance that notebooks import."""

step_through = check.step_through


def _keys_of(lesson: str) -> Mapping[str, AnswerKey]:
    return answer_keys.load_keys(public_course.current_course(), lesson).keys


def _exercise_name(answer: Any, exercises: Collection[str]) -> str:
    """Return the exercise of an answer, by the answer's own name or by the notebook's name for it."""
    own_name = str(getattr(answer, "__name__", answer))
    if own_name in exercises:
        return own_name
    names = (name for name, value in _notebook().items() if value is answer and name in exercises)
    return next(names, own_name)


def _judge_in_time(lesson: str, key: AnswerKey, namespace: dict[str, Any]) -> CheckedAnswer:
    """Judge an answer; the verdict on a stopped one says why."""
    try:
        with interrupt_after(SECONDS) as limit:
            question = _question(lesson, key)
            answers = runner.ask_all(question, namespace)
            verdict = scoring.judge_best(replace(key, mistakes=()), answers)
            if verdict.state is not State.RIGHT:
                answers = scoring.add_code_slip(key, question, answers, namespace)
                verdict = scoring.judge_best(key, answers)
                first = _first_not_right(lesson, key.builds_on, namespace)
                names = describe_overwritten(namespace.get(key.exercise), namespace)
                verdict = replace(verdict, mend_first=first, overwritten=tuple(names))
            return CheckedAnswer(lesson, key, namespace, answers, verdict)
    except KeyboardInterrupt as interrupt:
        line = find_error_line(interrupt, namespace.get(key.exercise), namespace)
        if not line and not limit.passed:
            raise
        when = f"after {limit.description}" if limit.passed else "by Ctrl-C"
        why = f"stopped {when}{' in the line   ' * bool(line)}{line}"
        if interrupted_import(interrupt):
            why = f"{why}: a library is half imported; restart the kernel"
        verdict = scoring.explain_unjudged(key, State.WRONG, why)
        return CheckedAnswer(lesson, key, namespace, runner.Answers(runner.ASKED), verdict)


def add_sections(attempts: attempt_log.Attempts, checked: CheckedAnswer) -> list[verdict_view.Section]:
    """Return the sections below a verdict: a right answer opens other solutions, a wrong one gets help."""
    if checked.verdict.state is not State.RIGHT:
        return help_policy.choose_help(attempts, checked)
    course = public_course.current_course()
    return solutions_unlocked.unlock_solutions(course, checked.lesson, checked.key, checked.namespace)


def _question(lesson: str, key: AnswerKey) -> runner.Question:
    names = tuple(_keys_of(lesson))
    return runner.Question(key.exercise, key.values, key.cases, key.library, other_exercises=names)


def _first_not_right(lesson: str, exercises: Sequence[str], namespace: dict[str, Any]) -> str:
    """Return the first of these exercises whose answer is not right; empty where all are."""
    for name in exercises:
        key = _keys_of(lesson)[name]
        if not scoring.is_all_right(key, runner.ask_all(_question(lesson, key), namespace)):
            return name
    return ""


def _notebook() -> dict[str, Any]:
    """Return the notebook's variables; outside a notebook, those of the main program."""
    shell = running_shell()
    return shell.user_ns if shell is not None else vars(sys.modules["__main__"])


def _namespace_of(answer: Any, key: AnswerKey) -> dict[str, Any]:
    """Return the namespace in which the answer looks up its names, with the answer added."""
    namespace = getattr(answer, "__globals__", None)
    if namespace is None:
        namespace = vars(sys.modules.get(getattr(answer, "__module__", "__main__"), sys.modules["__main__"]))
    namespace[key.exercise] = answer
    return namespace


def _show(verdict: Verdict, added: Sequence[verdict_view.Section] = ()) -> None:
    display_as(verdict_view.as_text(verdict, added), verdict_view.as_html(verdict, added))
    if verdict.state is State.RIGHT or not os.environ.get(VALIDATING):
        return
    text = f"{verdict.passed} of {len(verdict.lines)} visible checks; next: {verdict.next_step}"
    if verdict.mend_first:
        text = verdict_view.mend_first(verdict)
    elif verdict.problem:
        text = verdict.next_step
    print(f"{verdict.exercise}: {text}", file=sys.stderr)
