# %% crosses="of each mistake"
# projections counted for every pair -> the additive score's multiply-adds
# a projection left out of the count -> the additive score's multiply-adds
# w_v left out of the count -> the additive score's parameters; the additive score's multiply-adds
# one projection counted for queries and keys -> the additive score's parameters
# biases counted that the layers do not have -> the additive score's parameters
# more counted than the scores -> the dot product's multiply-adds; the additive score's multiply-adds

# %% right="h factored out"
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
# %% right="parameters counted on a real module"
def scoring_cost(n_q, n_k, d, num_hiddens):
    attention = AdditiveAttention(d, d, num_hiddens, 0.0)
    project = sum(n * d * num_hiddens for n in (n_q, n_k))
    return {
        "additive": {
            "multiply_adds": project + n_q * n_k * num_hiddens,
            "parameters": sum(p.numel() for p in attention.parameters()),
        },
        "dot_product": {
            "multiply_adds": n_q * d * n_k,
            "parameters": len(list(DotProductAttention(0.0).parameters())),
        },
    }
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
# %% mistake="biases counted that the layers do not have" style="biases"
def scoring_cost(n_q, n_k, d, num_hiddens):
    W_q, W_k, w_v = nn.Linear(d, num_hiddens), nn.Linear(d, num_hiddens), nn.Linear(num_hiddens, 1)
    parameters = sum(p.numel() for layer in (W_q, W_k, w_v) for p in layer.parameters())
    return {"additive": {"multiply_adds": num_hiddens * (n_q * d + n_k * d + n_q * n_k), "parameters": parameters},
            "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
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
# %% unlisted="the dot product's half alone"
def scoring_cost(n_q, n_k, d, num_hiddens):
    return {"dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}}
# %% unlisted="multiply_add without its s"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"additive": {"multiply_add": (n_q + n_k) * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
            "dot_product": {"multiply_add": n_q * n_k * d, "parameters": 0}}
# %% unlisted="printed"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    print({"additive": {"multiply_adds": (n_q + n_k) * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
           "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}})
# %% unlisted="the table's numbers"
def scoring_cost(n_q, n_k, d, num_hiddens):
    return {"additive": {"multiply_adds": 130, "parameters": 45},
            "dot_product": {"multiply_adds": 24, "parameters": 0}}
# %% unlisted="additive not counted yet"
def scoring_cost(n_q, n_k, d, num_hiddens):
    return {"additive": {"multiply_adds": ..., "parameters": ...},
            "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}}
# %% unlisted="w_v forgotten, and the projections for every pair" true="w_v left out of the count; projections counted for every pair"
def scoring_cost(n_q, n_k, d, num_hiddens):
    return {"additive": {"multiply_adds": n_q * n_k * 2 * d * num_hiddens, "parameters": 2 * d * num_hiddens},
            "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}}
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="numel of shapes and a nested dictionary comprehension"
from math import prod

def scoring_cost(n_q, n_k, d, num_hiddens):
    matmuls = {
        "additive": [(n_q, d, num_hiddens), (n_k, d, num_hiddens), (n_q, n_k, num_hiddens, 1)],
        "dot_product": [(n_q, d, n_k)],
    }
    matrices = {"additive": [(d, num_hiddens)] * 2 + [(num_hiddens, 1)], "dot_product": []}
    return {how: {"multiply_adds": sum(map(prod, matmuls[how])), "parameters": sum(map(prod, matrices[how]))}
            for how in matmuls}
# %% mistake="biases counted that the layers do not have" style="bias added (counts the biases of the three linear layers), written blind"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    linear = lambda n_in, n_out: n_in * n_out + n_out
    additive = {"multiply_adds": h * (n_q * d + n_k * d + n_q * n_k),
                "parameters": linear(d, h) + linear(d, h) + linear(h, 1)}
    dot = {"multiply_adds": n_q * n_k * d, "parameters": 0}
    return {"additive": additive, "dot_product": dot}
# %% right="fills the dictionary step by step"
def scoring_cost(n_q, n_k, d, num_hiddens):
    answer = {}
    answer["additive"] = {}
    answer["dot_product"] = {}
    cost = 0
    for i in range(n_q):
        cost = cost + d * num_hiddens
    for j in range(n_k):
        cost = cost + d * num_hiddens
    for i in range(n_q):
        cost = cost + n_k * num_hiddens
    answer["additive"]["multiply_adds"] = cost
    answer["additive"]["parameters"] = d * num_hiddens + d * num_hiddens + num_hiddens
    cost = 0
    for i in range(n_q):
        cost = cost + n_k * d
    answer["dot_product"]["multiply_adds"] = cost
    answer["dot_product"]["parameters"] = 0
    return answer
# %% unlisted="projections done anew for every pair; parameters of one projection only" true="projections counted for every pair; one projection counted for queries and keys"
def scoring_cost(n_q, n_k, d, num_hiddens):
    pairs = n_q * n_k
    one_query_projection = d * num_hiddens
    one_key_projection = d * num_hiddens
    one_score = num_hiddens
    per_pair = one_query_projection + one_key_projection + one_score
    a = dict(multiply_adds=pairs * per_pair, parameters=d * num_hiddens + num_hiddens)
    b = dict(multiply_adds=pairs * d, parameters=0)
    result = dict(additive=a, dot_product=b)
    return result
