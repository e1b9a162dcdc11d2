# Everything right, written in another style than the reference.

# %% solution="word_embedding"
import hashlib


def word_embedding(word, vectors):
    for spelling in (word, word.lower()):
        if spelling in vectors:
            return vectors[spelling].copy()
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "little")
    direction = np.random.default_rng(seed).standard_normal(vectors.vector_size)
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    return direction / np.linalg.norm(direction) * length


# %% solution="sentence_matrix"
def sentence_matrix(sentence, vectors):
    return np.stack([word_embedding(word, vectors) for word in sentence.split()])


# %% solution="scaled_dot_product_attention"
def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = np.einsum("...qd,...kd->...qk", Q, K) / K.shape[-1] ** 0.5
    allowed = np.ones(scores.shape, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
    scores = np.where(allowed, scores, -np.inf)
    top = np.max(scores, axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isneginf(top), 0, top)) * allowed
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return weights @ V, weights


# %% solution="plot_attention_weights"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    rows = sentence_1.split() if isinstance(sentence_1, str) else sentence_1
    columns = sentence_2.split() if isinstance(sentence_2, str) else sentence_2
    figure, ax = plt.subplots(figsize=(7, 5))
    sns.heatmap(attention_weights, annot=True, fmt=".2f", vmin=0, vmax=1, xticklabels=columns, yticklabels=rows, ax=ax)
    ax.set(title="Attention weights", xlabel="keys", ylabel="queries")
    return ax


# %% [markdown] written="explain_keys_and_values"
# A key is how a word is found and a value is what it hands over. Here both describe the same six words, so the
# same vectors serve. In a trained layer W_K and W_V make two different views of each word.
