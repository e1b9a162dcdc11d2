# %% [markdown]
# # $title
#
# TODO: what this lesson is about. About 30 minutes.

# %% setup="imports"
import numpy as np

from autograder import check

check.lesson("$lesson")
