# %% crosses="of each mistake"
# view instead of transpose -> three words, two
# transpose missing -> (batch, num_heads, n
# columns dealt to the heads in turn -> three words, two
# writes into its input -> X stays as

# %% what_if="The course's answer is a view: no number was moved. You write a 0 into head 0 of the result; what happens to X?" because="The same number in X becomes 0, because both share their memory. That is why a view costs nothing, and why one should not write into it."
X = torch.ones(1, 2, 4)
split_heads(X, 2)[0, 0, 0, 0] = 0
print(X[0])
# %% right="chunks stacked" row="per-head lists" buys="no axes to swap: each head is cut out, and they are stacked"
def split_heads(X, num_heads):
    return torch.stack(X.chunk(num_heads, dim=-1), dim=1)
# %% right="reshape, permute, contiguous" row="reshape"
def split_heads(X, num_heads):
    return X.reshape(*X.shape[:2], num_heads, -1).permute(0, 2, 1, 3).contiguous()
# %% right="unflatten" row="unflatten" buys="the split has a name, and -1 works out the width of a head"
def split_heads(X, num_heads):
    return X.unflatten(-1, (num_heads, -1)).transpose(1, 2)
# %% right="rearrange" row="einops" buys="the shapes before and after stand in one text, b n (h d) and b h n d"
def split_heads(X, num_heads):
    from functorch.einops.rearrange import rearrange
    return rearrange(X, "b n (h d) -> b h n d", h=num_heads)
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
# %% mistake="transpose missing" style="no transpose at all"
def split_heads(X, num_heads):
    return X.view(X.size(0), X.size(1), num_heads, -1)
# %% mistake="columns dealt to the heads in turn" style="every num_heads-th column"
def split_heads(X, num_heads):
    return torch.stack([X[:, :, j::num_heads] for j in range(num_heads)], dim=1)
# %% mistake="writes into its input" style="doubled in place"
def split_heads(X, num_heads):
    parts = torch.stack(X.chunk(num_heads, dim=-1), dim=1)
    X.zero_()
    return parts
# %% unlisted="heads in reverse"
def split_heads(X, num_heads):
    return torch.stack(X.chunk(num_heads, dim=-1)[::-1], dim=1)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="transposed, and the result lost"
def split_heads(X, num_heads):
    batch, n, d_model = X.shape
    X.view(batch, n, num_heads, d_model // num_heads).transpose(1, 2)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="unflatten and movedim"
def split_heads(X, num_heads):
    return X.unflatten(2, (num_heads, -1)).movedim(2, 1)
