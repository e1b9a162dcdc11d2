# %% right="−inf and nan_to_num" row="masked_fill + nan_to_num"
def masked_weights(scores, mask=None):
    if mask is not None:
        scores = scores.masked_fill(~mask, -torch.inf)
    return torch.softmax(scores, -1).nan_to_num(0.0)
# %% right="an additive mask, then where" row="additive mask"
def masked_weights(scores, mask=None):
    if mask is None:
        return scores.softmax(-1)
    weights = (scores + additive_mask(mask)).softmax(-1)
    return torch.where(mask, weights, torch.zeros_like(weights))
# %% right="exp by hand" row="any per-row shift"
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
# %% mistake="masked after softmax" style="softmax, then zeros"
def masked_weights(scores, mask=None):
    weights = scores.softmax(-1)
    return weights if mask is None else weights.masked_fill(~mask, 0)
# %% mistake="fill too weak" style="scores times mask"
def masked_weights(scores, mask=None):
    return scores.softmax(-1) if mask is None else (scores * mask).softmax(-1)
# %% mistake="fill too weak" style="minus ten"
def masked_weights(scores, mask=None):
    return scores.softmax(-1) if mask is None else torch.where(mask, scores, -10).softmax(-1)
# %% mistake="fill too weak" style="−1e6"
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
# %% mistake="empty row" style="NaN in an empty row"
def masked_weights(scores, mask=None):
    return (scores if mask is None else torch.where(mask, scores, -torch.inf)).softmax(-1)
# %% mistake="empty row" style="−1e9, uniform in an empty row"
def masked_weights(scores, mask=None):
    return (scores if mask is None else torch.where(mask, scores, -1e9)).softmax(-1)
# %% mistake="softmax over queries" style="dim −2"
def masked_weights(scores, mask=None):
    return (scores if mask is None else scores.masked_fill(~mask, -1e30)).softmax(-2)
# %% mistake="whole matrix" style="one sum for all"
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
