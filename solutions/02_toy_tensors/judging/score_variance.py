"""How `score_variance` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, RandomSource, Variant

from ...judging.mistakes import mistake
from ..checks import rules


def twelve_seeds(first: int) -> Case:
    """The variance of two scores jumps from seed to seed."""
    sources = [RandomSource(first + i) for i in range(12)]
    return Case("seeds", (4, 2, sources), label="two pairs at a time, with twelve seeds", each=2)


def hundred_seeds(first: int) -> tuple[Case, Case]:
    """How far their variance jumps tells what the scores are made of, and whether they are independent."""
    sources = [RandomSource(first + i) for i in range(100)]
    return (
        Case("tail", (1, 200, sources), label="a single feature, with a hundred seeds", each=2, once=True),
        Case("tail", (16, 50, sources), label="50 pairs of 16 features, with a hundred seeds", each=2, once=True),
    )


def examples() -> tuple[Case, ...]:
    return (
        Case("many", (16, 4_000, RandomSource(0)), label="4,000 pairs of 16 features"),
        Case("many", (64, 2_000, RandomSource(1)), label="2,000 pairs of 64 features"),
        Case("few", (5, 7, RandomSource(2)), label="only 7 pairs"),
        Case("few", (64, 2, RandomSource(2)), label="only 2 pairs, of 64 features"),
        twelve_seeds(3),
        *hundred_seeds(15),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    *seeds, first = (int(seed) for seed in rng.integers(1_000, 2**31, 7))
    width, sources = int(rng.integers(20, 40)), map(RandomSource, seeds)
    return (
        Case("many", (3, 4_000, next(sources)), label="3 features"),
        Case("many", (8, 5_000, next(sources)), label="8 features, 5,000 pairs"),
        Case("many", (width, 4_000, next(sources)), label=f"{width} features", once=True),
        Case("many", (256, 2_000, next(sources)), label="256 features", once=True),
        Case("few", (1, 40, next(sources)), label="a single feature"),
        Case("few", (9, 5, next(sources)), label="only 5 pairs"),
        twelve_seeds(first),
        *hundred_seeds(first + 12),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    canonical=rules.spread,
    variant=Variant(
        "Standard deviations come back, not variances.",
        ("scores.var(), (scores / np.sqrt(d_k)).var()", "scores.std(), (scores / np.sqrt(d_k)).std()"),
        ("many",),
        rules.same_spread,
    ),
    criteria=(
        Criterion("returns two variances", rules.two_variances, ("many", "few")),
        Criterion("the generator it is given decides its numbers", rules.uses_its_rng),
        Criterion("draws as many pairs as it is asked for", rules.as_many_as_asked, ("few", "seeds")),
        Criterion("raw scores of separate pairs spread as d_k says", rules.spreads_like_products, ("many", "tail")),
        Criterion("the scale brings the variance back to 1", rules.stays_at_one, ("many",)),
        Criterion("over the same draws, raw is d_k times scaled", rules.same_draws, ("many", "few")),
    ),
    misconceptions=(
        mistake("divided by d_k instead of √d_k", ("/ np.sqrt(d_k)", "/ d_k")),
        mistake("uniform instead of normal draws", ("rng.standard_normal(", "rng.uniform(0, 1, "),
            ("rng.standard_normal(", "rng.uniform(-1, 1, ")),
        mistake("deviation instead of variance", (".var()", ".std()")),
        mistake("variance divided by √d_k instead of d_k",
            ("(scores / np.sqrt(d_k)).var()", "scores.var() / np.sqrt(d_k)")),
        mistake("not divided by √d_k", (" / np.sqrt(d_k)", ""),
            detail="the second variance is that of the raw scores again",
            question="Where does √d_k enter before the second variance is taken?"),
        mistake("results in the wrong order",
            ("scores.var(), (scores / np.sqrt(d_k)).var()", "(scores / np.sqrt(d_k)).var(), scores.var()"),
            detail="the scaled variance comes first"),
        mistake("second variance from fresh draws",
            """
            q, k, q2, k2 = rng.standard_normal((4, n_samples, d_k))
            return (q * k).sum(axis=1).var(), ((q2 * k2).sum(axis=1) / np.sqrt(d_k)).var()
            """),
        mistake("numbers not drawn from the given generator",
            ("q = rng", "rng = np.random.default_rng(0); q = rng"),
            ("q = rng", "rng = np.random.default_rng(rng.integers(1, 2)); q = rng")),
        mistake("another number of pairs than asked for", ("(n_samples, d_k))", "(1000, d_k))")),
        mistake("every query paired with every key", ("(q * k).sum(axis=1)", "q @ k.T")),
    ),
)
