"""Files that are written completely or not at all, and CSV tables as other programs save them."""
