"""How some cases of this lesson are put to an answer: once in evaluation, and then in training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.exercises.exercise import Case


def in_both_modes(module: Any, case: Case, arguments: Sequence[Any]) -> dict[str, Any]:
    """What a block gives in training, with the attention weights that it keeps, and what it gave after `eval()`."""
    evaluated = module.eval()(*(one.clone() for one in arguments))
    output = module.train()(*arguments)
    weights = getattr(getattr(module, "attention", None), "attention_weights", None)
    return {"output": output, "attention.attention_weights": weights, "evaluated": evaluated}
