# %% right="rounded"
nearly_zero = 43
enormous = 43.7
# %% right="computed"
nearly_zero = np.array([43.0])
enormous = np.mean([40, 43, 48])
# %% mistake="bandwidth taken upside down" style="the other way round"
nearly_zero = 43.667
enormous = 43.0
# %% mistake="both neighbours counted alike" style="halfway both times"
nearly_zero = (43 + 48) / 2
enormous = (43 + 48) / 2
# %% mistake="no weight left for anybody" style="zero"
nearly_zero = 0
enormous = 131 / 3
# %% mistake="bandwidth 1 kept" style="what the text has just said"
nearly_zero = 44.16
enormous = 43.67
# %% mistake="bandwidth 1 kept" style="for both, rounded"
nearly_zero = enormous = 44.2
# %% mistake="both neighbours counted alike" style="right at first, halfway then"
nearly_zero = 43
enormous = 45.5
# %% mistake="values added instead of averaged" style="three values in full"
nearly_zero = 43.0
enormous = 40 + 43 + 48
# %% unlisted="the wrong neighbour"
nearly_zero = 48
enormous = 43.67
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the first still open"
nearly_zero = ...
enormous = 43.67
# %% unlisted="the first a whole number, the second cut to one"
nearly_zero = 43
enormous = 43
