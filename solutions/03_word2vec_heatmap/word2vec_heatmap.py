# %% [markdown]
# # Who looks at whom
#
# A trained model has read a sentence, and a *head*, one of its parts, has shared out the attention of `it`. Does the
# head know whom `it` means? You write attention on learned word vectors, and test that. Plan about 85 minutes, and 20
# more for the puzzles.

# %% setup="imports"
import zlib

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
import torch
from gensim.models import KeyedVectors
from matplotlib.axes import Axes
from numpy import ndarray

from autograder import bring_your_own, check, cold_questions, figures, load_vectors, load_writer
from autograder import look_inside, maps, pronouns, word_pictures

check.lesson("03_word2vec_heatmap")

# %%
pronouns.pretty_picture()

# %% [markdown]
# A pretty picture. Of a hundred beginnings that end in `it` or `he`, with two nouns each, luck gets 50. How many does
# the head? **Put your bet into the cell**; in section 5 your own code counts. Before that: vectors, attention, its
# pictures.

# %%
my_bet = None  # a number from 0 to 100

# %%
cold_questions()  # three on earlier lessons: a minute, never graded

# %% [markdown]
# ## 1. Words that keep the same company
#
# Word2vec gives similar vectors to words found among the same neighbours. Ours: nearly a thousand everyday words, 50
# numbers each, learned from 40,000 sentences **made by a grammar that a person wrote**: patterns such as *the ‹pet›
# ‹rested› on the ‹surface›*, with a list of words for each gap. Real text is less tidy.

# %%
vectors = load_vectors()

for word in ("happy", "tea", "seven"):
    print(f"{word:>5}  ~  {', '.join(other for other, _ in vectors.most_similar(word, topn=4))}")

# %%
some_words = "cat puppy rabbit | tea milk juice | bread cheese soup | sat slept stood waited danced | two seven nine"
some_words += " | red green brown | happy sad angry | girl boy king | monday friday"
maps.show_words(vectors, some_words, "Near each other: words that keep similar company (the grounds are ours)")

# %% [markdown]
# Nobody told the model what a feeling is; the grammar lets `happy` and `sad` fill the same gaps. Near means *can stand
# in the same place*, and opposites can: these have a cosine of .98 (1: the same direction; 0: a right angle).
#
# `vectors["quokka"]` is a `KeyError`. A quick way round: random numbers. **Decide, then run the cell:** what will the
# cosine of `quokka` with itself be?

# %%
noise = np.random.default_rng(3)


def hasty_embedding(word, vectors):
    return vectors[word] if word in vectors else noise.standard_normal(vectors.vector_size)


word_pictures.try_out(hasty_embedding, vectors)

# %% [markdown]
# **Find the slips.** `hasty_embedding` makes three; the printout betrays two, luck hides the third.
#
# <details><summary>The slips</summary>
#
# 1. **A new vector on every call.** Read twice, a word is two things.
# 2. **A view instead of a copy.** Whoever writes into this row of gensim's matrix changes the model.
# 3. **A length of its own.** $d$ standard normal numbers make a vector about $\sqrt d$ long: 7 for 50 numbers, 17 for
#    300. Ours are about 6 long: 50 pass.
#
# </details>

# %% [markdown] prompt="word_embedding"
# ### Exercise: `word_embedding`
# ★★☆ · 12 minutes
#
# A known word gives a copy of its vector. An unknown word gives a stand-in that practically no other word has, that is
# always the same (also tomorrow, in a new kernel), and at most three times longer or shorter than the median vector of
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
# `word in vectors` says whether it is known. A generator with the same seed draws the same numbers, so make the seed
# from the word. Python's `hash` differs from one process to the next; `zlib.crc32(word.encode())` does not.
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
sentence_2 = "dogs are playing in the park"  # these are looked at: the keys K and the values V
Q = sentence_matrix(sentence_1, vectors)
K = V = sentence_matrix(sentence_2, vectors)

maps.show_matrices({"queries": sentence_1, "keys": sentence_2}, {"queries": Q, "keys": K})

# %% [markdown]
# All three rows of `the` are equal: these vectors do not know where a word stands.

# %% [markdown]
# ## 2. One look, by hand
#
# Words that look give the **queries** $Q$; words that are looked at give the **keys** $K$, by which they are found,
# and the **values** $V$, which they hand over:
#
# $$\operatorname{attention}(Q, K, V) = \operatorname{softmax}\!\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V$$
#
# The dot product of a query and a key is their **score**, divided by the root of their width $d_k$ (lesson 2 says why).
# **Softmax** turns one query's scores into **weights**, which mix the values. With made-up vectors:
#
# | | sour | red | yellow | cold | score with `lemon` | divided by $\sqrt 4$ | exp | weight | value |
# | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
# | query `lemon` | 2 | 0 | 1 | 0 | | | | | |
# | key `grapefruit` | 2 | 1 | 0 | 0 | 2·2 + 0·1 + 1·0 + 0·0 = 4 | 2 | 7.39 | **.665** | (10, 0) |
# | key `flame` | 0 | 2 | 2 | 0 | 2·0 + 0·2 + 1·2 + 0·0 = 2 | 1 | 2.72 | **.245** | (0, 10) |
# | key `snow` | 0 | 0 | 0 | 2 | 2·0 + 0·0 + 1·0 + 0·2 = 0 | 0 | 1.00 | **.090** | (5, 5) |
#
# The exponentials sum to 11.11, and each is divided by that: a query gives away one whole unit of attention. Its
# output is .665·(10, 0) + .245·(0, 10) + .090·(5, 5) = **(7.10, 2.90)**.

# %% [markdown]
# ### Masks, and a word on True
#
# Sometimes a query must not look everywhere, such as at words still to come. A **mask** says where it may. What its
# `True` means differs: here, and in PyTorch's `scaled_dot_product_attention`, it is **may look**; in its
# `nn.MultiheadAttention`, **must not look**.

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
# A key with the score s takes part with exp(s): for which s is that nothing? What do the other two sum to?
#
# </details>
# <details data-part="never"><summary>Checked? How a mask works</summary>
#
# The hidden key gets the score $-\infty$ *before* the softmax: its exponential is 0, and the others share, 2.72 and
# 1.00 divided by 3.72. Set to zero afterwards, it would leave a sum of .335.
#
# </details>

# %% [markdown]
# ### Bring your own softmax
#
# Yours from lesson 1, if saved; else the course's.

# %% setup="bring_your_own"
softmax = bring_your_own("softmax")

# %% [markdown] prompt="guess_far_apart"
# ### Predict: rows that are far apart
# ★☆☆ · 4 minutes
#
# `np.exp(1000)` is too large for a float, so one takes the largest score off first; the weights stay what they are.
# Which rows of `far_apart`, counted from 0, come out as `nan` ("not a number")? A list.

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
# Each row needs a maximum of its own; `softmax` takes it.

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
# Its highest score is −∞, and −∞ − (−∞) is not a number. Let such a row take any scores through `softmax`, then set
# its weights to 0: `mask.any(axis=-1, keepdims=True)` tells which rows may look, `np.where` chooses.
#
# </details>

# %% [markdown]
# Does PyTorch agree?

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
# Which word of *dogs are playing in the park* does `cat` look at most? And `sat`? And `mat`?

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
# Those of words that keep similar company: which word could stand in the place of `cat`, of `sat`, of `mat`? Or ask:
# `vectors.similarity("cat", "are")` is the cosine of two words.
#
# </details>

# %% [markdown] prompt="plot_attention_weights"
# ### Exercise: `plot_attention_weights`
# ★★☆ · 6 minutes
#
# Draw the weights as a seaborn heatmap: a row for each query, a column for each key, their words along both sides, the
# weight in every cell, a title, and axis labels that name query and key. Return the Axes. So that pictures compare, let
# colours run from 0 to 1 in the course's map, `figures.CMAP`.

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
# A string is split by `.split()`. Begin with `_, axes = plt.subplots()`. `help(sns.heatmap)`: look for labels, `annot`,
# limits and `ax`. Which sentence runs along x? Axes have `set(xlabel=…, ylabel=…, title=…)`.
#
# </details>

# %%
axes = plot_attention_weights(attention_weights, sentence_1, sentence_2)
word_pictures.conventions(axes)
axes.set_title("Word vectors as they are")
maps.show(axes)

# %% [markdown]
# `cat` looks at `dogs` with .91 of its attention, `mat` at `park` with .92, `on` at `in` with .59, and `the` finds
# itself. `sat` is less sure: .60 for `playing`, but .25 for `are`. That is not meaning alone: a dot product grows with
# the key's length.

# %% [markdown]
# ### What has `cat` become?
#
# Each word that looked has an output of 50 numbers. Its neighbours:

# %%
word_pictures.become(vectors, sentence_1, Q, output)

# %% [markdown]
# `cat` has gone over to the dogs, `mat` to the park; nothing of them is left, since all values come from sentence 2.
# `sat` ends between `playing` and `are`, where no word lives: the nearest has a cosine of .80.

# %% [markdown]
# ### Directions alone
#
# `are` drew a quarter of `sat`'s attention with a vector nearly twice as long as that of `playing`. Take length away:
# make every vector 1 long, and scores are cosines. **Decide, then run the cell:** will the picture be sharper, much the
# same, or flat?

# %%
def unit(rows):
    return rows / np.linalg.norm(rows, axis=-1, keepdims=True)


_, flat_weights = scaled_dot_product_attention(unit(Q), unit(K), V)
axes = plot_attention_weights(flat_weights, sentence_1, sentence_2)
axes.set_title("The same words, all vectors of length 1")
maps.show(axes)

# %% [markdown]
# Flat: between .16 and .19, where $1/6 \approx .167$ is an even share. No words could do better: at best one key has
# the cosine 1 and five have −1. Divided by $\sqrt{50} \approx 7.07$, that makes .21.

# %% [markdown]
# ### The quokka shouts
#
# Every output is now nearly the mean of the values. Let an unknown word in, 17 long as 300 random numbers are, or 1
# long. **Decide:** which words will come out?

# %%
stranger = "dogs see a quokka play there"
calm = unit(sentence_matrix(stranger, vectors))
loud = calm.copy()
loud[3] *= 17  # the length of 300 random numbers
mixed = {"quokka, 17 long": loud, "quokka, 1 long": calm}
word_pictures.likenesses(scaled_dot_product_attention, unit(Q), mixed, sentence_1, stranger)

# %% [markdown]
# On the left a `quokka` comes out, whoever looked: a mean listens to the loudest. On the right it is one voice of six.

# %% [markdown]
# ### Turn the temperature
#
# What scores are divided by before a softmax is its **temperature**. Divide the cosines by a $T$ of your choice. **How
# hot may it get before `sat` gives `playing` less than half?**

# %%
word_pictures.turn_temperature(scaled_dot_product_attention, Q, K, sentence_1, sentence_2)

# %% [markdown]
# Up to about 0.32 (0.3 on the slider). A cold query looks at one key, a hot one shares evenly; $T = 7$ is nearly the
# flat map.
#
# Lengths differ, so no $T$ gives our first picture back: at $T = 0.2$, `mat` gives `park` .69, there .92.

# %% [markdown]
# ### Your own sentences
#
# Write yours, in small letters. With a network, `real_words = True` fetches vectors learned from Google News (1.6 GB,
# once).

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

# %% [markdown] written="explain_keys_and_values" points=4
# ### Explain: one vector, two jobs
# ★★☆ · 10 minutes
#
# Here `K` and `V` are the same matrix. What does a key do, and what a value? Why do both come from the same words? When
# should they differ? Four to six sentences, with an example of your own. (4 points)
#
# ### BEGIN SOLUTION
# A key is what a word is found by, a value what it hands over. Weight j comes from key j and multiplies value j, so
# both have to speak of the same word. Here nothing is trained, and the vector is all that we know of a word, so it does
# both jobs. They should differ when what one looks for is not what one wants: a dictionary is searched for a word and
# gives its meaning.
#
# **Rubric** (1 point each)
# - what each is for: a key is compared with the query, a value goes into the output
# - row j of K and row j of V stand for the same word
# - why one vector can do both here: nothing is trained, and it is all that describes the word
# - a case in which they should differ, and why: a lookup, a translation, learned W_K and W_V, …
# ### END SOLUTION

# %% [markdown]
# ## 5. The pretty picture, put to the test
#
# So far nothing was trained to look. Now something is, and your bet is on it. In a trained model, learned matrices
# $W_Q$ and $W_K$ make queries and keys. A **head** is one such attention; the course's writer (lesson 7) has eight.
# Your function computes the pictured one; words look back only.

# %%
sentence = ". the animal did not cross the street because it"  # the full stop: a sentence begins
looks_back = np.tri(len(sentence.split()), dtype=bool)
head = load_writer().head(sentence.split(), layer=1, head=2)  # its Q, K and V
look_inside(scaled_dot_product_attention, *head, looks_back, queries=sentence)

# %% [markdown]
# `animal` gets .89, `street` .00: the nearest noun does not win. So the head understands `it`? A picture that fits one
# story may fit others. Look where the stories part:
#
# > . the king stood near the car because **it** / because **he**
#
# `it` fits only the car, `he` only the king. Take 25 men with a thing each, in both orders (*the car stood near the
# king …*), and swap the pronoun: 50 pairs, a hundred readings. A **hit**: the noun that fits gets most.

# %% [markdown] prompt="guess_swap"
# ### Predict: what would each story do?
# ★★☆ · 4 minutes
#
# Two readers: one understands, the other, our **control**, always names the *nearest earlier noun*. How many of the
# hundred does each hit? In how many of the 50 pairs does the swap change what each says?

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
# Write down *the king stood near the car* with both pronouns, and what the rule names. Then the other order.
#
# </details>

# %%
pronouns.show_swap(scaled_dot_product_attention)

# %% [markdown] prompt="last_looks_at"
# ### Exercise: `last_looks_at`
# ★★☆ · 4 minutes
#
# Four readings prove little. **Return the word that the last one looks at most**, by your attention.

# %% solution="last_looks_at"
def last_looks_at(words: list[str], Q: ndarray, K: ndarray, V: ndarray) -> str:
    """The word that the last of n words looks at most; Q and K are (n, d_k), V is (n, d_v)."""
    ### BEGIN SOLUTION
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[weights[-1].argmax()]
    ### END SOLUTION

# %% test="last_looks_at"
check(last_looks_at)

# %% [markdown] hint="last_looks_at"
# <details><summary>Hint: whose row?</summary>
#
# Rows of the weights belong to words that look. Does a mask change the last row?
#
# </details>

# %% [markdown]
# All hundred readings, and your bet:

# %%
writer = load_writer()


def head_looks_at(words, nouns):
    return last_looks_at(words, *writer.head(words, layer=1, head=2))


pronouns.count({"the head": head_looks_at, "nearest noun": lambda words, nouns: nouns[-1]}, bet=my_bet)

# %% [markdown]
# ### Your verdict
#
# Half, as luck between two nouns would; but the swap never changes its word. What *does* the head look at?
#
# 1. Write `my_rule` so that it names the head's word nearly always.
# 2. Put `then` for `because`. Does your rule hold?
# 3. Say in one sentence what the head does, how often, and where.

# %%
def my_rule(words, nouns):
    return None  # yours: one of the words


pronouns.verdict(head_looks_at, my_rule, link="because")

# %% [markdown]
# <details><summary>Written? What we found</summary>
#
# The swap changes nothing, and it always names a noun: so one reading of each pair is a hit, 50 by arithmetic. The word
# is `nouns[0]`, the first noun, 98 times; after `then` only 18. The picture was right, its story wrong. Its training
# text taught no more: a man stands before his thing (*the king lost his lamp and he was sad*), and after *because* one
# pattern draws `it`, `he` and `she` by lot, while others have only `it`.
#
# </details>
#
# Do other heads know?

# %%
pronouns.every_head(last_looks_at)

# %% [markdown]
# None gets above 50. Now show somebody the picture at the top, take a bet, show the count.

# %% [markdown] prompt="guess_doubled"
# ## Go further
#
# ### Puzzle: twice as long
# ★☆☆ · 4 minutes
#
# All vectors of both sentences are doubled. By which factor do the scores grow? By which would you multiply the
# temperature instead of doubling, for the same weights? Does any query change its favourite key (`True` or `False`)?

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
# For each of several vectors, the known word with the largest cosine, as a list.

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
# nearest (by cosine) to where you arrive, other than these three?

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
# It is their difference: end minus beginning. `vectors.similar_by_vector(there)` gives the nearest ten words.
#
# </details>

# %% [markdown]
# ## What you can now do
#
# - give any word a vector that can be trusted
# - write attention for any batch, with a mask whose `True` you can explain
# - read a heatmap, and test its story against a control
#
# **Next:** in [lesson 4](../04_gaussian_kernel/gaussian_kernel.ipynb) attention is an old acquaintance from statistics.

# %% [markdown]
# *Credits.* The two sentences and the question about keys and values are the seed notes'. Word2vec:
# [Mikolov et al.](https://arxiv.org/abs/1301.3781) (2013). Attention: [Bahdanau et
# al.](https://arxiv.org/abs/1409.0473) (2014); scaled dot products: [Vaswani et
# al.](https://arxiv.org/abs/1706.03762) (2017).
