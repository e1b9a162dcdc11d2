"""How `simple_attention` is judged."""

from typing import Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common
from attention.library import ATTENTION, EARLIER

from .cases import all_large, far_apart, mistake, qkv

ROOT = "np.sqrt(K.shape[-1])"
SOFTMAX = "softmax(scores, axis=-1)"


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(2)
    hand: Any = [[0, 1]], [[1, 0], [0, 1], [0, 2]], [[10, 0], [0, 20], [30, 0]]
    scalars: Any = [[1]], [[1], [2], [0.5]], [[10], [20], [5]]
    hand, scalars = (tuple(np.array(x, dtype=float) for x in arrays) for arrays in (hand, scalars))
    return (
        Case("example", hand, label="two features a key: with a calculator, 18.68 and 5.68"),
        Case("example", scalars, label="one feature a key: with a calculator, 15.58"),
        Case("sizes", qkv(rng, 2, 3, 5, 4), label="five features, four columns of values"),
        Case("sizes", qkv(rng, 3, 3, 3, 3), label="as many queries as keys"),
        Case("sizes", qkv(rng, 2, 2, 2, 2), label="two of everything"),
        Case("large", far_apart(rng), label="rows of scores thousands apart"),
        Case("large", all_large(rng), label="all scores above 1000"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    single = tuple(x.astype(np.float32) for x in qkv(rng, 3, 4, 9, 9))
    return (
        Case("sizes", qkv(rng, 3, 4, 5, 6), label="distinct sizes"),
        Case("sizes", qkv(rng, 5, 5, 5, 5), label="square"),
        Case("sizes", qkv(rng, 3, 3, 2, 3), label="as many queries as keys"),
        Case("sizes", qkv(rng, 1, 6, 7, 7), label="one query"),
        Case("sizes", single, label="float32"),
        Case("sizes", qkv(rng, 6, 2, 16, 3), label="more queries than keys"),
        Case("sizes", qkv(rng, 3, 1, 4, 2), label="one key"),
        Case("large", far_apart(rng), label="rows of scores thousands apart"),
        Case("large", all_large(rng), label="all scores above 1000"),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    results=("output",),
    library=ATTENTION | EARLIER,
    steps=("scores",),
    variant=Variant(
        "The scores are divided by d_k, not by its root.",
        ("np.sqrt(K.shape[-1])", "K.shape[-1]"),
    ),
    criteria=(
        Criterion("one row of output for each query, as wide as a value", common.shape, ("example", "sizes")),
        Criterion("the examples you can work by hand", common.agrees, ("example",), points=2),
        Criterion("the numbers are right for other sizes", common.agrees, ("sizes",), points=2, plain=("example",)),
        Criterion("the numbers are right for large scores", common.agrees, ("large",), plain=("example", "sizes")),
        Criterion("leaves its inputs as they were", common.unchanged, ("example", "sizes")),
    ),
    misconceptions=(
        mistake("not divided by √d_k",
            (f" / {ROOT}", "")),
        mistake("divided by the wrong power of d_k",
            (ROOT, "K.shape[-1]"),
            (ROOT, "K.shape[-1] ** -0.5"),
            (ROOT, "K.shape[-1] / 2"),
            (ROOT, "(K.shape[-1] / 2)"),
            (ROOT, "K.shape[-1] ** 0.25"),
            (ROOT, "K.shape[-1] ** 2")),
        mistake("divided by the root of the wrong length",
            *(("K.shape[-1]", one) for one in ("K.shape[0]", "Q.shape[0]", "V.shape[-1]"))),
        mistake("a constant instead of the input's size",
            *(("K.shape[-1]", one) for one in ("2", "3", "4", "16", "64"))),
        mistake("keys not transposed",
            ("K.T", "K")),
        mistake("scaled after the softmax",
            (f" / {ROOT}", "", SOFTMAX, f"{SOFTMAX} / {ROOT}")),
        mistake("exponential missing",
            (SOFTMAX, "scores / scores.sum(axis=-1, keepdims=True)")),
        mistake("only the best key counts",
            (f"{SOFTMAX} @ V", "V[scores.argmax(axis=-1)]")),
        mistake("weights returned without the values",
            (f"{SOFTMAX} @ V", SOFTMAX)),
        mistake("softmax over the queries",
            ("axis=-1", "axis=0")),
        mistake("softmax over the whole matrix",
            ("axis=-1", "axis=None")),
        mistake("Q, K or V in the wrong place",
            ("@ V", "@ K"),
            *(("Q @ K", f"{one} @ {other}") for one, other in ("QV", "QQ", "KQ", "KK", "VK")),
            ("Q @ K", "K @ Q", f"{SOFTMAX} @ V", f'np.einsum("ij,jk->ik", {SOFTMAX}, V)')),
        mistake("weights transposed",
            (SOFTMAX, f"{SOFTMAX}.T"),
            (f"{SOFTMAX} @ V", f'np.einsum("ji,jk->ik", {SOFTMAX}, V)')),
        mistake("no shift by the maximum",
            (SOFTMAX, "np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)"),
            (SOFTMAX, "np.nan_to_num(np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True))")),
        mistake("large scores cut to a limit",
            *((SOFTMAX, SOFTMAX.replace("scores", f"np.clip(scores, -{most}, {most})")) for most in (700, 50)),
            (SOFTMAX, SOFTMAX.replace("scores", "np.minimum(scores, 700)"))),
        mistake("one maximum for all rows",
            ("return", "scores = np.exp(scores - scores.max())\n    return",
             SOFTMAX, "scores / scores.sum(axis=1, keepdims=True)")),
        mistake("broadcast along the wrong axis",
            ("return", "scores = np.exp(scores - scores.max())\n    return",
             SOFTMAX, "scores / scores.sum(axis=1)"),
            ("return", "scores = np.exp(scores - scores.max(axis=1, keepdims=True))\n    return",
             SOFTMAX, "scores / scores.sum(axis=1)"),
            ("return", "scores = np.exp(scores - scores.max(axis=1))\n    return",
             SOFTMAX, "scores / scores.sum(axis=1)"),
            ("return", "scores = np.exp(scores - scores.max(axis=1))\n    return",
             f"{SOFTMAX} @ V", "np.dot(scores / scores.sum(axis=1), V)")),
        mistake("root of d_k cut to a whole number",
            (ROOT, f"int({ROOT})")),
        mistake("axis of length 1 lost",
            (f"{SOFTMAX} @ V", f"np.squeeze({SOFTMAX} @ V)")),
        mistake("writes into its input", (f" / {ROOT}", "", "scores =", f"Q /= {ROOT}\n    scores ="),
            (f" / {ROOT}", "", "scores =", f"K /= {ROOT}\n    scores ="), detail="",
            question="Print Q, K and V before the call and after it. Which of your lines assigns in place?"),
    ),
)
