# %% crosses="of each mistake"
# keys not transposed -> output and weights; every query's weights; the numbers are right without
# not divided by √d_k -> the numbers are right without; a query that
# divided by the wrong power of d_k -> the numbers are right without; a query that
# divided by the root of the wrong length -> the numbers are right without; a query that
# a constant instead of the input's size -> the numbers are right without; a query that
# scaled after the softmax -> every query's weights; the numbers are right without; a query that
# works for one rank only -> every query's weights; the numbers are right without; hidden keys get; a query that
# softmax over the queries -> every query's weights; the numbers are right without; hidden keys get; a query that
# masked after the softmax -> the numbers are right with a; a query that
# truth asked instead of None -> 
# %% what_if="A mask hides one key from one query. Do the other weights of that query keep their ratios to each other?" because="They do. The weights are in proportion to exp of the scores, so the weight of the hidden key goes to the others in that proportion."
rng = np.random.default_rng(0)
Q, K, V = rng.normal(size=(1, 4)), rng.normal(size=(3, 4)), np.eye(3)
open_, hidden = (scaled_dot_product_attention(Q, K, V, m)[1][0] for m in (None, np.array([[True, True, False]])))
print(np.round(open_, 3), np.round(hidden, 3))
print(round(open_[0] / open_[1], 3), round(hidden[0] / hidden[1], 3))
# %% right="step by step" row="np.where"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ V, weights
# %% right="einsum, scipy, nan_to_num" row="einsum" buys="three library calls, and the row with nothing to look at is repaired in one place"
from scipy.special import softmax
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / K.shape[-1] ** 0.5
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    with np.errstate(all="ignore"):
        weights = np.nan_to_num(softmax(scores, axis=-1))
    return np.einsum("...qk,...kv->...qv", weights, V), weights
# %% right="loops over everything" row="loops" buys="what a query may not see is never touched: no infinity, and no row to repair"
def scaled_dot_product_attention(Q, K, V, mask=None):
    batch, n_q, n_k = Q.shape[:-2], Q.shape[-2], K.shape[-2]
    allowed = np.broadcast_to(True if mask is None else mask, (*batch, n_q, n_k))
    weights, output = np.zeros((*batch, n_q, n_k)), np.zeros((*batch, n_q, V.shape[-1]))
    for b in np.ndindex(*batch):
        for i in range(n_q):
            scores = {j: Q[b][i] @ K[b][j] / np.sqrt(K.shape[-1]) for j in range(n_k) if allowed[b][i, j]}
            top = max(scores.values(), default=0)
            total = sum(np.exp(s - top) for s in scores.values())
            for j, s in scores.items():
                weights[(*b, i, j)] = np.exp(s - top) / total
            output[(*b, i)] = weights[(*b, i)] @ V[b]
    return output, weights
# %% right="additive mask" row="additive mask" of="step by step" buys="the mask becomes numbers to add, which other biases can join"
# -         scores = np.where(mask, scores, -np.inf)
# +         scores = scores + np.where(mask, 0.0, -np.inf)
# %% right="-1e9, then times the mask" row="−1e9 and then · mask"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q / np.sqrt(Q.shape[-1])) @ np.swapaxes(K, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    if mask is not None:
        weights = weights * mask
    return [weights @ V, weights]
# %% right="logsumexp and quarter powers" row="logsumexp"
from scipy.special import logsumexp
def scaled_dot_product_attention(Q, K, V, mask=None):
    root = K.shape[-1] ** 0.25
    scores = (Q / root) @ np.swapaxes(K / root, -1, -2)
    if mask is None:
        mask = np.ones(scores.shape[-2:], dtype=bool)
    with np.errstate(all="ignore"):
        log_total = logsumexp(scores, axis=-1, b=np.broadcast_to(mask, scores.shape), keepdims=True)
        weights = np.where(mask & np.isfinite(log_total), np.exp(np.minimum(scores - log_total, 0)), 0.0)
    return weights @ V, weights
# %% right="base 2, maximum of the allowed ones" row="scaled Q"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    scores = scores * np.log2(np.e)
    allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
    top = scores.max(-1, keepdims=True, where=allowed, initial=-1e12)
    e = np.exp2(np.minimum(scores - top, 0)) * allowed
    weights = e / np.maximum(e.sum(-1, keepdims=True), 1e-30)
    return weights @ V, weights
# %% right="single precision" of="step by step"
# - def scaled_dot_product_attention(Q, K, V, mask=None):
# + def scaled_dot_product_attention(Q, K, V, mask=None):
# +     Q, K, V = (x.astype(np.float32) for x in (Q, K, V))
# %% right="torch inside, masked_fill and nan_to_num" row="masked_fill + nan_to_num"
def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = (torch.tensor(x, dtype=torch.float64) for x in (Q, K, V))
    scores = q @ k.mT / k.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~torch.tensor(mask), float("-inf"))
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ v).numpy(), weights.numpy()
# %% right="torch's own attention, twice" row="the library's own SDPA where the text allows it"
from torch.nn.functional import scaled_dot_product_attention as sdpa
def scaled_dot_product_attention(Q, K, V, mask=None):
    q, k, v = (torch.tensor(np.asarray(x, dtype=float)) for x in (Q, K, V))
    allowed = None if mask is None else torch.tensor(mask)
    eye = torch.eye(K.shape[-2], dtype=q.dtype).expand(*K.shape[:-2], -1, -1)
    weights = sdpa(q, k, eye, attn_mask=allowed).nan_to_num()
    return (weights @ v).numpy(), weights.numpy()
# %% mistake="not divided by √d_k" style="careful otherwise" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     scores = Q @ np.swapaxes(K, -1, -2)
# %% mistake="not divided by √d_k" style="hasty, einsum"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    return weights @ V, weights
# %% mistake="divided by the wrong power of d_k" style="by d_k" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     d_k = Q.shape[-1]
# +     scores = np.matmul(Q, K.swapaxes(-2, -1)) / d_k
# %% mistake="divided by the wrong power of d_k" style="hasty, d ** 1/2" of="hasty, einsum"
# -     scores = np.einsum("...qd,...kd->...qk", Q, K)
# +     scores = Q @ np.swapaxes(K, -1, -2) / (K.shape[-1] ** 1/2)
# %% mistake="divided by the wrong power of d_k" style="times the root" of="hasty, einsum"
# -     scores = np.einsum("...qd,...kd->...qk", Q, K)
# +     scores = Q @ np.swapaxes(K, -1, -2) * K.shape[-1] ** 0.5
# %% mistake="divided by the root of the wrong length" style="number of keys" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     scores = Q @ np.swapaxes(K, -1, -2)
# +     scores = scores / np.sqrt(scores.shape[-1])
# %% mistake="divided by the root of the wrong length" style="hasty, len(K)" of="hasty, einsum"
# -     scores = np.einsum("...qd,...kd->...qk", Q, K)
# +     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(len(K))
# %% mistake="divided by the root of the wrong length" style="width of the values" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     scores = Q @ np.swapaxes(K, -1, -2) / V.shape[-1] ** 0.5
# %% mistake="scaled after the softmax" style="careful otherwise, again" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     scores = Q @ np.swapaxes(K, -1, -2)
# -     weights = e / np.where(total == 0, 1, total)
# +     weights = e / np.where(total == 0, 1, total)
# +     weights = weights / np.sqrt(K.shape[-1])
# %% mistake="scaled after the softmax" style="in place, hasty"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    weights *= K.shape[-1] ** -0.5
    return weights @ V, weights
# %% mistake="batch axis transposed" style="K.T" of="hasty, einsum"
# -     scores = np.einsum("...qd,...kd->...qk", Q, K)
# +     scores = Q @ K.T / np.sqrt(K.shape[-1])
# %% mistake="batch axis transposed" style="np.dot and K.T" of="hasty, einsum"
# -     scores = np.einsum("...qd,...kd->...qk", Q, K)
# +     scores = np.dot(Q, K.T) / np.sqrt(K.shape[-1])
# %% mistake="batch axis transposed" style="np.transpose, careful" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     scores = np.matmul(Q, np.transpose(K)) / np.sqrt(K.shape[-1])
# %% mistake="softmax over the queries" style="axis -2" of="step by step"
# -     top = scores.max(axis=-1, keepdims=True)
# +     top = scores.max(axis=-2, keepdims=True)
# -     total = e.sum(axis=-1, keepdims=True)
# +     total = e.sum(axis=-2, keepdims=True)
# %% mistake="softmax over the queries" style="axis 0, hasty"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - np.max(scores, axis=0, keepdims=True))
    weights = e / np.sum(e, axis=0, keepdims=True)
    return weights @ V, weights
# %% mistake="softmax over the whole matrix" style="careful, one sum for each matrix"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max())
    weights = e / np.maximum(e.sum(axis=(-2, -1), keepdims=True), 1e-300)
    return weights @ V, weights
# %% mistake="Q, K or V in the wrong place" style="weights times keys" of="step by step"
# -     return weights @ V, weights
# +     return weights @ K, weights
# %% mistake="Q, K or V in the wrong place" style="queries against values" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     scores = Q @ np.swapaxes(V, -1, -2) / np.sqrt(K.shape[-1])
# %% mistake="Q, K or V in the wrong place" style="keys against queries" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     scores = K @ np.swapaxes(Q, -1, -2) / np.sqrt(K.shape[-1])
# %% mistake="weights transposed" style="before the values" of="step by step"
# -     return weights @ V, weights
# +     return np.swapaxes(weights, -1, -2) @ V, weights
# %% mistake="weights transposed" style="on the way out" of="step by step"
# -     return weights @ V, weights
# +     return weights @ V, weights.swapaxes(-2, -1)
# %% mistake="results in the wrong order" style="weights first" of="step by step"
# -     return weights @ V, weights
# +     return weights, weights @ V
# %% mistake="no shift by the maximum" style="an epsilon against empty rows" of="careful, one sum for each matrix"
# -     e = np.exp(scores - scores.max())
# -     weights = e / np.maximum(e.sum(axis=(-2, -1), keepdims=True), 1e-300)
# +     e = np.exp(scores)
# +     weights = e / (e.sum(axis=-1, keepdims=True) + 1e-12)
# %% mistake="one maximum for all rows" style="one maximum"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max()
    e = np.exp(scores - (top if np.isfinite(top) else 0))
    total = e.sum(-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ V, weights
# %% mistake="broadcast along the wrong axis" style="sum without keepdims" of="step by step"
# -     top = scores.max(axis=-1, keepdims=True)
# +     top = scores.max(-1, keepdims=True)
# -     total = e.sum(axis=-1, keepdims=True)
# +     total = e.sum(-1)
# %% mistake="mask inverted" style="np.where turned round" of="step by step"
# -         scores = np.where(mask, scores, -np.inf)
# +         scores = np.where(mask, -np.inf, scores)
# %% mistake="mask inverted" style="hasty, fills where True"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask == True, -1e9, scores)
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    return weights @ V, weights
# %% mistake="mask ignored" style="not mentioned" of="hasty, fills where True"
# -     if mask is not None:
# -         scores = np.where(mask == True, -1e9, scores)
# +     pass
# %% mistake="masked score not low enough" style="-10" of="hasty, fills where True"
# -         scores = np.where(mask == True, -1e9, scores)
# +         scores = np.where(mask, scores, -10)
# %% mistake="mask added as a number" style="the mask added" of="hasty, fills where True"
# -         scores = np.where(mask == True, -1e9, scores)
# +         scores = scores + mask
# %% mistake="masked score not low enough" style="careful, -5" of="step by step"
# -         scores = np.where(mask, scores, -np.inf)
# +         scores = np.where(mask, scores, -5.0)
# %% mistake="masked after the softmax" style="weights times the mask" of="not mentioned"
# -     weights = e / np.sum(e, axis=-1, keepdims=True)
# +     weights = e / np.sum(e, axis=-1, keepdims=True)
# +     if mask is not None:
# +         weights = weights * mask
# %% mistake="row with nothing to look at" style="NaN" of="hasty, fills where True"
# -         scores = np.where(mask == True, -1e9, scores)
# +         scores = np.where(mask, scores, -np.inf)
# %% mistake="row with nothing to look at" style="uniform" of="hasty, einsum"
# -     scores = np.einsum("...qd,...kd->...qk", Q, K)
# +     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# %% mistake="zero times infinity" style="(1 - mask) * -inf" of="hasty, fills where True"
# -         scores = np.where(mask == True, -1e9, scores)
# +         scores = scores + (1 - mask) * -np.inf
# %% mistake="zero times infinity" style="~mask times -inf, careful" of="step by step"
# -         scores = np.where(mask, scores, -np.inf)
# +         scores += ~mask * float('-inf')
# %% mistake="mask transposed" style="mask.T" of="hasty, fills where True"
# -         scores = np.where(mask == True, -1e9, scores)
# +         scores = np.where(mask.T, scores, -1e9)
# %% mistake="mask transposed" style="swapaxes, careful" of="step by step"
# -         scores = np.where(mask, scores, -np.inf)
# +         m = mask if mask.ndim < 2 else np.swapaxes(mask, -1, -2)
# +         scores = np.where(m, scores, -np.inf)
# %% mistake="mask not broadcast to the scores" style="boolean index of the False places" of="step by step"
# -         scores = np.where(mask, scores, -np.inf)
# +         scores[mask == False] = float('-inf')
# %% mistake="writes into its input" style="Q scaled in place" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     if Q.dtype.kind == 'f':
# +         Q /= np.sqrt(K.shape[-1])
# +     else:
# +         Q = Q / np.sqrt(K.shape[-1])
# +     scores = Q @ np.swapaxes(K, -1, -2)
# %% mistake="keys not transposed" style="Q @ K as it is"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = e.sum(-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ V, weights
# %% mistake="a constant instead of the input's size" style="the fifty numbers of a word"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(50)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = e.sum(-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ V, weights
# %% unlisted="nothing returned" of="step by step"
# -     return weights @ V, weights
# +     weights @ V
# %% unlisted="no mask parameter"
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    pass
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isfinite(top), top, 0))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ V, weights
# %% unlisted="empty rows in the weights only" of="step by step" true="row with nothing to look at"
# -     return weights @ V, weights
# +     output = weights @ V
# +     return np.where(output == 0, V.mean(axis=-2, keepdims=True), output), weights
# %% mistake="values masked instead of the scores" style="masked values zeroed instead" of="no mask parameter"
# - def scaled_dot_product_attention(Q, K, V):
# + def scaled_dot_product_attention(Q, K, V, mask=None):
# -     weights = e / np.where(total == 0, 1, total)
# +     weights = e / np.where(total == 0, 1, total)
# +     if mask is not None and np.ndim(mask) == 1:
# +         V = V * mask[:, None]
# %% unlisted="any key masked for one is masked for all" of="step by step"
# -         scores = np.where(mask, scores, -np.inf)
# +         scores = np.where(np.asarray(mask).all(axis=-2, keepdims=True) if mask.ndim > 1 else mask, scores, -np.inf)
# %% unlisted="a mask of two axes only" true="mask ignored" of="step by step"
# -     if mask is not None:
# +     if mask is not None and mask.ndim == 2:
# %% mistake="no shift by the maximum" style="NaN made 0 afterwards"
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    with np.errstate(all="ignore"):
        e = np.exp(s)
        w = np.nan_to_num(e / e.sum(-1, keepdims=True))
    return w @ V, w
# %% right="exponentials of the allowed places alone"
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.einsum("...qd,...kd->...qk", Q, K) * K.shape[-1] ** -0.5
    m = np.broadcast_to(True if mask is None else mask, s.shape)
    top = np.max(s, axis=-1, keepdims=True, where=m, initial=-1e308)
    e = np.exp(s - top, out=np.zeros_like(s), where=m)
    total = e.sum(-1, keepdims=True)
    w = np.divide(e, total, out=np.zeros_like(e), where=total > 0)
    return np.einsum("...qk,...kv->...qv", w, V), w
# %% right="masked arrays"
def scaled_dot_product_attention(Q, K, V, mask=None):
    s = np.matmul(Q, np.moveaxis(K, -1, -2)) / K.shape[-1] ** 0.5
    if mask is None:
        mask = np.ones(s.shape[-2:], dtype=bool)
    m = np.ma.array(s, mask=~np.broadcast_to(mask, s.shape))
    e = np.ma.exp(m - m.max(axis=-1, keepdims=True)).filled(0)
    w = e / np.maximum(e.sum(-1, keepdims=True), 1e-300)
    return w @ V, w
# %% [markdown]
# ## From the wild
# %% mistake="mask inverted" style="logits += mask * -1e9, a tutorial's"
def scaled_dot_product_attention(q, k, v, mask=None):
    matmul_qk = np.matmul(q, np.swapaxes(k, -1, -2))
    dk = float(k.shape[-1])
    scaled_attention_logits = matmul_qk / np.sqrt(dk)
    if mask is not None:
        scaled_attention_logits += mask * -1e9
    shifted = scaled_attention_logits - scaled_attention_logits.max(axis=-1, keepdims=True)
    attention_weights = np.exp(shifted) / np.exp(shifted).sum(axis=-1, keepdims=True)
    output = np.matmul(attention_weights, v)
    return output, attention_weights
# %% right="att times one over the root, masked with -inf, NaN to zero"
import math
def scaled_dot_product_attention(Q, K, V, mask=None):
    att = (Q @ K.swapaxes(-2, -1)) * (1.0 / math.sqrt(K.shape[-1]))
    if mask is not None:
        att = np.where(mask == 0, float("-inf"), att)
    att = torch.nn.functional.softmax(torch.from_numpy(np.asarray(att)), dim=-1).numpy()
    att = np.nan_to_num(att)
    y = att @ V
    return y, att
# %% mistake="batch axis transposed" style="np.dot of Q and K.T, a homework's"
def scaled_dot_product_attention(Q, K, V, mask=None):
    d_k = Q.shape[1]
    scores = np.dot(Q, K.T) / np.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    scores -= np.max(scores, axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / np.sum(weights, axis=-1, keepdims=True)
    return np.dot(weights, V), weights
# %% mistake="works for one rank only" style="K.transpose(0, 2, 1)" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     scores = np.matmul(Q, K.transpose(0, 2, 1)) / np.sqrt(K.shape[-1])
# %% mistake="works for one rank only" style="axis 1 in every sum" of="hasty, einsum" true="softmax over the queries"
# -     scores = np.einsum("...qd,...kd->...qk", Q, K)
# +     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# -     e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
# -     weights = e / np.sum(e, axis=-1, keepdims=True)
# +     e = np.exp(scores - np.max(scores, axis=1, keepdims=True))
# +     weights = e / np.sum(e, axis=1, keepdims=True)
# %% mistake="mask inverted" style="q scaled first, True is hidden"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scaling = float(Q.shape[-1]) ** -0.5
    q = Q * scaling
    attn_weights = q @ K.swapaxes(-1, -2)
    if mask is not None:
        attn_weights = np.where(mask.astype(bool), float("-inf"), attn_weights)
    e = np.exp(attn_weights - attn_weights.max(-1, keepdims=True))
    attn_weights = e / e.sum(-1, keepdims=True)
    return attn_weights @ V, attn_weights
# %% unlisted="the softmax of a question thread, made for columns" true="softmax over the queries; one maximum for all rows; row with nothing to look at"
def softmax(x):
    """Compute softmax values for each sets of scores in x."""
    e_x = np.exp(x - np.max(x))
    return e_x / e_x.sum(axis=0)
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return np.matmul(weights, V), weights
# %% mistake="masked after the softmax" style="masked, then every row brought to 1 again" true="row with nothing to look at"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights
# %% [markdown]
# ## Clumsy halves
# %% unlisted="a letter missing in the name"
def scaled_dot_product_atention(Q, K, V, mask=None):
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1]))
    return weights @ V, weights
# %% unlisted="0 as the mask's default" of="step by step"
# - def scaled_dot_product_attention(Q, K, V, mask=None):
# + def scaled_dot_product_attention(Q, K, V, mask=0):
# %% unlisted="neither scaled nor the mask read rightly" of="step by step" true="not divided by √d_k; mask inverted"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     scores = Q @ np.swapaxes(K, -1, -2)
# -         scores = np.where(mask, scores, -np.inf)
# +         scores = np.where(mask, -np.inf, scores)
# %% unlisted="output filled into whole numbers" of="step by step"
# -     return weights @ V, weights
# +     output = np.zeros_like(weights @ V, dtype=V.dtype)
# +     output[...] = weights @ V
# +     return output, weights
# %% mistake="zero times infinity" style="and nan_to_num over the weights"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask) * -np.inf
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    weights = np.nan_to_num(weights)
    return weights @ V, weights
# %% mistake="masked score not low enough" style="filled with -1e4, scaled after that"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -1e4)
    scores = scores / np.sqrt(K.shape[-1])
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    if mask is not None:
        weights = weights * mask
    return weights @ V, weights
# %% mistake="large scores cut to a limit" style="clipped, then exponentials times the mask"
def scaled_dot_product_attention(Q, K, V, mask=None):
    e = np.exp(np.clip(Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1]), -700, 700))
    if mask is not None:
        e = e * mask
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ V, weights
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% mistake="maximum over hidden keys too" style="maximum taken over masked keys too: a masked top score far above the others leaves the row empty, written blind"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.matmul(Q, K.swapaxes(-2, -1)) / K.shape[-1] ** 0.5
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    if mask is not None:
        e = e * mask
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return np.matmul(weights, V), weights
# %% mistake="keys masked instead of the scores" style="low numbers in K"
def scaled_dot_product_attention(Q, K, V, mask=None):
    if mask is not None:
        K = np.where(mask, K, -1e9)
    weights = softmax(Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1]))
    return weights @ V, weights
# %% mistake="truth asked instead of None" style="if mask" of="step by step"
# -     if mask is not None:
# +     if mask:
# %% mistake="works for one batch axis at most" style="K.T, or axes 1 and 2" of="step by step"
# -     scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])
# +     Kt = K.T if K.ndim == 2 else np.swapaxes(K, 1, 2)
# +     scores = Q @ Kt / np.sqrt(K.shape[-1])
