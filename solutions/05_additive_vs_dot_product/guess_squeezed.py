"""How `guess_squeezed` is judged."""

from autograder.model import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the three shapes",
    Misconception("squeezed too much",
        "an axis is taken away that squeeze(1) leaves, or that the contract keeps",
        "What is the length of axis 1 in each case, and which letter of the contract names it?",
        ((2, 4), (2, 4), (2, 1, 4)),
        ((2, 4), (6, 4), (2, 1, 4)),
        ((2, 4), (3, 4), (2, 1, 4)),
        ((2, 4), (2, 3, 4), (2, 4))),
)
