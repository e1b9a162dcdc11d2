# %% crosses="of each mistake"
# guesses kept behind a refused one -> some guesses kept
# the word that is drawn forgotten -> some guesses kept; no guess: one; all guesses kept
# one guess too few -> some guesses kept; no guess: one; all guesses kept
# one guess too many -> some guesses kept; no guess: one; all guesses kept
# all guesses or none -> some guesses kept; no guess: one; all guesses kept
# as if there were guesses without end -> some guesses kept; no guess: one; all guesses kept
# divides by zero where every guess is kept -> all guesses kept
# guesses refused with this probability -> some guesses kept; no guess: one; all guesses kept
# every guess counted as kept -> some guesses kept; no guess: one; all guesses kept

# %% what_if="Three quarters of all guesses are kept. How much do sixteen guesses gain over four?" because="The sum 1 + a + a² + … can never pass 1 / (1 − a), which is 4 here. Each further guess is kept only if all before it were."
print(round(words_a_pass(0.75, 4), 2), round(words_a_pass(0.75, 16), 2))
# %% right="the formula, with its exception" buys="one division instead of a sum"
def words_a_pass(kept, guesses):
    if kept == 1:
        return guesses + 1.0
    return (1 - kept ** (guesses + 1)) / (1 - kept)
# %% right="a loop"
def words_a_pass(kept, guesses):
    total, chance = 1.0, 1.0
    for _ in range(guesses):
        chance *= kept
        total += chance
    return total
# %% right="NumPy" buys="all powers at once"
def words_a_pass(kept, guesses):
    return np.power(float(kept), np.arange(guesses + 1)).sum()
# %% right="by recursion" buys="a pass with one guess more is a word, and with probability kept a shorter pass behind it"
def words_a_pass(kept, guesses):
    return 1 + (kept * words_a_pass(kept, guesses - 1) if guesses else 0)
# %% mistake="guesses kept behind a refused one" style="a mean"
def words_a_pass(kept, guesses):
    return guesses * kept + 1
# %% mistake="the word that is drawn forgotten" style="a loop from 1"
def words_a_pass(kept, guesses):
    total, chance = 0.0, 1.0
    for _ in range(guesses):
        chance *= kept
        total += chance
    return total
# %% mistake="one guess too few" style="range(guesses)"
def words_a_pass(kept, guesses):
    return sum(kept ** i for i in range(guesses))
# %% mistake="one guess too many" style="all powers"
def words_a_pass(kept, guesses):
    return (float(kept) ** np.arange(guesses + 2)).sum()
# %% mistake="all guesses or none" style="all together"
def words_a_pass(kept, guesses):
    return kept ** guesses * guesses + 1
# %% mistake="as if there were guesses without end" style="1 over 1 − kept"
def words_a_pass(kept, guesses):
    return 1 / (1 - kept + 1e-9)
# %% mistake="divides by zero where every guess is kept" style="the bare formula"
def words_a_pass(kept, guesses):
    return (1 - kept ** (guesses + 1)) / (1 - kept)
# %% mistake="guesses refused with this probability" style="q"
def words_a_pass(kept, guesses):
    q = 1 - kept
    return sum(q ** i for i in range(guesses + 1))
# %% mistake="every guess counted as kept" style="the most"
def words_a_pass(kept, guesses):
    return guesses + 1
# %% unlisted="half of the guesses"
def words_a_pass(kept, guesses):
    return 1 + guesses / 2
# %% unlisted="as if a refusal ended every pass"
def words_a_pass(kept, guesses):
    return sum((i + 1) * kept ** i * (1 - kept) for i in range(guesses + 1))
