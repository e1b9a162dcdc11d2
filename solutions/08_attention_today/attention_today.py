# %% [markdown]
# # Attention today: your writer reads on
#
# Lesson 07's writer has learned to read sixteen words at a time. Here is a piece of what it writes if nobody stops it
# there:
#
# > *the painter painted the wall green . the wall blue . the wall on …*
#
# The first sentence is good. Then the text falls apart, and it never gets better. **Why? And what do today's models do
# about it?** Today's models read many thousands of words. Four ideas make this possible, and you write each of them
# yourself, in a few lines. For each idea you first see the problem, then why the idea works, and then what it gains and
# what it costs. At the end a writer that has read Jane Austen's novels fills a page with your functions, far longer
# than any text of its training, and you can watch it write.
#
# The lesson takes about 170 minutes, and 20 more for the puzzles. You need lessons 06 and 07. Whatever stands behind
# *Go further*, and whatever is folded, you may leave out.

# %% setup="imports"
import math
from collections.abc import Callable, Iterator
from itertools import chain

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder import check, cold_questions
from attention import (
    austen, bring_your_own, load_austen, load_gpt2, load_trained, reading, reading_pictures, repeats, sentences,
    today_pictures, two_writers,
)

torch.set_num_threads(1)  # on small tensors several threads are slower, because they wait for each other
check.lesson("08_attention_today")

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# ## 1. The problem: word 17
#
# The next cell loads your `TinyWriter` from your notebook of lesson 07. If yours does not pass its checks yet, the
# course's version is used instead.

# %% setup="bring_your_own"
TinyWriter = bring_your_own("TinyWriter")

# %% [markdown]
# You need not train it again. The next cell copies parameters into it that were trained as in lesson 07: for 600 steps,
# on pieces of 16 words. Only one thing is new: its context length is 2,048 words, so it does not refuse long texts.
# This is possible because your positional encoding can be computed for any position.

# %%
old, words = reading.give_parameters(TinyWriter(986, 64, 4, 256, 2, context=2048))
number = {word: i for i, word in enumerate(words)}
exam = [word for sentence in sentences(1_000, seed=8) for word in [*sentence, "."]]  # newly drawn, as in lesson 07
text = torch.tensor([number[word] for word in exam])
pieces = text[: 60 * 128].view(60, 128)

# %% [markdown]
# The writer now reads 60 pieces of 128 words each. We measure its loss separately for each position: how well does it
# predict the next word after one word, after two words, and so on?

# %% [markdown] prompt="guess_behind_16"
# ### Predict: the loss after word 16
# ★☆☆ · 3 minutes
#
# The more words stand before a word, the more there is to predict it from. Compare the loss after word 16 with the loss
# up to word 16. Will it be `"lower"`, `"higher"` or the `"same"`?

# %% solution="guess_behind_16"
### BEGIN SOLUTION
loss_behind_16 = "higher"
### END SOLUTION

# %% test="guess_behind_16"
check("guess_behind_16")

# %% [markdown] hint="guess_behind_16"
# <details><summary>Hint: what the writer has met</summary>
#
# The positional encoding adds a row to the vector of each word. Which of these rows were added in training?
# </details>

# %%
# What this shows depends on the processor.
def losses(logits: torch.Tensor) -> torch.Tensor:
    """Return the loss in nats a word for each number of words read, 1 to 127, as the mean over all pieces."""
    targets = pieces[:, 1:].flatten()
    each = functional.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    return each.view(len(pieces), -1).mean(0)


curves = {"lesson 07": losses(old(pieces))}
today_pictures.losses_by_position(curves, 16)

# %% [markdown]
# The loss jumps up after word 16. The row of position 20 was never added to a word in training. So what the writer
# reads there is unlike everything it has learned from. You see the same in the text that it writes:

# %%
# What this shows depends on the processor.
@torch.no_grad()
def read_anew(model: nn.Module, n: int, context: int) -> list[str]:
    """Return n sampled words, temperature 0.5; for each word the last `context` words are read again."""
    tokens, draws = [0], torch.Generator().manual_seed(1)
    for _ in range(n):
        chances = (model(torch.tensor([tokens[-context:]]))[0, -1] / 0.5).softmax(-1)
        tokens.append(int(torch.multinomial(chances, 1, generator=draws)))
    return [words[token] for token in tokens[1:]]


fallen = read_anew(old, 200, context=200)
print(" ".join(fallen[:48]))

# %% [markdown]
# In lesson 07 you did not notice this, because `generate` gives the model only the last sixteen words. They get the
# positions 0 to 15 again, whatever stood before them. Does this solve the problem? The next cell measures it.

# %%
# What this shows depends on the processor.
def last_sixteen(model: nn.Module) -> torch.Tensor:
    """Return for each position the logits of a model that reads the last sixteen words from position 0 on."""
    return torch.stack([model(pieces[:, max(0, i - 15) : i + 1])[:, -1] for i in range(128)], dim=1)


spans = {"1–15": slice(0, 15), "16–31": slice(15, 31), "32–63": slice(31, 63), "64–127": slice(63, 127)}


def show(name: str, curve: torch.Tensor) -> None:
    print(f"{name:14}", "   ".join(f"{span}: {curve[rows].mean():.2f}" for span, rows in spans.items()))


curves["last 16 anew"] = losses(last_sixteen(old))
for name, curve in curves.items():
    show(name, curve)

# %% [markdown]
# The loss stays low, and so the text stays good. This remedy is simple. But it is expensive. Each new word moves all
# sixteen words one place to the front, so all of them get other rows and must be read anew. Nothing can be kept from
# one word to the next.
#
# So this lesson asks two questions. How can a model read on without reading everything again? And how can it read
# further than it was trained to?
#
# ## 2. Rotary position embedding (RoPE)
#
# **The problem.** Attention should ask how far apart two words stand. The product of the two added rows depends only on
# the distance. That alone would be enough. But the score also contains products of a word and a row, and these change
# with the place. The next cell takes one query and one key and puts them at three places, always three words apart:

# %%
# What this shows depends on the processor.
q, k = torch.randn(2, 1, 64, generator=torch.Generator().manual_seed(0))
PLACES = [(5, 2), (15, 12), (1005, 1002)]
for q_at, k_at in PLACES:
    row_q, row_k = (two_writers.waves(torch.tensor([place])) for place in (q_at, k_at))  # lesson 07's rows
    print(f"query at {q_at:4}, key at {k_at:4}: score with added rows {((q + row_q) @ (k + row_k).T).item():6.2f}")

# %% [markdown]
# These are three different scores. A model has to learn for each pair of positions what they mean, and for positions
# that it never meets it learns nothing.
#
# **The idea.** **Rotary position embedding (RoPE)** adds nothing to the words. It turns each query and each key before
# they are multiplied: every pair of columns is a point in the plane, and it is turned by an angle that grows with the
# position, like the hand of a clock. Two hands three words apart then differ by the same angle wherever they stand, so
# the score depends only on the distance. Jianlin Su and others introduced it in 2021.
#
# **Why it works.** The dot product of two vectors depends only on their lengths and on the angle between them. Turning
# both by the same further angle changes neither. (A score adds up the dot products of all pairs of columns, and this
# holds for each of them.) Move the slider: both words go on, and the angle between them stays.

# %%
today_pictures.two_clocks(two_writers.turned, *torch.tensor([[1.0, 0.0], [1.0, 0.0]]), places=(5, 2))

# %% [markdown]
# One pair of columns is not enough. If a hand turns by 1 radian a word, it is back where it was after about six words.
# So each pair turns at its own pace. The first pair turns by 1 radian a word, and each later pair turns more slowly,
# like the hour hand of a clock. How much more slowly is set by `base`, which model code calls `rope_theta`.

# %% [markdown] prompt="rotate"
# ### `rotate`
# ★★☆ · 16 minutes
#
# Turn each row of X as its position says. The pair of columns (2i, 2i + 1) is turned counter-clockwise by the angle
# position / base^(2i / d): (x, y) becomes (x cos − y sin, x sin + y cos). If d is odd, raise a `ValueError`, because
# then the last column has no partner.

# %% solution="rotate"
def rotate(X: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """Return X (..., n, d) with each row turned as its position says; positions: (n,)."""
    ### BEGIN SOLUTION
    d = X.shape[-1]
    if d % 2:
        raise ValueError(f"{d} columns do not go in pairs")
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    x, y = X[..., 0::2], X[..., 1::2]
    turned = [x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()]
    return torch.stack(turned, dim=-1).flatten(-2)
    ### END SOLUTION

# %% test="rotate"
check(rotate)

# %% [markdown] hint="rotate"
# <details data-part="the shape; several pairs; far; another base"><summary>Hint 1: the angles first</summary>
#
# The table of angles has one row for each position and one column for each pair: (n, d / 2). You made the same table in
# lesson 07. `X[..., 0::2]` holds the x of all pairs, and `X[..., 1::2]` holds the y.
# </details>
# <details data-part="the shape; several pairs"><summary>Hint 2: put the pairs together again</summary>
#
# The new x and the new y take turns in the result. Stack them along a new last axis, and flatten the last two axes.
# </details>

# %%
# What this shows depends on the processor.
for q_at, k_at in PLACES:
    score = rotate(q, torch.tensor([q_at])) @ rotate(k, torch.tensor([k_at])).T
    print(f"query at {q_at:4}, key at {k_at:4}: score of turned vectors {score.item():6.2f}")

# %% [markdown]
# **The gain.** The three scores are the same. Does a model read better with turned queries and keys? The next cell
# loads **today's writer**. It was trained like the one of lesson 07, but nothing is added to its words: your `rotate`
# turns its queries and keys. (Two more parts are as in today's models. It uses RMSNorm, a simpler layer norm (the first
# puzzle), and its heads share their keys and values, as lesson 09 explains. Neither knows anything of positions.)

# %%
# What this shows depends on the processor.
today = load_trained("today", rotate)
curves["today's"] = losses(today(pieces))
for name, curve in curves.items():
    show(name, curve)

# %% [markdown]
# Up to word 16 both writers are equally good. Just after it today's writer is far better, although nobody trained it
# there.
#
# **The price.** Far beyond word 16 it is bad, too. Positions do not matter any more, but now distances do: in training
# no two words stood a hundred words apart, so nobody taught the model what to do with such a distance. Sections 4 and 5
# have two different answers to this.
#
# ## 3. The key–value cache
#
# **The problem.** So far the writer reads the whole text again for each new word. The longer the text, the more one new
# word costs:

# %%
# What this shows depends on the processor.
LENGTHS = [16, 64, 256, 1024]
anew = [reading.milliseconds(today, text[None, :n]) for n in LENGTHS]
print("ms for one more word, with so many words read anew:", {n: round(ms, 1) for n, ms in zip(LENGTHS, anew)})

# %% [markdown]
# But nearly all of this work was already done for the word before it.
#
#
# **The idea.** A **key–value cache (KV cache)** keeps the keys and values of all words that were read. For a new word
# the model computes one query, one key and one value. The query then looks at all kept keys and at its own. It has no
# single inventor: implementations of the Transformer have long had it. In model code it is called `past_key_values`,
# and `use_cache` turns it on.

# %%
reading_pictures.new_row(["the", "cat", "sat", "on", "the", "mat"])

# %% [markdown]
# **Why it works.** Under a causal mask no word sees a later one. So a new word changes nothing in the rows above its
# own: neither the outputs of the earlier words, nor their keys and values in the next block. This was not possible with
# lesson 07's last sixteen words, because there all words moved. With RoPE a key is turned once, by its own position,
# and then stays as it is.
#
# You need a mask first. A single new word may look at everything. But if several words are new, for example those of a
# prompt, none of them may look at a later one.

# %% [markdown] prompt="causal_mask_from"
# ### `causal_mask_from`
# ★☆☆ · 6 minutes
#
# Of n words the last m are new. Return booleans (m, n), where True means "may look". Row i belongs to the word at
# position n − m + i, which may look at itself and at all words before it. If m is larger than n, raise a `ValueError`.

# %% solution="causal_mask_from"
def causal_mask_from(m: int, n: int) -> torch.Tensor:
    """Return (m, n) booleans: what each of the last m of n words may look at."""
    ### BEGIN SOLUTION
    if m > n:
        raise ValueError(f"{m} of {n} words cannot ask")
    return torch.arange(n) <= torch.arange(n - m, n)[:, None]
    ### END SOLUTION

# %% test="causal_mask_from"
check(causal_mask_from)

# %% [markdown] hint="causal_mask_from"
# <details><summary>Hint: the last rows</summary>
#
# Make lesson 06's causal mask for all n words. Which of its rows do you need?
# </details>

# %% [markdown]
# <details><summary>A trap: `is_causal` in PyTorch</summary>
#
# PyTorch's `scaled_dot_product_attention` makes a causal mask by itself if you pass `is_causal=True`. But it counts
# from the other end: the first new word may look at the first key alone, the second new word at the first two. This is
# meant so, and the documentation says it. With a cache it is the wrong mask. So pass your own, as `attn_mask`.
# </details>

# %% [markdown] prompt="attend_new"
# ### `attend_new`
# ★★☆ · 16 minutes
#
# You get the queries, keys and values of the new words, already turned, and in `kept` the keys and values of all words
# before them. (`kept` is None for the first words of a text.) The new words see the kept ones and, under your mask,
# each other. Scores are divided by √d. Return the output, and the pair of all keys and all values for the next call,
# old ones first.

# %% solution="attend_new"
def attend_new(
    Q: torch.Tensor,
    K: torch.Tensor,
    V: torch.Tensor,
    kept: tuple[torch.Tensor, torch.Tensor] | None = None,
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """Return the output (heads, m, d_v) for Q, K (heads, m, d), V (heads, m, d_v), and the longer pair to keep."""
    ### BEGIN SOLUTION
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    scores = scores.masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return scores.softmax(dim=-1) @ V, (K, V)
    ### END SOLUTION

# %% test="attend_new"
check(attend_new)

# %% [markdown] hint="attend_new"
# <details><summary>Hint: put old and new together first</summary>
#
# The new keys go after the kept ones, along the axis of the words (`torch.cat`, `dim=1`). Do the same with the values.
# Then it is ordinary attention with m queries and n keys.
# </details>

# %% [markdown]
# **The gain.** Is the result the same as without a cache? The next cell gives nine words to today's writer: all at
# once, one by one, and in pieces.

# %%
# What this shows depends on the processor.
whole = today(text[None, :9])
for cut in ([9], [1] * 9, [5, 1, 1, 2]):
    kept, rows, start = None, [], 0
    for m in cut:
        places = torch.arange(start, start + m)
        row, kept = today.step(text[None, places], places, kept, attend_new)
        rows.append(row)
        start += m
    print(f"{str(cut):28} the same logits: {torch.allclose(torch.cat(rows, 1), whole, atol=1e-3)}")

# %%
# What this shows depends on the processor.
cached = []
for n in LENGTHS:
    kept = today.step(text[None, :n], torch.arange(n), None, attend_new)[1]
    cached.append(reading.milliseconds(today.step, text[None, n : n + 1], torch.tensor([n]), kept, attend_new))
today_pictures.times(LENGTHS, {"all read anew": anew, "with a cache": cached})
print(f"after {LENGTHS[-1]:,} words {anew[-1] / cached[-1]:.0f} times as fast")

# %% [markdown]
# The logits are the same, and after 1,024 words the next word comes many times as fast.
#
# **The price.** A cache takes memory, and it grows with every word. The next cell counts how much our small writer
# keeps. In large models that read long texts, the cache can take more memory than the parameters.

# %%
kept = today.step(text[None, :2000], torch.arange(2000), None, attend_new)[1]
print(f"kept after 2,000 words: {reading.kibibytes(kept):,.0f} KiB")

# %% [markdown] prompt="real_bug_gemma"
# ### A real bug: the cache of Gemma
# ★☆☆ · 4 minutes
#
# This lesson has two bugs from public projects, with the code cut down to four lines. The first one is from Gemma, a
# model by Google. `attend` is ordinary attention. At each call new words come, and n is the number of all words so far.
# **In which line is the slip?**
#
# **`line_gemma`** · google-deepmind/gemma#392: “key and value stored in the cache get corrupted”
# ```
# 1  Q, K = rotate(Q, new_places), rotate(K, new_places)
# 2  K, V = put_together(kept, K, V)
# 3  K = rotate(K, torch.arange(n))
# 4  output, kept = attend(Q, K, V), (K, V)
# ```

# %% solution="real_bug_gemma"
### BEGIN SOLUTION
line_gemma = 3
### END SOLUTION

# %% test="real_bug_gemma"
check("real_bug_gemma")

# %% [markdown] hint="real_bug_gemma"
# <details><summary>Hint: follow one word</summary>
#
# Follow the key and the value of the second word through three calls. Write down what becomes of them in each line.
# </details>

# %% [markdown]
# This bug raises no error, and the text still looks like text for a while. So always compare the logits with and
# without a cache, as you did above.
#
# ## 4. The sliding window
#
# **The problem.** The cache grows with every word, and today's writer gets worse after word 16, because of distances
# that it never met.
#
# **The idea.** With a **sliding window** each word sees only the last few words, for example the last 4,096. So the
# cache keeps only those and drops the oldest key and value whenever a new one comes, which is called a **rolling
# cache**. Longformer (Beltagy and others, 2020) had such windows, and Mistral 7B (2023) made them widely known. In
# model code the width is called `sliding_window`.
#
# **Why it works.** With RoPE only distances count. So when old keys are dropped, the others stay valid, and no distance
# is larger than the window. With added rows this does not work, because each new word would get a row that the model
# has never met. And a model sees further than one window. In the second block a word looks at words that have
# themselves looked back in the first block. In the picture each word sees four words, itself included, and after two
# blocks the newest word has learned something from seven words.

# %%
reading_pictures.reach(12, width=4)

# %% [markdown] prompt="roll"
# ### `roll`
# ★☆☆ · 4 minutes
#
# `kept` is a pair of keys and values, as `attend_new` returns it. Return the keys and values of the last `width` words,
# or all of them if there are fewer. If `width` is below 1, raise a `ValueError`.

# %% solution="roll"
def roll(kept: tuple[torch.Tensor, torch.Tensor], width: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the pair for the last `width` words; kept: keys (heads, t, d) and values (heads, t, d_v)."""
    ### BEGIN SOLUTION
    if width < 1:
        raise ValueError(f"a window of {width} words")
    keys, values = kept
    return keys[:, -width:], values[:, -width:]
    ### END SOLUTION

# %% test="roll"
check(roll)

# %% [markdown] hint="roll"
# <details><summary>Hint: a slice from the end</summary>
#
# The words are the second axis. A slice that asks for more words than there are gives all of them.
# </details>

# %% [markdown]
# A new word and 15 kept ones make a window of 16, and today's writer was trained on texts of that length. Before you
# measure it, look at another real bug.

# %% [markdown] prompt="real_bug_veloxquant"
# ### A real bug: a position that falls behind
# ★☆☆ · 4 minutes
#
# The code below writes word after word with a rolling cache: `place` is the position of the next word. **In which line
# is the slip?**
#
# **`line_veloxquant`** · rajveer43/VeloxQuant-MLX#389: “this offset is behind the true position”
# ```
# 1  place = kept[0][0].shape[1]
# 2  logits, kept = step(word, place, kept)
# 3  kept = [roll(pair, 15) for pair in kept]
# 4  word = logits[-1].argmax()
# ```

# %% solution="real_bug_veloxquant"
### BEGIN SOLUTION
line_veloxquant = 1
### END SOLUTION

# %% test="real_bug_veloxquant"
check("real_bug_veloxquant")

# %% [markdown] hint="real_bug_veloxquant"
# <details><summary>Hint: a few words</summary>
#
# Write down for the words 14, 15, 16 and 17 what each name holds after each line. At which positions do the kept keys
# stand?
# </details>

# %% [markdown]
# **The gain.** The next cell reads all pieces word by word with a window of 16, once with each of the two ways to count
# positions.

# %%
# What this shows depends on the processor.
def stream(counted: str) -> torch.Tensor:
    """Return the losses if all pieces are read word by word, with a cache of 15 words."""
    kept, rows = None, []
    for read in range(128):
        place = {"words read": read, "words kept": kept[0][0].shape[1] if kept else 0}[counted]
        row, kept = today.step(pieces[:, [read]], torch.tensor([place]), kept, attend_new)
        kept = [roll(pair, 15) for pair in kept]
        rows.append(row)
    return losses(torch.cat(rows, dim=1))


rolled, miscounted = stream("words read"), stream("words kept")
show("words read", rolled)
show("words kept", miscounted)

# %% [markdown]
# A position says how many words were **read**, not how many are kept. If the kept ones are counted, every later word
# gets the position 15. Soon all words in the window stand at the same place, and the writer no longer knows their
# order. With the right positions today's writer reads on as well as it began:

# %%
# What this shows depends on the processor.
today_pictures.losses_by_position(curves | {"with a window": rolled}, 16)
window = [roll(pair, 15) for pair in kept]
print(f"kept after 2,000 words: {reading.kibibytes(kept):,.0f} KiB; with a window {reading.kibibytes(window):.2f} KiB")
word, place = text[None, 2000:2001], torch.tensor([2000])


def next_word(held: list) -> None:
    """Read one more word, and roll the cache."""
    [roll(pair, 15) for pair in today.step(word, place, held, attend_new)[1]]


whole_ms, window_ms = (reading.milliseconds(next_word, held) for held in (kept, window))
print(f"the next word: {whole_ms:.1f} ms; with a window {window_ms:.1f} ms, as after any number of words")

# %% [markdown]
# Be fair to lesson 07: reading its last sixteen words anew reaches nearly the same loss. But now only one word is read
# for each new word, and memory and time stay the same however long the text becomes. (After 2,000 words the window
# saves little time here, because most of the time of so small a model is a fixed cost. It saves more with every further
# word.)
#
# **The price.** A model with a window forgets every word that has left the window. The course's text does not show
# this, because its sentences do not depend on each other. So we take a task where distance matters. The next model
# reads a **round** of signs in a random order, and then the same round again. In the second round each sign can be
# predicted: find the last occurrence of the current sign, and look which sign came after it. (In lesson 07 an induction
# head did this.) The longer the round, the further back this answer lies. The model comes trained, on rounds of 6 to 15
# signs, and it runs on your `rotate`. What share of the signs does it predict rightly, with a window of 12 or of 16?

# %%
# What this shows depends on the processor.
reader = repeats.load_reader(rotate)


def found(rounds: list[int], window: int | None = None, turn: Callable = rotate) -> dict[int, float]:
    """Return the share of signs that are predicted rightly in the second round, by the signs in a round."""
    return {n: repeats.found_again(reader, n, window, turn) for n in rounds}


SHORT = list(range(6, 21))
shares = {f"window of {width}": found(SHORT, width) for width in (12, 16)}
reading_pictures.cliff(shares | {"no window": found(SHORT)})

# %% [markdown]
# As long as a round fits into the window, the reader finds everything. With one sign more it finds nothing. (Two layers
# could reach nearly two windows back. But this reader has learned to find the answer in one step.) So a window forgets
# by age: a word that is older than the window is gone, however important it was. (In many large models a window does
# more harm than this, because of *attention sinks*. *Go further* tells about them.)
#
# ## 5. Longer contexts: RoPE scaling
#
# **The problem.** A window hides distances that the model has never met, and with them everything that is far away. Can
# a model also use what lies further back than anything in its training? The reader of signs was trained on rounds of at
# most 15 signs, so on texts of 30. Here are longer rounds, without a window:

# %%
# What this shows depends on the processor.
ROUNDS = [15, 30, 45, 60]


def show_found(name: str, shares: dict[int, float]) -> None:
    print(f"{name:34} found:", ",  ".join(f"{share:4.0%} of {signs}" for signs, share in shares.items()))


as_trained = found(ROUNDS)
show_found("as trained", as_trained)

# %% [markdown]
# The reader does not fail at once. But at three times its longest round it finds only about a quarter of the signs. You
# can see one reason in the angles. For each pair of columns, the next picture shows in green all angles by which the
# pair turned within 30 signs. The new angles in a text of 120 signs (a round of 60, twice) are red and hatched.

# %%
OWN_PACE = torch.tensor([10000 ** (-2 * i / 16) for i in range(8)])  # radians a word, for the 8 pairs of a head
reading_pictures.turns({"as trained": OWN_PACE}, trained=30, read=120)

# %% [markdown]
# The first two pairs turn quickly. Within 30 signs they made at least one whole turn, so the reader has met them at
# every angle, and a longer text brings nothing new. The other pairs turn slowly and made only a part of a turn. In a
# longer text they come to angles that the reader has never met.
#
# **The idea.** **RoPE scaling** makes the slow pairs even slower, so that a longer text turns them no further than
# training did. The number of radians by which a pair turns from word to word is called its **frequency**; for pair i it
# is base^(−2i / d). Each pair that did not make a whole turn in training gets its frequency divided by a factor, and
# each faster pair keeps it, because the fast pairs tell a word from its neighbours.
#
# This is nearly what *YaRN* does (Bowen Peng and others, 2023), and what Llama 3.1 does (2024): it was first trained on
# 8,192 tokens, and the frequency of each pair that makes less than one turn there is divided by 8. In model code it is
# called `rope_scaling`, with a `factor` and the trained length (`original_max_position_embeddings`).

# %% [markdown] prompt="scaled_frequencies"
# ### `scaled_frequencies`
# ★★☆ · 14 minutes
#
# Return the frequencies of all pairs of columns, a tensor (d / 2,). The frequency of pair i is base^(−2i / d), in
# radians a word. If a pair makes at least one whole turn within `trained` words, it keeps its frequency. Each slower
# pair gets its frequency divided by `factor`. If d is odd, raise a `ValueError`.

# %% solution="scaled_frequencies"
def scaled_frequencies(d: int, trained: int, factor: float, base: float = 10000.0) -> torch.Tensor:
    """Return (d / 2,) frequencies in radians a word, for texts `factor` times as long as the trained ones."""
    ### BEGIN SOLUTION
    if d % 2:
        raise ValueError(f"{d} columns do not go in pairs")
    frequencies = base ** (-torch.arange(0, d, 2) / d)
    turns = trained * frequencies / (2 * math.pi)
    return torch.where(turns >= 1, frequencies, frequencies / factor)
    ### END SOLUTION

# %% test="scaled_frequencies"
check(scaled_frequencies)

# %% [markdown] hint="scaled_frequencies"
# <details data-part="one frequency; with a factor; another base"><summary>Hint 1: without a factor</summary>
#
# Begin with the frequencies of `rotate`: its angle is position · frequency. There are d / 2 pairs, with the exponents
# 0, 2, 4, … up to d − 2, each divided by d.
# </details>
# <details data-part="a pair that; each slower pair"><summary>Hint 2: how many turns?</summary>
#
# Within `trained` words a pair turns by `trained` times its frequency, in radians. How many radians has a whole turn?
# </details>
# <details data-part="a pair that; each slower pair"><summary>Hint 3: choose</summary>
#
# `torch.where(condition, a, b)` takes from a where the condition is True, and from b elsewhere.
# </details>

# %%
slower = scaled_frequencies(16, trained=30, factor=4)
reading_pictures.turns({"as trained": OWN_PACE, "scaled by you": slower}, trained=30, read=120)

# %% [markdown]
# **Why it works.** With your frequencies there is no red left: 120 signs turn no pair to an angle that the reader has
# not met. Now we use them. If `X` has a single pair, `rotate` turns it by just the position, because base^0 is 1. So
# the next function hands your `rotate` one pair after the other, each with the position times its frequency.

# %%
def rotate_with(frequencies: torch.Tensor) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    """Return a function like `rotate` that turns pair i by position · frequencies[i]."""

    def turn(X: torch.Tensor, positions: torch.Tensor) -> torch.Tensor:
        pairs = [rotate(X[..., 2 * i : 2 * i + 2], positions * w) for i, w in enumerate(frequencies)]
        return torch.cat(pairs, dim=-1)

    return turn

# %% [markdown]
# **The gain.** The reader is not trained again. It only gets other frequencies.

# %%
# What this shows depends on the processor.
by_you = rotate_with(slower)
show_found("as trained", as_trained)
show_found("scaled by you", found(ROUNDS, None, by_you))

# %% [markdown]
# In rounds of 45 it now finds more than twice as many signs. But why not all of them? Let us look into the reader. It
# has two layers. In the first layer each sign fetches the sign just before it. In the second layer the current sign
# looks for the place whose *fetched* sign is the same as itself. (This is the induction head of lesson 07.) So the
# first layer must look at distance 1. The next cell prints for each of its four heads the two distances that get the
# most weight, in a round of 45.

# %%
# What this shows depends on the processor.
weights = repeats.weight_by_distance(reader, 45, by_you)
for head, row in enumerate(weights):
    most = row.topk(2)
    print(f"head {head}:", ", ".join(f"distance {at}: {part:.2f}" for part, at in zip(*map(torch.Tensor.tolist, most))))
whole_turns = 19 * OWN_PACE[:2] / (2 * math.pi)
print(f"19 words turn the two fast pairs by {whole_turns[0]:.2f} and {whole_turns[1]:.2f} turns")

# %% [markdown]
# Three heads fetch the sign just before. But they confuse distance 1 with distance 20. (The other head looks at the
# current sign itself, and confuses distance 0 with distance 19.) The reason is in the last line. From distance 1 to
# distance 20 it is 19 words, and 19 words turn both fast pairs nearly back to where they were. So for these pairs the
# two distances look alike. In training this did no harm, because no sign of a first round of 15 has another one 20
# words before it. Your frequencies cannot mend this, because they leave the fast pairs as they are.
#
# A window can: in the *first layer* nothing is needed that is further away than one word. So give a window of 16 to the
# first layer alone, and let the second layer look at everything.

# %%
# What this shows depends on the processor.
show_found("window in layer 1, as trained", found(ROUNDS, (16, None)))
show_found("window in layer 1, scaled by you", found(ROUNDS, (16, None), by_you))

# %% [markdown]
# Your two ideas together find nearly everything in rounds four times as long as in training, and neither of them does
# so alone. Some large models are built like this: Gemma 3 (2025) has five blocks with a window of 1,024 tokens, then
# one block that sees everything, then five with a window again, and so on.
#
# Does scaling also help on a real text? The last writer of this lesson has read the six novels of Jane Austen
# (1775–1817), in pieces of 128 tokens. It is built like today's writer, with three blocks and rows of 128 numbers, and
# its tokens are pieces of words. It comes trained, too, because its training takes a quarter of an hour. The next cell
# prepares pieces of 512 tokens, from single paragraphs that it has not read.

# %%
# What this shows depends on the processor.
novelist = load_austen(rotate)
novels = torch.tensor(novelist.encode(novelist.held_out))[: 60 * 512].view(60, 512)


def novel_losses(turn: Callable, window: int | None = None) -> torch.Tensor:
    """Return the loss in nats a token for each number of tokens read, 1 to 511."""
    novelist.rotate = turn
    logits = novelist(novels, window)[:, :-1].flatten(0, 1)
    each = functional.cross_entropy(logits, novels[:, 1:].flatten(), reduction="none")
    return each.view(len(novels), -1).mean(0)


parameters = sum(p.numel() for p in novelist.parameters())
print(f"{parameters:,} parameters; a piece begins: {novelist.decode(novels[0, :24])!r}")

# %% [markdown]
# Now compare your answers to long texts. The left picture shows the novels, with a window of 128 tokens and with
# frequencies that are scaled by 4. The right one shows the signs.

# %%
# What this shows depends on the processor.
longer = rotate_with(scaled_frequencies(32, trained=128, factor=4))
on_text = {
    "as trained": novel_losses(rotate), "window": novel_losses(rotate, 128), "scaled": novel_losses(longer),
}
SIGNS = [6, 10, 15, 16, 17, 20, 30, 45, 60]
on_signs = {
    "as trained": found(SIGNS), "window": found(SIGNS, 16), "scaled": found(SIGNS, None, by_you),
    "window in layer 1, scaled": found(SIGNS, (16, None), by_you),
}
reading_pictures.near_and_far(on_text, 128, on_signs, 15)
for name, part in on_text.items():
    print(f"{name:10} loss at 64–127: {part[63:127].mean():.2f}, at 256–511: {part[255:].mean():.2f}")

# %% [markdown]
# Far beyond token 128 both answers lower the loss clearly. On the novels the window is even a little better than the
# scaled frequencies: our pieces consist of paragraphs that do not follow each other in the novels, so there is little
# to learn from what is far away. On the signs it is the other way round: the window alone finds nothing at all once a
# round is longer than the window.
#
# **The price.** Scaling reaches as far as its factor says, and not for ever. Up to token 128 the loss becomes a little
# higher, because the slow pairs now turn less than in training. And scaling saves nothing: the cache grows with every
# word, and so does the time for the next one. (Large models are usually trained a little further with their new
# frequencies.)

# %% [markdown] written="explain_windows" points=4
# ### Explain: `explain_windows`
# ★★☆ · 10 minutes
#
# Answer four questions, with one or two sentences for each. (4 points)
#
# 1. What does a window forget? Which of your measurements shows it?
# 2. What do scaled frequencies reach that a window does not? Where does this end? Use your measurement on the signs.
# 3. On the novels the window was at least as good. Why is this no contradiction?
# 4. What does each of the two cost for each new word, and when is each a fair price?
#
# ### BEGIN SOLUTION
# **Model answer.** A window forgets by age. A word that is older than the window is gone: with a window of 16 the
# reader found all signs in rounds of 16, and none in rounds of 17. With scaled frequencies nothing is hidden, so the
# reader still found more than half of the signs in rounds of 45, three times as long as in its training. But the longer
# the round, the less it found, less than half in rounds of 60. (With a window in the first layer only, it found nearly
# all.) In the pieces of the novels the next token depends on its own paragraph, so hiding what is far away costs
# nothing there, and the window shows the model only distances that it has met in training. With a window the memory and
# the time for each new word stay the same, however long the text is. With scaling the cache grows with every word. So a
# window is fair where what matters is near, as in a chat or a story that simply goes on. Scaling is fair where
# something from far back must be found, such as a name or a line of code, and the text is not longer than a few times
# the trained length.
#
# **Rubric**
# - 1 point: a window forgets by age, shown by the signs: all inside the window, none outside
# - 1 point: scaling reaches several times as far, but less and less, with numbers from the signs
# - 1 point: in the novels little depends on what is far away, so forgetting it costs nothing
# - 1 point: constant against growing cost for each word, and a case where each is fair
# ### END SOLUTION

# %% [markdown]
# ## 6. A page by your functions
#
# Now let Austen's writer write. First its limits, so that you are not disappointed. It has learned her tone: the names,
# the quotation marks and the way in which a sentence turns. The grammar holds for a few words at a time. But the text
# makes no sense, because this model is far too small to know who has said what to whom.
#
# It was trained on pieces of 128 tokens, and now it writes 600 tokens. Your `rotate` turns its queries and keys, your
# `attend_new` reads one token after the other, and your `roll` keeps the last 127. The sign ▮ stands behind token 128,
# where all texts of its training ended. Watch it write on.

# %%
# What this shows depends on the processor.
def write_on(model: nn.Module, prompt: list[int], n: int, width: int, temperature: float) -> Iterator[str]:
    """Yield n sampled tokens after a prompt; each of them sees the last `width` tokens, from a rolling cache."""
    kept, new, read, draws = None, torch.tensor([prompt]), 0, torch.Generator().manual_seed(3)
    for _ in range(n):
        places = torch.arange(read, read + new.shape[1])
        logits, kept = model.step(new, places, kept, attend_new)
        kept = [roll(pair, width - 1) for pair in kept]
        read += len(places)
        new = torch.multinomial((logits[:, -1] / temperature).softmax(-1), 1, generator=draws)
        yield model.words[int(new)] + "▮" * (read == 127)


BEGINNING = '\n"My dear'  # a new paragraph begins after a line break
novelist.rotate = rotate
page = write_on(novelist, novelist.encode(BEGINNING), 600, width=128, temperature=0.7)
austen.watch_page(chain([BEGINNING.strip()], page))

# %% [markdown]
# The end reads like the beginning. Would it do so without your window? Here is the same writer with the same draws, but
# nothing is dropped from its cache. Up to the sign ▮ both texts are the same, because up to there nothing was dropped
# above either. Then look at the end.

# %%
# What this shows depends on the processor.
page = "".join(write_on(novelist, novelist.encode(BEGINNING), 600, width=10_000, temperature=0.7))
austen.watch_page(["… ", page[page.index("▮") - 200 : page.index("▮") + 100], " …\n\n… ", page[-500:]])

# %% [markdown]
# This is the fall of the opening again, in a better writer: behind the length of its training it loses its grammar and
# then even its words. Four short functions of yours make the difference, and with them it can write for as long as you
# like, with the same memory and the same time for each token. Change the beginning, the number of tokens or the
# temperature, and let it write a page of your own.
#
# <details><summary>Does it copy?</summary>
#
# Search for a few words of the page in the novels, for example at [Project
# Gutenberg](https://www.gutenberg.org/ebooks/author/68). You will probably find pieces of a few words, and no whole
# sentence. The model is too small to know the novels by heart.
# </details>

# %% [markdown]
# ## Go further
#
# The following parts stand by themselves. Take what you like.
#
# <details><summary>If you read model code: halves instead of neighbours</summary>
#
# The code of Llama and of most other models does not turn column 2i with column 2i + 1. It turns column i with column i
# + d / 2, by a function that is often called `rotate_half`. The idea is the same. Only the columns of W_q and W_k stand
# in another order, so weights must be reordered when they move from one kind of code to the other. If they are not, the
# model writes nonsense, and no error is raised.
# </details>
# <details><summary>Another way to score distances</summary>
#
# *ALiBi* (Press and others, 2021) subtracts from each score a number that grows with the distance. If you did the
# puzzle `distance_bias` in lesson 06, you have written it. RoPE has become far more common.
# </details>
#
# **Attention sinks.** In many large models a window does more harm than you saw in section 4. A softmax must give its
# weight to some word, even when a head has found nothing of interest. Such models learn to put this weight on the very
# first token of the text, which is then called an **attention sink** (Xiao and others, 2023). If a window drops this
# token, the model breaks down. So its rolling cache has to keep the first few tokens for ever. Does today's writer have
# a sink, too? We look for it: the next cell prints how much weight the heads give to the first of sixteen words.

# %%
# What this shows depends on the processor.
def weight_on_the_first(model: nn.Module, texts: torch.Tensor) -> torch.Tensor:
    """Return the mean weight on the first word, (blocks, heads), over the second half of all texts."""
    weights, n = [], texts.shape[1]

    def look(Q, K, V, kept):
        scores = (Q @ K.mT / math.sqrt(Q.shape[-1])).masked_fill(~causal_mask_from(n, n), -torch.inf)
        weights.append(scores.softmax(-1)[:, n // 2 :, 0].mean(1).view(len(texts), -1).mean(0))
        return attend_new(Q, K, V, kept)

    model.step(texts, torch.arange(n), None, look)
    return torch.stack(weights)


evenly = np.mean(1 / np.arange(9, 17))  # the second half of a text looks at 9 to 16 words
print(f"highest of eight heads: {weight_on_the_first(today, pieces[:, :16]).max():.2f}; shared evenly: {evenly:.2f}")

# %% [markdown]
# There is no sink in today's writer: no head gives the first word more than an even share. So the writer loses nothing
# when the window drops that word, as you saw in its loss.
#
# **Other ways to scale.** Two more ways were published in 2023. *Position interpolation* (Shouyuan Chen and others)
# divides all frequencies. *NTK-aware scaling* (published in a forum by a user called bloc97) makes the base larger,
# which slows down each pair more than the one before it. Here they are on the same two tasks, without a window.

# %%
# What this shows depends on the processor.
def ways(d: int, trained: int) -> dict[str, torch.Tensor]:
    """Return frequencies for texts four times as long, in four ways."""
    return {
        "as trained": scaled_frequencies(d, trained, 1),
        "position interpolation": scaled_frequencies(d, trained, 1) / 4,
        "NTK, a larger base": scaled_frequencies(d, trained, 1, base=10000 * 4 ** (d / (d - 2))),  # the last pair: / 4
        "yours, factor 4": scaled_frequencies(d, trained, 4),
    }


loss, share = {}, {}
for (name, of_signs), of_novels in zip(ways(16, 30).items(), ways(32, 128).values()):
    loss[name] = novel_losses(rotate_with(of_novels))
    share[name] = found([15, 45], None, rotate_with(of_signs))
    in_novels = f"{loss[name][63:127].mean():.2f}, {loss[name][255:].mean():.2f}"
    in_rounds = ", ".join(f"{part:4.0%} of {signs}" for signs, part in share[name].items())
    print(f"{name:23} loss at 64–127, 256–511: {in_novels};  found: {in_rounds}")

# %% [markdown]
# Position interpolation is bad from the beginning: it slows down the fast pairs as well, so neighbours seem closer
# together than any two words in training. A model has to be trained a little further before it can use this. The larger
# base helps less on the novels, and nearly as much as yours on the signs.
#
# **A real model.** Your functions also run GPT-2. If you have its files in a folder (`vocab.json`, and
# `model.safetensors` or `pytorch_model.bin`), write the folder's name into the next cell.

# %%
real_model = ""  # the folder
if real_model:
    gpt2 = load_gpt2(real_model)
    tokens, kept = gpt2.numbers_of("The cat sat on the"), None
    for _ in range(20):
        logits, kept = gpt2.step(tokens, kept, attend_new)
        tokens = [int(logits[-1].argmax())]
        print(gpt2.words[tokens[0]], end="")

# %% [markdown] prompt="rms_norm"
# ### Puzzle: `rms_norm` (RMSNorm)
# ★☆☆ · 4 minutes
#
# Most of today's models, and today's writer, do not use LayerNorm but **RMSNorm** (Zhang and Sennrich, 2019). It
# subtracts no mean. It divides each row by its root mean square, and then multiplies each column by a learned number.
# Divide each row of x by the root of the mean of its squares. Add `eps` to the mean before you take the root, so that a
# row of zeros causes no division by 0. Then multiply by `weight`, column by column.

# %% solution="rms_norm"
def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    """Return (..., d) for x (..., d) and weight (d,): x / √(mean of x² + eps) · weight."""
    ### BEGIN SOLUTION
    return x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt() * weight
    ### END SOLUTION

# %% test="rms_norm"
check(rms_norm)

# %% [markdown] hint="rms_norm"
# <details><summary>Hint: the order</summary>
#
# First square each number, then take the mean of each row, then add `eps`, then take the root. `keepdim=True` keeps an
# axis of length 1, so that each row is divided by its own root.
# </details>

# %% [markdown] prompt="top_p"
# ### Puzzle: `top_p` (nucleus sampling)
# ★★☆ · 8 minutes
#
# When a model samples, very unlikely words are drawn now and then, and they spoil the text. **Top-p**, or **nucleus
# sampling**, forbids them (Holtzman and others, 2019). Sort the words by probability, and keep the likeliest ones: as
# few as are needed for their probabilities to sum to `share` or more. All other words get the probability 0. Divide the
# rest by its sum, so that it sums to 1 again.

# %% solution="top_p"
def top_p(probabilities: torch.Tensor, share: float) -> torch.Tensor:
    """Return (vocabulary,): the likeliest words alone, summing to 1; no two are equal, and 0 < share <= 1."""
    ### BEGIN SOLUTION
    ordered, words = probabilities.sort(descending=True)
    before = ordered.cumsum(0) - ordered
    kept = torch.zeros_like(probabilities)
    kept[words] = torch.where(before < share, ordered, 0.0)
    return kept / kept.sum()
    ### END SOLUTION

# %% test="top_p"
check(top_p)

# %% [markdown] hint="top_p"
# <details><summary>Hint: look at the words before it</summary>
#
# Sort from the likeliest word down. A word is kept if all likelier words together do not yet sum to `share`.
# </details>

# %% [markdown] prompt="twin_position"
# ### Puzzle: `twin_position`
# ★★☆ · 8 minutes
#
# With d = 2 there is only one pair of columns. It turns by 1 radian a word, and after some words it is nearly back
# where it was. Take a vector of length 1. What is the first position after 0 at which it is turned to within 0.001 of
# where it stood at position 0? Attention could hardly tell these two positions apart.

# %% solution="twin_position"
### BEGIN SOLUTION
twin = 710
### END SOLUTION

# %% test="twin_position"
check("twin_position")
# %% [markdown] hint="twin_position"
# <details><summary>Hint: whole turns</summary>
#
# A whole turn is 2π radians. Look for a whole number of words that is nearly a whole number of turns.
# </details>

# %% [markdown]
# <details><summary>Does this happen with d = 64?</summary>
#
# Then there are 32 pairs, and all of them would have to come back at the same position. Not even the first two do so
# within a million words. This is another reason for pairs that turn at different paces.
# </details>

# %% [markdown]
# ## What you can now do
#
# - turn queries and keys by their positions, and say what `rope_theta` is;
# - read with a key–value cache, and mask the new words rightly;
# - roll a cache in a sliding window, and say what it forgets;
# - scale the frequencies of RoPE for longer texts, and say how far this reaches;
# - put a window into the layers that need only what is near, and let the others reach far;
# - find a key that was turned twice, and a position that was counted wrongly, although no error is raised.
#
# **Next:** lesson 09 makes the same attention faster and smaller, and Austen's writer writes its page again, in less
# time.
#
# **Read on.** [RoFormer](https://arxiv.org/abs/2104.09864) · [Longformer](https://arxiv.org/abs/2004.05150) · [Mistral
# 7B](https://arxiv.org/abs/2310.06825) · [Position interpolation](https://arxiv.org/abs/2306.15595) ·
# [YaRN](https://arxiv.org/abs/2309.00071) · [Attention sinks](https://arxiv.org/abs/2309.17453).
#
# *Credits.* Rotary positions: Su and others, 2021. Sliding windows: Beltagy and others, 2020. Attention sinks: Xiao and
# others, 2023. Position interpolation: Chen and others, 2023. YaRN: Peng and others, 2023. RMSNorm: Zhang and Sennrich,
# 2019. Top-p: Holtzman and others, 2019. Jane Austen's novels come from Julia Silge's package `janeaustenr`.
