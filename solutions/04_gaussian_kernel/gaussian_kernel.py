# %% [markdown]
# # Attention was regression all along
#
# A trained transformer reads a sentence. The thicker a line, the more `it` gets from that word. **Why nothing from the
# largest?** (The angle is only the order of the words. Distance and size are measured; of what, you find out.) In the
# end you take this picture apart, and find kernel regression inside, sixty years old.
#
# It takes about 80 minutes, and 25 more for the puzzles. Only the cold questions need earlier lessons.

# %% setup="imports"
import numpy as np

from autograder import check, cold_questions, kernel_pictures, load_bodies, load_writer, softmax

check.lesson("04_gaussian_kernel")

# %%
kernel_pictures.opening()

# %%
cold_questions()  # three on earlier lessons: a minute, never graded

# %% [markdown]
# ## 1 · Three people and a tape measure
#
# Someone's waist is 57 cm. What do they weigh? You know three other people. Let each vote, the louder the more alike.

# %%
waists = np.array([51.0, 56.0, 58.0])  # the keys: what we compare with, in cm
weights_kg = np.array([40.0, 43.0, 48.0])  # the values: what we want to know, in kg
kernel_pictures.people(waists, weights_kg, query=57)

# %% [markdown]
# The **query** is 57, the waists are **keys**, the kilograms are **values**. Between its two neighbours you would say
# $(43 + 48)/2 = 45.5$ kg. And at 56.4? One rule answers both, in three steps:
#
# 1. **Score** each key: $-\tfrac12 (q-k)^2$, which is 0 at best and falls with the distance.
# 2. **Softmax** makes weights of the scores, positive ones that sum to 1:
#    $\text{weight}_i = \exp(\text{score}_i) \,/ \sum_j \exp(\text{score}_j)$.
# 3. **Average** the values: $f(q) = \sum_i \text{weight}_i \, \text{value}_i$.
#
# The exp of such a score is the *Gaussian kernel*. By pencil, for $q = 57$:
#
# | key | $q-k$ | score | exp(score) | weight | value | weight · value |
# | --- | --- | --- | --- | --- | --- | --- |
# | 51 | 6 | −18 | 0.000000015 | 0.000 | 40 | 0.0 |
# | 56 | 1 | −0.5 | 0.607 | 0.500 | 43 | 21.5 |
# | 58 | −1 | −0.5 | 0.607 | 0.500 | 48 | 24.0 |
# | | | | 1.213 (before rounding) | 1 | | **45.5** |
#
# (*Weights* are shares of a vote; what people weigh is in kg.)
#
# ## 2 · Find the slip
#
# The notes this lesson grew from have the first two steps in four lines, with a slip. Line 3 takes the maximum off, so
# that `exp` cannot overflow.


# %%
def notes_weights(query, keys):
    difference = query - keys  # line 1
    score = difference**2 / 2  # line 2
    kernel = np.exp(score - score.max())  # line 3
    return kernel / kernel.sum()  # line 4


print(f"f(57) = {notes_weights(57, waists) @ weights_kg:.1f} kg")

# %% [markdown] prompt="name_the_slip"
# ★☆☆ · 5 minutes
#
# The prediction is 40.0 kg, not 45.5. Which key takes all the weight? Put its waist into `winner`, and into
# `faulty_line` the number of the *first* line whose result is not what the table says.

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
# Run the four lines with `query = 57` and `keys = waists`, and print each result.
# </details>
# <details data-part="the line where"><summary>Hint 2: what to compare</summary>
#
# Line 1 belongs to the column q − k, line 2 to *score*. Line 3 takes off the maximum, so it differs in any case.
# </details>

# %% [markdown]
# <details><summary>What the notes lost</summary>
#
# The minus sign. Without it the key *farthest* from the query scores highest.
# </details>
#
# ## 3 · The kernel and its dial
#
# How near is near? The **bandwidth** $h$ says, here in cm. And keys may be vectors of $d$ numbers, such as waist and
# chest, so the difference becomes a distance:
#
# $$\text{score}(q, k) = -\frac{\lVert q-k\rVert^2}{2h^2}$$

# %% [markdown] prompt="gaussian_weights"
# ### Exercise: `gaussian_weights`
#
# ★★☆ · 12 minutes
#
# Give each of $n_q$ queries its weights over the $n_k$ keys. The imports hold a `softmax(scores)` that works row by row
# and never overflows.


# %% solution="gaussian_weights"
def gaussian_weights(queries: np.ndarray, keys: np.ndarray, bandwidth: float = 1.0) -> np.ndarray:
    """How each query shares its vote out among the keys: a row for each query.

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
# <details data-part="one row a query"><summary>Hint 1: every query meets every key</summary>
#
# Queries of shape (n_q, 1, d) less keys of shape (1, n_k, d) broadcast to (n_q, n_k, d).
# </details>
# <details data-part="one row a query"><summary>Hint 2: to these shapes</summary>
#
# `queries.reshape(len(queries), 1, -1)` does it for scalars and vectors alike.
# </details>
# <details data-part="every query's; the lesson's; scalars; vectors">
# <summary>Hint 3: from differences to weights</summary>
#
# Square and sum over the last axis: the squared distances, (n_q, n_k). Make scores of them, and weights of those.
# </details>
# <details data-part="a query far"><summary>Help, I keep getting NaN for the far query</summary>
#
# At waist 500 and bandwidth 0.1 the best score is −9,768,200, and exp of it is 0, as for all keys: 0/0. Take the
# row's largest score off before exp, which changes no weight, or let the imported `softmax` do it.
# </details>

# %%
asked = np.array([50, 53, 54, 57, 60, 500])
one, four = (gaussian_weights(asked, waists, h) for h in (1, 4))
kernel_pictures.heatmaps({"bandwidth 1 cm": one, "bandwidth 4 cm": four}, asked, waists.astype(int))

# %% [markdown]
# Every row sums to 1, even that of 500 cm: near nobody, it gives all to 58, the least far.
#
# ## 4 · A vote is a prediction

# %% [markdown] prompt="kernel_regression"
# ### Exercise: `kernel_regression`
#
# ★☆☆ · 5 minutes
#
# Predict one value for each query: the average of the values, weighted by that query's weights.


# %% solution="kernel_regression"
def kernel_regression(
    queries: np.ndarray, keys: np.ndarray, values: np.ndarray, bandwidth: float = 1.0
) -> np.ndarray:
    """Nadaraya and Watson's estimator: what the keys' values say about the queries.

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
# `gaussian_weights` gives (n_q, n_k), and the values have n_k rows: `@` lets n_k vanish.
# </details>

# %% [markdown]
# Move the query. Where do 51 and 56 tie, and what has 56 half a centimetre further on, and one?

# %%
kernel_pictures.vote(gaussian_weights, waists, weights_kg)

# %% [markdown]
# <details><summary>Moved?</summary>
#
# Halfway, at 53.5. Half a centimetre on, 56 has .92; one centimetre on, .987, and never .99, for 58 begins to be heard.
# </details>
#
# ## 5 · The one dial
#
# At 56.4, bandwidth 1 predicts 44.16 kg. Of the neighbours, 56 is 0.4 cm away, and 58 is 1.6.

# %% [markdown] prompt="predict_bandwidth"
# ★★☆ · 4 minutes
#
# What is predicted at 56.4 with bandwidth 0.1, and with bandwidth 1000? Put the two numbers into
# `nearly_zero` and `enormous`, in kg, within 0.05.

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
# The scores are −0.4²/(2h²) and −1.6²/(2h²): with h = 0.1, −8 and −128. What is left of exp(−120)?
# </details>
# <details data-part="bandwidth 1000"><summary>Hint 2: enormous</summary>
#
# With h = 1000 all three scores are 0 to four decimals. Equal scores make equal weights.
# </details>

# %%
kernel_pictures.curve(kernel_regression, waists, weights_kg)

# %% [markdown]
# <details><summary>What the two ends of the dial do</summary>
#
# Small bandwidth: copy the nearest person. Large bandwidth: everyone's mean, whoever asks.
# </details>
#
# Good bandwidths lie between. Three people cannot say where.
#
# ## 6 · Letting the data choose
#
# `load_bodies()` gives 160 people, drawn by a small program; nobody was measured. Which bandwidth do you trust for
# somebody new? Above the curve stands how far it is off, squared and on average, at these very people.

# %%
bodies = load_bodies()
waist, kilos = bodies["waist"], bodies["weight"]
kernel_pictures.by_eye(kernel_regression, waist, kilos)

# %%
my_bandwidth = 10  # in cm: put yours here

# %% [markdown]
# The narrower, the less it is off: everyone is their own nearest neighbour. (Not down to 0: the 160 share 125 waists.)
# That tells nothing about somebody new. So hide one person, predict them from all others, and do so for each:
# *leave-one-out*. For our three, $h = 1$:
#
# | hidden | who is heard | predicted | true | squared error |
# | --- | --- | --- | --- | --- |
# | 51 | almost only 56 | 43 kg | 40 kg | 9 |
# | 56 | almost only 58 | 48 kg | 43 kg | 25 |
# | 58 | almost only 56 | 43 kg | 48 kg | 25 |
# | | | | mean | **19.67** |

# %% [markdown] prompt="leave_one_out_error"
# ### Exercise: `leave_one_out_error`
#
# ★★☆ · 12 minutes
#
# Predict each sample from all the others, and return the mean of the squared errors: where values have several
# columns, the mean over all their entries.


# %% solution="leave_one_out_error"
def leave_one_out_error(keys: np.ndarray, values: np.ndarray, bandwidth: float) -> float:
    """The mean squared error of predicting each sample from the others.

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
# `np.arange(n) != i` selects everyone but i, from keys and values alike.
# </details>
# <details data-part="one number"><summary>Hint 2: a query of one</summary>
#
# `keys[i]` loses an axis; `keys[[i]]` keeps it, and `kernel_regression` gives an array with one prediction.
# </details>
# <details data-part="the lesson's; the mean"><summary>Hint 3: without a loop</summary>
#
# Score all samples against all, set the diagonal to −∞ *before* the softmax (zeros afterwards would leave rows
# that do not sum to 1), and multiply by the values.
# </details>

# %% [markdown] prompt="best_bandwidth"
# ### Exercise: `best_bandwidth`
#
# ★☆☆ · 4 minutes
#
# Return the candidate bandwidth of least leave-one-out error.


# %% solution="best_bandwidth"
def best_bandwidth(keys: np.ndarray, values: np.ndarray, candidates: list[float]) -> float:
    """The candidate with the smallest leave-one-out error.

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
# `min` takes a `key=` function; `np.argmin` gives a position. Return the candidate itself.
# </details>

# %%
candidates = [0.25, 0.5, 1, 2, 4, 8, 16, 32]
errors = {h: leave_one_out_error(waist, kilos, h) for h in candidates}
best, mine = best_bandwidth(waist, kilos, candidates), leave_one_out_error(waist, kilos, my_bandwidth)
mean, line = (kernel_pictures.polynomial_error(waist, kilos, degree) for degree in (0, 1))
print(f"my bandwidth, {my_bandwidth:g} cm: {mine:.1f} kg²   the best, {best:g} cm: {errors[best]:.1f} kg²")
kernel_pictures.choice(kernel_regression, waist, kilos, errors, {"mean, left out": mean, "line, left out": line})

# %% [markdown]
# Was your eye good? At its best the kernel has about a quarter of the error of the plain mean, left out, too.
#
# Yet a straight line beats it, for the recipe behind these people makes weight grow almost straight with the waist.
# Where you know the form, fit it. Attention is for where nobody does: it assumes only that near keys have similar
# values. What is *near*, a transformer learns.
#
# ## 7 · Two measurements at once
#
# Equal waists may hide a broad chest. So the notes take waist *and* chest as the key, weight *and* height as the value;
# your functions can:

# %%
notes_keys = np.array([[51.0, 70.0], [56.0, 82.0], [56.0, 82.0]])  # waist and chest in cm
people = np.array([[40.0, 155.0], [43.0, 159.0], [48.0, 162.0]])  # weight in kg and height in cm

# %% [markdown] prompt="predict_twins"
# ★☆☆ · 3 minutes
#
# The second slip: the last two keys are the same. A query stands exactly on (56, 82), and the bandwidth is 0.1. Which
# weight and height does kernel regression return? Put the two numbers into `at_the_twins`, as a list.

# %% solution="predict_twins"
### BEGIN SOLUTION
at_the_twins = [45.5, 160.5]
### END SOLUTION

# %% test="predict_twins"
check("predict_twins")

# %% [markdown] hint="predict_twins"
# <details><summary>Hint</summary>
#
# How far is the query from each key? Equal distances make equal weights, and all weights sum to 1.
# </details>

# %% [markdown]
# The third person gets the waist of 58 back, and a chest of 86 cm, our choice. Two people ask:

# %%
sizes = np.array([[51.0, 70.0], [56.0, 82.0], [58.0, 86.0]])
asked_sizes = np.array([[57.0, 83.0], [55.0, 76.0]])
print("the notes' keys:", gaussian_weights(asked_sizes, notes_keys, bandwidth=3).round(2), sep="\n")
print("ours:", gaussian_weights(asked_sizes, sizes, bandwidth=3).round(2), sep="\n")

# %% [markdown]
# <details><summary>What the twins did</summary>
#
# They split their weight evenly, for every query and at any bandwidth: they vote as one person who does not exist.
# </details>
#
# ## 8 · From kernel regression to attention
#
# Nothing in "score, softmax, average" insists on distances. Multiply the square out:
#
# $$-\frac{\lVert q-k\rVert^2}{2h^2} \;=\;
# \frac{q\cdot k}{h^2} \;-\; \frac{\lVert q\rVert^2}{2h^2} \;-\; \frac{\lVert k\rVert^2}{2h^2}$$
#
# Keep the first term alone, with $\sqrt{d_k}$ for $h^2$, where $d_k$ is the number of entries in a key. That is the
# transformer's *scaled dot-product attention*, $\mathrm{softmax}(QK^\top/\sqrt{d_k})\,V$: queries, keys and values
# are the rows of $Q$, $K$ and $V$. Two terms were dropped. Will they be missed?

# %% [markdown] prompt="dot_product_lookup"
# ### Exercise: `dot_product_lookup`
#
# ★★☆ · 6 minutes
#
# Only the score changes, to $q\cdot k/\sqrt{d_k}$. One matrix product gives all scores. Before the picture: whom will
# (55, 76) fetch?


# %% solution="dot_product_lookup"
def dot_product_lookup(queries: np.ndarray, keys: np.ndarray, values: np.ndarray) -> np.ndarray:
    """For each query, the values' average under the softmax of the scaled dot products.

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
# <details data-part="one row a query; the lesson's; the right average of the">
# <summary>Hint 1: all scores at once</summary>
#
# A row for each query and a column for each key: (n_q, d_k) @ (d_k, n_k). Read d_k from the keys' shape.
# </details>
# <details data-part="every query's"><summary>Hint 2: the weights, made visible</summary>
#
# With `np.eye(n_k)` as the values, your function returns the weights themselves.
# </details>

# %%
one, other = gaussian_weights(asked_sizes, sizes, 3), dot_product_lookup(asked_sizes, sizes, np.eye(3))
weights = {"Gaussian, bandwidth 3 cm": one, "dot product / √2": other}
kernel_pictures.heatmaps(weights, ["(57, 83)", "(55, 76)"], ["(51, 70)", "(56, 82)", "(58, 86)"])

# %% [markdown]
# Whoever asks, (55, 76) too, the dot product fetches the third person: 58 and 86 exceed all others, and no query is
# negative. It rewards a *long* key; the dropped $-\lVert k\rVert^2/2h^2$ was the price of length. And in raw
# centimetres the scores lie hundreds apart, so the softmax takes the largest alone.
#
# ### Find the slip: which divisor?
#
# The divisor is made for entries near 1. The notes show the formula with $\sqrt{d_k}$ and say beside it to "divide by
# $d_k$". Which is it?

# %% [markdown] prompt="predict_divisor"
# ★★☆ · 4 minutes
#
# Queries and keys hold nine numbers each, drawn from a standard normal. By what must $q\cdot k$ be divided to have a
# spread (a standard deviation) of 1? Put it into `divisor_at_9`.

# %% solution="predict_divisor"
### BEGIN SOLUTION
divisor_at_9 = 3
### END SOLUTION

# %% test="predict_divisor"
check("predict_divisor")

# %% [markdown] hint="predict_divisor"
# <details><summary>Hint 1: try it</summary>
#
# `np.random.default_rng(4).normal(size=(2, 20_000, 9))` holds 20,000 queries and keys. What spread do their dot
# products have?
# </details>
# <details><summary>Hint 2: why</summary>
#
# q · k is a sum of d_k independent terms, each of variance 1. Variances add up; the spread is the
# square root of the variance.
# </details>

# %%
rng = np.random.default_rng(4)
for d_k in (1, 4, 16, 64, 256):
    queries, keys = rng.normal(size=(2, 20_000, d_k))
    spread = (queries * keys).sum(axis=1).std()
    print(f"d_k {d_k:3}   spread {spread:4.1f}   / √d_k {spread / d_k**0.5:.2f}   / d_k {spread / d_k:.2f}")

# %% [markdown]
# Left alone, the spread grows with the width, until one key takes all the weight. Divided by $d_k$ it fades: at
# width 256 the weights are nearly a plain mean.
#
# ## 9 · When the two agree
#
# Six keys on a circle, all of the same length; $h^2 = \sqrt{d_k}$. Each place has the colour of the key that wins
# there. The star is a query beside key 1. **Before you slide key 2 out: will it ever win the star, by distance, by
# dot product?**

# %%
angles = np.radians([0, 60, 120, 180, 240, 300])
circle = np.column_stack([np.cos(angles), np.sin(angles)])


def gaussian(queries, keys):
    return gaussian_weights(queries, keys, bandwidth=2**0.25)  # h**2 = √d_k, d_k = 2


def dotted(queries, keys):
    return dot_product_lookup(queries, keys, np.eye(len(keys)))


# %%
some = np.random.default_rng(9).normal(size=(100, 2))
print("the same weights for 100 queries:", np.allclose(gaussian(some, circle), dotted(some, circle)))
kernel_pictures.winners(circle, gaussian, dotted)

# %% [markdown]
# <details><summary>Decided? Compare.</summary>
#
# On the circle not one weight differs. Stretched, key 2 leaves the star: by distance it never wins it. By dot product
# it does beyond 1.34, though key 1 stays nearer. Pushed in below half, key 2 wins nothing by dot product.
# </details>
#
# ## 10 · Inside a transformer
#
# A trained model's keys differ in length. Read the square backwards. Up to a factor that all keys of a
# query share,
#
# $$\exp\frac{q\cdot k}{\sqrt{d_k}} \;\propto\;
# \exp\frac{-\lVert q-k\rVert^2}{2\sqrt{d_k}} \;\cdot\; \exp\frac{\lVert k\rVert^2}{2\sqrt{d_k}}$$
#
# Your kernel says how *near* a key is; the rest, how *loud*. Back to the first picture, one head (one attention) of the
# course's small transformer. Whom does *it* hear: the near ones, or the loud?

# %%
sentence = ". the animal did not cross the street because it"
text, writer = sentence.split(), load_writer()
Q, K, _ = writer.head(text, layer=1, head=2)
root = K.shape[1] ** 0.5
near = gaussian_weights(Q, K, bandwidth=root**0.5)[-1]  # the last row: whom "it" hears
loud = softmax((K**2).sum(axis=1) / (2 * root))
votes = near * loud / (near * loud).sum()
print("the model's own weights:", np.allclose(votes, writer.weights(text, layer=1, head=2)[-1], atol=1e-4))
kernel_pictures.factors(text, Q[-1], K, near, loud)

# %% [markdown]
# The loudest, *cross*, is too far away to be heard; *animal* is near **and** loud, and wins. It was regression all
# along, with a louder vote for long keys. The picture's distances are those between the query and the keys, in all 16
# numbers.

# %% [markdown] written="explain_kernel" points=4
# ### In your own words: `explain_kernel`
#
# ★★☆ · 10 minutes
#
# When do Gaussian weights and scaled dot-product weights coincide, for every query? Which of the three terms are
# harmless and why, which one is not, and which bandwidth is needed? What does the dot product prefer when the
# condition fails? Four to six sentences. (4 points)
#
# ### BEGIN SOLUTION
# The expanded score is $q\cdot k/h^2 - \lVert q\rVert^2/2h^2 - \lVert k\rVert^2/2h^2$. The term with
# $\lVert q\rVert^2$ is the same for all keys of a query, and softmax ignores what is added to a whole row. The term
# with $\lVert k\rVert^2$ cancels only if all keys have the same length. What remains, $q\cdot k/h^2$, is the scaled
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
# ## Go further

# %% [markdown] prompt="predict_shuffled"
# ### Puzzle: `predict_shuffled`
#
# ★☆☆ · 3 minutes
#
# With `order = [2, 0, 1]`: what is f(57), bandwidth 1, from `waists[order]` and `weights_kg[order]`? And from
# `waists[order]` and `weights_kg` as it was? Put the numbers into `both_shuffled` and `keys_shuffled`, within 0.05.

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
# Write the waists in their new order, and under each the value it now meets. Which two share the vote?
# </details>
# <details data-part="never"><summary>What follows</summary>
#
# Attention knows no first and last, only which value belongs to which key.
# </details>

# %% [markdown] prompt="gaussian_keys"
# ### Puzzle: `gaussian_keys`
#
# ★★☆ · 8 minutes
#
# Repair the dot product: each query gets a 1 at its end, $(q, 1)$. Scale each key and give it one more entry, so
# that the softmax of the plain dot products, undivided, is the Gaussian weights, whatever the queries.


# %% solution="gaussian_keys"
def gaussian_keys(keys: np.ndarray, bandwidth: float = 1.0) -> np.ndarray:
    """Keys for queries that end in a 1. keys: (n_k, d); returns: (n_k, d + 1)"""
    ### BEGIN SOLUTION
    lengths = (keys**2).sum(axis=1)
    return np.column_stack([keys, -lengths / 2]) / bandwidth**2
    ### END SOLUTION


# %% test="gaussian_keys"
check(gaussian_keys)

# %% [markdown] hint="gaussian_keys"
# <details><summary>Hint</summary>
#
# Of the three terms, one is the same in a whole row. The two others must come out of (q, 1) · k′: one from
# q, one from the 1.
# </details>

# %%
# The weights of section 7 again?
with_a_one = np.column_stack([asked_sizes, np.ones(len(asked_sizes))])
print(softmax(with_a_one @ gaussian_keys(sizes, 3).T).round(2))

# %% [markdown] prompt="bandwidth_slope"
# ### Puzzle: `bandwidth_slope`
#
# ★★★ · 14 minutes
#
# Learn the dial by gradient: return the derivative of the leave-one-out error with respect to the bandwidth, by
# the chain rule, by PyTorch, or from two errors.


# %% solution="bandwidth_slope"
def bandwidth_slope(keys: np.ndarray, values: np.ndarray, bandwidth: float) -> float:
    """How fast leave_one_out_error changes with the bandwidth, within a thousandth of it, or of 1 if that is more."""
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
# Compare the errors a hundred-thousandth to either side. Or, with squared distances d_i²:
# ∂w_i/∂h = w_i · (d_i² − Σ_j w_j d_j²) / h³.
# </details>

# %%
# Downhill, a step at a time.
h = 16.0
for step in range(16):
    if step % 5 == 0:
        print(f"step {step:2}   bandwidth {h:5.2f} cm   error {leave_one_out_error(waist, kilos, h):.1f}")
    h -= 0.5 * bandwidth_slope(waist, kilos, h)

# %% [markdown]
# The end, 3.48 cm, was on no list. Begin at 1 with 0.1 in place of 0.5, and the descent stops in a dip at 1.4.

# %% [markdown]
# ## What you can now do
#
# - turn distances into weights, never NaN, and weights into a prediction
# - choose a bandwidth without letting a sample predict itself
# - find kernel regression in a transformer, and say what else is there
#
# Here scores are fixed. In the next lesson, [05 · Two ways to score][next], they are learned.
#
# [next]: ../05_additive_vs_dot_product/additive_vs_dot_product.ipynb

# %% [markdown]
# ---
# *Credits.* Samples and formulas come from the notes this course grew from. Kernel regression: Nadaraya,
# [*On estimating regression*][1], 1964, and Watson, *Smooth regression analysis*, 1964. Attention:
# [Bahdanau, Cho and Bengio][2], 2014; with dot products: [Luong, Pham and Manning][3], 2015; scaled:
# [Vaswani et al.][4], 2017.
#
# [1]: https://doi.org/10.1137/1109020
# [2]: https://arxiv.org/abs/1409.0473
# [3]: https://arxiv.org/abs/1508.04025
# [4]: https://arxiv.org/abs/1706.03762
