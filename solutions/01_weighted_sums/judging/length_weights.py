"""How `length_weights` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common, common_mistakes

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
        Misconception("repeated word lost", "a word that comes again gets no weight of its own, or 0",
            "When a word comes again, does it get a weight of its own, and do all weights together make 1?",
            "return {word: len(word) / sum(map(len, words)) for word in words}",
            "return [len(word) / sum(map(len, words)) for word in dict.fromkeys(words)]",
            "words = list(dict.fromkeys(words)); return [len(word) / sum(map(len, words)) for word in words]",
            "return [words.count(word) * len(word) / sum(map(len, words)) for word in dict.fromkeys(words)]",
            """
            total = sum(map(len, words))
            return [(word not in words[:i]) * len(word) / total for i, word in enumerate(words)]
            """),
        Misconception("repeated word once in the total", "the sum that divides them lacks the letters of a repeat",
            "Over which words do you take the total, and what do all weights together make?",
            "return [len(word) / sum(map(len, set(words))) for word in words]"),
        Misconception("repeated word counted twice over", "its weight holds all its occurrences, each time",
            "When a word comes again, which letters does one of its weights stand for?",
            "return [words.count(word) * len(word) / sum(map(len, words)) for word in words]"),
        Misconception("plain mean instead of weights", "every word weighs the same",
            "Which word of the sentence should count most, and does it?",
            ("len(word)", "1"),
            "return [1 / len(words)] * len(words)"),
        Misconception("how often a word occurs instead of its length", "a long word weighs as much as a short one",
            "Which word of the sentence should count most, and what does your function count?",
            "return [words.count(word) / len(words) for word in words]"),
        Misconception("lengths not divided by their sum", "the weights are the lengths themselves",
            "What do the weights of a sentence add up to, and what should they?",
            "return [len(word) for word in words]"),
        Misconception("divided by the longest word's length", "the longest word gets the weight 1",
            "What do the weights of a sentence add up to, and what should they?",
            ("lengths.sum()", "lengths.max()"),
            "return [len(word) / max(map(len, words)) for word in words]"),
        Misconception("divided by a single word's length", "the letters of the other words are not among what divides",
            "By which number do you divide, and does every word of the sentence add to it?",
            *(("lengths.sum()", f"len({one})") for one in ("words[-1]", "words[0]", "max(words)"))),
        Misconception("a constant instead of the input's size", "every sentence is divided by the same number",
            "By which number do you divide, and what if the sentence has one word more?",
            ("lengths.sum()", "37")),
        Misconception("fractions cut off", "shares below 1 become 0",
            "What is 3 // 37, and what is 3 / 37?",
            ("/ lengths.sum()", "// lengths.sum()")),
        Misconception("spaces counted as letters", "the lengths are divided by more than all letters",
            "How many letters has the sentence, and by what number do you divide?",
            "return [len(word) / len(' '.join(words)) for word in words]"),
        Misconception("softmax of the lengths", "the shares grow with the exponential of a length",
            "How much more should a word count that is twice as long?",
            "powers = np.exp([len(word) for word in words]); return powers / powers.sum()"),
        common_mistakes.writes_into_its_input(
            """
            lengths = np.array([len(word) for word in words])
            words.sort()
            return lengths / lengths.sum()
            """,
            question="Which list do you sort, fill or empty: one of your own, or one that you were handed?"),
    ),
)
