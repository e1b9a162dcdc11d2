# %% right="numbers"
understands_hits, nearest_hits, understands_changes, nearest_changes = 100, 50, 50, 0
# %% right="arrays, floats"
understands_hits = np.array(100)
nearest_hits = 100 / 2
understands_changes, nearest_changes = 50.0, False
# %% mistake="pairs counted for readings" style="fifty and half of it"
understands_hits, nearest_hits, understands_changes, nearest_changes = 50, 25, 50, 0
# %% mistake="pairs counted for readings" style="half of it everywhere"
understands_hits, nearest_hits, understands_changes, nearest_changes = 50, 25, 25, 0
# %% mistake="readings counted for pairs" style="a change for each reading"
understands_hits, nearest_hits, understands_changes, nearest_changes = 100, 50, 100, 0
# %% mistake="the control taken to be always wrong" style="no hit, and always another word"
understands_hits, nearest_hits, understands_changes, nearest_changes = 100, 0, 50, 50
# %% mistake="the control taken to be always wrong" style="no hit"
understands_hits, nearest_hits, understands_changes, nearest_changes = 100, 0, 50, 0
# %% mistake="the nearest noun taken for the one that is meant" style="every hit"
understands_hits, nearest_hits, understands_changes, nearest_changes = 100, 100, 50, 0
# %% mistake="the swap moves the nearest noun" style="every pair"
understands_hits, nearest_hits, understands_changes, nearest_changes = 100, 50, 50, 50
# %% mistake="the swap moves the nearest noun" style="half of the pairs"
understands_hits, nearest_hits, understands_changes, nearest_changes = 100, 50, 50, 25
# %% mistake="one who understands answers alike" style="no change"
understands_hits, nearest_hits, understands_changes, nearest_changes = 100, 50, 0, 0
# %% unlisted="chance everywhere"
understands_hits = nearest_hits = 50
understands_changes = nearest_changes = 25
# %% unlisted="words"
understands_hits, nearest_hits, understands_changes, nearest_changes = "all", "half", "all", "none"
