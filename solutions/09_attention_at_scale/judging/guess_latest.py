"""How `guess_latest` is judged."""

from autograder.exercises import Misconception

from ..checks import guesses
from .cases import prediction

EXERCISE = prediction(
    "how often softmax attention finds the latest value",
    guesses.softmax_finds,
    Misconception("softmax attention prefers the latest word", "nothing in a score says when its word came",
        "The same key stands there eight times. What are the eight scores of a query?",
        ("almost always",)),
    Misconception("half of the weight falls on the latest word", "all words with the same key share the weight alike",
        "The same key stands there eight times. What are the eight weights of a query?",
        ("half",)),
    puzzle=True,
)
