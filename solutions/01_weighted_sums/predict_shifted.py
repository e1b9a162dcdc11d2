"""How `predict_shifted` is judged."""

from autograder.model import Misconception

from .cases import prediction

EXERCISE = prediction(
    "the two shares",
    Misconception("ratio of scores", "nearly equal numbers, nearly equal shares",
        "Softmax compares exp(710) with exp(709): by what factor do they differ?",
        ([0.5, 0.5],)),
    Misconception("winner takes all", "as if the size of the scores mattered",
        "What counts is how far the scores lie apart: how far is that?",
        ([1.0, 0.0],)),
)
