# %% right="booleans"
bare_dot_product_learns, additive_learns, mapped_dot_product_learns = False, True, True
# %% mistake="learning without parameters" style="all three"
bare_dot_product_learns = additive_learns = mapped_dot_product_learns = True
# %% mistake="learned map in front of the score overlooked" style="additive alone"
bare_dot_product_learns = mapped_dot_product_learns = False
additive_learns = True
# %% unlisted="none"
bare_dot_product_learns = additive_learns = mapped_dot_product_learns = False
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the last still open"
bare_dot_product_learns = False
additive_learns = True
mapped_dot_product_learns = ...
# %% mistake="learning without parameters" style="the bare one alone"
bare_dot_product_learns, additive_learns, mapped_dot_product_learns = True, False, False
