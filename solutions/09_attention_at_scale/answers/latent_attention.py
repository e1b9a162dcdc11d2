# %% crosses="of each mistake"
# keys and values exchanged -> an output for
# queries compared with the latent vectors -> one head: softmax

# %% what_if="There are 16 heads of 32 numbers, and latent vectors of 64 numbers. How many numbers are kept of each word, with latent vectors and without?" because="Without latent vectors a key and a value are kept for each head, 2 · 16 · 32. With them one vector is kept, and all heads read it."
print(2 * 16 * 32, 64)
# %% right="einsum, three factors at a time" row="einsum" buys="each axis has a name, and no transpose is needed"
def latent_attention(Q, C, W_k, W_v):
    q = np.einsum("hmd,hrd->hmr", Q, W_k)
    s = np.einsum("hmr,nr->hmn", q, C) / np.sqrt(Q.shape[2])
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    return np.einsum("hmr,hrv->hmv", np.einsum("hmn,nr->hmr", w, C), W_v)
# %% right="head by head" row="loops" buys="one head's keys are made, used and thrown away: memory for one head instead of all"
def latent_attention(Q, C, W_k, W_v):
    outputs = []
    for q, to_k, to_v in zip(Q, W_k, W_v):
        s = q @ (C @ to_k).T / q.shape[-1] ** 0.5
        e = np.exp(s - s.max(1, keepdims=True))
        outputs.append(e @ (C @ to_v) / e.sum(1, keepdims=True))
    return np.stack(outputs)
# %% right="scipy's softmax" buys="the softmax of a library"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    return softmax(Q @ np.transpose(W_k, (0, 2, 1)) @ C.T * Q.shape[-1] ** -0.5, axis=-1) @ C @ W_v
# %% right="in torch, float32" row="float32"
def latent_attention(Q, C, W_k, W_v):
    Q, C, W_k, W_v = (torch.as_tensor(x, dtype=torch.float32) for x in (Q, C, W_k, W_v))
    scores = (Q @ W_k.mT) @ C.mT / math.sqrt(Q.shape[-1])
    return (scores.softmax(-1) @ C @ W_v).numpy()
# %% right="SDPA on the latent vectors, scaled by hand" buys="the library's attention over the latent vectors, once the queries are in their space"
def latent_attention(Q, C, W_k, W_v):
    q, c = torch.tensor(Q @ W_k.swapaxes(-1, -2)), torch.tensor(C)
    mixed = functional.scaled_dot_product_attention(q, c.expand(len(q), -1, -1), c.expand(len(q), -1, -1), scale=Q.shape[-1] ** -0.5)
    return mixed.numpy() @ W_v
# %% right="query by query"
def latent_attention(Q, C, W_k, W_v):
    h, m, d = Q.shape
    out = np.empty((h, m, W_v.shape[2]))
    for i in range(h):
        for j in range(m):
            s = C @ (W_k[i] @ Q[i, j]) / math.sqrt(d)
            e = np.exp(s - max(s))
            out[i, j] = (e / e.sum()) @ C @ W_v[i]
    return out
# %% mistake="keys and values of all heads made first" style="einsum"
def latent_attention(Q, C, W_k, W_v):
    K, V = np.einsum("nr,hrd->hnd", C, W_k), np.einsum("nr,hrv->hnv", C, W_v)
    s = np.einsum("hmd,hnd->hmn", Q, K) / np.sqrt(Q.shape[2])
    w = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("hmn,hnv->hmv", w / w.sum(-1, keepdims=True), V)
# %% mistake="keys and values of all heads made first" style="torch, SDPA"
def latent_attention(Q, C, W_k, W_v):
    Q, C, W_k, W_v = map(torch.as_tensor, (Q, C, W_k, W_v))
    return functional.scaled_dot_product_attention(Q[None], (C @ W_k)[None], (C @ W_v)[None])[0].numpy()
# %% mistake="keys and values of all heads made first" style="the values alone"
def latent_attention(Q, C, W_k, W_v):
    s = Q @ W_k.transpose(0, 2, 1) @ C.T / np.sqrt(Q.shape[2])
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ np.matmul(C, W_v)
# %% mistake="reshaped instead of transposed" style="reshape"
def latent_attention(Q, C, W_k, W_v):
    h, r, d = W_k.shape
    s = Q @ W_k.reshape(h, d, r) @ C.T / np.sqrt(d)
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ C @ W_v
# %% mistake="one head's matrices for all heads" style="index 0"
def latent_attention(Q, C, W_k, W_v):
    s = Q @ W_k[0].T @ C.T / np.sqrt(Q.shape[2])
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ C @ W_v[0]
# %% mistake="heads in another order" style="reversed"
def latent_attention(Q, C, W_k, W_v):
    out = []
    for i in range(len(Q)):
        j = len(Q) - 1 - i
        s = Q[i] @ W_k[j].T @ C.T / np.sqrt(Q.shape[2])
        w = np.exp(s - s.max(-1, keepdims=True))
        out.append(w / w.sum(-1, keepdims=True) @ C @ W_v[j])
    return np.array(out)
# %% mistake="values made with the keys' matrix" style="W_k twice"
def latent_attention(Q, C, W_k, W_v):
    s = Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2])
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ C @ W_k
# %% mistake="no values made of the latent vectors" style="C mixed"
def latent_attention(Q, C, W_k, W_v):
    s = Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2])
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ C
# %% mistake="not divided by √d" style="bare"
def latent_attention(Q, C, W_k, W_v):
    s = Q @ W_k.swapaxes(1, 2) @ C.T
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ C @ W_v
# %% mistake="divided by the wrong power of d" style="d"
def latent_attention(Q, C, W_k, W_v):
    s = Q @ W_k.swapaxes(1, 2) @ C.T / W_k.shape[2]
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ C @ W_v
# %% mistake="divided by the root of the wrong length" style="√r"
def latent_attention(Q, C, W_k, W_v):
    q = Q @ W_k.swapaxes(1, 2)
    s = q @ C.T / math.sqrt(q.shape[-1])
    w = np.exp(s - s.max(-1, keepdims=True))
    return w / w.sum(-1, keepdims=True) @ C @ W_v
# %% mistake="softmax over the queries" style="axis 1"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    return softmax(Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2]), axis=1) @ C @ W_v
# %% mistake="softmax over the heads" style="axis 0"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    return softmax(Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2]), axis=0) @ C @ W_v
# %% mistake="softmax over the whole matrix" style="no axis"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    return softmax(Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2])) @ C @ W_v
# %% mistake="no shift by the maximum" style="exp over its sum"
def latent_attention(Q, C, W_k, W_v):
    e = np.exp(Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2]))
    return e / e.sum(-1, keepdims=True) @ C @ W_v
# %% mistake="no normaliser" style="exp alone"
def latent_attention(Q, C, W_k, W_v):
    s = Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2])
    return np.exp(s - s.max(-1, keepdims=True)) @ C @ W_v
# %% mistake="keys and values exchanged" style="W_v first"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    return softmax(Q @ W_v.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2]), axis=-1) @ C @ W_k
# %% mistake="heads added up or averaged" style="mean"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    return (softmax(Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2]), axis=-1) @ C @ W_v).mean(0)
# %% mistake="writes into its input" style="queries scaled in place"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    Q *= Q.shape[2] ** -0.5
    return softmax(Q @ W_k.swapaxes(1, 2) @ C.T, axis=-1) @ C @ W_v
# %% unlisted="a uniform mean"
def latent_attention(Q, C, W_k, W_v):
    return np.repeat((C.mean(0) @ W_v)[:, None], Q.shape[1], axis=1)
# %% unlisted="queries not divided into heads"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    q = Q.mean(0)
    return softmax(q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2]), axis=-1) @ C @ W_v
# %% mistake="queries compared with the latent vectors" style="W_k left out"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    return softmax(Q @ C.T / np.sqrt(Q.shape[2]), axis=-1) @ C @ W_v
# %% mistake="one maximum for all rows" style="scores.max()"
def latent_attention(Q, C, W_k, W_v):
    s = Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2])
    e = np.exp(s - s.max())
    return e / e.sum(-1, keepdims=True) @ C @ W_v
# %% mistake="causal mask added" style="np.tri"
def latent_attention(Q, C, W_k, W_v):
    from scipy.special import softmax
    s = Q @ W_k.swapaxes(1, 2) @ C.T / np.sqrt(Q.shape[2])
    return softmax(np.where(np.tri(*s.shape[1:]) > 0, s, -np.inf), axis=-1) @ C @ W_v
