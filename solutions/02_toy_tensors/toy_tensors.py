# %% [markdown]
# # Attention you can check by hand
#
# A Python dictionary finds the one key that matches exactly. What should a lookup hand back when several
# keys match *a bit*? Attention is the answer, and it is small enough to work out on paper.
#
# You will do one lookup by hand, write it in NumPy, then in PyTorch for many lookups at once, turn it into
# **self-attention**, and find out what the √d_k in the formula is for. On the way you mend six slips
# from the working notes that this course grew from. About 75 minutes. All you need is a matrix product and
# what a softmax does (lesson 01); PyTorch is introduced when it is needed.

# %% setup="imports"
import warnings

import matplotlib.pyplot as plt
import numpy as np
import torch

from autograder import CMAP, attention, check, explore, show, softmax

np.set_printoptions(precision=3, suppress=True)
torch.set_printoptions(precision=3, sci_mode=False)
check.lesson("02_toy_tensors")

# %% [markdown]
# ## A lookup that need not choose
#
# You walk into a library with a wish, the **query**. Every book has a label on its spine, the **key**,
# and pages inside, the **value**. You hold your wish against every label, and take home a *blend* of the
# books: much of those whose labels fit, little of the others.
#
# | step | on paper | in words |
# | --- | --- | --- |
# | score | $s_i = q \cdot k_i$ | how well does key *i* fit the query? multiply number by number, add up |
# | scale | $s_i / \sqrt{d_k}$ | $d_k$ = how many numbers a key has; the last section shows why |
# | softmax | $w_i = e^{s_i/\sqrt{d_k}} / \sum_j e^{s_j/\sqrt{d_k}}$ | shares of one whole |
# | blend | $\sum_i w_i v_i$ | a weighted sum of the values |
#
# Here is the smallest example: one query, three keys, and every one of them a single number, so $d_k =
# 1$.

# %%
query, keys, values = 1.0, np.array([1.0, 2.0, 0.5]), np.array([10.0, 20.0, 5.0])
scores = query * keys / np.sqrt(1)
powers = np.exp(scores)
weights = powers / powers.sum()

print("key   score   e^score   weight   weight × value")
for row in np.column_stack([keys, scores, powers, weights, weights * values]):
    print("{:<5.1f} {:<7.1f} {:<9.3f} {:<8.3f} {:.3f}".format(*row))
print(f"sum           {powers.sum():<9.3f} {weights.sum():<8.3f} {(weights * values).sum():.3f}")

# %% [markdown]
# The lookup gives **15.58**: mostly the 20 that goes with the best key, pulled down by the other two.
#
# The notes say 15.57, a small slip and the first of the six. Where did a hundredth go?
#
# <details><summary>Think first, then look</summary>
#
# They cut the weights to three decimals, 0.231, 0.628 and 0.140, *before* the last step; that gives
# 15.57. Rounding them properly (0.629) gives 15.59, and neither is right. Carry all the digits, round
# once, at the end.
# </details>

# %% [markdown] prompt="predict_by_hand"
# ## Your turn, on paper
#
# One query, three keys with **two** features, three values:
#
# $$q = (1, 0) \qquad K = \begin{pmatrix}1&0\\0&1\\1&0\end{pmatrix} \qquad
# V = \begin{pmatrix}10&0\\0&20\\30&0\end{pmatrix}$$
#
# Work out the three weights, `hand_weights`, and the two numbers of the output, `hand_output`, to two
# decimals, with nothing but a pocket calculator. Each value is now a row of two numbers, and so is the blend.

# %% solution="predict_by_hand"
# hand_weights: three numbers; hand_output: two numbers
### BEGIN SOLUTION
hand_weights = softmax([1 / np.sqrt(2), 0, 1 / np.sqrt(2)])
hand_output = [10 * hand_weights[0] + 30 * hand_weights[2], 20 * hand_weights[1]]
### END SOLUTION

# %% test="predict_by_hand"
check("predict_by_hand")

# %% [markdown] hint="predict_by_hand"
# <details><summary>Hint 1: the scores</summary>
#
# Multiply the query with each key, number by number, and add up: 1, 0, 1.
# </details>
# <details><summary>Hint 2: the scale</summary>
#
# A key has two features here, so divide by √2 ≈ 1.414. The scaled scores are 0.707, 0, 0.707.
# </details>
# <details><summary>Hint 3: the softmax</summary>
#
# e^0.707 ≈ 2.03. And e^0? Divide each of the three by their sum.
# </details>
# <details><summary>Hint 4: the blend</summary>
#
# Place by place: the first number of the output is made of the values' first numbers, 10, 0 and 30, each
# times its weight; the second of 0, 20 and 0.
# </details>

# %% [markdown]
# ### Find the slip
#
# For this very example the notes give the weights 0.5, 0, 0.5 and the output (20, 0). They do not show how;
# this code comes to the same:

# %%
scaled_scores = np.array([1, 0, 1]) / np.sqrt(2)
noted_weights = scaled_scores / scaled_scores.sum()
print("weights", noted_weights, "  output", noted_weights @ np.array([[10, 0], [0, 20], [30, 0]]))

other_scores = np.array([3, -1, -1])
print("scores ", other_scores, "  weights", other_scores / other_scores.sum())

# %% [markdown]
# It looks reasonable until the scores change: *negative* weights, and one key gets three times all there is
# to share. Which of the four steps is missing?
#
# <details><summary>Name it, then look</summary>
#
# The softmax: the scores themselves were shared out, without $e^s$. A score of 0 then means a weight of
# 0. But 0 is a score like any other, better than every negative one, and $e^0 = 1$ still counts.
# **On paper, a softmax never gives exactly nothing.** The right weights are 0.401, 0.198, 0.401, and the
# output is (16.04, 3.96).
# </details>

# %%
figure, pair = plt.subplots(1, 2, figsize=(9, 3), layout="constrained")
for axes, row in zip(pair, (scaled_scores, other_scores), strict=True):
    shared = axes.bar(np.arange(3) - 0.2, row / row.sum(), 0.4, color="tab:orange", hatch="//")
    softened = axes.bar(np.arange(3) + 0.2, softmax(row), 0.4, color="tab:blue")
    for bars in (shared, softened):
        axes.bar_label(bars, fmt="%.2f", padding=2)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(range(3), [f"key {i}\nscore {score:.3g}" for i, score in enumerate(row)])
    axes.margins(y=0.15)
pair[0].set_ylabel("weight")
pair[1].legend([shared, softened], ["scores shared out", "softmax of the scores"], frameon=False)
show(
    figure,
    alt="Bars of the weights of three keys, scores shared out beside their softmax. Left, scores 0.707, 0 and "
    "0.707: shared out 0.50, 0.00 and 0.50, softmax 0.40, 0.20 and 0.40. Right, scores 3, -1 and -1: shared "
    "out 3, -1 and -1, softmax 0.96, 0.02 and 0.02.",
)

# %% [markdown] prompt="simple_attention"
# ## In NumPy, for many queries at once
#
# Stack queries, keys and values as the rows of $Q$, $K$ and $V$. Then $QK^\top$ holds all the scores, a row
# for each query and a column for each key, and the four steps are one line:
# $\operatorname{softmax}(QK^\top/\sqrt{d_k})\,V$, with the softmax taken row by row.
#
# **Write this line as a function.** `softmax(x, axis=-1)` is there, imported above. In the shapes, n_q counts
# the queries and n_k the keys, each of d_k numbers; a value has d_v of them.


# %% solution="simple_attention"
def simple_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Scaled dot-product attention. Scores in the thousands must do no harm.

    Q (n_q, d_k), K (n_k, d_k), V (n_k, d_v)  ->  output (n_q, d_v)
    """
    ### BEGIN SOLUTION
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    return softmax(scores, axis=-1) @ V
    ### END SOLUTION


# %% test="simple_attention"
check(simple_attention)

# %% [markdown] hint="simple_attention"
# <details><summary>Hint 1: the shapes</summary>
#
# One score for each query *and* each key: (n_q, n_k). What must happen to K, of shape (n_k, d_k), before
# `Q @ ...` has that shape? That is the little ⊤ in the formula.
# </details>
# <details><summary>Hint 2: where d_k is</summary>
#
# In the shape of K. Which of its two numbers is it?
# </details>
# <details><summary>Hint 3: "my rows do not blend the values"</summary>
#
# The weights of one query lie in a row; that row must sum to 1. Which axis does your softmax run along?
# </details>

# %% [markdown]
# What does it do? Put three keys and three values at the corners of the same triangle, let a query turn
# once around the middle in sixty steps, and mark where the outputs land. In a live notebook, move the
# slider.

# %%
corners, turn = np.deg2rad([90, 210, 330]), np.deg2rad(range(0, 360, 6))
triangle = np.column_stack([np.cos(corners), np.sin(corners)])
circle = np.column_stack([np.cos(turn), np.sin(turn)])


def draw_outputs(length, axes):
    outputs = simple_attention(length * circle, triangle, triangle)
    axes.scatter(*triangle.T, s=130, marker="^", color="tab:orange", label="a key and its value")
    axes.scatter(*outputs.T, s=14, color="tab:blue", label="outputs")
    axes.set(aspect="equal", xlim=(-1.1, 1.1), ylim=(-0.8, 1.35), xticks=[], yticks=[])
    axes.legend(loc="upper right", fontsize=8)


explore(
    draw_outputs,
    [0.5, 2, 20],
    name="length of the query",
    alt="Sixty outputs among three triangle corners that are keys and values. Short query: "
    "a small circle around the middle. Longer query: a rounded triangle. Very long query: "
    "nearly all outputs sit in the corners, a few on the edges.",
)

# %% [markdown]
# No output ever leaves the triangle: each is a blend, with shares that sum to 1. Long queries make scores
# that lie far apart. So a short query blends all three values, and a very long one *chooses* a corner,
# nearly as a dictionary does.

# %% [markdown]
# ## In PyTorch, and for batches
#
# Most networks are written in a library such as PyTorch. Its **tensors** are used much like NumPy's arrays:
# `@`, `.shape` and indexing are the same, and `torch.softmax(x, dim=-1)` says `dim` for `axis`. What they add:
# a tensor can remember how it was computed, so that PyTorch can say how a result would change if an input
# changed a little. That is the **gradient**, and from gradients a network learns.
#
# Here is a lookup to remember: four keys, counted from 0, of which the last two are the same, and four
# values. The function is the notes' own.

# %%
toy_K = torch.tensor([[10.0, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]])  # (4, 3)
toy_V = torch.tensor([[1.0, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]])  # (4, 3)


def borrowed_attention(Q, K, V, d_k):
    shares = torch.softmax(Q @ K.T / d_k**0.5, dim=-1)
    return shares @ V, shares


output, weights = borrowed_attention(torch.tensor([[0.0, 10, 0]]), toy_K, toy_V, d_k=4)
print("weights", weights.numpy().round(3), "  output", output.numpy().round(3))

# %% [markdown]
# The query points the way key 1 points, takes all its attention there, and fetches row 1 of the values.
# Right!
#
# ### Find the slip
#
# ... or lucky? Ask the same thing gently, with a short query, and compare with `attention` from the first
# cell, which calls PyTorch's own:

# %%
gentle = torch.tensor([[0.0, 0.3, 0]])
print("borrowed", borrowed_attention(gentle, toy_K, toy_V, d_k=4)[1].numpy().round(3))
print("PyTorch ", attention(gentle, toy_K, toy_V)[1].numpy().round(3))

# %% [markdown] prompt="mend_the_divisor"
# The weights differ. The strong query hid it: its best key wins by so far that no divisor matters. By what
# number should the toy scores be divided?

# %% solution="mend_the_divisor"
### BEGIN SOLUTION
divisor = 3**0.5
### END SOLUTION

# %% test="mend_the_divisor"
check("mend_the_divisor")

# %% [markdown] hint="mend_the_divisor"
# <details><summary>Hint 1: which size</summary>
#
# $d_k$ is how many numbers *one* key has. Which axis of `toy_K` is that, and what does the call above say?
# </details>
# <details><summary>Hint 2: which function of it</summary>
#
# The formula divides by a root. An expression such as `5**0.5` is fine.
# </details>

# %% [markdown]
# So the third slip is the argument `d_k`: it can contradict the data, and it is not needed, for the shape of
# K tells its width. The fourth slip shows on a **batch**. Networks answer many sentences at once, each with
# queries, keys and values of its own, stacked along a first axis. Here are two lookups:

# %%
batch_Q, batch_K, batch_V = torch.ones(2, 1, 3), torch.stack([toy_K, -toy_K]), torch.stack([toy_V, toy_V])
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch warns about the line at fault
        print("K", tuple(batch_K.shape), "  K.T", tuple(batch_K.T.shape))
        borrowed_attention(batch_Q, batch_K, batch_V, d_k=3)
except RuntimeError as error:
    print("RuntimeError:", str(error).splitlines()[0])

# %% [markdown] prompt="scaled_dot_product_attention"
# `.T` turns *all* the axes around: the batch, first in K, comes last in `K.T`. **Mend both slips: write
# attention for any number of leading batch axes**, so that each matrix of queries meets its own keys and
# values, and gradients flow back to Q, K and V. Use torch's own operations, step by step; the ready-made
# attention is for comparing.


# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Scaled dot-product attention; d_k is read from K.

    Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v)
    ->  output (..., n_q, d_v), weights (..., n_q, n_k)
    """
    ### BEGIN SOLUTION
    scores = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
    ### END SOLUTION


# %% test="scaled_dot_product_attention"
check(scaled_dot_product_attention)

# %% [markdown] hint="scaled_dot_product_attention"
# <details><summary>Hint 1: the batch</summary>
#
# `@` multiplies the matrices in the last two axes and leaves the axes before them alone. So only the last
# two axes of K should swap. Tensors have a method for that: look at `help(torch.Tensor.transpose)`.
# </details>
# <details><summary>Hint 2: "it works for matrices, but my batch is wrong"</summary>
#
# Axes counted from the front (0, 1) mean other things once a batch is there. Count from the end: -1, -2.
# </details>
# <details><summary>Hint 3: "no gradient reaches Q"</summary>
#
# `.numpy()`, `.detach()`, `.data` and `torch.no_grad()` leave PyTorch's graph. Stay with torch's own
# functions.
# </details>

# %%
output, weights = scaled_dot_product_attention(batch_Q, batch_K, batch_V)
print("output", tuple(output.shape), "  weights", tuple(weights.shape))

# %% [markdown]
# Two lookups, each with one query: two outputs of three numbers, two times four weights. Now let the query
# (0, strength, 0) grow from gentle to strong, and watch the four toy keys share one whole:


# %%
def draw_weights(strength, axes):
    _, weights = scaled_dot_product_attention(torch.tensor([[0.0, strength, 0]]), toy_K, toy_V)
    bars = axes.bar(range(4), weights[0].numpy(), color="tab:blue")
    axes.bar_label(bars, fmt="%.2f")
    axes.set(ylim=(0, 1.12), xticks=range(4), xlabel="key", ylabel="weight")


explore(
    draw_weights,
    [0.1, 0.3, 10],
    name="strength",
    alt="Bars of the weights on keys 0 to 3 for the query (0, strength, 0). At strength 0.1 "
    "they are 0.21, 0.37, 0.21 and 0.21; at 0.3 key 1 has 0.65 and the others 0.12, at 10 it has all.",
)

# %% [markdown] prompt="predict_toy_queries"
# ## Predict before you run
#
# Three strong queries, in this order: **[0, 10, 0]**, **[0, 0, 10]**, **[10, 10, 0]**. Here are keys and
# values once more:
#
# | position | 0 | 1 | 2 | 3 |
# | --- | --- | --- | --- | --- |
# | key | 10, 0, 0 | 0, 10, 0 | 0, 0, 10 | 0, 0, 10 |
# | value | 1, 0, 1 | 10, 0, 2 | 100, 5, 0 | 1000, 6, 0 |
#
# Which keys does each query attend to (positions count from 0), and what row of numbers comes back? Commit
# yourself first, without code: `attends_to` is three lists of positions, `looked_up` three rows of three
# numbers.

# %% solution="predict_toy_queries"
### BEGIN SOLUTION
attends_to = [[1], [2, 3], [0, 1]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
### END SOLUTION

# %% test="predict_toy_queries"
check("predict_toy_queries")

# %% [markdown] hint="predict_toy_queries"
# <details><summary>Hint 1: the scores</summary>
#
# Multiply each query with all four keys. The scores are 0 or 100, nothing between.
# </details>
# <details><summary>Hint 2: a tie</summary>
#
# Two keys that score the same get the same weight, and all weights together are 1. What is halfway
# between two values?
# </details>

# %%
toy_Q = torch.tensor([[0.0, 10, 0], [0, 0, 10], [10, 10, 0]])
output, weights = scaled_dot_product_attention(toy_Q, toy_K, toy_V)

figure, axes = plt.subplots(figsize=(5.2, 3), layout="constrained")
axes.imshow(weights, cmap=CMAP, vmin=0, vmax=1)
for (i, j), weight in np.ndenumerate(weights.numpy().round(3)):
    axes.text(j, i, f"{weight:g}", ha="center", va="center", color="white" if weight > 0.6 else "black")
axes.set(xlabel="key", ylabel="query", title="Who looks at whom", xticks=range(4))
axes.set_yticks(range(3), ["[0, 10, 0]", "[0, 0, 10]", "[10, 10, 0]"])
show(
    figure,
    alt="Heatmap of weights, three queries by four keys. [0, 10, 0] puts 1 on key 1; [0, 0, 10] "
    "puts one half each on keys 2 and 3; [10, 10, 0] puts one half each on keys 0 and 1.",
)
print(output.numpy().round(3))

# %% [markdown]
# ## Where Q, K and V come from
#
# So far we wrote queries, keys and values by hand. In a network they are made from words. A sentence is a
# matrix $X$, one row of numbers for each word, and three matrices make three things of each row:
#
# $$Q = X W_Q \qquad K = X W_K \qquad V = X W_V$$
#
# So every word plays three parts: its query asks, its key is what others find it by, its value is what it
# hands over. Training adjusts $W_Q$, $W_K$ and $W_V$. Why three? With plain $X$ in all places the scores
# would be $XX^\top$, a symmetric matrix: *beautiful* would fit *weather* exactly as well as *weather* fits
# *beautiful*, and most words would fit themselves best.

# %% [markdown] prompt="self_or_cross"
# ### Self or cross?
#
# The notes call the toy lookup *self-attention*. That is the fifth slip, one of words: what matters is
# **where Q, K and V come from**.
#
# - **self-attention**: queries, keys and values are all made from one sequence, which looks at itself;
# - **cross-attention**: the queries come from one place, the keys and values from another.
#
# Take two sentences of *five words each*, a French one `X` and an English one `Y`, one row for each word.
# Name each call, `"self"` or `"cross"`:
#
# 1. `attention(toy_Q, toy_K, toy_V)`
# 2. `attention(X @ W_Q, X @ W_K, X @ W_V)`
# 3. `attention(X @ W_Q, Y @ W_K, Y @ W_V)`

# %% solution="self_or_cross"
# three words in a list, in the order of the calls
### BEGIN SOLUTION
kinds = ["cross", "self", "cross"]
### END SOLUTION

# %% test="self_or_cross"
check("self_or_cross")

# %% [markdown] hint="self_or_cross"
# <details><summary>Hint 1: two questions</summary>
#
# For each call: whose rows ask? Whose rows are looked at? Are they the same sequence?
# </details>
# <details><summary>Hint 2: what does not count</summary>
#
# Different matrices W do not make different sequences, and equal lengths do not make one sequence of two.
# </details>

# %% [markdown] prompt="what_sums_to_one"
# ## A sequence that looks at itself
#
# ### Find the slip
#
# The sixth and last slip is an old acquaintance if you have done lesson 01. For ten words that look at one
# another, the notes come to these two lines:
#
# ```python
# scores = Q @ K.T / np.sqrt(16)                    # (10, 10)
# weights = np.exp(scores) / np.exp(scores).sum()   # (10, 10)
# ```
#
# What sums to 1 here: each `"row"`, each `"column"`, or only the whole `"matrix"` of weights?

# %% solution="what_sums_to_one"
# "row", "column" or "matrix"
### BEGIN SOLUTION
sums_to_one = "matrix"
### END SOLUTION

# %% test="what_sums_to_one"
check("what_sums_to_one")

# %% [markdown] hint="what_sums_to_one"
# <details><summary>Hint 1: shapes</summary>
#
# How many numbers does `.sum()` return when it is given no axis?
# </details>
# <details><summary>Hint 2: who shares with whom</summary>
#
# All 100 powers are divided by that. Add up the 100 results: what do you get?
# </details>

# %%
rng = np.random.default_rng(0)
ten_words, W_Q, W_K, W_V = (0.7 * rng.normal(size=(rows, 16)) for rows in (10, 16, 16, 16))
scores = (ten_words @ W_Q) @ (ten_words @ W_K).T / np.sqrt(16)
borrowed_weights = np.exp(scores) / np.exp(scores).sum()
print("row sums", borrowed_weights.sum(axis=1).round(2), "  together", borrowed_weights.sum().round(2))

# %% [markdown] prompt="self_attention"
# All ten words share a single 1: words 4 and 7 take most of it, and word 0 is left with next to nothing.
# In the notes' own run the first row sums to 7e-17. Its output is then next to nothing, too, instead of
# a blend.
#
# **Mend it: write self-attention in which every row of weights sums to 1.** Build on your
# `scaled_dot_product_attention`, or on `attention` from the first cell, which does the same.


# %% solution="self_attention"
def self_attention(
    X: torch.Tensor, W_Q: torch.Tensor, W_K: torch.Tensor, W_V: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Self-attention over the n rows (words) of X, d_model numbers each; d_k is the width of the keys.

    X (n, d_model), W_Q (d_model, d_k), W_K (d_model, d_k), W_V (d_model, d_v)
    ->  output (n, d_v), weights (n, n)
    """
    ### BEGIN SOLUTION
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    ### END SOLUTION


# %% test="self_attention"
check(self_attention)

# %% [markdown] hint="self_attention"
# <details><summary>Hint 1: three parts</summary>
#
# First make Q, K and V, three matrix products, one for each of the three matrices. The rest you have
# already written.
# </details>
# <details><summary>Hint 2: "my numbers are a little off"</summary>
#
# A *key* has d_k features. After the product with W_K that need not be the width of X any more.
# </details>

# %%
output, own_weights = self_attention(
    torch.tensor(ten_words), torch.tensor(W_Q), torch.tensor(W_K), torch.tensor(W_V)
)

figure, pair = plt.subplots(1, 2, figsize=(9, 4.3), layout="constrained")
titles = "one softmax over the whole matrix", "one softmax for each row"
for axes, title, shown in zip(pair, titles, (borrowed_weights, own_weights.numpy()), strict=True):
    image = axes.imshow(shown, cmap=CMAP, vmin=0, vmax=1)
    axes.set(title=title, xlabel="key (word)", ylabel="query (word)", xticks=range(10), yticks=range(10))
    for word, total in enumerate(shown.sum(axis=1)):
        axes.text(9.7, word, f"{total:.2f}", va="center")
    axes.text(9.7, -0.9, "sum", va="center")
figure.colorbar(image, ax=pair, label="weight", shrink=0.8, pad=0.08)
show(
    figure,
    alt="Two heatmaps of ten queries by ten keys with the sum of each row beside it. Left, one "
    "softmax over the whole matrix: rows 4 and 7 hold 0.57 and 0.23, the others are nearly white. "
    "Right, one softmax for each row: every row has its own dark cells and sums to 1.00.",
)

# %% [markdown] prompt="score_variance"
# ## What the root is for
#
# How far apart do scores lie when nothing has been learned yet? Draw all the numbers in $q$ and $k$ from a
# standard normal distribution: mean 0, **variance** (the mean squared distance from the mean) 1.
#
# - The product of two such numbers, drawn independently, again has mean 0 and variance 1.
# - $q \cdot k$ sums $d_k$ such products, and when independent numbers are added, so are their variances.
# - Dividing numbers by $c$ divides their variance by $c^2$.
#
# So how large is the variance of $q \cdot k$, and what is left of it after the division by $\sqrt{d_k}$?
# Write down your answer. Then **measure it: draw `n_samples` pairs, return the variance of the raw scores
# and of the scaled ones**, over *the same* draws.


# %% solution="score_variance"
def score_variance(d_k: int, n_samples: int, rng: np.random.Generator) -> tuple[float, float]:
    """Sample variance of q·k and of q·k/√d_k for q and k standard normal, drawn from `rng`.

    d_k: how many numbers q and k have; n_samples: how many pairs  ->  raw, scaled
    """
    ### BEGIN SOLUTION
    q = rng.standard_normal((n_samples, d_k))
    k = rng.standard_normal((n_samples, d_k))
    scores = (q * k).sum(axis=1)
    return scores.var(), (scores / np.sqrt(d_k)).var()
    ### END SOLUTION


# %% test="score_variance"
check(score_variance)

# %% [markdown] hint="score_variance"
# <details><summary>Hint 1: drawing</summary>
#
# `rng.standard_normal((n_samples, d_k))` draws all the queries at once, a row each. Then the same for
# the keys.
# </details>
# <details><summary>Hint 2: one score for each pair</summary>
#
# Each query meets only its own key: multiply entry by entry and sum along each row. `Q @ K.T` would pair
# everyone with everyone.
# </details>
# <details><summary>Hint 3: two variances</summary>
#
# Arrays have a method `.var()`. Divide the very scores that you have, do not draw again.
# </details>

# %% [markdown]
# Below on the left, your measurements. The right-hand picture shows why they matter: a query, ten random keys,
# and the weight of the key that fits best.

# %%
widths = [1, 4, 16, 64, 256]
variances = np.array([score_variance(d_k, 5000, np.random.default_rng(1)) for d_k in widths])


def mean_top_weight(d_k, divisor):
    rng = np.random.default_rng(2)
    queries, keys = rng.standard_normal((500, 1, d_k)), rng.standard_normal((500, 10, d_k))
    scores = (queries * keys).sum(axis=-1)  # (500, 10): each query against ten keys of its own
    return softmax(scores / divisor).max(axis=-1).mean()


tops = np.array([(mean_top_weight(d_k, 1), mean_top_weight(d_k, np.sqrt(d_k))) for d_k in widths])

figure, pair = plt.subplots(1, 2, figsize=(9.4, 3.7), layout="constrained")
labels = "variance of a score", "weight of the best of ten keys"
for axes, curves, label in zip(pair, (variances, tops), labels, strict=True):
    axes.plot(widths, curves[:, 0], "o-", color="tab:orange", label="raw: q·k")
    axes.plot(widths, curves[:, 1], "s--", color="tab:blue", label="scaled: q·k / √d_k")
    axes.set_xscale("log", base=2)
    axes.set_xticks(widths, widths)
    axes.set(xlabel="d_k", ylabel=label)
    axes.legend(frameon=False)
pair[0].set_yscale("log", base=2)
pair[0].set_yticks(widths, widths)
pair[1].set_ylim(0, 1)
show(
    figure,
    alt="Two line plots against d_k from 1 to 256. Left: the variance of raw scores grows in step "
    "with d_k, that of scaled scores stays at 1. Right: the average weight of the best of ten keys "
    "climbs from about 0.3 to above 0.9 for raw scores and stays close to 0.3 for scaled ones.",
)

# %% [markdown]
# The variance of $q \cdot k$ is $d_k$, so a typical score has the size $\sqrt{d_k}$, and dividing by just
# that leaves a variance of $d_k / (\sqrt{d_k})^2 = 1$. Without the root, wide keys make every lookup an
# all-or-nothing one, like the toy queries of length 10. There the weights hardly change when the scores do:
# the gradient is close to zero, and a network has little to learn from. With the root, the blend starts as a
# blend at any width, and how sharp it should be can be *learned*.
#
# ## What you can now do
#
# - work an attention lookup by hand, and tell a sound softmax from scores that were merely shared out
# - write it for any batch, with d_k read from the keys and only their last two axes swapped
# - make queries, keys and values from one sequence, and let it look at itself
# - tell self-attention from cross-attention: by where Q, K and V come from, not by their shapes
# - say what √d_k is for, and show it
#
# **Next:** in [03, who looks at whom](../03_word2vec_heatmap/word2vec_heatmap.ipynb), real words take
# the place of toy keys: each gets a vector learned from text, and the heatmaps start to mean something.

# %% [markdown]
# **Credits.** The hand example, the toy tensors and the ten words come from working notes that the
# course grew from, mended where they slipped. Scaled dot-product attention, self-attention and the
# argument about the variance are from Vaswani et al., *Attention Is All You Need* (2017); dot-product
# scores were compared with others by Luong et al. (2015); letting a decoder look back over its input by
# weights began with Bahdanau et al. (2014).
