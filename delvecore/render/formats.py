"""Formats and limits in the help of commands. The module imports nothing."""

ANSWER_FORMATS = ("text", "json", "csv", "latex", "markdown", "html", "typst")
"""Formats of `render.answers.answer_text`."""
REPORT_FORMATS = {".html": "html", ".md": "markdown", ".tex": "latex", ".txt": "text"}
"""Formats of a report by the suffix of a file."""
MOST_PAIRS = 1000
"""Maximum number of pairs that JSON lists by default: about as many as 45 methods have."""
MOST_TESTS = 500_000
"""Maximum number of pairs times tasks for which tests on single tasks are listed by default."""
NEAREST = 8
"""Default number of nearest prototasks to rank methods on; a task-array has as many members."""
