"""Rules about attention as an `nn.Module`: its output, the weights it keeps, its parameters, its dropout.

What is seen of a module is `{"output", "attention_weights", ...}`, below `"value"` where gradients were asked for as
well.
"""

from typing import Any

import numpy as np

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem, StudentError

TINY = 1e-12

SLIPS = ("NameError", "AttributeError", "TypeError", "ImportError", "UnboundLocalError", "ModuleNotFoundError")
"""Errors that nobody raises to refuse an argument."""


def other_than_value_error(error: StudentError) -> Problem | None:
    """What is raised to refuse an argument is a `ValueError`; not reached where the code fails before that."""
    if error.kind == "ValueError":
        return None
    if error.kind in ("", "NotImplementedError", *SLIPS):
        raise NotReached(error.message)
    return Problem("another error was raised", error.kind, "ValueError")


def parameters(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The parameters have the expected names and shapes, and there are no others; for a part about what was built."""
    own, wanted = _built(seen).get("parameters"), _built(expected)["parameters"]
    if not isinstance(own, dict):
        raise NotReached("no nn.Module was made", values.describe_kind(own), "an nn.Module")
    if same_parameters(seen, expected):
        return None
    name = _name_parameters(own, wanted) or ("values projected" if _projects_values(case, seen, own) else "")
    return Problem("parameters", _listed(own), _listed(wanted), misconception=name)


def _name_parameters(own: dict[str, Any], wanted: dict[str, Any]) -> str:
    """The misconception that these shapes prove, where they do."""
    biases = {f"{name.removesuffix('weight')}bias" for name in wanted}
    if set(wanted) < set(own) <= set(wanted) | biases:
        return "bias added"
    exchanged = dict(zip(("W_q.weight", "W_k.weight"), (wanted.get("W_k.weight"), wanted.get("W_q.weight"))))
    return "query and key sizes swapped" if values.are_close(own, wanted | exchanged, 0.0) else ""


def _projects_values(case: Case, seen: Observation, own: dict[str, Any]) -> bool:
    """Whether a layer called like the values learns, and the output does not mix the values as they are."""
    if len(case.args) < 3:
        return False
    given = case.args[2]
    output, kept = (values.as_numbers(under(seen.value, name)) for name in ("output", "attention_weights"))
    named = any("v" in str(name).removeprefix("w_v.").lower() for name in own)
    if not named or output is None or kept is None or kept.ndim != 3 or kept.shape[-1] != given.array.shape[1]:
        return False
    return not values.are_close(output, kept.astype(float) @ given.array, case.tolerance)


def a_row_per_query(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Output and kept weights have the right shape."""
    names = "output", "attention_weights"
    return next(filter(None, (_shape_problem(name, seen, expected) for name in names)), None)


def rows_sum_to_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """A query's kept weights sum to 1, or to 0."""
    sums, wanted = (_array(one, expected, "attention_weights").sum(axis=-1) for one in (seen, expected))
    if np.allclose(sums, wanted, atol=1e-3):
        return None
    return Problem("row sums of attention_weights", *values.format_difference(sums, wanted))


def agrees(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Output and kept weights are the expected ones, and again when asked a second time."""
    names = ("attention_weights", "output")
    arrays = [(_array(seen, expected, name), _array(expected, expected, name)) for name in names]
    for name, (own, wanted) in zip(names, arrays):
        found = values.describe_difference(own, wanted, case.tolerance)
        if found:
            return Problem(f"{found[0]}, {name}", found[1], found[2])
        if not values.are_close(under(seen.again, name), wanted, case.tolerance):
            return Problem(f"{name}: right the first time, something else when asked the same again")
    return None


def gradients(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The gradients of the watched arguments and of all parameters are there, finite and right; of functions too."""
    own, wanted = _gradients(case, seen.value), _gradients(case, expected.value)
    if not own:
        raise NotReached(
            "no gradient could be asked for", values.describe_kind(seen.value), "an output to differentiate"
        )
    common.require_same_kind(seen.value.get("value"), expected.value["value"])
    for name in wanted:
        if problem := _missing_gradient(f"gradient of {name}", own.get(name)):
            return problem
    if not values.are_close(seen.value["value"], expected.value["value"], case.tolerance):
        raise NotReached("the numbers are not right yet, so their gradients cannot be compared")
    wrong = [name for name in wanted if not values.are_close(own[name], wanted[name], case.tolerance)]
    return Problem(f"gradient of {wrong[0]} is wrong", misconception="gradient cut") if wrong else None


def gradients_alone(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """As `gradients`; and where these are right, the parameters are the expected ones alone."""
    return gradients(case, seen, expected) or parameters(case, seen, expected)


def _missing_gradient(which: str, own: Any) -> Problem | None:
    numbers = values.as_numbers(own)
    if numbers is None:
        return Problem(f"no {which}", "none", "one number per entry", misconception="gradient cut")
    if not np.isfinite(numbers.astype(float)).all():
        return Problem(f"{which}: not a number", values.format_numbers(numbers), "finite", misconception="gradient cut")
    return None


def dropout_on_weights(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """In training, dropout acts on the weights, and what is kept is divided by 1 - p.

    The keys of such a case are all the same, so that a query's weights are too, however it scores. The values are the
    identity with a column of ones at its right, so that the output shows the weights as they were after dropout, and
    beside them their sum.
    """
    assert case.module is not None, "dropout is looked at in modules"
    output, kept, p = _dropped(case, seen, expected)
    problem = _kept_too_late(kept, case.tolerance) or _dropped_wrongly(output, kept, p, case.tolerance)
    if problem and problem.message == NOTHING_DROPPED and case.module.evaluated_before:
        text = "after eval() and train() again, no weight is dropped any more"
        return Problem(text, misconception="dropout lost after eval()")
    return problem


def no_dropout(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """After `eval()` nothing is dropped; for cases as in `dropout_on_weights`."""
    return _at_work_in_evaluation(*_dropped(case, seen, expected), case.tolerance)


def _dropped(case: Case, seen: Observation, expected: Observation) -> tuple[np.ndarray, np.ndarray, float]:
    """Output and kept weights, and the rate of dropout. Raises `NotReached` where no weight could be dropped."""
    assert case.module is not None, "dropout is looked at in modules"
    output, kept = (_array(seen, expected, name) for name in ("output", "attention_weights"))
    _see_numbers(kept)
    if not np.abs(kept).max() > TINY:
        raise NotReached("all attention_weights are 0", values.format_numbers(kept), "weights that can be dropped")
    return output, kept, float(case.module.init["dropout"])


NOTHING_DROPPED = "in training no weight is dropped"


def _at_work_in_evaluation(
    output: np.ndarray, kept: np.ndarray, p: float, tolerance: float
) -> Problem | None:
    used, total = output[..., :-1], output[..., -1]
    _see_numbers(output)
    dropped = Problem("after eval() something is still dropped", misconception="dropout in evaluation")
    if not _alike(kept, tolerance):
        if _in_two_sizes(kept, tolerance):
            return dropped
        raise NotReached(UNEQUAL)
    if _add_up(used, total) and values.are_close(used, kept, tolerance):
        return None
    if _left_by_dropout(used, kept, p, tolerance) or _add_up(used, total) and _in_two_sizes(used, tolerance):
        return dropped
    if values.are_close(used, kept * (1 - p), tolerance) or values.are_close(used, kept / (1 - p), tolerance):
        return Problem("after eval() the weights that are used are not those without dropout")
    raise NotReached(NOT_MIXED)


UNEQUAL = "equal keys get unequal weights: what dropout does to them cannot be seen"
NOT_MIXED = "the output is not the values mixed by attention_weights"


def _kept_too_late(kept: np.ndarray, tolerance: float) -> Problem | None:
    """What is wrong with weights that dropout has reached before they were kept: those of a query come in two sizes."""
    if _alike(kept, tolerance):
        return None
    if not _in_two_sizes(kept, tolerance):
        raise NotReached(UNEQUAL)
    if (np.abs(kept) < TINY).any():
        name = "renormalised after dropout" if _sums_to_one(kept) else ""
        return Problem(
            "attention_weights hold what dropout left, not the weights before it", misconception=name
        )
    text = "in training equal keys get unequal attention_weights: something before them is dropped"
    return Problem(text, misconception="dropout in the wrong place")


def _dropped_wrongly(output: np.ndarray, kept: np.ndarray, p: float, tolerance: float) -> Problem | None:
    """In training, with the values [identity | ones]: what is wrong with the weights that were used."""
    used, total = output[..., :-1], output[..., -1]
    holes = np.abs(used) < TINY
    if holes.any() and _in_two_sizes(used, tolerance) and _sums_to_one(used):
        text = "in training every query's weights still sum to 1 after dropout"
        return Problem(text, misconception="renormalised after dropout")
    _see_numbers(output)
    by_scores = not holes.any() and _in_two_sizes(used, tolerance) and _sums_to_one(used)
    if by_scores or (not _add_up(used, total) and _left_by_dropout(used, kept, p, tolerance)):
        return Problem(
            "in training something other than the weights is dropped",
            misconception="dropout in the wrong place",
        )
    if not _add_up(used, total):
        raise NotReached(NOT_MIXED)
    if not holes.any() and _alike(used, tolerance):
        return Problem(NOTHING_DROPPED)
    left = kept[~holes].sum()
    factor = used.sum() / left if left else 0.0
    if not factor or not values.are_close(used, np.where(holes, 0.0, kept * factor), tolerance):
        raise NotReached(NOT_MIXED)
    return _dropped_at_another_rate(holes, factor, p) or _dropped_together(holes, p)


def _left_by_dropout(used: np.ndarray, kept: np.ndarray, p: float, tolerance: float) -> bool:
    """Whether each of these is 0 or a kept weight divided by 1 - p, and some are 0 or all are not the weights."""
    return values.are_close(used, np.where(np.abs(used) < TINY, 0.0, kept / (1 - p)), tolerance) and bool(
        (np.abs(used) < TINY).any()
    )


def _dropped_at_another_rate(holes: np.ndarray, factor: float, p: float) -> Problem | None:
    """What is wrong with the factor by which dropout multiplies the weights that it leaves."""
    if np.isclose(factor, 1 / (1 - p), rtol=1e-3):
        return None
    if np.isclose(factor, (1, 1 - p, 1 / p), rtol=1e-3).any():
        return Problem(f"in training a kept weight should be divided by 1 - p, here {1 - p:.2g}")
    rate = 1 - 1 / factor
    if 0 < rate < 1 and _as_often(holes, rate):
        return Problem(f"in training the weights are dropped with probability {rate:.2g}, where p is {p:.2g}")
    raise NotReached(NOT_MIXED)


def _as_often(holes: np.ndarray, p: float) -> bool:
    """Whether so many holes may come of throws with probability p."""
    return bool(abs(holes.mean() - p) <= 4.5 * np.sqrt(p * (1 - p) / holes.size))


def _see_numbers(found: np.ndarray) -> None:
    if not np.isfinite(found).all():
        raise NotReached("numbers are missing", values.format_numbers(found), "numbers alone")


def _alike(weights: np.ndarray, tolerance: float) -> bool:
    """Whether each query has the same weight for every key."""
    return values.are_close(weights, np.broadcast_to(weights[..., :1], weights.shape), tolerance)


def _in_two_sizes(weights: np.ndarray, tolerance: float) -> bool:
    """Whether equal keys have two weights for each query at most, and two somewhere: one kept, the other dropped."""
    low, high = (some(weights, axis=-1, keepdims=True) for some in (np.min, np.max))
    nearest = np.where(weights - low < high - weights, low, high)
    return not _alike(weights, tolerance) and values.are_close(weights, nearest, tolerance)


def _add_up(used: np.ndarray, total: np.ndarray) -> bool:
    return values.are_close(total, np.nan_to_num(used).sum(axis=-1), 1e-3)


def _dropped_together(holes: np.ndarray, p: float) -> Problem | None:
    """Each weight is dropped by a throw of its own, with probability p."""
    for axis, whose in ((1, "query"), (2, "key"), (0, "batch entry")):
        if holes.shape[axis] > 1 and (holes == np.take(holes, [0], axis)).all():
            return Problem(f"in training the same weights are dropped for every {whose}")
    if _as_often(holes, p):
        return None
    return Problem(f"in training {holes.mean():.0%} of the weights are dropped, where p is {p:.2g}")


def _sums_to_one(weights: np.ndarray) -> bool:
    """Every row that has anything left sums to 1; at least one does."""
    sums = np.nan_to_num(weights).sum(axis=-1)
    left = np.abs(sums) > TINY
    return bool(left.any() and np.allclose(sums[left], 1.0, atol=1e-3))


def _shape_problem(name: str, seen: Observation, expected: Observation) -> Problem | None:
    found, wanted = under(seen.value, name), _array(expected, expected, name)
    own = values.as_numbers(found)
    if own is None and found is not None:
        return Problem(f"{name} is not one tensor", values.describe_kind(found), values.describe_kind(wanted))
    if own is None:
        where = "is there a return?" if name == "output" else f"keep it in self.{name}"
        return Problem(f"{name} is missing: {where}", "nothing", values.describe_kind(wanted))
    if own.shape != wanted.shape:
        got = values.describe_kind(found) if isinstance(found, tuple) else str(own.shape)
        return Problem(f"shape of {name}", got, str(wanted.shape))
    return None


def under(value: Any, name: str) -> Any:
    """What was seen of the module itself under a name; None where nothing was."""
    if isinstance(value, dict) and "value" in value:
        value = value["value"]
    return value.get(name) if isinstance(value, dict) else None


def same_parameters(seen: Observation, expected: Observation) -> bool:
    """Whether the parameters had the expected names and shapes when the module had been made."""
    return values.are_close(_built(seen).get("parameters"), _built(expected).get("parameters"), 0.0)


def _built(seen: Observation) -> dict[str, Any]:
    return seen.built if isinstance(seen.built, dict) else {}


def _array(seen: Observation, expected: Observation, name: str) -> np.ndarray:
    """What a module gave under a name. Raises `NotReached` where it is missing, or of another shape than expected."""
    problem = _shape_problem(name, seen, expected) if seen is not expected else None
    if problem:
        raise NotReached(problem.message, problem.observed, problem.expected)
    return np.asarray(values.as_numbers(under(seen.value, name)), dtype=float)


def _gradients(case: Case, value: Any) -> dict[str, Any]:
    """The gradients that were found, by what they are of."""
    inside = value if isinstance(value, dict) else {}
    found, learned = inside.get("gradients"), inside.get("parameter_gradients", {})
    if not isinstance(found, (list, tuple)) or not isinstance(learned, dict):
        return {}
    arguments = [f"the {values.ordinal(position)} argument" for position in case.gradient_of]
    return {**dict(zip(arguments, found)), **{str(name): learned[name] for name in learned}}


def _listed(shapes: dict[str, Any]) -> str:
    return ", ".join(f"{name} {shape}" for name, shape in shapes.items()) or "none"
