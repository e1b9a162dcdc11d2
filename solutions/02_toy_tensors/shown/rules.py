"""Rules of lesson 02: predictions, gradients, and the variance of random scores."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograder.model import values
from autograder.model.exercise import Case, Observation, Problem, Rule
from autograder.model.kinds import RandomSource

CLOSE = 0.01 + 1e-9
"""How far a number worked out by hand may be off."""

# --- predictions: say what to think over, never the answer ---------------------------------------------


def three_shares(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """`hand_weights` are as many numbers as there are keys, none negative, and they sum to 1."""
    weights = _squeezed(_of(seen, "hand_weights"))
    if weights is None or weights.shape != np.squeeze(_of(expected, "hand_weights")).shape:
        given = values.kind_of(_of(seen, "hand_weights"))
        return Problem("hand_weights needs one number for each key", given)
    if (weights >= 0).all() and abs(weights.sum() - 1) <= 3 * CLOSE:
        return None
    sums = f"yours are {values.show(weights)} and sum to {values.show(weights.sum())}"
    named = _known(case, "hand_weights", _close, weights)
    return Problem("weights are shares of one whole", sums, misconception=named)


def _predicted(name: str, what: str) -> Rule:
    """The rule that the numbers called `name` are the expected ones, as closely as by hand."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        given, shape = _squeezed(_of(seen, name)), np.squeeze(_of(expected, name)).shape
        if given is None or given.shape != shape:
            form = f"{shape} numbers" if shape else "one number"
            return Problem(f"{name} needs {form}", values.kind_of(_of(seen, name)))
        if _close(_of(expected, name), given):
            return None
        named = _known(case, name, _close, given)
        return Problem(f"{name}: {what}", f"yours: {values.show(given)}", misconception=named)

    rule.__name__ = name
    return rule


hand_weights = _predicted(
    "hand_weights",
    "not what a softmax makes of the scaled scores: go through scores, scale and softmax once more",
)
hand_output = _predicted(
    "hand_output",
    "not the weighted sum of the three values: write down weight times value for each of them",
)
looked_up = _predicted(
    "looked_up",
    "not the rows these queries fetch: which keys share the weight, and what does V hold there?",
)
divisor = _predicted("divisor", "which size does the formula mention?")


def attends_to(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Which keys share each toy query's weight: as positions, in any order."""
    given, wanted = _lists(_of(seen, "attends_to")), _lists(_of(expected, "attends_to"))
    if given is None or wanted is None or len(given) != len(wanted):
        return Problem("attends_to needs three lists of key positions, one for each query")
    if given == wanted:
        return None
    right = sum(one == other for one, other in zip(given, wanted))
    what = f"right for {right} of {len(wanted)} queries: with which keys is the dot product largest?"
    yours = ", ".join("[" + ", ".join(f"{number:g}" for number in row) + "]" for row in given)
    named = _known(case, "attends_to", lambda guess, given: _lists(guess) == given, given)
    return Problem(what, f"yours: {yours}", misconception=named)


def words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Answers in words, one or several: how many are right."""
    for name, wanted in expected.value.items():
        given, right = _words(_of(seen, name)), _words(wanted)
        if len(given) != len(right):
            return Problem(f"{name}: expected {len(right)} in quotes, found {len(given)}")
        if given != right:
            hits = sum(one == other for one, other in zip(given, right))
            named = _known(case, name, lambda guess, given: _words(guess) == given, given)
            return Problem(f"{name}: {hits} of {len(right)} right", misconception=named)
    return None


def _known(case: Case, name: str, alike: Callable[[Any, Any], bool], given: Any) -> str:
    """The misconception that gives this prediction, if the case lists one."""
    return next((label for label, guess in case.facts.get("mistaken", ()) if alike(guess[name], given)), "")


def _of(observation: Observation, name: str) -> Any:
    return observation.value.get(name) if isinstance(observation.value, dict) else None


def _squeezed(value: Any) -> np.ndarray | None:
    """A regular nesting of finite numbers without its axes of length 1, or None."""
    numbers = values.as_numbers(value)
    if numbers is None or not np.isfinite(numbers.astype(float)).all():
        return None
    return numbers.astype(float).squeeze()


def _close(value: Any, given: np.ndarray) -> bool:
    numbers = _squeezed(value)
    return (
        numbers is not None and numbers.shape == given.shape and bool((abs(numbers - given) <= CLOSE).all())
    )


def _lists(value: Any) -> list[list[float]] | None:
    """Lists of positions, each in order; None when `value` is something else."""
    if isinstance(value, np.ndarray) and value.ndim:
        value = list(value)
    if not isinstance(value, (list, tuple)):
        return None
    if len(value) == 1:
        return _lists(value[0])
    rows = [row for row in map(values.as_numbers, value) if row is not None and row.dtype.kind != "b"]
    if len(rows) != len(value):
        return None
    return [sorted(row.ravel().astype(float).tolist()) for row in rows]


def _words(value: Any) -> list[str]:
    """Words in small letters, without "-attention" or "each" around them."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, (list, tuple)) or not all(isinstance(word, str) for word in value):
        return []
    bare = (word.strip().lower().replace("-", " ").removesuffix("attention").strip() for word in value)
    return [word.removeprefix("each ").removeprefix("every ").removesuffix("s") for word in bare]


# --- gradients -----------------------------------------------------------------------------------------


def gradient_flows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The gradients of output and weights reach every argument they were asked for, with the right values."""
    given, wanted = _of(seen, "gradients"), _of(expected, "gradients")
    if not isinstance(given, list) or not isinstance(wanted, list) or len(given) != len(wanted):
        return Problem("no gradients came back")
    for position, (one, other) in enumerate(zip(given, wanted)):
        if other is not None and one is None:
            what = f"no gradient reaches the {values.ordinal(position)} argument"
            return Problem(what, misconception="gradient cut")
    found = values.difference(given, wanted, case.tolerance)
    if found is None:
        return None
    forward = values.close(_of(seen, "value"), _of(expected, "value"), case.tolerance)
    what = f"the values are right, not their gradients: {found[0]}" if forward else f"gradients: {found[0]}"
    return Problem(what, found[1], found[2], misconception="gradient cut" if forward else "")


# --- the variance of random scores ---------------------------------------------------------------------


def _no_pair(seen: Observation) -> Problem:
    return Problem("expected two numbers, (raw, scaled)", values.kind_of(seen.value))


def _two_numbers(judge: Callable[[float, float, float, float], Problem | None]) -> Rule:
    """The rule that asks `judge` about d_k, raw, scaled, and the relative slack of six standard errors."""

    @functools.wraps(judge)
    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        numbers = values.as_numbers(seen.value)
        if numbers is None or numbers.size != 2 or not np.isfinite(numbers.astype(float)).all():
            return _no_pair(seen)
        d_k, n_samples = map(float, case.args[:2])
        raw, scaled = map(float, numbers.ravel())
        return judge(d_k, raw, scaled, 6 * float(np.sqrt((2 + 6 / d_k) / n_samples)))

    return rule


def two_variances(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Two finite numbers, neither negative."""
    numbers = values.as_numbers(seen.value)
    if numbers is None or numbers.size != 2:
        return _no_pair(seen)
    if np.isfinite(numbers.astype(float)).all() and (numbers.astype(float) >= 0).all():
        return None
    return Problem("a variance is a finite number that is not negative", values.show(numbers))


def uses_its_rng(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The generator handed in was drawn from, and the same seed gives the same answer again."""
    if seen.after and values.close(seen.after[-1], _next_number(case.args[-1]), 0.0):
        return Problem("rng was never drawn from", misconception="rng ignored")
    alike = isinstance(seen.value, list) and all(values.close(one, seen.value[0], 1e-9) for one in seen.value)
    if case.each is not None and alike:
        return Problem("other seeds gave the same numbers", misconception="rng ignored")
    if values.close(seen.again, seen.value, 1e-6):
        return None
    what = "the same seed gave other numbers the second time"
    return Problem(what, f"{_shown(seen.value)}, then {_shown(seen.again)}", misconception="rng ignored")


def as_many_as_asked(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """From seed to seed, the variance of two scores jumps about; only that of many keeps close to d_k."""
    raw = _raw_by_seed(seen)
    if raw is None:
        return _no_pair(seen)
    d_k = float(case.args[0])
    if ((raw < d_k / 2) | (raw > d_k * 2)).any():
        return None
    what = "with n_samples = 2 the variance should jump about from seed to seed, yours stays close to d_k"
    return Problem(what, misconception="n_samples ignored")


def spreads_like_products(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The raw variance is d_k; with one feature and many seeds, it varies as that of normal numbers' products.

    The variance of 200 such products has a relative deviation of √(8/200) = 0.2 from seed to seed; that of
    200 normal numbers has √(2/200) = 0.1. Over 100 seeds, 0.125 lies four standard errors from either.
    """
    if case.each is None:
        return grows_with_width(case, seen, expected)
    raw = _raw_by_seed(seen)
    if raw is None:
        return _no_pair(seen)
    if raw.std() >= 0.125 * abs(raw.mean()):
        return None
    what = "with one feature, raw varies too little from seed to seed"
    return Problem(f"{what}: is each score a product of two normal numbers?")


@_two_numbers
def grows_with_width(d_k: float, raw: float, scaled: float, slack: float) -> Problem | None:
    """The raw variance is d_k, as closely as so many samples can tell."""
    if abs(raw / d_k - 1) <= slack:
        return None
    name, what = "", f"raw is far from d_k = {d_k:g}"
    if _near(raw, np.sqrt(d_k), slack):
        name, what = "deviation for variance", f"raw is close to √{d_k:g}"
    elif _near(raw, d_k * 7 / 144, slack) or _near(raw, d_k / 9, slack):
        name = "uniform instead of normal"
    elif _near(raw, 1, slack) and _near(scaled, d_k, slack):
        what = "raw and scaled have changed places"
    elif _near(raw, 1 / d_k, slack) or _near(raw, 1, slack):
        what = "raw is the variance before the division"
    return Problem(what, f"raw {raw:.4g}", misconception=name)


@_two_numbers
def stays_at_one(d_k: float, raw: float, scaled: float, slack: float) -> Problem | None:
    """The scaled variance is 1, as closely as so many samples can tell."""
    if abs(scaled - 1) <= slack:
        return None
    mistakes = {"divided by d_k": 1 / d_k, "deviation for variance": np.sqrt(d_k), "no scale": d_k}
    named = next((name for name, target in mistakes.items() if _near(scaled, target, slack)), "")
    what = f"the division by √{d_k:g} should bring the variance to 1"
    return Problem(what, f"scaled {scaled:.4g}", misconception=named)


@_two_numbers
def same_draws(d_k: float, raw: float, scaled: float, slack: float) -> Problem | None:
    """Both variances belong to the same products: their ratio is d_k, sample by sample."""
    if abs(scaled * d_k - raw) <= 1e-3 * max(raw, 1e-9):
        return None
    usual = slack < 0.3 and abs(raw / d_k - 1) <= slack and abs(scaled - 1) <= slack
    what = "over the same draws, raw / scaled is the square of the divisor"
    ratio = f"{raw:.4g} / {scaled:.4g}, d_k = {d_k:g}"
    return Problem(what, ratio, misconception="fresh draws" if usual else "")


def _raw_by_seed(seen: Observation) -> np.ndarray | None:
    """The raw variance for each seed; None when there are no two numbers for each."""
    numbers = values.as_numbers(seen.value)
    return (
        None if numbers is None or numbers.ndim < 2 or numbers.shape[1] < 2 else numbers[:, 0].astype(float)
    )


def _near(value: float, target: float, slack: float) -> bool:
    return slack < 0.5 and abs(value / target - 1) <= slack


def _next_number(source: Any) -> Any:
    """What a fresh generator of that seed draws first; a list of them for a list of sources."""
    if isinstance(source, RandomSource):
        return float(np.random.default_rng(source.seed).random())
    return [_next_number(one) for one in source]


def _shown(value: Any) -> str:
    return values.kind_of(value) if values.as_numbers(value) is None else values.show(value)
