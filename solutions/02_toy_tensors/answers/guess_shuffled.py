# %% right="a list"
after_shuffling = ["same", "reordered", "different"]
# %% right="a tuple, capitals"
after_shuffling = ("Same", "Reordered", "DIFFERENT")
# %% mistake="order of the keys taken to matter" style="turns with the keys"
after_shuffling = ["reordered", "reordered", "different"]
# %% mistake="order of the keys taken to matter" style="other numbers"
after_shuffling = ("different", "reordered", "different")
# %% mistake="keys torn from their values" style="nothing happens"
after_shuffling = ["same", "reordered", "same"]
# %% mistake="keys torn from their values" style="the output turns, too"
after_shuffling = ["same", "reordered", "Reordered"]
# %% mistake="queries taken to share one answer" style="Q without effect"
after_shuffling = ["same", "same", "different"]
# %% unlisted="all the same"
after_shuffling = ["same"] * 3
# %% unlisted="one word"
after_shuffling = "same"
