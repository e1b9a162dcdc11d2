# %% crosses="of each mistake"
# old value not erased -> several words: the; with strength 1
# asks with the query -> several words: the; with strength 1
# the strength on the value only -> several words: the
# the strength on the old value only -> one word: what
# the whole state fades -> several words: the; one word: what; with strength 1
# reads before it writes -> one word: what
# the old value added once more -> several words: the; with strength 1
# the strength left out -> one word: what
# the strength counted twice -> one word: what
# one strength for all words -> several words: the
# reads with the key -> one word: what
# Q, K or V in the wrong place -> several words: the; with strength 1
# state transposed -> an output for
# all words read the last state -> several words: the; with strength 1
# only the last word in the state -> several words: the; with strength 1
# a feature map, as in linear attention -> one word: what
# a normaliser, as in linear attention -> one word: what
# scaled as in softmax attention -> one word: what
# all earlier words read anew for each word -> time does not
# writes into its input -> leaves its inputs

# %% what_if="The same word is written twice, with strength 1. What does the second time change?" because="Nothing. The state answers with the right value already, so the difference is 0. A plain sum would hold the value twice."
K, V = np.array([[1.0, 0.0], [1.0, 0.0]]), np.array([[2.0, 3.0], [2.0, 3.0]])
print(delta_attention(K, K, V, np.ones(2)))
# %% right="the erasing as a matrix" buys="the step as papers write it: the state times I − β k kᵀ, plus what is new"
def delta_attention(Q, K, V, beta):
    d = K.shape[1]
    S, out = np.zeros((d, V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = (np.eye(d) - b * np.outer(k, k)) @ S + b * np.outer(k, v)
        out.append(S.T @ q)
    return np.stack(out)
# %% right="a state of rows of values" buys="the state may also stand the other way round"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((V.shape[1], K.shape[1])), np.empty(V.shape)
    for t in range(len(Q)):
        old = S @ K[t]
        S = S + beta[t] * (V[t] - old)[:, None] * K[t][None]
        out[t] = S @ Q[t]
    return out
# %% right="in torch, float64" row="float64"
def delta_attention(Q, K, V, beta):
    Q, K, V, beta = (torch.as_tensor(x, dtype=torch.float64) for x in (Q, K, V, beta))
    S, rows = torch.zeros(K.shape[1], V.shape[1], dtype=torch.float64), []
    for t in range(len(Q)):
        S = S + torch.outer(beta[t] * K[t], V[t] - K[t] @ S)
        rows.append(Q[t] @ S)
    return torch.stack(rows).numpy()
# %% right="Python's own numbers" row="loops"
def delta_attention(Q, K, V, beta):
    d_k, d_v = K.shape[1], V.shape[1]
    S, rows = [[0.0] * d_v for _ in range(d_k)], []
    for q, k, v, b in zip(Q.tolist(), K.tolist(), V.tolist(), beta.tolist()):
        for j in range(d_v):
            gap = b * (v[j] - sum(x * S[i][j] for i, x in enumerate(k)))
            for i in range(d_k):
                S[i][j] += k[i] * gap
        rows.append([sum(x * S[i][j] for i, x in enumerate(q)) for j in range(d_v)])
    return np.array(rows)
# %% right="chunks of 32 words" buys="inside a chunk one small system of equations, which matrix products solve: so it is done on accelerators"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for i in range(0, len(Q), 32):
        q, k, v, b = Q[i:i + 32], K[i:i + 32], V[i:i + 32], beta[i:i + 32, None]
        system = np.eye(len(q)) + np.tril(b * (k @ k.T), -1)
        new = np.linalg.solve(system, b * (v - k @ S))
        out.append(q @ S + np.tril(q @ k.T) @ new)
        S = S + k.T @ new
    return np.concatenate(out)
# %% right="float32" row="float32"
def delta_attention(Q, K, V, beta):
    Q, K, V, beta = (np.asarray(x, dtype=np.float32) for x in (Q, K, V, beta))
    S, out = np.zeros((K.shape[1], V.shape[1]), np.float32), []
    for q, k, v, b in zip(Q, K, V, beta):
        S += k[:, None] * (b * (v - k @ S))
        out.append(q @ S)
    return np.array(out)
# %% mistake="old value not erased" style="cumulative sums"
def delta_attention(Q, K, V, beta):
    S = np.cumsum((beta[:, None] * K)[:, :, None] * V[:, None, :], axis=0)
    return np.einsum("nk,nkv->nv", Q, S)
# %% mistake="asks with the query" style="q S"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = S + b * np.outer(k, v - q @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="the strength on the value only" style="b * v"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = S + np.outer(k, b * v - k @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="the strength on the old value only" style="b * old"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = S + np.outer(k, v - b * (k @ S))
        out.append(q @ S)
    return np.array(out)
# %% mistake="the whole state fades" style="1 − b"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = (1 - b) * S + b * np.outer(k, v)
        out.append(q @ S)
    return np.array(out)
# %% mistake="reads before it writes" style="appended first"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        out.append(q @ S)
        S = S + b * np.outer(k, v - k @ S)
    return np.array(out)
# %% mistake="the old value added once more" style="plus"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = S + b * np.outer(k, v + k @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="the strength left out" style="no beta"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v in zip(Q, K, V):
        S = S + np.outer(k, v - k @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="one strength for all words" style="beta[0]"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v in zip(Q, K, V):
        S = S + beta[0] * np.outer(k, v - k @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="reads with the key" style="k S"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for k, v, b in zip(K, V, beta):
        S = S + b * np.outer(k, v - k @ S)
        out.append(k @ S)
    return np.array(out)
# %% mistake="Q, K or V in the wrong place" style="queries written"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for k, q, v, b in zip(Q, K, V, beta):
        S = S + b * np.outer(k, v - k @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="state transposed" style="outer of value and key"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S += b * np.outer(v - k @ S, k)
        out.append(q @ S)
    return np.array(out)
# %% mistake="all words read the last state" style="one product"
def delta_attention(Q, K, V, beta):
    S = np.zeros((K.shape[1], V.shape[1]))
    for k, v, b in zip(K, V, beta):
        S += b * np.outer(k, v - k @ S)
    return Q @ S
# %% mistake="only the last word in the state" style="in one line"
def delta_attention(Q, K, V, beta):
    return np.array([b * (q @ k) * v for q, k, v, b in zip(Q, K, V, beta)])
# %% unlisted="= for +=" true="overwritten instead of added up"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = b * np.outer(k, v - k @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="a feature map, as in linear attention" style="φ"
def delta_attention(Q, K, V, beta):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(x))
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(phi(Q), phi(K), V, beta):
        S = S + b * np.outer(k, v - k @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="scaled as in softmax attention" style="√d"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q / np.sqrt(K.shape[1]), K, V, beta):
        S = S + b * np.outer(k, v - k @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="the strength counted twice" style="key and difference"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = S + b * b * np.outer(k, v - k @ S)
        out.append(q @ S)
    return np.array(out)
# %% mistake="all earlier words read anew for each word" style="a function of the first t words"
def delta_attention(Q, K, V, beta):
    def state(t):
        S = np.zeros((K.shape[1], V.shape[1]))
        for k, v, b in zip(K[:t], V[:t], beta[:t]):
            S = S + b * np.outer(k, v - k @ S)
        return S
    return np.array([q @ state(t + 1) for t, q in enumerate(Q)])
# %% mistake="writes into its input" style="value -= old"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        v -= k @ S
        S = S + b * np.outer(k, v)
        out.append(q @ S)
    return np.array(out)
# %% unlisted="return inside the loop" true="return inside the loop"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = S + b * np.outer(k, v - k @ S)
        out.append(q @ S)
        return np.array(out)
# %% unlisted="only what is new is written, where it is large"
def delta_attention(Q, K, V, beta):
    S, out = np.zeros((K.shape[1], V.shape[1])), []
    for q, k, v, b in zip(Q, K, V, beta):
        gap = v - k @ S
        S = S + b * np.outer(k, np.where(abs(gap) > 0.5, gap, 0))
        out.append(q @ S)
    return np.array(out)
# %% mistake="a normaliser, as in linear attention" style="q times the sum of keys"
def delta_attention(Q, K, V, beta):
    S, z, out = np.zeros((K.shape[1], V.shape[1])), np.zeros(K.shape[1]), []
    for q, k, v, b in zip(Q, K, V, beta):
        S = S + b * np.outer(k, v - k @ S)
        z = z + k
        out.append(q @ S / (q @ z))
    return np.array(out)
