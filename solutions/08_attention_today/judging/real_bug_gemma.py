"""How `real_bug_gemma` is judged: keys that are turned again, as it happened in Gemma."""

from autograder.exercises import Criterion, Exercise, Misconception

from ..checks import guesses

EXERCISE = Exercise(
    graded=False,
    criteria=(Criterion("gemma: kept keys are turned again", guesses.line_gemma),),
    misconceptions=(
        Misconception(
            "gemma: another line blamed",
            "each key has to be turned once, when its word comes",
            "How often has the oldest key been turned after five words?",
            (1,), (2,), (4,),
        ),
    ),
)
