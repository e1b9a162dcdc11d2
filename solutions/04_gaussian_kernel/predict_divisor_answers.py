# %% right="three"
divisor_at_9 = 3
# %% right="a root"
divisor_at_9 = np.sqrt(9)
# %% mistake="wrong power" style="nine"
divisor_at_9 = 9.0
# %% mistake="wrong power" style="half"
divisor_at_9 = 9 ** 1 / 2
# %% unlisted="two"
divisor_at_9 = 2
# %% unlisted="none"
divisor_at_9 = None
