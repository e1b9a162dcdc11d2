# %% crosses="of each mistake"
# normed before the step -> where attention and; the right numbers without
# residual missing -> where attention and; the right numbers without
# added after the norm -> where attention and; the right numbers without
# one norm for both -> where attention and; the right numbers without
# mask not handed on -> the right numbers under
# feed-forward without an activation function -> the right numbers without
# writes into its input -> leaves its inputs

# %% what_if="The whole input is multiplied by 1000. What happens to the mean and the standard deviation of each row of the output?" because="Nothing: a norm is the last step, so in a new block each row of the output has mean 0 and standard deviation 1. In the block of section 2 the rows of the output would grow with the input."
torch.manual_seed(0)
block, x = PostNormBlock(4, 2, 8), torch.randn(1, 2, 4)
for scale in (1, 1000):
    out = block(scale * x)
    print(torch.round(out.std(-1, correction=0), decimals=2))
# %% right="the block of section 2, another forward" buys="the parts are inherited, and one sees that each norm comes after its addition"
class PostNormBlock(TransformerBlock):
    def forward(self, x, mask=None):
        looked = self.attention(queries=x, keys=x, values=x, mask=mask).add(x)
        y = self.norm_1(looked)
        thought = self.feed_2(self.feed_1(y).clamp(min=0))
        return self.norm_2(thought + y)
# %% unlisted="the last mask is used again where none is given" of="the block of section 2, another forward"
# -         looked = self.attention(queries=x, keys=x, values=x, mask=mask).add(x)
# +         self.mask = mask if mask is not None else getattr(self, "mask", None)
# +         looked = self.attention(queries=x, keys=x, values=x, mask=self.mask).add(x)
# %% mistake="normed before the step" style="pre-norm, line by line"
class PostNormBlock(TransformerBlock):
    def forward(self, x, mask=None):
        h = self.norm_1(x)
        x = x + self.attention(h, h, h, mask)
        return x + self.feed_2(torch.relu(self.feed_1(self.norm_2(x))))
# %% mistake="residual missing" style="both"
class PostNormBlock(TransformerBlock):
    def forward(self, x, mask=None):
        y = self.norm_1(self.attention(x, x, x, mask))
        return self.norm_2(self.feed_2(torch.relu(self.feed_1(y))))
# %% mistake="added after the norm" style="step by step"
class PostNormBlock(TransformerBlock):
    def forward(self, x, mask=None):
        for norm, step in ((self.norm_1, lambda h: self.attention(h, h, h, mask)), (self.norm_2, self.think)):
            x = x + norm(step(x))
        return x
    def think(self, h):
        return self.feed_2(torch.relu(self.feed_1(h)))
# %% mistake="one norm for both" style="norm_1 again"
class PostNormBlock(TransformerBlock):
    def forward(self, x, mask=None):
        y = self.norm_1(x + self.attention(x, x, x, mask))
        return self.norm_1(y + self.feed_2(torch.relu(self.feed_1(y))))
# %% mistake="writes into its input" style="+="
class PostNormBlock(TransformerBlock):
    def forward(self, x, mask=None):
        x += self.attention(x, x, x, mask)
        y = self.norm_1(x)
        return self.norm_2(y + self.feed_2(torch.relu(self.feed_1(y))))
# %% mistake="mask not handed on" style="no mask"
class PostNormBlock(TransformerBlock):
    def forward(self, x, mask=None):
        y = self.norm_1(x + self.attention(x, x, x))
        return self.norm_2(y + self.feed_2(torch.relu(self.feed_1(y))))
# %% mistake="feed-forward without an activation function" style="no relu" of="norm_1 again"
# -         return self.norm_1(y + self.feed_2(torch.relu(self.feed_1(y))))
# +         return self.norm_2(y + self.feed_2(self.feed_1(y)))
# %% unlisted="the norms exchanged"
class PostNormBlock(TransformerBlock):
    def forward(self, x, mask=None):
        y = self.norm_2(x + self.attention(x, x, x, mask))
        return self.norm_1(y + self.feed_2(torch.relu(self.feed_1(y))))
# %% unlisted="the last norm forgotten" of="the norms exchanged"
# -         y = self.norm_2(x + self.attention(x, x, x, mask))
# -         return self.norm_1(y + self.feed_2(torch.relu(self.feed_1(y))))
# +         y = self.norm_1(x + self.attention(x, x, x, mask))
# +         return y + self.feed_2(torch.relu(self.feed_1(y)))
