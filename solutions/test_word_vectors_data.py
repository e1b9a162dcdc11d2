"""The bundled word vectors: whole, repeatable, complete for the lessons, and as data/README.md says."""

from __future__ import annotations

import gzip
import hashlib
import importlib
import re
from pathlib import Path

import gensim
import numpy as np
import pytest
from gensim.models import KeyedVectors

from data.makers import record_checksum, word_vectors
from data.makers.word_vectors import BUNDLED
from attention import load_vectors

FOLDER = BUNDLED.parent
grammar = importlib.import_module("attention.grammar")

SENTENCES = """\
the cat sat on the mat
dogs are playing in the park
the weather is beautiful today in melbourne
i love you
the shop bought apples then he went home
ming went to the shop and bought apples then he went home
the animal did not cross the street because it was too tired
the animal did not cross the street because it was too wide
the bank of the river
she poured water from the jug into the cup until it was full
she poured water from the jug into the cup until it was empty
i want to find a book about machine learning
a book about deep learning python programming data structures
the plot acting effects and music of the film
predict the weight and height from the waist and chest
the query looks at every key and the value is the content
attention weights scores softmax mask head matrix vector
look in the library search for the title author and page""".splitlines()

UNKNOWN = ("zyzzyva", "quokka", "frobnicate", "qwerty")

NEIGHBOURS = {
    "cat": {"dog", "kitten", "puppy"},
    "dog": {"cat", "puppy", "kitten"},
    "dogs": {"cats", "puppies", "kittens"},
    "sat": {"slept", "lay", "stood"},
    "playing": {"running", "dancing", "jumping"},
    "walk": {"run", "climb", "jump"},
    "mat": {"rug", "carpet", "cushion"},
    "park": {"garden", "field", "playground"},
    "king": {"queen", "prince"},
    "red": {"blue", "green", "yellow"},
    "melbourne": {"sydney", "london"},
    "english": {"french", "italian"},
    "monday": {"tuesday", "sunday"},
    "river": {"lake", "sea", "pond"},
    "height": {"weight", "waist", "chest"},
    "query": {"key", "value"},
    "jug": {"cup", "bottle", "glass"},
    "film": {"movie"},
    "tired": {"hungry", "happy"},
}


@pytest.fixture(scope="module")
def vectors() -> KeyedVectors:
    return load_vectors()


@pytest.fixture(scope="module")
def readme() -> str:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    return text.split("## `word_vectors.txt.gz`")[1].split("\n## ")[0]


def test_file_matches_its_checksum() -> None:
    digest = hashlib.sha256(BUNDLED.read_bytes()).hexdigest()
    assert f"{digest}  {BUNDLED.name}" in (FOLDER / "SHA256SUMS").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("sentence", SENTENCES)
def test_words_of_the_lessons_are_known(vectors: KeyedVectors, sentence: str) -> None:
    assert [word for word in sentence.split() if word not in vectors] == []


def test_words_for_the_unknown_word_lesson_are_not(vectors: KeyedVectors) -> None:
    assert [word for word in UNKNOWN if word in vectors] == []


def test_words_are_lower_case_and_vectors_finite(vectors: KeyedVectors) -> None:
    assert all(re.fullmatch("[a-z]+", word) for word in vectors.index_to_key)
    assert np.isfinite(vectors.vectors).all()


@pytest.mark.parametrize(("word", "expected"), NEIGHBOURS.items())
def test_neighbours_make_sense(vectors: KeyedVectors, word: str, expected: set[str]) -> None:
    nearest = [neighbour for neighbour, _ in vectors.most_similar(word, topn=10)]
    assert expected <= set(nearest)


def test_attention_between_the_seed_sentences_makes_sense(vectors: KeyedVectors) -> None:
    first, second = SENTENCES[0].split(), SENTENCES[1].split()
    scores = vectors[first] @ vectors[second].T
    assert [second[best] for best in scores.argmax(axis=1)] == ["the", "dogs", "playing", "in", "the", "park"]


def test_analogies_hold(vectors: KeyedVectors) -> None:
    assert vectors.most_similar(["king", "woman"], negative=["man"], topn=1)[0][0] == "queen"
    assert vectors.most_similar(["paris", "italy"], negative=["france"], topn=1)[0][0] == "rome"


def test_sentences_are_the_same_on_every_call() -> None:
    assert list(grammar.sentences(50, seed=3)) == list(grammar.sentences(50, seed=3))
    assert list(grammar.sentences(50, seed=3)) != list(grammar.sentences(50, seed=4))


def test_every_class_of_the_grammar_is_defined_and_used() -> None:
    used = set(re.findall(r"<(\w+)>", " ".join(grammar.templates())))
    assert used == set(grammar.CLASSES)


def test_articles_agree() -> None:
    text = "\n".join(" ".join(sentence) for sentence in grammar.sentences(5000, seed=2))
    assert " an " in text
    assert not re.search(r"\ba [aeiou]|\ban [^aeiou]", text)


def test_the_grammar_knows_its_own_sentences_and_no_others() -> None:
    own = list(grammar.sentences(300, seed=5))
    assert all(map(grammar.grammatical, own))
    assert not any(grammar.grammatical(sentence[::-1]) for sentence in own if len(sentence) > 3)
    for wrong in (
        [],
        ["the"],
        ["a", "owl", "is", "an", "animal"],
        ["the", "cat", "sat", "on", "the", "mat", "mat"],
    ):
        assert not grammar.grammatical(wrong)
    assert grammar.grammatical(["an", "owl", "is", "an", "animal"])


@pytest.mark.slow
def test_made_again_the_vectors_are_the_same(vectors: KeyedVectors, readme: str) -> None:
    again = word_vectors.train()
    assert again.index_to_key == vectors.index_to_key
    least = float(re.search(r"cosine of at least ([\d.]+)", readme)[1])
    # The last bits depend on the processor's BLAS kernel, and training makes the difference grow.
    cosines = np.sum(_unit(again.vectors) * _unit(vectors.vectors), axis=1)
    assert cosines.min() >= least
    np.testing.assert_allclose(again.vectors, vectors.vectors, atol=0.1)


def test_writing_repeats_itself(vectors: KeyedVectors, tmp_path: Path) -> None:
    first, second = tmp_path / "first.gz", tmp_path / "second.gz"
    word_vectors.write(vectors, first)
    word_vectors.write(vectors, second)
    assert first.read_bytes() == second.read_bytes()
    assert gzip.decompress(first.read_bytes()) == gzip.decompress(BUNDLED.read_bytes())


def test_recording_a_checksum_keeps_other_lines(tmp_path: Path) -> None:
    (tmp_path / "SHA256SUMS").write_text("00  first.csv\n11  mine.txt\n22  second.csv\n")
    mine = tmp_path / "mine.txt"
    mine.write_bytes(b"")
    record_checksum(mine)
    empty = hashlib.sha256(b"").hexdigest()
    assert (tmp_path / "SHA256SUMS").read_text() == f"00  first.csv\n{empty}  mine.txt\n22  second.csv\n"


def test_readme_states_the_facts_and_no_other_number(vectors: KeyedVectors, readme: str) -> None:
    text = " ".join(readme.split())
    for fact in _facts(vectors):
        assert fact in text
        text = text.replace(fact, "")
    names_and_tolerance = r"load_vectors\([^)]*\)|word2vec|SHA256SUMS|cosine of at least [\d.]+"
    rest = re.sub(names_and_tolerance, "", text, flags=re.IGNORECASE)
    assert re.findall(r"\S*\d\S*", rest) == []


def _facts(vectors: KeyedVectors) -> list[str]:
    """What data/README.md has to say, word for word."""
    lengths = np.linalg.norm(vectors.vectors, axis=1)
    pairs = "cat dog, cat dogs, sat playing, mat park, happy sad, bank river, bank money, cat melbourne"
    settings = {**word_vectors.TRAINING, "seed": word_vectors.SEED}
    return [
        f"{len(vectors)} words, a vector of {vectors.vector_size} numbers each",
        f"format with {word_vectors.DECIMALS} decimals",
        f"{BUNDLED.stat().st_size:,} bytes",
        f"{len(grammar.CLASSES)} word classes",
        f"{len(grammar.templates())} sentence templates",
        f"{word_vectors.SENTENCES:,} sentences are drawn with seed {word_vectors.SEED}",
        f"gensim {gensim.__version__} with NumPy {np.__version__}",
        f"lengths run from {lengths.min():.1f} to {lengths.max():.1f}",
        "half of them from {:.1f} to {:.1f}".format(*np.percentile(lengths, [25, 75])),
        *(f"| {a}, {b} | {vectors.similarity(a, b):.2f} |" for a, b in map(str.split, pairs.split(","))),
        *(f"{name}={value}" for name, value in settings.items()),
    ]


def test_readme_quotes_a_template_of_the_grammar(readme: str) -> None:
    quoted = re.search(r"such as `([^`]+)`", readme)[1]
    assert quoted in grammar.templates()


def _unit(matrix: np.ndarray) -> np.ndarray:
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)
