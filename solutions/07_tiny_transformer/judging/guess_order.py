"""How `guess_order` is judged."""

from autograder.exercises import Criterion

from ...judging.cases import prediction
from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = prediction(
    (
        Criterion("what becomes of the output for bites", guesses.bites_changes),
        Criterion("what becomes of the output for dog", guesses.dog_changes),
    ),
    mistake("attention reads in order", (True, True)),
    mistake("a moved word has another query", (False, True)),
)
