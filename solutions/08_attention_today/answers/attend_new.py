# %% what_if="Ten words come at once, or one after the other with what was kept handed on. Do the outputs differ?" because="They do not: a word sees the same keys either way. What is kept saves work and changes nothing."
torch.manual_seed(0)
Q, K, V = torch.randn(2, 10, 4), torch.randn(2, 10, 4), torch.randn(2, 10, 3)
kept, rows = None, []
for i in range(10):
    row, kept = attend_new(Q[:, i : i + 1], K[:, i : i + 1], V[:, i : i + 1], kept)
    rows.append(row)
print(torch.allclose(torch.cat(rows, dim=1), attend_new(Q, K, V)[0], atol=1e-6))
# %% right="a mask made here, baddbmm and a list" row="a list as the pair"
def attend_new(Q, K, V, kept=None):
    old = 0
    if kept is not None:
        old = kept[0].size(1)
        K, V = torch.cat((kept[0], K), 1), torch.cat((kept[1], V), 1)
    bias = torch.zeros(Q.size(1), K.size(1)).masked_fill(torch.ones(Q.size(1), K.size(1)).triu(old + 1) == 1, -math.inf)
    w = torch.baddbmm(bias, Q, K.transpose(1, 2), alpha=Q.size(2) ** -0.5).softmax(2)
    return torch.bmm(w, V), [K, V]
# %% right="the library's own, with a mask" row="SDPA" buys="the library picks the fastest kernel that it has; the mask says who asks"
def attend_new(Q, K, V, kept=None):
    k, v = kept or (K[:, :0], V[:, :0])
    K, V = torch.cat([k, K], -2), torch.cat([v, V], -2)
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=causal_mask_from(Q.shape[-2], K.shape[-2])), (K, V)
# %% right="word by word, head by head" row="loops" buys="each line is what one new word does: look at all before it, and at itself"
def attend_new(Q, K, V, kept=None):
    if kept is None:
        keys, values, t = K, V, 0
    else:
        keys, values = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
        t = kept[0].shape[1]
    heads, m, d = Q.shape
    out = torch.zeros(heads, m, V.shape[2])
    for h in range(heads):
        for i in range(m):
            seen = t + i + 1
            w = torch.softmax(keys[h, :seen] @ Q[h, i] / d ** 0.5, dim=0)
            out[h, i] = w @ values[h, :seen]
    return out, (keys, values)
# %% right="einsum, float64, a named tuple" row="float64"
def attend_new(Q, K, V, kept=None):
    from collections import namedtuple
    Cache = namedtuple("Cache", "keys values")
    if kept is not None:
        old_K, old_V = kept
        K, V = torch.cat([old_K, K], 1), torch.cat([old_V, V], 1)
    m, n = Q.shape[1], K.shape[1]
    s = torch.einsum("hmd,hnd->hmn", Q.double(), K.double()) / math.sqrt(Q.shape[2])
    s = torch.where(causal_mask_from(m, n), s, torch.tensor(-torch.inf, dtype=s.dtype))
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return torch.einsum("hmn,hnv->hmv", e / e.sum(-1, keepdim=True), V.double()), Cache(K, V)
# %% right="two products, one softmax over both" buys="the kept keys are never copied beside the new ones before the scores are there"
def attend_new(Q, K, V, kept=None):
    own = (Q @ K.mT / math.sqrt(Q.shape[-1])).masked_fill(torch.ones(Q.shape[1], Q.shape[1]).triu(1).bool(), -torch.inf)
    if kept is None:
        return torch.softmax(own, -1) @ V, (K, V)
    past = Q @ kept[0].mT / math.sqrt(Q.shape[-1])
    w = torch.softmax(torch.cat([past, own], -1), -1)
    t = past.shape[-1]
    return w[..., :t] @ kept[1] + w[..., t:] @ V, (torch.cat([kept[0], K], 1), torch.cat([kept[1], V], 1))
# %% mistake="mask aligned at the top left" style="is_causal=True"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    return functional.scaled_dot_product_attention(Q, K, V, is_causal=True), (K, V)
# %% mistake="new words not masked among themselves" style="one word in mind"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    w = torch.softmax(Q @ K.transpose(1, 2) / math.sqrt(Q.shape[2]), dim=2)
    return w @ V, (K, V)
# %% mistake="new words not masked among themselves" style="the library's, without a mask"
def attend_new(Q, K, V, kept=None):
    if kept:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    return functional.scaled_dot_product_attention(Q, K, V), (K, V)
# %% mistake="mask looks ahead" style="filled where True"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    s = (Q @ K.mT) * Q.shape[-1] ** -0.5
    s[:, causal_mask_from(Q.shape[1], K.shape[1])] = -torch.inf
    return torch.softmax(s, -1) @ V, (K, V)
# %% mistake="positions restart at 0" style="turned before they are put together"
def attend_new(Q, K, V, kept=None):
    here = torch.arange(K.shape[1])
    Q, K = rotate(Q, here), rotate(K, here)
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=causal_mask_from(Q.shape[1], K.shape[1])), (K, V)
# %% mistake="kept keys turned again" style="all turned, and kept so"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    n = K.shape[1]
    where = torch.arange(n)
    K, Q = rotate(K, where), rotate(Q, where[-Q.shape[1]:])
    s = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~causal_mask_from(Q.shape[1], n), -torch.inf)
    return s.softmax(-1) @ V, (K, V)
# %% mistake="kept keys turned again" style="turned for the scores alone"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    where = torch.arange(K.shape[1])
    q, k = rotate(Q, where[-Q.shape[1]:]), rotate(K, where)
    s = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~causal_mask_from(len(q[0]), len(k[0])), -torch.inf)
    return s.softmax(-1) @ V, (K, V)
# %% mistake="positions counted by the cache's length" style="the last of all positions"
def attend_new(Q, K, V, kept=None):
    new = K.shape[1]
    n = new + (0 if kept is None else kept[1].shape[1])
    K = rotate(K, torch.arange(n)[-new:])
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    Q = rotate(Q, torch.arange(n)[-new:])
    return functional.scaled_dot_product_attention(Q, K, V, causal_mask_from(new, n)), (K, V)
# %% mistake="values turned too" style="turned before they are kept"
def attend_new(Q, K, V, kept=None):
    t = 0 if kept is None else kept[0].shape[1]
    V = rotate(V, torch.arange(t, t + V.shape[1]))
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=causal_mask_from(Q.shape[1], K.shape[1])), (K, V)
# %% mistake="values turned too" style="turned for the output alone"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    n = K.shape[1]
    w = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~causal_mask_from(Q.shape[1], n), -torch.inf).softmax(-1)
    return w @ rotate(V, torch.arange(n)), (K, V)
# %% mistake="new words put in front" style="under a mask for old ones first"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([K, kept[0]], dim=1), torch.cat([V, kept[1]], dim=1)
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    s = s.masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return s.softmax(-1) @ V, (K, V)
# %% mistake="only the new words kept" style="K and V as they came"
def attend_new(Q, K, V, kept=None):
    keys, values = (K, V) if kept is None else (torch.cat([kept[0], K], 1), torch.cat([kept[1], V], 1))
    s = Q @ keys.mT / Q.shape[-1] ** 0.5
    s = s.masked_fill(~causal_mask_from(Q.shape[1], keys.shape[1]), -torch.inf)
    return s.softmax(-1) @ values, (K, V)
# %% mistake="the old words are not read" style="put together too late"
def attend_new(Q, K, V, kept=None):
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    s = s.masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    output = s.softmax(-1) @ V
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    return output, (K, V)
# %% mistake="not divided by √d" style="scale=1"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    mask = causal_mask_from(Q.shape[1], K.shape[1])
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask, scale=1.0), (K, V)
# %% mistake="divided by the wrong power of d" style="by d"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    mask = causal_mask_from(Q.shape[1], K.shape[1])
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask, scale=1 / Q.shape[-1]), (K, V)
# %% mistake="divided by the root of the wrong length" style="the words"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    mask = causal_mask_from(Q.shape[1], K.shape[1])
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=mask, scale=K.shape[1] ** -0.5), (K, V)
# %% mistake="softmax over the queries" style="dim=1"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    s = s.masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return torch.softmax(s, dim=1) @ V, (K, V)
# %% mistake="masked score not low enough" style="−1000"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    s = Q @ K.mT / Q.shape[-1] ** 0.5
    s = torch.where(causal_mask_from(Q.shape[1], K.shape[1]), s, -1000.0)
    return torch.softmax(s, dim=-1) @ V, (K, V)
# %% mistake="masked score not low enough" style="multiplied"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    s = Q @ K.mT / Q.shape[-1] ** 0.5 * causal_mask_from(Q.shape[1], K.shape[1])
    return torch.softmax(s, dim=-1) @ V, (K, V)
# %% mistake="masked after the softmax" style="tril of the weights"
def attend_new(Q, K, V, kept=None):
    t = 0
    if kept is not None:
        t = kept[0].shape[1]
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    w = torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=-1).tril(t)
    return w @ V, (K, V)
# %% mistake="no shift by the maximum" style="exp of where"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    e = torch.exp(Q @ K.mT / Q.shape[-1] ** 0.5) * causal_mask_from(Q.shape[1], K.shape[1])
    return e / e.sum(-1, keepdim=True) @ V, (K, V)
# %% mistake="writes into its input" style="div_"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    s = Q.div_(Q.shape[-1] ** 0.5) @ K.mT
    s = s.masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return s.softmax(-1) @ V, (K, V)
# %% mistake="causal mask off by one" style="not itself, where something is kept"
def attend_new(Q, K, V, kept=None):
    m, t = Q.shape[1], 0 if kept is None else kept[0].shape[1]
    if t:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    seen = torch.arange(t + m) <= torch.arange(m)[:, None] + t - int(t > 0)
    return (Q @ K.mT / Q.shape[-1] ** 0.5).where(seen, -torch.inf).softmax(-1) @ V, (K, V)
# %% mistake="causal mask off by one" style="the next one, too"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    hidden = torch.ones(Q.shape[1], K.shape[1]).triu(K.shape[1] - Q.shape[1] + 2).bool()
    return (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(hidden, -torch.inf).softmax(-1) @ V, (K, V)
# %% unlisted="scaled keys are kept"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    K = K / math.sqrt(Q.shape[-1])
    s = (Q @ K.mT).masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return s.softmax(-1) @ V, (K, V)
# %% unlisted="the heads joined in place of the words"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=0), torch.cat([kept[1], V], dim=0)
    s = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return s.softmax(-1) @ V, (K, V)
# %% unlisted="values first in the pair"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        V, K = torch.cat([kept[0], V], dim=1), torch.cat([kept[1], K], dim=1)
    s = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return s.softmax(-1) @ V, (V, K)
# %% right="word by word, by itself" buys="several new words are what one is, again and again"
def attend_new(Q, K, V, kept=None):
    if Q.shape[1] == 1:
        if kept is not None:
            K, V = torch.cat((kept[0], K), 1), torch.cat((kept[1], V), 1)
        w = torch.softmax(Q @ K.mT / math.sqrt(K.shape[-1]), -1)
        return w @ V, (K, V)
    out = []
    for i in range(Q.shape[1]):
        o, kept = attend_new(Q[:, i:i+1], K[:, i:i+1], V[:, i:i+1], kept)
        out.append(o)
    return torch.cat(out, 1), kept
# %% mistake="mask looks ahead" style="−1e9 where True"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    s = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(causal_mask_from(Q.shape[1], K.shape[1]), -1e9)
    return s.softmax(-1) @ V, (K, V)
# %% mistake="the new words not kept" style="kept as it came"
def attend_new(Q, K, V, kept=None):
    if kept is None:
        keys, values = kept = K, V
    else:
        keys, values = torch.cat([kept[0], K], 1), torch.cat([kept[1], V], 1)
    s = (Q @ keys.mT / Q.shape[-1] ** 0.5).masked_fill(~causal_mask_from(Q.shape[1], keys.shape[1]), -torch.inf)
    return s.softmax(-1) @ values, kept
# %% mistake="only one of the pair kept" style="values under another name"
def attend_new(Q, K, V, kept=None):
    every = V
    if kept is not None:
        K, every = torch.cat([kept[0], K], 1), torch.cat([kept[1], V], 1)
    s = (Q @ K.mT / Q.shape[-1] ** 0.5).masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return s.softmax(-1) @ every, (K, V)
# %% mistake="mask looks ahead" style="triu at the right place"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    m, n = Q.shape[1], K.shape[1]
    mask = torch.ones(m, n, dtype=torch.bool).triu(diagonal=n - m)
    scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    return scores.masked_fill(~mask, float("-inf")).softmax(-1) @ V, (K, V)
# %% mistake="masked score not low enough" style="−100"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    m, n = Q.shape[1], K.shape[1]
    mask = torch.ones(m, n, dtype=torch.bool).tril(diagonal=n - m)
    scores = Q @ K.transpose(-1, -2) / Q.shape[-1] ** 0.5
    return scores.masked_fill(~mask, -100).softmax(-1) @ V, (K, V)
# %% mistake="the new words are not read" style="the old pair alone"
def attend_new(Q, K, V, kept=None):
    if kept is None:
        return functional.scaled_dot_product_attention(Q, K, V, is_causal=True), (K, V)
    output = functional.scaled_dot_product_attention(Q, *kept)
    return output, (torch.cat([kept[0], K], 1), torch.cat([kept[1], V], 1))
# %% mistake="scaled after the softmax" style="weights over the root"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], 1), torch.cat([kept[1], V], 1)
    scores = (Q @ K.mT).masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return scores.softmax(-1) / math.sqrt(Q.shape[-1]) @ V, (K, V)
# %% mistake="Q, K or V in the wrong place" style="the keys ask"
def attend_new(Q, K, V, kept=None):
    Q = K
    if kept is not None:
        K, V = torch.cat([kept[0], K], 1), torch.cat([kept[1], V], 1)
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=causal_mask_from(Q.shape[1], K.shape[1])), (K, V)
# %% mistake="axis of length 1 lost" style="squeeze(1)"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], 1), torch.cat([kept[1], V], 1)
    return functional.scaled_dot_product_attention(Q, K, V, attn_mask=causal_mask_from(Q.shape[1], K.shape[1])).squeeze(1), (K, V)
# %% mistake="values before keys in what is kept" style="V, K" of="the library's own, with a mask"
# -     return functional.scaled_dot_product_attention(Q, K, V, attn_mask=causal_mask_from(Q.shape[-2], K.shape[-2])), (K, V)
# +     return functional.scaled_dot_product_attention(Q, K, V, attn_mask=causal_mask_from(Q.shape[-2], K.shape[-2])), (V, K)
# %% mistake="softmax over the heads" style="dim 0"
def attend_new(Q, K, V, kept=None):
    if kept is not None:
        K, V = torch.cat([kept[0], K], dim=1), torch.cat([kept[1], V], dim=1)
    scores = Q @ K.mT / math.sqrt(Q.shape[-1])
    scores = scores.masked_fill(~causal_mask_from(Q.shape[1], K.shape[1]), -torch.inf)
    return torch.softmax(scores, dim=0) @ V, (K, V)
