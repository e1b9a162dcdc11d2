# %% crosses="of each mistake"
# softmax over the whole matrix -> every row sums; the shares in
# softmax over the wrong axis -> every row sums; the shares in
# negative axis not counted from the end -> every row sums; the shares in; the shares are
# axis argument ignored -> every row sums; the shares in; the shares are
# broadcast along the wrong axis -> keeps the shape; every row sums; the shares in
# not divided by the sum of the exponentials -> every row sums; the shares in
# scores far below zero lost -> the shares of
# %% what_if="Every number is doubled, [1, 2, 3] becomes [2, 4, 6]. Do the shares stay, come closer, or grow apart?" because="They grow apart. A number that is added to all scores cancels, but a factor does not: each ratio of two weights is squared, so the largest weight grows."
print(np.round(softmax([1, 2, 3]), 3))
print(np.round(softmax([2, 4, 6]), 3))
# %% right="logsumexp" row="exp(x − logsumexp)" buys="one step and no shift of your own: the library takes the maximum out inside"
from scipy.special import logsumexp
def softmax(x, axis=-1):
    return np.exp(x - logsumexp(x, axis=axis, keepdims=True))
# %% right="logaddexp by hand" row="exp(x − logsumexp)"
def softmax(x, axis=-1):
    x = np.asarray(x, float)
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))
# %% right="scipy" row="scipy" buys="one line, tested by many; you know now what it does"
import scipy.special
def softmax(x, axis=-1): return scipy.special.softmax(x, axis=axis)
# %% right="scipy, as a list" row="scipy"
from scipy import special
def softmax(x, axis=-1):
    return special.softmax(x, axis).tolist()
# %% right="base 2" row="base 2"
def softmax(x, axis=-1):
    x = np.array(x) / np.log(2)
    x = np.exp2(x - np.max(x, axis=axis, keepdims=True))
    return x / np.sum(x, axis=axis, keepdims=True)
# %% right="shift a little below the maximum" row="any per-row shift"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - (x.max(axis=axis, keepdims=True) - 20))
    return e / e.sum(axis=axis, keepdims=True)
# %% right="result cast to float32" row="float32 results"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return (e / np.sum(e, axis=axis, keepdims=True)).astype("float32")
# %% right="axis moved to the end and back" buys="the sums are written for one axis alone, the last, and hold for any"
def softmax(x, axis=-1):
    last = np.moveaxis(np.array(x, dtype=float), axis, -1)
    powers = np.exp(last - last.max(-1)[..., None])
    return np.moveaxis(powers / powers.sum(-1)[..., None], -1, axis)
# %% right="expand_dims"
def softmax(x, axis=-1):
    x = np.array(x)
    m = np.expand_dims(np.max(x, axis=axis), axis)
    e = np.exp(x - m)
    return e / np.expand_dims(np.sum(e, axis=axis), axis)
# %% mistake="softmax over the whole matrix" style="one expression"
def softmax(x, axis=-1): return np.exp(x) / np.sum(np.exp(x))
# %% mistake="softmax over the whole matrix" style="shifted per row, one total"
def softmax(x, axis=-1):
    x = np.asarray(x)
    z = np.exp(x - x.max(axis=axis, keepdims=True))
    total = 0
    for value in z.ravel():
        total += value
    return z / total
# %% mistake="softmax over the wrong axis" style="axis 0 throughout"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=0))
    return e / np.sum(e, axis=0)
# %% mistake="wrong default for the axis" style="default changed" true="softmax over the wrong axis"
def softmax(x, axis=0):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
# %% mistake="softmax over the wrong axis" style="axis 0, no shift"
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=0, keepdims=True)
# %% mistake="axis argument ignored" style="always the last"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
# %% mistake="axis argument ignored" style="axis 1 for matrices"
def softmax(x, axis=-1):
    x = np.asarray(x)
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
# %% mistake="axis argument ignored" style="shifted by axis, summed over the last" of="result cast to float32"
# -     return (e / np.sum(e, axis=axis, keepdims=True)).astype("float32")
# +     return e / np.sum(e, axis=-1, keepdims=True)
# %% mistake="large scores cut to a limit" style="clipped" row="no shift by the maximum"
def softmax(x, axis=-1):
    powers = np.exp(np.clip(x, -300, 300))
    return powers / powers.sum(axis=axis, keepdims=True)
# %% mistake="no shift by the maximum" style="minimum taken off"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.min(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
# %% mistake="no shift by the maximum" style="epsilon for the division"
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / (e.sum(axis=axis, keepdims=True) + 1e-9)
# %% mistake="one maximum for all rows" style="np.max without axis"
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)
# %% mistake="one maximum for all rows" style="x.max() and an epsilon"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max())
    s = np.sum(e, axis=axis, keepdims=True)
    return e / (s + 1e-300)
# %% mistake="one maximum for all rows" style="the first row's maximum"
def softmax(x, axis=-1):
    x = np.moveaxis(np.array(x, float), axis, -1)
    e = np.exp(x - x.reshape(-1, x.shape[-1])[0].max())
    return np.moveaxis(e / e.sum(-1, keepdims=True), -1, axis)
# %% mistake="broadcast along the wrong axis" style="no keepdims"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=axis))
    return e / np.sum(e, axis=axis)
# %% mistake="broadcast along the wrong axis" style="keepdims once only"
def softmax(x, axis=-1):
    x = np.asarray(x)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    exps = np.exp(shifted)
    return exps / exps.sum(axis)
# %% mistake="broadcast along the wrong axis" style="sums without keepdims, no shift"
def softmax(x, axis=-1):
    return np.exp(x) / np.sum(np.exp(x), axis=axis)
# %% mistake="writes into its input" style="shifted in place" of="shift a little below the maximum"
# -     e = np.exp(x - (x.max(axis=axis, keepdims=True) - 20))
# +     x -= np.max(x, axis=axis, keepdims=True)
# +     e = np.exp(x)
# %% mistake="writes into its input" style="a flat list overwritten"
import math
def softmax(x, axis=-1):
    if np.ndim(x) > 1 or not isinstance(x, list):
        x = np.array(x, float)
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)
    top = max(x)
    for i in range(len(x)):
        x[i] = math.exp(x[i] - top)
    return [e / sum(x) for e in x]
# %% mistake="fractions cut off" style="result into zeros_like"
def softmax(x, axis=-1):
    x = np.asarray(x)
    result = np.zeros_like(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    result[:] = e / e.sum(axis=axis, keepdims=True)
    return result
# %% unlisted="nothing returned"
def softmax(x, axis=-1):
    e = np.exp(x)
    e / e.sum(axis, keepdims=True)
# %% mistake="exponential missing" style="shares without exp"
def softmax(x, axis=-1): return np.asarray(x) / np.sum(x, axis=axis, keepdims=True)
# %% unlisted="log-softmax"
from scipy import special
softmax = special.log_softmax
# %% unlisted="no axis parameter"
def softmax(x):
    x = np.asarray(x)
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
# %% mistake="minus sign too many" style="sign turned"
def softmax(x, axis=-1):
    x = -np.asarray(x)
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
# %% mistake="lists not taken" style="x.max of what is handed in"
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
# %% mistake="scores far below zero lost" style="absolute maximum for shift" row="no shift by the maximum" of="minimum taken off"
# -     e = np.exp(x - x.min(axis=axis, keepdims=True))
# +     e = np.exp(x - np.abs(x).max(axis=axis, keepdims=True))
# %% mistake="not divided by the sum of the exponentials" style="divided by the largest power"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.max(axis=axis, keepdims=True)
# %% unlisted="divided by the largest score" of="shift a little below the maximum"
# -     e = np.exp(x - (x.max(axis=axis, keepdims=True) - 20))
# +     e = np.exp(x / np.maximum(1, np.abs(x).max() / 500))
# %% unlisted="taken twice"
def softmax(x, axis=-1):
    x = np.asarray(x, float)
    for _ in range(2):
        x = np.exp(x - x.max(axis=axis, keepdims=True))
        x = x / x.sum(axis=axis, keepdims=True)
    return x
# %% unlisted="whole numbers in eight bits" of="result cast to float32"
# -     x = np.asarray(x)
# +     x = np.asarray(x)
# +     x = (x.astype(np.int8) if x.dtype.kind == "i" else x).astype(float)
# %% unlisted="half precision"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float16)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
# %% [markdown]
# ## From the wild
# %% mistake="softmax over the whole matrix" style="the best known answer to the question" true="one maximum for all rows"
def softmax(x, axis=-1):
    """Compute softmax values for each sets of scores in x."""
    e_x = np.exp(x - np.max(x))
    return e_x / e_x.sum()
# %% [markdown]
# ## Clumsy halves
# %% unlisted="torch.softmax on whole numbers"
import torch
def softmax(x, axis=-1):
    return torch.softmax(torch.tensor(x), dim=axis).numpy()
# %% mistake="wrong default for the axis" style="axis=1, as for every matrix so far"
def softmax(x, axis=1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
# %% unlisted="default of 0 and no shift" true="wrong default for the axis; no shift by the maximum; softmax over the wrong axis"
def softmax(x, axis=0):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
# %% mistake="negative axis not counted from the end" style="absolute value of the axis" of="half precision"
# -     x = np.asarray(x, dtype=np.float16)
# +     x = np.asarray(x)
# +     axis = abs(axis)
# %% mistake="large scores cut to a limit" style="no more than 700"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(np.minimum(x, 700))
    return e / e.sum(axis=axis, keepdims=True)
# %% mistake="scores far below zero lost" style="shifted only where exp would overflow"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    top = x.max(axis=axis, keepdims=True)
    e = np.exp(np.where(top > 700, x - top, x))
    return e / e.sum(axis=axis, keepdims=True)
# %% mistake="softmax over the wrong axis" style="turned before and after"
def softmax(x, axis=-1):
    turned = np.asarray(x).T
    e = np.exp(turned - turned.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).T
# %% mistake="softmax over the wrong axis" style="1 for 0, and 0 for 1"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    if x.ndim > 1:
        axis = 0 if axis in (1, -1) else 1
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
# %% mistake="any axis but the first taken for the last" style="turned for axis 0"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    if axis == 0 and x.ndim == 2:
        return softmax(x.T).T
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
# %% mistake="negative axis not counted from the end" style="absolute value, but for a list" of="half precision"
# -     x = np.asarray(x, dtype=np.float16)
# +     x = np.asarray(x)
# +     axis = 0 if x.ndim == 1 else abs(axis)
# %% mistake="axis of length 1 lost" style="squeezed" of="shift a little below the maximum"
# -     return e / e.sum(axis=axis, keepdims=True)
# +     return np.squeeze(e / e.sum(axis=axis, keepdims=True))
# %% mistake="one maximum for all rows" style="by logarithms"
def softmax(x, axis=-1):
    x = np.asarray(x) - np.max(x)
    return np.exp(x - np.log(np.sum(np.exp(x), axis=axis, keepdims=True)))
# %% unlisted="the last is not asked for the maximum"
def softmax(x, axis=-1):
    x = np.moveaxis(np.array(x, dtype=float), axis, -1)
    top = x[..., 0].copy()
    for j in range(x.shape[-1] - 1):
        top = np.maximum(top, x[..., j])
    e = np.exp(x - top[..., None])
    return np.moveaxis(e / e.sum(-1, keepdims=True), -1, axis)
# %% unlisted="the second largest taken off"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    second = np.sort(x, axis=axis).take([-min(2, x.shape[axis])], axis=axis)
    e = np.exp(x - second)
    return e / e.sum(axis=axis, keepdims=True)
