"""A model and its optimizer as arguments: how their numbers move tells what was done with them."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds


@dataclass(frozen=True)
class Learner:
    """An argument that the answer meets as an `nn.Module`: token ids (batch, n) to logits (batch, n, vocabulary).

    embed, unembed: its parameters, both (vocabulary, width), float32.
    old: the number that fills its gradients from before, as a text, "inf" among them; "" for none.
    training: its mode.
    """

    embed: np.ndarray
    unembed: np.ndarray
    old: str = ""
    training: bool = True


@dataclass(frozen=True)
class StepsOf:
    """An argument that the answer meets as an optimizer of the model before it.

    name: of a class in `torch.optim`; rates: the learning rate of all parameters, or one for each in a group of its
    own; settings: what else it is made with; under_way: whether its momentum is 1 already, of SGD.
    """

    name: str
    rates: tuple[float, ...]
    settings: Mapping[str, float] = field(default_factory=dict)
    under_way: bool = False


@functools.cache
def _module() -> Any:
    """The class, made where torch is wanted."""
    import torch
    from torch import nn

    class Model(nn.Module):
        def __init__(self, declared: Learner) -> None:
            super().__init__()
            self.embed = nn.Parameter(torch.tensor(declared.embed))
            self.unembed = nn.Parameter(torch.tensor(declared.unembed))
            for parameter in self.parameters() if declared.old else ():
                parameter.grad = torch.full_like(parameter, float(declared.old))
            self.train(declared.training)

        def forward(self, tokens: Any) -> Any:
            return nn.functional.embedding(tokens, self.embed) @ self.unembed.T

    return Model


_latest: list[Any] = []
"""The model that was made last: arguments are made from left to right."""


def _make(declared: Learner) -> Any:
    _latest[:] = [_module()(declared)]
    return _latest[0]


def _optimizer(declared: StepsOf) -> Any:
    import torch

    parameters = list(_latest[0].parameters())
    groups = [parameters] if len(declared.rates) == 1 else [[parameter] for parameter in parameters]
    made = getattr(torch.optim, declared.name)
    optimizer = made([{"params": some, "lr": rate} for some, rate in zip(groups, declared.rates)], **declared.settings)
    for parameter in parameters if declared.under_way else ():
        optimizer.state[parameter]["momentum_buffer"] = torch.ones_like(parameter)
    return optimizer


def seen(embed: np.ndarray, unembed: np.ndarray, training: bool) -> np.ndarray:
    """What is seen of a model: all its numbers in a row, and behind them 1 where it is in training, or else 0."""
    return np.concatenate([embed.ravel(), unembed.ravel(), [training]]).astype(float)


def _recognise(value: Any) -> np.ndarray | None:
    if not _module.cache_info().currsize or not isinstance(value, _module()):
        return None
    return seen(value.embed.detach().numpy(), value.unembed.detach().numpy(), value.training)


def _in_short(declared: Learner, hidden: bool) -> str:
    before = f", with gradients of {declared.old} from before" if declared.old else ""
    return f"(knows {len(declared.embed)} words{before}{'' if declared.training else ', after eval()'})"


def _settings(declared: StepsOf, hidden: bool) -> str:
    rates = [f"lr={' and '.join(map(str, declared.rates))}"]
    made = f"= {declared.name}({', '.join(rates + [f'{name}={it}' for name, it in declared.settings.items()])})"
    return f"{made}, with a momentum of 1 from before" if declared.under_way else made


argument_kinds.register(
    argument_kinds.Kind(
        Learner,
        make=_make,
        after=lambda declared: seen(declared.embed, declared.unembed, declared.training),
        recognise=_recognise,
        in_short=_in_short,
    )
)
argument_kinds.register(argument_kinds.Kind(StepsOf, make=_optimizer, in_short=_settings))
