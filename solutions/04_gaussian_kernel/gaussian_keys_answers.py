# %% crosses="of each mistake"
# minus sign missing -> Gaussian weights of one
# distance not squared or not halved -> Gaussian weights of one
# bandwidth in the wrong place -> Gaussian weights of one; Gaussian weights of several

# %% right="one stack"
def gaussian_keys(keys, bandwidth=1.0):
    column = -0.5 * np.sum(keys * keys, axis=1)
    return np.column_stack([keys, column]) / bandwidth**2
# %% right="lengths from the shortest on, which cancels"
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
# %% mistake="bandwidth in the wrong place" style="in the last column alone"
def gaussian_keys(keys, bandwidth=1.0):
    return np.c_[keys, -(keys**2).sum(1) / (2 * bandwidth**2)]
# %% mistake="bandwidth in the wrong place" style="not squared"
def gaussian_keys(keys, bandwidth=1.0):
    return np.c_[keys, -(keys**2).sum(1) / 2] / bandwidth
# %% unlisted="the column in front"
def gaussian_keys(keys, bandwidth=1.0):
    return np.c_[-(keys**2).sum(1) / 2, keys] / bandwidth**2
# %% unlisted="the keys alone"
def gaussian_keys(keys, bandwidth=1.0):
    return keys / bandwidth**2
