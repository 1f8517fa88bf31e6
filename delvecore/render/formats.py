"""Formats and limits that the help of commands names. The module imports nothing."""

ANSWER_FORMATS = ("text", "json", "csv", "latex", "markdown", "html", "typst")
"""Formats of `render.answers.answer_text`."""
REPORT_FORMATS = {".html": "html", ".md": "markdown", ".tex": "latex", ".txt": "text"}
"""Formats of a report, by the ending of a file's name."""
MOST_PAIRS = 1000
"""Maximum number of pairs, those of 45 methods, that JSON lists without a request."""
MOST_TESTS = 500_000
"""Maximum number of pairs times tasks with single tests without a request."""
NEAREST = 8
"""Number of prototasks to rank methods on; a task-array has the same number."""
