# %% crosses="of each mistake"
# padding mask inverted -> words may be
# queries padded instead of keys -> (batch, 1, n)
# axis for the queries missing -> (batch, 1, n)
# axis of length 1 lost -> (batch, 1, n)
# pad token fixed at 0 -> any pad token
# mask not boolean -> (batch, 1, n)
# writes into its input -> seq stays as

# %% what_if="Why (batch, 1, n) and not (batch, n, n)? What comes of joining it with the causal mask of shape (n, n)?" because="The axis of length 1 is broadcast to all queries, so a padded key is hidden from all of them. Joined by & with (n, n), it gives (batch, n, n), a mask for each sentence."
padding = create_padding_mask(torch.tensor([[5, 7, 0], [4, 0, 0]]))
print(padding.shape, (padding & create_causal_mask(3)).shape)
# %% right="nested lists" row="loops" buys="the shape is in the brackets: one pair more makes the axis for the queries"
def create_padding_mask(seq, pad_token=0):
    return torch.tensor([[[int(token) != pad_token for token in row]] for row in seq])
# %% right="ne and None" buys="`ne` is `!=` as a method, and `None` inserts the axis for the queries"
def create_padding_mask(seq, pad_token=0):
    return torch.as_tensor(seq).ne(pad_token)[:, None]
# %% right="NumPy"
def create_padding_mask(seq, pad_token=0):
    return np.expand_dims(np.asarray(seq) != pad_token, 1)
# %% mistake="padding mask inverted" style="equal to the pad"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) == pad_token).unsqueeze(1)
# %% mistake="queries padded instead of keys" style="unsqueeze(2)"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) != pad_token).unsqueeze(2)
# %% mistake="pad token fixed at 0" style="compared with 0"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) != 0).unsqueeze(1)
# %% mistake="pad token fixed at 0" style="truth of the token"
def create_padding_mask(seq, pad_token=0):
    return torch.as_tensor(seq).bool().unsqueeze(1)
# %% mistake="mask not boolean" style="as floats"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) != pad_token).unsqueeze(1).float()
# %% mistake="mask not boolean" style="0 and −inf"
def create_padding_mask(seq, pad_token=0):
    pads = (torch.as_tensor(seq) == pad_token)[:, None]
    return torch.zeros(pads.shape).masked_fill(pads, -torch.inf)
# %% mistake="writes into its input" style="tokens shifted in place"
def create_padding_mask(seq, pad_token=0):
    if isinstance(seq, list):
        seq = np.array(seq)
    seq -= pad_token
    return torch.as_tensor(seq != 0).unsqueeze(1)
# %% mistake="axis for the queries missing" style="compared, no new axis"
def create_padding_mask(seq, pad_token=0):
    return torch.as_tensor(seq) != pad_token
# %% unlisted="tensors alone"
def create_padding_mask(seq, pad_token=0):
    return (seq != pad_token).unsqueeze(1)
# %% unlisted="greater than the pad"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) > pad_token).unsqueeze(1)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="another default"
def create_padding_mask(seq, pad_token=1):
    return (torch.as_tensor(seq) != pad_token).unsqueeze(1)
# %% unlisted="inverted, and a constant 0" true="padding mask inverted; pad token fixed at 0"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) == 0).unsqueeze(1)
# %% mistake="axis of length 1 lost" style="the batch squeezed"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) != pad_token)[:, None].squeeze(0)
