# %% right="sorted"
def warmest_days(temperatures, k):
    return np.argsort(temperatures)[::-1][:k]

# %% right="a loop"
def warmest_days(temperatures, k):
    days = sorted(range(len(temperatures)), key=lambda day: -temperatures[day])
    return np.array(days[:k])

# %% mistake="coldest instead of warmest" style="argsort as it comes"
def warmest_days(temperatures, k):
    return np.argsort(temperatures)[:k]

# %% mistake="coldest instead of warmest" style="a loop that takes the least"
def warmest_days(temperatures, k):
    return np.array(sorted(range(len(temperatures)), key=lambda day: temperatures[day])[:k])

# %% mistake="temperatures instead of positions" style="sorted values"
def warmest_days(temperatures, k):
    return np.sort(temperatures)[::-1][:k]

# %% mistake="temperatures instead of positions" style="a loop over the values"
def warmest_days(temperatures, k):
    return np.array(sorted(temperatures, reverse=True)[:k])

# %% unlisted="one too many"
def warmest_days(temperatures, k):
    return np.argsort(-temperatures)[: k + 1]
