# %% crosses="of each mistake"
# keys not transposed -> returns output and; the numbers are right, whatever; gradients reach Q
# one maximum for all rows ->
# broadcast along the wrong axis -> the numbers are right, whatever
# a constant instead of the input's size -> the numbers are right, whatever; the numbers are right for batches
# works for one rank only -> the numbers are right for batches
# axis of length 1 lost -> returns output and; the numbers are right for batches
# %% what_if="One key and its value are added a second time. How do the weights of the two equal keys compare, and with the weight before?" because="Equal keys have equal scores, so they get equal weights. Each of them gets less than the one key before, and both together more."
torch.manual_seed(0)
Q, K, V = torch.randn(1, 4), torch.randn(3, 4), torch.randn(3, 2)
twice = [0, 1, 2, 2]
print(scaled_dot_product_attention(Q, K, V)[1].round(decimals=2))
print(scaled_dot_product_attention(Q, K[twice], V[twice])[1].round(decimals=2))
# %% right="einsum" row="einsum" buys="q, k, d and v are written out, and the dots carry any number of batch axes along"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.einsum("...qd,...kd->...qk", Q / Q.size(-1) ** 0.5, K).softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, V), weights
# %% right="logsumexp and quarter powers, a list" row="d^−¼ on both sides"
def scaled_dot_product_attention(Q, K, V):
    root = K.size(-1) ** 0.25
    scores = torch.matmul(Q / root, (K / root).mT)
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    return [weights.matmul(V), weights]
# %% right="baddbmm" row="baddbmm"
def scaled_dot_product_attention(Q, K, V):
    batch = Q.shape[:-2]
    q, k, v = [x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V)]
    empty = torch.zeros(len(q), Q.shape[-2], K.shape[-2])
    scores = torch.baddbmm(empty, q, k.transpose(1, 2), alpha=K.shape[-1] ** -0.5)
    weights = torch.softmax(scores, dim=2)
    output = torch.bmm(weights, v)
    return output.reshape(*batch, *output.shape[1:]), weights.reshape(*batch, *weights.shape[1:])
# %% right="bmm for three axes, matmul otherwise" row="bmm"
import math
def scaled_dot_product_attention(Q, K, V):
    times = torch.bmm if Q.dim() == 3 else torch.matmul
    scores = times(Q, K.transpose(-1, -2)) / math.sqrt(K.size(-1))
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return times(weights, V), weights
# %% right="query by query, recursion over the batch" row="loops" buys="slow, but each line is one sentence of the definition"
def scaled_dot_product_attention(Q, K, V):
    if Q.dim() > 2:
        pairs = [scaled_dot_product_attention(q, k, v) for q, k, v in zip(Q, K, V)]
        return torch.stack([p[0] for p in pairs]), torch.stack([p[1] for p in pairs])
    weights = torch.zeros(len(Q), len(K))
    for i, q in enumerate(Q):
        weights[i] = torch.softmax(torch.stack([q.dot(k) for k in K]) / np.sqrt(len(q)), dim=0)
    return torch.stack([(row[:, None] * V).sum(dim=0) for row in weights]), weights
# %% right=".mT" row=".mT"
def scaled_dot_product_attention(Q, K, V):
    scores = Q.matmul(K.mT).div(K.shape[-1] ** 0.5)
    weights = scores.softmax(dim=-1)
    return weights.matmul(V), weights
# %% right="the course's helper" row="the library's own SDPA where the text allows it"
def scaled_dot_product_attention(Q, K, V):
    return attention(Q, K, V)
# %% right="double precision" row="scaled Q"
def scaled_dot_product_attention(Q, K, V):
    Q, K, V = Q.double(), K.double(), V.double()
    scores = Q @ K.transpose(-2, -1) / torch.sqrt(torch.tensor(float(K.shape[-1])))
    weights = torch.softmax(scores, -1)
    return weights @ V, weights
# %% right="log-softmax and a namedtuple" buys="the logarithms could serve a loss, and the results have names"
from collections import namedtuple
import torch.nn.functional as F
Attention = namedtuple("Attention", "output weights")
def scaled_dot_product_attention(Q, K, V):
    weights = F.log_softmax(Q @ K.movedim(-1, -2) * K.shape[-1] ** -0.5, dim=-1).exp()
    return Attention(weights @ V, weights)
# %% mistake="not divided by √d_k" style="own softmax"
def scaled_dot_product_attention(Q, K, V):
    s = torch.matmul(Q, K.transpose(-1, -2))
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    w = e / e.sum(dim=-1, keepdim=True)
    return torch.matmul(w, V), w
# %% mistake="divided by the wrong power of d_k" style="by d_k"
def scaled_dot_product_attention(Q, K, V):
    d_k = K.size(-1)
    weights = torch.softmax((Q @ K.mT) / d_k, dim=-1)
    return weights @ V, weights
# %% mistake="divided by the wrong power of d_k" style="d ** 1 / 2"
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.transpose(-2, -1)
    scores = scores / (Q.shape[-1] ** 1 / 2)
    weights = scores.softmax(-1)
    return weights @ V, weights
# %% mistake="divided by the wrong power of d_k" style="multiplied"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
    return weights @ V, weights
# %% mistake="a constant instead of the input's size" style="d_k = 4 by default"
def scaled_dot_product_attention(Q, K, V, d_k=4):
    weights = torch.softmax(torch.matmul(Q, K.mT) / np.sqrt(d_k), dim=-1)
    return torch.matmul(weights, V), weights
# %% mistake="root of d_k cut to a whole number" style="int of the root"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.transpose(-2, -1) / int(K.shape[-1] ** 0.5), dim=-1)
    return weights @ V, weights
# %% mistake="divided by the root of the wrong length" style="number of keys"
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.transpose(-2, -1)
    weights = torch.softmax(scores / scores.size(-1) ** 0.5, dim=-1)
    return weights @ V, weights
# %% mistake="divided by the root of the wrong length" style="len(K)"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.mT / len(K) ** 0.5, dim=-1)
    return weights @ V, weights
# %% mistake="scaled after the softmax" style="weights divided"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.nn.functional.softmax(Q @ K.mT, dim=-1)
    weights = weights / K.shape[-1] ** 0.5
    return weights @ V, weights
# %% mistake="batch axis transposed" style="K.T"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1)
    return weights @ V, weights
# %% mistake="batch axis transposed" style="axes 0 and 1"
def scaled_dot_product_attention(Q, K, V):
    d_k = K.shape[-1]
    scores = torch.matmul(Q, torch.transpose(K, 0, 1)) / d_k ** 0.5
    attn = scores.softmax(dim=-1)
    return torch.matmul(attn, V), attn
# %% mistake="softmax over the queries" style="dim -2"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-2)
    return weights @ V, weights
# %% mistake="softmax over the wrong axis" style="no dim given"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.nn.functional.softmax(Q @ K.mT / K.shape[-1] ** 0.5)
    return weights @ V, weights
# %% mistake="softmax over the queries" style="dim 1"
import torch.nn as nn
attend = nn.Softmax(dim=1)
def scaled_dot_product_attention(Q, K, V):
    weights = attend(Q @ K.transpose(-1, -2) / K.shape[-1] ** 0.5)
    return weights @ V, weights
# %% mistake="softmax over the whole matrix" style="one sum"
def scaled_dot_product_attention(Q, K, V):
    e = torch.exp(Q @ K.mT / K.shape[-1] ** 0.5)
    w = e / e.sum()
    return w @ V, w
# %% mistake="softmax over the whole matrix" style="flattened"
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    w = s.flatten().softmax(0).view(s.shape)
    return w @ V, w
# %% mistake="softmax over the whole matrix" style="one sum a matrix"
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(dim=(-2, -1), keepdim=True))
    w = e / e.sum(dim=(-2, -1), keepdim=True)
    return w @ V, w
# %% mistake="Q, K or V in the wrong place" style="weights times K"
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w @ K, w
# %% mistake="Q, K or V in the wrong place" style="scores from Q and V"
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ V.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1)
    return w @ V, w
# %% mistake="Q, K or V in the wrong place" style="K against Q"
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(torch.matmul(K, Q.mT) / K.shape[-1] ** 0.5, dim=-1)
    return torch.matmul(w, V), w
# %% mistake="weights transposed" style="before V"
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w.mT @ V, w
# %% mistake="weights transposed" style="einsum letters"
def scaled_dot_product_attention(Q, K, V):
    w = (torch.einsum("...id,...jd->...ij", Q, K) / K.shape[-1] ** 0.5).softmax(-1)
    return torch.einsum("...ij,...id->...jd", w, V), w
# %% mistake="no shift by the maximum" style="two exponentials"
def scaled_dot_product_attention(Q, K, V):
    s = torch.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])
    w = torch.exp(s) / torch.exp(s).sum(dim=-1).unsqueeze(-1)
    return torch.einsum("...qk,...kd->...qd", w, V), w
# %% mistake="one maximum for all rows" style="s.max()"
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.max())
    w = e / e.sum(dim=-1, keepdim=True)
    return w @ V, w
# %% mistake="broadcast along the wrong axis" style="sum without keepdim"
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    w = e / e.sum(-1)
    return w @ V, w
# %% mistake="broadcast along the wrong axis" style="neither kept"
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.max(dim=-1).values)
    w = e / e.sum(dim=-1)
    return w @ V, w
# %% mistake="writes into its input" style="Q scaled in place"
def scaled_dot_product_attention(Q, K, V):
    Q /= K.shape[-1] ** 0.5
    w = (Q @ K.mT).softmax(-1)
    return w @ V, w
# %% unlisted="through numpy" true="gradient cut"
def scaled_dot_product_attention(Q, K, V):
    scores = np.asarray(Q @ K.mT) / K.shape[-1] ** 0.5
    weights = torch.tensor(softmax(scores, axis=-1))
    return weights @ V, weights
# %% mistake="gradient cut" style="no_grad"
def scaled_dot_product_attention(Q, K, V):
    with torch.no_grad():
        w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
        return w @ V, w
# %% mistake="results in the wrong order" style="weights first"
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w, w @ V
# %% mistake="keys not transposed" style="matmul of both"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(torch.matmul(Q, K) / K.size(-1) ** 0.5, -1)
    return torch.matmul(weights, V), weights
# %% mistake="keys not transposed" style="step by step, no transpose"
def scaled_dot_product_attention(Q, K, V):
    d_k = K.shape[-1]
    scores = Q @ K
    weights = (scores / d_k ** 0.5).softmax(dim=-1)
    return weights @ V, weights
# %% unlisted="output alone"
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1) @ V
# %% unlisted="scores for weights"
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    return s.softmax(-1) @ V, s
# %% unlisted="dropout left on"
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return torch.nn.functional.dropout(w, 0.1) @ V, w
# %% mistake="works for one rank only" style="matrices only"
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(torch.mm(Q, K.t()) / K.shape[1] ** 0.5, dim=1)
    return torch.mm(w, V), w
# %% unlisted="three axes at most"
def scaled_dot_product_attention(Q, K, V):
    equation = "bqd,bkd->bqk" if Q.dim() == 3 else "qd,kd->qk"
    w = torch.softmax(torch.einsum(equation, Q, K) / K.shape[-1] ** 0.5, dim=-1)
    return torch.matmul(w, V), w
# %% [markdown]
# ## From the wild
# %% mistake="works for one rank only" style="bmm, for a batch"
import math
def scaled_dot_product_attention(queries, keys, values):
    d = queries.shape[-1]
    scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
    attention_weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.bmm(attention_weights, values), attention_weights
# %% mistake="works for one rank only" style="sizes unpacked as B, T, C"
def scaled_dot_product_attention(Q, K, V):
    B, T, C = Q.shape
    wei = Q @ K.transpose(-2, -1) * C**-0.5
    wei = torch.softmax(wei, dim=-1)
    return wei @ V, wei
# %% mistake="divided by the root of the wrong length" style="the width of the values, as in GPT-2 models"
def scaled_dot_product_attention(query, key, value):
    attn_weights = torch.matmul(query, key.transpose(-1, -2))
    attn_weights = attn_weights / torch.full([], value.size(-1) ** 0.5, dtype=attn_weights.dtype)
    attn_weights = torch.nn.functional.softmax(attn_weights, dim=-1)
    return torch.matmul(attn_weights, value), attn_weights
# %% mistake="a constant instead of the input's size" style="a head of 64, as in BERT models"
import math
attention_head_size = 64
def scaled_dot_product_attention(query_layer, key_layer, value_layer):
    attention_scores = torch.matmul(query_layer, key_layer.transpose(-1, -2))
    attention_scores = attention_scores / math.sqrt(attention_head_size)
    attention_probs = torch.nn.Softmax(dim=-1)(attention_scores)
    return torch.matmul(attention_probs, value_layer), attention_probs
# %% [markdown]
# ## Clumsy halves
# %% unlisted="no scale, K.T" true="not divided by √d_k; batch axis transposed"
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.T, dim=-1)
    return weights @ V, weights
# %% mistake="a constant instead of the input's size" style="d_k a default of 3"
def scaled_dot_product_attention(Q, K, V, d_k=3):
    weights = torch.softmax(Q @ K.transpose(-2, -1) / d_k ** 0.5, dim=-1)
    return weights @ V, weights
# %% mistake="large scores cut to a limit" style="clamped before the exponentials"
def scaled_dot_product_attention(Q, K, V):
    e = torch.exp((Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5).clamp(-80, 80))
    weights = e / e.sum(-1, keepdim=True)
    return weights @ V, weights
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% mistake="works for one batch axis at most" style="works for one rank only, written blind"
def scaled_dot_product_attention(Q, K, V):
    if K.dim() == 2:
        Kt = K.t()
    else:
        Kt = K.transpose(1, 2)
    scores = torch.matmul(Q, Kt) / K.shape[-1] ** 0.5
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return torch.matmul(weights, V), weights
# %% unlisted="gradient cut; softmax over the queries" true="gradient cut; softmax over the queries"
def scaled_dot_product_attention(Q, K, V):
    q = Q.detach().numpy()
    k = K.detach().numpy()
    v = V.detach().numpy()
    kt = np.swapaxes(k, -1, -2)
    scores = np.matmul(q, kt)
    scores = scores / np.sqrt(k.shape[-1])
    top = np.max(scores, axis=-2, keepdims=True)
    e = np.exp(scores - top)
    w = e / np.sum(e, axis=-2, keepdims=True)
    o = np.matmul(w, v)
    return torch.tensor(o), torch.tensor(w)
# %% mistake="axis of length 1 lost" style="squeezed"
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1)
    return (w @ V).squeeze(), w.squeeze()
# %% mistake="axis of length 1 lost" style="a batch made for all, and taken away from all"
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1)
    return (w @ V).squeeze(0), w.squeeze(0)
# %% mistake="Q, K or V in the wrong place" style="keys for values, values for keys"
def scaled_dot_product_attention(Q, V, K):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-1)
    return w @ V, w
# %% mistake="works for one rank only" style="two sizes for the keys"
def scaled_dot_product_attention(Q, K, V):
    n_k, d_k = K.shape
    w = torch.softmax(Q @ K.mT / d_k ** 0.5, dim=-1)
    return w @ V, w
# %% mistake="no shift by the maximum" style="zeros for what is no number"
def scaled_dot_product_attention(Q, K, V):
    e = (Q @ K.mT / K.shape[-1] ** 0.5).exp()
    w = torch.nan_to_num(e / e.sum(dim=-1, keepdim=True))
    return w @ V, w
# %% unlisted="two sentences, whatever comes"
def scaled_dot_product_attention(Q, K, V):
    if Q.dim() == 2:
        w = torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1)
        return w @ V, w
    both = [scaled_dot_product_attention(Q[i], K[i], V[i]) for i in range(2)]
    return torch.stack([one for one, _ in both]), torch.stack([w for _, w in both])
# %% mistake="exponential missing" style="scores by their sum"
def scaled_dot_product_attention(Q, K, V):
    scores = torch.matmul(Q, K.mT) / K.size(-1) ** 0.5
    weights = scores / torch.sum(scores, -1, keepdim=True)
    return weights @ V, weights
# %% mistake="only the best key counts" style="one hot"
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.transpose(-1, -2) / K.shape[-1] ** 0.5
    best = scores.max(dim=-1, keepdim=True).indices
    weights = torch.zeros_like(scores).scatter(-1, best, 1.0)
    return weights @ V, weights
# %% mistake="weights returned without the values" style="the weights alone"
def scaled_dot_product_attention(Q, K, V):
    d_k = K.shape[-1]
    return torch.softmax(Q @ K.mT / d_k ** 0.5, dim=-1)
