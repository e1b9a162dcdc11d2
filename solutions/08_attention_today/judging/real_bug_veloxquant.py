"""How `real_bug_veloxquant` is judged: positions counted by the cache, as it happened in VeloxQuant."""

from autograder.exercises import Criterion, Exercise, Misconception

from ..checks import guesses

EXERCISE = Exercise(
    graded=False,
    criteria=(Criterion("VeloxQuant: positions counted by what is kept", guesses.line_veloxquant),),
    misconceptions=(
        Misconception(
            "VeloxQuant: another line blamed",
            "the window may roll: look at the number that is read off what is kept",
            "A hundred words were read, and fifteen are kept. Which position should the next word get?",
            (2,), (3,), (4,),
        ),
    ),
)
