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
# %% mistake="projected pair by pair" style="projections for every pair"
def scoring_cost(n_q, n_k, d, num_hiddens):
    per_pair = 2 * d * num_hiddens + num_hiddens
    return {"additive": {"multiply_adds": n_q * n_k * per_pair, "parameters": per_pair},
            "dot_product": {"multiply_adds": n_q * n_k * d, "parameters": 0}}
# %% mistake="projections forgotten" style="only the sum and w_v"
def scoring_cost(n_q, n_k, d, num_hiddens):
    return {"additive": {"multiply_adds": num_hiddens * n_q * n_k, "parameters": num_hiddens * (2 * d + 1)},
            "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
# %% mistake="projections forgotten" style="the queries' projection alone"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"additive": {"multiply_adds": n_q * d * h + n_q * n_k * h, "parameters": 2 * d * h + h},
            "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
# %% mistake="w_v forgotten" style="the projections alone"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"additive": {"multiply_adds": n_q * d * h + n_k * d * h, "parameters": 2 * d * h},
            "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
# %% mistake="w_v forgotten" style="w_v has no parameters"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"additive": {"multiply_adds": n_q * d * h + n_k * d * h + h * n_q * n_k, "parameters": h * d * 2},
            "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
# %% mistake="one projection for both" style="one matrix"
def scoring_cost(n_q, n_k, d, num_hiddens):
    h = num_hiddens
    return {"additive": {"multiply_adds": (n_q + n_k) * d * h + n_q * n_k * h, "parameters": h * (d + 1)},
            "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
# %% mistake="biases counted" style="biases"
def scoring_cost(n_q, n_k, d, num_hiddens):
    W_q, W_k, w_v = nn.Linear(d, num_hiddens), nn.Linear(d, num_hiddens), nn.Linear(num_hiddens, 1)
    parameters = sum(p.numel() for layer in (W_q, W_k, w_v) for p in layer.parameters())
    return {"additive": {"multiply_adds": num_hiddens * (n_q * d + n_k * d + n_q * n_k), "parameters": parameters},
            "dot_product": {"multiply_adds": d * n_q * n_k, "parameters": 0}}
# %% mistake="more than the scores" style="with the product of weights and values"
def scoring_cost(n_q, n_k, d, num_hiddens):
    mixing = n_q * n_k * d
    return {"additive": {"multiply_adds": num_hiddens * (n_q * d + n_k * d + n_q * n_k) + mixing,
                         "parameters": num_hiddens * (2 * d + 1)},
            "dot_product": {"multiply_adds": d * n_q * n_k + mixing, "parameters": 0}}
# %% mistake="more than the scores" style="with the scale"
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
