# %% crosses="of each mistake"
# padding mask inverted -> words may be
# queries padded instead of keys -> (batch, 1, n)
# pad token fixed at 0 -> any pad token
# mask not boolean -> (batch, 1, n)
# writes into its input -> seq stays as

# %% right="nested lists" row="loops"
def create_padding_mask(seq, pad_token=0):
    return torch.tensor([[[int(token) != pad_token for token in row]] for row in seq])
# %% right="NumPy"
def create_padding_mask(seq, pad_token=0):
    return np.expand_dims(np.asarray(seq) != pad_token, 1)
# %% right="eq and logical_not"
def create_padding_mask(seq, pad_token=0):
    seq = seq if torch.is_tensor(seq) else torch.tensor(np.array(seq))
    return torch.logical_not(seq.eq(pad_token)).view(seq.size(0), 1, seq.size(1))
# %% right="a new axis with None"
def create_padding_mask(seq, pad_token=0):
    return torch.as_tensor(seq)[:, None].ne(pad_token)
# %% right="a loop that fills" row="loops"
def create_padding_mask(seq, pad_token=0):
    seq = torch.as_tensor(seq)
    batch, n = seq.shape
    mask = torch.ones(batch, 1, n, dtype=torch.bool)
    for b in range(batch):
        for i in range(n):
            if seq[b, i] == pad_token:
                mask[b, 0, i] = False
    return mask
# %% mistake="padding mask inverted" style="equal to the pad"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) == pad_token).unsqueeze(1)
# %% mistake="padding mask inverted" style="np.equal"
def create_padding_mask(seq, pad_token=0):
    return np.equal(np.asarray(seq), pad_token)[:, np.newaxis, :]
# %% mistake="queries padded instead of keys" style="unsqueeze(2)"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) != pad_token).unsqueeze(2)
# %% mistake="queries padded instead of keys" style="unsqueeze(-1), NumPy"
def create_padding_mask(seq, pad_token=0):
    return np.expand_dims(np.asarray(seq) != pad_token, -1)
# %% mistake="pad token fixed at 0" style="compared with 0"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) != 0).unsqueeze(1)
# %% mistake="pad token fixed at 0" style="truth of the token"
def create_padding_mask(seq, pad_token=0):
    return torch.as_tensor(seq).bool().unsqueeze(1)
# %% mistake="pad token fixed at 0" style="nonzero tokens by list"
def create_padding_mask(seq, pad_token=0):
    return [[[token != 0 for token in row]] for row in np.asarray(seq).tolist()]
# %% mistake="mask not boolean" style="as floats"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) != pad_token).unsqueeze(1).float()
# %% mistake="mask not boolean" style="as integers, NumPy"
def create_padding_mask(seq, pad_token=0):
    return np.where(np.asarray(seq) == pad_token, 0, 1)[:, None, :]
# %% mistake="mask not boolean" style="0 and −inf"
def create_padding_mask(seq, pad_token=0):
    pads = (torch.as_tensor(seq) == pad_token)[:, None]
    return torch.zeros(pads.shape).masked_fill(pads, -torch.inf)
# %% mistake="writes into its input" style="pads overwritten in place"
def create_padding_mask(seq, pad_token=0):
    seq = torch.as_tensor(seq)
    keep = seq != pad_token
    seq[~keep] = -100
    return keep.unsqueeze(1)
# %% mistake="writes into its input" style="tokens shifted in place"
def create_padding_mask(seq, pad_token=0):
    if isinstance(seq, list):
        seq = np.array(seq)
    seq -= pad_token
    return torch.as_tensor(seq != 0).unsqueeze(1)
# %% unlisted="no new axis"
def create_padding_mask(seq, pad_token=0):
    return torch.as_tensor(seq) != pad_token
# %% unlisted="tensors alone"
def create_padding_mask(seq, pad_token=0):
    return (seq != pad_token).unsqueeze(1)
# %% unlisted="greater than the pad"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) > pad_token).unsqueeze(1)
# %% unlisted="an axis for the heads as well"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) != pad_token)[:, None, None, :]
# %% unlisted="everything behind the first pad"
def create_padding_mask(seq, pad_token=0):
    pads = (torch.as_tensor(seq) == pad_token).int()
    return (pads.cumsum(dim=1) == 0).unsqueeze(1)
# %% unlisted="a square for every sentence"
def create_padding_mask(seq, pad_token=0):
    m = torch.as_tensor(seq) != pad_token
    return m[:, None, :] & m[:, :, None]
# %% [markdown]
# ## From the wild
# %% right="get_pad_mask, one axis from behind"
def create_padding_mask(seq, pad_token=0):
    if not torch.is_tensor(seq):
        seq = torch.tensor(seq)
    return (seq != pad_token).unsqueeze(-2)
# %% mistake="mask not boolean" style="an attention_mask of 0 and 1"
def create_padding_mask(seq, pad_token=0):
    attention_mask = torch.as_tensor(seq).ne(pad_token).long()
    return attention_mask[:, None, :]
# %% mistake="padding mask inverted" style="a key_padding_mask"
def create_padding_mask(seq, pad_token=0):
    key_padding_mask = torch.as_tensor(seq) == pad_token
    return key_padding_mask.unsqueeze(1)
# %% unlisted="make_src_mask, ready for the heads"
def create_padding_mask(seq, pad_token=0):
    src = torch.as_tensor(seq)
    src_mask = (src != pad_token).unsqueeze(1).unsqueeze(2)
    return src_mask
# %% unlisted="lengths counted, then a range"
def create_padding_mask(seq, pad_token=0):
    seq = torch.as_tensor(seq)
    lengths = (seq != pad_token).sum(1)
    return (torch.arange(seq.size(1))[None, :] < lengths[:, None])[:, None, :]
# %% [markdown]
# ## Clumsy halves
# %% unlisted="another default"
def create_padding_mask(seq, pad_token=1):
    return (torch.as_tensor(seq) != pad_token).unsqueeze(1)
# %% unlisted="no default"
def create_padding_mask(seq, pad_token):
    return (torch.as_tensor(seq) != pad_token).unsqueeze(1)
# %% unlisted="inverted, and a constant 0" true="padding mask inverted; pad token fixed at 0"
def create_padding_mask(seq, pad_token=0):
    return (torch.as_tensor(seq) == 0).unsqueeze(1)
# %% unlisted="tensors done, lists to do"
def create_padding_mask(seq, pad_token=0):
    if torch.is_tensor(seq):
        return (seq != pad_token).unsqueeze(1)
    raise NotImplementedError("lists and arrays come later")
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="NumPy's not_equal, then from_numpy"
def create_padding_mask(seq, pad_token=0):
    words = np.asarray(seq)
    return torch.from_numpy(np.not_equal(words, pad_token)[:, np.newaxis, :])
# %% mistake="pad token fixed at 0" style="pad token fixed at 0, written blind"
def create_padding_mask(seq, pad_token=0):
    if not torch.is_tensor(seq):
        seq = torch.tensor(np.array(seq))
    return seq.bool().unsqueeze(1)
# %% right="nested loops over lists"
def create_padding_mask(seq, pad_token=0):
    result = []
    for sentence in seq:
        row = []
        for tok in sentence:
            if int(tok) == pad_token:
                row.append(False)
            else:
                row.append(True)
        result.append([row])
    return torch.tensor(result, dtype=torch.bool)
# %% unlisted="padding mask inverted; queries padded instead of keys" true="padding mask inverted; queries padded instead of keys"
def create_padding_mask(seq, pad_token=0):
    seq = torch.as_tensor(seq)
    mask = (seq == pad_token)
    mask = mask.unsqueeze(2)
    return mask
