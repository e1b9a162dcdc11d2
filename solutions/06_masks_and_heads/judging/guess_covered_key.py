"""How `guess_covered_key` is judged."""

from autograder.exercises import Case, Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import rules

EXERCISE = Exercise(
    graded=False,
    examples=lambda: (Case("values", tolerance=0.01),),
    criteria=(
        Criterion("the weights with no key hidden", rules.real_weights),
        Criterion("the key to hide", rules.covered_key),
    ),
    misconceptions=(
        mistake("score of 0 taken for a weight of 0", ([0.5, 0.0, 0.5], 1), ([0.5, 0.0, 0.5], 0),
            ([0.5, 0.0, 0.5], 2)),
        mistake("not divided by √d_k", ([0.42, 0.16, 0.42], 1),
            detail="the scores go into the softmax as they are",
            question="The keys have two features. By what are the scores divided?"),
        mistake("positions counted from 1", ([0.4, 0.2, 0.4], 2),
            question="Which position does the first key have?"),
    ),
)
