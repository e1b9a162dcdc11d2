"""How `cached_step` is judged."""

import numpy as np

from autograder.model import Case, Exercise, Misconception, Part, Twin, common, stock

from .cases import numbers
from .shown import rules


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(37)
    return (
        case(rng, "one", 1, 2, 3),
        case(rng, "many", 4, 4, 3),
        case(rng, "many", 3, 9, 2),
        case(rng, "empty", 0, 4, 2, "nothing kept yet"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, "one", 1, 5, 2),
        case(rng, "many", 6, 3, 5),
        case(rng, "many", 2, 8, 4),
        case(rng, "many", 3, 1, 1, "width 1"),
        case(rng, "empty", 0, 3, 6, "nothing kept yet"),
    )


def case(rng: np.random.Generator, tag: str, t: int, d_k: int, d_v: int, label: str = "") -> Case:
    """query and key (d_k,), value (d_v,), keys (t, d_k), values (t, d_v)."""
    shapes = ((d_k,), (d_k,), (d_v,), (t, d_k), (t, d_v))
    return Case(tag, tuple(numbers(rng, *shape) for shape in shapes), label=label)


KEYS, VALUES = "keys = torch.cat([keys, key[None]])", "values = torch.cat([values, value[None]])"
WEIGHTS = "weights = torch.softmax(keys @ query / math.sqrt(len(query)), dim=0)"

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    twin=Twin(
        "The scores are divided by d_k, not by its root.",
        ("math.sqrt(len(query))", "len(query)"),
    ),
    parts=(
        Part("three results: output, keys, values", common.shape),
        Part("the new key and value stand behind the old ones", rules.caches),
        Part("the output of attention over all words so far", rules.output, ("one", "many")),
        Part("the first word, with nothing kept yet", rules.output, ("empty",), plain=("one", "many")),
        Part("leaves its inputs as they were", common.unchanged),
    ),
    misconceptions=(
        Misconception("the new word does not see itself", "it looks at the old words alone",
            "In a causal mask, is the diagonal True or False?",
            (WEIGHTS, WEIGHTS.replace("keys @", "keys[:-1] @"), "weights @ values", "weights @ values[:-1]")),
        Misconception("the new one in front", "the oldest word should stay the first",
            "At which position does the newest word stand?",
            (KEYS, "keys = torch.cat([key[None], keys])", VALUES, "values = torch.cat([value[None], values])")),
        Misconception("not divided by √d_k", "the text would not be the same",
            "By what does lesson 02 divide the scores?",
            (WEIGHTS, "weights = torch.softmax(keys @ query, dim=0)")),
        Misconception("divided by the root of the wrong length", "the scale counts something else than features",
            "Over which axis did the product sum?",
            *(("len(query)", length) for length in ("len(keys)", "(len(keys) - 1)", "values.shape[1]"))),
        Misconception("divided by the wrong power of d_k", "not by its square root",
            "What is your divisor at d_k = 9?",
            ("math.sqrt(len(query))", "len(query)")),
        Misconception("scaled after the softmax", "the weights do not sum to 1",
            "What do the weights sum to?",
            (WEIGHTS, "weights = torch.softmax(keys @ query, dim=0) / math.sqrt(len(query))")),
        Misconception("Q, K or V in the wrong place", "the new key asks, not the query",
            "Which of the five tensors has your function not read?",
            ("keys @ query", "keys @ key")),
        Misconception("softmax over the queries", "each weight is the only one of its row, and 1",
            "What do the weights of the one query sum to?",
            (WEIGHTS, "weights = torch.ones(len(keys))")),
        stock.writes_into_its_input(),
    ),
)
