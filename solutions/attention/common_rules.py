"""Rules that several lessons share: refused arguments, boolean masks, numbers beside their gradients, guesses."""

from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem, Rule
from autograder.exercises.hidden_values import TEXT, TRUTH
from attention import modules


def value_error(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Where one is expected, a `ValueError`; not reached where nothing came back, or the code has a slip."""
    if expected.error is None:
        return None
    if seen.error is not None:
        return modules.other_than_value_error(seen.error)
    if seen.value is None:
        raise NotReached("no answer came back", values.describe_kind(None), "ValueError")
    return Problem("no error was raised", values.describe_kind(seen.value), "ValueError")


def boolean(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A mask of the right shape, made of True and False."""
    mask, wanted = values.as_numbers(seen.value), np.asarray(expected.value)
    if mask is None or mask.shape != wanted.shape or mask.dtype.kind == "b":
        return common.shape(case, seen, expected)
    added = bool((mask <= 0).all())  # meant to be added to the scores: 0 = may look
    name = "mask not boolean" if ((mask == 0 if added else mask != 0) == wanted).all() else ""
    return Problem("made of numbers", values.format_numbers(mask), "True and False", misconception=name)


def numbers(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected numbers, whatever their gradients are."""
    return common.agrees(case, without_gradients(seen), without_gradients(expected))


def shape(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """An array of the expected shape, whatever its gradients are."""
    return common.shape(case, without_gradients(seen), without_gradients(expected))


def without_gradients(seen: Observation) -> Observation:
    """What was seen, without its gradients."""
    value, again = map(common.strip_gradients, (seen.value, seen.again))
    return replace(seen, value=value, again=again)


def guess(module: str, name: str, asked: str) -> Rule:
    """The rule of a module that a value was guessed; what would be right is not said."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        own: Any = common.read_prediction(seen, name)
        wanted, numbers = expected.value[name], values.as_numbers(own)
        fits = isinstance(own, str)
        if wanted.form != TEXT:
            fits = numbers is not None and numbers.size == 1 and (numbers.dtype.kind == "b") == (wanted.form == TRUTH)
        if not fits:
            raise NotReached(f"{name}: {asked} asked for", values.format_value(own))
        if wanted.matches(own):
            return None
        return Problem(f"{name} is not it yet", f"you say   {values.format_value(own)}", compared={name: own})

    rule.__name__ = rule.__qualname__ = name  # keys refer to it by module and name
    rule.__module__ = module
    return rule
