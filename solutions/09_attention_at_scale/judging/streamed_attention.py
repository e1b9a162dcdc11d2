"""How `streamed_attention` is judged."""

import numpy as np

from autograder.exercises import Case, CasePutBy, Criterion, Exercise, Variant, common
from attention import library
from attention.kinds import Drawn

from ...judging.cases import array
from ...judging.mistakes import mistake
from ..checks import rules

WITHOUT_TABLE = "09_attention_at_scale.checks.asking:without_table"


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(86)
    return (
        case(rng, "one", (2, 3, 3, 2), 3, "one block"),
        case(rng, "one", (3, 2, 5, 4), 9, "a block larger than the text"),
        case(rng, "several", (2, 4, 3, 5), 2, "two blocks"),
        case(rng, "several", (3, 3, 2, 3), 1, "blocks of one key"),
        case(rng, "ragged", (2, 5, 3, 4), 2, "a last block of one key"),
        case(rng, "ragged", (3, 7, 5, 2), 3, "a last block of one key"),
        steep(rng, "rising", [-3000, -2000, 0, 1000, 2999, 3000], 2),
        steep(rng, "falling", [3000, 2999, 1000, 0, -2000, -3000], 2),
        steep(rng, "low", [-3000, -2999, -2998, -3000], 2, "all scores far below 0"),
        steep(rng, "apart", [-3000, -2999, -2997, -2998], 2, "one query with low scores, one with high ones"),
        measured(1, (48, 4000, 1, 1), 64),
        measured(2, (128, 600, 3, 2), 12),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    heights = rng.permutation(np.arange(-3000, 3000, 500)).tolist()
    return (
        case(rng, "one", (4, 6, 7, 3), 6),
        case(rng, "one", (1, 1, 3, 2), 2, "one query, one key"),
        case(rng, "several", (5, 12, 3, 2), 4),
        case(rng, "several", (4, 4, 5, 4), 2, "many sizes alike"),
        case(rng, "several", (1, 6, 2, 3), 1, "one query"),
        case(rng, "several", (6, 20, 1, 1), 5, "one column"),
        case(rng, "ragged", (4, 11, 6, 3), int(rng.integers(2, 5)) * 2),
        case(rng, "ragged", (3, 10, 3, 5), 9),
        steep(rng, "rising", sorted(heights), 3),
        steep(rng, "falling", sorted(heights, reverse=True), 3),
        steep(rng, "low", [-2000, -1999, -2000, -2002, -1998, -1998], 4, "all scores far below 0"),
        steep(rng, "apart", heights, 4),
        steep(rng, "apart", [-5000, -4999, -5000, -4998, -4997], 2),
        measured(int(rng.integers(9, 2**31)), (32, 4000, 1, 1), 50),
    )


def case(rng: np.random.Generator, tag: str, sizes: tuple[int, int, int, int], block: int, label: str = "") -> Case:
    """sizes: queries, keys, width of a key, width of a value. From block to block the highest score changes."""
    n_q, n_k, d, d_v = sizes
    Q, K = (array(rng, n, d, scale=2.0) for n in (n_q, n_k))
    return Case(tag, (Q, K, array(rng, n_k, d_v), block), label=label)


def steep(rng: np.random.Generator, tag: str, scores: list[int], block: int, label: str = "") -> Case:
    """Two queries with these scores, exact in float32 too; where queries lie apart, the second has their opposite."""
    Q = np.outer([1.0, -1.0 if tag == "apart" else 1.0], np.ones(4))
    K = np.repeat(np.array(scores, dtype=float)[:, None] / 2, 4, axis=1)
    said = {"rising": "scores that rise by thousands", "falling": "scores that fall by thousands"}.get(tag, label)
    return Case(tag, (Q, K, array(rng, len(scores), 3), block), label=said)


def measured(seed: int, sizes: tuple[int, int, int, int], block: int) -> Case:
    """Allowed is less than half of what a table of all scores takes in float64, so that float32 is refused as well.

    The arrays of twenty blocks, or five copies of keys and values, are not.
    """
    n_q, n_k, d, d_v = sizes
    return CasePutBy(
        "measured",
        (Drawn((n_q, d), seed), Drawn((n_k, d), seed + 1), Drawn((n_k, d_v), seed + 2), block),
        label=f"{n_q:,} queries, {n_k:,} keys",
        facts={"bytes": n_q * n_k * 8 * 9 // 20},
        once=True,
        by=WITHOUT_TABLE,
    )


SCORES = "scores = Q @ K[start : start + block].T / math.sqrt(Q.shape[1])"
SCALED = " / math.sqrt(Q.shape[1])"
HIGHER = "higher = np.maximum(top, scores.max(axis=1, keepdims=True))"
WHOLE = """
scores = Q @ K.T / math.sqrt(Q.shape[1])
shares = np.exp(scores - scores.max(axis=1, keepdims=True))
"""

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    results=("output",),
    library=library.ATTENTION | library.SOFTMAX,
    variant=Variant(
        "Nothing is divided yet: for each query come the highest score, the total and the sum of the weighted values, "
        "`(top, total, output)` of shapes (n_q, 1), (n_q, 1) and (n_q, d_v), all relative to that highest score.",
        ("return output / total", "return top, total, output"),
        ("one", "several", "ragged", "rising", "falling", "low", "apart"),
    ),
    criteria=(
        Criterion("an output for each query", common.shape, ("one", "several")),
        Criterion("one block: softmax attention", common.agrees, ("one",)),
        Criterion("several blocks: the same as at once", common.agrees, ("several",), plain=("one",)),
        Criterion("the last block may be shorter", common.agrees, ("ragged",), plain=("one", "several")),
        Criterion("scores that rise from block to block", common.agrees, ("rising",), plain=("one", "several")),
        Criterion("scores that fall from block to block", common.agrees, ("falling",), plain=("one", "several")),
        Criterion("scores that are all far below 0", common.agrees, ("low",), plain=("one", "several")),
        Criterion("each query has a highest score of its own", common.agrees, ("apart",),
            plain=("one", "several", "low")),
        Criterion("no table of all queries and all keys", rules.no_table, ("measured",), points=2),
        Criterion("leaves its inputs as they were", common.unchanged, ("one", "several", "ragged")),
    ),
    misconceptions=(
        mistake("mean of the blocks' softmaxes",
            """
            parts = []
            for start in range(0, len(K), block):
                scores = Q @ K[start : start + block].T / math.sqrt(Q.shape[1])
                shares = np.exp(scores - scores.max(axis=1, keepdims=True))
                parts.append(shares / shares.sum(axis=1, keepdims=True) @ V[start : start + block])
            return np.mean(parts, axis=0)
            """),
        mistake("sum of the blocks' softmaxes",
            """
            output = 0
            for start in range(0, len(K), block):
                scores = Q @ K[start : start + block].T / math.sqrt(Q.shape[1])
                shares = np.exp(scores - scores.max(axis=1, keepdims=True))
                output = output + shares / shares.sum(axis=1, keepdims=True) @ V[start : start + block]
            return output
            """),
        mistake("sum not rescaled", ("total = total * shrunk +", "total = total +")),
        mistake("output not rescaled", ("output = output * shrunk +", "output = output +")),
        mistake("neither sum nor output rescaled",
            ("total = total * shrunk +", "total = total +", "output = output * shrunk +", "output = output +"),
            (HIGHER, "higher = scores.max(axis=1, keepdims=True)",
                "total = total * shrunk +", "total = total +", "output = output * shrunk +", "output = output +")),
        mistake("the last block alone counts", ("        top = higher\n", "")),
        mistake("divided by the sum after every block",
            ("return output / total", "return output", "shares @ V[start : start + block]\n",
                "shares @ V[start : start + block]\n        output = output / total\n")),
        mistake("rescaled the wrong way round",
            ("np.exp(top - higher)", "np.exp(np.where(np.isinf(top), 0, higher - top))")),
        mistake("the block's top for the running one",
            (HIGHER, "higher = scores.max(axis=1, keepdims=True)")),
        mistake("the first block's top for all",
            (HIGHER, "higher = scores.max(axis=1, keepdims=True) if start == 0 else top")),
        mistake("no shift by the maximum", (HIGHER, "higher = np.zeros_like(top); top = higher"),
            question="What is exp(1000), and what is left of exp(−1000)?"),
        mistake("one top for all queries", ("scores.max(axis=1, keepdims=True)", "scores.max()")),
        mistake("the top begins too high", ("np.full((len(Q), 1), -np.inf)", "np.zeros((len(Q), 1))")),
        mistake("last block dropped", ("range(0, len(K), block)", "range(0, len(K) - block + 1, block)"),
            ("range(0, len(K), block)", "range(0, max(1, len(K) // block) * block, block)")),
        mistake("values of another block", ("@ V[start : start + block]", "@ V[:block][: shares.shape[1]]")),
        mistake("a table of all queries and all keys",
            WHOLE + "return shares / shares.sum(axis=1, keepdims=True) @ V"),
        mistake("queries read in blocks, not keys",
            """
            output = np.zeros((len(Q), V.shape[1]))
            for start in range(0, len(Q), block):
                scores = Q[start : start + block] @ K.T / math.sqrt(Q.shape[1])
                shares = np.exp(scores - scores.max(axis=1, keepdims=True))
                output[start : start + block] = shares / shares.sum(axis=1, keepdims=True) @ V
            return output
            """),
        mistake("not divided by √d", (SCALED, "")),
        mistake("divided by the wrong power of d", (SCALED, " / Q.shape[1]"),
            (SCALED, " * math.sqrt(Q.shape[1])")),
        mistake("divided by the root of the wrong length", (SCALED, " / math.sqrt(V.shape[1])"),
            (SCALED, " / math.sqrt(len(K))"), (SCALED, " / math.sqrt(len(Q))"),
            (SCALED, " / math.sqrt(block)")),
        mistake("causal mask added",
            (SCORES, f"{SCORES}\n        later = np.arange(start, start + scores.shape[1]) > np.arange(len(Q))[:, None]"
                "\n        scores[later] = -np.inf")),
        mistake("no normaliser", ("return output / total", "return output")),
        mistake("writes into its input",
            (SCORES, SCORES.replace(SCALED, ""), "top = np.full", "Q /= math.sqrt(Q.shape[1])\n    top = np.full")),
    ),
)
