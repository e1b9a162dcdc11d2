# %% right="sixths"
weights_of_length_3 = [1/6, 1/3, 1/2, 0]
# %% right="rounded tensor"
weights_of_length_3 = torch.tensor([0.17, 0.33, 0.5, 0])
# %% mistake="mask ignored" style="as if there were no length"
weights_of_length_3 = [0.1, 0.2, 0.3, 0.4]
# %% mistake="masked after the softmax" style="a lost share"
weights_of_length_3 = (0.1, 0.2, 0.3, 0)
# %% mistake="valid length off by one" style="two keys"
weights_of_length_3 = [0.33, 0.67, 0, 0]
# %% mistake="equal weights whatever the scores" style="thirds"
weights_of_length_3 = [1 / 3] * 3 + [0]
# %% unlisted="the scores"
weights_of_length_3 = [1, 2, 3, 0]
# %% unlisted="the best takes all"
weights_of_length_3 = [0, 0, 1, 0]
# %% [markdown]
# ## Clumsy halves
# %% unlisted="three weights, the hidden one left out"
weights_of_length_3 = [1 / 6, 2 / 6, 3 / 6]
# %% unlisted="shares not divided by their sum, as whole percents"
weights_of_length_3 = [17, 33, 50, 0]
# %% right="a text of numbers made numbers"
weights_of_length_3 = [float(share) for share in "0.1667 0.3333 0.5 0".split()]
