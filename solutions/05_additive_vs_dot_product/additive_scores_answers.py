# %% crosses="of each mistake"
# tanh missing -> the scores are
# tanh in the wrong place -> the scores are
# scores turned -> a row per; the scores are

# %% right="a new axis and broadcasting"
def additive_scores(queries, keys, W_q, W_k, w_v):
    return (queries.matmul(W_q.t()).unsqueeze(1) + keys.matmul(W_k.t()).unsqueeze(0)).tanh().matmul(w_v)
# %% mistake="tanh missing" style="the plain sum"
def additive_scores(queries, keys, W_q, W_k, w_v):
    return (queries @ W_q.T @ w_v)[:, None] + (keys @ W_k.T @ w_v)[None]
# %% mistake="tanh in the wrong place" style="the score bent"
def additive_scores(queries, keys, W_q, W_k, w_v):
    return torch.tanh(((queries @ W_q.T).unsqueeze(1) + (keys @ W_k.T).unsqueeze(0)) @ w_v)
# %% mistake="tanh in the wrong place" style="each side bent for itself"
def additive_scores(queries, keys, W_q, W_k, w_v):
    q, k = torch.tanh(queries @ W_q.T), torch.tanh(keys @ W_k.T)
    return (q[:, None] + k[None]) @ w_v
# %% mistake="scores turned" style="the keys first"
def additive_scores(queries, keys, W_q, W_k, w_v):
    return torch.tanh((keys @ W_k.T).unsqueeze(1) + (queries @ W_q.T).unsqueeze(0)) @ w_v
# %% unlisted="softmax as well"
def additive_scores(queries, keys, W_q, W_k, w_v):
    return (torch.tanh((queries @ W_q.T)[:, None] + keys @ W_k.T) @ w_v).softmax(-1)
# %% unlisted="w_v forgotten"
def additive_scores(queries, keys, W_q, W_k, w_v):
    return torch.tanh((queries @ W_q.T)[:, None] + keys @ W_k.T)
