# %% [markdown]
# # $title
#
# | lesson | its question |
# | --- | --- |
# | [Temperatures](01_temperatures/temperatures.ipynb) | How warm was it, and when? |

# %% [markdown]
# ## How far you are

# %%
from autograder import show_progress

show_progress()
