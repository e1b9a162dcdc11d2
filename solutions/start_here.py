# %% [markdown]
# # Start here
#
# *Ming bought apples, then he went home.* Who is *he*? You looked back and found *Ming*, without noticing. A model that
# reads does this by **attention**. Each word gives a weight to every word of the sentence, and it takes in most from
# the words with the largest weights.

# %%
from attention import who_he_looks_at

who_he_looks_at()

# %% [markdown]
# **You will build this.** The scores behind these weights are made up, because no model has read the sentence. In
# lesson 1 your own code makes such weights from scores. In lesson 7 a model learns its scores from text. Attention is
# used today when a machine translates a page, answers a question, completes a line of code or writes down what you say.
#
# There are nine lessons. Each takes two to three hours, which is about 19 hours in all, without the puzzles at the
# end of each lesson. In each lesson you write a few functions. By the sixth lesson you have built multi-head
# attention, the part of a Transformer that decides which words look at which. In the seventh lesson your Transformer
# learns to write. In the eighth lesson it writes texts of any length, and in the ninth lesson you make it small and
# fast. You need Python and a little linear algebra: vectors, matrices and the dot product.
#
# | lesson | its question | minutes | for the puzzles |
# | --- | --- | --- | --- |
# | [1 · Words become numbers, numbers become one vector][1] | How do words become one vector? | 125 | 20 |
# | [2 · Attention you can check by hand][2] | What does attention do, checked by hand? | 120 | 25 |
# | [3 · Who looks at whom][3] | What happens with real word vectors? | 125 | 20 |
# | [4 · Attention was regression all along][4] | Was attention regression all along? | 125 | 25 |
# | [5 · Two ways to score][5] | Should the score be learned? | 135 | 25 |
# | [6 · Who may look, and with how many eyes][6] | Who may look, and with how many eyes? | 130 | 50 |
# | [7 · Your attention writes][7] | Which lines of code make a model write? | 165 | 15 |
# | [8 · Attention today: your writer reads on][8] | How does a model read on behind its training length? | 120 | 28 |
# | [9 · Attention at scale: fast and small][9] | How do large models stay fast and small? | 120 | 160 |
#
# [1]: 01_weighted_sums/weighted_sums.ipynb
# [2]: 02_toy_tensors/toy_tensors.ipynb
# [3]: 03_word2vec_heatmap/word2vec_heatmap.ipynb
# [4]: 04_gaussian_kernel/gaussian_kernel.ipynb
# [5]: 05_additive_vs_dot_product/additive_vs_dot_product.ipynb
# [6]: 06_masks_and_heads/masks_and_heads.ipynb
# [7]: 07_tiny_transformer/tiny_transformer.ipynb
# [8]: 08_attention_today/attention_today.ipynb
# [9]: 09_attention_at_scale/attention_at_scale.ipynb
#
# Start anywhere: where a lesson needs something from an earlier one, it brings it along.

# %% [markdown]
# ## How to work
#
# 1. Run a lesson's cells from the top with <kbd>Shift</kbd> + <kbd>Enter</kbd>.
# 2. Where a cell says `TODO`, write your answer in place of `raise NotImplementedError`, and run the cell.
# 3. Run the cell below it, `check(...)`. It says at once what holds and what does not yet:
#    ✓ holds, ✗ does not, ○ not started. When it can tell which mistake it was, it asks you a question about it.
# 4. Stuck? Each exercise has hints that fold out. Open one, try again, then open the next.
#
# Change anything you like, as often as you like. Only locked cells stay as they are: the imports and the checks.
# A green check means that the *visible* examples pass; grading tries more inputs than you can see.
#
# **If something is odd**, restart the kernel (menu *Kernel → Restart Kernel and Run up to Selected Cell*): an old
# value may have survived in memory. `NameError: name 'check' is not defined` says that the kernel was restarted: run
# the lesson's first cells again. **Before you hand in**, press *Validate*: it runs the notebook from the top.

# %% [markdown]
# ## How far you are
#
# Run this cell whenever you want to know; it is filled from your own checks. Each name leads to its lesson and, where
# that is open already, to its exercise. The lessons that you have not begun are folded.

# %%
from autograder import practice, show_progress

show_progress()

# %% [markdown]
# ## What comes back
#
# You forget what you do not use. This cell asks you a few questions on the lessons that you have begun. It takes some
# minutes and is never graded. A question that you get wrong comes back tomorrow. The others come back after some days,
# then after weeks.

# %%
practice()

# %% [markdown]
# ## Glossary
#
# Run this cell when a word is new to you. It lists the terms of all lessons, with a line on each and a link to where
# the lesson explains it.

# %%
from attention import glossary

glossary()
