# %% right="a number"
line_veloxquant = 1
# %% right="a float"
line_veloxquant = 1.0
# %% mistake="VeloxQuant: another line blamed" style="the window"
line_veloxquant = 3
# %% mistake="VeloxQuant: another line blamed" style="the choice"
line_veloxquant = 4
# %% unlisted="counted from nought"
line_veloxquant = 0
# %% unlisted="the line itself"
line_veloxquant = "line 1"
