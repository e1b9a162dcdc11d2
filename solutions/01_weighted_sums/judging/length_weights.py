"""How `length_weights` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant, common

from ...judging.mistakes import mistake
from ..checks import rules
from .cases import CAT, SENTENCE, letters


def examples() -> tuple[Case, ...]:
    return (
        Case("unequal", (SENTENCE,), label="the lesson's sentence"),
        Case("unequal", (["I", "am"],), label="worked by hand above"),
        Case("repeats", (CAT,), label="one word occurs twice"),
        Case("unequal", (["attention"],), label="one word"),
        Case("repeats", (["to", "be", "or", "not", "to", "be"],), label="two words occur twice"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    lengths = rng.permutation(np.arange(1, 13))
    few, five, many, alike = (
        [letters(rng, length) for length in some] for some in (lengths[:4], lengths[:5], lengths, [4, 4, 4])
    )
    return (
        Case("unequal", (five,), label="words of different lengths"),
        Case("unequal", (many,), label="a long sentence"),
        Case("unequal", (alike,), label="words of one length"),
        Case("repeats", ([few[0], few[1], few[0], few[0], few[2]],), label="one word occurs three times"),
        Case("repeats", ([few[3], few[3]],), label="the same word twice"),
        Case("repeats", (["The", "hare", "and", "the", "tortoise"],), label="one The, one the"),
        Case("repeats", ([*few, *few[::-1]],), label="every word occurs twice"),
    )


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    variant=Variant(
        "Short words weigh more: a word's weight is its share of the sum of all 1 / length.",
        ("return lengths / lengths.sum()", "return (1 / lengths) / (1 / lengths).sum()"),
    ),
    criteria=(
        Criterion("one weight for every occurrence of a word", rules.one_weight_per_occurrence),
        Criterion("the weights of a sentence sum to 1", rules.weights_sum_to_one),
        Criterion("a weight is the word's share of the letters", common.agrees, ("unequal",)),
        Criterion("the shares are right when a word comes again", common.agrees, ("repeats",), plain=("unequal",)),
        Criterion("leaves the list of words as it was", common.unchanged),
    ),
    misconceptions=(
        mistake("repeated word lost", "return {word: len(word) / sum(map(len, words)) for word in words}",
            "return [len(word) / sum(map(len, words)) for word in dict.fromkeys(words)]",
            "words = list(dict.fromkeys(words)); return [len(word) / sum(map(len, words)) for word in words]",
            "return [words.count(word) * len(word) / sum(map(len, words)) for word in dict.fromkeys(words)]",
            """
            total = sum(map(len, words))
            return [(word not in words[:i]) * len(word) / total for i, word in enumerate(words)]
            """),
        mistake("repeated word once in the total",
            "return [len(word) / sum(map(len, set(words))) for word in words]"),
        mistake("repeated word counted twice over",
            "return [words.count(word) * len(word) / sum(map(len, words)) for word in words]"),
        mistake("plain mean instead of weights", ("len(word)", "1"), "return [1 / len(words)] * len(words)",
            detail="every word weighs the same",
            question="Which word of the sentence should count most, and does it?"),
        mistake("how often a word occurs instead of its length",
            "return [words.count(word) / len(words) for word in words]"),
        mistake("lengths not divided by their sum", "return [len(word) for word in words]"),
        mistake("divided by the longest word's length", ("lengths.sum()", "lengths.max()"),
            "return [len(word) / max(map(len, words)) for word in words]"),
        mistake("divided by a single word's length",
            *(("lengths.sum()", f"len({one})") for one in ("words[-1]", "words[0]", "max(words)"))),
        mistake("a constant instead of the input's size", ("lengths.sum()", "37"),
            detail="every sentence is divided by the same number",
            question="By which number do you divide, and what if the sentence has one word more?"),
        mistake("fractions cut off", ("/ lengths.sum()", "// lengths.sum()")),
        mistake("spaces counted as letters", "return [len(word) / len(' '.join(words)) for word in words]"),
        mistake("softmax of the lengths",
            "powers = np.exp([len(word) for word in words]); return powers / powers.sum()"),
        mistake("writes into its input",
            """
            lengths = np.array([len(word) for word in words])
            words.sort()
            return lengths / lengths.sum()
            """,
            question="Which list do you sort, fill or empty: one of your own, or one that you were handed?"),
    ),
)
