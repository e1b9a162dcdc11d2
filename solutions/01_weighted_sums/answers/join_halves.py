# %% crosses="of each mistake"
# no shift by the maximum ->

# %% what_if="The second half's top is 40 below the first half's. How much of the second half's mean is left in the result?" because="Its weights shrink by exp(-40), which is about 4e-18. Even a value of 700 then changes only the last printed digit."
print(join_halves((50.0, 1.0, 3.0), (10.0, 1.0, 700.0)))
print(np.exp(-40))
# %% right="softmax of two scores" buys="top + log(total) is the score of a whole half: softmax weighs the two means"
def join_halves(first, second):
    scores = [top + np.log(total) for top, total, _ in (first, second)]
    return softmax(scores) @ np.array([first[2], second[2]])
# %% right="one share" buys="only a difference counts; expit(x) is 1 / (1 + exp(-x)), and no exp overflows"
from scipy.special import expit
def join_halves(first, second):
    share = expit(first[0] - second[0] + np.log(first[1] / second[1]))
    return share * first[2] + (1 - share) * second[2]
# %% right="shifted by the larger top"
def join_halves(first, second):
    (m, s, a), (n, t, b) = first, second
    top = max(m, n)
    s, t = s * np.exp(m - top), t * np.exp(n - top)
    return (s * a + t * b) / (s + t)
# %% mistake="plain mean of the halves" style="halved"
def join_halves(first, second):
    return 0.5 * first[2] + 0.5 * second[2]
# %% mistake="largest scores forgotten" style="totals as weights"
def join_halves(first, second):
    return np.average([first[2], second[2]], axis=0, weights=[first[1], second[1]])
# %% mistake="no shift by the maximum" style="powers of the tops"
def join_halves(first, second):
    sizes = np.array([total * np.exp(top) for top, total, _ in (first, second)])
    return sizes @ np.array([first[2], second[2]]) / sizes.sum()
# %% mistake="writes into its input" style="one mean blended in place"
def join_halves(first, second):
    gap = second[0] - first[0]
    share = 1 / (1 + second[1] / first[1] * np.exp(np.minimum(gap, 700)))
    mean = first[2]
    mean *= share
    mean += (1 - share) * second[2]
    return mean
# %% unlisted="shifted by the first half's top"
def join_halves(first, second):
    t = second[1] * np.exp(second[0] - first[0])
    return (first[1] * first[2] + t * second[2]) / (first[1] + t)
# %% unlisted="totals forgotten"
def join_halves(first, second):
    return softmax([first[0], second[0]]) @ np.array([first[2], second[2]])
# %% unlisted="not divided"
def join_halves(first, second):
    top = max(first[0], second[0])
    return sum(total * np.exp(m - top) * mean for m, total, mean in (first, second))
# %% unlisted="shifted by the second half's top"
def join_halves(first, second):
    t = first[1] * np.exp(first[0] - second[0])
    return (t * first[2] + second[1] * second[2]) / (t + second[1])
