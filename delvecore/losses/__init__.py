"""Losses of predictions: loss functions, decoding of predictions, and test-set statistics."""
