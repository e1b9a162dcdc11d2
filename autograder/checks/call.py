"""Puts one case to a student's function or class, and writes down what comes back."""

from __future__ import annotations

import contextlib
import difflib
import inspect
import io
import linecache
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from types import CodeType
from typing import Any

import numpy as np

from autograder.checks import public_course
from autograder.checks.serialize import mutate_result, to_plain_data
from autograder.exercises import argument_kinds, wire
from autograder.exercises.exercise import STUB, Case, CasePutBy, ModuleState, Observation, StudentError
from autograder.exercises.limits import MAX_CODE_LINE_CHARACTERS, MAX_ENTRIES, MAX_ERROR_CHARACTERS
from autograder.exercises.values import map_nested

DPI, LONGEST_SIDE = 100, 800
"""Of an answer's picture, in pixels an inch and in pixels."""


class MissingRequirement(Exception):
    """Something the probe missed in an answer, in its own words."""


def ask_once(answer: Any, case: Case, namespace: Mapping[str, Any]) -> Observation:
    """What an answer gives for a case; `namespace`: where the notebook's names are."""
    arguments, keywords = _inputs(case)
    built = None
    try:
        with _no_new_figures():
            made: Any = answer
            if case.module is not None:
                made = _made(answer, case.module)
                built = to_plain_data(_as_built(made, case.module))
                _fill(made, case.module)
                _set_mode(made, case, case.module)
            value = _call(made, case, arguments, keywords)
            seen = to_plain_data(value)
        if case.scribble:
            mutate_result(value)
        after = tuple(to_plain_data(argument) for argument in (*arguments, *keywords.values()))
    except (Exception, SystemExit) as error:
        return Observation(error=_describe(error, answer, namespace), built=built)
    return Observation(seen, after=after, built=built)


def draw_picture(answer: Any, case: Case) -> np.ndarray | None:
    """The picture on whose Axes an answer to a case comes back: the bytes of a PNG; None where it cannot be had."""
    arguments, keywords = _inputs(case)
    with contextlib.suppress(Exception, SystemExit):
        with _no_new_figures():
            figure = _call(answer, case, arguments, keywords).figure
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=min(DPI, LONGEST_SIDE / max(figure.get_size_inches())))
        found = np.frombuffer(buffer.getvalue(), dtype=np.uint8)
        return found if found.size <= MAX_ENTRIES else None
    return None


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


def raised_by_stub(seen: Observation) -> bool:
    """Return whether no answer came back since a TODO is still there."""
    return seen.error is not None and not seen.error.kind and seen.error.message.endswith(_STILL)


_STILL = "is still a TODO"


def _call(made: Any, case: Case, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    if isinstance(case, CasePutBy):
        module, _, name = case.by.partition(":")
        return public_course.current_course().load_helpers({name: module})[name](made, case, arguments)
    if case.each is not None:
        before, after = arguments[: case.each], arguments[case.each + 1 :]
        return [made(*before, item, *after, **keywords) for item in arguments[case.each]]
    numbers = [arguments[position] for position in case.gradient_of]
    watched = [one.requires_grad_() for one in numbers if one.is_floating_point()]
    value = output = made(*arguments, **keywords)
    if case.module is not None:
        value = {"output": output, **{name: _attribute(made, name) for name in case.module.shows}}
    if not case.gradient_of:
        return value
    parameters = {} if case.module is None else _parameters(made, case.module)
    gradients = _gradients(output, [*watched, *parameters.values()])
    seen = {"value": value, "gradients": gradients[: len(watched)]}
    if case.module is not None:
        seen["parameter_gradients"] = dict(zip(parameters, gradients[len(watched) :]))
    return seen


def _made(cls: Any, state: ModuleState) -> Any:
    import torch

    if not (isinstance(cls, type) and issubclass(cls, torch.nn.Module)):
        raise MissingRequirement("this is no class that inherits from nn.Module")
    _see_that_it_has(cls, "__init__")
    torch.default_generator.manual_seed(0)
    return cls(**state.init)


def _see_that_it_has(cls: Any, name: str) -> None:
    """Raise `Finding` where a class has no such method of its own."""
    import torch

    if getattr(cls, name) is getattr(torch.nn.Module, name):
        similar = difflib.get_close_matches(name, vars(cls), n=1)
        raise MissingRequirement(
            f"there is `{similar[0]}`, no `{name}`" if similar else f"there is no `{name}`"
        )


def _set_mode(module: Any, case: Case, state: ModuleState) -> None:
    """Have a module train or evaluate, as the student would; where it was to be called before, also that."""
    if state.evaluated_before:
        module.eval()
        arguments, keywords = _inputs(case)
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
    asked = (*state.parameters, *state.named)
    return {
        next((name for name in asked if name in aliases), aliases[0]): parameter
        for parameter, aliases in names.items()
    }


def _attribute(module: Any, name: str) -> Any:
    """What a module or, by a dotted name, a part of it keeps; None where there is nothing."""
    for part in name.split("."):
        module = getattr(module, part, None)
    return module


def _fill(module: Any, state: ModuleState) -> None:
    import torch

    _see_that_it_has(type(module), "forward")
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
    return hasattr(value, "requires_grad")


_handed_out: list[tuple[Any, Any]] = []
"""What the answer met of declared kinds since the last question, and how its cases declare that: as long as all of it
is there, no two have one `id`."""


def forget_arguments() -> None:
    """Let go of what was handed out for the question before."""
    _handed_out.clear()


def find_declaration(value: Any) -> Any:
    """How a case of the question declares this very argument; None for anything else."""
    return next((declared for met, declared in _handed_out if met is value), None)


def _inputs(case: Case) -> tuple[list[Any], dict[str, Any]]:
    keywords = {key: _materialise(argument) for key, argument in case.kwargs.items()}
    arguments = [_materialise(argument) for argument in case.args]
    if case.module is not None:
        declared = [wire.encode(argument) for argument in case.args]
        arguments = [arguments[declared.index(one)] for one in declared]
    return arguments, keywords


def _materialise(argument: Any) -> Any:
    """The argument as the answer meets it, made anew so that no call can spoil another's."""
    kind = argument_kinds.find_kind(argument)
    if kind is not None:
        met = kind.make(argument)
        _handed_out.append((met, argument))
        return met
    if isinstance(argument, np.ndarray):
        return argument.copy()
    if isinstance(argument, (list, tuple)):
        return type(argument)(_materialise(item) for item in argument)
    return argument


def _describe(error: BaseException, answer: Any, namespace: Mapping[str, Any]) -> StudentError:
    if isinstance(error, MissingRequirement):
        return StudentError("", shorten_message(str(error)))
    try:
        bases = (base for base in type(error).__mro__ if base.__module__ != namespace.get("__name__"))
        kind, message = next(bases).__name__, shorten_message(str(error))
    except (Exception, SystemExit):
        kind, message = "Exception", "(one that cannot be shown)"
    frames = list(traceback.walk_tb(error.__traceback__))
    last: Any = frames[-1][0].f_code if frames else None
    if kind == "NotImplementedError" and message == STUB and last in find_code(answer):
        return StudentError("", f"`{last.co_name}` {_STILL}")
    return StudentError(kind, message, find_error_line(error, answer, namespace))


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
    name, *names = (other.co_qualname.split(".")[0] for other in (code, *find_code(answer)))
    return f"{line}   (in {name})" if line and name not in names else line


@contextlib.contextmanager
def _no_new_figures() -> Iterator[None]:
    """Let an answer make a figure of its own, of which nothing is drawn or shown, and close what it opened."""
    pyplot: Any = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        yield
        return
    figure: Any = pyplot.Figure
    before, show, draw = set(pyplot.get_fignums()), pyplot.show, figure.draw
    pyplot.show = figure.draw = lambda *args, **kwargs: None
    if before:
        pyplot.figure()
    try:
        yield
    finally:
        pyplot.show, figure.draw = show, draw
        for number in set(pyplot.get_fignums()) - before:
            pyplot.close(number)
