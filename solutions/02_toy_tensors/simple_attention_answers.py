# %% crosses="of each mistake"
# not divided by √d_k -> the examples you
# divided by the wrong power of d_k -> the examples you
# divided by the root of the wrong length -> the examples you; the numbers are right for other
# scaled after the softmax -> the examples you
# softmax over the queries -> the examples you
# softmax over the whole matrix -> the numbers are right for other
# Q, K or V in the wrong place -> one row of; the examples you
# weights transposed -> one row of
# no shift by the maximum ->
# one maximum for all rows ->
# broadcast along the wrong axis -> the numbers are right for other
# writes into its input -> leaves its inputs
# large scores cut to a limit -> the numbers are right for large
# %% right="einsum, own softmax" row="einsum"
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
# %% right="logsumexp, quarter powers on both sides" row="logsumexp"
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
# %% right="output filled row by row" row="loops"
def simple_attention(Q, K, V):
    n_q, d_k = Q.shape
    output = np.empty((n_q, V.shape[1]))
    for i in range(n_q):
        output[i] = softmax(K.dot(Q[i]) / d_k ** 0.5) @ V
    return output
# %% mistake="not divided by √d_k" style="dot and softmax"
def simple_attention(Q, K, V):
    scores = np.dot(Q, K.T)
    return np.dot(softmax(scores), V)
# %% mistake="not divided by √d_k" style="scale computed and unused"
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
# %% mistake="scaled after the softmax" style="output divided"
def simple_attention(Q, K, V):
    return (softmax(Q @ K.T) @ V) / np.sqrt(Q.shape[1])
# %% mistake="softmax over the queries" style="axis 0"
def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=0) @ V
# %% mistake="softmax over the queries" style="column by column"
def simple_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = np.zeros(scores.shape)
    for j in range(scores.shape[1]):
        e = np.exp(scores[:, j] - scores[:, j].max())
        weights[:, j] = e / e.sum()
    return weights @ V
# %% mistake="softmax over the whole matrix" style="axis None"
def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=None) @ V
# %% mistake="softmax over the whole matrix" style="one sum"
def simple_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e) @ V
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
# %% mistake="no shift by the maximum" style="loops with math-like exp"
def simple_attention(Q, K, V):
    out = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        e = np.array([np.exp(np.dot(q, k) / np.sqrt(len(k))) for k in K])
        out[i] = sum(e[j] / e.sum() * V[j] for j in range(len(V)))
    return out
# %% mistake="one maximum for all rows" style="one maximum"
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - s.max())
    return (e / e.sum(axis=1, keepdims=True)) @ V
# %% mistake="one maximum for all rows" style="np.max, then transposed division"
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - np.max(s))
    return (e.T / np.sum(e, axis=1)).T @ V
# %% mistake="broadcast along the wrong axis" style="sums not kept"
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1)) @ V
# %% mistake="broadcast along the wrong axis" style="neither kept"
def simple_attention(Q, K, V):
    s = np.dot(Q, K.T) / np.sqrt(K.shape[1])
    s = s - np.max(s, axis=-1)
    w = np.exp(s) / np.sum(np.exp(s), axis=-1)
    return np.dot(w, V)
# %% mistake="writes into its input" style="Q scaled in place"
def simple_attention(Q, K, V):
    Q /= np.sqrt(K.shape[1])
    return softmax(Q @ K.T) @ V
# %% mistake="writes into its input" style="K scaled in place, times"
def simple_attention(Q, K, V):
    K *= 1 / np.sqrt(K.shape[1])
    return softmax(Q @ K.T) @ V
# %% unlisted="nothing returned"
def simple_attention(Q, K, V):
    softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
# %% unlisted="weights returned"
def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1]))
# %% unlisted="both returned"
def simple_attention(Q, K, V):
    w = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return w @ V, w
# %% unlisted="no softmax"
def simple_attention(Q, K, V): return Q @ K.T / np.sqrt(K.shape[1]) @ V
# %% unlisted="softmax twice"
def simple_attention(Q, K, V): return softmax(softmax(Q @ K.T / np.sqrt(K.shape[1]))) @ V
# %% unlisted="cosine"
def simple_attention(Q, K, V):
    Q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    K = K / np.linalg.norm(K, axis=1, keepdims=True)
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
# %% unlisted="the best key alone"
def simple_attention(Q, K, V): return V[np.argmax(Q @ K.T, axis=1)]
# %% unlisted="sign turned"
def simple_attention(Q, K, V): return softmax(-(Q @ K.T) / np.sqrt(K.shape[1])) @ V
# %% unlisted="shared out without exp"
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    return s / s.sum(axis=1, keepdims=True) @ V
# %% mistake="large scores cut to a limit" style="scores clipped"
def simple_attention(Q, K, V): return softmax(np.clip(Q @ K.T / np.sqrt(K.shape[1]), -50, 50)) @ V
# %% unlisted="flattened"
def simple_attention(Q, K, V): return (softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V).ravel()
# %% unlisted="an epsilon too large" of="sums not kept"
# -     return (e / e.sum(axis=1)) @ V
# +     return e / (e.sum(axis=1, keepdims=True) + 1e-2) @ V
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
# %% right="a helper for one query, vstack"
def attend(q, K, V):
    scores = np.array([np.dot(q, k) for k in K]) / np.sqrt(len(q))
    return softmax(scores) @ V
def simple_attention(Q, K, V):
    return np.vstack([attend(q, K, V) for q in Q])
# %% mistake="softmax over the whole matrix" style="e_x / e_x.sum()"
def simple_attention(Q, K, V):
    def softmax(x):
        """Compute softmax values for each sets of scores in x."""
        e_x = np.exp(x - np.max(x))
        return e_x / e_x.sum()
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
# %% unlisted="e_x.sum(axis=0)" true="softmax over the queries; one maximum for all rows"
def simple_attention(Q, K, V):
    def softmax(x):
        e_x = np.exp(x - np.max(x))
        return e_x / e_x.sum(axis=0)
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
# %% unlisted="np.exp(x) / np.sum(np.exp(x), axis=0)" true="softmax over the queries; no shift by the maximum"
def simple_attention(Q, K, V):
    scores = np.dot(Q, K.T) / np.sqrt(K.shape[-1])
    weights = np.exp(scores) / np.sum(np.exp(scores), axis=0)
    return np.dot(weights, V)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="weights never defined"
def simple_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    wieghts = softmax(scores)
    return weights @ V
# %% unlisted="no scale, axis 0" true="not divided by √d_k; softmax over the queries"
def simple_attention(Q, K, V):
    return softmax(Q @ K.T, axis=0) @ V
# %% unlisted="an array of whole numbers to fill"
def simple_attention(Q, K, V):
    output = np.zeros((len(Q), V.shape[1]), dtype=int)
    for i, q in enumerate(Q):
        output[i] = softmax(K @ q / np.sqrt(len(q))) @ V
    return output
# %% unlisted="torch's keyword"
def simple_attention(Q, K, V):
    return softmax(Q @ K.T / np.sqrt(K.shape[1]), dim=-1) @ V
# %% unlisted="K not transposed"
def simple_attention(Q, K, V):
    return softmax(Q @ K / np.sqrt(K.shape[1])) @ V
# %% unlisted="only the first query"
def simple_attention(Q, K, V):
    for q in Q:
        weights = softmax(K @ q / np.sqrt(len(q)))
        return weights @ V
# %% mistake="large scores cut to a limit" style="clipped at 700, exponentials by hand"
def simple_attention(Q, K, V):
    s = np.clip(Q @ K.T / np.sqrt(K.shape[1]), -700, 700)
    w = np.exp(s)
    return w / w.sum(-1, keepdims=True) @ V
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="one query at a time with helper functions"
def simple_attention(Q, K, V):
    Q, K, V = (np.asarray(a, dtype=float) for a in (Q, K, V))
    root = K.shape[1] ** -0.5

    def shares(q):
        s = K.dot(q) * root
        p = np.exp(s - s.max())
        return p / p.sum()

    return np.array([shares(q) @ V for q in Q])
# %% mistake="divided by the root of the wrong length" style="divided by the root of the wrong length, written blind"
import math
def simple_attention(Q, K, V):
    d_k = len(K)
    scores = np.einsum("id,jd->ij", Q, K) / math.sqrt(d_k)
    scores = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=1)[:, None]
    return weights @ V
# %% right="triple loops"
import math
def simple_attention(Q, K, V):
    nq = len(Q)
    nk = len(K)
    d = len(K[0])
    dv = len(V[0])
    out = np.zeros((nq, dv))
    for i in range(nq):
        sc = []
        for j in range(nk):
            s = 0
            for t in range(d):
                s = s + Q[i][t] * K[j][t]
            s = s / d ** 0.5
            sc.append(s)
        biggest = max(sc)
        total = 0
        for j in range(nk):
            sc[j] = math.exp(sc[j] - biggest)
            total = total + sc[j]
        for j in range(nk):
            sc[j] = sc[j] / total
        for c in range(dv):
            for j in range(nk):
                out[i, c] += sc[j] * V[j][c]
    return out
# %% unlisted="divided by the wrong power of d_k (d ** 1/2); softmax over the queries" true="divided by the wrong power of d_k; softmax over the queries"
def simple_attention(Q, K, V):
    d = K.shape[-1]
    scores = np.dot(Q, K.T) / (d ** 1/2)
    e = np.exp(scores - np.max(scores, axis=0))
    w = e / np.sum(e, axis=0)
    result = np.matmul(w, V)
    return result
