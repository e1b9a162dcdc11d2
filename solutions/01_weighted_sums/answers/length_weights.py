# %% crosses="of each mistake"
# repeated word lost -> one weight for; the weights of; a weight is; the shares are
# how often a word occurs instead of its length -> the weights of; a weight is; the shares are
# overwritten instead of added up -> the weights of; a weight is
# %% what_if="A word of 40 letters joins a sentence of four short ones. What is left for these?" because="All weights share one whole. So the short words lose as much as the long word gains, and they keep their proportions to each other."
short = ["we", "sat", "by", "fires"]
print(np.round(length_weights(short), 3))
print(np.round(length_weights([*short, "x" * 40]), 3))
# %% right="counter" row="Counter" buys="equal words are counted together to get the total"
from collections import Counter
def length_weights(words):
    counts = Counter(words)
    total = sum(len(word) * n for word, n in counts.items())
    return [len(word) / total for word in words]
# %% right="joined text" buys="no counting by hand: the joined words have as many letters as all of them"
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
# %% right="single precision" buys="half the memory; seven digits are plenty for shares"
def length_weights(words):
    return np.float32([len(w) for w in words]) / np.float32(sum(map(len, words)))
# %% mistake="repeated word lost" style="dictionary returned"
def length_weights(words):
    total = len("".join(words))
    return dict((w, len(w) / total) for w in words)
# %% mistake="repeated word once in the total" style="total of a dictionary" row="repeated word lost"
def length_weights(words):
    length_of = {w: len(w) for w in words}
    return np.array([length_of[w] for w in words]) / sum(length_of.values())
# %% mistake="plain mean instead of weights" style="np.full"
def length_weights(words): return np.full(len(words), 1 / len(words))
# %% mistake="how often a word occurs instead of its length" style="count"
def length_weights(words):
    return [words.count(word) / len(words) for word in words]
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
# %% mistake="spaces counted as letters" style="spaces counted"
def length_weights(words): return [len(w) / len(' '.join(words)) for w in words]
# %% unlisted="distinct letters"
def length_weights(words):
    lengths = np.array([len(set(w)) for w in words])
    return lengths / lengths.sum()
# %% mistake="fractions cut off" style="whole-number division"
def length_weights(words): return [len(w) // sum(map(len, words)) for w in words]
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
# %% [markdown]
# ## Clumsy halves
# %% unlisted="a set, and the lengths undivided" true="repeated word lost; lengths not divided by their sum"
def length_weights(words):
    return [len(w) for w in set(words)]
# %% mistake="repeated word once in the total" style="total of a set"
def length_weights(words):
    return np.array([len(w) for w in words]) / sum(len(w) for w in set(words))
# %% mistake="divided by a single word's length" style="the last word's"
def length_weights(words):
    return [len(w) / len(words[-1]) for w in words]
# %% mistake="divided by a single word's length" style="the last of the alphabet taken for the longest"
def length_weights(words):
    return np.array([len(w) / len(max(words)) for w in words])
# %% mistake="overwritten instead of added up" style="a total without +" true="divided by a single word's length"
def length_weights(words):
    for word in words:
        total = len(word)
    return [len(word) / total for word in words]
# %% mistake="repeated word lost" style="0 for what has been seen"
def length_weights(words):
    total, seen, weights = sum(map(len, words)), set(), []
    for word in words:
        weights.append(0 if word in seen else len(word) / total)
        seen.add(word)
    return weights
# %% mistake="a constant instead of the input's size" style="the letters of the lesson's sentence"
def length_weights(words):
    return np.array([len(w) for w in words]) / 37
# %% unlisted="total reset inside the loop" true="total reset inside the loop"
def length_weights(words):
    weights = []
    for word in words:
        total = 0
        total += len(word)
        weights.append(len(word) / total)
    return weights
