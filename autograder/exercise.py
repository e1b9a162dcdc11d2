"""The words in which lessons are declared: exercises, cases, parts, misconceptions, keys, verdicts.

Plain data without behaviour of its own: nothing here runs student code, reads a file or draws a number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Tensor:
    """An argument that the answer meets as a `torch.Tensor`."""

    array: np.ndarray


@dataclass(frozen=True)
class RandomSource:
    """An argument that the answer meets as `numpy.random.default_rng(seed)`, made anew for each call."""

    seed: int


@dataclass(frozen=True)
class WordVectors:
    """An argument that the answer meets as gensim `KeyedVectors`: the bundled set when `words` is empty.

    matrix: (len(words), d), one row per word.
    """

    words: tuple[str, ...] = ()
    matrix: np.ndarray = field(default_factory=lambda: np.empty((0, 0)))


@dataclass(frozen=True)
class ModuleState:
    """How to make an `nn.Module` before it is called.

    `init` holds the constructor's keyword arguments, `parameters` maps a parameter's dotted name
    (`"W_q.weight"`) to the array copied into it; none are copied when it is empty.
    """

    init: Mapping[str, Any]
    parameters: Mapping[str, np.ndarray] = field(default_factory=dict)
    training: bool = False


@dataclass(frozen=True)
class Case:
    """One set of inputs put to an answer.

    tag: names the kind of case; a part says which tags it looks at.
    args, kwargs: what the function (or the module's `forward`) is called with.
    label: says in words what is special here; the inputs' shapes are added by the report.
    hidden: the student may see shapes, never values or expected values.
    each: the position of an argument that is a list of alternatives: the answer is called for each of them, in
        turn, and the value is the list of what came back.
    module: for an `nn.Module`, how it is made.
    gradient_of: positions of the arguments whose gradient is asked for as well, and with it those of a module's
        parameters, by name.
    scribble: write into the returned arrays before looking at the arguments again, to find a result that
        is the input itself.
    elsewhere: ask once more in another process.
    facts: numbers a rule needs about this case, such as a reference length.
    tolerance: relative to the largest expected entry, and absolute below 1.
    """

    tag: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    label: str = ""
    hidden: bool = False
    each: int | None = None
    module: ModuleState | None = None
    gradient_of: tuple[int, ...] = ()
    scribble: bool = False
    elsewhere: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-4


@dataclass(frozen=True)
class StudentError:
    """An exception in a student's code: its type's name, its message, and the line of theirs it came from."""

    kind: str
    message: str
    line: str = ""


@dataclass(frozen=True)
class Observation:
    """What one case brought to light; arrays are NumPy arrays, everything else is plain Python data.

    value: what came back. For a module it is `{"output", "attention_weights", "parameters"}`;
        with `gradient_of`, `{"value", "gradients"}`, and for a module `"parameter_gradients"` by name as well;
        for a figure, `{"axes": ...}` as `wire.describe_axes` says.
    again: what came back when the same was asked a second time, after all other cases, in reverse order.
    after: the arguments as they were when the answer had been given; a random generator is seen as the number it
        would have drawn next, which tells whether it was used.
    elsewhere: what came back in another process, or None where that was not asked; while no other process
        has been asked, what came back when texts had other hashes.
    """

    value: Any = None
    again: Any = None
    after: tuple[Any, ...] = ()
    elsewhere: Any = None
    error: StudentError | None = None


@dataclass(frozen=True)
class Problem:
    """Why a rule does not hold: what is wrong in a few words, what came back, what was expected.

    misconception: the name of the misconception this alone gives away, where there is one.
    """

    what: str
    got: str = ""
    expected: str = ""
    misconception: str = ""


Rule = Callable[[Case, Observation, Observation], Problem | None]
"""`rule(case, seen, expected)`: the problem it finds, or None when all is well."""


@dataclass(frozen=True)
class Part:
    """One line of a verdict: a rule that must hold on all cases with one of the tags (all cases when empty)."""

    title: str
    rule: Rule
    tags: tuple[str, ...] = ()
    points: int = 1


@dataclass(frozen=True)
class Misconception:
    """A mistake learners really make.

    name: its first-column words in the list of misconceptions.
    looks_like: the phrase after "Looks like:", which holds the name.
    question: leads to the fault without giving the answer away.
    wrong: answers that make this mistake, each written another way; empty where a rule alone gives it away.
    """

    name: str
    looks_like: str
    question: str
    wrong: tuple[Callable[..., Any], ...] = ()


@dataclass(frozen=True)
class Exercise:
    """Something a student writes, and how it is judged. Its points are the sum over its parts.

    id: the function's, the class's or the cell's name.
    signature: as the student should write it; for messages.
    parts: from the first thing to get right to the last.
    examples: the visible cases, the lesson's own example among them.
    draw: hidden cases from a random generator.
    values: the names of the variables to read, for an exercise that predicts instead of defining.
    graded: False for a question that is checked in the notebook alone and carries no points.
    library: library functions that would do the exercise, of those `listening` knows: calling one is not wrong,
        but the verdict says that it is not the point.
    builds_on: earlier exercises that this one may call, the earliest first. Where it is graded, `stand_ins` has a
        working version of each, so that a mistake there is not counted twice.
    """

    id: str
    signature: str
    parts: tuple[Part, ...]
    examples: Callable[[], tuple[Case, ...]]
    draw: Callable[[np.random.Generator], tuple[Case, ...]] = lambda rng: ()
    misconceptions: tuple[Misconception, ...] = ()
    values: tuple[str, ...] = ()
    graded: bool = True
    library: frozenset[str] = frozenset()
    builds_on: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        return sum(part.points for part in self.parts)


@dataclass(frozen=True)
class Lesson:
    """A lesson: its id (`03_word2vec_heatmap`), its title, its exercises in their order."""

    id: str
    title: str
    exercises: tuple[Exercise, ...]

    @property
    def notebook(self) -> str:
        """The notebook's name without suffix: the id without its number."""
        return self.id.split("_", 1)[1]


@dataclass(frozen=True)
class MistakenAnswers:
    """What a misconception answers: for each way of writing it, one observation a case."""

    name: str
    looks_like: str
    question: str
    observations: tuple[Sequence[Observation], ...] = ()


@dataclass(frozen=True)
class Key:
    """An answer key: the cases, what is right on them, and what each misconception would give."""

    exercise: str
    signature: str
    values: tuple[str, ...]
    parts: tuple[Part, ...]
    cases: tuple[Case, ...]
    expected: tuple[Observation, ...]
    mistakes: Sequence[MistakenAnswers]
    graded: bool = True
    library: frozenset[str] = frozenset()
    builds_on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Line:
    """One line of a verdict; `details` explain a failure in short lines of text."""

    title: str
    passed: bool
    points: int
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Verdict:
    """The judgement on one answer.

    state: "right", "wrong" or "not started".
    problem: why nothing could be judged (the name is missing, it is not callable …), else empty.
    misconception, looks_like, question: of the misconception that explains it, else empty.
    hidden: whether hidden cases were among those looked at.
    graded: False where there is nothing to earn.
    library: the library functions that did what the student was to write.
    mend_first: an earlier exercise that this one may call and that is not right yet, else empty.
    """

    exercise: str
    state: str
    lines: tuple[Line, ...]
    problem: tuple[str, ...] = ()
    misconception: str = ""
    looks_like: str = ""
    question: str = ""
    hidden: bool = False
    graded: bool = True
    library: tuple[str, ...] = ()
    mend_first: str = ""

    @property
    def passed(self) -> int:
        return sum(line.passed for line in self.lines)

    @property
    def points(self) -> int:
        return sum(line.points for line in self.lines if line.passed)

    @property
    def max_points(self) -> int:
        return sum(line.points for line in self.lines)
