# %% crosses="of each mistake"
# coldest instead of warmest -> the right days; in the right order
# temperatures instead of positions -> the right days; in the right order

# %% right="sorted"
def warmest_days(temperatures, k):
    return torch.sort(temperatures, descending=True).indices[:k]

# %% right="a loop"
def warmest_days(temperatures, k):
    days = sorted(range(len(temperatures)), key=lambda day: -temperatures[day])
    return torch.tensor(days[:k])

# %% mistake="coldest instead of warmest" style="argsort as it comes"
def warmest_days(temperatures, k):
    return torch.argsort(temperatures)[:k]

# %% mistake="coldest instead of warmest" style="a loop that takes the least"
def warmest_days(temperatures, k):
    return torch.tensor(sorted(range(len(temperatures)), key=lambda day: temperatures[day])[:k])

# %% mistake="temperatures instead of positions" style="first of topk"
def warmest_days(temperatures, k):
    return temperatures.topk(k)[0]

# %% mistake="temperatures instead of positions" style="sorted values"
def warmest_days(temperatures, k):
    return torch.sort(temperatures, descending=True)[0][:k]

# %% unlisted="one too many"
def warmest_days(temperatures, k):
    return temperatures.topk(min(k + 1, len(temperatures))).indices
