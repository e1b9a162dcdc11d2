# %% right="two figures"
divisor = 1.73
# %% right="root"
divisor = np.sqrt(3)
# %% mistake="wrong length" style="two"
divisor = 2
# %% mistake="wrong length" style="four keys"
divisor = len([0, 1, 2, 3])
# %% mistake="wrong power" style="three"
divisor = 3
# %% mistake="wrong power" style="half of three"
divisor = 3 ** 1 / 2
# %% unlisted="ten"
divisor = 10
# %% unlisted="text"
divisor = 'sqrt(3)'
