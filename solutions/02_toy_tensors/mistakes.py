"""What goes wrong in attention, whichever exercise of this lesson asks for it.

Under its name, each mistake has what it means, a question, and changes (old, new, …) of `STEPS` that make it.
There `exp`, `amax` and `softmax` are NumPy's or PyTorch's.
"""

from collections.abc import Mapping
from typing import Any

from autograder.model import Misconception
from autograder.model.errors import CourseError

STEPS = """
scores = Q @ K.mT / K.shape[-1] ** 0.5
weights = softmax(scores, -1)
return weights @ V, weights
"""
ON_TENSORS = f"exp, amax, softmax = torch.exp, torch.amax, torch.softmax{STEPS}"

MISTAKES: dict[str, tuple[Any, ...]] = {
    "no scale": (
        "the dot products go into the softmax as they are",
        "With twice as many features, what happens to the size of a dot product? What brings it back?",
        (" / K.shape[-1] ** 0.5", ""),
    ),
    "wrong power": (
        "the scores are divided by another power of d_k",
        "Put d_k = 9 into your code with a pencil: which number are the scores divided by?",
        *(("** 0.5", power) for power in ("** 1", "** -0.5", "/ 2", "* 2", "** 0.25", "** 2")),
    ),
    "wrong length": (
        "under the root stands another axis than the features of the keys, or a fixed number",
        "Over which axis does a dot product sum, and does your divisor follow when that axis grows?",
        *(("K.shape[-1]", d_k) for d_k in ("K.shape[-2]", "Q.shape[-2]", "V.shape[-1]", "K.shape[0]", "4")),
    ),
    "scaled after softmax": (
        "the weights are divided, not the scores",
        "Add up one row of your weights. Which step could have changed that sum?",
        (" / K.shape[-1] ** 0.5", "", "softmax(scores, -1)", "softmax(scores, -1) / K.shape[-1] ** 0.5"),
    ),
    "softmax over queries": (
        "each key shares itself out among the queries",
        "Take one query: among what does it share out its attention, and along which axis do those lie?",
        ("softmax(scores, -1)", "softmax(scores, -2)"),
        ("softmax(scores, -1)", "softmax(scores, 0)"),
    ),
    "whole matrix": (
        "one softmax over all of it, so that all queries share a single 1",
        "What does each row of your weights sum to, and what if there were twice as many queries?",
        ("softmax(scores, -1)", "softmax(scores.reshape(-1), -1).reshape(scores.shape)"),
        ("softmax(scores, -1)", "softmax(scores.reshape(*scores.shape[:-2], -1), -1).reshape(scores.shape)"),
    ),
    "wrong partner": (
        "one of Q, K and V stands where another belongs",
        "Change nothing but V: which of your results should move, and which should not?",
        ("weights @ V", "weights @ K"),
        *(("Q @ K", pair) for pair in ("Q @ V", "Q @ Q", "K @ Q", "K @ K", "V @ K")),
    ),
    "weights transposed": (
        "they are turned before they meet the values",
        "Which row of your weights belongs to query 0, and which numbers does your product take?",
        ("weights @ V", "weights.mT @ V"),
        ("softmax(scores, -1)", "softmax(scores, -1).mT"),
    ),
    "overflow": (
        "exp of a large score is infinite",
        "What does np.exp(1000) print? Which shift of a row leaves its softmax the same?",
        ("softmax(scores, -1)", "exp(scores) / exp(scores).sum(-1)[..., None]"),
    ),
    "global shift": (
        "one maximum is taken off all the rows",
        "One row of scores lies far below another: what is left of it after your shift and exp?",
        ("softmax(scores, -1)", "exp(scores - scores.max()); weights = weights / weights.sum(-1)[..., None]"),
    ),
    "broadcast": (
        "the row sums line up with the columns",
        "Print the two shapes that meet in your division: which axis does the shorter one line up with?",
        (
            "softmax(scores, -1)",
            "exp(scores - amax(scores, -1, keepdims=True)); weights = weights / weights.sum(-1)",
        ),
        ("softmax(scores, -1)", "exp(scores - amax(scores, -1)); weights = weights / weights.sum(-1)"),
    ),
    "writes into its input": (
        "",
        "Print Q and K before the call and after it. Which of your lines assigns in place?",
        ("scores = Q @ K.mT / K.shape[-1] ** 0.5", "Q /= K.shape[-1] ** 0.5; scores = Q @ K.mT"),
        ("scores = Q @ K.mT / K.shape[-1] ** 0.5", "K /= K.shape[-1] ** 0.5; scores = Q @ K.mT"),
    ),
}


def made_in(solution: str, mistakes: Mapping[str, tuple[Any, ...]]) -> tuple[Misconception, ...]:
    """The mistakes with, as wrong answers, this solution under each of their changes."""

    def changed(changes: tuple[str, ...]) -> str:
        text = solution
        for old, new in zip(changes[::2], changes[1::2], strict=True):
            if old not in text:
                raise CourseError(f"a mistake puts {new!r} in place of {old!r}, which is not there:\n{text}")
            text = text.replace(old, new)
        return text

    return tuple(
        Misconception(name, detail, question, *map(changed, changes))
        for name, (detail, question, *changes) in mistakes.items()
    )
