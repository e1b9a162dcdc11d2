# %% crosses="of each mistake"
# value instead of the key -> which key wins; the line where

# %% right="numbers"
winner = 51
faulty_line = 2
# %% right="floats and a list"
winner = np.float64(51.0)
faulty_line = [2]
# %% mistake="blames the exponential" style="the exponential"
winner = 51.0
faulty_line = 3.0
# %% mistake="blames the sum" style="the sum"
winner, faulty_line = 51, 4
# %% mistake="position or weight instead of the waist" style="an index"
winner = 0
faulty_line = 2
# %% mistake="position or weight instead of the waist" style="the weight"
winner = 1.0
faulty_line = 2
# %% mistake="value instead of the key" style="forty kilograms"
winner = 40
faulty_line = 2
# %% mistake="value instead of the key" style="forty kilograms, and the third line" true="blames the exponential"
winner = 40.0
faulty_line = 3
# %% mistake="blames the difference" style="query minus key"
winner = 51
faulty_line = 1
# %% unlisted="the usual winners"
winner = 56
faulty_line = 2
# %% unlisted="words"
winner = 'the first'
faulty_line = 'line 2'
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the second still open"
winner = 51
faulty_line = ...
