# %% [markdown]
# # Two ways to score
#
# Attention begins with a score: how well does this key fit this query? Softmax makes weights of the scores, and the
# weights mix the values. Until now the score was a formula that never changes. **Can the score itself be learned,
# and is it worth the price?**
#
# You will build *additive* attention, which learns how to score, and *dot-product* attention, which has nothing to
# learn. In the end both must find the French word for an English one, though nobody shows them a dictionary.
#
# It takes about 105 minutes, and 25 more for the puzzles. You need matrix products and a little PyTorch (tensors,
# `nn.Module`), but no earlier lesson.
#
# Shapes: `n_q` queries, `n_k` keys, one value per key of width `d_v`, and in front always a batch axis.

# %% setup="imports"
import math
from collections.abc import Callable

import matplotlib.pyplot as plt
import torch
from torch import Tensor, nn

from autograder import check, cold_questions, draw_weights, figures, load_writer, show_losses, show_weights

check.lesson("05_additive_vs_dot_product")
torch.set_printoptions(precision=3, sci_mode=False)

# %%
cold_questions()  # three on earlier lessons: a minute, never graded

# %% [markdown]
# ## 1 · Where does the sentence end?
#
# Short sentences in a batch are filled up with padding, which is no word and must get no weight. So along with the
# scores `X`, of shape `(batch, n_q, n_k)`, comes a *valid length*: how many keys, from the left, are real.
#
# Here are scores to begin with: logarithms, so that `exp` gives back the whole numbers printed.

# %%
exp_of_scores = torch.tensor([[[1, 2, 3, 4], [4, 3, 2, 1]], [[1, 1, 1, 1], [1, 2, 3, 4]]])
X = exp_of_scores.log()
print(tuple(X.shape))
print(exp_of_scores)

# %% [markdown] prompt="guess_shape"
# ### Predict: read the shape
#
# ★☆☆ · 3 minutes
#
# The notes that this course grew from make scores of this shape with `torch.rand(2, 2, 4)` and call them "two
# dim, four lines, three columns": a slip. How many axes are there, how many batch entries, and in each of them how
# many rows (queries) and columns (keys)?

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
# <details><summary>Hint: which number is which?</summary>
#
# The last says how many stand side by side in one row of the tensor printed above.
# </details>

# %% [markdown]
# **By hand.** Softmax takes `exp` of each score and divides by the sum. For the very first query `exp` gives 1, 2, 3,
# 4; its weights depend on how many keys are real:
#
# | valid length | sum of what takes part | weights |
# | --- | --- | --- |
# | 4 | 1 + 2 + 3 + 4 = 10 | 0.1, 0.2, 0.3, 0.4 |
# | 2 | 1 + 2 = 3 | 1/3, 2/3, 0, 0 |
# | 0 | nothing | 0, 0, 0, 0 |

# %% [markdown] prompt="guess_weights"
# ### Predict: one row, length 3
#
# ★☆☆ · 3 minutes
#
# The same query with a valid length of 3: which four weights? A fraction such as `1 / 7` is fine.

# %% solution="guess_weights"
### BEGIN SOLUTION
weights_of_length_3 = [1 / 6, 2 / 6, 3 / 6, 0]
### END SOLUTION

# %% test="guess_weights"
check("guess_weights")

# %% [markdown] hint="guess_weights"
# <details><summary>Hint: who takes part?</summary>
#
# The first three keys. What do their numbers add up to?
# </details>

# %% [markdown]
# ## 2 · Find the slips
#
# Here is how the notes do it, a little shortened: push hidden scores down to minus a million, then softmax.

# %%
def hand_me_down(X: Tensor, valid_lens: Tensor) -> Tensor:
    rows = X.view(-1, X.shape[-1])  # all queries below one another: (batch * n_q, n_k)
    lengths = valid_lens.repeat_interleave(X.shape[1])  # the length that goes with each of these rows
    beyond = torch.arange(X.shape[-1]) >= lengths[:, None]  # True at the padding
    rows[beyond] = -1e6
    return rows.softmax(dim=-1).view_as(X)


print(hand_me_down(X.clone(), torch.tensor([2, 1])))

# %% [markdown]
# The first row, 1/3, 2/3, 0, 0, looks right. Now three experiments:

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
# ★★☆ · 7 minutes
#
# Each experiment has one cause. Which? One letter stays unused.
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
# <details><summary>Hint: look at the lines, then put in the numbers</summary>
#
# Where does `rows` keep its numbers, and which line assigns into it? In experiment 2 the real scores are −3,000,000
# and the hidden ones −1,000,000; in experiment 3 all are −1,000,000.
# </details>

# %% [markdown] prompt="masked_softmax"
# ### Build: `masked_softmax`
#
# ★★★ · 15 minutes
#
# Mend all three: every key at or beyond its row's valid length gets a weight of exactly 0, however low the real
# scores are, and a row of length 0 is all zeros. `X` stays as it was; gradients flow back to it, never NaN.
#
# `valid_lens` is `None` (every key is real), one length per batch entry, or one per query.

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
# <details data-part="right with one length per"><summary>Hint 1: one question per place</summary>
#
# A place is hidden when its column number, from `torch.arange(n_k)`, is at least its row's length. Which shape
# `(batch, ?, 1)` do the lengths need: one per batch entry, one per query?
# </details>
# <details data-part="right however; hidden keys"><summary>Hint 2: lower than any number</summary>
#
# `X.masked_fill(hidden, value)` is a new tensor. Which value is below every score?
# </details>
# <details data-part="a length of 0; gradients"><summary>Hint 3: a row with nothing in it</summary>
#
# There softmax divides 0 by 0. A second `masked_fill` mends it, and stops the NaN on its way back to `X`, too.
# </details>

# %%
by_batch = masked_softmax(X, torch.tensor([2, 3]))
by_query = masked_softmax(X, torch.tensor([[1, 3], [2, 4]]))
pictures = {
    "batch 0, length 2": by_batch[0],
    "batch 1, length 3": by_batch[1],
    "batch 0, lengths 1, 3": by_query[0],
    "batch 1, lengths 2, 4": by_query[1],
}
show_weights(pictures, alt="Four heatmaps of the weights of two queries for four keys.")

# %% [markdown]
# One length per batch entry on the left, one per query on the right. Lengths 1, 2, 3, … make the staircase of lesson
# 06, the causal mask.

# %% [markdown]
# ## 3 · A score that learns
#
# In 2014 Bahdanau, Cho and Bengio let a small network judge how well a key fits a query:
#
# $$ a(q, k) = w_v^\top \tanh(W_q\, q + W_k\, k) $$
#
# $W_q$ and $W_k$ bring query and key to the same width `num_hiddens`. The two are added (hence *additive*), `tanh`
# bends each sum into the range from −1 to 1, and $w_v$ makes one number of them. All three are learned.
#
# Why bend? Without `tanh` the query would add the same to the score of every key; softmax cancels that, and all
# queries would get the same weights.
#
# **By hand.** One query $q = (1, 2)$, three keys $-1, 0, 1$ of width 1, and
#
# $$ W_q = \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix},
# \quad W_k = \begin{pmatrix} 1 \\ -1 \end{pmatrix},
# \quad w_v = (1, -1). $$
#
# | key | $W_q q + W_k k$ | score: tanh of the first − tanh of the second | exp | weight |
# | --- | --- | --- | --- | --- |
# | −1 | (0, 3) | 0 − 0.995 = −0.995 | 0.370 | 0.153 |
# | 0 | (1, 2) | 0.762 − 0.964 = −0.202 | 0.817 | 0.339 |
# | 1 | (2, 1) | 0.964 − 0.762 = 0.202 | 1.224 | 0.508 |
#
# In code, broadcasting lets every query meet every key:
#
# ```
# W_q(queries)   (batch, n_q,  1 , num_hiddens)
# W_k(keys)      (batch,  1 , n_k, num_hiddens)
# their sum      (batch, n_q, n_k, num_hiddens)   --tanh, w_v-->   scores (batch, n_q, n_k)
# ```

# %% [markdown] prompt="AdditiveAttention"
# ### Build: `AdditiveAttention`
#
# ★★★ · 20 minutes
#
# Score every query against every key, turn scores into weights with `masked_softmax`, and mix the values.
#
# The layers are called `W_q`, `W_k` and `w_v` and have no bias. One thing is new: *dropout* sets some of the
# weights to 0 at random, so that the model does not come to lean on a single key. `nn.Dropout` does this, until
# `.eval()` says that training is over. Keep the weights from *before* dropout in `self.attention_weights`; mix the
# values with those from after it. A mistake in `masked_softmax` does not count here.

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
# <details data-part="W_q, W_k"><summary>Hint 1: three layers</summary>
#
# `nn.Linear(width_in, width_out, bias=False)`. Which width goes into `W_q`, `W_k`, `w_v`, and what comes out?
# </details>
# <details data-part="every query's; the numbers are right"><summary>Hint 2: every query meets every key</summary>
#
# `t.unsqueeze(i)` puts an axis of length 1 at place `i`. Which of the sum's four axes does each side lack?
# </details>
# <details data-part="per query a row"><summary>Hint 3: the one axis to remove</summary>
#
# `w_v` leaves an axis of length 1 at the end: `squeeze(-1)`.
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
# The numbers of the table. With the identity for values, the output shows the weights really used.

# %% [markdown] prompt="guess_equal_keys"
# ### Predict: what will the heatmap show?
#
# ★☆☆ · 3 minutes
#
# The notes show off their module with random queries and ten keys that are **all ones**; the two batch entries have
# valid lengths 2 and 6. Whatever $W_q$, $W_k$ and $w_v$ are: which weight does the *first* key get in each?

# %% solution="guess_equal_keys"
### BEGIN SOLUTION
first_weight_batch_0 = 1 / 2
first_weight_batch_1 = 1 / 6
### END SOLUTION

# %% test="guess_equal_keys"
check("guess_equal_keys")

# %% [markdown] hint="guess_equal_keys"
# <details><summary>Hint: compare two keys</summary>
#
# How can the scores of two keys differ that are the same? Among how many is the weight shared?
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

pictures = {"all keys equal": weights_of_same_keys[:, 0], "keys that differ": attention.attention_weights[:, 0]}
about = "Two heatmaps of one query for ten keys, a row for each batch entry."
show_weights(pictures, about, queries=["batch 0", "batch 1"], down=True)
print("output with equal keys", output.detach(), sep="\n")

# %% [markdown]
# No mistake in the score could change the upper picture. **Keys that differ** are the least that a test of attention
# needs.

# %% [markdown] prompt="guess_squeezed"
# ### Find the slip: a helpful squeeze
#
# ★☆☆ · 3 minutes
#
# The notes end `forward` with `return output.squeeze(1)`, to tidy up. What shapes come back when `output` has shape
# `(2, 1, 4)` (one query), and when it has `(2, 3, 4)`? And which does the promise `(batch, n_q, d_v)` ask for in the
# first case? Answer with tuples.

# %% solution="guess_squeezed"
### BEGIN SOLUTION
squeezed_one_query = (2, 4)
squeezed_three_queries = (2, 3, 4)
promised_one_query = (2, 1, 4)
### END SOLUTION

# %% test="guess_squeezed"
check("guess_squeezed")

# %% [markdown] hint="guess_squeezed"
# <details><summary>Hint: what squeeze does</summary>
#
# `squeeze(1)` removes axis 1 if its length is 1, and otherwise does nothing, silently.
# </details>

# %% [markdown]
# Code that reads `output[b, i]` would break on the day there is only one query. Leave the last line alone.

# %% [markdown]
# ## 4 · A score with nothing to learn
#
# The other way needs no layers: $a(q, k) = q \cdot k / \sqrt{d}$, with $d$ the width of both (lesson 02 measures
# what the root is for). For all pairs at once it is one matrix product.

# %% [markdown] prompt="DotProductAttention"
# ### Build: `DotProductAttention`
#
# ★★☆ · 8 minutes
#
# The same module with the other score. Everything after the score is as before.

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
# <details><summary>Hint: the shapes say it</summary>
#
# `(batch, n_q, d) @ (batch, d, n_k)` is `(batch, n_q, n_k)`. Which two axes of the keys change places?
# </details>

# %%
torch.manual_seed(0)
dropping = DotProductAttention(dropout=0.5)
queries, keys, identity = torch.randn(1, 4, 5), torch.randn(1, 4, 5), torch.eye(4)[None]

pictures = {
    "used, after eval()": dropping.eval()(queries, keys, identity)[0],
    "used, in training, p = 0.5": dropping.train()(queries, keys, identity)[0],
    "kept in attention_weights": dropping.attention_weights[0],
}
show_weights(pictures, alt="Three heatmaps of the weights of four queries for four keys, with and without dropout.")

# %% [markdown]
# Dropout zeroes weights at random and divides the others by 1 − p, so a row sums to 1 only *on average*. That is
# meant: nobody renormalises.
#
# ### Raise your voice
#
# Six keys, and a query that always points the same way: only its length changes. What will a longer query do to each
# score, the additive one with random layers?

# %%
torch.manual_seed(6)
direction, six_keys = nn.functional.normalize(torch.randn(1, 1, 2), dim=-1), torch.randn(1, 6, 2)
scores = {"dot product": DotProductAttention(0.0), "additive": AdditiveAttention(2, 2, 16, 0.0)}
for layer in scores["additive"].parameters():
    nn.init.normal_(layer)


def ask(length: float) -> dict[str, Tensor]:
    """The weights of the six keys under each score."""
    with torch.no_grad():
        return {name: score(length * direction, six_keys, torch.eye(6)[None])[0, 0] for name, score in scores.items()}


def draw_voice(length: float, *panels: plt.Axes) -> None:
    for axes, (name, weights) in zip(panels, ask(length).items()):
        axes.bar(range(6), weights.numpy(), color="#1f4e79")
        axes.axhline(1 / 6, color="#888888", linestyle="--", linewidth=1)
        axes.set(xticks=range(6), ylim=(0, 1), xlabel="key", ylabel=f"weight, {name}")


lengths = [1, 10, 100]
largest = {length: [f"{name} {weights.max():.2f}" for name, weights in ask(length).items()] for length in lengths}
figures.explore(
    draw_voice,
    lengths,
    name="length of the query",
    alt="The weights of six keys as bars, by dot product and by additive score. The largest weight: "
    + "; ".join(f"length {length:g}, {', '.join(tops)}" for length, tops in largest.items())
    + ".",
    turn=[0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 70, 80, 100],
    panels=2,
)

# %% [markdown]
# The dot product grows with the query, until softmax puts all weight on one key. In the additive score a long query
# drives every `tanh` to −1 or 1, where no key can move it any more: all score alike (dashed).

# %% [markdown]
# ## 5 · What a score costs
#
# A *multiply-add* is one multiplication with the addition that collects it: a sum of four products costs four. Here
# for `n_q = 2`, `n_k = 3`, queries and keys of width `d = 4`, and `num_hiddens = 5`:
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
# ★★☆ · 8 minutes
#
# The four bold numbers, for any sizes. Leave out `tanh`, the scale, the softmax, and the product of weights and
# values.

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
# <details><summary>Hint: one output at a time</summary>
#
# One entry of `W_q q` takes `d` multiply-adds: how many entries, how many queries? Then, for each of the n_q·n_k
# pairs, `w_v` sums over `num_hiddens` numbers, the dot product over `d`.
# </details>

# %%
print(f"{'words':>6}{'additive':>16}{'dot product':>16}{'ratio':>8}{'numbers held by the sum':>26}")
for n in (10, 100, 1000):
    cost = scoring_cost(n, n, d=64, num_hiddens=64)
    additive, dot = cost["additive"]["multiply_adds"], cost["dot_product"]["multiply_adds"]
    print(f"{n:>6}{additive:>16,}{dot:>16,}{additive / dot:>8.2f}{n * n * 64:>26,}")

# %% [markdown]
# In long sentences the counts come close; yet nearly everybody uses the dot product. Before $w_v$, additive attention
# holds `num_hiddens` numbers for *every pair* of words (last column: 64 million for a thousand words) and sends each
# through `tanh`. The dot product goes straight to one.

# %% [markdown]
# ## 6 · The same job for both
#
# A shop in France: on the shelf lie up to six goods with their French names, each with a price. You ask for one in
# *English*, and want its price: the English word is the query, the French words are the keys, the prices are the
# values, empty places are padding. Every shop differs, and prices may lie below 0.
#
# Words are fixed random vectors of width 8, English and French ones unrelated. The models are never told which word
# means which: they only see how far their price was off.

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
# attention behind one learned matrix $W$, with the score $(W q) \cdot k / \sqrt{d}$.

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
# ★☆☆ · 3 minutes
#
# `True` for each contestant that can learn the job, `False` for one that cannot.

# %% solution="guess_learners"
### BEGIN SOLUTION
bare_dot_product_learns = False
additive_learns = True
mapped_dot_product_learns = True
### END SOLUTION

# %% test="guess_learners"
check("guess_learners")

# %% [markdown] hint="guess_learners"
# <details><summary>Hint: what does training change?</summary>
#
# Parameters. How many has each contestant? Where could be written down that "bread" goes with "pain"?
# </details>

# %%
torch.set_num_threads(1)
STOPS = [0, 2, 4, 6, 8, 10, 13, 16, 20, 25, 30, 35, 40, 45, 50, 60, 70, 80, 100, 120, 150, 180, 220, 260, 300]


def dictionary(model: nn.Module) -> Tensor:
    """What every English word, as a query, weighs of a shelf with all ten French ones: (10, 10)."""
    with torch.no_grad():
        model(english_vectors[None], french_vectors[None], torch.eye(len(FRENCH))[None])
    return model.attention_weights[0]


def train(make: Callable[[], nn.Module]) -> tuple[nn.Module, list[float], dict[int, Tensor]]:
    """A trained model, its mean squared error at every step, its dictionary at some."""
    torch.manual_seed(0)
    model, draws, errors, seen = make(), torch.Generator().manual_seed(1), [], {}
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02) if list(model.parameters()) else None
    for step in range(STEPS):
        if step in STOPS:
            seen[step] = dictionary(model)
        queries, keys, prices, valid_lens, place = visit_shops(64, draws)
        guess = model(queries, keys, prices, valid_lens)
        error = (guess[:, 0] - prices[torch.arange(64), place]).square().mean()
        errors.append(error.item())
        if optimizer:
            optimizer.zero_grad()
            error.backward()
            optimizer.step()
    seen[STEPS] = dictionary(model)
    return model.eval(), errors, seen


trained = {name: train(make) for name, make in CONTESTANTS.items()}

# %%
errors = {name: errors for name, (_, errors, _) in trained.items()}
blind = sum(1 - 1 / n for n in range(2, PLACES + 1)) / (PLACES - 1)  # the mean of n prices misses each by 1 − 1/n
show_losses(errors, {"even weights, whatever is asked": blind}, "squared error of the price")
bare = errors["bare dot product"]
print(f"bare dot product, mean of all steps {sum(bare) / STEPS:.3f}; even weights {blind:.3f}")

# %% [markdown]
# The level line weighs every good alike, whatever is asked. It misses by 0.71, the bare dot product by 0.745: *worse
# than not asking*. Its scores know nothing of this job, and softmax takes them at their word. A score wants learning,
# or vectors that are made for it.

# %%
learners = ["additive", "dot product, query mapped"]


def draw_dictionaries(step: float, *panels: plt.Axes) -> None:
    for axes, name in zip(panels, learners):
        draw_weights(axes, trained[name][2][int(step)], keys=FRENCH, queries=ENGLISH)
        axes.set(xlabel=name, ylabel="")


stills = [0, 20, 300]
shares = {name: [trained[name][2][step].diagonal().mean() for step in stills] for name in learners}
figures.explore(
    draw_dictionaries,
    stills,
    name="training step",
    alt="Heatmaps of ten English words as queries by ten French words as keys, for both learners; each word and its "
    f"translation meet on the diagonal. Mean weight there at the steps {', '.join(map(str, stills))}: "
    + "; ".join(f"{name} {', '.join(f'{share:.2f}' for share in row)}" for name, row in shares.items())
    + ".",
    turn=STOPS,
    panels=2,
)

# %% [markdown]
# There is the dictionary that nobody wrote down, twice. And the bill, with 1000 new shops: how often does the largest
# weight lie on the right place?

# %%
exam = visit_shops(1000, torch.Generator().manual_seed(2))
cost = scoring_cost(1, PLACES, WIDTH, 16)
scoring = {
    "bare dot product": cost["dot_product"]["multiply_adds"],
    "additive": cost["additive"]["multiply_adds"],
    "dot product, query mapped": cost["dot_product"]["multiply_adds"] + WIDTH * WIDTH,
}
print(f"{'':<28}{'parameters':>12}{'multiply-adds':>16}{'right place found':>19}")
for name, (model, _, _) in trained.items():
    queries, keys, prices, valid_lens, place = exam
    with torch.no_grad():
        model(queries, keys, prices, valid_lens)
    found = (model.attention_weights[:, 0].argmax(dim=-1) == place).float().mean().item()
    parameters = sum(parameter.numel() for parameter in model.parameters())
    print(f"{name:<28}{parameters:>12}{scoring[name]:>16}{found:>19.0%}")

# %% [markdown]
# The **bare dot product** finds a key that already points the query's way, here a matter of luck: blind guessing
# would find 29 %. **Additive** attention puts the learning *into* the score, the **mapped** dot product *in front of*
# it. That is how transformers do it: lesson 06 puts such maps, `W_q` and `W_k`, in front. Here additive attention
# learned faster; one job is no proof.

# %% [markdown]
# ### Optional: inside a trained model
#
# The course has a small trained transformer. Let your own module ask where its *it* looks: with bare rows, and behind
# the maps that one head has learned.

# %%
writer = load_writer()
sentence = "the animal did not cross the street because it"
text = [".", *sentence.split()]
rows = torch.tensor(writer.attention_inputs(text)[1])[None]
Q, K, _ = (torch.tensor(part)[None] for part in writer.head(text, layer=1, head=2))

attention, looks = DotProductAttention(dropout=0.0), {}
for name, (queries, keys) in {"bare": (rows, rows), "behind W_q, W_k": (Q, K)}.items():
    attention(queries[:, -1:], keys, rows)
    looks[name] = attention.attention_weights[0, 0]
picture = {f"where {text[-1]!r} looks": torch.stack([*looks.values()])}
show_weights(picture, f"A heatmap of one query for the words of: {sentence}.", keys=text, queries=[*looks])

# %% [markdown]
# Bare, *it* finds mostly itself; behind the maps, the animal, with .89. This head of eight was picked because one can
# read it, and one sentence does not show that it knows what *it* stands for: try *the shop bought apples then he*.

# %% [markdown] written="explain_additive" points=4
# ### Explain: `explain_additive`
#
# ★★☆ · 8 minutes
#
# A colleague says: "Additive attention has parameters and the dot product has none, so it is simply better." What does
# a learned score buy, what does it cost, and what gives dot-product attention something to learn? Answer in a few
# sentences, and point to what you measured.
#
# ### BEGIN SOLUTION
# **Model answer.** A learned score matches queries and keys that do not resemble each other: in the shop the bare dot
# product stayed at its first error, additive attention found the translations. It costs parameters (2·d·h + h),
# multiply-adds, and above all n_q·n_k·h numbers that pass through tanh. A learned map in front of a dot product did
# the job too, with 64 parameters instead of 272.
#
# **Rubric**
# - 1 point: it matches vectors that do not resemble each other or differ in width
# - 1 point: it costs parameters and multiply-adds, or n_q·n_k·h numbers held, or tanh for every pair
# - 1 point: learned maps before the dot product give it something to learn
# - 1 point: points to a result of this notebook that bears it out
# ### END SOLUTION

# %% [markdown]
# ## Go further
#
# Three puzzles, without points.

# %% [markdown] prompt="additive_scores"
# ### Puzzle: additive scores in one expression
#
# ★★☆ · 8 minutes
#
# No module, no loop, and one expression: the scores of `queries (n_q, d_q)` and `keys (n_k, d_k)`.

# %% solution="additive_scores"
def additive_scores(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """w_v . tanh(W_q q + W_k k) for every query and key, before any softmax.

    W_q: (num_hiddens, d_q), W_k: (num_hiddens, d_k), w_v: (num_hiddens,). Returns (n_q, n_k).
    """
    ### BEGIN SOLUTION
    return torch.tanh((queries @ W_q.T)[:, None] + keys @ W_k.T) @ w_v
    ### END SOLUTION

# %% test="additive_scores"
check(additive_scores)

# %% [markdown] hint="additive_scores"
# <details><summary>Hint: the shapes, backwards</summary>
#
# `(n_q, n_k, num_hiddens) @ (num_hiddens,)` is `(n_q, n_k)`; and the first of these is a sum of
# `(n_q, 1, num_hiddens)` and `(n_k, num_hiddens)`.
# </details>

# %% [markdown] prompt="find_break_even"
# ### Puzzle: when is additive cheaper?
#
# ★★☆ · 5 minutes
#
# Each of n words looks at all n (`n_q = n_k = n`), with `d = 64` and only `num_hiddens = 16`. From which n on does
# the additive score take *fewer* multiply-adds than the dot product?

# %% solution="find_break_even"
### BEGIN SOLUTION
cheaper_from = 43
### END SOLUTION

# %% test="find_break_even"
check("find_break_even")

# %% [markdown] hint="find_break_even"
# <details><summary>Hint: write down both</summary>
#
# 2·n·64·16 + n²·16 against n²·64. Or let `scoring_cost` try one n after the other.
# </details>

# %% [markdown] prompt="write_dictionary"
# ### Puzzle: a dictionary without training
#
# ★★★ · 12 minutes
#
# The map $W$ was learned. Write one down at once: $(W q) \cdot k$ shall be 10 where k translates q, and 0 for every
# other pair. No row is a mix of the others, and there are at most as many words as features.

# %% solution="write_dictionary"
def write_dictionary(english: Tensor, french: Tensor) -> Tensor:
    """The map W, (d, d), under which English row i scores 10 with French row i and 0 with every other.

    english, french: (n, d), n <= d.
    """
    ### BEGIN SOLUTION
    return 10 * torch.linalg.pinv(french) @ torch.linalg.pinv(english).T
    ### END SOLUTION

# %% test="write_dictionary"
check(write_dictionary)

# %% [markdown] hint="write_dictionary"
# <details><summary>Hint: all pairs at once</summary>
#
# All scores together are `english @ W.T @ french.T`, and should be 10 times the identity. Which matrix, times
# `french.T` from the left, gives the identity? `torch.linalg.pinv` knows.
# </details>

# %% [markdown]
# ## What you can now do
#
# - give padding no weight at all, without NaN
# - write attention as a module that any score fits into
# - say what the two scores cost, and where the learning can live
#
# **Next:** in [06, who may look, and with how many eyes](../06_masks_and_heads/masks_and_heads.ipynb), lengths
# become masks, and the maps become several heads.

# %% [markdown]
# ---
# *Credits.* The exercises grew from the seed note "Attention Score" and its slips. Additive attention:
# [Bahdanau, Cho and Bengio, 2014](https://arxiv.org/abs/1409.0473). Dot-product scores in
# translation: [Luong, Pham and Manning, 2015](https://arxiv.org/abs/1508.04025). The scale √d, and learned maps in
# front: [Vaswani and others, 2017](https://arxiv.org/abs/1706.03762).
