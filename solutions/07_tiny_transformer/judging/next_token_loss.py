"""How `next_token_loss` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant
from attention import common_rules

from ...judging.cases import numbers, whole_numbers
from ...judging.mistakes import mistake
from ..checks import rules

if TYPE_CHECKING:
    import torch


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(70)
    return (
        case(rng, "shift", [[2, 0, 3, 1, 4]], 6, "five tokens"),
        copying([[1, 3, 0, 2]], 4),
        case(rng, "batch", [[1, 4, 0], [2, 2, 3]], 5, "two texts"),
        case(rng, "batch", [[1, 0, 2, 2], [2, 1, 1, 0]], 3, "as many targets as tokens"),
        case(rng, "large", [[0, 2, 1], [2, 1, 3]], 4, "logits up to some thousand", scale=1000),
        case(rng, "pad", [[3, 1, 4, 2], [2, 4, 0, 0]], 5, "padded with 0", pad_token=0),
        case(rng, "pad", [[4, 4, 1, 3], [2, 0, 1, 3]], 5, "padded with 4, on the left", pad_token=4),
        case(rng, "nothing", [[2], [1]], 3, "texts of one token"),
        case(rng, "nothing", [[1, 3, 3]], 4, "pads alone to predict", pad_token=3),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    def some(batch: int, n: int, vocabulary: int) -> list[list[int]]:
        rows: list[list[int]] = rng.integers(1, vocabulary, size=(batch, n)).tolist()
        return rows

    padded = [row[: 5 - i] + [0] * (1 + i) for i, row in enumerate(some(3, 6, 8))]
    left = [[6] * (1 + i) + [word % 6 for word in row[1 + i :]] for i, row in enumerate(some(3, 6, 7))]
    return (
        case(rng, "shift", [[4, 1, 6, 0, 3]], 7, "five tokens"),
        case(rng, "shift", [[2, 1]], 5, "two tokens, one target"),
        copying([[3, 1, 4, 0, 2]], 6),
        case(rng, "batch", some(3, 5, 9), 9),
        case(rng, "batch", some(2, 6, 5), 5, "as many targets as tokens"),
        case(rng, "batch", some(4, 4, 4), 4, "as many tokens as texts and places"),
        case(rng, "large", some(3, 4, 6), 6, "logits up to some thousand", scale=1000),
        case(rng, "large", some(2, 5, 6), 6, "logits of about 20", scale=20),
        case(rng, "pad", padded, 8, "padded with 0, three lengths", pad_token=0),
        case(rng, "pad", [[2, 3, 1], [3, 1, 1]], 4, "padded with 1", pad_token=1),
        case(rng, "pad", left, 7, "padded with 6, on the left", pad_token=6),
        case(rng, "pad", some(2, 4, 6), 6, "no pad among them", pad_token=0),
        case(rng, "nothing", [[5]], 6, "one token"),
        case(rng, "nothing", [[1, 0, 0], [0, 0, 0]], 3, "pads alone to predict", pad_token=0),
    )


def case(
    rng: np.random.Generator,
    tag: str,
    tokens: list[list[int]],
    vocabulary: int,
    label: str = "",
    pad_token: int | None = None,
    scale: float = 2,
) -> Case:
    logits = numbers(rng, len(tokens), len(tokens[0]), vocabulary, scale=scale)
    given = {} if pad_token is None else {"pad_token": pad_token}
    return Case(tag, (logits, whole_numbers(tokens)), given, label=label, gradient_of=(0,))


def copying(tokens: list[list[int]], vocabulary: int) -> Case:
    """Each position is all but sure of the word that stands there."""
    copied = 8 * np.eye(vocabulary, dtype=np.float32)[np.array(tokens)]
    label = "logits that copy the token just read"
    return Case("shift", (Tensor(copied), whole_numbers(tokens)), label=label, gradient_of=(0,))


def next_token_loss(
    logits: torch.Tensor, tokens: torch.Tensor, pad_token: int | None = None
) -> torch.Tensor:
    """A scalar, of shares that are looked up."""
    targets = tokens[:, 1:]
    counted = (targets == targets) if pad_token is None else (targets != pad_token)
    chances = logits[:, :-1].log_softmax(-1).gather(-1, targets[..., None])[..., 0]
    return -(chances * counted).sum() / counted.sum().clamp(min=1)


CUT, TARGETS = "logits[:, :-1]", "tokens[:, 1:]"
ENTROPY = "functional.cross_entropy(rows, targets.flatten(), reduction=\"none\").view_as(targets)"
COUNTS = "torch.ones_like(targets) if pad_token is None else (targets != pad_token).long()"
MEAN = "(losses * counts).sum() / counts.sum().clamp(min=1)"
FLAT = """
chosen = logits[:, :-1].reshape(-1, logits.shape[-1])
targets = tokens[:, 1:].reshape(-1)
ignored = -100 if pad_token is None else pad_token
return functional.cross_entropy(chosen, targets, ignore_index=ignored)
"""


def flat(*changes: str) -> str:
    """The usual way, with all pairs in one axis, after changes."""
    text = FLAT
    for old, new in zip(changes[::2], changes[1::2], strict=True):
        assert old in text, old
        text = text.replace(old, new)
    return text


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    reference_stub=next_token_loss,
    by_error=("no number for ignore_index",),
    variant=Variant(
        "The loss is given in bits, with logarithms to the base 2.",
        ("/ counts.sum().clamp(min=1)", "/ counts.sum().clamp(min=1) / math.log(2)"),
    ),
    criteria=(
        Criterion("one number", common_rules.shape),
        Criterion("each position predicts the next token", common_rules.numbers, ("shift",), points=2),
        Criterion("the mean over all targets of the batch", common_rules.numbers, ("batch",), plain=("shift",)),
        Criterion("the right number for large logits", common_rules.numbers, ("large",), plain=("shift", "batch")),
        Criterion("targets that are pads do not count", common_rules.numbers, ("pad",), plain=("shift", "batch")),
        Criterion("with nothing to predict it is 0", common_rules.numbers, ("nothing",), plain=("shift", "batch")),
        Criterion("gradients reach the logits", rules.loss_gradients, ("batch", "pad", "nothing")),
    ),
    misconceptions=(
        mistake("targets not shifted", ("tokens[:, 1:]", "tokens", "logits[:, :-1]", "logits"),
            ("tokens[:, 1:]", "tokens[:, :-1]"), ("logits[:, :-1]", "logits[:, 1:]"),
            flat(TARGETS, "tokens", CUT, "logits"), flat(TARGETS, "tokens[:, :-1]"),
            flat(CUT, "logits[:, 1:]")),
        mistake("shifted the wrong way",
            ("tokens[:, 1:]", "tokens[:, :-1]", "logits[:, :-1]", "logits[:, 1:]"),
            flat(TARGETS, "tokens[:, :-1]", CUT, "logits[:, 1:]"),
            detail="each position is compared with the token before",
            question="Does your loss ask for the next token, or for the token before?"),
        mistake("shifted twice", ("tokens[:, 1:]", "tokens[:, 2:]", "logits[:, :-1]", "logits[:, :-2]"),
            flat(TARGETS, "tokens[:, 2:]", CUT, "logits[:, :-2]"),
            detail="each position is compared with the token after the next",
            question="Write five tokens in a row, and under each one the token that your loss compares "
                "it with. What do you see?"),
        mistake("softmax before the cross-entropy", ("logits[:, :-1].", "logits[:, :-1].softmax(-1)."),
            flat("(chosen", "(chosen.softmax(-1)")),
        mistake("classes on the wrong axis",
            (ENTROPY, "functional.cross_entropy(logits[:, :-1], targets, reduction='none')"),
            (ENTROPY, "-logits[:, :-1].log_softmax(1).gather(-1, targets[..., None])[..., 0]"),
            (ENTROPY, "functional.cross_entropy(logits[:, :-1].reshape(len(logits), logits.shape[-1], -1), targets,"
                " reduction='none')"), flat("logits[:, :-1].", "logits[:, :-1].transpose(1, 2)."),
            flat("logits[:, :-1].reshape(-1, logits.shape[-1])", "logits[:, :-1]",
                "tokens[:, 1:].reshape(-1)", "tokens[:, 1:]"),
            flat(FLAT.split("\n")[1], "chosen = logits[:, :-1].reshape(len(logits), logits.shape[-1], -1)",
                "tokens[:, 1:].reshape(-1)", "tokens[:, 1:]")),
        mistake("loss summed instead of averaged", (MEAN, "(losses * counts).sum()"),
            flat("=ignored", "=ignored, reduction='sum'")),
        mistake("pads counted in the loss", (COUNTS, "torch.ones_like(targets)"),
            flat(", ignore_index=ignored", "")),
        mistake("divided by all targets, pads included", (MEAN, "(losses * counts).mean()"),
            (MEAN, "(losses * counts).sum() / max(targets.numel(), 1)")),
        mistake("a mean of the texts' means",
            (MEAN, "((losses * counts).sum(1) / counts.sum(1).clamp(min=1)).mean()"),
            (MEAN, "((losses * counts).sum(1) / counts.sum(1)).mean()")),
        mistake("pads looked for among the inputs",
            (COUNTS, "torch.ones_like(targets) if pad_token is None else (tokens[:, :-1] != pad_token).long()")),
        mistake("pad token fixed at 0", (COUNTS, "(targets != 0).long()"), flat("=ignored", "=0")),
        mistake("pad token 0 taken for none", ("if pad_token is None", "if not pad_token"),
            flat("if pad_token is None else pad_token", "if not pad_token else pad_token")),
        mistake("a mean of no targets", (MEAN, "(losses * counts).sum() / counts.sum()"), flat()),
        mistake("no number for ignore_index", flat("=ignored", "=pad_token")),
        mistake("no shift by the maximum",
            (ENTROPY, "-(logits[:, :-1].exp() / logits[:, :-1].exp().sum(-1, keepdim=True))"
                ".log().gather(-1, targets[..., None])[..., 0]"),
            (ENTROPY, "logits[:, :-1].exp().sum(-1).log() - logits[:, :-1].gather(-1, targets[..., None])[..., 0]"),
            detail="the exponential of a large logit overflows"),
        mistake("logarithm of a share that is 0",
            (ENTROPY, "-logits[:, :-1].softmax(-1).log().gather(-1, targets[..., None])[..., 0]"),
            *((ENTROPY, f"-logits[:, :-1].softmax(-1).{raised}.log().gather(-1, targets[..., None])[..., 0]")
                for least in ("1e-8", "1e-9", "1e-10", "1e-12") for raised in (f"add({least})", f"clamp({least})"))),
        mistake("large scores cut to a limit",
            *(("cross_entropy(rows", f"cross_entropy(rows.clamp(-{most}, {most})") for most in (80, 50)),
            detail="all scores beyond the limit get the same weight",
            question="Two scores are 5000 and 5010. Which one should win, and what does your limit make of them?"),
        mistake("gradient cut", (MEAN, "((losses * counts).sum() / counts.sum().clamp(min=1)).detach()"),
            (MEAN, MEAN + " if counts.sum() else torch.tensor(0.0)"),
            (MEAN, "((losses * counts).sum() / counts.sum().clamp(min=1)).item()"),
            detail="autograd cannot see that the loss depends on the logits",
            question="Where is the graph cut? Look for detach, item(), .data, and for tensors that "
                "you make from plain numbers."),
        mistake("writes into its input",
            ("targets = ", "if pad_token is not None: tokens[tokens == pad_token] = 0\n    targets = ")),
    ),
)
