# %% crosses="of each mistake"
# merged without a transpose -> (batch, n, d_model); three words, two
# heads stacked below each other -> (batch, n, d_model)
# columns dealt to the heads in turn -> three words, two
# writes into its input -> X stays as

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
# %% mistake="merged without a transpose" style="reshape at once"
def merge_heads(X):
    return X.reshape(X.size(0), X.size(2), -1)
# %% mistake="merged without a transpose" style="view at once"
def merge_heads(X):
    b, h, n, d = X.shape
    return X.contiguous().view(b, n, h * d)
# %% mistake="heads stacked below each other" style="flatten heads and words"
def merge_heads(X):
    return X.reshape(X.shape[0], -1, X.shape[-1])
# %% mistake="columns dealt to the heads in turn" style="interleaved"
def merge_heads(X):
    return torch.stack(X.unbind(1), dim=-1).flatten(-2)
# %% mistake="columns dealt to the heads in turn" style="wrong permutation"
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
# %% mistake="heads stacked below each other" style="transposed, then the wrong axes joined"
def merge_heads(X):
    X = X.transpose(1, 2)
    return X.reshape(X.shape[0], -1, X.shape[-1])
# %% [markdown]
# ## From the wild
# %% right="permute, contiguous, new shape" row="contiguous().view"
def merge_heads(X):
    X = X.permute(0, 2, 1, 3).contiguous()
    new_shape = X.size()[:-2] + (X.size(-2) * X.size(-1),)
    return X.view(new_shape)
# %% right="tuple of heads, concatenated" row="per-head lists"
def merge_heads(X):
    return torch.cat(tuple(X[:, i, :, :] for i in range(X.size(1))), 2)
# %% unlisted="view without contiguous"
def merge_heads(X):
    batch, heads, n, d = X.shape
    return X.transpose(1, 2).view(batch, n, heads * d)
# %% unlisted="B, T, C of four axes"
def merge_heads(X):
    B, T, C = X.size()
    return X.transpose(1, 2).contiguous().view(B, T, C)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="transposed, not merged"
def merge_heads(X):
    return X.transpose(1, 2)
# %% unlisted="calls itself"
def merge_heads(X):
    return merge_heads(X.transpose(1, 2))
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="unbind and cat"
def merge_heads(X):
    return torch.cat(X.unbind(dim=1), dim=-1)
# %% mistake="merged without a transpose" style="merged without a transpose, written blind"
def merge_heads(X):
    b, h, n, d = X.shape
    flat = X.flatten()
    return torch.stack([piece.reshape(n, h * d) for piece in flat.chunk(b)])
# %% right="copies every head's columns into a tensor of zeros"
def merge_heads(X):
    batch = X.shape[0]
    num_heads = X.shape[1]
    n = X.shape[2]
    d_head = X.shape[3]
    d_model = num_heads * d_head
    merged = torch.zeros(batch, n, d_model, dtype=X.dtype)
    for b in range(batch):
        for j in range(num_heads):
            start = j * d_head
            stop = start + d_head
            for word in range(n):
                merged[b, word, start:stop] = X[b, j, word]
    return merged
# %% unlisted="features of the heads interleaved instead of one head after the other; axis of length 1 lost" true="columns dealt to the heads in turn"
def merge_heads(X):
    batch, h, n, d = X.shape
    Y = X.permute(0, 2, 3, 1)
    Y = Y.contiguous()
    Y = Y.view(batch, n, d * h)
    Y = torch.squeeze(Y)
    return Y
