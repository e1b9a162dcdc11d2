# %% crosses="of each mistake"
# dot product instead of cosine -> the one with
# distance instead of cosine -> the one with
# places instead of words -> a word of

# %% right="a product of matrices"
def nearest_words(rows, vectors):
    unit = vectors.vectors / np.linalg.norm(vectors.vectors, axis=1)[:, None]
    return [vectors.index_to_key[i] for i in np.argmax(unit @ np.transpose(rows), axis=0)]
# %% right="gensim, row by row"
def nearest_words(rows, vectors):
    return [vectors.similar_by_vector(row, topn=1)[0][0] for row in rows]
# %% right="an array's words"
def nearest_words(rows, vectors):
    return np.array(vectors.index_to_key)[(rows @ vectors.get_normed_vectors().T).argmax(-1)].tolist()
# %% mistake="dot product instead of cosine" style="a product"
def nearest_words(rows, vectors):
    return [vectors.index_to_key[i] for i in (rows @ vectors.vectors.T).argmax(axis=1)]
# %% mistake="dot product instead of cosine" style="only the rows brought to length 1"
def nearest_words(rows, vectors):
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return [max(vectors.index_to_key, key=lambda word: row @ vectors[word]) for row in rows]
# %% mistake="distance instead of cosine" style="a loop"
def nearest_words(rows, vectors):
    return [min(vectors.index_to_key, key=lambda word: np.linalg.norm(row - vectors[word])) for row in rows]
# %% mistake="distance instead of cosine" style="cdist"
from scipy.spatial.distance import cdist
def nearest_words(rows, vectors):
    return [vectors.index_to_key[i] for i in cdist(rows, vectors.vectors).argmin(axis=1)]
# %% mistake="places instead of words" style="a list of places"
def nearest_words(rows, vectors):
    return (rows @ vectors.get_normed_vectors().T).argmax(axis=1).tolist()
# %% mistake="places instead of words" style="an array of places"
def nearest_words(rows, vectors):
    return np.argmax(rows @ vectors.get_normed_vectors().T, axis=1)
# %% unlisted="the first word only"
def nearest_words(rows, vectors):
    return vectors.similar_by_vector(rows[0], topn=1)[0][0]
# %% unlisted="the least alike"
def nearest_words(rows, vectors):
    return [vectors.index_to_key[i] for i in (rows @ vectors.get_normed_vectors().T).argmin(axis=1)]
# %% unlisted="nothing returned"
def nearest_words(rows, vectors):
    [vectors.similar_by_vector(row, topn=1) for row in rows]
