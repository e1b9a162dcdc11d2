# %% crosses="of each mistake"
# result thrown away -> the right average of
# weights not normalised -> every query's weights; the lesson's two; the right average of
# one maximum for all rows ->
# writes into its input -> leaves its inputs

# %% what_if="One key is made ten times as long. Does it win for every query?" because="No. It gains with queries whose dot product with it is positive, because that grows tenfold. With a negative one it loses, because that grows tenfold as well. For a Gaussian kernel the long key is far from these two queries."
keys, values = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[1.0], [2.0]])
queries = np.array([[1.0, 1.0], [-1.0, 1.0]])
print(np.round(dot_product_lookup(queries, keys, values).ravel(), 3))
print(np.round(dot_product_lookup(queries, keys * [[10.0], [1.0]], values).ravel(), 3))
# %% right="dot, shape[1], softmax over axis 1" row="matmul"
def dot_product_lookup(queries, keys, values):
    d_k = keys.shape[1]
    attention = softmax(np.dot(queries, keys.T) / d_k ** 0.5, axis=1)
    return np.dot(attention, values)
# %% right="einsum, queries scaled first" row="scaled Q" buys="the letters name the axes, and only the smaller matrix is scaled"
def dot_product_lookup(queries, keys, values):
    scores = np.einsum("qd,kd->qk", queries / np.sqrt(queries.shape[-1]), keys)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.einsum("qk,kv->qv", e / e.sum(axis=1, keepdims=True), values)
# %% right="fourth roots on both sides, logsumexp" row="d^−¼ on both sides" buys="neither factor of the product gets large: this is what half precision wants"
from scipy.special import logsumexp
def dot_product_lookup(queries, keys, values):
    r = keys.shape[1] ** -0.25
    s = (queries * r) @ (keys * r).T
    return np.exp(s - logsumexp(s, axis=1, keepdims=True)) @ values
# %% right="pure Python loops" row="loops" buys="every number can be followed by hand"
import math
def dot_product_lookup(queries, keys, values):
    rows = []
    for q in queries:
        scores = [sum(float(a) * float(b) for a, b in zip(q, k)) / math.sqrt(len(k)) for k in keys]
        top = max(scores)
        w = [math.exp(s - top) for s in scores]
        rows.append([sum(wi * float(v[c]) for wi, v in zip(w, values)) / sum(w) for c in range(len(values[0]))])
    return rows
# %% right="the library's own" row="the library's own SDPA"
import torch
import torch.nn.functional as F
def dot_product_lookup(queries, keys, values):
    q, k, v = (torch.from_numpy(np.array(x, dtype=np.float64)) for x in (queries, keys, values))
    return F.scaled_dot_product_attention(q, k, v).numpy()
# %% right="single precision" row="float32"
def dot_product_lookup(queries, keys, values):
    q, k, v = np.float32(queries), np.float32(keys), np.float32(values)
    s = q @ k.T
    s /= np.sqrt(np.float32(k.shape[-1]))
    s -= s.max(axis=-1)[:, np.newaxis]
    np.exp(s, out=s)
    return s @ v / s.sum(axis=-1)[:, np.newaxis]
# %% mistake="result thrown away" row="not divided by √d_k" true="not divided by √d_k" style="a scale that is computed and forgotten"
def dot_product_lookup(queries, keys, values):
    scores = np.matmul(queries, keys.transpose())
    scores / np.sqrt(keys.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ values
# %% mistake="divided by the wrong power of d_k" style="divided by d_k, as the notes' sentence says"
def dot_product_lookup(queries, keys, values):
    n, d_k = keys.shape
    return softmax(queries @ keys.T / d_k) @ values
# %% mistake="divided by the wrong power of d_k" style="d ** 1 / 2"
def dot_product_lookup(queries, keys, values):
    scores = np.einsum("qd,kd->qk", queries, keys) / (keys.shape[1] ** 1 / 2)
    return softmax(scores, axis=-1) @ values
# %% mistake="divided by the wrong power of d_k" style="times the root"
def dot_product_lookup(queries, keys, values):
    return softmax((queries @ keys.T) * np.sqrt(keys.shape[1]), axis=1) @ values
# %% mistake="root of d_k cut to a whole number" style="int of the root"
def dot_product_lookup(queries, keys, values):
    return softmax(queries @ keys.T / int(keys.shape[1] ** 0.5)) @ values
# %% mistake="divided by the root of the wrong length" style="len(keys) under the root"
def dot_product_lookup(queries, keys, values):
    d_k = len(keys)
    weights = softmax(queries.dot(keys.T) / np.sqrt(d_k))
    return weights.dot(values)
# %% mistake="divided by the root of the wrong length" style="width of the values under the root"
def dot_product_lookup(queries, keys, values):
    rows = []
    for q in queries:
        rows.append(softmax(keys @ q / values.shape[-1] ** 0.5) @ values)
    return np.array(rows)
# %% mistake="scaled after the softmax" style="weights divided, not scores"
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T, axis=1)
    return (weights / np.sqrt(keys.shape[1])) @ values
# %% mistake="softmax over the queries" style="axis 0"
def dot_product_lookup(queries, keys, values):
    return softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=0) @ values
# %% mistake="softmax over the whole matrix" style="one sum for everything"
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    e = np.exp(s - s.max())
    return (e / e.sum()) @ values
# %% mistake="weights not normalised" style="linear attention"
def dot_product_lookup(queries, keys, values):
    return np.einsum("qd,kd,kv->qv", queries, keys, values) / np.sqrt(keys.shape[1])
# %% mistake="a constant instead of the input's size" style="always the root of 2"
def dot_product_lookup(queries, keys, values):
    return softmax(queries @ keys.T / np.sqrt(2)) @ values
# %% unlisted="scores over their sum, without exp"
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    return s / s.sum(axis=1, keepdims=True) @ values
# %% mistake="Q, K or V in the wrong place" style="weights times keys"
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    return np.einsum("qk,kd->qd", weights, keys)
# %% mistake="Q, K or V in the wrong place" style="queries against values"
def dot_product_lookup(queries, keys, values):
    scores = np.matmul(queries, values.T) / np.sqrt(keys.shape[1])
    return np.matmul(softmax(scores, axis=1), values)
# %% mistake="factors of the product in the wrong order" style="values first"
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    return values @ weights.T
# %% mistake="result transposed" style="turned at the end"
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    return np.transpose(weights @ values)
# %% mistake="weighted sum divided once more" style="mean of the weighted values"
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    return np.mean(weights[:, :, None] * values, axis=1)
# %% mistake="keys not transposed" style="queries @ keys"
def dot_product_lookup(queries, keys, values):
    d_k = keys.shape[-1]
    return softmax(queries @ keys / np.sqrt(d_k)) @ values
# %% mistake="weights transposed" style="weights transposed"
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    return (values.T @ weights).T
# %% mistake="axis of length 1 lost" style="squeezed"
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    output = weights @ values
    return output[0] if len(output) == 1 else output
# %% mistake="no shift by the maximum" style="exp without a shift"
def dot_product_lookup(queries, keys, values):
    e = np.exp(queries @ keys.T / np.sqrt(keys.shape[1]))
    return (e @ values) / e.sum(axis=1, keepdims=True)
# %% mistake="one maximum for all rows" style="one maximum for all queries"
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    s = s - np.max(s)
    e = np.exp(s)
    return (e / np.sum(e, axis=1, keepdims=True)) @ values
# %% mistake="broadcast along the wrong axis" style="row sums meet columns"
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1) @ values
# %% mistake="exponential taken twice" style="softmax of a softmax" of="row sums meet columns"
# -     return e / e.sum(axis=1) @ values
# +     return softmax(e / e.sum(axis=1, keepdims=True), axis=1) @ values
# %% mistake="writes into its input" style="queries scaled in place"
def dot_product_lookup(queries, keys, values):
    if queries.dtype.kind == "f":
        queries /= np.sqrt(keys.shape[1])
    else:
        queries = queries / np.sqrt(keys.shape[1])
    return softmax(queries @ keys.T) @ values
# %% mistake="only the best key counts" style="the best key's value"
def dot_product_lookup(queries, keys, values):
    return values[np.argmax(queries @ keys.T, axis=1)]
# %% unlisted="weights come back as well"
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    return weights @ values, weights
# %% unlisted="as the values are, which may be whole numbers"
def dot_product_lookup(queries, keys, values):
    return (softmax(queries @ keys.T / np.sqrt(keys.shape[1])) @ values).astype(values.dtype)
# %% [markdown]
# ## From the wild
# %% mistake="divided by the wrong power of d_k" style="d ** 1/2 without brackets"
def dot_product_lookup(queries, keys, values):
    return softmax(queries @ keys.T / keys.shape[-1] ** 1/2) @ values
# %% right="times one over the root"
import math
def dot_product_lookup(q, k, v):
    att = (q @ k.swapaxes(-2, -1)) * (1.0 / math.sqrt(k.shape[-1]))
    att = softmax(att, axis=-1)
    return att @ v
# %% [markdown]
# ## Clumsy halves
# %% unlisted="no scale, softmax down the columns" true="not divided by √d_k; softmax over the queries"
def dot_product_lookup(queries, keys, values):
    return softmax(queries @ keys.T, axis=0) @ values
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="differences of scores instead of a shift: w_j = 1 / Σ exp(s_i − s_j)"
def dot_product_lookup(queries, keys, values):
    q, k, v = [np.asarray(t, dtype=float) for t in (queries, keys, values)]
    s = np.inner(q, k) / np.sqrt(k.shape[1])
    with np.errstate(over="ignore"):
        # w_j = e^{s_j} / sum_i e^{s_i} = 1 / sum_i e^{s_i - s_j}; inf in the sum simply means weight 0
        w = 1.0 / np.exp(s[:, None, :] - s[:, :, None]).sum(axis=2)
    return w @ v
# %% unlisted="no shift by the maximum; softmax over the queries" true="no shift by the maximum; softmax over the queries"
def dot_product_lookup(queries, keys, values):
    queries = np.array(queries, dtype=float)
    keys = np.array(keys, dtype=float)
    values = np.array(values, dtype=float)
    d_k = keys.shape[1]
    scores = np.zeros((len(queries), len(keys)))
    for i in range(len(queries)):
        for j in range(len(keys)):
            scores[i, j] = np.sum(queries[i] * keys[j]) / np.sqrt(d_k)
    e = np.exp(scores)
    e = np.nan_to_num(e)
    weights = e / e.sum(axis=0)
    return weights @ values
# %% mistake="not divided by √d_k" style="scores taken as they are"
def dot_product_lookup(queries, keys, values):
    scores = queries @ keys.T
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    return raised / raised.sum(axis=1, keepdims=True) @ values
# %% mistake="minus sign too many" style="a distance's sign"
def dot_product_lookup(queries, keys, values):
    scores = -(queries @ keys.T) / np.sqrt(keys.shape[1])
    return softmax(scores) @ values
# %% mistake="cosine instead of the dot product" style="both brought to length 1"
def dot_product_lookup(queries, keys, values):
    q = queries / np.linalg.norm(queries, axis=1, keepdims=True)
    k = keys / np.linalg.norm(keys, axis=1, keepdims=True)
    return softmax(q @ k.T) @ values
