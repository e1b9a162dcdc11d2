"""How `find_break_even` is judged."""

from autograder.model import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the first n from which on the additive score takes fewer",
    Misconception("a projection left out of the count", "with all of W_q and W_k it becomes cheaper later",
        "How many rows go through W_q, and how many through W_k?",
        (1,), (2,), (22,)),
    Misconception("rounded down", "there the additive score still takes a few more",
        "Put your n, and the one after it, into scoring_cost: which takes fewer?",
        (42,)),
    tolerance=1e-6,
    puzzle=True,
)
