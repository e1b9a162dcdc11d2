# %% [markdown]
# # Your attention writes
#
# A **language model** is a program that continues a text. Here is what such a model writes before its training:
#
# > *sits really goat ruled along folded watched stay july violin …*
#
# And here is the same model after 600 steps of training, which take half a minute to two minutes:
#
# > *the father did not cross the street because it was quite wide.*
#
# This sentence is not in the text that the model has read, and nobody gave the model a rule of grammar. **Which lines
# of code does this take?** You write them in this lesson:
#
# - You tell attention the order of the words, and you build a model around attention.
# - You write the loss and the step by which the model learns.
# - You write the loop in which the model continues a text, and the probabilities from which it draws the next word.
# - You remove parts of the model, to see what each part is for.
#
# At the end a larger model, made of your parts, imitates Jane Austen. It makes a card for a friend, who has to guess
# which sentences a machine has written.
#
# The lesson takes about 180 minutes, and 15 more for the puzzles. A good place for a break is before section 7, the
# training. You need a little PyTorch, and heads and masks from lesson 06.

# %% setup="imports"
import math
import time
from collections.abc import Iterator
from itertools import takewhile

import torch
from torch import nn
from torch.nn import functional

from autograder import check, cold_questions
from attention import (
    LossCurve, WordCounts, austen, bring_your_own, grammatical, induction, or_the_courses, sentences, without,
    writing_pictures,
)

torch.set_num_threads(1)  # on small tensors several threads are slower, because they wait for each other
check.lesson("07_tiny_transformer")

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# ## 1. Bring your own attention
#
# The next cell loads your `MultiHeadAttention` from your notebook of lesson 06. If yours does not pass its checks yet,
# the course's version is used instead. A mistake in lesson 06 costs no points here.

# %% setup="bring_your_own"
MultiHeadAttention = bring_your_own("MultiHeadAttention")

# %% [markdown]
# ## 2. Word order: positional encoding
#
# *Dog bites man* is no news, but *man bites dog* is. Both sentences have the same words, in another order. Now each
# word is replaced by its vector, its embedding, and attention without a mask reads both sentences.

# %% [markdown] prompt="guess_order"
# ### Predict: does the order matter?
# ★☆☆ · 3 minutes
#
# Look at the output for *bites*. Does it change when *dog* and *man* change places? And does the output for *dog*
# change? Answer `True` or `False`.

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
# In lesson 06 you shuffled the words. The rows of the output were shuffled in the same way, and nothing else changed.
# </details>

# %%
torch.manual_seed(0)
vectors = {word: torch.randn(8) for word in ("dog", "bites", "man")}
layer = MultiHeadAttention(d_model=8, num_heads=2)


def look_around(sentence: str, positions: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return attention's output for each word, after the row of its position was added to its vector."""
    X = torch.stack([vectors[word] for word in sentence.split()]) + positions
    return dict(zip(sentence.split(), layer(X[None], X[None], X[None])[0], strict=True))


def compare(positions: torch.Tensor) -> None:
    news, no_news = (look_around(text, positions) for text in ("man bites dog", "dog bites man"))
    for word in ("bites", "dog"):
        print(f"{word:6} the same in both sentences: {torch.allclose(news[word], no_news[word], atol=1e-5)}")


compare(torch.zeros(3, 8))

# %% [markdown]
# Attention without a mask does not notice the order. The output for a word is a weighted sum over all words, and a sum
# does not depend on the order of its terms.
#
# So the model has to be told where each word stands. Each position gets a vector of its own, which is *added* to the
# embedding of the word at that position. The table of these vectors is called the **positional encoding**. In the first
# Transformer (2017) its columns are waves, sines and cosines. The first columns change quickly from one position to the
# next, so they tell neighbours apart. The later columns change more and more slowly, so they tell distant positions
# apart. The hands of a clock work in the same way.

# %% [markdown] prompt="positional_encoding"
# ### `positional_encoding`
# ★★☆ · 10 minutes
#
# Return a float tensor of shape `(n, d_model)`, with one row for each position p = 0 … n − 1. The angle of position p
# is p / 10000^(2i / d_model). Column 2i holds its sine, and column 2i + 1 holds its cosine. If `d_model` is odd, raise
# a `ValueError`, because then the last sine has no cosine.

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
# `(n, d_model / 2)`. All angles of position 0 are 0.
# </details>
# <details data-part="the later columns"><summary>Hint 2: the exponents</summary>
#
# The exponents are 0, 2, 4, … up to d_model − 2, each divided by d_model.
# </details>
# <details data-part="one row for; columns 0 and 1"><summary>Hint 3: two columns from each angle</summary>
#
# Start from `table = torch.zeros(n, d_model)`. Its columns 0, 2, 4, … are `table[:, 0::2]`, and the columns between
# them are `table[:, 1::2]`.
# </details>

# %%
writing_pictures.positions(positional_encoding(32, 32))
compare(positional_encoding(3, 8).float())

# %% [markdown]
# The left picture is the table. The right picture shows the dot product of every two rows. It depends only on how far
# apart the two positions are, because sin a · sin b + cos a · cos b = cos(a − b). When these vectors are added, the
# outputs differ, so attention can tell who bites. (Most of today's models turn queries and keys instead of adding
# vectors. You will build this in lesson 08.)
#
# ## 3. The Transformer block: feed-forward network, residual connections, normalisation
#
# Attention moves information from word to word. But its output is only a weighted mean of the values. A **Transformer
# block** adds three parts to attention.
#
# - A **feed-forward network** computes something new from the vector of each word, without looking at other words. It
#   has two linear layers with an activation function between them. Ours is **ReLU**, which replaces each negative
#   number by 0. Without an activation function the two layers could do no more than one layer, because a matrix times a
#   matrix is again a matrix.
# - A **residual connection** adds the result of a step to the input of the step. So the model keeps what the input
#   contained. It also learns more easily, because gradients pass through a sum unchanged and reach the first blocks.
#   One vector for each word runs through all blocks, and every step adds something to it. These vectors are called the
#   **residual stream**.
# - **Layer normalisation** (`nn.LayerNorm`) subtracts from each row its mean and divides the row by its standard
#   deviation. The standard deviation says how far the numbers typically lie from their mean: it is the root of the mean
#   squared distance. Then each column is multiplied by a learned number, and another one is added. Without
#   normalisation the sums could grow from block to block, and the scores with them. Large scores drive the weights of a
#   softmax to 0 and 1 (lesson 02).
#
# Our block normalises *before* each step, which is called **pre-norm**. GPT-2 and most later models do this, too. In
# the picture the thick line is the residual stream.

# %%
writing_pictures.block()

# %% [markdown] prompt="TransformerBlock"
# ### `TransformerBlock`
# ★★☆ · 15 minutes
#
# The block has two steps. Each step makes a normalised copy of its input, computes something from this copy, and adds
# the result to the input itself. The first step uses `norm_1` and `attention` under the mask. The second step uses
# `norm_2`, then `feed_1`, ReLU and `feed_2`. The parts are:
#
# - `attention`, a `MultiHeadAttention(d_model, num_heads)`, which is called once,
# - `norm_1` and `norm_2`, each an `nn.LayerNorm(d_model)`,
# - `feed_1` and `feed_2`, each an `nn.Linear`, from d_model to d_ff and back.

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
# `__init__` makes five parts with the five names. Each of the two norms has parameters of its own.
# </details>
# <details data-part="queries and keys; the right numbers"><summary>Hint 2: which rows are normalised</summary>
#
# Attention and the network read normalised rows. Their results are added to rows that were not normalised. Queries,
# keys and values are the same rows.
# </details>
# <details data-part="where attention"><summary>Hint 3: a test</summary>
#
# If all parameters are 0, attention and the network add only zeros. Then the output must be the input x.
# </details>

# %%
block = TransformerBlock(d_model=8, num_heads=2, d_ff=32)
with torch.no_grad():
    for parameter in block.parameters():
        parameter.zero_()
x = torch.randn(1, 5, 8)
print("with all parameters 0, the output is the input:", torch.equal(block(x), x))

# %% [markdown]
# ## 4. The goal: predict the next token
#
# A model reads numbers. So a text is cut into **tokens**, and each token gets a number, its token id. Our tokens
# are whole words and the full stop. Large models also use pieces of words.
#
# At *every* position the model gives one score to each token that could come next. These scores are called
# **logits**: a softmax turns them into probabilities. Nobody has to label anything, because the right answer is the
# next token of the text. Here is an example by hand, with *the* = 4, *cat* = 1, *sat* = 3, *on* = 2:
#
# | position | 0 | 1 | 2 | 3 | 4 |
# | --- | --- | --- | --- | --- | --- |
# | reads | the (4) | cat (1) | sat (3) | on (2) | the (4) |
# | should predict | ? | ? | ? | ? | not known |
#
# The **loss** says how bad the predictions are, and training makes it smaller. Our loss is the **cross-entropy**: −ln
# of the probability that the model gave to the right token. It is 0 if this probability is 1, and it grows as the
# probability falls. With the natural logarithm its unit is called a **nat**.

# %% [markdown] prompt="guess_shift"
# ### Predict: the targets, and the loss of a model that knows nothing
# ★☆☆ · 5 minutes
#
# `targets` are the four token ids for the question marks. `untrained_loss` is a loss in nats: our text has 986
# different tokens, and a model that knows nothing gives all of them the same probability.

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
# Under each word write the word to its right.
# </details>
# <details data-part="the loss of a model"><summary>Hint 2: no knowledge</summary>
#
# Each token gets a probability of 1/986. In Python, `math.log` is the natural logarithm.
# </details>

# %% [markdown] prompt="next_token_loss"
# ### `next_token_loss`
# ★★☆ · 12 minutes
#
# Return the mean cross-entropy of all predictions, with the natural logarithm. The logits at position t predict the
# token at position t + 1, so the last position has no target. Targets equal to `pad_token` do not count, because
# padding is not text. If no target counts, the loss is 0.

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
# <details data-part="each position"><summary>Hint 1: write the target under each input</summary>
#
# The target of position 0 is the token at position 1. How many pairs of input and target do n tokens give?
# </details>
# <details data-part="each position"><summary>Hint 2: two slices</summary>
#
# Take the logits without the last position, `logits[:, :-1]`, and the tokens without the first one, `tokens[:, 1:]`.
# </details>
# <details data-part="one number; the mean over; targets that are pads">
# <summary>Hint 3: shapes for `cross_entropy`</summary>
#
# `functional.cross_entropy` takes logits `(pairs, vocabulary)` and targets `(pairs,)`. So flatten the batch and the
# positions into one axis. It takes logits, not probabilities. Its argument `ignore_index` names targets that do not
# count.
# </details>
# <details data-part="with nothing; targets that are pads"><summary>Hint 4: nothing to count</summary>
#
# The mean of no numbers is 0/0. Divide the sum of the losses by the number of targets that count, or by 1 if there are
# none.
# </details>

# %%
no_knowledge = next_token_loss(torch.zeros(1, 5, 986), torch.tensor([[4, 1, 3, 2, 4]]))
print(f"loss {no_knowledge:.2f}, exp(loss) = {no_knowledge.exp():.0f}")

# %% [markdown]
# **Perplexity.** A loss in nats is hard to imagine, so papers often report exp(loss), the **perplexity**. A model with
# a perplexity of 986 is as unsure as if it had to choose among 986 equally likely tokens.
#
# ## 5. Writing: temperature and greedy decoding
#
# To write, a model reads the text, chooses the next token, appends it, and reads again. There are two common ways to
# choose. **Sampling** draws each token at random, by its probability. **Greedy decoding** always takes the likeliest
# token.
#
# For sampling one sets the *temperature* T: the logits are divided by T before the softmax. If T is below 1, the
# differences between the logits grow, so likely tokens become even likelier. If T is above 1, the probabilities become
# more alike.

# %% [markdown] prompt="next_token_probabilities"
# ### `next_token_probabilities`
# ★★☆ · 8 minutes
#
# Return the softmax of logits / temperature. Nothing can be divided by 0, so a temperature of 0 gives the probability 1
# to the largest logit: this is greedy decoding. If the temperature is negative, raise a `ValueError`, because it would
# make the worst token the likeliest.

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

# %%
for T in (0, 0.5, 1, 2):
    print(f"logits 2 and 0, temperature {T:3}:", next_token_probabilities(torch.tensor([2.0, 0.0]), T).numpy().round(2))

# %% [markdown] prompt="generate"
# ### `generate`
# ★★☆ · 10 minutes
#
# Write `n_new` tokens by greedy decoding. Each new token is the one with the largest logit at the *last* position. It
# is read again before the next one is chosen. A model can read only so many tokens at once. This number, `context`, is
# called its **context length**. So give the model the last `context` tokens, as an int64 tensor `(1, m)`. Return a new
# list of plain ints: first the given tokens (the **prompt**), then the new ones.

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
# <details data-part="the prompt first; its own words; leaves the prompt"><summary>Hint 1: a loop</summary>
#
# Copy the prompt. Then, `n_new` times, call the model, look at the last position, and append one token.
# </details>
# <details data-part="a list of plain; one new word"><summary>Hint 2: shapes</summary>
#
# `torch.tensor([text])`, where `text` is the list of the m last tokens, has the shape (1, m). The model's answer has
# the shape (1, m, vocabulary).
# </details>
# <details data-part="no more than"><summary>Hint 3: the last tokens</summary>
#
# `text[-context:]` is the last `context` tokens of a list `text`, or all of them if there are fewer.
# </details>

# %%
after = nn.Embedding.from_pretrained(torch.eye(4)[[1, 2, 3, 0]])  # a model: after 0 comes 1, after 1 comes 2, …
print(generate(after, [2], 6, context=3))

# %% [markdown]
# **The same loop with sampling.** Two lines change: the next token is drawn from your `next_token_probabilities`, and
# `yield` gives out each token as soon as it is chosen, so that you can watch the model write. The `seed` fixes the
# random draws, so the same seed gives the same text.

# %%
@torch.no_grad()
def sample(
    model: nn.Module, tokens: list[int], n_new: int, context: int, temperature: float = 0.7, seed: int = 0
) -> Iterator[int]:
    """Continue a text by sampling, and give each new token as soon as it is chosen."""
    text, draws = list(tokens), torch.Generator().manual_seed(seed)
    for _ in range(n_new):
        window = torch.tensor(text).unsqueeze(0)[:, -context:]
        chances = next_token_probabilities(model(window)[0, -1], temperature)
        text.append(int(torch.multinomial(chances, 1, generator=draws)))
        yield text[-1]


for T in (0.1, 10):
    print(f"temperature {T:3}:", [2, *sample(after, [2], 6, context=3, temperature=T)])

# %% [markdown]
# ## 6. The model: a decoder-only Transformer
#
# The **Transformer** of 2017 was made for translation. Its **encoder** reads the source without a causal mask. Its
# **decoder** writes the translation under a causal mask. A model that only continues texts needs no encoder. So GPT and
# most language models after it are called **decoder-only**. Yours is one of them.

# %% [markdown] prompt="TinyWriter"
# ### `TinyWriter`
# ★★☆ · 12 minutes
#
# The model has four parts:
#
# - `embed`, an `nn.Embedding(vocabulary, d_model)`: one row for each token id, its embedding,
# - `blocks`, an `nn.ModuleList` of `n_blocks` of your blocks, each with parameters of its own,
# - `norm`, an `nn.LayerNorm(d_model)`, because with pre-norm the residual stream itself is never normalised,
# - `unembed`, an `nn.Linear(d_model, vocabulary)`, which turns each row into logits.
#
# `forward` adds your positional encoding to the embeddings. It passes the sum through the blocks under a causal mask,
# then through `norm` and `unembed`. If there are more tokens than `context`, raise a `ValueError`.

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
# <details data-part="its parameters; the right scores with"><summary>Hint 1: blocks that differ</summary>
#
# Make a new block in each turn of a loop or a comprehension. `[block] * 2` is one block twice.
# </details>
# <details data-part="the right scores for one; the right scores for a text">
# <summary>Hint 2: before the blocks</summary>
#
# `positional_encoding` gives (n, d_model), which is added to each text of the batch. `.float()` makes its numbers
# float32, like the embeddings. The mask is n × n, and True on the diagonal and to the left of it.
# </details>
# <details data-part="as many words; more words"><summary>Hint 3: too long</summary>
#
# `forward` has to know `context`, so keep it in `__init__`.
# </details>

# %% [markdown]
# ## 7. Training
#
# **The text.** `sentences` draws sentences from a small grammar with 368 patterns, the same as in lesson 03. The model
# learns from 20,000 sentences, the *training text*. It is tested on 1,000 sentences that are drawn anew. The grammar is
# small, so a third of them also stand in the training text. The cell prints how the training text begins.

# %%
CONTEXT, WIDTH = 16, 64

lessons, exam = list(sentences(20_000, seed=7)), list(sentences(1_000, seed=8))
words = [".", *sorted({word for sentence in lessons + exam for word in sentence})]
number = {word: i for i, word in enumerate(words)}


def as_tokens(text: list[list[str]]) -> torch.Tensor:
    """Return the token ids of all sentences in a row, with a full stop after each."""
    return torch.tensor([number[word] for sentence in text for word in [*sentence, "."]])


training = as_tokens(lessons)
held_out = as_tokens(exam)[: 250 * CONTEXT].view(250, CONTEXT)
known = {tuple(sentence) for sentence in lessons}
print(f"{len(words)} words; ln {len(words)} = {math.log(len(words)):.2f}")
print(sum(tuple(sentence) in known for sentence in exam), "of the 1,000 are among the 20,000, too")
print(" ".join(words[token] for token in training[:24]), "…")

# %% [markdown]
# **The step.** The gradient of a parameter says how the loss changes when the parameter grows. The **optimizer**
# moves each parameter a little, in the direction that lowers the loss. The **learning rate** says how far.

# %% [markdown] prompt="training_step"
# ### `training_step`
# ★★☆ · 6 minutes
#
# Do one step of training. Clear the old gradients, because `backward()` adds to them. Compute the `next_token_loss` of
# `model(tokens)`. Compute the gradients, and let the optimizer make its step. Return the loss from before the step, as
# a float.

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
# <details data-part="the parameters after; old gradients; whatever"><summary>Hint 1: who does what</summary>
#
# `backward()` *adds* to the `.grad` of each parameter. The optimizer uses `.grad` in its `step()`, and clears it in
# `zero_grad()`.
# </details>
# <details data-part="a float; the loss before"><summary>Hint 2: the number</summary>
#
# The loss is a tensor that keeps everything it was computed from. `.item()` gives its number alone.
# </details>

# %%
Model, step = or_the_courses(TinyWriter), or_the_courses(training_step)


def fresh() -> nn.Module:
    """Return an untrained model, always with the same random parameters."""
    torch.manual_seed(0)
    return Model(len(words), WIDTH, num_heads=4, d_ff=4 * WIDTH, n_blocks=2, context=CONTEXT)


print(f"{sum(p.numel() for p in fresh().parameters()):,} parameters")

# %% [markdown]
# **Your model and GPT-2.** Your model has nearly the design of GPT-2, a well-known language model. The last column is
# the name of each setting in GPT-2's `config.json`.
#
# | | your model | GPT-2, the smallest one (2019) | in the config |
# | --- | --- | --- | --- |
# | blocks | 2 | 12 | `n_layer` |
# | width of the residual stream | 64 | 768 | `n_embd` |
# | heads | 4 | 12 | `n_head` |
# | parameters | 226,778 | 124 million | |
# | context | 16 tokens | 1,024 tokens | `n_positions` |
# | vocabulary | 986 words | 50,257 pieces of words | `vocab_size` |
# | activation function | ReLU | GELU, a smooth ReLU | `activation_function` |
# | positions | sines and cosines, added | learned, added | |
# | training text | 167,000 words of a toy grammar | 40 GB of web pages | |
#
# **First, one batch.** Can the model learn four pieces of text by heart? If it cannot, some line of code is wrong, and
# more text would not help. This test takes seconds, so run it before a long training.

# %%
# What this shows depends on the processor.
batch, model = training[: 4 * CONTEXT].view(4, CONTEXT), fresh()
optimizer = torch.optim.AdamW(model.parameters(), lr=0.005)
for i in range(61):
    loss = step(model, optimizer, batch)
    if i % 20 == 0:
        print(f"one batch, step {i:2}   loss {loss:.2f}")

# %% [markdown]
# **A baseline.** Before neural networks, language models counted words. A **bigram** model (2-gram) counts how often
# each word has followed the word before it. A trigram model looks at two words before, a 4-gram model at three. Their
# losses are our **baseline**, the numbers that your model should beat.

# %%
counts = WordCounts(training.tolist(), len(words))
baselines = {f"{n}-gram": counts.loss(as_tokens(exam).tolist(), n) for n in (2, 3, 4)}
print({name: round(loss, 2) for name, loss in baselines.items()})

# %% [markdown]
# **What the training needs.** `exam_loss` is the loss on the test sentences. `greedy` and `sampled` continue a text of
# words. `train` calls your `training_step` on one batch after another. Each batch has 64 pieces of the training text,
# of 16 tokens each. The learning rate first rises, because large steps would upset an untrained model. It falls towards
# the end, so that the parameters come to rest.

# %%
@torch.no_grad()
def exam_loss(model: nn.Module) -> float:
    """Return the loss on the test sentences."""
    return next_token_loss(model(held_out), held_out).item()


@torch.no_grad()
def greedy(model: nn.Module, start: str, n_new: int = 9) -> str:
    """Continue a text by greedy decoding."""
    return " ".join(words[token] for token in generate(model, [number[w] for w in start.split()], n_new, CONTEXT))


def sampled(model: nn.Module, start: str, n_new: int = 9, temperature: float = 0.7, seed: int = 0) -> str:
    """Continue a text by sampling."""
    new = sample(model, [number[w] for w in start.split()], n_new, CONTEXT, temperature, seed)
    return " ".join([start, *(words[token] for token in new)])

# %%
PLACES = torch.arange(CONTEXT)


def train(model: nn.Module, steps: int, curve: LossCurve | None = None) -> nn.Module:
    """Train a model with a learning rate that first rises and then falls."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.01, total_steps=steps)
    draws = torch.Generator().manual_seed(2)
    for i in range(steps):
        begins = torch.randint(len(training) - CONTEXT, (64, 1), generator=draws)
        loss = step(model, optimizer, training[begins + PLACES])
        schedule.step()
        if curve:
            curve.look(i + 1, model, loss)
    return model

# %% [markdown]
# **The training.** The next cell takes about half a minute, and on a slow or busy computer a minute or two. The curve
# shows the loss on the training text and on the test sentences. Every 100 steps the model continues the word *the*, at
# temperature 0.7.

# %%
# What this shows depends on the processor.
began = time.process_time()
curve = LossCurve(600, baselines, 7.2, test=exam_loss, write=lambda model: sampled(model, "the"))
curve.look(0, fresh())
writer = train(fresh(), 600, curve)
curve.finish()
print(f"perplexity {math.exp(exam_loss(writer)):.0f}, after {time.process_time() - began:.0f} seconds of computing")

# %% [markdown]
# The loss starts a little above ln 986, because the random logits of an untrained model are not all equal. It ends at
# about 1.9, below all three baselines. The perplexity is then about 7: the model is as unsure as if it chose among
# seven words. An n-gram model has only counted sequences that stand in the training text. Attention can use all of
# the last sixteen words, even if they never stood together in the training text.
#
# The training loss is hardly lower than the test loss. So the model does about as well on sentences
# that are drawn anew, of which two thirds were not in its training text.
#
# Now let your model write, from four beginnings. The last one is the sentence with which the course began.

# %%
# What this shows depends on the processor.
for start in ("the king", "my", "when it is", "ming bought apples then he"):
    print(f"greedy           {greedy(writer, start)}\ntemperature 0.7  {sampled(writer, start, seed=2)}\n")

# %% [markdown]
# Greedy decoding gives each beginning only one continuation. In our run, three of the four even go on with the same
# sentence. With sampling, another seed gives another text.
#
# ### Ablation: take a part away
#
# In an **ablation** one removes a part of a model and measures how much worse the model becomes. Choose `"residual"`,
# `"norm"`, `"feed-forward"`, `"heads"` (one head instead of four), `"√d_k"` (no division of the scores) or
# `"positions"`. First write down what you expect. The cell trains two models on the same 100 batches, which takes some
# seconds. The last line is the loss of a model that knows only how frequent each word is.

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
# Without residual connections the model learns hardly more than the frequencies of the words. Without the norms it even
# learned faster. Without positions it lost nothing in 100 steps: under a causal mask each word sees a different number
# of words, and this already tells its position. So be careful. An ablation of a small model after a short training says
# little about large models.
# </details>
#
# ## 8. How well does it write? Temperature again
#
# The picture shows the most likely words after *the cat sat on the*. Move the slider for the temperature.

# %%
# What this shows depends on the processor.
start = [number[word] for word in ["the", "cat", "sat", "on", "the"]]
with torch.no_grad():
    logits = writer(torch.tensor([start]))[0, -1]
writing_pictures.temperatures(next_token_probabilities, logits, words, "the cat sat on the")

# %% [markdown]
# Our sentences come from a grammar, so a program can judge what the model writes: `grammatical` says whether the
# grammar could have made a sentence. (It is not strict everywhere. It lets pass *it has will be awful all day*.) We let
# each model write three hundred sentences. The cell prints how many of them are grammatical, and how many are
# grammatical and also new, which means that they are not in the training text. The line ends with the longest new
# sentence.

# %%
# What this shows depends on the processor.
@torch.no_grad()
def write(model: nn.Module, temperature: float, n: int = 300, seed: int = 3) -> list[list[str]]:
    """Return n sentences, each written after a full stop by sampling."""
    draws = torch.Generator().manual_seed(seed)
    tokens = torch.zeros(n, 1, dtype=torch.long)
    for _ in range(CONTEXT):
        logits = model(tokens[:, -CONTEXT:])[:, -1]
        chances = torch.stack([next_token_probabilities(row, temperature) for row in logits]).float()
        tokens = torch.cat([tokens, torch.multinomial(chances, 1, generator=draws)], dim=1)
    return [[words[token] for token in takewhile(bool, row[1:])] for row in tokens.tolist()]

# %%
# What this shows depends on the processor.
def judge(name: str, texts: list[list[str]]) -> None:
    """Print how many of the texts are grammatical, how many of all are new as well, and the longest new one."""
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
# The untrained model writes no grammatical sentence. At temperature 1 the trigram model writes about one in six, and
# your model more than a third. At temperature 0.5 the trigram model gets about one in four, and yours more than eight
# in ten. But at the lower temperature your model also repeats more of the sentences that it has read.
#
# ## 9. Take the mask away
#
# Now we train the same model half as long, and without the causal mask. Every word may look at every other word, also
# at later ones.

# %% [markdown] prompt="guess_no_mask"
# ### Predict: what does the mask do?
# ★☆☆ · 3 minutes
#
# Compare this model with the one above. Will its loss be `"lower"`, `"higher"` or the `"same"`? Will its text be
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
# In training, position 3 has to predict word 4. Where is word 4 at that time? And where is it when the model writes?
# </details>

# %%
# What this shows depends on the processor.
unmasked = train(without(fresh(), "mask"), 300)
for name, model in {"with mask": writer, "without mask": unmasked}.items():
    print(f"{name:13} loss {exam_loss(model):.2f}   {greedy(model, 'the cat sat on the')}")
judge("without mask, temperature 1", write(unmasked, 1.0))
judge("without mask, temperature 0.5", write(unmasked, 0.5))

# %% [markdown]
# <details><summary>What we saw</summary>
#
# The loss is less than a tenth of the other one, and not one sentence is grammatical.
# </details>

# %% [markdown] written="explain_cheating" points=4
# ### Explain: `explain_cheating`
# ★★☆ · 10 minutes
#
# Answer four questions, with one or two sentences for each. (4 points)
#
# 1. How does the model without a mask reach its low loss?
# 2. Why does this not help when the model writes?
# 3. Why did the loss on newly drawn sentences not show the mistake?
# 4. What does the mask change?
#
# ### BEGIN SOLUTION
# **Model answer.** The target of position t, the word at t + 1, is in the input. Without a mask position t may look at
# it, so the model learns to copy the word to its right. When the model writes, there is no word to the right. So there
# is nothing to copy, and the model has not learned what follows from the words before. Newly drawn sentences are also
# given to the model as a whole. So copying works there as well, and the loss measures another task than writing. Under
# the causal mask each position knows in training exactly what it will know when the model writes.
#
# **Rubric**
# - 1 point: it copies the target, which stands in the input one place to the right
# - 1 point: while it writes there is nothing to the right to copy
# - 1 point: newly drawn text leaks in the same way, so a low test loss proves nothing
# - 1 point: with the mask a position knows in training just what it knows when writing
# ### END SOLUTION

# %% [markdown]
# ## 10. Look inside: induction heads
#
# What do trained heads do? A task with random letters shows it well. The model reads random letters, and then the same
# letters in the same order again. In this second round nearly every letter can be predicted by a rule: *find the same
# letter in the first round, and predict the letter that came after it.*
#
# One attention layer cannot follow this rule. The key of an earlier letter says which letter it is, but not which
# letter stood before it. Counting back a fixed number of positions does not work either, because the rounds differ in
# length. Two layers can do it. The first layer writes into each position which letter stood before it. The second layer
# looks for the position whose previous letter is the current letter.
#
# The next cell trains two models, which takes some seconds. One has a single layer, the other has two. Both have only
# attention layers and learned positions, and no feed-forward networks.

# %%
# What this shows depends on the processor.
readers = {n: induction.learn_to_repeat(MultiHeadAttention, next_token_loss, layers=n) for n in (1, 2)}
writing_pictures.second_rounds({n: losses for n, (_, losses) in readers.items()}, 26, induction.without_order())

# %% [markdown]
# The dashed lines are the losses of three simple rules. *Chance* gives all letters the same probability. *Letters in
# play* knows which letters the first round had. *Letters left* also removes those that were already repeated. With one
# layer the model ends near *letters in play*. With two layers it is better than all three. Which heads do the work?

# %%
# What this shows depends on the processor.
example = torch.randperm(26, generator=torch.Generator().manual_seed(5))[:8].repeat(1, 2)
reader = readers[2][0]
with torch.no_grad():
    reader(example)
first, second = (layer.attention_weights[0] for layer in reader.layers)
to_previous = first.diagonal(-1, 1, 2).mean(1)  # each head's weight on the previous letter
to_answer = second[:, range(8, 16), range(1, 9)].mean(1)  # each head's weight on the letter that came after
induction.show_heads(example[0], to_previous, to_answer, first, second)

# %% [markdown]
# The head on the left looks at the previous letter. It is the previous-token head of lesson 03. The head on the right
# uses its result: it looks at the letter that followed last time, and is called an **induction head**. Nobody
# programmed these two heads. The same pairs were found in large language models. There they may be the reason why a
# model can learn from examples in its prompt.
#
# ## 11. The same parts, trained on six novels
#
# So far your model has read the sentences of a toy grammar. Can the same parts learn English? We trained a larger
# `TinyWriter` on the six novels of Jane Austen. This takes too long for a lesson, so the course brings the trained
# parameters along. You load them into a model of your own class, in three lines.
#
# Its tokens are pieces of words, found by **byte pair encoding (BPE)**. This method starts from single characters. It
# joins the most frequent pair of neighbours into a new token, again and again, here until there are 1,024 tokens. So
# the tokens can write every English word, also a word that is not in the novels. GPT-2 does the same with 50,257
# tokens.

# %%
novel, parameters = austen.for_tiny_writer()


def novelist() -> nn.Module:
    """Return a model of your class with the trained parameters."""
    model = Model(len(novel.words), 128, num_heads=4, d_ff=512, n_blocks=3, context=128)
    model.load_state_dict(parameters, strict=False)  # not strict, because your class may keep more, such as a mask
    return model


print(f"{sum(p.numel() for p in novelist().parameters()):,} parameters")
print(" | ".join(novel.words[token] for token in novel.encode("Mr. Darcy admired the transformer.")))

# %%
def continued(model: nn.Module, start: str, n_new: int, temperature: float = 0.7, seed: int = 0) -> Iterator[str]:
    """Continue a text of this kind by your sampling."""
    for token in sample(model, novel.encode(start), n_new, 128, temperature, seed):
        yield novel.words[token]

# %% [markdown]
# Now the model writes. Do not expect too much of it. It imitates the tone of the novels: their words and names, their
# punctuation, and the grammar of a few words in a row. But its text makes no sense, and now and then it invents a word.
# It has less than a million parameters, it reads at most 128 tokens, and it knows nothing but these novels.
#
# Change the start, the temperature or the seed. (The line break is a token, too. It stands before each paragraph.)

# %%
# What this shows depends on the processor.
START = '"My dear'
austen.watch_page([START, *continued(novelist(), "\n" + START, 160, temperature=0.7, seed=1)])

# %% [markdown]
# Every part of this model is your own code. So a mistake in a part shows at once in the text. The next cell takes away
# a whole part, as in section 7. But this model was trained with the part, and now it has to write without it.

# %%
# What this shows depends on the processor.
PART = "positions"

unseen = torch.tensor(novel.encode(austen.held_out())[: 32 * 128]).view(32, 128)
for name, model in {"as built": novelist(), f"without {PART}": without(novelist(), PART)}.items():
    with torch.no_grad():
        print(f"{name}: loss {next_token_loss(model(unseen), unseen):.1f} on paragraphs that it has not read")
    austen.watch_page(["It was a", *continued(model, "\nIt was a", 40), "\n"])

# %% [markdown]
# Now the card. It shows three sentences of Jane Austen that the model has not read, and three that it has written.
# **Send the picture to a friend: which three are by Jane Austen?** (Right-click it to copy it. The answer stands upside
# down at the bottom. Another `SEED` makes another card.)

# %%
# What this shows depends on the processor.
SEED = 1

page = "".join(continued(novelist(), "\n", 900, temperature=0.6, seed=SEED))
by_model, by_austen = austen.for_a_card(page, SEED), austen.for_a_card(austen.held_out(), SEED)
writing_pictures.card(by_model, by_austen, "Jane Austen", "The Transformer has read the rest of her novels.", SEED)

# %% [markdown]
# <details><summary>How can one tell?</summary>
#
# Read for the sense. The model has learned which words go together, but not what happens in a story. Lower the
# temperature in the cell: is the card harder to guess? And what is the price?
# </details>
#
# ## Go further

# %% [markdown] prompt="PostNormBlock"
# ### Puzzle: `PostNormBlock` (post-norm)
# ★★☆ · 10 minutes
#
# In the Transformer of 2017 the norm stood *after* each addition, which is called **post-norm**. Attention reads x
# itself, and the sum is normalised. The feed-forward network reads this sum, and its own sum is normalised, too. The
# five parts are those of your block. Then train a model of such blocks: is it worse? (Take a `fresh()` model, and
# replace its `blocks` by a new `nn.ModuleList` before you call `train`.)

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
# <details><summary>Is it worse?</summary>
#
# Not here: after 100 steps both are at about 3.3. But deep models with post-norm are harder to train. The residual
# stream passes through every norm, so the gradients do not reach the first blocks unchanged.
# </details>

# %% [markdown] prompt="tied_scores"
# ### Puzzle: `tied_scores` (weight tying)
# ★☆☆ · 5 minutes
#
# Your model has one matrix for the embeddings, and another one of the same size for the logits. GPT-2 uses one matrix
# for both, which is called **weight tying**. The logit of a token is the dot product of a position's row with the
# embedding of the token. How many of your parameters would this save?

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
# Multiply (batch, n, d_model) by (d_model, vocabulary). You save the second matrix, which has 986 · 64 numbers.
# </details>

# %% [markdown]
# ## What you can now do
#
# - tell attention the order of the words, with a positional encoding;
# - build a pre-norm Transformer block and a decoder-only Transformer;
# - train a language model with cross-entropy, and compare it with a baseline;
# - let it write, by greedy decoding or by sampling with a temperature;
# - take a part away and see what it was for, and find an induction head;
# - load trained parameters into a model of your own class.
#
# **Next:** in [08, attention today](../08_attention_today/attention_today.ipynb), a model like yours reads past word
# 16.
#
# **Read on.** [Attention is all you need](https://arxiv.org/abs/1706.03762) (2017) ·
# [GPT-2](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf) ·
# [On layer normalization in the transformer](https://arxiv.org/abs/2002.04745) ·
# [Weight tying](https://arxiv.org/abs/1608.05859) · [Induction heads](https://arxiv.org/abs/2209.11895) ·
# [nanoGPT](https://github.com/karpathy/nanoGPT).
#
# *Credits.* Transformer, sinusoids and causal mask: Vaswani and others, 2017. Residual connections: He and others,
# 2015. Pre-norm in language models: Radford and others (GPT-2), 2019. Induction heads: Olsson and others, 2022.
