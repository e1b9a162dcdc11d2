"""Stand-ins for earlier answers: functions here, whose work is done where the course's code is.

A call crosses as text, with its arguments and what comes of them as plain data, see `wire`; whoever answers it
remembers nothing. Gradients flow through: they are asked for by the same call once more, with those of its results.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from autograder.checks import call as calling
from autograder.checks.call import find_tensors, is_tensor
from autograder.exercises import argument_kinds, wire
from autograder.exercises.argument_kinds import Tensor
from autograder.exercises.limits import MAX_ENTRIES
from autograder.exercises.values import map_nested

Function = Callable[..., Any]

Send = Callable[[str, str], str]
"""`send(name, call)`: what `answer` makes of that call of the stand-in of that name."""


def make_stubs(signatures: Mapping[str, str], send: Send) -> dict[str, Function]:
    """By their names, functions that send each call. signatures: as `f(x, scale=1.0)`.

    They take and give plain values, lists, tuples, dictionaries, arrays, tensors, and what a case declares by a kind;
    a random generator among these begins anew. What is raised there is raised here, as far as Python itself knows it.
    The same call is sent once.
    """
    return {
        name: _function(name, signature, functools.cache(functools.partial(send, name)))
        for name, signature in signatures.items()
    }


def answer_call(call: str, function: Function) -> str:
    """What a call gives, as text, or which error it raises. call: as one of `make_stubs` has sent it."""
    try:
        return wire.dumps(["gave", *_given(function, *wire.loads(call))])
    except Exception as error:
        plain = all(isinstance(one, (str, int, float)) for one in error.args)
        return wire.dumps(["raised", type(error).__name__, error.args if plain else (str(error),)])


@contextlib.contextmanager
def replace_names(stand_ins: Mapping[str, Any], namespace: MutableMapping[str, Any]) -> Iterator[None]:
    """Put other things in the place of what a namespace holds under these names, for a while.

    In the place of earlier answers working versions stand, so that their mistakes are not counted twice.
    """
    before = {name: namespace[name] for name in stand_ins if name in namespace}
    namespace.update(stand_ins)
    try:
        yield
    finally:
        for name in stand_ins:
            namespace.pop(name, None)
        namespace.update(before)


def _function(name: str, signature: str, send: Callable[[str], str]) -> Function:
    def stand_in(*args: Any, **kwargs: Any) -> Any:
        return _called([args, kwargs], send)

    stand_in.__name__ = stand_in.__qualname__ = name
    known: dict[str, Any] = {}
    with contextlib.suppress(NameError):  # of a default that is a name
        exec(f"def {signature}: ...", known)
        vars(stand_in)["__signature__"] = inspect.signature(known[name])
    return stand_in


def _called(arguments: list[Any], send: Callable[[str], str]) -> Any:
    """What a call gives. arguments: positional ones and keywords."""
    given = find_tensors(arguments)
    followed = [one.requires_grad and sys.modules["torch"].is_grad_enabled() for one in given]
    crossing = map_nested(_outward, arguments)

    def ask(gradients: Sequence[Any] | None) -> Any:
        return _read(send(wire.dumps([crossing, followed, map_nested(_outward, gradients)])))

    value, learning = ask(None)
    met = map_nested(_inward, value)
    return _followed(met, learning, given, followed, ask) if any(followed) else met


def _followed(
    value: Any, learning: Sequence[bool], given: Sequence[Any], followed: Sequence[bool], ask: Function
) -> Any:
    """Return `value` with tensors from which gradients flow back to those of the `given` ones that are `followed`.

    learning: from which of its tensors they do; ask: gives, for the gradients there, those of the given ones.
    """
    import torch

    class Sent(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, *_: Any) -> tuple[Any, ...]:
            results = find_tensors(value)
            fixed = [result for result, learns in zip(results, learning) if not learns]
            context.mark_non_differentiable(*fixed)
            return tuple(results)

        @staticmethod
        def backward(context: Any, *gradients: Any) -> tuple[Any, ...]:
            answers, _ = ask([gradient for gradient, learns in zip(gradients, learning) if learns])
            back = iter(map_nested(_inward, answers))
            return tuple(next(back) if follows else None for follows in followed)

    results = iter(Sent.apply(*given))
    return map_nested(lambda item: next(results) if is_tensor(item) else item, value)


def _read(reply: str) -> list[Any]:
    """Return what `answer` has given. Raises the error that was raised there."""
    how, *rest = wire.loads(reply)
    if how == "gave":
        return rest
    error = getattr(builtins, rest[0], None)
    kind = error if isinstance(error, type) and issubclass(error, Exception) else RuntimeError
    raise kind(*rest[1])


def _given(
    function: Function, arguments: Any, followed: Sequence[bool], gradients: Sequence[Any] | None
) -> tuple[Any, list[bool]]:
    """Return what a function gives, and which tensors of it learn; with their gradients, those of the followed ones."""
    args, kwargs = map_nested(_inward, arguments)
    if not any(followed):
        return map_nested(_outward, function(*args, **kwargs)), []
    import torch

    learners = [tensor for tensor, wanted in zip(find_tensors([args, kwargs]), followed) if wanted]
    with torch.enable_grad():
        for learner in learners:
            learner.requires_grad_()
        value = function(*args, **kwargs)
        results = find_tensors(value)
        if gradients is None:
            return map_nested(_outward, value), [result.requires_grad for result in results]
        learned = [result for result in results if result.requires_grad]
        # with gradients of the results beside them, `grad` imports a quarter of a second of libraries
        total = sum((result * back).sum() for result, back in zip(learned, map_nested(_inward, gradients)))
        return map_nested(_outward, torch.autograd.grad(total, learners, allow_unused=True)), []


def _outward(value: Any) -> Any:
    """As what it crosses. Raises TypeError where it cannot."""
    array = wire.as_array(value)
    if array is not None and max(array.size, *array.shape, 0) <= MAX_ENTRIES:
        return Tensor(array) if is_tensor(value) else array
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    declared = calling.find_declaration(value) or argument_kinds.describe_argument(value)
    if argument_kinds.find_kind(declared) is not None:
        return declared
    raise TypeError(f"a stand-in takes and gives plain values, arrays and tensors, no {type(value).__name__}")


def _inward(value: Any) -> Any:
    """As a function meets it."""
    kind = argument_kinds.find_kind(value)
    if kind is not None:
        return kind.make(value)
    return value[()] if isinstance(value, np.ndarray) else value
