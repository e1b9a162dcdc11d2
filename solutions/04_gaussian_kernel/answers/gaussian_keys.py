# %% what_if="All keys have the same length. What is left for the last column to do?" because="It does nothing. It is the same for all keys, so it cancels in the softmax. For keys of one length the dot product and the Gaussian kernel give the same weights."
angles = np.array([0.0, 1.0, 2.5])
print(np.round(gaussian_keys(np.column_stack([np.cos(angles), np.sin(angles)]))[:, -1], 3))
# %% right="one stack" buys="the formula in one line"
def gaussian_keys(keys, bandwidth=1.0):
    column = -0.5 * np.sum(keys * keys, axis=1)
    return np.column_stack([keys, column]) / bandwidth**2
# %% right="lengths from the shortest on, which cancels" buys="the scores stay small, since only differences of lengths count"
def gaussian_keys(keys, bandwidth=1.0):
    squares = (keys**2).sum(1)
    return np.c_[keys, (squares.min() - squares) / 2] / bandwidth**2
# %% mistake="minus sign missing" style="plus a half"
def gaussian_keys(keys, bandwidth=1.0):
    return np.c_[keys, (keys**2).sum(1) / 2] / bandwidth**2
# %% mistake="distance not squared or not halved" style="no half"
def gaussian_keys(keys, bandwidth=1.0):
    return np.c_[keys, -(keys**2).sum(1)] / bandwidth**2
# %% mistake="distance not squared or not halved" style="the norm"
def gaussian_keys(keys, bandwidth=1.0):
    return np.c_[keys, -np.linalg.norm(keys, axis=1) / 2] / bandwidth**2
# %% mistake="bandwidth in the wrong place, or left out" style="in the last column alone"
def gaussian_keys(keys, bandwidth=1.0):
    return np.c_[keys, -(keys**2).sum(1) / (2 * bandwidth**2)]
# %% mistake="bandwidth in the wrong place, or left out" style="not squared"
def gaussian_keys(keys, bandwidth=1.0):
    return np.c_[keys, -(keys**2).sum(1) / 2] / bandwidth
# %% mistake="the key's length left out" style="a 1 for the 1"
def gaussian_keys(keys, bandwidth=1.0):
    return np.hstack([keys / bandwidth**2, np.ones((len(keys), 1))])
# %% mistake="the key's length left out" style="nothing for the 1"
def gaussian_keys(keys, bandwidth=1.0):
    return np.pad(keys, ((0, 0), (0, 1))) / bandwidth**2
# %% unlisted="the column in front"
def gaussian_keys(keys, bandwidth=1.0):
    return np.c_[-(keys**2).sum(1) / 2, keys] / bandwidth**2
# %% unlisted="the keys alone"
def gaussian_keys(keys, bandwidth=1.0):
    return keys / bandwidth**2
# %% unlisted="two measurements at most"
def gaussian_keys(keys, bandwidth=1.0):
    square = keys[:, 0] ** 2 + (keys[:, 1] ** 2 if keys.shape[1] > 1 else 0)
    return np.column_stack([keys, -square / 2]) / bandwidth**2
# %% unlisted="stored as the keys are, which may be whole numbers"
def gaussian_keys(keys, bandwidth=1.0):
    out = np.zeros((len(keys), keys.shape[1] + 1), dtype=keys.dtype)
    out[:, :-1] = keys / bandwidth**2
    out[:, -1] = -(keys**2).sum(1) / (2 * bandwidth**2)
    return out
