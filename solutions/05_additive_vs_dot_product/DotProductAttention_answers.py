# %% right="bmm and the queries' width" row="bmm"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.bmm(self.dropout(self.attention_weights), values)
# %% right="einsum, scaled queries" row="scaled Q"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
        self.attention_weights = masked_softmax(scores, valid_lens)
        return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# %% right="a quarter power on both sides, .mT" row="d^−¼ on both sides" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         d = keys.shape[-1]
# +         scores = (queries * d ** -0.25) @ (keys * d ** -0.25).mT
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% right="baddbmm" row="baddbmm" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = torch.baddbmm(torch.zeros(1), queries, keys.permute(0, 2, 1), beta=0,
# +                                alpha=keys.shape[-1] ** -0.5)
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% right="a sum of products" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = (queries[:, :, None] * keys[:, None]).sum(-1).div(keys.shape[2] ** (1 / 2))
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% right="the library's, on an identity" row="the library's own SDPA"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        mask = None
        if valid_lens is not None:
            mask = torch.arange(keys.shape[1]) < valid_lens.reshape(len(keys), -1, 1)
        one = torch.eye(keys.shape[1]).expand(len(keys), -1, -1)
        self.attention_weights = F.scaled_dot_product_attention(queries, keys, one, mask).nan_to_num()
        return self.dropout(self.attention_weights) @ values
# %% right="functional dropout, batch entries in a loop" row="loops"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.rate = dropout
    def forward(self, queries, keys, values, valid_lens=None):
        outputs, kept = [], []
        for b in range(queries.shape[0]):
            lens = None if valid_lens is None else valid_lens[b:b + 1]
            scores = (queries[b] @ keys[b].T / keys.shape[-1] ** 0.5).unsqueeze(0)
            w = masked_softmax(scores, lens)
            kept.append(w)
            outputs.append(F.dropout(w, p=self.rate, training=self.training) @ values[b])
        self.attention_weights = torch.cat(kept)
        return torch.cat(outputs)
# %% mistake="no scale" style="no scale" of="bmm and the queries' width"
# -         d = queries.shape[-1]
# -         scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# +         self.attention_weights = masked_softmax(torch.bmm(queries, keys.mT), valid_lens)
# %% mistake="no scale" style="no scale, einsum" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = torch.einsum("bqd,bkd->bqk", queries, keys)
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="wrong power" style="divided by d" of="bmm and the queries' width"
# -         d = queries.shape[-1]
# -         scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
# +         scores = torch.bmm(queries, keys.transpose(1, 2)) / keys.size(2)
# %% mistake="wrong power" style="d ** 1/2" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.transpose(-2, -1) / (keys.size(-1) ** 1/2)
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="wrong length" style="the values' width" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.transpose(1, 2) / math.sqrt(values.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="wrong length" style="the number of keys" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = torch.matmul(queries, keys.mT) * keys.size(1) ** -0.5
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="scaled after softmax" style="weights divided"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
        return self.dropout(self.attention_weights) @ values
# %% mistake="transposed the batch" style="keys.T" of="weights divided"
# -         self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
# +         scores = queries @ keys.T / math.sqrt(keys.shape[-1])
# +         self.attention_weights = masked_softmax(scores, valid_lens)
# %% mistake="transposed the batch" style="transpose(0, 1)" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = torch.matmul(queries, keys.transpose(0, 1)) / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return torch.matmul(self.dropout(self.attention_weights), values)
# %% mistake="whole matrix" style="one softmax per batch entry" of="weights divided"
# -         self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# +         if valid_lens is not None:
# +             hidden = torch.arange(keys.shape[1]) >= valid_lens.reshape(len(keys), -1, 1)
# +             scores = scores.masked_fill(hidden, -torch.inf)
# +         self.attention_weights = torch.softmax(scores.reshape(len(keys), -1), -1).reshape(scores.shape)
# %% mistake="softmax over queries" style="softmax over dim 1" of="weights divided"
# -         self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# +         self.attention_weights = nn.Softmax(dim=1)(scores)
# %% mistake="wrong partner" style="queries against queries" of="weights divided"
# -         self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
# +         scores = queries @ queries.mT / math.sqrt(keys.shape[-1])
# +         self.attention_weights = masked_softmax(scores, valid_lens)
# %% mistake="wrong partner" style="weights gather the keys" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return torch.einsum("bqk,bkd->bqd", self.dropout(self.attention_weights), keys)
# %% mistake="weights transposed" style="weights transposed" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights).transpose(1, 2) @ values
# %% mistake="scaled after softmax" style="output divided"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        self.attention_weights = torch.softmax(queries @ keys.mT, -1) * keys.size(-1) ** -0.5
        if valid_lens is not None:
            self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) * keys.size(-1) ** -0.5
        return torch.bmm(self.dropout(self.attention_weights), values)
# %% mistake="mask ignored" style="lengths not used" of="weights divided"
# -         self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# +         self.attention_weights = F.softmax(scores, dim=-1)
# %% mistake="squeezed too much" style="output squeezed" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return (self.dropout(self.attention_weights) @ values).squeeze()
# %% mistake="dropout in evaluation" style="F.dropout without training" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return F.dropout(self.attention_weights, p=self.dropout.p) @ values
# %% mistake="dropout in evaluation" style="training by name, so that eval() never reaches it"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout
    def forward(self, queries, keys, values, valid_lens=None):
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return F.dropout(self.attention_weights, self.p, True) @ values
# %% mistake="dropout elsewhere" style="dropout on the scores" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = self.dropout(queries @ keys.mT / math.sqrt(keys.shape[-1]))
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.attention_weights @ values
# %% mistake="dropout elsewhere" style="dropout on the scores, weights kept without it" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return masked_softmax(self.dropout(scores), valid_lens) @ values
# %% mistake="dropout elsewhere" style="dropout on the output" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights @ values)
# %% mistake="renormalised after dropout" style="divided again after dropout" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         w = self.dropout(self.attention_weights)
# +         return (w / (w.sum(dim=2, keepdim=True) + 1e-12)) @ values
# %% mistake="gradient cut" style="weights as a list of numbers" of="training by name, so that eval() never reaches it"
# -         self.p = dropout
# +         self.dropout = nn.Identity()
# -         return F.dropout(self.attention_weights, self.p, True) @ values
# +         return torch.tensor(self.attention_weights.tolist()) @ values
# %% mistake="gradient cut" style="keys detached" of="weights divided"
# -         self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
# +         scores = queries @ keys.detach().mT / math.sqrt(keys.shape[-1])
# +         self.attention_weights = masked_softmax(scores, valid_lens)
# %% mistake="writes into its input" style="queries divided in place" of="weights divided"
# -         self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
# +         if not queries.requires_grad:
# +             queries /= math.sqrt(keys.shape[-1])
# +             scores = queries @ keys.mT
# +         else:
# +             scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# +         self.attention_weights = masked_softmax(scores, valid_lens)
# %% unlisted="nothing is dropped" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.attention_weights @ values
# %% unlisted="dropped without the factor"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        used = self.attention_weights
        if self.training:
            used = used * (torch.rand_like(used) > self.dropout.p)
        return used @ values
# %% unlisted="keeps with the probability of dropping" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return F.dropout(self.attention_weights, 1 - self.dropout.p, self.training) @ values
# %% unlisted="the weights are not kept" of="weights divided"
# -         self.attention_weights = masked_softmax(queries @ keys.mT, valid_lens) / math.sqrt(keys.shape[-1])
# -         return self.dropout(self.attention_weights) @ values
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# +         return self.dropout(masked_softmax(scores, valid_lens)) @ values
# %% unlisted="whole keys dropped, the same for every query" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         kept = self.dropout(torch.ones(len(keys), 1, keys.shape[1]))
# +         return (self.attention_weights * kept) @ values
# %% unlisted="keeps with the probability of dropping, divides by the right one" of="dropped without the factor"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# -         used = self.attention_weights
# +         self.attention_weights = used = masked_softmax(scores, valid_lens)
# -             used = used * (torch.rand_like(used) > self.dropout.p)
# +             used = used * (torch.rand_like(used) < self.dropout.p) / (1 - self.dropout.p)
# %% unlisted="one dropout mask for the whole batch" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         kept = self.dropout(torch.ones(scores.shape[1:]))
# +         return (self.attention_weights * kept) @ values
# %% unlisted="Dropout1d, which takes whole queries away" of="training by name, so that eval() never reaches it"
# -         self.p = dropout
# +         self.dropout = nn.Dropout1d(dropout)
# -         return F.dropout(self.attention_weights, self.p, True) @ values
# +         return self.dropout(self.attention_weights) @ values
# %% unlisted="comes back with its weights" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values, self.attention_weights
# %% unlisted="a function instead of a class"
def DotProductAttention(queries, keys, values, valid_lens=None):
    return masked_softmax(queries @ keys.mT / math.sqrt(keys.shape[-1]), valid_lens) @ values
