# %% crosses="of each mistake"
# window off by one -> every word sees; of the words
# window on both sides -> no word sees
# mask not boolean -> n × n, of
# mask looks ahead -> of the words; no word sees

# %% what_if="Two layers with a window of 3 are stacked. How many words back can the last word be influenced from?" because="Four words back. Each layer reaches two words further, because a word of the second layer looks at words that have themselves looked back."
mask = sliding_window_mask(7, 3).int()
print((mask @ mask)[-1] > 0)
# %% right="a list comprehension" buys="one chain of comparisons, 0 <= i - j < width, is the whole rule"
def sliding_window_mask(n, width):
    return torch.tensor([[0 <= i - j < width for j in range(n)] for i in range(n)])
# %% mistake="window off by one" style="one too many"
def sliding_window_mask(n, width):
    return torch.tensor([[0 <= i - j <= width for j in range(n)] for i in range(n)])
# %% mistake="window on both sides" style="a band"
def sliding_window_mask(n, width):
    ones = torch.ones(n, n).bool()
    return ones.tril(width - 1) & ones.triu(1 - width)
# %% mistake="mask looks ahead" style="queries in the columns"
def sliding_window_mask(n, width):
    return torch.tensor([[0 <= j - i < width for j in range(n)] for i in range(n)])
# %% unlisted="causal, without a window"
def sliding_window_mask(n, width):
    return torch.ones(n, n).bool().tril()
# %% unlisted="what has left the window"
def sliding_window_mask(n, width):
    return torch.ones(n, n).bool().tril(-width)
# %% unlisted="nothing returned"
def sliding_window_mask(n, width):
    torch.arange(n)
# %% mistake="mask not boolean" style="a band of ones"
def sliding_window_mask(n, width):
    return torch.ones(n, n).tril().triu(1 - width)
