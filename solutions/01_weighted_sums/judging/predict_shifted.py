"""How `predict_shifted` is judged."""

from autograder.exercises import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the two shares",
    Misconception("nearly equal shares for nearly equal scores", "their difference counts, not their size",
        "Softmax compares exp(710) with exp(709): by what factor do they differ?",
        ([0.5, 0.5],)),
    Misconception("largest score takes all", "the other one keeps a share as well",
        "What counts is how far the scores lie apart: how far is that?",
        ([1.0, 0.0],)),
    Misconception("what the code gives, not the formula", "exp(710) is too large for a float, not for mathematics",
        "What is e to the 710th divided by e to the 709th, on paper?",
        ([float("nan"), float("nan")],)),
    Misconception("shares in the wrong order", "the larger one belongs to the larger score",
        "Which of the two scores is the larger, and which share comes first?",
        ([0.269, 0.731],)),
)
