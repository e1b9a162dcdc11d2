# %% [markdown]
# # Attention you can check by hand
#
# Attention is one formula. A language model computes it many times for every word that it reads or writes. In this
# lesson you compute it on paper, write it in NumPy and in PyTorch, and paint a picture with it.
#
# The lesson takes about 120 minutes, and 25 more for the puzzles. You need lesson 1, or you already know vectors, dot
# products and softmax.

# %% setup="imports"
import numpy as np
import torch

from autograder import check, cold_questions
from attention import attention, bring_your_own, look_inside, toy_pictures

np.set_printoptions(precision=3, suppress=True)
torch.set_printoptions(precision=3, sci_mode=False)
check.lesson("02_toy_tensors")

# %%
toy_pictures.painted()

# %% [markdown]
# Attention has painted this picture. The six arms are *keys*: vectors of two numbers. The colour at the tip of a key is
# its *value*. Every point of the square has a *query*: a vector that points from the middle to the point, and is longer
# farther out. The better a key fits the query, the more of the key's colour the point gets.
#
# Near the middle all colours mix. Farther out, except near the borders of colours, one key takes nearly all the
# weight: its colour *wins*. But white, the colour of the short key, wins nowhere. **Why? Make a guess now.** At the
# end your own function paints this picture, and you help white to win. Then training moves random keys until they
# paint it, too.

# %%
cold_questions()  # up to three questions on lesson 1: they take a minute and are never graded

# %% [markdown]
# The next cell loads your softmax of lesson 1, or else the course's.

# %% setup="bring_your_own"
softmax = bring_your_own("softmax")

# %% [markdown]
# ## Scaled dot-product attention in four steps
#
# Attention takes four steps. You know three of them from lesson 1. The second one is new:
#
# | step | formula | meaning |
# | --- | --- | --- |
# | score | $s_i = q \cdot k_i$ | how well key *i* fits the query: their dot product |
# | scale | $s_i / \sqrt{d_k}$ | divide by the root of $d_k$, the number of *features* (numbers) in a key |
# | softmax | $w_i = e^{s_i/\sqrt{d_k}} / \sum_j e^{s_j/\sqrt{d_k}}$ | weights from 0 to 1 that sum to 1 |
# | weighted sum | $\sum_i w_i v_i$ | each value times its weight, added up |
#
# The result, a mixture of the values, is the **output** of the query. These four steps are called **scaled dot-product
# attention**.
#
# The smallest example has one query, which is 1, and three keys of one number each, so $d_k = 1$. **Which key gets the
# largest weight? Decide, then run.**

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
# The key 2 has the largest weight, although the key 1 is *nearer* to the query. The farther a key reaches in the
# direction of the query, the larger is its dot product.
#
# The output, **15.58**, is the sum of the last column. (A first draft of this lesson cut the weights to 0.231, 0.628
# and 0.140, and gave 15.57. Round only once, at the end.)

# %% [markdown] prompt="predict_by_hand"
# ### Exercise: on paper
# ★★☆ · 10 minutes
#
# One query, three keys of *two* numbers and three values, written as rows:
#
# $$q = (1, 0) \qquad K = \begin{pmatrix}1&0\\0&1\\1&0\end{pmatrix} \qquad
# V = \begin{pmatrix}10&0\\0&20\\30&0\end{pmatrix}$$
#
# Take the same four steps with a pocket calculator. A key now has two numbers, so divide each score by √2 ≈ 1.414. You
# will need $e^0 = 1$ and $e^{0.707} ≈ 2.028$.
#
# Write down the three weights, `hand_weights`, and the output, `hand_output`. Keep all digits while you compute, and
# give two decimals at the end.

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
# Multiply number by number and add up. The three scores are 1, 0, 1.
# </details>
# <details data-part="three weights; the weights are right"><summary>Hint 2: the softmax</summary>
#
# The scaled scores are 0.707, 0, 0.707. Take e to the power of each, then divide each of the three by their sum.
# </details>
# <details data-part="the output"><summary>Hint 3: the weighted sum</summary>
#
# The first number of the output comes from the first numbers of the values, 10, 0 and 30, each times its weight.
# </details>

# %% [markdown]
# The second key has the score 0 and still gets some weight, because $e^0 = 1$. A first draft of this lesson gave the
# weights 0.5, 0, 0.5 and the output (20, 0), as if $e$ were left out: 0.707 / 1.414 = 0.5. **A softmax of finite
# scores never gives a weight of exactly 0** (on paper; a computer rounds very small weights to 0).

# %% [markdown] prompt="simple_attention"
# ## Many queries at once, in NumPy
#
# A sentence has a query for each word. Write the queries as the rows of a matrix $Q$, and the keys and values as the
# rows of $K$ and $V$. Then the matrix product $QK^\top$ contains all the scores, with a row for each query and a column
# for each key. ($K^\top$ is K transposed: its rows become columns. NumPy writes it `K.T`.)
#
# ### Exercise: attention for matrices
# ★★☆ · 9 minutes
#
# **Write the four steps as a function.** Your `softmax(x, axis=-1)` does the third one.
#
# For example, in the exercise on paper Q has the shape (1, 2), K (3, 2) and V (3, 2). The scores are (1, 3), and the
# output is (1, 2). In general there are n_q queries and n_k keys, and a value has d_v features.


# %% solution="simple_attention"
def simple_attention(Q: np.ndarray, K: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return the output of scaled dot-product attention. Scores in the thousands must do no harm.

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
# There is one score for each query *and* each key, so the scores have the shape (n_q, n_k). So have the weights.
# </details>
# <details data-part="the examples; the numbers are right for other"><summary>Hint 2: where d_k is</summary>
#
# In the shape of K. Which of its two numbers is it?
# </details>

# %% [markdown]
# Papers write your function as one formula: $\operatorname{softmax}(QK^\top/\sqrt{d_k})\,V$, with the softmax of each
# row. Does it give the output that you found on paper?

# %%
paper_K, paper_V = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]), np.array([[10.0, 0.0], [0.0, 20.0], [30.0, 0.0]])
print(simple_attention(np.array([[1.0, 0.0]]), paper_K, paper_V))

# %% [markdown]
# ## In PyTorch, and for batches
#
# A **tensor** is what PyTorch calls an array. PyTorch writes `dim` where NumPy writes `axis`: `torch.softmax(x,
# dim=-1)`. A tensor can also remember how it was computed. From this PyTorch computes the **gradient**: how much a
# result would change if an input changed a little.
#
# Here are four toy keys and their values. The last two keys are equal. The function, from a first draft of this
# lesson, has two faults:

# %%
toy_K = torch.tensor([[10.0, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]])  # (4, 3)
toy_V = torch.tensor([[1.0, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]])  # (4, 3)


def draft_attention(Q, K, V, d_k):
    w = torch.softmax(Q @ K.T / d_k**0.5, dim=-1)
    return w @ V, w


# %% [markdown] prompt="mend_the_divisor"
# ### Predict: the divisor
# ★☆☆ · 2 minutes
#
# The draft called `draft_attention(Q, toy_K, toy_V, d_k=4)`. No error was raised, but 4 is not the $d_k$ of these
# keys. By what number should their scores be divided?

# %% solution="mend_the_divisor"
### BEGIN SOLUTION
divisor = 3**0.5
### END SOLUTION

# %% test="mend_the_divisor"
check("mend_the_divisor")

# %% [markdown] hint="mend_the_divisor"
# <details><summary>Hint</summary>
#
# d_k is the number of features of *one* key. An expression such as `5**0.5` is fine.
# </details>

# %% [markdown]
# The first fault: an argument `d_k` can be wrong. So your function will read it from the shape of `K`.
#
# ### A batch
#
# A **batch** is several sentences of equal length in one tensor, each with its own queries, keys and values. They are
# stacked along a first axis, the batch axis. The keys of two sentences, four for each, have the shape (2, 4, 3).
# **The second fault:** the keys of each sentence must be transposed, which gives (2, 3, 4), but `K.T` reverses *all*
# axes (here in NumPy):

# %%
print(np.ones((2, 4, 3)).T.shape)

# %% [markdown] prompt="scaled_dot_product_attention"
# ### Exercise: attention for batches
# ★★☆ · 12 minutes
#
# **Write attention that reads $d_k$ from K, for any number of batch axes in front.** Each entry of the batch uses only
# its own Q, K and V. The operator `@` does this: it multiplies the matrices in the *last two* axes. So only these two
# axes of K must be exchanged. `K.transpose(a, b)` exchanges the axes a and b. Axes can be counted from the end: -1 is
# the last.
#
# For example, Q (2, 1, 3), K (2, 4, 3) and V (2, 4, 3) give output (2, 1, 3) and weights (2, 1, 4). Gradients must
# reach Q, K and V, so use PyTorch's operations, but not the ready-made `attention` from the first cell.


# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(
    Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return output and weights of scaled dot-product attention. d_k is read from K.

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
# <details data-part="the numbers are right for batches">
# <summary>Hint 1: "it works for matrices, but my batch is wrong"</summary>
#
# With a batch in front, axes 0 and 1 are no longer the last two. Count from the end.
# </details>
# <details data-part="gradients"><summary>Hint 2: "no gradient reaches Q"</summary>
#
# `.numpy()`, `.detach()` and `torch.no_grad()` forget how a tensor was computed.
# </details>

# %% [markdown]
# `attention` from the first cell calls PyTorch's own function, and returns output and weights, too. Is your output the
# same?

# %%
some_Q, some_K, some_V = torch.randn(3, 2, 4, 3)  # a batch of two
mine, pytorchs = scaled_dot_product_attention(some_Q, some_K, some_V), attention(some_Q, some_K, some_V)
print(torch.allclose(mine[0], pytorchs[0], atol=1e-5))

# %% [markdown] prompt="predict_toy_queries"
# ### Exercise: predict before you run
# ★★☆ · 7 minutes
#
# Take three strong (long) queries in this order: **[0, 10, 0]**, **[0, 0, 10]**, **[10, 10, 0]**. Here are the toy keys
# and values again:
#
# | position | 0 | 1 | 2 | 3 |
# | --- | --- | --- | --- | --- |
# | key | 10, 0, 0 | 0, 10, 0 | 0, 0, 10 | 0, 0, 10 |
# | value | 1, 0, 1 | 10, 0, 2 | 100, 5, 0 | 1000, 6, 0 |
#
# Every score is 0 or 100. Beside a key with the score 100, a key with the score 0 gets practically no weight.
#
# Which keys get a weight clearly above 0 from each query, and what is the output? Answer without code: `attends_to` is
# three lists of positions, `looked_up` is three rows of three numbers.

# %% solution="predict_toy_queries"
### BEGIN SOLUTION
attends_to = [[1], [2, 3], [0, 1]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
### END SOLUTION

# %% test="predict_toy_queries"
check("predict_toy_queries")

# %% [markdown] hint="predict_toy_queries"
# <details data-part="which keys; the rows"><summary>Hint: a tie</summary>
#
# Two keys that score the same get the same weight. What is halfway between two values?
# </details>

# %% [markdown]
# The explorer shows the weights of your function, also for a weak (short) query, [0.3, 0, 0]. Point at a weight to see
# where it comes from. Then press the part of the formula that divides by $\sqrt{d_k}$, to switch it off. **Which row
# changes?**

# %%
toy_Q = torch.tensor([[0.0, 10, 0], [0, 0, 10], [10, 10, 0], [0.3, 0, 0]])
names = ["[0, 10, 0]", "[0, 0, 10]", "[10, 10, 0]", "[0.3, 0, 0]"]
key_names = ["[10, 0, 0]", "[0, 10, 0]", "[0, 0, 10]", "[0, 0, 10]"]
look_inside(scaled_dot_product_attention, toy_Q, toy_K, toy_V, queries=names, keys=key_names)

# %% [markdown]
# Only the row of the weak query changes: without the divisor its best key gets 0.87 instead of 0.65.

# %% [markdown]
# ## Where Q, K and V come from
#
# A network makes queries, keys and values from words. A sentence is a matrix $X$, and each row of $X$ is the vector of
# a word, `d_model` numbers. Three matrices make three vectors from each word:
#
# $$Q = X W_Q \qquad K = X W_K \qquad V = X W_V$$
#
# The matrices are *learned*: training changes their numbers until the network does its task. In the picture, follow
# the marked row, one of n = 4 words. K and V have none: the word's query meets *all* keys, and its output mixes *all*
# values.

# %%
toy_pictures.attention_flow()

# %% [markdown]
# ### Why one matrix is not enough
#
# Could one matrix $W$ make both the queries and the keys? Then each word has one vector, which is its query *and* its
# key. Three friends, Ming, Anna and Tom, sit **around a table, and each should look at the left neighbour**: Ming at
# Anna, Anna at Tom, Tom at Ming.
#
# Ming's score for Anna is then the same dot product as Anna's score for Ming: each pair has only one score. Each friend
# should score left above right:
#
# - Anna: Anna–Tom above Ming–Anna
# - Tom: Tom–Ming above Anna–Tom
# - Ming: Ming–Anna above Tom–Ming
#
# So Ming–Anna > Tom–Ming > Anna–Tom > Ming–Anna, which is impossible.

# %% [markdown] prompt="guess_one_matrix"
# ### Predict: one matrix or two
# ★★☆ · 4 minutes
#
# After your guess, a cell learns the matrices so that the product of the three weights on left neighbours becomes as
# large as possible. (One weight near 0 makes the product near 0.) A friend also has a weight on the right neighbour
# and one on himself.
#
# When training ends, the three wanted weights are equal. How large is each, to two decimals: with one matrix
# for queries and keys (`with_one`), and with two (`with_two`)?

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
# With one matrix, the scores for left and for right add up to the same. Those for oneself add up to at least as much:
# for each pair a and b, |a − b|² ≥ 0, so a·a + b·b ≥ 2 a·b. So the best for left is a tie. Each friend's three
# weights sum to 1.
# </details>

# %%
toy_pictures.round_table(scaled_dot_product_attention)

# %% [markdown]
# With one matrix, the scores for left add up to the same as those for right, and to no more than those for oneself. So
# the product of the three left weights equals that of the right ones, and is at most that of the own ones. In each row
# the three weights sum to 1, so they multiply to at most 1/27. Then the product for left is at most 1/27, too, and the
# best is a tie. With two matrices, Ming's score for Anna and Anna's score for Ming come from different vectors, so each
# friend can look to the left.
#
# The third matrix, $W_V$, lets the value of a word differ from its key. The key decides which queries look at the
# word, and the value is what they get.

# %% [markdown] prompt="self_or_cross"
# ### Predict: two kinds of attention
# ★☆☆ · 2 minutes
#
# In **self-attention**, queries, keys and values all come from one sequence, such as a sentence. In
# **cross-attention**, the queries come from one sequence, the keys and values from another one.
#
# `X` is a French sentence and `Y` an English one, of *five words each*. `toy_Q` comes from one sequence, `toy_K` and
# `toy_V` from another. Name each call `"self"` or `"cross"`:
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
# <details><summary>Hint: two questions</summary>
#
# Ask for each call: whose rows make the queries? Whose rows make the keys? The same sequence?
# </details>

# %% [markdown] prompt="self_attention"
# ### Exercise: self-attention
# ★★☆ · 6 minutes
#
# **Write self-attention for the words of one sentence.** Use your `scaled_dot_product_attention`, or `attention` from
# the first cell. For example, X (10, 16) and three matrices (16, 8) give an output (10, 8) and weights (10, 10).


# %% solution="self_attention"
def self_attention(
    X: torch.Tensor, W_Q: torch.Tensor, W_K: torch.Tensor, W_V: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return output and weights of self-attention over the n rows (words) of X, d_model numbers each.

    X (n, d_model), W_Q (d_model, d_k), W_K (d_model, d_k), W_V (d_model, d_v)
    ->  output (n, d_v), weights (n, n)
    """
    ### BEGIN SOLUTION
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    ### END SOLUTION


# %% test="self_attention"
check(self_attention)

# %% [markdown] hint="self_attention"
# <details data-part="returns output and weights; the example; the numbers are right for other">
# <summary>Hint: three parts</summary>
#
# First make Q, K and V with three matrix products. You have already written the rest.
# </details>

# %% [markdown] prompt="score_variance"
# ## Why the scores are divided by √d_k
#
# Large models have many numbers in a key. When $d_k = 256$ and the scores are not divided, the best of ten random
# keys gets more than 0.9 of the weight on average. Why? The more products a dot product adds up, the wider the scores
# spread.
#
# The **variance** of numbers says how far they are spread: it is the mean of their squared distances from their mean.
# Its root is the **standard deviation**.
#
# ### Exercise: the variance
# ★★☆ · 10 minutes
#
# Before a network has learned anything, its queries and keys are random. Take their numbers from a **standard normal
# distribution**, which has mean 0 and variance 1. `rng.standard_normal((n_samples, d_k))` draws `n_samples` queries,
# one in each row. Draw as many keys in the same way.
#
# **Score the query in row i with the key in row i only: `n_samples` scores. Return their variance (`.var()`), and the
# variance of *the same* scores divided by $\sqrt{d_k}$.** For example, `score_variance(1, 5000, rng)` returns two equal
# numbers near 1. What do you expect for `d_k=16`?


# %% solution="score_variance"
def score_variance(d_k: int, n_samples: int, rng: np.random.Generator) -> tuple[float, float]:
    """Return the sample variances of q·k and of q·k/√d_k, for q and k standard normal, drawn from `rng`.

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
# <details data-part="returns two; draws as many; raw scores"><summary>Hint: one score for each pair</summary>
#
# Multiply queries and keys entry by entry, and sum along each row. This gives `n_samples` scores.
# </details>

# %% [markdown]
# Your function measures:

# %%
for d_k in (1, 16, 256):
    raw, scaled = score_variance(d_k, 5000, np.random.default_rng(1))
    print(f"d_k {d_k:3}: variance {raw:6.2f} raw, {scaled:.2f} scaled")

# %% [markdown]
# The variance of the raw scores is about $d_k$. For independent numbers a and b with mean 0 and variance 1, the
# variance of the product is the mean of $a^2b^2$, 1 · 1. When independent numbers are added, their variances add up.
# So the scores' standard deviation is about $\sqrt{d_k}$. A division by this number makes the variance 1.
#
# Why is a weight near 0 or 1 bad before training? A network learns from gradients. If the number $s$ that enters the
# softmax grows a little, its weight $w$ grows $w(1-w)$ times as much. (Differentiate $w = e^s/(e^s + r)$, where $r$
# comes from the other keys.) For $w = 0.5$ this is 0.25. For $w = 0.99$ it is only 0.0099: a change of the score
# hardly changes the weight. Here are 1000 queries, each with ten random keys:

# %%
rng = np.random.default_rng(5)
ten_keys, one_query = rng.standard_normal((1000, 10, 256)), rng.standard_normal((1000, 256, 1))
raw_scores = (ten_keys @ one_query)[:, :, 0]
for name, scores in (("raw", raw_scores), ("scaled", raw_scores / np.sqrt(256))):
    w = softmax(scores, axis=-1)
    print(f"{name:6}  mean best weight {w.max(axis=-1).mean():.2f}, middle w(1 - w) {np.median(w * (1 - w)):.2g}")

# %% [markdown]
# (By the dot product before the division, the scaled one is 16 times smaller, and still far larger than the raw one.)
# **Half of the $w(1-w)$ are below $10^{-10}$ without the division. With it, half are above 0.06.**

# %% [markdown]
# ## Paint with your attention
#
# Now your `simple_attention` paints the square: the points are its queries, and its outputs their colours. The slider
# sets how long the queries at the edge are. Short queries have nearly equal scores, so the colours mix.
#
# **Change the two numbers of the white key until white wins a part of the square.** Then choose keys and colours of
# your own.

# %%
my_keys = np.array(  # the last is white
    [[2.2, 0.6], [-0.3, 1.9], [-2.0, 0.2], [-0.6, -1.8], [1.0, -1.6], [0.5, 0.3]]
)
my_colours = np.array(  # red, green and blue of each, from 0 to 1
    [[0.93, 0.42, 0.2], [0.98, 0.8, 0.28], [0.16, 0.55, 0.56], [0.13, 0.24, 0.45], [0.55, 0.18, 0.42], [1, 1, 1]]
)
toy_pictures.paint(simple_attention, my_keys, my_colours)

# %% [markdown]
# <details><summary>Did white win? Why it lost before</summary>
#
# The tip of the white key lies inside the polygon that joins the other tips. In whatever direction a query points,
# another key reaches farther, so its dot product is larger. Pull the white key out past the line between its
# neighbours' tips.
# </details>
#
# ### Your attention learns to paint
#
# Can training find keys that paint your picture? The next cell begins with random keys and greyish colours, and paints
# with your `scaled_dot_product_attention`. Each training step computes the gradients of the mean squared difference
# from your painting, and changes all keys and colours a little so that it becomes smaller. The titles show the mean of
# the differences, without squares and signs. The keys are drawn so that the longest of each picture is equally long.

# %%
toy_pictures.learn_to_paint(scaled_dot_product_attention, my_keys, my_colours)

# %% [markdown]
# The learned keys need not be yours: they may come in another order, and one vector added to all keys adds the same
# number to all scores of a query, so no weight changes.
#
# A language model learns from gradients, too, but its goal is to predict words. Its keys are $X W_K$, so training
# changes $W_K$ and the word vectors.

# %% [markdown]
# ## Go further

# %% [markdown] prompt="guess_shapes"
# ### Puzzle: shapes in your head
# ★☆☆ · 3 minutes
#
# Q is (2, 5, 8), K is (2, 7, 8), V is (2, 7, 3). What are the shapes of the scores and of the output?

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
# Each query has a score for each key. Its output is one weighted sum of values. How wide is a value?
# </details>

# %% [markdown] prompt="guess_shuffled"
# ### Puzzle: shuffled
# ★★☆ · 5 minutes
#
# Three experiments, each from the original: shuffle the rows of K and V, both in the same way; only the rows of Q; only
# the rows of K. What happens to the output each time: `"same"`, `"reordered"` (its rows in another order) or
# `"different"`?

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
# The output is a sum, and a sum does not depend on the order. Which key belongs to which value?
# </details>

# %% [markdown] prompt="copy_left"
# ### Puzzle: copy your neighbour
# ★★★ · 9 minutes
#
# Write Q and K so that `simple_attention(Q, K, V)` gives each of n words the value of its left neighbour,
# whatever V holds; the first word keeps its own. Weights of 0.99 are enough.


# %% solution="copy_left"
def copy_left(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return Q (n, d_k) and K (n, d_k), with any d_k: word i looks at word i - 1, and word 0 at word 0."""
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
# Give every word a key with a direction of its own: a row of `np.eye(n)`. In which direction should the query of its
# neighbour point, and how long should it be?
# </details>

# %% [markdown] prompt="all_scores"
# ### Puzzle: all scores at once
# ★★★ · 8 minutes
#
# `torch.einsum("ij,jk->ik", A, B)` is `A @ B`. Each letter names an axis: A has i and j, B has j and k, the result i
# and k. A letter that is missing after the arrow, here j, is summed over. `einsum` takes more than two tensors. Write
# the scaled scores of self-attention, for a batch, with one `einsum`.


# %% solution="all_scores"
def all_scores(X: torch.Tensor, W_Q: torch.Tensor, W_K: torch.Tensor) -> torch.Tensor:
    """Return the scaled scores, before the softmax.

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
# X occurs twice, once for the queries and once for the keys. The two word axes need different letters, and so do the
# two d_model axes. The axis that Q and K share needs only one.
# </details>

# %% [markdown]
# ## What you can now do
#
# - compute scaled dot-product attention by hand, and write it in NumPy and in PyTorch, for any batch
# - tell self-attention from cross-attention
# - say why there are three matrices, and why the scores are divided by √d_k
#
# **Next:** in [03, who looks at whom](../03_word2vec_heatmap/word2vec_heatmap.ipynb), you use word vectors that were
# learned from text.

# %% [markdown]
# **Credits.** The hand example and the toy tensors come from a first draft of this course. Scaled dot products and
# the argument about the variance: [Vaswani et al.](https://arxiv.org/abs/1706.03762) (2017).
