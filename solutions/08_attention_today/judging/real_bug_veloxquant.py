"""How `real_bug_veloxquant` is judged: positions counted by the cache, as it happened in VeloxQuant."""

from autograder.exercises import Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    criteria=(Criterion("VeloxQuant: positions counted by what is kept", guesses.line_veloxquant),),
    misconceptions=(
        mistake("VeloxQuant: another line blamed", (2,), (3,), (4,)),
    ),
)
