# %% crosses="of each mistake"
# difference not divided by the step -> the slope for predicted numbers

# %% what_if="The bandwidth is the one with the smallest error of all. What is the slope there?" because="It is 0. Just below it the error falls, just above it rises, and at the smallest error it does neither."
keys = np.arange(12.0)
values = np.sin(keys / 2) + 0.5 * (-1) ** keys
grid = np.linspace(0.3, 2.0, 171)
best = grid[np.argmin([leave_one_out_error(keys, values, h) for h in grid])]
print([int(np.sign(bandwidth_slope(keys, values, best + step))) for step in (-0.1, 0.1)])
# %% right="the chain rule" buys="each factor has a name: weights, how far they move, what that does to the guess"
def bandwidth_slope(keys, values, bandwidth):
    points = keys.reshape(len(keys), -1)
    squares = ((points[:, None] - points) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    np.fill_diagonal(scores, -np.inf)
    weights = softmax(scores)
    mean = (weights * squares).sum(-1, keepdims=True)
    moved = weights * (squares - mean) / bandwidth**3
    return float(np.mean(2 * (weights @ values - values) * (moved @ values)))
# %% mistake="sign of the slope reversed" style="before minus after"
def bandwidth_slope(keys, values, bandwidth):
    before, after = (leave_one_out_error(keys, values, bandwidth + s) for s in (-1e-5, 1e-5))
    return (before - after) / 2e-5
# %% mistake="difference not divided by the step" style="a small step"
def bandwidth_slope(keys, values, bandwidth):
    before, after = (leave_one_out_error(keys, values, bandwidth + s) for s in (-1e-5, 1e-5))
    return after - before
# %% mistake="divided by half the step" style="by one step of two"
def bandwidth_slope(keys, values, bandwidth):
    e = 1e-5
    return (leave_one_out_error(keys, values, bandwidth + e) - leave_one_out_error(keys, values, bandwidth - e)) / e
# %% mistake="the step too wide" style="one more"
def bandwidth_slope(keys, values, bandwidth):
    return leave_one_out_error(keys, values, bandwidth + 1) - leave_one_out_error(keys, values, bandwidth)
# %% mistake="the step too wide" style="a tenth to either side"
def bandwidth_slope(keys, values, bandwidth):
    after, before = [leave_one_out_error(keys, values, h) for h in (bandwidth + 0.1, bandwidth - 0.1)]
    return (after - before) / 0.2
# %% mistake="error instead of its slope" style="the error"
def bandwidth_slope(keys, values, bandwidth):
    return float(leave_one_out_error(keys, values, bandwidth))
# %% mistake="sample not left out" style="everybody predicts themselves"
def bandwidth_slope(keys, values, bandwidth):
    def error(h):
        return np.mean((kernel_regression(keys, keys, values, h) - values) ** 2)
    return (error(bandwidth + 1e-5) - error(bandwidth - 1e-5)) / 2e-5
# %% unlisted="no slope at all"
def bandwidth_slope(keys, values, bandwidth):
    return 0.0
# %% unlisted="the size of the slope, without its sign"
def bandwidth_slope(keys, values, bandwidth):
    before, after = (leave_one_out_error(keys, values, bandwidth + s) for s in (-1e-5, 1e-5))
    return abs(after - before) / 2e-5
# %% unlisted="half of it"
def bandwidth_slope(keys, values, bandwidth):
    e = 1e-5
    return (leave_one_out_error(keys, values, bandwidth + e) - leave_one_out_error(keys, values, bandwidth - e)) / (4 * e)
# %% unlisted="along the squared bandwidth"
def bandwidth_slope(keys, values, bandwidth):
    square = bandwidth**2
    upper, lower = (leave_one_out_error(keys, values, (square + s) ** 0.5) for s in (1e-5, -1e-5))
    return (upper - lower) / 2e-5
