"""How `rotate` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, RandomSource, Tensor, common

EXERCISE = Exercise(
    examples=lambda: (Case("turn", (Tensor(np.arange(12, dtype=np.float32).reshape((3, 4)) % 5), Tensor(np.arange(3)))),),
    parts=(Part("the right answer", common.agrees),),
    misconceptions=(Misconception("nothing returned", "", "What?", "return None"),),
)
