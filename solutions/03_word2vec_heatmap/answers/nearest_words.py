# %% what_if="A row is multiplied by -1. Does the word that was farthest become the nearest?" because="Yes. Every cosine changes its sign, so the smallest becomes the largest."
vectors = load_vectors()
row = vectors[["cat"]]
print(nearest_words(row, vectors), nearest_words(-row, vectors))
cosines = vectors.get_normed_vectors() @ row[0]
print(vectors.index_to_key[cosines.argmin()])
# %% right="gensim, row by row" buys="one call for each row, and topn says how many words you want"
def nearest_words(rows, vectors):
    return [vectors.similar_by_vector(row, topn=1)[0][0] for row in rows]
# %% mistake="dot product instead of cosine" style="a product"
def nearest_words(rows, vectors):
    return [vectors.index_to_key[i] for i in (rows @ vectors.vectors.T).argmax(axis=1)]
# %% mistake="distance instead of cosine" style="a loop"
def nearest_words(rows, vectors):
    return [min(vectors.index_to_key, key=lambda word: np.linalg.norm(row - vectors[word])) for row in rows]
# %% mistake="places instead of words" style="a list of places"
def nearest_words(rows, vectors):
    return (rows @ vectors.get_normed_vectors().T).argmax(axis=1).tolist()
# %% mistake="lengths along the wrong axis" style="norm of the columns"
def nearest_words(rows, vectors):
    unit = vectors.vectors / np.linalg.norm(vectors.vectors, axis=0)
    return [vectors.index_to_key[i] for i in np.argmax(rows @ unit.T, axis=1)]
# %% unlisted="the least alike"
def nearest_words(rows, vectors):
    return [vectors.index_to_key[i] for i in (rows @ vectors.get_normed_vectors().T).argmin(axis=1)]
# %% unlisted="nothing returned"
def nearest_words(rows, vectors):
    [vectors.similar_by_vector(row, topn=1) for row in rows]
# %% unlisted="the model's vectors brought to length 1 for good"
def nearest_words(rows, vectors):
    vectors.unit_normalize_all()
    return [vectors.index_to_key[i] for i in (rows @ vectors.vectors.T).argmax(axis=1)]
# %% unlisted="an opposite direction counts as near"
def nearest_words(rows, vectors):
    return [vectors.index_to_key[i] for i in abs(rows @ vectors.get_normed_vectors().T).argmax(axis=1)]
