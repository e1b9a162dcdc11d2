"""Reference stubs: functions in place of earlier answers, whose work is done in the process that has the course's code.

A call crosses as text, with its arguments and results as plain data, see `wire`; the process that answers it keeps no
state. Gradients flow through: the same call is sent once more, with the gradients of its results.
"""

from __future__ import annotations

import builtins
import contextlib
import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any

import numpy as np

from autograder.calls import call as calling
from autograder.calls.call import find_tensors, is_tensor
from autograder.exercises import argument_kinds, wire
from autograder.exercises.argument_kinds import Tensor, map_nested
from autograder.exercises.limits import MAX_ENTRIES

Function = Callable[..., Any]

Send = Callable[[str, str], str]
"""`send(name, call)` gives what `answer_call` makes of that call of the stub of that name."""


def make_stubs(names: Iterable[str], send: Send) -> dict[str, Function]:
    """Return the stubs of these names, which send each call.

    They take and give plain values, lists, tuples, dictionaries, arrays, tensors, and arguments of a declared kind; a
    random generator among these begins anew. An error of the function is raised here, if it is one of Python's own.
    The same call is sent once.

    Args:
        names: The names of functions.
        send: Sends a call and gives its result.
    """
    return {name: _make_stub(name, functools.cache(functools.partial(send, name))) for name in names}


def answer_call(call: str, function: Function) -> str:
    """Return as text what a call gives, or the error that it raises. call: as a stub has sent it."""
    try:
        return wire.dumps(["gave", *_given(function, *wire.loads(call))])
    except Exception as error:
        plain = all(isinstance(argument, (str, int, float)) for argument in error.args)
        return wire.dumps(["raised", type(error).__name__, error.args if plain else (str(error),)])


@contextlib.contextmanager
def replace_names(replacements: Mapping[str, Any], namespace: MutableMapping[str, Any]) -> Iterator[None]:
    """Replace what a namespace holds under these names, for a while.

    Stubs replace earlier answers in this way, so that their mistakes are not counted twice.
    """
    replaced = {name: namespace[name] for name in replacements if name in namespace}
    namespace.update(replacements)
    try:
        yield
    finally:
        for name in replacements:
            namespace.pop(name, None)
        namespace.update(replaced)


def _make_stub(name: str, send: Callable[[str], str]) -> Function:
    def stub(*args: Any, **kwargs: Any) -> Any:
        return _called([args, kwargs], send)

    stub.__name__ = stub.__qualname__ = name
    return stub


def _called(arguments: list[Any], send: Callable[[str], str]) -> Any:
    """Return what a call gives. arguments: the positional ones and the keywords."""
    tensors = find_tensors(arguments)
    followed = [tensor.requires_grad and sys.modules["torch"].is_grad_enabled() for tensor in tensors]
    crossing = map_nested(_outward, arguments)

    def ask(gradients: Sequence[Any] | None) -> Any:
        return _read(send(wire.dumps([crossing, followed, map_nested(_outward, gradients)])))

    value, learning = ask(None)
    result = map_nested(_inward, value)
    return _followed(result, learning, tensors, followed, ask) if any(followed) else result


def _followed(
    value: Any, learning: Sequence[bool], tensors: Sequence[Any], followed: Sequence[bool], ask: Function
) -> Any:
    """Return `value` with tensors from which gradients flow back to those of the `tensors` that are `followed`.

    learning: from which tensors of the value they do; ask: gives, for the gradients of these, those of `tensors`.
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

    results = iter(Sent.apply(*tensors))
    return map_nested(lambda item: next(results) if is_tensor(item) else item, value)


def _read(reply: str) -> list[Any]:
    """Return what `answer` has given. Raises the error that was raised there."""
    how, *content = wire.loads(reply)
    if how == "gave":
        return content
    error = getattr(builtins, content[0], None)
    kind = error if isinstance(error, type) and issubclass(error, Exception) else RuntimeError
    raise kind(*content[1])


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
    """Return a value as it crosses. Raises TypeError where it cannot."""
    array = wire.as_array(value)
    if array is not None and max(array.size, *array.shape, 0) <= MAX_ENTRIES:
        return Tensor(array) if is_tensor(value) else array
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    declared = calling.find_declaration(value) or argument_kinds.describe_argument(value)
    if argument_kinds.find_kind(declared) is not None:
        return declared
    raise TypeError(
        f"an earlier exercise takes and gives plain values, arrays and tensors, no {type(value).__name__}"
    )


def _inward(value: Any) -> Any:
    """Return a value that has crossed as a function is called with it."""
    kind = argument_kinds.find_kind(value)
    if kind is not None:
        return kind.make(value)
    return value[()] if isinstance(value, np.ndarray) else value
