# %% right="the same numbers are read"
product_takes_twice_as_long = False
# %% right="NumPy's"
product_takes_twice_as_long = np.False_
# %% mistake="time counted in multiplications" style="twice the work"
product_takes_twice_as_long = True
# %% unlisted="in words"
product_takes_twice_as_long = "no"
# %% unlisted="a ratio"
product_takes_twice_as_long = 0.75
