# %% crosses="of each mistake"
# more to see, better text -> what becomes of the text
# a mask helps to learn -> what becomes of the loss
# the mask changes nothing -> what becomes of the loss; what becomes of the text

# %% right="two words"
loss_without_mask = "lower"
text_without_mask = "worse"
# %% mistake="more to see, better text" style="both good"
loss_without_mask = "lower"
text_without_mask = "better"
# %% mistake="a mask helps to learn" style="both bad"
loss_without_mask = "higher"
text_without_mask = "worse"
# %% mistake="the mask changes nothing" style="two lines"
loss_without_mask = "same"
text_without_mask = "Same"
# %% unlisted="the text as before"
loss_without_mask = "lower"
text_without_mask = "same"
# %% unlisted="numbers"
loss_without_mask = 0.2
text_without_mask = 0.0
