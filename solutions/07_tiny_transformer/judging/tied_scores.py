"""How `tied_scores` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.cases import numbers
from ...judging.mistakes import mistake


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(27)
    return (case(rng, 1, 2, 3, 5), case(rng, 2, 3, 4, 6), case(rng, 2, 1, 4, 4, "as many tokens as columns"))


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    sizes = (3, 2, 5, 9), (2, 4, 6, 6), (1, 1, 7, 3), (2, 3, 1, 1)
    return tuple(case(rng, *one) for one in sizes)


def case(rng: np.random.Generator, batch: int, n: int, d_model: int, vocabulary: int, label: str = "") -> Case:
    return Case("plain", (numbers(rng, batch, n, d_model), numbers(rng, vocabulary, d_model)), label=label)


PRODUCT = "rows @ embedding.T"

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    variant=Variant(
        "The scores are divided by the root of d_model.",
        ("embedding.T", "embedding.T / math.sqrt(rows.shape[-1])"),
    ),
    criteria=(
        Criterion("a logit for each token, at each position", common.shape),
        Criterion("the right logits", common.agrees),
    ),
    misconceptions=(
        mistake("softmax already taken", (PRODUCT, f"torch.softmax({PRODUCT}, dim=-1)")),
        mistake("lengths divided out",
            (PRODUCT, "functional.normalize(rows, dim=-1) @ functional.normalize(embedding, dim=-1).T"),
            (PRODUCT, "rows @ functional.normalize(embedding, dim=-1).T")),
        mistake("scaled by √d_model", (PRODUCT, f"{PRODUCT} / math.sqrt(rows.shape[-1])")),
        mistake("view instead of transpose", (PRODUCT, "rows @ embedding.reshape(embedding.shape[::-1])"),
            detail="the numbers keep their order and are only cut into other rows",
            question="Number the entries of a 2 × 3 matrix and transpose it. Where does the second one go?"),
        mistake("axis of length 1 lost", (PRODUCT, f"({PRODUCT}).squeeze(0)"),
            (PRODUCT, f"({PRODUCT}).squeeze()"),
            question="Which shape do the logits of one text have, and which axis does your line remove?"),
        mistake("writes into its input"),
    ),
)
