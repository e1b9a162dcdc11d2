
# %% [markdown] prompt="$name"
# ## `$name`
#
# ★☆☆ · 5 minutes
#
# TODO: what it is for, in one sentence, and the shapes.

# %% solution="$name"
def $name(x: float) -> float:
    """TODO: what comes back, and its shape."""
    ### BEGIN SOLUTION
    return x
    ### END SOLUTION

# %% test="$name"
check($name)

# %% [markdown] hint="$name"
# <details><summary>TODO: a first step</summary>
#
# TODO: and where it leads.
#
# </details>
