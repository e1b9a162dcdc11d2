# %% right="plain"
cat_looks_at, sat_looks_at, mat_looks_at = 'dogs', 'playing', 'park'
# %% right="capitals"
cat_looks_at = 'Dogs'
sat_looks_at = ' playing '
mat_looks_at = 'PARK'
# %% mistake="words paired by their positions" style="plain, again"
cat_looks_at, sat_looks_at, mat_looks_at = 'are', 'playing', 'park'
# %% mistake="words paired by their positions" style="capitals, again"
cat_looks_at, sat_looks_at, mat_looks_at = 'Are', 'playing', 'Park'
# %% mistake="words paired by grammar" style="verbs"
cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'park', 'in'
# %% mistake="words paired by grammar" style="who plays where"
cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'dogs', 'park'
# %% unlisted="the everywhere"
cat_looks_at = sat_looks_at = mat_looks_at = 'the'
# %% unlisted="numbers"
cat_looks_at, sat_looks_at, mat_looks_at = 0, 2, 5
# %% [markdown]
# ## Clumsy halves
# %% unlisted="only the cat so far"
cat_looks_at = "dogs"
sat_looks_at = ...
mat_looks_at = ...
# %% unlisted="the cat, wrongly, so far"
cat_looks_at = "are"
sat_looks_at = ...
mat_looks_at = ...
# %% unlisted="sat as expected, mat not"
cat_looks_at, sat_looks_at, mat_looks_at = "dogs", "playing", "in"
