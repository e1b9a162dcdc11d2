"""How `guess_latest` is judged."""


from autograder.exercises import Criterion

from ...judging.cases import prediction
from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = prediction(
    (Criterion("how often softmax attention finds the latest value", guesses.softmax_finds),),
    mistake("softmax attention prefers the latest word", ("almost always",)),
    mistake("half of the weight falls on the latest word", ("half",)),
    puzzle=True,
)
