# %% right="capital"
sums_to_one = 'Matrix'
# %% right="in a list"
sums_to_one = ['matrix']
# %% mistake="sum over everything taken for sums along an axis" style="rows"
sums_to_one = 'rows'
# %% mistake="sum over everything taken for sums along an axis" style="column"
sums_to_one = 'Column'
# %% unlisted="something else"
sums_to_one = 'elephant'
# %% unlisted="a number"
sums_to_one = 1
