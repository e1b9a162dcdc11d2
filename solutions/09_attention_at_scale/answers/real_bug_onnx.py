# %% right="a number"
line_onnx = 2
# %% right="a float"
line_onnx = 2.0
# %% mistake="onnx: another line blamed" style="the first"
line_onnx = 1
# %% mistake="onnx: another line blamed" style="the one behind it"
line_onnx = 3
# %% mistake="onnx: another line blamed" style="the last"
line_onnx = 4
# %% unlisted="counted from nought"
line_onnx = 0
# %% unlisted="in words"
line_onnx = "the second"
