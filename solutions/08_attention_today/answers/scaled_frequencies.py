# %% crosses="of each mistake"
# fractions cut off -> with a factor; each slower pair

# %% what_if="A model was trained on 100,000 words, and has four columns. Which pairs does a factor of 8 change?" because="None: both pairs made many whole turns in training, so every angle is known, and a longer text brings no new one."
print(scaled_frequencies(4, 100_000, 8.0), scaled_frequencies(4, 100_000, 1.0))
# %% right="wavelengths compared" row="wavelengths compared" buys="a pair is kept if its wavelength, the words that one turn takes, fits into the training text"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2 != 0:
        raise ValueError("d must be even")
    wavelengths = 2 * torch.pi * base ** (torch.arange(0, d, 2).double() / d)
    stretched = torch.where(wavelengths <= trained, wavelengths, wavelengths * factor)
    return 2 * torch.pi / stretched
# %% right="a loop, math alone" row="loops" buys="one pair after the other, with the condition as the text says it"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2 == 1:
        raise ValueError(f"d = {d}")
    found = []
    for i in range(d // 2):
        w = base ** (-2 * i / d)
        if trained * w < 2 * math.pi:
            w = w / factor
        found.append(w)
    return torch.tensor(found)
# %% right="a copy, written into under a mask" buys="all start alike, and only the slow ones are changed"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    freqs = 1.0 / (base ** (torch.arange(0, d, 2).float() / d))
    out = freqs.clone()
    out[trained * freqs < 2 * math.pi] /= factor
    return out
# %% right="a divisor for each pair" buys="a pair's divisor is 1 or the factor: this is where YaRN puts a ramp"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d & 1:
        raise ValueError("odd")
    w = torch.exp(-math.log(base) * torch.arange(0, d, 2, dtype=torch.float64) / d)
    slow = (trained * w / (2 * math.pi) < 1).double()
    return w / (1 + slow * (factor - 1))
# %% right="how many pairs are fast, float64"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError("pairs")
    w = torch.tensor([1 / base ** (2 * i / d) for i in range(d // 2)], dtype=torch.float64)
    fast = int((w * trained >= 2 * np.pi).sum())
    return torch.cat([w[:fast], w[fast:] / factor])
# %% right="NumPy" row="NumPy"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError("d")
    w = np.power(base, -np.arange(0, d, 2) / d)
    return np.where(w * trained / (2 * np.pi) >= 1.0, w, w / factor)
# %% mistake="all frequencies divided" style="positions shrunk instead"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    return torch.tensor([1 / factor * base ** (-2 * i / d) for i in range(d // 2)])
# %% mistake="fast frequencies divided, slow ones kept" style="a mask the wrong way"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    w[trained * w >= 2 * math.pi] /= factor
    return w
# %% mistake="multiplied by the factor instead of divided" style="times"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    return torch.where(trained * w < 2 * math.pi, w * factor, w)
# %% mistake="no frequency divided" style="a copy that is lost"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    slow = w[trained * w < 2 * math.pi]
    slow = slow / factor
    return w
# %% mistake="a radian taken for a whole turn" style="the wavelength without 2π"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    length = base ** (torch.arange(0, d, 2) / d)
    return torch.where(length <= trained, 1 / length, 1 / (length * factor))
# %% mistake="half a turn taken for a whole one" style="torch.pi"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    return torch.where(w * trained >= torch.pi, w, w / factor)
# %% mistake="degrees for radians" style="360"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    return torch.where(w * trained >= 360, w, w / factor)
# %% mistake="a frequency taken for a wavelength" style="2π · w"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    wavelength = 2 * math.pi * w
    return torch.where(wavelength <= trained, w, w / factor)
# %% mistake="the stretched length instead of the trained one" style="the new length first"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    longest = trained * factor
    w = base ** (-torch.arange(0, d, 2) / d)
    return torch.where(longest * w >= 2 * math.pi, w, w / factor)
# %% mistake="turns counted after dividing" style="divided first, then asked"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    new = w / factor
    return torch.where(trained * new >= 2 * math.pi, w, new)
# %% mistake="a larger base for all pairs" style="NTK"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    base = base * factor ** (d / (d - 2)) if d > 2 else base
    return 1.0 / base ** (torch.arange(0, d, 2) / d)
# %% mistake="wrong wavelength" style="i in place of 2i"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = torch.tensor([base ** (-i / d) for i in range(d // 2)])
    return torch.where(trained * w >= 2 * math.pi, w, w / factor)
# %% mistake="wavelengths in place of frequencies" style="a plus in the exponent"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (torch.arange(0, d, 2) / d)
    return torch.where(trained * w >= 2 * math.pi, w, w / factor)
# %% mistake="base ignored" style="a constant"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = 10000 ** (-torch.arange(0, d, 2) / d)
    return torch.where(trained * w >= 2 * math.pi, w, w / factor)
# %% mistake="a frequency for each column" style="repeated, side by side"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = torch.tensor([base ** (-2 * (j // 2) / d) for j in range(d)])
    return torch.where(trained * w >= 2 * math.pi, w, w / factor)
# %% mistake="fractions cut off" style="floor"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    return torch.where(trained * w >= 2 * math.pi, w, (w / factor).floor())
# %% mistake="odd d not refused" style="whatever arange gives"
def scaled_frequencies(d, trained, factor, base=10000.0):
    w = base ** (-torch.arange(0, d, 2) / d)
    return torch.where(trained * w >= 2 * math.pi, w, w / factor)
# %% unlisted="the factor goes into the positions of slow pairs twice"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    return torch.where(trained * w >= 2 * math.pi, w, w / factor / factor)
# %% unlisted="a ramp between fast and slow, as in YaRN"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    w = base ** (-torch.arange(0, d, 2) / d)
    turns = trained * w / (2 * math.pi)
    ramp = ((turns - 1) / (32 - 1)).clamp(0, 1)
    return w * ramp + w / factor * (1 - ramp)
# %% unlisted="a running product that keeps each division"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError("d must be even")
    step = base ** (-2 / d)
    frequency = 1.0
    result = []
    for _ in range(d // 2):
        if trained * frequency < 2 * math.pi:
            frequency = frequency / factor
        result.append(frequency)
        frequency = frequency * step
    return torch.tensor(result)
# %% unlisted="which pairs are kept"
def scaled_frequencies(d, trained, factor, base=10000.0):
    if d % 2:
        raise ValueError
    return trained * base ** (-torch.arange(0, d, 2) / d) >= 2 * math.pi
