# %% right="fraction"
weights_left = 14 / 17
# %% right="rounded"
weights_left = 0.82
# %% right="worked out"
weights_left = 1 - len('the') / len('thecatsatonthemat')
# %% mistake="loss by the dictionary overlooked" style="one"
weights_left = 1
# %% mistake="loss by the dictionary overlooked" style="a list of one"
weights_left = [1.0]
# %% mistake="both copies of the word taken as lost" style="both gone"
weights_left = 11 / 17
# %% mistake="both copies of the word taken as lost" style="both gone, rounded"
weights_left = .65
# %% mistake="weight that is lost, not weight that is left" style="three letters of seventeen"
weights_left = 3 / 17
# %% mistake="weight that is lost, not weight that is left" style="lost, rounded"
weights_left = 0.18
# %% unlisted="five sixths"
weights_left = 5 / 6
# %% unlisted="count"
weights_left = 5
# %% unlisted="per cent"
weights_left = 82
