"""How a case of this lesson is put to an answer: it tells what kind of thing comes back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from autograder.exercises.exercise import Case


def type_returned(answer: Callable[..., Any], case: Case, arguments: Sequence[Any]) -> str:
    """The name of the type of what comes back, a subclass of `torch.Tensor` under that name."""
    import torch

    found = answer(*arguments)
    return "Tensor" if isinstance(found, torch.Tensor) else type(found).__name__
