# %% crosses="of each mistake"
# keys in the values' place -> the lesson's three; the mean squared; the mean over; one number
# overwritten instead of added up -> the lesson's three; the mean squared; the mean over
# inside the loop instead of below it -> the lesson's three; the mean squared; the mean over
# one maximum for all rows ->
# minus sign missing -> the lesson's three
# writes into its input -> leaves its inputs

# %% what_if="A sample is listed twice, key and value alike. What does that do to the error at a tiny bandwidth?" because="Each of the two is predicted exactly by the other one. So the error falls although nothing was learned. Look for repeated samples before you believe such a number."
keys, values = np.array([0.0, 1.0, 2.0]), np.array([1.0, 5.0, 2.0])
print(round(leave_one_out_error(keys, values, 0.1), 3))
print(round(leave_one_out_error(np.append(keys, 1.0), np.append(values, 5.0), 0.1), 3))
# %% right="np.delete and kernel_regression" row="loops" buys="it says what it does: take one away, predict it, measure"
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        guess = kernel_regression(keys[i:i + 1], np.delete(keys, i, axis=0), np.delete(values, i, axis=0), bandwidth)
        errors.append((guess[0] - values[i]) ** 2)
    return np.mean(errors)
# %% right="infinite distance to oneself" row="cdist" buys="one softmax for all samples: who is infinitely far away gets no weight"
from scipy.spatial.distance import cdist
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    d2 = cdist(k, k, "sqeuclidean")
    np.fill_diagonal(d2, np.inf)
    residuals = softmax(-d2 / (2 * bandwidth ** 2), axis=1) @ values - values
    return np.mean(residuals ** 2)
# %% right="the linear smoother's shortcut, where it is exact"
def leave_one_out_error(keys, values, bandwidth):
    n = len(keys)
    k = keys.reshape(n, -1)
    s = -((k[:, None] - k) ** 2).sum(-1) / (2 * bandwidth ** 2)
    off = ~np.eye(n, dtype=bool)
    s = s[off].reshape(n, n - 1)
    w = np.exp(s - s.max(axis=1, keepdims=True))
    w /= w.sum(axis=1, keepdims=True)
    full = np.zeros((n, n))
    full[off] = w.ravel()
    return float(((values - full @ values) ** 2).mean())
# %% right="lists and a counter" row="loops" buys="it shows what the mean is taken over: every number of every value"
def leave_one_out_error(keys, values, bandwidth):
    total = count = 0
    for i in range(len(keys)):
        other_keys = np.array([k for j, k in enumerate(keys) if j != i])
        other_values = np.array([v for j, v in enumerate(values) if j != i])
        guess = kernel_regression(np.array([keys[i]]), other_keys, other_values, bandwidth)
        for a, b in zip(np.ravel(guess[0]), np.ravel(values[i])):
            total += float(a - b) ** 2
            count += 1
    return total / count
# %% right="single precision, concatenated slices" row="float32"
def leave_one_out_error(keys, values, bandwidth):
    keys, values = np.float32(keys), np.float32(values)
    guesses = [
        kernel_regression(keys[i][None], np.concatenate([keys[:i], keys[i + 1:]]),
                          np.concatenate([values[:i], values[i + 1:]]), bandwidth)
        for i in range(len(keys))
    ]
    return np.square(np.concatenate(guesses) - values).mean()
# %% mistake="sample not left out" style="the loop forgets to leave one out"
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        prediction = kernel_regression(keys[i:i+1], keys, values, bandwidth)
        errors.append(np.mean((prediction - values[i]) ** 2))
    return np.mean(errors)
# %% mistake="masked after the softmax" style="own weight set to zero"
def leave_one_out_error(keys, values, bandwidth):
    weights = gaussian_weights(keys, keys, bandwidth)
    np.fill_diagonal(weights, 0)
    return np.mean((weights @ values - values) ** 2)
# %% mistake="masked score not low enough" style="own score of minus ten"
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    s = -((k[:, None] - k) ** 2).sum(-1) / (2 * bandwidth ** 2)
    s[np.arange(len(k)), np.arange(len(k))] = -10.0
    return np.mean((softmax(s, axis=1) @ values - values) ** 2)
# %% mistake="masked score not low enough" style="own score of minus a thousand"
from scipy.spatial.distance import cdist
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    s = -cdist(k, k, "sqeuclidean") / (2 * bandwidth ** 2)
    np.fill_diagonal(s, -1000)
    return np.mean((softmax(s, axis=1) @ values - values) ** 2)
# %% mistake="zero times infinity" style="identity times infinity"
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    d2 = ((k[:, None] - k) ** 2).sum(-1)
    d2 = d2 + np.eye(len(k)) * np.inf
    return np.mean((softmax(-d2 / (2 * bandwidth**2), axis=1) @ values - values) ** 2)
# %% mistake="squares added up instead of averaged" style="squares added up"
def leave_one_out_error(keys, values, bandwidth):
    total = 0.0
    for i in range(len(keys)):
        mask = np.arange(len(keys)) != i
        guess = kernel_regression(keys[~mask], keys[mask], values[mask], bandwidth)[0]
        total += np.sum((guess - values[i]) ** 2)
    return total
# %% mistake="squares added up instead of averaged" style="squared length of each residual, averaged over samples"
def leave_one_out_error(keys, values, bandwidth):
    total = 0.0
    for i in range(len(keys)):
        guess = kernel_regression(keys[i:i+1], np.delete(keys, i, 0), np.delete(values, i, 0), bandwidth)[0]
        total += np.linalg.norm(guess - values[i]) ** 2
    return total / len(keys)
# %% mistake="errors not squared" style="mean absolute error"
def leave_one_out_error(keys, values, bandwidth):
    guesses = np.array([
        kernel_regression(keys[i:i+1], np.delete(keys, i, 0), np.delete(values, i, 0), bandwidth)[0]
        for i in range(len(keys))
    ])
    return np.abs(guesses - values).mean()
# %% mistake="root of the mean squared error" style="root of the mean"
def leave_one_out_error(keys, values, bandwidth):
    squares = []
    for i in range(len(keys)):
        rest = [j for j in range(len(keys)) if j != i]
        squares.append((kernel_regression(keys[[i]], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
    return np.sqrt(np.mean(squares))
# %% mistake="several errors instead of one number" style="an error for each column" of="root of the mean"
# -     return np.sqrt(np.mean(squares))
# +     return np.mean(squares, axis=0)
# %% mistake="several errors instead of one number" style="a list of errors, one a sample"
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        guess = kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0]
        errors.append(float(np.mean((guess - values[i]) ** 2)))
    return errors
# %% mistake="mean squared instead of squares averaged" style="brackets closed too soon"
def leave_one_out_error(keys, values, bandwidth):
    residuals = []
    for i in range(len(keys)):
        rest = [j for j in range(len(keys)) if j != i]
        residuals.append(kernel_regression(keys[[i]], keys[rest], values[rest], bandwidth)[0] - values[i])
    return np.mean(residuals) ** 2
# %% mistake="squares divided by another number than theirs" style="n minus one" of="root of the mean"
# -     return np.sqrt(np.mean(squares))
# +     return np.sum(squares) / (np.size(squares) - 1)
# %% mistake="squares divided by another number than theirs" style="half of the mean" of="root of the mean"
# -     return np.sqrt(np.mean(squares))
# +     return 0.5 * np.mean(squares)
# %% mistake="bandwidth in the wrong place, or left out" style="bandwidth not handed on"
def leave_one_out_error(keys, values, bandwidth):
    squares = []
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        squares.append((kernel_regression(keys[i:i+1], keys[rest], values[rest])[0] - values[i]) ** 2)
    return np.mean(squares)
# %% mistake="all kernel values underflow" style="own kernel value removed, exp unshifted"
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    kernel = np.exp(-((k[:, None] - k) ** 2).sum(-1) / (2 * bandwidth ** 2))
    np.fill_diagonal(kernel, 0)
    guesses = kernel @ values / kernel.sum(axis=1).reshape(-1, *([1] * (values.ndim - 1)))
    return np.mean((guesses - values) ** 2)
# %% mistake="minus sign missing" style="own kernel with plus one half"
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    errors = []
    for i in range(len(k)):
        rest = np.arange(len(k)) != i
        d = k[rest] - k[i]
        w = softmax((d ** 2).sum(1) / (2 * bandwidth ** 2))
        errors.append((w @ values[rest] - values[i]) ** 2)
    return np.mean(errors)
# %% mistake="distance not squared or not halved" style="own kernel of plain distances" of="own kernel with plus one half"
# -         w = softmax((d ** 2).sum(1) / (2 * bandwidth ** 2))
# +         w = softmax(-np.linalg.norm(d, axis=1) / (2 * bandwidth ** 2))
# %% mistake="distance not squared or not halved" style="own kernel without one half" of="own kernel with plus one half"
# -         w = softmax((d ** 2).sum(1) / (2 * bandwidth ** 2))
# +         w = softmax(-(d ** 2).sum(1) / bandwidth ** 2)
# %% mistake="features not added up" style="own kernel, first coordinate alone" of="own kernel with plus one half"
# -         w = softmax((d ** 2).sum(1) / (2 * bandwidth ** 2))
# +         w = softmax(-(d[:, 0] ** 2) / (2 * bandwidth ** 2))
# %% mistake="differences added up before squaring" style="own kernel of summed differences" of="own kernel with plus one half"
# -         w = softmax((d ** 2).sum(1) / (2 * bandwidth ** 2))
# +         w = softmax(-d.sum(1) ** 2 / (2 * bandwidth ** 2))
# %% mistake="weights not normalised" style="own kernel, not divided by its sum" of="own kernel with plus one half"
# -         w = softmax((d ** 2).sum(1) / (2 * bandwidth ** 2))
# +         w = np.exp(-(d ** 2).sum(1) / (2 * bandwidth ** 2))
# %% mistake="exponential taken twice" style="own kernel, softmax of its values" of="own kernel with plus one half"
# -         w = softmax((d ** 2).sum(1) / (2 * bandwidth ** 2))
# +         w = softmax(np.exp(-(d ** 2).sum(1) / (2 * bandwidth ** 2)))
# %% mistake="one maximum for all rows" style="the nearest of all pairs as the shift"
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    d2 = ((k[:, None] - k) ** 2).sum(-1) * 1.0
    np.fill_diagonal(d2, np.inf)
    kernel = np.exp((d2.min() - d2) / (2 * bandwidth ** 2))
    w = kernel / kernel.sum(axis=1, keepdims=True)
    return np.mean((w @ values - values) ** 2)
# %% unlisted="queries and keys swapped" of="bandwidth not handed on"
# -         squares.append((kernel_regression(keys[i:i+1], keys[rest], values[rest])[0] - values[i]) ** 2)
# +         guess = kernel_regression(keys[rest], keys[i : i + 1], values[rest], bandwidth)[0]
# +         squares.append((guess - values[i]) ** 2)
# %% mistake="writes into its input" style="values centred in place"
def leave_one_out_error(keys, values, bandwidth):
    error = 0
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        guess = kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0]
        error += np.mean((guess - values[i]) ** 2) / len(keys)
    values[:] = 0
    return error
# %% mistake="keys in the values' place" style="the keys of the others twice"
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        rest = np.delete(keys, i, axis=0)
        guess = kernel_regression(keys[i : i + 1], rest, rest, bandwidth)[0]
        errors.append((guess - values[i]) ** 2)
    return float(np.mean(errors))
# %% mistake="keys in the values' place" style="compared with the key"
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        guess = kernel_regression(keys[[i]], keys[rest], values[rest], bandwidth)[0]
        errors.append((guess - keys[i]) ** 2)
    return float(np.mean(errors))
# %% mistake="overwritten instead of added up" style="the last sample's error"
def leave_one_out_error(keys, values, bandwidth):
    total = 0.0
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        total = np.mean((kernel_regression(keys[[i]], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
    return total / len(keys)
# %% mistake="inside the loop instead of below it" style="divided in every turn"
def leave_one_out_error(keys, values, bandwidth):
    total = 0.0
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        total += np.mean((kernel_regression(keys[[i]], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
        total /= len(keys)
    return total
# %% unlisted="zip over keys and values, returns after the first" true="only one sample left out"
def leave_one_out_error(keys, values, bandwidth):
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        guess = kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0]
        return np.mean((guess - values[i]) ** 2)
# %% unlisted="samples with equal keys left out together"
def leave_one_out_error(keys, values, bandwidth):
    k = keys.reshape(len(keys), -1)
    squares = []
    for i in range(len(k)):
        rest = (k != k[i]).any(axis=1)
        squares.append((kernel_regression(keys[i:i+1], keys[rest], values[rest], bandwidth)[0] - values[i]) ** 2)
    return np.mean(squares)
# %% unlisted="predictions stored as the values are, which may be whole numbers"
def leave_one_out_error(keys, values, bandwidth):
    p = np.zeros_like(values)
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        p[i] = kernel_regression(keys[[i]], keys[rest], values[rest], bandwidth)[0]
    return float(np.mean((p - values) ** 2))
# %% [markdown]
# ## Clumsy halves
# %% unlisted="np.delete without an axis"
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys)):
        p = kernel_regression(keys[i:i+1], np.delete(keys, i), np.delete(values, i), bandwidth)
        errors.append((p[0] - values[i]) ** 2)
    return np.mean(errors)
# %% mistake="only one sample left out" style="slices of the first"
def leave_one_out_error(keys, values, bandwidth):
    guess = kernel_regression(keys[:1], keys[1:], values[1:], bandwidth)
    return float(np.mean((guess - values[:1]) ** 2))
# %% mistake="only the samples on one side vote" style="slices behind each"
def leave_one_out_error(keys, values, bandwidth):
    errors = []
    for i in range(len(keys) - 1):
        guess = kernel_regression(keys[i : i + 1], keys[i + 1 :], values[i + 1 :], bandwidth)
        errors.append((guess - values[i : i + 1]) ** 2)
    return float(np.mean(errors))
# %% mistake="prediction compared with all values" style="no index on the values"
def leave_one_out_error(keys, values, bandwidth):
    total = 0
    for i in range(len(keys)):
        rest = np.arange(len(keys)) != i
        guess = kernel_regression(keys[i : i + 1], keys[rest], values[rest], bandwidth)
        total += np.mean((guess - values) ** 2)
    return float(total / len(keys))
