# %% crosses="of each mistake"
# residual missing -> where attention and; the right numbers without
# residual from the normed input -> where attention and; the right numbers without
# normed after the sum -> where attention and; queries and keys; the right numbers without
# one norm for both -> its parameters are; the right numbers without
# norm missing -> its parameters are; queries and keys; the right numbers without
# values not normed -> the right numbers without
# keys and values not normed -> queries and keys; the right numbers without
# mask not handed on -> the right numbers under
# attention called again without the mask -> the right numbers under
# mask inverted -> the right numbers under
# feed-forward without an activation function -> the right numbers without
# relu in the wrong place -> the right numbers without
# another function in place of relu -> the right numbers without
# both halves read x -> the right numbers without
# second sum starts from x -> the right numbers without
# another answer in training than in evaluation -> the right numbers without
# bias missing -> its parameters are
# gradient cut -> gradients reach x
# writes into its input -> leaves its inputs
# a constant instead of the input's size -> its parameters are; the right numbers without
# another eps in the norms -> queries and keys; the right numbers without; gradients reach x
# axis of length 1 lost -> the output has

# %% what_if="All weights of W_o and feed_2 are 0, and so is the bias of feed_2. What is the output of the block?" because="Its input: both steps only add something to the residual stream, and here they add zeros."
torch.manual_seed(0)
block, x = TransformerBlock(4, 2, 8), torch.randn(1, 3, 4)
for parameter in (block.attention.W_o.weight, block.feed_2.weight, block.feed_2.bias):
    nn.init.zeros_(parameter)
print(torch.equal(block(x), x))
# %% right="ReLU as a module" row="ReLU as function or module" buys="the activation function can be replaced from outside"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.feed_1, self.feed_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.activation = nn.ReLU()
    def forward(self, x, mask=None):
        h = self.norm_1(x)
        y = self.attention(queries=h, keys=h, values=h, mask=mask).add(x)
        return self.feed_2(self.activation(self.feed_1(self.norm_2(y)))).add(y)
# %% right="the network in a Sequential before its layers have names" of="ReLU as a module"
# -         self.feed_1, self.feed_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
# -         self.activation = nn.ReLU()
# +         self.network = nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))
# +         self.feed_1, _, self.feed_2 = self.network
# -         return self.feed_2(self.activation(self.feed_1(self.norm_2(y)))).add(y)
# +         return self.network(self.norm_2(y)).add(y)
# %% unlisted="the last mask is used again where none is given" of="ReLU as a module"
# -         h = self.norm_1(x)
# +         self.mask = mask if mask is not None else getattr(self, "mask", None)
# +         mask, h = self.mask, self.norm_1(x)
# %% unlisted="the normed x of the first call stays" of="ReLU as a module"
# -         h = self.norm_1(x)
# +         if getattr(self, "h", x[:0]).shape != x.shape:
# +             self.h = self.norm_1(x)
# +         h = self.h
# %% right="norms by hand, einsum" row="einsum" buys="it shows that a LayerNorm uses the mean and the standard deviation of one row, and no other row"
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
# %% right="a Sequential that owns nothing new" buys="the second step is one line, and its parts keep their names"
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
# %% mistake="residual missing" style="around the attention" of="both"
# -         hidden = torch.relu(self.feed_1(self.norm_2(x)))
# -         return self.feed_2(hidden)
# +         normed = self.norm_2(x)
# +         hidden = torch.relu(self.feed_1(normed))
# +         return x + self.feed_2(hidden)
# %% mistake="residual missing" style="around the network" of="around the attention"
# -         x = self.attention(normed, normed, normed, mask)
# +         x = x + self.attention(normed, normed, normed, mask)
# -         return x + self.feed_2(hidden)
# +         return self.feed_2(hidden)
# %% mistake="residual from the normed input" style="both overwritten" of="around the attention"
# -         normed = self.norm_1(x)
# -         x = self.attention(normed, normed, normed, mask)
# -         normed = self.norm_2(x)
# -         hidden = torch.relu(self.feed_1(normed))
# +         x = self.norm_1(x)
# +         x = x + self.attention(x, x, x, mask)
# +         x = self.norm_2(x)
# +         hidden = torch.relu(self.feed_1(x))
# %% mistake="normed after the sum" style="post-norm"
class TransformerBlock(nn.Module):
    def __init__(self, d_model, num_heads, d_ff):
        super().__init__()
        self.attention = MultiHeadAttention(d_model, num_heads)
        self.norm_1 = nn.LayerNorm(d_model)
        self.norm_2 = nn.LayerNorm(d_model)
        self.feed_1 = nn.Linear(d_model, d_ff)
        self.feed_2 = nn.Linear(d_ff, d_model)
    def forward(self, x, mask=None):
        x = self.norm_1(x + self.attention(x, x, x, mask))
        return self.norm_2(x + self.feed_2(torch.relu(self.feed_1(x))))
# %% mistake="one norm for both" style="norm_1 again" of="around the network"
# -         normed = self.norm_2(x)
# +         normed = self.norm_1(x)
# -         return self.feed_2(hidden)
# +         return x + self.feed_2(hidden)
# %% mistake="norm missing" style="the first made, not used" of="around the network"
# -         normed = self.norm_1(x)
# +         normed = x
# -         return self.feed_2(hidden)
# +         return x + self.feed_2(hidden)
# %% mistake="norm missing" style="the second not made" of="around the network"
# -         self.norm_2 = nn.LayerNorm(d_model)
# +         self.width = d_model
# -         normed = self.norm_2(x)
# +         normed = x
# -         return self.feed_2(hidden)
# +         return x + self.feed_2(hidden)
# %% mistake="keys and values not normed" style="queries alone" of="around the attention"
# -         x = self.attention(normed, normed, normed, mask)
# +         x = x + self.attention(normed, x, x, mask)
# %% mistake="mask not handed on" style="three arguments" of="queries alone"
# -         x = x + self.attention(normed, x, x, mask)
# +         x = x + self.attention(normed, normed, normed)
# %% mistake="mask inverted" style="True = forbidden" of="the first made, not used"
# -         normed = x
# +         normed = self.norm_1(x)
# +         if mask is not None:
# +             mask = ~mask
# %% mistake="feed-forward without an activation function" style="two layers" of="the first made, not used"
# -         normed = x
# +         normed = self.norm_1(x)
# -         hidden = torch.relu(self.feed_1(normed))
# +         hidden = self.feed_1(normed)
# %% mistake="relu in the wrong place" style="behind both" of="two layers"
# -         return x + self.feed_2(hidden)
# +         return x + torch.relu(self.feed_2(hidden))
# %% mistake="another function in place of relu" style="tanh" of="two layers"
# -         hidden = self.feed_1(normed)
# +         hidden = self.feed_1(normed).tanh()
# %% mistake="both halves read x" style="side by side" of="queries alone"
# -         x = x + self.attention(normed, x, x, mask)
# +         attended = self.attention(normed, normed, normed, mask)
# -         return x + self.feed_2(hidden)
# +         return x + attended + self.feed_2(hidden)
# %% mistake="second sum starts from x" style="x again" of="queries alone"
# -         x = x + self.attention(normed, x, x, mask)
# -         normed = self.norm_2(x)
# +         y = x + self.attention(normed, normed, normed, mask)
# +         normed = self.norm_2(y)
# %% mistake="bias missing" style="both layers" of="the first made, not used"
# -         self.feed_1 = nn.Linear(d_model, d_ff)
# -         self.feed_2 = nn.Linear(d_ff, d_model)
# +         self.feed_1 = nn.Linear(d_model, d_ff, bias=False)
# +         self.feed_2 = nn.Linear(d_ff, d_model, bias=False)
# -         normed = x
# +         normed = self.norm_1(x)
# %% mistake="gradient cut" style="no_grad" of="the first made, not used"
# -     def forward(self, x, mask=None):
# +     @torch.no_grad()
# +     def forward(self, x, mask=None):
# -         normed = x
# +         normed = self.norm_1(x)
# %% mistake="writes into its input" style="+=" of="queries alone"
# -         x = x + self.attention(normed, x, x, mask)
# +         x += self.attention(normed, normed, normed, mask)
# %% unlisted="a norm more" of="around the network"
# -         self.norm_2 = nn.LayerNorm(d_model)
# +         self.norm_3 = nn.LayerNorm(d_model)
# +         self.norm_2 = nn.LayerNorm(d_model)
# -         return self.feed_2(hidden)
# +         return self.norm_3(x + self.feed_2(hidden))
# %% mistake="another answer in training than in evaluation" style="dropout at the end" of="around the network"
# -         return self.feed_2(hidden)
# +         return functional.dropout(x + self.feed_2(hidden), 0.5, self.training)
# %% unlisted="attention twice" of="queries alone"
# -         x = x + self.attention(normed, x, x, mask)
# +         x = x + self.attention(normed, normed, normed, mask)
# +         x = x + self.attention(x, x, x, mask)
# %% mistake="attention called again without the mask" style="to look at the weights" of="queries alone"
# -         x = x + self.attention(normed, x, x, mask)
# +         x = x + self.attention(normed, normed, normed, mask)
# +         self.attention(normed, normed, normed)
# %% unlisted="one head" of="no_grad"
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self.attention = MultiHeadAttention(d_model, 1)
# -     @torch.no_grad()
# %% mistake="a constant instead of the input's size" style="two heads" of="a Sequential that owns nothing new"
# -         self.attention = MultiHeadAttention(d_model, num_heads)
# +         self.attention = MultiHeadAttention(d_model, 2)
# %% mistake="a constant instead of the input's size" style="four times as wide" of="a Sequential that owns nothing new"
# -         self.feed_1 = nn.Linear(d_model, d_ff)
# -         self.feed_2 = nn.Linear(d_ff, d_model)
# +         self.feed_1 = nn.Linear(d_model, 4 * d_model)
# +         self.feed_2 = nn.Linear(4 * d_model, d_model)
# %% mistake="another eps in the norms" style="1e-6, as in vision models" of="a Sequential that owns nothing new"
# -         self.norm_1 = nn.LayerNorm(d_model)
# -         self.norm_2 = nn.LayerNorm(d_model)
# +         self.norm_1, self.norm_2 = (nn.LayerNorm(d_model, eps=1e-6) for _ in range(2))
# %% mistake="axis of length 1 lost" style="squeeze(0)" of="a Sequential that owns nothing new"
# -         return y + feed(y)
# +         return (y + feed(y)).squeeze(0)
# %% mistake="writes into its input" style="+= twice" of="a Sequential that owns nothing new"
# -         y = x + self.attention(*[self.norm_1(x)] * 3, mask)
# -         return y + feed(y)
# +         x += self.attention(*[self.norm_1(x)] * 3, mask)
# +         x += feed(x)
# +         return x
# %% [markdown]
# ## From the wild
# %% mistake="another function in place of relu" style="NewGELU, written out" of="two layers"
# -         hidden = self.feed_1(normed)
# +         z = self.feed_1(normed)
# +         hidden = 0.5 * z * (1 + torch.tanh(math.sqrt(2 / math.pi) * (z + 0.044715 * z ** 3)))
# %% [markdown]
# ## Clumsy halves
# %% unlisted="nothing returned" of="around the network"
# -         return self.feed_2(hidden)
# +         x = x + self.feed_2(hidden)
# %% unlisted="d_ff and d_model exchanged" of="both layers"
# -         self.feed_1 = nn.Linear(d_model, d_ff, bias=False)
# -         self.feed_2 = nn.Linear(d_ff, d_model, bias=False)
# +         self.feed_1 = nn.Linear(d_ff, d_model)
# +         self.feed_2 = nn.Linear(d_model, d_ff)
# %% unlisted="post-norm without relu" true="normed after the sum; feed-forward without an activation function" of="post-norm"
# -         return self.norm_2(x + self.feed_2(torch.relu(self.feed_1(x))))
# +         return self.norm_2(x + self.feed_2(self.feed_1(x)))
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
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
# %% mistake="values not normed" style="x as values" of="ReLU as a module"
# -         y = self.attention(queries=h, keys=h, values=h, mask=mask).add(x)
# +         y = self.attention(queries=h, keys=h, values=x, mask=mask).add(x)
# %% mistake="another answer in training than in evaluation" style="dropout of 0.1 on both halves" of="ReLU as a module"
# -         self.activation = nn.ReLU()
# +         self.activation, self.dropout = nn.ReLU(), nn.Dropout(0.1)
# -         y = self.attention(queries=h, keys=h, values=h, mask=mask).add(x)
# -         return self.feed_2(self.activation(self.feed_1(self.norm_2(y)))).add(y)
# +         y = self.dropout(self.attention(queries=h, keys=h, values=h, mask=mask)).add(x)
# +         return self.dropout(self.feed_2(self.activation(self.feed_1(self.norm_2(y))))).add(y)
