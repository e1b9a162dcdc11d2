# %% [markdown]
# # Two ways to score
#
# You are in a shop in France, and you ask for *bread* in English. Attention can look up the price for you. Your word is
# the query, the French words on the shelf are the keys, and the prices are the values. The score says how well a key
# fits the query. In the earlier lessons the score was a fixed formula, and no formula knows that *pain* means *bread*.
# **Can a model learn the score? And what does this cost?**
#
# You build two kinds of attention. In **additive attention** a small network computes the score, and the numbers in
# this network are learned. In dot-product attention the score is a formula. Then you train models that have to find the
# right price. They learn the French words for ten English ones, although nobody shows them a dictionary.
#
# Nearly all transformers use the dot product. *Pointer networks*, which choose one of their inputs, use the additive
# score, and *GATv2*, a form of attention on graphs, uses a variant of it.
#
# The lesson takes about 130 minutes, and 25 more for the puzzles. You need matrix products and a little PyTorch
# (tensors, `nn.Module`), but no earlier lesson.
#
# The first axis of every tensor is the batch axis. In shapes, `n_q` is the number of queries, `n_k` the number of keys,
# and `d_v` the width of a value.

# %% setup="imports"
import math

import torch
from torch import Tensor, nn

from autograder import check, cold_questions
from attention import bring_your_own, french_shop, show_losses, show_louder

check.lesson("05_additive_vs_dot_product")
torch.set_printoptions(precision=3, sci_mode=False)

# %%
cold_questions()  # three questions on earlier lessons, never graded; skip them if this is your first lesson

# %% [markdown]
# ## 1. A shop in France
#
# Here you see why a fixed score finds the wrong price. The shelf of the shop has six places. On some of them lie goods
# with French names and prices.
#
# Each word has a fixed random vector of width 8. So the vector of an English word says nothing about its French word.
# Each price is given as its difference from the average price, so some prices are below 0.

# %%
shop = french_shop.first_visit()  # you ask for bread
print("queries", tuple(shop.queries.shape), " keys", tuple(shop.keys.shape), " prices", tuple(shop.prices.shape))
for word, price in french_shop.shelf_of(shop):
    print(f"{word:<8} {price:6.2f}")

# %% [markdown]
# In lesson 02 you wrote scaled dot-product attention for batches: scores $q \cdot k / \sqrt{d}$, a softmax over the
# keys, and the weighted sum of the values. The next cell loads your function from your saved notebook, or the course's.
# Then we ask for *bread* with it. Each bar is the weight of one place:

# %% setup="bring_your_own"
scaled_dot_product_attention = bring_your_own("scaled_dot_product_attention")

# %%
french_shop.show_turning(scaled_dot_product_attention)

# %% [markdown]
# At 0 the query is the vector of *bread* as it is, and two things are wrong:
#
# - Three places are *empty*, and they get nearly .4 of the weight.
# - *Fromage* gets more weight than *pain*, because no vector says that *pain* means *bread*.
#
# **Move the slider to 1.** This moves the query towards a vector that we chose, one that fits only *pain*. Then the
# answer is nearly the right price. But we had to know the right word. A model should *learn* it, for every word, and
# should be told only how wrong its price was. Before that, section 2 takes the weight from the empty places.

# %% [markdown]
# ## 2. Empty places: padding and valid lengths
#
# All shops have six rows in the tensors, so an empty place has a row, too. Such a row is padding: it only fills up the
# tensor. Padding must get no weight. So the scores `X`, of shape `(batch, n_q, n_k)`, come with a valid length. The
# **valid length** is the number of keys, counted from the left, that are real.
#
# Here are scores whose exponentials are whole numbers, so the softmax is easy by hand:

# %%
exp_of_scores = torch.tensor([[[1, 2, 3, 4], [4, 3, 2, 1]], [[1, 1, 1, 1], [1, 2, 3, 4]]])
X = exp_of_scores.log()
print(tuple(X.shape))
print(exp_of_scores)

# %% [markdown]
# **By hand.** The first query has the exponentials 1, 2, 3, 4. Each is divided by the sum over the *real* keys:
#
# | valid length | sum of the real keys' exponentials | weights |
# | --- | --- | --- |
# | 4 | 1 + 2 + 3 + 4 = 10 | 0.1, 0.2, 0.3, 0.4 |
# | 2 | 1 + 2 = 3 | 1/3, 2/3, 0, 0 |
# | 0 | nothing | 0, 0, 0, 0 |

# %% [markdown] prompt="guess_weights"
# ### Predict: one row, length 3
#
# ★☆☆ · 3 minutes
#
# What are the four weights of the same query with a valid length of 3? Write a list. A fraction such as `1 / 7` is
# fine. The check compares all four.

# %% solution="guess_weights"
### BEGIN SOLUTION
weights_of_length_3 = [1 / 6, 2 / 6, 3 / 6, 0]
### END SOLUTION

# %% test="guess_weights"
check("guess_weights")

# %% [markdown] hint="guess_weights"
# <details><summary>Hint: which keys are real?</summary>
#
# The first three. What is the sum of their numbers?
# </details>

# %% [markdown]
# ### Three mistakes
#
# Before you write a softmax with valid lengths, you look for mistakes in one. The first draft of this lesson set the
# scores of the padding to minus a million, because such a low score should get no weight:

# %%
def first_draft_softmax(X: Tensor, valid_lens: Tensor) -> Tensor:
    rows = X.view(-1, X.shape[-1])  # all queries below one another: (batch * n_q, n_k)
    lengths = valid_lens.repeat_interleave(X.shape[1])  # the length that goes with each of these rows
    beyond = torch.arange(X.shape[-1]) >= lengths[:, None]  # True at the padding
    rows[beyond] = -1e6
    return rows.softmax(dim=-1).view_as(X)


print(first_draft_softmax(X.clone(), torch.tensor([2, 1])))

# %% [markdown]
# The first row, 1/3, 2/3, 0, 0, is right. But this test is too easy. Here are three others, for one row with the scores
# 0, 1, 2, 3:

# %%
one_row = torch.tensor([[[0.0, 1.0, 2.0, 3.0]]])

mine = one_row.clone()
first_draft_softmax(mine, torch.tensor([2]))
print("experiment 1, length 2, scores afterwards:", mine)

low = one_row - 3e6
print("experiment 2, length 2, very low scores:  ", first_draft_softmax(low, torch.tensor([2])))

print("experiment 3, length 0:                   ", first_draft_softmax(one_row.clone(), torch.tensor([0])))

# %% [markdown] prompt="find_the_slips"
# ### Name them
#
# ★★☆ · 9 minutes
#
# Each experiment shows one mistake. In 1 the scores themselves have changed. In 2 the padding has all the weight. In 3
# there are weights, but no real key. Which sentence gives the cause, `"a"`, `"b"`, `"c"` or `"d"`? One sentence fits no
# experiment. The check compares all three.
#
# - **a**: softmax compares scores. If all scores are equally low, all keys get the same weight.
# - **b**: each length is repeated in the wrong order, so it reaches the rows of another batch entry.
# - **c**: `view` makes a second name for the same memory, and a later line writes into it.
# - **d**: the number that is filled in is low, but a real score may be lower.

# %% solution="find_the_slips"
### BEGIN SOLUTION
experiment_1 = "c"
experiment_2 = "d"
experiment_3 = "a"
### END SOLUTION

# %% test="find_the_slips"
check("find_the_slips")

# %% [markdown] hint="find_the_slips"
# <details><summary>Hint: look at the lines, then insert the numbers</summary>
#
# In which memory are the numbers of `rows`, and which line writes into it? In experiment 2 the real scores are about
# −3,000,000 and the padding has −1,000,000. In experiment 3 all scores are −1,000,000.
# </details>

# %% [markdown] prompt="masked_softmax"
# ### `masked_softmax`
#
# ★★★ · 20 minutes
#
# Write the softmax without these mistakes. `valid_lens` has one of three forms:
#
# - `None`: every key is real.
# - shape `(batch,)`: one length for all queries of a batch entry.
# - shape `(batch, n_q)`: each query has its own length.
#
# The check tries all three, and four more things:
#
# - Padding gets a weight of exactly 0, however low the real scores are.
# - A row of length 0 has only zeros.
# - `X` and `valid_lens` stay as they were.
# - Gradients flow back to `X`, and none is NaN (*not a number*, such as 0/0). One NaN would spoil all parameters in a
#   training.

# %% solution="masked_softmax"
def masked_softmax(X: Tensor, valid_lens: Tensor | None) -> Tensor:
    """Return the weights of the keys within each row's valid length.

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
# `X.masked_fill(hidden, value)` makes a new tensor. Which value is below every score, *before* the softmax?
# </details>
# <details data-part="right with one length per"><summary>Hint 2: which places are padding?</summary>
#
# A place is padding if its column number, from `torch.arange(n_k)`, is at least the length of its row. Compare the two
# with `>=`. For this, which shape `(batch, ?, 1)` must the lengths have in each of their two forms?
# </details>
# <details data-part="a length of 0; gradients"><summary>Hint 3: a row of length 0</summary>
#
# In this row all scores are −∞, so softmax computes 0/0, which is NaN. Replace these weights by 0 with a second
# `masked_fill`, after the softmax.
#
# Gradients go back through your lines in reverse order. In such a row the gradient of the softmax is NaN, although the
# second `masked_fill` sends it 0. The first `masked_fill` keeps this NaN from `X`: a filled entry is a constant, so the
# gradient of `X` is 0 there.
# </details>

# %%
scores = shop.queries @ shop.keys.transpose(1, 2) / math.sqrt(french_shop.WIDTH)
all_six, three = masked_softmax(scores, None), masked_softmax(scores, shop.valid_lens)
french_shop.show_shelves({"all places take part": all_six, f"valid length {shop.valid_lens.item()}": three})

# %% [markdown]
# On the right, the empty places get no weight. But *fromage* still has more weight than *pain*. So the score must be
# learned.

# %% [markdown]
# ## 3. A score that learns
#
# In 2014 Bahdanau, Cho and Bengio introduced attention for translation, with a score that is learned. This is the
# *additive score*:
#
# $$ a(q, k) = w_v^\top \tanh(W_q\, q + W_k\, k) $$
#
# 1. The matrices $W_q$ and $W_k$ turn the query and the key into vectors of the same width, `num_hiddens`.
# 2. The two vectors are *added*, which gives the score its name.
# 3. Then `tanh` maps each number into the range from −1 to 1. A function such as `tanh`, which is applied to each
#    number by itself and is not linear, is called an **activation function**.
# 4. The dot product with the vector $w_v$ makes one number, the score.
#
# $W_q$, $W_k$ and $w_v$ are learned. Without `tanh`, the query would add the same number to the scores of all keys.
# This changes no weight of a softmax, so all queries would get the same weights.
#
# **By hand.** One query $q = (1, 2)$, three keys $-1, 0, 1$ of width 1, and
#
# $$ W_q = \begin{pmatrix} 1 & 0 \\ 0 & 1 \end{pmatrix},
# \quad W_k = \begin{pmatrix} 1 \\ -1 \end{pmatrix},
# \quad w_v = (1, -1). $$
#
# Each row is one key. For the key −1, $W_q q = (1, 2)$ and $W_k k = (-1, 1)$, and their sum is (0, 3):
#
# | key | $W_q q + W_k k$ | score: tanh of the first − tanh of the second | exp | weight |
# | --- | --- | --- | --- | --- |
# | −1 | (0, 3) | 0 − 0.995 = −0.995 | 0.370 | 0.153 |
# | 0 | (1, 2) | 0.762 − 0.964 = −0.202 | 0.817 | 0.339 |
# | 1 | (2, 1) | 0.964 − 0.762 = 0.202 | 1.224 | 0.508 |
#
# In code, each part gets an axis of length 1, along which PyTorch repeats it. So every query is added to every key:
#
# ```
# W_q(queries)   (batch, n_q,  1 , num_hiddens)
# W_k(keys)      (batch,  1 , n_k, num_hiddens)
# their sum      (batch, n_q, n_k, num_hiddens)   --tanh, w_v-->   scores (batch, n_q, n_k)
# ```

# %% [markdown]
# ### Dropout
#
# The class below has one step that you have not met. **Dropout** sets some weights to 0 at random during training, so
# that the model does not rely on a single key, and makes the others larger, so that a row still sums to 1 on average.
# After `.eval()` dropout does nothing. This lesson trains with `dropout=0.0`, which drops nothing.
#
# ### One class for every score
#
# The two kinds of attention differ only in the score. So all other steps are written once, in the class `Attention`. In
# `forward`, `masked_softmax` turns the scores into weights, dropout follows, and the product with the values is the
# output. Each kind of attention is a subclass, which adds its own method `score`.

# %% setup="attention"
class Attention(nn.Module):
    """Attention by any `score`: from values (batch, n_k, d_v) to an output (batch, n_q, d_v)."""

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
# ★★★ · 20 minutes
#
# Make the layers `W_q`, `W_k` and `w_v`, each as `nn.Linear(width_in, width_out, bias=False)`, which is a learned
# matrix. Then write `score`, which returns the additive score of every query with every key.
#
# The check looks at your layers, and at shapes, weights, outputs, dropout and gradients of the whole module. A mistake
# in your `masked_softmax` does not count here.

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
        """Return scores (batch, n_q, n_k) of queries (batch, n_q, query_size) and keys (batch, n_k, key_size)."""
        ### BEGIN SOLUTION
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        return self.w_v(torch.tanh(features)).squeeze(-1)
        ### END SOLUTION

# %% test="AdditiveAttention"
check(AdditiveAttention)

# %% [markdown] hint="AdditiveAttention"
# <details data-part="W_q, W_k"><summary>Hint 1: three layers</summary>
#
# Which width goes into `W_q`, `W_k` and `w_v`, and which comes out?
# </details>
# <details data-part="per query a row; every query's; the numbers are right">
# <summary>Hint 2: every query with every key</summary>
#
# `t.unsqueeze(i)` inserts an axis of length 1 at place `i`. Which of the four axes of the sum is missing on each side?
# </details>
# <details data-part="per query a row"><summary>Hint 3: the one axis to remove</summary>
#
# `w_v` leaves an axis of length 1 at the end. `squeeze(-1)` removes it.
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
# These are the weights of the table. The values here are the identity matrix, so the output equals the weights.

# %% [markdown] prompt="guess_equal_keys"
# ### Predict: ten equal keys
#
# ★☆☆ · 3 minutes
#
# The first draft tested this module with the keys `torch.ones((2, 10, 2))`, so all ten keys were *equal*. The valid
# lengths of the two batch entries were 2 and 6. Which weight does the *first* key get in each batch entry, for any
# $W_q$, $W_k$ and $w_v$? The check compares both numbers.

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
# Can two equal keys have different scores? Among how many keys is the weight shared?
# </details>

# %%
torch.manual_seed(28)
queries, values, valid_lens = torch.randn(2, 1, 20), torch.randn(2, 10, 4), torch.tensor([2, 6])
attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.0)
by_keys = {"all keys equal": torch.ones(2, 10, 2), "keys that differ": 3 * torch.randn(2, 10, 2)}
for name, keys in by_keys.items():
    attention(queries, keys, values, valid_lens)
    by_keys[name] = attention.attention_weights[:, 0].detach()
    print(name, by_keys[name], sep="\n")

# %% [markdown]
# No choice of $W_q$, $W_k$ and $w_v$ can change the weights of equal keys. So a test of the score needs *keys that
# differ*.

# %% [markdown]
# ## 4. The dot-product score
#
# To compare, you put the score of the earlier lessons into the same class. It has no layers:
# $a(q, k) = q \cdot k / \sqrt{d}$.

# %% [markdown] prompt="DotProductAttention"
# ### `DotProductAttention`
#
# ★☆☆ · 3 minutes
#
# Write the method `score`. `Attention` has all other steps. The check calls the whole module again.

# %% solution="DotProductAttention"
class DotProductAttention(Attention):
    """Attention with the score q . k / sqrt(d), without parameters."""

    def score(self, queries: Tensor, keys: Tensor) -> Tensor:
        """Return scores (batch, n_q, n_k) of queries (batch, n_q, d) and keys (batch, n_k, d)."""
        ### BEGIN SOLUTION
        return queries @ keys.transpose(1, 2) / math.sqrt(keys.shape[-1])
        ### END SOLUTION

# %% test="DotProductAttention"
check(DotProductAttention)

# %% [markdown] hint="DotProductAttention"
# <details><summary>Hint: you have already written it</summary>
#
# The scores are the first line of lesson 02's function. `keys.transpose(1, 2)` exchanges the last two of three axes.
# </details>

# %% [markdown]
# ### Longer queries
#
# Each panel shows the weights of six keys under one score. Make the query longer with the slider, and watch the highest
# bar:

# %%
torch.manual_seed(3)
scores = {"dot product": DotProductAttention(0.0), "additive": AdditiveAttention(2, 2, 16, 0.0)}
for layer in scores["additive"].parameters():
    nn.init.normal_(layer)
show_louder(scores)

# %% [markdown]
# The dot product grows with the length of the query, until one key has all the weight. In the additive score a long
# query moves every `tanh` close to −1 or 1, whatever the key is. So all keys get nearly the same weight.

# %% [markdown]
# ## 5. What a score costs
#
# The matrices of the additive score are not free. Here you count what they cost. A **multiply-add** is one
# multiplication and one addition: a sum of four products costs four. The sizes are `n_q = 2`, `n_k = 3`, `d = 4` and
# `num_hiddens = 5`. Read the table downwards:
#
# - `W_q` turns each of 2 queries into 5 numbers. Each number is a sum of 4 products.
# - `W_k` does the same with 3 keys.
# - Each of the 2·3 pairs gets one score. For it, `w_v` sums 5 products, and the dot product sums 4.
# - The parameters are the numbers in `W_q`, `W_k` and `w_v`.
#
# | | additive | dot product |
# | --- | --- | --- |
# | `W_q` times the queries | 2·4·5 = 40 | |
# | `W_k` times the keys | 3·4·5 = 60 | |
# | one score per pair | 2·3·5 = 30 | 2·3·4 = 24 |
# | **multiply-adds** | **130** | **24** |
# | **parameters** | 4·5 + 4·5 + 5 = **45** | **0** |

# %% [markdown] prompt="scoring_cost"
# ### `scoring_cost`
#
# ★★☆ · 11 minutes
#
# Return the four bold numbers for any sizes. Count nothing else, such as `tanh` or the division by √d. The check looks
# at each number by itself.

# %% solution="scoring_cost"
def scoring_cost(n_q: int, n_k: int, d: int, num_hiddens: int) -> dict[str, dict[str, int]]:
    """Return the cost of the scores of n_q queries and n_k keys, all of width d.

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
# The four sizes of the table differ. Which size is each factor of 2·4·5, 3·4·5, 2·3·5 and 2·3·4?
# </details>

# %%
print(f"{'words':>6}{'multiply-adds:':>18}{'':>14}{'numbers held:':>18}")
print(f"{'':>6}{'dot product':>18}{'additive':>14}{'dot product':>18}{'additive':>14}")
for n in (10, 100, 1000):
    cost = scoring_cost(n, n, d=64, num_hiddens=64)
    matrices = 2 * n * 64 * 64  # W_q times the queries, W_k times the keys
    dot, additive = cost["dot_product"]["multiply_adds"] + matrices, cost["additive"]["multiply_adds"]
    print(f"{n:>6}{dot:>18,}{additive:>14,}{n * n:>18,}{n * n * 64:>14,}")

# %% [markdown]
# Each row is a text, whose words are queries and keys at once. A transformer first multiplies queries and keys by two
# learned matrices, and their cost is included. Then both scores take equally many multiply-adds, because `num_hiddens`
# is as large as d.
#
# The two columns on the right show why nearly all transformers use the dot product. It holds one number for each pair
# of words. Additive attention holds `num_hiddens` numbers for each pair before $w_v$, and computes a `tanh` of each.

# %% [markdown]
# ## 6. Back to the shop
#
# *Fromage* still has more weight than *pain*. Can training change this? Three models are trained in 300 steps, each
# with 64 new shops:
#
# - dot-product attention by itself,
# - additive attention with `num_hiddens = 16`,
# - dot-product attention with a learned matrix $W$ for the query: the score is $(W q) \cdot k / \sqrt{d}$.
#
# In each step a model is told how wrong its prices were, and nothing else.

# %%
class MappedDotProduct(DotProductAttention):
    """Dot-product attention with a learned matrix for the query."""

    def __init__(self, width: int) -> None:
        super().__init__(dropout=0.0)
        self.map = nn.Linear(width, width, bias=False)

    def forward(self, queries: Tensor, *others: Tensor) -> Tensor:
        return super().forward(self.map(queries), *others)


# %%
WIDTH = french_shop.WIDTH
CONTESTANTS = {
    "bare dot product": lambda: DotProductAttention(dropout=0.0),
    "additive": lambda: AdditiveAttention(key_size=WIDTH, query_size=WIDTH, num_hiddens=16, dropout=0.0),
    "dot product, query mapped": lambda: MappedDotProduct(WIDTH),
}

# %% [markdown] prompt="guess_learners"
# ### Predict: which errors will fall?
#
# ★☆☆ · 3 minutes
#
# Write `True` for each model that can learn to find the right price, and `False` for one that cannot. The check
# compares all three answers.

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
# Training changes parameters. Which models have any?
# </details>

# %%
trained = {name: french_shop.train(make) for name, make in CONTESTANTS.items()}

blind, bare = french_shop.even_error(), trained["bare dot product"].errors
errors = {name: one.errors for name, one in trained.items()}
show_losses(errors, {"even weights, whatever is asked": blind}, "squared error of the price", french_shop.TONES)
print(f"bare dot product, mean of all steps {sum(bare) / len(bare):.3f}; even weights {blind:.3f}")
for name, one in trained.items():
    print(f"{name}: {sum(parameter.numel() for parameter in one.model.parameters())} parameters")

# %% [markdown]
# The horizontal line is the error of a model that gives equal weights to all goods, 0.71. The error of the dot product
# by itself goes up and down, because each step has new shops. Its mean over all steps is 0.745, so it is *worse than
# equal weights*. It has no parameters, so training cannot change it. The other two errors fall nearly to 0. Ask for
# *bread* once more:

# %%
asked = {}
for name, one in trained.items():
    one.model(shop.queries, shop.keys, shop.prices, shop.valid_lens)
    asked[name] = one.model.attention_weights
french_shop.show_shelves(asked)

# %% [markdown]
# Both models that can learn have found *pain*. Additive attention has 272 learned parameters *inside* the score. The
# dot product with a matrix has 64 *in front of* the score, as transformers have. One small task does not show which
# score is better in general.

# %% [markdown] written="explain_additive" points=4
# ### Explain: `explain_additive`
#
# ★★☆ · 8 minutes
#
# A colleague says: "Additive attention has parameters and the dot product has none, so additive attention is simply
# better." What is gained by a learned score? What does it cost? How does dot-product attention get something to learn?
# Answer in a few sentences. Each answer counts one point, and one more is for a result of this notebook that supports
# them. (4 points)
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
# ## 7. A dictionary that nobody wrote
#
# Did the models learn what the words mean? The picture has a row for each English word, a query, and a column for each
# French word, a key. A word and its translation meet on the diagonal. Move the slider from the last step of the
# training to 0, and back:

# %%
french_shop.show_dictionaries({name: trained[name] for name in ("additive", "dot product, query mapped")})

# %% [markdown]
# At step 0 the weights say nothing. At step 300 each English word gives most of its weight to its translation. **Your
# two kinds of attention have learned ten French words from prices alone.** Only the right word leads to the right
# price, and training made its score the highest.

# %% [markdown]
# ## Go further

# %% [markdown] prompt="additive_scores"
# ### Puzzle: additive scores in one expression
#
# ★★☆ · 8 minutes
#
# Compute the additive scores of `queries`, `(n_q, d_q)`, and `keys`, `(n_k, d_k)`, in one expression, without a module
# or a loop.

# %% solution="additive_scores"
def additive_scores(queries: Tensor, keys: Tensor, W_q: Tensor, W_k: Tensor, w_v: Tensor) -> Tensor:
    """Return w_v . tanh(W_q q + W_k k) for every query and key, before any softmax.

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
# `(n_q, n_k, num_hiddens) @ (num_hiddens,)` is `(n_q, n_k)`. The first of these is a sum of `(n_q, 1, num_hiddens)` and
# `(n_k, num_hiddens)`.
# </details>

# %% [markdown] prompt="find_break_even"
# ### Puzzle: when is additive cheaper?
#
# ★★☆ · 5 minutes
#
# Let `n_q = n_k = n`, `d = 64`, and `num_hiddens` only 16. What is the smallest n for which the additive score takes
# *fewer* multiply-adds than the dot product?

# %% solution="find_break_even"
### BEGIN SOLUTION
cheaper_from = 43
### END SOLUTION

# %% test="find_break_even"
check("find_break_even")

# %% [markdown] hint="find_break_even"
# <details><summary>Hint: write down both</summary>
#
# Compare 2·n·64·16 + n²·16 with n²·64. Or let `scoring_cost` try one n after the other.
# </details>

# %% [markdown] prompt="write_dictionary"
# ### Puzzle: a dictionary without training
#
# ★★★ · 12 minutes
#
# In section 6 the matrix $W$ was learned. For a smaller shop you can compute one: $(W q) \cdot k$ must be 10 if k
# translates q, and 0 for every other pair. Here the vectors of the words are **linearly independent**, which means that
# none of them is a weighted sum of the others.

# %% solution="write_dictionary"
def write_dictionary(english: Tensor, french: Tensor) -> Tensor:
    """Return W, (d, d), with which English row i scores 10 with French row i and 0 with every other.

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
# All scores are `english @ W.T @ french.T`, and they should be 10 times the identity. Which matrix must stand before
# `french.T` to give the identity, and which behind `english`? `torch.linalg.pinv` computes both.
# </details>

# %% [markdown]
# The ten words of the shop have width 8, so their vectors are **linearly dependent**: at least one is a weighted sum of
# the others. Training could still find a matrix. There, the right word must have a score well above those of the other
# words, and the other scores need not be 0.

# %% [markdown]
# ## What you can now do
#
# - give padding a weight of exactly 0, without NaN
# - write attention as a module, with an additive score or a dot-product score
# - say what the two scores cost, and where their learned parameters are
#
# **Next:** in [06, who may look, and with how many eyes](../06_masks_and_heads/masks_and_heads.ipynb), you use masks,
# and several attentions side by side.

# %% [markdown]
# ---
# *Credits.* Additive attention: [Bahdanau, Cho and Bengio, 2014](https://arxiv.org/abs/1409.0473). GATv2: [Brody, Alon
# and Yahav, 2021](https://arxiv.org/abs/2105.14491). Pointer networks:
# [Vinyals, Fortunato and Jaitly, 2015](https://arxiv.org/abs/1506.03134). Dot-product scores in translation:
# [Luong, Pham and Manning, 2015](https://arxiv.org/abs/1508.04025). The scale √d, and learned maps in front:
# [Vaswani and others, 2017](https://arxiv.org/abs/1706.03762).
