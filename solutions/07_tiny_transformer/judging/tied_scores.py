"""How `tied_scores` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common, common_mistakes

from .cases import numbers


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(27)
    return (case(rng, 1, 2, 3, 5), case(rng, 2, 3, 4, 6), case(rng, 2, 1, 4, 4, "as many words as columns"))


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
        Criterion("a score for each word, at each position", common.shape),
        Criterion("the right scores", common.agrees),
        Criterion("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception("softmax already taken", "the result should be logits, not probabilities",
            "Can a logit be negative? What does the loss do with logits?",
            (PRODUCT, f"torch.softmax({PRODUCT}, dim=-1)")),
        Misconception("lengths divided out", "one or both vectors are divided by their length before the dot product",
            "If the embedding of a word is doubled, how should its logit change?",
            (PRODUCT, "functional.normalize(rows, dim=-1) @ functional.normalize(embedding, dim=-1).T"),
            (PRODUCT, "rows @ functional.normalize(embedding, dim=-1).T")),
        Misconception("scaled by √d_model", "only the scores of attention are divided by a root",
            "Does `nn.Linear` divide its sums by a root?",
            (PRODUCT, f"{PRODUCT} / math.sqrt(rows.shape[-1])")),
        Misconception("view instead of transpose", "the numbers keep their order and are only cut into other rows",
            "Number the entries of a 2 × 3 matrix and transpose it. Where does the second one go?",
            (PRODUCT, "rows @ embedding.reshape(embedding.shape[::-1])")),
        Misconception("axis of length 1 lost", "a single text is a batch, too",
            "Which shape do the logits of one text have, and which axis does your line remove?",
            (PRODUCT, f"({PRODUCT}).squeeze(0)"),
            (PRODUCT, f"({PRODUCT}).squeeze()")),
        common_mistakes.writes_into_its_input(),
    ),
)
