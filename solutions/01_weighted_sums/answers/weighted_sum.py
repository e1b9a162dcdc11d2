# %% crosses="of each mistake"
# overwritten instead of added up -> vectors of one
# return inside the loop -> vectors of one
# total reset inside the loop -> vectors of one
# not begun anew -> vectors of one
# result thrown away -> vectors of one
# a variable of the notebook instead of the argument -> as many numbers; vectors of one; repeats count every
# largest taken for longest -> as many numbers

# %% what_if="All weights are the same, 1 over n. What is the weighted sum then, and what do short vectors do to it?" because="It is the mean of the padded rows. The zeros of the short vectors are counted as well, so they make the later places smaller."
vectors = [[1.0, 2.0, 6.0], [3.0, 4.0]]
print(weighted_sum(np.array([0.5, 0.5]), vectors))
print(pad_rows(vectors).mean(axis=0))
# %% right="matmul of padded rows" row="matmul"
def weighted_sum(weights, vectors): return np.matmul(weights, pad_rows(vectors))
# %% right="zip_longest, column by column" row="zip_longest"
from itertools import zip_longest
def weighted_sum(weights, vectors):
    return [sum(w * x for w, x in zip(weights, column)) for column in zip_longest(*vectors, fillvalue=0)]
# %% right="np.pad in a loop" row="np.pad" buys="one row is in memory at a time, not the whole padded matrix"
def weighted_sum(weights, vectors):
    n = max(len(v) for v in vectors)
    total = np.zeros(n)
    for w, v in zip(weights, vectors):
        total += w * np.pad(np.asarray(v, float), (0, n - len(v)))
    return total
# %% right="place by place" buys="no padding: a short vector just adds nothing to the later places"
def weighted_sum(weights, vectors):
    total = [0.0] * max(map(len, vectors))
    for weight, vector in zip(weights, vectors):
        for place, number in enumerate(vector):
            total[place] += weight * number
    return total
# %% right="einsum"
def weighted_sum(weights, vectors): return np.einsum('n,nd->d', weights, pad_rows(vectors))
# %% right="broadcast in single precision"
def weighted_sum(weights, vectors):
    rows = np.asarray(pad_rows(vectors))
    return (weights[:, None] * rows).sum(axis=0).astype(np.float32)
# %% mistake="cut to the shortest vector" style="running total by zip"
def weighted_sum(weights, vectors):
    total = np.zeros(100)
    for w, v in zip(weights, vectors):
        total = [t + w * x for t, x in zip(total, v)]
    return np.array(total)
# %% mistake="repeated word lost" style="dictionary keyed by vector"
def weighted_sum(weights, vectors):
    weight_of = {}
    for w, v in zip(weights, vectors):
        weight_of[tuple(v)] = w
    total = np.zeros(max(len(v) for v in vectors))
    for v, w in weight_of.items():
        total[:len(v)] += w * np.array(v)
    return total
# %% mistake="repeated word lost" style="dictionary keyed by weight"
def weighted_sum(weights, vectors):
    pairs = dict(zip(weights, vectors))
    total = [0] * max(map(len, vectors))
    for w in pairs:
        for i, x in enumerate(pairs[w]):
            total[i] += w * x
    return total
# %% mistake="repeated word lost" style="seen before, skipped"
def weighted_sum(weights, vectors):
    total, seen = np.zeros(max(map(len, vectors))), []
    for w, v in zip(weights, vectors):
        if v in seen:
            continue
        seen.append(v)
        total[:len(v)] += w * np.array(v)
    return total
# %% mistake="plain mean instead of weights" style="mean of rows" true="weights that were given not used"
def weighted_sum(weights, vectors): return np.mean(pad_rows(vectors), axis=0)
# %% mistake="weights that were given not used" style="weights forgotten"
def weighted_sum(weights, vectors): return np.sum(pad_rows(vectors), axis=0)
# %% mistake="weighted sum divided once more" style="mean of the weighted rows"
def weighted_sum(weights, vectors):
    return (np.asarray(weights)[:, None] * pad_rows(vectors)).mean(axis=0)
# %% mistake="padded on the left" style="right ends aligned"
def weighted_sum(weights, vectors):
    total = np.zeros(max(map(len, vectors)))
    for w, v in zip(weights, vectors):
        total[-len(v):] += w * np.array(v)
    return total
# %% mistake="writes into its input" style="vectors filled up"
def weighted_sum(weights, vectors):
    n = max(map(len, vectors))
    for v in vectors:
        v.extend([0] * (n - len(v)))
    return np.dot(weights, vectors)
# %% mistake="added up along the wrong axis" style="each row summed"
def weighted_sum(weights, vectors):
    return [w * sum(row) for w, row in zip(weights, pad_rows(vectors))]
# %% mistake="added up along the wrong axis" style="axis 1 of the products"
def weighted_sum(weights, vectors):
    products = np.asarray(weights)[:, np.newaxis] * pad_rows(vectors)
    return np.sum(products, axis=1)
# %% mistake="return inside the loop" style="indented once too often"
def weighted_sum(weights, vectors):
    rows = pad_rows(vectors)
    total = np.zeros(rows.shape[1])
    for weight, row in zip(weights, rows):
        total += weight * row
        return total
# %% mistake="total reset inside the loop" style="zeros in the inner loop"
def weighted_sum(weights, vectors):
    rows, result = pad_rows(vectors), []
    for place in range(rows.shape[1]):
        for i, weight in enumerate(weights):
            total = 0
            total += weight * rows[i, place]
        result.append(total)
    return result
# %% mistake="not begun anew" style="zeros once"
def weighted_sum(weights, vectors):
    rows, result = pad_rows(vectors), []
    total = 0
    for place in range(rows.shape[1]):
        for i, weight in enumerate(weights):
            total += weight * rows[i, place]
        result.append(total)
    return np.array(result)
# %% mistake="result thrown away" style="a sum that nobody keeps"
def weighted_sum(weights, vectors):
    rows = pad_rows(vectors)
    total = weights[0] * rows[0]
    for weight, row in zip(weights[1:], rows[1:]):
        np.add(total, weight * row)
    return total
# %% mistake="a variable of the notebook instead of the argument" style="the lesson's own words"
lesson_words = [[9], [1, 13]]
def weighted_sum(weights, vectors):
    return np.asarray(weights) @ pad_rows(lesson_words)
# %% unlisted="nothing returned"
def weighted_sum(weights, vectors):
    total = weights @ pad_rows(vectors)
# %% mistake="not added up" style="not added up"
def weighted_sum(weights, vectors): return weights[:, None] * pad_rows(vectors)
# %% mistake="weights in another order" style="weights backwards"
def weighted_sum(weights, vectors): return weights[::-1] @ pad_rows(vectors)
# %% mistake="fractions cut off" style="whole numbers"
def weighted_sum(weights, vectors): return (weights @ pad_rows(vectors)).astype(int)
# %% mistake="added up to one number" style="one number"
def weighted_sum(weights, vectors): return (weights @ pad_rows(vectors)).sum()
# %% unlisted="added as polynomials"
from functools import reduce
def weighted_sum(weights, vectors):
    add = np.polynomial.polynomial.polyadd
    return reduce(add, [w * np.array(v) for w, v in zip(weights, vectors)])
# %% mistake="weights that were given not used" style="weights made anew from lengths"
def weighted_sum(weights, vectors):
    lengths = np.array([len(v) for v in vectors])
    return lengths / lengths.sum() @ pad_rows(vectors)
# %% unlisted="rounded"
def weighted_sum(weights, vectors): return np.round(weights @ pad_rows(vectors), 2)
# %% mistake="overwritten instead of added up" style="the last vector only" of="right ends aligned"
# -         total[-len(v):] += w * np.array(v)
# +         total[:len(v)] = w * np.array(v)
# %% mistake="cut to the first vector" style="as many places as the first has"
def weighted_sum(weights, vectors):
    total = [0.0] * len(vectors[0])
    for w, v in zip(weights, vectors):
        for i in range(min(len(v), len(total))):
            total[i] += w * v[i]
    return total
# %% [markdown]
# ## Clumsy halves
# %% unlisted="mean of the weighted rows, padded on the left" true="weighted sum divided once more; padded on the left"
def weighted_sum(weights, vectors):
    n = max(map(len, vectors))
    rows = np.array([[0] * (n - len(v)) + list(v) for v in vectors])
    return weights @ rows / len(vectors)
# %% mistake="a constant instead of the input's size" style="room for nine"
def weighted_sum(weights, vectors):
    total = np.zeros(9)
    for weight, vector in zip(weights, vectors):
        total[: len(vector)] += weight * np.array(vector)
    return total
# %% mistake="fractions cut off" style="added into whole numbers"
def weighted_sum(weights, vectors):
    total = np.zeros(max(map(len, vectors)), dtype=int)
    for weight, row in zip(weights, pad_rows(vectors)):
        for i in range(len(total)):
            total[i] += weight * row[i]
    return total
# %% mistake="overwritten instead of added up" style="no total before the loop"
def weighted_sum(weights, vectors):
    for weight, row in zip(weights, pad_rows(vectors)):
        total = weight * row
    return total
# %% mistake="largest taken for longest" style="len of max"
def weighted_sum(weights, vectors):
    total = np.zeros(len(max(vectors)))
    for w, v in zip(weights, vectors):
        for i, x in enumerate(v):
            total[i] += w * x
    return total
# %% mistake="weights renormalised at each place" style="divided by the weights so far"
def weighted_sum(weights, vectors):
    n = max(map(len, vectors))
    total, used = np.zeros(n), np.zeros(n)
    for w, v in zip(weights, vectors):
        total[: len(v)] += w * np.array(v)
        used[: len(v)] += w
    return total / used
