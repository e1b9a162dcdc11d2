# %% [markdown]
# # Your attention writes
#
# One model, asked to write. Before training:
#
# > *sits really goat ruled along folded watched stay july violin …*
#
# After 600 steps, less than a minute:
#
# > *the father did not cross the street because it was quite wide.*
#
# That sentence stands nowhere in what it read, and nobody gave it a rule of grammar. **Which lines of code does that
# take?** You will write them all: a sense of order, a block, a goal, a way to speak, the model, the step by which it
# learns. Then you take parts away again and see what breaks.
#
# You need lesson 06's idea of heads and masks, and a little PyTorch. It takes about 85 minutes, and 25 more for the
# puzzles.

# %% setup="imports"
import math
from collections.abc import Iterator
from itertools import takewhile

import torch
from torch import nn
from torch.nn import functional

from autograder import (
    LossCurve, WordCounts, bring_your_own, check, cold_questions, grammatical, induction,
    or_the_courses, sentences, without, writing_pictures,
)

torch.set_num_threads(1)  # on small tensors threads wait for each other
check.lesson("07_tiny_transformer")

# %%
cold_questions()  # three on earlier lessons: a minute, never graded

# %% [markdown]
# ## 1. Bring your own
#
# One line fetches your `MultiHeadAttention` from lesson 06. Where it is not right yet, the course's stands in; a
# mistake there costs nothing here.

# %% setup="bring_your_own"
MultiHeadAttention = bring_your_own("MultiHeadAttention")

# %% [markdown]
# ## 2. Order
#
# *Dog bites man* is no news; *man bites dog* is. Give each word a vector, give both sentences to attention without
# a mask, and look at what comes out for *bites* and for *dog*.

# %% [markdown] prompt="guess_order"
# ### Predict: who notices?
# ★☆☆ · 2 minutes
#
# Do the outputs for these two words change when dog and man change places? `True` or `False`.

# %% solution="guess_order"
### BEGIN SOLUTION
bites_changes = False
dog_changes = False
### END SOLUTION

# %% test="guess_order"
check("guess_order")

# %% [markdown] hint="guess_order"
# <details><summary>Hint: the shuffle of lesson 06</summary>
#
# There, shuffled words gave shuffled rows, and nothing else.
# </details>

# %%
torch.manual_seed(0)
vectors = {word: torch.randn(8) for word in ("dog", "bites", "man")}
layer = MultiHeadAttention(d_model=8, num_heads=2)


def look_around(sentence: str, positions: torch.Tensor) -> dict[str, torch.Tensor]:
    """What attention gives for each word, when each vector has its position's row added to it."""
    X = torch.stack([vectors[word] for word in sentence.split()]) + positions
    return dict(zip(sentence.split(), layer(X[None], X[None], X[None])[0], strict=True))


def compare(positions: torch.Tensor) -> None:
    news, no_news = (look_around(text, positions) for text in ("man bites dog", "dog bites man"))
    for word in ("bites", "dog"):
        print(f"{word:6} the same in both sentences: {torch.allclose(news[word], no_news[word], atol=1e-5)}")


compare(torch.zeros(3, 8))

# %% [markdown]
# To attention a sentence is a bag of words. So each position gets a vector of its own, **added** to the word that
# stands there: waves, fast in column 0, slower and slower in later columns, like the hands of a clock.

# %% [markdown] prompt="positional_encoding"
# ### `positional_encoding`
# ★★☆ · 8 minutes
#
# A float tensor `(n, d_model)`: row p for position p = 0 … n − 1. Column 2i holds sin(p / 10000^(2i / d_model)),
# column 2i + 1 the cosine of the same. An odd `d_model` raises `ValueError`.

# %% solution="positional_encoding"
def positional_encoding(n: int, d_model: int) -> torch.Tensor:
    """(n, d_model) floats: sines in the even columns, cosines in the odd ones, one row a position."""
    ### BEGIN SOLUTION
    if d_model % 2:
        raise ValueError(f"{d_model} columns cannot be shared out between sines and cosines")
    positions = torch.arange(n).unsqueeze(1)
    angles = positions / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    ### END SOLUTION

# %% test="positional_encoding"
check(positional_encoding)

# %% [markdown] hint="positional_encoding"
# <details data-part="a row a position; position 0"><summary>Hint 1: the angles first</summary>
#
# One column of positions divided by one row of wavelengths gives a table `(n, d_model / 2)`. Its row 0 is all 0.
# </details>
# <details data-part="the later columns"><summary>Hint 2: the wavelengths</summary>
#
# The exponents are 0, 2, 4, … up to d_model − 2, each divided by d_model.
# </details>
# <details data-part="a row a position; columns 0 and 1"><summary>Hint 3: two columns from each angle</summary>
#
# Start from `torch.zeros(n, d_model)`. `[:, 0::2]` are its columns 0, 2, 4 …, and `[:, 1::2]` those between.
# </details>

# %%
writing_pictures.positions(positional_encoding(32, 32))
compare(positional_encoding(3, 8).float())

# %% [markdown]
# The dot product of two positions depends only on how far apart they are. Now attention can tell who bites.
#
# ## 3. A block
#
# Attention **mixes** words. A transformer block adds three things:
#
# - a **feed-forward** network, two linear maps with a bend between: attention only averages, this computes, for each
#   word alone;
# - **residual** connections: each step adds to its input, so that what a word was is not lost, and gradients have a
#   straight way back;
# - **normalisation** before each step: from each row subtract its mean and divide by its spread, so that growing sums
#   do not drive the softmax to 0 and 1.

# %%
writing_pictures.block()

# %% [markdown] prompt="TransformerBlock"
# ### `TransformerBlock`
# ★★☆ · 10 minutes
#
# Two steps. Each norms its input, works on that, and adds the result to the input **as it was**: first `norm_1` and
# `attention`, under the mask; then `norm_2`, and `feed_1`, ReLU, `feed_2`.
#
# `attention` is a `MultiHeadAttention(d_model, num_heads)`, called once; `norm_1` and `norm_2` are
# `nn.LayerNorm(d_model)`; `feed_1` and `feed_2` are `nn.Linear`, from d_model to d_ff and back.

# %% solution="TransformerBlock"
class TransformerBlock(nn.Module):
    """Attention, then a small network at each position; both read normed numbers and add to the stream."""

    def __init__(self, d_model: int, num_heads: int, d_ff: int) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.feed_2 = nn.Linear(d_ff, d_model)
        ### END SOLUTION

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """x (batch, n, d_model) -> (batch, n, d_model); mask: booleans, True = may look."""
        ### BEGIN SOLUTION
        h = self.norm_1(x)
        y = x + self.attention(h, h, h, mask)
        return y + self.feed_2(torch.relu(self.feed_1(self.norm_2(y))))
        ### END SOLUTION

# %% test="TransformerBlock"
check(TransformerBlock)

# %% [markdown] hint="TransformerBlock"
# <details data-part="its parameters"><summary>Hint 1: five parts</summary>
#
# `__init__` makes five parts under the five names. Each norm has numbers of its own to learn.
# </details>
# <details data-part="queries and keys; the right numbers"><summary>Hint 2: who reads what</summary>
#
# What is added to is never normed; what is read always is. Queries, keys and values are the same rows.
# </details>
# <details data-part="where attention"><summary>Hint 3: a test</summary>
#
# Where all weights are 0, attention and network add nothing: x must come out as it went in.
# </details>

# %%
block = TransformerBlock(d_model=8, num_heads=2, d_ff=32)
with torch.no_grad():
    for parameter in block.parameters():
        parameter.zero_()
x = torch.randn(1, 5, 8)
print("with zeros for weights, x comes out as it went in:", torch.equal(block(x), x))

# %% [markdown]
# ## 4. A goal
#
# The model reads words and, at **each** position, gives a score (a *logit*) to every word that could come next. No one
# has to label anything: the next word stands in the text. By hand, with *the* = 4, *cat* = 1, *sat* = 3, *on* = 2:
#
# | position | 0 | 1 | 2 | 3 | 4 |
# | --- | --- | --- | --- | --- | --- |
# | reads | the (4) | cat (1) | sat (3) | on (2) | the (4) |
# | should predict | ? | ? | ? | ? | nothing known |
#
# The loss of one prediction is −ln of the probability that it gave to the right word: 0 for a sure hit, and the more
# the less it was expected. It is counted in *nats*.

# %% [markdown] prompt="guess_shift"
# ### Predict: the targets, and the loss of ignorance
# ★☆☆ · 4 minutes
#
# `targets`: the four token numbers for the question marks. `untrained_loss`: our text has 986 different words; about
# which loss does a model have that finds all of them equally likely?

# %% solution="guess_shift"
### BEGIN SOLUTION
targets = [1, 3, 2, 4]
untrained_loss = 6.89
### END SOLUTION

# %% test="guess_shift"
check("guess_shift")

# %% [markdown] hint="guess_shift"
# <details data-part="what should be predicted"><summary>Hint 1: targets</summary>
#
# Under each word write the one to its right.
# </details>
# <details data-part="the loss of one"><summary>Hint 2: ignorance</summary>
#
# Each word gets a probability of 1/986. In Python, `math.log` is the natural logarithm.
# </details>

# %% [markdown] prompt="next_token_loss"
# ### `next_token_loss`
# ★★☆ · 10 minutes
#
# The mean cross-entropy (natural logarithm) of what position t predicts, for the token at t + 1. The last position
# has nothing to be compared with. Targets that equal `pad_token` do not count; where none counts, the loss is 0.

# %% solution="next_token_loss"
def next_token_loss(
    logits: torch.Tensor, tokens: torch.Tensor, pad_token: int | None = None
) -> torch.Tensor:
    """logits (batch, n, vocabulary), tokens (batch, n) -> a scalar: the mean loss of each next token."""
    ### BEGIN SOLUTION
    targets = tokens[:, 1:]
    rows = logits[:, :-1].flatten(0, 1)
    losses = functional.cross_entropy(rows, targets.flatten(), reduction="none").view_as(targets)
    counts = torch.ones_like(targets) if pad_token is None else (targets != pad_token).long()
    return (losses * counts).sum() / counts.sum().clamp(min=1)
    ### END SOLUTION

# %% test="next_token_loss"
check(next_token_loss)

# %% [markdown] hint="next_token_loss"
# <details data-part="each position"><summary>Hint 1: write the target under each input</summary>
#
# Under the token at position 0 stands the token at position 1. How many pairs do n tokens make?
# </details>
# <details data-part="each position"><summary>Hint 2: two cuts</summary>
#
# The predictions without the last position, `logits[:, :-1]`, and the tokens without the first, `tokens[:, 1:]`.
# </details>
# <details data-part="one number; the mean over; targets that are pads">
# <summary>Hint 3: shapes that `cross_entropy` likes</summary>
#
# Logits `(pairs, vocabulary)` and targets `(pairs,)`: flatten batch and positions into one axis. It takes
# logits, not probabilities, and `ignore_index` names targets that do not count.
# </details>
# <details data-part="with nothing; targets that are pads"><summary>Hint 4: nothing to count</summary>
#
# The mean of nothing is 0/0. Divide the sum by the number of targets that count, and by 1 where there are none.
# </details>

# %% [markdown]
# ## 5. Speak
#
# To write, the model reads what is there, takes a word, appends it, and reads again. First the timid way: always
# the likeliest word.

# %% [markdown] prompt="generate"
# ### `generate`
# ★★☆ · 8 minutes
#
# Write `n_new` words: each is the likeliest at the **last** position, and is read again before the next one. The model
# reads `context` words at most, so it is handed the last ones, as an int64 tensor `(1, m)`. Return a new list of plain
# ints: the prompt, then the new words.

# %% solution="generate"
def generate(model: nn.Module, tokens: list[int], n_new: int, context: int) -> list[int]:
    """The prompt and `n_new` words, each the model's likeliest; model: (1, m) -> (1, m, vocabulary)."""
    ### BEGIN SOLUTION
    written = list(tokens)
    for _ in range(n_new):
        logits = model(torch.tensor([written[-context:]]))
        written.append(int(logits[0, -1].argmax()))
    return written
    ### END SOLUTION

# %% test="generate"
check(generate)

# %% [markdown] hint="generate"
# <details data-part="the prompt first; its own words; leaves the prompt"><summary>Hint 1: a loop</summary>
#
# Copy the prompt. Then, `n_new` times: hand the words to the model, look at the last position, append one word.
# </details>
# <details data-part="a list of plain; one new word"><summary>Hint 2: shapes</summary>
#
# `torch.tensor([words])` has shape (1, m), and the model's answer (1, m, vocabulary).
# </details>
# <details data-part="no more than"><summary>Hint 3: the newest words</summary>
#
# `words[-context:]` are the last `context` words, or all where there are fewer.
# </details>

# %%
after = nn.Embedding.from_pretrained(torch.eye(4)[[1, 2, 3, 0]])  # a model: after 0 comes 1, after 1 comes 2, …
print(generate(after, [2], 6, context=3))

# %% [markdown]
# ## 6. A model

# %% [markdown] prompt="TinyWriter"
# ### `TinyWriter`
# ★★☆ · 8 minutes
#
# Four parts: `embed` (`nn.Embedding`, a row of d_model numbers a word), `blocks` (`nn.ModuleList` of `n_blocks` of your
# blocks, each with numbers of its own), `norm` (`nn.LayerNorm`), `unembed` (`nn.Linear`, from d_model to a score for
# every word). The way through them: embeddings plus your positions, each block under a causal mask, norm, unembed. More
# words than `context` raise `ValueError`.

# %% solution="TinyWriter"
class TinyWriter(nn.Module):
    """Reads words up to `context` of them; scores, at each, every word that may come next."""

    def __init__(
        self, vocabulary: int, d_model: int, num_heads: int, d_ff: int, n_blocks: int, context: int
    ) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.context = context
        self.embed = nn.Embedding(vocabulary, d_model)
        self.blocks = nn.ModuleList(TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks))
        self.norm = nn.LayerNorm(d_model)
        self.unembed = nn.Linear(d_model, vocabulary)
        ### END SOLUTION

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """tokens (batch, n) -> (batch, n, vocabulary)."""
        ### BEGIN SOLUTION
        n = tokens.shape[1]
        if n > self.context:
            raise ValueError(f"{n} words, and the context holds {self.context}")
        x = self.embed(tokens)
        x = x + positional_encoding(n, x.shape[-1]).float()
        mask = torch.ones(n, n, dtype=torch.bool).tril()
        for block in self.blocks:
            x = block(x, mask)
        return self.unembed(self.norm(x))
        ### END SOLUTION

# %% test="TinyWriter"
check(TinyWriter)

# %% [markdown] hint="TinyWriter"
# <details data-part="its parameters; the right scores with"><summary>Hint 1: blocks that differ</summary>
#
# A block is made for each turn of a loop or comprehension; `[block] * 2` is one block twice.
# </details>
# <details data-part="the right scores for one; the right scores for a text">
# <summary>Hint 2: before the blocks</summary>
#
# `positional_encoding` gives (n, d_model), which is added to each text of the batch; `.float()` makes its numbers fit.
# The mask is n × n, True on the diagonal and left of it.
# </details>
# <details data-part="as many words"><summary>Hint 3: too long</summary>
#
# `forward` has to know `context`: keep it in `__init__`.
# </details>

# %% [markdown]
# ## 7. Watch it learn
#
# **The text.** `sentences` is the grammar behind lesson 03's word vectors: 368 patterns. 20,000 sentences to learn
# from, and 1,000 drawn anew to be tested on, a third of them the same. A word is a token.

# %%
CONTEXT, WIDTH = 16, 64

lessons, exam = list(sentences(20_000, seed=7)), list(sentences(1_000, seed=8))
words = [".", *sorted({word for sentence in lessons + exam for word in sentence})]
number = {word: i for i, word in enumerate(words)}


def as_tokens(text: list[list[str]]) -> torch.Tensor:
    """All sentences in a row, a full stop behind each."""
    return torch.tensor([number[word] for sentence in text for word in [*sentence, "."]])


training = as_tokens(lessons)
held_out = as_tokens(exam)[: 250 * CONTEXT].view(250, CONTEXT)
known = {tuple(sentence) for sentence in lessons}
print(f"{len(words)} words; ln {len(words)} = {math.log(len(words)):.2f}")
print(sum(tuple(sentence) in known for sentence in exam), "of the 1,000 are among the 20,000, too")
print(" ".join(words[token] for token in training[:24]), "…")

# %% [markdown] prompt="training_step"
# ### `training_step`
# ★★☆ · 5 minutes
#
# Forget the old gradients; take the `next_token_loss` of what the model makes of `tokens`; let it flow back; have the
# optimizer step. Return the loss from before the step, as a float.

# %% solution="training_step"
def training_step(
    model: nn.Module, optimizer: torch.optim.Optimizer, tokens: torch.Tensor, pad_token: int | None = None
) -> float:
    """One step on tokens (batch, n); the loss that the model had before it."""
    ### BEGIN SOLUTION
    optimizer.zero_grad()
    loss = next_token_loss(model(tokens), tokens, pad_token)
    loss.backward()
    optimizer.step()
    return loss.item()
    ### END SOLUTION

# %% test="training_step"
check(training_step)

# %% [markdown] hint="training_step"
# <details data-part="the parameters after; old gradients; whatever"><summary>Hint 1: who does what</summary>
#
# `backward()` *adds* to each parameter's `.grad`, whatever stands there; the optimizer steps by that, and its
# `zero_grad()` clears it.
# </details>
# <details data-part="a float; the loss before"><summary>Hint 2: the number</summary>
#
# A loss is a tensor and holds on to everything it was made from. `.item()` is its number alone.
# </details>

# %%
Model, step = or_the_courses(TinyWriter), or_the_courses(training_step)


def fresh() -> nn.Module:
    """An untrained model, always with the same random numbers in it."""
    torch.manual_seed(0)
    return Model(len(words), WIDTH, num_heads=4, d_ff=4 * WIDTH, n_blocks=2, context=CONTEXT)


print(f"{sum(p.numel() for p in fresh().parameters()):,} parameters")

# %% [markdown]
# **First, one batch.** Can the model learn four pieces of text by heart? If not, some line is wrong, and no more data
# will mend it.

# %%
# What this shows depends on the processor.
batch, model = training[: 4 * CONTEXT].view(4, CONTEXT), fresh()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.005)
for i in range(61):
    loss = step(model, optimizer, batch)
    if i % 20 == 0:
        print(f"one batch, step {i:2}   loss {loss:.2f}")

# %% [markdown]
# **Who to beat.** Before neural networks one *counted*: which word has followed this one (a bigram), these two (a
# trigram), these three?

# %%
counts = WordCounts(training.tolist(), len(words))
baselines = {f"{n}-gram": counts.loss(as_tokens(exam).tolist(), n) for n in (2, 3, 4)}
print({name: round(loss, 2) for name, loss in baselines.items()})

# %%
SEEN = torch.arange(CONTEXT)


def exam_loss(model: nn.Module) -> float:
    with torch.no_grad():
        return next_token_loss(model(held_out), held_out).item()


def continued(model: nn.Module, start: str, n_new: int = 9) -> str:
    """How the model goes on, by your `generate`."""
    with torch.no_grad():
        return " ".join(words[i] for i in generate(model, [number[w] for w in start.split()], n_new, CONTEXT))


# %%
def batches(steps: int) -> Iterator[torch.Tensor]:
    """64 pieces of text each, drawn from all of it."""
    draws = torch.Generator().manual_seed(2)
    for _ in range(steps):
        yield training[torch.randint(len(training) - CONTEXT, (64, 1), generator=draws) + SEEN]


# %%
def train(model: nn.Module, steps: int, curve: LossCurve | None = None) -> nn.Module:
    """Steps with a learning rate that rises and falls again."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.01, total_steps=steps)
    for i, pieces in enumerate(batches(steps)):
        loss = step(model, optimizer, pieces)
        schedule.step()
        if curve:
            curve.look(i + 1, model, loss)
    return model


# %%
# What this shows depends on the processor.
curve = LossCurve(600, baselines, 7.2, test=exam_loss, write=lambda model: continued(model, "the"))
curve.look(0, fresh())
writer = train(fresh(), 600, curve)
curve.finish()

# %% [markdown]
# It starts a little above ln 986 and ends below all three counts, at about 1.9. Attention can use sixteen words without
# having met these sixteen before.
#
# The training loss ends hardly lower: so much text is not learned by heart.
#
# ### Take a part away
#
# Choose `"residual"`, `"norm"`, `"feed-forward"`, `"heads"` (one in place of four), `"√d_k"` or `"positions"`.
# First write down how much worse it gets. Two trainings, the same 100 batches; the last line knows only how
# frequent each word is.


# %%
# What this shows depends on the processor.
PART = "residual"

for name, model in {"as built": fresh(), f"without {PART}": without(fresh(), PART)}.items():
    print(f"{name:20} loss {exam_loss(train(model, 100)):.1f} after 100 steps")
print(f"{'frequencies':20} loss {counts.loss(as_tokens(exam).tolist(), 1):.1f}")

# %% [markdown]
# <details><summary>What we saw</summary>
#
# | about 3.3, as built | residual | norm | feed-forward | heads | √d_k | positions |
# | --- | --- | --- | --- | --- | --- | --- |
# | without it | 5.1 | 3.1 | 3.6 | 3.4 | 3.3 | 3.3 |
#
# Without the additions it learns little more than frequencies. Without norms it even learned faster. Positions cost
# nothing in 100 steps: under a causal mask, the number of words in view already tells the place. A small model,
# trained shortly, proves little.
# </details>
#
# ## 8. Writing, colder and hotter
#
# Always the likeliest word is dull. Drawing words by their probabilities is livelier, and a
# **temperature** T says how much: divide the logits by T before the softmax.

# %% [markdown] prompt="next_token_probabilities"
# ### `next_token_probabilities`
# ★★☆ · 6 minutes
#
# Softmax of logits / temperature. Temperature 0 gives 1 to the largest logit; a negative one raises `ValueError`.

# %% solution="next_token_probabilities"
def next_token_probabilities(logits: torch.Tensor, temperature: float = 1.0) -> torch.Tensor:
    """logits (vocabulary,) -> (vocabulary,) probabilities; the colder, the surer."""
    ### BEGIN SOLUTION
    if temperature < 0:
        raise ValueError(f"a temperature of {temperature} is below zero")
    if temperature == 0:
        return functional.one_hot(logits.argmax(), len(logits)).to(logits.dtype)
    return torch.softmax(logits / temperature, dim=-1)
    ### END SOLUTION

# %% test="next_token_probabilities"
check(next_token_probabilities)

# %% [markdown] hint="next_token_probabilities"
# <details data-part="which sum to 1; hotter is"><summary>Hint 1: where the temperature goes</summary>
#
# Into the softmax: divide first, then share out. Whatever comes after the softmax spoils the sum.
# </details>
# <details data-part="temperature 0"><summary>Hint 2: temperature 0</summary>
#
# Nothing can be divided by 0. Make zeros, and put a 1 where `argmax` points.
# </details>

# %%
# What this shows depends on the processor.
start = [number[word] for word in ["the", "cat", "sat", "on", "the"]]
with torch.no_grad():
    logits = writer(torch.tensor([start]))[0, -1]
writing_pictures.temperatures(next_token_probabilities, logits, words, "the cat sat on the")

# %% [markdown]
# Who judges what it writes? The grammar that made the sentences: `grammatical`. (It lets pass *it has will be awful all
# day*.) Three hundred sentences each, and the longest new one:


# %%
# What this shows depends on the processor.
@torch.no_grad()
def write(model: nn.Module, temperature: float, n: int = 300) -> list[list[str]]:
    """n first sentences after a full stop, each word drawn by its probability."""
    draws = torch.Generator().manual_seed(3)
    tokens = torch.zeros(n, 1, dtype=torch.long)
    for _ in range(CONTEXT):
        logits = model(tokens[:, -CONTEXT:])[:, -1]
        chances = torch.stack([next_token_probabilities(row, temperature) for row in logits]).float()
        tokens = torch.cat([tokens, torch.multinomial(chances, 1, generator=draws)], dim=1)
    return [[words[token] for token in takewhile(bool, row[1:])] for row in tokens.tolist()]


# %%
# What this shows depends on the processor.
def judge(name: str, texts: list[list[str]]) -> None:
    right = [text for text in texts if grammatical(text)]
    new = [text for text in right if tuple(text) not in known]
    longest = " ".join(max(new or texts, key=len)) or "(a full stop at once, each time)"
    shares = f"{len(right) / len(texts):4.0%} grammatical, {len(new) / len(texts):4.0%} new, too"
    print(f"{name:30} {shares}   {longest}")


judge("untrained", write(fresh(), 1.0))
for T in (1.0, 0.5):
    counted = counts.sentences(300, 3, temperature=T)
    judge(f"trigram, temperature {T:g}", [[words[token] for token in sentence] for sentence in counted])
    judge(f"trained, temperature {T:g}", write(writer, T))

# %% [markdown]
# Untrained nothing, by counting about one in six, trained more than a third; colder, about one in four and more than
# eight in ten. But colder also copies more.
#
# ## 9. Take another part away: the mask
#
# The same training, half as long, and every word may look at every other.

# %% [markdown] prompt="guess_no_mask"
# ### Predict: what does the mask do?
# ★☆☆ · 2 minutes
#
# Compared with the model above: will the loss be `"lower"`, `"higher"` or the `"same"`? Will the text be `"better"`,
# `"worse"` or the `"same"`?

# %% solution="guess_no_mask"
### BEGIN SOLUTION
loss_without_mask = "lower"
text_without_mask = "worse"
### END SOLUTION

# %% test="guess_no_mask"
check("guess_no_mask")

# %% [markdown] hint="guess_no_mask"
# <details><summary>Hint: position by position</summary>
#
# In training position 3 is to predict word 4. Where is word 4 while it does? And where, when the model writes?
# </details>

# %%
# What this shows depends on the processor.
unmasked = train(without(fresh(), "mask"), 300)
for name, model in {"with mask": writer, "without mask": unmasked}.items():
    print(f"{name:13} loss {exam_loss(model):.2f}   {continued(model, 'the cat sat on the')}")
judge("without mask, temperature 1", write(unmasked, 1.0))
judge("without mask, temperature 0.5", write(unmasked, 0.5))

# %% [markdown]
# <details><summary>What we saw</summary>
#
# Less than a tenth of the loss, and not one sentence.
# </details>

# %% [markdown] written="explain_cheating" points=4
# ### Explain: `explain_cheating`
# ★★☆ · 8 minutes
#
# How does the model without a mask reach its loss; what is that worth when it writes; why did the loss on newly drawn
# sentences not tell us; and what does the mask change?
#
# ### BEGIN SOLUTION
# **Model answer.** The target of position t, the word at t + 1, is in the input. Without a mask position t may look at
# it, so the model learns to copy its right neighbour. When it writes, nothing stands to the right: there is nothing to
# copy, and what follows from words before it has not learned. Newly drawn sentences are handed in whole too, so copying
# works there as well: the loss measures another task. Under the causal mask each position knows in training what it
# will know while writing.
#
# **Rubric**
# - 1 point: it copies the target, which stands in the input one place to the right
# - 1 point: while it writes there is nothing to the right to copy
# - 1 point: newly drawn text leaks in the same way, so a low test loss proves nothing
# - 1 point: with the mask a position knows in training just what it knows when writing
# ### END SOLUTION

# %% [markdown]
# ## 10. Look inside
#
# Random letters, and then the same letters again. In the second round nearly everything can be known: *find the last
# place where this letter stood, and say what came after it.* One layer cannot: rounds differ in length, so counting
# back fails, and a letter's key does not tell who stood before it. Two can: the first writes "before me stood …" into
# each place, the second looks for it. Attention only, learned positions.

# %%
# What this shows depends on the processor.
readers = {n: induction.learn_to_repeat(MultiHeadAttention, next_token_loss, layers=n) for n in (1, 2)}
writing_pictures.second_rounds({n: losses for n, (_, losses) in readers.items()}, 26, induction.without_order())

# %% [markdown]
# With one layer it learns little more than which letters are in play; with two it beats even crossing them off
# (*letters left*). Which heads?

# %%
# What this shows depends on the processor.
example = torch.randperm(26, generator=torch.Generator().manual_seed(5))[:8].repeat(1, 2)
reader = readers[2][0]
with torch.no_grad():
    reader(example)
first, second = (layer.attention_weights[0] for layer in reader.layers)
to_previous = first.diagonal(-1, 1, 2).mean(1)  # of each head: the weight on the place before
to_answer = second[:, range(8, 16), range(1, 9)].mean(1)  # the weight on what came after the last time
induction.show_heads(example[0], to_previous, to_answer, first, second)

# %% [markdown]
# A **previous-token head** feeds an **induction head**. Nobody built them in. The same pairs have been found in large
# models, where they may be what lets a prompt teach by example.
#
# ## 11. And now
#
# Nearly GPT-2's design:
#
# | | your writer | GPT-2, the small one (2019) |
# | --- | --- | --- |
# | blocks, width, heads | 2, 64, 4 | 12, 768, 12 |
# | parameters | 226,778 | 124 million |
# | context | 16 words | 1,024 tokens |
# | vocabulary | 986 words | 50,257 pieces of words |
# | positions | sines and cosines, added | learned, added |
# | bend | ReLU | GELU |
# | read | 167,000 words of a toy grammar | 40 GB of web pages |
#
# ## Go further

# %% [markdown] prompt="PostNormBlock"
# ### Puzzle: `PostNormBlock`
# ★★☆ · 8 minutes
#
# In 2017 the norm stood **after** each addition: attention reads x itself, the sum is normed; the network reads that,
# and its sum is normed again. The five parts are your block's. Then train a writer of such blocks: is it worse?

# %% solution="PostNormBlock"
class PostNormBlock(TransformerBlock):
    """Attention, then a small network at each position; each sum is normed."""

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """x (batch, n, d_model) -> (batch, n, d_model); mask: booleans, True = may look."""
        ### BEGIN SOLUTION
        y = self.norm_1(x + self.attention(x, x, x, mask))
        return self.norm_2(y + self.feed_2(torch.relu(self.feed_1(y))))
        ### END SOLUTION

# %% test="PostNormBlock"
check(PostNormBlock)

# %% [markdown] hint="PostNormBlock"
# <details><summary>Hint: two lines</summary>
#
# Each line is norm(what was + step(what was)).
# </details>

# %% [markdown]
# <details><summary>Is it worse?</summary>
#
# Not here: after 100 steps both are at about 3.3. Deep ones are harder to train so.
# </details>

# %% [markdown] prompt="tied_scores"
# ### Puzzle: `tied_scores`
# ★☆☆ · 5 minutes
#
# Your writer has one matrix to read words and another, as large, to score them. GPT-2 has one for both: a word's score
# is the dot product of a position's row with the word's embedding. How many of your parameters would that save?

# %% solution="tied_scores"
def tied_scores(rows: torch.Tensor, embedding: torch.Tensor) -> torch.Tensor:
    """rows (batch, n, d_model), embedding (vocabulary, d_model) -> scores (batch, n, vocabulary)."""
    ### BEGIN SOLUTION
    return rows @ embedding.T
    ### END SOLUTION

# %% test="tied_scores"
check(tied_scores)

# %% [markdown] hint="tied_scores"
# <details><summary>Hint: shapes</summary>
#
# (batch, n, d_model) times (d_model, vocabulary). What falls away is your second matrix, 986 · 64 numbers.
# </details>

# %% [markdown] prompt="cached_step"
# ### Puzzle: `cached_step`
# ★★★ · 12 minutes
#
# While a text grows, the keys and values of its old words stay what they are. Keep them: for each new word one head
# needs that word's query, key and value alone. Return the output for the new word, and the longer keys and values. The
# numbers must be those of the last row of causal attention over the whole text.

# %% solution="cached_step"
def cached_step(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, keys: torch.Tensor, values: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """query, key (d_k,), value (d_v,), keys (t, d_k), values (t, d_v) -> output (d_v,), keys, values of t + 1 words."""
    ### BEGIN SOLUTION
    keys = torch.cat([keys, key[None]])
    values = torch.cat([values, value[None]])
    weights = torch.softmax(keys @ query / math.sqrt(len(query)), dim=0)
    return weights @ values, keys, values
    ### END SOLUTION

# %% test="cached_step"
check(cached_step)

# %% [markdown] hint="cached_step"
# <details><summary>Hint: who sees whom</summary>
#
# The new word sees all old ones and itself: append first, then look. No mask is needed. Why?
# </details>

# %% [markdown]
# ---
# **You can now** build, train and question a transformer. **Next:** in [08, attention
# today](../08_attention_today/attention_today.ipynb), it reads past word 16.
#
# **Read on.** [Attention is all you need](https://arxiv.org/abs/1706.03762) (2017) ·
# [GPT-2](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf) ·
# [On layer normalization in the transformer](https://arxiv.org/abs/2002.04745) ·
# [Tied scores](https://arxiv.org/abs/1608.05859) · [Induction heads](https://arxiv.org/abs/2209.11895) ·
# [nanoGPT](https://github.com/karpathy/nanoGPT).
#
# *Credits.* Transformer, sinusoids and causal mask: Vaswani and others, 2017. Residuals: He and others, 2015. Norm
# before each step: Radford and others (GPT-2), 2019. Induction heads: Olsson and others, 2022.
