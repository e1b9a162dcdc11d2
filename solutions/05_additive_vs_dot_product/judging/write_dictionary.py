"""How `write_dictionary` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import tensor


def examples() -> tuple[Case, ...]:
    turned = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    rng = np.random.default_rng(58)
    return (
        Case("words", (tensor(np.eye(3)), tensor(turned)), label="words along the axes"),
        Case("words", (words(rng, 2, 5), words(rng, 2, 5)), label="two words of width 5"),
        Case("words", (words(rng, 4, 4), words(rng, 4, 4)), label="as many words as the width"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return tuple(Case("words", (words(rng, *size), words(rng, *size))) for size in ((3, 8), (5, 9), (3, 3), (1, 1)))


def words(rng: np.random.Generator, n: int, d: int) -> Tensor:
    """n rows of width d, none of them near a mix of the others, and of different lengths."""
    left, _, right = np.linalg.svd(rng.normal(size=(n, d)), full_matrices=False)
    return tensor(left * rng.uniform(1, 3, size=n) @ right)


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    graded=False,
    puzzle=True,
    variant=Variant(
        "The other way round: under W, *French* row i scores 10 with English row i.",
        (
            "torch.linalg.pinv(french) @ torch.linalg.pinv(english)",
            "torch.linalg.pinv(english) @ torch.linalg.pinv(french)",
        ),
        rule=rules.translates_back,
    ),
    criteria=(
        Criterion("W is d by d", common.shape),
        Criterion("10 for the translation, 0 for all others", rules.translates),
    ),
    misconceptions=(
        mistake("each word sent to its translation's vector", ("10 * torch.linalg.pinv(french)", "french.T")),
        mistake("outer products summed", "return 10 * french.T @ english", "return french.T @ english"),
        mistake("W turned",
            ("@ torch.linalg.pinv(english).T", "@ torch.linalg.pinv(english).T).T", "return ", "return (")),
    ),
)
