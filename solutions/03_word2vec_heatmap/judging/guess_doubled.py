"""How `guess_doubled` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("what doubling does to scores, weights and favourites", rules.guessed_each),),
    mistake("only one of the two vectors doubled", (2, 0.5, False)),
    mistake("temperature multiplied", (4, 4, False), (2, 2, False)),
    mistake("favourites change", (4, 0.25, True)),
    puzzle=True,
)
