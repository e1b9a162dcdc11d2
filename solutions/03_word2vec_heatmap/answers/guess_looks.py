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
# %% mistake="a word of any sentence taken for a similar one" style="a verb to another verb"
cat_looks_at, sat_looks_at, mat_looks_at = "dogs", "are", "park"
# %% [markdown]
# ## Clumsy halves
# %% unlisted="only the cat so far"
cat_looks_at = "dogs"
sat_looks_at = ...
mat_looks_at = ...
# %% unlisted="the preposition twice"
cat_looks_at, sat_looks_at, mat_looks_at = "park", "in", "in"
# %% mistake="a word of any sentence taken for a similar one" style="where it sits"
cat_looks_at, sat_looks_at, mat_looks_at = "dogs", "in", "park"
# %% mistake="a word of any sentence taken for a similar one" style="the mat"
cat_looks_at, sat_looks_at, mat_looks_at = "dogs", "playing", "the"
# %% mistake="any noun taken for a similar one" style="the two nouns exchanged"
cat_looks_at, sat_looks_at, mat_looks_at = "park", "playing", "dogs"
# %% mistake="words paired by grammar" style="who sits"
cat_looks_at, sat_looks_at, mat_looks_at = "dogs", "dogs", "park"
