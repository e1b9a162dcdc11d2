"""How `PostNormBlock` is judged."""

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, Variant

from ...judging.mistakes import mistake
from ..checks import rules
from .TransformerBlock import BROUGHT, SECOND, case, made


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(17)
    return (
        made(4, 2, 6),
        case(rng, "zero", (1, 2, 4, 2, 3), "attention and network are all 0"),
        case(rng, "plain", (2, 3, 4, 2, 6)),
        case(rng, "mask", (1, 3, 4, 2, 6), "causal", np.tri(3, dtype=bool)),
        case(rng, "second", (1, 3, 4, 2, 6), SECOND),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    return (
        made(12, 3, 7),
        case(rng, "zero", (2, 4, 6, 3, 5), "attention and network are all 0"),
        case(rng, "plain", (2, 5, 12, 3, 8)),
        case(rng, "plain", (3, 1, 6, 2, 9), "one token"),
        case(rng, "mask", (2, 5, 12, 3, 8), "causal", np.tri(5, dtype=bool)),
        case(rng, "mask", (1, 1, 4, 2, 6), "one token, which sees itself", np.ones((1, 1, 1), dtype=bool)),
        case(rng, "mask", (2, 3, 4, 2, 6), "only earlier tokens, the first sees nothing", np.tri(3, k=-1, dtype=bool)),
    )


Y = "y = self.norm_1(x + self.attention(x, x, x, mask))"
OUT = "return self.norm_2(y + self.feed_2(torch.relu(self.feed_1(y))))"

EXERCISE = Exercise(
    graded=False,
    puzzle=True,
    examples=examples,
    draw=draw,
    helpers=BROUGHT,
    variant=Variant(
        "Each norm comes *before* its addition: the output of attention or the network is normalised, then added.",
        (
            "self.norm_1(x + self.attention(x, x, x, mask))",
            "x + self.norm_1(self.attention(x, x, x, mask))",
            "self.norm_2(y + self.feed_2(torch.relu(self.feed_1(y))))",
            "y + self.norm_2(self.feed_2(torch.relu(self.feed_1(y))))",
        ),
    ),
    criteria=(
        Criterion("its parameters are those of the five parts", rules.parts, ("build",), built=True),
        Criterion("the output has the shape of x", rules.block_shape, ("build", "plain")),
        Criterion("where attention and network are 0, the output is the normalised x", rules.block, ("zero",)),
        Criterion("the right numbers without a mask", rules.block, ("plain", "second")),
        Criterion("the right numbers under a mask", rules.block, ("mask",), plain=("plain",)),
        Criterion("leaves its inputs as they were", rules.untouched, ("plain", "mask")),
    ),
    misconceptions=(
        mistake("normed before the step",
            (Y, "h = self.norm_1(x); y = x + self.attention(h, h, h, mask)",
             OUT, "return y + self.feed_2(torch.relu(self.feed_1(self.norm_2(y))))")),
        mistake("residual missing", (Y, Y.replace("x + ", "")), (OUT, OUT.replace("y + ", "")),
            (Y, Y.replace("x + ", ""), OUT, OUT.replace("y + ", ""))),
        mistake("added after the norm",
            (Y, "y = x + self.norm_1(self.attention(x, x, x, mask))",
             OUT, "return y + self.norm_2(self.feed_2(torch.relu(self.feed_1(y))))")),
        mistake("one norm for both", ("self.norm_2(y", "self.norm_1(y")),
        mistake("mask not handed on", (Y, Y.replace(", mask", ""))),
        mistake("feed-forward without an activation function",
            ("torch.relu(self.feed_1(y))", "self.feed_1(y)")),
        mistake("writes into its input", (Y, "x += self.attention(x, x, x, mask); y = self.norm_1(x)")),
    ),
)
