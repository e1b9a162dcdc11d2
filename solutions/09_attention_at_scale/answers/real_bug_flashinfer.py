# %% right="a number"
line_flashinfer = 2
# %% right="a float"
line_flashinfer = 2.0
# %% mistake="flashinfer: another line blamed" style="the first"
line_flashinfer = 1
# %% mistake="flashinfer: another line blamed" style="the one behind it"
line_flashinfer = 3
# %% mistake="flashinfer: another line blamed" style="the last"
line_flashinfer = 4
# %% unlisted="counted from nought"
line_flashinfer = 0
# %% unlisted="in words"
line_flashinfer = "the second"
