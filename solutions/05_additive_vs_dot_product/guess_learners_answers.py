# %% right="booleans"
bare_dot_product_learns, additive_learns, mapped_dot_product_learns = False, True, True
# %% right="counted parameters"
bare_dot_product_learns = 0 > 0
additive_learns = 272 > 0
mapped_dot_product_learns = 64 > 0
# %% mistake="learning without parameters" style="all three"
bare_dot_product_learns = additive_learns = mapped_dot_product_learns = True
# %% mistake="learned map in front of the score overlooked" style="additive alone"
bare_dot_product_learns = mapped_dot_product_learns = False
additive_learns = True
# %% unlisted="none"
bare_dot_product_learns = additive_learns = mapped_dot_product_learns = False
# %% unlisted="the mapped one alone"
bare_dot_product_learns = additive_learns = False
mapped_dot_product_learns = True
# %% [markdown]
# ## Clumsy halves
# %% unlisted="texts"
bare_dot_product_learns, additive_learns, mapped_dot_product_learns = "False", "True", "True"
# %% unlisted="the last still open"
bare_dot_product_learns = False
additive_learns = True
mapped_dot_product_learns = ...
# %% mistake="learning without parameters" style="the bare one alone"
bare_dot_product_learns, additive_learns, mapped_dot_product_learns = True, False, False
