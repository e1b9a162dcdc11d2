# %% right="scipy"
from scipy.special import softmax
def softmax_rows(scores): return softmax(scores, axis=1)
# %% right="loop"
def softmax_rows(scores):
    out = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        e = np.exp(row - max(row))
        out[i] = e / sum(e)
    return out
# %% mistake="one maximum for all rows" style="np.max"
def softmax_rows(scores):
    e = np.exp(scores - np.max(scores))
    return e / e.sum(axis=1, keepdims=True)
# %% mistake="one maximum for all rows" style="transposed division"
def softmax_rows(scores):
    e = np.exp(scores - scores.max())
    return (e.T / e.sum(axis=1)).T
# %% mistake="no shift by the maximum" style="exp"
def softmax_rows(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1)[:, None]
# %% mistake="no shift by the maximum" style="loop, again"
def softmax_rows(scores):
    return np.array([np.exp(r) / np.exp(r).sum() for r in scores])
# %% mistake="softmax over the whole matrix" style="one sum"
def softmax_rows(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()
# %% mistake="softmax over the whole matrix" style="scipy, axis None"
from scipy.special import softmax
def softmax_rows(scores): return softmax(scores)
# %% mistake="softmax over the wrong axis" style="axis 0"
def softmax_rows(scores):
    e = np.exp(scores - scores.max(0))
    return e / e.sum(0)
# %% mistake="softmax over the wrong axis" style="scipy, again"
from scipy.special import softmax
def softmax_rows(scores): return softmax(scores, axis=0)
# %% mistake="broadcast along the wrong axis" style="neither kept"
def softmax_rows(scores):
    e = np.exp(scores - scores.max(axis=1))
    return e / e.sum(axis=1)
# %% mistake="broadcast along the wrong axis" style="sum not kept"
def softmax_rows(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / np.sum(e, axis=1)
# %% unlisted="no exp"
def softmax_rows(scores): return scores / scores.sum(axis=1, keepdims=True)
# %% unlisted="nothing returned"
def softmax_rows(scores): np.exp(scores)
# %% mistake="writes into its input" style="in place"
def softmax_rows(scores):
    scores -= scores.max(axis=1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=1, keepdims=True)
# %% mistake="writes into its input" style="exponential written back"
def softmax_rows(scores):
    scores -= scores.max(axis=1, keepdims=True)
    np.exp(scores, out=scores)
    return scores / scores.sum(axis=1, keepdims=True)
# %% [markdown]
# ## From the wild
# %% right="torch, dim=-1"
def softmax_rows(scores):
    return torch.softmax(torch.tensor(scores), dim=-1).numpy()
# %% unlisted="a thread's softmax for columns" true="softmax over the wrong axis; one maximum for all rows"
def softmax_rows(x):
    e_x = np.exp(x - np.max(x))
    return e_x / e_x.sum(axis=0)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="shifted, and the division is a TODO"
def softmax_rows(scores):
    kernel = np.exp(scores - scores.max(axis=-1, keepdims=True))
    raise NotImplementedError
# %% unlisted="keepdim as in torch"
def softmax_rows(scores):
    kernel = np.exp(scores - scores.max(axis=-1, keepdim=True))
    return kernel / kernel.sum(axis=-1, keepdim=True)
