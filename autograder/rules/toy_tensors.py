"""Rules of lesson 02: predictions, gradients, and the variance of random scores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder import values
from autograder.exercise import Case, Observation, Problem, RandomSource

CLOSE = 0.01 + 1e-9
"""How far a number worked out by hand may be off."""

# --- predictions: say what to think over, never the answer ---------------------------------------------


def three_shares(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """`hand_weights` are as many numbers as there are keys, none negative, and they sum to 1."""
    weights, wanted = _flat(_of(seen, "hand_weights")), _flat(_of(expected, "hand_weights"))
    if weights is None or wanted is None or weights.size != wanted.size:
        given = values.kind_of(_of(seen, "hand_weights"))
        return Problem("hand_weights needs one number for each key", given)
    if (weights >= 0).all() and abs(weights.sum() - 1) <= 3 * CLOSE:
        return None
    sums = f"yours are {values.show(weights)} and sum to {values.show(weights.sum())}"
    return Problem("weights are shares of one whole", sums, misconception=_known(case, seen, "hand_weights"))


def hand_weights(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The weights worked out by hand."""
    what = "not what a softmax makes of the scaled scores: go through scores, scale and softmax once more"
    return _predicted(case, seen, expected, "hand_weights", what)


def hand_output(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The output worked out by hand."""
    what = "not the weighted sum of the three values: write down weight times value for each of them"
    return _predicted(case, seen, expected, "hand_output", what)


def looked_up(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The rows that the toy queries fetch."""
    what = "not the rows these queries fetch: which keys share the weight, and what does V hold there?"
    return _predicted(case, seen, expected, "looked_up", what)


def divisor(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """What the scores of the toy lookup must be divided by."""
    return _predicted(case, seen, expected, "divisor", "which size does the formula mention?")


def attends_to(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Which keys share each toy query's weight: as positions, in any order."""
    given, wanted = _lists(_of(seen, "attends_to")), _lists(_of(expected, "attends_to"))
    if given is None or wanted is None or len(given) != len(wanted):
        return Problem("attends_to needs three lists of key positions, one for each query")
    right = [one == other for one, other in zip(given, wanted, strict=True)]
    if all(right):
        return None
    what = f"right for {sum(right)} of {len(right)} queries: with which keys is the dot product largest?"
    named = next((name for name, lists in _mistaken(case, "attends_to") if _lists(lists) == given), "")
    return Problem(what, f"yours: {_whole(given)}", misconception=named)


def words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Answers in words, one or several: how many are right."""
    for name, wanted in expected.value.items():
        given, right = _words(_of(seen, name)), _words(wanted)
        if len(given) != len(right):
            return Problem(f"{name}: expected {len(right)} in quotes, found {len(given)}")
        hits = sum(one == other for one, other in zip(given, right, strict=True))
        if hits < len(right):
            named = next((label for label, guess in _mistaken(case, name) if _words(guess) == given), "")
            return Problem(f"{name}: {hits} of {len(right)} right", misconception=named)
    return None


def _predicted(case: Case, seen: Observation, expected: Observation, name: str, what: str) -> Problem | None:
    given, wanted = _squeezed(_of(seen, name)), _squeezed(_of(expected, name))
    if given is None or wanted is None or given.shape != wanted.shape:
        shape = wanted.shape if wanted is not None else ()
        form = f"{shape} numbers" if shape else "one number"
        return Problem(f"{name} needs {form}", values.kind_of(_of(seen, name)))
    if (np.abs(given - wanted) <= CLOSE).all():
        return None
    return Problem(f"{name}: {what}", f"yours: {values.show(given)}", misconception=_known(case, seen, name))


def _known(case: Case, seen: Observation, name: str) -> str:
    """The misconception that gives this prediction, if the case lists one."""
    given = _squeezed(_of(seen, name))
    for misconception, guess in _mistaken(case, name):
        other = _squeezed(guess)
        if given is None or other is None or given.shape != other.shape:
            continue
        if np.allclose(given, other, rtol=0.0, atol=CLOSE):
            return misconception
    return ""


def _mistaken(case: Case, name: str) -> Sequence[tuple[str, Any]]:
    return [(label, guess[name]) for label, guess in case.facts.get("mistaken", ()) if name in guess]


def _of(observation: Observation, name: str) -> Any:
    return observation.value.get(name) if isinstance(observation.value, dict) else None


def _squeezed(value: Any) -> np.ndarray | None:
    """A regular nesting of finite numbers without its axes of length 1, or None."""
    numbers = values.as_numbers(value)
    if numbers is None or not np.isfinite(numbers.astype(float)).all():
        return None
    return numbers.astype(float).squeeze()


def _flat(value: Any) -> np.ndarray | None:
    numbers = _squeezed(value)
    return None if numbers is None else numbers.reshape(-1)


def _lists(value: Any) -> list[list[float]] | None:
    """Lists of positions, each in order; None when `value` is something else."""
    if isinstance(value, np.ndarray) and value.ndim:
        value = list(value)
    if not isinstance(value, (list, tuple)):
        return None
    if len(value) == 1:
        return _lists(value[0])
    rows = [values.as_numbers(row) for row in value]
    if any(row is None or row.dtype.kind == "b" for row in rows):
        return None
    return [sorted(row.ravel().astype(float).tolist()) for row in rows if row is not None]


def _whole(lists: list[list[float]]) -> str:
    return ", ".join("[" + ", ".join(f"{number:g}" for number in row) + "]" for row in lists)


def _words(value: Any) -> list[str]:
    """Words in small letters, without "-attention" or "each" around them."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, (list, tuple)) or not all(isinstance(word, str) for word in value):
        return []
    return [_bare(word) for word in value]


def _bare(word: str) -> str:
    text = word.strip().lower().replace("-", " ").removesuffix("attention").strip()
    return text.removeprefix("each ").removeprefix("every ").removesuffix("s")


# --- gradients -----------------------------------------------------------------------------------------


def gradient_flows(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The gradients of output and weights reach every argument they were asked for, with the right values."""
    given, wanted = _part(seen, "gradients"), _part(expected, "gradients")
    if not isinstance(given, list) or not isinstance(wanted, list) or len(given) != len(wanted):
        return Problem("no gradients came back")
    for position, (one, other) in enumerate(zip(given, wanted, strict=True)):
        if other is not None and one is None:
            what = f"no gradient reaches the {values.ordinal(position)} argument"
            return Problem(what, misconception="gradient cut")
    found = values.difference(given, wanted, case.tolerance)
    if found is None:
        return None
    forward = values.close(_part(seen, "value"), _part(expected, "value"), case.tolerance)
    what = f"the values are right, not their gradients: {found[0]}" if forward else f"gradients: {found[0]}"
    return Problem(what, found[1], found[2], misconception="gradient cut" if forward else "")


def _part(observation: Observation, name: str) -> Any:
    return observation.value.get(name) if isinstance(observation.value, dict) else None


# --- the variance of random scores ---------------------------------------------------------------------


def two_variances(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Two finite numbers, neither negative."""
    numbers = values.as_numbers(seen.value)
    if numbers is None or numbers.size != 2:
        return Problem("expected two numbers, (raw, scaled)", values.kind_of(seen.value))
    if not (np.isfinite(numbers.astype(float)).all() and (numbers.astype(float) >= 0).all()):
        return Problem("a variance is a finite number that is not negative", values.show(numbers))
    return None


def uses_its_rng(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The generator handed in was drawn from, and the same seed gives the same answer again."""
    if seen.after and _next_number(case.args[-1]) == seen.after[-1]:
        return Problem("rng was never drawn from", misconception="rng ignored")
    if case.each is not None and _all_alike(seen.value):
        return Problem("other seeds gave the same numbers", misconception="rng ignored")
    if not values.close(seen.again, seen.value, 1e-6):
        what = "the same seed gave other numbers the second time"
        return Problem(what, f"{_pair(seen.value)}, then {_pair(seen.again)}", misconception="rng ignored")
    return None


def as_many_as_asked(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """From seed to seed, the variance of two scores jumps about; only that of many keeps close to d_k."""
    numbers = values.as_numbers(seen.value)
    if numbers is None or numbers.ndim < 2 or numbers.shape[1] < 2:
        return Problem("expected two numbers, (raw, scaled)", values.kind_of(seen.value))
    raw = numbers[:, 0].astype(float) / float(case.args[0])
    if ((raw < 0.5) | (raw > 2)).any():
        return None
    what = "with n_samples = 2 the variance should jump about from seed to seed, yours stays close to d_k"
    return Problem(what, misconception="n_samples ignored")


def spreads_like_products(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The raw variance is d_k; with one feature and many seeds, it varies as that of products of normal numbers.

    The variance of 200 such products has a relative deviation of √(8/200) = 0.2 from seed to seed; that of 200
    normal numbers has √(2/200) = 0.1. Over 100 seeds, 0.125 lies four standard errors from either.
    """
    if case.each is None:
        return grows_with_width(case, seen, expected)
    numbers = values.as_numbers(seen.value)
    if numbers is None or numbers.ndim < 2 or numbers.shape[1] < 2:
        return Problem("expected two numbers, (raw, scaled)", values.kind_of(seen.value))
    raw = numbers[:, 0].astype(float)
    if raw.std() >= 0.125 * abs(raw.mean()):
        return None
    what = "with one feature, raw varies too little from seed to seed: is each score a product of two normal numbers?"
    return Problem(what)


def grows_with_width(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The raw variance is d_k, as closely as so many samples can tell."""
    found = _variances(case, seen)
    if found is None:
        return Problem("expected two numbers, (raw, scaled)", values.kind_of(seen.value))
    d_k, raw, scaled, slack = found
    if abs(raw / d_k - 1) <= slack:
        return None
    name, what = "", f"raw is far from d_k = {d_k:g}"
    if _near(raw, np.sqrt(d_k), slack):
        name, what = "deviation for variance", f"raw is close to √{d_k:g}"
    elif any(_near(raw, d_k * ratio, slack) for ratio in (7 / 144, 1 / 9)):
        name = "uniform instead of normal"
    elif _near(raw, 1, slack) and _near(scaled, d_k, slack):
        what = "raw and scaled have changed places"
    elif _near(raw, 1 / d_k, slack) or _near(raw, 1, slack):
        what = "raw is the variance before the division"
    return Problem(what, f"raw {raw:.4g}", misconception=name)


def stays_at_one(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The scaled variance is 1, as closely as so many samples can tell."""
    found = _variances(case, seen)
    if found is None:
        return Problem("expected two numbers, (raw, scaled)", values.kind_of(seen.value))
    d_k, _, scaled, slack = found
    if abs(scaled - 1) <= slack:
        return None
    name = ""
    if _near(scaled, 1 / d_k, slack):
        name = "divided by d_k"
    elif _near(scaled, np.sqrt(d_k), slack):
        name = "deviation for variance"
    elif _near(scaled, d_k, slack):
        name = "no scale"
    what = f"the division by √{d_k:g} should bring the variance to 1"
    return Problem(what, f"scaled {scaled:.4g}", misconception=name)


def same_draws(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Both variances belong to the same products: their ratio is d_k, sample by sample."""
    found = _variances(case, seen)
    if found is None:
        return Problem("expected two numbers, (raw, scaled)", values.kind_of(seen.value))
    d_k, raw, scaled, slack = found
    if abs(scaled * d_k - raw) <= 1e-3 * max(raw, 1e-9):
        return None
    usual = slack < 0.3 and abs(raw / d_k - 1) <= slack and abs(scaled - 1) <= slack
    what = "over the same draws, raw / scaled is the square of the divisor"
    ratio = f"{raw:.4g} / {scaled:.4g}, d_k = {d_k:g}"
    return Problem(what, ratio, misconception="fresh draws" if usual else "")


def _variances(case: Case, seen: Observation) -> tuple[float, float, float, float] | None:
    """d_k, raw, scaled, and the relative slack of six standard errors; None when there are no two numbers."""
    numbers = values.as_numbers(seen.value)
    if numbers is None or numbers.size != 2 or not np.isfinite(numbers.astype(float)).all():
        return None
    d_k, n_samples = float(case.args[0]), float(case.args[1])
    raw, scaled = numbers.astype(float).ravel()
    return d_k, float(raw), float(scaled), 6 * float(np.sqrt((2 + 6 / d_k) / n_samples))


def _near(value: float, target: float, slack: float) -> bool:
    return slack < 0.5 and abs(value / target - 1) <= slack


def _next_number(source: Any) -> Any:
    """What a fresh generator of that seed draws first; a list of them for a list of sources."""
    if isinstance(source, RandomSource):
        return float(np.random.default_rng(source.seed).random())
    return [_next_number(one) for one in source]


def _all_alike(answers: Any) -> bool:
    return isinstance(answers, list) and all(values.close(one, answers[0], 1e-9) for one in answers)


def _pair(value: Any) -> str:
    return values.show(value) if values.as_numbers(value) is not None else values.kind_of(value)
