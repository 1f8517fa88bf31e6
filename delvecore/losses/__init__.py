"""How much a prediction costs: loss functions, decoding's other half, and test-set statistics."""
