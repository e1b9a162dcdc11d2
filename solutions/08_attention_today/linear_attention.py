"""How `linear_attention` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, RandomSource, Tensor, common

EXERCISE = Exercise(
    examples=lambda: (Case("new", ((np.arange(20.0).reshape((5, 4)) % 5), (np.arange(20.0).reshape((5, 4)) % 5), (np.arange(10.0).reshape((5, 2)) % 5))),),
    parts=(Part("the right answer", common.agrees),),
    misconceptions=(Misconception("nothing returned", "", "What?", "return None"),),
)
