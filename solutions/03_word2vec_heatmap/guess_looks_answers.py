# %% right="plain"
cat_looks_at, sat_looks_at, mat_looks_at = 'dogs', 'playing', 'park'
# %% mistake="words paired by their positions" style="plain, again"
cat_looks_at, sat_looks_at, mat_looks_at = 'are', 'playing', 'park'
# %% mistake="words paired by grammar" style="verbs"
cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'park', 'in'
# %% mistake="words paired by grammar" style="who plays where"
cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'dogs', 'park'
# %% unlisted="the everywhere"
cat_looks_at = sat_looks_at = mat_looks_at = 'the'
# %% [markdown]
# ## Clumsy halves
# %% unlisted="only the cat so far"
cat_looks_at = "dogs"
sat_looks_at = ...
mat_looks_at = ...
