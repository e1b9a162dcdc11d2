"""How `shuffled_together` is judged."""

from autograder.exercises import Criterion, Exercise, Misconception

from ..checks import rules
from .cases import guess

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=guess,
    criteria=(
        Criterion("weights and vectors shuffled alike", rules.both_shuffled),
        Criterion("the vectors alone", rules.vectors_shuffled),
    ),
    misconceptions=(
        Misconception("order taken to matter", "where weights move along with their vectors, it does not",
            "List the products that are added up, before and after: is any of them new?",
            ([4, 3], [4, 3]),
            ([3, 3], [4, 3])),
        Misconception("order taken not to matter", "which weight meets which vector does",
            "After the shuffle of the vectors alone, which vector meets the weight 0.5?",
            ([5, 2], [5, 2])),
        Misconception("shuffled the other way round", "there the first one went to the end",
            "Which vector stands in front after the shuffle, the second or the third?",
            ([5, 2], [3, 3])),
        Misconception("the two exchanged", "each stands under the other's name",
            "In which of the two does every vector keep its weight?",
            ([4, 3], [5, 2])),
    ),
)
