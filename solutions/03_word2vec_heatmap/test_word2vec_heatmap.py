"""Lesson 03: its reference, its numbers, its judging."""

from __future__ import annotations

import functools
import importlib
import re
import zlib
from itertools import combinations, product
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
import scipy.special
import seaborn as sns
import torch
from torch.nn.functional import scaled_dot_product_attention as torch_attention

from autograder.exercises.exercise import AnswerKey
from autograder.exercises.verdict import Outcome, Verdict
from autograder.judging import judge, reference
from autograder.tests.this_course import COURSE, find_exercise, find_lesson, verdict_by
from autograder.views import figures
from data.makers import word_vectors
from attention import load_writer, maps, pronouns, word_pictures

LESSON = find_lesson("03_word2vec_heatmap")
verdict = functools.partial(verdict_by, LESSON)
NAMES = reference.load_namespace(LESSON)
DATA = COURSE.visible.data
GRAMMAR = importlib.import_module("attention.grammar")
ATTENTION, EMBEDDING, SENTENCE = "scaled_dot_product_attention", "word_embedding", "sentence_matrix"
PICTURE = "plot_attention_weights"
VECTORS = NAMES["load_vectors"]()
attend = NAMES[ATTENTION]


@functools.cache
def keys_of(exercise: str) -> tuple[AnswerKey, AnswerKey]:
    """The visible key, and a student's hidden one."""
    return judge.visible_key(LESSON, exercise), judge.hidden_key(LESSON, exercise, "amy")


# --- the reference ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_torchs(batch: tuple[int, ...], masked: bool) -> None:
    rng = np.random.default_rng(1)
    q, k, v = (rng.normal(size=(*batch, *size)) for size in ((3, 5), (4, 5), (4, 6)))
    mask = rng.random((3, 4)) < 0.6 if masked else None
    if mask is not None:
        mask[:, 0] = True
    output, weights = attend(q, k, v, mask)
    tensors = (torch.tensor(x) for x in (q, k, v))
    other = torch_attention(*tensors, attn_mask=None if mask is None else torch.tensor(mask))
    np.testing.assert_allclose(output, other.numpy(), atol=1e-12)
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(5)
    hidden_scores = scores if mask is None else np.where(mask, scores, -np.inf)
    np.testing.assert_allclose(weights, scipy.special.softmax(hidden_scores, axis=-1), atol=1e-12)


def test_an_empty_row_is_zero() -> None:
    q, k, v = (np.ones((2, 3)),) * 3
    output, weights = attend(q, k, v, np.array([[True, True], [False, False]]))
    assert weights.tolist() == [[0.5, 0.5], [0.0, 0.0]]
    assert output[1].tolist() == [0.0, 0.0, 0.0]


def test_rows_are_scipys() -> None:
    scores = np.array([[1000.0, 1001.0], [0.0, -2000.0]])
    ours = NAMES["softmax"](scores)
    np.testing.assert_allclose(ours, scipy.special.softmax(scores, axis=-1))


def test_stand_ins_are_steady_and_of_ordinary_length() -> None:
    vectors, embed = VECTORS, NAMES[EMBEDDING]
    lengths = np.linalg.norm(vectors.vectors, axis=1)
    for word in ("zyzzyva", "quokka", "frobnicate", "qwerty"):
        assert word not in vectors
        np.testing.assert_array_equal(embed(word, vectors), embed(word, vectors))
        assert np.linalg.norm(embed(word, vectors)) == pytest.approx(np.median(lengths), rel=1e-5)
    assert not np.allclose(embed("zyzzyva", vectors), embed("quokka", vectors))
    np.testing.assert_array_equal(embed("plumless", vectors), embed("buckeroo", vectors))  # of one checksum
    assert said("Practically no other word has the same stand-in.")


# --- the numbers of the prose -----------------------------------------------------------------------------


def two_sentences() -> tuple[np.ndarray, np.ndarray]:
    matrix = NAMES[SENTENCE]
    return matrix("the cat sat on the mat", VECTORS), matrix("dogs are playing in the park", VECTORS)


def said(text: str) -> bool:
    prose = " ".join(cell.text for cell in LESSON.cells if cell.kind == "markdown")
    return text in " ".join(prose.split())


def test_the_sentences_and_their_shapes() -> None:
    q, k = two_sentences()
    output, weights = attend(q, k, k)
    assert (q.shape, k.shape, output.shape, weights.shape) == ((6, 50), (6, 50), (6, 50), (6, 6))
    np.testing.assert_array_equal(q[0], q[4])
    np.testing.assert_array_equal(q[0], k[4])


def test_the_example_by_hand() -> None:
    q, k, v = find_exercise(LESSON, ATTENTION).examples()[0].args
    output, weights = attend(q, k, v)
    assert (q @ k.T).tolist() == [[4.0, 2.0, 0.0]]
    powers = np.exp([2.0, 1.0, 0.0])
    assert powers.round(2).tolist() == [7.39, 2.72, 1.0]
    assert powers.sum().round(2) == 11.11
    assert weights.round(3).tolist() == [[0.665, 0.245, 0.09]]
    assert output.round(2).tolist() == [[7.1, 2.9]]
    hidden_first = attend(q, k, v, np.array([False, True, True]))[1]
    assert hidden_first.round(3).tolist() == [NAMES["masked_shares"]] == [[0.0, 0.731, 0.269]]
    assert round(0.245 + 0.09, 3) == 0.335


def test_who_looks_at_whom() -> None:
    q, k = two_sentences()
    weights = attend(q, k, k)[1]
    assert weights.argmax(axis=-1).tolist() == [4, 0, 2, 3, 4, 5]
    guesses = [NAMES[f"{word}_looks_at"] for word in ("cat", "sat", "mat")]
    assert guesses == ["dogs", "playing", "park"]  # keys 0, 2 and 5
    assert said(f"`cat` looks at `dogs` with the weight {weights[1][0]:.2f}".replace("0.", "."))


def test_how_hot_it_may_get() -> None:
    q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True) for x in two_sentences())
    playing = [attend(q * np.sqrt(50) / T, k, k)[1][2, 2] for T in word_pictures.STOPS]
    assert max(T for T, weight in zip(word_pictures.STOPS, playing) if weight > 0.5) == 0.3
    for T, enough in ((0.32, True), (0.33, False)):
        assert (attend(q * np.sqrt(50) / T, k, k)[1][2, 2] > 0.5) == enough
    assert said("$T$ may be up to about 0.32 (0.3 on the slider).")


def test_what_has_become_of_the_cat() -> None:
    q, k = two_sentences()
    ((word, cosine),) = VECTORS.similar_by_vector(attend(q, k, k)[0][1], topn=1)
    assert said(f"the output of `cat` is mostly the vector of `{word}`")
    assert cosine > 0.99


# --- the pretty picture and its test ----------------------------------------------------------------------


@functools.cache
def head_of(*words: str) -> Any:
    """What the head that the lesson looks at makes of these words."""
    return pronouns.head([*words])


def head_looks_at(words: list[str], nouns: list[str]) -> str:
    """As in the lesson, by scipy."""
    Q, K, _ = head_of(*words)
    return words[int(scipy.special.softmax(K @ Q[-1] / np.sqrt(K.shape[-1])).argmax())]


def test_what_the_pretty_picture_shows() -> None:
    words = pronouns.PRETTY.split()
    weights = attend(*pronouns.head(words), np.tri(len(words), dtype=bool))[1][-1]
    assert weights.argmax() == words.index("animal")
    assert said(f"the head of the picture is head {pronouns.HEAD} of layer {pronouns.LAYER}")


def test_the_word_that_is_asked_for_is_the_one_by_scipy() -> None:
    for reading in (reading for pair in pronouns.pairs() for reading in pair):
        word = NAMES["last_looks_at"](reading.words, *head_of(*reading.words))
        assert word == head_looks_at(reading.words, reading.nouns)


def test_the_pairs_are_half_and_half() -> None:
    pairs = pronouns.pairs()
    assert len(pairs) == pronouns.PAIRS == 50
    assert len({tuple(one.words) for pair in pairs for one in pair}) == 100
    for with_it, with_he in pairs:
        assert with_it.words[:-1] == with_he.words[:-1]
        assert (with_it.words[-1], with_he.words[-1]) == ("it", "he")
        assert {with_it.meant, with_he.meant} == set(with_it.nouns)
        assert with_it.meant in pronouns.THINGS
        assert with_he.meant in pronouns.MEN
    assert sum(with_he.meant == with_he.nouns[0] for _, with_he in pairs) == 25
    assert {word for pair in pairs for one in pair for word in one.words} <= set(load_writer().words)


def test_what_the_head_really_does() -> None:
    rules: dict[str, pronouns.Rule] = {
        "the head": head_looks_at,
        "nearest": lambda words, nouns: nouns[-1],
        "first": lambda words, nouns: nouns[0],
        "not filled in": lambda words, nouns: ...,
    }
    found = pronouns.tally(rules)
    predicted = [
        NAMES[name] for name in ("understands_hits", "nearest_hits", "understands_changes", "nearest_changes")
    ]
    reader, control, head, first = (found[name] for name in (pronouns.READER, "nearest", "the head", "first"))
    assert [reader.hits, control.hits, reader.changes, control.changes] == predicted == [100, 50, 50, 0]
    assert head.hits == control.hits
    assert head.changes == 0
    assert all(head_looks_at(one.words, one.nouns) in one.nouns for pair in pronouns.pairs() for one in pair)
    assert said(f"The head has {head.hits} hits, as many as the control")
    assert said(f"in at least {pronouns.ENOUGH} of the hundred sentences")
    assert said(f"the first noun, is the head's word {first.agrees} times")
    readings = [reading for pair in pronouns.pairs() for reading in pair]
    exceptions = {
        " ".join(reading.words[1:7])
        for reading in readings
        if head_looks_at(reading.words, reading.nouns) != reading.nouns[0]
    }
    assert exceptions == {"the bicycle stood near the prince"}
    assert said("(The other two sentences begin with *the bicycle stood near the prince*.)")
    assert all(reading.words[2] == reading.nouns[0] for reading in readings)
    assert pronouns.PRETTY.split()[2] == "animal"
    assert said(f"in {first.agrees} of the hundred sentences it looked at the first noun")
    assert found["not filled in"] == pronouns.Count(hits=0, changes=0, agrees=0)
    readme = " ".join((DATA / "README.md").read_text(encoding="utf-8").split())
    assert f"it finds the noun that is meant in {head.hits}, the first noun in {first.agrees}" in readme


def test_the_writer_has_not_read_the_words_of_the_test() -> None:
    read = [" ".join(sentence) for sentence in GRAMMAR.sentences(20_000, seed=7)]
    assert not any(re.search(r"\bstood near\b.*\bbecause\b", sentence) for sentence in read)
    assert said("never read *stood near … because*")


def test_two_pairs_have_two_hits() -> None:
    """In the picture of two pairs the head keeps to one noun of each, so one row of each is a hit."""
    looked = []
    for nouns in (("king", "car"), ("car", "king")):
        readings = [pronouns._reading(*nouns, pronoun) for pronoun in ("it", "he")]
        looked.append([head_looks_at(one.words, one.nouns) for one in readings])
        assert [looked[-1][row] == one.meant for row, one in enumerate(readings)].count(True) == 1
    assert looked == [["king", "king"], ["car", "car"]]
    assert said("at `king` in the upper pair, at `car` in the lower one")


def test_no_head_beats_the_control(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: dict[str, Any] = {}
    monkeypatch.setattr(figures, "show", lambda figure, alt: shown.update(figure=figure, alt=alt))
    pronouns.every_head(NAMES["last_looks_at"])
    plt.close(shown["figure"])
    numbers = [int(number) for number in re.findall(r"head \d: (\d+)", shown["alt"])]
    hits, between = numbers[:8], numbers[8:]
    assert len(between) == 8
    assert said(f"each head is right in {min(between)} to {max(between)} sentences")
    assert hits[4 * pronouns.LAYER + pronouns.HEAD] == max(hits) == pronouns.PAIRS
    assert said(f"No head has more than {max(hits)} hits")
    assert said("The writer has two layers with four heads each")
    writer = load_writer()
    for layer, head in product(range(2), range(4)):
        for reading in (reading for pair in pronouns.pairs() for reading in pair):
            weights = writer.weights(reading.words, layer, head)[-1]
            meant = reading.words.index(reading.meant)
            assert abs(weights[meant] - np.delete(weights, meant).max()) > 1e-3  # whatever a processor rounds
            first, second = (weights[reading.words.index(noun)] for noun in reading.nouns)
            assert abs(np.log(first / second)) > 1e-2


def test_a_head_looks_at_the_previous_word() -> None:
    counts = pronouns.previous_word_counts(attend)
    best = max(counts, key=counts.__getitem__)
    assert best == "layer 0, head 0"
    assert sorted(counts.values())[-2] < counts[best] - 10
    words = pronouns.PRETTY.split()
    weights = attend(*load_writer().head(words, layer=0, head=0), np.tri(len(words), dtype=bool))[1]
    assert weights.argmax(axis=1).tolist() == [0, *range(len(words) - 1)]
    assert said("In every row but the first, the largest weight lies just left of the diagonal")


def test_a_rule_gets_a_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    for noun, so in (
        (0, "✓ my_rule names the head's word in 98 of 100 sentences"),
        (-1, "✗"),
    ):
        pronouns.verdict(NAMES["last_looks_at"], lambda words, nouns, noun=noun: nouns[noun])
        assert capsys.readouterr().out.startswith(so)
    pronouns.verdict(NAMES["last_looks_at"], lambda words, nouns: None)
    assert re.search(
        r"in 0 of 100 .*\n.*the head looks at \w+, and my_rule says none", capsys.readouterr().out
    )
    pronouns.verdict(NAMES["last_looks_at"], head_looks_at)
    assert capsys.readouterr().out.count("\n") == 1


def test_the_bet_is_drawn_beside_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: dict[str, Any] = {}
    monkeypatch.setattr(figures, "show", lambda figure, alt: shown.update(figure=figure, alt=alt))
    for bet, marks, told in ((None, 0, False), (90, 1, True)):
        pronouns.count(NAMES["last_looks_at"], bet=bet)
        hits = shown["figure"].axes[0]
        assert [one.get_marker() for one in hits.lines].count("D") == marks
        assert ("90 hits of the head" in shown["alt"], "90" in hits.get_xlabel()) == (told, told)
        plt.close(shown["figure"])


def test_no_reading_hangs_by_a_thread() -> None:
    """Another processor's roundings change no word that the head looks at."""
    for reading in (reading for pair in pronouns.pairs() for reading in pair):
        Q, K, _ = head_of(*reading.words)
        second, first = np.sort(scipy.special.softmax(K @ Q[-1] / np.sqrt(K.shape[-1])))[-2:]
        assert first - second > 1e-4


def test_no_given_cell_is_long() -> None:
    given = [cell.text for cell in LESSON.cells if cell.kind == "code" and not cell.marker]
    assert max(len(text.splitlines()) for text in given) <= 12


@pytest.mark.parametrize(
    ("look", "told"),
    [
        ({"cmap": "Blues"}, "The darkest cell of each row: we: tea 0.60, sing: we 0.50."),
        ({}, "The lightest cell of each row: we: tea 0.60, sing: we 0.50."),
        ({"cmap": "viridis", "vmax": 1}, "The lightest cell of each row: we: tea 0.60, sing: we 0.50."),
        ({"cmap": "jet"}, "The largest number of each row: we: tea 0.60, sing: we 0.50."),
        ({"xticklabels": False}, "The lightest cell of each row: we: column 1 0.60, sing: column 0 0.50."),
    ],
)
def test_a_heatmap_is_told_as_it_is_drawn(look: dict[str, Any], told: str) -> None:
    shares = np.array([[0.1, 0.6, 0.3], [0.5, 0.2, 0.3]])
    labels: dict[str, Any] = {"xticklabels": ["we", "tea", "so"], "yticklabels": ["we", "sing"]}
    axes = sns.heatmap(shares, ax=plt.subplots()[1], **labels | look)
    text = maps.in_words(axes)
    assert text.startswith("Heatmap, rows: we sing; columns: ")
    assert text.endswith(told)
    figure = axes.figure
    figure.canvas.draw()
    pixels = np.asarray(figure.canvas.buffer_rgba())[::-1, :, :3] @ [0.2126, 0.7152, 0.0722]
    for i, row in enumerate(shares):
        places = [axes.transData.transform((j + 0.5, i + 0.5)).astype(int) for j in range(3)]
        light = [pixels[y, x] for x, y in places]
        assert (np.argmin(light) == row.argmax()) == ("darkest" in text)
        assert (np.argmax(light) == row.argmax()) == ("lightest" in text)
    plt.close(figure)


def test_any_axes_can_be_told() -> None:
    figure, axes = plt.subplots()
    assert maps.in_words(axes) == "No heatmap."
    axes.imshow(np.eye(2), cmap="gray_r")
    axes.set(
        title="By hand", xticks=[0, 1], xticklabels=["so", "do"], yticks=[0, 1], yticklabels=["we", "he"]
    )
    text = "By hand. Heatmap, rows: we he; columns: so do. The darkest cell of each row: we: so 1.00, he: do 1.00."
    assert maps.in_words(axes) == text
    plt.close(figure)


def test_the_long_description_of_each_heatmap_is_read_from_it() -> None:
    """Whatever colours the learner's own function draws with."""
    shown: list[str] = []

    def show(figure: Any, alt: str) -> None:
        plt.close(figure)
        shown.append(alt)

    names: dict[str, Any] = {"__name__": "student"}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(figures, "show", show)
        for cell in LESSON.cells:
            if cell.kind == "code":
                exec(cell.text.replace("cmap=figures.CMAP,\n        vmin=0,\n        vmax=1,", ""), names)
    own = [alt for alt in shown if "Heatmap" in alt]
    assert ["darkest" in alt for alt in own] == [False, True, False, False]


def test_what_the_map_tells_in_words() -> None:
    words = "cat puppy tea juice"
    text = maps.of_words_in_words(VECTORS, words, {"cat": VECTORS["lemonade"]})
    assert "cat puppy, puppy cat, tea juice, juice tea. Arrows lead from cat to juice." in text
    figure = maps.of_words(VECTORS, words, "title", {"cat": VECTORS["lemonade"]})
    labels = {text.get_text(): text for text in figure.axes[0].texts if text.get_text()}
    assert set(labels) == {*words.split(), "output of cat"}
    figure.canvas.draw()
    boxes = [label.get_window_extent() for label in labels.values()]
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
    plt.close(figure)


def test_words_of_one_group_lie_on_one_ground() -> None:
    figure = maps.of_words(VECTORS, "cat puppy | tea juice milk", "title")
    labels = {text.get_text() for text in figure.axes[0].texts}
    assert labels == {"cat", "puppy", "tea", "juice", "milk"}
    assert maps.GROUND in {line.get_color() for line in figure.axes[0].lines}
    plt.close(figure)
    assert maps.of_words_in_words(VECTORS, "cat puppy | tea juice").startswith("A map of 4 words")


def test_the_lengths() -> None:
    median = np.median(np.linalg.norm(VECTORS.vectors, axis=1))
    assert round(float(median)) == 6
    assert said("the median length of the known words, here about 6.")
    assert [round(float(median * factor)) for factor in (1 / 3, 3)] == [2, 18]
    assert said("the shape (50,) and a length between about 2 and 18")


def test_the_vocabulary() -> None:
    assert 900 < len(VECTORS) < 1000
    assert said("nearly a thousand everyday words")
    assert VECTORS.similarity("happy", "sad") > 0.9
    assert said("Words that can fill the same gap lie close together, even `happy` and `sad`")


def test_the_sentences_that_the_vectors_learned_from() -> None:
    assert said("40,000 sentences")
    assert word_vectors.SENTENCES == 40_000
    assert "<pet> <rested> on the" in GRAMMAR.TEMPLATES
    assert any({"happy", "thirsty", "sad"} <= set(words.split()) for words in GRAMMAR.CLASSES.values())
    assert not {"quokka", "zyzzyva"} & set(VECTORS.key_to_index)


def test_who_means_what_by_true() -> None:
    x, mask = torch.randn(1, 3, 4, generator=torch.Generator().manual_seed(1)), torch.ones(3, 3).tril().bool()
    weights = torch_attention(x, x, torch.eye(3)[None], attn_mask=mask)
    assert not weights[0][~mask].any()
    module = torch.nn.MultiheadAttention(4, 1, batch_first=True)
    assert not module(x, x, x, attn_mask=mask)[1][0][:2][mask[:2]].any()


# --- word_embedding ---------------------------------------------------------------------------------------


def stand_in(rng: Any, vectors: Any) -> np.ndarray:
    return (
        rng.normal(size=vectors.vector_size)
        * np.median(np.linalg.norm(vectors.vectors, axis=1))
        / np.sqrt(vectors.vector_size)
    )


def from_hash() -> Any:
    names: dict[str, Any] = {"np": np, "stand_in": stand_in}
    source = """def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    return stand_in(np.random.default_rng(abs(hash(word))), vectors)"""
    exec(source, names)
    return names


def test_hash_of_a_text_is_found_out_in_one_process() -> None:
    for key in keys_of(EMBEDDING):
        judged = verdict(key, from_hash())
        assert judged.misconception == "another vector in every process"
        assert judged.passed == judged.max_points - 1


def test_hash_of_numbers_is_not_suspected() -> None:
    names = from_hash()
    source = "def word_embedding(word, vectors):\n    return vectors[word].copy() if word in vectors else "
    source += "stand_in(np.random.default_rng(abs(hash(tuple(map(ord, word))))), vectors)"
    exec(source, names)
    assert all(verdict(key, names).state == "right" for key in keys_of(EMBEDDING))


@pytest.mark.parametrize(
    ("recipe", "name"),
    [
        ("np.zeros(vectors.vector_size)", "one vector for all unknown words"),
        ("stand_in(np.random.default_rng(len(word)), vectors)", "two unknown words share a vector"),
        ("stand_in(np.random.default_rng(sum(map(ord, word))), vectors)", "two unknown words share a vector"),
        ("vectors[nearest(word, vectors.index_to_key)].copy()", "a known word's vector for an unknown word"),
        ("scaled_in_place(word, vectors)", ""),
        ("np.full(vectors.vector_size, np.nan)", ""),
        ("100 * stand_in(np.random.default_rng(zlib.crc32(word.encode())), vectors)", "vector far too long"),
    ],
)
def test_a_stand_in_is_named_after_what_was_seen(recipe: str, name: str) -> None:
    names: dict[str, Any] = {"np": np, "zlib": zlib, "stand_in": stand_in, "nearest": nearest}
    names["scaled_in_place"] = scaled_in_place
    exec(f"{EMBED}\n    return {recipe}", names)
    for key in keys_of(EMBEDDING):
        assert verdict(key, names).misconception == name


@pytest.mark.parametrize("key", [0, 1])
@pytest.mark.parametrize(
    "dice", ["np.random.default_rng()", "np.random.default_rng(zlib.crc32(word.encode()))"]
)
def test_a_stand_in_kept_for_another_model_is_named(dice: str, key: int) -> None:
    names: dict[str, Any] = {"np": np, "zlib": zlib, "stand_in": stand_in, "made": {}}
    exec(f"{EMBED}\n    return made.setdefault(word, stand_in({dice}, vectors)).copy()", names)
    judged = verdict(keys_of(EMBEDDING)[key], names)
    assert judged.misconception == "kept from one model for another"
    assert judged.lines[1].details[-3:] == (
        "the vector of 'wug' is as wide as that of the model asked before",
        "got        50 numbers",
        "expected   12 numbers",
    )


def test_no_unknown_word_meets_models_of_other_widths_unsaid() -> None:
    for exercise in (EMBEDDING, SENTENCE):
        met: dict[str, int] = {}
        for case in keys_of(exercise)[1].cases:
            words = case.args[0].split() if isinstance(case.args[0], str) else case.args[0]
            width = case.args[1].matrix.shape[1]
            strange = {word.lower() for word in words if word not in case.args[1].words}
            before = {word: met[word] for word in strange if met.get(word, width) != width}
            assert case.facts.get("met", {}) == before
            met = {**dict.fromkeys(strange, width), **met}


EMBED = """def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()"""


def nearest(word: str, words: list[str]) -> str:
    return min(words, key=lambda other: (abs(len(other) - len(word)), other))


def scaled_in_place(word: str, vectors: Any) -> np.ndarray:
    made = stand_in(np.random.default_rng(zlib.crc32(word.encode())), vectors)
    vectors.vectors /= 2
    return made


# --- sentence_matrix --------------------------------------------------------------------------------------


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


def test_sentence_finds_hashes_out() -> None:
    names = from_hash()
    exec("def own(w, v): return word_embedding_(w, v)", names)
    names["word_embedding_"] = names.pop("word_embedding")
    exec("def sentence_matrix(s, v): return np.array([own(w, v) for w in s.split()])", names)
    assert verdict(keys_of(SENTENCE)[1], names).misconception == "another vector in every process"


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("sentence.split()[:-1]", "✗––––"),
        ("sentence.split()[1:]", "✗––––"),
        ("dict.fromkeys(sentence.split())", "✗–––✓"),
        ("sentence.split()[::-1]", "✓✓✗–✓"),
        ("(w for w in sentence.split() if w in vectors)", "✓✗––✓"),
        ("sentence.split(' ')", "✓✓✓✓✗"),
        ("sentence", "✗––––"),
    ],
)
def test_each_line_on_sentences_speaks_for_itself(words: str, lines: str) -> None:
    names: dict[str, Any] = dict(NAMES)
    exec(
        f"def sentence_matrix(sentence, vectors): return np.array([word_embedding(w, vectors) for w in {words}])",
        names,
    )
    assert signs(verdict(keys_of(SENTENCE)[0], names)) == lines


# --- scaled_dot_product_attention -------------------------------------------------------------------------


STEPS = """def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ V, weights"""


def attending(*changes: tuple[str, str]) -> dict[str, Any]:
    """A notebook whose attention is right but for these changes."""
    text = STEPS
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    names: dict[str, Any] = dict(NAMES)
    exec(text, names)
    return names


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("masked score not low enough", [("-np.inf", "-1e6")]),
        ("row with nothing to look at", [("-np.inf", "-1e9")]),
        (
            "masked after the softmax",
            [
                ("scores = np.where(mask, scores, -np.inf)", "pass"),
                (
                    "    return",
                    "    if mask is not None:\n        weights = weights * mask\n"
                    "        weights = weights / weights.sum(-1, keepdims=True)\n    return",
                ),
            ],
        ),
        ("works for one rank only", [("np.swapaxes(K, -1, -2)", "K.transpose(0, 2, 1)")]),
        (
            "works for one batch axis at most",
            [("np.swapaxes(K, -1, -2)", "(K.T if K.ndim == 2 else np.swapaxes(K, 1, 2))")],
        ),
        ("batch axis transposed", [("np.swapaxes(K, -1, -2)", "K.T")]),
        (
            "values masked instead of the scores",
            [("scores = np.where(mask, scores, -np.inf)", "V = V * mask[:, None] if mask.ndim == 1 else V")],
        ),
        ("results in the wrong order", [("weights @ V, weights", "weights, weights @ V")]),
    ],
)
def test_attention_is_named_after_what_it_does(name: str, changes: list[tuple[str, str]]) -> None:
    for key in keys_of(ATTENTION):
        assert verdict(key, attending(*changes)).misconception == name


def test_a_wrong_scale_says_nothing_against_the_other_lines() -> None:
    judged = verdict(keys_of(ATTENTION)[0], attending((" / np.sqrt(K.shape[-1])", "")))
    assert signs(judged) == "✓✓✗✓–✓✓✓"
    assert judged.misconception == "not divided by √d_k"


def test_zeros_for_everybody_are_no_zeros_for_nothing() -> None:
    for key in keys_of(ATTENTION):
        judged = verdict(key, attending(("weights @ V, weights", "0 * (weights @ V), 0 * weights")))
        assert judged.lines[5].sight is Outcome.NOT_REACHED


@pytest.mark.parametrize(
    "change", [("Q @", "Q.size(-1) @"), ("K.shape", "K.shpae"), ("np.where(mask, ", "mask.where(")]
)
def test_an_early_error_leaves_lines_unreached(change: tuple[str, str]) -> None:
    for key in keys_of(ATTENTION):
        judged = verdict(key, attending(change))
        assert Outcome.FAILED not in {line.sight for line in judged.lines}
        assert judged.lines[-1].sight is Outcome.NOT_REACHED


def test_questions_speak_of_no_sizes_that_are_not_the_cases() -> None:
    for exercise in LESSON.exercises:
        for one in exercise.misconceptions:
            assert not re.search(r"shape \(\d", one.question), one.question


@pytest.mark.parametrize("exercise", [exercise.id for exercise in LESSON.graded])
@pytest.mark.parametrize("body", ["return None", "pass", "..."])
def test_an_empty_answer_earns_nothing(exercise: str, body: str) -> None:
    names: dict[str, Any] = dict(NAMES)
    exec(f"def {exercise}(*arguments, **keywords):\n    {body}", names)
    for key in keys_of(exercise):
        judged = verdict(key, names)
        assert judged.points == 0
        assert [line.sight for line in judged.lines].count(Outcome.FAILED) == 1


# --- plot_attention_weights -------------------------------------------------------------------------------


def words_of(sentence: Any) -> list[str]:
    return sentence.split() if isinstance(sentence, str) else list(sentence)


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


def test_picture_is_not_drawn_over_an_open_one() -> None:
    figure, axes = plt.subplots()
    try:
        for key in keys_of(PICTURE):
            judged = verdict(key, {**NAMES, PICTURE: on_current_axes})
            assert judged.state == "right", [line for line in judged.lines if not line.passed]
        assert not axes.collections
    finally:
        plt.close(figure)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ("ax.set(xlabel='key', title='t')", ""),
        ("ax.set(xlabel='query', ylabel='key', title='t')", "axis labels swapped"),
        ("ax.set(xlabel='sentence 2', ylabel='sentence 1', title='t')", "axis labels without query and key"),
        ("ax.set_xticks(ax.get_xticks(), rows[:1] * len(columns))", ""),
        (
            "ax.set_xticks(range(len(rows)), rows); ax.set_yticks(range(len(columns)), columns)",
            "words along the wrong side",
        ),
        ("[text.remove() for text in ax.texts]", "weights not written into the cells"),
        ("ax.texts[0].remove()", ""),
        ("ax.collections[0].autoscale()", "colours stretched to the weights"),
        ("ax.collections[0].set_clim(0, 0.5)", ""),
    ],
)
def test_a_picture_is_named_after_what_it_shows(change: str, name: str) -> None:
    names: dict[str, Any] = {"plt": plt, "sns": sns, "words_of": words_of}
    exec(
        f"""def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    rows, columns = words_of(sentence_1), words_of(sentence_2)
    _, ax = plt.subplots()
    sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=columns, yticklabels=rows, ax=ax)
    {change if "set(" in change else "ax.set(xlabel='key', ylabel='query', title='t'); " + change}
    return ax""",
        names,
    )
    judged = verdict(keys_of(PICTURE)[0], names)
    assert (judged.state, judged.misconception) == ("wrong", name)


# --- predictions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("exercise", "wrong", "secrets"),
    [
        ("guess_masked", [[0.5, 0.3, 0.2]], ("0.73",)),
        ("guess_looks", ["in"] * 3, ("dogs", "playing", "park")),
        ("guess_doubled", [1, 1, True], ("4", "0.25", "quarter")),
    ],
)
def test_predictions_never_tell(exercise: str, wrong: list[Any], secrets: tuple[str, ...]) -> None:
    key = keys_of(exercise)[0]
    judged = verdict(key, dict(zip(key.values, wrong, strict=True)))
    text = " ".join(detail for line in judged.lines for detail in line.details)
    assert text
    assert not any(secret in text for secret in secrets)


def test_what_is_filled_in_is_judged_by_itself() -> None:
    key = keys_of("guess_looks")[0]
    begun = {"cat_looks_at": "dogs", "sat_looks_at": ..., "mat_looks_at": ...}
    assert signs(verdict(key, begun)) == "–"
    judged = verdict(key, {**begun, "cat_looks_at": "are"})
    assert signs(judged) == "✗"
    assert not judged.misconception
    assert "sat" not in " ".join(judged.lines[0].details)


# --- puzzles ----------------------------------------------------------------------------------------------


def test_all_vectors_doubled() -> None:
    q, k = two_sentences()
    scores, doubled = q @ k.T, (2 * q) @ (2 * k).T
    np.testing.assert_allclose(doubled, NAMES["scores_times"] * scores, rtol=1e-6)
    colder = scipy.special.softmax(scores / (NAMES["temperature_times"] * np.sqrt(50)), axis=-1)
    np.testing.assert_allclose(attend(2 * q, 2 * k, k)[1], colder, atol=1e-6)
    assert (doubled.argmax(axis=-1) != scores.argmax(axis=-1)).any() == NAMES["favourites_change"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("man woman king", "queen"),
        ("brother sister uncle", "aunt"),
        ("paris france rome", "italy"),
        ("dog dogs rabbit", "rabbits"),
    ],
)
def test_analogies_come_out_as_one_hopes(asked: str, answer: str) -> None:
    assert NAMES["analogy"](*asked.split(), VECTORS) == answer


def test_the_nearest_words_are_gensims() -> None:
    rows = np.random.default_rng(0).normal(size=(20, 50))
    theirs = [VECTORS.similar_by_vector(row, topn=1)[0][0] for row in rows]
    assert NAMES["nearest_words"](rows, VECTORS) == theirs


def signs(judged: Verdict) -> str:
    return "".join(
        {Outcome.PASSED: "✓", Outcome.FAILED: "✗", Outcome.NOT_REACHED: "–"}[line.sight]
        for line in judged.lines
    )
