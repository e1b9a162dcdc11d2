# %% right="with attention behind"
kinds = ('Cross-attention', 'self-attention', 'CROSS')
# %% right="plain"
kinds = 'cross self cross'.split()
# %% mistake="self for cross" style="list times three"
kinds = ['self'] * 3
# %% mistake="self for cross" style="with attention behind, again"
kinds = ('self-attention', 'Self', 'self')
# %% mistake="shape for origin" style="plain, again"
kinds = ['cross', 'self', 'self']
# %% mistake="shape for origin" style="capitals"
kinds = ['Cross', 'Self', 'Self attention']
# %% unlisted="turned round"
kinds = ['self', 'cross', 'self']
# %% unlisted="two"
kinds = ['cross', 'self']
