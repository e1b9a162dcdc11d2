# %% crosses="of each mistake"
# sign of the slope reversed -> the slope for predicted numbers
# difference not divided by the step -> the slope for predicted numbers
# error instead of its slope -> the slope for predicted numbers
# sample not left out -> the slope for predicted numbers

# %% right="the chain rule"
def bandwidth_slope(keys, values, bandwidth):
    points = keys.reshape(len(keys), -1)
    squares = ((points[:, None] - points) ** 2).sum(-1)
    scores = -squares / (2 * bandwidth**2)
    np.fill_diagonal(scores, -np.inf)
    weights = softmax(scores)
    mean = (weights * squares).sum(-1, keepdims=True)
    moved = weights * (squares - mean) / bandwidth**3
    return float(np.mean(2 * (weights @ values - values) * (moved @ values)))
# %% right="PyTorch's gradient"
def bandwidth_slope(keys, values, bandwidth):
    import torch
    x, y = torch.tensor(keys).reshape(len(keys), -1), torch.tensor(values)
    h = torch.tensor(float(bandwidth), dtype=torch.float64, requires_grad=True)
    scores = -((x[:, None] - x) ** 2).sum(-1) / (2 * h**2)
    scores = scores.masked_fill(torch.eye(len(x), dtype=torch.bool), -torch.inf)
    ((scores.softmax(-1) @ y - y) ** 2).mean().backward()
    return h.grad.item()
# %% right="one side, a tiny step"
def bandwidth_slope(keys, values, bandwidth):
    before = leave_one_out_error(keys, values, bandwidth)
    return (leave_one_out_error(keys, values, bandwidth + 1e-6) - before) / 1e-6
# %% mistake="sign of the slope reversed" style="before minus after"
def bandwidth_slope(keys, values, bandwidth):
    before, after = (leave_one_out_error(keys, values, bandwidth + s) for s in (-1e-5, 1e-5))
    return (before - after) / 2e-5
# %% mistake="sign of the slope reversed" style="downhill"
def bandwidth_slope(keys, values, bandwidth):
    here = leave_one_out_error(keys, values, bandwidth)
    return (here - leave_one_out_error(keys, values, bandwidth + 1e-6)) / 1e-6
# %% mistake="difference not divided by the step" style="by one step of two"
def bandwidth_slope(keys, values, bandwidth):
    e = 1e-5
    return (leave_one_out_error(keys, values, bandwidth + e) - leave_one_out_error(keys, values, bandwidth - e)) / e
# %% mistake="difference not divided by the step" style="a gradient of indices"
def bandwidth_slope(keys, values, bandwidth):
    stops = bandwidth + np.array([-1e-4, 0, 1e-4])
    return np.gradient([leave_one_out_error(keys, values, h) for h in stops])[1] / 5e-5
# %% mistake="error instead of its slope" style="the error"
def bandwidth_slope(keys, values, bandwidth):
    return float(leave_one_out_error(keys, values, bandwidth))
# %% mistake="error instead of its slope" style="a loop over the people"
def bandwidth_slope(keys, values, bandwidth):
    total = 0
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        total += np.mean((kernel_regression(keys[[i]], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
    return total / len(keys)
# %% mistake="sample not left out" style="everybody predicts themselves"
def bandwidth_slope(keys, values, bandwidth):
    def error(h):
        return np.mean((kernel_regression(keys, keys, values, h) - values) ** 2)
    return (error(bandwidth + 1e-5) - error(bandwidth - 1e-5)) / 2e-5
# %% mistake="sample not left out" style="PyTorch, the diagonal kept"
def bandwidth_slope(keys, values, bandwidth):
    import torch
    x, y = torch.tensor(keys).reshape(len(keys), -1), torch.tensor(values)
    h = torch.tensor(float(bandwidth), dtype=torch.float64, requires_grad=True)
    scores = -((x[:, None] - x) ** 2).sum(-1) / (2 * h**2)
    ((scores.softmax(-1) @ y - y) ** 2).mean().backward()
    return float(h.grad)
# %% unlisted="half of it"
def bandwidth_slope(keys, values, bandwidth):
    e = 1e-5
    return (leave_one_out_error(keys, values, bandwidth + e) - leave_one_out_error(keys, values, bandwidth - e)) / (4 * e)
# %% unlisted="along the squared bandwidth"
def bandwidth_slope(keys, values, bandwidth):
    square = bandwidth**2
    upper, lower = (leave_one_out_error(keys, values, (square + s) ** 0.5) for s in (1e-5, -1e-5))
    return (upper - lower) / 2e-5
# %% unlisted="the sign alone"
def bandwidth_slope(keys, values, bandwidth):
    e = 1e-5
    return np.sign(leave_one_out_error(keys, values, bandwidth + e) - leave_one_out_error(keys, values, bandwidth - e))
