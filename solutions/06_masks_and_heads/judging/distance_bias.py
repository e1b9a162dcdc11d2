"""How `distance_bias` is judged."""

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
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
        mistake("distance rewarded", ("return -slopes", "return slopes")),
        mistake("distance with its sign", (".abs()", ""),
            ("(positions[:, None] - positions).abs()", "(positions - positions[:, None])")),
        mistake("slopes counted from 0", ("torch.arange(1, num_heads + 1)", "torch.arange(num_heads)")),
        mistake("one slope for all heads", ("torch.arange(1, num_heads + 1)", "torch.ones(num_heads)"),
            ("torch.arange(1, num_heads + 1)", "torch.full((num_heads,), float(num_heads))")),
        mistake("slopes in the opposite order",
            ("torch.arange(1, num_heads + 1)", "torch.arange(num_heads, 0, -1)")),
    ),
)
