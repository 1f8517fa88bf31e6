"""Metrics: one number an instance, of predictions, targets and training targets."""
