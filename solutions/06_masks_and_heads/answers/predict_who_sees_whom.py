# %% crosses="of each mistake"
# mask looks ahead -> under the causal
# causal mask off by one -> under the causal
# padding mask inverted -> under the padding
# queries padded instead of keys -> under the padding
# pad allowed to look at itself -> under the padding; under both
# token values instead of positions -> under the causal; under the padding
# row of the mask instead of positions -> under the causal; under the padding
# masks joined by or instead of and -> under both
# positions counted from 1 -> under the causal; under the padding

# %% right="lists"
sees_causal = [0, 1, 2]
sees_padding = [0, 1, 3]
sees_both = [0, 1]
# %% right="read off the masks"
seq = torch.tensor([[5, 8, 0, 2, 0]])
causal = create_causal_mask(5)
padding = create_padding_mask(seq)[0]
sees_causal = causal[2].nonzero().squeeze(1)
sees_padding = padding[0].nonzero().flatten().tolist()
sees_both = list((causal & padding)[2].nonzero()[:, 0])
# %% mistake="mask looks ahead" style="later words"
sees_causal = [2, 3, 4]
sees_padding = [0, 1, 3]
sees_both = [3]
# %% mistake="mask looks ahead" style="all words"
sees_causal = list(range(5))
sees_padding = [0, 1, 3]
sees_both = [0, 1, 3]
# %% mistake="causal mask off by one" style="earlier words alone"
sees_causal = [0, 1]
sees_padding = [0, 1, 3]
sees_both = [0, 1]
# %% mistake="causal mask off by one" style="range(4)"
sees_causal = range(4)
sees_padding = [0, 1, 3]
sees_both = [0, 1, 3]
# %% mistake="padding mask inverted" style="the pads"
sees_causal = [0, 1, 2]
sees_padding = [2, 4]
sees_both = [2]
# %% mistake="queries padded instead of keys" style="a pad sees nothing"
sees_causal = [0, 1, 2]
sees_padding = []
sees_both = []
# %% mistake="pad allowed to look at itself" style="itself among them"
sees_causal = (0, 1, 2)
sees_padding = (0, 1, 2, 3)
sees_both = (0, 1, 2)
# %% mistake="masks joined by or instead of and" style="the union"
sees_causal = [0, 1, 2]
sees_padding = [0, 1, 3]
sees_both = sorted(set(sees_causal) | set(sees_padding))
# %% mistake="positions counted from 1" style="positions from one"
sees_causal = [1, 2, 3]
sees_padding = [1, 2, 4]
sees_both = [1, 2]
# %% mistake="token values instead of positions" style="tokens of later words"
sees_causal = [0, 2, 0]
sees_padding = [5, 8, 2]
sees_both = [2]
# %% mistake="row of the mask instead of positions" style="zeros and ones"
sees_causal = [1, 1, 1, 0, 0]
sees_padding = [1, 1, 0, 1, 0]
sees_both = [1, 1, 0, 0, 0]
# %% mistake="token values instead of positions" style="what stands there"
sees_causal = [5, 8, 0]
sees_padding = [5, 8, 2]
sees_both = [5, 8]
# %% [markdown]
# ## Clumsy halves
# %% unlisted="two of three"
sees_causal = [0, 1, 2]
sees_padding = [0, 1, 3]
sees_both = ...
# %% unlisted="only the last, and wrong"
sees_causal = ...
sees_padding = ...
sees_both = [0, 1, 3]
# %% unlisted="True and False" true="row of the mask instead of positions"
sees_causal = [True, True, True, False, False]
sees_padding = [True, True, False, True, False]
sees_both = [True, True, False, False, False]
