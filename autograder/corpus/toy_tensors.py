"""Answers to lesson 02."""

from __future__ import annotations

from dataclasses import replace

from autograder.corpus import Answer, mistake, right, unlisted

SIMPLE, SCALED, SELF = "simple_attention", "scaled_dot_product_attention", "self_attention"
WRITES = "writes into its input"

# --- NumPy, two axes --------------------------------------------------------------------------------------------

SIMPLE_ATTENTION = (
    right(
        SIMPLE,
        "einsum, own softmax",
        """
def simple_attention(Q, K, V):
    scores = np.einsum("qd,kd->qk", Q, K) / np.sqrt(Q.shape[1])
    kernel = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.einsum("qk,kv->qv", kernel / kernel.sum(axis=1, keepdims=True), V)
""",
        row="einsum",
    ),
    right(
        SIMPLE,
        "loops and lists",
        """
def simple_attention(Q, K, V):
    rows = []
    for q in Q:
        scores = [sum(a * b for a, b in zip(q, k)) / len(q) ** 0.5 for k in K]
        kernel = [np.exp(score - max(scores)) for score in scores]
        total = sum(kernel)
        rows.append([sum(w * v[j] for w, v in zip(kernel, V)) / total for j in range(V.shape[1])])
    return rows
""",
        row="loops",
    ),
    right(
        SIMPLE,
        "logsumexp, quarter powers on both sides",
        """
from scipy.special import logsumexp

def simple_attention(Q, K, V):
    root = K.shape[1] ** -0.25
    scores = (Q * root) @ (K * root).T
    return np.exp(scores - logsumexp(scores, axis=1, keepdims=True)) @ V
""",
        row="logsumexp",
    ),
    right(
        SIMPLE,
        "keys in rows, softmax down the columns",
        """
def simple_attention(Q, K, V):
    scaled = Q / np.sqrt(len(K[0]))
    weights = softmax(K @ scaled.T, axis=0)
    return (V.T @ weights).T
""",
        row="scaled Q",
    ),
    right(
        SIMPLE,
        "single precision",
        """
def simple_attention(Q, K, V):
    Q, K, V = Q.astype(np.float32), K.astype(np.float32), V.astype(np.float32)
    scores = np.dot(Q, K.T) / np.float32(np.sqrt(K.shape[1]))
    weights = np.exp(scores - np.max(scores, axis=-1)[:, None])
    weights /= np.sum(weights, axis=-1)[:, None]
    return np.dot(weights, V)
""",
    ),
    right(
        SIMPLE,
        "torch's own attention",
        """
def simple_attention(Q, K, V):
    return torch.nn.functional.scaled_dot_product_attention(*map(torch.tensor, (Q, K, V)))
""",
        row="the library's own SDPA where the text allows it",
    ),
    right(
        SIMPLE,
        "output filled row by row",
        """
def simple_attention(Q, K, V):
    n_q, d_k = Q.shape
    output = np.empty((n_q, V.shape[1]))
    for i in range(n_q):
        output[i] = softmax(K.dot(Q[i]) / d_k ** 0.5) @ V
    return output
""",
        row="loops",
    ),
    mistake(
        SIMPLE,
        "no scale",
        "dot and softmax",
        """
def simple_attention(Q, K, V):
    scores = np.dot(Q, K.T)
    return np.dot(softmax(scores), V)
""",
    ),
    mistake(
        SIMPLE,
        "no scale",
        "scale computed and unused",
        """
def simple_attention(Q, K, V):
    d_k = K.shape[1]
    scores = np.einsum("ij,kj->ik", Q, K)
    scores / np.sqrt(d_k)
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1, keepdims=True)) @ V
""",
    ),
    mistake(
        SIMPLE,
        "wrong power",
        "by d_k",
        """
def simple_attention(Q, K, V):
    return softmax(Q @ K.T / len(K[0])) @ V
""",
    ),
    mistake(
        SIMPLE,
        "wrong power",
        "times the root",
        """
def simple_attention(Q, K, V):
    scores = Q @ K.T
    scores = scores * np.sqrt(Q.shape[-1])
    return softmax(scores, axis=1) @ V
""",
    ),
    mistake(
        SIMPLE,
        "wrong power",
        "d ** 1/2",
        """
def simple_attention(Q, K, V):
    d = K.shape[1]
    return softmax(Q.dot(K.T) / (d ** 1/2), axis=-1).dot(V)
""",
    ),
    mistake(
        SIMPLE,
        "wrong length",
        "number of keys",
        """
import math

def simple_attention(Q, K, V):
    scores = np.matmul(Q, np.transpose(K)) / math.sqrt(len(K))
    return np.matmul(softmax(scores), V)
""",
    ),
    mistake(
        SIMPLE,
        "wrong length",
        "width of the values",
        """
def simple_attention(Q, K, V):
    n, d = V.shape
    return softmax(Q @ K.T * d ** -0.5) @ V
""",
    ),
    mistake(
        SIMPLE,
        "wrong length",
        "number of queries",
        "def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(Q.shape[0])) @ V",
    ),
    mistake(
        SIMPLE,
        "scaled after softmax",
        "weights divided",
        """
def simple_attention(Q, K, V):
    weights = softmax(Q @ K.T, axis=1)
    weights = weights / np.sqrt(K.shape[1])
    return weights @ V
""",
    ),
    mistake(
        SIMPLE,
        "scaled after softmax",
        "output divided",
        """
def simple_attention(Q, K, V):
    return (softmax(Q @ K.T) @ V) / np.sqrt(Q.shape[1])
""",
    ),
    mistake(
        SIMPLE,
        "softmax over queries",
        "axis 0",
        "def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=0) @ V",
    ),
    mistake(
        SIMPLE,
        "softmax over queries",
        "column by column",
        """
def simple_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = np.zeros(scores.shape)
    for j in range(scores.shape[1]):
        e = np.exp(scores[:, j] - scores[:, j].max())
        weights[:, j] = e / e.sum()
    return weights @ V
""",
    ),
    mistake(
        SIMPLE,
        "whole matrix",
        "axis None",
        "def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=None) @ V",
    ),
    mistake(
        SIMPLE,
        "whole matrix",
        "one sum",
        """
def simple_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(scores - np.max(scores))
    return e / np.sum(e) @ V
""",
    ),
    mistake(
        SIMPLE,
        "wrong partner",
        "keys fetched",
        """
def simple_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    output = weights @ K
    return output
""",
    ),
    mistake(
        SIMPLE,
        "wrong partner",
        "queries against values",
        "def simple_attention(Q, K, V): return softmax(Q @ V.T / np.sqrt(K.shape[1])) @ V",
    ),
    mistake(
        SIMPLE,
        "wrong partner",
        "queries against queries",
        "def simple_attention(Q, K, V): return softmax(Q @ Q.T / np.sqrt(Q.shape[1])) @ V",
    ),
    mistake(
        SIMPLE,
        "wrong partner",
        "keys ask",
        """
def simple_attention(Q, K, V):
    scores = np.einsum("kd,qd->kq", K, Q) / np.sqrt(K.shape[1])
    return np.einsum("kq,qv->kv", softmax(scores), V)
""",
    ),
    mistake(
        SIMPLE,
        "weights transposed",
        "T before V",
        "def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1])).T @ V",
    ),
    mistake(
        SIMPLE,
        "weights transposed",
        "einsum with the letters swapped",
        """
def simple_attention(Q, K, V):
    w = softmax(np.einsum("id,jd->ij", Q, K) / K.shape[1] ** 0.5)
    return np.einsum("ji,jv->iv", w, V)
""",
    ),
    mistake(
        SIMPLE,
        "overflow",
        "exp by hand",
        """
def simple_attention(Q, K, V):
    powers = np.exp(Q @ K.T / np.sqrt(K.shape[1]))
    return (powers / powers.sum(axis=1, keepdims=True)) @ V
""",
    ),
    mistake(
        SIMPLE,
        "overflow",
        "loops with math-like exp",
        """
def simple_attention(Q, K, V):
    out = np.zeros((len(Q), V.shape[1]))
    for i, q in enumerate(Q):
        e = np.array([np.exp(np.dot(q, k) / np.sqrt(len(k))) for k in K])
        out[i] = sum(e[j] / e.sum() * V[j] for j in range(len(V)))
    return out
""",
    ),
    mistake(
        SIMPLE,
        "global shift",
        "one maximum",
        """
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - s.max())
    return (e / e.sum(axis=1, keepdims=True)) @ V
""",
    ),
    mistake(
        SIMPLE,
        "global shift",
        "np.max, then transposed division",
        """
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - np.max(s))
    return (e.T / np.sum(e, axis=1)).T @ V
""",
    ),
    mistake(
        SIMPLE,
        "broadcast",
        "sums not kept",
        """
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return (e / e.sum(axis=1)) @ V
""",
    ),
    mistake(
        SIMPLE,
        "broadcast",
        "neither kept",
        """
def simple_attention(Q, K, V):
    s = np.dot(Q, K.T) / np.sqrt(K.shape[1])
    s = s - np.max(s, axis=-1)
    w = np.exp(s) / np.sum(np.exp(s), axis=-1)
    return np.dot(w, V)
""",
    ),
    mistake(
        SIMPLE,
        WRITES,
        "Q scaled in place",
        """
def simple_attention(Q, K, V):
    Q /= np.sqrt(K.shape[1])
    return softmax(Q @ K.T) @ V
""",
    ),
    mistake(
        SIMPLE,
        WRITES,
        "K scaled in place, times",
        """
def simple_attention(Q, K, V):
    K *= 1 / np.sqrt(K.shape[1])
    return softmax(Q @ K.T) @ V
""",
    ),
    unlisted(
        SIMPLE,
        "nothing returned",
        """
def simple_attention(Q, K, V):
    softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
""",
    ),
    unlisted(
        SIMPLE,
        "weights returned",
        "def simple_attention(Q, K, V): return softmax(Q @ K.T / np.sqrt(K.shape[1]))",
    ),
    unlisted(
        SIMPLE,
        "both returned",
        """
def simple_attention(Q, K, V):
    w = softmax(Q @ K.T / np.sqrt(K.shape[1]))
    return w @ V, w
""",
    ),
    unlisted(SIMPLE, "no softmax", "def simple_attention(Q, K, V): return Q @ K.T / np.sqrt(K.shape[1]) @ V"),
    unlisted(
        SIMPLE,
        "softmax twice",
        "def simple_attention(Q, K, V): return softmax(softmax(Q @ K.T / np.sqrt(K.shape[1]))) @ V",
    ),
    unlisted(
        SIMPLE,
        "cosine",
        """
def simple_attention(Q, K, V):
    Q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    K = K / np.linalg.norm(K, axis=1, keepdims=True)
    return softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V
""",
    ),
    unlisted(
        SIMPLE,
        "the best key alone",
        "def simple_attention(Q, K, V): return V[np.argmax(Q @ K.T, axis=1)]",
    ),
    unlisted(
        SIMPLE,
        "sign turned",
        "def simple_attention(Q, K, V): return softmax(-(Q @ K.T) / np.sqrt(K.shape[1])) @ V",
    ),
    unlisted(
        SIMPLE,
        "shared out without exp",
        """
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    return s / s.sum(axis=1, keepdims=True) @ V
""",
    ),
    unlisted(
        SIMPLE,
        "scores clipped",
        "def simple_attention(Q, K, V): return softmax(np.clip(Q @ K.T / np.sqrt(K.shape[1]), -50, 50)) @ V",
    ),
    unlisted(
        SIMPLE,
        "flattened",
        "def simple_attention(Q, K, V): return (softmax(Q @ K.T / np.sqrt(K.shape[1])) @ V).ravel()",
    ),
    unlisted(
        SIMPLE,
        "an epsilon too large",
        """
def simple_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[1])
    e = np.exp(s - s.max(axis=1, keepdims=True))
    return e / (e.sum(axis=1, keepdims=True) + 1e-2) @ V
""",
    ),
)

# --- torch, any batch axes --------------------------------------------------------------------------------------

SCALED_DOT_PRODUCT_ATTENTION = (
    right(
        SCALED,
        "einsum",
        """
def scaled_dot_product_attention(Q, K, V):
    weights = torch.einsum("...qd,...kd->...qk", Q / Q.size(-1) ** 0.5, K).softmax(-1)
    return torch.einsum("...qk,...kv->...qv", weights, V), weights
""",
        row="einsum",
    ),
    right(
        SCALED,
        "logsumexp and quarter powers, a list",
        """
def scaled_dot_product_attention(Q, K, V):
    root = K.size(-1) ** 0.25
    scores = torch.matmul(Q / root, (K / root).mT)
    weights = (scores - scores.logsumexp(-1, keepdim=True)).exp()
    return [weights.matmul(V), weights]
""",
        row="d^−¼ on both sides",
    ),
    right(
        SCALED,
        "own softmax, maximum detached",
        """
def scaled_dot_product_attention(Q, K, V):
    d_k = torch.tensor(K.shape[-1])
    scores = Q @ torch.swapaxes(K, -1, -2) * d_k.rsqrt()
    kernel = torch.exp(scores - scores.detach().max(dim=-1, keepdim=True).values)
    weights = kernel / torch.sum(kernel, dim=-1, keepdim=True)
    return weights @ V, weights
""",
    ),
    right(
        SCALED,
        "baddbmm",
        """
def scaled_dot_product_attention(Q, K, V):
    batch = Q.shape[:-2]
    q, k, v = [x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V)]
    empty = torch.zeros(len(q), Q.shape[-2], K.shape[-2])
    scores = torch.baddbmm(empty, q, k.transpose(1, 2), alpha=K.shape[-1] ** -0.5)
    weights = torch.softmax(scores, dim=2)
    output = torch.bmm(weights, v)
    return output.reshape(*batch, *output.shape[1:]), weights.reshape(*batch, *weights.shape[1:])
""",
        row="baddbmm",
    ),
    right(
        SCALED,
        "bmm for three axes, matmul otherwise",
        """
import math

def scaled_dot_product_attention(Q, K, V):
    times = torch.bmm if Q.dim() == 3 else torch.matmul
    scores = times(Q, K.transpose(-1, -2)) / math.sqrt(K.size(-1))
    weights = torch.nn.functional.softmax(scores, dim=-1)
    return times(weights, V), weights
""",
        row="bmm",
    ),
    right(
        SCALED,
        "query by query, recursion over the batch",
        """
def scaled_dot_product_attention(Q, K, V):
    if Q.dim() > 2:
        pairs = [scaled_dot_product_attention(q, k, v) for q, k, v in zip(Q, K, V)]
        return torch.stack([p[0] for p in pairs]), torch.stack([p[1] for p in pairs])
    weights = torch.zeros(len(Q), len(K))
    for i, q in enumerate(Q):
        weights[i] = torch.softmax(torch.stack([q.dot(k) for k in K]) / np.sqrt(len(q)), dim=0)
    return torch.stack([(row[:, None] * V).sum(dim=0) for row in weights]), weights
""",
        row="loops",
    ),
    right(
        SCALED,
        ".mT",
        """
def scaled_dot_product_attention(Q, K, V):
    scores = Q.matmul(K.mT).div(K.shape[-1] ** 0.5)
    weights = scores.softmax(dim=-1)
    return weights.matmul(V), weights
""",
        row=".mT",
    ),
    right(
        SCALED,
        "the course's helper",
        """
def scaled_dot_product_attention(Q, K, V):
    return attention(Q, K, V)
""",
        row="the library's own SDPA where the text allows it",
    ),
    right(
        SCALED,
        "double precision",
        """
def scaled_dot_product_attention(Q, K, V):
    Q, K, V = Q.double(), K.double(), V.double()
    scores = Q @ K.transpose(-2, -1) / torch.sqrt(torch.tensor(float(K.shape[-1])))
    weights = torch.softmax(scores, -1)
    return weights @ V, weights
""",
        row="scaled Q",
    ),
    right(
        SCALED,
        "log-softmax and a namedtuple",
        """
from collections import namedtuple
import torch.nn.functional as F

Attention = namedtuple("Attention", "output weights")

def scaled_dot_product_attention(Q, K, V):
    weights = F.log_softmax(Q @ K.movedim(-1, -2) * K.shape[-1] ** -0.5, dim=-1).exp()
    return Attention(weights @ V, weights)
""",
    ),
    mistake(
        SCALED,
        "no scale",
        "einsum",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.einsum("...qd,...kd->...qk", Q, K).softmax(-1)
    return torch.einsum("...qk,...kd->...qd", w, V), w
""",
    ),
    mistake(
        SCALED,
        "no scale",
        "own softmax",
        """
def scaled_dot_product_attention(Q, K, V):
    s = torch.matmul(Q, K.transpose(-1, -2))
    e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
    w = e / e.sum(dim=-1, keepdim=True)
    return torch.matmul(w, V), w
""",
    ),
    mistake(
        SCALED,
        "wrong power",
        "by d_k",
        """
def scaled_dot_product_attention(Q, K, V):
    d_k = K.size(-1)
    weights = torch.softmax((Q @ K.mT) / d_k, dim=-1)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "wrong power",
        "d ** 1 / 2",
        """
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.transpose(-2, -1)
    scores = scores / (Q.shape[-1] ** 1 / 2)
    weights = scores.softmax(-1)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "wrong power",
        "multiplied",
        """
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.mT * np.sqrt(K.shape[-1]), -1)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "wrong power",
        "root twice: Q and K both divided",
        """
def scaled_dot_product_attention(Q, K, V):
    root = K.shape[-1] ** 0.5
    weights = torch.softmax((Q / root) @ (K / root).mT, -1)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "wrong length",
        "d_k = 4 by default",
        """
def scaled_dot_product_attention(Q, K, V, d_k=4):
    weights = torch.softmax(torch.matmul(Q, K.mT) / np.sqrt(d_k), dim=-1)
    return torch.matmul(weights, V), weights
""",
    ),
    mistake(
        SCALED,
        "wrong length",
        "number of keys",
        """
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.transpose(-2, -1)
    weights = torch.softmax(scores / scores.size(-1) ** 0.5, dim=-1)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "wrong length",
        "len(K)",
        """
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.mT / len(K) ** 0.5, dim=-1)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "scaled after softmax",
        "weights divided",
        """
def scaled_dot_product_attention(Q, K, V):
    weights = torch.nn.functional.softmax(Q @ K.mT, dim=-1)
    weights = weights / K.shape[-1] ** 0.5
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "scaled after softmax",
        "in place",
        """
def scaled_dot_product_attention(Q, K, V):
    w = (Q @ K.transpose(-1, -2)).softmax(-1)
    w = w.div(np.sqrt(Q.size(-1)))
    return torch.matmul(w, V), w
""",
    ),
    mistake(
        SCALED,
        "transposed the batch",
        "K.T",
        """
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.T / K.shape[-1] ** 0.5, dim=-1)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "transposed the batch",
        "axes 0 and 1",
        """
def scaled_dot_product_attention(Q, K, V):
    d_k = K.shape[-1]
    scores = torch.matmul(Q, torch.transpose(K, 0, 1)) / d_k ** 0.5
    attn = scores.softmax(dim=-1)
    return torch.matmul(attn, V), attn
""",
    ),
    mistake(
        SCALED,
        "transposed the batch",
        "permute of all axes",
        """
def scaled_dot_product_attention(Q, K, V):
    turned = K.permute(*range(K.dim() - 1, -1, -1))
    weights = torch.softmax(Q @ turned / K.shape[-1] ** 0.5, dim=-1)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "softmax over queries",
        "dim -2",
        """
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, dim=-2)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "softmax over queries",
        "no dim given",
        """
def scaled_dot_product_attention(Q, K, V):
    weights = torch.nn.functional.softmax(Q @ K.mT / K.shape[-1] ** 0.5)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "softmax over queries",
        "dim 1",
        """
import torch.nn as nn

attend = nn.Softmax(dim=1)

def scaled_dot_product_attention(Q, K, V):
    weights = attend(Q @ K.transpose(-1, -2) / K.shape[-1] ** 0.5)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "whole matrix",
        "one sum",
        """
def scaled_dot_product_attention(Q, K, V):
    e = torch.exp(Q @ K.mT / K.shape[-1] ** 0.5)
    w = e / e.sum()
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "whole matrix",
        "flattened",
        """
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.transpose(-2, -1) / K.shape[-1] ** 0.5
    w = s.flatten().softmax(0).view(s.shape)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "whole matrix",
        "one sum a matrix",
        """
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(dim=(-2, -1), keepdim=True))
    w = e / e.sum(dim=(-2, -1), keepdim=True)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "wrong partner",
        "weights times K",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w @ K, w
""",
    ),
    mistake(
        SCALED,
        "wrong partner",
        "scores from Q and V",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ V.transpose(-2, -1) / K.shape[-1] ** 0.5, dim=-1)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "wrong partner",
        "K against Q",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(torch.matmul(K, Q.mT) / K.shape[-1] ** 0.5, dim=-1)
    return torch.matmul(w, V), w
""",
    ),
    mistake(
        SCALED,
        "weights transposed",
        "before V",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w.mT @ V, w
""",
    ),
    mistake(
        SCALED,
        "weights transposed",
        "einsum letters",
        """
def scaled_dot_product_attention(Q, K, V):
    w = (torch.einsum("...id,...jd->...ij", Q, K) / K.shape[-1] ** 0.5).softmax(-1)
    return torch.einsum("...ij,...id->...jd", w, V), w
""",
    ),
    mistake(
        SCALED,
        "overflow",
        "exp by hand",
        """
def scaled_dot_product_attention(Q, K, V):
    e = (Q @ K.mT / K.shape[-1] ** 0.5).exp()
    w = e / e.sum(-1, keepdim=True)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "overflow",
        "two exponentials",
        """
def scaled_dot_product_attention(Q, K, V):
    s = torch.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(K.shape[-1])
    w = torch.exp(s) / torch.exp(s).sum(dim=-1).unsqueeze(-1)
    return torch.einsum("...qk,...kd->...qd", w, V), w
""",
    ),
    mistake(
        SCALED,
        "global shift",
        "s.max()",
        """
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.max())
    w = e / e.sum(dim=-1, keepdim=True)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "global shift",
        "torch.max, unsqueezed sum",
        """
def scaled_dot_product_attention(Q, K, V):
    s = torch.matmul(Q, K.transpose(-1, -2)) / K.size(-1) ** 0.5
    e = torch.exp(s - torch.max(s))
    w = e / torch.sum(e, -1).unsqueeze(-1)
    return torch.matmul(w, V), w
""",
    ),
    mistake(
        SCALED,
        "broadcast",
        "sum without keepdim",
        """
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    w = e / e.sum(-1)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "broadcast",
        "neither kept",
        """
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    e = torch.exp(s - s.max(dim=-1).values)
    w = e / e.sum(dim=-1)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        WRITES,
        "Q scaled in place",
        """
def scaled_dot_product_attention(Q, K, V):
    Q /= K.shape[-1] ** 0.5
    w = (Q @ K.mT).softmax(-1)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        WRITES,
        "K.div_",
        """
def scaled_dot_product_attention(Q, K, V):
    K.div_(K.shape[-1] ** 0.5)
    w = torch.softmax(Q @ K.mT, dim=-1)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "gradient cut",
        "through numpy",
        """
def scaled_dot_product_attention(Q, K, V):
    scores = np.asarray(Q @ K.mT) / K.shape[-1] ** 0.5
    weights = torch.tensor(softmax(scores, axis=-1))
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "gradient cut",
        "no_grad",
        """
def scaled_dot_product_attention(Q, K, V):
    with torch.no_grad():
        w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
        return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "gradient cut",
        ".data",
        """
def scaled_dot_product_attention(Q, K, V):
    scores = Q.data @ K.data.transpose(-2, -1) / K.shape[-1] ** 0.5
    w = torch.softmax(scores, -1)
    return w @ V, w
""",
    ),
    mistake(
        SCALED,
        "gradient cut",
        "tensors made anew",
        """
def scaled_dot_product_attention(Q, K, V):
    weights = torch.softmax(torch.tensor((Q @ K.mT).tolist()) / K.shape[-1] ** 0.5, -1)
    return weights @ V, weights
""",
    ),
    mistake(
        SCALED,
        "gradient cut",
        "weights handed out detached",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w @ V, w.detach()
""",
    ),
    unlisted(
        SCALED,
        "results swapped",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w, w @ V
""",
    ),
    unlisted(
        SCALED,
        "output alone",
        """
def scaled_dot_product_attention(Q, K, V):
    return torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1) @ V
""",
    ),
    unlisted(
        SCALED,
        "scores for weights",
        """
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    return s.softmax(-1) @ V, s
""",
    ),
    unlisted(
        SCALED,
        "dropout left on",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return torch.nn.functional.dropout(w, 0.1) @ V, w
""",
    ),
    unlisted(
        SCALED,
        "log-softmax",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.log_softmax(Q @ K.mT / K.shape[-1] ** 0.5, -1)
    return w @ V, w
""",
    ),
    unlisted(
        SCALED,
        "half precision",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(Q.bfloat16() @ K.bfloat16().mT / K.shape[-1] ** 0.5, -1)
    return (w @ V.bfloat16()).float(), w.float()
""",
    ),
    unlisted(
        SCALED,
        "batches of one matrix only",
        """
def scaled_dot_product_attention(Q, K, V):
    w = torch.softmax(torch.mm(Q, K.t()) / K.shape[1] ** 0.5, dim=1)
    return torch.mm(w, V), w
""",
    ),
    unlisted(
        SCALED,
        "three axes at most",
        """
def scaled_dot_product_attention(Q, K, V):
    equation = "bqd,bkd->bqk" if Q.dim() == 3 else "qd,kd->qk"
    w = torch.softmax(torch.einsum(equation, Q, K) / K.shape[-1] ** 0.5, dim=-1)
    return torch.matmul(w, V), w
""",
    ),
    unlisted(
        SCALED,
        "causal without being asked",
        """
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.mT / K.shape[-1] ** 0.5
    w = s.masked_fill(torch.ones(s.shape).triu(1).bool(), -torch.inf).softmax(-1)
    return w @ V, w
""",
    ),
    unlisted(
        SCALED,
        "the first of the batch for all",
        """
def scaled_dot_product_attention(Q, K, V):
    k = K[0] if K.dim() > 2 else K
    w = torch.softmax(Q @ k.mT / K.shape[-1] ** 0.5, -1)
    return w @ V, w
""",
    ),
)

# --- self-attention ---------------------------------------------------------------------------------------------


def _projected(answer: Answer) -> Answer:
    """The same steps, written out in `self_attention`."""
    head, body = "def scaled_dot_product_attention(Q, K, V):\n", "def self_attention(X, W_Q, W_K, W_V):\n"
    code = answer.code.replace(head, f"{body}    Q, K, V = X @ W_Q, X @ W_K, X @ W_V\n")
    return replace(answer, exercise=SELF, code=code, row="")


OF_BATCHES = ("transposed the batch", "gradient cut", WRITES)
"""What goes wrong with a batch or a gradient; and here it is the products that would be overwritten, not X."""
LEFT_OUT = ("recursion", "three axes", "batch", "d_k = 4", "dim 1", "no dim")

SELF_ATTENTION = (
    *(
        _projected(answer)
        for answer in SCALED_DOT_PRODUCT_ATTENTION
        if answer.misconception not in OF_BATCHES
        and "(Q, K, V):\n" in answer.code
        and not any(words in answer.style for words in LEFT_OUT)
    ),
    right(
        SELF,
        "earlier answer",
        """
def self_attention(X, W_Q, W_K, W_V):
    queries = X @ W_Q
    keys = X @ W_K
    values = X @ W_V
    output, weights = scaled_dot_product_attention(queries, keys, values)
    return output, weights
""",
    ),
    right(
        SELF,
        "through numpy",
        """
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (X.numpy() @ W.numpy() for W in (W_Q, W_K, W_V))
    weights = softmax(Q @ K.T / np.sqrt(K.shape[1]), axis=1)
    return weights @ V, weights
""",
    ),
    right(
        SELF,
        "linear layers",
        """
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (torch.nn.functional.linear(X, W.T) for W in (W_Q, W_K, W_V))
    weights = torch.softmax(Q @ K.T / np.sqrt(W_K.shape[1]), dim=1)
    return weights @ V, weights
""",
    ),
    right(
        SELF,
        "word by word",
        """
def self_attention(X, W_Q, W_K, W_V):
    outputs, rows = [], []
    for x in X:
        scores = torch.tensor([float((x @ W_Q) @ (y @ W_K)) for y in X]) / W_K.shape[1] ** 0.5
        row = torch.softmax(scores, 0)
        rows.append(row)
        outputs.append(sum(w * (y @ W_V) for w, y in zip(row, X)))
    return torch.stack(outputs), torch.stack(rows)
""",
    ),
    right(
        SELF,
        "the matrices multiplied first",
        """
def self_attention(X, W_Q, W_K, W_V):
    weights = (X @ (W_Q @ W_K.T) @ X.T / W_Q.shape[1] ** 0.5).softmax(dim=-1)
    return (weights @ X) @ W_V, weights
""",
    ),
    mistake(
        SELF,
        "wrong partner",
        "W_Q for all",
        """
def self_attention(X, W_Q, W_K, W_V):
    Q = K = V = X @ W_Q
    return scaled_dot_product_attention(Q, K, V)
""",
    ),
    mistake(
        SELF,
        "wrong partner",
        "keys and values from W_K",
        """
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_K)
""",
    ),
    mistake(
        SELF,
        "wrong partner",
        "arguments in another order",
        """
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_K, X @ W_Q, X @ W_V)
""",
    ),
    mistake(
        SELF,
        "wrong length",
        "width of the words",
        """
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.softmax(Q @ K.T / X.shape[1] ** 0.5, dim=1)
    return weights @ V, weights
""",
    ),
    mistake(
        SELF,
        "softmax over queries",
        "dim 0",
        """
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = torch.softmax(Q @ K.T / K.shape[1] ** 0.5, dim=0)
    return weights @ V, weights
""",
    ),
    mistake(
        SELF,
        WRITES,
        "W_K scaled in place",
        """
def self_attention(X, W_Q, W_K, W_V):
    W_K /= W_K.shape[1] ** 0.5
    weights = ((X @ W_Q) @ (X @ W_K).T).softmax(-1)
    return weights @ (X @ W_V), weights
""",
    ),
    mistake(
        SELF,
        WRITES,
        "output added to X",
        """
def self_attention(X, W_Q, W_K, W_V):
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    X *= 2
    return output, weights
""",
    ),
    unlisted(
        SELF,
        "no projections",
        "def self_attention(X, W_Q, W_K, W_V): return scaled_dot_product_attention(X, X, X)",
    ),
    unlisted(
        SELF,
        "values not projected",
        "def self_attention(X, W_Q, W_K, W_V): return scaled_dot_product_attention(X @ W_Q, X @ W_K, X)",
    ),
    unlisted(
        SELF,
        "matrices transposed",
        """
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_Q.T, X @ W_K.T, X @ W_V.T)
""",
    ),
    unlisted(
        SELF,
        "added back to the words",
        """
def self_attention(X, W_Q, W_K, W_V):
    V = X @ W_V
    output, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, V)
    return output + V, weights
""",
    ),
    unlisted(
        SELF,
        "relu on the projections",
        """
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (torch.relu(X @ W) for W in (W_Q, W_K, W_V))
    return scaled_dot_product_attention(Q, K, V)
""",
    ),
    unlisted(
        SELF,
        "own matrices",
        """
def self_attention(X, W_Q, W_K, W_V):
    torch.manual_seed(0)
    W_Q, W_K, W_V = (torch.randn(W.shape) for W in (W_Q, W_K, W_V))
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
""",
    ),
)

# --- the variance of scores -------------------------------------------------------------------------------------

VARIANCE = "score_variance"

SCORE_VARIANCE = (
    right(
        VARIANCE,
        "one array, einsum, ddof 1",
        """
def score_variance(d_k, n_samples, rng):
    k, q = rng.normal(0, 1, size=(2, d_k, n_samples))
    scores = np.einsum("ij,ij->j", q, k)
    return np.array([scores.var(ddof=1), (scores / d_k**0.5).var(ddof=1)])
""",
    ),
    right(
        VARIANCE,
        "diagonal of a product",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((n_samples, d_k)), rng.standard_normal((n_samples, d_k))
    scores = np.diag(q @ k.T)
    return np.var(scores), np.var(scores / np.sqrt(d_k))
""",
    ),
    right(
        VARIANCE,
        "loop, by the formula",
        """
def score_variance(d_k, n_samples, rng):
    scores = []
    for _ in range(n_samples):
        q, k = rng.standard_normal(d_k), rng.standard_normal(d_k)
        scores.append(np.dot(q, k))
    mean = sum(scores) / n_samples
    raw = sum((s - mean) ** 2 for s in scores) / (n_samples - 1)
    return raw, raw / d_k
""",
    ),
    right(
        VARIANCE,
        "single precision and std squared",
        """
def score_variance(d_k, n_samples, rng):
    q, k = [rng.standard_normal((n_samples, d_k), dtype=np.float32) for _ in range(2)]
    scores = (q * k).sum(1)
    return [float(np.var(scores)), float(np.std(scores / np.sqrt(d_k)) ** 2)]
""",
    ),
    right(
        VARIANCE,
        "torch seeded from rng",
        """
def score_variance(d_k, n_samples, rng):
    generator = torch.Generator().manual_seed(int(rng.integers(2**31)))
    q, k = torch.randn(2, n_samples, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return scores.var(), (scores / d_k**0.5).var()
""",
    ),
    right(
        VARIANCE,
        "statistics module",
        """
import statistics

def score_variance(d_k, n_samples, rng):
    q = rng.normal(size=(n_samples, d_k))
    k = rng.normal(size=(n_samples, d_k))
    raw = [float(a @ b) for a, b in zip(q, k)]
    return statistics.variance(raw), statistics.variance([s / d_k ** 0.5 for s in raw])
""",
    ),
    mistake(
        VARIANCE,
        "divided by d_k",
        "scores over d_k",
        """
def score_variance(d_k, n_samples, rng):
    q = rng.normal(size=(n_samples, d_k))
    k = rng.normal(size=(n_samples, d_k))
    s = np.sum(q * k, axis=1)
    return np.var(s), np.var(s / d_k)
""",
    ),
    mistake(
        VARIANCE,
        "divided by d_k",
        "variance over d_k squared, loop",
        """
def score_variance(d_k, n_samples, rng):
    scores = np.zeros(n_samples)
    for i in range(n_samples):
        scores[i] = rng.standard_normal(d_k) @ rng.standard_normal(d_k)
    return scores.var(), scores.var() / d_k**2
""",
    ),
    mistake(
        VARIANCE,
        "uniform instead of normal",
        "rng.random",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.random((n_samples, d_k)), rng.random((n_samples, d_k))
    s = np.einsum("nd,nd->n", q, k)
    return s.var(), (s / np.sqrt(d_k)).var()
""",
    ),
    mistake(
        VARIANCE,
        "uniform instead of normal",
        "uniform from -1 to 1",
        """
def score_variance(d_k, n_samples, rng):
    q = rng.uniform(-1, 1, (n_samples, d_k))
    k = rng.uniform(-1, 1, (n_samples, d_k))
    s = (q * k).sum(axis=1)
    return float(s.var()), float(s.var() / d_k)
""",
    ),
    mistake(
        VARIANCE,
        "deviation for variance",
        "std twice",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(-1)
    return np.std(s), np.std(s / np.sqrt(d_k))
""",
    ),
    mistake(
        VARIANCE,
        "deviation for variance",
        "variance divided by the root",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((n_samples, d_k)), rng.standard_normal((n_samples, d_k))
    raw = np.var([a @ b for a, b in zip(q, k)])
    return raw, raw / np.sqrt(d_k)
""",
    ),
    mistake(
        VARIANCE,
        "no scale",
        "the same twice",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.normal(size=(n_samples, d_k)), rng.normal(size=(n_samples, d_k))
    scores = (q * k).sum(axis=1)
    scaled = scores
    return scores.var(), scaled.var()
""",
    ),
    mistake(
        VARIANCE,
        "no scale",
        "scaled and forgotten",
        """
def score_variance(d_k, n_samples, rng):
    scores = np.array([rng.normal(size=d_k) @ rng.normal(size=d_k) for _ in range(n_samples)])
    raw = np.var(scores)
    scores / np.sqrt(d_k)
    return raw, np.var(scores)
""",
    ),
    mistake(
        VARIANCE,
        "fresh draws",
        "drawn again for the scaled",
        """
def score_variance(d_k, n_samples, rng):
    def scores():
        return (rng.standard_normal((n_samples, d_k)) * rng.standard_normal((n_samples, d_k))).sum(axis=1)

    return scores().var(), (scores() / np.sqrt(d_k)).var()
""",
    ),
    mistake(
        VARIANCE,
        "fresh draws",
        "two loops",
        """
def score_variance(d_k, n_samples, rng):
    raw = [rng.normal(size=d_k) @ rng.normal(size=d_k) for _ in range(n_samples)]
    scaled = [rng.normal(size=d_k) @ rng.normal(size=d_k) / d_k**0.5 for _ in range(n_samples)]
    return np.var(raw), np.var(scaled)
""",
    ),
    mistake(
        VARIANCE,
        "rng ignored",
        "np.random",
        """
def score_variance(d_k, n_samples, rng):
    scores = (np.random.randn(n_samples, d_k) * np.random.randn(n_samples, d_k)).sum(1)
    return scores.var(), scores.var() / d_k
""",
    ),
    mistake(
        VARIANCE,
        "rng ignored",
        "theory alone",
        """
def score_variance(d_k, n_samples, rng):
    return float(d_k), 1.0
""",
    ),
    mistake(
        VARIANCE,
        "rng ignored",
        "drawn and dropped",
        """
def score_variance(d_k, n_samples, rng):
    rng.normal(size=n_samples)
    return d_k, 1
""",
    ),
    mistake(
        VARIANCE,
        "rng ignored",
        "a generator of its own",
        """
def score_variance(d_k, n_samples, rng):
    rng = np.random.default_rng(42)
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(1)
    return s.var(), (s / d_k**0.5).var()
""",
    ),
    mistake(
        VARIANCE,
        "n_samples ignored",
        "always ten thousand",
        """
def score_variance(d_k, n_samples, rng):
    n_samples = 10_000
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(axis=1)
    return s.var(), (s / np.sqrt(d_k)).var()
""",
    ),
    mistake(
        VARIANCE,
        "n_samples ignored",
        "all pairs of queries and keys",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((500, d_k)), rng.standard_normal((500, d_k))
    s = q @ k.T
    return s.var(), (s / np.sqrt(d_k)).var()
""",
    ),
    unlisted(
        VARIANCE,
        "changed places",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(1)
    return s.var() / d_k, s.var()
""",
    ),
    unlisted(
        VARIANCE,
        "sum of q alone",
        """
def score_variance(d_k, n_samples, rng):
    s = rng.standard_normal((n_samples, d_k)).sum(axis=1)
    return s.var(), (s / np.sqrt(d_k)).var()
""",
    ),
    unlisted(
        VARIANCE,
        "scores drawn as if normal",
        """
def score_variance(d_k, n_samples, rng):
    s = rng.normal(0, np.sqrt(d_k), n_samples)
    return s.var(), (s / np.sqrt(d_k)).var()
""",
    ),
    unlisted(
        VARIANCE,
        "q against itself",
        """
def score_variance(d_k, n_samples, rng):
    q = rng.standard_normal((n_samples, d_k))
    s = (q * q).sum(axis=1)
    return s.var(), (s / np.sqrt(d_k)).var()
""",
    ),
    unlisted(
        VARIANCE,
        "signs for numbers",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.choice([-1.0, 1.0], (2, n_samples, d_k))
    s = (q * k).sum(axis=1)
    return s.var(), (s / np.sqrt(d_k)).var()
""",
    ),
    unlisted(
        VARIANCE,
        "all entries, no sum",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    return (q * k).var(), (q * k / np.sqrt(d_k)).var()
""",
    ),
    unlisted(
        VARIANCE,
        "nothing returned",
        """
def score_variance(d_k, n_samples, rng):
    s = rng.normal(size=n_samples)
""",
    ),
    unlisted(
        VARIANCE,
        "standard error",
        """
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(1)
    return s.var() / n_samples, s.var() / n_samples / d_k
""",
    ),
)

# --- predictions ------------------------------------------------------------------------------------------------

HAND, TOY = "predict_by_hand", "predict_toy_queries"

PREDICTIONS = (
    right(
        HAND,
        "three figures",
        """
hand_weights = [0.401, 0.198, 0.401]
hand_output = [16.04, 3.96]
""",
    ),
    right(
        HAND,
        "rounded",
        """
hand_weights = [0.4, 0.2, 0.4]
hand_output = [16.04, 3.96]
""",
    ),
    right(
        HAND,
        "arrays with an axis more",
        """
hand_weights = np.array([[0.401, 0.198, 0.401]])
hand_output = np.array([[16.04, 3.96]])
""",
    ),
    right(
        HAND,
        "at the edge",
        """
hand_weights = [0.41, 0.207, 0.41]
hand_output = [16.04, 3.96]
""",
    ),
    right(
        HAND,
        "tensor and tuple",
        """
hand_weights = torch.tensor([0.4011, 0.1978, 0.4011])
hand_output = (16.0445, 3.9555)
""",
    ),
    right(
        HAND,
        "column",
        """
hand_weights = [[0.40], [0.20], [0.41]]
hand_output = [np.float32(16.05), 3.95]
""",
    ),
    right(
        HAND,
        "worked out by code",
        """
hand_weights = softmax(np.array([1, 0]) @ np.array([[1, 0], [0, 1], [1, 0]]).T / np.sqrt(2))
hand_output = hand_weights @ np.array([[10, 0], [0, 20], [30, 0]])
""",
    ),
    mistake(
        HAND,
        "zero score, zero weight",
        "the notes' figures",
        """
hand_weights = [0.5, 0, 0.5]
hand_output = [20, 0]
""",
    ),
    mistake(
        HAND,
        "zero score, zero weight",
        "the scaled scores",
        """
hand_weights = [0.707, 0, 0.707]
hand_output = [28.28, 0]
""",
    ),
    mistake(
        HAND,
        "no scale",
        "two figures",
        """
hand_weights = [0.42, 0.16, 0.42]
hand_output = [16.9, 3.1]
""",
    ),
    mistake(
        HAND,
        "no scale",
        "by code",
        """
hand_weights = softmax([1, 0, 1])
hand_output = hand_weights @ [[10, 0], [0, 20], [30, 0]]
""",
    ),
    mistake(
        HAND,
        "wrong power",
        "by two",
        """
hand_weights = [0.384, 0.233, 0.384]
hand_output = [15.35, 4.66]
""",
    ),
    mistake(
        HAND,
        "wrong power",
        "times the root",
        """
e = np.exp([2**0.5, 0, 2**0.5])
hand_weights = e / e.sum()
hand_output = [40 * hand_weights[0], 20 * hand_weights[1]]
""",
    ),
    mistake(
        HAND,
        "wrong length",
        "root of three keys",
        """
hand_weights = softmax([3**-0.5, 0, 3**-0.5])
hand_output = [40 * hand_weights[0], 20 * hand_weights[1]]
""",
    ),
    mistake(
        HAND,
        "wrong length",
        "figures",
        """
hand_weights = [0.39, 0.219, 0.39]
hand_output = [15.62, 4.38]
""",
    ),
    mistake(
        HAND,
        "scaled after softmax",
        "figures",
        """
hand_weights = [0.299, 0.11, 0.299]
hand_output = [11.94, 2.2]
""",
    ),
    mistake(
        HAND,
        "scaled after softmax",
        "by code",
        """
hand_weights = softmax([1, 0, 1]) / 2**0.5
hand_output = [40 * hand_weights[0], 20 * hand_weights[1]]
""",
    ),
    mistake(
        HAND,
        "not normalised",
        "figures",
        """
hand_weights = [2.028, 1, 2.028]
hand_output = [81.1, 20]
""",
    ),
    mistake(
        HAND,
        "not normalised",
        "e, 1, e",
        """
hand_weights = [2.718, 1.0, 2.718]
hand_output = [108.7, 20]
""",
    ),
    mistake(
        HAND,
        "plain mean",
        "a third each",
        """
hand_weights = [1/3, 1/3, 1/3]
hand_output = [13.33, 6.67]
""",
    ),
    mistake(
        HAND,
        "plain mean",
        "rounded",
        """
hand_weights = [0.33, 0.33, 0.33]
hand_output = [13.3, 6.7]
""",
    ),
    mistake(
        HAND,
        "wrong partner",
        "figures",
        """
hand_weights = [0.401, 0.198, 0.401]
hand_output = [0.80, 0.20]
""",
    ),
    mistake(
        HAND,
        "wrong partner",
        "by code",
        """
hand_weights = softmax([2**-0.5, 0, 2**-0.5])
hand_output = hand_weights @ np.array([[1, 0], [0, 1], [1, 0]])
""",
    ),
    unlisted(
        HAND,
        "text",
        """
hand_weights = ['a', 'b', 'c']
hand_output = [16.04, 3.96]
""",
    ),
    unlisted(
        HAND,
        "output rounded too far",
        """
hand_weights = [0.401, 0.198, 0.401]
hand_output = [16, 4]
""",
    ),
    unlisted(
        HAND,
        "none",
        """
hand_weights = None
hand_output = None
""",
    ),
    unlisted(
        HAND,
        "output swapped",
        """
hand_weights = [0.401, 0.198, 0.401]
hand_output = [3.96, 16.04]
""",
    ),
    unlisted(
        HAND,
        "weights swapped",
        """
hand_weights = [0.198, 0.401, 0.401]
hand_output = [16.04, 3.96]
""",
    ),
    right(
        TOY,
        "tuples in another order",
        """
attends_to = ((1,), (3, 2), (1, 0))
looked_up = np.array([[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]])
""",
    ),
    right(
        TOY,
        "arrays and tensors",
        """
attends_to = [np.array([1]), torch.tensor([2, 3]), [0, 1]]
looked_up = torch.tensor([[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]])
""",
    ),
    right(
        TOY,
        "a lone number, an axis more",
        """
attends_to = [1, [2, 3], [0, 1]]
looked_up = [[[10.0, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]]
""",
    ),
    right(
        TOY,
        "sets",
        """
attends_to = [{1}, {2, 3}, {0, 1}]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
""",
    ),
    right(
        TOY,
        "worked out",
        """
out, w = scaled_dot_product_attention(
    torch.tensor([[0.0, 10, 0], [0, 0, 10], [10, 10, 0]]),
    torch.tensor([[10.0, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]]),
    torch.tensor([[1.0, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]]),
)
attends_to = [torch.nonzero(row > 0.01).flatten().tolist() for row in w]
looked_up = out
""",
    ),
    mistake(
        TOY,
        "off by one",
        "counted from 1",
        """
attends_to = [[2], [3, 4], [1, 2]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
""",
    ),
    mistake(
        TOY,
        "off by one",
        "sets from 1",
        """
attends_to = [{2}, {3, 4}, {1, 2}]
looked_up = None
""",
    ),
    mistake(
        TOY,
        "only one winner",
        "the first",
        """
attends_to = [[1], [2], [0]]
looked_up = [[10, 0, 2], [100, 5, 0], [1, 0, 1]]
""",
    ),
    mistake(
        TOY,
        "only one winner",
        "the last",
        """
attends_to = [1, 3, 1]
looked_up = [[10, 0, 2], [1000, 6, 0], [10, 0, 2]]
""",
    ),
    mistake(
        TOY,
        "wrong partner",
        "rows of the keys",
        """
attends_to = [[1], [2, 3], [0, 1]]
looked_up = [[0, 10, 0], [0, 0, 10], [5, 5, 0]]
""",
    ),
    mistake(
        TOY,
        "wrong partner",
        "keys, as an array",
        """
attends_to = [[1], [2, 3], [0, 1]]
looked_up = np.array([[0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]]) * 10
""",
    ),
    mistake(
        TOY,
        "not normalised",
        "added up",
        """
attends_to = [[1], [2, 3], [0, 1]]
looked_up = [[10, 0, 2], [1100, 11, 0], [11, 0, 3]]
""",
    ),
    mistake(
        TOY,
        "not normalised",
        "added up by code",
        """
attends_to = [[1], [2, 3], [0, 1]]
toy_values = np.array([[1, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]])
looked_up = [toy_values[rows].sum(axis=0) for rows in attends_to]
""",
    ),
    mistake(
        TOY,
        "positions, not keys",
        "places of the tens",
        """
attends_to = [[1], [2], [0, 1]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
""",
    ),
    mistake(
        TOY,
        "positions, not keys",
        "by code",
        """
attends_to = [list(np.flatnonzero(q)) for q in ([0, 10, 0], [0, 0, 10], [10, 10, 0])]
looked_up = np.zeros((3, 3))
""",
    ),
    unlisted(
        TOY,
        "weights for positions",
        """
attends_to = [[0, 1, 0, 0], [0, 0, 0.5, 0.5], [0.5, 0.5, 0, 0]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
""",
    ),
    unlisted(
        TOY,
        "truth values",
        """
attends_to = [[False, True, False, False]] * 3
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
""",
    ),
    unlisted(
        TOY,
        "two lists",
        """
attends_to = [[1], [2, 3]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
""",
    ),
    unlisted(
        TOY,
        "one row transposed",
        """
attends_to = [[1], [2, 3], [0, 1]]
looked_up = np.array([[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]).T
""",
    ),
    unlisted(
        TOY,
        "everything everywhere",
        """
attends_to = [[0, 1, 2, 3]] * 3
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
""",
    ),
    unlisted(
        TOY,
        "a key named twice",
        """
attends_to = [[1, 1], [2, 3], [0, 1]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
""",
    ),
    right("mend_the_divisor", "two figures", "divisor = 1.73"),
    right("mend_the_divisor", "root", "divisor = np.sqrt(3)"),
    mistake("mend_the_divisor", "wrong length", "two", "divisor = 2"),
    mistake("mend_the_divisor", "wrong length", "four keys", "divisor = len([0, 1, 2, 3])"),
    mistake("mend_the_divisor", "wrong power", "three", "divisor = 3"),
    mistake("mend_the_divisor", "wrong power", "half of three", "divisor = 3 ** 1 / 2"),
    unlisted("mend_the_divisor", "ten", "divisor = 10"),
    unlisted("mend_the_divisor", "text", "divisor = 'sqrt(3)'"),
    right("self_or_cross", "with attention behind", "kinds = ('Cross-attention', 'self-attention', 'CROSS')"),
    right("self_or_cross", "plain", "kinds = 'cross self cross'.split()"),
    mistake("self_or_cross", "self for cross", "list times three", "kinds = ['self'] * 3"),
    mistake(
        "self_or_cross",
        "self for cross",
        "with attention behind",
        "kinds = ('self-attention', 'Self', 'self')",
    ),
    mistake("self_or_cross", "shape for origin", "plain", "kinds = ['cross', 'self', 'self']"),
    mistake("self_or_cross", "shape for origin", "capitals", "kinds = ['Cross', 'Self', 'Self attention']"),
    unlisted("self_or_cross", "turned round", "kinds = ['self', 'cross', 'self']"),
    unlisted("self_or_cross", "two", "kinds = ['cross', 'self']"),
    right("what_sums_to_one", "capital", "sums_to_one = 'Matrix'"),
    right("what_sums_to_one", "in a list", "sums_to_one = ['matrix']"),
    mistake("what_sums_to_one", "axis taken for granted", "rows", "sums_to_one = 'rows'"),
    mistake("what_sums_to_one", "axis taken for granted", "every row", "sums_to_one = 'every row'"),
    mistake("what_sums_to_one", "axis taken for granted", "column", "sums_to_one = 'Column'"),
    unlisted("what_sums_to_one", "something else", "sums_to_one = 'elephant'"),
    unlisted("what_sums_to_one", "a number", "sums_to_one = 1"),
)

ANSWERS: tuple[Answer, ...] = (
    *SIMPLE_ATTENTION,
    *SCALED_DOT_PRODUCT_ATTENTION,
    *SELF_ATTENTION,
    *SCORE_VARIANCE,
    *PREDICTIONS,
)
