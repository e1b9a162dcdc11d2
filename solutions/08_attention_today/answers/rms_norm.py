# %% what_if="The same number is added to all entries of a row. LayerNorm does not notice; what does this norm do?" because="It changes: no mean is taken away, so what all entries share stays in, and makes the rest smaller."
x = torch.tensor([1.0, -1.0, 2.0, -2.0])
print(rms_norm(x, torch.ones(4)))
print(rms_norm(x + 5, torch.ones(4)))
# %% right="the library's own" buys="one call, and what it fuses is its business"
def rms_norm(x, weight, eps=1e-6):
    return functional.rms_norm(x, (x.shape[-1],), weight, eps)
# %% right="rsqrt" buys="one product in place of a root and a division"
def rms_norm(x, weight, eps=1e-6):
    return weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps))
# %% right="through the length" buys="the root of the mean square is the length over √d: this norm sees lengths alone"
def rms_norm(x, weight, eps=1e-6):
    d = x.shape[-1]
    return x * weight / torch.sqrt((torch.linalg.vector_norm(x, dim=-1, keepdim=True) ** 2 / d) + eps)
# %% mistake="the mean taken off as well" style="layer_norm"
def rms_norm(x, weight, eps=1e-6):
    return functional.layer_norm(x, (x.shape[-1],), weight, None, eps)
# %% mistake="not squared" style="the root of the mean"
def rms_norm(x, weight, eps=1e-6):
    return x / torch.sqrt(x.mean(-1, keepdim=True) + eps) * weight
# %% mistake="sum in place of mean" style="normalize"
def rms_norm(x, weight, eps=1e-6):
    return x / (x.pow(2).sum(-1, keepdim=True) + eps) ** 0.5 * weight
# %% mistake="no root" style="mean of squares"
def rms_norm(x, weight, eps=1e-6):
    return weight * x / ((x * x).mean(-1, keepdim=True) + eps)
# %% mistake="one norm for all rows" style="mean of everything"
def rms_norm(x, weight, eps=1e-6):
    return x * torch.rsqrt((x * x).mean() + eps) * weight
# %% mistake="mean along the wrong axis" style="the first axis"
def rms_norm(x, weight, eps=1e-6):
    return x / (x.pow(2).mean(0, keepdim=True) + eps).sqrt() * weight
# %% mistake="mean along the wrong axis" style="counted from the front"
def rms_norm(x, weight, eps=1e-6):
    return weight * x * torch.rsqrt((x ** 2).mean(1, keepdim=True) + eps)
# %% mistake="weight missing" style="x alone"
def rms_norm(x, weight, eps=1e-6):
    return functional.rms_norm(x, (x.shape[-1],), None, eps)
# %% mistake="eps outside the root" style="added to the root"
def rms_norm(x, weight, eps=1e-6):
    return x / (torch.sqrt((x * x).mean(-1, keepdim=True)) + eps) * weight
# %% mistake="eps left out" style="the formula without it"
def rms_norm(x, weight, eps=1e-6):
    return x / x.pow(2).mean(-1, keepdim=True).sqrt() * weight
# %% mistake="writes into its input" style="div_"
def rms_norm(x, weight, eps=1e-6):
    x /= torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    return x * weight
# %% unlisted="absolute values"
def rms_norm(x, weight, eps=1e-6):
    return x / (x.abs().mean(-1, keepdim=True) + eps) * weight
# %% unlisted="divided by the weight"
def rms_norm(x, weight, eps=1e-6):
    return x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps) / weight
# %% mistake="broadcast along the wrong axis" style="no keepdim"
def rms_norm(x, weight, eps=1e-6):
    return x / torch.sqrt(x.pow(2).mean(-1) + eps) * weight
# %% mistake="torch's variance in place of the mean of squares" style="LayerNorm by x.var"
def rms_norm(x, weight, eps=1e-6):
    mean = x.mean(-1, keepdim=True)
    var = x.var(-1, keepdim=True)
    return weight * (x - mean) / torch.sqrt(var + eps)
