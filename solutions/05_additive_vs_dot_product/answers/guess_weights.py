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
