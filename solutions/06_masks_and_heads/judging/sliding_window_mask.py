"""How `sliding_window_mask` is judged."""

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention import common_rules

from ...judging.mistakes import mistake
from ..checks import rules


def cases(*sizes: tuple[int, int]) -> tuple[Case, ...]:
    return tuple(Case("size", pair, label=f"n = {pair[0]}, width = {pair[1]}") for pair in sizes)


EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=lambda: cases((6, 3), (5, 1), (3, 5)),
    draw=lambda rng: cases((9, int(rng.integers(4, 8))), (int(rng.integers(7, 12)), 2), (1, 1)),
    variant=Variant(
        "The window lies ahead: True where key j is query i itself or one of the width − 1 words *after* it.",
        ("positions[:, None] - positions", "positions - positions[:, None]"),
    ),
    criteria=(
        Criterion("n × n, of True and False", common_rules.boolean),
        Criterion("every word sees itself", rules.itself),
        Criterion("of the words before it, the width − 1 nearest alone", rules.everything_before),
        Criterion("no word sees a later one", rules.nothing_ahead),
    ),
    misconceptions=(
        mistake("window off by one", ("< width", "<= width"), ("< width", "< width - 1")),
        mistake("window on both sides", ("return (back >= 0) & (back < width)", "return back.abs() < width"),
            ("return (back >= 0) & (back < width)", "return (back > -width) & (back < width)")),
        mistake("mask not boolean",
            ("return (back >= 0) & (back < width)", "return ((back >= 0) & (back < width)).float()")),
        mistake("mask looks ahead", ("positions[:, None] - positions", "positions - positions[:, None]"),
            detail="the window lies in front of the word",
            question="Which sign has your difference where the key comes later?"),
    ),
)
