"""How `best_bandwidth` is judged."""

from collections.abc import Callable

import numpy as np
from scipy.special import softmax

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import KILOS, WAISTS, WRITES, drawn, everybody
from .gaussian_weights import changed
from .leave_one_out_error import ON_THE_WEIGHTS

GRID = (0.25, 0.5, 1.25, 2.25, 4.5, 8.5, 16.5, 32.5)
"""No whole number, so that a rounded one is never right."""

Sample = tuple[np.ndarray, np.ndarray]


TELLING = (19, 56)
"""Seeds of samples for which a part of the data prefers another candidate."""


def _best(
    keys: np.ndarray, values: np.ndarray, candidates: list[float], by: float = 1.0, power: int = 2
) -> float | None:
    """The best candidate, if its mean error, to a power, is less than any other's by the factor."""
    points = keys.reshape(len(keys), -1)
    scores = -((points[:, None] - points) ** 2).sum(axis=-1)
    np.fill_diagonal(scores, -np.inf)
    weights = [softmax(scores / (2 * h**2), axis=-1) for h in candidates]
    errors = [(abs(shares @ values - values) ** power).mean() for shares in weights]
    least, second = sorted(zip(errors, candidates))[:2]
    return least[1] if second[0] > by * least[0] else None


def _telling(keys: np.ndarray, values: np.ndarray, candidates: list[float]) -> bool:
    """Whether absolute errors, and each first or last column of keys or values alone, prefer another candidate."""
    columns = [(keys[:, i], values) for i in (0, -1)] + [(keys, values[:, i]) for i in (0, -1)] if keys.ndim > 1 else []
    others = [_best(keys, values, candidates, power=1), *(_best(*sample, candidates) for sample in columns)]
    return _best(keys, values, candidates) not in others


def _crowded(keys: np.ndarray, bandwidth: float) -> bool:
    """Whether every key has another one so near that no kernel value of the two underflows."""
    gaps = np.abs(keys[:, None] - keys)
    np.fill_diagonal(gaps, np.inf)
    return bool((gaps.min(axis=1) < 30 * bandwidth).all())


def _clear(
    rng: np.random.Generator,
    tag: str,
    label: str,
    make: Callable[[], Sample],
    place: int | None = None,
    telling: bool = False,
) -> Case:
    """A sample with a clear best candidate, in a drawn order: neither first nor last, or moved to `place`."""
    for _ in range(2000):
        keys, values = make()
        candidates = rng.permutation(rng.choice(GRID, 6, replace=False)).tolist()
        best = _best(keys, values, candidates, by=1.01)
        if best in candidates[1:-1] and (not telling or _telling(keys, values, candidates)):
            if tag == "order" and not _crowded(keys, min(candidates)):
                continue
            if place is not None:
                candidates.remove(best)
                candidates.insert(place, best)
            return drawn(rng, tag, label, keys, values, candidates)
    raise LookupError(f"no sample with a clear best bandwidth for {label!r}")


def _searches(rng: np.random.Generator, n: int, people: int) -> tuple[Case, ...]:
    """Made-up samples of n, and some of the 160 people."""
    sizes, persons = everybody()

    def wave() -> Sample:
        keys = rng.uniform(0, 20, n).round(1)
        return keys, (5 * np.sin(keys / 2) + rng.normal(size=n)).round(1)

    def slope() -> Sample:
        keys = rng.uniform(0, 40, n).round(1)
        return keys, (keys / 10 + 2 * rng.normal(size=n)).round(1)

    def plane() -> Sample:
        keys = rng.uniform(0, 10, (n, 2)).round(1)
        values = np.column_stack([5 * np.sin(keys[:, 0] / 2), keys[:, 1]])
        return keys, (values + rng.normal(size=(n, 2)) * [1, 3]).round(1)

    def bodies(columns: int | slice = slice(None)) -> Sample:
        chosen = rng.choice(len(sizes), people, replace=False)
        return sizes[chosen, columns], persons[chosen, columns]

    said = f"{people} of the 160, waist"
    return (
        _clear(rng, "order", "a wave; candidates in no order", wave),
        _clear(rng, "order", "a slope; candidates in no order", slope, place=0),
        _clear(rng, "order", "another wave", wave, place=5, telling=True),
        _clear(rng, "vectors", "two measurements, two values", plane, telling=True),
        _clear(rng, "bodies", f"{said} to weight", lambda: bodies(0)),
        _clear(rng, "bodies", f"{said} and chest to weight and height", bodies, telling=True),
    )


def _lone(rng: np.random.Generator, *candidates: float) -> Case:
    keys = np.array([50.0, 52.0, 53.0, 55.0, 57.0, 58.0, 61.0, 400.0])
    values = np.array([40.0, 43.0, 42.0, 47.0, 46.0, 50.0, 52.0, 90.0])
    return drawn(rng, "lone", "one person far from all others", keys, values, list(candidates))


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(2)
    lesson = drawn(rng, "example", "the three people", WAISTS, KILOS, [8.0, 1.0, 3.0, 0.5])
    return (lesson, *_searches(rng, 8, 12), _lone(rng, 0.1, 2.5, 8.5, 32.0))


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    cases = _searches(rng, 14, 30)
    telling = [case for seed in TELLING for case in _searches(np.random.default_rng(seed), 10, 14)]
    keys, values, order = cases[0].args
    return (
        *cases,
        *telling,
        drawn(rng, "order", "candidates from small to large", keys, values, sorted(order)),
        drawn(rng, "order", "candidates from large to small", keys, values, sorted(order, reverse=True)),
        drawn(rng, "order", "candidates as an array", keys, values, np.array(order)),
        drawn(rng, "vectors", "one column everywhere", keys[:, None], values[:, None], order),
        drawn(rng, "order", "one candidate", keys, values, order[:1]),
        _lone(rng, 0.1, 8.5, 2.5, 32.0),
        _lone(rng, 32.0, 2.5, 0.1, 8.5),
    )


CELLS_WITH_UNDERFLOW = f"""
{changed("softmax(s)", "np.exp(s); w /= w.sum(-1, keepdims=True)")}
{ON_THE_WEIGHTS}
def best_bandwidth(keys, values, candidates):
    errors = [leave_one_out_error(keys, values, h) for h in candidates]
    return """

EXERCISE = Exercise(
    builds_on=("gaussian_weights", "kernel_regression", "leave_one_out_error"),
    examples=examples,
    draw=draw,
    variant=Variant(
        "The *worst* candidate: the one of largest error.",
        ("min(candidates", "max(candidates"),
    ),
    criteria=(
        Criterion("one of the candidates", rules.is_a_candidate),
        Criterion("the lesson's three people", common.agrees, ("example",)),
        Criterion("the best one, in whatever order they come", common.agrees, ("order",), plain=("example",)),
        Criterion("works for vectors", common.agrees, ("vectors",), plain=("example", "order")),
        Criterion("works on the 160 people", common.agrees, ("bodies",), plain=("example", "order", "vectors")),
        Criterion("a sample far from all others does no harm", common.agrees, ("lone",), plain=("example", "order")),
    ),
    misconceptions=(
        mistake("sample not left out, or the smallest candidate taken",
            """
            errors = [np.mean((kernel_regression(keys, keys, values, h) - values) ** 2) for h in candidates]
            return candidates[np.argmin(errors)]
            """, "return min(candidates)"),
        mistake("mean squared instead of squares averaged",
            """
            rest = [np.arange(len(keys)) != i for i in range(len(keys))]
            guesses = lambda h: [kernel_regression(keys[~r], keys[r], values[r], h)[0] for r in rest]
            return min(candidates, key=lambda h: abs(np.mean(np.array(guesses(h)) - values)))
            """),
        mistake("largest candidate taken", "return max(candidates)"),
        mistake("worst candidate instead of the best",
            "return max(candidates, key=lambda h: leave_one_out_error(keys, values, h))"),
        mistake("position instead of the bandwidth",
            "return float(np.argmin([leave_one_out_error(keys, values, h) for h in candidates]))"),
        mistake("error instead of the bandwidth",
            "return min(leave_one_out_error(keys, values, h) for h in candidates)"),
        mistake("depends on the order of the candidates", "return candidates[0]", "return candidates[-1]",
            """
            first = leave_one_out_error(keys, values, candidates[0])
            better = [h for h in candidates if leave_one_out_error(keys, values, h) < first]
            return [candidates[0], *better][-1]
            """,
            """
            errors = [leave_one_out_error(keys, values, h) for h in candidates]
            return sorted(candidates)[np.argmin(errors)]
            """,
            """
            best, *others = candidates
            for h in others:
                if leave_one_out_error(keys, values, h) > leave_one_out_error(keys, values, best):
                    break
                best = h
            return best
            """,
            """
            best = candidates[0]
            for before, h in zip(candidates, candidates[1:]):
                if leave_one_out_error(keys, values, h) < leave_one_out_error(keys, values, before):
                    best = h
            return best
            """),
        mistake("all kernel values underflow", CELLS_WITH_UNDERFLOW + "candidates[np.argmin(errors)]",
            CELLS_WITH_UNDERFLOW + "candidates[errors.index(min(errors))]"),
        WRITES,
    ),
)
