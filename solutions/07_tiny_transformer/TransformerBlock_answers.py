# %% crosses="of each mistake"
# residual missing -> where attention and; the right numbers without
# residual from the normed input -> where attention and; the right numbers without
# normed after the sum -> where attention and; queries and keys; the right numbers without
# one norm for both -> its parameters are; the right numbers without
# norm missing -> its parameters are; queries and keys; the right numbers without
# keys and values not normed -> queries and keys; the right numbers without
# mask not handed on -> the right numbers under
# mask inverted -> the right numbers under
# feed-forward without a bend -> the right numbers without
# relu in the wrong place -> the right numbers without
# another function in place of relu -> the right numbers without
# both halves read x -> the right numbers without
# second sum starts from x -> the right numbers without
# bias missing -> its parameters are
# gradient cut -> gradients reach x
# writes into its input -> leaves its inputs

# %% right="line by line"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.feed_2 = nn.Linear(d_ff, d_model)
    def forward(self, x, mask=None):
        normed = self.norm_1(x)
        x = x + self.attention(normed, normed, normed, mask)
        normed = self.norm_2(x)
        hidden = torch.relu(self.feed_1(normed))
        return x + self.feed_2(hidden)
# %% right="ReLU as a module" row="ReLU as function or module"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_1, self.feed_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.bend = nn.ReLU()
    def forward(self, x, mask=None):
        h = self.norm_1(x)
        y = self.attention(queries=h, keys=h, values=h, mask=mask).add(x)
        return self.feed_2(self.bend(self.feed_1(self.norm_2(y)))).add(y)
# %% right="two methods, clamp, a clone"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.feed_2 = nn.Linear(d_ff, d_model, bias=True)
        self.feed_1 = nn.Linear(d_model, d_ff, bias=True)
        self.norm_2 = nn.LayerNorm([d_model])
        self.norm_1 = nn.LayerNorm([d_model])
        self.attention = MultiHeadAttention(d_model, num_heads)
    def look(self, x, mask):
        h = self.norm_1(x)
        return self.attention(h, h, h, mask)
    def think(self, x):
        return self.feed_2(self.feed_1(self.norm_2(x)).clamp(min=0))
    def forward(self, x, mask=None):
        out = x.clone()
        out += self.look(x, mask)
        out = out + self.think(out)
        return out
# %% right="functional, with the parts' own parameters"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.d_model = d_model
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.feed_2 = nn.Linear(d_ff, d_model)
    def forward(self, x, mask=None):
        h = functional.layer_norm(x, (self.d_model,), self.norm_1.weight, self.norm_1.bias)
        x = x + self.attention(h, h, h, mask)
        h = functional.layer_norm(x, (self.d_model,), self.norm_2.weight, self.norm_2.bias)
        h = functional.relu(functional.linear(h, self.feed_1.weight, self.feed_1.bias))
        return x + functional.linear(h, self.feed_2.weight, self.feed_2.bias)
# %% right="norms by hand, einsum" row="einsum"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        for name in ("norm_1", "norm_2"):
            setattr(self, name, nn.LayerNorm(d_model))
        self.add_module("feed_1", nn.Linear(d_model, d_ff))
        self.add_module("feed_2", nn.Linear(d_ff, d_model))
    @staticmethod
    def normed(norm, x):
        centred = x - x.mean(-1, keepdim=True)
        spread = (centred ** 2).mean(-1, keepdim=True)
        return centred / torch.sqrt(spread + norm.eps) * norm.weight + norm.bias
    def forward(self, x, mask=None):
        h = self.normed(self.norm_1, x)
        y = x + self.attention(h, h, h, mask)
        hidden = torch.einsum("bnd,fd->bnf", self.normed(self.norm_2, y), self.feed_1.weight) + self.feed_1.bias
        hidden = torch.where(hidden > 0, hidden, 0)
        return y + torch.einsum("bnf,df->bnd", hidden, self.feed_2.weight) + self.feed_2.bias
# %% right="a Sequential that owns nothing new"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.feed_2 = nn.Linear(d_ff, d_model)
    def forward(self, x, mask=None):
        feed = nn.Sequential(self.norm_2, self.feed_1, nn.ReLU(), self.feed_2)
        y = x + self.attention(*[self.norm_1(x)] * 3, mask)
        return y + feed(y)
# %% mistake="residual missing" style="both" of="a Sequential that owns nothing new"
# -         feed = nn.Sequential(self.norm_2, self.feed_1, nn.ReLU(), self.feed_2)
# -         y = x + self.attention(*[self.norm_1(x)] * 3, mask)
# -         return y + feed(y)
# +         normed = self.norm_1(x)
# +         x = self.attention(normed, normed, normed, mask)
# +         hidden = torch.relu(self.feed_1(self.norm_2(x)))
# +         return self.feed_2(hidden)
# %% mistake="residual missing" style="around the attention" of="line by line"
# -         x = x + self.attention(normed, normed, normed, mask)
# +         x = self.attention(normed, normed, normed, mask)
# %% mistake="residual missing" style="around the network" of="line by line"
# -         return x + self.feed_2(hidden)
# +         return self.feed_2(hidden)
# %% mistake="residual from the normed input" style="x overwritten" of="line by line"
# -         normed = self.norm_1(x)
# -         x = x + self.attention(normed, normed, normed, mask)
# +         x = self.norm_1(x)
# +         x = x + self.attention(x, x, x, mask)
# %% mistake="residual from the normed input" style="both overwritten" of="line by line"
# -         normed = self.norm_1(x)
# -         x = x + self.attention(normed, normed, normed, mask)
# -         normed = self.norm_2(x)
# -         hidden = torch.relu(self.feed_1(normed))
# +         x = self.norm_1(x)
# +         x = x + self.attention(x, x, x, mask)
# +         x = self.norm_2(x)
# +         hidden = torch.relu(self.feed_1(x))
# %% mistake="normed after the sum" style="post-norm" of="line by line"
# -         normed = self.norm_1(x)
# -         x = x + self.attention(normed, normed, normed, mask)
# -         normed = self.norm_2(x)
# -         hidden = torch.relu(self.feed_1(normed))
# -         return x + self.feed_2(hidden)
# +         x = self.norm_1(x + self.attention(x, x, x, mask))
# +         return self.norm_2(x + self.feed_2(torch.relu(self.feed_1(x))))
# %% mistake="normed after the sum" style="post-norm, step by step" of="ReLU as a module"
# -         h = self.norm_1(x)
# -         y = self.attention(queries=h, keys=h, values=h, mask=mask).add(x)
# -         return self.feed_2(self.bend(self.feed_1(self.norm_2(y)))).add(y)
# +         attended = self.attention(x, x, x, mask)
# +         x = self.norm_1(x + attended)
# +         fed = self.feed_2(self.bend(self.feed_1(x)))
# +         x = self.norm_2(x + fed)
# +         return x
# %% mistake="one norm for both" style="norm_1 again" of="line by line"
# -         normed = self.norm_2(x)
# +         normed = self.norm_1(x)
# %% mistake="one norm for both" style="one made, two names" of="line by line"
# -         self.norm_1 = nn.LayerNorm(d_model)
# -         self.norm_2 = nn.LayerNorm(d_model)
# +         self.norm_1 = self.norm_2 = nn.LayerNorm(d_model)
# %% mistake="one norm for both" style="one made" of="line by line"
# -         self.norm_2 = nn.LayerNorm(d_model)
# +         self.width = d_model
# -         normed = self.norm_2(x)
# +         normed = self.norm_1(x)
# %% mistake="norm missing" style="the first made, not used" of="line by line"
# -         normed = self.norm_1(x)
# +         normed = x
# %% mistake="norm missing" style="the second not made" of="line by line"
# -         self.norm_2 = nn.LayerNorm(d_model)
# +         self.width = d_model
# -         normed = self.norm_2(x)
# +         normed = x
# %% mistake="keys and values not normed" style="queries alone" of="line by line"
# -         x = x + self.attention(normed, normed, normed, mask)
# +         x = x + self.attention(normed, x, x, mask)
# %% mistake="keys and values not normed" style="by keyword" of="ReLU as a module"
# -         y = self.attention(queries=h, keys=h, values=h, mask=mask).add(x)
# +         y = self.attention(queries=h, keys=x, values=x, mask=mask).add(x)
# %% mistake="mask not handed on" style="three arguments" of="line by line"
# -         x = x + self.attention(normed, normed, normed, mask)
# +         x = x + self.attention(normed, normed, normed)
# %% mistake="mask not handed on" style="None" of="ReLU as a module"
# -         y = self.attention(queries=h, keys=h, values=h, mask=mask).add(x)
# +         y = self.attention(queries=h, keys=h, values=h, mask=None).add(x)
# %% mistake="mask inverted" style="True = forbidden" of="line by line"
# -         normed = self.norm_1(x)
# +         normed = self.norm_1(x)
# +         if mask is not None:
# +             mask = ~mask
# %% mistake="feed-forward without a bend" style="two layers" of="line by line"
# -         hidden = torch.relu(self.feed_1(normed))
# +         hidden = self.feed_1(normed)
# %% mistake="feed-forward without a bend" style="a Sequential of two" of="a Sequential that owns nothing new"
# -         feed = nn.Sequential(self.norm_2, self.feed_1, nn.ReLU(), self.feed_2)
# +         feed = nn.Sequential(self.norm_2, self.feed_1, self.feed_2)
# %% mistake="relu in the wrong place" style="behind both" of="line by line"
# -         hidden = torch.relu(self.feed_1(normed))
# -         return x + self.feed_2(hidden)
# +         hidden = self.feed_1(normed)
# +         return x + torch.relu(self.feed_2(hidden))
# %% mistake="another function in place of relu" style="gelu" of="line by line"
# -         hidden = torch.relu(self.feed_1(normed))
# +         hidden = functional.gelu(self.feed_1(normed))
# %% mistake="another function in place of relu" style="tanh" of="line by line"
# -         hidden = torch.relu(self.feed_1(normed))
# +         hidden = self.feed_1(normed).tanh()
# %% mistake="both halves read x" style="side by side" of="line by line"
# -         x = x + self.attention(normed, normed, normed, mask)
# +         attended = self.attention(normed, normed, normed, mask)
# -         return x + self.feed_2(hidden)
# +         return x + attended + self.feed_2(hidden)
# %% mistake="second sum starts from x" style="x again" of="line by line"
# -         x = x + self.attention(normed, normed, normed, mask)
# -         normed = self.norm_2(x)
# +         y = x + self.attention(normed, normed, normed, mask)
# +         normed = self.norm_2(y)
# %% mistake="bias missing" style="both layers" of="line by line"
# -         self.feed_1 = nn.Linear(d_model, d_ff)
# -         self.feed_2 = nn.Linear(d_ff, d_model)
# +         self.feed_1 = nn.Linear(d_model, d_ff, bias=False)
# +         self.feed_2 = nn.Linear(d_ff, d_model, bias=False)
# %% mistake="gradient cut" style="no_grad" of="line by line"
# -     def forward(self, x, mask=None):
# +     @torch.no_grad()
# +     def forward(self, x, mask=None):
# %% mistake="gradient cut" style="a detached sum" of="line by line"
# -         x = x + self.attention(normed, normed, normed, mask)
# +         x = x + self.attention(normed, normed, normed, mask).detach()
# %% mistake="writes into its input" style="+=" of="line by line"
# -         x = x + self.attention(normed, normed, normed, mask)
# +         x += self.attention(normed, normed, normed, mask)
# %% mistake="writes into its input" style="add_" of="ReLU as a module"
# -         y = self.attention(queries=h, keys=h, values=h, mask=mask).add(x)
# +         y = x.add_(self.attention(queries=h, keys=h, values=h, mask=mask))
# %% unlisted="x taken twice" of="line by line"
# -         return x + self.feed_2(hidden)
# +         return 2 * x + self.feed_2(hidden)
# %% unlisted="values alone not normed" of="line by line"
# -         x = x + self.attention(normed, normed, normed, mask)
# +         x = x + self.attention(normed, normed, x, mask)
# %% unlisted="a norm more" of="line by line"
# -         self.norm_1 = nn.LayerNorm(d_model)
# +         self.norm_1 = nn.LayerNorm(d_model)
# +         self.norm_3 = nn.LayerNorm(d_model)
# -         return x + self.feed_2(hidden)
# +         return self.norm_3(x + self.feed_2(hidden))
# %% unlisted="dropout at the end" of="line by line"
# -         return x + self.feed_2(hidden)
# +         return functional.dropout(x + self.feed_2(hidden), 0.5, self.training)
# %% unlisted="attention twice" of="line by line"
# -         normed = self.norm_2(x)
# +         x = x + self.attention(x, x, x, mask)
# +         normed = self.norm_2(x)
# %% unlisted="one head" of="line by line"
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self.attention = MultiHeadAttention(d_model, 1)
# %% [markdown]
# ## From the wild
# %% right="sublayers as functions, dropout of 0"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.feed_2 = nn.Linear(d_ff, d_model)
        self.dropout = nn.Dropout(0.0)
    def sublayer(self, x, norm, function):
        return x + self.dropout(function(norm(x)))
    def forward(self, x, mask=None):
        x = self.sublayer(x, self.norm_1, lambda h: self.attention(h, h, h, mask))
        return self.sublayer(x, self.norm_2, lambda h: self.feed_2(self.feed_1(h).relu()))
# %% mistake="another function in place of relu" style="NewGELU, written out" of="line by line"
# -         hidden = torch.relu(self.feed_1(normed))
# +         z = self.feed_1(normed)
# +         hidden = 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z ** 3)))
# %% mistake="normed after the sum" style="AddNorm as a function" of="post-norm"
# -         self.feed_2 = nn.Linear(d_ff, d_model)
# +         self.feed_2 = nn.Linear(d_ff, d_model)
# +     def add_norm(self, norm, X, Y):
# +         return norm(Y + X)
# -         x = self.norm_1(x + self.attention(x, x, x, mask))
# -         return self.norm_2(x + self.feed_2(torch.relu(self.feed_1(x))))
# +         Y = self.add_norm(self.norm_1, x, self.attention(x, x, x, mask))
# +         return self.add_norm(self.norm_2, Y, self.feed_2(nn.functional.relu(self.feed_1(Y))))
# %% unlisted="minGPT's names"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.ln_1 = nn.LayerNorm(d_model)
        self.attn = MultiHeadAttention(d_model, num_heads)
        self.ln_2 = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
    def forward(self, x, mask=None):
        h = self.ln_1(x)
        x = x + self.attn(h, h, h, mask)
        return x + self.mlp(self.ln_2(x))
# %% unlisted="the library's layer"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.layer = nn.TransformerEncoderLayer(d_model, num_heads, d_ff, 0.0, batch_first=True, norm_first=True)
    def forward(self, x, mask=None):
        return self.layer(x, None if mask is None else ~mask)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="forward still to do" of="line by line"
# -         normed = self.norm_1(x)
# -         x = x + self.attention(normed, normed, normed, mask)
# -         normed = self.norm_2(x)
# -         hidden = torch.relu(self.feed_1(normed))
# -         return x + self.feed_2(hidden)
# +         raise NotImplementedError("this is still a TODO")
# %% unlisted="foward" of="line by line"
# -     def forward(self, x, mask=None):
# +     def foward(self, x, mask=None):
# %% unlisted="an attribute misspelt" of="line by line"
# -         normed = self.norm_2(x)
# +         normed = self.norm2(x)
# %% unlisted="super().__init__() forgotten" of="line by line"
# -         super().__init__()
# %% unlisted="nothing returned" of="line by line"
# -         return x + self.feed_2(hidden)
# +         x = x + self.feed_2(hidden)
# %% unlisted="d_ff and d_model exchanged" of="line by line"
# -         self.feed_1 = nn.Linear(d_model, d_ff)
# -         self.feed_2 = nn.Linear(d_ff, d_model)
# +         self.feed_1 = nn.Linear(d_ff, d_model)
# +         self.feed_2 = nn.Linear(d_model, d_ff)
# %% unlisted="post-norm without relu" true="normed after the sum; feed-forward without a bend" of="line by line"
# -         normed = self.norm_1(x)
# -         x = x + self.attention(normed, normed, normed, mask)
# -         normed = self.norm_2(x)
# -         hidden = torch.relu(self.feed_1(normed))
# -         return x + self.feed_2(hidden)
# +         x = self.norm_1(x + self.attention(x, x, x, mask))
# +         return self.norm_2(x + self.feed_2(self.feed_1(x)))
# %% unlisted="the attention's result alone" of="line by line"
# -         normed = self.norm_2(x)
# -         hidden = torch.relu(self.feed_1(normed))
# -         return x + self.feed_2(hidden)
# +         return x
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="two helper methods, clamp for the ReLU"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_1, self.feed_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)

    def _mix(self, t, mask):
        return self.attention(*[self.norm_1(t)] * 3, mask)

    def _think(self, t):
        return self.feed_2(self.feed_1(self.norm_2(t)).clamp(min=0))

    def forward(self, x, mask=None):
        y = x + self._mix(x, mask)
        return torch.add(y, self._think(y))
# %% mistake="residual from the normed input" style="residual from the normed input, written blind"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.feed_2 = nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        h = self.norm_1(x)
        attended = self.attention(h, h, h, mask)
        y = sum([h, attended])
        return y + self.feed_2(nn.functional.relu(self.feed_1(self.norm_2(y))))
# %% mistake="keys and values not normed" style="keys and values not normed, written blind"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.feed_2 = nn.Linear(d_ff, d_model)
        self.bend = nn.ReLU()

    def forward(self, x, mask=None):
        questions = self.norm_1(x)
        y = x + self.attention(questions, x, x, mask=mask)
        hidden = self.bend(self.feed_1(self.norm_2(y)))
        return y + self.feed_2(hidden)
# %% unlisted="one norm for both" true="one norm for both; feed-forward without a bend"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super(TransformerBlock, self).__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.feed_2 = nn.Linear(d_ff, d_model)

    def forward(self, x, mask=None):
        h = self.norm_1(x)
        if mask is None:
            a = self.attention(h, h, h)
        else:
            a = self.attention(h, h, h, mask)
        y = x + a
        h = self.norm_1(y)
        h = self.feed_1(h)
        h = self.feed_2(h)
        out = y + h
        return out
# %% right="clones, ReLU by a boolean product, many temporaries"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super(TransformerBlock, self).__init__()
        self.feed_2 = nn.Linear(d_ff, d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.norm_2 = nn.LayerNorm(d_model)
        self.norm_1 = nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)

    def forward(self, x, mask=None):
        old_x = x.clone()
        normed = self.norm_1(x)
        q = normed.clone()
        k = normed.clone()
        v = normed.clone()
        if mask is not None:
            att = self.attention(q, k, v, mask)
        else:
            att = self.attention(q, k, v, None)
        x = old_x + att
        old_y = x.clone()
        hidden = self.feed_1(self.norm_2(x))
        positive = (hidden > 0).to(hidden.dtype)
        hidden = hidden * positive
        result = old_y + self.feed_2(hidden)
        return result
