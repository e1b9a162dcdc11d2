"""Taking one part away from lesson 07's model, whoever wrote it: by hooks on its named parts, no line is touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograder.exercises.errors import CourseError

if TYPE_CHECKING:
    from torch import nn


def without(model: nn.Module, part: str) -> nn.Module:
    """The same model, changed so that it does without "residual", "norm", "feed-forward", "heads", "√d_k", "positions"
    or "mask".

    Raises `CourseError` for any other part.
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


def _norm(model: Any) -> None:
    """Each norm hands on what it is given."""
    for norm in (model.norm, *(norm for block in model.blocks for norm in (block.norm_1, block.norm_2))):
        norm.register_forward_hook(lambda _, given, output: given[0])


def _feed_forward(model: Any) -> None:
    for block in model.blocks:
        block.feed_2.register_forward_hook(lambda _, given, output: 0 * output)


def _heads(model: Any) -> None:
    """One head as wide as all of them together."""
    for block in model.blocks:
        width = block.attention.W_q.in_features
        block.attention = type(block.attention)(width, 1)


def _scale(model: Any) -> None:
    """The queries are as much longer as their scores will be divided by."""
    for block in model.blocks:
        factor = block.attention.d_k**0.5
        block.attention.W_q.register_forward_hook(lambda _, given, output, factor=factor: factor * output)


def _positions(model: Any) -> None:
    """What the model adds to its embeddings is taken away before."""
    import torch

    def hook(_: Any, given: Any, output: torch.Tensor) -> torch.Tensor:
        n, width = output.shape[-2:]
        angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(width) // 2 * 2 / width)
        return output - torch.where(torch.arange(width) % 2 == 0, angles.sin(), angles.cos())

    model.embed.register_forward_hook(hook)


def _mask(model: Any) -> None:
    for block in model.blocks:
        block.register_forward_pre_hook(lambda _, args, kwargs: (args[:1], {}), with_kwargs=True)


TAKEN_AWAY: dict[str, Callable[[Any], None]] = {
    "residual": _residual,
    "norm": _norm,
    "feed-forward": _feed_forward,
    "heads": _heads,
    "√d_k": _scale,
    "positions": _positions,
    "mask": _mask,
}
