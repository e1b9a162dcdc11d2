"""How `keep_or_redraw` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, RandomSource, Tensor, common

EXERCISE = Exercise(
    examples=lambda: (Case("kept", (0, np.array([0.5, 0.5]), np.array([0.5, 0.5]), RandomSource(0))),),
    parts=(Part("the right answer", common.agrees),),
    misconceptions=(Misconception("nothing returned", "", "What?", "return None"),),
)
