# %% crosses="of each mistake"
# scores as wide as a key -> the shape of the scores; the shape of the output

# %% right="tuples"
scores_shape = (2, 5, 7)
output_shape = (2, 5, 3)
# %% right="lists and arrays"
scores_shape = [2, 5, 7]
output_shape = np.array([2, 5, 3])
# %% mistake="keys and queries swapped" style="both"
scores_shape = (2, 7, 5)
output_shape = (2, 7, 3)
# %% mistake="keys and queries swapped" style="scores alone"
scores_shape = [2, 7, 5]
output_shape = [2, 5, 3]
# %% mistake="output as wide as a key" style="output alone"
scores_shape = (2, 5, 7)
output_shape = (2, 5, 8)
# %% mistake="scores as wide as a key" style="as Q" true="output as wide as a key"
scores_shape = (2, 5, 8)
output_shape = (2, 5, 8)
# %% mistake="scores as wide as a key" style="keys by features"
scores_shape = (2, 7, 8)
output_shape = (2, 5, 3)
# %% unlisted="one word more"
scores_shape = (2, 6, 7)
output_shape = (2, 6, 3)
# %% unlisted="no batch"
scores_shape = (5, 7)
output_shape = (5, 3)
