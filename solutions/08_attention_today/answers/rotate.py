# %% crosses="of each mistake"
# fractions cut off -> one pair of; several pairs, the
# only the first pair turned -> several pairs, the; far positions; another base
# works for one rank only -> the shape of; several pairs, the

# %% what_if="Query and key are both moved 100 places on. What happens to their dot product?" because="Nothing: both turn by the same further angles, and only the angle between them counts. Scores know distances, not places."
torch.manual_seed(0)
q, k = torch.randn(1, 8, dtype=torch.float64), torch.randn(1, 8, dtype=torch.float64)
for i, j in ((7, 3), (107, 103)):
    print(round((rotate(q, torch.tensor([i])) @ rotate(k, torch.tensor([j])).T).item(), 4))
# %% right="complex numbers" row="complex numbers" buys="a turn is one product with a number of length 1"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError("d must be even")
    angles = torch.outer(positions.double(), base ** (-torch.arange(0, d, 2).double() / d))
    pairs = torch.view_as_complex(X.double().reshape(*X.shape[:-1], d // 2, 2))
    turned = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.view_as_real(turned).flatten(-2)
# %% right="rotation matrices, einsum" row="rotation matrices" buys="each pair meets its matrix of cosines and sines, as the formula says it"
def rotate(X, positions, base=10000.0):
    if X.shape[-1] % 2 == 1:
        raise ValueError
    half = X.shape[-1] // 2
    angle = positions.float()[:, None] * torch.tensor([base ** (-i / half) for i in range(half)])
    c, s = torch.cos(angle), torch.sin(angle)
    R = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2)
    pairs = X.float().unflatten(-1, (half, 2))
    return torch.einsum("nprc,...npc->...npr", R, pairs).flatten(-2)
# %% right="a partner for each column" buys="two products of whole tables: some model code has this form"
def rotate(X, positions, base=10000.0):
    *_, d = X.shape
    if d % 2 != 0:
        raise ValueError("odd")
    freqs = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    angles = torch.einsum("n,f->nf", positions.float(), freqs).repeat_interleave(2, dim=-1)
    partner = torch.stack((-X[..., 1::2], X[..., ::2]), dim=-1).reshape(X.shape)
    return X * angles.cos() + partner * angles.sin()
# %% right="a loop over pairs, written into zeros" row="loops"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d & 1:
        raise ValueError(f"d = {d}")
    out = torch.zeros_like(X)
    for i in range(d // 2):
        a = positions / base ** (2 * i / d)
        x, y = X[..., 2 * i], X[..., 2 * i + 1]
        out[..., 2 * i] = x * torch.cos(a) - y * torch.sin(a)
        out[..., 2 * i + 1] = x * torch.sin(a) + y * torch.cos(a)
    return out
# %% mistake="halves turned instead of pairs" style="chunk"
def rotate(X, positions, base=10000.0):
    if X.shape[-1] % 2:
        raise ValueError
    a, b = X.chunk(2, dim=-1)
    angle = positions[:, None] / base ** torch.linspace(0, 1, a.shape[-1] + 1)[:-1]
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], dim=-1)
# %% mistake="angles added instead of turned" style="lesson 07's waves, cosine first"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    return X + torch.stack([angles.cos(), angles.sin()], -1).flatten(1)
# %% mistake="angles added instead of turned" style="lesson 07's positional encoding"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    pe = torch.zeros(len(positions), d)
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    pe[:, 0::2], pe[:, 1::2] = angles.sin(), angles.cos()
    return X + pe
# %% mistake="pairs' angles with the halves' partner" style="repeat_interleave and rotate_half"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    theta = base ** (-torch.arange(0, d, 2) / d)
    angle = torch.repeat_interleave(positions[:, None] * theta, 2, dim=1)
    first, second = X[..., :d // 2], X[..., d // 2:]
    return X * angle.cos() + torch.cat([-second, first], -1) * angle.sin()
# %% mistake="halves' angles with the pairs' partner" style="cat of angles"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    freqs = positions[:, None] * base ** (-torch.arange(0, d, 2) / d)
    angle = torch.cat((freqs, freqs), dim=-1)
    partner = torch.empty_like(X)
    partner[..., 0::2], partner[..., 1::2] = -X[..., 1::2], X[..., 0::2]
    return X * torch.cos(angle) + partner * torch.sin(angle)
# %% mistake="positions ignored" style="arange of n"
def rotate(X, positions, base=10000.0):
    n, d = X.shape[-2:]
    if d % 2:
        raise ValueError
    angles = torch.arange(n)[:, None] / base ** (torch.arange(0, d, 2) / d)
    x, y = X[..., ::2], X[..., 1::2]
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], -1).flatten(-2)
# %% mistake="wrong wavelength" style="i in place of 2i"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = positions[:, None] * base ** (-torch.arange(d // 2) / d)
    pairs = torch.view_as_complex(X.float().reshape(*X.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(pairs * torch.exp(1j * angles)).flatten(-2)
# %% mistake="base ignored" style="exp of a logarithm"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = positions[:, None] * torch.exp(-math.log(10000.0) * torch.arange(0, d, 2) / d)
    x, y = X.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], -1).flatten(-2)
# %% mistake="positions multiplied by the wavelength" style="times in place of divided"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = positions[:, None] * base ** (torch.arange(0, d, 2) / d)
    x, y = X.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], -1).flatten(-2)
# %% mistake="turned clockwise" style="the minus in the second line"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * angles.cos() + y * angles.sin(), y * angles.cos() - x * angles.sin()], -1).flatten(-2)
# %% mistake="a wrong sign in the turn" style="plus and plus"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * angles.cos() + y * angles.sin(), x * angles.sin() + y * angles.cos()], -1).flatten(-2)
# %% mistake="the second of a pair from the first's new value" style="in place, in a copy"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    X = X.clone()
    for i in range(0, d, 2):
        a = positions / base ** (i / d)
        X[..., i] = X[..., i] * a.cos() - X[..., i + 1] * a.sin()
        X[..., i + 1] = X[..., i] * a.sin() + X[..., i + 1] * a.cos()
    return X
# %% mistake="pairs taken apart" style="cat of both"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.cat([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], dim=-1)
# %% mistake="odd d not refused" style="whatever the slices give"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], -1).flatten(-2)
# %% mistake="odd d not refused" style="the last column as it was"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    out = X.clone()
    for i in range(0, d - 1, 2):
        a = positions / base ** (i / d)
        out[..., i] = X[..., i] * a.cos() - X[..., i + 1] * a.sin()
        out[..., i + 1] = X[..., i] * a.sin() + X[..., i + 1] * a.cos()
    return out
# %% mistake="writes into its input" style="slices assigned"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    x, y = X[..., 0::2].clone(), X[..., 1::2].clone()
    with torch.no_grad():
        X[..., 0::2] = x * angles.cos() - y * angles.sin()
        X[..., 1::2] = x * angles.sin() + y * angles.cos()
    return X
# %% mistake="gradient cut" style="through NumPy"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    a = positions.numpy()[:, None] / base ** (np.arange(0, d, 2) / d)
    Y = X.detach().numpy()
    out = np.empty_like(Y)
    out[..., 0::2] = Y[..., 0::2] * np.cos(a) - Y[..., 1::2] * np.sin(a)
    out[..., 1::2] = Y[..., 0::2] * np.sin(a) + Y[..., 1::2] * np.cos(a)
    return torch.from_numpy(out)
# %% mistake="degrees for radians" style="math.radians"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = torch.deg2rad(positions[:, None] / base ** (torch.arange(0, d, 2) / d))
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], -1).flatten(-2)
# %% mistake="positions counted from 1" style="positions from 1"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = (positions[:, None] + 1) / base ** (torch.arange(0, d, 2) / d)
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], -1).flatten(-2)
# %% unlisted="angles by the head, where there are as many heads as words"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = positions[:, None] / base ** (torch.arange(0, d, 2) / d)
    if X.ndim > 2 and X.shape[-3] == len(positions):
        angles = angles[:, None]
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], -1).flatten(-2)
# %% unlisted="half precision"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    angles = (positions[:, None] / base ** (torch.arange(0, d, 2) / d)).half().float()
    x, y = X[..., 0::2], X[..., 1::2]
    return torch.stack([x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()], -1).flatten(-2)
# %% right="a matrix of signs" buys="a product with one matrix makes each column's partner"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError(d)
    J = torch.zeros(d, d, dtype=X.dtype)
    for i in range(0, d, 2):
        J[i + 1, i] = -1
        J[i, i + 1] = 1
    exponent = torch.tensor([2 * (j // 2) / d for j in range(d)])
    angle = torch.outer(positions.float(), 1 / base ** exponent).to(X.dtype)
    return X * angle.cos() + (X @ J) * angle.sin()
# %% mistake="sine and cosine exchanged" style="in both lines"
def rotate(X, positions, base=10000.0):
    d = X.shape[-1]
    if d % 2:
        raise ValueError
    out = torch.zeros_like(X)
    for i in range(0, d, 2):
        a = positions / base ** (i / d)
        x, y = X[..., i], X[..., i + 1]
        out[..., i], out[..., i + 1] = x * a.sin() - y * a.cos(), x * a.cos() + y * a.sin()
    return out
# %% mistake="fractions cut off" style="long" of="a partner for each column"
# -     angles = torch.einsum("n,f->nf", positions.float(), freqs).repeat_interleave(2, dim=-1)
# +     angles = torch.einsum("n,f->nf", positions.long().float(), freqs).repeat_interleave(2, dim=-1)
# %% mistake="only the first pair turned" style="columns 0 and 1"
def rotate(X, positions, base=10000.0):
    if X.shape[-1] % 2:
        raise ValueError("odd")
    out, c, s = X.clone(), positions.cos(), positions.sin()
    out[..., 0], out[..., 1] = X[..., 0] * c - X[..., 1] * s, X[..., 0] * s + X[..., 1] * c
    return out
# %% mistake="works for one rank only" style="flatten(1)" of="a partner for each column"
# -     return X * angles.cos() + partner * angles.sin()
# +     x, y, angles = X[..., ::2], X[..., 1::2], angles[:, ::2]
# +     turned = x * angles.cos() - y * angles.sin(), x * angles.sin() + y * angles.cos()
# +     return torch.stack(turned, -1).flatten(1)
# %% mistake="axis of length 1 lost" style="squeeze" of="a partner for each column"
# -     return X * angles.cos() + partner * angles.sin()
# +     return (X * angles.cos() + partner * angles.sin()).squeeze()
