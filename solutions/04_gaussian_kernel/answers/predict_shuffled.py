# %% right="by hand"
both_shuffled = 45.5
keys_shuffled = 44
# %% right="computed"
waists, weights_kg, order = np.array([51.0, 56, 58]), np.array([40.0, 43, 48]), [2, 0, 1]
both_shuffled = kernel_regression(np.array([57.0]), waists[order], weights_kg[order])
keys_shuffled = kernel_regression(np.array([57.0]), waists[order], weights_kg)[0]
# %% mistake="order of the keys taken to matter" style="both the same"
both_shuffled = 44.0
keys_shuffled = 44.0
# %% mistake="order of the keys taken to matter" style="both the same, the other way round"
both_shuffled = keys_shuffled = (40 + 43) / 2
# %% mistake="values taken to follow their keys" style="nothing changes"
both_shuffled = 45.5
keys_shuffled = 45.5
# %% mistake="order read the other way round" style="the inverse"
both_shuffled = 45.5
keys_shuffled = 41.5
# %% unlisted="everyone's mean"
both_shuffled = 45.5
keys_shuffled = 43.67
# %% unlisted="a waist"
both_shuffled = 57
keys_shuffled = 57
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the second still open"
both_shuffled = 45.5
keys_shuffled = ...
