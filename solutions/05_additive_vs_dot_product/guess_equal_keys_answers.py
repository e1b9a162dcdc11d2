# %% right="fractions"
first_weight_batch_0 = 1/2
first_weight_batch_1 = 1/6
# %% right="rounded"
first_weight_batch_0, first_weight_batch_1 = 0.5, 0.167
# %% mistake="mask ignored" style="a tenth"
first_weight_batch_0 = first_weight_batch_1 = 0.1
# %% mistake="all weight given to the first of equal keys" style="all of it"
first_weight_batch_0 = 1
first_weight_batch_1 = 1
# %% unlisted="lengths"
first_weight_batch_0, first_weight_batch_1 = 2, 6
# %% unlisted="exchanged"
first_weight_batch_0, first_weight_batch_1 = 1 / 6, 1 / 2
# %% [markdown]
# ## Clumsy halves
# %% unlisted="one batch entry still open"
first_weight_batch_0 = 0.5
first_weight_batch_1 = ...
# %% unlisted="the sum of one row"
first_weight_batch_0 = first_weight_batch_1 = 1 / 2
