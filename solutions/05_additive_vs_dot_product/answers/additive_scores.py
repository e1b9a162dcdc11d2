# %% what_if="The tanh is left out. Which part of the scores does the softmax over the keys still see?" because="Without it the score is a number that depends on the query plus a number that depends on the key. The first is the same along a row, so it cancels, and all queries get the same weights."
torch.manual_seed(0)
q, k, w = torch.randn(2, 4), torch.randn(3, 4), torch.randn(4)
print(((q[:, None] + k) @ w).softmax(-1))
# %% right="a new axis and broadcasting" buys="read from left to right: project, put side by side, add, bend, sum"
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
# %% mistake="another function in place of tanh" style="relu"
def additive_scores(queries, keys, W_q, W_k, w_v):
    return nn.functional.relu((queries @ W_q.T).unsqueeze(1) + (keys @ W_k.T).unsqueeze(0)) @ w_v
# %% mistake="scores scaled where they are not" style="divided by the root of the hidden width"
def additive_scores(queries, keys, W_q, W_k, w_v):
    return torch.tanh((queries @ W_q.T)[:, None] + (keys @ W_k.T)[None]) @ w_v / w_v.shape[0] ** 0.5
