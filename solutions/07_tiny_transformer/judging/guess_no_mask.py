"""How `guess_no_mask` is judged."""

from autograder.exercises import Criterion

from ...judging.cases import prediction
from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = prediction(
    (
        Criterion("what becomes of the loss", guesses.loss_without_mask),
        Criterion("what becomes of the text", guesses.text_without_mask),
    ),
    mistake("more to see, better text", ("lower", "better")),
    mistake("a mask helps to learn", ("higher", "worse")),
    mistake("the mask changes nothing", ("same", "same")),
)
