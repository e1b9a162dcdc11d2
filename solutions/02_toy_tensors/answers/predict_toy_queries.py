# %% right="tuples in another order"
attends_to = ((1,), (3, 2), (1, 0))
looked_up = np.array([[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]])
# %% right="arrays and tensors"
attends_to = [np.array([1]), torch.tensor([2, 3]), [0, 1]]
looked_up = torch.tensor([[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]])
# %% right="a lone number, an axis more"
attends_to = [1, [2, 3], [0, 1]]
looked_up = [[[10.0, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]]
# %% right="sets"
attends_to = [{1}, {2, 3}, {0, 1}]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
# %% right="worked out"
out, w = scaled_dot_product_attention(
    torch.tensor([[0.0, 10, 0], [0, 0, 10], [10, 10, 0]]),
    torch.tensor([[10.0, 0, 0], [0, 10, 0], [0, 0, 10], [0, 0, 10]]),
    torch.tensor([[1.0, 0, 1], [10, 0, 2], [100, 5, 0], [1000, 6, 0]]),
)
attends_to = [torch.nonzero(row > 0.01).flatten().tolist() for row in w]
looked_up = out
# %% mistake="positions counted from 1" style="counted from 1"
attends_to = [[2], [3, 4], [1, 2]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
# %% mistake="positions counted from 1" style="sets from 1"
attends_to = [{2}, {3, 4}, {1, 2}]
looked_up = None
# %% mistake="only one of two keys with equal scores" style="the first"
attends_to = [[1], [2], [0]]
looked_up = [[10, 0, 2], [100, 5, 0], [1, 0, 1]]
# %% mistake="only one of two keys with equal scores" style="the last"
attends_to = [1, 3, 1]
looked_up = [[10, 0, 2], [1000, 6, 0], [10, 0, 2]]
# %% mistake="Q, K or V in the wrong place" style="keys, as an array"
attends_to = [[1], [2, 3], [0, 1]]
looked_up = np.array([[0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]]) * 10
# %% mistake="weights not normalised" style="added up"
attends_to = [[1], [2, 3], [0, 1]]
looked_up = [[10, 0, 2], [1100, 11, 0], [11, 0, 3]]
# %% mistake="only one of two keys with equal scores" style="places of the tens"
attends_to = [[1], [2], [0, 1]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
# %% mistake="weights instead of positions" style="as many numbers as keys"
attends_to = [[0, 1, 0, 0], [0, 0, 0.5, 0.5], [0.5, 0.5, 0, 0]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
# %% unlisted="truth values"
attends_to = [[False, True, False, False]] * 3
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
# %% unlisted="the last row added up"
attends_to = [[1], [2, 3], [0, 1]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [11, 0, 3]]
# %% unlisted="one row transposed"
attends_to = [[1], [2, 3], [0, 1]]
looked_up = np.array([[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]).T
# %% unlisted="a key named twice"
attends_to = [[1, 1], [2, 3], [0, 1]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
# %% [markdown]
# ## Clumsy halves
# %% unlisted="rows still open"
attends_to = [[1], [2, 3], [0, 1]]
looked_up = ...
# %% mistake="values instead of positions" style="first numbers of the rows"
attends_to = [[10], [100, 1000], [1, 10]]
looked_up = [[10, 0, 2], [550, 5.5, 0], [5.5, 0, 1.5]]
# %% mistake="only one of two keys with equal scores" style="the twin of key 2 overlooked"
attends_to = [[1], [2], [0, 1]]
looked_up = [[10, 0, 2], [100, 5, 0], [5.5, 0, 1.5]]
