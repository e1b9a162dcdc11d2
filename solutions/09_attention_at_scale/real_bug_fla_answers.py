# %% crosses="of each mistake"
# flash-linear-attention: another line blamed -> flash-linear-attention

# %% right="a number"
line_fla = 2
# %% right="a float"
line_fla = 2.0
# %% mistake="flash-linear-attention: another line blamed" style="the first"
line_fla = 1
# %% mistake="flash-linear-attention: another line blamed" style="the one behind it"
line_fla = 3
# %% mistake="flash-linear-attention: another line blamed" style="the last"
line_fla = 4
# %% unlisted="counted from nought"
line_fla = 0
# %% unlisted="in words"
line_fla = "the second"
