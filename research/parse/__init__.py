"""Phrase trees and the kernels that compare them."""
