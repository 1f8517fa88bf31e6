"""Questions about a ranking: each function with `@question` is listed by `answers.questions`."""
