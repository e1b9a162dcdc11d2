# %% [markdown]
# # Who may look, and with how many eyes
#
# In *we ate bread and cheese*, the words before *cheese* are *bread and*. After *and bread* the next word would
# probably be a different one. So a model that writes has two questions: which word is one step back, and which is two?
# Attention, as you know it, gives a word only *one* weighted mean:
#
# $$ \text{attention}(Q, K, V) = \text{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V $$
#
# With the weights ½ and ½, *bread and* has the same mean as *and bread*, so the order is lost. With the whole weight on
# one word, the other word is lost. Section 5 tries other weights. **How can one word get two answers?**
#
# In this lesson you split attention into several heads. Each head has its own scores and its own softmax. Heads are the
# eyes of the title. You build one module of heads and masks, `MultiHeadAttention`. At the end you train it to answer
# both questions, once with one head and once with two.
#
# The lesson takes about 130 minutes, and 50 more for the puzzles, which are optional. You need a little PyTorch, and
# lessons 02, 03 and 05. The attention of lesson 02 is imported.

# %% setup="imports"
import math

import numpy as np
import torch
from torch import nn

from autograder import check, cold_questions
from attention import attention, mask_pictures, run_writer, two_back

check.lesson("06_masks_and_heads")

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# ## 1. Two questions, two heads
#
# For the word *cheese* the answers are *and* and *bread*. In our example each word has two **features**, numbers that
# describe it: here one for each question. We set the keys by hand, for this one query: (1, 0) for *and*, (0, 1) for
# *bread*, and (0, 0) for all other words. The query of *cheese* is (1, 1), times a factor that makes the scores larger.
#
# One head uses both features, so its scores are divided by √2. With two heads, each uses one feature, so the divisor is
# √1. Change the factor with the slider. How large can the weight of an answer become?

# %%
mask_pictures.show_questions(attention)

# %% [markdown]
# With one head both answers share one softmax. Here their scores are equal, so neither gets more than one half. With
# other scores they would still share the weight 1. With two heads each answer has its own softmax. In this example both
# weights come near 1, so each head gives its answer nearly unmixed.
#
# ### Split the features
#
# A word has d_model features, one in each column. Each head gets d_k = d_model / num_heads neighbouring columns: head 0
# the first ones, head 1 the next. This is the d_k of the formula, the width of the head's queries and keys. (Two
# docstrings below call it `d_head`.) The table X has three words with four features:
#
# | | column 0 | column 1 | column 2 | column 3 |
# | --- | --- | --- | --- | --- |
# | word 0 | 0 | 1 | 2 | 3 |
# | word 1 | 4 | 5 | 6 | 7 |
# | word 2 | 8 | 9 | 10 | 11 |
#
# We want the shape (2 heads, 3 words, 2 features). `X.view(2, 3, 2)` has this shape, but it keeps the numbers in
# reading order, row after row.

# %% [markdown] prompt="predict_head_zero"
# ### Predict: where do the features go?
# ★☆☆ · 4 minutes
#
# Set `head_0` to the three rows that head 0 should get, and `head_0_by_view` to the three rows of
# `X.view(2, 3, 2)[0]`.

# %% solution="predict_head_zero"
### BEGIN SOLUTION
head_0 = [[0, 1], [4, 5], [8, 9]]
head_0_by_view = [[0, 1], [2, 3], [4, 5]]
### END SOLUTION

# %% test="predict_head_zero"
check("predict_head_zero")

# %% [markdown] hint="predict_head_zero"
# <details><summary>Hint</summary>
#
# For `head_0`, cover the right half of the table. The view takes the first six numbers in reading order.
# </details>

# %% [markdown] prompt="split_heads"
# ### `split_heads`
# ★★☆ · 10 minutes
#
# The view gave head 0 nothing of word 2. Give each head its columns of every word, in two steps:
#
# 1. Split each row into its parts: `(batch, n, num_heads, d_k)`. A view can do this, as it keeps the reading order.
# 2. Exchange the axes of the words and the heads: `(batch, num_heads, n, d_k)`.

# %% solution="split_heads"
def split_heads(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    """Return (batch, num_heads, n, d_head) for X (batch, n, d_model), each head with its own columns."""
    ### BEGIN SOLUTION
    batch, n, d_model = X.shape
    return X.view(batch, n, num_heads, d_model // num_heads).transpose(1, 2)
    ### END SOLUTION

# %% test="split_heads"
check(split_heads)

# %% [markdown] hint="split_heads"
# <details><summary>Hint</summary>
#
# `X.shape` has three of the numbers that you need. `transpose` exchanges two axes, which are counted from 0.
# </details>

# %% [markdown] prompt="merge_heads"
# ### `merge_heads`
# ★☆☆ · 5 minutes
#
# Now the way back. From `(batch, num_heads, n, d_k)` make `(batch, n, d_model)`, with the parts of each word side by
# side.

# %% solution="merge_heads"
def merge_heads(X: torch.Tensor) -> torch.Tensor:
    """Return (batch, n, num_heads * d_head) for X (batch, num_heads, n, d_head), the inverse of `split_heads`."""
    ### BEGIN SOLUTION
    return X.transpose(1, 2).flatten(start_dim=2)
    ### END SOLUTION

# %% test="merge_heads"
check(merge_heads)

# %% [markdown] hint="merge_heads"
# <details data-part="(batch, n, d_model)"><summary>Hint 1: "view size is not compatible"</summary>
#
# After a transpose the numbers are no longer in reading order in memory. `reshape` and `flatten` copy them if
# necessary.
# </details>
# <details data-part="(batch, n, d_model); three words; a word's parts"><summary>Hint 2: backwards</summary>
#
# Undo the steps of `split_heads` in the opposite order.
# </details>

# %% [markdown]
# ## 2. Where a query may look: masks
#
# A model that learns to write has to guess the next word, so it may not look at later words. You write two masks, one
# against later words and one against padding. As in lesson 03, True means that the query may look at the key.
#
# First recall what hiding a key does. In lesson 02 the query (1, 0) met the keys (1, 0), (0, 1) and (1, 0). The scores,
# divided by √d_k = √2, are 0.707, 0 and 0.707.

# %% [markdown] prompt="guess_covered_key"
# ### Predict: the weights, and the hidden key
# ★☆☆ · 3 minutes
#
# Set `real_weights` to the three weights when no key is hidden, to two digits. For which hidden key would the weights
# be [0.5, 0, 0.5]? Set `covered_key` to the position of this hidden key, counted from 0.

# %% solution="guess_covered_key"
### BEGIN SOLUTION
real_weights = [0.40, 0.20, 0.40]
covered_key = 1
### END SOLUTION

# %% test="guess_covered_key"
check("guess_covered_key")

# %% [markdown] hint="guess_covered_key"
# <details><summary>Hint</summary>
#
# exp(0) is 1, not 0, and exp(0.707) is about 2.03. A hidden key is not part of the denominator.
# </details>

# %% [markdown]
# A hidden key has the weight 0, and the other keys share the whole weight.
#
# Your first mask is the **causal mask**, which hides all later words from each word.

# %% [markdown] prompt="create_causal_mask"
# ### `create_causal_mask`
# ★☆☆ · 5 minutes
#
# Return a boolean tensor of shape `(n, n)`, with a row for each query and a column for each key. It is True where the
# key does not come after the query.

# %% solution="create_causal_mask"
def create_causal_mask(n: int) -> torch.Tensor:
    """Return (n, n) booleans: True where query i may look at key j, that is where j <= i."""
    ### BEGIN SOLUTION
    return torch.ones(n, n, dtype=torch.bool).tril()
    ### END SOLUTION

# %% test="create_causal_mask"
check(create_causal_mask)

# %% [markdown] hint="create_causal_mask"
# <details data-part="every word; no word"><summary>Hint 1: a row at a time</summary>
#
# Row 0 has one True, row 1 has two, and the last row has n. Which triangle is that?
# </details>
# <details data-part="a tensor, n × n"><summary>Hint 2: how</summary>
#
# Start from ones. Which torch function keeps the *l*ower *tri*angle? Without `dtype=torch.bool` the ones are floats.
# </details>

# %% [markdown]
# Your second mask hides padding. A model reads words as numbers, their **token ids**. Shorter sentences of a batch are
# filled up with a **pad token**, here 0. So the token ids show where the padding is:
#
# ```
# seq = [[1, 2, 3, 0, 0],
#        [4, 5, 0, 0, 0]]
# ```

# %% [markdown] prompt="create_padding_mask"
# ### `create_padding_mask`
# ★☆☆ · 5 minutes
#
# Return True for each key that is a word, and False for each pad token. The shape is `(batch, 1, n)`: one row for each
# sequence, used by all its queries.

# %% solution="create_padding_mask"
def create_padding_mask(
    seq: torch.Tensor | np.ndarray | list[list[int]], pad_token: int = 0
) -> torch.Tensor:
    """Return (batch, 1, n) booleans for token ids (batch, n): True where the key is not `pad_token`."""
    ### BEGIN SOLUTION
    return (torch.as_tensor(seq) != pad_token).unsqueeze(1)
    ### END SOLUTION

# %% test="create_padding_mask"
check(create_padding_mask)

# %% [markdown] hint="create_padding_mask"
# <details data-part="arrays will; nested lists"><summary>Hint 1: lists and arrays</summary>
#
# `torch.as_tensor` takes a tensor, an array or a nested list.
# </details>
# <details data-part="(batch, 1, n)"><summary>Hint 2: the axis for the queries</summary>
#
# The comparison gives `(batch, n)`. The scores are `(batch, n_q, n_k)`. Where does the new axis go?
# </details>

# %% [markdown]
# The causal mask already hides padding at the end from every real word. But padding can also stand in front, for
# example when several sentences are continued at once. Then you need both masks, and a query may look at a key if both
# allow it. Take the made-up sequence `[5, 8, 0, 2, 0]`, where 0 is the pad token.

# %% [markdown] prompt="predict_who_sees_whom"
# ### `predict_who_sees_whom`
# ★☆☆ · 4 minutes
#
# Which positions, counted from 0, may query 2 look at with a causal mask, with a padding mask, and with both? You get
# one point if all three are right.

# %% solution="predict_who_sees_whom"
### BEGIN SOLUTION
sees_causal = [0, 1, 2]
sees_padding = [0, 1, 3]
sees_both = [0, 1]
### END SOLUTION

# %% test="predict_who_sees_whom"
check("predict_who_sees_whom")

# %% [markdown] hint="predict_who_sees_whom"
# <details><summary>Hint</summary>
#
# The causal mask does not depend on the tokens. The padding mask does not depend on the query.
# </details>

# %%
tokens = [5, 8, 0, 2, 0]
causal, padding = create_causal_mask(5), torch.as_tensor(create_padding_mask([tokens])[0]).expand(5, 5)
mask_pictures.show_masks({"causal": causal, "padding": padding, "both": causal & padding}, tokens, framed=2)

# %% [markdown]
# ## 3. From a mask to weights
#
# As in lessons 03 and 05, a hidden key gets the score −∞ *before* the softmax, so its weight is 0. There are two ways:
# replace its score, or add −∞ to it. An **additive mask** is added to the scores, so it is 0 where a query may look,
# and −∞ where it may not. Adding can also lower a score without hiding the key (puzzle `distance_bias`). Our module
# will replace the score, for a reason shown below.
#
# Here is the additive causal mask for four words:
#
# ```
# [[  0. -inf -inf -inf]
#  [  0.   0. -inf -inf]
#  [  0.   0.   0. -inf]
#  [  0.   0.   0.   0.]]
# ```

# %% [markdown] prompt="additive_mask"
# ### `additive_mask`
# ★☆☆ · 3 minutes
#
# Turn a boolean mask of any shape into an additive mask: 0 where it is True, −inf where it is False.
# `torch.where(mask, x, y)` gives `x` where the mask is True, and `y` elsewhere.

# %% solution="additive_mask"
def additive_mask(mask: torch.Tensor) -> torch.Tensor:
    """Return floats of the mask's shape: 0 where the mask is True, -inf where it is False."""
    ### BEGIN SOLUTION
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    ### END SOLUTION

# %% test="additive_mask"
check(additive_mask)

# %% [markdown] hint="additive_mask"
# <details><summary>Hint: choose, do not multiply</summary>
#
# 0 · ∞ is not a number. Choose between `0.0` and `-torch.inf`.
# </details>

# %% [markdown]
# PyTorch's own attention takes either kind of mask, and gives the same output:

# %%
Q, K, V = torch.randn(3, 4, 8)  # four words, eight features
masks = create_causal_mask(4), torch.as_tensor(additive_mask(create_causal_mask(4)), dtype=Q.dtype)
hidden, added = (nn.functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask) for mask in masks)
print("same output:", torch.allclose(hidden, added))

# %% [markdown]
# One case is left: a query that may look nowhere, such as a pad token in front under both masks. All its scores are −∞,
# so its weights would be NaN. `masked_weights` sets them to 0, as your `masked_softmax` of lesson 05 did. The softmax
# still sends back NaN as gradients. The scores get this NaN if −∞ was added to them, and 0 if they were replaced:

# %% setup="masked_weights"
def masked_weights(scores: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
    """Return weights for scores (..., n_q, n_k); mask: booleans that broadcast to the shape of the scores."""
    if mask is None:
        return scores.softmax(dim=-1)
    weights = scores.masked_fill(~mask, -math.inf).softmax(dim=-1)
    return weights.masked_fill(~mask, 0.0)

# %%
scores, mask = torch.zeros(2, requires_grad=True), torch.tensor([False, False])  # one query, two hidden keys
added = (scores - math.inf).softmax(dim=-1).masked_fill(~mask, 0.0)
for name, weights in {"replaced": masked_weights(scores, mask), "−∞ added": added}.items():
    print(f"{name}: weights {weights.tolist()}, gradients {torch.autograd.grad(weights.sum(), scores)[0].tolist()}")

# %% [markdown]
# ## 4. Multi-head attention
#
# In section 1 we chose the features of each head. A real model learns them: three learned matrices, `W_q`, `W_k` and
# `W_v`, make Q, K and V for all heads at once. **Multi-head attention** means several heads side by side, each with its
# own Q, K and V. The columns of Q for head 0 come from its own part of `W_q`. So each head has its own learned
# *projection*, which means a product with a matrix. The heads' outputs stand in separate columns. A fourth learned
# matrix, `W_o`, mixes them, so that each number of the result can use all heads. There are seven steps:
#
# | step | what happens | shape of the result |
# | --- | --- | --- |
# | 1 | apply `W_q` to the queries, `W_k` to the keys, `W_v` to the values | `(batch, n_q or n_k, d_model)` |
# | 2 | `split_heads`, for each of the three: Q, K, V | `(batch, num_heads, n_q or n_k, d_k)` |
# | 3 | scores Q Kᵀ / √d_k | `(batch, num_heads, n_q, n_k)` |
# | 4 | `masked_weights` of the scores and the mask | `(batch, num_heads, n_q, n_k)` |
# | 5 | weights times V | `(batch, num_heads, n_q, d_k)` |
# | 6 | `merge_heads` | `(batch, n_q, d_model)` |
# | 7 | apply `W_o` | `(batch, n_q, d_model)` |
#
# The same steps for two heads:

# %%
mask_pictures.show_way()

# %% [markdown]
# Why are there three inputs? In self-attention (lesson 02) all three are the same sequence. In cross-attention the
# queries come from another sequence than the keys and values, so n_q and n_k can differ. For example, the words of a
# translation look at the words of the source. The source is complete, so only its padding is hidden.
#
# Be careful with a mask of three axes, such as your padding mask. Broadcasting compares shapes from the right:
#
# ```
# scores   (batch, num_heads, n_q, n_k)
# mask            (batch,     1,   n_k)
# ```
#
# So the mask's sentences are matched with the heads. With two sentences and two heads this raises no error: in both
# sentences head 0 uses the mask of sentence 0, and head 1 that of sentence 1. `mask.unsqueeze(1)` adds the missing
# axis: `(batch, 1, 1, n_k)`. Then each sentence uses its own mask in all heads.

# %% [markdown] prompt="MultiHeadAttention"
# ### `MultiHeadAttention`
# ★★★ · 28 minutes
#
# Write the seven steps as a module with these attributes:
#
# | attribute | meaning |
# | --- | --- |
# | `W_q`, `W_k`, `W_v`, `W_o` | the matrices, each an `nn.Linear(d_model, d_model, bias=False)` |
# | `d_k` | the width of a head |
# | `attention_weights` | the weights of the last call (step 4) |
#
# - If `num_heads` does not divide `d_model`, raise a `ValueError`. (It is checked, but carries no point.)
# - A mask with two or three axes is used for all heads alike.
# - A query with nothing to look at gets zero weights, as `masked_weights` gives them.
#
# If `split_heads` or `merge_heads` is wrong, you lose no further points here.

# %% solution="MultiHeadAttention"
class MultiHeadAttention(nn.Module):
    """Multi-head attention: `num_heads` heads of width `d_k`, with four learned matrices."""

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
        """Return (batch, n_q, d_model) for queries (batch, n_q, d_model), keys and values (batch, n_k, d_model).

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
# <details data-part="parameters; d_k; self-; cross-"><summary>Hint 1: line by line</summary>
#
# In `__init__`, check the division, keep `num_heads` and `d_k`, and make the four `nn.Linear`. In `forward`, each
# step of the table is about one line. Print the shapes.
# </details>
# <details data-part="d_k is; self-attention"><summary>Hint 2: the scores</summary>
#
# The last two axes of K must be exchanged: `K.transpose(-2, -1)`. The keys of one head have the width `d_k`.
# </details>
# <details data-part="a 2-D or 4-D; a 3-D mask"><summary>Hint 3: masks and heads</summary>
#
# A mask `(batch, n_q, n_k)` must become `(batch, 1, n_q, n_k)`. A mask `(n_q, n_k)` fits as it is. `mask.dim()` counts
# the axes.
# </details>

# %% [markdown]
# ## 5. One head against two
#
# Now you train your module. From the third word of a sentence on, it has to report the word one step back and the word
# two steps back. The loss is the mean squared difference between its output and the right vectors.
#
# - **Input.** Each word is a row of 16 numbers. The first 8 are its vector, which was drawn at random. The last 8 say
#   its position: they are zeros with a single 1.
# - **Output.** The first 8 of its 16 numbers should be the vector of the word one step back, the last 8 that of the
#   word two steps back.
# - **Count.** A case is one word with two words before it. The 900 cases are from sentences that were not in the
#   training. For each half of the output we look for the nearest of 786 word vectors. Both words must be right.
#
# How many per cent of the cases will be right with one head? Make a guess, then run the cell.

# %%
causal = create_causal_mask(8)
one, two = (two_back.train(MultiHeadAttention(16, heads), causal) for heads in (1, 2))
two_back.compare({"one head": one, "two heads": two}, causal)

# %% [markdown]
# Both modules have 1,024 learned numbers, because the four matrices keep their size.
#
# With one head, fewer than 20 % of the cases are right. In the left picture two steps share the weight. The output is a
# linear map (`W_v`, then `W_o`) of one weighted mean of the rows. Whatever the weights are, only 8 numbers of this mean
# come from the words (the other 8 say where the head looked), but two word vectors have 16. So the output cannot always
# be both vectors exactly. The nearest word is then often a wrong one. In the table ✓ marks the right ones.
#
# With two heads, all 900 cases are right. In the pictures one head looks mostly one step back, and the other mostly
# two. Each head has the width 8, which is enough for one vector: we chose the task so. Nobody told a head which
# question to take. **Your module has learned to ask two questions at once.**

# %% [markdown] written="explain_self_and_cross" points=4
# ### In your own words
# ★★☆ · 10 minutes
#
# Answer three questions, with two to four sentences for each. (4 points: 1, 2 and 1)
#
# 1. Why are the scores divided by √d_k (lesson 02)? Which number is d_k when there are several heads?
# 2. What is the difference between self-attention and cross-attention? Where do queries, keys and values come from,
#    what is the shape of the weights, and which masks make sense?
# 3. What does each head learn? Do we decide this, or the training? What does the model gain over one head of full
#    width?
#
# ### BEGIN SOLUTION
# Model answer and rubric, 4 points:
#
# - 1 point, scale: the scores' spread grows with d_k and, undivided, pushes the softmax into a corner where its
#   gradient is nearly 0; d_k is the width of one head.
# - 1 point, sources: self, all three from one sequence; cross, queries from one, keys **and** values from another.
# - 1 point, shape and masks: n × n, causal where the model writes; n_q × n_k, where the mask hides the padding of
#   what is looked at.
# - 1 point, heads: own projections, several patterns at once instead of one average; learned, not assigned.
# ### END SOLUTION

# %% [markdown]
# ## Go further
#
# ### Experiment: heads of a trained model
#
# Where do trained heads look? The *writer* of lesson 03 has two layers with four heads each. `run_writer` copies the
# writer's matrices into modules of your class. Here are the heads of layer 0, and a count on a hundred other sentences:
# how many per cent of the words give their largest weight to the word one, two or three steps back? Only words with
# three or more before them count.

# %%
words = [".", "we", "ate", "bread", "and", "cheese", "in", "the", "garden"]  # "." ends the sentence before
layers = run_writer(MultiHeadAttention, words, create_causal_mask(len(words)))
mask_pictures.show_heads({"layer 0": layers["layer 0"]}, words)
two_back.count_steps_back(MultiHeadAttention, create_causal_mask)

# %% [markdown]
# Heads 0 and 1 look mostly one step back, in 91 and 68 of 100 cases. Head 2 looks farther back: two steps in 43 cases,
# three in 28. Head 3 has no clear step. A random choice would hit each of these steps in 17 cases.

# %% [markdown] prompt="copy_before"
# ### Puzzle: `copy_before`
# ★★☆ · 20 minutes
#
# In section 5 a head learned to look one step back. Make such a head by hand: choose its matrices. As there, the first
# `d` numbers of a row of X are the vector of the word, and the last `n` say its position.
#
# The mask is causal, the queries are `X @ W_q` (`nn.Linear` stores the transpose of such a matrix), and the scores are
# divided by the root of the number of columns of `W_q`. A weight of 0.99 or more on the word before is enough. Word 0
# gets itself.

# %% solution="copy_before"
def copy_before(d: int, n: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Return W_q and W_k (d + n, any width) and W_v (d + n, d): word i gets word i - 1, and word 0 itself."""
    ### BEGIN SOLUTION
    shout = 20 * math.sqrt(n)
    W_q = torch.cat([torch.zeros(d, n), shout * torch.eye(n).roll(-1, dims=1)])
    W_k = torch.cat([torch.zeros(d, n), torch.eye(n)])
    W_v = torch.cat([torch.eye(d), torch.zeros(n, d)])
    return W_q, W_k, W_v
    ### END SOLUTION

# %% test="copy_before"
check(copy_before)

# %% [markdown] hint="copy_before"
# <details data-part="every word; with a weight"><summary>Hint 1: queries and keys</summary>
#
# The words do not matter for the scores, so the first `d` rows of `W_q` and `W_k` are zeros. With an identity matrix
# below them, the key of position i has its 1 in column i. In which column does the query of position i need a number,
# and how large must it be?
# </details>
# <details data-part="what is handed"><summary>Hint 2: the value</summary>
#
# The value is the word, and nothing of its position.
# </details>

# %%
mask_pictures.show_copying(copy_before, attention, words)

# %% [markdown] prompt="sliding_window_mask"
# ### Puzzle: `sliding_window_mask`
# ★☆☆ · 5 minutes
#
# In some models each word looks only at itself and at the `width − 1` words before it. This is called a *sliding
# window*. Write its mask, `(n, n)`, as one boolean expression without `tril` and `triu`.

# %% solution="sliding_window_mask"
def sliding_window_mask(n: int, width: int) -> torch.Tensor:
    """Return (n, n) booleans: True where key j is query i itself or one of the width - 1 words before it."""
    ### BEGIN SOLUTION
    positions = torch.arange(n)
    back = positions[:, None] - positions
    return (back >= 0) & (back < width)
    ### END SOLUTION

# %% test="sliding_window_mask"
check(sliding_window_mask)

# %% [markdown] hint="sliding_window_mask"
# <details><summary>Hint</summary>
#
# `i[:, None] - i` is a table of how far back each key is. Between which two numbers must it be?
# </details>

# %% [markdown] prompt="scores_of_heads"
# ### Puzzle: `scores_of_heads`
# ★★☆ · 15 minutes
#
# Compute the scaled scores of all heads, `(batch, num_heads, n, n)`, with one `torch.einsum`, without a reshape or a
# transpose.

# %% solution="scores_of_heads"
def scores_of_heads(X: torch.Tensor, W_q: torch.Tensor, W_k: torch.Tensor) -> torch.Tensor:
    """Return (batch, num_heads, n, n) for X (batch, n, d_model), W_q and W_k (num_heads, d_model, d_k)."""
    ### BEGIN SOLUTION
    return torch.einsum("bnd,hdk,bme,hek->bhnm", X, W_q, X, W_k) / W_q.shape[-1] ** 0.5
    ### END SOLUTION

# %% test="scores_of_heads"
check(scores_of_heads)

# %% [markdown] hint="scores_of_heads"
# <details><summary>Hint</summary>
#
# There are four tensors, X twice. Name each axis by a letter. A letter that is missing behind the arrow is summed over.
# </details>

# %% [markdown] prompt="distance_bias"
# ### Puzzle: `distance_bias`
# ★★☆ · 10 minutes
#
# Instead of hiding distant words, a model can lower their scores. **ALiBi** ([attention with linear
# biases](https://arxiv.org/abs/2108.12409)) adds −m · |i − j| to the score of query i and key j. Each head has its own
# slope m, so some heads look near and others far: with H heads, head 0 has 2^(−8/H), the next one 2^(−16/H), … the last
# one 2^(−8). Return the numbers that are added, `(num_heads, n, n)`.

# %% solution="distance_bias"
def distance_bias(n: int, num_heads: int) -> torch.Tensor:
    """Return (num_heads, n, n) floats: minus the distance between query and key, times the head's slope."""
    ### BEGIN SOLUTION
    slopes = 2.0 ** (-8 * torch.arange(1, num_heads + 1) / num_heads)
    positions = torch.arange(n)
    return -slopes[:, None, None] * (positions[:, None] - positions).abs()
    ### END SOLUTION

# %% test="distance_bias"
check(distance_bias)

# %% [markdown] hint="distance_bias"
# <details><summary>Hint</summary>
#
# Multiply a table of distances `(n, n)` by a column of slopes `(num_heads, 1, 1)`.
# </details>

# %% [markdown]
# ## What you can now do
#
# - split vectors into heads and merge them;
# - write a causal mask and a padding mask;
# - build multi-head attention, and say why one head is not enough.
#
# **Next:** in [07, your attention writes](../07_tiny_transformer/tiny_transformer.ipynb), your module becomes part of a
# Transformer that learns to write. Save this notebook, because lesson 07 loads your `MultiHeadAttention` from it.

# %% [markdown]
# ---
# *Credits.* Attention for translation: Bahdanau and others, [2014](https://arxiv.org/abs/1409.0473). Multi-head
# attention and its causal mask: Vaswani and others, [*Attention is all you need*](https://arxiv.org/abs/1706.03762),
# 2017.
