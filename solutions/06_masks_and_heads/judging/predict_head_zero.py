"""How `predict_head_zero` is judged."""

from autograder.exercises import Case, Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import rules

EXERCISE = Exercise(
    graded=False,
    examples=lambda: (Case("values", tolerance=0.01),),
    criteria=(
        Criterion("what head 0 should get", rules.head_0),
        Criterion("what a bare view gives it", rules.head_0_by_view),
    ),
    misconceptions=(
        mistake("view instead of transpose", ([[0, 1], [2, 3], [4, 5]], [[0, 1], [2, 3], [4, 5]]),
            ([[0, 1], [2, 3], [4, 5]], [[0, 1], [4, 5], [8, 9]]),
            detail="head 0 has all of word 0, and nothing of word 2",
            question="Which columns belong to head 0, and how many words should it know?"),
        mistake("view taken for a transpose", ([[0, 1], [4, 5], [8, 9]], [[0, 1], [4, 5], [8, 9]])),
        mistake("columns dealt to the heads in turn", ([[0, 2], [4, 6], [8, 10]], [[0, 1], [2, 3], [4, 5]]),
            ([[0, 2], [4, 6], [8, 10]], [[0, 2], [4, 6], [8, 10]]), detail="head 0 owns neighbouring columns",
            question="Head 0 owns the first d_head columns. Which are these?"),
    ),
)
