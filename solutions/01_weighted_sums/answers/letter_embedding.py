# %% what_if="What does it give for café, whose last letter stands in no alphabet of 26?" because="ord has a number for every character, and that of é lies far behind that of z. Nothing in the code says that the alphabet ends at 26."
print(letter_embedding("café"))
# %% right="capitals and an array" buys="capitals instead of small letters, and an array comes back"
def letter_embedding(word):
    return np.array([ord(c) - 64 for c in word.upper()])
# %% right="place in the alphabet, as floats"
import string
def letter_embedding(word):
    return [float(string.ascii_lowercase.index(c) + 1) for c in word.casefold()]
# %% right="dictionary of letters"
alphabet = {letter: place for place, letter in enumerate("abcdefghijklmnopqrstuvwxyz", start=1)}
def letter_embedding(word):
    result = np.zeros(len(word))
    for i, letter in enumerate(word):
        result[i] = alphabet[letter.lower()]
    return result
# %% right="bytes" buys="no loop at all: the letters of a word are already bytes in a row"
def letter_embedding(word):
    return np.frombuffer(word.lower().encode(), dtype=np.uint8) - 96
# %% right="tuple of remainders"
letter_embedding = lambda word: tuple(ord(c) % 32 for c in word)
# %% right="array of objects"
def letter_embedding(word):
    return np.array([ord(c) % 32 for c in word], dtype=object)
# %% right="base 36" buys="no table and no ord: int knows letters as digits, in capitals too"
def letter_embedding(word): return [int(c, 36) - 9 for c in word]
# %% mistake="letters counted from the wrong number" style="counts from zero, upper"
def letter_embedding(word):
    return [ord(c) - ord("A") for c in word.upper()]
# %% mistake="letters counted from the wrong number" style="index in the alphabet without + 1"
import string
def letter_embedding(word):
    return [string.ascii_lowercase.find(ch) for ch in word.lower()]
# %% mistake="capitals not counted like small letters" style="no lower, array"
def letter_embedding(word):
    codes = np.array([ord(c) for c in word])
    return codes - ord("a") + 1
# %% mistake="capitals not counted like small letters" style="dictionary of small letters only"
def letter_embedding(word):
    table = {chr(96 + i): i for i in range(1, 27)}
    return [table[c] for c in word]
# %% mistake="capitals not counted like small letters" style="only the first letter made small"
def letter_embedding(word):
    word = word[0].lower() + word[1:]
    return [ord(c) - 96 for c in word]
# %% unlisted="nothing returned"
def letter_embedding(word):
    x = [ord(c) - 96 for c in word.lower()]
# %% unlisted="remainder of 26"
def letter_embedding(word): return [(ord(c) - 96) % 26 for c in word.lower()]
# %% mistake="repeated letter lost" style="left out"
def letter_embedding(word):
    seen, numbers = set(), []
    for letter in word.lower():
        if letter in seen:
            continue
        numbers.append(ord(letter) - 96)
        seen.add(letter)
    return numbers
# %% unlisted="list kept between calls"
def letter_embedding(word, numbers=[]):
    for letter in word.lower():
        numbers.append(ord(letter) - 96)
    return numbers
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="letters counted from the wrong number; capitals not counted like small letters" true="letters counted from the wrong number; capitals not counted like small letters"
def letter_embedding(word):
    abc = "abcdefghijklmnopqrstuvwxyz"
    lookup = {c: i for i, c in enumerate(abc)}
    vec = np.zeros(len(word))
    for i in range(len(word)):
        vec[i] = lookup.get(word[i], 0)
    return vec
# %% mistake="repeated letter lost" style="0 for what has been seen"
def letter_embedding(word):
    seen, numbers = set(), []
    for letter in word.lower():
        numbers.append(0 if letter in seen else ord(letter) - 96)
        seen.add(letter)
    return numbers
# %% mistake="a constant instead of the input's size" style="room for nine"
def letter_embedding(word):
    numbers = [0] * 9
    for i, letter in enumerate(word.lower()):
        numbers[i] = ord(letter) - 96
    return numbers
