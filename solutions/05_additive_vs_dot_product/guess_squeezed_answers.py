# %% right="tuples"
squeezed_one_query = (2, 4)
squeezed_three_queries = (2, 3, 4)
promised_one_query = (2, 1, 4)
# %% right="asked of torch"
squeezed_one_query = torch.zeros(2, 1, 4).squeeze(1).shape
squeezed_three_queries = list(torch.zeros(2, 3, 4).squeeze(1).shape)
promised_one_query = torch.Size([2, 1, 4])
# %% mistake="squeeze taken to remove an axis of any length" style="three queries lose their axis"
squeezed_one_query = [2, 4]
squeezed_three_queries = [2, 4]
promised_one_query = [2, 1, 4]
# %% mistake="axis of length 1 lost" style="promise and squeeze alike"
squeezed_one_query, squeezed_three_queries = (2, 4), (2, 3, 4)
promised_one_query = squeezed_one_query
# %% unlisted="nothing squeezed"
squeezed_one_query = (2, 1, 4)
squeezed_three_queries = (2, 3, 4)
promised_one_query = (2, 1, 4)
# %% [markdown]
# ## Clumsy halves
# %% unlisted="the promise still open"
squeezed_one_query = (2, 4)
squeezed_three_queries = (2, 3, 4)
promised_one_query = ...
