"""How `TinyWriter` is judged."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from autograder.exercises import (
    Case,
    Criterion,
    Exercise,
    Misconception,
    ModuleState,
    Variant,
    common_mistakes,
)

from .cases import numbers, words
from .shown import model, rules
from .TransformerBlock import BROUGHT
from .TransformerBlock import parameters as of_block

BUILT = ("vocabulary", "d_model", "num_heads", "d_ff", "n_blocks", "context")


def examples() -> tuple[Case, ...]:
    rng = np.random.default_rng(707)
    return (
        made(rng, 7, 4, 2, 6, 3, 5),
        case(rng, "one", (5, 4, 2, 6, 1, 3), [[3]], "one word"),
        case(rng, "text", (6, 4, 2, 5, 1, 6), [[2, 0, 5, 1]], "four words"),
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
        case(rng, "text", (8, 4, 2, 6, 1, 5), [[4, 4, 4, 4]], "one word four times"),
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
    state = replace(state, called_before=(words([4, 3]),) if tag == "second" else ())
    raises = "ValueError" if tag == "refuse" else ""
    return Case(tag, (words(*tokens),), label=label, module=state, gradient_of=watched, raises=raises)


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
        Criterion("a score for every word, at each position", model.score_shape, ("build", "text")),
        Criterion("the right scores for one word", rules.block, ("one",)),
        Criterion("the right scores for a text", rules.block, ("text", "second"), points=2, plain=("one",)),
        Criterion("the right scores with several blocks", rules.block, ("blocks",), plain=("one", "text")),
        Criterion("as many words as the context holds are read", model.within_context, ("full",), built=True),
        Criterion("more words raise ValueError", model.within_context, ("refuse",), points=0, built=True),
        Criterion("gradients reach every parameter", model.gradients, ("gradient",)),
        Criterion("leaves the words as they were", rules.untouched, ("one", "text", "blocks")),
    ),
    misconceptions=(
        Misconception("positions not added", "the model does not see the order of the words",
            "Two words of the text change places. Which part of your model notices this?",
            (ADDED, "positional_encoding(n, x.shape[-1])"),
            (ADDED, "pass")),
        Misconception("positions in place of the words", "the embeddings are lost",
            "After this line, does x still depend on the tokens?",
            (ADDED, "x = positional_encoding(n, x.shape[-1]).float().expand_as(x)")),
        Misconception("positions of the batch", "each text is given one position, by its place in the batch",
            "Along which axis of x do the words of one text stand?",
            (ADDED, "x = x + positional_encoding(len(x), x.shape[-1]).float()[:, None]")),
        Misconception("positions counted from 1", "the first word stands at position 0",
            "Which row of `positional_encoding` does the first word get?",
            (ADDED, "x = x + positional_encoding(n + 1, x.shape[-1])[1:].float()")),
        Misconception("embeddings scaled", "they are multiplied by √d_model, as in the Transformer of 2017",
            "Does the text multiply the embeddings by a number? Does your code?",
            ("x = self.embed(tokens)", "x = self.embed(tokens) * self.embed.embedding_dim ** 0.5")),
        Misconception("mask not handed on", "a block gets no mask, or a mask that hides nothing",
            "Change the last word of a text. Do the logits at the first word change?",
            ("block(x, mask)", "block(x)"),
            (LOOP, LOOP + "\n            mask = None")),
        Misconception("mask inverted", "True marks the words that may be seen",
            "What does True mean in this mask, and what stands in its first row?",
            (MASK, "mask = torch.ones(n, n, dtype=torch.bool).triu(1)"),
            (MASK, "mask = ~torch.ones(n, n, dtype=torch.bool).tril()")),
        Misconception("mask looks ahead", "it shows the later words and hides the earlier ones",
            "Row 0 belongs to the first word. May it see word 1?",
            (MASK, "mask = torch.ones(n, n, dtype=torch.bool).triu()")),
        Misconception("causal mask off by one", "it hides a word from itself, or shows it the next one",
            "How many True does row 0 have, and how many should it have?",
            (MASK, "mask = torch.ones(n, n, dtype=torch.bool).tril(-1)"),
            (MASK, "mask = torch.ones(n, n, dtype=torch.bool).tril(1)")),
        Misconception("one block, many times", "the list holds the same block several times",
            "How often is `TransformerBlock(…)` called while your model is made?",
            (BLOCKS, "nn.ModuleList([TransformerBlock(d_model, num_heads, d_ff)] * n_blocks)")),
        Misconception("too few blocks", "the model needs `n_blocks` blocks, each with parameters of its own",
            "How many parameters should two blocks have, and how many do the blocks of your model have?",
            (BLOCKS, "nn.ModuleList([TransformerBlock(d_model, num_heads, d_ff)])"),
            (BLOCKS, BLOCKS.replace("range(n_blocks)", "range(1, n_blocks)"))),
        Misconception("blocks not registered", "PyTorch does not find them among the parts of the model",
            "In which kind of list does PyTorch look for the parameters of a model?",
            (BLOCKS, BLOCKS.replace("nn.ModuleList", "list"))),
        Misconception("first block alone", "the other blocks are made but never called",
            "Which of the blocks does x pass through?",
            (LOOP, "x = self.blocks[0](x, mask)")),
        Misconception("last block skipped", "it is made but never called",
            "Which of the blocks does x pass through?",
            ("in self.blocks:", "in self.blocks[:-1]:"),
            ("in self.blocks:", "in self.blocks[:-1] or self.blocks:")),
        Misconception("each block reads the embeddings", "only the output of the last block is used",
            "What does the second block read?",
            (LOOP, "x = self.blocks[-1](x, mask)"),
            (LOOP, "for block in self.blocks:\n            y = block(x, mask)\n        x = y")),
        Misconception("blocks in reverse order", "the last block reads first",
            "Which block does x pass through first?",
            ("in self.blocks:", "in reversed(self.blocks):")),
        Misconception("last norm missing", "`unembed` reads rows that were not normalised",
            "Which part reads the output of the last block?",
            (OUT, "return self.unembed(x)")),
        Misconception("norm in the wrong place", "it is applied before the blocks or between them",
            "How often should the model apply its own norm, and after which part?",
            (LOOP, "x = self.norm(x)\n        " + LOOP, OUT, "return self.unembed(x)"),
            (LOOP, LOOP.replace("block(x, mask)", "block(self.norm(x), mask)"), OUT, "return self.unembed(x)"),
            (LOOP, LOOP.replace("block(x, mask)", "self.norm(block(x, mask))")),
            (LOOP, LOOP.replace("block(x, mask)", "self.norm(block(x, mask))"), OUT, "return self.unembed(x)"),
            (LOOP, "x = self.norm(x)\n        " + LOOP)),
        Misconception("probabilities in place of scores", "a softmax, or the logarithm of one, is taken at the end",
            "What does the cross-entropy of lesson 07 take: logits, or probabilities?",
            (OUT, "return self.unembed(self.norm(x)).softmax(-1)"),
            (OUT, "return self.unembed(self.norm(x)).log_softmax(-1)")),
        Misconception("scores of the last position alone", "each position should predict a word, also the first one",
            "From how many predictions can the model learn in a text of n words?",
            (OUT, "return self.unembed(self.norm(x[:, -1]))"),
            (OUT, "return self.unembed(self.norm(x))[:, -1:]")),
        Misconception("axis of length 1 lost", "a single text is a batch, too",
            "Which shape do the logits of one text have, and which axis does your line remove?",
            (OUT, f"{OUT}.squeeze(0)"),
            (OUT, f"{OUT}.squeeze()")),
        Misconception("bias missing", "`unembed` should have one",
            "How many parameters does `nn.Linear(3, 2)` have?",
            ("nn.Linear(d_model, vocabulary)", "nn.Linear(d_model, vocabulary, bias=False)")),
        Misconception("one matrix to read and to score", "`unembed` should have parameters of its own here",
            "How many matrices with a row for each word does the text ask for?",
            ("nn.Linear(d_model, vocabulary)", "nn.Linear(d_model, vocabulary)\n"
                "        self.unembed.weight = self.embed.weight")),
        Misconception("too long a text not refused", "a text that is too long is read, or cut, without an error",
            "What should happen if a text has context + 1 words?",
            (REFUSED, "if False:"),
            ("n = tokens.shape[1]", "tokens = tokens[:, -self.context:]; n = tokens.shape[1]"),
            ("n = tokens.shape[1]", "tokens = tokens[:, :self.context]; n = tokens.shape[1]")),
        Misconception("a full context refused", "a text of exactly `context` words should be read",
            "How many words does the longest text have that the model should read if `context` is 4?",
            (REFUSED, "if n >= self.context:")),
        Misconception("gradient cut", "autograd cannot see that the logits depend on all parameters",
            "Where is the graph cut? Look for detach, .data and no_grad.",
            ("x = self.embed(tokens)", "x = self.embed(tokens).detach()"),
            ("x = self.embed(tokens)", "x = self.embed.weight.data[tokens]"),
            (OUT, "return self.unembed(self.norm(x)).detach()")),
        common_mistakes.writes_into_its_input(
            ("n = tokens.shape[1]", "n = tokens.shape[1]; x = self.embed(tokens.clone()); tokens *= 0",
             "x = self.embed(tokens)", "pass"),
            detail="the tokens have changed afterwards",
        ),
    ),
)
