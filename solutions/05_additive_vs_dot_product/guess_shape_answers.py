# %% right="asked of torch"
t = torch.zeros(2, 2, 4)
axes_in_all = t.dim()
batches, rows, columns = t.shape
# %% mistake="shape misread" style="the notes"
axes_in_all = 2
batches = 2
rows = 4
columns = 3
# %% mistake="shape misread" style="two axes, so one batch entry"
axes_in_all = 2
batches = 1
rows = 4
columns = 3
# %% mistake="shape misread" style="from the end"
axes_in_all, batches, rows, columns = 3, 4, 2, 2
# %% unlisted="one axis a number"
axes_in_all, batches, rows, columns = 8, 2, 2, 4
# %% [markdown]
# ## Clumsy halves
# %% unlisted="two filled in rightly, two still open"
axes_in_all = 3
batches = 2
rows = ...
columns = ...
