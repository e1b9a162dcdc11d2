# %% right="three"
divisor_at_9 = 3
# %% right="a root"
divisor_at_9 = np.sqrt(9)
# %% mistake="divided by d_k instead of √d_k" style="nine"
divisor_at_9 = 9.0
# %% mistake="halved instead of rooted" style="half"
divisor_at_9 = 9 ** 1 / 2
# %% mistake="squared instead of rooted" style="eighty-one"
divisor_at_9 = 9 ** 2
# %% mistake="factor instead of divisor" style="a third"
divisor_at_9 = 9 ** -0.5
# %% unlisted="two"
divisor_at_9 = 2
# %% unlisted="none"
divisor_at_9 = None
