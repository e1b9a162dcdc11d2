"""How `predict_shuffled` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("keys and values in the new order", rules.both_shuffled),
        Criterion("the keys alone in the new order", rules.keys_shuffled),
    ),
    mistake("order of the keys taken to matter", (44.0, 44.0), (41.5, 41.5),
        detail="as if the place in the list had a say",
        question="In the sum over i, what changes when its terms trade places?"),
    mistake("values taken to follow their keys", (45.5, 45.5)),
    mistake("order read the other way round", (45.5, 41.5)),
    puzzle=True,
)
