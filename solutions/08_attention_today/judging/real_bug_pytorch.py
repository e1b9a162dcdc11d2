"""How `real_bug_pytorch` is judged: a mask that begins at the first key, as it happened in PyTorch."""

from autograder.exercises import Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = Exercise(
    graded=False,
    criteria=(Criterion("pytorch: one new word sees the first key alone", guesses.line_pytorch),),
    misconceptions=(
        mistake("pytorch: another line blamed", (1,), (2,), (4,)),
    ),
)
