# %% [markdown]
# # Temperatures
#
# Two small functions: one for a number or an array, one that finds days. About 10 minutes.

# %% setup="imports"
import numpy as np

from autograder import check

check.lesson("01_temperatures")

# %% [markdown] prompt="to_celsius"
# ## `to_celsius`
#
# Water freezes at 32 °F and boils at 212 °F. Write the temperature in °C, for a number as for an array.

# %% solution="to_celsius"
def to_celsius(fahrenheit: float | np.ndarray) -> float | np.ndarray:
    """The same temperatures in °C, in the shape of `fahrenheit`."""
    ### BEGIN SOLUTION
    return (fahrenheit - 32) * 5 / 9
    ### END SOLUTION

# %% test="to_celsius"
check(to_celsius)

# %% [markdown] hint="to_celsius"
# <details><summary>How many degrees Celsius lie between freezing and boiling?</summary>
#
# 100, and 180 degrees Fahrenheit. What is 0 °C in °F?
#
# </details>

# %% [markdown] prompt="warmest_days"
# ## `warmest_days`
#
# Return the positions of the `k` warmest days, the warmest first: an integer array of shape (k,).

# %% solution="warmest_days"
def warmest_days(temperatures: np.ndarray, k: int) -> np.ndarray:
    """Positions of the k largest entries of an array (n,), the largest first: (k,)."""
    ### BEGIN SOLUTION
    return np.argsort(-temperatures)[:k]
    ### END SOLUTION

# %% test="warmest_days"
check(warmest_days)

# %% [markdown] hint="warmest_days"
# <details><summary>Values or positions?</summary>
#
# `np.sort` gives the values, `np.argsort` the positions. Both begin with the smallest.
#
# </details>
