"""How `predict_toy_queries` is judged."""

import numpy as np

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
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
    mistake("positions counted from 1", ([[2], [3, 4], [1, 2]], rows((2, 3), (0, 1))),
        detail="each is one too high"),
    mistake("only one of two keys with equal scores",
        *(([[1], [*second], [*third]], rows(second, third))
            for second in ((2,), (3,), (2, 3)) for third in ((0,), (1,), (0, 1))
            if len(second + third) < 4)),
    mistake("values instead of positions", ([[10], [100, 1000], [1, 10]], rows((2, 3), (0, 1)))),
    mistake("weights instead of positions",
        ([[0, 1, 0, 0], [0, 0, 0.5, 0.5], [0.5, 0.5, 0, 0]], rows((2, 3), (0, 1)))),
    mistake("Q, K or V in the wrong place",
        ([[1], [2, 3], [0, 1]], np.array([[0, 10, 0], [0, 0, 10], [5, 5, 0]])),
        detail="rows of the keys, not of the values",
        question="Keys are compared; which matrix is handed back?"),
    mistake("weights not normalised",
        ([[1], [2, 3], [0, 1]], np.array([[10, 0, 2], [1100, 11, 0], [11, 0, 3]])),
        detail="values were added with weight 1 each",
        question="Two keys share the attention: what do their weights sum to?"),
    graded=True,
)
