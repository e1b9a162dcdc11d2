"""Rules about attention as an `nn.Module`: its output, the weights it keeps, its parameters, its dropout.

What is seen of a module is `{"output", "attention_weights", "parameters", ...}`, below `"value"` where
gradients were asked for as well.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.model import values
from autograder.model.exercise import Case, Observation, Problem

TINY = 1e-6


def parameters(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The parameters have the expected names and shapes, and there are no others."""
    own, wanted = _inside(seen.value).get("parameters"), _inside(expected.value).get("parameters")
    if not isinstance(own, dict) or not isinstance(wanted, dict):
        return Problem("is no nn.Module", values.kind_of(seen.value), "an nn.Module")
    if values.close(own, wanted, 0.0):
        return None
    spare = [str(name) for name in own if name not in wanted]
    return Problem("parameters", _listed(own), _listed(wanted), misconception=_name_spare(spare))


def a_row_per_query(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Output and kept weights have the right shape and are finite; a query's weights sum to 1, or to 0."""
    for name in ("output", "attention_weights"):
        problem = _shape_problem(name, seen, expected)
        if problem:
            return problem
    sums, wanted = (_array(one.value, "attention_weights").sum(axis=-1) for one in (seen, expected))
    if np.allclose(sums, wanted, atol=1e-3):
        return None
    return Problem("row sums of attention_weights", values.show(sums), values.show(wanted))


def agrees(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Output and kept weights are the expected ones, and again when asked a second time."""
    for name in ("attention_weights", "output"):
        own, wanted = _inside(seen.value).get(name), _inside(expected.value).get(name)
        found = values.difference(own, wanted, case.tolerance)
        if found:
            return Problem(f"{found[0]}, {name}", found[1], found[2])
        if not values.close(_inside(seen.again).get(name), wanted, case.tolerance):
            return Problem(f"{name}: right the first time, something else when asked the same again")
    return None


def gradients(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The gradients of the watched arguments and of all parameters are there, finite and right; of functions too."""
    own, wanted = _gradients(case, seen.value), _gradients(case, expected.value)
    if not own:
        return Problem(
            "no gradient could be asked for", values.kind_of(seen.value), "an output to differentiate"
        )
    for name, gradient in wanted.items():
        problem = _gradient_problem(f"gradient of {name}", own.get(name), gradient, case.tolerance)
        if problem:
            return problem
    return None


def _gradient_problem(which: str, own: Any, wanted: Any, tolerance: float) -> Problem | None:
    numbers = values.as_numbers(own)
    if numbers is None:
        return Problem(f"no {which}", "none", "one number per entry", misconception="gradient cut")
    if not np.isfinite(numbers.astype(float)).all():
        return Problem(f"{which}: not a number", values.show(numbers), "finite", misconception="gradient cut")
    if not values.close(numbers, wanted, tolerance):
        return Problem(f"{which} is wrong", misconception="gradient cut")
    return None


def dropout_on_weights(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Dropout acts on the weights, in training only, and what is kept is divided by 1 - p.

    The values of such a case are the identity with a column of ones at its right, so the output shows the
    weights as they were after dropout, and beside them their sum.
    """
    for name in ("output", "attention_weights"):
        problem = _shape_problem(name, seen, expected)
        if problem and not (name == "output" and case.module is not None and case.module.training):
            return problem
    output, kept = _array(seen.value, "output"), _array(seen.value, "attention_weights")
    weights = _array(expected.value, "attention_weights")
    if output.shape != _array(expected.value, "output").shape:
        return Problem("shape of the output", str(output.shape), str(_array(expected.value, "output").shape))
    if case.module is None or not case.module.training:
        return _changed_in_evaluation(output, kept, expected, case.tolerance)
    return _kept_too_late(kept, weights, case.tolerance) or _dropped_wrongly(
        output, weights, float(case.module.init["dropout"]), case.tolerance
    )


def _changed_in_evaluation(
    output: np.ndarray, kept: np.ndarray, expected: Observation, tolerance: float
) -> Problem | None:
    if values.close(output, _array(expected.value, "output"), tolerance) and values.close(
        kept, _array(expected.value, "attention_weights"), tolerance
    ):
        return None
    text = "after eval() the answer is not the one without dropout"
    return Problem(text, misconception="dropout in evaluation")


def _kept_too_late(kept: np.ndarray, weights: np.ndarray, tolerance: float) -> Problem | None:
    if values.close(kept, weights, tolerance):
        return None
    holes = (np.abs(kept) < TINY) & (weights > TINY)
    if not holes.any():
        return Problem(
            "in training attention_weights are not what they are without dropout",
            misconception="dropout elsewhere",
        )
    name = "renormalised after dropout" if _sums_to_one(kept) else ""
    return Problem("attention_weights hold what dropout left, not the weights before it", misconception=name)


def _dropped_wrongly(output: np.ndarray, weights: np.ndarray, p: float, tolerance: float) -> Problem | None:
    """In training, with the values [identity | ones]: what is wrong with the weights that were used."""
    used, total = output[..., :-1], output[..., -1]
    holes = (np.abs(used) < TINY) & (weights > TINY)
    if (
        not holes.any()
        and values.close(used, weights, tolerance)
        and values.close(total, weights.sum(-1), tolerance)
    ):
        return Problem("in training nothing is dropped")
    if holes.any() and _sums_to_one(used):
        text = "in training every query's weights still sum to 1 after dropout"
        return Problem(text, misconception="renormalised after dropout")
    if not holes.any() or not values.close(total, np.nan_to_num(used).sum(axis=-1), 1e-3):
        return Problem(
            "in training something other than the weights is dropped", misconception="dropout elsewhere"
        )
    if values.close(used, np.where(holes, 0.0, weights / (1 - p)), tolerance):
        return _dropped_together(holes, weights > TINY, p)
    return Problem(f"in training a kept weight should be divided by 1 - p, here {1 - p:.2g}")


def _dropped_together(holes: np.ndarray, alive: np.ndarray, p: float) -> Problem | None:
    """Each weight is dropped by a throw of its own, with probability p, wherever there is enough to tell."""
    for axis, whose in ((1, "query"), (2, "key"), (0, "batch entry")):
        both = alive & np.take(alive, [0], axis)
        if holes.shape[axis] > 1 and np.array_equal(holes & both, np.take(holes, [0], axis) & both):
            return Problem(f"in training the same weights are dropped for every {whose}")
    share, spread = holes[alive].mean(), np.sqrt(p * (1 - p) / alive.sum())
    if abs(share - p) > 4.5 * spread:
        return Problem(f"in training {share:.0%} of the weights are dropped, where p is {p:.2g}")
    return None


def _sums_to_one(weights: np.ndarray) -> bool:
    """Every row that has anything left sums to 1; at least one does."""
    sums = np.nan_to_num(weights).sum(axis=-1)
    left = np.abs(sums) > TINY
    return bool(left.any() and np.allclose(sums[left], 1.0, atol=1e-3))


def _shape_problem(name: str, seen: Observation, expected: Observation) -> Problem | None:
    own, wanted = values.as_numbers(_inside(seen.value).get(name)), _array(expected.value, name)
    if own is None:
        where = "is there a return?" if name == "output" else f"keep it in self.{name}"
        return Problem(f"{name} is missing: {where}", "nothing", values.kind_of(wanted))
    if own.shape != wanted.shape:
        squeezed = own.ndim < wanted.ndim and _without_ones(own.shape) == _without_ones(wanted.shape)
        misconception = "squeezed too much" if squeezed else ""
        return Problem(f"shape of {name}", str(own.shape), str(wanted.shape), misconception=misconception)
    if not np.isfinite(own.astype(float)).all():
        return Problem(f"{name}: not a number", values.show(own), "finite numbers")
    return None


def _without_ones(shape: tuple[int, ...]) -> list[int]:
    return [size for size in shape if size != 1]


def _inside(value: Any) -> dict[str, Any]:
    """What was seen of the module itself; empty where nothing was."""
    if isinstance(value, dict) and "value" in value:
        value = value["value"]
    return value if isinstance(value, dict) else {}


def _array(value: Any, name: str) -> np.ndarray:
    numbers = values.as_numbers(_inside(value).get(name))
    return np.zeros(0) if numbers is None else numbers.astype(float)


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


def _name_spare(spare: list[str]) -> str:
    """The misconception behind parameters that should not be there."""
    if not spare:
        return ""
    about_values = any("v" in name.replace("w_v", "").lower() for name in spare)
    return "projected values" if about_values else "extra scale, bias, swapped sizes"
