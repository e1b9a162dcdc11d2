"""How `additive_mask` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules


def examples() -> tuple[Case, ...]:
    padding = np.array([[[True, True, False]], [[True, False, False]]])
    return (
        Case("mask", (Tensor(np.tri(4, dtype=bool)),), label="the causal mask of four words"),
        Case("mask", (Tensor(padding),), label="padding"),
        Case("mask", (Tensor(np.ones((1, 2), dtype=bool)),), label="nothing hidden"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    empty = rng.random((3, 5)) < 0.5
    empty[1] = False
    return (
        Case("mask", (Tensor(rng.random((3, 5)) < 0.5),)),
        Case("mask", (Tensor(rng.random((2, 3, 4, 5)) < 0.5),), label="one mask a head"),
        Case("mask", (Tensor(empty),), label="query 1 may look nowhere"),
        Case("mask", (Tensor(np.array([[[True], [False]]])),), label="one key"),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    variant=Variant(
        "True is what may *not* be looked at: −inf there, 0 elsewhere.",
        ("~mask", "mask"),
    ),
    by_error=("works for one rank only",),
    criteria=(
        Criterion("a number for each place of the mask", rules.numbers),
        Criterion("0 where looking is allowed", rules.zero_where_allowed),
        Criterion("−inf where it is not", rules.minus_infinity_where_not),
        Criterion("the mask stays as it was", common.unchanged),
    ),
    misconceptions=(
        mistake("zero times infinity", "return (1 - mask.float()) * -torch.inf",
            "return (~mask).float() * -torch.inf"),
        mistake("mask inverted", ("~mask", "mask"), ("~mask, -torch.inf", "mask, -1e9"),
            "return mask.float() * -torch.inf", detail="what may be seen gets the number that should hide",
            question="Print your matrix beside the mask. What stands where the mask is True?"),
        mistake("+inf instead of -inf", ("-torch.inf", "torch.inf")),
        mistake("masked score not low enough", ("-torch.inf", "-1e9"),
            ("-torch.inf", "torch.finfo(torch.float32).min"), "return mask.float() - 1",
            detail="a number is added that is not −∞",
            question="Is there a score so high that this number cannot hide it?"),
        mistake("mask added as a number", "return mask.float()", detail="True became 1, and False 0",
            question="What is left of a score when 0 is added to it? What is a hidden key's share then?"),
        mistake("mask transposed", (".masked_fill(~mask, -torch.inf)", ".masked_fill(~mask, -torch.inf).mT"),
            question="Does a row of your matrix belong to a query or to a key?"),
        mistake("works for one rank only", ("return ", "n, m = mask.shape; return ", "mask.shape)", "n, m)"),
            detail="a mask may have any number of axes", question="How many axes has a padding mask?"),
        mistake("writes into its input"),
    ),
)
