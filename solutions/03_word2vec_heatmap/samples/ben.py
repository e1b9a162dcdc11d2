# Typical mistakes, one in each exercise.

# %% solution="word_embedding"
def word_embedding(word, vectors):
    try:
        return vectors[word].copy()
    except KeyError:
        return np.random.randn(vectors.vector_size)


# %% solution="sentence_matrix"
def sentence_matrix(sentence, vectors):
    return np.array([vectors[word] for word in sentence.split() if word in vectors])


# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.matmul(Q, K.swapaxes(-1, -2))
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    if mask is not None:
        weights = weights * mask
    return np.matmul(weights, V), weights


# %% solution="plot_attention_weights"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    fig, ax = plt.subplots()
    sns.heatmap(attention_weights, annot=True, xticklabels=sentence_2, yticklabels=sentence_1, ax=ax)
    ax.set_xlabel("Key")
    ax.set_ylabel("Query")
    plt.show()
