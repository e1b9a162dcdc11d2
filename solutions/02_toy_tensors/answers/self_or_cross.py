# %% right="with attention behind"
kinds = ('Cross-attention', 'self-attention', 'CROSS')
# %% right="plain"
kinds = 'cross self cross'.split()
# %% right="an array of words"
kinds = np.array(["cross", "self", "cross"])
# %% mistake="everything called self-attention" style="list times three"
kinds = ['self'] * 3
# %% mistake="two sequences taken for one" style="plain, again"
kinds = ['cross', 'self', 'self']
# %% mistake="queries of their own taken for self-attention" style="the notes' slip"
kinds = ["self", "self", "cross"]
# %% mistake="queries of their own taken for self-attention" style="capitals"
kinds = "Self Self Cross".split()
# %% unlisted="turned round"
kinds = ['self', 'cross', 'self']
# %% [markdown]
# ## Clumsy halves
# %% unlisted="truth values"
kinds = [False, True, False]
