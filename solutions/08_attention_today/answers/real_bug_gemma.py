# %% right="a number"
line_gemma = 3
# %% right="a float"
line_gemma = 3.0
# %% mistake="gemma: another line blamed" style="the putting together"
line_gemma = 2
# %% mistake="gemma: another line blamed" style="the first turn"
line_gemma = 1
# %% unlisted="counted from nought"
line_gemma = 0
# %% unlisted="the line itself"
line_gemma = "line 3"
