# %% right="tuples"
squeezed_one_query = (2, 4)
squeezed_three_queries = (2, 3, 4)
promised_one_query = (2, 1, 4)
# %% right="asked of torch"
squeezed_one_query = torch.zeros(2, 1, 4).squeeze(1).shape
squeezed_three_queries = list(torch.zeros(2, 3, 4).squeeze(1).shape)
promised_one_query = torch.Size([2, 1, 4])
# %% mistake="squeezed too much" style="three queries lose their axis"
squeezed_one_query = [2, 4]
squeezed_three_queries = [2, 4]
promised_one_query = [2, 1, 4]
# %% mistake="squeezed too much" style="promise and squeeze alike"
squeezed_one_query, squeezed_three_queries = (2, 4), (2, 3, 4)
promised_one_query = squeezed_one_query
# %% unlisted="nothing squeezed"
squeezed_one_query = (2, 1, 4)
squeezed_three_queries = (2, 3, 4)
promised_one_query = (2, 1, 4)
# %% unlisted="counts"
squeezed_one_query = 8
squeezed_three_queries = 24
promised_one_query = 8
