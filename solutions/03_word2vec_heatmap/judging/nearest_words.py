"""How `nearest_words` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention.kinds import WordVectors

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import drawn_vectors, lesson_vectors

FOUR = WordVectors(("near", "long", "right", "aside"), np.array([[1.0, 0.1], [6.0, 5.0], [0.2, 2.0], [-1.0, 0.5]]))
STEEP = WordVectors(FOUR.words, FOUR.matrix * [1, 20])


def examples() -> tuple[Case, ...]:
    rows = np.array([[3.0, 0.5], [2.0, 2.2], [-4.0, 1.0], [0.5, 9.0], [0.02, 0.001], [-3.0, -0.4]])
    rng = np.random.default_rng(3)
    mixed = np.round(lesson_vectors().matrix[[1, 5, 2]] + 0.6 * rng.normal(size=(3, 50)), 2)
    steep = np.array([[-1.0, 0.1], [-2.0, 0.3], [0.5, 1.0]])
    return (
        Case("words", (rows, FOUR), label="words of very different lengths"),
        Case("words", (mixed, lesson_vectors()), label="near three words of the lesson"),
        Case("words", (steep, STEEP), label="a second number far larger than the first"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    places = rng.choice(9, size=4, replace=False)
    mixed = lesson_vectors().matrix[places] * rng.uniform(0.2, 5, size=(4, 1)) + 0.4 * rng.normal(size=(4, 50))
    twelve = drawn_vectors(rng, "one two three four five six seven eight nine ten eleven twelve", 3, 2.0)
    return (
        Case("words", (np.round(rng.normal(size=(6, 2)), 2), FOUR), label="two dimensions"),
        Case("words", (np.round(mixed, 2), lesson_vectors()), label="near words of the lesson"),
        Case("words", (np.round(rng.normal(size=(5, 3)), 2), twelve), label="twelve words"),
        Case("words", (np.round(rng.normal(size=(1, 3)), 2), twelve), label="one row"),
    )


EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    variant=Variant(
        "The *farthest* word: the one with the smallest cosine.",
        ("argmax", "argmin"),
    ),
    draw=draw,
    criteria=(
        Criterion("a word of the vocabulary for each row", rules.known_words),
        Criterion("the one with the largest cosine", rules.same_words),
        Criterion("rows and vectors stay as they were", rules.inputs_left_alone),
    ),
    misconceptions=(
        mistake("dot product instead of cosine", ("rows @ directions.T", "rows @ vectors.vectors.T")),
        mistake("lengths along the wrong axis", ("axis=1, keepdims=True", "axis=0")),
        mistake("distance instead of cosine",
            ("(rows @ directions.T).argmax(axis=1)",
             "np.linalg.norm(rows[:, None] - vectors.vectors, axis=-1).argmin(axis=1)")),
        mistake("places instead of words",
            ("[vectors.index_to_key[i] for i in (rows @ directions.T).argmax(axis=1)]",
             "(rows @ directions.T).argmax(axis=1)"), detail="numbers came back",
            question="Which attribute of vectors turns a place into its word?"),
    ),
)
