# %% right="rounded"
nearly_zero = 43
enormous = 43.7
# %% right="computed"
nearly_zero = np.array([43.0])
enormous = np.mean([40, 43, 48])
# %% mistake="bandwidth upside down" style="the other way round"
nearly_zero = 43.667
enormous = 43.0
# %% mistake="the two neighbours" style="halfway both times"
nearly_zero = (43 + 48) / 2
enormous = (43 + 48) / 2
# %% mistake="nothing within reach" style="zero"
nearly_zero = 0
enormous = 131 / 3
# %% unlisted="the wrong neighbour"
nearly_zero = 48
enormous = 43.67
# %% unlisted="keys instead of values"
nearly_zero = 56
enormous = 55
