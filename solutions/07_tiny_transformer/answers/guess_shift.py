# %% crosses="of each mistake"
# targets not shifted -> what should be; the loss of
# shifted the wrong way -> what should be
# loss near 0 -> the loss of
# the count taken for the loss -> the loss of
# another base than e -> the loss of
# shifted twice -> what should be

# %% right="by hand"
targets = [1, 3, 2, 4]
untrained_loss = 6.9
# %% right="computed"
targets = torch.tensor([4, 1, 3, 2, 4])[1:]
untrained_loss = math.log(986)
# %% right="rounded"
targets = (1, 3, 2, 4)
untrained_loss = 7
# %% mistake="targets not shifted" style="the inputs"
targets = [4, 1, 3, 2]
untrained_loss = 6.9
# %% mistake="targets not shifted" style="the inputs, and the count"
targets = [4, 1, 3, 2]
untrained_loss = 986
# %% mistake="shifted the wrong way" style="one back"
targets = [4, 4, 1, 3]
untrained_loss = 6.89
# %% mistake="loss near 0" style="the chance"
targets = [1, 3, 2, 4]
untrained_loss = 1 / 986
# %% mistake="the count taken for the loss" style="986"
targets = [1, 3, 2, 4]
untrained_loss = 986
# %% mistake="another base than e" style="bits"
targets = [1, 3, 2, 4]
untrained_loss = math.log2(986)
# %% mistake="another base than e" style="digits"
targets = [1, 3, 2, 4]
untrained_loss = math.log10(986)
# %% unlisted="the last one too"
targets = [1, 3, 2, 4, 4]
untrained_loss = 6.9
# %% unlisted="one half"
targets = [1, 3, 2, 4]
untrained_loss = ...
# %% mistake="shifted twice" style="two on"
targets = [3, 2, 4, 0]
untrained_loss = 6.9
