# %% crosses="of each mistake"
# a word of the question is the answer -> a word of; the word nearest
# the way taken backwards -> the word nearest

# %% right="most_similar"
def analogy(a, b, c, vectors):
    return vectors.most_similar(positive=[b, c], negative=[a], topn=1)[0][0]
# %% right="a loop over the vocabulary"
def analogy(a, b, c, vectors):
    there = vectors[b] - vectors[a] + vectors[c]
    others = [word for word in vectors.index_to_key if word not in (a, b, c)]
    return max(others, key=lambda word: vectors[word] @ there / np.linalg.norm(vectors[word]))
# %% right="struck out, then the largest"
def analogy(a, b, c, vectors):
    cosines = vectors.get_normed_vectors() @ (vectors[c] + (vectors[b] - vectors[a]))
    cosines[[vectors.key_to_index[word] for word in (a, b, c)]] = -np.inf
    return vectors.index_to_key[cosines.argmax()]
# %% mistake="a word of the question is the answer" style="the nearest of all"
def analogy(a, b, c, vectors):
    return vectors.similar_by_vector(vectors[b] - vectors[a] + vectors[c])[0][0]
# %% mistake="a word of the question is the answer" style="argmax"
def analogy(a, b, c, vectors):
    cosines = vectors.get_normed_vectors() @ (vectors[c] + vectors[b] - vectors[a])
    return vectors.index_to_key[int(np.argmax(cosines))]
# %% mistake="the way taken backwards" style="a - b" of="a loop over the vocabulary"
# -     there = vectors[b] - vectors[a] + vectors[c]
# +     there = vectors[a] - vectors[b] + vectors[c]
# %% mistake="the way taken backwards" style="most_similar, turned round"
def analogy(a, b, c, vectors):
    return vectors.most_similar(positive=[a, c], negative=[b], topn=1)[0][0]
# %% unlisted="nearest to c"
def analogy(a, b, c, vectors):
    return next(word for word, _ in vectors.most_similar(c) if word not in (a, b))
# %% unlisted="a list of candidates"
def analogy(a, b, c, vectors):
    return vectors.most_similar(positive=[b, c], negative=[a])
# %% unlisted="nothing returned"
def analogy(a, b, c, vectors):
    vectors.most_similar(positive=[b, c], negative=[a])
