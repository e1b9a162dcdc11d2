# %% right="computed"
equal_groups = (512 + 64) / (2 * 128)
# %% right="two and a quarter"
equal_groups = 2.25
# %% mistake="keys counted, but no values" style="over 128"
equal_groups = 576 / 128
# %% mistake="the turned numbers forgotten" style="512 alone"
equal_groups = 512 / 256
# %% mistake="the latent vector counted for each head" style="times 128"
equal_groups = 128 * 576 / 256
# %% mistake="compared the wrong way round" style="256 over 576"
equal_groups = 256 / 576
# %% mistake="values counted twice" style="over 512"
equal_groups = 576 / 512
# %% unlisted="rounded down"
equal_groups = 3
# %% unlisted="in words"
equal_groups = "two"
