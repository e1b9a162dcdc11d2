"""How `predict_toy_queries` is judged."""

import numpy as np

from autograder.model import Misconception, Part

from .cases import prediction
from .shown import rules

ROWS = np.array([[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]])

EXERCISE = prediction(
    ("attends_to", "looked_up"),
    Part("which keys each query attends to", rules.attends_to),
    Part("the rows that are looked up", rules.looked_up),
    mistakes=(
        Misconception("off by one", "positions counted from 1",
            "Which number has the first key in Python?",
            ([[2], [3, 4], [1, 2]], ROWS)),
        Misconception("only one winner", "a tie was settled for the first or the last key",
            "Two keys score the same: why should a softmax prefer one of them?",
            ([[1], [2], [0]], np.array([[10, 0, 2], [100, 5, 0], [1, 0, 1]])),
            ([[1], [3], [1]], np.array([[10, 0, 2], [1000, 6, 0], [10, 0, 2]]))),
        Misconception("wrong partner", "rows of the keys, not of the values",
            "Keys are compared; which matrix is handed back?",
            ([[1], [2, 3], [0, 1]], np.array([[0, 10, 0], [0, 0, 10], [5, 5, 0]]))),
        Misconception("not normalised", "values were added with weight 1 each",
            "Two keys share the attention: what do their weights sum to?",
            ([[1], [2, 3], [0, 1]], np.array([[10, 0, 2], [1100, 11, 0], [11, 0, 3]]))),
        Misconception("positions, not keys", "the query's own non-zero places were listed",
            "Which rows of toy_K point the way the query points? Go through all four.",
            ([[1], [2], [0, 1]], ROWS)),
    ),
)
