"""How `next_token_probabilities` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Tensor, Variant, common
from attention import common_rules

from ...judging.cases import numbers
from ...judging.mistakes import mistake
from ..checks import rules


def examples() -> tuple[Case, ...]:
    few = Tensor(np.array([1.0, 3.0, 0.5, -2.0], dtype=np.float32))
    return (
        Case("plain", (few,), label="temperature 1"),
        Case("temperature", (few, 0.5), label="colder"),
        Case("temperature", (few, 2.0), label="hotter"),
        Case("zero", (Tensor(few.array - 2), 0), label="temperature 0"),
        Case("cold", (Tensor(np.array([20.0, 18.0, 19.5], dtype=np.float32)), 0.01), label="very cold"),
        Case("cold", (alike(8), 0.01), label="very cold, logits almost alike"),
        Case("learning", (few, 2.0), label="logits that require a gradient", gradient_of=(0,)),
        Case("refuse", (few, -1.0), label="a negative temperature", raises="ValueError"),
        Case("zero", (alike(8), 0), label="temperature 0, logits almost alike"),
        Case("far", (Tensor(np.array([-1500.0, -1501.0, -1498.5], dtype=np.float32)),), label="logits far below 0"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    def logits(length: int, scale: float = 2) -> Tensor:
        """Random logits, no two equal, in no order."""
        spread = np.sort(rng.normal(size=length)).round(2) + 0.05 * np.arange(length)
        return Tensor((scale * rng.permutation(spread)).astype(np.float32))

    return (
        Case("plain", (logits(7),)),
        Case("plain", (logits(5, 10),), label="logits of about 10"),
        Case("temperature", (logits(6), 0.3)),
        Case("temperature", (logits(9), 3.5)),
        Case("temperature", (logits(1), 0.7), label="one token"),
        Case("temperature", (logits(6), 1), label="temperature 1, asked for"),
        Case("zero", (logits(8), 0.0)),
        Case("zero", (Tensor(-np.abs(logits(5).array) - 1), 0), label="all logits below 0"),
        Case("zero", (alike(11), 0), label="temperature 0, logits almost alike"),
        Case("cold", (logits(6, 50), 0.01)),
        Case("cold", (alike(int(rng.integers(9, 20))), 0.02), label="logits almost alike"),
        Case("far", (Tensor(logits(6, 50).array - 1500), 1.0), label="logits far below 0"),
        Case("learning", (logits(5), 0.8), label="logits that require a gradient", gradient_of=(0,)),
        Case("learning", (alike(5), 0), label="logits that require a gradient", gradient_of=(0,)),
        Case("refuse", (numbers(rng, 4), -0.25), raises="ValueError"),
        Case("refuse", (numbers(rng, 4), -3), raises="ValueError"),
    )


def alike(length: int) -> Tensor:
    """Logits that differ by a thousandth."""
    return Tensor((1 + np.roll(np.arange(length), 3) / 1000).astype(np.float32))


GUARD = "if temperature < 0:"
COLD = "if temperature == 0:"
DIVIDED = "torch.softmax(logits / temperature, dim=-1)"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    free=("learning",),
    variant=Variant(
        "`temperature` is the inverse: the logits are multiplied by it, and at 0 all words are equally likely.",
        (
            "one_hot(logits.argmax(), len(logits)).to(logits.dtype)",
            "softmax(0 * logits, dim=-1)",
            "logits / temperature",
            "logits * temperature",
        ),
        ("plain", "temperature", "zero", "cold"),
    ),
    by_error=("temperature 0 not handled",),
    criteria=(
        Criterion("a probability for each token", common.shape, ("plain", "temperature")),
        Criterion("which sum to 1", rules.sums_to_one, ("plain", "temperature")),
        Criterion("temperature 1: plain softmax", common.agrees, ("plain",)),
        Criterion("temperatures above and below 1", common.agrees, ("temperature",), plain=("plain",)),
        Criterion("temperature 0: all for the likeliest token", common.agrees, ("zero",), plain=("plain",)),
        Criterion("right when it is very cold", common.agrees, ("cold",), plain=("plain", "temperature")),
        Criterion("right for logits far from 0", common.agrees, ("far",), plain=("plain", "temperature")),
        Criterion("also for logits that require a gradient",
            common_rules.numbers, ("learning",), plain=("plain", "temperature", "zero")),
        Criterion("leaves the logits as they were", common.unchanged, ("plain", "temperature", "zero", "cold", "far")),
        Criterion("ValueError for a negative temperature", common_rules.value_error, ("refuse",), points=0),
    ),
    misconceptions=(
        mistake("temperature after the softmax", (DIVIDED, "torch.softmax(logits, dim=-1) / temperature")),
        mistake("temperature multiplied", (DIVIDED, "torch.softmax(logits * temperature, dim=-1)"),
            (DIVIDED, "torch.softmax(logits * temperature, dim=-1)", COLD, "if False:"),
            "return torch.softmax(logits * temperature, dim=-1)",
            detail="a high temperature acts like a low one",
            question="At a higher temperature, do your probabilities become more alike or less alike?"),
        mistake("temperature ignored", (DIVIDED, "torch.softmax(logits, dim=-1)"),
            (DIVIDED, "torch.softmax(logits, dim=-1)", COLD, "if False:"),
            "return torch.softmax(logits, dim=-1)"),
        mistake("temperature 0 not handled", (COLD, "if False:"),
            (COLD, "if False:", DIVIDED, "torch.softmax(logits * (1 / temperature), dim=-1)"),
            "return torch.softmax(logits / temperature, dim=-1)",
            """
            if temperature < 0:
                raise ValueError
            logits = logits / temperature
            return (logits - logits.max()).exp() / (logits - logits.max()).exp().sum()
            """),
        mistake("temperature 0 taken for 1",
            (COLD, "if False:", DIVIDED, "torch.softmax(logits / (temperature or 1), dim=-1)")),
        mistake("the largest logit itself, not a 1",
            ("functional.one_hot(logits.argmax(), len(logits)).to(logits.dtype)",
             "logits.where(logits == logits.max(), 0.0)")),
        mistake("the position of the largest, not a probability for each",
            ("functional.one_hot(logits.argmax(), len(logits)).to(logits.dtype)", "logits.argmax()")),
        mistake("negative temperature not refused", (GUARD, "if False:"),
            (GUARD, "if False:", COLD, "if temperature <= 0:"),
            (GUARD, "if False:", DIVIDED, "torch.softmax(logits / abs(temperature), dim=-1)")),
        mistake("no shift by the maximum",
            (DIVIDED, "(logits / temperature).exp() / (logits / temperature).exp().sum()"),
            (DIVIDED, "torch.tensor([math.exp(z / temperature) / sum(math.exp(y / temperature) for y in logits)"
                " for z in logits])"), detail="the exponential of a large number overflows"),
        mistake("another maximum taken away",
            (DIVIDED, "functional.normalize((logits / temperature - logits.max()).exp(), p=1, dim=0)")),
        mistake("fractions cut off", (DIVIDED, "torch.softmax(logits // temperature, dim=-1)"),
            detail="`//` rounds down to whole numbers", question="What is 1.5 // 1?"),
        mistake("large scores cut to a limit",
            *((DIVIDED, f"torch.softmax((logits / temperature).clamp({limits}), dim=-1)")
                for limits in ("-80, 80", "-50, 50", "max=80")),
            detail="all scores beyond the limit get the same weight",
            question="Two scores are 5000 and 5010. Which one should win, and what does your limit make of them?"),
        mistake("log-probabilities returned", (DIVIDED, "torch.log_softmax(logits / temperature, dim=-1)")),
        mistake("writes into its input", (DIVIDED, "torch.softmax(logits.div_(temperature), dim=-1)"),
            ("return torch", "logits /= temperature\n    return torch", "logits / temperature", "logits")),
    ),
)
