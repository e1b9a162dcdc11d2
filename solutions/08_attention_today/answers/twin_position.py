# %% right="counted"
twin = 710
# %% right="with rotate, a tensor"
far = torch.arange(1, 2001)
turned = rotate(torch.tensor([[1.0, 0.0]]).double().expand(2000, 2), far.double())
twin = far[(turned - torch.tensor([1.0, 0.0])).norm(dim=1) < 1e-3][0]
# %% mistake="the whole number nearest to one turn" style="round"
twin = round(2 * math.pi)
# %% mistake="seven turns taken for 44 words" style="22/7"
twin = 2 * 22
# %% mistake="an odd number of half turns" style="355/113"
twin = 355
# %% mistake="a turn of 1 degree a word" style="360"
twin = 360
# %% mistake="a later twin, not the first" style="twice"
twin = 1420
# %% unlisted="333"
twin = 333
# %% unlisted="in words"
twin = "never"
