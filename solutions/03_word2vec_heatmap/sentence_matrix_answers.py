# %% crosses="of each mistake"
# unknown word not handled ->
# unknown word dropped -> an unknown word keeps
# repeated word lost -> one row for
# new vector on every call -> an unknown word's
# one vector for all unknown words -> an unknown word's
# two unknown words share a vector -> an unknown word's
# a known word's vector for an unknown word -> an unknown word's
# another vector in every process -> an unknown word's
# vector far too long -> an unknown word's

# %% right="stack"
def sentence_matrix(sentence, vectors):
    return np.stack([word_embedding(w, vectors) for w in sentence.split()])
# %% right="filled row by row, by keyword"
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    matrix = np.zeros((len(words), vectors.vector_size), dtype=np.float32)
    for i, word in enumerate(words):
        matrix[i] = word_embedding(word=word, vectors=vectors)
    return matrix
# %% right="vstack of appended rows"
def sentence_matrix(sentence, vectors):
    rows = []
    for word in sentence.strip().split():
        rows.append(np.asarray(word_embedding(word, vectors)))
    return np.vstack(rows)
# %% right="an embedding of its own"
def sentence_matrix(sentence, vectors):
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    def row(word):
        if word in vectors:
            return vectors[word]
        v = np.random.default_rng(list(word.encode())).normal(size=vectors.vector_size)
        return v * length / np.linalg.norm(v)
    return np.array([row(word) for word in sentence.split()])
# %% right="regular expression and torch"
import re
def sentence_matrix(sentence, vectors):
    words = re.findall( r"\S+", sentence)
    return torch.stack([torch.tensor(np.array(word_embedding(w, vectors), dtype=float)) for w in words])
# %% right="map and concatenate"
def sentence_matrix(sentence, vectors):
    rows = map(lambda w: np.reshape(word_embedding(w, vectors), (1, -1)), sentence.split())
    return np.concatenate(list(rows), axis=0)
# %% mistake="unknown word not handled" style="list of words at once"
def sentence_matrix(sentence, vectors):
    return vectors[sentence.split()]
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
# %% mistake="repeated word lost" style="dict.fromkeys"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in dict.fromkeys(sentence.split())])
# %% mistake="new vector on every call" style="randn"
def sentence_matrix(sentence, vectors):
    d = vectors.vector_size
    scale = vectors.vectors.std()
    return np.array([vectors[w] if w in vectors else np.random.randn(d) * scale for w in sentence.split()])
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
# %% mistake="one vector for all unknown words" style="mean"
def sentence_matrix(sentence, vectors):
    return np.array([vectors[w] if w in vectors else vectors.vectors.mean(axis=0) * 4 for w in sentence.split()])
# %% mistake="another vector in every process" style="hash"
def sentence_matrix(sentence, vectors):
    def row(w):
        if w in vectors:
            return vectors[w]
        return np.random.default_rng(abs(hash(w))).normal(size=vectors.vector_size) * vectors.vectors.std()
    return np.array([row(w) for w in sentence.split()])
# %% mistake="another vector in every process" style="hash, global seed"
def sentence_matrix(sentence, vectors):
    rows = []
    for w in sentence.split():
        if w in vectors:
            rows.append(vectors[w])
        else:
            np.random.seed(hash(w) % (2**32 - 1))
            rows.append(np.random.randn(vectors.vector_size) * vectors.vectors.std())
    return np.array(rows)
# %% mistake="vector far too long" style="ten times" of="hash"
# -         return np.random.default_rng(abs(hash(w))).normal(size=vectors.vector_size) * vectors.vectors.std()
# +         return np.random.default_rng(zlib.crc32(w.encode())).normal(size=vectors.vector_size) * 10
# %% mistake="vector far too long" style="whole numbers"
def sentence_matrix(sentence, vectors):
    out = []
    for w in sentence.split():
        if w in vectors:
            out.append(vectors[w])
        else:
            dice = np.random.RandomState(zlib.crc32(w.encode()))
            out.append(dice.randint(-50, 50, vectors.vector_size))
    return np.array(out)
# %% unlisted="arguments swapped"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(vectors, w) for w in sentence.split()])
# %% unlisted="vectors not handed on"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w) for w in sentence.split()])
# %% unlisted="backwards"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.split()[::-1]])
# %% unlisted="transposed"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.split()]).T
# %% unlisted="mean of the words"
def sentence_matrix(sentence, vectors):
    return np.mean([word_embedding(w, vectors) for w in sentence.split()], axis=0)
# %% unlisted="lower case"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.lower().split()])
# %% unlisted="split at blanks"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.split(' ')])
# %% unlisted="letter by letter"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(c, vectors) for c in sentence])
# %% unlisted="sorted words"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sorted(sentence.split())])
# %% unlisted="rows of length 1"
def sentence_matrix(sentence, vectors):
    rows = np.array([word_embedding(w, vectors) for w in sentence.split()])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
# %% unlisted="flat"
def sentence_matrix(sentence, vectors):
    return np.concatenate([word_embedding(w, vectors) for w in sentence.split()])
# %% unlisted="split at single blanks of a stripped text"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.strip().split(' ')])
# %% unlisted="the last word left out"
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    return np.array([word_embedding(words[i], vectors) for i in range(len(words) - 1)]).reshape(
        -1, vectors.vector_size
    )
# %% unlisted="the first word left out"
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    return np.array([word_embedding(w, vectors) for w in words[1:]]).reshape(-1, vectors.vector_size)
# %% mistake="a known word's vector for an unknown word" style="the most alike in spelling"
import difflib
def sentence_matrix(sentence, vectors):
    def known(w):
        return w if w in vectors else difflib.get_close_matches(w, vectors.index_to_key, n=1, cutoff=0.0)[0]
    return np.array([vectors[known(w)] for w in sentence.split()])
# %% mistake="a known word's vector for an unknown word" style="a row by checksum"
def sentence_matrix(sentence, vectors):
    rows = []
    for w in sentence.split():
        i = vectors.key_to_index.get(w, zlib.crc32(w.encode()) % len(vectors))
        rows.append(vectors.vectors[i])
    return np.array(rows)
# %% [markdown]
# ## From the wild
# %% unlisted="words of the model, in small letters" true="unknown word dropped"
def sentence_matrix(sentence, vectors):
    tokens = [w for w in sentence.lower().split() if w in vectors.key_to_index]
    if not tokens:
        return np.zeros((0, vectors.vector_size))
    return np.stack([vectors[w] for w in tokens])
# %% unlisted="mean of the known words"
def sentence_matrix(sentence, vectors):
    words = [vectors[w] for w in sentence.split() if w in vectors]
    if not words:
        return np.zeros(vectors.vector_size)
    return np.mean(words, axis=0)
# %% unlisted="three hundred zeros" true="one vector for all unknown words"
def sentence_matrix(sentence, vectors):
    return np.vstack([vectors[w] if w in vectors else np.zeros(300) for w in sentence.split()])
# %% right="a matrix made first, as for an embedding layer"
def sentence_matrix(sentence, vectors):
    tokens = sentence.split()
    weight = torch.empty(len(tokens), vectors.vector_size)
    for i, t in enumerate(tokens):
        weight[i] = torch.as_tensor(np.asarray(word_embedding(t, vectors)))
    return weight.numpy()
# %% mistake="repeated word lost" style="np.unique"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(str(w), vectors) for w in np.unique(sentence.split())])
# %% mistake="two unknown words share a vector" style="seeded by the number of letters" of="hash"
# -         return np.random.default_rng(abs(hash(w))).normal(size=vectors.vector_size) * vectors.vectors.std()
# +         return np.random.default_rng(len(w)).normal(size=vectors.vector_size) * vectors.vectors.std()
# %% mistake="two unknown words share a vector" style="seeded by the last letter" of="seeded by the number of letters"
# -         return np.random.default_rng(len(w)).normal(size=vectors.vector_size) * vectors.vectors.std()
# +         return np.random.default_rng(ord(w[-1])).normal(size=vectors.vector_size) * vectors.vectors.std()
# %% [markdown]
# ## Clumsy halves
# %% unlisted="returned inside the loop"
def sentence_matrix(sentence, vectors):
    rows = []
    for word in sentence.split():
        rows.append(word_embedding(word, vectors))
        return np.array(rows)
# %% unlisted="append, and its result kept" of="loop"
# -         rows.append(vectors.get_vector(word))
# +         rows = rows.append(word_embedding(word, vectors))
# %% unlisted="words instead of vectors"
def sentence_matrix(sentence, vectors):
    return np.array(sentence.split())
# %% unlisted="matrix of whole numbers"
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    matrix = np.zeros((len(words), vectors.vector_size), dtype=int)
    for i, word in enumerate(words):
        matrix[i] = word_embedding(word, vectors)
    return matrix
# %% unlisted="stops and commas taken off" true="a known word's vector for an unknown word"
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(word.strip(".,!?"), vectors) for word in sentence.split()])
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="map and reshape"
from functools import partial

def sentence_matrix(sentence, vectors):
    embed = partial(word_embedding, vectors=vectors)
    return np.array([*map(embed, sentence.split())]).reshape(-1, vectors.vector_size)
# %% unlisted="split at single blanks only: double blanks and line breaks give wrong rows"
def sentence_matrix(sentence, vectors):
    words = sentence.strip().split(" ")
    M = np.zeros((len(words), vectors.vector_size))
    for i, w in enumerate(words):
        M[i] = word_embedding(w, vectors)
    return M
# %% mistake="unknown word dropped" style="unknown word dropped, written blind"
def sentence_matrix(sentence, vectors):
    rows = []
    for token in sentence.split():
        try:
            rows.append(vectors[token])
        except KeyError:
            continue
    return np.stack(rows)
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
