"""How `linear_attention` is judged."""

import numpy as np

from autograder.exercises import (
    Case,
    CasePutBy,
    Criterion,
    Exercise,
    Misconception,
    Variant,
    common,
    common_mistakes,
)
from attention.kinds import Drawn

from ..checks import rules
from .cases import array

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
        Misconception("reads before it writes", "the word itself is not in the state yet",
            "May a word look at itself, and what has the first one to read?",
            (WRITES, "", f"        {ROW}\n", f"        {ROW}\n{WRITES}"),
            (WRITES, "", f"        {ROW}\n",
                f"        rows.append(query @ state / (query @ norm) if rows else 0 * V[0])\n{WRITES}")),
        Misconception("later words summed too", "every word reads the sum over the whole text",
            "Which pairs has word 1 met when it is read?",
            "phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))\nq, k = phi(Q), phi(K)\n"
            "return q @ (k.T @ V) / (q @ k.sum(axis=0))[:, None]"),
        Misconception("no normaliser", "the sum alone, which leaves the range of the values",
            "Do the weights sum to 1?",
            (ROW, "rows.append(query @ state)")),
        Misconception("divided by the number of words", "in place of the sum of the weights",
            "Do the weights sum to 1?",
            (ROW, "rows.append(query @ state / (len(rows) + 1))")),
        Misconception("later words in the normaliser", "only the sum of values is causal",
            "Over which words does the sum below the line go?",
            ("norm += key", "norm = keys.sum(axis=0)")),
        Misconception("the query left out of the normaliser", "the keys' features are added up over all columns",
            "What is weighed below the line, and by whose features?",
            (ROW, "rows.append(query @ state / norm.sum())")),
        Misconception("values sent through the feature map", "what is mixed is not what was said",
            "Where does φ stand in the formula, and where does it not?",
            (PHI, PHI + "    V = np.where(V > 0, V + 1, np.exp(np.minimum(V, 0)))\n")),
        Misconception("no feature map", "a bare product can be negative",
            "Can a weight be negative?",
            (PHI, "    queries, keys = Q, K\n")),
        Misconception("feature map for one side only", "the other side goes in as it is",
            "Through what do the queries go, and through what the keys?",
            (PHI, PHI + "    queries = Q\n"),
            (PHI, PHI + "    keys = K\n")),
        Misconception("another feature map", "not x + 1 above 0 and exp(x) below",
            "What is φ(0), φ(1) and φ(−1), and what does yours give?",
            (MAP, "np.maximum(x, 0)"),
            (MAP, "np.maximum(x, 0) + 1"),
            (MAP, "np.exp(x)"),
            (MAP, "np.where(x > 0, x, np.exp(np.minimum(x, 0)))"),
            (MAP, "np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1)"),
            (MAP, "np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)) - 1)"),
            (MAP, "np.where(x > 0, np.exp(x), x + 1)")),
        Misconception("scaled as in softmax attention", "the formula has no √d",
            "Does the formula divide by √d?",
            (PHI, PHI.replace("in (Q, K)", "in (Q / math.sqrt(Q.shape[1]), K)"))),
        Misconception("state transposed", "rows of values, columns of keys",
            "Which side of the state does the query read?",
            ("state += np.outer(key, value)", "state += np.outer(value, key)",
                "np.zeros((K.shape[1], V.shape[1]))", "np.zeros((V.shape[1], K.shape[1]))"),
            ("state += np.outer(key, value)", "state += np.outer(value, key)",
                "np.zeros((K.shape[1], V.shape[1]))", "np.zeros((V.shape[1], K.shape[1]))",
                ROW, "rows.append(np.dot(query, state) / (query @ norm))")),
        Misconception("Q, K or V in the wrong place", "the keys ask, and the queries are asked",
            "Which of the two is read by the word that is written, and which goes into the state?",
            ("in (Q, K))", "in (K, Q))")),
        Misconception("only the last word in the state", "the words before it are not in it",
            "What is left of the first word in the state that the second one reads?",
            ("state += np.outer(key, value)", "state = np.outer(key, value)", "norm += key", "norm = key"),
            ("state += np.outer(key, value)", "state = np.outer(key, value)")),
        Misconception("a small number added to the sum, or put in its place",
            "where all features are tiny, it is all there is", "What is the sum where every feature is 1e-11?",
            (ROW, "rows.append(query @ state / (query @ norm + 1e-6))"),
            (ROW, "rows.append(query @ state / (query @ norm + 1e-8))"),
            (ROW, "rows.append(query @ state / (query @ norm + 1e-12))"),
            (ROW, "rows.append(query @ state / max(query @ norm, 1e-6))")),
        Misconception("softmax attention", "that is what this is to do without",
            "Where does the formula take an exponential of q·k?",
            """
            scores = Q @ K.T / math.sqrt(Q.shape[1])
            scores[~np.tri(len(Q), dtype=bool)] = -np.inf
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            return shares / shares.sum(axis=1, keepdims=True) @ V
            """),
        Misconception("a table of all pairs", "the numbers are right, and the price is the old one",
            "How many weights do you hold at once for 10,000 words?",
            f"q, k = ({MAP} for x in (Q, K))\nweights = np.tril(q @ k.T)\n"
            "return weights @ V / weights.sum(axis=1, keepdims=True)"),
        Misconception("all earlier words read anew for each word", "no table, and yet n² products",
            "How much of the work for word 1,000 was done for word 999 already?",
            f"""
            q, k = ({MAP} for x in (Q, K))
            rows = []
            for t in range(len(q)):
                weights = k[: t + 1] @ q[t]
                rows.append(weights @ V[: t + 1] / weights.sum())
            return np.array(rows)
            """),
        common_mistakes.writes_into_its_input(
            (PHI, "    for x in (Q, K):\n        x[:] = " + MAP + "\n    queries, keys = Q, K\n"),
        ),
    ),
)
