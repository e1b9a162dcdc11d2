"""How `create_causal_mask` is judged."""

from autograder.exercises import Case, CasePutBy, Criterion, Exercise, Misconception, Variant

from ..checks import rules


def cases(*sizes: int) -> tuple[Case, ...]:
    return tuple(Case("size", (n,)) for n in sizes)


OF_TYPE = CasePutBy("type", (4,), by="06_masks_and_heads.checks.asking:type_returned")

EXERCISE = Exercise(
    examples=lambda: (*cases(4, 3, 1), OF_TYPE),
    draw=lambda rng: cases(2, 5, int(rng.integers(6, 12))),
    variant=Variant(
        "True is what may *not* be looked at.",
        (".tril()", ".triu(1)"),
        ("size",),
    ),
    criteria=(
        Criterion("a tensor, n × n, of True and False", rules.boolean_tensor),
        Criterion("every word sees itself", rules.itself, ("size",)),
        Criterion("every word sees all earlier ones", rules.everything_before, ("size",)),
        Criterion("no word sees a later one", rules.nothing_ahead, ("size",)),
    ),
    misconceptions=(
        Misconception("mask looks ahead", "it shows the later words and hides the earlier ones",
            "Row 0 belongs to the first word. May it see word 1?",
            ("tril()", "triu()"),
            ("tril()", "triu(1)")),
        Misconception("causal mask off by one", "it hides a word from itself, or shows it the next one",
            "How many True does row 0 have, and how many should it have?",
            ("tril()", "tril(-1)"),
            ("tril()", "tril(1)")),
        Misconception("mask not boolean", "a mask of numbers",
            "What does `~mask` print?",
            (", dtype=torch.bool", ""),
            "return torch.full((n, n), -torch.inf).triu(1)",
            "return torch.full((n, n), -1e9).triu(1)"),
        Misconception("an array or a list instead of a tensor", "a mask is handed to PyTorch, which asks for a tensor",
            "What does `type(…)` say of what you return?",
            "return np.tri(n, dtype=bool)",
            "return [[j <= i for j in range(n)] for i in range(n)]"),
    ),
)
