"""How `softmax` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common
from attention.library import SOFTMAX

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import fractions


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(1)
    return (
        Case("plain", (np.array([2.0, 1.0, 0.1]),), label="worked by hand above"),
        Case("plain", (fractions(rng, 3, 4),), label="three rows of four"),
        Case("plain", (fractions(rng, 3, 3),), label="as many rows as columns"),
        Case("plain", (np.array([[0.5, -1.0, 2.0]]),), label="a single row"),
        Case("plain", (fractions(rng, 2, 3, 2),), label="three axes"),
        Case("axis", (fractions(rng, 2, 3),), {"axis": 0}, label="down the columns"),
        Case("axis", (fractions(rng, 2, 3, 4),), {"axis": 1}, label="three axes, the middle one asked for"),
        Case("lists", ([[1.5, 0.5, -1.0], [0.25, 0.0, 2.0]],), label="nested lists"),
        Case("lists", ([1.5, 0.5, -1.0],), label="a list"),
        Case("ints", (np.array([[1, 2, 3], [2, 0, 1]]),), label="whole numbers"),
        Case("huge", (np.array([710.0, 709.0, 700.0]),), label="beyond the range of exp"),
        Case("huge", (np.array([-5000.0, -5001.0, -4999.5]),), label="far below zero"),
        Case("huge", (np.array([20000.0, 0.0, 19999.0]),), label="far beyond it"),
        *(Case("huge", (row,), label="one score thousands above the others") for row in 5000 * np.eye(3)),
        Case("far", (np.array([[0.0, 1.0, 2.0], [5000.0, 5001.0, 5000.0]]),), label="rows far apart"),
        Case("axis", (fractions(rng, 2, 4, 3),), {"axis": -2}, label="the last but one of three"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (*ordinary(rng), *far_out(rng))


def ordinary(rng: np.random.Generator) -> tuple[Case, ...]:
    whole = rng.integers(-3, 4, size=(3, 2))
    return (
        Case("plain", (fractions(rng, 7),), label="one row"),
        Case("plain", (rng.permutation([-1.5, 0.5, 1.0]),), label="scores that sum to 0"),
        Case("plain", (fractions(rng, 2, 5),), label="two rows"),
        Case("plain", (fractions(rng, 4, 4),), label="as many rows as columns"),
        Case("plain", (fractions(rng, 2, 3, 4),), label="a batch of two"),
        Case("plain", (fractions(rng, 3, 3, 3),), label="three equal axes"),
        Case("plain", (fractions(rng, 2, 3, 4, 5),), label="four axes"),
        Case("plain", (fractions(rng, 3, 1),), label="one score in each row"),
        Case("plain", (fractions(rng, 1, 4),), label="one row of four"),
        Case("plain", (fractions(rng, 1, 2, 3),), label="a batch of one"),
        Case("plain", (fractions(rng, 1),), label="one score"),
        Case("axis", (fractions(rng, 2, 3),), {"axis": -1}, label="the last axis, asked for"),
        Case("plain", (fractions(rng, 3, 6).astype(np.float32),), label="32-bit numbers"),
        Case("axis", (fractions(rng, 5, 3),), {"axis": 0}, label="down the columns"),
        Case("axis", (fractions(rng, 4, 4),), {"axis": 0}, label="down the columns of a square"),
        Case("axis", (fractions(rng, 3, 4),), {"axis": 1}, label="axis 1 of two"),
        Case("axis", (fractions(rng, 2, 3, 4),), {"axis": 2}, label="the last axis by its number"),
        Case("axis", (fractions(rng, 2, 4, 3, 2),), {"axis": -2}, label="the last but one of four"),
        Case("axis", (fractions(rng, 2, 3, 5),), {"axis": 0}, label="the first of three"),
        Case("axis", (fractions(rng, 2, 5, 3),), {"axis": -2}, label="the last but one of three"),
        Case("axis", (fractions(rng, 6),), {"axis": 0}, label="the only axis by its number"),
        Case("lists", (fractions(rng, 5).tolist(),), label="a list"),
        Case("lists", (fractions(rng, 1).tolist(),), label="a list of one"),
        Case("lists", (fractions(rng, 2, 3, 2).tolist(),), label="nested lists, three deep"),
        Case("lists", (whole.tolist(),), label="nested lists of whole numbers"),
        Case("ints", (rng.permutation(np.arange(-3, 4)),), label="whole numbers"),
        Case("ints", (rng.permutation(12).reshape(3, 4),), label="rows of whole numbers"),
    )


def far_out(rng: np.random.Generator) -> tuple[Case, ...]:
    apart = np.array([[0.0], [20000.0], [-7000.0]]) + rng.integers(-3, 4, size=(3, 5)) / 2
    return (
        Case("huge", (1000 + rng.permutation(4) / 2,), label="scores near 1000"),
        Case("huge", (-1000 + rng.permutation(4) / 2,), label="scores near -1000"),
        Case("huge", (rng.permutation([0, 20100, -20000, 20099]),), label="tens of thousands, whole numbers"),
        Case("huge", (np.array([[3000.0, -3000.0, 2999.5]] * 2),), label="far apart within a row"),
        Case("huge", ((200 + rng.permutation(5) / 2).astype(np.float32),), label="32-bit numbers near 200"),
        Case("far", (apart,), label="rows thousands apart"),
        Case("far", (apart.T,), {"axis": 0}, label="columns thousands apart"),
        Case("far", (np.stack([apart, apart[::-1] - 9000]),), label="a batch, rows thousands apart"),
    )


POWERS = "powers = np.exp(x - x.max(axis=axis, keepdims=True))"
SHARES = "powers / powers.sum(axis=axis, keepdims=True)"
SHIFTED = "x -= x.max(axis=axis, keepdims=True)"
IN_PLACE = "x /= x.sum(axis=axis, keepdims=True); return x"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    results=("weights",),
    library=SOFTMAX,
    variant=Variant(
        "The shares are proportional to `2**x`, not to `e**x`.",
        ("np.exp(", "np.exp2("),
    ),
    by_error=("lists not taken",),
    criteria=(
        Criterion("keeps the shape", common.shape, ("plain",)),
        Criterion("every row sums to 1", rules.slices_sum_to_one, ("plain",)),
        Criterion("the shares in each row are right", common.agrees, ("plain",)),
        Criterion("the shares are right along any other axis", common.agrees, ("axis",), plain=("plain",)),
        Criterion("takes whole numbers", common.agrees, ("ints",), plain=("plain",)),
        Criterion("takes lists", common.agrees, ("lists",), plain=("plain", "ints")),
        Criterion("the shares of huge scores are right", common.agrees, ("huge",), plain=("plain", "ints")),
        Criterion("rows thousands apart do not disturb each other", rules.undisturbed, ("far",), plain=("plain",)),
        Criterion("leaves x as it was", rules.left_alone, ("plain", "axis", "ints", "lists")),
    ),
    misconceptions=(
        mistake("softmax over the whole matrix", ("axis=axis, keepdims=True", ""),
            ("sum(axis=axis, keepdims=True)", "sum()"), "return np.exp(x) / np.exp(x).sum()",
            detail="all rows share a single total"),
        mistake("softmax over the wrong axis", ("axis=axis", "axis=0"),
            ("x = np.asarray(x)", "x, axis = np.asarray(x), 0 if axis in (1, -1) else 1"),
            ("x = np.asarray(x)", "x = np.asarray(x).T", SHARES, f"({SHARES}).T"),
            "return np.exp(x) / np.exp(x).sum(axis=0, keepdims=True)",
            "powers = np.exp(x - np.max(x)); return powers / powers.sum(axis=0)"),
        mistake("wrong default for the axis", ("axis: int = -1", "axis: int = 0"),
            ("axis: int = -1", "axis: int = 1"), ("axis: int = -1", "axis: int | None = None")),
        mistake("negative axis not counted from the end",
            ("x = np.asarray(x)", "x, axis = np.asarray(x), abs(axis)"),
            ("x = np.asarray(x)", "x = np.asarray(x); axis = abs(axis) if x.ndim > 1 else axis"),
            ("x = np.asarray(x)", "x, axis = np.asarray(x), -axis if axis < 0 else axis")),
        mistake("axis argument ignored", ("axis=axis", "axis=-1"), ("axis=axis", "axis=1"),
            ("axis=axis", "axis=min(x.ndim, 2) - 1"), ("max(axis=axis", "max(axis=-1"),
            ("sum(axis=axis", "sum(axis=-1"), "return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)"),
        mistake("any axis but the first taken for the last", ("axis=axis", "axis=0 if axis == 0 else -1"),
            ("axis=axis", "axis=0 if axis == 0 and x.ndim == 2 else -1")),
        mistake("no shift by the maximum", "return np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)",
            "return np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True))",
            "return np.nan_to_num(np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True), nan=1.0)",
            "e = np.exp(np.asarray(x, float)); return e / e.sum(axis=axis, keepdims=True)",
            "e = np.exp(np.asarray(x, float)); return np.nan_to_num(e / e.sum(axis=axis, keepdims=True))",
            ("asarray(x)", "asarray(x, dtype=float)",
             POWERS, "powers = np.exp(x)", SHARES, f"np.nan_to_num({SHARES}, nan=1.0)"),
            "powers = np.nan_to_num(np.exp(x)); return powers / powers.sum(axis=axis, keepdims=True)",
            ("asarray(x)", "asarray(x, dtype=np.longdouble)",
             POWERS, "powers = np.exp(x)", SHARES, f"np.float64({SHARES})"), ("x.max", "x.mean"),
            ("x.max", "x.min"),
            "powers = np.exp(x); return powers / (powers.sum(axis=axis, keepdims=True) + 1e-9)",
            detail="exp gets numbers that it cannot hold",
            question="What is exp(1000), and by what may you shift a row without changing its shares?"),
        mistake("scores far below zero lost",
            ("x.max(axis=axis, keepdims=True)", "x.max(axis=axis, keepdims=True, initial=0)"),
            ("x - x.max(axis=axis", "x - np.abs(x).max(axis=axis")),
        mistake("large scores cut to a limit",
            ("x - x.max(axis=axis, keepdims=True)", "np.clip(x, -700, 700)"),
            *(("asarray(x)", "asarray(x, dtype=float)", "x - x.max(axis=axis, keepdims=True)", limited)
                for limited in ("np.clip(x, -700, 700)", "np.clip(x, -100, 100)", "np.minimum(x, 700)"))),
        mistake("one maximum for all rows", ("max(axis=axis, keepdims=True)", "max()"),
            ("max(axis=axis, keepdims=True)", "max()", "sum(", "sum(initial=1e-12, "),
            (POWERS, "x = x - x.max()",
             SHARES, "np.exp(x - np.log(np.exp(x).sum(axis=axis, keepdims=True)))"),
            ("x.max(axis=axis, keepdims=True)", "np.moveaxis(x, axis, -1).reshape(-1, x.shape[axis])[0].max()"),
            question="Where rows lie thousands apart and one number is taken off all, what does exp make of each?"),
        mistake("broadcast along the wrong axis", (", keepdims=True", ""),
            ("sum(axis=axis, keepdims=True)", "sum(axis=axis)"),
            ("max(axis=axis, keepdims=True)", "max(axis=axis)"),
            ("max(axis=axis, keepdims=True)", "max()", ", keepdims=True", ""),
            "return np.exp(x) / np.exp(x).sum(axis=axis)", detail="the maxima or sums meet the wrong entries",
            question="Print the two shapes wherever you subtract or divide: which entry meets which?"),
        mistake("writes into its input", (POWERS, f"{SHIFTED}; powers = np.exp(x)"),
            ("x = np.asarray(x)", "", POWERS, f"{SHIFTED}; powers = np.exp(x)"),
            ("asarray(x)", "asarray(x, dtype=float)", POWERS, f"{SHIFTED}; powers = np.exp(x)"),
            (POWERS, f"{SHIFTED}; powers = np.exp(x, out=x)", f"return {SHARES}", IN_PLACE),
            ("asarray(x)", "asarray(x, dtype=float)",
             POWERS, f"{SHIFTED}; powers = np.exp(x, out=x)", f"return {SHARES}", IN_PLACE),
            ("return", "x[...] =",
             "sum(axis=axis, keepdims=True)", "sum(axis=axis, keepdims=True); return x"),
            question="Which array do you write into, and whose is it?"),
        mistake("axis of length 1 lost", (SHARES, f"np.squeeze({SHARES})"),
            detail="a single row comes back without its first axis",
            question="What shape has x with a single row, and what shape has what you return?"),
        mistake("fractions cut off",
            ("return", "result = np.zeros_like(x); result[...] =", SHARES, f"{SHARES}; return result"),
            (POWERS, f"{POWERS}.astype(x.dtype)"),
            detail="where x holds whole numbers, a result is cut to whole numbers",
            question="Hand in whole numbers and print the type of each array on the way: which of "
                "them holds no fractions?"),
        mistake("minus sign too many", ("x = np.asarray(x)", "x = -np.asarray(x)")),
        mistake("exponential missing", "return np.asarray(x) / np.sum(x, axis=axis, keepdims=True)",
            question="What becomes of a negative score?"),
        mistake("not divided by the sum of the exponentials", (SHARES, "powers"),
            "return np.exp(np.asarray(x, dtype=float))"),
        mistake("lists not taken", ("x = np.asarray(x)", "")),
    ),
)
