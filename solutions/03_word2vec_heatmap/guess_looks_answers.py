# %% right="plain"
cat_looks_at, sat_looks_at, mat_looks_at = 'dogs', 'playing', 'park'
# %% mistake="words paired by their positions" style="plain, again"
cat_looks_at, sat_looks_at, mat_looks_at = 'are', 'playing', 'park'
# %% mistake="words paired by grammar" style="verbs"
cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'park', 'in'
# %% mistake="words paired by grammar" style="who plays where"
cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'dogs', 'park'
# %% mistake="words paired by grammar" style="the verb that stands first"
cat_looks_at, sat_looks_at, mat_looks_at = 'are', 'are', 'park'
# %% mistake="one key taken to win for all" style="the longest"
cat_looks_at = sat_looks_at = mat_looks_at = "are"
# %% mistake="one key taken to win for all" style="the everywhere"
cat_looks_at = sat_looks_at = mat_looks_at = 'the'
# %% unlisted="a verb to another verb"
cat_looks_at, sat_looks_at, mat_looks_at = "dogs", "are", "park"
# %% [markdown]
# ## Clumsy halves
# %% unlisted="only the cat so far"
cat_looks_at = "dogs"
sat_looks_at = ...
mat_looks_at = ...
