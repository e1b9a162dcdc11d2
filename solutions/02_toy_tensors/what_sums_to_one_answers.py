# %% right="capital"
sums_to_one = 'Matrix'
# %% right="in a list"
sums_to_one = ['matrix']
# %% mistake="axis taken for granted" style="rows"
sums_to_one = 'rows'
# %% mistake="axis taken for granted" style="every row"
sums_to_one = 'every row'
# %% mistake="axis taken for granted" style="column"
sums_to_one = 'Column'
# %% unlisted="something else"
sums_to_one = 'elephant'
# %% unlisted="a number"
sums_to_one = 1
