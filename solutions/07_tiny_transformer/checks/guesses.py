"""Rules of lesson 07 for what students commit to before they run a cell."""

from typing import Any

from autograder.exercises import common, values
from autograder.exercises.exercise import Case, NotReached, Observation, Problem, Rule
from autograder.exercises.hidden_values import TEXT, TRUTH, Concealed


def _guess(name: str, asked: str) -> Rule:
    """The rule that a value was guessed; what would be right is not said."""

    def rule(case: Case, seen: Observation, expected: Observation) -> Problem | None:
        own, wanted = common.read_prediction(seen, name), expected.value[name]
        if not _comparable(own, wanted):
            raise NotReached(f"{name}: {asked} asked for", values.format_value(own))
        if wanted.matches(own):
            return None
        return Problem(f"{name} is not it yet", f"you say   {values.format_value(own)}")

    rule.__name__ = rule.__qualname__ = name  # keys refer to it by this name
    return rule


def _comparable(own: Any, wanted: Concealed) -> bool:
    """Whether the answer is of the kind that is asked for."""
    if isinstance(own, str) or wanted.form == TEXT:
        return isinstance(own, str) and wanted.form == TEXT
    numbers = values.as_numbers(own)
    if numbers is None or numbers.shape != wanted.shape:
        return False
    return (numbers.dtype.kind == "b") == (wanted.form == TRUTH)


bites_changes = _guess("bites_changes", "True or False is")
dog_changes = _guess("dog_changes", "True or False is")
targets = _guess("targets", "a list of four token numbers is")
untrained_loss = _guess("untrained_loss", "one number is")
loss_without_mask = _guess("loss_without_mask", '"lower", "higher" or "same" is')
text_without_mask = _guess("text_without_mask", '"better", "worse" or "same" is')
