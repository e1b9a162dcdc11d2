# %% crosses="of each mistake"
# sine and cosine in halves -> position 0: sin; columns 0 and; the later columns
# sine and cosine exchanged -> position 0: sin; columns 0 and; the later columns
# wrong wavelength -> columns 0 and; the later columns
# positions multiplied by the wavelength -> the later columns
# positions counted from 1 -> position 0: sin; columns 0 and; the later columns
# positions along the columns -> one row for; position 0: sin; columns 0 and; the later columns
# odd d_model not refused -> ValueError for an
# a constant instead of the input's size -> the later columns
# axis of length 1 lost -> one row for
# fractions cut off -> columns 0 and; the later columns

# %% what_if="Does the dot product of two rows depend on both positions, or only on their distance?" because="Only on their distance: sin a sin b + cos a cos b is cos(a - b), for each pair of columns."
P = positional_encoding(50, 16)
products = P @ P.T
print([round(products[i, i + 7].item(), 3) for i in (0, 10, 40)])
# %% right="zeros, filled by slices" buys="the columns are filled as the text counts them, 0::2 and 1::2"
def positional_encoding(n, d_model):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    pe = torch.zeros(n, d_model)
    position = torch.arange(n, dtype=torch.float32).unsqueeze(1)
    wavelength = 10000 ** (torch.arange(0, d_model, 2).float() / d_model)
    pe[:, 0::2] = torch.sin(position / wavelength)
    pe[:, 1::2] = torch.cos(position / wavelength)
    return pe
# %% right="exp of a negative logarithm" row="exp(−ln 10000 · 2i/d)" buys="it multiplies instead of computing powers, as many implementations do"
def positional_encoding(n, d_model):
    if d_model & 1:
        raise ValueError("odd width")
    pe = torch.empty(n, d_model, dtype=torch.float64)
    p = torch.arange(n, dtype=torch.float64)[:, None]
    rate = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float64) * (-math.log(10000.0) / d_model))
    pe[:, ::2], pe[:, 1::2] = torch.sin(p * rate), torch.cos(p * rate)
    return pe
# %% right="einsum, transposed at the end" row="einsum"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError(d_model)
    rates = 1 / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    angles = torch.einsum("i,p->ip", rates, torch.arange(n).float())
    waves = torch.zeros(d_model, n)
    waves[0::2], waves[1::2] = angles.sin(), angles.cos()
    return waves.T
# %% right="where, float64 all along" buys="one angle for each column, and the parity of the column picks sine or cosine"
def positional_encoding(n, d_model):
    if d_model % 2 > 0:
        raise ValueError("even, please")
    j = torch.arange(d_model)
    angle = torch.arange(n).double()[:, None] * 10000.0 ** -((j - j % 2) / d_model).double()
    return torch.where(j % 2 == 0, angle.sin(), angle.cos())
# %% mistake="sine and cosine exchanged" style="slices exchanged"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    pe = torch.zeros(n, d_model)
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    pe[:, 1::2] = torch.sin(angles)
    pe[:, 0::2] = torch.cos(angles)
    return pe
# %% mistake="wrong wavelength" style="i in place of 2i"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    pe = torch.zeros(n, d_model)
    position = torch.arange(n).unsqueeze(1)
    for i in range(d_model // 2):
        angle = position[:, 0] / 10000 ** (i / d_model)
        pe[:, 2 * i], pe[:, 2 * i + 1] = torch.sin(angle), torch.cos(angle)
    return pe
# %% mistake="wrong wavelength" style="integer division"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    angles = [[p / 10000 ** (2 * (j // 2) // d_model) for j in range(d_model)] for p in range(n)]
    return torch.tensor([[math.cos(a) if j % 2 else math.sin(a) for j, a in enumerate(row)] for row in angles])
# %% mistake="positions counted from 1" style="p + 1"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    return torch.tensor([[f((p + 1) / 10000 ** (2 * i / d_model)) for i in range(d_model // 2)
                          for f in (math.sin, math.cos)] for p in range(n)])
# %% mistake="positions along the columns" style="transposed once too often"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=2).view(n, d_model).t()
# %% mistake="positions multiplied by the wavelength" style="times in place of divided"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    pe = torch.zeros(n, d_model)
    angles = torch.arange(n)[:, None] * 10000 ** (torch.arange(0, d_model, 2) / d_model)
    pe[:, 0::2], pe[:, 1::2] = angles.sin(), angles.cos()
    return pe
# %% mistake="odd d_model not refused" style="one cosine less"
def positional_encoding(n, d_model):
    pe = torch.zeros(n, d_model)
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    pe[:, 0::2] = angles.sin()
    pe[:, 1::2] = angles.cos()[:, :d_model // 2]
    return pe
# %% unlisted="an assertion" true="assert instead of raise"
def positional_encoding(n, d_model):
    assert d_model % 2 == 0, "d_model must be even"
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack((angles.sin(), angles.cos()), -1).flatten(1)
# %% mistake="odd d_model not refused" style="no guard"
def positional_encoding(n, d_model):
    pe = torch.zeros(n, d_model)
    position = torch.arange(n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term)
    return pe
# %% unlisted="sines alone"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    return (torch.arange(n)[:, None] / 10000 ** (torch.arange(d_model) / d_model)).sin()
# %% unlisted="degrees" of="sines alone"
# -     return (torch.arange(n)[:, None] / 10000 ** (torch.arange(d_model) / d_model)).sin()
# +     angles = torch.deg2rad(torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model))
# +     return torch.stack((angles.sin(), angles.cos()), -1).flatten(1)
# %% unlisted="nothing returned" of="times in place of divided"
# -     angles = torch.arange(n)[:, None] * 10000 ** (torch.arange(0, d_model, 2) / d_model)
# +     angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
# -     return pe
# %% mistake="a constant instead of the input's size" style="a width of 8"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / 8)
    return torch.stack((angles.sin(), angles.cos()), -1).flatten(1)
# %% mistake="axis of length 1 lost" style="squeeze" of="a width of 8"
# -     angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / 8)
# -     return torch.stack((angles.sin(), angles.cos()), -1).flatten(1)
# +     angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
# +     return torch.stack((angles.sin(), angles.cos()), -1).flatten(1).squeeze()
# %% mistake="fractions cut off" style="a table of whole numbers" of="a width of 8"
# -     angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / 8)
# -     return torch.stack((angles.sin(), angles.cos()), -1).flatten(1)
# +     angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
# +     table = torch.zeros(n, d_model, dtype=torch.long)
# +     table[:, 0::2], table[:, 1::2] = angles.sin().long(), angles.cos().long()
# +     return table
# %% [markdown]
# ## From the wild
# %% mistake="sine and cosine in halves" style="half_dim, as in diffusion models"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError
    half_dim = d_model // 2
    emb = math.log(10000) / half_dim
    emb = torch.exp(torch.arange(half_dim, dtype=torch.float) * -emb)
    emb = torch.arange(n, dtype=torch.float).unsqueeze(1) * emb.unsqueeze(0)
    return torch.cat([torch.sin(emb), torch.cos(emb)], dim=1).view(n, -1)
# %% mistake="wrong wavelength" style="the column's own index in the exponent"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError
    table = torch.tensor([[pos / 10000 ** (2 * i / d_model) for i in range(d_model)] for pos in range(n)])
    table[:, 0::2] = table[:, 0::2].sin()
    table[:, 1::2] = table[:, 1::2].cos()
    return table
# %% [markdown]
# ## Clumsy halves
# %% unlisted="np misspelt"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueEror("odd")
    pe = torch.zeros(n, d_model)
    pe[:, 0::2] = torch.sin(postion)
    return pe
