"""Rules of lesson 06: boolean and additive masks, multi-head attention, predictions not given away."""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem, Rule
from attention import common_rules, modules, shares
from attention.numbers import like, real

# --- masks ------------------------------------------------------------------------------------------------


def boolean_tensor(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A mask as in `common_rules.boolean`; and where its type was asked for, a tensor."""
    if case.tag != "type":
        return common_rules.boolean(case, seen, expected)
    if not isinstance(seen.value, str) or seen.value == "NoneType":
        raise NotReached("no mask came back", values.describe_kind(seen.value), "a tensor")
    return None if seen.value == expected.value else Problem("the type of what came back", str(seen.value), "Tensor")


def nothing_ahead(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Above the diagonal, where keys come later than the query, the mask is as expected."""
    _true_or_false(seen, expected)
    return _differ(seen, expected, lambda wanted: ~np.tri(len(wanted), dtype=bool))


def itself(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """On the diagonal the mask is as expected."""
    _true_or_false(seen, expected)
    return _differ(seen, expected, lambda wanted: np.eye(len(wanted), dtype=bool))


def everything_before(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Below the diagonal, where keys come earlier than the query, the mask is as expected."""
    _true_or_false(seen, expected)
    return _differ(seen, expected, lambda wanted: np.tri(len(wanted), k=-1, dtype=bool))


def no_distance(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """On the diagonal of every head the bias is as expected."""
    return _differ(seen, expected, lambda wanted: np.eye(wanted.shape[-1], dtype=bool) & np.ones_like(wanted, bool))


def some_distance(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Off the diagonal of every head the bias is as expected."""
    own, wanted = like(seen, expected), np.asarray(expected.value)
    away = ~np.eye(wanted.shape[-1], dtype=bool)
    found = values.describe_difference(own[:, away], wanted[:, away], case.tolerance)
    return Problem(*found) if found else None


def mask_agrees(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The expected mask; not reached where numbers other than 0 and 1 came back."""
    _true_or_false(seen, expected)
    return common.agrees(case, seen, expected)



def numbers(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Numbers of the right shape, finite or not."""
    mask = values.as_numbers(seen.value)
    if mask is not None and mask.dtype.kind == "b":
        return Problem("made of True and False", values.describe_kind(seen.value), "numbers")
    return common.shape(case, seen, expected)


def zero_where_allowed(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """0 wherever 0 is expected."""
    return _differ(seen, expected, lambda wanted: wanted == 0)


def minus_infinity_where_not(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Minus infinity wherever it is expected."""
    name = "masked score not low enough" if np.isfinite(like(seen, expected)).all() else ""
    return _differ(seen, expected, np.isneginf, name)


def empty_rows_are_zero(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A row that is expected to hold zeros alone does."""
    return _empty_rows(shares.weights_of(seen, expected), np.asarray(expected.value))


def neighbours(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The rows that are not expected to hold zeros alone are the expected ones."""
    weights, wanted = shares.weights_of(seen, expected), np.asarray(expected.value)
    others = wanted.any(axis=-1)
    found = values.describe_difference(weights[others], wanted[others], case.tolerance)
    return Problem(*found) if found else None


def gradients_of_weights(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As `modules.gradients`, where the weights are right; not reached where they are not."""
    own, wanted = map(common.strip_gradients, (seen.value, expected.value))
    common.require_same_kind(own, wanted)
    if wrong := values.describe_difference(own, wanted, case.tolerance):
        raise NotReached("the weights are not right yet", *wrong[1:])
    return modules.gradients(case, seen, expected)


def _empty_rows(weights: np.ndarray, wanted: np.ndarray) -> Problem | None:
    empty = ~wanted.any(axis=-1)
    if (weights[empty] == 0).all():
        return None
    own, zeros = values.format_difference(weights[empty][0], wanted[empty][0])
    what, name = "weights of a query with nothing to look at", "row with nothing to look at"
    others_are_right = values.are_close(weights[~empty], wanted[~empty], 1e-4)
    return Problem(what, own, zeros, misconception=name if others_are_right else "")


def _true_or_false(seen: Observation, expected: Observation) -> None:
    """Not reached where what came back is no mask of True and False, nor of ones and zeros."""
    numbers = like(seen, expected)
    boolean = np.asarray(values.as_numbers(seen.value)).dtype.kind == "b"
    if not boolean and (not np.isin(numbers, (0, 1)).all() or not numbers.any()):
        raise NotReached("made of numbers that do not say True or False", values.format_numbers(numbers))


def _differ(
    seen: Observation, expected: Observation, chosen: Callable[[np.ndarray], np.ndarray], name: str = ""
) -> Problem | None:
    """The first of the chosen places at which a mask is not as expected."""
    mask, wanted = like(seen, expected), np.asarray(expected.value)
    places = np.argwhere(chosen(wanted) & (mask != wanted))
    if not len(places):
        return None
    place = tuple(places[0].tolist())
    there = f"wrong at {list(place)}" if len(place) != 2 else "wrong in row {}, column {}".format(*place)
    own = np.asarray(values.as_numbers(seen.value))[place]
    return Problem(there, str(own), str(wanted[place]).removesuffix(".0"), misconception=name)


# --- multi-head attention ---------------------------------------------------------------------------------

SHOWN = ("output", "attention_weights")


def projections(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Of a module as it was made: the four projections alone learn."""
    problem = modules.parameters(case, seen, expected)
    if problem is None:
        return None
    name = _name_parameters(seen.built["parameters"], expected.built["parameters"])
    return Problem(problem.message, problem.observed, problem.expected, misconception=name)


def width_of_a_head(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Of a module as it was made: `d_k` is one head's width."""
    if not isinstance(seen.built, dict):
        raise NotReached("no nn.Module was made", values.describe_kind(seen.built), "an nn.Module")
    wanted = expected.built["d_k"]
    if "d_k" not in seen.built:
        return Problem("there is no attribute d_k", "nothing", str(wanted))
    own = seen.built["d_k"]
    if values.are_close(own, wanted, 1e-6):
        return None
    return Problem("the attribute d_k", values.describe_kind(own, show=True), str(wanted))


def self_attention(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Output and weights have the right shapes and, where the parameters are known, are the right ones."""
    problem = next(filter(None, (_shape(name, seen, expected) for name in SHOWN)), None)
    if problem is None and case.module is not None and case.module.parameters:
        problem = modules.agrees(case, seen, expected)
    return _of_known_parameters(problem, seen, expected)


def attends(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The right output and weights from these parameters."""
    return _of_known_parameters(modules.agrees(case, seen, expected), seen, expected)


def _of_known_parameters(
    problem: Problem | None, seen: Observation, expected: Observation
) -> Problem | None:
    """Raises `NotReached` in place of a problem where other parameters than the expected ones took part."""
    if problem and not modules.same_parameters(seen, expected):
        raise NotReached("parameters other than the four take part, whose numbers are not known here")
    return problem


def _shape(name: str, seen: Observation, expected: Observation) -> Problem | None:
    own, wanted = modules.under(seen.value, name), np.asarray(modules.under(expected.value, name))
    found = values.as_numbers(own)
    if found is not None and found.shape == wanted.shape:
        return None
    if own is None and name == "attention_weights":
        return Problem("attention_weights are missing: keep them in self.attention_weights")
    return Problem(f"shape of {name}", values.describe_kind(own), values.describe_kind(wanted))


@common.judges_inputs
def untouched(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The arguments stay as they were; not reached unless output and weights of the right shapes came back."""
    _of_the_right_shapes(seen, expected)
    return common.find_changed_argument(case, seen)


def sees_nothing(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The weights of a query that may look nowhere are 0."""
    (_, weights), (_, wanted) = _of_the_right_shapes(seen, expected)
    return _of_known_parameters(_empty_rows(weights, wanted), seen, expected)


def others_see(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Weights and output are the expected ones, but for the queries that may look nowhere and yet have weights."""
    own, right = _of_the_right_shapes(seen, expected)
    rows = np.asarray(right[1].any(axis=-1) | ~own[1].any(axis=-1))
    for name, chosen, one, other in zip(SHOWN, (rows.all(axis=1), rows), own, right):
        if found := values.describe_difference(one[chosen], other[chosen], case.tolerance):
            return _of_known_parameters(Problem(f"{found[0]}, {name}", *found[1:]), seen, expected)
    return None


def _of_the_right_shapes(seen: Observation, expected: Observation) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Output and weights, seen and expected. Raises `NotReached` where one has another shape."""
    if problem := next(filter(None, (_shape(name, seen, expected) for name in SHOWN)), None):
        raise NotReached(problem.message, problem.observed, problem.expected)
    own, wanted = (
        [np.asarray(values.as_numbers(modules.under(one.value, name)), dtype=float) for name in SHOWN]
        for one in (seen, expected)
    )
    return own, wanted


def gradients(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As `modules.gradients`, where the output is right; not reached where it is not, unless only a mask may be why."""
    wrong = attends(case, seen, expected)
    if wrong and case.kwargs:
        return None
    if wrong:
        raise NotReached("the output is not right yet", wrong.observed, wrong.expected)
    return modules.gradients(case, seen, expected)


def value_error(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Where one is expected, a `ValueError` and no module; not reached where the code fails before that."""
    if expected.error is None:
        return None
    if seen.error is not None and (seen.built is None or seen.error.kind == "ValueError"):
        return modules.other_than_value_error(seen.error)
    return Problem("no error was raised", "a module", "ValueError")


def _name_parameters(own: dict[str, Any], wanted: dict[str, Any]) -> str:
    """The misconception behind parameters that are not the four projections' weights."""
    d_model = wanted["W_o.weight"]
    spare = {str(name) for name in own if name not in wanted}
    if len(own) == len(wanted) - 1 and "W_o.weight" not in own and not spare:
        return "W_o missing"
    if set(wanted) <= set(own) and all(name in {f"{layer[:3]}.bias" for layer in wanted} for name in spare):
        return "bias added" if spare else ""
    if any(name.endswith(".in_proj_weight") for name in spare):
        return "the library's own module handed in"
    one_for_all = len(own) == 2 and "W_o.weight" in own and all(shape == d_model for shape in own.values())
    return "one projection for Q, K and V" if one_for_all else ""


# --- predictions ------------------------------------------------------------------------------------------


def _prediction(name: str, advice: str) -> Rule:
    """The rule that a value was predicted. True and False are no numbers."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        own = real(common.read_prediction(seen, name), "iuf")
        if own is not None and expected.value[name].matches(own):
            return None
        return Problem(f"{name} is not it yet; what to expect: {advice}")

    rule.__name__ = name
    return rule


def _positions(name: str, advice: str) -> Rule:
    """The rule that positions in a sequence of five were predicted, in any order."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        own = real(common.read_prediction(seen, name), "iuf")
        if own is None or not own.ndim:
            return Problem(f"{name} should be a list of positions, counted from 0, such as [4]")
        if not np.isin(own, range(5)).all():
            return Problem(f"{name} should hold positions; they go from 0 to 4")
        if len(np.unique(own)) < own.size:
            return Problem(f"{name} names a position twice; name each once, in a list such as [4]")
        if expected.value[name].matches(own.ravel()):
            return None
        return Problem(f"{name} is not it yet; think again: {advice}")

    rule.__name__ = name
    return rule


real_weights = _prediction("real_weights", "three numbers, none of them 0, that sum to 1")
covered_key = _prediction("covered_key", "one position, counted from 0")
head_0 = _prediction("head_0", "three rows, one a word, each of d_k = 2 numbers")
head_0_by_view = _prediction("head_0_by_view", "a view deals the twelve numbers out in their order")
sees_causal = _positions("sees_causal", "may it see itself, or later words?")
sees_padding = _positions("sees_padding", "whose column does padding take away?")
sees_both = _positions("sees_both", "one mask must allow it, and so must the other")


def sees_all_three(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """What is seen under both masks, where what is seen under each of them is right."""
    if sees_causal(case, seen, expected) or sees_padding(case, seen, expected):
        raise NotReached("what one of the masks allows is not right yet")
    return sees_both(case, seen, expected)
