# %% crosses="of each mistake"
# +inf instead of -inf -> 0 where; −inf where it
# zero times infinity -> 0 where looking
# mask inverted -> 0 where looking; −inf where it
# masked score not low enough -> 0 where looking; −inf where it
# writes into its input -> the mask stays
# mask transposed -> a number for each; 0 where looking; −inf where it
# works for one rank only -> a number for each
# mask added as a number -> 0 where; −inf where
# %% what_if="Two additive masks are added to each other. Which mask of booleans is that?" because="The sum is −inf where one of the two is −inf. So a key is visible only if both masks allow it. In booleans this is `and`."
one, other = create_causal_mask(3), torch.tensor([True, True, False])
print(torch.equal(additive_mask(one) + additive_mask(other), additive_mask(one & other)))
# %% right="where" row="np.where" buys="one line that reads like the sentence above it"
def additive_mask(mask):
    return torch.where(mask, 0.0, float("-inf"))
# %% right="the logarithm" buys="why −inf: it is the logarithm of 0, as 0 is the logarithm of 1"
def additive_mask(mask):
    return mask.double().log()
# %% right="zeros, then −inf by index" buys="in place, step by step: no second tensor of floats"
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
# %% mistake="mask inverted" style="where exchanged"
def additive_mask(mask):
    return torch.where(mask, -torch.inf, 0.0)
# %% mistake="masked score not low enough" style="−1e9"
def additive_mask(mask):
    return (~mask) * -1e9
# %% mistake="mask added as a number" style="the mask as numbers"
def additive_mask(mask):
    return torch.where(mask, 1.0, 0.0)
# %% mistake="writes into its input" style="the mask cleared behind itself"
def additive_mask(mask):
    out = torch.where(mask, 0.0, -torch.inf)
    mask[...] = False
    return out
# %% mistake="+inf instead of -inf" style="written into zeros"
def additive_mask(mask):
    added = torch.zeros(mask.shape)
    added[~mask] = float("inf")
    return added
# %% unlisted="the notes' matrix"
def additive_mask(mask):
    return torch.zeros(4, 4).masked_fill(torch.ones(4, 4).triu(1).bool(), -torch.inf)
# %% mistake="+inf instead of -inf" style="plus infinity"
def additive_mask(mask):
    return torch.zeros(mask.shape).masked_fill(~mask, torch.inf)
# %% unlisted="one where allowed"
def additive_mask(mask):
    return torch.where(mask, 1.0, -torch.inf)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the mask turned, still booleans"
def additive_mask(mask):
    return ~mask
# %% unlisted="two axes only"
def additive_mask(mask):
    result = torch.zeros(mask.shape)
    for i in range(mask.shape[0]):
        for j in range(mask.shape[1]):
            if not mask[i, j]:
                result[i, j] = -math.inf
    return result
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="mask inverted; masked score not low enough (−1e9 for −inf)" true="mask inverted; masked score not low enough"
def additive_mask(mask):
    result = torch.zeros(mask.shape)
    result[mask == True] = -1e9
    result[mask == False] = 0.0
    return result
# %% mistake="mask transposed" style="the last two axes exchanged"
def additive_mask(mask):
    return torch.where(mask, 0.0, -math.inf).transpose(-2, -1)
# %% mistake="works for one rank only" style="two sizes, two loops"
def additive_mask(mask):
    n, m = mask.shape
    result = torch.zeros(n, m)
    for i in range(n):
        for j in range(m):
            if not mask[i, j]:
                result[i, j] = -math.inf
    return result
