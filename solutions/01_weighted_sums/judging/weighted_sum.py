"""How `weighted_sum` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from .cases import CAT, SENTENCE, fractions, letter_numbers, ragged


def examples() -> tuple[Case, ...]:
    lengths = np.array([len(word) for word in SENTENCE])
    repeated = np.array([0.1, 0.2, 0.1, 0.1, 0.4, 0.1])
    return (
        Case("repeats", (lengths / lengths.sum(), letter_numbers(SENTENCE)), label="the lesson's sentence"),
        Case("ragged", (np.array([0.25, 0.75]), [[9], [1, 13]]), label="two short words"),
        Case("equal", (np.array([0.5, 0.2, 0.3]), [[1, 2], [10, 20], [4, 0]]), label="vectors of one length"),
        Case("repeats", (repeated, letter_numbers(CAT)), label="one word occurs twice"),
        Case("ragged", (np.array([0.6, 0.4]), [[0.5, -1.25, 3.0], [2.75]]), label="fractions"),
        Case("ragged", (np.array([0.0, 1.0]), [[3, 4, 5], [1, 2]]), label="the longer vector weighs nothing"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    lengths = rng.permutation(np.arange(1, 8))
    one, other = ragged(rng, [5, 3])
    uneven = [fractions(rng, n).tolist() for n in (3, 6, 2)]
    return (
        Case("ragged", (shares(rng, 2), ragged(rng, [2, 9])), label="lengths 2 and 9"),
        Case("ragged", (shares(rng, 7), ragged(rng, lengths)), label="seven lengths"),
        Case("ragged", (shares(rng, 3), ragged(rng, [6, 4, 1])), label="the longest first"),
        Case("ragged", (shares(rng, 3), uneven), label="fractions"),
        Case("equal", (shares(rng, 4), ragged(rng, [4, 4, 4, 4])), label="a square of numbers"),
        Case("equal", (np.array([1, 2]) / 3, [[1, 2, 4], [2, 1, 5]]), label="thirds"),
        Case("equal", (np.array([1.0]), ragged(rng, [5])), label="one vector"),
        Case("equal", (np.array([0.25, 0.75]), [[8], [0]]), label="one number in each"),
        Case("repeats", (np.array([1, 1, 1]) / 3, [[1, 2], [3], [1, 2]]), label="thirds"),
        Case("repeats", (shares(rng, 3), [one, other, one]), label="a vector that comes again"),
        Case("repeats", (np.array([0.3, 0.3, 0.4]), ragged(rng, [5, 3, 4])), label="two equal weights"),
    )


def shares(rng: np.random.Generator, count: int) -> np.ndarray:
    """Weights no two of which are alike."""
    raw = rng.permutation(np.arange(1, count + 1)) + rng.uniform(0, 0.5, size=count)
    return raw / raw.sum()


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    builds_on=("pad_rows",),
    variant=Variant(
        "A vector's *first* numbers are the ones that are missing: all end in the same column.",
        """
        longest = max(map(len, vectors))
        return weights @ np.array([[0] * (longest - len(one)) + list(one) for one in vectors])
        """,
    ),
    criteria=(
        Criterion("as many numbers as the longest vector has", common.shape),
        Criterion("vectors of one length are weighed and added", common.agrees, ("equal",)),
        Criterion("vectors of unequal length are weighed and added", common.agrees, ("ragged",), plain=("equal",)),
        Criterion("repeats count every time they occur", common.agrees, ("repeats",), plain=("equal", "ragged")),
    ),
    misconceptions=(
        mistake("cut to the shortest vector",
            """
            total = [0.0] * max(map(len, vectors))
            for weight, vector in zip(weights, vectors):
                total = [a + weight * b for a, b in zip(total, vector)]
            return total
            """, ("pad_rows(vectors)", "np.array(list(zip(*vectors))).T"),
            """
            total = weights @ pad_rows(vectors)
            total[min(map(len, vectors)) :] = 0
            return total
            """, "n = min(map(len, vectors)); return weights @ np.array([vector[:n] for vector in vectors])",
            detail="what stands behind the shortest vector's end is gone",
            question="Which vector decides how many numbers of the others count?"),
        mistake("cut to the first vector", ("pad_rows(vectors)", "pad_rows(vectors)[:, : len(vectors[0])]"),
            detail="the result is as long as the first vector, whatever follows",
            question="Which vector decides how many numbers come out?"),
        mistake("a constant instead of the input's size",
            "return np.append(weights @ pad_rows(vectors), np.zeros(9 - max(map(len, vectors))))",
            detail="nine numbers come back, whatever the vectors",
            question="How many numbers do you make room for, and how long is the longest vector?"),
        mistake("fractions cut off",
            """
            total = np.zeros(max(map(len, vectors)), dtype=int)
            for weight, vector in zip(weights, vectors):
                for place, number in enumerate(vector):
                    total[place] += weight * number
            return total
            """, detail="the sums are whole numbers",
            question="What type has the array that you return, and which numbers does it hold?"),
        mistake("repeated word lost",
            "return sum(weight * row for weight, row in dict(zip(weights, pad_rows(vectors))).items())",
            """
            weight_of = {tuple(row): weight for row, weight in zip(pad_rows(vectors), weights)}
            return sum(weight * np.array(row) for row, weight in weight_of.items())
            """,
            """
            weight_of = {}
            for row, weight in zip(pad_rows(vectors), weights):
                weight_of.setdefault(tuple(row), weight)
            return sum(weight * np.array(row) for row, weight in weight_of.items())
            """, detail="of entries that are alike, one alone counts",
            question="Which two entries are taken for one, and do all the weights still arrive?"),
        mistake("plain mean instead of weights", "return pad_rows(vectors).mean(axis=0)",
            "return pad_rows(vectors).sum(axis=0) / pad_rows([[1] * len(v) for v in vectors]).sum(axis=0)",
            detail="every vector counts the same",
            question="Give one word all the weight: does its own vector come out?"),
        mistake("weights that were given not used", "return pad_rows(vectors).sum(axis=0)",
            """
            lengths = np.array([len(vector) for vector in vectors])
            return lengths / lengths.sum() @ pad_rows(vectors)
            """),
        mistake("weights renormalised at each place",
            """
            reach = pad_rows([[1] * len(vector) for vector in vectors])
            return weights @ pad_rows(vectors) / (weights @ reach)
            """),
        mistake("weighted sum divided once more",
            ("weights @ pad_rows(vectors)", "weights @ pad_rows(vectors) / len(vectors)"),
            ("weights @ pad_rows(vectors)", "weights @ pad_rows(vectors) / max(map(len, vectors))"),
            question="The weights sum to 1: is there anything left to divide by?"),
        mistake("padded on the left",
            "return (weights @ pad_rows([vector[::-1] for vector in vectors]))[::-1]",
            detail="last letters are added to last letters",
            question="Where does the first letter of each word land?"),
        mistake("not added up", ("weights @", "weights[:, None] *")),
        mistake("added up along the wrong axis",
            ("weights @ pad_rows(vectors)", "weights * pad_rows(vectors).sum(axis=1)")),
        mistake("added up to one number",
            ("weights @ pad_rows(vectors)", "(weights @ pad_rows(vectors)).sum()")),
        mistake("weights in another order", ("weights @", "weights[::-1] @"),
            ("weights @", "np.sort(weights) @")),
        mistake("writes into its input",
            """
            for vector in vectors:
                vector.extend([0] * (max(map(len, vectors)) - len(vector)))
            return weights @ np.array(vectors)
            """, question="Into which list do you write: one of your own, or one that you were handed?"),
    ),
)
