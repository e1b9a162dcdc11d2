# %% crosses="of each mistake"
# letters counted from the wrong number -> a is 1
# capitals not counted like small letters -> one number for; capitals count like

# %% right="loop and append"
def letter_embedding(word):
    numbers = []
    for letter in word.lower():
        numbers.append(ord(letter) - 96)
    return numbers
# %% right="capitals and an array"
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
# %% right="bytes"
def letter_embedding(word):
    return np.frombuffer(word.lower().encode(), dtype=np.uint8) - 96
# %% right="tuple of remainders"
letter_embedding = lambda word: tuple(ord(c) % 32 for c in word)
# %% right="base 36"
def letter_embedding(word): return [int(c, 36) - 9 for c in word]
# %% right="capitals told apart by if"
def letter_embedding(word):
    vector = []
    for char in word:
        if char.isupper():
            vector.append(ord(char) - ord('A') + 1)
        elif char.islower():
            vector.append(ord(char) - ord('a') + 1)
        else:
            vector.append(0)
    return vector
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
# %% mistake="capitals not counted like small letters" style="lower called and dropped"
def letter_embedding(word):
    word.lower()
    numbers = []
    for i in range(len(word)):
        numbers.append(ord(word[i]) - 96)
    return numbers
# %% mistake="capitals not counted like small letters" style="dictionary of small letters only"
def letter_embedding(word):
    table = {chr(96 + i): i for i in range(1, 27)}
    return [table[c] for c in word]
# %% mistake="capitals not counted like small letters" style="dictionary with a default"
def letter_embedding(word):
    table = {chr(96 + i): i for i in range(1, 27)}
    return [table.get(c, 0) for c in word]
# %% mistake="letters counted from the wrong number" style="raw codes" true="capitals not counted like small letters"
def letter_embedding(word): return list(map(ord, word))
# %% mistake="letters counted from the wrong number" style="some other shift" true="capitals not counted like small letters"
def letter_embedding(word): return np.array(list(map(ord, word))) - 100
# %% mistake="capitals not counted like small letters" style="only the first letter made small"
def letter_embedding(word):
    word = word[0].lower() + word[1:]
    return [ord(c) - 96 for c in word]
# %% mistake="capitals not counted like small letters" style="capitals after the small letters"
def letter_embedding(word):
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return [letters.index(c) + 1 for c in word]
# %% unlisted="nothing returned"
def letter_embedding(word):
    x = [ord(c) - 96 for c in word.lower()]
# %% unlisted="the word itself"
def letter_embedding(word): return word
# %% unlisted="sum"
def letter_embedding(word): return sum(ord(c) - 96 for c in word.lower())
# %% unlisted="column"
def letter_embedding(word): return [[ord(c) - 96] for c in word.lower()]
# %% unlisted="each letter once"
def letter_embedding(word): return [ord(c) - 96 for c in dict.fromkeys(word.lower())]
# %% unlisted="not numbers"
def letter_embedding(word): return [float('nan') for _ in word]
# %% unlisted="sorted"
def letter_embedding(word): return sorted(ord(c) - 96 for c in word.lower())
# %% unlisted="divided by 26"
def letter_embedding(word): return [(ord(c) - 96) / 26 for c in word.lower()]
# %% unlisted="remainder of 26"
def letter_embedding(word): return [(ord(c) - 96) % 26 for c in word.lower()]
# %% unlisted="one-hot"
def letter_embedding(word):
    return np.eye(26)[[ord(c) - 97 for c in word.lower()]]
# %% unlisted="returns inside the loop" of="loop and append"
# -     return numbers
# +         return numbers
# %% unlisted="list kept between calls"
def letter_embedding(word, numbers=[]):
    for letter in word.lower():
        numbers.append(ord(letter) - 96)
    return numbers
# %% unlisted="numbers as text"
def letter_embedding(word): return [str(ord(c) - 96) for c in word.lower()]
# %% [markdown]
# ## From the wild
# %% mistake="capitals not counted like small letters" style="string.ascii_letters"
import string
def letter_embedding(word):
    return [string.ascii_letters.index(c) + 1 for c in word]
# %% right="a table for str.translate"
def letter_embedding(word):
    table = str.maketrans({chr(97 + i): chr(i + 1) for i in range(26)})
    return [ord(c) for c in word.lower().translate(table)]
# %% [markdown]
# ## Clumsy halves
# %% unlisted="lower without brackets"
def letter_embedding(word):
    return [ord(c) - 96 for c in word.lower]
# %% unlisted="the first letter alone"
def letter_embedding(word):
    return ord(word[0].lower()) - 96
# %% mistake="letters counted from the wrong number" style="no + 1 and no lower" true="capitals not counted like small letters"
def letter_embedding(word):
    result = []
    for ch in word:
        result.append(ord(ch) - ord('a'))
    return result
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="low five bits of the ASCII bytes"
def letter_embedding(word):
    # the low five bits of an ascii letter are its place in the alphabet, big or small
    raw = np.frombuffer(word.encode("ascii"), dtype=np.uint8)
    return (raw & 31).astype(float)
# %% mistake="capitals not counted like small letters" style="capitals not counted like small letters, written blind"
def letter_embedding(word):
    numbers = []
    for ch in word:
        if ch.isalpha():
            numbers.append(ord(ch) - ord("a") + 1)
        else:
            numbers.append(0)
    return np.array(numbers)
# %% right="builds a dictionary of both cases, recursion over the word"
def letter_embedding(word):
    table = {}
    counter = 0
    for letter in "abcdefghijklmnopqrstuvwxyz":
        counter = counter + 1
        table[letter] = counter
        table[letter.upper()] = counter
    if len(word) == 0:
        return []
    elif len(word) == 1:
        return [table[word[0]]]
    else:
        rest = letter_embedding(word[1:])
        result = [table[word[0]]]
        for r in rest:
            result.append(r)
        return result
# %% unlisted="letters counted from the wrong number; capitals not counted like small letters" true="letters counted from the wrong number; capitals not counted like small letters"
def letter_embedding(word):
    abc = "abcdefghijklmnopqrstuvwxyz"
    lookup = {c: i for i, c in enumerate(abc)}
    vec = np.zeros(len(word))
    for i in range(len(word)):
        vec[i] = lookup.get(word[i], 0)
    return vec
