# %% right="the average"
at_the_twins = [45.5, 160.5]
# %% right="computed"
at_the_twins = np.array([[43, 159], [48, 162]]).mean(0)
# %% mistake="one of two equal keys ignored" style="the first"
at_the_twins = (43.0, 159.0)
# %% mistake="one of two equal keys ignored" style="the last"
at_the_twins = np.array([48, 162])
# %% mistake="values added instead of averaged" style="the sum"
at_the_twins = [43 + 48, 159 + 162]
# %% unlisted="everyone's mean"
at_the_twins = [43.67, 158.67]
# %% unlisted="one number"
at_the_twins = 45.5
