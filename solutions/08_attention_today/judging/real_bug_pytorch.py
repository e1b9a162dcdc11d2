"""How `real_bug_pytorch` is judged: a mask that begins at the first key, as it happened in PyTorch."""

from autograder.exercises import Criterion, Exercise, Misconception

from ..checks import guesses

EXERCISE = Exercise(
    graded=False,
    criteria=(Criterion("pytorch: one new word sees the first key alone", guesses.line_pytorch),),
    misconceptions=(
        Misconception(
            "pytorch: another line blamed",
            "the new keys belong behind the old ones, and the rest is attention",
            "One word asks, ten are there. Print the mask: which keys may this word see?",
            (1,), (2,), (4,),
        ),
    ),
)
