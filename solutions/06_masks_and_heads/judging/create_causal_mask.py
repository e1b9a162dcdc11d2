"""How `create_causal_mask` is judged."""

from autograder.exercises import Case, CasePutBy, Criterion, Exercise, Variant

from ...judging.mistakes import mistake
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
        mistake("mask looks ahead", ("tril()", "triu()"), ("tril()", "triu(1)")),
        mistake("causal mask off by one", ("tril()", "tril(-1)"), ("tril()", "tril(1)")),
        mistake("mask not boolean", (", dtype=torch.bool", ""),
            "return torch.full((n, n), -torch.inf).triu(1)", "return torch.full((n, n), -1e9).triu(1)"),
        mistake("an array or a list instead of a tensor", "return np.tri(n, dtype=bool)",
            "return [[j <= i for j in range(n)] for i in range(n)]"),
    ),
)
