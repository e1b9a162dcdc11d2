# %% right="figure and heatmap"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
    plt.figure(figsize=(6, 5))
    axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
    axes.set_xlabel('Key (sentence 2)')
    axes.set_ylabel('Query (sentence 1)')
    axes.set_title('Attention weights')
    return axes
# %% right="current axes, per cent, shown"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    if isinstance(sentence_1, str):
        sentence_1 = sentence_1.split()
    if isinstance(sentence_2, str):
        sentence_2 = sentence_2.split()
    ax = sns.heatmap(
        np.round(attention_weights, 2), annot=True, fmt=".0%", cbar=False, cmap="viridis", vmin=0, vmax=1,
        xticklabels=sentence_2, yticklabels=sentence_1,
    )
    plt.xlabel("KEYS")
    plt.ylabel("queries")
    plt.suptitle("who looks at whom")
    plt.show()
    return ax
# %% right="labelled afterwards, title on the left"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
    plt.figure(figsize=(6, 5))
    axes = sns.heatmap(attention_weights, annot=True, fmt='.1f')
    axes.set_xticklabels(words[1], rotation=90)
    axes.set_yticklabels(words[0], rotation=0)
    axes.set_xlabel('Key (sentence 2)')
    axes.set_ylabel('Query (sentence 1)')
    axes.set_title('weights', loc='left')
    return axes
# %% right="matplotlib alone"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
    figure, axes = plt.subplots()
    figure.colorbar(axes.imshow(attention_weights), ax=axes)
    axes.set_xticks(range(attention_weights.shape[1]), words[1])
    axes.set_yticks(range(attention_weights.shape[0]), words[0])
    for (i, j), weight in np.ndenumerate(attention_weights):
        axes.text(j, i, f"{weight:.3f}", ha="center")
    axes.set_xlabel('Key (sentence 2)')
    axes.set_ylabel('Query (sentence 1)')
    axes.set_title('Attention weights')
    return axes
# %% right="a data frame"
import pandas as pd
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    rows = sentence_1.split() if type(sentence_1) is str else sentence_1
    columns = sentence_2.split() if type(sentence_2) is str else sentence_2
    table = pd.DataFrame(np.array(attention_weights), index=rows, columns=columns)
    _, ax = plt.subplots(figsize=(8, 8))
    sns.heatmap(table, annot=True, fmt=".2f", square=True, linewidths=0.5, ax=ax)
    ax.set(title="Attention", xlabel="keys", ylabel="queries")
    return ax
# %% mistake="nothing returned" style="no return" of="figure and heatmap"
# -     return axes
# +     plt.show()
# %% mistake="nothing returned" style="bare return" of="figure and heatmap"
# -     return axes
# +     return
# %% mistake="axes swapped" style="all turned round" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights.T, annot=True, xticklabels=words[0], yticklabels=words[1])
# %% mistake="axes swapped" style="names swapped" of="figure and heatmap"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     axes.set(xlabel='query', ylabel='key')
# %% mistake="axes swapped" style="words swapped" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[0], yticklabels=words[1])
# %% mistake="axes not named" style="no names" of="figure and heatmap"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     pass
# %% mistake="axes not named" style="sentence 1 and 2" of="figure and heatmap"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     axes.set(xlabel='sentence 2', ylabel='sentence 1')
# %% mistake="no numbers" style="annot=False" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=False, xticklabels=words[1], yticklabels=words[0])
# %% mistake="no numbers" style="annot left out" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, xticklabels=words[1], yticklabels=words[0])
# %% mistake="words missing" style="numbered" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=True)
# %% mistake="words missing" style="no tick labels" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=True, xticklabels=False, yticklabels=False)
# %% mistake="labelled by letter" style="strings looped over" of="figure and heatmap"
# -     words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
# +     words = [list(sentence_1)[:len(attention_weights)], list(sentence_2)[:attention_weights.shape[1]]]
# %% mistake="labelled by letter" style="strings handed on" of="figure and heatmap"
# -     words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
# +     words = [sentence_1, sentence_2]
# %% unlisted="no title" of="figure and heatmap"
# -     axes.set_title('Attention weights')
# +     pass
# %% unlisted="the figure" of="figure and heatmap"
# -     return axes
# +     return axes.figure
# %% unlisted="other numbers" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(np.ones_like(attention_weights), annot=True, xticklabels=words[1], yticklabels=words[0])
# %% unlisted="one sentence for both" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[0][:attention_weights.shape[1]], yticklabels=words[0])
# %% unlisted="upside down" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights[::-1], annot=True, xticklabels=words[1], yticklabels=words[0])
# %% unlisted="annotated with something else" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=np.zeros_like(attention_weights), xticklabels=words[1], yticklabels=words[0])
# %% unlisted="empty axes" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     _, axes = plt.subplots()
# %% unlisted="one axis named" of="figure and heatmap"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     axes.set_xlabel('key')
# %% unlisted="weights rounded to whole numbers" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(np.round(attention_weights), annot=True, xticklabels=words[1], yticklabels=words[0])
# %% unlisted="weights overwritten" of="figure and heatmap"
# -     axes.set_title('Attention weights')
# +     axes.set_title('Attention weights')
# +     attention_weights *= 100
