# %% crosses="of each mistake"
# mean squared instead of squares averaged -> the lesson's three; the best one; works for; works on
# all kernel values underflow -> the best one; works on the; a sample far
# writes into its input -> leaves its inputs

# %% what_if="All values are the same number. Which of the candidates is best?" because="The weighted mean of equal values is that value, whatever the weights are. So all errors are 0 up to rounding, and no candidate is better than another."
keys, values = np.array([0.0, 1.0, 3.0]), np.full(3, 7.0)
print([leave_one_out_error(keys, values, h) < 1e-20 for h in (0.5, 1.0, 5.0)])
# %% right="pairs of error and candidate" buys="no key function: tuples are compared by their first entry"
def best_bandwidth(keys, values, candidates):
    return min((leave_one_out_error(keys, values, bandwidth=h), h) for h in candidates)[1]
# %% right="the best so far" row="loops" buys="one pass, one error at a time, and the first of equals wins"
def best_bandwidth(keys, values, candidates):
    best, least = candidates[0], float("inf")
    for candidate in candidates:
        error = leave_one_out_error(keys, values, candidate)
        if error < least:
            best, least = candidate, error
    return np.float64(best)
# %% right="all bandwidths at once" row="einsum" buys="distances are computed once for all candidates"
def best_bandwidth(keys, values, candidates):
    k, h = keys.reshape(len(keys), -1), np.asarray(candidates, dtype=float)
    d2 = ((k[:, None] - k) ** 2).sum(-1)
    np.fill_diagonal(d2, np.inf)
    w = softmax(-d2 / (2 * h[:, None, None] ** 2), axis=-1)
    guesses = np.einsum("hij,j...->hi...", w, values)
    errors = ((guesses - values) ** 2).reshape(len(h), -1).mean(axis=1)
    return h[errors.argmin()]
# %% mistake="sample not left out, or the smallest candidate taken" style="training error in a loop"
def best_bandwidth(keys, values, candidates):
    best, best_error = None, np.inf
    for h in candidates:
        prediction = gaussian_weights(keys, keys, h) @ values
        error = ((prediction - values) ** 2).sum()
        if error < best_error:
            best, best_error = h, error
    return best
# %% mistake="mean squared instead of squares averaged" style="own leave-one-out, signed"
def best_bandwidth(keys, values, candidates):
    best, least = None, np.inf
    for h in candidates:
        total = 0
        for i in range(len(keys)):
            guess = kernel_regression(keys[i : i + 1], np.delete(keys, i, 0), np.delete(values, i, 0), h)
            total += np.sum(guess[0] - values[i])
        if abs(total) < least:
            best, least = h, abs(total)
    return best
# %% mistake="largest candidate taken" style="max of the candidates"
def best_bandwidth(keys, values, candidates):
    errors = {h: leave_one_out_error(keys, values, h) for h in candidates}
    return max(errors)
# %% mistake="worst candidate instead of the best" style="sorted the wrong way"
def best_bandwidth(keys, values, candidates):
    return sorted(candidates, key=lambda h: leave_one_out_error(keys, values, h), reverse=True)[0]
# %% mistake="position instead of the bandwidth" style="argmin itself"
def best_bandwidth(keys, values, candidates):
    return int(np.argmin([leave_one_out_error(keys, values, h) for h in candidates]))
# %% mistake="error instead of the bandwidth" style="the error itself"
def best_bandwidth(keys, values, candidates):
    return min(leave_one_out_error(keys, values, h) for h in candidates)
# %% mistake="depends on the order of the candidates" style="compares with the one before, not with the best"
def best_bandwidth(keys, values, candidates):
    best, last = candidates[0], float("inf")
    for h in candidates:
        error = leave_one_out_error(keys, values, h)
        if error < last:
            best = h
        last = error
    return best
# %% mistake="depends on the order of the candidates" style="sorts the candidates but not the errors"
def best_bandwidth(keys, values, candidates):
    errors = [leave_one_out_error(keys, values, h) for h in candidates]
    ordered = np.sort(candidates)
    return ordered[np.argmin(errors)]
# %% mistake="depends on the order of the candidates" style="the smallest so far never updated"
def best_bandwidth(keys, values, candidates):
    best, smallest = candidates[0], leave_one_out_error(keys, values, candidates[0])
    for h in candidates[1:]:
        if leave_one_out_error(keys, values, h) < smallest:
            best = h
    return best
# %% mistake="depends on the order of the candidates" style="returns inside the loop"
def best_bandwidth(keys, values, candidates):
    least = np.inf
    for h in candidates:
        if leave_one_out_error(keys, values, h) < least:
            least = leave_one_out_error(keys, values, h)
            return h
# %% mistake="all kernel values underflow" style="quotients that underflow, then argmin"
def best_bandwidth(keys, values, candidates):
    def error(h):
        k = keys.reshape(len(keys), -1)
        kernel = np.exp(-((k[:, None] - k) ** 2).sum(-1) / (2 * h**2))
        np.fill_diagonal(kernel, 0)
        guesses = (kernel / kernel.sum(axis=1, keepdims=True)) @ values
        return np.mean((guesses - values) ** 2)
    return candidates[np.argmin([error(h) for h in candidates])]
# %% mistake="writes into its input" style="candidates sorted in place"
def best_bandwidth(keys, values, candidates):
    candidates.sort()
    return min(candidates, key=lambda h: leave_one_out_error(keys, values, h))
# %% unlisted="the loop starts at 1"
def best_bandwidth(keys, values, candidates):
    errors = [np.inf] * len(candidates)
    for i in range(1, len(candidates)):
        errors[i] = leave_one_out_error(keys, values, candidates[i])
    return candidates[errors.index(min(errors))]
# %% unlisted="the last candidate is never tried"
def best_bandwidth(keys, values, candidates):
    tried = list(candidates[:-1]) or list(candidates)
    return min(tried, key=lambda h: leave_one_out_error(keys, values, h))
# %% unlisted="halves of the data instead of leaving one out"
def best_bandwidth(keys, values, candidates):
    half = len(keys) // 2
    def error(h):
        guess = kernel_regression(keys[half:], keys[:half], values[:half], h)
        return np.mean((guess - values[half:]) ** 2)
    return min(candidates, key=error)
# %% unlisted="first value column decides"
def best_bandwidth(keys, values, candidates):
    v = values if values.ndim == 1 else values[:, 0]
    return min(candidates, key=lambda h: leave_one_out_error(keys, v, h))
# %% [markdown]
# ## Clumsy halves
# %% unlisted="leave_one_out misspelt"
def best_bandwidth(keys, values, candidates):
    return min(candidates, key=lambda h: leave_one_out(keys, values, h))
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="sorted tuples"
def best_bandwidth(keys, values, candidates):
    ranked = sorted((leave_one_out_error(keys, values, h), float(h)) for h in candidates)
    (_, winner), *_ = ranked
    return winner
# %% unlisted="stops at the first rise of the error" true="depends on the order of the candidates"
def best_bandwidth(keys, values, candidates):
    best_error = 100
    best = None
    for c in candidates:
        e = leave_one_out_error(keys, values, c)
        if e < best_error:
            best_error = e
            best = c
        else:
            break
    return best
