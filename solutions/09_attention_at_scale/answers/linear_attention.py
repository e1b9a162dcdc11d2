# %% crosses="of each mistake"
# reads before it writes -> one word: its
# later words summed too -> several words: each
# no normaliser -> one word: its
# divided by the number of words -> one word: its
# later words in the normaliser -> several words: each
# the query left out of the normaliser -> one word: its
# values sent through the feature map -> one word: its
# no feature map -> several words: each
# feature map for one side only -> several words: each
# another feature map -> one word: its; several words: each
# scaled as in softmax attention -> several words: each
# state transposed -> 
# only the last word in the state -> several words: each
# a small number added to the sum, or put in its place -> features that are
# softmax attention -> several words: each
# a table of all pairs -> memory does not; time does not
# all earlier words read anew for each word -> time does not
# writes into its input -> time does not; leaves its inputs
# Q, K or V in the wrong place -> several words: each

# %% what_if="The text gets ten times as long. How does what has to be kept for the next word grow?" because="It does not: the state is d_k by d_v, however long the text. The price is that old words are added up and cannot be told apart again."
d_k, d_v = 16, 16
for n in (100, 1000):
    print(n, "words: state", d_k * d_v + d_k, "  keys and values", n * (d_k + d_v))
# %% right="cumulative sums of n outer products" row="a running sum of n outer products" buys="no loop; it pays with n states in memory instead of one"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    q, k = phi(Q), phi(K)
    states = np.cumsum(k[:, :, None] * V[:, None, :], axis=0)
    norms = np.cumsum(k, axis=0)
    return np.einsum("nk,nkv->nv", q, states) / np.einsum("nk,nk->n", q, norms)[:, None]
# %% right="chunks of 64 words" buys="products of whole blocks, as a graphics card wants them, and a state between them"
def linear_attention(Q, K, V):
    def phi(x):
        return np.piecewise(x.astype(float), [x > 0], [lambda y: y + 1, np.exp])
    q, k = phi(Q), phi(K)
    V1 = np.hstack([V, np.ones((len(V), 1))])
    state, out = np.zeros((K.shape[1], V1.shape[1])), []
    for i in range(0, len(q), 64):
        a, b, v = q[i:i + 64], k[i:i + 64], V1[i:i + 64]
        out.append(a @ state + np.tril(a @ b.T) @ v)
        state = state + b.T @ v
    out = np.concatenate(out)
    return out[:, :-1] / out[:, -1:]
# %% right="Python's own numbers" row="loops"
def linear_attention(Q, K, V):
    phi = lambda x: x + 1 if x > 0 else math.exp(x)
    d_k, d_v = K.shape[1], V.shape[1]
    S, z, rows = [[0.0] * d_v for _ in range(d_k)], [0.0] * d_k, []
    for q, k, v in zip(Q.tolist(), K.tolist(), V.tolist()):
        for i in range(d_k):
            f = phi(k[i])
            z[i] += f
            for j in range(d_v):
                S[i][j] += f * v[j]
        features = [phi(x) for x in q]
        below = sum(f * n for f, n in zip(features, z))
        rows.append([sum(f * s[j] for f, s in zip(features, S)) / below for j in range(d_v)])
    return np.array(rows)
# %% right="torch, float64" row="float64"
def linear_attention(Q, K, V):
    q, k = (functional.elu(torch.tensor(x, dtype=torch.float64)) + 1 for x in (Q, K))
    S = torch.cumsum(torch.einsum("nk,nv->nkv", k, torch.tensor(V)), 0)
    return ((q[:, None] @ S)[:, 0] / (q * k.cumsum(0)).sum(1, keepdim=True)).numpy()
# %% right="a state that knows its norm: a column of ones, written into an output" buys="numerator and denominator are one state"
def linear_attention(Q, K, V):
    n, d_v = V.shape
    out = np.empty((n, d_v))
    state = np.zeros((Q.shape[1], d_v + 1))
    for t in range(n):
        k = np.where(K[t] > 0, K[t] + 1, np.exp(K[t]))
        q = np.where(Q[t] > 0, Q[t] + 1, np.exp(Q[t]))
        state += k[:, None] * np.append(V[t], 1.0)
        read = q @ state
        out[t] = read[:-1] / read[-1]
    return out
# %% right="feature by feature" buys="φ as one sum, max(x, 0) + exp(min(x, 0)), and no state: one feature's sums at a time"
def linear_attention(Q, K, V):
    phi = lambda x: np.maximum(x, 0) + np.exp(np.minimum(x, 0))
    q, k = phi(Q), phi(K)
    top, below = np.zeros(V.shape), np.zeros((len(V), 1))
    for i in range(K.shape[1]):
        top += q[:, i:i + 1] * np.cumsum(k[:, i:i + 1] * V, axis=0)
        below += q[:, i:i + 1] * np.cumsum(k[:, i:i + 1], axis=0)
    return top / below
# %% mistake="reads before it writes" style="sums shifted by one"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    q, k = phi(Q), phi(K)
    S, z = np.cumsum(k[:, :, None] * V[:, None], axis=0), np.cumsum(k, axis=0)
    S, z = np.concatenate([0 * S[:1], S[:-1]]), np.concatenate([0 * z[:1], z[:-1]])
    return np.einsum("nk,nkv->nv", q, S) / (q * z).sum(1, keepdims=True)
# %% mistake="reads before it writes" style="zeros for the first word"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    S, z, out = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), np.zeros(V.shape)
    for t, (q, k, v) in enumerate(zip(phi(Q), phi(K), V)):
        if t:
            out[t] = q @ S / (q @ z)
        S += np.outer(k, v)
        z += k
    return out
# %% mistake="later words summed too" style="two sums"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    S, z = phi(K).T @ V, phi(K).sum(0)
    return np.array([q @ S / (q @ z) for q in phi(Q)])
# %% mistake="no normaliser" style="the loop"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    S, out = 0, []
    for q, k, v in zip(phi(Q), phi(K), V):
        S = S + np.outer(k, v)
        out.append(q @ S)
    return np.array(out)
# %% mistake="divided by the number of words" style="t + 1"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    sums = np.einsum("nk,nkv->nv", phi(Q), np.cumsum(phi(K)[:, :, None] * V[:, None], axis=0))
    return sums / np.arange(1, len(Q) + 1)[:, None]
# %% mistake="later words in the normaliser" style="the whole sum below"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    q, k = phi(Q), phi(K)
    S = np.cumsum(k[:, :, None] * V[:, None], axis=0)
    return np.einsum("nk,nkv->nv", q, S) / (q @ k.sum(0))[:, None]
# %% mistake="no feature map" style="bare sums in a loop"
def linear_attention(Q, K, V):
    S, z, out = 0, 0, []
    for q, k, v in zip(Q, K, V):
        S, z = S + np.outer(k, v), z + k
        out.append(q @ S / (q @ z))
    return np.array(out)
# %% mistake="feature map for one side only" style="keys alone"
def linear_attention(Q, K, V):
    k = np.where(K > 0, K + 1, np.exp(K))
    S = np.cumsum(k[:, :, None] * V[:, None], axis=0)
    return np.einsum("nk,nkv->nv", Q, S) / (Q * np.cumsum(k, 0)).sum(1, keepdims=True)
# %% mistake="another feature map" style="ReLU"
def linear_attention(Q, K, V):
    q, k = Q.clip(0), K.clip(0)
    S = np.cumsum(k[:, :, None] * V[:, None], axis=0)
    return np.einsum("nk,nkv->nv", q, S) / (q * np.cumsum(k, 0)).sum(1, keepdims=True)
# %% mistake="another feature map" style="exp everywhere"
def linear_attention(Q, K, V):
    q, k = np.exp(Q), np.exp(K)
    S = np.cumsum(k[:, :, None] * V[:, None], axis=0)
    return np.einsum("nk,nkv->nv", q, S) / (q * np.cumsum(k, 0)).sum(1, keepdims=True)
# %% mistake="another feature map" style="the library's elu, without 1"
def linear_attention(Q, K, V):
    q, k = (functional.elu(torch.tensor(x)).numpy() for x in (Q, K))
    S = np.cumsum(k[:, :, None] * V[:, None], axis=0)
    return np.einsum("nk,nkv->nv", q, S) / (q * np.cumsum(k, 0)).sum(1, keepdims=True)
# %% mistake="scaled as in softmax attention" style="queries over √d"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    q, k = phi(Q / np.sqrt(K.shape[1])), phi(K)
    S = np.cumsum(k[:, :, None] * V[:, None], axis=0)
    return np.einsum("nk,nkv->nv", q, S) / (q * np.cumsum(k, 0)).sum(1, keepdims=True)
# %% mistake="state transposed" style="outer of value and key"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    S, z, out = np.zeros((V.shape[1], K.shape[1])), np.zeros(K.shape[1]), []
    for q, k, v in zip(phi(Q), phi(K), V):
        S += np.outer(v, k)
        z += k
        out.append(q @ S / (q @ z))
    return np.array(out)
# %% mistake="state transposed" style="v[:, None] * k"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    S, z, out = 0, 0, []
    for q, k, v in zip(phi(Q), phi(K), V):
        S, z = S + v[:, None] * k, z + k
        out.append(np.dot(q, S) / np.dot(q, z))
    return np.stack(out)
# %% mistake="only the last word in the state" style="= for +="
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    out = []
    for q, k, v in zip(phi(Q), phi(K), V):
        S = np.outer(k, v)
        z = k
        out.append(q @ S / (q @ z))
    return np.array(out)
# %% mistake="a small number added to the sum, or put in its place" style="1e-6"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    q, k = phi(Q), phi(K)
    S = np.cumsum(k[:, :, None] * V[:, None], axis=0)
    return np.einsum("nk,nkv->nv", q, S) / ((q * np.cumsum(k, 0)).sum(1, keepdims=True) + 1e-6)
# %% mistake="softmax attention" style="scipy"
def linear_attention(Q, K, V):
    from scipy.special import softmax
    s = np.where(np.tri(len(Q)) > 0, Q @ K.T / np.sqrt(K.shape[1]), -np.inf)
    return softmax(s, axis=1) @ V
# %% mistake="a table of all pairs" style="masked, einsum"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    w = np.einsum("qd,kd->qk", phi(Q), phi(K)) * np.tri(len(Q))
    return w @ V / w.sum(1)[:, None]
# %% mistake="a table of all pairs" style="torch"
def linear_attention(Q, K, V):
    q, k = (functional.elu(torch.from_numpy(x)) + 1 for x in (Q, K))
    w = (q @ k.T).tril()
    return (w @ torch.from_numpy(V) / w.sum(1, keepdim=True)).numpy()
# %% mistake="all earlier words read anew for each word" style="sums from the start"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    q, k = phi(Q), phi(K)
    return np.array([q[t] @ (k[:t + 1].T @ V[:t + 1]) / (q[t] @ k[:t + 1].sum(0)) for t in range(len(q))])
# %% mistake="all earlier words read anew for each word" style="one product a word"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    q, k, V1 = phi(Q), phi(K), np.hstack([V, np.ones((len(V), 1))])
    read = np.stack([q[t] @ k[:t + 1].T @ V1[:t + 1] for t in range(len(q))])
    return read[:, :-1] / read[:, -1:]
# %% mistake="writes into its input" style="features in place"
def linear_attention(Q, K, V):
    for X in (Q, K):
        above = X > 0
        X[above] += 1
        X[~above] = np.exp(X[~above])
    S = np.cumsum(K[:, :, None] * V[:, None], axis=0)
    return np.einsum("nk,nkv->nv", Q, S) / (Q * np.cumsum(K, 0)).sum(1, keepdims=True)
# %% unlisted="return inside the loop" true="return inside the loop"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    S, z, out = 0, 0, []
    for q, k, v in zip(phi(Q), phi(K), V):
        S, z = S + np.outer(k, v), z + k
        out.append(q @ S / (q @ z))
        return np.array(out)
# %% unlisted="forgets a little at each word"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    S, z, out = 0, 0, []
    for q, k, v in zip(phi(Q), phi(K), V):
        S, z = 0.99 * S + np.outer(k, v), 0.99 * z + k
        out.append(q @ S / (q @ z))
    return np.array(out)
# %% unlisted="mean of the values so far"
def linear_attention(Q, K, V):
    return np.cumsum(V, axis=0) / np.arange(1, len(V) + 1)[:, None]
# %% mistake="the query left out of the normaliser" style="z.sum()"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    S, z, out = 0, 0, []
    for q, k, v in zip(phi(Q), phi(K), V):
        S, z = S + np.outer(k, v), z + k
        out.append(q @ S / z.sum())
    return np.array(out)
# %% mistake="values sent through the feature map" style="all three"
def linear_attention(Q, K, V):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    q, k, v = map(phi, (Q, K, V))
    S = np.cumsum(k[:, :, None] * v[:, None], axis=0)
    return np.einsum("nk,nkv->nv", q, S) / (q * np.cumsum(k, 0)).sum(1, keepdims=True)
# %% mistake="Q, K or V in the wrong place" style="named the other way round"
def linear_attention(Q, K, V):
    k, q = (np.where(x > 0, x + 1, np.exp(x)) for x in (Q, K))
    states = np.cumsum(k[:, :, None] * V[:, None, :], axis=0)
    return np.einsum("nk,nkv->nv", q, states) / np.einsum("nk,nk->n", q, np.cumsum(k, axis=0))[:, None]
# %% mistake="a small number added to the sum, or put in its place" style="at least 1e-12"
def linear_attention(Q, K, V):
    q, k = (np.where(x > 0, x + 1, np.exp(x)) for x in (Q, K))
    states = np.cumsum(k[:, :, None] * V[:, None, :], axis=0)
    sums = np.einsum("nk,nk->n", q, np.cumsum(k, axis=0))[:, None]
    return np.einsum("nk,nkv->nv", q, states) / np.maximum(sums, 1e-12)
