"""How `TinyWriter` is judged."""

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from autograder.exercises import Case, Exercise, Misconception, ModuleState, Part, Twin, common_mistakes

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
    return Case(tag, (words(*tokens),), label=label, module=state, gradient_of=watched)


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
    twin=Twin(
        "The embeddings are multiplied by √d_model before the positions are added, as in 2017.",
        ("x = self.embed(tokens)", "x = self.embed(tokens) * self.embed.embedding_dim ** 0.5"),
    ),
    builds_on=("positional_encoding",),
    brought={**BROUGHT, "TransformerBlock": "attention.blocks"},
    by_error=("a full context refused",),
    parts=(
        Part("its parameters are those of the four parts", model.parts, ("build",), built=True),
        Part("a score for every word, at each position", model.score_shape, ("build", "text")),
        Part("the right scores for one word", rules.block, ("one",)),
        Part("the right scores for a text", rules.block, ("text", "second"), points=2, plain=("one",)),
        Part("the right scores with several blocks", rules.block, ("blocks",), plain=("one", "text")),
        Part("as many words as the context holds are read, more raise ValueError",
            model.within_context, ("full", "refuse"), built=True),
        Part("gradients reach every parameter", model.gradients, ("gradient",)),
        Part("leaves the words as they were", rules.untouched, ("one", "text", "blocks")),
    ),
    misconceptions=(
        Misconception("positions not added", "the model cannot tell in which order it reads",
            "If two words of the text change places, what in your model notices?",
            (ADDED, "positional_encoding(n, x.shape[-1])"),
            (ADDED, "pass")),
        Misconception("positions in place of the words", "what was embedded is lost",
            "After this line, what does x still know of the tokens?",
            (ADDED, "x = positional_encoding(n, x.shape[-1]).float().expand_as(x)")),
        Misconception("positions of the batch", "each text is given one position, by its place in the batch",
            "Along which axis of x do the words of one text stand?",
            (ADDED, "x = x + positional_encoding(len(x), x.shape[-1]).float()[:, None]")),
        Misconception("positions counted from 1", "the first word stands at position 0",
            "Which row of `positional_encoding` does the first word get?",
            (ADDED, "x = x + positional_encoding(n + 1, x.shape[-1])[1:].float()")),
        Misconception("embeddings scaled", "they are multiplied by √d_model, as in 2017",
            "Which factor stands before the embeddings in the text, and which in your code?",
            ("x = self.embed(tokens)", "x = self.embed(tokens) * self.embed.embedding_dim ** 0.5")),
        Misconception("mask not handed on", "a block gets none, or one that hides nothing",
            "Change the last word of a text: do the scores of the first one move?",
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
        Misconception("one block, many times", "the list holds one block again and again, with the same numbers",
            "How often is `TransformerBlock(…)` called while your model is made?",
            (BLOCKS, "nn.ModuleList([TransformerBlock(d_model, num_heads, d_ff)] * n_blocks)")),
        Misconception("too few blocks", "n_blocks are to be made, each with numbers of its own",
            "How many parameters should two blocks have, and how many has your model?",
            (BLOCKS, "nn.ModuleList([TransformerBlock(d_model, num_heads, d_ff)])"),
            (BLOCKS, BLOCKS.replace("range(n_blocks)", "range(1, n_blocks)"))),
        Misconception("blocks not registered", "no part of the model holds them, and a plain list is none",
            "Which kind of list is itself a part of the model, so that its optimizer sees what stands in it?",
            (BLOCKS, BLOCKS.replace("nn.ModuleList", "list"))),
        Misconception("first block alone", "the others are made and never run",
            "Which of the blocks does x go through on its way?",
            (LOOP, "x = self.blocks[0](x, mask)")),
        Misconception("last block skipped", "it is made and never run",
            "Which of the blocks does x go through on its way?",
            ("in self.blocks:", "in self.blocks[:-1]:"),
            ("in self.blocks:", "in self.blocks[:-1] or self.blocks:")),
        Misconception("each block reads the embeddings", "only what the last one makes of them is left",
            "What does the second block read?",
            (LOOP, "x = self.blocks[-1](x, mask)"),
            (LOOP, "for block in self.blocks:\n            y = block(x, mask)\n        x = y")),
        Misconception("blocks in reverse order", "the last one reads first",
            "Through which block does x go first?",
            ("in self.blocks:", "in reversed(self.blocks):")),
        Misconception("last norm missing", "unembed reads numbers that are not normed",
            "What reads the output of the last block?",
            (OUT, "return self.unembed(x)")),
        Misconception("norm in the wrong place", "it stands before the blocks or between them",
            "At which one place of the model does its own norm stand?",
            (LOOP, "x = self.norm(x)\n        " + LOOP, OUT, "return self.unembed(x)"),
            (LOOP, LOOP.replace("block(x, mask)", "block(self.norm(x), mask)"), OUT, "return self.unembed(x)"),
            (LOOP, LOOP.replace("block(x, mask)", "self.norm(block(x, mask))")),
            (LOOP, LOOP.replace("block(x, mask)", "self.norm(block(x, mask))"), OUT, "return self.unembed(x)"),
            (LOOP, "x = self.norm(x)\n        " + LOOP)),
        Misconception("probabilities in place of scores", "a softmax, or its logarithm, stands at the end",
            "What does the cross-entropy of lesson 07 take: logits, or probabilities?",
            (OUT, "return self.unembed(self.norm(x)).softmax(-1)"),
            (OUT, "return self.unembed(self.norm(x)).log_softmax(-1)")),
        Misconception("scores of the last position alone", "each position predicts a word, the first one, too",
            "How many predictions does a text of n words give to learn from?",
            (OUT, "return self.unembed(self.norm(x[:, -1]))"),
            (OUT, "return self.unembed(self.norm(x))[:, -1:]")),
        Misconception("axis of length 1 lost", "a single text is a batch, too",
            "Which shape have the scores of one text, and which axis does your line take away?",
            (OUT, f"{OUT}.squeeze(0)"),
            (OUT, f"{OUT}.squeeze()")),
        Misconception("bias missing", "unembed has one",
            "How many numbers does `nn.Linear` learn by itself?",
            ("nn.Linear(d_model, vocabulary)", "nn.Linear(d_model, vocabulary, bias=False)")),
        Misconception("one matrix to read and to score", "unembed has numbers of its own here",
            "How many matrices with a row for each word are asked for?",
            ("nn.Linear(d_model, vocabulary)", "nn.Linear(d_model, vocabulary)\n"
                "        self.unembed.weight = self.embed.weight")),
        Misconception("too long a text not refused", "a text that is too long is read, or cut, in silence",
            "What should happen with a text of context + 1 words?",
            (REFUSED, "if False:"),
            ("n = tokens.shape[1]", "tokens = tokens[:, -self.context:]; n = tokens.shape[1]"),
            ("n = tokens.shape[1]", "tokens = tokens[:, :self.context]; n = tokens.shape[1]")),
        Misconception("a full context refused", "as many words as it holds are not too many",
            "Which is the longest text that a context of 4 holds?",
            (REFUSED, "if n >= self.context:")),
        Misconception("gradient cut", "the scores no longer depend on all parameters for autograd",
            "Where is the graph cut? Look for detach, .data and no_grad.",
            ("x = self.embed(tokens)", "x = self.embed(tokens).detach()"),
            ("x = self.embed(tokens)", "x = self.embed.weight.data[tokens]"),
            (OUT, "return self.unembed(self.norm(x)).detach()")),
        common_mistakes.writes_into_its_input(
            ("n = tokens.shape[1]", "n = tokens.shape[1]; x = self.embed(tokens.clone()); tokens *= 0",
             "x = self.embed(tokens)", "pass"),
            detail="the words that came in are other ones afterwards",
        ),
    ),
)
