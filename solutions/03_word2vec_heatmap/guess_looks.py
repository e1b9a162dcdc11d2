"""How `guess_looks` is judged."""

from autograder.model import Misconception, Part

from .cases import prediction
from .shown import rules

EXERCISE = prediction(
    (Part("whom each of the three words looks at", rules.guessed_words),),
    Misconception("words paired by their positions", "each word was paired with the one at its own position",
        "Does anything in a word's vector say where in the sentence it stands?",
        ("are", "playing", "park")),
    Misconception("words paired by grammar", "the cat was given a verb, as in a sentence of its own",
        "Do these vectors know subjects and verbs, or only which words keep similar company?",
        ("playing", "park", "in"),
        ("playing", "dogs", "park"),
        ("are", "are", "park")),
    Misconception("one key taken to win for all", "each of the three keeps other company",
        "A dot product is large where directions agree. Can one key point the way of all three?",
        ("are", "are", "are"),
        ("the", "the", "the"),
        ("in", "in", "in")),
)
