"""How `predict_twins` is judged."""

from autograder.model import Misconception, Part

from .cases import prediction
from .shown import rules

EXERCISE = prediction(
    (Part("what a query on the repeated key fetches", rules.at_the_twins),),
    Misconception("one of two equal keys ignored", "as if one of them hid the other",
        "What are the distances to the two equal keys, and so their weights?",
        ([43, 159],),
        ([48, 162],)),
    Misconception("values added instead of averaged", "both values in full",
        "What do the weights of all keys sum to?",
        ([91, 321],)),
)
