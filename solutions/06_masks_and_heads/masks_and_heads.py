# %% [markdown]
# # Who may look, and with how many eyes
#
# Attention lets every word look at every word, with one pair of eyes. A model that writes must not look
# at words it has not written yet; a batch of sentences is filled up with blanks that nobody should look
# at; and one word may have more than one thing to ask. **How does one formula serve all three?**
#
# $$ \text{attention}(Q, K, V) = \text{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V $$
#
# The rows of Q, K and V are the queries, keys and values, and d_k is the width of a key. The notebook brings this
# formula along, ready-made: `attention(Q, K, V, mask)` returns the output and the weights.
#
# You will build three **masks**, cut attention into **heads**, and put both into a `MultiHeadAttention`
# of your own that agrees with PyTorch's to the last digit that matters.
#
# It takes about 90 minutes. You need attention itself (lesson 02) and a little PyTorch; no answer of
# yours from another lesson.

# %% setup="imports"
import math
from collections.abc import Callable

import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import nn

from autograder import attention, check
from autograder.student import figures

check.lesson("06_masks_and_heads")

# %% [markdown]
# ## 1. Cover one key
#
# One query, three keys, three values:
#
# | position | key | value |
# | --- | --- | --- |
# | 0 | (1, 0) | (10, 0) |
# | 1 | (0, 1) | (0, 20) |
# | 2 | (1, 0) | (30, 0) |
#
# The query is (1, 0). Its scores, the dot products with the keys, are 1, 0, 1; divided by √d_k = √2 they are
# 0.707, 0, 0.707. The notes that this course grew from go on: *softmax gives the weights [0.5, 0, 0.5], so
# the output is [20, 0]*.
#
# That is a slip. But with one key **covered**, so that the query cannot look there at all, the very same
# line would be true.

# %% [markdown] prompt="guess_covered_key"
# ### Predict: the weights, and the cover
#
# Commit before you run anything. `real_weights`: the three weights without a cover, to two digits.
# `covered_key`: the position to cover, counted from 0, for the notes' line to be true.

# %% solution="guess_covered_key"
### BEGIN SOLUTION
real_weights = [0.40, 0.20, 0.40]
covered_key = 1
### END SOLUTION

# %% test="guess_covered_key"
check("guess_covered_key")

# %% [markdown] hint="guess_covered_key"
# <details><summary>Hint 1: where the slip is</summary>
#
# exp(0) is 1, and 1 is not nothing. exp(0.707) is about 2.03.
# </details>
# <details><summary>Hint 2: covering</summary>
#
# A covered key takes no part in the sum below the fraction. Which key should take no part, if the other
# two are to get one half each?
# </details>

# %%
Q = torch.tensor([[1.0, 0.0]])
K = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
V = torch.tensor([[10.0, 0.0], [0.0, 20.0], [30.0, 0.0]])

your_cover = torch.tensor([[key != covered_key for key in range(3)]])  # False at the key you named
for name, mask in {"nothing covered": None, "your key covered": your_cover}.items():
    output, weights = attention(Q, K, V, mask)
    print(f"{name:16} weights {weights.numpy().round(3)}   output {output.numpy().round(2)}")

# %% [markdown]
# The output is [16.04, 3.96], not [20, 0]. Softmax never gives 0: whoever scores lowest still gets a
# share. A low score does not take a key out. That needs a **mask**, which says for each query and each key:
# may this query look here?
#
# One convention for the whole course, the one of PyTorch's `scaled_dot_product_attention`: **True = may
# look**.

# %% [markdown]
# ## 2. Three masks
#
# A model that writes one word after the other may look back, and at the word it is at, never ahead. While it
# learns, the whole sentence lies before it: without a mask it would simply read off the word that it is
# meant to guess. The mask that prevents this is called **causal**.

# %% [markdown] prompt="create_causal_mask"
# ### `create_causal_mask`
# A boolean tensor `(n, n)`: row = query, column = key, True where the key does not come after the query.

# %% solution="create_causal_mask"
def create_causal_mask(n: int) -> torch.Tensor:
    """(n, n) booleans: True where query i may look at key j, that is where j <= i."""
    ### BEGIN SOLUTION
    return torch.ones(n, n, dtype=torch.bool).tril()
    ### END SOLUTION

# %% test="create_causal_mask"
check(create_causal_mask)

# %% [markdown] hint="create_causal_mask"
# <details><summary>Hint 1: a row at a time</summary>
#
# Row 0 holds one True, row 1 two, the last row n. Which triangle is that?
# </details>
# <details><summary>Hint 2: two ways</summary>
#
# Cut a triangle out of ones (`torch.tril`), or compare a column of positions with a row of positions
# (`torch.arange`).
# </details>
# <details><summary>Hint 3: "mask not boolean"</summary>
#
# `torch.ones(n, n)` holds floats. Give it `dtype=torch.bool`.
# </details>

# %%
def draw_mask(axes: plt.Axes, mask: torch.Tensor, words: list[str], title: str) -> None:
    """A mask as a picture: dark with a tick = may look. One row for all queries may stand for many."""
    axes.imshow(mask, cmap=figures.CMAP, vmin=0, vmax=1.3)
    for query, key in np.ndindex(*mask.shape):
        if mask[query, key]:
            axes.text(key, query, "✓", ha="center", va="center", color="white", fontsize=12)
    axes.set_xticks(range(mask.shape[1]), words)
    axes.set_yticks(range(mask.shape[0]), words if len(mask) == len(words) else ["all queries"])
    axes.set(title=title, xlabel="key: looked at")


words, mask = ["I", "love", "you", "."], create_causal_mask(4)
figure, axes = plt.subplots(figsize=(3.6, 3.4), layout="constrained")
draw_mask(axes, mask, words, "causal mask")
axes.set_ylabel("query: looks")
figures.show(
    figure,
    alt="The causal mask of four words: a lower triangle of ticks. The first word sees only itself, "
    "the last one sees all four.",
)

# %% [markdown]
# ### The same mask, spelt as numbers
#
# The notes print their causal mask as numbers, and leave it to the reader to find out which number means
# "may look":
#
# ```
# [[  0. -inf -inf -inf]
#  [  0.   0. -inf -inf]
#  [  0.   0.   0. -inf]
#  [  0.   0.   0.   0.]]
# ```
#
# This one is made to be **added** to the scores: score + 0 is the score, score − ∞ is −∞, and exp(−∞) is
# exactly 0.

# %% [markdown] prompt="additive_mask"
# ### `additive_mask`
# From a boolean mask of any shape the one to add: 0 where True, −inf where False.

# %% solution="additive_mask"
def additive_mask(mask: torch.Tensor) -> torch.Tensor:
    """Floats of the mask's shape: 0 where the mask is True, -inf where it is False."""
    ### BEGIN SOLUTION
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    ### END SOLUTION

# %% test="additive_mask"
check(additive_mask)

# %% [markdown] hint="additive_mask"
# <details><summary>Hint 1: not by multiplying</summary>
#
# 0 · ∞ is not 0: it is not a number at all. Choose between two numbers instead.
# </details>
# <details><summary>Hint 2: choosing</summary>
#
# `torch.where(condition, a, b)`, or zeros and `masked_fill`.
# </details>

# %%
print(additive_mask(create_causal_mask(4)).numpy(), "\n")

scores = torch.zeros(4, 4)  # every key is equally welcome
print(torch.softmax(scores + additive_mask(create_causal_mask(4)), dim=-1).numpy().round(2))

# %% [markdown]
# Above, the notes' matrix to the letter. Below it, the weights that come of equal scores: each word shares
# its look among the words it may see, and every row still sums to 1.
#
# ### Blanks that nobody should look at
#
# A model meets words as numbers, their *token ids*. Sentences of unlike length can share a tensor once the
# shorter ones are filled up with a **pad token**, here 0:
#
# ```
# seq = [[1, 2, 3, 0, 0],
#        [4, 5, 0, 0, 0]]
# ```

# %% [markdown] prompt="create_padding_mask"
# ### `create_padding_mask`
# True for each key that is a word, False for each pad. Shape `(batch, 1, n)`: of each sequence one row, which
# holds for all its queries.

# %% solution="create_padding_mask"
def create_padding_mask(
    seq: torch.Tensor | np.ndarray | list[list[int]], pad_token: int = 0
) -> torch.Tensor:
    """seq (batch, n) token ids -> (batch, 1, n) booleans: True where the key is not `pad_token`."""
    ### BEGIN SOLUTION
    return (torch.as_tensor(seq) != pad_token).unsqueeze(1)
    ### END SOLUTION

# %% test="create_padding_mask"
check(create_padding_mask)

# %% [markdown] hint="create_padding_mask"
# <details><summary>Hint 1: lists and arrays</summary>
#
# `torch.as_tensor` takes a tensor, an array or a nested list.
# </details>
# <details><summary>Hint 2: the axis for the queries</summary>
#
# The comparison gives `(batch, n)`. Scores are `(batch, n_q, n_k)`, so the new axis of length 1 goes in
# the middle.
# </details>

# %%
seq = torch.tensor([[1, 2, 3, 0, 0], [4, 5, 0, 0, 0]])
padding = create_padding_mask(seq)
print("shape", tuple(padding.shape))

figure, rows = plt.subplots(2, 1, figsize=(4.6, 2.6), layout="constrained")
for row, mask, sentence in zip(rows, padding, seq.tolist(), strict=True):
    draw_mask(row, mask, [str(token) for token in sentence], f"sequence {sentence}")
figures.show(
    figure,
    alt="Two padding masks, each one row that holds for all queries. The first has ticks on its three words, "
    "the second on its two; the pads at the end have none.",
)

# %% [markdown]
# ### Both at once
#
# A sequence is `[5, 8, 0, 2, 0]`, the pad token is 0. Take **query 2**, the one at position 2. It happens
# to be a pad.

# %% [markdown] prompt="predict_who_sees_whom"
# ### `predict_who_sees_whom`
# Before you run anything: list the positions, counted from 0, that query 2 may look at under a causal
# mask, under a padding mask, and under both.

# %% solution="predict_who_sees_whom"
### BEGIN SOLUTION
sees_causal = [0, 1, 2]
sees_padding = [0, 1, 3]
sees_both = [0, 1]
### END SOLUTION

# %% test="predict_who_sees_whom"
check("predict_who_sees_whom")

# %% [markdown] hint="predict_who_sees_whom"
# <details><summary>Hint 1: causal</summary>
#
# The causal mask does not know the tokens. Only positions count.
# </details>
# <details><summary>Hint 2: padding</summary>
#
# The padding mask does not know the query. It takes columns away, the same ones for everybody.
# </details>
# <details><summary>Hint 3: both</summary>
#
# A key stays when the one mask **and** the other allow it.
# </details>

# %%
tokens = torch.tensor([[5, 8, 0, 2, 0]])
causal, padding = create_causal_mask(5), create_padding_mask(tokens)[0]

figure, columns = plt.subplots(1, 3, figsize=(10.2, 3.6), layout="constrained")
three = {"causal": causal, "padding": padding.expand(5, 5), "both": causal & padding}
for column, (title, mask) in zip(columns, three.items(), strict=True):
    draw_mask(column, mask, [f"{i}: {token}" for i, token in enumerate(tokens[0])], title)
    frame = plt.Rectangle((-0.45, 1.55), 4.9, 0.9, fill=False, edgecolor="#b4442c", linewidth=2.5)
    column.add_patch(frame)
columns[0].set_ylabel("query: looks (position: token)")
seen = [f"{title} shows it the positions {mask[2].nonzero().flatten().tolist()}" for title, mask in three.items()]
figures.show(
    figure,
    alt=f"Three masks over the tokens 5, 8, 0, 2, 0, with the row of query 2 framed: {'; '.join(seen)}.",
)

# %% [markdown]
# The framed row belongs to a pad. Padding does not take it away: it hides what is looked *at*. What a pad
# itself collects does no harm, as long as nobody looks at it.
#
# ## 3. Find the slip: when to mask
#
# The notes' second example has the scores 1, 2, 0.5 (d_k is 1, so scaling does nothing) and the values
# 10, 20, 5. They cut the weights to 0.231, 0.628, 0.140 before they use them. Those sum to 0.999: a
# thousandth of the attention is gone, and the output is 15.57 where 15.58 is right. A small loss. Here is a
# larger one: someone hides the last key like this.

# %%
def late_weights(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Weights, with the hidden keys' weights set to 0. Something is wrong here."""
    return torch.softmax(scores, dim=-1) * mask


scores = torch.tensor([[1.0, 2.0, 0.5]])
values = torch.tensor([[10.0], [20.0], [5.0]])


def report(weights: torch.Tensor) -> None:
    output = (weights @ values).item()
    print(f"weights {weights.numpy().round(3)}   sum {weights.sum():.2f}   output {output:.2f}")


report(late_weights(scores, torch.tensor([[True, True, True]])))
report(late_weights(scores, torch.tensor([[True, True, False]])))  # the last key is hidden

# %% [markdown]
# Two values are left, 10 and 20, and most of the weight lies on the 20; yet the output is below 15, the
# plain mean of the two. Which number in the second line gives the slip away?
#
# <details><summary>Named it? Compare.</summary>
#
# The sum. The hidden key took its share of 0.14 in the softmax, and afterwards it was thrown away. What
# is hidden must not take part in the sharing at all: mask **before** the softmax.
# </details>
#
# The −inf from above has a trap of its own. A query may have **nothing** to look at, for example when the
# pads stand on the left and the mask is causal. Then the softmax divides 0 by 0:

# %%
left_padded = create_causal_mask(4) & create_padding_mask([[0, 0, 7, 3]])
print(torch.softmax(torch.zeros(4, 4) + additive_mask(left_padded), dim=-1).numpy()[0])

# %% [markdown] prompt="masked_weights"
# ### Mend it: `masked_weights`
# Softmax over the keys that each query may look at: hidden keys get 0, the others share all of it. A
# query with nothing to look at gets zeros, never NaN. Without a mask it is the plain softmax.

# %% solution="masked_weights"
def masked_weights(scores: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """scores (..., n_q, n_k), mask booleans that broadcast to them -> weights (..., n_q, n_k)."""
    ### BEGIN SOLUTION
    if mask is None:
        return scores.softmax(dim=-1)
    lowest = torch.finfo(scores.dtype).min  # finite: an empty row must not be 0/0
    return scores.masked_fill(~mask, lowest).softmax(dim=-1) * mask
    ### END SOLUTION

# %% test="masked_weights"
check(masked_weights)

# %% [markdown] hint="masked_weights"
# <details><summary>Hint 1: before, not after</summary>
#
# Hide the key while it is still a score. Then the softmax never counts it.
# </details>
# <details><summary>Hint 2: how low is low enough</summary>
#
# Lower than any score can be: −inf, or the lowest number there is, `torch.finfo(scores.dtype).min`. A
# score of −3 000 000 is rare, but it exists.
# </details>
# <details><summary>Hint 3: the empty row</summary>
#
# With −inf it is 0/0: replace the NaN (`nan_to_num`). With a finite number all keys tie: then multiplying
# by the mask after the softmax does good at last.
# </details>

# %%
report(masked_weights(scores, torch.tensor([[True, True, False]])))
print(masked_weights(torch.zeros(4, 4), left_padded).numpy()[0])

# %% [markdown]
# The values are 10 and 20, the weights sum to 1, the output lies between. And the queries that may look nowhere
# get zeros.
#
# ## 4. One question, or four
#
# *Ming bought apples, then he went home.* What does **he** want to know? Who he is; what he has; what he
# does; where it takes him. Four questions, but a softmax row is **one** average.
#
# Below, every word has eight features, two for each question. The query *he* holds a 6 in each pair, its four
# questions; four of the words, as keys, hold a 1 in the pair of the question they answer. Nothing is trained:
# we wrote these numbers so that you can see the mechanism. The eight features are then shared among 1, 2 or 4
# **heads**. Each head compares only its own part of the vectors, and has a softmax of its own.

# %%
sentence = ["Ming", "bought", "apples", "then", "he", "went", "home"]
offers = torch.zeros(7, 8)  # what each word, as a key, has to say
for word, feature in {"Ming": 0, "apples": 2, "went": 4, "home": 6}.items():
    offers[sentence.index(word), feature] = 1.0
asks = torch.tensor([[6.0, 0.0, 6.0, 0.0, 6.0, 0.0, 6.0, 0.0]])  # what "he", as a query, wants to know


def looks(heads: int) -> torch.Tensor:
    """The weights of "he" in each head: (heads, 7)."""
    parts = zip(asks.chunk(heads, dim=-1), offers.chunk(heads, dim=-1), strict=True)
    return torch.cat([attention(q, k, k)[1] for q, k in parts])


def draw_heads(heads: float, axes: plt.Axes) -> None:
    weights = looks(int(heads))
    axes.imshow(weights, cmap=figures.CMAP, vmin=0, vmax=1, aspect="auto")
    for head, key in np.ndindex(*weights.shape):
        color = "white" if weights[head, key] > 0.5 else "black"
        text = f"{weights[head, key]:.2f}".lstrip("0")
        axes.text(key, head, text, ha="center", va="center", color=color, fontsize=9.5)
    axes.set_xticks(range(7), sentence, rotation=45, ha="right")
    axes.set_yticks(range(int(heads)), [f"head {head}" for head in range(int(heads))])
    axes.set(xlabel="key: looked at", ylabel="query: he")


figures.explore(
    draw_heads,
    [1, 2, 4],
    "heads",
    alt="Where the word he looks. One head spreads itself evenly over Ming, apples, went and "
    "home, 0.23 each. Two heads hold two of these words each, 0.44 apiece. Four heads hold one word "
    "each, with a weight of 0.92.",
)

# %% [markdown]
# With one head the four answers blur into one average. Four heads keep them apart, side by side. In a
# trained model no one hands the questions out: what a head comes to look for is found out afterwards, and
# it is seldom so tidy.
#
# ### Number the features
#
# Now in code. A word's vector has d_model features, and each head gets d_head = d_model / num_heads of them,
# columns that are neighbours: head 0 the first d_head columns, head 1 the next, and so on. Here are three
# words with four features each. The features are numbered, so that you can follow them into two heads:
#
# | | column 0 | column 1 | column 2 | column 3 |
# | --- | --- | --- | --- | --- |
# | word 0 | 0 | 1 | 2 | 3 |
# | word 1 | 4 | 5 | 6 | 7 |
# | word 2 | 8 | 9 | 10 | 11 |
#
# What we want has shape (2 heads, 3 words, 2 features). `X.view(2, 3, 2)` has that shape too. But a view
# moves no number: it reads the twelve numbers in the same order, row by row, and only draws the brackets
# elsewhere.

# %% [markdown] prompt="predict_head_zero"
# ### Predict: where do the features go?
#
# Before you run anything: `head_0`, the three rows that head 0 should get, and `head_0_by_view`, the
# three rows of `X.view(2, 3, 2)[0]`.

# %% solution="predict_head_zero"
### BEGIN SOLUTION
head_0 = [[0, 1], [4, 5], [8, 9]]
head_0_by_view = [[0, 1], [2, 3], [4, 5]]
### END SOLUTION

# %% test="predict_head_zero"
check("predict_head_zero")

# %% [markdown] hint="predict_head_zero"
# <details><summary>Hint 1: head 0</summary>
#
# Cover the right half of the table with your hand.
# </details>
# <details><summary>Hint 2: the view</summary>
#
# The first six numbers in reading order, two by two. Who is missing?
# </details>

# %% [markdown] prompt="split_heads"
# ### `split_heads`
# `(batch, n, d_model)` becomes `(batch, num_heads, n, d_head)`: every head sees every word, and of each
# word its own columns, j · d_head … (j+1) · d_head − 1 for head j.

# %% solution="split_heads"
def split_heads(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    """X (batch, n, d_model) -> (batch, num_heads, n, d_head), each head with its own columns."""
    ### BEGIN SOLUTION
    batch, n, d_model = X.shape
    return X.view(batch, n, num_heads, d_model // num_heads).transpose(1, 2)
    ### END SOLUTION

# %% test="split_heads"
check(split_heads)

# %% [markdown] hint="split_heads"
# <details><summary>Hint 1: two steps</summary>
#
# First make two axes of the last one: `(batch, n, num_heads, d_head)`. For that a view is right, since it moves
# no number. Then bring the heads in front of the words.
# </details>
# <details><summary>Hint 2: the second step</summary>
#
# `transpose(1, 2)` swaps words and heads.
# </details>

# %%
X = torch.arange(12.0).view(1, 3, 4)
blocks = {"X": X[0]}
blocks |= {f"split_heads: head {head}": rows for head, rows in enumerate(split_heads(X, 2)[0])}
blocks |= {f"view: head {head}": rows for head, rows in enumerate(X.view(2, 3, 2))}

figure, columns = plt.subplots(1, 5, figsize=(9.5, 2.4), layout="constrained", width_ratios=(4, 2, 2, 2, 2))
for axes, (title, block) in zip(columns, blocks.items(), strict=True):
    axes.imshow(block // 4, cmap=figures.CMAP, vmin=-0.6, vmax=2.6)  # one shade for each word
    for row, column in np.ndindex(*block.shape):
        feature = int(block[row, column])
        color = "white" if feature >= 8 else "black"
        axes.text(column, row, str(feature), ha="center", va="center", color=color)
    axes.set_title(title, fontsize=9)
    axes.set(xticks=[], xlabel="features")
    axes.set_yticks(range(3), [f"word {row}" for row in range(3)] if title == "X" else [""] * 3)
figures.show(
    figure,
    alt="The twelve features of three words, each word in its own shade. After split_heads each head has "
    "three rows, one for each word. After a bare view head 0 has two rows of word 0 and one of word 1, "
    "and head 1 has one row of word 1 and two of word 2.",
)

# %% [markdown]
# One shade is one word. After `split_heads` each head has all three words, in order. The bare view hands the
# first half of the sentence to head 0 and the second half to head 1.

# %% [markdown] prompt="merge_heads"
# ### `merge_heads`
# The way back: `(batch, num_heads, n, d_head)` becomes `(batch, n, d_model)`, the parts of each word side
# by side.

# %% solution="merge_heads"
def merge_heads(X: torch.Tensor) -> torch.Tensor:
    """X (batch, num_heads, n, d_head) -> (batch, n, num_heads * d_head), the inverse of `split_heads`."""
    ### BEGIN SOLUTION
    return X.transpose(1, 2).flatten(start_dim=2)
    ### END SOLUTION

# %% test="merge_heads"
check(merge_heads)

# %% [markdown] hint="merge_heads"
# <details><summary>Hint 1: backwards</summary>
#
# Undo the steps of `split_heads` in the opposite order.
# </details>
# <details><summary>Hint 2: "view size is not compatible"</summary>
#
# After a transpose the numbers no longer lie in reading order, and `view` cannot read across that.
# `reshape` and `flatten` copy where they must; so does `.contiguous().view(…)`.
# </details>

# %% [markdown]
# ### Find the slip: a test that proves too little
#
# A colleague uses bare views, without any transpose, and has a test to show that it works: split, merge, and
# X is back. We add a second test: shuffle the words, and see whether the rows of the output are shuffled alike.
# Which of the two tests gives the slip away, and why does the other miss it?

# %%
def cut(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    return X.reshape(len(X), num_heads, X.shape[1], -1)


def glue(X: torch.Tensor) -> torch.Tensor:
    return X.reshape(len(X), X.shape[2], -1)


def look_around(X: torch.Tensor, split: Callable, merge: Callable) -> torch.Tensor:
    """Every word looks at every word, in two heads."""
    parts = split(X, 2)
    output, _ = attention(parts, parts, parts)
    return merge(output)


torch.manual_seed(0)
X, order = torch.randn(1, 3, 4), [2, 0, 1]
for name, split, merge in [("colleague", cut, glue), ("you", split_heads, merge_heads)]:
    round_trip = torch.equal(merge(split(X, 2)), X)
    plain, shuffled = look_around(X, split, merge), look_around(X[:, order], split, merge)
    follows = torch.allclose(shuffled, plain[:, order], atol=1e-6)
    print(f"{name:10} round trip {round_trip!s:6} shuffled words give shuffled rows {follows}")

# %% [markdown]
# <details><summary>Named it? Compare.</summary>
#
# The shuffle. Attention without a mask does not know the order of the words, so shuffled words must give
# shuffled rows and change nothing else. The colleague's do not. Without the transposes head 0 holds the
# first half of the sentence instead of the first half of every word, so words look only at those in their own
# half. The merge undoes exactly what the split did: the round trip gives X back whether the split is right or
# wrong.
# </details>
#
# ## 5. Everything together
#
# One thing is missing. Cut as they are, heads would compare columns that happen to be neighbours. So learned
# matrices come first: `W_q`, `W_k` and `W_v` decide what each head asks, what the words answer to it, and what
# they hand over. And `W_o` comes last, to mix what the heads have found. That is multi-head attention (Vaswani
# and others, 2017), from the top to the bottom:
#
# ```
# queries   (batch, n_q, d_model)    W_q, split_heads          Q   (batch, num_heads, n_q, d_k)
# keys      (batch, n_k, d_model)    W_k, split_heads          K   (batch, num_heads, n_k, d_k)
# values    (batch, n_k, d_model)    W_v, split_heads          V   (batch, num_heads, n_k, d_k)
#                                    Q times K, scaled    scores   (batch, num_heads, n_q, n_k)
#                                    masked_weights      weights   (batch, num_heads, n_q, n_k)
#                                    weights times V               (batch, num_heads, n_q, d_k)
#                                    merge_heads, W_o     output   (batch, n_q, d_model)
# ```
#
# What was d_head is called d_k here: it is the width of the keys that a head compares.
#
# One shape needs thought. Broadcasting lines shapes up from the **right**:
#
# ```
# scores   (batch, num_heads, n_q, n_k)
# mask            (batch,     1,   n_k)      your padding mask
# ```
#
# `batch` stands below `num_heads`: an error if you are lucky, and a silent mix-up when the two are equal.

# %% [markdown] prompt="MultiHeadAttention"
# ### `MultiHeadAttention`
# The scheme above as a module, out of the pieces you have built:
#
# - `W_q`, `W_k`, `W_v`, `W_o` are `nn.Linear(d_model, d_model, bias=False)`, and `d_k` is the width of one head;
#   where `d_model` is not divisible by `num_heads`, raise `ValueError`;
# - `attention_weights` keeps the last call's weights, `(batch, num_heads, n_q, n_k)`;
# - a mask with two or three axes means the same for every head, and a query with nothing to look at gets zero
#   weights.
#
# A mistake in one of the pieces is not counted again here.

# %% solution="MultiHeadAttention"
class MultiHeadAttention(nn.Module):
    """Attention in `num_heads` parts of width `d_k`, with learned projections around it."""

    def __init__(self, d_model: int, num_heads: int) -> None:
        """Raises ValueError when d_model is not divisible by num_heads."""
        super().__init__()
        ### BEGIN SOLUTION
        if d_model % num_heads:
            raise ValueError(f"{num_heads} heads cannot share {d_model} features evenly")
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        ### END SOLUTION

    def forward(
        self,
        queries: torch.Tensor,
        keys: torch.Tensor,
        values: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        """queries (batch, n_q, d_model), keys and values (batch, n_k, d_model) -> (batch, n_q, d_model).

        mask: booleans, True = may look: (n_q, n_k), (batch, 1 or n_q, n_k), or with an axis for the heads.
        """
        ### BEGIN SOLUTION
        Q = split_heads(self.W_q(queries), self.num_heads)
        K = split_heads(self.W_k(keys), self.num_heads)
        V = split_heads(self.W_v(values), self.num_heads)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)  # (batch, 1, n_q, n_k): the same for every head
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
        self.attention_weights = masked_weights(scores, mask)
        return self.W_o(merge_heads(self.attention_weights @ V))
        ### END SOLUTION

# %% test="MultiHeadAttention"
check(MultiHeadAttention)

# %% [markdown] hint="MultiHeadAttention"
# <details><summary>Hint 1: line by line</summary>
#
# `__init__`: check that `d_model % num_heads` is 0, keep `num_heads` and `d_k`, make four layers. `forward`: each
# line of the scheme is one line of code. Print the shape after each and compare.
# </details>
# <details><summary>Hint 2: the scores</summary>
#
# A head compares vectors of width `d_k`, not `d_model`. And "Q times K" needs the last two axes of K swapped:
# `K.transpose(-2, -1)`.
# </details>
# <details><summary>Hint 3: mask meets heads</summary>
#
# Give a mask with three axes one more, of length 1, where the heads are: `mask.unsqueeze(1)`. A mask with
# two axes broadcasts as it is.
# </details>

# %%
for num_heads in (1, 8):
    mha = MultiHeadAttention(128, num_heads)
    x = torch.zeros(2, 10, 128)
    total = sum(parameter.numel() for parameter in mha.parameters())
    print(f"{num_heads} head(s): d_k {mha.d_k:3}, output {tuple(mha(x, x, x).shape)}, {total} parameters")

# %% [markdown]
# More heads cost no more parameters: the same four matrices, 4 · 128², are read in narrower strips.
#
# ### Self and cross
#
# In **self-attention** queries, keys and values come from one sequence, and the map of weights is square. In
# **cross-attention** one sequence asks and another answers: a translation, word by word, looks at its
# source. The causal mask belongs to self-attention, where a word could see its own future. In cross-attention
# it would make no sense: the source is all there. What is hidden there is the padding of the **source**,
# since masks hide keys.

# %%
torch.manual_seed(1)
mha = MultiHeadAttention(d_model=8, num_heads=2)
source, target = ["I", "love", "you", "pad", "pad"], ["wǒ", "ài", "nǐ"]
X_source, X_target = torch.randn(1, 5, 8), torch.randn(1, 3, 8)
source_mask = create_padding_mask([[11, 12, 13, 0, 0]])

maps = {}
maps["self, causal"] = (mha(X_target, X_target, X_target, create_causal_mask(3)), mha.attention_weights)
maps["cross, padded source"] = (mha(X_target, X_source, X_source, source_mask), mha.attention_weights)
for name, (output, weights) in maps.items():
    print(f"{name:21} output {tuple(output.shape)}   weights {tuple(weights.shape)}")

figure, columns = plt.subplots(1, 4, figsize=(9.5, 2.6), layout="constrained", width_ratios=(3, 3, 5, 5))
for i, (name, (_, weights)) in enumerate(maps.items()):
    for head in range(2):
        axes, keys = columns[2 * i + head], target if i == 0 else source
        axes.imshow(weights[0, head].detach(), cmap=figures.CMAP, vmin=0, vmax=1)
        axes.set_xticks(range(len(keys)), keys)
        axes.set_yticks(range(3), target)
        axes.set(xlabel="key: target" if i == 0 else "key: source")
        axes.set_title(f"{name}\nhead {head}", fontsize=10)
columns[0].set_ylabel("query: target")
figures.show(
    figure,
    alt="Attention maps of an untrained module. Self-attention: two 3 by 3 maps, empty above the diagonal. "
    "Cross-attention: two maps of 3 rows and 5 columns whose last two columns, the pads, are empty.",
)

# %% [markdown]
# ### The judge you cannot argue with
#
# PyTorch has the same layer. Give it your four matrices, and compare. Careful: `nn.MultiheadAttention`
# marks what is **forbidden**, the opposite of `scaled_dot_product_attention` in the same library.
# Whenever you meet a mask, ask first what True means.

# %%
torch.manual_seed(2)
mine = MultiHeadAttention(d_model=12, num_heads=3)
theirs = nn.MultiheadAttention(embed_dim=12, num_heads=3, bias=False, batch_first=True)
with torch.no_grad():
    theirs.in_proj_weight.copy_(torch.cat([mine.W_q.weight, mine.W_k.weight, mine.W_v.weight]))
    theirs.out_proj.weight.copy_(mine.W_o.weight)

X, source = torch.randn(2, 5, 12), torch.randn(2, 7, 12)
allowed = create_causal_mask(5) & create_padding_mask([[1, 2, 3, 0, 0], [4, 5, 0, 0, 0]])
forbidden = (~allowed).repeat_interleave(3, dim=0)  # theirs: one for each head of each sentence
runs = {
    "self, no mask": (X, X, X, None, None),
    "self, causal and padded": (X, X, X, allowed, forbidden),
    "cross": (X, source, source, None, None),
}
for name, (queries, keys, values, mask, attn_mask) in runs.items():
    output = mine(queries, keys, values, mask)
    wanted, weights = theirs(queries, keys, values, attn_mask=attn_mask, average_attn_weights=False)
    same_output = torch.allclose(output, wanted, atol=1e-5)
    same_weights = torch.allclose(mine.attention_weights, weights, atol=1e-5)
    print(f"{name:24} same output {same_output}   same weights {same_weights}")

# %% [markdown]
# **Now unaided.** Open a new cell below, look at nothing above, and write `MultiHeadAttention` once more from an
# empty line. Run it, then `check(MultiHeadAttention)` and the comparison with PyTorch: now they judge the new
# one. (What is graded is the class further up.)

# %% [markdown] written="explain_self_and_cross" points=4
# ### In your own words
#
# The notes end with three questions to think about. Two to four sentences for each.
#
# 1. Why are the scores divided by √d_k, and which d_k is that when there are heads?
# 2. What is the difference between self-attention and cross-attention: where do queries, keys and values
#    come from, what shape has the map, and which masks make sense?
# 3. What does each head learn? What decides it, and what does the model gain over one head of full width?
#
# ### BEGIN SOLUTION
# 1. The dot product of two vectors with d_k independent entries of variance 1 has variance d_k, so its
#    spread grows like √d_k. Undivided, large scores push the softmax into a corner where one weight is
#    nearly 1 and the gradient nearly 0. With heads, d_k is the width of one head, d_model / num_heads,
#    because that is the length over which a head sums.
# 2. Self-attention: all three come from the same sequence, through three projections; the map is n × n,
#    and a causal mask makes sense where the model writes. Cross-attention: queries come from one
#    sequence, keys **and** values from another; the map is n_q × n_k, and the mask that makes sense hides
#    the padding of the sequence that is looked at.
# 3. Each head has its own strips of W_q, W_k and W_v, so its own idea of what goes with what: a
#    neighbour, a subject, a matching bracket. Nobody assigns this; training from unlike random starts
#    does, and several heads may do the same or little. One softmax gives one average a query; several
#    heads keep several apart, at the same number of parameters, and W_o mixes them.
#
# Rubric, 4 points:
#
# - 1 point, scale: spread (or variance) grows with d_k **and** what that does to the softmax or its
#   gradient; d_k of one head.
# - 1 point, sources: one sequence for all three against queries from one, keys and values from another.
# - 1 point, shape and masks: square against n_q × n_k; causal for self, padding of the keys' sequence for
#   cross.
# - 1 point, heads: own projections, several patterns at once instead of one average, learned and not
#   assigned.
# ### END SOLUTION

# %% [markdown]
# ## What you can now do
#
# - say who may look where, with booleans or with numbers to add, and ask of any mask what True means;
# - mask **before** the softmax, and give a query with nothing to look at zeros;
# - split vectors into heads and merge them, and test that with a shuffle instead of a round trip;
# - build multi-head attention, for self and cross, and hold it against PyTorch's.
#
# **Next:** stacked with a small feed-forward network, residual connections and something that tells positions
# apart, what you have just built is a Transformer. In [07, your attention
# writes](../07_tiny_transformer/tiny_transformer.ipynb), it learns to write sentences before your eyes. Save this
# notebook: lesson 07 fetches your `MultiHeadAttention` from it. If you came here first, [lesson
# 03](../03_word2vec_heatmap/word2vec_heatmap.ipynb) reads a map of real words, and in [lesson
# 04](../04_gaussian_kernel/gaussian_kernel.ipynb) attention turns out to be regression.

# %% [markdown]
# ---
# *Credits.* The query with three keys, the numbers 15.57 and [20, 0] that are set right here, the matrix
# of zeros and −inf, the two padded sequences, the layer of 128 features and 8 heads and the three
# questions come from the seed notes that the course grew from. Attention for translation: Bahdanau, Cho
# and Bengio, *Neural machine translation by jointly learning to align and translate*, 2014. Scaled
# dot-product and multi-head attention, and the causal mask in it: Vaswani and others, *Attention is all
# you need*, 2017.
