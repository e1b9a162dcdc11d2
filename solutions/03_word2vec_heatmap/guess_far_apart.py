"""How `guess_far_apart` is judged."""

from autograder.model import Misconception, Part

from .cases import prediction
from .shown import rules

EXERCISE = prediction(
    (Part("which rows are no numbers any more", rules.guessed_rows),),
    Misconception("every row but the highest", "two rows were taken to lose everything",
        "Work out e to the power of -400 with the hint. Is that 0 to a float, or only very small?",
        ([1, 2],)),
    Misconception("the largest scores overflow", "the row of the largest scores was named",
        "What is left of 1000, 1001 and 999 once 1001 has been taken off?",
        ([0],), ([0, 2],)),
    Misconception("one maximum is enough", "no row was named",
        "What is left of 0, 1 and 3 once 1001 has been taken off? And of that, after the exponential?",
        ([],)),
)
