"""How `top_p` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, RandomSource, Tensor, common

EXERCISE = Exercise(
    graded=False, puzzle=True, examples=lambda: (Case("new", (Tensor(np.array([0.5, 0.3, 0.2], dtype=np.float32)), 0.7)),),
    parts=(Part("the right answer", common.agrees),),
    misconceptions=(Misconception("nothing returned", "", "What?", "return None"),),
)
