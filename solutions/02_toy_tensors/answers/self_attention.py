# %% crosses="of each mistake"
# keys or values made from the queries -> returns output and; every word's weights; the example with
# keys not transposed -> returns output and; the example with
# one maximum for all rows ->
# broadcast along the wrong axis -> every word's weights; the example with
# divided by the root of the wrong length -> the example with; the numbers are right for other
# exponential missing -> every word's weights; the example with
# %% what_if="The rows of X, the words, are put in another order. What happens to the output?" because="Self-attention does not know the places of the words. So the rows of the output change places with the words, and their numbers stay the same."
torch.manual_seed(0)
X, W_Q, W_K, W_V = torch.randn(3, 4), torch.randn(4, 4), torch.randn(4, 4), torch.randn(4, 2)
order = [2, 0, 1]
output, moved = self_attention(X, W_Q, W_K, W_V)[0], self_attention(X[order], W_Q, W_K, W_V)[0]
print(torch.allclose(output[order], moved, atol=1e-6))
# %% right="logsumexp and quarter powers, a list" buys="the scores stay small from the first product on"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    root = K.size(-1) ** 0.25
    scores = torch.matmul(Q / root, (K / root).mT)
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    return [weights.matmul(V), weights]
# %% right=".mT" buys=".mT transposes the last two axes whatever stands before them"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q.matmul(K.mT).div(K.shape[-1] ** 0.5)
    weights = scores.softmax(dim=-1)
    return weights.matmul(V), weights
# %% right="double precision" buys="fifteen digits where seven would do: to compare two ways of computing, not to train"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    Q, K, V = Q.double(), K.double(), V.double()
    scores = Q @ K.transpose(-2, -1) / torch.sqrt(torch.tensor(float(K.shape[-1])))
    weights = torch.softmax(scores, -1)
    return weights @ V, weights
# %% mistake="keys not transposed" style="three products and a softmax"
def self_attention(X, W_Q, W_K, W_V):
    queries, keys, values = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.softmax(queries @ keys / keys.shape[-1] ** 0.5, dim=-1)
    return weights @ values, weights
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
# %% mistake="divided by the root of the wrong length" style="number of keys" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     scores = Q @ K.transpose(-2, -1)
# +     weights = torch.softmax(scores / scores.size(-1) ** 0.5, dim=-1)
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
# %% mistake="weights transposed" style="before V"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w.mT @ V, w
# %% mistake="no shift by the maximum" style="two exponentials"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = torch.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])
    w = torch.exp(s) / torch.exp(s).sum(dim=-1).unsqueeze(-1)
    return torch.einsum("...qk,...kd->...qd", w, V), w
# %% mistake="one maximum for all rows" style="s.max()"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.max())
    w = e / e.sum(dim=-1, keepdim=True)
    return w @ V, w
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
# %% mistake="results in the wrong order" style="weights first" of="before V"
# -     return w.mT @ V, w
# +     return w, w @ V
# %% mistake="keys or values made from the queries" style="one after the other"
def self_attention(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = Q @ W_K
    V = Q @ W_V
    return scaled_dot_product_attention(Q, K, V)
# %% mistake="keys or values made from the queries" style="values of the queries"
def self_attention(X, W_Q, W_K, W_V):
    queries, keys = torch.matmul(X, W_Q), torch.matmul(X, W_K)
    return scaled_dot_product_attention(queries, keys, torch.matmul(queries, W_V))
# %% unlisted="output alone"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1) @ V
# %% unlisted="scores for weights"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.mT / K.shape[-1] ** 0.5
    return s.softmax(-1) @ V, s
# %% unlisted="dropout left on" of="weights first"
# -     return w, w @ V
# +     return torch.nn.functional.dropout(w, 0.1) @ V, w
# %% mistake="one projection for Q, K and V" style="W_Q for all"
def self_attention(X, W_Q, W_K, W_V):
    Q = K = V = X @ W_Q
    return scaled_dot_product_attention(Q, K, V)
# %% mistake="divided by the root of the wrong length" style="width of the words" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     weights = torch.softmax(Q @ K.T / X.shape[1] ** 0.5, dim=1)
# %% mistake="writes into its input" style="W_K scaled in place"
def self_attention(X, W_Q, W_K, W_V):
    W_K /= W_K.shape[1] ** 0.5
    weights = ((X @ W_Q) @ (X @ W_K).T).softmax(-1)
    return weights @ (X @ W_V), weights
# %% mistake="a projection left out" style="no projections"
def self_attention(X, W_Q, W_K, W_V): return scaled_dot_product_attention(X, X, X)
# %% mistake="a projection left out" style="values not projected"
def self_attention(X, W_Q, W_K, W_V): return scaled_dot_product_attention(X @ W_Q, X @ W_K, X)
# %% unlisted="relu on the projections"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (torch.relu(X @ W) for W in (W_Q, W_K, W_V))
    return scaled_dot_product_attention(Q, K, V)
# %% [markdown]
# ## From the wild
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
# %% mistake="a constant instead of the input's size" style="the notes' √16 kept" of="multiplied"
# -     weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
# +     weights = torch.softmax(Q @ K.T / np.sqrt(16), dim=-1)
# %% mistake="large scores cut to a limit" style="clamped before the exponentials"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    e = torch.exp((Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5).clamp(-80, 80))
    weights = e / e.sum(-1, keepdim=True)
    return weights @ V, weights
# %% mistake="root of d_k cut to a whole number" style="isqrt"
import math
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.softmax(Q @ K.T / math.isqrt(K.shape[1]), dim=-1)
    return weights @ V, weights
# %% mistake="axis of length 1 lost" style="squeezed"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.softmax(Q @ K.T / K.shape[1] ** 0.5, dim=-1)
    return (weights @ V).squeeze(), weights.squeeze()
# %% unlisted="the last word is not asked for the maximum"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.T / K.shape[1] ** 0.5
    e = torch.exp(s - s[:, : max(1, len(X) - 1)].amax(dim=1, keepdim=True))
    weights = e / e.sum(dim=1, keepdim=True)
    return weights @ V, weights
# %% mistake="exponential missing" style="scores by their sum"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / K.shape[1] ** 0.5
    weights = scores / scores.sum(dim=1, keepdim=True)
    return weights @ V, weights
# %% mistake="only the best key counts" style="one hot"
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.eye(len(X))[(Q @ K.T).argmax(dim=1)]
    return weights @ V, weights
# %% mistake="weights returned without the values" style="the second result alone"
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)[1]
