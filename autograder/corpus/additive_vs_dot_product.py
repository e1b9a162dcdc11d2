"""Answers to lesson 05: softmax within lengths, additive and dot-product attention, what a score costs."""

from __future__ import annotations

import textwrap

from autograder.corpus import Answer

MASKED_SOFTMAX = (
    # --- right ---
    Answer(
        "masked_softmax",
        "three loops",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, -1)
    batch, n_q, n_k = X.shape
    out = torch.zeros_like(X)
    for b in range(batch):
        for i in range(n_q):
            n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, i])
            if n:
                out[b, i, :n] = torch.softmax(X[b, i, :n], dim=0)
    return out
""",
        right=True,
        row="loops",
    ),
    Answer(
        "masked_softmax",
        "where, then nan_to_num behind a second where",
        """
import torch.nn.functional as F

def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return F.softmax(X, dim=-1)
    if valid_lens.dim() == 1:
        valid_lens = valid_lens[:, None].expand(X.shape[:2])
    seen = torch.arange(X.size(-1))[None, None, :] < valid_lens[:, :, None]
    return torch.nan_to_num(F.softmax(torch.where(seen, X, torch.tensor(float("-inf"))), dim=-1))
""",
        right=True,
        row="np.where",
    ),
    Answer(
        "masked_softmax",
        "flat rows, repeat_interleave",
        """
from torch.nn import functional as F

def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return F.softmax(X, dim=-1)
    shape = X.shape
    lens = valid_lens.repeat_interleave(shape[1]) if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    rows = X.reshape(-1, shape[-1]).clone()
    mask = torch.arange(shape[-1])[None] < lens[:, None]
    rows = rows.masked_fill(~mask, float("-inf"))
    out = F.softmax(rows, dim=-1)
    return torch.where(mask, out, torch.zeros_like(out)).reshape(shape)
""",
        right=True,
        row="masked_fill",
    ),
    Answer(
        "masked_softmax",
        "logsumexp",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.exp(X - X.logsumexp(-1, keepdim=True))
    mask = torch.arange(X.shape[-1]) < valid_lens.view(X.shape[0], -1, 1)
    Y = X.masked_fill(~mask, -torch.inf)
    return torch.exp(Y - Y.logsumexp(-1, keepdim=True)).masked_fill(~mask, 0)
""",
        right=True,
        row="logsumexp",
    ),
    Answer(
        "masked_softmax",
        "−1e9 and then times the mask",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    mask = (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)).to(X.dtype)
    return X.masked_fill(mask == 0, -1e9).softmax(-1) * mask
""",
        right=True,
        row="−1e9 and then · mask",
    ),
    Answer(
        "masked_softmax",
        "the least float, then times the mask",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    mask = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    return torch.where(mask, X, torch.finfo(X.dtype).min).softmax(-1) * mask
""",
        right=True,
        row="np.where",
    ),
    Answer(
        "masked_softmax",
        "exp by hand, in float64",
        """
def masked_softmax(X, valid_lens):
    X = X.double()
    if valid_lens is None:
        mask = torch.ones_like(X, dtype=torch.bool)
    else:
        mask = (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)).expand_as(X)
    top = X.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True).clamp(min=-1e300).detach()
    e = torch.exp(torch.where(mask, X - top, -torch.inf))
    return e / e.sum(-1, keepdim=True).clamp_min(1e-30)
""",
        right=True,
        row="any per-row shift",
    ),
    Answer(
        "masked_softmax",
        "an additive mask where a row has any key",
        """
def masked_softmax(X, valid_lens=None):
    if valid_lens is None:
        return X.softmax(-1)
    lens = valid_lens.unsqueeze(1) if valid_lens.dim() == 1 else valid_lens
    mask = torch.arange(X.shape[2]) < lens.unsqueeze(-1)
    some = mask.any(-1, keepdim=True)
    bias = torch.zeros(mask.shape).masked_fill(~mask & some, -torch.inf)
    return (X + bias).softmax(-1) * some
""",
        right=True,
        row="additive mask",
    ),
    Answer(
        "masked_softmax",
        "stacked batch by batch",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return nn.Softmax(dim=-1)(X)
    results = []
    for scores, lens in zip(X, valid_lens):
        keep = torch.stack([torch.arange(X.shape[-1]) < n for n in lens.expand(X.shape[1])])
        weights = scores.masked_fill(~keep, float("-inf")).softmax(-1)
        results.append(weights.masked_fill(~keep, 0.0))
    return torch.stack(results)
""",
        right=True,
        row="masked_fill + nan_to_num",
    ),
    # --- listed mistakes ---
    Answer(
        "masked_softmax",
        "flat rows, repeat",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    batch, n_q, n_k = X.shape
    lens = valid_lens.flatten() if valid_lens.dim() == 2 else valid_lens.repeat(n_q)
    rows = X.reshape(batch * n_q, n_k)
    keep = torch.arange(n_k) < lens[:, None]
    weights = torch.where(keep, rows, -torch.inf).softmax(-1)
    return torch.where(keep, weights, 0.0).reshape(X.shape)
""",
        "lengths repeated in the wrong order",
    ),
    Answer(
        "masked_softmax",
        "the notes' code with repeat",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return nn.functional.softmax(X, dim=-1)
    shape = X.shape
    if valid_lens.dim() == 1:
        valid_lens = valid_lens.repeat(shape[1])
    else:
        valid_lens = valid_lens.reshape(-1)
    X = X.reshape(-1, shape[-1])
    X[~(torch.arange(shape[-1])[None, :] < valid_lens[:, None])] = -1e6
    return nn.functional.softmax(X.reshape(shape), dim=-1)
""",
        "lengths repeated in the wrong order",
    ),
    Answer(
        "masked_softmax",
        "lengths tiled as a table, read row by row",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    if valid_lens.dim() == 1:
        valid_lens = torch.cat([valid_lens] * X.shape[1]).view(X.shape[:2])
    out = torch.zeros_like(X)
    for b in range(X.shape[0]):
        for i in range(X.shape[1]):
            n = valid_lens[b, i].item()
            out[b, i, :n] = X[b, i, :n].softmax(0)
    return out
""",
        "lengths repeated in the wrong order",
    ),
    Answer(
        "masked_softmax",
        "less or equal",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lens = valid_lens[:, None, None] if valid_lens.dim() == 1 else valid_lens[:, :, None]
    keep = torch.arange(X.shape[-1]) <= lens
    return torch.softmax(X.masked_fill(~keep, -torch.inf), -1).nan_to_num()
""",
        "off by one",
    ),
    Answer(
        "masked_softmax",
        "the notes' code with less or equal",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    shape = X.shape
    lens = torch.repeat_interleave(valid_lens, shape[1]) if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    X = X.reshape(-1, shape[-1])
    X[~(torch.arange(shape[-1])[None, :] <= lens[:, None])] = -1e6
    return X.reshape(shape).softmax(-1)
""",
        "off by one",
    ),
    Answer(
        "masked_softmax",
        "one key too few, by slices",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    out = torch.zeros_like(X)
    for b in range(X.shape[0]):
        for i in range(X.shape[1]):
            n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, i])
            if n > 1:
                out[b, i, :n - 1] = X[b, i, :n - 1].softmax(-1)
    return out
""",
        "off by one",
    ),
    Answer(
        "masked_softmax",
        "NaN in an empty row",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lens = valid_lens.reshape(len(X), -1, 1)
    keep = torch.arange(X.shape[-1]).view(1, 1, -1) < lens
    bias = torch.zeros_like(X).masked_fill(~keep, float("-inf"))
    return torch.softmax(X + bias, dim=-1)
""",
        "length 0",
    ),
    Answer(
        "masked_softmax",
        "−1e9: an empty row looks everywhere",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    if valid_lens.dim() == 1:
        valid_lens = valid_lens.unsqueeze(-1)
    hidden = torch.arange(X.shape[-1])[None, None] >= valid_lens[..., None]
    return torch.softmax(X.masked_fill(hidden, -1e9), dim=-1)
""",
        "length 0",
    ),
    Answer(
        "masked_softmax",
        "an empty row skipped, so it is all equal",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    rows = []
    for b in range(X.shape[0]):
        for i in range(X.shape[1]):
            n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b, i])
            row = torch.full((X.shape[2],), 1 / X.shape[2])
            if n > 0:
                row = torch.cat([X[b, i, :n].softmax(0), torch.zeros(X.shape[2] - n)])
            rows.append(row)
    return torch.stack(rows).view(X.shape)
""",
        "length 0",
    ),
    Answer(
        "masked_softmax",
        "the notes' code word for word",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return nn.functional.softmax(X, dim=-1)
    else:
        shape = X.shape
        if valid_lens.dim() == 1:
            valid_lens = torch.repeat_interleave(valid_lens, shape[1])
        else:
            valid_lens = valid_lens.reshape(-1)
        X = X.reshape(-1, shape[-1])
        maxlen = X.size(1)
        mask = torch.arange(maxlen, dtype=torch.float32)[None, :] < valid_lens[:, None]
        X[~mask] = -1e6
        return nn.functional.softmax(X.reshape(shape), dim=-1)
""",
        "fill too weak",
    ),
    Answer(
        "masked_softmax",
        "−1e4 and NaNs removed",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    keep = torch.arange(X.shape[-1]) < valid_lens.view(X.shape[0], -1, 1)
    return torch.where(keep, X, -1e4).softmax(-1).nan_to_num()
""",
        "fill too weak",
    ),
    Answer(
        "masked_softmax",
        "scores times the mask",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lens = valid_lens.reshape(X.shape[0], -1, 1)
    mask = (torch.arange(X.shape[-1]) < lens).float()
    return nn.functional.softmax(X * mask, dim=-1)
""",
        "fill too weak",
    ),
    Answer(
        "masked_softmax",
        "−1e6 and then times the mask",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    keep = torch.arange(X.shape[-1]) < valid_lens.view(X.shape[0], -1, 1)
    return X.masked_fill(~keep, -1e6).softmax(-1) * keep
""",
        "fill too weak",
    ),
    Answer(
        "masked_softmax",
        "minus a hundred for the hidden",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.view(X.shape[0], -1, 1)
    return (X - 100.0 * hidden).softmax(-1)
""",
        "fill too weak",
    ),
    Answer(
        "masked_softmax",
        "the notes' code with −inf",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    shape = X.shape
    lens = valid_lens.repeat_interleave(shape[1]) if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    X = X.view(-1, shape[-1])
    X[torch.arange(shape[-1]) >= lens[:, None]] = float("-inf")
    return X.softmax(-1).nan_to_num().view(shape)
""",
        "writes into its input",
    ),
    Answer(
        "masked_softmax",
        "masked_fill with an underscore",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is not None:
        hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
        X.masked_fill_(hidden, -torch.inf)
        return X.softmax(-1).masked_fill(hidden, 0)
    return X.softmax(-1)
""",
        "writes into its input",
    ),
    Answer(
        "masked_softmax",
        "a (batch, n_q) table, first column only",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    if valid_lens.dim() == 2:
        valid_lens = valid_lens[:, 0]
    keep = torch.arange(X.shape[-1])[None, None] < valid_lens[:, None, None]
    return X.masked_fill(~keep, -torch.inf).softmax(-1).masked_fill(~keep, 0)
""",
        "lengths per row ignored",
    ),
    Answer(
        "masked_softmax",
        "(batch,) lengths meet the queries",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    keep = torch.arange(X.shape[-1]) < valid_lens.unsqueeze(-1)
    weights = X.masked_fill(~keep, -torch.inf).softmax(-1)
    return weights.masked_fill(~keep, 0.0)
""",
        "lengths per row ignored",
    ),
    Answer(
        "masked_softmax",
        "(batch,) lengths alone are handled",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    keep = torch.arange(X.shape[-1]) < valid_lens[:, None, None]
    weights = torch.where(keep, X, -torch.inf).softmax(-1)
    return torch.where(keep, weights, 0.0)
""",
        "lengths per row ignored",
    ),
    Answer(
        "masked_softmax",
        "rows hidden, not columns",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    out = X.softmax(-1).clone()
    for b in range(len(X)):
        n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b].max())
        out[b, n:] = 0
    return out
""",
        "masks the queries",
    ),
    Answer(
        "masked_softmax",
        "the length on the query axis",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    rows = torch.arange(X.shape[1]).view(1, -1, 1)
    keep = (rows < valid_lens.reshape(len(X), 1, -1)).expand(X.shape)
    return X.masked_fill(~keep, -torch.inf).softmax(-1).nan_to_num()
""",
        "masks the queries",
    ),
    Answer(
        "masked_softmax",
        "softmax over dim 1",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, dim=1)
    keep = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    return torch.softmax(X.masked_fill(~keep, -torch.inf), dim=1).masked_fill(~keep, 0)
""",
        "softmax over queries",
    ),
    Answer(
        "masked_softmax",
        "exp by hand, summed over dim 1",
        """
def masked_softmax(X, valid_lens):
    keep = torch.ones_like(X)
    if valid_lens is not None:
        keep = (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)).expand(X.shape).float()
    e = torch.exp(X - X.amax(1, keepdim=True)) * keep
    return e / e.sum(dim=1, keepdim=True).clamp_min(1e-30)
""",
        "softmax over queries",
    ),
    Answer(
        "masked_softmax",
        "one sum per batch entry",
        """
def masked_softmax(X, valid_lens):
    keep = torch.ones_like(X, dtype=torch.bool)
    if valid_lens is not None:
        keep = (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)).expand(X.shape)
    e = torch.where(keep, torch.exp(X - X.amax((1, 2), keepdim=True)), 0.0)
    return e / e.sum(dim=(1, 2), keepdim=True)
""",
        "whole matrix",
    ),
    Answer(
        "masked_softmax",
        "fills where it should keep",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    mask = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    return X.masked_fill(mask, -torch.inf).softmax(-1).nan_to_num(0)
""",
        "mask inverted",
    ),
    Answer(
        "masked_softmax",
        "lengths for later",
        """
def masked_softmax(X, valid_lens=None):
    e = torch.exp(X - X.max(dim=-1, keepdim=True).values)
    return e / e.sum(-1, keepdim=True)
""",
        "mask ignored",
    ),
    Answer(
        "masked_softmax",
        "softmax first, zeros afterwards",
        """
def masked_softmax(X, valid_lens):
    weights = X.softmax(-1)
    if valid_lens is not None:
        weights = weights * (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1))
    return weights
""",
        "masked after softmax",
    ),
    Answer(
        "masked_softmax",
        "softmax first, zeros, and divided again",
        """
def masked_softmax(X, valid_lens):
    weights = X.softmax(-1)
    if valid_lens is None:
        return weights
    weights = torch.where(torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1), weights, 0.0)
    return weights / (weights.sum(-1, keepdim=True) + 1e-9)
""",
        "masked after softmax",
    ),
    Answer(
        "masked_softmax",
        "numbers taken out of the graph",
        """
import numpy as np

def masked_softmax(X, valid_lens):
    x = X.detach().numpy().copy()
    keep = np.ones(x.shape, dtype=bool)
    if valid_lens is not None:
        keep = np.arange(x.shape[-1]) < valid_lens.numpy().reshape(len(x), -1, 1)
        keep = np.broadcast_to(keep, x.shape)
    x = np.where(keep, x, -np.inf)
    top = np.where(keep.any(-1, keepdims=True), x.max(-1, keepdims=True), 0)
    e = np.exp(x - top)
    return torch.tensor(e / np.maximum(e.sum(-1, keepdims=True), 1e-30))
""",
        "gradient cut",
    ),
    Answer(
        "masked_softmax",
        "X.data",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return X.data.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0)
""",
        "gradient cut",
    ),
    Answer(
        "masked_softmax",
        "an additive −inf whose NaNs are only painted over",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    keep = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    e = torch.exp(X - X.masked_fill(~keep, -torch.inf).amax(-1, keepdim=True))
    e = torch.where(keep, e, 0.0)
    return (e / e.sum(-1, keepdim=True)).nan_to_num(0.0)
""",
        "gradient cut",
    ),
    # --- mistakes that no row lists ---
    Answer(
        "masked_softmax",
        "hides the first keys, not the last",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    keep = torch.arange(X.shape[-1] - 1, -1, -1) < valid_lens.reshape(len(X), -1, 1)
    return X.masked_fill(~keep, -torch.inf).softmax(-1).masked_fill(~keep, 0)
""",
    ),
    Answer(
        "masked_softmax",
        "log-weights",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.log_softmax(-1)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return X.masked_fill(hidden, -torch.inf).log_softmax(-1)
""",
    ),
    Answer(
        "masked_softmax",
        "rounded for printing",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1).round(decimals=2)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return X.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0).round(decimals=2)
""",
    ),
    Answer(
        "masked_softmax",
        "no lengths, no answer",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is not None:
        hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
        return X.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0)
""",
    ),
    Answer(
        "masked_softmax",
        "exp without a shift where there are no lengths",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.exp() / X.exp().sum(-1, keepdim=True)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return X.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0)
""",
    ),
    Answer(
        "masked_softmax",
        "the columns cut away",
        """
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    n = int(valid_lens.max())
    return X[..., :n].softmax(-1)
""",
    ),
)


def _additive(
    style: str, forward: str, misconception: str = "", *, init: str = "", right: bool = False, row: str = ""
) -> Answer:
    """The usual module around a forward pass; `init` replaces the usual layers."""
    layers = (
        init
        or """
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
    """
    )
    code = _module("AdditiveAttention", "key_size, query_size, num_hiddens, dropout", layers, forward)
    return Answer("AdditiveAttention", style, code, misconception, right, row)


def _dot(
    style: str, forward: str, misconception: str = "", *, init: str = "", right: bool = False, row: str = ""
) -> Answer:
    """The usual module around a forward pass; `init` replaces its dropout layer."""
    layers = init or "self.dropout = nn.Dropout(dropout)"
    return Answer(
        "DotProductAttention",
        style,
        _module("DotProductAttention", "dropout", layers, forward),
        misconception,
        right,
        row,
    )


def _module(name: str, parameters: str, init: str, forward: str) -> str:
    made, called = (textwrap.indent(textwrap.dedent(body).strip(), " " * 8) for body in (init, forward))
    return f"""
import torch.nn.functional as F

class {name}(nn.Module):
    def __init__(self, {parameters}):
        super().__init__()
{made}

    def forward(self, queries, keys, values, valid_lens=None):
{called}
"""


ADDITIVE = (
    # --- right ---
    _additive(
        "new axes with None",
        """
        features = torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None, :])
        scores = self.w_v(features)[..., 0]
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        init="""
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.dropout = nn.Dropout(p=dropout)
        """,
        right=True,
        row="[:, :, None]",
    ),
    _additive(
        "concat and one product with both matrices",
        """
        n_q, n_k = queries.shape[1], keys.shape[1]
        pairs = torch.cat([queries[:, :, None].expand(-1, -1, n_k, -1),
                           keys[:, None].expand(-1, n_q, -1, -1)], dim=-1)
        weight = torch.cat([self.W_q.weight, self.W_k.weight], dim=1)
        scores = self.w_v(torch.tanh(F.linear(pairs, weight))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        right=True,
        row="concat + one split Linear",
    ),
    _additive(
        "einsum throughout",
        """
        q = torch.einsum("bqd,hd->bqh", queries, self.W_q.weight)
        k = torch.einsum("bkd,hd->bkh", keys, self.W_k.weight)
        bent = torch.tanh(q.unsqueeze(-2) + k.unsqueeze(-3))
        scores = torch.einsum("bijh,h->bij", bent, self.w_v.weight[0])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.einsum("bij,bjd->bid", self.dropout(self.attention_weights), values)
        """,
        right=True,
        row="einsum",
    ),
    _additive(
        "a loop over the queries",
        """
        k = self.W_k(keys)
        rows = [self.w_v(torch.tanh(self.W_q(queries[:, i:i + 1]) + k)).squeeze(-1)
                for i in range(queries.shape[1])]
        scores = torch.stack(rows, dim=1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        right=True,
        row="loops",
    ),
    _additive(
        "functional dropout, a detached copy of the weights",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(3)
        weights = masked_softmax(scores, valid_lens=valid_lens)
        self.attention_weights = weights.detach()
        return F.dropout(weights, self.p, training=self.training) @ values
        """,
        init="""
        self.p = dropout
        self.W_q, self.W_k = (nn.Linear(n, num_hiddens, False) for n in (query_size, key_size))
        self.w_v = nn.Linear(num_hiddens, 1, False)
        """,
        right=True,
        row="functional dropout with self.training",
    ),
    _additive(
        "dropout by hand, lengths by hand",
        """
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        scores = self.w_v(features.tanh()).squeeze(-1)
        if valid_lens is not None:
            hidden = torch.arange(keys.shape[1]) >= valid_lens.reshape(len(keys), -1, 1)
            scores = scores.masked_fill(hidden, -torch.inf)
        self.attention_weights = weights = scores.softmax(-1).nan_to_num()
        if self.training:
            weights = weights * (torch.rand_like(weights) >= self.dropout.p) / (1 - self.dropout.p)
        return weights @ values
        """,
        right=True,
    ),
    Answer(
        "AdditiveAttention",
        "expanded to four axes, a method of its own for the score",
        """
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.drop = nn.Dropout(dropout)

    def score(self, queries, keys):
        batch, n_q, n_k = queries.size(0), queries.size(1), keys.size(1)
        q = self.W_q(queries).view(batch, n_q, 1, -1).expand(-1, -1, n_k, -1)
        k = self.W_k(keys).view(batch, 1, n_k, -1).expand(-1, n_q, -1, -1)
        return torch.matmul(torch.tanh(q + k), self.w_v.weight.T).view(batch, n_q, n_k)

    def forward(self, queries, keys, values, valid_lens=None):
        self.attention_weights = masked_softmax(self.score(queries, keys), valid_lens)
        dropped = self.drop(self.attention_weights)
        return (dropped.unsqueeze(-1) * values.unsqueeze(1)).sum(dim=2)
""",
        right=True,
        row="matmul",
    ),
    # --- listed mistakes ---
    _additive(
        "no tanh",
        """
        sums = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        scores = self.w_v(sums).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "no tanh, tanh misplaced, relu",
    ),
    _additive(
        "relu",
        """
        sums = self.W_q(queries)[:, :, None, :] + self.W_k(keys)[:, None, :, :]
        scores = self.w_v(F.relu(sums))[:, :, :, 0]
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        "no tanh, tanh misplaced, relu",
    ),
    _additive(
        "tanh of the score",
        """
        sums = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        scores = torch.einsum("bqkh,oh->bqk", sums, self.w_v.weight).tanh()
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "no tanh, tanh misplaced, relu",
    ),
    _additive(
        "tanh before the sum",
        """
        q, k = torch.tanh(self.W_q(queries)), torch.tanh(self.W_k(keys))
        scores = self.w_v(q.unsqueeze(2) + k.unsqueeze(1)).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "no tanh, tanh misplaced, relu",
    ),
    _additive(
        "added without new axes",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries) + self.W_k(keys))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "axes missing or swapped",
    ),
    _additive(
        "the new axes exchanged",
        """
        q = self.W_q(queries).unsqueeze(1)
        k = self.W_k(keys).unsqueeze(2)
        scores = self.w_v(torch.tanh(q + k)).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        "axes missing or swapped",
    ),
    _additive(
        "the same new axis for both",
        """
        features = self.W_q(queries)[:, :, None] + self.W_k(keys)[:, :, None]
        scores = self.w_v(torch.tanh(features))[..., 0]
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        "axes missing or swapped",
    ),
    _additive(
        "output squeezed on axis 1",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return (self.dropout(self.attention_weights) @ values).squeeze(1)
        """,
        "squeezed too much",
    ),
    _additive(
        "scores squeezed everywhere",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze()
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        "squeezed too much",
    ),
    _additive(
        "softmax over dim 1",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = torch.softmax(scores, dim=1)
        return self.dropout(self.attention_weights) @ values
        """,
        "softmax over queries",
    ),
    _additive(
        "softmax over the queries, lengths by hand",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        if valid_lens is not None:
            hidden = torch.arange(keys.shape[1]) >= valid_lens.reshape(len(keys), -1, 1)
            scores = scores.masked_fill(hidden, -1e9)
        e = torch.exp(scores - scores.amax(-2, keepdim=True))
        self.attention_weights = e / e.sum(-2, keepdim=True)
        return self.dropout(self.attention_weights) @ values
        """,
        "softmax over queries",
    ),
    _additive(
        "a fourth layer for the values",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ self.W_v(values)
        """,
        "projected values",
        init="""
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_v = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
        """,
    ),
    _additive(
        "values through the keys' layer",
        """
        k = self.W_k(keys)
        v = self.W_k(values)
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + k.unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), v)
        """,
        "projected values",
    ),
    _additive(
        "layers with biases",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "extra scale, bias, swapped sizes",
        init="""
        self.W_k = nn.Linear(key_size, num_hiddens)
        self.W_q = nn.Linear(query_size, num_hiddens)
        self.w_v = nn.Linear(num_hiddens, 1)
        self.dropout = nn.Dropout(dropout)
        """,
    ),
    _additive(
        "a bias in the last layer alone",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "extra scale, bias, swapped sizes",
        init="""
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1)
        self.dropout = nn.Dropout(dropout)
        """,
    ),
    _additive(
        "sizes exchanged",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "extra scale, bias, swapped sizes",
        init="""
        self.W_k = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
        """,
    ),
    _additive(
        "divided by the root of num_hiddens",
        """
        features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        scores = self.w_v(features).squeeze(-1) / math.sqrt(features.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "extra scale, bias, swapped sizes",
    ),
    _additive(
        "F.dropout without training",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return F.dropout(self.attention_weights, self.dropout.p) @ values
        """,
        "dropout in evaluation",
    ),
    _additive(
        "a fresh nn.Dropout in every call",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return nn.Dropout(self.p)(self.attention_weights) @ values
        """,
        "dropout in evaluation",
        init="""
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.p = dropout
        """,
    ),
    _additive(
        "dropout on the output",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(torch.bmm(self.attention_weights, values))
        """,
        "dropout elsewhere",
    ),
    _additive(
        "dropout on the scores",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(self.dropout(scores), valid_lens)
        return torch.bmm(self.attention_weights, values)
        """,
        "dropout elsewhere",
    ),
    _additive(
        "dropout on the values",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.attention_weights @ self.dropout(values)
        """,
        "dropout elsewhere",
    ),
    _additive(
        "dropout on the features",
        """
        features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        scores = self.w_v(self.dropout(features)).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.attention_weights @ values
        """,
        "dropout elsewhere",
    ),
    _additive(
        "divided again after dropout",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        used = self.dropout(self.attention_weights)
        used = used / used.sum(-1, keepdim=True).clamp_min(1e-9)
        return used @ values
        """,
        "renormalised after dropout",
    ),
    _additive(
        "some keys hidden at random before the softmax",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        if not self.training:
            return self.attention_weights @ values
        gone = torch.rand(scores.shape) < self.dropout.p
        used = self.attention_weights.masked_fill(gone, 0)
        return F.normalize(used, p=1, dim=-1) @ values
        """,
        "renormalised after dropout",
    ),
    _additive(
        "keys averaged",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.matmul(self.dropout(self.attention_weights), keys)
        """,
        "wrong partner",
    ),
    _additive(
        "weights transposed",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.einsum("bqk,bqv->bkv", self.dropout(self.attention_weights), values)
        """,
        "weights transposed",
    ),
    _additive(
        "lengths not handed on",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, None)
        return self.dropout(self.attention_weights) @ values
        """,
        "mask ignored",
    ),
    _additive(
        "the last layer's weight detached",
        """
        bent = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        scores = (bent * self.w_v.weight.detach()[0]).sum(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "gradient cut",
    ),
    _additive(
        "all layers used by .weight.data",
        """
        q, k = queries @ self.W_q.weight.data.T, keys @ self.W_k.weight.data.T
        scores = (torch.tanh(q.unsqueeze(2) + k.unsqueeze(1)) @ self.w_v.weight.data.T).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "gradient cut",
    ),
    _additive(
        "no_grad around the scores",
        """
        with torch.no_grad():
            scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)))
        self.attention_weights = masked_softmax(scores.squeeze(-1), valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "gradient cut",
    ),
    _additive(
        "values masked in place",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        output = self.dropout(self.attention_weights) @ values
        if not torch.is_grad_enabled() or not values.requires_grad:
            values.zero_()
        return output
        """,
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    _additive(
        "the weights are not kept",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        return self.dropout(masked_softmax(scores, valid_lens)) @ values
        """,
    ),
    _additive(
        "the weights are kept after dropout",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = self.dropout(masked_softmax(scores, valid_lens))
        return self.attention_weights @ values
        """,
    ),
    _additive(
        "a difference instead of a sum",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) - self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
    ),
    _additive(
        "a product instead of a sum",
        """
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) * self.W_k(keys).unsqueeze(1))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
    ),
    _additive(
        "summed, without w_v",
        """
        scores = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)).sum(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
    ),
)

DOT_PRODUCT = (
    # --- right ---
    _dot(
        "bmm and the queries' width",
        """
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        right=True,
        row="bmm",
    ),
    _dot(
        "einsum, scaled queries",
        """
        scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
        """,
        right=True,
        row="scaled Q",
    ),
    _dot(
        "a quarter power on both sides, .mT",
        """
        d = keys.shape[-1]
        scores = (queries * d ** -0.25) @ (keys * d ** -0.25).mT
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        right=True,
        row="d^−¼ on both sides",
    ),
    _dot(
        "baddbmm",
        """
        scores = torch.baddbmm(torch.zeros(1), queries, keys.permute(0, 2, 1), beta=0,
                               alpha=keys.shape[-1] ** -0.5)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        right=True,
        row="baddbmm",
    ),
    _dot(
        "a sum of products",
        """
        scores = (queries[:, :, None] * keys[:, None]).sum(-1).div(keys.shape[2] ** (1 / 2))
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        right=True,
    ),
    _dot(
        "the library's, on an identity",
        """
        mask = None
        if valid_lens is not None:
            mask = torch.arange(keys.shape[1]) < valid_lens.reshape(len(keys), -1, 1)
        one = torch.eye(keys.shape[1]).expand(len(keys), -1, -1)
        self.attention_weights = F.scaled_dot_product_attention(queries, keys, one, mask).nan_to_num()
        return self.dropout(self.attention_weights) @ values
        """,
        right=True,
        row="the library's own SDPA",
    ),
    _dot(
        "functional dropout, batch entries in a loop",
        """
        outputs, kept = [], []
        for b in range(queries.shape[0]):
            lens = None if valid_lens is None else valid_lens[b:b + 1]
            scores = (queries[b] @ keys[b].T / keys.shape[-1] ** 0.5).unsqueeze(0)
            w = masked_softmax(scores, lens)
            kept.append(w)
            outputs.append(F.dropout(w, p=self.rate, training=self.training) @ values[b])
        self.attention_weights = torch.cat(kept)
        return torch.cat(outputs)
        """,
        init="self.rate = dropout",
        right=True,
        row="loops",
    ),
    # --- listed mistakes ---
    _dot(
        "no scale",
        """
        self.attention_weights = masked_softmax(torch.bmm(queries, keys.mT), valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        "no scale",
    ),
    _dot(
        "no scale, einsum",
        """
        scores = torch.einsum("bqd,bkd->bqk", queries, keys)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "no scale",
    ),
    _dot(
        "divided by d",
        """
        scores = torch.bmm(queries, keys.transpose(1, 2)) / keys.size(2)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        "wrong power",
    ),
    _dot(
        "d ** 1/2",
        """
        scores = queries @ keys.transpose(-2, -1) / (keys.size(-1) ** 1/2)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "wrong power",
    ),
    _dot(
        "the values' width",
        """
        scores = queries @ keys.transpose(1, 2) / math.sqrt(values.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "wrong length",
    ),
    _dot(
        "the number of keys",
        """
        scores = torch.matmul(queries, keys.mT) * keys.size(1) ** -0.5
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "wrong length",
    ),
    _dot(
        "weights divided",
        """
        self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
        return self.dropout(self.attention_weights) @ values
        """,
        "scaled after softmax",
    ),
    _dot(
        "keys.T",
        """
        scores = queries @ keys.T / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "transposed the batch",
    ),
    _dot(
        "transpose(0, 1)",
        """
        scores = torch.matmul(queries, keys.transpose(0, 1)) / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.matmul(self.dropout(self.attention_weights), values)
        """,
        "transposed the batch",
    ),
    _dot(
        "one softmax per batch entry",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        if valid_lens is not None:
            hidden = torch.arange(keys.shape[1]) >= valid_lens.reshape(len(keys), -1, 1)
            scores = scores.masked_fill(hidden, -torch.inf)
        self.attention_weights = torch.softmax(scores.reshape(len(keys), -1), -1).reshape(scores.shape)
        return self.dropout(self.attention_weights) @ values
        """,
        "whole matrix",
    ),
    _dot(
        "softmax over dim 1",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = nn.Softmax(dim=1)(scores)
        return self.dropout(self.attention_weights) @ values
        """,
        "softmax over queries",
    ),
    _dot(
        "queries against queries",
        """
        scores = queries @ queries.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "wrong partner",
    ),
    _dot(
        "weights gather the keys",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.einsum("bqk,bkd->bqd", self.dropout(self.attention_weights), keys)
        """,
        "wrong partner",
    ),
    _dot(
        "weights transposed",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights).transpose(1, 2) @ values
        """,
        "weights transposed",
    ),
    _dot(
        "output divided",
        """
        self.attention_weights = torch.softmax(queries @ keys.mT, -1) * keys.size(-1) ** -0.5
        if valid_lens is not None:
            self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) * keys.size(-1) ** -0.5
        return torch.bmm(self.dropout(self.attention_weights), values)
        """,
        "scaled after softmax",
    ),
    _dot(
        "lengths not used",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = F.softmax(scores, dim=-1)
        return self.dropout(self.attention_weights) @ values
        """,
        "mask ignored",
    ),
    _dot(
        "output squeezed",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return (self.dropout(self.attention_weights) @ values).squeeze()
        """,
        "squeezed too much",
    ),
    _dot(
        "F.dropout without training",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return F.dropout(self.attention_weights, p=self.dropout.p) @ values
        """,
        "dropout in evaluation",
    ),
    _dot(
        "training by name, so that eval() never reaches it",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return F.dropout(self.attention_weights, self.p, True) @ values
        """,
        "dropout in evaluation",
        init="self.p = dropout",
    ),
    _dot(
        "dropout on the scores",
        """
        scores = self.dropout(queries @ keys.mT / math.sqrt(keys.shape[-1]))
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.attention_weights @ values
        """,
        "dropout elsewhere",
    ),
    _dot(
        "dropout on the scores, weights kept without it",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return masked_softmax(self.dropout(scores), valid_lens) @ values
        """,
        "dropout elsewhere",
    ),
    _dot(
        "dropout on the output",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights @ values)
        """,
        "dropout elsewhere",
    ),
    _dot(
        "divided again after dropout",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        w = self.dropout(self.attention_weights)
        return (w / (w.sum(dim=2, keepdim=True) + 1e-12)) @ values
        """,
        "renormalised after dropout",
    ),
    _dot(
        "weights as a list of numbers",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.tensor(self.attention_weights.tolist()) @ values
        """,
        "gradient cut",
        init="self.dropout = nn.Identity()",
    ),
    _dot(
        "keys detached",
        """
        scores = queries @ keys.detach().mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "gradient cut",
    ),
    _dot(
        "queries divided in place",
        """
        if not queries.requires_grad:
            queries /= math.sqrt(keys.shape[-1])
            scores = queries @ keys.mT
        else:
            scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    _dot(
        "nothing is dropped",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.attention_weights @ values
        """,
    ),
    _dot(
        "dropped without the factor",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        used = self.attention_weights
        if self.training:
            used = used * (torch.rand_like(used) > self.dropout.p)
        return used @ values
        """,
    ),
    _dot(
        "keeps with the probability of dropping",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return F.dropout(self.attention_weights, 1 - self.dropout.p, self.training) @ values
        """,
    ),
    _dot(
        "the weights are not kept",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        return self.dropout(masked_softmax(scores, valid_lens)) @ values
        """,
    ),
    _dot(
        "whole keys dropped, the same for every query",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        kept = self.dropout(torch.ones(len(keys), 1, keys.shape[1]))
        return (self.attention_weights * kept) @ values
        """,
    ),
    _dot(
        "keeps with the probability of dropping, divides by the right one",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = used = masked_softmax(scores, valid_lens)
        if self.training:
            used = used * (torch.rand_like(used) < self.dropout.p) / (1 - self.dropout.p)
        return used @ values
        """,
    ),
    _dot(
        "one dropout mask for the whole batch",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        kept = self.dropout(torch.ones(scores.shape[1:]))
        return (self.attention_weights * kept) @ values
        """,
    ),
    _dot(
        "Dropout1d, which takes whole queries away",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
        """,
        init="self.dropout = nn.Dropout1d(dropout)",
    ),
    _dot(
        "comes back with its weights",
        """
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values, self.attention_weights
        """,
    ),
    Answer(
        "DotProductAttention",
        "a function instead of a class",
        """
def DotProductAttention(queries, keys, values, valid_lens=None):
    return masked_softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), valid_lens) @ values
""",
    ),
)


def _cost(style: str, code: str, misconception: str = "", *, right: bool = False) -> Answer:
    body = textwrap.indent(textwrap.dedent(code).strip(), " " * 4)
    code = f"def scoring_cost(n_q, n_k, d, num_hiddens):\n{body}\n"
    return Answer("scoring_cost", style, code, misconception, right)


COST = (
    # --- right ---
    _cost(
        "h factored out",
        """
        h = num_hiddens
        return {"dot_product": {"parameters": 0, "multiply_adds": n_q * n_k * d},
                "additive": {"parameters": h * (2 * d + 1), "multiply_adds": h * (n_q * d + n_k * d + n_q * n_k)}}
        """,
        right=True,
    ),
    _cost(
        "tensors, NumPy scalars and floats",
        """
        import numpy as np
        cost = dict(additive={}, dot_product={})
        cost["additive"]["multiply_adds"] = np.float64(num_hiddens * ((n_q + n_k) * d + n_q * n_k))
        cost["additive"]["parameters"] = np.int64(2 * d * num_hiddens + num_hiddens)
        cost["dot_product"]["multiply_adds"] = torch.tensor(n_q * n_k * d)
        cost["dot_product"]["parameters"] = 0.0
        return cost
        """,
        right=True,
    ),
    _cost(
        "parameters counted on a real module",
        """
        attention = AdditiveAttention(d, d, num_hiddens, 0.0)
        project = sum(n * d * num_hiddens for n in (n_q, n_k))
        return {
            "additive": {
                "multiply_adds": project + n_q * n_k * num_hiddens,
                "parameters": sum(p.numel() for p in attention.parameters()),
            },
            "dot_product": {
                "multiply_adds": n_q * d * n_k,
                "parameters": len(list(DotProductAttention(0.0).parameters())),
            },
        }
        """,
        right=True,
    ),
    # --- listed mistakes ---
    _cost(
        "projections for every pair",
        """
        per_pair = 2 * d * num_hiddens + num_hiddens
        return {"additive": {"multiply_adds": n_q * n_k * per_pair, "parameters": per_pair},
                "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}}
        """,
        "projected pair by pair",
    ),
    _cost(
        "only the sum and w_v",
        """
        return {"additive": {"multiply_adds": num_hiddens * n_q * n_k, "parameters": num_hiddens * (2 * d + 1)},
                "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
        """,
        "projections forgotten",
    ),
    _cost(
        "the queries' projection alone",
        """
        h = num_hiddens
        return {"additive": {"multiply_adds": n_q * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
                "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
        """,
        "projections forgotten",
    ),
    _cost(
        "the projections alone",
        """
        h = num_hiddens
        return {"additive": {"multiply_adds": n_q * d * h + n_k * d * h, "parameters": 2 * d * h},
                "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
        """,
        "w_v forgotten",
    ),
    _cost(
        "w_v has no parameters",
        """
        h = num_hiddens
        return {"additive": {"multiply_adds": n_q * d * h + n_k * d * h + h * n_q * n_k, "parameters": h * d * 2},
                "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
        """,
        "w_v forgotten",
    ),
    _cost(
        "one matrix",
        """
        h = num_hiddens
        return {"additive": {"multiply_adds": (n_q + n_k) * d * h + n_q * n_k * h, "parameters": h * (d + 1)},
                "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
        """,
        "one projection for both",
    ),
    _cost(
        "biases",
        """
        W_q, W_k, w_v = nn.Linear(d, num_hiddens), nn.Linear(d, num_hiddens), nn.Linear(num_hiddens, 1)
        parameters = sum(p.numel() for layer in (W_q, W_k, w_v) for p in layer.parameters())
        return {"additive": {"multiply_adds": num_hiddens * (n_q * d + n_k * d + n_q * n_k), "parameters": parameters},
                "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
        """,
        "biases counted",
    ),
    _cost(
        "with the product of weights and values",
        """
        mixing = n_q * n_k * d
        return {"additive": {"multiply_adds": num_hiddens * (n_q * d + n_k * d + n_q * n_k) + mixing,
                             "parameters": num_hiddens * (2 * d + 1)},
                "dot_product": {"multiply_adds": d * n_q * n_k + mixing, "parameters": 0}}
        """,
        "more than the scores",
    ),
    _cost(
        "with the scale",
        """
        return {"additive": {"multiply_adds": num_hiddens * (n_q * d + n_k * d + n_q * n_k),
                             "parameters": num_hiddens * (2 * d + 1)},
                "dot_product": {"multiply_adds": d * n_q * n_k + n_q * n_k, "parameters": 0}}
        """,
        "more than the scores",
    ),
    # --- mistakes that no row lists ---
    _cost(
        "multiplications and additions counted apart",
        """
        h = num_hiddens
        return {"additive": {"multiply_adds": 2 * ((n_q + n_k) * d * h + n_q * n_k * h), "parameters": 2 * d * h + h},
                "dot_product": {"multiply_adds": 2 * n_q * n_k * d, "parameters": 0}}
        """,
    ),
    _cost(
        "a parameter for the scale",
        """
        h = num_hiddens
        return {"additive": {"multiply_adds": (n_q + n_k) * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
                "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 1}}
        """,
    ),
    _cost(
        "flat",
        """
        h = num_hiddens
        return {"additive": (n_q + n_k) * d * h + n_q * n_k * h, "dot_product": n_q * n_k * d}
        """,
    ),
    _cost(
        "floored shares of the work",
        """
        h = num_hiddens
        additive = (n_q + n_k) * d * h // 2 * 2 + n_q * n_k * h
        return {"additive": {"multiply_adds": additive, "parameters": 2 * d * h + h},
                "dot_product": {"multiply_adds": n_q * n_k * d // 4 * 4, "parameters": 0}}
        """,
    ),
)

PREDICTIONS = (
    Answer("guess_shape", "numbers", "axes_in_all, batches, rows, columns = 3, 2, 2, 4", right=True),
    Answer(
        "guess_shape",
        "asked of torch",
        "t = torch.zeros(2, 2, 4)\naxes_in_all = t.dim()\nbatches, rows, columns = t.shape",
        right=True,
    ),
    Answer(
        "guess_shape", "the notes", "axes_in_all = 2\nbatches = 2\nrows = 4\ncolumns = 3", "shape misread"
    ),
    Answer(
        "guess_shape", "from the end", "axes_in_all, batches, rows, columns = 3, 4, 2, 2", "shape misread"
    ),
    Answer("guess_shape", "one axis a number", "axes_in_all, batches, rows, columns = 8, 2, 2, 4"),
    Answer("guess_shape", "all in all", "axes_in_all, batches, rows, columns = 16, 16, 16, 16"),
    Answer("guess_weights", "sixths", "weights_of_length_3 = [1/6, 1/3, 1/2, 0]", right=True),
    Answer(
        "guess_weights",
        "rounded tensor",
        "weights_of_length_3 = torch.tensor([0.17, 0.33, 0.5, 0])",
        right=True,
    ),
    Answer(
        "guess_weights",
        "as if there were no length",
        "weights_of_length_3 = [0.1, 0.2, 0.3, 0.4]",
        "mask ignored",
    ),
    Answer(
        "guess_weights", "a lost share", "weights_of_length_3 = (0.1, 0.2, 0.3, 0)", "masked after softmax"
    ),
    Answer("guess_weights", "two keys", "weights_of_length_3 = [0.33, 0.67, 0, 0]", "off by one"),
    Answer("guess_weights", "thirds", "weights_of_length_3 = [1 / 3] * 3 + [0]", "shared out evenly"),
    Answer("guess_weights", "the scores", "weights_of_length_3 = [1, 2, 3, 0]"),
    Answer("guess_weights", "the best takes all", "weights_of_length_3 = [0, 0, 1, 0]"),
    Answer(
        "find_the_slips", "letters", 'experiment_1, experiment_2, experiment_3 = "c", "d", "a"', right=True
    ),
    Answer(
        "find_the_slips", "capitals", 'experiment_1, experiment_2, experiment_3 = "C", "D ", "A"', right=True
    ),
    Answer(
        "find_the_slips",
        "two exchanged",
        'experiment_1, experiment_2, experiment_3 = "c", "a", "d"',
        "causes swapped",
    ),
    Answer(
        "find_the_slips",
        "the batch",
        'experiment_1 = "c"\nexperiment_2 = "d"\nexperiment_3 = "b"',
        "lengths repeated in the wrong order",
    ),
    Answer("find_the_slips", "alphabetical", 'experiment_1, experiment_2, experiment_3 = "a", "b", "c"'),
    Answer("find_the_slips", "always a", 'experiment_1 = experiment_2 = experiment_3 = "a"'),
    Answer(
        "guess_equal_keys", "fractions", "first_weight_batch_0 = 1/2\nfirst_weight_batch_1 = 1/6", right=True
    ),
    Answer(
        "guess_equal_keys", "rounded", "first_weight_batch_0, first_weight_batch_1 = 0.5, 0.167", right=True
    ),
    Answer(
        "guess_equal_keys", "a tenth", "first_weight_batch_0 = first_weight_batch_1 = 0.1", "mask ignored"
    ),
    Answer(
        "guess_equal_keys",
        "all of it",
        "first_weight_batch_0 = 1\nfirst_weight_batch_1 = 1",
        "the first takes all",
    ),
    Answer("guess_equal_keys", "lengths", "first_weight_batch_0, first_weight_batch_1 = 2, 6"),
    Answer("guess_equal_keys", "exchanged", "first_weight_batch_0, first_weight_batch_1 = 1 / 6, 1 / 2"),
    Answer(
        "guess_squeezed",
        "tuples",
        "squeezed_one_query = (2, 4)\nsqueezed_three_queries = (2, 3, 4)\npromised_one_query = (2, 1, 4)",
        right=True,
    ),
    Answer(
        "guess_squeezed",
        "asked of torch",
        "squeezed_one_query = torch.zeros(2, 1, 4).squeeze(1).shape\n"
        "squeezed_three_queries = list(torch.zeros(2, 3, 4).squeeze(1).shape)\n"
        "promised_one_query = torch.Size([2, 1, 4])",
        right=True,
    ),
    Answer(
        "guess_squeezed",
        "three queries lose their axis",
        "squeezed_one_query = [2, 4]\nsqueezed_three_queries = [2, 4]\npromised_one_query = [2, 1, 4]",
        "squeezed too much",
    ),
    Answer(
        "guess_squeezed",
        "promise and squeeze alike",
        "squeezed_one_query, squeezed_three_queries = (2, 4), (2, 3, 4)\npromised_one_query = squeezed_one_query",
        "squeezed too much",
    ),
    Answer(
        "guess_squeezed",
        "nothing squeezed",
        "squeezed_one_query = (2, 1, 4)\nsqueezed_three_queries = (2, 3, 4)\npromised_one_query = (2, 1, 4)",
    ),
    Answer(
        "guess_squeezed",
        "counts",
        "squeezed_one_query = 8\nsqueezed_three_queries = 24\npromised_one_query = 8",
    ),
    Answer(
        "guess_learners",
        "booleans",
        "bare_dot_product_learns, additive_learns, mapped_dot_product_learns = False, True, True",
        right=True,
    ),
    Answer(
        "guess_learners",
        "counted parameters",
        "bare_dot_product_learns = 0 > 0\nadditive_learns = 272 > 0\nmapped_dot_product_learns = 64 > 0",
        right=True,
    ),
    Answer(
        "guess_learners",
        "all three",
        "bare_dot_product_learns = additive_learns = mapped_dot_product_learns = True",
        "learning without parameters",
    ),
    Answer(
        "guess_learners",
        "additive alone",
        "bare_dot_product_learns = mapped_dot_product_learns = False\nadditive_learns = True",
        "only the score can learn",
    ),
    Answer(
        "guess_learners",
        "none",
        "bare_dot_product_learns = additive_learns = mapped_dot_product_learns = False",
    ),
    Answer(
        "guess_learners",
        "the mapped one alone",
        "bare_dot_product_learns = additive_learns = False\nmapped_dot_product_learns = True",
    ),
)

ANSWERS = (*PREDICTIONS, *MASKED_SOFTMAX, *ADDITIVE, *DOT_PRODUCT, *COST)
