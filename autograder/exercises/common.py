"""Rules that many exercises share.

A rule returns the problem that it sees, or None. It raises `NotReached` where what came back does not let it see.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from autograder.exercises import argument_kinds, values
from autograder.exercises.exercise import Case, Criterion, Exercise, NotReached, Observation, Problem, Rule

WRITES = "writes into its input"


_INPUT_RULES: set[Rule] = set()
RuleFunction = TypeVar("RuleFunction", bound=Rule)


def judges_inputs(rule: RuleFunction) -> RuleFunction:
    """Mark a rule by which inputs must stay as they were: an exercise with such a criterion gets none by default."""
    _INPUT_RULES.add(rule)
    return rule


def with_default_criterion(exercise: Exercise) -> Exercise:
    """Return an exercise with the criterion that inputs stay as they were, behind its own; see `Exercise.unchanged`."""
    judged = any(criterion.rule in _INPUT_RULES for criterion in exercise.criteria)
    if judged or exercise.values or not (exercise.unchanged and exercise.points):
        return exercise
    if not any(map(_can_change, exercise.examples())):
        return exercise
    return replace(exercise, criteria=(*exercise.criteria, Criterion(exercise.unchanged, unchanged)))


def _can_change(case: Case) -> bool:
    """Return whether a case has an argument that an answer could change, which would show."""

    def can_change(value: Any) -> bool:
        if isinstance(value, tuple):
            return any(map(can_change, value))
        return isinstance(value, (list, dict, np.ndarray, values.Table))

    inputs = [*case.inputs]
    if case.each is not None:
        inputs[case.each : case.each + 1] = case.args[case.each]
    return any(map(can_change, map(argument_kinds.describe_unchanged, inputs)))


def shape(case: Case, observed: Observation, expected: Observation) -> Problem | None:
    """Check that as many results came back as expected, each of the right shape."""
    return _shapes_differ(observed.value, expected.value)


def agrees(case: Case, observed: Observation, expected: Observation) -> Problem | None:
    """Check that the expected values came back, within the case's tolerance, and again when asked a second time.

    Where an exception is expected, it or one of a subclass must have been raised.

    Raises:
        NotReached: What came back is of another kind or shape.
    """
    if expected.error is not None:
        return _check_error(observed, expected.error.kind)
    require_same_kind(observed.value, expected.value)
    difference = values.describe_difference(observed.value, expected.value, case.tolerance)
    if difference:
        return Problem(*difference)
    if not values.are_close(observed.again, expected.value, case.tolerance):
        return Problem("right the first time, something else when asked the same again")
    return None


PLOTTED = ("data", "lines", "bars", "points")


def plots(case: Case, observed: Observation, expected: Observation) -> Problem | None:
    """Check that a plot shows the expected numbers: as a heat map, as lines, bars or points, in the expected order.

    Raises:
        NotReached: No plot came back.
    """
    if not isinstance(observed.value, dict) or "axes" not in observed.value:
        raise NotReached("no plot came back", values.describe_kind(observed.value), "an Axes")
    shown, wanted = (_plotted(item.value["axes"]) for item in (observed, expected))
    difference = values.describe_difference(shown, wanted, case.tolerance)
    return Problem(*difference) if difference else None


def _plotted(axes: Any) -> dict[str, Any]:
    """Return the numbers that a plot shows, without labels."""
    described = axes if isinstance(axes, dict) else {}

    def without_label(item: Any) -> Any:
        return {key: item[key] for key in item if key != "label"} if isinstance(item, dict) else item

    return {
        name: [*map(without_label, described[name])] if isinstance(described[name], list) else described[name]
        for name in PLOTTED
        if described.get(name) is not None
    }


@judges_inputs
def unchanged(case: Case, observed: Observation, expected: Observation) -> Problem | None:
    """Check that the arguments are what they were before the call.

    Raises:
        NotReached: What came back is of another kind or shape.
    """
    if expected.error is None:
        require_same_kind(*map(strip_gradients, (observed.value, expected.value)))
    return find_changed_argument(case, observed)


def strip_gradients(value: Any) -> Any:
    """Return what came back without the gradients, where these were asked for as well."""
    return value["value"] if isinstance(value, dict) and {"value", "gradients"} <= set(value) else value


def find_changed_argument(case: Case, observed: Observation) -> Problem | None:
    """Return the problem with the first argument that is not what it was before the call; None where all are."""
    for position, (argument, after_call) in enumerate(zip(case.inputs, observed.after)):
        before_call = argument_kinds.describe_unchanged(argument)
        if before_call is None and argument is not None or values.are_close(after_call, before_call, 0.0):
            continue
        if (
            isinstance(before_call, (list, tuple))
            and isinstance(after_call, (list, tuple))
            and len(before_call) != len(after_call)
        ):
            text = f"it held {len(before_call)} before the call, and {len(after_call)} after"
            return Problem(text, misconception=WRITES, argument=position)
        _, observed_text, wanted = values.describe_difference(after_call, before_call, 0.0) or ("", "", "")
        return Problem("it is no longer what it was before the call", observed_text, wanted, WRITES, position)
    return None


def read_prediction(observed: Observation, name: str) -> Any:
    """Return what was filled in for a variable. Raises `NotReached` where nothing was, or None."""
    if not isinstance(observed.value, dict) or observed.value.get(name) is None:
        raise NotReached(f"{name} is not filled in yet")
    return observed.value[name]


def require_same_kind(observed: Any, expected: Any) -> None:
    """Raise `NotReached` unless a value is of the expected kind: the same keys of a dictionary, the same shape."""
    if isinstance(expected, dict):
        if not isinstance(observed, dict) or set(observed) != set(expected):
            observed_text, wanted = values.describe_kind(observed), values.describe_kind(expected)
            raise NotReached("another kind of thing came back", observed_text, wanted)
        for name, expected_item in expected.items():
            require_same_kind(observed[name], expected_item)
    elif values.as_numbers(expected) is None and not isinstance(expected, (tuple, values.Table)):
        if observed is None and expected is not None:
            raise NotReached(
                "no answer came back", values.describe_kind(observed), values.describe_kind(expected)
            )
    elif problem := _shapes_differ(observed, expected):
        raise NotReached(problem.message, problem.observed, problem.expected)


def _check_error(observed: Observation, kind: str) -> Problem | None:
    if observed.error is None:
        return Problem("no error was raised", values.describe_kind(observed.value), f"raises {kind}")
    if not observed.error.kind:
        raise NotReached(observed.error.message)
    if observed.error.is_a(kind):
        return None
    return Problem("another error was raised", f"{observed.error.kind}: {observed.error.message}", kind)


def _shapes_differ(observed: Any, expected: Any) -> Problem | None:
    wrong_kind = Problem(values.WRONG_KIND, values.describe_kind(observed), values.describe_kind(expected))
    if isinstance(expected, tuple):
        if not isinstance(observed, (tuple, list)) or len(observed) != len(expected):
            return wrong_kind
        for position, pair in enumerate(zip(observed, expected)):
            if problem := _shapes_differ(*pair):
                return replace(problem, message=f"{values.ordinal(position)} result: {problem.message}")
        return None
    if isinstance(expected, values.Table):
        if type(observed) is not type(expected):
            return wrong_kind
        pairs = zip(observed.sizes().items(), expected.sizes().values())
        differing = (
            Problem(name, str(size), str(wanted)) for (name, size), wanted in pairs if size != wanted
        )
        return next(differing, None)
    numbers, wanted = values.as_numbers(observed), values.as_numbers(expected)
    if numbers is None or wanted is None:
        return wrong_kind
    if numbers.shape == wanted.shape:
        return None
    pair_of_arrays = isinstance(observed, tuple) and numbers.shape[1:] == wanted.shape
    return wrong_kind if pair_of_arrays else Problem("shape", str(numbers.shape), str(wanted.shape))
