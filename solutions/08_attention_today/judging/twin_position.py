"""How `twin_position` is judged."""

from autograder.exercises import Case, Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import rules

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=lambda: (Case("values", tolerance=0.01),),
    criteria=(Criterion("the first twin of position 0", rules.twin),),
    misconceptions=(
        mistake("the whole number nearest to one turn", (6,)),
        mistake("seven turns taken for 44 words", (44,)),
        mistake("an odd number of half turns", (355,)),
        mistake("a turn of 1 degree a word", (360,)),
        mistake("a later twin, not the first", (1420,)),
    ),
)
