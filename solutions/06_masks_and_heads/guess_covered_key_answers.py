# %% right="rounded"
real_weights = [0.4, 0.2, 0.4]
covered_key = 1
# %% right="computed"
real_weights = torch.tensor([1, 0, 1.0]).div(math.sqrt(2)).softmax(0)
covered_key = np.int64(1)
# %% mistake="a score of 0 is a weight of 0" style="the notes' weights"
real_weights = [0.5, 0, 0.5]
covered_key = 1
# %% mistake="no scale" style="no scale"
real_weights = [0.422, 0.155, 0.422]
covered_key = 1
# %% unlisted="thirds"
real_weights = [1/3] * 3
covered_key = 1
# %% unlisted="scores"
real_weights = [0.707, 0, 0.707]
covered_key = 1
