"""How `distance_bias` is judged."""

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common

from ..checks import rules


def cases(*sizes: tuple[int, int]) -> tuple[Case, ...]:
    return tuple(Case("bias", pair, label=f"n = {pair[0]}, num_heads = {pair[1]}") for pair in sizes)


EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=lambda: cases((4, 2), (3, 16)),
    draw=lambda rng: cases((int(rng.integers(5, 9)), 4), (2, 8), (6, 1), (1, 4)),
    variant=Variant(
        "The *square* of the distance counts.",
        (".abs()", " ** 2"),
    ),
    criteria=(
        Criterion("(num_heads, n, n)", common.shape),
        Criterion("0 on the diagonal", rules.no_distance),
        Criterion("the further away the lower, by each head's slope", rules.some_distance),
    ),
    misconceptions=(
        Misconception("distance rewarded", "the bias grows with the distance",
            "Which sign has the bias of a far key, if near ones are to win?",
            ("return -slopes", "return slopes")),
        Misconception("distance with its sign", "keys on one side of the query are favoured",
            "How far is word 5 from word 3, and word 3 from word 5?",
            (".abs()", ""),
            ("(positions[:, None] - positions).abs()", "(positions - positions[:, None])")),
        Misconception("slopes counted from 0", "the first head's slope is 1",
            "What is the slope of head 0, if 2 heads are to have 1/16 and 1/256?",
            ("torch.arange(1, num_heads + 1)", "torch.arange(num_heads)")),
        Misconception("one slope for all heads", "the heads have the same idea of near and far",
            "Compare `bias[0]` with the last head's.",
            ("torch.arange(1, num_heads + 1)", "torch.ones(num_heads)"),
            ("torch.arange(1, num_heads + 1)", "torch.full((num_heads,), float(num_heads))")),
        Misconception("slopes in the opposite order", "head 0 should mind distance most",
            "Which head has the slope 2^(−8)?",
            ("torch.arange(1, num_heads + 1)", "torch.arange(num_heads, 0, -1)")),
    ),
)
