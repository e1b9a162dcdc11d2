"""Answers to lesson 04: Gaussian weights, kernel regression, the best bandwidth, lookup by dot product."""

from __future__ import annotations

from autograder.corpus import Answer

GAUSSIAN_WEIGHTS = (
    # --- right ---
    Answer(
        "gaussian_weights",
        "cdist and scipy's softmax",
        """
from scipy.spatial.distance import cdist
from scipy.special import softmax as sp_softmax

def gaussian_weights(queries, keys, bandwidth=1.0):
    if queries.ndim == 1:
        queries, keys = queries[:, None], keys[:, None]
    return sp_softmax(-cdist(queries, keys, "sqeuclidean") / (2 * bandwidth ** 2), axis=1)
""",
        right=True,
        row="cdist",
    ),
    Answer(
        "gaussian_weights",
        "two loops and a running total",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    weights = np.zeros((len(queries), len(keys)))
    for i in range(len(queries)):
        for j in range(len(keys)):
            d2 = np.sum((np.float64(queries[i]) - np.float64(keys[j])) ** 2)
            weights[i, j] = -d2 / (2 * bandwidth * bandwidth)
        weights[i] -= weights[i].max()
        weights[i] = np.exp(weights[i])
        weights[i] /= weights[i].sum()
    return weights
""",
        right=True,
        row="loops",
    ),
    Answer(
        "gaussian_weights",
        "list comprehensions, lists come back",
        """
import math

def gaussian_weights(queries, keys, bandwidth=1.0):
    def dist2(a, b):
        return sum((float(x) - float(y)) ** 2 for x, y in zip(np.ravel(a), np.ravel(b)))
    result = []
    for q in queries:
        scores = [-dist2(q, k) / (2 * bandwidth ** 2) for k in keys]
        top = max(scores)
        exps = [math.exp(s - top) for s in scores]
        result.append([e / sum(exps) for e in exps])
    return result
""",
        right=True,
        row="loops",
    ),
    Answer(
        "gaussian_weights",
        "the course's softmax over broadcast differences",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    if np.ndim(queries) == 1:
        d2 = (queries[:, None] - keys) ** 2
    else:
        d2 = np.sum(np.square(queries[:, None, :] - keys[None, :, :]), axis=-1)
    return softmax(-0.5 * d2 / bandwidth ** 2, axis=1)
""",
        right=True,
        row="softmax of −d²/(2h²)",
    ),
    Answer(
        "gaussian_weights",
        "the square multiplied out",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = np.asarray(queries, dtype=float).reshape(len(queries), -1)
    k = np.asarray(keys, dtype=float).reshape(len(keys), -1)
    sq = np.sum(q * q, axis=1, keepdims=True) + np.sum(k * k, axis=1) - 2 * np.dot(q, k.T)
    logits = -sq / (2 * bandwidth ** 2)
    logits = logits - np.amax(logits, axis=1, keepdims=True)
    e = np.exp(logits)
    return e / np.sum(e, axis=1, keepdims=True)
""",
        right=True,
        row="‖q‖² + ‖k‖² − 2q·k",
    ),
    Answer(
        "gaussian_weights",
        "the query's own length left out, because it cancels",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = np.atleast_2d(np.transpose(queries)).T, np.atleast_2d(np.transpose(keys)).T
    scores = (q @ k.T - 0.5 * np.einsum("kd,kd->k", k, k)) / bandwidth ** 2
    return softmax(scores)
""",
        right=True,
        row="‖q‖² + ‖k‖² − 2q·k",
    ),
    Answer(
        "gaussian_weights",
        "log densities with their constant",
        """
from scipy.special import logsumexp
from scipy.stats import norm

def gaussian_weights(queries, keys, bandwidth=1.0):
    q = queries.reshape(len(queries), 1, -1)
    k = keys.reshape(1, len(keys), -1)
    logpdf = norm.logpdf(q, loc=k, scale=bandwidth).sum(-1)
    return np.exp(logpdf - logsumexp(logpdf, axis=-1, keepdims=True))
""",
        right=True,
        row="a pdf's constant",
    ),
    Answer(
        "gaussian_weights",
        "a density's constant before the softmax",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = queries.reshape(len(queries), -1)
    k = keys.reshape(len(keys), -1)
    log_kernel = -np.linalg.norm(q[:, None] - k, axis=2) ** 2 / (2 * bandwidth ** 2)
    log_kernel -= np.log(bandwidth * np.sqrt(2 * np.pi))
    return softmax(log_kernel, axis=-1)
""",
        right=True,
        row="a pdf's constant",
    ),
    Answer(
        "gaussian_weights",
        "float32, norms divided by the bandwidth",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    q = queries.astype(np.float32).reshape(len(queries), -1)
    k = keys.astype(np.float32).reshape(len(keys), -1)
    u = np.linalg.norm(q[:, None] - k[None], axis=-1) / np.float32(bandwidth)
    s = -(u ** 2) / 2
    e = np.exp(s - s.max(axis=1)[:, None])
    return (e.T / e.sum(axis=1)).T
""",
        right=True,
        row="float32",
    ),
    Answer(
        "gaussian_weights",
        "powers of two, einsum",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    diff = (queries.reshape(len(queries), 1, -1) - keys.reshape(len(keys), -1)) / bandwidth
    bits = -np.einsum("...d,...d", diff, diff) / 2 * np.log2(np.e)
    bits = bits - bits.max(1, keepdims=True)
    p = np.exp2(bits)
    return p / p.sum(1, keepdims=True)
""",
        right=True,
        row="base 2",
    ),
    Answer(
        "gaussian_weights",
        "torch, back to numpy",
        """
import torch

def gaussian_weights(queries, keys, bandwidth=1.0):
    q = torch.as_tensor(np.array(queries, dtype=float)).reshape(len(queries), -1)
    k = torch.as_tensor(np.array(keys, dtype=float)).reshape(len(keys), -1)
    return torch.softmax(-torch.cdist(q, k).pow(2) / (2 * bandwidth**2), dim=-1).numpy()
""",
        right=True,
        row="cdist",
    ),
    Answer(
        "gaussian_weights",
        "shifted by the nearest key's distance",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    axis = tuple(range(2, 1 + keys.ndim))
    d2 = ((queries[:, np.newaxis] - keys[np.newaxis]) ** 2).sum(axis=axis) if axis \\
        else (queries[:, np.newaxis] - keys) ** 2
    nearest = d2.min(axis=1, keepdims=True)
    kernel = np.exp((nearest - d2) / (2 * bandwidth**2))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
        right=True,
        row="any per-row shift",
    ),
    # --- listed mistakes ---
    Answer(
        "gaussian_weights",
        "the notes' kernel with plus one half",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), 1, -1), keys.reshape(1, len(keys), -1)
    u = np.linalg.norm(q - k, axis=-1) / bandwidth
    return softmax(0.5 * u**2, axis=1)
""",
        "sign",
    ),
    Answer(
        "gaussian_weights",
        "exp of the positive square in a loop",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    rows = []
    for q in queries:
        kernel = np.array([np.exp(np.sum((q - k) ** 2) / (2 * bandwidth ** 2)) for k in keys])
        rows.append(kernel / kernel.sum())
    return np.array(rows)
""",
        "sign",
    ),
    Answer(
        "gaussian_weights",
        "minus inside the square",
        """
from scipy.spatial.distance import cdist

def gaussian_weights(queries, keys, bandwidth=1.0):
    d = cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1))
    return softmax((-d) ** 2 / (2 * bandwidth ** 2), axis=1)
""",
        "sign",
    ),
    Answer(
        "gaussian_weights",
        "bandwidth not squared",
        """
from scipy.spatial.distance import cdist

def gaussian_weights(queries, keys, bandwidth=1.0):
    q = queries if queries.ndim > 1 else queries[:, None]
    k = keys if keys.ndim > 1 else keys[:, None]
    scores = -cdist(q, k) ** 2 / (2 * bandwidth)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
""",
        "bandwidth",
    ),
    Answer(
        "gaussian_weights",
        "bandwidth never used",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    result = np.empty((len(queries), len(keys)))
    for i, q in enumerate(queries):
        result[i] = softmax(np.array([-0.5 * np.sum((q - k) ** 2) for k in keys]))
    return result
""",
        "bandwidth",
    ),
    Answer(
        "gaussian_weights",
        "slash two times h squared, without brackets",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-np.einsum("qkd,qkd->qk", d, d) / 2 * bandwidth ** 2, axis=-1)
""",
        "bandwidth",
    ),
    Answer(
        "gaussian_weights",
        "two and h squared together",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    diff = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    sq = (diff * diff).sum(-1)
    logits = -sq / (2 * bandwidth) ** 2
    logits -= logits.max(-1, keepdims=True)
    return np.exp(logits) / np.exp(logits).sum(-1, keepdims=True)
""",
        "bandwidth",
    ),
    Answer(
        "gaussian_weights",
        "one over sigma in the exponent, h taken for the variance, in torch",
        """
import torch

def gaussian_weights(queries, keys, bandwidth=1.0):
    q = torch.tensor(np.asarray(queries, float)).reshape(len(queries), 1, -1)
    k = torch.tensor(np.asarray(keys, float)).reshape(1, len(keys), -1)
    variance = bandwidth
    return torch.softmax(-0.5 * ((q - k) ** 2).sum(-1) / variance, dim=1).numpy()
""",
        "bandwidth",
    ),
    Answer(
        "gaussian_weights",
        "norm instead of its square",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)
    dist = np.sqrt(((q[:, None] - k) ** 2).sum(axis=2))
    return softmax(-dist / (2 * bandwidth ** 2), axis=1)
""",
        "distance",
    ),
    Answer(
        "gaussian_weights",
        "cdist's default metric taken for the square",
        """
from scipy.spatial.distance import cdist

def gaussian_weights(queries, keys, bandwidth=1.0):
    d = cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1))
    w = np.exp(-(d - d.min(axis=1, keepdims=True)) / (2 * bandwidth**2))
    return w / w.sum(axis=1, keepdims=True)
""",
        "distance",
    ),
    Answer(
        "gaussian_weights",
        "no one half",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    gamma = 1 / bandwidth ** 2
    rows = []
    for q in queries:
        s = np.array([-gamma * np.sum((np.asarray(q) - np.asarray(k)) ** 2) for k in keys])
        s = np.exp(s - s.max())
        rows.append(s / s.sum())
    return np.stack(rows)
""",
        "distance",
    ),
    Answer(
        "gaussian_weights",
        "absolute value over the bandwidth",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    u = np.linalg.norm(queries.reshape(len(queries), 1, -1) - keys.reshape(len(keys), -1), axis=-1) / bandwidth
    return softmax(-u, axis=-1)
""",
        "distance",
    ),
    Answer(
        "gaussian_weights",
        "bare kernel values",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    out = np.zeros((len(queries), len(keys)))
    for i, q in enumerate(queries):
        for j, k in enumerate(keys):
            out[i, j] = np.exp(-np.sum((q - k) ** 2) / (2 * bandwidth ** 2))
    return out
""",
        "not normalised",
    ),
    Answer(
        "gaussian_weights",
        "the density itself",
        """
from scipy.stats import norm

def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), 1, -1), keys.reshape(1, len(keys), -1)
    return norm.pdf(np.linalg.norm(q - k, axis=-1), scale=bandwidth)
""",
        "not normalised",
    ),
    Answer(
        "gaussian_weights",
        "softmax down the columns",
        """
from scipy.spatial.distance import cdist

def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)
    return softmax(-cdist(q, k, "sqeuclidean") / (2 * bandwidth ** 2), axis=0)
""",
        "not normalised",
    ),
    Answer(
        "gaussian_weights",
        "divided by the sum of the whole matrix",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = ((queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)) ** 2).sum(-1)
    kernel = np.exp(-(d2 - d2.min()) / (2 * bandwidth ** 2))
    return kernel / kernel.sum()
""",
        "not normalised",
    ),
    Answer(
        "gaussian_weights",
        "exp over its sum, no shift",
        """
from scipy.spatial.distance import cdist

def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)
    kernel = np.exp(-cdist(q, k) ** 2 / 2 / bandwidth ** 2)
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
        "underflow",
    ),
    Answer(
        "gaussian_weights",
        "exp over its sum, guarded by a tiny number",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    result = []
    for q in queries:
        kernel = np.array([np.exp(-np.sum((q - k) ** 2) / (2 * bandwidth**2)) for k in keys])
        result.append(kernel / (kernel.sum() + 1e-300))
    return np.array(result)
""",
        "underflow",
    ),
    Answer(
        "gaussian_weights",
        "densities over their sum",
        """
from scipy.stats import norm

def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), 1, -1), keys.reshape(1, len(keys), -1)
    density = norm.pdf(q, k, bandwidth).prod(axis=-1)
    return density / density.sum(axis=-1, keepdims=True)
""",
        "underflow",
    ),
    Answer(
        "gaussian_weights",
        "clipped so that exp never underflows",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    scores = np.clip(-(d ** 2).sum(-1) / (2 * bandwidth ** 2), -700, 0)
    e = np.exp(scores)
    return e / e.sum(axis=1, keepdims=True)
""",
        "underflow",
    ),
    Answer(
        "gaussian_weights",
        "the whole matrix's maximum taken away",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = np.square(queries.reshape(len(queries), 1, -1) - keys.reshape(len(keys), -1)).sum(axis=2)
    s = -d2 / (2 * bandwidth ** 2)
    e = np.exp(s - np.max(s))
    return e / e.sum(axis=1, keepdims=True)
""",
        "global shift",
    ),
    Answer(
        "gaussian_weights",
        "shifted by the nearest of all pairs, in a loop",
        """
from scipy.spatial.distance import cdist

def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1), "sqeuclidean")
    nearest = d2.min()
    out = np.zeros_like(d2)
    for i in range(len(d2)):
        row = np.exp((nearest - d2[i]) / (2 * bandwidth**2))
        out[i] = row / row.sum()
    return out
""",
        "global shift",
    ),
    Answer(
        "gaussian_weights",
        "differences element by element",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = (queries - keys) ** 2
    if d2.ndim > 1:
        d2 = d2.sum(axis=1)
    return softmax(-d2 / (2 * bandwidth ** 2))
""",
        "pairs",
    ),
    Answer(
        "gaussian_weights",
        "zip instead of two loops",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    scores = np.array([-np.sum((q - k) ** 2) / (2 * bandwidth**2) for q, k in zip(queries, keys)])
    e = np.exp(scores - scores.max())
    return e / e.sum()
""",
        "pairs",
    ),
    Answer(
        "gaussian_weights",
        "a row a key, not a row a query",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(1, len(queries), -1), keys.reshape(len(keys), 1, -1)
    return softmax(-((q - k) ** 2).sum(-1) / (2 * bandwidth**2), axis=1)
""",
        "pairs",
    ),
    Answer(
        "gaussian_weights",
        "mean over the features",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)
    d2 = np.array([[np.mean((a - b) ** 2) for b in k] for a in q])
    return softmax(-d2 / (2 * bandwidth ** 2), axis=1)
""",
        "features",
    ),
    Answer(
        "gaussian_weights",
        "first column only",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    if queries.ndim > 1:
        queries, keys = queries[:, 0], keys[:, 0]
    diff = np.subtract.outer(queries, keys)
    return softmax(-diff ** 2 / (2 * bandwidth ** 2), axis=1)
""",
        "features",
    ),
    Answer(
        "gaussian_weights",
        "city-block distance squared",
        """
from scipy.spatial.distance import cdist

def gaussian_weights(queries, keys, bandwidth=1.0):
    d = cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1), "cityblock")
    return softmax(-(d ** 2) / (2 * bandwidth ** 2), axis=1)
""",
        "features",
    ),
    Answer(
        "gaussian_weights",
        "differences added before squaring",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1).sum(axis=1), keys.reshape(len(keys), -1).sum(axis=1)
    return softmax(-0.5 * ((q[:, None] - k[None, :]) / bandwidth) ** 2, axis=1)
""",
        "features",
    ),
    Answer(
        "gaussian_weights",
        "softmax of the kernel",
        """
from scipy.spatial.distance import cdist

def gaussian_weights(queries, keys, bandwidth=1.0):
    q, k = queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)
    kernel = np.exp(-0.5 * cdist(q, k, "sqeuclidean") / bandwidth**2)
    return softmax(kernel, axis=1)
""",
        "twice",
    ),
    Answer(
        "gaussian_weights",
        "normalised, then softmax to be safe",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = ((queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)) ** 2).sum(-1)
    s = -d2 / (2 * bandwidth**2)
    e = np.exp(s - s.max(1, keepdims=True))
    weights = e / e.sum(1, keepdims=True)
    return softmax(weights)
""",
        "twice",
    ),
    Answer(
        "gaussian_weights",
        "row sums without keepdims",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = ((queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)) ** 2).sum(-1)
    d2 = d2 - d2.min(axis=1, keepdims=True)
    kernel = np.exp(-d2 / (2 * bandwidth ** 2))
    return kernel / kernel.sum(axis=1)
""",
        "broadcast",
    ),
    Answer(
        "gaussian_weights",
        "transposed at the end",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    columns = []
    for q in queries:
        s = np.array([-np.sum((q - k) ** 2) / (2 * bandwidth ** 2) for k in keys])
        columns.append(softmax(s))
    return np.stack(columns, axis=1)
""",
        "weights transposed",
    ),
    Answer(
        "gaussian_weights",
        "squeezed for the single query",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = np.array([[np.sum((q - k) ** 2) for k in keys] for q in queries])
    return softmax(-d2 / (2 * bandwidth**2), axis=1).squeeze()
""",
        "squeezed too much",
    ),
    Answer(
        "gaussian_weights",
        "one query gives a plain vector",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = np.square(queries.reshape(len(queries), 1, -1) - keys.reshape(len(keys), -1)).sum(axis=2)
    weights = softmax(-d2 / (2 * bandwidth**2))
    return weights[0] if len(queries) == 1 else weights
""",
        "squeezed too much",
    ),
    Answer(
        "gaussian_weights",
        "the bandwidth divided out of the caller's arrays",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    if queries.dtype.kind == "f" and keys.dtype.kind == "f":
        queries /= bandwidth
        keys /= bandwidth
    else:
        queries, keys = queries / bandwidth, keys / bandwidth
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-(d ** 2).sum(-1) / 2)
""",
        "writes into its input",
    ),
    Answer(
        "gaussian_weights",
        "keys sorted in place for tidiness",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d2 = ((queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)) ** 2).sum(-1)
    queries *= 0
    return softmax(-d2 / (2 * bandwidth ** 2))
""",
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    Answer(
        "gaussian_weights",
        "everybody alike",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    return np.full((len(queries), len(keys)), 1 / len(keys))
""",
    ),
    Answer(
        "gaussian_weights",
        "the nearest key takes all",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = np.linalg.norm(queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1), axis=-1)
    return np.eye(len(keys))[d.argmin(axis=1)]
""",
    ),
    Answer(
        "gaussian_weights",
        "right, and rounded to two decimals",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-(d ** 2).sum(-1) / (2 * bandwidth ** 2)).round(2)
""",
    ),
    Answer(
        "gaussian_weights",
        "no bandwidth in the signature",
        """
def gaussian_weights(queries, keys):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-(d ** 2).sum(-1) / 2)
""",
    ),
    Answer(
        "gaussian_weights",
        "another kernel: Laplace normalised by hand",
        """
def gaussian_weights(queries, keys, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    kernel = 1 / (1 + (d ** 2).sum(-1) / (2 * bandwidth ** 2))
    return kernel / kernel.sum(axis=1, keepdims=True)
""",
    ),
    Answer(
        "gaussian_weights",
        "nothing comes back",
        "def gaussian_weights(queries, keys, bandwidth=1.0):\n    pass\n",
    ),
)

KERNEL_REGRESSION = (
    # --- right ---
    Answer(
        "kernel_regression",
        "calls gaussian_weights by keyword",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    w = gaussian_weights(queries=queries, keys=keys, bandwidth=bandwidth)
    return np.matmul(w, values)
""",
        right=True,
        row="matmul",
    ),
    Answer(
        "kernel_regression",
        "cdist, all in one",
        """
from scipy.spatial.distance import cdist

def kernel_regression(queries, keys, values, bandwidth=1.0):
    d2 = cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1), metric="sqeuclidean")
    kernel = np.exp(-(d2 - d2.min(axis=1, keepdims=True)) / (2 * bandwidth ** 2))
    return (kernel / kernel.sum(axis=1, keepdims=True)).dot(values)
""",
        right=True,
        row="cdist",
    ),
    Answer(
        "kernel_regression",
        "query by query, np.average",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    predictions = []
    for i in range(len(queries)):
        w = gaussian_weights(queries[i:i + 1], keys, bandwidth)[0]
        predictions.append(np.average(values, axis=0, weights=w))
    return np.array(predictions)
""",
        right=True,
        row="loops",
    ),
    Answer(
        "kernel_regression",
        "numerator and denominator",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    answers = []
    for q in queries:
        scores = [-np.sum((1.0 * q - k) ** 2) / (2 * bandwidth ** 2) for k in keys]
        top = max(scores)
        above, below = 0.0, 0.0
        for s, v in zip(scores, values):
            k = np.exp(s - top)
            above = above + k * v
            below = below + k
        answers.append(above / below)
    return answers
""",
        right=True,
        row="loops",
    ),
    Answer(
        "kernel_regression",
        "einsum, single precision",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    w = gaussian_weights(queries, keys, bandwidth).astype(np.float32)
    return np.einsum("qk,k...->q...", w, values.astype(np.float32))
""",
        right=True,
        row="einsum",
    ),
    Answer(
        "kernel_regression",
        "tensordot",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.tensordot(gaussian_weights(queries, keys, bandwidth), values, axes=1)
""",
        right=True,
    ),
    # --- listed mistakes ---
    Answer(
        "kernel_regression",
        "plus one half, all in one",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d2 = ((queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)) ** 2).sum(-1)
    return softmax(d2 / (2 * bandwidth**2), axis=1) @ values
""",
        "sign",
    ),
    Answer(
        "kernel_regression",
        "bandwidth not handed on",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return gaussian_weights(queries, keys) @ values
""",
        "bandwidth",
    ),
    Answer(
        "kernel_regression",
        "half the square over h, all in one",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    out = []
    for q in queries:
        w = softmax(np.array([-np.sum((q - k) ** 2) / 2 / bandwidth for k in keys]))
        out.append(w @ values)
    return np.array(out)
""",
        "bandwidth",
    ),
    Answer(
        "kernel_regression",
        "distances, not squared",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d = np.linalg.norm(queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1), axis=2)
    return softmax(-d / (2 * bandwidth ** 2), axis=1) @ values
""",
        "distance",
    ),
    Answer(
        "kernel_regression",
        "a kernel sum without its denominator",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    answers = []
    for q in queries:
        answers.append(sum(np.exp(-np.sum((q - k) ** 2) / (2 * bandwidth ** 2)) * v for k, v in zip(keys, values)))
    return np.array(answers)
""",
        "not normalised",
    ),
    Answer(
        "kernel_regression",
        "quotient that underflows",
        """
from scipy.spatial.distance import cdist

def kernel_regression(queries, keys, values, bandwidth=1.0):
    k = np.exp(-cdist(queries.reshape(len(queries), -1), keys.reshape(len(keys), -1)) ** 2 / (2 * bandwidth ** 2))
    k = k / k.sum(axis=1)[:, None]
    return k @ values
""",
        "underflow",
    ),
    Answer(
        "kernel_regression",
        "mean over the columns of the difference",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    d = queries.reshape(len(queries), 1, -1) - keys.reshape(1, len(keys), -1)
    return softmax(-np.mean(d ** 2, axis=2) / (2 * bandwidth ** 2), axis=1) @ values
""",
        "features",
    ),
    Answer(
        "kernel_regression",
        "softmax of the weights",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return softmax(gaussian_weights(queries, keys, bandwidth), axis=1) @ values
""",
        "twice",
    ),
    Answer(
        "kernel_regression",
        "the nearest of all pairs as the shift",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    q, k = queries.reshape(len(queries), 1, -1), keys.reshape(1, len(keys), -1)
    s = -((q - k) ** 2).sum(-1) / (2 * bandwidth ** 2)
    e = np.exp(s - np.max(s))
    return (e / e.sum(axis=1, keepdims=True)) @ values
""",
        "global shift",
    ),
    Answer(
        "kernel_regression",
        "row sums meet columns",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    q, k = queries.reshape(len(queries), 1, -1), keys.reshape(1, len(keys), -1)
    s = -((q - k) ** 2).sum(-1) / (2 * bandwidth ** 2)
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1)) @ values
""",
        "broadcast",
    ),
    Answer(
        "kernel_regression",
        "keys averaged",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.einsum("qk,k...->q...", gaussian_weights(queries, keys, bandwidth), keys)
""",
        "wrong partner",
    ),
    Answer(
        "kernel_regression",
        "keys averaged in a loop",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.array([sum(w * k for w, k in zip(row, keys))
                     for row in gaussian_weights(queries, keys, bandwidth)])
""",
        "wrong partner",
    ),
    Answer(
        "kernel_regression",
        "weights turned round",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    weights = gaussian_weights(queries, keys, bandwidth)
    return np.transpose(weights) @ values
""",
        "weights transposed",
    ),
    Answer(
        "kernel_regression",
        "sums over the wrong index",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.einsum("qk,q...->k...", gaussian_weights(queries, keys, bandwidth), values)
""",
        "weights transposed",
    ),
    Answer(
        "kernel_regression",
        "keys handed in as the queries",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    weights = gaussian_weights(keys, queries, bandwidth)
    return weights @ values
""",
        "pairs",
    ),
    Answer(
        "kernel_regression",
        "everybody's mean",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return np.array([np.mean(values, axis=0) for _ in queries])
""",
        "plain mean",
    ),
    Answer(
        "kernel_regression",
        "always a column",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return gaussian_weights(queries, keys, bandwidth) @ values.reshape(len(values), -1)
""",
        "squeezed too much",
    ),
    Answer(
        "kernel_regression",
        "squeezed at the end",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    w = gaussian_weights(queries, keys, bandwidth)
    return (w @ values.reshape(len(values), -1)).squeeze()
""",
        "squeezed too much",
    ),
    Answer(
        "kernel_regression",
        "values weighted in place",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    result = gaussian_weights(queries, keys, bandwidth) @ values
    keys -= keys
    return result
""",
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    Answer(
        "kernel_regression",
        "the best key's value",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    return values[gaussian_weights(queries, keys, bandwidth).argmax(axis=1)]
""",
    ),
    Answer(
        "kernel_regression",
        "asks the values who is near",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    centred = values if values.ndim == keys.ndim else np.resize(values, keys.shape)
    return gaussian_weights(queries, np.resize(centred, keys.shape), bandwidth) @ values
""",
    ),
    Answer(
        "kernel_regression",
        "weights come back as well",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    weights = gaussian_weights(queries, keys, bandwidth)
    return weights @ values, weights
""",
    ),
    Answer(
        "kernel_regression",
        "divided by the number of keys again",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    weights = gaussian_weights(queries, keys, bandwidth)
    return np.mean([w[:, None] * values.reshape(len(values), -1) for w in weights], axis=1)
""",
    ),
    Answer(
        "kernel_regression",
        "the lesson's sample whatever is asked",
        """
def kernel_regression(queries, keys, values, bandwidth=1.0):
    waists, weights = np.array([51.0, 56.0, 58.0]), np.array([40.0, 43.0, 48.0])
    return gaussian_weights(queries, waists, bandwidth) @ weights
""",
    ),
)

LEAVE_ONE_OUT_ERROR = (
    # --- right ---
    Answer(
        "leave_one_out_error",
        "np.delete and kernel_regression",
        """
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        guess = kernel_regression(keys[i:i + 1], np.delete(keys, i, axis=0), np.delete(values, i, axis=0), bandwidth)
        errors.append((guess[0] - values[i]) ** 2)
    return np.mean(errors)
""",
        right=True,
        row="loops",
    ),
    Answer(
        "leave_one_out_error",
        "infinite distance to oneself",
        """
from scipy.spatial.distance import cdist

def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    d2 = cdist(k, k, "sqeuclidean")
    np.fill_diagonal(d2, np.inf)
    residuals = softmax(-d2 / (2 * bandwidth ** 2), axis=1) @ values - values
    return np.mean(residuals ** 2)
""",
        right=True,
        row="cdist",
    ),
    Answer(
        "leave_one_out_error",
        "the linear smoother's shortcut, where it is exact",
        """
def leave_one_out_error(keys, values, bandwidth):
    n = len(keys)
    k = keys.reshape(n, -1)
    s = -((k[:, None] - k) ** 2).sum(-1) / (2 * bandwidth ** 2)
    off = ~np.eye(n, dtype=bool)
    s = s[off].reshape(n, n - 1)
    w = np.exp(s - s.max(axis=1, keepdims=True))
    w /= w.sum(axis=1, keepdims=True)
    full = np.zeros((n, n))
    full[off] = w.ravel()
    return float(((values - full @ values) ** 2).mean())
""",
        right=True,
    ),
    Answer(
        "leave_one_out_error",
        "lists and a counter",
        """
def leave_one_out_error(keys, values, bandwidth):
    total = count = 0
    for i in range(len(keys)):
        other_keys = np.array([k for j, k in enumerate(keys) if j != i])
        other_values = np.array([v for j, v in enumerate(values) if j != i])
        guess = kernel_regression(np.array([keys[i]]), other_keys, other_values, bandwidth)
        for a, b in zip(np.ravel(guess[0]), np.ravel(values[i])):
            total += float(a - b) ** 2
            count += 1
    return total / count
""",
        right=True,
        row="loops",
    ),
    Answer(
        "leave_one_out_error",
        "single precision, concatenated slices",
        """
def leave_one_out_error(keys, values, bandwidth):
    keys, values = np.float32(keys), np.float32(values)
    guesses = [
        kernel_regression(keys[i][None], np.concatenate([keys[:i], keys[i + 1:]]),
                          np.concatenate([values[:i], values[i + 1:]]), bandwidth)
        for i in range(len(keys))
    ]
    return np.square(np.concatenate(guesses) - values).mean()
""",
        right=True,
        row="float32",
    ),
    Answer(
        "leave_one_out_error",
        "a number in an array of no axes",
        """
import torch

def leave_one_out_error(keys, values, bandwidth):
    k = torch.tensor(np.asarray(keys, dtype=float)).reshape(len(keys), -1)
    v = torch.tensor(np.asarray(values, dtype=float))
    s = -torch.cdist(k, k) ** 2 / (2 * bandwidth**2)
    s.fill_diagonal_(-torch.inf)
    return torch.mean((s.softmax(1) @ v - v) ** 2)
""",
        right=True,
        row="cdist",
    ),
    # --- listed mistakes ---
    Answer(
        "leave_one_out_error",
        "predicts all samples from all samples",
        """
def leave_one_out_error(keys, values, bandwidth):
    return np.mean((kernel_regression(keys, keys, values, bandwidth) - values) ** 2)
""",
        "sees itself",
    ),
    Answer(
        "leave_one_out_error",
        "the loop forgets to leave one out",
        """
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        prediction = kernel_regression(keys[i:i+1], keys, values, bandwidth)
        errors.append(np.mean((prediction - values[i]) ** 2))
    return np.mean(errors)
""",
        "sees itself",
    ),
    Answer(
        "leave_one_out_error",
        "np.delete without keeping its result",
        """
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        np.delete(keys, i, axis=0)
        np.delete(values, i, axis=0)
        errors.append((values[i] - kernel_regression(keys[[i]], keys, values, bandwidth)[0]) ** 2)
    return float(np.mean(errors))
""",
        "sees itself",
    ),
    Answer(
        "leave_one_out_error",
        "own weight set to zero",
        """
def leave_one_out_error(keys, values, bandwidth):
    weights = gaussian_weights(keys, keys, bandwidth)
    np.fill_diagonal(weights, 0)
    return np.mean((weights @ values - values) ** 2)
""",
        "masked after softmax",
    ),
    Answer(
        "leave_one_out_error",
        "own share taken off",
        """
def leave_one_out_error(keys, values, bandwidth):
    w = gaussian_weights(keys, keys, bandwidth)
    own = np.diag(w).reshape(-1, *([1] * (values.ndim - 1))) * values
    return float((((w @ values - own) - values) ** 2).mean())
""",
        "masked after softmax",
    ),
    Answer(
        "leave_one_out_error",
        "own score of minus ten",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    s = -((k[:, None] - k) ** 2).sum(-1) / (2 * bandwidth ** 2)
    s[np.arange(len(k)), np.arange(len(k))] = -10.0
    return np.mean((softmax(s, axis=1) @ values - values) ** 2)
""",
        "fill too weak",
    ),
    Answer(
        "leave_one_out_error",
        "own score of minus a thousand",
        """
from scipy.spatial.distance import cdist

def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    s = -cdist(k, k, "sqeuclidean") / (2 * bandwidth ** 2)
    np.fill_diagonal(s, -1000)
    return np.mean((softmax(s, axis=1) @ values - values) ** 2)
""",
        "fill too weak",
    ),
    Answer(
        "leave_one_out_error",
        "identity times infinity",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    d2 = ((k[:, None] - k) ** 2).sum(-1)
    d2 = d2 + np.eye(len(k)) * np.inf
    return np.mean((softmax(-d2 / (2 * bandwidth**2), axis=1) @ values - values) ** 2)
""",
        "zero times infinity",
    ),
    Answer(
        "leave_one_out_error",
        "squares added up",
        """
def leave_one_out_error(keys, values, bandwidth):
    total = 0.0
    for i in range(len(keys)):
        mask = np.arange(len(keys)) != i
        guess = kernel_regression(keys[~mask], keys[mask], values[mask], bandwidth)[0]
        total += np.sum((guess - values[i]) ** 2)
    return total
""",
        "mean over all entries",
    ),
    Answer(
        "leave_one_out_error",
        "squared length of each residual, averaged over samples",
        """
def leave_one_out_error(keys, values, bandwidth):
    total = 0.0
    for i in range(len(keys)):
        guess = kernel_regression(keys[i:i+1], np.delete(keys, i, 0), np.delete(values, i, 0), bandwidth)[0]
        total += np.linalg.norm(guess - values[i]) ** 2
    return total / len(keys)
""",
        "mean over all entries",
    ),
    Answer(
        "leave_one_out_error",
        "mean absolute error",
        """
def leave_one_out_error(keys, values, bandwidth):
    guesses = np.array([
        kernel_regression(keys[i:i+1], np.delete(keys, i, 0), np.delete(values, i, 0), bandwidth)[0]
        for i in range(len(keys))
    ])
    return np.abs(guesses - values).mean()
""",
        "not squared",
    ),
    Answer(
        "leave_one_out_error",
        "root of the mean",
        """
def leave_one_out_error(keys, values, bandwidth):
    squares = []
    for i in range(len(keys)):
        rest = [j for j in range(len(keys)) if j != i]
        squares.append((kernel_regression(keys[[i]], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
    return np.sqrt(np.mean(squares))
""",
        "not squared",
    ),
    Answer(
        "leave_one_out_error",
        "an error for each column",
        """
def leave_one_out_error(keys, values, bandwidth):
    squares = []
    for i in range(len(keys)):
        rest = [j for j in range(len(keys)) if j != i]
        squares.append((kernel_regression(keys[[i]], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
    return np.mean(squares, axis=0)
""",
        "one error a column",
    ),
    Answer(
        "leave_one_out_error",
        "a list of errors, one a sample",
        """
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        guess = kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0]
        errors.append(float(np.mean((guess - values[i]) ** 2)))
    return errors
""",
        "one error a column",
    ),
    Answer(
        "leave_one_out_error",
        "bandwidth not handed on",
        """
def leave_one_out_error(keys, values, bandwidth):
    squares = []
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        squares.append((kernel_regression(keys[i:i+1], keys[rest], values[rest])[0] - values[i]) ** 2)
    return np.mean(squares)
""",
        "bandwidth",
    ),
    Answer(
        "leave_one_out_error",
        "own kernel value removed, exp unshifted",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    kernel = np.exp(-((k[:, None] - k) ** 2).sum(-1) / (2 * bandwidth ** 2))
    np.fill_diagonal(kernel, 0)
    guesses = kernel @ values / kernel.sum(axis=1).reshape(-1, *([1] * (values.ndim - 1)))
    return np.mean((guesses - values) ** 2)
""",
        "underflow",
    ),
    Answer(
        "leave_one_out_error",
        "own kernel with plus one half",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    errors = []
    for i in range(len(k)):
        rest = np.arange(len(k)) != i
        d = k[rest] - k[i]
        w = softmax((d ** 2).sum(1) / (2 * bandwidth ** 2))
        errors.append((w @ values[rest] - values[i]) ** 2)
    return np.mean(errors)
""",
        "sign",
    ),
    Answer(
        "leave_one_out_error",
        "own kernel of plain distances",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    errors = []
    for i in range(len(k)):
        rest = np.arange(len(k)) != i
        d = k[rest] - k[i]
        w = softmax(-np.linalg.norm(d, axis=1) / (2 * bandwidth ** 2))
        errors.append((w @ values[rest] - values[i]) ** 2)
    return np.mean(errors)
""",
        "distance",
    ),
    Answer(
        "leave_one_out_error",
        "own kernel without one half",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    errors = []
    for i in range(len(k)):
        rest = np.arange(len(k)) != i
        d = k[rest] - k[i]
        w = softmax(-(d ** 2).sum(1) / bandwidth ** 2)
        errors.append((w @ values[rest] - values[i]) ** 2)
    return np.mean(errors)
""",
        "distance",
    ),
    Answer(
        "leave_one_out_error",
        "own kernel, first coordinate alone",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    errors = []
    for i in range(len(k)):
        rest = np.arange(len(k)) != i
        d = k[rest] - k[i]
        w = softmax(-(d[:, 0] ** 2) / (2 * bandwidth ** 2))
        errors.append((w @ values[rest] - values[i]) ** 2)
    return np.mean(errors)
""",
        "features",
    ),
    Answer(
        "leave_one_out_error",
        "own kernel, not divided by its sum",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    errors = []
    for i in range(len(k)):
        rest = np.arange(len(k)) != i
        d = k[rest] - k[i]
        w = np.exp(-(d ** 2).sum(1) / (2 * bandwidth ** 2))
        errors.append((w @ values[rest] - values[i]) ** 2)
    return np.mean(errors)
""",
        "not normalised",
    ),
    Answer(
        "leave_one_out_error",
        "own kernel, softmax of its values",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    errors = []
    for i in range(len(k)):
        rest = np.arange(len(k)) != i
        d = k[rest] - k[i]
        w = softmax(np.exp(-(d ** 2).sum(1) / (2 * bandwidth ** 2)))
        errors.append((w @ values[rest] - values[i]) ** 2)
    return np.mean(errors)
""",
        "twice",
    ),
    Answer(
        "leave_one_out_error",
        "the nearest of all pairs as the shift",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    d2 = ((k[:, None] - k) ** 2).sum(-1) * 1.0
    np.fill_diagonal(d2, np.inf)
    kernel = np.exp((d2.min() - d2) / (2 * bandwidth ** 2))
    w = kernel / kernel.sum(axis=1, keepdims=True)
    return np.mean((w @ values - values) ** 2)
""",
        "global shift",
    ),
    Answer(
        "leave_one_out_error",
        "values centred in place",
        """
def leave_one_out_error(keys, values, bandwidth):
    error = 0
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        guess = kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0]
        error += np.mean((guess - values[i]) ** 2) / len(keys)
    values[:] = 0
    return error
""",
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    Answer(
        "leave_one_out_error",
        "leaves the first sample out every time",
        """
def leave_one_out_error(keys, values, bandwidth):
    guesses = kernel_regression(keys, keys[1:], values[1:], bandwidth)
    return np.mean((guesses - values) ** 2)
""",
    ),
    Answer(
        "leave_one_out_error",
        "leaves out the neighbour before",
        """
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i - 1
        errors.append((kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
    return np.mean(errors)
""",
    ),
    Answer(
        "leave_one_out_error",
        "a median for robustness",
        """
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        errors.append((kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
    return np.median(errors)
""",
    ),
    Answer(
        "leave_one_out_error",
        "zip over keys and values, returns after the first",
        """
def leave_one_out_error(keys, values, bandwidth):
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        guess = kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0]
        return np.mean((guess - values[i]) ** 2)
""",
    ),
    Answer(
        "leave_one_out_error",
        "samples with equal keys left out together",
        """
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    squares = []
    for i in range(len(k)):
        rest = (k != k[i]).any(axis=1)
        squares.append((kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
    return np.mean(squares)
""",
    ),
)

BEST_BANDWIDTH = (
    # --- right ---
    Answer(
        "best_bandwidth",
        "argmin over a list of errors",
        """
def best_bandwidth(keys, values, candidates):
    errors = [leave_one_out_error(keys, values, h) for h in candidates]
    return candidates[np.argmin(errors)]
""",
        right=True,
    ),
    Answer(
        "best_bandwidth",
        "pairs of error and candidate",
        """
def best_bandwidth(keys, values, candidates):
    return min((leave_one_out_error(keys, values, bandwidth=h), h) for h in candidates)[1]
""",
        right=True,
    ),
    Answer(
        "best_bandwidth",
        "the best so far",
        """
def best_bandwidth(keys, values, candidates):
    best, least = candidates[0], float("inf")
    for candidate in candidates:
        error = leave_one_out_error(keys, values, candidate)
        if error < least:
            best, least = candidate, error
    return np.float64(best)
""",
        right=True,
        row="loops",
    ),
    Answer(
        "best_bandwidth",
        "a dictionary, sorted",
        """
def best_bandwidth(keys, values, candidates):
    table = {h: float(leave_one_out_error(keys, values, h)) for h in candidates}
    return sorted(table, key=table.get)[0]
""",
        right=True,
    ),
    Answer(
        "best_bandwidth",
        "all bandwidths at once",
        """
def best_bandwidth(keys, values, candidates):
    k, h = keys.reshape(len(keys), -1), np.asarray(candidates, dtype=float)
    d2 = ((k[:, None] - k) ** 2).sum(-1)
    np.fill_diagonal(d2, np.inf)
    w = softmax(-d2 / (2 * h[:, None, None] ** 2), axis=-1)
    guesses = np.einsum("hij,j...->hi...", w, values)
    errors = ((guesses - values) ** 2).reshape(len(h), -1).mean(axis=1)
    return h[errors.argmin()]
""",
        right=True,
        row="einsum",
    ),
    Answer(
        "best_bandwidth",
        "sum of squares instead of their mean, which has the same minimum",
        """
def best_bandwidth(keys, values, candidates):
    def total(h):
        s = 0.0
        for i in range(len(keys)):
            rest = np.delete(np.arange(len(keys)), i)
            s += np.sum((kernel_regression(keys[[i]], keys[rest], values[rest], h) - values[i]) ** 2)
        return s
    return min(candidates, key=total)
""",
        right=True,
    ),
    # --- listed mistakes ---
    Answer(
        "best_bandwidth",
        "training error",
        """
def best_bandwidth(keys, values, candidates):
    return min(candidates, key=lambda h: np.mean((kernel_regression(keys, keys, values, h) - values) ** 2))
""",
        "sees itself",
    ),
    Answer(
        "best_bandwidth",
        "training error in a loop",
        """
def best_bandwidth(keys, values, candidates):
    best, best_error = None, np.inf
    for h in candidates:
        prediction = gaussian_weights(keys, keys, h) @ values
        error = ((prediction - values) ** 2).sum()
        if error < best_error:
            best, best_error = h, error
    return best
""",
        "sees itself",
    ),
    Answer(
        "best_bandwidth",
        "max of the candidates",
        """
def best_bandwidth(keys, values, candidates):
    errors = {h: leave_one_out_error(keys, values, h) for h in candidates}
    return max(errors)
""",
        "largest candidate",
    ),
    Answer(
        "best_bandwidth",
        "sorted the wrong way",
        """
def best_bandwidth(keys, values, candidates):
    return sorted(candidates, key=lambda h: leave_one_out_error(keys, values, h), reverse=True)[0]
""",
        "worst instead of best",
    ),
    Answer(
        "best_bandwidth",
        "greater than, from zero",
        """
def best_bandwidth(keys, values, candidates):
    best, most = candidates[0], 0.0
    for h in candidates:
        e = leave_one_out_error(keys, values, h)
        if e > most:
            best, most = h, e
    return best
""",
        "worst instead of best",
    ),
    Answer(
        "best_bandwidth",
        "argmin itself",
        """
def best_bandwidth(keys, values, candidates):
    return int(np.argmin([leave_one_out_error(keys, values, h) for h in candidates]))
""",
        "position instead of bandwidth",
    ),
    Answer(
        "best_bandwidth",
        "list index of the minimum",
        """
def best_bandwidth(keys, values, candidates):
    errors = [leave_one_out_error(keys, values, h) for h in candidates]
    return errors.index(min(errors))
""",
        "position instead of bandwidth",
    ),
    Answer(
        "best_bandwidth",
        "the error itself",
        """
def best_bandwidth(keys, values, candidates):
    return min(leave_one_out_error(keys, values, h) for h in candidates)
""",
        "error instead of bandwidth",
    ),
    Answer(
        "best_bandwidth",
        "stops when the error rises",
        """
def best_bandwidth(keys, values, candidates):
    best, last = candidates[0], leave_one_out_error(keys, values, candidates[0])
    for h in candidates[1:]:
        error = leave_one_out_error(keys, values, h)
        if error > last:
            break
        best, last = h, error
    return best
""",
        "order of the candidates",
    ),
    Answer(
        "best_bandwidth",
        "compares with the one before, not with the best",
        """
def best_bandwidth(keys, values, candidates):
    best, last = candidates[0], float("inf")
    for h in candidates:
        error = leave_one_out_error(keys, values, h)
        if error < last:
            best = h
        last = error
    return best
""",
        "order of the candidates",
    ),
    Answer(
        "best_bandwidth",
        "sorts the candidates but not the errors",
        """
def best_bandwidth(keys, values, candidates):
    errors = [leave_one_out_error(keys, values, h) for h in candidates]
    ordered = np.sort(candidates)
    return ordered[np.argmin(errors)]
""",
        "order of the candidates",
    ),
    Answer(
        "best_bandwidth",
        "returns inside the loop",
        """
def best_bandwidth(keys, values, candidates):
    least = np.inf
    for h in candidates:
        if leave_one_out_error(keys, values, h) < least:
            least = leave_one_out_error(keys, values, h)
            return h
""",
        "order of the candidates",
    ),
    Answer(
        "best_bandwidth",
        "quotients that underflow, then argmin",
        """
def best_bandwidth(keys, values, candidates):
    def error(h):
        k = keys.reshape(len(keys), -1)
        kernel = np.exp(-((k[:, None] - k) ** 2).sum(-1) / (2 * h**2))
        np.fill_diagonal(kernel, 0)
        guesses = (kernel / kernel.sum(axis=1, keepdims=True)) @ values
        return np.mean((guesses - values) ** 2)
    return candidates[np.argmin([error(h) for h in candidates])]
""",
        "underflow",
    ),
    Answer(
        "best_bandwidth",
        "candidates sorted in place",
        """
def best_bandwidth(keys, values, candidates):
    candidates.sort()
    return min(candidates, key=lambda h: leave_one_out_error(keys, values, h))
""",
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    Answer(
        "best_bandwidth",
        "the loop starts at 1",
        """
def best_bandwidth(keys, values, candidates):
    errors = [np.inf] * len(candidates)
    for i in range(1, len(candidates)):
        errors[i] = leave_one_out_error(keys, values, candidates[i])
    return candidates[errors.index(min(errors))]
""",
    ),
    Answer(
        "best_bandwidth",
        "the last candidate is never tried",
        """
def best_bandwidth(keys, values, candidates):
    tried = list(candidates[:-1]) or list(candidates)
    return min(tried, key=lambda h: leave_one_out_error(keys, values, h))
""",
    ),
    Answer(
        "best_bandwidth",
        "keys and values exchanged",
        """
def best_bandwidth(keys, values, candidates):
    return min(candidates, key=lambda h: leave_one_out_error(values, keys, h))
""",
    ),
    Answer(
        "best_bandwidth",
        "the middle candidate",
        """
def best_bandwidth(keys, values, candidates):
    return float(sorted(candidates)[len(candidates) // 2])
""",
    ),
    Answer(
        "best_bandwidth",
        "halves of the data instead of leaving one out",
        """
def best_bandwidth(keys, values, candidates):
    half = len(keys) // 2
    def error(h):
        guess = kernel_regression(keys[half:], keys[:half], values[:half], h)
        return np.mean((guess - values[half:]) ** 2)
    return min(candidates, key=error)
""",
    ),
    Answer(
        "best_bandwidth",
        "mean absolute error decides",
        """
def best_bandwidth(keys, values, candidates):
    def error(h):
        return sum(
            np.abs(kernel_regression(keys[[i]], np.delete(keys, i, 0), np.delete(values, i, 0), h)[0] - values[i]).sum()
            for i in range(len(keys)))
    return min(candidates, key=error)
""",
    ),
    Answer(
        "best_bandwidth",
        "first value column decides",
        """
def best_bandwidth(keys, values, candidates):
    v = values if values.ndim == 1 else values[:, 0]
    return min(candidates, key=lambda h: leave_one_out_error(keys, v, h))
""",
    ),
    Answer(
        "best_bandwidth",
        "a rule of thumb",
        """
def best_bandwidth(keys, values, candidates):
    thumb = 1.06 * np.std(keys) * len(keys) ** -0.2
    return min(candidates, key=lambda h: abs(h - thumb))
""",
    ),
    Answer(
        "best_bandwidth",
        "a list with the right one",
        """
def best_bandwidth(keys, values, candidates):
    errors = np.array([leave_one_out_error(keys, values, h) for h in candidates])
    return [h for h, e in zip(candidates, errors) if e == errors.min()]
""",
    ),
)

DOT_PRODUCT_LOOKUP = (
    # --- right ---
    Answer(
        "dot_product_lookup",
        "dot, shape[1], softmax over axis 1",
        """
def dot_product_lookup(queries, keys, values):
    d_k = keys.shape[1]
    attention = softmax(np.dot(queries, keys.T) / d_k ** 0.5, axis=1)
    return np.dot(attention, values)
""",
        right=True,
        row="matmul",
    ),
    Answer(
        "dot_product_lookup",
        "einsum, queries scaled first",
        """
def dot_product_lookup(queries, keys, values):
    scores = np.einsum("qd,kd->qk", queries / np.sqrt(queries.shape[-1]), keys)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.einsum("qk,kv->qv", e / e.sum(axis=1, keepdims=True), values)
""",
        right=True,
        row="scaled Q",
    ),
    Answer(
        "dot_product_lookup",
        "fourth roots on both sides, logsumexp",
        """
from scipy.special import logsumexp

def dot_product_lookup(queries, keys, values):
    r = keys.shape[1] ** -0.25
    s = (queries * r) @ (keys * r).T
    return np.exp(s - logsumexp(s, axis=1, keepdims=True)) @ values
""",
        right=True,
        row="d^−¼ on both sides",
    ),
    Answer(
        "dot_product_lookup",
        "pure Python loops",
        """
import math

def dot_product_lookup(queries, keys, values):
    rows = []
    for q in queries:
        scores = [sum(float(a) * float(b) for a, b in zip(q, k)) / math.sqrt(len(k)) for k in keys]
        top = max(scores)
        w = [math.exp(s - top) for s in scores]
        rows.append([sum(wi * float(v[c]) for wi, v in zip(w, values)) / sum(w) for c in range(len(values[0]))])
    return rows
""",
        right=True,
        row="loops",
    ),
    Answer(
        "dot_product_lookup",
        "the library's own",
        """
import torch
import torch.nn.functional as F

def dot_product_lookup(queries, keys, values):
    q, k, v = (torch.from_numpy(np.array(x, dtype=np.float64)) for x in (queries, keys, values))
    return F.scaled_dot_product_attention(q, k, v).numpy()
""",
        right=True,
        row="the library's own SDPA",
    ),
    Answer(
        "dot_product_lookup",
        "single precision",
        """
def dot_product_lookup(queries, keys, values):
    q, k, v = np.float32(queries), np.float32(keys), np.float32(values)
    s = q @ k.T
    s /= np.sqrt(np.float32(k.shape[-1]))
    s -= s.max(axis=-1)[:, np.newaxis]
    np.exp(s, out=s)
    return s @ v / s.sum(axis=-1)[:, np.newaxis]
""",
        right=True,
        row="float32",
    ),
    # --- listed mistakes ---
    Answer(
        "dot_product_lookup",
        "no scale",
        """
def dot_product_lookup(queries, keys, values):
    return softmax(queries @ keys.T, axis=1) @ values
""",
        "no scale",
    ),
    Answer(
        "dot_product_lookup",
        "a scale that is computed and forgotten",
        """
def dot_product_lookup(queries, keys, values):
    scores = np.matmul(queries, keys.transpose())
    scores / np.sqrt(keys.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True) @ values
""",
        "no scale",
    ),
    Answer(
        "dot_product_lookup",
        "divided by d_k, as the notes' sentence says",
        """
def dot_product_lookup(queries, keys, values):
    n, d_k = keys.shape
    return softmax(queries @ keys.T / d_k) @ values
""",
        "wrong power",
    ),
    Answer(
        "dot_product_lookup",
        "d ** 1 / 2",
        """
def dot_product_lookup(queries, keys, values):
    scores = np.einsum("qd,kd->qk", queries, keys) / (keys.shape[1] ** 1 / 2)
    return softmax(scores, axis=-1) @ values
""",
        "wrong power",
    ),
    Answer(
        "dot_product_lookup",
        "times the root",
        """
def dot_product_lookup(queries, keys, values):
    return softmax((queries @ keys.T) * np.sqrt(keys.shape[1]), axis=1) @ values
""",
        "wrong power",
    ),
    Answer(
        "dot_product_lookup",
        "both sides divided by the root",
        """
def dot_product_lookup(queries, keys, values):
    root = np.sqrt(keys.shape[1])
    return softmax((queries / root) @ (keys / root).T, axis=1) @ values
""",
        "wrong power",
    ),
    Answer(
        "dot_product_lookup",
        "len(keys) under the root",
        """
def dot_product_lookup(queries, keys, values):
    d_k = len(keys)
    weights = softmax(queries.dot(keys.T) / np.sqrt(d_k))
    return weights.dot(values)
""",
        "wrong length",
    ),
    Answer(
        "dot_product_lookup",
        "width of the values under the root",
        """
def dot_product_lookup(queries, keys, values):
    rows = []
    for q in queries:
        rows.append(softmax(keys @ q / values.shape[-1] ** 0.5) @ values)
    return np.array(rows)
""",
        "wrong length",
    ),
    Answer(
        "dot_product_lookup",
        "weights divided, not scores",
        """
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T, axis=1)
    return (weights / np.sqrt(keys.shape[1])) @ values
""",
        "scaled after softmax",
    ),
    Answer(
        "dot_product_lookup",
        "result divided by the root",
        """
def dot_product_lookup(queries, keys, values):
    return np.array([softmax(keys @ q) @ values for q in queries]) / keys.shape[1] ** 0.5
""",
        "scaled after softmax",
    ),
    Answer(
        "dot_product_lookup",
        "columns sum to one",
        """
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    e = np.exp(s - s.max(axis=0))
    return e / e.sum(axis=0) @ values
""",
        "softmax over queries",
    ),
    Answer(
        "dot_product_lookup",
        "axis 0",
        """
def dot_product_lookup(queries, keys, values):
    return softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=0) @ values
""",
        "softmax over queries",
    ),
    Answer(
        "dot_product_lookup",
        "one sum for everything",
        """
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    e = np.exp(s - s.max())
    return (e / e.sum()) @ values
""",
        "whole matrix",
    ),
    Answer(
        "dot_product_lookup",
        "softmax without an axis, in SciPy",
        """
import scipy.special

def dot_product_lookup(queries, keys, values):
    return scipy.special.softmax(np.inner(queries, keys) / np.sqrt(keys.shape[1])) @ values
""",
        "whole matrix",
    ),
    Answer(
        "dot_product_lookup",
        "linear attention",
        """
def dot_product_lookup(queries, keys, values):
    return np.einsum("qd,kd,kv->qv", queries, keys, values) / np.sqrt(keys.shape[1])
""",
        "not normalised",
    ),
    Answer(
        "dot_product_lookup",
        "scores over their sum, without exp",
        """
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    return s / s.sum(axis=1, keepdims=True) @ values
""",
        "",
    ),
    Answer(
        "dot_product_lookup",
        "weights times keys",
        """
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    return np.einsum("qk,kd->qd", weights, keys)
""",
        "wrong partner",
    ),
    Answer(
        "dot_product_lookup",
        "queries against values",
        """
def dot_product_lookup(queries, keys, values):
    scores = np.matmul(queries, values.T) / np.sqrt(keys.shape[1])
    return np.matmul(softmax(scores, axis=1), values)
""",
        "wrong partner",
    ),
    Answer(
        "dot_product_lookup",
        "weights transposed",
        """
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    return (values.T @ weights).T
""",
        "weights transposed",
    ),
    Answer(
        "dot_product_lookup",
        "squeezed",
        """
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    output = weights @ values
    return output[0] if len(output) == 1 else output
""",
        "squeezed too much",
    ),
    Answer(
        "dot_product_lookup",
        "exp without a shift",
        """
def dot_product_lookup(queries, keys, values):
    e = np.exp(queries @ keys.T / np.sqrt(keys.shape[1]))
    return (e @ values) / e.sum(axis=1, keepdims=True)
""",
        "overflow",
    ),
    Answer(
        "dot_product_lookup",
        "exp without a shift, in a loop",
        """
def dot_product_lookup(queries, keys, values):
    rows = []
    for q in queries:
        e = np.exp(np.array([q @ k for k in keys]) / np.sqrt(len(q)))
        rows.append((e / e.sum()) @ values)
    return np.array(rows)
""",
        "overflow",
    ),
    Answer(
        "dot_product_lookup",
        "one maximum for all queries",
        """
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    s = s - np.max(s)
    e = np.exp(s)
    return (e / np.sum(e, axis=1, keepdims=True)) @ values
""",
        "global shift",
    ),
    Answer(
        "dot_product_lookup",
        "row sums meet columns",
        """
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / e.sum(axis=1) @ values
""",
        "broadcast",
    ),
    Answer(
        "dot_product_lookup",
        "softmax of a softmax",
        """
def dot_product_lookup(queries, keys, values):
    s = queries @ keys.T / np.sqrt(keys.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return softmax(e / e.sum(axis=1, keepdims=True), axis=1) @ values
""",
        "twice",
    ),
    Answer(
        "dot_product_lookup",
        "queries scaled in place",
        """
def dot_product_lookup(queries, keys, values):
    if queries.dtype.kind == "f":
        queries /= np.sqrt(keys.shape[1])
    else:
        queries = queries / np.sqrt(keys.shape[1])
    return softmax(queries @ keys.T) @ values
""",
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    Answer(
        "dot_product_lookup",
        "the Gaussian kernel again",
        """
def dot_product_lookup(queries, keys, values):
    return kernel_regression(queries, keys, values, keys.shape[1] ** 0.25)
""",
    ),
    Answer(
        "dot_product_lookup",
        "the best key's value",
        """
def dot_product_lookup(queries, keys, values):
    return values[np.argmax(queries @ keys.T, axis=1)]
""",
    ),
    Answer(
        "dot_product_lookup",
        "cosines instead of products",
        """
def dot_product_lookup(queries, keys, values):
    q = queries / np.linalg.norm(queries, axis=1, keepdims=True)
    k = keys / np.linalg.norm(keys, axis=1, keepdims=True)
    return softmax(q @ k.T / np.sqrt(keys.shape[1]), axis=1) @ values
""",
    ),
    Answer(
        "dot_product_lookup",
        "weights come back as well",
        """
def dot_product_lookup(queries, keys, values):
    weights = softmax(queries @ keys.T / np.sqrt(keys.shape[1]), axis=1)
    return weights @ values, weights
""",
    ),
    Answer(
        "dot_product_lookup",
        "√2, the lesson's width, as a constant",
        """
def dot_product_lookup(queries, keys, values):
    return softmax(queries @ keys.T / np.sqrt(2), axis=1) @ values
""",
    ),
)

PREDICTIONS = (
    Answer("name_the_slip", "numbers", "winner = 51\nfaulty_line = 2", right=True),
    Answer("name_the_slip", "floats and a list", "winner = np.float64(51.0)\nfaulty_line = [2]", right=True),
    Answer("name_the_slip", "the exponential", "winner = 51.0\nfaulty_line = 3.0", "blames the exponential"),
    Answer("name_the_slip", "the sum", "winner, faulty_line = 51, 4", "blames the sum"),
    Answer("name_the_slip", "an index", "winner = 0\nfaulty_line = 2", "position instead of waist"),
    Answer("name_the_slip", "the usual winners", "winner = 56\nfaulty_line = 2"),
    Answer("name_the_slip", "words", "winner = 'the first'\nfaulty_line = 'line 2'"),
    Answer("predict_bandwidth", "rounded", "nearly_zero = 43\nenormous = 43.7", right=True),
    Answer(
        "predict_bandwidth",
        "computed",
        "nearly_zero = np.array([43.0])\nenormous = np.mean([40, 43, 48])",
        right=True,
    ),
    Answer(
        "predict_bandwidth",
        "the other way round",
        "nearly_zero = 43.667\nenormous = 43.0",
        "bandwidth upside down",
    ),
    Answer(
        "predict_bandwidth",
        "halfway both times",
        "nearly_zero = (43 + 48) / 2\nenormous = (43 + 48) / 2",
        "the two neighbours",
    ),
    Answer("predict_bandwidth", "zero", "nearly_zero = 0\nenormous = 131 / 3", "nothing within reach"),
    Answer("predict_bandwidth", "the wrong neighbour", "nearly_zero = 48\nenormous = 43.67"),
    Answer("predict_bandwidth", "keys instead of values", "nearly_zero = 56\nenormous = 55"),
    Answer("predict_twins", "the average", "at_the_twins = [45.5, 160.5]", right=True),
    Answer(
        "predict_twins", "computed", "at_the_twins = np.array([[43, 159], [48, 162]]).mean(0)", right=True
    ),
    Answer("predict_twins", "the first", "at_the_twins = (43.0, 159.0)", "like a dictionary"),
    Answer("predict_twins", "the last", "at_the_twins = np.array([48, 162])", "like a dictionary"),
    Answer("predict_twins", "the sum", "at_the_twins = [43 + 48, 159 + 162]", "added up"),
    Answer("predict_twins", "everyone's mean", "at_the_twins = [43.67, 158.67]"),
    Answer("predict_twins", "one number", "at_the_twins = 45.5"),
    Answer("predict_divisor", "three", "divisor_at_9 = 3", right=True),
    Answer("predict_divisor", "a root", "divisor_at_9 = np.sqrt(9)", right=True),
    Answer("predict_divisor", "nine", "divisor_at_9 = 9.0", "wrong power"),
    Answer("predict_divisor", "half", "divisor_at_9 = 9 ** 1 / 2", "wrong power"),
    Answer("predict_divisor", "two", "divisor_at_9 = 2"),
    Answer("predict_divisor", "none", "divisor_at_9 = None"),
)

ANSWERS = (
    *PREDICTIONS,
    *GAUSSIAN_WEIGHTS,
    *KERNEL_REGRESSION,
    *LEAVE_ONE_OUT_ERROR,
    *BEST_BANDWIDTH,
    *DOT_PRODUCT_LOOKUP,
)
