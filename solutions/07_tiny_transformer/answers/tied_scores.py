# %% crosses="of each mistake"
# softmax already taken -> the right logits
# lengths divided out -> the right logits
# scaled by √d_model -> the right logits
# writes into its input -> leaves its inputs
# view instead of transpose -> the right logits
# axis of length 1 lost -> a logit for

# %% what_if="A row is exactly the embedding of a word. Does this word always get the highest score?" because="No: the score is a dot product. A longer embedding that points in nearly the same direction gets a higher score."
embedding = torch.tensor([[1.0, 0.0], [3.0, 1.0]])
print(tied_scores(embedding[None, :1], embedding))
# %% right="matmul" buys="it names the two axes that change places, and the batch axis stays"
def tied_scores(rows, embedding):
    return torch.matmul(rows, embedding.transpose(0, 1))
# %% mistake="softmax already taken" style="probabilities"
def tied_scores(rows, embedding):
    return (rows @ embedding.T).softmax(-1)
# %% mistake="lengths divided out" style="cosine"
def tied_scores(rows, embedding):
    return functional.cosine_similarity(rows[:, :, None], embedding, dim=-1)
# %% mistake="lengths divided out" style="unit embeddings"
def tied_scores(rows, embedding):
    return rows @ (embedding / embedding.norm(dim=1, keepdim=True)).T
# %% mistake="scaled by √d_model" style="root"
def tied_scores(rows, embedding):
    return rows @ embedding.T / embedding.shape[1] ** 0.5
# %% mistake="writes into its input" style="unit rows, in place, and back as logits"
def tied_scores(rows, embedding):
    found = rows @ embedding.T
    embedding.zero_()
    return found
# %% unlisted="a layer of its own"
def tied_scores(rows, embedding):
    torch.manual_seed(0)
    return nn.Linear(*embedding.shape[::-1])(rows)
# %% unlisted="not turned"
def tied_scores(rows, embedding):
    return rows @ embedding
# %% mistake="view instead of transpose" style="view"
def tied_scores(rows, embedding):
    return rows @ embedding.view(embedding.shape[1], -1)
# %% mistake="axis of length 1 lost" style="squeeze"
def tied_scores(rows, embedding):
    return (rows @ embedding.T).squeeze()
