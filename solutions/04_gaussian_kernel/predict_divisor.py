"""How `predict_divisor` is judged."""

from autograder.model import Misconception, Part

from .cases import prediction
from .shown import rules

EXERCISE = prediction(
    (Part("the divisor that keeps the spread", rules.divisor_at_9),),
    Misconception("divided by d_k instead of √d_k", "the sentence in the notes, not the formula",
        "Nine independent terms add up their variances: by what factor does the spread grow?",
        (9,)),
    Misconception("squared instead of rooted", "the divisor is larger than the width itself",
        "Nine independent terms add up their variances: by what factor does the spread grow?",
        (81,)),
    Misconception("halved instead of rooted", "half of the width is not its root",
        "Which number gives the width when it is multiplied by itself?",
        (4.5,)),
    Misconception("factor instead of divisor", "dividing by it makes the scores larger",
        "Should the scores become larger or smaller when they are divided by it?",
        (1 / 3,)),
)
