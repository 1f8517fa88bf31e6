"""Tables of a task-array."""
