"""Put one case to a student's function or class, and record what comes back."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import linecache
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import CodeType
from typing import Any

import numpy as np

from autograder.calls.serialize import mutate_result, to_plain_data
from autograder.exercises import argument_kinds, public_course, wire
from autograder.exercises.argument_kinds import map_nested
from autograder.exercises.exercise import (
    STUB,
    Call,
    Case,
    CasePutBy,
    ModuleState,
    Observation,
    StudentError,
    list_inputs,
)
from autograder.exercises.limits import MAX_CODE_LINE_CHARACTERS, MAX_ERROR_CHARACTERS


class MissingRequirement(Exception):
    """A requirement that an answer does not meet, in the grader's own words."""


def ask_once(answer: Any, case: Case, namespace: Mapping[str, Any]) -> Observation:
    """Return what an answer gives for a case; `namespace` holds the notebook's names."""
    arguments, keywords, calls = _inputs(case)
    built = None
    try:
        with _no_new_figures():
            function: Any = answer
            if case.module is not None:
                function = _made(answer, case.module)
                built = to_plain_data(_as_built(function, case.module))
                _fill(function, case.module)
                _set_mode(function, case, case.module)
            value = _call(function, case, arguments, keywords, calls)
            plain_value = to_plain_data(value)
        if case.scribble:
            mutate_result(value)
        arguments_after = tuple(map(to_plain_data, list_inputs(arguments, keywords, calls)))
    except (Exception, SystemExit) as error:
        return Observation(error=_describe(error, answer, namespace), built=built)
    return Observation(plain_value, after=arguments_after, built=built)


def find_code(answer: Any) -> list[CodeType]:
    """Return the code of a function, or of a class's own methods; nothing where an answer was made in another way."""
    functions = vars(answer).values() if isinstance(answer, type) else [inspect.unwrap(answer)]
    return [function.__code__ for function in functions if inspect.isfunction(function)]


def is_stub(answer: Any) -> bool:
    """Return whether a function is as it was handed out, or all of a class's: nothing stands above the TODO."""
    codes = find_code(answer)
    return bool(codes) and all(
        STUB in code.co_consts
        and code.co_nlocals == code.co_argcount + code.co_kwonlyargcount
        and set(code.co_names) <= {"NotImplementedError", "super", "__init__"}
        for code in codes
    )


def raised_by_stub(observation: Observation) -> bool:
    """Return whether no answer came back since a TODO is still there."""
    return (
        observation.error is not None
        and not observation.error.kind
        and observation.error.message.endswith(_STILL)
    )


_STILL = "is still a TODO"


def _call(
    function: Any,
    case: Case,
    arguments: list[Any],
    keywords: dict[str, Any],
    calls: tuple[Call | str, ...] = (),
) -> Any:
    if isinstance(case, CasePutBy):
        module, _, name = case.by.partition(":")
        return public_course.current_course().load_helpers({name: module})[name](function, case, arguments)
    if calls:
        instance, results = function(*arguments, **keywords), {}
        for place, call in enumerate(calls, start=1):
            name = call if isinstance(call, str) else call.method
            attribute = _find_attribute(instance, name)
            value = attribute if isinstance(call, str) else attribute(*call.args, **call.kwargs)
            results[f"{place}. {name}"] = to_plain_data(value)  # as it is now: a later call may change it
        return results
    if case.each is not None:
        leading, trailing = arguments[: case.each], arguments[case.each + 1 :]
        return [function(*leading, item, *trailing, **keywords) for item in arguments[case.each]]
    numbers = [arguments[position] for position in case.gradient_of]
    watched = [number.requires_grad_() for number in numbers if number.is_floating_point()]
    value = output = function(*arguments, **keywords)
    if case.module is not None:
        value = {"output": output, **{name: _attribute(function, name) for name in case.module.shows}}
    if not case.gradient_of:
        return value
    parameters = {} if case.module is None else _parameters(function, case.module)
    gradients = _gradients(output, [*watched, *parameters.values()])
    result = {"value": value, "gradients": gradients[: len(watched)]}
    if case.module is not None:
        result["parameter_gradients"] = dict(zip(parameters, gradients[len(watched) :]))
    return result


def _made(cls: Any, state: ModuleState) -> Any:
    import torch

    if not (isinstance(cls, type) and issubclass(cls, torch.nn.Module)):
        raise MissingRequirement("this is no class that inherits from nn.Module")
    _require_method(cls, "__init__")
    torch.default_generator.manual_seed(0)
    return cls(**state.init)


def _require_method(cls: Any, name: str) -> None:
    """Raise `MissingRequirement` where a class has no such method of its own."""
    import torch

    if getattr(cls, name) is getattr(torch.nn.Module, name):
        raise _missing(name, vars(cls))


def _find_attribute(instance: Any, name: str) -> Any:
    """Return an object's attribute. Raises `MissingRequirement` where it has none of that name."""
    if not hasattr(instance, name):
        raise _missing(name, dir(instance))
    return getattr(instance, name)


def _missing(name: str, names: Iterable[str]) -> MissingRequirement:
    similar = difflib.get_close_matches(name, names, n=1)
    return MissingRequirement(f"there is `{similar[0]}`, no `{name}`" if similar else f"there is no `{name}`")


def _set_mode(module: Any, case: Case, state: ModuleState) -> None:
    """Put a module into training or evaluation mode; call it before, where the case says so."""
    if state.evaluated_before:
        module.eval()
        arguments, keywords, _ = _inputs(case)
        module(*arguments, **keywords)
    module.train(state.training)
    if state.called_before:
        with contextlib.suppress(Exception, SystemExit):
            module(*map(_materialise, state.called_before))


def _as_built(module: Any, state: ModuleState) -> dict[str, Any]:
    from torch.nn.parameter import is_lazy

    parameters = _parameters(module, state)
    for name, parameter in parameters.items():
        if is_lazy(parameter):
            raise MissingRequirement(f"{name} has no shape before the first call")
    shown = {name: _attribute(module, name) for name in state.shows}
    return {
        "parameters": {name: tuple(parameter.shape) for name, parameter in parameters.items()},
        **{name: value for name, value in shown.items() if value is not None},
    }


def _parameters(module: Any, state: ModuleState) -> dict[str, Any]:
    """Return a module's parameters, each by one name: one that is asked for where it has that, or its first."""
    names: dict[Any, list[str]] = {}
    for name, parameter in module.named_parameters(remove_duplicate=False):
        names.setdefault(parameter, []).append(name)
    requested = (*state.parameters, *state.named)
    return {
        next((name for name in requested if name in aliases), aliases[0]): parameter
        for parameter, aliases in names.items()
    }


def _attribute(module: Any, name: str) -> Any:
    """Return an attribute of a module or, by a dotted name, of a part of it; None where there is none."""
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _fill(module: Any, state: ModuleState) -> None:
    import torch

    _require_method(type(module), "forward")
    parameters = _parameters(module, state)
    with torch.no_grad():
        for name, array in state.parameters.items():
            if name not in parameters:
                raise MissingRequirement(
                    f"the module has no parameter {name}; it has {', '.join(parameters) or 'none'}"
                )
            if tuple(parameters[name].shape) != array.shape:
                raise MissingRequirement(
                    f"{name} has shape {tuple(parameters[name].shape)}, expected {array.shape}"
                )
            parameters[name].copy_(torch.as_tensor(array))


def _gradients(value: Any, watched: Sequence[Any]) -> list[Any]:
    """Return the gradients of one fixed weighting of all floating-point outputs; None where there is none."""
    import torch

    total: Any = 0
    for output in find_tensors(value):
        if output.requires_grad:
            weights = torch.linspace(-1, 2, output.numel(), dtype=output.dtype)
            total = total + (output * weights.reshape(output.shape)).sum()
    if not isinstance(total, torch.Tensor):
        return [None for _ in watched]
    learning = [tensor for tensor in watched if tensor.requires_grad]
    gradients = iter(torch.autograd.grad(total, learning, allow_unused=True))
    return [next(gradients) if tensor.requires_grad else None for tensor in watched]


def find_tensors(value: Any) -> list[Any]:
    """Return all tensors in a value, in their order."""
    tensors: list[Any] = []
    map_nested(lambda item: tensors.append(item) if is_tensor(item) else None, value)
    return tensors


def is_tensor(value: Any) -> bool:
    """Return whether a value is a PyTorch tensor; it does not import PyTorch."""
    return hasattr(value, "requires_grad")


_live_arguments: list[tuple[Any, Any]] = []
"""Arguments of declared kinds since the last question, with their declarations. They are kept so that no two have the
same `id`."""


def forget_arguments() -> None:
    """Forget the arguments of the question before."""
    _live_arguments.clear()


def find_declaration(value: Any) -> Any:
    """Return how a case of the question declares this very argument; None for anything else."""
    return next((declared for live, declared in _live_arguments if live is value), None)


def _inputs(case: Case) -> tuple[list[Any], dict[str, Any], tuple[Call | str, ...]]:
    """Return what the answer is called with, made anew so that no call can spoil another's."""
    keywords = {key: _materialise(argument) for key, argument in case.kwargs.items()}
    arguments = [_materialise(argument) for argument in case.args]
    if case.module is not None:
        declared = [wire.encode(argument) for argument in case.args]
        arguments = [arguments[declared.index(item)] for item in declared]
    return arguments, keywords, _materialise(case.calls)


def _materialise(argument: Any) -> Any:
    return map_nested(_materialise_item, argument)


def _materialise_item(item: Any) -> Any:
    if isinstance(item, Call):
        live_call = replace(item)
        vars(live_call).update(args=_materialise(item.args), kwargs=_materialise(item.kwargs))
        return live_call
    kind = argument_kinds.find_kind(item)
    if kind is not None:
        live = kind.make(item)
        _live_arguments.append((live, item))
        return live
    return item.copy() if isinstance(item, np.ndarray) else item


def _describe(error: BaseException, answer: Any, namespace: Mapping[str, Any]) -> StudentError:
    if isinstance(error, MissingRequirement):
        return StudentError("", shorten_message(str(error)))
    try:
        types = (base for base in type(error).__mro__ if base.__module__ != namespace.get("__name__"))
        kind, *bases = (base.__name__ for base in types)
        message = shorten_message(str(error))
    except (Exception, SystemExit):
        kind, bases, message = "Exception", [], "(one that cannot be shown)"
    frames = list(traceback.walk_tb(error.__traceback__))
    last: Any = frames[-1][0].f_code if frames else None
    if kind == "NotImplementedError" and message == STUB and last in find_code(answer):
        return StudentError("", f"`{last.co_name}` {_STILL}")
    line = find_error_line(error, answer, namespace)
    return StudentError(kind, message, line, tuple(base for base in bases if base != "object"))


def shorten_message(message: str) -> str:
    """Return a message whole, or up to the last blank within `MAX_ERROR_CHARACTERS`."""
    if len(message) <= MAX_ERROR_CHARACTERS:
        return message
    return (
        f"{message[: MAX_ERROR_CHARACTERS - 1].rpartition(' ')[0] or message[: MAX_ERROR_CHARACTERS - 2]} …"
    )


def find_error_line(error: BaseException, answer: Any, namespace: Mapping[str, Any]) -> str:
    """Return the notebook's line that an error came from, with its function's name where that is not the answer's."""
    frames = [pair for pair in traceback.walk_tb(error.__traceback__) if pair[0].f_globals is namespace]
    if not frames:
        return ""
    code, number = frames[-1][0].f_code, frames[-1][1]
    line = linecache.getline(code.co_filename, number).strip()[:MAX_CODE_LINE_CHARACTERS]
    name, *names = (code_object.co_qualname.split(".")[0] for code_object in (code, *find_code(answer)))
    return f"{line}   (in {name})" if line and name not in names else line


@contextlib.contextmanager
def _no_new_figures() -> Iterator[None]:
    """Let an answer make a figure of its own, of which nothing is drawn or shown, and close what it opened."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        yield
        return
    figure: Any = pyplot.Figure
    numbers_before, show, draw = set(pyplot.get_fignums()), pyplot.show, figure.draw
    pyplot.show = figure.draw = lambda *args, **kwargs: None
    if numbers_before:
        pyplot.figure()
    try:
        yield
    finally:
        pyplot.show, figure.draw = show, draw
        for number in set(pyplot.get_fignums()) - numbers_before:
            pyplot.close(number)
