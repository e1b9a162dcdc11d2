# %% right="numbers"
scores_times, temperature_times, favourites_change = 4, 0.25, False
# %% right="fractions, arrays"
scores_times = np.array(4.0)
temperature_times = 1 / 4
favourites_change = np.bool_(False)
# %% mistake="only one of the two vectors doubled" style="twice and half"
scores_times, temperature_times, favourites_change = 2, 0.5, False
# %% mistake="temperature multiplied" style="four and four"
scores_times, temperature_times, favourites_change = 4, 4, False
# %% mistake="temperature multiplied" style="two and two"
scores_times, temperature_times, favourites_change = 2, 2, False
# %% mistake="favourites change" style="sharper, so others"
scores_times, temperature_times, favourites_change = 4, 0.25, True
# %% unlisted="nothing changes"
scores_times, temperature_times, favourites_change = 1, 1, False
# %% unlisted="words"
scores_times, temperature_times, favourites_change = "four", "a quarter", "no"
