"""How `predict_by_hand` is judged."""

import numpy as np
from scipy.special import softmax

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
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
    mistake("a score of 0 taken for a weight of 0", blend(0.5, 0, 0.5), blend(2**-0.5, 0, 2**-0.5)),
    mistake("not divided by √d_k", blend(*softmax(SCORES)),
        detail="the dot products 1, 0, 1 went into the softmax as they are",
        question="How many features has a key here, and what are the scores divided by?"),
    mistake("divided by the wrong power of d_k", blend(*softmax(SCORES / 2)),
        blend(*softmax(SCORES * 2**0.5)), blend(*softmax(SCORES / 4)),
        detail="the scores were not divided by the root of d_k",
        question="By which number does the formula divide the score 1, and what did you make of it?"),
    mistake("divided by the root of the wrong length", blend(*softmax(SCORES / 3**0.5)),
        detail="what stands under the root is not the number of features of a key",
        question="There are three keys; how many numbers are summed in one dot product?"),
    mistake("scaled after the softmax", blend(*softmax(SCORES) / 2**0.5),
        detail="the weights were divided, not the scores",
        question="Add up your weights. Which step comes first, the scale or the softmax?"),
    mistake("weights not normalised", blend(*np.exp(SCORES / 2**0.5)), blend(*np.exp(SCORES))),
    mistake("plain mean instead of weights", blend(1 / 3, 1 / 3, 1 / 3),
        detail="every key was given the same weight",
        question="Which keys point the way the query points, and which does not?"),
    mistake("digits lost in rounding", blend(0.4, 0.2, 0.4), blend(0.4, 0.19, 0.4)),
    mistake("Q, K or V in the wrong place",
        (softmax(SCORES / 2**0.5), softmax(SCORES / 2**0.5) @ [[1, 0], [0, 1], [1, 0]]),
        detail="the weights met the keys, not the values",
        question="Which of the three matrices holds what is handed back?"),
    graded=True,
)
