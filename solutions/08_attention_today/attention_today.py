# %% [markdown]
# # Attention today
#
# Lesson 07's writer has learned to read sixteen words. Let it go on:
#
# > *the painter painted the wall green . the wall blue . the wall on …*
#
# Three small ideas mend that: **turn** instead of add, **keep** what was read, **forget** what is old. With them it
# writes 2,000 words, each read once. A fourth, **share**, and three more save room or time. Each costs something.
#
# You need lessons 06 and 07. It takes about 110 minutes, and 20 more for the puzzles.

# %% setup="imports"
import math
import time
import tracemalloc

import numpy as np
import torch
from torch.nn import functional

from autograder import check, cold_questions
from attention import (
    grammatical, load_gpt2, load_trained, repeats, sentences, today_pictures, two_writers, watch_text,
)

torch.set_num_threads(1)  # on small tensors threads wait for each other
check.lesson("08_attention_today")

# %%
cold_questions()  # three on earlier lessons: a minute, never graded

# %% [markdown]
# ## 1. Read on
#
# Lesson 07's writer gets pieces of 128 words, its limit lifted: waves exist at any place.

# %%
old = load_trained("lesson 07")
number = {word: i for i, word in enumerate(old.words)}
exam = [word for sentence in sentences(1_000, seed=8) for word in [*sentence, "."]]
text = torch.tensor([number[word] for word in exam])
pieces = text[: 60 * 128].view(60, 128)

# %% [markdown] prompt="guess_behind_16"
# ### Predict: past word 16
# ★☆☆ · 2 minutes
#
# The more words stand before one, the better it can be guessed. Past word 16, will the loss be `"lower"`, `"higher"` or
# the `"same"` as before?

# %% solution="guess_behind_16"
### BEGIN SOLUTION
loss_behind_16 = "higher"
### END SOLUTION

# %% test="guess_behind_16"
check("guess_behind_16")

# %% [markdown] hint="guess_behind_16"
# <details><summary>Hint: what it has met</summary>
#
# Each position adds a row. Which rows were there in training?
# </details>


# %%
# What this shows depends on the processor.
def losses(logits: torch.Tensor) -> torch.Tensor:
    """Nats a word, by how many words were read: (127,)."""
    targets = pieces[:, 1:].flatten()
    rows = functional.cross_entropy(logits[:, :-1].flatten(0, 1), targets, reduction="none")
    return rows.view(len(pieces), -1).mean(0)


curves = {"lesson 07": losses(old(pieces))}
today_pictures.losses_by_position(curves, 16)


# %%
# What this shows depends on the processor.
@torch.no_grad()
def read_anew(model: torch.nn.Module, n: int, context: int) -> list[str]:
    """Write n words, and read the last `context` again for each new one."""
    tokens, draws = [0], torch.Generator().manual_seed(1)
    for _ in range(n):
        chances = (model(torch.tensor([tokens[-context:]]))[0, -1] / 0.5).softmax(-1)
        tokens.append(int(torch.multinomial(chances, 1, generator=draws)))
    return [model.words[token] for token in tokens[1:]]


fallen = read_anew(old, 200, context=200)
print(" ".join(fallen[:48]))

# %% [markdown]
# It falls apart. Lesson 07's `generate` hid this: it hands over the last sixteen words, renumbered from 0. Is that
# enough?


# %%
def last_sixteen(model: torch.nn.Module) -> torch.Tensor:
    """What `generate` would get: at each position the logits of the last sixteen words, read anew from 0."""
    return torch.stack([model(pieces[:, max(0, i - 15) : i + 1])[:, -1] for i in range(128)], dim=1)


spans = {"1–15": slice(0, 15), "16–31": slice(15, 31), "32–63": slice(31, 63), "64–127": slice(63, 127)}


def show(name: str, curve: torch.Tensor) -> None:
    print(f"{name:14}", "   ".join(f"{span}: {curve[rows].mean():.2f}" for span, rows in spans.items()))


# %%
# What this shows depends on the processor.
curves["last 16 anew"] = losses(last_sixteen(old))
for name, curve in curves.items():
    show(name, curve)

# %% [markdown]
# It is: the one to beat. But each word is read sixteen times, and a longer memory costs more:


# %%
def milliseconds(run, *args) -> float:
    """Processor time of the fastest of three runs."""
    moments = [time.process_time()]
    for _ in range(3):
        run(*args)
        moments.append(time.process_time())
    return 1000 * float(np.diff(moments).min())


# %%
# What this shows depends on the processor.
LENGTHS = [16, 64, 256, 1024]
anew = [milliseconds(old, text[None, :n]) for n in LENGTHS]
print("ms a word:", {n: round(ms, 1) for n, ms in zip(LENGTHS, anew)})

# %% [markdown]
# ## 2. Turn, do not add
#
# Word 1005 stands three after word 1002, as 5 after 2, but added waves score them differently.
#
# So **turn** queries and keys. Each pair of columns is a clock hand, turned further with each word: the first by 1
# radian, later ones by less and less. Two words three apart then differ by the same angle wherever they stand, and a
# dot product sees only lengths and the angle between.

# %% [markdown] prompt="rotate"
# ### `rotate`
# ★★☆ · 10 minutes
#
# Turn the pair of columns (2i, 2i + 1) of each row by position / base^(2i / d), counter-clockwise: (x, y) becomes (x
# cos − y sin, x sin + y cos). An odd d raises `ValueError`.


# %% solution="rotate"
def rotate(X: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    """X (..., n, d), positions (n,) -> X (..., n, d), each row turned as its position says."""
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
# <details data-part="the shape; several pairs; far; another base"><summary>Hint 1: pairs</summary>
#
# `X[..., 0::2]` and `X[..., 1::2]` hold all x and all y; lesson 07's table of angles fits both.
# </details>
# <details data-part="the shape; several pairs"><summary>Hint 2: back again</summary>
#
# New x and new y take turns: stack them along a new last axis, then flatten.
# </details>

# %%
# What this shows depends on the processor.
q, k = torch.randn(2, 1, 64, generator=torch.Generator().manual_seed(0))  # three words apart, at three places:
for places in ((5, 2), (15, 12), (1005, 1002)):
    q_at, k_at = (torch.tensor([place]) for place in places)
    turned = rotate(q, q_at) @ rotate(k, k_at).T
    added = (q + two_writers.waves(q_at)) @ (k + two_writers.waves(k_at)).T
    print(
        f"query at {places[0]:4}, key at {places[1]:4}: turned {turned.item():6.2f}   added {added.item():6.2f}"
    )

today_pictures.two_clocks(rotate, *torch.tensor([[1.0, 0.0], [1.0, 0.0]]), places=(5, 2))  # both begin to the right

# %% [markdown]
# **Today's writer**, trained like the old one, runs on your `rotate`. Its shared heads (section 5) and norm (first
# puzzle) are new, too, but know no places.

# %%
# What this shows depends on the processor.
today = load_trained("today", rotate)
curves["today's"] = losses(today(pieces))
for name, curve in curves.items():
    show(name, curve)

# %% [markdown]
# The same up to 16, far better just after it, still bad at 128. *Its price:* now distances matter, and it has never met
# a hundred.
#
# ## 3. Keep what you have read
#
# Under a causal mask no old word sees a new one, so its key and value never change. Keep them, and read only new words.
# What may these see?

# %% [markdown] prompt="causal_mask_from"
# ### `causal_mask_from`
# ★☆☆ · 4 minutes
#
# Of n words the last m ask: row i is the word at position n − m + i. True = may look. m > n raises `ValueError`.


# %% solution="causal_mask_from"
def causal_mask_from(m: int, n: int) -> torch.Tensor:
    """(m, n) booleans: what each of the last m of n words may look at."""
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
# Rows of lesson 06's mask for n words. PyTorch's `is_causal=True` takes the first.
# </details>

# %% [markdown] prompt="attend_new"
# ### `attend_new`
# ★★☆ · 10 minutes
#
# Queries, keys and values of the new words, already turned, and what was `kept` of those before. The new words see the
# old ones and, causally, each other. Return the output, and all keys and all values, old ones first.


# %% solution="attend_new"
def attend_new(
    Q: torch.Tensor,
    K: torch.Tensor,
    V: torch.Tensor,
    kept: tuple[torch.Tensor, torch.Tensor] | None = None,
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """Q, K (heads, m, d), V (heads, m, d_v), a pair of t words -> output (heads, m, d_v), a pair of t + m words."""
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
# <details><summary>Hint: first put together</summary>
#
# New keys go after the kept ones, along the words' axis; values likewise.
# </details>

# %%
# What this shows depends on the processor.
whole = today(text[None, :9])  # at once, one by one, in pieces: the same?
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
cached, anew = [], []
for n in LENGTHS:
    anew.append(milliseconds(today, text[None, :n]))
    kept = today.step(text[None, :n], torch.arange(n), None, attend_new)[1]
    cached.append(milliseconds(today.step, text[None, n : n + 1], torch.tensor([n]), kept, attend_new))
today_pictures.times(LENGTHS, {"all read anew": anew, "kept": cached})
print(f"after {LENGTHS[-1]:,} words {anew[-1] / cached[-1]:.0f} times as fast")

# %% [markdown]
# *Its price:* what is kept grows with every word.
#
# ## 4. Forget
#
# Keep the last words only, a **window**. Added positions forbid that: to renumber is to read anew. Turned keys may
# stay, for only distances count.

# %% [markdown] prompt="roll"
# ### `roll`
# ★☆☆ · 3 minutes
#
# Of kept keys and values those of the last `width` words, fewer where there are fewer. `width` < 1 raises `ValueError`.


# %% solution="roll"
def roll(kept: tuple[torch.Tensor, torch.Tensor], width: int) -> tuple[torch.Tensor, torch.Tensor]:
    """kept: keys (heads, t, d) and values (heads, t, d_v) -> the same of the last `width` words."""
    ### BEGIN SOLUTION
    if width < 1:
        raise ValueError(f"a window of {width} words")
    keys, values = kept
    return keys[:, -width:], values[:, -width:]
    ### END SOLUTION


# %% test="roll"
check(roll)
# %% [markdown] hint="roll"
# <details><summary>Hint: axes</summary>
#
# The words are the second axis. Counted from the end, a slice may ask for too many.
# </details>

# %% [markdown]
# ### Find the slip
#
# Two ways to number a new word, alike up to sixteen. Which is wrong?


# %%
def stream(counted: str) -> torch.Tensor:
    """Read all pieces word by word, with a cache of 15 words."""
    kept, rows = None, []
    for read in range(128):
        place = {"words read": read, "words kept": kept[0][0].shape[1] if kept else 0}[counted]
        row, kept = today.step(pieces[:, [read]], torch.tensor([place]), kept, attend_new)
        kept = [roll(pair, 15) for pair in kept]
        rows.append(row)
    return losses(torch.cat(rows, dim=1))


# %%
# What this shows depends on the processor.
rolled, miscounted = stream("words read"), stream("words kept")
show("words read", rolled)
show("words kept", miscounted)

# %% [markdown]
# <details><summary>Named it? Compare.</summary>
#
# Fifteen are kept, so every later word stands at 15. A position is how much was **read**. Only the loss tells.
# </details>

# %%
# What this shows depends on the processor.
today_pictures.losses_by_position(curves | {"with a window": rolled}, 16)
show("last 16 anew", curves["last 16 anew"])
show("today's, anew", losses(last_sixteen(today)))
show("with a window", rolled)


# %%
def kibibytes(kept: list) -> float:
    return sum(rows.numel() * rows.element_size() for pair in kept for rows in pair) / 1024


kept = today.step(text[None, :2000], torch.arange(2000), None, attend_new)[1]
window = [roll(pair, 15) for pair in kept]
print(f"2,000 words: {kibibytes(kept):,.0f} KiB; rolled: {kibibytes(window):.2f} KiB")

# %%
# What this shows depends on the processor.
for width in (16, 256):
    window = [roll(pair, width - 1) for pair in kept]
    anew = milliseconds(old, text[None, :width])
    rolling = milliseconds(today.step, text[None, [2000]], torch.tensor([2000]), window, attend_new)
    print(f"ms a word: last {width} anew {anew:.1f}, with a window {rolling:.1f}")

# %% [markdown]
# Be fair: lesson 07's last sixteen, read anew, lose about 0.05 nats to the window, today's none. What it gains is
# **price**: one word is read, not sixteen. At sixteen words overhead makes it dearer; at 256 it pays.
#
# Two blocks reach nearly two windows back: what the upper keeps has itself looked back. *Its price:* lesson 07's
# letters that come twice, learned with your `rotate`. With a window of 8, how far back may the answer lie?

# %%
# What this shows depends on the processor.
repeater = repeats.learn_to_repeat(rotate)


def by_period(window: int) -> dict[int, float]:
    draws = torch.Generator().manual_seed(2)
    return {n: repeats.second_round(repeater, n, draws, window).item() for n in range(6, 16)}


today_pictures.cliff({window: by_period(window) for window in (8, 12)}, math.log(26))

# %% [markdown]
# A cliff: one letter too far, and it is worse than guessing.
#
# ## 5. Share
#
# Let several query heads read the same keys and values.

# %% [markdown] prompt="grouped_attention"
# ### `grouped_attention`
# ★★☆ · 8 minutes
#
# h query heads, g heads of keys and values: query head i reads group i // (h / g). No mask. Where g does not divide h,
# `ValueError`.


# %% solution="grouped_attention"
def grouped_attention(Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor) -> torch.Tensor:
    """Q (batch, h, n_q, d), K (batch, g, n_k, d), V (batch, g, n_k, d_v) -> (batch, h, n_q, d_v)."""
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
# <details><summary>Hint: who reads what</summary>
#
# Four query heads, two groups: 0 0 1 1. Print `torch.arange(2).repeat(2)` and `.repeat_interleave(2)`.
# </details>

# %%
# What this shows depends on the processor.
generator = torch.Generator().manual_seed(0)
Q = torch.randn(1, 32, 1, 64, generator=generator)
for groups in (32, 8, 1):
    K, V = torch.randn(2, 1, groups, 1000, 64, generator=generator)
    wanted = functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
    same = torch.allclose(grouped_attention(Q, K, V), wanted, atol=1e-4)
    llama = 128_000 * 32 * 2 * groups * 128 * 2 / 2**30  # tokens, blocks, K and V, heads, width, bytes
    mebibytes = (K.nbytes + V.nbytes) / 2**20
    print(f"{groups:2} groups: as PyTorch's: {same}; {mebibytes:5.1f} MiB; Llama 3.1 8B: {llama:.1f} GiB")
print("measured beforehand, 300 steps with 4, 2, 1 groups: 2.24, 2.26, 2.27 nats; again: 2.25, 2.23, 2.26")

# %% [markdown]
# The last column: what Llama 3.1 8B (8 groups) would keep of 128,000 tokens. *Its price* is too small to see here.
#
# ## 6. The table that is never there
#
# Of a table of n² scores only sums are needed. So read the keys block by block. But a softmax wants its largest score
# first, and that may come last.

# %% [markdown] prompt="streamed_attention"
# ### `streamed_attention`
# ★★★ · 12 minutes
#
# Softmax attention, no mask, the keys read `block` at a time; no array of n_q × n_k. For each query three things run
# along: the highest score so far, the sum of exp(score − highest), and the same sum with values.


# %% solution="streamed_attention"
def streamed_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray, block: int) -> np.ndarray:
    """Q (n_q, d), K (n_k, d), V (n_k, d_v) -> (n_q, d_v)."""
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
# <details data-part="scores that fall; scores that are all; each query"><summary>Hint 1: the highest so far</summary>
#
# Each query has its own. Before the first block it is lower than any score.
# </details>
# <details data-part="several; scores that rise"><summary>Hint 2: when the highest rises</summary>
#
# Both sums were made with the old highest. exp(score − new) = exp(score − old) · exp(old − new): what must they be
# multiplied by?
# </details>
# <details data-part="no table"><summary>Hint 3: memory</summary>
#
# Which array in your loop is as long as K?
# </details>


# %%
def peak(run, *args) -> tuple[np.ndarray, float]:
    """What comes out, and the most MiB that it took at any time."""
    tracemalloc.start()
    found = run(*args)
    mebibytes = tracemalloc.get_traced_memory()[1] / 2**20
    tracemalloc.stop()
    return found, mebibytes


# %%
def whole_table(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    scores = Q / math.sqrt(Q.shape[1]) @ K.T
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised @ V / raised.sum(axis=1, keepdims=True)


# %%
# What this shows depends on the processor.
Q, K, V = np.random.default_rng(25).normal(size=(3, 2048, 16))
(table, much), (streamed, little) = peak(whole_table, Q, K, V), peak(streamed_attention, Q, K, V, 64)
print(
    f"the same: {np.allclose(table, streamed)}; {much:.0f} MiB and {little:.1f}, {much / little:.0f} times less"
)
today_pictures.lit_block(Q[:8], K[:16], V[:16, :1], block=4)

# %% [markdown]
# This is FlashAttention's heart. *Its price:* all n² products are still made, and no weights are left to look at.
#
# ## 7. A state instead of a cache
#
# A softmax weighs by exp(q · k), which no finite list of features gives. Weigh by φ(q) · φ(k), φ positive:
#
# Σ (φ(q) · φ(k)) v = φ(q) · Σ φ(k) vᵀ
#
# The right sum knows no query: one small matrix, the **state**, however long the text.

# %% [markdown] prompt="linear_attention"
# ### `linear_attention`
# ★★☆ · 10 minutes
#
# φ(x) = x + 1 for x > 0, else exp(x). Output t is φ(q_t) · Σ φ(k_s) v_sᵀ divided by φ(q_t) · Σ φ(k_s), both sums over s
# ≤ t. Neither time nor memory grows as n².


# %% solution="linear_attention"
def linear_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Q, K (n, d_k), V (n, d_v) -> (n, d_v)."""
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
# <details><summary>Hint: two running sums</summary>
#
# Outer products, (d_k, d_v), and features, (d_k,). Write first, then read.
# </details>

# %%
# What this shows depends on the processor.
for n in (1_000, 2_000, 4_000):
    given = np.random.default_rng(0).normal(size=(3, n, 16))
    slow, fast = milliseconds(whole_table, *given), milliseconds(linear_attention, *given)
    print(f"{n:,} words: softmax {slow:4.0f} ms, linear {fast:3.0f} ms, {slow / fast:4.1f} times as fast")

# %% [markdown]
# How many pairs of key and value do 16 × 16 numbers hold?

# %%
def found_again(attend, pairs: int, draws: int = 20) -> float:
    """Write pairs of key and value, ask with each key: the share of answers nearest to the right value."""
    rng, none, right = np.random.default_rng(pairs), np.zeros((pairs, 16)), []
    for _ in range(draws):
        keys, values = np.where(rng.random((pairs, 16)) < 0.25, 30.0, -30.0), rng.normal(size=(pairs, 16))
        values /= np.linalg.norm(values, axis=1, keepdims=True)
        answers = attend(np.r_[keys, keys], np.r_[keys, keys], np.r_[values, none])[pairs:]
        right.append((answers @ values.T).argmax(axis=1) == np.arange(pairs))
    return float(np.mean(right))


# %%
# What this shows depends on the processor.
counts = [8, 16, 32, 64, 128]
ways = {"softmax": whole_table, "linear state": linear_attention}
shares = {name: {n: found_again(way, n) for n in counts} for name, way in ways.items()}
today_pictures.recall(shares)

# %% [markdown]
# *Its price:* of 16 pairs about half are found again, of 128 hardly any. (Softmax misses only where two pairs drew the
# same key.)

# %% [markdown] written="explain_windows" points=4
# ### Explain: `explain_windows`
# ★★☆ · 8 minutes
#
# A window keeps the last words; a linear state adds all of them up in one matrix. What does each forget, which of your
# two measurements shows it, and when is that a fair price?
#
# ### BEGIN SOLUTION
# **Model answer.** A window forgets by age: what was said several widths ago is gone. The loss of repeated letters is
# small while the answer lies inside, and worse than guessing outside. A linear state forgets by crowding: all pairs are
# added up in one matrix, and the more there are, the more they blur: of 8 random pairs most are found again, of 128
# hardly any. Both cost the same for each new word. That is fair where what matters is near or little has to be found
# again, not where one exact word from far back is needed.
#
# **Rubric**
# - 1 point: a window forgets by age: what lies far behind is gone
# - 1 point: a linear state forgets by crowding: all is added into one matrix
# - 1 point: each with its measurement: the cliff of the repeated letters, the share of pairs found again
# - 1 point: the gain, a constant price a word, and a case where it is fair or not
# ### END SOLUTION

# %% [markdown]
# ## 8. Guess ahead
#
# Three words at once take hardly longer than one. So let something cheap, the draft, guess two; one pass tells how
# likely the writer finds each. What the draft says too often is refused at times, what too seldom drawn instead: **the
# text is distributed exactly as without guesses**.

# %% [markdown] prompt="keep_or_redraw"
# ### `keep_or_redraw`
# ★★☆ · 8 minutes
#
# `guess` was drawn from the draft's `q`. Keep it with probability min(1, p[guess] / q[guess]); else draw a word from (p
# − q)⁺, normalised (0 where negative). By hand; the last two rows add up to p:
#
# | word | 0 | 1 | 2 | 3 |
# | --- | --- | --- | --- | --- |
# | the model's p | .5 | .3 | .15 | .05 |
# | the draft's q | .2 | .2 | .5 | .1 |
# | drawn and kept: min(p, q) | .2 | .2 | .15 | .05 |
# | redrawn: (p − q)⁺ | .3 | .1 | 0 | 0 |


# %% solution="keep_or_redraw"
def keep_or_redraw(guess: int, p: np.ndarray, q: np.ndarray, rng: np.random.Generator) -> int:
    """p, q (vocabulary,), the model's and the draft's probabilities -> a word, distributed as p."""
    ### BEGIN SOLUTION
    if rng.random() < p[guess] / q[guess]:
        return guess
    missing = np.maximum(p - q, 0)
    return int(rng.choice(len(p), p=missing / missing.sum()))
    ### END SOLUTION


# %% test="keep_or_redraw"
check(keep_or_redraw)
# %% [markdown] hint="keep_or_redraw"
# <details><summary>Hint: draw</summary>
#
# `rng.random()` lies below x with probability x; `rng.choice(n, p=...)` draws a position. `np.maximum(p - q, 0)`.
# </details>


# %%
def from_p(guess: int, p: np.ndarray, q: np.ndarray, rng: np.random.Generator) -> int:
    """A slip: what is refused is drawn from p itself."""
    return guess if rng.random() < p[guess] / q[guess] else int(rng.choice(4, p=p))


# %%
# What this shows depends on the processor.
p, q, rng = np.array([0.5, 0.3, 0.15, 0.05]), np.array([0.2, 0.2, 0.5, 0.1]), np.random.default_rng(0)
drawn = {"p": p}
for name, answer in {"your function": keep_or_redraw, "redrawn from p": from_p}.items():
    words = [answer(int(rng.choice(4, p=q)), p, q, rng) for _ in range(5_000)]
    drawn[name] = np.bincount(words, minlength=4) / len(words)
today_pictures.frequencies(drawn)

# %% [markdown]
# The draft counts which word follows which; the first refusal ends a pass.

# %%
# What this shows depends on the processor.
read = torch.tensor([number[word] for sentence in sentences(20_000, seed=7) for word in [*sentence, "."]])
draft = two_writers.follow_ups(read, len(number))
passes, taken = {}, {}
for guesses in (0, 2):
    start = time.process_time()
    words, passes[guesses] = two_writers.guess_and_check(
        today, draft, keep_or_redraw, attend_new, 1_000, guesses
    )
    taken[guesses] = time.process_time() - start
print(f"1,000 words in {passes[2]} passes instead of {passes[0]:,}, {taken[0] / taken[2]:.1f} times as fast")

# %% [markdown]
# *Its price:* refused guesses were read for nothing, and must leave the cache.
#
# ## 9. The museum of real bugs
#
# All from public projects, the code cut down. (PyTorch's is a request: by design its mask begins at the first key.)

# %% [markdown] prompt="find_the_lines"
# ### Find the lines
# ★★☆ · 10 minutes
#
# In which line is the slip?
#
# **`line_pytorch`** · pytorch/pytorch#144858: “only compares against the earliest k and v”
# ```
# 1  K, V = put_together(kept, K, V)
# 2  scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
# 3  mask = torch.tril(torch.ones(m, n)) > 0
# 4  output = scores.masked_fill(~mask, -torch.inf).softmax(-1) @ V
# ```
# **`line_gemma`** · google-deepmind/gemma#392: “key and value stored in the cache get corrupted”
# ```
# 1  Q, K = rotate(Q, new_places), rotate(K, new_places)
# 2  K, V = put_together(kept, K, V)
# 3  K = rotate(K, torch.arange(n))
# 4  output, kept = attend(Q, K, V), (K, V)
# ```
# **`line_veloxquant`** · rajveer43/VeloxQuant-MLX#389: “this offset is behind the true position”
# ```
# 1  place = kept[0][0].shape[1]
# 2  logits, kept = step(word, place, kept)
# 3  kept = [roll(pair, 15) for pair in kept]
# 4  word = logits[-1].argmax()
# ```
# **`line_onnx`** · onnx/onnx#7274: “tile, which gave us [head0, head1, head0, head1]”
# ```
# 1  each = Q.shape[1] // K.shape[1]
# 2  K, V = K.repeat(1, each, 1, 1), V.repeat(1, each, 1, 1)
# 3  scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
# 4  output = scores.softmax(-1) @ V
# ```
# **`line_mlx`** · ml-explore/mlx-lm#1109: “rejected drafts remain in the recurrent state”
# ```
# 1  logits, longer = step([word, *guesses], place, kept)
# 2  kept = longer
# 3  right = count_right(guesses, logits)
# 4  place += 1 + right
# ```
# **`line_lecture`** · karpathy/ng-video-lecture#6: “scaling it by number of channels”
# ```
# 1  B, T, C = x.shape
# 2  q, k, v = query(x), key(x), value(x)  # of one head
# 3  mask = torch.ones(T, T, dtype=torch.bool).tril()
# 4  weights = (q @ k.mT / math.sqrt(C)).masked_fill(~mask, -torch.inf).softmax(-1)
# ```

# %% solution="find_the_lines"
### BEGIN SOLUTION
line_pytorch = 3
line_gemma = 3
line_veloxquant = 1
line_onnx = 2
line_mlx = 2
line_lecture = 4
### END SOLUTION

# %% test="find_the_lines"
check("find_the_lines")

# %% [markdown] hint="find_the_lines"
# <details><summary>Hint: few words</summary>
#
# Take two kept words and one new one.
# </details>

# %% [markdown]
# None raises an error: compare cached with uncached.
#
# ## 10. On and on
#
# 2,000 words. Watch.


# %%
def write_on(n: int):
    """Yield word after word, from a cache of fifteen."""
    kept, word, draws = None, torch.zeros(1, 1, dtype=torch.long), torch.Generator().manual_seed(3)
    for read in range(n):
        logits, kept = today.step(word, torch.tensor([read]), kept, attend_new)
        kept = [roll(pair, 15) for pair in kept]
        word = torch.multinomial((logits[0, -1:] / 0.5).softmax(-1), 1, generator=draws)
        yield today.words[int(word)]


# %%
# What this shows depends on the processor.
written = watch_text(write_on(2_000))

# %%
# What this shows depends on the processor.
lines = [line.split() for line in " ".join(written).split(" . ")[:-1]]
halves = lines[: len(lines) // 2], lines[len(lines) // 2 :]
shares = [sum(map(grammatical, half)) / max(len(half), 1) for half in halves]
print("grammatical, first and second half:", *(f"{share:.0%}" for share in shares))

# %% [markdown]
# About four in five, all along. From afar, a bar a sentence:

# %%
# What this shows depends on the processor.
texts = {"Lesson 07's writer": fallen, "Lesson 07's, last 16 anew": read_anew(old, 2_000, context=16)}
today_pictures.pages(texts | {"Today's, on your functions": written}, grammatical)

# %% [markdown]
# The last two go on alike, but the old reads sixteen words for each.
#
# **A real model.** GPT-2 from a folder (`vocab.json`, `model.safetensors` or `pytorch_model.bin`) runs on your
# `attend_new`.

# %%
real_model = ""  # the folder
if real_model:
    gpt2 = load_gpt2(real_model)
    tokens, kept = gpt2.numbers_of("The cat sat on the"), None
    for _ in range(20):
        logits, kept = gpt2.step(tokens, kept, attend_new)
        tokens = [int(logits[-1].argmax())]
        print(gpt2.words[tokens[0]], end="")

# %% [markdown]
# ## Go further
#
# The text ran on your `rotate`, `attend_new` and `roll`; the rest you measured beside it. Three puzzles are left.

# %% [markdown] prompt="rms_norm"
# ### Puzzle: `rms_norm`
# ★☆☆ · 4 minutes
#
# Divide each row by the root of the mean of its squares (plus `eps`), then multiply by `weight`, column by column.


# %% solution="rms_norm"
def rms_norm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    """x (..., d), weight (d,) -> (..., d): x / √(mean of x² + eps) · weight."""
    ### BEGIN SOLUTION
    return x / (x.square().mean(dim=-1, keepdim=True) + eps).sqrt() * weight
    ### END SOLUTION


# %% test="rms_norm"
check(rms_norm)
# %% [markdown] hint="rms_norm"
# <details><summary>Hint: the order</summary>
#
# Root of the mean of the squares: read it from the right.
# </details>

# %% [markdown] prompt="top_p"
# ### Puzzle: `top_p`
# ★★☆ · 8 minutes
#
# Keep the fewest likeliest words whose probabilities sum to `share` or more; the others get 0. Normalise what is left.


# %% solution="top_p"
def top_p(probabilities: torch.Tensor, share: float) -> torch.Tensor:
    """(vocabulary,), no two equal, and 0 < share <= 1 -> (vocabulary,): the likeliest words alone, summing to 1."""
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
# <details><summary>Hint: what stands before it</summary>
#
# A word is kept while the likelier ones do not yet sum to `share`.
# </details>

# %% [markdown] prompt="twin_position"
# ### Puzzle: `twin_position`
# ★★☆ · 8 minutes
#
# With d = 2 the one pair turns by 1 radian a word. Which is the first position after 0 at which each vector of length 1
# stands within 0.001 of where it stood at 0?

# %% solution="twin_position"
### BEGIN SOLUTION
twin = 710
### END SOLUTION

# %% test="twin_position"
check("twin_position")
# %% [markdown] hint="twin_position"
# <details><summary>Hint: whole turns</summary>
#
# A whole turn is 2π. You look for a whole number of words that is nearly a whole number of turns.
# </details>

# %% [markdown]
# <details><summary>And when d is 64?</summary>
#
# All 32 pairs come back, some day (Dirichlet), but already the first two not within a million words.
# </details>

# %% [markdown]
# ---
# **You can now** build a new idea on attention, hold it against the obvious remedy, and name its price. That was the
# last lesson. Farewell, and read on!
#
# *Credits.* Rotary positions: Su and others, 2021. Shared keys: Shazeer, 2019; in groups: Ainslie and others, 2023.
# Blocks: Milakov and Gimelshein, 2018; Dao and others (FlashAttention), 2022. Linear attention: Katharopoulos and
# others, 2020. Guesses: Leviathan and others, 2022. RMSNorm: Zhang and Sennrich, 2019. Top-p: Holtzman and others,
# 2019.
