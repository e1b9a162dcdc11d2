"""The language in which exercises are declared, plain values, what crosses between processes, a course's public part.

What a course's own modules need is here by name; nothing in this folder runs student code, or knows what a course is
about.
"""

from autograder.exercises import common, tables
from autograder.exercises.argument_kinds import RandomSource, Tensor
from autograder.exercises.exercise import (
    Call,
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
    "Call",
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
    "tables",
]
