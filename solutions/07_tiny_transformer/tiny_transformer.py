# %% [markdown]
# # Your attention writes
#
# Two models, built from the same lines, each asked to write. Before training:
#
# > *sits really goat ruled along folded watched stay july violin …*
#
# After 600 steps, less than a minute:
#
# > *the people of lima in peru speak spanish. the value of every key is a vector of numbers.*
#
# Nobody gave it a rule of grammar. **Which lines of code make the difference?** You will write them: a sense of
# order, a block, a goal, and a way to speak. The attention inside is your own from lesson 06. Then you will take
# lines away again and see what breaks.
#
# You need lesson 06's idea of heads and masks, and a little PyTorch. It takes about 85 minutes, and 25 more for the
# puzzles.

# %% setup="imports"
import math
import random
from itertools import takewhile

import torch
from torch import nn
from torch.nn import functional

from autograder import LossCurve, WordCounts, bring_your_own, check, grammatical, sentences, writing_pictures

torch.set_num_threads(1)  # on small tensors threads wait for each other
check.lesson("07_tiny_transformer")

# %% [markdown]
# ## 1. Bring your own
#
# One line fetches your `MultiHeadAttention` from your saved notebook of lesson 06. Where there is none, or it is not
# right yet, the course's stands in; either way a mistake there costs nothing here.

# %% setup="bring_your_own"
MultiHeadAttention = bring_your_own("MultiHeadAttention")

# %% [markdown]
# ## 2. Order
#
# *Dog bites man* is no news; *man bites dog* is. Give each word a vector, give both sentences to attention without
# a mask, and look at what comes out for *bites* and for *dog*, wherever it stands.

# %% [markdown] prompt="guess_order"
# ### Predict: who notices?
# ★☆☆ · 2 minutes
#
# Before you run the next cell: do the outputs for these two words change when dog and man change places? `True` or
# `False`.

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
# stands there. Vaswani and others took waves: column 0 swings fast from position to position, later columns more and
# more slowly, like the hands of a clock.

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
# Now attention can tell who bites.
#
# ## 3. A block
#
# Attention **mixes** words; it hardly works on what it has mixed. A transformer block adds three things:
#
# - a **feed-forward** network, two linear maps with a bend between, which works on each word alone;
# - **residual** connections: each step does not replace its input but adds to it, so that what a word was is not lost,
#   and gradients have a straight way back;
# - **normalisation** before each step, so that a stream that grows does not push the softmax into its corners.

# %% [markdown] prompt="TransformerBlock"
# ### `TransformerBlock`
# ★★☆ · 10 minutes
#
# Two steps, each added to what was there before:
#
# ```
# h = norm_1(x)      y = x + attention(h, h, h, mask)
#                    output = y + feed_2(relu(feed_1(norm_2(y))))
# ```
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
# What is added to is never normed; what is read always is. Queries, keys and values are the same h.
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
# Logits `(pairs, vocabulary)` and targets `(pairs,)`: flatten batch and positions into one axis, both alike. It takes
# logits, not probabilities, and `ignore_index` names targets that do not count.
# </details>
# <details data-part="with nothing; targets that are pads"><summary>Hint 4: nothing to count</summary>
#
# The mean of nothing is 0/0. Divide the sum by the number of targets that count, and by 1 where there are none.
# </details>

# %% [markdown]
# ## 5. Speak
#
# To write, the model reads what is there, takes a word, puts it behind, and reads again. First the timid way: always
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
# %% [markdown]
# ## 6. Watch it learn
#
# **The text.** `sentences` is the small grammar that made the sentences behind lesson 03's word vectors: 368 patterns.
# 20,000 sentences to learn from, and 1,000 others to be tested on, with a full stop between them. A word is a token.

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
print(f"{len(words)} words; ln {len(words)} = {math.log(len(words)):.2f}")
print(" ".join(words[token] for token in training[:24]), "…")

# %% [markdown]
# **The model.** Embeddings, your positions, two of your blocks under a causal mask, a last normalisation, and a score
# for each word.


# %%
class Writer(nn.Module):
    """Word numbers (batch, n) in, a score for every possible next word (batch, n, vocabulary) out."""

    def __init__(self, masked: bool = True) -> None:
        super().__init__()
        self.masked = masked
        self.embedding = nn.Embedding(len(words), WIDTH)
        self.blocks = nn.ModuleList(TransformerBlock(WIDTH, 4, 4 * WIDTH) for _ in range(2))
        self.norm = nn.LayerNorm(WIDTH)
        self.scores = nn.Linear(WIDTH, len(words))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        n = tokens.shape[1]
        x = self.embedding(tokens) + positional_encoding(n, WIDTH).float()
        mask = torch.ones(n, n, dtype=torch.bool).tril() if self.masked else None
        for block in self.blocks:
            x = block(x, mask)
        return self.scores(self.norm(x))


def fresh(masked: bool = True) -> Writer:
    """An untrained model, always with the same random numbers in it."""
    torch.manual_seed(0)
    return Writer(masked)


def continued(model: nn.Module, start: str, n_new: int = 9) -> str:
    """How the model goes on, by your `generate`."""
    with torch.no_grad():
        written = generate(model, [number[word] for word in start.split()], n_new, CONTEXT)
    return " ".join(words[token] for token in written)


print(f"{sum(p.numel() for p in fresh().parameters()):,} parameters")

# %% [markdown]
# **Who to beat.** Before neural networks one *counted*: which word has followed this one (a bigram), these two (a
# trigram), these three? `WordCounts` does that, falling back on shorter contexts where a long one is rare.

# %%
counts = WordCounts(training.tolist(), len(words))
baselines = {f"{n}-gram": counts.loss(as_tokens(exam).tolist(), n) for n in (2, 3, 4)}
print({name: round(loss, 2) for name, loss in baselines.items()})

# %%
# What this shows depends on the processor.
SEEN = torch.arange(CONTEXT)


def exam_loss(model: nn.Module) -> float:
    with torch.no_grad():
        return next_token_loss(model(held_out), held_out).item()


def train(model: nn.Module, steps: int, curve: LossCurve | None = None) -> nn.Module:
    """Steps of 64 pieces of text each, with a learning rate that rises and falls again."""
    draws = torch.Generator().manual_seed(2)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.01, total_steps=steps)
    for step in range(steps + 1):
        if curve and step % 50 == 0:
            curve.add(step, exam_loss(model), continued(model, "the") if step % 100 == 0 else "")
        if step < steps:
            pieces = training[torch.randint(len(training) - CONTEXT, (64, 1), generator=draws) + SEEN]
            optimizer.zero_grad()
            next_token_loss(model(pieces), pieces).backward()
            optimizer.step()
            schedule.step()
    return model


curve = LossCurve(600, baselines, highest=7.2)
writer = train(fresh(), 600, curve)
curve.finish()

# %% [markdown]
# It starts where ignorance must, at about ln 986, and ends below all counting, at about 1.9. Attention can use sixteen
# words without having met these sixteen before.
#
# ### Take a line away: no residual
#
# What does "adds to it" buy? Two short trainings with the same 100 batches. From one model the additions of both
# blocks are taken out.


# %%
# What this shows depends on the processor.
def cut_residuals(model: Writer) -> Writer:
    """Make each step of each block replace its input, by taking away again what the block adds."""
    entered = {}
    for block in model.blocks:
        for norm, part in ((block.norm_1, block.attention), (block.norm_2, block.feed_2)):
            norm.register_forward_pre_hook(lambda _, given, part=part: entered.update({part: given[0]}))
            part.register_forward_hook(lambda part, _, output: output - entered[part])
    return model


for name, model in {"as built": fresh(), "no residual": cut_residuals(fresh())}.items():
    print(f"{name:12} loss {exam_loss(train(model, 100)):.1f} after 100 steps")
print(f"{'frequencies':12} loss {counts.loss(as_tokens(exam).tolist(), 1):.1f}")

# %% [markdown]
# About 3.3 against 5.1. Without the additions it has learned hardly more than how frequent each word is, which the
# last line counts.
#
# ## 7. Writing, colder and hotter
#
# Always the likeliest word is a dull way to write. Drawing words by their probabilities is livelier, and a
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
# Who judges what it writes? The grammar that made the sentences can also say whether a sentence is one of its own:
# `grammatical`. Three hundred sentences each, begun after a full stop:


# %%
# What this shows depends on the processor.
@torch.no_grad()
def write(model: nn.Module, temperature: float, n: int = 300) -> list[list[str]]:
    """n first sentences after a full stop, each word drawn by its probability."""
    draws = torch.Generator().manual_seed(3)
    tokens = torch.zeros(n, 1, dtype=torch.long)
    for _ in range(CONTEXT):
        logits = model(tokens[:, -CONTEXT:])[:, -1]
        chances = torch.stack([next_token_probabilities(row, temperature) for row in logits])
        tokens = torch.cat([tokens, torch.multinomial(chances, 1, generator=draws)], dim=1)
    return [[words[token] for token in takewhile(bool, row[1:])] for row in tokens.tolist()]


def count_up(n: int = 300) -> list[list[str]]:
    """n sentences of the trigram."""
    rng, text = random.Random(3), [0]
    while text.count(0) <= n:
        text.append(counts.next(text, 3, rng))
    return [sentence.split() for sentence in " ".join(words[token] for token in text[1:-1]).split(" . ")]


def judge(name: str, texts: list[list[str]]) -> None:
    share = sum(map(grammatical, texts)) / len(texts)
    first = " ".join(next(filter(None, texts), [])) or "(a full stop at once, each time)"
    print(f"{name:28} {share:4.0%} grammatical   {first}")


judge("untrained", write(fresh(), 1.0))
judge("trigram", count_up())
judge("trained, temperature 1", write(writer, 1.0))
judge("trained, temperature 0.5", write(writer, 0.5))

# %% [markdown]
# Untrained nothing, by counting about one in seven, trained about four in ten, and colder more than eight in ten. What
# is left over goes wrong in telling ways: a beginning of one pattern glued to the end of another.
#
# ## 8. Take another line away: the mask
#
# The same model, the same training, half as long, and every word may look at every other.

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
unmasked = train(fresh(masked=False), 300)
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
# Compare both losses, and what both write. In a few sentences: how does the model without a mask reach its loss; what
# is that worth when it writes; why did the loss on unseen sentences not tell us; and what does the mask change?
#
# ### BEGIN SOLUTION
# **Model answer.** The target of position t is the word at t + 1, and that word is in the input. Without a mask
# position t may look at t + 1, so the model learns to copy its right neighbour instead of predicting anything. When
# it writes, nothing stands to the right of the last position yet: there is nothing to copy, and of how words follow
# from those before them it has learned nothing. The unseen sentences are handed in whole too, so the same copying
# works there: the loss measures another task than the one we want. The causal mask takes away all later positions,
# so that in training each position knows exactly what it will know while writing, and one pass trains all positions
# at once.
#
# **Rubric**
# - 1 point: it copies the target, which stands in the input one place to the right
# - 1 point: while it writes there is nothing to the right to copy
# - 1 point: unseen text leaks in the same way, so a low test loss proves nothing
# - 1 point: with the mask a position knows in training just what it knows when writing
# ### END SOLUTION

# %% [markdown]
# ## 9. Look inside
#
# A task on which one can see what attention has found: random letters, and then the same letters again. In the second
# round everything can be known, by a simple trick: *find the last place where this letter stood, and say what came
# after it.* One layer cannot do that: a letter's key does not tell who stood before it. Two layers can: the first
# writes "before me stood …" into each place, the second looks for it. Attention only, no feed-forward, learned
# positions; a few seconds.


# %%
# What this shows depends on the processor.
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Reader(nn.Module):
    """Attention layers on top of each other, with residuals and norms."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.embedding, self.positions = nn.Embedding(26, 64), nn.Embedding(32, 64)
        self.norms = nn.ModuleList(nn.LayerNorm(64) for _ in range(layers + 1))
        self.layers = nn.ModuleList(MultiHeadAttention(64, 4) for _ in range(layers))
        self.scores = nn.Linear(64, 26)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        n = tokens.shape[1]
        x = self.embedding(tokens) + self.positions.weight[:n]
        mask = torch.ones(n, n, dtype=torch.bool).tril()
        for norm, layer in zip(self.norms, self.layers, strict=False):
            h = norm(x)
            x = x + layer(h, h, h, mask)
        return self.scores(self.norms[-1](x))


def rounds(n: int, period: int, draws: torch.Generator) -> torch.Tensor:
    """n strings of random letters, each twice in a row."""
    return torch.randint(26, (n, period), generator=draws).repeat(1, 2)


def second_round(model: nn.Module, tokens: torch.Tensor) -> torch.Tensor:
    half = tokens.shape[1] // 2
    return next_token_loss(model(tokens)[:, half:], tokens[:, half:])


def learn_to_repeat(layers: int) -> tuple[nn.Module, list[float]]:
    torch.manual_seed(0)
    model, draws, losses = Reader(layers), torch.Generator().manual_seed(1), []
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(200):
        period = int(torch.randint(6, 16, (1,), generator=draws))
        loss = second_round(model, rounds(64, period, draws))
        losses.append(loss.item())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model, losses


readers = {layers: learn_to_repeat(layers) for layers in (1, 2)}
writing_pictures.second_rounds({layers: losses for layers, (_, losses) in readers.items()}, 26)

# %% [markdown]
# With two layers something clicks into place. Which heads did it?

# %%
# What this shows depends on the processor.
example = torch.randperm(26, generator=torch.Generator().manual_seed(5))[:8].repeat(1, 2)
reader = readers[2][0]
with torch.no_grad():
    reader(example)
first, second = (layer.attention_weights[0] for layer in reader.layers)
to_previous = first.diagonal(-1, 1, 2).mean(1)  # of each head: the weight on the place before
to_answer = second[:, range(8, 16), range(1, 9)].mean(1)  # the weight on what came after the last time

previous, induction = int(to_previous.argmax()), int(to_answer.argmax())
writing_pictures.two_heads(
    [LETTERS[token] for token in example[0]],
    {
        f"layer 1, head {previous}": (first[previous], to_previous.max(), "looks at the place before"),
        f"layer 2, head {induction}": (second[induction], to_answer.max(), "looks behind the last same letter"),
    },
)

# %% [markdown]
# A **previous-token head** feeds an **induction head**. Nobody built them in. The same pairs have been found in large
# models, where they may be what lets a prompt teach by example (Olsson and others, 2022).
#
# **Try it.** Retrain the writer for 300 steps, ten seconds or so: with one head, without positions (a causal mask
# betrays some order), without √d_k. Does each cost what you thought? A small model is no proof of what a large one
# needs.
#
# ## 10. And now
#
# What you have built is GPT-2's design. What it has more of:
#
# | | your writer | GPT-2, the small one (2019) |
# | --- | --- | --- |
# | blocks, width, heads | 2, 64, 4 | 12, 768, 12 |
# | parameters | 226,778 | 124 million |
# | context | 16 words | 1,024 tokens |
# | vocabulary | 986 words | 50,257 pieces of words |
# | positions | sines and cosines, added | learned, added |
# | norm | before each step | before each step |
# | bend | ReLU | GELU |
# | read | 167,000 words of a toy grammar | 40 GB of web pages |
#
# ## Go further
#
# Three ways in which other transformers differ from yours. Each can be put into your `Writer`.

# %% [markdown] prompt="PostNormBlock"
# ### Puzzle: `PostNormBlock`
# ★★☆ · 8 minutes
#
# In 2017 the norm stood **behind** each addition: attention reads x itself, the sum is normed; the network reads that,
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
# (batch, n, d_model) times (d_model, vocabulary).
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
# **Next:** [attention today](../08_attention_today/attention_today.ipynb).
#
# **Read on.** [Attention is all you need](https://arxiv.org/abs/1706.03762) (2017) · [Language models are
# unsupervised multitask
# learners](https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf)
# (GPT-2) · [On layer normalization in the transformer](https://arxiv.org/abs/2002.04745) · [Using the output
# embedding](https://arxiv.org/abs/1608.05859) (weight tying) · [In-context learning and induction
# heads](https://arxiv.org/abs/2209.11895) · [nanoGPT](https://github.com/karpathy/nanoGPT), all of it in 600 lines.
#
# *Credits.* All seeds of this course asked what attention is for; this is one answer. Transformer, sinusoids and
# causal mask: Vaswani and others, *Attention is all you need*, 2017. Residuals: He and others, *Deep residual
# learning*, 2015. Norm before each step: Radford and others (GPT-2), 2019; Xiong and others, 2020. Induction heads:
# Olsson and others, *In-context learning and induction heads*, 2022. The sentences are the course's own, see its
# `data` folder.
