"""How `guess_swap` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("what a reader and a rule would do on fifty pairs", rules.guessed_each),),
    mistake("pairs counted for readings", (50, 25, 50, 0), (50, 25, 25, 0)),
    mistake("readings counted for pairs", (100, 50, 100, 0)),
    mistake("the control taken to be always wrong", (100, 0, 50, 0), (100, 0, 50, 50)),
    mistake("the nearest noun taken for the one that is meant", (100, 100, 50, 0), (100, 100, 50, 50)),
    mistake("the swap moves the nearest noun", (100, 50, 50, 50), (100, 50, 50, 25)),
    mistake("one who understands answers alike", (100, 50, 0, 0)),
)
