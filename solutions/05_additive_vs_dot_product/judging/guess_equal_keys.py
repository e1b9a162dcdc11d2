"""How `guess_equal_keys` is judged."""


from ...judging.mistakes import mistake
from .cases import prediction

EXERCISE = prediction(
    "the first key's weight in both batch entries",
    mistake("mask ignored", (0.1, 0.1), detail="all ten keys share",
        question="How many of the ten keys lie within the valid length?"),
    mistake("all weight given to the first of equal keys", (1.0, 1.0)),
)
