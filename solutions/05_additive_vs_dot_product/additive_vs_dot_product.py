# %% [markdown]
# # Two ways to score
#
# In a shop in France you ask for *bread*, in English. Attention could find you the price, if its score knew which
# French word fits. In earlier lessons the score is a formula that never changes. **Can the score itself be learned, and
# is it worth the price?**
#
# You build *additive* attention, which learns how to score, and *dot-product* attention, which has nothing to learn.
# In the end a model finds the French word for an English one, though nobody shows it a dictionary.
#
# It takes about 100 minutes, and 25 more for the puzzles. You need matrix products and a little PyTorch (tensors,
# `nn.Module`), but no earlier lesson.
#
# Shapes: `n_q` queries, `n_k` keys, one value per key of width `d_v`; in front always a batch axis.

# %% setup="imports"
import math
from collections.abc import Callable

import torch
from torch import Tensor, nn

from autograder import (
    check, cold_questions, french_shop, load_writer, show_losses, show_louder, show_weights,
)

check.lesson("05_additive_vs_dot_product")
torch.set_printoptions(precision=3, sci_mode=False)

# %%
cold_questions()  # three on earlier lessons: a minute, never graded; skip them if this is your first

# %% [markdown]
# ## 1. A shop in France
#
# On the shelf lie up to six goods with their French names, each with a price. Your English word is the **query**, the
# French words are the **keys**, the prices are the **values**. Query and keys come from two different things: this is
# *cross-attention*.
#
# Words are fixed random vectors of width 8, English and French ones unrelated. Prices are counted from their average,
# so some lie below 0.

# %%
shop = french_shop.first_visit()  # you ask for bread
print("queries", tuple(shop.queries.shape), " keys", tuple(shop.keys.shape), " prices", tuple(shop.prices.shape))
for word, price in french_shop.shelf_of(shop):
    print(f"{word:<8} {price:6.2f}")

# %% [markdown] prompt="ask_the_shop"
# ### `ask_the_shop`
#
# ★☆☆ · 5 minutes
#
# Score every query against every key, $q \cdot k / \sqrt{d}$ with $d$ their width; make weights of the scores by a
# softmax over the keys; mix the prices.

# %% solution="ask_the_shop"
def ask_the_shop(queries: Tensor, keys: Tensor, prices: Tensor) -> tuple[Tensor, Tensor]:
    """The price that each query gets, and the weights that it comes from.

    queries: (batch, n_q, d), keys: (batch, n_k, d), prices: (batch, n_k, 1).
    Returns answers (batch, n_q, 1) and weights (batch, n_q, n_k).
    """
    ### BEGIN SOLUTION
    scores = queries @ keys.transpose(1, 2) / math.sqrt(keys.shape[-1])
    weights = scores.softmax(dim=-1)
    return weights @ prices, weights
    ### END SOLUTION

# %% test="ask_the_shop"
check(ask_the_shop)

# %% [markdown] hint="ask_the_shop"
# <details><summary>Hint: the shapes say it</summary>
#
# `(batch, n_q, d) @ (batch, d, n_k)` is `(batch, n_q, n_k)`. Which two axes of the keys change places?
# </details>

# %%
french_shop.show_turning(ask_the_shop)

# %% [markdown]
# At 0 two things are wrong. Three places are **empty**, and got nearly .4 of the weight. And *fromage* got more than
# *pain*: no vector says that *pain* is *bread*.
#
# Turn the query to where *pain* alone scores high, and the price comes right. But you had to know where to turn. A
# score should **learn** that, for every word, told only how far its price was off. First the empty places.

# %% [markdown]
# ## 2. Empty places
#
# An empty place has a row in the tensors, too: *padding*, as at the end of short sentences in a batch. It must get no
# weight. So along with the scores `X`, of shape `(batch, n_q, n_k)`, comes a *valid length*: how many keys, from the
# left, are real.
#
# Take scores whose `exp` are whole numbers:

# %%
exp_of_scores = torch.tensor([[[1, 2, 3, 4], [4, 3, 2, 1]], [[1, 1, 1, 1], [1, 2, 3, 4]]])
X = exp_of_scores.log()
print(tuple(X.shape))
print(exp_of_scores)

# %% [markdown]
# **By hand.** The first query's weights depend on how many keys are real:
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
# ### Find the slips
#
# The notes that this course grew from push hidden scores down to minus a million, then take the softmax:

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
# ### `masked_softmax`
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
# <details data-part="right with one length per; right however; hidden keys">
# <summary>Hint 1: below any number</summary>
#
# `X.masked_fill(hidden, value)` is a new tensor. Which value is below every score, *before* the softmax?
# </details>
# <details data-part="right with one length per"><summary>Hint 2: one question per place</summary>
#
# A place is hidden when its column number, from `torch.arange(n_k)`, is at least its row's length. Which shape
# `(batch, ?, 1)` do the lengths need: one per batch entry, one per query?
# </details>
# <details data-part="a length of 0; gradients"><summary>Hint 3: a row with nothing in it</summary>
#
# There softmax divides 0 by 0. A second `masked_fill` mends it; on the way back, the first one keeps the NaN from `X`.
# </details>

# %%
scores = shop.queries @ shop.keys.transpose(1, 2) / math.sqrt(french_shop.WIDTH)
all_six, three = masked_softmax(scores, None), masked_softmax(scores, shop.valid_lens)
french_shop.show_shelves({"all places take part": all_six, f"valid length {shop.valid_lens.item()}": three})

# %% [markdown]
# The empty places are silent, and the answer is worse: *fromage* outweighs *pain*.
#
# (Lengths 1, 2, 3, …, one per query: lesson 06's causal mask.)

# %% [markdown]
# ## 3. A score that learns
#
# In 2014 Bahdanau, Cho and Bengio let a small network judge how well a key fits a query:
#
# $$ a(q, k) = w_v^\top \tanh(W_q\, q + W_k\, k) $$
#
# $W_q$ and $W_k$ bring query and key to the same width `num_hiddens`. The two are *added*, `tanh` bends each
# sum into the range from −1 to 1, and $w_v$ makes one number of them. All three are learned.
#
# Why bend? Leave `tanh` out: what would a second query change?
#
# <details><summary>Compare</summary>
#
# Nothing. A query would add the same to the score of every key; softmax cancels that.
# </details>
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

# %% [markdown]
# **One class for every score.** What follows the score is always the same, so it is written once; each score is a
# subclass. New is *dropout*: in training it sets some weights to 0 at random, so that the model does not lean on a
# single key; after `.eval()` it rests. `attention_weights` keeps the weights from before dropout.

# %% setup="attention"
class Attention(nn.Module):
    """Attention by any `score`: values (batch, n_k, d_v) are mixed to an output (batch, n_q, d_v)."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries: Tensor, keys: Tensor, values: Tensor, valid_lens: Tensor | None = None) -> Tensor:
        scores = self.score(queries, keys)
        if scores.dim() > 3:
            raise ValueError(f"score gave the shape {tuple(scores.shape)}; expected (batch, n_q, n_k)")
        weights = masked_softmax(scores, valid_lens)
        self.attention_weights = weights
        return self.dropout(weights) @ values

# %% [markdown] prompt="AdditiveAttention"
# ### `AdditiveAttention`
#
# ★★★ · 15 minutes
#
# The first score: the layers `W_q`, `W_k` and `w_v`, without bias, and `score`, where every query meets every key. A
# mistake in `masked_softmax` does not count here.

# %% solution="AdditiveAttention"
class AdditiveAttention(Attention):
    """Attention with the learned score w_v . tanh(W_q q + W_k k)."""

    def __init__(self, key_size: int, query_size: int, num_hiddens: int, dropout: float) -> None:
        super().__init__(dropout)
        ### BEGIN SOLUTION
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        ### END SOLUTION

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        """queries: (batch, n_q, query_size), keys: (batch, n_k, key_size). Returns scores (batch, n_q, n_k)."""
        ### BEGIN SOLUTION
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        return self.w_v(torch.tanh(features)).squeeze(-1)
        ### END SOLUTION

# %% test="AdditiveAttention"
check(AdditiveAttention)

# %% [markdown] hint="AdditiveAttention"
# <details data-part="W_q, W_k"><summary>Hint 1: three layers</summary>
#
# `nn.Linear(width_in, width_out, bias=False)`. Which width goes into `W_q`, `W_k`, `w_v`, and what comes out?
# </details>
# <details data-part="per query a row; every query's; the numbers are right">
# <summary>Hint 2: every query meets every key</summary>
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
# The table's numbers. With the identity for values, the output is the weights used.

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
torch.manual_seed(28)
queries, same_keys, other_keys = torch.randn(2, 1, 20), torch.ones(2, 10, 2), 3 * torch.randn(2, 10, 2)
values, valid_lens = torch.arange(40.0).reshape(1, 10, 4).repeat(2, 1, 1), torch.tensor([2, 6])
attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.1).eval()

by_keys = {}
for title, keys in {"all keys equal": same_keys, "keys that differ": other_keys}.items():
    attention(queries, keys, values, valid_lens)
    by_keys[title] = attention.attention_weights[:, 0]
about = "Two heatmaps of one query for ten keys, a row for each batch entry."
show_weights(by_keys, about, queries=["batch 0", "batch 1"], down=True)

# %% [markdown]
# No choice of $W_q$, $W_k$, $w_v$, nor a forgotten `tanh`, could change the upper picture. **Keys that differ** are the
# least that a test of attention needs.

# %% [markdown] prompt="guess_shape"
# ### Find the slip: read the shape
#
# ★☆☆ · 2 minutes
#
# The notes make scores by `torch.rand(2, 2, 4)`: "two dim, four lines, three columns". How many axes are there, how
# many batch entries, and in each how many rows (queries) and columns (keys)?

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
# <details><summary>Hint</summary>
#
# The last number is the length of one row.
# </details>

# %% [markdown]
# ## 4. A score with nothing to learn
#
# The score of the shop needs no layers: $a(q, k) = q \cdot k / \sqrt{d}$ (lesson 02 measures what the root is for).

# %% [markdown] prompt="DotProductAttention"
# ### `DotProductAttention`
#
# ★☆☆ · 3 minutes
#
# One method is swapped.

# %% solution="DotProductAttention"
class DotProductAttention(Attention):
    """Attention with the score q . k / sqrt(d), without parameters."""

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        """queries: (batch, n_q, d), keys: (batch, n_k, d). Returns scores (batch, n_q, n_k)."""
        ### BEGIN SOLUTION
        return queries @ keys.transpose(1, 2) / math.sqrt(keys.shape[-1])
        ### END SOLUTION

# %% test="DotProductAttention"
check(DotProductAttention)

# %% [markdown] hint="DotProductAttention"
# <details><summary>Hint: you have written it</summary>
#
# Which line of `ask_the_shop` made the scores?
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
# Dropout divides the weights that it leaves by 1 − p, so a row sums to 1 only *on average*.
#
# ### Raise your voice
#
# What will a longer query do to the weights of six keys, by each score? (The additive layers are random.)

# %%
torch.manual_seed(3)
scores = {"dot product": DotProductAttention(0.0), "additive": AdditiveAttention(2, 2, 16, 0.0)}
for layer in scores["additive"].parameters():
    nn.init.normal_(layer)
show_louder(scores)

# %% [markdown]
# The dot product grows with the query, until softmax puts all weight on one key. In the additive score a long query
# drives every `tanh` to −1 or 1, where no key can move it any more: all score alike.

# %% [markdown] prompt="guess_squeezed"
# ### Find the slip: a helpful squeeze
#
# ★☆☆ · 3 minutes
#
# The notes end `forward` with `return output.squeeze(1)`. What shapes come back when `output` has shape
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
# With one query, `output[b, i]` would silently be one number, not a row.

# %% [markdown]
# ## 5. What a score costs
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
# ### `scoring_cost`
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
# In long sentences the ratio nears `num_hiddens` / d, here 1. Yet nearly everybody uses the dot product: which column
# says why?
#
# <details><summary>Compare</summary>
#
# The last. Before $w_v$, additive attention holds `num_hiddens` numbers for *every pair* and sends each through `tanh`.
# The dot product is one matrix product.
# </details>

# %% [markdown]
# ## 6. Back to the shop
#
# Three contestants go shopping, 300 times in 64 new shops:
#
# - bare dot-product attention,
# - additive attention with `num_hiddens = 16`,
# - dot-product attention behind one learned matrix $W$: the score is $(W q) \cdot k / \sqrt{d}$.
#
# Each time they are told how far their prices were off, and nothing else.

# %%
class MappedDotProduct(DotProductAttention):
    """Dot-product attention behind a learned map of the query."""

    def __init__(self, width: int) -> None:
        super().__init__(dropout=0.0)
        self.map = nn.Linear(width, width, bias=False)

    def forward(self, queries: Tensor, *others: Tensor) -> Tensor:
        return super().forward(self.map(queries), *others)


# %%
WIDTH = french_shop.WIDTH
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
# An optimizer changes parameters. Who has any?
# </details>

# %%
trained = {name: french_shop.train(make) for name, make in CONTESTANTS.items()}

blind, bare = french_shop.even_error(), trained["bare dot product"].errors
errors = {name: one.errors for name, one in trained.items()}
show_losses(errors, {"even weights, whatever is asked": blind}, "squared error of the price", french_shop.TONES)
print(f"bare dot product, mean of all steps {sum(bare) / len(bare):.3f}; even weights {blind:.3f}")

# %% [markdown]
# The level line weighs all goods alike. It misses by 0.71, the bare dot product by 0.745: *worse than not asking*. A
# score wants learning, or vectors that are made for it. You ask for *bread* once more:

# %%
asked = {}
for name, one in trained.items():
    one.model(shop.queries, shop.keys, shop.prices, shop.valid_lens)
    asked[name] = one.model.attention_weights
french_shop.show_shelves(asked)

# %% [markdown]
# And all ten words, while they learn:

# %%
french_shop.show_dictionaries({name: trained[name] for name in ("additive", "dot product, query mapped")})

# %% [markdown]
# There is the dictionary that nobody wrote down, twice. And the bill, with 1000 new shops:

# %%
exam = french_shop.visit(1000, torch.Generator().manual_seed(2))
cost = scoring_cost(1, french_shop.PLACES, WIDTH, 16)
additive, dot = cost["additive"]["multiply_adds"], cost["dot_product"]["multiply_adds"]
bill = {}
for (name, one), multiply_adds in zip(trained.items(), (dot, additive, dot + WIDTH * WIDTH)):
    parameters = sum(parameter.numel() for parameter in one.model.parameters())
    bill[name] = parameters, multiply_adds, french_shop.share_found(one.model, exam)
french_shop.show_bill(bill, blind=(1 / exam.valid_lens).mean().item())

# %% [markdown]
# The **bare dot product** is right by luck, little above a blind guess. **Additive** attention puts the learning *into*
# the score, the **mapped** dot product *in front of* it, as transformers do: see `W_q` and `W_k` in lesson 06.
# Here additive attention began slower and got further; one job is no proof.

# %% [markdown]
# ### Optional: inside a trained model
#
# Where does the *it* of a small trained transformer look: with bare rows, and behind the maps that one head has
# learned?

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
# Bare, *it* finds mostly itself; behind the maps, the animal, with .89. This head of eight was picked to be read; one
# sentence is no proof either. Try *the shop bought apples then he*.

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
# Without points.

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
# Let `n_q = n_k = n`, `d = 64`, and `num_hiddens` only 16. From which n on does the additive score take *fewer*
# multiply-adds than the dot product?

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
# The map $W$ was learned. For a smaller shop, write one down at once: $(W q) \cdot k$ shall be 10 where k translates q,
# and 0 for every other pair. No row is a mix of the others, and there are at most as many words as features.

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
# All scores are `english @ W.T @ french.T`, and should be 10 times the identity. What must stand before `french.T` to
# give the identity, and what behind `english`? `torch.linalg.pinv` knows both.
# </details>

# %% [markdown]
# The shop's ten words of width 8 are too many. Why could training still find a map?
#
# <details><summary>Compare</summary>
#
# There the right word need only score highest.
# </details>

# %% [markdown]
# ## What you can now do
#
# - give padding no weight at all, without NaN
# - write attention once, and swap the score in it
# - say what the two scores cost, and where the learning can live
#
# **Next:** in [06, who may look, and with how many eyes](../06_masks_and_heads/masks_and_heads.ipynb), lengths
# become masks, and the maps become several heads.

# %% [markdown]
# ---
# *Credits.* From the seed note "Attention Score". Additive attention:
# [Bahdanau, Cho and Bengio, 2014](https://arxiv.org/abs/1409.0473). Dot-product scores in
# translation: [Luong, Pham and Manning, 2015](https://arxiv.org/abs/1508.04025). The scale √d, and learned maps in
# front: [Vaswani and others, 2017](https://arxiv.org/abs/1706.03762).
