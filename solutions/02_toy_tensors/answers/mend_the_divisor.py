# %% right="two figures"
divisor = 1.73
# %% right="root"
divisor = np.sqrt(3)
# %% right="decimal"
from decimal import Decimal
divisor = Decimal(3).sqrt()
# %% mistake="divided by the root of the wrong length" style="two"
divisor = 2
# %% mistake="divided by the wrong power of d_k" style="three"
divisor = 3
# %% mistake="divided by the wrong power of d_k" style="half of three"
divisor = 3 ** 1 / 2
# %% unlisted="ten"
divisor = 10
# %% unlisted="text"
divisor = 'sqrt(3)'
# %% [markdown]
# ## Clumsy halves
# %% mistake="divided by the wrong power of d_k" style="squared"
divisor = 3 ** 2
