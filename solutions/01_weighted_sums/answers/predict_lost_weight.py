# %% right="fraction"
weights_left = 14 / 17
# %% right="exact fraction"
from fractions import Fraction
weights_left = 1 - Fraction(3, 17)
# %% mistake="loss by the dictionary overlooked" style="one"
weights_left = 1
# %% mistake="both copies of the word taken as lost" style="both gone"
weights_left = 11 / 17
# %% mistake="weight that is lost, not weight that is left" style="three letters of seventeen"
weights_left = 3 / 17
# %% unlisted="five sixths"
weights_left = 5 / 6
# %% unlisted="count"
weights_left = 5
