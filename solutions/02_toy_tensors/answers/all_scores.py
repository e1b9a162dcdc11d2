# %% what_if="W_Q and W_K are the same matrix. What do you see in the scores of a sentence with itself?" because="The score of query i and key j is then the same product as that of query j and key i. So the matrix of scores is symmetric, and each word looks at another as much as it is looked at, before the softmax."
torch.manual_seed(0)
X, W = torch.randn(1, 3, 4), torch.randn(4, 2)
scores = all_scores(X, W, W)
print(torch.allclose(scores, scores.mT))
# %% right="einsum of two" buys="queries and keys stand side by side, and the letters say over which axis they meet"
def all_scores(X, W_Q, W_K):
    return torch.einsum("bik,bjk->bij", X @ W_Q, X @ W_K) / np.sqrt(W_K.shape[-1])
# %% mistake="not divided by √d_k" style="matrix products"
def all_scores(X, W_Q, W_K):
    return X @ W_Q @ W_K.T @ X.mT
# %% mistake="divided by the root of the wrong length" style="number of words"
def all_scores(X, W_Q, W_K):
    return X @ W_Q @ W_K.T @ X.mT / np.sqrt(X.shape[1])
# %% mistake="Q, K or V in the wrong place" style="queries in the columns"
def all_scores(X, W_Q, W_K):
    return torch.einsum("bid,dk,ek,bje->bji", X, W_Q, W_K, X) / W_K.shape[1] ** 0.5
# %% unlisted="the weights"
def all_scores(X, W_Q, W_K):
    return (X @ W_Q @ W_K.T @ X.mT / W_K.shape[1] ** 0.5).softmax(-1)
# %% unlisted="summed over the batch"
def all_scores(X, W_Q, W_K):
    return torch.einsum("bid,dk,ek,bje->ij", X, W_Q, W_K, X) / W_K.shape[1] ** 0.5
# %% mistake="divided by the wrong power of d_k" style="by d_k"
def all_scores(X, W_Q, W_K):
    return X @ W_Q @ (X @ W_K).mT / W_Q.shape[-1]
# %% mistake="a constant instead of the input's size" style="the notes' √16"
def all_scores(X, W_Q, W_K):
    return X @ W_Q @ (X @ W_K).mT / 16 ** 0.5
# %% mistake="batch axis transposed" style=".T"
def all_scores(X, W_Q, W_K):
    queries, keys = X @ W_Q, X @ W_K
    return queries @ keys.T / np.sqrt(keys.shape[-1])
