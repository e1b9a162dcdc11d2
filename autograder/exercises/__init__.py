"""The words in which exercises are declared, plain values, and what crosses between processes.

What a course's own modules need is here by name; nothing in this folder reads a course's files, runs student code, or
knows what a course is about.
"""

from autograder.exercises import common
from autograder.exercises.argument_kinds import RandomSource, Tensor
from autograder.exercises.exercise import (
    Case,
    CasePutBy,
    Criterion,
    Exercise,
    Misconception,
    ModuleState,
    NotReached,
    Observation,
    Problem,
    Variant,
)

__all__ = [
    "Case",
    "CasePutBy",
    "Exercise",
    "Misconception",
    "ModuleState",
    "NotReached",
    "Observation",
    "Criterion",
    "Problem",
    "RandomSource",
    "Tensor",
    "Variant",
    "common",
]
