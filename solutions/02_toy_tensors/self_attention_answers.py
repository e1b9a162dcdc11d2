# %% crosses="of each mistake"
# not divided by √d_k -> the example with
# divided by the wrong power of d_k -> the example with
# scaled after the softmax -> every word's weights; the example with
# softmax over the whole matrix -> every word's weights; the example with
# weights transposed -> every word's weights; the example with
# no shift by the maximum ->
# one maximum for all rows ->
# broadcast along the wrong axis -> every word's weights; the example with
# results in the wrong order -> returns output and; the example with
# divided by the root of the wrong length -> the example with
# softmax over the queries -> every word's weights; the example with
# Q, K or V in the wrong place -> returns output and; the example with
# one projection for Q, K and V -> returns output and; the example with
# a projection left out -> returns output and; the example with
# writes into its input -> the example with; leaves its inputs
# large scores cut to a limit -> the numbers are right for large
# %% right="einsum"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.einsum("...qd,...kd->...qk", Q / Q.size(-1) ** 0.5, K).softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, V), weights
# %% right="logsumexp and quarter powers, a list"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    root = K.size(-1) ** 0.25
    scores = torch.matmul(Q / root, (K / root).mT)
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    return [weights.matmul(V), weights]
# %% right="own softmax, maximum detached"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d_k = torch.tensor(K.shape[-1])
    scores = Q @ torch.swapaxes(K, -1, -2) * d_k.rsqrt()
    kernel = torch.exp(scores - scores.detach().max(dim=-1, keepdim=True).values)
    weights = kernel / torch.sum(kernel, dim=-1, keepdim=True)
    return weights @ V, weights
# %% right="baddbmm"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    batch = Q.shape[:-2]
    q, k, v = [x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V)]
    empty = torch.zeros(len(q), Q.shape[-2], K.shape[-2])
    scores = torch.baddbmm(empty, q, k.transpose(1, 2), alpha=K.shape[-1] ** -0.5)
    weights = torch.softmax(scores, dim=2)
    output = torch.bmm(weights, v)
    return output.reshape(*batch, *output.shape[1:]), weights.reshape(*batch, *weights.shape[1:])
# %% right=".mT"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q.matmul(K.mT).div(K.shape[-1] ** 0.5)
    weights = scores.softmax(dim=-1)
    return weights.matmul(V), weights
# %% right="the course's helper"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    return attention(Q, K, V)
# %% right="double precision"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    Q, K, V = Q.double(), K.double(), V.double()
    scores = Q @ K.transpose(-2, -1) / torch.sqrt(torch.tensor(float(K.shape[-1])))
    weights = torch.softmax(scores, -1)
    return weights @ V, weights
# %% right="log-softmax and a namedtuple"
from collections import namedtuple
import torch.nn.functional as F
Attention = namedtuple("Attention", "output weights")
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = F.log_softmax(Q @ K.movedim(-1, -2) * K.shape[-1] ** -0.5, dim=-1).exp()
    return Attention(weights @ V, weights)
# %% mistake="not divided by √d_k" style="einsum, again"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    w = torch.einsum("...qd,...kd->...qk", Q, K).softmax(-1)
    return torch.einsum("...qk,...kd->...qd", w, V), w
# %% mistake="not divided by √d_k" style="own softmax"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = torch.matmul(Q, K.transpose(-1, -2))
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    w = e / e.sum(dim=-1, keepdim=True)
    return torch.matmul(w, V), w
# %% mistake="divided by the wrong power of d_k" style="by d_k"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d_k = K.size(-1)
    weights = torch.softmax((Q @ K.mT) / d_k, dim=-1)
    return weights @ V, weights
# %% mistake="divided by the wrong power of d_k" style="d ** 1 / 2"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.transpose(-2, -1)
    scores = scores / (Q.shape[-1] ** 1 / 2)
    weights = scores.softmax(-1)
    return weights @ V, weights
# %% mistake="divided by the wrong power of d_k" style="multiplied"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
    return weights @ V, weights
# %% mistake="divided by the wrong power of d_k" style="root twice: Q and K both divided" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     root = K.shape[-1] ** 0.5
# +     weights = torch.softmax((Q / root) @ (K / root).mT, -1)
# %% mistake="divided by the root of the wrong length" style="number of keys" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     scores = Q @ K.transpose(-2, -1)
# +     weights = torch.softmax(scores / scores.size(-1) ** 0.5, dim=-1)
# %% mistake="divided by the root of the wrong length" style="len(K)" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     weights = torch.softmax(Q @ K.mT / len(K) ** 0.5, dim=-1)
# %% mistake="scaled after the softmax" style="weights divided" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     weights = torch.nn.functional.softmax(Q @ K.mT, dim=-1)
# +     weights = weights / K.shape[-1] ** 0.5
# %% mistake="scaled after the softmax" style="in place"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    w = (Q @ K.transpose(-1, -2)).softmax(-1)
    w = w.div(np.sqrt(Q.size(-1)))
    return torch.matmul(w, V), w
# %% mistake="softmax over the queries" style="dim -2" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     weights = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-2)
# %% mistake="softmax over the whole matrix" style="one sum"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    e = torch.exp(Q @ K.mT / K.shape[-1] ** 0.5)
    w = e / e.sum()
    return w @ V, w
# %% mistake="softmax over the whole matrix" style="flattened"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    w = s.flatten().softmax(0).view(s.shape)
    return w @ V, w
# %% mistake="softmax over the whole matrix" style="one sum a matrix"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(dim=(-2, -1), keepdim=True))
    w = e / e.sum(dim=(-2, -1), keepdim=True)
    return w @ V, w
# %% mistake="Q, K or V in the wrong place" style="weights times K"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w @ K, w
# %% mistake="Q, K or V in the wrong place" style="scores from Q and V"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    w = torch.softmax(Q @ V.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1)
    return w @ V, w
# %% mistake="Q, K or V in the wrong place" style="K against Q"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    w = torch.softmax(torch.matmul(K, Q.mT) / K.shape[-1] ** 0.5, dim=-1)
    return torch.matmul(w, V), w
# %% mistake="weights transposed" style="before V" of="weights times K"
# -     return w @ K, w
# +     return w.mT @ V, w
# %% mistake="weights transposed" style="einsum letters"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    w = (torch.einsum("...id,...jd->...ij", Q, K) / K.shape[-1] ** 0.5).softmax(-1)
    return torch.einsum("...ij,...id->...jd", w, V), w
# %% mistake="no shift by the maximum" style="exp by hand" of="scores from Q and V"
# -     w = torch.softmax(Q @ V.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1)
# +     e = (Q @ K.mT / K.shape[-1] ** 0.5).exp()
# +     w = e / e.sum(-1, keepdim=True)
# %% mistake="no shift by the maximum" style="two exponentials" of="einsum, again"
# -     w = torch.einsum("...qd,...kd->...qk", Q, K).softmax(-1)
# +     s = torch.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])
# +     w = torch.exp(s) / torch.exp(s).sum(dim=-1).unsqueeze(-1)
# %% mistake="one maximum for all rows" style="s.max()"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.max())
    w = e / e.sum(dim=-1, keepdim=True)
    return w @ V, w
# %% mistake="one maximum for all rows" style="torch.max, unsqueezed sum"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = torch.matmul(Q, K.transpose(-1, -2)) / K.size(-1) ** 0.5
    e = torch.exp(s - torch.max(s))
    w = e / torch.sum(e, -1).unsqueeze(-1)
    return torch.matmul(w, V), w
# %% mistake="broadcast along the wrong axis" style="sum without keepdim"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    w = e / e.sum(-1)
    return w @ V, w
# %% mistake="broadcast along the wrong axis" style="neither kept"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.max(dim=-1).values)
    w = e / e.sum(dim=-1)
    return w @ V, w
# %% mistake="results in the wrong order" style="weights first" of="weights times K"
# -     return w @ K, w
# +     return w, w @ V
# %% unlisted="output alone"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1) @ V
# %% unlisted="scores for weights"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.mT / K.shape[-1] ** 0.5
    return s.softmax(-1) @ V, s
# %% unlisted="dropout left on" of="weights times K"
# -     return w @ K, w
# +     return torch.nn.functional.dropout(w, 0.1) @ V, w
# %% unlisted="log-softmax" of="scores from Q and V"
# -     w = torch.softmax(Q @ V.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1)
# +     w = torch.log_softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
# %% unlisted="half precision"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    w = torch.softmax(Q.bfloat16() @ K.bfloat16().mT / K.shape[-1] ** 0.5, -1)
    return (w @ V.bfloat16()).float(), w.float()
# %% unlisted="causal without being asked" of="scores for weights"
# -     return s.softmax(-1) @ V, s
# +     w = s.masked_fill(torch.ones(s.shape).triu(1).bool(), -torch.inf).softmax(-1)
# +     return w @ V, w
# %% right="earlier answer"
def self_attention(X, W_Q, W_K, W_V):
    queries = X @ W_Q
    keys = X @ W_K
    values = X @ W_V
    output, weights = scaled_dot_product_attention(queries, keys, values)
    return output, weights
# %% right="through numpy"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (X.numpy() @ W.numpy() for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return weights @ V, weights
# %% right="linear layers"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (torch.nn.functional.linear(X, W.T) for W in (W_Q, W_K, W_V))
    weights = torch.softmax(Q @ K.T / np.sqrt(W_K.shape[1]), dim=1)
    return weights @ V, weights
# %% right="word by word"
def self_attention(X, W_Q, W_K, W_V):
    outputs, rows = [], []
    for x in X:
        scores = torch.tensor([float((x @ W_Q) @ (y @ W_K)) for y in X]) / W_K.shape[1] ** 0.5
        row = torch.softmax(scores, 0)
        rows.append(row)
        outputs.append(sum(w * (y @ W_V) for w, y in zip(row, X)))
    return torch.stack(outputs), torch.stack(rows)
# %% right="the matrices multiplied first"
def self_attention(X, W_Q, W_K, W_V):
    weights = (X @ (W_Q @ W_K.T) @ X.T / W_Q.shape[1] ** 0.5).softmax(dim=-1)
    return (weights @ X) @ W_V, weights
# %% mistake="one projection for Q, K and V" style="W_Q for all"
def self_attention(X, W_Q, W_K, W_V):
    Q = K = V = X @ W_Q
    return scaled_dot_product_attention(Q, K, V)
# %% mistake="Q, K or V in the wrong place" style="keys and values from W_K"
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_K)
# %% mistake="Q, K or V in the wrong place" style="arguments in another order"
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_K, X @ W_Q, X @ W_V)
# %% mistake="divided by the root of the wrong length" style="width of the words" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     weights = torch.softmax(Q @ K.T / X.shape[1] ** 0.5, dim=1)
# %% mistake="softmax over the queries" style="dim 0" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     weights = torch.softmax(Q @ K.T / K.shape[1] ** 0.5, dim=0)
# %% mistake="writes into its input" style="W_K scaled in place"
def self_attention(X, W_Q, W_K, W_V):
    W_K /= W_K.shape[1] ** 0.5
    weights = ((X @ W_Q) @ (X @ W_K).T).softmax(-1)
    return weights @ (X @ W_V), weights
# %% mistake="writes into its input" style="output added to X"
def self_attention(X, W_Q, W_K, W_V):
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    X *= 2
    return output, weights
# %% mistake="a projection left out" style="no projections"
def self_attention(X, W_Q, W_K, W_V): return scaled_dot_product_attention(X, X, X)
# %% mistake="a projection left out" style="values not projected"
def self_attention(X, W_Q, W_K, W_V): return scaled_dot_product_attention(X @ W_Q, X @ W_K, X)
# %% unlisted="matrices transposed"
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_Q.T, X @ W_K.T, X @ W_V.T)
# %% unlisted="added back to the words"
def self_attention(X, W_Q, W_K, W_V):
    V = X @ W_V
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, V)
    return output + V, weights
# %% unlisted="relu on the projections"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (torch.relu(X @ W) for W in (W_Q, W_K, W_V))
    return scaled_dot_product_attention(Q, K, V)
# %% unlisted="own matrices"
def self_attention(X, W_Q, W_K, W_V):
    torch.manual_seed(0)
    W_Q, W_K, W_V = (torch.randn(W.shape) for W in (W_Q, W_K, W_V))
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
# %% [markdown]
# ## From the wild
# %% right="keys.T and the width of the keys"
def self_attention(x, W_query, W_key, W_value):
    keys = x @ W_key
    queries = x @ W_query
    values = x @ W_value
    attn_scores = queries @ keys.T
    attn_weights = torch.softmax(attn_scores / keys.shape[-1]**0.5, dim=-1)
    context_vec = attn_weights @ values
    return context_vec, attn_weights
# %% mistake="divided by the root of the wrong length" style="C, the width of the words"
def self_attention(x, W_Q, W_K, W_V):
    T, C = x.shape
    q, k, v = x @ W_Q, x @ W_K, x @ W_V
    wei = q @ k.transpose(-2, -1) * C**-0.5
    wei = torch.nn.functional.softmax(wei, dim=-1)
    return wei @ v, wei
# %% right="one product for all three, split"
def self_attention(X, W_Q, W_K, W_V):
    q, k, v = (X @ torch.cat([W_Q, W_K, W_V], dim=1)).split([W_Q.shape[1], W_K.shape[1], W_V.shape[1]], dim=1)
    att = (q @ k.transpose(-2, -1)) * (1.0 / np.sqrt(k.size(-1)))
    att = torch.nn.functional.softmax(att, dim=-1)
    return att @ v, att
# %% mistake="a projection left out" style="only queries and keys are projected"
def self_attention(X, W_Q, W_K, W_V):
    Q, K = X @ W_Q, X @ W_K
    weights = torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1)
    return weights @ X, weights
# %% unlisted="softmax(dim=0), keys in rows" true="softmax over the queries"
def self_attention(X, W_Q, W_K, W_V):
    keys, queries, values = X @ W_K, X @ W_Q, X @ W_V
    scores = queries @ keys.T
    weights = torch.softmax(scores / keys.shape[1] ** 0.5, dim=0)
    context = torch.zeros(len(X), values.shape[1])
    for i in range(len(X)):
        context[i] = weights[i] @ values
    return context, weights
# %% [markdown]
# ## Clumsy halves
# %% unlisted="projections done, the rest a TODO"
def self_attention(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    raise NotImplementedError("TODO: the softmax")
# %% unlisted="misspelt helper"
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_atention(X @ W_Q, X @ W_K, X @ W_V)
# %% unlisted="one projection, no scale" true="one projection for Q, K and V; not divided by √d_k"
def self_attention(X, W_Q, W_K, W_V):
    Q = K = V = X @ W_K
    weights = torch.softmax(Q @ K.T, dim=-1)
    return weights @ V, weights
# %% unlisted="matrices called"
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(W_Q(X), W_K(X), W_V(X))
# %% unlisted="matrix first"
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(W_Q @ X, W_K @ X, W_V @ X)
# %% mistake="divided by the root of the wrong length" style="the notes' √16 kept" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     weights = torch.softmax(Q @ K.T / np.sqrt(16), dim=-1)
# %% mistake="divided by the wrong power of d_k" style="scaled here and in the function called"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    return scaled_dot_product_attention(Q / K.shape[1] ** 0.5, K, V)
# %% mistake="large scores cut to a limit" style="clamped before the exponentials"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    e = torch.exp((Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5).clamp(-80, 80))
    weights = e / e.sum(-1, keepdim=True)
    return weights @ V, weights
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="bilinear form, (X W_Q)(X W_K)ᵀ written as X (W_Q W_Kᵀ) Xᵀ"
import math
def self_attention(X, W_Q, W_K, W_V):
    bilinear = W_Q @ W_K.T / math.sqrt(W_K.shape[1])
    weights = (X @ bilinear @ X.T).softmax(dim=1)
    return weights @ (X @ W_V), weights
# %% right="F.linear with transposed weights and a loop over the words"
import torch.nn.functional as F

def self_attention(X, W_Q, W_K, W_V):
    asks, offers, gives = [F.linear(X, M.t()) for M in (W_Q, W_K, W_V)]
    rows = []
    for ask in asks:
        rows.append(F.softmax(offers.mv(ask) / offers.shape[1] ** 0.5, dim=0))
    weights = torch.stack(rows)
    return weights.mm(gives), weights
# %% mistake="divided by the root of the wrong length" style="divided by the root of the wrong length, written blind"
def self_attention(X, W_Q, W_K, W_V):
    n_words, d_k = X.shape
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.transpose(-2, -1)
    if d_k > 1:
        scores = scores / d_k ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights @ V, weights
# %% unlisted="not divided by √d_k; Q, K or V in the wrong place (weights @ X)" true="not divided by √d_k; Q, K or V in the wrong place"
def self_attention(X, W_Q, W_K, W_V):
    Q = torch.matmul(X, W_Q)
    K = torch.matmul(X, W_K)
    V = torch.matmul(X, W_V)
    scores = torch.zeros(len(X), len(X))
    for i in range(len(X)):
        for j in range(len(X)):
            scores[i, j] = torch.dot(Q[i], K[j])
    weights = torch.softmax(scores, dim=1)
    output = torch.matmul(weights, X)
    return output, weights
