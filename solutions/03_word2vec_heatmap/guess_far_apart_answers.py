# %% right="a list"
nan_rows = [1]
# %% right="a tuple"
nan_rows = (1,)
# %% right="an array"
nan_rows = np.array([1])
# %% right="a number"
nan_rows = 1
# %% mistake="every row but the highest" style="a list, again"
nan_rows = [1, 2]
# %% mistake="the largest scores overflow" style="the first"
nan_rows = [0]
# %% mistake="the largest scores overflow" style="the two large ones"
nan_rows = [0, 2]
# %% mistake="one maximum is enough" style="an empty list"
nan_rows = []
# %% unlisted="all of them"
nan_rows = [0, 1, 2]
# %% unlisted="a word"
nan_rows = "the second"
