"""How `guess_shapes` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("the shape of the scores", rules.scores_shape),
        Criterion("the shape of the output", rules.output_shape),
    ),
    Misconception("keys and queries swapped", "a row for each key, or as many columns as queries",
        "How many words ask, and how many are asked? Which of these numbers counts rows?",
        ((2, 7, 5), (2, 7, 3))),
    Misconception("scores as wide as a key", "a score is one number, made of all features of a query and a key",
        "How many numbers does one query get with one key, and how many with seven of them?",
        ((2, 5, 8), (2, 5, 3)),
        ((2, 7, 8), (2, 5, 3))),
    Misconception("output as wide as a key", "the output is a blend of values",
        "What is blended, and how many numbers has one of these?",
        ((2, 5, 7), (2, 5, 8))),
    puzzle=True,
)
