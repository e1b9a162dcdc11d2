# %% right="concatenated" row="per-head lists"
def merge_heads(X):
    return torch.cat([X[:, j] for j in range(X.shape[1])], dim=-1)
# %% right="contiguous, view" row="contiguous().view"
def merge_heads(X):
    batch, heads, n, width = X.shape
    return X.transpose(1, 2).contiguous().view(batch, n, heads * width)
# %% right="einsum" row="einsum"
def merge_heads(X):
    return torch.einsum('bhnd->bnhd', X).reshape(X.shape[0], X.shape[2], -1)
# %% right="permute, flatten" row="reshape"
def merge_heads(X):
    return X.permute(0, 2, 1, 3).flatten(-2)
# %% right="unbind and hstack" row="per-head lists"
def merge_heads(X):
    return torch.cat(X.unbind(1), -1)
# %% mistake="merge without transpose" style="reshape at once"
def merge_heads(X):
    return X.reshape(X.size(0), X.size(2), -1)
# %% mistake="merge without transpose" style="view at once"
def merge_heads(X):
    b, h, n, d = X.shape
    return X.contiguous().view(b, n, h * d)
# %% mistake="merge without transpose" style="flatten heads and words"
def merge_heads(X):
    return X.reshape(X.shape[0], -1, X.shape[-1])
# %% mistake="every second column" style="interleaved"
def merge_heads(X):
    return torch.stack(X.unbind(1), dim=-1).flatten(-2)
# %% mistake="every second column" style="wrong permutation"
def merge_heads(X):
    return X.permute(0, 2, 3, 1).reshape(X.shape[0], X.shape[2], -1)
# %% mistake="writes into its input" style="emptied behind itself"
def merge_heads(X):
    out = torch.cat(X.unbind(1), -1)
    X.zero_()
    return out
# %% unlisted="added up"
def merge_heads(X):
    return X.sum(dim=1)
# %% unlisted="averaged"
def merge_heads(X):
    return X.float().mean(dim=1)
# %% unlisted="in reverse"
def merge_heads(X):
    return torch.cat(X.unbind(1)[::-1], -1)
# %% unlisted="the first head alone"
def merge_heads(X):
    return X[:, 0].repeat(1, 1, X.shape[1])
