"""Workflows: steps before learning, a learner with its settings, steps after predicting."""
