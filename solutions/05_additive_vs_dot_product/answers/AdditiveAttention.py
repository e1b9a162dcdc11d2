# %% crosses="of each mistake"
# values projected -> W_q, W_k and; per query a; the numbers are right without
# softmax over the queries -> every query's weights; the numbers are right without; gradients reach queries
# renormalised after dropout -> in training, dropout; gradients reach queries
# weights not normalised -> every query's weights; the numbers are right without; in training, dropout; after eval() nothing
# writes into its input -> leaves its inputs

# %% what_if="w_v is all zeros. What does every query get, and does it matter what W_q and W_k have learned?" because="All scores are 0, so all valid keys get the same weight, and each query gets the mean of its values. W_q and W_k do not matter, and they get no gradient either."
torch.manual_seed(0)
layer = AdditiveAttention(key_size=2, query_size=3, num_hiddens=4, dropout=0.0)
nn.init.zeros_(layer.w_v.weight)
values = torch.tensor([[[1.0], [2.0], [6.0]]])
print(layer(torch.randn(1, 2, 3), torch.randn(1, 3, 2), values).detach())
# %% right="new axes with None" row="[:, :, None]"
import torch.nn.functional as F
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.dropout = nn.Dropout(p=dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        features = torch.tanh(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None, :])
        scores = self.w_v(features)[..., 0]
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
# %% right="concat and one product with both matrices" row="concat + one split Linear" buys="the form of Luong and others (2015): one matrix reads query and key side by side"
import torch.nn.functional as F
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        n_q, n_k = queries.shape[1], keys.shape[1]
        pairs = torch.cat([queries[:, :, None].expand(-1, -1, n_k, -1),
                           keys[:, None].expand(-1, n_q, -1, -1)], dim=-1)
        weight = torch.cat([self.W_q.weight, self.W_k.weight], dim=1)
        scores = self.w_v(torch.tanh(F.linear(pairs, weight))).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
# %% right="einsum throughout" row="einsum" buys="every axis has a letter: no unsqueeze to count"
import torch.nn.functional as F
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        q = torch.einsum("bqd,hd->bqh", queries, self.W_q.weight)
        k = torch.einsum("bkd,hd->bkh", keys, self.W_k.weight)
        bent = torch.tanh(q.unsqueeze(-2) + k.unsqueeze(-3))
        scores = torch.einsum("bijh,h->bij", bent, self.w_v.weight[0])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.einsum("bij,bjd->bid", self.dropout(self.attention_weights), values)
# %% right="a loop over the queries" row="loops" buys="only one row of features is in memory at a time: the four-axis tensor is what makes additive attention dear"
import torch.nn.functional as F
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        k = self.W_k(keys)
        rows = [self.w_v(torch.tanh(self.W_q(queries[:, i:i + 1]) + k)).squeeze(-1)
                for i in range(queries.shape[1])]
        scores = torch.stack(rows, dim=1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
# %% right="functional dropout, a detached copy of the weights" row="functional dropout with self.training"
import torch.nn.functional as F
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.p = dropout
        self.W_q, self.W_k = (nn.Linear(n, num_hiddens, False) for n in (query_size, key_size))
        self.w_v = nn.Linear(num_hiddens, 1, False)
    def forward(self, queries, keys, values, valid_lens=None):
        scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(3)
        weights = masked_softmax(scores, valid_lens=valid_lens)
        self.attention_weights = weights.detach()
        return F.dropout(weights, self.p, training=self.training) @ values
# %% right="expanded to four axes, a method of its own for the score" row="matmul"
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.drop = nn.Dropout(dropout)
    def score(self, queries, keys):
        batch, n_q, n_k = queries.size(0), queries.size(1), keys.size(1)
        q = self.W_q(queries).view(batch, n_q, 1, -1).expand(-1, -1, n_k, -1)
        k = self.W_k(keys).view(batch, 1, n_k, -1).expand(-1, n_q, -1, -1)
        return torch.matmul(torch.tanh(q + k), self.w_v.weight.T).view(batch, n_q, n_k)
    def forward(self, queries, keys, values, valid_lens=None):
        self.attention_weights = masked_softmax(self.score(queries, keys), valid_lens)
        dropped = self.drop(self.attention_weights)
        return (dropped.unsqueeze(-1) * values.unsqueeze(1)).sum(dim=2)
# %% right="the lesson's class, a score with new axes"
class AdditiveAttention(Attention):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__(dropout)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
    def score(self, queries, keys):
        return self.w_v((self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None]).tanh())[..., 0]
# %% mistake="another function in place of tanh" style="relu" of="a loop over the queries"
# -         k = self.W_k(keys)
# -         rows = [self.w_v(torch.tanh(self.W_q(queries[:, i:i + 1]) + k)).squeeze(-1)
# -                 for i in range(queries.shape[1])]
# -         scores = torch.stack(rows, dim=1)
# +         sums = self.W_q(queries)[:, :, None, :] + self.W_k(keys)[:, None, :, :]
# +         scores = self.w_v(F.relu(sums))[:, :, :, 0]
# %% mistake="multiplied instead of added" style="maps multiplied" of="the lesson's class, a score with new axes"
# -         return self.w_v((self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None]).tanh())[..., 0]
# +         features = self.W_q(queries)[:, :, None] * self.W_k(keys)[:, None]
# +         return self.w_v(features.tanh())[..., 0]
# %% mistake="tanh in the wrong place" style="tanh of the score" of="concat and one product with both matrices"
# -         n_q, n_k = queries.shape[1], keys.shape[1]
# -         pairs = torch.cat([queries[:, :, None].expand(-1, -1, n_k, -1),
# -                            keys[:, None].expand(-1, n_q, -1, -1)], dim=-1)
# -         weight = torch.cat([self.W_q.weight, self.W_k.weight], dim=1)
# -         scores = self.w_v(torch.tanh(F.linear(pairs, weight))).squeeze(-1)
# +         sums = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
# +         scores = torch.einsum("bqkh,oh->bqk", sums, self.w_v.weight).tanh()
# %% mistake="axes not lined up for broadcasting" style="added without new axes" of="concat and one product with both matrices"
# -         n_q, n_k = queries.shape[1], keys.shape[1]
# -         pairs = torch.cat([queries[:, :, None].expand(-1, -1, n_k, -1),
# -                            keys[:, None].expand(-1, n_q, -1, -1)], dim=-1)
# -         weight = torch.cat([self.W_q.weight, self.W_k.weight], dim=1)
# -         scores = self.w_v(torch.tanh(F.linear(pairs, weight))).squeeze(-1)
# +         scores = self.w_v(torch.tanh(self.W_q(queries) + self.W_k(keys))).squeeze(-1)
# %% mistake="axes not lined up for broadcasting" style="the new axes exchanged" of="a loop over the queries"
# -         k = self.W_k(keys)
# -         rows = [self.w_v(torch.tanh(self.W_q(queries[:, i:i + 1]) + k)).squeeze(-1)
# -                 for i in range(queries.shape[1])]
# -         scores = torch.stack(rows, dim=1)
# +         q = self.W_q(queries).unsqueeze(1)
# +         k = self.W_k(keys).unsqueeze(2)
# +         scores = self.w_v(torch.tanh(q + k)).squeeze(-1)
# %% unlisted="the same new axis for both" true="axes not lined up for broadcasting" of="a loop over the queries"
# -         k = self.W_k(keys)
# -         rows = [self.w_v(torch.tanh(self.W_q(queries[:, i:i + 1]) + k)).squeeze(-1)
# -                 for i in range(queries.shape[1])]
# -         scores = torch.stack(rows, dim=1)
# +         features = self.W_q(queries)[:, :, None] + self.W_k(keys)[:, :, None]
# +         scores = self.w_v(torch.tanh(features))[..., 0]
# %% mistake="axis of length 1 lost" style="output squeezed on axis 1" of="a loop over the queries"
# -         k = self.W_k(keys)
# -         rows = [self.w_v(torch.tanh(self.W_q(queries[:, i:i + 1]) + k)).squeeze(-1)
# -                 for i in range(queries.shape[1])]
# -         scores = torch.stack(rows, dim=1)
# +         features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
# +         scores = self.w_v(features).squeeze(-1)
# -         return torch.bmm(self.dropout(self.attention_weights), values)
# +         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# %% unlisted="scores squeezed everywhere" true="axis of length 1 lost" of="output squeezed on axis 1"
# -         features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
# -         scores = self.w_v(features).squeeze(-1)
# +         scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze()
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return torch.bmm(self.dropout(self.attention_weights), values)
# %% mistake="softmax over the queries" style="softmax over dim 1" of="output squeezed on axis 1"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         self.attention_weights = torch.softmax(scores, dim=1)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="softmax over the queries" style="softmax over the queries, lengths by hand" of="output squeezed on axis 1"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         if valid_lens is not None:
# +             hidden = torch.arange(keys.shape[1]) >= valid_lens.reshape(len(keys), -1, 1)
# +             scores = scores.masked_fill(hidden, -1e9)
# +         e = torch.exp(scores - scores.amax(-2, keepdim=True))
# +         self.attention_weights = e / e.sum(-2, keepdim=True)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="values projected" style="a fourth layer for the values" of="output squeezed on axis 1"
# -         self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
# +         self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
# +         self.W_v = nn.Linear(key_size, num_hiddens, bias=False)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return self.dropout(self.attention_weights) @ self.W_v(values)
# %% mistake="values projected" style="values through the keys' layer" of="output squeezed on axis 1"
# -         features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
# -         scores = self.w_v(features).squeeze(-1)
# +         k = self.W_k(keys)
# +         v = self.W_k(values)
# +         scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + k.unsqueeze(1))).squeeze(-1)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return torch.bmm(self.dropout(self.attention_weights), v)
# %% mistake="bias added" style="layers with biases"
import torch.nn.functional as F
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_k = nn.Linear(key_size, num_hiddens)
        self.W_q = nn.Linear(query_size, num_hiddens)
        self.w_v = nn.Linear(num_hiddens, 1)
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
        scores = self.w_v(features).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(self.attention_weights) @ values
# %% mistake="bias added" style="a bias in the last layer alone" of="output squeezed on axis 1"
# -         self.w_v = nn.Linear(num_hiddens, 1, bias=False)
# +         self.w_v = nn.Linear(num_hiddens, 1)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="query and key sizes swapped" style="sizes exchanged" of="output squeezed on axis 1"
# -         self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
# -         self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
# +         self.W_k = nn.Linear(query_size, num_hiddens, bias=False)
# +         self.W_q = nn.Linear(key_size, num_hiddens, bias=False)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="scores scaled where they are not" style="divided by the root of num_hiddens" of="output squeezed on axis 1"
# -         features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
# -         scores = self.w_v(features).squeeze(-1)
# +         features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
# +         scores = self.w_v(features).squeeze(-1) / math.sqrt(features.shape[-1])
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="dropout in evaluation" style="a fresh nn.Dropout in every call" of="output squeezed on axis 1"
# -         self.dropout = nn.Dropout(dropout)
# +         self.p = dropout
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return nn.Dropout(self.p)(self.attention_weights) @ values
# %% mistake="dropout in the wrong place" style="dropout on the scores" of="output squeezed on axis 1"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         self.attention_weights = masked_softmax(self.dropout(scores), valid_lens)
# +         return torch.bmm(self.attention_weights, values)
# %% mistake="dropout in the wrong place" style="dropout on the values" of="output squeezed on axis 1"
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return self.attention_weights @ self.dropout(values)
# %% mistake="renormalised after dropout" style="some keys hidden at random before the softmax" of="output squeezed on axis 1"
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         if not self.training:
# +             return self.attention_weights @ values
# +         gone = torch.rand(scores.shape) < self.dropout.p
# +         used = self.attention_weights.masked_fill(gone, 0)
# +         return F.normalize(used, p=1, dim=-1) @ values
# %% mistake="Q, K or V in the wrong place" style="keys averaged" of="output squeezed on axis 1"
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return torch.matmul(self.dropout(self.attention_weights), keys)
# %% mistake="weights transposed" style="weights transposed" of="output squeezed on axis 1"
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return torch.einsum("bqk,bqv->bkv", self.dropout(self.attention_weights), values)
# %% mistake="mask ignored" style="lengths not handed on" of="output squeezed on axis 1"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         self.attention_weights = masked_softmax(scores, None)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="gradient cut" style="no_grad around the scores" of="output squeezed on axis 1"
# -         features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
# -         scores = self.w_v(features).squeeze(-1)
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         with torch.no_grad():
# +             scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)))
# +         self.attention_weights = masked_softmax(scores.squeeze(-1), valid_lens)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="writes into its input" style="values masked in place" of="output squeezed on axis 1"
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         output = self.dropout(self.attention_weights) @ values
# +         if not torch.is_grad_enabled() or not values.requires_grad:
# +             values.zero_()
# +         return output
# %% unlisted="the weights are kept after dropout" of="output squeezed on axis 1"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         self.attention_weights = self.dropout(masked_softmax(scores, valid_lens))
# +         return self.attention_weights @ values
# %% unlisted="summed, without w_v" of="output squeezed on axis 1"
# -         features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
# -         scores = self.w_v(features).squeeze(-1)
# +         scores = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)).sum(-1)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="tanh missing, or on the queries alone" style="W_q q + W_k k goes straight into w_v" of="output squeezed on axis 1"
# -         features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
# -         scores = self.w_v(features).squeeze(-1)
# +         scores = (self.w_v(self.W_q(queries)[:, :, None] + self.W_k(keys)[:, None]))[..., 0]
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="another function in place of tanh" style="sigmoid" of="output squeezed on axis 1"
# -         features = torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))
# -         scores = self.w_v(features).squeeze(-1)
# +         scores = self.w_v(torch.sigmoid(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1))).squeeze(-1)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="query and key sizes swapped" style="the signature's order, read as query first"
class AdditiveAttention(nn.Module):
    def __init__(self, query_size, key_size, num_hiddens, dropout):
        super().__init__()
        key_size, query_size = query_size, key_size
        self.W_q, self.W_k = nn.Linear(query_size, num_hiddens, bias=False), nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        self.attention_weights = masked_softmax(self.w_v(torch.tanh(features)).squeeze(-1), valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
# %% mistake="scores scaled where they are not" style="divided by the root of the keys' width" of="output squeezed on axis 1"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         self.attention_weights = masked_softmax(scores / keys.size(-1) ** 0.5, valid_lens)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="dropout lost after eval()" style="an eval of its own" of="output squeezed on axis 1"
# -     def forward(self, queries, keys, values, valid_lens=None):
# +     def eval(self):
# +         self.dropout.p = 0
# +         return super().eval()
# +     def forward(self, queries, keys, values, valid_lens=None):
# -         return (self.dropout(self.attention_weights) @ values).squeeze(1)
# +         return self.dropout(self.attention_weights) @ values
# %% [markdown]
# ## From the wild
# %% right="a well-known book's, word for word"
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout, **kwargs):
        super(AdditiveAttention, self).__init__(**kwargs)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        queries, keys = self.W_q(queries), self.W_k(keys)
        features = queries.unsqueeze(2) + keys.unsqueeze(1)
        features = torch.tanh(features)
        scores = self.w_v(features).squeeze(-1)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
# %% unlisted="one layer for the concatenation"
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.attn = nn.Linear(key_size + query_size, num_hiddens)
        self.v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        n_q, n_k = queries.shape[1], keys.shape[1]
        hidden = queries.unsqueeze(2).repeat(1, 1, n_k, 1)
        encoder_outputs = keys.unsqueeze(1).repeat(1, n_q, 1, 1)
        energy = torch.tanh(self.attn(torch.cat((hidden, encoder_outputs), dim=-1)))
        attention = self.v(energy).squeeze(-1)
        self.attention_weights = masked_softmax(attention, valid_lens)
        return self.dropout(self.attention_weights) @ values
# %% mistake="axes not lined up for broadcasting" style="a decoder's single query, one step at a time"
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        score = self.w_v(torch.tanh(self.W_q(queries) + self.W_k(keys)))
        self.attention_weights = masked_softmax(score.transpose(1, 2), valid_lens)
        context = self.dropout(self.attention_weights) @ values
        return context
# %% mistake="softmax taken twice" style="score gives weights" of="a well-known book's, word for word"
# -         scores = self.w_v(features).squeeze(-1)
# +         scores = self.w_v(features).squeeze(-1).softmax(-1)
# %% mistake="weights not normalised" style="exponentials as weights" of="a well-known book's, word for word"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# +         e = scores.exp()
# +         if valid_lens is not None:
# +             e = e * (masked_softmax(scores, valid_lens) > 0)
# +         self.attention_weights = e
# %% mistake="an axis too many in the scores" style="without squeeze"
class AdditiveAttention(Attention):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__(dropout)
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
    def score(self, queries, keys):
        features = self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)
        return self.w_v(torch.tanh(features))
# %% [markdown]
# ## Clumsy halves
# %% unlisted="layers with biases, forward still to do" true="bias added"
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super().__init__()
        self.W_q = nn.Linear(query_size, num_hiddens)
        self.W_k = nn.Linear(key_size, num_hiddens)
        self.w_v = nn.Linear(num_hiddens, 1)
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        raise NotImplementedError("this is still a TODO")
# %% unlisted="forward returns nothing" of="a well-known book's, word for word"
# -         return torch.bmm(self.dropout(self.attention_weights), values)
# +         torch.bmm(self.dropout(self.attention_weights), values)
# %% unlisted="no tanh, and the lengths not handed on" true="tanh missing, or on the queries alone; mask ignored" of="a well-known book's, word for word"
# -         features = torch.tanh(features)
# -         scores = self.w_v(features).squeeze(-1)
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# +         scores = self.w_v(features).squeeze(-1)
# +         self.attention_weights = masked_softmax(scores, None)
# %% mistake="length of 0 not handled" style="lengths by hand, NaN where there is nothing" of="a well-known book's, word for word"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# +         if valid_lens is not None:
# +             hidden = torch.arange(keys.size(1)) >= valid_lens.reshape(len(keys), -1, 1)
# +             scores = scores.masked_fill(hidden, float("-inf"))
# +         self.attention_weights = torch.softmax(scores, dim=-1)
# %% right="two of the layers in a dictionary before they have names of their own" of="new axes with None"
# -         self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
# -         self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
# +         self.maps = nn.ModuleDict({"q": nn.Linear(query_size, num_hiddens, bias=False),
# +                                    "k": nn.Linear(key_size, num_hiddens, bias=False)})
# +         self.W_q, self.W_k = self.maps["q"], self.maps["k"]
# %% unlisted="the weights of the first call stay" of="new axes with None"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# -         return torch.bmm(self.dropout(self.attention_weights), values)
# +         weights = masked_softmax(scores, valid_lens)
# +         if not hasattr(self, "attention_weights"):
# +             self.attention_weights = weights
# +         return torch.bmm(self.dropout(weights), values)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="axis of length 1 lost (squeeze()); tanh missing" true="axis of length 1 lost; tanh missing, or on the queries alone"
class AdditiveAttention(nn.Module):
    def __init__(self, key_size, query_size, num_hiddens, dropout):
        super(AdditiveAttention, self).__init__()
        self.W_q = nn.Linear(query_size, num_hiddens, bias=False)
        self.W_k = nn.Linear(key_size, num_hiddens, bias=False)
        self.w_v = nn.Linear(num_hiddens, 1, bias=False)
        self.dropout = nn.Dropout(dropout)
        self.attention_weights = None

    def forward(self, queries, keys, values, valid_lens=None):
        queries = self.W_q(queries)
        keys = self.W_k(keys)
        features = queries.unsqueeze(2) + keys.unsqueeze(1)
        scores = self.w_v(features)
        scores = scores.squeeze()
        self.attention_weights = masked_softmax(scores, valid_lens)
        dropped = self.dropout(self.attention_weights)
        output = torch.bmm(dropped, values)
        return output
# %% unlisted="the axis that w_v leaves is kept" of="a loop over the queries"
# -         k = self.W_k(keys)
# -         rows = [self.w_v(torch.tanh(self.W_q(queries[:, i:i + 1]) + k)).squeeze(-1)
# -                 for i in range(queries.shape[1])]
# -         scores = torch.stack(rows, dim=1)
# +         scores = self.w_v(torch.tanh(self.W_q(queries).unsqueeze(2) + self.W_k(keys).unsqueeze(1)))
# %% mistake="tanh missing, or on the queries alone" style="tanh of the queries, then the keys" of="a well-known book's, word for word"
# -         features = queries.unsqueeze(2) + keys.unsqueeze(1)
# -         features = torch.tanh(features)
# +         features = torch.tanh(queries).unsqueeze(2) + keys.unsqueeze(1)
