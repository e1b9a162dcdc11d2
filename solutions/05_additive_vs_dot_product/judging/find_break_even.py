"""How `find_break_even` is judged."""


from ...judging.mistakes import mistake
from .cases import prediction

EXERCISE = prediction(
    "the first n from which on the additive score takes fewer",
    mistake("a projection left out of the count", (1,), (2,), (22,)),
    mistake("rounded down", (42,)),
    mistake("a fraction of a word", (128 / 3,), (42.67,), (42.7,)),
    tolerance=1e-5,
    puzzle=True,
)
