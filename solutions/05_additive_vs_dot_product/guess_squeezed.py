"""How `guess_squeezed` is judged."""

from autograder.model import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the three shapes",
    Misconception("axis of length 1 lost", "the promise keeps an axis that squeeze(1) takes away",
        "Which name in (batch, n_q, d_v) stands for axis 1, and what is it for one query?",
        ((2, 4), (2, 3, 4), (2, 4))),
    Misconception("squeeze taken to remove an axis of any length", "squeeze(1) leaves an axis that is longer than 1",
        "What is the length of axis 1 in each case?",
        *(((2, 4), merged, promised) for merged in ((2, 4), (6, 4), (3, 4)) for promised in ((2, 1, 4), (2, 4)))),
)
