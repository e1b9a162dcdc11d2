# %% crosses="of each mistake"
# he finds himself -> he looks
# any name will do -> he looks
# all scores alike -> he looks
# scores too close together -> and with
# least where it should be most -> he looks
# query and key exchanged -> he looks

# %% what_if="All your queries and keys are made twice as long. What becomes of the weight that he gives Ming?" because="It grows: the scores are four times as large, and so lie four times as far apart."
words = "Ming bought apples then he went home".split()
for factor in (0.5, 1.0, 2.0):
    queries, keys = (factor * np.array(rows, dtype=float) for rows in zip(*map(find_ming, words)))
    print(factor, softmax(keys @ queries[words.index("he")]).round(2))
# %% right="one number for each word" buys="one feature is enough where one thing is asked for: is it Ming?"
def find_ming(word):
    return [5.0 if word == "he" else 0.0], [float(word == "Ming")]
# %% right="two features, a name and a man" buys="the features mean something: a key says name and man, the query asks for both"
def find_ming(word):
    features = {"Ming": [1, 1], "Anna": [1, -1], "he": [-1, 1]}
    key = np.array(features.get(word, [0, 0]))
    query = np.array([3, 3]) if word == "he" else np.zeros(2)
    return query, key
# %% right="a one-hot key for each word, a table of queries" buys="each word has a direction of its own, and a query may point to any of them"
def find_ming(word):
    known = "Ming bought apples then he went home Anna called because was late While slept dreamed of and".split()
    keys = np.eye(len(known))
    queries = np.zeros_like(keys)
    queries[known.index("he"), known.index("Ming")] = 20
    return tuple(queries[known.index(word)]), tuple(keys[known.index(word)])
# %% right="everyone but Ming pushed away" buys="what is not asked for may have negative scores: only distances count"
def find_ming(word):
    return [1, 1, 1], ([0, 0, 0] if word.lower() == "ming" else [-4, -3, 0.5])
# %% mistake="he finds himself" style="a man's key for both" of="two features, a name and a man"
# -     features = {"Ming": [1, 1], "Anna": [1, -1], "he": [-1, 1]}
# +     features = {"Ming": [0, 1], "Anna": [0, -1], "he": [0, 1]}
# %% mistake="he finds himself" style="asks for himself" of="one number for each word"
# -     return [5.0 if word == "he" else 0.0], [float(word == "Ming")]
# +     return [5.0 if word == "he" else 0.0], [float(word == "he")]
# %% mistake="any name will do" style="capitals" of="one number for each word"
# -     return [5.0 if word == "he" else 0.0], [float(word == "Ming")]
# +     return [5.0 if word == "he" else 0.0], [float(word in ("Ming", "Anna"))]
# %% mistake="all scores alike" style="zeros for a query" of="one number for each word"
# -     return [5.0 if word == "he" else 0.0], [float(word == "Ming")]
# +     return [0.0], [float(word == "Ming")]
# %% mistake="all scores alike" style="one key" of="two features, a name and a man"
# -     key = np.array(features.get(word, [0, 0]))
# +     key = np.array([1, 1])
# %% mistake="scores too close together" style="ones" of="two features, a name and a man"
# -     query = np.array([3, 3]) if word == "he" else np.zeros(2)
# +     query = np.array([1, 1]) if word == "he" else np.zeros(2)
# %% mistake="least where it should be most" style="a minus" of="two features, a name and a man"
# -     query = np.array([3, 3]) if word == "he" else np.zeros(2)
# +     query = np.array([-3, -3]) if word == "he" else np.zeros(2)
# %% mistake="query and key exchanged" style="key first" of="two features, a name and a man"
# -     return query, key
# +     return key, query
# %% unlisted="a query of one number, keys of two" of="two features, a name and a man"
# -     query = np.array([3, 3]) if word == "he" else np.zeros(2)
# +     query = [9]
# %% unlisted="nothing for the other words"
def find_ming(word):
    if word == "he":
        return [9], [0]
    if word == "Ming":
        return [0], [1]
