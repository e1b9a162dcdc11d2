# %% [markdown]
# # Attention was regression all along
#
# After a full stop, a trained language model reads *the animal did not cross the street because it*. At `it`, one of
# its heads gives the weight .89 to `animal` and .00 to `cross`. These weights are a softmax of dot products. **So what
# makes a dot product large?**
#
# You find the answer with an older method, whose weights are easier to understand. You know the waist of a person, and
# you want to predict how heavy this person is. Statistics has had a method for this since 1964. It is called **kernel
# regression**: the prediction is a weighted mean over people who are already known, in which similar people count more.
#
# You write kernel regression and try it on 160 people. Attention does the same, with another score. At the end you
# split .89 and .00 into two factors: one for how near a key is to the query, and one for how long the key is.
#
# The lesson takes about 125 minutes, and 25 more for the puzzles. Sections 1 to 6 need only `softmax` from lesson 1.
# Sections 7 to 10 build on lessons 2 and 3.

# %% setup="imports"
import numpy as np

from autograder import check, cold_questions
from attention import bring_your_own, kernel_pictures, load_bodies, load_writer

check.lesson("04_gaussian_kernel")

# %%
cold_questions()  # three questions on earlier lessons: they take a minute and are never graded

# %% [markdown]
# The next cell loads two functions from your saved notebooks. Where it finds none that passes its checks, it takes the
# course's.

# %% setup="bring_your_own"
softmax, simple_attention = bring_your_own("softmax"), bring_your_own("simple_attention")

# %% [markdown]
# ## 1 · Three people and a tape measure
#
# A person's waist measures 57 cm. How much does this person weigh? You know the waist and the weight of three other
# people. The nearer a person's waist is to 57 cm, the more that person should count.

# %%
waists = np.array([51.0, 56.0, 58.0])  # the keys: what we compare with, in cm
weights_kg = np.array([40.0, 43.0, 48.0])  # the values: what we want to know, in kg
kernel_pictures.people(waists, weights_kg, query=57)

# %% [markdown]
# Here the 57 is the *query*, the known waists are the *keys*, and the kilograms are the *values*.
# The query lies in the middle of two keys, so a good prediction is $(43 + 48)/2 = 45.5$ kg. But what if the waist were
# 56.4 cm (section 5)? One rule with three steps answers both questions:
# 1. *Score* each key: $-\tfrac12 (q-k)^2$. This is 0 for an equal key, and it falls with the distance. (Other scores
#    that fall would do, too. The square will turn out to contain a dot product.)
# 2. *Softmax* turns the scores into weights:
#    $\text{weight}_i = \exp(\text{score}_i) \,/ \sum_j \exp(\text{score}_j)$.
# 3. *Average* the values with these weights: $f(q) = \sum_i \text{weight}_i \, \text{value}_i$.
#
# The exponential of such a score, $\exp(-\tfrac12 (q-k)^2)$, is called the **Gaussian kernel**. With pencil and paper,
# for $q = 57$:
#
# | key | $q-k$ | score | exp(score) | weight | value | weight · value |
# | --- | --- | --- | --- | --- | --- | --- |
# | 51 | 6 | −18 | 0.000000015 | 0.000 | 40 | 0.0 |
# | 56 | 1 | −0.5 | 0.607 | 0.500 | 43 | 21.5 |
# | 58 | −1 | −0.5 | 0.607 | 0.500 | 48 | 24.0 |
# | | | | 1.213 (from unrounded numbers) | 1 | | **45.5** |
#
# (Two things are called weight: the weights of the formula, which sum to 1, and the body weight in kg.)
#
# ## 2 · Find the mistake
#
# The function computes the first two steps, with one mistake. Line 3 is correct: it subtracts the maximum so that `exp`
# cannot overflow. This changes the column exp(score), but no weight.


# %%
def faulty_weights(query, keys):
    difference = query - keys  # line 1
    score = difference**2 / 2  # line 2
    kernel = np.exp(score - score.max())  # line 3
    return kernel / kernel.sum()  # line 4


print(f"f(57) = {faulty_weights(57, waists) @ weights_kg:.1f} kg")

# %% [markdown] prompt="name_the_slip"
# ★☆☆ · 5 minutes
#
# The prediction is 40.0 kg, not 45.5. Which key takes all the weight? Put its waist into `winner`. Put into
# `faulty_line` the number of the *first* line whose result differs from the table.

# %% solution="name_the_slip"
### BEGIN SOLUTION
winner = 51
faulty_line = 2
### END SOLUTION

# %% test="name_the_slip"
check("name_the_slip")

# %% [markdown] hint="name_the_slip"
# <details data-part="which key wins; the line where"><summary>Hint 1: where to look</summary>
#
# Run the four lines with `query = 57` and `keys = waists`, and print the result of each.
# </details>
# <details data-part="the line where"><summary>Hint 2: what to compare</summary>
#
# Line 1 belongs to the column q − k, and line 2 to the column *score*.
# </details>

# %% [markdown]
# <details><summary>Answered? What was wrong</summary>
#
# The minus sign was missing. Without it the key *farthest* from the query has the highest score.
# </details>
#
# ## 3 · The bandwidth
#
# In the table, a key that is 1 cm away counts a lot, and one that is 6 cm away almost nothing. This scale was our
# choice. The **bandwidth** $h$ says how fast a weight falls with the distance: the smaller the bandwidth, the faster.
# In the table it was 1 cm. The score becomes
#
# $$\text{score}(q, k) = -\frac{\lVert q-k\rVert^2}{2h^2}$$
#
# Here $\lVert q-k\rVert$ is the distance of query and key. For vectors, such as waist and chest, its square is the sum
# of the squared differences. The picture shows exp(score), before softmax divides by the sum:

# %%
kernel_pictures.bells([0.5, 1, 3])

# %% [markdown] prompt="gaussian_weights"
# ### Exercise: `gaussian_weights`
#
# ★★☆ · 16 minutes
#
# Compute the weights of $n_q$ queries for $n_k$ keys. Your `softmax(scores)` of lesson 1 works row by row and never
# overflows.


# %% solution="gaussian_weights"
def gaussian_weights(queries: np.ndarray, keys: np.ndarray, bandwidth: float = 1.0) -> np.ndarray:
    """Return the weights of each query for the keys: a row for each query.

    queries: (n_q, d), or (n_q,) for n_q scalars; keys: (n_k, d), or (n_k,)
    returns: (n_q, n_k), proportional to exp(-|q - k|^2 / (2 * bandwidth^2)), every row summing to 1;
        never NaN, not even for a query far from all keys
    """
    ### BEGIN SOLUTION
    differences = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    squared_distances = (differences**2).sum(axis=-1)
    return softmax(-squared_distances / (2 * bandwidth**2))
    ### END SOLUTION


# %% test="gaussian_weights"
check(gaussian_weights)

# %% [markdown] hint="gaussian_weights"
# <details data-part="one row a query"><summary>Hint 1: every query with every key</summary>
#
# Queries of shape (n_q, 1, d) minus keys of shape (1, n_k, d) broadcast to (n_q, n_k, d).
# `queries.reshape(len(queries), 1, -1)` gives the first shape, for scalars and for vectors.
# </details>
# <details data-part="every query's; the lesson's; scalars; vectors">
# <summary>Hint 2: from differences to weights</summary>
#
# Square the differences and sum over the last axis. These are the squared distances, (n_q, n_k). Score and softmax
# follow.
# </details>
# <details data-part="a query far"><summary>Help, I keep getting NaN for the far query</summary>
#
# At waist 500 and bandwidth 0.1 the best score is −9,768,200. So exp gives 0 for all keys, and the weights are 0/0.
# Your `softmax` first subtracts the row's largest score.
# </details>

# %% [markdown]
# ## 4 · From weights to a prediction
#
# The third step averages the values with these weights. Statistics calls the result the *Nadaraya–Watson estimate*.

# %% [markdown] prompt="kernel_regression"
# ### Exercise: `kernel_regression`
#
# ★☆☆ · 7 minutes
#
# Predict one value for each query: the weighted mean of the values, with that query's weights.


# %% solution="kernel_regression"
def kernel_regression(
    queries: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float = 1.0
) -> np.ndarray:
    """Return the Nadaraya–Watson estimate for each query.

    queries: (n_q,) or (n_q, d); keys: (n_k,) or (n_k, d); values: (n_k,) or (n_k, d_v)
    returns: (n_q,) when values are (n_k,), else (n_q, d_v)
    """
    ### BEGIN SOLUTION
    return gaussian_weights(queries, keys, bandwidth) @ values
    ### END SOLUTION


# %% test="kernel_regression"
check(kernel_regression)

# %% [markdown] hint="kernel_regression"
# <details><summary>Hint: which product?</summary>
#
# `gaussian_weights` returns (n_q, n_k), and the values have n_k rows. The product `@` sums over n_k.
# </details>

# %% [markdown]
# ## 5 · Small and large bandwidths
#
# For a waist of 56.4 cm, bandwidth 1 gives 44.16 kg.

# %% [markdown] prompt="predict_bandwidth"
# ★★☆ · 4 minutes
#
# What is the prediction for 56.4 cm with the bandwidth 0.1, and what is it with the bandwidth 1000? Put the two numbers
# into `nearly_zero` and `enormous`, in kg, within 0.05.

# %% solution="predict_bandwidth"
### BEGIN SOLUTION
nearly_zero = 43.0
enormous = (40 + 43 + 48) / 3
### END SOLUTION

# %% test="predict_bandwidth"
check("predict_bandwidth")

# %% [markdown] hint="predict_bandwidth"
# <details data-part="bandwidth 0.1"><summary>Hint 1: nearly zero</summary>
#
# The scores are −0.4²/(2h²) and −1.6²/(2h²): with h = 0.1, −8 and −128. After softmax has subtracted the larger, they
# are 0 and −120. How large is exp(−120)?
# </details>
# <details data-part="bandwidth 1000"><summary>Hint 2: enormous</summary>
#
# With h = 1000 all three scores are 0 to four decimals. Equal scores give equal weights.
# </details>

# %%
for h in (0.1, 1, 1000):
    predicted = kernel_regression(np.array([56.4]), waists, weights_kg, h)[0]
    print(f"bandwidth {h:6}: {predicted:.2f} kg")

# %% [markdown]
# <details><summary>Answered? What the two ends do</summary>
#
# A very small bandwidth copies the nearest person. A very large one gives the mean of all, for every query.
# </details>
#
# ## 6 · Choosing the bandwidth from data
#
# Which bandwidth predicts best for somebody new? Three people are too few to tell. `load_bodies()` loads 160 invented
# people, drawn at random by a small program. The number above the curve is the mean squared error, in kg²: the mean of
# (predicted − true weight)². Move the slider: which bandwidth would you trust?

# %%
bodies = load_bodies()
waist, kilos = bodies["waist"], bodies["weight"]
kernel_pictures.by_eye(kernel_regression, waist, kilos)

# %%
my_bandwidth = 10  # in cm: put yours here

# %% [markdown]
# The curve is tested on the people that it was made from. The smaller the bandwidth, the more each prediction copies
# the person's own value, and the smaller is this error. (At bandwidth 0.1 it is still 11.7, because people with nearly
# the same waist share the weight.) So this number understates the error for somebody new, most of all at small
# bandwidths.
#
# The remedy is called **leave-one-out**: hide one person, predict that person from all others, and do so for each
# person. For our three people and $h = 1$:
#
# | hidden | which key counts | predicted | true | squared error |
# | --- | --- | --- | --- | --- |
# | 51 | almost only 56 | 43 kg | 40 kg | 9 |
# | 56 | almost only 58 | 48 kg | 43 kg | 25 |
# | 58 | almost only 56 | 43 kg | 48 kg | 25 |
# | | | | mean | **19.67** |

# %% [markdown] prompt="leave_one_out_error"
# ### Exercise: `leave_one_out_error`
#
# ★★☆ · 16 minutes
#
# Predict each sample from all the others, and return the mean of the squared errors. If the values have several
# columns, take the mean over all entries.


# %% solution="leave_one_out_error"
def leave_one_out_error(keys: np.ndarray, values: np.ndarray, bandwidth: float) -> float:
    """Return the mean squared error of predicting each sample from the others.

    keys: (n,) or (n, d); values: (n,) or (n, d_v); at least two samples
    """
    ### BEGIN SOLUTION
    predictions = []
    for i in range(len(keys)):
        others = np.arange(len(keys)) != i
        predictions.append(kernel_regression(keys[[i]], keys[others], values[others], bandwidth)[0])
    return float(np.mean((np.array(predictions) - values) ** 2))
    ### END SOLUTION


# %% test="leave_one_out_error"
check(leave_one_out_error)

# %% [markdown] hint="leave_one_out_error"
# <details data-part="one number; the lesson's; the mean squared"><summary>Hint 1: all but one</summary>
#
# `np.arange(n) != i` selects all samples but i. Use it for the keys and for the values.
# </details>
# <details data-part="one number"><summary>Hint 2: a query of one</summary>
#
# `keys[i]` loses an axis. `keys[[i]]` keeps it, and `kernel_regression` returns an array with one prediction.
# </details>

# %% [markdown] prompt="best_bandwidth"
# ### Exercise: `best_bandwidth`
#
# ★☆☆ · 6 minutes
#
# Return the candidate bandwidth with the smallest leave-one-out error.


# %% solution="best_bandwidth"
def best_bandwidth(keys: np.ndarray, values: np.ndarray, candidates: list[float]) -> float:
    """Return the candidate with the smallest leave-one-out error.

    keys: (n,) or (n, d); values: (n,) or (n, d_v); candidates: bandwidths in any order
    """
    ### BEGIN SOLUTION
    return float(min(candidates, key=lambda bandwidth: leave_one_out_error(keys, values, bandwidth)))
    ### END SOLUTION


# %% test="best_bandwidth"
check(best_bandwidth)

# %% [markdown] hint="best_bandwidth"
# <details><summary>Hint: compare and return</summary>
#
# `min` takes a function as `key=`. `np.argmin` returns a position. Return the candidate itself.
# </details>

# %%
candidates = [0.25, 0.5, 1, 2, 4, 8, 16, 32]
errors = {h: leave_one_out_error(waist, kilos, h) for h in candidates}
best, mine = best_bandwidth(waist, kilos, candidates), leave_one_out_error(waist, kilos, my_bandwidth)
line = kernel_pictures.polynomial_error(waist, kilos, degree=1)  # a straight line, leave-one-out too
print(f"my bandwidth, {my_bandwidth:g} cm: {mine:.1f} kg²   the best, {best:g} cm: {errors[best]:.1f} kg²")
print(f"a straight line: {line:.1f} kg²")
kernel_pictures.choice(kernel_regression, waist, kilos, errors)

# %% [markdown]
# Compare your choice with the best one. The solid line, leave-one-out, is almost flat from 1 to 4 cm. At 4 cm it is
# lowest: there, kernel regression has about a quarter of the error of the plain mean.
#
# A straight line predicts these people still better. Kernel regression does not assume a line, only that near keys have
# similar values. So you can use it where you do not know the form of the curve.
#
# ## 7 · The score of attention
#
# The attention of lesson 2, $\mathrm{softmax}(QK^\top/\sqrt{d_k})\,V$, takes the same three steps: score, softmax,
# average. The queries, keys and values are the rows of $Q$, $K$ and $V$. Only the score is different: it is a dot
# product. With one number, $q \cdot k$ is largest simply for the largest waist. So give each person two numbers, waist
# *and* chest. Do both scores give the largest weights to the same people?
#
# The three keys must differ: if the third repeated the second, (56, 82), no score could tell the two apart.

# %%
sizes = np.array([[51.0, 70.0], [56.0, 82.0], [58.0, 86.0]])  # the keys: waist and chest in cm
asked_sizes = np.array([[57.0, 83.0], [55.0, 76.0]])  # two queries

# %% [markdown] prompt="dot_product_lookup"
# ### Exercise: `dot_product_lookup`
#
# ★☆☆ · 3 minutes
#
# The score is now $q\cdot k/\sqrt{d_k}$, where $d_k$ is the number of entries in a key. Your
# `simple_attention(Q, K, V)` of lesson 2 does all of this, so one line is enough. If the values are `np.eye(3)`, the
# output is the weights themselves.
#
# **Predict first:** which person gets the largest weight from the query (55, 76)? The cell after the check shows it.


# %% solution="dot_product_lookup"
def dot_product_lookup(queries: np.ndarray, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return, for each query, the mean of the values with the weights of scaled dot-product attention.

    queries: (n_q, d_k); keys: (n_k, d_k); values: (n_k, d_v)
    returns: (n_q, d_v)
    """
    ### BEGIN SOLUTION
    scores = queries @ keys.T / np.sqrt(keys.shape[1])
    return softmax(scores) @ values
    ### END SOLUTION


# %% test="dot_product_lookup"
check(dot_product_lookup)

# %% [markdown] hint="dot_product_lookup"
# <details data-part="one row a query; every query's; the lesson's; the right average of the">
# <summary>Hint: one line</summary>
#
# Which of your three arguments are Q, K and V?
# </details>

# %%
# With 3 cm, two weights in each row are large. With 1 cm, nearly all weight would be on one person.
print("by distance, bandwidth 3 cm:", gaussian_weights(asked_sizes, sizes, 3).round(2), sep="\n")
print("by dot product:", dot_product_lookup(asked_sizes, sizes, np.eye(3)).round(2), sep="\n")

# %% [markdown]
# With the dot product, both queries give all their weight to the third person. But for (55, 76) this person is the
# farthest of the three.
#
# ## 8 · What makes a dot product large
#
# Why does the third person win? Multiply out the squared distance, where $\lVert k\rVert$ is the length of a vector
# $k$:
#
# $$\lVert q-k\rVert^2 = \lVert q\rVert^2 - 2\,q\cdot k + \lVert k\rVert^2$$
#
# Solve this for the dot product:
#
# $$q\cdot k = \tfrac12\lVert q\rVert^2 + \tfrac12\lVert k\rVert^2 - \tfrac12\lVert q-k\rVert^2$$
#
# For the query $q = (55, 76)$ this gives:
#
# | key $k$ | ½‖q‖² | ½‖k‖² | ½‖q − k‖² | q · k |
# | --- | --- | --- | --- | --- |
# | (51, 70) | 4400.5 | 3750.5 | 26.0 | 8125 |
# | (56, 82) | 4400.5 | 4930.0 | 18.5 | 9312 |
# | (58, 86) | 4400.5 | 5380.0 | 54.5 | **9726** |
#
# 1. The term ½‖q‖² is the same for all keys. It gives all exponentials the same factor, which cancels. So softmax
#    ignores this term.
# 2. The term ½‖k‖² grows with the length of the key.
# 3. The term ½‖q − k‖² is subtracted, and it is small for a near key.
#
# So for one query, the dot product is larger with a nearer key of the same length, and with a longer key at the same
# distance. From the second key to the third, ½‖k‖² grows by 450, and ½‖q − k‖² only by 36. So the longest key wins,
# although it is the farthest.
#
# Stretching a key that points away from the query (the dot product is negative) *lowers* the dot product, because ½‖q −
# k‖² grows even more than ½‖k‖².
#
# ## 9 · When attention is kernel regression
#
# If all keys are equally long, ½‖k‖² is the same for all keys, too. Then softmax ignores it, and only the distance is
# left. Attention divides the dot product by $\sqrt{d_k}$, so what is left of the score is
#
# $$-\frac{\lVert q-k\rVert^2}{2\sqrt{d_k}}$$
#
# This is the Gaussian score of section 3 with $h^2 = \sqrt{d_k}$. **For keys of equal length, attention is Gaussian
# kernel regression.** If the lengths differ, softmax does not ignore ½‖k‖², and the weights differ. The next cell
# stretches the three keys to one length, and compares once more. Its third table shows a frequent slip: it divides by
# $d_k$, not by the root.

# %%
equal_keys = 100 * sizes / np.linalg.norm(sizes, axis=1, keepdims=True)  # each of length 100
print("by distance:", gaussian_weights(asked_sizes, equal_keys, bandwidth=2**0.25).round(3), sep="\n")  # d_k = 2
print("by dot product:", dot_product_lookup(asked_sizes, equal_keys, np.eye(3)).round(3), sep="\n")
print("divided by d_k:", softmax(asked_sizes @ equal_keys.T / 2).round(3), sep="\n")

# %% [markdown]
# The first two tables are the same. (The rescaling has moved the keys: the first is now the nearest to (55, 76).) The
# slip acts like a wider bandwidth, $h^2 = d_k$.

# %% [markdown] written="explain_kernel" points=4
# ### In your own words: `explain_kernel`
#
# ★★☆ · 10 minutes
#
# When are Gaussian weights and scaled dot-product weights equal, for every query? Write four to six sentences.
# For a point each, explain (4 points):
#
# - how the dot product comes out of the Gaussian score
# - which term softmax ignores, and why
# - what must hold for the keys, and what the dot product prefers otherwise
# - which bandwidth is needed
#
# ### BEGIN SOLUTION
# The expanded score is $q\cdot k/h^2 - \lVert q\rVert^2/2h^2 - \lVert k\rVert^2/2h^2$. The term with
# $\lVert q\rVert^2$ is the same for all keys of a query, and softmax ignores what is added to a whole row. The term
# with $\lVert k\rVert^2$ cancels only if all keys have the same length. The rest, $q\cdot k/h^2$, is the scaled
# dot product when $h^2 = \sqrt{d_k}$, that is $h = d_k^{1/4}$. Otherwise the dot product lacks a penalty and favours
# long keys that point the query's way, even when a shorter key is nearer.
#
# Rubric, 4 points:
#
# - 1 point: expands the square, or otherwise finds the dot product in the Gaussian score
# - 1 point: the query's length does not matter, for softmax ignores what is the same in a row
# - 1 point: all keys must have the same length; else the dot product favours long keys
# - 1 point: the bandwidth, $h^2 = \sqrt{d_k}$ (or $h = d_k^{1/4}$); half for "a matching bandwidth"
# ### END SOLUTION

# %% [markdown]
# ## 10 · Inside a transformer
#
# Back to the sentence of the beginning. The keys of a transformer need not be equally long, so nearness and length both
# count. Softmax takes the exponential of the score, and the exponential of a sum is a product. The score is $q\cdot
# k/\sqrt{d_k}$, so all terms of section 8 are divided by $\sqrt{d_k}$. Leave out the one with ‖q‖², which softmax
# ignores. Each weight is then proportional to a product of two factors:
#
# $$\exp\frac{-\lVert q-k\rVert^2}{2\sqrt{d_k}} \qquad \text{and} \qquad
# \exp\frac{\lVert k\rVert^2}{2\sqrt{d_k}}$$
#
# Divide each factor by its sum over the words, and call the results *near* and *loud*. *Near* is then exactly what
# `gaussian_weights` returns for $h^2 = \sqrt{d_k}$. *Loud* grows with the length of the key, whatever the query is. The
# head's weight is near × loud, divided by the sum of these products.

# %%
sentence = ". the animal did not cross the street because it"  # the "." ends the sentence before
text, writer = sentence.split(), load_writer()  # writer: the course's small trained transformer
Q, K, _ = writer.head(text, layer=1, head=2)  # the head of lesson 3; its d_k is 16
root = K.shape[1] ** 0.5  # √d_k, which is also h²


def split(Q, K):
    near = gaussian_weights(Q, K, bandwidth=root**0.5)[-1]  # the last row: the query of "it"
    loud = softmax((K**2).sum(axis=1) / (2 * root))
    return near, loud, near * loud / (near * loud).sum()


near, loud, weights = split(Q, K)
print("the model's own weights:", np.allclose(weights, writer.weights(text, layer=1, head=2)[-1], atol=1e-4))
for row in zip(text, near, loud, weights):
    print("{:8} near {:.2f}   loud {:.2f}   weight {:.2f}".format(*row))

# %% [markdown]
# The two factors give the weights that the model computes (first line). This is one way to split them, and the end
# of this section shows another. In the table:
#
# - `cross` is the loudest, .53. But it is far from the query. Its *near* is so small that near × loud is .00, too.
# - `animal` is the nearest, .49. By nearness alone, `did` and `not` would get about half as much, .24 and .25.
# - `animal` is also louder than these two, .18 against .03 and .01. So its weight is .89.
#
# In the picture, the products are not yet divided by their sum. The distance of a circle from the star is the distance
# of query and key, in the head's 16 dimensions. The angle is only the order of the words.

# %%
kernel_pictures.factors(text, Q[-1], K, near, loud)

# %% [markdown]
# **Dot-product attention is like Gaussian kernel regression in which, at the same distance, longer keys count more.**
#
# The table does not say that the head understands `it`: lesson 3 tests that. And the two factors depend on the scale.
# If you double all keys and halve all queries, no dot product and no attention weight changes. But *near* and *loud*
# change. Now `not` is the nearest, and `animal` keeps its .89 although its *near* is .00. So only the product of the
# two factors tells of the head, and not each factor by itself:

# %%
for row in zip(text, *split(Q / 2, 2 * K)):
    print("{:8} near {:.2f}   loud {:.2f}   weight {:.2f}".format(*row))

# %% [markdown]
# ## Go further

# %% [markdown] prompt="predict_shuffled"
# ### Puzzle: `predict_shuffled`
#
# ★☆☆ · 3 minutes
#
# Let `order = [2, 0, 1]`. What is f(57), with bandwidth 1, from `waists[order]` and `weights_kg[order]`? What is it
# from `waists[order]` and `weights_kg` in the old order? Put the numbers into `both_shuffled` and `keys_shuffled`,
# within 0.05.

# %% solution="predict_shuffled"
### BEGIN SOLUTION
both_shuffled = 45.5
keys_shuffled = 44.0
### END SOLUTION

# %% test="predict_shuffled"
check("predict_shuffled")

# %% [markdown] hint="predict_shuffled"
# <details><summary>Hint</summary>
#
# Write the waists in their new order, and under each the value that now belongs to it. Which two keys share the weight?
# </details>
# <details data-part="never"><summary>What follows</summary>
#
# The order of the keys does not matter, as long as each key keeps its value. The same holds for attention
# without a mask.
# </details>

# %% [markdown] prompt="gaussian_keys"
# ### Puzzle: `gaussian_keys`
#
# ★★☆ · 8 minutes
#
# The dot product can be repaired. Each query gets a 1 at its end, $(q, 1)$. Scale each key and give it one more entry,
# so that the softmax of the plain dot products, without a division, gives the Gaussian weights for all queries.


# %% solution="gaussian_keys"
def gaussian_keys(keys: np.ndarray, bandwidth: float = 1.0) -> np.ndarray:
    """Return keys for queries that end in a 1. keys: (n_k, d); returns: (n_k, d + 1)"""
    ### BEGIN SOLUTION
    lengths = (keys**2).sum(axis=1)
    return np.column_stack([keys, -lengths / 2]) / bandwidth**2
    ### END SOLUTION


# %% test="gaussian_keys"
check(gaussian_keys)

# %% [markdown] hint="gaussian_keys"
# <details><summary>Hint</summary>
#
# Call the new key k′. One of the three terms is the same in a whole row. The two others must come out of (q, 1) · k′:
# one from q, and one from the 1.
# </details>

# %%
# The weights by distance of section 7 again?
with_a_one = np.column_stack([asked_sizes, np.ones(len(asked_sizes))])
print(softmax(with_a_one @ gaussian_keys(sizes, 3).T).round(2))

# %% [markdown] prompt="bandwidth_slope"
# ### Puzzle: `bandwidth_slope`
#
# ★★★ · 14 minutes
#
# *Gradient descent* makes an error smaller step by step: each step moves the bandwidth a little down the slope. Return
# this slope, the derivative of the leave-one-out error with respect to the bandwidth. Yours may be off by
# 0.001 · max(1, |slope|).


# %% solution="bandwidth_slope"
def bandwidth_slope(keys: np.ndarray, values: np.ndarray, bandwidth: float) -> float:
    """Return the derivative of leave_one_out_error, within a thousandth of it, or of 1 if that is more."""
    ### BEGIN SOLUTION
    points = keys.reshape(len(keys), -1)
    squares = ((points[:, None] - points) ** 2).sum(axis=-1)
    weights = softmax(np.where(np.eye(len(keys)), -np.inf, -squares / (2 * bandwidth**2)))
    growth = weights * (squares - (weights * squares).sum(axis=1, keepdims=True)) / bandwidth**3
    return float(np.mean(2 * (weights @ values - values) * (growth @ values)))
    ### END SOLUTION


# %% test="bandwidth_slope"
check(bandwidth_slope)

# %% [markdown] hint="bandwidth_slope"
# <details><summary>Hint: two ways</summary>
#
# Compare the errors a hundred-thousandth to either side. Or use, with squared distances d_i²:
# ∂w_i/∂h = w_i · (d_i² − Σ_j w_j d_j²) / h³.
# </details>

# %%
# Downhill, a step at a time, from two beginnings.
for h, factor in ((16.0, 0.5), (1.0, 0.1)):
    for step in range(16):
        if step % 5 == 0:
            print(f"step {step:2}   bandwidth {h:5.2f} cm   error {leave_one_out_error(waist, kilos, h):.1f}")
        h -= factor * bandwidth_slope(waist, kilos, h)

# %% [markdown]
# From 16 cm the descent ends at 3.48 cm, between the candidates. From 1 cm, with smaller steps, it stops in a local
# minimum at 1.4: the error there is lower than beside it, but it is not the lowest.

# %% [markdown]
# ## What you can now do
#
# - write kernel regression: distances to weights, weights to a prediction
# - choose a bandwidth by leave-one-out
# - say what makes a dot product large, and when attention is kernel regression
#
# Here the score is a fixed formula of query and key. In the next lesson, [05 · Two ways to score][next], the formula
# itself has learned parameters.
#
# [next]: ../05_additive_vs_dot_product/additive_vs_dot_product.ipynb

# %% [markdown]
# ---
# *Credits.* Kernel regression: Nadaraya, [*On estimating regression*][1], 1964, and Watson, *Smooth regression
# analysis*, 1964. Attention with dot products: [Luong, Pham and Manning][2], 2015; scaled: [Vaswani et al.][3], 2017.
#
# [1]: https://doi.org/10.1137/1109020
# [2]: https://arxiv.org/abs/1508.04025
# [3]: https://arxiv.org/abs/1706.03762
