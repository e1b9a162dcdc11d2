# %% right="booleans"
bare_dot_product_learns, additive_learns, mapped_dot_product_learns = False, True, True
# %% right="counted parameters"
bare_dot_product_learns = 0 > 0
additive_learns = 272 > 0
mapped_dot_product_learns = 64 > 0
# %% mistake="learning without parameters" style="all three"
bare_dot_product_learns = additive_learns = mapped_dot_product_learns = True
# %% mistake="only the score can learn" style="additive alone"
bare_dot_product_learns = mapped_dot_product_learns = False
additive_learns = True
# %% unlisted="none"
bare_dot_product_learns = additive_learns = mapped_dot_product_learns = False
# %% unlisted="the mapped one alone"
bare_dot_product_learns = additive_learns = False
mapped_dot_product_learns = True
