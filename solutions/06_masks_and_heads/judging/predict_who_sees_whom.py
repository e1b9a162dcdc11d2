"""How `predict_who_sees_whom` is judged."""

from autograder.exercises import Case, Criterion, Exercise, Misconception

from ..checks import rules

EXERCISE = Exercise(
    examples=lambda: (Case("values", unordered=("sees_causal", "sees_padding", "sees_both")),),
    criteria=(
        Criterion("under the causal mask", rules.sees_causal, points=0),
        Criterion("under the padding mask", rules.sees_padding, points=0),
        Criterion("under both (where the other two are right)", rules.sees_all_three),
    ),
    misconceptions=(
        Misconception("mask looks ahead", "words that come later are among these",
            "While word 2 is being written, which words are already there?",
            *(
                (seen, [0, 1, 3], both)
                for seen in ([2, 3, 4], [3, 4], [0, 1, 2, 3, 4])
                for both in ([3], [0, 1], [0, 1, 3])
            )),
        Misconception("causal mask off by one", "it hides word 2 from itself, or shows it word 3",
            "Under a causal mask, how many words may word 0 see?",
            ([0, 1], [0, 1, 3], [0, 1]),
            ([0, 1, 2, 3], [0, 1, 3], [0, 1, 3]),
            ([0, 1, 2, 3], [0, 1, 3], [0, 1])),
        Misconception("padding mask inverted", "these are the pads",
            "Which words carry nothing to look at?",
            ([0, 1, 2], [2, 4], [2]),
            ([0, 1, 2], [2, 4], [0, 1])),
        Misconception("queries padded instead of keys",
            "word 2 is a pad itself, but padding takes columns away, not rows",
            "Does the padding mask have a row for each query, or one row for all?",
            ([0, 1, 2], [], []),
            ([0, 1, 2], [], [0, 1]),
            ([0, 1, 2], [0, 1, 2, 3, 4], [0, 1, 2])),
        Misconception("pad allowed to look at itself", "word 2 is a pad, so no one may look at it",
            "What stands at position 2?",
            ([0, 1, 2], [0, 1, 2, 3], [0, 1, 2]),
            ([0, 1, 2], [0, 1, 3], [0, 1, 2]),
            ([0, 1, 2], [0, 1, 2, 3], [0, 1])),
        Misconception("token values instead of positions", "these are the tokens that stand there",
            "Which position does the token 8 have?",
            ([5, 8, 0], [5, 8, 2], [5, 8]),
            ([5, 8, 0], [5, 8, 2], [5, 8, 0]),
            ([0, 2, 0], [5, 8, 2], [2]),
            ([0, 2, 0], [5, 8, 2], [5, 8])),
        Misconception("row of the mask instead of positions", "which positions are 1 in it is asked",
            "At which positions does your row hold a 1?",
            ([1, 1, 1, 0, 0], [1, 1, 0, 1, 0], [1, 1, 0, 0, 0])),
        Misconception("masks joined by or instead of and", "allowed by one of the masks is not enough",
            "Is it `&` or `|` that joins the two masks?",
            ([0, 1, 2], [0, 1, 3], [0, 1, 2, 3])),
        Misconception("positions counted from 1", "",
            "Which position does the first word have?",
            ([1, 2, 3], [1, 2, 4], [1, 2]),
            ([1, 2], [1, 2, 4], [1, 2])),
    ),
)
