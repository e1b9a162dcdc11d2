"""How `grouped_attention` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common
from attention import common_rules, library

from ...judging.cases import numbers
from ...judging.mistakes import mistake

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
        Criterion("query head i reads group i // (h // g)", common.agrees, ("groups",), plain=("alike",)),
        Criterion("right however high or low the scores are", common.agrees, ("high",), plain=("alike", "groups")),
        Criterion("leaves its inputs as they were", common.unchanged, ("alike", "groups")),
        Criterion("ValueError where the heads cannot share the groups", common_rules.value_error, ("refuse",)),
    ),
    misconceptions=(
        mistake("groups tiled instead of repeated",
            (REPEATED, "K, V = K.repeat(1, h // g, 1, 1), V.repeat(1, h // g, 1, 1)")),
        mistake("keys and values repeated in different ways",
            (REPEATED, "K, V = K.repeat_interleave(h // g, dim=1), V.repeat(1, h // g, 1, 1)"),
            (REPEATED, "K, V = K.repeat(1, h // g, 1, 1), V.repeat_interleave(h // g, dim=1)")),
        mistake("heads divided by the number of groups",
            (REPEATED, "group = torch.arange(h) // g\n    K, V = K[:, group], V[:, group]"),
            (REPEATED, "group = (torch.arange(h) // g).clamp(max=g - 1)\n    K, V = K[:, group], V[:, group]")),
        mistake("a constant instead of the input's size",
            (REPEATED, "group = (torch.arange(h) // 2).clamp(max=g - 1)\n    K, V = K[:, group], V[:, group]"),
            detail="a group has two heads, however many there are",
            question="With six heads and two groups, how many heads read group 0?"),
        mistake("groups averaged",
            (REPEATED, "K, V = K.mean(dim=1, keepdim=True), V.mean(dim=1, keepdim=True)")),
        mistake("only the first group read", (REPEATED, "K, V = K[:, :1], V[:, :1]")),
        mistake("queries of a group averaged",
            (REPEATED, REPEATED + "\n    Q = Q.unflatten(1, (g, -1)).mean(dim=2).repeat_interleave(h // g, dim=1)"),
            (REPEATED, "Q = Q.unflatten(1, (g, -1)).mean(dim=2)")),
        mistake("groups counted from the last",
            (REPEATED, REPEATED.replace("K, V = K", "K, V = K.flip(1)").replace(", V.", ", V.flip(1)."))),
        mistake("an output for each group, not for each head",
            (MIXED, f"({MIXED}).unflatten(1, (g, -1)).mean(dim=2)"),
            (MIXED, f"({MIXED}).unflatten(1, (g, -1)).sum(dim=2)")),
        mistake("not divided by √d", (SCALED, "")),
        mistake("divided by the wrong power of d", (SCALED, " / Q.shape[-1]"),
            (SCALED, " * math.sqrt(Q.shape[-1])")),
        mistake("divided by the root of the wrong length", (SCALED, " / math.sqrt(V.shape[-1])"),
            (SCALED, " / math.sqrt(K.shape[-2])"), (SCALED, " / math.sqrt(Q.shape[-2])"),
            (SCALED, " / math.sqrt(h)"), (SCALED, " / math.sqrt(g)"),
            (SCALED, " / math.sqrt(Q.shape[-1] * (h // g))")),
        mistake("divided by √d_model instead of √d_k", (SCALED, " / math.sqrt(h * Q.shape[-1])"),
            detail="all heads' numbers are counted",
            question="How long is the vector of one head, whose product with a key is the score?"),
        mistake("axis of length 1 lost", (MIXED, f"({MIXED}).squeeze(0)"), (MIXED, f"({MIXED}).squeeze()"),
            question="Which shape should the output for one text have?"),
        mistake("softmax over the queries", ("softmax(dim=-1)", "softmax(dim=-2)")),
        mistake("softmax over the heads", ("softmax(dim=-1)", "softmax(dim=1)")),
        mistake("causal mask added",
            ("return scores",
                "scores[..., torch.ones(scores.shape[-2:]).triu(1).bool()] = -torch.inf\n    return scores")),
        mistake("no shift by the maximum",
            ("scores.softmax(dim=-1)", "(scores.exp() / scores.exp().sum(dim=-1, keepdim=True))")),
        mistake("h not divisible by g not refused", ("if h % g:", "if False:"),
            ("    if h % g:\n        raise ValueError(f\"{h} query heads cannot share {g} groups\")\n"
                f"    {REPEATED}", "    group = torch.arange(h) * g // h\n    K, V = K[:, group], V[:, group]"),
            ("if h % g:", "if h < g:"),
            "return functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)",
            """
            h, g = Q.shape[1], K.shape[1]
            group = (torch.arange(h) // max(h // g, 1)).clamp(max=g - 1)
            return (Q @ K[:, group].mT / math.sqrt(Q.shape[-1])).softmax(dim=-1) @ V[:, group]
            """),
        mistake("writes into its input",
            ("scores = Q @ K.mT / math.sqrt(Q.shape[-1])", "Q /= math.sqrt(Q.shape[-1])\n    scores = Q @ K.mT")),
    ),
)
