"""How `last_looks_at` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common

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
        Misconception("the first word's look", "the row of the first word is read, not that of the last",
            "Which word asks here, and where does its row lie?",
            ("weights[-1]", "weights[0]")),
        Misconception("a column read, not a row", "it says who looks at the last word, not at whom that looks",
            "What sums to 1 in the weights: what a word gives, or what it gets?",
            ("weights[-1]", "weights[:, -1]")),
        Misconception("the largest weight of all", "any word's look may win, not only that of the last",
            "Whose look does the largest number of the whole matrix tell?",
            (BEST, "np.unravel_index(weights.argmax(), weights.shape)[1]")),
        Misconception("whom all look at most", "the looks of all words are put together",
            "How many rows of the weights belong to one word that looks?",
            (BEST, "weights.sum(axis=0).argmax()")),
        Misconception("the word itself left out", "the last word may look at itself, too",
            "How many weights has the last row, and how many did you compare?",
            ("weights[-1]", "weights[-1, :-1]"),
            (CALL, "scaled_dot_product_attention(Q, K, V, np.tri(len(words), k=-1, dtype=bool))")),
        Misconception("equal words taken for one", "of a word that comes again, only one place is looked at",
            "Where the word stands twice, whose weight do you look up, and which of the two places is that?",
            (f"words[{BEST}]", "max(words, key=lambda word: weights[-1][words.index(word)])"),
            (f"words[{BEST}]", "max(dict(zip(words, weights[-1])).items(), key=lambda pair: pair[1])[0]")),
        Misconception("least instead of most", "the smallest weight was searched",
            "Does a word that is looked at much have a large weight or a small one?",
            ("argmax", "argmin")),
        Misconception("the output instead of the weights", "the output is a mixture of values, and no word lies there",
            "Your attention returns two things. How long is a row of each?",
            ("_, weights =", "weights, _ =")),
        Misconception("Q, K or V in the wrong place, or a column of the scores read",
            "the last word's key meets all queries",
            "Whose query and whose keys make the scores that you compare: which of them belongs to the last word?",
            (CALL, "scaled_dot_product_attention(K, Q, V)")),
        Misconception("mask inverted, or always the last word", "whatever came before is never looked at",
            "Which words may the last one look at, by your code?",
            (CALL, "scaled_dot_product_attention(Q, K, V, np.tri(len(words), dtype=bool).T)")),
        Misconception("places instead of words", "a number came back",
            "You have the place of the largest weight. What stands in `words` there?",
            (f"words[{BEST}]", BEST)),
    ),
)
