# %% [markdown]
# # Attention today: your writer reads on
#
# Lesson 07's writer was trained on texts of sixteen words. If nobody stops it there, it goes on like this:
#
# > *the painter painted the wall green . the wall blue . the wall on …*
#
# The first sentence is good. Then the text falls apart. **Why? And how can today's models
# read many thousands of words?** You write four ideas that make this possible, each in a few lines. At the end a writer
# that has read Jane Austen's novels fills a page with your functions, far longer than any text of its training.
#
# The lesson takes about 120 minutes, and 24 more for the puzzles. You need lessons 06 and 07. You may leave out *Go
# further* and whatever is folded.

# %% setup="imports"
import math
from collections.abc import Iterator
from itertools import chain

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder import check, cold_questions
from attention import (
    austen, bring_your_own, load_austen, load_gpt2, load_trained, reading, reading_pictures, repeats, today_pictures,
    two_writers,
)

torch.set_num_threads(1)  # on small tensors several threads are slower, because they wait for each other
check.lesson("08_attention_today")

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# ## 1. The problem: word 17
#
# The next cell loads your `TinyWriter` of lesson 07, or the course's version if yours does not pass its checks yet.

# %% setup="bring_your_own"
TinyWriter = bring_your_own("TinyWriter")

# %% [markdown]
# It gets parameters that were trained as in lesson 07, on pieces of 16 words. Only its context length is new: 2,048
# words, so that it does not refuse long texts. Then we draw a text that it has not read, 60 pieces of 128 words.

# %%
old, words = reading.give_parameters(TinyWriter(986, 64, 4, 256, 2, context=2048))
text = reading.draw_text(words)  # the numbers of the words
pieces = text.view(60, 128)

# %% [markdown]
# How well does the writer predict the next word of such a piece after one word, after two words, and so on?

# %% [markdown] prompt="guess_behind_16"
# ### Predict: the loss after word 16
# ★☆☆ · 2 minutes
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
# The output depends on the processor.
whole_text = reading.losses(old(pieces), pieces)
last_16 = reading.losses(reading.read_last(old, pieces, 16), pieces)
today_pictures.losses_by_position({"lesson 07": whole_text, "last 16 words": last_16}, 16)
print(reading.continue_text(old, words))

# %% [markdown]
# **The solid line.** The loss jumps up after word 16. The row of position 20 was never added to a word in training. So
# what the writer reads there is unlike all that it has learned from, and the text below the picture falls apart.
#
# **The dotted line.** Here the writer reads only the last sixteen words, as your `generate` let it in lesson 07. They
# get the positions 0 to 15 again, so the loss stays low. But each new word moves all sixteen words one place to the
# front, so all of them must be read anew.
#
# So this lesson asks two questions. How can a model read on without reading everything again? And how can it read
# further than it was trained to?
#
# ## 2. Rotary position embedding (RoPE): only the distance counts
#
# **The problem.** Attention should ask how far apart two words stand. But with added rows a score also depends on the
# place. Here are one query and one key at three places, always three words apart:

# %%
# The output depends on the processor.
reading.print_scores(reading.add_rows)  # rows as in lesson 07

# %% [markdown]
# These are three scores for one distance. And a model cannot learn the scores at positions that it never meets.
#
# **The idea.** **Rotary position embedding (RoPE)** adds nothing to the words. It turns each query and each key before
# they are multiplied. Every pair of columns is a point in the plane, the end of a hand. The hand is turned
# counter-clockwise, by an angle that grows with the position (Jianlin Su and others, 2021).
#
# **Why it works.** A score is a sum: each pair of columns adds one dot product. The dot product of two hands depends
# only on their lengths and on the angle between them. The slider moves the query and the key on by the same number of
# words. Both hands turn, and the angle between them stays.

# %%
today_pictures.two_clocks(two_writers.turned, *torch.tensor([[1.0, 0.0], [1.0, 0.0]]), places=(5, 2))

# %% [markdown]
# One pair of columns is not enough, because its hand comes back to where it was after about six words. So each pair
# turns at its own pace. The first pair turns by 1 radian a word, and each later pair more slowly. How much more slowly
# is set by `base`, which model code calls `rope_theta`.

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

# %% [markdown]
# **The gain.** The next cell computes the three scores with your function. Then it loads *today's writer*, which was
# trained like lesson 07's. But nothing is added to its words: your `rotate` turns its queries and keys.

# %%
# The output depends on the processor.
reading.print_scores(rotate)
today = load_trained("today", rotate)
reading.print_losses({"lesson 07": whole_text, "today's": reading.losses(today(pieces), pieces)})

# %% [markdown]
# The three scores are the same. Up to word 16 both writers are equally good, and just behind it today's writer is far
# better.
#
# **The price.** Long after word 16 it is bad, too. Now distances matter instead of positions, and in training no two
# words stood a hundred words apart. Sections 4 and 5 mend this. First, section 3 saves work.
#
# ## 3. The key–value cache: no word is read twice
#
# **The problem.** So far the writer reads the whole text again for each new word. But nearly all of this work was
# already done for the word before it.
#
# **The idea.** A **key–value cache (KV cache)** keeps the keys and values of all words that were read. For a new word
# the model computes one query, one key and one value. The query looks at all kept keys and at its own. In model code it
# is called `past_key_values`.

# %%
reading_pictures.new_row(["the", "cat", "sat", "on", "the", "mat"])

# %% [markdown]
# **Why it works.** Under a causal mask no word sees a later one. So a new word changes nothing in the rows above its
# own: neither the outputs of the earlier words, nor their keys and values in the next block. And with RoPE a key is
# turned once, by its own position, and then stays as it is.
#
# A single new word may look at all words so far. But if several words are new, such as those of a prompt, none may look
# at a later one. So you need a mask first.

# %% [markdown] prompt="causal_mask_from"
# ### `causal_mask_from`
# ★☆☆ · 6 minutes
#
# The last m of n words are new. Return booleans (m, n), where True means "may look". Row i belongs to the word at
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
# **The gain.** The next cell reads nine words one by one, with your cache. Are the logits the same as without it? And
# how long does the next word take?

# %%
# The output depends on the processor.
one_by_one = reading.read_word_by_word(today, text[None, :9], attend_new)
print("the same logits:", torch.allclose(one_by_one, today(text[None, :9]), atol=1e-3))
reading.time_next_word(today, text, attend_new)  # fastest of three runs; the factors come from unrounded times

# %% [markdown]
# The logits are the same, and after 1,024 words the next word comes many times as fast.
#
# **The price.** A cache takes memory, and it grows with every word. In large models it can take more memory than the
# parameters.
#
# ## 4. The sliding window: the cache stays small
#
# **The problem.** The cache grows with every word. And today's writer gets worse after word 16, because of distances
# that it never met.
#
# **The idea.** With a **sliding window** each word sees only the last few words. So the cache drops its oldest key and
# value whenever a new word comes: this is a **rolling cache**. Longformer (Iz Beltagy and others, 2020) had such
# windows, and Mistral 7B (2023) made them known. In model code the width is called `sliding_window`.
#
# **Why it works.** With RoPE only distances count. So when old keys are dropped, the others stay valid, and no distance
# is larger than the window.

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
# A new word and 15 kept ones make a window of 16, as long as the texts of the training. Before you measure it, look for
# a bug from a public project. (There `kept` holds a pair of keys and values for each block.)

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
# **The gain.** The next cell reads all pieces word by word with your rolling cache, first rightly, then with the bug.

# %%
# The output depends on the processor.
reading.print_losses_in_a_window(today, pieces, attend_new, roll)
reading.print_kept(today, text, attend_new, roll)

# %% [markdown]
# A position says how many words were *read*, not how many are kept. The bug gives every later word the position 15,
# and soon the writer no longer knows the order of its words, but no error is raised. With the right positions it reads
# on as well as it began, and its cache stays small. (Both cache sizes are for today's writer, which keeps one head of
# keys and values. Lesson 07's keeps four.)
#
# **The price.** In each block a word sees nothing older than its window. The course's sentences do not show this,
# because they do not depend on each other. So we take another model, which reads a **round** of signs in a random
# order, and then the same round again. To predict the next sign in the second round, it has to find the sign that
# followed the current one in the first round. It comes trained, and it runs on your `rotate`. What share of the signs
# does it predict rightly?

# %%
# The output depends on the processor.
reader = repeats.load_reader(rotate)
repeats.print_found("no window", reader, [15, 16, 17, 18])
repeats.print_found("window of 16", reader, [15, 16, 17, 18], window=16)

# %% [markdown]
# As long as a round fits into the window, the reader finds everything. With one sign more it finds nothing. So a window
# forgets by age, however important a word was. (Two blocks reach further, see *Go further*, but this reader finds
# nothing there.)
#
# ## 5. RoPE scaling: further than in training
#
# **The problem.** A window hides distant words. Can a model also use them? The reader of signs was trained on rounds
# of at most 15 signs, so on texts of at most 30. Here are longer rounds, without a window:

# %%
# The output depends on the processor.
repeats.print_found("as trained", reader, [15, 30, 45, 60])
reading_pictures.turns({"as trained": repeats.FREQUENCIES}, trained=30, read=120)

# %% [markdown]
# In rounds of 45 the reader finds only about a quarter of the signs. The picture shows one reason. The reader has met
# the green angles in its training, and the red ones are new in a text of 120 signs (a round of 60, twice). The first
# two pairs of columns made at least one whole turn within 30 signs, so the reader has met them at every angle. The
# slower pairs come to new angles in a longer text.
#
# **The idea.** The number of radians by which a pair turns from word to word is called its **frequency**. A pair is
# slow if it made no whole turn in training. **RoPE scaling** divides the frequency of each slow pair by a factor, so
# that a longer text turns it no further than training did. The fast pairs keep their frequencies, because they tell a
# word from its neighbours.
#
# *YaRN* (Bowen Peng and others, 2023) does nearly this, and so does Llama 3.1 (2024), with a factor of 8. In model code
# it is called `rope_scaling`.

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

# %% [markdown]
# **The gain.** With a factor of 4, the slow pairs turn in 120 signs only as far as they did before in 30. The next cell
# gives your frequencies to the reader, without new training.

# %%
# The output depends on the processor.
scaled = reading.rotate_with(rotate, scaled_frequencies(16, trained=30, factor=4))
repeats.print_found("scaled by you", reader, [15, 30, 45, 60], rotate=scaled)

# %% [markdown]
# In rounds of 45 the reader now finds more than twice as many signs. (*Go further* shows why it does not find all.)
#
# Which helps more on a real text, the window or your frequencies? The last writer of this lesson, Austen's writer, has
# read the six novels of Jane Austen (1775–1817), in pieces of 128 tokens (words or parts of words). Now it reads pieces
# of 512 tokens. Their paragraphs are new to it, and do not follow each other in the novels.

# %%
# The output depends on the processor.
novelist = load_austen(rotate)
longer = reading.rotate_with(rotate, scaled_frequencies(32, trained=128, factor=4))
novels = reading.compare_on_novels(novelist, rotate, longer, window=128)
signs = repeats.compare_on_signs(reader, scaled, window=16)
reading_pictures.near_and_far(novels, 128, signs, 15)

# %% [markdown]
# **Left, the novels.** Far behind token 128 both the window and your frequencies keep the loss low. The window is even
# a little better. **Right, the signs.** Once a round is longer than the window, only your frequencies find signs.
#
# **The price.** The longer the round, the less is found, even with scaling. Up to token 128 the loss is a little
# higher, because the slow pairs now turn less than in training. And scaling saves nothing: the cache grows with every
# word, and so does the time for the next one.

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
# **Model answer.** A window forgets by age. With a window of 16 the reader found all signs in rounds of 16, and none in
# rounds of 17. With scaled frequencies it still found more than half of the signs in rounds of 45, three times as long
# as in its training. But the longer the round, the less it found, less than half in rounds of 60. In the novels the
# next token depends on its own paragraph, so hiding what is far away costs nothing there. With a window the memory and
# the time for each new word stay the same, however long the text is. With scaling the cache grows with every word. So a
# window is fair where what matters is near, as in a chat. Scaling is fair where something from far back must be found,
# such as a name, and the text is not longer than a few times the trained length.
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
# Now let Austen's writer write. It has learned her tone, but its text makes no sense: the grammar holds only for a
# few words at a time, because the model is small.
#
# All texts of its training ended with token 128. Can it write 600? First nothing is dropped from its cache. The sign ▮
# stands behind token 128.

# %%
# The output depends on the processor.
def write_on(model: nn.Module, beginning: str, n: int, width: int, temperature: float = 0.7) -> Iterator[str]:
    """Yield n sampled tokens behind a beginning; each of them sees the last `width` tokens."""
    kept, new, read, draws = None, torch.tensor([model.encode(beginning)]), 0, torch.Generator().manual_seed(3)
    for _ in range(n):
        places = torch.arange(read, read + new.shape[1])
        logits, kept = model.step(new, places, kept, attend_new)  # your rotate turns its queries and keys
        kept = [roll(pair, width - 1) for pair in kept]
        read += len(places)
        new = torch.multinomial(functional.softmax(logits[:, -1] / temperature, dim=-1), 1, generator=draws)
        yield model.words[int(new)] + "▮" * (read == 127)


page = "".join(write_on(novelist, '\n"My dear', 600, width=10_000))  # a new paragraph begins after a line break
austen.watch_page(["… ", page[page.index("▮") - 200 : page.index("▮") + 100], " …\n\n… ", page[-300:]])

# %% [markdown]
# As in the opening, the text falls apart: the writer loses its grammar and even its words. Now it writes with the same
# random numbers and a window of 128:

# %%
# The output depends on the processor.
austen.watch_page(chain(['"My dear'], write_on(novelist, '\n"My dear', 600, width=128)))

# %% [markdown]
# Your functions wrote this page, more than four times as long as any text of the training, and its end reads like its
# beginning. `rotate` made only distances count, `attend_new` read each token once, and `roll` kept the last 127 tokens.
# Lesson 07's writer could do this only by reading the last words anew for each new one. Change the beginning, and show
# a friend a page that Jane Austen never wrote.
#
# ## What you can now do
#
# - turn queries and keys by their positions;
# - read with a key–value cache, and mask new words;
# - roll a cache in a sliding window, and say what it forgets;
# - scale the frequencies of RoPE, and say how far this reaches;
# - find a position that is counted wrongly.
#
# **Next:** lesson 09 makes the same attention faster and smaller.

# %% [markdown]
# ## Go further
#
# Here are three measurements, two traps in model code, a real model, and puzzles. Each stands by itself.
#
# **1. A window in one block.** Through two blocks a word sees further than one window: in the second block it looks at
# words that have themselves looked back in the first block. In the picture each word sees four words, itself included.
# After two blocks the newest word (*now*) has learned something from seven words.

# %%
reading_pictures.reach(12, width=4)

# %% [markdown]
# Why does scaling alone not find all signs? The reader of signs has two blocks, too. In the first block each sign
# fetches the sign just before it. In the second block the current sign looks for the place whose *fetched* sign is the
# same as itself. So the first block must look at distance 1. The next cell prints for each of its four heads the two
# distances that get the most weight, in a round of 45.

# %%
# The output depends on the processor.
repeats.print_distances(reader, 45, scaled)

# %% [markdown]
# Three heads fetch the sign just before. But they confuse distance 1 with distance 20. (The other head looks at the
# current sign itself, and confuses distance 0 with distance 19.) The reason is in the last line: 19 words turn both
# fast pairs nearly back to where they were. So for these pairs the two distances look alike. In training this did no
# harm, because distance 20 does not occur in a first round of 15. Your frequencies cannot mend this, because they leave
# the fast pairs as they are.
#
# A window can: in the first block nothing is needed that is further away than one word. So give a window of 16 to the
# first block alone, and let the second block look at everything.

# %%
# The output depends on the processor.
repeats.print_found("window in block 1, as trained", reader, [15, 30, 45, 60], window=(16, None))
repeats.print_found("window in block 1, scaled by you", reader, [15, 30, 45, 60], window=(16, None), rotate=scaled)

# %% [markdown]
# Your two ideas together find nearly everything in rounds four times as long as in training, and neither of them does
# so alone. Some large models are built like this: Gemma 3 (2025) has five blocks with a window of 1,024 tokens, then
# one block that sees everything, then five with a window again, and so on.
#
# **2. Attention sinks.** In many large models a window does more harm than you saw in section 4. A softmax must give
# its weight to some word, even when a head has found nothing of interest. Such models learn to put this weight on the
# very first token of the text, which is then called an **attention sink** (Xiao and others, 2023). If a window drops
# this token, the model breaks down. So its rolling cache has to keep the first few tokens for ever. Does today's writer
# have a sink, too? The next cell prints how much weight the heads give to the first of sixteen words.

# %%
# The output depends on the processor.
most = reading.weight_on_first(today, pieces[:, :16], attend_new).max()
evenly = np.mean(1 / np.arange(9, 17))  # the second half of a text looks at 9 to 16 words
print(f"highest of eight heads: {most:.2f}; shared evenly: {evenly:.2f}")

# %% [markdown]
# There is no sink in today's writer: no head gives the first word more than an even share. So the writer loses nothing
# when the window drops that word, as you saw in its loss.
#
# **3. Other ways to scale.** Two more ways were published in 2023. *Position interpolation* (Shouyuan Chen and others)
# divides all frequencies. *NTK-aware scaling* (published in a forum by a user called bloc97) makes the base larger,
# which slows down each pair more than the one before it. Here they are on the same two tasks, without a window.

# %%
# The output depends on the processor.
def ways(d: int, trained: int) -> dict[str, torch.Tensor]:
    """Return frequencies for texts four times as long, in four ways."""
    return {
        "as trained": scaled_frequencies(d, trained, 1),
        "position interpolation": scaled_frequencies(d, trained, 1) / 4,
        "NTK, a larger base": scaled_frequencies(d, trained, 1, base=10000 * 4 ** (d / (d - 2))),  # the last pair: / 4
        "yours, factor 4": scaled_frequencies(d, trained, 4),
    }


for (name, of_signs), of_novels in zip(ways(16, 30).items(), ways(32, 128).values()):
    loss = reading.losses_on_novels(novelist, reading.rotate_with(rotate, of_novels))
    print(f"{name:34} loss at 64–127: {loss[63:127].mean():.2f}, at 256–511: {loss[255:].mean():.2f}")
    repeats.print_found(name, reader, [15, 45], rotate=reading.rotate_with(rotate, of_signs))

# %% [markdown]
# Position interpolation is bad from the beginning: it slows down the fast pairs as well, so neighbours seem closer
# together than any two words in training. A model has to be trained a little further before it can use this. The larger
# base helps less on the novels, and nearly as much as yours on the signs.
#
# <details><summary>If you read model code: two traps</summary>
#
# *Halves instead of neighbours.* The code of Llama and of most other models turns column i with column i + d / 2, not
# column 2i with column 2i + 1. Its function is often called `rotate_half`. The idea is the same, but the columns of W_q
# and W_k stand in another order. If weights are moved to such code and are not reordered, the model writes nonsense,
# and no error is raised.
#
# *`is_causal` in PyTorch.* With `is_causal=True` the function `scaled_dot_product_attention` makes a causal mask by
# itself. But it counts from the first key: the first new word may look at that key alone, the second at two. With a
# cache this is the wrong mask. So pass your own, as `attn_mask`.
# </details>
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

# %% [markdown] prompt="real_bug_gemma"
# ### Puzzle, a real bug: the cache of Gemma
# ★☆☆ · 4 minutes
#
# Gemma is a model by Google. The code is cut down to four lines. `attend` is ordinary attention. At each call new words
# come, and n is the number of all words so far. **In which line is the slip?**
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
# without a cache, as you did in section 3.

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
#
# **Read on.** [RoFormer](https://arxiv.org/abs/2104.09864) · [Longformer](https://arxiv.org/abs/2004.05150) · [Mistral
# 7B](https://arxiv.org/abs/2310.06825) · [Position interpolation](https://arxiv.org/abs/2306.15595) ·
# [YaRN](https://arxiv.org/abs/2309.00071) · [Attention sinks](https://arxiv.org/abs/2309.17453).
#
# *Credits.* Rotary positions: Su and others, 2021. Sliding windows: Beltagy and others, 2020. Attention sinks: Xiao and
# others, 2023. Position interpolation: Chen and others, 2023. YaRN: Peng and others, 2023. RMSNorm: Zhang and Sennrich,
# 2019. Top-p: Holtzman and others, 2019. Jane Austen's novels come from Julia Silge's package `janeaustenr`.
