"""How `predict_toy_queries` is judged."""

import numpy as np

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

VALUES = np.array([[1, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]])


def rows(*attended: tuple[int, ...]) -> np.ndarray:
    """The first query's row, and below it the mean of the values at these positions for each other query."""
    return np.array([VALUES[1], *(VALUES[list(positions)].mean(axis=0) for positions in attended)])


EXERCISE = prediction(
    (
        Criterion("which keys each query attends to", rules.attends_to, points=0),
        Criterion("the rows that are looked up", rules.rows_at_these_positions),
    ),
    Misconception("positions counted from 1", "each is one too high",
        "Which number has the first key in Python?",
        ([[2], [3, 4], [1, 2]], rows((2, 3), (0, 1)))),
    Misconception("only one of two keys with equal scores", "the other, whose score is the same, was left out",
        "Two keys score the same: why should a softmax prefer one of them?",
        *(([[1], [*second], [*third]], rows(second, third))
            for second in ((2,), (3,), (2, 3)) for third in ((0,), (1,), (0, 1))
            if len(second + third) < 4)),
    Misconception("values instead of positions", "numbers that stand in the values were listed",
        "The first key stands at position 0: what are the positions of the other three?",
        ([[10], [100, 1000], [1, 10]], rows((2, 3), (0, 1)))),
    Misconception("weights instead of positions", "how much each key gets, not which keys get it",
        "Where in each of your lists is a number above 0? How would you name that place?",
        ([[0, 1, 0, 0], [0, 0, 0.5, 0.5], [0.5, 0.5, 0, 0]], rows((2, 3), (0, 1)))),
    Misconception("Q, K or V in the wrong place", "rows of the keys, not of the values",
        "Keys are compared; which matrix is handed back?",
        ([[1], [2, 3], [0, 1]], np.array([[0, 10, 0], [0, 0, 10], [5, 5, 0]]))),
    Misconception("weights not normalised", "values were added with weight 1 each",
        "Two keys share the attention: what do their weights sum to?",
        ([[1], [2, 3], [0, 1]], np.array([[10, 0, 2], [1100, 11, 0], [11, 0, 3]]))),
    graded=True,
)
