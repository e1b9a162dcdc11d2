"""How `analogy` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention.kinds import WordVectors

from ...judging.mistakes import mistake
from ..checks import rules

ASKED = (
    "man woman king", "brother sister uncle", "uncle aunt brother", "paris france rome", "dog dogs rabbit",
    "man uncle girl",  # most_similar, which brings all to length 1 before it adds, gives another word
)
KNOWN = "man woman king queen brother sister uncle aunt boy girl paris france rome berlin cat cats dog dogs tea milk"


def examples() -> tuple[Case, ...]:
    return tuple(Case("words", (*words.split(), WordVectors()), label=words) for words in ASKED)


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    asked = [rng.choice(KNOWN.split(), size=3, replace=False).tolist() for _ in range(6)]
    telling = ["aunt", "woman", "cats"]
    return tuple(Case("words", (*words, WordVectors()), label="three words") for words in (*asked, telling))


EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    variant=Variant(
        "Backwards: `b` is to `a` as the word is to `c`, so what leads from `a` to `b` leads from the word to `c`.",
        ("vectors[c] + vectors[b] - vectors[a]", "vectors[c] - vectors[b] + vectors[a]"),
    ),
    draw=draw,
    criteria=(
        Criterion("a word of the vocabulary, none of the three", rules.another_word),
        Criterion("the word nearest to where the way ends", rules.same_words),
        Criterion("the vectors stay as they were", rules.inputs_left_alone),
    ),
    misconceptions=(
        mistake("a word of the question is the answer", ("if word not in {a, b, c}", "if True")),
        mistake("the way taken backwards", ("vectors[b] - vectors[a]", "vectors[a] - vectors[b]")),
    ),
)
