"""The words in which exercises are declared, plain values, and what crosses between processes.

What a course's own modules need is here by name; nothing in this folder reads a course's files, runs student code, or
knows what a course is about.
"""

from autograder.model import common, stock
from autograder.model.exercise import (
    Case,
    CasePutBy,
    Exercise,
    Misconception,
    ModuleState,
    NotReached,
    Observation,
    Part,
    Problem,
    Twin,
)
from autograder.model.kinds import RandomSource, Tensor
