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
# %% mistake="global shift" style="np.max"
def softmax_rows(scores):
    e = np.exp(scores - np.max(scores))
    return e / e.sum(axis=1, keepdims=True)
# %% mistake="global shift" style="transposed division"
def softmax_rows(scores):
    e = np.exp(scores - scores.max())
    return (e.T / e.sum(axis=1)).T
# %% mistake="overflow" style="exp"
def softmax_rows(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1)[:, None]
# %% mistake="overflow" style="loop, again"
def softmax_rows(scores):
    return np.array([np.exp(r) / np.exp(r).sum() for r in scores])
# %% mistake="whole matrix" style="one sum"
def softmax_rows(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()
# %% mistake="whole matrix" style="scipy, axis None"
from scipy.special import softmax
def softmax_rows(scores): return softmax(scores)
# %% mistake="wrong axis" style="axis 0"
def softmax_rows(scores):
    e = np.exp(scores - scores.max(0))
    return e / e.sum(0)
# %% mistake="wrong axis" style="scipy, again"
from scipy.special import softmax
def softmax_rows(scores): return softmax(scores, axis=0)
# %% mistake="broadcast" style="neither kept"
def softmax_rows(scores):
    e = np.exp(scores - scores.max(axis=1))
    return e / e.sum(axis=1)
# %% mistake="broadcast" style="sum not kept"
def softmax_rows(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / np.sum(e, axis=1)
# %% unlisted="no exp"
def softmax_rows(scores): return scores / scores.sum(axis=1, keepdims=True)
# %% unlisted="nothing returned"
def softmax_rows(scores): np.exp(scores)
# %% unlisted="in place"
def softmax_rows(scores):
    scores -= scores.max(axis=1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=1, keepdims=True)
