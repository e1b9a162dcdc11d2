# %% right="by hand"
both_shuffled = [5, 2]
vectors_shuffled = [4, 3]
# %% right="computed"
order = [2, 0, 1]
weights, rows = np.array([0.5, 0.25, 0.25]), np.array([[8, 0], [0, 4], [4, 4]])
both_shuffled = weights[order] @ rows[order]
vectors_shuffled = weights @ rows[order]
# %% right="tuples of fractions"
both_shuffled = (5.0, 2.0)
vectors_shuffled = (4.0, 3.0)
# %% mistake="order taken to matter" style="both the same"
both_shuffled = vectors_shuffled = [4, 3]
# %% mistake="order taken to matter" style="weights alone"
both_shuffled = [3, 3]
vectors_shuffled = [4, 3]
# %% mistake="order taken not to matter" style="nothing changes"
both_shuffled = [5, 2]
vectors_shuffled = [5, 2]
# %% mistake="shuffled the other way round" style="second, third, first"
both_shuffled = [5, 2]
vectors_shuffled = [3, 3]
# %% mistake="the two exchanged" style="the names changed over"
vectors_shuffled = [5, 2]
both_shuffled = [4, 3]
# %% unlisted="numbers backwards"
both_shuffled = [2, 5]
vectors_shuffled = [3, 4]
# %% unlisted="one number each"
both_shuffled = 7
vectors_shuffled = 7
