# %% crosses="of each mistake"
# repeated word lost -> one weight for; the weights of; a weight is; the shares are
# repeated word counted twice over -> the weights of; the shares are
# plain mean instead of weights -> a weight is
# lengths not divided by their sum -> the weights of; a weight is
# divided by the longest word's length -> the weights of; a weight is
# spaces counted as letters -> the weights of; a weight is
# softmax of the lengths -> a weight is
# writes into its input -> leaves the list
# repeated word once in the total -> the weights; the shares
# %% right="counter" row="Counter"
from collections import Counter
def length_weights(words):
    counts = Counter(words)
    total = sum(len(word) * n for word, n in counts.items())
    return [len(word) / total for word in words]
# %% right="joined text"
def length_weights(words):
    letters = len("".join(words))
    return [len(w) / letters for w in words]
# %% right="loop with a running total"
def length_weights(words):
    total = 0
    for w in words:
        total += len(w)
    weights = np.empty(len(words))
    for i, w in enumerate(words):
        weights[i] = len(w) / total
    return weights
# %% right="tuple"
def length_weights(words): return tuple(len(w) / sum(map(len, words)) for w in words)
# %% right="single precision"
def length_weights(words):
    return np.float32([len(w) for w in words]) / np.float32(sum(map(len, words)))
# %% right="torch"
import torch
def length_weights(words):
    lengths = torch.tensor([float(len(w)) for w in words])
    return lengths / lengths.sum()
# %% right="by the letter embedding"
def length_weights(words):
    lengths = np.array([len(letter_embedding(w)) for w in words])
    return np.divide(lengths, np.sum(lengths))
# %% right="average of a one-hot choice"
def length_weights(words):
    owner = [i for i, w in enumerate(words) for _ in w]
    return np.bincount(owner, minlength=len(words)) / len(owner)
# %% mistake="repeated word lost" style="set of words"
def length_weights(words):
    total = sum(len(w) for w in words)
    return [len(w) / total for w in set(words)]
# %% mistake="repeated word lost" style="dictionary of weights, values"
def length_weights(words):
    weights = {}
    total = sum(len(w) for w in words)
    for w in words:
        weights[w] = len(w) / total
    return np.array(list(weights.values()))
# %% mistake="repeated word lost" style="dictionary returned"
def length_weights(words):
    total = len("".join(words))
    return dict((w, len(w) / total) for w in words)
# %% mistake="repeated word once in the total" style="total of a dictionary" row="repeated word lost"
def length_weights(words):
    length_of = {w: len(w) for w in words}
    return np.array([length_of[w] for w in words]) / sum(length_of.values())
# %% mistake="repeated word lost" style="np.unique"
def length_weights(words):
    distinct, counts = np.unique(words, return_counts=True)
    lengths = np.array([len(w) for w in distinct]) * counts
    return lengths / lengths.sum()
# %% mistake="repeated word lost" style="repeats skipped"
def length_weights(words):
    seen, lengths = [], []
    for w in words:
        if w not in seen:
            seen.append(w)
            lengths.append(len(w))
    return [l / sum(lengths) for l in lengths]
# %% mistake="plain mean instead of weights" style="np.full"
def length_weights(words): return np.full(len(words), 1 / len(words))
# %% mistake="plain mean instead of weights" style="ones over n"
def length_weights(words):
    n = len(words)
    return np.ones(n) / n
# %% mistake="plain mean instead of weights" style="list times n"
def length_weights(words): return [1 / len(words)] * len(words)
# %% unlisted="nothing returned"
def length_weights(words):
    print([len(w) / len(''.join(words)) for w in words])
# %% mistake="lengths not divided by their sum" style="plain lengths"
def length_weights(words): return [len(w) for w in words]
# %% mistake="divided by the longest word's length" style="over the longest"
def length_weights(words): return [len(w) / max(map(len, words)) for w in words]
# %% mistake="softmax of the lengths" style="softmax of lengths"
def length_weights(words):
    e = np.exp([len(w) for w in words])
    return e / e.sum()
# %% unlisted="column"
def length_weights(words): return [[len(w) / len(''.join(words))] for w in words]
# %% unlisted="not numbers"
def length_weights(words): return [np.nan for w in words]
# %% unlisted="set of weights"
def length_weights(words): return {len(w) / len(''.join(words)) for w in words}
# %% unlisted="sorted"
def length_weights(words): return sorted(len(w) / len(''.join(words)) for w in words)
# %% mistake="spaces counted as letters" style="spaces counted"
def length_weights(words): return [len(w) / len(' '.join(words)) for w in words]
# %% unlisted="distinct letters"
def length_weights(words):
    lengths = np.array([len(set(w)) for w in words])
    return lengths / lengths.sum()
# %% unlisted="whole-number division"
def length_weights(words): return [len(w) // sum(map(len, words)) for w in words]
# %% unlisted="per cent"
def length_weights(words): return [100 * len(w) / sum(map(len, words)) for w in words]
# %% unlisted="sum of letters for length"
def length_weights(words):
    sums = np.array([sum(letter_embedding(w)) for w in words])
    return sums / sums.sum()
# %% unlisted="rounded to two decimals"
def length_weights(words): return [round(len(w) / sum(map(len, words)), 2) for w in words]
# %% mistake="writes into its input" style="sorts the list it is handed"
def length_weights(words):
    weights = [len(w) / sum(map(len, words)) for w in words]
    words.sort()
    return weights
# %% mistake="repeated word counted twice over" style="letters gathered by word"
def length_weights(words):
    letters = {}
    for w in words:
        letters[w] = letters.get(w, 0) + len(w)
    return np.array([letters[w] for w in words]) / sum(letters.values())
# %% mistake="repeated word counted twice over" style="Counter in the wrong place"
from collections import Counter
def length_weights(words):
    counts, total = Counter(words), len("".join(words))
    return [counts[w] * len(w) / total for w in words]
# %% [markdown]
# ## Clumsy halves
# %% unlisted="weights stored as whole numbers"
def length_weights(words):
    total = sum(len(w) for w in words)
    weights = np.zeros(len(words), dtype=int)
    for i, w in enumerate(words):
        weights[i] = len(w) / total
    return weights
# %% unlisted="word.lenght"
def length_weights(words):
    total = sum(word.lenght for word in words)
    return [word.lenght / total for word in words]
# %% unlisted="a set, and the lengths undivided" true="repeated word lost; lengths not divided by their sum"
def length_weights(words):
    return [len(w) for w in set(words)]
# %% mistake="repeated word once in the total" style="total of a set"
def length_weights(words):
    return np.array([len(w) for w in words]) / sum(len(w) for w in set(words))
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="joined text, np.fromiter and a lambda"
length_weights = lambda words: np.fromiter((len(w) for w in words), dtype=float) / len("".join(words))
# %% mistake="repeated word once in the total" style="repeated word lost (only in the total, through a set), written blind"
def length_weights(words):
    total_letters = sum(len(w) for w in set(words))
    return np.array([len(w) / total_letters for w in words])
# %% mistake="repeated word lost" style="repeated word lost, written blind"
def length_weights(words):
    lengths = dict()
    for w in words:
        if w not in lengths:
            lengths[w] = len(w)
    total = sum(lengths.values())
    return [n / total for n in lengths.values()]
# %% right="counts letters one at a time in nested loops"
def length_weights(words):
    all_letters = 0
    for i in range(0, len(words)):
        for j in range(0, len(words[i])):
            all_letters = all_letters + 1
    answer = np.zeros(len(words))
    for i in range(0, len(words)):
        this_word = 0
        for j in words[i]:
            this_word += 1
        answer[i] = this_word
    for i in range(0, len(words)):
        answer[i] = answer[i] / all_letters
    return answer
