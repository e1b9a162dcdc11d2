"""How `sentence_matrix` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant
from attention.kinds import WordVectors

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
        Criterion("any white space parts words", rules.spaced_rows, ("spaces",)),
    ),
    misconceptions=(
        Misconception("unknown word not handled", "one unknown word stops the whole sentence",
            "Which function of yours already knows what to do with a new word?",
            "return np.array([vectors[word] for word in sentence.split()])",
            "return vectors[sentence.split()]",
            "return np.array([vectors.vectors[vectors.key_to_index[word]] for word in sentence.split()])"),
        Misconception("unknown word dropped", "unknown words have no row",
            "The heatmap wants a row for each word. Does your matrix have as many?",
            "return np.array([vectors[word] for word in sentence.split() if word in vectors])"),
        Misconception("repeated word lost", "it has one row instead of one for each time it occurs",
            "How often does 'the' occur in 'the cat sat on the mat', and how often in your matrix?"),
        Misconception("new vector on every call", "the same unknown word gets another vector each time",
            "Make the matrix twice. Is it the same matrix?"),
        Misconception("another vector at another place", "the same unknown word has two different rows in one sentence",
            "Swap two words of a sentence. Do their rows change places, and nothing else?"),
        Misconception("one vector for all unknown words", "whatever the unknown word, its row is the same",
            "Can the rows of two unknown words be told apart?"),
        Misconception("two unknown words share a vector", "what their rows are made from is not the whole word",
            "What have the two words in common? Is there anything else that your recipe looks at?"),
        Misconception("a known word's vector for an unknown word", "the stand-in is not its own",
            "How would attention tell the new word from the known one?"),
        Misconception("another vector in every process", "a row depends on the running Python, not on the word alone",
            "Would the matrix be the same in a new kernel?"),
        Misconception("vector far too long", "the rows of unknown words dwarf the others",
            "Print the length of every row. Do they go together?"),
    ),
)
