# %% right="worse"
loss_behind_16 = "higher"
# %% mistake="more words must help" style="more context"
loss_behind_16 = "lower"
# %% mistake="sixteen words are enough for it" style="no change"
loss_behind_16 = "same"
# %% unlisted="a number"
loss_behind_16 = 4.2
