"""How `name_the_slip` is judged."""

from autograder.exercises import Criterion

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import prediction

EXERCISE = prediction(
    (
        Criterion("which key wins", rules.winner),
        Criterion("the line where it goes wrong", rules.faulty_line),
    ),
    mistake("blames the exponential", (51, 3), detail="it only turns scores into positive numbers",
        question="Is what goes into the exponential what your table says?"),
    mistake("blames the sum", (51, 4)),
    mistake("blames the difference", (51, 1)),
    mistake("position or weight instead of the waist", (0, 2), (1, 2)),
    mistake("value instead of the key", (40, 2)),
)
