# %% crosses="of each mistake"
# the new word does not see itself -> the output of
# the new one in front -> the new key
# not divided by √d_k -> the output of
# writes into its input -> leaves its inputs
# divided by the root of the wrong length -> the output
# divided by the wrong power of d_k -> the output of
# scaled after the softmax -> the output of
# Q, K or V in the wrong place -> the output of
# softmax over the queries -> the output of
# %% what_if="The cache holds t words. How many dot products does one more word cost, and how many would it cost without a cache?" because="With a cache t + 1, one for each key. Without it the whole square is computed again, and all but its last row is thrown away."
for t in (9, 99):
    print(t + 1, (t + 1) ** 2)
# %% right="vstack, scores by hand" buys="a score is a sum of products; no matrix product hides that"
def cached_step(query, key, value, keys, values):
    keys = torch.vstack([keys, key])
    values = torch.vstack([values, value])
    scores = (keys * query).sum(dim=1) / query.shape[0] ** 0.5
    weights = scores.exp() / scores.exp().sum()
    return (weights[:, None] * values).sum(dim=0), keys, values
# %% mistake="the new word does not see itself" style="appended at the end"
def cached_step(query, key, value, keys, values):
    weights = torch.softmax(keys @ query / math.sqrt(len(query)), dim=0)
    return weights @ values, torch.cat([keys, key[None]]), torch.cat([values, value[None]])
# %% mistake="the new one in front" style="cat"
def cached_step(query, key, value, keys, values):
    keys, values = torch.cat([key[None], keys]), torch.cat([value[None], values])
    weights = torch.softmax(keys @ query / math.sqrt(len(query)), dim=0)
    return weights @ values, keys, values
# %% mistake="not divided by √d_k" style="bare scores"
def cached_step(query, key, value, keys, values):
    keys, values = torch.vstack([keys, key]), torch.vstack([values, value])
    return torch.softmax(keys @ query, dim=0) @ values, keys, values
# %% mistake="writes into its input" style="the query scaled"
def cached_step(query, key, value, keys, values):
    keys, values = torch.vstack([keys, key]), torch.vstack([values, value])
    query /= math.sqrt(len(query))
    return torch.softmax(keys @ query, dim=0) @ values, keys, values
# %% unlisted="the caches not returned"
def cached_step(query, key, value, keys, values):
    keys, values = torch.vstack([keys, key]), torch.vstack([values, value])
    return torch.softmax(keys @ query / math.sqrt(len(query)), dim=0) @ values
# %% unlisted="scaled by the root of the number of words"
def cached_step(query, key, value, keys, values):
    keys, values = torch.vstack([keys, key]), torch.vstack([values, value])
    return torch.softmax(keys @ query / math.sqrt(len(keys) + len(query)), dim=0) @ values, keys, values
# %% unlisted="the caches as they were"
def cached_step(query, key, value, keys, values):
    every, own = torch.vstack([keys, key]), torch.vstack([values, value])
    return torch.softmax(every @ query / math.sqrt(len(query)), dim=0) @ own, keys, values
# %% mistake="divided by the root of the wrong length" style="len of the keys"
def cached_step(query, key, value, keys, values):
    keys, values = torch.cat([keys, key[None]]), torch.cat([values, value[None]])
    weights = torch.softmax(keys @ query / math.sqrt(len(keys)), dim=0)
    return weights @ values, keys, values
# %% mistake="divided by the root of the wrong length" style="the values' width"
def cached_step(query, key, value, keys, values):
    keys, values = torch.vstack([keys, key]), torch.vstack([values, value])
    scores = keys @ query / values.shape[-1] ** 0.5
    return scores.softmax(0) @ values, keys, values
# %% mistake="divided by the wrong power of d_k" style="d_k itself"
def cached_step(query, key, value, keys, values):
    keys, values = torch.vstack([keys, key]), torch.vstack([values, value])
    return torch.softmax(keys @ query / len(query), dim=0) @ values, keys, values
# %% mistake="scaled after the softmax" style="weights over the root"
def cached_step(query, key, value, keys, values):
    keys, values = torch.vstack([keys, key]), torch.vstack([values, value])
    return torch.softmax(keys @ query, dim=0) / math.sqrt(len(query)) @ values, keys, values
# %% mistake="Q, K or V in the wrong place" style="the key asks"
def cached_step(query, key, value, keys, values):
    keys, values = torch.vstack([keys, key]), torch.vstack([values, value])
    return torch.softmax(keys @ key / math.sqrt(len(key)), dim=0) @ values, keys, values
# %% mistake="softmax over the queries" style="dim 0 of a table of one row"
def cached_step(query, key, value, keys, values):
    keys, values = torch.vstack([keys, key]), torch.vstack([values, value])
    scores = query[None] @ keys.T / math.sqrt(len(query))
    return (scores.softmax(dim=0) @ values)[0], keys, values
