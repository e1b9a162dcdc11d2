# %% right="where" row="np.where"
def additive_mask(mask):
    return torch.where(mask, 0.0, float("-inf"))
# %% right="the logarithm"
def additive_mask(mask):
    return mask.double().log()
# %% right="zeros, then −inf by index"
def additive_mask(mask):
    result = torch.zeros_like(mask, dtype=torch.float32)
    result[~mask] = -torch.inf
    return result
# %% right="NumPy" row="np.where"
def additive_mask(mask):
    return np.where(mask.numpy(), 0.0, -np.inf)
# %% right="masked_fill, double" row="masked_fill"
def additive_mask(mask):
    return torch.zeros(mask.shape, dtype=torch.float64).masked_fill_(mask == False, float('-inf'))
# %% right="full of −inf, then zeros" row="masked_fill"
def additive_mask(mask):
    return torch.full(mask.shape, -math.inf).masked_fill(mask, 0)
# %% mistake="zero times infinity" style="one minus the mask times −inf"
def additive_mask(mask):
    return (1.0 - mask.to(torch.float32)) * float('-inf')
# %% mistake="zero times infinity" style="NumPy zero times inf"
def additive_mask(mask):
    return np.logical_not(mask.numpy()) * -np.inf
# %% mistake="mask inverted" style="where exchanged"
def additive_mask(mask):
    return torch.where(mask, -torch.inf, 0.0)
# %% mistake="mask inverted" style="fills where the mask is True"
def additive_mask(mask):
    out = torch.zeros(mask.shape)
    out[mask] = float("-inf")
    return out
# %% mistake="fill too weak" style="−1e9"
def additive_mask(mask):
    return (~mask) * -1e9
# %% mistake="fill too weak" style="−1e4"
def additive_mask(mask):
    return torch.where(mask, 0.0, -1e4)
# %% mistake="fill too weak" style="the least float"
def additive_mask(mask):
    return torch.where(mask, 0.0, torch.finfo(torch.float32).min)
# %% mistake="fill too weak" style="minus one"
def additive_mask(mask):
    return mask.int() - 1
# %% mistake="fill too weak" style="the mask as numbers"
def additive_mask(mask):
    return torch.where(mask, 1.0, 0.0)
# %% mistake="writes into its input" style="the mask turned in place"
def additive_mask(mask):
    hidden = mask.logical_not_()
    return torch.zeros(mask.shape).masked_fill(hidden, -torch.inf)
# %% mistake="writes into its input" style="the mask cleared behind itself"
def additive_mask(mask):
    out = torch.where(mask, 0.0, -torch.inf)
    mask[...] = False
    return out
# %% unlisted="the notes' matrix"
def additive_mask(mask):
    return torch.zeros(4, 4).masked_fill(torch.ones(4, 4).triu(1).bool(), -torch.inf)
# %% unlisted="plus infinity"
def additive_mask(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, torch.inf)
# %% unlisted="one where allowed"
def additive_mask(mask):
    return torch.where(mask, 1.0, -torch.inf)
# %% unlisted="flat"
def additive_mask(mask):
    return torch.where(mask, 0.0, -torch.inf).flatten()
