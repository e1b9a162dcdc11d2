# %% crosses="of each mistake"
# not divided by √d_k -> every head's scaled
# divided by √d_model instead of √d_k -> every head's scaled
# queries and keys have changed places -> every head's scaled
# one letter for two axes -> (batch, num; every head
# one projection for two inputs -> every head's scaled
# divided by the wrong power of d_k -> every head's
# divided by the root of the wrong length -> every head's
# %% what_if="The queries of head 0 are all multiplied by 2 and its keys divided by 2. Which scores change?" because="None of them. Each score is a product of both, so the factors cancel. Only the product of the two matrices matters."
torch.manual_seed(0)
X, W_q, W_k = torch.randn(1, 3, 4), torch.randn(2, 4, 2), torch.randn(2, 4, 2)
factor = torch.tensor([2.0, 1.0])[:, None, None]
print(torch.allclose(scores_of_heads(X, W_q, W_k), scores_of_heads(X, W_q * factor, W_k / factor), atol=1e-6))
# %% right="broadcast matrix products" buys="the heads get an axis, and matrix products stretch over it: plain @ all along"
def scores_of_heads(X, W_q, W_k):
    rows = X.unsqueeze(1)
    return (rows @ W_q) @ (rows @ W_k).mT / math.sqrt(W_k.shape[2])
# %% mistake="not divided by √d_k" style="broadcast, no scale"
def scores_of_heads(X, W_q, W_k):
    rows = X[:, None]
    return (rows @ W_q) @ (rows @ W_k).mT
# %% mistake="divided by √d_model instead of √d_k" style="the wrong axis of W_q"
def scores_of_heads(X, W_q, W_k):
    rows = X[:, None]
    return (rows @ W_q) @ (rows @ W_k).mT / math.sqrt(W_q.shape[1])
# %% mistake="queries and keys have changed places" style="K Qᵀ"
def scores_of_heads(X, W_q, W_k):
    rows = X[:, None]
    return (rows @ W_k) @ (rows @ W_q).mT / math.sqrt(W_q.shape[2])
# %% mistake="one projection for two inputs" style="W_q for both"
def scores_of_heads(X, W_q, W_k):
    Q = X[:, None] @ W_q
    return Q @ Q.mT / math.sqrt(W_q.shape[2])
# %% unlisted="heads summed"
def scores_of_heads(X, W_q, W_k):
    return torch.einsum("bnd,hdk,bme,hek->bnm", X, W_q, X, W_k) / W_q.shape[-1] ** 0.5
# %% mistake="divided by the wrong power of d_k" style="divided by d_k"
def scores_of_heads(X, W_q, W_k):
    return torch.einsum("bnd,hdk,bme,hek->bhnm", X, W_q, X, W_k) / W_q.shape[-1]
# %% mistake="divided by the root of the wrong length" style="len of the keys' matrices"
def scores_of_heads(X, W_q, W_k):
    rows = X[:, None]
    return (rows @ W_q) @ (rows @ W_k).mT / math.sqrt(len(W_k))
# %% mistake="divided by the root of the wrong length" style="as many as words"
def scores_of_heads(X, W_q, W_k):
    Q, K = (torch.einsum("bnd,hdk->bhnk", X, W) for W in (W_q, W_k))
    return Q @ K.transpose(2, 3) / K.shape[2] ** 0.5
# %% right="an identity in between" buys="between the two maps stands a matrix: the scale times an identity, or any other that is learned"
def scores_of_heads(X, W_q, W_k):
    scaled = torch.eye(W_q.shape[-1]) / math.sqrt(W_q.shape[-1])
    return torch.einsum("bid,hdk,kl,bje,hel->bhij", X, W_q, scaled, X, W_k)
# %% unlisted="the axis of the heads comes first"
def scores_of_heads(X, W_q, W_k):
    return torch.einsum("bnd,hdk,bme,hek->hbnm", X, W_q, X, W_k) / W_q.shape[-1] ** 0.5
# %% mistake="one letter for two axes" style="d for both inputs"
def scores_of_heads(X, W_q, W_k):
    return torch.einsum("bid,hdk,bjd,hdk->bhij", X, W_q, X, W_k) / math.sqrt(W_q.shape[2])
# %% mistake="one letter for two axes" style="n for queries and keys"
def scores_of_heads(X, W_q, W_k):
    Q = torch.einsum("bnd,hdk->bhnk", X, W_q)
    K = torch.einsum("bnd,hdk->bhnk", X, W_k)
    return torch.einsum("bhnk,bhnk->bhn", Q, K) / W_q.shape[-1] ** 0.5
