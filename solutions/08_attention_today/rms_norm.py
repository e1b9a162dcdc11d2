"""How `rms_norm` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, RandomSource, Tensor, common

EXERCISE = Exercise(
    graded=False, puzzle=True, examples=lambda: (Case("new", (Tensor(np.arange(12, dtype=np.float32).reshape((3, 4)) % 5), Tensor(np.arange(4, dtype=np.float32).reshape((4,)) % 5))),),
    parts=(Part("the right answer", common.agrees),),
    misconceptions=(Misconception("nothing returned", "", "What?", "return None"),),
)
