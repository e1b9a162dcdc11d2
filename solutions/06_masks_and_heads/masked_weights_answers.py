# %% crosses="of each mistake"
# mask inverted -> a hidden key's; a query with
# mask ignored -> a hidden key's; a query with
# masked after the softmax -> a hidden key's; right however high; a query with; gradients flow
# no shift by the maximum -> right however high; a query with; gradients flow
# masked score not low enough -> a hidden key's; right however high; a query with
# zero times infinity -> a hidden key's; a query with
# mask transposed -> a hidden key's; a query with
# row with nothing to look at -> a query with
# softmax over the queries -> without a mask; a query with
# softmax over the whole matrix -> without a mask
# works for one rank only -> without a mask
# writes into its input -> scores and mask
# mask added as a number -> a hidden; a query
# large scores cut to a limit -> right however; gradients flow
# gradient cut -> gradients flow
# one hidden key empties the row -> a hidden key's; right however; a query with; its neighbours
# %% what_if="A constant, say 100, is added to all scores of one query. What happens to its weights, with a mask and without?" because="It cancels in the softmax either way: hidden keys stay hidden, the others keep their ratios."
scores, mask = torch.tensor([[1.0, 2.0, 0.5]]), torch.tensor([True, False, True])
print(torch.allclose(masked_weights(scores, mask), masked_weights(scores + 100, mask)))
# %% right="−inf and nan_to_num" row="masked_fill + nan_to_num" buys="true to the formula; the row with nothing to look at is 0/0 for a moment, and mended in one place"
def masked_weights(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, -1).nan_to_num(0.0)
# %% right="an additive mask, but for empty rows" row="additive mask" buys="works with any bias that is added to scores; an empty row gets none, so that no 0/0 arises, in the gradient neither"
def masked_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    some = mask.any(-1, keepdim=True)
    return (scores + additive_mask(mask | ~some)).softmax(-1) * some
# %% mistake="gradient cut" style="an additive mask, then where"
def masked_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    weights = (scores + additive_mask(mask)).softmax(-1)
    return torch.where(mask, weights, torch.zeros_like(weights))
# %% mistake="gradient cut" style="an additive mask, then nan_to_num"
def masked_weights(scores, mask=None):
    bias = 0 if mask is None else additive_mask(mask)
    return torch.softmax(scores + bias, -1).nan_to_num(0)
# %% right="exp by hand" row="any per-row shift" buys="no 0/0 arises anywhere, and the floor under the sum shows why"
def masked_weights(scores, mask=None):
    mask = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.expand_as(scores)
    highest = torch.where(mask, scores, -1e30).amax(-1, keepdim=True)
    kernel = torch.where(mask, torch.exp(torch.where(mask, scores - highest, 0.0)), 0.0)
    return kernel / kernel.sum(-1, keepdim=True).clamp_min(1e-30)
# %% right="−1e9 and then times the mask" row="−1e9 and then · mask"
def masked_weights(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, -1)
    return torch.softmax(scores.masked_fill(mask == 0, -1e9), -1) * mask
# %% mistake="mask inverted" style="fills where True"
def masked_weights(scores, mask=None):
    return scores.softmax(-1) if mask is None else scores.masked_fill(mask, -torch.inf).softmax(-1)
# %% mistake="mask ignored" style="for later"
def masked_weights(scores, mask=None):
    return nn.functional.softmax(scores, dim=-1)
# %% mistake="masked after the softmax" style="softmax, then zeros"
def masked_weights(scores, mask=None):
    weights = scores.softmax(-1)
    return weights if mask is None else weights.masked_fill(~mask, 0)
# %% mistake="masked score not low enough" style="minus ten"
def masked_weights(scores, mask=None):
    return scores.softmax(-1) if mask is None else torch.where(mask, scores, -10).softmax(-1)
# %% mistake="masked score not low enough" style="−1e6"
def masked_weights(scores, mask=None):
    return scores.softmax(-1) if mask is None else torch.where(mask, scores, -1e6).softmax(-1)
# %% mistake="zero times infinity" style="(1 − m) · −inf"
def masked_weights(scores, mask=None):
    return (scores if mask is None else scores + (~mask) * float('-inf')).softmax(-1)
# %% mistake="mask transposed" style="the mask turned"
def masked_weights(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask.transpose(-1, -2), -torch.inf)
    return scores.softmax(-1).nan_to_num()
# %% mistake="row with nothing to look at" style="NaN in an empty row"
def masked_weights(scores, mask=None):
    return (scores if mask is None else torch.where(mask, scores, -torch.inf)).softmax(-1)
# %% mistake="softmax over the queries" style="dim −2"
def masked_weights(scores, mask=None):
    return (scores if mask is None else scores.masked_fill(~mask, -1e30)).softmax(-2)
# %% mistake="softmax over the whole matrix" style="one sum for all"
def masked_weights(scores, mask=None):
    keep = torch.ones_like(scores) if mask is None else mask.expand_as(scores).float()
    e = torch.exp(scores - scores.max()) * keep
    return e / e.sum()
# %% unlisted="equal shares"
def masked_weights(scores, mask=None):
    m = torch.ones_like(scores) if mask is None else mask.expand_as(scores).float()
    return m / m.sum(-1, keepdim=True).clamp_min(1)
# %% unlisted="without a mask only"
def masked_weights(scores, mask=None):
    assert mask is None
    return scores.softmax(-1)
# %% mistake="works for one rank only" style="dim 1" of="−inf and nan_to_num"
# -     return torch.softmax(scores, -1).nan_to_num(0.0)
# +     return torch.softmax(scores, dim=1).nan_to_num()
# %% mistake="writes into its input" style="masked_fill_"
def masked_weights(scores, mask=None):
    if mask is not None:
        scores.masked_fill_(mask == 0, float("-inf"))
    return scores.softmax(-1).nan_to_num(0)
# %% mistake="no shift by the maximum" style="exp, times mask, divided"
def masked_weights(scores, mask=None):
    e = torch.exp(scores)
    if mask is not None:
        e = e * mask
    return torch.nan_to_num(e / e.sum(-1, keepdim=True))
# %% [markdown]
# ## From the wild
# %% mistake="masked score not low enough" style="−10000 added"
def masked_weights(scores, mask=None):
    if mask is not None:
        scores = scores + (1.0 - mask.float()) * -10000.0
    return nn.Softmax(dim=-1)(scores)
# %% mistake="masked score not low enough" style="times mask, softmax, times mask, renormalised" true="masked after the softmax"
def masked_weights(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    result = torch.softmax(scores * mask, dim=-1)
    result = result * mask
    return result / (result.sum(dim=-1, keepdim=True) + 1e-13)
# %% [markdown]
# ## Clumsy halves
# %% mistake="mask added as a number" style="the mask as floats, added"
def masked_weights(scores, mask=None):
    if mask is not None:
        scores = scores + mask.float()
    return scores.softmax(-1)
# %% mistake="mask added as a number" style="the mask itself, zeros for empty rows"
def masked_weights(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    weights = torch.softmax(scores + mask, dim=-1)
    return weights * mask.any(dim=-1, keepdim=True)
# %% mistake="large scores cut to a limit" style="clamped before the exponentials"
def masked_weights(scores, mask=None):
    e = scores.clamp(-80, 80).exp()
    if mask is not None:
        e = e * mask
    return (e / e.sum(-1, keepdim=True)).nan_to_num()
# %% mistake="one hidden key empties the row" style="all where any is meant"
def masked_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)
    return weights.where(mask.all(-1, keepdim=True), 0.0)
# %% right="row by row into zeros, by index"
def masked_weights(scores, mask=None):
    if mask is None:
        return torch.softmax(scores, dim=-1)
    mask = mask.broadcast_to(scores.shape)
    some = mask.any(-1)
    out = torch.zeros(scores.shape)
    out[some] = torch.softmax(scores[some].masked_fill(~mask[some], -math.inf), dim=-1)
    return out
# %% mistake="masked score not low enough" style="−1e6, then times the mask"
def masked_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    return scores.masked_fill(~mask, -1e6).softmax(-1) * mask
# %% mistake="masked after the softmax" style="divided again, by 1e-12 at least"
def masked_weights(scores, mask=None):
    weights = torch.softmax(scores, dim=-1)
    if mask is None:
        return weights
    weights = weights * mask
    return weights / weights.sum(-1, keepdim=True).clamp(min=1e-12)
