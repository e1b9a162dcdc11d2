# %% [markdown]
# # Attention at scale: fast and small
#
# *How do large models stay fast and small, and what do they pay for it?* Llama 3.1 8B is a model with eight billion
# parameters, and it reads up to 128,000 tokens at once. If each of its heads kept keys and values of its own, the
# key–value cache of one such text would be four times as large as all the parameters together. (For short, this
# lesson also says *word* for a token.)
#
# You write three functions. The first one allows a smaller cache. The second computes attention without its large table
# of scores. The third lets a model write several tokens in one step. At the end a writer that has read Jane Austen's
# novels writes a page with your functions, and you measure what they save.
#
# The lesson takes about 120 minutes, and 160 more for the puzzles behind *Go further*. You need lessons 06 to 08, and
# softmax attention from lesson 02. The puzzles `linear_attention`, `delta_attention`, `latent_attention` and `merge`
# carry points like the exercises; ask your instructor whether you need them.

# %% setup="imports"
import math

import numpy as np
import torch
from torch.nn import functional

from autograder import check, cold_questions
from attention import (
    austen, bring_your_own, costs, load_austen, load_trained, scale_pictures, smaller,
)

torch.set_num_threads(1)  # on small tensors several threads are slower, because they wait for each other
check.lesson("09_attention_at_scale")

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# The next cell loads two of your functions of lesson 08, or the course's versions if yours do not pass their checks
# yet.

# %% setup="bring_your_own"
rotate = bring_your_own("rotate")
attend_new = bring_your_own("attend_new")

# %% [markdown]
# ## 1. What a model waits for: memory traffic
#
# To make a model faster, you must know what it waits for. A processor fetches numbers from memory, and it computes with
# them. **Memory traffic** is the amount of data that is fetched and written back. Which takes more time, fetching or
# computing?
#
# W is a table of 4,096 × 4,096 numbers, and v is a vector. `W.sum()` adds up all numbers of W. `W @ v` multiplies each
# by a number of v first, so it does twice as much arithmetic. Both fetch each number of W once.

# %% [markdown] prompt="guess_traffic"
# ### Predict: twice the arithmetic
# ★☆☆ · 2 minutes
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
costs.time_traffic(W, X)  # each time is the fastest of three runs

# %% [markdown]
# 1. If only arithmetic counted, this would be about 2. If only fetching counted, it would be about 1. Your number
#    probably lies between.
# 2. For 64 vectors at once a number of W that was fetched is used several times.
# 3. The 64 small products do as much arithmetic as `W @ v`. Their matrix fits into the small, fast memory inside most
#    processors.
#
# Lines 2 and 3 suggest that much of the time goes into fetching. Large models run on an **accelerator**, a graphics
# card (GPU) for example. An NVIDIA H200 fetches 4.8 · 10¹² bytes in a second, and does about 989 · 10¹² operations with
# numbers of two bytes. The next cell *computes* how many operations it could do while it fetches one number.

# %%
BYTES_A_SECOND, OPERATIONS_A_SECOND = 4.8e12, 989e12
print(f"{OPERATIONS_A_SECOND * 2 / BYTES_A_SECOND:.0f} operations")

# %% [markdown]
# If a program does fewer than about 400 operations with each number that it fetches, the accelerator waits. A model
# that writes one token uses each parameter for one product and one sum. So there are three ways to make a model faster:
# *keep less* (section 2), *fetch less often* (section 3), and *use several times* what was fetched (section 4).
#
# ## 2. Grouped-query attention: a smaller cache
#
# **The problem.** For each new token a model fetches its whole key–value cache (lesson 08), so a large cache makes it
# slow. The cache holds a key and a value for each token, each layer and each head. (A *layer* is lesson 07's
# Transformer block.) Llama 3.1 8B has 32 layers with 32 query heads of width 128. How large is its cache for 128,000
# tokens, with two bytes for each number? (A GiB has 2³⁰ bytes.)

# %%
for heads in (32, 8, 1):
    size = 128_000 * 32 * 2 * heads * 128 * 2  # tokens, layers, key and value, kept heads, width, bytes
    print(f"kept heads of keys and values: {heads:2}, cache: {size / 2**30:4.1f} GiB")
print(f"all parameters of the model: {8.03e9 * 2 / 2**30:.1f} GiB")

# %% [markdown]
# **The idea.** In **grouped-query attention** (GQA) several query heads read the same keys and values, so fewer heads
# have to be kept. If all query heads share a single head of keys and values, this is called **multi-query attention**
# (MQA). Model code calls the number of kept heads `num_key_value_heads`; in Llama 3.1 8B it is 8. (Noam Shazeer, 2019;
# in groups: Joshua Ainslie and others, 2023.)
#
# **Why it works.** A head chooses words by its query. Heads that share their keys still have different queries, so they
# can still look at different words.

# %%
scale_pictures.shared_heads(8, (8, 2, 1))

# %% [markdown] prompt="grouped_attention"
# ### `grouped_attention`
# ★★☆ · 10 minutes
#
# There are h query heads and g heads of keys and values. Return softmax attention for each query head. Query head i
# reads the keys and values number i // (h // g). With h = 4 and g = 2, for example, the query heads 0 and 1 read number
# 0, and the query heads 2 and 3 read number 1. The scores are divided by √d. There is no mask. If h is not divisible by
# g, raise a `ValueError`.

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
# so it saves no memory traffic.)
# </details>
# <details data-part="query head i"><summary>Hint 2: in which order they are repeated</summary>
#
# The query heads of the example read 0, 0, 1, 1. Print `torch.arange(2).repeat(2)` and
# `torch.arange(2).repeat_interleave(2)`, and compare.
# </details>
# <details data-part="ValueError where"><summary>Hint 3: when to refuse</summary>
#
# `h % g` is not 0.
# </details>

# %% [markdown]
# **The gain.** Lesson 07's writer has four heads with keys and values of their own. Now its heads share: in each group
# the key matrices are replaced by their average, and so are the value matrices. Heads have to learn to share, so all
# three versions are trained for 200 more steps. Your function then computes the losses (in nats).

# %%
# The output depends on the processor.
old = load_trained("lesson 07")
smaller.compare_shared_heads(old, grouped_attention, attend_new)

# %% [markdown]
# **The price.** Heads that share can differ less. The 200 steps alone raised the loss without sharing, from 1.90
# (section 7) to 1.94. So compare the other lines with 1.94: sharing costs about 0.1 and 0.3 nats. We did not test more
# steps.

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
# <details><summary>Hint: beside your own function</summary>
#
# Compare the lines with your `grouped_attention`. Which one puts the heads into another order?
# </details>

# %% [markdown]
# ## 3. FlashAttention: no table of scores
#
# **The problem.** Each of n queries meets each of n keys, so the table of scores has n² numbers. It is written, fetched
# for the softmax, written again, and fetched for the values. How long does this take on an H200? We compute it for one
# head with n = 8,192, d = 128 and two bytes for each number. (A MiB has 2²⁰ bytes.)

# %%
n, d = 8192, 128
table = n * n * 2  # bytes
operations = 2 * n * n * 2 * d  # for the scores and for the output, a product and a sum each
print(f"the table: {table / 2**20:.0f} MiB, moved four times: {1000 * 4 * table / BYTES_A_SECOND:.3f} ms")
print(f"the arithmetic, without the softmax: {1000 * operations / OPERATIONS_A_SECOND:.3f} ms")

# %% [markdown]
# To move the table takes three times as long as this arithmetic.
#
# **The idea.** Read the keys in *blocks*, some keys at a time (these are not Transformer blocks), and never hold more
# than one block of scores. The softmax subtracts the largest score, which may stand in the last block. So an **online
# softmax** subtracts the largest score *so far*, and corrects its sums when a larger one comes (Maxim Milakov and
# Natalia Gimelshein, 2018). **FlashAttention** (Tri Dao and others, 2022) computes attention like this, with blocks
# of queries and keys that fit into a small, fast memory inside the accelerator (as in line 3 of section 1).
#
# **Why it works.** For each query, three things are kept while the blocks are read:
#
# - *top*, the largest score so far,
# - the sum of exp(score − top) over all keys so far,
# - the sum of exp(score − top) · v, where v is the value of the key, a vector.
#
# At the end this vector is divided by the other sum, which gives softmax attention.
#
# Suppose that the first block has the scores 1 and 3. Then top is 3, and the sum is exp(1 − 3) + exp(3 − 3) = 1.135.
# The next block has the score 5, so top becomes 5. Each old term has to change from exp(score − 3) to exp(score − 5),
# which is the old term times exp(3 − 5). So the whole sum is multiplied by one factor, exp(old top − new top), and no
# old score is needed again. The sum becomes 1.135 · exp(3 − 5) + exp(5 − 5) = 1.154. The vector is multiplied by the
# same factor.
#
# Move the slider, and watch query 0. From two blocks to three its top rises.

# %%
example = np.random.default_rng(25).normal(size=(3, 16, 16))
scale_pictures.lit_block(example[0, :8], example[1], example[2, :, :1], block=4)

# %% [markdown] prompt="streamed_attention"
# ### `streamed_attention`
# ★★★ · 20 minutes
#
# Return softmax attention, but read the keys `block` at a time. Before the first block, the top of each query is −inf,
# and both sums are 0. The scores are divided by √d. There is no mask. The last block may be shorter. Never hold the
# scores of more than `block` keys at once.

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
# Cut out one block of K and of V, `K[start : start + block]`, before you multiply.
# </details>

# %% [markdown]
# **The gain.** How much memory is held at once, with the whole table and by your function with blocks of 64 keys?

# %%
# The output depends on the processor.
costs.compare_memory(streamed_attention)

# %% [markdown]
# With the table, twice the text takes four times the memory, and with your function only twice. (The softmax of the
# whole table holds three arrays of n² numbers at once.) We measured memory, not time. For time on GPUs, the
# FlashAttention paper reports that GPT-2 was trained up to three times as fast.
#
# **The price.** No table of weights is left to look at.
#
# ## 4. Speculative decoding: several tokens in one pass
#
# **The problem.** One run of a model, over one token or several, is called a **pass**. A model writes one token in each
# pass, because each token has to be read before the next one can be chosen. Does a pass over several tokens take longer
# than a pass over one? The writer that has read Jane Austen's novels has 128 tokens in its cache, and reads some more.

# %%
# The output depends on the processor.
writer = load_austen(rotate)
costs.time_passes(writer, attend_new)  # each time is the fastest of three runs

# %% [markdown]
# Three tokens take much less than three times as long as one. A likely reason here is that Python makes the same calls,
# however many tokens there are. On an accelerator there is another reason: all parameters are fetched once for each
# pass, and then serve all its tokens (line 2 of section 1).
#
# **The idea.** Something cheap, the **draft**, guesses the next few tokens. The model reads the last token and all
# guesses in one pass, which gives its probabilities after each of them. It keeps some guesses and refuses the others,
# so that *each text has exactly the same probability as without guesses*. This is **speculative decoding** (Yaniv
# Leviathan and others, 2022; Charlie Chen and others, 2023).
#
# **Why it works.** (In this section q is not a query.) Let q(w) be the draft's probability of a word w, and p(w) the
# model's. A guess w is kept with probability min(1, p(w) / q(w)). If it is refused, another word is drawn instead, with
# probabilities in proportion to (p − q)⁺. (x⁺ is x where x is above 0, and 0 elsewhere.) Here are four words: on the
# left the guesses, on the right what comes out.

# %%
p, q = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.2, 0.5, 0.1])
scale_pictures.kept_and_redrawn(p, q)

# %% [markdown]
# 1. *Guessed too often.* Word 2 is guessed with probability 0.50, but the model gives it 0.15. Its guess is kept with
#    probability 0.15 / 0.50, so it comes out with probability 0.15.
# 2. *Guessed too seldom.* Word 0 is guessed with probability 0.20, but the model gives it 0.50. Each of its guesses is
#    kept, and 0.30 is missing.
# 3. *Drawn instead.* The refused parts (red) are 0.35 + 0.05 = 0.40, and the missing parts (purple) 0.30 + 0.10 = 0.40.
#    Both sums are always equal, because p and q both sum to 1. Each refused guess is replaced by a word that is drawn
#    in proportion to the missing parts. Word 0 has 0.30 / 0.40 = 0.75 of them, so it is drawn with probability
#    0.40 · 0.75 = 0.30, just what was missing. So each word comes out as p says.
#
# If a guess is kept, the next guess is judged with the probabilities after it, and the same argument holds. The first
# refusal ends the pass, because the later guesses were made as if the refused word stood there. If all guesses are
# kept, one word more is drawn, from the model's probabilities after the last guess.

# %% [markdown] prompt="keep_or_redraw"
# ### `keep_or_redraw`
# ★★☆ · 10 minutes
#
# `guess` was drawn from the draft's `q`. Keep it with probability min(1, p[guess] / q[guess]). Else draw a word from
# (p − q)⁺, normalised. Return the word as an int. In the example above the guess 2 is kept with probability
# 0.15 / 0.50 = 0.3. Else a word is drawn from (0.3, 0.1, 0, 0) / 0.4 = (0.75, 0.25, 0, 0).

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
# <details data-part="else a word; over all; where only"><summary>Hint 2: draw another word</summary>
#
# `np.maximum(p - q, 0)` is (p − q)⁺. Divide it by its sum. `rng.choice(n, p=...)` draws a position.
# </details>

# %% [markdown]
# **The gain.** Now this writer guesses ahead. Its draft is a table: for every pair of tokens it holds how often
# the second followed the first in the novels. How many passes do 400 tokens take, with 0 to 4 guesses in each?

# %%
# The output depends on the processor.
pages, passes = costs.write_by_guesses(writer, keep_or_redraw, attend_new, 400)

# %% [markdown]
# A pass writes the guesses that are kept and one word more. So each kept guess saves a pass. Further guesses save less,
# because each of them counts only if all guesses before it were kept. (With a small model as the draft of a large one,
# the paper of 2022 reports texts that come two to three times as fast.)
#
# **The price.** A draft is needed. The guesses that are refused were read for nothing, and their keys and values have
# to leave the cache.

# %% [markdown] prompt="real_bug_mlx"
# ### A real bug: guessing ahead in mlx-lm
# ★☆☆ · 4 minutes
#
# mlx-lm runs language models on Apple's computers. The code is one pass. `step` returns a longer cache, and `place` is
# the position of the next word. `count_right` counts the guesses before the first refusal. **Which line leaves a wrong
# cache for the next pass?**
#
# **`line_mlx`** · ml-explore/mlx-lm#1109: “silently produce wrong output”
# ```
# 1  logits, longer = step([word, *guesses], place, cache)
# 2  cache = longer
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

# %% [markdown] written="explain_costs" points=4
# ### Explain: `explain_costs`
# ★★☆ · 10 minutes
#
# Streamed attention does no less arithmetic than attention with a table. Why is it faster on an accelerator? And why
# does one pass over three words cost much less than three passes over one? Use what you measured or computed in this
# lesson. (4 points)
#
# ### BEGIN SOLUTION
# **Model answer.** For n = 8,192, moving the table takes an H200 0.112 ms (it is written twice and fetched twice). The
# arithmetic without the softmax takes 0.035 ms. So the accelerator waits for memory, not for arithmetic. Streamed
# attention computes on blocks that stay in the fast memory, and the table is never moved; in my measurement it held
# many times less. A pass has to fetch all parameters, however many words it reads. They are fetched once and serve all
# guessed words, as 64 vectors at once were several times as fast as one by one. Here on the processor the calls are a
# fixed cost as well: three words took less than twice as long as one.
#
# **Rubric**
# - 1 point: what takes the time is memory traffic, not arithmetic
# - 1 point: streamed attention never writes or fetches the table of n² scores
# - 1 point: a pass has a fixed cost (parameters fetched, or calls made), shared by all its words
# - 1 point: with at least two of the lesson's own measurements or computed numbers
# ### END SOLUTION

# %% [markdown]
# ## 5. One page, faster and with the same probabilities
#
# Now two of your functions write together. `streamed_attention` reads the cache in blocks of 16 keys. Each token gets a
# call with just the keys that it may read, so no mask is needed. `keep_or_redraw` decides on two guesses in each pass.
# The temperature of 0.6 (lesson 07) makes likely words likelier, in p and q alike. The writer has only 650,000
# parameters. So in each of three pairs you will easily find the beginning of a paragraph that is Jane Austen's own.

# %%
# The output depends on the processor.
mine = costs.by_blocks(streamed_attention, block=16)
tokens, _ = costs.write_ahead(writer, keep_or_redraw, mine, 1_200, guesses=2, temperature=0.6)
hers = austen.print_pairs(writer, tokens)

# %% [markdown]
# Note three letters, then run the next cell. It also prints how your page begins.

# %%
# The output depends on the processor.
print("hers:", *hers)
austen.print_page(writer, tokens)

# %% [markdown]
# **The same probabilities?** The draft reads only the last token, and the writer reads the whole text. After *“How do
# you”* they disagree. Here, at temperature 1, the draft guesses 10,000 times what comes next, and your `keep_or_redraw`
# decides each time. Which words come out?

# %%
# The output depends on the processor.
scale_pictures.what_comes_out(costs.draw_next(writer, keep_or_redraw, '"How do you', 10_000))

# %% [markdown]
# These eight words come out about as often as the writer alone would choose them, although the draft seldom guesses
# *think* or *mean*.
#
# **Smaller and faster?** The writer has four query heads and keeps one head of keys and values. First, each of your two
# attentions writes section 4's page of 400 tokens again, without guesses and with the same random numbers. Second, the
# writer reads 2,048 tokens, and its cache is compared with that of four kept heads. Then it reads one token more, and
# the memory of your blocks is compared with that of all scores at once. Third, two guesses are timed.

# %%
# The output depends on the processor.
costs.compare_own(writer, pages[0], attend_new, grouped_attention, mine, keep_or_redraw)

# %% [markdown]
# Both attentions write the same page, token by token. The cache is smaller because the writer keeps one head. With
# guesses another page comes, from the same probabilities and in less time. The gain in time is usually smaller than in
# passes: a pass over three tokens takes longer than one, and guessing takes time, too.
#
# All ideas of this lesson side by side. The first three you have now; the others stand in sections 6 and 7.
#
# | idea | what it saves | what it costs | where it is used | year |
# | --- | --- | --- | --- | --- |
# | grouped-query attention | cache: fewer heads of keys and values | heads can differ less | Llama 3, Qwen3 | 2023 |
# | FlashAttention | moving and holding n² scores | no weights to look at | PyTorch | 2022 |
# | speculative decoding | passes: several tokens in one | a draft, refused guesses | vLLM | 2022 |
# | linear attention | the cache, and time that grows as n² | finds fewer old pairs | MiniMax-01 | 2020 |
# | delta rule | the same, and it finds the latest value | erases parts of other values | Qwen3-Next | 2021 |
# | latent attention | cache: one short vector a word | a short vector holds less | DeepSeek-V2 | 2024 |
# | ring attention | no machine holds all keys | parts are sent and merged | training on long texts | 2023 |

# %% [markdown]
# ## Go further
#
# Take the idea that you like best. The three parts of section 7 do not need each other.
#
# ## 6. A state instead of a cache: linear attention and the delta rule
#
# **The problem.** Grouped-query attention and FlashAttention still compute n² scores, so the time grows as n².
#
# **The idea.** Weigh a word by φ(q) · φ(k) instead of exp(q · k). The **feature map** φ makes each number of a vector
# positive, so that this weight is positive, too. Then the words read so far can be added up in one small matrix, the
# **state**, and no key has to be kept. This is called **linear attention**, because its time grows linearly with the
# length of the text (Angelos Katharopoulos and others, 2020).
#
# **Why it works.** exp(q · k) has to be computed for each pair of query and key. But in a product of vectors the
# brackets may be moved:
#
# $$\sum_s (\varphi(q) \cdot \varphi(k_s))\, v_s \;=\; \varphi(q)^\top \sum_s \varphi(k_s)\, v_s^\top$$
#
# On the right side the sum is a matrix without the query, so it serves all later queries. The picture leaves out φ, the
# division and the causal mask, so it has one matrix for all queries.

# %%
scale_pictures.two_orders(n=4_000, d=16)

# %% [markdown] prompt="linear_attention"
# ### Puzzle with points: `linear_attention`
# ★★☆ · 30 minutes
#
# φ(x) = x + 1 for x > 0, else exp(x): this is always positive, without a jump at 0. The output of word t is φ(q_t)ᵀ Σ
# φ(k_s) v_sᵀ, divided by φ(q_t) · Σ φ(k_s). Both sums run over all words s ≤ t. Neither time nor memory may grow as n².

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

# %% [markdown]
# **The gain.** The time grows more slowly.

# %%
# The output depends on the processor.
costs.time_growth({"softmax": costs.whole_table, "linear": linear_attention})  # the fastest of three runs each

# %% [markdown]
# With 4,000 words your function takes less than half of the softmax's time.
#
# **The price.** The state has 16 × 16 numbers, however many pairs are written, so it cannot keep them all apart. The
# next cell writes pairs of key and value, asks with each key, and counts how often the answer is nearest to the right
# value. Each number of a key is 30 with probability ¼, else −30, so φ makes it 31 or almost 0. Then φ(q) · φ(k) grows
# with the number of places where both have 31. The values are random vectors of length 1.

# %%
# The output depends on the processor.
counts = [8, 16, 32, 64, 128]
ways = {"softmax": costs.whole_table, "linear state": linear_attention}
scale_pictures.recall({name: {n: costs.find_pairs(way, n) for n in counts} for name, way in ways.items()})

# %% [markdown]
# The more pairs, the smaller the share that the state finds. (Some keys are equal, so the softmax misses some pairs,
# too.) One remedy is to keep softmax attention in some layers, as the language model MiniMax-01 does.
#
# ### The delta rule: erase, then write
#
# **The problem.** In a text things change: *x = 3*, later *x = 7*. A word that asks for x wants the latest value. Let
# each of four keys get eight values, one after the other, in random order. Then ask for the latest value of each key.

# %% [markdown] prompt="guess_latest"
# ### Puzzle, predict: can softmax attention find the latest value?
# ★☆☆ · 5 minutes
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
# Equal keys have equal scores, so all eight values of a key get the same weight, whichever came last. A **plain sum**
# of outer products, which is a linear state without φ and without the division, only adds the values up.
#
# **The idea.** Before a value is stored, ask the state with its key. If the other keys are at right angles to it, the
# answer is the old value. Otherwise parts of other values are mixed in. Store only the *difference* between the new
# value and this answer. This is the **delta rule**. (Attention with it is called *DeltaNet*: Imanol Schlag and others,
# 2021.)
#
# **Why it works.** If a key k has length 1, then k · k = 1. So its outer product with the difference changes the
# state's answer to k by just this difference, and the answer becomes the new value. The answers to keys at a right
# angle to k do not change. A **strength** β between 0 and 1 says how much is done: with ½ the answer moves half of the
# way. A model computes β from the word's vector.
#
# Here is what two states answer to the keys x and y after each of four words. The frame marks the key that was just
# written. A red answer is not the latest value.

# %%
scale_pictures.written_again("xy", [("x", 3.0), ("y", 5.0), ("x", 7.0), ("y", 2.0)])

# %% [markdown] prompt="delta_attention"
# ### Puzzle with points: `delta_attention`
# ★★☆ · 34 minutes
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

# %% [markdown]
# **The gain.** The left column counts how often the latest value is found.

# %%
# The output depends on the processor.
costs.compare_latest(delta_attention)

# %% [markdown]
# **The price.** In the right column each key has one value, and the keys are random, not at right angles. So each write
# erases parts of the earlier values. A plain sum erases nothing, and finds more. The remedy is the same: in the
# language model Qwen3-Next one of four layers has softmax attention.
#
# ## 7. Three ideas, one step further
#
# ### A smaller cache: multi-head latent attention
#
# **The problem.** Heads that share keys (section 2) cannot differ in them. Is there a small cache that lets every head
# have keys and values of its own?
#
# **The idea.** Keep one short vector for each word, its **latent vector** c. Each head makes its key c W_k and its
# value c W_v from it, with matrices of its own. This is **multi-head latent attention** (MLA; DeepSeek-V2, 2024). Model
# code calls the width of c `kv_lora_rank`.
#
# **Why it works.** The cache is small, because c is kept once for all heads. No head has to make its keys from c,
# because in a product of three factors the brackets may be moved:
#
# $$q \cdot (c\,W_k) = (q\,W_k^\top) \cdot c$$
#
# On the right side the *query* is multiplied by a matrix, once, and is then compared with the latent vectors
# themselves. W_k is **absorbed** into the query, as papers call it. The values are not made either: first mix the
# latent vectors, then multiply the mixture by W_v, once.

# %%
scale_pictures.two_ways_to_a_score(heads=16, words=8192, d=32, r=32)

# %% [markdown] prompt="latent_attention"
# ### Puzzle with points: `latent_attention`
# ★★☆ · 37 minutes
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

# %% [markdown]
# **The gain.** One query of 16 heads looks at 8,192 words. The first line makes keys and values from the latent
# vectors, and your function does not.

# %%
# The output depends on the processor.
costs.compare_latents(latent_attention)

# %% [markdown]
# **The price.** A short vector holds less. Lesson 07's writer keeps 128 numbers of each word in a layer. The next cell
# replaces its matrices, without training, by those that go through a latent vector of r numbers and change the keys and
# values of the text least (a singular value decomposition finds them).

# %%
# The output depends on the processor.
smaller.compare_latent_widths(old, latent_attention)

# %% [markdown]
# Half of the cache costs nothing, because the 128 numbers are all computed from a row of 64 numbers. (With the same
# cache, two shared heads cost about 0.1 nats in section 2.) A quarter costs little, and a sixteenth costs much. With
# RoPE (lesson 08) W_k cannot be absorbed, because each key is turned by its own position. So DeepSeek-V2 keeps a short
# extra key of 64 numbers beside each latent vector, which carries the position.
#
# ### Blocks on many machines: ring attention and split keys
#
# **The problem.** The keys of a very long text do not fit on one machine, and a softmax needs all of them.
#
# **The idea.** Attend to each part of the keys by itself. This gives each query an output and one number more: the
# logarithm of the sum of exp(score) over these keys. Code calls it **lse**, for *log-sum-exp*. From such pairs the
# attention over all keys can be computed exactly.
#
# To divide one text among machines is called **sequence parallelism**. In **ring attention** (Hao Liu and others, 2023)
# the parts of the keys travel round a ring of machines, each with its own queries. The same merging serves
# **Flash-Decoding** (Tri Dao and others, 2023), which splits the keys among the processors of one accelerator.
#
# **Why it works.** A softmax gives each key the share exp(score) / sum. The share of one part is its sum divided by the
# total sum. So the outputs are mixed in proportion to these sums, as section 3 joins its blocks:
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
# ★★☆ · 37 minutes
#
# `a` and `b` are pairs of an output (n_q, d_v) and an lse (n_q,), over two sets of keys without a common key. Return
# the same pair for both sets together. Each query has an lse of its own, which may be several thousand or minus several
# thousand. A set without keys has an lse of −inf and an output of zeros, so merged with it the other pair is unchanged.
# Two such sets give zeros and −inf.

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
# exp(3000) is too large for a computer. As in section 3, subtract from both lse the larger of the two, for each query
# by itself (`np.maximum`), before `np.exp`. Afterwards add it to the logarithm again. `np.logaddexp` does this for the
# lse.
# </details>
# <details data-part="no key in"><summary>Hint 3: no key anywhere</summary>
#
# −inf − (−inf) is not a number. Where both are −inf, subtract 0 instead, and do not divide by 0.
# </details>

# %% [markdown]
# **The gain.** The next cell measures four parts, one after the other. Then the Austen writer writes its page again,
# with its keys in two parts.

# %%
# The output depends on the processor.
costs.compare_parts(merge)
again, _ = costs.write_ahead(writer, keep_or_redraw, costs.by_parts(merge, 2), 400, guesses=0)
print(f"the writer's page from two parts is the same: {again == pages[0]}")

# %% [markdown]
# Each part holds a quarter of the keys and of the scores, and takes less time than the whole.
#
# **The price.** Either keys and values have to be sent, or queries and partial results. And all machines wait for the
# slowest one.

# %% [markdown] prompt="real_bug_flashinfer"
# ### Puzzle, a real bug: the empty sets of FlashInfer
# ★☆☆ · 5 minutes
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
# ### How many guesses? The words of a pass
#
# Each further guess saves less (section 4), but it has to be read all the same. Here you compute only what guesses
# gain: how many words a pass writes.

# %% [markdown] prompt="words_a_pass"
# ### Puzzle: `words_a_pass`
# ★★☆ · 12 minutes
#
# Suppose that each guess is kept with the same probability `kept`, whatever happened before. The first refusal ends a
# pass. A pass writes the guesses that were kept and one word more (section 4). How many words does a pass with
# `guesses` guesses write on average?

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
costs.compare_words_a_pass(words_a_pass, pages, passes)

# %% [markdown]
# The share was taken from the line with one guess, so only the lines with more guesses test your formula. Measured and
# computed differ by less than a fifth. A page of 400 words is short, and guesses may not be kept independently.

# %% [markdown]
# ## What you can now do
#
# - say why a model waits for memory;
# - let query heads share their keys and values;
# - compute attention over blocks of keys, with an online softmax, as FlashAttention does;
# - let a model guess ahead without changing the probabilities of what it writes.
#
# This was the last lesson. You began with a weighted sum, and now you have written the parts by which today's models
# attend. Llama 3.1 8B, for example, has rotary positions, a key–value cache and shared heads.
#
# **Read on.** [Grouped queries](https://arxiv.org/abs/2305.13245) · [FlashAttention](https://arxiv.org/abs/2205.14135)
# · [Speculative decoding](https://arxiv.org/abs/2211.17192) · [Linear attention](https://arxiv.org/abs/2006.16236) ·
# [DeltaNet](https://arxiv.org/abs/2102.11174) · [DeepSeek-V2](https://arxiv.org/abs/2405.04434).
#
# *Credits.* Delta rule: Widrow and Hoff, 1960. The numbers of the H200 are from NVIDIA's data sheet (its 1,979 · 10¹²
# operations assume that half of the numbers are zeros, which are skipped), those of Llama 3.1 8B and DeepSeek-V2 from
# their configurations.
