"""`check(answer)`: a student's verdict, at once, in the notebook."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from autograder.model.errors import CourseError
from autograder.model.exercise import Key
from autograder.model.verdict import State, Verdict
from autograder.student import keys, ladder, probe, progress, report, visible


class Check:
    """Judges an answer on the lesson's visible examples and shows the verdict.

    Call it with the function or class you wrote, `check(answer)`, or with the name of an exercise that asks
    for values, `check("predict_by_hand")`. It raises nothing for a wrong answer: the verdict is displayed, and
    one line goes to stderr, which is what nbgrader's Validate counts.
    """

    def __init__(self) -> None:
        self._lesson: str | None = None

    def lesson(self, lesson: str) -> None:
        """Say which lesson the notebook is; exercises of two lessons may share a name.

        The lesson's examples are read now, so that the first answer need not wait for that.
        Raises `CourseError` when there is no such lesson.
        """
        _known(lesson)
        self._lesson = lesson

    def __call__(self, answer: Any) -> None:
        lesson, key = self._find(
            answer if isinstance(answer, str) else getattr(answer, "__name__", str(answer))
        )
        namespace = dict(_notebook()) if isinstance(answer, str) else _namespace_of(answer, key)
        verdict = _judge(key, namespace)
        if verdict.state is not State.RIGHT:
            earlier = [_known(lesson)[name] for name in key.builds_on]
            verdict = replace(verdict, mend_first=_first_not_right(earlier, namespace))
        progress.record(lesson, verdict)
        _show(verdict)

    def _find(self, exercise: str) -> tuple[str, Key]:
        lessons = [self._lesson] if self._lesson else visible.here().lessons
        known = {lesson: _known(lesson) for lesson in lessons}
        found = [(lesson, names[exercise]) for lesson, names in known.items() if exercise in names]
        if len(found) > 1:
            raise CourseError(
                f"{exercise} is asked for in more than one lesson: run the notebook's first cell"
            )
        if not found:
            names = ", ".join(name for names in known.values() for name in names)
            raise CourseError(f"there is no exercise called {exercise!r} here; check() knows {names}")
        return found[0]


def _known(lesson: str) -> Mapping[str, Key]:
    try:
        return keys.load(visible.here(), lesson).keys
    except LookupError as error:
        raise CourseError(str(error)) from None


def _judge(key: Key, namespace: dict[str, Any]) -> Verdict:
    question = probe.Question(key.exercise, key.values, key.cases, key.library)
    return ladder.best(key, probe.ask_all(question, namespace))


def _first_not_right(earlier: Sequence[Key], namespace: dict[str, Any]) -> str:
    """The first of these exercises that is not answered rightly; empty when all are."""
    wrong = (key.exercise for key in earlier if _judge(key, namespace).state is not State.RIGHT)
    return next(wrong, "")


def _notebook() -> dict[str, Any]:
    """The notebook's variables; outside a notebook, those of the main program."""
    from IPython import get_ipython

    shell = get_ipython()
    return shell.user_ns if shell is not None else vars(sys.modules["__main__"])


def _namespace_of(answer: Any, key: Key) -> dict[str, Any]:
    """Where the answer looks its names up, with the answer in it."""
    namespace = getattr(answer, "__globals__", None)
    if namespace is None:
        namespace = vars(sys.modules.get(getattr(answer, "__module__", "__main__"), sys.modules["__main__"]))
    namespace[key.exercise] = answer
    return namespace


def _show(verdict: Verdict) -> None:
    from IPython.display import display

    text = report.as_text(verdict)
    display({"text/plain": text, "text/html": report.as_html(verdict)}, raw=True)
    if verdict.state is not State.RIGHT:
        print(_in_one_line(verdict), file=sys.stderr)


def _in_one_line(verdict: Verdict) -> str:
    if verdict.mend_first:
        return f"{verdict.exercise}: {report.mend_first(verdict)}"
    if verdict.problem:
        return f"{verdict.exercise}: {verdict.problem[0]}"
    failing = next(line.title for line in verdict.lines if not line.passed)
    return f"{verdict.exercise}: {verdict.passed} of {len(verdict.lines)} visible checks; next: {failing}"
