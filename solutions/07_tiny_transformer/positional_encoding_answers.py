# %% crosses="of each mistake"
# sine and cosine in halves -> position 0: sin; columns 0 and; the later columns
# sine and cosine exchanged -> position 0: sin; columns 0 and; the later columns
# wrong wavelength -> columns 0 and; the later columns
# positions multiplied by the wavelength -> the later columns
# positions counted from 1 -> position 0: sin; columns 0 and; the later columns
# positions along the columns -> a row a; position 0: sin; columns 0 and; the later columns
# odd d_model not refused -> ValueError for an

# %% right="zeros, filled by slices"
def positional_encoding(n, d_model):
    if d_model % 2 != 0:
        raise ValueError("d_model must be even")
    pe = torch.zeros(n, d_model)
    position = torch.arange(n, dtype=torch.float32).unsqueeze(1)
    wavelength = 10000 ** (torch.arange(0, d_model, 2).float() / d_model)
    pe[:, 0::2] = torch.sin(position / wavelength)
    pe[:, 1::2] = torch.cos(position / wavelength)
    return pe
# %% right="two loops, the math module"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError
    rows = []
    for p in range(n):
        row = []
        for i in range(d_model // 2):
            angle = p / 10000 ** (2 * i / d_model)
            row += [math.sin(angle), math.cos(angle)]
        rows.append(row)
    return torch.tensor(rows)
# %% right="exp of a negative logarithm" row="exp(−ln 10000 · 2i/d)"
def positional_encoding(n, d_model):
    if d_model & 1:
        raise ValueError("odd width")
    pe = torch.empty(n, d_model, dtype=torch.float64)
    p = torch.arange(n, dtype=torch.float64)[:, None]
    rate = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float64) * (-math.log(10000.0) / d_model))
    pe[:, ::2], pe[:, 1::2] = torch.sin(p * rate), torch.cos(p * rate)
    return pe
# %% right="outer product, cosine as a shifted sine"
def positional_encoding(n, d_model):
    if d_model % 2 == 1:
        raise ValueError(f"d_model = {d_model} is odd")
    half = torch.arange(d_model) // 2
    angles = torch.outer(torch.arange(n).double(), 10000.0 ** (-2.0 * half / d_model))
    return torch.sin(angles + (torch.arange(d_model) % 2) * (math.pi / 2)).float()
# %% right="complex exponential"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("no cosine for the last sine")
    rates = torch.pow(torch.tensor(10000.0), -torch.arange(0, d_model, 2) / d_model)
    turned = torch.polar(torch.ones(n, d_model // 2), torch.arange(n)[:, None] * rates)
    return torch.stack((turned.imag, turned.real), -1).reshape(n, d_model)
# %% right="einsum, transposed at the end" row="einsum"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError(d_model)
    rates = 1 / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    angles = torch.einsum("i,p->ip", rates, torch.arange(n).float())
    waves = torch.zeros(d_model, n)
    waves[0::2], waves[1::2] = angles.sin(), angles.cos()
    return waves.T
# %% right="where, float64 all along"
def positional_encoding(n, d_model):
    if d_model % 2 > 0:
        raise ValueError("even, please")
    j = torch.arange(d_model)
    angle = torch.arange(n).double()[:, None] * 10000.0 ** -((j - j % 2) / d_model).double()
    return torch.where(j % 2 == 0, angle.sin(), angle.cos())
# %% mistake="sine and cosine in halves" style="cat"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    rate = 10000 ** (-torch.arange(0, d_model, 2) / d_model)
    angles = torch.arange(n)[:, None] * rate[None]
    return torch.cat((torch.sin(angles), torch.cos(angles)), dim=1)
# %% mistake="sine and cosine in halves" style="left half, right half"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    pe, half = torch.zeros(n, d_model), d_model // 2
    for p in range(n):
        for i in range(half):
            pe[p, i] = math.sin(p / 10000 ** (2 * i / d_model))
            pe[p, i + half] = math.cos(p / 10000 ** (2 * i / d_model))
    return pe
# %% mistake="sine and cosine exchanged" style="slices exchanged"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    pe = torch.zeros(n, d_model)
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    pe[:, 1::2] = torch.sin(angles)
    pe[:, 0::2] = torch.cos(angles)
    return pe
# %% mistake="sine and cosine exchanged" style="loops, cosine first"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    table = [[f(p / 10000 ** (2 * i / d_model)) for i in range(d_model // 2) for f in (math.cos, math.sin)]
             for p in range(n)]
    return torch.tensor(table)
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
# %% mistake="wrong wavelength" style="twice the even index"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    pe = torch.zeros(n, d_model)
    for p in range(n):
        for i in range(0, d_model, 2):
            pe[p, i] = math.sin(p / 10000 ** (2 * i / d_model))
            pe[p, i + 1] = math.cos(p / 10000 ** (2 * i / d_model))
    return pe
# %% mistake="positions counted from 1" style="arange from 1"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    pe = torch.zeros(n, d_model)
    position = torch.arange(1, n + 1)[:, None]
    rate = torch.exp(-math.log(10000) * torch.arange(0, d_model, 2) / d_model)
    pe[:, 0::2] = torch.sin(position * rate)
    pe[:, 1::2] = torch.cos(position * rate)
    return pe
# %% mistake="positions counted from 1" style="p + 1"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    return torch.tensor([[f((p + 1) / 10000 ** (2 * i / d_model)) for i in range(d_model // 2)
                          for f in (math.sin, math.cos)] for p in range(n)])
# %% mistake="positions along the columns" style="rows of waves"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    pe = torch.zeros(d_model, n)
    for i in range(0, d_model, 2):
        pe[i] = torch.sin(torch.arange(n) / 10000 ** (i / d_model))
        pe[i + 1] = torch.cos(torch.arange(n) / 10000 ** (i / d_model))
    return pe
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
# %% unlisted="an assertion"
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
# %% mistake="positions multiplied by the wavelength" style="plus in the exponent"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    rate = torch.exp(torch.arange(0, d_model, 2) * math.log(10000.0) / d_model)
    angles = torch.arange(n)[:, None] * rate
    return torch.stack((angles.sin(), angles.cos()), -1).flatten(1)
# %% unlisted="sines alone"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    return (torch.arange(n)[:, None] / 10000 ** (torch.arange(d_model) / d_model)).sin()
# %% unlisted="the bare angles" of="sines alone"
# -     return (torch.arange(n)[:, None] / 10000 ** (torch.arange(d_model) / d_model)).sin()
# +     return torch.arange(n)[:, None] / 10000 ** (torch.arange(d_model) // 2 * 2 / d_model)
# %% unlisted="degrees" of="sines alone"
# -     return (torch.arange(n)[:, None] / 10000 ** (torch.arange(d_model) / d_model)).sin()
# +     angles = torch.deg2rad(torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model))
# +     return torch.stack((angles.sin(), angles.cos()), -1).flatten(1)
# %% unlisted="learned positions" of="sines alone"
# -     return (torch.arange(n)[:, None] / 10000 ** (torch.arange(d_model) / d_model)).sin()
# +     torch.manual_seed(0)
# +     return nn.Embedding(n, d_model).weight.detach()
# %% unlisted="nothing returned" of="times in place of divided"
# -     angles = torch.arange(n)[:, None] * 10000 ** (torch.arange(0, d_model, 2) / d_model)
# +     angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
# -     return pe
# %% [markdown]
# ## From the wild
# %% right="div_term in place, an axis for the batch taken off again"
def positional_encoding(n, d_model):
    if d_model % 2 != 0:
        raise ValueError(f"Cannot use sin/cos positional encoding with odd dim (got dim={d_model})")
    pe = torch.zeros(n, d_model)
    position = torch.arange(0, n).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float) * -(math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(position.float() * div_term)
    pe[:, 1::2] = torch.cos(position.float() * div_term)
    pe = pe.unsqueeze(0)
    return pe[:, :n].requires_grad_(False)[0]
# %% right="reshaped columns, as in a textbook with a long table"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("num_hiddens must be even")
    P = torch.zeros((1, 1000, d_model))
    X = torch.arange(1000, dtype=torch.float32).reshape(-1, 1) / torch.pow(
        10000, torch.arange(0, d_model, 2, dtype=torch.float32) / d_model)
    P[:, :, 0::2] = torch.sin(X)
    P[:, :, 1::2] = torch.cos(X)
    return P[0, :n, :]
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
# %% unlisted="an axis for the batch left on"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError
    pe = torch.zeros(n, d_model)
    div_term = torch.exp(torch.arange(0, d_model, 2) * -(math.log(10000.0) / d_model))
    pe[:, 0::2] = torch.sin(torch.arange(n)[:, None] * div_term)
    pe[:, 1::2] = torch.cos(torch.arange(n)[:, None] * div_term)
    return pe.unsqueeze(0)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="cosines still to come" of="slices exchanged"
# -     pe[:, 1::2] = torch.sin(angles)
# -     pe[:, 0::2] = torch.cos(angles)
# +     pe[:, 0::2] = angles.sin()
# %% unlisted="a table of ints"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueError("odd")
    pe = torch.zeros(n, d_model, dtype=torch.long)
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    pe[:, 0::2] = angles.sin().long()
    pe[:, 1::2] = angles.cos().long()
    return pe
# %% unlisted="np misspelt"
def positional_encoding(n, d_model):
    if d_model % 2:
        raise ValueEror("odd")
    pe = torch.zeros(n, d_model)
    pe[:, 0::2] = torch.sin(postion)
    return pe
# %% unlisted="halves, and counted from 1" true="sine and cosine in halves; positions counted from 1" of="sines alone"
# -     return (torch.arange(n)[:, None] / 10000 ** (torch.arange(d_model) / d_model)).sin()
# +     angles = torch.arange(1, n + 1)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
# +     return torch.cat((angles.sin(), angles.cos()), 1)
# %% unlisted="the refusal alone" of="sines alone"
# -     return (torch.arange(n)[:, None] / 10000 ** (torch.arange(d_model) / d_model)).sin()
# +     raise NotImplementedError("the rest later")
# %% unlisted="an odd n is refused, not an odd d_model"
def positional_encoding(n, d_model):
    if n % 2:
        raise ValueError("odd")
    angles = torch.arange(n)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    return torch.stack((angles.sin(), angles.cos()), dim=-1).flatten(1)[:, :d_model]
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="exp of the logarithm, sine and cosine stacked and flattened"
def positional_encoding(n, d_model):
    if d_model & 1:
        raise ValueError("d_model must be even")
    rate = torch.exp(-math.log(1e4) * torch.arange(0, d_model, 2).double() / d_model)
    angle = torch.outer(torch.arange(n).double(), rate)
    return torch.stack((angle.sin(), angle.cos()), dim=-1).flatten(start_dim=1).float()
# %% right="one sine for all with a shift of a quarter turn in the odd columns"
def positional_encoding(n, d_model):
    if d_model % 2 != 0:
        raise ValueError(f"odd width {d_model}")

    def entry(p, c):
        pair, odd = divmod(c, 2)
        return math.sin(p / 10000 ** (2 * pair / d_model) + odd * math.pi / 2)

    return torch.tensor([[entry(p, c) for c in range(d_model)] for p in range(n)])
# %% mistake="wrong wavelength" style="wrong wavelength, written blind"
def positional_encoding(n, d_model):
    if d_model % 2 == 1:
        raise ValueError("d_model must be even")
    pe = torch.empty(n, d_model)
    pos = torch.arange(n, dtype=torch.float32)
    for i in range(d_model // 2):
        wave = 10000 ** (i / d_model)
        pe[:, 2 * i] = torch.sin(pos / wave)
        pe[:, 2 * i + 1] = torch.cos(pos / wave)
    return pe
# %% unlisted="sine and cosine in halves; positions counted from 1" true="sine and cosine in halves; positions counted from 1"
import numpy as np
def positional_encoding(n, d_model):
    if d_model % 2 != 0:
        raise ValueError("odd")
    half = d_model // 2
    pe = np.zeros((n, d_model))
    for p in range(1, n + 1):
        for i in range(half):
            angle = p / (10000 ** (2 * i / d_model))
            pe[p - 1, i] = np.sin(angle)
            pe[p - 1, i + half] = np.cos(angle)
    return torch.tensor(pe, dtype=torch.float32)
