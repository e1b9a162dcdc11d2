"""How `word_embedding` is judged."""

from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common
from attention.kinds import WordVectors

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import drawn_vectors, lesson_vectors, ordinary_norm

AGAIN = "a model with more words than numbers a word, the first of them short; another one was asked about wug"
CROWD = " ".join(map("".join, product(("bla", "dro", "ki", "wi", "fen"), repeat=3)))
"""125 words: with a few thousand different stand-ins, several pairs of them would share one."""


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(3)
    short = drawn_vectors(rng, "tea river Paris green seven", 16, 0.4)
    many = drawn_vectors(rng, " ".join(f"word{i}" for i in range(130)), 12, 2.0)
    many.matrix[0] /= 10
    return (
        known("cat the", lesson_vectors(), "words that the model knows"),
        unknown("zyzzyva quokka quokkas naïve wug", lesson_vectors(), "words that it does not know", elsewhere=False),
        known("Paris tea", short, "a model with shorter vectors"),
        unknown("frobnicate qwerty ytrewq quux qwerty", short, "a model with shorter vectors"),
        unknown("wugs wug Wug ox", many, AGAIN, elsewhere=False, met={"wug": 50}),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    words = "house May may stone walks Oslo bread over nine lamp quickly"
    long, tiny = drawn_vectors(rng, words, 24, 30.0), drawn_vectors(rng, words, 20, 0.05)
    many = drawn_vectors(rng, " ".join(f"word{i}" for i in range(250)), 16, 2.0)
    many.matrix[0] /= 10
    return (
        known("Oslo may May lamp", long, "capitals that matter"),
        unknown("wibble wibbles yak", long, "words that begin alike", elsewhere=False),
        unknown("blorp porbl snark thrum blorp frumious", long, "words of equal length, words of equal letters"),
        known("bread", tiny, "a model with very short vectors"),
        unknown("xylo trixylo Plugh", tiny, "a model with very short vectors"),
        unknown("你好", tiny, "one word alone"),
        Case("crowd", (CROWD.split(), tiny), label="many words of a few syllables", each=0),
        unknown("words wordy wug", many, AGAIN, elsewhere=False, met={"wug": 50}),
    )


def known(words: str, vectors: WordVectors, label: str) -> Case:
    return Case("known", (words.split(), vectors), label=label, each=0, scribble=True)


def unknown(
    words: str,
    vectors: WordVectors,
    label: str,
    elsewhere: bool = True,
    met: Mapping[str, int] | None = None,
) -> Case:
    """met: words that an earlier case asks about, with a model of this width."""
    facts = {"norm": ordinary_norm(vectors), "met": dict(met or {})}
    return Case("unknown", (words.split(), vectors), label=label, each=0, elsewhere=elsewhere, facts=facts)


def word_embedding(word: str, vectors: Any) -> np.ndarray:
    """A known word's own vector; an unknown word's numbers are thrown with dice of its own."""
    import random

    import numpy as np

    if word in vectors:
        return np.array(vectors[word])
    dice = random.Random(word)
    return np.array([dice.gauss(0, vectors.vectors.std()) for _ in range(vectors.vector_size)])


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    unchanged="",  # by default, examples are made only to see whether an argument can change
    reference_stub=word_embedding,
    free=("unknown", "crowd"),
    variant=Variant(
        "Every vector has length 1. (What an unknown word gets is not looked at.)",
        ("return vectors[word].copy()", "return vectors[word] / np.linalg.norm(vectors[word])"),
        ("known",),
    ),
    by_error=("unknown word not handled",),
    criteria=(
        Criterion("a known word gets its own vector", common.agrees, ("known",)),
        Criterion("an unknown word gets a vector of numbers, too", rules.a_vector_each, ("unknown",)),
        Criterion("the same word gets the same vector, every time", rules.same_every_time, ("unknown",)),
        Criterion("two unknown words can be told apart", rules.told_apart, ("unknown", "crowd")),
        Criterion("an unknown word's vector is of ordinary length", rules.of_ordinary_length, ("unknown",)),
        Criterion("what comes back is a copy: the model stays as it is", rules.model_left_alone),
    ),
    misconceptions=(
        mistake("unknown word not handled", "return vectors[word].copy()",
            "return vectors.vectors[vectors.key_to_index[word]].copy()",
            detail="for a word outside the vocabulary there is no vector",
            question="What should happen when a reader meets a word for the first time?"),
        mistake("new vector on every call", question="Embed the same sentence twice. Is it the same matrix?"),
        mistake("one vector for all unknown words", ("zlib.crc32(word.encode())", "0"),
            detail="whatever the unknown word, the vector is the same",
            question="Give it two words it has never seen. How would attention tell them apart?"),
        mistake("two unknown words share a vector", ("zlib.crc32(word.encode())", "len(word)"),
            detail="what the vector is made from is not the whole word"),
        mistake("a known word's vector for an unknown word"),
        mistake("another vector in every process",
            detail="the vector depends on the running Python, not on the word alone",
            question="Restart the kernel and embed the word again. What in your recipe has changed since?"),
        mistake("kept from one model for another"),
        mistake("vector far too long", detail="the stand-in dwarfs every real word vector",
            question="How long is an ordinary word's vector, and how long is yours?"),
        mistake("the model's own row, not a copy"),
    ),
)
