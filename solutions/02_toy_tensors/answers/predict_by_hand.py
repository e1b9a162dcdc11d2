# %% right="rounded"
hand_weights = [0.4, 0.2, 0.4]
hand_output = [16.04, 3.96]
# %% right="arrays with an axis more"
hand_weights = np.array([[0.401, 0.198, 0.401]])
hand_output = np.array([[16.04, 3.96]])
# %% right="tensor and tuple"
hand_weights = torch.tensor([0.4011, 0.1978, 0.4011])
hand_output = (16.0445, 3.9555)
# %% right="column"
hand_weights = [[0.40], [0.20], [0.41]]
hand_output = [np.float32(16.05), 3.95]
# %% mistake="a score of 0 taken for a weight of 0" style="the notes' figures"
hand_weights = [0.5, 0, 0.5]
hand_output = [20, 0]
# %% mistake="a score of 0 taken for a weight of 0" style="the scaled scores"
hand_weights = [0.707, 0, 0.707]
hand_output = [28.28, 0]
# %% mistake="not divided by √d_k" style="two figures"
hand_weights = [0.42, 0.16, 0.42]
hand_output = [16.9, 3.1]
# %% mistake="divided by the wrong power of d_k" style="by two"
hand_weights = [0.384, 0.233, 0.384]
hand_output = [15.35, 4.66]
# %% mistake="divided by the wrong power of d_k" style="times the root"
e = np.exp([2**0.5, 0, 2**0.5])
hand_weights = e / e.sum()
hand_output = [40 * hand_weights[0], 20 * hand_weights[1]]
# %% mistake="divided by the root of the wrong length" style="root of three keys"
hand_weights = softmax([3**-0.5, 0, 3**-0.5])
hand_output = [40 * hand_weights[0], 20 * hand_weights[1]]
# %% mistake="scaled after the softmax" style="figures, again"
hand_weights = [0.299, 0.11, 0.299]
hand_output = [11.94, 2.2]
# %% mistake="weights not normalised" style="figures, again, again"
hand_weights = [2.028, 1, 2.028]
hand_output = [81.1, 20]
# %% mistake="plain mean instead of weights" style="a third each"
hand_weights = [1/3, 1/3, 1/3]
hand_output = [13.33, 6.67]
# %% mistake="plain mean instead of weights" style="rounded, again"
hand_weights = [0.33, 0.33, 0.33]
hand_output = [13.3, 6.7]
# %% mistake="Q, K or V in the wrong place" style="figures, again, again, again"
hand_weights = [0.401, 0.198, 0.401]
hand_output = [0.80, 0.20]
# %% unlisted="text"
hand_weights = ['a', 'b', 'c']
hand_output = [16.04, 3.96]
# %% mistake="digits lost in rounding" style="output rounded too far"
hand_weights = [0.401, 0.198, 0.401]
hand_output = [16, 4]
# %% mistake="digits lost in rounding" style="weights cut after two decimals"
hand_weights = [0.40, 0.19, 0.40]
hand_output = [16.0, 3.8]
# %% unlisted="output swapped"
hand_weights = [0.401, 0.198, 0.401]
hand_output = [3.96, 16.04]
# %% unlisted="weights swapped"
hand_weights = [0.198, 0.401, 0.401]
hand_output = [16.04, 3.96]
# %% [markdown]
# ## Clumsy halves
# %% unlisted="output still open"
hand_weights = [0.401, 0.198, 0.401]
hand_output = ...
# %% unlisted="rounded to whole numbers"
hand_weights = [0, 0, 0]
hand_output = [16, 4]
