"""How `guess_one_matrix` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("the wanted weights, with one matrix and with two", rules.wanted_weights),),
    Misconception("one matrix taken to do what two do", "the left was raised without the right",
        "Anna fits Ming as well as Ming fits Anna. If Ming's look to the left grows, whose look to the right does?",
        (1.0, 1.0)),
    Misconception("one's own score forgotten", "left and right share alike, and nothing was left for oneself",
        "Which three keys does each of them share its weight among?",
        (0.5, 1.0)),
    Misconception("symmetric scores taken for none", "the wanted weights were taken to vanish",
        "Three equal scores: what does a softmax make of them?",
        (0.0, 1.0)),
    Misconception("product taken for the weight", "1/27 is what three weights multiply to",
        "Three equal weights multiply to 1/27. How large is one?",
        (1 / 27, 1.0)),
)
