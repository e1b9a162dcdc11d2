"""How `what_sums_to_one` is judged."""

from autograder.model import Misconception, Part

from .cases import prediction
from .shown import rules

EXERCISE = prediction(
    (Part("what sums to 1 in the borrowed weights", rules.words),),
    Misconception("sum over everything taken for sums along an axis", "nothing in that line names an axis",
        "np.sum without an axis: over which entries does it run?",
        ("row",),
        ("column",)),
)
