# %% crosses="of each mistake"
# view instead of transpose -> three words, two
# transpose missing -> (batch, num_heads, n
# columns dealt to the heads in turn -> three words, two
# writes into its input -> X stays as

# %% right="chunks stacked" row="per-head lists"
def split_heads(X, num_heads):
    return torch.stack(X.chunk(num_heads, dim=-1), dim=1)
# %% right="reshape, permute, contiguous" row="reshape"
def split_heads(X, num_heads):
    return X.reshape(*X.shape[:2], num_heads, -1).permute(0, 2, 1, 3).contiguous()
# %% right="unflatten" row="unflatten"
def split_heads(X, num_heads):
    return X.unflatten(-1, (num_heads, -1)).transpose(1, 2)
# %% right="rearrange" row="einops"
def split_heads(X, num_heads):
    from functorch.einops.rearrange import rearrange
    return rearrange(X, "b n (h d) -> b h n d", h=num_heads)
# %% right="slices" row="per-head lists"
def split_heads(X, num_heads):
    width = X.shape[2] // num_heads
    return torch.stack([X[:, :, j * width : (j + 1) * width] for j in range(num_heads)], dim=1)
# %% right="einsum to swap axes" row="einsum"
def split_heads(X, num_heads):
    return torch.einsum('bnhd->bhnd', X.view(*X.shape[:2], num_heads, -1))
# %% right="filled by hand" row="loops"
def split_heads(X, num_heads):
    batch, n, d_model = X.shape
    d = d_model // num_heads
    out = torch.empty(batch, num_heads, n, d, dtype=X.dtype)
    for j in range(num_heads):
        out[:, j] = X[..., j * d:j * d + d]
    return out
# %% mistake="view instead of transpose" style="view in the final shape"
def split_heads(X, num_heads):
    return X.view(X.size(0), num_heads, X.size(1), X.size(2) // num_heads)
# %% mistake="view instead of transpose" style="reshape with −1"
def split_heads(X, num_heads):
    return torch.reshape(X, (len(X), num_heads, -1, X.shape[-1] // num_heads))
# %% mistake="transpose missing" style="no transpose at all"
def split_heads(X, num_heads):
    return X.view(X.size(0), X.size(1), num_heads, -1)
# %% mistake="columns dealt to the heads in turn" style="every num_heads-th column"
def split_heads(X, num_heads):
    return torch.stack([X[:, :, j::num_heads] for j in range(num_heads)], dim=1)
# %% mistake="columns dealt to the heads in turn" style="width first"
def split_heads(X, num_heads):
    return X.view(*X.shape[:2], -1, num_heads).permute(0, 3, 1, 2)
# %% mistake="writes into its input" style="doubled in place"
def split_heads(X, num_heads):
    parts = torch.stack(X.chunk(num_heads, dim=-1), dim=1)
    X.zero_()
    return parts
# %% unlisted="heads last"
def split_heads(X, num_heads):
    return X.view(*X.shape[:2], num_heads, -1).permute(0, 1, 3, 2)
# %% unlisted="heads in front of the batch"
def split_heads(X, num_heads):
    return torch.stack(X.chunk(num_heads, dim=-1))
# %% unlisted="heads in reverse"
def split_heads(X, num_heads):
    return torch.stack(X.chunk(num_heads, dim=-1)[::-1], dim=1)
# %% unlisted="folded into the batch"
def split_heads(X, num_heads):
    return torch.cat(X.chunk(num_heads, dim=-1), dim=0)
# %% unlisted="words split, not features"
def split_heads(X, num_heads):
    return torch.stack(X.chunk(num_heads, dim=1), dim=1)
# %% mistake="transpose missing" style="reshape, heads behind the words"
def split_heads(X, num_heads):
    batch, n, d_model = X.shape
    heads = X.reshape(batch, n, num_heads, d_model // num_heads)
    return heads
# %% [markdown]
# ## From the wild
# %% right="transpose_for_scores" row="reshape"
def split_heads(X, num_heads):
    new_x_shape = X.size()[:-1] + (num_heads, X.size(-1) // num_heads)
    X = X.view(new_x_shape)
    return X.permute(0, 2, 1, 3)
# %% right="reshape with −1, transpose" row="reshape"
def split_heads(X, num_heads):
    depth = X.shape[-1] // num_heads
    x = torch.reshape(X, (X.shape[0], -1, num_heads, depth))
    return torch.permute(x, dims=[0, 2, 1, 3])
# %% unlisted="transpose_qkv, heads folded into the batch"
def split_heads(X, num_heads):
    X = X.reshape(X.shape[0], X.shape[1], num_heads, -1)
    X = X.permute(0, 2, 1, 3)
    return X.reshape(-1, X.shape[2], X.shape[3])
# %% unlisted="view for words that come first"
def split_heads(X, num_heads):
    bsz, tgt_len, embed_dim = X.shape
    q = X.contiguous().view(tgt_len, bsz * num_heads, embed_dim // num_heads)
    return q.transpose(0, 1)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="a width with a fraction"
def split_heads(X, num_heads):
    batch, n, d_model = X.shape
    return X.view(batch, n, num_heads, d_model / num_heads).transpose(1, 2)
# %% unlisted="transposed, and the result lost"
def split_heads(X, num_heads):
    batch, n, d_model = X.shape
    X.view(batch, n, num_heads, d_model // num_heads).transpose(1, 2)
# %% mistake="transpose missing" style="transposed, but the first view returned"
def split_heads(X, num_heads):
    batch, n, d_model = X.shape
    parts = X.view(batch, n, num_heads, d_model // num_heads)
    parts.transpose(1, 2)
    return parts
# %% unlisted="the wrong two axes"
def split_heads(X, num_heads):
    batch, n, d_model = X.shape
    return X.view(batch, n, num_heads, d_model // num_heads).transpose(2, 3)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="unflatten and movedim"
def split_heads(X, num_heads):
    return X.unflatten(2, (num_heads, -1)).movedim(2, 1)
# %% mistake="view instead of transpose" style="view instead of transpose, written blind"
def split_heads(X, num_heads):
    batch, n, d_model = X.size()
    if num_heads == 1:
        return X[:, None]
    d_head, rest = divmod(d_model, num_heads)
    assert rest == 0
    return X.contiguous().view(batch, num_heads, n, d_head)
# %% unlisted="columns dealt out in turn" true="columns dealt to the heads in turn"
def split_heads(X, num_heads):
    heads = []
    for j in range(num_heads):
        part = X[:, :, j::num_heads]
        heads.append(part)
    out = torch.stack(heads)
    out = out.permute(1, 0, 2, 3)
    return out.squeeze()
