"""How `guess_looks` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (Criterion("whom each of the three words looks at", rules.guessed_words),),
    mistake("words paired by their positions", ("are", "playing", "park")),
    mistake("words paired by grammar", ("playing", "park", "in"), ("playing", "dogs", "park"),
        ("are", "are", "park"), ("playing", "are", "park"), ("playing", "playing", "park"),
        ("dogs", "dogs", "park"), ("dogs", "park", "park")),
    mistake("a word of any sentence taken for a similar one",
        *(("dogs", sat, mat) for sat in ("playing", "are", "in", "the") for mat in ("park", "are", "in", "the")
            if (sat, mat) != ("playing", "park")), ("the", "playing", "park"), ("the", "are", "the"),
        ("the", "are", "in"), ("the", "in", "the")),
    mistake("any noun taken for a similar one", ("park", "playing", "dogs"), ("park", "playing", "park"),
        ("dogs", "playing", "dogs"), ("park", "are", "dogs")),
    mistake("one key taken to win for all", ("are", "are", "are"), ("the", "the", "the"), ("in", "in", "in")),
)
