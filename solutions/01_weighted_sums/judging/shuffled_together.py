"""How `shuffled_together` is judged."""

from autograder.exercises import Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import guess

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=guess,
    criteria=(
        Criterion("weights and vectors shuffled alike", rules.both_shuffled),
        Criterion("the vectors alone", rules.vectors_shuffled),
    ),
    misconceptions=(
        mistake("order taken to matter", ([4, 3], [4, 3]), ([3, 3], [4, 3])),
        mistake("order taken not to matter", ([5, 2], [5, 2])),
        mistake("shuffled the other way round", ([5, 2], [3, 3])),
        mistake("the two exchanged", ([4, 3], [5, 2])),
    ),
)
