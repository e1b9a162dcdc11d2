# %% [markdown]
# # Two ways to score
#
# You are in a shop in France, and you ask for *bread* in English. Attention can look up the price. Your word is the
# query, the French words on the shelf are the keys, and the prices are the values. A score says how well a key fits the
# query. In the earlier lessons it was a fixed formula. With vectors that do not say what a word means, it cannot know
# that *pain* means *bread*. **Can a model learn the score? And what does this cost?**
#
# You build two kinds of attention. In **additive attention** a small network, whose numbers are learned, computes the
# score. In dot-product attention the score is a fixed formula. Then you train models to find the right price, and
# some of them learn ten French words from prices alone.
#
# The lesson takes about 135 minutes, and 25 more for the puzzles. You need matrix products and a little PyTorch
# (tensors, gradients, `nn.Module`). What you need of lesson 02 is repeated here.

# %% setup="imports"
import math
import time

import torch
from torch import Tensor, nn

from autograder import check, cold_questions
from attention import bring_your_own, french_shop

check.lesson("05_additive_vs_dot_product")
torch.set_printoptions(precision=3, sci_mode=False)

# %%
cold_questions()  # three questions on earlier lessons, never graded; skip them if this is your first lesson

# %% [markdown]
# ## 1. A shop in France
#
# Here you see why a fixed score finds the wrong price. The shelf has six places, and some are empty. Each word has a
# random vector of width 8, so the vector of an English word says nothing about its French word. A price is given as its
# difference from an average price, so it may be negative.
#
# You ask with the scaled dot-product attention of lesson 02: scores $q \cdot k / \sqrt{d}$, where $d$ is the width of
# the vectors, a softmax over the keys, and the weighted sum of the values. The next cell loads your function, or the
# course's:

# %% setup="bring_your_own"
scaled_dot_product_attention = bring_your_own("scaled_dot_product_attention")

# %%
french_shop.show_turning(scaled_dot_product_attention)

# %% [markdown]
# Each bar is the weight of one place. At 0 the query is the vector of *bread*, and two things are wrong:
#
# - Three places are *empty*, and they get nearly .4 of the weight. You mend this in section 2.
# - *Fromage* gets more weight than *pain*. The vectors were not made to say what *pain* means, so this is chance.
#
# **Move the slider to 1.** The query moves towards a vector that fits only *pain*, and the answer is nearly the right
# price. But we chose this vector by hand. A model should *learn* which key fits, from its errors alone.

# %% [markdown]
# ## 2. Empty places: padding and valid lengths
#
# Here you write a softmax that gives the empty places no weight. The prices in several shops are looked up at once: the
# shops are the entries of a *batch*. A tensor is rectangular, so each shop must list the same number of keys, six. An
# empty place holds *padding*, a vector and a price that do not count. The **valid length** is the number of real keys,
# which come first.
#
# **By hand.** The four scores of one query form a *row*, and their exponentials are 1, 2, 3 and 4. A softmax divides
# each exponential by the sum of all. Now only the exponentials of the *real* keys count: each is divided by their sum,
# and all other weights are 0:
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
# fine.

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
# ### In code: minus infinity
#
# The same row with the valid length 2, in three steps:
#
# 1. Make a mask, a tensor of `True` and `False`. It is `True` at each empty place, where the index is at least the
#    valid length. We call the keys and scores at these places *hidden*.
# 2. Replace each hidden score by −∞. The function `masked_fill` makes a new tensor for this.
# 3. Take the softmax. The exponential of −∞ is exactly 0, so a hidden key gets no weight and adds nothing to the sum.

# %%
scores = torch.tensor([1.0, 2.0, 3.0, 4.0]).log()
hidden = torch.arange(4) >= 2
filled = scores.masked_fill(hidden, -math.inf)
print(hidden, filled, filled.softmax(dim=-1), sep="\n")

# %% [markdown]
# The last line has the weights of the table. A first draft of this lesson did nearly the same. Here it is in three
# experiments, each with one row of scores:

# %%
def first_draft_softmax(X: Tensor, valid_len: int) -> Tensor:
    X.masked_fill_(torch.arange(4) >= valid_len, -1e6)
    return X.softmax(dim=-1)


mine = torch.arange(4.0)
print("experiment 1, length 2:                 ", first_draft_softmax(mine, 2))
print("              the scores 0 to 3 are now:", mine)
print("experiment 2, length 2, very low scores:", first_draft_softmax(torch.arange(4.0) - 3e6, 2))
print("experiment 3, length 0:                 ", first_draft_softmax(torch.arange(4.0), 0))

# %% [markdown] prompt="find_the_slips"
# ### Find the causes: three mistakes
#
# ★★☆ · 6 minutes
#
# Each experiment shows one mistake: in 1 the scores have changed, in 2 the padding has all the weight, and in 3 there
# are weights, but no real key. Which sentence gives the cause, `"a"`, `"b"`, `"c"` or `"d"`? One of the four is left
# over.
#
# - **a**: softmax compares scores. If all scores are equally low, all keys get the same weight.
# - **b**: the valid length of one shop is used for another shop.
# - **c**: a method whose name ends in `_` changes its own tensor.
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
# <details><summary>Hint: insert the numbers</summary>
#
# In experiment 2 the real scores are about −3,000,000 and the padding has −1,000,000. In experiment 3 all scores are
# −1,000,000.
# </details>

# %% [markdown]
# ### A row without a real key
#
# `masked_fill` and −∞ prevent the first two mistakes. A valid length of 0 needs one more step:

# %%
print(torch.full((4,), -math.inf).softmax(dim=-1))

# %% [markdown]
# The formula gives 0/0, which PyTorch shows as NaN (*not a number*). So *after* the softmax, set the weight of each
# hidden key to 0, with a second `masked_fill`. On the way back, the softmax passes NaN to such a row. The first
# `masked_fill` stops it: a score that was replaced gets the gradient 0.

# %% [markdown] prompt="masked_softmax"
# ### `masked_softmax`
#
# ★★★ · 20 minutes
#
# Write these steps for a whole batch: several shops, in each of which `n_q` queries meet `n_k` keys. The scores `X`
# have the shape `(batch, n_q, n_k)`, and so have the weights that you return. `valid_lens` has one of three forms. For
# 2 batch entries with 2 queries each, and 4 keys:
#
# | `valid_lens` | its shape | valid lengths of the four rows |
# | --- | --- | --- |
# | `None` | | 4, 4 and 4, 4 |
# | `[2, 3]` | `(batch,)` | 2, 2 and 3, 3 |
# | `[[1, 3], [2, 4]]` | `(batch, n_q)` | 1, 3 and 2, 4 |
#
# If you compare or add two tensors, PyTorch broadcasts them: it first adds missing axes of length 1 in front. Then it
# repeats an axis of length 1 to match the other tensor. `X` and `valid_lens` must stay as they were, and gradients must
# reach `X` without a NaN.

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
# <summary>Hint 1: before the softmax</summary>
#
# `X.masked_fill(hidden, value)` makes a new tensor. Which value is below every score?
# </details>
# <details data-part="right with one length per"><summary>Hint 2: which places are padding?</summary>
#
# Compare `torch.arange(n_k)` with the length of each row. Which shape `(batch, ?, 1)` must both forms of lengths have?
# </details>
# <details data-part="a length of 0; gradients"><summary>Hint 3: a row of length 0</summary>
#
# Its weights are NaN after the softmax. A second `masked_fill` replaces them.
# </details>

# %%
shop = french_shop.first_visit()  # the shelf from section 1
scores = shop.queries @ shop.keys.transpose(1, 2) / math.sqrt(french_shop.WIDTH)
print(masked_softmax(scores, shop.valid_lens))

# %% [markdown]
# The three empty places get no weight. But the first key, *fromage*, still has more weight than the second, *pain*.
# This score cannot change, so it stays wrong.

# %% [markdown]
# ## 3. A score that learns
#
# Here you build attention with a score that is learned, the *additive score*:
#
# $$ a(q, k) = w_v^\top \tanh(W_q\, q + W_k\, k) $$
#
# 1. The matrices $W_q$ and $W_k$ turn the query and the key, whose widths may differ, into vectors of the same width,
#    `num_hiddens` or $h$ (not related to hidden keys).
# 2. The two vectors are *added*, which gives the score its name.
# 3. Each number goes through `tanh`, into the range from −1 to 1. A function such as `tanh`, which is applied to each
#    number by itself and is not linear, is called an **activation function**.
# 4. The dot product with the vector $w_v$ is the score.
#
# $W_q$, $W_k$ and $w_v$ are learned. Without `tanh`, the score would be a number from the query plus a number from the
# key. The query's number would be added to the scores of all keys alike, and this does not change a softmax. So the
# weights would be the same for every query.
#
# **By hand.** One query, three keys, `num_hiddens = 2`. Let $W_q q = (1, 2)$ and $w_v = (1, -1)$:
#
# | $W_k k$ | $W_q q + W_k k$ | score: tanh of the first − tanh of the second | exp | weight |
# | --- | --- | --- | --- | --- |
# | (−1, 1) | (0, 3) | 0 − 0.995 = −0.995 | 0.370 | 0.153 |
# | (0, 0) | (1, 2) | 0.762 − 0.964 = −0.202 | 0.817 | 0.339 |
# | (1, −1) | (2, 1) | 0.964 − 0.762 = 0.202 | 1.224 | 0.508 |

# %%
sums, w_v = torch.tensor([[0.0, 3.0], [1.0, 2.0], [2.0, 1.0]]), torch.tensor([1.0, -1.0])
print((torch.tanh(sums) @ w_v).softmax(dim=-1))

# %% [markdown]
# These are the weights of the table. Every mapped query is added to every mapped key. For this, `W_q(queries)` gets
# an axis of length 1 for the keys, and `W_k(keys)` one for the queries:
#
# ```
# W_q(queries)   (batch, n_q,  1 , num_hiddens)
# W_k(keys)      (batch,  1 , n_k, num_hiddens)
# their sum      (batch, n_q, n_k, num_hiddens)   --tanh, w_v-->   scores (batch, n_q, n_k)
# ```

# %% [markdown]
# ### One class for both scores
#
# The two kinds of attention differ only in the score, so each is a subclass with its own method `score`. The class
# `Attention` has all other steps: `masked_softmax` turns scores into weights, and the output is the weights times the
# values, each of width `d_v`.
#
# **Dropout** sets each weight to 0 with a probability p during training, so that a model does not rely on a single key.
# It divides the other weights by 1 − p. `attention_weights` keeps the weights from before dropout. This lesson uses
# `dropout=0.0`.

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
# Make the layers `W_q`, `W_k` and `w_v`, each as `nn.Linear(width_in, width_out, bias=False)`: a learned matrix.
# (The formula adds no bias.) Then write `score`. It takes queries `(batch, n_q, query_size)` and keys
# `(batch, n_k, key_size)`, and returns the additive score of each pair, `(batch, n_q, n_k)`.
#
# `check` calls your class with a right `masked_softmax`, so a mistake in yours does not count twice.

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
# `t.unsqueeze(i)` inserts an axis of length 1 at place `i`. Which of the sum's four axes does `W_q(queries)` lack, and
# which `W_k(keys)`?
# </details>
# <details data-part="per query a row"><summary>Hint 3: the one axis to remove</summary>
#
# `w_v` leaves an axis of length 1 at the end. `squeeze(-1)` removes it.
# </details>

# %% [markdown] prompt="guess_equal_keys"
# ### Predict: ten equal keys
#
# ★☆☆ · 3 minutes
#
# Take two batch entries with ten *equal* keys each, `torch.ones((2, 10, 2))`. The valid lengths are 2 and 6. Which
# weight does the *first* key get in each, for any $W_q$, $W_k$ and $w_v$?

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
attention = AdditiveAttention(key_size=2, query_size=20, num_hiddens=8, dropout=0.0)
attention(torch.randn(2, 1, 20), torch.ones(2, 10, 2), torch.randn(2, 10, 4), torch.tensor([2, 6]))
print(attention.attention_weights.detach())

# %% [markdown]
# ## 4. The dot-product score
#
# Now you put the score of lesson 02 into a second subclass of `Attention`. It has no layers: $a(q, k) = q \cdot k /
# \sqrt{d}$.

# %% [markdown] prompt="DotProductAttention"
# ### `DotProductAttention`
#
# ★☆☆ · 3 minutes
#
# Write the method `score`. It takes queries `(batch, n_q, d)` and keys `(batch, n_k, d)`, and returns scores
# `(batch, n_q, n_k)`.

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
# <details><summary>Hint: it stands in section 2</summary>
#
# The cell after the hints of `masked_softmax` computes these scores. `keys.transpose(1, 2)` exchanges the last two of
# three axes.
# </details>

# %% [markdown]
# ## 5. Why transformers use the dot product
#
# Here you count and measure what the two scores cost. A **multiply-add** is one multiplication and one addition: a sum
# of four products costs four. In this example `n_q = 2`, `n_k = 3`, `d = 4` and `num_hiddens = 5`:
#
# | | additive | dot product |
# | --- | --- | --- |
# | `W_q`: 5 numbers for each of 2 queries, each a sum of 4 products | 2·5·4 = 40 | |
# | `W_k`: the same for 3 keys | 3·5·4 = 60 | |
# | 2·3 scores, each a sum of 5 products (additive) or 4 (dot product) | 2·3·5 = 30 | 2·3·4 = 24 |
# | **multiply-adds** | **130** | **24** |
# | **parameters** in `W_q`, `W_k` and `w_v` | 4·5 + 4·5 + 5 = **45** | **0** |

# %% [markdown] prompt="scoring_cost"
# ### `scoring_cost`
#
# ★★☆ · 11 minutes
#
# Return the four bold numbers for any sizes, in a dictionary of two dictionaries. Count nothing else, such as `tanh` or
# the division by √d.

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
# Which of the four sizes is each factor of 2·5·4, 3·5·4, 2·3·5 and 2·3·4?
# </details>

# %%
print(*scoring_cost(n_q=1000, n_k=1000, d=64, num_hiddens=64).items(), sep="\n")

# %% [markdown]
# This is a text of 1,000 words, each of which is a query and a key. The additive score needs about an eighth more
# multiply-adds, all for `W_q` and `W_k`. But transformers also map queries and keys with two learned matrices, before
# the dot product. If these are 64 × 64, both scores need 72,192,000 multiply-adds.
#
# The real difference is what happens to each of the 1,000,000 pairs. The dot product holds one score. The additive
# score holds 64 sums, and takes the `tanh` of each.
#
# Now a rough measurement: one call with 500 words. The processor time is added over all cores.

# %%
# The output depends on the processor.
words = torch.randn(1, 500, 64)
for layer in (DotProductAttention(0.0), AdditiveAttention(64, 64, 64, 0.0)):
    began = time.process_time()
    layer.score(words, words)
    print(f"{type(layer).__name__:<20} {1000 * (time.process_time() - began):6.1f} milliseconds")

# %% [markdown]
# All dot products together are *one* matrix product, for which there is very fast code. The
# [first paper on transformers](https://arxiv.org/abs/1706.03762) chose the dot product for its speed and its use of
# memory, and nearly all transformers have it. Additive scores are used in
# [pointer networks](https://arxiv.org/abs/1506.03134), which choose a place in their input, and in
# [GATv2](https://arxiv.org/abs/2105.14491), a network for graphs, with another activation function in place of `tanh`.

# %% [markdown]
# ## 6. Back to the shop
#
# Can training find the right price? You train three models: dot-product attention by itself, additive attention with
# `num_hiddens = 16`, and dot-product attention with a learned matrix $W$ for the query: $(W q) \cdot k / \sqrt{d}$.
#
# In each of 300 training steps a model answers in 64 shops with new prices, where the translation of the word asked for
# is always on the shelf. The word vectors stay as they are. The optimizer Adam (step size 0.02 for every model) then
# changes its parameters a little, to make the squared error (answer − right price)² smaller.

# %%
class MappedDotProduct(DotProductAttention):
    def __init__(self, width: int) -> None:
        super().__init__(dropout=0.0)
        self.map = nn.Linear(width, width, bias=False)

    def forward(self, queries: Tensor, *others: Tensor) -> Tensor:
        return super().forward(self.map(queries), *others)


# %% [markdown] prompt="guess_learners"
# ### Predict: which errors will fall?
#
# ★☆☆ · 3 minutes
#
# Write `True` for each model that can learn to find the right price, and `False` for one that cannot.

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
# Training changes only parameters. Which model has none? In the others, can the weights depend on the query?
# </details>

# %%
trained = french_shop.train_three(DotProductAttention, AdditiveAttention, MappedDotProduct)
french_shop.show_learning(trained)

# %% [markdown]
# Each point is the mean of the last ten steps. The level line is the error if all real keys get equal weight. The dot
# product by itself stays near it: it has no parameters, so its error changes only with the shops. The other two errors
# fall nearly to 0. Ask for *bread* once more:

# %%
french_shop.ask_for_bread(trained)

# %% [markdown]
# Both models that can learn have found *pain*. The third model's score is learned too, and after $W q$ it is still one
# matrix product. One small task does not show which score is better in general.

# %% [markdown]
# ## 7. A dictionary that nobody wrote
#
# Do the models know more words than *bread*? Now all ten French words are on one shelf. Each row is an English word, a
# query, and each column a French word, a key. White is a weight of 0, the darkest purple a weight of 1. A word and its
# translation meet on the diagonal. Move the slider to 0, and back:

# %%
french_shop.show_dictionaries(trained)

# %% [markdown]
# At step 0 the diagonal does not stand out. At step 300 each word gives most of its weight to its translation, in both
# models.
#
# **Your additive attention has learned ten French words from prices alone.** The translation is always on the shelf,
# and prices change from shop to shop. Only the price of the translation is right in every shop, so weight on it makes
# the error smaller. (The model knows these ten words only.)

# %% [markdown] written="explain_additive" points=4
# ### Explain: `explain_additive`
#
# ★★☆ · 8 minutes
#
# A colleague says: "Additive attention has parameters and the dot product has none, so additive attention is simply
# better." What is gained by a learned score? What does it cost? How does dot-product attention get something to learn?
# Answer in a few sentences. Each of the three answers counts one point, and a result of this notebook that supports
# them is the fourth. (4 points)
#
# ### BEGIN SOLUTION
# **Model answer.** A learned score matches queries and keys that do not resemble each other: in the shop the error of
# the bare dot product stayed around 0.7, additive attention found the translations. It costs parameters (2·d·h + h),
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
# translates q, and 0 for every other pair. Here the vectors of the English words are **linearly independent**, and so
# are those of the French ones. This means that none of them is a weighted sum of the others.

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
# The shop has ten words of width 8, so the keys are **linearly dependent**: at least one is a weighted sum of the
# others. Its score is then the same weighted sum of their scores. Let the query be the English word for this key: the
# scores of the other keys must be 0, so its score is 0 too, and not 10. No matrix gives exactly 10 and 0. Training
# could still find a matrix, because there the right score need only lie well above the others.

# %% [markdown]
# ## What you can now do
#
# - give padding a weight of exactly 0, without NaN
# - write attention as a module, with an additive score or a dot-product score
# - say why transformers use the dot product, and which learned matrices they put in front of it
#
# **Next:** several attentions side by side, in
# [06, who may look, and with how many eyes](../06_masks_and_heads/masks_and_heads.ipynb).

# %% [markdown]
# ---
# *Credits.* Additive attention: [Bahdanau, Cho and Bengio, 2014](https://arxiv.org/abs/1409.0473). Pointer networks:
# Vinyals, Fortunato and Jaitly, 2015. GATv2: Brody, Alon and Yahav, 2021. Dot-product scores in translation:
# [Luong, Pham and Manning, 2015](https://arxiv.org/abs/1508.04025). The scale √d, and learned maps in front: Vaswani
# and others, 2017.
