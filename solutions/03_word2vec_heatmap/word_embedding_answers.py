# %% crosses="of each mistake"
# unknown word not handled -> an unknown word gets
# new vector on every call -> the same word; an unknown word's
# one vector for all unknown words -> two unknown words; an unknown word's; what comes back
# two unknown words share a vector -> two unknown words
# a known word's vector for an unknown word -> two unknown words
# another vector in every process -> the same word
# vector far too long -> an unknown word's; what comes back
# the model's own row, not a copy -> what comes back
# kept from one model for another -> an unknown word gets
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
# %% mistake="new vector on every call" style="randn as it is" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.randn(d)
# %% mistake="new vector on every call" style="default_rng without a seed" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     v = np.random.default_rng().normal(size=d)
# +     return v / np.linalg.norm(v) * length
# %% mistake="new vector on every call" style="one generator outside"
rng = np.random.default_rng(0)
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    return rng.standard_normal(d) * length / d**0.5
# %% mistake="new vector on every call" style="a count of unknown words"
calls = []
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    calls.append(word)
    return np.random.default_rng(len(calls)).normal(size=d) * length / d**0.5
# %% mistake="one vector for all unknown words" style="zeros" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.zeros(d)
# %% mistake="one vector for all unknown words" style="seed 0" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(0).normal(size=d) * length / d**0.5
# %% mistake="one vector for all unknown words" style="global seed, unscaled" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     np.random.seed(42)
# +     return np.random.randn(d)
# %% mistake="one vector for all unknown words" style="mean of all words" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return vectors.vectors.mean(axis=0)
# %% mistake="a known word's vector for an unknown word" style="first word's vector" of="hash of a tuple of numbers" true="one vector for all unknown words"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return vectors.vectors[0].copy()
# %% mistake="two unknown words share a vector" style="seed is the length" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(len(word)).normal(size=d) * length / d**0.5
# %% mistake="two unknown words share a vector" style="seed is the sum of the letters" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.RandomState(sum(map(ord, word))).randn(d) * length / d**0.5
# %% mistake="two unknown words share a vector" style="seed is the first letter" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.RandomState(ord(word[0])).randn(d) * length / d**0.5
# %% mistake="another vector in every process" style="hash of the word" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     rng = np.random.default_rng(abs(hash(word)))
# +     return rng.normal(size=d) * length / d**0.5
# %% mistake="another vector in every process" style="hash, old generator" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     np.random.seed(hash(word) % 2**32)
# +     v = np.random.rand(d) - 0.5
# +     return v / np.linalg.norm(v) * length
# %% mistake="vector far too long" style="seeded randn as it is" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return 10 * np.random.default_rng(zlib.crc32(word.encode())).normal(size=d) * max(1, length)
# %% mistake="vector far too long" style="times length, not divided by the root" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(zlib.crc32(word.encode())).normal(size=d) * length
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
# %% mistake="unknown word not handled" style="None for unknown words" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return None
# %% unlisted="a number too few" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(zlib.crc32(word.encode())).normal(size=d - 1)
# %% mistake="vector far too long" style="lengths column by column"
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
# %% unlisted="vectors scaled in place" of="lengths column by column"
# -     return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=0))
# +     length = np.median(np.linalg.norm(vectors.vectors, axis=1))
# +     vectors.vectors /= 2
# +     return v / np.linalg.norm(v) * length
# %% mistake="two unknown words share a vector" style="seed is the sum of the codes, as a generator" of="hash of a tuple of numbers"
# -     return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5
# +     return np.random.default_rng(sum(word.encode())).normal(size=d) * length / d**0.5
# %% mistake="a known word's vector for an unknown word" style="the word that is spelt most alike"
import difflib
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    near = difflib.get_close_matches(word, vectors.index_to_key, n=1, cutoff=0.0)
    return vectors[near[0]].copy()
# %% mistake="a known word's vector for an unknown word" style="a place in the vocabulary from a checksum"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    return vectors.vectors[zlib.crc32(word.encode()) % len(vectors)].copy()
# %% [markdown]
# ## From the wild
# %% mistake="one vector for all unknown words" style="zeros for what is not in the vocabulary" true="the model's own row, not a copy"
def word_embedding(word, vectors):
    try:
        return vectors[word]
    except KeyError:
        return np.zeros(vectors.vector_size)
# %% mistake="new vector on every call" style="uniform(-0.25, 0.25), a sentence classifier's" of="standard normal numbers"
# -     return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(vectors.vector_size)
# +     return np.random.uniform(-0.25, 0.25, vectors.vector_size)
# %% mistake="another vector in every process" style="a seeded vector as a library makes it"
def word_embedding(word, vectors):
    if word in vectors.key_to_index:
        return vectors.get_vector(word).copy()
    once = np.random.RandomState(hash(word) & 0xFFFFFFFF)
    v = (once.rand(vectors.vector_size) - 0.5) / vectors.vector_size
    return v / np.linalg.norm(v) * np.linalg.norm(vectors.vectors, axis=1).mean()
# %% unlisted="the vector of unk" true="unknown word not handled"
def word_embedding(word, vectors):
    if word not in vectors:
        word = "unk"
    return vectors[word].copy()
# %% right="sum of the vectors of its groups of letters"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    marked = f"<{word}>"
    grams = [marked[i : i + n] for n in (3, 4, 5) for i in range(len(marked) - n + 1)] or [marked]
    total = sum(np.random.default_rng(zlib.crc32(g.encode())).normal(size=vectors.vector_size) for g in grams)
    return total / np.linalg.norm(total) * np.median(np.linalg.norm(vectors.vectors, axis=1))
# %% [markdown]
# ## Clumsy halves
# %% unlisted="known words alone, and nothing else is returned" true="unknown word not handled" of="a place in the vocabulary from a checksum"
# -     return vectors.vectors[zlib.crc32(word.encode()) % len(vectors)].copy()
# %% unlisted="the unknown word is a TODO" true="unknown word not handled" of="a place in the vocabulary from a checksum"
# -     return vectors.vectors[zlib.crc32(word.encode()) % len(vectors)].copy()
# +     raise NotImplementedError("this is still a TODO")
# %% unlisted="crc32 of a text that is not encoded" true="unknown word not handled" of="a place in the vocabulary from a checksum"
# -     return vectors.vectors[zlib.crc32(word.encode()) % len(vectors)].copy()
# +     rng = np.random.default_rng(zlib.crc32(word))
# +     return rng.normal(size=vectors.vector_size)
# %% unlisted="vector_sise" of="always fifty numbers"
# -     v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=50)
# +     v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_sise)
# %% mistake="vector far too long" style="whole numbers up to a hundred" true="the model's own row, not a copy"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word]
    return np.random.default_rng(zlib.crc32(word.encode())).integers(0, 100, vectors.vector_size)
# %% unlisted="new each time and too long" true="new vector on every call; vector far too long; the model's own row, not a copy"
def word_embedding(word, vectors):
    try:
        return vectors[word]
    except:
        return 100 * np.random.randn(vectors.vector_size)
# %% unlisted="empty"
def word_embedding(word, vectors):
    return None
# %% mistake="kept from one model for another" style="thrown once and kept in a dictionary" true="another vector in every process"
_thrown = {}
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    if word not in _thrown:
        v = np.random.randn(vectors.vector_size)
        _thrown[word] = v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
    return _thrown[word].copy()
# %% mistake="kept from one model for another" style="steady, but kept by the word alone"
_made = {}
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    if word not in _made:
        dice = np.random.default_rng(zlib.crc32(word.encode()))
        _made[word] = dice.normal(size=vectors.vector_size) * vectors.vectors.std()
    return _made[word].copy()
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="sha256 counter stream for unknown words, scaled to the median norm"
import hashlib

def word_embedding(word, vectors):
    if word in vectors.key_to_index:
        return np.copy(vectors[word])
    d = vectors.vector_size
    stream = b""
    block = 0
    while len(stream) < 4 * d:
        stream += hashlib.sha256(f"{block}|{word}".encode("utf-8")).digest()
        block += 1
    v = np.frombuffer(stream[:4 * d], dtype="<u4").astype(float) / 2**32 - 0.5
    typical = np.median(np.linalg.norm(vectors.vectors, axis=1))
    return v * typical / np.linalg.norm(v)
# %% right="try/except, lower-case fallback, crc32 seed, random direction of median length"
from zlib import crc32

def word_embedding(word, vectors):
    for spelling in (word, word.lower()):
        try:
            return vectors[spelling].copy()
        except KeyError:
            pass
    direction = np.random.RandomState(crc32(word.encode())).randn(vectors.vector_size)
    lengths = sorted(float((r ** 2).sum()) ** 0.5 for r in vectors.vectors)
    direction *= lengths[len(lengths) // 2] / (direction @ direction) ** 0.5
    return direction
# %% mistake="another vector in every process" style="another vector in every process, written blind"
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    seed = abs(hash(word)) % (2 ** 32)
    rng = np.random.default_rng(seed)
    guess = rng.standard_normal(vectors.vector_size)
    size = np.median(np.linalg.norm(vectors.vectors, axis=1))
    return guess / np.linalg.norm(guess) * size
# %% mistake="the model's own row, not a copy" style="the model's own row, not a copy, written blind"
import hashlib

def word_embedding(word, vectors):
    if word in vectors.key_to_index:
        row = vectors.key_to_index[word]
        return vectors.vectors[row]
    seed = int(hashlib.md5(word.encode()).hexdigest(), 16)
    v = np.random.default_rng(seed).normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
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
