"""Taking one part away from lesson 07's model, whoever wrote it: by hooks on its named parts, no line is touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograder.exercises.errors import CourseError

if TYPE_CHECKING:
    from torch import nn


def without(model: nn.Module, part: str) -> nn.Module:
    """Return the same model, changed so that it does without its "residual" connections or its "mask".

    Raises:
        CourseError: There is no such part.
    """
    if part not in TAKEN_AWAY:
        raise CourseError(f"there is no part {part!r} to take away; there are {', '.join(TAKEN_AWAY)}")
    TAKEN_AWAY[part](model)
    return model


def _residual(model: Any) -> None:
    """Each step replaces its input: what the block adds to is taken away again."""
    entered: dict[Any, Any] = {}
    for block in model.blocks:
        for norm, step in ((block.norm_1, block.attention), (block.norm_2, block.feed_2)):
            norm.register_forward_pre_hook(lambda _, given, step=step: entered.update({step: given[0]}))
            step.register_forward_hook(lambda step, _, output: output - entered[step])


def _mask(model: Any) -> None:
    for block in model.blocks:
        block.register_forward_pre_hook(lambda _, args, kwargs: (args[:1], {}), with_kwargs=True)


TAKEN_AWAY: dict[str, Callable[[Any], None]] = {"residual": _residual, "mask": _mask}
