"""One small exercise of the tests' own, so that they do not lean on a lesson."""

from __future__ import annotations

import numpy as np

from autograder.calls import runner
from autograder.checks import scoring
from autograder.exercises import common
from autograder.exercises.exercise import AnswerKey, Case, Criterion, MistakenAnswers, Observation
from autograder.exercises.verdict import Verdict


def double(x: np.ndarray) -> np.ndarray:
    return 2 * np.asarray(x)


def thrice(x: np.ndarray) -> np.ndarray:
    return 3 * np.asarray(x)


def key(*cases: Case) -> AnswerKey:
    """The key of an exercise `double(x)` whose one listed mistake is to give three times `x`."""
    cases = cases or (
        Case("example", (np.array([1.0, 2.0]),)),
        Case("drawn", (np.array([[3.0]]),), hidden=True),
    )
    return AnswerKey(
        exercise="double",
        signature="double(x)",
        values=(),
        criteria=(
            Criterion("keeps the shape", common.shape),
            Criterion("the example", common.agrees, ("example",)),
            Criterion("other numbers", common.agrees, ("drawn",), points=2),
            Criterion("leaves its input alone", common.unchanged),
        ),
        cases=cases,
        expected=observe(double, cases),
        mistakes=(
            MistakenAnswers("thrice", "thrice the number", "How much is it?", (observe(thrice, cases),)),
        ),
    )


def observe(answer: object, cases: tuple[Case, ...]) -> tuple[Observation, ...]:
    return ask(answer, cases).observations


def ask(answer: object, cases: tuple[Case, ...]) -> runner.Answers:
    return runner.ask_all(runner.Question("double", (), cases), {"double": answer})


def verdict(answer: object, *cases: Case) -> Verdict:
    chosen = key(*cases)
    return scoring.judge_best(chosen, ask(answer, chosen.cases))
