# %% crosses="of each mistake"
# as many words dropped as should stay -> those of the; a pair of; all of them

# %% what_if="width is larger than all that is kept. What comes back?" because="All of it: a slice that begins before the first word begins at the first word."
keys, values = roll((torch.zeros(1, 3, 2), torch.zeros(1, 3, 2)), 10)
print(keys.shape)
# %% right="narrow, a list" row="views" buys="a view of what is there: nothing is copied"
def roll(kept, width):
    if width < 1:
        raise ValueError("the window needs a word")
    return [x.narrow(1, max(x.shape[1] - width, 0), min(width, x.shape[1])) for x in kept]
# %% right="copies, by max" buys="the old words are really given back to the memory: a view would keep all of them alive"
def roll(kept, width):
    if width <= 0:
        raise ValueError(width)
    K, V = kept
    first = max(0, K.size(1) - width)
    return K[:, first:, :].clone(), V[:, first:, :].clone()
# %% right="split, or all" buys="short texts come back as they are"
def roll(kept, width):
    if width < 1:
        raise ValueError
    t = kept[0].shape[1]
    if t <= width:
        return kept
    return kept[0].split([t - width, width], dim=1)[1], kept[1].split([t - width, width], dim=1)[1]
# %% mistake="cropped at the wrong end" style="the first ones"
def roll(kept, width):
    if width < 1:
        raise ValueError
    return tuple(x[:, :width] for x in kept)
# %% mistake="cropped along the wrong axis" style="the heads"
def roll(kept, width):
    if width < 1:
        raise ValueError
    return tuple(x[-width:] for x in kept)
# %% mistake="cropped along the wrong axis" style="the features"
def roll(kept, width):
    if width < 1:
        raise ValueError
    return kept[0][:, :, -width:], kept[1][:, :, -width:]
# %% mistake="only one of the pair cropped" style="keys"
def roll(kept, width):
    if width < 1:
        raise ValueError
    K, V = kept
    K = K[:, -width:]
    return K, V
# %% mistake="one word too many or too few" style="one too many"
def roll(kept, width):
    if width < 1:
        raise ValueError
    t = kept[0].shape[1]
    first = max(t - width - 1, 0)
    return kept[0][:, first:], kept[1][:, first:]
# %% mistake="one word too many or too few" style="without the newest"
def roll(kept, width):
    if width < 1:
        raise ValueError
    return tuple(x[:, -width:-1] for x in kept)
# %% mistake="a start below 0" style="t − width"
def roll(kept, width):
    if width < 1:
        raise ValueError
    keys, values = kept
    t = keys.shape[1]
    return keys[:, t - width : t], values[:, t - width : t]
# %% mistake="words moved round, not dropped" style="torch.roll"
def roll(kept, width):
    if width < 1:
        raise ValueError
    return tuple(x.roll(-width, 1) for x in kept)
# %% mistake="only the oldest word dropped" style="one at a time"
def roll(kept, width):
    if width < 1:
        raise ValueError
    keys, values = kept
    if keys.shape[1] > width:
        keys, values = keys[:, 1:], values[:, 1:]
    return keys, values
# %% mistake="width below 1 not refused" style="no check"
def roll(kept, width):
    return kept[0][:, -width:], kept[1][:, -width:]
# %% mistake="width below 1 not refused" style="below 0 alone"
def roll(kept, width):
    if width < 0:
        raise ValueError("negative")
    return tuple(x[:, -width:] for x in kept)
# %% unlisted="the keys alone come back"
def roll(kept, width):
    if width < 1:
        raise ValueError
    return kept[0][:, -width:]
# %% unlisted="a window of one word refused"
def roll(kept, width):
    if width <= 1:
        raise ValueError
    return kept[0][:, -width:], kept[1][:, -width:]
# %% unlisted="filled up with zeros"
def roll(kept, width):
    if width < 1:
        raise ValueError
    missing = max(width - kept[0].shape[1], 0)
    return tuple(functional.pad(x[:, -width:], (0, 0, missing, 0)) for x in kept)
# %% unlisted="exchanged"
def roll(kept, width):
    if width < 1:
        raise ValueError
    values, keys = kept
    return keys[:, -width:], values[:, -width:]
# %% mistake="as many words dropped as should stay" style="[:, width:]"
def roll(kept, width):
    if width < 1:
        raise ValueError
    K, V = kept
    return K[:, width:], V[:, width:]
# %% mistake="one word in place of a window" style="a colon too few"
def roll(kept, width):
    if width < 1:
        raise ValueError
    K, V = kept
    return K[:, -width], V[:, -width]
# %% mistake="keys in place of the values" style="copied"
def roll(kept, width):
    if width < 1:
        raise ValueError
    K, V = kept
    return K[:, -width:], K[:, -width:]
# %% mistake="one word too many or too few" style="t - width + 1"
def roll(kept, width):
    if width < 1:
        raise ValueError
    t = kept[0].shape[1]
    return tuple(x if t < width else x[:, t - width + 1:] for x in kept)
# %% mistake="writes into its input" style="zeros assigned to all that was read"
def roll(kept, width):
    if width < 1:
        raise ValueError
    out = tuple(x[:, -width:].clone() for x in kept)
    for x in kept:
        x[:] = 0
    return out
# %% mistake="axis of length 1 lost" style="squeeze(1)"
def roll(kept, width):
    if width < 1:
        raise ValueError
    return tuple(x[:, -width:].squeeze(1) for x in kept)
# %% mistake="width below 1 not refused" style="taken for 1"
def roll(kept, width):
    width = max(width, 1)
    return tuple(x[:, -width:] for x in kept)
