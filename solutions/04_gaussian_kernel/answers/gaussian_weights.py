# %% crosses="of each mistake"
# minus sign missing -> the lesson's three
# weights not normalised -> every query's weights; the lesson's three; scalars, at any
# broadcast along the wrong axis -> one row a; every query's weights; scalars, at any
# one maximum for all rows ->
# writes into its input -> leaves its inputs

# %% what_if="Queries, keys and bandwidth are all given in centimetres instead of metres. What happens to the weights?" because="Nothing happens to them. Distances and bandwidth grow by the same factor, and the kernel depends only on their ratio."
q, k = np.array([1.6, 1.8]), np.array([1.5, 1.7, 1.9])
print(np.allclose(gaussian_weights(q, k, 0.1), gaussian_weights(100 * q, 100 * k, 10.0)))
# %% mistake="fractions cut off" style="stored as the queries are"
def gaussian_weights(queries, keys, bandwidth=1.0):
    weights = np.zeros((len(queries), len(keys)), dtype=queries.dtype)
    for i, query in enumerate(queries):
        squares = ((keys - query) ** 2).reshape(len(keys), -1).sum(axis=1)
        weights[i] = softmax(-squares / (2 * bandwidth**2))
    return weights
# %% right="two loops and a running total" row="loops" buys="each line is one sentence of the formula"
def gaussian_weights(queries, keys, bandwidth=1.0):
    weights = np.zeros((len(queries), len(keys)))
    for i in range(len(queries)):
        for j in range(len(keys)):
            d2 = np.sum((np.float64(queries[i]) - np.float64(keys[j])) ** 2)
            weights[i, j] = -d2 / (2 * bandwidth * bandwidth)
        weights[i] -= weights[i].max()
        weights[i] = np.exp(weights[i])
        weights[i] /= weights[i].sum()
    return weights
# %% right="list comprehensions, lists come back" row="loops"
import math
def gaussian_weights(queries, keys, bandwidth=1.0):
    def dist2(a, b):
        return sum((float(x) - float(y)) ** 2 for x, y in zip(np.ravel(a), np.ravel(b)))
    result = []
    for q in queries:
        scores = [-dist2(q, k) / (2 * bandwidth ** 2) for k in keys]
        top = max(scores)
        exps = [math.exp(s - top) for s in scores]
        result.append([e / sum(exps) for e in exps])
    return result
# %% right="the course's softmax over broadcast differences" row="softmax of −d²/(2h²)"
def gaussian_weights(queries, keys, bandwidth=1.0):
    if np.ndim(queries) == 1:
        d2 = (queries[:, None] - keys) ** 2
    else:
        d2 = np.sum(np.square(queries[:, None, :] - keys[None, :, :]), axis=-1)
    return softmax(-0.5 * d2 / bandwidth ** 2, axis=1)
# %% right="the square multiplied out" row="‖q‖² + ‖k‖² − 2q·k"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = np.asarray(queries, dtype=float).reshape(len(queries), -1)
    k = np.asarray(keys, dtype=float).reshape(len(keys), -1)
    sq = np.sum(q * q, axis=1, keepdims=True) + np.sum(k * k, axis=1) - 2 * np.dot(q, k.T)
    logits = -sq / (2 * bandwidth ** 2)
    logits = logits - np.amax(logits, axis=1, keepdims=True)
    e = np.exp(logits)
    return e / np.sum(e, axis=1, keepdims=True)
# %% right="the query's own length left out, because it cancels" row="‖q‖² + ‖k‖² − 2q·k" buys="one matrix product in place of all differences: less memory"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = np.atleast_2d(np.transpose(queries)).T, np.atleast_2d(np.transpose(keys)).T
    scores = (q @ k.T - 0.5 * np.einsum("kd,kd->k", k, k)) / bandwidth ** 2
    return softmax(scores)
# %% right="log densities with their constant" row="a pdf's constant"
from scipy.special import logsumexp
from scipy.stats import norm
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = queries.reshape(len(queries), 1, -1)
    k = keys.reshape(1, len(keys), -1)
    logpdf = norm.logpdf(q, loc=k, scale=bandwidth).sum(-1)
    return np.exp(logpdf - logsumexp(logpdf, axis=-1, keepdims=True))
# %% right="a density's constant before the softmax" row="a pdf's constant"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = queries.reshape(len(queries), -1)
    k = keys.reshape(len(keys), -1)
    log_kernel = -np.linalg.norm(q[:, None] - k, axis=2) ** 2 / (2 * bandwidth ** 2)
    log_kernel -= np.log(bandwidth * np.sqrt(2 * np.pi))
    return softmax(log_kernel, axis=-1)
# %% right="float32, norms divided by the bandwidth" row="float32"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = queries.astype(np.float32).reshape(len(queries), -1)
    k = keys.astype(np.float32).reshape(len(keys), -1)
    u = np.linalg.norm(q[:, None] - k[None], axis=-1) / np.float32(bandwidth)
    s = -(u ** 2) / 2
    e = np.exp(s - s.max(axis=1)[:, None])
    return (e.T / e.sum(axis=1)).T
# %% right="powers of two, einsum" row="base 2"
def gaussian_weights(queries, keys, bandwidth=1.0):
    diff = (queries.reshape(len(queries), 1, -1) - keys.reshape(len(keys), -1)) / bandwidth
    bits = -np.einsum("...d,...d", diff, diff) / 2 * np.log2(np.e)
    bits = bits - bits.max(1, keepdims=True)
    p = np.exp2(bits)
    return p / p.sum(1, keepdims=True)
# %% right="torch, back to numpy" row="cdist"
import torch
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = torch.as_tensor(np.array(queries, dtype=float)).reshape(len(queries), -1)
    k = torch.as_tensor(np.array(keys, dtype=float)).reshape(len(keys), -1)
    return torch.softmax(-torch.cdist(q, k).pow(2) / (2 * bandwidth**2), dim=-1).numpy()
# %% right="shifted by the nearest key's distance" row="any per-row shift"
def gaussian_weights(queries, keys, bandwidth=1.0):
    axis = tuple(range(2, 1 + keys.ndim))
    d2 = ((queries[:, np.newaxis] - keys[np.newaxis]) ** 2).sum(axis=axis) if axis \
        else (queries[:, np.newaxis] - keys) ** 2
    nearest = d2.min(axis=1, keepdims=True)
    kernel = np.exp((nearest - d2) / (2 * bandwidth**2))
    return kernel / kernel.sum(axis=1, keepdims=True)
# %% mistake="minus sign missing" style="exp of the positive square in a loop"
def gaussian_weights(queries, keys, bandwidth=1.0):
    rows = []
    for q in queries:
        kernel = np.array([np.exp(np.sum((q - k) ** 2) / (2 * bandwidth ** 2)) for k in keys])
        rows.append(kernel / kernel.sum())
    return np.array(rows)
# %% mistake="minus sign missing" style="minus inside the square"
from scipy.spatial.distance import cdist
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1))
    return softmax((-d) ** 2 / (2 * bandwidth ** 2), axis=1)
# %% mistake="bandwidth in the wrong place, or left out" style="bandwidth not squared"
from scipy.spatial.distance import cdist
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = queries if queries.ndim > 1 else queries[:, None]
    k = keys if keys.ndim > 1 else keys[:, None]
    scores = -cdist(q, k) ** 2 / (2 * bandwidth)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
# %% mistake="bandwidth in the wrong place, or left out" style="slash two times h squared, without brackets"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-np.einsum("qkd,qkd->qk", d, d) / 2 * bandwidth ** 2, axis=-1)
# %% mistake="bandwidth in the wrong place, or left out" style="two and h squared together"
def gaussian_weights(queries, keys, bandwidth=1.0):
    diff = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    sq = (diff * diff).sum(-1)
    logits = -sq / (2 * bandwidth) ** 2
    logits -= logits.max(-1, keepdims=True)
    return np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
# %% mistake="distance not squared or not halved" style="norm instead of its square"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)
    dist = np.sqrt(((q[:, None] - k) ** 2).sum(axis=2))
    return softmax(-dist / (2 * bandwidth ** 2), axis=1)
# %% mistake="distance not squared or not halved" style="no one half"
def gaussian_weights(queries, keys, bandwidth=1.0):
    gamma = 1 / bandwidth ** 2
    rows = []
    for q in queries:
        s = np.array([-gamma * np.sum((np.asarray(q) - np.asarray(k)) ** 2) for k in keys])
        s = np.exp(s - s.max())
        rows.append(s / s.sum())
    return np.stack(rows)
# %% mistake="distance not squared or not halved" style="absolute value over the bandwidth"
def gaussian_weights(queries, keys, bandwidth=1.0):
    u = np.linalg.norm(queries.reshape(len(queries), 1, -1) - keys.reshape(len(keys), -1), axis=-1) / bandwidth
    return softmax(-u, axis=-1)
# %% mistake="weights not normalised" style="the density itself"
from scipy.stats import norm
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), 1, -1), keys.reshape(1, len(keys), -1)
    return norm.pdf(np.linalg.norm(q - k, axis=-1), scale=bandwidth)
# %% mistake="weights not normalised" style="softmax down the columns"
from scipy.spatial.distance import cdist
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)
    return softmax(-cdist(q, k, "sqeuclidean") / (2 * bandwidth ** 2), axis=0)
# %% mistake="all kernel values underflow" style="exp over its sum, no shift" of="softmax down the columns"
# -     return softmax(-cdist(q, k, "sqeuclidean") / (2 * bandwidth ** 2), axis=0)
# +     kernel = np.exp(-cdist(q, k) ** 2 / 2 / bandwidth ** 2)
# +     return kernel / kernel.sum(axis=1, keepdims=True)
# %% mistake="all kernel values underflow" style="exp over its sum, guarded by a tiny number"
def gaussian_weights(queries, keys, bandwidth=1.0):
    result = []
    for q in queries:
        kernel = np.array([np.exp(-np.sum((q - k) ** 2) / (2 * bandwidth**2)) for k in keys])
        result.append(kernel / (kernel.sum() + 1e-300))
    return np.array(result)
# %% mistake="all kernel values underflow" style="clipped so that exp never underflows"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    scores = np.clip(-(d ** 2).sum(-1) / (2 * bandwidth ** 2), -700, 0)
    e = np.exp(scores)
    return e / e.sum(axis=1, keepdims=True)
# %% mistake="one maximum for all rows" style="the whole matrix's maximum taken away"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = np.square(queries.reshape(len(queries), 1, -1) - keys.reshape(len(keys), -1)).sum(axis=2)
    s = -d2 / (2 * bandwidth ** 2)
    e = np.exp(s - np.max(s))
    return e / e.sum(axis=1, keepdims=True)
# %% mistake="queries and keys paired one to one" style="differences element by element"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = (queries - keys) ** 2
    if d2.ndim > 1:
        d2 = d2.sum(axis=1)
    return softmax(-d2 / (2 * bandwidth ** 2))
# %% mistake="queries and keys paired one to one" style="zip instead of two loops"
def gaussian_weights(queries, keys, bandwidth=1.0):
    scores = np.array([-np.sum((q - k) ** 2) / (2 * bandwidth**2) for q, k in zip(queries, keys)])
    e = np.exp(scores - scores.max())
    return e / e.sum()
# %% mistake="queries and keys exchanged" style="a row a key, not a row a query"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(1, len(queries), -1), keys.reshape(len(keys), 1, -1)
    return softmax(-((q - k) ** 2).sum(-1) / (2 * bandwidth**2), axis=1)
# %% mistake="features not added up" style="mean over the features"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)
    d2 = np.array([[np.mean((a - b) ** 2) for b in k] for a in q])
    return softmax(-d2 / (2 * bandwidth ** 2), axis=1)
# %% mistake="features not added up" style="first column only"
def gaussian_weights(queries, keys, bandwidth=1.0):
    if queries.ndim > 1:
        queries, keys = queries[:, 0], keys[:, 0]
    diff = np.subtract.outer(queries, keys)
    return softmax(-diff ** 2 / (2 * bandwidth ** 2), axis=1)
# %% mistake="differences added up before squaring" style="city-block distance squared"
from scipy.spatial.distance import cdist
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1), "cityblock")
    return softmax(-(d ** 2) / (2 * bandwidth ** 2), axis=1)
# %% mistake="differences added up before squaring" style="differences added before squaring"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1).sum(axis=1), keys.reshape(len(keys), -1).sum(axis=1)
    return softmax(-0.5 * ((q[:, None] - k[None, :]) / bandwidth) ** 2, axis=1)
# %% mistake="exponential taken twice" style="softmax of the kernel" of="softmax down the columns"
# -     return softmax(-cdist(q, k, "sqeuclidean") / (2 * bandwidth ** 2), axis=0)
# +     kernel = np.exp(-0.5 * cdist(q, k, "sqeuclidean") / bandwidth**2)
# +     return softmax(kernel, axis=1)
# %% mistake="exponential taken twice" style="normalised, then softmax to be safe"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = ((queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)) ** 2).sum(-1)
    s = -d2 / (2 * bandwidth**2)
    e = np.exp(s - s.max(1, keepdims=True))
    weights = e / e.sum(1, keepdims=True)
    return softmax(weights)
# %% mistake="broadcast along the wrong axis" style="row sums without keepdims"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = ((queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)) ** 2).sum(-1)
    d2 = d2 - d2.min(axis=1, keepdims=True)
    kernel = np.exp(-d2 / (2 * bandwidth ** 2))
    return kernel / kernel.sum(axis=1)
# %% mistake="weights transposed" style="transposed at the end"
def gaussian_weights(queries, keys, bandwidth=1.0):
    columns = []
    for q in queries:
        s = np.array([-np.sum((q - k) ** 2) / (2 * bandwidth ** 2) for k in keys])
        columns.append(softmax(s))
    return np.stack(columns, axis=1)
# %% mistake="axis of length 1 lost" style="squeezed for the single query"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = np.array([[np.sum((q - k) ** 2) for k in keys] for q in queries])
    return softmax(-d2 / (2 * bandwidth**2), axis=1).squeeze()
# %% mistake="writes into its input" style="the bandwidth divided out of the caller's arrays"
def gaussian_weights(queries, keys, bandwidth=1.0):
    if queries.dtype.kind == "f" and keys.dtype.kind == "f":
        queries /= bandwidth
        keys /= bandwidth
    else:
        queries, keys = queries / bandwidth, keys / bandwidth
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-(d ** 2).sum(-1) / 2)
# %% unlisted="the nearest key takes all"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = np.linalg.norm(queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1), axis=-1)
    return np.eye(len(keys))[d.argmin(axis=1)]
# %% unlisted="right, and rounded to two decimals"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-(d ** 2).sum(-1) / (2 * bandwidth ** 2)).round(2)
# %% unlisted="nothing comes back"
def gaussian_weights(queries, keys, bandwidth=1.0):
    pass
# %% right="the square multiplied out, from the mean of the keys"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = np.asarray(queries, float).reshape(len(queries), -1)
    k = np.asarray(keys, float).reshape(len(keys), -1)
    m = k.mean(0)
    q, k = q - m, k - m
    return softmax((q @ k.T - (k * k).sum(1) / 2) / bandwidth**2)
# %% [markdown]
# ## From the wild
# %% mistake="all kernel values underflow" style="a tiny number added to the sum"
def gaussian_weights(queries, keys, bandwidth=1.0):
    if queries.ndim == 1:
        queries, keys = queries[:, None], keys[:, None]
    d2 = ((queries[:, None] - keys[None]) ** 2).sum(-1)
    kernel = np.exp(-d2 / (2 * bandwidth**2))
    return kernel / (kernel.sum(axis=1, keepdims=True) + 1e-12)
# %% mistake="queries and keys paired one to one" style="the seed's formula on whole arrays"
def gaussian_weights(queries, keys, bandwidth=1.0):
    difference = queries - keys
    kernel = np.exp(-difference**2 / (2 * bandwidth**2))
    return kernel / kernel.sum()
# %% mistake="features not added up" style="the last feature only"
def gaussian_weights(queries, keys, bandwidth=1.0):
    if queries.ndim == 1:
        queries, keys = queries[:, None], keys[:, None]
    d2 = ((queries[:, None] - keys[None]) ** 2)[..., -1]
    return softmax(-d2 / (2 * bandwidth**2), axis=-1)
# %% unlisted="half the squared difference of every pair, d2l's first version" true="bandwidth in the wrong place, or left out; features not added up"
def gaussian_weights(queries, keys, bandwidth=1.0):
    return softmax(-((queries.reshape((-1, 1)) - keys) ** 2) / 2)
# %% right="log of the kernel, less its logsumexp" buys="everything stays a logarithm until the last line, so nothing can overflow"
from scipy.special import logsumexp
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = np.asarray(queries), np.asarray(keys)
    if q.ndim == 1:
        q, k = q[:, None], k[:, None]
    log_k = -0.5 * np.square(np.linalg.norm(q[:, None, :] - k[None, :, :], axis=-1) / bandwidth)
    return np.exp(log_k - logsumexp(log_k, axis=1)[:, None])
# %% [markdown]
# ## Clumsy halves
# %% unlisted="whole-number division"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-(d ** 2).sum(-1) // (2 * bandwidth ** 2))
# %% unlisted="no minus, bandwidth as it is" true="minus sign missing; bandwidth in the wrong place, or left out"
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax((d ** 2).sum(-1) / (2 * bandwidth))
# %% mistake="features not added up" style="the largest difference alone"
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = np.reshape(queries, (len(queries), -1)), np.reshape(keys, (len(keys), -1))
    distances = np.abs(q[:, None] - k).max(-1)
    scores = -(distances**2) / (2 * bandwidth**2)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="math.dist in a double comprehension, then logaddexp.reduce"
import math
def gaussian_weights(queries, keys, bandwidth=1.0):
    as_points = lambda a: np.asarray(a, dtype=float).reshape(len(a), -1)
    q, k = as_points(queries), as_points(keys)
    energy = -np.array([[math.dist(a, b) ** 2 for b in k] for a in q]) / (2 * bandwidth ** 2)
    energy -= energy.max(axis=1, keepdims=True)
    return np.exp(energy - np.logaddexp.reduce(energy, axis=1)[:, None])
