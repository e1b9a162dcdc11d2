# %% crosses="of each mistake"
# keys not transposed -> one row of; the examples you
# result thrown away -> the examples you
# a constant instead of the input's size -> the examples you; the numbers are right for other
# one maximum for all rows ->
# broadcast along the wrong axis -> the numbers are right for other
# weights returned without the values -> one row of; the examples you; the numbers are right for other
# %% what_if="All keys are the same vector. Which rows of V does a query get, and does it matter which query asks?" because="Equal keys give equal scores, and equal scores give equal weights. So every query gets the mean of the values."
rng = np.random.default_rng(0)
Q, V = rng.normal(size=(2, 3)), np.array([[1.0, 10.0], [2.0, 20.0], [6.0, 60.0]])
K = np.tile(rng.normal(size=3), (3, 1))
print(np.round(simple_attention(Q, K, V), 3))
# %% right="einsum, own softmax" row="einsum" buys="each axis has a letter, so no transpose can be forgotten; subtracting the largest score keeps exp from overflowing"
def simple_attention(Q, K, V):
    scores = np.einsum("qd,kd->qk", Q, K) / np.sqrt(Q.shape[1])
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.einsum("qk,kv->qv", kernel / kernel.sum(axis=1, keepdims=True), V)
# %% right="loops and lists" row="loops"
def simple_attention(Q, K, V):
    rows = []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k)) / len(q) ** 0.5 for k in K]
        kernel = [np.exp(score - max(scores)) for score in scores]
        total = sum(kernel)
        rows.append([sum(w * v[j] for w, v in zip(kernel, V)) / total for j in range(V.shape[1])])
    return rows
# %% right="logsumexp, quarter powers on both sides" row="logsumexp" buys="both factors are scaled before the product, so no score gets larger than needed: half precision likes that"
from scipy.special import logsumexp
def simple_attention(Q, K, V):
    root = K.shape[1] ** -0.25
    scores = (Q * root) @ (K * root).T
    return np.exp(scores - logsumexp(scores, axis=1, keepdims=True)) @ V
# %% right="keys in rows, softmax down the columns" row="scaled Q"
def simple_attention(Q, K, V):
    scaled = Q / np.sqrt(len(K[0]))
    weights = softmax(K @ scaled.T, axis=0)
    return (V.T @ weights).T
# %% right="single precision"
def simple_attention(Q, K, V):
    Q, K, V = Q.astype(np.float32), K.astype(np.float32), V.astype(np.float32)
    scores = np.dot(Q, K.T) / np.float32(np.sqrt(K.shape[1]))
    weights = np.exp(scores - np.max(scores, axis=-1)[:, None])
    weights /= np.sum(weights, axis=-1)[:, None]
    return np.dot(weights, V)
# %% right="torch's own attention" row="the library's own SDPA where the text allows it"
def simple_attention(Q, K, V):
    return torch.nn.functional.scaled_dot_product_attention(*map(torch.tensor, (Q, K, V)))
# %% right="output filled row by row" row="loops" buys="one query at a time: only one row of weights is in memory"
def simple_attention(Q, K, V):
    n_q, d_k = Q.shape
    output = np.empty((n_q, V.shape[1]))
    for i in range(n_q):
        output[i] = softmax(K.dot(Q[i]) / d_k ** 0.5) @ V
    return output
# %% mistake="result thrown away" row="not divided by √d_k" true="not divided by √d_k" style="scale computed and unused"
def simple_attention(Q, K, V):
    d_k = K.shape[1]
    scores = np.einsum("ij,kj->ik", Q, K)
    scores / np.sqrt(d_k)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ V
# %% mistake="divided by the wrong power of d_k" style="by d_k"
def simple_attention(Q, K, V):
    return softmax(Q @ K.T / len(K[0])) @ V
# %% mistake="divided by the wrong power of d_k" style="times the root"
def simple_attention(Q, K, V):
    scores = Q @ K.T
    scores = scores * np.sqrt(Q.shape[-1])
    return softmax(scores, axis=1) @ V
# %% mistake="divided by the wrong power of d_k" style="d ** 1/2"
def simple_attention(Q, K, V):
    d = K.shape[1]
    return softmax(Q.dot(K.T) / (d ** 1/2), axis=-1).dot(V)
# %% mistake="divided by the root of the wrong length" style="number of keys"
import math
def simple_attention(Q, K, V):
    scores = np.matmul(Q, np.transpose(K)) / math.sqrt(len(K))
    return np.matmul(softmax(scores), V)
# %% mistake="divided by the root of the wrong length" style="width of the values"
def simple_attention(Q, K, V):
    n, d = V.shape
    return softmax(Q @ K.T * d ** -0.5) @ V
# %% mistake="divided by the root of the wrong length" style="number of queries"
def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(Q.shape[0])) @ V
# %% mistake="scaled after the softmax" style="weights divided"
def simple_attention(Q, K, V):
    weights = softmax(Q @ K.T, axis=1)
    weights = weights / np.sqrt(K.shape[1])
    return weights @ V
# %% mistake="softmax over the queries" style="axis 0"
def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=0) @ V
# %% mistake="softmax over the whole matrix" style="axis None"
def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=None) @ V
# %% mistake="Q, K or V in the wrong place" style="keys fetched"
def simple_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    output = weights @ K
    return output
# %% mistake="Q, K or V in the wrong place" style="queries against values"
def simple_attention(Q, K, V): return softmax(Q @ V.T / np.sqrt(K.shape[1])) @ V
# %% mistake="Q, K or V in the wrong place" style="queries against queries"
def simple_attention(Q, K, V): return softmax(Q @ Q.T / np.sqrt(Q.shape[1])) @ V
# %% mistake="Q, K or V in the wrong place" style="keys ask"
def simple_attention(Q, K, V):
    scores = np.einsum("kd,qd->kq", K, Q) / np.sqrt(K.shape[1])
    return np.einsum("kq,qv->kv", softmax(scores), V)
# %% mistake="weights transposed" style="T before V"
def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1])).T @ V
# %% mistake="weights transposed" style="einsum with the letters swapped"
def simple_attention(Q, K, V):
    w = softmax(np.einsum("id,jd->ij", Q, K) / K.shape[1] ** 0.5)
    return np.einsum("ji,jv->iv", w, V)
# %% mistake="no shift by the maximum" style="exp by hand"
def simple_attention(Q, K, V):
    powers = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    return (powers / powers.sum(axis=1, keepdims=True)) @ V
# %% mistake="one maximum for all rows" style="one maximum"
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - s.max())
    return (e / e.sum(axis=1, keepdims=True)) @ V
# %% mistake="broadcast along the wrong axis" style="sums not kept"
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1)) @ V
# %% mistake="writes into its input" style="Q scaled in place"
def simple_attention(Q, K, V):
    Q /= np.sqrt(K.shape[1])
    return softmax(Q @ K.T) @ V
# %% mistake="keys not transposed" style="Q @ K"
def simple_attention(Q, K, V):
    scores = Q @ K / np.sqrt(K.shape[1])
    return softmax(scores) @ V
# %% mistake="keys not transposed" style="np.matmul in one line"
def simple_attention(Q, K, V): return np.matmul(softmax(np.matmul(Q, K) / K.shape[-1] ** 0.5, axis=-1), V)
# %% mistake="a constant instead of the input's size" style="the example's root of 2"
def simple_attention(Q, K, V):
    return softmax(np.dot(Q, K.T) / 2 ** 0.5) @ V
# %% unlisted="nothing returned"
def simple_attention(Q, K, V):
    softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
# %% unlisted="no softmax"
def simple_attention(Q, K, V): return Q @ K.T / np.sqrt(K.shape[1]) @ V
# %% mistake="large scores cut to a limit" style="scores clipped"
def simple_attention(Q, K, V): return softmax(np.clip(Q @ K.T / np.sqrt(K.shape[1]), -50, 50)) @ V
# %% [markdown]
# ## From the wild
# %% right="a numpy tutorial's, softmax written out"
def simple_attention(Q, K, V):
    d_k = Q.shape[-1]
    scores = np.matmul(Q, K.transpose()) / np.sqrt(d_k)
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    exp_scores = np.exp(scores)
    attention_weights = exp_scores / np.sum(exp_scores, axis=-1, keepdims=True)
    return np.matmul(attention_weights, V)
# %% unlisted="e_x.sum(axis=0)" true="softmax over the queries; one maximum for all rows"
def simple_attention(Q, K, V):
    def softmax(x):
        e_x = np.exp(x - np.max(x))
        return e_x / e_x.sum(axis=0)
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
# %% mistake="not divided by √d_k" style="scores taken as they are"
def simple_attention(Q, K, V):
    scores = Q @ K.T
    raised = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return raised / raised.sum(axis=-1, keepdims=True) @ V
# %% mistake="root of d_k cut to a whole number" style="int"
def simple_attention(Q, K, V):
    return softmax(Q @ K.T / int(K.shape[1] ** 0.5)) @ V
# %% mistake="axis of length 1 lost" style="squeezed"
def simple_attention(Q, K, V):
    return (softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V).squeeze()
# %% mistake="no shift by the maximum" style="zeros for what is no number"
def simple_attention(Q, K, V):
    e = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    return np.nan_to_num(e / e.sum(axis=1, keepdims=True)) @ V
# %% unlisted="the row's mean taken off"
def simple_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(scores - scores.mean(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ V
# %% mistake="broadcast along the wrong axis" style="sums without keepdims, one maximum" true="one maximum for all rows"
def simple_attention(Q, K, V):
    e = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(e - e.max())
    return e / e.sum(axis=1) @ V
# %% mistake="exponential missing" style="scores by their sum"
def simple_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = scores / scores.sum(axis=1, keepdims=True)
    return weights @ V
# %% mistake="only the best key counts" style="argmax as an index"
def simple_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    return V[np.argmax(scores, axis=1)]
# %% mistake="weights returned without the values" style="the last step forgotten"
def simple_attention(Q, K, V):
    scores = np.matmul(Q, K.T) / K.shape[1] ** 0.5
    weights = softmax(scores, axis=1)
    return weights
