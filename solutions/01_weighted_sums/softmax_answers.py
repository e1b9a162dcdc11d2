# %% crosses="of each mistake"
# softmax over the whole matrix -> every row sums; the shares in
# softmax over the wrong axis -> every row sums; the shares in
# wrong default for the axis -> every row sums; the shares in
# negative axis not counted from the end -> every row sums; the shares in
# axis argument ignored -> every row sums; the shares in; so they are
# no shift by the maximum -> the shares of
# one maximum for all rows -> rows thousands apart
# broadcast along the wrong axis -> keeps the shape; every row sums; the shares in
# writes into its input -> takes whole numbers; leaves x as
# fractions cut off -> takes whole numbers
# minus sign too many -> the shares in
# exponential missing -> every row sums; the shares in
# not divided by the sum of the exponentials -> every row sums; the shares in
# lists not taken ->
# large scores cut to a limit -> the shares of
# %% right="logsumexp" row="exp(x − logsumexp)"
from scipy.special import logsumexp
def softmax(x, axis=-1):
    return np.exp(x - logsumexp(x, axis=axis, keepdims=True))
# %% right="logaddexp by hand" row="exp(x − logsumexp)"
def softmax(x, axis=-1):
    x = np.asarray(x, float)
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))
# %% right="scipy" row="scipy"
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
# %% right="another shift" row="any per-row shift"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shift = np.amax(x, axis=axis, keepdims=True) + 3.5
    powers = np.exp(x - shift)
    return powers / powers.sum(axis=axis, keepdims=True)
# %% right="shift a little below the maximum" row="any per-row shift"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - (x.max(axis=axis, keepdims=True) - 20))
    return e / e.sum(axis=axis, keepdims=True)
# %% right="torch in single precision" row="float32 results"
import torch
def softmax(x, axis=-1):
    return torch.softmax(torch.tensor(np.asarray(x), dtype=torch.float32), dim=axis).numpy()
# %% right="result cast to float32" row="float32 results"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return (e / np.sum(e, axis=axis, keepdims=True)).astype("float32")
# %% right="slice by slice"
import math
def softmax(x, axis=-1):
    def one(row):
        powers = [math.exp(value - max(row)) for value in row]
        return np.array([power / sum(powers) for power in powers])
    return np.apply_along_axis(one, axis, np.asarray(x, dtype=float))
# %% right="axis moved to the end and back"
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
# %% right="in place in a copy"
def softmax(x, axis=-1):
    y = np.array(x, dtype=float)
    y -= y.max(axis=axis, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(axis=axis, keepdims=True)
    return y
# %% right="one over the sum of ratios"
def softmax(x, axis=-1):
    last = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    with np.errstate(over="ignore"):
        ratios = np.exp(last[..., None, :] - last[..., :, None])
    return np.moveaxis(1 / ratios.sum(-1), -1, axis)
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
# %% mistake="softmax over the whole matrix" style="flattened"
def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    flat = x.flatten()
    e = np.exp(flat - flat.max())
    return (e / e.sum()).reshape(x.shape)
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
# %% mistake="axis argument ignored" style="row by row in a loop"
def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    shape = x.shape
    rows = x.reshape(-1, shape[-1])
    out = []
    for row in rows:
        e = np.exp(row - row.max())
        out.append(e / e.sum())
    return np.array(out).reshape(shape)
# %% mistake="axis argument ignored" style="shifted by axis, summed over the last" of="result cast to float32"
# -     return (e / np.sum(e, axis=axis, keepdims=True)).astype("float32")
# +     return e / np.sum(e, axis=-1, keepdims=True)
# %% mistake="no shift by the maximum" style="no shift"
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)
# %% mistake="large scores cut to a limit" style="clipped" row="no shift by the maximum"
def softmax(x, axis=-1):
    powers = np.exp(np.clip(x, -300, 300))
    return powers / powers.sum(axis=axis, keepdims=True)
# %% mistake="no shift by the maximum" style="nan to num"
def softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(x, dtype=float))
        return np.nan_to_num(e / e.sum(axis=axis, keepdims=True), nan=1.0)
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
# %% mistake="one maximum for all rows" style="mended with nan_to_num"
def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    powers = np.exp(x - np.amax(x))
    return np.nan_to_num(powers / powers.sum(axis=axis, keepdims=True))
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
# %% mistake="fractions cut off" style="result into zeros_like"
def softmax(x, axis=-1):
    x = np.asarray(x)
    result = np.zeros_like(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    result[:] = e / e.sum(axis=axis, keepdims=True)
    return result
# %% mistake="writes into its input" style="exp with out=x"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    np.subtract(x, x.max(axis=axis, keepdims=True), out=x)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x
# %% unlisted="nothing returned"
def softmax(x, axis=-1):
    e = np.exp(x)
    e / e.sum(axis, keepdims=True)
# %% mistake="exponential missing" style="shares without exp"
def softmax(x, axis=-1): return np.asarray(x) / np.sum(x, axis=axis, keepdims=True)
# %% unlisted="log-softmax"
from scipy import special
softmax = special.log_softmax
# %% unlisted="sigmoid"
def softmax(x, axis=-1): return 1 / (1 + np.exp(-np.asarray(x, float)))
# %% unlisted="math.exp over a list"
import math
def softmax(x, axis=-1): return [math.exp(v) for v in x]
# %% unlisted="not numbers"
def softmax(x, axis=-1): return np.full_like(x, np.nan)
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
# %% unlisted="result transposed"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis, keepdims=True))
    return (e / e.sum(axis, keepdims=True)).T
# %% mistake="lists not taken" style="x.max of what is handed in"
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
# %% unlisted="base 2 without the factor" of="minimum taken off"
# -     e = np.exp(x - x.min(axis=axis, keepdims=True))
# +     e = 2.0 ** (x - x.max(axis=axis, keepdims=True))
# %% unlisted="winner takes all"
def softmax(x, axis=-1):
    x = np.asarray(x)
    top = (x == x.max(axis=axis, keepdims=True)) * 1.0
    return top / top.sum(axis=axis, keepdims=True)
# %% mistake="no shift by the maximum" style="absolute maximum for shift" of="minimum taken off"
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
# %% unlisted="half precision"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float16)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
# %% [markdown]
# ## From the wild
# %% right="SciPy's own source, shortened"
def softmax(x, axis=-1):
    x = np.asarray(x)
    x_max = np.amax(x, axis=axis, keepdims=True)
    exp_x_shifted = np.exp(x - x_max)
    return exp_x_shifted / np.sum(exp_x_shifted, axis=axis, keepdims=True)
# %% right="a temperature to spare"
def softmax(x, axis=-1, temperature=1.0):
    z = np.array(x, dtype=float) / temperature
    z = z - np.max(z, axis=axis, keepdims=True)
    numerator = np.exp(z)
    return np.true_divide(numerator, np.sum(numerator, axis=axis, keepdims=True))
# %% mistake="softmax over the whole matrix" style="the best known answer to the question" true="one maximum for all rows"
def softmax(x, axis=-1):
    """Compute softmax values for each sets of scores in x."""
    e_x = np.exp(x - np.max(x))
    return e_x / e_x.sum()
# %% mistake="softmax over the wrong axis" style="the second best known" true="one maximum for all rows" of="the best known answer to the question"
# -     return e_x / e_x.sum()
# +     return e_x / e_x.sum(axis=0)
# %% unlisted="three lines with a partition" true="axis argument ignored; no shift by the maximum"
def softmax(X, axis=-1):
    X_exp = np.exp(X)
    partition = X_exp.sum(1, keepdims=True)
    return X_exp / partition
# %% mistake="axis argument ignored" style="maxima reshaped to a column"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    orig_shape = x.shape
    if len(orig_shape) > 1:
        x = x - np.max(x, axis=1).reshape((-1, 1)) if len(orig_shape) == 2 else x - x.max(axis=1, keepdims=True)
        x = np.exp(x)
        return x / np.sum(x, axis=1, keepdims=True)
    x = np.exp(x - np.max(x))
    return x / np.sum(x)
# %% unlisted="one array of floats, as in C"
def softmax(x, axis=-1):
    max_val = x[0]
    for i in range(1, len(x)):
        if x[i] > max_val:
            max_val = x[i]
    total = 0.0
    out = [0.0] * len(x)
    for i in range(len(x)):
        out[i] = np.exp(x[i] - max_val)
        total += out[i]
    return [o / total for o in out]
# %% mistake="one maximum for all rows" style="the course notes' trick to be stable"
def softmax(f, axis=-1):
    f = np.array(f, dtype=float)
    f -= np.max(f)  # shift the values of f so that the highest number is 0
    p = np.exp(f)
    return p / np.sum(p, axis=axis, keepdims=True)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="a name that is nowhere"
def softmax(x, axis=-1):
    x = np.asarray(x)
    shifted = x - x.max(axis=axis, keepdims=True)
    return np.exp(shifted) / np.sum(exps, axis=axis, keepdims=True)
# %% unlisted="rows are done, the rest is to come"
def softmax(x, axis=-1):
    x = np.asarray(x)
    if x.ndim == 1 or axis == -1:
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)
    raise NotImplementedError("other axes: later")
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
# %% unlisted="keepdim with one letter too few"
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis=axis, keepdim=True))
    return e / e.sum(axis=axis, keepdim=True)
# %% mistake="fractions cut off" style="back to the type that came"
def softmax(x, axis=-1):
    x = np.asarray(x)
    kind = x.dtype
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return (e / e.sum(axis=axis, keepdims=True)).astype(kind)
# %% mistake="negative axis not counted from the end" style="absolute value of the axis" of="half precision"
# -     x = np.asarray(x, dtype=np.float16)
# +     x = np.asarray(x)
# +     axis = abs(axis)
# %% mistake="large scores cut to a limit" style="floats, clipped at 700"
def softmax(x, axis=-1):
    x = np.clip(np.asarray(x, dtype=float), -700, 700)
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)
# %% mistake="large scores cut to a limit" style="no more than 700"
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(np.minimum(x, 700))
    return e / e.sum(axis=axis, keepdims=True)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="logaddexp.reduce"
def softmax(x, axis=-1):
    z = np.array(x, dtype=float)
    z = z - np.maximum.reduce(z, axis=axis, keepdims=True)
    log_total = np.logaddexp.reduce(z, axis=axis, keepdims=True)
    return np.exp(z - log_total)
# %% right="moves the axis to the end, flattens, loops over the rows, base 2"
import math
def softmax(x, axis=-1):
    def one(row):
        shifted = [r - max(row) for r in row]
        powers = [2.0 ** (s * math.log2(math.e)) for s in shifted]
        total = math.fsum(powers)
        return [p / total for p in powers]

    arr = np.moveaxis(np.asarray(x, dtype=np.float64), axis, -1)
    rows = arr.reshape(-1, arr.shape[-1])
    done = np.array([one([float(t) for t in row]) for row in rows]).reshape(arr.shape)
    return np.moveaxis(done, -1, axis)
# %% mistake="one maximum for all rows" style="one maximum for all rows, written blind"
def softmax(x, axis=-1):
    a = np.asarray(x, dtype=float)
    if np.abs(a).max() > 500:          # only the dangerous case needs the trick
        a = a - a.max()
    e = np.exp(a)
    return e / np.sum(e, axis=axis, keepdims=True)
# %% mistake="fractions cut off" style="fractions cut off, written blind"
def softmax(x, axis=-1):
    x = np.array(x)
    shares = np.empty_like(x)
    m = np.max(x, axis=axis, keepdims=True)
    num = np.exp(1.0 * x - m)
    shares[...] = num / num.sum(axis=axis, keepdims=True)
    return shares
# %% unlisted="axis argument ignored; writes into its input" true="axis argument ignored; writes into its input"
def softmax(x, axis=-1):
    if isinstance(x, list):
        x = np.array(x, dtype=float)
    if len(x.shape) == 1:
        x -= x.max()
        e = np.exp(x)
        return e / e.sum()
    for i in range(len(x)):
        x[i] -= x[i].max()
    e = np.exp(x)
    out = np.zeros(x.shape)
    for i in range(len(x)):
        out[i] = e[i] / e[i].sum()
    return out
