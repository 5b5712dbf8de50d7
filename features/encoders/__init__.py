"""Transformer encoders of whole texts: int8 networks run by ONNX Runtime, and their word pieces."""
