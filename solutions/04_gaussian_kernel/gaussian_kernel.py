# %% [markdown]
# # Attention was regression all along
#
# Someone's waist is 57 cm. What do they weigh? You know three other people, so you let each of them vote,
# and the more alike, the louder the vote. That is kernel regression, sixty years old, and it is attention
# with another way to score.
#
# You will build the kernel, a predictor and a fair way to set its one dial. Then you swap the score for a
# dot product and find out exactly what the swap changes. Five functions, four short predictions, one
# question to answer in writing: about 75 minutes. No earlier lesson is needed. Replace each `TODO` (or
# `...`), run the cell, then the `check(...)` below it.

# %% setup="imports"
import matplotlib.pyplot as plt
import numpy as np

from autograder import CMAP, check, explore, load_bodies, show, softmax

check.lesson("04_gaussian_kernel")

# %% [markdown]
# ## 1 · Three people and a tape measure

# %%
waists = np.array([51.0, 56.0, 58.0])  # the keys: what we compare with, in cm
weights_kg = np.array([40.0, 43.0, 48.0])  # the values: what we want to know, in kg

figure, axes = plt.subplots(figsize=(5, 3.2), layout="constrained")
axes.scatter(waists, weights_kg, s=60, label="known people (key, value)")
axes.axvline(57, color="C1", linestyle="--", label="query: waist 57")
axes.set(xlabel="waist in cm (key)", ylabel="weight in kg (value)", xlim=(49.5, 60))
axes.legend(loc="upper left")
show(
    figure,
    alt="Three points, waist against weight: (51, 40), (56, 43), (58, 48). A dashed line at waist 57, "
    "the query, halfway between the second and the third.",
)

# %% [markdown]
# The **query** is 57, the waists are **keys**, the weights in kg are **values**. Two neighbours are 1 cm
# away, so $(43 + 48)/2 = 45.5$ kg is a sensible guess. But it throws the third person away, and it does not
# say what to do at 56.4. So let everybody vote, through the *Gaussian kernel*:
#
# $$\text{score}(q, k) = -\tfrac12 (q-k)^2 \qquad
# \text{weight}_i = \frac{\exp(\text{score}_i)}{\sum_j \exp(\text{score}_j)} \qquad
# f(q) = \sum_i \text{weight}_i \, \text{value}_i$$
#
# A score says how well a key fits: the higher, the better. The middle step, "exp, then divide by the sum", is
# called **softmax**: it makes positive weights that sum to 1 out of any scores. Here is all of it for
# $q = 57$, small enough for a pencil:
#
# | key | $q-k$ | score | exp(score) | weight | value | weight · value |
# | --- | --- | --- | --- | --- | --- | --- |
# | 51 | 6 | −18 | 0.000000015 | 0.000 | 40 | 0.0 |
# | 56 | 1 | −0.5 | 0.607 | 0.500 | 43 | 21.5 |
# | 58 | −1 | −0.5 | 0.607 | 0.500 | 48 | 24.0 |
# | | | | 1.213 | 1 | | **45.5** |
#
# The same 45.5, and now there is an answer for every waist. (Two kinds of weight meet here. In this lesson
# *weights* are shares of a vote; what a person weighs is always given in kg.)
#
# ## 2 · Find the slip
#
# The notes this lesson grew from write the kernel with one character missing. This code does what they
# wrote:


# %%
def notes_weights(query, keys):
    difference = query - keys  # line 1
    score = difference**2 / 2  # line 2
    kernel = np.exp(score - score.max())  # line 3; less the maximum, so that exp cannot overflow
    return kernel / kernel.sum()  # line 4, where that shift cancels out


slipped = notes_weights(57, waists)
print("keys   ", waists)
print("weights", slipped.round(3))
print(f"f(57) = {slipped @ weights_kg:.1f} kg")

# %% [markdown] prompt="name_the_slip"
# The prediction is 40.0 kg, not 45.5. Put the waist of the key that takes all the weight into `winner`, and
# the number of the *first* line whose result is not what the table above says into `faulty_line`.

# %% solution="name_the_slip"
### BEGIN SOLUTION
winner = 51
faulty_line = 2
### END SOLUTION

# %% test="name_the_slip"
check("name_the_slip")

# %% [markdown] hint="name_the_slip"
# <details><summary>Hint 1: where to look</summary>
#
# Copy the four lines into a cell of your own, with `query = 57` and `keys = waists`, and print each result.
# </details>
# <details><summary>Hint 2: what to compare</summary>
#
# Line 1 belongs to the table's column $q-k$, line 2 to the column *score*. A better fit should have a
# higher score.
# </details>
# <details><summary>Hint 3: but the exponentials differ as well</summary>
#
# They would in any case, since line 3 takes off the maximum. You look for the first line that differs.
# </details>

# %% [markdown]
# ## 3 · The kernel, without the slip
#
# What the notes lost is the minus sign. Without it the key *farthest* from the query scores highest; with it
# f(57) is 45.5.
#
# Two things are added now. A **bandwidth** $h$, in the units of the keys (here cm), says how far away still
# counts as near. And a key may be a vector of $d$ numbers, such as waist and chest, so the difference
# becomes the distance $\lVert q-k\rVert$:
#
# $$\text{score}(q, k) = -\frac{\lVert q-k\rVert^2}{2h^2}$$
#
# With $h = 1$ and $d = 1$ it is the table above.

# %% [markdown] prompt="gaussian_weights"
# ### Exercise: `gaussian_weights`
#
# Give each of $n_q$ queries its weights over the $n_k$ keys, all at once: a row for each query, a column for
# each key. The imports hold a `softmax(scores)` that works row by row and never overflows.


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
# <details><summary>Hint 1: every query meets every key</summary>
#
# Give the queries the shape (n_q, 1, d) and the keys (1, n_k, d): their difference broadcasts to (n_q, n_k,
# d). `queries.reshape(len(queries), 1, -1)` does it for scalars and vectors alike.
# </details>
# <details><summary>Hint 2: from differences to weights</summary>
#
# Square, sum over the last axis, and you have the squared distances, (n_q, n_k). Turn them into scores. What
# makes weights of scores is imported above.
# </details>
# <details><summary>Help, I keep getting NaN for the far query</summary>
#
# exp(−9,000,000) is 0, for every key: 0/0. Adding the same number to all scores of a row changes no weight,
# so subtract the row's largest score before exp. The imported `softmax` does that.
# </details>


# %%
def heatmap(axes, weights, queries, keys, title):
    """Draw weights (n_q, n_k): a row for each query, a column for each key."""
    axes.imshow(weights, cmap=CMAP, vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(keys)), keys)
    axes.set_yticks(range(len(queries)), queries)
    axes.set(xlabel="key", ylabel="query", title=title)
    for (row, column), weight in np.ndenumerate(weights):
        color = "white" if weight > 0.7 else "black"
        axes.text(column, row, f"{weight:.2f}", ha="center", va="center", color=color)


asked = np.array([50.0, 53.0, 54.0, 57.0, 60.0, 500.0])
figure, row = plt.subplots(1, 2, figsize=(8.6, 3.4), layout="constrained")
for axes, bandwidth in zip(row, (1.0, 4.0), strict=True):
    weights = gaussian_weights(asked, waists, bandwidth)
    heatmap(axes, weights, asked.astype(int), waists.astype(int), f"bandwidth {bandwidth:g} cm")
show(
    figure,
    alt="Two heatmaps of the Gaussian weights of six query waists over the three key waists. With "
    "bandwidth 1 nearly all weight goes to the nearest key, or half each to 56 and 58 for the "
    "query 57. With bandwidth 4 the weight is spread over all keys. The query 500 gives all its "
    "weight to 58 in both.",
)

# %% [markdown]
# Read a row: one query, weights that sum to 1. A waist of 500 cm is near nobody, yet its weights must sum to
# 1 too, and 58 is the least far.
#
# ## 4 · A vote is a prediction

# %% [markdown] prompt="kernel_regression"
# ### Exercise: `kernel_regression`
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
# <details><summary>Hint 1: what you have</summary>
#
# `gaussian_weights` gives (n_q, n_k). The values have n_k rows. Which product lets n_k vanish?
# </details>
# <details><summary>Hint 2: the two shapes of values</summary>
#
# `@` takes both as they are: (n_q, n_k) @ (n_k,) is (n_q,), and (n_q, n_k) @ (n_k, d_v) is (n_q, d_v).
# </details>

# %%
print(f"f(57) = {kernel_regression(np.array([57.0]), waists, weights_kg)[0]:.1f} kg")

# %% [markdown]
# ## 5 · The one dial
#
# A query at 56.4 lies 0.4 cm from the person of 43 kg and 1.6 cm from the person of 48 kg. With bandwidth 1
# the prediction is 44.16 kg. Commit yourself before you turn the dial.

# %% [markdown] prompt="predict_bandwidth"
# What is predicted at 56.4 with bandwidth 0.1, and with bandwidth 1000? Put the two numbers into
# `nearly_zero` and `enormous`, in kg, within 0.05; a pencil is enough.

# %% solution="predict_bandwidth"
### BEGIN SOLUTION
nearly_zero = 43.0
enormous = (40 + 43 + 48) / 3
### END SOLUTION

# %% test="predict_bandwidth"
check("predict_bandwidth")

# %% [markdown] hint="predict_bandwidth"
# <details><summary>Hint 1: nearly zero</summary>
#
# The scores are $-0.4^2/(2h^2)$ and $-1.6^2/(2h^2)$. With $h = 0.1$ they are −8 and −128. What is left of
# exp(−120)?
# </details>
# <details><summary>Hint 2: enormous</summary>
#
# With $h = 1000$ all three scores are 0 to four decimals. Equal scores make equal weights.
# </details>


# %%
def draw_curve(bandwidth, axes):
    along = np.linspace(48, 61, 400)
    axes.plot(along, kernel_regression(along, waists, weights_kg, bandwidth), color="C1")
    axes.scatter(waists, weights_kg, s=50, zorder=3)
    axes.set(xticks=(48, 52, 56, 60), ylim=(38.5, 49.5))
    axes.set_xlabel("waist in cm (query)", fontsize=13)
    axes.set_ylabel("predicted weight in kg", fontsize=13)
    axes.tick_params(labelsize=12)


explore(
    draw_curve,
    (0.3, 1, 3, 30),
    name="bandwidth",
    alt="The predicted weight as a curve over the waist, for four bandwidths. At 0.3 the curve is a "
    "staircase through the three people, at 1 a staircase with rounded steps, at 3 a gentle slope "
    "that misses the people, at 30 nearly flat at the mean of 43.7 kg.",
)

# %% [markdown]
# Small bandwidth: copy the nearest person. Large bandwidth: everyone's mean, whoever asks. The good ones
# are somewhere between, and three people cannot say where.
#
# ## 6 · Letting the data choose
#
# `load_bodies()` gives 160 people. They are made up by a small program, so nobody's privacy is at stake
# (`autograder/data/README.md` says how).

# %%
bodies = load_bodies()
for name, column in bodies.items():
    unit = "kg" if name == "weight" else "cm"
    print(f"{name:6}  {column.min():6.1f} … {column.max():5.1f} {unit}")

# %% [markdown]
# Which bandwidth predicts best? Asking how well the samples predict *themselves* is no use: everyone is their
# own nearest neighbour, so as $h \to 0$ the error goes to 0. So hide one person, predict them from all
# others, and do so for each: *leave-one-out*.
#
# By hand for our three people, $h = 1$:
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
# Predict each sample from all the others, and return the mean of the squared errors. Where values have
# several columns, it is the mean over all their entries.


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
# <details><summary>Hint 1: all but one</summary>
#
# An array of True and False, `np.arange(n) != i`, selects everyone but i, from keys and values alike.
# </details>
# <details><summary>Hint 2: a query of one</summary>
#
# `keys[i]` loses an axis; `keys[[i]]` or `keys[i : i + 1]` keeps it. Then `kernel_regression` does the
# rest. What it returns is an array with one prediction in it.
# </details>
# <details><summary>Hint 3: without a loop</summary>
#
# Score all samples against all, set the diagonal to −∞ *before* the softmax, and multiply by the values.
# (Setting the weights' diagonal to 0 afterwards leaves rows that do not sum to 1.)
# </details>

# %% [markdown] prompt="best_bandwidth"
# ### Exercise: `best_bandwidth`
#
# Return the candidate bandwidth whose leave-one-out error is least; they come in no particular order.


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
# <details><summary>Hint 1: what to compare</summary>
#
# One error for each candidate; `min` takes a `key=` function, `np.argmin` gives a position.
# </details>
# <details><summary>Hint 2: what to return</summary>
#
# The candidate, not its error and not its position in the list.
# </details>

# %%
candidates = [0.25, 0.5, 1, 2, 4, 8, 16, 32]
errors = [leave_one_out_error(bodies["waist"], bodies["weight"], h) for h in candidates]
best = best_bandwidth(bodies["waist"], bodies["weight"], candidates)
print(f"best bandwidth {best:g} cm: off by {min(errors) ** 0.5:.1f} kg, as a root mean square")

figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.6), layout="constrained")
left.plot(candidates, errors, marker="o")
left.axvline(best, color="C1", linestyle="--", label=f"best: {best:g} cm")
left.set(xscale="log", xlabel="bandwidth in cm", ylabel="leave-one-out error in kg²", ylim=(0, None))
left.set_xticks(candidates, [f"{h:g}" for h in candidates])
left.minorticks_off()
left.legend()
along = np.linspace(52, 114, 400)
right.scatter(bodies["waist"], bodies["weight"], s=10, color="0.6")
for bandwidth, style in ((0.25, ":"), (best, "-"), (32, "--")):
    curve = kernel_regression(along, bodies["waist"], bodies["weight"], bandwidth)
    right.plot(along, curve, style, linewidth=1.2 if bandwidth < 1 else 2, label=f"bandwidth {bandwidth:g}")
right.set(xlabel="waist in cm (query)", ylabel="weight in kg")
right.legend()
show(
    figure,
    alt="Left: leave-one-out error over the bandwidth, falling from 61 at 0.25 to a minimum of 47 at "
    "4 cm and rising to 146 at 32. Right: 160 people, waist against weight, with three curves: "
    "bandwidth 0.25 jumps from person to person, 4 follows the trend, 32 is too flat.",
)

# %% [markdown]
# Too narrow chases single people, too wide forgets who asked. In a transformer nobody tries eight
# bandwidths: the keys and queries themselves are *learned*, and their lengths do the bandwidth's work.
# Longer vectors make larger scores, and those make sharper weights, as a narrow bandwidth does.
#
# ## 7 · Two measurements at once
#
# The notes go on with waist *and* chest as the key, weight *and* height as the value. As they have it:

# %%
notes_keys = np.array([[51.0, 70.0], [56.0, 82.0], [56.0, 82.0]])  # waist and chest in cm
people = np.array([[40.0, 155.0], [43.0, 159.0], [48.0, 162.0]])  # weight in kg and height in cm

# %% [markdown] prompt="predict_twins"
# The second slip: the last two keys are the same. A query stands exactly on (56, 82), and the bandwidth is
# a tiny 0.1. Before you run anything: which weight and height does kernel regression return? Put the two
# numbers into `at_the_twins`, as a list.

# %% solution="predict_twins"
### BEGIN SOLUTION
at_the_twins = [45.5, 160.5]
### END SOLUTION

# %% test="predict_twins"
check("predict_twins")

# %% [markdown] hint="predict_twins"
# <details><summary>Hint 1: distances</summary>
#
# How far is the query from each of the three keys? What do equal distances mean for the weights?
# </details>
# <details><summary>Hint 2: the vote</summary>
#
# The first key is far away at bandwidth 0.1. Two keys remain, they share one weight of 1, and each has its
# own value.
# </details>

# %%
asked_sizes = np.array([[57.0, 83.0], [55.0, 76.0]])  # two people ask
print("at (56, 82):", kernel_regression(np.array([[56.0, 82.0]]), notes_keys, people, bandwidth=0.1))
print("weights of the two who ask:")
print(gaussian_weights(asked_sizes, notes_keys, bandwidth=3).round(2))

# %% [markdown]
# Out comes a person who does not exist, and no bandwidth can help: the last two columns of weights are the
# same for every query. Keys must differ for attention to tell them apart.
#
# So we give the third person a chest of their own. The waist is 58, as in the first sample; the chest of 86
# cm is our choice, the notes do not have one.

# %%
sizes = np.array([[51.0, 70.0], [56.0, 82.0], [58.0, 86.0]])
print(gaussian_weights(asked_sizes, sizes, bandwidth=3).round(2))
print(kernel_regression(asked_sizes, sizes, people, bandwidth=3).round(1))

# %% [markdown]
# ## 8 · From kernel regression to attention
#
# Nothing in "score, softmax, weighted average" insists on distances. Multiply the square out,
# $\lVert q-k\rVert^2 = \lVert q\rVert^2 - 2\,q\cdot k + \lVert k\rVert^2$, and the Gaussian score falls into
# three terms:
#
# $$-\frac{\lVert q-k\rVert^2}{2h^2} \;=\;
# \frac{q\cdot k}{h^2} \;-\; \frac{\lVert q\rVert^2}{2h^2} \;-\; \frac{\lVert k\rVert^2}{2h^2}$$
#
# There is a dot product inside. Keep that term alone, put $\sqrt{d_k}$ in the place of $h^2$, where $d_k$ is
# the number of entries in a key, and you hold the *scaled dot-product attention* of the transformer,
# $\mathrm{softmax}(QK^\top/\sqrt{d_k})\,V$: the queries are the rows of $Q$, the keys those of $K$, the
# values those of $V$. Its scores are one matrix product, which computers do fast. Two terms were dropped.
# Will they be missed?

# %% [markdown] prompt="dot_product_lookup"
# ### Exercise: `dot_product_lookup`
#
# The same vote with another score: $q\cdot k/\sqrt{d_k}$. Softmax and weighted average stay as they were.


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
# <details><summary>Hint 1: all scores at once</summary>
#
# A row for each query and a column for each key: (n_q, d_k) @ (d_k, n_k). Read $d_k$ from the keys' shape.
# </details>
# <details><summary>Hint 2: the weights, made visible</summary>
#
# With `np.eye(n_k)` as the values, your function returns the weights themselves. Do the rows sum to 1?
# </details>

# %%
labels = [f"({waist:g}, {chest:g})" for waist, chest in sizes]
asking = [f"({waist:g}, {chest:g})" for waist, chest in asked_sizes]
figure, (left, right) = plt.subplots(1, 2, figsize=(8.6, 2.4), layout="constrained")
heatmap(left, gaussian_weights(asked_sizes, sizes, 3), asking, labels, "Gaussian, bandwidth 3 cm")
heatmap(right, dot_product_lookup(asked_sizes, sizes, np.eye(3)), asking, labels, "dot product / √2")
show(
    figure,
    alt="Two heatmaps of two queries over three keys. The Gaussian kernel gives (57, 83) mostly to "
    "(56, 82) and (58, 86), and (55, 76) mostly to (56, 82) and (51, 70). The dot product gives "
    "both queries entirely to (58, 86).",
)

print("who asks        Gaussian kernel   dot product")
gaussian = kernel_regression(asked_sizes, sizes, people, bandwidth=3)
dotted = dot_product_lookup(asked_sizes, sizes, people)
for name, one, other in zip(asking, gaussian, dotted, strict=True):
    print(f"{name:15} {one[0]:.1f} kg {one[1]:.1f} cm  {other[0]:.1f} kg {other[1]:.1f} cm")

# %% [markdown]
# Whoever asks, the dot product fetches the third person. It measures no distance: it grows with the *length*
# $\lVert k\rVert$ of the key, and (58, 86) is the longest. The dropped term $-\lVert k\rVert^2/2h^2$ was the
# penalty for just that. Besides, in raw centimetres the scores lie hundreds apart, so the softmax becomes a
# plain "take the largest".
#
# ### Find the slip: which divisor?
#
# The notes show the formula with $\sqrt{d_k}$ and say beside it to "divide by $d_k$". This sample cannot tell
# the two apart: with either divisor, the largest score takes all the weight. So draw queries and keys from
# a standard normal, and look at the spread (the standard deviation) of their scores:

# %%
rng = np.random.default_rng(4)
print(" d_k   q·k    q·k/√d_k   q·k/d_k")
for d_k in (1, 4, 16, 64, 256):
    queries, keys = rng.normal(size=(2, 20_000, d_k))
    scores = (queries * keys).sum(axis=1)
    by_root, by_width = scores / np.sqrt(d_k), scores / d_k
    print(f"{d_k:4}  {scores.std():4.1f}   {by_root.std():8.1f}   {by_width.std():7.2f}")

# %% [markdown]
# Undivided, the spread grows with the width, until one key takes all the weight. Divided by $d_k$ it fades,
# until all keys weigh the same and attention is a plain mean of the values. One column stays put, whatever
# the width.

# %% [markdown] prompt="predict_divisor"
# For keys with nine numbers each, what should the dot product be divided by? Put it into `divisor_at_9`.

# %% solution="predict_divisor"
### BEGIN SOLUTION
divisor_at_9 = 3
### END SOLUTION

# %% test="predict_divisor"
check("predict_divisor")

# %% [markdown] hint="predict_divisor"
# <details><summary>Hint 1: the table</summary>
#
# Which column keeps its spread at every width? Read its heading, with $d_k = 9$.
# </details>
# <details><summary>Hint 2: why</summary>
#
# $q\cdot k$ is a sum of $d_k$ independent terms, each of variance 1. Variances add up; the spread is the
# square root of the variance.
# </details>

# %% [markdown]
# ## 9 · When the two agree
#
# Now six keys on a circle, so that all have the same length, and queries of any length. The Gaussian kernel
# gets the bandwidth with $h^2 = \sqrt{d_k}$. Then one key is made twice as long. **Before you run the cell:**
# in which of the two cases will Gaussian kernel and dot product agree? Which of the three terms decides?

# %%
angles = np.radians([0, 60, 120, 180, 240, 300])
circle = 2 * np.column_stack([np.cos(angles), np.sin(angles)])
stretched = circle * np.array([[1], [1], [2], [1], [1], [1]])  # key 2 becomes twice as long
some_queries = np.array([[0.6, 0.1], [0.0, 0.8], [-1.0, -0.6], [1.5, -2.0]])

figure, row = plt.subplots(2, 2, figsize=(9.6, 5.2), layout="constrained")
names = ("on a circle", "key 2 twice as long")
for (left, right), keys, name in zip(row, (circle, stretched), names, strict=True):
    gaussian = gaussian_weights(some_queries, keys, bandwidth=2**0.25)  # h**2 = √d_k, d_k = 2
    dotted = dot_product_lookup(some_queries, keys, np.eye(6))
    heatmap(left, gaussian, range(4), range(6), f"Gaussian: {name}")
    heatmap(right, dotted, range(4), range(6), f"dot product: {name}")
    print(f"{name:20} same weights: {np.allclose(gaussian, dotted)}")
show(
    figure,
    alt="Four heatmaps of four queries over six keys. With the keys on a circle, Gaussian and "
    "dot-product weights are the same. With key 2 twice as long they differ: the Gaussian kernel "
    "hardly gives key 2 any weight, the dot product gives it most of query 1's.",
)

# %% [markdown]
# On the circle not one number differs. Off it, look down column 2: the Gaussian kernel has all but forgotten
# key 2, which is now far from everyone. The dot product has not: query 1, which points roughly its way,
# gives it more than before.

# %% [markdown] written="explain_kernel" points=4
# ### In your own words: `explain_kernel`
#
# When do Gaussian weights and scaled dot-product weights coincide, for every query? Say which of the three
# terms of the expanded square are harmless and why, which one is not, and which bandwidth is needed. What
# does the dot product prefer when the condition fails? Four to six sentences. (4 points)
#
# ### BEGIN SOLUTION
# The expanded score is $q\cdot k/h^2 - \lVert q\rVert^2/2h^2 - \lVert k\rVert^2/2h^2$. The term with
# $\lVert q\rVert^2$ is the same for all keys of one query; softmax ignores what is added to a whole row, so
# it cancels, however long the queries are. The term with $\lVert k\rVert^2$ cancels in the same way only if
# all keys have the same length. What remains is $q\cdot k/h^2$, which is the scaled dot product when
# $h^2 = \sqrt{d_k}$, that is $h = d_k^{1/4}$. So the weights coincide for keys of equal length and this
# bandwidth. Otherwise the dot product lacks the penalty $-\lVert k\rVert^2/2h^2$ and favours long keys that
# point the query's way, even when a shorter key is nearer; (58, 86) won for both who asked.
#
# Rubric, 4 points:
#
# - 1 point: expands the square, or otherwise says that the dot product is part of the Gaussian score
# - 1 point: the query's length does not matter, because softmax is unchanged by what is the same in a whole
#   row
# - 1 point: all keys must have the same length; else long keys are favoured by the dot product
# - 1 point: the bandwidth, $h^2 = \sqrt{d_k}$ (or $h = d_k^{1/4}$; "a matching bandwidth" without the value
#   earns half)
# ### END SOLUTION

# %% [markdown]
# ## What you can now do
#
# - turn distances into weights that never become NaN, and weights into a prediction
# - say what a bandwidth does, and choose one without letting a sample predict itself
# - read attention as regression: keys and values are samples, the query asks, the softmax votes
# - explain what the dot product keeps of the Gaussian kernel, what it drops, and why it is divided by
#   $\sqrt{d_k}$
#
# Both scores of this lesson are fixed. In the next lesson, **05 · Two ways to score**, the score itself is
# learned.

# %% [markdown]
# ---
# *Credits.* The waist-and-weight samples and the formulas come from the notes that this course grew from;
# the third two-dimensional key and the measured bodies are ours. Kernel regression: E. A. Nadaraya, *On
# estimating regression*, 1964; G. S. Watson, *Smooth regression analysis*, 1964. Attention: D. Bahdanau,
# K. Cho, Y. Bengio, *Neural machine translation by jointly learning to align and translate*, 2014; dot
# products as scores: M.-T. Luong, H. Pham, C. D. Manning, *Effective approaches to attention-based neural
# machine translation*, 2015; divided by $\sqrt{d_k}$: A. Vaswani et al., *Attention is all you need*, 2017.
