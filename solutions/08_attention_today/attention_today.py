# %% [markdown]
# # Attention today
#
# Your writer falls apart behind word 16. Four small ideas let it read on for ever, at a constant price, and each idea
# has a price of its own. It takes about 70 minutes, and 20 more for the puzzles.

# %% setup="imports"
import math

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from autograder import check

torch.set_num_threads(1)  # on small tensors threads wait for each other
check.lesson("08_attention_today")

# %% [markdown] prompt="causal_mask_from"
# ## `causal_mask_from`
# ★☆☆ · 4 minutes
#
# A text of `n` words; its last `m` ask. Row i belongs to the word at position n − m + i, True means that it may look.
# `m > n` raises `ValueError`.

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
# Of lesson 06's causal mask for n words, take the rows of those who ask.
# </details>

# %% [markdown] prompt="rotate"
# ## `rotate`
# ★★☆ · 10 minutes
#
# Turn the pair of columns (2i, 2i + 1) of each row by the angle position / base^(2i / d), counter-clockwise. An odd d
# raises `ValueError`.

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
# <details><summary>Hint: pairs</summary>
#
# `X[..., 0::2]` and `X[..., 1::2]` are the two columns of all pairs.
# </details>

# %% [markdown] prompt="attend_new"
# ## `attend_new`
# ★★☆ · 10 minutes
#
# Queries, keys and values of the new words, and what was `kept` of the words before: the new words see those and,
# causally, each other. Return the output, and what is to be kept: all keys and all values, old ones first.

# %% solution="attend_new"
def attend_new(
    Q: torch.Tensor,
    K: torch.Tensor,
    V: torch.Tensor,
    kept: tuple[torch.Tensor, torch.Tensor] | None = None,
) -> tuple[torch.Tensor, tuple[torch.Tensor, torch.Tensor]]:
    """Q, K (heads, m, d), V (heads, m, d_v), kept: a pair of t words -> output (heads, m, d_v), a pair of t + m words."""
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
# Put the new keys behind the kept ones, and the values likewise; then it is masked attention.
# </details>

# %% [markdown] prompt="roll"
# ## `roll`
# ★☆☆ · 4 minutes
#
# Of the kept keys and values, those of the last `width` words, fewer where there are fewer. `width` below 1 raises
# `ValueError`.

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
# The words are the second axis.
# </details>

# %% [markdown] prompt="grouped_attention"
# ## `grouped_attention`
# ★★☆ · 8 minutes
#
# h query heads share g heads of keys and values: query head i reads group i // (h / g). No mask. h not divisible by g
# raises `ValueError`.

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
# <details><summary>Hint: repeat</summary>
#
# `repeat` deals out 0 1 0 1, `repeat_interleave` 0 0 1 1.
# </details>

# %% [markdown] prompt="streamed_attention"
# ## `streamed_attention`
# ★★★ · 12 minutes
#
# Softmax attention, the keys read `block` at a time: no table of all queries and all keys is ever made. No mask.

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
# <details><summary>Hint: three running numbers</summary>
#
# For each query the highest score so far, the sum of the shares, and the sum of shares times values. When the highest
# score rises, by what do old shares shrink?
# </details>

# %% [markdown] prompt="linear_attention"
# ## `linear_attention`
# ★★☆ · 10 minutes
#
# With the feature map φ(x) = x + 1 for x > 0, else exp(x), output t is φ(q_t) · Σ φ(k_s) v_sᵀ divided by
# φ(q_t) · Σ φ(k_s), both sums over s ≤ t. Neither time nor memory grows as n².

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
# One of outer products (d_k, d_v), one of features (d_k,). First write, then read.
# </details>

# %% [markdown] prompt="keep_or_redraw"
# ## `keep_or_redraw`
# ★★☆ · 8 minutes
#
# `guess` was drawn from the draft's `q`. Keep it with probability min(1, p[guess] / q[guess]); else draw a word from
# (p − q)⁺, normalised.

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
# <details><summary>Hint: what the draft offers too seldom</summary>
#
# Words with p > q come too seldom: by how much?
# </details>

# %% [markdown] written="explain_windows" points=4
# ## Explain: `explain_windows`
# ★★☆ · 8 minutes
#
# A window keeps the last words and drops the rest; a linear state keeps all of them in one matrix. In a few sentences:
# what does each of them forget, which of your two measurements shows it, and when is that a fair price?
#
# ### BEGIN SOLUTION
# **Model answer.** A window forgets by age: what was said more than `width` words ago is gone, at once and wholly,
# however important it was. With repeated letters the loss is small as long as the answer lies inside the window, and
# that of guessing as soon as it lies outside. A linear state forgets by crowding: nothing is ever dropped, but all
# pairs are added up in one matrix of fixed size, and the more there are, the more they blur: of 8 random pairs nearly
# all are found again, of 128 hardly any. Both cost the same for each new word, however long the text. That is a fair
# price where what matters is near, as grammar within a sentence, or where few things have to be found again; it is not
# where one exact word from far back is needed.
#
# **Rubric**
# - 1 point: a window forgets by age: what lies behind it is gone
# - 1 point: a linear state forgets by crowding: everything is added into one matrix of fixed size
# - 1 point: each with its measurement: the cliff of the repeated letters, the share of pairs found again
# - 1 point: the gain, a constant price a word, and a case where it is fair or where it is not
# ### END SOLUTION

# %% [markdown]
# ## Go further

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
# <details><summary>Hint: the order of the letters</summary>
#
# R M S: root of the mean of the squares. Read it from the right.
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
# A word is kept while the words before it, the likelier ones, do not yet sum to `share`.
# </details>

# %% [markdown] prompt="twin_position"
# ### Puzzle: `twin_position`
# ★★☆ · 8 minutes
#
# With d = 2 there is one pair, and it turns by 1 (radian) a word. Which is the first position behind 0 at which each
# vector stands within 0.001 of where it stood at position 0, if it has length 1? (Why does no word see such a twin when
# d is 64?)

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
# ---
# *Credits.* Rotary positions: Su and others, *RoFormer*, 2021. Grouped queries: Ainslie and others, *GQA*, 2023.
# Attention in blocks: Milakov and Gimelshein, *Online normalizer calculation for softmax*, 2018; Dao and others,
# *FlashAttention*, 2022. Linear attention: Katharopoulos and others, *Transformers are RNNs*, 2020. Guess and check:
# Leviathan and others, *Fast inference from transformers via speculative decoding*, 2022. RMSNorm: Zhang and Sennrich,
# 2019. Top-p: Holtzman and others, 2019.
