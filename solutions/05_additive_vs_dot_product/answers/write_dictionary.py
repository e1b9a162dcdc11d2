# %% what_if="Two English words have the same row. What becomes of the dictionary?" because="Both have the same score with every French word. So no matrix can give 10 to one and 0 to the other, and this W gives 5 to both."
english = torch.tensor([[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
french = torch.eye(3)[:2]
print(torch.round(english @ write_dictionary(english, french).T @ french.T, decimals=3))
# %% right="two least squares" buys="no inverse is written down: each lstsq solves for one of the two languages"
def write_dictionary(english, french):
    one = torch.eye(len(english))
    return 10 * torch.linalg.lstsq(french, one).solution @ torch.linalg.lstsq(english, one).solution.T
# %% mistake="each word sent to its translation's vector" style="least squares onto the vectors"
def write_dictionary(english, french):
    return torch.linalg.lstsq(english, french).solution.T
# %% mistake="outer products summed" style="a loop"
def write_dictionary(english, french):
    W = torch.zeros(english.shape[1], english.shape[1])
    for e, f in zip(english, french):
        W = W + 10 * torch.outer(f, e)
    return W
# %% mistake="outer products summed" style="einsum, and no 10"
def write_dictionary(english, french):
    return torch.einsum("nr,nc->rc", french, english)
# %% mistake="W turned" style="the roles exchanged"
def write_dictionary(english, french):
    return 10 * torch.linalg.pinv(english) @ torch.linalg.pinv(french).T
# %% unlisted="kept in a name"
def write_dictionary(english, french):
    W = 10 * torch.linalg.pinv(french) @ torch.linalg.pinv(english).T
# %% unlisted="no map"
def write_dictionary(english, french):
    return torch.eye(english.shape[1])
