"""How `guess_equal_keys` is judged."""

from autograder.exercises import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the first key's weight in both batch entries",
    Misconception("mask ignored", "all ten keys share",
        "How many of the ten keys lie within the valid length?",
        (0.1, 0.1)),
    Misconception("all weight given to the first of equal keys", "nothing sets it apart from the second",
        "How do the scores of two equal keys differ?",
        (1.0, 1.0)),
)
