# %% crosses="of each mistake"
# parts averaged -> the output over
# outputs added -> the output over
# weighed by the logarithm of the sum -> the output over
# shares exchanged -> the output over
# shares not divided by their sum -> the output over
# the set with the higher lse alone counts -> the output over
# no shift by the maximum -> scores that are
# one maximum for all rows -> queries and sets
# logarithms added -> the output over; the lse over
# the greater lse returned -> the lse over
# the lse mixed like the outputs -> the lse over
# the sum returned, not its logarithm -> the lse over
# nothing to share gives NaN -> no key in
# one share for all queries -> the output over

# %% what_if="Three parts are merged: the first two first, or the last two first. Does the order matter?" because="No. Each result stands for all keys of its parts, so the order of merging does not matter, as it does not matter in a sum."
rng = np.random.default_rng(0)
parts = [(rng.normal(size=(2, 3)), rng.normal(size=2)) for _ in range(3)]
left, right = merge(merge(parts[0], parts[1]), parts[2]), merge(parts[0], merge(parts[1], parts[2]))
print(np.allclose(left[0], right[0]), np.allclose(left[1], right[1]))
# %% right="a top for each query" buys="the same three running numbers as in streamed attention: top, sum and output"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    top = np.maximum(la, lb)
    top = np.where(top == -np.inf, 0.0, top)
    ea, eb = np.exp(la - top), np.exp(lb - top)
    total = ea + eb
    with np.errstate(divide="ignore"):
        lse = top + np.log(total)
    safe = np.where(total > 0, total, 1.0)
    return (ea / safe)[:, None] * oa + (eb / safe)[:, None] * ob, lse
# %% right="a sigmoid" buys="only the difference of the two lse matters for the shares"
def merge(a, b):
    from scipy.special import expit
    (oa, la), (ob, lb) = a, b
    empty = np.isneginf(la) & np.isneginf(lb)
    with np.errstate(invalid="ignore"):
        share = np.where(empty, 0.0, expit(la - lb))[:, None]
    return share * oa + (1 - share) * ob, np.logaddexp(la, lb)
# %% right="query by query" row="loops"
def merge(a, b):
    output, lse = [], []
    for oa, la, ob, lb in zip(*a, *b):
        if la == -np.inf and lb == -np.inf:
            output.append(np.zeros_like(oa))
            lse.append(-np.inf)
            continue
        top = max(la, lb)
        x, y = math.exp(la - top), math.exp(lb - top)
        output.append((x * oa + y * ob) / (x + y))
        lse.append(top + math.log(x + y))
    return np.array(output), np.array(lse)
# %% right="logsumexp and a softmax of two" buys="softmax attention over two things: the two parts"
def merge(a, b):
    from scipy.special import logsumexp
    both = np.stack([a[1], b[1]])
    lse = logsumexp(both, axis=0)
    weights = np.exp(both - np.where(np.isfinite(lse), lse, 0))
    return np.einsum("pq,pqv->qv", weights, np.stack([a[0], b[0]])), lse
# %% right="in torch, a list" row="a list as the pair"
def merge(a, b):
    (oa, la), (ob, lb) = [[torch.as_tensor(x) for x in pair] for pair in (a, b)]
    both = torch.stack([la, lb])
    lse = both.logsumexp(0)
    w = torch.exp(both - lse.nan_to_num(neginf=0.0))[..., None]
    return [(w[0] * oa + w[1] * ob).numpy(), lse.numpy()]
# %% right="float32" row="float32"
def merge(a, b):
    (oa, la), (ob, lb) = [[np.asarray(x, dtype=np.float32) for x in pair] for pair in (a, b)]
    top = np.maximum(np.maximum(la, lb), np.float32(-1e30))
    ea, eb = np.exp(la - top), np.exp(lb - top)
    total = np.maximum(ea + eb, np.float32(1e-30))
    lse = np.where(ea + eb > 0, top + np.log(total), -np.inf)
    return (ea[:, None] * oa + eb[:, None] * ob) / total[:, None], lse
# %% mistake="parts averaged" style="mean"
def merge(a, b):
    return np.mean([a[0], b[0]], axis=0), np.logaddexp(a[1], b[1])
# %% mistake="outputs added" style="plus"
def merge(a, b):
    return a[0] + b[0], np.logaddexp(a[1], b[1])
# %% mistake="weighed by the logarithm of the sum" style="divided by their sum"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    return (la[:, None] * oa + lb[:, None] * ob) / (la + lb)[:, None], np.logaddexp(la, lb)
# %% mistake="shares exchanged" style="a sigmoid the wrong way"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    lse = np.logaddexp(la, lb)
    safe = np.where(np.isfinite(lse), lse, 0)
    return np.exp(lb - safe)[:, None] * oa + np.exp(la - safe)[:, None] * ob, lse
# %% mistake="shares not divided by their sum" style="relative to the higher"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    top = np.where(np.isneginf(np.maximum(la, lb)), 0, np.maximum(la, lb))
    return np.exp(la - top)[:, None] * oa + np.exp(lb - top)[:, None] * ob, np.logaddexp(la, lb)
# %% mistake="no shift by the maximum" style="plain exponentials"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    ea, eb = np.exp(la)[:, None], np.exp(lb)[:, None]
    return (ea * oa + eb * ob) / (ea + eb), np.log(np.exp(la) + np.exp(lb))
# %% mistake="one maximum for all rows" style="max of both"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    top = np.max([la, lb])
    ea, eb = np.exp(la - top)[:, None], np.exp(lb - top)[:, None]
    return (ea * oa + eb * ob) / (ea + eb), top + np.log((ea + eb)[:, 0])
# %% mistake="logarithms added" style="la + lb"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    lse = np.logaddexp(la, lb)
    safe = np.where(np.isfinite(lse), lse, 0)
    return np.exp(la - safe)[:, None] * oa + np.exp(lb - safe)[:, None] * ob, la + lb
# %% mistake="the greater lse returned" style="maximum"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    lse = np.logaddexp(la, lb)
    safe = np.where(np.isfinite(lse), lse, 0)
    return np.exp(la - safe)[:, None] * oa + np.exp(lb - safe)[:, None] * ob, np.maximum(la, lb)
# %% mistake="the sum returned, not its logarithm" style="the total"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    lse = np.logaddexp(la, lb)
    safe = np.where(np.isfinite(lse), lse, 0)
    return np.exp(la - safe)[:, None] * oa + np.exp(lb - safe)[:, None] * ob, np.exp(la) + np.exp(lb)
# %% mistake="a set without keys counted" style="nan_to_num"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    la, lb = (np.nan_to_num(x, neginf=0.0) for x in (la, lb))
    lse = np.logaddexp(la, lb)
    return np.exp(la - lse)[:, None] * oa + np.exp(lb - lse)[:, None] * ob, lse
# %% mistake="nothing to share gives NaN" style="logaddexp, unguarded"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    lse = np.logaddexp(la, lb)
    return np.exp(la - lse)[:, None] * oa + np.exp(lb - lse)[:, None] * ob, lse
# %% mistake="nothing to share gives NaN" style="a top, unguarded"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    top = np.maximum(la, lb)
    ea, eb = np.exp(la - top), np.exp(lb - top)
    return (ea[:, None] * oa + eb[:, None] * ob) / (ea + eb)[:, None], top + np.log(ea + eb)
# %% mistake="the set with the higher lse alone counts" style="where"
def merge(a, b):
    better = a[1] >= b[1]
    return np.where(better[:, None], a[0], b[0]), np.logaddexp(a[1], b[1])
# %% mistake="writes into its input" style="in place"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    lse = np.logaddexp(la, lb)
    safe = np.where(np.isfinite(lse), lse, 0)
    oa *= np.exp(la - safe)[:, None]
    oa += np.exp(lb - safe)[:, None] * ob
    return oa, lse
# %% unlisted="the first part alone"
def merge(a, b):
    return a
# %% unlisted="NaN and −inf both made finite"
def merge(a, b):
    output_a, lse_a = a
    output_b, lse_b = b
    top = np.maximum(lse_a, lse_b)
    with np.errstate(all="ignore"):
        e_a, e_b = np.exp(lse_a - top), np.exp(lse_b - top)
        total = e_a + e_b
        output = (e_a[:, None] * output_a + e_b[:, None] * output_b) / total[:, None]
        lse = top + np.log(total)
    return np.nan_to_num(output), np.nan_to_num(lse)
# %% unlisted="the top not added back"
def merge(a, b):
    output_a, lse_a = a
    output_b, lse_b = b
    top = np.maximum(lse_a, lse_b)
    empty = np.isneginf(top)
    shift = np.where(empty, 0, top)
    e_a = np.exp(lse_a - shift)
    e_b = np.exp(lse_b - shift)
    total = np.where(empty, 1, e_a + e_b)
    output = (e_a[:, None] * output_a + e_b[:, None] * output_b) / total[:, None]
    lse = np.where(empty, -np.inf, np.log(total))
    return output, lse
# %% unlisted="the output alone"
def merge(a, b):
    share = 1 / (1 + np.exp(b[1] - a[1]))[:, None]
    return share * a[0] + (1 - share) * b[0]
# %% mistake="the lse mixed like the outputs" style="a mean"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    lse = np.logaddexp(la, lb)
    safe = np.where(np.isfinite(lse), lse, 0)
    return np.exp(la - safe)[:, None] * oa + np.exp(lb - safe)[:, None] * ob, 0.5 * (la + lb)
# %% mistake="broadcast along the wrong axis" style="no new axis"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    lse = np.logaddexp(la, lb)
    safe = np.where(np.isfinite(lse), lse, 0)
    return np.exp(la - safe) * oa + np.exp(lb - safe) * ob, lse
# %% mistake="one share for all queries" style="the first query's"
def merge(a, b):
    (oa, la), (ob, lb) = a, b
    lse = np.logaddexp(la, lb)
    safe = np.where(np.isfinite(lse), lse, 0)
    return np.exp(la - safe)[0] * oa + np.exp(lb - safe)[0] * ob, lse
