"""Rules of lesson 05: softmax within lengths, counts, and predictions that are not given away."""

from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds, common, hidden_values, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem, Rule
from attention.numbers import like

MUCH = 1e-3
"""A weight that a softmax gave where it should give none, not one that was written there."""


def low_scores(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected weights where scores are far from 0, or those of hidden keys far above those in view."""
    problem = common.agrees(case, seen, expected)
    return _leak(case, seen, expected) or problem if problem else None


def nothing_for_hidden(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A hidden key's weight is exactly 0; not reached where it is no number, or all weights are 0."""
    weights = like(seen, expected)
    if np.isnan(weights[_hidden(case, weights)]).any() or (case.tag != "huge" and not weights.any()):
        raise NotReached("no weights came back", values.format_numbers(weights), "numbers, and some above 0")
    return _leak(case, seen, expected)


def zeros_for_nothing(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A row without any key in view is all zeros; not reached where it is, and the others are wrong."""
    weights, wanted = like(seen, expected), np.asarray(expected.value)
    empty = weights[wanted.sum(axis=-1) == 0]
    if empty.any():
        name = "" if np.abs(empty).max() <= MUCH else "length of 0 not handled"
        given = " ".join(f"{weight:.3g}" for weight in empty[0])
        return Problem("weights of a row of length 0", given, "0 for every key", name)
    if wrong := common.agrees(case, seen, expected):
        raise NotReached("the weights of the keys in view are not right yet", wrong.observed, wrong.expected)
    return None


def _hidden(case: Case, weights: np.ndarray) -> np.ndarray:
    """True at the keys behind a length; a key in view may weigh 0 as well, where others score far above it."""
    lengths = argument_kinds.describe_unchanged(case.args[1])
    if lengths is None:
        return np.zeros(weights.shape, dtype=bool)
    behind = np.arange(weights.shape[-1]) >= np.reshape(lengths, (len(weights), -1, 1))
    return np.broadcast_to(behind, weights.shape)


def _leak(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Something other than 0 at a hidden key."""
    weights = like(seen, expected)
    leaked = np.where(_hidden(case, weights), np.nan_to_num(weights, nan=0.0), 0.0)
    if not leaked.any():
        return None
    place = np.unravel_index(np.abs(leaked).argmax(), leaked.shape)
    name = "masked score not low enough" if np.abs(leaked[place]) > MUCH else ""
    where = ", ".join(map(str, place))
    return Problem(f"weight of a hidden key, at [{where}]", f"{leaked[place]:.3g}", "0", name)


def reconsider(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every predicted value is right. What is wrong is named, what would be right is not said."""
    given = seen.value if isinstance(seen.value, dict) else {}
    for name, wanted in expected.value.items():
        own = given.get(name)
        if name in given and not (_of_shape(own, wanted.shape) and wanted.matches(own)):
            quoted = isinstance(own, str) and wanted.form != hidden_values.TEXT
            text = "you say a text; leave the quotes away:" if quoted else "you say"
            return Problem(f"{name} is not it yet", f"{text}   {values.format_value(own)}")
    missing = [name for name in expected.value if name not in given]
    if missing:
        raise NotReached(
            f"not filled in yet: {', '.join(missing)}", "what is filled in is right" if given else ""
        )
    return None


def _of_shape(own: Any, shape: tuple[int, ...]) -> bool:
    numbers = values.as_numbers(own)
    return isinstance(own, str) or numbers is not None and numbers.shape == shape


def translates(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """With this map, each English word scores 10 with its own translation and 0 with every other."""
    english, french = (given.array.astype(float) for given in case.args)
    scores = english @ like(seen, expected).T @ french.T
    wanted = 10 * np.eye(len(english))
    if not np.isfinite(scores).all():
        raise NotReached("some numbers of W are none", values.format_numbers(scores), "finite scores")
    if values.are_close(scores, wanted, 0.01):
        return None
    return Problem(
        "scores: a row per English word, a column per French one", *values.format_difference(scores, wanted)
    )


def translates_back(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """With this map, each French word scores 10 with its English one and 0 with every other."""
    problem = translates(replace(case, args=case.args[::-1]), seen, expected)
    return replace(problem, message="scores: a row per French word, a column per English one") if problem else None


def four_numbers(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A dictionary of two dictionaries, each with a number under both names."""
    for score, entries in expected.value.items():
        for entry in entries:
            if _entry(seen.value, score, entry) is None:
                return Problem(f'["{score}"]["{entry}"] is no number', _found(seen.value, score), "a number")
    return None


def _count(name: str, score: str, entry: str) -> Rule:
    """The rule that this entry of a score is the right number."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        own, wanted = _entry(seen.value, score, entry), _entry(expected.value, score, entry)
        if own is None:
            raise NotReached(f'["{score}"]["{entry}"] is no number', _found(seen.value, score), "a number")
        if values.are_close(own, wanted, case.tolerance):
            return None
        return Problem(f"values differ in {score}, {entry}", *values.format_difference(own, wanted))

    rule.__name__ = name
    return rule


def _entry(value: Any, score: str, entry: str) -> np.ndarray | None:
    inner = value.get(score) if isinstance(value, dict) else None
    number = values.as_numbers(inner.get(entry)) if isinstance(inner, dict) else None
    return number.reshape(()) if number is not None and number.size == 1 else None


def _found(value: Any, score: str) -> str:
    """What stands where an entry of a score is looked for."""
    inner = value.get(score, value) if isinstance(value, dict) else value
    return f"the keys {', '.join(map(str, inner))}" if isinstance(inner, dict) else values.format_value(inner)


additive_multiply_adds = _count("additive_multiply_adds", "additive", "multiply_adds")
additive_parameters = _count("additive_parameters", "additive", "parameters")
dot_multiply_adds = _count("dot_multiply_adds", "dot_product", "multiply_adds")
dot_parameters = _count("dot_parameters", "dot_product", "parameters")
