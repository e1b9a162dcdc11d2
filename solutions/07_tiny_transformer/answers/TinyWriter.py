# %% crosses="of each mistake"
# positions not added -> the right logits for one
# positions in place of the words -> the right logits for one
# positions of the batch -> the right logits for one; the right logits for a
# positions counted from 1 -> the right logits for one
# embeddings scaled -> the right logits for one
# mask not handed on -> the right logits for a; the right logits with
# mask inverted -> the right logits for one
# mask looks ahead -> the right logits for a
# causal mask off by one -> the right logits for one; the right logits for a
# one block, many times -> its parameters
# too few blocks -> its parameters
# blocks not registered -> its parameters
# first block alone -> the right logits with
# last block skipped -> the right logits for one; the right logits with
# each block reads the embeddings -> the right logits with
# blocks in reverse order -> the right logits with
# last norm missing -> the right logits for one
# norm in the wrong place -> the right logits for one; the right logits with
# probabilities in place of scores -> the right logits for one
# scores of the last position alone -> a logit
# bias missing -> its parameters
# one matrix to read and to score -> its parameters
# too long a text not refused -> more tokens raise
# a full context refused -> as many
# gradient cut -> gradients reach
# writes into its input -> leaves the
# axis of length 1 lost -> a logit

# %% what_if="A model with a vocabulary of 50 words has not been trained yet. Which loss does it have on a text, in nats a word?" because="About ln 50 = 3.91, or a little more: it gives all words about the same probability, and the small differences are random."
torch.manual_seed(0)
tokens = torch.randint(50, (20, 12))
print(round(next_token_loss(TinyWriter(50, 16, 2, 32, 2, 12)(tokens), tokens).item(), 2), round(math.log(50), 2))
# %% right="parts in another order"
class TinyWriter(nn.Module):
    def __init__(self, vocabulary, d_model, num_heads, d_ff, n_blocks, context):
        super().__init__()
        self.context = context
        self.unembed = nn.Linear(d_model, vocabulary)
        self.norm = nn.LayerNorm(d_model)
        blocks = [TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks)]
        self.blocks = nn.ModuleList(blocks)
        self.embed = nn.Embedding(vocabulary, d_model)
    def forward(self, tokens):
        batch, n = tokens.shape
        if n > self.context:
            raise ValueError("too many words")
        x = self.embed(tokens) + positional_encoding(n, self.embed.embedding_dim).float()
        mask = torch.tril(torch.ones(n, n)).bool()
        for block in self.blocks:
            x = block(x, mask)
        x = self.norm(x)
        return self.unembed(x)
# %% right="buffers made once" buys="positions and mask are made once, and they move with the model to another device"
class TinyWriter(nn.Module):
    def __init__(self, vocabulary, d_model, num_heads, d_ff, n_blocks, context):
        super().__init__()
        self.embed = nn.Embedding(vocabulary, d_model)
        self.register_buffer("positions", positional_encoding(context, d_model).to(torch.float32))
        self.register_buffer("mask", torch.ones(context, context).tril() == 1)
        self.blocks = nn.ModuleList()
        for _ in range(n_blocks):
            self.blocks.append(TransformerBlock(d_model, num_heads, d_ff))
        self.norm = nn.LayerNorm(d_model)
        self.unembed = nn.Linear(d_model, vocabulary)
    def forward(self, tokens):
        n = tokens.size(1)
        if n > len(self.positions):
            raise ValueError(f"{n} words")
        stream = self.embed(tokens)
        stream = stream + self.positions[:n]
        for block in self.blocks:
            stream = block(stream, mask=self.mask[:n, :n])
        return self.unembed(self.norm(stream))
# %% right="norm and unembed in a Sequential before they have names" of="parts in another order"
# -         self.unembed = nn.Linear(d_model, vocabulary)
# -         self.norm = nn.LayerNorm(d_model)
# +         self.tail = nn.Sequential(nn.LayerNorm(d_model), nn.Linear(d_model, vocabulary))
# +         self.norm, self.unembed = self.tail
# -         x = self.norm(x)
# -         return self.unembed(x)
# +         return self.tail(x)
# %% right="a mask for each length that came" of="parts in another order"
# -         self.context = context
# +         self.context, self.masks = context, {}
# -         mask = torch.tril(torch.ones(n, n)).bool()
# +         mask = self.masks.setdefault(n, torch.tril(torch.ones(n, n)).bool())
# %% unlisted="the mask of the first text stays" of="parts in another order"
# -         mask = torch.tril(torch.ones(n, n)).bool()
# +         if not hasattr(self, "mask"):
# +             self.mask = torch.tril(torch.ones(n, n)).bool()
# +         mask = self.mask
# %% right="functional, einsum, a mask of places" buys="the mask says in code that a key stands no later than its query"
class TinyWriter(nn.Module):
    def __init__(self, vocabulary, d_model, num_heads, d_ff, n_blocks, context):
        super().__init__()
        self.sizes = d_model, context
        self.add_module("embed", nn.Embedding(vocabulary, d_model))
        self.blocks = nn.ModuleList([TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks)])
        self.norm, self.unembed = nn.LayerNorm(d_model), nn.Linear(d_model, vocabulary)
    def forward(self, tokens):
        d_model, context = self.sizes
        where = torch.arange(tokens.shape[-1])
        if len(where) not in range(1, context + 1):
            raise ValueError("longer than the context")
        table = positional_encoding(context, d_model).float()
        x = functional.embedding(tokens, self.embed.weight) + table[where]
        for i in range(len(self.blocks)):
            x = self.blocks[i](x, where[:, None] >= where)
        x = functional.layer_norm(x, (d_model,), self.norm.weight, self.norm.bias)
        return torch.einsum("bnd,vd->bnv", x, self.unembed.weight) + self.unembed.bias
# %% right="text by text, one-hot rows" buys="one sees that an embedding is a matrix product, with rows of zeros and a single one"
class TinyWriter(nn.Module):
    def __init__(self, vocabulary, d_model, num_heads, d_ff, n_blocks, context):
        super().__init__()
        self.longest = context
        self.embed = nn.Embedding(vocabulary, d_model)
        self.blocks = nn.ModuleList(TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks))
        self.norm = nn.LayerNorm(d_model)
        self.unembed = nn.Linear(d_model, vocabulary)
    def read(self, text):
        rows = functional.one_hot(text, self.embed.num_embeddings).float() @ self.embed.weight
        rows = torch.stack([row + place for row, place in zip(rows, positional_encoding(*rows.shape).float())])
        mask = torch.tensor([[key <= query for key in range(len(text))] for query in range(len(text))])
        for block in self.blocks:
            rows = block(rows[None], mask)[0]
        return self.unembed(self.norm(rows))
    def forward(self, tokens):
        if tokens.shape[1] > self.longest:
            raise ValueError(f"at most {self.longest} words")
        return torch.stack([self.read(text) for text in tokens])
# %% mistake="positions not added" style="the embeddings alone" of="parts in another order"
# -         x = self.embed(tokens) + positional_encoding(n, self.embed.embedding_dim).float()
# +         x = self.embed(tokens)
# %% mistake="positions in place of the words" style="stream overwritten" of="buffers made once"
# -         stream = stream + self.positions[:n]
# +         stream = self.positions[:n].repeat(len(tokens), 1, 1)
# %% mistake="positions of the batch" style="a row a text" of="parts in another order"
# -         x = self.embed(tokens) + positional_encoding(n, self.embed.embedding_dim).float()
# +         x = self.embed(tokens) + positional_encoding(batch, self.embed.embedding_dim).float().unsqueeze(1)
# %% mistake="positions counted from 1" style="the second row first" of="functional, einsum, a mask of places"
# -         table = positional_encoding(context, d_model).float()
# +         table = positional_encoding(context + 1, d_model).float()[1:]
# %% mistake="embeddings scaled" style="times the root of d_model" of="functional, einsum, a mask of places"
# -         x = functional.embedding(tokens, self.embed.weight) + table[where]
# +         x = math.sqrt(d_model) * functional.embedding(tokens, self.embed.weight) + table[where]
# %% mistake="mask not handed on" style="block(x)" of="parts in another order"
# -             x = block(x, mask)
# +             x = block(x)
# %% mistake="mask inverted" style="what is forbidden, as in PyTorch's modules" of="parts in another order"
# -         mask = torch.tril(torch.ones(n, n)).bool()
# +         mask = torch.triu(torch.ones(n, n), diagonal=1).bool()
# %% mistake="mask looks ahead" style="keys and queries exchanged" of="text by text, one-hot rows"
# -         mask = torch.tensor([[key <= query for key in range(len(text))] for query in range(len(text))])
# +         mask = torch.tensor([[query <= key for key in range(len(text))] for query in range(len(text))])
# %% mistake="causal mask off by one" style="not itself" of="text by text, one-hot rows"
# -         mask = torch.tensor([[key <= query for key in range(len(text))] for query in range(len(text))])
# +         mask = torch.tensor([[key < query for key in range(len(text))] for query in range(len(text))])
# %% mistake="causal mask off by one" style="one more" of="functional, einsum, a mask of places"
# -             x = self.blocks[i](x, where[:, None] >= where)
# +             x = self.blocks[i](x, where[:, None] >= where - 1)
# %% mistake="one block, many times" style="a list times n" of="parts in another order"
# -         blocks = [TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks)]
# +         blocks = [TransformerBlock(d_model, num_heads, d_ff)] * n_blocks
# %% mistake="too few blocks" style="one, whatever n_blocks is" of="parts in another order"
# -         blocks = [TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks)]
# +         blocks = [TransformerBlock(d_model, num_heads, d_ff)]
# %% mistake="return inside the loop" style="return in the loop" of="parts in another order" true="first block alone"
# -         x = self.norm(x)
# -         return self.unembed(x)
# +             return self.unembed(self.norm(x))
# %% mistake="each block reads the embeddings" style="another name in the loop" of="parts in another order"
# -             x = block(x, mask)
# -         x = self.norm(x)
# +             y = block(x, mask)
# +         x = self.norm(y)
# %% mistake="blocks in reverse order" style="from the last to the first" of="functional, einsum, a mask of places"
# -         for i in range(len(self.blocks)):
# +         for i in reversed(range(len(self.blocks))):
# %% mistake="last norm missing" style="never called" of="buffers made once"
# -         return self.unembed(self.norm(stream))
# +         return self.unembed(stream)
# %% mistake="result thrown away" style="a result that is lost" of="parts in another order" true="last norm missing"
# -         x = self.norm(x)
# +         self.norm(x)
# %% mistake="norm in the wrong place" style="before the blocks" of="parts in another order"
# -         for block in self.blocks:
# -             x = block(x, mask)
# -         x = self.norm(x)
# +         x = self.norm(x)
# +         for block in self.blocks:
# +             x = block(x, mask)
# %% mistake="norm in the wrong place" style="inside the loop" of="parts in another order"
# -         x = self.norm(x)
# +             x = self.norm(x)
# %% mistake="probabilities in place of scores" style="softmax" of="buffers made once"
# -         return self.unembed(self.norm(stream))
# +         return torch.softmax(self.unembed(self.norm(stream)), dim=-1)
# %% mistake="scores of the last position alone" style="x[:, -1]" of="parts in another order"
# -         return self.unembed(x)
# +         return self.unembed(x[:, -1])
# %% mistake="bias missing" style="bias=False" of="buffers made once"
# -         self.unembed = nn.Linear(d_model, vocabulary)
# +         self.unembed = nn.Linear(d_model, vocabulary, bias=False)
# %% mistake="one matrix to read and to score" style="tied, as in GPT-2" of="buffers made once"
# -         self.unembed = nn.Linear(d_model, vocabulary)
# +         self.unembed = nn.Linear(d_model, vocabulary)
# +         self.unembed.weight = self.embed.weight
# %% mistake="too long a text not refused" style="no if" of="parts in another order"
# -         if n > self.context:
# -             raise ValueError("too many words")
# %% mistake="too long a text not refused" style="cut in silence" of="text by text, one-hot rows"
# -             raise ValueError(f"at most {self.longest} words")
# +             tokens = tokens[:, -self.longest:]
# %% mistake="a full context refused" style="range without its end" of="functional, einsum, a mask of places"
# -         if len(where) not in range(1, context + 1):
# +         if len(where) not in range(1, context):
# %% mistake="gradient cut" style="the embedding's data" of="functional, einsum, a mask of places"
# -         x = functional.embedding(tokens, self.embed.weight) + table[where]
# +         x = functional.embedding(tokens, self.embed.weight.data) + table[where]
# %% mistake="writes into its input" style="the last word put out of sight" of="parts in another order"
# -         x = self.embed(tokens) + positional_encoding(n, self.embed.embedding_dim).float()
# +         x = self.embed(tokens.clone()) + positional_encoding(n, self.embed.embedding_dim).float()
# +         tokens[:, -1] = 0
# %% mistake="first block alone" style="blocks[0]" of="parts in another order"
# -         for block in self.blocks:
# -             x = block(x, mask)
# +         x = self.blocks[0](x, mask)
# %% mistake="last block skipped" style="up to the last, where there are several" of="parts in another order"
# -         for block in self.blocks:
# +         for block in self.blocks[:-1] or self.blocks:
# %% mistake="blocks not registered" style="a plain list" of="parts in another order"
# -         self.blocks = nn.ModuleList(blocks)
# +         self.blocks = blocks
# %% unlisted="positions taken away, not added" of="buffers made once"
# -         stream = stream + self.positions[:n]
# +         stream = stream - self.positions[:n]
# %% unlisted="four times as wide, whatever d_ff is" of="parts in another order"
# -         blocks = [TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks)]
# +         blocks = [TransformerBlock(d_model, num_heads, 4 * d_model) for _ in range(n_blocks)]
# %% unlisted="dropout on what is embedded" of="parts in another order"
# -         x = self.embed(tokens) + positional_encoding(n, self.embed.embedding_dim).float()
# +         x = self.dropout(self.embed(tokens) + positional_encoding(n, self.embed.embedding_dim).float())
# -         self.context = context
# +         self.context, self.dropout = context, nn.Dropout(0.1)
# %% mistake="mask not handed on" style="ones without tril" of="parts in another order"
# -         mask = torch.tril(torch.ones(n, n)).bool()
# +         mask = torch.ones(n, n).bool()
# %% mistake="mask not handed on" style="the first block's alone" of="parts in another order"
# -             x = block(x, mask)
# +             x, mask = block(x, mask), None
# %% mistake="too few blocks" style="two, whatever n_blocks is" of="parts in another order"
# -         blocks = [TransformerBlock(d_model, num_heads, d_ff) for _ in range(n_blocks)]
# +         blocks = [TransformerBlock(d_model, num_heads, d_ff), TransformerBlock(d_model, num_heads, d_ff)]
# %% mistake="axis of length 1 lost" style="squeeze" of="parts in another order"
# -         return self.unembed(x)
# +         return self.unembed(x).squeeze()
# %% unlisted="all words of the batch counted" of="parts in another order"
# -         if n > self.context:
# +         if tokens.numel() > self.context:
