"""The classes in which exercises are declared: exercises, cases, criteria, rules, misconceptions, answer keys.

They are plain data: nothing here runs student code, reads a file or draws a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograder.exercises import argument_kinds

NEVER_CROSSES: Mapping[str, Any] = {"crosses": "never"}
CROSSES_IF_SET: Mapping[str, Any] = {"crosses": "if set"}
"""Metadata of fields that `wire` leaves out: always, as only the trusted side needs it, or while nothing is in it."""


@dataclass(frozen=True)
class ModuleState:
    """Instructions to make an `nn.Module` before it is called.

    `init` holds the constructor's keyword arguments, `parameters` maps a parameter's dotted name
    (`"W_q.weight"`) to the array copied into it; none are copied when it is empty. `shows` names the attributes
    that are looked at after the call, those of its parts by dotted names. `evaluated_before`: it is called once after
    `eval()`, before it is called in the mode that `training` says. `called_before`: the arguments of a call before the
    one that counts, in the same mode; none where there is no such call. `named`: where none are copied, the names of
    the parameters that are asked for; one that has more names than one goes by the first that is asked for.
    """

    init: Mapping[str, Any]
    parameters: Mapping[str, np.ndarray] = field(default_factory=dict)
    training: bool = False
    shows: tuple[str, ...] = ()
    evaluated_before: bool = False
    called_before: tuple[Any, ...] = ()
    named: tuple[str, ...] = ()


@dataclass(frozen=True)
class Call:
    """A call of a method of an object, see `Case.calls`."""

    method: str
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        vars(self).update(args=argument_kinds.declare(self.args), kwargs=argument_kinds.declare(self.kwargs))


@dataclass(frozen=True)
class Case:
    """One set of inputs put to an answer.

    tag: names the kind of case; a criterion says which tags it looks at.
    args, kwargs: what the function (or the module's `forward`) is called with. Arguments of a module that are alike are
        one object, as in `layer(x, x, x)`. A pandas DataFrame or Series may stand here as it is.
    calls: for a plain class, of which `args` and `kwargs` make an object: what is done with it, in turn. A `Call` calls
        a method, a text names an attribute that is read. The value is a dictionary of what they gave.
    raises: the exception that the solution raises here, by its class's name. An answer must raise that or a subclass.
    label: says in words what is special here; the inputs' shapes are added by the report.
    hidden: the student may see shapes, never values or expected values.
    each: the position of an argument that is a list of alternatives: the answer is called for each of them, in
        turn, and the value is the list of what came back.
    module: for an `nn.Module`, how it is made.
    gradient_of: positions of the arguments whose gradient is asked for as well, and with it those of a module's
        parameters, by name; whole numbers have none.
    scribble: write into the returned arrays before looking at the arguments again, to find a result that
        is the input itself.
    elsewhere: ask once more while `hash` gives other numbers for texts, as in another process.
    once: take what came back for what comes a second time; for a costly case, where other cases are asked again.
    facts: numbers a rule needs about this case, such as a reference length.
    tolerance: relative to the largest expected entry, and absolute below 1; where values are asked for, absolute.
    unordered: where values are asked for, the names of those that are collections, or lists of them: in any order, and
        as many as it may be. What is expected of one stands in ascending order.
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
    once: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-4
    unordered: tuple[str, ...] = ()
    calls: tuple[Call | str, ...] = field(default=(), metadata=CROSSES_IF_SET)
    raises: str = field(default="", metadata=NEVER_CROSSES)

    def __post_init__(self) -> None:
        vars(self).update(args=argument_kinds.declare(self.args), kwargs=argument_kinds.declare(self.kwargs))

    @property
    def inputs(self) -> tuple[Any, ...]:
        """Return all arguments: the positional ones, the keywords', and those of calls."""
        return list_inputs(self.args, self.kwargs, self.calls)


def list_inputs(
    args: Iterable[Any], kwargs: Mapping[str, Any], calls: Iterable[Call | str]
) -> tuple[Any, ...]:
    """Return the positional arguments, the keywords', and those of calls."""
    pairs = [(args, kwargs), *((call.args, call.kwargs) for call in calls if isinstance(call, Call))]
    return tuple(argument for args, kwargs in pairs for argument in (*args, *kwargs.values()))


@dataclass(frozen=True, kw_only=True)
class CasePutBy(Case):
    """A case that takes more than one call, or measures what a call costs.

    by: a function of the course's public half, as `shown.asking:in_turn`; it is called with the answer, the case and
        the arguments, and gives the value.
    """

    by: str


@dataclass(frozen=True)
class StudentError:
    """The reason why no answer came back: an exception in a student's code, or a requirement that is not met.

    kind: the exception's type; empty for a requirement, which the message then states.
    line: the student's line it came from.
    bases: the names of the classes that the exception's type is derived from.
    """

    kind: str
    message: str
    line: str = ""
    bases: tuple[str, ...] = field(default=(), metadata=CROSSES_IF_SET)

    def is_a(self, kind: str) -> bool:
        """Return whether the exception is of this type or of a subclass."""
        return kind == self.kind or kind in self.bases


@dataclass(frozen=True)
class Observation:
    """The result of one case; arrays are NumPy arrays, everything else is plain Python data.

    value: what came back. For a module it is `{"output"}` and the attributes that it `shows`; with `gradient_of`,
        `{"value", "gradients"}`, and for a module `"parameter_gradients"` by name as well; for a figure,
        `{"axes": ...}` as `serialize.describe_axes` says; for an exercise that asks for values, those filled in.
    built: of a module, when it had been made and before it was called: `{"parameters"}` with their shapes, and what it
        `shows` already.
    again: what came back when the same was asked a second time, after all other cases. Where the first case of each tag
        gave the same again, the others are not asked, and it is `value`.
    after: the arguments after the call; a random generator is recorded as the number it would draw next, which tells
        whether it was used.
    elsewhere: what came back when `hash` gave other numbers for texts, or None where that was not asked.

    Of what is expected where values are asked for, and of what mistakes give there, `value` holds what recognises each
    of them, see `concealed`.
    """

    value: Any = None
    again: Any = None
    after: tuple[Any, ...] = ()
    elsewhere: Any = None
    error: StudentError | None = None
    built: Any = None


@dataclass(frozen=True)
class Problem:
    """The reason why a rule does not hold: a message, what was observed, what was expected; each a short text.

    misconception: the name of the misconception this alone gives away, where there is one.
    argument: the position of the argument that this is about, where it is about one.
    compared: where values are asked for, those that this is about, by name, in the form in which they are compared: the
        misconception that gives the same is the one that is named.
    """

    message: str
    observed: str = ""
    expected: str = ""
    misconception: str = ""
    argument: int | None = None
    compared: Mapping[str, Any] = field(default_factory=dict, compare=False)


class NotReached(Exception):
    """A rule cannot be decided by what came back; `problem` says why."""

    def __init__(self, message: str, observed: str = "", expected: str = "", misconception: str = "") -> None:
        super().__init__(message)
        self.problem = Problem(message, observed, expected, misconception)


Rule = Callable[[Case, Observation, Observation], Problem | None]
"""`rule(case, seen, expected)`: the problem that was seen, or None where all is well.

Raises `NotReached` where what came back does not let it see: a rule about numbers that gets another shape.
"""


@dataclass(frozen=True)
class Criterion:
    """One criterion of a verdict: a rule that must hold on all cases with one of the tags (all cases when empty).

    built: whether it looks at a module as it was made, and so also where calling it failed.
    plain: where the title is about something special, the tags of cases without that. While the rule does not hold on
        these either, the criterion is not reached, unless numbers that are not finite come here and never there.
    """

    title: str
    rule: Rule
    tags: tuple[str, ...] = ()
    points: int = 1
    built: bool = False
    plain: tuple[str, ...] = ()


STUB = "this is still a TODO"
"""The message of the `NotImplementedError` that an unfinished function or method raises."""

WrongAnswer = str | tuple[Any, ...]
"""A wrong answer, in the shortest form that shows what is wrong in it.

A text: the body of a function with the exercise's signature, or, where it begins with `def`, `class`, `@`, `import`
or `from`, a whole cell. It is run where the lesson's imports and all reference solutions are known.
A tuple of texts, old and new by turns: the reference solution's cell with each old text, which it holds, replaced.
For an exercise that asks for values, a tuple of them in their order.
"""


@dataclass(frozen=True, init=False)
class Misconception:
    """A mistake learners really make: `Misconception(name, detail, question, *wrong)`.

    name: its first-column words in the list of misconceptions.
    detail: what it means here, said after the name; may be empty.
    question: leads to the fault without giving the answer away.
    wrong: answers that make this mistake, each written another way; none where a rule alone gives it away.
    """

    name: str
    detail: str
    question: str
    wrong: tuple[WrongAnswer, ...] = ()

    def __init__(self, name: str, detail: str, question: str, *wrong: WrongAnswer) -> None:
        vars(self).update(name=name, detail=detail, question=question, wrong=wrong)

    @property
    def looks_like(self) -> str:
        """The phrase after "Looks like:"."""
        return f"{self.name}: {self.detail}" if self.detail else self.name


@dataclass(frozen=True)
class Variant:
    """An exercise with one convention changed, for a student who has seen its answer.

    asks: what is different now, in Markdown; the function is called `<exercise>_twin`.
    answer: the right one, in the form of a wrong answer to the exercise.
    tags: of the visible cases that it is asked; it is never asked those on which the exercise raises an error.
    rule: what must hold on them; without one, that what comes back is what the answer gives.
    """

    asks: str
    answer: WrongAnswer
    tags: tuple[str, ...] = ()
    rule: Rule | None = None


@dataclass(frozen=True)
class Exercise:
    """Something a student writes, and how it is judged. Its points are the sum over its criteria.

    criteria: from the first thing to get right to the last.
    examples: the visible cases, the lesson's own example among them.
    draw: hidden cases from a random generator.
    misconceptions: what is known to go wrong.
    graded: False for a question that is checked in the notebook alone and carries no points.
    puzzle: True for one to go further with, graded or not, which the start page counts by itself.
    results: the lesson's names for what comes back, in order: a line that gives a variable of such a name another value
        is pointed at where a student steps through the answer.
    steps: likewise the lesson's names for what the solution makes on the way, as ("scores",).
    library: library functions that would do the exercise, by `module:qualified name`, with their names: calling one is
        not wrong, but the verdict mentions it.
    builds_on: earlier exercises that this one may call, the earliest first. Where it is graded, their `reference_stub`
        takes their place, so that a mistake there is not counted twice.
    reference_stub: a working version of this exercise, a function of the same name, for those that build on it. It is
        called from another process, with copies of its arguments, see `autograder/calls/reference_stub.py`.
    variant: what earns the answer, once it has been opened.
    by_error: the names of misconceptions that only say on which inputs an answer fails, as *works for one rank only*.
        They are true of all that is right elsewhere and raises the same error there. No other name is given because of
        an error's text alone.
    canonical: where right answers differ in what they give, gives what is the same in all, for a case and a value. The
        keys of locked solutions are made of that in the notebook, so it is a function of the course's public half.
    free: of such an exercise without `canonical`, the tags of the cases on which right answers differ.
    unchanged: the title of a last criterion, worth one point, that the arguments are what they were before the call. It
        is added where an answer could change one, unless a criterion judges that already; "" switches it off.
    helpers: for the same use, what the notebook has from other lessons, or a class of this one: by name, the module of
        the course's public half that holds it, as `shown.helpers`.

    What the lesson's source says already is filled in from there:
    id: the function's, the class's or the cell's name.
    signature: as the student should write it, for messages.
    values: the names of the variables to read, for an exercise that predicts instead of defining.
    """

    criteria: tuple[Criterion, ...]
    examples: Callable[[], tuple[Case, ...]] = lambda: (Case("values"),)
    draw: Callable[[np.random.Generator], tuple[Case, ...]] = lambda rng: ()
    misconceptions: tuple[Misconception, ...] = ()
    graded: bool = True
    puzzle: bool = False
    results: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    library: Mapping[str, str] = field(default_factory=dict)
    builds_on: tuple[str, ...] = ()
    reference_stub: Callable[..., Any] | None = None
    variant: Variant | None = None
    helpers: Mapping[str, str] = field(default_factory=dict)
    canonical: Callable[[Case, Any], Any] | None = None
    free: tuple[str, ...] = ()
    by_error: tuple[str, ...] = ()
    unchanged: str = "leaves its inputs as they were"
    id: str = ""
    signature: str = ""
    values: tuple[str, ...] = ()

    @property
    def points(self) -> int:
        """Return the points of all criteria together."""
        return sum(part.points for part in self.criteria)


@dataclass(frozen=True)
class MistakenAnswers:
    """The answers of a misconception: for each way of writing it, one observation per case.

    by_error: whether it may be named where every sign of it is an error, see `Exercise`.
    """

    name: str
    looks_like: str
    question: str
    observations: tuple[Sequence[Observation], ...] = ()
    by_error: bool = False


@dataclass(frozen=True, kw_only=True)
class AnswerKey:
    """An answer key: the cases, what is right on them, and what each misconception would give.

    steps: of the visible cases, by the lesson's names, what the solution makes on the way; nothing where it is long.
    free: tags of cases to which right answers differ: what is expected there is one of them.
    """

    exercise: str
    signature: str
    values: tuple[str, ...]
    graded: bool = True
    puzzle: bool = False
    results: tuple[str, ...] = ()
    steps: tuple[Mapping[str, Any], ...] = ()
    free: tuple[str, ...] = ()
    library: Mapping[str, str] = field(default_factory=dict)
    builds_on: tuple[str, ...] = ()
    criteria: tuple[Criterion, ...]
    cases: tuple[Case, ...]
    expected: tuple[Observation, ...]
    mistakes: Sequence[MistakenAnswers]
