# %% [markdown]
# # Two ways to score
#
# Attention begins with a score: how well does this key fit this query? Softmax turns the scores of one query
# into weights that sum to 1, and the weights mix the values. Until now the score was a formula that never
# changes. **Can the score itself be learned, and is it worth the price?**
#
# You will build a softmax that knows where a sentence ends, then two attention modules: *additive*
# attention, which learns how to score, and *dot-product* attention, which has nothing to learn. You will
# count what each costs. At the end both are given the same job: find the French word for an English one,
# though nobody shows them a dictionary.
#
# About 75 minutes. Besides Python you need matrix products and a little PyTorch: tensors and `nn.Module`.
# You may start here without the earlier lessons.
#
# Shapes: `n_q` queries, `n_k` keys, one value per key of width `d_v`, and in front always a batch axis.

# %% setup="imports"
import math
from collections.abc import Callable

import matplotlib.pyplot as plt
import seaborn as sns
import torch
from matplotlib.axes import Axes
from torch import Tensor, nn

from autograder import CMAP, check, show

check.lesson("05_additive_vs_dot_product")
torch.set_printoptions(precision=3, sci_mode=False)

# %%
# For the pictures below; there is nothing to fill in here.
def draw_weights(axes: Axes, weights: Tensor, title: str, numbers: bool = True, **labels: list[str]) -> None:
    """A heatmap of weights (n_q, n_k): one row per query, one column per key."""
    style = {"cmap": CMAP, "vmin": 0, "vmax": 1, "cbar": False, "linewidths": 0.5}
    sns.heatmap(weights.detach().numpy(), ax=axes, annot=numbers, fmt=".2f", **style, **labels)
    axes.set(xlabel="keys", ylabel="queries", title=title)
    axes.tick_params(axis="y", rotation=0)


# %% [markdown]
# ## 1 · Where does the sentence end?
#
# A batch is a box of numbers, but sentences differ in length. Short ones are filled up with padding, and
# padding is no word: it must not get any weight. So along with the scores `X`, of shape `(batch, n_q,
# n_k)`, comes a *valid length*: how many keys, from the left, are real.
#
# Here are the scores for this part. They are logarithms, so that `exp` gives back whole numbers and you can do
# everything in your head. Only these whole numbers are printed.

# %%
exp_of_scores = torch.tensor([[[1, 2, 3, 4], [4, 3, 2, 1]], [[1, 1, 1, 1], [1, 2, 3, 4]]])
X = exp_of_scores.log()
print(tuple(X.shape))
print(exp_of_scores)

# %% [markdown] prompt="guess_shape"
# ### Predict: read the shape
#
# The notes that this course grew from make scores of this very shape with `torch.rand(2, 2, 4)` and call them
# "two dim, four lines, three columns". That is a slip. Say what the tensor holds: how many axes it has; and,
# read as scores, how many batch entries, and in each of them how many rows (queries) and columns (keys).

# %% solution="guess_shape"
### BEGIN SOLUTION
axes_in_all = 3
batches = 2
rows = 2
columns = 4
### END SOLUTION

# %% test="guess_shape"
check("guess_shape")

# %% [markdown] hint="guess_shape"
# <details><summary>Hint 1: which number is which?</summary>
#
# The last number is always the innermost list: how many entries stand side by side in one row.
# </details>
# <details><summary>Hint 2: see it</summary>
#
# The tensor printed above has the same shape. Count its rows, and where the blank line falls.
# </details>

# %% [markdown]
# **By hand.** Softmax takes `exp` of each score and divides by the sum. For the very first query `exp` gives
# 1, 2, 3, 4. Its weights depend on how many keys are real:
#
# | valid length | sum of what takes part | weights |
# | --- | --- | --- |
# | 4 | 1 + 2 + 3 + 4 = 10 | 0.1, 0.2, 0.3, 0.4 |
# | 2 | 1 + 2 = 3 | 1/3, 2/3, 0, 0 |
# | 0 | nothing | 0, 0, 0, 0 |
#
# Hidden keys drop out *before* the sharing, so what they would have got goes to the others.

# %% [markdown] prompt="guess_weights"
# ### Predict: one row, length 3
#
# Before any code: the same query, now with a valid length of 3. Which four weights does it get? A fraction
# such as `1 / 7` is fine.

# %% solution="guess_weights"
### BEGIN SOLUTION
weights_of_length_3 = [1 / 6, 2 / 6, 3 / 6, 0]
### END SOLUTION

# %% test="guess_weights"
check("guess_weights")

# %% [markdown] hint="guess_weights"
# <details><summary>Hint 1: who takes part?</summary>
#
# A length of 3 leaves the first three keys. What do their numbers add up to?
# </details>
# <details><summary>Hint 2: check yourself</summary>
#
# Four weights, the last one 0, and their sum is 1.
# </details>

# %% [markdown]
# ## 2 · Find the slips
#
# The notes turn this into code as follows, a little shortened here. Hidden scores are pushed down to minus a
# million, then comes the softmax as usual. The function passes every test that its author thought of.

# %%
def hand_me_down(X: Tensor, valid_lens: Tensor) -> Tensor:
    rows = X.view(-1, X.shape[-1])  # all queries below one another: (batch * n_q, n_k)
    lengths = valid_lens.repeat_interleave(X.shape[1])  # the length that goes with each of these rows
    beyond = torch.arange(X.shape[-1]) >= lengths[:, None]  # True at the padding
    rows[beyond] = -1e6
    return rows.softmax(dim=-1).view_as(X)


print(hand_me_down(X.clone(), torch.tensor([2, 3])))

# %% [markdown]
# Looks right: the first row is 1/3, 2/3, 0, 0. Now three experiments that the author did not think of, each
# with one query and four keys.

# %%
one_row = torch.tensor([[[0.0, 1.0, 2.0, 3.0]]])

mine = one_row.clone()
hand_me_down(mine, torch.tensor([2]))
print("experiment 1, length 2, scores afterwards:", mine)

low = one_row - 3e6
print("experiment 2, length 2, very low scores:  ", hand_me_down(low, torch.tensor([2])))

print("experiment 3, length 0:                   ", hand_me_down(one_row.clone(), torch.tensor([0])))

# %% [markdown] prompt="find_the_slips"
# ### Name them
#
# Each experiment has one cause. Which? Answer with letters; one letter stays unused.
#
# - **a**: softmax compares. When everything is equally low, everything is equally good.
# - **b**: each length is repeated in the wrong order, so it reaches another batch entry's rows.
# - **c**: `view` makes a second name for the same memory, and then someone writes into it.
# - **d**: the number filled in is low, but a real score may be lower still.

# %% solution="find_the_slips"
### BEGIN SOLUTION
experiment_1 = "c"
experiment_2 = "d"
experiment_3 = "a"
### END SOLUTION

# %% test="find_the_slips"
check("find_the_slips")

# %% [markdown] hint="find_the_slips"
# <details><summary>Hint 1: look at the lines</summary>
#
# One line assigns into `rows`. Where does `rows` keep its numbers? What exactly does it assign?
# </details>
# <details><summary>Hint 2: put in the numbers</summary>
#
# In experiment 2 the real scores are −3,000,000 and the hidden ones −1,000,000. In experiment 3 all four
# are −1,000,000.
# </details>

# %% [markdown] prompt="masked_softmax"
# ### Build: `masked_softmax`
#
# Mend all three: a softmax over the keys in which every key at or beyond its row's valid length gets a
# weight of exactly 0, and a row of length 0 is all zeros.
#
# `valid_lens` is `None` (every key is real), one length per batch entry, or one per query. Nothing may
# leak, however low the real scores are; `X` stays as it was; and since this will be trained, gradients must
# flow back to `X` without ever being NaN.

# %% solution="masked_softmax"
def masked_softmax(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Weights of the keys within each row's valid length.

    X: (batch, n_q, n_k) scores. valid_lens: None, (batch,) or (batch, n_q), integers 0 ... n_k.
    Returns (batch, n_q, n_k): rows that sum to 1, or to 0 where the length is 0.
    """
    ### BEGIN SOLUTION
    if valid_lens is None:
        return X.softmax(dim=-1)
    lengths = valid_lens.reshape(X.shape[0], -1, 1)
    hidden = torch.arange(X.shape[-1]) >= lengths
    weights = X.masked_fill(hidden, -math.inf).softmax(dim=-1)
    return weights.masked_fill(hidden, 0.0)
    ### END SOLUTION

# %% test="masked_softmax"
check(masked_softmax)

# %% [markdown] hint="masked_softmax"
# <details><summary>Hint 1: one question per place</summary>
#
# A place is hidden when its column number is at least its row's length. `torch.arange(n_k)` has the column
# numbers. Which shape `(batch, ?, 1)` must the lengths have, so that comparing the two gives an answer for
# every place of `X`: with one length per batch entry, and with one per query?
# </details>
# <details><summary>Hint 2: lower than any number</summary>
#
# `X.masked_fill(hidden, value)` returns a new tensor. Which value is below every score, and what is its
# `exp`?
# </details>
# <details><summary>Hint 3: a row with nothing in it</summary>
#
# There softmax divides 0 by 0. The places concerned are all hidden: `masked_fill` can help a second time.
# It also stops the gradient at those places, so no NaN gets back to `X`.
# </details>

# %%
by_batch = masked_softmax(X, torch.tensor([2, 3]))
by_query = masked_softmax(X, torch.tensor([[1, 3], [2, 4]]))

figure, grid = plt.subplots(1, 4, figsize=(9.5, 2.4), layout="constrained")
for i in range(2):
    draw_weights(grid[i], by_batch[i], f"batch {i}, length {[2, 3][i]}")
    draw_weights(grid[2 + i], by_query[i], f"batch {i}, lengths {[[1, 3], [2, 4]][i]}")
show(
    figure,
    alt="Four heatmaps of two queries by four keys. With one length per batch entry, both rows of batch 0 "
    "have weight on the first 2 keys and both rows of batch 1 on the first 3. With one length per "
    "query, the rows of batch 0 have weight on 1 and 3 keys, the rows of batch 1 on 2 and 4. All other "
    "places are 0.",
)

# %% [markdown]
# Shape (2, 2, 4), drawn: two batch entries, each with two queries by four keys. On the left one length per
# batch entry hides the same columns for all its queries; on the right each query has a length of its own.
# With lengths 1, 2, 3, … that becomes a staircase, and lesson 06 meets it again as the causal mask.

# %% [markdown]
# ## 3 · A score that learns
#
# In 2014 Bahdanau, Cho and Bengio let a small network judge how well a key fits a query:
#
# $$ a(q, k) = w_v^\top \tanh(W_q\, q + W_k\, k) $$
#
# $W_q$ and $W_k$ bring query and key to the same width `num_hiddens`, even if they had different ones. The
# two are added (hence *additive*), `tanh` bends each of the `num_hiddens` sums into the range from −1 to 1,
# and $w_v$ makes one number of them. $W_q$, $W_k$ and $w_v$ are learned.
#
# Why bend at all? Without `tanh` the query would add the same amount to the score of every key, and the softmax
# would cancel it: all queries would get the same weights.
#
# **By hand.** One query $q = (1, 2)$, three keys $-1, 0, 1$ of width 1, and
#
# $$ W_q = \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix},
# \quad W_k = \begin{pmatrix} 1 \\ -1 \end{pmatrix},
# \quad w_v = (1, -1). $$
#
# So $W_q q$ is $(1, 2)$ again, and $W_k k$ is $(k, -k)$.
#
# | key | $W_q q + W_k k$ | score: tanh of the first − tanh of the second | exp | weight |
# | --- | --- | --- | --- | --- |
# | −1 | (0, 3) | 0 − 0.995 = −0.995 | 0.370 | 0.153 |
# | 0 | (1, 2) | 0.762 − 0.964 = −0.202 | 0.817 | 0.339 |
# | 1 | (2, 1) | 0.964 − 0.762 = 0.202 | 1.224 | 0.508 |
#
# In code, every query must meet every key. Give the queries an axis of length 1 where the keys are counted, and
# the keys one where the queries are counted; broadcasting does the rest:
#
# ```
# W_q(queries)   (batch, n_q,  1 , num_hiddens)
# W_k(keys)      (batch,  1 , n_k, num_hiddens)
# their sum      (batch, n_q, n_k, num_hiddens)   --tanh, w_v-->   scores (batch, n_q, n_k)
# ```

# %% [markdown] prompt="AdditiveAttention"
# ### Build: `AdditiveAttention`
#
# Score every query against every key with the formula above, turn scores into weights with
# `masked_softmax`, and mix the values with the weights.
#
# The layers are called `W_q`, `W_k` and `w_v` and have no bias. One thing is new: *dropout* sets some of the
# weights to 0 at random during training, so that the model does not come to lean on a single key; `nn.Dropout`
# does this, and knows by itself when training is over. Keep the weights from *before* dropout in
# `self.attention_weights`, and mix the values with those from after it.
#
# A mistake in `masked_softmax` is not counted again here.

# %% solution="AdditiveAttention"
class AdditiveAttention(nn.Module):
    """Attention with the learned score w_v . tanh(W_q q + W_k k)."""

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Tensor:
        """Mix the values of the keys that fit.

        queries: (batch, n_q, query_size), keys: (batch, n_k, key_size), values: (batch, n_k, d_v),
        valid_lens: as in masked_softmax. Returns (batch, n_q, d_v); attention_weights: (batch, n_q, n_k).
        """
        ### BEGIN SOLUTION
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        scores = self.w_v(torch.tanh(features)).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        ### END SOLUTION

# %% test="AdditiveAttention"
check(AdditiveAttention)

# %% [markdown] hint="AdditiveAttention"
# <details><summary>Hint 1: three layers</summary>
#
# `nn.Linear(width_in, width_out, bias=False)`. Which width goes into `W_q`, which into `W_k`? What comes
# out of `w_v`?
# </details>
# <details><summary>Hint 2: every query meets every key</summary>
#
# `t.unsqueeze(i)` puts an axis of length 1 at place `i`. Name the four axes of the sum first, then see
# which one each side lacks.
# </details>
# <details><summary>Hint 3: the one axis to remove</summary>
#
# `w_v` leaves an axis of length 1 at the very end. Remove that one and no other: `squeeze(-1)`.
# </details>

# %%
attention = AdditiveAttention(key_size=1, query_size=2, num_hiddens=2, dropout=0.0)
with torch.no_grad():
    attention.W_q.weight.copy_(torch.eye(2))
    attention.W_k.weight.copy_(torch.tensor([[1.0], [-1.0]]))
    attention.w_v.weight.copy_(torch.tensor([[1.0, -1.0]]))

output = attention(torch.tensor([[[1.0, 2.0]]]), torch.tensor([[[-1.0], [0.0], [1.0]]]), torch.eye(3)[None])
print("weights", attention.attention_weights.detach())
print("output ", output.detach())

# %% [markdown]
# The numbers from the table. The output repeats the weights because the values are the identity matrix
# here: a handy trick whenever you want to see which weights were really used.

# %% [markdown] prompt="guess_equal_keys"
# ### Predict: what will the heatmap show?
#
# The notes show off their module with random queries of width 20 and ten keys of width 2 that are **all ones**.
# The valid lengths of the two batch entries are 2 and 6. Whatever $W_q$, $W_k$ and $w_v$ are: which weight does
# the *first* key get in batch entry 0, and which in batch entry 1?

# %% solution="guess_equal_keys"
### BEGIN SOLUTION
first_weight_batch_0 = 1 / 2
first_weight_batch_1 = 1 / 6
### END SOLUTION

# %% test="guess_equal_keys"
check("guess_equal_keys")

# %% [markdown] hint="guess_equal_keys"
# <details><summary>Hint 1: compare two keys</summary>
#
# The score depends on query and key. What can differ between the scores of two keys that are the same?
# </details>
# <details><summary>Hint 2: then share</summary>
#
# Equal scores, so equal weights. Among how many?
# </details>

# %%
torch.manual_seed(5)
queries, same_keys = torch.randn(2, 1, 20), torch.ones(2, 10, 2)
values = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1)
valid_lens = torch.tensor([2, 6])
attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.1).eval()

output = attention(queries, same_keys, values, valid_lens)
weights_of_same_keys = attention.attention_weights
attention(queries, 3 * torch.randn(2, 10, 2), values, valid_lens)

figure, grid = plt.subplots(2, 1, figsize=(7, 4), layout="constrained")
entries = ["batch 0", "batch 1"]
draw_weights(grid[0], weights_of_same_keys[:, 0], "all keys equal", yticklabels=entries)
draw_weights(grid[1], attention.attention_weights[:, 0], "keys that differ", yticklabels=entries)
each = [f"{weight:.2f}" for weight in weights_of_same_keys[:, 0, 0].tolist()]
show(
    figure,
    alt="Two heatmaps of the query of two batch entries by ten keys. With equal keys, each real key has weight "
    f"{each[0]} in batch 0 and {each[1]} in batch 1. With keys that differ, the weights within each row "
    "differ too. Keys beyond the valid length have weight 0 in both.",
)
print("output with equal keys", output.detach(), sep="\n")

# %% [markdown]
# With equal keys the picture shows the lengths and nothing else: no query, no weight matrix, no mistake in
# the score could change it. The output is the plain mean of the first 2 and of the first 6 values. **Keys
# that differ** are the least that a demonstration, or a test, of attention needs.

# %% [markdown] prompt="guess_squeezed"
# ### Find the slip: a helpful squeeze
#
# The notes end their `forward` with `return output.squeeze(1)`, to tidy up. What shapes come back when
# `output` has shape `(2, 1, 4)` (one query), and when it has shape `(2, 3, 4)` (three queries)? And which
# shape does the promise `(batch, n_q, d_v)` ask for in the first case? Answer with tuples.

# %% solution="guess_squeezed"
### BEGIN SOLUTION
squeezed_one_query = (2, 4)
squeezed_three_queries = (2, 3, 4)
promised_one_query = (2, 1, 4)
### END SOLUTION

# %% test="guess_squeezed"
check("guess_squeezed")

# %% [markdown] hint="guess_squeezed"
# <details><summary>Hint 1: what squeeze does</summary>
#
# `squeeze(1)` removes axis 1 if its length is 1, and otherwise does nothing, silently.
# </details>
# <details><summary>Hint 2: read the promise literally</summary>
#
# Which number is `n_q` when there is one query?
# </details>

# %% [markdown]
# So the number of axes would depend on the number of queries, and code that reads `output[b, i]` breaks on
# the day there is only one. The mend is to leave the last line alone. If you must squeeze, say which axis,
# and be sure it is always 1.

# %% [markdown]
# ## 4 · A score with nothing to learn
#
# The other way needs no layers at all: $a(q, k) = q \cdot k / \sqrt{d}$, with $d$ the width that query and
# key share. For all pairs at once it is one matrix product, the operation that computers are built for.
#
# Why the root? The dot product of two random vectors of width $d$ is typically of size $\sqrt{d}$. Divided by
# it, scores keep their size whatever the width, and the softmax does not end up with all its weight on one key
# (lesson 02 measures this). The notes say "divide by $d_k$" beside this formula: a slip, the root is right.

# %% [markdown] prompt="DotProductAttention"
# ### Build: `DotProductAttention`
#
# The same module with the other score: dot products divided by √d. Everything after the score is as before.

# %% solution="DotProductAttention"
class DotProductAttention(nn.Module):
    """Attention with the score q . k / sqrt(d), without parameters."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        ### BEGIN SOLUTION
        self.dropout = nn.Dropout(dropout)
        ### END SOLUTION

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Tensor:
        """Mix the values of the keys that fit.

        queries: (batch, n_q, d), keys: (batch, n_k, d), values: (batch, n_k, d_v),
        valid_lens: as in masked_softmax. Returns (batch, n_q, d_v); attention_weights: (batch, n_q, n_k).
        """
        ### BEGIN SOLUTION
        scores = queries @ keys.transpose(1, 2) / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        ### END SOLUTION

# %% test="DotProductAttention"
check(DotProductAttention)

# %% [markdown] hint="DotProductAttention"
# <details><summary>Hint 1: the shapes say it</summary>
#
# `(batch, n_q, d) @ (batch, d, n_k)` is `(batch, n_q, n_k)`. Which two axes of the keys change places?
# </details>
# <details><summary>Hint 2: the divisor</summary>
#
# The square root of the width over which the product sums: not of the number of keys, and not the width
# itself.
# </details>
# <details><summary>Hint 3: the rest</summary>
#
# From the scores on, the lines are those of `AdditiveAttention`.
# </details>

# %%
torch.manual_seed(0)
dropping = DotProductAttention(dropout=0.5)
queries, keys, identity = torch.randn(1, 4, 5), torch.randn(1, 4, 5), torch.eye(4)[None]

figure, grid = plt.subplots(1, 3, figsize=(10, 3), layout="constrained")
dropping.eval()
draw_weights(grid[0], dropping(queries, keys, identity)[0], "used, after eval()")
dropping.train()
draw_weights(grid[1], dropping(queries, keys, identity)[0], "used, in training (p = 0.5)")
draw_weights(grid[2], dropping.attention_weights[0], "kept in attention_weights")
show(
    figure,
    alt="Three heatmaps of four queries by four keys. In evaluation the weights used are those kept. In "
    "training about half of the weights used are 0 and the others are twice as large, so rows no longer "
    "sum to 1. The weights kept in attention_weights are the same in training as in evaluation.",
)

# %% [markdown]
# Dropout zeroes weights at random and divides the others by 1 − p, so a row sums to 1 only *on average*.
# That is meant: nobody renormalises. After `eval()` it does nothing.

# %% [markdown]
# ## 5 · What a score costs
#
# A *multiply-add* is one multiplication together with the addition that collects it: a sum of four products
# costs four. Count them for the scores alone, with queries and keys both of width `d`. By hand, for
# `n_q = 2`, `n_k = 3`, `d = 4`, `num_hiddens = 5`:
#
# | | additive | dot product |
# | --- | --- | --- |
# | bring the queries to `num_hiddens` | 2·4·5 = 40 | |
# | bring the keys to `num_hiddens` | 3·4·5 = 60 | |
# | one score per pair | 2·3·5 = 30 | 2·3·4 = 24 |
# | **multiply-adds** | **130** | **24** |
# | **parameters** | 4·5 + 4·5 + 5 = **45** | **0** |

# %% [markdown] prompt="scoring_cost"
# ### Build: `scoring_cost`
#
# The four bold numbers of the table, for any sizes. Leave out `tanh`, the scale, the softmax, and the product of
# weights and values.

# %% solution="scoring_cost"
def scoring_cost(n_q: int, n_k: int, d: int, num_hiddens: int) -> dict[str, dict[str, int]]:
    """What the scores of n_q queries and n_k keys, all of width d, cost.

    Returns {"additive": {"multiply_adds": ..., "parameters": ...}, "dot_product": {the same two}}.
    """
    ### BEGIN SOLUTION
    projections = (n_q + n_k) * d * num_hiddens
    return {
        "additive": {
            "multiply_adds": projections + n_q * n_k * num_hiddens,
            "parameters": 2 * d * num_hiddens + num_hiddens,
        },
        "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0},
    }
    ### END SOLUTION

# %% test="scoring_cost"
check(scoring_cost)

# %% [markdown] hint="scoring_cost"
# <details><summary>Hint 1: one output at a time</summary>
#
# One entry of `W_q q` takes `d` multiply-adds. How many entries does one query have after `W_q`? How many
# queries are there?
# </details>
# <details><summary>Hint 2: pairs</summary>
#
# There are n_q·n_k pairs. For each, `w_v` sums over `num_hiddens` numbers; the dot product sums over `d`.
# </details>

# %%
print(f"{'words':>6}{'additive':>16}{'dot product':>16}{'ratio':>8}{'numbers held by the sum':>26}")
for n in (10, 100, 1000):
    cost = scoring_cost(n, n, d=64, num_hiddens=64)
    additive, dot = cost["additive"]["multiply_adds"], cost["dot_product"]["multiply_adds"]
    print(f"{n:>6}{additive:>16,}{dot:>16,}{additive / dot:>8.2f}{n * n * 64:>26,}")

# %% [markdown]
# In long sentences the counts come close, and yet nearly everybody uses the dot product. The last column says
# why: before $w_v$ sums them up, additive attention holds `num_hiddens` numbers for *every pair* of words,
# 64 million for a thousand words, and sends each through `tanh`. The dot product goes straight to one number
# per pair, inside one matrix product.

# %% [markdown]
# ## 6 · The same job for both
#
# A shop in France: on the shelf lie up to six goods with their French names, each with a price. You ask for
# one in *English*, and want its price. So the English word is the query, the French words are the keys, the
# prices are the values, and the empty places at the end of the shelf are padding. Every shop has other goods
# and other prices (any numbers, also below 0).
#
# Words are random vectors of width 8, fixed for good; English and French vectors have nothing to do with
# each other. Nobody shows the models which word means which. They only see how far their price was off.

# %%
ENGLISH = ["bread", "milk", "fish", "apple", "cheese", "salt", "egg", "book", "lamp", "shoe"]
FRENCH = ["pain", "lait", "poisson", "pomme", "fromage", "sel", "oeuf", "livre", "lampe", "chaussure"]
WIDTH, PLACES, STEPS = 8, 6, 300

draws = torch.Generator().manual_seed(5)
english_vectors = torch.randn(len(ENGLISH), WIDTH, generator=draws)
french_vectors = torch.randn(len(FRENCH), WIDTH, generator=draws)


def visit_shops(n: int, draws: torch.Generator) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """n shops: queries (n, 1, 8), keys (n, 6, 8), prices (n, 6, 1), valid_lens (n,), place asked for (n,)."""
    shelf = torch.rand(n, len(FRENCH), generator=draws).argsort(dim=-1)[:, :PLACES]
    valid_lens = torch.randint(2, PLACES + 1, (n,), generator=draws)
    place = (torch.rand(n, generator=draws) * valid_lens).long()
    asked = shelf[torch.arange(n), place]
    prices = torch.randn(n, PLACES, 1, generator=draws)
    return english_vectors[asked][:, None], french_vectors[shelf], prices, valid_lens, place


def word_of(vector: Tensor, words: list[str], vectors: Tensor) -> str:
    return words[int((vectors == vector).all(dim=-1).nonzero())]


queries, keys, prices, valid_lens, place = visit_shops(1, torch.Generator().manual_seed(0))
print("asked for:", word_of(queries[0, 0], ENGLISH, english_vectors))
for i in range(int(valid_lens[0])):
    print(f"place {i}:  {word_of(keys[0, i], FRENCH, french_vectors):<10} {prices[0, i, 0]:6.2f}")
print(f"answer:    {prices[0, place[0], 0]:.2f}")

# %% [markdown]
# Three contestants: bare dot-product attention; additive attention with `num_hiddens = 16`; and dot-product
# attention with one learned matrix $W$ that maps the query first, so that the score is
# $(W q) \cdot k / \sqrt{d}$.

# %%
class MappedDotProduct(nn.Module):
    """Dot-product attention behind a learned map of the query."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.map = nn.Linear(width, width, bias=False)
        self.attention = DotProductAttention(dropout=0.0)

    def forward(
        self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None
    ) -> Tensor:
        output = self.attention(self.map(queries), keys, values, valid_lens)
        self.attention_weights = self.attention.attention_weights
        return output


CONTESTANTS: dict[str, Callable[[], nn.Module]] = {
    "bare dot product": lambda: DotProductAttention(dropout=0.0),
    "additive": lambda: AdditiveAttention(key_size=WIDTH, query_size=WIDTH, num_hiddens=16, dropout=0.0),
    "dot product, query mapped": lambda: MappedDotProduct(WIDTH),
}

# %% [markdown] prompt="guess_learners"
# ### Predict: whose error will fall?
#
# Commit yourself before you run the training: `True` for each contestant that can learn the job, `False`
# for one that cannot.

# %% solution="guess_learners"
### BEGIN SOLUTION
bare_dot_product_learns = False
additive_learns = True
mapped_dot_product_learns = True
### END SOLUTION

# %% test="guess_learners"
check("guess_learners")

# %% [markdown] hint="guess_learners"
# <details><summary>Hint 1: what does training change?</summary>
#
# Parameters. How many has each contestant?
# </details>
# <details><summary>Hint 2: what would it have to know?</summary>
#
# That "bread" goes with "pain". Where could that be written down in each of the three?
# </details>

# %%
torch.set_num_threads(1)


def train(make: Callable[[], nn.Module]) -> tuple[nn.Module, list[float]]:
    """A trained model and its mean squared error at every step."""
    torch.manual_seed(0)
    model, draws, errors = make(), torch.Generator().manual_seed(1), []
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02) if list(model.parameters()) else None
    for _ in range(STEPS):
        queries, keys, prices, valid_lens, place = visit_shops(64, draws)
        guess = model(queries, keys, prices, valid_lens)
        error = (guess[:, 0] - prices[torch.arange(64), place]).square().mean()
        errors.append(error.item())
        if optimizer:
            optimizer.zero_grad()
            error.backward()
            optimizer.step()
    return model.eval(), errors


trained = {name: train(make) for name, make in CONTESTANTS.items()}

# %%
figure, axes = plt.subplots(figsize=(7, 3.4), layout="constrained")
courses = []
for (name, (_, errors)), style in zip(trained.items(), (":", "-", "--"), strict=True):
    smooth = torch.tensor(errors).unfold(0, 10, 1).mean(dim=-1)
    axes.plot(range(10, STEPS + 1), smooth, style, label=name, linewidth=2)
    start, soon, end = (smooth[step].item() for step in (0, 60, -1))
    courses.append(f"{name}: {start:.2f} at first, {soon:.2f} after 70 steps, {end:.2f} at the end.")
axes.set(xlabel="training step", ylabel="squared error of the price", ylim=(0, None))
axes.set_title("The same 300 batches for all three")
axes.legend()
show(figure, alt=f"Error against training step, as three curves. {' '.join(courses)}")

# %%
where = ("no parameters", "parameters in the score", "parameters in front of it")
shares = []
figure, grid = plt.subplots(1, 3, figsize=(9.5, 4), layout="constrained", sharey=True)
for axes, (name, (model, _)), place in zip(grid, trained.items(), where, strict=True):
    with torch.no_grad():
        model(english_vectors[None], french_vectors[None], torch.eye(len(FRENCH))[None])
    labels = {"xticklabels": FRENCH, "yticklabels": ENGLISH}
    draw_weights(axes, model.attention_weights[0], f"{name}\n{place}", numbers=False, **labels)
    shares.append(f"{name} {model.attention_weights[0].diagonal().mean():.2f}")
show(
    figure,
    alt="Three heatmaps of ten English words as queries by ten French words as keys; each word and its "
    f"translation meet on the diagonal. Mean weight there: {', '.join(shares)}.",
)

# %% [markdown]
# There is the dictionary that nobody wrote down, once inside the score and once in front of it. No shelf in
# training had more than six places; for this picture all ten goods lie on one.
#
# And the bill, with an exam of 1000 new shops: how often does the largest weight lie on the right place?

# %%
exam = visit_shops(1000, torch.Generator().manual_seed(2))
cost = scoring_cost(1, PLACES, WIDTH, 16)
scoring = {
    "bare dot product": cost["dot_product"]["multiply_adds"],
    "additive": cost["additive"]["multiply_adds"],
    "dot product, query mapped": cost["dot_product"]["multiply_adds"] + WIDTH * WIDTH,
}
print(f"{'':<28}{'parameters':>12}{'multiply-adds':>16}{'right place found':>19}")
for name, (model, _) in trained.items():
    queries, keys, prices, valid_lens, place = exam
    with torch.no_grad():
        model(queries, keys, prices, valid_lens)
    found = (model.attention_weights[:, 0].argmax(dim=-1) == place).float().mean().item()
    parameters = sum(parameter.numel() for parameter in model.parameters())
    print(f"{name:<28}{parameters:>12}{scoring[name]:>16}{found:>19.0%}")

# %% [markdown]
# - The **bare dot product** can only find a key that already points the query's way. Here that is a matter of
#   luck: blind guessing would find 29 %.
# - **Additive** attention puts the learning *into* the score. Query and key may even have different widths.
# - The **mapped** dot product puts it *in front of* the score: 64 numbers, and the product stays a plain
#   product.
#
# That third way is how transformers do it (Vaswani and others, 2017): in lesson 06 you will put such maps,
# `W_q` and `W_k`, in front of the dot product. On this small job additive attention learned faster; one job is
# no proof.

# %% [markdown] written="explain_additive" points=4
# ### Explain: `explain_additive`
#
# A colleague says: "Additive attention has parameters and the dot product has none, so additive attention
# is simply better." Answer in a few sentences: what does a learned score buy, what does it cost, and what
# can one do to give dot-product attention something to learn? Point to what you measured above.
#
# ### BEGIN SOLUTION
# **Model answer.** The learned score can match queries and keys that do not resemble each other, and that
# have different widths: on the shop task the bare dot product stayed at its first error, since it has no
# parameter to change, while additive attention found the translations. It costs parameters (2·d·h + h),
# multiply-adds to project queries and keys, and above all a tensor of n_q·n_k·h numbers that each pass
# through tanh, where the dot product is one matrix product with one number per pair. The learning need not
# sit in the score: a learned linear map of the query (or of the key, or of both) in front of a dot product
# solved the task too, with 64 parameters instead of 272.
#
# **Rubric**
# - 1 point: what it buys: a match that is learned, for vectors that do not resemble each other or differ in
#   width
# - 1 point: what it costs: parameters and multiply-adds, or the n_q·n_k·h numbers held, or tanh for every
#   pair
# - 1 point: learned maps before the dot product give it something to learn
# - 1 point: points to a result of this notebook (a loss curve, a heatmap or a row of a cost table) that
#   bears the claim out
# ### END SOLUTION

# %% [markdown]
# ## What you can now do
#
# - give padding no weight at all, for lengths per sentence or per query, without NaN and without touching
#   the scores
# - write attention as a PyTorch module that any score fits into, with dropout in its right place
# - say what additive and dot-product scores cost, and where the learning can live
#
# **Next:** in [06, who may look, and with how many eyes](../06_masks_and_heads/masks_and_heads.ipynb), lengths
# become masks, and the learned maps in front of the dot product become several heads.

# %% [markdown]
# ---
# *Credits.* The exercises grew from the seed note "Attention Score" that the course started from: its
# shape (2, 2, 4), its lengths, its masked softmax, its demonstration with 20-wide queries, and its slips.
# Additive attention: Bahdanau, Cho and Bengio, "Neural Machine Translation by Jointly Learning to Align and
# Translate" (2014). Dot-product scores in translation: Luong, Pham and Manning (2015). The scale √d, and
# learned maps in front: Vaswani and others, "Attention Is All You Need" (2017).
