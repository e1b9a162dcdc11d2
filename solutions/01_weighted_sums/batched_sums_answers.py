# %% crosses="of each mistake"
# queries and keys swapped -> a row for; the weighted sums
# sentences of a batch mixed -> the weighted sums

# %% right="einsum"
def batched_sums(weights, values):
    return np.einsum("ijk,ikl->ijl", weights, values)
# %% right="loop"
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
