"""Transformer encoders that read whole texts: int8 networks run by ONNX Runtime, and the word pieces they read."""
