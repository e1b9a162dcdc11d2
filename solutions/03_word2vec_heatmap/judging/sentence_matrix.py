"""How `sentence_matrix` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention.kinds import WordVectors

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import QUERIES, drawn_vectors, lesson_vectors, ordinary_norm


def examples() -> tuple[Case, ...]:
    small = drawn_vectors(np.random.default_rng(4), "a tree grows by the old Thames", 16, 2.0)
    return (
        case(QUERIES, lesson_vectors(), "the lesson's sentence"),
        case("Thames grows by the quokka the zyzzyva quakko wug quokka", small, "four unknown words, one twice"),
        case("     the  old\ttree\ngrows\tby\tThames\n", small, "more white space than usual", "spaces"),
        case("the cat, the dogs.", lesson_vectors(), "a comma and a full stop, which belong to their words"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    words = drawn_vectors(rng, "we sing in Rome and rome sings with us", 18, 5.0)
    return (
        case("Rome we sing we sing in Rome", words, "repeated words, and a capital that matters"),
        case("us", words, "a single word"),
        case("qwerty sing with grault and qwerty sings blick", words, "unknown words, one of them twice"),
        case("plugh frobnicate ox", words, "nothing but unknown words"),
        case("we sing, we sing in Rome!", words, "a comma and an exclamation mark"),
        case("\n in  Rome \t we sing ", words, "white space of all kinds", "spaces"),
    )


def case(sentence: str, vectors: WordVectors, label: str, tag: str = "words") -> Case:
    """A sentence, and what the rules need to know: which of its words are known, how long vectors are."""
    words = sentence.split()
    places = [i for i, word in enumerate(words) if word in vectors.words]
    strange = len(places) < len(words)
    facts = {"norm": ordinary_norm(vectors), "known": places}
    return Case(
        "unknown" if strange else tag, (sentence, vectors), label=label, elsewhere=strange, facts=facts
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    unchanged="",  # by default, examples are made only to see whether an argument can change
    builds_on=("word_embedding",),
    free=("unknown",),
    variant=Variant(
        "The last word stands in the first row. (Only sentences of known words are looked at.)",
        ("sentence.split()", "sentence.split()[::-1]"),
        ("words",),
    ),
    by_error=("unknown word not handled",),
    criteria=(
        Criterion("one row for each word of a sentence", rules.one_row_per_word, ("words",)),
        Criterion("an unknown word keeps its row", rules.unknown_keeps_row, ("unknown",)),
        Criterion("each known word's row is its own vector, in order", rules.known_rows, ("words", "unknown")),
        Criterion("an unknown word's row is a proper stand-in", rules.unknown_rows, ("unknown",)),
        Criterion("any white space separates words", rules.spaced_rows, ("spaces",)),
    ),
    misconceptions=(
        mistake("unknown word not handled", "return np.array([vectors[word] for word in sentence.split()])",
            "return vectors[sentence.split()]",
            "return np.array([vectors.vectors[vectors.key_to_index[word]] for word in sentence.split()])"),
        mistake("unknown word dropped",
            "return np.array([vectors[word] for word in sentence.split() if word in vectors])"),
        mistake("repeated word lost", detail="it has one row instead of one for each time it occurs",
            question="How often does 'the' occur in 'the cat sat on the mat', and how often in your matrix?"),
        mistake("new vector on every call"),
        mistake("another vector at another place"),
        mistake("one vector for all unknown words"),
        mistake("two unknown words share a vector"),
        mistake("a known word's vector for an unknown word"),
        mistake("another vector in every process"),
        mistake("vector far too long"),
    ),
)
