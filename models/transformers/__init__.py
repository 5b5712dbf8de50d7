"""Transformers that score a pair: fitted with PyTorch, stored and run as ONNX."""
