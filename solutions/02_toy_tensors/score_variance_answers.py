# %% crosses="of each mistake"
# divided by d_k instead of √d_k -> the scale brings; over the same
# uniform instead of normal draws -> raw scores spread; the scale brings
# deviation instead of variance -> raw scores spread; the scale brings; over the same
# not divided by √d_k -> the scale brings; over the same
# second variance from fresh draws -> over the same
# numbers not drawn from the given generator -> the generator it; draws as many
# another number of pairs than asked for -> draws as many; raw scores spread; the scale brings
# every query paired with every key -> raw scores spread

# %% right="one array, einsum, ddof 1"
def score_variance(d_k, n_samples, rng):
    k, q = rng.normal(0, 1, size=(2, d_k, n_samples))
    scores = np.einsum("ij,ij->j", q, k)
    return np.array([scores.var(ddof=1), (scores / d_k**0.5).var(ddof=1)])
# %% right="diagonal of a product"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((n_samples, d_k)), rng.standard_normal((n_samples, d_k))
    scores = np.diag(q @ k.T)
    return np.var(scores), np.var(scores / np.sqrt(d_k))
# %% right="loop, by the formula"
def score_variance(d_k, n_samples, rng):
    scores = []
    for _ in range(n_samples):
        q, k = rng.standard_normal(d_k), rng.standard_normal(d_k)
        scores.append(np.dot(q, k))
    mean = sum(scores) / n_samples
    raw = sum((s - mean) ** 2 for s in scores) / (n_samples - 1)
    return raw, raw / d_k
# %% right="single precision and std squared"
def score_variance(d_k, n_samples, rng):
    q, k = [rng.standard_normal((n_samples, d_k), dtype=np.float32) for _ in range(2)]
    scores = (q * k).sum(1)
    return [float(np.var(scores)), float(np.std(scores / np.sqrt(d_k)) ** 2)]
# %% right="torch seeded from rng"
def score_variance(d_k, n_samples, rng):
    generator = torch.Generator().manual_seed(int(rng.integers(2**31)))
    q, k = torch.randn(2, n_samples, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return scores.var(), (scores / d_k**0.5).var()
# %% right="statistics module"
import statistics
def score_variance(d_k, n_samples, rng):
    q = rng.normal(size=(n_samples, d_k))
    k = rng.normal(size=(n_samples, d_k))
    raw = [float(a @ b) for a, b in zip(q, k)]
    return statistics.variance(raw), statistics.variance([s / d_k ** 0.5 for s in raw])
# %% mistake="divided by d_k instead of √d_k" style="scores over d_k"
def score_variance(d_k, n_samples, rng):
    q = rng.normal(size=(n_samples, d_k))
    k = rng.normal(size=(n_samples, d_k))
    s = np.sum(q * k, axis=1)
    return np.var(s), np.var(s / d_k)
# %% mistake="divided by d_k instead of √d_k" style="variance over d_k squared, loop"
def score_variance(d_k, n_samples, rng):
    scores = np.zeros(n_samples)
    for i in range(n_samples):
        scores[i] = rng.standard_normal(d_k) @ rng.standard_normal(d_k)
    return scores.var(), scores.var() / d_k**2
# %% mistake="uniform instead of normal draws" style="rng.random"
def score_variance(d_k, n_samples, rng):
    q, k = rng.random((n_samples, d_k)), rng.random((n_samples, d_k))
    s = np.einsum("nd,nd->n", q, k)
    return s.var(), (s / np.sqrt(d_k)).var()
# %% mistake="uniform instead of normal draws" style="uniform from -1 to 1"
def score_variance(d_k, n_samples, rng):
    q = rng.uniform(-1, 1, (n_samples, d_k))
    k = rng.uniform(-1, 1, (n_samples, d_k))
    s = (q * k).sum(axis=1)
    return float(s.var()), float(s.var() / d_k)
# %% mistake="deviation instead of variance" style="std twice"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(-1)
    return np.std(s), np.std(s / np.sqrt(d_k))
# %% mistake="deviation instead of variance" style="variance divided by the root"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((n_samples, d_k)), rng.standard_normal((n_samples, d_k))
    raw = np.var([a @ b for a, b in zip(q, k)])
    return raw, raw / np.sqrt(d_k)
# %% mistake="not divided by √d_k" style="the same twice"
def score_variance(d_k, n_samples, rng):
    q, k = rng.normal(size=(n_samples, d_k)), rng.normal(size=(n_samples, d_k))
    scores = (q * k).sum(axis=1)
    scaled = scores
    return scores.var(), scaled.var()
# %% mistake="not divided by √d_k" style="scaled and forgotten"
def score_variance(d_k, n_samples, rng):
    scores = np.array([rng.normal(size=d_k) @ rng.normal(size=d_k) for _ in range(n_samples)])
    raw = np.var(scores)
    scores / np.sqrt(d_k)
    return raw, np.var(scores)
# %% mistake="second variance from fresh draws" style="drawn again for the scaled"
def score_variance(d_k, n_samples, rng):
    def scores():
        return (rng.standard_normal((n_samples, d_k)) * rng.standard_normal((n_samples, d_k))).sum(axis=1)
    return scores().var(), (scores() / np.sqrt(d_k)).var()
# %% mistake="second variance from fresh draws" style="two loops"
def score_variance(d_k, n_samples, rng):
    raw = [rng.normal(size=d_k) @ rng.normal(size=d_k) for _ in range(n_samples)]
    scaled = [rng.normal(size=d_k) @ rng.normal(size=d_k) / d_k**0.5 for _ in range(n_samples)]
    return np.var(raw), np.var(scaled)
# %% mistake="numbers not drawn from the given generator" style="np.random"
def score_variance(d_k, n_samples, rng):
    scores = (np.random.randn(n_samples, d_k) * np.random.randn(n_samples, d_k)).sum(1)
    return scores.var(), scores.var() / d_k
# %% mistake="numbers not drawn from the given generator" style="theory alone"
def score_variance(d_k, n_samples, rng):
    return float(d_k), 1.0
# %% mistake="numbers not drawn from the given generator" style="drawn and dropped"
def score_variance(d_k, n_samples, rng):
    rng.normal(size=n_samples)
    return d_k, 1
# %% mistake="numbers not drawn from the given generator" style="a generator of its own"
def score_variance(d_k, n_samples, rng):
    rng = np.random.default_rng(42)
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(1)
    return s.var(), (s / d_k**0.5).var()
# %% mistake="another number of pairs than asked for" style="always ten thousand"
def score_variance(d_k, n_samples, rng):
    n_samples = 10_000
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(axis=1)
    return s.var(), (s / np.sqrt(d_k)).var()
# %% mistake="another number of pairs than asked for" style="all pairs of queries and keys"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((500, d_k)), rng.standard_normal((500, d_k))
    s = q @ k.T
    return s.var(), (s / np.sqrt(d_k)).var()
# %% unlisted="changed places"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(1)
    return s.var() / d_k, s.var()
# %% unlisted="sum of q alone"
def score_variance(d_k, n_samples, rng):
    s = rng.standard_normal((n_samples, d_k)).sum(axis=1)
    return s.var(), (s / np.sqrt(d_k)).var()
# %% unlisted="scores drawn as if normal"
def score_variance(d_k, n_samples, rng):
    s = rng.normal(0, np.sqrt(d_k), n_samples)
    return s.var(), (s / np.sqrt(d_k)).var()
# %% unlisted="q against itself"
def score_variance(d_k, n_samples, rng):
    q = rng.standard_normal((n_samples, d_k))
    s = (q * q).sum(axis=1)
    return s.var(), (s / np.sqrt(d_k)).var()
# %% unlisted="signs for numbers"
def score_variance(d_k, n_samples, rng):
    q, k = rng.choice([-1.0, 1.0], (2, n_samples, d_k))
    s = (q * k).sum(axis=1)
    return s.var(), (s / np.sqrt(d_k)).var()
# %% unlisted="all entries, no sum"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    return (q * k).var(), (q * k / np.sqrt(d_k)).var()
# %% unlisted="nothing returned"
def score_variance(d_k, n_samples, rng):
    s = rng.normal(size=n_samples)
# %% unlisted="standard error" of="changed places"
# -     return s.var() / d_k, s.var()
# +     return s.var() / n_samples, s.var() / n_samples / d_k
# %% [markdown]
# ## From the wild
# %% right="a comprehension over pairs"
def score_variance(d_k, n_samples, rng):
    dots = np.array([rng.standard_normal(d_k).dot(rng.standard_normal(d_k)) for _ in range(n_samples)])
    return dots.var(), (dots / d_k ** 0.5).var()
# %% right="covariance matrix"
def score_variance(d_k, n_samples, rng):
    q = rng.normal(0, 1, (n_samples, d_k))
    k = rng.normal(0, 1, (n_samples, d_k))
    s = (q * k).sum(axis=1)
    matrix = np.cov(np.stack([s, s / np.sqrt(d_k)]))
    return matrix[0, 0], matrix[1, 1]
# %% mistake="numbers not drawn from the given generator" style="torch.randn"
def score_variance(d_k, n_samples, rng):
    q = torch.randn(n_samples, d_k)
    k = torch.randn(n_samples, d_k)
    scores = (q * k).sum(-1)
    return scores.var().item(), (scores / d_k ** 0.5).var().item()
# %% mistake="uniform instead of normal draws" style="rng.random, loop"
def score_variance(d_k, n_samples, rng):
    scores = [rng.random(d_k) @ rng.random(d_k) for _ in range(n_samples)]
    return np.var(scores), np.var(np.array(scores) / np.sqrt(d_k))
# %% [markdown]
# ## Clumsy halves
# %% unlisted="sizes without a tuple"
def score_variance(d_k, n_samples, rng):
    q = rng.standard_normal(n_samples, d_k)
    k = rng.standard_normal(n_samples, d_k)
    scores = (q * k).sum(axis=1)
    return scores.var(), (scores / np.sqrt(d_k)).var()
# %% unlisted="rng.randn"
def score_variance(d_k, n_samples, rng):
    q, k = rng.randn(n_samples, d_k), rng.randn(n_samples, d_k)
    return (q * k).sum(1).var(), (q * k).sum(1).var() / d_k
# %% unlisted="raw alone"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    return (q * k).sum(axis=1).var()
# %% unlisted="one pair, variance of its products" true="another number of pairs than asked for"
def score_variance(d_k, n_samples, rng):
    q = rng.standard_normal(d_k)
    k = rng.standard_normal(d_k)
    scores = q * k
    return scores.var(), (scores / np.sqrt(d_k)).var()
# %% unlisted="one query for all keys"
def score_variance(d_k, n_samples, rng):
    q = rng.standard_normal(d_k)
    k = rng.standard_normal((n_samples, d_k))
    scores = k @ q
    return scores.var(), (scores / np.sqrt(d_k)).var()
# %% mistake="another number of pairs than asked for" style="one pair alone"
def score_variance(d_k, n_samples, rng):
    q, k = rng.normal(size=d_k), rng.normal(size=d_k)
    score = np.dot(q, k)
    return np.var(score), np.var(score / np.sqrt(d_k))
# %% unlisted="deviation, and divided by d_k" true="deviation instead of variance; divided by d_k instead of √d_k"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(axis=1)
    return s.std(), (s / d_k).std()
# %% unlisted="whole numbers" of="signs for numbers"
# -     q, k = rng.choice([-1.0, 1.0], (2, n_samples, d_k))
# +     q, k = rng.integers(-1, 2, (2, n_samples, d_k))
# %% unlisted="lists never filled"
def score_variance(d_k, n_samples, rng):
    raw, scaled = [], []
    for _ in range(n_samples):
        q, k = rng.standard_normal(d_k), rng.standard_normal(d_k)
    return np.var(raw), np.var(scaled)
# %% mistake="every query paired with every key" style="Q @ K.T"
def score_variance(d_k, n_samples, rng):
    Q = rng.normal(size=(n_samples, d_k))
    K = rng.normal(size=(n_samples, d_k))
    scores = Q @ K.T
    return scores.var(), (scores / np.sqrt(d_k)).var()
# %% unlisted="one pair too few" true="another number of pairs than asked for" of="signs for numbers"
# -     q, k = rng.choice([-1.0, 1.0], (2, n_samples, d_k))
# +     q, k = rng.standard_normal((2, n_samples - 1, d_k))
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="einsum, divisor n − 1, the scaled variance from the raw one"
def score_variance(d_k, n_samples, rng):
    q, k = rng.normal(size=(2, n_samples, d_k))
    raw = np.einsum("nd,nd->n", q, k).var(ddof=1)
    return raw, raw / d_k
# %% mistake="second variance from fresh draws" style="the scaled scores come from fresh draws, not the same ones, written blind"
def score_variance(d_k, n_samples, rng):
    def scores():
        q = rng.standard_normal((n_samples, d_k))
        k = rng.standard_normal((n_samples, d_k))
        return (q * k).sum(axis=1)
    raw = np.var(scores())
    scaled = np.var(scores() / np.sqrt(d_k))
    return raw, scaled
# %% mistake="uniform instead of normal draws" style="uniform instead of normal draws, written blind"
import math
def score_variance(d_k, n_samples, rng):
    dots = []
    for _ in range(n_samples):
        q, k = rng.random(d_k), rng.random(d_k)
        dots.append(float(q @ k))
    dots = np.array(dots)
    return dots.var(), (dots / math.sqrt(d_k)).var()
# %% right="one sample at a time, variance by hand"
import math
def score_variance(d_k, n_samples, rng):
    list_raw = []
    list_scaled = []
    for i in range(n_samples):
        s = 0.0
        a = rng.normal(0, 1, d_k)
        b = rng.normal(0, 1, d_k)
        for j in range(d_k):
            s = s + a[j] * b[j]
        list_raw.append(s)
        list_scaled.append(s / math.sqrt(d_k))
    mean1 = sum(list_raw) / len(list_raw)
    mean2 = sum(list_scaled) / len(list_scaled)
    v1 = 0
    for x in list_raw:
        v1 += (x - mean1) ** 2
    v2 = 0
    for x in list_scaled:
        v2 += (x - mean2) ** 2
    return v1 / len(list_raw), v2 / len(list_scaled)
# %% unlisted="deviation instead of variance; divided by d_k instead of √d_k" true="deviation instead of variance; divided by d_k instead of √d_k"
def score_variance(d_k, n_samples, rng):
    Q = rng.standard_normal(size=(n_samples, d_k))
    K = rng.standard_normal(size=(n_samples, d_k))
    prod = Q * K
    raw_scores = prod.sum(1)
    scaled_scores = raw_scores / d_k
    raw = np.std(raw_scores)
    scaled = np.std(scaled_scores)
    return raw, scaled
