"""How `softmax_rows` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, common, stock

from ..shown import shares


def examples() -> tuple[Case, ...]:
    return (
        Case("near", (np.array([[2.0, 1.0, 0.0], [0.5, 0.0, 3.0]]),), label="ordinary rows"),
        Case("near", (np.array([[0.0, 1.0], [2.0, -1.0]]),), label="a square"),
        Case("far", (np.array([[1000.0, 1001.0, 999.0], [0.0, 1.0, 3.0]]),), label="rows a thousand apart"),
    )


def softmax_rows(scores: np.ndarray) -> np.ndarray:
    """SciPy's softmax, along the last axis."""
    from autograder import softmax

    return softmax(scores)


EXERCISE = Exercise(
    graded=False,
    examples=examples,
    stand_in=softmax_rows,
    parts=(
        Part("every row sums to 1", shares.rows_sum_to_one, ("near",)),
        Part("the numbers are right on ordinary rows", common.agrees, ("near",)),
        Part("the numbers are right on rows far apart", common.agrees, ("far",)),
        Part("the scores stay as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception("one maximum for all rows", "one maximum for all rows leaves nothing of the low ones",
            "What is the largest number in the second row once 1001 has been taken off everywhere?",
            ("max(axis=-1, keepdims=True)", "max()")),
        Misconception("no shift by the maximum", "without a shift, the exponential of 1000 is infinite",
            "What is np.exp(1000)?",
            ("scores - scores.max(axis=-1, keepdims=True)", "scores")),
        Misconception("softmax over the whole matrix", "one softmax over all rows",
            "What does each row sum to?",
            ("axis=-1", "axis=None")),
        Misconception("softmax over the wrong axis", "the softmax runs along another",
            "Which entries compete with each other: those of a row or those of a column?",
            ("axis=-1", "axis=0")),
        Misconception("broadcast along the wrong axis", "a maximum or a sum has lost its axis",
            "What shape has scores.max(axis=-1), and what shape do you need beside the scores?",
            ("sum(axis=-1, keepdims=True)", "sum(axis=-1)"),
            ("max(axis=-1, keepdims=True)", "max(axis=-1)"),
            ("axis=-1, keepdims=True", "axis=-1")),
        stock.writes_into_its_input(),
    ),
)
