# %% what_if="Give every sentence of the batch the same values. Which of the three axes of the values could you leave out?" because="You could leave out the batch axis. A matrix of values is broadcast to every sentence, so the sums are the same."
rng = np.random.default_rng(0)
weights, one = rng.random((2, 3, 4)), rng.random((4, 5))
print(np.allclose(batched_sums(weights, np.stack([one, one])), weights @ one))
# %% right="matmul" buys="@ takes the first axis as a batch: one matrix product for each sentence"
def batched_sums(weights, values):
    return weights @ values
# %% right="einsum, other letters"
def batched_sums(weights, values):
    return np.einsum("ijk,ikl->ijl", weights, values)
# %% right="loop" buys="with loops, to compare: easy to check by hand, one product at a time"
def batched_sums(weights, values):
    return [[w @ v for w in rows] for rows, v in zip(weights, values)]
# %% mistake="queries and keys swapped" style="letters swapped"
def batched_sums(weights, values):
    return np.einsum("bkq,bkd->bqd", weights, values)
# %% mistake="queries and keys swapped" style="transposed"
def batched_sums(weights, values):
    return weights.transpose(0, 2, 1) @ values
# %% mistake="sentences of a batch mixed" style="a letter of its own"
def batched_sums(weights, values):
    return np.einsum("bqk,ckd->bqd", weights, values)
# %% unlisted="added up over the sentences too"
def batched_sums(weights, values):
    return np.einsum("bqk,bkd->qd", weights, values)
# %% unlisted="divided by the keys"
def batched_sums(weights, values):
    return weights @ values / values.shape[1]
# %% mistake="plain mean instead of weights" style="weights alike"
def batched_sums(weights, values):
    return np.full(weights.shape, 1 / weights.shape[-1]) @ values
