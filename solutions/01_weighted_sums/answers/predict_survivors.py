# %% right="two"
numbers_left = 2
# %% right="worked out"
numbers_left = float(min(map(len, 'The weather is in'.split())))
# %% mistake="as many numbers as the longest word" style="nine"
numbers_left = 9
# %% mistake="as many numbers as words" style="seven"
numbers_left = 7
# %% mistake="as many numbers as the first word has letters" style="three"
numbers_left = 3
# %% unlisted="all letters"
numbers_left = 37
# %% unlisted="words"
numbers_left = 'two'
