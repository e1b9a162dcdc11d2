# %% right="two"
numbers_left = 2
# %% right="worked out"
numbers_left = float(min(map(len, 'The weather is in'.split())))
# %% mistake="cut to the shortest" style="nine"
numbers_left = 9
# %% mistake="cut to the shortest" style="the longest"
numbers_left = len('beautiful')
# %% mistake="one per word" style="seven"
numbers_left = 7
# %% mistake="one per word" style="seven counted"
numbers_left = len(sentence) if 'sentence' in dir() else 7
# %% mistake="first word" style="three"
numbers_left = 3
# %% mistake="first word" style="The"
numbers_left = len('The')
# %% unlisted="all letters"
numbers_left = 37
# %% unlisted="words"
numbers_left = 'two'
