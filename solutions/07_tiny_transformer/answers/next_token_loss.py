# %% crosses="of each mistake"
# targets not shifted -> each position predicts
# shifted the wrong way -> each position predicts
# shifted twice -> each position predicts
# softmax before the cross-entropy -> each position predicts
# classes on the wrong axis -> each position predicts
# loss summed instead of averaged -> each position predicts
# pads counted in the loss -> targets that are; with nothing to
# divided by all targets, pads included -> targets that are
# a mean of the texts' means -> targets that are
# pads looked for among the inputs -> targets that are; with nothing to
# pad token 0 taken for none -> targets that are; with nothing to
# a mean of no targets ->
# no shift by the maximum ->
# logarithm of a share that is 0 -> the right
# gradient cut -> gradients reach the
# writes into its input -> targets that are; with nothing to; leaves its inputs
# large scores cut to a limit -> the right
# no number for ignore_index -> targets that; with nothing to
# pad token fixed at 0 -> the mean over; targets that; each position
# %% what_if="The model gives all V words the same logit. What is the loss, whatever the text is?" because="Each word then has the probability 1/V, so the loss is ln V. An untrained model should begin near this loss."
logits, tokens = torch.zeros(2, 5, 20), torch.randint(20, (2, 5), generator=torch.Generator().manual_seed(0))
print(round(next_token_loss(logits, tokens).item(), 3), round(math.log(20), 3))
# %% right="ignore_index, all pairs in one axis" row="F.cross_entropy with ignore_index" buys="the library leaves the padding out"
def next_token_loss(logits, tokens, pad_token=None):
    z = logits[:, :-1].flatten(0, 1)
    t = tokens[:, 1:].flatten()
    if pad_token is not None:
        t = t.masked_fill(t == pad_token, -100)
    total = functional.cross_entropy(z, t, ignore_index=-100, reduction="sum")
    return total / (t != -100).sum().clamp(min=1)
# %% right="gather of log_softmax" row="gather of log_softmax" buys="it shows the formula: take the logarithm for the right word, change its sign, take the mean"
def next_token_loss(logits, tokens, pad_token=None):
    log_p = logits.log_softmax(-1)[:, :-1]
    targets = tokens[:, 1:]
    picked = log_p.gather(-1, targets.unsqueeze(-1)).squeeze(-1)
    keep = torch.ones_like(picked) if pad_token is None else (targets != pad_token).to(picked)
    return -(picked * keep).sum() / max(keep.sum().item(), 1)
# %% right="two loops" row="a loop" buys="it treats one word at a time, so it is easy to check other solutions against it"
def next_token_loss(logits, tokens, pad_token=None):
    total, count = logits.sum() * 0, 0
    for b in range(tokens.shape[0]):
        for t in range(tokens.shape[1] - 1):
            target = int(tokens[b, t + 1])
            if pad_token is None or target != pad_token:
                total = total + logits[b, t].logsumexp(0) - logits[b, t, target]
                count += 1
    return total / count if count else total
# %% right="one-hot and einsum" row="einsum"
def next_token_loss(logits, tokens, pad_token=None):
    targets = functional.one_hot(tokens[:, 1:], logits.shape[-1]).to(logits.dtype)
    losses = -torch.einsum("bnv,bnv->bn", logits[:, :-1].log_softmax(-1), targets)
    if pad_token is None:
        keep = torch.ones_like(losses, dtype=torch.bool)
    else:
        keep = tokens[:, 1:] != pad_token
    return losses[keep].mean() if keep.any() else logits.sum() * 0.0
# %% right="boolean index, then cross_entropy"
def next_token_loss(logits, tokens, pad_token=None):
    z, t = logits[:, :-1], tokens[:, 1:]
    keep = t != (-1 if pad_token is None else pad_token)
    if keep.sum() == 0:
        return (0 * logits).sum()
    return functional.cross_entropy(z[keep], t[keep])
# %% right="NLLLoss in double"
def next_token_loss(logits, tokens, pad_token=None):
    log_p = torch.log_softmax(logits.double(), dim=2)[:, :-1].transpose(1, 2)
    targets = tokens[:, 1:]
    losses = nn.NLLLoss(reduction="none")(log_p, targets)
    mask = torch.ones(targets.shape) if pad_token is None else (targets != pad_token).double()
    return (losses * mask).sum() / torch.clamp(mask.sum(), min=1)
# %% mistake="targets not shifted" style="both cut at the end"
def next_token_loss(logits, tokens, pad_token=None):
    targets = tokens[:, :-1]
    losses = functional.cross_entropy(logits[:, :-1].transpose(1, 2), targets, reduction="none")
    keep = torch.ones_like(losses) if pad_token is None else (targets != pad_token).float()
    return (losses * keep).sum() / keep.sum().clamp(min=1)
# %% mistake="shifted the wrong way" style="flat, the word before"
def next_token_loss(logits, tokens, pad_token=None):
    ignored = -100 if pad_token is None else pad_token
    z, t = logits[:, 1:].flatten(0, 1), tokens[:, :-1].flatten()
    return functional.cross_entropy(z, t, ignore_index=ignored)
# %% mistake="shifted twice" style="flat, two steps"
def next_token_loss(logits, tokens, pad_token=None):
    labels = tokens[:, 1:]
    shift_logits = logits[:, :-1][:, :-1].reshape(-1, logits.shape[-1])
    shift_labels = labels[:, 1:].reshape(-1)
    return functional.cross_entropy(shift_logits, shift_labels,
                                    ignore_index=-100 if pad_token is None else pad_token)
# %% mistake="softmax before the cross-entropy" style="softmax, flat"
def next_token_loss(logits, tokens, pad_token=None):
    p = torch.softmax(logits, dim=-1)[:, :-1].flatten(0, 1)
    ignored = -100 if pad_token is None else pad_token
    return functional.cross_entropy(p, tokens[:, 1:].flatten(), ignore_index=ignored)
# %% mistake="classes on the wrong axis" style="as it is"
def next_token_loss(logits, tokens, pad_token=None):
    ignored = -100 if pad_token is None else pad_token
    return functional.cross_entropy(logits[:, :-1], tokens[:, 1:], ignore_index=ignored)
# %% mistake="classes on the wrong axis" style="transposed, then flat"
def next_token_loss(logits, tokens, pad_token=None):
    ignored = -100 if pad_token is None else pad_token
    z = logits[:, :-1].transpose(1, 2).reshape(-1, logits.shape[-1])
    return functional.cross_entropy(z, tokens[:, 1:].reshape(-1), ignore_index=ignored)
# %% mistake="loss summed instead of averaged" style="reduction sum"
def next_token_loss(logits, tokens, pad_token=None):
    ignored = -100 if pad_token is None else pad_token
    z = logits[:, :-1].flatten(0, 1)
    return functional.cross_entropy(z, tokens[:, 1:].flatten(), ignore_index=ignored, reduction="sum")
# %% mistake="pads counted in the loss" style="flat, no ignore_index"
def next_token_loss(logits, tokens, pad_token=None):
    if tokens.shape[1] == 1:
        return logits.sum() * 0
    return functional.cross_entropy(logits[:, :-1].flatten(0, 1), tokens[:, 1:].flatten())
# %% mistake="divided by all targets, pads included" style="mean of the masked"
def next_token_loss(logits, tokens, pad_token=None):
    targets = tokens[:, 1:]
    if not targets.numel():
        return 0 * logits.sum()
    losses = functional.cross_entropy(logits[:, :-1].mT, targets, reduction="none")
    if pad_token is not None:
        losses = losses.masked_fill(targets == pad_token, 0)
    return losses.mean()
# %% mistake="pads looked for among the inputs" style="the mask of the inputs"
def next_token_loss(logits, tokens, pad_token=None):
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    losses = functional.cross_entropy(logits[:, :-1].mT, targets, reduction="none")
    keep = torch.ones_like(losses) if pad_token is None else (inputs != pad_token).float()
    return (losses * keep).sum() / keep.sum().clamp(min=1)
# %% mistake="pad token 0 taken for none" style="if pad_token" true="truth asked instead of None"
def next_token_loss(logits, tokens, pad_token=None):
    targets = tokens[:, 1:]
    losses = functional.cross_entropy(logits[:, :-1].mT, targets, reduction="none")
    keep = (targets != pad_token).float() if pad_token else torch.ones_like(losses)
    return (losses * keep).sum() / keep.sum().clamp(min=1)
# %% mistake="a mean of no targets" style="a boolean index"
def next_token_loss(logits, tokens, pad_token=None):
    z, t = logits[:, :-1], tokens[:, 1:]
    keep = torch.ones_like(t).bool() if pad_token is None else t != pad_token
    return -z.log_softmax(-1).gather(-1, t[..., None])[..., 0][keep].mean()
# %% mistake="no shift by the maximum" style="exp and sum"
def next_token_loss(logits, tokens, pad_token=None):
    z, t = logits[:, :-1], tokens[:, 1:]
    losses = torch.log(torch.exp(z).sum(-1)) - z.gather(-1, t[..., None])[..., 0]
    keep = torch.ones_like(losses) if pad_token is None else (t != pad_token).float()
    return (losses * keep).sum() / keep.sum().clamp(min=1)
# %% mistake="logarithm of a share that is 0" style="softmax, picked, then log"
def next_token_loss(logits, tokens, pad_token=None):
    t = tokens[:, 1:]
    p = torch.softmax(logits[:, :-1], dim=-1).gather(-1, t.unsqueeze(-1)).squeeze(-1)
    keep = torch.ones_like(t, dtype=torch.bool) if pad_token is None else t != pad_token
    return -torch.log(p)[keep].sum() / keep.sum().clamp(min=1)
# %% mistake="logarithm of a share that is 0" style="a little added" of="softmax, picked, then log"
# -     return -torch.log(p)[keep].sum() / keep.sum().clamp(min=1)
# +     return -torch.log(p + 1e-8)[keep].sum() / keep.sum().clamp(min=1)
# %% unlisted="logarithm of a softmax in double, which underflows later" true="logarithm of a share that is 0" of="softmax, picked, then log"
# -     p = torch.softmax(logits[:, :-1], dim=-1).gather(-1, t.unsqueeze(-1)).squeeze(-1)
# +     p = torch.softmax(logits[:, :-1].double(), dim=-1).gather(-1, t.unsqueeze(-1)).squeeze(-1)
# %% mistake="gradient cut" style="item"
def next_token_loss(logits, tokens, pad_token=None):
    t = tokens[:, 1:]
    losses = functional.cross_entropy(logits[:, :-1].mT, t, reduction="none")
    keep = torch.ones_like(losses) if pad_token is None else (t != pad_token).float()
    return torch.tensor(((losses * keep).sum() / keep.sum().clamp(min=1)).item())
# %% mistake="writes into its input" style="pads overwritten"
def next_token_loss(logits, tokens, pad_token=None):
    t = tokens[:, 1:]
    if pad_token is not None:
        t[t == pad_token] = -100
    total = functional.cross_entropy(logits[:, :-1].mT, t, reduction="sum")
    return total / (t != -100).sum().clamp(min=1)
# %% unlisted="base 2"
def next_token_loss(logits, tokens, pad_token=None):
    t = tokens[:, 1:]
    losses = functional.cross_entropy(logits[:, :-1].mT, t, reduction="none") / math.log(2)
    keep = torch.ones_like(losses) if pad_token is None else (t != pad_token).float()
    return (losses * keep).sum() / keep.sum().clamp(min=1)
# %% mistake="pad token fixed at 0" style="where it is not 0" of="ignore_index, all pairs in one axis"
# -     if pad_token is not None:
# -         t = t.masked_fill(t == pad_token, -100)
# +     t = t.masked_fill(t == 0, -100)
# %% mistake="classes on the wrong axis" style="softmax over the places" of="gather of log_softmax"
# -     log_p = logits.log_softmax(-1)[:, :-1]
# +     log_p = logits[:, :-1].log_softmax(1)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the first text alone"
def next_token_loss(logits, tokens, pad_token=None):
    z, t = logits[0, :-1], tokens[0, 1:]
    keep = torch.ones_like(t).bool() if pad_token is None else t != pad_token
    return functional.cross_entropy(z[keep], t[keep]) if keep.any() else logits.sum() * 0
# %% unlisted="summed, and pads counted" true="loss summed instead of averaged; pads counted in the loss"
def next_token_loss(logits, tokens, pad_token=None):
    return functional.cross_entropy(logits[:, :-1].mT, tokens[:, 1:], reduction="sum")
# %% unlisted="computed, not returned"
def next_token_loss(logits, tokens, pad_token=None):
    loss = functional.cross_entropy(logits[:, :-1].mT, tokens[:, 1:])
# %% mistake="large scores cut to a limit" style="logits clamped"
def next_token_loss(logits, tokens, pad_token=None):
    z, t = logits[:, :-1].clamp(-80, 80), tokens[:, 1:]
    losses = -functional.log_softmax(z, dim=-1).gather(-1, t.unsqueeze(-1)).squeeze(-1)
    keep = torch.ones_like(losses) if pad_token is None else (t != pad_token).float()
    return (losses * keep).sum() / keep.sum().clamp(min=1)
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% mistake="a mean of the texts' means" style="mean of the sentences' means instead of the mean over all targets together, written blind"
import torch.nn.functional as F

def next_token_loss(logits, tokens, pad_token=None):
    per_sentence = []
    for z, t in zip(logits, tokens):
        z, t = z[:-1], t[1:]
        if pad_token is not None:
            z, t = z[t != pad_token], t[t != pad_token]
        if len(t) > 0:
            per_sentence.append(F.cross_entropy(z, t))
    if not per_sentence:
        return (logits * 0).sum()
    return torch.stack(per_sentence).mean()
# %% unlisted="softmax before the cross-entropy; pads counted in the loss" true="softmax before the cross-entropy; pads counted in the loss"
def next_token_loss(logits, tokens, pad_token=None):
    if tokens.shape[1] == 1:
        return logits.sum() * 0
    loss_function = nn.CrossEntropyLoss()
    probs = torch.softmax(logits, dim=-1)
    probs = probs[:, :-1, :]
    targets = tokens[:, 1:]
    vocab = logits.shape[-1]
    probs = probs.reshape(-1, vocab)
    targets = targets.reshape(-1)
    return loss_function(probs, targets)
# %% mistake="no number for ignore_index" style="the pad token, whatever it is"
def next_token_loss(logits, tokens, pad_token=None):
    rows = logits[:, :-1].reshape(-1, logits.shape[-1])
    return functional.cross_entropy(rows, tokens[:, 1:].reshape(-1), ignore_index=pad_token)
# %% mistake="gradient cut" style="item, and a tensor of it"
def next_token_loss(logits, tokens, pad_token=None):
    total, count = 0.0, 0
    for row, text in zip(logits, tokens):
        for z, target in zip(row[:-1], text[1:]):
            if pad_token is None or target != pad_token:
                total += functional.cross_entropy(z, target).item()
                count += 1
    return torch.tensor(total / max(count, 1))
