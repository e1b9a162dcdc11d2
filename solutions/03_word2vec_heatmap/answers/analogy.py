# %% what_if="a and b are the same word: dog is to dog as rabbit is to …?" because="The step from a to b has length 0, so you stay at c. But c itself is not allowed as an answer, so its nearest neighbour comes out."
vectors = load_vectors()
print(analogy("dog", "dog", "rabbit", vectors), vectors.most_similar("rabbit", topn=1)[0][0])
# %% right="struck out, then the largest" buys="the three words are struck out by minus infinity, so there is no list of candidates that could run short"
def analogy(a, b, c, vectors):
    cosines = vectors.get_normed_vectors() @ (vectors[c] + (vectors[b] - vectors[a]))
    cosines[[vectors.key_to_index[word] for word in (a, b, c)]] = -np.inf
    return vectors.index_to_key[cosines.argmax()]
# %% mistake="a word of the question is the answer" style="argmax"
def analogy(a, b, c, vectors):
    cosines = vectors.get_normed_vectors() @ (vectors[c] + vectors[b] - vectors[a])
    return vectors.index_to_key[int(np.argmax(cosines))]
# %% mistake="the way taken backwards" style="most_similar, turned round"
def analogy(a, b, c, vectors):
    return vectors.most_similar(positive=[a, c], negative=[b], topn=1)[0][0]
# %% unlisted="nearest to c"
def analogy(a, b, c, vectors):
    return next(word for word, _ in vectors.most_similar(c) if word not in (a, b))
# %% unlisted="nothing returned"
def analogy(a, b, c, vectors):
    vectors.most_similar(positive=[b, c], negative=[a])
# %% unlisted="most_similar, which brings all to length 1 before it adds"
def analogy(a, b, c, vectors):
    return vectors.most_similar(positive=[b, c], negative=[a], topn=1)[0][0]
# %% unlisted="the way walked on the model's own row"
def analogy(a, b, c, vectors):
    there = vectors.vectors[vectors.key_to_index[c]]
    there += vectors[b] - vectors[a]
    return next(word for word, _ in vectors.similar_by_vector(there) if word not in (a, b, c))
