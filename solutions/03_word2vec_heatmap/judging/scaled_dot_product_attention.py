"""How `scaled_dot_product_attention` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common
from attention import masks

from ...judging.mistakes import mistake
from ..checks import rules

CAUSAL = np.tril(np.ones((3, 3), dtype=bool))


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(7)
    by_hand = (  # scores 4, 2, 0, halved by the square root of d_k = 4
        np.array([[2.0, 0.0, 1.0, 0.0]]),
        np.array([[2.0, 1.0, 0.0, 0.0], [0.0, 2.0, 2.0, 0.0], [0.0, 0.0, 0.0, 2.0]]),
        np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]]),
    )
    q, k, v = qkv(rng, 2, 3, 5, 4)
    batch = qkv(rng, 2, 3, 5, 1, batch=(2,))
    square, pairs = qkv(rng, 3, 3, 3, 3), qkv(rng, 2, 2, 2, 2, batch=(2, 2))
    far = (*far_apart(2, 3, 2, 1000.0), v[:, :2])
    some = without_best(batch[0][0], batch[1][0])
    each = np.array([[[True, False, True]], [[False, True, True]]])
    blind = some & [[True], [False]]
    low_q, low_k = far_apart(2, 3, 2, 3e6)
    return (
        Case("plain", by_hand, label="the lesson's example"),
        Case("plain", (q, k, v), label="sizes that all differ"),
        Case("plain", batch, label="a batch of two"),
        Case("plain", tuple(x[0] for x in pairs), label="two of everything"),
        Case("plain", pairs, label="two batch axes"),
        Case("plain", square, label="as many queries as keys"),
        Case("plain", whole_numbers(rng, 2, 3, 2, 3), label="whole numbers"),
        Case("large", far, label="scores near 1000 in one row, near -1000 in the next"),
        Case("mask", (*square, CAUSAL), label="a query may look at itself and back"),
        Case("mask", (*batch, some), label="one mask for the whole batch, which hides some of the best keys"),
        Case("mask", (*batch, each), label="a mask of the keys for each of a batch"),
        Case("mask", (q, k, v, np.array([True, True, False])), label="one mask for all queries"),
        Case("deep", (low_q, low_k, v[:, :2], without_best(low_q, low_k)), label="scores of millions, the best hidden"),
        Case("empty", (q, k, v, blind), label="query 1 may look nowhere"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    """Distinct sizes, several ranks, and every kind of mask that tells mistakes apart."""
    return (*unmasked(rng), *masked(rng), *nowhere(rng))


def unmasked(rng: np.random.Generator) -> tuple[Case, ...]:
    single = tuple(x.astype(np.float32) for x in qkv(rng, 2, 5, 6, 3))
    q, k, v = qkv(rng, 3, 4, 5, 6)
    zero_best = v.copy()
    zero_best[1, 0] = 0
    return (
        Case("plain", (q, k, v), label="sizes that all differ"),
        Case("plain", qkv(rng, 3, 4, 5, 6, batch=(2,)), label="a batch of two"),
        Case("plain", qkv(rng, 1, 4, 7, 2, batch=(2, 3)), label="two batch axes, one query"),
        Case("plain", qkv(rng, 3, 3, 3, 3), label="as many queries as keys"),
        Case("plain", qkv(rng, 3, 3, 3, 3, batch=(3,)), label="a batch with all sizes alike"),
        Case("plain", qkv(rng, 1, 4, 9, 5), label="a single query"),
        Case("plain", qkv(rng, 4, 2, 8, 8), label="more queries than keys, values as wide as keys"),
        Case("plain", single, label="single precision"),
        Case("plain", qkv(rng, 3, 1, 5, 2), label="one key"),
        Case("plain", qkv(rng, 3, 4, 1, 1), label="one feature, one column of values"),
        Case("plain", qkv(rng, 2, 3, 4, 2, batch=(1,)), label="a batch of one"),
        Case("plain", whole_numbers(rng, 3, 4, 5, 2), label="whole numbers"),
        Case("large", (30 * q, 30 * k, v), label="large numbers"),
        Case("large", (*far_apart(3, 4, 5, 20000.0), zero_best), label="rows of scores that lie far apart"),
        Case("large", (*far_apart(3, 4, 5, 800.0, 1 / 1600), v), label="very large scores, near each other"),
    )


def masked(rng: np.random.Generator) -> tuple[Case, ...]:
    q, k, v = qkv(rng, 3, 4, 5, 6)
    batch = qkv(rng, 3, 4, 5, 6, batch=(2,))
    zero_shown = batch[2].copy()
    zero_shown[1, 0, 0] = 0
    square = qkv(rng, 3, 3, 3, 3)
    padding = np.array([[[True, True, True, False]], [[True, False, False, False]]])
    best = without_best(q, k)
    low_q, low_k = far_apart(3, 4, 5, 3e6)
    deep = (
        ((30 * q, 30 * k, v, best), "the best of very high scores is masked"),
        ((-low_q, low_k, v, mask(rng, 3, 4)), "scores of millions below zero"),
    )
    ordinary = (
        ((q, k, v, mask(rng, 3, 4)), "each query has a key it may not look at"),
        ((*square, CAUSAL), "a query may look at itself and back"),
        ((*square, mask(rng, 3, 3)), "as many queries as keys"),
        ((q, k, v, best), "the best key is masked"),
        ((*batch, mask(rng, 3, 4)), "one mask for the whole batch"),
        ((*batch, np.stack([mask(rng, 3, 4), mask(rng, 3, 4)])), "a mask for each of a batch"),
        ((*batch[:2], zero_shown, padding), "a mask of the keys for each of a batch"),
        ((q, k, v, np.array([True, False, True, True])), "one mask for all queries"),
        ((*qkv(rng, 1, 4, 6, 2), np.array([[False, True, True, False]])), "a single query"),
        ((q, k, v, np.ones((3, 4), dtype=bool)), "a mask that hides nothing"),
        ((*qkv(rng, 2, 1, 4, 3), np.ones((2, 1), dtype=bool)), "one key, which all may look at"),
        ((*qkv(rng, 3, 1, 2, 2), np.array([True])), "one key, one mask for all queries"),
        ((*qkv(rng, 2, 3, 4, 2, batch=(1,)), mask(rng, 2, 3)[None]), "a batch of one with its mask"),
    )
    return tuple(
        Case(tag, given, label=label)
        for tag, some in (("mask", ordinary), ("deep", deep))
        for given, label in some
    )


def nowhere(rng: np.random.Generator) -> tuple[Case, ...]:
    q, k, v = qkv(rng, 3, 4, 5, 6)
    batch = qkv(rng, 3, 4, 5, 6, batch=(2,))
    blind = mask(rng, 3, 4) & [[True], [False], [True]]
    second = np.array([[[True, False, True, True]], [[False, False, False, False]]])
    none = np.zeros((3, 3), dtype=bool)
    return (
        Case("empty", (q, k, v, blind), label="query 1 may look nowhere"),
        Case("empty", (*batch, second), label="nothing to look at in the second of a batch"),
        Case("empty", (*qkv(rng, 3, 3, 3, 3), none), label="no query may look anywhere"),
    )


def qkv(
    rng: np.random.Generator, n_q: int, n_k: int, d_k: int, d_v: int, batch: tuple[int, ...] = ()
) -> tuple[np.ndarray, ...]:
    sizes = (n_q, d_k), (n_k, d_k), (n_k, d_v)
    return tuple(np.round(rng.normal(size=(*batch, *size)) * 1.5, 2) for size in sizes)


def whole_numbers(rng: np.random.Generator, n_q: int, n_k: int, d_k: int, d_v: int) -> tuple[np.ndarray, ...]:
    """Values from 1 up, so that no output is 0."""
    queries, keys = (rng.integers(-2, 3, size=(n, d_k)) for n in (n_q, n_k))
    return queries, keys, rng.integers(1, 6, size=(n_k, d_v))


def mask(rng: np.random.Generator, n_q: int, n_k: int) -> np.ndarray:
    """Each query may look at some keys and not at others; no two queries at the same ones."""
    may_look = np.ones((n_q, n_k), dtype=bool)
    may_look[np.arange(n_q), rng.permutation(n_k)[:n_q]] = False
    may_look[0, np.flatnonzero(may_look[0])[-1]] = False
    return may_look


def without_best(q: np.ndarray, k: np.ndarray) -> np.ndarray:
    """The mask that hides from each query the key it scores highest."""
    scores = q @ k.T
    return scores < scores.max(axis=-1, keepdims=True)


def far_apart(
    n_q: int, n_k: int, d_k: int, size: float, step: float = 1 / 20
) -> tuple[np.ndarray, np.ndarray]:
    """Queries and keys: scores of `size` and more for the first query, `-size` and less for the others.

    A query's scores differ by `step` times the size, or by a multiple of that.
    """
    q, k = np.zeros((n_q, d_k)), np.zeros((n_k, d_k))
    q[:, 1] = np.where(np.arange(n_q) == 0, 1.0, -1.0) * np.sqrt(d_k)
    k[:, 1] = size * (1 + np.roll(np.arange(n_k), 2) * step)
    return q, k


def scaled_dot_product_attention(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray, mask: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """What may not be looked at takes no part in the highest score, nor in the sum."""
    import numpy as np

    scores = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
    highest = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    powers = np.exp(np.where(allowed, scores - highest, -np.inf))
    weights = powers / np.maximum(powers.sum(axis=-1, keepdims=True), 1e-300)
    return weights @ V, weights


Change = tuple[str, ...]
SCALED = "Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])"
UNCHECKED, LOW = ("total > 0", "True"), ("-np.inf", "-1e9")
"""What goes along with many a mistake: a sum that is not looked at, and a low score in place of none."""


def also(change: Change, *more: Change) -> tuple[Change, ...]:
    """A change of the solution by itself, and together with each of the others."""
    return change, *((*change, *one) for one in more)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    results=("output", "weights"),
    reference_stub=scaled_dot_product_attention,
    steps=("scores",),
    variant=Variant(
        "The mask says who may *not* be looked at: True hides a key.",
        ("np.where(mask, scores, -np.inf)", "np.where(mask, -np.inf, scores)"),
    ),
    by_error=("works for one rank only",),
    criteria=(
        Criterion("output and weights come back, of the right shapes", common.shape, ("plain",)),
        Criterion("every query's weights sum to 1", rules.shared_out, ("plain",)),
        Criterion("the numbers are right without a mask", common.agrees, ("plain",)),
        Criterion("hidden keys get no weight", masks.nothing_where_masked, ("mask", "deep")),
        Criterion("the numbers are right with a mask", common.agrees, ("mask",), plain=("plain",)),
        Criterion("the numbers are right for very large and very small scores",
            common.agrees, ("large", "deep"), plain=("plain", "mask")),
        Criterion("a query that may look nowhere gets zeros", rules.zeros_for_nothing, ("empty",)),
        Criterion("Q, K, V and the mask stay as they were", common.unchanged),
    ),
    misconceptions=(
        mistake("not divided by √d_k", (" / np.sqrt(K.shape[-1])", ""),
            question="How does the spread of a dot product grow when the vectors have more numbers?"),
        mistake("divided by the wrong power of d_k", ("np.sqrt(K.shape[-1])", "K.shape[-1]"),
            ("/ np.sqrt(K.shape[-1])", "* np.sqrt(K.shape[-1])"),
            ("np.sqrt(K.shape[-1])", "(K.shape[-1] / 2)"), ("np.sqrt(K.shape[-1])", "K.shape[-1] ** 2")),
        mistake("divided by the root of the wrong length", ("sqrt(K.shape[-1])", "sqrt(K.shape[-2])"),
            ("sqrt(K.shape[-1])", "sqrt(len(K))"), ("sqrt(K.shape[-1])", "sqrt(Q.shape[-2])"),
            ("sqrt(K.shape[-1])", "sqrt(V.shape[-1])"),
            detail="the square root is taken of another size than d_k",
            question="Over which axis did the dot product sum, and how long is it?"),
        mistake("a constant instead of the input's size",
            *(("sqrt(K.shape[-1])", f"sqrt({length})") for length in (2, 50)),
            question="What does your code divide by when the vectors have another width?"),
        mistake("keys not transposed", ("np.swapaxes(K, -1, -2)", "K")),
        mistake("scaled after the softmax",
            (" / np.sqrt(K.shape[-1])", "", "kernel /", "kernel / np.sqrt(K.shape[-1]) /"),
            question="What do one query's weights sum to after your division?"),
        mistake("batch axis transposed", *also(("np.swapaxes(K, -1, -2)", "K.T"), LOW),
            *also(("Q @ np.swapaxes(K, -1, -2)", "np.dot(Q, K.T)"), LOW),
            ("Q @ np.swapaxes(K, -1, -2)", "np.dot(Q, K.T)", "weights @ V", "np.dot(weights, V)", "-np.inf", "-1e9"),
            *also(("np.swapaxes(K, -1, -2)", "np.swapaxes(K, 0, 1)"), LOW),
            detail="all axes are turned round, or a fixed pair, not the last two",
            question="With a batch axis in front of K: which two axes should swap, and which stays where it is?"),
        mistake("works for one rank only", *also(("np.swapaxes(K, -1, -2)", "K.transpose(0, 2, 1)"), LOW),
            *also(("np.swapaxes(K, -1, -2)", "np.swapaxes(K, 1, 2)"), LOW),
            *also(("Q @ np.swapaxes(K, -1, -2)", "np.einsum('bqd,bkd->bqk', Q, K)"), LOW),
            *also(("axis=-1", "axis=1"), UNCHECKED, LOW), *also(("axis=-1", "axis=2"), LOW),
            question="Call it with two axes, with three and with four: at which of your lines does it "
                "stop, or go wrong?"),
        mistake("works for one batch axis at most",
            ("np.swapaxes(K, -1, -2)", "(K.transpose(0, 2, 1) if K.ndim == 3 else K.T)"),
            ("np.swapaxes(K, -1, -2)", "(K.T if K.ndim == 2 else np.swapaxes(K, 1, 2))")),
        mistake("softmax over the queries", *also(("axis=-1", "axis=-2"), UNCHECKED, LOW),
            *also(("axis=-1", "axis=0"), UNCHECKED, LOW),
            detail="each key shares itself out among the queries",
            question="For one query, what is shared out, and along which axis does that lie?"),
        mistake("softmax over the whole matrix", ("axis=-1", "axis=None", "total > 0", "True"),
            ("axis=-1", "axis=(-2, -1)", "total > 0", "True"), ("axis=-1", "axis=None", "-np.inf", "-1e9"),
            detail="all queries share one unit of attention",
            question="What does each row of the weights sum to?"),
        mistake("Q, K or V in the wrong place", ("weights @ V", "weights @ K"), ("swapaxes(K", "swapaxes(V"),
            ("swapaxes(K", "swapaxes(V", "weights @ V", "weights @ K"), ("swapaxes(K", "swapaxes(Q"),
            ("Q @ np.swapaxes(K", "K @ np.swapaxes(Q"), ("Q @ np.swapaxes(K", "K @ np.swapaxes(K")),
        mistake("weights transposed", ("weights @ V", "np.swapaxes(weights, -1, -2) @ V"),
            ("V, weights", "V, np.swapaxes(weights, -1, -2)"),
            detail="rows and columns have changed places before V, or on the way out",
            question="Which row of the weights belongs to query 0, and how many entries should it have?"),
        mistake("results in the wrong order", ("weights @ V, weights", "weights, weights @ V"),
            question="What does the signature promise first?"),
        mistake("no shift by the maximum",
            *also(("np.where(np.isfinite(highest), highest, 0.0)", "0.0"), UNCHECKED),
            ("np.where(np.isfinite(highest), highest, 0.0)", "0.0", "total > 0", "True",
             "return", "weights = np.nan_to_num(weights); return"),
            detail="the exponential of a large score is infinite", question="What is np.exp(1000)?"),
        mistake("large scores cut to a limit",
            *((SCALED, f"np.clip({SCALED}, -{most}, {most})") for most in (700, 50))),
        mistake("one maximum for all rows", *also(("max(axis=-1, keepdims=True)", "max()"), UNCHECKED),
            question="What is left of the lowest row once the highest row's maximum is taken off?"),
        mistake("broadcast along the wrong axis",
            *also(("sum(axis=-1, keepdims=True)", "sum(axis=-1)"), UNCHECKED, LOW),
            ("max(axis=-1, keepdims=True)", "max(axis=-1)"),
            *also(("axis=-1, keepdims=True", "axis=-1"), LOW), detail="a maximum or a sum has lost its axis",
            question="Print the shape of the scores, and that of their maximum and sum. How do they line up?"),
        mistake("mask inverted", *also(("scores, -np.inf", "-np.inf, scores"), UNCHECKED),
            ("scores, -np.inf", "-1e9, scores"), ("np.where(mask, scores, -np.inf)", "scores + mask * -1e9"),
            question="Print the weights where the mask is False. Should there be any?"),
        mistake("mask ignored", ("mask is not None", "False"),
            detail="the weights are the same with and without it",
            question="Call it with a mask and without. What differs?"),
        mistake("row with nothing to look at", ("total > 0", "True"), ("-np.inf", "-1e9"),
            ("np.where(mask, scores, -np.inf)", "scores + np.where(mask, 0.0, -1e9)"),
            ("-np.inf", "-1e9",
             "weights @ V,", "weights @ V * (True if mask is None else mask.any(axis=-1)[..., None]),"),
            ("total > 0", "True", "weights @ V,", "np.nan_to_num(weights @ V),")),
        mistake("masked score not low enough",
            *(("-np.inf", low) for low in ("-1.0", "-5.0", "-10.0", "-100.0", "-1e4")),
            *also(("-np.inf", "-1e6"), UNCHECKED), ("-np.inf", "-1e4", "total > 0", "True"),
            ("-np.inf", "-1e4", "kernel /", "(True if mask is None else mask) * kernel /"),
            ("-np.inf", "-1e4 / np.sqrt(K.shape[-1])"),
            ("-np.inf", "-1e4 / np.sqrt(K.shape[-1])", "kernel /", "(True if mask is None else mask) * kernel /"),
            ("-np.inf", "0.0"), ("np.where(mask, scores, -np.inf)", "scores * mask"),
            detail="a real score may lie near your fill value, or below it",
            question="Can a real score be lower than your fill value, or near it? What is exp of each?"),
        mistake("mask added as a number", ("np.where(mask, scores, -np.inf)", "scores + mask"),
            ("np.where(mask, scores, -np.inf)", "scores + mask",
             "kernel /", "(True if mask is None else mask.any(axis=-1, keepdims=True)) * kernel /")),
        mistake("masked after the softmax",
            ("np.where(mask, scores, -np.inf)", "scores", "kernel /", "(mask is None or mask) * kernel /"),
            """
            weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1]))
            weights = weights if mask is None else weights * mask
            weights /= weights.sum(axis=-1, keepdims=True)
            return weights @ V, weights
            """, detail="weights are struck out when all has been shared",
            question="Do the rows still sum to 1? And what was subtracted before the exponential?"),
        mistake("maximum over hidden keys too",
            ("np.where(mask, scores, -np.inf)", "scores",
             "kernel = np.exp(", "kernel = (True if mask is None else mask) * np.exp(")),
        mistake("zero times infinity",
            ("np.where(mask, scores, -np.inf)", "scores + (1.0 - mask) * -np.inf", "total > 0", "total != 0"),
            ("np.where(mask, scores, -np.inf)", "scores + (1.0 - mask) * -np.inf", "total > 0", "True"),
            ("np.where(mask, scores, -np.inf)", "scores + (1.0 - mask) * -np.inf", "total > 0", "True",
             "return", "weights = np.nan_to_num(weights); return"),
            ("np.where(mask, scores, -np.inf)", "scores + (1.0 - mask) * -np.inf", "total > 0", "True",
             "weights @ V, weights", "np.nan_to_num(weights @ V), weights"),
            detail="an allowed place becomes NaN on its way into the softmax",
            question="What does Python make of 0 * float('inf')?"),
        mistake("mask transposed", *also(("where(mask,", "where(mask.T,"), UNCHECKED, LOW),
            ("where(mask,", "where(np.swapaxes(mask, -1, -2) if mask.ndim > 1 else mask,"),
            *also(("where(mask,", "where(np.swapaxes(mask, -1, -2),"), UNCHECKED, LOW),
            detail="its rows are read as keys"),
        mistake("mask not broadcast to the scores",
            *also(("scores = np.where(mask, scores, -np.inf)", "scores[~mask] = -np.inf"), UNCHECKED),
            ("scores = np.where(mask, scores, -np.inf)", "scores[~mask] = -1e9")),
        mistake("keys masked instead of the scores",
            *(("scores = Q @", f"{masked}\n    scores = Q @", "scores = np.where(mask, scores, -np.inf)", "pass")
                for masked in (
                    "K = K if mask is None else np.where(mask, K, -1e9)",
                    "K = K if mask is None else np.where(mask, K, 0)",
                    "K = K if mask is None else K * mask[..., None]",
                    "K = K if mask is None else K * (mask[:, None] if mask.ndim == 1 else mask[..., None])",
                    "K = K if mask is None else np.where(mask[..., None], K, -1e9)",
                ))),
        mistake("values masked instead of the scores",
            ("scores = np.where(mask, scores, -np.inf)", "V = V * mask[:, None] if mask.ndim == 1 else V"),
            ("scores = np.where(mask, scores, -np.inf)", "V = V * mask[..., None]")),
        mistake("writes into its input",
            ("scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])",
             "Q /= np.sqrt(K.shape[-1]); scores = Q @ np.swapaxes(K, -1, -2)"),
            ("scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])",
             "K /= np.sqrt(K.shape[-1]); scores = Q @ np.swapaxes(K, -1, -2)")),
    ),
)
