# %% crosses="of each mistake"
# nothing returned -> the Axes come
# heatmap transposed -> a row for
# words along the wrong side -> every row and
# axis labels swapped -> axis labels that
# labelled letter by letter -> every row and
# words along the sides missing -> every row and
# weights not written into the cells -> every cell shows; axis labels that
# axis labels without query and key -> axis labels that

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
# %% right="labelled afterwards, title on the left" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=True, fmt='.1f')
# +     axes.set_xticklabels(words[1], rotation=90)
# +     axes.set_yticklabels(words[0], rotation=0)
# -     axes.set_title('Attention weights')
# +     axes.set_title('weights', loc='left')
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
# %% mistake="heatmap transposed" style="all turned round" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights.T, annot=True, xticklabels=words[0], yticklabels=words[1])
# %% mistake="axis labels swapped" style="names swapped" of="figure and heatmap"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     axes.set(xlabel='query', ylabel='key')
# %% mistake="words along the wrong side" style="words swapped" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[0], yticklabels=words[1])
# %% mistake="axis labels without query and key" style="no names" of="figure and heatmap"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     pass
# %% mistake="axis labels without query and key" style="sentence 1 and 2" of="figure and heatmap"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     axes.set(xlabel='sentence 2', ylabel='sentence 1')
# %% mistake="weights not written into the cells" style="annot=False" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=False, xticklabels=words[1], yticklabels=words[0])
# %% mistake="weights not written into the cells" style="annot left out" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, xticklabels=words[1], yticklabels=words[0])
# %% mistake="words along the sides missing" style="numbered" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=True)
# %% mistake="words along the sides missing" style="no tick labels" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=True, xticklabels=False, yticklabels=False)
# %% mistake="labelled letter by letter" style="strings looped over" of="figure and heatmap"
# -     words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
# +     words = [list(sentence_1)[:len(attention_weights)], list(sentence_2)[:attention_weights.shape[1]]]
# %% mistake="labelled letter by letter" style="strings handed on" of="figure and heatmap"
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
# %% [markdown]
# ## From the wild
# %% mistake="weights not written into the cells" style="square, no bar, words as ticks" true="axis labels without query and key"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    x = sentence_2.split() if isinstance(sentence_2, str) else sentence_2
    y = sentence_1.split() if isinstance(sentence_1, str) else sentence_1
    fig, ax = plt.subplots(1, 1)
    sns.heatmap(
        attention_weights, xticklabels=x, square=True, yticklabels=y, vmin=0.0, vmax=1.0, cbar=False, ax=ax
    )
    ax.set_title("Layer 1")
    return ax
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
# %% right="matshow, ticks set first, numbers written in a loop"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    s1 = sentence_1.split() if isinstance(sentence_1, str) else sentence_1
    s2 = sentence_2.split() if isinstance(sentence_2, str) else sentence_2
    fig, ax = plt.subplots()
    ax.matshow(attention_weights)
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
# %% mistake="heatmap transposed" style="pcolor of the transpose"
def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    s1 = sentence_1.split() if isinstance(sentence_1, str) else sentence_1
    s2 = sentence_2.split() if isinstance(sentence_2, str) else sentence_2
    ax = sns.heatmap(attention_weights.T, annot=True, xticklabels=s1, yticklabels=s2)
    ax.set(xlabel="Query", ylabel="Key", title="Attention")
    return ax
# %% [markdown]
# ## Clumsy halves
# %% mistake="nothing returned" style="return plt.show()" of="figure and heatmap"
# -     return axes
# +     return plt.show()
# %% mistake="axis labels without query and key" style="attributes instead of setters" of="figure and heatmap"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     axes.xlabel = 'key'
# +     axes.ylabel = 'query'
# %% mistake="axis labels swapped" style="queries along x" of="figure and heatmap"
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# +     plt.xlabel('Queries')
# +     plt.ylabel('Keys')
# %% mistake="words along the wrong side" style="set afterwards" of="figure and heatmap"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# +     axes = sns.heatmap(attention_weights, annot=True)
# +     axes.set_xticks(np.arange(len(words[0])) + 0.5, words[0])
# +     axes.set_yticks(np.arange(len(words[1])) + 0.5, words[1])
# %% unlisted="only strings are thought of" of="figure and heatmap"
# -     words = [s.split() if isinstance(s, str) else list(s) for s in (sentence_1, sentence_2)]
# +     words = [sentence_1.split(), sentence_2.split()]
# %% unlisted="label and title forgotten, transposed" of="figure and heatmap" true="heatmap transposed; axis labels without query and key; words along the wrong side"
# -     axes = sns.heatmap(attention_weights, annot=True, xticklabels=words[1], yticklabels=words[0])
# -     axes.set_xlabel('Key (sentence 2)')
# -     axes.set_ylabel('Query (sentence 1)')
# -     axes.set_title('Attention weights')
# +     axes = sns.heatmap(attention_weights.T, annot=True, xticklabels=words[0], yticklabels=words[1])
# %% [markdown]
# ## Written from the syllabus alone, before this corpus was read
# %% right="pandas DataFrame with a helper"
import matplotlib.pyplot as plt
import seaborn as sns
from pandas import DataFrame

def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    words = lambda s: s.split() if isinstance(s, str) else list(s)
    q, k = words(sentence_1), words(sentence_2)
    _, canvas = plt.subplots(figsize=(1 + len(k), 1 + len(q)))
    sns.heatmap(DataFrame(np.asarray(attention_weights)), annot=True, fmt=".2f",
                xticklabels=k, yticklabels=q, ax=canvas)
    canvas.set(title="Who looks at whom", xlabel="keys", ylabel="queries")
    return canvas
# %% mistake="heatmap transposed" style="weights transposed, written blind"
import matplotlib.pyplot as plt
import seaborn as sns

def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    if isinstance(sentence_1, str):
        sentence_1 = sentence_1.split()
    if isinstance(sentence_2, str):
        sentence_2 = sentence_2.split()
    fig, ax = plt.subplots()
    sns.heatmap(np.transpose(attention_weights), annot=True, cmap="viridis", ax=ax,
                xticklabels=sentence_1, yticklabels=sentence_2)
    ax.set_title("Attention weights")
    ax.set_xlabel("query")
    ax.set_ylabel("key")
    return ax
# %% unlisted="sentences given as strings are not split" true="labelled letter by letter; nothing returned"
import matplotlib.pyplot as plt
import seaborn as sns

def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    plt.figure(figsize=(8, 6))
    queries = [w for w in sentence_1]
    keys = [w for w in sentence_2]
    picture = sns.heatmap(attention_weights, annot=True, fmt=".2f", cmap="Blues", xticklabels=keys, yticklabels=queries)
    plt.title("attention")
    plt.xlabel("Keys (sentence 2)")
    plt.ylabel("Queries (sentence 1)")
    plt.show()
# %% right="sets every tick by hand after the heatmap"
import matplotlib.pyplot as plt
import seaborn as sns

def plot_attention_weights(attention_weights, sentence_1, sentence_2):
    if type(sentence_1) == str:
        s1 = sentence_1.split()
    else:
        s1 = sentence_1
    if type(sentence_2) == str:
        s2 = sentence_2.split()
    else:
        s2 = sentence_2
    plt.figure()
    sns.heatmap(np.array(attention_weights), annot=True)
    ax = plt.gca()
    pos_x = []
    for i in range(len(s2)):
        pos_x.append(i + 0.5)
    pos_y = []
    for i in range(len(s1)):
        pos_y.append(i + 0.5)
    ax = plt.gcf().axes[0]
    ax.set_xticks(pos_x)
    ax.set_xticklabels(s2, rotation=45)
    ax.set_yticks(pos_y)
    ax.set_yticklabels(s1, rotation=0)
    ax.set_xlabel("Key words")
    ax.set_ylabel("Query words")
    ax.set_title("Attention of the query words to the key words")
    return ax
