# %% what_if="A single word asks, m = 1. What does the mask hide, and is it needed then?" because="Nothing: the newest word may look at all there are. Word by word, a decoder needs no mask."
print(causal_mask_from(1, 5))
# %% right="the last rows of the whole table" buys="nothing to work out: the old words have asked already, their rows are cut off"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError("m must not exceed n")
    return torch.tril(torch.ones(n, n, dtype=torch.bool))[-m:]
# %% right="tril with a diagonal" buys="the library shifts the diagonal by n - m for you"
def causal_mask_from(m, n):
    if not m <= n:
        raise ValueError
    return torch.ones(m, n).tril(diagonal=n - m) == 1
# %% right="loops over Python lists" row="loops"
def causal_mask_from(m, n):
    if n - m < 0:
        raise ValueError(f"{n} words, of which {m} ask")
    return torch.tensor([[j <= n - m + i for j in range(n)] for i in range(m)])
# %% right="np.tri, an array" row="NumPy"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return np.tri(m, n, n - m, dtype=bool)
# %% right="all old words, then a small causal mask" buys="it shows the two halves: all that was before, and the triangle of the new words"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError("too many")
    old = torch.ones((m, n - m), dtype=torch.bool)
    return torch.cat([old, ~torch.triu(torch.ones(m, m, dtype=torch.bool), 1)], dim=1)
# %% mistake="mask aligned at the top left" style="tril of ones"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.tril(torch.ones(m, n)).bool()
# %% mistake="mask looks ahead" style="triu"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.ones(m, n).triu(n - m).bool()
# %% mistake="mask looks ahead" style="True = hidden"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    rows, columns = torch.meshgrid(torch.arange(n - m, n), torch.arange(n), indexing="ij")
    return columns > rows
# %% mistake="new words not masked among themselves" style="ones"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.full((m, n), True)
# %% mistake="causal mask off by one" style="not itself"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.ones(m, n).tril(n - m - 1).bool()
# %% mistake="causal mask off by one" style="the next one as well"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.ones(m, n).tril(n - m + 1).bool()
# %% mistake="old words hidden" style="a band"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.tensor([[n - m <= j <= n - m + i for j in range(n)] for i in range(m)])
# %% mistake="rows and columns exchanged" style="the last columns"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.ones(n, n).triu().bool()[:, n - m:]
# %% mistake="mask not boolean" style="ones and zeros"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.ones(m, n).tril(n - m)
# %% mistake="mask not boolean" style="minus infinity"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.full((m, n), float("-inf")).triu(n - m + 1)
# %% mistake="m above n not refused" style="no check"
def causal_mask_from(m, n):
    return torch.ones(m, n).tril(n - m).bool()
# %% mistake="m above n not refused" style="cut to size"
def causal_mask_from(m, n):
    m = min(m, n)
    return torch.ones(m, n).tril(n - m).bool()
# %% unlisted="assert" true="assert instead of raise"
def causal_mask_from(m, n):
    assert m <= n
    return torch.ones(m, n).tril(n - m).bool()
# %% unlisted="mirrored"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.ones(m, n).tril(n - m).bool().flip(1)
# %% unlisted="refuses m = n as well"
def causal_mask_from(m, n):
    if m >= n:
        raise ValueError
    return torch.ones(m, n).tril(n - m).bool()
# %% mistake="moved the wrong way" style="a minus in the loop"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.tensor([[j <= i - (n - m) for j in range(n)] for i in range(m)])
# %% mistake="rows and columns exchanged" style="ones of n and m"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.ones(n, m).tril(n - m).bool()
# %% mistake="axis of length 1 lost" style="squeeze"
def causal_mask_from(m, n):
    if m > n:
        raise ValueError
    return torch.ones(m, n).tril(n - m).bool().squeeze()
