"""How `predict_lost_weight` is judged."""

from autograder.model import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the sum of the weights that are left",
    Misconception("repeated word lost", "out of sight",
        "The second 'the' arrives at a dictionary that has a key 'the' already: what happens to the first?",
        (1.0,)),
    Misconception("lost twice", "as if both copies of the word were gone",
        "When a key is assigned a second time, is the entry deleted or replaced?",
        (11 / 17,)),
)
