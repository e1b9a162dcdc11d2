# %% crosses="of each mistake"
# mlx-lm: another line blamed -> mlx-lm

# %% right="a number"
line_mlx = 2
# %% right="a float"
line_mlx = 2.0
# %% mistake="mlx-lm: another line blamed" style="the first"
line_mlx = 1
# %% mistake="mlx-lm: another line blamed" style="the one behind it"
line_mlx = 3
# %% mistake="mlx-lm: another line blamed" style="the last"
line_mlx = 4
# %% unlisted="counted from nought"
line_mlx = 0
# %% unlisted="in words"
line_mlx = "the second"
