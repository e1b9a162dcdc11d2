# %% crosses="of each mistake"
# view instead of transpose -> self-attention: shapes, output
# transpose missing -> self-attention: shapes, output
# merged without a transpose -> self-attention: shapes, output
# split and merge both without a transpose -> self-attention: shapes, output
# divided by √d_model instead of √d_k -> d_k is the; self-attention: shapes, output
# not divided by √d_k -> self-attention: shapes, output
# divided by the wrong power of d_k -> self-attention: shapes, output
# divided by the root of the wrong length -> self-attention: shapes, output
# scaled after the softmax -> self-attention: shapes, output
# one projection for Q, K and V -> parameters: four matrices; self-attention: shapes, output
# one projection for two inputs -> self-attention: shapes, output
# W_o missing -> parameters: four matrices; self-attention: shapes, output
# bias added -> parameters: four matrices
# the library's own module handed in -> parameters: four matrices
# n_q used for the keys ->
# mask broadcast against the heads -> a 3-D mask; a query with
# mask's axis for the heads in the wrong place -> a 2-D or 4-D mask; a 3-D mask; a query with
# Q, K or V in the wrong place -> self-attention: shapes, output; cross-attention: more or; a 2-D or 4-D mask
# weights transposed -> self-attention: shapes, output
# softmax over the heads -> self-attention: shapes, output; a query with
# gradient cut -> gradients reach inputs
# overwrites what the gradient needs ->
# axis of length 1 lost -> self-attention: shapes, output; cross-attention: more or
# batch axis transposed -> self-attention: shapes, output
# writes into its input -> all inputs stay
# mask inverted -> a 2-D or 4-D mask; a query with
# mask ignored -> a 2-D or 4-D mask; a query with
# masked after the softmax -> a 2-D or 4-D mask; a 3-D mask; right however high; a query with
# no shift by the maximum -> self-attention: shapes, output; right however high; a query with; gradients reach inputs
# masked score not low enough -> a 2-D or 4-D mask; right however high; a query with
# zero times infinity -> a 2-D or 4-D mask; a query with
# mask transposed -> a 2-D or 4-D mask; a query with
# row with nothing to look at -> a query with
# softmax over the queries -> self-attention: shapes, output; a query with
# softmax over the whole matrix -> self-attention: shapes, output
# mask added as a number -> a 2-D or 4-D mask; a query
# large scores cut to a limit -> right however; gradients reach inputs
# one hidden key empties the row -> a 2-D or 4-D mask; a 3-D mask; right however high; a query with; the other queries
# %% what_if="The two heads are exchanged: their rows in W_q, W_k, W_v and their columns in W_o. Does the output change?" because="No. W_o adds up the outputs of all heads, and a sum does not depend on the order. Only the heatmaps change places."
torch.manual_seed(0)
layer, x = MultiHeadAttention(4, 2), torch.randn(1, 3, 4)
before = layer(x, x, x)
with torch.no_grad():
    for W in (layer.W_q, layer.W_k, layer.W_v):
        W.weight.copy_(W.weight[[2, 3, 0, 1]])
    layer.W_o.weight.copy_(layer.W_o.weight[:, [2, 3, 0, 1]])
print(torch.allclose(before, layer(x, x, x), atol=1e-6))
# %% right="fused projections" row="fused QKV"
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features, {num_heads} heads")
        self.h, self.d_k = num_heads, d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
    def forward(self, queries, keys, values, mask=None):
        batch, n_q, n_k = len(queries), queries.shape[1], keys.shape[1]
        if queries is keys and keys is values:
            fused = torch.cat([self.W_q.weight, self.W_k.weight, self.W_v.weight])
            q, k, v = F.linear(queries, fused).chunk(3, dim=-1)
        else:
            q, k, v = self.W_q(queries), self.W_k(keys), self.W_v(values)
        q = q.view(batch, n_q, self.h, self.d_k).transpose(1, 2)
        k = k.view(batch, n_k, self.h, self.d_k).transpose(1, 2)
        v = v.view(batch, n_k, self.h, self.d_k).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / self.d_k ** 0.5
        if mask is not None:
            if mask.dim() == 2:
                mask = mask[None, None]
            elif mask.dim() == 3:
                mask = mask[:, None]
            scores = scores.masked_fill(~mask, float("-inf"))
        self.attention_weights = torch.nan_to_num(torch.softmax(scores, dim=-1))
        out = (self.attention_weights @ v).transpose(1, 2).contiguous().view(batch, n_q, -1)
        return self.W_o(out)
# %% right="head by head, a list, detached copies kept" row="per-head lists" buys="each head is ordinary attention on its own columns: this is what the other ways compute"
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features, {num_heads} heads")
        self.h, self.d_k = num_heads, d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
    def forward(self, queries, keys, values, mask=None):
        Q, K, V = self.W_q(queries), self.W_k(keys), self.W_v(values)
        results, kept = [], []
        for j in range(self.h):
            own = slice(j * self.d_k, (j + 1) * self.d_k)
            m = mask
            if mask is not None and mask.dim() == 4:
                m = mask[:, j if mask.shape[1] > 1 else 0]
            scores = torch.bmm(Q[..., own], K[..., own].mT) / math.sqrt(self.d_k)
            weights = masked_weights(scores, m)
            results.append(weights @ V[..., own])
            kept.append(weights.detach())
        self.attention_weights = torch.stack(kept, dim=1)
        return self.W_o(torch.cat(results, dim=-1))
# %% right="einsum throughout" row="einsum" buys="no head is split or merged: the letter h runs through all products"
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features, {num_heads} heads")
        self.h, self.d_k = num_heads, d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
    def forward(self, queries, keys, values, mask=None):
        parts = zip((queries, keys, values), (self.W_q, self.W_k, self.W_v))
        q, k, v = (torch.einsum("bnd,hed->bhne", x, W.weight.unflatten(0, (self.h, -1))) for x, W in parts)
        scores = torch.einsum("bhqd,bhkd->bhqk", q * self.d_k ** -0.5, k)
        if mask is None:
            mask = torch.ones(1, dtype=torch.bool)
        elif mask.ndim == 3:
            mask = mask[:, None]
        weights = torch.where(mask, scores, -torch.inf).softmax(-1)
        self.attention_weights = torch.where(mask, weights, 0.0)
        W_o = self.W_o.weight.unflatten(1, (self.h, -1))
        return torch.einsum("bhqk,bhkd,ohd->bqo", self.attention_weights, v, W_o)
# %% right="heads folded into the batch" row="folded batch" buys="three axes are enough, so that bmm, the plainest product, does all the work"
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features, {num_heads} heads")
        self.h, self.d_k = num_heads, d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
    def forward(self, queries, keys, values, mask=None):
        batch, n_q, n_k = len(queries), queries.shape[1], keys.shape[1]
        def fold(x):
            return x.reshape(batch, -1, self.h, self.d_k).transpose(1, 2).reshape(batch * self.h, -1, self.d_k)
        Q, K, V = fold(self.W_q(queries)), fold(self.W_k(keys)), fold(self.W_v(values))
        if mask is not None:
            mask = mask.unsqueeze(1) if mask.dim() == 3 else mask
            mask = mask.expand(batch, self.h, n_q, n_k).reshape(-1, n_q, n_k)
        scores = torch.baddbmm(torch.zeros(1), Q, K.mT, beta=0, alpha=1 / math.sqrt(self.d_k))
        if mask is None:
            weights = scores.softmax(-1)
        else:
            weights = scores.masked_fill(mask == 0, -1e9).softmax(-1) * mask
        self.attention_weights = weights.view(batch, self.h, n_q, n_k)
        out = torch.bmm(weights, V).view(batch, self.h, n_q, self.d_k)
        return self.W_o(out.transpose(1, 2).reshape(batch, n_q, -1))
# %% right="the library's for the output, d^-1/4 for the weights" row="unflatten"
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError(f"{d_model} features, {num_heads} heads")
        self.h, self.d_k = num_heads, d_model // num_heads
        for name in ("W_q", "W_k", "W_v", "W_o"):
            setattr(self, name, nn.Linear(d_model, d_model, bias=False))
    def forward(self, queries, keys, values, mask=None):
        Q, K, V = (W(x).unflatten(-1, (self.h, -1)).transpose(1, 2)
                   for W, x in ((self.W_q, queries), (self.W_k, keys), (self.W_v, values)))
        while mask is not None and mask.dim() < 4:
            mask = mask.unsqueeze(-3)
        quarter = self.d_k ** -0.25
        self.attention_weights = masked_weights((Q * quarter) @ (K * quarter).mT, mask)
        output = F.scaled_dot_product_attention(Q, K, V, attn_mask=mask).nan_to_num()
        return self.W_o(output.transpose(1, 2).flatten(2))
# %% right="the lesson's pieces"
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.d_model = d_model
        self.d_k = d_model // num_heads
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
    def forward(self, queries, keys, values, mask=None):
        Q = split_heads(self.W_q(queries), self.num_heads)
        K = split_heads(self.W_k(keys), self.num_heads)
        V = split_heads(self.W_v(values), self.num_heads)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
        self.attention_weights = masked_weights(scores, mask)
        return self.W_o(merge_heads(self.attention_weights @ V))
# %% mistake="view instead of transpose" style="reshape to heads, merged by the lesson's piece" of="the lesson's pieces"
# -         Q = split_heads(self.W_q(queries), self.num_heads)
# -         K = split_heads(self.W_k(keys), self.num_heads)
# -         V = split_heads(self.W_v(values), self.num_heads)
# +         cut = lambda X: X.reshape(X.shape[0], self.num_heads, -1, self.d_k)
# +         Q, K, V = cut(self.W_q(queries)), cut(self.W_k(keys)), cut(self.W_v(values))
# -             mask = mask.unsqueeze(1)
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# -         self.attention_weights = masked_weights(scores, mask)
# +             mask = mask[:, None]
# +         self.attention_weights = masked_weights(Q @ K.mT / self.d_k ** 0.5, mask)
# %% mistake="merged without a transpose" style="merged by reshape" of="the lesson's pieces"
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return self.W_o((self.attention_weights @ V).reshape(queries.shape))
# %% mistake="split and merge both without a transpose" style="view in, view out" of="the lesson's pieces"
# -         Q = split_heads(self.W_q(queries), self.num_heads)
# -         K = split_heads(self.W_k(keys), self.num_heads)
# -         V = split_heads(self.W_v(values), self.num_heads)
# +         batch = queries.size(0)
# +         Q, K, V = (W(x).view(batch, self.num_heads, x.size(1), self.d_k)
# +                    for W, x in ((self.W_q, queries), (self.W_k, keys), (self.W_v, values)))
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# -         self.attention_weights = masked_weights(scores, mask)
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         self.attention_weights = masked_weights(Q @ K.mT / math.sqrt(self.d_k), mask)
# +         return self.W_o((self.attention_weights @ V).view(batch, queries.size(1), -1))
# %% mistake="split and merge both without a transpose" style="reshape both ways, softmax by hand"
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.d_model = d_model
        self.d_k = d_model // num_heads
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
    def forward(self, queries, keys, values, mask=None):
        B, n_q, d_model = queries.shape
        n_k = keys.shape[1]
        Q = torch.reshape(self.W_q(queries), (B, self.num_heads, n_q, -1))
        K = torch.reshape(self.W_k(keys), (B, self.num_heads, n_k, -1))
        V = torch.reshape(self.W_v(values), (B, self.num_heads, n_k, -1))
        s = torch.einsum("bhqd,bhkd->bhqk", Q, K) / math.sqrt(self.d_k)
        if mask is not None:
            s = s.masked_fill(~(mask[:, None] if mask.ndim == 3 else mask), -torch.inf)
        self.attention_weights = s.softmax(-1).nan_to_num()
        return self.W_o(torch.reshape(self.attention_weights @ V, (B, n_q, d_model)))
# %% mistake="divided by √d_model instead of √d_k" style="scaled by self.d_model" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1) * self.d_model ** -0.5
# %% mistake="divided by √d_model instead of √d_k" style="d_k = d_model"
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("not divisible")
        self.num_heads, self.d_k = num_heads, d_model
        self.W_q, self.W_k = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
        self.W_v, self.W_o = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
    def forward(self, queries, keys, values, mask=None):
        Q = split_heads(self.W_q(queries), self.num_heads)
        K = split_heads(self.W_k(keys), self.num_heads)
        V = split_heads(self.W_v(values), self.num_heads)
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        scores = Q @ K.transpose(-2, -1) / self.d_k ** 0.5
        self.attention_weights = masked_weights(scores, mask)
        return self.W_o(merge_heads(self.attention_weights @ V))
# %% mistake="not divided by √d_k" style="no scale" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1)
# %% mistake="divided by the wrong power of d_k" style="divided by d_k" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1) / self.d_k
# %% mistake="divided by the wrong power of d_k" style="d_k ** 1/2" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1) / (self.d_k ** 1/2)
# %% mistake="divided by the root of the wrong length" style="the number of keys" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1) / math.sqrt(K.size(-2))
# %% mistake="divided by the root of the wrong length" style="the number of heads" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.num_heads)
# %% mistake="scaled after the softmax" style="weights divided" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# -         self.attention_weights = masked_weights(scores, mask)
# +         scores = Q @ K.transpose(-2, -1)
# +         self.attention_weights = masked_weights(scores, mask) / self.d_k ** 0.5
# %% mistake="one projection for Q, K and V" style="one layer for queries, keys and values" of="the lesson's pieces"
# -         K = split_heads(self.W_k(keys), self.num_heads)
# -         V = split_heads(self.W_v(values), self.num_heads)
# +         K = split_heads(self.W_q(keys), self.num_heads)
# +         V = split_heads(self.W_q(values), self.num_heads)
# %% mistake="one projection for Q, K and V" style="one layer under three names" of="d_k = d_model"
# -         self.num_heads, self.d_k = num_heads, d_model
# -         self.W_q, self.W_k = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
# -         self.W_v, self.W_o = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
# +         self.num_heads, self.d_k = num_heads, d_model // num_heads
# +         shared = nn.Linear(d_model, d_model, bias=False)
# +         self.W_q = self.W_k = self.W_v = shared
# +         self.W_o = nn.Linear(d_model, d_model, bias=False)
# -         scores = Q @ K.transpose(-2, -1) / self.d_k ** 0.5
# +         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# %% mistake="W_o missing" style="W_o made, not used" of="the lesson's pieces"
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return merge_heads(self.attention_weights @ V)
# %% mistake="W_o missing" style="W_o never made" of="d_k = d_model"
# -         self.num_heads, self.d_k = num_heads, d_model
# -         self.W_q, self.W_k = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
# -         self.W_v, self.W_o = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
# +         self.num_heads, self.d_k = num_heads, d_model // num_heads
# +         self.W_q, self.W_k, self.W_v = (nn.Linear(d_model, d_model, bias=False) for _ in range(3))
# -         scores = Q @ K.transpose(-2, -1) / self.d_k ** 0.5
# +         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return merge_heads(self.attention_weights @ V)
# %% mistake="n_q used for the keys" style="keys viewed with the queries' length" of="the lesson's pieces"
# -         Q = split_heads(self.W_q(queries), self.num_heads)
# -         K = split_heads(self.W_k(keys), self.num_heads)
# -         V = split_heads(self.W_v(values), self.num_heads)
# +         batch, n, _ = queries.shape
# +         Q, K, V = (W(x).view(batch, n, self.num_heads, self.d_k).transpose(1, 2)
# +                    for W, x in ((self.W_q, queries), (self.W_k, keys), (self.W_v, values)))
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = masked_weights(Q @ K.mT / math.sqrt(self.d_k), mask)
# %% mistake="n_q used for the keys" style="keys reshaped with the queries' length"
import torch.nn.functional as F
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model must be divisible by num_heads")
        self.num_heads = num_heads
        self.d_model = d_model
        self.d_k = d_model // num_heads
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_q = nn.Linear(d_model, d_model, bias=False)
    def forward(self, queries, keys, values, mask=None):
        B, n = queries.shape[0], queries.shape[1]
        Q = self.W_q(queries).reshape(B, n, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        K = self.W_k(keys).reshape(B, n, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        V = self.W_v(values).reshape(B, n, self.num_heads, self.d_k).permute(0, 2, 1, 3)
        if mask is not None and mask.ndim == 3:
            mask = mask[:, None]
        self.attention_weights = masked_weights(torch.matmul(Q, K.mT) / math.sqrt(self.d_k), mask)
        return self.W_o((self.attention_weights @ V).permute(0, 2, 1, 3).reshape(B, n, -1))
# %% mistake="mask broadcast against the heads" style="the mask as it is" of="the lesson's pieces"
# -             mask = mask.unsqueeze(1)
# +             pass
# %% mistake="mask's axis for the heads in the wrong place" style="always a new axis in second place" of="the lesson's pieces"
# -         if mask is not None and mask.dim() == 3:
# +         if mask is not None:
# %% mistake="mask broadcast against the heads" style="heads in front of the mask" of="the lesson's pieces"
# -             mask = mask.unsqueeze(1)
# +             mask = mask.unsqueeze(0)
# %% mistake="Q, K or V in the wrong place" style="values made of the keys" of="the lesson's pieces"
# -         V = split_heads(self.W_v(values), self.num_heads)
# +         V = split_heads(self.W_v(keys), self.num_heads)
# %% mistake="Q, K or V in the wrong place" style="keys made of the values" of="the lesson's pieces"
# -         K = split_heads(self.W_k(keys), self.num_heads)
# +         K = split_heads(self.W_k(values), self.num_heads)
# %% mistake="Q, K or V in the wrong place" style="weights gather the keys" of="the lesson's pieces"
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return self.W_o(merge_heads(self.attention_weights @ K))
# %% mistake="weights transposed" style="weights transposed" of="the lesson's pieces"
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return self.W_o(merge_heads(self.attention_weights.mT @ V))
# %% mistake="softmax over the heads" style="heads compete" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = torch.softmax(scores if mask is None else scores.masked_fill(~mask, -1e9), dim=1)
# %% mistake="mask inverted" style="mask inverted" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = (scores if mask is None else scores.masked_fill(mask, -torch.inf)).softmax(-1)
# %% mistake="mask inverted" style="PyTorch's other convention" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = masked_weights(scores, None if mask is None else ~mask)
# %% mistake="mask ignored" style="mask unused" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = torch.softmax(scores, dim=-1)
# %% mistake="mask transposed" style="the mask turned round" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = masked_weights(scores, None if mask is None else mask.mT)
# %% mistake="softmax over the heads" style="the sum over heads" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = masked_weights(scores.transpose(1, -1), None if mask is None else mask.expand(scores.shape).transpose(1, -1)).transpose(1, -1)
# %% mistake="masked after the softmax" style="weights times mask" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = scores.softmax(-1) * (mask if mask is not None else 1)
# %% mistake="masked score not low enough" style="−10 for the hidden" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = (scores if mask is None else torch.where(mask, scores, -10.0)).softmax(-1)
# %% mistake="zero times infinity" style="(1 − m) · −inf" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = (scores if mask is None else scores + (1 - mask.int()) * -torch.inf).softmax(-1)
# %% mistake="row with nothing to look at" style="−inf, NaN in an empty row" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = (scores if mask is None else scores.masked_fill(~mask, -torch.inf)).softmax(-1)
# %% mistake="softmax over the queries" style="softmax over the queries" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = (scores if mask is None else scores.masked_fill(~mask, -1e30)).softmax(-2)
# %% mistake="softmax over the whole matrix" style="softmax over words and words" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = masked_weights(
# +             scores.flatten(2), None if mask is None else mask.expand(scores.shape).flatten(2)
# +         ).view(scores.shape)
# %% mistake="gradient cut" style="weights detached" of="the lesson's pieces"
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return self.W_o(merge_heads(self.attention_weights.detach() @ V))
# %% mistake="writes into its input" style="the mask unsqueezed in place" of="the lesson's pieces"
# -             mask = mask.unsqueeze(1)
# +             mask.unsqueeze_(1)
# %% mistake="bias added" style="layers with biases" of="d_k = d_model"
# -         self.num_heads, self.d_k = num_heads, d_model
# -         self.W_q, self.W_k = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
# -         self.W_v, self.W_o = nn.Linear(d_model, d_model, bias=False), nn.Linear(d_model, d_model, bias=False)
# +         self.num_heads, self.d_k = num_heads, d_model // num_heads
# +         self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))
# -         scores = Q @ K.transpose(-2, -1) / self.d_k ** 0.5
# +         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# %% unlisted="assert instead of raise" true="assert instead of raise" of="layers with biases"
# -         if d_model % num_heads != 0:
# -             raise ValueError("not divisible")
# +         assert d_model % num_heads == 0
# -         self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model) for _ in range(4))
# +         self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(d_model, d_model, bias=False) for _ in range(4))
# %% unlisted="weights come back as well" of="the lesson's pieces"
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return self.W_o(merge_heads(self.attention_weights @ V)), self.attention_weights
# %% mistake="transpose missing" style="viewed and not transposed" of="the lesson's pieces"
# -         Q = split_heads(self.W_q(queries), self.num_heads)
# -         K = split_heads(self.W_k(keys), self.num_heads)
# -         V = split_heads(self.W_v(values), self.num_heads)
# +         Q = self.W_q(queries).view(*queries.shape[:2], self.num_heads, self.d_k)
# +         K = self.W_k(keys).view(*keys.shape[:2], self.num_heads, self.d_k)
# +         V = self.W_v(values).view(*values.shape[:2], self.num_heads, self.d_k)
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return self.W_o((self.attention_weights @ V).flatten(2))
# %% mistake="mask's axis for the heads in the wrong place" style="behind the queries" of="the lesson's pieces"
# -             mask = mask.unsqueeze(1)
# +             mask = mask.unsqueeze(2)
# %% mistake="one projection for two inputs" style="keys' layer for the values as well" of="the lesson's pieces"
# -         V = split_heads(self.W_v(values), self.num_heads)
# +         V = split_heads(self.W_k(values), self.num_heads)
# %% mistake="Q, K or V in the wrong place" style="queries against values" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ V.transpose(-2, -1) / math.sqrt(self.d_k)
# %% mistake="the library's own module handed in" style="wrapped, one layer of theirs"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.d_k = d_model // num_heads
        self.mha = nn.MultiheadAttention(d_model, num_heads, bias=False, batch_first=True)
    def forward(self, queries, keys, values, mask=None):
        if mask is not None:
            mask = ~mask
        out, self.attention_weights = self.mha(queries, keys, values, attn_mask=mask, average_attn_weights=False)
        return out
# %% mistake="no shift by the maximum" style="exp by hand, hidden keys at 0" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         kernel = torch.exp(scores)
# +         if mask is not None:
# +             kernel = kernel.masked_fill(~mask, 0.0)
# +         self.attention_weights = (kernel / kernel.sum(dim=-1, keepdim=True)).nan_to_num()
# %% [markdown]
# ## From the wild
# %% mistake="divided by the wrong power of d_k" style="d_k ** 1/2 without brackets" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1) / self.d_k ** 1/2
# %% right="linear layers zipped, -1 in the view" row="reshape"
import torch.nn.functional as F
def attention_of(query, key, value, mask=None):
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    p_attn = torch.nan_to_num(scores.softmax(dim=-1))
    return torch.matmul(p_attn, value), p_attn
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads must be 0")
        self.d_k = d_model // num_heads
        self.h = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = [nn.Linear(d_model, d_model, bias=False) for _ in range(4)]
        self.attention_weights = None
    def forward(self, queries, keys, values, mask=None):
        if mask is not None and mask.dim() == 3:
            mask = mask.unsqueeze(1)
        nbatches = queries.size(0)
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip((self.W_q, self.W_k, self.W_v), (queries, keys, values))
        ]
        x, self.attention_weights = attention_of(query, key, value, mask=mask)
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.W_o(x)
# %% mistake="mask's axis for the heads in the wrong place" style="unsqueeze(1) and −1e9" of="the lesson's pieces" true="row with nothing to look at"
# -         if mask is not None and mask.dim() == 3:
# +         if mask is not None:
# -         self.attention_weights = masked_weights(scores, mask)
# +         if mask is not None:
# +             scores = scores.masked_fill(mask == 0, -1e9)
# +         self.attention_weights = scores.softmax(dim=-1)
# %% unlisted="the library's class by another name"
MultiHeadAttention = nn.MultiheadAttention
# %% [markdown]
# ## Clumsy halves
# %% unlisted="d_k under another name"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        if d_model % num_heads:
            raise ValueError("not divisible")
        self.num_heads, self.head_dim = num_heads, d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
    def forward(self, queries, keys, values, mask=None):
        Q, K, V = (split_heads(x, self.num_heads) for x in (self.W_q(queries), self.W_k(keys), self.W_v(values)))
        mask = mask.unsqueeze(1) if mask is not None and mask.dim() == 3 else mask
        self.attention_weights = masked_weights(Q @ K.mT / math.sqrt(self.head_dim), mask)
        return self.W_o(merge_heads(self.attention_weights @ V))
# %% unlisted="nothing returned" of="the lesson's pieces"
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         self.output = self.W_o(merge_heads(self.attention_weights @ V))
# %% unlisted="no scale, and the mask inverted" of="the lesson's pieces" true="not divided by √d_k; mask inverted"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# -         self.attention_weights = masked_weights(scores, mask)
# +         scores = Q @ K.transpose(-2, -1)
# +         self.attention_weights = masked_weights(scores, None if mask is None else ~mask)
# %% unlisted="masks are for later" of="the lesson's pieces"
# -             mask = mask.unsqueeze(1)
# +             raise NotImplementedError("masks with three axes")
# %% unlisted="no parameters yet"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super().__init__()
        self.d_k = d_model // num_heads
    def forward(self, queries, keys, values, mask=None):
        return queries
# %% unlisted="a bias in the last layer, no scale" of="the lesson's pieces" true="bias added; not divided by √d_k"
# -         self.W_o = nn.Linear(d_model, d_model, bias=False)
# +         self.W_o = nn.Linear(d_model, d_model)
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1)
# %% unlisted="queries scaled in place" of="the lesson's pieces" true="writes into its input"
# -         Q = split_heads(self.W_q(queries), self.num_heads)
# +         queries /= math.sqrt(self.d_k)
# +         Q = split_heads(self.W_q(queries), self.num_heads)
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1)
# %% mistake="mask added as a number" style="scores plus mask" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = torch.softmax(scores if mask is None else scores + mask, dim=-1)
# %% mistake="divided by the root of the wrong length" style="len of the keys, a batch" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(-2, -1) / math.sqrt(len(keys))
# %% mistake="large scores cut to a limit" style="scores clamped" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = (Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)).clamp(-80, 80)
# %% right="the layers in a list before they have names of their own" of="the lesson's pieces"
# -         self.W_o = nn.Linear(d_model, d_model, bias=False)
# -         self.W_v = nn.Linear(d_model, d_model, bias=False)
# -         self.W_k = nn.Linear(d_model, d_model, bias=False)
# -         self.W_q = nn.Linear(d_model, d_model, bias=False)
# +         self.layers = nn.ModuleList(nn.Linear(d_model, d_model, bias=False) for _ in range(4))
# +         self.W_q, self.W_k, self.W_v, self.W_o = self.layers
# %% right="the weights in a buffer, detached" of="the lesson's pieces"
# -         self.d_k = d_model // num_heads
# +         self.d_k = d_model // num_heads
# +         self.register_buffer("attention_weights", None)
# -         self.attention_weights = masked_weights(scores, mask)
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         weights = masked_weights(scores, mask)
# +         self.attention_weights = weights.detach()
# +         return self.W_o(merge_heads(weights @ V))
# %% unlisted="a dropout that nobody asked for" of="the lesson's pieces"
# -         self.d_k = d_model // num_heads
# +         self.d_k = d_model // num_heads
# +         self.dropout = nn.Dropout(0.1)
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return self.W_o(merge_heads(self.dropout(self.attention_weights) @ V))
# %% unlisted="the last mask is used again where none is given" of="the lesson's pieces"
# -         if mask is not None and mask.dim() == 3:
# -             mask = mask.unsqueeze(1)
# +         if mask is not None:
# +             self.mask = mask.unsqueeze(1) if mask.dim() == 3 else mask
# +         mask = getattr(self, "mask", None)
# %% unlisted="causal wherever one tensor is queries and keys" of="the lesson's pieces"
# -         if mask is not None and mask.dim() == 3:
# -             mask = mask.unsqueeze(1)
# +         if mask is None and queries is keys:
# +             mask = torch.ones(queries.shape[1], keys.shape[1], dtype=torch.bool).tril()
# +         elif mask is not None and mask.dim() == 3:
# +             mask = mask.unsqueeze(1)
# %% mistake="one hidden key empties the row" style="all where any is meant" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         self.attention_weights = masked_weights(scores, mask)
# +         if mask is not None:
# +             self.attention_weights = self.attention_weights * mask.all(-1, keepdim=True)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="W_o missing (made but never called); row with nothing to look at (NaN)" true="W_o missing; row with nothing to look at"
class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, num_heads):
        super(MultiHeadAttention, self).__init__()
        if d_model % num_heads != 0:
            raise ValueError("d_model % num_heads != 0")
        self.d_model = d_model
        self.num_heads = num_heads
        self.d_k = d_model // num_heads
        self.W_q = nn.Linear(d_model, d_model, bias=False)
        self.W_k = nn.Linear(d_model, d_model, bias=False)
        self.W_v = nn.Linear(d_model, d_model, bias=False)
        self.W_o = nn.Linear(d_model, d_model, bias=False)
        self.attention_weights = None

    def forward(self, queries, keys, values, mask=None):
        Q = split_heads(self.W_q(queries), self.num_heads)
        K = split_heads(self.W_k(keys), self.num_heads)
        V = split_heads(self.W_v(values), self.num_heads)
        scores = torch.matmul(Q, K.transpose(-1, -2))
        scores = scores / math.sqrt(self.d_k)
        if mask is not None:
            if len(mask.shape) == 3:
                mask = mask.unsqueeze(1)
            scores = scores.masked_fill(mask == False, float("-inf"))
        weights = torch.softmax(scores, dim=-1)
        self.attention_weights = weights
        out = torch.matmul(weights, V)
        out = merge_heads(out)
        return out
# %% mistake="overwrites what the gradient needs" style="NaN overwritten in the weights" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         if mask is not None:
# +             scores = scores.masked_fill(~mask, -math.inf)
# +         self.attention_weights = scores.softmax(-1)
# +         self.attention_weights[self.attention_weights.isnan()] = 0.0
# %% mistake="gradient cut" style="softmax of .data under a mask" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         if mask is not None:
# +             scores = scores.data.masked_fill(~mask, -math.inf)
# +         self.attention_weights = scores.softmax(-1).nan_to_num()
# %% mistake="masked score not low enough" style="−1e4, then 0" of="the lesson's pieces"
# -         self.attention_weights = masked_weights(scores, mask)
# +         if mask is None:
# +             self.attention_weights = scores.softmax(-1)
# +         else:
# +             self.attention_weights = scores.masked_fill(~mask, -1e4).softmax(-1).masked_fill(~mask, 0.0)
# %% mistake="axis of length 1 lost" style="squeeze(1), as in the notes" of="the lesson's pieces"
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return self.W_o(merge_heads(self.attention_weights @ V)).squeeze(1)
# %% mistake="batch axis transposed" style="K.T, merged by reshape" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.T / math.sqrt(self.d_k)
# -         return self.W_o(merge_heads(self.attention_weights @ V))
# +         return self.W_o((self.attention_weights @ V).transpose(1, 2).reshape(queries.shape))
# %% mistake="batch axis transposed" style="K.transpose(1, 2)" of="the lesson's pieces"
# -         scores = Q @ K.transpose(-2, -1) / math.sqrt(self.d_k)
# +         scores = Q @ K.transpose(1, 2) / math.sqrt(self.d_k)
