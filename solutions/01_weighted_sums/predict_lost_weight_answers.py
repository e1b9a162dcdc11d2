# %% right="fraction"
weights_left = 14 / 17
# %% right="rounded"
weights_left = 0.82
# %% right="worked out"
weights_left = 1 - len('the') / len('thecatsatonthemat')
# %% mistake="repeated word lost" style="one"
weights_left = 1
# %% mistake="repeated word lost" style="a list of one"
weights_left = [1.0]
# %% mistake="lost twice" style="both gone"
weights_left = 11 / 17
# %% mistake="lost twice" style="both gone, rounded"
weights_left = .65
# %% unlisted="five sixths"
weights_left = 5 / 6
# %% unlisted="count"
weights_left = 5
# %% unlisted="per cent"
weights_left = 82
