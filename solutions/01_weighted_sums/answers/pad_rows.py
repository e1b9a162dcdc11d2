# %% crosses="of each mistake"
# below the loop instead of inside it -> one row for each
# padded with something else than zeros -> zeros fill
# one row for all -> each vector stands; zeros fill; whole numbers arrive
# largest taken for longest -> one row for

# %% what_if="One of the vectors is empty: []. What does its row become, and what if all are empty?" because="An empty vector becomes a row of zeros. If all are empty, `np.zeros` makes rows without columns, and `zip_longest` makes no rows."
print(pad_rows([[1.0, 2.0], []]))
print(pad_rows([[], []]).shape)
# %% right="zip_longest" row="zip_longest" buys="the standard library pads: it fills the columns, and .T makes rows of them"
from itertools import zip_longest
def pad_rows(vectors):
    columns = list(zip_longest(*vectors, fillvalue=0))
    return np.array(columns).T
# %% right="zip_longest, lists" row="zip_longest"
from itertools import zip_longest
def pad_rows(vectors):
    return list(zip(*zip_longest(*vectors, fillvalue=0)))
# %% right="np.pad" row="np.pad" buys="each row says how much is missing at its end, and NumPy fills that"
def pad_rows(vectors):
    n = max(len(v) for v in vectors)
    return np.stack([np.pad(v, (0, n - len(v))) for v in vectors])
# %% right="np.pad with named mode" row="np.pad"
def pad_rows(vectors):
    longest = max(map(len, vectors))
    rows = []
    for v in vectors:
        rows.append(np.pad(np.array(v, dtype=float), (0, longest - len(v)), mode="constant", constant_values=0))
    return np.vstack(rows)
# %% right="lists added"
def pad_rows(vectors): return [v + [0] * (max(map(len, vectors)) - len(v)) for v in vectors]
# %% right="boolean mask" buys="the mask says which places hold a number, and all are filled at once"
def pad_rows(vectors):
    lengths = np.array([len(v) for v in vectors])
    padded = np.zeros((len(vectors), lengths.max()))
    padded[np.arange(lengths.max()) < lengths[:, None]] = np.concatenate(vectors)
    return padded
# %% right="double loop"
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
# %% right="appends to a copy"
def pad_rows(vectors):
    longest = len(max(vectors, key=len))
    copies = [list(v) for v in vectors]
    for v in copies:
        while len(v) < longest:
            v.append(0)
    return np.array(copies)
# %% mistake="cut to the shortest vector" style="sliced to the minimum"
def pad_rows(vectors): return [v[:min(map(len, vectors))] for v in vectors]
# %% mistake="cut to the shortest vector" style="cut, then filled with zeros"
def pad_rows(vectors):
    out = np.zeros((len(vectors), max(map(len, vectors))))
    for j, column in enumerate(zip(*vectors)):
        out[:, j] = column
    return out
# %% mistake="padded on the left" style="np.pad in front"
def pad_rows(vectors):
    n = max(len(v) for v in vectors)
    return np.array([np.pad(v, (n - len(v), 0)) for v in vectors])
# %% mistake="writes into its input" style="append in place"
def pad_rows(vectors):
    longest = max(len(v) for v in vectors)
    for v in vectors:
        while len(v) < longest:
            v.append(0)
    return np.array(vectors)
# %% mistake="below the loop instead of inside it" style="the last row alone"
def pad_rows(vectors):
    longest, rows = max(map(len, vectors)), []
    for vector in vectors:
        row = [*vector, *[0.0] * (longest - len(vector))]
    rows.append(row)
    return np.array(rows)
# %% unlisted="nothing returned"
def pad_rows(vectors):
    [v + [0] * 3 for v in vectors]
# %% mistake="rows and columns exchanged" style="not turned back"
from itertools import zip_longest
def pad_rows(vectors):
    return np.array(list(zip_longest(*vectors, fillvalue=0)))
# %% mistake="fractions cut off" style="array of whole numbers"
def pad_rows(vectors):
    out = np.zeros((len(vectors), max(map(len, vectors))), dtype=int)
    for i, v in enumerate(vectors):
        out[i, :len(v)] = v
    return out
# %% mistake="fractions cut off" style="the first vector's type"
def pad_rows(vectors):
    out = np.zeros((len(vectors), max(map(len, vectors))), dtype=np.array(vectors[0]).dtype)
    for i, v in enumerate(vectors):
        out[i, :len(v)] = v
    return out
# %% mistake="padded with something else than zeros" style="wraps round"
def pad_rows(vectors):
    n = max(map(len, vectors))
    return np.array([np.resize(v, n) for v in vectors])
# %% unlisted="longest first"
def pad_rows(vectors):
    n = max(map(len, vectors))
    return np.array([list(v) + [0] * (n - len(v)) for v in sorted(vectors, key=len, reverse=True)])
# %% mistake="zeros lost" style="zeros left out as padding"
def pad_rows(vectors):
    n = max(map(len, vectors))
    rows = [[x for x in v if x != 0] for v in vectors]
    return [v + [0] * (n - len(v)) for v in rows]
# %% mistake="cut to the first vector" style="length of the first"
def pad_rows(vectors):
    n = len(vectors[0])
    rows = np.zeros((len(vectors), n))
    for i, v in enumerate(vectors):
        rows[i, : len(v[:n])] = v[:n]
    return rows
# %% mistake="padded on both sides" style="centred"
def pad_rows(vectors):
    n = max(map(len, vectors))
    rows = []
    for v in vectors:
        left = (n - len(v)) // 2
        rows.append([0] * left + list(v) + [0] * (n - len(v) - left))
    return np.array(rows)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="zeros first, and whole numbers" true="padded on the left; fractions cut off"
def pad_rows(vectors):
    n = max(map(len, vectors))
    out = np.zeros((len(vectors), n), dtype=int)
    for i, v in enumerate(vectors):
        out[i, n - len(v) :] = v
    return out
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="width of the first row instead of the longest" true="cut to the first vector; fractions cut off"
def pad_rows(vectors):
    n = len(vectors)
    longest = len(vectors[0])
    result = np.zeros((n, longest), dtype=int)
    for i in range(n):
        for j in range(longest):
            try:
                result[i][j] = vectors[i][j]
            except IndexError:
                result[i][j] = 0
    return result
# %% mistake="a constant instead of the input's size" style="nine columns"
def pad_rows(vectors):
    return np.array([[*vector, *[0] * (9 - len(vector))] for vector in vectors])
# %% mistake="repeated word lost" style="keys of a dictionary"
def pad_rows(vectors):
    longest, rows = max(map(len, vectors)), {}
    for vector in vectors:
        rows[tuple(vector)] = [*vector, *[0] * (longest - len(vector))]
    return np.array(list(rows.values()))
# %% mistake="repeated word lost" style="written where the first one stands"
def pad_rows(vectors):
    rows = np.zeros((len(vectors), max(map(len, vectors))))
    for vector in vectors:
        rows[vectors.index(vector), : len(vector)] = vector
    return rows
# %% mistake="padded with something else than zeros" style="NaN"
def pad_rows(vectors):
    n = max(len(v) for v in vectors)
    rows = np.full((len(vectors), n), np.nan)
    for i, v in enumerate(vectors):
        rows[i, : len(v)] = v
    return rows
# %% mistake="padded with something else than zeros" style="minus one, lists added"
def pad_rows(vectors): return [v + [-1] * (max(map(len, vectors)) - len(v)) for v in vectors]
# %% mistake="one row for all" style="zeros times n, times m"
def pad_rows(vectors):
    n, m = max(len(v) for v in vectors), len(vectors)
    rows = [[0] * n] * m
    for i, v in enumerate(vectors):
        for j, x in enumerate(v):
            rows[i][j] = x
    return np.array(rows)
# %% mistake="largest taken for longest" style="len of max"
def pad_rows(vectors):
    longest = len(max(vectors))
    return np.array([v + [0] * (longest - len(v)) for v in vectors])
# %% mistake="largest taken for longest" style="rows of zeros"
def pad_rows(vectors):
    rows = np.zeros((len(vectors), len(max(vectors))))
    for i, v in enumerate(vectors):
        rows[i, : len(v)] = v
    return rows
