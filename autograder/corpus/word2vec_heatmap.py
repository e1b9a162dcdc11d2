"""Answers to lesson 03."""

from __future__ import annotations

from autograder.corpus import Answer, mistake, right, unlisted

EMBEDDING, SENTENCE, ATTENTION = "word_embedding", "sentence_matrix", "scaled_dot_product_attention"
ROWS, PICTURE = "softmax_rows", "plot_attention_weights"
WRITES = "writes into its input"

# --- word_embedding ---------------------------------------------------------------------------------------------


def _or_else(fallback: str, before: str = "") -> str:
    """A known word's own vector, copied, and `fallback` for an unknown one."""
    body = "\n".join(f"    {line.strip()}" for line in fallback.strip().split("\n"))
    return f"""{before}
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    d = vectors.vector_size
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
{body}
"""


WORD_EMBEDDING = (
    right(
        EMBEDDING,
        "seeded by sha256, KeyError caught",
        """
import hashlib

def word_embedding(word, vectors):
    try:
        return np.array(vectors.get_vector(word))
    except KeyError:
        seed = int.from_bytes(hashlib.sha256(word.encode()).digest()[:8], "big")
        noise = np.random.default_rng(seed).normal(size=vectors.vector_size)
        typical = np.median(np.linalg.norm(vectors.vectors, axis=1))
        return (noise / np.sqrt(vectors.vector_size) * typical).astype(np.float32)
""",
    ),
    right(
        EMBEDDING,
        "seeded by the list of letters",
        """
def word_embedding(word, vectors):
    if word in vectors.key_to_index:
        return vectors.vectors[vectors.key_to_index[word]].copy()
    rng = np.random.default_rng([ord(letter) for letter in word])
    v = rng.normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.linalg.norm(vectors.vectors, axis=1).mean()
""",
    ),
    right(
        EMBEDDING,
        "lower case first, random.Random, a list",
        """
import random

def word_embedding(word, vectors):
    for spelling in (word, word.lower()):
        if spelling in vectors:
            return [float(x) for x in vectors[spelling]]
    dice = random.Random(word)
    row = np.array([dice.gauss(0, 1) for _ in range(vectors.vector_size)])
    return list(row / np.linalg.norm(row) * np.linalg.norm(vectors.vectors, axis=1).mean())
""",
    ),
    right(
        EMBEDDING,
        "global generator seeded by crc32",
        """
def word_embedding(word, vectors):
    if vectors.has_index_for(word):
        return vectors[word] * 1.0
    np.random.seed(zlib.crc32(word.encode()))
    return np.random.randn(vectors.vector_size) * vectors.vectors.std()
""",
    ),
    right(
        EMBEDDING,
        "remembered in a dictionary",
        """
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
""",
    ),
    right(
        EMBEDDING,
        "numbers straight from a digest",
        _or_else(
            "raw = hashlib.shake_256(word.encode()).digest(d)\n"
            "    v = np.frombuffer(raw, dtype=np.uint8) / 127.5 - 1\n"
            "    return v * length / np.linalg.norm(v)",
            "import hashlib\n",
        ),
    ),
    right(
        EMBEDDING,
        "torch generator",
        _or_else(
            "generator = torch.Generator().manual_seed(zlib.crc32(word.encode()))\n"
            "    v = torch.randn(d, generator=generator)\n"
            "    return (v / v.norm() * float(length)).numpy()"
        ),
    ),
    right(
        EMBEDDING,
        "waves that depend on the letters",
        _or_else(
            "code = int.from_bytes(word.encode(), 'big') % 1_000_003\n"
            "    v = np.cos(code * np.arange(1, d + 1) + code)\n"
            "    return v * length / np.linalg.norm(v)"
        ),
    ),
    right(
        EMBEDDING,
        "hash of a tuple of numbers",
        _or_else(
            "return np.random.default_rng(abs(hash(tuple(map(ord, word))))).normal(size=d) * length / d**0.5"
        ),
    ),
    mistake(
        EMBEDDING,
        "KeyError",
        "get_vector",
        """
def word_embedding(word, vectors):
    return vectors.get_vector(word).copy()
""",
    ),
    mistake(
        EMBEDDING,
        "KeyError",
        "index of the word",
        """
def word_embedding(word, vectors):
    i = vectors.key_to_index[word]
    return np.array(vectors.vectors[i])
""",
    ),
    mistake(
        EMBEDDING, "new every call", "randn", _or_else("return np.random.randn(d) * length / np.sqrt(d)")
    ),
    mistake(EMBEDDING, "new every call", "randn as it is", _or_else("return np.random.randn(d)")),
    mistake(
        EMBEDDING,
        "new every call",
        "default_rng without a seed",
        _or_else("v = np.random.default_rng().normal(size=d)\n    return v / np.linalg.norm(v) * length"),
    ),
    mistake(
        EMBEDDING,
        "new every call",
        "one generator outside",
        _or_else("return rng.standard_normal(d) * length / d**0.5", "rng = np.random.default_rng(0)\n"),
    ),
    mistake(
        EMBEDDING,
        "new every call",
        "a count of unknown words",
        _or_else(
            """
calls.append(word)
    return np.random.default_rng(len(calls)).normal(size=d) * length / d**0.5
""",
            "calls = []\n",
        ),
    ),
    mistake(EMBEDDING, "one for all", "zeros", _or_else("return np.zeros(d)")),
    mistake(
        EMBEDDING,
        "one for all",
        "seed 0",
        _or_else("return np.random.default_rng(0).normal(size=d) * length / d**0.5"),
    ),
    mistake(
        EMBEDDING,
        "one for all",
        "global seed, unscaled",
        _or_else("np.random.seed(42)\n    return np.random.randn(d)"),
    ),
    mistake(EMBEDDING, "one for all", "mean of all words", _or_else("return vectors.vectors.mean(axis=0)")),
    mistake(EMBEDDING, "one for all", "first word's vector", _or_else("return vectors.vectors[0].copy()")),
    mistake(
        EMBEDDING,
        "one for all",
        "seed is the length",
        _or_else("return np.random.default_rng(len(word)).normal(size=d) * length / d**0.5"),
    ),
    mistake(
        EMBEDDING,
        "one for all",
        "seed is the sum of the letters",
        _or_else("return np.random.RandomState(sum(map(ord, word))).randn(d) * length / d**0.5"),
    ),
    mistake(
        EMBEDDING,
        "one for all",
        "seed is the first letter",
        _or_else("return np.random.RandomState(ord(word[0])).randn(d) * length / d**0.5"),
    ),
    mistake(
        EMBEDDING,
        "another one tomorrow",
        "hash of the word",
        _or_else(
            "rng = np.random.default_rng(abs(hash(word)))\n    return rng.normal(size=d) * length / d**0.5"
        ),
    ),
    mistake(
        EMBEDDING,
        "another one tomorrow",
        "hash, old generator",
        _or_else(
            """
np.random.seed(hash(word) % 2**32)
    v = np.random.rand(d) - 0.5
    return v / np.linalg.norm(v) * length
"""
        ),
    ),
    mistake(
        EMBEDDING,
        "far too long",
        "seeded randn as it is",
        _or_else(
            "return 10 * np.random.default_rng(zlib.crc32(word.encode())).normal(size=d) * max(1, length)"
        ),
    ),
    mistake(
        EMBEDDING,
        "far too long",
        "times length, not divided by the root",
        _or_else("return np.random.default_rng(zlib.crc32(word.encode())).normal(size=d) * length"),
    ),
    mistake(
        EMBEDDING,
        "far too long",
        "standard normal numbers",
        """
def word_embedding(word, vectors):
    if word in vectors:
        return np.array(vectors[word])
    return np.random.default_rng(zlib.crc32(word.encode())).standard_normal(vectors.vector_size)
""",
    ),
    mistake(
        EMBEDDING,
        "alias",
        "indexing",
        """
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word]
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
""",
    ),
    mistake(
        EMBEDDING,
        "alias",
        "np.asarray of the row",
        """
def word_embedding(word, vectors):
    try:
        return np.asarray(vectors.vectors[vectors.key_to_index[word]])
    except KeyError:
        v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
        return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
""",
    ),
    unlisted(
        EMBEDDING,
        "a fifth too short",
        _or_else(
            """
v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=d)
    return v * length / 5 / np.linalg.norm(v)
"""
        ),
    ),
    unlisted(
        EMBEDDING,
        "unit vectors",
        _or_else(
            """
v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=d)
    return v / np.linalg.norm(v)
"""
        ),
    ),
    unlisted(
        EMBEDDING,
        "always lower case",
        """
def word_embedding(word, vectors):
    word = word.lower()
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
""",
    ),
    unlisted(
        EMBEDDING,
        "known words brought to length 1",
        """
def word_embedding(word, vectors):
    if word in vectors:
        return vectors.get_vector(word, norm=True)
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
""",
    ),
    unlisted(EMBEDDING, "None for unknown words", _or_else("return None")),
    unlisted(
        EMBEDDING,
        "a number too few",
        _or_else("return np.random.default_rng(zlib.crc32(word.encode())).normal(size=d - 1)"),
    ),
    unlisted(
        EMBEDDING,
        "lengths column by column",
        """
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=0))
""",
    ),
    unlisted(
        EMBEDDING,
        "always fifty numbers",
        """
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=50)
    return v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
""",
    ),
    unlisted(
        EMBEDDING,
        "the vocabulary grows",
        """
def word_embedding(word, vectors):
    if word not in vectors:
        v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
        v = v / np.linalg.norm(v) * np.median(np.linalg.norm(vectors.vectors, axis=1))
        vectors.add_vector(word, v)
    return vectors[word].copy()
""",
    ),
    unlisted(
        EMBEDDING,
        "vectors scaled in place",
        """
def word_embedding(word, vectors):
    if word in vectors:
        return vectors[word].copy()
    v = np.random.default_rng(zlib.crc32(word.encode())).normal(size=vectors.vector_size)
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))
    vectors.vectors /= 2
    return v / np.linalg.norm(v) * length
""",
    ),
)

# --- sentence_matrix --------------------------------------------------------------------------------------------

SENTENCE_MATRIX = (
    right(
        SENTENCE,
        "stack",
        """
def sentence_matrix(sentence, vectors):
    return np.stack([word_embedding(w, vectors) for w in sentence.split()])
""",
    ),
    right(
        SENTENCE,
        "filled row by row, by keyword",
        """
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    matrix = np.zeros((len(words), vectors.vector_size), dtype=np.float32)
    for i, word in enumerate(words):
        matrix[i] = word_embedding(word=word, vectors=vectors)
    return matrix
""",
    ),
    right(
        SENTENCE,
        "vstack of appended rows",
        """
def sentence_matrix(sentence, vectors):
    rows = []
    for word in sentence.strip().split():
        rows.append(np.asarray(word_embedding(word, vectors)))
    return np.vstack(rows)
""",
    ),
    right(
        SENTENCE,
        "an embedding of its own",
        """
def sentence_matrix(sentence, vectors):
    length = np.median(np.linalg.norm(vectors.vectors, axis=1))

    def row(word):
        if word in vectors:
            return vectors[word]
        v = np.random.default_rng(list(word.encode())).normal(size=vectors.vector_size)
        return v * length / np.linalg.norm(v)

    return np.array([row(word) for word in sentence.split()])
""",
    ),
    right(
        SENTENCE,
        "regular expression and torch",
        """
import re

def sentence_matrix(sentence, vectors):
    words = re.findall( r"\\S+", sentence)
    return torch.stack([torch.tensor(np.array(word_embedding(w, vectors), dtype=float)) for w in words])
""",
    ),
    right(
        SENTENCE,
        "map and concatenate",
        """
def sentence_matrix(sentence, vectors):
    rows = map(lambda w: np.reshape(word_embedding(w, vectors), (1, -1)), sentence.split())
    return np.concatenate(list(rows), axis=0)
""",
    ),
    mistake(
        SENTENCE,
        "KeyError",
        "list of words at once",
        """
def sentence_matrix(sentence, vectors):
    return vectors[sentence.split()]
""",
    ),
    mistake(
        SENTENCE,
        "KeyError",
        "loop",
        """
def sentence_matrix(sentence, vectors):
    rows = []
    for word in sentence.split():
        rows.append(vectors.get_vector(word))
    return np.array(rows)
""",
    ),
    mistake(
        SENTENCE,
        "word dropped",
        "comprehension with if",
        """
def sentence_matrix(sentence, vectors):
    return np.array([vectors[w] for w in sentence.split() if w in vectors])
""",
    ),
    mistake(
        SENTENCE,
        "word dropped",
        "try and pass",
        """
def sentence_matrix(sentence, vectors):
    rows = []
    for w in sentence.split():
        try:
            rows.append(vectors[w])
        except KeyError:
            pass
    return np.array(rows).reshape(-1, vectors.vector_size)
""",
    ),
    mistake(
        SENTENCE,
        "repeated word lost",
        "dictionary",
        """
def sentence_matrix(sentence, vectors):
    rows = {w: word_embedding(w, vectors) for w in sentence.split()}
    return np.array(list(rows.values()))
""",
    ),
    mistake(
        SENTENCE,
        "repeated word lost",
        "dict.fromkeys",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in dict.fromkeys(sentence.split())])
""",
    ),
    mistake(
        SENTENCE,
        "new every call",
        "randn",
        """
def sentence_matrix(sentence, vectors):
    d = vectors.vector_size
    scale = vectors.vectors.std()
    return np.array([vectors[w] if w in vectors else np.random.randn(d) * scale for w in sentence.split()])
""",
    ),
    mistake(
        SENTENCE,
        "new every call",
        "random rows, known ones filled in",
        """
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    out = np.random.default_rng().normal(scale=vectors.vectors.std(), size=(len(words), vectors.vector_size))
    for i, w in enumerate(words):
        if w in vectors:
            out[i] = vectors[w]
    return out
""",
    ),
    mistake(
        SENTENCE,
        "one for all",
        "zeros",
        """
def sentence_matrix(sentence, vectors):
    words = sentence.split()
    out = np.zeros((len(words), vectors.vector_size))
    for i, w in enumerate(words):
        if w in vectors:
            out[i] = vectors[w]
    return out
""",
    ),
    mistake(
        SENTENCE,
        "one for all",
        "mean",
        """
def sentence_matrix(sentence, vectors):
    return np.array([vectors[w] if w in vectors else vectors.vectors.mean(axis=0) * 4 for w in sentence.split()])
""",
    ),
    mistake(
        SENTENCE,
        "another one tomorrow",
        "hash",
        """
def sentence_matrix(sentence, vectors):
    def row(w):
        if w in vectors:
            return vectors[w]
        return np.random.default_rng(abs(hash(w))).normal(size=vectors.vector_size) * vectors.vectors.std()

    return np.array([row(w) for w in sentence.split()])
""",
    ),
    mistake(
        SENTENCE,
        "another one tomorrow",
        "hash, global seed",
        """
def sentence_matrix(sentence, vectors):
    rows = []
    for w in sentence.split():
        if w in vectors:
            rows.append(vectors[w])
        else:
            np.random.seed(hash(w) % (2**32 - 1))
            rows.append(np.random.randn(vectors.vector_size) * vectors.vectors.std())
    return np.array(rows)
""",
    ),
    mistake(
        SENTENCE,
        "far too long",
        "ten times",
        """
def sentence_matrix(sentence, vectors):
    def row(w):
        if w in vectors:
            return vectors[w]
        return np.random.default_rng(zlib.crc32(w.encode())).normal(size=vectors.vector_size) * 10

    return np.array([row(w) for w in sentence.split()])
""",
    ),
    mistake(
        SENTENCE,
        "far too long",
        "whole numbers",
        """
def sentence_matrix(sentence, vectors):
    out = []
    for w in sentence.split():
        if w in vectors:
            out.append(vectors[w])
        else:
            dice = np.random.RandomState(zlib.crc32(w.encode()))
            out.append(dice.randint(-50, 50, vectors.vector_size))
    return np.array(out)
""",
    ),
    unlisted(
        SENTENCE,
        "arguments swapped",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(vectors, w) for w in sentence.split()])
""",
    ),
    unlisted(
        SENTENCE,
        "vectors not handed on",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w) for w in sentence.split()])
""",
    ),
    unlisted(
        SENTENCE,
        "backwards",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.split()[::-1]])
""",
    ),
    unlisted(
        SENTENCE,
        "transposed",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.split()]).T
""",
    ),
    unlisted(
        SENTENCE,
        "mean of the words",
        """
def sentence_matrix(sentence, vectors):
    return np.mean([word_embedding(w, vectors) for w in sentence.split()], axis=0)
""",
    ),
    unlisted(
        SENTENCE,
        "lower case",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.lower().split()])
""",
    ),
    unlisted(
        SENTENCE,
        "split at blanks",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.split(' ')])
""",
    ),
    unlisted(
        SENTENCE,
        "letter by letter",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(c, vectors) for c in sentence])
""",
    ),
    unlisted(
        SENTENCE,
        "sorted words",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sorted(sentence.split())])
""",
    ),
    unlisted(
        SENTENCE,
        "rows of length 1",
        """
def sentence_matrix(sentence, vectors):
    rows = np.array([word_embedding(w, vectors) for w in sentence.split()])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)
""",
    ),
    unlisted(
        SENTENCE,
        "flat",
        """
def sentence_matrix(sentence, vectors):
    return np.concatenate([word_embedding(w, vectors) for w in sentence.split()])
""",
    ),
    unlisted(
        SENTENCE,
        "split at single blanks of a stripped text",
        """
def sentence_matrix(sentence, vectors):
    return np.array([word_embedding(w, vectors) for w in sentence.strip().split(' ')])
""",
    ),
)

# --- scaled_dot_product_attention -------------------------------------------------------------------------------

HEAD = "def scaled_dot_product_attention(Q, K, V, mask=None):\n"


def _attention(*lines: str, before: str = "") -> str:
    body = "\n".join(f"    {line}" for text in lines for line in text.strip("\n").split("\n"))
    return f"{before}\n{HEAD}{body}\n"


SCORES = "scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(K.shape[-1])"
HIDE = "if mask is not None:\n    scores = np.where(mask, scores, -np.inf)"
SHARE = """
top = scores.max(axis=-1, keepdims=True)
e = np.exp(scores - np.where(np.isfinite(top), top, 0))
total = e.sum(axis=-1, keepdims=True)
weights = e / np.where(total == 0, 1, total)
"""
HASTY = """
e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
weights = e / np.sum(e, axis=-1, keepdims=True)
"""
GIVE = "return weights @ V, weights"
LOW = "if mask is not None:\n    scores = np.where(mask, scores, -1e9)"


def _careful(**changed: str) -> str:
    """All four steps, some of them changed; rows that may look nowhere are taken care of."""
    steps = {"scores": SCORES, "hide": HIDE, "share": SHARE, "give": GIVE, **changed}
    return _attention(*steps.values())


def _hasty(**changed: str) -> str:
    """As many write it: a low fill, and no thought for rows that may look nowhere."""
    return _careful(**{"hide": LOW, "share": HASTY, **changed})


MASKED_ATTENTION = (
    right(ATTENTION, "step by step", _careful(), row="np.where"),
    right(
        ATTENTION,
        "einsum, scipy, nan_to_num",
        _attention(
            'scores = np.einsum("...qd,...kd->...qk", Q, K) / K.shape[-1] ** 0.5',
            HIDE,
            'with np.errstate(all="ignore"):\n    weights = np.nan_to_num(softmax(scores, axis=-1))',
            'return np.einsum("...qk,...kv->...qv", weights, V), weights',
            before="from scipy.special import softmax\n",
        ),
        row="einsum",
    ),
    right(
        ATTENTION,
        "loops over everything",
        _attention("""
batch, n_q, n_k = Q.shape[:-2], Q.shape[-2], K.shape[-2]
allowed = np.broadcast_to(True if mask is None else mask, (*batch, n_q, n_k))
weights, output = np.zeros((*batch, n_q, n_k)), np.zeros((*batch, n_q, V.shape[-1]))
for b in np.ndindex(*batch):
    for i in range(n_q):
        scores = {j: Q[b][i] @ K[b][j] / np.sqrt(K.shape[-1]) for j in range(n_k) if allowed[b][i, j]}
        top = max(scores.values(), default=0)
        total = sum(np.exp(s - top) for s in scores.values())
        for j, s in scores.items():
            weights[(*b, i, j)] = np.exp(s - top) / total
        output[(*b, i)] = weights[(*b, i)] @ V[b]
return output, weights
"""),
        row="loops",
    ),
    right(
        ATTENTION,
        "additive mask",
        _careful(hide="if mask is not None:\n    scores = scores + np.where(mask, 0.0, -np.inf)"),
        row="additive mask",
    ),
    right(
        ATTENTION,
        "-1e9, then times the mask",
        _attention(
            "scores = (Q / np.sqrt(Q.shape[-1])) @ np.swapaxes(K, -1, -2)",
            LOW,
            HASTY,
            "if mask is not None:\n    weights = weights * mask",
            "return [weights @ V, weights]",
        ),
        row="−1e9 and then · mask",
    ),
    right(
        ATTENTION,
        "logsumexp and quarter powers",
        _attention(
            """
root = K.shape[-1] ** 0.25
scores = (Q / root) @ np.swapaxes(K / root, -1, -2)
if mask is None:
    mask = np.ones(scores.shape[-2:], dtype=bool)
with np.errstate(all="ignore"):
    log_total = logsumexp(scores, axis=-1, b=np.broadcast_to(mask, scores.shape), keepdims=True)
    weights = np.where(mask & np.isfinite(log_total), np.exp(np.minimum(scores - log_total, 0)), 0.0)
""",
            GIVE,
            before="from scipy.special import logsumexp\n",
        ),
        row="logsumexp",
    ),
    right(
        ATTENTION,
        "base 2, maximum of the allowed ones",
        _attention(
            SCORES,
            """
scores = scores * np.log2(np.e)
allowed = np.broadcast_to(True if mask is None else mask, scores.shape)
top = scores.max(-1, keepdims=True, where=allowed, initial=-1e12)
e = np.exp2(np.minimum(scores - top, 0)) * allowed
weights = e / np.maximum(e.sum(-1, keepdims=True), 1e-30)
""",
            GIVE,
        ),
        row="scaled Q",
    ),
    right(
        ATTENTION,
        "single precision",
        _careful(scores=f"Q, K, V = (x.astype(np.float32) for x in (Q, K, V))\n{SCORES}"),
    ),
    right(
        ATTENTION,
        "masked array",
        _attention(
            SCORES,
            """
hidden = False if mask is None else ~np.broadcast_to(mask, scores.shape)
shown = np.ma.array(scores, mask=hidden)
e = np.ma.exp(shown - shown.max(-1, keepdims=True))
weights = (e / e.sum(-1, keepdims=True)).filled(0.0)
""",
            GIVE,
        ),
    ),
    right(
        ATTENTION,
        "torch inside, masked_fill and nan_to_num",
        _attention("""
q, k, v = (torch.tensor(x, dtype=torch.float64) for x in (Q, K, V))
scores = q @ k.mT / k.shape[-1] ** 0.5
if mask is not None:
    scores = scores.masked_fill(~torch.tensor(mask), float("-inf"))
weights = scores.softmax(-1).nan_to_num()
return (weights @ v).numpy(), weights.numpy()
"""),
        row="masked_fill + nan_to_num",
    ),
    right(
        ATTENTION,
        "torch's own attention, twice",
        _attention(
            """
q, k, v = (torch.tensor(np.asarray(x, dtype=float)) for x in (Q, K, V))
allowed = None if mask is None else torch.tensor(mask)
eye = torch.eye(K.shape[-2], dtype=q.dtype).expand(*K.shape[:-2], -1, -1)
weights = sdpa(q, k, eye, attn_mask=allowed).nan_to_num()
return (weights @ v).numpy(), weights.numpy()
""",
            before="from torch.nn.functional import scaled_dot_product_attention as sdpa\n",
        ),
        row="the library's own SDPA where the text allows it",
    ),
    right(
        ATTENTION,
        "its own rows softmax, empty rows set to zero",
        _attention(
            SCORES,
            LOW.replace("-1e9", "-1e30"),
            """
weights = softmax_rows(scores)
if mask is not None:
    weights = np.where(np.any(np.broadcast_to(mask, scores.shape), axis=-1, keepdims=True), weights, 0.0)
output = np.matmul(weights, V)
return output, weights
""",
        ),
        row="np.where",
    ),
    right(
        ATTENTION,
        "masked exponentials over their sum",
        _attention(
            SCORES,
            """
mask = np.ones_like(scores, dtype=bool) if mask is None else np.broadcast_to(mask, scores.shape)
lowest = scores.min()
top = np.where(mask, scores, lowest).max(axis=-1, keepdims=True)
e = np.zeros(scores.shape)
e[mask] = np.exp((scores - top)[mask])
weights = np.divide(e, e.sum(-1, keepdims=True), out=np.zeros_like(e), where=mask.any(-1, keepdims=True))
""",
            GIVE,
        ),
    ),
    # mistakes in the scores
    mistake(
        ATTENTION, "no scale", "careful otherwise", _careful(scores="scores = Q @ np.swapaxes(K, -1, -2)")
    ),
    mistake(
        ATTENTION,
        "no scale",
        "hasty, einsum",
        _hasty(scores='scores = np.einsum("...qd,...kd->...qk", Q, K)'),
    ),
    mistake(
        ATTENTION,
        "wrong power",
        "by d_k",
        _careful(scores="d_k = Q.shape[-1]\nscores = np.matmul(Q, K.swapaxes(-2, -1)) / d_k"),
    ),
    mistake(
        ATTENTION,
        "wrong power",
        "hasty, d ** 1/2",
        _hasty(scores="scores = Q @ np.swapaxes(K, -1, -2) / (K.shape[-1] ** 1/2)"),
    ),
    mistake(
        ATTENTION,
        "wrong power",
        "times the root",
        _hasty(scores="scores = Q @ np.swapaxes(K, -1, -2) * K.shape[-1] ** 0.5"),
    ),
    mistake(
        ATTENTION,
        "wrong length",
        "number of keys",
        _careful(scores="scores = Q @ np.swapaxes(K, -1, -2)\nscores = scores / np.sqrt(scores.shape[-1])"),
    ),
    mistake(
        ATTENTION,
        "wrong length",
        "hasty, len(K)",
        _hasty(scores="scores = Q @ np.swapaxes(K, -1, -2) / np.sqrt(len(K))"),
    ),
    mistake(
        ATTENTION,
        "wrong length",
        "width of the values",
        _careful(scores="scores = Q @ np.swapaxes(K, -1, -2) / V.shape[-1] ** 0.5"),
    ),
    mistake(
        ATTENTION,
        "scaled after softmax",
        "careful otherwise",
        _careful(
            scores="scores = Q @ np.swapaxes(K, -1, -2)",
            give=f"weights = weights / np.sqrt(K.shape[-1])\n{GIVE}",
        ),
    ),
    mistake(
        ATTENTION,
        "scaled after softmax",
        "in place, hasty",
        _hasty(scores="scores = Q @ np.swapaxes(K, -1, -2)", give=f"weights *= K.shape[-1] ** -0.5\n{GIVE}"),
    ),
    mistake(
        ATTENTION, "transposed the batch", "K.T", _hasty(scores="scores = Q @ K.T / np.sqrt(K.shape[-1])")
    ),
    mistake(
        ATTENTION,
        "transposed the batch",
        "np.dot and K.T",
        _hasty(scores="scores = np.dot(Q, K.T) / np.sqrt(K.shape[-1])"),
    ),
    mistake(
        ATTENTION,
        "transposed the batch",
        "np.transpose, careful",
        _careful(scores="scores = np.matmul(Q, np.transpose(K)) / np.sqrt(K.shape[-1])"),
    ),
    mistake(
        ATTENTION, "softmax over queries", "axis -2", _careful(share=SHARE.replace("axis=-1", "axis=-2"))
    ),
    mistake(
        ATTENTION, "softmax over queries", "axis 0, hasty", _hasty(share=HASTY.replace("axis=-1", "axis=0"))
    ),
    mistake(
        ATTENTION,
        "whole matrix",
        "hasty, np.sum(e)",
        _hasty(share="e = np.exp(scores - np.max(scores))\nweights = e / np.sum(e)"),
    ),
    mistake(
        ATTENTION,
        "whole matrix",
        "careful, one sum for each matrix",
        _careful(
            share="""
e = np.exp(scores - scores.max())
weights = e / np.maximum(e.sum(axis=(-2, -1), keepdims=True), 1e-300)
"""
        ),
    ),
    mistake(ATTENTION, "wrong partner", "weights times keys", _careful(give="return weights @ K, weights")),
    mistake(
        ATTENTION,
        "wrong partner",
        "queries against values",
        _careful(scores="scores = Q @ np.swapaxes(V, -1, -2) / np.sqrt(K.shape[-1])"),
    ),
    mistake(
        ATTENTION,
        "wrong partner",
        "keys against queries",
        _careful(scores="scores = K @ np.swapaxes(Q, -1, -2) / np.sqrt(K.shape[-1])"),
    ),
    mistake(
        ATTENTION,
        "weights transposed",
        "before the values",
        _careful(give="return np.swapaxes(weights, -1, -2) @ V, weights"),
    ),
    mistake(
        ATTENTION,
        "weights transposed",
        "on the way out",
        _careful(give="return weights @ V, weights.swapaxes(-2, -1)"),
    ),
    mistake(ATTENTION, "results swapped", "weights first", _careful(give="return weights, weights @ V")),
    mistake(
        ATTENTION,
        "results swapped",
        "a list, weights first",
        _careful(give="output = np.matmul(weights, V)\nreturn [weights, output]"),
    ),
    mistake(
        ATTENTION,
        "overflow",
        "exp as it is",
        _careful(
            share="""
e = np.exp(scores)
total = e.sum(axis=-1, keepdims=True)
weights = e / np.where(total == 0, 1, total)
"""
        ),
    ),
    mistake(
        ATTENTION,
        "overflow",
        "an epsilon against empty rows",
        _careful(share="e = np.exp(scores)\nweights = e / (e.sum(axis=-1, keepdims=True) + 1e-12)"),
    ),
    mistake(
        ATTENTION,
        "global shift",
        "one maximum",
        _careful(
            share="""
top = scores.max()
e = np.exp(scores - (top if np.isfinite(top) else 0))
total = e.sum(-1, keepdims=True)
weights = e / np.where(total == 0, 1, total)
"""
        ),
    ),
    mistake(
        ATTENTION,
        "global shift",
        "np.max, nan_to_num",
        _careful(
            share="e = np.exp(scores - np.max(scores))\nweights = np.nan_to_num(e / e.sum(-1, keepdims=True))"
        ),
    ),
    mistake(
        ATTENTION,
        "broadcast",
        "sum without keepdims",
        _careful(
            share="""
top = scores.max(-1, keepdims=True)
e = np.exp(scores - np.where(np.isfinite(top), top, 0))
total = e.sum(-1)
weights = e / np.where(total == 0, 1, total)
"""
        ),
    ),
    mistake(
        ATTENTION,
        "broadcast",
        "hasty, neither kept",
        _hasty(share="e = np.exp(scores - scores.max(-1))\nweights = e / e.sum(-1)"),
    ),
    # mistakes with the mask
    mistake(
        ATTENTION,
        "mask inverted",
        "np.where turned round",
        _careful(hide="if mask is not None:\n    scores = np.where(mask, -np.inf, scores)"),
    ),
    mistake(
        ATTENTION,
        "mask inverted",
        "hasty, fills where True",
        _hasty(hide="if mask is not None:\n    scores = np.where(mask == True, -1e9, scores)"),
    ),
    mistake(
        ATTENTION,
        "mask inverted",
        "hasty, added",
        _hasty(hide="if mask is not None:\n    scores = scores + mask * -1e9"),
    ),
    mistake(ATTENTION, "mask ignored", "not mentioned", _hasty(hide="pass")),
    mistake(
        ATTENTION,
        "mask ignored",
        "result of np.where dropped",
        _hasty(hide="if mask is not None:\n    np.where(mask, scores, -1e9)"),
    ),
    mistake(
        ATTENTION,
        "fill too weak",
        "times the mask",
        _hasty(hide="if mask is not None:\n    scores = scores * mask"),
    ),
    mistake(
        ATTENTION,
        "fill too weak",
        "-10",
        _hasty(hide="if mask is not None:\n    scores = np.where(mask, scores, -10)"),
    ),
    mistake(
        ATTENTION,
        "fill too weak",
        "the smallest positive number",
        _hasty(hide="if mask is not None:\n    scores = np.where(mask, scores, np.finfo(float).tiny)"),
    ),
    mistake(
        ATTENTION,
        "fill too weak",
        "1e-9 for -1e9",
        _hasty(hide="if mask is not None:\n    scores = np.where(mask, scores, 1e-9)"),
    ),
    mistake(
        ATTENTION,
        "fill too weak",
        "the mask added",
        _hasty(hide="if mask is not None:\n    scores = scores + mask"),
    ),
    mistake(
        ATTENTION,
        "fill too weak",
        "careful, -5",
        _careful(hide="if mask is not None:\n    scores = np.where(mask, scores, -5.0)"),
    ),
    mistake(
        ATTENTION,
        "masked after softmax",
        "weights times the mask",
        _hasty(hide="pass", give=f"if mask is not None:\n    weights = weights * mask\n{GIVE}"),
    ),
    mistake(
        ATTENTION,
        "masked after softmax",
        "np.where on the weights",
        _hasty(hide="pass", give=f"if mask is not None:\n    weights = np.where(mask, weights, 0)\n{GIVE}"),
    ),
    mistake(ATTENTION, "empty row", "NaN", _hasty(hide=HIDE)),
    mistake(ATTENTION, "empty row", "uniform", _hasty()),
    mistake(
        ATTENTION,
        "empty row",
        "uniform, added",
        _hasty(hide="if mask is not None:\n    scores = scores + (1 - mask) * -1e9"),
    ),
    mistake(
        ATTENTION,
        "empty row",
        "NaN from scipy",
        _attention(
            SCORES,
            HIDE,
            "weights = softmax(scores, axis=-1)",
            GIVE,
            before="from scipy.special import softmax\n",
        ),
    ),
    mistake(
        ATTENTION,
        "zero times infinity",
        "(1 - mask) * -inf",
        _hasty(hide="if mask is not None:\n    scores = scores + (1 - mask) * -np.inf"),
    ),
    mistake(
        ATTENTION,
        "zero times infinity",
        "~mask times -inf, careful",
        _careful(hide="if mask is not None:\n    scores += ~mask * float('-inf')"),
    ),
    mistake(
        ATTENTION,
        "mask transposed",
        "mask.T",
        _hasty(hide="if mask is not None:\n    scores = np.where(mask.T, scores, -1e9)"),
    ),
    mistake(
        ATTENTION,
        "mask transposed",
        "swapaxes, careful",
        _careful(
            hide="""
if mask is not None:
    m = mask if mask.ndim < 2 else np.swapaxes(mask, -1, -2)
    scores = np.where(m, scores, -np.inf)
"""
        ),
    ),
    mistake(
        ATTENTION,
        "mask not broadcast",
        "boolean index",
        _careful(hide="if mask is not None:\n    scores[~mask] = -np.inf"),
    ),
    mistake(
        ATTENTION,
        "mask not broadcast",
        "boolean index of the False places",
        _careful(hide="if mask is not None:\n    scores[mask == False] = float('-inf')"),
    ),
    mistake(
        ATTENTION,
        WRITES,
        "Q scaled in place",
        _careful(
            scores="""
if Q.dtype.kind == 'f':
    Q /= np.sqrt(K.shape[-1])
else:
    Q = Q / np.sqrt(K.shape[-1])
scores = Q @ np.swapaxes(K, -1, -2)
"""
        ),
    ),
    mistake(
        ATTENTION,
        WRITES,
        "mask overwritten",
        _careful(give=f"if mask is not None:\n    mask |= True\n{GIVE}"),
    ),
    mistake(
        ATTENTION,
        WRITES,
        "mask negated in place",
        _careful(
            hide="""
if mask is not None:
    np.logical_not(mask, out=mask)
    scores = np.where(mask, -np.inf, scores)
"""
        ),
    ),
    unlisted(ATTENTION, "truth of an array", _careful(hide=HIDE.replace("mask is not None", "mask"))),
    unlisted(ATTENTION, "nothing returned", _careful(give="weights @ V")),
    unlisted(ATTENTION, "output alone", _careful(give="return weights @ V")),
    unlisted(ATTENTION, "no mask parameter", _careful(hide="pass").replace(", mask=None", "")),
    unlisted(ATTENTION, "scores handed out", _careful(give="return weights @ V, scores")),
    unlisted(
        ATTENTION,
        "always causal",
        _careful(hide=f"{HIDE}\nscores = np.where(np.tril(np.ones(scores.shape[-2:])), scores, -np.inf)"),
    ),
    unlisted(
        ATTENTION,
        "empty rows in the weights only",
        _careful(
            give="""
output = weights @ V
return np.where(output == 0, V.mean(axis=-2, keepdims=True), output), weights
"""
        ),
    ),
    unlisted(
        ATTENTION,
        "masked values zeroed instead",
        _careful(
            hide="pass",
            give="""
if mask is not None and np.ndim(mask) == 1:
    V = V * mask[:, None]
return weights @ V, weights
""",
        ),
    ),
    unlisted(ATTENTION, "whole numbers out", _careful(give="return np.round(weights @ V), weights")),
    unlisted(
        ATTENTION,
        "softmax twice",
        _careful(
            give="""
weights = np.exp(weights) / np.exp(weights).sum(-1, keepdims=True)
return weights @ V, weights
"""
        ),
    ),
    unlisted(ATTENTION, "sign turned", _careful(scores=SCORES.replace("Q @", "-Q @"))),
    unlisted(
        ATTENTION,
        "float16",
        _careful(scores=f"Q, K, V = (np.asarray(x, dtype=np.float16) for x in (Q, K, V))\n{SCORES}"),
    ),
    unlisted(
        ATTENTION,
        "any key masked for one is masked for all",
        _careful(
            hide="""
if mask is not None:
    scores = np.where(np.asarray(mask).all(axis=-2, keepdims=True) if mask.ndim > 1 else mask, scores, -np.inf)
"""
        ),
    ),
    unlisted(
        ATTENTION,
        "a mask of two axes only",
        _careful(
            hide="if mask is not None and mask.ndim == 2:\n    scores = np.where(mask, scores, -np.inf)"
        ),
    ),
)

# --- softmax_rows -----------------------------------------------------------------------------------------------

SOFTMAX_ROWS = (
    right(
        ROWS,
        "scipy",
        """
from scipy.special import softmax

def softmax_rows(scores): return softmax(scores, axis=1)
""",
    ),
    right(
        ROWS,
        "loop",
        """
def softmax_rows(scores):
    out = np.zeros(scores.shape)
    for i, row in enumerate(scores):
        e = np.exp(row - max(row))
        out[i] = e / sum(e)
    return out
""",
    ),
    mistake(
        ROWS,
        "global shift",
        "np.max",
        """
def softmax_rows(scores):
    e = np.exp(scores - np.max(scores))
    return e / e.sum(axis=1, keepdims=True)
""",
    ),
    mistake(
        ROWS,
        "global shift",
        "transposed division",
        """
def softmax_rows(scores):
    e = np.exp(scores - scores.max())
    return (e.T / e.sum(axis=1)).T
""",
    ),
    mistake(
        ROWS,
        "overflow",
        "exp",
        """
def softmax_rows(scores):
    return np.exp(scores) / np.exp(scores).sum(axis=-1)[:, None]
""",
    ),
    mistake(
        ROWS,
        "overflow",
        "loop",
        """
def softmax_rows(scores):
    return np.array([np.exp(r) / np.exp(r).sum() for r in scores])
""",
    ),
    mistake(
        ROWS,
        "whole matrix",
        "one sum",
        """
def softmax_rows(scores):
    e = np.exp(scores - scores.max())
    return e / e.sum()
""",
    ),
    mistake(
        ROWS,
        "whole matrix",
        "scipy, axis None",
        """
from scipy.special import softmax

def softmax_rows(scores): return softmax(scores)
""",
    ),
    mistake(
        ROWS,
        "wrong axis",
        "axis 0",
        """
def softmax_rows(scores):
    e = np.exp(scores - scores.max(0))
    return e / e.sum(0)
""",
    ),
    mistake(
        ROWS,
        "wrong axis",
        "scipy",
        """
from scipy.special import softmax

def softmax_rows(scores): return softmax(scores, axis=0)
""",
    ),
    mistake(
        ROWS,
        "broadcast",
        "neither kept",
        """
def softmax_rows(scores):
    e = np.exp(scores - scores.max(axis=1))
    return e / e.sum(axis=1)
""",
    ),
    mistake(
        ROWS,
        "broadcast",
        "sum not kept",
        """
def softmax_rows(scores):
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    return e / np.sum(e, axis=1)
""",
    ),
    unlisted(ROWS, "no exp", "def softmax_rows(scores): return scores / scores.sum(axis=1, keepdims=True)"),
    unlisted(ROWS, "nothing returned", "def softmax_rows(scores): np.exp(scores)"),
    unlisted(
        ROWS,
        "in place",
        """
def softmax_rows(scores):
    scores -= scores.max(axis=1, keepdims=True)
    e = np.exp(scores)
    return e / e.sum(axis=1, keepdims=True)
""",
    ),
)

# --- plot_attention_weights -------------------------------------------------------------------------------------

WORDS = "words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]"
HEAT = "axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])"
NAMES = "axes.set_xlabel('Key (sentence 2)')\naxes.set_ylabel('Query (sentence 1)')"
TITLE = "axes.set_title('Attention weights')"
BACK = "return axes"


def _picture(**changed: str) -> str:
    """Five steps, some of them changed, on a figure of its own."""
    steps = {
        "words": WORDS,
        "figure": "plt.figure(figsize=(6, 5))",
        "heat": HEAT,
        "names": NAMES,
        "title": TITLE,
    }
    lines = [*{**steps, "back": BACK, **changed}.values()]
    body = "\n".join(f"    {line}" for text in lines for line in text.strip("\n").split("\n"))
    return f"def plot_attention_weights(attention_weights, sentence_1, sentence_2):\n{body}\n"


PLOT_ATTENTION_WEIGHTS = (
    right(PICTURE, "figure and heatmap", _picture()),
    right(
        PICTURE,
        "current axes, per cent, shown",
        """
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    if isinstance(sentence_1, str):
        sentence_1 = sentence_1.split()
    if isinstance(sentence_2, str):
        sentence_2 = sentence_2.split()
    ax = sns.heatmap(
        np.round(attention_weights, 2), annot=True, fmt=".0%", cbar=False, cmap="viridis", vmin=0, vmax=1,
        xticklabels=sentence_2, yticklabels=sentence_1,
    )
    plt.xlabel("KEYS")
    plt.ylabel("queries")
    plt.suptitle("who looks at whom")
    plt.show()
    return ax
""",
    ),
    right(
        PICTURE,
        "labelled afterwards, title on the left",
        _picture(
            heat="""
axes = sns.heatmap(attention_weights, annot=True, fmt='.1f')
axes.set_xticklabels(words[1], rotation=90)
axes.set_yticklabels(words[0], rotation=0)
""",
            title="axes.set_title('weights', loc='left')",
        ),
    ),
    right(
        PICTURE,
        "matplotlib alone",
        _picture(
            figure="figure, axes = plt.subplots()",
            heat="""
figure.colorbar(axes.imshow(attention_weights), ax=axes)
axes.set_xticks(range(attention_weights.shape[1]), words[1])
axes.set_yticks(range(attention_weights.shape[0]), words[0])
for (i, j), weight in np.ndenumerate(attention_weights):
    axes.text(j, i, f"{weight:.3f}", ha="center")
""",
        ),
    ),
    right(
        PICTURE,
        "a data frame",
        """
import pandas as pd

def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    rows = sentence_1.split() if type(sentence_1) is str else sentence_1
    columns = sentence_2.split() if type(sentence_2) is str else sentence_2
    table = pd.DataFrame(np.array(attention_weights), index=rows, columns=columns)
    _, ax = plt.subplots(figsize=(8, 8))
    sns.heatmap(table, annot=True, fmt=".2f", square=True, linewidths=0.5, ax=ax)
    ax.set(title="Attention", xlabel="keys", ylabel="queries")
    return ax
""",
    ),
    mistake(PICTURE, "nothing returned", "no return", _picture(back="plt.show()")),
    mistake(PICTURE, "nothing returned", "bare return", _picture(back="return")),
    mistake(
        PICTURE,
        "axes swapped",
        "all turned round",
        _picture(
            heat="axes = sns.heatmap(attention_weights.T, annot=True, xticklabels=words[0], yticklabels=words[1])"
        ),
    ),
    mistake(
        PICTURE, "axes swapped", "names swapped", _picture(names="axes.set(xlabel='query', ylabel='key')")
    ),
    mistake(
        PICTURE,
        "axes swapped",
        "words swapped",
        _picture(
            heat=HEAT.replace("words[1]", "words[2]")
            .replace("words[0]", "words[1]")
            .replace("words[2]", "words[0]")
        ),
    ),
    mistake(PICTURE, "axes not named", "no names", _picture(names="pass")),
    mistake(
        PICTURE,
        "axes not named",
        "sentence 1 and 2",
        _picture(names="axes.set(xlabel='sentence 2', ylabel='sentence 1')"),
    ),
    mistake(PICTURE, "no numbers", "annot=False", _picture(heat=HEAT.replace("annot=True", "annot=False"))),
    mistake(PICTURE, "no numbers", "annot left out", _picture(heat=HEAT.replace("annot=True, ", ""))),
    mistake(
        PICTURE,
        "words missing",
        "numbered",
        _picture(heat="axes = sns.heatmap(attention_weights, annot=True)"),
    ),
    mistake(
        PICTURE,
        "words missing",
        "no tick labels",
        _picture(
            heat="axes = sns.heatmap(attention_weights, annot=True, xticklabels=False, yticklabels=False)"
        ),
    ),
    mistake(
        PICTURE,
        "labelled by letter",
        "strings looped over",
        _picture(
            words="words = [list(sentence_1)[:len(attention_weights)], list(sentence_2)[:attention_weights.shape[1]]]"
        ),
    ),
    mistake(
        PICTURE, "labelled by letter", "strings handed on", _picture(words="words = [sentence_1, sentence_2]")
    ),
    unlisted(PICTURE, "no title", _picture(title="pass")),
    unlisted(PICTURE, "the figure", _picture(back="return axes.figure")),
    unlisted(
        PICTURE,
        "other numbers",
        _picture(heat=HEAT.replace("attention_weights", "np.ones_like(attention_weights)")),
    ),
    unlisted(
        PICTURE,
        "one sentence for both",
        _picture(heat=HEAT.replace("words[1]", "words[0][:attention_weights.shape[1]]")),
    ),
    unlisted(
        PICTURE, "upside down", _picture(heat=HEAT.replace("(attention_weights", "(attention_weights[::-1]"))
    ),
    unlisted(
        PICTURE,
        "annotated with something else",
        _picture(heat=HEAT.replace("annot=True", "annot=np.zeros_like(attention_weights)")),
    ),
    unlisted(PICTURE, "empty axes", _picture(heat="_, axes = plt.subplots()")),
    unlisted(PICTURE, "one axis named", _picture(names="axes.set_xlabel('key')")),
    unlisted(
        PICTURE,
        "weights rounded to whole numbers",
        _picture(heat=HEAT.replace("(attention_weights", "(np.round(attention_weights)")),
    ),
    unlisted(PICTURE, "weights overwritten", _picture(back="attention_weights *= 100\nreturn axes")),
)

QUESTIONS = (
    right("guess_masked", "zeros first", "masked_shares = [0, 0.73, 0.27]"),
    right("guess_masked", "array", "masked_shares = np.array([0.0, 0.7311, 0.2689])"),
    right("guess_masked", "tuple, a little off", "masked_shares = (0, 0.725, 0.275)"),
    mistake("guess_masked", "masked after softmax", "three figures", "masked_shares = [0, 0.245, 0.09]"),
    mistake("guess_masked", "masked after softmax", "two figures", "masked_shares = (0, 0.24, 0.09)"),
    mistake(
        "guess_masked",
        "fill too weak",
        "score of zero",
        """
e = np.exp([0, 1, 0])
masked_shares = e / e.sum()
""",
    ),
    mistake("guess_masked", "fill too weak", "figures", "masked_shares = [0.21, 0.58, 0.21]"),
    mistake("guess_masked", "mask inverted", "all on the first", "masked_shares = [1, 0, 0]"),
    mistake("guess_masked", "mask inverted", "as floats", "masked_shares = np.array([1.0, 0.0, 0.0])"),
    mistake("guess_masked", "mask ignored", "figures", "masked_shares = [0.665, 0.245, 0.09]"),
    mistake("guess_masked", "mask ignored", "two figures", "masked_shares = [0.67, 0.24, 0.09]"),
    unlisted("guess_masked", "half and half", "masked_shares = [0, 0.5, 0.5]"),
    unlisted("guess_masked", "two numbers", "masked_shares = [0.73, 0.27]"),
    right("guess_looks", "plain", "cat_looks_at, sat_looks_at, mat_looks_at = 'dogs', 'playing', 'park'"),
    right(
        "guess_looks",
        "capitals",
        """
cat_looks_at = 'Dogs'
sat_looks_at = ' playing '
mat_looks_at = 'PARK'
""",
    ),
    mistake(
        "guess_looks",
        "same place",
        "plain",
        "cat_looks_at, sat_looks_at, mat_looks_at = 'are', 'playing', 'park'",
    ),
    mistake(
        "guess_looks",
        "same place",
        "capitals",
        "cat_looks_at, sat_looks_at, mat_looks_at = 'Are', 'playing', 'Park'",
    ),
    mistake(
        "guess_looks",
        "grammar",
        "verbs",
        "cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'park', 'in'",
    ),
    mistake(
        "guess_looks",
        "grammar",
        "who plays where",
        "cat_looks_at, sat_looks_at, mat_looks_at = 'playing', 'dogs', 'park'",
    ),
    unlisted("guess_looks", "the everywhere", "cat_looks_at = sat_looks_at = mat_looks_at = 'the'"),
    unlisted("guess_looks", "numbers", "cat_looks_at, sat_looks_at, mat_looks_at = 0, 2, 5"),
)

ANSWERS: tuple[Answer, ...] = (
    *WORD_EMBEDDING,
    *SENTENCE_MATRIX,
    *MASKED_ATTENTION,
    *SOFTMAX_ROWS,
    *PLOT_ATTENTION_WEIGHTS,
    *QUESTIONS,
)
