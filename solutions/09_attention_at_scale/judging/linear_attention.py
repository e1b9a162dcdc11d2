"""How `linear_attention` is judged."""

import numpy as np

from autograder.exercises import Case, CasePutBy, Criterion, Exercise, Variant, common
from attention.kinds import Drawn

from ...judging.cases import array
from ...judging.mistakes import mistake
from ..checks import rules

ASKING = "09_attention_at_scale.checks.asking"


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(87)
    return (
        case(rng, "first", (1, 3, 2), label="one word"),
        case(rng, "several", (3, 2, 4)),
        case(rng, "several", (4, 3, 3), label="keys as wide as values"),
        case(rng, "wide", (4, 3, 2), scale=12.0, label="entries up to ±30"),
        low(rng, (3, 2, 3)),
        memory(2),
        put("time", (8192, 128, 1), 5, "in_linear_time", "up to 8,192 words"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, "first", (1, 1, 1), label="one word, one feature"),
        case(rng, "first", (1, 5, 3), label="one word"),
        case(rng, "several", (2, 4, 3)),
        case(rng, "several", (12, 5, 2)),
        case(rng, "several", (5, 5, 5), label="all sizes alike"),
        case(rng, "several", (7, 1, 3), label="one feature"),
        case(rng, "several", (6, 3, 1), label="values of one number"),
        case(rng, "wide", (6, 4, 5), scale=12.0, label="entries up to ±30"),
        low(rng, (5, 4, 2)),
        memory(int(rng.integers(8, 2**31))),
    )


def case(rng: np.random.Generator, tag: str, sizes: tuple[int, int, int], scale: float = 1.0, label: str = "") -> Case:
    """sizes: words, width of a key, width of a value; each word's entries have both signs, and some lie near 0."""
    n, d_k, d_v = sizes
    Q, K, V = (array(rng, n, width, scale=scale).clip(-30, 30) for width in (d_k, d_k, d_v))
    return Case(tag, (Q, K, V), label=label)


def low(rng: np.random.Generator, sizes: tuple[int, int, int]) -> Case:
    """Every feature is tiny: φ(−25) is about 1e-11."""
    n, d_k, d_v = sizes
    Q, K = ((rng.random((n, d_k)) * 4 - 28).round(1) for _ in range(2))
    return Case("low", (Q, K, array(rng, n, d_v)), label="all entries of Q and K below −20")


def memory(seed: int) -> Case:
    """1,024 words, of which a table of all pairs has 8 MB, and a sum for each word 0.1."""
    return put("memory", (1024, 4, 3), seed, "without_table", "1,024 words", bytes=2**21)


def put(tag: str, sizes: tuple[int, int, int], seed: int, by: str, label: str, **facts: int) -> Case:
    n, d_k, d_v = sizes
    given = (Drawn((n, d_k), seed), Drawn((n, d_k), seed + 1), Drawn((n, d_v), seed + 2))
    return CasePutBy(tag, given, label=label, facts=facts, once=True, by=f"{ASKING}:{by}")


MAP = "np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))"
ROW = "rows.append(query @ state / (query @ norm))"
WRITES = "        state += np.outer(key, value)\n        norm += key\n"
PHI = f"    queries, keys = ({MAP} for x in (Q, K))\n"

EXERCISE = Exercise(
    puzzle=True,
    examples=examples,
    draw=draw,
    results=("rows",),
    variant=Variant(
        "Every word reads all words, the later ones as well.",
        PHI + "    return queries @ (keys.T @ V) / (queries @ keys.sum(axis=0))[:, None]\n",
        ("first", "several", "wide", "low"),
    ),
    criteria=(
        Criterion("an output for each word", common.shape, ("first", "several")),
        Criterion("one word: its own value", common.agrees, ("first",)),
        Criterion("several words: each reads itself and the earlier ones", common.agrees, ("several",),
            plain=("first",)),
        Criterion("entries up to ±30", common.agrees, ("wide",), plain=("first", "several")),
        Criterion("features that are all tiny", common.agrees, ("low",), plain=("first", "several")),
        Criterion("memory does not grow as n²", rules.no_table, ("memory",), points=2),
        Criterion("time does not grow as n²", rules.no_square, ("time",), points=2),
        Criterion("leaves its inputs as they were", common.unchanged, ("first", "several", "wide")),
    ),
    misconceptions=(
        mistake("reads before it writes", (WRITES, "", f"        {ROW}\n", f"        {ROW}\n{WRITES}"),
            (WRITES, "", f"        {ROW}\n",
                f"        rows.append(query @ state / (query @ norm) if rows else 0 * V[0])\n{WRITES}"),
            detail="the word itself is not in the state yet",
            question="May a word look at itself, and what has the first one to read?"),
        mistake("later words summed too",
            "phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))\nq, k = phi(Q), phi(K)\n"
            "return q @ (k.T @ V) / (q @ k.sum(axis=0))[:, None]"),
        mistake("no normaliser", (ROW, "rows.append(query @ state)"),
            detail="the sum alone, which leaves the range of the values",
            question="Do the weights sum to 1?"),
        mistake("divided by the number of words", (ROW, "rows.append(query @ state / (len(rows) + 1))")),
        mistake("later words in the normaliser", ("norm += key", "norm = keys.sum(axis=0)")),
        mistake("the query left out of the normaliser", (ROW, "rows.append(query @ state / norm.sum())")),
        mistake("values sent through the feature map",
            (PHI, PHI + "    V = np.where(V > 0, V + 1, np.exp(np.minimum(V, 0)))\n")),
        mistake("no feature map", (PHI, "    queries, keys = Q, K\n")),
        mistake("feature map for one side only", (PHI, PHI + "    queries = Q\n"),
            (PHI, PHI + "    keys = K\n")),
        mistake("another feature map", (MAP, "np.maximum(x, 0)"), (MAP, "np.maximum(x, 0) + 1"),
            (MAP, "np.exp(x)"), (MAP, "np.where(x > 0, x, np.exp(np.minimum(x, 0)))"),
            (MAP, "np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)"),
            (MAP, "np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)) - 1)"),
            (MAP, "np.where(x > 0, np.exp(x), x + 1)")),
        mistake("scaled as in softmax attention",
            (PHI, PHI.replace("in (Q, K)", "in (Q / math.sqrt(Q.shape[1]), K)"))),
        mistake("state transposed",
            ("state += np.outer(key, value)", "state += np.outer(value, key)",
                "np.zeros((K.shape[1], V.shape[1]))", "np.zeros((V.shape[1], K.shape[1]))"),
            ("state += np.outer(key, value)", "state += np.outer(value, key)",
                "np.zeros((K.shape[1], V.shape[1]))", "np.zeros((V.shape[1], K.shape[1]))",
                ROW, "rows.append(np.dot(query, state) / (query @ norm))")),
        mistake("Q, K or V in the wrong place", ("in (Q, K))", "in (K, Q))"),
            detail="the keys ask, and the queries are asked",
            question="Which of the two is read by the word that is written, and which goes into the state?"),
        mistake("only the last word in the state",
            ("state += np.outer(key, value)", "state = np.outer(key, value)", "norm += key", "norm = key"),
            ("state += np.outer(key, value)", "state = np.outer(key, value)")),
        mistake("a small number added to the sum, or put in its place",
            (ROW, "rows.append(query @ state / (query @ norm + 1e-6))"),
            (ROW, "rows.append(query @ state / (query @ norm + 1e-8))"),
            (ROW, "rows.append(query @ state / (query @ norm + 1e-12))"),
            (ROW, "rows.append(query @ state / max(query @ norm, 1e-6))")),
        mistake("softmax attention",
            """
            scores = Q @ K.T / math.sqrt(Q.shape[1])
            scores[~np.tri(len(Q), dtype=bool)] = -np.inf
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            return shares / shares.sum(axis=1, keepdims=True) @ V
            """),
        mistake("a table of all pairs",
            f"q, k = ({MAP} for x in (Q, K))\nweights = np.tril(q @ k.T)\n"
            "return weights @ V / weights.sum(axis=1, keepdims=True)"),
        mistake("all earlier words read anew for each word",
            f"""
            q, k = ({MAP} for x in (Q, K))
            rows = []
            for t in range(len(q)):
                weights = k[: t + 1] @ q[t]
                rows.append(weights @ V[: t + 1] / weights.sum())
            return np.array(rows)
            """, detail="no table, and yet n² products"),
        mistake("writes into its input",
            (PHI, "    for x in (Q, K):\n        x[:] = " + MAP + "\n    queries, keys = Q, K\n")),
    ),
)
