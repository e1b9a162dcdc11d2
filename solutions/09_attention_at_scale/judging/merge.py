"""How `merge` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant

from ...judging.cases import array
from ...judging.mistakes import mistake
from ..checks import rules

Sets = tuple[int, int]
"""Of how many keys each of the two sets is."""


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(92)
    return (
        case(rng, "ordinary", (3, 2), (7, 5), label="sets of 7 and 5 keys"),
        case(rng, "ordinary", (2, 4), (1, 6), label="sets of 1 and 6 keys"),
        case(rng, "ordinary", (3, 3), (4, 4), label="as many queries as columns"),
        case(rng, "high", (2, 3), (3, 5), ((3000, 3000), (3000, 3000)), "all scores near 3,000"),
        case(rng, "high", (2, 3), (3, 2), ((-3000, -3000), (-3000, -3000)), "all scores near −3,000"),
        case(rng, "apart", (2, 3), (4, 3), ((0, 5000), (0, 5000)), "one query with scores 5,000 above the other's"),
        case(rng, "apart", (3, 2), (3, 4), ((0, 4000, -9), (5000, 0, 0)), "one set far above the other, or below it"),
        case(rng, "empty", (2, 3), (4, 0), label="no key in the second set"),
        case(rng, "empty", (3, 2), (0, 5), label="no key in the first set"),
        case(rng, "nothing", (2, 3), (0, 0), label="no key in either set"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    one, other = rng.integers(1500, 4000, 2).tolist()
    return (
        case(rng, "ordinary", (5, 3), (7, 5)),
        case(rng, "ordinary", (4, 4), (2, 9), label="as many queries as columns"),
        case(rng, "ordinary", (1, 6), (5, 8), label="one query"),
        case(rng, "ordinary", (6, 1), (3, 1), label="one column"),
        case(rng, "high", (3, 4), (6, 2), ((one,) * 3, (one,) * 3)),
        case(rng, "high", (3, 2), (2, 6), ((-other,) * 3, (-other,) * 3)),
        case(rng, "apart", (4, 3), (5, 7), ((0, one, -other, 0), (0, one, -other, 2))),
        case(rng, "apart", (4, 2), (4, 4), ((one, 0, -other, 0), (0, one, 0, -other))),
        case(rng, "empty", (3, 4), (5, 0)),
        case(rng, "empty", (4, 3), (0, 2)),
        mixed(rng, "empty", (1, 0), "one query without keys in the first set, one in the second"),
        case(rng, "nothing", (3, 2), (0, 0)),
        mixed(rng, "nothing", (1, 1), "one query without a key in either set"),
    )


def case(
    rng: np.random.Generator,
    tag: str,
    shape: tuple[int, int],
    keys: Sets,
    moved: tuple[tuple[float, ...], tuple[float, ...]] = ((), ()),
    label: str = "",
) -> Case:
    """shape: of an output; moved: by how much the scores of each query are moved, in the one set and the other."""
    pairs = (_part(rng, shape, n, np.array(by or [0.0])) for n, by in zip(keys, moved))
    tolerance = 1e-4 if tag in ("ordinary", "empty", "nothing") else 2e-3  # so far from 0 float32 has fewer digits
    return Case(tag, tuple(pairs), label=label, tolerance=tolerance)


def mixed(rng: np.random.Generator, tag: str, without: tuple[int, int], label: str) -> Case:
    """Two queries; without: which of them has no key in the first set, and which in the second. The other one has."""
    pairs = case(rng, tag, (2, 3), (4, 5)).args
    for (output, lse), query in zip(pairs, without):
        output[query], lse[query] = 0, -np.inf
    return Case(tag, pairs, label=label)


def _part(rng: np.random.Generator, shape: tuple[int, int], n: int, moved: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Attention over n keys: the output, and the logarithm of the sum of exp(score)."""
    n_q, d_v = shape
    if not n:
        return np.zeros(shape), np.full(n_q, -np.inf)
    scores, values = array(rng, n_q, n), array(rng, n, d_v, scale=2.0)
    sums = np.exp(scores).sum(axis=1)
    return (np.exp(scores) @ values / sums[:, None]).round(3), (np.log(sums) + moved).round(3)


WHOLE = "lse = np.logaddexp(lse_a, lse_b)"
BELOW = "below = np.where(np.isneginf(lse), 0, lse)"
SHARE_A, SHARE_B = "np.exp(lse_a - below)[:, None]", "np.exp(lse_b - below)[:, None]"
LAST = "return output, lse"
MIXED = f"output = {SHARE_A} * output_a + {SHARE_B} * output_b"
OPENED = "(output_a, lse_a), (output_b, lse_b) = a, b\n"
BY_A_TOP = """share_a, share_b = np.exp(lse_a - top), np.exp(lse_b - top)
total = share_a + share_b
output = (share_a[:, None] * output_a + share_b[:, None] * output_b) / total[:, None]
return output, top + np.log(total)
"""
ZEROED = "lse_a, lse_b = (np.where(np.isneginf(one), 0, one) for one in (lse_a, lse_b))\n"

EXERCISE = Exercise(
    puzzle=True,
    examples=examples,
    draw=draw,
    results=("output", "lse"),
    variant=Variant(
        "The lse are in base 2: each is the logarithm to the base 2 of the sum of 2 ** score, also in what comes back.",
        (WHOLE, "lse = np.logaddexp2(lse_a, lse_b)", SHARE_A, SHARE_A.replace("exp", "exp2"),
            SHARE_B, SHARE_B.replace("exp", "exp2")),
    ),
    criteria=(
        Criterion("an output and an lse for each query", rules.pair, ("ordinary", "apart")),
        Criterion("the output over both sets together", rules.output, ("ordinary",), points=2),
        Criterion("the lse over both sets together", rules.lse, ("ordinary",)),
        Criterion("scores that are all very high, or very low", rules.both, ("high",), plain=("ordinary",)),
        Criterion("queries and sets whose scores lie thousands apart", rules.both, ("apart",),
            plain=("ordinary", "high")),
        Criterion("a set without keys leaves the other as it is", rules.both, ("empty",), plain=("ordinary",)),
        Criterion("no key in either set: zeros and −inf", rules.without_a_key, ("nothing",),
            plain=("ordinary", "empty")),
        Criterion("leaves its inputs as they were", rules.untouched, ("ordinary", "apart", "empty")),
    ),
    misconceptions=(
        mistake("parts averaged", (MIXED, "output = (output_a + output_b) / 2")),
        mistake("outputs added", (MIXED, "output = output_a + output_b")),
        mistake("weighed by the logarithm of the sum",
            (MIXED, "share = (lse_a / (lse_a + lse_b))[:, None]\n"
                "    output = share * output_a + (1 - share) * output_b")),
        mistake("shares exchanged", (SHARE_A, "SHARE", SHARE_B, SHARE_A, "SHARE", SHARE_B)),
        mistake("shares not divided by their sum",
            (BELOW, "below = np.where(np.isneginf(lse), 0, np.maximum(lse_a, lse_b))")),
        mistake("the set with the higher lse alone counts",
            (MIXED, "output = np.where((lse_a > lse_b)[:, None], output_a, output_b)")),
        mistake("no shift by the maximum",
            OPENED + "share_a, share_b = np.exp(lse_a), np.exp(lse_b)\ntotal = share_a + share_b\n"
            "output = (share_a[:, None] * output_a + share_b[:, None] * output_b) / total[:, None]\n"
            "return output, np.log(total)",
            (BELOW, "share = 1 / (1 + np.exp(lse_b) / np.exp(lse_a))", MIXED,
                "output = share[:, None] * output_a + (1 - share)[:, None] * output_b"),
            (WHOLE, "lse = np.log(np.exp(lse_a) + np.exp(lse_b))"),
            detail="exp of a high lse is infinite, and of a low one 0",
            question="What is exp(3000), and what is exp(−3000)?"),
        mistake("one maximum for all rows", OPENED + "top = max(lse_a.max(), lse_b.max())\n" + BY_A_TOP,
            detail="of a query with far lower scores nothing is left",
            question="What is left of the query whose two lse are the lowest?"),
        mistake("logarithms added", (LAST, "return output, lse_a + lse_b"), (WHOLE, "lse = lse_a + lse_b")),
        mistake("the greater lse returned", (LAST, "return output, np.maximum(lse_a, lse_b)")),
        mistake("the lse mixed like the outputs",
            (LAST, "return output, np.exp(lse_a - below) * np.where(np.isneginf(lse_a), 0, lse_a)"
                " + np.exp(lse_b - below) * np.where(np.isneginf(lse_b), 0, lse_b)"),
            (LAST, "return output, (lse_a + lse_b) / 2")),
        mistake("the sum returned, not its logarithm", (LAST, "return output, np.exp(lse)")),
        mistake("a set without keys counted", (OPENED, f"{OPENED}    {ZEROED}"),
            (OPENED, f"{OPENED}    {ZEROED.replace(' 0,', ' 1e-9,')}")),
        mistake("nothing to share gives NaN", (BELOW, "below = lse"),
            OPENED + "top = np.maximum(lse_a, lse_b)\n" + BY_A_TOP),
        mistake("broadcast along the wrong axis",
            (SHARE_A, SHARE_A.replace("[:, None]", ""), SHARE_B, SHARE_B.replace("[:, None]", "")),
            detail="the shares of the queries fall on the columns",
            question="Print both shapes at the product: whose share is entry 0?"),
        mistake("one share for all queries",
            (SHARE_A, "np.exp(lse_a - below).mean()", SHARE_B, "np.exp(lse_b - below).mean()"),
            (SHARE_A, "np.exp(lse_a - below)[0]", SHARE_B, "np.exp(lse_b - below)[0]")),
        mistake("writes into its input",
            (MIXED, f"output_a *= {SHARE_A}\n    output_a += {SHARE_B} * output_b", LAST, "return output_a, lse")),
    ),
)
