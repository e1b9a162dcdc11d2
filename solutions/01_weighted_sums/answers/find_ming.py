# %% what_if="All numbers in your queries and keys are doubled. What happens to the weight that he gives Ming?" because="It grows. The scores are four times as large, so they lie four times as far apart."
words = "Ming bought apples then he went home".split()
for factor in (0.5, 1.0, 2.0):
    queries, keys = (factor * np.array(rows, dtype=float) for rows in zip(*map(find_ming, words)))
    print(factor, softmax(keys @ queries[words.index("he")]).round(2))
# %% right="one number for each word" buys="one feature is enough where one thing is asked for: is it a man's name?"
def find_ming(word):
    name, man, woman = looks.describe(word)
    return [6.0 if word == "he" else 0.0], [float(name and man)]
# %% right="minus one for a woman" buys="a key may speak against a word, too: the scores lie further apart"
def find_ming(word):
    name, man, woman = looks.describe(word)
    key = np.array([name, man - woman])
    query = np.array([4, 4]) if word == "he" else np.zeros(2)
    return query, key
# %% right="what describe says is the key" buys="the key keeps all that is known; the query alone decides what counts"
def find_ming(word):
    return ([5, 5, -5] if word == "he" else [0, 0, 0]), list(looks.describe(word))
# %% right="everyone but the man pushed away" buys="what is not asked for may have negative scores: only distances count"
def find_ming(word):
    name, man, woman = looks.describe(word)
    return [1, 1, 1], ([0, 0, 0] if name and man else [-4, -3, 0.5])
# %% mistake="he finds himself" style="a man's key for both" of="one number for each word"
# -     return [6.0 if word == "he" else 0.0], [float(name and man)]
# +     return [6.0 if word == "he" else 0.0], [float(man)]
# %% mistake="he finds himself" style="asks for himself" of="one number for each word"
# -     return [6.0 if word == "he" else 0.0], [float(name and man)]
# +     return [6.0 if word == "he" else 0.0], [float(word == "he")]
# %% mistake="any name will do" style="names alone" of="one number for each word"
# -     return [6.0 if word == "he" else 0.0], [float(name and man)]
# +     return [6.0 if word == "he" else 0.0], [float(name)]
# %% mistake="only Ming's own name is known" style="compares with Ming" of="one number for each word"
# -     return [6.0 if word == "he" else 0.0], [float(name and man)]
# +     return [6.0 if word == "he" else 0.0], [float(word == "Ming")]
# %% mistake="only Ming's own name is known" style="a table of words"
def find_ming(word):
    features = {"Ming": [1, 1], "Anna": [1, -1], "he": [-1, 1]}
    key = np.array(features.get(word, [0, 0]))
    query = np.array([3, 3]) if word == "he" else np.zeros(2)
    return query, key
# %% mistake="all scores alike" style="zeros for a query" of="one number for each word"
# -     return [6.0 if word == "he" else 0.0], [float(name and man)]
# +     return [0.0], [float(name and man)]
# %% mistake="all scores alike" style="one key" of="minus one for a woman"
# -     key = np.array([name, man - woman])
# +     key = np.array([1, 1])
# %% mistake="scores too close together" style="ones" of="minus one for a woman"
# -     query = np.array([4, 4]) if word == "he" else np.zeros(2)
# +     query = np.array([1, 1]) if word == "he" else np.zeros(2)
# %% mistake="least where it should be most" style="a minus" of="one number for each word"
# -     return [6.0 if word == "he" else 0.0], [float(name and man)]
# +     return [-6.0 if word == "he" else 0.0], [float(name and man)]
# %% mistake="query and key exchanged" style="key first" of="minus one for a woman"
# -     return query, key
# +     return key, query
# %% unlisted="a query of one number, keys of two" of="minus one for a woman"
# -     query = np.array([4, 4]) if word == "he" else np.zeros(2)
# +     query = [9]
# %% unlisted="nothing for the other words"
def find_ming(word):
    if word == "he":
        return [9], [0]
    if word == "Ming":
        return [0], [1]
