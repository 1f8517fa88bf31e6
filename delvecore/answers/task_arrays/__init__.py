"""Questions about a task-array: each function behind `@question` is listed by `answers.array_questions`."""
