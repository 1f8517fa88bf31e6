"""Metrics: one number per instance, computed from predictions, targets and training targets."""
