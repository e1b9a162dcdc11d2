# %% what_if="One word has 0.95 of all probability, and share is 0.9. How many words are left to draw from?" because="One: it alone is more than the share. Where the model is sure, top_p is greedy; where it is not, it leaves many words."
print(top_p(torch.tensor([0.95, 0.03, 0.02]), 0.9))
print(top_p(torch.tensor([0.4, 0.35, 0.25]), 0.9))
# %% right="one word after the other" row="loops" buys="it reads as one would explain it: the likeliest first, until there is enough"
def top_p(probabilities, share):
    kept, total = torch.zeros(len(probabilities)), 0.0
    for i in sorted(range(len(probabilities)), key=lambda i: -probabilities[i]):
        if total >= share:
            break
        kept[i] = probabilities[i]
        total += float(probabilities[i])
    return kept / kept.sum()
# %% right="a threshold from the sorted ones" buys="sorted once, then one comparison for all words"
def top_p(probabilities, share):
    ordered = torch.sort(probabilities, descending=True).values
    n = int((ordered.cumsum(0) - ordered < share).sum())
    kept = torch.where(probabilities >= ordered[n - 1], probabilities, torch.tensor(0.0))
    return kept / kept.sum()
# %% right="what the likelier ones sum to, float64" buys="nothing is sorted: each word asks how much lies above it"
def top_p(probabilities, share):
    p = probabilities.double()
    before = torch.where(p[None, :] > p[:, None], p[None, :], 0.0).sum(1)
    return torch.where(before < share, p, 0.0) / p[before < share].sum()
# %% mistake="the word that reaches the share left out" style="cumsum <= share"
def top_p(probabilities, share):
    ordered, words = torch.sort(probabilities, descending=True)
    kept = torch.zeros_like(probabilities)
    chosen = words[ordered.cumsum(0) <= share]
    kept[chosen] = probabilities[chosen]
    return kept / kept.sum()
# %% mistake="the word that reaches the share left out" style="cumsum < share"
def top_p(probabilities, share):
    ordered, words = probabilities.sort(descending=True)
    kept = torch.zeros_like(probabilities)
    kept[words] = ordered * (ordered.cumsum(0) < share)
    return kept / kept.sum()
# %% mistake="one more where the share is met exactly" style="<= share"
def top_p(probabilities, share):
    ordered, words = torch.sort(probabilities, descending=True)
    kept = torch.zeros_like(probabilities)
    chosen = words[ordered.cumsum(0) - ordered <= share]
    kept[chosen] = probabilities[chosen]
    return kept / kept.sum()
# %% mistake="the likeliest word alone" style="argmax"
def top_p(probabilities, share):
    kept = torch.zeros_like(probabilities)
    kept[probabilities.argmax()] = 1
    return kept
# %% mistake="one word too many" style="n + 1"
def top_p(probabilities, share):
    ordered, words = torch.sort(probabilities, descending=True)
    n = int((ordered.cumsum(0) - ordered < share).sum())
    kept = torch.zeros_like(probabilities)
    kept[words[:n + 1]] = ordered[:n + 1]
    return kept / kept.sum()
# %% mistake="all words above a threshold" style="p >= 1 − share"
def top_p(probabilities, share):
    kept = probabilities * (probabilities >= 1 - share)
    return kept / kept.sum()
# %% mistake="the least likely words kept" style="sort upwards"
def top_p(probabilities, share):
    ordered, words = torch.sort(probabilities)
    kept = torch.zeros_like(probabilities)
    chosen = words[ordered.cumsum(0) - ordered < share]
    kept[chosen] = probabilities[chosen]
    return kept / kept.sum()
# %% mistake="not put back in order" style="sorted ones returned"
def top_p(probabilities, share):
    ordered = torch.sort(probabilities, descending=True).values
    ordered[ordered.cumsum(0) - ordered >= share] = 0
    return ordered / ordered.sum()
# %% mistake="not normalised again" style="mask alone"
def top_p(probabilities, share):
    ordered, words = torch.sort(probabilities, descending=True)
    kept = torch.zeros_like(probabilities)
    chosen = words[ordered.cumsum(0) - ordered < share]
    kept[chosen] = probabilities[chosen]
    return kept
# %% mistake="all kept words alike" style="1 / n"
def top_p(probabilities, share):
    ordered, words = torch.sort(probabilities, descending=True)
    kept = torch.zeros_like(probabilities)
    chosen = words[ordered.cumsum(0) - ordered < share]
    kept[chosen] = 1 / len(chosen)
    return kept
# %% mistake="softmax of probabilities" style="softmax at the end"
def top_p(probabilities, share):
    ordered, words = torch.sort(probabilities, descending=True)
    kept = torch.zeros_like(probabilities)
    chosen = words[ordered.cumsum(0) - ordered < share]
    kept[chosen] = probabilities[chosen]
    return torch.softmax(kept, dim=0)
# %% mistake="writes into its input" style="zeroed in place"
def top_p(probabilities, share):
    ordered, words = torch.sort(probabilities, descending=True)
    probabilities[words[ordered.cumsum(0) - ordered >= share]] = 0
    return probabilities / probabilities.sum()
# %% unlisted="always the best two"
def top_p(probabilities, share):
    kept = torch.zeros_like(probabilities)
    best = probabilities.topk(min(2, len(probabilities))).indices
    kept[best] = probabilities[best]
    return kept / kept.sum()
# %% unlisted="the first words, unsorted"
def top_p(probabilities, share):
    kept = torch.where(probabilities.cumsum(0) - probabilities < share, probabilities, 0.0)
    return kept / kept.sum()
# %% unlisted="a share of the likeliest one, as in min-p"
def top_p(probabilities, share):
    kept = probabilities * (probabilities >= share * probabilities.max())
    return kept / kept.sum()
# %% mistake="a share of the words, not of the probability" style="topk of share · n"
def top_p(probabilities, share):
    values, words = probabilities.topk(math.ceil(share * len(probabilities)))
    return torch.zeros_like(probabilities).scatter(0, words, values / values.sum())
# %% mistake="gathered instead of scattered" style="gather"
def top_p(probabilities, share):
    ordered, words = torch.sort(probabilities, descending=True)
    ordered = torch.where(ordered.cumsum(0) - ordered < share, ordered, torch.zeros(1))
    kept = ordered.gather(0, words)
    return kept / kept.sum()
