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
# %% right="sets"
sees_causal = {2, 1, 0}
sees_padding = {3, 1, 0}
sees_both = sees_causal & sees_padding
# %% mistake="looks ahead" style="later words"
sees_causal = [2, 3, 4]
sees_padding = [0, 1, 3]
sees_both = [3]
# %% mistake="looks ahead" style="all words"
sees_causal = list(range(5))
sees_padding = [0, 1, 3]
sees_both = [0, 1, 3]
# %% mistake="diagonal" style="earlier words alone"
sees_causal = [0, 1]
sees_padding = [0, 1, 3]
sees_both = [0, 1]
# %% mistake="diagonal" style="range(4)"
sees_causal = range(4)
sees_padding = [0, 1, 3]
sees_both = [0, 1, 3]
# %% mistake="inverted padding" style="the pads"
sees_causal = [0, 1, 2]
sees_padding = [2, 4]
sees_both = [2]
# %% mistake="pads the queries" style="a pad sees nothing"
sees_causal = [0, 1, 2]
sees_padding = []
sees_both = []
# %% mistake="sees itself" style="itself among them"
sees_causal = (0, 1, 2)
sees_padding = (0, 1, 2, 3)
sees_both = (0, 1, 2)
# %% mistake="either instead of both" style="the union"
sees_causal = [0, 1, 2]
sees_padding = [0, 1, 3]
sees_both = sorted(set(sees_causal) | set(sees_padding))
# %% mistake="counted from 1" style="positions from one"
sees_causal = [1, 2, 3]
sees_padding = [1, 2, 4]
sees_both = [1, 2]
# %% unlisted="tokens"
sees_causal = [5, 8, 0]
sees_padding = [5, 8, 2]
sees_both = [5, 8]
# %% unlisted="zeros and ones"
sees_causal = [1, 1, 1, 0, 0]
sees_padding = [1, 1, 0, 1, 0]
sees_both = [1, 1, 0, 0, 0]
