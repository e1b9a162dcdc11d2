# %% crosses="of each mistake"
# mask looks ahead -> every word sees itself; every word sees all; no word sees
# causal mask off by one -> every word sees itself; no word sees
# mask not boolean -> n × n

# %% right="a list comprehension" row="loops"
def create_causal_mask(n):
    return torch.tensor([[j <= i for j in range(n)] for i in range(n)])
# %% right="np.tri"
def create_causal_mask(n):
    return np.tri(n, dtype=bool)
# %% right="not the upper triangle"
def create_causal_mask(n):
    return ~torch.ones(n, n).triu(diagonal=1).bool()
# %% right="positions compared"
def create_causal_mask(n):
    positions = torch.arange(n)
    return positions.unsqueeze(1) >= positions.unsqueeze(0)
# %% right="two loops" row="loops"
def create_causal_mask(n):
    mask = torch.zeros((n, n), dtype=torch.bool)
    for i in range(n):
        for j in range(i + 1):
            mask[i, j] = True
    return mask
# %% right="tril compared with 1"
def create_causal_mask(n):
    return torch.tril(torch.ones(n, n)) == 1
# %% mistake="mask looks ahead" style="triu"
def create_causal_mask(n):
    return torch.triu(torch.ones(n, n)).bool()
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
# %% mistake="causal mask off by one" style="not triu of 0"
def create_causal_mask(n):
    return ~torch.triu(torch.ones(n, n)).bool()
# %% mistake="mask not boolean" style="ones and zeros"
def create_causal_mask(n):
    return torch.tril(torch.ones(n, n))
# %% mistake="mask not boolean" style="whole numbers"
def create_causal_mask(n):
    return np.tril(np.ones((n, n), dtype=int))
# %% mistake="mask not boolean" style="0 and −inf"
def create_causal_mask(n):
    return nn.Transformer.generate_square_subsequent_mask(n)
# %% mistake="mask not boolean" style="nested lists of numbers"
def create_causal_mask(n):
    return [[1 if j <= i else 0 for j in range(n)] for i in range(n)]
# %% unlisted="everything"
def create_causal_mask(n):
    return torch.ones(n, n, dtype=torch.bool)
# %% unlisted="only itself"
def create_causal_mask(n):
    return torch.eye(n).bool()
# %% unlisted="an axis for the batch"
def create_causal_mask(n):
    return torch.ones(1, n, n).tril().bool()
# %% unlisted="from the other corner"
def create_causal_mask(n):
    return torch.ones(n, n).tril().bool().flip(1)
# %% unlisted="the notes' size"
def create_causal_mask(n):
    return torch.ones(4, 4).tril().bool()
# %% [markdown]
# ## From the wild
# %% right="the PyTorch tutorial's, triu turned round"
def create_causal_mask(n):
    mask = (torch.triu(torch.ones(n, n)) == 1).transpose(0, 1)
    return mask
# %% right="subsequent_mask without its batch axis"
def create_causal_mask(n):
    attn_shape = (1, n, n)
    subsequent_mask = torch.triu(torch.ones(attn_shape), diagonal=1).type(torch.uint8)
    return (subsequent_mask == 0)[0]
# %% unlisted="subsequent_mask with its batch axis"
def create_causal_mask(n):
    subsequent_mask = np.triu(np.ones((1, n, n)), k=1).astype("uint8")
    return torch.from_numpy(subsequent_mask) == 0
# %% unlisted="a buffer with axes for batch and heads" true="mask not boolean"
def create_causal_mask(n):
    return torch.tril(torch.ones(n, n)).view(1, 1, n, n)
# %% mistake="mask not boolean" style="full of the lowest float, filled with 0"
def create_causal_mask(n):
    mask = torch.full((n, n), torch.finfo(torch.float32).min)
    positions = torch.arange(mask.size(-1))
    mask.masked_fill_(positions < (positions + 1).view(mask.size(-1), 1), 0)
    return mask
# %% mistake="mask looks ahead" style="True marks what is forbidden, as attn_mask does"
def create_causal_mask(n):
    return torch.triu(torch.ones(n, n, dtype=torch.bool), diagonal=1)
# %% [markdown]
# ## Clumsy halves
# %% right="the TODO's last line left below the return"
def create_causal_mask(n):
    return torch.ones(n, n, dtype=torch.bool).tril()
    raise NotImplementedError("this is still a TODO")
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
# %% unlisted="a size with a typo"
def create_causal_mask(n):
    mask = torch.ones(N, n).tril()
    return mask.bool()
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="running sum of the identity"
def create_causal_mask(n):
    return torch.eye(n).cumsum(dim=0) > 0
# %% right="tril_indices"
def create_causal_mask(n):
    canvas = torch.zeros((n, n), dtype=torch.bool)
    r, c = torch.tril_indices(n, n)
    canvas[r, c] = True
    return canvas
# %% mistake="causal mask off by one" style="causal mask off by one (diagonal False except at word 0), written blind"
def create_causal_mask(n):
    past = torch.ones(n, n, dtype=torch.bool).tril(diagonal=-1)
    if not past[0].any():
        past[0, 0] = True      # the first word has no past, let it look at itself
    return past
# %% unlisted="mask looks ahead; mask not boolean" true="mask looks ahead; mask not boolean"
def create_causal_mask(n):
    mask = torch.zeros(n, n)
    for i in range(n):
        for j in range(n):
            if i <= j:
                mask[i][j] = 1
            else:
                mask[i][j] = 0
    return mask.int()
