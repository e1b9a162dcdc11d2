"""How `latent_attention` is judged."""

import numpy as np

from autograder.exercises import Case, CasePutBy, Criterion, Exercise, Variant, common
from attention import library
from attention.kinds import Drawn

from ...judging.cases import array
from ...judging.mistakes import mistake
from ..checks import rules

WITHOUT_TABLE = "09_attention_at_scale.checks.asking:without_table"

Sizes = tuple[int, int, int, int, int, int]
"""Heads, queries, words, width of a latent vector, of a key, of a value."""


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(91)
    return (
        case(rng, "one", (1, 2, 3, 4, 3, 2), "one head"),
        case(rng, "one", (1, 3, 4, 2, 5, 3), "one head, latent vectors narrower than keys"),
        case(rng, "heads", (2, 2, 3, 4, 3, 5)),
        case(rng, "heads", (3, 1, 4, 2, 5, 3), "three heads, one query"),
        case(rng, "heads", (3, 3, 3, 3, 3, 3), "all sizes alike"),
        high(rng, (2, 3, 4, 3, 5, 2)),
        measured(1),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, "one", (1, 4, 6, 5, 2, 3), "one head"),
        case(rng, "one", (1, 1, 1, 3, 4, 2), "one word"),
        case(rng, "heads", (4, 3, 7, 6, 5, 2)),
        case(rng, "heads", (2, 5, 3, 2, 6, 4)),
        case(rng, "heads", (3, 4, 3, 1, 2, 5), "latent vectors of one number"),
        case(rng, "heads", (5, 2, 6, 4, 1, 1), "keys and values of one number"),
        case(rng, "heads", (4, 4, 4, 4, 4, 4), "all sizes alike"),
        high(rng, (3, 2, 6, 4, 3, 5)),
        measured(int(rng.integers(9, 2**31))),
    )


def case(rng: np.random.Generator, tag: str, sizes: Sizes, label: str = "") -> Case:
    h, m, n, r, d, d_v = sizes
    shapes = (h, m, d), (n, r), (h, r, d), (h, r, d_v)
    return Case(tag, tuple(array(rng, *shape) for shape in shapes), label=label)


def high(rng: np.random.Generator, sizes: Sizes) -> Case:
    """Scores up to 1,000 and down to −1,000: of one query all are above 0, of the next one all are below."""
    Q, C, W_k, W_v = case(rng, "high", sizes).args
    Q, C, W_k = (np.abs(one) + 0.5 for one in (Q, C, W_k))
    Q[:, 1::2] *= -1
    scores = Q @ (C @ W_k).swapaxes(1, 2) / np.sqrt(sizes[4])
    return Case("high", (Q * (1000 / np.abs(scores).max()), C, W_k, W_v), label="scores of −1,000 to 1,000")


def measured(seed: int) -> Case:
    """Allowed is less than all heads' values take in float32. Five tables of scores are not."""
    h, n, r, d, d_v = 16, 2048, 12, 48, 40
    shapes = (h, 1, d), (n, r), (h, r, d), (h, r, d_v)
    return CasePutBy(
        "memory",
        tuple(Drawn(shape, seed + i) for i, shape in enumerate(shapes)),
        label=f"{h} heads, one query, {n:,} words",
        facts={"bytes": h * n * d_v * 8 * 2 // 5},
        once=True,
        by=WITHOUT_TABLE,
    )


ASKED = "Q @ W_k.swapaxes(1, 2)"
SCALED = " / math.sqrt(Q.shape[-1])"
RAISED = "np.exp(scores - scores.max(axis=-1, keepdims=True))"
SHARES = "raised / raised.sum(axis=-1, keepdims=True)"
LAST = "return shares @ C @ W_v"

EXERCISE = Exercise(
    puzzle=True,
    examples=examples,
    draw=draw,
    library=library.ATTENTION | library.SOFTMAX,
    variant=Variant(
        "The latent vectors are mixed, and no values are made of them: the output is (h, m, r), and W_v is not used.",
        (LAST, "return shares @ C"),
        ("one", "heads", "high"),
    ),
    criteria=(
        Criterion("an output for each head and query", common.shape, ("one", "heads")),
        Criterion("one head: softmax attention over its keys and values", common.agrees, ("one",)),
        Criterion("several heads: each has its own matrices", common.agrees, ("heads",), plain=("one",)),
        Criterion("right however high or low the scores are", common.agrees, ("high",), plain=("one", "heads")),
        Criterion("keys and values of all heads are never made", rules.no_table, ("memory",), points=2),
        Criterion("leaves its inputs as they were", common.unchanged, ("one", "heads")),
    ),
    misconceptions=(
        mistake("keys and values of all heads made first",
            f"scores = Q @ (C @ W_k).swapaxes(1, 2){SCALED}\nraised = {RAISED}\nshares = {SHARES}\n"
            "return shares @ (C @ W_v)", (LAST, "return shares @ (C @ W_v)"),
            (ASKED + "\n", "Q\n", "asked @ C.T", "asked @ (C @ W_k).swapaxes(1, 2)")),
        mistake("reshaped instead of transposed", (ASKED, "Q @ W_k.reshape(len(W_k), W_k.shape[2], -1)")),
        mistake("one head's matrices for all heads",
            (ASKED, "Q @ W_k[0].T", LAST, "return shares @ C @ W_v[0]"), (ASKED, "Q @ W_k[0].T"),
            (LAST, "return shares @ C @ W_v[0]")),
        mistake("heads in another order",
            (ASKED, ASKED.replace("W_k", "W_k[::-1]"), LAST, "return shares @ C @ W_v[::-1]"),
            (LAST, "return shares @ C @ W_v[::-1]"), (ASKED, ASKED.replace("W_k", "W_k[::-1]"))),
        mistake("values made with the keys' matrix", (LAST, "return shares @ C @ W_k")),
        mistake("keys and values exchanged",
            (ASKED, ASKED.replace("W_k", "W_v"), LAST, "return shares @ C @ W_k")),
        mistake("no values made of the latent vectors", (LAST, "return shares @ C")),
        mistake("queries compared with the latent vectors", (ASKED, "Q")),
        mistake("not divided by √d", (SCALED, "")),
        mistake("divided by the wrong power of d", (SCALED, " / Q.shape[-1]"),
            (SCALED, " * math.sqrt(Q.shape[-1])")),
        mistake("divided by the root of the wrong length", (SCALED, " / math.sqrt(C.shape[1])"),
            (SCALED, " / math.sqrt(W_v.shape[-1])"), (SCALED, " / math.sqrt(len(C))"),
            (SCALED, " / math.sqrt(len(Q))"), (SCALED, " / math.sqrt(len(Q) * Q.shape[-1])"),
            question="How long is a key, whose product with a query is the score?"),
        mistake("softmax over the queries",
            (RAISED, RAISED.replace("-1", "-2"), SHARES, SHARES.replace("-1", "-2"))),
        mistake("softmax over the heads",
            (RAISED, RAISED.replace("-1", "0"), SHARES, SHARES.replace("-1", "0"))),
        mistake("softmax over the whole matrix", (SHARES, "raised / raised.sum()"),
            (RAISED, "np.exp(scores - scores.max())", SHARES, "raised / raised.sum()"),
            detail="all queries share one whole", question="What do the weights of one query sum to?"),
        mistake("no normaliser", (SHARES, "raised")),
        mistake("no shift by the maximum", (RAISED, "np.exp(scores)")),
        mistake("one maximum for all rows", (RAISED, "np.exp(scores - scores.max())"),
            detail="of a query with far lower scores nothing is left",
            question="What is left of the query whose highest score is the lowest?"),
        mistake("causal mask added",
            ("    raised =", "    scores[:, np.triu(np.ones(scores.shape[1:]), 1) > 0] = -np.inf\n    raised =")),
        mistake("heads added up or averaged", (LAST, "return (shares @ C @ W_v).sum(axis=0)"),
            (LAST, "return (shares @ C @ W_v).mean(axis=0)"),
            (LAST, "return (shares @ C @ W_v).mean(axis=0, keepdims=True)")),
        mistake("writes into its input",
            ("scores = asked", "Q /= math.sqrt(Q.shape[-1])\n    scores = asked", SCALED, "", ASKED, "None",
                "asked @ C.T", f"{ASKED} @ C.T")),
    ),
)
