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
# %% mistake="looks ahead" style="triu"
def create_causal_mask(n):
    return torch.triu(torch.ones(n, n)).bool()
# %% mistake="looks ahead" style="triu of 1, not negated"
def create_causal_mask(n):
    return torch.triu(torch.ones(n, n), diagonal=1) == 1
# %% mistake="looks ahead" style="rows and columns exchanged"
def create_causal_mask(n):
    return torch.tensor([[i <= j for j in range(n)] for i in range(n)])
# %% mistake="diagonal" style="strictly below"
def create_causal_mask(n):
    return torch.tensor([[j < i for j in range(n)] for i in range(n)])
# %% mistake="diagonal" style="one diagonal too many"
def create_causal_mask(n):
    return torch.tril(torch.ones(n, n), diagonal=1).bool()
# %% mistake="diagonal" style="not triu of 0"
def create_causal_mask(n):
    return ~torch.triu(torch.ones(n, n)).bool()
# %% mistake="not boolean" style="ones and zeros"
def create_causal_mask(n):
    return torch.tril(torch.ones(n, n))
# %% mistake="not boolean" style="whole numbers"
def create_causal_mask(n):
    return np.tril(np.ones((n, n), dtype=int))
# %% mistake="not boolean" style="0 and −inf"
def create_causal_mask(n):
    return nn.Transformer.generate_square_subsequent_mask(n)
# %% mistake="not boolean" style="nested lists of numbers"
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
