"""Rules of lesson 09 for what students commit to before a cell tells, and for its puzzle with a number."""

from typing import Any

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem, Rule
from autograder.exercises.hidden_values import TEXT, TRUTH


def _guess(name: str, asked: str) -> Rule:
    """The rule that a value was guessed; what would be right is not said."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        own: Any = common.read_prediction(seen, name)
        wanted = expected.value[name]
        if wanted.matches(own):
            return None
        numbers = values.as_numbers(own)
        if wanted.form == TEXT:
            fits = isinstance(own, str)
        else:
            fits = numbers is not None and numbers.size == 1 and (numbers.dtype.kind == "b") == (wanted.form == TRUTH)
        if not fits:
            raise NotReached(f"{name}: {asked} asked for", values.format_value(own))
        return Problem(f"{name} is not it yet", f"you say   {values.format_value(own)}", compared={name: own})

    rule.__name__ = rule.__qualname__ = name  # keys refer to it by this name
    return rule


product_takes_twice_as_long = _guess("product_takes_twice_as_long", "True or False is")
softmax_finds = _guess("softmax_finds", '"almost always", "half" or "rarely" is')
line_onnx = _guess("line_onnx", "the number of a line is")
line_flashinfer = _guess("line_flashinfer", "the number of a line is")
line_mlx = _guess("line_mlx", "the number of a line is")
