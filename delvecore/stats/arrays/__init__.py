"""Results over the members of a task-array: estimates, effects of factors, learning curves, costs."""
