# %% crosses="of each mistake"
# redrawn from p instead of p − q -> a guess comes; else a word; over all guesses
# p and q exchanged -> a guess comes; else a word; over all guesses
# redrawn from p without the guess -> else a word; over all
# kept where it should be redrawn -> a guess comes; over all; where p and q
# redrawn from q -> a guess comes; else a word; over all guesses
# redrawn evenly -> a guess comes; else a word; over all guesses
# softmax of the differences -> a guess comes; else a word; over all guesses
# redrawn from all differences -> a guess comes; else a word; over all guesses
# the likeliest word taken, none drawn -> else a word; over all guesses
# every guess kept -> a guess comes; over all guesses
# no guess kept -> a guess comes; else a word; over all guesses
# kept with probability p, not p / q -> a guess comes; over all guesses
# kept only where p is larger -> a guess comes; over all guesses
# probabilities that do not sum to 1 -> 
# writes into its input -> leaves p and

# %% right="a word of chance from the cumulated shares" row="inverse of the cumulated shares"
def keep_or_redraw(guess, p, q, rng):
    if rng.uniform() * q[guess] <= p[guess]:
        return guess
    missing = np.clip(p - q, 0, None)
    shares = np.cumsum(missing)
    return min(int(np.searchsorted(shares, rng.uniform() * shares[-1], side="right")), len(p) - 1)
# %% right="Python's own random, the generator not used" row="another source of random numbers" buys="as likely as it should be; but nobody can draw the same words again, which is what rng is for"
def keep_or_redraw(guess, p, q, rng):
    import random
    if random.random() < min(1, p[guess] / q[guess]):
        return guess
    weights = [max(a - b, 0) for a, b in zip(p, q)]
    return random.choices(range(len(p)), weights=weights)[0]
# %% right="multinomial, an array's number"
def keep_or_redraw(guess, p, q, rng):
    if rng.binomial(1, min(1, p[guess] / q[guess])):
        return np.int64(guess)
    left = np.where(p > q, p - q, 0.0)
    return rng.multinomial(1, left / left.sum()).argmax()
# %% mistake="redrawn from p instead of p − q" style="choice of p"
def keep_or_redraw(guess, p, q, rng):
    return guess if rng.random() < p[guess] / q[guess] else int(rng.choice(len(p), p=p))
# %% mistake="p and q exchanged" style="q over p"
def keep_or_redraw(guess, p, q, rng):
    if p[guess] == 0 or rng.random() < q[guess] / p[guess]:
        return guess
    left = np.maximum(p - q, 0)
    return int(rng.choice(len(p), p=left / left.sum()))
# %% mistake="p and q exchanged" style="refused where p is larger"
def keep_or_redraw(guess, p, q, rng):
    chance = 1.0
    if p[guess] > q[guess]:
        chance = q[guess] / p[guess]
    if rng.random() < chance:
        return int(guess)
    rest = np.maximum(p - q, 0)
    return int(rng.choice(len(p), p=rest / rest.sum()))
# %% mistake="p and q exchanged" style="q − p"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < p[guess] / q[guess]:
        return guess
    left = np.maximum(q - p, 0)
    return int(rng.choice(len(p), p=left / left.sum()))
# %% mistake="redrawn from q" style="the draft again"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < p[guess] / q[guess]:
        return guess
    return int(rng.choice(len(q), p=q))
# %% mistake="redrawn evenly" style="integers"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() > p[guess] / q[guess]:
        guess = int(rng.integers(0, len(p)))
    return guess
# %% mistake="softmax of the differences" style="p − q"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < min(1, p[guess] / q[guess]):
        return guess
    e = np.exp(p - q)
    return int(rng.choice(len(p), p=e / e.sum()))
# %% mistake="softmax of the differences" style="what is above 0, scipy"
def keep_or_redraw(guess, p, q, rng):
    from scipy.special import softmax
    if rng.random() < p[guess] / q[guess]:
        return guess
    return int(rng.multinomial(1, softmax(np.maximum(p - q, 0))).argmax())
# %% mistake="redrawn from all differences" style="abs"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < p[guess] / q[guess]:
        return guess
    left = abs(p - q)
    return int(rng.choice(len(p), p=left / left.sum()))
# %% mistake="the likeliest word taken, none drawn" style="argmax"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < p[guess] / q[guess]:
        return guess
    return int(np.argmax(p - q))
# %% mistake="every guess kept" style="return guess"
def keep_or_redraw(guess, p, q, rng):
    return guess
# %% mistake="no guess kept" style="from p, whatever was guessed"
def keep_or_redraw(guess, p, q, rng):
    return int(rng.choice(np.arange(len(p)), p=p))
# %% mistake="kept with probability p, not p / q" style="p[guess]"
def keep_or_redraw(guess, p, q, rng):
    left = np.maximum(p - q, 0)
    if rng.random() < p[guess] or not left.any():
        return guess
    return int(rng.choice(len(p), p=left / left.sum()))
# %% mistake="kept only where p is larger" style="if p >= q"
def keep_or_redraw(guess, p, q, rng):
    if p[guess] >= q[guess]:
        return guess
    left = np.maximum(p - q, 0)
    return int(rng.choice(len(p), p=left / left.sum()))
# %% mistake="probabilities that do not sum to 1" style="not divided"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < p[guess] / q[guess]:
        return guess
    return int(rng.choice(len(p), p=np.maximum(p - q, 0)))
# %% mistake="writes into its input" style="p -= q"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < p[guess] / q[guess]:
        return guess
    p -= q
    p[p < 0] = 0
    p /= p.sum()
    return int(rng.choice(len(p), p=p))
# %% unlisted="the same numbers at each call"
def keep_or_redraw(guess, p, q, rng):
    rng = np.random.default_rng(0)
    if rng.random() < p[guess] / q[guess]:
        return guess
    left = np.maximum(p - q, 0)
    return int(rng.choice(len(p), p=left / left.sum()))
# %% unlisted="one random number for both"
def keep_or_redraw(guess, p, q, rng):
    u = rng.random()
    if u < p[guess] / q[guess]:
        return guess
    left = np.cumsum(np.maximum(p - q, 0))
    return int(np.searchsorted(left / left[-1], u))
# %% unlisted="the probability, not the word"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < p[guess] / q[guess]:
        return p[guess]
    return np.maximum(p - q, 0).max()
# %% unlisted="nearly always kept"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < (p[guess] / q[guess]) ** 0.5:
        return guess
    left = np.maximum(p - q, 0)
    return int(rng.choice(len(p), p=left / left.sum()))
# %% right="drawn from p until it is wanted" buys="(p − q)⁺ is never normalised: words of p are refused in turn"
def keep_or_redraw(guess, p, q, rng):
    if rng.binomial(1, min(1, p[guess] / q[guess])):
        return guess
    while True:
        word = rng.choice(len(p), p=p)
        if rng.random() < max(0, p[word] - q[word]) / p[word]:
            return int(word)
# %% right="one law for all" buys="one draw: the guess has its chance in it, as the others have theirs"
def keep_or_redraw(guess, p, q, rng):
    keep, rest = min(1.0, p[guess] / q[guess]), np.clip(p - q, 0, None)
    if rest.sum() == 0:
        return guess
    law = (1 - keep) * rest / rest.sum()
    law[guess] += keep
    return int(rng.choice(len(law), p=law / law.sum()))
# %% mistake="the likeliest word taken, none drawn" style="argmax of p"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < p[guess] / q[guess]:
        return guess
    return int(np.argmax(p))
# %% unlisted="a generator of its own, begun anew"
def keep_or_redraw(guess, p, q, rng):
    rng = np.random.default_rng(0)
    if rng.random() < p[guess] / q[guess]:
        return guess
    d = np.maximum(p - q, 0)
    return int(rng.choice(len(p), p=d / d.sum()))
# %% mistake="redrawn from p without the guess" style="the guess struck out"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() < min(1, p[guess] / q[guess]):
        return guess
    others = p.copy()
    others[guess] = 0
    return int(rng.choice(len(p), p=others / others.sum()))
# %% mistake="kept where it should be redrawn" style="> for <"
def keep_or_redraw(guess, p, q, rng):
    if rng.random() > p[guess] / q[guess]:
        return guess
    left = np.maximum(p - q, 0)
    if left.sum() == 0:
        return guess
    return int(rng.choice(len(p), p=left / left.sum()))
