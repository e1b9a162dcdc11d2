# %% what_if="The identity is multiplied by 5, not by 1000. How much weight does the left neighbour of 4 words get?" because="A score of 5 divided by √4 is 2.5. Its power exp(2.5) is about 12, and the other three powers are 1 each, so they keep about a fifth."
K = np.eye(4)
Q = 5 * K[[0, 0, 1, 2]]
print(np.round(softmax(Q @ K.T / np.sqrt(4)), 3))
# %% right="rows of an identity"
def copy_left(n):
    K = np.eye(n)
    return 100 * K[[0, *range(n - 1)]], 100 * K
# %% right="a loop, lists" buys="the rule is readable: max(i - 1, 0) is the left neighbour, and the first word itself"
def copy_left(n):
    Q, K = [[0.0] * n for _ in range(n)], [[0.0] * n for _ in range(n)]
    for i in range(n):
        K[i][i] = 90.0
        Q[i][max(i - 1, 0)] = 90.0
    return Q, K
# %% right="places on a circle" buys="two columns are enough, even for thousands of words: every direction is nearest to itself"
def copy_left(n):
    turn = 2 * np.pi * np.arange(n) / n
    before = turn[np.maximum(np.arange(n) - 1, 0)]
    return [1e5 * np.stack([np.cos(a), np.sin(a)], axis=1) for a in (before, turn)]
# %% right="tensors" buys="rows put one behind another, with the first one twice"
def copy_left(n):
    K = torch.eye(n) * 50
    return torch.cat([K[:1], K[:-1]]) * 50, K
# %% mistake="shifted the wrong way" style="roll the other way"
def copy_left(n):
    return 1000 * np.roll(np.eye(n), -1, axis=0), np.eye(n)
# %% mistake="shifted the wrong way" style="keys moved instead of queries"
def copy_left(n):
    K = np.eye(n)
    return 200 * K, K[[0, *range(n - 1)]]
# %% mistake="round the corner" style="roll"
def copy_left(n):
    return 1000 * np.roll(np.eye(n), 1, axis=0), np.eye(n)
# %% mistake="round the corner" style="index -1"
def copy_left(n):
    K = 70 * np.eye(n)
    return np.array([K[i - 1] for i in range(n)]), K
# %% mistake="scores too close together" style="ones"
def copy_left(n):
    K = np.eye(n)
    return np.vstack([K[:1], K[:-1]]), K
# %% unlisted="everyone looks at himself"
def copy_left(n):
    return 1000 * np.eye(n), np.eye(n)
# %% unlisted="the first word looks nowhere"
def copy_left(n):
    return 1000 * np.eye(n, k=-1), np.eye(n)
# %% unlisted="K alone"
def copy_left(n):
    return 1000 * np.eye(n)
# %% unlisted="words on the columns of a wider matrix"
def copy_left(n):
    return np.zeros((n, n + 1)), np.eye(n)
# %% mistake="scores too close together" style="loud enough for a few words"
def copy_left(n):
    K = np.eye(n)
    return 30 * K[np.maximum(np.arange(n) - 1, 0)], K
# %% unlisted="no row for a single word"
def copy_left(n):
    K = 100 * np.eye(n)
    return np.stack([K[0], K[0], *K[1:-1]]), K
