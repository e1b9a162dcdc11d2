# %% right="two decimals"
shifted_weights = [0.73, 0.27]
# %% right="sigmoid"
shifted_weights = 1 / (1 + np.exp([-1, 1]))
# %% mistake="nearly equal shares for nearly equal scores" style="half and half"
shifted_weights = (0.5, 0.5)
# %% mistake="nearly equal shares for nearly equal scores" style="the scores shared out"
shifted_weights = np.array([710, 709]) / 1419
# %% mistake="largest score takes all" style="one and nothing"
shifted_weights = [1, 0]
# %% mistake="shares in the wrong order" style="the other way round"
shifted_weights = [0.269, 0.731]
# %% mistake="what the code gives, not the formula" style="as NumPy has it"
shifted_weights = [np.nan, np.nan]
# %% unlisted="shifted and not divided"
shifted_weights = np.exp([0, -1])
# %% unlisted="powers, not shares"
shifted_weights = [2.72, 1.0]
# %% mistake="what the code gives, not the formula" style="not numbers"
shifted_weights = [np.nan, np.nan]
