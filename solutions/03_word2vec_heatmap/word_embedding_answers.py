# %% right="seeded by sha256, KeyError caught"
import hashlib
def word_embedding(word, vectors):
    try:
        return np.array(vectors.get_vector(word))
    except KeyError:
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        noise = np.random.default_rng(seed).normal(size=vectors.vector_size)
        typical = np.median(np.linalg.norm(vectors.vectors, axis=1))
        return (noise / np.sqrt(vectors.vector_size) * typical).astype(np.float32)
# %% right="seeded by the list of letters"
def word_embedding(word, vectors):
    if word in vectors.key_to_index:
        return vectors.vectors[vectors.key_to_index[word]].copy()
    rng = np.random.default_rng([ord(letter) for letter in word])
    v = rng.normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.linalg.norm(vectors.vectors, axis=1).mean()
# %% right="lower case first, random.Random, a list"
import random
def word_embedding(word, vectors):
    for spelling in (word, word.lower()):
        if spelling in vectors:
            return [float(x) for x in vectors[spelling]]
    dice = random.Random(word)
    row = np.array([dice.gauss(0, 1) for _ in range(vectors.vector_size)])
    return list(row / np.linalg.norm(row) * np.linalg.norm(vectors.vectors, axis=1).mean())
# %% right="global generator seeded by crc32"
def word_embedding(word, vectors):
    if vectors.has_index_for(word):
        return vectors[word] * 1.0
    np.random.seed(zlib.crc32(word.encode()))
    return np.random.randn(vectors.vector_size) * vectors.vectors.std()
# %% right="remembered in a dictionary"
import hashlib
strangers = {}
def word_embedding(word, vectors):
    if word in vectors:
        return np.copy(vectors[word])
    d = vectors.vector_size
    if (word, d) not in strangers:
        digits = hashlib.md5(word.encode()).hexdigest()
        strangers[word, d] = np.random.RandomState(int(digits, 16) % 2**32).randn(d)
    v = strangers[word, d]
    return v * np.median(np.linalg.norm(vectors.vectors, axis=1)) / np.linalg.norm(v)
# %% right="numbers straight from a digest"
import hashlib
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    raw = hashlib.shake_256(word.encode()).digest(d)
    v = np.frombuffer(raw, dtype=np.uint8) / 127.5 - 1
    return v * length / np.linalg.norm(v)
# %% right="torch generator"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    generator = torch.Generator().manual_seed(zlib.crc32(word.encode()))
    v = torch.randn(d, generator=generator)
    return (v / v.norm() * float(length)).numpy()
# %% right="waves that depend on the letters"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    code = int.from_bytes(word.encode(), 'big') % 1_000_003
    v = np.cos(code * np.arange(1, d + 1) + code)
    return v * length / np.linalg.norm(v)
# %% right="hash of a tuple of numbers"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# %% mistake="KeyError" style="get_vector"
def word_embedding(word, vectors):
    return vectors.get_vector(word).copy()
# %% mistake="KeyError" style="index of the word"
def word_embedding(word, vectors):
    i = vectors.key_to_index[word]
    return np.array(vectors.vectors[i])
# %% mistake="new every call" style="randn" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.randn(d) * length / np.sqrt(d)
# %% mistake="new every call" style="randn as it is" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.randn(d)
# %% mistake="new every call" style="default_rng without a seed" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     v = np.random.default_rng().normal(size=d)
# +     return v / np.linalg.norm(v) * length
# %% mistake="new every call" style="one generator outside"
rng = np.random.default_rng(0)
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    return rng.standard_normal(d) * length / d**0.5
# %% mistake="new every call" style="a count of unknown words"
calls = []
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    calls.append(word)
    return np.random.default_rng(len(calls)).normal(size=d) * length / d**0.5
# %% mistake="one for all" style="zeros" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.zeros(d)
# %% mistake="one for all" style="seed 0" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(0).normal(size=d) * length / d**0.5
# %% mistake="one for all" style="global seed, unscaled" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     np.random.seed(42)
# +     return np.random.randn(d)
# %% mistake="one for all" style="mean of all words" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return vectors.vectors.mean(axis=0)
# %% mistake="one for all" style="first word's vector" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return vectors.vectors[0].copy()
# %% mistake="one for all" style="seed is the length" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(len(word)).normal(size=d) * length / d**0.5
# %% mistake="one for all" style="seed is the sum of the letters" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.RandomState(sum(map(ord, word))).randn(d) * length / d**0.5
# %% mistake="one for all" style="seed is the first letter" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.RandomState(ord(word[0])).randn(d) * length / d**0.5
# %% mistake="another one tomorrow" style="hash of the word" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     rng = np.random.default_rng(abs(hash(word)))
# +     return rng.normal(size=d) * length / d**0.5
# %% mistake="another one tomorrow" style="hash, old generator" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     np.random.seed(hash(word) % 2**32)
# +     v = np.random.rand(d) - 0.5
# +     return v / np.linalg.norm(v) * length
# %% mistake="far too long" style="seeded randn as it is" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return 10 * np.random.default_rng(zlib.crc32(word.encode())).normal(size=d) * max(1, length)
# %% mistake="far too long" style="times length, not divided by the root" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(zlib.crc32(word.encode())).normal(size=d) * length
# %% mistake="far too long" style="standard normal numbers"
def word_embedding(word, vectors):
    if word in vectors:
        return np.array(vectors[word])
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(vectors.vector_size)
# %% mistake="alias" style="indexing"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word]
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
# %% mistake="alias" style="np.asarray of the row"
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
# %% unlisted="unit vectors" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=d)
# +     return v / np.linalg.norm(v)
# %% unlisted="always lower case"
def word_embedding(word, vectors):
    word = word.lower()
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
# %% unlisted="known words brought to length 1" of="indexing"
# -         return vectors[word]
# +         return vectors.get_vector(word, norm=True)
# %% unlisted="None for unknown words" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return None
# %% unlisted="a number too few" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(zlib.crc32(word.encode())).normal(size=d - 1)
# %% unlisted="lengths column by column"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=0))
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
