"""How `guess_looks` is judged."""

from autograder.exercises import Criterion, Misconception

from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("whom each of the three words looks at", rules.guessed_words),),
    Misconception("words paired by their positions", "each word was paired with the one at its own position",
        "Does anything in a word's vector say where in the sentence it stands?",
        ("are", "playing", "park")),
    Misconception("words paired by grammar", "a noun was given a verb, or a verb a noun, as in a sentence",
        "Do these vectors know subjects and verbs, or only which words keep similar company?",
        ("playing", "park", "in"),
        ("playing", "dogs", "park"),
        ("are", "are", "park"),
        ("playing", "are", "park"),
        ("playing", "playing", "park"),
        ("dogs", "dogs", "park"),
        ("dogs", "park", "park")),
    Misconception("a word of any sentence taken for a similar one", "are, in and the stand beside all kinds of words",
        "Could *are*, *in* or *the* stand in the place of your word in a sentence?",
        *(("dogs", sat, mat) for sat in ("playing", "are", "in", "the") for mat in ("park", "are", "in", "the")
            if (sat, mat) != ("playing", "park")),
        ("the", "playing", "park"),
        ("the", "are", "the"),
        ("the", "are", "in"),
        ("the", "in", "the")),
    Misconception("any noun taken for a similar one", "an animal was given a place, or a thing an animal",
        "In which sentences does the one noun stand, in which the other: could they change places?",
        ("park", "playing", "dogs"),
        ("park", "playing", "park"),
        ("dogs", "playing", "dogs"),
        ("park", "are", "dogs")),
    Misconception("one key taken to win for all", "each of the three keeps other company",
        "A dot product is large where directions agree. Can one key point the way of all three?",
        ("are", "are", "are"),
        ("the", "the", "the"),
        ("in", "in", "in")),
)
