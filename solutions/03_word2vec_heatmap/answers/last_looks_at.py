# %% what_if="The last query is all zeros. Which word comes back?" because="All its scores are 0, so all its weights are equal, and argmax takes the first of equal numbers. So a word comes back although the query looked for nothing."
words = "we sing and dance".split()
Q = K = V = np.eye(4)
print(last_looks_at(words, Q, K, V), last_looks_at(words, Q * [[1], [1], [1], [0]], K, V))
# %% right="with the causal mask"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V, np.tri(len(words), dtype=bool))
    return words[np.argmax(weights[-1])]
# %% right="one query" buys="only the word that asks is worked out, one row of weights and not all"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q[-1:], K, V)
    return words[int(weights.argmax())]
# %% right="scores alone" buys="a softmax keeps the order of the scores, so the largest score is the largest weight"
def last_looks_at(words, Q, K, V):
    return words[(K @ Q[-1]).argmax()]
# %% right="max of pairs"
def last_looks_at(words, Q, K, V):
    weights = scaled_dot_product_attention(Q, K, V)[1]
    return max(zip(weights[-1], words))[1]
# %% right="an array of words" buys="all words' favourites at once, by an index of places"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return str(np.array(words)[weights.argmax(axis=-1)][-1])
# %% mistake="the first word's look" style="row 0"
def last_looks_at(words, Q, K, V):
    weights = scaled_dot_product_attention(Q, K, V)[1]
    return words[np.argmax(weights[0])]
# %% mistake="the first word's look" style="the first of all favourites"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[weights.argmax(axis=1)[0]]
# %% mistake="a column read, not a row" style="the last column"
def last_looks_at(words, Q, K, V):
    weights = scaled_dot_product_attention(Q, K, V)[1]
    return words[weights[:, -1].argmax()]
# %% mistake="a column read, not a row" style="the wrong axis"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[weights.argmax(axis=0)[-1]]
# %% mistake="the largest weight of all" style="where"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[np.where(weights == weights.max())[1][0]]
# %% mistake="the largest weight of all" style="a flat place"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[weights.argmax() % len(words)]
# %% mistake="whom all look at most" style="mean"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[weights.mean(axis=0).argmax()]
# %% mistake="the word itself left out" style="a slice"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[weights[-1][:-1].argmax()]
# %% mistake="the word itself left out" style="a mask without the diagonal"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V, np.tri(len(words), k=-1, dtype=bool))
    return words[weights[-1].argmax()]
# %% mistake="least instead of most" style="sorted"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[np.argsort(weights[-1])[0]]
# %% mistake="the output instead of the weights" style="what comes first"
def last_looks_at(words, Q, K, V):
    weights, _ = scaled_dot_product_attention(Q, K, V)
    return words[weights[-1].argmax()]
# %% mistake="Q, K or V in the wrong place, or a column of the scores read" style="the keys first"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(K, Q, V, np.tri(len(words), dtype=bool))
    return words[weights[-1].argmax()]
# %% mistake="Q, K or V in the wrong place, or a column of the scores read" style="the last key asks"
def last_looks_at(words, Q, K, V):
    return words[(Q @ K[-1]).argmax()]
# %% mistake="mask inverted, or always the last word" row="mask inverted" style="triu"
def last_looks_at(words, Q, K, V):
    looks_back = np.triu(np.ones((len(words), len(words)), dtype=bool))
    _, weights = scaled_dot_product_attention(Q, K, V, looks_back)
    return words[weights[-1].argmax()]
# %% mistake="places instead of words" style="argmax"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return int(weights[-1].argmax())
# %% unlisted="a weight comes back"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return weights[-1].max()
# %% unlisted="the first row under the mask: always the first word"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V, np.tri(len(words), dtype=bool))
    return words[weights[0].argmax()]
# %% unlisted="the second word from the end asks"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[weights[-2].argmax()]
# %% unlisted="printed, not returned"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    print(words[weights[-1].argmax()])
# %% unlisted="the nearest direction, whatever its length"
def last_looks_at(words, Q, K, V):
    return words[int(np.argmax(K @ Q[-1] / np.linalg.norm(K, axis=1)))]
# %% unlisted="the nearest key"
def last_looks_at(words, Q, K, V):
    return words[int(np.argmin(((K - Q[-1]) ** 2).sum(1)))]
# %% unlisted="the largest score, whatever its sign"
def last_looks_at(words, Q, K, V):
    return words[int(np.argmax(np.abs(K @ Q[-1])))]
# %% unlisted="the largest share of the output"
def last_looks_at(words, Q, K, V):
    _, weights = scaled_dot_product_attention(Q, K, V)
    return words[int(np.argmax(weights[-1] * np.linalg.norm(V, axis=1)))]
# %% mistake="equal words taken for one" style="max by index"
def last_looks_at(words, Q, K, V):
    w = scaled_dot_product_attention(Q, K, V)[1]
    return max(words, key=lambda x: w[-1][words.index(x)])
# %% mistake="equal words taken for one" style="a dictionary of weights"
def last_looks_at(words, Q, K, V):
    weights = scaled_dot_product_attention(Q, K, V)[1][-1]
    share = {word: weight for word, weight in zip(words, weights)}
    return max(share, key=share.get)
# %% mistake="Q, K or V in the wrong place, or a column of the scores read" style="the last column of the scores"
def last_looks_at(words, Q, K, V):
    scores = Q @ K.T
    return words[int(np.argmax(scores[:, -1]))]
