# %% right="a number"
cheaper_from = 43
# %% mistake="a projection left out of the count" style="the pairs alone"
cheaper_from = next(n for n in range(1, 100) if n * n * 16 < n * n * 64)
# %% mistake="a projection left out of the count" style="one of the two"
cheaper_from = math.ceil(64 * 16 / (64 - 16))
# %% mistake="rounded down" style="whole division"
cheaper_from = 2 * 64 * 16 // (64 - 16)
# %% mistake="a fraction of a word" style="not whole"
cheaper_from = 2048 / 48
# %% unlisted="the dot product's width"
cheaper_from = 64
# %% unlisted="more keys than there can be"
cheaper_from = 430
