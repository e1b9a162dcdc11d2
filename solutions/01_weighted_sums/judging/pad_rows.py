"""How `pad_rows` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import SENTENCE, fractions, letter_numbers, ragged


def examples() -> tuple[Case, ...]:
    return (
        Case("whole", ([[9], [1, 13]],), label="worked by hand above"),
        Case("whole", (letter_numbers(SENTENCE),), label="the lesson's sentence"),
        Case("whole", ([[4, 5, 6], [7, 8, 9], [4, 5, 6]],), label="nothing to pad, a vector that comes again"),
        Case("whole", ([[0, 3], [5, 0, 0, 2]],), label="zeros inside the vectors, the longest comes last"),
        Case("fractions", ([[0.5, -1.25, 3.0], [2.75], [-0.5, 0.25]],), label="fractions, two below zero"),
        Case("fractions", ([[1, 2, 3], [0.5, -1.25]],), label="a vector of whole numbers first"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    lengths = rng.permutation(np.arange(1, 8))
    return (
        Case("whole", (ragged(rng, [2, 9]),), label="lengths 2 and 9"),
        Case("whole", (ragged(rng, lengths),), label="seven lengths"),
        Case("whole", (ragged(rng, [5, 3, 1]),), label="the longest first"),
        Case("whole", (ragged(rng, [4, 4, 4]),), label="equal lengths"),
        Case("whole", (ragged(rng, [6]),), label="one vector"),
        Case("whole", (ragged(rng, [3, 5, 3, 5]),), label="two of the longest"),
        Case("whole", ([[0, 3], [5, 0, 0, 2], [0, 0, 1]],), label="zeros inside the vectors"),
        Case("whole", ([[7], [0], [7]],), label="one number in each"),
        Case("fractions", ([[0.75, -1.5], [0.25, 2.5, -0.75]],), label="no whole number among them"),
        Case("fractions", ([fractions(rng, n).tolist() for n in (4, 1, 7)],), label="fractions"),
    )


def pad_rows(vectors: list[list[float]]) -> np.ndarray:
    """Column by column, a zero where a vector has ended: (n, longest)."""
    from itertools import zip_longest

    import numpy as np

    columns = zip_longest(*vectors, fillvalue=0.0)
    return np.array([*columns], dtype=float).T


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    reference_stub=pad_rows,
    variant=Variant(
        "The zeros stand on the left of the shorter vectors.",
        ("row[: len(vector)]", "row[longest - len(vector) :]"),
    ),
    criteria=(
        Criterion("one row for each vector, as many columns as the longest has numbers", common.shape),
        Criterion("each vector stands at the start of its row", rules.starts_its_row, ("whole",)),
        Criterion("zeros fill the rest of each row", rules.zeros_on_the_right),
        Criterion("whole numbers arrive unharmed", rules.numbers_unharmed, ("whole",)),
        Criterion(
            "fractions and negative numbers arrive unharmed", rules.numbers_unharmed, ("fractions",), plain=("whole",)
        ),
        Criterion("leaves its input as it was", common.unchanged),
    ),
    misconceptions=(
        mistake("cut to the shortest vector", "return np.array(list(zip(*vectors))).T",
            ("row[: len(vector)] = vector",
             "row[: min(map(len, vectors))] = vector[: min(map(len, vectors))]"),
            "return np.array(list(zip(*vectors)))"),
        mistake("cut to the first vector", ("return padded", "return padded[:, : len(vectors[0])]")),
        mistake("padded with something else than zeros"),
        mistake("a constant instead of the input's size", ("(len(vectors), longest)", "(len(vectors), 9)"),
            detail="nine columns come back, whatever the vectors",
            question="How many columns do you make, and how long is the longest vector?"),
        mistake("repeated word lost",
            ("longest = max", "vectors = [list(one) for one in dict.fromkeys(map(tuple, vectors))]; longest = max"),
            ("row[: len(vector)] = vector", "padded[vectors.index(vector), : len(vector)] = vector"),
            detail="of vectors that are alike, only one has a row with its numbers",
            question="Which row belongs to a vector that comes again, and what stands in it?"),
        mistake("padded on the left", ("row[: len(vector)]", "row[longest - len(vector) :]"),
            ("row[: len(vector)] = vector", "row[longest - len(vector) :] = vector[::-1]")),
        mistake("padded on both sides",
            ("row[: len(vector)]", "start = (longest - len(vector)) // 2; row[start : start + len(vector)]")),
        mistake("rows and columns exchanged", ("return padded", "return padded.T")),
        mistake("fractions cut off", ("(len(vectors), longest)", "(len(vectors), longest), int"),
            ("(len(vectors), longest)", "(len(vectors), longest), type(vectors[0][0])"),
            ("return padded", "return padded.round()"), detail="the rows hold whole numbers only",
            question="What type has the array you write the vectors into?"),
        mistake("zeros lost",
            """
            kept = [[number for number in vector if number] for vector in vectors]
            longest = max(map(len, vectors))
            return np.array([vector + [0] * (longest - len(vector)) for vector in kept])
            """),
        mistake("writes into its input",
            """
            for vector in vectors:
                vector.extend([0] * (max(map(len, vectors)) - len(vector)))
            return np.array(vectors)
            """, question="Into which list do you write: one of your own, or one that you were handed?"),
    ),
)
