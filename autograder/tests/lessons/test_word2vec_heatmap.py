"""Lesson 03: its reference, its numbers, its judging."""

from __future__ import annotations

import functools
import hashlib
import itertools
import random
import zlib
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.special
import seaborn as sns
import torch
from torch.nn.functional import scaled_dot_product_attention as torch_attention

from autograder import judge, probe, reference, source
from autograder.exercise import Key, Verdict
from autograder.lessons import find_exercise, find_lesson
from autograder.lessons import word2vec_heatmap as lesson_module
from autograder.vectors import load_vectors

LESSON = "03_word2vec_heatmap"
IDS = [exercise.id for exercise in find_lesson(LESSON).exercises]
ATTENTION, EMBEDDING, SENTENCE = "scaled_dot_product_attention", "word_embedding", "sentence_matrix"
PICTURE, ROWS = "plot_attention_weights", "softmax_rows"


def verdict(key: Key, answers: dict[str, Any]) -> Verdict:
    question = probe.Question(key.exercise, key.values, key.cases)
    return judge.judge(key, probe.ask_all(question, answers))


@functools.cache
def keys_of(exercise: str) -> tuple[Key, Key]:
    return judge.visible_key(LESSON, find_exercise(LESSON, exercise)), judge.hidden_key(
        LESSON, exercise, "amy"
    )


def hidden(exercise: str, answer: Any) -> Verdict:
    return verdict(keys_of(exercise)[1], {**reference.namespace(LESSON), exercise: answer})


def refused_as(exercise: str, answer: Any) -> str:
    judged = hidden(exercise, answer)
    assert judged.state == "wrong"
    assert judged.points < judged.max_points
    return judged.misconception


def accepted(exercise: str, answer: Any) -> None:
    for key in keys_of(exercise):
        judged = verdict(key, {**reference.namespace(LESSON), exercise: answer})
        assert judged.state == "right", [line for line in judged.lines if not line.passed]


# --- the reference ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_torchs(batch: tuple[int, ...], masked: bool) -> None:
    rng = np.random.default_rng(1)
    q, k, v = (rng.normal(size=(*batch, *size)) for size in ((3, 5), (4, 5), (4, 6)))
    mask = rng.random((3, 4)) < 0.6 if masked else None
    if mask is not None:
        mask[:, 0] = True
    output, weights = reference.namespace(LESSON)[ATTENTION](q, k, v, mask)
    tensors = (torch.tensor(x) for x in (q, k, v))
    other = torch_attention(*tensors, attn_mask=None if mask is None else torch.tensor(mask))
    np.testing.assert_allclose(output, other.numpy(), atol=1e-12)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(5)
    hidden_scores = scores if mask is None else np.where(mask, scores, -np.inf)
    np.testing.assert_allclose(weights, scipy.special.softmax(hidden_scores, axis=-1), atol=1e-12)


def test_an_empty_row_is_zero() -> None:
    q, k, v = (np.ones((2, 3)),) * 3
    output, weights = reference.namespace(LESSON)[ATTENTION](
        q, k[:2], v[:2], np.array([[True, True], [False, False]])
    )
    assert weights.tolist() == [[0.5, 0.5], [0.0, 0.0]]
    assert output[1].tolist() == [0.0, 0.0, 0.0]


def test_rows_are_scipys() -> None:
    scores = np.array([[1000.0, 1001.0], [0.0, -2000.0]])
    ours = reference.namespace(LESSON)[ROWS](scores)
    np.testing.assert_allclose(ours, scipy.special.softmax(scores, axis=-1))


def test_stand_ins_are_steady_and_of_ordinary_length() -> None:
    vectors, embed = load_vectors(), reference.namespace(LESSON)[EMBEDDING]
    lengths = np.linalg.norm(vectors.vectors, axis=1)
    for word in ("zyzzyva", "quokka", "frobnicate", "qwerty"):
        assert word not in vectors
        np.testing.assert_array_equal(embed(word, vectors), embed(word, vectors))
        assert np.linalg.norm(embed(word, vectors)) == pytest.approx(np.median(lengths), rel=1e-5)
    assert not np.allclose(embed("zyzzyva", vectors), embed("quokka", vectors))


# --- the numbers of the prose -----------------------------------------------------------------------------


def two_sentences() -> tuple[np.ndarray, np.ndarray]:
    vectors, matrix = load_vectors(), reference.namespace(LESSON)[SENTENCE]
    return matrix("the cat sat on the mat", vectors), matrix("dogs are playing in the park", vectors)


def attend(*arguments: Any) -> tuple[np.ndarray, np.ndarray]:
    return reference.namespace(LESSON)[ATTENTION](*arguments)


def said(text: str) -> bool:
    prose = " ".join(cell.text for cell in source.read(LESSON) if cell.kind == "markdown")
    return text in " ".join(prose.split())


def test_the_sentences_and_their_shapes() -> None:
    q, k = two_sentences()
    output, weights = attend(q, k, k)
    assert (q.shape, k.shape, output.shape, weights.shape) == ((6, 50), (6, 50), (6, 50), (6, 6))
    np.testing.assert_array_equal(q[0], q[4])
    np.testing.assert_array_equal(q[0], k[4])


def test_the_example_by_hand() -> None:
    q, k, v = lesson_module._by_hand()
    output, weights = attend(q, k, v)
    assert (q @ k.T).tolist() == [[4.0, 2.0, 0.0]]
    powers = np.exp([2.0, 1.0, 0.0])
    assert powers.round(2).tolist() == [7.39, 2.72, 1.0]
    assert powers.sum().round(2) == 11.11
    assert weights.round(3).tolist() == [[0.665, 0.245, 0.09]]
    assert output.round(2).tolist() == [[7.1, 2.9]]
    hidden_first = attend(q, k, v, np.array([False, True, True]))[1]
    assert hidden_first.round(3).tolist() == [[0.0, 0.731, 0.269]]
    assert (0.245 + 0.09).__round__(3) == 0.335


def test_who_looks_at_whom() -> None:
    q, k = two_sentences()
    weights = attend(q, k, k)[1]
    assert weights.argmax(axis=-1).tolist() == [4, 0, 2, 3, 4, 5]
    cat, sat, on, mat = weights[1], weights[2], weights[3], weights[5]
    text = f"with {cat[0]:.2f} of its attention, `mat` at `park` with {mat[5]:.2f}, "
    text += f"`on` at `in` with {on[3]:.2f}"
    assert said(text.replace("0.", "."))
    assert said(f"{sat[2]:.2f} for `playing`, but {sat[1]:.2f} for `are`".replace("0.", "."))


def test_the_flat_map() -> None:
    q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in two_sentences())
    weights = attend(q, k, k)[1]
    assert said(f"between {weights.min():.2f} and {weights.max():.2f}".replace("0.", "."))
    assert weights.argmax(axis=-1).tolist() == [4, 0, 2, 3, 4, 5]
    assert (attend(q * np.sqrt(50) / 0.05, k, k)[1].max(axis=-1) > 0.95).all()
    np.testing.assert_allclose(attend(q * np.sqrt(50) / 7, k, k)[1], weights, atol=1e-3)


def test_the_hidden_small_words() -> None:
    q, k = two_sentences()
    weights = attend(q, k, k, np.array([True, False, True, False, False, True]))[1]
    assert said(f"`playing` now gets {weights[2, 2]:.2f}".replace("0.", "."))
    assert said(f"{weights[0, 5]:.2f} to `park`, {weights[0, 2]:.2f} to `playing`".replace("0.", "."))


def test_the_lengths() -> None:
    median = np.median(np.linalg.norm(load_vectors().vectors, axis=1))
    assert round(float(median)) == 6
    assert said("7 for 50 numbers, 17 for 300")
    assert said("Beside our words, 6 long")
    assert [round(np.sqrt(d)) for d in (50, 300)] == [7, 17]
    lengths = np.linalg.norm(np.random.default_rng(0).normal(size=(1000, 300)), axis=1)
    assert lengths.mean() == pytest.approx(17.3, abs=0.1)


def test_a_long_stand_in_is_the_output() -> None:
    q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in two_sentences())
    stranger = np.random.default_rng(0).normal(size=50)
    output = attend(q, k, np.vstack([k[:5], stranger]))[0]
    cosines = output @ stranger / np.linalg.norm(output, axis=-1) / np.linalg.norm(stranger)
    assert (cosines > 0.9).all()


def test_the_vocabulary() -> None:
    assert 900 < len(load_vectors()) < 1000
    assert said("nearly a thousand everyday words")
    assert not {"quokka", "zyzzyva"} & set(load_vectors().key_to_index)


def test_who_means_what_by_true() -> None:
    x, mask = torch.randn(1, 3, 4, generator=torch.Generator().manual_seed(1)), torch.ones(3, 3).tril().bool()
    weights = torch_attention(x, x, torch.eye(3)[None], attn_mask=mask)
    assert not weights[0][~mask].any()
    module = torch.nn.MultiheadAttention(4, 1, batch_first=True)
    assert not module(x, x, x, attn_mask=mask)[1][0][:2][mask[:2]].any()


# --- every listed mistake is refused and named ------------------------------------------------------------

VARIANTS = [
    (exercise.id, mistake.name, i)
    for exercise in find_lesson(LESSON).exercises
    for mistake in exercise.misconceptions
    for i, _ in enumerate(mistake.wrong)
]


@pytest.mark.parametrize(("exercise", "name", "i"), VARIANTS)
def test_mistake_is_named(exercise: str, name: str, i: int) -> None:
    asked = find_exercise(LESSON, exercise)
    wrong = next(mistake for mistake in asked.misconceptions if mistake.name == name).wrong[i]
    key = keys_of(exercise)[1]
    own = dict(zip(asked.values, wrong(), strict=True)) if asked.values else {exercise: wrong}
    judged = verdict(key, {**reference.namespace(LESSON), **own})
    assert judged.state == "wrong"
    assert judged.misconception == name
    assert name in judged.looks_like


@pytest.mark.parametrize("exercise", IDS)
def test_names_stand_in_their_phrases(exercise: str) -> None:
    for mistake in find_exercise(LESSON, exercise).misconceptions:
        assert mistake.name in mistake.looks_like
        assert mistake.question.endswith("?")


@pytest.mark.parametrize("exercise", [EMBEDDING, SENTENCE, ATTENTION, PICTURE, ROWS])
@pytest.mark.parametrize(
    "value", [None, 3, "text", [], np.nan, (1, 2), np.full((2, 2), np.nan), {}, np.empty((0, 5))]
)
def test_nonsense_is_refused_without_an_error(exercise: str, value: Any) -> None:
    assert hidden(exercise, lambda *args, **kwargs: value).state == "wrong"


@pytest.mark.parametrize("value", [None, 3, "text", [], [1, 2], [[1], [2, 3]], {}, object(), ["a", "b", "c"]])
def test_nonsense_predictions_are_refused(value: Any) -> None:
    for exercise in ("guess_masked", "guess_looks"):
        key = keys_of(exercise)[0]
        assert verdict(key, dict.fromkeys(key.values, value)).state == "wrong"


# --- word_embedding ---------------------------------------------------------------------------------------


def stand_in(rng: Any, vectors: Any) -> np.ndarray:
    return (
        rng.normal(size=vectors.vector_size)
        * np.median(np.linalg.norm(vectors.vectors, axis=1))
        / np.sqrt(vectors.vector_size)
    )


def by_digest(word: str, vectors: Any) -> np.ndarray:
    try:
        return np.array(vectors.get_vector(word))
    except KeyError:
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        return stand_in(np.random.default_rng(seed), vectors).astype(np.float32)


def by_letters(word: str, vectors: Any) -> np.ndarray:
    if word in vectors.key_to_index:
        return vectors.vectors[vectors.key_to_index[word]].copy()
    return stand_in(np.random.default_rng([ord(letter) for letter in word]), vectors)


def by_lower_case(word: str, vectors: Any) -> list[float]:
    for spelling in (word, word.lower()):
        if spelling in vectors:
            return [float(x) for x in vectors[spelling]]
    rng = random.Random(word)
    row = [rng.gauss(0, 1) for _ in range(vectors.vector_size)]
    length = float(np.linalg.norm(vectors.vectors, axis=1).mean())
    return [x / float(np.linalg.norm(row)) * length for x in row]


def by_old_random_state(word: str, vectors: Any) -> np.ndarray:
    if vectors.has_index_for(word):
        return vectors[word] * 1.0
    np.random.seed(zlib.crc32(word.encode()))
    return np.random.randn(vectors.vector_size) * vectors.vectors.std()


def remembering() -> Callable[..., np.ndarray]:
    known: dict[str, np.ndarray] = {}

    def embed(word: str, vectors: Any) -> np.ndarray:
        return (
            by_digest(word, vectors) if word in vectors else known.setdefault(word, by_digest(word, vectors))
        )

    return embed


@pytest.mark.parametrize("answer", [by_digest, by_letters, by_lower_case, by_old_random_state, remembering()])
def test_embedding_accepts(answer: Any) -> None:
    accepted(EMBEDDING, answer)


def or_else(fallback: Callable[[str, Any], Any]) -> Callable[..., Any]:
    return lambda word, vectors: np.array(vectors[word]) if word in vectors else fallback(word, vectors)


def from_hash() -> Any:
    names: dict[str, Any] = {"np": np, "stand_in": stand_in}
    source = """def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    return stand_in(np.random.default_rng(abs(hash(word))), vectors)"""
    exec(source, names)
    return names


counter = itertools.count()
EMBEDDING_MISTAKES = [
    ("new every call", or_else(lambda word, kv: np.random.randn(kv.vector_size))),
    ("new every call", or_else(lambda word, kv: stand_in(np.random.default_rng(), kv))),
    ("new every call", or_else(lambda word, kv: stand_in(np.random.default_rng(next(counter)), kv))),
    ("one for all", or_else(lambda word, kv: stand_in(np.random.default_rng(0), kv))),
    ("one for all", or_else(lambda word, kv: np.zeros(kv.vector_size))),
    ("one for all", or_else(lambda word, kv: kv.vectors.mean(axis=0) * 3)),
    ("one for all", or_else(lambda word, kv: stand_in(np.random.default_rng(len(word)), kv))),
    ("one for all", or_else(lambda word, kv: stand_in(np.random.default_rng(sum(map(ord, word))), kv))),
    (
        "far too long",
        or_else(lambda word, kv: np.random.default_rng(zlib.crc32(word.encode())).normal(size=len(kv[0]))),
    ),
    ("far too long", or_else(lambda word, kv: 5 * by_digest(word, kv))),
    ("", or_else(lambda word, kv: by_digest(word, kv) / 5)),
    ("", lambda word, kv: by_digest(word.lower(), kv)),
    ("", lambda word, kv: by_digest(word, kv)[:-1]),
    ("KeyError", lambda word, kv: kv.get_vector(word).copy()),
    ("alias", lambda word, kv: kv[word] if word in kv else by_digest(word, kv)),
    ("alias", lambda word, kv: kv.vectors[kv.key_to_index[word]] if word in kv else by_digest(word, kv)),
    ("alias", lambda word, kv: np.asarray(kv.get_vector(word)) if word in kv else by_digest(word, kv)),
]


@pytest.mark.parametrize(("name", "answer"), EMBEDDING_MISTAKES)
def test_embedding_refuses(name: str, answer: Any) -> None:
    assert refused_as(EMBEDDING, answer) == name


def test_hash_of_a_text_is_found_out_in_one_process() -> None:
    for key in keys_of(EMBEDDING):
        judged = verdict(key, from_hash())
        assert judged.misconception == "another one tomorrow"
        assert judged.passed == judged.max_points - 1


def test_hash_of_numbers_is_not_suspected() -> None:
    names = from_hash()
    source = "def word_embedding(word, vectors):\n    return vectors[word].copy() if word in vectors else "
    source += "stand_in(np.random.default_rng(abs(hash(tuple(map(ord, word))))), vectors)"
    exec(source, names)
    assert all(verdict(key, names).state == "right" for key in keys_of(EMBEDDING))


# --- sentence_matrix --------------------------------------------------------------------------------------


def stacked(sentence: str, vectors: Any) -> np.ndarray:
    rows = [by_digest(word, vectors) for word in sentence.split()]
    return np.vstack(rows)


def filled(sentence: str, vectors: Any) -> np.ndarray:
    words = sentence.split()
    matrix = np.zeros((len(words), vectors.vector_size), dtype=np.float32)
    for i, word in enumerate(words):
        matrix[i] = by_letters(word=word, vectors=vectors)
    return matrix


@pytest.mark.parametrize("answer", [stacked, filled, lambda s, kv: [by_lower_case(w, kv) for w in s.split()]])
def test_sentence_accepts_embeddings_of_its_own(answer: Any) -> None:
    accepted(SENTENCE, answer)


@pytest.mark.parametrize("call", ["word_embedding(w, vectors)", "word_embedding(word=w, vectors=vectors)"])
@pytest.mark.parametrize("embedding", ["raise KeyError(word)", "raise NotImplementedError", "return None"])
def test_sentence_does_not_suffer_from_a_wrong_embedding(call: str, embedding: str) -> None:
    names: dict[str, Any] = {"np": np}
    exec(f"def word_embedding(word, vectors):\n    {embedding}", names)
    exec(
        f"def sentence_matrix(sentence, vectors):\n    return np.stack([{call} for w in sentence.split()])",
        names,
    )
    assert all(verdict(key, names).state == "right" for key in keys_of(SENTENCE))


SENTENCE_MISTAKES = [
    ("KeyError", lambda s, kv: kv[s.split()]),
    ("word dropped", lambda s, kv: np.array([kv[word] for word in s.split() if word in kv])),
    ("repeated word lost", lambda s, kv: stacked(" ".join(dict.fromkeys(s.split())), kv)),
    ("new every call", lambda s, kv: np.array([EMBEDDING_MISTAKES[1][1](word, kv) for word in s.split()])),
    ("one for all", lambda s, kv: np.array([EMBEDDING_MISTAKES[4][1](word, kv) for word in s.split()])),
    ("far too long", lambda s, kv: np.array([EMBEDDING_MISTAKES[9][1](word, kv) for word in s.split()])),
    ("", lambda s, kv: stacked(s, kv)[::-1]),
    ("", lambda s, kv: stacked(s, kv).T),
    ("", lambda s, kv: stacked(s, kv).mean(axis=0)),
    ("", lambda s, kv: stacked(s.lower(), kv)),
    ("", lambda s, kv: np.array([by_digest(word, kv) for word in s.split(" ")])),
]


@pytest.mark.parametrize(("name", "answer"), SENTENCE_MISTAKES)
def test_sentence_refuses(name: str, answer: Any) -> None:
    assert refused_as(SENTENCE, answer) == name


def test_sentence_finds_hashes_out() -> None:
    names = from_hash()
    exec("def own(w, v): return word_embedding_(w, v)", names)
    names["word_embedding_"] = names.pop("word_embedding")
    exec("def sentence_matrix(s, v): return np.array([own(w, v) for w in s.split()])", names)
    assert verdict(keys_of(SENTENCE)[1], names).misconception == "another one tomorrow"


# --- scaled_dot_product_attention -------------------------------------------------------------------------


def turned(x: Any) -> Any:
    return np.swapaxes(x, -1, -2)


def scaled(Q: Any, K: Any) -> Any:
    return Q @ turned(K) / np.sqrt(K.shape[-1])


def with_einsum(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    scores = np.einsum("...qd,...kd->...qk", Q, K) / K.shape[-1] ** 0.5
    scores = scores if mask is None else np.where(mask, scores, -np.inf)
    with np.errstate(all="ignore"):
        weights = np.nan_to_num(scipy.special.softmax(scores, axis=-1))
    return np.einsum("...qk,...kv->...qv", weights, V), weights


def with_loops(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    batch, n_q, n_k = Q.shape[:-2], Q.shape[-2], K.shape[-2]
    allowed = np.broadcast_to(True if mask is None else mask, (*batch, n_q, n_k))
    weights, output = np.zeros((*batch, n_q, n_k)), np.zeros((*batch, n_q, V.shape[-1]))
    for b in np.ndindex(*batch):
        for i in range(n_q):
            scores = {j: Q[b][i] @ K[b][j] / np.sqrt(K.shape[-1]) for j in range(n_k) if allowed[b][i, j]}
            top = max(scores.values(), default=0)
            total = sum(np.exp(s - top) for s in scores.values())
            for j, s in scores.items():
                weights[(*b, i, j)] = np.exp(s - top) / total
            output[(*b, i)] = weights[(*b, i)] @ V[b]
    return output, weights


def with_added_mask(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    scores = scaled(Q, K)
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -np.inf)
    top = np.nan_to_num(scores.max(-1, keepdims=True), neginf=0.0)
    e = np.exp(scores - top)
    total = e.sum(-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return np.matmul(weights, V), weights


def with_a_low_fill(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    scores = (Q / np.sqrt(Q.shape[-1])) @ turned(K)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / e.sum(-1, keepdims=True)
    if mask is not None:
        weights = weights * mask
    return [weights @ V, weights]


def with_logsumexp(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    root = K.shape[-1] ** 0.25
    scores = (Q / root) @ turned(K / root)
    if mask is None:
        mask = np.ones(scores.shape[-2:], dtype=bool)
    with np.errstate(all="ignore"):
        log_total = scipy.special.logsumexp(
            scores, axis=-1, b=np.broadcast_to(mask, scores.shape), keepdims=True
        )
        weights = np.where(mask & np.isfinite(log_total), np.exp(np.minimum(scores - log_total, 0)), 0.0)
    return weights @ V, weights


def with_base_two(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    scores = scaled(Q, K) * np.log2(np.e)
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
    top = scores.max(-1, keepdims=True, where=allowed, initial=-1e12)
    e = np.exp2(np.minimum(scores - top, 0)) * allowed
    weights = e / np.maximum(e.sum(-1, keepdims=True), 1e-30)
    return weights @ V, weights


def with_single_precision(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    return with_added_mask(*(x.astype(np.float32) for x in (Q, K, V)), mask)


def with_masked_array(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    scores = scaled(Q, K)
    shown = np.ma.array(scores, mask=False if mask is None else ~np.broadcast_to(mask, scores.shape))
    e = np.ma.exp(shown - shown.max(-1, keepdims=True))
    weights = (e / e.sum(-1, keepdims=True)).filled(0.0)
    return weights @ V, weights


def with_torch(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    q, k, v = (torch.tensor(x, dtype=torch.float64) for x in (Q, K, V))
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~torch.tensor(mask), float("-inf"))
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ v).numpy(), weights.numpy()


RIGHT = [
    with_einsum,
    with_loops,
    with_added_mask,
    with_a_low_fill,
    with_logsumexp,
    with_base_two,
    with_single_precision,
    with_masked_array,
    with_torch,
]


@pytest.mark.parametrize("answer", RIGHT)
def test_attention_accepts(answer: Any) -> None:
    accepted(ATTENTION, answer)


def in_place(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    if Q.dtype.kind == "f":
        Q /= np.sqrt(K.shape[-1])
    else:
        Q = Q / np.sqrt(K.shape[-1])
    return with_added_mask(Q * np.sqrt(K.shape[-1]), K, V, mask)


def mask_in_place(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    results = with_added_mask(Q, K, V, mask)
    if mask is not None:
        mask |= True
    return results


@pytest.mark.parametrize("answer", [in_place, mask_in_place])
def test_attention_leaves_its_inputs_alone(answer: Any) -> None:
    assert refused_as(ATTENTION, answer) == "writes into its input"


def careless(**changed: Any) -> Callable[..., Any]:
    """As students write it: no care for empty rows, and one more mistake."""

    def answer(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
        scores = changed.get("score", scaled)(Q, K)
        if mask is not None:
            scores = changed.get("hide", lambda s, m: np.where(m, s, -1e9))(scores, mask)
        e = np.exp(scores - scores.max(-1, keepdims=True))
        weights = e / e.sum(changed.get("axis", -1), keepdims=True)
        return weights @ V, weights

    return answer


CARELESS = [
    ("no scale", careless(score=lambda Q, K: Q @ turned(K))),
    ("wrong power", careless(score=lambda Q, K: Q @ turned(K) / K.shape[-1])),
    ("wrong length", careless(score=lambda Q, K: Q @ turned(K) / np.sqrt(len(K)))),
    ("transposed the batch", careless(score=lambda Q, K: Q @ K.T / np.sqrt(K.shape[-1]))),
    ("transposed the batch", careless(score=lambda Q, K: np.dot(Q, K.T) / np.sqrt(K.shape[-1]))),
    ("softmax over queries", careless(axis=-2)),
    ("whole matrix", careless(axis=None)),
    ("mask inverted", careless(hide=lambda s, m: np.where(m, -1e9, s))),
    ("mask inverted", careless(hide=lambda s, m: s + m * -1e9)),
    ("mask transposed", careless(hide=lambda s, m: np.where(m.T, s, -1e9))),
    ("fill too weak", careless(hide=lambda s, m: np.where(m, s, -5.0))),
    ("fill too weak", careless(hide=lambda s, m: np.where(m, s, np.finfo(float).tiny))),
    ("empty row", careless()),
    ("empty row", careless(hide=lambda s, m: s + (1 - m) * -1e9)),
    ("empty row", careless(hide=lambda s, m: np.where(m, s, -np.inf))),
]


@pytest.mark.parametrize(("name", "answer"), CARELESS)
def test_careless_mistakes_are_named(name: str, answer: Any) -> None:
    assert refused_as(ATTENTION, answer) == name


def asks_whether_mask(Q: Any, K: Any, V: Any, mask: Any = None) -> Any:
    return with_added_mask(Q, K, V, mask if mask else None)


def test_an_error_of_another_kind_is_not_taken_for_a_mistake() -> None:
    assert refused_as(ATTENTION, asks_whether_mask) == ""


def built_on_the_row_softmax(broken: str) -> dict[str, Any]:
    names: dict[str, Any] = {"np": np}
    exec(f"def softmax_rows(scores):\n    {broken}", names)
    exec(
        "def scaled_dot_product_attention(Q, K, V, mask=None):\n"
        "    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])\n"
        "    if mask is not None:\n"
        "        scores = np.where(mask, scores, -np.inf)\n"
        "    weights = np.nan_to_num(softmax_rows(scores))\n"
        "    return weights @ V, weights\n",
        names,
    )
    return names


@pytest.mark.parametrize("broken", ["raise NotImplementedError", "return scores", "return None"])
def test_attention_does_not_suffer_from_a_wrong_softmax(broken: str) -> None:
    assert all(verdict(key, built_on_the_row_softmax(broken)).state == "right" for key in keys_of(ATTENTION))


# --- plot_attention_weights -------------------------------------------------------------------------------


def words_of(sentence: Any) -> list[str]:
    return sentence.split() if isinstance(sentence, str) else list(sentence)


def on_new_axes(weights: Any, sentence_1: Any, sentence_2: Any, **changed: Any) -> Any:
    options = {"annot": True, "xticklabels": words_of(sentence_2), "yticklabels": words_of(sentence_1)}
    _, axes = plt.subplots(figsize=(6, 5))
    sns.heatmap(weights, ax=axes, **{**options, **changed})
    axes.set(xlabel="Key (Sentence 2)", ylabel="Query (Sentence 1)", title="Attention weights")
    return axes


def on_current_axes(weights: Any, sentence_1: Any, sentence_2: Any) -> Any:
    axes = sns.heatmap(
        np.round(weights, 2),
        annot=True,
        fmt=".0%",
        cbar=False,
        cmap="viridis",
        vmin=0,
        vmax=1,
        xticklabels=words_of(sentence_2),
        yticklabels=words_of(sentence_1),
    )
    plt.xlabel("KEYS")
    plt.ylabel("queries")
    plt.suptitle("who looks at whom")
    plt.show()
    return axes


def labelled_afterwards(weights: Any, sentence_1: Any, sentence_2: Any) -> Any:
    axes = sns.heatmap(weights, annot=True, fmt=".1f")
    axes.set_xticklabels(words_of(sentence_2), rotation=90)
    axes.set_yticklabels(words_of(sentence_1), rotation=0)
    axes.set_xlabel("looked at (key)")
    axes.set_ylabel("looking (query)")
    axes.set_title("weights", loc="left")
    return axes


def with_matplotlib(weights: Any, sentence_1: Any, sentence_2: Any) -> Any:
    figure, axes = plt.subplots()
    figure.colorbar(axes.imshow(weights), ax=axes)
    axes.set_xticks(range(weights.shape[1]), words_of(sentence_2))
    axes.set_yticks(range(weights.shape[0]), words_of(sentence_1))
    for (i, j), weight in np.ndenumerate(weights):
        axes.text(j, i, f"{weight:.3f}", ha="center")
    axes.set(xlabel="Keys", ylabel="Queries", title="t")
    return axes


@pytest.mark.parametrize("answer", [on_new_axes, on_current_axes, labelled_afterwards, with_matplotlib])
def test_picture_accepts(answer: Any) -> None:
    before = plt.get_fignums()
    accepted(PICTURE, answer)
    assert plt.get_fignums() == before


def test_picture_is_not_drawn_over_an_open_one() -> None:
    figure, axes = plt.subplots()
    try:
        accepted(PICTURE, on_current_axes)
        assert not axes.collections
    finally:
        plt.close(figure)


def nothing_back(weights: Any, sentence_1: Any, sentence_2: Any) -> None:
    on_new_axes(weights, sentence_1, sentence_2)


def turned_round(weights: Any, sentence_1: Any, sentence_2: Any) -> Any:
    return on_new_axes(np.transpose(weights), sentence_2, sentence_1)


def names_swapped(weights: Any, sentence_1: Any, sentence_2: Any) -> Any:
    axes = on_new_axes(weights, sentence_1, sentence_2)
    axes.set(xlabel="query", ylabel="key")
    return axes


def without(**properties: Any) -> Callable[..., Any]:
    def answer(weights: Any, sentence_1: Any, sentence_2: Any) -> Any:
        axes = on_new_axes(weights, sentence_1, sentence_2)
        axes.set(**properties)
        return axes

    return answer


def by_letter(weights: Any, sentence_1: Any, sentence_2: Any) -> Any:
    rows, columns = weights.shape
    labels = {"yticklabels": list(sentence_1)[:rows], "xticklabels": list(sentence_2)[:columns]}
    return on_new_axes(weights, sentence_1, sentence_2, **labels)


def not_split(weights: Any, sentence_1: Any, sentence_2: Any) -> Any:
    return on_new_axes(weights, sentence_1, sentence_2, xticklabels=sentence_2, yticklabels=sentence_1)


PICTURE_MISTAKES = [
    ("nothing returned", nothing_back),
    ("axes swapped", turned_round),
    ("axes swapped", names_swapped),
    ("axes not named", without(xlabel="", ylabel="")),
    ("", without(title="")),
    ("no numbers", lambda w, a, b: on_new_axes(w, a, b, annot=False)),
    ("words missing", lambda w, a, b: on_new_axes(w, a, b, xticklabels="auto", yticklabels="auto")),
    ("labelled by letter", by_letter),
    ("labelled by letter", not_split),
    ("", lambda w, a, b: on_new_axes(w, a, b).figure),
    ("", lambda w, a, b: on_new_axes(np.ones_like(w), a, b)),
]


@pytest.mark.parametrize(("name", "answer"), PICTURE_MISTAKES)
def test_picture_refuses(name: str, answer: Any) -> None:
    assert refused_as(PICTURE, answer) == name


# --- predictions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("guess", [[0, 0.73, 0.27], np.array([0.0, 0.7311, 0.2689]), (0, 0.725, 0.275)])
def test_prediction_accepts(guess: Any) -> None:
    assert verdict(keys_of("guess_masked")[0], {"masked_shares": guess}).state == "right"


def test_predictions_never_tell() -> None:
    key = keys_of("guess_masked")[0]
    text = " ".join(
        line for part in verdict(key, {"masked_shares": [0.5, 0.3, 0.2]}).lines for line in part.details
    )
    assert "0.73" not in text
    looks = keys_of("guess_looks")[0]
    judged = verdict(looks, dict.fromkeys(looks.values, "in"))
    text = " ".join(line for part in judged.lines for line in part.details)
    assert not any(word in text for word in ("dogs", "playing", "park"))
