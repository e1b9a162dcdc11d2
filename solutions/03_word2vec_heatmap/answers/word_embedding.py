# %% crosses="of each mistake"
# unknown word not handled -> an unknown word gets
# new vector on every call -> the same word; an unknown word's
# one vector for all unknown words -> two unknown words; an unknown word's; what comes back
# a known word's vector for an unknown word -> two unknown words
# another vector in every process -> the same word
# vector far too long -> an unknown word's; what comes back
# the model's own row, not a copy -> what comes back
# kept from one model for another -> an unknown word gets
# %% what_if="How alike are the vectors of two unknown words that differ in one letter, as glorpa and glorpb do?" because="They are not alike. The seed is a checksum of all letters, so another letter gives another direction. Two random directions of 50 numbers have a cosine of about 0, give or take 0.14, so 0.35 is a rare draw."
vectors = load_vectors()
rows = np.array([word_embedding("glorp" + letter, vectors) for letter in "abcdefgh"])
rows /= np.linalg.norm(rows, axis=1, keepdims=True)
print(np.round((rows @ rows.T)[0, 1:], 2))
# %% right="small letters if need be, random.Random, a list" buys="a capital at the beginning of a sentence does not make a word unknown"
import random
def word_embedding(word, vectors):
    for spelling in (word, word.lower()):
        if spelling in vectors:
            return [float(x) for x in vectors[spelling]]
    dice = random.Random(word)
    row = np.array([dice.gauss(0, 1) for _ in range(vectors.vector_size)])
    return list(row / np.linalg.norm(row) * np.linalg.norm(vectors.vectors, axis=1).mean())
# %% right="torch generator" buys="PyTorch draws from a generator of its own, and nothing else that draws is disturbed"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    generator = torch.Generator().manual_seed(zlib.crc32(word.encode()))
    v = torch.randn(d, generator=generator)
    return (v / v.norm() * float(length)).numpy()
# %% right="seed: letters times their places"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    seed = sum((i + 1) * ord(letter) for i, letter in enumerate(word))
    v = np.random.default_rng(seed).normal(size=vectors.vector_size)
    return v * np.median(np.linalg.norm(vectors.vectors, axis=1)) / np.linalg.norm(v)
# %% right="hash of a tuple of numbers"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# %% mistake="unknown word not handled" style="get_vector"
def word_embedding(word, vectors):
    return vectors.get_vector(word).copy()
# %% mistake="unknown word not handled" style="index of the word"
def word_embedding(word, vectors):
    i = vectors.key_to_index[word]
    return np.array(vectors.vectors[i])
# %% mistake="new vector on every call" style="randn" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.randn(d) * length / np.sqrt(d)
# %% mistake="two unknown words share a vector" style="seed is the length" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(len(word)).normal(size=d) * length / d**0.5
# %% mistake="another vector in every process" style="hash of the word" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     rng = np.random.default_rng(abs(hash(word)))
# +     return rng.normal(size=d) * length / d**0.5
# %% mistake="vector far too long" style="standard normal numbers"
def word_embedding(word, vectors):
    if word in vectors:
        return np.array(vectors[word])
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(vectors.vector_size)
# %% mistake="the model's own row, not a copy" style="indexing"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word]
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
# %% mistake="the model's own row, not a copy" style="np.asarray of the row"
def word_embedding(word, vectors):
    try:
        return np.asarray(vectors.vectors[vectors.key_to_index[word]])
    except KeyError:
        v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
        return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
# %% unlisted="a fifth too short" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=d)
# +     return v * length / 5 / np.linalg.norm(v)
# %% unlisted="known words brought to length 1" of="indexing"
# -         return vectors[word]
# +         return vectors.get_vector(word, norm=True)
# %% mistake="unknown word not handled" style="None for unknown words" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return None
# %% unlisted="always fifty numbers"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=50)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
# %% unlisted="the vocabulary grows"
def word_embedding(word, vectors):
    if word not in vectors:
        v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
        v = v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
        vectors.add_vector(word, v)
    return vectors[word].copy()
# %% unlisted="vectors scaled in place"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    vectors.vectors /= 2
    return v / np.linalg.norm(v) * length
# %% mistake="a known word's vector for an unknown word" style="a place in the vocabulary from a checksum"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    return vectors.vectors[zlib.crc32(word.encode()) % len(vectors)].copy()
# %% unlisted="one of four thousand seeds" true="two unknown words share a vector" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(zlib.crc32(word.encode()) & 0xFFF).normal(size=d) * length / d**0.5
# %% mistake="two unknown words share a vector" style="the first four letters" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(zlib.crc32(word[:4].encode())).normal(size=d) * length / d**0.5
# %% mistake="another vector in every process" style="the global generator seeded by hash, then scaled"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    np.random.seed(hash(word) % 2**32)
    v = np.random.randn(vectors.vector_size)
    v = v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
    return v
# %% unlisted="English letters alone"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode("ascii"))).standard_normal(vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
# %% unlisted="as long as the vector of the model's first word"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode())).standard_normal(vectors.vector_size)
    return v / np.linalg.norm(v) * np.linalg.norm(vectors.vectors[0])
# %% [markdown]
# ## From the wild
# %% mistake="one vector for all unknown words" style="zeros for what is not in the vocabulary" true="the model's own row, not a copy"
def word_embedding(word, vectors):
    try:
        return vectors[word]
    except KeyError:
        return np.zeros(vectors.vector_size)
# %% unlisted="the vector of unk" true="unknown word not handled"
def word_embedding(word, vectors):
    if word not in vectors:
        word = "unk"
    return vectors[word].copy()
# %% [markdown]
# ## Clumsy halves
# %% unlisted="known words alone, and nothing else is returned" true="unknown word not handled" of="a place in the vocabulary from a checksum"
# -     return vectors.vectors[zlib.crc32(word.encode()) % len(vectors)].copy()
# %% unlisted="new each time and too long" true="new vector on every call; vector far too long; the model's own row, not a copy"
def word_embedding(word, vectors):
    try:
        return vectors[word]
    except:
        return 100 * np.random.randn(vectors.vector_size)
# %% mistake="kept from one model for another" style="thrown once and kept in a dictionary" true="another vector in every process"
_thrown = {}
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    if word not in _thrown:
        v = np.random.randn(vectors.vector_size)
        _thrown[word] = v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
    return _thrown[word].copy()
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="one vector for all unknown words of the same length" true="two unknown words share a vector; vector far too long"
def word_embedding(word, vectors):
    known = False
    for w in vectors.index_to_key:
        if w == word:
            known = True
    if known == True:
        vec = np.array(vectors[word])
        return vec
    else:
        np.random.seed(len(word))
        vec = np.random.randn(vectors.vector_size) * 100
        return vec
