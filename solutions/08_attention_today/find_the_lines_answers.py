# %% crosses="of each mistake"
# pytorch: another line blamed -> pytorch
# gemma: another line blamed -> gemma
# VeloxQuant: another line blamed -> VeloxQuant
# onnx: another line blamed -> onnx
# mlx-lm: another line blamed -> mlx-lm
# ng-video-lecture: another line blamed -> ng-video-lecture

# %% right="numbers"
line_pytorch, line_gemma, line_veloxquant, line_onnx, line_mlx, line_lecture = 3, 3, 1, 2, 2, 4
# %% right="floats"
line_pytorch, line_gemma, line_veloxquant = 3.0, 3.0, 1.0
line_onnx, line_mlx, line_lecture = 2, 2, 4
# %% mistake="pytorch: another line blamed" style="the softmax"
line_pytorch, line_gemma, line_veloxquant, line_onnx, line_mlx, line_lecture = 4, 3, 1, 2, 2, 4
# %% mistake="gemma: another line blamed" style="the putting together"
line_pytorch, line_gemma, line_veloxquant, line_onnx, line_mlx, line_lecture = 3, 2, 1, 2, 2, 4
# %% mistake="VeloxQuant: another line blamed" style="the window"
line_pytorch, line_gemma, line_veloxquant, line_onnx, line_mlx, line_lecture = 3, 3, 3, 2, 2, 4
# %% mistake="onnx: another line blamed" style="the scores"
line_pytorch, line_gemma, line_veloxquant, line_onnx, line_mlx, line_lecture = 3, 3, 1, 3, 2, 4
# %% mistake="mlx-lm: another line blamed" style="the count"
line_pytorch, line_gemma, line_veloxquant, line_onnx, line_mlx, line_lecture = 3, 3, 1, 2, 4, 4
# %% mistake="ng-video-lecture: another line blamed" style="the mask"
line_pytorch, line_gemma, line_veloxquant, line_onnx, line_mlx, line_lecture = 3, 3, 1, 2, 2, 3
# %% unlisted="counted from nought"
line_pytorch = line_gemma = line_veloxquant = line_onnx = line_mlx = line_lecture = 0
# %% unlisted="the last still open"
line_pytorch, line_gemma, line_veloxquant, line_onnx, line_mlx, line_lecture = 3, 3, 1, 2, 2, ...
