# %% crosses="of each mistake"
# temperature after the softmax -> which sum to; temperatures above
# temperature multiplied -> temperatures above; temperature 0: all; ValueError for a
# temperature ignored -> temperatures above; temperature 0: all; ValueError for a
# temperature 0 not handled -> ValueError for a
# temperature 0 taken for 1 -> temperature 0: all
# the largest logit itself, not a 1 -> temperature 0: all
# the position of the largest, not a probability for each ->
# negative temperature not refused -> ValueError for a
# no shift by the maximum ->
# log-probabilities returned -> which sum to; temperature 1: plain
# writes into its input -> leaves the logits
# large scores cut to a limit -> right when; right for
# another maximum taken away ->
# fractions cut off -> temperature 1: plain
# %% what_if="The temperature is a million. Which words are drawn?" because="All words are nearly equally likely, because all logits are nearly 0 after the division."
print(next_token_probabilities(torch.tensor([5.0, 1.0, -3.0]), 1e6))
# %% right="softmax and a branch" row="logits divided by T" buys="temperature 0 is visibly a case of its own"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("temperature must not be negative")
    if temperature == 0:
        result = torch.zeros_like(logits)
        result[logits.argmax()] = 1
        return result
    return torch.softmax(logits / temperature, dim=0)
# %% right="by hand, shifted" buys="the shift comes before the division, so a temperature near zero does no harm"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError
    if not temperature:
        return (logits == logits.max()).float()
    scaled = (logits - logits.max()) / temperature
    e = scaled.exp()
    return e / e.sum()
# %% right="whole numbers at temperature 0" buys="one_hot makes the row; its whole numbers need .float() before torch.multinomial can draw by them"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("temperature below zero")
    if temperature == 0:
        return functional.one_hot(logits.argmax(), len(logits))
    return torch.softmax(logits / temperature, dim=0)
# %% right="logsumexp in float64" buys="the softmax is computed in double precision, which loses less to rounding"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("below zero")
    if temperature == 0:
        return torch.eye(len(logits))[int(logits.argmax())]
    z = logits.double() / temperature
    return (z - torch.logsumexp(z, 0)).exp()
# %% right="detached, NumPy inside"
def next_token_probabilities(logits, temperature=1.0):
    import numpy as np
    if temperature < 0:
        raise ValueError("below zero")
    z = logits.detach().numpy().astype(float)
    z = z - z.max()
    e = np.exp(z / temperature) if temperature > 0 else (z == 0).astype(float)
    return torch.from_numpy(e / e.sum())
# %% right="a tiny temperature in place of 0" row="softmax of logits / T"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError(temperature)
    return nn.functional.softmax((logits - logits.max()) / (temperature or 1e-12), dim=-1)
# %% mistake="temperature after the softmax" style="by hand"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("no")
    if temperature == 0:
        return (logits == logits.max()).float()
    e = torch.exp(logits - logits.max())
    return e / e.sum() / temperature
# %% mistake="temperature multiplied" style="no branch at all"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("no")
    return (logits * temperature).softmax(0)
# %% mistake="temperature ignored" style="plain softmax, nothing else"
def next_token_probabilities(logits, temperature=1.0):
    return nn.functional.softmax(logits, dim=0)
# %% mistake="temperature 0 not handled" style="no branch" of="no branch at all"
# -     return (logits * temperature).softmax(0)
# +     return torch.softmax(logits / temperature, dim=-1)
# %% mistake="temperature 0 not handled" style="times 1 / T" of="no branch at all"
# -     return (logits * temperature).softmax(0)
# +     return torch.softmax(logits * (1 / temperature), dim=-1)
# %% mistake="temperature 0 taken for 1" style="or 1"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("no")
    if temperature:
        logits = logits / temperature
    return logits.softmax(-1)
# %% mistake="the largest logit itself, not a 1" style="where"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("no")
    if temperature == 0:
        return torch.where(logits == logits.max(), logits, torch.zeros_like(logits))
    return torch.softmax(logits / temperature, dim=-1)
# %% mistake="the position of the largest, not a probability for each" style="argmax" of="where"
# -         return torch.where(logits == logits.max(), logits, torch.zeros_like(logits))
# +         return torch.argmax(logits)
# %% mistake="negative temperature not refused" style="no guard"
def next_token_probabilities(logits, temperature=1.0):
    if temperature == 0:
        return (logits == logits.max()).float()
    return torch.softmax(logits / temperature, dim=-1)
# %% mistake="negative temperature not refused" style="treated as 0" of="no guard"
# -     if temperature == 0:
# +     if temperature <= 0:
# %% mistake="no shift by the maximum" style="plain exp" of="by hand"
# -     e = torch.exp(logits - logits.max())
# -     return e / e.sum() / temperature
# +     e = torch.exp(logits / temperature)
# +     return e / e.sum()
# %% mistake="log-probabilities returned" style="log_softmax" of="plain exp"
# -     e = torch.exp(logits / temperature)
# -     return e / e.sum()
# +     return nn.functional.log_softmax(logits / temperature, dim=-1)
# %% mistake="writes into its input" style="div_ on the data" of="by hand"
# -     e = torch.exp(logits - logits.max())
# -     return e / e.sum() / temperature
# +     logits.data.div_(temperature)
# +     return torch.softmax(logits, 0)
# %% unlisted="detach forgotten before NumPy"
def next_token_probabilities(logits, temperature=1.0):
    import numpy as np
    if temperature < 0:
        raise ValueError("no")
    z = logits.numpy() - logits.numpy().max()
    if temperature == 0:
        return torch.from_numpy((z == 0).astype(np.float32))
    e = np.exp(z / temperature)
    return torch.from_numpy(e / e.sum())
# %% unlisted="not normalised" of="div_ on the data"
# -     logits.data.div_(temperature)
# -     return torch.softmax(logits, 0)
# +     return ((logits - logits.max()) / temperature).exp()
# %% unlisted="an axis for the batch"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("no")
    if temperature == 0:
        return (logits == logits.max()).float()[None]
    return torch.softmax(logits / temperature, dim=-1)[None]
# %% unlisted="the square root of T" of="div_ on the data"
# -     logits.data.div_(temperature)
# -     return torch.softmax(logits, 0)
# +     return torch.softmax(logits / temperature ** 0.5, dim=-1)
# %% mistake="no shift by the maximum" style="math.exp" of="by hand, shifted"
# -     scaled = (logits - logits.max()) / temperature
# -     e = scaled.exp()
# -     return e / e.sum()
# +     e = [math.exp(z / temperature) for z in logits.tolist()]
# +     return torch.tensor([one / sum(e) for one in e])
# %% mistake="another maximum taken away" style="divided first" of="by hand, shifted"
# -     scaled = (logits - logits.max()) / temperature
# +     scaled = logits / temperature - logits.max()
# %% mistake="fractions cut off" style="floor division" of="by hand, shifted"
# -     scaled = (logits - logits.max()) / temperature
# +     scaled = logits // temperature
# %% [markdown]
# ## From the wild
# %% right="float32 and a probability floor"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0.0:
        return torch.nn.functional.one_hot(torch.argmax(logits, dim=-1), num_classes=logits.size(-1))
    return torch.nn.functional.softmax(logits.float() / temperature, dim=-1)
# %% unlisted="powers of probabilities, which underflow"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        return (logits == logits.max()).float()
    p = logits.softmax(-1) ** (1 / temperature)
    return p / p.sum()
# %% [markdown]
# ## Clumsy halves
# %% unlisted="neither 0 nor below handled" true="temperature 0 not handled; negative temperature not refused"
def next_token_probabilities(logits, temperature=1.0):
    return torch.softmax(logits / temperature, dim=-1)
# %% unlisted="a wrong default"
def next_token_probabilities(logits, temperature=0.5):
    if temperature < 0:
        raise ValueError("negative")
    if temperature == 0:
        return (logits == logits.max()).float()
    return torch.softmax(logits / temperature, dim=-1)
# %% unlisted="the largest without its sign, at temperature 0" of="a wrong default"
# - def next_token_probabilities(logits, temperature=0.5):
# + def next_token_probabilities(logits, temperature=1.0):
# -         return (logits == logits.max()).float()
# +         return functional.one_hot(logits.abs().argmax(), len(logits)).float()
# %% unlisted="another error raised" true="assert instead of raise" of="no guard"
# -     if temperature == 0:
# +     assert temperature >= 0
# +     if temperature == 0:
# %% mistake="large scores cut to a limit" style="clamped before the exponential"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("below zero")
    if temperature == 0:
        return (logits == logits.max()).float()
    e = torch.exp(torch.clamp(logits / temperature, -80, 80))
    return e / e.sum()
# %% unlisted="never colder than a hundredth"
def next_token_probabilities(logits, temperature=1.0):
    if temperature < 0:
        raise ValueError("negative")
    return torch.softmax(logits / max(temperature, 0.01), dim=-1)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="temperature multiplied; a negative temperature raises nothing" true="temperature multiplied; negative temperature not refused"
def next_token_probabilities(logits, temperature=1.0):
    n = len(logits)
    if temperature <= 0:
        out = [0.0] * n
        best = 0
        for i in range(n):
            if logits[i] > logits[best]:
                best = i
        out[best] = 1.0
        return torch.tensor(out)
    scaled = logits * temperature
    scaled = scaled - scaled.max()
    e = torch.exp(scaled)
    return e / e.sum()
