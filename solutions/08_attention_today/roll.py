"""How `roll` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Variant, common_mistakes

from .cases import numbers
from .shown import rules


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(84)
    return (
        case(rng, "long", 2, 5, 3, (4, 6)),
        case(rng, "long", 3, 4, 1, (2, 3), "a window of one word"),
        case(rng, "short", 2, 3, 5, (4, 3), "fewer words than the window holds"),
        case(rng, "short", 2, 4, 4, (3, 2), "as many words as the window holds"),
        case(rng, "refuse", 2, 3, 0, (4, 2), "a window of no words"),
        case(rng, "refuse", 2, 3, -2, (4, 2), "a negative width"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, "long", 3, 9, int(rng.integers(2, 8)), (5, 4)),
        case(rng, "long", 4, 12, 11, (2, 3), "one word too many"),
        case(rng, "long", 4, 5, 4, (4, 6), "as many heads as the window holds words"),
        case(rng, "long", 1, 8, 5, (7, 9), "one head"),
        case(rng, "short", 2, 1, 1, (3, 4), "one word"),
        case(rng, "short", 2, 1, 6, (3, 4), "one word"),
        case(rng, "short", 5, 4, int(rng.integers(6, 20)), (2, 6)),
        case(rng, "refuse", 2, 3, -1, (4, 2), "a negative width"),
        case(rng, "refuse", 2, 3, -3, (4, 2), "a negative width"),
        case(rng, "refuse", 3, 1, 0, (4, 2), "a window of no words"),
    )


def case(
    rng: np.random.Generator, tag: str, heads: int, t: int, width: int, widths: tuple[int, int], label: str = ""
) -> Case:
    """widths: of a key, of a value."""
    raises = "ValueError" if tag == "refuse" else ""
    return Case(tag, (tuple(numbers(rng, heads, t, one) for one in widths), width), label=label, raises=raises)


LAST = "return keys[:, -width:], values[:, -width:]"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    variant=Variant(
        "The window holds the *first* `width` words, and all later ones are left out.",
        (LAST, LAST.replace("-width:", ":width")),
    ),
    criteria=(
        Criterion("a pair of keys and values", rules.a_pair, ("long", "short")),
        Criterion("those of the last `width` words", rules.last_words, ("long",)),
        Criterion("all of them where there are no more", rules.last_words, ("short",), plain=("long",)),
        Criterion("leaves its input as it was", rules.pair_untouched, ("long", "short")),
        Criterion("ValueError for a width below 1", rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        Misconception("cropped at the wrong end", "the oldest words are kept, not the newest",
            "Which words stand at the end?",
            (LAST, "return keys[:, :width], values[:, :width]")),
        Misconception("cropped along the wrong axis", "heads or features are dropped, not words",
            "Which of the three axes counts the words?",
            (LAST, "return keys[-width:], values[-width:]"),
            (LAST, "return keys[..., -width:], values[..., -width:]")),
        Misconception("only one of the pair cropped", "keys and values no longer belong together",
            "How many keys come back, and how many values?",
            (LAST, "return keys[:, -width:], values"),
            (LAST, "return keys, values[:, -width:]")),
        Misconception("one word too many or too few", "the window holds another number of words than asked for",
            "How many words come back where the width is 1?",
            (LAST, "return keys[:, -width - 1 :], values[:, -width - 1 :]"),
            (LAST, "return keys[:, 1 - width :], values[:, 1 - width :]"),
            (LAST, "return keys[:, -width:-1], values[:, -width:-1]"),
            (LAST, "first = max(0, keys.shape[1] - width + 1)\n    return keys[:, first:], values[:, first:]")),
        Misconception("as many words dropped as should stay", "the slice begins at `width`, counted from the front",
            "Ten words and a width of three: how many come back?",
            (LAST, "return keys[:, width:], values[:, width:]")),
        Misconception("one word in place of a window", "an index picks one, a slice picks several",
            "How many axes have the keys that come back?",
            (LAST, "return keys[:, -width], values[:, -width]")),
        Misconception("keys in place of the values", "the pair holds the same twice",
            "Which of the two tensors is the second of your pair made of?",
            (LAST, "return keys[:, -width:], keys[:, -width:]")),
        Misconception("a start below 0", "it counts from the end, and words are lost",
            "With three words and a width of five, where does your slice begin?",
            (LAST, "start = keys.shape[1] - width\n    return keys[:, start:], values[:, start:]")),
        Misconception("axis of length 1 lost", "a window of one word has that axis as well",
            "How many axes have the keys that come back where the width is 1?",
            *((LAST, f"return keys[:, -width:].squeeze({axis}), values[:, -width:].squeeze({axis})")
                for axis in ("", 1))),
        Misconception("words moved round, not dropped", "torch.roll puts what falls off one end in again at the other",
            "How many words come back, and how many went in?",
            (LAST, "return torch.roll(keys, -width, dims=1), torch.roll(values, -width, dims=1)"),
            (LAST, "return torch.roll(keys, width, dims=1), torch.roll(values, width, dims=1)")),
        Misconception("only the oldest word dropped", "one, however many there are too many",
            "Five words have come at once: how many have to go?",
            (LAST, "first = int(keys.shape[1] > width)\n    return keys[:, first:], values[:, first:]")),
        Misconception("width below 1 not refused", "there is no such window",
            "What comes back for a width of 0, and what is `[1, 2, 3][-0:]`?",
            ("if width < 1:", "if False:"),
            ("if width < 1:", "if width == 0:"),
            ("if width < 1:", "if width < 0:"),
            ("if width < 1:", "width = max(width, 1)\n    if False:")),
        common_mistakes.writes_into_its_input(
            (LAST, "keys[:, :-width] = 0\n    values[:, :-width] = 0\n    " + LAST),
            question="Print the kept keys before and after the call: which line of yours assigns into them?",
        ),
    ),
)
