# %% [markdown]
# # Who looks at whom
#
# Read *the cat sat on the mat*, then *dogs are playing in the park*. Which word of the second sentence
# would `cat` turn to, if words could look? And `sat`? Attention gives every word an answer in numbers, and
# this lesson draws them as one picture: a **heatmap**, with a row for each word that looks (a *query*) and a
# column for each word that is looked at (a *key*).
#
# You will write the whole chain yourself:
#
# | step | you write | what comes out |
# | --- | --- | --- |
# | a word becomes a vector | `word_embedding` | `(50,)` |
# | a sentence becomes a matrix | `sentence_matrix` | `(6, 50)` |
# | two matrices become attention | `scaled_dot_product_attention` | `(6, 50)` and `(6, 6)` |
# | attention becomes a picture | `plot_attention_weights` | a heatmap |
#
# On the way you will meet a few slips that look harmless and are not. It takes about 75 minutes. You can
# start here: nothing from the first two lessons is needed. Replace each `TODO` (or `...`), run the cell,
# then the `check(...)` below it.

# %% setup="imports"
import zlib

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
import torch
from gensim.models import KeyedVectors
from matplotlib.axes import Axes
from numpy import ndarray

from autograder import check, load_vectors
from autograder.student import figures

check.lesson("03_word2vec_heatmap")

# %% [markdown]
# ## 1. Words that keep the same company
#
# Word2vec reads a lot of text and gives each word a vector, such that words found among the same neighbours
# get similar vectors. Ours comes with the course: nearly a thousand everyday words, 50 numbers each,
# trained on simple English sentences. `vectors["cat"]` is the vector of `cat`.

# %%
vectors = load_vectors()

for word in ("cat", "sat", "park"):
    print(f"{word:>4}  ~  {', '.join(other for other, _ in vectors.most_similar(word, topn=4))}")

# %% [markdown]
# Nobody told the model what an animal is. `cat` and `dog` are neighbours because they turn up in
# the same places of the same sentences.
#
# But every vocabulary ends somewhere, and then `vectors["quokka"]` is a `KeyError`. Here is a quick way
# round it: if the word is unknown, take random numbers. **Before you run the cell, decide:** what will the
# cosine of `quokka` with itself be? (The cosine of two vectors is 1 when they point the same way and 0 when
# they are at right angles.)

# %%
noise = np.random.default_rng(3)


def hasty_embedding(word, vectors):
    try:
        return vectors[word]
    except KeyError:
        return noise.standard_normal(vectors.vector_size)


once = hasty_embedding("quokka", vectors)
again = hasty_embedding("quokka", vectors)

cosine = once @ again / np.linalg.norm(once) / np.linalg.norm(again)
print(f"cosine of quokka with itself     {cosine:5.2f}")
for size in (50, 300):
    print(f"length of {size:3} random numbers     {np.linalg.norm(noise.standard_normal(size)):5.1f}")
print(f"length of an ordinary word here  {np.median(np.linalg.norm(vectors.vectors, axis=1)):5.1f}")

cat = hasty_embedding("cat", vectors)
print(f"is this cat a copy?              {not np.shares_memory(cat, vectors.vectors)}")

# %% [markdown]
# **Find the slips.** `hasty_embedding` makes three. Each shows in the printout; name them before you look.
#
# <details><summary>The slips</summary>
#
# 1. **A new vector on every call.** The notes embed the second sentence twice: once to find its words (the
#    keys), once to mix them (the values). A new word is then two different things, and nothing you compute
#    can be repeated.
# 2. **A length that has nothing to do with the model.** $d$ standard normal numbers make a vector about
#    $\sqrt d$ long: 7 for 50 numbers, 17 for 300. Beside our vectors, about 6 long, the first passes by
#    luck. In a model whose vectors have length 1 or 2 it would drown out all others: any average that it
#    takes part in points its way.
# 3. **A view instead of a copy.** For a known word gensim hands out a row of its own matrix, marked as
#    read-only. Whoever lifts that mark and writes into the row changes the model for everybody.
#
# </details>

# %% [markdown] prompt="word_embedding"
# ### Exercise: `word_embedding`
#
# A known word gives a copy of its vector. An unknown word gives a stand-in that no other word has, that is
# always the same (also tomorrow, in a new kernel), and that is at most three times longer or shorter than
# the median vector of this model.

# %% solution="word_embedding"
def word_embedding(word: str, vectors: KeyedVectors) -> ndarray:
    """The vector of any word, known or not: (vectors.vector_size,)."""
    ### BEGIN SOLUTION
    if word in vectors:
        return vectors[word].copy()
    rng = np.random.default_rng(zlib.crc32(word.encode()))
    direction = rng.standard_normal(vectors.vector_size)
    ordinary_length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    return direction * ordinary_length / np.linalg.norm(direction)
    ### END SOLUTION

# %% test="word_embedding"
check(word_embedding)

# %% [markdown] hint="word_embedding"
# <details><summary>Hint 1: is it known?</summary>
#
# `word in vectors` says so. `vectors.vectors` is the whole matrix, one row per word.
#
# </details>
# <details><summary>Hint 2: random, and yet always the same</summary>
#
# A generator that starts from the same seed draws the same numbers. So the seed has to come from the word,
# and from nothing else. Python's own `hash` will not do: it differs from one process to the next. A
# checksum such as `zlib.crc32(word.encode())` depends on the letters alone, and on their order.
#
# </details>
# <details><summary>Hint 3: the right length</summary>
#
# Divide the random vector by its own length, and it has length 1. Then give it the length of an ordinary
# word of *this* model: the median of `np.linalg.norm(vectors.vectors, axis=1)`.
#
# </details>

# %% [markdown] prompt="sentence_matrix"
# ### Exercise: `sentence_matrix`
#
# Split a sentence on white space and put its words' vectors below each other, one row for each word.

# %% solution="sentence_matrix"
def sentence_matrix(sentence: str, vectors: KeyedVectors) -> ndarray:
    """One row per word, in order, unknown words and repeated ones included: (n_words, d)."""
    ### BEGIN SOLUTION
    return np.array([word_embedding(word, vectors) for word in sentence.split()])
    ### END SOLUTION

# %% test="sentence_matrix"
check(sentence_matrix)

# %% [markdown] hint="sentence_matrix"
# <details><summary>Hint 1: the words</summary>
#
# `sentence.split()` with nothing between the brackets splits at any amount of white space.
#
# </details>
# <details><summary>Hint 2: the rows</summary>
#
# You have a function that knows what to do with any word. Call it for each of them and hand the list to
# `np.array`.
#
# </details>

# %%
sentence_1 = "the cat sat on the mat"  # these words look: the queries Q
sentence_2 = "dogs are playing in the park"  # these are looked at: the keys K, and the values V of section 2
Q = sentence_matrix(sentence_1, vectors)
K = V = sentence_matrix(sentence_2, vectors)

figure, axes = plt.subplots(2, 1, figsize=(9, 4), sharex=True, layout="constrained")
for part, matrix, sentence, role in zip(
    axes, (Q, K), (sentence_1, sentence_2), ("queries", "keys"), strict=True
):
    picture = part.imshow(matrix, cmap="cividis", vmin=-3, vmax=3, aspect="auto")
    part.set_yticks(range(len(matrix)), sentence.split())
    part.set_ylabel(role)
axes[1].set_xlabel("the 50 numbers of each word")
figure.colorbar(picture, ax=axes, label="value")
figures.show(
    figure,
    alt="Two grids of coloured cells, one for each sentence: a row for each word, 50 columns for "
    "its numbers. The two rows of 'the' in the first sentence and the one in the second are equal.",
)

# %% [markdown]
# Six words each, so two matrices of shape `(6, 50)`. All three rows of `the` are equal: these vectors know
# which word it is, and nothing of where it stands.

# %% [markdown]
# ## 2. One look, by hand
#
# The words that look give the **queries** $Q$; the words that are looked at give the **keys** $K$, by which
# they are found, and the **values** $V$, which they hand over:
#
# $$\operatorname{attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# From the inside out:
#
# - The dot product of a query and a key is their **score**, large when both point the same way. Wider
#   vectors make scores that spread more, so we divide by $\sqrt{d_k}$, where $d_k$ is the width of a key.
# - **Softmax** turns one query's scores into its **weights**: the exponential of each score, divided by the
#   sum of them all. So the weights are positive and sum to 1.
# - The weights mix the values.
#
# With $n_q$ queries and $n_k$ keys, scores and weights have the shape $(n_q, n_k)$: a row for each query.
#
# Here is one query with three keys. The vectors have four numbers, made up for the purpose: how *furry*,
# *busy*, *lively* and *green* a word is. The values are made up too.
#
# | | furry | busy | lively | green | score with `cat` | divided by $\sqrt 4$ | exp | weight | value |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | query `cat` | 2 | 0 | 1 | 0 | | | | | |
# | key `dogs` | 2 | 1 | 0 | 0 | 2·2 + 0·1 + 1·0 + 0·0 = 4 | 2 | 7.39 | **.665** | (10, 0) |
# | key `playing` | 0 | 2 | 2 | 0 | 2·0 + 0·2 + 1·2 + 0·0 = 2 | 1 | 2.72 | **.245** | (0, 10) |
# | key `park` | 0 | 0 | 0 | 2 | 2·0 + 0·0 + 1·0 + 0·2 = 0 | 0 | 1.00 | **.090** | (5, 5) |
#
# The exponentials sum to 11.11, and each is divided by that: a query has one whole unit of attention to
# give away. Its output is .665·(10, 0) + .245·(0, 10) + .090·(5, 5) = **(7.10, 2.90)**.

# %% [markdown]
# ### Masks, and a word on True
#
# Sometimes a query must not look everywhere: not at words that are still to come, not at the blanks that
# fill up a short sentence. A **mask** says where it may. The notes this lesson grew from take a mask and
# never say whether it marks what is allowed or what is forbidden. Libraries differ, too:
#
# | | `True` means |
# | --- | --- |
# | this course, and PyTorch's `scaled_dot_product_attention` | this query **may look** here |
# | PyTorch's `nn.MultiheadAttention` | this query must **not** look here |

# %% [markdown] prompt="guess_masked"
# ### Predict: what is left for the others?
#
# `cat` now comes with the mask `[False, True, True]` over `dogs`, `playing` and `park`. What are its three
# weights? Pencil and paper, to two or three digits; put them into `masked_shares`, a list of three numbers.

# %% solution="guess_masked"
### BEGIN SOLUTION
masked_shares = [0.0, 0.731, 0.269]
### END SOLUTION

# %% test="guess_masked"
check("guess_masked")

# %% [markdown] hint="guess_masked"
# <details><summary>Hint 1: which key is out?</summary>
#
# Read the table: in this course, `True` is where the query may look.
#
# </details>
# <details><summary>Hint 2: which score would be as good as none?</summary>
#
# A key with the score s takes part in the sharing with exp(s). For which s is that nothing?
#
# </details>
# <details><summary>Hint 3: who shares?</summary>
#
# The exponentials of the two keys that are left stand in the table. What do they sum to now?
#
# </details>

# %%
kernel = np.exp([-np.inf, 1.0, 0.0])
print((kernel / kernel.sum()).round(3))

# %% [markdown]
# The hidden key gets the score $-\infty$ *before* the softmax. Its exponential is $e^{-\infty} = 0$, and the
# others share the whole unit. Set to zero after the softmax, it would leave weights that sum to .335 only.
# And a score of 0 does not hide a key: $e^0 = 1$ is more than any negative score gets.

# %% [markdown] prompt="softmax_rows"
# ### Find the slip: rows that are far apart
#
# `np.exp(1000)` is too large for a float. The usual remedy is to take the largest score off first: all
# exponentials shrink by the same factor, and the weights stay what they are. The notes do it as below. Run
# the cell, see what becomes of the second row (`nan` is "not a number"), and write `softmax_rows` without
# the slip.

# %%
def hasty_softmax(scores):
    powers = np.exp(scores - np.max(scores))
    return powers / powers.sum(axis=-1, keepdims=True)


far_apart = np.array([[1000.0, 1001.0, 999.0], [0.0, 1.0, 3.0]])
with np.errstate(invalid="ignore"):
    print(hasty_softmax(far_apart).round(3))

# %% solution="softmax_rows"
def softmax_rows(scores: ndarray) -> ndarray:
    """Positive numbers that sum to 1 in each row, however far apart the rows: (n_q, n_k) to (n_q, n_k)."""
    ### BEGIN SOLUTION
    kernel = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return kernel / kernel.sum(axis=-1, keepdims=True)
    ### END SOLUTION

# %% test="softmax_rows"
check(softmax_rows)

# %% [markdown] hint="softmax_rows"
# <details><summary>Hint 1: what does the second row look like inside?</summary>
#
# `np.max(scores)` is 1001. Take it off 0, 1 and 3, then the exponential. What do you divide by what?
#
# </details>
# <details><summary>Hint 2: whose maximum?</summary>
#
# A row's shares do not change when the same number is taken off the whole row. It may be another number for
# each row: `axis=-1`, and `keepdims=True` so that it still lines up.
#
# </details>

# %% [markdown] prompt="scaled_dot_product_attention"
# ## 3. Attention
#
# ### Exercise: `scaled_dot_product_attention`
#
# The table of section 2 in code, for all queries at once: scores, mask, softmax, mixture.
#
# - Any number of batch axes may stand in front: shape `(2, 6, 50)` is two sentences of six words.
# - Where there is a mask, `True` = this query may look here.
# - A query that may look nowhere gets zero weights and a zero output, never `nan`.

# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(
    Q: ndarray, K: ndarray, V: ndarray, mask: ndarray | None = None
) -> tuple[ndarray, ndarray]:
    """What each query fetches, and how it shared its attention out.

    Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v); `mask` boolean, True = may look,
    broadcastable to (..., n_q, n_k). Returns output (..., n_q, d_v) and weights (..., n_q, n_k).
    """
    ### BEGIN SOLUTION
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    highest = scores.max(axis=-1, keepdims=True)
    kernel = np.exp(scores - np.where(np.isfinite(highest), highest, 0.0))
    total = kernel.sum(axis=-1, keepdims=True)
    weights = kernel / np.where(total > 0, total, 1.0)
    return weights @ V, weights
    ### END SOLUTION

# %% test="scaled_dot_product_attention"
check(scaled_dot_product_attention)

# %% [markdown] hint="scaled_dot_product_attention"
# <details><summary>Hint 1: the scores</summary>
#
# `Q @ K.T` is right for two matrices, but `.T` turns *all* axes round. For a batch you want to swap the
# last two only: `np.swapaxes(K, -1, -2)`. The divisor comes from the width of the vectors that were
# multiplied, `K.shape[-1]`.
#
# </details>
# <details><summary>Hint 2: the mask</summary>
#
# `np.where(mask, scores, -np.inf)` lets the mask broadcast and leaves `scores` alone. It has to come before
# the softmax. Your `softmax_rows` will do for that, as long as it works along `axis=-1`; only a query that
# may look nowhere needs more care.
#
# </details>
# <details><summary>Hint 3: I get NaN for a query that may look nowhere</summary>
#
# Its highest score is $-\infty$, and $-\infty - (-\infty)$ is not a number. Take 0 off such a row instead;
# all its exponentials are then 0, and so is their sum. What can you divide by, so that 0 stays 0?
# `np.isfinite` tells the rows apart, and `np.where` chooses for each.
#
# </details>

# %% [markdown]
# Does PyTorch agree? It has the same function built in, with the same meaning of `True`.

# %%
output, attention_weights = scaled_dot_product_attention(Q, K, V)
print("output", output.shape, "  weights", attention_weights.shape)

tensors = [torch.tensor(x) for x in (Q, K, V)]
theirs = torch.nn.functional.scaled_dot_product_attention(*tensors)
print("as PyTorch:             ", np.allclose(output, theirs.numpy(), atol=1e-4))

no_dogs = np.array([[False, True, True, True, True, True]])
theirs = torch.nn.functional.scaled_dot_product_attention(*tensors, attn_mask=torch.tensor(no_dogs))
ours, _ = scaled_dot_product_attention(Q, K, V, no_dogs)
print("as PyTorch, with a mask:", np.allclose(ours, theirs.numpy(), atol=1e-4))

# %% [markdown] prompt="guess_looks"
# ## 4. Who looks at whom
#
# ### Predict: three words look across
#
# Which word of *dogs are playing in the park* does `cat` look at most? And `sat`? And `mat`? Nothing was
# trained for this question: all there is are word vectors and their dot products. Write each word in
# quotes.

# %% solution="guess_looks"
### BEGIN SOLUTION
cat_looks_at = "dogs"
sat_looks_at = "playing"
mat_looks_at = "park"
### END SOLUTION

# %% test="guess_looks"
check("guess_looks")

# %% [markdown] hint="guess_looks"
# <details><summary>Hint 1: which dot products are large?</summary>
#
# Those of vectors that point the same way, and vectors point the same way when their words keep similar
# company. Which word of the second sentence could stand in the place of `cat`, of `sat`, of `mat`?
#
# </details>
# <details><summary>Hint 2: ask the vectors</summary>
#
# `vectors.similarity("cat", "are")` is the cosine of two words. Try other pairs.
#
# </details>

# %% [markdown] prompt="plot_attention_weights"
# ### Exercise: `plot_attention_weights`
#
# Draw the weights as a seaborn heatmap: a row for each query (a word of sentence 1), a column for each key
# (a word of sentence 2), the words along both sides, the weight in every cell, axis labels that say which
# side is the query and which the key, and a title. Let the colours run from 0 to 1, so that two pictures
# can be compared. Return the Axes.

# %% solution="plot_attention_weights"
def plot_attention_weights(
    attention_weights: ndarray, sentence_1: str | list[str], sentence_2: str | list[str]
) -> Axes:
    """A heatmap of `attention_weights`, (n_q, n_k). A sentence is a list of words or a string."""
    ### BEGIN SOLUTION
    words_1, words_2 = (s.split() if isinstance(s, str) else s for s in (sentence_1, sentence_2))
    _, axes = plt.subplots(figsize=(6.5, 5), layout="constrained")
    sns.heatmap(
        attention_weights,
        annot=True,
        fmt=".2f",
        cmap=figures.CMAP,
        vmin=0,
        vmax=1,
        xticklabels=words_2,
        yticklabels=words_1,
        ax=axes,
    )
    axes.set(xlabel="key: is looked at", ylabel="query: looks", title="Attention weights")
    axes.tick_params(axis="y", rotation=0)
    return axes
    ### END SOLUTION

# %% test="plot_attention_weights"
check(plot_attention_weights)

# %% [markdown] hint="plot_attention_weights"
# <details><summary>Hint 1: words, not letters</summary>
#
# A string is split into words first, `sentence.split()`; a list already has them. `isinstance(sentence,
# str)` tells.
#
# </details>
# <details><summary>Hint 2: what seaborn takes</summary>
#
# Begin with a new picture, `_, axes = plt.subplots()`. Then `sns.heatmap(attention_weights, annot=True,
# fmt=".2f", vmin=0, vmax=1, xticklabels=..., yticklabels=..., ax=axes)`. Which of the two sentences runs
# along x?
#
# </details>
# <details><summary>Hint 3: the names</summary>
#
# `axes.set(xlabel=..., ylabel=..., title=...)`, with the word *key* in one label and *query* in the other.
# Then `return axes`; no `plt.show()` is needed.
#
# </details>

# %%
axes = plot_attention_weights(attention_weights, sentence_1, sentence_2)
axes.set_title("Word vectors as they are")
figures.show(
    axes.figure,
    alt="Heatmap of attention weights. Rows, the queries: the, cat, sat, on, the, mat. Columns, the "
    "keys: dogs, are, playing, in, the, park. The darkest cell of each row: the looks at the, cat at "
    "dogs, sat at playing, on at in, mat at park.",
)

# %% [markdown]
# There it is. `cat` looks at `dogs` with .91 of its attention, `mat` at `park` with .92, `on` at `in` with
# .59, and `the` finds itself. Both rows of `the` are equal, since both are the same query. `sat` is less
# sure: .60 for `playing`, but .25 for `are`. That is not meaning alone: the vector of `are` is the longest
# of the six, and a dot product grows with the length of the key.

# %% [markdown]
# ### The picture that shows nothing
#
# So let us compare directions alone, and give every vector length 1 first. The scores are then cosines.
# **Before you run the cell:** each query will still look most at the same key, but what will become of the
# weights?

# %%
def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


_, flat_weights = scaled_dot_product_attention(unit(Q), unit(K), V)
axes = plot_attention_weights(flat_weights, sentence_1, sentence_2)
axes.set_title("The same words, all vectors of length 1")
figures.show(
    axes.figure,
    alt="The same heatmap for vectors of length 1. All cells have nearly the same pale colour, and "
    "weights between 0.16 and 0.19.",
)

# %% [markdown]
# Every weight lies between .16 and .19; sharing evenly would be $1/6 \approx .167$. (Strong colours all the
# same? Then yours stretch from .16 to .19: give the heatmap `vmin=0, vmax=1`.) Nothing is wrong with the
# arithmetic. Cosines lie between −1 and 1, and divided by $\sqrt{50} \approx 7.07$ they are so close
# together that the softmax can hardly tell them apart. $\sqrt{d_k}$ is the right divisor for scores that
# spread wider as $d_k$ grows. Cosines do not, and for them it is much too large. What scores are divided by
# before a softmax is called its **temperature**.
#
# ### Turn the temperature
#
# Divide the cosines by a temperature $T$ of your choice instead. At which $T$ does the picture tell you
# most?

# %%
def draw_at(temperature: float, axes: Axes) -> None:
    # your function divides by the square root of 50: undo that, and divide by the temperature
    queries = unit(Q) * np.sqrt(Q.shape[-1]) / temperature
    _, weights = scaled_dot_product_attention(queries, unit(K), V)
    words = {"xticklabels": sentence_2.split(), "yticklabels": sentence_1.split()}
    look = {"annot": True, "fmt": ".1f", "cmap": figures.CMAP, "vmin": 0, "vmax": 1, "cbar": False}
    sns.heatmap(weights, ax=axes, annot_kws={"size": 12}, **words, **look)
    axes.set_xlabel("key", fontsize=13)
    axes.set_ylabel("query", fontsize=13)
    axes.tick_params("x", rotation=60, labelsize=12)
    axes.tick_params("y", rotation=0, labelsize=12)


figures.explore(
    draw_at,
    (0.05, 0.2, 1, 7),
    "temperature",
    alt="Heatmaps of the same two sentences at temperatures 0.05, 0.2, 1 and 7. At 0.05 each row has "
    "one dark cell, at 7 all cells have the same colour.",
)

# %% [markdown]
# At a low temperature each query looks at one key and ignores the rest; at a high one it shares evenly and
# prefers nobody. $T = 7$ is nearly the flat map. And our first picture looks much like $T = 0.2$: two
# vectors about 6 long have a dot product 36 times their cosine, and $36/7.07$ is about $1/0.2$.
#
# In a trained model nobody turns this knob by hand. Words are multiplied by two learned matrices first,
# $W_Q$ when they ask and $W_K$ when they are asked, and these learn how long queries and keys should be and
# in which directions to compare them. Our words meet raw.

# %% [markdown]
# ### Hide the small words
#
# `are`, `in` and `the` carry little meaning. A mask of shape `(6,)` hides their columns from every query.
# Where will the attention of `the` go?

# %%
small_words = {"are", "in", "the"}
mask = np.array([word not in small_words for word in sentence_2.split()])
print(dict(zip(sentence_2.split(), mask.tolist(), strict=True)))

_, masked_weights = scaled_dot_product_attention(Q, K, V, mask)
axes = plot_attention_weights(masked_weights, sentence_1, sentence_2)
axes.set_title("Keys “are”, “in”, “the” hidden")
figures.show(
    axes.figure,
    alt="The heatmap with the columns are, in and the at zero. Each row's attention is shared among "
    "dogs, playing and park: sat gives most to playing; the, which has lost its partner, to park.",
)

# %% [markdown]
# `sat` has lost `are`, and `playing` now gets .82. And `the`, which has lost its other self, has nothing
# good to look at, but must still give its whole unit away: .43 to `park`, .36 to `playing`. A weight says
# *best of what there is*, not *good*.

# %% [markdown] written="explain_keys_and_values" points=4
# ### Explain: one vector, two jobs
#
# In this lesson `K` and `V` are the same matrix; the notes ask why, and leave the answer blank. What does a
# key do, and what a value? Why do both come from the same words here? And when should keys and values
# differ? Four to six sentences, with an example of your own. (4 points)
#
# ### BEGIN SOLUTION
# A key is what a word is found by, a value is what it hands over once it is found. Weight j is computed
# from key j and then multiplies value j, so row j of K and row j of V have to speak of the same word; if
# they came from different words (or, as with random stand-ins made anew on every call, from different
# vectors for one word), a query would find one thing and fetch another. Here the vector is all that we know
# of a word and nothing has been trained, so the same vector does both jobs: the output is a mixture of the
# very words that were looked at. Keys and values should differ as soon as what one looks for is not what
# one wants to have: in a dictionary one looks for a word and wants its meaning, in a table of measured
# people one looks for a waist and wants a weight. A transformer makes two vectors from each word, with
# matrices W_K and W_V that are learned, so that it can be found by one side of it and hand over another.
#
# **Rubric** (1 point each)
# - says what each is for: a key is compared with the query, a value is what the output is mixed from
# - says that they belong together in pairs: row j of K and row j of V stand for the same word, as weight j
#   joins them
# - says why one vector can do both here: nothing is trained, and it is the only description of the word
#   that there is
# - gives a case in which they should differ, and why: a lookup of one quantity by another, a translation,
#   learned W_K and W_V, …
# ### END SOLUTION

# %% [markdown]
# ## What you can now do
#
# - give any word a vector that can be trusted: its own, always the same, of ordinary length
# - write scaled dot-product attention for any batch, with a mask whose `True` you can explain
# - keep a softmax safe row by row, and say what a query gets that may look nowhere
# - read a heatmap: rows look, columns are looked at; and suspect the temperature when it shows nothing
#
# **Next:** in lesson 4 the keys are people's waists and the values are their weights, and attention turns
# out to be an old acquaintance from statistics: regression with a kernel.

# %% [markdown]
# *Credits.* The two sentences, the order of the steps and the question about keys and values come from the
# seed notes on scaled dot-product attention that this course grew from; their slips became exercises.
# Word2vec: Mikolov et al., *Efficient Estimation of Word Representations in Vector Space* (2013). Scaled
# dot-product attention, its scale and its mask: Vaswani et al., *Attention Is All You Need* (2017);
# attention before it: Bahdanau et al. (2014) and Luong et al. (2015). The vectors were trained for this
# course with gensim.
