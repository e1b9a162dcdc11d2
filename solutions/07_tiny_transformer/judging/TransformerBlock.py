"""How `TransformerBlock` is judged."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from autograder.exercises import Case, CasePutBy, Criterion, Exercise, ModuleState, Tensor, Variant
from attention import library

from ...judging.cases import numbers, padding
from ...judging.mistakes import mistake
from ..checks import rules

IN_BOTH_MODES = "07_tiny_transformer.checks.asking:in_both_modes"
SECOND = "the second call; the first had other numbers, and a mask"


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(7)
    return (
        made(4, 2, 6),
        case(rng, "zero", (1, 2, 4, 2, 3), "attention and network are all 0"),
        case(rng, "plain", (2, 3, 4, 2, 6)),
        case(rng, "plain", (1, 2, 6, 3, 4), "after train()", training=True),
        case(rng, "mask", (1, 3, 4, 2, 6), "causal", np.tri(3, dtype=bool)),
        case(rng, "mask", (2, 3, 4, 2, 6), "padding, 2 sentences", padding(2, 3, n=3)),
        case(rng, "one norm", (1, 2, 4, 2, 6), "norm_2 as it was made", without=("norm_2",)),
        case(rng, "gradient", (1, 2, 4, 2, 6)),
        case(rng, "second", (1, 3, 4, 2, 6), SECOND),
        case(rng, "plain", (1, 2, 4, 2, 6), "numbers near 0", scale=0.003),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    mask = rng.random((2, 4, 4)) < 0.5
    mask |= np.eye(4, dtype=bool)
    mask[0, 3] = False
    return (
        made(12, 3, 7),
        case(rng, "zero", (2, 4, 6, 3, 5), "attention and network are all 0"),
        case(rng, "plain", (2, 5, 12, 3, 8)),
        case(rng, "plain", (3, 1, 6, 2, 9), "one token"),
        case(rng, "plain", (2, 4, 6, 1, 6), "one head", training=True),
        case(rng, "mask", (2, 5, 12, 3, 8), "causal", np.tri(5, dtype=bool)),
        case(rng, "mask", (1, 1, 4, 2, 6), "one token, which sees itself", np.ones((1, 1, 1), dtype=bool)),
        case(rng, "mask", (2, 4, 6, 2, 10), "a mask a sentence, one query sees nothing", mask),
        case(rng, "one norm", (2, 3, 6, 2, 7), "norm_2 as it was made", without=("norm_2",)),
        case(rng, "gradient", (2, 4, 6, 2, 10), "causal", np.tri(4, dtype=bool)),
        case(rng, "plain", (2, 3, 6, 3, 5), "numbers near 0", scale=0.003),
    )


def made(d_model: int, heads: int, d_ff: int) -> Case:
    """A module with parameters of its own."""
    zeros = Tensor(np.zeros((1, 2, d_model), dtype=np.float32))
    label = f"TransformerBlock({d_model}, {heads}, {d_ff})"
    named = tuple(parameters(np.random.default_rng(0), d_model, d_ff))
    return Case("build", (zeros,), label=label, module=replace(module(d_model, heads, d_ff, {}), named=named))


def case(
    rng: np.random.Generator,
    tag: str,
    sizes: tuple[int, ...],
    label: str = "",
    mask: np.ndarray | None = None,
    training: bool = False,
    without: Collection[str] = (),
    scale: float = 3,
) -> Case:
    """sizes: batch, n, d_model, heads, d_ff; without: parts whose parameters are left as they were made."""
    batch, n, d_model, heads, d_ff = sizes
    x = numbers(rng, batch, n, d_model, scale=scale, decimals=1 if scale > 1 else 4)
    first = (Tensor(x.array[:, ::-1].copy()), Tensor(np.tri(n, dtype=bool))) if tag == "second" else ()
    weights = {
        name: array * (tag != "zero" or name.startswith("norm"))
        for name, array in parameters(rng, d_model, d_ff).items()
        if not name.startswith(tuple(without))
    }
    of_weights = module(d_model, heads, d_ff, weights)
    if training:
        return CasePutBy(tag, (x,), label=label, module=of_weights, by=IN_BOTH_MODES)
    return Case(
        tag,
        (x,),
        {} if mask is None else {"mask": Tensor(mask)},
        label=label,
        module=replace(of_weights, called_before=first),
        gradient_of=(0,) if tag == "gradient" else (),
        facts={"partly": True} if without else {},
    )


def parameters(rng: np.random.Generator, d_model: int, d_ff: int) -> dict[str, np.ndarray]:
    shapes: dict[str, tuple[int, ...]] = {}
    shapes |= {f"attention.{layer}.weight": (d_model, d_model) for layer in ("W_q", "W_k", "W_v", "W_o")}
    for norm in ("norm_1", "norm_2"):
        shapes |= {f"{norm}.weight": (d_model,), f"{norm}.bias": (d_model,)}
    shapes |= {"feed_1.weight": (d_ff, d_model), "feed_1.bias": (d_ff,)}
    shapes |= {"feed_2.weight": (d_model, d_ff), "feed_2.bias": (d_model,)}
    return {name: numbers(rng, *shape).array for name, shape in shapes.items()}


def module(d_model: int, heads: int, d_ff: int, weights: dict[str, np.ndarray]) -> ModuleState:
    init = {"d_model": d_model, "num_heads": heads, "d_ff": d_ff}
    return ModuleState(init, weights, shows=(rules.WEIGHTS,))


BROUGHT = {"MultiHeadAttention": "attention.heads"}
H, SUM_1 = "h = self.norm_1(x)", "y = x + self.attention(h, h, h, mask)"
FEED = "self.feed_2(torch.relu(self.feed_1({})))"
NETWORK = FEED.format("self.norm_2(y)")
SUM_2 = f"return y + {NETWORK}"


def last(line: str) -> tuple[str, str]:
    """What becomes of the second sum."""
    return SUM_2, line


EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    helpers=BROUGHT,
    free=("build",),
    library=library.BLOCK,
    steps=("h", "y"),
    variant=Variant(
        "Attention and the network work side by side. Both read the normalised x, and both outputs are added to x.",
        ("self.norm_2(y)", "self.norm_2(x)"),
        ("zero", "plain", "mask"),
    ),
    criteria=(
        Criterion("its parameters are those of the five parts", rules.parts, ("build",), built=True),
        Criterion("the output has the shape of x", rules.block_shape, ("build", "plain")),
        Criterion("where attention and network are 0, the output is x", rules.block, ("zero",)),
        Criterion("queries and keys come from the normalised x", rules.looks, ("plain",)),
        Criterion("the right numbers without a mask", rules.block, ("plain", "one norm", "second"), points=2),
        Criterion("the right numbers under a mask", rules.block_and_looks, ("mask",), plain=("plain", "one norm")),
        Criterion("gradients reach x and every parameter", rules.gradients, ("gradient",)),
        Criterion("leaves its inputs as they were", rules.untouched, ("plain", "mask")),
    ),
    misconceptions=(
        mistake("residual missing", (SUM_1, SUM_1.replace("x + ", "")), last(SUM_2.replace("y + ", "")),
            (SUM_1, SUM_1.replace("x + ", ""), *last(SUM_2.replace("y + ", ""))),
            question="If all parameters are 0, what should the block return?"),
        mistake("residual from the normed input", (SUM_1, SUM_1.replace("x + ", "h + ")),
            last(f"z = self.norm_2(y); return z + {FEED.format('z')}"),
            (SUM_1, SUM_1.replace("x + ", "h + "),
             *last(f"z = self.norm_2(y); return z + {FEED.format('z')}"))),
        mistake("normed after the sum",
            (H, "h = x", SUM_1, "y = self.norm_1(x + self.attention(h, h, h, mask))",
             *last(f"return self.norm_2(y + {FEED.format('y')})")),
            (H, "h = x", SUM_1, "y = self.norm_1(x + self.attention(h, h, h, mask))"),
            last(f"return self.norm_2(y + {FEED.format('y')})")),
        mistake("one norm for both", ("self.norm_2(y)", "self.norm_1(y)"),
            ("self.norm_2 = nn.LayerNorm(d_model)", "self.norm_2 = self.norm_1"),
            ("self.norm_2 = nn.LayerNorm(d_model)", "pass", "self.norm_2(y)", "self.norm_1(y)")),
        mistake("norm missing", (H, "h = x"), ("self.norm_2(y)", "y"), (H, "h = x", "self.norm_2(y)", "y"),
            ("self.norm_2 = nn.LayerNorm(d_model)", "pass", "self.norm_2(y)", "y")),
        mistake("keys and values not normed", ("(h, h, h, mask)", "(h, x, x, mask)")),
        mistake("values not normed", ("(h, h, h, mask)", "(h, h, x, mask)")),
        mistake("mask not handed on", ("(h, h, h, mask)", "(h, h, h)"),
            ("(h, h, h, mask)", "(h, h, h, None)"),
            question="Change the last token under a causal mask. Does the first output change?"),
        mistake("attention called again without the mask", (SUM_1, f"{SUM_1}; self.attention(h, h, h)")),
        mistake("mask inverted", ("(h, h, h, mask)", "(h, h, h, None if mask is None else ~mask)"),
            detail="it hides the tokens that it should show",
            question="What does True mean in this mask, and which mask does your attention get?"),
        mistake("feed-forward without an activation function",
            ("torch.relu(self.feed_1(self.norm_2(y)))", "self.feed_1(self.norm_2(y))")),
        mistake("relu in the wrong place", (NETWORK, "torch.relu(self.feed_2(self.feed_1(self.norm_2(y))))"),
            (NETWORK, f"torch.relu({NETWORK})"),
            (NETWORK, "self.feed_2(self.feed_1(torch.relu(self.norm_2(y))))")),
        mistake("another function in place of relu", ("torch.relu", "functional.gelu"),
            ("torch.relu(self.feed_1(self.norm_2(y)))",
                "functional.gelu(self.feed_1(self.norm_2(y)), approximate='tanh')"),
            *(("torch.relu", other)
                for other in ("functional.silu", "torch.tanh", "torch.sigmoid", "functional.leaky_relu"))),
        mistake("both halves read x", ("self.norm_2(y)", "self.norm_2(x)")),
        mistake("second sum starts from x", last(SUM_2.replace("return y", "return x"))),
        mistake("a constant instead of the input's size", ("(d_model, num_heads)", "(d_model, 2)"),
            ("(d_model, d_ff)", "(d_model, 4 * d_model)", "(d_ff, d_model)", "(4 * d_model, d_model)"),
            detail="num_heads or d_ff is not used",
            question="Which of the three sizes does your block use? Does it work with sizes that the "
                "lesson does not have?"),
        mistake("another eps in the norms",
            *(("self.norm_1 = nn.LayerNorm(d_model)", f"self.norm_1 = nn.LayerNorm(d_model, eps={eps})",
                "self.norm_2 = nn.LayerNorm(d_model)", f"self.norm_2 = nn.LayerNorm(d_model, eps={eps})")
                for eps in (1e-6, 1e-12, 1e-3))),
        mistake("axis of length 1 lost", last(f"return (y + {NETWORK}).squeeze(0)"),
            last(f"return (y + {NETWORK}).squeeze()"),
            question="Which shape does x have for one text, and which axis does your line remove?"),
        mistake("another answer in training than in evaluation"),
        mistake("bias missing", ("nn.Linear(d_model, d_ff)", "nn.Linear(d_model, d_ff, bias=False)"),
            ("nn.Linear(d_ff, d_model)", "nn.Linear(d_ff, d_model, bias=False)"),
            ("nn.Linear(d_model, d_ff)", "nn.Linear(d_model, d_ff, bias=False)",
             "nn.Linear(d_ff, d_model)", "nn.Linear(d_ff, d_model, bias=False)"),
            detail="each of the two linear layers should have one"),
        mistake("gradient cut", detail="autograd cannot see that the output depends on the inputs",
            question="Where is the graph cut? Look for detach, .data and .numpy()."),
        mistake("writes into its input", (SUM_1, "x += self.attention(h, h, h, mask); y = x"),
            (SUM_1, "x += self.attention(h, h, h, mask)", *last(f"x += {FEED.format('self.norm_2(x)')}; return x"))),
    ),
)
