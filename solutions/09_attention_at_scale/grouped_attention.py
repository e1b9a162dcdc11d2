"""How `grouped_attention` is judged."""

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
from attention import library

from .cases import numbers
from .shown import rules

Sizes = tuple[int, int, int, int, int, int, int]
"""Batch, query heads, groups, queries, keys, width of a key, width of a value."""


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(85)
    return (
        case(rng, "alike", (1, 2, 2, 3, 2, 3, 2), "as many groups as heads"),
        case(rng, "alike", (2, 3, 1, 2, 3, 5, 2), "one group for three heads"),
        case(rng, "groups", (1, 4, 2, 2, 3, 3, 2), "four heads, two groups"),
        case(rng, "groups", (2, 6, 3, 1, 2, 2, 3), "six heads, three groups"),
        case(rng, "groups", (1, 6, 2, 3, 3, 3, 3), "six heads, two groups"),
        high(rng, (1, 4, 2, 2, 3, 3, 2)),
        case(rng, "refuse", (1, 3, 2, 2, 2, 3, 2), "three heads, two groups"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, "alike", (2, 4, 4, 3, 5, 6, 2), "as many groups as heads"),
        case(rng, "alike", (2, 5, 1, 4, 3, 3, 4), "one group"),
        case(rng, "alike", (2, 1, 1, 3, 4, 2, 5), "one head"),
        case(rng, "groups", (2, 8, 2, 3, 5, 7, 4)),
        case(rng, "groups", (3, 9, 3, 3, 3, 3, 3), "many sizes alike"),
        case(rng, "groups", (1, 8, 4, 1, 6, 5, 3), "one query"),
        case(rng, "groups", (2, 6, 2, 4, 1, 3, 2), "one key"),
        case(rng, "groups", (2, 4, 2, 4, 2, 1, 1), "one column"),
        high(rng, (2, 6, 2, 3, 4, 5, 3)),
        case(rng, "refuse", (1, 5, 3, 2, 2, 3, 2)),
        case(rng, "refuse", (2, 6, 4, 2, 3, 3, 2)),
        case(rng, "refuse", (1, 2, 4, 2, 3, 3, 2), "more groups than heads"),
    )


def case(rng: np.random.Generator, tag: str, sizes: Sizes, label: str = "") -> Case:
    batch, h, g, n_q, n_k, d, d_v = sizes
    shapes = (batch, h, n_q, d), (batch, g, n_k, d), (batch, g, n_k, d_v)
    raises = "ValueError" if tag == "refuse" else ""
    return Case(tag, tuple(numbers(rng, *shape) for shape in shapes), label=label, raises=raises)


def high(rng: np.random.Generator, sizes: Sizes) -> Case:
    """Scores from −1,000 to 1,000."""
    plain = case(rng, "high", sizes, "scores of −1,000 to 1,000")
    queries, keys, values = (one.array for one in plain.args)
    scores = queries @ keys.repeat(sizes[1] // sizes[2], axis=1).swapaxes(-1, -2) / np.sqrt(sizes[5])
    return Case("high", (Tensor(queries * np.float32(1000 / np.abs(scores).max())), *plain.args[1:]), label=plain.label)


REPEATED = "K, V = K.repeat_interleave(h // g, dim=1), V.repeat_interleave(h // g, dim=1)"
MIXED = "scores.softmax(dim=-1) @ V"
SCALED = " / math.sqrt(Q.shape[-1])"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    library=library.ATTENTION,
    variant=Variant(
        "The groups are dealt out like cards: query head i reads group i mod g.",
        (REPEATED, "K, V = K.repeat(1, h // g, 1, 1), V.repeat(1, h // g, 1, 1)"),
    ),
    by_error=("h not divisible by g not refused",),
    criteria=(
        Criterion("an output for each head and query", common.shape, ("alike", "groups")),
        Criterion("one group for all heads, or one for each", common.agrees, ("alike",)),
        Criterion("query head i reads group i // (h / g)", common.agrees, ("groups",), plain=("alike",)),
        Criterion("right however high or low the scores are", common.agrees, ("high",), plain=("alike", "groups")),
        Criterion("leaves its inputs as they were", common.unchanged, ("alike", "groups")),
        Criterion("ValueError where the heads cannot share the groups", rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        Misconception("groups tiled instead of repeated", "head i reads group i % g",
            "With four heads and two groups, which group does query head 1 read?",
            (REPEATED, "K, V = K.repeat(1, h // g, 1, 1), V.repeat(1, h // g, 1, 1)")),
        Misconception("keys and values repeated in different ways", "a head's values are those of another group",
            "Which group's keys does head 1 read, and which group's values?",
            (REPEATED, "K, V = K.repeat_interleave(h // g, dim=1), V.repeat(1, h // g, 1, 1)"),
            (REPEATED, "K, V = K.repeat(1, h // g, 1, 1), V.repeat_interleave(h // g, dim=1)")),
        Misconception("heads divided by the number of groups", "head i reads group i // g, not i // (h / g)",
            "With eight heads and two groups, which group does query head 3 read?",
            (REPEATED, "group = torch.arange(h) // g\n    K, V = K[:, group], V[:, group]"),
            (REPEATED, "group = (torch.arange(h) // g).clamp(max=g - 1)\n    K, V = K[:, group], V[:, group]")),
        Misconception("a constant instead of the input's size", "a group has two heads, however many there are",
            "With six heads and two groups, how many heads read group 0?",
            (REPEATED, "group = (torch.arange(h) // 2).clamp(max=g - 1)\n    K, V = K[:, group], V[:, group]")),
        Misconception("groups averaged", "all heads read one mean",
            "What differs between two groups?",
            (REPEATED, "K, V = K.mean(dim=1, keepdim=True), V.mean(dim=1, keepdim=True)")),
        Misconception("only the first group read", "group 0 serves every head",
            "Which group does the last query head read?",
            (REPEATED, "K, V = K[:, :1], V[:, :1]")),
        Misconception("queries of a group averaged", "its heads all ask the same",
            "What differs between two heads of a group?",
            (REPEATED, REPEATED + "\n    Q = Q.unflatten(1, (g, -1)).mean(dim=2).repeat_interleave(h // g, dim=1)"),
            (REPEATED, "Q = Q.unflatten(1, (g, -1)).mean(dim=2)")),
        Misconception("groups counted from the last", "the first head reads the last group",
            "Which group does query head 0 read?",
            (REPEATED, REPEATED.replace("K, V = K", "K, V = K.flip(1)").replace(", V.", ", V.flip(1)."))),
        Misconception("an output for each group, not for each head", "heads of a group are added up or averaged",
            "How many heads should come out?",
            (MIXED, f"({MIXED}).unflatten(1, (g, -1)).mean(dim=2)"),
            (MIXED, f"({MIXED}).unflatten(1, (g, -1)).sum(dim=2)")),
        Misconception("not divided by √d", "the scores go into the softmax as they are",
            "How does the spread of the scores grow with d?",
            (SCALED, "")),
        Misconception("divided by the wrong power of d", "not by its square root",
            "What is your divisor at d = 9?",
            (SCALED, " / Q.shape[-1]"),
            (SCALED, " * math.sqrt(Q.shape[-1])")),
        Misconception("divided by the root of the wrong length", "the scale counts something else than features",
            "Over which axis did the product sum?",
            (SCALED, " / math.sqrt(V.shape[-1])"),
            (SCALED, " / math.sqrt(K.shape[-2])"),
            (SCALED, " / math.sqrt(Q.shape[-2])"),
            (SCALED, " / math.sqrt(h)"),
            (SCALED, " / math.sqrt(g)"),
            (SCALED, " / math.sqrt(Q.shape[-1] * (h // g))")),
        Misconception("divided by √d_model instead of √d_k", "all heads' numbers are counted",
            "How long is the vector of one head, whose product with a key is the score?",
            (SCALED, " / math.sqrt(h * Q.shape[-1])")),
        Misconception("axis of length 1 lost", "a single text is a batch, too",
            "Which shape should the output for one text have?",
            (MIXED, f"({MIXED}).squeeze(0)"),
            (MIXED, f"({MIXED}).squeeze()")),
        Misconception("softmax over the queries", "what one query shares out does not sum to 1",
            "For one query, what is shared out?",
            ("softmax(dim=-1)", "softmax(dim=-2)")),
        Misconception("softmax over the heads", "the heads share one whole",
            "For one query of one head, what is shared out?",
            ("softmax(dim=-1)", "softmax(dim=1)")),
        Misconception("causal mask added", "no word is hidden here",
            "Does the formula of this exercise have a mask?",
            ("return scores",
                "scores[..., torch.ones(scores.shape[-2:]).triu(1).bool()] = -torch.inf\n    return scores")),
        Misconception("no shift by the maximum", "exp of a high score is infinite",
            "What is exp(1000)?",
            ("scores.softmax(dim=-1)", "(scores.exp() / scores.exp().sum(dim=-1, keepdim=True))")),
        Misconception("h not divisible by g not refused", "some heads are left without a group",
            "Which group would the third of three heads read, of two groups?",
            ("if h % g:", "if False:"),
            ("    if h % g:\n        raise ValueError(f\"{h} query heads cannot share {g} groups\")\n"
                f"    {REPEATED}", "    group = torch.arange(h) * g // h\n    K, V = K[:, group], V[:, group]"),
            ("if h % g:", "if h < g:"),
            "return functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)",
            """
            h, g = Q.shape[1], K.shape[1]
            group = (torch.arange(h) // max(h // g, 1)).clamp(max=g - 1)
            return (Q @ K[:, group].mT / math.sqrt(Q.shape[-1])).softmax(dim=-1) @ V[:, group]
            """),
        common_mistakes.writes_into_its_input(
            ("scores = Q @ K.mT / math.sqrt(Q.shape[-1])", "Q /= math.sqrt(Q.shape[-1])\n    scores = Q @ K.mT"),
        ),
    ),
)
