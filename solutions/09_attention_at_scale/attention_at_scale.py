# %% [markdown]
# # Attention at scale: fast and small
#
# *How do large models stay fast and small, and what do they pay for it?* Llama 3.1 8B is a model with eight billion
# parameters, and it reads up to 128,000 tokens at once. If each of its heads kept keys and values of its own, the
# key–value cache of one such text would be four times as large as all the parameters together.
#
# You write three functions. The first makes the cache smaller. The second computes attention without its large table of
# scores. The third lets a model write several tokens in one step. You measure what each idea gains and what it costs.
# At the end a writer that has read Jane Austen's novels writes faster than in lesson 08, and you try to tell its
# sentences from hers.
#
# The lesson takes about 110 minutes, and 90 more for the puzzles behind *Go further*. You need lesson 08, and softmax
# attention from lesson 02. The puzzles `linear_attention`, `delta_attention`, `latent_attention` and `merge` carry
# points like the exercises; ask your instructor whether you need them.

# %% setup="imports"
import math

import numpy as np
import torch
from torch.nn import functional

from autograder import check, cold_questions
from attention import (
    austen, bring_your_own, costs, load_austen, load_trained, reading, scale_pictures, smaller,
)

torch.set_num_threads(1)  # on small tensors several threads are slower, because they wait for each other
check.lesson("09_attention_at_scale")

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# The next cell loads two of your functions of lesson 08, or the course's versions if yours do not pass their checks
# yet. A mistake in lesson 08 costs no points here.

# %% setup="bring_your_own"
rotate = bring_your_own("rotate")
attend_new = bring_your_own("attend_new")

# %% [markdown]
# ## 1. What a model waits for: memory traffic
#
# To make a model faster, you must know what it waits for. A processor fetches numbers from memory, and it computes with
# them. **Memory traffic** is the amount of data that is fetched and written back. Which of the two takes more time,
# fetching or computing?
#
# W is a table of 4,096 × 4,096 numbers, and v is a vector. `W.sum()` adds up all numbers of W. `W @ v` multiplies each
# of them by a number of v first, so it does twice as much arithmetic. Both fetch each number of W once.

# %% [markdown] prompt="guess_traffic"
# ### Predict: twice the arithmetic
# ★☆☆ · 3 minutes
#
# Does `W @ v` take at least twice as long as `W.sum()`? `True` or `False`.

# %% solution="guess_traffic"
### BEGIN SOLUTION
product_takes_twice_as_long = False
### END SOLUTION

# %% test="guess_traffic"
check("guess_traffic")

# %% [markdown] hint="guess_traffic"
# <details><summary>Hint: 67 million bytes</summary>
#
# W does not fit into the processor's own small memory. Which of the two steps, fetching or computing, is the slow one?
# </details>

# %%
# The output depends on the processor.
draws = torch.Generator().manual_seed(0)
W, X = torch.randn(4096, 4096, generator=draws), torch.randn(64, 4096, generator=draws)
tile, short = W[:256, :256].clone(), X[0, :256]
added, product = reading.milliseconds(W.sum), reading.milliseconds(lambda: W @ X[0])  # the fastest of three runs
again = reading.milliseconds(lambda: [tile @ short for _ in range(256)])
one_by_one, at_once = reading.milliseconds(lambda: [W @ x for x in X]), reading.milliseconds(lambda: X @ W.T)
print(f"1. W @ v takes {product / added:.1f} times as long as W.sum()")
print(f"2. a small table, 256 times, the same number of products: {product / again:.1f} times as fast")
print(f"3. 64 vectors at once instead of one by one: {one_by_one / at_once:.1f} times as fast")

# %% [markdown]
# Arithmetic alone does not explain these times.
#
# 1. Twice the arithmetic does not take twice as long, because both wait for W.
# 2. The small table is fetched once. Then it stays in the processor's own small, fast memory, and all later products
#    with it are fast.
# 3. For 64 vectors at once each number of W is fetched once and used 64 times.
#
# Large models run on an **accelerator**, a graphics card (GPU) for example, and there the gap between the two is larger
# still. We have none here, so the next cell *computes* from a data sheet. An NVIDIA H200 fetches 4.8 · 10¹² bytes in a
# second, and does about 989 · 10¹² operations with numbers of two bytes. How many operations could it do while it
# fetches one number?

# %%
BYTES_A_SECOND, OPERATIONS_A_SECOND = 4.8e12, 989e12
print(f"{OPERATIONS_A_SECOND * 2 / BYTES_A_SECOND:.0f} operations")

# %% [markdown]
# A program that does fewer operations than this with each number leaves the accelerator waiting for memory. There are
# three ways to make a model faster: **keep less**, **fetch less often**, and **use what was fetched several times**.
# Sections 2, 3 and 4 take one of these ways each.
#
# ## 2. Grouped-query attention: a smaller cache
#
# **The problem.** The key–value cache (lesson 08) holds a key and a value for each token, each layer and each head. All
# of it is fetched for each new token. (A *layer* is lesson 07's Transformer block. In this lesson a *block* is some
# keys that are read together.) Llama 3.1 8B has 32 layers with 32 query heads of width 128. How large is its cache for
# 128,000 tokens, with two bytes for each number?

# %%
for heads in (32, 8, 1):
    size = 128_000 * 32 * 2 * heads * 128 * 2  # tokens, layers, key and value, kept heads, width, bytes
    print(f"kept heads of keys and values: {heads:2}, cache: {size / 2**30:4.1f} GiB")
print(f"all parameters of the model: {8.03e9 * 2 / 2**30:.1f} GiB")

# %% [markdown]
# With 32 heads the cache would be four times as large as the model. (A GiB has 2³⁰ bytes.)
#
# **The idea.** Keep less: in **grouped-query attention** (GQA) several query heads read the same keys and values. If
# all query heads share a single head of keys and values, this is called **multi-query attention** (MQA). Model code
# calls the number of heads that are kept `num_key_value_heads`; in Llama 3.1 8B it is 8. Noam Shazeer introduced
# multi-query attention in 2019, and Joshua Ainslie and others the groups in 2023.
#
# **Why it works.** A head chooses words by its query. Heads that share their keys still have different queries, so they
# still look at different words. In the picture a line joins each query head to what it reads.

# %%
scale_pictures.shared_heads(8, (8, 2, 1))

# %% [markdown] prompt="grouped_attention"
# ### `grouped_attention`
# ★★☆ · 10 minutes
#
# There are h query heads and g heads of keys and values. Return softmax attention for each query head. Query head i
# reads the keys and values number i // (h / g). The scores are divided by √d. There is no mask. If h is not divisible
# by g, raise a `ValueError`.

# %% solution="grouped_attention"
def grouped_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Return (batch, h, n_q, d_v) for Q (batch, h, n_q, d), K (batch, g, n_k, d) and V (batch, g, n_k, d_v)."""
    ### BEGIN SOLUTION
    h, g = Q.shape[1], K.shape[1]
    if h % g:
        raise ValueError(f"{h} query heads cannot share {g} groups")
    K, V = K.repeat_interleave(h // g, dim=1), V.repeat_interleave(h // g, dim=1)
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    return scores.softmax(dim=-1) @ V
    ### END SOLUTION

# %% test="grouped_attention"
check(grouped_attention)

# %% [markdown] hint="grouped_attention"
# <details data-part="an output for; one group for; query head i"><summary>Hint 1: bring K and V to h heads</summary>
#
# Repeat the heads of K and V until there are h of them. Then it is the attention of lesson 06. (Repeating makes copies,
# so this function saves no memory traffic. Fast programs let several query heads read the same numbers.)
# </details>
# <details data-part="query head i"><summary>Hint 2: in which order they are repeated</summary>
#
# Write down for four query heads and two groups which group each query head reads. Then print
# `torch.arange(2).repeat(2)` and `torch.arange(2).repeat_interleave(2)`, and compare.
# </details>
# <details data-part="ValueError where"><summary>Hint 3: when to refuse</summary>
#
# `h % g` is not 0.
# </details>

# %% [markdown]
# **The gain and the price.** Lesson 07's writer has four heads with keys and values of their own. Now its heads share:
# the matrices of each group are replaced by their average. Each version reads 2,000 words, and we look at the size of
# its cache. Then each is trained on for the same 200 steps, because its heads have to learn to share. Your function
# computes the losses.

# %%
# The output depends on the processor.
old = load_trained("lesson 07")
smaller.compare_shared_heads(old, grouped_attention, attend_new)
Q, (K, V) = torch.randn(1, 32, 5, 64), torch.randn(2, 1, 8, 5, 64)
by_pytorch = functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
print("as PyTorch's own function:", torch.allclose(grouped_attention(Q, K, V), by_pytorch, atol=1e-4))

# %% [markdown]
# With one of four heads the cache is a quarter. The price is a higher loss. Heads that suddenly share do badly, and 200
# steps repair most of the damage. With four heads nothing is shared, and yet the loss rises a little in these steps. So
# compare the three losses after them. Two heads come near to four, and one head comes less near. So most large models
# keep a few heads, such as eight, and not one.
#
# Like lesson 08, this lesson shows real bugs from public projects, cut down to a few lines that raise no error.

# %% [markdown] prompt="real_bug_onnx"
# ### A real bug: the groups of ONNX
# ★☆☆ · 4 minutes
#
# ONNX is a file format for models. It defines attention by simpler operations, and once it did so like this. **In which
# line is the slip?**
#
# **`line_onnx`** · onnx/onnx#7274: “gave us [head0, head1, head0, head1] combinations”
# ```
# 1  each = Q.shape[1] // K.shape[1]
# 2  K, V = K.repeat(1, each, 1, 1), V.repeat(1, each, 1, 1)
# 3  scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
# 4  output = scores.softmax(-1) @ V
# ```

# %% solution="real_bug_onnx"
### BEGIN SOLUTION
line_onnx = 2
### END SOLUTION

# %% test="real_bug_onnx"
check("real_bug_onnx")

# %% [markdown] hint="real_bug_onnx"
# <details><summary>Hint: take small numbers</summary>
#
# Take four query heads and two heads of keys. Write down after each line what it holds, head by head.
# </details>

# %% [markdown]
# ## 3. FlashAttention: no table of scores
#
# **The problem.** Each of n queries meets each of n keys, so the table of scores has n² numbers. The next cell measures
# how much memory attention with such a table allocates. (A MiB has 2²⁰ bytes.)

# %%
def whole_table(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return softmax attention, with a table of all scores."""
    scores = Q / math.sqrt(Q.shape[1]) @ K.T
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised @ V / raised.sum(axis=1, keepdims=True)


costs.compare_memory(whole_table)

# %% [markdown]
# Twice the text takes four times the memory. And memory is traffic: the table is written, fetched for the softmax,
# written again, and fetched for the values. How long would this take on an H200? Again we can only compute it, from the
# two numbers of section 1, for one head with n = 8,192, d = 128 and two bytes for each number:

# %%
n, d = 8192, 128
moved = 4 * n * n * 2  # bytes: four times the table, two bytes for each number
operations = 2 * n * n * 2 * d  # for the scores and for the output, a product and a sum each
print(f"the table: {n * n * 2 / 2**20:.0f} MiB, moved four times: {1000 * moved / BYTES_A_SECOND:.3f} ms")
print(f"all the arithmetic: {1000 * operations / OPERATIONS_A_SECOND:.3f} ms")

# %% [markdown]
# To move the table takes three times as long as all the arithmetic, and in the end only the output is kept.
#
# **The idea.** Fetch less often: read the keys block by block, and never hold more than one block of scores. The
# difficulty is the softmax. It subtracts the largest score first, and this may stand in the last block. An **online
# softmax** subtracts the largest score *so far*, and corrects its sums when a larger one comes (Maxim Milakov and
# Natalia Gimelshein, 2018).
#
# **FlashAttention** (Tri Dao and others, 2022) computes attention like this, with blocks that fit into the
# accelerator's fast memory. PyTorch's `scaled_dot_product_attention` uses it by itself where it can.
#
# **Why it works.** For each query, three things are kept while the blocks are read:
#
# - *top*, the largest score so far,
# - the sum of exp(score − top) over all keys so far,
# - the same sum, with each term multiplied by the value of its key.
#
# At the end the third is divided by the second, which gives softmax attention. Suppose that a larger score comes. For
# every score that was read, exp(score − new top) = exp(score − old top) · exp(old top − new top). So both sums are
# corrected by one factor, exp(old top − new top), and no old score is needed again.
#
# Move the slider, and watch query 0. From two blocks to three its top rises, so its sum falls, although four scores
# were added.

# %%
example = np.random.default_rng(25).normal(size=(3, 16, 16))
scale_pictures.lit_block(example[0, :8], example[1], example[2, :, :1], block=4)

# %% [markdown] prompt="streamed_attention"
# ### `streamed_attention`
# ★★★ · 20 minutes
#
# Return softmax attention, but read the keys `block` at a time. The scores are divided by √d. There is no mask. The
# last block may be shorter. Never make an array of n_q × n_k numbers.

# %% solution="streamed_attention"
def streamed_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, block: int) -> np.ndarray:
    """Return (n_q, d_v) for Q (n_q, d), K (n_k, d) and V (n_k, d_v)."""
    ### BEGIN SOLUTION
    top = np.full((len(Q), 1), -np.inf)
    total = np.zeros((len(Q), 1))
    output = np.zeros((len(Q), V.shape[1]))
    for start in range(0, len(K), block):
        scores = Q @ K[start : start + block].T / math.sqrt(Q.shape[1])
        higher = np.maximum(top, scores.max(axis=1, keepdims=True))
        shrunk, shares = np.exp(top - higher), np.exp(scores - higher)
        total = total * shrunk + shares.sum(axis=1, keepdims=True)
        output = output * shrunk + shares @ V[start : start + block]
        top = higher
    return output / total
    ### END SOLUTION

# %% test="streamed_attention"
check(streamed_attention)

# %% [markdown] hint="streamed_attention"
# <details data-part="scores that fall; scores that are all; each query"><summary>Hint 1: the largest so far</summary>
#
# Each query has its own. Before the first block it is lower than any score: −inf.
# </details>
# <details data-part="several; scores that rise"><summary>Hint 2: when a larger score comes</summary>
#
# Multiply both sums by exp(old top − new top), before you add the new block.
# </details>
# <details data-part="one block; several"><summary>Hint 3: when to divide</summary>
#
# Divide once, at the end: the sum with the values by the sum without them.
# </details>
# <details data-part="no table"><summary>Hint 4: memory</summary>
#
# Which array in your loop is as long as K?
# </details>

# %% [markdown]
# **The gain.** The next cell measures the memory of your own function, with blocks of 64 keys.

# %%
# The output depends on the processor.
costs.compare_memory(whole_table, streamed_attention)

# %% [markdown]
# Now twice the text takes only twice the memory. (In time this gains little on an ordinary processor, but much on an
# accelerator, as computed above.)
#
# **The price.** All n² products are still computed, so twice the text takes four times the arithmetic. No table of
# weights is left to look at. In training the scores have to be computed a second time for the gradients.
#
# ## 4. Speculative decoding: several tokens in one pass
#
# **The problem.** One run of a model, over one token or several, is called a **pass**. A model writes one token in each
# pass, because each token has to be read before the next one can be chosen. Does a pass over several tokens take longer
# than a pass over one? Here is the writer that has read Jane Austen's novels. It has 128 tokens in its cache, and reads
# some more.

# %%
# The output depends on the processor.
writer = load_austen(rotate)
costs.time_passes(writer, attend_new)  # each time is the fastest of three runs

# %% [markdown]
# Three tokens take hardly longer than one. On your processor most of a pass is a fixed cost: Python makes the same
# calls, however many tokens there are. On an accelerator the reason is memory traffic: all parameters are fetched once
# for each pass, and then serve all its tokens (line 3 of section 1).
#
# **The idea.** Use what was fetched several times: something cheap, the **draft**, guesses the next few tokens. The
# model reads all guesses in one pass, so it gets its own probability of each guess. It keeps some guesses and refuses
# the others, in such a way that *each text has exactly the same probability as without guesses*. This is **speculative
# decoding** (Yaniv Leviathan and others, 2022; Charlie Chen and others, 2023).
#
# **Why it works.** (For short, this section also says *word* for a token.) Let q(w) be the draft's probability of a
# word w, and p(w) the model's. A guess w is kept with probability min(1, p(w) / q(w)). If it is refused, a word is
# drawn again, with probabilities in proportion to (p − q)⁺. (x⁺ is x where x is above 0, and 0 elsewhere.)
#
# Here are four words: on the left the guesses, on the right what comes out. All red parts together are as large as all
# purple ones.

# %%
p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.2, 0.5, 0.1])
scale_pictures.kept_and_redrawn(p, q)

# %% [markdown]
# 1. *Kept.* The draft guesses w with probability q(w), and the guess is kept with probability min(1, p(w) / q(w)). So w
#    comes out *as a kept guess* with probability min(q(w), p(w)), the product of both.
# 2. *Missing.* To reach p(w), (p(w) − q(w))⁺ is still missing. For each word, the kept and the refused part are q(w)
#    together, and the kept and the missing part p(w). Both sum to 1 over all words. So all missing parts together are
#    as large as all refused parts.
# 3. *Drawn again.* So each refused guess can be replaced by a word that is drawn in proportion to the missing parts.
#    Then each word gets just what was missing, and it comes out with probability p(w).

# %% [markdown] prompt="keep_or_redraw"
# ### `keep_or_redraw`
# ★★☆ · 12 minutes
#
# `guess` was drawn from the draft's `q`. Keep it with probability min(1, p[guess] / q[guess]). Else draw a word from (p
# − q)⁺, normalised. Return the word as an int.

# %% solution="keep_or_redraw"
def keep_or_redraw(guess: int, p: np.ndarray, q: np.ndarray, rng: np.random.Generator) -> int:
    """Return a word, distributed as p, for the model's p and the draft's q, each (vocabulary,)."""
    ### BEGIN SOLUTION
    if rng.random() < p[guess] / q[guess]:
        return guess
    missing = np.maximum(p - q, 0)
    return int(rng.choice(len(p), p=missing / missing.sum()))
    ### END SOLUTION

# %% test="keep_or_redraw"
check(keep_or_redraw)

# %% [markdown] hint="keep_or_redraw"
# <details data-part="a guess comes; where p and q"><summary>Hint 1: something with probability x</summary>
#
# `rng.random()` is below x with probability x. It is always below 1, so you need no `min`.
# </details>
# <details data-part="else a word; over all; where nothing"><summary>Hint 2: draw again</summary>
#
# `np.maximum(p - q, 0)` is (p − q)⁺. Divide it by its sum. `rng.choice(n, p=...)` draws a position.
# </details>

# %% [markdown]
# Do your words come as often as p says? The next cell draws 5,000 guesses from q, and your function keeps or redraws
# them.

# %%
# The output depends on the processor.
rng = np.random.default_rng(0)
drawn = [keep_or_redraw(int(guess), p, q, rng) for guess in rng.choice(4, 5_000, p=q)]
print("p:            ", p)
print("your function:", np.bincount(drawn, minlength=4) / 5_000)

# %% [markdown]
# Both rows agree, up to chance.
#
# **The gain.** Now the Austen writer guesses ahead. Its draft is a table, which costs almost nothing: for every pair of
# tokens it holds how often the second followed the first in the novels. For each guess, your function gets the p and
# the q for the text before that guess. The first refusal ends the pass, because the later guesses were made as if the
# refused word stood there. How many passes do 400 tokens take, with 0 to 4 guesses in each?

# %%
# The output depends on the processor.
pages, passes = costs.write_by_guesses(writer, keep_or_redraw, attend_new, 400)
scale_pictures.passes(passes)
costs.time_two_guesses(writer, keep_or_redraw, attend_new, 400)

# %% [markdown]
# A pass writes the guesses that were kept, and one token more. So each kept guess saves one pass: subtract a bar from
# 400, and you know about how many guesses were kept. Two guesses in a pass save more than a third of the passes, so the
# text comes faster. Further guesses save less, because each of them counts only if all guesses before it were kept.
#
# The following bug stands in a loop around such a function.

# %% [markdown] prompt="real_bug_mlx"
# ### A real bug: guessing ahead in mlx-lm
# ★☆☆ · 4 minutes
#
# mlx-lm runs language models on Apple's computers. The code is one pass. `kept` is the cache, `step` returns a longer
# one, and `place` is the position of the next word. **In which line is the slip?**
#
# **`line_mlx`** · ml-explore/mlx-lm#1109: “silently produce wrong output”
# ```
# 1  logits, longer = step([word, *guesses], place, kept)
# 2  kept = longer
# 3  right = count_right(guesses, logits)
# 4  place += 1 + right
# ```

# %% solution="real_bug_mlx"
### BEGIN SOLUTION
line_mlx = 2
### END SOLUTION

# %% test="real_bug_mlx"
check("real_bug_mlx")

# %% [markdown] hint="real_bug_mlx"
# <details><summary>Hint: play it through</summary>
#
# Ten words were read, and `place` is 10. There are two guesses, and both are refused. Write down what each variable is
# after each line. Do they fit together when the next pass begins?
# </details>

# %% [markdown]
# **The price.** A draft is needed. The guesses that are refused were read for nothing, and their keys and values have
# to leave the cache. An accelerator that works on many texts at once gains less, because its parameters are used many
# times.
#
# Here are the three ideas side by side. Read each row as a trade: what you get, then what you pay.
#
# | idea | what it saves | what it costs | where it is used | year |
# | --- | --- | --- | --- | --- |
# | grouped-query attention | cache: fewer heads of keys and values | heads differ less | Llama 3, Qwen3 | 2019, 2023 |
# | FlashAttention | moving and holding n² scores | no weights to look at | PyTorch, vLLM | 2018, 2022 |
# | speculative decoding | passes: several tokens in one | a draft, refused guesses | vLLM, llama.cpp | 2022 |

# %% [markdown] written="explain_costs" points=4
# ### Explain: `explain_costs`
# ★★☆ · 10 minutes
#
# Streamed attention multiplies as much as attention with a table. Why is it faster on an accelerator? And why does a
# pass that reads three guessed words cost hardly more than a pass that reads one? Use what you measured or computed in
# this lesson.
#
# ### BEGIN SOLUTION
# **Model answer.** An accelerator can do hundreds of operations in the time in which it fetches one number, so it waits
# for memory, not for arithmetic. With the table n² scores are written and fetched four times: for n = 8,192 this takes
# 0.112 ms, and all the arithmetic 0.035 ms. Streamed attention does the same arithmetic on blocks that stay in the fast
# memory, and the table is never moved; in my measurement it held many times less. A pass has to fetch all parameters,
# however many words it reads. They are fetched once and serve all guessed words, as 64 vectors at once were several
# times as fast as one by one. Here on the processor the calls are a fixed cost as well: three words took hardly longer
# than one.
#
# **Rubric**
# - 1 point: what takes the time is memory traffic, not arithmetic
# - 1 point: streamed attention never writes or fetches the table of n² scores
# - 1 point: a pass has a fixed cost (parameters fetched, or calls made), shared by all its words
# - 1 point: with at least two of the lesson's own measurements or computed numbers
# ### END SOLUTION

# %% [markdown]
# ## 5. Which lines are hers?
#
# Now your functions write a longer text, and you set it beside Jane Austen's own. The writer is small. It has 650,000
# parameters, and the largest models have about a million times as many. What can so small a model learn of her: the
# names, the tone, the sense?
#
# The next cell writes 2,000 tokens, two guesses in each pass, at a temperature of 0.6 (lesson 07). Then it shows five
# pairs. In each pair one beginning of a paragraph is hers, from parts of the novels that the writer has not read. The
# other is by your functions.

# %%
# The output depends on the processor.
tokens, count = costs.write_ahead(writer, keep_or_redraw, attend_new, 2_000, guesses=2, temperature=0.6)
print(f"{len(tokens):,} tokens in {count:,} passes\n")
hers = austen.print_pairs(writer, tokens)

# %% [markdown]
# **Which five are hers?** Write five letters, such as `"ABABA"`, and run the cell. In each pair, note the word that
# gave the machine away.

# %%
your_guess = ""
hits = sum(guess == letter for guess, letter in zip(your_guess, hers))
print(f"hers: {hers}, found by you: {hits} of {len(hers)}" if your_guess else "Guess first.")

# %% [markdown]
# By tossing a coin you would find two or three. If you found more, what gave the machine away? Names, quotation marks
# and tone are like hers. But many of its lines begin well and then forget what they were about. So the small writer has
# learned her tone, and not the sense.
#
# **What you have made.** This text is the work of your functions. `rotate` and `attend_new` (lesson 08) computed its
# attention, with one head of keys and values for four query heads. `keep_or_redraw` decided on every guess. Without
# guesses it would have taken 2,000 passes; the first line of the print says how few it took. Llama 3.1 8B attends by
# the same three means: rotary positions, a key–value cache and shared heads.
#
# ## What you can now do
#
# - say why a model waits for memory, and not for arithmetic;
# - let query heads share their keys and values, and say what `num_key_value_heads` saves and costs;
# - compute attention over blocks of keys, with an online softmax, as FlashAttention does;
# - let a model guess ahead without changing what it writes.
#
# This was the last lesson. You have gone from a weighted sum to the means by which today's models attend. Four more
# ideas follow for those who want more.

# %% [markdown]
# ## Go further: four more ideas
#
# Take the one that you like best. Section 7 builds on section 6, and section 10 returns to section 4.
#
# | idea | what it saves | what it costs | where it is used | year |
# | --- | --- | --- | --- | --- |
# | 6. linear attention | time grows as n, a state, no cache | pairs blur | MiniMax-01 | 2020 |
# | 7. delta rule | a state with latest values | similar keys erase each other | Qwen3-Next | 2021 |
# | 8. latent attention | cache: one short vector a word | more arithmetic | DeepSeek-V3 | 2024 |
# | 9. merging, ring attention | one text on many machines | sending, waiting | FlashInfer | 2023 |
#
# In model code you will also meet **QK-norm** (`q_norm`, `k_norm`): queries and keys are normalised before their
# product is taken, so that the scores cannot grow without limit in training.
#
# ## 6. Linear attention: a state instead of a cache
#
# **The problem.** Grouped-query attention and FlashAttention compute the same n² scores. So the time still grows as n².
#
# **The idea.** Weigh a word by φ(q) · φ(k) instead of exp(q · k), where the **feature map** φ makes each number of a
# vector positive. Then the words read so far can be added up in one small matrix, the **state**, and no key has to be
# kept. This is called **linear attention**, because its time grows linearly with the length of the text (Angelos
# Katharopoulos and others, 2020).
#
# **Why it works.** exp(q · k) has to be computed for each pair of query and key. But in a product of vectors the
# brackets may be moved:
#
# $$\sum_s (\varphi(q) \cdot \varphi(k_s))\, v_s \;=\; \varphi(q) \cdot \sum_s \varphi(k_s)\, v_s^\top$$
#
# On the right side the sum does not contain the query. It is a matrix with a row for each number of a key and a column
# for each number of a value, and each new word is added to it. Finally the result is divided by the sum of all weights,
# as in a softmax. The picture shows, without φ, the matrix in between.

# %%
scale_pictures.two_orders(n=4_000, d=16)

# %% [markdown] prompt="linear_attention"
# ### Puzzle with points: `linear_attention`
# ★★☆ · 14 minutes
#
# φ(x) = x + 1 for x > 0, else exp(x). The output of word t is φ(q_t) · Σ φ(k_s) v_sᵀ, divided by φ(q_t) · Σ φ(k_s).
# Both sums run over all words s ≤ t. Neither time nor memory may grow as n².

# %% solution="linear_attention"
def linear_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return (n, d_v) for Q and K (n, d_k) and V (n, d_v)."""
    ### BEGIN SOLUTION
    queries, keys = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (Q, K))
    state, norm, rows = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
    for query, key, value in zip(queries, keys, V):
        state += np.outer(key, value)
        norm += key
        rows.append(query @ state / (query @ norm))
    return np.array(rows)
    ### END SOLUTION

# %% test="linear_attention"
check(linear_attention)

# %% [markdown] hint="linear_attention"
# <details data-part="an output for; one word; several words"><summary>Hint 1: two running sums</summary>
#
# One is a sum of outer products, (d_k, d_v). The other is a sum of features, (d_k,). For each word add to both first,
# then read.
# </details>
# <details data-part="memory does; time does"><summary>Hint 2: no table</summary>
#
# A loop over the words needs only the two sums. It never looks back.
# </details>

# %%
# The output depends on the processor.
costs.time_growth({"softmax": whole_table, "linear": linear_attention})  # each time is the fastest of three runs

# %% [markdown]
# **The gain.** Look at the last line: with 4,000 words your function takes less than half of the softmax's time. (Such
# short times vary, and with 1,000 words its Python loop may be slower.) Count the operations: twice the text takes your
# function twice as many, and the softmax four times as many.
#
# **The price.** How many pairs of key and value does a state of 16 × 16 numbers hold? The next cell writes some pairs,
# asks with each key, and counts how often the answer is nearest to the right value.

# %%
# The output depends on the processor.
counts = [8, 16, 32, 64, 128]
ways = {"softmax": whole_table, "linear state": linear_attention}
scale_pictures.recall({name: {n: costs.find_pairs(way, n) for n in counts} for name, way in ways.items()})

# %% [markdown]
# All pairs are added up in one matrix, and the more there are, the more they blur. (The softmax misses only where two
# pairs have drawn the same key.) So today's models that use such a state, such as MiniMax-01, keep softmax attention in
# some of their layers.
#
# ## 7. The delta rule: erase, then write
#
# **The problem.** In a text things change: *x = 3*, later *x = 7*. A word that asks for x wants the latest value. Let
# four keys get a new value again and again, eight times each, in random order. Then ask for the latest value of each
# key. A softmax reads all 32 words.

# %% [markdown] prompt="guess_latest"
# ### Puzzle, predict: can softmax attention find the latest value?
# ★☆☆ · 3 minutes
#
# No positions are added. How often is the answer of softmax attention nearest to the *latest* value of the key? Say
# `"almost always"`, `"half"` (of all times) or `"rarely"`.

# %% solution="guess_latest"
### BEGIN SOLUTION
softmax_finds = "rarely"
### END SOLUTION

# %% test="guess_latest"
check("guess_latest")

# %% [markdown] hint="guess_latest"
# <details><summary>Hint: the scores of a key that comes eight times</summary>
#
# The same key stands there eight times, with eight values. Which scores does a query have with them?
# </details>

# %% [markdown]
# Equal keys have equal scores, so the answer is the mean of all eight values. Nothing in the scores tells which value
# came last. A **plain sum** of outer products, which is a linear state without φ and without the division, cannot tell
# it either.
#
# **The idea.** Before a word is written, ask the state for its key. The state returns the old value. Then write only
# the *difference* between the new value and the old one. This is the **delta rule**. Bernard Widrow and Ted Hoff
# trained networks by it in 1960. Attention with it (Imanol Schlag and others, 2021) is called *DeltaNet*.
#
# **Why it works.** If a key k has length 1, then k · k = 1. So its outer product with the difference changes the
# state's answer to k by just this difference, and the answer becomes the new value. The answers to keys at a right
# angle to k do not change. A **strength** β between 0 and 1 says how much is done: with ½ the answer moves half of the
# way.
#
# Here is what two states answer to the keys x and y after each of four words. A red answer is not the latest value.

# %%
words = [("x", 3.0), ("y", 5.0), ("x", 7.0), ("y", 2.0)]
states = {"a plain sum": np.zeros(2), "the delta rule": np.zeros(2)}
answers = {name: [] for name in states}
for key, value in words:
    unit = np.array([key == "x", key == "y"]) * 1.0
    states["a plain sum"] = states["a plain sum"] + unit * value
    states["the delta rule"] = states["the delta rule"] + unit * (value - unit @ states["the delta rule"])
    for name, state in states.items():
        answers[name].append(state)
scale_pictures.written_again("xy", words, {name: np.array(rows) for name, rows in answers.items()})

# %% [markdown] prompt="delta_attention"
# ### Puzzle with points: `delta_attention`
# ★★☆ · 19 minutes
#
# The state S begins at 0. For each word t: ask S with the word's *key*, which gives k_t S. Add to S the outer product
# of β_t k_t and (v_t − k_t S). Then read: the output is q_t S. There is no φ, and nothing is divided. The keys have
# length 1.

# %% solution="delta_attention"
def delta_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Return (n, d_v) for Q and K (n, d_k), V (n, d_v) and the strengths beta (n,)."""
    ### BEGIN SOLUTION
    state, rows = np.zeros((K.shape[1], V.shape[1])), []
    for query, key, value, strength in zip(Q, K, V, beta):
        state += strength * np.outer(key, value - key @ state)
        rows.append(query @ state)
    return np.array(rows)
    ### END SOLUTION

# %% test="delta_attention"
check(delta_attention)

# %% [markdown] hint="delta_attention"
# <details data-part="an output for; one word"><summary>Hint 1: a loop and a state</summary>
#
# The state has the shape (d_k, d_v). `np.outer(key, difference)` has this shape, too.
# </details>
# <details data-part="several words; with strength 1"><summary>Hint 2: the old value</summary>
#
# The old value was stored under the word's key. So it is `key @ state`, not `query @ state`.
# </details>
# <details data-part="several words"><summary>Hint 3: the strength</summary>
#
# β multiplies the whole difference, the new value and the old one.
# </details>

# %%
# The output depends on the processor.
ways = {
    "softmax": lambda asks, K, V: whole_table(30 * asks, 30 * K, V),  # so large that another key gets no weight
    "plain sum": costs.ask_sum,
    "fading sum": lambda asks, K, V: costs.ask_sum(asks, K, V, fade=0.9),
    "delta rule": costs.ask_delta(delta_attention),
}
for name, ask in ways.items():
    again, fresh = costs.find_latest(ask, 4, 8, True), costs.find_latest(ask, 16, 1, False)
    print(f"{name:10}  4 keys, 8 values each: {again:4.0%} found   16 keys, 1 value each: {fresh:4.0%} found")

# %% [markdown]
# **The gain.** Look at the left column: the delta rule finds the latest value, and a softmax without positions does
# not. In a **fading sum** the whole state shrinks with each word. It prefers new words, but it forgets all keys alike.
# (RetNet and Mamba-2 do this.)
#
# **The price.** Look at the right column: the keys there are random, and not at right angles. When one of them is
# erased, a little of the others is erased, too, so a plain sum finds more. So Qwen3-Next keeps softmax attention in one
# of four layers, for what has to be found exactly.
#
# ## 8. Multi-head latent attention: one short vector for all heads
#
# **The problem.** Heads that share keys (section 2) cannot differ in them. Is there a small cache that lets every head
# have keys and values of its own?
#
# **The idea.** All keys and values of a word are made from one and the same row, the vector of this word. So
# **multi-head latent attention** (MLA) keeps one short vector for each word, its **latent vector** c. Each head makes
# its key c W_k and its value c W_v from it, with matrices of its own. Model code calls the width of c `kv_lora_rank`.
# DeepSeek introduced it in 2024 with DeepSeek-V2.
#
# **Why it works.** The keys of all heads need not be made, because in a product of three factors the brackets may be
# moved:
#
# $$q \cdot (c\,W_k) = (q\,W_k^\top) \cdot c$$
#
# On the right side the *query* is multiplied by a matrix, once, and is then compared with the latent vectors
# themselves. W_k is **absorbed** into the query, as papers call it. The values are not made either: first mix the
# latent vectors, then multiply the mixture by W_v, once. Above each picture stands how many numbers have to be held.

# %%
scale_pictures.two_ways_to_a_score(heads=16, words=8192, d=32, r=32)

# %% [markdown] prompt="latent_attention"
# ### Puzzle with points: `latent_attention`
# ★★☆ · 20 minutes
#
# C holds a latent vector for each of n words. Head i has the keys C W_k[i] and the values C W_v[i]. Return softmax
# attention of the queries Q[i] over them, for every head. The scores are divided by √d, where d is the width of a
# query. There is no mask. Never make an array of the keys of all heads, h × n × d numbers, or of their values.

# %% solution="latent_attention"
def latent_attention(Q: np.ndarray, C: np.ndarray, W_k: np.ndarray, W_v: np.ndarray) -> np.ndarray:
    """Return (h, m, d_v) for Q (h, m, d), C (n, r), W_k (h, r, d) and W_v (h, r, d_v)."""
    ### BEGIN SOLUTION
    asked = Q @ W_k.swapaxes(1, 2)
    scores = asked @ C.T / math.sqrt(Q.shape[-1])
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares = raised / raised.sum(axis=-1, keepdims=True)
    return shares @ C @ W_v
    ### END SOLUTION

# %% test="latent_attention"
check(latent_attention)

# %% [markdown] hint="latent_attention"
# <details data-part="an output for; one head: softmax"><summary>Hint 1: shapes</summary>
#
# The queries (h, m, d) become (h, m, r). Their scores are (h, m, n). The mixture of latent vectors is (h, m, r), and
# the output is (h, m, d_v).
# </details>
# <details data-part="one head: softmax; several heads"><summary>Hint 2: a transpose for each head</summary>
#
# `W_k.swapaxes(1, 2)` has the shape (h, d, r). `@` multiplies head by head.
# </details>
# <details data-part="right however"><summary>Hint 3: high scores</summary>
#
# Subtract from each row of scores its largest number, before `np.exp`.
# </details>
# <details data-part="keys and values of all"><summary>Hint 4: memory</summary>
#
# Read `shares @ C @ W_v` from the left: which array is made first? And from the right?
# </details>

# %%
# The output depends on the processor.
costs.compare_latents(latent_attention)

# %% [markdown]
# **The first gain: memory and time.** Nothing is made for each head and word, so your function is small and fast.
#
# **The second gain: a short cache.** Lesson 07's writer keeps 4 · 32 = 128 numbers of each word in a layer. The next
# cell replaces its matrices by the nearest ones that go through a latent vector of r numbers. They are computed from
# the text and not trained, and they run on your function.

# %%
# The output depends on the processor.
pieces = reading.draw_text(old.words)[: 60 * 16].view(60, 16)
for width in (64, 32, 16, 8):
    loss = smaller.loss_with_latents(old, latent_attention, width, pieces)
    print(f"latent vectors of {width:2} numbers, 1/{128 // width} of the cache: {loss:.2f} nats a word")

# %% [markdown]
# Half of the cache costs nothing, because the 128 numbers are all computed from a row of 64 numbers. A quarter costs
# very little.
#
# (Do not compare these losses with those of one shared head in section 2. That head was a plain average, and the
# matrices here are *fitted* to this text.)
#
# **The price.** Each score is now a product of r numbers instead of d, and r is larger. In DeepSeek-V2 r is 512, and
# its 128 heads have keys and values of 128 numbers.
#
# Positions cost something, too. A key that is turned by its position (RoPE, lesson 08) cannot be absorbed: the turn
# stands between q and W_k, and it is different for each word. So DeepSeek-V2 keeps 64 turned numbers beside each latent
# vector. (Our function knows no positions.)

# %%
kept_numbers, with_keys, absorbed = 512 + 64, (128 + 64) + 128, (512 + 64) + 512
print(f"cache of a word and layer: {kept_numbers} numbers, as many as {kept_numbers / (128 + 128)} heads of GQA")
print(f"products for a query, a word and a head: {with_keys} with keys made, {absorbed} absorbed,", end=" ")
print(f"{absorbed / with_keys:.1f} times as many")

# %% [markdown]
# So MLA pays with arithmetic for a small cache. By section 1 this is a good trade where the model waits for memory.
#
# ## 9. Merging partial results: ring attention and split keys
#
# **The problem.** The keys of a very long text do not fit on one machine. And when a model writes, a single query reads
# all keys, and most of an accelerator's processors have nothing to do.
#
# **The idea.** Let each machine, or each processor, attend to its own part of the keys. Each returns its output and one
# number more for each query: the logarithm of the sum of exp(score) over its keys. Code calls it **lse**, for
# *log-sum-exp*. From such pairs the attention over all keys can be computed exactly.
#
# **Ring attention** (Hao Liu and others, 2023) sends the keys round a ring of machines. To divide one text among
# machines is called **sequence parallelism** or *context parallelism*. **Flash-Decoding** (Tri Dao and others, 2023)
# splits the keys of one query among the processors of one accelerator.
#
# **Why it works.** A softmax gives each key the share exp(score) / sum. The share of one part is its sum divided by the
# total sum. So the outputs are mixed in proportion to these sums:
#
# $$\text{output} = \frac{e^{\text{lse}_a}\,\text{output}_a + e^{\text{lse}_b}\,\text{output}_b}
# {e^{\text{lse}_a} + e^{\text{lse}_b}}, \qquad \text{lse} = \ln(e^{\text{lse}_a} + e^{\text{lse}_b})$$
#
# Here are three parts of the keys of one query: above their shares, below their outputs and the merged one:

# %%
scores, values = np.array([2.0, 0.5, 1.0, -1.0, 1.5, 0.0]), np.array([1.0, 4.0, 6.0, 2.0, 8.0, 5.0])
raised, parts = np.exp(scores), [slice(0, 1), slice(1, 4), slice(4, 6)]
pairs = [(raised[one] @ values[one] / raised[one].sum(), np.log(raised[one].sum())) for one in parts]
scale_pictures.weighed_parts(pairs, merged=raised @ values / raised.sum())

# %% [markdown] prompt="merge"
# ### Puzzle with points: `merge`
# ★★☆ · 20 minutes
#
# `a` and `b` are pairs of an output (n_q, d_v) and an lse (n_q,), over two sets of keys without a common key. Return
# the same pair for both sets together. Each query has an lse of its own, which may be several thousand or minus several
# thousand. A set without keys has an lse of −inf and an output of zeros, and leaves the other set as it is. Two such
# sets give zeros and −inf.

# %% solution="merge"
def merge(
    a: tuple[np.ndarray, np.ndarray], b: tuple[np.ndarray, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the output (n_q, d_v) and the lse (n_q,) over both sets of keys."""
    ### BEGIN SOLUTION
    (output_a, lse_a), (output_b, lse_b) = a, b
    lse = np.logaddexp(lse_a, lse_b)
    below = np.where(np.isneginf(lse), 0, lse)
    output = np.exp(lse_a - below)[:, None] * output_a + np.exp(lse_b - below)[:, None] * output_b
    return output, lse
    ### END SOLUTION

# %% test="merge"
check(merge)

# %% [markdown] hint="merge"
# <details data-part="an output and; the output over"><summary>Hint 1: shares</summary>
#
# The share of a is exp(lse_a) / (exp(lse_a) + exp(lse_b)), a number for each query. `[:, None]` makes a column of these
# numbers, so that they multiply the rows.
# </details>
# <details data-part="scores that are; queries and sets"><summary>Hint 2: no overflow</summary>
#
# exp(3000) is too large for a computer. Subtract from both lse the larger of the two, for each query by itself
# (`np.maximum`), before `np.exp`. Afterwards add it to the logarithm again. `np.logaddexp` does this for the lse.
# </details>
# <details data-part="no key in"><summary>Hint 3: no key anywhere</summary>
#
# −inf − (−inf) is not a number. Where both are −inf, subtract 0 instead, and do not divide by 0.
# </details>

# %%
# The output depends on the processor.
costs.compare_parts(merge)
Q, K, V = (np.random.default_rng(1).normal(size=shape) for shape in ((64, 4), (200, 4), (200, 3)))
same = np.allclose(streamed_attention(Q, K, V, 20), whole_table(Q, K, V))
print(f"streamed_attention, block by block, gives the same: {same}")

# %% [markdown]
# **The gain.** Two **threads** are two parts of a program that can run on two processors at the same time. Each read
# half of the keys, and your function merged what they found. The second line says something only while a second
# processor is free.
#
# The last line has a reason: in `streamed_attention` the output is one sum divided by the other, and lse is top plus
# the logarithm of the sum of exp(score − top), and each new block is merged into them.
#
# **The price.** Queries or keys, and all partial results, have to be sent, and all machines wait for the slowest one.

# %% [markdown] prompt="real_bug_flashinfer"
# ### Puzzle, a real bug: the empty sets of FlashInfer
# ★☆☆ · 4 minutes
#
# FlashInfer is a library that serves large models. There, too, a set without keys has an output of zeros and an lse of
# −inf. **In which line does NaN arise first, when both sets have no key?**
#
# **`line_flashinfer`** · flashinfer-ai/flashinfer#4051: “NaN for both the attention output and logsumexp”
# ```
# 1  top = torch.maximum(lse_a, lse_b)
# 2  share_a, share_b = torch.exp(lse_a - top), torch.exp(lse_b - top)
# 3  output = (share_a * output_a + share_b * output_b) / (share_a + share_b)
# 4  lse = top + torch.log(share_a + share_b)
# ```

# %% solution="real_bug_flashinfer"
### BEGIN SOLUTION
line_flashinfer = 2
### END SOLUTION

# %% test="real_bug_flashinfer"
check("real_bug_flashinfer")

# %% [markdown] hint="real_bug_flashinfer"
# <details><summary>Hint: line by line</summary>
#
# Put −inf for both lse, and write down what each line gives. Which differences of infinities are not a number?
# </details>

# %% [markdown]
# ## 10. Speculative decoding, measured
#
# Is the text as good as without guesses? By section 4 it is drawn from the same probabilities, and this can be checked.
# A text that is drawn from the writer's own probabilities surprises the writer by about 3 nats a token. If the guesses
# changed the distribution, this number would change, too. For comparison, the last line keeps every guess without a
# check.

# %%
# The output depends on the processor.
for guesses, page in pages.items():
    print(f"{guesses} guesses, checked by you: {costs.surprise(writer, page):.1f} nats a token")
unchecked, _ = costs.write_ahead(writer, lambda guess, p, q, rng: guess, attend_new, 400, guesses=2)
print(f"2 guesses, not checked:    {costs.surprise(writer, unchecked):.1f} nats a token")

# %% [markdown]
# So the text comes faster, and it is no worse. (With 400 tokens the numbers vary by about 0.2 up or down, by chance.)

# %% [markdown] prompt="words_a_pass"
# ### Puzzle: `words_a_pass`
# ★★☆ · 10 minutes
#
# Suppose that each guess is kept with the same probability `kept`, whatever happened before. The first refusal ends a
# pass. A pass writes the guesses that were kept and one word more: the word that is drawn in place of the refused
# guess, or, if all guesses were kept, a word that is drawn behind them. How many words does a pass with `guesses`
# guesses write on average?

# %% solution="words_a_pass"
def words_a_pass(kept: float, guesses: int) -> float:
    """Return the mean number of words, for 0 ≤ kept ≤ 1 and guesses ≥ 0."""
    ### BEGIN SOLUTION
    return sum(kept**i for i in range(guesses + 1))
    ### END SOLUTION

# %% test="words_a_pass"
check(words_a_pass)

# %% [markdown] hint="words_a_pass"
# <details><summary>Hint: word by word</summary>
#
# The first word is written always. The second word is written only if the first guess was kept. How likely is it that a
# third one is written? Add up.
# </details>

# %%
# The output depends on the processor.
a_pass = {guesses: len(pages[guesses]) / count for guesses, count in passes.items()}
share = min(np.linspace(0, 1, 1001), key=lambda kept: abs(words_a_pass(kept, 1) - a_pass[1]))
print(f"if {share:.0%} of the guesses are kept:")
for guesses, length in a_pass.items():
    print(f"{guesses} guesses: {length:.2f} words a pass measured, {words_a_pass(share, guesses):.2f} computed")

# %% [markdown]
# The share was taken from the line with one guess, so only the lines with more guesses test your formula.
#
# *Credits.* Shared keys: Shazeer, 2019; in groups: Ainslie and others, 2023. Latent attention: DeepSeek-AI, 2024.
# Online softmax: Milakov and Gimelshein, 2018. FlashAttention: Dao and others, 2022. Ring attention: Liu, Zaharia and
# Abbeel, 2023. Linear attention: Katharopoulos and others, 2020. Delta rule: Widrow and Hoff, 1960; Schlag, Irie and
# Schmidhuber, 2021; with fading: Yang, Kautz and Hatamizadeh, 2024. Guesses: Leviathan, Kalman and Matias, 2022; Chen
# and others, 2023. QK-norm: Henry and others, 2020. The numbers of the H200 are from NVIDIA's data sheet, those of
# Llama 3.1 8B and DeepSeek-V2 from their configurations. (The sheet's 1,979 · 10¹² operations also count products with
# zeros, which the H200 can skip.)
