# %% crosses="of each mistake"
# score of 0 taken for a weight of 0 -> the weights with no; the key to
# not divided by √d_k -> the weights with no
# positions counted from 1 -> the key to

# %% right="rounded"
real_weights = [0.4, 0.2, 0.4]
covered_key = 1
# %% right="computed"
real_weights = torch.tensor([1, 0, 1.0]).div(math.sqrt(2)).softmax(0)
covered_key = np.int64(1)
# %% mistake="score of 0 taken for a weight of 0" style="the notes' weights"
real_weights = [0.5, 0, 0.5]
covered_key = 1
# %% mistake="not divided by √d_k" style="no scale"
real_weights = [0.422, 0.155, 0.422]
covered_key = 1
# %% mistake="positions counted from 1" style="the second key"
real_weights = [0.4, 0.2, 0.4]
covered_key = 2
# %% unlisted="thirds"
real_weights = [1/3] * 3
covered_key = 1
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the weights alone"
real_weights = [0.40, 0.20, 0.40]
covered_key = ...
# %% right="three figures"
real_weights = (0.401, 0.198, 0.401)
covered_key = [1]
