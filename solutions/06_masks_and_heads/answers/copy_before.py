# %% crosses="of each mistake"
# shifted the wrong way -> every word looks
# every word looks at itself -> every word looks
# scores too close together -> with a weight
# scores so large that they overflow -> every word looks
# words asked as well as places -> every word looks
# places handed over with the words -> what is handed

# %% what_if="The causal mask is taken away, and place 0 asks for the last place. What does the first word fetch?" because="It fetches the last word. Only the mask prevented this, and left the first word nothing but itself to look at."
W_q, W_k, W_v = copy_before(1, 3)
X = torch.cat([torch.tensor([[10.0], [20.0], [30.0]]), torch.eye(3)], dim=-1)
print(attention(X @ W_q, X @ W_k, X @ W_v)[0].round())
# %% right="entry by entry" buys="no shape to think about: row d + i of W_q says whom place i asks for"
def copy_before(d, n):
    W_q, W_k, W_v = torch.zeros(d + n, n), torch.zeros(d + n, n), torch.zeros(d + n, d)
    for i in range(n):
        W_k[d + i, i] = 1
        W_q[d + i, max(i - 1, 0)] = 100
    for i in range(d):
        W_v[i, i] = 1
    return W_q, W_k, W_v
# %% right="the keys shifted, and wider than they need be" buys="the shift may stand in the keys as well: only what meets counts"
def copy_before(d, n):
    eye = torch.eye(d + n)
    W_q = 300 * eye
    W_q[:d] = 0
    W_k = torch.zeros(d + n, d + n)
    W_k[d:-1, d + 1:] = 9 * torch.eye(n - 1)
    return W_q, W_k, eye[:, :d]
# %% right="arrays"
def copy_before(d, n):
    none = np.zeros((d, n))
    return np.vstack([none, 200 * np.eye(n, k=-1)]), np.vstack([none, np.eye(n)]), np.eye(d + n, d)
# %% mistake="shifted the wrong way" style="the other diagonal"
def copy_before(d, n):
    none = torch.zeros(d, n)
    W_q = torch.cat([none, 90 * torch.eye(n).roll(1, 1)])
    return W_q, torch.cat([none, torch.eye(n)]), torch.eye(d + n)[:, :d]
# %% mistake="every word looks at itself" style="no shift"
def copy_before(d, n):
    W = torch.cat([torch.zeros(d, n), 20 * torch.eye(n)])
    return W, W, torch.eye(d + n)[:, :d]
# %% mistake="scores too close together" style="ones"
def copy_before(d, n):
    none = torch.zeros(d, n)
    W_q = torch.cat([none, 2 * torch.eye(n).roll(-1, 1)])
    return W_q, torch.cat([none, torch.eye(n)]), torch.eye(d + n)[:, :d]
# %% mistake="scores so large that they overflow" style="1e30 on both sides"
def copy_before(d, n):
    none = torch.zeros(d, n)
    loud = 1e30 * torch.eye(n)
    W_q = torch.cat([none, loud.roll(-1, 1)])
    return W_q, torch.cat([none, loud]), torch.eye(d + n)[:, :d]
# %% mistake="words asked as well as places" style="ones in the place of zeros"
def copy_before(d, n):
    some = torch.ones(d, n)
    W_q = torch.cat([some, 100 * torch.eye(n).roll(-1, 1)])
    W_k = torch.cat([200 * torch.eye(d, n), torch.eye(n)])
    return W_q, W_k, torch.eye(d + n)[:, :d]
# %% mistake="places handed over with the words" style="all ones"
def copy_before(d, n):
    none = torch.zeros(d, n)
    W_q = torch.cat([none, 100 * torch.eye(n).roll(-1, 1)])
    W_k = torch.cat([none, torch.eye(n)])
    return W_q, W_k, torch.cat([torch.eye(d), torch.ones(n, d)])
# %% unlisted="two matrices"
def copy_before(d, n):
    none = torch.zeros(d, n)
    return torch.cat([none, 100 * torch.eye(n).roll(-1, 1)]), torch.cat([none, torch.eye(n)])
# %% unlisted="the words' part forgotten"
def copy_before(d, n):
    return 100 * torch.eye(n).roll(-1, 1), torch.eye(n), torch.eye(n, d)
