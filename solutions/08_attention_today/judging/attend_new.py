"""How `attend_new` is judged."""

import numpy as np

from autograder.exercises import Case, CasePutBy, Criterion, Exercise, Tensor, Variant
from attention import library

from ...judging.cases import numbers
from ...judging.mistakes import mistake
from ..checks import rules

IN_TURN = "08_attention_today.checks.asking:in_turn"


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(83)
    return (
        case(rng, "first", 2, 3, 0, (4, 6), "three words, nothing kept yet"),
        case(rng, "one", 2, 1, 3, (4, 6), "one new word, three kept"),
        case(rng, "one", 1, 1, 1, (2, 4), "one new word, one kept"),
        case(rng, "several", 2, 2, 3, (4, 6), "two new words, three kept"),
        case(rng, "several", 2, 3, 1, (4, 2), "three new words, one kept"),
        in_turn(rng, 2, (1, 2, 1), (4, 6)),
        high(rng, 2, 2, 2, (4, 6)),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case(rng, "first", 3, 9, 0, (6, 4), "nine words, nothing kept yet"),
        case(rng, "first", 2, 1, 0, (4, 2), "the first word"),
        case(rng, "one", 3, 1, 8, (6, 4)),
        case(rng, "one", 4, 1, 4, (4, 4), "all sizes alike"),
        case(rng, "several", 3, 4, 5, (6, 4)),
        case(rng, "several", 2, 3, 3, (4, 6), "as many new words as kept ones"),
        case(rng, "several", 1, 2, 7, (10, 2), "one head"),
        case(rng, "several", 2, 5, 2, (4, 8), "more new words than kept ones"),
        case(rng, "several", 2, 3, 2, (1, 1), "one number a word"),
        case(rng, "one", 1, 1, 1, (1, 1), "one of everything"),
        in_turn(rng, 3, (9,), (6, 4)),
        in_turn(rng, 3, (1,) * 9, (6, 4)),
        in_turn(rng, 3, (5, 1, 1, 2), (6, 4)),
        high(rng, 2, 3, 4, (6, 4)),
    )


def case(
    rng: np.random.Generator, tag: str, heads: int, m: int, t: int, widths: tuple[int, int], label: str = ""
) -> Case:
    """m new words, t kept ones; widths: of a key, of a value."""
    d, d_v = widths
    new = tuple(numbers(rng, heads, m, width) for width in (d, d, d_v))
    kept = {"kept": (numbers(rng, heads, t, d), numbers(rng, heads, t, d_v))} if t else {}
    return Case(tag, new, kept, label=label)


def in_turn(rng: np.random.Generator, heads: int, cut: tuple[int, ...], widths: tuple[int, int]) -> Case:
    """A text whose words come in pieces."""
    whole = case(rng, "cut", heads, sum(cut), 0, widths)
    label = f"{sum(cut)} words, handed in as {' + '.join(map(str, cut))}, with what you kept"
    return CasePutBy("cut", whole.args, label=label, facts={"cut": cut}, by=IN_TURN)


def high(rng: np.random.Generator, heads: int, m: int, t: int, widths: tuple[int, int]) -> Case:
    """Scores from −1,000 to 1,000: the first new word sees low ones alone, and those hidden from it are high."""
    plain = case(rng, "high", heads, m, t, widths, "scores of −1,000 to 1,000")
    queries, keys, values = plain.args
    old, past = plain.kwargs["kept"]
    scores = np.concatenate([np.linspace(-1000, -997, t + 1), np.linspace(500, 1000, m - 1)])[:, None]
    every = np.tile(scores / np.sqrt(widths[0]), (heads, 1, widths[0])).astype(np.float32)
    asked = Tensor(np.ones_like(queries.array))
    return Case(
        "high", (asked, Tensor(every[:, t:]), values), {"kept": (Tensor(every[:, :t]), past)}, label=plain.label
    )


JOINED = "K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)"
SCALED = " / math.sqrt(Q.shape[-1])"
MASKED = "scores.masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)"
MASK = "causal_mask_from(Q.shape[1], K.shape[1])"
ALL = "    scores = Q"
TURN_ALL = "    n, m = K.shape[1], Q.shape[1]\n    {}\n    scores = Q"
RETURNED = "return scores.softmax(dim=-1) @ V, (K, V)"
SPOTS = (
    "    t = 0 if kept is None else kept[0].shape[1]\n    spots = torch.arange(t, t + Q.shape[1])\n"
)

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    builds_on=("causal_mask_from",),
    library=library.ATTENTION | library.EARLIER,
    variant=Variant(
        "New words do not see each other: each sees what is kept, and itself.",
        (
            MASK,
            "torch.cat([torch.ones(Q.shape[1], K.shape[1] - Q.shape[1]), torch.eye(Q.shape[1])], dim=1).bool()",
        ),
        ("first", "one", "several"),
    ),
    criteria=(
        Criterion("an output of the right shape, and a pair to keep",
            rules.two_results, ("first", "one", "several", "cut")),
        Criterion("nothing kept yet: causal attention", rules.output, ("first",)),
        Criterion("one new word sees all that is kept, and itself", rules.output, ("one",)),
        Criterion("several see all that is kept and, causally, each other",
            rules.output, ("several",), plain=("first", "one")),
        Criterion("kept are all keys and all values, old ones first", rules.kept, ("first", "one", "several")),
        Criterion("the same output however the text is cut",
            rules.output_in_turn, ("cut",), plain=("first", "one", "several")),
        Criterion("right however high or low the scores are", rules.output, ("high",),
            plain=("first", "one", "several")),
        Criterion("leaves its inputs as they were", rules.pair_untouched),
    ),
    misconceptions=(
        mistake("mask aligned at the top left",
            (MASK, "torch.ones(scores.shape[-2:], dtype=torch.bool).tril()")),
        mistake("new words not masked among themselves",
            ("    scores = scores.masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)\n", "")),
        mistake("mask looks ahead", (f"~{MASK}", MASK), (MASKED, f"scores.masked_fill({MASK}, -1e9)"),
            (MASK, "torch.ones(scores.shape[-2:], dtype=torch.bool).triu(K.shape[1] - Q.shape[1])"),
            detail="the later words are shown, and the earlier ones hidden",
            question="May the first new word see the second?"),
        mistake("causal mask off by one",
            *((MASK, f"torch.ones(scores.shape[-2:], dtype=torch.bool).tril(K.shape[1] - Q.shape[1] {moved})")
                for moved in ("- 1", "+ 1", "- (kept is not None)")),
            question="How many keys may the last of the new words see, and how many words are there by now?"),
        mistake("positions restart at 0",
            ("    if kept", "    Q, K = (rotate(X, torch.arange(X.shape[1])) for X in (Q, K))\n    if kept")),
        mistake("kept keys turned again",
            (ALL, TURN_ALL.format("Q, K = rotate(Q, torch.arange(n - m, n)), rotate(K, torch.arange(n))")),
            (ALL, TURN_ALL.format("Q, K, own = rotate(Q, torch.arange(n - m, n)), rotate(K, torch.arange(n)), K"),
                "(K, V)\n", "(own, V)\n")),
        mistake("positions counted by the cache's length",
            ("    if kept", f"{SPOTS}    Q, K = rotate(Q, spots), rotate(K, spots)\n    if kept")),
        mistake("values turned too", ("    if kept", f"{SPOTS}    V = rotate(V, spots)\n    if kept"),
            (ALL, "    mixed = rotate(V, torch.arange(V.shape[1]))\n    scores = Q", RETURNED,
                "return scores.softmax(dim=-1) @ mixed, (K, V)")),
        mistake("new words put in front",
            ("if kept is not None:", "new, old = (K, V), kept\n    if kept is not None:", RETURNED,
                "if old is not None:\n        K, V = (torch.cat(pair, dim=1) for pair in zip(new, old))\n"
                "    return scores.softmax(dim=-1) @ mixed, (K, V)", ALL, "    mixed = V\n    scores = Q"),
            ("[kept[0], K]", "[K, kept[0]]", "[kept[1], V]", "[V, kept[1]]")),
        mistake("only the new words kept",
            ("    if kept", "    new = (K, V)\n    if kept", RETURNED, "return scores.softmax(dim=-1) @ V, new")),
        mistake("the new words not kept",
            ("    if kept", "    old = kept\n    if kept", RETURNED,
                "return scores.softmax(dim=-1) @ V, (K, V) if old is None else old")),
        mistake("only one of the pair kept",
            ("    if kept", "    new = (K, V)\n    if kept",
                RETURNED, "return scores.softmax(dim=-1) @ V, (K, new[1])"),
            ("    if kept", "    new = (K, V)\n    if kept",
                RETURNED, "return scores.softmax(dim=-1) @ V, (new[0], V)")),
        mistake("values before keys in what is kept",
            (RETURNED, "return scores.softmax(dim=-1) @ V, (V, K)")),
        mistake("the old words are not read",
            (JOINED, "kept = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)",
                RETURNED, "return scores.softmax(dim=-1) @ V, (K, V) if kept is None else kept")),
        mistake("the new words are not read",
            (MASK, "mask", ALL, f"    mask, n = {MASK}, K.shape[1] - Q.shape[1]\n"
                "    if n:\n        mask[:, n:] = False\n    scores = Q")),
        mistake("scaled after the softmax",
            (SCALED, "", "scores.softmax(dim=-1)", f"scores.softmax(dim=-1){SCALED}"),
            detail="the weights do not sum to 1", question="What do the weights of one word sum to?"),
        mistake("Q, K or V in the wrong place", ("    if kept", "    Q = K\n    if kept"),
            detail="the new keys ask, not the queries",
            question="Which of your tensors has your function not read?"),
        mistake("axis of length 1 lost",
            (RETURNED, RETURNED.replace("@ V", "@ V).squeeze(1)").replace("return ", "return (")),
            (RETURNED, RETURNED.replace("@ V", "@ V).squeeze()").replace("return ", "return (")),
            detail="a single new word has an axis as well",
            question="Which shape should the output for one new word have?"),
        mistake("not divided by √d", (SCALED, "")),
        mistake("divided by the wrong power of d", (SCALED, " / Q.shape[-1]"),
            (SCALED, " * math.sqrt(Q.shape[-1])")),
        mistake("divided by the root of the wrong length", (SCALED, " / math.sqrt(V.shape[-1])"),
            (SCALED, " / math.sqrt(K.shape[1])"), (SCALED, " / math.sqrt(Q.shape[1])"),
            (SCALED, " / math.sqrt(len(Q))")),
        mistake("softmax over the queries", ("softmax(dim=-1)", "softmax(dim=-2)")),
        mistake("softmax over the heads", ("softmax(dim=-1)", "softmax(dim=0)")),
        mistake("masked score not low enough", ("-torch.inf", "0"), ("-torch.inf", "-10"),
            ("-torch.inf", "-100"), ("-torch.inf", "-1000"),
            (MASKED, "scores * causal_mask_from(Q.shape[1], K.shape[1])"),
            detail="a later word still gets a share",
            question="What is exp of your fill value, and can a real score be lower?"),
        mistake("masked after the softmax",
            ("    " + "scores = " + MASKED + "\n", "", "scores.softmax(dim=-1)", f"(scores.softmax(dim=-1) * {MASK})"),
            detail="what is left does not sum to 1",
            question="Do the weights of the first new word still sum to 1?"),
        mistake("no shift by the maximum",
            ("scores.softmax(dim=-1)", "(scores.exp() / scores.exp().sum(dim=-1, keepdim=True))")),
        mistake("writes into its input",
            ("scores = Q @ K.mT / math.sqrt(Q.shape[-1])", "Q /= math.sqrt(Q.shape[-1])\n    scores = Q @ K.mT")),
    ),
)
