"""How `predict_shuffled` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("keys and values in the new order", rules.both_shuffled),
        Criterion("the keys alone in the new order", rules.keys_shuffled),
    ),
    Misconception("order of the keys taken to matter", "as if the place in the list had a say",
        "In the sum over i, what changes when its terms trade places?",
        (44.0, 44.0),
        (41.5, 41.5)),
    Misconception("values taken to follow their keys", "weights_kg was not reordered",
        "After the shuffle, which value stands beside the waist 56?",
        (45.5, 45.5)),
    Misconception("order read the other way round", "the entries of order say where each place is filled from",
        "Which waist is waists[order][0]?",
        (45.5, 41.5)),
    puzzle=True,
)
