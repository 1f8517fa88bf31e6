"""Runs of learning methods on the instances of tasks: plans, computing, files, failures."""
