"""How `create_padding_mask` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common
from attention import common_rules

from ...judging.mistakes import mistake
from ..checks import rules


def examples() -> tuple[Case, ...]:
    notes = np.array([[1, 2, 3, 0, 0], [4, 5, 0, 0, 0]])
    nines = Tensor(np.array([[7, 0, 9, 9], [0, 3, 0, 9], [5, 9, 2, 0]]))
    return (
        Case("zero", (Tensor(notes),), label="the lesson's two sequences"),
        Case("zero", (Tensor(np.array([[8, 2, 6], [4, 0, 7]])),), label="nothing to hide, and a pad between words"),
        Case("other", (nines,), {"pad_token": 9}, label="pad 9; here 0 is a word"),
        Case("other", (nines, 9), label="the pad token without its name"),
        Case("array", (notes,), label="a NumPy array"),
        Case("list", ([[3, 0], [5, 6], [0, 4]],), label="a nested list"),
        Case("zero", (Tensor(np.array([[9, 4, 0]])),), label="one sequence"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    n = int(rng.integers(5, 9))
    return (
        Case("zero", (Tensor(sequences(rng, 3, n, 0)),)),
        Case("zero", (Tensor(sequences(rng, 4, 4, 0)),), label="as many sequences as words"),
        Case("zero", (Tensor(sequences(rng, 2, n, 0).astype(np.int32)),), {"pad_token": 0}),
        Case("zero", (Tensor(sequences(rng, 1, n, 0)),), label="one sequence"),
        Case("zero", (Tensor(np.array([[4], [0]])),), label="sequences of one word or pad"),
        Case("other", (Tensor(sequences(rng, 3, n, 9)),), {"pad_token": 9}, label="pad 9"),
        Case("other", (Tensor(sequences(rng, 2, n, -1)),), {"pad_token": -1}, label="pad −1"),
        Case("other", (Tensor(sequences(rng, 2, n, 1)),), {"pad_token": 1}, label="pad 1"),
        Case("array", (sequences(rng, 2, 5, 0),), label="a NumPy array"),
        Case("list", ([[5, 1, 0]],), label="a nested list with one sequence"),
        Case("list", (sequences(rng, 3, 4, 9).tolist(),), {"pad_token": 9}, label="a nested list, pad 9"),
    )


def sequences(rng: np.random.Generator, batch: int, n: int, pad: int) -> np.ndarray:
    """Token ids 0…8 with unlike numbers of pads at the end, in the last row one in the middle instead."""
    seq = rng.integers(1 if pad == 0 else 0, 9, size=(batch, n))
    if pad != 0:
        seq[:, 0] = 0
    for row, length in enumerate(rng.permutation(np.arange(1, n))[: batch - 1]):
        seq[row, length:] = pad
    seq[-1, n // 2] = pad
    return seq


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    variant=Variant(
        "True is what may *not* be looked at.",
        ("!=", "=="),
    ),
    criteria=(
        Criterion("(batch, 1, n), of True and False", common_rules.boolean, ("zero", "other")),
        Criterion("words may be looked at, pads may not", rules.mask_agrees, ("zero",)),
        Criterion("any pad token will do", rules.mask_agrees, ("other",), plain=("zero",)),
        Criterion("arrays will do", rules.mask_agrees, ("array",), plain=("zero",)),
        Criterion("nested lists will do", rules.mask_agrees, ("list",), plain=("zero", "other")),
        Criterion("seq stays as it was", common.unchanged),
    ),
    misconceptions=(
        mistake("padding mask inverted", ("!=", "==")),
        mistake("queries padded instead of keys", ("unsqueeze(1)", "unsqueeze(2)"),
            ("unsqueeze(1)", "unsqueeze(2).expand(-1, -1, len(seq[0]))")),
        mistake("axis for the queries missing", (".unsqueeze(1)", "")),
        mistake("axis of length 1 lost", ("unsqueeze(1)", "unsqueeze(1).squeeze()"),
            ("unsqueeze(1)", "unsqueeze(1).squeeze(0)"),
            detail="an axis of length 1 that belongs to the shape is gone",
            question="What shape has the mask of a single sequence?"),
        mistake("pad token fixed at 0", ("!= pad_token", "!= 0"), ("!= pad_token", "> 0"),
            detail="the pad token you were given is not used",
            question="Which constants stand in your code?"),
        mistake("mask not boolean", ("unsqueeze(1)", "unsqueeze(1).float()"),
            ("unsqueeze(1)", "unsqueeze(1).log()")),
        mistake("writes into its input"),
    ),
)
