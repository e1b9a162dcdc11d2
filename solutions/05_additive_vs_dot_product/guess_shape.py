"""How `guess_shape` is judged."""

from autograder.model import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the shape (2, 2, 4) is read rightly",
    Misconception("shape misread", "the numbers are taken from the wrong end, or the axes miscounted",
        "Which number says how many entries stand side by side in one row?",
        (2, 2, 4, 3),
        (2, 1, 4, 3),
        (2, 2, 4, 2),
        (3, 2, 4, 2),
        (2, 2, 2, 4),
        (3, 4, 2, 2),
        (3, 2, 4, 3)),
)
