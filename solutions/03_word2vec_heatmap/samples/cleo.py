# Two misread conventions, a debug print and a warning; the rest is right.

# %% solution="word_embedding"
def word_embedding(word, vectors):
    print("embedding", word)
    if word in vectors:
        return vectors[word]
    rng = np.random.default_rng(sum(ord(letter) * 31**i for i, letter in enumerate(word)))
    direction = rng.normal(size=vectors.vector_size)
    return direction / np.linalg.norm(direction) * np.linalg.norm(vectors.vectors, axis=1).mean()


# %% solution="sentence_matrix"
def sentence_matrix(sentence, vectors):
    import warnings

    warnings.warn("this is only a debug message")
    return np.vstack([word_embedding(word, vectors) for word in sentence.split()])


# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    scores = scores - scores.max(axis=-1, keepdims=True)
    e = np.exp(scores)
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


# %% solution="plot_attention_weights"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    words_1 = sentence_1.split() if isinstance(sentence_1, str) else list(sentence_1)
    words_2 = sentence_2.split() if isinstance(sentence_2, str) else list(sentence_2)
    plt.figure(figsize=(8, 6))
    ax = sns.heatmap(attention_weights, annot=True, fmt=".2f", cmap="Blues", vmin=0, vmax=1)
    ax.set_xticks(np.arange(len(words_2)) + 0.5, words_2)
    ax.set_yticks(np.arange(len(words_1)) + 0.5, words_1)
    ax.set_title("Who looks at whom")
    ax.set_xlabel("Key")
    ax.set_ylabel("Query")
    return ax
