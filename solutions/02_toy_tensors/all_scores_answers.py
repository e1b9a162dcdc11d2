# %% crosses="of each mistake"
# not divided by √d_k -> the scores are
# divided by the root of the wrong length -> the scores are
# Q, K or V in the wrong place -> the scores are

# %% right="matrix products in a row"
def all_scores(X, W_Q, W_K):
    return X @ W_Q @ W_K.T @ X.mT / W_Q.shape[-1] ** 0.5
# %% right="einsum of two"
def all_scores(X, W_Q, W_K):
    return torch.einsum("bik,bjk->bij", X @ W_Q, X @ W_K) / np.sqrt(W_K.shape[-1])
# %% right="einsum, other letters, scaled before"
def all_scores(X, W_Q, W_K):
    return torch.einsum("...qm,mk,nk,...sn->...qs", X, W_Q * W_K.size(1) ** -0.5, W_K, X)
# %% right="step by step"
def all_scores(X, W_Q, W_K):
    Q = torch.matmul(X, W_Q)
    K = torch.matmul(X, W_K)
    return torch.bmm(Q, K.transpose(1, 2)) / K.shape[2] ** 0.5
# %% mistake="not divided by √d_k" style="matrix products"
def all_scores(X, W_Q, W_K):
    return X @ W_Q @ W_K.T @ X.mT
# %% mistake="not divided by √d_k" style="einsum"
def all_scores(X, W_Q, W_K):
    return torch.einsum("bxd,dk,ek,bye->bxy", X, W_Q, W_K, X)
# %% mistake="divided by the root of the wrong length" style="width of the words"
def all_scores(X, W_Q, W_K):
    return torch.einsum("bxd,dk,ek,bye->bxy", X, W_Q, W_K, X) / X.size(-1) ** 0.5
# %% mistake="divided by the root of the wrong length" style="number of words"
def all_scores(X, W_Q, W_K):
    return X @ W_Q @ W_K.T @ X.mT / np.sqrt(X.shape[1])
# %% mistake="Q, K or V in the wrong place" style="queries in the columns"
def all_scores(X, W_Q, W_K):
    return torch.einsum("bid,dk,ek,bje->bji", X, W_Q, W_K, X) / W_K.shape[1] ** 0.5
# %% mistake="Q, K or V in the wrong place" style="W_K before W_Q"
def all_scores(X, W_Q, W_K):
    return X @ W_K @ W_Q.T @ X.mT / W_K.shape[1] ** 0.5
# %% unlisted="the weights"
def all_scores(X, W_Q, W_K):
    return (X @ W_Q @ W_K.T @ X.mT / W_K.shape[1] ** 0.5).softmax(-1)
# %% unlisted="summed over the batch"
def all_scores(X, W_Q, W_K):
    return torch.einsum("bid,dk,ek,bje->ij", X, W_Q, W_K, X) / W_K.shape[1] ** 0.5
# %% unlisted="only each word with itself"
def all_scores(X, W_Q, W_K):
    return torch.einsum("bid,dk,ek,bie->bi", X, W_Q, W_K, X) / W_K.shape[1] ** 0.5
