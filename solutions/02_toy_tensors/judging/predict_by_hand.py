"""How `predict_by_hand` is judged."""

import numpy as np
from scipy.special import softmax

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

SCORES = np.array([1, 0, 1])


def blend(*weights: float) -> tuple[np.ndarray, np.ndarray]:
    """These weights, and the output that follows from them."""
    return np.array(weights), weights @ np.array([[10, 0], [0, 20], [30, 0]])


EXERCISE = prediction(
    (
        Criterion("three weights that share one whole", rules.three_shares, points=0),
        Criterion("the weights are right", rules.hand_weights, points=0),
        Criterion("the output is right", rules.output_of_these_weights),
    ),
    Misconception("a score of 0 taken for a weight of 0", "a key that scores 0 was given nothing",
        "What is exp(0), and can a softmax ever give a weight of exactly 0?",
        blend(0.5, 0, 0.5),
        blend(2**-0.5, 0, 2**-0.5)),
    Misconception("not divided by √d_k", "the dot products 1, 0, 1 went into the softmax as they are",
        "How many features has a key here, and what are the scores divided by?",
        blend(*softmax(SCORES))),
    Misconception("divided by the wrong power of d_k", "the scores were not divided by the root of d_k",
        "By which number does the formula divide the score 1, and what did you make of it?",
        blend(*softmax(SCORES / 2)),
        blend(*softmax(SCORES * 2**0.5)),
        blend(*softmax(SCORES / 4))),
    Misconception("divided by the root of the wrong length",
        "what stands under the root is not the number of features of a key",
        "There are three keys; how many numbers are summed in one dot product?",
        blend(*softmax(SCORES / 3**0.5))),
    Misconception("scaled after the softmax", "the weights were divided, not the scores",
        "Add up your weights. Which step comes first, the scale or the softmax?",
        blend(*softmax(SCORES) / 2**0.5)),
    Misconception("weights not normalised", "the exponentials themselves, before their sum is divided out",
        "What must the three weights sum to, and what do you divide by to get there?",
        blend(*np.exp(SCORES / 2**0.5)),
        blend(*np.exp(SCORES))),
    Misconception("plain mean instead of weights", "every key was given the same weight",
        "Which keys point the way the query points, and which does not?",
        blend(1 / 3, 1 / 3, 1 / 3)),
    Misconception("digits lost in rounding", "a number was rounded further than asked, or before the last step",
        "How many digits did your weights have when you multiplied them, and how many has your output?",
        blend(0.4, 0.2, 0.4),
        blend(0.4, 0.19, 0.4)),
    Misconception("Q, K or V in the wrong place", "the weights met the keys, not the values",
        "Which of the three matrices holds what is handed back?",
        (softmax(SCORES / 2**0.5), softmax(SCORES / 2**0.5) @ [[1, 0], [0, 1], [1, 0]])),
    graded=True,
)
