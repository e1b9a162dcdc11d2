"""How `delta_attention` is judged."""

import numpy as np

from autograder.exercises import Case, CasePutBy, Criterion, Exercise, Variant, common
from attention.kinds import Drawn

from ...judging.cases import array
from ...judging.mistakes import mistake
from ..checks import rules

IN_LINEAR_TIME = "09_attention_at_scale.checks.asking:delta_in_linear_time"


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(93)
    return (
        case(rng, "first", (1, 3, 2), "one word"),
        case(rng, "first", (1, 2, 4), "one word"),
        case(rng, "several", (4, 3, 2)),
        case(rng, "several", (3, 2, 5)),
        case(rng, "several", (5, 3, 3), "keys as wide as values"),
        again(rng, 3, [0, 1, 0, 1, 0], "two keys, each written again, with strength 1"),
        measured(5),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, "first", (1, 1, 1), "one word, one feature"),
        case(rng, "first", (1, 5, 3), "one word"),
        case(rng, "several", (2, 4, 3)),
        case(rng, "several", (12, 5, 2)),
        case(rng, "several", (4, 4, 4), "all sizes alike"),
        case(rng, "several", (7, 1, 3), "one feature"),
        case(rng, "several", (6, 3, 1), "values of one number"),
        again(rng, 4, rng.integers(0, 3, 9).tolist()),
    )


def case(rng: np.random.Generator, tag: str, sizes: tuple[int, int, int], label: str = "") -> Case:
    """sizes: words, width of a key, width of a value."""
    n, d_k, d_v = sizes
    K = rng.normal(size=(n, d_k))
    K /= np.linalg.norm(K, axis=1, keepdims=True)
    beta = rng.uniform(0.2, 0.9, n).round(2)
    return Case(tag, (array(rng, n, d_k), K, array(rng, n, d_v), beta), label=label)


def again(rng: np.random.Generator, d_k: int, which: list[int], label: str = "") -> Case:
    """Keys of a dictionary: each a 1 among zeros, and each word asks with the key before its own."""
    K, n = np.eye(d_k)[which], len(which)
    return Case("again", (np.roll(K, 1, axis=0), K, array(rng, n, 2, scale=3.0), np.ones(n)), label=label)


def measured(seed: int) -> Case:
    shapes = (8192, 128), (8192, 128), (8192, 1), (8192,)
    given = tuple(Drawn(shape, seed + i) for i, shape in enumerate(shapes))
    return CasePutBy("time", given, label="up to 8,192 words", once=True, by=IN_LINEAR_TIME)


LOOP = "for query, key, value, strength in zip(Q, K, V, beta):"
WRITES = "state += strength * np.outer(key, value - key @ state)"
EMPTY = "state, rows = np.zeros((K.shape[1], V.shape[1])), []"
READS = "rows.append(query @ state)"

EXERCISE = Exercise(
    puzzle=True,
    examples=examples,
    draw=draw,
    results=("rows",),
    variant=Variant(
        "Before each word asks, the whole state is halved.",
        (WRITES, f"state *= 0.5\n        {WRITES}"),
        ("first", "several", "again"),
    ),
    criteria=(
        Criterion("an output for each word", common.shape, ("first", "several")),
        Criterion("one word: what was written is read", common.agrees, ("first",)),
        Criterion("several words: the old value is erased in part", common.agrees, ("several",), points=2,
            plain=("first",)),
        Criterion("with strength 1 a key has its latest value", common.agrees, ("again",), plain=("first",)),
        Criterion("time does not grow as n²", rules.no_square, ("time",)),
        Criterion("leaves its inputs as they were", common.unchanged, ("first", "several", "again")),
    ),
    misconceptions=(
        mistake("old value not erased", (WRITES, "state += strength * np.outer(key, value)")),
        mistake("asks with the query", (WRITES, "state += strength * np.outer(key, value - query @ state)")),
        mistake("the strength on the value only",
            (WRITES, "state += np.outer(key, strength * value - key @ state)")),
        mistake("the strength on the old value only",
            (WRITES, "state += np.outer(key, value - strength * (key @ state))")),
        mistake("the whole state fades",
            (WRITES, "state *= 1 - strength\n        state += strength * np.outer(key, value)"),
            (WRITES, "state = (1 - strength) * state + np.outer(key, value)")),
        mistake("reads before it writes",
            (WRITES, READS, "        " + READS + "\n    return", "        " + WRITES + "\n    return")),
        mistake("the old value added once more",
            (WRITES, "state += strength * np.outer(key, value + key @ state)")),
        mistake("the strength left out", (WRITES, "state += np.outer(key, value - key @ state)")),
        mistake("the strength counted twice",
            (WRITES, "state += np.outer(strength * key, strength * (value - key @ state))")),
        mistake("one strength for all words", (LOOP, LOOP.replace("beta", "np.full(len(Q), beta[0])")),
            (LOOP, LOOP.replace("beta", "np.full(len(Q), beta.mean())")),
            (LOOP, LOOP.replace("beta", "np.full(len(Q), beta[-1])"))),
        mistake("reads with the key", (READS, "rows.append(key @ state)")),
        mistake("Q, K or V in the wrong place", (LOOP, LOOP.replace("zip(Q, K,", "zip(K, Q,")),
            detail="the queries are written, and the keys read",
            question="Which of the two goes into the state?"),
        mistake("state transposed", (WRITES, "state += strength * np.outer(value - key @ state, key)"),
            (WRITES, "state += strength * np.outer(value - key @ state, key)",
                "np.zeros((K.shape[1], V.shape[1]))", "np.zeros((V.shape[1], K.shape[1]))"),
            (WRITES, "state += strength * np.outer(value - state @ key, key)",
                "np.zeros((K.shape[1], V.shape[1]))", "np.zeros((V.shape[1], K.shape[1]))")),
        mistake("all words read the last state", ("return np.array(rows)", "return Q @ state")),
        mistake("only the last word in the state",
            (WRITES, "state = strength * np.outer(key, value - key @ state)"),
            (WRITES, "state = strength * np.outer(key, value)")),
        mistake("a feature map, as in linear attention",
            (LOOP, "Q, K = (np.where(x > 0, x + 1, np.exp(x)) for x in (Q, K))\n    " + LOOP)),
        mistake("a normaliser, as in linear attention",
            (EMPTY, EMPTY + "\n    norm = np.zeros(K.shape[1])",
                READS, "norm += key\n        rows.append(query @ state / (query @ norm))")),
        mistake("scaled as in softmax attention",
            (READS, "rows.append(query @ state / math.sqrt(len(query)))")),
        mistake("all earlier words read anew for each word",
            """
            rows = []
            for t in range(len(Q)):
                state = np.zeros((K.shape[1], V.shape[1]))
                for s in range(t + 1):
                    state += beta[s] * np.outer(K[s], V[s] - K[s] @ state)
                rows.append(Q[t] @ state)
            return np.array(rows)
            """),
        mistake("writes into its input",
            (WRITES, "value -= key @ state\n        state += strength * np.outer(key, value)")),
    ),
)
