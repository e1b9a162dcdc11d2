"""How `next_token_loss` is judged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Misconception, Tensor, Variant, common_mistakes

from ..checks import rules
from .cases import numbers, words

if TYPE_CHECKING:
    import torch


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(70)
    return (
        case(rng, "shift", [[2, 0, 3, 1, 4]], 6, "five words"),
        copying([[1, 3, 0, 2]], 4),
        case(rng, "batch", [[1, 4, 0], [2, 2, 3]], 5, "two texts"),
        case(rng, "batch", [[1, 0, 2, 2], [2, 1, 1, 0]], 3, "as many targets as words"),
        case(rng, "large", [[0, 2, 1], [2, 1, 3]], 4, "logits up to some thousand", scale=1000),
        case(rng, "pad", [[3, 1, 4, 2], [2, 4, 0, 0]], 5, "padded with 0", pad_token=0),
        case(rng, "pad", [[4, 4, 1, 3], [2, 0, 1, 3]], 5, "padded with 4, on the left", pad_token=4),
        case(rng, "nothing", [[2], [1]], 3, "texts of one word"),
        case(rng, "nothing", [[1, 3, 3]], 4, "pads alone to predict", pad_token=3),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    def some(batch: int, n: int, vocabulary: int) -> list[list[int]]:
        rows: list[list[int]] = rng.integers(1, vocabulary, size=(batch, n)).tolist()
        return rows

    padded = [row[: 5 - i] + [0] * (1 + i) for i, row in enumerate(some(3, 6, 8))]
    left = [[6] * (1 + i) + [word % 6 for word in row[1 + i :]] for i, row in enumerate(some(3, 6, 7))]
    return (
        case(rng, "shift", [[4, 1, 6, 0, 3]], 7, "five words"),
        case(rng, "shift", [[2, 1]], 5, "two words, one target"),
        copying([[3, 1, 4, 0, 2]], 6),
        case(rng, "batch", some(3, 5, 9), 9),
        case(rng, "batch", some(2, 6, 5), 5, "as many targets as words"),
        case(rng, "batch", some(4, 4, 4), 4, "as many words as texts and places"),
        case(rng, "large", some(3, 4, 6), 6, "logits up to some thousand", scale=1000),
        case(rng, "large", some(2, 5, 6), 6, "logits of about 20", scale=20),
        case(rng, "pad", padded, 8, "padded with 0, three lengths", pad_token=0),
        case(rng, "pad", [[2, 3, 1], [3, 1, 1]], 4, "padded with 1", pad_token=1),
        case(rng, "pad", left, 7, "padded with 6, on the left", pad_token=6),
        case(rng, "pad", some(2, 4, 6), 6, "no pad among them", pad_token=0),
        case(rng, "nothing", [[5]], 6, "one word"),
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
    return Case(tag, (logits, words(*tokens)), given, label=label, gradient_of=(0,))


def copying(tokens: list[list[int]], vocabulary: int) -> Case:
    """Each position is all but sure of the word that stands there."""
    copied = 8 * np.eye(vocabulary, dtype=np.float32)[np.array(tokens)]
    label = "logits that copy the word just read"
    return Case("shift", (Tensor(copied), words(*tokens)), label=label, gradient_of=(0,))


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
        Criterion("one number", rules.scalar),
        Criterion("each position predicts the next word", rules.loss, ("shift",), points=2),
        Criterion("the mean over all targets of the batch", rules.loss, ("batch",), plain=("shift",)),
        Criterion("the right number for large logits", rules.loss, ("large",), plain=("shift", "batch")),
        Criterion("targets that are pads do not count", rules.loss, ("pad",), plain=("shift", "batch")),
        Criterion("with nothing to predict it is 0", rules.loss, ("nothing",), plain=("shift", "batch")),
        Criterion("gradients reach the logits", rules.loss_gradients, ("batch", "pad", "nothing")),
        Criterion("leaves its inputs as they were", rules.nothing_changed),
    ),
    misconceptions=(
        Misconception("targets not shifted", "each position is compared with the word that it has just read",
            "Which word should position 3 predict?",
            ("tokens[:, 1:]", "tokens", "logits[:, :-1]", "logits"),
            ("tokens[:, 1:]", "tokens[:, :-1]"),
            ("logits[:, :-1]", "logits[:, 1:]"),
            flat(TARGETS, "tokens", CUT, "logits"),
            flat(TARGETS, "tokens[:, :-1]"),
            flat(CUT, "logits[:, 1:]")),
        Misconception("shifted the wrong way", "each position is compared with the word before",
            "Does your loss ask for the next word, or for the word before?",
            ("tokens[:, 1:]", "tokens[:, :-1]", "logits[:, :-1]", "logits[:, 1:]"),
            flat(TARGETS, "tokens[:, :-1]", CUT, "logits[:, 1:]")),
        Misconception("shifted twice", "each position is compared with the word after the next",
            "Write five words in a row, and under each one the word that your loss compares it with. What do you see?",
            ("tokens[:, 1:]", "tokens[:, 2:]", "logits[:, :-1]", "logits[:, :-2]"),
            flat(TARGETS, "tokens[:, 2:]", CUT, "logits[:, :-2]")),
        Misconception("softmax before the cross-entropy", "the softmax is taken twice",
            "What does `cross_entropy` take: logits, or probabilities?",
            ("logits[:, :-1].", "logits[:, :-1].softmax(-1)."),
            flat("(chosen", "(chosen.softmax(-1)")),
        Misconception("classes on the wrong axis", "the probabilities do not sum to 1 over the vocabulary",
            "Along which axis of your logits does the vocabulary lie, and along which axis is the softmax taken?",
            (ENTROPY, "functional.cross_entropy(logits[:, :-1], targets, reduction='none')"),
            (ENTROPY, "-logits[:, :-1].log_softmax(1).gather(-1, targets[..., None])[..., 0]"),
            (ENTROPY, "functional.cross_entropy(logits[:, :-1].reshape(len(logits), logits.shape[-1], -1), targets,"
                " reduction='none')"),
            flat("logits[:, :-1].", "logits[:, :-1].transpose(1, 2)."),
            flat("logits[:, :-1].reshape(-1, logits.shape[-1])", "logits[:, :-1]",
                "tokens[:, 1:].reshape(-1)", "tokens[:, 1:]"),
            flat(FLAT.split("\n")[1], "chosen = logits[:, :-1].reshape(len(logits), logits.shape[-1], -1)",
                "tokens[:, 1:].reshape(-1)", "tokens[:, 1:]")),
        Misconception("loss summed instead of averaged", "a longer text gets a larger loss",
            "If a text is twice as long, should its loss be twice as large?",
            (MEAN, "(losses * counts).sum()"),
            flat("=ignored", "=ignored, reduction='sum'")),
        Misconception("pads counted in the loss", "the model would also learn to write pads",
            "Should the model learn to write pads?",
            (COUNTS, "torch.ones_like(targets)"),
            flat(", ignore_index=ignored", "")),
        Misconception("divided by all targets, pads included", "the sum is right, but the divisor is not",
            "How many targets count, and by how many do you divide?",
            (MEAN, "(losses * counts).mean()"),
            (MEAN, "(losses * counts).sum() / max(targets.numel(), 1)")),
        Misconception("a mean of the texts' means", "a short text weighs as much as a long one",
            "One text has one target, the other has nine. Does each of the ten targets have the same weight?",
            (MEAN, "((losses * counts).sum(1) / counts.sum(1).clamp(min=1)).mean()"),
            (MEAN, "((losses * counts).sum(1) / counts.sum(1)).mean()")),
        Misconception("pads looked for among the inputs", "a prediction does not count if its target is a pad",
            "Which tokens are the targets, and among which tokens do you look for pads?",
            (COUNTS, "torch.ones_like(targets) if pad_token is None else (tokens[:, :-1] != pad_token).long()")),
        Misconception("pad token fixed at 0", "the argument `pad_token` is not used",
            "Which targets do not count if `pad_token` is 4, and which if it is None?",
            (COUNTS, "(targets != 0).long()"),
            flat("=ignored", "=0")),
        Misconception("pad token 0 taken for none", "Python takes 0 for false, but 0 is a token like any other",
            "What is `bool(0)`?",
            ("if pad_token is None", "if not pad_token"),
            flat("if pad_token is None else pad_token", "if not pad_token else pad_token")),
        Misconception("a mean of no targets", "0 divided by 0 is not a number",
            "By which number do you divide if no target counts?",
            (MEAN, "(losses * counts).sum() / counts.sum()"),
            flat()),
        Misconception("no number for ignore_index",
            "`cross_entropy` needs a number there, but without a pad token it gets None",
            "What does `ignore_index` get if `pad_token` is None?",
            flat("=ignored", "=pad_token")),
        Misconception("no shift by the maximum", "the exponential of a large logit overflows",
            "What is exp(1000)?",
            (ENTROPY, "-(logits[:, :-1].exp() / logits[:, :-1].exp().sum(-1, keepdim=True))"
                ".log().gather(-1, targets[..., None])[..., 0]"),
            (ENTROPY, "logits[:, :-1].exp().sum(-1).log() - logits[:, :-1].gather(-1, targets[..., None])[..., 0]")),
        Misconception("logarithm of a share that is 0", "a tiny share is rounded to 0 before its logarithm is taken",
            "Two logits are 0 and 1000. Which share does the first one get, and what should its logarithm be?",
            (ENTROPY, "-logits[:, :-1].softmax(-1).log().gather(-1, targets[..., None])[..., 0]"),
            *((ENTROPY, f"-logits[:, :-1].softmax(-1).{raised}.log().gather(-1, targets[..., None])[..., 0]")
                for least in ("1e-8", "1e-9", "1e-10", "1e-12") for raised in (f"add({least})", f"clamp({least})"))),
        Misconception("large scores cut to a limit", "all scores beyond the limit get the same weight",
            "Two scores are 5000 and 5010. Which one should win, and what does your limit make of them?",
            *(("cross_entropy(rows", f"cross_entropy(rows.clamp(-{most}, {most})") for most in (80, 50))),
        Misconception("gradient cut", "autograd cannot see that the loss depends on the logits",
            "Where is the graph cut? Look for detach, item(), .data, and for tensors that you make from plain numbers.",
            (MEAN, "((losses * counts).sum() / counts.sum().clamp(min=1)).detach()"),
            (MEAN, MEAN + " if counts.sum() else torch.tensor(0.0)"),
            (MEAN, "((losses * counts).sum() / counts.sum().clamp(min=1)).item()")),
        common_mistakes.writes_into_its_input(
            ("targets = ", "if pad_token is not None: tokens[tokens == pad_token] = 0\n    targets = "),
        ),
    ),
)
