"""Put cases to a student's answer, and record what comes back.

This runs in the same process as the student's code. It knows inputs only: no expected value, no reference, no verdict.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import sys
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from types import FrameType
from typing import Any

import numpy as np

from autograder.calls.call import ask_once, forget_arguments, is_stub, raised_by_stub
from autograder.calls.reference_stub import replace_names
from autograder.calls.serialize import to_plain_data
from autograder.exercises.exercise import Case, Observation
from autograder.exercises.values import are_close

NUMPY_ERRORS: Any = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
NUMPY_PRINTS: Any = np.get_printoptions()
"""NumPy's settings as they came: this is imported before a student's code runs."""

MISSING, NOT_CALLABLE, NOT_STARTED, ASKED = STATES = ("missing", "not callable", "not started", "asked")


MISSPELT = 2
"""By how many letters a misspelt name may differ: two that were swapped, or a wrong one."""


@dataclass(frozen=True)
class Question:
    """What is put to one answer: its name, the variables to read if it asks for values, and the cases.

    library: library functions whose calls are noticed, see `_listen`.
    reference_stubs: the names of earlier answers that this one may call and that stubs replace.
    helpers: what the notebook has from other lessons: by name, the module of the public half that holds it.
    other_exercises: names of the lesson's other exercises, none of which is this one's, misspelt.
    mended_slip: the name of a code slip, and the place of the answer in which it is mended; see `code_slips`.
    """

    name: str
    values: tuple[str, ...]
    cases: tuple[Case, ...]
    library: Mapping[str, str] = field(default_factory=dict)
    reference_stubs: tuple[str, ...] = ()
    helpers: Mapping[str, str] = field(default_factory=dict)
    other_exercises: tuple[str, ...] = ()
    mended_slip: tuple[str, int] | None = None

    @property
    def has_stubs(self) -> bool:
        """Return whether anything replaces what the student has written, or has from other lessons."""
        return bool(self.reference_stubs or self.helpers)

    def without_stubs(self) -> Question:
        """Return the question about the student's own code alone."""
        return replace(self, reference_stubs=(), helpers={})

    def without_listening(self) -> Question:
        """Return the question without listening for library functions: a stub may call any of them."""
        return replace(self, library={})

    def withhold(self, exercises: Collection[str]) -> Question:
        """Return the question without stubs for these exercises, which are still to be asked."""
        stubs = [name for name in self.reference_stubs if name not in exercises]
        return replace(self, reference_stubs=tuple(stubs))


@dataclass(frozen=True)
class Answers:
    """The observations of an answer.

    state: "missing", "not callable", "not started" or "asked"; only the last comes with observations.
    observations: one for each case, in the cases' order.
    library: the library functions that were called, where the question lists some.
    similar: where the answer is missing or not started, a name like its own that is defined.
    code_slip: the name of the code slip that explains what is wrong, where one was found.
    ended: how answering was ended from outside; the observations are what came until then. Empty otherwise.
    """

    state: str
    observations: tuple[Observation, ...] = ()
    library: tuple[str, ...] = ()
    similar: str = ""
    code_slip: str = ""
    ended: str = ""


Tell = Callable[[int, Observation], object]


def ask_all(
    question: Question, namespace: dict[str, Any], tell: Tell = lambda place, observations: None
) -> Answers:
    """Ask an answer all cases, and the first case of each tag once more behind them, the last tag first.

    Where one of these gives something else than before, all other cases are asked again as well. Drawings are asked for
    once.

    tell: is called with the position and the observation of each case at once, and again when it was asked again.
    """
    answers = ask(question, namespace, tell)
    if question.values or answers.state != ASKED:
        return answers
    answer, observations = (
        namespace.get(question.name),
        [*answers.observations],
    )  # an answer may delete its own name

    def ask_again(place: int) -> bool:
        """Ask a case once more, and return whether it gave the same."""
        case, first = question.cases[place], observations[place]
        if not (_is_drawn(first) or case.once):
            observations[place] = replace(first, again=ask_once(answer, case, namespace).value)
            tell(place, observations[place])
        return are_close(observations[place].again, first.value, 0.0)

    observations = [replace(first, again=first.value) for first in observations]
    first_of_tag = {case.tag: i for i, case in reversed([*enumerate(question.cases)])}
    places = sorted(first_of_tag.values(), reverse=True)
    with silence():
        if not all([ask_again(place) for place in places]):
            for place in reversed(range(len(observations))):
                if place not in places:
                    ask_again(place)
        library = _listen(answer, question, namespace)
        elsewhere = [ask_with_other_hash(answer, case, namespace) for case in question.cases]
    observations = [replace(first, elsewhere=value) for first, value in zip(observations, elsewhere)]
    return Answers(ASKED, tuple(observations), library)


def ask(
    question: Question, namespace: dict[str, Any], tell: Tell = lambda place, observations: None
) -> Answers:
    """Ask the answer that `namespace` holds all cases, once and in their order."""
    if question.values:
        return _read_values(question, namespace)
    if question.name not in namespace:
        return Answers(MISSING, similar=_similar(question.name, question, namespace))
    answer = namespace[question.name]
    if not callable(answer):
        return Answers(NOT_STARTED if answer is ... else NOT_CALLABLE)
    forget_arguments()
    observations: list[Observation] = []
    with silence():
        for place, case in enumerate(question.cases):
            observations.append(ask_once(answer, case, namespace))
            tell(place, observations[place])
    if is_stub(answer) and all(map(raised_by_stub, observations)):
        return Answers(NOT_STARTED, similar=_similar(question.name, question, namespace))
    return Answers(ASKED, tuple(observations))


def _is_drawn(observation: Observation) -> bool:
    return isinstance(observation.value, dict) and "axes" in observation.value


def _listen(answer: Any, question: Question, namespace: dict[str, Any]) -> tuple[str, ...]:
    """Return the names of the library functions that an answer calls, however it got hold of them.

    A function is known by where it is defined, `module:qualified name`.
    """
    if not question.library or not question.cases:
        return ()
    called: dict[str, None] = {}

    def listen(frame: FrameType, event: str, argument: Any) -> None:
        origin = ""
        if event == "call":
            origin = f"{frame.f_globals.get('__name__')}:{frame.f_code.co_qualname}"
        elif event == "c_call":
            origin = f"{getattr(argument, '__module__', None)}:{getattr(argument, '__qualname__', None)}"
        if origin in question.library:
            called.setdefault(question.library[origin])

    profiler = sys.getprofile()
    sys.setprofile(listen)
    try:
        ask_once(answer, question.cases[0], namespace)
    finally:
        sys.setprofile(profiler)
    return tuple(called)


def ask_with_other_hash(answer: Any, case: Case, namespace: dict[str, Any]) -> Any:
    """Return what a case gives with another `hash`, as in another process; None where that is not asked.

    Of several items, the last is asked first.
    """
    if not case.elsewhere:
        return None
    args = list(case.args)
    if case.each is not None:
        args[case.each] = args[case.each][::-1]
    with replace_names({} if "hash" in namespace else {"hash": _other_hash}, namespace):
        value = ask_once(answer, replace(case, args=tuple(args)), namespace).value
    return value[::-1] if case.each is not None and value is not None else value


def _read_values(question: Question, namespace: Mapping[str, Any]) -> Answers:
    """Return the values that were filled in."""
    filled = {name: namespace[name] for name in question.values if name in namespace}
    value = {name: to_plain_data(item) for name, item in filled.items() if item is not ...}
    if value:
        return Answers(ASKED, (Observation(value=value, again=value),))
    similar = _similar(question.values[0], question, namespace)
    return Answers(NOT_STARTED if filled else MISSING, similar=similar)


def _similar(name: str, question: Question, namespace: Mapping[str, Any]) -> str:
    """Return what the notebook defines under this name misspelt; empty where nothing is, or it is another exercise."""
    excluded, module = {*question.other_exercises, question.name, *question.values}, namespace.get("__name__")
    for candidate, value in namespace.items():
        if (
            candidate in excluded
            or candidate.startswith("_")
            or count_unmatched_letters(name, candidate) > MISSPELT
        ):
            continue
        if question.values or callable(value) and getattr(value, "__module__", None) == module:
            return candidate
    return ""


def count_unmatched_letters(name: str, second_name: str) -> int:
    """Return how many letters of two names have no match in the other: of two that were swapped, or a wrong one, 2."""
    blocks = difflib.SequenceMatcher(None, name, second_name, False).get_matching_blocks()
    return len(name) + len(second_name) - 2 * sum(block.size for block in blocks)


def _other_hash(value: Any) -> int:
    """Return what `hash` gives for texts, and for tuples that hold some, in another process."""
    if isinstance(value, tuple):
        return hash(tuple(map(_other_hash, value)))
    return hash((20170612, value) if isinstance(value, (str, bytes)) else value)


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Hold back prints and warnings while an answer is asked, with the libraries' default settings."""
    nowhere = io.StringIO()
    with (
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
        warnings.catch_warnings(action="ignore"),
        np.errstate(**NUMPY_ERRORS),
        np.printoptions(**NUMPY_PRINTS),
        default_torch_settings(),
    ):
        yield


@contextlib.contextmanager
def default_torch_settings() -> Iterator[None]:
    """Set PyTorch's settings to its defaults for a while, where it is imported."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        yield
        return
    dtype = torch.get_default_dtype()
    torch.set_default_dtype(torch.float32)
    try:
        with torch.enable_grad(), torch.autograd.set_detect_anomaly(False):
            yield
    finally:
        torch.set_default_dtype(dtype)
