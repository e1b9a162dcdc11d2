# %% [markdown]
# # Attention you can check by hand
#
# One formula looks things up, paints, and lets a sentence read itself. You work it out on paper, then in code, in
# about 85 minutes, and 25 more for the puzzles.

# %% setup="imports"
import warnings

import numpy as np
import torch

from autograder import attention, check, cold_questions, look_inside, softmax, toy_pictures

np.set_printoptions(precision=3, suppress=True)
torch.set_printoptions(precision=3, sci_mode=False)
check.lesson("02_toy_tensors")

# %%
toy_pictures.painted()

# %% [markdown]
# A Python dictionary finds the one key that matches exactly. Here six **keys**, the white arms, match *a bit*. Each
# point is a **query**: an arrow to it from the middle. It takes home a blend of the keys' colours, the **values**.
#
# In the middle all blend, far out one wins. But white wins nowhere. **Why? Guess now**; at the end your own function
# paints, and you save white. On the way you catch six slips in the notes behind this course.

# %%
cold_questions()  # up to three on lesson 01: a minute, never graded

# %% [markdown]
# ## A lookup that need not choose
#
# In a library your wish is the query, a book's label its key, its pages the value. From this one you take home a
# *blend*: much of the books whose labels fit, little of the others.
#
# | step | on paper | in words |
# | --- | --- | --- |
# | score | $s_i = q \cdot k_i$ | how well does key *i* fit? multiply number by number, add up |
# | scale | $s_i / \sqrt{d_k}$ | $d_k$: how many numbers a key has; you will see why |
# | softmax | $w_i = e^{s_i/\sqrt{d_k}} / \sum_j e^{s_j/\sqrt{d_k}}$ | shares of one whole |
# | blend | $\sum_i w_i v_i$ | a weighted sum of the values |
#
# The smallest example: one query, 1, and three keys of one number, so $d_k = 1$. **Which key wins, the one that equals
# the query? Decide, then run.**

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
# No: the 2. A dot product does not ask how *near* a key is, but how far it reaches the query's way.
#
# The lookup gives **15.58**, mostly the 20 of that key. The notes say 15.57. Where did a hundredth go?
#
# <details><summary>Think first, then look</summary>
#
# The first slip: they cut the weights to three decimals, 0.231, 0.628 and 0.140, *before* the last step. Rounded
# properly (0.629) they give 15.59, not right either. Round once, at the end.
# </details>

# %% [markdown] prompt="predict_by_hand"
# ## Your turn, on paper
# ★★☆ · 10 minutes
#
# One query, three keys of **two** numbers, three values:
#
# $$q = (1, 0) \qquad K = \begin{pmatrix}1&0\\0&1\\1&0\end{pmatrix} \qquad
# V = \begin{pmatrix}10&0\\0&20\\30&0\end{pmatrix}$$
#
# With a pocket calculator, work out the three weights, `hand_weights`, and the output, `hand_output`: two numbers, as
# each value has. Carry all digits; two decimals of what comes out are enough.

# %% solution="predict_by_hand"
# hand_weights: three numbers; hand_output: two numbers
### BEGIN SOLUTION
hand_weights = softmax([1 / np.sqrt(2), 0, 1 / np.sqrt(2)])
hand_output = [10 * hand_weights[0] + 30 * hand_weights[2], 20 * hand_weights[1]]
### END SOLUTION

# %% test="predict_by_hand"
check("predict_by_hand")

# %% [markdown] hint="predict_by_hand"
# <details data-part="the weights are right"><summary>Hint 1: the scores</summary>
#
# Multiply number by number, and add up: 1, 0, 1.
# </details>
# <details data-part="the weights are right"><summary>Hint 2: the scale</summary>
#
# A key has two numbers, so divide by √2 ≈ 1.414: 0.707, 0, 0.707.
# </details>
# <details data-part="three weights; the weights are right"><summary>Hint 3: the softmax</summary>
#
# e^0.707 ≈ 2.03. And e^0? Divide each of the three by their sum.
# </details>
# <details data-part="the output"><summary>Hint 4: the blend</summary>
#
# The output's first number is made of the values' first numbers, 10, 0 and 30, each times its weight.
# </details>

# %% [markdown]
# ### Find the slip
#
# For this very example the notes give the weights 0.5, 0, 0.5 and the output (20, 0), as this code does. Now
# other scores:

# %%
scaled_scores = np.array([1, 0, 1]) / np.sqrt(2)
noted_weights = scaled_scores / scaled_scores.sum()
print("weights", noted_weights, "  output", noted_weights @ np.array([[10, 0], [0, 20], [30, 0]]))

other_scores = np.array([3, -1, -1])
print("scores ", other_scores, "  weights", other_scores / other_scores.sum())

# %% [markdown]
# A weight of 3, and two below zero! Which of the four steps is missing?
#
# <details><summary>Name it, then look</summary>
#
# The softmax, the second slip: the scores themselves were shared out, without $e^s$. But 0 is a score like any other,
# and $e^0 = 1$ counts. **On paper, a softmax never gives exactly nothing.** Lay your own weights beside these.
# </details>
#
# Move one of three scores:

# %%
toy_pictures.share_out()

# %% [markdown] prompt="simple_attention"
# ## In NumPy, for many queries at once
# ★★☆ · 8 minutes
#
# Stack queries, keys and values as the rows of $Q$, $K$ and $V$. Then $QK^\top$ holds all the scores, a row
# for each query, a column for each key. **Write the four steps as a function.**
# `softmax(x, axis=-1)` is imported.


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
# <details data-part="one row of output"><summary>Hint 1: the shapes</summary>
#
# One score for each query *and* each key: (n_q, n_k). What must happen to K, (n_k, d_k), before `Q @ ...` has
# that shape? That is the little ⊤.
# </details>
# <details data-part="the examples; the numbers are right for other"><summary>Hint 2: where d_k is</summary>
#
# In the shape of K. Which of its two numbers is it?
# </details>

# %% [markdown]
# In one line, your function is $\operatorname{softmax}(QK^\top/\sqrt{d_k})\,V$, the softmax taken row by row.
#
# Three keys and three values stand at the corners of the same triangle. **Turn a query of length 2 once round.**
# Where do two keys share most of the weight evenly? Where is the output then?

# %%
toy_pictures.turn_query(simple_attention)

# %% [markdown]
# Halfway between two keys: both score the same, and the output is equally far from both values. It never leaves
# the triangle: shares are positive and sum to 1. Where would 3, −1 and −1 put it?

# %% [markdown]
# ## In PyTorch, and for batches
#
# PyTorch's **tensors** are used much like NumPy's arrays; `torch.softmax(x, dim=-1)` says `dim` for `axis`. But a
# tensor can remember how it was computed. So PyTorch can say how a result would change with an input: the **gradient**,
# from which a network learns.
#
# Here are four keys (0 to 3, the last two alike), four values, and the notes' own function.

# %%
toy_K = torch.tensor([[10.0, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]])  # (4, 3)
toy_V = torch.tensor([[1.0, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]])  # (4, 3)


def borrowed_attention(Q, K, V, d_k):
    shares = torch.softmax(Q @ K.T / d_k**0.5, dim=-1)
    return shares @ V, shares


output, weights = borrowed_attention(torch.tensor([[10.0, 0, 0]]), toy_K, toy_V, d_k=4)
print("weights", weights.numpy().round(3), "  output", output.numpy().round(3))

# %% [markdown]
# The query points key 0's way, and fetches value 0. Right!
#
# ### Find the slip
#
# ... or lucky? Ask with weaker queries, and compare with `attention`, PyTorch's own:

# %%
toy_pictures.compare_strengths(lambda Q, K, V: borrowed_attention(Q, K, V, d_k=4), attention, toy_K, toy_V)

# %% [markdown] prompt="mend_the_divisor"
# ★☆☆ · 3 minutes
#
# A strong query hides it. By what number should the toy scores be divided?

# %% solution="mend_the_divisor"
### BEGIN SOLUTION
divisor = 3**0.5
### END SOLUTION

# %% test="mend_the_divisor"
check("mend_the_divisor")

# %% [markdown] hint="mend_the_divisor"
# <details><summary>Hint</summary>
#
# d_k is how many numbers *one* key has. An expression such as `5**0.5` is fine.
# </details>

# %% [markdown]
# So the third slip is the argument `d_k`: nobody needs it, and it can contradict the data. The fourth shows on a
# **batch**: many sentences, each with its own queries, keys and values, stacked along a first axis. Here are two, and
# the notes' way to their scores:

# %%
batch_Q, batch_K, batch_V = torch.ones(2, 1, 3), torch.stack([toy_K, -toy_K]), torch.stack([toy_V, toy_V])
print("K", tuple(batch_K.shape))
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # PyTorch warns about the line at fault
        print("K.T", tuple(batch_K.T.shape))
        batch_Q @ batch_K.T
except RuntimeError as error:
    print("RuntimeError:", str(error).splitlines()[0])

# %% [markdown] prompt="scaled_dot_product_attention"
# ★★☆ · 8 minutes
#
# `.T` turns *all* the axes around: the batch, first in K, comes last in `K.T`. **Mend both slips: write
# attention for any number of leading batch axes**, each matrix of queries with its own keys and values, so
# that gradients flow back to Q, K and V. Use torch's own operations, step by step; the ready-made attention
# is for comparing.


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
# <details data-part="the numbers are right for batches"><summary>Hint 1: the batch</summary>
#
# `@` multiplies the matrices in the last two axes. So only these two should swap: look at
# `help(torch.Tensor.transpose)`.
# </details>
# <details data-part="the numbers are right for batches">
# <summary>Hint 2: "it works for matrices, but my batch is wrong"</summary>
#
# Axes 0 and 1 are others once a batch is there. Count from the end: -1, -2.
# </details>
# <details data-part="gradients"><summary>Hint 3: "no gradient reaches Q"</summary>
#
# `.numpy()`, `.detach()` and `torch.no_grad()` forget how a tensor was computed.
# </details>

# %%
output, weights = scaled_dot_product_attention(batch_Q, batch_K, batch_V)
print("output", tuple(output.shape), "  weights", tuple(weights.shape))

# %% [markdown] prompt="predict_toy_queries"
# ## Predict before you run
# ★★☆ · 6 minutes
#
# Three strong queries, in order: **[0, 10, 0]**, **[0, 0, 10]**, **[10, 10, 0]**, and the keys and
# values once more:
#
# | position | 0 | 1 | 2 | 3 |
# | --- | --- | --- | --- | --- |
# | key | 10, 0, 0 | 0, 10, 0 | 0, 0, 10 | 0, 0, 10 |
# | value | 1, 0, 1 | 10, 0, 2 | 100, 5, 0 | 1000, 6, 0 |
#
# Which keys does each query attend to, and what comes back? Without code: `attends_to` is three lists of positions,
# `looked_up` three rows of three numbers.

# %% solution="predict_toy_queries"
### BEGIN SOLUTION
attends_to = [[1], [2, 3], [0, 1]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
### END SOLUTION

# %% test="predict_toy_queries"
check("predict_toy_queries")

# %% [markdown] hint="predict_toy_queries"
# <details data-part="which keys"><summary>Hint 1: the scores</summary>
#
# Multiply each query with all four keys. The scores are 0 or 100, nothing between.
# </details>
# <details data-part="which keys; the rows"><summary>Hint 2: a tie</summary>
#
# Two keys that score the same get the same weight. What is halfway between two values?
# </details>

# %%
toy_Q = torch.tensor([[0.0, 10, 0], [0, 0, 10], [10, 10, 0]])
names = ["[0, 10, 0]", "[0, 0, 10]", "[10, 10, 0]"]
look_inside(scaled_dot_product_attention, toy_Q, toy_K, toy_V, queries=names)

# %% [markdown]
# ## Where Q, K and V come from
#
# In a network they are made from words. A sentence is a matrix $X$, a row for each word, of which three matrices
# make three things:
#
# $$Q = X W_Q \qquad K = X W_K \qquad V = X W_V$$
#
# A word's query asks, its key is what others find it by, its value is what it hands over. Follow the dark row, one
# word of four:

# %%
toy_pictures.attention_flow()

# %% [markdown]
# Training adjusts $W_Q$, $W_K$ and $W_V$. Would one not do? Ming, Anna and Tom sit **round a table, each looking at
# the left neighbour**. With one matrix $W$ for queries and keys the scores are $XW(XW)^\top$: Anna fits Ming as well
# as Ming fits Anna.

# %% [markdown] prompt="guess_one_matrix"
# ★★☆ · 4 minutes
#
# Training makes the **product** of three weights as large as it can: Ming's on Anna, Anna's on Tom, Tom's on Ming. At
# the best all three are equal. How large is each then: with one matrix for queries and keys (`with_one`), and with two
# (`with_two`)?

# %% solution="guess_one_matrix"
### BEGIN SOLUTION
with_one = 1 / 3
with_two = 1.0
### END SOLUTION

# %% test="guess_one_matrix"
check("guess_one_matrix")

# %% [markdown] hint="guess_one_matrix"
# <details><summary>Hint: left and right</summary>
#
# Compare the three scores to the left with the three to the right. And can the own three sum to less?
# </details>

# %%
toy_pictures.round_table(scaled_dot_product_attention)

# %% [markdown]
# <details><summary>Answer first: why three</summary>
#
# With one matrix, left and right score alike, and own scores sum to at least as much: $2ab \le a^2 + b^2$. So the
# wanted ones are at best average, and their weights multiply to at most (1/3)³; one alone could get more. With two,
# looking is free from being looked at; $W_V$, the third, frees what one hands over.
# </details>

# %% [markdown] prompt="self_or_cross"
# ### Self or cross?
# ★☆☆ · 3 minutes
#
# What counts is **where Q, K and V come from**.
#
# - **self-attention**: all from one sequence, which looks at itself;
# - **cross-attention**: queries from one place, keys and values from another.
#
# Of two sentences of *five words each*, `X` is French and `Y` English. Name each call, `"self"` or `"cross"`:
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
# Different matrices do not make different sequences, nor do equal lengths make one sequence of two.
# </details>

# %% [markdown]
# <details><summary>Answer first: the fifth slip</summary>
#
# The notes call the toy lookup *self-attention*. But its queries and keys come from different places.
# </details>

# %% [markdown] prompt="what_sums_to_one"
# ## A sequence that looks at itself
# ★☆☆ · 2 minutes
#
# For ten words that look at one another, the notes come to the sixth slip:
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
# <details><summary>Hint</summary>
#
# How many numbers does `.sum()` return when it is given no axis?
# </details>

# %%
rng = np.random.default_rng(0)
ten_words, W_Q, W_K, W_V = (0.7 * rng.normal(size=(rows, 16)) for rows in (10, 16, 16, 16))
scores = (ten_words @ W_Q) @ (ten_words @ W_K).T / np.sqrt(16)
borrowed_weights = np.exp(scores) / np.exp(scores).sum()
print("each row    ", borrowed_weights.sum(axis=1).round(2))
print("each column ", borrowed_weights.sum(axis=0).round(2))
print("the matrix  ", borrowed_weights.sum().round(2))

# %% [markdown]
# <details><summary>Answer first: what this does</summary>
#
# You met this slip in lesson 01. All ten share a single 1: words 4 and 7 take most of it, word 0 next to nothing.
# </details>

# %% [markdown] prompt="self_attention"
# ★★☆ · 6 minutes
#
# **Write self-attention in which every word has a whole 1 to share out.** Build on your
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
# <details data-part="returns output and weights"><summary>Hint 1: three parts</summary>
#
# First make Q, K and V, three matrix products. The rest you have written.
# </details>
# <details data-part="the example; the numbers are right for other">
# <summary>Hint 2: "my numbers are a little off"</summary>
#
# A *key* has d_k features: after the product with W_K that need not be the width of X.
# </details>

# %%
output, own_weights = self_attention(
    torch.tensor(ten_words), torch.tensor(W_Q), torch.tensor(W_K), torch.tensor(W_V)
)
toy_pictures.compare_sharings(borrowed_weights, own_weights)

# %% [markdown] prompt="score_variance"
# ## What the root is for
# ★★★ · 12 minutes
#
# How far apart do scores lie before anything is learned? Draw $q$ and $k$ from a standard normal distribution: mean 0,
# **variance** (the mean squared distance from the mean) 1.
#
# - The product of two such numbers, drawn independently, has mean 0 and variance 1 · 1 = 1.
# - $q \cdot k$ sums $d_k$ such products; when independent numbers are added, so are their variances.
# - Dividing numbers by $c$ divides their variance by $c^2$.
#
# So how large is the variance of $q \cdot k$, and what does the root leave of it? Decide first. Then **measure
# it: draw `n_samples` pairs, return the variance of the raw scores and of the scaled ones**, over *the same* draws.


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
# <details data-part="returns two; the generator; draws as many"><summary>Hint 1: drawing</summary>
#
# `rng.standard_normal((n_samples, d_k))` draws all queries at once, a row each.
# </details>
# <details data-part="raw scores"><summary>Hint 2: one score for each pair</summary>
#
# Each query meets only its own key: multiply entry by entry, sum along each row, take `.var()`.
# </details>

# %% [markdown]
# Left, your measurements. Right, the weight of the best of ten random keys.

# %%
toy_pictures.compare_widths(score_variance)

# %% [markdown]
# The variance of $q \cdot k$ is $d_k$, so a typical score has the size $\sqrt{d_k}$, and dividing by just
# that leaves a variance of $d_k / (\sqrt{d_k})^2 = 1$. Without the root, wide keys make lookups all-or-nothing.
# What can be learned there? Turn the spread of the scores from 1 (with the root) to 16 (without it, $d_k = 256$).

# %%
toy_pictures.fade_gradient()

# %% [markdown]
# Learning follows the slope, the gradient. At 16 most queries stand on the flat top, where a better score hardly
# counts; at 1, none. With the root, how sharp a blend should be can be *learned*.

# %% [markdown]
# ## Paint with your attention
#
# Back to the square. The slider sets a query's length at its edge: short ones blend, long ones choose. **Change the
# white key's two numbers until white wins a slice.** Then take keys and colours of your own and show somebody.

# %%
my_keys = np.array([[2.2, 0.6], [-0.3, 1.9], [-2.0, 0.2], [-0.6, -1.8], [1.0, -1.6], [0.5, 0.3]])  # the last is white
my_colours = np.array(  # red, green and blue of each, from 0 to 1
    [[0.93, 0.42, 0.2], [0.98, 0.8, 0.28], [0.16, 0.55, 0.56], [0.13, 0.24, 0.45], [0.55, 0.18, 0.42], [1, 1, 1]]
)
toy_pictures.paint(simple_attention, my_keys, my_colours)

# %% [markdown]
# <details><summary>Saved? Why white lost</summary>
#
# Its tip lies *between* the others: whichever way a query points, another key reaches farther. Pull it out past the
# line between its neighbours' tips.
# </details>

# %% [markdown]
# ## Go further

# %% [markdown] prompt="guess_shapes"
# ### Puzzle: shapes in your head
# ★☆☆ · 3 minutes
#
# Q is (2, 5, 8), K is (2, 7, 8), V is (2, 7, 3). Which shapes have the scores and the output?

# %% solution="guess_shapes"
# three numbers each, in round brackets
### BEGIN SOLUTION
scores_shape = (2, 5, 7)
output_shape = (2, 5, 3)
### END SOLUTION

# %% test="guess_shapes"
check("guess_shapes")

# %% [markdown] hint="guess_shapes"
# <details><summary>Hint</summary>
#
# Each query has a score for each key, and takes home one blend. As wide as what?
# </details>

# %% [markdown] prompt="guess_shuffled"
# ### Puzzle: shuffled
# ★★☆ · 5 minutes
#
# Shuffle the rows of K and V, both in the same way; of Q alone; of K alone. What becomes of the output each
# time: `"same"`, `"reordered"` (its rows in another order) or `"different"`?

# %% solution="guess_shuffled"
# three words in a list
### BEGIN SOLUTION
after_shuffling = ["same", "reordered", "different"]
### END SOLUTION

# %% test="guess_shuffled"
check("guess_shuffled")

# %% [markdown] hint="guess_shuffled"
# <details><summary>Hint</summary>
#
# The blend is a sum, and a sum has no order. Which key stands beside which value?
# </details>

# %% [markdown] prompt="copy_left"
# ### Puzzle: copy your neighbour
# ★★★ · 9 minutes
#
# Write Q and K so that `simple_attention(Q, K, V)` gives each of n words the value of its left neighbour,
# whatever V holds; the first word keeps its own. Weights of 0.99 are enough.


# %% solution="copy_left"
def copy_left(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Q (n, d_k) and K (n, d_k), with any d_k: the weights of word i lie on word i - 1, those of word 0 on word 0."""
    ### BEGIN SOLUTION
    K = np.eye(n)
    Q = 1000 * K[[0, *range(n - 1)]]
    return Q, K
    ### END SOLUTION


# %% test="copy_left"
check(copy_left)

# %% [markdown] hint="copy_left"
# <details><summary>Hint</summary>
#
# Give every word a key that points its own way: a row of `np.eye(n)`. Which way should its neighbour ask, and
# how loudly?
# </details>

# %% [markdown] prompt="all_scores"
# ### Puzzle: all scores at once
# ★★★ · 8 minutes
#
# In `torch.einsum("ij,jk->ik", A, B)`, which is `A @ B`, letters name axes, and those missing behind the arrow
# are summed over. It takes more than two matrices. Write the scaled scores of self-attention, for a batch, as
# one expression.


# %% solution="all_scores"
def all_scores(X: torch.Tensor, W_Q: torch.Tensor, W_K: torch.Tensor) -> torch.Tensor:
    """Scaled scores, before the softmax.

    X (batch, n, d_model), W_Q (d_model, d_k), W_K (d_model, d_k)  ->  (batch, n, n)
    """
    ### BEGIN SOLUTION
    return torch.einsum("bid,dk,ek,bje->bij", X, W_Q, W_K, X) / W_K.shape[1] ** 0.5
    ### END SOLUTION


# %% test="all_scores"
check(all_scores)

# %% [markdown] hint="all_scores"
# <details><summary>Hint</summary>
#
# X stands in it twice, for the words that ask and those asked: these two axes need letters of
# their own, and the axis that Q and K share only one.
# </details>

# %% [markdown]
# ## What you can now do
#
# - work an attention lookup by hand, write it for any batch, and paint with it
# - tell self-attention from cross-attention
# - show what three matrices and √d_k are for
#
# **Next:** in [03, who looks at whom](../03_word2vec_heatmap/word2vec_heatmap.ipynb), real words take
# the place of toy keys.

# %% [markdown]
# **Credits.** The hand example, the toy tensors and the ten words come from the working notes. Scaled dot products and
# the argument about the variance: [Vaswani et al.](https://arxiv.org/abs/1706.03762) (2017); weights over an input:
# [Bahdanau et al.](https://arxiv.org/abs/1409.0473) (2014); scores compared:
# [Luong et al.](https://arxiv.org/abs/1508.04025) (2015).
