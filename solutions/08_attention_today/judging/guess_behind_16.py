"""How `guess_behind_16` is judged."""

from autograder.exercises import Criterion, Exercise, Misconception

from ..checks import guesses

EXERCISE = Exercise(
    graded=False,
    criteria=(Criterion("what becomes of the loss past word 16", guesses.loss_behind_16),),
    misconceptions=(
        Misconception(
            "more words must help",
            "they would, if it had learned to read at such places",
            "Which rows has the writer never seen added to a word?",
            ("lower",),
        ),
        Misconception(
            "sixteen words are enough for it",
            "but it has never read at a later position",
            "Is it handed the last sixteen words, or all of them?",
            ("same",),
        ),
    ),
)
