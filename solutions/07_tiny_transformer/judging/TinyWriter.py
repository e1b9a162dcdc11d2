"""How `TinyWriter` is judged."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from autograder.exercises import Case, Criterion, Exercise, ModuleState, Variant

from ...judging.cases import numbers, whole_numbers
from ...judging.mistakes import mistake
from ..checks import model, rules
from .TransformerBlock import BROUGHT
from .TransformerBlock import parameters as of_block

BUILT = ("vocabulary", "d_model", "num_heads", "d_ff", "n_blocks", "context")


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(707)
    return (
        made(rng, 7, 4, 2, 6, 3, 5),
        case(rng, "one", (5, 4, 2, 6, 1, 3), [[3]], "one token"),
        case(rng, "text", (6, 4, 2, 5, 1, 6), [[2, 0, 5, 1]], "four tokens"),
        case(rng, "text", (7, 6, 3, 5, 1, 5), [[1, 4, 0], [6, 2, 2]], "two texts, a word twice", training=True),
        case(rng, "blocks", (6, 4, 2, 7, 3, 5), [[3, 1, 5]], "three blocks"),
        case(rng, "full", (6, 4, 2, 5, 1, 4), [[2, 0, 5, 1]], "a context of 4"),
        case(rng, "refuse", (5, 4, 2, 6, 1, 2), [[1, 0, 4]], "a context of 2"),
        case(rng, "gradient", (5, 4, 2, 6, 2, 4), [[0, 3, 1]]),
        case(rng, "second", (6, 4, 2, 5, 1, 6), [[2, 0, 5, 1]], "the second call; the first text had two words"),
    )


def draw(rng: np.random.Generator) -> tuple[Case, ...]:
    def some(batch: int, n: int, vocabulary: int) -> list[list[int]]:
        rows: list[list[int]] = rng.integers(vocabulary, size=(batch, n)).tolist()
        return rows

    return (
        made(rng, 9, 6, 3, 7, 3, 4),
        case(rng, "one", (6, 6, 2, 5, 1, 3), some(1, 1, 6)),
        case(rng, "one", (7, 4, 1, 5, 1, 4), some(3, 1, 7), "three texts"),
        case(rng, "text", (8, 6, 3, 9, 1, 7), some(2, 5, 8)),
        case(rng, "text", (9, 8, 2, 5, 1, 8), some(3, 6, 9), "after train()", training=True),
        case(rng, "text", (8, 4, 2, 6, 1, 5), [[4, 4, 4, 4]], "one token four times"),
        case(rng, "blocks", (8, 6, 2, 5, 3, 6), some(2, 4, 8), "three blocks"),
        case(rng, "blocks", (7, 4, 2, 9, 2, 9), some(2, 5, 7), "two blocks"),
        case(rng, "full", (7, 4, 2, 5, 2, 3), some(2, 3, 7), "a context of 3"),
        case(rng, "full", (6, 6, 2, 5, 1, 1), some(3, 1, 6), "a context of 1"),
        case(rng, "refuse", (6, 4, 2, 6, 2, 4), some(2, 5, 6), "a context of 4"),
        case(rng, "refuse", (6, 4, 2, 6, 1, 1), some(1, 2, 6), "a context of 1"),
        case(rng, "gradient", (6, 4, 2, 5, 2, 5), some(2, 4, 6)),
    )


def made(rng: np.random.Generator, *sizes: int) -> Case:
    asked = case(rng, "build", sizes, [[0, 1]], f"TinyWriter({', '.join(map(str, sizes))})")
    assert asked.module is not None
    later = tuple(map(model.number_of_block, range(1, asked.module.init["n_blocks"])))
    return replace(asked, module=replace(asked.module, shows=later))


def case(
    rng: np.random.Generator,
    tag: str,
    sizes: tuple[int, ...],
    tokens: list[list[int]],
    label: str = "",
    training: bool = False,
) -> Case:
    """sizes: as the model is made with, in order."""
    vocabulary, d_model, _, d_ff, n_blocks, _ = sizes
    state = module(sizes, parameters(rng, vocabulary, d_model, d_ff, n_blocks), training)
    watched = (0,) if tag == "gradient" else ()
    state = replace(state, called_before=(whole_numbers([[4, 3]]),) if tag == "second" else ())
    raises = "ValueError" if tag == "refuse" else ""
    return Case(tag, (whole_numbers(tokens),), label=label, module=state, gradient_of=watched, raises=raises)


def parameters(
    rng: np.random.Generator, vocabulary: int, d_model: int, d_ff: int, n_blocks: int
) -> dict[str, np.ndarray]:
    found = {"embed.weight": numbers(rng, vocabulary, d_model).array}
    for i in range(n_blocks):
        found |= {f"blocks.{i}.{name}": array for name, array in of_block(rng, d_model, d_ff).items()}
    found |= {f"norm.{kind}": numbers(rng, d_model).array for kind in ("weight", "bias")}
    found |= {"unembed.weight": numbers(rng, vocabulary, d_model).array}
    return found | {"unembed.bias": numbers(rng, vocabulary).array}


def module(
    sizes: Collection[int], weights: dict[str, np.ndarray], training: bool = False
) -> ModuleState:
    return ModuleState(dict(zip(BUILT, sizes, strict=True)), weights, training)


ADDED = "x = x + positional_encoding(n, x.shape[-1]).float()"
MASK = "mask = torch.ones(n, n, dtype=torch.bool).tril()"
LOOP = "for block in self.blocks:\n            x = block(x, mask)"
OUT = "return self.unembed(self.norm(x))"
BLOCKS = "nn.ModuleList(TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks))"
REFUSED = "if n > self.context:"

EXERCISE = Exercise(
    examples=examples,
    draw=draw,
    variant=Variant(
        "The embeddings are multiplied by √d_model before the positions are added, as in the Transformer of 2017.",
        ("x = self.embed(tokens)", "x = self.embed(tokens) * self.embed.embedding_dim ** 0.5"),
    ),
    builds_on=("positional_encoding",),
    helpers={**BROUGHT, "TransformerBlock": "attention.blocks"},
    by_error=("a full context refused",),
    criteria=(
        Criterion("its parameters are those of the four parts", model.parts, ("build",), built=True),
        Criterion("a logit for every token, at each position", model.score_shape, ("build", "text")),
        Criterion("the right logits for one token", rules.block, ("one",)),
        Criterion("the right logits for a text", rules.block, ("text", "second"), points=2, plain=("one",)),
        Criterion("the right logits with several blocks", rules.block, ("blocks",), plain=("one", "text")),
        Criterion("as many tokens as the context holds are read", model.within_context, ("full",), built=True),
        Criterion("more tokens raise ValueError", model.within_context, ("refuse",), points=0, built=True),
        Criterion("gradients reach every parameter", model.gradients, ("gradient",)),
        Criterion("leaves the tokens as they were", rules.untouched, ("one", "text", "blocks")),
    ),
    misconceptions=(
        mistake("positions not added", (ADDED, "positional_encoding(n, x.shape[-1])"), (ADDED, "pass")),
        mistake("positions in place of the words",
            (ADDED, "x = positional_encoding(n, x.shape[-1]).float().expand_as(x)")),
        mistake("positions of the batch",
            (ADDED, "x = x + positional_encoding(len(x), x.shape[-1]).float()[:, None]")),
        mistake("positions counted from 1",
            (ADDED, "x = x + positional_encoding(n + 1, x.shape[-1])[1:].float()"),
            detail="the first token stands at position 0",
            question="Which row of `positional_encoding` does the first token get?"),
        mistake("embeddings scaled",
            ("x = self.embed(tokens)", "x = self.embed(tokens) * self.embed.embedding_dim ** 0.5")),
        mistake("mask not handed on", ("block(x, mask)", "block(x)"),
            (LOOP, LOOP + "\n            mask = None"),
            detail="a block gets no mask, or a mask that hides nothing",
            question="Change the last token of a text. Do the logits at the first token change?"),
        mistake("mask inverted", (MASK, "mask = torch.ones(n, n, dtype=torch.bool).triu(1)"),
            (MASK, "mask = ~torch.ones(n, n, dtype=torch.bool).tril()"),
            detail="True marks the tokens that may be seen",
            question="What does True mean in this mask, and what stands in its first row?"),
        mistake("mask looks ahead", (MASK, "mask = torch.ones(n, n, dtype=torch.bool).triu()")),
        mistake("causal mask off by one", (MASK, "mask = torch.ones(n, n, dtype=torch.bool).tril(-1)"),
            (MASK, "mask = torch.ones(n, n, dtype=torch.bool).tril(1)")),
        mistake("one block, many times",
            (BLOCKS, "nn.ModuleList([TransformerBlock(d_model, num_heads, d_ff)] * n_blocks)")),
        mistake("too few blocks", (BLOCKS, "nn.ModuleList([TransformerBlock(d_model, num_heads, d_ff)])"),
            (BLOCKS, BLOCKS.replace("range(n_blocks)", "range(1, n_blocks)"))),
        mistake("blocks not registered", (BLOCKS, BLOCKS.replace("nn.ModuleList", "list"))),
        mistake("first block alone", (LOOP, "x = self.blocks[0](x, mask)")),
        mistake("last block skipped", ("in self.blocks:", "in self.blocks[:-1]:"),
            ("in self.blocks:", "in self.blocks[:-1] or self.blocks:")),
        mistake("each block reads the embeddings", (LOOP, "x = self.blocks[-1](x, mask)"),
            (LOOP, "for block in self.blocks:\n            y = block(x, mask)\n        x = y")),
        mistake("blocks in reverse order", ("in self.blocks:", "in reversed(self.blocks):")),
        mistake("last norm missing", (OUT, "return self.unembed(x)")),
        mistake("norm in the wrong place",
            (LOOP, "x = self.norm(x)\n        " + LOOP, OUT, "return self.unembed(x)"),
            (LOOP, LOOP.replace("block(x, mask)", "block(self.norm(x), mask)"), OUT, "return self.unembed(x)"),
            (LOOP, LOOP.replace("block(x, mask)", "self.norm(block(x, mask))")),
            (LOOP, LOOP.replace("block(x, mask)", "self.norm(block(x, mask))"), OUT, "return self.unembed(x)"),
            (LOOP, "x = self.norm(x)\n        " + LOOP)),
        mistake("probabilities in place of scores", (OUT, "return self.unembed(self.norm(x)).softmax(-1)"),
            (OUT, "return self.unembed(self.norm(x)).log_softmax(-1)")),
        mistake("scores of the last position alone", (OUT, "return self.unembed(self.norm(x[:, -1]))"),
            (OUT, "return self.unembed(self.norm(x))[:, -1:]")),
        mistake("axis of length 1 lost", (OUT, f"{OUT}.squeeze(0)"), (OUT, f"{OUT}.squeeze()"),
            question="Which shape do the logits of one text have, and which axis does your line remove?"),
        mistake("bias missing",
            ("nn.Linear(d_model, vocabulary)", "nn.Linear(d_model, vocabulary, bias=False)")),
        mistake("one matrix to read and to score",
            ("nn.Linear(d_model, vocabulary)", "nn.Linear(d_model, vocabulary)\n"
                "        self.unembed.weight = self.embed.weight")),
        mistake("too long a text not refused", (REFUSED, "if False:"),
            ("n = tokens.shape[1]", "tokens = tokens[:, -self.context:]; n = tokens.shape[1]"),
            ("n = tokens.shape[1]", "tokens = tokens[:, :self.context]; n = tokens.shape[1]")),
        mistake("a full context refused", (REFUSED, "if n >= self.context:")),
        mistake("gradient cut", ("x = self.embed(tokens)", "x = self.embed(tokens).detach()"),
            ("x = self.embed(tokens)", "x = self.embed.weight.data[tokens]"),
            (OUT, "return self.unembed(self.norm(x)).detach()"),
            detail="autograd cannot see that the logits depend on all parameters",
            question="Where is the graph cut? Look for detach, .data and no_grad."),
        mistake("writes into its input",
            ("n = tokens.shape[1]", "n = tokens.shape[1]; x = self.embed(tokens.clone()); tokens *= 0",
             "x = self.embed(tokens)", "pass"), detail="the tokens have changed afterwards"),
    ),
)
