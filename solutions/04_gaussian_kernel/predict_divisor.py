"""How `predict_divisor` is judged."""

from autograder.model import Exercise, Misconception, Part

from .shown import rules

EXERCISE = Exercise(
    graded=False,
    parts=(Part("the divisor that keeps the spread", rules.divisor_at_9),),
    misconceptions=(
        Misconception("wrong power", "the sentence in the notes, not the formula",
            "Nine independent terms add up their variances: by what factor does the spread grow?",
            *((9,), (4.5,), (1 / 3,), (81,))),
    ),
)
