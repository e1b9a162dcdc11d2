"""How `real_bug_flashinfer` is judged: a slip as it happened in a public project."""

from autograder.exercises import Misconception

from ..checks import guesses
from .cases import prediction

EXERCISE = prediction(
    "flashinfer: what becomes of two sets without keys",
    guesses.line_flashinfer,
    Misconception("flashinfer: another line blamed", "that line is right as long as the shares are numbers",
        "Both lse are −inf. What is the value of each name, line by line?",
        (1,), (3,), (4,)),
    puzzle=True,
)
