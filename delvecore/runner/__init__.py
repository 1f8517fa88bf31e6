"""Registered learning methods applied to the instances of tasks, in one process."""
