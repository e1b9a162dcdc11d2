"""Puts cases to a student's answer and writes down what comes back.

This runs where the student's code runs. It knows inputs only: no expected value, no reference, no verdict.
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

from autograder.model.exercise import Case, Observation
from autograder.student.calling import ask_once, begin_question, is_stub, picture_of, raised_by_stub
from autograder.student.plain import plain
from autograder.student.stand_ins import standing_in

NUMPY_ERRORS: Any = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}
NUMPY_PRINTS: Any = np.get_printoptions()
"""NumPy's settings as they came: this is imported before a student's code runs."""

MISSING, NOT_CALLABLE, NOT_STARTED, ASKED = STATES = ("missing", "not callable", "not started", "asked")


MISSPELT = 2
"""By how many letters a misspelt name differs: two that were swapped, or a wrong one."""


@dataclass(frozen=True)
class Question:
    """What is put to one answer: its name, the variables to read if it asks for values, and the cases.

    library: library functions whose calls are noticed, see `_listen`.
    stand_ins: the signatures of earlier answers that this one may call and that working versions stand in for, by name;
        see `stand_ins`.
    brought: likewise, of what the notebook has from other lessons, the modules of the course's shown half that hold it.
    others: names of the lesson's other exercises, none of which is this one's, misspelt.
    mend: the name of a slip, and which place of the answer is asked mended; see `slips`.
    """

    name: str
    values: tuple[str, ...]
    cases: tuple[Case, ...]
    library: Mapping[str, str] = field(default_factory=dict)
    stand_ins: Mapping[str, str] = field(default_factory=dict)
    brought: Mapping[str, str] = field(default_factory=dict)
    others: tuple[str, ...] = ()
    mend: tuple[str, int] | None = None

    @property
    def aided(self) -> bool:
        """Whether anything stands in for what the student has written or brought."""
        return bool(self.stand_ins or self.brought)

    def unaided(self) -> Question:
        """The question with nothing but what the student has written."""
        return replace(self, stand_ins={}, brought={})

    def unheard(self) -> Question:
        """The question without listening for library functions: a stand-in may call what it likes."""
        return replace(self, library={})

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
    similar: where the answer is missing or not started, a name like its own that is defined.
    picture: the bytes of a PNG, where one was wanted and drawn.
    slip: the name of the slip that explains what is wrong, where one was found; see `slips`.
    ended: how answering ended where it came to no end of its own: the observations are what came until then.
    """

    state: str
    observations: tuple[Observation, ...] = ()
    library: tuple[str, ...] = ()
    similar: str = ""
    picture: np.ndarray | None = None
    slip: str = ""
    ended: str = ""


def tell_nobody(place: int, seen: Observation) -> None:
    """For who waits until all is answered."""


def ask_all(
    question: Question, namespace: dict[str, Any], tell: Callable[[int, Observation], None] = tell_nobody
) -> Answers:
    """Ask an answer all cases twice, in order and again backwards. Drawings are asked for once.

    tell: is told at once what was observed for the case in a place, and once more when it was asked again.
    """
    once = ask(question, namespace, tell)
    if question.values or once.state != ASKED:
        return once
    answer = namespace.get(question.name)  # an answer may overwrite or delete its own name
    with quiet():
        repeated = [None] * len(question.cases)
        for i, (case, first) in reversed([*enumerate(zip(question.cases, once.observations))]):
            repeated[i] = _repeated(answer, case, first, namespace)
            tell(i, replace(first, again=repeated[i]))
        library = _listen(answer, question, namespace)
    there = ask_elsewhere(question, namespace).observations or [Observation()] * len(repeated)
    observed = zip(once.observations, repeated, there)
    seen = (replace(seen, again=value, elsewhere=far.value) for seen, value, far in observed)
    return Answers(ASKED, tuple(seen), library)


def with_picture(answers: Answers, question: Question, namespace: Mapping[str, Any]) -> Answers:
    """What `ask_all` gave, and where the answer draws, as a picture what it draws for the first case."""
    if not answers.observations or not _is_drawn(answers.observations[0]):
        return answers
    with quiet():
        return replace(answers, picture=picture_of(namespace.get(question.name), question.cases[0]))


def ask(
    question: Question, namespace: dict[str, Any], tell: Callable[[int, Observation], None] = tell_nobody
) -> Answers:
    """Ask the answer that `namespace` holds all cases, once and in their order."""
    if question.values:
        return _read_values(question, namespace)
    if question.name not in namespace:
        return Answers(MISSING, similar=_similar(question.name, question, namespace))
    answer = namespace[question.name]
    if not callable(answer):
        return Answers(NOT_STARTED if answer is ... else NOT_CALLABLE)
    begin_question()
    seen: list[Observation] = []
    with quiet():
        for i, case in enumerate(question.cases):
            seen.append(ask_once(answer, case, namespace))
            tell(i, seen[i])
    if is_stub(answer) and all(map(raised_by_stub, seen)):
        return Answers(NOT_STARTED, similar=_similar(question.name, question, namespace))
    return Answers(ASKED, tuple(seen))


def _repeated(answer: Any, case: Case, seen: Observation, namespace: dict[str, Any]) -> Any:
    return seen.value if _is_drawn(seen) or case.once else ask_once(answer, case, namespace).value


def _is_drawn(seen: Observation) -> bool:
    return isinstance(seen.value, dict) and "axes" in seen.value


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

    before = sys.getprofile()
    sys.setprofile(listen)
    try:
        ask_once(answer, question.cases[0], namespace)
    finally:
        sys.setprofile(before)
    return tuple(called)


def ask_elsewhere(question: Question, namespace: dict[str, Any]) -> Answers:
    """Ask those cases that are to give the same in every process, items the last one first, with another `hash`."""
    if not callable(namespace.get(question.name)):
        return Answers(MISSING)
    answer = namespace[question.name]
    hashes = {} if "hash" in namespace else {"hash": _other_hash}
    with quiet(), standing_in(hashes, namespace):
        seen = [
            _asked_backwards(answer, case, namespace) if case.elsewhere else Observation()
            for case in question.cases
        ]
    return Answers(ASKED, tuple(seen))


def _asked_backwards(answer: Any, case: Case, namespace: Mapping[str, Any]) -> Observation:
    """What an answer gives for a case, in its order; where that holds several items, the last is asked first."""
    if case.each is None:
        return ask_once(answer, case, namespace)
    args = list(case.args)
    args[case.each] = args[case.each][::-1]
    seen = ask_once(answer, replace(case, args=tuple(args)), namespace)
    return seen if seen.error else replace(seen, value=seen.value[::-1])


def _read_values(question: Question, namespace: Mapping[str, Any]) -> Answers:
    """What was filled in."""
    known = {name: namespace[name] for name in question.values if name in namespace}
    value = {name: plain(found) for name, found in known.items() if found is not ...}
    if value:
        return Answers(ASKED, (Observation(value=value, again=value),))
    similar = _similar(question.values[0], question, namespace)
    return Answers(NOT_STARTED if known else MISSING, similar=similar)


def _similar(name: str, question: Question, namespace: Mapping[str, Any]) -> str:
    """What the notebook defines under this name misspelt; empty where nothing is, or it is another exercise."""
    known = {*question.others, question.name, *question.values}
    own = [other for other in namespace if other not in known and not other.startswith("_")]
    if not question.values:
        own = [other for other in own if _written_here(namespace[other], namespace)]
    return next((other for other in own if unlike(name, other) <= MISSPELT), "")


def unlike(name: str, other: str) -> int:
    """How many letters of two names have no match in the other: of two that were swapped, or of a wrong one, 2."""
    blocks = difflib.SequenceMatcher(None, name, other, False).get_matching_blocks()
    return len(name) + len(other) - 2 * sum(block.size for block in blocks)


def _written_here(value: Any, namespace: Mapping[str, Any]) -> bool:
    return callable(value) and getattr(value, "__module__", None) == namespace.get("__name__")


def _other_hash(value: Any) -> int:
    """As `hash`, of texts and of tuples that hold some as in another process."""
    if isinstance(value, tuple):
        return hash(tuple(map(_other_hash, value)))
    return hash((20170612, value) if isinstance(value, (str, bytes)) else value)


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """Hold back prints and warnings while an answer is being asked, with the libraries' settings as they came."""
    nowhere = io.StringIO()
    with (
        redirect_stdout(nowhere),
        redirect_stderr(nowhere),
        warnings.catch_warnings(action="ignore"),
        np.errstate(**NUMPY_ERRORS),
        np.printoptions(**NUMPY_PRINTS),
        usual_torch(),
    ):
        yield


@contextlib.contextmanager
def usual_torch() -> Iterator[None]:
    """With PyTorch's settings as they came, where it is imported."""
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
