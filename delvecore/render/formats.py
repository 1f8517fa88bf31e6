"""Formats and limits in the help of commands. The module imports nothing."""

ANSWER_FORMATS = ("text", "json", "csv", "latex", "markdown", "html", "typst")
"""Formats of `render.answers.answer_text`."""
REPORT_FORMATS = {".html": "html", ".md": "markdown", ".tex": "latex", ".txt": "text"}
"""Formats of a report by the suffix of a file."""
MOST_PAIRS = 1000
"""Maximum number of pairs that JSON lists without a request: about those of 45 methods."""
MOST_TESTS = 500_000
"""Maximum number of pairs times tasks whose single tests are listed without a request."""
NEAREST = 8
"""Default number of nearest prototasks to rank methods on; a task-array has as many members."""
