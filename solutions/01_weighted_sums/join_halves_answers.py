# %% crosses="of each mistake"
# plain mean of the halves -> each half has
# largest scores forgotten -> each half has
# no shift by the maximum ->

# %% right="shifted by the larger top"
def join_halves(first, second):
    (m, s, a), (n, t, b) = first, second
    top = max(m, n)
    s, t = s * np.exp(m - top), t * np.exp(n - top)
    return (s * a + t * b) / (s + t)
# %% right="softmax of the halves' logarithms"
def join_halves(first, second):
    shares = softmax([first[0] + np.log(first[1]), second[0] + np.log(second[1])])
    return shares @ np.array([first[2], second[2]])
# %% right="logaddexp"
def join_halves(first, second):
    logs = [top + np.log(total) for top, total, _ in (first, second)]
    whole = np.logaddexp(*logs)
    return np.exp(logs[0] - whole) * first[2] + np.exp(logs[1] - whole) * second[2]
# %% mistake="plain mean of the halves" style="halved"
def join_halves(first, second):
    return 0.5 * first[2] + 0.5 * second[2]
# %% mistake="plain mean of the halves" style="np.mean"
def join_halves(first, second):
    return np.mean([first[2], second[2]], axis=0)
# %% mistake="largest scores forgotten" style="totals as weights"
def join_halves(first, second):
    return np.average([first[2], second[2]], axis=0, weights=[first[1], second[1]])
# %% mistake="largest scores forgotten" style="share of the totals"
def join_halves(first, second):
    share = first[1] / (first[1] + second[1])
    return share * first[2] + (1 - share) * second[2]
# %% mistake="no shift by the maximum" style="powers of the tops"
def join_halves(first, second):
    sizes = np.array([total * np.exp(top) for top, total, _ in (first, second)])
    return sizes @ np.array([first[2], second[2]]) / sizes.sum()
# %% mistake="no shift by the maximum" style="one by one"
def join_halves(first, second):
    s, t = first[1] * np.exp(first[0]), second[1] * np.exp(second[0])
    return s / (s + t) * first[2] + t / (s + t) * second[2]
# %% unlisted="totals forgotten"
def join_halves(first, second):
    return softmax([first[0], second[0]]) @ np.array([first[2], second[2]])
# %% unlisted="not divided"
def join_halves(first, second):
    top = max(first[0], second[0])
    return sum(total * np.exp(m - top) * mean for m, total, mean in (first, second))
# %% unlisted="the larger half alone"
def join_halves(first, second):
    return max(first, second, key=lambda half: half[0])[2]
