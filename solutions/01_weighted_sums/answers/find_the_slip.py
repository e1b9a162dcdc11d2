# %% right="number"
faulty_line = 2
# %% right="in a list"
faulty_line = [2]
# %% mistake="blames the division" style="the division"
faulty_line = 3
# %% mistake="blames the exponential" style="the exponential"
faulty_line = 1
# %% unlisted="none"
faulty_line = 0
# %% unlisted="two of them"
faulty_line = [2, 3]
