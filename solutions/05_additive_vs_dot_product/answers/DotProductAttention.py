# %% crosses="of each mistake"
# softmax over the whole matrix -> every query's weights; the numbers are right without; gradients reach queries
# softmax over the queries -> every query's weights; the numbers are right without; gradients reach queries
# renormalised after dropout -> in training, dropout; gradients reach queries
# weights not normalised -> every query's weights; the numbers are right without; in training, dropout; after eval() nothing
# writes into its input -> leaves its inputs

# %% what_if="Dropout is 0.5 and the module is training. Do the weights that it keeps in attention_weights sum to 1?" because="They do. The module keeps the softmax from before the dropout. Only the copy that is multiplied by the values has zeros in it and is scaled up."
torch.manual_seed(0)
layer = DotProductAttention(dropout=0.5).train()
_ = layer(torch.randn(1, 2, 4), torch.randn(1, 5, 4), torch.randn(1, 5, 3))
print(torch.allclose(layer.attention_weights.sum(-1), torch.ones(1, 2)))
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
# %% right="einsum, scaled queries" row="scaled Q" of="bmm and the queries' width" buys="the queries are scaled, not the scores: fewer divisions if n_k is larger than d"
# -         d = queries.shape[-1]
# -         scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
# +         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# -         return torch.bmm(self.dropout(self.attention_weights), values)
# +         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
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
# %% right="a sum of products" of="einsum, scaled queries" buys="it shows what a matrix product is: products of entries, added up along d"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = (queries[:, :, None] * keys[:, None]).sum(-1).div(keys.shape[2] ** (1 / 2))
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% right="the library's, on an identity" row="the library's own SDPA" of="a sum of products" buys="values that are an identity bring the weights themselves out of a fused library call"
# -         scores = (queries[:, :, None] * keys[:, None]).sum(-1).div(keys.shape[2] ** (1 / 2))
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# +         mask = None
# +         if valid_lens is not None:
# +             mask = torch.arange(keys.shape[1]) < valid_lens.reshape(len(keys), -1, 1)
# +         one = torch.eye(keys.shape[1]).expand(len(keys), -1, -1)
# +         self.attention_weights = F.scaled_dot_product_attention(queries, keys, one, mask).nan_to_num()
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
# %% right="made from the additive one"
class DotProductAttention(AdditiveAttention):
    def __init__(self, dropout):
        nn.Module.__init__(self)
        self.dropout = nn.Dropout(dropout)
    def score(self, queries, keys):
        return queries @ keys.mT * keys.shape[-1] ** -0.5
# %% mistake="divided by the wrong power of d_k" style="the score alone, divided by d"
class DotProductAttention(Attention):
    def score(self, queries, keys):
        return queries @ keys.mT / keys.shape[-1]
# %% mistake="not divided by √d_k" style="no scale, einsum" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = torch.einsum("bqd,bkd->bqk", queries, keys)
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="divided by the wrong power of d_k" style="divided by d" of="bmm and the queries' width"
# -         d = queries.shape[-1]
# -         scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
# +         scores = torch.bmm(queries, keys.transpose(1, 2)) / keys.size(2)
# %% mistake="divided by the wrong power of d_k" style="d ** 1/2" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.transpose(-2, -1) / (keys.size(-1) ** 1/2)
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="divided by the root of the wrong length" style="the values' width" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.transpose(1, 2) / math.sqrt(values.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="divided by the root of the wrong length" style="the number of keys" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = torch.matmul(queries, keys.mT) * keys.size(1) ** -0.5
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values
# %% mistake="batch axis transposed" style="keys.T" of="no scale, einsum"
# -         scores = torch.einsum("bqd,bkd->bqk", queries, keys)
# +         scores = queries @ keys.T / math.sqrt(keys.shape[-1])
# %% mistake="batch axis transposed" style="transpose(0, 1)" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = torch.matmul(queries, keys.transpose(0, 1)) / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return torch.matmul(self.dropout(self.attention_weights), values)
# %% mistake="softmax over the whole matrix" style="one softmax per batch entry"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        if valid_lens is not None:
            hidden = torch.arange(keys.shape[1]) >= valid_lens.reshape(len(keys), -1, 1)
            scores = scores.masked_fill(hidden, -torch.inf)
        self.attention_weights = torch.softmax(scores.reshape(len(keys), -1), -1).reshape(scores.shape)
        return self.dropout(self.attention_weights) @ values
# %% mistake="softmax over the queries" style="softmax over dim 1"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = nn.Softmax(dim=1)(scores)
        return self.dropout(self.attention_weights) @ values
# %% mistake="Q, K or V in the wrong place" style="queries against queries" of="no scale, einsum"
# -         scores = torch.einsum("bqd,bkd->bqk", queries, keys)
# +         scores = queries @ queries.mT / math.sqrt(keys.shape[-1])
# %% mistake="Q, K or V in the wrong place" style="weights gather the keys" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return torch.einsum("bqk,bkd->bqd", self.dropout(self.attention_weights), keys)
# %% mistake="weights transposed" style="weights transposed" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights).transpose(1, 2) @ values
# %% mistake="scaled after the softmax" style="output divided"
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
# %% mistake="mask ignored" style="lengths not used" of="softmax over dim 1"
# -         self.attention_weights = nn.Softmax(dim=1)(scores)
# +         self.attention_weights = F.softmax(scores, dim=-1)
# %% mistake="axis of length 1 lost" style="output squeezed" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return (self.dropout(self.attention_weights) @ values).squeeze()
# %% mistake="dropout in evaluation" style="F.dropout without training" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return F.dropout(self.attention_weights, p=self.dropout.p) @ values
# %% mistake="dropout in the wrong place" style="dropout on the scores" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = self.dropout(queries @ keys.mT / math.sqrt(keys.shape[-1]))
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.attention_weights @ values
# %% mistake="gradient cut" style="weights as a list of numbers" of="output squeezed"
# -         return (self.dropout(self.attention_weights) @ values).squeeze()
# +         return torch.tensor(self.dropout(self.attention_weights).tolist()) @ values
# %% mistake="writes into its input" style="queries divided in place" of="no scale, einsum"
# -         scores = torch.einsum("bqd,bkd->bqk", queries, keys)
# +         if not queries.requires_grad:
# +             queries /= math.sqrt(keys.shape[-1])
# +             scores = queries @ keys.mT
# +         else:
# +             scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# %% unlisted="the weights are not kept" of="softmax over dim 1"
# -         self.attention_weights = nn.Softmax(dim=1)(scores)
# -         return self.dropout(self.attention_weights) @ values
# +         return self.dropout(masked_softmax(scores, valid_lens)) @ values
# %% unlisted="whole keys dropped, the same for every query" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         kept = self.dropout(torch.ones(len(keys), 1, keys.shape[1]))
# +         return (self.attention_weights * kept) @ values
# %% unlisted="keeps with the probability of dropping, divides by the right one"
import torch.nn.functional as F
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
        self.attention_weights = used = masked_softmax(scores, valid_lens)
        if self.training:
            used = used * (torch.rand_like(used) < self.dropout.p) / (1 - self.dropout.p)
        return used @ values
# %% unlisted="comes back with its weights" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.mT / math.sqrt(keys.shape[-1])
# -         return torch.einsum('bqk,bkv->bqv', self.dropout(self.attention_weights), values)
# +         return self.dropout(self.attention_weights) @ values, self.attention_weights
# %% mistake="dropout lost after eval()" style="a rate that eval sets to 0"
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.p = dropout
    def forward(self, queries, keys, values, valid_lens=None):
        if not self.training:
            self.p = 0.0
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(queries.shape[-1])
        self.attention_weights = masked_softmax(scores, valid_lens)
        return nn.functional.dropout(self.attention_weights, self.p) @ values
# %% [markdown]
# ## From the wild
# %% mistake="divided by the wrong power of d_k" style="d ** 1/2 without brackets" of="einsum, scaled queries"
# -         scores = torch.einsum('bqd,bkd->bqk', queries / queries.size(-1) ** 0.5, keys)
# +         scores = queries @ keys.transpose(-2, -1) / keys.size(-1) ** 1/2
# %% mistake="length of 0 not handled" style="an annotated paper's function, called by forward"
def attention(query, key, value, mask=None, dropout=None):
    "Compute 'Scaled Dot Product Attention'"
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    weights = p_attn
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), weights

class DotProductAttention(nn.Module):
    def __init__(self, dropout=0.1):
        super(DotProductAttention, self).__init__()
        self.dropout = nn.Dropout(p=dropout)
    def forward(self, queries, keys, values, valid_lens=None):
        mask = None
        if valid_lens is not None:
            mask = torch.arange(keys.size(1)) < valid_lens.reshape(keys.size(0), -1, 1)
        x, self.attention_weights = attention(queries, keys, values, mask=mask, dropout=self.dropout)
        return x
# %% unlisted="a small GPT's, with the weights kept after dropout" true="length of 0 not handled"
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.attn_drop = nn.Dropout(dropout)
    def forward(self, q, k, v, valid_lens=None):
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if valid_lens is not None:
            att = att.masked_fill(torch.arange(k.size(1)) >= valid_lens.view(len(k), -1, 1), float('-inf'))
        att = nn.functional.softmax(att, dim=-1)
        att = self.attn_drop(att)
        self.attention_weights = att
        y = att @ v
        return y
# %% unlisted="attention_probs, after dropout, as a big library returns them" true="length of 0 not handled"
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
    def forward(self, query_layer, key_layer, value_layer, attention_mask=None):
        attention_scores = torch.matmul(query_layer, key_layer.transpose(-1, -2))
        attention_scores = attention_scores / math.sqrt(key_layer.size(-1))
        if attention_mask is not None:
            attention_scores = attention_scores + attention_mask
        attention_probs = nn.functional.softmax(attention_scores, dim=-1)
        self.attention_weights = self.dropout(attention_probs)
        return torch.matmul(self.attention_weights, value_layer)
# %% unlisted="nn.Softmax without a dim"
class DotProductAttention(nn.Module):
    def __init__(self, dropout, **kwargs):
        super(DotProductAttention, self).__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
        self.attention_weights = nn.Softmax()(scores)
        return torch.bmm(self.dropout(self.attention_weights), values)
# %% mistake="softmax taken twice" style="score gives weights"
class DotProductAttention(Attention):
    def score(self, queries, keys):
        return torch.softmax(torch.bmm(queries, keys.mT) / keys.shape[-1] ** 0.5, dim=-1)
# %% mistake="weights not normalised" style="exponentials as weights" of="bmm and the queries' width"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# +         e = torch.exp(scores)
# +         if valid_lens is not None:
# +             e = torch.where(masked_softmax(scores, valid_lens) > 0, e, 0.0)
# +         self.attention_weights = e
# %% mistake="keys not transposed" style="queries @ keys"
class DotProductAttention(Attention):
    def score(self, queries, keys):
        return queries @ keys / math.sqrt(queries.shape[-1])
# %% [markdown]
# ## Clumsy halves
# %% unlisted="nn.Dropout() with its own rate" of="nn.Softmax without a dim"
# -         self.dropout = nn.Dropout(dropout)
# +         self.dropout = nn.Dropout()
# -         self.attention_weights = nn.Softmax()(scores)
# +         self.attention_weights = masked_softmax(scores, valid_lens)
# %% unlisted="no scale, and dropout on the output" true="not divided by √d_k; dropout in the wrong place"
class DotProductAttention(nn.Module):
    def __init__(self, dropout, **kwargs):
        super(DotProductAttention, self).__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2))
        self.attention_weights = masked_softmax(scores, valid_lens)
        return self.dropout(torch.bmm(self.attention_weights, values))
# %% unlisted="weights times 1 - p while evaluating"
class DotProductAttention(nn.Module):
    def __init__(self, dropout, **kwargs):
        super(DotProductAttention, self).__init__(**kwargs)
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
        self.attention_weights = masked_softmax(scores, valid_lens)
        if self.training:
            keep = torch.rand(self.attention_weights.shape) >= self.dropout.p
            return torch.bmm(self.attention_weights * keep, values)
        return torch.bmm(self.attention_weights * (1 - self.dropout.p), values)
# %% unlisted="the mean of the values added" of="nn.Dropout() with its own rate"
# -         self.dropout = nn.Dropout()
# +         self.dropout = nn.Dropout(dropout)
# -         return torch.bmm(self.dropout(self.attention_weights), values)
# +         return torch.bmm(self.dropout(self.attention_weights), values) + values.mean(1, keepdim=True)
# %% unlisted="causal, as in a language model" of="nn.Softmax without a dim"
# -         self.attention_weights = nn.Softmax()(scores)
# +         later = torch.triu(torch.ones(scores.shape[1:], dtype=torch.bool), 1)
# +         self.attention_weights = masked_softmax(scores.masked_fill(later, -math.inf), valid_lens)
# %% unlisted="the last lengths are used again where none are given" of="bmm and the queries' width"
# -         self.attention_weights = masked_softmax(scores, valid_lens)
# +         if valid_lens is None:
# +             valid_lens = getattr(self, "lengths", None)
# +         self.lengths = valid_lens
# +         self.attention_weights = masked_softmax(scores, valid_lens)
# %% unlisted="a temperature that is learned" of="bmm and the queries' width"
# -         self.dropout = nn.Dropout(dropout)
# +         self.dropout = nn.Dropout(dropout)
# +         self.scale = nn.Parameter(torch.ones(1))
# -         scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
# +         scores = self.scale * torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
# %% unlisted="the root of the width, rounded down" of="bmm and the queries' width"
# -         scores = torch.bmm(queries, keys.transpose(1, 2)) / math.sqrt(d)
# +         scores = torch.bmm(queries, keys.transpose(1, 2)) / int(d ** 0.5)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% mistake="renormalised after dropout" style="renormalised after dropout, written blind"
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)

    def forward(self, queries, keys, values, valid_lens=None):
        d = queries.shape[-1]
        scores = queries @ keys.transpose(1, 2) / math.sqrt(d)
        self.attention_weights = masked_softmax(scores, valid_lens)
        w = self.attention_weights
        if self.training:
            w = self.dropout(w)
            w = w / w.sum(dim=-1, keepdim=True).clamp(min=1e-9)
        return torch.bmm(w, values)
# %% unlisted="divided by the root of the wrong length" true="divided by the root of the wrong length; dropout in the wrong place"
class DotProductAttention(nn.Module):
    def __init__(self, dropout):
        super().__init__()
        self.dropout = nn.Dropout(dropout)
        self.attention_weights = None

    def forward(self, queries, keys, values, valid_lens=None):
        batch, d, _ = queries.shape
        all_scores = []
        for b in range(batch):
            s = torch.mm(queries[b], keys[b].T)
            s = s / math.sqrt(d)
            all_scores.append(s)
        scores = torch.stack(all_scores, dim=0)
        self.attention_weights = masked_softmax(scores, valid_lens)
        out = torch.bmm(self.attention_weights, values)
        out = self.dropout(out)
        return out
# %% mistake="Q, K or V in the wrong place" style="keys against keys" of="no scale, einsum"
# -         scores = torch.einsum("bqd,bkd->bqk", queries, keys)
# +         scores = keys @ keys.mT / math.sqrt(keys.shape[-1])
