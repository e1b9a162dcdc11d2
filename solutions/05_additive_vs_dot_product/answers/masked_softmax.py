# %% crosses="of each mistake"
# length of 0 not handled -> hidden keys get; a length of; gradients flow back
# masked score not low enough -> right with one length per batch; right with one length per query; right however high; hidden keys get; a length of; leaves X and
# writes into its input -> leaves X and
# softmax over the queries -> without lengths it; hidden keys get; a length of
# softmax over the whole matrix -> without lengths it; a length of
# weights not normalised -> without lengths it
# no shift by the maximum -> right however high; hidden keys get; a length of; gradients flow back
# one hidden key empties the row -> right with one length per batch; right with one length per query; a length of; gradients flow back
# %% what_if="The hidden scores are all made a thousand times larger. What happens to the weights?" because="Nothing happens to them. The hidden scores are replaced before the softmax, so their size does not matter."
X, lens = torch.tensor([[[1.0, 2.0, 3.0, 4.0]]]), torch.tensor([2])
loud = X.clone()
loud[..., 2:] *= 1000
print(torch.equal(masked_softmax(X, lens), masked_softmax(loud, lens)))
# %% right="three loops" row="loops" buys="slow and plain: it never looks at a hidden key"
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
# %% right="flat rows, repeat_interleave" row="masked_fill"
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
# %% right="logsumexp" row="logsumexp" buys="a score minus the logsumexp is the logarithm of a weight, and logsumexp does not overflow for high scores"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.exp(X - X.logsumexp(-1, keepdim=True))
    mask = torch.arange(X.shape[-1]) < valid_lens.view(X.shape[0], -1, 1)
    Y = X.masked_fill(~mask, -torch.inf)
    return torch.exp(Y - Y.logsumexp(-1, keepdim=True)).masked_fill(~mask, 0)
# %% right="−1e9 and then times the mask" row="−1e9 and then · mask"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    mask = (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)).to(X.dtype)
    return X.masked_fill(mask == 0, -1e9).softmax(-1) * mask
# %% right="the least float, then times the mask" row="np.where" buys="no infinities, so no row can become NaN; the product with the mask clears what is left"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    mask = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    return torch.where(mask, X, torch.finfo(X.dtype).min).softmax(-1) * mask
# %% right="exp by hand, in float64" row="any per-row shift"
def masked_softmax(X, valid_lens):
    X = X.double()
    if valid_lens is None:
        mask = torch.ones_like(X, dtype=torch.bool)
    else:
        mask = (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)).expand_as(X)
    top = X.masked_fill(~mask, -torch.inf).amax(-1, keepdim=True).clamp(min=-1e300).detach()
    e = torch.exp(torch.where(mask, X - top, -torch.inf))
    return e / e.sum(-1, keepdim=True).clamp_min(1e-30)
# %% right="an additive mask where a row has any key" row="additive mask"
def masked_softmax(X, valid_lens=None):
    if valid_lens is None:
        return X.softmax(-1)
    lens = valid_lens.unsqueeze(1) if valid_lens.dim() == 1 else valid_lens
    mask = torch.arange(X.shape[2]) < lens.unsqueeze(-1)
    some = mask.any(-1, keepdim=True)
    bias = torch.zeros(mask.shape).masked_fill(~mask & some, -torch.inf)
    return (X + bias).softmax(-1) * some
# %% right="stacked batch by batch" row="masked_fill + nan_to_num"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return nn.Softmax(dim=-1)(X)
    results = []
    for scores, lens in zip(X, valid_lens):
        keep = torch.stack([torch.arange(X.shape[-1]) < n for n in lens.expand(X.shape[1])])
        weights = scores.masked_fill(~keep, float("-inf")).softmax(-1)
        results.append(weights.masked_fill(~keep, 0.0))
    return torch.stack(results)
# %% mistake="lengths repeated in the wrong order" style="the notes' code with repeat"
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
# %% mistake="lengths repeated in the wrong order" style="lengths tiled as a table, read row by row"
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
# %% mistake="valid length off by one" style="less or equal"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lens = valid_lens[:, None, None] if valid_lens.dim() == 1 else valid_lens[:, :, None]
    keep = torch.arange(X.shape[-1]) <= lens
    return torch.softmax(X.masked_fill(~keep, -torch.inf), -1).nan_to_num()
# %% mistake="valid length off by one" style="the notes' code with less or equal"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    shape = X.shape
    lens = torch.repeat_interleave(valid_lens, shape[1]) if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    X = X.reshape(-1, shape[-1])
    X[~(torch.arange(shape[-1])[None, :] <= lens[:, None])] = -1e6
    return X.reshape(shape).softmax(-1)
# %% mistake="valid length off by one" style="one key too few, by slices"
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
# %% mistake="length of 0 not handled" style="NaN in an empty row"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lens = valid_lens.reshape(len(X), -1, 1)
    keep = torch.arange(X.shape[-1]).view(1, 1, -1) < lens
    bias = torch.zeros_like(X).masked_fill(~keep, float("-inf"))
    return torch.softmax(X + bias, dim=-1)
# %% mistake="masked score not low enough" style="−1e4 and NaNs removed"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    keep = torch.arange(X.shape[-1]) < valid_lens.view(X.shape[0], -1, 1)
    return torch.where(keep, X, -1e4).softmax(-1).nan_to_num()
# %% mistake="masked score not low enough" style="scores times the mask"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lens = valid_lens.reshape(X.shape[0], -1, 1)
    mask = (torch.arange(X.shape[-1]) < lens).float()
    return nn.functional.softmax(X * mask, dim=-1)
# %% mistake="writes into its input" style="the notes' code with −inf"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    shape = X.shape
    lens = valid_lens.repeat_interleave(shape[1]) if valid_lens.dim() == 1 else valid_lens.reshape(-1)
    X = X.view(-1, shape[-1])
    X[torch.arange(shape[-1]) >= lens[:, None]] = float("-inf")
    return X.softmax(-1).nan_to_num().view(shape)
# %% mistake="lengths per query ignored, or lengths per batch entry not expanded" style="a (batch, n_q) table, first column only"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    if valid_lens.dim() == 2:
        valid_lens = valid_lens[:, 0]
    keep = torch.arange(X.shape[-1])[None, None] < valid_lens[:, None, None]
    return X.masked_fill(~keep, -torch.inf).softmax(-1).masked_fill(~keep, 0)
# %% mistake="lengths per query ignored, or lengths per batch entry not expanded" style="(batch,) lengths meet the queries"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    keep = torch.arange(X.shape[-1]) < valid_lens.unsqueeze(-1)
    weights = X.masked_fill(~keep, -torch.inf).softmax(-1)
    return weights.masked_fill(~keep, 0.0)
# %% unlisted="(batch,) lengths alone are handled"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    keep = torch.arange(X.shape[-1]) < valid_lens[:, None, None]
    weights = torch.where(keep, X, -torch.inf).softmax(-1)
    return torch.where(keep, weights, 0.0)
# %% mistake="weights not normalised" style="exponentials of hidden scores set to 0"
def masked_softmax(X, valid_lens):
    e = torch.exp(X)
    if valid_lens is not None:
        lens = valid_lens[:, None, None] if valid_lens.dim() == 1 else valid_lens[..., None]
        e = torch.where(torch.arange(X.shape[-1]) < lens, e, 0.0)
    return e
# %% mistake="queries masked instead of keys" style="rows hidden, not columns"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    out = X.softmax(-1).clone()
    for b in range(len(X)):
        n = int(valid_lens[b] if valid_lens.dim() == 1 else valid_lens[b].max())
        out[b, n:] = 0
    return out
# %% mistake="queries masked instead of keys" style="the length on the query axis"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    rows = torch.arange(X.shape[1]).view(1, -1, 1)
    keep = (rows < valid_lens.reshape(len(X), 1, -1)).expand(X.shape)
    return X.masked_fill(~keep, -torch.inf).softmax(-1).nan_to_num()
# %% mistake="softmax over the queries" style="softmax over dim 1"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, dim=1)
    keep = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    return torch.softmax(X.masked_fill(~keep, -torch.inf), dim=1).masked_fill(~keep, 0)
# %% mistake="softmax over the whole matrix" style="one sum per batch entry"
def masked_softmax(X, valid_lens):
    keep = torch.ones_like(X, dtype=torch.bool)
    if valid_lens is not None:
        keep = (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)).expand(X.shape)
    e = torch.where(keep, torch.exp(X - X.amax((1, 2), keepdim=True)), 0.0)
    return e / e.sum(dim=(1, 2), keepdim=True)
# %% mistake="mask inverted" style="fills where it should keep" of="the least float, then times the mask"
# -     return torch.where(mask, X, torch.finfo(X.dtype).min).softmax(-1) * mask
# +     return X.masked_fill(mask, -torch.inf).softmax(-1).nan_to_num(0)
# %% mistake="mask ignored" style="lengths for later"
def masked_softmax(X, valid_lens=None):
    e = torch.exp(X - X.max(dim=-1, keepdim=True).values)
    return e / e.sum(-1, keepdim=True)
# %% mistake="masked after the softmax" style="softmax first, zeros afterwards"
def masked_softmax(X, valid_lens):
    weights = X.softmax(-1)
    if valid_lens is not None:
        weights = weights * (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1))
    return weights
# %% mistake="masked after the softmax" style="softmax first, zeros, and divided again"
def masked_softmax(X, valid_lens):
    weights = X.softmax(-1)
    if valid_lens is None:
        return weights
    weights = torch.where(torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1), weights, 0.0)
    return weights / (weights.sum(-1, keepdim=True) + 1e-9)
# %% mistake="gradient cut" style="X.data"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return X.data.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0)
# %% unlisted="infinity times 0, and NaN made 0"
def masked_softmax(X, valid_lens=None):
    if valid_lens is None:
        return X.softmax(-1)
    m = (torch.arange(X.shape[-1]) < valid_lens.reshape(X.shape[0], -1, 1)).float()
    return torch.nan_to_num((X + (1 - m) * float("-inf")).softmax(-1))
# %% unlisted="no lengths, no answer"
def masked_softmax(X, valid_lens):
    if valid_lens is not None:
        hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
        return X.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0)
# %% unlisted="exp without a shift where there are no lengths"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.exp() / X.exp().sum(-1, keepdim=True)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return X.masked_fill(hidden, -torch.inf).softmax(-1).masked_fill(hidden, 0)
# %% [markdown]
# ## From the wild
# %% mistake="masked score not low enough" style="scores times mask, softmax, mask again, divided again"
def masked_softmax(vector, valid_lens):
    if valid_lens is None:
        return torch.nn.functional.softmax(vector, dim=-1)
    mask = (torch.arange(vector.shape[-1]) < valid_lens.reshape(vector.shape[0], -1, 1)).float()
    result = torch.nn.functional.softmax(vector * mask, dim=-1)
    result = result * mask
    return result / (result.sum(dim=-1, keepdim=True) + 1e-13)
# %% unlisted="shifted by the row's maximum, mask, epsilon" true="masked after the softmax"
def masked_softmax(vec, valid_lens, epsilon=1e-5):
    maxes = torch.max(vec, dim=-1, keepdim=True)[0]
    exps = torch.exp(vec - maxes)
    if valid_lens is not None:
        exps = exps * (torch.arange(vec.shape[-1])[None, None] < valid_lens.reshape(len(vec), -1, 1))
    return exps / (exps.sum(-1, keepdim=True) + 1e-20)
# %% right="a sequence_mask helper and zeros afterwards"
def sequence_mask(lengths, max_len):
    return torch.arange(0, max_len).type_as(lengths).unsqueeze(0).expand(*lengths.shape, max_len).lt(lengths.unsqueeze(-1))

def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return nn.Softmax(dim=-1)(X)
    mask = sequence_mask(valid_lens, X.size(-1))
    if mask.dim() == 2:
        mask = mask.unsqueeze(1)
    attn = nn.functional.softmax(X.masked_fill(~mask, torch.finfo(X.dtype).min), -1)
    return attn * mask.to(attn.dtype)
# %% mistake="overwrites what the gradient needs" style="NaN is no number that equals itself"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, dim=-1)
    lens = valid_lens.view(X.size(0), -1, 1)
    attn = X.masked_fill(torch.arange(X.size(-1)) >= lens, float("-inf"))
    attn = torch.softmax(attn, dim=-1)
    attn[attn != attn] = 0
    return attn
# %% [markdown]
# ## Clumsy halves
# %% unlisted="one length per query still to do"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    if valid_lens.dim() == 2:
        raise NotImplementedError
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(-1, 1, 1)
    return X.masked_fill(hidden, -math.inf).softmax(-1).masked_fill(hidden, 0.0)
# %% mistake="fractions cut off" style="weights kept in a tensor of integers"
def masked_softmax(X, valid_lens):
    out = torch.zeros(X.shape, dtype=torch.long)
    for b in range(X.shape[0]):
        for i in range(X.shape[1]):
            n = X.shape[2]
            if valid_lens is not None:
                n = int(valid_lens[b]) if valid_lens.dim() == 1 else int(valid_lens[b, i])
            if n:
                out[b, i, :n] = X[b, i, :n].softmax(-1)
    return out
# %% unlisted="-inf as a text"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, -1)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return torch.softmax(X.masked_fill(hidden, "-inf"), -1)
# %% unlisted="one key too many, and the softmax over the queries" true="valid length off by one; softmax over the queries"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(1)
    hidden = torch.arange(X.shape[-1]) > valid_lens.reshape(len(X), -1, 1)
    return X.masked_fill(hidden, -math.inf).softmax(1).nan_to_num()
# %% mistake="masked score not low enough" style="the logarithm of the mask and a little"
def masked_softmax(vector, valid_lens):
    if valid_lens is None:
        return torch.nn.functional.softmax(vector, dim=-1)
    mask = (torch.arange(vector.shape[-1]) < valid_lens.reshape(len(vector), -1, 1)).float()
    return torch.nn.functional.softmax(vector + (mask + 1e-45).log(), dim=-1) * mask
# %% unlisted="a tiny number instead of 0" of="-inf as a text"
# -     return torch.softmax(X.masked_fill(hidden, "-inf"), -1)
# +     return torch.softmax(X.masked_fill(hidden, -math.inf), -1).masked_fill(hidden, 1e-9)
# %% mistake="axis of length 1 lost" style="squeezed at the end"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, -1).squeeze()
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return torch.softmax(X.masked_fill(hidden, -math.inf), -1).masked_fill(hidden, 0.0).squeeze()
# %% mistake="mask added as a number" style="the mask as floats, added"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, dim=-1)
    mask = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    return torch.softmax(X + mask.float(), dim=-1)
# %% mistake="mask added as a number" style="the mask itself, zeros for a length of 0"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    may_look = torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1)
    return (X + may_look).softmax(-1) * may_look.any(-1, keepdim=True)
# %% mistake="masked score not low enough" style="ten below the smallest score"
def masked_softmax(X, valid_lens=None):
    if valid_lens is None:
        return X.softmax(-1)
    lengths = valid_lens.reshape(len(X), -1, 1)
    hidden = torch.arange(X.shape[-1]) >= lengths
    return X.masked_fill(hidden, float(X.min()) - 10).softmax(-1)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="masked score not low enough" true="masked score not low enough; length of 0 not handled"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, dim=-1)
    Y = X.clone()
    batch = X.shape[0]
    n_q = X.shape[1]
    n_k = X.shape[2]
    for b in range(batch):
        for i in range(n_q):
            if valid_lens.dim() == 1:
                L = valid_lens[b]
            else:
                L = valid_lens[b][i]
            for j in range(n_k):
                if j >= L:
                    Y[b, i, j] = -1e6
    return torch.softmax(Y, dim=-1)
# %% mistake="no shift by the maximum" style="exp, times the mask, divided by a sum that is not 0"
def masked_softmax(X, valid_lens):
    e = X.exp()
    if valid_lens is not None:
        lengths = valid_lens[:, None] if valid_lens.dim() == 1 else valid_lens
        e = e * (torch.arange(X.shape[-1]) < lengths[..., None])
    return e / e.sum(-1, keepdim=True).clamp(min=1e-12)
# %% mistake="masked score not low enough" style="scores times mask, weights times mask"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lengths = valid_lens[:, None] if valid_lens.dim() == 1 else valid_lens
    ok = torch.arange(X.shape[-1]) < lengths[..., None]
    return (X * ok).softmax(-1) * ok
# %% mistake="one hidden key empties the row" style="all where any is meant"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lengths = valid_lens[:, None] if valid_lens.dim() == 1 else valid_lens
    ok = torch.arange(X.shape[-1]) < lengths[..., None]
    return X.masked_fill(~ok, -math.inf).softmax(-1) * ok.all(-1, keepdim=True)
# %% right="the rows with a key in view, by index into zeros"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    lengths = valid_lens.reshape(len(X), -1).expand(X.shape[:2])
    some = lengths > 0
    hidden = torch.arange(X.shape[-1]) >= lengths[..., None]
    out = torch.zeros(X.shape)
    out[some] = X[some].masked_fill(hidden[some], -math.inf).softmax(-1)
    return out
# %% right="row sums by a product with ones"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    low = X.masked_fill(torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1), -math.inf)
    top = low.amax(-1, keepdim=True).clamp(min=torch.finfo(X.dtype).min)
    e = torch.exp(low - top.detach())
    total = e @ torch.ones(X.shape[-1], 1)
    return e / total.masked_fill(total == 0, 1.0)
# %% mistake="one maximum for all rows" style="X.max(), times the mask"
def masked_softmax(X, valid_lens):
    e = torch.exp(X - X.max())
    if valid_lens is not None:
        e = e * (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1))
    total = e.sum(-1, keepdim=True)
    return e / total.masked_fill(total == 0, 1.0)
# %% mistake="one maximum for all rows" style="the maximum of what is in view"
def masked_softmax(X, valid_lens):
    S = X
    if valid_lens is not None:
        S = X.masked_fill(torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1), -math.inf)
    e = torch.exp(S - S.max())
    total = e.sum(-1, keepdim=True)
    return e / torch.where(total == 0, torch.ones_like(total), total)
# %% mistake="masked after the softmax" style="divided again, by 1e-30 at least"
def masked_softmax(X, valid_lens):
    weights = X.softmax(-1)
    if valid_lens is None:
        return weights
    kept = weights * (torch.arange(X.shape[-1]) < valid_lens.reshape(len(X), -1, 1))
    total = kept.sum(-1, keepdim=True)
    return torch.where(total > 0, kept / total.clamp(min=1e-30), 0.0)
# %% mistake="axis of length 1 lost" style="squeeze(1), as in the notes"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return torch.softmax(X, -1).squeeze(1)
    hidden = torch.arange(X.shape[-1]) >= valid_lens.reshape(len(X), -1, 1)
    return torch.softmax(X.masked_fill(hidden, -math.inf), -1).masked_fill(hidden, 0.0).squeeze(1)
# %% unlisted="one empty row empties its batch entry"
def masked_softmax(X, valid_lens):
    if valid_lens is None:
        return X.softmax(-1)
    rows = []
    for x, length in zip(X, valid_lens.reshape(len(X), -1, 1)):
        empty = (length == 0).any()
        hidden = torch.arange(x.shape[-1]) >= length
        rows.append(torch.zeros_like(x) if empty else x.masked_fill(hidden, -math.inf).softmax(-1))
    return torch.stack(rows)
