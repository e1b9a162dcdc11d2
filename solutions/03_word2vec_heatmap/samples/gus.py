# One cell does not even parse; the others are right.

# %% solution="word_embedding"
def word_embedding(word, vectors):
    if word in vectors
        return vectors[word]


# %% solution="sentence_matrix"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(word, vectors) for word in sentence.split()])


# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-2, -1) / np.sqrt(K.shape[-1])
    if mask is not None:
        scores = scores + np.where(mask, 0.0, -np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(scores - scores.max(-1, keepdims=True))
        weights = np.nan_to_num(weights / weights.sum(-1, keepdims=True))
    return weights @ V, weights
