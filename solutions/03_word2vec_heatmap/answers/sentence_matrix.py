# %% crosses="of each mistake"
# repeated word lost -> one row for
# new vector on every call -> an unknown word's
# another vector at another place -> an unknown word's
# one vector for all unknown words -> an unknown word's
# two unknown words share a vector -> an unknown word's
# a known word's vector for an unknown word -> an unknown word's
# another vector in every process -> an unknown word's
# vector far too long -> an unknown word's

# %% what_if="The sentence is read backwards. What happens to the matrix?" because="Its rows come in the opposite order, and each row is the same as before. A row depends on its word and not on the place of the word."
vectors = load_vectors()
there, back = sentence_matrix("the cat sat", vectors), sentence_matrix("sat cat the", vectors)
print(np.array_equal(there[::-1], back))
# %% right="filled row by row, by keyword" buys="the matrix is there before the loop, in single precision, and no list of rows beside it"
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    matrix = np.zeros((len(words), vectors.vector_size), dtype=np.float32)
    for i, word in enumerate(words):
        matrix[i] = word_embedding(word=word, vectors=vectors)
    return matrix
# %% right="vstack of appended rows" buys="each row may come as a list or as an array"
def sentence_matrix(sentence, vectors):
    rows = []
    for word in sentence.strip().split():
        rows.append(np.asarray(word_embedding(word, vectors)))
    return np.vstack(rows)
# %% right="regular expression and torch" buys="the pattern says what a word is; other marks than spaces are a change of one line"
import re
def sentence_matrix(sentence, vectors):
    words = re.findall( r"\S+", sentence)
    return torch.stack([torch.tensor(np.array(word_embedding(w, vectors), dtype=float)) for w in words])
# %% mistake="unknown word not handled" style="loop"
def sentence_matrix(sentence, vectors):
    rows = []
    for word in sentence.split():
        rows.append(vectors.get_vector(word))
    return np.array(rows)
# %% mistake="unknown word dropped" style="comprehension with if"
def sentence_matrix(sentence, vectors):
    return np.array([vectors[w] for w in sentence.split() if w in vectors])
# %% mistake="unknown word dropped" style="try and pass"
def sentence_matrix(sentence, vectors):
    rows = []
    for w in sentence.split():
        try:
            rows.append(vectors[w])
        except KeyError:
            pass
    return np.array(rows).reshape(-1, vectors.vector_size)
# %% mistake="repeated word lost" style="dictionary"
def sentence_matrix(sentence, vectors):
    rows = {w: word_embedding(w, vectors) for w in sentence.split()}
    return np.array(list(rows.values()))
# %% mistake="new vector on every call" style="random rows, known ones filled in"
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    out = np.random.default_rng().normal(scale=vectors.vectors.std(), size=(len(words), vectors.vector_size))
    for i, w in enumerate(words):
        if w in vectors:
            out[i] = vectors[w]
    return out
# %% mistake="one vector for all unknown words" style="zeros" of="random rows, known ones filled in"
# -     out = np.random.default_rng().normal(scale=vectors.vectors.std(), size=(len(words), vectors.vector_size))
# +     out = np.zeros((len(words), vectors.vector_size))
# %% mistake="another vector in every process" style="hash"
def sentence_matrix(sentence, vectors):
    def row(w):
        if w in vectors:
            return vectors[w]
        return np.random.default_rng(abs(hash(w))).normal(size=vectors.vector_size) * vectors.vectors.std()
    return np.array([row(w) for w in sentence.split()])
# %% mistake="vector far too long" style="ten times" of="hash"
# -         return np.random.default_rng(abs(hash(w))).normal(size=vectors.vector_size) * vectors.vectors.std()
# +         return np.random.default_rng(zlib.crc32(w.encode())).normal(size=vectors.vector_size) * 10
# %% mistake="new vector on every call" style="drawn in the loop"
def sentence_matrix(sentence, vectors):
    rows, usual = [], np.median(np.linalg.norm(vectors.vectors, axis=1))
    for word in sentence.split():
        if word in vectors:
            rows.append(vectors[word])
        else:
            v = np.random.randn(vectors.vector_size)
            rows.append(v / np.linalg.norm(v) * usual)
    return np.array(rows)
# %% mistake="another vector at another place" style="one draw for each unknown word, begun anew" of="drawn in the loop"
# -     rows, usual = [], np.median(np.linalg.norm(vectors.vectors, axis=1))
# +     rng, rows, usual = np.random.default_rng(0), [], np.median(np.linalg.norm(vectors.vectors, axis=1))
# -             v = np.random.randn(vectors.vector_size)
# +             v = rng.standard_normal(vectors.vector_size)
# %% mistake="another vector at another place" style="seeded by the place" of="drawn in the loop"
# -     for word in sentence.split():
# +     for place, word in enumerate(sentence.split()):
# -             v = np.random.randn(vectors.vector_size)
# +             v = np.random.default_rng(place).standard_normal(vectors.vector_size)
# %% unlisted="the sentence's first word without its capital"
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    words[0] = words[0].lower()
    return np.array([word_embedding(word, vectors) for word in words])
# %% unlisted="lower case"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.lower().split()])
# %% unlisted="split at single blanks of a stripped text"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.strip().split(' ')])
# %% mistake="a known word's vector for an unknown word" style="a row by checksum"
def sentence_matrix(sentence, vectors):
    rows = []
    for w in sentence.split():
        i = vectors.key_to_index.get(w, zlib.crc32(w.encode()) % len(vectors))
        rows.append(vectors.vectors[i])
    return np.array(rows)
# %% unlisted="the model learns the unknown words"
def sentence_matrix(sentence, vectors):
    for word in sentence.split():
        if word not in vectors:
            vectors.add_vector(word, word_embedding(word, vectors))
    return np.array([vectors[word] for word in sentence.split()])
# %% [markdown]
# ## From the wild
# %% unlisted="words of the model, in small letters" true="unknown word dropped"
def sentence_matrix(sentence, vectors):
    tokens = [w for w in sentence.lower().split() if w in vectors.key_to_index]
    if not tokens:
        return np.zeros((0, vectors.vector_size))
    return np.stack([vectors[w] for w in tokens])
# %% unlisted="three hundred zeros" true="one vector for all unknown words"
def sentence_matrix(sentence, vectors):
    return np.vstack([vectors[w] if w in vectors else np.zeros(300) for w in sentence.split()])
# %% mistake="two unknown words share a vector" style="seeded by the number of letters" of="hash"
# -         return np.random.default_rng(abs(hash(w))).normal(size=vectors.vector_size) * vectors.vectors.std()
# +         return np.random.default_rng(len(w)).normal(size=vectors.vector_size) * vectors.vectors.std()
# %% [markdown]
# ## Clumsy halves
# %% unlisted="returned inside the loop" true="return inside the loop"
def sentence_matrix(sentence, vectors):
    rows = []
    for word in sentence.split():
        rows.append(word_embedding(word, vectors))
        return np.array(rows)
# %% unlisted="words instead of vectors"
def sentence_matrix(sentence, vectors):
    return np.array(sentence.split())
# %% unlisted="stops and commas taken off" true="a known word's vector for an unknown word"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(word.strip(".,!?"), vectors) for word in sentence.split()])
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="repeated word lost" true="repeated word lost"
def sentence_matrix(sentence, vectors):
    words = sentence.lower().split()
    seen = {}
    for word in words:
        seen[word] = word_embedding(word, vectors)
    matrix = []
    for word in seen:
        matrix.append(list(seen[word]))
    matrix = np.array(matrix)
    return matrix
# %% right="with another recipe for unknown words"
import hashlib
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
    direction = np.random.default_rng(seed).normal(size=vectors.vector_size)
    return direction / np.linalg.norm(direction) * np.median(np.linalg.norm(vectors.vectors, axis=1))
def sentence_matrix(sentence, vectors): return np.stack([word_embedding(word, vectors) for word in sentence.split()])
