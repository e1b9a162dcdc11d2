"""How `real_bug_onnx` is judged: a slip as it happened in a public project."""

from autograder.exercises import Misconception

from ..checks import guesses
from .cases import prediction

EXERCISE = prediction(
    "onnx: which group each query head reads",
    guesses.line_onnx,
    Misconception("onnx: another line blamed", "that line is right for any order of the heads",
        "Four query heads, two groups: which group's keys does query head 1 meet?",
        (1,), (3,), (4,)),
)
