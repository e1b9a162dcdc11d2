# %% right="plain"
cat_looks_at, sat_looks_at, mat_looks_at = 'dogs', 'playing', 'park'
# %% right="capitals"
cat_looks_at = 'Dogs'
sat_looks_at = ' playing '
mat_looks_at = 'PARK'
# %% mistake="same place" style="plain, again"
cat_looks_at, sat_looks_at, mat_looks_at = 'are', 'playing', 'park'
# %% mistake="same place" style="capitals, again"
cat_looks_at, sat_looks_at, mat_looks_at = 'Are', 'playing', 'Park'
# %% mistake="grammar" style="verbs"
cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'park', 'in'
# %% mistake="grammar" style="who plays where"
cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'dogs', 'park'
# %% unlisted="the everywhere"
cat_looks_at = sat_looks_at = mat_looks_at = 'the'
# %% unlisted="numbers"
cat_looks_at, sat_looks_at, mat_looks_at = 0, 2, 5
