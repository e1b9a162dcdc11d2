# %% right="with attention behind"
kinds = ('Cross-attention', 'self-attention', 'CROSS')
# %% right="plain"
kinds = 'cross self cross'.split()
# %% mistake="everything called self-attention" style="list times three"
kinds = ['self'] * 3
# %% mistake="everything called self-attention" style="with attention behind, again"
kinds = ('self-attention', 'Self', 'self')
# %% mistake="two sequences taken for one" style="plain, again"
kinds = ['cross', 'self', 'self']
# %% mistake="two sequences taken for one" style="capitals"
kinds = ['Cross', 'Self', 'Self attention']
# %% unlisted="turned round"
kinds = ['self', 'cross', 'self']
# %% unlisted="two"
kinds = ['cross', 'self']
# %% [markdown]
# ## Clumsy halves
# %% unlisted="truth values"
kinds = [False, True, False]
# %% unlisted="one still open"
kinds = ["cross", "self", ...]
