# %% right="letters"
experiment_1, experiment_2, experiment_3 = "c", "d", "a"
# %% mistake="causes of two experiments exchanged" style="two exchanged"
experiment_1, experiment_2, experiment_3 = "c", "a", "d"
# %% mistake="order of the lengths blamed where there is one batch entry" style="the batch"
experiment_1 = "c"
experiment_2 = "d"
experiment_3 = "b"
# %% mistake="order of the lengths blamed where there is one batch entry" style="alphabetical"
experiment_1, experiment_2, experiment_3 = "a", "b", "c"
# %% unlisted="always a"
experiment_1 = experiment_2 = experiment_3 = "a"
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the last still open"
experiment_1, experiment_2, experiment_3 = "c", "d", ...
