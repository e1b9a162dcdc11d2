# %% crosses="of each mistake"
# nothing returned -> the Axes come
# heatmap transposed -> a row for
# labelled letter by letter -> every row and
# words along the sides missing -> every row and
# weights not written into the cells -> every cell shows; axis labels that
# axis labels without query and key -> axis labels that
# colours stretched to the weights -> colours that run

# %% what_if="All weights are the same. What does a heatmap show whose colours run from the smallest number to the largest?" because="It has one colour everywhere. Such colours only show how the numbers of one picture differ. With vmin=0 and vmax=1 pictures can be compared."
weights = np.full((2, 4), 0.25)
print(weights.min() == weights.max())
# %% right="a data frame" buys="rows and columns carry their words in the table, and the picture takes them from there"
import pandas as pd
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    rows = sentence_1.split() if type(sentence_1) is str else sentence_1
    columns = sentence_2.split() if type(sentence_2) is str else sentence_2
    table = pd.DataFrame(np.array(attention_weights), index=rows, columns=columns)
    _, ax = plt.subplots(figsize=(8, 8))
    sns.heatmap(table, annot=True, fmt=".2f", vmin=0, vmax=1, square=True, linewidths=0.5, ax=ax)
    ax.set(title="Attention", xlabel="keys", ylabel="queries")
    return ax
# %% mistake="nothing returned" style="no return"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
    plt.figure(figsize=(6, 5))
    axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=words[1], yticklabels=words[0])
    axes.set_xlabel('Key (sentence 2)')
    axes.set_ylabel('Query (sentence 1)')
    axes.set_title('Attention weights')
    plt.show()
# %% mistake="heatmap transposed" style="all turned round" of="no return"
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights.T, annot=True, vmin=0, vmax=1, xticklabels=words[0], yticklabels=words[1])
# -     plt.show()
# +     return axes
# %% mistake="words along the wrong side" style="words swapped" of="all turned round"
# -     axes = sns.heatmap(attention_weights.T, annot=True, vmin=0, vmax=1, xticklabels=words[0], yticklabels=words[1])
# +     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=words[0], yticklabels=words[1])
# %% mistake="axis labels without query and key" style="sentence 1 and 2" of="no return"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     axes.set(xlabel='sentence 2', ylabel='sentence 1')
# -     plt.show()
# +     return axes
# %% mistake="weights not written into the cells" style="annot=False" of="words swapped"
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=words[0], yticklabels=words[1])
# +     axes = sns.heatmap(attention_weights, annot=False, vmin=0, vmax=1, xticklabels=words[1], yticklabels=words[0])
# %% mistake="words along the sides missing" style="no tick labels" of="words swapped"
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=words[0], yticklabels=words[1])
# +     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=False, yticklabels=False)
# %% mistake="labelled letter by letter" style="strings looped over" of="no return"
# -     words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
# +     words = [list(sentence_1)[:len(attention_weights)], list(sentence_2)[:attention_weights.shape[1]]]
# -     plt.show()
# +     return axes
# %% unlisted="no title" of="no return"
# -     axes.set_title('Attention weights')
# -     plt.show()
# +     pass
# +     return axes
# %% unlisted="other numbers" of="no tick labels"
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=False, yticklabels=False)
# +     axes = sns.heatmap(np.ones_like(attention_weights), annot=True, vmin=0, vmax=1, xticklabels=words[1], yticklabels=words[0])
# %% unlisted="upside down" of="no tick labels"
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=False, yticklabels=False)
# +     axes = sns.heatmap(attention_weights[::-1], annot=True, vmin=0, vmax=1, xticklabels=words[1], yticklabels=words[0])
# %% unlisted="annotated with something else" of="no tick labels"
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=False, yticklabels=False)
# +     axes = sns.heatmap(attention_weights, annot=np.zeros_like(attention_weights), vmin=0, vmax=1, xticklabels=words[1], yticklabels=words[0])
# %% unlisted="empty axes" of="no tick labels"
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=False, yticklabels=False)
# +     _, axes = plt.subplots()
# %% unlisted="one axis named" of="sentence 1 and 2"
# -     axes.set(xlabel='sentence 2', ylabel='sentence 1')
# +     axes.set_xlabel('key')
# %% unlisted="weights overwritten" of="no return"
# -     plt.show()
# +     attention_weights *= 100
# +     return axes
# %% right="numbers written column by column, in the middle of each cell"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    queries, keys = (s.split() if isinstance(s, str) else s for s in (sentence_1, sentence_2))
    _, axes = plt.subplots()
    sns.heatmap(attention_weights, vmin=0, vmax=1, xticklabels=keys, yticklabels=queries, cbar=False, ax=axes)
    for column in range(len(keys)):
        for row in reversed(range(len(queries))):
            axes.annotate(f"{attention_weights[row, column]:.3f}", (column + 0.5, row + 0.5), ha="center")
    axes.set(xlabel="key", ylabel="query", title="weights")
    return axes
# %% unlisted="each cell shows the weight of another row" of="no tick labels"
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=False, yticklabels=False)
# +     axes = sns.heatmap(attention_weights, annot=attention_weights[::-1], vmin=0, vmax=1, xticklabels=words[1], yticklabels=words[0])
# %% unlisted="small weights set to 0, in the array that was handed in" of="no tick labels"
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=False, yticklabels=False)
# +     attention_weights[attention_weights < 0.005] = 0
# +     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=words[1], yticklabels=words[0])
# %% unlisted="a word that occurs twice stands there once" of="no tick labels"
# -     words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
# +     words = [list(dict.fromkeys(s.split() if isinstance(s, str) else s)) for s in (sentence_1, sentence_2)]
# -     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=False, yticklabels=False)
# +     axes = sns.heatmap(attention_weights, annot=True, vmin=0, vmax=1, xticklabels=words[1], yticklabels=words[0])
# %% [markdown]
# ## From the wild
# %% unlisted="matshow with a blank before the words" true="weights not written into the cells; axis labels without query and key; words along the sides missing"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    s1 = sentence_1.split(" ") if isinstance(sentence_1, str) else sentence_1
    s2 = sentence_2.split(" ") if isinstance(sentence_2, str) else sentence_2
    fig = plt.figure()
    ax = fig.add_subplot(111)
    cax = ax.matshow(attention_weights, cmap="bone")
    fig.colorbar(cax)
    ax.set_xticklabels([""] + s2 + ["<EOS>"], rotation=90)
    ax.set_yticklabels([""] + s1)
    return ax
# %% right="matshow, ticks set first, numbers written in a loop" buys="Matplotlib alone: it shows what seaborn does for you"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    s1 = sentence_1.split() if isinstance(sentence_1, str) else sentence_1
    s2 = sentence_2.split() if isinstance(sentence_2, str) else sentence_2
    fig, ax = plt.subplots()
    ax.matshow(attention_weights, vmin=0, vmax=1)
    ax.set_xticks(range(len(s2)))
    ax.set_yticks(range(len(s1)))
    ax.set_xticklabels(s2, rotation=90)
    ax.set_yticklabels(s1)
    for i in range(len(s1)):
        for j in range(len(s2)):
            ax.text(j, i, round(float(attention_weights[i, j]), 2), ha="center", va="center", color="w")
    ax.set_xlabel("Keys")
    ax.set_ylabel("Queries")
    ax.set_title("attention")
    return ax
# %% [markdown]
# ## Clumsy halves
# %% mistake="axis labels swapped" style="queries along x" of="one axis named"
# -     axes.set_xlabel('key')
# +     plt.xlabel('Queries')
# +     plt.ylabel('Keys')
# %% unlisted="label and title forgotten, transposed" of="all turned round" true="heatmap transposed; axis labels without query and key; words along the wrong side"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# -     axes.set_title('Attention weights')
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% unlisted="sentences given as strings are not split" true="labelled letter by letter; nothing returned"
import matplotlib.pyplot as plt
import seaborn as sns

def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    plt.figure(figsize=(8, 6))
    queries = [w for w in sentence_1]
    keys = [w for w in sentence_2]
    picture = sns.heatmap(attention_weights, annot=True, fmt=".2f", cmap="Blues", vmin=0, vmax=1, xticklabels=keys, yticklabels=queries)
    plt.title("attention")
    plt.xlabel("Keys (sentence 2)")
    plt.ylabel("Queries (sentence 1)")
    plt.show()
# %% mistake="colours stretched to the weights" style="no limits"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    rows, columns = [s.split() if isinstance(s, str) else s for s in (sentence_1, sentence_2)]
    plt.figure()
    ax = sns.heatmap(attention_weights, annot=True, xticklabels=columns, yticklabels=rows, cmap=figures.CMAP)
    ax.set(title="weights", xlabel="key", ylabel="query")
    return ax
