"""How `masked_softmax` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common
from attention import library, modules

from ...judging.cases import whole_numbers
from ...judging.mistakes import mistake
from ..checks import rules
from .cases import tensor

if TYPE_CHECKING:
    import torch


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(5)
    exp_of_scores = np.array([[[1, 2, 3, 4], [4, 3, 2, 1]], [[1, 1, 1, 1], [1, 2, 3, 4]]])
    lesson = Tensor(np.log(exp_of_scores).astype(np.float32))
    scores = normal(rng, 2, 3, 4)
    return (
        case("none", scores, None, "no lengths"),
        case("far", tensor([[[1000, 1001, 999], [2, 0, 1]]]), None, "a row of large scores, no lengths"),
        case("batch", lesson, [2, 3], "the lesson's example, one length per batch entry"),
        case("batch", scores, [4, 1], "one length per batch entry"),
        case("far", tempting(rng, (2, 2, 3), [2, 1]), [2, 1], "hidden keys score highest"),
        case("far", tempting(rng, (2, 2, 3), [2, 1], by=65), [2, 1], "hidden keys score 65 higher"),
        case("query", lesson, [[1, 3], [2, 4]], "the lesson's example, one length per query"),
        case("query", scores, [[4, 1, 2], [2, 3, 1]], "one length per query"),
        case("far", low(rng, (2, 2, 3), -3e6, [2, 1]), [2, 1], "real scores of -3,000,000"),
        case("empty", normal(rng, 2, 2, 3), [0, 2], "batch entry 0 has length 0"),
        case("gradient", normal(rng, 2, 2, 3), [2, 0], "with gradients"),
        case("far", tempting(rng, (2, 2, 3), [2, 1], by=90), [2, 1], "hidden keys score 90 higher"),
        case("far", tempting(rng, (1, 1, 10), [1], by=4), [1], "the one key in view scores lowest of ten"),
        case("empty", normal(rng, 2, 2, 3), [[0, 2], [3, 1]], "one query has length 0"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        case("none", normal(rng, 3, 2, 5), None, "no lengths"),
        case("far", large(rng, 2, 3, 4), None, "large scores, no lengths"),
        case("batch", normal(rng, 3, 2, 5), [4, 2, 5], "three batch entries"),
        case("batch", normal(rng, 3, 3, 3), [2, 1, 3], "3 x 3 x 3"),
        case("batch", normal(rng, 2, 1, 6), [5, 2], "one query"),
        case("batch", normal(rng, 1, 4, 3), [2], "one batch entry"),
        case("batch", normal(rng, 2, 3, 1), [1, 1], "one key"),
        case("batch", normal(rng, 2, 4, 4), [4, 4], "full lengths"),
        case("far", large(rng, 2, 3, 5), [3, 2], "large scores"),
        case("far", low(rng, (2, 2, 3), -200, [2, 1]), [2, 1], "real scores of -200"),
        case("far", tempting(rng, (3, 2, 4), [3, 1, 2]), [3, 1, 2], "hidden keys score highest"),
        case("query", normal(rng, 3, 2, 5), [[4, 1], [2, 5], [3, 1]], "one length per query"),
        case("query", normal(rng, 3, 3, 3), [[1, 3, 2], [2, 1, 3], [3, 2, 1]], "3 x 3 x 3"),
        case("query", normal(rng, 4, 1, 3), [[1], [3], [2], [1]], "one query, its own length"),
        case("query", normal(rng, 1, 5, 4), [[4, 1, 3, 2, 1]], "one batch entry"),
        case("far", low(rng, (2, 3, 4), -3e6, [3, 2]), [3, 2], "very low real scores"),
        case("far", low(rng, (3, 2, 5), -5e6, [1, 4, 2]), [[1, 1], [4, 4], [2, 2]], "very low real scores"),
        case("empty", normal(rng, 3, 2, 5), [2, 0, 4], "batch entry 1 has length 0"),
        case("empty", normal(rng, 2, 3, 4), [[0, 3, 1], [2, 0, 4]], "two queries have length 0"),
        case("empty", low(rng, (2, 2, 3), -3e6, [1, 0]), [1, 0], "very low scores and a length of 0"),
        case("huge", low(rng, (2, 2, 4), -3e9, [2, 3]), [2, 3], "real scores of minus 3 thousand million"),
        case("huge", low(rng, (2, 3, 4), -3e37, [1, 3]), [1, 3], "the lowest real scores"),
        case("gradient", normal(rng, 3, 2, 4), [3, 0, 2], "with gradients"),
        case("gradient", normal(rng, 2, 3, 4), [[1, 0, 4], [3, 2, 0]], "with gradients"),
        case("gradient", normal(rng, 2, 3, 4), None, "with gradients, no lengths"),
        case("far", tempting(rng, (3, 2, 4), [3, 1, 2], by=90), [3, 1, 2], "hidden keys score 90 higher"),
    )


def case(tag: str, scores: Tensor, valid_lens: Any, label: str) -> Case:
    args = scores, None if valid_lens is None else whole_numbers(valid_lens)
    return Case(tag, args, label=label, gradient_of=(0,) if tag == "gradient" else ())


def normal(rng: np.random.Generator, *shape: int) -> Tensor:
    return tensor(rng.normal(size=shape) * 2)


def large(rng: np.random.Generator, *shape: int) -> Tensor:
    """Scores of some thousand; what lies as close as 20, float32 tells apart in any way of writing."""
    return tensor(np.round(rng.normal(size=shape) * 50) * 20)


def tempting(
    rng: np.random.Generator, shape: tuple[int, ...], valid_lens: list[int], by: int = 300
) -> Tensor:
    """Hidden keys have scores higher by far, so that a softmax over all leaves the others 0, or next to it."""
    return tensor(rng.normal(size=shape) + by * ~real(shape, valid_lens))


def low(rng: np.random.Generator, shape: tuple[int, ...], bottom: float, valid_lens: list[int]) -> Tensor:
    """Real scores near `bottom`, hidden ones near 0; 20 apart, for float32 makes exp(x - logsumexp(x)) coarse here."""
    return tensor(20 * rng.normal(size=shape).argsort(axis=-1) + bottom * real(shape, valid_lens))


def real(shape: tuple[int, ...], valid_lens: list[int]) -> np.ndarray:
    """True where a key lies within the length of its batch entry."""
    return np.arange(shape[-1]) < np.reshape(valid_lens, (-1, 1, 1))


def masked_softmax(X: torch.Tensor, valid_lens: torch.Tensor | None = None) -> torch.Tensor:
    """PyTorch's attention weights for scores of which only the first `valid_lens` count."""
    from torch import arange, as_tensor, eye
    from torch.nn.functional import scaled_dot_product_attention, softmax

    if valid_lens is None:
        return softmax(X, dim=-1)

    one_per_key = eye(X.shape[-1], dtype=X.dtype).expand(len(X), -1, -1)
    lengths = as_tensor(valid_lens).reshape(len(X), -1, 1)
    mask = (arange(X.shape[-1]) < lengths).expand(X.shape)
    return scaled_dot_product_attention(X, one_per_key, one_per_key, attn_mask=mask, scale=1.0)


PLAIN, HIDE = "return X.softmax(dim=-1)", "X.masked_fill(hidden, -math.inf)"
STRUCK_OUT = "return weights.masked_fill(hidden, 0.0)"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    library=library.EARLIER,
    results=("weights",),
    reference_stub=masked_softmax,
    by_error=("overwrites what the gradient needs",),
    variant=Variant(
        "`valid_lens` says how many of the first keys are *hidden*; those behind them are real.",
        (">= lengths", "< lengths"),
        ("none", "batch", "query"),
    ),
    criteria=(
        Criterion("without lengths it is a softmax over the keys", common.agrees, ("none",)),
        Criterion("right with one length per batch entry", common.agrees, ("batch",), plain=("none",)),
        Criterion("right with one length per query", common.agrees, ("query",), plain=("none",)),
        Criterion("right however high or low the scores are", rules.low_scores, ("far",),
            plain=("none", "batch", "query")),
        Criterion("a length of 0 gives zeros", rules.zeros_for_nothing, ("empty",)),
        Criterion("hidden keys get exactly 0", rules.nothing_for_hidden, ("batch", "query", "far", "huge")),
        Criterion("leaves X and valid_lens as they were", common.unchanged, ("none", "batch", "query", "far", "empty")),
        Criterion("gradients flow back to X, past an empty row too", modules.gradients, ("gradient",)),
    ),
    misconceptions=(
        mistake("lengths repeated in the wrong order",
            ("= valid_lens", "= (valid_lens.repeat(X.shape[1]) if valid_lens.dim() == 1 else valid_lens)"),
            """
            if valid_lens is not None:
                lengths = valid_lens.repeat(X.shape[1]) if valid_lens.dim() == 1 else valid_lens
                X.masked_fill_(torch.arange(X.shape[-1]) >= lengths.reshape(X.shape[0], -1, 1), -1e6)
            return X.softmax(dim=-1)
            """),
        mistake("valid length off by one", (">= lengths", "> lengths"), (">= lengths", ">= lengths - 1"),
            """
            if valid_lens is not None:
                X.masked_fill_(torch.arange(X.shape[-1]) > valid_lens.reshape(X.shape[0], -1, 1), -1e6)
            return X.softmax(dim=-1)
            """, detail="one key too many, or one too few, survives",
            question="Write down the column numbers that survive a length. How many are there?"),
        mistake("length of 0 not handled", (".masked_fill(hidden, 0.0)", ""),
            (".masked_fill(hidden, 0.0)", "", "-math.inf", "torch.finfo(torch.float32).min"),
            (".masked_fill(hidden, 0.0)", "", "-math.inf", "-1e9"), detail="an empty row should be all zeros",
            question="What is left to look at, and what should that row's weights be?"),
        mistake("one hidden key empties the row",
            ("(hidden, 0.0)", "(hidden.any(dim=-1, keepdim=True), 0.0)")),
        mistake("masked score not low enough", (".masked_fill(hidden, 0.0)", "", "-math.inf", "0.0"),
            ("-math.inf", "0.0", "(hidden, 0.0)\n", "(hidden.all(dim=-1, keepdim=True), 0.0)\n"),
            (".masked_fill(hidden, 0.0)", "", "-math.inf", "-10.0"),
            (".masked_fill(hidden, 0.0)", "", "-math.inf", "-1e6"),
            (".masked_fill(hidden, 0.0)", "", "-math.inf", "X.min().item() - 10"),
            ("-math.inf", "-1e6", "(hidden, 0.0)", "(hidden.all(dim=-1, keepdim=True), 0.0)"),
            ("-math.inf", "-1e6"),
            (HIDE, "(X * ~hidden)",
             STRUCK_OUT, "kept = weights * ~hidden; return kept / (kept.sum(dim=-1, keepdim=True) + 1e-13)"),
            (HIDE, "(X * ~hidden)"), (HIDE, "(X - 70 * hidden)"),
            (HIDE, "(X + ((~hidden).float() + 1e-45).log())"),
            (HIDE, "(X - 10 * hidden)", ".masked_fill(hidden, 0.0)", ""),
            (HIDE, "(X - 100 * hidden)", ".masked_fill(hidden, 0.0)", ""),
            (HIDE, "(X - 1e4 * hidden)", ".masked_fill(hidden, 0.0)", ""),
            detail="a hidden score becomes a number that a real score can come near, or be below",
            question="What is exp of the score that you leave to a hidden key? Can a real score be lower than it?"),
        mistake("no shift by the maximum",
            *((PLAIN, "return X.exp() / X.exp().sum(dim=-1, keepdim=True)",
               f"{HIDE}.softmax(dim=-1)", f"X.exp() * ~hidden; weights = weights / weights.{total}")
              for total in ("sum(dim=-1, keepdim=True)", "sum(dim=-1, keepdim=True).clamp(min=1e-9)")),
            detail="exp of a score may be 0, or too large a number",
            question="What is exp(1000), and what is exp(-3000000)?"),
        mistake("one maximum for all rows",
            *(f"""
            hidden = torch.zeros(1) > 0
            if valid_lens is not None:
                hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(X.shape[0], -1, 1)
            seen = X.masked_fill(hidden, -math.inf)
            weights = (seen - {top}.max()).exp()
            total = weights.sum(dim=-1, keepdim=True)
            return weights / total{more}
            """ for top in ("X", "seen") for more in ("", ".where(total > 0, 1)", ".clamp(min=1e-9)")),
            question="What is left of a row that lies 1000 below the highest score?"),
        mistake("mask added as a number", (HIDE, "(X + ~hidden)", ".masked_fill(hidden, 0.0)", ""),
            (HIDE, "(X + ~hidden)", "(hidden, 0.0)\n", "(hidden.all(dim=-1, keepdim=True), 0.0)\n")),
        mistake("writes into its input",
            question="Print X and valid_lens afterwards. Which memory does your assignment write to?"),
        mistake("lengths per query ignored, or lengths per batch entry not expanded",
            ("-1, 1)", "-1, 1)[:, :1]"), ("-1, 1)", "-1, 1)[:, -1:]"),
            ("-1, 1)", "-1, 1).amax(dim=1, keepdim=True)"),
            ("= valid_lens", "= (valid_lens if valid_lens.dim() == 1 else valid_lens[0].expand(len(X), -1))"),
            ("valid_lens.reshape(X.shape[0], -1, 1)", "valid_lens[..., None]")),
        mistake("queries masked instead of keys", ("-1]) >= lengths", "1])[:, None] >= lengths.mT"),
            """
            if valid_lens is not None:
                lengths = valid_lens.reshape(X.shape[0], 1, -1)
                X = X.masked_fill(torch.arange(X.shape[1])[:, None] >= lengths, -1e9)
            return X.softmax(dim=-1)
            """, ("-1]) >= lengths", "1])[:, None] >= lengths.mT", ".masked_fill(hidden, 0.0)", "")),
        mistake("axis of length 1 lost",
            *((PLAIN, f"{PLAIN}.{lost}", STRUCK_OUT, f"{STRUCK_OUT}.{lost}")
              for lost in ("squeeze()", "squeeze(0)", "squeeze(1)")),
            detail="the weights have the shape of X, however long its axes are",
            question="Which 1s vanished?"),
        mistake("weights not normalised",
            (PLAIN, "return X.exp()", f"{HIDE}.softmax(dim=-1)", f"{HIDE}.exp()"),
            (PLAIN, "return (X - X.amax(dim=-1, keepdim=True)).exp()",
             f"{HIDE}.softmax(dim=-1)", "(X - X.amax(dim=-1, keepdim=True)).exp()"),
            detail="exponentials are returned, not divided by the sum of their row",
            question="What does each row sum to?"),
        mistake("softmax over the queries", ("dim=-1", "dim=1"),
            ("dim=-1", "dim=1", ".masked_fill(hidden, 0.0)", ""),
            detail="the shares of one key are summed to 1, not those of one query",
            question="For one query, what is shared out among the keys?"),
        mistake("softmax over the whole matrix",
            (".softmax(dim=-1)", ".flatten(1).softmax(dim=-1).reshape(X.shape)")),
        mistake("mask inverted", (">= lengths", "< lengths"),
            question="Print the weights of the keys beyond the length."),
        mistake("fractions cut off", (PLAIN, f"{PLAIN}.long()", STRUCK_OUT, f"{STRUCK_OUT}.long()"),
            detail="the weights are stored as whole numbers",
            question="What type has the tensor that you write the weights into?"),
        mistake("mask ignored", "return X.softmax(dim=-1)", detail="the lengths change nothing",
            question="Where does your code use valid_lens?"),
        mistake("masked after the softmax", (".masked_fill(hidden, -math.inf)", ""),
            (".masked_fill(hidden, -math.inf)", "",
             STRUCK_OUT, "kept = weights.masked_fill(hidden, 0.0); return kept / kept.sum(dim=-1, keepdim=True)"),
            (".masked_fill(hidden, -math.inf)", "",
             "weights.masked_fill(hidden, 0.0)", "nn.functional.normalize(weights * ~hidden, p=1, dim=-1)"),
            (".masked_fill(hidden, -math.inf)", "",
             STRUCK_OUT, "kept = weights * ~hidden; return kept / kept.sum(dim=-1, keepdim=True).clamp(min=1e-30)"),
            detail="hidden keys have already taken their share",
            question="Do the rows still sum to 1, and what if a hidden score is the highest by far?"),
        mistake("gradient cut",
            ("X.softmax", "X.detach().softmax", "X.masked_fill", "X.detach().masked_fill"),
            (HIDE, "(X + (~hidden).log())", "masked_fill(hidden, 0.0)", "nan_to_num()"),
            detail="nothing, or NaN, gets back to X",
            question="Where does the path from X to the weights leave the graph, or meet 0/0?"),
        mistake("overwrites what the gradient needs",
            (".masked_fill(hidden, 0.0)", ".masked_fill_(hidden, 0.0)")),
    ),
)
