"""How `delta_attention` is judged."""

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
        Misconception("old value not erased", "the new value is added to the old one",
            "What does the state answer to this key before it is written, and what should it answer after?",
            (WRITES, "state += strength * np.outer(key, value)")),
        Misconception("asks with the query", "what is erased was stored under another key",
            "Under which name was the old value stored, and under which name do you look for it?",
            (WRITES, "state += strength * np.outer(key, value - query @ state)")),
        Misconception("the strength on the value only", "the whole old value is erased, whatever the strength is",
            "How much of the old value should be erased when the strength is ½?",
            (WRITES, "state += np.outer(key, strength * value - key @ state)")),
        Misconception("the strength on the old value only", "the whole new value is written, whatever the strength is",
            "How much of the new value should be written when the strength is ½?",
            (WRITES, "state += np.outer(key, value - strength * (key @ state))")),
        Misconception("the whole state fades", "all keys lose a part of their value",
            "Which other keys lose something when this one is written?",
            (WRITES, "state *= 1 - strength\n        state += strength * np.outer(key, value)"),
            (WRITES, "state = (1 - strength) * state + np.outer(key, value)")),
        Misconception("reads before it writes", "each output comes from the state before its word",
            "May a word look at itself?",
            (WRITES, READS, "        " + READS + "\n    return", "        " + WRITES + "\n    return")),
        Misconception("the old value added once more", "the sign of what the state answers is wrong",
            "The state answers with the right value already: what should be added?",
            (WRITES, "state += strength * np.outer(key, value + key @ state)")),
        Misconception("the strength left out", "every word is written with strength 1",
            "Where does your code use `beta`?",
            (WRITES, "state += np.outer(key, value - key @ state)")),
        Misconception("the strength counted twice", "it multiplies the key and the difference",
            "By how much does the state's answer move towards the value when the strength is ½?",
            (WRITES, "state += np.outer(strength * key, strength * (value - key @ state))")),
        Misconception("one strength for all words", "the strength of the first word, or of the last, or the mean",
            "Which strength does the second word have?",
            (LOOP, LOOP.replace("beta", "np.full(len(Q), beta[0])")),
            (LOOP, LOOP.replace("beta", "np.full(len(Q), beta.mean())")),
            (LOOP, LOOP.replace("beta", "np.full(len(Q), beta[-1])"))),
        Misconception("reads with the key", "the query is never used to read",
            "With which vector does a word ask for what it wants to know?",
            (READS, "rows.append(key @ state)")),
        Misconception("Q, K or V in the wrong place", "the queries are written, and the keys read",
            "Which of the two goes into the state?",
            (LOOP, LOOP.replace("zip(Q, K,", "zip(K, Q,"))),
        Misconception("state transposed", "rows of values, columns of keys",
            "Which side of the state does the query read?",
            (WRITES, "state += strength * np.outer(value - key @ state, key)"),
            (WRITES, "state += strength * np.outer(value - key @ state, key)",
                "np.zeros((K.shape[1], V.shape[1]))", "np.zeros((V.shape[1], K.shape[1]))"),
            (WRITES, "state += strength * np.outer(value - state @ key, key)",
                "np.zeros((K.shape[1], V.shape[1]))", "np.zeros((V.shape[1], K.shape[1]))")),
        Misconception("all words read the last state", "each output knows the later words",
            "Which words has word 1 met when it reads?",
            ("return np.array(rows)", "return Q @ state")),
        Misconception("only the last word in the state", "the words before it are not in it",
            "What is left of the first word in the state that the second one reads?",
            (WRITES, "state = strength * np.outer(key, value - key @ state)"),
            (WRITES, "state = strength * np.outer(key, value)")),
        Misconception("a feature map, as in linear attention", "here keys and queries go in as they are",
            "Does the formula of this exercise have a φ?",
            (LOOP, "Q, K = (np.where(x > 0, x + 1, np.exp(x)) for x in (Q, K))\n    " + LOOP)),
        Misconception("a normaliser, as in linear attention", "here nothing is divided",
            "Does the formula of this exercise divide by anything?",
            (EMPTY, EMPTY + "\n    norm = np.zeros(K.shape[1])",
                READS, "norm += key\n        rows.append(query @ state / (query @ norm))")),
        Misconception("scaled as in softmax attention", "the formula has no √d",
            "Does the formula divide by √d?",
            (READS, "rows.append(query @ state / math.sqrt(len(query)))")),
        Misconception("all earlier words read anew for each word", "the state is begun again for every word",
            "How much of the work for word 1,000 was done for word 999 already?",
            """
            rows = []
            for t in range(len(Q)):
                state = np.zeros((K.shape[1], V.shape[1]))
                for s in range(t + 1):
                    state += beta[s] * np.outer(K[s], V[s] - K[s] @ state)
                rows.append(Q[t] @ state)
            return np.array(rows)
            """),
        common_mistakes.writes_into_its_input(
            (WRITES, "value -= key @ state\n        state += strength * np.outer(key, value)"),
        ),
    ),
)
