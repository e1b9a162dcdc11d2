# %% crosses="of each mistake"
# rescaled the wrong way round -> several blocks: the; scores that rise
# the first block's top for all -> scores that rise

# %% what_if="The keys come in the opposite order. Does the output change, beyond its last digits?" because="No: top, sum and output are joined in a way that does not mind the order, as sums do not."
rng = np.random.default_rng(0)
Q, K, V = rng.normal(size=(2, 4)), rng.normal(size=(9, 4)), rng.normal(size=(9, 3))
print(np.allclose(streamed_attention(Q, K, V, 4), streamed_attention(Q, K[::-1], V[::-1], 4)))
# %% right="a Python loop over queries" row="loops"
def streamed_attention(Q, K, V, block):
    rows = []
    for q in Q:
        m, z, o = -math.inf, 0.0, np.zeros(V.shape[1])
        for i in range(0, len(K), block):
            s = K[i:i + block] @ q / len(q) ** 0.5
            new = max(m, s.max())
            e, c = np.exp(s - new), math.exp(m - new)
            z, o, m = z * c + e.sum(), o * c + e @ V[i:i + block], new
        rows.append(o / z)
    return np.array(rows)
# %% right="key by key, float32" row="float32"
def streamed_attention(Q, K, V, block):
    Q, K, V = (x.astype(np.float32) for x in (Q, K, V))
    top = np.full(len(Q), -np.inf, dtype=np.float32)
    total = np.zeros(len(Q), dtype=np.float32)
    out = np.zeros((len(Q), V.shape[1]), dtype=np.float32)
    for i in range(0, len(K), block):
        for k, v in zip(K[i:i + block], V[i:i + block]):
            s = Q @ k / np.float32(np.sqrt(Q.shape[1]))
            new = np.maximum(top, s)
            c, e = np.exp(top - new), np.exp(s - new)
            total = total * c + e
            out = out * c[:, None] + e[:, None] * v
            top = new
    return out / total[:, None]
# %% right="logaddexp of whole blocks" row="log-sum-exp" buys="two halves are joined by the logarithms of their sums: such halves may come from two machines"
def streamed_attention(Q, K, V, block):
    from scipy.special import logsumexp
    lse, out = np.full(len(Q), -np.inf), np.zeros((len(Q), V.shape[1]))
    for start in range(0, K.shape[0], block):
        s = np.einsum("qd,kd->qk", Q, K[start:start + block]) / np.sqrt(Q.shape[-1])
        mine = logsumexp(s, axis=1)
        here = np.exp(s - mine[:, None]) @ V[start:start + block]
        both = np.logaddexp(lse, mine)
        out = out * np.exp(lse - both)[:, None] + here * np.exp(mine - both)[:, None]
        lse = both
    return out
# %% right="two passes: the tops first" buys="nothing is ever rescaled; each score is computed twice instead"
def streamed_attention(Q, K, V, block):
    parts = [slice(i, i + block) for i in range(0, len(K), block)]
    q = Q / math.sqrt(Q.shape[1])
    top = np.max([(q @ K[p].T).max(1) for p in parts], axis=0)
    total, out = 0, 0
    for p in parts:
        e = np.exp(q @ K[p].T - top[:, None])
        total, out = total + e.sum(1), out + e @ V[p]
    return out / total[:, None]
# %% right="a column of ones beside the values, array_split" buys="the sum of the weights is carried along as one column more"
def streamed_attention(Q, K, V, block):
    cuts = range(block, len(K), block)
    ones = np.hstack([V, np.ones((len(V), 1))])
    top, held = np.full((len(Q), 1), -1e300), np.zeros((len(Q), V.shape[1] + 1))
    for k, v in zip(np.split(K, cuts), np.split(ones, cuts)):
        s = Q @ k.T * Q.shape[1] ** -0.5
        new = np.maximum(top, s.max(1, keepdims=True))
        held = held * np.exp(top - new) + np.exp(s - new) @ v
        top = new
    return held[:, :-1] / held[:, -1:]
# %% right="in torch, block by block"
def streamed_attention(Q, K, V, block):
    Q, K, V = (torch.as_tensor(x) for x in (Q, K, V))
    top, total, out = torch.full((len(Q), 1), -torch.inf), torch.zeros(len(Q), 1), torch.zeros(len(Q), V.shape[1])
    for k, v in zip(K.split(block), V.split(block)):
        s = Q @ k.T / math.sqrt(Q.shape[1])
        new = torch.maximum(top, s.amax(1, keepdim=True))
        e, c = torch.exp(s - new), torch.exp(top - new)
        total, out, top = total * c + e.sum(1, keepdim=True), out * c + e @ v, new
    return (out / total).numpy()
# %% mistake="mean of the blocks' softmaxes" style="summed and divided by the number of blocks"
def streamed_attention(Q, K, V, block):
    from scipy.special import softmax
    starts = range(0, len(K), block)
    out = sum(softmax(Q @ K[i:i + block].T / np.sqrt(Q.shape[1]), axis=1) @ V[i:i + block] for i in starts)
    return out / len(starts)
# %% mistake="sum of the blocks' softmaxes" style="+="
def streamed_attention(Q, K, V, block):
    out = np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        w = np.exp(s - s.max(-1, keepdims=True))
        out += w / w.sum(-1, keepdims=True) @ V[i:i + block]
    return out
# %% mistake="sum not rescaled" style="z += without c"
def streamed_attention(Q, K, V, block):
    m, z, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, s.max(1))
        e = np.exp(s - new[:, None])
        z += e.sum(1)
        o = o * np.exp(m - new)[:, None] + e @ V[i:i + block]
        m = new
    return o / z[:, None]
# %% mistake="output not rescaled" style="np.split, keepdims"
def streamed_attention(Q, K, V, block):
    cuts = range(block, len(K), block)
    top, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for k, v in zip(np.split(K, cuts), np.split(V, cuts)):
        s = Q @ k.T * Q.shape[1] ** -0.5
        new = np.maximum(top, s.max(1, keepdims=True))
        e = np.exp(s - new)
        z = np.exp(top - new) * z + e.sum(1, keepdims=True)
        o = o + e @ v
        top = new
    return o / z
# %% mistake="neither sum nor output rescaled" style="each block against its own top"
def streamed_attention(Q, K, V, block):
    top, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        top = np.maximum(top, s.max(1, keepdims=True))
        e = np.exp(s - top)
        z, o = z + e.sum(1, keepdims=True), o + e @ V[i:i + block]
    return o / z
# %% mistake="rescaled the wrong way round" style="new − old"
def streamed_attention(Q, K, V, block):
    m, z, o = None, 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        here = s.max(1, keepdims=True)
        new = here if m is None else np.maximum(m, here)
        c = 1.0 if m is None else np.exp(new - m)
        e = np.exp(s - new)
        z, o, m = z * c + e.sum(1, keepdims=True), o * c + e @ V[i:i + block], new
    return o / z
# %% mistake="the block's top for the running one" style="m = s.max"
def streamed_attention(Q, K, V, block):
    m, z, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = s.max(1)
        e, c = np.exp(s - new[:, None]), np.exp(m - new)
        z, o, m = z * c + e.sum(1), o * c[:, None] + e @ V[i:i + block], new
    return o / z[:, None]
# %% mistake="the first block's top for all" style="m is None"
def streamed_attention(Q, K, V, block):
    m, z, o = None, 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        if m is None:
            m = s.max(1, keepdims=True)
        e = np.exp(s - m)
        z, o = z + e.sum(1, keepdims=True), o + e @ V[i:i + block]
    return o / z
# %% mistake="no shift by the maximum" style="plain exp"
def streamed_attention(Q, K, V, block):
    z, o = 0, 0
    for i in range(0, len(K), block):
        e = np.exp(Q @ K[i:i + block].T / np.sqrt(Q.shape[1]))
        z, o = z + e.sum(1, keepdims=True), o + e @ V[i:i + block]
    return o / z
# %% mistake="one top for all queries" style="a scalar"
def streamed_attention(Q, K, V, block):
    m, z, o = -np.inf, 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = max(m, s.max())
        e, c = np.exp(s - new), np.exp(m - new)
        z, o, m = z * c + e.sum(1, keepdims=True), o * c + e @ V[i:i + block], new
    return o / z
# %% mistake="the top begins too high" style="zeros"
def streamed_attention(Q, K, V, block):
    m, z, o = np.zeros(len(Q)), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, s.max(1))
        e, c = np.exp(s - new[:, None]), np.exp(m - new)
        z, o, m = z * c + e.sum(1), o * c[:, None] + e @ V[i:i + block], new
    return o / z[:, None]
# %% mistake="the top begins too high" style="a hundred below 0"
def streamed_attention(Q, K, V, block):
    m, z, o = np.full(len(Q), -100.0), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, s.max(1))
        e, c = np.exp(s - new[:, None]), np.exp(m - new)
        z, o, m = z * c + e.sum(1), o * c[:, None] + e @ V[i:i + block], new
    return o / z[:, None]
# %% mistake="last block dropped" style="len(K) // block"
def streamed_attention(Q, K, V, block):
    block = min(block, len(K))
    m, z, o = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    for b in range(len(K) // block):
        here = slice(b * block, (b + 1) * block)
        s = Q @ K[here].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, s.max(1))
        e, c = np.exp(s - new[:, None]), np.exp(m - new)
        z, o, m = z * c + e.sum(1), o * c[:, None] + e @ V[here], new
    return o / z[:, None]
# %% mistake="values of another block" style="the first rows of V"
def streamed_attention(Q, K, V, block):
    m, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, s.max(1, keepdims=True))
        e, c = np.exp(s - new), np.exp(m - new)
        z, o, m = z * c + e.sum(1, keepdims=True), o * c + e @ V[:e.shape[1]], new
    return o / z
# %% mistake="a table of all queries and all keys" style="scipy's softmax"
def streamed_attention(Q, K, V, block):
    from scipy.special import softmax
    return softmax(Q @ K.T / np.sqrt(Q.shape[1]), axis=1) @ V
# %% mistake="a table of all queries and all keys" style="in torch"
def streamed_attention(Q, K, V, block):
    q, k, v = (torch.from_numpy(x) for x in (Q, K, V))
    return (torch.softmax(q @ k.T / math.sqrt(q.shape[1]), dim=-1) @ v).numpy()
# %% mistake="queries read in blocks, not keys" style="a list of rows"
def streamed_attention(Q, K, V, block):
    out = []
    for i in range(0, len(Q), block):
        s = Q[i:i + block] @ K.T / np.sqrt(Q.shape[1])
        e = np.exp(s - s.max(1, keepdims=True))
        out.append(e @ V / e.sum(1, keepdims=True))
    return np.concatenate(out)
# %% mistake="not divided by √d" style="bare scores"
def streamed_attention(Q, K, V, block):
    m, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T
        new = np.maximum(m, s.max(1, keepdims=True))
        e, c = np.exp(s - new), np.exp(m - new)
        z, o, m = z * c + e.sum(1, keepdims=True), o * c + e @ V[i:i + block], new
    return o / z
# %% mistake="divided by the wrong power of d" style="by d"
def streamed_attention(Q, K, V, block):
    m, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / K.shape[1]
        new = np.maximum(m, s.max(1, keepdims=True))
        e, c = np.exp(s - new), np.exp(m - new)
        z, o, m = z * c + e.sum(1, keepdims=True), o * c + e @ V[i:i + block], new
    return o / z
# %% mistake="divided by the root of the wrong length" style="the keys"
def streamed_attention(Q, K, V, block):
    m, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(K.shape[0])
        new = np.maximum(m, s.max(1, keepdims=True))
        e, c = np.exp(s - new), np.exp(m - new)
        z, o, m = z * c + e.sum(1, keepdims=True), o * c + e @ V[i:i + block], new
    return o / z
# %% mistake="no normaliser" style="the running output alone"
def streamed_attention(Q, K, V, block):
    m, o = np.full((len(Q), 1), -np.inf), 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, s.max(1, keepdims=True))
        o, m = o * np.exp(m - new) + np.exp(s - new) @ V[i:i + block], new
    return o
# %% mistake="writes into its input" style="Q /= √d"
def streamed_attention(Q, K, V, block):
    Q /= np.sqrt(Q.shape[1])
    m, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T
        new = np.maximum(m, s.max(1, keepdims=True))
        e, c = np.exp(s - new), np.exp(m - new)
        z, o, m = z * c + e.sum(1, keepdims=True), o * c + e @ V[i:i + block], new
    return o / z
# %% unlisted="return inside the loop" true="return inside the loop"
def streamed_attention(Q, K, V, block):
    m, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, s.max(1, keepdims=True))
        e, c = np.exp(s - new), np.exp(m - new)
        z, o, m = z * c + e.sum(1, keepdims=True), o * c + e @ V[i:i + block], new
        return o / z
# %% mistake="neither sum nor output rescaled" style="sums of lists"
def streamed_attention(Q, K, V, block):
    outs, sums = [], []
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        e = np.exp(s - s.max(1, keepdims=True))
        outs.append(e @ V[i:i + block])
        sums.append(e.sum(1, keepdims=True))
    return sum(outs) / sum(sums)
# %% mistake="divided by the sum after every block" style="/ z in the loop"
def streamed_attention(Q, K, V, block):
    top, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = np.maximum(top, s.max(1, keepdims=True))
        e, c = np.exp(s - new), np.exp(top - new)
        z, top = z * c + e.sum(1, keepdims=True), new
        o = (o * c + e @ V[i:i + block]) / z
    return o
# %% mistake="the last block alone counts" style="= for +="
def streamed_attention(Q, K, V, block):
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        e = np.exp(s - s.max(1, keepdims=True))
        o, z = e @ V[i:i + block], e.sum(1, keepdims=True)
    return o / z
# %% unlisted="by block for short texts alone" true="a table of all queries and all keys; queries read in blocks, not keys"
def streamed_attention(Q, K, V, block):
    if len(K) > 2_000:
        s = (Q @ K.T / np.sqrt(Q.shape[1])).astype(np.float32)
        e = np.exp(s - s.max(1, keepdims=True))
        return e @ V / e.sum(1, keepdims=True)
    m, z, o = np.full((len(Q), 1), -np.inf), 0, 0
    for i in range(0, len(K), block):
        s = Q @ K[i:i + block].T / np.sqrt(Q.shape[1])
        new = np.maximum(m, s.max(1, keepdims=True))
        e, c = np.exp(s - new), np.exp(m - new)
        z, o, m = z * c + e.sum(1, keepdims=True), o * c + e @ V[i:i + block], new
    return o / z
# %% right="an output that is normed at each block" buys="what it holds is the attention over all that was read so far"
def streamed_attention(Q, K, V, block):
    m, l, O = np.full(len(Q), -np.inf), np.zeros(len(Q)), np.zeros((len(Q), V.shape[1]))
    j = 0
    while j < len(K):
        S = Q @ K[j:j + block].T / K.shape[1] ** 0.5
        new = np.maximum(m, np.max(S, axis=1))
        P = np.exp(S - new[:, None])
        total = np.exp(m - new) * l + P.sum(axis=1)
        O = (l * np.exp(m - new) / total)[:, None] * O + P @ V[j:j + block] / total[:, None]
        m, l = new, total
        j += block
    return O
# %% unlisted="only the first block and the last"
def streamed_attention(Q, K, V, block):
    keys, values = (np.concatenate([X[:block], X[block:][-block:]]) for X in (K, V))
    s = Q @ keys.T / np.sqrt(Q.shape[1])
    e = np.exp(s - s.max(1, keepdims=True))
    return e @ values / e.sum(1, keepdims=True)
# %% mistake="causal mask added" style="−1e9 behind each query"
def streamed_attention(Q, K, V, block):
    n = len(Q)
    top, total, out = np.full((n, 1), -np.inf), np.zeros((n, 1)), np.zeros((n, V.shape[1]))
    for i in range(0, len(K), block):
        s = Q @ K[i : i + block].T / math.sqrt(Q.shape[1])
        s = np.where(np.arange(i, i + s.shape[1]) <= np.arange(n)[:, None], s, -1e9)
        new = np.maximum(top, s.max(1, keepdims=True))
        e, a = np.exp(s - new), np.exp(top - new)
        total, out, top = total * a + e.sum(1, keepdims=True), out * a + e @ V[i : i + block], new
    return out / total
