"""How `predict_by_hand` is judged."""

import numpy as np
from scipy.special import softmax

from autograder.model import Misconception, Part

from .cases import prediction
from .shown import rules

SCORES = np.array([1, 0, 1])


def blend(*weights: float) -> tuple[np.ndarray, np.ndarray]:
    """These weights, and the output that follows from them."""
    return np.array(weights), weights @ np.array([[10, 0], [0, 20], [30, 0]])


EXERCISE = prediction(
    ("hand_weights", "hand_output"),
    Part("three weights that share one whole", rules.three_shares),
    Part("the weights are right", rules.hand_weights),
    Part("the output is right", rules.hand_output),
    mistakes=(
        Misconception("zero score, zero weight", "a key that scores 0 was given nothing",
            "What is exp(0), and can a softmax ever give a weight of exactly 0?",
            blend(0.5, 0, 0.5),
            blend(2**-0.5, 0, 2**-0.5)),
        Misconception("no scale", "the dot products 1, 0, 1 went into the softmax as they are",
            "How many features has a key here, and what are the scores divided by?",
            blend(*softmax(SCORES))),
        Misconception("wrong power", "the scores were divided by another power of d_k",
            "Is it d_k that the scores are divided by, or something smaller?",
            blend(*softmax(SCORES / 2)),
            blend(*softmax(SCORES * 2**0.5)),
            blend(*softmax(SCORES / 4))),
        Misconception("wrong length", "what stands under the root is not the number of features of a key",
            "There are three keys; how many numbers are summed in one dot product?",
            blend(*softmax(SCORES / 3**0.5))),
        Misconception("scaled after softmax", "the weights were divided, not the scores",
            "Add up your weights. Which step comes first, the scale or the softmax?",
            blend(*softmax(SCORES) / 2**0.5)),
        Misconception("not normalised", "the exponentials themselves, before their sum is divided out",
            "What must the three weights sum to, and what do you divide by to get there?",
            blend(*np.exp(SCORES / 2**0.5)),
            blend(*np.exp(SCORES))),
        Misconception("plain mean", "every key was given the same weight",
            "Which keys point the way the query points, and which does not?",
            blend(1 / 3, 1 / 3, 1 / 3)),
        Misconception("wrong partner", "the weights met the keys, not the values",
            "Which of the three matrices holds what is handed back?",
            (softmax(SCORES / 2**0.5), softmax(SCORES / 2**0.5) @ [[1, 0], [0, 1], [1, 0]])),
    ),
)
