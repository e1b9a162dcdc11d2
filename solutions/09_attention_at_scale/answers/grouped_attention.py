# %% crosses="of each mistake"
# heads divided by the number of groups -> one group for; query head i
# a constant instead of the input's size -> one group for; query head i

# %% what_if="There is a single group, g = 1. How much smaller is what is kept for 8 query heads, and what do all heads share?" because="An eighth: one set of keys and values for all. The heads still ask differently, so their weights differ."
h, g, n, d = 8, 1, 100, 16
print(2 * h * n * d, 2 * g * n * d)
# %% right="enable_gqa" row="SDPA with enable_gqa" buys="one argument of the library; you know now what it stands for"
def grouped_attention(Q, K, V):
    if Q.size(1) % K.size(1):
        raise ValueError("heads and groups")
    return functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
# %% right="an axis more, einsum" row="einsum" buys="the group has an axis of its own, and no key is copied"
def grouped_attention(Q, K, V):
    b, h, n, d = Q.shape
    g = K.shape[1]
    if h % g != 0:
        raise ValueError(f"{h} % {g}")
    q = Q.reshape(b, g, h // g, n, d)
    w = torch.einsum("bgrqd,bgkd->bgrqk", q, K).div(d ** 0.5).softmax(-1)
    return torch.einsum("bgrqk,bgkv->bgrqv", w, V).reshape(b, h, n, V.shape[-1])
# %% right="head by head, float64" row="loops"
def grouped_attention(Q, K, V):
    h, g = Q.shape[1], K.shape[1]
    if h / g != h // g:
        raise ValueError
    heads = []
    for i in range(h):
        j = i // (h // g)
        s = (Q[:, i].double() @ K[:, j].double().transpose(1, 2)) / math.sqrt(Q.shape[3])
        heads.append(torch.softmax(s, 2) @ V[:, j].double())
    return torch.stack(heads, dim=1)
# %% right="expand, a view of the groups" row="views"
def grouped_attention(Q, K, V):
    h, g = Q.shape[1], K.shape[1]
    if h % g:
        raise ValueError
    K, V = (x[:, :, None].expand(-1, -1, h // g, -1, -1).reshape(x.shape[0], h, *x.shape[2:]) for x in (K, V))
    s = Q @ K.transpose(-1, -2) * Q.shape[-1] ** -0.5
    e = torch.exp(s - s.amax(-1, keepdim=True))
    return e @ V / e.sum(-1, keepdim=True)
# %% right="the queries of a group below each other" buys="plain products are enough: a group is one attention with more queries"
def grouped_attention(Q, K, V):
    b, h, n, d = Q.shape
    g = K.shape[1]
    if h % g:
        raise ValueError
    below = Q.reshape(b, g, -1, d)
    return (torch.softmax(below @ K.mT / d ** 0.5, -1) @ V).reshape(b, h, n, -1)
# %% mistake="groups tiled instead of repeated" style="an axis in front of the groups"
def grouped_attention(Q, K, V):
    b, h, n, d = Q.shape
    g = K.shape[1]
    if h % g:
        raise ValueError
    q = Q.reshape(b, h // g, g, n, d)
    w = torch.softmax(q @ K[:, None].mT / d ** 0.5, -1)
    return (w @ V[:, None]).reshape(b, h, n, -1)
# %% mistake="keys and values repeated in different ways" style="repeat for the values"
def grouped_attention(Q, K, V):
    r, left = divmod(Q.shape[1], K.shape[1])
    if left:
        raise ValueError
    return functional.scaled_dot_product_attention(Q, K.repeat_interleave(r, 1), V.repeat(1, r, 1, 1))
# %% mistake="groups averaged" style="mean, expanded"
def grouped_attention(Q, K, V):
    if Q.shape[1] % K.shape[1]:
        raise ValueError
    K, V = K.mean(1, keepdim=True).expand(-1, Q.shape[1], -1, -1), V.mean(1, keepdim=True)
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1) @ V
# %% mistake="only the first group read" style="index 0"
def grouped_attention(Q, K, V):
    if Q.shape[1] % K.shape[1]:
        raise ValueError
    return torch.softmax(Q @ K[:, [0]].mT / Q.shape[-1] ** 0.5, -1) @ V[:, [0]]
# %% mistake="queries of a group averaged" style="mean, then repeated"
def grouped_attention(Q, K, V):
    b, h, n, d = Q.shape
    g = K.shape[1]
    if h % g:
        raise ValueError
    q = Q.reshape(b, g, h // g, n, d).mean(2)
    return functional.scaled_dot_product_attention(q, K, V).repeat_interleave(h // g, dim=1)
# %% mistake="groups counted from the last" style="flip"
def grouped_attention(Q, K, V):
    h, g = Q.shape[1], K.shape[1]
    if h % g:
        raise ValueError
    return functional.scaled_dot_product_attention(Q, K.flip(1), V.flip(1), enable_gqa=True)
# %% mistake="an output for each group, not for each head" style="mean of the heads"
def grouped_attention(Q, K, V):
    b, h, n, d = Q.shape
    g = K.shape[1]
    if h % g:
        raise ValueError
    return functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True).view(b, g, h // g, n, -1).mean(2)
# %% mistake="not divided by √d" style="scale=1"
def grouped_attention(Q, K, V):
    if Q.shape[1] % K.shape[1]:
        raise ValueError
    return functional.scaled_dot_product_attention(Q, K, V, scale=1.0, enable_gqa=True)
# %% mistake="divided by the wrong power of d" style="by d"
def grouped_attention(Q, K, V):
    if Q.shape[1] % K.shape[1]:
        raise ValueError
    return functional.scaled_dot_product_attention(Q, K, V, scale=1 / Q.shape[-1], enable_gqa=True)
# %% mistake="softmax over the queries" style="dim=2"
def grouped_attention(Q, K, V):
    r, left = divmod(Q.shape[1], K.shape[1])
    if left:
        raise ValueError
    K, V = K.repeat_interleave(r, 1), V.repeat_interleave(r, 1)
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=2) @ V
# %% mistake="softmax over the heads" style="dim=1"
def grouped_attention(Q, K, V):
    r, left = divmod(Q.shape[1], K.shape[1])
    if left:
        raise ValueError
    K, V = K.repeat_interleave(r, 1), V.repeat_interleave(r, 1)
    return torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, dim=1) @ V
# %% mistake="causal mask added" style="is_causal"
def grouped_attention(Q, K, V):
    if Q.shape[1] % K.shape[1]:
        raise ValueError
    return functional.scaled_dot_product_attention(Q, K, V, is_causal=True, enable_gqa=True)
# %% mistake="no shift by the maximum" style="exp over its sum"
def grouped_attention(Q, K, V):
    r, left = divmod(Q.shape[1], K.shape[1])
    if left:
        raise ValueError
    K, V = K.repeat_interleave(r, 1), V.repeat_interleave(r, 1)
    e = torch.exp(Q @ K.mT / Q.shape[-1] ** 0.5)
    return e @ V / e.sum(-1, keepdim=True)
# %% mistake="divided by the root of the wrong length" style="keys"
def grouped_attention(Q, K, V):
    if Q.shape[1] % K.shape[1]:
        raise ValueError
    return functional.scaled_dot_product_attention(Q, K, V, scale=K.shape[2] ** -0.5, enable_gqa=True)
# %% mistake="h not divisible by g not refused" style="the library's complaint"
def grouped_attention(Q, K, V):
    return functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
# %% mistake="h not divisible by g not refused" style="the last group for the rest"
def grouped_attention(Q, K, V):
    h, g = Q.shape[1], K.shape[1]
    group = (torch.arange(h) // max(h // g, 1)).clamp(max=g - 1)
    return functional.scaled_dot_product_attention(Q, K[:, group], V[:, group])
# %% mistake="writes into its input" style="mul_"
def grouped_attention(Q, K, V):
    r, left = divmod(Q.shape[1], K.shape[1])
    if left:
        raise ValueError
    K.mul_(Q.shape[-1] ** -0.5)
    K, V = K.repeat_interleave(r, 1), V.repeat_interleave(r, 1)
    return torch.softmax(Q @ K.mT, -1) @ V
# %% unlisted="batch and heads exchanged"
def grouped_attention(Q, K, V):
    r, left = divmod(Q.shape[1], K.shape[1])
    if left:
        raise ValueError
    K, V = K.repeat_interleave(r, 1), V.repeat_interleave(r, 1)
    return (torch.softmax(Q @ K.mT / Q.shape[-1] ** 0.5, -1) @ V).transpose(0, 1)
# %% unlisted="assert" true="assert instead of raise"
def grouped_attention(Q, K, V):
    assert Q.shape[1] % K.shape[1] == 0
    return functional.scaled_dot_product_attention(Q, K, V, enable_gqa=True)
# %% unlisted="keys in the place of values"
def grouped_attention(Q, K, V):
    if Q.shape[1] % K.shape[1]:
        raise ValueError
    return functional.scaled_dot_product_attention(Q, K, K, enable_gqa=True)
# %% mistake="heads divided by the number of groups" style="cut to the last group"
def grouped_attention(Q, K, V):
    h, g = Q.shape[1], K.shape[1]
    if h % g:
        raise ValueError
    reads = [min(i // g, g - 1) for i in range(h)]
    return (Q @ K[:, reads].mT / math.sqrt(Q.shape[-1])).softmax(-1) @ V[:, reads]
# %% unlisted="values not repeated"
def grouped_attention(Q, K, V):
    h, g = Q.shape[1], K.shape[1]
    if h % g:
        raise ValueError
    K = torch.cat([K[:, [i]] for i in range(g) for _ in range(h // g)], 1)
    return functional.scaled_dot_product_attention(Q, K, V)
# %% mistake="queries of a group averaged" style="as many heads out as groups"
def grouped_attention(Q, K, V):
    b, h, n, d = Q.shape
    g = K.shape[1]
    if h % g:
        raise ValueError("h and g")
    q = Q.reshape(b, g, h // g, n, d).mean(2)
    return (q @ K.mT / d ** 0.5).softmax(-1) @ V
# %% mistake="a constant instead of the input's size" style="two heads a group"
def grouped_attention(Q, K, V):
    h, g = Q.shape[1], K.shape[1]
    if h % g:
        raise ValueError
    group = (torch.arange(h) // 2).clamp(max=g - 1)
    return (Q @ K[:, group].mT / math.sqrt(Q.shape[-1])).softmax(-1) @ V[:, group]
# %% mistake="divided by √d_model instead of √d_k" style="the features of all heads"
def grouped_attention(Q, K, V):
    h, g = Q.shape[1], K.shape[1]
    if h % g:
        raise ValueError
    K, V = K.repeat_interleave(h // g, 1), V.repeat_interleave(h // g, 1)
    return (Q @ K.mT / math.sqrt(h * Q.shape[-1])).softmax(-1) @ V
# %% mistake="axis of length 1 lost" style="squeeze(0)"
def grouped_attention(Q, K, V):
    h, g = Q.shape[1], K.shape[1]
    if h % g:
        raise ValueError
    K, V = K.repeat_interleave(h // g, 1), V.repeat_interleave(h // g, 1)
    return functional.scaled_dot_product_attention(Q, K, V).squeeze(0)
