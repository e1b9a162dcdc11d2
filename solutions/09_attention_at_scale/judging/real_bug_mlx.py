"""How `real_bug_mlx` is judged: a slip as it happened in a public project."""

from autograder.exercises import Misconception

from ..checks import guesses
from .cases import prediction

EXERCISE = prediction(
    "mlx-lm: what becomes of refused guesses",
    guesses.line_mlx,
    Misconception("mlx-lm: another line blamed", "that line would be right if only the words that stay were kept",
        "Two guesses were refused: which words' keys does the next word see?",
        (1,), (3,), (4,)),
)
