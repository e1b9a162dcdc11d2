# %% crosses="of each mistake"
# attention reads in order -> what becomes of the output for bites; what becomes of the output for dog
# a moved word has another query -> what becomes of the output for dog

# %% right="in one line"
bites_changes = dog_changes = not True
# %% right="computed"
bites_changes, dog_changes = torch.tensor(False), 1 > 2
# %% mistake="attention reads in order" style="both"
bites_changes = True
dog_changes = True
# %% mistake="a moved word has another query" style="the moved one"
bites_changes = False
dog_changes = True
# %% unlisted="the one that stays"
bites_changes = True
dog_changes = False
# %% unlisted="in words"
bites_changes = "no"
dog_changes = "no"
