# %% crosses="of each mistake"
# merged without a transpose -> (batch, n, d_model); three words, two
# heads stacked below each other -> (batch, n, d_model)
# columns dealt to the heads in turn -> three words, two
# writes into its input -> X stays as

# %% what_if="The transpose is left out: the heads are flattened as they lie. Is the shape of the result still right, for 4 heads of width 2 and 4 words?" because="It is, because 4 heads and 4 words can be confused. But the numbers are different. Test with sizes that all differ, and the shape shows the mistake."
X = torch.arange(32.0).reshape(1, 4, 4, 2)
wrong = X.flatten(start_dim=2)
print(wrong.shape == merge_heads(X).shape, torch.equal(wrong, merge_heads(X)))
# %% right="concatenated" row="per-head lists" buys="it says what the word means: heads put beside each other"
def merge_heads(X):
    return torch.cat([X[:, j] for j in range(X.shape[1])], dim=-1)
# %% right="contiguous, view" row="contiguous().view" buys="it shows where the copy is made, which flatten makes in silence"
def merge_heads(X):
    batch, heads, n, width = X.shape
    return X.transpose(1, 2).contiguous().view(batch, n, heads * width)
# %% right="einsum" row="einsum"
def merge_heads(X):
    return torch.einsum('bhnd->bnhd', X).reshape(X.shape[0], X.shape[2], -1)
# %% right="permute, flatten" row="reshape" buys="all axes are named in their new order"
def merge_heads(X):
    return X.permute(0, 2, 1, 3).flatten(-2)
# %% mistake="merged without a transpose" style="reshape at once"
def merge_heads(X):
    return X.reshape(X.size(0), X.size(2), -1)
# %% mistake="heads stacked below each other" style="flatten heads and words"
def merge_heads(X):
    return X.reshape(X.shape[0], -1, X.shape[-1])
# %% mistake="columns dealt to the heads in turn" style="interleaved"
def merge_heads(X):
    return torch.stack(X.unbind(1), dim=-1).flatten(-2)
# %% mistake="writes into its input" style="emptied behind itself"
def merge_heads(X):
    out = torch.cat(X.unbind(1), -1)
    X.zero_()
    return out
# %% unlisted="added up"
def merge_heads(X):
    return X.sum(dim=1)
# %% unlisted="in reverse"
def merge_heads(X):
    return torch.cat(X.unbind(1)[::-1], -1)
# %% mistake="heads stacked below each other" style="transposed, then the wrong axes joined"
def merge_heads(X):
    X = X.transpose(1, 2)
    return X.reshape(X.shape[0], -1, X.shape[-1])
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="unbind and cat"
def merge_heads(X):
    return torch.cat(X.unbind(dim=1), dim=-1)
