"""Networks that score a pair from the vectors of its words: fitted with PyTorch, stored and run as ONNX."""
