"""How `roll` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant
from attention import common_rules

from ...judging.cases import numbers
from ...judging.mistakes import mistake
from ..checks import rules


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
        Criterion("ValueError for a width below 1", common_rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        mistake("cropped at the wrong end", (LAST, "return keys[:, :width], values[:, :width]"),
            detail="the oldest words are kept, not the newest", question="Which words stand at the end?"),
        mistake("cropped along the wrong axis", (LAST, "return keys[-width:], values[-width:]"),
            (LAST, "return keys[..., -width:], values[..., -width:]")),
        mistake("only one of the pair cropped", (LAST, "return keys[:, -width:], values"),
            (LAST, "return keys, values[:, -width:]")),
        mistake("one word too many or too few",
            (LAST, "return keys[:, -width - 1 :], values[:, -width - 1 :]"),
            (LAST, "return keys[:, 1 - width :], values[:, 1 - width :]"),
            (LAST, "return keys[:, -width:-1], values[:, -width:-1]"),
            (LAST, "first = max(0, keys.shape[1] - width + 1)\n    return keys[:, first:], values[:, first:]"),
            detail="the window holds another number of words than asked for",
            question="How many words come back where the width is 1?"),
        mistake("as many words dropped as should stay", (LAST, "return keys[:, width:], values[:, width:]")),
        mistake("one word in place of a window", (LAST, "return keys[:, -width], values[:, -width]")),
        mistake("keys in place of the values", (LAST, "return keys[:, -width:], keys[:, -width:]")),
        mistake("a start below 0",
            (LAST, "start = keys.shape[1] - width\n    return keys[:, start:], values[:, start:]")),
        mistake("axis of length 1 lost",
            *((LAST, f"return keys[:, -width:].squeeze({axis}), values[:, -width:].squeeze({axis})")
                for axis in ("", 1)), detail="a window of one word has that axis as well",
            question="How many axes have the keys that come back where the width is 1?"),
        mistake("words moved round, not dropped",
            (LAST, "return torch.roll(keys, -width, dims=1), torch.roll(values, -width, dims=1)"),
            (LAST, "return torch.roll(keys, width, dims=1), torch.roll(values, width, dims=1)")),
        mistake("only the oldest word dropped",
            (LAST, "first = int(keys.shape[1] > width)\n    return keys[:, first:], values[:, first:]")),
        mistake("width below 1 not refused", ("if width < 1:", "if False:"),
            ("if width < 1:", "if width == 0:"), ("if width < 1:", "if width < 0:"),
            ("if width < 1:", "width = max(width, 1)\n    if False:")),
        mistake("writes into its input",
            (LAST, "keys[:, :-width] = 0\n    values[:, :-width] = 0\n    " + LAST),
            question="Print the kept keys before and after the call: which line of yours assigns into them?"),
    ),
)
