"""Questions about a task-array: each function with `@question` is listed by `answers.array_questions`."""
