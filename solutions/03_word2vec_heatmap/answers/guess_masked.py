# %% right="zeros first"
masked_shares = [0, 0.73, 0.27]
# %% right="array"
masked_shares = np.array([0.0, 0.7311, 0.2689])
# %% right="tuple, a little off"
masked_shares = (0, 0.725, 0.275)
# %% mistake="masked after the softmax" style="three figures"
masked_shares = [0, 0.245, 0.09]
# %% mistake="masked score not low enough" style="score of zero"
e = np.exp([0, 1, 0])
masked_shares = e / e.sum()
# %% mistake="mask inverted" style="all on the first"
masked_shares = [1, 0, 0]
# %% mistake="mask inverted" style="its old share left on the first"
masked_shares = [0.665, 0, 0]
# %% mistake="mask ignored" style="figures, again"
masked_shares = [0.665, 0.245, 0.09]
# %% mistake="the rest shared evenly" style="half and half"
masked_shares = [0, 0.5, 0.5]
# %% unlisted="the nearer one a little more"
masked_shares = [0, 0.6, 0.4]
# %% mistake="not divided by √d_k" style="a difference of 2"
masked_shares = np.append(0, np.exp([2, 0]) / (1 + np.exp(2)))
# %% mistake="divided by the wrong power of d_k" style="a difference of a half"
masked_shares = [0, 0.62, 0.38]
# %% unlisted="two numbers"
masked_shares = [0.73, 0.27]
