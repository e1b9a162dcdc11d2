# %% [markdown]
# # Words become numbers, numbers become one vector
#
# *Ming bought apples, then he went home.* **Who is *he*?** You knew at once: you looked back and found *Ming*.
#
# A model has only numbers for this. The word *he* gives each word of the sentence a **weight**: a number from 0 to 1
# that says how much *he* takes from that word. The weights sum to 1. **Attention** means that a word takes something
# from each word of its sentence, and the weights say how much. In this lesson you write the main parts of attention,
# and with them *he* finds Ming.
#
# The lesson takes about 125 minutes, and 20 more for the puzzles, reading included. You need Python and a little NumPy,
# and no earlier lesson. Replace each `TODO`, run the cell, then run the `check(...)` below it. The hints fold out.
#
# A first draft of this lesson contained four mistakes. None of them stopped the program. You will mend all four.

# %% setup="imports"
import numpy as np
from numpy.typing import ArrayLike

from autograder import check
from attention import looks

check.lesson("01_weighted_sums")

# %% [markdown]
# In the picture each word has a **score**, a number that says how well the word fits what *he* looks for. The higher a
# word's score, the larger its weight. These scores are made up. The larger a weight, the thicker its arrow.
#
# **Turn Ming's score until *he* gives Ming a weight of 0.9.** What happens to the other weights?

# %%
looks.turn_score()

# %% [markdown]
# <details><summary>Turned it? Compare</summary>
#
# The other weights shrink, although their scores stay, because all weights sum to 1.
# </details>
#
# Where do scores come from, and how do they become weights?
#
# ## 1. How does a word become numbers?
#
# A program cannot compute with the word *home*. So each word becomes a list of numbers, its **word vector**, also
# called its **embedding**. Models learn word vectors from text (lesson 3). Ours have three numbers that you can read:
#
# | | a person? | a place? | an action? |
# | --- | --- | --- | --- |
# | Ming, he | 1 | 0 | 0 |
# | bought | 0 | 0 | 1 |
# | apples, then | 0 | 0 | 0 |
# | went | 0 | 1 | 1 |
# | home | 0 | 1 | 0 |
#
# *Went* has two ones: it is an action that leads to a place. In the program, the vectors are the rows of a matrix, a
# table of numbers.

# %%
words = ["Ming", "bought", "apples", "then", "he", "went", "home"]
word_vectors = np.array([[1, 0, 0], [0, 0, 1], [0, 0, 0], [0, 0, 0], [1, 0, 0], [0, 1, 1], [0, 1, 0]])
print(word_vectors.shape, "= 7 words with 3 numbers each")

# %% [markdown]
# ## 2. How does a word take something from other words?
#
# Suppose that *he* gives Ming the weight 0.6, *went* 0.3 and *home* 0.1. Multiply each word's vector by its weight, and
# add up the results, column by column. This is a **weighted sum**.
#
# | word | vector | weight | weight × vector |
# | --- | --- | --- | --- |
# | Ming | 1, 0, 0 | 0.6 | 0.6, 0.0, 0.0 |
# | went | 0, 1, 1 | 0.3 | 0.0, 0.3, 0.3 |
# | home | 0, 1, 0 | 0.1 | 0.0, 0.1, 0.0 |
# | **weighted sum** | | **1** | **0.6, 0.4, 0.3** |
#
# The result is one vector for *he*: more of a person than of a place or an action. A vector that is added up in this
# way is called a **value**. NumPy writes the whole table as one **matrix product**: `weights @ values` multiplies each
# row of `values` by its weight and adds up the rows.

# %%
weights = np.array([0.6, 0, 0, 0, 0, 0.3, 0.1])
print(weights @ word_vectors)  # (7,) @ (7, 3) -> (3,)

# %% [markdown]
# ## 3. How well do two words fit?
#
# So far the weights were made up. They should come from the words: the better a word fits, the larger its weight. To
# compare two words, multiply their vectors number by number and add up. The result is their **dot product**. It is
# large when both vectors have large numbers in the same places. So we take it as the score.
#
# - *he* and *Ming*: [1, 0, 0] and [1, 0, 0] give 1·1 + 0·0 + 0·0 = 1. Both are persons.
# - *he* and *home*: [1, 0, 0] and [0, 1, 0] give 1·0 + 0·1 + 0·0 = 0. They have nothing in common.
#
# A matrix product computes the scores of *he* with all seven words at once:

# %%
he = words.index("he")
scores_of_he = word_vectors @ word_vectors[he]  # (7, 3) @ (3,) -> (7,)
print(dict(zip(words, scores_of_he.tolist())))

# %% [markdown]
# ## 4. How do scores become weights?
#
# Scores may be negative, and their sum may be any number. **Softmax** turns scores into weights that are not negative
# and sum to 1. First it takes $e^x$ of each score $x$, because $e^x$ is always positive and grows with $x$. Then it
# divides each of these powers by their sum. So each weight is a *share* of one whole:
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
# | **together** | **11.21** (from unrounded powers) | **1** |
#
# The first draft of this lesson had these three lines for it:

# %%
def softmax_first_draft(scores: ArrayLike) -> np.ndarray:
    powers = np.exp(scores)  # line 1
    total = np.sum(powers)  # line 2
    return powers / total  # line 3


# %%
weights_of_he = softmax_first_draft(scores_of_he)
looks.arrows(words, weights_of_he, asking=he, title="Whom does 'he' look at? (scores from word vectors)")
print("he takes in", (weights_of_he @ word_vectors).round(2))

# %% [markdown]
# **These are the three steps of attention:** scores by dot products, weights by softmax, and a weighted sum of values.
#
# Three things are not right yet:
#
# - The draft's softmax is right here, but it fails for several rows or for large scores (section 5).
# - *He* looks at himself as much as at *Ming*, because their vectors are the same (section 7).
# - Nearly half of the weight goes to the five words that score 0, because 0 and 1 lie close together (section 7).
#
# ## 5. When does the first softmax fail?
#
# In a model, each word asks in the same way as *he*. The scores then form a matrix, with a row for each word that asks
# and a column for each word that is looked at. The weights of each row should sum to 1. Do they?

# %%
scores = word_vectors @ word_vectors.T  # (7, 3) @ (3, 7) -> (7, 7)
faulty = softmax_first_draft(scores)
print("sums of the rows:", faulty.sum(axis=1).round(3))

# %% [markdown] prompt="find_the_slip"
# ### Find the mistake
#
# ★★☆ · 4 minutes
#
# No row sums to 1. Which line of `softmax_first_draft` has the mistake: 1, 2 or 3?

# %% solution="find_the_slip"
### BEGIN SOLUTION
faulty_line = 2
### END SOLUTION

# %% test="find_the_slip"
check("find_the_slip")

# %% [markdown] hint="find_the_slip"
# <details><summary>Hint: shapes</summary>
#
# Scores of shape (7, 7): what shape has the result of each line? How many totals are there?
# </details>
# <details data-part="never"><summary>Found it? Compare</summary>
#
# Line 2 computes one total for all 49 scores. Each row needs a total of its own. This is the first mistake.
# </details>

# %% [markdown] prompt="predict_shifted"
# ### By hand: the softmax of large scores
#
# ★★☆ · 4 minutes
#
# The second mistake shows with larger scores. By the formula, what *should* the softmax of **[710, 709]** be? Give
# both weights to two decimals, as a list. You need only $e^1$ = 2.72.

# %% solution="predict_shifted"
### BEGIN SOLUTION
shifted_weights = [0.731, 0.269]
### END SOLUTION

# %% test="predict_shifted"
check("predict_shifted")

# %% [markdown] hint="predict_shifted"
# <details><summary>Hint: a common factor</summary>
#
# e⁷¹⁰ = e⁷⁰⁹ · e. Write both powers with e⁷⁰⁹ in front. What is left after cancelling?
# </details>

# %%
with np.errstate(over="ignore", invalid="ignore"):  # NumPy would print a RuntimeWarning here, but no error
    print("softmax of [710, 709]:", softmax_first_draft([710.0, 709.0]).round(3))
    print("exp(709) and exp(710):", np.exp([709.0, 710.0]))

# %% [markdown]
# The second mistake is an **overflow**: a number becomes too large for the computer's format. `exp(709)` just fits,
# `exp(710)` becomes infinity. Infinity divided by infinity is `nan`, which means *not a number*, and `exp(709)` divided
# by infinity is 0.
#
# Only the *differences* between scores matter: where a score is 1 higher, the weight is e ≈ 2.72 times as large. So you
# may subtract one number from all scores of a row, and the weights stay the same: [710, 709] has those of [1, 0]. Which
# is the smallest number that you can subtract so that every power is 1 or smaller?

# %% [markdown] prompt="softmax"
# ### Exercise: a softmax that is safe
#
# ★★★ · 20 minutes
#
# **Turn scores into weights (shares) that sum to 1 along an axis**, also for scores in the thousands.
#
# - `x` is a list or an array of any shape, of type `int` or `float`. Do not change it.
# - The result has the same shape, and its weights are finite and sum to 1 along `axis`. A power too small for the
#   computer's format becomes 0.
#
# In a matrix, `axis=1` runs along each row and `axis=0` down each column. Each such row or column is a *slice*. The
# default, `axis=-1`, is the last axis.

# %% solution="softmax"
def softmax(x: ArrayLike, axis: int = -1) -> np.ndarray:
    """Return weights of the shape of `x`, positive or zero, that sum to 1 along `axis`.

    Each slice along `axis` is computed by itself. It may hold numbers in the thousands.
    """
    ### BEGIN SOLUTION
    x = np.asarray(x)
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
    ### END SOLUTION


# %% test="softmax"
check(softmax)

# %% [markdown] hint="softmax"
# <details data-part="every row sums; the shares are; takes lists"><summary>Hint 1: one total for each row</summary>
#
# Make `x` an array first. `sum(axis=...)` adds up along one axis only. Along which one?
# </details>
# <details data-part="keeps the shape; the shares in each row; the shares are">
# <summary>Hint 2: shapes that fit</summary>
#
# Dividing (7, 7) by (7,) divides column j by total j. You want row i divided by total i. With `keepdims=True` the
# totals have the shape (7, 1).
# </details>
# <details data-part="the shares of huge; rows thousands"><summary>Hint 3: one maximum for each row</summary>
#
# Subtract a maximum before `exp`. Take it along the same axis as the sum. If you subtract the largest score of the
# whole matrix, every power in a row 5000 lower becomes 0, and 0/0 is `nan`.
# </details>
# <details data-part="takes whole numbers; leaves x">
# <summary>Help, I get zeros, or an error about casting, for whole numbers</summary>
#
# An array of whole numbers cannot hold 0.7. Do not write weights into `x`, nor into an array made like it.
# </details>

# %%
mended = np.array(softmax(scores))
looks.two_maps(words, faulty, mended)
print((mended @ word_vectors).round(2))
print("softmax of [710, 709]:", np.round(softmax([710.0, 709.0]), 3))

# %% [markdown]
# On the right each row sums to 1. `mended @ word_vectors` computes the weighted sums of all seven words at once.
#
# ## 6. How can you read whom *he* found?
#
# *He* took in [0.52, 0.19, 0.19], and these numbers do not say which person *he* found. But a value may be any vector,
# because values are only weighed and added up. From now on a word's value is its letters: a = 1 … z = 26, and *Ming*
# is [13, 9, 14, 7]. If *he* gives nearly all the weight to *Ming*, the weighted sum nearly spells *Ming*.
#
# You write four short functions: letters to numbers, weights to test with, padding, and the weighted sum.

# %% [markdown] prompt="letter_embedding"
# ### Letters become numbers
#
# ★☆☆ · 4 minutes
#
# **Give each letter its place in the alphabet**: a = 1 … z = 26, and the same for capitals.
#
# For a `word` of n letters, return n numbers, as a list or an array. The function is called an embedding, because a
# word becomes numbers, as in section 1. (In real models all words have equally many numbers.)

# %% solution="letter_embedding"
def letter_embedding(word: str) -> list[int]:
    """Return the places of a word's letters in the alphabet, (len(word),): a and A are 1, z and Z are 26."""
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
# `ord("T")` and `ord("t")` differ. Strings have a method that makes letters small.
# </details>

# %% [markdown]
# ### The same word twice
#
# A simple weight is a word's number of letters, divided by the number of all letters. These weights are not attention,
# because no word asks. In *I am*, they are 1/3 and 2/3. The first draft kept them in a dictionary:

# %%
def weights_by_word(words: list[str]) -> dict[str, float]:
    letters = sum(len(word) for word in words)
    return {word: len(word) / letters for word in words}


# %% [markdown] prompt="predict_lost_weight"
# ### Predict: the sum of the weights
#
# ★☆☆ · 2 minutes
#
# Take **the cat sat on the mat**, 17 letters. What do the weights in the dictionary sum to? A fraction such as `5 / 17`
# is fine.

# %% solution="predict_lost_weight"
### BEGIN SOLUTION
weights_left = 14 / 17
### END SOLUTION

# %% test="predict_lost_weight"
check("predict_lost_weight")

# %% [markdown] hint="predict_lost_weight"
# <details><summary>Hint: the entries</summary>
#
# Write down the entries as the words arrive one by one. What happens when a word is there already?
# </details>

# %%
kept_weights = weights_by_word(["the", "cat", "sat", "on", "the", "mat"])
print(*kept_weights, "  sum", round(sum(kept_weights.values()), 2))

# %% [markdown]
# This is the third mistake.
#
# <details><summary>Predicted and run? Read what happened</summary>
#
# A dictionary has only one entry for the two *the*, and 3/17 of the weight is lost.
# </details>
#
# A sentence is a **sequence**: its words have an order, so two equal words stand at two different places. Attention
# gives each place a weight of its own.

# %% [markdown] prompt="length_weights"
# ### Exercise: one weight for every occurrence
#
# ★☆☆ · 3 minutes
#
# **Return one weight for every occurrence of a word**: its length divided by the number of all letters.
#
# For n `words`, return n weights that sum to 1, in the order of the words, as a list or an array.

# %% solution="length_weights"
def length_weights(words: list[str]) -> np.ndarray:
    """Return each occurrence's share of all the letters, (n,). A word that occurs twice has two weights."""
    ### BEGIN SOLUTION
    lengths = np.array([len(word) for word in words])
    return lengths / lengths.sum()
    ### END SOLUTION


# %% test="length_weights"
check(length_weights)

# %% [markdown] hint="length_weights"
# <details><summary>Hint</summary>
#
# Make a list of the lengths, with one entry for each word. Then divide each length by the sum of that list.
# </details>

# %% [markdown]
# ### Words of unequal length
#
# The weighted sum needs as many numbers as the longest word has letters. The first draft began with that many zeros and
# added one word after another, each times its weight. `zip` goes through two lists side by side:

# %%
def first_attempt(words: list[str]) -> list[float]:
    total = [0.0] * max(len(word) for word in words)
    for weight, word in zip(length_weights(words), words):
        total = [old + weight * number for old, number in zip(total, letter_embedding(word))]
    return total


weather = ["The", "weather", "is", "beautiful", "today", "in", "Melbourne"]

# %% [markdown] prompt="predict_survivors"
# ### Predict: how many numbers are left
#
# ★★☆ · 3 minutes
#
# How many numbers does `first_attempt(weather)` return? Its words have 3, 7, 2, 9, 5, 2 and 9 letters.

# %% solution="predict_survivors"
### BEGIN SOLUTION
numbers_left = 2
### END SOLUTION

# %% test="predict_survivors"
check("predict_survivors")

# %% [markdown] hint="predict_survivors"
# <details><summary>Hint</summary>
#
# Each word replaces `total` by a new list, and `zip` stops as soon as one of its lists ends. How long is `total` after
# *The*?
# </details>

# %%
print(np.round(first_attempt(weather), 2))

# %% [markdown]
# This is the fourth mistake.
#
# <details><summary>Predicted and run? Read what happened</summary>
#
# Each `zip` cuts the total to the shorter of two lists. So the shortest words, with two letters, decide: two numbers
# are left, with the sum 21.14.
# </details>
#
# The remedy is **padding**: zeros fill up the shorter rows until all rows are equally long. A zero adds nothing,
# whatever its weight. So *I* is [9, 0] and *am* is [1, 13], and with the weights 1/3 and 2/3 their weighted sum is
# [3.67, 8.67].

# %% [markdown] prompt="pad_rows"
# ### Exercise: padding
#
# ★★☆ · 5 minutes
#
# **Write the vectors into the rows of one matrix, each filled up with zeros on its right.**
#
# `vectors` is a list of n lists of numbers. Return a matrix (n, longest), where `longest` is the length of the longest
# list.

# %% solution="pad_rows"
def pad_rows(vectors: list[list[float]]) -> np.ndarray:
    """Return the vectors as rows of a matrix, (n, longest), with zeros on the right of the shorter ones."""
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
# <details data-part="one row; each vector; zeros fill; fractions and"><summary>Hint: zeros first</summary>
#
# `np.zeros((rows, columns))` gives you all the padding at once. A vector of 3 numbers then goes into the first 3
# places of its row: `row[:3] = vector`.
# </details>
# <details data-part="leaves its input"><summary>Help, my lists grow at every run</summary>
#
# `append`, `extend` and `+=` change the list that your function was given. Fill a new one.
# </details>

# %% [markdown] prompt="weighted_sum"
# ### Exercise: one vector
#
# ★★☆ · 3 minutes
#
# **Multiply each vector by its weight and add up, place by place, so that nothing is cut off.**
#
# `weights` is an array (n,) that sums to 1, and `vectors` is a list of n lists of any lengths. Return an array
# (longest,).

# %% solution="weighted_sum"
def weighted_sum(weights: np.ndarray, vectors: list[list[float]]) -> np.ndarray:
    """Return the sum of the vectors, each times its weight, (longest,). A missing number counts as zero."""
    ### BEGIN SOLUTION
    return weights @ pad_rows(vectors)
    ### END SOLUTION


# %% test="weighted_sum"
check(weighted_sum)

# %% [markdown] hint="weighted_sum"
# <details data-part="as many numbers; vectors of unequal"><summary>Hint 1: equal rows first</summary>
#
# You have just written a function for that. A list times a fraction is an error, a row of a matrix is not.
# </details>
# <details data-part="as many; vectors of one; repeats"><summary>Hint 2: with a loop, or without</summary>
#
# Start from `longest` zeros and add weight times row, again and again. Or use the matrix product of section 2.
# </details>

# %%
vectors = [list(letter_embedding(word)) for word in weather]
whole = weighted_sum(np.array(length_weights(weather)), vectors)
print(np.round(whole, 2), "  sum", round(sum(whole), 2))

# %% [markdown]
# All nine numbers are there, and their sum is 78.49. The first two are those of the first draft, which lost the other
# seven.

# %% [markdown]
# ## 7. How does *he* find Ming and not himself?
#
# *He* looks at himself as much as at *Ming*. With one vector for each word, *he* also scores *Ming* exactly as *Ming*
# scores *he*. But looking is one-sided: *he* looks for a name but is not one, and *Ming* does not look for *he*. So
# beside its value each word gets two more vectors:
#
# - its **query** says what the word looks for;
# - its **key** says what the word offers.
#
# The score is now the dot product of the query of the word that asks and the key of the word that is looked at. Softmax
# and the weighted sum stay as they are.
#
# The vectors of section 1 are the same for *Ming* and *he*, so the exercise describes words by other numbers. The third
# fault of section 4 is left: the scores lie close together. If you double all scores, their differences double, too,
# and the largest score gets more weight.

# %% [markdown] prompt="find_ming"
# ### Exercise: *he* finds Ming
#
# ★★☆ · 15 minutes
#
# `looks.describe(word)` says three things of a word, each as 0 or 1: is it a name, does it mean a man, does it mean a
# woman? For example, `describe("Ming")` is [1, 1, 0], `describe("Anna")` is [1, 0, 1], `describe("he")` is [0, 1, 0],
# and `describe("apples")` is [0, 0, 0].
#
# **Choose a query and a key for every word, so that *he* gives the man's name a weight of 0.9 or more** in each of
# these sentences, and in new sentences with the names of other men:
#
# - Ming bought apples then he went home
# - Anna called Ming because he was late
# - While he slept Ming dreamed of Anna and apples
#
# For a `word`, return the pair (query, key): two lists of numbers. All lists have the same length, which you choose.

# %% solution="find_ming"
def find_ming(word: str) -> tuple[list[float], list[float]]:
    """Return the query and the key of a word, (d,) each, with the same d for all words."""
    ### BEGIN SOLUTION
    name, man, woman = looks.describe(word)
    key = [name, man]
    query = [5, 5] if word == "he" else [0, 0]
    return query, key
    ### END SOLUTION


# %% test="find_ming"
check(find_ming)

# %% [markdown] hint="find_ming"
# <details data-part="a query and a key; he looks; another man"><summary>Hint 1: what the numbers mean</summary>
#
# A key says what a word is, so make it from what `looks.describe` tells. A query says what is wanted. Only *he* asks
# here, so all other queries may be zeros.
# </details>
# <details data-part="he gives"><summary>Hint 2: how far apart</summary>
#
# In the longest sentence there are eight other words. If even the nearest score is s below Ming's, *Ming* gets at least
# e^s / (e^s + 8). Which gap is surely enough for 0.9? Mind *he* and *Anna*: each has one number in common with Ming.
# </details>

# %%
for sentence in (words, looks.unseen_sentence()):
    query, _ = find_ming("he")
    keys = np.array([find_ming(word)[1] for word in sentence])
    weights_of_he = np.array(softmax(keys @ query))  # (n, d) @ (d,) -> (n,)
    letters = weighted_sum(weights_of_he, [list(letter_embedding(word)) for word in sentence])
    looks.show_taken_in(sentence, weights_of_he, sentence.index("he"), letters)

# %% [markdown]
# **Who is *he*?** In the second sentence *he* takes in a name that you had not seen before. The queries and keys, the
# softmax and the weighted sum are yours. (Is a letter wrong? Then the other words still have too much weight. Multiply
# the query of *he* by a larger number.)
#
# If a sentence names two men, *he* cannot choose between them, since `looks.describe` says the same of both.
#
# A trained model takes these steps and a few more, the next of them in lesson 2. It has learned from text the matrices
# that make a query, a key and a value from each word vector.

# %% [markdown]
# ## Go further
#
# **Three ways, one result.** So far each word could also look at later words. A model that writes must not, because the
# later words are what it learns to predict. As an example with equal weights, the next cell takes, for each word, the
# mean of the word vectors up to this word, in three ways: with a loop, with a matrix of weights, and with a softmax
# that gives the later words a score of −∞. It prints the first number of each mean, and whether all numbers agree.
# Lessons 3 and 6 hide words in the third way.

# %%
so_far = np.tri(7)  # row i: 1 for the words up to i, 0 for later ones
ways = {
    "loop": [word_vectors[: i + 1].mean(axis=0) for i in range(7)],
    "matrix": so_far / so_far.sum(axis=1, keepdims=True) @ word_vectors,
    "softmax": softmax(np.where(so_far, 0.0, -np.inf)) @ word_vectors,  # e^-inf = 0: hidden
}
for name, means in ways.items():
    print(f"{name:8}", *(f"{row[0]:5.2f}" for row in means), np.allclose(means, ways["loop"]))

# %% [markdown] prompt="shuffled_together"
# ### Puzzle: shuffled
#
# ★☆☆ · 5 minutes
#
# The weights [0.5, 0.25, 0.25] and the vectors [8, 0], [0, 4], [4, 4] make the weighted sum [5, 2]. Now a shuffle puts
# the third to the front: third, first, second. What is the weighted sum if *weights and vectors* are shuffled in this
# way, and what is it if *only the vectors* are? Give a list of two numbers for each, without running anything.

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
# Write down which weight belongs to which vector, before and after. Does it matter in which order you add up?
# </details>

# %% [markdown] prompt="batched_sums"
# ### Puzzle: a batch in one line
#
# ★★☆ · 5 minutes
#
# In `np.einsum("qk,kd->qd", weights, values)` each axis has a letter. NumPy sums over an axis whose letter is missing
# behind the arrow, so this is the matrix product `weights @ values`. Several sentences in one array are called a batch.
# Each sentence has its own weights and values. **Compute the weighted sum for every query of every sentence**, without
# a loop.
#
# With n_q queries and n_k keys: `weights` (batch, n_q, n_k), `values` (batch, n_k, d) → (batch, n_q, d)

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
# Use a fourth letter for the sentence. It stands in all three places, so it is not added up.
# </details>

# %% [markdown] prompt="join_halves"
# ### Puzzle: two halves
#
# ★★★ · 10 minutes
#
# A row of scores is too long for the memory and comes in two halves. You keep three things of each half: its largest
# score *top*; its *total*, which is the sum of exp(score − top); and its *mean*, which is the weighted sum of this
# half's values by the softmax of its own scores. **From these six things, compute the weighted sum that the softmax of
# the whole row gives**, for scores of any size.
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
# The result is a weighted sum of the two means. What does each half weigh? The totals were shifted by different
# numbers. Shift both by the larger top: a half with total t and top m then has t · exp(m − larger top).
# </details>

# %% [markdown]
# *FlashAttention*, which many models use, computes attention over long texts in this way, with the exact result.

# %% [markdown]
# ## What you can now do
#
# - name the steps of attention: scores by dot products, weights by softmax, and a weighted sum of values
# - write a `softmax` that works row by row and does not overflow
# - choose queries and keys that make one word find another
# - check shapes and row sums first, because none of the four mistakes raised an error
#
# **Next:** in [02, attention you can check by hand](../02_toy_tensors/toy_tensors.ipynb), you compute the scores of all
# queries with all keys.

# %% [markdown]
# ---
# *Credits.* Weighing inputs by learned scores: [Bahdanau, Cho and Bengio](https://arxiv.org/abs/1409.0473) (2014);
# scores as dot products: [Luong, Pham and Manning](https://arxiv.org/abs/1508.04025) (2015); queries, keys and values:
# [Vaswani et al.](https://arxiv.org/abs/1706.03762) (2017). Softmax in pieces: [Milakov and
# Gimelshein](https://arxiv.org/abs/1805.02867) (2018); [FlashAttention](https://arxiv.org/abs/2205.14135) (2022).
