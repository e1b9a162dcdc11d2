# %% right="fractions"
with_one, with_two = 1 / 3, 1
# %% right="two decimals, arrays"
with_one = np.array(0.33)
with_two = np.array([0.999])
# %% mistake="one matrix taken to do what two do" style="ones"
with_one, with_two = 1, 1
# %% mistake="one's own score forgotten" style="half"
with_one, with_two = 0.5, 1.0
# %% mistake="symmetric scores taken for none" style="nothing"
with_one, with_two = 0, 1
# %% mistake="product taken for the weight" style="a third, three times"
with_one, with_two = (1 / 3) ** 3, 1
# %% unlisted="the other way round"
with_one, with_two = 1, 1 / 3
# %% unlisted="percent"
with_one, with_two = 33, 100
