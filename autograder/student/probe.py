"""Puts cases to a student's answer and writes down what comes back.

This runs where the student's code runs. It knows inputs only: no expected value, no reference, no verdict.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any

import numpy as np

from autograder.model import kinds, values, wire
from autograder.model.exercise import Case, ModuleState, Observation, StudentError
from autograder.student.listening import library_calls

MISSING, NOT_CALLABLE, NOT_STARTED, ASKED = "missing", "not callable", "not started", "asked"


@dataclass(frozen=True)
class Question:
    """What is put to one answer: its name, the variables to read if it asks for values, and the cases.

    library: library functions whose calls are noticed, see `listening`.
    stand_ins: source texts of working versions of earlier answers that this one may call, by name; see `stand_ins`.
    """

    name: str
    values: tuple[str, ...]
    cases: tuple[Case, ...]
    library: Mapping[str, str] = field(default_factory=dict)
    stand_ins: Mapping[str, str] = field(default_factory=dict)

    def withhold(self, exercises: Collection[str]) -> Question:
        """The question without stand-ins for these exercises, which are still to be asked."""
        known = {name: text for name, text in self.stand_ins.items() if name not in exercises}
        return replace(self, stand_ins=known)


@dataclass(frozen=True)
class Answers:
    """What an exercise's answer gave.

    state: "missing", "not callable", "not started" or "asked"; only the last comes with observations.
    observations: one for each case, in the cases' order.
    library: the library functions that were called, where that was listened for.
    """

    state: str
    observations: tuple[Observation, ...] = ()
    library: tuple[str, ...] = ()


def ask_all(question: Question, namespace: dict[str, Any]) -> tuple[Answers, ...]:
    """Ask an answer as it stands, and where there are stand-ins for earlier answers, with these as well.

    Where these make no difference, the answers with them are left out.
    """
    own = ask(question, namespace)
    if not question.stand_ins:
        return (own,)
    unheard = replace(question, library={})  # a stand-in may call what it likes
    with _standing_in(question.stand_ins, namespace):
        aided = _ask_in_order(unheard, namespace)
        if _make_no_difference(own, aided, question.cases):
            return (own,)
        return own, replace(_ask_again(unheard, namespace, aided), library=own.library)


def _make_no_difference(own: Answers, aided: Answers, cases: Sequence[Case]) -> bool:
    """Whether an answer gives with stand-ins what it gives without, each time, nowhere near its tolerance."""
    if own.state != ASKED or aided.state != ASKED:
        return False
    return all(
        seen.error is None
        and other.error is None
        and not case.elsewhere
        and all(values.alike(one, other.value, case.tolerance / 10) for one in (seen.value, seen.again))
        and values.alike(seen.after, other.after, case.tolerance / 10)
        for case, seen, other in zip(cases, own.observations, aided.observations)
    )


def ask(question: Question, namespace: dict[str, Any], again: bool = True) -> Answers:
    """Ask the answer that `namespace` holds all cases, twice: in order, and again backwards.

    again: whether to ask a second time; an answer known to repeat itself need not be asked. Drawings are not.
    """
    once = _ask_in_order(question, namespace)
    return _ask_again(question, namespace, once) if again else once


def _ask_in_order(question: Question, namespace: dict[str, Any]) -> Answers:
    if question.values:
        return _read_values(question.values, namespace)
    if question.name not in namespace:
        return Answers(MISSING)
    answer = namespace[question.name]
    if not callable(answer):
        return Answers(NOT_STARTED if answer is ... else NOT_CALLABLE)
    with _quiet():
        seen = tuple(_ask_once(answer, case, namespace) for case in question.cases)
    if any(one.error and one.error.kind == "NotImplementedError" for one in seen):
        return Answers(NOT_STARTED)
    return Answers(ASKED, seen)


def _ask_again(question: Question, namespace: dict[str, Any], once: Answers) -> Answers:
    """The answers with what comes the second time, and elsewhere, where the answer is one that can be called."""
    if question.values or once.state != ASKED:
        return once
    answer = namespace[question.name]
    with _quiet():
        pairs = zip(reversed(question.cases), reversed(once.observations))
        repeated = [_repeated(answer, case, seen, namespace) for case, seen in pairs][::-1]
        library = _listen(answer, question, namespace)
    there = ask_elsewhere(question, namespace).observations
    observed = zip(once.observations, repeated, there)
    seen = (replace(seen, again=value, elsewhere=far.value) for seen, value, far in observed)
    return Answers(ASKED, tuple(seen), library)


def _repeated(answer: Callable[..., Any], case: Case, seen: Observation, namespace: dict[str, Any]) -> Any:
    drawn = isinstance(seen.value, dict) and "axes" in seen.value
    return seen.value if drawn else _ask_once(answer, case, namespace).value


def _listen(answer: Callable[..., Any], question: Question, namespace: dict[str, Any]) -> tuple[str, ...]:
    if not question.library or not question.cases:
        return ()
    return library_calls(lambda: _ask_once(answer, question.cases[0], namespace), question.library)


def ask_elsewhere(question: Question, namespace: dict[str, Any]) -> Answers:
    """The answer's values for those cases that are to be asked in another process as well.

    Texts get other hashes than usual, as in another process, also when this one is a copy of the first.
    """
    if not callable(namespace.get(question.name)):
        return Answers(MISSING)
    answer = namespace[question.name]
    with _quiet(), _other_hashes(namespace):
        return Answers(
            ASKED,
            tuple(
                _ask_once(answer, case, namespace) if case.elsewhere else Observation()
                for case in question.cases
            ),
        )


def ask_all_elsewhere(question: Question, namespace: dict[str, Any]) -> tuple[Answers, ...]:
    """`ask_elsewhere`, and where there are stand-ins for earlier answers, with these as well."""
    own = ask_elsewhere(question, namespace)
    if not question.stand_ins:
        return (own,)
    with _standing_in(question.stand_ins, namespace):
        return own, ask_elsewhere(question, namespace)


def request(question: Question) -> str:
    """A question as text, to be put to a notebook's answers by `reply`."""
    return wire.dumps([question.name, question.values, question.cases, question.library, question.stand_ins])


def read_request(text: str) -> Question:
    """The question behind a request."""
    return Question(*wire.loads(text))


def reply(request: str, elsewhere: bool, namespace: dict[str, Any]) -> str:
    """Put a `request` to the answers in a notebook's namespace, and give what `read_reply` reads.

    elsewhere: whether to ask only what is to be asked in another process as well.
    """
    question = read_request(request)
    attempts = (ask_all_elsewhere if elsewhere else ask_all)(question, namespace)
    return wire.dumps([[answers.state, answers.library, *answers.observations] for answers in attempts])


def read_reply(text: Any, question: Question) -> tuple[Answers, ...]:
    """What came back from a student's process, doubted. Raises `wire.WireError` if it is not a reply."""
    if not isinstance(text, str) or not text.isascii():
        raise wire.WireError("not a reply")
    try:
        attempts = wire.loads(text)
    except ValueError as error:
        raise wire.WireError(str(error)) from None
    if not isinstance(attempts, list) or not 1 <= len(attempts) <= 2:
        raise wire.WireError("not a reply")
    return tuple(_read_answers(attempt, question) for attempt in attempts)


def _read_answers(data: Any, question: Question) -> Answers:
    states = (MISSING, NOT_CALLABLE, NOT_STARTED, ASKED)
    if not isinstance(data, list) or len(data) < 2 or not isinstance(data[0], str) or data[0] not in states:
        raise wire.WireError("not an answer's state")
    state, library, observations = data[0], data[1], data[2:]
    known = question.library.values()
    if not isinstance(library, tuple) or not all(isinstance(one, str) and one in known for one in library):
        raise wire.WireError("not names of library functions")
    expected = max(1, len(question.cases)) if state == ASKED else 0
    if len(observations) != expected or not all(map(_well_formed, observations)):
        raise wire.WireError("not the observations that were asked for")
    bounded = tuple(replace(seen, error=_in_bounds(seen.error)) for seen in observations)
    return Answers(state, bounded, library)


def _in_bounds(error: StudentError | None) -> StudentError | None:
    """The error with texts of the lengths that the probe gives them, whoever wrote it."""
    return error and StudentError(error.kind[:80], error.message[:300], error.line[:200])


def _well_formed(seen: Any) -> bool:
    if not isinstance(seen, Observation) or not isinstance(seen.after, tuple):
        return False
    if seen.error is None:
        return True
    texts = (
        (seen.error.kind, seen.error.message, seen.error.line)
        if isinstance(seen.error, StudentError)
        else (0,)
    )
    return all(isinstance(text, str) for text in texts)


def _read_values(names: Sequence[str], namespace: Mapping[str, Any]) -> Answers:
    missing = [name for name in names if name not in namespace]
    if len(missing) == len(names):
        return Answers(MISSING)
    if missing or any(namespace[name] is ... for name in names):
        return Answers(NOT_STARTED)
    value = {name: _plain(namespace[name]) for name in names}
    return Answers(ASKED, (Observation(value=value, again=value),))


def _ask_once(answer: Callable[..., Any], case: Case, namespace: dict[str, Any]) -> Observation:
    arguments = [_materialise(argument) for argument in case.args]
    keywords = {key: _materialise(argument) for key, argument in case.kwargs.items()}
    try:
        with _no_new_figures():
            value = _call(answer, case, arguments, keywords)
            plain = _plain(value)
    except (Exception, SystemExit) as error:
        return Observation(error=_describe_error(error, namespace))
    if case.scribble:
        _scribble(value)
    return Observation(value=plain, after=tuple(_plain(a) for a in (*arguments, *keywords.values())))


def _call(answer: Callable[..., Any], case: Case, arguments: list[Any], keywords: dict[str, Any]) -> Any:
    made: Any = answer if case.module is None else _made(answer, case.module)
    if case.each is not None:
        before, after = arguments[: case.each], arguments[case.each + 1 :]
        return [made(*before, item, *after, **keywords) for item in arguments[case.each]]
    watched = [arguments[position].requires_grad_() for position in case.gradient_of]
    value = made(*arguments, **keywords)
    if case.module is not None:
        value = _module_value(made, value, case.module.shows)
    if not watched:
        return value
    parameters = {} if case.module is None else dict(made.named_parameters())
    gradients = _gradients(value, [*watched, *parameters.values()])
    seen = {"value": value, "gradients": gradients[: len(watched)]}
    if case.module is not None:
        seen["parameter_gradients"] = dict(zip(parameters, gradients[len(watched) :]))
    return seen


def _module_value(module: Any, output: Any, shows: Sequence[str]) -> dict[str, Any]:
    return {
        "output": output,
        **{name: getattr(module, name, None) for name in shows},
        "parameters": {name: tuple(p.shape) for name, p in module.named_parameters()},
    }


def _made(cls: Callable[..., Any], state: ModuleState) -> Any:
    import torch

    torch.default_generator.manual_seed(0)
    module = cls(**state.init)
    own = dict(module.named_parameters())
    with torch.no_grad():
        for name, array in state.parameters.items():
            if name not in own:
                raise AttributeError(f"the module has no parameter {name}; it has {', '.join(own) or 'none'}")
            if tuple(own[name].shape) != array.shape:
                raise ValueError(f"{name} has shape {tuple(own[name].shape)}, expected {array.shape}")
            own[name].copy_(torch.as_tensor(array))
    return module.train(state.training)


def _gradients(value: Any, watched: Sequence[Any]) -> list[Any]:
    """The gradients of one fixed weighting of all floating-point outputs; None where there is none."""
    import torch

    total = sum(_weighted(output) for output in _tensors(value) if output.requires_grad)
    learning = [tensor for tensor in watched if tensor.requires_grad]
    if not isinstance(total, torch.Tensor):
        return [None for _ in watched]
    found = iter(torch.autograd.grad(total, learning, allow_unused=True))
    return [next(found) if tensor.requires_grad else None for tensor in watched]


def _weighted(output: Any) -> Any:
    import torch

    return (output * torch.linspace(-1, 2, output.numel(), dtype=output.dtype).reshape(output.shape)).sum()


def _tensors(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return _tensors(value.get("output"))
    if isinstance(value, (tuple, list)):
        return [tensor for item in value for tensor in _tensors(item)]
    return [value] if hasattr(value, "requires_grad") else []


def _materialise(argument: Any) -> Any:
    """The argument as the answer meets it, made anew so that no call can spoil another's."""
    kind = kinds.kind_of(argument)
    if kind is not None:
        return kind.make(argument)
    if isinstance(argument, np.ndarray):
        return argument.copy()
    if isinstance(argument, (list, tuple)):
        return type(argument)(_materialise(item) for item in argument)
    return argument


def _plain(value: Any) -> Any:
    """A copy of `value` as plain data, as it would arrive on the other side of the wire."""
    if isinstance(value, (list, tuple)):
        items = [_plain(item) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    seen = kinds.recognised(value)
    if seen is not None:
        return seen
    if hasattr(value, "get_xlabel") and hasattr(value, "collections"):
        return {"axes": describe_axes(value)}
    if isinstance(value, (set, frozenset, range)):
        if len(value) > wire.MAX_ENTRIES:
            return wire.Opaque(type(value).__name__)
        return sorted(_plain(item) for item in value)
    array = wire.as_array(value)
    if array is not None:
        return array.copy()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return wire.Opaque(type(value).__name__)


def describe_axes(axes: Any) -> dict[str, Any]:
    """What a matplotlib Axes shows, as plain data.

    data: (rows, columns), the numbers of its heatmap or image; x_labels, y_labels: the tick labels of columns
    and rows in the same order; texts: what is written into the picture.
    """
    drawn = [*axes.collections, *axes.images]
    data = np.ma.getdata(drawn[0].get_array()) if drawn else None
    return {
        "data": None if data is None else np.array(data, dtype=float),
        "x_labels": [label.get_text() for label in axes.get_xticklabels()],
        "y_labels": [label.get_text() for label in axes.get_yticklabels()],
        "x_name": axes.get_xlabel(),
        "y_name": axes.get_ylabel(),
        "title": _title(axes),
        "texts": [text.get_text() for text in axes.texts],
    }


def _title(axes: Any) -> str:
    """The title over the axes, wherever it stands, or else the whole figure's."""
    titles = [axes.get_title(loc=place) for place in ("center", "left", "right")]
    return str(next(filter(None, titles), axes.figure.get_suptitle()))


def _scribble(value: Any) -> None:
    for item in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(item, np.ndarray) and item.dtype.kind in "iuf":
            with contextlib.suppress(ValueError):
                item.flags.writeable = True  # a library may lock what it hands out
                item += 1


def _describe_error(error: BaseException, namespace: Mapping[str, Any]) -> StudentError:
    try:
        kind, message = type(error).__name__, str(error)[:300]
    except (Exception, SystemExit):
        kind, message = "Exception", "(one that cannot be shown)"
    return StudentError(kind, message, _own_line(error.__traceback__, namespace))


def _own_line(traceback: TracebackType | None, namespace: Mapping[str, Any]) -> str:
    """The last line of the notebook's own code on the way to the error."""
    line = ""
    while traceback is not None:
        frame = traceback.tb_frame
        if frame.f_globals is namespace:
            line = linecache.getline(frame.f_code.co_filename, traceback.tb_lineno).strip()
        traceback = traceback.tb_next
    return line[:200]


@contextlib.contextmanager
def _standing_in(stand_ins: Mapping[str, str], namespace: dict[str, Any]) -> Iterator[None]:
    """Put working versions in the place of earlier answers, so that their mistakes are not counted twice."""
    before = {name: namespace[name] for name in stand_ins if name in namespace}
    workshop: dict[str, Any] = {}
    for name, text in stand_ins.items():
        exec(compile(text, f"a working {name}", "exec"), workshop)
    namespace.update({name: workshop[name] for name in stand_ins})
    try:
        yield
    finally:
        for name in stand_ins:
            namespace.pop(name, None)
        namespace.update(before)


@contextlib.contextmanager
def _other_hashes(namespace: dict[str, Any]) -> Iterator[None]:
    """Give texts other hashes than usual, for code that looks `hash` up in `namespace`."""
    if "hash" in namespace:
        yield
        return
    namespace["hash"] = lambda value: (
        hash((20170612, value)) if isinstance(value, (str, bytes)) else hash(value)
    )
    try:
        yield
    finally:
        namespace.pop("hash", None)


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Hold back prints and warnings while an answer is being asked."""
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        stack.enter_context(contextlib.redirect_stderr(io.StringIO()))
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        yield


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
