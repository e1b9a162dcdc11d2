# %% right="fractions"
first_weight_batch_0 = 1/2
first_weight_batch_1 = 1/6
# %% mistake="mask ignored" style="a tenth"
first_weight_batch_0 = first_weight_batch_1 = 0.1
# %% mistake="all weight given to the first of equal keys" style="all of it"
first_weight_batch_0 = 1
first_weight_batch_1 = 1
# %% unlisted="lengths"
first_weight_batch_0, first_weight_batch_1 = 2, 6
# %% [markdown]
# ## Clumsy halves
# %% unlisted="one batch entry still open"
first_weight_batch_0 = 0.5
first_weight_batch_1 = ...
