"""Lesson 03, who looks at whom: what it asks and how it is judged."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograder.exercise import Case, Exercise, Lesson, Misconception, Part, WordVectors
from autograder.rules import common
from autograder.rules import word2vec_heatmap as rules

Array = np.ndarray
Pair = tuple[Array, Array]
Answer = Callable[..., Any]

QUERIES = "the cat sat on the mat"
KEYS = "dogs are playing in the park"


# --- word vectors to ask about ----------------------------------------------------------------------------


@functools.cache
def _lesson_vectors() -> WordVectors:
    """The bundled vectors of the two sentences' words, to two decimals."""
    from autograder.vectors import load_vectors

    words = tuple(dict.fromkeys(f"{QUERIES} {KEYS}".split()))
    return WordVectors(words, np.round(load_vectors()[list(words)].astype(float), 2))


def _drawn_vectors(rng: np.random.Generator, words: str, d: int, norm: float) -> WordVectors:
    """Random vectors of about the given norm, to four figures."""
    names = tuple(words.split())
    rows = rng.normal(size=(len(names), d)) * norm / np.sqrt(d)
    return WordVectors(names, np.array([[float(f"{x:.4g}") for x in row] for row in rows]))


def _norm(vectors: WordVectors) -> dict[str, float]:
    return {"norm": float(np.median(np.linalg.norm(vectors.matrix, axis=1)))}


def _known(words: str, vectors: WordVectors, label: str) -> Case:
    return Case("known", (words.split(), vectors), label=label, each=0, scribble=True)


def _unknown(words: str, vectors: WordVectors, label: str, elsewhere: bool = True) -> Case:
    facts = _norm(vectors)
    return Case("unknown", (words.split(), vectors), label=label, each=0, elsewhere=elsewhere, facts=facts)


# --- word_embedding ---------------------------------------------------------------------------------------


def _embedding_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(3)
    short = _drawn_vectors(rng, "tea river Paris green seven", 16, 0.4)
    return (
        _known("cat the", _lesson_vectors(), "words that the model knows"),
        _unknown("zyzzyva quokka", _lesson_vectors(), "words that it does not know", elsewhere=False),
        _known("Paris tea", short, "a model with shorter vectors"),
        _unknown("frobnicate qwerty ytrewq quux qwerty", short, "a model with shorter vectors"),
    )


def _embedding_cases(rng: np.random.Generator) -> tuple[Case, ...]:
    words = "house May may stone walks Oslo bread over nine lamp quickly"
    long, tiny = _drawn_vectors(rng, words, 24, 30.0), _drawn_vectors(rng, words, 20, 0.05)
    many = _drawn_vectors(rng, " ".join(f"word{i}" for i in range(250)), 16, 2.0)
    return (
        _known("Oslo may May lamp", long, "capitals that matter"),
        _unknown("wibble wibbles", long, "words that begin alike", elsewhere=False),
        _unknown("blorp porbl snark thrum blorp", long, "words of equal length, of equal letters"),
        _known("bread", tiny, "a model with very short vectors"),
        _unknown("xylo trixylo Zyzzyva", tiny, "a model with very short vectors"),
        _unknown("grault", tiny, "one word alone"),
        _unknown("words wordy", many, "a model with more words than numbers a word", elsewhere=False),
    )


def key_error(word: str, vectors: Any) -> Array:
    return vectors[word].copy()


EMBEDDING = Exercise(
    id="word_embedding",
    signature="word_embedding(word, vectors)",
    examples=_embedding_examples,
    draw=_embedding_cases,
    parts=(
        Part("a known word gets its own vector", common.agrees, ("known",)),
        Part("an unknown word gets a vector too", rules.a_vector_each, ("unknown",)),
        Part("the same word gets the same vector, every time", rules.same_every_time, ("unknown",)),
        Part("two unknown words can be told apart", rules.told_apart, ("unknown",)),
        Part("an unknown word's vector is of ordinary length", rules.of_ordinary_length, ("unknown",)),
        Part("what comes back is a copy: the model stays as it is", rules.model_left_alone),
    ),
    misconceptions=(
        Misconception(
            "KeyError",
            "a KeyError: a word outside the vocabulary stops everything",
            "What should happen when a reader meets a word for the first time?",
            (key_error,),
        ),
        Misconception(
            "new every call",
            "new every call: the same unknown word gets another vector each time",
            "Embed the same sentence twice. Is it the same matrix?",
        ),
        Misconception(
            "one for all",
            "one for all: different unknown words share a vector, or get none to speak of",
            "Give it two words it has never seen. How would attention tell them apart?",
        ),
        Misconception(
            "another one tomorrow",
            "another one tomorrow: the vector depends on the running Python, not on the word alone",
            "Restart the kernel and embed the word again. What in your recipe has changed since?",
        ),
        Misconception(
            "far too long",
            "far too long: the stand-in dwarfs every real word vector",
            "How long is an ordinary word's vector, and how long is yours?",
        ),
        Misconception(
            "alias",
            "an alias: what comes back is the model's own row, not a copy",
            "If someone scales the vector you returned, what does the model say the next time?",
        ),
    ),
)


# --- sentence_matrix --------------------------------------------------------------------------------------


def _sentence(sentence: str, vectors: WordVectors, label: str, tag: str = "words") -> Case:
    """A sentence, with what the rules need to know of it: which of its words are known, and how long they are."""
    words = sentence.split()
    places = [i for i, word in enumerate(words) if word in vectors.words]
    strange = len(places) < len(words)
    return Case(
        "unknown" if strange and tag == "words" else tag,
        (sentence, vectors),
        label=label,
        elsewhere=strange,
        facts={**_norm(vectors), "known": places},
    )


def _sentence_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(4)
    small = _drawn_vectors(rng, "a tree grows by the old river", 16, 2.0)
    return (
        _sentence(QUERIES, _lesson_vectors(), "the lesson's sentence"),
        _sentence("the quokka grows by the zyzzyva", small, "two unknown words"),
        _sentence("  the old\ttree  grows\n", small, "more white space than usual", "spaces"),
    )


def _sentence_cases(rng: np.random.Generator) -> tuple[Case, ...]:
    words = _drawn_vectors(rng, "we sing in Rome and rome sings with us", 18, 5.0)
    return (
        _sentence("we sing we sing in Rome", words, "repeated words, and a capital that matters"),
        _sentence("us", words, "a single word"),
        _sentence("qwerty sing with grault and qwerty sings", words, "unknown words, one of them twice"),
        _sentence("zyzzyva frobnicate", words, "nothing but unknown words"),
        _sentence("\n in  Rome \t we sing ", words, "white space of all kinds", "spaces"),
    )


def _rows_of(sentence: str, vectors: Any, keep: Callable[[list[str], Any], Iterable[str]]) -> Array:
    return np.array([vectors[word] for word in keep(sentence.split(), vectors)])


def rows_key_error(sentence: str, vectors: Any) -> Array:
    return _rows_of(sentence, vectors, lambda words, _: words)


def word_dropped(sentence: str, vectors: Any) -> Array:
    return _rows_of(sentence, vectors, lambda words, known: (word for word in words if word in known))


SENTENCE = Exercise(
    id="sentence_matrix",
    signature="sentence_matrix(sentence, vectors)",
    examples=_sentence_examples,
    draw=_sentence_cases,
    builds_on=("word_embedding",),
    parts=(
        Part("one row for each word of a sentence", rules.one_row_per_word, ("words",)),
        Part("an unknown word keeps its row", rules.one_row_per_word, ("unknown",)),
        Part("each known word's row is its own vector, in order", rules.known_rows, ("words", "unknown")),
        Part("an unknown word's row is a proper stand-in", rules.unknown_rows, ("unknown",)),
        Part("any white space parts words", rules.spaced_rows, ("spaces",)),
    ),
    misconceptions=(
        Misconception(
            "KeyError",
            "a KeyError: one unknown word stops the whole sentence",
            "Which function of yours already knows what to do with a new word?",
            (rows_key_error,),
        ),
        Misconception(
            "word dropped",
            "a word dropped: unknown words have no row",
            "The heatmap wants a row for each word. Does your matrix have as many?",
            (word_dropped,),
        ),
        Misconception(
            "repeated word lost",
            "a repeated word lost: it has one row instead of one for each time it occurs",
            "How often does 'the' occur in 'the cat sat on the mat', and how often in your matrix?",
        ),
        Misconception(
            "new every call",
            "new every call: the same unknown word gets another vector each time",
            "Make the matrix twice. Is it the same matrix?",
        ),
        Misconception(
            "one for all",
            "one for all: different unknown words share a row, or have nothing in it",
            "Can the rows of two unknown words be told apart?",
        ),
        Misconception(
            "another one tomorrow",
            "another one tomorrow: a row depends on the running Python, not on the word alone",
            "Would the matrix be the same in a new kernel?",
        ),
        Misconception(
            "far too long",
            "far too long: the rows of unknown words dwarf the others",
            "Print the length of every row. Do they go together?",
        ),
    ),
)


# --- scaled_dot_product_attention -------------------------------------------------------------------------


def _qkv(
    rng: np.random.Generator, batch: tuple[int, ...], n_q: int, n_k: int, d_k: int, d_v: int
) -> tuple[Array, Array, Array]:
    sizes = (n_q, d_k), (n_k, d_k), (n_k, d_v)
    q, k, v = (np.round(rng.normal(size=(*batch, *size)) * 1.5, 2) for size in sizes)
    return q, k, v


def _mask(rng: np.random.Generator, n_q: int, n_k: int) -> Array:
    """Each query may look at some keys and not at others; no two queries at the same ones."""
    mask = np.ones((n_q, n_k), dtype=bool)
    mask[np.arange(n_q), rng.permutation(n_k)[:n_q]] = False
    mask[0, np.flatnonzero(mask[0])[-1]] = False
    return mask


def _without_best(q: Array, k: Array) -> Array:
    """The mask that hides from each query the key it scores highest."""
    scores = q @ k.T
    return scores < scores.max(axis=-1, keepdims=True)


def _without_row(mask: Array, row: int) -> Array:
    mask = mask.copy()
    mask[row] = False
    return mask


def _far_apart(n_q: int, n_k: int, d_k: int, size: float) -> tuple[Array, Array]:
    """Scores of `size` and more for the first query, of `-size` and less for the others."""
    q, k = np.zeros((n_q, d_k)), np.zeros((n_k, d_k))
    q[:, 1] = np.where(np.arange(n_q) == 0, 1.0, -1.0) * np.sqrt(d_k)
    k[:, 1] = size * (1 + np.roll(np.arange(n_k), 2) / 20)
    return q, k


def _by_hand() -> tuple[Array, Array, Array]:
    """The lesson's example: scores 4, 2, 0, halved by the square root of d_k = 4."""
    q = np.array([[2.0, 0.0, 1.0, 0.0]])
    k = np.array([[2.0, 1.0, 0.0, 0.0], [0.0, 2.0, 2.0, 0.0], [0.0, 0.0, 0.0, 2.0]])
    v = np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])
    return q, k, v


def _attention_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(7)
    q, k, v = _qkv(rng, (), 2, 3, 5, 4)
    batch = _qkv(rng, (2,), 2, 3, 5, 1)
    square = _qkv(rng, (), 3, 3, 3, 3)
    far_q, far_k = _far_apart(2, 3, 2, 1000.0)
    mask = _without_best(batch[0][0], batch[1][0])
    causal = np.tril(np.ones((3, 3), dtype=bool))
    return (
        Case("plain", _by_hand(), label="the lesson's example"),
        Case("plain", (q, k, v), label="sizes that all differ"),
        Case("plain", batch, label="a batch of two"),
        Case("plain", square, label="as many queries as keys"),
        Case("large", (far_q, far_k, v[:, :2]), label="scores near 1000 in one row, near -1000 in the next"),
        Case("mask", (*square, causal), label="a query may look at itself and back"),
        Case("mask", (*batch, mask), label="one mask for the whole batch, which hides some of the best keys"),
        Case("empty", (q, k, v, _without_row(mask, 1)), label="query 1 may look nowhere"),
    )


def _attention_cases(rng: np.random.Generator) -> tuple[Case, ...]:
    """Distinct sizes, several ranks, and every kind of mask that tells mistakes apart."""
    return (*_unmasked(rng), *_masked(rng), *_nowhere(rng))


def _unmasked(rng: np.random.Generator) -> tuple[Case, ...]:
    single = tuple(x.astype(np.float32) for x in _qkv(rng, (), 2, 5, 6, 3))
    whole = tuple(rng.integers(-2, 3, size=size) for size in ((3, 5), (4, 5), (4, 2)))
    q, k, v = _qkv(rng, (), 3, 4, 5, 6)
    far_q, far_k = _far_apart(3, 4, 5, 2000.0)
    return (
        Case("plain", (q, k, v), label="sizes that all differ"),
        Case("plain", _qkv(rng, (2,), 3, 4, 5, 6), label="a batch of two"),
        Case("plain", _qkv(rng, (2, 3), 1, 4, 7, 2), label="two batch axes, one query"),
        Case("plain", _qkv(rng, (), 3, 3, 3, 3), label="as many queries as keys"),
        Case("plain", _qkv(rng, (3,), 3, 3, 3, 3), label="a batch with all sizes alike"),
        Case("plain", _qkv(rng, (), 1, 4, 9, 5), label="a single query"),
        Case("plain", _qkv(rng, (), 4, 2, 8, 8), label="more queries than keys, values as wide as keys"),
        Case("plain", single, label="single precision"),
        Case("plain", whole, label="whole numbers"),
        Case("large", (30 * q, 30 * k, v), label="large numbers"),
        Case("large", (far_q, far_k, v), label="rows of scores that lie far apart"),
    )


def _masked(rng: np.random.Generator) -> tuple[Case, ...]:
    q, k, v = _qkv(rng, (), 3, 4, 5, 6)
    batch = _qkv(rng, (2,), 3, 4, 5, 6)
    square = _qkv(rng, (), 3, 3, 3, 3)
    padding = np.array([[[True, True, True, False]], [[True, False, False, False]]])
    low_q, low_k = _far_apart(3, 4, 5, 3e6)
    causal = np.tril(np.ones((3, 3), dtype=bool))
    return (
        Case("mask", (q, k, v, _mask(rng, 3, 4)), label="each query has a key it may not look at"),
        Case("mask", (*square, causal), label="a query may look at itself and back"),
        Case("mask", (*square, _mask(rng, 3, 3)), label="as many queries as keys"),
        Case("mask", (q, k, v, _without_best(q, k)), label="the best key is masked"),
        Case(
            "mask", (30 * q, 30 * k, v, _without_best(q, k)), label="the best of very high scores is masked"
        ),
        Case("mask", (-low_q, low_k, v, _mask(rng, 3, 4)), label="scores of millions below zero"),
        Case("mask", (*batch, _mask(rng, 3, 4)), label="one mask for the whole batch"),
        Case(
            "mask",
            (*batch, np.stack([_mask(rng, 3, 4), _mask(rng, 3, 4)])),
            label="a mask for each of a batch",
        ),
        Case("mask", (*batch, padding), label="a mask of the keys for each of a batch"),
        Case("mask", (q, k, v, np.array([True, False, True, True])), label="one mask for all queries"),
        Case("mask", (*_qkv(rng, (), 1, 4, 6, 2), _mask(rng, 1, 4)), label="a single query"),
        Case("mask", (q, k, v, np.ones((3, 4), dtype=bool)), label="a mask that hides nothing"),
    )


def _nowhere(rng: np.random.Generator) -> tuple[Case, ...]:
    q, k, v = _qkv(rng, (), 3, 4, 5, 6)
    batch = _qkv(rng, (2,), 3, 4, 5, 6)
    second = np.array([[[True, False, True, True]], [[False, False, False, False]]])
    return (
        Case("empty", (q, k, v, _without_row(_mask(rng, 3, 4), 1)), label="query 1 may look nowhere"),
        Case("empty", (*batch, second), label="nothing to look at in the second of a batch"),
        Case(
            "empty",
            (*_qkv(rng, (), 3, 3, 3, 3), np.zeros((3, 3), dtype=bool)),
            label="no query may look anywhere",
        ),
    )


def _attend(weights: Array, V: Array) -> Pair:
    return weights @ V, weights


def _turned(x: Array) -> Array:
    return np.swapaxes(x, -1, -2)


def _scores(Q: Array, K: Array, V: Array) -> Array:
    return Q @ _turned(K) / np.sqrt(K.shape[-1])


def _plain_softmax(scores: Array, axis: int = -1) -> Array:
    kernel = np.exp(scores - scores.max(axis, keepdims=True))
    return kernel / kernel.sum(axis, keepdims=True)


def _softmax(scores: Array, axis: int = -1) -> Array:
    """Along `axis`; where all scores are -inf it gives zeros."""
    highest = scores.max(axis, keepdims=True)
    kernel = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = kernel.sum(axis, keepdims=True)
    return np.divide(kernel, total, out=np.zeros_like(kernel), where=total != 0)


def _hidden(scores: Array, mask: Array | None) -> Array:
    return scores if mask is None else np.where(mask, scores, -np.inf)


def _weights(scores: Array, mask: Array | None) -> Array:
    return _softmax(_hidden(scores, mask))


def _answer(score: Answer = _scores, weigh: Answer = _weights, attend: Answer | None = None) -> Answer:
    """Attention with one of its three steps replaced, so that it is wrong in one thing."""

    def attention(Q: Array, K: Array, V: Array, mask: Any = None) -> Pair:
        weights = weigh(score(Q, K, V), mask)
        return _attend(weights, V) if attend is None else attend(weights, Q, K, V)

    return attention


def _scaled_by(divisor: Callable[[Array, Array, Array], Any]) -> Answer:
    return _answer(score=lambda Q, K, V: Q @ _turned(K) / divisor(Q, K, V))


def _masking(hide: Callable[[Array, Array], Array], softmax: Answer = _softmax) -> Answer:
    return _answer(weigh=lambda scores, mask: softmax(scores if mask is None else hide(scores, mask)))


def _with_softmax(softmax: Answer) -> Answer:
    return _answer(weigh=lambda scores, mask: softmax(_hidden(scores, mask)))


def _scaled_late(Q: Array, K: Array, V: Array, mask: Any = None) -> Pair:
    return _attend(_weights(Q @ _turned(K), mask) / np.sqrt(K.shape[-1]), V)


def _after_softmax(scores: Array, mask: Array | None) -> Array:
    weights = _plain_softmax(scores)
    return weights if mask is None else weights * mask


def _after_softmax_and_again(scores: Array, mask: Array | None) -> Array:
    weights = _after_softmax(scores, mask)
    return weights / weights.sum(-1, keepdims=True)


def _by_position(scores: Array, mask: Array | None) -> Array:
    """Masks by index, which wants a mask of exactly the scores' shape."""
    scores = scores.copy()
    if mask is not None:
        scores[~mask] = -np.inf
    return _softmax(scores)


def _whole(scores: Array, axis: Any = None) -> Array:
    kernel = np.exp(scores - np.max(scores, axis=axis, keepdims=True))
    return kernel / np.sum(kernel, axis=axis, keepdims=True)


def _one_shift(scores: Array) -> Array:
    kernel = np.exp(scores - np.max(scores))
    return kernel / kernel.sum(-1, keepdims=True)


def _no_shift(scores: Array) -> Array:
    kernel = np.exp(scores)
    return kernel / kernel.sum(-1, keepdims=True)


def _one_shift_guarded(scores: Array) -> Array:
    highest = scores.max()
    return _shared(np.exp(scores - (highest if np.isfinite(highest) else 0.0)))


def _no_shift_guarded(scores: Array) -> Array:
    return _shared(np.exp(scores))


def _shared(kernel: Array) -> Array:
    """Each row over its sum, and zeros where that is zero."""
    total = kernel.sum(-1, keepdims=True)
    return kernel / np.where(total == 0, 1.0, total)


def _axis_lost(scores: Array) -> Array:
    kernel = np.exp(scores - scores.max(-1, keepdims=True))
    return kernel / kernel.sum(-1)


def _added_infinity(scores: Array, mask: Array) -> Array:
    return scores + (1.0 - mask) * -np.inf


ATTENTION = Exercise(
    id="scaled_dot_product_attention",
    signature="scaled_dot_product_attention(Q, K, V, mask=None)",
    examples=_attention_examples,
    draw=_attention_cases,
    builds_on=("softmax_rows",),
    parts=(
        Part("output and weights come back, of the right shapes", common.shape, ("plain",)),
        Part("every query's weights sum to 1", rules.shared_out, ("plain",)),
        Part("the numbers are right without a mask", common.agrees, ("plain",)),
        Part("very large and very small scores do no harm", common.agrees, ("large",)),
        Part("a mask hides keys, and what is left sums to 1", rules.agrees_under_mask, ("mask",)),
        Part("a query that may look nowhere gets zeros", common.agrees, ("empty",)),
        Part("Q, K, V and the mask stay as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception(
            "no scale",
            "no scale: the dot products go into the softmax as they are",
            "How does the spread of a dot product grow when the vectors get longer?",
            (_scaled_by(lambda Q, K, V: 1.0),),
        ),
        Misconception(
            "wrong power",
            "the wrong power: the scores are divided, but not by the square root of d_k",
            "What is your divisor at d_k = 9?",
            (
                _scaled_by(lambda Q, K, V: K.shape[-1]),
                _scaled_by(lambda Q, K, V: 1 / np.sqrt(K.shape[-1])),
                _scaled_by(lambda Q, K, V: K.shape[-1] / 2),
            ),
        ),
        Misconception(
            "wrong length",
            "the wrong length: the square root is taken of another size than d_k",
            "Over which axis did the dot product sum, and how long is it?",
            (
                _scaled_by(lambda Q, K, V: np.sqrt(K.shape[-2])),
                _scaled_by(lambda Q, K, V: np.sqrt(len(K))),
                _scaled_by(lambda Q, K, V: np.sqrt(Q.shape[-2])),
                _scaled_by(lambda Q, K, V: np.sqrt(V.shape[-1])),
            ),
        ),
        Misconception(
            "scaled after softmax",
            "scaled after softmax: the weights are divided, not the scores",
            "What do one query's weights sum to after your division?",
            (_scaled_late,),
        ),
        Misconception(
            "transposed the batch",
            "transposed the batch: all axes are turned round, or a fixed pair, not the last two",
            "K has shape (2, 4, 5). Which shape do you need, and which do you get?",
            (
                _answer(score=lambda Q, K, V: Q @ K.T / np.sqrt(K.shape[-1])),
                _answer(score=lambda Q, K, V: Q @ K.transpose(0, 2, 1) / np.sqrt(K.shape[-1])),
                _answer(score=lambda Q, K, V: Q @ np.swapaxes(K, 1, 2) / np.sqrt(K.shape[-1])),
                _answer(score=lambda Q, K, V: Q @ np.swapaxes(K, 0, 1) / np.sqrt(K.shape[-1])),
            ),
        ),
        Misconception(
            "softmax over queries",
            "a softmax over queries: each key shares itself out among the queries",
            "For one query, what is shared out, and along which axis does that lie?",
            (
                _with_softmax(functools.partial(_softmax, axis=-2)),
                _with_softmax(functools.partial(_softmax, axis=0)),
                _with_softmax(functools.partial(_softmax, axis=1)),
            ),
        ),
        Misconception(
            "whole matrix",
            "a softmax over the whole matrix: all queries share one unit of attention",
            "What does each row of the weights sum to?",
            (_with_softmax(_whole), _with_softmax(functools.partial(_whole, axis=(-2, -1)))),
        ),
        Misconception(
            "wrong partner",
            "the wrong partner: two of Q, K and V have changed places",
            "Change only V. What should move, and what must not?",
            (
                _answer(attend=lambda w, Q, K, V: (w @ K, w)),
                _answer(score=lambda Q, K, V: Q @ _turned(V) / np.sqrt(K.shape[-1])),
                _answer(score=lambda Q, K, V: Q @ _turned(Q) / np.sqrt(K.shape[-1])),
                _answer(score=lambda Q, K, V: K @ _turned(Q) / np.sqrt(K.shape[-1])),
            ),
        ),
        Misconception(
            "weights transposed",
            "the weights transposed: rows and columns have changed places before V, or on the way out",
            "Which row of the weights belongs to query 0, and how many entries should it have?",
            (
                _answer(attend=lambda w, Q, K, V: (_turned(w) @ V, w)),
                _answer(attend=lambda w, Q, K, V: (w @ V, _turned(w))),
            ),
        ),
        Misconception(
            "results swapped",
            "the results swapped: the weights come first",
            "What does the signature promise first?",
            (_answer(attend=lambda w, Q, K, V: (w, w @ V)),),
        ),
        Misconception(
            "overflow",
            "an overflow: the exponential of a large score is infinite",
            "What is np.exp(1000)?",
            (_with_softmax(_no_shift), _with_softmax(_no_shift_guarded)),
        ),
        Misconception(
            "global shift",
            "a global shift: one maximum for all rows leaves nothing of the low ones",
            "What is left of the lowest row once the highest row's maximum is taken off?",
            (_with_softmax(_one_shift), _with_softmax(_one_shift_guarded)),
        ),
        Misconception(
            "broadcast",
            "a broadcast along the wrong axis: the sums lost their axis before the division",
            "Which two shapes meet at the division?",
            (_with_softmax(_axis_lost),),
        ),
        Misconception(
            "mask inverted",
            "a mask inverted: it hides what it should show",
            "Print the weights where the mask is False. Should there be any?",
            (
                _masking(lambda s, m: np.where(m, -np.inf, s)),
                _masking(lambda s, m: np.where(m, -np.inf, s), _plain_softmax),
            ),
        ),
        Misconception(
            "mask ignored",
            "a mask ignored: the weights are the same with and without it",
            "Call it with a mask and without. What differs?",
            (_masking(lambda s, m: s),),
        ),
        Misconception(
            "empty row",
            "an empty row: a query with nothing to look at gets NaN, or looks everywhere",
            "What should a query fetch that may look nowhere?",
            (
                _masking(lambda s, m: np.where(m, s, -np.inf), _plain_softmax),
                _masking(lambda s, m: np.where(m, s, -1e9)),
                _masking(lambda s, m: s + np.where(m, 0.0, -1e9)),
            ),
        ),
        Misconception(
            "fill too weak",
            "a fill too weak: a masked key keeps some weight",
            "What is exp of your fill value, next to exp of a real score?",
            (
                _masking(lambda s, m: s * m),
                _masking(lambda s, m: np.where(m, s, -10.0)),
                _masking(lambda s, m: np.where(m, s, -5.0)),
                _masking(lambda s, m: np.where(m, s, -1.0)),
                _masking(lambda s, m: s + m),
                _masking(lambda s, m: np.where(m, s, -1e6)),
            ),
        ),
        Misconception(
            "masked after softmax",
            "masked after softmax: weights are struck out when all has been shared",
            "Do the rows still sum to 1? And what was subtracted before the exponential?",
            (_answer(weigh=_after_softmax), _answer(weigh=_after_softmax_and_again)),
        ),
        Misconception(
            "zero times infinity",
            "zero times infinity: an allowed place becomes NaN on its way into the softmax",
            "What does Python make of 0 * float('inf')?",
            (_masking(_added_infinity), _masking(_added_infinity, _plain_softmax)),
        ),
        Misconception(
            "mask transposed",
            "a mask transposed: its rows are read as keys",
            "Row i of the mask speaks of whom: query i or key i?",
            (
                _masking(lambda s, m: np.where(np.swapaxes(m, -1, -2) if m.ndim > 1 else m, s, -np.inf)),
                _masking(lambda s, m: np.where(m.T, s, -np.inf)),
            ),
        ),
        Misconception(
            "mask not broadcast",
            "a mask not broadcast: only one of exactly the scores' shape will do",
            "One mask serves a whole batch. What shape has it, and what shape have the scores?",
            (_answer(weigh=_by_position),),
        ),
        Misconception(
            "writes into its input",
            "a function that writes into its input",
            "Print Q before and after the call. Which line of yours uses an operator such as /= or +=?",
        ),
    ),
)


# --- plot_attention_weights -------------------------------------------------------------------------------


def _picture(rng: np.random.Generator, queries: str | list[str], keys: str | list[str], label: str) -> Case:
    sizes = [len(x.split() if isinstance(x, str) else x) for x in (queries, keys)]
    return Case(
        "picture", (np.round(_softmax(2 * rng.normal(size=tuple(sizes))), 3), queries, keys), label=label
    )


def _picture_examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(5)
    return (
        _picture(rng, ["cats", "sleep"], ["dogs", "are", "playing"], "lists of words"),
        _picture(rng, "the cat sat", "dogs bark", "sentences as strings"),
    )


def _picture_cases(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        _picture(rng, "we sing we", ["so", "do", "I"], "a string and a list, as many queries as keys"),
        _picture(rng, ["hello"], "good day", "a list and a string, a single query"),
    )


PICTURE = Exercise(
    id="plot_attention_weights",
    signature="plot_attention_weights(attention_weights, sentence_1, sentence_2)",
    examples=_picture_examples,
    draw=_picture_cases,
    parts=(
        Part("the Axes come back", rules.drew_axes),
        Part("a row for each query, a column for each key", rules.queries_in_rows),
        Part("every row and column carries its word", rules.labelled_by_word),
        Part("every cell shows its weight", rules.annotated),
        Part("a title, and axis labels that name query and key", rules.titled),
        Part("weights and words stay as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception(
            "nothing returned",
            "nothing returned: the picture is drawn and then lost",
            "What could someone who calls your function do with the picture?",
        ),
        Misconception(
            "axes swapped",
            "axes swapped: queries and keys have changed places",
            "A row of the weights belongs to one word. Of which sentence?",
        ),
        Misconception(
            "labelled by letter",
            "labelled by letter: a sentence was taken for a list",
            "What do you get when you loop over a string?",
        ),
        Misconception(
            "words missing",
            "words missing: the rows and columns are numbered, not named",
            "Could a reader tell from the picture alone who looks at whom?",
        ),
        Misconception(
            "no numbers",
            "no numbers: the cells have colours alone",
            "Which argument of sns.heatmap writes the values into the cells?",
        ),
        Misconception(
            "axes not named",
            "axes not named: nothing says which side asks and which answers",
            "Which side are the queries on? Where would a reader see it?",
        ),
    ),
)


# --- questions checked on the spot ------------------------------------------------------------------------


def _rows_examples() -> tuple[Case, ...]:
    near, far = (
        np.array([[2.0, 1.0, 0.0], [0.5, 0.0, 3.0]]),
        np.array([[1000.0, 1001.0, 999.0], [0.0, 1.0, 3.0]]),
    )
    return (
        Case("near", (near,), label="ordinary rows"),
        Case("near", (np.array([[0.0, 1.0], [2.0, -1.0]]),), label="a square"),
        Case("far", (far,), label="rows a thousand apart"),
    )


ROWS = Exercise(
    id="softmax_rows",
    signature="softmax_rows(scores)",
    examples=_rows_examples,
    graded=False,
    parts=(
        Part("every row sums to 1", common.rows_sum_to_one, ("near",)),
        Part("the numbers are right on ordinary rows", common.agrees, ("near",)),
        Part("rows far apart do no harm", common.agrees, ("far",)),
        Part("the scores stay as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception(
            "global shift",
            "a global shift: one maximum for all rows leaves nothing of the low ones",
            "What is the largest number in the second row once 1001 has been taken off everywhere?",
            (_one_shift,),
        ),
        Misconception(
            "overflow",
            "an overflow: without a shift, the exponential of 1000 is infinite",
            "What is np.exp(1000)?",
            (_no_shift,),
        ),
        Misconception(
            "whole matrix",
            "a softmax over the whole matrix",
            "What does each row sum to?",
            (_whole,),
        ),
        Misconception(
            "wrong axis",
            "a softmax along the wrong axis",
            "Which entries compete with each other: those of a row or those of a column?",
            (functools.partial(_softmax, axis=0),),
        ),
        Misconception(
            "broadcast",
            "a broadcast along the wrong axis: a maximum or a sum lost its axis",
            "What shape has scores.max(axis=-1), and what shape do you need beside (2, 3)?",
            (_axis_lost,),
        ),
    ),
)


def _prediction(*mistakes: Misconception, names: tuple[str, ...]) -> tuple[Case, ...]:
    """The one case of an exercise that asks for values: it knows what each misconception would say."""
    said = [(m.name, dict(zip(names, guess(), strict=True))) for m in mistakes for guess in m.wrong]
    return (Case("values", facts={"mistaken": said}),)


SHARES_MISTAKES = (
    Misconception(
        "masked after softmax",
        "masked after softmax: the hidden key's share went to nobody",
        "A query always has one whole unit to give away. Who gets the part that fell free?",
        (lambda: ([0.0, 0.245, 0.09],),),
    ),
    Misconception(
        "fill too weak",
        "a fill too weak: a score of 0 is not the same as no score",
        "What is exp(0)? And which score would make it nothing?",
        (lambda: ([0.212, 0.576, 0.212],),),
    ),
    Misconception(
        "mask inverted",
        "a mask inverted: False was read as 'may look'",
        "In this course True means one thing, in some libraries the other. Which is ours?",
        (lambda: ([1.0, 0.0, 0.0],),),
    ),
    Misconception(
        "mask ignored",
        "a mask ignored: these are the shares without it",
        "Which of the three keys may the query not look at?",
        (lambda: ([0.665, 0.245, 0.09],),),
    ),
)

SHARES = Exercise(
    id="guess_masked",
    signature="masked_shares = three numbers",
    examples=functools.partial(_prediction, *SHARES_MISTAKES, names=("masked_shares",)),
    values=("masked_shares",),
    graded=False,
    parts=(
        Part("three shares that sum to 1", rules.guessed_shares),
        Part("the shares when the first key is hidden", rules.guessed_numbers),
    ),
    misconceptions=SHARES_MISTAKES,
)

LOOKS_NAMES = ("cat_looks_at", "sat_looks_at", "mat_looks_at")
LOOKS_MISTAKES = (
    Misconception(
        "same place",
        "same place: each word was paired with the one at its own position",
        "Does anything in a word's vector say where in the sentence it stands?",
        (lambda: ("are", "playing", "park"),),
    ),
    Misconception(
        "grammar",
        "grammar: the cat was given a verb, as in a sentence of its own",
        "Do these vectors know subjects and verbs, or only which words keep similar company?",
        (lambda: ("playing", "park", "in"), lambda: ("playing", "dogs", "park")),
    ),
)

LOOKS = Exercise(
    id="guess_looks",
    signature="cat_looks_at, sat_looks_at, mat_looks_at = three words",
    examples=functools.partial(_prediction, *LOOKS_MISTAKES, names=LOOKS_NAMES),
    values=LOOKS_NAMES,
    graded=False,
    parts=(Part("whom each of the three words looks at", rules.guessed_words),),
    misconceptions=LOOKS_MISTAKES,
)

LESSON = Lesson(
    "03_word2vec_heatmap", "Who looks at whom", (EMBEDDING, SENTENCE, SHARES, ROWS, ATTENTION, LOOKS, PICTURE)
)
