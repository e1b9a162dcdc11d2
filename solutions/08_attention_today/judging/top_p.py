"""How `top_p` is judged."""

import numpy as np

from autograder.exercises import (
    Case,
    Criterion,
    Exercise,
    Misconception,
    Tensor,
    Variant,
    common,
    common_mistakes,
)

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
        Criterion("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception("the word that reaches the share left out", "what is left sums to less than the share",
            "With .5, .3 and .2 and a share of .6: do the kept words reach it?",
            (KEPT, "before + ordered <= share"),
            (KEPT, "before + ordered < share")),
        Misconception("one word too many", "the next one comes along as well",
            "With .5, .3 and .2 and a share of .6: which words are needed?",
            (KEPT, "before - ordered.roll(1) < share")),
        Misconception("one more where the share is met exactly", "the words that have it already are enough",
            "With .5 and .25 kept and a share of .75: is another word needed?",
            (KEPT, "before <= share")),
        Misconception("all words above a threshold", "the share is compared with single probabilities",
            "Is the share reached by one word or by several together?",
            ("torch.where(before < share, ordered, 0.0)", "torch.where(ordered >= 1 - share, ordered, 0.0)"),
            ("torch.where(before < share, ordered, 0.0)", "torch.where(ordered > share, ordered, 0.0)")),
        Misconception("a share of the words, not of the probability", "it is counted how many there are",
            "With .9, .05, .03 and .02 and a share of .7: how many words are needed?",
            """
            kept, words = probabilities.topk(math.ceil(share * len(probabilities)))
            return torch.zeros_like(probabilities).scatter(0, words, kept / kept.sum())
            """),
        Misconception("the likeliest word alone", "the others are gone, however large the share",
            "How many words are needed for a share of 1?",
            (KEPT, "before <= 0")),
        Misconception("the least likely words kept", "sorted the other way round",
            "Which words come first in your order?",
            ("descending=True", "descending=False")),
        Misconception("not put back in order", "the numbers no longer stand at their words",
            "At which place should the likeliest word stand?",
            ("kept[words] = torch", "kept = torch")),
        Misconception("gathered instead of scattered", "the order is applied a second time, not undone",
            "Word `words[0]` is the likeliest: at which place does your line put its probability?",
            ("kept[words] = torch.where(before < share, ordered, 0.0)",
             "kept = torch.where(before < share, ordered, 0.0)[words]")),
        Misconception("not normalised again", "what is left sums to less than 1",
            "What do the kept numbers sum to?",
            ("return kept / kept.sum()", "return kept")),
        Misconception("all kept words alike", "the likelier one has lost what set it apart",
            "Is a word with .5 still likelier than one with .3?",
            ("torch.where(before < share, ordered, 0.0)", "torch.where(before < share, 1.0, 0.0)")),
        Misconception("softmax of probabilities", "they are probabilities already",
            "What does a softmax make of .5, .3 and 0?",
            ("return kept / kept.sum()", "return kept.softmax(0)")),
        common_mistakes.writes_into_its_input(
            ("kept = torch.zeros_like(probabilities)", "kept = probabilities.zero_()"),
        ),
    ),
)
