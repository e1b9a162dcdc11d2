# %% crosses="of each mistake"
# minus sign missing -> f(57) = 45.5
# weights not normalised -> f(57) = 45.5; predicts numbers, at
# broadcast along the wrong axis -> predicts numbers, at
# one maximum for all rows ->
# writes into its input -> leaves its inputs
# only the best key counts -> f(57) = 45.5; predicts numbers, at

# %% what_if="The bandwidth is huge, a thousand times the distances. What is predicted everywhere?" because="All kernels are then nearly 1, all weights the same, and every query gets the mean of the values."
keys, values = np.array([0.0, 1.0, 2.0]), np.array([1.0, 4.0, 7.0])
print(np.round(kernel_regression(np.array([-1.0, 0.5, 9.0]), keys, values, 1000.0), 3), values.mean())
# %% right="calls gaussian_weights by keyword" row="matmul"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    w = gaussian_weights(queries=queries, keys=keys, bandwidth=bandwidth)
    return np.matmul(w, values)
# %% right="cdist, all in one" row="cdist" buys="SciPy finds all distances at once, for points of any width"
from scipy.spatial.distance import cdist
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d2 = cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1), metric="sqeuclidean")
    kernel = np.exp(-(d2 - d2.min(axis=1, keepdims=True)) / (2 * bandwidth ** 2))
    return (kernel / kernel.sum(axis=1, keepdims=True)).dot(values)
# %% right="query by query, np.average" row="loops"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    predictions = []
    for i in range(len(queries)):
        w = gaussian_weights(queries[i:i + 1], keys, bandwidth)[0]
        predictions.append(np.average(values, axis=0, weights=w))
    return np.array(predictions)
# %% right="numerator and denominator" row="loops" buys="two running sums, and no row of weights is ever kept"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    answers = []
    for q in queries:
        scores = [-np.sum((1.0 * q - k) ** 2) / (2 * bandwidth ** 2) for k in keys]
        top = max(scores)
        above, below = 0.0, 0.0
        for s, v in zip(scores, values):
            k = np.exp(s - top)
            above = above + k * v
            below = below + k
        answers.append(above / below)
    return answers
# %% right="einsum, single precision" row="einsum"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    w = gaussian_weights(queries, keys, bandwidth).astype(np.float32)
    return np.einsum("qk,k...->q...", w, values.astype(np.float32))
# %% right="tensordot" buys="the axes that meet are said, whatever axes the values have behind them"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.tensordot(gaussian_weights(queries, keys, bandwidth), values, axes=1)
# %% mistake="minus sign missing" style="plus one half, all in one"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d2 = ((queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)) ** 2).sum(-1)
    return softmax(d2 / (2 * bandwidth**2), axis=1) @ values
# %% mistake="bandwidth in the wrong place, or left out" style="bandwidth not handed on"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return gaussian_weights(queries, keys) @ values
# %% mistake="bandwidth in the wrong place, or left out" style="half the square over h, all in one"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    out = []
    for q in queries:
        w = softmax(np.array([-np.sum((q - k) ** 2) / 2 / bandwidth for k in keys]))
        out.append(w @ values)
    return np.array(out)
# %% mistake="distance not squared or not halved" style="distances, not squared"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d = np.linalg.norm(queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1), axis=2)
    return softmax(-d / (2 * bandwidth ** 2), axis=1) @ values
# %% mistake="weights not normalised" style="a kernel sum without its denominator"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    answers = []
    for q in queries:
        answers.append(sum(np.exp(-np.sum((q - k) ** 2) / (2 * bandwidth ** 2)) * v for k, v in zip(keys, values)))
    return np.array(answers)
# %% mistake="all kernel values underflow" style="quotient that underflows"
from scipy.spatial.distance import cdist
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d = cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1))
    k = np.exp(-d ** 2 / (2 * bandwidth ** 2))
    k = k / k.sum(axis=1)[:, None]
    return k @ values
# %% mistake="features not added up" style="mean over the columns of the difference"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-np.mean(d ** 2, axis=2) / (2 * bandwidth ** 2), axis=1) @ values
# %% mistake="exponential taken twice" style="softmax of the weights"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return softmax(gaussian_weights(queries, keys, bandwidth), axis=1) @ values
# %% mistake="one maximum for all rows" style="the nearest of all pairs as the shift"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    q, k = queries.reshape(len(queries), 1, -1), keys.reshape(1, len(keys), -1)
    s = -((q - k) ** 2).sum(-1) / (2 * bandwidth ** 2)
    e = np.exp(s - np.max(s))
    return (e / e.sum(axis=1, keepdims=True)) @ values
# %% mistake="broadcast along the wrong axis" style="row sums meet columns"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    q, k = queries.reshape(len(queries), 1, -1), keys.reshape(1, len(keys), -1)
    s = -((q - k) ** 2).sum(-1) / (2 * bandwidth ** 2)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1)) @ values
# %% mistake="Q, K or V in the wrong place" style="keys averaged"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.einsum("qk,k...->q...", gaussian_weights(queries, keys, bandwidth), keys)
# %% mistake="weights transposed" style="weights turned round"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    weights = gaussian_weights(queries, keys, bandwidth)
    return np.transpose(weights) @ values
# %% mistake="weights transposed" style="sums over the wrong index"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.einsum("qk,q...->k...", gaussian_weights(queries, keys, bandwidth), values)
# %% mistake="queries and keys exchanged" style="keys handed in as the queries"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    weights = gaussian_weights(keys, queries, bandwidth)
    return weights @ values
# %% mistake="queries and keys paired one to one" style="differences element by element"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d2 = (queries - keys) ** 2
    if d2.ndim == 2:
        d2 = d2.sum(axis=1)
    return softmax(-d2 / (2 * bandwidth ** 2)) @ values
# %% mistake="differences added up before squaring" style="own kernel of summed differences"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-(d.sum(axis=-1) / bandwidth) ** 2 / 2) @ values
# %% mistake="factors of the product in the wrong order" style="values first, weights turned"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    weights = gaussian_weights(queries, keys, bandwidth)
    return values @ weights.T
# %% mistake="factors of the product in the wrong order" style="np.dot of values and weights"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.dot(values, gaussian_weights(queries, keys, bandwidth))
# %% mistake="predictions transposed" style="both factors turned"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return values.T @ gaussian_weights(queries, keys, bandwidth).T
# %% mistake="weighted sum divided once more" style="divided by the number of keys"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    weights = gaussian_weights(queries, keys, bandwidth)
    return np.dot(weights, values) / keys.shape[0]
# %% mistake="plain mean instead of weights" style="everybody's mean"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.array([np.mean(values, axis=0) for _ in queries])
# %% mistake="axis of length 1 too many" style="always a column"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return gaussian_weights(queries, keys, bandwidth) @ values.reshape(len(values), -1)
# %% mistake="axis of length 1 lost" style="squeezed at the end"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    w = gaussian_weights(queries, keys, bandwidth)
    return (w @ values.reshape(len(values), -1)).squeeze()
# %% mistake="writes into its input" style="values weighted in place"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    result = gaussian_weights(queries, keys, bandwidth) @ values
    keys -= keys
    return result
# %% mistake="only the best key counts" style="the best key's value"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return values[gaussian_weights(queries, keys, bandwidth).argmax(axis=1)]
# %% unlisted="divided by the number of keys again" true="weighted sum divided once more; axis of length 1 too many"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    weights = gaussian_weights(queries, keys, bandwidth)
    return np.mean([w[:, None] * values.reshape(len(values), -1) for w in weights], axis=1)
# %% unlisted="predictions stored as the values are, which may be whole numbers"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    out = np.zeros((len(queries),) + values.shape[1:], dtype=values.dtype)
    for i, w in enumerate(gaussian_weights(queries, keys, bandwidth)):
        out[i] = w @ values
    return out
# %% unlisted="weights kept from one call for another of the same sizes"
kept = {}
def kernel_regression(queries, keys, values, bandwidth=1.0):
    key = (len(queries), len(keys), bandwidth)
    if key not in kept:
        kept[key] = gaussian_weights(queries, keys, bandwidth)
    return kept[key] @ values
# %% [markdown]
# ## Clumsy halves
# %% unlisted="made and not returned"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    prediction = gaussian_weights(queries, keys, bandwidth) @ values
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="tensordot on the earlier weights"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.tensordot(gaussian_weights(queries, keys, bandwidth), np.asarray(values, dtype=float), axes=1)
# %% mistake="axis of length 1 lost" style="axis of length 1 lost (values of width 1 come back 1-D), written blind"
def kernel_regression(queries, keys, values, bandwidth=1.0):
    w = gaussian_weights(queries, keys, bandwidth)
    v = np.asarray(values, dtype=float).reshape(len(values), -1)
    answer = w @ v
    if answer.shape[1] == 1:
        answer = answer[:, 0]
    return answer
