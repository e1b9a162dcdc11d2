# %% [markdown]
# # Who looks at whom
#
# A trained model reads a sentence that begins *the animal did not cross the street because it*. A model has many
# attentions side by side, each with its own $W_Q$, $W_K$ and $W_V$. Each is called a **head**. The picture below shows
# how much weight one head gives to each word when the model reads `it`. **Does the head know what `it` means?**
#
# In this lesson you write attention on learned word vectors, and draw its weights. Then you test the head of the
# picture by counting.
#
# The lesson takes about 125 minutes, and 20 more for the puzzles.

# %% setup="imports"
import zlib

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
import torch
from gensim.models import KeyedVectors
from matplotlib.axes import Axes
from numpy import ndarray

from autograder import check, cold_questions, figures
from attention import bring_your_own, load_vectors, load_writer, maps, pronouns, word_pictures

check.lesson("03_word2vec_heatmap")

# %%
pronouns.pretty_picture()

# %% [markdown]
# The head looks most at `animal`, as a person might. (The dot is the full stop of the sentence before.) But one
# sentence is not a test. In section 4 the head reads a hundred sentences, in pairs that differ only in the last word:
#
# > the king stood near the car because `it` / because `he`
#
# Here `it` is to mean the car, and `he` the king. A sentence is a *hit* if the noun that its pronoun means gets the
# largest weight. How many of the hundred sentences are hits? (Choosing one of the two nouns at random gives about 50.)
# **Write your bet into the cell.**

# %%
my_bet = None  # a number from 0 to 100

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# ## 1. Learned word vectors
#
# Attention compares vectors, so each word needs one: its *embedding*. **Word2vec** learns embeddings from text: it
# hides a word and predicts it from the words around it. Step by step it changes the embeddings so that its predictions
# get better. Words that stand among the same words take part in similar predictions, so they get similar vectors.
#
# Our word2vec model knows nearly a thousand everyday words, with 50 numbers each. It learned them from 40,000
# sentences, made by a program from patterns such as *the ‹pet› ‹rested› on the ‹surface›*. `vectors` is a
# `KeyedVectors` of the library gensim: `vectors["cat"]` is the vector of `cat`. The cell draws some words as points of
# a plane, where distances are only roughly right (we added the grey areas):

# %%
vectors = load_vectors()
maps.show_words(vectors, word_pictures.SOME_WORDS, "Words with similar vectors lie close together")

# %% [markdown]
# Words that can fill the same gap lie close together, even `happy` and `sad`, which mean opposite things.
#
# A word that the model has never seen has no vector: `vectors["quokka"]` raises a `KeyError`. The function below takes
# random numbers instead, and the cell asks it twice for the vector of `quokka`.
#
# The **cosine** of two vectors is their dot product divided by both lengths. It is 1 for the same direction and 0 for a
# right angle. **Decide, then run the cell:** what is the cosine of the two answers?

# %%
noise = np.random.default_rng(3)


def hasty_embedding(word, vectors):
    return vectors[word] if word in vectors else noise.standard_normal(vectors.vector_size)


word_pictures.try_out(hasty_embedding, vectors)

# %% [markdown]
# The cosine should be 1, because a word that is read twice should match itself.

# %% [markdown] prompt="word_embedding"
# ### Exercise: `word_embedding`
# ★★☆ · 17 minutes
#
# For a known word, return a copy of its vector. (`hasty_embedding` returns the model's own row, which nobody should
# write into.) For an unknown word, return a *stand-in*, a vector of your own:
#
# - A word always gets the same stand-in, also after a restart.
# - Practically no other word has the same stand-in. Otherwise attention could not tell the two words apart.
# - Its length lies between m/3 and 3m, where m is the median length of the known words, here about 6. A much longer key
#   with a positive score would take most of the weight.
#
# For example, `word_embedding("quokka", vectors)` has the shape (50,) and a length between about 2 and 18.

# %% solution="word_embedding"
def word_embedding(word: str, vectors: KeyedVectors) -> ndarray:
    """Return the vector of any word, known or not: (vectors.vector_size,)."""
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
# `word in vectors` says whether the word is known. A generator with the same seed draws the same numbers, so make the
# seed from the word. Python's `hash` of a word differs from one process to the next. `zlib.crc32(word.encode())` does
# not.
#
# </details>
# <details data-part="an unknown word's"><summary>Hint 2: the right length</summary>
#
# Divide the random vector by its own length, then multiply it by the median of
# `np.linalg.norm(vectors.vectors, axis=1)`.
#
# </details>

# %% [markdown] prompt="sentence_matrix"
# ### Exercise: `sentence_matrix`
# ★☆☆ · 4 minutes
#
# Split a sentence on white space. Return a matrix, (n_words, d), with the vector of each word as a row. For example,
# `sentence_matrix("the quokka sat", vectors)` has the shape (3, 50), and its last row is the vector of `sat`.

# %% solution="sentence_matrix"
def sentence_matrix(sentence: str, vectors: KeyedVectors) -> ndarray:
    """Return one row per word, in order, unknown words and repeated ones included: (n_words, d)."""
    ### BEGIN SOLUTION
    return np.array([word_embedding(word, vectors) for word in sentence.split()])
    ### END SOLUTION

# %% test="sentence_matrix"
check(sentence_matrix)

# %% [markdown] hint="sentence_matrix"
# <details><summary>Hint: from words to rows</summary>
#
# `sentence.split()` splits at any amount of white space. Call your function for each word, and make an array of the
# list with `np.array`.
#
# </details>

# %% [markdown]
# ## 2. Attention with a mask
#
# In this section you write the attention of lesson 2 in NumPy, so that it can leave out keys. Here is an example with
# made-up vectors and all keys:
#
# | | sour | red | yellow | cold | score | divided by $\sqrt 4$ | exp | weight | value |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | query `lemon` | 2 | 0 | 1 | 0 | | | | | |
# | key `grapefruit` | 2 | 1 | 0 | 0 | 2·2 + 0·1 + 1·0 + 0·0 = 4 | 2 | 7.39 | **.665** | (10, 0) |
# | key `flame` | 0 | 2 | 2 | 0 | 2·0 + 0·2 + 1·2 + 0·0 = 2 | 1 | 2.72 | **.245** | (0, 10) |
# | key `snow` | 0 | 0 | 0 | 2 | 2·0 + 0·0 + 1·0 + 0·2 = 0 | 0 | 1.00 | **.090** | (5, 5) |
#
# The exponentials sum to 11.11, and each is divided by this sum. The output is .665·(10, 0) + .245·(0, 10) + .090·(5,
# 5) = **(7.10, 2.90)**.
#
# ### What a mask says
#
# Sometimes a query must not look at all keys. For example, a model that learns to write must not look at the words that
# it should predict. A **mask** is an array of `True` and `False` that says where a query may look.
#
# Functions do not agree on the meaning of `True`, even in one library. In this course, and in PyTorch's
# `scaled_dot_product_attention`, `True` means *may look*. In PyTorch's `nn.MultiheadAttention` it means *must not
# look*.

# %% [markdown] prompt="guess_masked"
# ### Predict: what is left for the others?
# ★☆☆ · 5 minutes
#
# Now `lemon` has the mask `[False, True, True]` for `grapefruit`, `flame` and `snow`. What are its three weights
# (`masked_shares` in the cell)? Give two or three digits.

# %% solution="guess_masked"
### BEGIN SOLUTION
masked_shares = [0.0, 0.731, 0.269]
### END SOLUTION

# %% test="guess_masked"
check("guess_masked")

# %% [markdown] hint="guess_masked"
# <details><summary>Hint: who shares?</summary>
#
# A key with the score s enters the softmax as exp(s). For which s is this 0? What is the sum of the other two
# exponentials?
#
# </details>
# <details data-part="never"><summary>Checked? How a mask works</summary>
#
# The hidden key gets the score $-\infty$ *before* the softmax. Its exponential is then 0. The other two are 2.72 and
# 1.00, and each is divided by their sum, 3.72. If the weight of the hidden key were set to 0 *after* the softmax, the
# weights would sum to only .335.
#
# </details>

# %% [markdown]
# You may use your `softmax` of lesson 1. The next cell loads it, or else the course's.

# %% setup="bring_your_own"
softmax = bring_your_own("softmax")

# %% [markdown] prompt="scaled_dot_product_attention"
# ### Exercise: `scaled_dot_product_attention` with a mask
# ★★★ · 17 minutes
#
# For a batch (several sentences in one array), the scaled scores of lesson 2 are `Q @ np.swapaxes(K, -1, -2) /
# np.sqrt(K.shape[-1])`, where `np.swapaxes(K, -1, -2)` exchanges the last two axes. **Begin with this line, and write
# the steps after it.** These things are new:
#
# - A mask may be given. If it has fewer axes than the scores, NumPy **broadcasts** it: a mask of shape (n_k,) is used
#   for every query, and one of shape (n_q, n_k) for every entry of a batch.
# - A query that may look nowhere gets zero weights and a zero output, and never `nan` ("not a number").
#
# Return the output and the weights; the docstring gives the shapes. For example, the table's `lemon` has Q of the shape
# (1, 4), K (3, 4) and V (3, 2). Its output is `[[7.10, 2.90]]`, and its weights are `[[.665, .245, .090]]`. With the
# mask `[[False, False, False]]` both are all zeros.

# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(
    Q: ndarray, K: ndarray, V: ndarray, mask: ndarray | None = None
) -> tuple[ndarray, ndarray]:
    """Return the output of each query, and its weights.

    Q (..., n_q, d_k), K (..., n_k, d_k), V (..., n_k, d_v); `mask` boolean, True = may look,
    broadcastable to (..., n_q, n_k). Returns output (..., n_q, d_v) and weights (..., n_q, n_k).
    """
    ### BEGIN SOLUTION
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])  # as in lesson 2, in NumPy and for any batch
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
# <summary>Hint 1: without a mask</summary>
#
# Two steps of lesson 2 follow the scores: the softmax of each row, and the weighted sum of the values. Return both the
# output and the weights.
#
# </details>
# <details data-part="hidden keys; the numbers are right with a mask; Q, K, V"><summary>Hint 2: the mask</summary>
#
# `np.where(mask, scores, -np.inf)` makes a new array and lets the mask broadcast. It comes before `softmax`.
#
# </details>
# <details data-part="a query that may look nowhere">
# <summary>Hint 3: I get NaN for a query that may look nowhere</summary>
#
# The highest score of such a row is −∞, and −∞ − (−∞) is not a number. Give such a row finite scores for the `softmax`,
# for example 0, and set its weights to 0 afterwards. `mask.any(axis=-1, keepdims=True)` says which rows may look
# somewhere, and `np.where` chooses.
#
# </details>

# %% [markdown]
# ### The weights of the picture
#
# Now compute the weights of the picture at the beginning. Its head belongs to the course's *writer*, a small model that
# you build in lesson 7. `pronouns.head(words)` returns the head's Q, K and V. `np.tri` puts ones on and below the
# diagonal, so this mask lets each word look only at itself and at earlier words. The last row belongs to `it`:

# %%
words = pronouns.PRETTY.split()
looks_back = np.tri(len(words), dtype=bool)
_, weights = scaled_dot_product_attention(*pronouns.head(words), looks_back)

for word, weight in zip(words, weights[-1]):
    print(f"{word:>7} {weight:.2f}")

# %% [markdown]
# ## 3. A picture of the weights
#
# Now the words of one sentence look at the words of another, and you draw the 36 weights:

# %%
sentence_1 = "the cat sat on the mat"  # these words look: the queries Q
sentence_2 = "dogs are playing in the park"  # these are looked at: the keys K and the values V
Q = sentence_matrix(sentence_1, vectors)
K = V = sentence_matrix(sentence_2, vectors)

# %% [markdown] prompt="guess_looks"
# ### Predict: whom do three words look at?
# ★☆☆ · 3 minutes
#
# Which word of *dogs are playing in the park* does `cat` look at most? Which does `sat`, and which does `mat`?

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
# Mostly those of words that often stand among the same words. Which word stands among words like those around `cat`,
# `sat`, `mat`? You may also ask the model for cosines: `vectors.similarity("cat", "are")`.
#
# </details>

# %% [markdown] prompt="plot_attention_weights"
# ### Exercise: `plot_attention_weights`
# ★★☆ · 8 minutes
#
# Draw the weights, (n_q, n_k), as a seaborn heatmap:
#
# - a row for each query and a column for each key, with the words along both sides
# - the weight in every cell, a title, and axis labels that name query and key
# - colours from 0 to 1, so that pictures can be compared (the course takes `figures.CMAP`)
#
# Return the `Axes`, Matplotlib's object for one drawing. For example,
# `plot_attention_weights(np.array([[0.9, 0.1]]), "cat", "dogs in")` draws one row, `cat`, with 0.90 under `dogs` and
# 0.10 under `in`.

# %% solution="plot_attention_weights"
def plot_attention_weights(
    attention_weights: ndarray, sentence_1: str | list[str], sentence_2: str | list[str]
) -> Axes:
    """Draw a heatmap of `attention_weights`, (n_q, n_k). A sentence is a list of words or a string."""
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
# `.split()` splits a string. Begin with `_, axes = plt.subplots()`. In `help(sns.heatmap)`, look for labels, `annot`,
# limits and `ax`. Which sentence runs along x? Axes have a method `set(xlabel=…, ylabel=…, title=…)`.
#
# </details>

# %%
_, attention_weights = scaled_dot_product_attention(Q, K, V)
maps.show(plot_attention_weights(attention_weights, sentence_1, sentence_2))

# %% [markdown]
# `cat` looks at `dogs` with the weight .91. So the output of `cat` is mostly the vector of `dogs`. The vector of `cat`
# is no part of it, because all values come from sentence 2.

# %% [markdown] written="explain_keys_and_values" points=4
# ### Explain: one vector, two jobs
# ★★☆ · 10 minutes
#
# Here `K` and `V` are the same matrix. Write four to six sentences. For a point each, explain (4 points):
#
# - what a key does, and what a value does
# - why row $j$ of both comes from the same word
# - why one vector can do both jobs here
# - when they should differ, and why, with an example of your own
#
# ### BEGIN SOLUTION
# A key is what a word is found by, a value what it hands over. Weight j comes from key j and multiplies value j, so
# both have to speak of the same word. Here no W_K and W_V are learned, so a word has only one vector, which does both
# jobs. They should differ when what one looks for is not what one wants: a dictionary is searched for a word and gives
# its meaning.
#
# **Rubric** (1 point each)
# - what each is for: a key is compared with the query, a value goes into the output
# - row j of K and row j of V stand for the same word
# - why one vector can do both here: no W_K and W_V are learned, and it is all that describes the word
# - a case in which they should differ, and why: a lookup, a translation, learned W_K and W_V, …
# ### END SOLUTION

# %% [markdown]
# ## 4. Does the head know what `it` means?
#
# In the picture the head looks from `it` to `animal`. Perhaps it understands `it`. Or it follows a simple rule that
# ignores the pronoun. A pair of sentences can tell the two explanations apart, because only the pronoun differs. **Does
# the largest weight move when `it` becomes `he`?**

# %%
pronouns.show_swap(scaled_dot_product_attention)

# %% [markdown]
# It does not: the head looks at `king` in the upper pair, at `car` in the lower one.
#
# A row is a hit if its largest weight lies in its frame.

# %% [markdown] prompt="last_looks_at"
# ### Exercise: `last_looks_at`
# ★★☆ · 4 minutes
#
# To count hits in many sentences, **return the word that the last word looks at most**, by your attention. The last
# word may look at all words, so you need no mask. For example, if the last row of the weights is `[.1, .7, .2]` for the
# words `["the", "king", "he"]`, return `"king"`.

# %% solution="last_looks_at"
def last_looks_at(words: list[str], Q: ndarray, K: ndarray, V: ndarray) -> str:
    """Return the word that the last of n words looks at most. Q and K are (n, d_k), V is (n, d_v)."""
    ### BEGIN SOLUTION
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[weights[-1].argmax()]
    ### END SOLUTION

# %% test="last_looks_at"
check(last_looks_at)

# %% [markdown] hint="last_looks_at"
# <details><summary>Hint: whose row?</summary>
#
# The last row belongs to the last word.
#
# </details>

# %% [markdown] prompt="guess_swap"
# ### Predict: two explanations
# ★★☆ · 4 minutes
#
# We choose a man and a thing at random 25 times, and write them in both orders (*the car stood near the king …*). This
# gives 50 pairs, or a hundred sentences.
#
# Imagine two readers. One understands pronouns. The other always names the noun that stands *nearest* before the
# pronoun, whichever pronoun it is. A **control** is a rule that surely does not understand, tested on the same
# sentences as the head. Here the second reader is the control. If the head has no more hits than the control, the
# head's hits are no evidence that it understands. For both readers:
#
# - In how many of the hundred sentences is the reader right?
# - In how many of the 50 pairs does the reader's noun change when `it` becomes `he`?

# %% solution="guess_swap"
### BEGIN SOLUTION
understands_hits, nearest_hits = 100, 50
understands_changes, nearest_changes = 50, 0
### END SOLUTION

# %% test="guess_swap"
check("guess_swap")

# %% [markdown] hint="guess_swap"
# <details><summary>Hint: one pair on paper</summary>
#
# Write down *the king stood near the car* with both pronouns, and what each reader names. Then do the other order.
#
# </details>

# %% [markdown]
# Now count all hundred sentences. Your bet stands beside the count:

# %%
pronouns.count(last_looks_at, bet=my_bet)

# %% [markdown]
# <details><summary>Counted? What we found</summary>
#
# The head has 50 hits, as many as the control, and its word never changes with the pronoun. A noun that stays the same
# is right for one pronoun of the pair and wrong for the other. So in these sentences the pronoun does not decide the
# head's word, and the picture at the beginning is only a weak sign that the head knows what `it` means. But the writer
# has never read *stood near … because*, the words of our test. (Weights say at which places a head reads, and not what
# the rest of the model makes of it.)
#
# </details>

# %% [markdown]
# ### Experiment: the rule of the head
#
# The pronoun does not decide the head's word. What does? `my_rule` gets the words of a sentence and its two nouns, in
# their order. **Replace `None` so that it names the head's word in at least 90 of the hundred sentences.** The picture
# of the two pairs helps.

# %%
def my_rule(words, nouns):
    return None  # for example words[-1], the pronoun


pronouns.verdict(last_looks_at, my_rule)

# %% [markdown]
# <details><summary>Finished? What we found</summary>
#
# `nouns[0]`, the first noun, is the head's word 98 times. (The other two sentences begin with *the bicycle stood near
# the prince*.) `words[2]` fits equally well: with the full stop, the first noun is always the third word. Our sentences
# cannot tell these two rules apart. In the picture at the beginning, both name `animal`, the noun that a person might
# choose.
#
# </details>

# %% [markdown]
# ## Go further
#
# ### Experiment: the other heads
#
# Perhaps another head knows what `it` means. The writer has two layers with four heads each. A **layer** is one step of
# a model: layer 1 reads what layer 0 gives. We count from 0, and the head of the picture is head 2 of layer 1.
#
# The next cell counts the hits of all eight heads. A head may also look most at a word that is neither noun. So the
# second picture compares the weights of the two nouns alone: how often does the noun that is meant get more? **Is any
# head clearly above the control?** (The dotted lines mark 50.)

# %%
pronouns.every_head(last_looks_at)

# %% [markdown]
# <details><summary>Counted? What we found</summary>
#
# No head has more than 50 hits. If only the two nouns are compared, each head is right in 45 to 51 sentences, about as
# often as a choice at random. So no head shows that it knows which noun is meant.
#
# </details>

# %% [markdown]
# ### Experiment: the rule of another head
#
# Layer 0, head 0 follows a rule at nearly every word. **Find it:** where does the largest weight of each row lie?

# %%
_, weights = scaled_dot_product_attention(*load_writer().head(words, layer=0, head=0), looks_back)
maps.show(plot_attention_weights(weights, words, words))

# %% [markdown]
# <details><summary>Found? Our answer</summary>
#
# In every row but the first, the largest weight lies just left of the diagonal, one word back. A head that looks at the
# previous word is called a **previous-token head** (a *token* is one unit of the text that a model reads, here a word).
#
# </details>

# %% [markdown]
# Again one sentence is not a test. The next cell takes a hundred sentences, made from the patterns that the writer
# learned from. For what percentage of their words does a head give its largest weight to the previous word? The control
# picks at random among the current word and all earlier ones.

# %%
pronouns.every_previous_word(scaled_dot_product_attention)

# %% [markdown]
# ### Experiment: the temperature
#
# The number by which scores are divided before a softmax is called its **temperature** $T$. In your attention it is
# $\sqrt{d_k}$. Here every vector is divided by its length, so that the scores are cosines, and you choose $T$. **How
# large may $T$ be before `sat` gives `playing` a weight of less than one half?**

# %%
word_pictures.turn_temperature(scaled_dot_product_attention, Q, K, sentence_1, sentence_2)

# %% [markdown]
# <details><summary>Found? Our answer</summary>
#
# $T$ may be up to about 0.32 (0.3 on the slider). With a low temperature a query looks at one key, with a high one at
# several.
#
# </details>

# %% [markdown] prompt="guess_doubled"
# ### Puzzle: twice as long
# ★☆☆ · 4 minutes
#
# Take the vectors as they were before they were divided by their lengths. All of them, in both sentences, are doubled.
# By which factor do the scores grow? Instead of doubling the vectors, you may change the temperature. Which factor
# gives the same weights? Does any query now look most at another key (`True` or `False`)?

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
# For each of several vectors, find the known word with the largest cosine. Return a list.

# %% solution="nearest_words"
def nearest_words(rows: ndarray, vectors: KeyedVectors) -> list[str]:
    """Return, for each row of `rows`, (n, d), the word whose vector has the largest cosine with it."""
    ### BEGIN SOLUTION
    directions = vectors.vectors / np.linalg.norm(vectors.vectors, axis=1, keepdims=True)
    return [vectors.index_to_key[i] for i in (rows @ directions.T).argmax(axis=1)]
    ### END SOLUTION

# %% test="nearest_words"
check(nearest_words)

# %% [markdown] hint="nearest_words"
# <details><summary>Hint: all at once</summary>
#
# Divide the rows of `vectors.vectors` by their lengths. One matrix product then compares every row with every word.
# `argmax` and `vectors.index_to_key` do the rest.
#
# </details>

# %% [markdown] prompt="analogy"
# ### Puzzle: `analogy`
# ★★☆ · 10 minutes
#
# *man* is to *woman* as *king* is to …? The step from `man` to `woman` is a difference of two vectors. Take the same
# step from `king`. Which word, other than these three, has the largest cosine with the place where you arrive?

# %% solution="analogy"
def analogy(a: str, b: str, c: str, vectors: KeyedVectors) -> str:
    """Return the word that is to `c` as `b` is to `a`, all of them known; none of the three."""
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
# The step is the end minus the beginning. `vectors.similar_by_vector(there)` gives the nearest ten words.
#
# </details>

# %%
print(analogy("man", "woman", "king", vectors))

# %% [markdown]
# ### Experiment: your own sentences
#
# Write two sentences of your own, in small letters. **Which word looks at something that you did not expect?** (Even
# `sister` must look somewhere, because the weights of a row sum to 1.) With `real_words = True` you download vectors
# learned from Google News (1.6 GB).

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
maps.show(axes)

# %% [markdown]
# ## What you can now do
#
# Does the head know what `it` means? We found no sign of that: in 98 of the hundred sentences it looked at the first
# noun, whichever pronoun came last. In the picture at the beginning, this noun was also the one that a person might
# choose.
#
# - give any word a vector, known or not
# - write attention for any batch, with a mask whose `True` you can explain
# - draw attention weights, and test an explanation of them by counting, against a control
#
# **Next:** in [lesson 4](../04_gaussian_kernel/gaussian_kernel.ipynb) you meet attention in statistics, under an older
# name.
#
# *Credits.* Word2vec: [Mikolov et al.](https://arxiv.org/abs/1301.3781) (2013).
