"""How `predict_who_sees_whom` is judged."""

from autograder.exercises import Case, Criterion, Exercise

from ...judging.mistakes import mistake
from ..checks import rules

EXERCISE = Exercise(
    examples=lambda: (Case("values", unordered=("sees_causal", "sees_padding", "sees_both")),),
    criteria=(
        Criterion("under the causal mask", rules.sees_causal, points=0),
        Criterion("under the padding mask", rules.sees_padding, points=0),
        Criterion("under both (where the other two are right)", rules.sees_all_three),
    ),
    misconceptions=(
        mistake("mask looks ahead",
            *(
                (seen, [0, 1, 3], both)
                for seen in ([2, 3, 4], [3, 4], [0, 1, 2, 3, 4])
                for both in ([3], [0, 1], [0, 1, 3])
            ), detail="words that come later are among these",
            question="While word 2 is being written, which words are already there?"),
        mistake("causal mask off by one", ([0, 1], [0, 1, 3], [0, 1]), ([0, 1, 2, 3], [0, 1, 3], [0, 1, 3]),
            ([0, 1, 2, 3], [0, 1, 3], [0, 1]), detail="it hides word 2 from itself, or shows it word 3",
            question="Under a causal mask, how many words may word 0 see?"),
        mistake("padding mask inverted", ([0, 1, 2], [2, 4], [2]), ([0, 1, 2], [2, 4], [0, 1]),
            detail="these are the pads", question="Which words carry nothing to look at?"),
        mistake("queries padded instead of keys", ([0, 1, 2], [], []), ([0, 1, 2], [], [0, 1]),
            ([0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 2]),
            detail="word 2 is a pad itself, but padding takes columns away, not rows",
            question="Does the padding mask have a row for each query, or one row for all?"),
        mistake("pad allowed to look at itself", ([0, 1, 2], [0, 1, 2, 3], [0, 1, 2]),
            ([0, 1, 2], [0, 1, 3], [0, 1, 2]), ([0, 1, 2], [0, 1, 2, 3], [0, 1])),
        mistake("token values instead of positions", ([5, 8, 0], [5, 8, 2], [5, 8]),
            ([5, 8, 0], [5, 8, 2], [5, 8, 0]), ([0, 2, 0], [5, 8, 2], [2]), ([0, 2, 0], [5, 8, 2], [5, 8])),
        mistake("row of the mask instead of positions", ([1, 1, 1, 0, 0], [1, 1, 0, 1, 0], [1, 1, 0, 0, 0])),
        mistake("masks joined by or instead of and", ([0, 1, 2], [0, 1, 3], [0, 1, 2, 3])),
        mistake("positions counted from 1", ([1, 2, 3], [1, 2, 4], [1, 2]), ([1, 2], [1, 2, 4], [1, 2]),
            question="Which position does the first word have?"),
    ),
)
