# %% crosses="of each mistake"
# distance rewarded -> the further away
# distance with its sign -> the further away
# slopes counted from 0 -> the further away
# one slope for all heads -> the further away
# slopes in the opposite order -> the further away

# %% what_if="The sentence gets twice as long. Does the bias between two neighbours change?" because="No. It depends only on distances, not on the length of the text."
print(torch.equal(distance_bias(4, 2), distance_bias(8, 2)[:, :4, :4]))
# %% right="a loop over heads" buys="one head a line, and the slope stands where it is used"
def distance_bias(n, num_heads):
    i = torch.arange(n)
    far = (i[:, None] - i).abs()
    return torch.stack([-far * 2 ** (-8 * (h + 1) / num_heads) for h in range(num_heads)])
# %% right="einsum" buys="the letters say that each head has a slope, and each pair of places a distance"
def distance_bias(n, num_heads):
    i = torch.arange(n)
    slopes = torch.tensor([2 ** (-8 * (h + 1) / num_heads) for h in range(num_heads)])
    return -torch.einsum("h,ij->hij", slopes, (i[:, None] - i).abs().float())
# %% right="outer product in NumPy"
def distance_bias(n, num_heads):
    i, j = np.indices((n, n))
    ratio = 2.0 ** (-8 / num_heads)
    return np.multiply.outer(-(ratio ** np.arange(1, num_heads + 1)), abs(i - j))
# %% mistake="distance rewarded" style="no minus"
def distance_bias(n, num_heads):
    i = torch.arange(n)
    slopes = torch.tensor([2 ** (-8 * (h + 1) / num_heads) for h in range(num_heads)])
    return torch.einsum("h,ij->hij", slopes, (i[:, None] - i).abs().float())
# %% mistake="slopes counted from 0" style="range of the heads" of="a loop over heads"
# -     return torch.stack([-far * 2 ** (-8 * (h + 1) / num_heads) for h in range(num_heads)])
# +     return torch.stack([-far * 2 ** (-8 * h / num_heads) for h in range(num_heads)])
# %% mistake="one slope for all heads" style="the first slope"
def distance_bias(n, num_heads):
    i = torch.arange(n)
    far = -(i[:, None] - i).abs() * 2 ** (-8 / num_heads)
    return far.expand(num_heads, n, n)
# %% mistake="one slope for all heads" style="the last slope"
def distance_bias(n, num_heads):
    i = torch.arange(n)
    return torch.stack([-(i[:, None] - i).abs() / 256] * num_heads)
# %% mistake="slopes in the opposite order" style="flipped"
def distance_bias(n, num_heads):
    i = torch.arange(n)
    slopes = 2.0 ** (-8 * torch.arange(1, num_heads + 1) / num_heads)
    return -slopes.flip(0)[:, None, None] * (i[:, None] - i).abs()
# %% unlisted="not the distance, its square" of="flipped"
# -     return -slopes.flip(0)[:, None, None] * (i[:, None] - i).abs()
# +     return -slopes[:, None, None] * (i[:, None] - i) ** 2
# %% unlisted="for one head"
def distance_bias(n, num_heads):
    i = torch.arange(n)
    return -(i[:, None] - i).abs() / 16
# %% unlisted="whole exponents"
def distance_bias(n, num_heads):
    i = torch.arange(n)
    slopes = torch.stack([torch.tensor(2.0 ** (-8 * (h + 1) // num_heads)) for h in range(num_heads)])
    return -slopes[:, None, None] * (i[:, None] - i).abs()
# %% mistake="distance with its sign" style="no abs" of="a loop over heads"
# -     far = (i[:, None] - i).abs()
# +     far = i[:, None] - i
# %% mistake="distance with its sign" style="keys minus queries"
def distance_bias(n, num_heads):
    j = torch.arange(n)
    slopes = torch.tensor([2 ** (-8 * (h + 1) / num_heads) for h in range(num_heads)])
    return slopes.view(-1, 1, 1) * (j - j.view(-1, 1))
