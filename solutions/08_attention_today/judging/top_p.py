"""How `top_p` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules


def examples() -> tuple[Case, ...]:
    return (
        case([0.1, 0.25, 0.5, 0.15], 0.8, "three words are needed"),
        case([0.5, 0.3, 0.2], 0.6),
        case([0.05, 0.9, 0.03, 0.02], 0.7, "one word is enough"),
        case([0.3, 0.1, 0.6], 1.0, "all words are needed"),
        case([0.1875, 0.375, 0.125, 0.3125], 0.6875, "two words have just the share"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    exact = case([0.0625, 0.25, 0.1875, 0.5], 0.75, "two words have just the share")
    return (*(drawn(rng, size) for size in (5, 8, 12, 30)), case([1.0], 0.5), case([0.2, 0.8], 1e-3), exact)


def case(probabilities: list[float], share: float, label: str = "") -> Case:
    return Case("share", (Tensor(np.array(probabilities, dtype=np.float32)), share), label=label)


def drawn(rng: np.random.Generator, size: int) -> Case:
    """No two probabilities nearly equal, the share far from each sum of the likeliest, and of two words at least."""
    while True:
        p = rng.dirichlet(np.full(size, 1.5))
        sums, share = np.cumsum(np.sort(p)[::-1]), round(float(rng.uniform(0.4, 0.95)), 2)
        if np.diff(np.sort(p)).min() > 1e-4 and np.abs(sums - share).min() > 5e-3 and sums[0] < share < sums[-2]:
            return case(p.tolist(), share)


KEPT = "before < share"

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    variant=Variant(
        "The words that are kept have the probabilities that they had: they no longer sum to 1.",
        ("return kept / kept.sum()", "return kept"),
    ),
    criteria=(
        Criterion("as many numbers as words", common.shape),
        Criterion("they sum to 1", rules.sums_to_one),
        Criterion("the likeliest words, as few as are needed", rules.survivors),
        Criterion("each in proportion to what it was", common.agrees),
    ),
    misconceptions=(
        mistake("the word that reaches the share left out", (KEPT, "before + ordered <= share"),
            (KEPT, "before + ordered < share")),
        mistake("one word too many", (KEPT, "before - ordered.roll(1) < share")),
        mistake("one more where the share is met exactly", (KEPT, "before <= share")),
        mistake("all words above a threshold",
            ("torch.where(before < share, ordered, 0.0)", "torch.where(ordered >= 1 - share, ordered, 0.0)"),
            ("torch.where(before < share, ordered, 0.0)", "torch.where(ordered > share, ordered, 0.0)")),
        mistake("a share of the words, not of the probability",
            """
            kept, words = probabilities.topk(math.ceil(share * len(probabilities)))
            return torch.zeros_like(probabilities).scatter(0, words, kept / kept.sum())
            """),
        mistake("the likeliest word alone", (KEPT, "before <= 0")),
        mistake("the least likely words kept", ("descending=True", "descending=False")),
        mistake("not put back in order", ("kept[words] = torch", "kept = torch")),
        mistake("gathered instead of scattered",
            ("kept[words] = torch.where(before < share, ordered, 0.0)",
             "kept = torch.where(before < share, ordered, 0.0)[words]")),
        mistake("not normalised again", ("return kept / kept.sum()", "return kept")),
        mistake("all kept words alike",
            ("torch.where(before < share, ordered, 0.0)", "torch.where(before < share, 1.0, 0.0)")),
        mistake("softmax of probabilities", ("return kept / kept.sum()", "return kept.softmax(0)")),
        mistake("writes into its input",
            ("kept = torch.zeros_like(probabilities)", "kept = probabilities.zero_()")),
    ),
)
