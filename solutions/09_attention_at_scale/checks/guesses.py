"""Rules of lesson 09 for what students commit to before a cell tells, and for its puzzle with a number."""

from functools import partial

from attention.common_rules import guess

_guess = partial(guess, __name__)

product_takes_twice_as_long = _guess("product_takes_twice_as_long", "True or False is")
softmax_finds = _guess("softmax_finds", '"almost always", "half" or "rarely" is')
line_onnx = _guess("line_onnx", "the number of a line is")
line_flashinfer = _guess("line_flashinfer", "the number of a line is")
line_mlx = _guess("line_mlx", "the number of a line is")
