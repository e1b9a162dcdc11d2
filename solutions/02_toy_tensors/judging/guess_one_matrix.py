"""How `guess_one_matrix` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("the wanted weights, with one matrix and with two", rules.wanted_weights),),
    mistake("one matrix taken to do what two do", (1.0, 1.0)),
    mistake("one's own score forgotten", (0.5, 1.0)),
    mistake("symmetric scores taken for none", (0.0, 1.0)),
    mistake("product taken for the weight", (1 / 27, 1.0)),
)
