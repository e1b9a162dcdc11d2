"""How `guess_behind_16` is judged."""

from autograder.exercises import Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = Exercise(
    graded=False,
    criteria=(Criterion("what becomes of the loss past word 16", guesses.loss_behind_16),),
    misconceptions=(
        mistake("more words must help", ("lower",)),
        mistake("sixteen words are enough for it", ("same",)),
    ),
)
