"""How `attend_new` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, RandomSource, Tensor, common

EXERCISE = Exercise(
    examples=lambda: (Case("new", (Tensor(np.arange(24, dtype=np.float32).reshape((2, 3, 4)) % 5), Tensor(np.arange(24, dtype=np.float32).reshape((2, 3, 4)) % 5), Tensor(np.arange(30, dtype=np.float32).reshape((2, 3, 5)) % 5))),),
    parts=(Part("the right answer", common.agrees),),
    misconceptions=(Misconception("nothing returned", "", "What?", "return None"),),
)
