# %% what_if="There are twice as many queries and twice as many keys. Which of the two costs grows fourfold?" because="The cost of the dot products grows fourfold, because it counts pairs. The additive score has pairs as well, but its projections only double."
for n in (10, 20):
    cost = scoring_cost(n, n, d=64, num_hiddens=8)
    print(n, {name: one["multiply_adds"] for name, one in cost.items()})
# %% right="h factored out" buys="fewer products, and one sees that every term of the additive cost grows with h"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"dot_product": {"parameters": 0, "multiply_adds": n_q * n_k * d},
            "additive": {"parameters": h * (2 * d + 1), "multiply_adds": h * (n_q * d + n_k * d + n_q * n_k)}}
# %% right="tensors, NumPy scalars and floats"
def scoring_cost(n_q, n_k, d, num_hiddens):
    import numpy as np
    cost = dict(additive={}, dot_product={})
    cost["additive"]["multiply_adds"] = np.float64(num_hiddens * ((n_q + n_k) * d + n_q * n_k))
    cost["additive"]["parameters"] = np.int64(2 * d * num_hiddens + num_hiddens)
    cost["dot_product"]["multiply_adds"] = torch.tensor(n_q * n_k * d)
    cost["dot_product"]["parameters"] = 0.0
    return cost
# %% mistake="projections counted for every pair" style="projections for every pair"
def scoring_cost(n_q, n_k, d, num_hiddens):
    per_pair = 2 * d * num_hiddens + num_hiddens
    return {"additive": {"multiply_adds": n_q * n_k * per_pair, "parameters": per_pair},
            "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}}
# %% mistake="a projection left out of the count" style="only the sum and w_v"
def scoring_cost(n_q, n_k, d, num_hiddens):
    return {"additive": {"multiply_adds": num_hiddens * n_q * n_k, "parameters": num_hiddens * (2 * d + 1)},
            "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
# %% mistake="a projection left out of the count" style="the queries' projection alone"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"additive": {"multiply_adds": n_q * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
            "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
# %% mistake="w_v left out of the count" style="the projections alone" of="the queries' projection alone"
# -     return {"additive": {"multiply_adds": n_q * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
# +     return {"additive": {"multiply_adds": n_q * d * h + n_k * d * h, "parameters": 2 * d * h},
# %% mistake="w_v left out of the count" style="w_v has no parameters" of="the queries' projection alone"
# -     return {"additive": {"multiply_adds": n_q * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
# +     return {"additive": {"multiply_adds": n_q * d * h + n_k * d * h + h * n_q * n_k, "parameters": h * d * 2},
# %% mistake="one projection counted for queries and keys" style="one matrix" of="the queries' projection alone"
# -     return {"additive": {"multiply_adds": n_q * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
# +     return {"additive": {"multiply_adds": (n_q + n_k) * d * h + n_q * n_k * h, "parameters": h * (d + 1)},
# %% mistake="more counted than the scores" style="with the product of weights and values"
def scoring_cost(n_q, n_k, d, num_hiddens):
    mixing = n_q * n_k * d
    return {"additive": {"multiply_adds": num_hiddens * (n_q * d + n_k * d + n_q * n_k) + mixing,
                         "parameters": num_hiddens * (2 * d + 1)},
            "dot_product": {"multiply_adds": d * n_q * n_k + mixing, "parameters": 0}}
# %% mistake="more counted than the scores" style="with the scale"
def scoring_cost(n_q, n_k, d, num_hiddens):
    return {"additive": {"multiply_adds": num_hiddens * (n_q * d + n_k * d + n_q * n_k),
                         "parameters": num_hiddens * (2 * d + 1)},
            "dot_product": {"multiply_adds": d * n_q * n_k + n_q * n_k, "parameters": 0}}
# %% unlisted="multiplications and additions counted apart"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"additive": {"multiply_adds": 2 * ((n_q + n_k) * d * h + n_q * n_k * h), "parameters": 2 * d * h + h},
            "dot_product": {"multiply_adds": 2 * n_q * n_k * d, "parameters": 0}}
# %% unlisted="a parameter for the scale"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"additive": {"multiply_adds": (n_q + n_k) * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
            "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 1}}
# %% unlisted="flat"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"additive": (n_q + n_k) * d * h + n_q * n_k * h, "dot_product": n_q * n_k * d}
# %% unlisted="floored shares of the work"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    additive = (n_q + n_k) * d * h // 2 * 2 + n_q * n_k * h
    return {"additive": {"multiply_adds": additive, "parameters": 2 * d * h + h},
            "dot_product": {"multiply_adds": n_q * n_k * d // 4 * 4, "parameters": 0}}
# %% [markdown]
# ## From the wild
# %% unlisted="orders of growth, every pair through all"
def scoring_cost(n_q, n_k, d, num_hiddens):
    """additive O(n_q n_k d h), dot product O(n_q n_k d)"""
    return {"additive": {"multiply_adds": n_q * n_k * d * num_hiddens, "parameters": 2 * d * num_hiddens + num_hiddens},
            "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}}
# %% mistake="biases counted that the layers do not have" style="summary of nn.Linear with its default"
def scoring_cost(n_q, n_k, d, num_hiddens):
    linear = lambda a, b: a * b + b
    return {"additive": {"multiply_adds": n_q * d * num_hiddens + n_k * d * num_hiddens + n_q * n_k * num_hiddens,
                         "parameters": linear(d, num_hiddens) * 2 + linear(num_hiddens, 1)},
            "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}}
# %% [markdown]
# ## Clumsy halves
# %% unlisted="w_v forgotten, and the projections for every pair" true="w_v left out of the count; projections counted for every pair"
def scoring_cost(n_q, n_k, d, num_hiddens):
    return {"additive": {"multiply_adds": n_q * n_k * 2 * d * num_hiddens, "parameters": 2 * d * num_hiddens},
            "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}}
