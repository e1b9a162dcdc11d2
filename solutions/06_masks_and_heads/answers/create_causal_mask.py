# %% crosses="of each mistake"
# mask looks ahead -> every word sees itself; every word sees all; no word sees
# causal mask off by one -> every word sees itself; no word sees
# mask not boolean -> a tensor, n × n
# an array or a list instead of a tensor -> a tensor, n × n

# %% what_if="The mask is transposed. Who may look where then, and is the diagonal still there?" because="Every word may then look at itself and at later words. A model that writes from right to left would need this mask. The diagonal stays, because it is its own mirror image."
mask = create_causal_mask(3)
print(mask.mT.int())
# %% right="a list comprehension" row="loops" buys="the definition itself, j <= i, one entry at a time"
def create_causal_mask(n):
    return torch.tensor([[j <= i for j in range(n)] for i in range(n)])
# %% right="positions compared" buys="one comparison, and broadcasting makes the square"
def create_causal_mask(n):
    places = torch.arange(n)
    return places <= places[:, None]
# %% mistake="an array or a list instead of a tensor" style="np.tri"
def create_causal_mask(n):
    return np.tri(n, dtype=bool)
# %% mistake="an array or a list instead of a tensor" style="rows in a list"
def create_causal_mask(n):
    return [[j <= i for j in range(n)] for i in range(n)]
# %% mistake="mask looks ahead" style="triu of 1, not negated"
def create_causal_mask(n):
    return torch.triu(torch.ones(n, n), diagonal=1) == 1
# %% mistake="mask looks ahead" style="rows and columns exchanged"
def create_causal_mask(n):
    return torch.tensor([[i <= j for j in range(n)] for i in range(n)])
# %% mistake="causal mask off by one" style="strictly below"
def create_causal_mask(n):
    return torch.tensor([[j < i for j in range(n)] for i in range(n)])
# %% mistake="causal mask off by one" style="one diagonal too many"
def create_causal_mask(n):
    return torch.tril(torch.ones(n, n), diagonal=1).bool()
# %% mistake="mask not boolean" style="whole numbers"
def create_causal_mask(n):
    return torch.tril(torch.ones((n, n), dtype=int))
# %% unlisted="whole numbers in an array" true="mask not boolean; an array or a list instead of a tensor"
def create_causal_mask(n):
    return np.tril(np.ones((n, n), dtype=int))
# %% mistake="mask not boolean" style="0 and −inf"
def create_causal_mask(n):
    return nn.Transformer.generate_square_subsequent_mask(n)
# %% unlisted="everything"
def create_causal_mask(n):
    return torch.ones(n, n, dtype=torch.bool)
# %% unlisted="only itself"
def create_causal_mask(n):
    return torch.eye(n).bool()
# %% unlisted="from the other corner"
def create_causal_mask(n):
    return torch.ones(n, n).tril().bool().flip(1)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="ones above, as integers" true="mask not boolean; mask looks ahead"
def create_causal_mask(n):
    mask = torch.zeros(n, n, dtype=torch.int)
    for i in range(n):
        for j in range(i, n):
            mask[i, j] = 1
    return mask
# %% unlisted="printed, not returned"
def create_causal_mask(n):
    print(torch.ones(n, n, dtype=torch.bool).tril())
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% mistake="causal mask off by one" style="causal mask off by one (diagonal False except at word 0), written blind"
def create_causal_mask(n):
    past = torch.ones(n, n, dtype=torch.bool).tril(diagonal=-1)
    if not past[0].any():
        past[0, 0] = True      # the first word has no past, let it look at itself
    return past
