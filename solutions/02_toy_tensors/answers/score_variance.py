# %% crosses="of each mistake"
# deviation instead of variance -> raw scores of separate; the scale brings; over the same
# numbers not drawn from the given generator -> the generator it; draws as many
# another number of pairs than asked for -> draws as many; raw scores of separate; the scale brings

# %% what_if="q and k are drawn from -1 to 1, all numbers equally likely, not from a normal distribution. What is the raw variance for d_k = 16?" because="One entry has the variance 1/3. A product of two has 1/9, and 16 products add up to 16/9, not to 16. So √d_k is the right divisor only if the variances of q and k multiply to 1."
rng = np.random.default_rng(0)
q, k = rng.uniform(-1, 1, size=(2, 100_000, 16))
print(round((q * k).sum(axis=1).var(), 2), round(16 / 9, 2))
# %% right="one array, einsum, ddof 1"
def score_variance(d_k, n_samples, rng):
    k, q = rng.normal(0, 1, size=(2, d_k, n_samples))
    scores = np.einsum("ij,ij->j", q, k)
    return np.array([scores.var(ddof=1), (scores / d_k**0.5).var(ddof=1)])
# %% right="single precision and std squared"
def score_variance(d_k, n_samples, rng):
    q, k = [rng.standard_normal((n_samples, d_k), dtype=np.float32) for _ in range(2)]
    scores = (q * k).sum(1)
    return [float(np.var(scores)), float(np.std(scores / np.sqrt(d_k)) ** 2)]
# %% right="torch seeded from rng" buys="the same seed gives the same tensors"
def score_variance(d_k, n_samples, rng):
    generator = torch.Generator().manual_seed(int(rng.integers(2**31)))
    q, k = torch.randn(2, n_samples, d_k, generator=generator)
    scores = (q * k).sum(-1)
    return scores.var(), (scores / d_k**0.5).var()
# %% right="statistics module" buys="Python's own module; its variance divides by n − 1"
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
# %% mistake="variance divided by √d_k instead of d_k" style="variance divided by the root"
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
# %% mistake="numbers not drawn from the given generator" style="drawn and dropped"
def score_variance(d_k, n_samples, rng):
    rng.normal(size=n_samples)
    return d_k, 1
# %% mistake="another number of pairs than asked for" style="all pairs of queries and keys"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((500, d_k)), rng.standard_normal((500, d_k))
    s = q @ k.T
    return s.var(), (s / np.sqrt(d_k)).var()
# %% unlisted="rounded to whole numbers"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(1)
    return int(round(s.var())), int(round((s / np.sqrt(d_k)).var()))
# %% mistake="results in the wrong order" style="changed places"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    s = (q * k).sum(1)
    return s.var() / d_k, s.var()
# %% unlisted="nothing returned"
def score_variance(d_k, n_samples, rng):
    s = rng.normal(size=n_samples)
# %% [markdown]
# ## From the wild
# %% mistake="numbers not drawn from the given generator" style="torch.randn"
def score_variance(d_k, n_samples, rng):
    q = torch.randn(n_samples, d_k)
    k = torch.randn(n_samples, d_k)
    scores = (q * k).sum(-1)
    return scores.var().item(), (scores / d_k ** 0.5).var().item()
# %% [markdown]
# ## Clumsy halves
# %% unlisted="one pair, variance of its products" true="another number of pairs than asked for"
def score_variance(d_k, n_samples, rng):
    q = rng.standard_normal(d_k)
    k = rng.standard_normal(d_k)
    scores = q * k
    return scores.var(), (scores / np.sqrt(d_k)).var()
# %% unlisted="lists never filled"
def score_variance(d_k, n_samples, rng):
    raw, scaled = [], []
    for _ in range(n_samples):
        q, k = rng.standard_normal(d_k), rng.standard_normal(d_k)
    return np.var(raw), np.var(scaled)
# %% mistake="every query paired with every key" style="Q @ K.T"
def score_variance(d_k, n_samples, rng):
    Q = rng.normal(size=(n_samples, d_k)).astype(np.float32)
    K = rng.normal(size=(n_samples, d_k)).astype(np.float32)
    raw = (Q @ K.T).var()
    return raw, raw / d_k
# %% unlisted="one pair too few" true="another number of pairs than asked for"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples - 1, d_k))
    s = (q * k).sum(axis=1)
    return s.var(), (s / np.sqrt(d_k)).var()
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="einsum, divisor n − 1, the scaled variance from the raw one" buys="one variance is enough: a factor leaves it squared"
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
# %% mistake="results in the wrong order" style="scaled, then raw"
def score_variance(d_k, n_samples, rng):
    q, k = rng.standard_normal((2, n_samples, d_k))
    scores = (q * k).sum(axis=1)
    return np.var(scores / np.sqrt(d_k)), np.var(scores)
