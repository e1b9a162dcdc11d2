"""Rules of lesson 08."""

from autograder.model import common, values
from autograder.model.exercise import Case, Observation, Problem


def twin(case: Case, seen: Observation, expected: Observation) -> Problem | None:
    """The position was found; what would be right is not said."""
    own = common.predicted(seen, "twin")
    if expected.value["twin"].matches(own):
        return None
    return Problem("twin is not it yet", values.shown(own), said={"twin": own})
