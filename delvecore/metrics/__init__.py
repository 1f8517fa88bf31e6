"""Metrics: one number per instance, of predictions, targets and training targets."""
