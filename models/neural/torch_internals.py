"""Instructions of the processor, as torch sees them: the one module that uses a private name of torch.

`torch.ops.mkldnn._is_mkldnn_bf16_supported` was read in torch 2.13; no public function answers the same.
"""


def bfloat16_supported() -> bool:
    """Return whether the matrix products of this processor take bfloat16."""
    import torch

    return bool(torch.ops.mkldnn._is_mkldnn_bf16_supported())
