# %% crosses="of each mistake"
# queries and keys swapped -> a row for; the weighted sums
# sentences of a batch mixed -> the weighted sums

# %% right="einsum"
def batched_sums(weights, values):
    return np.einsum("ijk,ikl->ijl", weights, values)
# %% right="matrix product"
def batched_sums(weights, values):
    return weights @ values
# %% right="loop"
def batched_sums(weights, values):
    return [[w @ v for w in rows] for rows, v in zip(weights, values)]
# %% right="multiplied and added up"
def batched_sums(weights, values):
    return (weights[..., None] * values[:, None]).sum(axis=2)
# %% mistake="queries and keys swapped" style="letters swapped"
def batched_sums(weights, values):
    return np.einsum("bkq,bkd->bqd", weights, values)
# %% mistake="queries and keys swapped" style="transposed"
def batched_sums(weights, values):
    return weights.transpose(0, 2, 1) @ values
# %% mistake="sentences of a batch mixed" style="a letter of its own"
def batched_sums(weights, values):
    return np.einsum("bqk,ckd->bqd", weights, values)
# %% mistake="sentences of a batch mixed" style="all values together"
def batched_sums(weights, values):
    together = values.sum(axis=0)
    return np.array([rows @ together for rows in weights])
# %% unlisted="added up over the sentences too"
def batched_sums(weights, values):
    return np.einsum("bqk,bkd->qd", weights, values)
# %% unlisted="divided by the keys"
def batched_sums(weights, values):
    return weights @ values / values.shape[1]
# %% unlisted="the first sentence for all"
def batched_sums(weights, values):
    return weights @ values[0]
