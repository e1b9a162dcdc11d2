# %% [markdown]
# # Attention today: your writer reads on
#
# Lesson 07's writer was trained on texts of sixteen words. If it reads on past them, it writes:
#
# > *the rabbits waited in the meadow near the window . the painter painted the wall green . the wall blue . the wall …*
#
# The first sixteen words, up to *green*, are good. Then the text falls apart. **Why? And how can today's models read
# many thousands of words?** Training on long texts helps. You write four other ideas, each in a few lines. At the end a
# writer reads four times as far as in training, and it writes a page in the tone of Jane Austen.
#
# The lesson takes about 120 minutes, and 28 more for the puzzles. You need lessons 06 and 07. You may leave out
# *Go further*.

# %% setup="imports"
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder import check, cold_questions
from attention import (
    bring_your_own, load_gpt2, reading, reading_pictures, repeats, today_pictures, two_writers,
)

torch.set_num_threads(1)  # on small tensors several threads are slower, because they wait for each other
check.lesson("08_attention_today")

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# ## 1. The problem: word 17
#
# The next cell loads your `TinyWriter` of lesson 07, or the course's version.

# %% setup="bring_your_own"
TinyWriter = bring_your_own("TinyWriter")

# %% [markdown]
# **Lesson 07's writer** is this class with parameters that were trained on lesson 07's sentences, in pieces of 16
# words. Now it gets 60 new pieces of 128 words.

# %%
old, words = reading.give_parameters(TinyWriter(986, 64, num_heads=4, d_ff=256, n_blocks=2, context=2048))
pieces = reading.draw_text(words).view(60, 128)  # the numbers of the words

# %% [markdown] prompt="guess_behind_16"
# ### Predict: the loss after word 16
# ★☆☆ · 2 minutes
#
# The more words stand before a word, the more there is to predict it from. Is the loss after word 16 `"lower"` than up
# to word 16, `"higher"`, or the `"same"`?

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
# The output depends on the processor.
today_pictures.losses_by_position(reading.losses_with_and_without_cropping(old, pieces), 16)
print(reading.continue_text(old, words))

# %% [markdown]
# **The solid line.** The loss (in nats) jumps up after word 16. Two things are new there. In training the positional
# encoding added no row after position 15, and no word had more than 15 words before it.
#
# **The dotted line.** Here the writer reads only the last sixteen words, as in lesson 07's `generate`, and the loss
# stays low. But with each new word all sixteen get other rows, and must be read anew.
#
# These are the two problems of this lesson: a model cannot read further than in training, and for each new word it
# reads everything again. If a score depended only on how far apart two words stand, no position would be new, only a
# distance could be.
#
# ## 2. Rotary position embedding (RoPE): only the distance counts
#
# **The problem.** Attention should ask how far apart two words stand. But with the rows of lesson 07 added, a score
# also depends on their positions. Here are a query and a key at three pairs of positions, always three words apart:

# %%
# The output depends on the processor.
reading.print_scores(reading.add_rows)  # rows as in lesson 07

# %% [markdown]
# **The idea.** No rows are added. **Rotary position embedding (RoPE)** turns each query and each key by an angle that
# grows with the position (Jianlin Su and others, 2021). Values are not turned. Each pair of columns is read as a point
# (x, y), the tip of a hand that turns (counter-clockwise, unlike a clock's).
#
# **Why it works.** From one position to the next a hand turns by an angle α. A query at position 5 has turned by 5α, a
# key at position 2 by 2α. This adds 5α − 2α = 3α to the angle between them, where 3 is their distance. (In the picture
# α is 1 radian, so 3α is 172°.) Ten words further on, both have turned by 10α more, and this angle is the same (move
# the slider). A score sums one dot product for each pair of columns. This product depends only on the lengths of the
# two hands and the angle between them. So the score is the same, too.

# %%
today_pictures.two_clocks(two_writers.turned, *torch.tensor([[1.0, 0.0], [1.0, 0.0]]), places=(5, 2))

# %% [markdown]
# A hand that turns by 1 radian a word is back where it was after about six words. Then distances 0 and 6 look almost
# alike. So each later pair turns more slowly. How much more slowly is set by `base`, in model code `rope_theta`.

# %% [markdown] prompt="rotate"
# ### `rotate`
# ★★☆ · 14 minutes
#
# Turn each row of X (…, n, d) by its position; `positions` is (n,). The result has the shape of X. The pair of columns
# (2i, 2i + 1) is turned counter-clockwise by the angle position / base^(2i / d): (x, y) becomes
# (x cos − y sin, x sin + y cos). If d is odd, raise a `ValueError`, because then the last column has no partner.
#
# *Example.* For d = 4 and position 2 the angles are 2 and 2 / 10000^(2/4) = 0.02. The row [1, 0, 1, 0] becomes
# [cos 2, sin 2, cos 0.02, sin 0.02], which is about [−0.416, 0.909, 1.000, 0.020].

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

# %% [markdown]
# **The gain.** The next cell scores the same three pairs with your function. Then a larger model reads. **Austen's
# writer** has three blocks and was trained on the six novels of Jane Austen (1775–1817), in pieces of 128 tokens (words
# or parts of words; the exercises say *word* for both). Your `rotate` turns its queries and keys. Every 40th paragraph
# was held out of training. Austen's writer reads 60 pieces of 512 tokens, made of these paragraphs, so each piece joins
# several places. *Rows added* is a `TinyWriter` trained on the same text. (It differs in other parts, too, so its loss
# may not come from the rows alone.)

# %%
# The output depends on the processor.
reading.print_scores(rotate)
novelist, novels = reading.load_novels(rotate)  # novels: the numbers of the tokens, (60, 512)
reading.compare_with_rows(novelist, TinyWriter, novels)

# %% [markdown]
# Now the three scores are equal, and after token 128 the loss rises less than with *rows added*.
#
# **The price.** The loss still rises. After token 128 some keys are further away than any key was in training.
#
# ## 3. The key–value cache: no token is read twice
#
# **The problem.** To write, Austen's writer would have to read the whole text again for each new token, although nearly
# all of this work was done for the token before.
#
# **The idea.** A **key–value cache (KV cache)** keeps the keys and values of all tokens that were read (described by
# Noam Shazeer, 2019; in model code `past_key_values`). For a new token each block computes only this token's queries
# (one for each head), key and value. The queries look at all kept keys and at the new one.

# %%
reading_pictures.new_row(["the", "cat", "sat", "on", "the", "mat"])

# %% [markdown]
# **Why it works.** Under a causal mask no token sees a later one. So a new token changes no output of an earlier one.
# The next block makes its keys and values from these outputs, so the kept ones stay right in every block. A kept key
# need not be turned again, because its position never changes.
#
# In a chat, each new message brings several new tokens after the kept ones. Each may look at all kept tokens, but at no
# later new one. So you need a mask first. (With kept keys, PyTorch's `is_causal=True` is wrong: it lets the first new
# token see only the first key.)

# %% [markdown] prompt="causal_mask_from"
# ### `causal_mask_from`
# ★☆☆ · 5 minutes
#
# The last m of n words are new. Return booleans (m, n), where True means "may look". Row i belongs to the word at
# position n − m + i, which may look at itself and at all words before it. If m is larger than n, raise a `ValueError`.
#
# *Example.* For m = 2 and n = 3 the new words stand at the positions 1 and 2. The mask is [[True, True, False],
# [True, True, True]].

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

# %% [markdown] prompt="attend_new"
# ### `attend_new`
# ★★☆ · 14 minutes
#
# You get queries and keys (heads, m, d), already turned, and values (heads, m, d_v) of m new words. `kept` is the pair
# of keys (heads, t, d) and values (heads, t, d_v) of the t words before them, or None for the first words of a text.
# The new words see the kept ones and, under your mask, each other. Scores are divided by √d. Return the output (heads,
# m, d_v), and the pair of all t + m keys and values for the next call, old ones first.
#
# *Example.* One head, the kept values are [[[2], [4]]], and one word with the value [[[9]]] is new. If its query is all
# zeros, all three scores are 0. So each weight is 1/3, the output is [[[5]]], and the values to keep are
# [[[2], [4], [9]]].

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
# **The gain.** The next cell compares the logits with and without your cache, and times the next token.

# %%
# The output depends on the processor.
reading.compare_logits(novelist, novels[:1, :9], attend_new)
reading.time_next_word(novelist, novels.flatten(), attend_new)  # fastest of three runs

# %% [markdown]
# The logits are the same, and after 1,024 tokens the next one comes many times as fast.
#
# **The price.** The cache grows with every token. (A KiB is 1,024 bytes.)
#
# ## 4. The sliding window: the cache stays small
#
# **The problem.** A long text needs a large cache. And after token 128 Austen's writer gets worse.
#
# **The idea.** With a **sliding window** each token sees only the last few tokens (Longformer, 2020, and Mistral 7B,
# 2023; model code calls the width `sliding_window`). Once the cache is full, it drops its oldest key and value whenever
# a new token comes: this is a **rolling cache**.
#
# **Why it works.** With RoPE only distances count. Positions keep growing, but no distance reaches the width of the
# window. So no distance is new to the model, if the window is no wider than the pieces of its training. In the lower
# row of the picture the pale words are outside the window.

# %%
reading_pictures.reach(12, widths=[4])

# %% [markdown] prompt="roll"
# ### `roll`
# ★☆☆ · 4 minutes
#
# `kept` is a pair of keys (heads, t, d) and values (heads, t, d_v), as `attend_new` returns it. Return the pair for the
# last `width` words, or for all t words if there are fewer. If `width` is below 1, raise a `ValueError`.
#
# *Example.* From keys (4, 9, 16), `width` 3 leaves keys (4, 3, 16). From the values [[[2], [4], [9]]], `width` 2 leaves
# [[[4], [9]]].

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
# **The gain.** Austen's writer reads token by token. In each block it turns the new query and key with `rotate`, calls
# `attend_new`, and then `roll` with width 127: with the new token this makes 128, the length of the pieces of training.
# (A prompt read at once would need the window in its mask.)

# %%
# The output depends on the processor.
reading.print_losses_in_a_window(novelist, novels[:16, :256], attend_new, roll)

# %% [markdown]
# With a window Austen's writer reads on as well as it began, and its cache stays small.
#
# **The price.** In each block a token sees nothing older than its window. The novels do not show this, so we take a
# second model. **The reader of signs** has two blocks and was trained on texts of at most 30 signs: a **round** of up
# to 15 different signs in a random order, and then the same round again. In the second round it says which sign
# followed the current one in the first round: after *c a b c a* it says *b*. How often is it right?

# %%
# The output depends on the processor.
reader = repeats.load_reader(rotate, attend_new, roll)
repeats.print_found("no window", reader)
repeats.print_found("window of 16", reader, window=16)

# %% [markdown]
# With a window of 16 it finds everything in rounds of 16, and nothing in rounds of 17. There the window shows 16 of the
# 17 signs, and the missing one is the right answer. (Block 1 could pass older signs on to block 2, but this reader was
# not trained for it.) So a window forgets by age, however important a token was.
#
# ## 5. RoPE scaling: further than in training
#
# **The problem.** In section 4 the other line is *no window*. In rounds a little longer than in training the reader of
# signs finds everything, but in rounds of 45 only about a quarter.
#
# **The idea.** The number of radians by which a pair of columns turns from one position to the next is its
# **frequency**. **RoPE scaling** (`rope_scaling`) lowers frequencies, so that a model can read texts several times as
# long as in training. You write one form. A pair is *slow* if it made no whole turn in training. Each slow pair gets
# its frequency divided by a factor, and the others keep theirs. (*YaRN*, 2023, and Llama 3.1, 2024, do nearly this.
# **Position interpolation**, 2023, divides the frequencies of all pairs.)
#
# **Why it works.** In the picture each circle is one pair of the reader of signs. It was trained on 30 signs, and now
# reads 120: a round of 60, twice.
#
# - *Upper row, as trained.* The fast pairs, 0 and 1, have gone all the way round. Slow pairs meet new angles (red).
# - *Lower row, with a factor of 4.* A slow pair turns in 120 signs only as far as before in 30. The fast pairs keep
#   their frequencies, because they meet no new angles.

# %%
reading_pictures.turns(repeats.PACES, trained=30, read=120)

# %% [markdown] prompt="scaled_frequencies"
# ### `scaled_frequencies`
# ★★☆ · 12 minutes
#
# Return the frequencies of all pairs of columns, a tensor (d / 2,), where d is the width of one head. The frequency of
# pair i is base^(−2i / d), in radians a word. If a pair makes at least one whole turn within `trained` words, it keeps
# its frequency. Each slower pair gets its frequency divided by `factor`. If d is odd, raise a `ValueError`.
#
# *Example.* For d = 4, `trained` 30 and `factor` 4 the frequencies before scaling are 1 and 0.01. In 30 words pair 0
# turns by 30 radians, more than a whole turn. Pair 1 turns by 0.3 radians, less than a whole turn. So the result is
# [1, 0.0025].

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
# Begin with the frequencies of `rotate`: its angle is position · frequency. They are powers of `base`, and their
# exponents are 0, −2/d, −4/d, … up to −(d − 2)/d.
# </details>
# <details data-part="a pair that; each slower pair"><summary>Hint 2: how many turns?</summary>
#
# Within `trained` words a pair turns by `trained` times its frequency, in radians. How many radians has a whole turn?
# </details>
# <details data-part="a pair that; each slower pair"><summary>Hint 3: choose</summary>
#
# `torch.where(condition, a, b)` takes from a where the condition is True, and from b elsewhere.
# </details>

# %% [markdown]
# **The gain.** Large models are usually trained a little further with the new frequencies. The reader of signs gets
# yours without training. A helper calls `rotate` on one pair at a time, with the positions multiplied by that pair's
# frequency. Each head has 16 columns.

# %%
# The output depends on the processor.
repeats.print_found("scaled by you", reader, frequencies=scaled_frequencies(16, trained=30, factor=4))

# %% [markdown]
# In rounds of 45 it now finds more than twice as many signs, but the longer the round, the smaller the share.
#
# **The price.** The slow pairs turn less at near distances, too (section 6 shows the cost). And scaling drops no key,
# so the cache grows.
#
# ## 6. Window and scaling together: a page by your functions
#
# **The problem.** A window forgets, and scaling alone still misses many signs.
#
# **The idea.** Give the blocks different work. All blocks but the last get a window and keep their frequencies: this is
# **local attention**. The last block sees everything, with your scaled frequencies: this is **global attention**.
# (Google's Gemma 3, 2025, has five local blocks for each global one.)
#
# **Why it works.** The reader of signs takes two steps to say *b* after *c a b c a*:
#
# 1. *Block 1 looks one sign back.* So *b* learns that *a* stands just before it. A small window is enough, and it hides
#    far signs that block 1 mistakes for the previous sign (*Go further* shows its weights).
# 2. *Block 2 looks into the first round.* It asks which sign has *a*, the current one, just before it, and finds *b*.
#    So it must see far.
#
# **The gain.** Both models read in four ways. A window has 128 tokens or 16 signs.
#
# | way | all blocks but the last see | the last block sees |
# | --- | --- | --- |
# | *as trained* | everything | everything |
# | *window* | a window | a window |
# | *scaled* | everything, scaled | everything, scaled |
# | *both* | a window | everything, scaled |

# %%
# The output depends on the processor.
of_novels = reading.four_ways(rotate, scaled_frequencies(32, trained=128, factor=4), blocks=3, window=128)
of_signs = reading.four_ways(rotate, scaled_frequencies(16, trained=30, factor=4), blocks=2, window=16)
losses_of_novels = reading.losses_by_way(novelist, novels, of_novels)
reading.print_losses(losses_of_novels)
reading_pictures.near_or_far(losses_of_novels, repeats.found_by_way(reader, of_signs))
repeats.print_found("16 in block 1", reader, window=(16, None))

# %% [markdown]
# **Left, the novels.** Long after token 128 the loss stays low in three of the four ways, lowest with a window alone.
# Scaling costs a little even before: at tokens 1–127 the loss is 3.15, and 3.11 as trained.
#
# **Right, the signs.** Among the four ways only *both* finds nearly everything, in rounds up to four times as long as
# in training. It needs the scaling: without it (last line, *16 in block 1*) only about half is found in rounds of 45.
#
# **The price.** The cache of the last block still grows. On the novels a window alone is as good, and cheaper.

# %% [markdown] written="explain_windows" points=4
# ### Explain: `explain_windows`
# ★★☆ · 10 minutes
#
# Answer four questions, with one or two sentences for each. (4 points)
#
# 1. What does a window forget? Which of your measurements shows it?
# 2. What do scaled frequencies reach that a window does not? In which rounds is still more than half found? Use your
#    measurement.
# 3. On the novels the window did at least as well as scaling, although it forgets. Why?
# 4. What does each of the two cost for each new word, and when is each a fair price?
#
# ### BEGIN SOLUTION
# **Model answer.** A window forgets by age: with a window of 16 the reader found all signs in rounds of 16, and none in
# rounds of 17. With scaled frequencies it still found more than half of the signs in rounds of 45, three times as long
# as in its training, but less than half in rounds of 60. On the novels no way that sees further has a lower loss than
# the window. Perhaps far tokens help little there, because the pieces join paragraphs from different places. Perhaps
# the writer cannot use them, because it was trained on 128 tokens. The measurement does not tell. With a window the
# memory and the time for each new word stay the same, and with scaling they grow with every word. So a window is fair
# where what matters is near, as in these pieces. Scaling is fair where something from far back must be found, such as a
# name, in a text a few times as long as in training.
#
# **Rubric**
# - 1 point: a window forgets by age, shown by the signs: all inside the window, none outside
# - 1 point: scaling reaches several times as far, but less and less, with numbers from the signs
# - 1 point: on these pieces of the novels no way that sees further has a lower loss, so forgetting costs nothing there
# - 1 point: constant against growing cost for each word, and a case where each is fair
# ### END SOLUTION

# %% [markdown]
# **The page.** Now Austen's writer continues *"My dear* by 500 tokens (temperature 0.7). You see the ends of two pages,
# as trained and with a window, and the whole page with both. The mark ▮ stands after token 128. Look for words that do
# not exist, not for a plot.

# %%
# The output depends on the processor.
reading.print_pages(novelist, '"My dear', attend_new, roll, of_novels)  # try another beginning

# %% [markdown]
# All three pages use your `rotate` and `attend_new`. As trained, the text falls apart. **With a window or with both it
# goes on.**
#
# ## What you can now do
#
# - turn queries and keys by their positions;
# - read with a key–value cache, and mask new words;
# - keep the cache small by a sliding window, and say what it forgets;
# - scale the frequencies of RoPE, and say how far this reaches.
#
# **Next:** lesson 09 makes the same attention faster and smaller.

# %% [markdown]
# ## Go further
#
# **Why does scaling alone not find all signs?** Block 1 must look at distance 1. The next cell prints the two distances
# to which each head gives the most weight, in a round of 45, and how far the two fast pairs turn within 19 signs.

# %%
# The output depends on the processor.
repeats.print_distances(reader, 45, scaled_frequencies(16, trained=30, factor=4))

# %% [markdown]
# Three heads confuse distance 1 with distance 20: 19 signs more turn both fast pairs nearly back to where they were. In
# a first round of training, distance 20 did not occur. A window of 16 hides it.
#
# **The first token.** In many large models a head that has found nothing puts its weight on the first token, the
# **attention sink** (Xiao and others, 2023). Such a model needs this token in a rolling cache, too.
# (We looked for such a head in the models of this lesson and found none.)
#
# <details><summary>If you read model code: a trap</summary>
#
# Most model code turns column i with column i + d / 2, not column 2i with column 2i + 1 (`rotate_half`). If weights are
# moved to such code, the columns of W_q and W_k must be reordered. Otherwise the scores are wrong, and no error is
# raised.
# </details>
#
# **A real model.** The next cell lets GPT-2 write with your `attend_new`, if you have its files in a folder
# (`vocab.json`, and `model.safetensors` or `pytorch_model.bin`). Write the folder's name into the cell.

# %%
real_model = ""  # the folder
if real_model:
    gpt2 = load_gpt2(real_model)
    tokens, kept = gpt2.numbers_of("The cat sat on the"), None
    for _ in range(20):
        logits, kept = gpt2.step(tokens, kept, attend_new)  # reads the new tokens; `kept` is longer now
        tokens = [int(logits[-1].argmax())]
        print(gpt2.words[tokens[0]], end="")

# %% [markdown] prompt="real_bug_veloxquant"
# ### Puzzle, a real bug: a rolling cache
# ★☆☆ · 4 minutes
#
# The code below writes word after word with a rolling cache and a window of 16. `place` is the position of the next
# word, and `kept` holds a pair of keys and values for each block. `step` returns the logits and the longer `kept`. **In
# which line is the slip?**
#
# **`line_veloxquant`** · rajveer43/VeloxQuant-MLX#389: “drifts further out of sync”
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
# The next cell reads as in section 4, but with this bug.

# %%
# The output depends on the processor.
reading.print_losses_with_the_bug(novelist, novels[:16, :256], attend_new, roll)

# %% [markdown]
# A position says how many tokens were *read*, not how many are kept. With the bug every later token gets the same
# position, and no error is raised.

# %% [markdown] prompt="real_bug_gemma"
# ### Puzzle, a real bug: the cache of Gemma
# ★☆☆ · 4 minutes
#
# `attend` is ordinary attention. At each call new words come, and n is the number of all words so far. **In which line
# is the slip?**
#
# **`line_gemma`** · google-deepmind/gemma#392: “get corrupted”
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
# So always compare the logits with and without a cache, as in section 3. With a window, compare on a text longer than
# the window, and give the reading without a cache the same window in its mask.

# %% [markdown] prompt="rms_norm"
# ### Puzzle: `rms_norm` (RMSNorm)
# ★☆☆ · 4 minutes
#
# Most of today's models, and Austen's writer, do not use LayerNorm but **RMSNorm** (Zhang and Sennrich, 2019), which
# subtracts no mean. Divide each row of x by the root of the mean of its squares. Add `eps` to the mean before you take
# the root, so that a row of zeros causes no division by 0. Then multiply by `weight`, column by column.

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
# Very unlikely words are drawn now and then, and they spoil a text. **Top-p**, or **nucleus sampling**, forbids them
# (Holtzman and others, 2019). Sort the words by probability, and keep the likeliest ones: as few as are needed for
# their probabilities to sum to `share` or more. All other words get the probability 0. Divide the kept ones by their
# sum.

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
# With d = 2 there is only one pair of columns, which turns by 1 radian a word. Take a vector of length 1. What is the
# first position after 0 at which it is turned to within 0.001 of where it stood at position 0?

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
# **Read on.** [RoFormer](https://arxiv.org/abs/2104.09864) · [Longformer](https://arxiv.org/abs/2004.05150) · [Mistral
# 7B](https://arxiv.org/abs/2310.06825) · [YaRN](https://arxiv.org/abs/2309.00071) · [Attention
# sinks](https://arxiv.org/abs/2309.17453).
#
# *Credits.* Jane Austen's novels come from Julia
# Silge's package `janeaustenr`.
