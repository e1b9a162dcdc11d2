"""Library functions that do what lessons ask, by where each is defined (`module:qualified name`): its usual name."""

SOFTMAX = {
    "scipy.special._logsumexp:softmax": "scipy.special.softmax",
    "torch.nn.functional:softmax": "torch.nn.functional.softmax",
    "torch:_VariableFunctionsClass.softmax": "torch.softmax",
    "torch._C._special:special_softmax": "torch.special.softmax",
    "None:Tensor.softmax": "Tensor.softmax",
}
ATTENTION = {
    "torch._C._nn:scaled_dot_product_attention": "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional:multi_head_attention_forward": "torch.nn.MultiheadAttention",
}
BLOCK = {"torch.nn.modules.transformer:TransformerEncoderLayer.forward": "torch.nn.TransformerEncoderLayer"}

_STAND_INS = {"earlier": ("simple_attention",), "reading_on": ("rotate", "attend_new")}
EARLIER = {
    f"attention.{module}:{name}": f"the course's {name}" for module, names in _STAND_INS.items() for name in names
}
"""The course's versions of earlier answers, which later lessons bring along for those who have none of their own."""
