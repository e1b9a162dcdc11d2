"""How `guess_weights` is judged."""

from autograder.exercises import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the four weights of a row of length 3",
    Misconception("mask ignored", "the hidden key still takes part",
        "Which keys may share at all?",
        ([0.1, 0.2, 0.3, 0.4],)),
    Misconception("masked after the softmax", "the hidden key's share is lost to everyone",
        "What do your four weights sum to?",
        ([0.1, 0.2, 0.3, 0.0],)),
    Misconception("valid length off by one", "too many or too few keys are left",
        "Count the keys that survive a length of 3.",
        ([1 / 3, 2 / 3, 0, 0],)),
    Misconception("equal weights whatever the scores", "the scores no longer matter",
        "Should a key with a higher score not get more?",
        ([1 / 3, 1 / 3, 1 / 3, 0],),
        ([0.25, 0.25, 0.25, 0.25],)),
)
