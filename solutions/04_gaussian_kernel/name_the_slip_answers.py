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
# %% mistake="position instead of waist" style="an index"
winner = 0
faulty_line = 2
# %% unlisted="the usual winners"
winner = 56
faulty_line = 2
# %% unlisted="words"
winner = 'the first'
faulty_line = 'line 2'
