# %% crosses="of each mistake"
# old gradients not cleared -> old gradients
# nothing is learned -> the parameters
# loss after the step -> the loss
# a tensor in place of a float -> a float
# pad token not handed on -> targets that; with nothing
# shifted twice -> the loss; the parameters
# softmax before the cross-entropy -> the loss; the parameters
# steps uphill -> the parameters
# step taken twice -> the loss; the parameters
# a multiple of the loss's gradient -> the parameters
# pad token 0 taken for none -> targets that
# the optimizer's own rule not used -> old gradients; any optimizer
# first group only -> any optimizer; old gradients
# gradients cut to a length -> the parameters
# the model's mode changed -> leaves the
# a mean of no targets -> with nothing
# writes into its input -> leaves the
# pad token fixed at 0 -> the loss; the parameters; targets that
# targets not shifted -> the loss; the parameters

# %% what_if="The learning rate of the optimizer is 0. What does the hundredth step on the same tokens return, compared with the first?" because="The same loss: the gradients are computed, but no parameter changes."
torch.manual_seed(0)
model, tokens = nn.Sequential(nn.Embedding(5, 4), nn.Linear(4, 5)), torch.tensor([[1, 2, 3, 0]])
optimizer = torch.optim.SGD(model.parameters(), lr=0.0)
losses = [training_step(model, optimizer, tokens) for _ in range(100)]
print(losses[0] == losses[-1])
# %% right="the loss first, then cleared"
def training_step(model, optimizer, tokens, pad_token=None):
    logits = model(tokens)
    loss = next_token_loss(logits, tokens, pad_token)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return float(loss)
# %% right="a closure" buys="optimizers such as L-BFGS, which compute the loss several times in a step, work, too"
def training_step(model, optimizer, tokens, pad_token=None):
    def closure():
        optimizer.zero_grad(set_to_none=False)
        loss = next_token_loss(model(tokens), tokens, pad_token=pad_token)
        loss.backward()
        return loss
    return optimizer.step(closure).item()
# %% right="gradients asked for and put there" buys="gradients are return values, so nothing is added to old gradients"
def training_step(model, optimizer, tokens, pad_token=None):
    parameters = [p for group in optimizer.param_groups for p in group["params"]]
    loss = next_token_loss(model(tokens), tokens, pad_token)
    for p, gradient in zip(parameters, torch.autograd.grad(loss, parameters)):
        p.grad = gradient
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach().double().numpy()[()]
# %% right="all by hand, an early return" buys="a batch that contains only pads needs no backward pass"
def training_step(model, optimizer, tokens, pad_token=None):
    for p in model.parameters():
        p.grad = None
    logits, targets = model(tokens)[:, :-1].transpose(1, 2), tokens[:, 1:]
    losses = functional.cross_entropy(logits, targets, reduction="none")
    counted = losses if pad_token is None else losses[targets != pad_token]
    if not counted.numel():
        return 0.0
    mean = counted.mean()
    mean.backward()
    optimizer.step()
    return mean.tolist()
# %% mistake="old gradients not cleared" style="no zero_grad" of="the loss first, then cleared"
# -     optimizer.zero_grad()
# %% mistake="nothing is learned" style="no backward" of="the loss first, then cleared"
# -     loss.backward()
# %% mistake="loss after the step" style="looked at again" of="the loss first, then cleared"
# -     return float(loss)
# +     return next_token_loss(model(tokens), tokens, pad_token).item()
# %% mistake="a tensor in place of a float" style="the loss itself" of="the loss first, then cleared"
# -     return float(loss)
# +     return loss
# %% mistake="pad token not handed on" style="two arguments" of="the loss first, then cleared"
# -     loss = next_token_loss(logits, tokens, pad_token)
# +     loss = next_token_loss(logits, tokens)
# %% mistake="shifted twice" style="inputs and targets first" of="the loss first, then cleared"
# -     logits = model(tokens)
# -     loss = next_token_loss(logits, tokens, pad_token)
# +     logits = model(tokens[:, :-1])
# +     loss = next_token_loss(logits, tokens[:, 1:], pad_token)
# %% mistake="softmax before the cross-entropy" style="probabilities handed on" of="the loss first, then cleared"
# -     logits = model(tokens)
# +     logits = torch.softmax(model(tokens), dim=-1)
# %% mistake="steps uphill" style="minus in the closure" of="a closure"
# -         loss.backward()
# +         (-loss).backward()
# %% mistake="step taken twice" style="step, step" of="the loss first, then cleared"
# -     optimizer.step()
# +     optimizer.step()
# +     optimizer.step()
# %% mistake="the optimizer's own rule not used" style="lr times gradient" of="the loss first, then cleared"
# -     optimizer.step()
# +     with torch.no_grad():
# +         for group in optimizer.param_groups:
# +             for p in group['params']:
# +                 p.sub_(group['lr'] * p.grad)
# %% mistake="first group only" style="param_groups[0]" of="gradients asked for and put there"
# -     parameters = [p for group in optimizer.param_groups for p in group["params"]]
# +     parameters = [p for p in optimizer.param_groups[0]["params"]]
# %% mistake="first group only" style="gradients of the others not cleared" of="the loss first, then cleared"
# -     optimizer.zero_grad()
# +     for p in optimizer.param_groups[0]["params"]:
# +         p.grad = None
# %% mistake="gradients cut to a length" style="clipped" of="the loss first, then cleared"
# -     loss.backward()
# +     loss.backward()
# +     nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.1)
# %% mistake="the model's mode changed" style="train() first" of="the loss first, then cleared"
# -     logits = model(tokens)
# +     model.train()
# +     logits = model(tokens)
# %% mistake="the model's mode changed" style="eval() at the end" of="the loss first, then cleared"
# -     return float(loss)
# +     model.eval()
# +     return float(loss)
# %% mistake="a mean of no targets" style="no early return" of="all by hand, an early return"
# -     if not counted.numel():
# -         return 0.0
# %% mistake="writes into its input" style="pads put in place" of="the loss first, then cleared"
# -     return float(loss)
# +     tokens[:, 0] = 0
# +     return float(loss)
# %% unlisted="rounded for reading" of="the loss first, then cleared"
# -     return float(loss)
# +     return round(float(loss), 1)
# %% mistake="a multiple of the loss's gradient" style="times the number of texts" of="the loss first, then cleared"
# -     loss.backward()
# +     (loss * len(tokens)).backward()
# %% mistake="pad token 0 taken for none" style="or None" of="the loss first, then cleared"
# -     loss = next_token_loss(logits, tokens, pad_token)
# +     loss = next_token_loss(logits, tokens, pad_token or None)
# %% unlisted="an optimizer of the same kind, which remembers nothing" of="the loss first, then cleared"
# -     optimizer.zero_grad()
# +     optimizer = type(optimizer)(optimizer.param_groups)
# +     optimizer.zero_grad()
# %% mistake="a multiple of the loss's gradient" style="twice the loss" of="the loss first, then cleared"
# -     loss.backward()
# +     (2 * loss).backward()
# %% unlisted="gradients of the last group alone cleared" of="the loss first, then cleared"
# -     optimizer.zero_grad()
# +     for p in optimizer.param_groups[-1]["params"]:
# +         p.grad = None
# %% mistake="pad token fixed at 0" style="0 handed on" of="the loss first, then cleared"
# -     loss = next_token_loss(logits, tokens, pad_token)
# +     loss = next_token_loss(logits, tokens, 0)
# %% mistake="targets not shifted" style="a loss of its own" of="the loss first, then cleared"
# -     loss = next_token_loss(logits, tokens, pad_token)
# +     ignored = -100 if pad_token is None else pad_token
# +     loss = functional.cross_entropy(logits.flatten(0, 1), tokens.flatten(), ignore_index=ignored)
# %% mistake="step taken twice" style="all of it, twice"
def training_step(model, optimizer, tokens, pad_token=None):
    for _ in range(2):
        optimizer.zero_grad()
        loss = next_token_loss(model(tokens), tokens, pad_token)
        loss.backward()
        optimizer.step()
    return loss.item()
