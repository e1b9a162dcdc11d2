# %% [markdown]
# # Words become numbers, numbers become one vector
#
# *Ming bought apples, then he went home.* **Whom does *he* look at?** You knew at once. A network has only numbers:
# *he* gives every word a **weight** and takes in their **weighted sum**. That is attention, and it asks two things of
# arithmetic:
#
# - How do words of any length become **one vector**, with nothing lost on the way?
# - How do scores, which may be any numbers, become **weights**?
#
# You build both, in six short functions; with the last of them *he* finds Ming. It takes about 60 minutes,
# and 20 more for the puzzles. You need Python and a little NumPy, no earlier lesson. Replace each `TODO` (or `...`),
# run the cell, then the `check(...)` below it; hints fold out.
#
# The notes this course grew from make four mistakes on this road. None raises an error; you will catch all four.

# %% setup="imports"
import numpy as np
from numpy.typing import ArrayLike

from autograder import check, looks, sums

check.lesson("01_weighted_sums")

# %% [markdown]
# Every word has a **score**, any number, here made up; arrows are as thick as the weights. **Turn Ming's score until
# *he* gives Ming nine tenths.** Which numbers move that you did not touch?

# %%
looks.turn_score()

# %% [markdown]
# How scores become weights comes in part 5. First the sums: a word's letters play its **value**, its length stands in
# for its score. Letters and lengths are scaffolding, chosen because you can check them by eye. What stays is the rest:
# a weight for every place, rows of one length, their weighted sum as one product, a softmax for each row.
#
# ## By hand
#
# The sentence *I am*. A letter is its place in the alphabet, so *I* is [9] and *am* is [1, 13]; a word weighs its
# share of the three letters.
#
# | word | numbers | weight | weight × numbers |
# | --- | --- | --- | --- |
# | I | 9 | 1/3 | 3.00, – |
# | am | 1, 13 | 2/3 | 0.67, 8.67 |
# | **together** | | **1** | **3.67, 8.67** |
#
# Multiply numbers by weights, then add up place by place: 3.00 + 0.67 = 3.67. Mind the dash: *I* has no
# second letter, and the 13 of *am* counts all the same.

# %%
text = "The weather is beautiful today in Melbourne"
sentence = text.split()
print(len(sentence), "words,", sum(len(word) for word in sentence), "letters")

# %% [markdown] prompt="letter_embedding"
# ## 1. Letters become numbers
#
# ★☆☆ · 4 minutes
#
# A word's list of numbers is its **embedding**. Real ones are learned from text (lesson 3).
#
# **Give each letter its place in the alphabet**: a = 1 … z = 26, capitals the same.
#
# `word`, n letters → n numbers, as a list or an array

# %% solution="letter_embedding"
def letter_embedding(word: str) -> list[int]:
    """The places of a word's letters in the alphabet, (len(word),): a and A are 1, z and Z are 26."""
    ### BEGIN SOLUTION
    return [ord(letter) - ord("a") + 1 for letter in word.lower()]
    ### END SOLUTION


# %% test="letter_embedding"
check(letter_embedding)

# %% [markdown] hint="letter_embedding"
# <details data-part="one number for each letter; a is 1"><summary>Hint 1: from a letter to a number</summary>
#
# Python numbers all characters: `ord("a")` is 97, `ord("b")` is 98. What do you subtract?
# </details>
# <details data-part="capitals"><summary>Hint 2: capitals</summary>
#
# `ord("T")` and `ord("t")` differ; strings have a method that makes letters small.
# </details>

# %%
for word in sentence:
    print(f"{word:<10}", *letter_embedding(word))

# %% [markdown]
# ## 2. A weight for every word
#
# A word weighs its share of all the letters. A dictionary looks like the natural place for weights; the notes put them
# there:

# %%
def weights_by_word(words: list[str]) -> dict[str, float]:
    letters = sum(len(word) for word in words)
    return {word: len(word) / letters for word in words}


for word, weight in weights_by_word(sentence).items():
    print(f"{word:<10} {weight:.3f}")
print("together  ", round(sum(weights_by_word(sentence).values()), 3))

# %% [markdown] prompt="predict_lost_weight"
# ### Predict before you run
#
# ★☆☆ · 3 minutes
#
# Seven words, seven weights, sum 1. Now take **the cat sat on the mat**, 17 letters. What do the values of
# `weights_by_word` sum to? A fraction such as `5 / 17` is fine.

# %% solution="predict_lost_weight"
### BEGIN SOLUTION
weights_left = 14 / 17
### END SOLUTION

# %% test="predict_lost_weight"
check("predict_lost_weight")

# %% [markdown] hint="predict_lost_weight"
# <details><summary>Hint: the entries</summary>
#
# Write down the keys as the words arrive one by one. What happens when a key is there already? Which words' letters
# still stand above the fraction bar? Below it stand all 17.
# </details>

# %%
rhyme = "the cat sat on the mat"
cat = rhyme.split()
left = weights_by_word(cat)
print(len(cat), "words,", len(left), "weights, sum", round(sum(left.values()), 2))

# %% [markdown]
# The first slip, and no error gave it away.
#
# <details><summary>Predicted and run? What happened</summary>
#
# The sentence has two *the*, a dictionary keyed by word has one, and 3/17 of the whole are gone. A sentence is a
# **sequence**; its words are told apart by where they stand.
# </details>

# %% [markdown] prompt="length_weights"
# ★☆☆ · 3 minutes
#
# **Mend it: one weight for every occurrence**, the word's length divided by the number of all letters.
#
# `words`, n of them → n weights that sum to 1, in the words' order, as a list or an array

# %% solution="length_weights"
def length_weights(words: list[str]) -> np.ndarray:
    """Each occurrence's share of all the letters, (n,). A word that occurs twice has two weights."""
    ### BEGIN SOLUTION
    lengths = np.array([len(word) for word in words])
    return lengths / lengths.sum()
    ### END SOLUTION


# %% test="length_weights"
check(length_weights)

# %% [markdown] hint="length_weights"
# <details><summary>Hint</summary>
#
# Make a list of the lengths, one entry for each word, in order: no dictionary, no set. Then divide each by the sum
# of that same list.
# </details>

# %%
sums.bars_side_by_side(
    {"dictionary": (list(left), list(left.values())), "your weights": (cat, length_weights(cat))}
)

# %% [markdown]
# ## 3. Rows of unequal length
#
# Time to add up, as the notes do: nine zeros, as many as the longest word has letters, and one weighted word after
# another.

# %%
def first_attempt(words: list[str]) -> list[float]:
    letters = sum(len(word) for word in words)
    total = [0.0] * max(len(word) for word in words)
    for word in words:
        weighted = [len(word) / letters * number for number in letter_embedding(word)]
        total = [old + new for old, new in zip(total, weighted)]
    return total


# %% [markdown] prompt="predict_survivors"
# ### Predict before you run
#
# ★★☆ · 3 minutes
#
# The words of our sentence have 3, 7, 2, 9, 5, 2 and 9 letters. How many numbers does `first_attempt(sentence)`
# give back?

# %% solution="predict_survivors"
### BEGIN SOLUTION
numbers_left = 2
### END SOLUTION

# %% test="predict_survivors"
check("predict_survivors")

# %% [markdown] hint="predict_survivors"
# <details><summary>Hint</summary>
#
# `total` is made anew for each word, and `zip` stops as soon as one of its lists ends. How long is `total` after
# *The*?
# </details>

# %%
cut = first_attempt(sentence)
print(*(f"{number:.2f}" for number in cut), "  sum", f"{sum(cut):.2f}")

# %% [markdown]
# The second slip, and again no warning.
#
# <details><summary>Predicted and run? What happened</summary>
#
# Each `zip` cuts the total to the shorter of two lists, so the shortest word, *is*, decides for all: two
# numbers, sum 21.14, just as in the notes.
# </details>
#
# The cure is **padding**: zeros make all rows equally long, and whatever its weight, a zero adds nothing.

# %% [markdown] prompt="pad_rows"
# ★★☆ · 6 minutes
#
# **Write the vectors into the rows of one matrix, each filled up with zeros on its right.**
#
# `vectors`, n lists of numbers → a matrix (n, longest), `longest` being the length of the longest list

# %% solution="pad_rows"
def pad_rows(vectors: list[list[float]]) -> np.ndarray:
    """The vectors as rows of a matrix, (n, longest), with zeros on the right of the shorter ones."""
    ### BEGIN SOLUTION
    longest = max(len(vector) for vector in vectors)
    padded = np.zeros((len(vectors), longest))
    for row, vector in zip(padded, vectors, strict=True):
        row[: len(vector)] = vector
    return padded
    ### END SOLUTION


# %% test="pad_rows"
check(pad_rows)

# %% [markdown] hint="pad_rows"
# <details data-part="one row; each vector; behind it; so do fractions"><summary>Hint: zeros first</summary>
#
# `np.zeros((rows, columns))` gives you all the padding at once. A vector of 3 numbers then goes into the first 3
# places of its row: `row[:3] = vector`.
# </details>
# <details data-part="leaves its input"><summary>Help, my lists grow at every run</summary>
#
# `append`, `extend` and `+=` change the list that you were handed. Fill a new one.
# </details>

# %%
vectors = [list(letter_embedding(word)) for word in sentence]
matrix = np.array(pad_rows(vectors))
sums.rows_of_numbers(sentence, matrix)

# %% [markdown] prompt="weighted_sum"
# ## 4. One vector
#
# ★★☆ · 6 minutes
#
# **Multiply each vector by its weight and add up, place by place, so that nothing is cut off.**
#
# `weights` (n,), an array that sums to 1; `vectors`, n lists of any lengths → (longest,)

# %% solution="weighted_sum"
def weighted_sum(weights: np.ndarray, vectors: list[list[float]]) -> np.ndarray:
    """The sum of the vectors, each times its weight, (longest,); a missing number counts as zero."""
    ### BEGIN SOLUTION
    return weights @ pad_rows(vectors)
    ### END SOLUTION


# %% test="weighted_sum"
check(weighted_sum)

# %% [markdown] hint="weighted_sum"
# <details data-part="as many numbers; vectors of unequal"><summary>Hint 1: equal rows first</summary>
#
# You have just written a function for that. A list times a fraction is an error; a row of a matrix is not.
# </details>
# <details data-part="as many; vectors of one; repeats"><summary>Hint 2: with a loop, or without</summary>
#
# Start from `longest` zeros and add weight times row, again and again. Or: weights (n,) and a matrix (n, longest)
# are to become (longest,). Which product adds up over n?
# </details>

# %%
weights = np.array(length_weights(sentence))
whole = np.array(weighted_sum(weights, vectors))
print("first attempt:", *(f"{number:.2f}" for number in cut), "  sum", f"{sum(cut):.2f}")
print("nothing cut:  ", *(f"{number:.2f}" for number in whole), "  sum", f"{whole.sum():.2f}")

# %% [markdown]
# Nine numbers, sum 78.49. The first ones were right all along; almost three quarters of the sum had been lost. Each
# bar below is one number, each block what one word puts in.

# %%
sums.stacked(sentence, weights, matrix, stopped=len(cut))

# %% [markdown]
# ## 5. Who sets the weights?
#
# Length is a poor judge: *beautiful* and *Melbourne* win, whatever the question. In attention the word that asks has
# a **query**. Every word it may look at has a **key**, which the query is held against, and a **value**, which
# goes into the sum. How well query and key fit is the **score**: any number, the higher the better. Both are lists of
# numbers; multiplied place by place and added up, they give the score: [3, 3] and [1, −1] make 3 − 3 = 0.
#
# Scores are not weights: they may be negative, and sum to anything. But $e^x$ is positive for every $x$ and grows with
# it, so **softmax** takes these powers first, then divides by their sum:
#
# $$\text{weight}_i = \frac{e^{x_i}}{\sum_j e^{x_j}}$$
#
# By hand, for the scores 2, 1 and 0.1:
#
# | score | power $e^x$ | weight |
# | --- | --- | --- |
# | 2 | 7.39 | 7.39 / 11.21 = 0.659 |
# | 1 | 2.72 | 0.242 |
# | 0.1 | 1.11 | 0.099 |
# | **together** | **11.21** (before rounding) | **1** |
#
# The notes write it in three lines:

# %%
def softmax_from_the_notes(scores: ArrayLike) -> np.ndarray:
    powers = np.exp(scores)  # line 1
    total = np.sum(powers)  # line 2
    return powers / total  # line 3


print(softmax_from_the_notes([2.0, 1.0, 0.1]).round(3))

# %% [markdown]
# It works. Now all seven words ask at once: a 7 × 7 matrix of random scores, a row for each query, a column for each
# key. Each row of weights should sum to 1.

# %%
scores = np.random.default_rng(1).normal(scale=4, size=(7, 7))
faulty = softmax_from_the_notes(scores)
for word, row_sum in zip(sentence, faulty.sum(axis=1), strict=True):
    print(f"{word:<10} shares out {row_sum:.5f}")

# %% [markdown] prompt="find_the_slip"
# ### Find the slip
#
# ★★☆ · 4 minutes
#
# The row of *today* sums to 0.96, the other six share the rest. In the notes, with ten words and 100 scores, one row
# summed to 7e-17 and another to 0.05. Which line of `softmax_from_the_notes` keeps the rows from summing to 1: 1, 2
# or 3?

# %% solution="find_the_slip"
### BEGIN SOLUTION
faulty_line = 2
### END SOLUTION

# %% test="find_the_slip"
check("find_the_slip")

# %% [markdown] hint="find_the_slip"
# <details><summary>Hint: shapes</summary>
#
# Write the shape of what each line makes next to it, for scores of shape (7, 7). In which line are totals made, and
# how many?
# </details>
# <details data-part="never"><summary>Found it? Compare</summary>
#
# One total for all 49 scores, where each of the seven rows needs its own: line 2, the third slip.
# </details>

# %% [markdown] prompt="predict_shifted"
# ### Predict before you run
#
# ★★☆ · 4 minutes
#
# One slip is left, and it wants larger scores. What *should* the softmax of **[710, 709]** be, by the formula? Give
# both weights to two decimals, as a list. You need no power but $e^1$ = 2.72.

# %% solution="predict_shifted"
### BEGIN SOLUTION
shifted_weights = [0.731, 0.269]
### END SOLUTION

# %% test="predict_shifted"
check("predict_shifted")

# %% [markdown] hint="predict_shifted"
# <details><summary>Hint: a common factor</summary>
#
# e⁷¹⁰ = e⁷⁰⁹ · e. Write both powers with e⁷⁰⁹ in front: it stands above and below the fraction
# bar. What is left after cancelling?
# </details>

# %%
with np.errstate(over="ignore", invalid="ignore"):  # here NumPy would warn: a RuntimeWarning, no error
    print("softmax of [1, 0]:    ", softmax_from_the_notes([1.0, 0.0]).round(3))
    print("softmax of [710, 709]:", softmax_from_the_notes([710.0, 709.0]).round(3))
    print("exp(709) and exp(710):", f"{np.exp(709.0):.1e} and {np.exp(710.0)}")

# %% [markdown]
# The fourth slip, **overflow**: `exp(709)` just fits into a float, `exp(710)` becomes infinity. Infinity divided by
# infinity is `nan`, *not a number*; `exp(709)` divided by infinity is 0.
#
# <details><summary>Predicted and run? The way out</summary>
#
# [710, 709] should get the weights of [1, 0]. Only the **differences** between scores matter: subtract one number from
# a whole row, and its weights stay. Which number keeps every power at 1 or below?
# </details>

# %% [markdown] prompt="softmax"
# ## 6. Softmax, mended
#
# ★★★ · 12 minutes
#
# **Turn scores into shares that sum to 1 along an axis**, for scores of any size.
#
# `x`, a list or an array of any shape, whole numbers or not → shares of the same shape that sum to 1 along
# `axis`; finite for every finite `x`, and `x` itself stays as it is
#
# In a matrix, `axis=1` runs along each row and `axis=0` down each column; `axis=-1`, the default, is always the last
# one.

# %% solution="softmax"
def softmax(x: ArrayLike, axis: int = -1) -> np.ndarray:
    """Shares of the shape of `x`, positive or zero, that sum to 1 along `axis`.

    Each slice along `axis` is shared out by itself; it may hold numbers in the thousands.
    """
    ### BEGIN SOLUTION
    x = np.asarray(x)
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
    ### END SOLUTION


# %% test="softmax"
check(softmax)

# %% [markdown] hint="softmax"
# <details data-part="every row sums; so they are along; takes lists"><summary>Hint 1: one total for each row</summary>
#
# Make `x` an array first. `sum(axis=...)` adds up along one axis only: which one were you asked for?
# </details>
# <details data-part="keeps the shape; the shares in each row; so they are along">
# <summary>Hint 2: shapes that fit</summary>
#
# From (7, 7), `sum(axis=1)` makes (7,), which NumPy lines up with the *columns*; with `keepdims=True` it makes (7, 1).
# </details>
# <details data-part="the shares of huge; rows thousands"><summary>Hint 3: one maximum for each row</summary>
#
# Subtract a maximum before `exp`, and not the largest score of all: it is no help to a row that lies 5000 below it,
# where each power becomes 0, and 0/0 is `nan`. Take the maximum as you take the sum, along the axis.
# </details>
# <details data-part="takes whole numbers; leaves x">
# <summary>Help, I get zeros, or an error about casting, for whole numbers</summary>
#
# An array of whole numbers cannot hold 0.7. Do not write shares into `x`, nor into an array made like it.
# </details>

# %%
mended = np.array(softmax(scores))
sums.two_maps(
    sentence,
    {"one total for the whole matrix": faulty, "one total for each query": mended},
    note="Random scores: look at the sums, who looks at whom means nothing here",
)

# %% [markdown]
# Each row on the right is one query's weights, and `weighted_sum` makes one vector of it. All seven at once are a
# single **matrix product**, weights times values:

# %%
together = mended @ matrix  # weights (7, 7) @ values (7, 9) -> (7, 9)
print("all queries:", together.shape)
print("The, as a row of the product:", *(f"{number:.2f}" for number in together[0]))
print("The, by your weighted_sum:   ", *(f"{number:.2f}" for number in weighted_sum(mended[0], vectors)))

# %% [markdown]
# **Three ways, one result.** The mean of the words so far (its first number is printed): by a loop, by a matrix of
# shares, by a softmax that hides later words. A model that writes must not read ahead: lesson 6 does it the third way.

# %%
so_far = np.tri(7)  # row i: 1 for the words up to i, 0 for later ones
ways = {
    "loop": [matrix[: i + 1].mean(axis=0) for i in range(7)],
    "matrix": so_far / so_far.sum(axis=1, keepdims=True) @ matrix,
    "softmax": softmax(np.where(so_far, 0.0, -np.inf)) @ matrix,  # e^-inf = 0: hidden
}
for name, means in ways.items():
    print(f"{name:8}", *(f"{row[0]:5.2f}" for row in means))

# %% [markdown]
# ## 7. *He* makes his choice
#
# Again *he* asks, now with your softmax. Each word's value is two numbers, made up as well, so a point.
# **Turn the score of *Ming*.** Where can the star go? What happens to *apples* and *bought*, whose scores stay?

# %%
values = np.array([[4, 4], [1, 1], [0, 4], [2, 0], [3, 2], [4, 0.5], [0, 0]])
sums.move_score(softmax, looks.WORDS, np.array(looks.SCORES), values)

# %% [markdown]
# <details><summary>Turned it? Compare</summary>
#
# - Far below the others *Ming* counts for nothing, far above for nearly everything. From a tenth to nine tenths it
#   takes 4.4 points: how far scores lie apart decides how sharply softmax chooses.
# - The others shrink all alike: *apples*, one point above *bought*, keeps e ≈ 2.72 times its weight. Equal
#   differences make equal ratios: hence $e^x$.
# - The star never leaves the area between the points: a weighted sum mixes values, it never exaggerates.
# </details>

# %% [markdown]
# Who makes the scores? A **query** says what a word looks for, a **key** what it offers.

# %% [markdown] prompt="find_ming"
# ### Have *he* find Ming
#
# ★★☆ · 8 minutes
#
# **Choose a query and a key for every word, so that *he* gives *Ming* nine tenths of his weight or more** in each of
# these sentences:
#
# - Ming bought apples then he went home
# - Anna called Ming because he was late
# - While he slept Ming dreamed of Anna and apples
#
# `word` → (query, key), two lists of numbers, all of one length, which you choose.

# %% solution="find_ming"
def find_ming(word: str) -> tuple[list[float], list[float]]:
    """The query and the key of a word, (d,) each: with the same d for all words."""
    ### BEGIN SOLUTION
    query = [9, 0] if word == "he" else [0, 0]
    key = [1, 0] if word == "Ming" else [0, 1]
    return query, key
    ### END SOLUTION


# %% test="find_ming"
check(find_ming)

# %% [markdown] hint="find_ming"
# <details data-part="a query and a key; he looks"><summary>Hint 1: what the numbers mean</summary>
#
# You may give each place a meaning: *is a name*, *is a man*. A key says what a word is, a query what is wanted. Only
# *he* asks here; all other queries may be zeros.
# </details>
# <details data-part="and with"><summary>Hint 2: how far apart</summary>
#
# A word with score s among eight with score 0, as in the longest sentence, gets e^s / (e^s + 8). How large must s be
# for 0.9?
# </details>

# %%
for line in ("Anna called Ming because he was late", "Ming bought apples then he went home"):
    sentence_words = line.split()
    queries, keys = (np.array(rows) for rows in zip(*map(find_ming, sentence_words)))
    he = sentence_words.index("he")
    weights_of_he = softmax(keys @ queries[he])
    looks.arrows(sentence_words, weights_of_he, asking=he, title="Whom does he look at? (your queries and keys)")
print("he takes in", (weights_of_he @ values).round(1), "and Ming's value is", values[0])

# %% [markdown]
# In a trained model, learned matrices make queries and keys.

# %% [markdown]
# ## Go further

# %% [markdown] prompt="shuffled_together"
# ### Puzzle: shuffled
#
# ★☆☆ · 5 minutes
#
# Weights [0.5, 0.25, 0.25] and vectors [8, 0], [0, 4], [4, 4] make [5, 2]. Now a shuffle brings the third to the
# front: third, first, second. What comes out where it shuffles **weights and vectors alike**, and what where it
# shuffles **the vectors alone**? A list of two numbers each, without running anything.

# %% solution="shuffled_together"
### BEGIN SOLUTION
both_shuffled = [5, 2]
vectors_shuffled = [4, 3]
### END SOLUTION

# %% test="shuffled_together"
check("shuffled_together")

# %% [markdown] hint="shuffled_together"
# <details><summary>Hint</summary>
#
# Write down which weight meets which vector, before and after. Does it matter in which order you add up?
# </details>

# %% [markdown] prompt="batched_sums"
# ### Puzzle: a batch in one line
#
# ★★☆ · 5 minutes
#
# In `np.einsum("qk,kd->qd", weights, values)` each axis has a letter, and what is missing behind the arrow is added
# up: the matrix product from above. **For each sentence of a batch and each of its queries: the weighted sum of that
# sentence's values**, without a loop.
#
# `weights` (batch, n_q, n_k), `values` (batch, n_k, d) → (batch, n_q, d)

# %% solution="batched_sums"
def batched_sums(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    """For each sentence and each of its queries the weighted sum of the sentence's values, (batch, n_q, d)."""
    ### BEGIN SOLUTION
    return np.einsum("bqk,bkd->bqd", weights, values)
    ### END SOLUTION


# %% test="batched_sums"
check(batched_sums)

# %% [markdown] hint="batched_sums"
# <details><summary>Hint</summary>
#
# A fourth letter, for the sentence. It stands in all three places, so it is not added up.
# </details>

# %% [markdown] prompt="join_halves"
# ### Puzzle: two halves
#
# ★★★ · 10 minutes
#
# A row of scores is too long for the memory and comes in two halves. Of each you keep three things: its largest
# score *top*; its *total*, the sum of exp(score − top); and its *mean*, the weighted sum by this half's own softmax.
# **Join them to the weighted sum by the softmax of the whole row**, for scores of any size.
#
# `first`, `second`: each a tuple (top, total, mean), with mean (d,) → (d,)

# %% solution="join_halves"
def join_halves(first: tuple[float, float, np.ndarray], second: tuple[float, float, np.ndarray]) -> np.ndarray:
    """The weighted sum over both halves, each given as (top, total, mean), (d,)."""
    ### BEGIN SOLUTION
    highest = max(first[0], second[0])
    sizes = [total * np.exp(top - highest) for top, total, _ in (first, second)]
    return (sizes[0] * first[2] + sizes[1] * second[2]) / sum(sizes)
    ### END SOLUTION


# %% test="join_halves"
check(join_halves)

# %% [markdown] hint="join_halves"
# <details><summary>Hint</summary>
#
# The result is a weighted sum of the two means; what does each half weigh? The totals were shifted by different
# numbers. Shift both by the larger top: a half with total t and top m then has t · exp(m − larger top).
# </details>

# %% [markdown]
# *FlashAttention* reads its long rows so: piece by piece, and exactly.

# %% [markdown]
# ## What you can now do
#
# - make one vector of many rows, padded and not cut, and do it for many queries by one matrix product
# - turn any scores into weights with a `softmax` that works row by row and does not overflow
# - look at shapes and row sums first: none of the four slips raised an error
# - choose queries and keys that make one word find another
#
# **Next:** in [02, attention you can check by hand](../02_toy_tensors/toy_tensors.ipynb), all queries meet all keys.

# %% [markdown]
# ---
# *Credits.* The sentence about Melbourne, its numbers and its weights come from the notes that this course grew
# from, slips included. Weighing inputs by learned scores: [Bahdanau, Cho and
# Bengio](https://arxiv.org/abs/1409.0473) (2014); scores as dot products: [Luong, Pham and
# Manning](https://arxiv.org/abs/1508.04025) (2015); queries, keys and values: [Vaswani et
# al.](https://arxiv.org/abs/1706.03762) (2017). Softmax in pieces: [Milakov and
# Gimelshein](https://arxiv.org/abs/1805.02867) (2018); [FlashAttention](https://arxiv.org/abs/2205.14135) (2022).
