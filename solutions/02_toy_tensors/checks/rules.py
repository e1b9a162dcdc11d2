"""Rules of lesson 02: predictions, and the variance of random scores."""

import functools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from autograder.exercises import values
from autograder.exercises.common import read_prediction
from autograder.exercises.exercise import Case, NotReached, Observation, Problem, Rule
from attention.helpers import softmax
from attention.numbers import real

CLOSE = 0.01 + 1e-9
"""How far a number worked out by hand may be off."""

# --- predictions: say what to think over, never the answer ---------------------------------------------


def three_shares(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """`hand_weights` are as many numbers as there are keys, none negative, and they sum to 1."""
    given = read_prediction(seen, "hand_weights")
    try:
        weights = _numbers(seen, expected, "hand_weights")
    except NotReached:
        return Problem("hand_weights needs one number for each key", values.describe_kind(given))
    if (weights >= 0).all() and abs(weights.sum() - 1) <= 3 * CLOSE:
        return None
    sums = f"yours are {values.format_numbers(weights)} and sum to {values.format_numbers(weights.sum())}"
    return Problem("weights are shares of one whole", sums, compared={"hand_weights": weights})


def _numbers_are_right(name: str, what: str) -> Rule:
    """The rule that the numbers called `name` are the expected ones, as closely as by hand."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        given = _numbers(seen, expected, name)
        if expected.value[name].matches(given):
            return None
        return Problem(f"{name}: {what}", f"yours: {values.format_numbers(given)}", compared={name: given})

    rule.__name__ = name
    return rule


hand_weights = _numbers_are_right(
    "hand_weights", "not what a softmax makes of the scaled scores: go through scores, scale and softmax once more"
)
hand_output = _numbers_are_right(
    "hand_output", "off by more than 0.01: work out weight times value for each key with all digits, then add up"
)


def output_of_these_weights(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The output, where the weights that it comes from are right."""
    if hand_weights(case, seen, expected):
        raise NotReached("the weights are not right yet")
    return hand_output(case, seen, expected)


divisor = _numbers_are_right("divisor", "which size does the formula mention?")
scores_shape = _numbers_are_right("scores_shape", "who is held against whom, in which batch?")
output_shape = _numbers_are_right("output_shape", "who gets a row, and how wide is what is blended?")


def wanted_weights(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Where training ends, each of the numbers; a mistake is recognised by all of them."""
    given = {name: _numbers(seen, expected, name) for name in expected.value}
    wrong = [name for name, number in given.items() if not expected.value[name].matches(number)]
    if not wrong:
        return None
    what = f"not what training ends with: {' and '.join(wrong)}. Which scores are tied to which others?"
    return Problem(what, f"yours: {', '.join(map(values.format_numbers, given.values()))}", compared=given)


def attends_to(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Which keys share each toy query's weight: as positions, in any order."""
    given, wanted = _lists(read_prediction(seen, "attends_to")), expected.value["attends_to"]
    if given is None or len(given) != len(wanted):
        raise NotReached("attends_to needs three lists of key positions, one for each query")
    right = sum(other.matches(one) for one, other in zip(given, wanted))
    if right == len(wanted):
        return None
    what = f"right for {right} of {len(wanted)} queries: with which keys is the dot product largest?"
    yours = ", ".join("[" + ", ".join(f"{number:g}" for number in row) + "]" for row in given)
    return Problem(what, f"yours: {yours}", compared={"attends_to": given})


def rows_at_these_positions(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The rows that are looked up, where the positions that they stand at are right."""
    if attends_to(case, seen, expected):
        raise NotReached("the positions are not right yet")
    return looked_up(case, seen, expected)


def looked_up(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """`looked_up` holds the rows of numbers that are fetched; where some are, the first that is not is named."""
    given, right = _numbers(seen, expected, "looked_up"), expected.value["looked_up"]
    if right.matches(given):
        return None
    wrong = [row for row, own in enumerate(given) if not replace(right, value=right.value[row]).matches(own)]
    what, yours = "not the rows these queries fetch: which keys share the weight, and what does V hold there?", given
    if len(wrong) < len(given):
        what = f"row {wrong[0]}, counted from 0: what do its weights sum to, and what does V hold where they lie?"
        yours = given[wrong[0]]
    return Problem(f"looked_up: {what}", f"yours: {values.format_numbers(yours)}", compared={"looked_up": given})


def words(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Answers in words, one or several: how many are right."""
    for name, wanted in expected.value.items():
        several = isinstance(wanted, list)
        given, right = _words(read_prediction(seen, name)), wanted if several else [wanted]
        if len(given) != len(right):
            count = "one word" if len(right) == 1 else f"{len(right)} words"
            raise NotReached(f"{name} needs {count} in quotes", values.describe_kind(seen.value[name]))
        hits = sum(other.matches(one) for one, other in zip(given, right))
        if hits < len(right):
            said = {name: given if several else given[0]}
            return Problem(f"{name}: {hits} of {len(right)} right", compared=said)
    return None


def _numbers(seen: Observation, expected: Observation, name: str) -> np.ndarray:
    """What was filled in, without axes of length 1. Raises `NotReached` unless it is so many numbers as expected."""
    given, shape = read_prediction(seen, name), np.empty(expected.value[name].shape).squeeze().shape
    numbers = real(given)
    if numbers is None or numbers.squeeze().shape != shape or not np.isfinite(numbers).all():
        form = f"{' by '.join(map(str, shape))} numbers" if shape else "one number"
        raise NotReached(f"{name} needs {form}", values.describe_kind(given))
    return numbers.squeeze()


def _lists(value: Any) -> list[list[float]] | None:
    """Lists of positions; None when `value` is something else."""
    if isinstance(value, np.ndarray) and value.ndim:
        value = list(value)
    if not isinstance(value, (list, tuple)):
        return None
    if len(value) == 1:
        return _lists(value[0])
    rows = [row for row in map(values.as_numbers, value) if row is not None and row.dtype.kind != "b"]
    if len(rows) != len(value):
        return None
    return [row.ravel().astype(float).tolist() for row in rows]


def _words(value: Any) -> list[str]:
    """Words in small letters, without "-attention" or "each" around them."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, (list, tuple)) or not all(isinstance(word, str) for word in value):
        return []
    bare = (word.strip().lower().replace("-", " ").removesuffix("attention").strip() for word in value)
    single = (word.removeprefix("each ").removeprefix("every ") for word in bare)
    return [word if word.endswith("ss") else word.removesuffix("s") for word in single]


# --- words that look at their left neighbour -----------------------------------------------------------


def who_looks_where(case: Case, value: Any) -> np.ndarray:
    """The weights of the words on each other: of Q and K, what is not free."""
    return _weights(case, Observation(value))


def same_looks(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every word looks where it should, with a weight of 0.99 and more."""
    looks, right = (who_looks_where(case, one.value) for one in (seen, expected))
    found = values.describe_difference(looks, right, 0.01)
    return Problem(*found) if found else None


def two_matrices(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Q and K, each with a row for each word, equally wide, and made of finite numbers."""
    try:
        _weights(case, seen)
    except NotReached as reason:
        return reason.problem
    return None


def looks_left(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Of the words but the first, each has its largest weight on the one before it."""
    best, number = _most_looked_at(case, seen), case.args[0]
    left, right = np.arange(number - 1), np.arange(1, number)
    if (best[1:] == left).all():
        return None
    wrong = int(np.flatnonzero(best[1:] != left)[0]) + 1
    turned = number > 2 and (best[1:-1] == right[1:]).all()
    return Problem(
        f"of {number} words, word {wrong} {_at(best[wrong])}",
        misconception="shifted the wrong way" if turned else "",
    )


def first_stays(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Word 0 has its largest weight on itself."""
    best, number = _most_looked_at(case, seen), case.args[0]
    if best[0] == 0:
        return None
    left = (best[1:] == np.arange(number - 1)).all() and best[0] == number - 1
    return Problem(
        f"of {number} words, word 0 {_at(best[0])}", misconception="round the corner" if left else ""
    )


def looks_hard(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Every word's largest weight is 0.99 or more; not reached where it lies on another word than asked for."""
    best = _most_looked_at(case, seen)
    if (best != np.maximum(np.arange(case.args[0]) - 1, 0)).any():
        raise NotReached("some words do not look where they should")
    largest = _weights(case, seen).max(axis=1)
    if (largest >= 0.99).all():
        return None
    what = f"of {case.args[0]} words, word {largest.argmin()} has a weight of only {largest.min():.2f} there"
    return Problem(what, misconception="scores too close together")


def _at(position: int) -> str:
    return "looks at several alike" if position < 0 else f"looks most at word {position}"


def _most_looked_at(case: Case, seen: Observation) -> np.ndarray:
    """For each word the one with its largest weight; -1 where two share it."""
    weights = _weights(case, seen)
    shared = (weights > weights.max(axis=1, keepdims=True) - 1e-9).sum(axis=1) > 1
    return np.where(shared, -1, weights.argmax(axis=1))


def _weights(case: Case, seen: Observation) -> np.ndarray:
    """The weights of these queries on these keys. Raises `NotReached` where they have none."""
    if not isinstance(seen.value, (tuple, list)) or len(seen.value) != 2:
        raise NotReached("expected two matrices, Q and K", values.describe_kind(seen.value))
    Q, K = (_rows(name, one, case.args[0]) for name, one in zip("QK", seen.value))
    if Q.shape != K.shape:
        raise NotReached("Q and K need the same width", f"{Q.shape} and {K.shape}")
    return softmax(Q @ K.T / np.sqrt(K.shape[1]))


def _rows(name: str, value: Any, number: int) -> np.ndarray:
    """A matrix of finite numbers with so many rows. Raises `NotReached` for anything else."""
    found = real(value)
    if found is None or found.ndim != 2 or len(found) != number or not found.size:
        raise NotReached(f"{name} needs a row for each word", values.describe_kind(value))
    if not np.isfinite(found).all():
        raise NotReached(f"{name} needs finite numbers")
    return found


# --- the variance of random scores ---------------------------------------------------------------------


PAIR = "expected two numbers, (raw, scaled)"
ELSEWHERE = "numbers not drawn from the given generator"
OTHER_NUMBER = "another number of pairs than asked for"


def spread(case: Case, value: Any) -> np.ndarray:
    """How many times the scaled variance the raw one is, and of many pairs, how far it is from d_k, in powers of 2."""
    raw, scaled = _pairs(case, Observation(value)).T
    power = 0.0 if case.tag == "few" else np.rint(np.log2(raw.mean() / case.args[0]))
    return np.array([*raw / scaled, power])


def same_spread(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """What `spread` says is what it says of the expected pair."""
    found = values.describe_difference(spread(case, seen.value), spread(case, expected.value), case.tolerance)
    return Problem(*found) if found else None


def _pairs(case: Case, seen: Observation) -> np.ndarray:
    """(n, 2): raw and scaled for each generator that the case hands in. Raises `NotReached` for anything else."""
    numbers, wanted = real(seen.value), 1 if case.each is None else len(case.args[case.each])
    if numbers is None or numbers.size != 2 * wanted or not np.isfinite(numbers).all():
        raise NotReached(PAIR, values.describe_kind(seen.value))
    return numbers.reshape(wanted, 2)


def _two_numbers(judge: Callable[[float, float, float, float], Problem | None]) -> Rule:
    """The rule that asks `judge` about d_k, raw, scaled, and the relative slack of six standard errors."""

    @functools.wraps(judge)
    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        d_k, n_samples = map(float, case.args[:2])
        raw, scaled = map(float, _pairs(case, seen)[0])
        return judge(d_k, raw, scaled, 6 * float(np.sqrt((2 + 6 / d_k) / n_samples)))

    return rule


def two_variances(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Two finite numbers, neither negative."""
    numbers = real(seen.value)
    if numbers is None or numbers.size != 2:
        return Problem(PAIR, values.describe_kind(seen.value))
    if np.isfinite(numbers).all() and (numbers >= 0).all():
        return None
    return Problem("a variance is a finite number that is not negative", values.format_numbers(numbers))


def uses_its_rng(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The generator handed in was drawn from, and the same seed gives the same answer again."""
    pairs = _pairs(case, seen)
    if 0 in _drawn(case, seen):
        return Problem("rng was never drawn from", misconception=ELSEWHERE)
    alike = len(pairs) > 1 and values.are_close(pairs, np.broadcast_to(pairs[0], pairs.shape), 1e-9)
    if alike and pairs.any():  # a single score has the variance 0, wherever it was drawn
        in_full = all(words is None for words in _drawn(case, seen))
        return Problem("other seeds gave the same numbers", misconception="" if in_full else ELSEWHERE)
    if values.are_close(seen.again, seen.value, 1e-6):
        return None
    what = "the same seed gave other numbers the second time"
    first, again = map(values.as_numbers, (seen.value, seen.again))
    texts = (values.format_numbers(first), values.format_value(seen.again))
    if again is not None:
        texts = values.format_difference(first, again)
    return Problem(what, ", then ".join(texts))


def as_many_as_asked(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """So many pairs take many numbers from rng; and the variance of two scores jumps about from seed to seed.

    A number takes a word of the generator, a few take more; in single precision half of one. Whoever takes one or two
    words in all may have seeded another generator with them.
    """
    d_k, n_samples, _ = case.args
    raw, half = _pairs(case, seen)[:, 0], n_samples * d_k
    drawn = [words for words in _drawn(case, seen) if words is not None]
    few = [words for words in drawn if 2 < words < half or 1.2 * half + 5 < words < 1.9 * half]
    if few:
        what = f"fewer numbers were drawn from rng than {n_samples} pairs of {d_k} features have"
        return Problem(what, misconception=OTHER_NUMBER if 2 * d_k <= few[0] < half else "")
    if case.each is None:
        return None
    _see_that_seeds_matter(raw)
    if ((raw < d_k / 2) | (raw > d_k * 2)).any():
        return None
    what = "with n_samples = 2 the variance should jump about from seed to seed, yours stays close to d_k"
    return Problem(what, misconception=OTHER_NUMBER)


def _see_that_seeds_matter(raw: np.ndarray) -> None:
    """Raises `NotReached` where every seed gave the same variance, whose spread then tells nothing."""
    if np.ptp(raw) <= 1e-9 * np.abs(raw).max():
        raise NotReached("other seeds gave the same numbers")


def _drawn(case: Case, seen: Observation, times: float = 1) -> list[int | None]:
    """How many words each generator gave, where these are no more than so many pairs have, or `times` as many."""
    most = int(2 * case.args[0] * case.args[1] * times)
    after = seen.after[2] if len(seen.after) > 2 else None
    sources, after = (case.args[2], after) if case.each is not None else ([case.args[2]], [after])
    if not isinstance(after, (list, tuple)):
        return []
    return [_words_until(source.seed, number, most) for source, number in zip(sources, after)]


def _words_until(seed: int, number: Any, most: int) -> int | None:
    """After how many words a generator of this seed draws this number next."""
    if not isinstance(number, float):
        return None
    found = np.flatnonzero(np.random.default_rng(seed).random(most) == number)
    return int(found[0]) if found.size else None


def spreads_like_products(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The raw variance is d_k; over many seeds, it varies as that of normal numbers' products does.

    The variance of n scores has a relative deviation of √((2 + 6/d_k)/n) from seed to seed, 0.2 for 200 scores of one
    feature; 200 normal numbers have √(2/200) = 0.1, and scores of which many share a query vary less, too. Over 100
    seeds, 5/8 of what is right lies four standard errors from either.
    """
    if case.each is None:
        return grows_with_width(case, seen, expected)
    raw = _pairs(case, seen)[:, 0]
    d_k, n_samples, _ = case.args
    if raw.std() >= 0.625 * np.sqrt((2 + 6 / d_k) / n_samples) * abs(raw.mean()):
        return None
    _see_that_seeds_matter(raw)
    if None in _drawn(case, seen, times=1.5):
        raise NotReached(f"more numbers were drawn than {n_samples} pairs have")
    what = "raw varies too little from seed to seed"
    return Problem(f"{what}: is each score made of normal numbers that no other score shares?")


@_two_numbers
def grows_with_width(d_k: float, raw: float, scaled: float, slack: float) -> Problem | None:
    """The raw variance is d_k, as closely as so many samples can tell."""
    if abs(raw / d_k - 1) <= slack:
        return None
    name, what = "", f"raw is far from d_k = {d_k:g}"
    if _near(raw, np.sqrt(d_k), slack) and _near(scaled, 1, slack):
        name, what = "deviation instead of variance", f"raw is close to √{d_k:g}"
    elif _near(raw, d_k * 7 / 144, slack) or _near(raw, d_k / 9, slack):
        name = "uniform instead of normal draws"
    elif _near(raw, 1, slack) and _near(scaled, d_k, slack):
        name, what = "results in the wrong order", "raw is close to 1, and scaled to d_k"
    return Problem(what, f"raw {raw:.4g}", misconception=name)


@_two_numbers
def stays_at_one(d_k: float, raw: float, scaled: float, slack: float) -> Problem | None:
    """The scaled variance is 1, as closely as so many samples can tell."""
    if abs(scaled - 1) <= slack:
        return None
    mistakes = {
        "divided by d_k instead of √d_k": raw / d_k**2,
        "variance divided by √d_k instead of d_k": raw / np.sqrt(d_k),
        "not divided by √d_k": raw,
    }
    usual = _near(raw, d_k, slack)
    named = next((name for name, target in mistakes.items() if usual and _near(scaled, target, 1e-3)), "")
    what = f"the division by √{d_k:g} should bring the variance to 1"
    return Problem(what, f"scaled {scaled:.4g}", misconception=named)


def same_draws(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """Both variances belong to the same scores: their ratio is d_k, sample by sample."""
    d_k, n_samples, _ = case.args
    ((raw, scaled),) = _pairs(case, seen)
    if abs(scaled * d_k - raw) <= 1e-3 * max(raw, 1e-9):
        return None
    fresh = any(words and words >= 4 * n_samples * d_k for words in _drawn(case, seen, times=3))
    ratio = f"{raw:.4g} / {scaled:.4g}, d_k = {d_k}"
    return Problem(
        "over the same draws, raw / scaled is d_k",
        ratio,
        misconception="second variance from fresh draws" if fresh else "",
    )


def _near(value: float, target: float, slack: float) -> bool:
    return slack < 0.5 and abs(value / target - 1) <= slack
