# %% crosses="of each mistake"
# argmax over all positions -> one new token; a list of; the prompt first
# drawn instead of chosen -> one new token; its own tokens; no more than
# context one word too long or too short -> one new token; its own tokens; no more than
# return inside the loop -> the prompt first
# reads another position than the last -> one new token; its own tokens
# context not cropped ->
# cropped at the wrong end -> no more than
# does not read its own words -> its own tokens
# only the newest word is read -> one new token; its own tokens; no more than
# prompt not returned -> the prompt first
# one word too many or too few -> the prompt first
# least likely word written -> one new token
# rounded before the choice -> one new token
# the prompt's own list returned -> and in a
# tensors or arrays in place of plain ints -> a list of
# writes into its input -> leaves the prompt; and in a
# n_new taken for the whole length -> the prompt first

# %% what_if="The same prompt is given twice. Can the texts differ?" because="No: the likeliest word is the same one in both calls. For another text one has to sample, with a temperature above 0."
torch.manual_seed(0)
model = nn.Sequential(nn.Embedding(9, 4), nn.Linear(4, 9))
print(generate(model, [1, 2], 6, 4) == generate(model, [1, 2], 6, 4))
# %% right="copy and append" row="argmax"
def generate(model, tokens, n_new, context):
    tokens = tokens[:]
    for _ in range(n_new):
        window = torch.tensor(tokens[-context:]).unsqueeze(0)
        tokens.append(model(window)[0, -1].argmax().item())
    return tokens
# %% right="a tensor all along, no_grad, tolist" buys="PyTorch keeps no graph, because no gradients are needed"
@torch.no_grad()
def generate(model, tokens, n_new, context):
    text = torch.tensor([tokens], dtype=torch.long)
    for _ in range(n_new):
        logits = model(text[:, -context:])
        text = torch.cat([text, logits[:, -1].argmax(-1, keepdim=True)], dim=1)
    return text[0].tolist()
# %% right="topk(1)" row="topk(1)" buys="topk(1) finds the same token as argmax; with k > 1 one would have to draw one of the k"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    while len(text) < len(tokens) + n_new:
        scores = model(torch.as_tensor([text[-context:]]))
        text = text + scores[0, -1].topk(1).indices.tolist()
    return text
# %% right="a deque, eval and back" row="a list" buys="the deque drops the oldest words by itself, and dropout is off while the model writes"
def generate(model, tokens, n_new, context):
    from collections import deque
    was = model.training
    model.eval()
    window, text = deque(tokens, maxlen=context), list(tokens)
    with torch.inference_mode():
        for _ in range(n_new):
            logits = model(torch.tensor([list(window)]))[0]
            word = max(range(logits.shape[-1]), key=lambda w: float(logits[-1, w]))
            window.append(word)
            text.append(word)
    model.train(was)
    return text
# %% mistake="rounded before the choice" style="a softmax in half precision"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        logits = model(torch.tensor([text[-context:]]))[0, -1]
        probabilities = torch.softmax(logits.to(torch.float16), dim=-1)
        text.append(int(torch.argmax(probabilities)))
    return text
# %% mistake="reads another position than the last" style="the first position"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        logits = model(torch.tensor([text[-context:]]))[0]
        text.append(logits[0].argmax().item())
    return text
# %% mistake="reads another position than the last" style="the mean over positions"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        logits = model(torch.tensor([text[-context:]]))
        text.append(logits.mean(dim=1).argmax(dim=-1).item())
    return text
# %% mistake="reads another position than the last" style="the prompt's last position"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    place = min(len(tokens), context) - 1
    for _ in range(n_new):
        text.append(int(model(torch.tensor([text[-context:]]))[0, place].argmax()))
    return text
# %% mistake="context not cropped" style="the whole text handed in"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        logits = model(torch.tensor(text).unsqueeze(0))
        text.append(int(logits[0, -1, :].argmax()))
    return text
# %% mistake="context not cropped" style="a tensor that grows"
def generate(model, tokens, n_new, context):
    text = torch.tensor(tokens)[None]
    for _ in range(n_new):
        text = torch.cat((text, model(text)[:, -1].argmax(-1)[None]), 1)
    return text[0].tolist()
# %% mistake="cropped at the wrong end" style="the first words" of="the whole text handed in"
# -         logits = model(torch.tensor(text).unsqueeze(0))
# +         logits = model(torch.tensor([text[:context]]))
# %% mistake="cropped at the wrong end" style="a tensor's first columns" of="a tensor that grows"
# -         text = torch.cat((text, model(text)[:, -1].argmax(-1)[None]), 1)
# +         text = torch.cat((text, model(text[:, :context])[:, -1].argmax(-1)[None]), 1)
# %% mistake="does not read its own words" style="the prompt each time"
def generate(model, tokens, n_new, context):
    new = []
    for _ in range(n_new):
        logits = model(torch.tensor([tokens[-context:]]))
        new.append(int(logits[0, -1].argmax()))
    return tokens + new
# %% mistake="does not read its own words" style="one call before the loop"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    logits = model(torch.tensor([text[-context:]]))
    for _ in range(n_new):
        text.append(int(logits[0, -1].argmax()))
    return text
# %% mistake="prompt not returned" style="the new words alone"
def generate(model, tokens, n_new, context):
    text, new = list(tokens), []
    for _ in range(n_new):
        word = int(model(torch.tensor([text[-context:]]))[0, -1].argmax())
        text.append(word)
        new.append(word)
    return new
# %% mistake="prompt not returned" style="the prompt twice"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        text.append(int(model(torch.tensor([text[-context:]]))[0, -1].argmax()))
    return tokens + text
# %% mistake="only the newest word is read" style="a table of pairs would do" of="the whole text handed in"
# -         logits = model(torch.tensor(text).unsqueeze(0))
# -         text.append(int(logits[0, -1, :].argmax()))
# +         text.append(int(model(torch.tensor([[text[-1]]]))[0, -1].argmax()))
# %% mistake="only the newest word is read" style="the word just written becomes the input"
def generate(model, tokens, n_new, context):
    text, inputs = list(tokens), torch.tensor([tokens[-context:]])
    for _ in range(n_new):
        word = model(inputs)[0, -1].argmax()
        text.append(word.item())
        inputs = word.view(1, 1)
    return text
# %% mistake="one word too many or too few" style="range from 1"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(1, n_new):
        text.append(int(model(torch.tensor([text[-context:]]))[0, -1].argmax()))
    return text
# %% mistake="one word too many or too few" style="at most n_new longer, inclusive" of="range from 1"
# -     for _ in range(1, n_new):
# +     while len(text) <= len(tokens) + n_new:
# %% mistake="n_new taken for the whole length" style="range from the prompt's length" of="range from 1"
# -     for _ in range(1, n_new):
# +     while len(text) < n_new:
# %% mistake="least likely word written" style="argsort, first" of="a table of pairs would do"
# -         text.append(int(model(torch.tensor([[text[-1]]]))[0, -1].argmax()))
# +         text.append(int(model(torch.tensor([text[-context:]]))[0, -1].argsort()[0]))
# %% mistake="tensors or arrays in place of plain ints" style="item() forgotten" of="a table of pairs would do"
# -         text.append(int(model(torch.tensor([[text[-1]]]))[0, -1].argmax()))
# +         text.append(model(torch.tensor([text[-context:]]))[0, -1].argmax())
# %% mistake="writes into its input" style="append to the prompt"
def generate(model, tokens, n_new, context):
    for _ in range(n_new):
        tokens.append(int(model(torch.tensor([tokens[-context:]]))[0, -1].argmax()))
    return tokens
# %% mistake="the prompt's own list returned" style="early return"
def generate(model, tokens, n_new, context):
    if not n_new:
        return tokens
    text = list(tokens)
    for _ in range(n_new):
        text.append(int(model(torch.tensor([text[-context:]]))[0, -1].argmax()))
    return text
# %% mistake="argmax over all positions" style="argmax of it all"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        text.append(model(torch.tensor([text[-context:]])).argmax().item())
    return text
# %% mistake="argmax over all positions" style="of the one sentence"
def generate(model, tokens, n_new, context):
    text = [*tokens]
    while len(text) < len(tokens) + n_new:
        logits = model(torch.tensor(text[-context:])[None])[0]
        text += [int(torch.argmax(logits))]
    return text
# %% mistake="drawn instead of chosen" style="another word every time, as a draw has it, and yet the same in each run"
places = [0]
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        places[0] = places[0] % 7 + 1
        order = model(torch.tensor([text[-context:]]))[0, -1].argsort(descending=True)
        text.append(int(order[places[0]]))
    return text
# %% mistake="context one word too long or too short" style="one too many"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        text.append(int(model(torch.tensor([text[-(context + 1):]]))[0, -1].argmax()))
    return text
# %% mistake="return inside the loop" style="one word, and back"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        text.append(int(model(torch.tensor([text[-context:]]))[0, -1].argmax()))
        return text
    return text
# %% unlisted="a tensor returned"
def generate(model, tokens, n_new, context):
    text = torch.tensor([tokens])
    for _ in range(n_new):
        text = torch.cat((text, model(text[:, -context:])[:, -1].argmax(-1)[None]), 1)
    return text
# %% mistake="context one word too long or too short" style="one word of context too few" of="a table of pairs would do"
# -         text.append(int(model(torch.tensor([[text[-1]]]))[0, -1].argmax()))
# +         text.append(int(model(torch.tensor([text[-context:][1:] or text[-1:]]))[0, -1].argmax()))
# %% mistake="context not cropped" style="cropped once, before the loop"
def generate(model, tokens, n_new, context):
    window, new = tokens[-context:], []
    for _ in range(n_new):
        new.append(model(torch.tensor([window + new]))[0, -1].argmax().item())
    return tokens + new
# %% mistake="does not read its own words" style="the best n_new of one pass"
def generate(model, tokens, n_new, context):
    scores = model(torch.tensor([tokens[-context:]]))[0, -1]
    return tokens + scores.argsort(descending=True)[:n_new].tolist()
# %% [markdown]
# ## From the wild
# %% unlisted="the prompt cropped before the loop, and lost"
def generate(model, tokens, n_new, context):
    text = tokens[-context:]
    for _ in range(n_new):
        text.append(int(model(torch.tensor([text[-context:]]))[0, -1].argmax()))
    return text
# %% [markdown]
# ## Clumsy halves
# %% unlisted="word 0 taken for an end mark"
def generate(model, tokens, n_new, context):
    text = list(tokens)
    for _ in range(n_new):
        text.append(int(model(torch.tensor([text[-context:]]))[0, -1].argmax()))
        if text[-1] == 0:
            break
    return text
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="writes into the prompt; new words are tensors, not ints" true="writes into its input; tensors or arrays in place of plain ints; the prompt's own list returned"
def generate(model, tokens, n_new, context):
    step = 0
    while step < n_new:
        ids = []
        for t in tokens:
            ids.append(int(t))
        if len(ids) > context:
            ids = ids[len(ids) - context:]
        x = torch.tensor(ids, dtype=torch.int64)
        x = x.reshape(1, len(ids))
        logits = model(x)
        word = torch.argmax(logits[0][-1])
        tokens.append(word)
        step = step + 1
    return tokens
