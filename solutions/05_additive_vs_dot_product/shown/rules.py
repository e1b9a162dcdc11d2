"""Rules of lesson 05: softmax within lengths, counts, and predictions that are not given away."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from autograder.model import common, values
from autograder.model.exercise import Case, Observation, Problem

from ...shown import modules


def low_scores(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected weights where the keys in view have scores far below those of the hidden ones."""
    problem = common.agrees(case, seen, expected)
    return replace(problem, misconception="fill too weak") if problem and _leak(seen, expected) else problem


def nothing_to_see(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A hidden key's weight is exactly 0 whatever the scores; a row without any key in view is all zeros."""
    weights, wanted = values.as_numbers(seen.value), values.as_numbers(expected.value)
    if weights is None or wanted is None or weights.shape != wanted.shape:
        return common.shape(case, seen, expected)
    empty = wanted.sum(axis=-1) == 0
    if weights[empty].any():
        shown = values.show(weights[empty][0]), values.show(wanted[empty][0])
        return Problem("weights of a row of length 0", *shown, misconception="length 0")
    leaked = _leak(seen, expected)
    return leaked or (None if case.tag == "huge" else common.agrees(case, seen, expected))


def _leak(seen: Observation, expected: Observation) -> Problem | None:
    """Something other than 0 where the expected weight is 0."""
    weights, wanted = values.as_numbers(seen.value), values.as_numbers(expected.value)
    if weights is None or wanted is None or weights.shape != wanted.shape:
        return None
    places = np.argwhere((wanted == 0) & (np.nan_to_num(weights, nan=0.0) != 0)).tolist()
    if not places:
        return None
    got = values.show(weights[tuple(places[0])])
    return Problem(f"weight of a hidden key, at {places[0]}", got, "0", misconception="fill too weak")


def differentiable(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The right weights, and the right gradient of the scores, also with a row of length 0."""
    value = seen.value.get("value") if isinstance(seen.value, dict) else seen.value
    found = values.difference(value, expected.value["value"], case.tolerance)
    return Problem(*found) if found else modules.gradients(case, seen, expected)


def reconsider(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every predicted value is right. What is wrong is named, what would be right is not said."""
    for name, wanted in expected.value.items():
        own = seen.value.get(name) if isinstance(seen.value, dict) else None
        said = own.strip().lower() if isinstance(own, str) else own
        if not values.close(said, wanted, case.tolerance):
            return Problem(f"{name} is not it yet", f"you say   {_shown(own)}")
    return None


def four_numbers(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A dictionary of two dictionaries, each with a number under both names."""
    for score, entries in expected.value.items():
        for entry in entries:
            if _entry(seen.value, score, entry) is None:
                return Problem(f'["{score}"]["{entry}"] is no number', _shown(seen.value), "a number")
    return None


def additive_multiply_adds(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The multiply-adds of the additive score."""
    return _count_differs("additive", "multiply_adds", case, seen, expected)


def additive_parameters(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The parameters of the additive score."""
    return _count_differs("additive", "parameters", case, seen, expected)


def dot_multiply_adds(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The multiply-adds of the dot product."""
    return _count_differs("dot_product", "multiply_adds", case, seen, expected)


def dot_parameters(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The parameters of the dot product."""
    return _count_differs("dot_product", "parameters", case, seen, expected)


def _count_differs(
    score: str, entry: str, case: Case, seen: Observation, expected: Observation
) -> Problem | None:
    own, wanted = _entry(seen.value, score, entry), _entry(expected.value, score, entry)
    if values.close(own, wanted, case.tolerance):
        return None
    return Problem(f"values differ in {score}, {entry}", _shown(own), _shown(wanted))


def _entry(value: Any, score: str, entry: str) -> np.ndarray | None:
    inner = value.get(score) if isinstance(value, dict) else None
    number = values.as_numbers(inner.get(entry)) if isinstance(inner, dict) else None
    return number.reshape(()) if number is not None and number.size == 1 else None


def _shown(own: Any) -> str:
    numbers = values.as_numbers(own)
    return values.kind_of(own, show=True) if numbers is None else values.show(numbers)
