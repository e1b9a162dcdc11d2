"""Rules of lesson 08 for what students commit to before a cell tells."""

from typing import Any

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem, Rule
from autograder.exercises.hidden_values import TEXT


def _guess(name: str, asked: str) -> Rule:
    """The rule that a value was guessed; what would be right is not said."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        own: Any = common.read_prediction(seen, name)
        wanted = expected.value[name]
        numbers = values.as_numbers(own)
        counted = numbers is not None and numbers.size == 1 and numbers.dtype.kind in "iuf"
        fits = isinstance(own, str) if wanted.form == TEXT else counted
        if not fits:
            raise NotReached(f"{name}: {asked} asked for", values.format_value(own))
        if wanted.matches(own):
            return None
        return Problem(f"{name} is not it yet", f"you say   {values.format_value(own)}", compared={name: own})

    rule.__name__ = rule.__qualname__ = name  # keys refer to it by this name
    return rule


loss_behind_16 = _guess("loss_behind_16", '"lower", "higher" or "same" is')
line_gemma = _guess("line_gemma", "the number of a line is")
line_veloxquant = _guess("line_veloxquant", "the number of a line is")
