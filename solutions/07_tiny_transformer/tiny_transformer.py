# %% [markdown]
# # Your attention writes
#
# A **language model** is a program that continues a text. Here is what such a model writes before its training:
#
# > *sits really goat ruled along folded watched stay july violin …*
#
# After 600 steps of training the model wrote:
#
# > *she poured lemonade from the bowl into the glass until it was empty*
#
# Among its 300 sentences this is the longest that is grammatical and not in the text that it has read. (Fewer than half
# are grammatical, and your model may write others.) Nobody gave the model a rule of grammar. **Which lines of code does
# this take?** You write them in this lesson:
#
# - the model around your attention,
# - the loss, and the step by which the model learns,
# - the loop in which the model continues a text. (The sentences above come from the course's loop, which adds a random
#   choice.)
#
# At the end a larger model, made of your parts and trained on the novels of Jane Austen, writes.
#
# The lesson takes about 165 minutes, and 15 more for the puzzles. You need lesson 06 and a little PyTorch.

# %% setup="imports"
import math

import torch
from torch import nn
from torch.nn import functional

from autograder import check, cold_questions
from attention import (
    GrammarText, LossCurve, WordCounts, austen, bring_your_own, compare_orders, induction, or_the_courses, without,
    writing_pictures,
)

torch.set_num_threads(1)  # on small tensors several threads are slower, because they wait for each other
check.lesson("07_tiny_transformer")

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# ## 1. Word order: positional encoding
#
# *Dog bites man* is no news, but *man bites dog* is. Does attention notice the order of the words?
#
# The next cell loads your `MultiHeadAttention` of lesson 06, or the course's version if yours does not pass its checks
# yet.

# %% setup="bring_your_own"
MultiHeadAttention = bring_your_own("MultiHeadAttention")

# %% [markdown] prompt="guess_order"
# ### Predict: does the order matter?
# ★☆☆ · 3 minutes
#
# Attention without a mask reads the embeddings (the word vectors) of *dog bites man*. Then *dog* and *man* change
# places. Does the output for the word *bites* change? Does the output for the word *dog*, now at its new place, change?
# Answer `True` or `False`.

# %% solution="guess_order"
### BEGIN SOLUTION
bites_changes = False
dog_changes = False
### END SOLUTION

# %% test="guess_order"
check("guess_order")

# %% [markdown] hint="guess_order"
# <details><summary>Hint: a sum</summary>
#
# The output for *bites* is a weighted sum over three words. Does a weight, or a sum, depend on where a word stands?
# </details>

# %%
layer = MultiHeadAttention(d_model=8, num_heads=2)
compare_orders(layer)  # prints for both words whether the output changes

# %% [markdown]
# Attention without a mask does not notice the order: each score depends only on two vectors, and a sum does not depend
# on the order of its terms. So each position gets a vector of its own, which is *added* to the embedding of the word
# there. The table of these vectors is called the **positional encoding**. (Under a causal mask a
# word sees only itself and earlier words, but one `MultiHeadAttention` does not notice their order.)
#
# The columns of our table come in pairs, the sine and the cosine of one wave. The first wave is quick: it tells
# neighbours apart, but it repeats after about six positions (2π). So each later pair has a slower wave, which tells
# distant positions apart.

# %% [markdown] prompt="positional_encoding"
# ### `positional_encoding`
# ★★☆ · 8 minutes
#
# Return a float tensor of shape `(n, d_model)`, with one row for each position p = 0 … n − 1. For each i = 0, 1, 2, …,
# column 2i holds the sine of an angle, and column 2i + 1 its cosine:
#
# > angle = p / 10000^(2i / d_model)
#
# (10000 is the choice of a paper of 2017.) With `d_model` = 4 the row of p = 1 is sin 1, cos 1, sin 0.01, cos 0.01,
# about 0.841, 0.540, 0.010, 1.000. If `d_model` is odd, raise a `ValueError`, because then the last sine has no cosine.
#
# You may fill a `table` of zeros: its columns 0, 2, 4, … are `table[:, 0::2]`, and columns 1, 3, 5, … are
# `table[:, 1::2]`.

# %% solution="positional_encoding"
def positional_encoding(n: int, d_model: int) -> torch.Tensor:
    """Return (n, d_model) floats, one row for each position: sines in even columns, cosines in odd ones."""
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
# <details data-part="one row for; position 0"><summary>Hint 1: the angles first</summary>
#
# Divide a column of positions, `(n, 1)`, by a row of the numbers 10000^(2i / d_model). The result is a table of angles,
# `(n, d_model / 2)`.
# </details>
# <details data-part="the later columns"><summary>Hint 2: the exponents</summary>
#
# The exponents are 0, 2, 4, … up to d_model − 2, each divided by d_model.
# </details>
# <details data-part="one row for; columns 0 and 1"><summary>Hint 3: both halves</summary>
#
# `table[:, 0::2]` gets the sines of all angles, `table[:, 1::2]` their cosines.
# </details>

# %%
writing_pictures.positions(positional_encoding(32, 16))
compare_orders(layer, positional_encoding(3, 8).float())

# %% [markdown]
# Each row on the left is the vector of one position. On the right four of the columns are drawn as waves. With these
# vectors both outputs change.
#
# ## 2. The Transformer block: residual connection, layer normalisation, feed-forward network
#
# The model is a stack of **Transformer blocks**, all of one design. A block adds three things to attention.
#
# **Add, do not replace.** Attention makes each word's output from weighted means of values. If this output replaced the
# word's own vector, what the vector contained could be lost. So the block *adds* the output to the vector:
#
# > x + attention(x)
#
# Adding a step's input to its result is called a **residual connection**. It also helps the training, because gradients
# (lesson 02) pass through a sum unchanged. The **residual stream** is x, one vector for each word, to which every step
# adds something.
#
# **Normalise what attention reads.** After many additions the vectors could be large, and so could their scores. Large
# scores drive the weights of a softmax to 0 and 1, where hardly any gradient is left. So attention reads a normalised
# copy of x:
#
# > x + attention(norm(x))
#
# The norm stands before attention, which is called **pre-norm**. It is a **layer normalisation** (`nn.LayerNorm`),
# which subtracts from each row its mean and divides the row by its standard deviation. Then it multiplies each column
# by a learned number, at first 1, and adds another, at first 0:

# %%
print(nn.LayerNorm(4)(torch.tensor([[1.0, 2.0, 3.0, 6.0], [10.0, 20.0, 30.0, 60.0]])).detach())

# %% [markdown]
# The second row was ten times the first one, and the norm makes them equal.
#
# **Compute something new.** Each head of attention only computes weighted means of values. A **feed-forward network**
# computes something new from each word's vector alone. It has two linear layers (`nn.Linear`), and between them an
# activation function (lesson 05): ours is **ReLU**, which replaces negative numbers by 0. Without it two layers could
# do no more than one, because a matrix times a matrix is again a matrix. The network gets a residual connection and a
# norm of its own:

# %%
writing_pictures.block()

# %% [markdown] prompt="TransformerBlock"
# ### `TransformerBlock`
# ★★☆ · 12 minutes
#
# The block has two steps. Each step reads a normalised copy of its input, and adds its result to the input itself:
#
# > y = x + attention(norm_1(x))
# >
# > out = y + feed_2(ReLU(feed_1(norm_2(y))))
#
# The parts are:
#
# - `attention`, a `MultiHeadAttention(d_model, num_heads)`. Call it once, as `attention(queries, keys, values, mask)`,
#   with the same rows as queries, keys and values.
# - `norm_1` and `norm_2`, each an `nn.LayerNorm(d_model)`.
# - `feed_1` and `feed_2`, each an `nn.Linear`, from `d_model` to `d_ff` and back (`d_ff` is often 4 · `d_model`, as in
#   the paper of 2017).

# %% solution="TransformerBlock"
class TransformerBlock(nn.Module):
    """Add attention's output to the residual stream, then the output of a feed-forward network (pre-norm)."""

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
        """Return (batch, n, d_model) for x of that shape; mask: booleans, True = may look."""
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
# Each of the two norms has parameters of its own.
# </details>
# <details data-part="queries and keys; the right numbers"><summary>Hint 2: three times the same rows</summary>
#
# Compute h = norm_1(x) once. Queries, keys and values are all h. But h is not what attention's result is added to.
# </details>
# <details data-part="where attention"><summary>Hint 3: a test</summary>
#
# If all parameters are 0, attention and the network add only zeros. Then the output is x.
# </details>

# %% [markdown]
# ## 3. The model: a decoder-only Transformer
#
# A model reads numbers. So each token (lesson 03), here a word or a full stop, has a number, its token id. All tokens
# that a model knows are its **vocabulary**. At *every* position the model gives one score to each token that could come
# next. These scores are called **logits**: a softmax turns them into probabilities.
#
# The **Transformer** of 2017 was made for translation: its **encoder** reads the source, and its **decoder** writes the
# translation under a causal mask. Your model only continues texts, without an encoder. So it is called
# **decoder-only**, like OpenAI's GPT models. This is the whole model, here with two blocks:

# %%
writing_pictures.model()

# %% [markdown] prompt="TinyWriter"
# ### `TinyWriter`
# ★★☆ · 12 minutes
#
# The model has four parts:
#
# - `embed`, an `nn.Embedding(vocabulary, d_model)`: one row for each token id, its embedding,
# - `blocks`, an `nn.ModuleList` of `n_blocks` of your blocks, each with parameters of its own (PyTorch would not find
#   those in a plain list),
# - `norm`, an `nn.LayerNorm(d_model)`, because with pre-norm the residual stream itself is never normalised,
# - `unembed`, an `nn.Linear(d_model, vocabulary)`.
#
# The model reads at most `context` tokens, its **context length**. `forward` does four things:
#
# 1. If there are more than `context` tokens, raise a `ValueError`.
# 2. Add `positional_encoding(n, d_model).float()` to the embeddings. (`.float()` makes it float32, as the embeddings
#    are.)
# 3. Pass the sum through one block after another, each with the causal mask of lesson 06, a boolean n × n.
# 4. Pass the result through `norm`, then through `unembed`.

# %% solution="TinyWriter"
class TinyWriter(nn.Module):
    """Read at most `context` tokens, and give at each position a logit to every token that may come next."""

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
        """Return logits (batch, n, vocabulary) for tokens (batch, n)."""
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
# <details data-part="its parameters; the right logits with"><summary>Hint 1: blocks that differ</summary>
#
# Make a new block in each turn of a loop or a comprehension. `[block] * 2` is one block twice.
# </details>
# <details data-part="the right logits for one; the right logits for a text">
# <summary>Hint 2: before the blocks</summary>
#
# n is `tokens.shape[1]`. The mask is True on the diagonal and to the left of it: `torch.ones(n, n).tril().bool()`.
# </details>
# <details data-part="as many tokens; more tokens"><summary>Hint 3: too long</summary>
#
# `forward` has to know `context`, so keep it in `__init__`.
# </details>

# %% [markdown]
# Your model is complete. `fresh` makes one of the size that we train later, for a text of 986 different tokens.
# (If yours is not right yet, `or_the_courses` takes the course's.)

# %%
Model = or_the_courses(TinyWriter)


def fresh() -> nn.Module:
    """Return an untrained model, always with the same random parameters."""
    torch.manual_seed(0)
    return Model(986, d_model=64, num_heads=4, d_ff=256, n_blocks=2, context=16)


print(f"{sum(p.numel() for p in fresh().parameters()):,} parameters")

# %% [markdown]
# GPT-2 (2019) has nearly this design. Among the differences: its table of positions is learned. The last column has the
# names in GPT-2's file of settings, `config.json`.
#
# | | your model | GPT-2, the smallest one | in the config |
# | --- | --- | --- | --- |
# | blocks | 2 | 12 | `n_layer` |
# | width of the residual stream | 64 | 768 | `n_embd` |
# | heads | 4 | 12 | `n_head` |
# | context length | 16 tokens | 1,024 tokens | `n_positions` |
# | vocabulary | 986 | 50,257 | `vocab_size` |
# | parameters | 226,778 | 124 million | |
#
# **A good place to stop.** You have built a whole language model, but its parameters are still random numbers. In the
# second part you train it.
#
# ## 4. The goal: predict the next token
#
# The right answer at each position, its *target*, is the next token of the text. An example, with *the* = 4, *cat* = 1,
# *sat* = 3, *on* = 2:
#
# | position | 0 | 1 | 2 | 3 | 4 |
# | --- | --- | --- | --- | --- | --- |
# | token | the (4) | cat (1) | sat (3) | on (2) | the (4) |
# | target | ? | ? | ? | ? | not known |
#
# The **loss**, which training makes smaller, says how bad the predictions are. Ours is the **cross-entropy**: −ln of
# the probability that the model gave to the target. It is 0 if this probability is 1, 0.69 if it is 0.5, and 4.6 if it
# is 0.01. Its unit is the **nat**, because ln is the natural logarithm.

# %% [markdown] prompt="guess_shift"
# ### Predict: the targets, and the loss of a model that knows nothing
# ★☆☆ · 5 minutes
#
# `targets` are the four token ids for the question marks. `untrained_loss` is a loss in nats: a model that knows
# nothing gives all 986 tokens of our text the same probability. One decimal is enough.

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
# Under each token write the token to its right.
# </details>
# <details data-part="the loss of a model"><summary>Hint 2: no knowledge</summary>
#
# Each token gets a probability of 1/986. In Python, `math.log` is the natural logarithm.
# </details>

# %% [markdown] prompt="next_token_loss"
# ### `next_token_loss`
# ★★☆ · 10 minutes
#
# Return the mean cross-entropy of all predictions. The logits at position t predict the token at position t + 1. So the
# targets are the tokens without the first one, and the logits at the last position have no target.
#
# Targets equal to `pad_token` are pads, which only fill up the shorter texts of a batch, as in lesson 06. So they do
# not count. (Our training text needs none.) If no target counts, the loss is 0.
#
# You may use `functional.cross_entropy`. It takes logits `(pairs, vocabulary)` and targets `(pairs,)`, one pair for
# each prediction, so flatten batch and positions into one axis. With `reduction="none"` it returns the loss of each
# pair.

# %% solution="next_token_loss"
def next_token_loss(
    logits: torch.Tensor, tokens: torch.Tensor, pad_token: int | None = None
) -> torch.Tensor:
    """Return the mean loss, a scalar, of logits (batch, n, vocabulary) for the next of the tokens (batch, n)."""
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
# <details data-part="each position"><summary>Hint 1: two slices</summary>
#
# Take the logits without the last position, `logits[:, :-1]`, and the tokens without the first one, `tokens[:, 1:]`.
# </details>
# <details data-part="one number; the mean over; targets that are pads"><summary>Hint 2: which losses count</summary>
#
# Multiply each loss by 1 if its target counts, and by 0 if it is a pad. Then divide the sum by the number of targets
# that count. (`cross_entropy` takes logits, not probabilities.)
# </details>
# <details data-part="with nothing; targets that are pads"><summary>Hint 3: nothing to count</summary>
#
# The mean of no numbers is 0/0. So divide by 1 if no target counts, for example with `.clamp(min=1)`.
# </details>

# %% [markdown]
# ## 5. Writing: temperature and greedy decoding
#
# A model writes in a loop: it reads the text, chooses the next token, appends it, and reads again. **Greedy decoding**
# always takes the likeliest token. **Sampling** draws the token at random, by the probabilities. Before the softmax the
# logits can be divided by a number, the temperature (lesson 03).

# %% [markdown] prompt="next_token_probabilities"
# ### `next_token_probabilities`
# ★★☆ · 8 minutes
#
# Return the softmax of logits / temperature. As the temperature approaches 0, the probability of the largest logit
# approaches 1 (if no other is as large). A temperature of 0 means greedy decoding: the largest logit gets the
# probability 1. If the temperature is negative, raise a `ValueError`, because it would make the worst token the
# likeliest.

# %% solution="next_token_probabilities"
def next_token_probabilities(logits: torch.Tensor, temperature: float = 1.0) -> torch.Tensor:
    """Return probabilities (vocabulary,) for logits (vocabulary,); the lower the temperature, the surer."""
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
# <details data-part="which sum to 1; temperatures above"><summary>Hint 1: where the temperature goes</summary>
#
# Divide first, then take the softmax. If you divide after the softmax, the probabilities no longer sum to 1.
# </details>
# <details data-part="temperature 0"><summary>Hint 2: temperature 0</summary>
#
# Make a tensor of zeros, and put a 1 where `argmax` points.
# </details>

# %% [markdown]
# Four logits, at four temperatures:

# %%
writing_pictures.temperatures(next_token_probabilities)

# %% [markdown] prompt="generate"
# ### `generate`
# ★★☆ · 10 minutes
#
# Write `n_new` tokens by greedy decoding. Give the model only the last `context` tokens of the text so far, as an int64
# tensor `(1, m)`. Its logits are `(1, m, vocabulary)`. The new token is the one with the largest logit at the *last*
# position. Append it, so that the model reads it in the next turn. Return a new list of plain ints: first the given
# tokens (the **prompt**), then the new ones.

# %% solution="generate"
def generate(model: nn.Module, tokens: list[int], n_new: int, context: int) -> list[int]:
    """Return the prompt and `n_new` tokens, each the likeliest; model: (1, m) -> (1, m, vocabulary)."""
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
# <details data-part="the prompt first; its own tokens; leaves the prompt"><summary>Hint 1: a loop</summary>
#
# Copy the prompt. Then, `n_new` times, call the model and append one token.
# </details>
# <details data-part="a list of plain; one new token"><summary>Hint 2: shapes</summary>
#
# `torch.tensor([text])` has the shape (1, m). The logits at the last position are `logits[0, -1]`.
# </details>
# <details data-part="no more than"><summary>Hint 3: the last tokens</summary>
#
# `text[-context:]` is the last `context` tokens of a list `text`.
# </details>

# %% [markdown]
# Most texts below are sampled: the course's code uses the same loop, but draws each token by your
# `next_token_probabilities`.
#
# ## 6. Training
#
# The gradients say in which direction to move each parameter, so that the loss falls. The **optimizer** moves each a
# little that way, and the **learning rate** says how far.

# %% [markdown] prompt="training_step"
# ### `training_step`
# ★★☆ · 5 minutes
#
# Do one step of training, and return the loss from before the step as a float:
#
# 1. Clear the old gradients with `optimizer.zero_grad()`, because `backward()` adds to them.
# 2. Compute the `next_token_loss` of `model(tokens)`.
# 3. Compute the gradients with the loss's `backward()`.
# 4. Let the optimizer move the parameters with `optimizer.step()`.

# %% solution="training_step"
def training_step(
    model: nn.Module, optimizer: torch.optim.Optimizer, tokens: torch.Tensor, pad_token: int | None = None
) -> float:
    """Train the model by one step on tokens (batch, n), and return the loss from before the step."""
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
# <details data-part="the parameters after; old gradients; any optimizer"><summary>Hint 1: the order</summary>
#
# `backward()` adds to the `.grad` of each parameter, and `optimizer.step()` uses it.
# </details>
# <details data-part="a float; the loss before"><summary>Hint 2: the number</summary>
#
# `.item()` gives a tensor's number alone, as a float.
# </details>

# %% [markdown]
# **The text.** The model learns from 20,000 sentences of lesson 03's small grammar, the *training text*. It is tested
# on the **held-out text**: 1,000 sentences that are drawn anew. The grammar is small, so by chance a third of them also
# stand in the training text.
#
# **A baseline.** Is a loss good? We need a simple model to compare with, a **baseline**. Ours only counts: an **n-gram
# model** counts in the training text how often each token has followed the n − 1 tokens before it. With n = 3, for
# example, it looks up what has followed *sat on*, and how often. It takes a little probability from these tokens, and
# spreads it over all tokens as the (n − 1)-gram model would. So no token gets 0. The cell tries n = 2 to 5, and your
# model should beat the smallest loss.

# %%
toy = GrammarText(16, next_token_loss, next_token_probabilities)
print(toy.decode(toy.training[:24]), "…")
print(f"{len(toy.words)} tokens; {toy.shared} of the 1,000 held-out sentences stand in the training text, too")

counts = WordCounts(toy.training.tolist(), len(toy.words))
losses = {f"{n}-gram": counts.loss(toy.held_out.tolist(), n) for n in (2, 3, 4, 5)}
print("losses:", {name: round(loss, 2) for name, loss in losses.items()})

# %% [markdown]
# The 4-gram model is the best of them, so it is the baseline. It is tested on the whole held-out text, and your model
# on the first 4,000 tokens, in pieces of 16. The pieces are a handicap: their first tokens have little text before
# them.
#
# **The loop.** `train` calls your `training_step` on one batch after another. A batch is 64 pieces of the training
# text, of 16 tokens each. Its optimizer is **AdamW**, the usual one for Transformers, which gives each parameter a step
# size of its own, computed from that parameter's past gradients. At first it has seen few gradients, so `OneCycleLR`
# starts with a small learning rate. At the end the rate is small again, because large steps would jump over the lowest
# loss.

# %%
step = or_the_courses(training_step)


def train(model: nn.Module, steps: int, curve: LossCurve | None = None) -> nn.Module:
    """Train a model on one batch after another."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)  # fused: the same steps, computed faster
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.01, total_steps=steps)
    for i, batch in enumerate(toy.batches(steps), 1):
        loss = step(model, optimizer, batch)
        schedule.step()
        if curve:
            curve.look(i, model, loss)
    return model


# %% [markdown]
# **The training.** It takes 10 to 30 seconds, and on a slow or busy computer a minute or two. Every 100 steps the model
# continues *the*, at temperature 0.7. Look where the held-out loss falls below the dashed baseline.

# %%
# The output depends on the processor.
curve = LossCurve(600, {"4-gram": losses["4-gram"]}, 7.2, toy.held_out_loss, toy.sampled)
curve.look(0, fresh())
writer = train(fresh(), 600, curve)
curve.finish()

# %% [markdown]
# The loss starts a little above ln 986, because the random logits of an untrained model are not all equal. It ends at
# about 1.9, below the baseline. Papers often report exp(loss) instead, which is called the **perplexity**. Here it is
# about 7: the model is as unsure as if it had to choose among seven equally likely tokens.
#
# But a third of the held-out sentences stand in the training text, too. So the next cell takes only the others.

# %%
# The output depends on the processor.
toy.compare_on_new(writer, counts)

# %% [markdown]
# New sentences are harder for both, and your model's loss is still lower.
#
# The next cell continues two starts, by greedy decoding and by sampling. After a full stop the model goes on.

# %%
# The output depends on the processor.
for start in ("the king", "ming bought apples then he"):
    print("greedy          ", toy.decode(generate(writer, toy.encode(start), 9, context=16)))
    print("temperature 0.7 ", toy.sampled(writer, start, seed=2), "\n")

# %% [markdown]
# A sentence is grammatical here if lesson 03's grammar can produce it. The untrained model writes 300 sentences, and
# the trained one 300 at each of two temperatures. A sentence begins after a full stop and is cut off after 16 tokens.
# `toy.judge` prints how many are grammatical, and how many of these are new (not in the training text). Below stands
# the longest grammatical and new one, or the longest of all if there is none.

# %%
# The output depends on the processor.
toy.judge("untrained", toy.write(fresh(), 1.0))
for T in (1.0, 0.5):
    toy.judge(f"trained, temperature {T:g}", toy.write(writer, T))

# %% [markdown]
# At the lower temperature more sentences are grammatical: unlikely tokens are drawn less often, and one wrong token is
# enough to spoil a sentence. But fewer of the grammatical ones are new.
#
# ## 7. Take the mask away
#
# What is the causal mask for? We train the same model without it, so every token may look at later tokens, too. 300
# steps are enough to compare.

# %% [markdown] prompt="guess_no_mask"
# ### Predict: what does the mask do?
# ★☆☆ · 3 minutes
#
# Compare the new model with the one above. Will its loss be `"lower"`, `"higher"` or the `"same"`? Will its text be
# `"better"`, `"worse"` or the `"same"`?

# %% solution="guess_no_mask"
### BEGIN SOLUTION
loss_without_mask = "lower"
text_without_mask = "worse"
### END SOLUTION

# %% test="guess_no_mask"
check("guess_no_mask")

# %% [markdown] hint="guess_no_mask"
# <details><summary>Hint: one position</summary>
#
# In training, position 3 has to predict token 4. Where is token 4 then? And where is it when the model writes?
# </details>

# %%
# The output depends on the processor.
unmasked = train(without(fresh(), "mask"), 300)  # without: no block gets the mask
for name, model in {"with mask": writer, "without mask": unmasked}.items():
    written = generate(model, toy.encode("the cat sat on the"), 9, context=16)
    print(f"{name:13} loss {toy.held_out_loss(model):.2f}   {toy.decode(written)}")
toy.judge("without mask, temperature 0.5", toy.write(unmasked, 0.5))

# %% [markdown]
# Without a mask the model here repeats the last token: *the*, or the full stop.

# %% [markdown] written="explain_cheating" points=4
# ### Explain: `explain_cheating`
# ★★☆ · 10 minutes
#
# First think of *cat* in *the cat sat on the*: which token must be predicted there? Is it in the input during training,
# and when the model writes? Then answer these four questions, with one or two sentences for each. (4 points)
#
# 1. How does the model without a mask reach its low loss?
# 2. Why does this not help when the model writes?
# 3. Why did the loss on the held-out text not show the mistake?
# 4. What does the mask change?
#
# ### BEGIN SOLUTION
# **Model answer.** The target of position t, the word at t + 1, is in the input. Without a mask position t may look at
# it, so copying it lowers the loss. When the model writes, there is no word to the right. So there is nothing to copy,
# and the model has not learned what follows from the words before. The held-out text is also given to the model as a
# whole. So copying works there as well, and the loss measures another task than writing. Under the causal mask each
# position knows in training exactly what it will know when the model writes.
#
# **Rubric**
# - 1 point: it copies the target, which stands in the input one place to the right
# - 1 point: while it writes there is nothing to the right to copy
# - 1 point: the held-out text leaks in the same way, so a low loss on it proves nothing
# - 1 point: with the mask a position knows in training just what it knows when writing
# ### END SOLUTION

# %% [markdown]
# ## 8. The same parts, trained on six novels
#
# We trained a larger `TinyWriter` on the six novels of Jane Austen. It has 3 blocks, 4 heads, width 128 and context
# length 128. The next cell makes a model of your class and loads the trained parameters.
#
# Its tokens are pieces of words, found by **byte pair encoding (BPE)**: it starts from single characters (GPT-2's from
# bytes), and again and again joins the most frequent pair of neighbours into a new token, here until there are 1,024
# tokens. The blank before a word is usually part of the word's first token.

# %%
novel, novelist = austen.load_tiny_writer(Model)
print(f"{sum(p.numel() for p in novelist.parameters()):,} parameters")
print(" | ".join(novel.words[token] for token in novel.encode("Mr. Darcy admired the transformer.")))

# %% [markdown]
# Watch it write. Change the start, the temperature or the seed.

# %%
# The output depends on the processor.
START = '"My dear'
new = novel.continued(novelist, next_token_probabilities, "\n" + START, 160, temperature=0.7, seed=1)
austen.watch_page([START, *new])

# %% [markdown]
# Most words are English words, and a few in a row are often good grammar. But the text makes no sense.
#
# The model and `next_token_probabilities` are yours. The tokens, the loop and the training are the course's.
#
# ## Go further
#
# ### Experiment: look inside for induction heads
#
# A model of attention alone reads 6 to 15 random letters, of which some may be equal, and then the same letters in the
# same order again. In this second round it could follow a rule: *find the same letter in the first round, and predict
# the letter that came after it.*
#
# One layer of attention (one `MultiHeadAttention`) cannot do this: the key of a letter does not say which letter stood
# before it, and the distance changes from text to text. With two layers, the first can copy into each position the
# letter before it. The second can then look for the position whose previous letter is the current one. The next cell
# trains both models.

# %%
# The output depends on the processor.
reader = induction.compare_layers(MultiHeadAttention, next_token_loss)
induction.show_heads(reader)

# %% [markdown]
# The last line is the loss of a rule that knows the letters of the first round, but not their order. With one layer the
# loss is only a little lower. With two layers it is small. The left head mostly looks at the previous letter, but not
# in the last rows. In the lower half of the right map, the second round, each letter looks at what followed the same
# letter last time. Such a head is called an **induction head**. Large language models have such heads, too (Olsson and
# others, 2022).

# %% [markdown] prompt="PostNormBlock"
# ### Puzzle: `PostNormBlock` (post-norm)
# ★★☆ · 10 minutes
#
# In the Transformer of 2017 the norm stood *after* each addition, which is called **post-norm**. Attention reads x
# itself, and the sum is normalised. The feed-forward network reads this normalised sum, and its own sum is normalised,
# too. The five parts are those of your block.

# %% solution="PostNormBlock"
class PostNormBlock(TransformerBlock):
    """Add attention's output and normalise the sum, then do the same with a feed-forward network (post-norm)."""

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        """Return (batch, n, d_model) for x of that shape; mask: booleans, True = may look."""
        ### BEGIN SOLUTION
        y = self.norm_1(x + self.attention(x, x, x, mask))
        return self.norm_2(y + self.feed_2(torch.relu(self.feed_1(y))))
        ### END SOLUTION

# %% test="PostNormBlock"
check(PostNormBlock)

# %% [markdown] hint="PostNormBlock"
# <details><summary>Hint: two lines</summary>
#
# Each line has the form norm(input + step(input)).
# </details>

# %% [markdown]
# Is a model of such blocks worse? And one without residual connections? The next cell trains each for 100 steps. (The
# learning rate rises and falls within these steps, so the losses are not those of the curve at step 100.)

# %%
# The output depends on the processor.
post_norm = fresh()
post_norm.blocks = nn.ModuleList(PostNormBlock(64, 4, 256) for _ in range(2))
models = {"pre-norm": fresh(), "post-norm": post_norm, "no residual connections": without(fresh(), "residual")}
for name, model in models.items():
    print(f"{name:24} loss {toy.held_out_loss(train(model, 100)):.1f} after 100 steps")
print(f"{'frequencies alone':24} loss {counts.loss(toy.held_out.tolist(), 1):.1f}")

# %% [markdown]
# <details><summary>What we saw</summary>
#
# Post-norm is not worse here, where the learning rate starts small. Xiong and others (2020) found that post-norm needs
# such a start, and pre-norm does not. Without residual connections the model is, after these 100 steps, no better than
# one that knows only how frequent each token is.
# </details>

# %% [markdown] prompt="tied_scores"
# ### Puzzle: `tied_scores` (weight tying)
# ★☆☆ · 5 minutes
#
# Your model has one matrix for the embeddings, and another of the same size for the logits. GPT-2 uses one for both,
# which is called **weight tying**. A token's logit is the dot product of a position's row with the token's embedding.
# Weight tying would save 986 · 64 of your parameters.

# %% solution="tied_scores"
def tied_scores(rows: torch.Tensor, embedding: torch.Tensor) -> torch.Tensor:
    """Return logits (batch, n, vocabulary) for rows (batch, n, d_model) and an embedding (vocabulary, d_model)."""
    ### BEGIN SOLUTION
    return rows @ embedding.T
    ### END SOLUTION

# %% test="tied_scores"
check(tied_scores)

# %% [markdown] hint="tied_scores"
# <details><summary>Hint: shapes</summary>
#
# Multiply (batch, n, d_model) by (d_model, vocabulary).
# </details>

# %% [markdown]
# ## What you can now do
#
# - build a decoder-only Transformer of pre-norm blocks, with a positional encoding;
# - train it with cross-entropy, and compare it with a baseline;
# - let it write by greedy decoding, and compute the probabilities for sampling with a temperature;
# - say what the causal mask is for.
#
# **Next:** in [08, attention today](../08_attention_today/attention_today.ipynb), a model like yours reads past token
# 16.
#
# **Read on.** [Attention is all you need](https://arxiv.org/abs/1706.03762) (2017) ·
# [GPT-2](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf) ·
# [On layer normalization in the transformer](https://arxiv.org/abs/2002.04745) ·
# [Induction heads](https://arxiv.org/abs/2209.11895) ·
# [nanoGPT](https://github.com/karpathy/nanoGPT).
#
# *Credits.* Transformer, sinusoids and causal mask: Vaswani and others, 2017. Residual connections: He and others,
# 2015. Layer normalisation: Ba and others, 2016. Byte pairs as tokens: Sennrich and others, 2016. Weight tying: Press
# and Wolf, 2017. Pre-norm in language models: Radford and others (GPT-2), 2019. Induction heads: Olsson and others,
# 2022.
