# %% crosses="of each mistake"
# not divided by √d_k -> answers and weights
# divided by the wrong power of d_k -> answers and weights
# divided by the root of the wrong length -> answers and weights
# softmax over the queries -> every query's weights; answers and weights
# softmax over the whole matrix -> every query's weights; answers and weights
# Q, K or V in the wrong place -> an answer and; answers and weights
# scaled after the softmax -> every query's weights; answers and weights
# batch axis transposed -> an answer and; answers and weights
# axis of length 1 lost -> an answer and; answers and weights
# writes into its input -> leaves its inputs
# weights not normalised -> every query's weights; answers and weights
# results in the wrong order -> an answer and; every query's weights; answers and weights

# %% what_if="All goods on the shelf cost the same, 3. Which price does a query get that fits none of them?" because="3: the weights sum to 1, whatever the scores are, so the mix of equal prices is that price."
torch.manual_seed(0)
answers, _ = ask_the_shop(torch.randn(1, 1, 8), torch.randn(1, 6, 8), torch.full((1, 6, 1), 3.0))
print(answers)
# %% right="bmm"
def ask_the_shop(queries, keys, prices):
    scores = torch.bmm(queries, keys.transpose(1, 2)) * queries.shape[2] ** -0.5
    weights = torch.softmax(scores, dim=2)
    return torch.bmm(weights, prices), weights
# %% right="einsum" buys="the letters say which axis is summed over"
def ask_the_shop(queries, keys, prices):
    scores = torch.einsum("bqd,bkd->bqk", queries, keys) / math.sqrt(queries.shape[-1])
    weights = scores.softmax(-1)
    return torch.einsum("bqk,bkv->bqv", weights, prices), weights
# %% mistake="not divided by √d_k" style="a list comes back"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(queries @ keys.mT, -1)
    return [weights @ prices, weights]
# %% mistake="divided by the wrong power of d_k" style="divided by d"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(queries @ keys.mT / keys.size(-1), -1)
    return weights @ prices, weights
# %% mistake="divided by the root of the wrong length" style="the number of keys"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(queries @ keys.mT / keys.size(1) ** 0.5, -1)
    return weights @ prices, weights
# %% mistake="softmax over the queries" style="dim 1"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(torch.matmul(queries, keys.mT) / math.sqrt(keys.size(-1)), 1)
    return weights @ prices, weights
# %% mistake="softmax over the whole matrix" style="exp over their sum"
def ask_the_shop(queries, keys, prices):
    powers = (queries @ keys.mT / math.sqrt(keys.size(-1))).exp()
    weights = powers / powers.sum(dim=(1, 2), keepdim=True)
    return weights @ prices, weights
# %% mistake="results in the wrong order" style="weights first"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(queries @ keys.mT / math.sqrt(keys.size(-1)), -1)
    return weights, weights @ prices
# %% unlisted="the price with the highest score"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(queries @ keys.mT / math.sqrt(keys.size(-1)), -1)
    best = weights.argmax(-1, keepdim=True)
    return prices.gather(1, best), weights
# %% mistake="weights not normalised" style="exponentials, never divided"
def ask_the_shop(queries, keys, prices):
    w = torch.exp(torch.bmm(queries, keys.mT) / queries.shape[-1] ** 0.5)
    return w @ prices, w
# %% unlisted="only the answers"
def ask_the_shop(queries, keys, prices):
    return torch.softmax(queries @ keys.mT / math.sqrt(keys.size(-1)), -1) @ prices
# %% mistake="Q, K or V in the wrong place" style="the keys are mixed"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(queries @ keys.mT / math.sqrt(keys.size(-1)), -1)
    return weights @ keys, weights
# %% mistake="divided by the wrong power of d_k" style="d ** 1/2 without brackets"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(queries @ keys.mT / queries.shape[-1] ** 1/2, dim=-1)
    return weights @ prices, weights
# %% mistake="softmax over the whole matrix" style="exp over the sum of all"
def ask_the_shop(queries, keys, prices):
    e = torch.exp(queries @ keys.transpose(1, 2) / math.sqrt(keys.shape[-1]))
    return e / e.sum() @ prices, e / e.sum()
# %% mistake="scaled after the softmax" style="the weights divided"
def ask_the_shop(queries, keys, prices):
    weights = nn.Softmax(-1)(torch.bmm(queries, keys.mT)) / queries.shape[-1] ** 0.5
    return weights @ prices, weights
# %% mistake="batch axis transposed" style="keys.T"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(queries @ keys.T / math.sqrt(queries.shape[-1]), dim=-1)
    return weights @ prices, weights
# %% mistake="axis of length 1 lost" style="a price for each query, without its axis"
def ask_the_shop(queries, keys, prices):
    weights = torch.softmax(queries @ keys.transpose(1, 2) / math.sqrt(queries.shape[-1]), dim=-1)
    return (weights @ prices).squeeze(-1), weights
# %% mistake="writes into its input" style="queries divided in place"
def ask_the_shop(queries, keys, prices):
    queries /= math.sqrt(queries.shape[-1])
    weights = torch.softmax(queries @ keys.transpose(1, 2), dim=-1)
    return weights @ prices, weights
