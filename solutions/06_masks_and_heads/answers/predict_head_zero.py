# %% crosses="of each mistake"
# view instead of transpose -> what head 0; what a bare
# view taken for a transpose -> what a bare
# columns dealt to the heads in turn -> what head 0; what a bare

# %% right="nested lists"
head_0 = [[0, 1], [4, 5], [8, 9]]
head_0_by_view = [[0, 1], [2, 3], [4, 5]]
# %% right="asked of torch"
X = torch.arange(12).view(1, 3, 4)
head_0 = X[0, :, :2]
head_0_by_view = X.view(1, 2, 3, 2)[0, 0]
# %% mistake="view instead of transpose" style="exchanged"
head_0 = [[0, 1], [2, 3], [4, 5]]
head_0_by_view = [[0, 1], [4, 5], [8, 9]]
# %% mistake="view taken for a transpose" style="both alike"
head_0 = np.array([[0, 1], [4, 5], [8, 9]])
head_0_by_view = head_0
# %% mistake="columns dealt to the heads in turn" style="even columns"
head_0 = torch.arange(12).view(3, 4)[:, ::2]
head_0_by_view = [[0, 1], [2, 3], [4, 5]]
# %% unlisted="the other head"
head_0 = [[2, 3], [6, 7], [10, 11]]
head_0_by_view = [[6, 7], [8, 9], [10, 11]]
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the first alone"
head_0 = [[0, 1], [4, 5], [8, 9]]
head_0_by_view = ...
