"""How `real_bug_fla` is judged: a slip as it happened in a public project."""

from autograder.model import Misconception

from .cases import prediction
from .shown import guesses

EXERCISE = prediction(
    "flash-linear-attention: what is erased, and under which name",
    guesses.line_fla,
    Misconception("flash-linear-attention: another line blamed",
        "that line is right if the difference is that of two values",
        "What should become smaller, the difference of two values or that of two keys?",
        (1,), (3,), (4,)),
)
