"""How `causal_mask_from` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, RandomSource, Tensor, common

EXERCISE = Exercise(
    examples=lambda: (Case("mask", (2, 4)),),
    parts=(Part("the right answer", common.agrees),),
    misconceptions=(Misconception("nothing returned", "", "What?", "return None"),),
)
