"""Answers to lesson 01."""

from __future__ import annotations

from autograder.corpus import Answer, mistake, right, unlisted

CASE = "case, off by one"
LOST = "repeated word lost"
MEAN = "plain mean"
CUT = "cut to the shortest"
LEFT = "padded on the left"
WRITES = "writes into its input"

LETTER_EMBEDDING = (
    right(
        "letter_embedding",
        "loop and append",
        """
def letter_embedding(word):
    numbers = []
    for letter in word.lower():
        numbers.append(ord(letter) - 96)
    return numbers
""",
    ),
    right(
        "letter_embedding",
        "capitals and an array",
        """
def letter_embedding(word):
    return np.array([ord(c) - 64 for c in word.upper()])
""",
    ),
    right(
        "letter_embedding",
        "place in the alphabet, as floats",
        """
import string

def letter_embedding(word):
    return [float(string.ascii_lowercase.index(c) + 1) for c in word.casefold()]
""",
    ),
    right(
        "letter_embedding",
        "dictionary of letters",
        """
alphabet = {letter: place for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz", start=1)}

def letter_embedding(word):
    result = np.zeros(len(word))
    for i, letter in enumerate(word):
        result[i] = alphabet[letter.lower()]
    return result
""",
    ),
    right(
        "letter_embedding",
        "bytes",
        """
def letter_embedding(word):
    return np.frombuffer(word.lower().encode(), dtype=np.uint8) - 96
""",
    ),
    right(
        "letter_embedding",
        "tuple of remainders",
        "letter_embedding = lambda word: tuple(ord(c) % 32 for c in word)",
    ),
    right("letter_embedding", "base 36", "def letter_embedding(word): return [int(c, 36) - 9 for c in word]"),
    right(
        "letter_embedding",
        "capitals told apart by if",
        """
def letter_embedding(word):
    vector = []
    for char in word:
        if char.isupper():
            vector.append(ord(char) - ord('A') + 1)
        elif char.islower():
            vector.append(ord(char) - ord('a') + 1)
        else:
            vector.append(0)
    return vector
""",
    ),
    mistake(
        "letter_embedding",
        CASE,
        "counts from zero, upper",
        """
def letter_embedding(word):
    return [ord(c) - ord("A") for c in word.upper()]
""",
    ),
    mistake(
        "letter_embedding",
        CASE,
        "index in the alphabet without + 1",
        """
import string

def letter_embedding(word):
    return [string.ascii_lowercase.find(ch) for ch in word.lower()]
""",
    ),
    mistake(
        "letter_embedding",
        CASE,
        "no lower, array",
        """
def letter_embedding(word):
    codes = np.array([ord(c) for c in word])
    return codes - ord("a") + 1
""",
    ),
    mistake(
        "letter_embedding",
        CASE,
        "lower called and dropped",
        """
def letter_embedding(word):
    word.lower()
    numbers = []
    for i in range(len(word)):
        numbers.append(ord(word[i]) - 96)
    return numbers
""",
    ),
    mistake(
        "letter_embedding",
        CASE,
        "dictionary of small letters only",
        """
def letter_embedding(word):
    table = {chr(96 + i): i for i in range(1, 27)}
    return [table[c] for c in word]
""",
    ),
    mistake(
        "letter_embedding",
        CASE,
        "dictionary with a default",
        """
def letter_embedding(word):
    table = {chr(96 + i): i for i in range(1, 27)}
    return [table.get(c, 0) for c in word]
""",
    ),
    mistake("letter_embedding", CASE, "raw codes", "def letter_embedding(word): return list(map(ord, word))"),
    mistake(
        "letter_embedding",
        CASE,
        "some other shift",
        "def letter_embedding(word): return np.array(list(map(ord, word))) - 100",
    ),
    mistake(
        "letter_embedding",
        CASE,
        "only the first letter made small",
        """
def letter_embedding(word):
    word = word[0].lower() + word[1:]
    return [ord(c) - 96 for c in word]
""",
    ),
    mistake(
        "letter_embedding",
        CASE,
        "capitals after the small letters",
        """
def letter_embedding(word):
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [letters.index(c) + 1 for c in word]
""",
    ),
    unlisted(
        "letter_embedding",
        "nothing returned",
        """
def letter_embedding(word):
    x = [ord(c) - 96 for c in word.lower()]
""",
    ),
    unlisted("letter_embedding", "the word itself", "def letter_embedding(word): return word"),
    unlisted(
        "letter_embedding", "sum", "def letter_embedding(word): return sum(ord(c) - 96 for c in word.lower())"
    ),
    unlisted(
        "letter_embedding",
        "column",
        "def letter_embedding(word): return [[ord(c) - 96] for c in word.lower()]",
    ),
    unlisted(
        "letter_embedding",
        "each letter once",
        "def letter_embedding(word): return [ord(c) - 96 for c in dict.fromkeys(word.lower())]",
    ),
    unlisted(
        "letter_embedding", "not numbers", "def letter_embedding(word): return [float('nan') for _ in word]"
    ),
    unlisted(
        "letter_embedding",
        "sorted",
        "def letter_embedding(word): return sorted(ord(c) - 96 for c in word.lower())",
    ),
    unlisted(
        "letter_embedding",
        "divided by 26",
        "def letter_embedding(word): return [(ord(c) - 96) / 26 for c in word.lower()]",
    ),
    unlisted(
        "letter_embedding",
        "remainder of 26",
        "def letter_embedding(word): return [(ord(c) - 96) % 26 for c in word.lower()]",
    ),
    unlisted(
        "letter_embedding",
        "one-hot",
        """
def letter_embedding(word):
    return np.eye(26)[[ord(c) - 97 for c in word.lower()]]
""",
    ),
    unlisted(
        "letter_embedding",
        "returns inside the loop",
        """
def letter_embedding(word):
    numbers = []
    for letter in word.lower():
        numbers.append(ord(letter) - 96)
        return numbers
""",
    ),
    unlisted(
        "letter_embedding",
        "list kept between calls",
        """
def letter_embedding(word, numbers=[]):
    for letter in word.lower():
        numbers.append(ord(letter) - 96)
    return numbers
""",
    ),
    unlisted(
        "letter_embedding",
        "numbers as text",
        "def letter_embedding(word): return [str(ord(c) - 96) for c in word.lower()]",
    ),
)

LENGTH_WEIGHTS = (
    right(
        "length_weights",
        "counter",
        """
from collections import Counter

def length_weights(words):
    counts = Counter(words)
    total = sum(len(word) * n for word, n in counts.items())
    return [len(word) / total for word in words]
""",
        row="Counter",
    ),
    right(
        "length_weights",
        "joined text",
        """
def length_weights(words):
    letters = len("".join(words))
    return [len(w) / letters for w in words]
""",
    ),
    right(
        "length_weights",
        "loop with a running total",
        """
def length_weights(words):
    total = 0
    for w in words:
        total += len(w)
    weights = np.empty(len(words))
    for i, w in enumerate(words):
        weights[i] = len(w) / total
    return weights
""",
    ),
    right(
        "length_weights",
        "tuple",
        "def length_weights(words): return tuple(len(w) / sum(map(len, words)) for w in words)",
    ),
    right(
        "length_weights",
        "single precision",
        """
def length_weights(words):
    return np.float32([len(w) for w in words]) / np.float32(sum(map(len, words)))
""",
    ),
    right(
        "length_weights",
        "torch",
        """
import torch

def length_weights(words):
    lengths = torch.tensor([float(len(w)) for w in words])
    return lengths / lengths.sum()
""",
    ),
    right(
        "length_weights",
        "by the letter embedding",
        """
def length_weights(words):
    lengths = np.array([len(letter_embedding(w)) for w in words])
    return np.divide(lengths, np.sum(lengths))
""",
    ),
    right(
        "length_weights",
        "average of a one-hot choice",
        """
def length_weights(words):
    owner = [i for i, w in enumerate(words) for _ in w]
    return np.bincount(owner, minlength=len(words)) / len(owner)
""",
    ),
    mistake(
        "length_weights",
        LOST,
        "set of words",
        """
def length_weights(words):
    total = sum(len(w) for w in words)
    return [len(w) / total for w in set(words)]
""",
    ),
    mistake(
        "length_weights",
        LOST,
        "dictionary of weights, values",
        """
def length_weights(words):
    weights = {}
    total = sum(len(w) for w in words)
    for w in words:
        weights[w] = len(w) / total
    return np.array(list(weights.values()))
""",
    ),
    mistake(
        "length_weights",
        LOST,
        "dictionary returned",
        """
def length_weights(words):
    total = len("".join(words))
    return dict((w, len(w) / total) for w in words)
""",
    ),
    mistake(
        "length_weights",
        LOST,
        "total of a dictionary",
        """
def length_weights(words):
    length_of = {w: len(w) for w in words}
    return np.array([length_of[w] for w in words]) / sum(length_of.values())
""",
    ),
    mistake(
        "length_weights",
        LOST,
        "np.unique",
        """
def length_weights(words):
    distinct, counts = np.unique(words, return_counts=True)
    lengths = np.array([len(w) for w in distinct]) * counts
    return lengths / lengths.sum()
""",
    ),
    mistake(
        "length_weights",
        LOST,
        "repeats skipped",
        """
def length_weights(words):
    seen, lengths = [], []
    for w in words:
        if w not in seen:
            seen.append(w)
            lengths.append(len(w))
    return [l / sum(lengths) for l in lengths]
""",
    ),
    mistake(
        "length_weights",
        MEAN,
        "np.full",
        "def length_weights(words): return np.full(len(words), 1 / len(words))",
    ),
    mistake(
        "length_weights",
        MEAN,
        "ones over n",
        """
def length_weights(words):
    n = len(words)
    return np.ones(n) / n
""",
    ),
    mistake(
        "length_weights",
        MEAN,
        "list times n",
        "def length_weights(words): return [1 / len(words)] * len(words)",
    ),
    unlisted(
        "length_weights",
        "nothing returned",
        """
def length_weights(words):
    print([len(w) / len(''.join(words)) for w in words])
""",
    ),
    unlisted("length_weights", "plain lengths", "def length_weights(words): return [len(w) for w in words]"),
    unlisted(
        "length_weights",
        "over the longest",
        "def length_weights(words): return [len(w) / max(map(len, words)) for w in words]",
    ),
    unlisted(
        "length_weights",
        "softmax of lengths",
        """
def length_weights(words):
    e = np.exp([len(w) for w in words])
    return e / e.sum()
""",
    ),
    unlisted(
        "length_weights",
        "column",
        "def length_weights(words): return [[len(w) / len(''.join(words))] for w in words]",
    ),
    unlisted("length_weights", "not numbers", "def length_weights(words): return [np.nan for w in words]"),
    unlisted(
        "length_weights",
        "set of weights",
        "def length_weights(words): return {len(w) / len(''.join(words)) for w in words}",
    ),
    unlisted(
        "length_weights",
        "sorted",
        "def length_weights(words): return sorted(len(w) / len(''.join(words)) for w in words)",
    ),
    unlisted(
        "length_weights",
        "spaces counted",
        "def length_weights(words): return [len(w) / len(' '.join(words)) for w in words]",
    ),
    unlisted(
        "length_weights",
        "distinct letters",
        """
def length_weights(words):
    lengths = np.array([len(set(w)) for w in words])
    return lengths / lengths.sum()
""",
    ),
    unlisted(
        "length_weights",
        "whole-number division",
        "def length_weights(words): return [len(w) // sum(map(len, words)) for w in words]",
    ),
    unlisted(
        "length_weights",
        "per cent",
        "def length_weights(words): return [100 * len(w) / sum(map(len, words)) for w in words]",
    ),
    unlisted(
        "length_weights",
        "sum of letters for length",
        """
def length_weights(words):
    sums = np.array([sum(letter_embedding(w)) for w in words])
    return sums / sums.sum()
""",
    ),
    unlisted(
        "length_weights",
        "rounded to two decimals",
        "def length_weights(words): return [round(len(w) / sum(map(len, words)), 2) for w in words]",
    ),
    unlisted(
        "length_weights",
        "sorts the list it is handed",
        """
def length_weights(words):
    weights = [len(w) / sum(map(len, words)) for w in words]
    words.sort()
    return weights
""",
    ),
)

PAD_ROWS = (
    right(
        "pad_rows",
        "zip_longest",
        """
from itertools import zip_longest

def pad_rows(vectors):
    columns = list(zip_longest(*vectors, fillvalue=0))
    return np.array(columns).T
""",
        row="zip_longest",
    ),
    right(
        "pad_rows",
        "zip_longest, lists",
        """
from itertools import zip_longest

def pad_rows(vectors):
    return list(zip(*zip_longest(*vectors, fillvalue=0)))
""",
        row="zip_longest",
    ),
    right(
        "pad_rows",
        "np.pad",
        """
def pad_rows(vectors):
    n = max(len(v) for v in vectors)
    return np.stack([np.pad(v, (0, n - len(v))) for v in vectors])
""",
        row="np.pad",
    ),
    right(
        "pad_rows",
        "np.pad with named mode",
        """
def pad_rows(vectors):
    longest = max(map(len, vectors))
    rows = []
    for v in vectors:
        rows.append(np.pad(np.array(v, dtype=float), (0, longest - len(v)), mode="constant", constant_values=0))
    return np.vstack(rows)
""",
        row="np.pad",
    ),
    right(
        "pad_rows",
        "lists added",
        "def pad_rows(vectors): return [v + [0] * (max(map(len, vectors)) - len(v)) for v in vectors]",
    ),
    right(
        "pad_rows",
        "boolean mask",
        """
def pad_rows(vectors):
    lengths = np.array([len(v) for v in vectors])
    padded = np.zeros((len(vectors), lengths.max()))
    padded[np.arange(lengths.max()) < lengths[:, None]] = np.concatenate(vectors)
    return padded
""",
    ),
    right(
        "pad_rows",
        "double loop",
        """
def pad_rows(vectors):
    longest = 0
    for vector in vectors:
        if len(vector) > longest:
            longest = len(vector)
    result = np.zeros((len(vectors), longest), dtype=np.float32)
    for i in range(len(vectors)):
        for j in range(len(vectors[i])):
            result[i, j] = vectors[i][j]
    return result
""",
    ),
    right(
        "pad_rows",
        "torch's padding",
        """
import torch
from torch.nn.utils.rnn import pad_sequence

def pad_rows(vectors):
    return pad_sequence([torch.tensor(v, dtype=torch.float) for v in vectors], batch_first=True)
""",
    ),
    right(
        "pad_rows",
        "appends to a copy",
        """
def pad_rows(vectors):
    longest = len(max(vectors, key=len))
    copies = [list(v) for v in vectors]
    for v in copies:
        while len(v) < longest:
            v.append(0)
    return np.array(copies)
""",
    ),
    mistake("pad_rows", CUT, "zip", "def pad_rows(vectors): return np.array(list(zip(*vectors))).T"),
    mistake(
        "pad_rows",
        CUT,
        "sliced to the minimum",
        "def pad_rows(vectors): return [v[:min(map(len, vectors))] for v in vectors]",
    ),
    mistake(
        "pad_rows",
        CUT,
        "min for max",
        """
def pad_rows(vectors):
    width = min(len(v) for v in vectors)
    out = np.zeros((len(vectors), width))
    for i, v in enumerate(vectors):
        out[i] = v[:width]
    return out
""",
    ),
    mistake(
        "pad_rows",
        CUT,
        "cut, then filled with zeros",
        """
def pad_rows(vectors):
    out = np.zeros((len(vectors), max(map(len, vectors))))
    for j, column in enumerate(zip(*vectors)):
        out[:, j] = column
    return out
""",
    ),
    mistake(
        "pad_rows",
        LEFT,
        "zeros first",
        """
def pad_rows(vectors):
    n = max(map(len, vectors))
    return [[0] * (n - len(v)) + v for v in vectors]
""",
    ),
    mistake(
        "pad_rows",
        LEFT,
        "np.pad in front",
        """
def pad_rows(vectors):
    n = max(len(v) for v in vectors)
    return np.array([np.pad(v, (n - len(v), 0)) for v in vectors])
""",
    ),
    mistake(
        "pad_rows",
        LEFT,
        "negative slice",
        """
def pad_rows(vectors):
    out = np.zeros((len(vectors), max(len(v) for v in vectors)))
    for row, v in zip(out, vectors):
        row[-len(v):] = v
    return out
""",
    ),
    mistake(
        "pad_rows",
        WRITES,
        "append in place",
        """
def pad_rows(vectors):
    longest = max(len(v) for v in vectors)
    for v in vectors:
        while len(v) < longest:
            v.append(0)
    return np.array(vectors)
""",
    ),
    mistake(
        "pad_rows",
        WRITES,
        "+= on the vectors",
        """
def pad_rows(vectors):
    longest = max(len(v) for v in vectors)
    rows = []
    for v in vectors:
        v += [0] * (longest - len(v))
        rows.append(v)
    return rows
""",
    ),
    mistake(
        "pad_rows",
        WRITES,
        "shallow copy",
        """
def pad_rows(vectors):
    padded = vectors.copy()
    n = max(map(len, padded))
    for v in padded:
        v.extend([0.0] * (n - len(v)))
    return np.array(padded)
""",
    ),
    unlisted(
        "pad_rows",
        "nothing returned",
        """
def pad_rows(vectors):
    [v + [0] * 3 for v in vectors]
""",
    ),
    unlisted("pad_rows", "as they came", "def pad_rows(vectors): return vectors"),
    unlisted(
        "pad_rows",
        "not turned back",
        """
from itertools import zip_longest

def pad_rows(vectors):
    return np.array(list(zip_longest(*vectors, fillvalue=0)))
""",
    ),
    unlisted(
        "pad_rows",
        "array of whole numbers",
        """
def pad_rows(vectors):
    out = np.zeros((len(vectors), max(map(len, vectors))), dtype=int)
    for i, v in enumerate(vectors):
        out[i, :len(v)] = v
    return out
""",
    ),
    unlisted(
        "pad_rows",
        "always ten columns",
        """
def pad_rows(vectors):
    out = np.zeros((len(vectors), 10))
    for i, v in enumerate(vectors):
        out[i, :len(v)] = v
    return out
""",
    ),
    unlisted(
        "pad_rows",
        "filled with nan",
        """
def pad_rows(vectors):
    out = np.full((len(vectors), max(map(len, vectors))), np.nan)
    for i, v in enumerate(vectors):
        out[i, :len(v)] = v
    return out
""",
    ),
    unlisted(
        "pad_rows",
        "one column too many",
        """
def pad_rows(vectors):
    n = max(map(len, vectors)) + 1
    return [v + [0] * (n - len(v)) for v in vectors]
""",
    ),
    unlisted(
        "pad_rows",
        "last number repeated",
        """
def pad_rows(vectors):
    n = max(map(len, vectors))
    return [v + v[-1:] * (n - len(v)) for v in vectors]
""",
    ),
    unlisted(
        "pad_rows",
        "wraps round",
        """
def pad_rows(vectors):
    n = max(map(len, vectors))
    return np.array([np.resize(v, n) for v in vectors])
""",
    ),
    unlisted(
        "pad_rows",
        "longest first",
        """
def pad_rows(vectors):
    n = max(map(len, vectors))
    return np.array([list(v) + [0] * (n - len(v)) for v in sorted(vectors, key=len, reverse=True)])
""",
    ),
    unlisted("pad_rows", "text", "def pad_rows(vectors): return 'rows'"),
    unlisted(
        "pad_rows",
        "filled with ones",
        """
def pad_rows(vectors):
    n = max(map(len, vectors))
    return [v + [1] * (n - len(v)) for v in vectors]
""",
    ),
    unlisted(
        "pad_rows",
        "zeros left out as padding",
        """
def pad_rows(vectors):
    n = max(map(len, vectors))
    rows = [[x for x in v if x != 0] for v in vectors]
    return [v + [0] * (n - len(v)) for v in rows]
""",
    ),
)

WEIGHTED_SUM = (
    right(
        "weighted_sum",
        "matmul of padded rows",
        "def weighted_sum(weights, vectors): return np.matmul(weights, pad_rows(vectors))",
        row="matmul",
    ),
    right(
        "weighted_sum",
        "transposed matmul",
        """
def weighted_sum(weights, vectors):
    matrix = np.array(pad_rows(vectors))
    return matrix.T @ np.asarray(weights)
""",
        row="matmul",
    ),
    right(
        "weighted_sum",
        "zip_longest, column by column",
        """
from itertools import zip_longest

def weighted_sum(weights, vectors):
    return [sum(w * x for w, x in zip(weights, column)) for column in zip_longest(*vectors, fillvalue=0)]
""",
        row="zip_longest",
    ),
    right(
        "weighted_sum",
        "np.pad in a loop",
        """
def weighted_sum(weights, vectors):
    n = max(len(v) for v in vectors)
    total = np.zeros(n)
    for w, v in zip(weights, vectors):
        total += w * np.pad(np.asarray(v, float), (0, n - len(v)))
    return total
""",
        row="np.pad",
    ),
    right(
        "weighted_sum",
        "place by place",
        """
def weighted_sum(weights, vectors):
    total = [0.0] * max(map(len, vectors))
    for weight, vector in zip(weights, vectors):
        for place, number in enumerate(vector):
            total[place] += weight * number
    return total
""",
    ),
    right(
        "weighted_sum",
        "einsum",
        "def weighted_sum(weights, vectors): return np.einsum('n,nd->d', weights, pad_rows(vectors))",
    ),
    right(
        "weighted_sum",
        "broadcast in single precision",
        """
def weighted_sum(weights, vectors):
    rows = np.asarray(pad_rows(vectors))
    return (weights[:, None] * rows).sum(axis=0).astype(np.float32)
""",
    ),
    right(
        "weighted_sum",
        "np.average",
        "def weighted_sum(weights, vectors): return np.average(pad_rows(vectors), axis=0, weights=weights)",
    ),
    right(
        "weighted_sum",
        "slices added",
        """
def weighted_sum(weights, vectors):
    total = np.zeros(max(map(len, vectors)))
    for i in range(len(vectors)):
        total[:len(vectors[i])] += weights[i] * np.array(vectors[i])
    return total
""",
    ),
    right(
        "weighted_sum",
        "torch",
        """
import torch

def weighted_sum(weights, vectors):
    rows = torch.nn.utils.rnn.pad_sequence([torch.tensor(v, dtype=torch.float64) for v in vectors])
    return rows @ torch.as_tensor(weights)
""",
    ),
    right(
        "weighted_sum",
        "defaultdict of places",
        """
from collections import defaultdict

def weighted_sum(weights, vectors):
    total = defaultdict(float)
    for w, v in zip(weights, vectors):
        for i, x in enumerate(v):
            total[i] += w * x
    return np.array([total[i] for i in sorted(total)])
""",
    ),
    mistake(
        "weighted_sum",
        CUT,
        "zip of columns",
        "def weighted_sum(weights, vectors): return [np.dot(weights, column) for column in zip(*vectors)]",
    ),
    mistake(
        "weighted_sum",
        CUT,
        "running total by zip",
        """
def weighted_sum(weights, vectors):
    total = np.zeros(100)
    for w, v in zip(weights, vectors):
        total = [t + w * x for t, x in zip(total, v)]
    return np.array(total)
""",
    ),
    mistake(
        "weighted_sum",
        CUT,
        "shortest as range",
        """
def weighted_sum(weights, vectors):
    n = min(len(v) for v in vectors)
    result = np.zeros(n)
    for w, v in zip(weights, vectors):
        for i in range(n):
            result[i] += w * v[i]
    return result
""",
    ),
    mistake(
        "weighted_sum",
        LOST,
        "dictionary keyed by vector",
        """
def weighted_sum(weights, vectors):
    weight_of = {}
    for w, v in zip(weights, vectors):
        weight_of[tuple(v)] = w
    total = np.zeros(max(len(v) for v in vectors))
    for v, w in weight_of.items():
        total[:len(v)] += w * np.array(v)
    return total
""",
    ),
    mistake(
        "weighted_sum",
        LOST,
        "dictionary keyed by weight",
        """
def weighted_sum(weights, vectors):
    pairs = dict(zip(weights, vectors))
    total = [0] * max(map(len, vectors))
    for w in pairs:
        for i, x in enumerate(pairs[w]):
            total[i] += w * x
    return total
""",
    ),
    mistake(
        "weighted_sum",
        LOST,
        "seen before, skipped",
        """
def weighted_sum(weights, vectors):
    total, seen = np.zeros(max(map(len, vectors))), []
    for w, v in zip(weights, vectors):
        if v in seen:
            continue
        seen.append(v)
        total[:len(v)] += w * np.array(v)
    return total
""",
    ),
    mistake(
        "weighted_sum",
        MEAN,
        "mean of rows",
        "def weighted_sum(weights, vectors): return np.mean(pad_rows(vectors), axis=0)",
    ),
    mistake(
        "weighted_sum",
        MEAN,
        "weights forgotten",
        "def weighted_sum(weights, vectors): return np.sum(pad_rows(vectors), axis=0)",
    ),
    mistake(
        "weighted_sum",
        MEAN,
        "mean of the weighted rows",
        """
def weighted_sum(weights, vectors):
    return (np.asarray(weights)[:, None] * pad_rows(vectors)).mean(axis=0)
""",
    ),
    mistake(
        "weighted_sum",
        LEFT,
        "right ends aligned",
        """
def weighted_sum(weights, vectors):
    total = np.zeros(max(map(len, vectors)))
    for w, v in zip(weights, vectors):
        total[-len(v):] += w * np.array(v)
    return total
""",
    ),
    mistake(
        "weighted_sum",
        LEFT,
        "zip_longest of reversed vectors",
        """
from itertools import zip_longest

def weighted_sum(weights, vectors):
    turned = [v[::-1] for v in vectors]
    columns = list(zip_longest(*turned, fillvalue=0))[::-1]
    return [np.dot(weights, c) for c in columns]
""",
    ),
    mistake(
        "weighted_sum",
        WRITES,
        "vectors filled up",
        """
def weighted_sum(weights, vectors):
    n = max(map(len, vectors))
    for v in vectors:
        v.extend([0] * (n - len(v)))
    return np.dot(weights, vectors)
""",
    ),
    mistake(
        "weighted_sum",
        WRITES,
        "vectors scaled in place",
        """
def weighted_sum(weights, vectors):
    total = np.zeros(max(map(len, vectors)))
    for w, v in zip(weights, vectors):
        for i in range(len(v)):
            v[i] *= w
        total[:len(v)] += v
    return total
""",
    ),
    unlisted(
        "weighted_sum",
        "nothing returned",
        """
def weighted_sum(weights, vectors):
    total = weights @ pad_rows(vectors)
""",
    ),
    unlisted(
        "weighted_sum",
        "not added up",
        "def weighted_sum(weights, vectors): return weights[:, None] * pad_rows(vectors)",
    ),
    unlisted(
        "weighted_sum",
        "an axis too many",
        "def weighted_sum(weights, vectors): return (weights @ pad_rows(vectors))[None]",
    ),
    unlisted(
        "weighted_sum",
        "weights backwards",
        "def weighted_sum(weights, vectors): return weights[::-1] @ pad_rows(vectors)",
    ),
    unlisted(
        "weighted_sum",
        "whole numbers",
        "def weighted_sum(weights, vectors): return (weights @ pad_rows(vectors)).astype(int)",
    ),
    unlisted(
        "weighted_sum",
        "one number",
        "def weighted_sum(weights, vectors): return (weights @ pad_rows(vectors)).sum()",
    ),
    unlisted(
        "weighted_sum",
        "weights made anew from lengths",
        """
def weighted_sum(weights, vectors):
    lengths = np.array([len(v) for v in vectors])
    return lengths / lengths.sum() @ pad_rows(vectors)
""",
    ),
    unlisted(
        "weighted_sum",
        "divided by the largest weight",
        "def weighted_sum(weights, vectors): return weights @ pad_rows(vectors) / weights.max()",
    ),
    unlisted(
        "weighted_sum",
        "softmax of the weights",
        """
def weighted_sum(weights, vectors):
    return np.exp(weights) / np.exp(weights).sum() @ pad_rows(vectors)
""",
    ),
    unlisted(
        "weighted_sum",
        "rounded",
        "def weighted_sum(weights, vectors): return np.round(weights @ pad_rows(vectors), 2)",
    ),
    unlisted(
        "weighted_sum",
        "the last vector only",
        """
def weighted_sum(weights, vectors):
    total = np.zeros(max(map(len, vectors)))
    for w, v in zip(weights, vectors):
        total[:len(v)] = w * np.array(v)
    return total
""",
    ),
)

SOFTMAX = (
    right(
        "softmax",
        "logsumexp",
        """
from scipy.special import logsumexp

def softmax(x, axis=-1):
    return np.exp(x - logsumexp(x, axis=axis, keepdims=True))
""",
        row="exp(x − logsumexp)",
    ),
    right(
        "softmax",
        "logaddexp by hand",
        """
def softmax(x, axis=-1):
    x = np.asarray(x, float)
    return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))
""",
        row="exp(x − logsumexp)",
    ),
    right(
        "softmax",
        "scipy",
        """
import scipy.special

def softmax(x, axis=-1): return scipy.special.softmax(x, axis=axis)
""",
        row="scipy",
    ),
    right(
        "softmax",
        "scipy, as a list",
        """
from scipy import special

def softmax(x, axis=-1):
    return special.softmax(x, axis).tolist()
""",
        row="scipy",
    ),
    right(
        "softmax",
        "base 2",
        """
def softmax(x, axis=-1):
    x = np.array(x) / np.log(2)
    x = np.exp2(x - np.max(x, axis=axis, keepdims=True))
    return x / np.sum(x, axis=axis, keepdims=True)
""",
        row="base 2",
    ),
    right(
        "softmax",
        "another shift",
        """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    shift = np.amax(x, axis=axis, keepdims=True) + 3.5
    powers = np.exp(x - shift)
    return powers / powers.sum(axis=axis, keepdims=True)
""",
        row="any per-row shift",
    ),
    right(
        "softmax",
        "shift a little below the maximum",
        """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x - (x.max(axis=axis, keepdims=True) - 20))
    return e / e.sum(axis=axis, keepdims=True)
""",
        row="any per-row shift",
    ),
    right(
        "softmax",
        "torch in single precision",
        """
import torch

def softmax(x, axis=-1):
    return torch.softmax(torch.tensor(np.asarray(x), dtype=torch.float32), dim=axis).numpy()
""",
        row="float32 results",
    ),
    right(
        "softmax",
        "result cast to float32",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return (e / np.sum(e, axis=axis, keepdims=True)).astype("float32")
""",
        row="float32 results",
    ),
    right(
        "softmax",
        "slice by slice",
        """
import math

def softmax(x, axis=-1):
    def one(row):
        powers = [math.exp(value - max(row)) for value in row]
        return np.array([power / sum(powers) for power in powers])

    return np.apply_along_axis(one, axis, np.asarray(x, dtype=float))
""",
    ),
    right(
        "softmax",
        "axis moved to the end and back",
        """
def softmax(x, axis=-1):
    last = np.moveaxis(np.array(x, dtype=float), axis, -1)
    powers = np.exp(last - last.max(-1)[..., None])
    return np.moveaxis(powers / powers.sum(-1)[..., None], -1, axis)
""",
    ),
    right(
        "softmax",
        "expand_dims",
        """
def softmax(x, axis=-1):
    x = np.array(x)
    m = np.expand_dims(np.max(x, axis=axis), axis)
    e = np.exp(x - m)
    return e / np.expand_dims(np.sum(e, axis=axis), axis)
""",
    ),
    right(
        "softmax",
        "in place in a copy",
        """
def softmax(x, axis=-1):
    y = np.array(x, dtype=float)
    y -= y.max(axis=axis, keepdims=True)
    np.exp(y, out=y)
    y /= y.sum(axis=axis, keepdims=True)
    return y
""",
    ),
    right(
        "softmax",
        "one over the sum of ratios",
        """
def softmax(x, axis=-1):
    last = np.moveaxis(np.asarray(x, dtype=float), axis, -1)
    with np.errstate(over="ignore"):
        ratios = np.exp(last[..., None, :] - last[..., :, None])
    return np.moveaxis(1 / ratios.sum(-1), -1, axis)
""",
    ),
    mistake(
        "softmax",
        "whole matrix",
        "one expression",
        "def softmax(x, axis=-1): return np.exp(x) / np.sum(np.exp(x))",
    ),
    mistake(
        "softmax",
        "whole matrix",
        "shifted per row, one total",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    z = np.exp(x - x.max(axis=axis, keepdims=True))
    total = 0
    for value in z.ravel():
        total += value
    return z / total
""",
    ),
    mistake(
        "softmax",
        "whole matrix",
        "flattened",
        """
def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    flat = x.flatten()
    e = np.exp(flat - flat.max())
    return (e / e.sum()).reshape(x.shape)
""",
    ),
    mistake(
        "softmax",
        "wrong axis",
        "axis 0 throughout",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=0))
    return e / np.sum(e, axis=0)
""",
    ),
    mistake(
        "softmax",
        "wrong axis",
        "default changed",
        """
def softmax(x, axis=0):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        "wrong axis",
        "axis 0, no shift",
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=0, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        "axis ignored",
        "always the last",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        "axis ignored",
        "axis 1 for matrices",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    if x.ndim == 1:
        e = np.exp(x - x.max())
        return e / e.sum()
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        "axis ignored",
        "row by row in a loop",
        """
def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    shape = x.shape
    rows = x.reshape(-1, shape[-1])
    out = []
    for row in rows:
        e = np.exp(row - row.max())
        out.append(e / e.sum())
    return np.array(out).reshape(shape)
""",
    ),
    mistake(
        "softmax",
        "axis ignored",
        "shifted by axis, summed over the last",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        "overflow",
        "no shift",
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / np.sum(e, axis=axis, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        "overflow",
        "clipped",
        """
def softmax(x, axis=-1):
    powers = np.exp(np.clip(x, -300, 300))
    return powers / powers.sum(axis=axis, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        "overflow",
        "nan to num",
        """
def softmax(x, axis=-1):
    with np.errstate(all="ignore"):
        e = np.exp(np.asarray(x, dtype=float))
        return np.nan_to_num(e / e.sum(axis=axis, keepdims=True), nan=1.0)
""",
    ),
    mistake(
        "softmax",
        "overflow",
        "minimum taken off",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.min(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        "overflow",
        "epsilon for the division",
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    return e / (e.sum(axis=axis, keepdims=True) + 1e-9)
""",
    ),
    mistake(
        "softmax",
        "global shift",
        "np.max without axis",
        """
def softmax(x, axis=-1):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        "global shift",
        "x.max() and an epsilon",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max())
    s = np.sum(e, axis=axis, keepdims=True)
    return e / (s + 1e-300)
""",
    ),
    mistake(
        "softmax",
        "global shift",
        "mended with nan_to_num",
        """
def softmax(x, axis=-1):
    x = np.array(x, dtype=float)
    powers = np.exp(x - np.amax(x))
    return np.nan_to_num(powers / powers.sum(axis=axis, keepdims=True))
""",
    ),
    mistake(
        "softmax",
        "broadcast",
        "no keepdims",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=axis))
    return e / np.sum(e, axis=axis)
""",
    ),
    mistake(
        "softmax",
        "broadcast",
        "keepdims once only",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    shifted = x - np.max(x, axis=axis, keepdims=True)
    exps = np.exp(shifted)
    return exps / exps.sum(axis)
""",
    ),
    mistake(
        "softmax",
        "broadcast",
        "sums without keepdims, no shift",
        """
def softmax(x, axis=-1):
    return np.exp(x) / np.sum(np.exp(x), axis=axis)
""",
    ),
    mistake(
        "softmax",
        WRITES,
        "shifted in place",
        """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    x -= np.max(x, axis=axis, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
""",
    ),
    mistake(
        "softmax",
        WRITES,
        "result into zeros_like",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    result = np.zeros_like(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    result[:] = e / e.sum(axis=axis, keepdims=True)
    return result
""",
    ),
    mistake(
        "softmax",
        WRITES,
        "exp with out=x",
        """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    np.subtract(x, x.max(axis=axis, keepdims=True), out=x)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x
""",
    ),
    unlisted(
        "softmax",
        "nothing returned",
        """
def softmax(x, axis=-1):
    e = np.exp(x)
    e / e.sum(axis, keepdims=True)
""",
    ),
    unlisted(
        "softmax",
        "shares without exp",
        "def softmax(x, axis=-1): return np.asarray(x) / np.sum(x, axis=axis, keepdims=True)",
    ),
    unlisted(
        "softmax",
        "log-softmax",
        """
from scipy import special

softmax = special.log_softmax
""",
    ),
    unlisted("softmax", "sigmoid", "def softmax(x, axis=-1): return 1 / (1 + np.exp(-np.asarray(x, float)))"),
    unlisted(
        "softmax",
        "math.exp over a list",
        """
import math

def softmax(x, axis=-1): return [math.exp(v) for v in x]
""",
    ),
    unlisted("softmax", "not numbers", "def softmax(x, axis=-1): return np.full_like(x, np.nan)"),
    unlisted(
        "softmax",
        "no axis parameter",
        """
def softmax(x):
    x = np.asarray(x)
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
""",
    ),
    unlisted(
        "softmax",
        "sign turned",
        """
def softmax(x, axis=-1):
    x = -np.asarray(x)
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)
""",
    ),
    unlisted(
        "softmax",
        "result transposed",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis, keepdims=True))
    return (e / e.sum(axis, keepdims=True)).T
""",
    ),
    unlisted(
        "softmax",
        "lists not taken",
        """
def softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    ),
    unlisted(
        "softmax",
        "base 2 without the factor",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = 2.0 ** (x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    ),
    unlisted(
        "softmax",
        "winner takes all",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    top = (x == x.max(axis=axis, keepdims=True)) * 1.0
    return top / top.sum(axis=axis, keepdims=True)
""",
    ),
    unlisted(
        "softmax",
        "absolute maximum for shift",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - np.abs(x).max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    ),
    unlisted(
        "softmax",
        "divided by the largest power",
        """
def softmax(x, axis=-1):
    x = np.asarray(x)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.max(axis=axis, keepdims=True)
""",
    ),
    unlisted(
        "softmax",
        "divided by the largest score",
        """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=float)
    e = np.exp(x / np.maximum(1, np.abs(x).max() / 500))
    return e / e.sum(axis=axis, keepdims=True)
""",
    ),
    unlisted(
        "softmax",
        "half precision",
        """
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.float16)
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)
""",
    ),
)

QUESTIONS = (
    right("predict_lost_weight", "fraction", "weights_left = 14 / 17"),
    right("predict_lost_weight", "rounded", "weights_left = 0.82"),
    right("predict_lost_weight", "worked out", "weights_left = 1 - len('the') / len('thecatsatonthemat')"),
    mistake("predict_lost_weight", LOST, "one", "weights_left = 1"),
    mistake("predict_lost_weight", LOST, "a list of one", "weights_left = [1.0]"),
    mistake("predict_lost_weight", "lost twice", "both gone", "weights_left = 11 / 17"),
    mistake("predict_lost_weight", "lost twice", "both gone, rounded", "weights_left = .65"),
    unlisted("predict_lost_weight", "five sixths", "weights_left = 5 / 6"),
    unlisted("predict_lost_weight", "count", "weights_left = 5"),
    unlisted("predict_lost_weight", "per cent", "weights_left = 82"),
    right("predict_survivors", "two", "numbers_left = 2"),
    right(
        "predict_survivors", "worked out", "numbers_left = float(min(map(len, 'The weather is in'.split())))"
    ),
    mistake("predict_survivors", CUT, "nine", "numbers_left = 9"),
    mistake("predict_survivors", CUT, "the longest", "numbers_left = len('beautiful')"),
    mistake("predict_survivors", "one per word", "seven", "numbers_left = 7"),
    mistake(
        "predict_survivors",
        "one per word",
        "seven counted",
        "numbers_left = len(sentence) if 'sentence' in dir() else 7",
    ),
    mistake("predict_survivors", "first word", "three", "numbers_left = 3"),
    mistake("predict_survivors", "first word", "The", "numbers_left = len('The')"),
    unlisted("predict_survivors", "all letters", "numbers_left = 37"),
    unlisted("predict_survivors", "words", "numbers_left = 'two'"),
    right("find_the_slip", "number", "faulty_line = 2"),
    right("find_the_slip", "in a list", "faulty_line = [2]"),
    mistake("find_the_slip", "whole matrix", "the division", "faulty_line = 3"),
    mistake("find_the_slip", "whole matrix", "the exponential", "faulty_line = 1"),
    unlisted("find_the_slip", "none", "faulty_line = 0"),
    unlisted("find_the_slip", "two of them", "faulty_line = [2, 3]"),
    right("predict_shifted", "two decimals", "shifted_weights = [0.73, 0.27]"),
    right("predict_shifted", "sigmoid", "shifted_weights = 1 / (1 + np.exp([-1, 1]))"),
    right("predict_shifted", "an axis more", "shifted_weights = np.array([[0.731, 0.269]])"),
    mistake("predict_shifted", "ratio of scores", "half and half", "shifted_weights = (0.5, 0.5)"),
    mistake(
        "predict_shifted",
        "ratio of scores",
        "by division",
        "shifted_weights = np.array([710, 709]) / (710 + 709)",
    ),
    mistake("predict_shifted", "winner takes all", "one and nothing", "shifted_weights = [1, 0]"),
    mistake("predict_shifted", "winner takes all", "nearly one", "shifted_weights = [0.997, 0.003]"),
    unlisted("predict_shifted", "the other way round", "shifted_weights = [0.269, 0.731]"),
    unlisted("predict_shifted", "not numbers", "shifted_weights = [np.nan, np.nan]"),
)

ANSWERS: tuple[Answer, ...] = (
    *LETTER_EMBEDDING,
    *LENGTH_WEIGHTS,
    *PAD_ROWS,
    *WEIGHTED_SUM,
    *SOFTMAX,
    *QUESTIONS,
)
