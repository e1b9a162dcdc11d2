"""How `guess_shapes` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("the shape of the scores", rules.scores_shape),
        Criterion("the shape of the output", rules.output_shape),
    ),
    mistake("keys and queries swapped", ((2, 7, 5), (2, 7, 3))),
    mistake("scores as wide as a key", ((2, 5, 8), (2, 5, 3)), ((2, 7, 8), (2, 5, 3))),
    mistake("output as wide as a key", ((2, 5, 7), (2, 5, 8))),
    puzzle=True,
)
