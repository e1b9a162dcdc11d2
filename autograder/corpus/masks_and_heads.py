"""Answers to lesson 06: causal, padding and additive masks, heads split and merged, multi-head attention."""

from __future__ import annotations

import textwrap

from autograder.corpus import Answer


def _of(exercise: str, signature: str, *answers: tuple[str, str, str]) -> tuple[Answer, ...]:
    """Functions by their bodies: style, body, and "right", "right: <form>", "" or a misconception."""
    return tuple(
        Answer(
            exercise,
            style,
            f"def {exercise}({signature}):\n{textwrap.indent(textwrap.dedent(body).strip(), '    ')}\n",
            "" if verdict.startswith("right") else verdict,
            verdict.startswith("right"),
            verdict.partition(": ")[2] if verdict.startswith("right") else "",
        )
        for style, body, verdict in answers
    )


CAUSAL = _of(
    "create_causal_mask",
    "n",
    # --- right ---
    (
        "a list comprehension",
        "return torch.tensor([[j <= i for j in range(n)] for i in range(n)])",
        "right: loops",
    ),
    ("np.tri", "return np.tri(n, dtype=bool)", "right"),
    ("not the upper triangle", "return ~torch.ones(n, n).triu(diagonal=1).bool()", "right"),
    (
        "positions compared",
        """
        positions = torch.arange(n)
        return positions.unsqueeze(1) >= positions.unsqueeze(0)
        """,
        "right",
    ),
    (
        "two loops",
        """
        mask = torch.zeros((n, n), dtype=torch.bool)
        for i in range(n):
            for j in range(i + 1):
                mask[i, j] = True
        return mask
        """,
        "right: loops",
    ),
    ("tril compared with 1", "return torch.tril(torch.ones(n, n)) == 1", "right"),
    # --- listed mistakes ---
    ("triu", "return torch.triu(torch.ones(n, n)).bool()", "looks ahead"),
    ("triu of 1, not negated", "return torch.triu(torch.ones(n, n), diagonal=1) == 1", "looks ahead"),
    (
        "rows and columns exchanged",
        "return torch.tensor([[i <= j for j in range(n)] for i in range(n)])",
        "looks ahead",
    ),
    ("strictly below", "return torch.tensor([[j < i for j in range(n)] for i in range(n)])", "diagonal"),
    ("one diagonal too many", "return torch.tril(torch.ones(n, n), diagonal=1).bool()", "diagonal"),
    ("not triu of 0", "return ~torch.triu(torch.ones(n, n)).bool()", "diagonal"),
    ("ones and zeros", "return torch.tril(torch.ones(n, n))", "not boolean"),
    ("whole numbers", "return np.tril(np.ones((n, n), dtype=int))", "not boolean"),
    (
        "0 and −inf",
        "return nn.Transformer.generate_square_subsequent_mask(n)",
        "not boolean",
    ),
    (
        "nested lists of numbers",
        "return [[1 if j <= i else 0 for j in range(n)] for i in range(n)]",
        "not boolean",
    ),
    # --- mistakes that no row lists ---
    ("everything", "return torch.ones(n, n, dtype=torch.bool)", ""),
    ("only itself", "return torch.eye(n).bool()", ""),
    ("an axis for the batch", "return torch.ones(1, n, n).tril().bool()", ""),
    ("from the other corner", "return torch.ones(n, n).tril().bool().flip(1)", ""),
    ("the notes' size", "return torch.ones(4, 4).tril().bool()", ""),
)

ADDITIVE = _of(
    "additive_mask",
    "mask",
    # --- right ---
    ("where", 'return torch.where(mask, 0.0, float("-inf"))', "right: np.where"),
    ("the logarithm", "return mask.double().log()", "right"),
    (
        "zeros, then −inf by index",
        """
        result = torch.zeros_like(mask, dtype=torch.float32)
        result[~mask] = -torch.inf
        return result
        """,
        "right",
    ),
    ("NumPy", "return np.where(mask.numpy(), 0.0, -np.inf)", "right: np.where"),
    (
        "masked_fill, double",
        "return torch.zeros(mask.shape, dtype=torch.float64).masked_fill_(mask == False, float('-inf'))",
        "right: masked_fill",
    ),
    (
        "full of −inf, then zeros",
        "return torch.full(mask.shape, -math.inf).masked_fill(mask, 0)",
        "right: masked_fill",
    ),
    # --- listed mistakes ---
    (
        "one minus the mask times −inf",
        "return (1.0 - mask.to(torch.float32)) * float('-inf')",
        "zero times infinity",
    ),
    ("NumPy zero times inf", "return np.logical_not(mask.numpy()) * -np.inf", "zero times infinity"),
    ("where exchanged", "return torch.where(mask, -torch.inf, 0.0)", "mask inverted"),
    (
        "fills where the mask is True",
        """
        out = torch.zeros(mask.shape)
        out[mask] = float("-inf")
        return out
        """,
        "mask inverted",
    ),
    ("−1e9", "return (~mask) * -1e9", "fill too weak"),
    ("−1e4", "return torch.where(mask, 0.0, -1e4)", "fill too weak"),
    ("the least float", "return torch.where(mask, 0.0, torch.finfo(torch.float32).min)", "fill too weak"),
    ("minus one", "return mask.int() - 1", "fill too weak"),
    ("the mask as numbers", "return torch.where(mask, 1.0, 0.0)", "fill too weak"),
    (
        "the mask turned in place",
        """
        hidden = mask.logical_not_()
        return torch.zeros(mask.shape).masked_fill(hidden, -torch.inf)
        """,
        "writes into its input",
    ),
    (
        "the mask cleared behind itself",
        """
        out = torch.where(mask, 0.0, -torch.inf)
        mask[...] = False
        return out
        """,
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    (
        "the notes' matrix",
        "return torch.zeros(4, 4).masked_fill(torch.ones(4, 4).triu(1).bool(), -torch.inf)",
        "",
    ),
    ("plus infinity", "return torch.zeros(mask.shape).masked_fill(~mask, torch.inf)", ""),
    ("one where allowed", "return torch.where(mask, 1.0, -torch.inf)", ""),
    ("flat", "return torch.where(mask, 0.0, -torch.inf).flatten()", ""),
)

PADDING = _of(
    "create_padding_mask",
    "seq, pad_token=0",
    # --- right ---
    (
        "nested lists",
        "return torch.tensor([[[int(token) != pad_token for token in row]] for row in seq])",
        "right: loops",
    ),
    ("NumPy", "return np.expand_dims(np.asarray(seq) != pad_token, 1)", "right"),
    (
        "eq and logical_not",
        """
        seq = seq if torch.is_tensor(seq) else torch.tensor(np.array(seq))
        return torch.logical_not(seq.eq(pad_token)).view(seq.size(0), 1, seq.size(1))
        """,
        "right",
    ),
    ("a new axis with None", "return torch.as_tensor(seq)[:, None].ne(pad_token)", "right"),
    (
        "a loop that fills",
        """
        seq = torch.as_tensor(seq)
        batch, n = seq.shape
        mask = torch.ones(batch, 1, n, dtype=torch.bool)
        for b in range(batch):
            for i in range(n):
                if seq[b, i] == pad_token:
                    mask[b, 0, i] = False
        return mask
        """,
        "right: loops",
    ),
    # --- listed mistakes ---
    ("equal to the pad", "return (torch.as_tensor(seq) == pad_token).unsqueeze(1)", "inverted padding"),
    ("np.equal", "return np.equal(np.asarray(seq), pad_token)[:, np.newaxis, :]", "inverted padding"),
    ("unsqueeze(2)", "return (torch.as_tensor(seq) != pad_token).unsqueeze(2)", "pads the queries"),
    ("unsqueeze(-1), NumPy", "return np.expand_dims(np.asarray(seq) != pad_token, -1)", "pads the queries"),
    ("compared with 0", "return (torch.as_tensor(seq) != 0).unsqueeze(1)", "literal 0"),
    ("truth of the token", "return torch.as_tensor(seq).bool().unsqueeze(1)", "literal 0"),
    (
        "nonzero tokens by list",
        "return [[[token != 0 for token in row]] for row in np.asarray(seq).tolist()]",
        "literal 0",
    ),
    ("as floats", "return (torch.as_tensor(seq) != pad_token).unsqueeze(1).float()", "not boolean"),
    ("as integers, NumPy", "return np.where(np.asarray(seq) == pad_token, 0, 1)[:, None, :]", "not boolean"),
    (
        "0 and −inf",
        """
        pads = (torch.as_tensor(seq) == pad_token)[:, None]
        return torch.zeros(pads.shape).masked_fill(pads, -torch.inf)
        """,
        "not boolean",
    ),
    (
        "pads overwritten in place",
        """
        seq = torch.as_tensor(seq)
        keep = seq != pad_token
        seq[~keep] = -100
        return keep.unsqueeze(1)
        """,
        "writes into its input",
    ),
    (
        "tokens shifted in place",
        """
        if isinstance(seq, list):
            seq = np.array(seq)
        seq -= pad_token
        return torch.as_tensor(seq != 0).unsqueeze(1)
        """,
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    ("no new axis", "return torch.as_tensor(seq) != pad_token", ""),
    ("tensors alone", "return (seq != pad_token).unsqueeze(1)", ""),
    ("greater than the pad", "return (torch.as_tensor(seq) > pad_token).unsqueeze(1)", ""),
    ("an axis for the heads as well", "return (torch.as_tensor(seq) != pad_token)[:, None, None, :]", ""),
    (
        "everything behind the first pad",
        """
        pads = (torch.as_tensor(seq) == pad_token).int()
        return (pads.cumsum(dim=1) == 0).unsqueeze(1)
        """,
        "",
    ),
    (
        "a square for every sentence",
        "m = torch.as_tensor(seq) != pad_token\nreturn m[:, None, :] & m[:, :, None]",
        "",
    ),
)

WEIGHTS = _of(
    "masked_weights",
    "scores, mask=None",
    # --- right ---
    (
        "−inf and nan_to_num",
        """
        if mask is not None:
            scores = scores.masked_fill(~mask, -torch.inf)
        return torch.softmax(scores, -1).nan_to_num(0.0)
        """,
        "right: masked_fill + nan_to_num",
    ),
    (
        "an additive mask, then where",
        """
        if mask is None:
            return scores.softmax(-1)
        weights = (scores + additive_mask(mask)).softmax(-1)
        return torch.where(mask, weights, torch.zeros_like(weights))
        """,
        "right: additive mask",
    ),
    (
        "exp by hand",
        """
        mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
        highest = torch.where(mask, scores, -1e30).amax(-1, keepdim=True)
        kernel = torch.where(mask, torch.exp(torch.where(mask, scores - highest, 0.0)), 0.0)
        return kernel / kernel.sum(-1, keepdim=True).clamp_min(1e-30)
        """,
        "right: any per-row shift",
    ),
    (
        "−1e9 and then times the mask",
        """
        if mask is None:
            return torch.softmax(scores, -1)
        return torch.softmax(scores.masked_fill(mask == 0, -1e9), -1) * mask
        """,
        "right: −1e9 and then · mask",
    ),
    # --- listed mistakes ---
    (
        "fills where True",
        "return scores.softmax(-1) if mask is None else scores.masked_fill(mask, -torch.inf).softmax(-1)",
        "mask inverted",
    ),
    ("for later", "return nn.functional.softmax(scores, dim=-1)", "mask ignored"),
    (
        "softmax, then zeros",
        """
        weights = scores.softmax(-1)
        return weights if mask is None else weights.masked_fill(~mask, 0)
        """,
        "masked after softmax",
    ),
    (
        "scores times mask",
        "return scores.softmax(-1) if mask is None else (scores * mask).softmax(-1)",
        "fill too weak",
    ),
    (
        "minus ten",
        "return scores.softmax(-1) if mask is None else torch.where(mask, scores, -10).softmax(-1)",
        "fill too weak",
    ),
    (
        "−1e6",
        "return scores.softmax(-1) if mask is None else torch.where(mask, scores, -1e6).softmax(-1)",
        "fill too weak",
    ),
    (
        "(1 − m) · −inf",
        "return (scores if mask is None else scores + (~mask) * float('-inf')).softmax(-1)",
        "zero times infinity",
    ),
    (
        "the mask turned",
        """
        if mask is not None:
            scores = scores.masked_fill(~mask.transpose(-1, -2), -torch.inf)
        return scores.softmax(-1).nan_to_num()
        """,
        "mask transposed",
    ),
    (
        "NaN in an empty row",
        "return (scores if mask is None else torch.where(mask, scores, -torch.inf)).softmax(-1)",
        "empty row",
    ),
    (
        "−1e9, uniform in an empty row",
        "return (scores if mask is None else torch.where(mask, scores, -1e9)).softmax(-1)",
        "empty row",
    ),
    (
        "dim −2",
        "return (scores if mask is None else scores.masked_fill(~mask, -1e30)).softmax(-2)",
        "softmax over queries",
    ),
    (
        "one sum for all",
        """
        keep = torch.ones_like(scores) if mask is None else mask.expand_as(scores).float()
        e = torch.exp(scores - scores.max()) * keep
        return e / e.sum()
        """,
        "whole matrix",
    ),
    # --- mistakes that no row lists ---
    (
        "equal shares",
        """
        m = torch.ones_like(scores) if mask is None else mask.expand_as(scores).float()
        return m / m.sum(-1, keepdim=True).clamp_min(1)
        """,
        "",
    ),
    ("without a mask only", "assert mask is None\nreturn scores.softmax(-1)", ""),
)

SPLIT = _of(
    "split_heads",
    "X, num_heads",
    # --- right ---
    ("chunks stacked", "return torch.stack(X.chunk(num_heads, dim=-1), dim=1)", "right: per-head lists"),
    (
        "reshape, permute, contiguous",
        "return X.reshape(*X.shape[:2], num_heads, -1).permute(0, 2, 1, 3).contiguous()",
        "right: reshape",
    ),
    ("unflatten", "return X.unflatten(-1, (num_heads, -1)).transpose(1, 2)", "right: unflatten"),
    (
        "rearrange",
        """
        from functorch.einops.rearrange import rearrange
        return rearrange(X, "b n (h d) -> b h n d", h=num_heads)
        """,
        "right: einops",
    ),
    (
        "slices",
        """
        width = X.shape[2] // num_heads
        return torch.stack([X[:, :, j * width : (j + 1) * width] for j in range(num_heads)], dim=1)
        """,
        "right: per-head lists",
    ),
    (
        "einsum to swap axes",
        "return torch.einsum('bnhd->bhnd', X.view(*X.shape[:2], num_heads, -1))",
        "right: einsum",
    ),
    (
        "filled by hand",
        """
        batch, n, d_model = X.shape
        d = d_model // num_heads
        out = torch.empty(batch, num_heads, n, d, dtype=X.dtype)
        for j in range(num_heads):
            out[:, j] = X[..., j * d:j * d + d]
        return out
        """,
        "right: loops",
    ),
    # --- listed mistakes ---
    (
        "view in the final shape",
        "return X.view(X.size(0), num_heads, X.size(1), X.size(2) // num_heads)",
        "view instead of transpose",
    ),
    (
        "reshape with −1",
        "return torch.reshape(X, (len(X), num_heads, -1, X.shape[-1] // num_heads))",
        "view instead of transpose",
    ),
    (
        "no transpose at all",
        "return X.view(X.size(0), X.size(1), num_heads, -1)",
        "view instead of transpose",
    ),
    (
        "every num_heads-th column",
        "return torch.stack([X[:, :, j::num_heads] for j in range(num_heads)], dim=1)",
        "every second column",
    ),
    ("width first", "return X.view(*X.shape[:2], -1, num_heads).permute(0, 3, 1, 2)", "every second column"),
    (
        "doubled in place",
        """
        parts = torch.stack(X.chunk(num_heads, dim=-1), dim=1)
        X.zero_()
        return parts
        """,
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    ("heads last", "return X.view(*X.shape[:2], num_heads, -1).permute(0, 1, 3, 2)", ""),
    ("heads in front of the batch", "return torch.stack(X.chunk(num_heads, dim=-1))", ""),
    ("heads in reverse", "return torch.stack(X.chunk(num_heads, dim=-1)[::-1], dim=1)", ""),
    ("folded into the batch", "return torch.cat(X.chunk(num_heads, dim=-1), dim=0)", ""),
    ("words split, not features", "return torch.stack(X.chunk(num_heads, dim=1), dim=1)", ""),
)

MERGE = _of(
    "merge_heads",
    "X",
    # --- right ---
    (
        "concatenated",
        "return torch.cat([X[:, j] for j in range(X.shape[1])], dim=-1)",
        "right: per-head lists",
    ),
    (
        "contiguous, view",
        """
        batch, heads, n, width = X.shape
        return X.transpose(1, 2).contiguous().view(batch, n, heads * width)
        """,
        "right: contiguous().view",
    ),
    ("einsum", "return torch.einsum('bhnd->bnhd', X).reshape(X.shape[0], X.shape[2], -1)", "right: einsum"),
    ("permute, flatten", "return X.permute(0, 2, 1, 3).flatten(-2)", "right: reshape"),
    ("unbind and hstack", "return torch.cat(X.unbind(1), -1)", "right: per-head lists"),
    # --- listed mistakes ---
    ("reshape at once", "return X.reshape(X.size(0), X.size(2), -1)", "merge without transpose"),
    (
        "view at once",
        "b, h, n, d = X.shape\nreturn X.contiguous().view(b, n, h * d)",
        "merge without transpose",
    ),
    ("flatten heads and words", "return X.reshape(X.shape[0], -1, X.shape[-1])", "merge without transpose"),
    ("interleaved", "return torch.stack(X.unbind(1), dim=-1).flatten(-2)", "every second column"),
    (
        "wrong permutation",
        "return X.permute(0, 2, 3, 1).reshape(X.shape[0], X.shape[2], -1)",
        "every second column",
    ),
    (
        "emptied behind itself",
        """
        out = torch.cat(X.unbind(1), -1)
        X.zero_()
        return out
        """,
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    ("added up", "return X.sum(dim=1)", ""),
    ("averaged", "return X.float().mean(dim=1)", ""),
    ("in reverse", "return torch.cat(X.unbind(1)[::-1], -1)", ""),
    ("the first head alone", "return X[:, 0].repeat(1, 1, X.shape[1])", ""),
)


def _heads(style: str, forward: str, verdict: str, init: str = "", more: str = "") -> Answer:
    """The usual class around a forward pass; `init` replaces what the constructor does, `more` are other methods."""
    made = (
        init
        or """
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.d_model = d_model
        self.d_k = d_model // num_heads
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
    """
    )
    made, called = (
        textwrap.indent(textwrap.dedent(body).strip(), " " * 8) for body in (made, forward or USUAL)
    )
    methods = textwrap.indent(textwrap.dedent(more), " " * 4)
    code = f"""
import torch.nn.functional as F

class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
{made}
{methods}
    def forward(self, queries, keys, values, mask=None):
{called}
"""
    right = verdict.startswith("right")
    row = verdict.partition(": ")[2] if right else ""
    return Answer("MultiHeadAttention", style, code, "" if right else verdict, right, row)


USUAL = """
    Q = split_heads(self.W_q(queries), self.num_heads)
    K = split_heads(self.W_k(keys), self.num_heads)
    V = split_heads(self.W_v(values), self.num_heads)
    if mask is not None and mask.dim() == 3:
        mask = mask.unsqueeze(1)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
    self.attention_weights = masked_weights(scores, mask)
    return self.W_o(merge_heads(self.attention_weights @ V))
"""

FOUR_LAYERS = """
    if d_model % num_heads:
        raise ValueError(f"{d_model} features, {num_heads} heads")
    self.h, self.d_k = num_heads, d_model // num_heads
    for name in ("W_q", "W_k", "W_v", "W_o"):
        setattr(self, name, nn.Linear(d_model, d_model, bias=False))
"""


def _but(old: str, new: str) -> str:
    """The usual forward pass with one thing replaced."""
    assert old in USUAL, old
    return USUAL.replace(old, new)


MULTI_HEAD = (
    # --- right ---
    _heads(
        "fused projections",
        """
        batch, n_q, n_k = len(queries), queries.shape[1], keys.shape[1]
        if queries is keys and keys is values:
            fused = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
            q, k, v = F.linear(queries, fused).chunk(3, dim=-1)
        else:
            q, k, v = self.W_q(queries), self.W_k(keys), self.W_v(values)
        q = q.view(batch, n_q, self.h, self.d_k).transpose(1, 2)
        k = k.view(batch, n_k, self.h, self.d_k).transpose(1, 2)
        v = v.view(batch, n_k, self.h, self.d_k).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_k ** 0.5
        if mask is not None:
            if mask.dim() == 2:
                mask = mask[None, None]
            elif mask.dim() == 3:
                mask = mask[:, None]
            scores = scores.masked_fill(~mask, float("-inf"))
        self.attention_weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        out = (self.attention_weights @ v).transpose(1, 2).contiguous().view(batch, n_q, -1)
        return self.W_o(out)
        """,
        "right: fused QKV",
        FOUR_LAYERS,
    ),
    _heads(
        "head by head, a list, detached copies kept",
        """
        Q, K, V = self.W_q(queries), self.W_k(keys), self.W_v(values)
        results, kept = [], []
        for j in range(self.h):
            own = slice(j * self.d_k, (j + 1) * self.d_k)
            m = mask
            if mask is not None and mask.dim() == 4:
                m = mask[:, j if mask.shape[1] > 1 else 0]
            scores = torch.bmm(Q[..., own], K[..., own].mT) / math.sqrt(self.d_k)
            weights = masked_weights(scores, m)
            results.append(weights @ V[..., own])
            kept.append(weights.detach())
        self.attention_weights = torch.stack(kept, dim=1)
        return self.W_o(torch.cat(results, dim=-1))
        """,
        "right: per-head lists",
        FOUR_LAYERS,
    ),
    _heads(
        "einsum throughout",
        """
        parts = zip((queries, keys, values), (self.W_q, self.W_k, self.W_v))
        q, k, v = (torch.einsum("bnd,hed->bhne", x, W.weight.unflatten(0, (self.h, -1))) for x, W in parts)
        scores = torch.einsum("bhqd,bhkd->bhqk", q * self.d_k ** -0.5, k)
        if mask is None:
            mask = torch.ones(1, dtype=torch.bool)
        elif mask.ndim == 3:
            mask = mask[:, None]
        weights = torch.where(mask, scores, -torch.inf).softmax(-1)
        self.attention_weights = torch.where(mask, weights, 0.0)
        W_o = self.W_o.weight.unflatten(1, (self.h, -1))
        return torch.einsum("bhqk,bhkd,ohd->bqo", self.attention_weights, v, W_o)
        """,
        "right: einsum",
        FOUR_LAYERS,
    ),
    _heads(
        "heads folded into the batch",
        """
        batch, n_q, n_k = len(queries), queries.shape[1], keys.shape[1]
        def fold(x):
            return x.reshape(batch, -1, self.h, self.d_k).transpose(1, 2).reshape(batch * self.h, -1, self.d_k)
        Q, K, V = fold(self.W_q(queries)), fold(self.W_k(keys)), fold(self.W_v(values))
        if mask is not None:
            mask = mask.unsqueeze(1) if mask.dim() == 3 else mask
            mask = mask.expand(batch, self.h, n_q, n_k).reshape(-1, n_q, n_k)
        scores = torch.baddbmm(torch.zeros(1), Q, K.mT, beta=0, alpha=1 / math.sqrt(self.d_k))
        if mask is None:
            weights = scores.softmax(-1)
        else:
            weights = scores.masked_fill(mask == 0, -1e9).softmax(-1) * mask
        self.attention_weights = weights.view(batch, self.h, n_q, n_k)
        out = torch.bmm(weights, V).view(batch, self.h, n_q, self.d_k)
        return self.W_o(out.transpose(1, 2).reshape(batch, n_q, -1))
        """,
        "right: folded batch",
        FOUR_LAYERS,
    ),
    _heads(
        "the library's for the output, d^-1/4 for the weights",
        """
        Q, K, V = (W(x).unflatten(-1, (self.h, -1)).transpose(1, 2)
                   for W, x in ((self.W_q, queries), (self.W_k, keys), (self.W_v, values)))
        while mask is not None and mask.dim() < 4:
            mask = mask.unsqueeze(-3)
        quarter = self.d_k ** -0.25
        self.attention_weights = masked_weights((Q * quarter) @ (K * quarter).mT, mask)
        output = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask).nan_to_num()
        return self.W_o(output.transpose(1, 2).flatten(2))
        """,
        "right: unflatten",
        FOUR_LAYERS,
    ),
    _heads("the lesson's pieces", USUAL, "right"),
    _heads(
        "two classes: a head by itself",
        """
        self.attention_weights, outputs = None, []
        weights = []
        for head in range(self.h):
            w, o = self.one_head(head, queries, keys, values, mask)
            weights.append(w)
            outputs.append(o)
        self.attention_weights = torch.stack(weights, 1)
        return self.W_o(torch.cat(outputs, -1))
        """,
        "right: per-head lists",
        FOUR_LAYERS,
        """
        def one_head(self, head, queries, keys, values, mask):
            rows = slice(head * self.d_k, (head + 1) * self.d_k)
            q = queries @ self.W_q.weight[rows].T
            k = keys @ self.W_k.weight[rows].T
            v = values @ self.W_v.weight[rows].T
            s = torch.matmul(q, k.transpose(-1, -2)) / math.sqrt(self.d_k)
            if mask is not None and mask.dim() == 4:
                mask = mask.expand(len(q), self.h, -1, -1)[:, head]
            w = masked_weights(s, mask)
            return w, w @ v
        """,
    ),
    # --- listed mistakes ---
    _heads(
        "view to heads",
        """
        batch, n_q, n_k = len(queries), queries.shape[1], keys.shape[1]
        Q = self.W_q(queries).view(batch, self.num_heads, n_q, self.d_k)
        K = self.W_k(keys).view(batch, self.num_heads, n_k, self.d_k)
        V = self.W_v(values).view(batch, self.num_heads, n_k, self.d_k)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        self.attention_weights = masked_weights(Q @ K.mT / math.sqrt(self.d_k), mask)
        out = self.attention_weights @ V
        return self.W_o(out.transpose(1, 2).reshape(batch, n_q, -1))
        """,
        "view instead of transpose",
    ),
    _heads(
        "reshape to heads, merged by the lesson's piece",
        """
        cut = lambda X: X.reshape(X.shape[0], self.num_heads, -1, self.d_k)
        Q, K, V = cut(self.W_q(queries)), cut(self.W_k(keys)), cut(self.W_v(values))
        if mask is not None and mask.dim() == 3:
            mask = mask[:, None]
        self.attention_weights = masked_weights(Q @ K.mT / self.d_k ** 0.5, mask)
        return self.W_o(merge_heads(self.attention_weights @ V))
        """,
        "view instead of transpose",
    ),
    _heads(
        "merged by reshape",
        _but(
            "merge_heads(self.attention_weights @ V)", "(self.attention_weights @ V).reshape(queries.shape)"
        ),
        "merge without transpose",
    ),
    _heads(
        "merged by contiguous and view",
        _but(
            "merge_heads(self.attention_weights @ V)",
            "(self.attention_weights @ V).contiguous().view(queries.size(0), -1, self.d_model)",
        ),
        "merge without transpose",
    ),
    _heads(
        "view in, view out",
        """
        batch = queries.size(0)
        Q, K, V = (W(x).view(batch, self.num_heads, x.size(1), self.d_k)
                   for W, x in ((self.W_q, queries), (self.W_k, keys), (self.W_v, values)))
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        self.attention_weights = masked_weights(Q @ K.mT / math.sqrt(self.d_k), mask)
        return self.W_o((self.attention_weights @ V).view(batch, queries.size(1), -1))
        """,
        "both",
    ),
    _heads(
        "reshape both ways, softmax by hand",
        """
        B, n_q, d_model = queries.shape
        n_k = keys.shape[1]
        Q = torch.reshape(self.W_q(queries), (B, self.num_heads, n_q, -1))
        K = torch.reshape(self.W_k(keys), (B, self.num_heads, n_k, -1))
        V = torch.reshape(self.W_v(values), (B, self.num_heads, n_k, -1))
        s = torch.einsum("bhqd,bhkd->bhqk", Q, K) / math.sqrt(self.d_k)
        if mask is not None:
            s = s.masked_fill(~(mask[:, None] if mask.ndim == 3 else mask), -torch.inf)
        self.attention_weights = s.softmax(-1).nan_to_num()
        return self.W_o(torch.reshape(self.attention_weights @ V, (B, n_q, d_model)))
        """,
        "both",
    ),
    _heads(
        "scaled by the model's width", _but("math.sqrt(self.d_k)", "math.sqrt(queries.shape[-1])"), "√d_model"
    ),
    _heads("scaled by self.d_model", _but("/ math.sqrt(self.d_k)", "* self.d_model ** -0.5"), "√d_model"),
    _heads(
        "d_k = d_model",
        _but("math.sqrt(self.d_k)", "self.d_k ** 0.5"),
        "√d_model",
        """
        if d_model % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads, self.d_k = num_heads, d_model
        self.W_q, self.W_k = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
        self.W_v, self.W_o = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
        """,
    ),
    _heads("no scale", _but(" / math.sqrt(self.d_k)", ""), "no scale"),
    _heads(
        "a scale that is thrown away",
        _but(
            "    self.attention", "    scores.detach().div(math.sqrt(self.d_k))\n    self.attention"
        ).replace(" / math.sqrt(self.d_k)\n", "\n"),
        "no scale",
    ),
    _heads("divided by d_k", _but("math.sqrt(self.d_k)", "self.d_k"), "wrong power"),
    _heads("d_k ** 1/2", _but("math.sqrt(self.d_k)", "(self.d_k ** 1/2)"), "wrong power"),
    _heads("the number of keys", _but("math.sqrt(self.d_k)", "math.sqrt(K.size(-2))"), "wrong length"),
    _heads("the number of heads", _but("math.sqrt(self.d_k)", "math.sqrt(self.num_heads)"), "wrong length"),
    _heads(
        "weights divided",
        _but(" / math.sqrt(self.d_k)", "").replace(
            "masked_weights(scores, mask)", "masked_weights(scores, mask) / self.d_k ** 0.5"
        ),
        "scaled after softmax",
    ),
    _heads(
        "one layer for queries, keys and values",
        USUAL.replace("self.W_k(", "self.W_q(").replace("self.W_v(", "self.W_q("),
        "one projection for all",
    ),
    _heads(
        "one layer under three names",
        USUAL,
        "one projection for all",
        """
        if d_model % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        shared = nn.Linear(d_model, d_model, bias=False)
        self.W_q = self.W_k = self.W_v = shared
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        """,
    ),
    _heads(
        "a single layer W",
        USUAL.replace("self.W_q(", "self.W(").replace("self.W_k(", "self.W(").replace("self.W_v(", "self.W("),
        "one projection for all",
        """
        if d_model % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.W = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        """,
    ),
    _heads(
        "W_o made, not used",
        _but("self.W_o(merge_heads(self.attention_weights @ V))", "merge_heads(self.attention_weights @ V)"),
        "no W_o",
    ),
    _heads(
        "W_o never made",
        _but("self.W_o(merge_heads(self.attention_weights @ V))", "merge_heads(self.attention_weights @ V)"),
        "no W_o",
        """
        if d_model % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_model, bias=False) for _ in range(3))
        """,
    ),
    _heads(
        "keys viewed with the queries' length",
        """
        batch, n, _ = queries.shape
        Q, K, V = (W(x).view(batch, n, self.num_heads, self.d_k).transpose(1, 2)
                   for W, x in ((self.W_q, queries), (self.W_k, keys), (self.W_v, values)))
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        self.attention_weights = masked_weights(Q @ K.mT / math.sqrt(self.d_k), mask)
        return self.W_o(merge_heads(self.attention_weights @ V))
        """,
        "n_q for both",
    ),
    _heads(
        "keys reshaped with the queries' length",
        """
        B, n = queries.shape[0], queries.shape[1]
        Q = self.W_q(queries).reshape(B, n, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        K = self.W_k(keys).reshape(B, n, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        V = self.W_v(values).reshape(B, n, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        if mask is not None and mask.ndim == 3:
            mask = mask[:, None]
        self.attention_weights = masked_weights(torch.matmul(Q, K.mT) / math.sqrt(self.d_k), mask)
        return self.W_o((self.attention_weights @ V).permute(0, 2, 1, 3).reshape(B, n, -1))
        """,
        "n_q for both",
    ),
    _heads("the mask as it is", _but("        mask = mask.unsqueeze(1)", "        pass"), "mask meets heads"),
    _heads(
        "always a new axis in second place",
        _but("if mask is not None and mask.dim() == 3:", "if mask is not None:"),
        "mask meets heads",
    ),
    _heads(
        "heads in front of the mask",
        _but("mask.unsqueeze(1)", "mask.unsqueeze(0)"),
        "mask meets heads",
    ),
    _heads("values made of the keys", _but("self.W_v(values)", "self.W_v(keys)"), "wrong partner"),
    _heads("keys made of the values", _but("self.W_k(keys)", "self.W_k(values)"), "wrong partner"),
    _heads(
        "weights gather the keys",
        _but("self.attention_weights @ V", "self.attention_weights @ K"),
        "wrong partner",
    ),
    _heads(
        "weights transposed",
        _but("self.attention_weights @ V", "self.attention_weights.mT @ V"),
        "weights transposed",
    ),
    _heads(
        "heads compete",
        _but(
            "masked_weights(scores, mask)",
            "torch.softmax(scores if mask is None else scores.masked_fill(~mask, -1e9), dim=1)",
        ),
        "wrong axis",
    ),
    _heads(
        "mask inverted",
        _but(
            "masked_weights(scores, mask)",
            "(scores if mask is None else scores.masked_fill(mask, -torch.inf)).softmax(-1)",
        ),
        "mask inverted",
    ),
    _heads(
        "PyTorch's other convention",
        _but("masked_weights(scores, mask)", "masked_weights(scores, None if mask is None else ~mask)"),
        "mask inverted",
    ),
    _heads(
        "mask unused", _but("masked_weights(scores, mask)", "torch.softmax(scores, dim=-1)"), "mask ignored"
    ),
    _heads(
        "the mask turned round",
        _but("masked_weights(scores, mask)", "masked_weights(scores, None if mask is None else mask.mT)"),
        "mask transposed",
    ),
    _heads(
        "the sum over heads",
        _but(
            "masked_weights(scores, mask)",
            "masked_weights(scores.transpose(1, -1), None if mask is None else mask.expand(scores.shape)"
            ".transpose(1, -1)).transpose(1, -1)",
        ),
        "wrong axis",
    ),
    _heads(
        "weights times mask",
        _but("masked_weights(scores, mask)", "scores.softmax(-1) * (mask if mask is not None else 1)"),
        "masked after softmax",
    ),
    _heads(
        "−10 for the hidden",
        _but(
            "masked_weights(scores, mask)",
            "(scores if mask is None else torch.where(mask, scores, -10.0)).softmax(-1)",
        ),
        "fill too weak",
    ),
    _heads(
        "scores times mask",
        _but(
            "masked_weights(scores, mask)", "torch.softmax(scores if mask is None else scores * mask, dim=-1)"
        ),
        "fill too weak",
    ),
    _heads(
        "(1 − m) · −inf",
        _but(
            "masked_weights(scores, mask)",
            "(scores if mask is None else scores + (1 - mask.int()) * -torch.inf).softmax(-1)",
        ),
        "zero times infinity",
    ),
    _heads(
        "−inf, NaN in an empty row",
        _but(
            "masked_weights(scores, mask)",
            "(scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)",
        ),
        "empty row",
    ),
    _heads(
        "−1e9, uniform in an empty row",
        _but(
            "masked_weights(scores, mask)",
            "(scores if mask is None else scores.masked_fill(~mask, -1e9)).softmax(-1)",
        ),
        "empty row",
    ),
    _heads(
        "softmax over the queries",
        _but(
            "masked_weights(scores, mask)",
            "(scores if mask is None else scores.masked_fill(~mask, -1e30)).softmax(-2)",
        ),
        "softmax over queries",
    ),
    _heads(
        "softmax over words and words",
        _but(
            "masked_weights(scores, mask)",
            """masked_weights(
        scores.flatten(2), None if mask is None else mask.expand(scores.shape).flatten(2)
    ).view(scores.shape)""",
        ),
        "whole matrix",
    ),
    _heads(
        "weights detached",
        _but("self.attention_weights @ V", "self.attention_weights.detach() @ V"),
        "gradient cut",
    ),
    _heads(
        "the last layer's data",
        _but(
            "self.W_o(merge_heads(self.attention_weights @ V))",
            "merge_heads(self.attention_weights @ V) @ self.W_o.weight.data.T",
        ),
        "gradient cut",
    ),
    _heads(
        "queries' weight detached",
        _but("self.W_q(queries)", "F.linear(queries, self.W_q.weight.detach())"),
        "gradient cut",
    ),
    _heads(
        "output as new numbers",
        _but("return self.W_o(", "return torch.tensor(self.W_o(").replace("@ V))", "@ V)).tolist())"),
        "gradient cut",
    ),
    _heads(
        "the mask unsqueezed in place",
        _but("mask = mask.unsqueeze(1)", "mask.unsqueeze_(1)"),
        "writes into its input",
    ),
    _heads(
        "the mask turned in place",
        _but(
            "masked_weights(scores, mask)",
            "masked_weights(scores, mask)\n    if mask is not None:\n        mask.logical_not_()",
        ),
        "writes into its input",
    ),
    # --- mistakes that no row lists ---
    _heads(
        "layers with biases",
        USUAL,
        "",
        """
        if d_model % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))
        """,
    ),
    _heads(
        "assert instead of raise",
        USUAL,
        "",
        """
        assert d_model % num_heads == 0
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        """,
    ),
    _heads(
        "no check of divisibility",
        USUAL,
        "",
        """
        self.num_heads, self.d_k = num_heads, d_model // num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
        """,
    ),
    _heads(
        "weights averaged over the heads",
        USUAL.replace(
            "    return", "    A = self.attention_weights\n    self.attention_weights = A.mean(1)\n    return"
        ).replace("self.attention_weights @ V", "A @ V"),
        "",
    ),
    _heads(
        "the input added on",
        _but(
            "return self.W_o(merge_heads(self.attention_weights @ V))",
            "return queries + self.W_o(merge_heads(self.attention_weights @ V))",
        ),
        "",
    ),
    _heads(
        "causal whether asked or not",
        _but(
            "scores = ",
            """past = torch.ones(queries.shape[1], keys.shape[1]).tril().bool()
    mask = past if mask is None else mask & past
    scores = """,
        ),
        "",
    ),
    _heads(
        "a dropout nobody asked for",
        _but("self.attention_weights @ V", "F.dropout(self.attention_weights, 0.1) @ V"),
        "",
    ),
    _heads(
        "weights come back as well",
        _but(
            "return self.W_o(merge_heads(self.attention_weights @ V))",
            "return self.W_o(merge_heads(self.attention_weights @ V)), self.attention_weights",
        ),
        "",
    ),
    _heads(
        "queries and keys exchanged in their layers",
        USUAL.replace("self.W_q(queries)", "self.W_k(queries)").replace("self.W_k(keys)", "self.W_q(keys)"),
        "",
    ),
)

PREDICTIONS = (
    Answer("guess_covered_key", "rounded", "real_weights = [0.4, 0.2, 0.4]\ncovered_key = 1", right=True),
    Answer(
        "guess_covered_key",
        "computed",
        "real_weights = torch.tensor([1, 0, 1.0]).div(math.sqrt(2)).softmax(0)\ncovered_key = np.int64(1)",
        right=True,
    ),
    Answer(
        "guess_covered_key",
        "the notes' weights",
        "real_weights = [0.5, 0, 0.5]\ncovered_key = 1",
        "a score of 0 is a weight of 0",
    ),
    Answer(
        "guess_covered_key", "no scale", "real_weights = [0.422, 0.155, 0.422]\ncovered_key = 1", "no scale"
    ),
    Answer("guess_covered_key", "thirds", "real_weights = [1/3] * 3\ncovered_key = 1"),
    Answer("guess_covered_key", "scores", "real_weights = [0.707, 0, 0.707]\ncovered_key = 1"),
    Answer(
        "predict_head_zero",
        "nested lists",
        "head_0 = [[0, 1], [4, 5], [8, 9]]\nhead_0_by_view = [[0, 1], [2, 3], [4, 5]]",
        right=True,
    ),
    Answer(
        "predict_head_zero",
        "asked of torch",
        "X = torch.arange(12).view(1, 3, 4)\nhead_0 = X[0, :, :2]\nhead_0_by_view = X.view(1, 2, 3, 2)[0, 0]",
        right=True,
    ),
    Answer(
        "predict_head_zero",
        "exchanged",
        "head_0 = [[0, 1], [2, 3], [4, 5]]\nhead_0_by_view = [[0, 1], [4, 5], [8, 9]]",
        "view instead of transpose",
    ),
    Answer(
        "predict_head_zero",
        "both alike",
        "head_0 = np.array([[0, 1], [4, 5], [8, 9]])\nhead_0_by_view = head_0",
        "a view moves nothing",
    ),
    Answer(
        "predict_head_zero",
        "even columns",
        "head_0 = torch.arange(12).view(3, 4)[:, ::2]\nhead_0_by_view = [[0, 1], [2, 3], [4, 5]]",
        "every second column",
    ),
    Answer(
        "predict_head_zero",
        "the other head",
        "head_0 = [[2, 3], [6, 7], [10, 11]]\nhead_0_by_view = [[6, 7], [8, 9], [10, 11]]",
    ),
    Answer("predict_head_zero", "one word", "head_0 = [0, 1]\nhead_0_by_view = [0, 1]"),
    Answer(
        "predict_who_sees_whom",
        "lists",
        "sees_causal = [0, 1, 2]\nsees_padding = [0, 1, 3]\nsees_both = [0, 1]",
        right=True,
    ),
    Answer(
        "predict_who_sees_whom",
        "read off the masks",
        "seq = torch.tensor([[5, 8, 0, 2, 0]])\ncausal = create_causal_mask(5)\npadding = create_padding_mask(seq)[0]\n"
        "sees_causal = causal[2].nonzero().squeeze(1)\nsees_padding = padding[0].nonzero().flatten().tolist()\n"
        "sees_both = list((causal & padding)[2].nonzero()[:, 0])",
        right=True,
    ),
    Answer(
        "predict_who_sees_whom",
        "sets",
        "sees_causal = {2, 1, 0}\nsees_padding = {3, 1, 0}\nsees_both = sees_causal & sees_padding",
        right=True,
    ),
    Answer(
        "predict_who_sees_whom",
        "later words",
        "sees_causal = [2, 3, 4]\nsees_padding = [0, 1, 3]\nsees_both = [3]",
        "looks ahead",
    ),
    Answer(
        "predict_who_sees_whom",
        "all words",
        "sees_causal = list(range(5))\nsees_padding = [0, 1, 3]\nsees_both = [0, 1, 3]",
        "looks ahead",
    ),
    Answer(
        "predict_who_sees_whom",
        "earlier words alone",
        "sees_causal = [0, 1]\nsees_padding = [0, 1, 3]\nsees_both = [0, 1]",
        "diagonal",
    ),
    Answer(
        "predict_who_sees_whom",
        "range(4)",
        "sees_causal = range(4)\nsees_padding = [0, 1, 3]\nsees_both = [0, 1, 3]",
        "diagonal",
    ),
    Answer(
        "predict_who_sees_whom",
        "the pads",
        "sees_causal = [0, 1, 2]\nsees_padding = [2, 4]\nsees_both = [2]",
        "inverted padding",
    ),
    Answer(
        "predict_who_sees_whom",
        "a pad sees nothing",
        "sees_causal = [0, 1, 2]\nsees_padding = []\nsees_both = []",
        "pads the queries",
    ),
    Answer(
        "predict_who_sees_whom",
        "itself among them",
        "sees_causal = (0, 1, 2)\nsees_padding = (0, 1, 2, 3)\nsees_both = (0, 1, 2)",
        "sees itself",
    ),
    Answer(
        "predict_who_sees_whom",
        "the union",
        "sees_causal = [0, 1, 2]\nsees_padding = [0, 1, 3]\nsees_both = sorted(set(sees_causal) | set(sees_padding))",
        "either instead of both",
    ),
    Answer(
        "predict_who_sees_whom",
        "positions from one",
        "sees_causal = [1, 2, 3]\nsees_padding = [1, 2, 4]\nsees_both = [1, 2]",
        "counted from 1",
    ),
    Answer(
        "predict_who_sees_whom",
        "tokens",
        "sees_causal = [5, 8, 0]\nsees_padding = [5, 8, 2]\nsees_both = [5, 8]",
    ),
    Answer(
        "predict_who_sees_whom",
        "zeros and ones",
        "sees_causal = [1, 1, 1, 0, 0]\nsees_padding = [1, 1, 0, 1, 0]\nsees_both = [1, 1, 0, 0, 0]",
    ),
)

ANSWERS = (*PREDICTIONS, *CAUSAL, *ADDITIVE, *PADDING, *WEIGHTS, *SPLIT, *MERGE, *MULTI_HEAD)
