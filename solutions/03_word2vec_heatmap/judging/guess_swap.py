"""How `guess_swap` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("what a reader and a rule would do on fifty pairs", rules.guessed_each),),
    Misconception("pairs counted for readings", "each pair was counted once",
        "A pair is two readings, one for each pronoun. How many of these are there?",
        (50, 25, 50, 0), (50, 25, 25, 0)),
    Misconception("readings counted for pairs", "there are only 50 pairs",
        "How many pairs do a hundred readings make?",
        (100, 50, 100, 0)),
    Misconception("the control taken to be always wrong", "the nearest noun was given no hit",
        "In half of the pairs the king stands nearest. Is he never meant there?",
        (100, 0, 50, 0), (100, 0, 50, 50)),
    Misconception("the nearest noun taken for the one that is meant", "the rule was taken to hit always",
        "The car stands nearest. Whom does he mean, and whom does the rule name?",
        (100, 100, 50, 0), (100, 100, 50, 50)),
    Misconception("the swap moves the nearest noun", "the rule was taken to read the pronoun",
        "Which words does the rule look at? Is the pronoun one of them?",
        (100, 50, 50, 50), (100, 50, 50, 25)),
    Misconception("one who understands answers alike", "nothing was taken to change for a reader who understands",
        "Whom does it mean, and whom he? Are these the same?",
        (100, 50, 0, 0)),
)
