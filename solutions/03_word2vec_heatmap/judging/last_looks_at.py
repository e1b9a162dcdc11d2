"""How `last_looks_at` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules

KING = ". the king stood near the car because it"
LONG = "when it rained we all sat in here and drank tea while nobody said anything"
TWICE = "it sees it now"
CALL = "scaled_dot_product_attention(Q, K, V)"
BEST = "weights[-1].argmax()"


def examples() -> tuple[Case, ...]:
    from attention.writer import load_writer

    head = load_writer().head(KING.split(), layer=1, head=2)
    rng = np.random.default_rng(0)
    return (
        Case("words", (KING.split(), *(matrix.round(2) for matrix in head)), label="the head, and a king"),
        case(rng, LONG, 3, "a long sentence"),
        case(rng, "tea is hot", 2, "the last word looks at itself"),
        weighed(rng),
        case(rng, TWICE, 2, "a word that comes again, the second one looked at"),
        case(rng, TWICE, 0, "a word that comes again, the first one looked at"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, LONG, int(rng.integers(1, 14)), "a long sentence"),
        case(rng, "she drank cold milk", 3, "the last word looks at itself"),
        case(rng, "dogs bark at night here", 0, "the first word is looked at"),
        weighed(rng),
        *(case(rng, TWICE, best, "a word that comes again") for best in (2, 0)),
        Case("words", (["yes"], *(rng.normal(size=(1, 1)).round(2) for _ in "qkv")), label="one word of one number"),
    )


def case(rng: np.random.Generator, sentence: str, best: int, label: str) -> Case:
    """The last word looks at word `best`, by far; in the long sentence six mistakes name six others."""
    words = sentence.split()
    while True:
        q, k = (np.round(rng.normal(size=(len(words), 4)) * 1.5, 2) for _ in "qk")
        q[-1] = np.round(k[best] * rng.uniform(0.9, 1.1, size=4), 2)
        weights, swapped = _weights(q @ k.T / 2), _weights(k @ q.T / 2)
        second, most = np.sort(weights[-1])[-2:]
        rows = weights[0], weights[:, -1], swapped[-1], weights[-2], weights.sum(axis=0), weights.max(axis=0)
        named = [int(row.argmax()) for row in rows]
        apart = len({best, *named}) == 1 + len(named) if sentence == LONG else best not in named[:3]
        apart = apart and (sentence != TWICE or words[best] != words[weights[-1].argsort()[-2]])
        if weights[-1].argmax() == best and most - second > 0.1 and apart:
            return Case("words", (words, q, k, np.round(rng.normal(size=(len(words), 3)), 2)), label=label)


def weighed(rng: np.random.Generator) -> Case:
    """The last of five words looks at `we`.

    The key of `so` is nearest to its query, in direction too, `do` has the largest score but for its sign, and `all`
    has so long a value that it makes up most of the output.
    """
    q = np.array([[-2, 1], [-1, 2], [1, -1], [0, 1], [2, 0]])
    k = np.array([[1.5, 0], [-4, 1], [3, 2], [2.2, -1], [0.5, 1]])
    v = np.array([[1, 0], [0, 1], [1, 1], [7, 7], [0.5, 2]])
    matrices = (np.round(matrix * rng.uniform(0.95, 1.05, matrix.shape), 2) for matrix in (q, k, v))
    return Case("words", (["so", "do", "we", "all", "now"], *matrices), label="keys and values of other lengths")


def _weights(scores: np.ndarray) -> np.ndarray:
    return np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)


EXERCISE = Exercise(
    graded=False,
    examples=examples,
    draw=draw,
    builds_on=("scaled_dot_product_attention",),
    variant=Variant("The word that it looks at *least*.", ("argmax", "argmin")),
    criteria=(
        Criterion("a word of the sentence", rules.of_the_sentence),
        Criterion("the one that the last word looks at most", rules.same_words),
        Criterion("words, Q, K and V stay as they were", common.unchanged),
    ),
    misconceptions=(
        mistake("the first word's look", ("weights[-1]", "weights[0]")),
        mistake("a column read, not a row", ("weights[-1]", "weights[:, -1]")),
        mistake("the largest weight of all", (BEST, "np.unravel_index(weights.argmax(), weights.shape)[1]")),
        mistake("whom all look at most", (BEST, "weights.sum(axis=0).argmax()")),
        mistake("the word itself left out", ("weights[-1]", "weights[-1, :-1]"),
            (CALL, "scaled_dot_product_attention(Q, K, V, np.tri(len(words), k=-1, dtype=bool))")),
        mistake("equal words taken for one",
            (f"words[{BEST}]", "max(words, key=lambda word: weights[-1][words.index(word)])"),
            (f"words[{BEST}]", "max(dict(zip(words, weights[-1])).items(), key=lambda pair: pair[1])[0]")),
        mistake("least instead of most", ("argmax", "argmin")),
        mistake("the output instead of the weights", ("_, weights =", "weights, _ =")),
        mistake("Q, K or V in the wrong place, or a column of the scores read",
            (CALL, "scaled_dot_product_attention(K, Q, V)")),
        mistake("mask inverted, or always the last word",
            (CALL, "scaled_dot_product_attention(Q, K, V, np.tri(len(words), dtype=bool).T)")),
        mistake("places instead of words", (f"words[{BEST}]", BEST)),
    ),
)
