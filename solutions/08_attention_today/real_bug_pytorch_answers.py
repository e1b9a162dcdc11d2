# %% right="a number"
line_pytorch = 3
# %% right="a float"
line_pytorch = 3.0
# %% mistake="pytorch: another line blamed" style="the softmax"
line_pytorch = 4
# %% mistake="pytorch: another line blamed" style="the putting together"
line_pytorch = 1
# %% unlisted="counted from nought"
line_pytorch = 0
# %% unlisted="the line itself"
line_pytorch = "line 3"
