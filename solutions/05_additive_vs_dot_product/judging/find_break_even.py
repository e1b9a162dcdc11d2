"""How `find_break_even` is judged."""

from autograder.exercises import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the first n from which on the additive score takes fewer",
    Misconception("a projection left out of the count", "with all of W_q and W_k it becomes cheaper later",
        "How many rows go through W_q, and how many through W_k?",
        (1,), (2,), (22,)),
    Misconception("rounded down", "there the additive score still takes a few more",
        "Put your n, and the one after it, into scoring_cost: which takes fewer?",
        (42,)),
    Misconception("a fraction of a word", "it is where the two costs are equal, and n counts words",
        "How many words can there be, and at which of these numbers does the additive score take fewer?",
        (128 / 3,), (42.67,), (42.7,)),
    tolerance=1e-5,
    puzzle=True,
)
