"""How `real_bug_gemma` is judged: keys that are turned again, as it happened in Gemma."""

from autograder.exercises import Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import guesses

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    criteria=(Criterion("gemma: kept keys are turned again", guesses.line_gemma),),
    misconceptions=(
        mistake("gemma: another line blamed", (1,), (2,), (4,)),
    ),
)
