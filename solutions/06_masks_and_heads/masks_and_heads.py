# %% [markdown]
# # Who may look, and with how many eyes
#
# A model writes *the animal did not cross the street because it …* To go on, *it* should find *animal*. It must not
# look at words not written yet, nor at the blanks that fill up a batch. And it has more than one question.
# **How does one formula do all that?**
#
# $$ \text{attention}(Q, K, V) = \text{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V $$
#
# You build two **masks**, cut attention into **heads**, and put both into a `MultiHeadAttention` that agrees
# with PyTorch's. In the end a trained model moves into it: which head finds the animal?
#
# It takes about 110 minutes, and 25 more for the puzzles. You need a little PyTorch, and lesson 02's attention, which
# is imported.

# %% setup="imports"
import math
from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from autograder import attention, check, cold_questions, load_writer, look_inside, looks, mask_pictures

check.lesson("06_masks_and_heads")

# %%
cold_questions()  # three on earlier lessons: a minute, never graded

# %% [markdown]
# ## 1. Cover one key
#
# How is a query kept from looking at a key? The query (1, 0) meets three keys, (1, 0), (0, 1) and (1, 0), with the
# values (10, 0), (0, 20) and (30, 0). Its scores, divided by √d_k = √2, are 0.707, 0, 0.707. The notes behind this
# course give the weights [0.5, 0, 0.5] and the output [20, 0], a slip. But with one key **covered**, out of sight,
# they would be right.

# %% [markdown] prompt="guess_covered_key"
# ### Predict: the weights, and the cover
# ★☆☆ · 3 minutes
#
# `real_weights`: the three weights without a cover, to two digits. `covered_key`: the position to cover, counted
# from 0, for the notes to be right.

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
# exp(0) is 1, not nothing; exp(0.707) is about 2.03. A covered key takes no part in the sum below the fraction.
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
# On paper softmax never gives 0: whoever scores lowest still gets a share. A **mask** takes keys out: it says for each
# query and key whether the one may look at the other. As in PyTorch's `scaled_dot_product_attention`,
# **True = may look**.

# %% [markdown]
# ## 2. Two masks
#
# A model that writes may look back, and at the word it is at, never ahead. While it learns, the whole sentence lies
# before it: unmasked, it would read off the word it is to guess. The mask against this is called **causal**.

# %% [markdown] prompt="create_causal_mask"
# ### `create_causal_mask`
# ★☆☆ · 5 minutes
#
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
# <details data-part="every word; no word"><summary>Hint 1: a row at a time</summary>
#
# Row 0 holds one True, row 1 two, the last row n. Which triangle is that?
# </details>
# <details data-part="a tensor, n × n"><summary>Hint 2: how</summary>
#
# Cut it out of ones: which torch function keeps the *l*ower *tri*angle? Without `dtype=torch.bool` they are floats.
# </details>

# %%
mask_pictures.show_masks({"causal mask": create_causal_mask(4)}, ["I", "love", "you", "."])

# %% [markdown]
# ### The same mask, spelt as numbers
#
# The notes print numbers, and never say which means "may look":
#
# ```
# [[  0. -inf -inf -inf]
#  [  0.   0. -inf -inf]
#  [  0.   0.   0. -inf]
#  [  0.   0.   0.   0.]]
# ```
#
# They are made to be **added** to the scores: score − ∞ is −∞, and exp(−∞) is exactly 0.

# %% [markdown] prompt="additive_mask"
# ### `additive_mask`
# ★☆☆ · 5 minutes
#
# Turn a boolean mask of any shape into the one to add: 0 where True, −inf where False.

# %% solution="additive_mask"
def additive_mask(mask: torch.Tensor) -> torch.Tensor:
    """Floats of the mask's shape: 0 where the mask is True, -inf where it is False."""
    ### BEGIN SOLUTION
    return torch.zeros(mask.shape).masked_fill(~mask, -torch.inf)
    ### END SOLUTION

# %% test="additive_mask"
check(additive_mask)

# %% [markdown] hint="additive_mask"
# <details><summary>Hint: choose, do not multiply</summary>
#
# 0 · ∞ is not a number. Start from zeros and fill, or choose by condition.
# </details>

# %%
print(additive_mask(create_causal_mask(4)).numpy())

# %% [markdown]
# One head of *the writer*, the course's trained model, word by word: its weights with your mask, outlined without.
# Which words would read ahead?

# %%
story = [".", "the", "animal", "did", "not", "cross", "the", "street", "because", "it", "was", "tired"]
Q, K, _ = (torch.tensor(part) for part in load_writer().head(story, layer=1, head=2))
story_mask, story_scores = create_causal_mask(len(story)), Q @ K.T / math.sqrt(Q.shape[-1])
unmasked = torch.softmax(story_scores, dim=-1)
story_weights = torch.softmax(story_scores + additive_mask(story_mask), dim=-1)
mask_pictures.show_writing(story_mask, story_weights, unmasked, story, stills=[5, 9])

# %% [markdown]
# What the mask takes from *cross*, the rest share: every row still sums to 1.
#
# ### Blanks that nobody should look at
#
# A model meets words as numbers, their *token ids*. To share a tensor, shorter sentences are filled up with a
# **pad token**, here 0:
#
# ```
# seq = [[1, 2, 3, 0, 0],
#        [4, 5, 0, 0, 0]]
# ```

# %% [markdown] prompt="create_padding_mask"
# ### `create_padding_mask`
# ★☆☆ · 5 minutes
#
# True for each key that is a word, False for each pad. Shape `(batch, 1, n)`: one row a sequence, for all its
# queries.

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
# <details data-part="arrays will; nested lists"><summary>Hint 1: lists and arrays</summary>
#
# `torch.as_tensor` takes a tensor, an array or a nested list.
# </details>
# <details data-part="(batch, 1, n)"><summary>Hint 2: the axis for the queries</summary>
#
# Comparing gives `(batch, n)`; scores are `(batch, n_q, n_k)`. Where does the new axis go?
# </details>

# %%
for sequence in [[1, 2, 3, 0, 0], [4, 5, 0, 0, 0]]:
    tokens = [str(token) for token in sequence]
    mask_pictures.show_masks({f"sequence {sequence}": create_padding_mask([sequence])[0]}, tokens, ["every query"])

# %% [markdown]
# ### Both at once
#
# A sequence is `[5, 8, 0, 2, 0]`, the pad token is 0. Take **query 2**, a pad.

# %% [markdown] prompt="predict_who_sees_whom"
# ### `predict_who_sees_whom`
# ★☆☆ · 4 minutes
#
# Which positions, counted from 0, may query 2 look at under a causal mask, under a padding mask, and under both?

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
# The causal mask does not know the tokens. The padding mask does not know the query. A key stays when both allow it.
# </details>

# %%
tokens = [5, 8, 0, 2, 0]
causal, padding = create_causal_mask(5), create_padding_mask([tokens])[0].expand(5, 5)
three = {"causal": causal, "padding": padding, "both": causal & padding}
mask_pictures.show_masks(three, [f"{position}: {token}" for position, token in enumerate(tokens)], framed=2)

# %% [markdown]
# <details><summary>What about pads as queries?</summary>
#
# They may look: nobody looks at what a pad collects, and no loss counts it.
# </details>
#
# ## 3. Find the slip: a hidden key
#
# Scores 1, 2, 0.5, values 10, 20, 5. Someone hides the last key like this:

# %%
def borrowed_weights(scores: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
    """Weights, with the hidden keys' weights set to 0. Something is wrong here."""
    return torch.softmax(scores, dim=-1) * mask


def report(weights: torch.Tensor) -> None:
    output = weights @ torch.tensor([[10.0], [20.0], [5.0]])
    print(f"weights {weights.numpy().round(3)}   sum {weights.sum():.2f}   output {output.item():.2f}")


scores, last_hidden = torch.tensor([[1.0, 2.0, 0.5]]), torch.tensor([[True, True, False]])
report(borrowed_weights(scores, last_hidden))

# %% [markdown]
# The values 10 and 20 are left, most weight lies on the 20, yet the output is below 15, their mean. Which printed
# number gives the slip away?
#
# <details><summary>Compare</summary>
#
# The sum. The hidden key took its share of 0.14 in the softmax, and then it was thrown away. What is hidden must not
# take part in the sharing: mask **before** the softmax.
# </details>
#
# And −inf has a trap. With pads on the left and a causal mask, a query has **nothing** to look at, and the softmax
# divides 0 by 0:

# %%
left_padded = create_causal_mask(4) & create_padding_mask([[0, 0, 7, 3]])
print(torch.softmax(torch.zeros(4, 4) + additive_mask(left_padded), dim=-1).numpy()[0])

# %% [markdown] prompt="masked_weights"
# ### Mend it: `masked_weights`
# ★★☆ · 10 minutes
#
# Softmax over the keys that each query may look at: hidden keys get 0, the others share all of it. A
# query with nothing to look at gets zeros, never NaN, and neither do gradients. Without a mask it is the plain softmax.

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
# <details data-part="a hidden key's; right however"><summary>Hint 1: the hidden key</summary>
#
# Hide the key while it is still a score: put −inf there, or the lowest number there is,
# `torch.finfo(scores.dtype).min`. Scores can be −3 000 000.
# </details>
# <details data-part="a query with nothing; its neighbours"><summary>Hint 2: the empty row</summary>
#
# With −inf, put 0 in place of the NaN; and fill it in (`masked_fill`): added, it leaves NaN in the gradients. With a
# finite number all keys tie: then multiply by the mask as well.
# </details>

# %%
report(masked_weights(scores, last_hidden))
print(masked_weights(torch.zeros(4, 4), left_padded).numpy()[0])


# %%
mask_pictures.show_hidden(borrowed_weights, masked_weights)

# %% [markdown]
# Masked late, the hidden key rules unseen: the louder it is, the less for others.

# %% [markdown]
# ## 4. One question, or four
#
# *Ming bought apples, then he went home.* No mask: it is all written. What does **he** want to know? Who he is; what
# he has; what he does; where it takes him. Four questions, but a softmax row is **one** average.
#
# A word has eight features, two for each question. *He* asks with a 1 in each pair, times a loudness; four words
# answer with a 1 in one pair. (Made up.) Then 1, 2 or 4 **heads** share the features: each compares its own part,
# and has its own softmax. Turn the loudness up.

# %%
sentence = ["Ming", "bought", "apples", "then", "he", "went", "home"]
offers = torch.zeros(7, 8)  # what each word, as a key, has to say
for word, feature in {"Ming": 0, "apples": 2, "went": 4, "home": 6}.items():
    offers[sentence.index(word), feature] = 1.0
asks = torch.tensor([[1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]])  # what "he", as a query, wants to know

mask_pictures.show_questions(attention, asks, offers, sentence)

# %% [markdown]
# However loud *he* asks, one head gives none of the four answers more than a quarter. Four heads keep them apart.
#
# ### Number the features
#
# A word is d_model numbers. Each head gets d_k = d_model / num_heads neighbouring columns (d_head in two shapes below):
# head 0 the first, head 1 the next. Three words' features, numbered:
#
# | | column 0 | column 1 | column 2 | column 3 |
# | --- | --- | --- | --- | --- |
# | word 0 | 0 | 1 | 2 | 3 |
# | word 1 | 4 | 5 | 6 | 7 |
# | word 2 | 8 | 9 | 10 | 11 |
#
# We want the shape (2 heads, 3 words, 2 features). `X.view(2, 3, 2)` has it too. But a view moves no number.

# %% [markdown] prompt="predict_head_zero"
# ### Predict: where do the features go?
# ★☆☆ · 4 minutes
#
# `head_0`, the three rows that head 0 should get, and `head_0_by_view`, the three rows of `X.view(2, 3, 2)[0]`.

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
# For `head_0`, cover the table's right half. The view takes the first six numbers in reading order.
# </details>

# %% [markdown] prompt="split_heads"
# ### `split_heads`
# ★★☆ · 10 minutes
#
# `(batch, n, d_model)` becomes `(batch, num_heads, n, d_head)`: head j gets the columns j · d_head … (j+1) · d_head − 1
# of every word.

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
# <details><summary>Hint: two steps</summary>
#
# Make two axes of the last one, `(batch, n, num_heads, d_head)`; for that a view is right. Then `transpose(1, 2)`
# brings the heads in front of the words.
# </details>

# %%
X = torch.arange(12.0).view(1, 3, 4)
blocks = {"X": X[0]}
blocks |= {f"split_heads: head {head}": rows for head, rows in enumerate(split_heads(X, 2)[0])}
blocks |= {f"view: head {head}": rows for head, rows in enumerate(X.view(2, 3, 2))}
mask_pictures.show_features(blocks)

# %% [markdown] prompt="merge_heads"
# ### `merge_heads`
# ★☆☆ · 5 minutes
#
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
# <details data-part="(batch, n, d_model)"><summary>Hint 1: "view size is not compatible"</summary>
#
# After a transpose the numbers no longer lie in reading order. `reshape` and `flatten` copy where they must.
# </details>
# <details data-part="(batch, n, d_model); three words; a word's parts"><summary>Hint 2: backwards</summary>
#
# Undo the steps of `split_heads` in the opposite order.
# </details>

# %% [markdown]
# ### Find the slip: a test that proves too little
#
# A colleague uses bare views, and has a test: split, merge, and X is back. We add one: shuffle the words; are the
# output's rows shuffled alike? Which test gives the slip away?

# %%
def cut(X: torch.Tensor, num_heads: int) -> torch.Tensor:
    return X.reshape(len(X), num_heads, X.shape[1], -1)


def glue(X: torch.Tensor) -> torch.Tensor:
    return X.reshape(len(X), X.shape[2], -1)


def look_around(X: torch.Tensor, split: Callable, merge: Callable) -> torch.Tensor:
    parts = split(X, 2)  # every word looks at every word, in two heads
    return merge(attention(parts, parts, parts)[0])


# %%
torch.manual_seed(0)
X, order = torch.randn(1, 3, 4), [2, 0, 1]
for name, split, merge in [("colleague", cut, glue), ("you", split_heads, merge_heads)]:
    round_trip = torch.equal(merge(split(X, 2)), X)
    plain, shuffled = look_around(X, split, merge), look_around(X[:, order], split, merge)
    follows = torch.allclose(shuffled, plain[:, order], atol=1e-6)
    print(f"{name:10} round trip {round_trip!s:6} shuffled words give shuffled rows {follows}")

# %% [markdown]
# <details><summary>Compare</summary>
#
# The shuffle. Attention without a mask does not know the order of words, so shuffled words must give shuffled rows.
# In the round trip the merge undoes what the split did, right or wrong.
# </details>
#
# ## 5. Everything together
#
# Cut as they are, heads would compare whatever columns are neighbours. So learned matrices come first: `W_q`, `W_k` and
# `W_v` decide what each head asks, what the words answer, and what they hand over. `W_o` comes last, to mix what the
# heads have found.

# %%
mask_pictures.show_way()

# %% [markdown] prompt="copy_before"
# ### Choose W so that it copies: `copy_before`
# ★★☆ · 8 minutes
#
# Trained models have heads that only fetch the word before. Can you make one by hand? A row of X is a word, `d`
# numbers, and its place, a 1 among `n` − 1 zeros. The mask is causal, queries are `X @ W_q`, scores are divided as
# usual. A weight of 0.99 will do.

# %% solution="copy_before"
def copy_before(d: int, n: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """W_q and W_k (d + n, any width) and W_v (d + n, d): word i fetches word i - 1, word 0 itself."""
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
# <details data-part="every word; with a weight"><summary>Hint 1: who is asked</summary>
#
# Words do not count: zeros in the first `d` rows of `W_q` and `W_k`. With an identity below, the key of place i has its
# 1 in column i. In which column does the query of place i need a number, and how large?
# </details>
# <details data-part="what is handed"><summary>Hint 2: what is handed over</summary>
#
# The word, and nothing of its place.
# </details>

# %%
mask_pictures.show_copying(copy_before, attention, story)

# %% [markdown]
# Nobody asked the right one to.
#
# **A mask meets heads.** Broadcasting lines shapes up from the **right**:
#
# ```
# scores   (batch, num_heads, n_q, n_k)
# mask            (batch,     1,   n_k)      your padding mask
# ```
#
# `batch` stands below `num_heads`: an error if you are lucky, a silent mix-up where both are 2, or 3, …

# %% [markdown] prompt="MultiHeadAttention"
# ### `MultiHeadAttention`
# ★★★ · 20 minutes
#
# The drawing as a module, out of your pieces:
#
# - `W_q`, `W_k`, `W_v`, `W_o` are `nn.Linear(d_model, d_model, bias=False)`, and `d_k` is a head's width; where
#   `num_heads` does not divide `d_model`, raise `ValueError`;
# - `attention_weights` keeps the last call's weights, `(batch, num_heads, n_q, n_k)`;
# - a mask with two or three axes means the same for every head; a query with nothing to look at gets zero weights.
#
# A mistake in one of the pieces is not counted again.

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
# <details data-part="four; d_k; self-; cross-"><summary>Hint 1: line by line</summary>
#
# `__init__`: check the division, keep `num_heads` and `d_k`, make four layers. `forward`: each arrow is about one
# line. Print its shape.
# </details>
# <details data-part="d_k is; self-attention"><summary>Hint 2: the scores</summary>
#
# K's last two axes must swap: `K.transpose(-2, -1)`. What is compared is `d_k` wide.
# </details>
# <details data-part="a mask"><summary>Hint 3: mask meets heads</summary>
#
# Give a mask with three axes one more, of length 1, where the heads are: `mask.unsqueeze(1)`.
# </details>

# %%
for num_heads in (1, 8):
    mha = MultiHeadAttention(128, num_heads)
    x = torch.zeros(2, 10, 128)
    total = sum(parameter.numel() for parameter in mha.parameters())
    print(f"{num_heads} head(s): d_k {mha.d_k:3}, output {tuple(mha(x, x, x).shape)}, {total} parameters")

# %% [markdown]
# More heads cost no more parameters: the same four matrices are read in narrower strips.
#
# ### Self and cross
#
# In **self-attention** queries, keys and values come from one sequence. In **cross-attention** one asks and another
# answers: a translation looks at its source, which is all there. Only its padding is hidden; the causal mask belongs
# to self-attention. (Random layers: read only the zeros.)

# %%
torch.manual_seed(1)
mha = MultiHeadAttention(d_model=8, num_heads=2)
source, target = ["I", "love", "you", "pad", "pad"], ["wǒ", "ài", "nǐ"]
X_source, X_target = torch.randn(1, 5, 8), torch.randn(1, 3, 8)

look_inside(mha, X_target, X_target, X_target, create_causal_mask(3), queries=target)
look_inside(mha, X_target, X_source, X_source, create_padding_mask([[11, 12, 13, 0, 0]]), target, source)

# %% [markdown]
# ### The judge you cannot argue with
#
# PyTorch has the same layer. Lend it your four matrices. Careful: `nn.MultiheadAttention` marks what is
# **forbidden**. Of any mask, ask first what True means.

# %%
torch.manual_seed(2)
mine = MultiHeadAttention(d_model=12, num_heads=3)
theirs = nn.MultiheadAttention(embed_dim=12, num_heads=3, bias=False, batch_first=True)
with torch.no_grad():
    theirs.in_proj_weight.copy_(torch.cat([mine.W_q.weight, mine.W_k.weight, mine.W_v.weight]))
    theirs.out_proj.weight.copy_(mine.W_o.weight)
X, source = torch.randn(2, 5, 12), torch.randn(2, 7, 12)

# %%
allowed = create_causal_mask(5) & create_padding_mask([[1, 2, 3, 0, 0], [4, 5, 0, 0, 0]])
forbidden = (~allowed).repeat_interleave(3, dim=0)  # theirs: one for each head of each sentence
runs = {
    "self, no mask": (X, X, X, None, None),
    "self, causal and padded": (X, X, X, allowed, forbidden),
    "cross": (X, source, source, None, None),
}
for name, (*inputs, mask, attn_mask) in runs.items():
    output = mine(*inputs, mask)
    wanted, weights = theirs(*inputs, attn_mask=attn_mask, average_attn_weights=False)
    same = [torch.allclose(*pair, atol=1e-5) for pair in ((output, wanted), (mine.attention_weights, weights))]
    print(f"{name:24} same output {same[0]}   same weights {same[1]}")

# %% [markdown]
# ### Inside a trained model
#
# The writer was trained on 20,000 sentences of ours. Its layers fit into your class. Which head looks at the word
# before? In which one does *it* find *animal*?

# %%
writer, beginning = load_writer(), ". the animal did not cross the street because it"
read, layers = beginning.split(), {}
for number, (layer, inputs) in enumerate(zip(writer.layers, writer.attention_inputs(read), strict=True)):
    trained, X = MultiHeadAttention(writer.d_model, writer.num_heads), torch.tensor(inputs).float()[None]
    with torch.no_grad():
        for name in ("W_q", "W_k", "W_v", "W_o"):
            getattr(trained, name).weight.copy_(torch.tensor(getattr(layer, name)).T)
        trained(X, X, X, create_causal_mask(len(read)))
    layers[f"layer {number}"] = trained.attention_weights[0]
mask_pictures.show_heads(layers, read)

# %% [markdown]
# <details><summary>Compare</summary>
#
# Layer 0, head 0, and layer 1, head 2, where *it* gives *animal* 0.89, *because* only 0.25. That head
# understands nothing: in *the shop bought apples then he*, *he* gives *shop* 0.93.
# </details>

# %%
looks.arrows(read, layers["layer 1"][2, -1].numpy(), read.index("it"), "Whom does it look at? (layer 1, head 2)")

# %% [markdown]
# This picture opened lesson 03; now your class draws it.
#
# **Now unaided.** Write `MultiHeadAttention` again in a new cell, and check it there. (Graded is the class above.)

# %% [markdown] written="explain_self_and_cross" points=4
# ### In your own words
# ★★☆ · 10 minutes
#
# The notes end with three questions. Two to four sentences for each.
#
# 1. Why are the scores divided by √d_k (lesson 02), and which d_k is that when there are heads?
# 2. What is the difference between self-attention and cross-attention: where do queries, keys and values
#    come from, what shape has the map, and which masks make sense?
# 3. What does each head learn? What decides it, and what does the model gain over one head of full width?
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
# No loops.

# %% [markdown] prompt="sliding_window_mask"
# ### Puzzle: `sliding_window_mask`
# ★☆☆ · 5 minutes
#
# A long text is cheaper when each word sees only itself and the `width − 1` words before it. One boolean expression,
# `(n, n)`, without `tril` and `triu`.

# %% solution="sliding_window_mask"
def sliding_window_mask(n: int, width: int) -> torch.Tensor:
    """(n, n) booleans: True where key j is query i itself or one of the width - 1 words before it."""
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
# `i[:, None] - i` is a table of how far back each key lies. Between which two numbers may that be?
# </details>

# %% [markdown] prompt="scores_of_heads"
# ### Puzzle: `scores_of_heads`
# ★★☆ · 10 minutes
#
# The scaled scores of all heads, `(batch, num_heads, n, n)`, in one `torch.einsum`: no loop, no reshape, no transpose.

# %% solution="scores_of_heads"
def scores_of_heads(X: torch.Tensor, W_q: torch.Tensor, W_k: torch.Tensor) -> torch.Tensor:
    """X (batch, n, d_model), W_q and W_k (num_heads, d_model, d_k) -> (batch, num_heads, n, n)."""
    ### BEGIN SOLUTION
    return torch.einsum("bnd,hdk,bme,hek->bhnm", X, W_q, X, W_k) / W_q.shape[-1] ** 0.5
    ### END SOLUTION

# %% test="scores_of_heads"
check(scores_of_heads)

# %% [markdown] hint="scores_of_heads"
# <details><summary>Hint</summary>
#
# Four tensors, X twice. Name each axis by a letter; letters missing behind the arrow are summed over.
# </details>

# %% [markdown] prompt="distance_bias"
# ### Puzzle: `distance_bias`
# ★★☆ · 10 minutes
#
# A mask can be soft. Add −m · |i − j| to the score of query i and key j, and near words win
# ([ALiBi](https://arxiv.org/abs/2108.12409)). Each head has its own slope m: of H heads, head 0 has
# 2^(−8/H), the next 2^(−16/H), … the last 2^(−8). Return what is added, `(num_heads, n, n)`.

# %% solution="distance_bias"
def distance_bias(n: int, num_heads: int) -> torch.Tensor:
    """(num_heads, n, n) floats: minus the distance between query and key, times the head's slope."""
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
# A table of distances `(n, n)` times a column of slopes `(num_heads, 1, 1)`.
# </details>

# %% [markdown]
# ## What you can now do
#
# - say who may look where, and mask **before** the softmax;
# - split vectors into heads and merge them, and test that with a shuffle;
# - build multi-head attention, and hold it against PyTorch's.
#
# **Next:** in [07, your attention writes](../07_tiny_transformer/tiny_transformer.ipynb), yours becomes a
# Transformer and learns to write. Save this notebook: lesson 07 fetches your `MultiHeadAttention`
# from it.

# %% [markdown]
# ---
# *Credits.* Examples and questions come from the seed notes. Attention for translation: Bahdanau
# and others, [2014](https://arxiv.org/abs/1409.0473). Multi-head attention and its causal mask: Vaswani and others,
# [*Attention is all you need*](https://arxiv.org/abs/1706.03762), 2017.
