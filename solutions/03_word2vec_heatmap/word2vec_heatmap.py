# %% [markdown]
# # Who looks at whom
#
# Read *the cat sat on the mat*, then *dogs are playing in the park*. If words could look, which word of the second
# sentence would `cat` turn to? Attention answers in numbers. You will draw them as a **heatmap**, a row for each word
# that looks (a *query*), a column for each that is looked at (a *key*), and then see what the words have become by
# looking.
#
# It takes about 85 minutes, and 20 more for the puzzles. You can start here: what earlier lessons gave is brought
# along.

# %% setup="imports"
import zlib

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
import torch
from gensim.models import KeyedVectors
from matplotlib.axes import Axes
from numpy import ndarray

from autograder import (
    bring_your_own,
    check,
    cold_questions,
    figures,
    load_vectors,
    load_writer,
    look_inside,
    maps,
)

check.lesson("03_word2vec_heatmap")

# %%
cold_questions()  # three on earlier lessons: a minute, never graded

# %% [markdown]
# ## 1. Words that keep the same company
#
# Word2vec gives similar vectors to words that are found among the same neighbours. Ours: nearly a thousand everyday
# words, 50 numbers each, learned from 40,000 sentences **made by a grammar that a person wrote**: patterns such as
# *the ‹pet› ‹rested› on the ‹surface›*, and a list of words for each gap. Such sentences are tidier than real text,
# and so are the vectors.

# %%
vectors = load_vectors()

for word in ("happy", "tea", "seven"):
    print(f"{word:>5}  ~  {', '.join(other for other, _ in vectors.most_similar(word, topn=4))}")

# %%
some_words = "cat puppy rabbit tea milk juice bread cheese soup sat slept stood waited danced two seven nine"
some_words += " red green brown happy sad angry girl boy king monday friday"
figures.show(
    maps.of_words(vectors, some_words, "Near each other: words that keep similar company"),
    alt=maps.of_words_in_words(vectors, some_words),
)

# %% [markdown]
# A map shows two of fifty dimensions: those in which these words lie farthest apart.

# Nobody told the model what a feeling is. But the grammar's author let `happy`, `thirsty` and `sad` fill the same
# gaps, and that is what the vectors found out. Near means *can stand in the same place*. Opposites can: `happy` and
# `sad` have a cosine of .98.
#
# Every vocabulary ends somewhere: `vectors["quokka"]` is a `KeyError`. A quick way round it: random numbers. **Before
# you run the cell, decide:** what will the cosine of `quokka` with itself be? (A cosine is 1 when two vectors point
# the same way, 0 when they are at right angles.)

# %%
noise = np.random.default_rng(3)


def hasty_embedding(word, vectors):
    try:
        return vectors[word]
    except KeyError:
        return noise.standard_normal(vectors.vector_size)


once, again = hasty_embedding("quokka", vectors), hasty_embedding("quokka", vectors)
print(f"cosine of quokka with itself     {once @ again / np.linalg.norm(once) / np.linalg.norm(again):5.2f}")
for size in (50, 300):
    print(f"length of {size:3} random numbers     {np.linalg.norm(noise.standard_normal(size)):5.1f}")
print(f"length of an ordinary word here  {np.median(np.linalg.norm(vectors.vectors, axis=1)):5.1f}")
print(f"is this cat a copy?              {not np.shares_memory(hasty_embedding('cat', vectors), vectors.vectors)}")

# %% [markdown]
# **Find the slips.** `hasty_embedding` makes three. Each shows in the printout; name them before you look.
#
# <details><summary>The slips</summary>
#
# 1. **A new vector on every call.** The notes embed a sentence twice, and then one new word is two different things.
# 2. **A length that has nothing to do with the model.** $d$ standard normal numbers make a vector about $\sqrt d$
#    long: 7 for 50 numbers, 17 for 300. Ours are about 6 long, so the first passes by luck. Section 4 shows what the
#    second does.
# 3. **A view instead of a copy.** gensim hands out a row of its own matrix. Whoever manages to write into it changes
#    the model for everybody.
#
# </details>

# %% [markdown] prompt="word_embedding"
# ### Exercise: `word_embedding`
# ★★☆ · 12 minutes
#
# A known word gives a copy of its vector. An unknown word gives a stand-in that no other word has, that is always
# the same (also tomorrow, in a new kernel), and at most three times longer or shorter than the median vector of
# this model.

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
# <details data-part="an unknown word gets; the same word; two unknown">
# <summary>Hint 1: random, and yet always the same</summary>
#
# `word in vectors` says whether it is known. For others, a generator with the same seed draws the same numbers, so
# make the seed from the word. Python's `hash` differs from one process to the next; a checksum such as
# `zlib.crc32(word.encode())` does not.
#
# </details>
# <details data-part="an unknown word's"><summary>Hint 2: the right length</summary>
#
# Divide the random vector by its own length, then multiply it by that of an ordinary word: the median of
# `np.linalg.norm(vectors.vectors, axis=1)`.
#
# </details>

# %% [markdown] prompt="sentence_matrix"
# ### Exercise: `sentence_matrix`
# ★☆☆ · 4 minutes
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
# <details><summary>Hint: from words to rows</summary>
#
# `sentence.split()` splits at any amount of white space. Call your function for each word and hand the list to
# `np.array`.
#
# </details>

# %%
sentence_1 = "the cat sat on the mat"  # these words look: the queries Q
sentence_2 = "dogs are playing in the park"  # these are looked at: the keys K, and the values V of section 2
Q = sentence_matrix(sentence_1, vectors)
K = V = sentence_matrix(sentence_2, vectors)

figures.show(
    maps.matrices({"queries": sentence_1, "keys": sentence_2}, {"queries": Q, "keys": K}),
    alt="Two grids of coloured cells, one for each sentence: a row for each word, 50 columns for its numbers. The "
    "two rows of 'the' in the first sentence and the one in the second are equal.",
)

# %% [markdown]
# All three rows of `the` are equal: these vectors do not know where a word stands.

# %% [markdown]
# ## 2. One look, by hand
#
# The words that look give the **queries** $Q$; the words that are looked at give the **keys** $K$, by which they are
# found, and the **values** $V$, which they hand over:
#
# $$\operatorname{attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# The dot product of a query and a key is their **score**, divided by the root of their width $d_k$ (lesson 2 says
# why). **Softmax** turns one query's scores into **weights**, which mix the values. With made-up vectors of four
# numbers:
#
# | | sour | red | yellow | cold | score with `lemon` | divided by $\sqrt 4$ | exp | weight | value |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | query `lemon` | 2 | 0 | 1 | 0 | | | | | |
# | key `grapefruit` | 2 | 1 | 0 | 0 | 2·2 + 0·1 + 1·0 + 0·0 = 4 | 2 | 7.39 | **.665** | (10, 0) |
# | key `flame` | 0 | 2 | 2 | 0 | 2·0 + 0·2 + 1·2 + 0·0 = 2 | 1 | 2.72 | **.245** | (0, 10) |
# | key `snow` | 0 | 0 | 0 | 2 | 2·0 + 0·0 + 1·0 + 0·2 = 0 | 0 | 1.00 | **.090** | (5, 5) |
#
# The exponentials sum to 11.11, and each is divided by that: a query has one whole unit of attention to give away.
# Its output is .665·(10, 0) + .245·(0, 10) + .090·(5, 5) = **(7.10, 2.90)**.

# %% [markdown]
# ### Masks, and a word on True
#
# Sometimes a query must not look everywhere, such as at words still to come. A **mask** says where it may. The notes
# this lesson grew from never say what its `True` means, and libraries differ:
#
# | | `True` means |
# | --- | --- |
# | this course, and PyTorch's `scaled_dot_product_attention` | **may look** here |
# | PyTorch's `nn.MultiheadAttention` | must **not** look here |

# %% [markdown] prompt="guess_masked"
# ### Predict: what is left for the others?
# ★☆☆ · 5 minutes
#
# `lemon` now comes with the mask `[False, True, True]` over `grapefruit`, `flame` and `snow`. What are its three
# weights? Pencil and paper, to two or three digits.

# %% solution="guess_masked"
### BEGIN SOLUTION
masked_shares = [0.0, 0.731, 0.269]
### END SOLUTION

# %% test="guess_masked"
check("guess_masked")

# %% [markdown] hint="guess_masked"
# <details><summary>Hint: who shares?</summary>
#
# In this course, `True` is where the query may look. A key with the score s takes part with exp(s): for which s is
# that nothing? What do the other two exponentials sum to?
#
# </details>
# <details data-part="never"><summary>Checked? How a mask works</summary>
#
# The hidden key gets the score $-\infty$ *before* the softmax. Its exponential is 0, and the others share: 2.72 and
# 1.00, divided by 3.72. Set to zero after the softmax, it would leave weights that sum to .335 only. And a score of 0
# hides nothing: $e^0 = 1$.
#
# </details>

# %% [markdown]
# ### Bring your own softmax
#
# Yours from lesson 1, if its notebook is saved; otherwise the course's.

# %% setup="bring_your_own"
softmax = bring_your_own("softmax")

# %% [markdown] prompt="guess_far_apart"
# ### Predict: rows that are far apart
# ★☆☆ · 4 minutes
#
# `np.exp(1000)` is too large for a float, so one takes the largest score off first; the weights stay what they are.
# The notes do it as below. Which rows of `far_apart` come out as `nan` ("not a number")? A list of row numbers,
# counted from 0.

# %%
def hasty_softmax(scores):
    powers = np.exp(scores - np.max(scores))
    return powers / powers.sum(axis=-1, keepdims=True)


far_apart = np.array([[1000.0, 1001.0, 999.0], [0.0, 1.0, 3.0], [600.0, 601.0, 603.0]])

# %% solution="guess_far_apart"
### BEGIN SOLUTION
nan_rows = [1]
### END SOLUTION

# %% test="guess_far_apart"
check("guess_far_apart")

# %% [markdown] hint="guess_far_apart"
# <details><summary>Hint: what is too small for a float?</summary>
#
# `np.max(scores)` is one number for all rows. A float calls everything below about 1e-323 zero, and exp(−x) is
# about 10 to the power −0.43 x. When is a row's sum 0?
#
# </details>

# %%
with np.errstate(invalid="ignore"):
    print(hasty_softmax(far_apart).round(3))
print(softmax(far_apart).round(3))

# %% [markdown]
# Each row needs a maximum of its own, and `softmax` takes it.

# %% [markdown] prompt="scaled_dot_product_attention"
# ## 3. Attention
#
# ### Exercise: `scaled_dot_product_attention`
# ★★★ · 15 minutes
#
# The table in code, for all queries at once: scores, mask, softmax, mixture.
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
# <details data-part="output and weights; every query's; the numbers are right without">
# <summary>Hint 1: the scores</summary>
#
# `.T` turns *all* axes round; `np.swapaxes(K, -1, -2)` the last two only. The divisor comes from `K.shape[-1]`, the
# width of what was multiplied.
#
# </details>
# <details data-part="hidden keys; the numbers are right with a mask; Q, K, V"><summary>Hint 2: the mask</summary>
#
# `np.where(mask, scores, -np.inf)` lets the mask broadcast and leaves `scores` alone. It comes before `softmax`.
#
# </details>
# <details data-part="a query that may look nowhere">
# <summary>Hint 3: I get NaN for a query that may look nowhere</summary>
#
# Its highest score is −∞, and −∞ − (−∞) is not a number. Such a row may take any scores through
# `softmax`, if its weights are set to 0 afterwards. `mask.any(axis=-1, keepdims=True)` tells which rows may look,
# `np.where` chooses.
#
# </details>

# %% [markdown]
# Does PyTorch agree? Its function of this name gives the same `True` the same meaning.

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
# ★☆☆ · 3 minutes
#
# Which word of *dogs are playing in the park* does `cat` look at most? And `sat`? And `mat`? Nothing was trained for
# this question: there are only word vectors and their dot products.

# %% solution="guess_looks"
### BEGIN SOLUTION
cat_looks_at = "dogs"
sat_looks_at = "playing"
mat_looks_at = "park"
### END SOLUTION

# %% test="guess_looks"
check("guess_looks")

# %% [markdown] hint="guess_looks"
# <details><summary>Hint: which dot products are large?</summary>
#
# Those of words that keep similar company. Which word of the second sentence could stand in the place of `cat`, of
# `sat`, of `mat`? Or ask: `vectors.similarity("cat", "are")` is the cosine of two words.
#
# </details>

# %% [markdown] prompt="plot_attention_weights"
# ### Exercise: `plot_attention_weights`
# ★★☆ · 10 minutes
#
# Draw the weights as a seaborn heatmap: a row for each query (a word of sentence 1), a column for each key (of
# sentence 2), the words along both sides, the weight in every cell, a title, and axis labels that name query and key.
# Return the Axes. The colours are up to you; let them run from 0 to 1, and pictures can be compared.

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
# <details><summary>Hint: what seaborn takes</summary>
#
# `isinstance(sentence, str)` tells whether there is something to split. Begin with a new picture, `_, axes =
# plt.subplots()`; then `sns.heatmap(attention_weights, annot=True, fmt=".2f", vmin=0, vmax=1, xticklabels=...,
# yticklabels=..., ax=axes)` and `axes.set(xlabel=..., ylabel=..., title=...)`. Which sentence runs along x?
#
# </details>

# %%
axes = plot_attention_weights(attention_weights, sentence_1, sentence_2)
axes.set_title("Word vectors as they are")
figures.show(axes.figure, alt=maps.in_words(axes))

# %% [markdown]
# `cat` looks at `dogs` with .91 of its attention, `mat` at `park` with .92, `on` at `in` with .59, and `the` finds
# itself. `sat` is less sure: .60 for `playing`, but .25 for `are`. That is not meaning alone: the vector of `are` is
# the longest of the six, and a dot product grows with the length of the key.

# %% [markdown]
# ### What has `cat` become?
#
# The output is a vector of 50 numbers for each word that looked. Ask for its neighbours in the vocabulary.

# %%
def neighbours(vector: ndarray) -> str:
    return ", ".join(word for word, _ in vectors.similar_by_vector(vector, topn=3))


for word, before, after in zip(sentence_1.split(), Q, output, strict=True):
    print(f"{word:>4}   {neighbours(before):24} →  {neighbours(after)}")

moved = {word: row for word, row in zip(sentence_1.split(), output, strict=True) if word in ("cat", "sat", "mat")}
near_them = "cat puppy kitten dogs puppies kittens sat slept waited playing sitting lying are were mat rug sofa"
near_them += " park meadow"
figures.show(
    maps.of_words(vectors, near_them, "What each word has become", moved),
    alt=maps.of_words_in_words(vectors, near_them, moved),
)

# %% [markdown]
# `cat` has gone over to the dogs, `mat` to the park, and neither kept anything of itself, since all values come from
# sentence 2. `sat` ends between `playing` and `are`, where no word lives: the nearest has a cosine of .80.

# %% [markdown]
# ### The picture that shows nothing
#
# So let us compare directions alone, and give every vector length 1. The scores are then cosines. **Before you run
# the cell:** each query will still look most at the same key, but what will become of the weights?

# %%
def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


_, flat_weights = scaled_dot_product_attention(unit(Q), unit(K), V)
axes = plot_attention_weights(flat_weights, sentence_1, sentence_2)
axes.set_title("The same words, all vectors of length 1")
figures.show(axes.figure, alt=maps.in_words(axes))

# %% [markdown]
# Every weight lies between .16 and .19; sharing evenly would be $1/6 \approx .167$. (Strong colours all the same?
# Give your heatmap `vmin=0, vmax=1`.) Cosines lie between −1 and 1; divided by $\sqrt{50} \approx 7.07$ they are so
# close together that the softmax can hardly tell them apart.

# %% [markdown]
# ### The quokka shouts
#
# Every output is now nearly the plain mean of the values, and a mean listens to whoever is loudest. Among unit
# vectors, let an unknown word in: once 17 long, like 300 random numbers, once with your stand-in. How much does each
# output resemble each word it was mixed from (their cosine)?

# %%
short = KeyedVectors(vectors.vector_size)  # the same words, all of length 1
short.add_vectors(vectors.index_to_key, unit(vectors.vectors))

stranger = "dogs see a quokka play there"
calm = sentence_matrix(stranger, short)
loud = calm.copy()
loud[3] *= 17  # the length of 300 random numbers


def likeness(values: ndarray) -> ndarray:
    output, _ = scaled_dot_product_attention(unit(Q), values, values)
    return unit(output) @ unit(values).T


likenesses = {"quokka, 17 long": likeness(loud), "quokka, your stand-in": likeness(calm)}
figure = maps.heatmaps(likenesses, sentence_1, stranger)
figures.show(figure, alt=" ".join(map(maps.in_words, figure.axes)))

# %% [markdown]
# On the left it drowns out all others: whoever looked, and at whom, a `quokka` comes out. On the right it is one
# voice of six.

# %% [markdown]
# ### Turn the temperature
#
# What scores are divided by before a softmax is called its **temperature**. Divide the cosines by a $T$ of your
# choice: where does the picture tell you most?

# %%
def weights_at(temperature: float) -> ndarray:
    # your function divides by the square root of 50: undo that, and divide by the temperature
    queries = unit(Q) * np.sqrt(Q.shape[-1]) / temperature
    return scaled_dot_product_attention(queries, unit(K), V)[1]


def draw_at(temperature: float, axes: Axes) -> None:
    maps.heatmap(axes, weights_at(temperature), sentence_1, sentence_2, digits=1)
    axes.set(xlabel="key", ylabel="query")


stills = (0.05, 0.2, 1, 7)
stops = [0.05, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8]
stops += [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 10]
surest = ", ".join(f"{weights_at(T).max(axis=-1).mean():.2f} at {T}" for T in stills)
figures.explore(
    draw_at,
    stills,
    "temperature",
    alt=f"The same heatmap at several temperatures. The darkest cell of a row holds, on average, {surest}.",
    turn=stops,
)

# %% [markdown]
# A cold query looks at one key and ignores the rest, a hot one shares evenly. $T = 7$ is nearly the flat map. And our
# first picture? Two vectors about 6 long have a dot product 36 times their cosine, and $36/7.07$ is about $1/0.2$. But
# lengths differ from word to word, so no single $T$ gives that picture back: at $T = 0.2$, `mat` gives `park` .69,
# there .92.

# %% [markdown]
# ### Your own sentences
#
# Write in small letters, as the vocabulary does. With a network, `real_words = True` fetches vectors learned from
# Google News (1.6 GB, once). Expect an even map then; you know which knob to turn.

# %%
my_sentence_1 = "my sister drank hot tea"
my_sentence_2 = "a quokka sipped cold juice"
real_words = False

my_vectors = load_vectors("word2vec-google-news-300", limit=200_000) if real_words else vectors
strangers = [word for word in f"{my_sentence_1} {my_sentence_2}".split() if word not in my_vectors]
print("unknown, so with a stand-in:", ", ".join(strangers) or "none")

my_queries, my_keys = (sentence_matrix(sentence, my_vectors) for sentence in (my_sentence_1, my_sentence_2))
_, my_weights = scaled_dot_product_attention(my_queries, my_keys, my_keys)
axes = plot_attention_weights(my_weights, my_sentence_1, my_sentence_2)
figures.show(axes.figure, alt=maps.in_words(axes))

# %% [markdown] written="explain_keys_and_values" points=4
# ### Explain: one vector, two jobs
# ★★☆ · 10 minutes
#
# In this lesson `K` and `V` are the same matrix; the notes ask why, and leave the answer blank. What does a key do,
# and what a value? Why do both come from the same words here? And when should they differ? Four to six sentences,
# with an example of your own. (4 points)
#
# ### BEGIN SOLUTION
# A key is what a word is found by, a value is what it hands over once it is found. Weight j is computed from key j
# and multiplies value j, so both have to speak of the same word; otherwise a query would find one thing and fetch
# another. Here nothing is trained and the vector is all that we know of a word, so it does both jobs. They should
# differ when what one looks for is not what one wants: in a dictionary one looks for a word and wants its meaning. A
# transformer makes both from each word, with learned matrices.
#
# **Rubric** (1 point each)
# - says what each is for: a key is compared with the query, a value goes into the output
# - says that row j of K and row j of V stand for the same word
# - says why one vector can do both here: nothing is trained, and it is all that describes the word
# - gives a case in which they should differ, and why: a lookup, a translation, learned W_K and W_V, …
# ### END SOLUTION

# %% [markdown]
# ## 5. Words that have learned to look
#
# In a trained model nobody sets a temperature by hand: two learned matrices, $W_Q$ for words that ask and $W_K$ for
# words that are asked, set the lengths, and the directions to compare. Our words met raw, and then `it` looks at
# `it`. Here your function reads one head of the course's own small writer, a model as in lesson 7; the mask lets each
# word look back only. Where does `it` look now?

# %%
sentence = ". the animal did not cross the street because it"  # the full stop: a sentence begins
raw = sentence_matrix(sentence, vectors)
looks_back = np.tri(len(raw), dtype=bool)
_, raw_weights = scaled_dot_product_attention(raw, raw, raw, looks_back)
print(f"raw vectors: it looks at it with {raw_weights[-1, -1]:.2f}")

head = load_writer().head(sentence.split(), layer=1, head=2)  # its Q, K and V
look_inside(scaled_dot_product_attention, *head, looks_back, queries=sentence)

# %% [markdown]
# At `animal`, with .89; `because` gives it .25, `street` .01. One sentence does not show that the model knows what `it`
# stands for. But to look for something else than oneself has to be learned.

# %% [markdown] prompt="guess_doubled"
# ## Go further
#
# ### Puzzle: twice as long
# ★☆☆ · 4 minutes
#
# All vectors of both sentences are doubled. By which factor do the scores grow? By which would you multiply the
# temperature instead, for the same weights? And does any query change its favourite key (`True` or `False`)?

# %% solution="guess_doubled"
### BEGIN SOLUTION
scores_times = 4
temperature_times = 0.25
favourites_change = False
### END SOLUTION

# %% test="guess_doubled"
check("guess_doubled")

# %% [markdown] hint="guess_doubled"
# <details><summary>Hint: a product</summary>
#
# A score is a dot product. How many of its two vectors are doubled?
#
# </details>

# %% [markdown] prompt="nearest_words"
# ### Puzzle: `nearest_words`
# ★★☆ · 6 minutes
#
# For each of several vectors, the known word with the largest cosine, as a list. Can you do without a loop over the
# vocabulary?

# %% solution="nearest_words"
def nearest_words(rows: ndarray, vectors: KeyedVectors) -> list[str]:
    """For each row of `rows`, (n, d), the word of the vocabulary whose vector has the largest cosine with it."""
    ### BEGIN SOLUTION
    directions = vectors.vectors / np.linalg.norm(vectors.vectors, axis=1, keepdims=True)
    return [vectors.index_to_key[i] for i in (rows @ directions.T).argmax(axis=1)]
    ### END SOLUTION

# %% test="nearest_words"
check(nearest_words)

# %% [markdown] hint="nearest_words"
# <details><summary>Hint: all at once</summary>
#
# Bring the rows of `vectors.vectors` to length 1. One matrix product then compares every row with every word;
# `argmax` and `vectors.index_to_key` do the rest.
#
# </details>

# %% [markdown] prompt="analogy"
# ### Puzzle: `analogy`
# ★★☆ · 10 minutes
#
# *man* is to *woman* as *king* is to …? Walk the way from `man` to `woman`, but begin at `king`: which word is
# nearest (by cosine) to where you arrive, other than these three? Where do analogies of your own fail?

# %% solution="analogy"
def analogy(a: str, b: str, c: str, vectors: KeyedVectors) -> str:
    """The word that is to `c` as `b` is to `a`, all of them known; none of the three."""
    ### BEGIN SOLUTION
    there = vectors[c] + vectors[b] - vectors[a]
    found = (word for word, _ in vectors.similar_by_vector(there))
    return next(word for word in found if word not in {a, b, c})
    ### END SOLUTION

# %% test="analogy"
check(analogy)

# %% [markdown] hint="analogy"
# <details><summary>Hint: a way between two points</summary>
#
# It is their difference: end minus beginning. `vectors.similar_by_vector(there)` gives the nearest ten words with
# their cosines.
#
# </details>

# %% [markdown]
# ## What you can now do
#
# - give any word a vector that can be trusted
# - write attention for any batch, with a mask whose `True` you can explain
# - read a heatmap, and say what a word has become by looking
#
# **Next:** in [lesson 4](../04_gaussian_kernel/gaussian_kernel.ipynb) attention turns out to be an old acquaintance
# from statistics.

# %% [markdown]
# *Credits.* The two sentences and the question about keys and values come from the course's seed notes. Word2vec:
# [Mikolov et al.](https://arxiv.org/abs/1301.3781) (2013). Scaled dot-product attention: [Vaswani et
# al.](https://arxiv.org/abs/1706.03762) (2017); attention before it: [Bahdanau et
# al.](https://arxiv.org/abs/1409.0473) (2014).
