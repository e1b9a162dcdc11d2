"""Rules of lesson 08 for what students commit to before a cell tells."""

from functools import partial

from attention.common_rules import guess

_guess = partial(guess, __name__)

loss_behind_16 = _guess("loss_behind_16", '"lower", "higher" or "same" is')
line_gemma = _guess("line_gemma", "the number of a line is")
line_veloxquant = _guess("line_veloxquant", "the number of a line is")
