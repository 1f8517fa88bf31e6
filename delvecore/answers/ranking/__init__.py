"""Questions about a ranking: each function behind `@question` is listed by `answers.questions`."""
