# %% [markdown]
# # Words become numbers, numbers become one vector
#
# A sentence has as many words as it likes; the next layer of a network wants one list of numbers. How do
# many words become **one vector**, and **who decides how much each word counts**? That is the question
# attention answers. Here you build the answer's arithmetic, before any attention enters:
#
# letters → numbers → a weight for each word → **a weighted sum** → and `softmax`, which makes weights out
# of any scores at all.
#
# Five short functions and four questions, about 45 minutes. You need Python and a little NumPy, no earlier
# lesson. Replace each `TODO` (or `...`), run the cell, then run the `check(...)` below it; it answers at
# once, and folded hints stand below. A cell that stops with `NotImplementedError` is waiting for the
# exercise above it.
#
# The course grew from somebody's working notes, and on this road they make four mistakes, none of which
# raises an error. You will catch all four.

# %% setup="imports"
import matplotlib.pyplot as plt
import numpy as np
from numpy.typing import ArrayLike

from autograder import CMAP, check, show

check.lesson("01_weighted_sums")

# %% [markdown]
# ## First by hand
#
# The sentence *I am*. Let a letter be its place in the alphabet, so *I* is [9] and *am* is [1, 13]. Let a
# word weigh as much as its share of the three letters.
#
# | word | numbers | weight | weight × numbers |
# | --- | --- | --- | --- |
# | I | 9 | 1/3 | 3.00, – |
# | am | 1, 13 | 2/3 | 0.67, 8.67 |
# | **together** | | **1** | **3.67, 8.67** |
#
# Multiply each word's numbers by its weight, then add up place by place: 3.00 + 0.67 = 3.67. That is all a
# weighted sum is. Note the dash: *I* has no second letter, so it adds nothing there, and the 13 of *am* counts
# all the same.
#
# Now in code, for a longer sentence.

# %%
text = "The weather is beautiful today in Melbourne"
sentence = text.split()
print(len(sentence), "words,", sum(len(word) for word in sentence), "letters")

# %% [markdown] prompt="letter_embedding"
# ## 1. Letters become numbers
#
# A network calculates, so a word must become numbers first; the list of numbers is the word's **embedding**.
# Real embeddings are learned from text (lesson 3). Ours say nothing about meaning, but you can check them by
# eye.
#
# **Give each letter of a word its place in the alphabet**: a = 1 … z = 26, a capital the same as its small
# letter.
#
# `word`, a text of n letters → n numbers, as a list or an array

# %% solution="letter_embedding"
def letter_embedding(word: str) -> list[int]:
    """The places of a word's letters in the alphabet, (len(word),): a and A are 1, z and Z are 26."""
    ### BEGIN SOLUTION
    return [ord(letter) - ord("a") + 1 for letter in word.lower()]
    ### END SOLUTION


# %% test="letter_embedding"
check(letter_embedding)

# %% [markdown] hint="letter_embedding"
# <details><summary>Hint 1: from a letter to a number</summary>
#
# Python numbers all characters: `ord("a")` is 97, `ord("b")` is 98, and so on. What do you subtract so that
# *a* becomes 1? Do it for each letter of the word.
# </details>
# <details><summary>Hint 2: capitals</summary>
#
# `ord("T")` and `ord("t")` differ. Strings have a method that makes all letters small.
# </details>

# %%
for word in sentence:
    print(f"{word:<10}", *letter_embedding(word))

# %% [markdown]
# ## 2. A weight for every word
#
# Some words matter more than others. As a first, crude judge take length: a word weighs its share of all the
# letters, as in *I am*. A dictionary looks like the natural place to keep the weights, and that is what the
# notes did:

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
# Seven words, seven weights, sum 1. Now take **the cat sat on the mat**, 17 letters. What do the values of
# `weights_by_word` sum to? A fraction such as `3 / 17` is fine.

# %% solution="predict_lost_weight"
### BEGIN SOLUTION
weights_left = 14 / 17
### END SOLUTION

# %% test="predict_lost_weight"
check("predict_lost_weight")

# %% [markdown] hint="predict_lost_weight"
# <details><summary>Hint 1: the entries</summary>
#
# Write down the dictionary's keys as the words arrive one by one. What happens when a key arrives that is
# there already?
# </details>
# <details><summary>Hint 2: the sum</summary>
#
# The divisor counts all 17 letters. Whose letters are still on top of the fraction bar?
# </details>

# %%
rhyme = "the cat sat on the mat"
cat = rhyme.split()
left = weights_by_word(cat)
print(len(cat), "words,", len(left), "weights, sum", round(sum(left.values()), 2))

# %% [markdown]
# That is the first slip. The sentence has two *the*, a dictionary keyed by word has one, and 3/17 of the whole
# are gone without an error or a warning. Our first sentence did not show it: no word came twice. A sentence is
# a **sequence**, and its words are told apart by where they stand.

# %% [markdown] prompt="length_weights"
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
# <details><summary>Hint 1: keep the order</summary>
#
# Make a list of the lengths first, one entry for each word, in order. No dictionary, no set.
# </details>
# <details><summary>Hint 2: share out</summary>
#
# Divide each length by the sum of the same list. An array does it in one go.
# </details>

# %%
weights = np.array(length_weights(cat))
sides = ("dictionary", list(left), list(left.values())), ("your weights", cat, weights)

figure, pair = plt.subplots(1, 2, figsize=(8.5, 2.5), sharey=True, layout="constrained")
for axes, (name, words, shares) in zip(pair, sides, strict=True):
    axes.bar_label(axes.bar(range(len(shares)), shares, color="tab:blue"), fmt="%.3f")
    axes.set_xticks(range(len(words)), words)
    axes.set(title=f"{name}: {len(shares)} bars, sum {sum(shares):.2f}", ylim=(0, 0.22))
pair[0].set_ylabel("weight")
show(
    figure,
    alt="Two bar charts of weights for the cat sat on the mat. Left, the dictionary: five bars, "
    "the word the only once, sum 0.82. Right, your weights: six bars, the word the twice, sum 1.00. "
    "The weight of on is 0.118, every other one 0.176.",
)

# %% [markdown]
# ## 3. Rows of unequal length
#
# Back to our seven words, each with its weight: time to add up. This first attempt works as the notes do. It
# starts with a total of nine zeros, as many as the longest word has letters, and adds one weighted word after
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
# The words of our sentence have 3, 7, 2, 9, 5, 2 and 9 letters. How many numbers does
# `first_attempt(sentence)` give back?

# %% solution="predict_survivors"
### BEGIN SOLUTION
numbers_left = 2
### END SOLUTION

# %% test="predict_survivors"
check("predict_survivors")

# %% [markdown] hint="predict_survivors"
# <details><summary>Hint 1: the line to look at</summary>
#
# `total` is made anew for each word. How long is it after *The*?
# </details>
# <details><summary>Hint 2: zip</summary>
#
# `zip` walks along two lists and stops as soon as one of them ends.
# </details>

# %%
cut = first_attempt(sentence)
print(*(f"{number:.2f}" for number in cut), "  sum", f"{sum(cut):.2f}")

# %% [markdown]
# There is the second slip. Each `zip` cuts the total to the shorter of two lists, so the shortest word,
# *is*, decides for the whole sentence: two numbers, sum 21.14, just as in the notes, and again no warning.
# `zip(..., strict=True)` would at least raise an error. The cure that networks use is to make all rows equally
# long by **padding** them with zeros: whatever its weight, a zero adds nothing to a sum.

# %% [markdown] prompt="pad_rows"
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
# <details><summary>Hint 1: start with the zeros</summary>
#
# How many rows, how many columns? `np.zeros((rows, columns))` gives you all the padding at once.
# </details>
# <details><summary>Hint 2: fill in</summary>
#
# A vector of 3 numbers belongs into the first 3 places of its row: `row[:3] = vector`.
# </details>
# <details><summary>Help, my lists grow longer every time I run the cell</summary>
#
# `append`, `extend` and `+=` change the list that you were handed. Fill a new one.
# </details>

# %%
vectors = [list(letter_embedding(word)) for word in sentence]
matrix = np.array(pad_rows(vectors))

figure, axes = plt.subplots(figsize=(7.5, 3.6), layout="constrained")
axes.imshow(matrix, cmap=CMAP, vmin=0, vmax=26, aspect="auto")
for (row, column), number in np.ndenumerate(matrix):
    color = "white" if number > 15 else "black"
    axes.text(column, row, f"{number:.0f}", ha="center", va="center", color=color)
axes.set_xticks(range(9), range(1, 10))
axes.set_yticks(range(7), sentence)
axes.set(xlabel="place in the word", title="One row for each word, zeros on the right")
show(
    figure,
    alt="Heatmap of 7 rows, one for each word of the sentence, and 9 columns, one for each place in a word. "
    "Each row starts with its word's letter numbers, The with 20, 8, 5, and ends in zeros; "
    "only the rows of beautiful and Melbourne are full.",
)

# %% [markdown] prompt="weighted_sum"
# ## 4. One vector
#
# Now the sum from the top of the page, for any sentence.
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
# <details><summary>Hint 1: equal rows first</summary>
#
# You have just written a function that makes the rows equally long.
# </details>
# <details><summary>Hint 2: with a loop</summary>
#
# Start from `longest` zeros. For each weight and each row of the matrix: add weight times row. Arrays multiply
# and add number by number.
# </details>
# <details><summary>Hint 3: without a loop</summary>
#
# Weights (n,) and a matrix (n, longest) are to become (longest,). Which product adds up over n?
# </details>
# <details><summary>Help, "can't multiply sequence" or "inhomogeneous shape"</summary>
#
# A Python list times a fraction is an error, and lists of unequal length do not fit into one array. So pad
# first, and calculate with the rows of the padded matrix.
# </details>

# %%
weights = np.array(length_weights(sentence))
whole = np.array(weighted_sum(weights, vectors))
print("first attempt:", *(f"{number:.2f}" for number in cut), "  sum", f"{sum(cut):.2f}")
print("nothing cut:  ", *(f"{number:.2f}" for number in whole), "  sum", f"{whole.sum():.2f}")

# %% [markdown]
# Nine numbers, sum 78.49. The first two were right all along; the other seven, almost three quarters of the
# sum, had been lost. Each bar below is one number of the vector, each block what one word puts in.

# %%
blocks = np.array(length_weights(sentence))[:, None] * matrix  # one row for each word: weight times numbers
bottoms = blocks.cumsum(axis=0) - blocks
places = np.arange(1, 10)

figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
colors = plt.get_cmap("cividis")(np.linspace(0.05, 0.95, 7))
for word, block, bottom, color in zip(sentence, blocks, bottoms, colors, strict=True):
    axes.bar(places, block, bottom=bottom, color=color, edgecolor="white", label=word)
    for place in places[block > 1]:
        height, ink = bottom[place - 1] + block[place - 1] / 2, "black" if color[0] > 0.4 else "white"
        axes.text(place, height, word, ha="center", va="center", fontsize=7, color=ink)
for place, number in zip(places, whole, strict=True):
    axes.text(place, number + 0.2, f"{number:.2f}", ha="center")
axes.axvline(2.5, color="black", linestyle="--")
axes.text(2.6, 14.6, "the first attempt stopped here", va="center")
axes.set_xticks(places)
axes.set(xlabel="place in the vector", ylabel="weighted sum", title="Seven words, one vector", ylim=(0, 15.5))
axes.legend(reverse=True, loc="center left", bbox_to_anchor=(1, 0.5), frameon=False)
show(
    figure,
    alt="Stacked bars for the nine numbers of the sentence's vector: 13.30, 7.84, 4.30, 9.51, 13.41, "
    "8.24, 9.24, 8.51 and 4.14. Each bar is built from the words' weighted letter numbers; the last two "
    "hold only beautiful and Melbourne. A dashed line behind the second bar marks where the first "
    "attempt stopped.",
)

# %% [markdown]
# ## 5. Who sets the weights?
#
# Length is a poor judge: *beautiful* and *Melbourne* win every time, whatever the question. In attention,
# each word asks for itself. The word that asks is the **query**. Every word it may look at has a **key**, which
# the query is held against, and a **value**, which goes into the sum; our values so far are the rows of letter
# numbers. How well query and key fit is the **score**: any number, the higher the better. Lesson 2 computes
# scores; today a random generator makes them up.
#
# Scores are not weights: they may be negative, and they sum to anything. Dividing by their sum would still
# give negative weights. But $e^x$ is positive for every $x$ and grows with it, so **softmax** takes these powers
# first, and then divides by the sum of the powers:
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
# | **together** | **11.21** | **1** |
#
# (Rounded for the page only: the sum was made of all the digits.) Higher scores get more, every weight is
# positive, and together they are 1. This is how the notes write it, in three lines:

# %%
def softmax_from_the_notes(scores: ArrayLike) -> np.ndarray:
    powers = np.exp(scores)  # line 1
    total = np.sum(powers)  # line 2
    return powers / total  # line 3


print(softmax_from_the_notes([2.0, 1.0, 0.1]).round(3))

# %% [markdown]
# It works. Now all seven words ask at once: a 7 × 7 matrix of scores, one row for each query, one column for
# each key. Each query has its own whole to share out among the keys, so each row of weights should sum to 1.

# %%
scores = np.random.default_rng(1).normal(scale=4, size=(7, 7))
faulty = softmax_from_the_notes(scores)
for word, row_sum in zip(sentence, faulty.sum(axis=1), strict=True):
    print(f"{word:<10} shares out {row_sum:.5f}")

# %% [markdown] prompt="find_the_slip"
# ### Find the slip
#
# The row of *today* sums to 0.96, the other six share the rest. In the notes, with ten words and 100 scores,
# one row summed to 7e-17 and another to 0.05. Which line of `softmax_from_the_notes` keeps the rows from
# summing to 1: 1, 2 or 3?

# %% solution="find_the_slip"
### BEGIN SOLUTION
faulty_line = 2
### END SOLUTION

# %% test="find_the_slip"
check("find_the_slip")

# %% [markdown] hint="find_the_slip"
# <details><summary>Hint 1: shapes</summary>
#
# Write the shape of what each line makes next to it, for scores of shape (7, 7).
# </details>
# <details><summary>Hint 2: totals</summary>
#
# Each row needs a total of its own to be divided by. In which line are totals made, and how many?
# </details>

# %% [markdown]
# One total for all 49 scores, where each of the seven rows needs its own: the third slip. You will mend it in
# section 6. The fourth one hides in line 1.

# %% [markdown] prompt="predict_shifted"
# ### Predict before you run
#
# The softmax of [1, 0] is [0.731, 0.269]. What *should* the softmax of **[710, 709]** be, by the formula?
# Give both weights to two decimals, as a list.

# %% solution="predict_shifted"
### BEGIN SOLUTION
shifted_weights = [0.731, 0.269]
### END SOLUTION

# %% test="predict_shifted"
check("predict_shifted")

# %% [markdown] hint="predict_shifted"
# <details><summary>Hint 1: a common factor</summary>
#
# $e^{710} = e^{709} \cdot e^1$. Write both powers with $e^{709}$ in front.
# </details>
# <details><summary>Hint 2: cancel</summary>
#
# The factor stands above and below the fraction bar. What is left after cancelling?
# </details>

# %%
with np.errstate(over="ignore", invalid="ignore"):
    print("softmax of [1, 0]:    ", softmax_from_the_notes([1.0, 0.0]).round(3))
    print("softmax of [710, 709]:", softmax_from_the_notes([710.0, 709.0]).round(3))
    print("exp(709) and exp(710):", f"{np.exp(709.0):.1e} and {np.exp(710.0)}")

# %% [markdown]
# That is the fourth slip, called **overflow**. `exp(709)` just fits into a floating-point number; `exp(710)`
# does not and becomes infinity, and infinity divided by infinity is `nan`, *not a number*. Yet, as you have
# worked out, only the **distances** between scores matter: subtract the same number from all scores of a row
# and every weight stays as it was. Subtract the row's maximum, and the largest power is exp(0) = 1, however
# large the scores were.

# %% [markdown] prompt="softmax"
# ## 6. Softmax, mended
#
# **Turn scores into shares that sum to 1 along an axis**, for scores of any size.
#
# `x`, a list or an array of any shape, whole numbers or not → shares of the same shape that sum to 1 along
# `axis`; finite for every finite `x`, and `x` itself stays as it is
#
# `axis` is the direction along which the shares sum to 1. In a matrix, `axis=1` runs along each row and
# `axis=0` down each column; `axis=-1`, the default, is always the last one, here along each row. SciPy and
# PyTorch have a softmax ready to call: compare with theirs as you like, but write this one yourself.

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
# <details><summary>Hint 1: one total for each row</summary>
#
# Make `x` an array first. Then `sum(axis=...)` adds up along one axis only: which one were you asked for?
# </details>
# <details><summary>Hint 2: shapes that fit</summary>
#
# From (7, 7), `sum(axis=1)` makes (7,), which NumPy lines up with the *columns*. With `keepdims=True` it
# makes (7, 1), one number for each row.
# </details>
# <details><summary>Hint 3: one maximum for each row</summary>
#
# The largest score of all is no help to a row that lies 5000 below it: each of its powers becomes 0, and
# 0/0 is `nan`. Take the maximum as you take the sum, along the axis.
# </details>
# <details><summary>Help, I get zeros, or an error about casting, for whole numbers</summary>
#
# An array of whole numbers cannot hold 0.7. Do not write shares into `x`, nor into an array made like it.
# </details>

# %%
mended = np.array(softmax(scores))
figure, pair = plt.subplots(1, 2, figsize=(10.5, 4.6), sharey=True, layout="constrained")
titles = ("one total for the whole matrix", "one total for each query")
for axes, shares, title in zip(pair, (faulty, mended), titles, strict=True):
    picture = axes.imshow(shares, cmap=CMAP, vmin=0, vmax=1)
    for (row, column), share in np.ndenumerate(shares):
        color = "white" if share > 0.5 else "black"
        axes.text(column, row, f"{share:.2f}", ha="center", va="center", fontsize=8, color=color)
    for row, row_sum in enumerate(shares.sum(axis=1)):
        axes.text(6.7, row, f"= {row_sum:.2f}", va="center")
    axes.set_xticks(range(7), sentence, rotation=45, ha="right")
    axes.set_yticks(range(7), sentence)
    axes.set(xlabel="key: the word looked at", title=title)
pair[0].set_ylabel("query: the word that asks")
figure.colorbar(picture, ax=pair, label="weight", shrink=0.8, pad=0.06)
show(
    figure,
    alt="Two 7 by 7 heatmaps of weights, queries in rows and keys in columns, row sums at the right. Left, "
    "one total for the whole matrix: the row of today holds 0.96 and the others nearly nothing. Right, one "
    "total for each query: every row sums to 1, and every query has a favourite key.",
)

# %% [markdown]
# Each row on the right is a full set of weights for one query, and `weighted_sum` turns it into one vector. All
# seven at once are a single **matrix product**, weights times values: row *i* of the result is the weighted sum
# with the weights in row *i*.

# %%
all_weights = np.array(softmax(scores))
together = all_weights @ matrix  # weights (7, 7) @ values (7, 9) -> (7, 9)
print("all queries:", together.shape)
print("The, as a row of the product:", *(f"{number:.2f}" for number in together[0]))
print("The, by your weighted_sum:   ", *(f"{number:.2f}" for number in weighted_sum(all_weights[0], vectors)))

# %% [markdown]
# That is one half of attention. And how much does softmax decide? Let the words' lengths be scores for once,
# and compare with their shares of the letters:

# %%
shared_out = np.array(softmax([len(word) for word in sentence]))
print(f"{'':<10} length   share of letters   softmax of length")
for word, share, weight in zip(sentence, weights, shared_out, strict=True):
    print(f"{word:<10} {len(word):>6}   {share:>16.3f}   {weight:>17.3f}")
print("sentence:", *(f"{number:.2f}" for number in weighted_sum(shared_out, vectors)))

# %% [markdown]
# Same order, but far more one-sided: two letters more make a word e² ≈ 7.4 times as heavy, so *beautiful* and
# *Melbourne* take 0.463 each and the rest share what is left. How far apart the scores lie decides how sharply
# softmax chooses. Keep that in mind: in the next lesson the scores are divided by a √d, and this is why.
#
# ## What you can now do
#
# - turn words into rows of numbers, padded and not cut
# - keep one weight for each *occurrence* of a word
# - make one vector of many, a **weighted sum**, and do it for many queries by one matrix product
# - turn any scores into weights with a `softmax` that works row by row and does not overflow
# - look at shapes and row sums first: not one of the four slips raised an error
#
# What is missing is the other half: where the scores come from. **Next:** in
# [02, attention you can check by hand](../02_toy_tensors/toy_tensors.ipynb), queries meet keys.

# %% [markdown]
# ---
# *Credits.* The example sentence, its letter numbers and length weights come from the overview notes that
# this course grew from, slips included. Weighing inputs by learned scores and summing them: Bahdanau, Cho
# and Bengio, *Neural machine translation by jointly learning to align and translate* (2014); scores as dot
# products: Luong, Pham and Manning, *Effective approaches to attention-based neural machine translation*
# (2015); queries, keys and values: Vaswani et al., *Attention is all you need* (2017).
