# %% crosses="of each mistake"
# each word sent to its translation's vector -> 10 for the
# outer products summed -> 10 for the
# W turned -> 10 for the

# %% right="two least squares"
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
