# %% right="as in the solution"
def $name(x):
    return x

# %% mistake="TODO: its name" style="one way"
def $name(x):
    return -x

# %% mistake="TODO: its name" style="another way"
def $name(x):
    return 0 - x

# %% unlisted="nothing returned"
def $name(x):
    x

# %% unlisted="one more"
def $name(x):
    return x + 1
